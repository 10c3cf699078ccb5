# SPDX-License-Identifier: Zlib
# shellcheck shell=bash
#
# Starts a real game server with one map and reads from its log whether the map was loaded. For tests; sourced.
#
#   servers_present KIND         whether the server of that kind (ddnet, teeworlds) is installed
#   servers_try KIND MAP         0: it runs the map. 1: it refused the map or broke on it. 2: neither in time.
#                                One line on standard output says why, unless it is 0.
#
# The server sees nothing but a folder of its own and its game's data, listens on 127.0.0.1 only, registers nowhere,
# and is stopped within servers_seconds. A server's own reader forgives much (unpacking errors, say); what it then
# thinks of the map is in its log, so that is searched for complaints, too. (That the blocks unpack is what
# tests/cli/map_resave.sh is for.)

servers_seconds=30
servers_support=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# shellcheck source=tests/support/games.sh
. "$servers_support/games.sh"

servers_program() {
    case $1 in
    ddnet) games_program DDNet-Server ;;
    teeworlds) games_program teeworlds_srv teeworlds-server ;;
    *) return 1 ;;
    esac
}

servers_present() { servers_program "$1" >/dev/null; }

servers_free_port() {
    python3 -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# Settings by which the server says all that it does: DDNet by `debug` and `loglevel`, since 16.2 by `stdout_output_level`. Unknown ones
# are reported by the server and change nothing.
servers_config() { # KIND PORT
    printf 'sv_register 0\nbindaddr 127.0.0.1\nsv_port %s\nsv_external_port 0\ndebug 1\n' "$2"
    case $1 in
    ddnet) printf 'sv_ipv4only 1\nloglevel 4\nstdout_output_level 2\nsv_sqlite_file none.sqlite\n' ;;
    teeworlds) printf 'console_output_level 2\n' ;;
    esac
}

# What the log says so far: "running", "refused" or "". The version line is the last of a server's start.
servers_state() { # LOG
    if grep -q -E "failed to load map|could not open .maps/|could not open file 'maps/subject|Assertion|assertion failed" "$1"; then
        echo refused
    elif grep -q -E 'server: version |\[server\]: version ' "$1"; then
        echo running
    fi
}

# Complaints about a map's content in the log of a server that runs. Left out: names of messages, and progress.
servers_complaints() { # LOG
    grep -v -E ' uuid: |loading data\.? index|No such command|\[net\]' "$1" |
        grep -m 1 -i -E ' [EW] (datafile|map|layers|collision): |VERY wrong|invalid|corrupt|signature|out of bounds|too (small|large)|error|warning'
}

servers_wait() { # PID LOG: prints the state, "died" or "late"
    local i state
    for ((i = 0; i < servers_seconds * 20; i++)); do
        state=$(servers_state "$2")
        if [ -n "$state" ]; then
            sleep 0.2
            if [ "$state" = running ] && ! kill -0 "$1" 2>/dev/null; then state=died; fi
            echo "$state"
            return
        fi
        kill -0 "$1" 2>/dev/null || { state=$(servers_state "$2"); echo "${state:-died}"; return; }
        sleep 0.05
    done
    echo late
}

servers_stop() { # PID
    local i
    kill "$1" 2>/dev/null
    for ((i = 0; i < 60; i++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    kill -9 "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}

servers_judge() { # STATE LOG MAP
    local hash
    case $1 in
    running) ;;
    late) echo "no answer in $servers_seconds s: $(tail -n 1 "$2")"; return 2 ;;
    *) echo "$1: $(grep -E 'datafile|map' "$2" | tail -n 1)"; return 1 ;;
    esac
    hash=$(python3 "$servers_support/datafile.py" sha256 "$3")
    grep -q -F "maps/subject.map sha256 is $hash" "$2" || { echo 'runs another map'; return 1; }
    grep -q -E 'loading data\.? index=' "$2" || { echo 'fetched no data'; return 1; }
    if servers_complaints "$2"; then return 1; fi
    return 0
}

servers_try() { # KIND MAP
    local program folder pid state status
    program=$(servers_program "$1") || { echo "no $1 server here"; return 2; }
    folder=$(mktemp -d)
    mkdir -p "$folder/maps" "$folder/home"
    cp "$2" "$folder/maps/subject.map"
    # shellcheck disable=SC2016 # the server's variables
    printf 'add_path $CURRENTDIR\nadd_path $DATADIR\n' >"$folder/storage.cfg"
    servers_config "$1" "$(servers_free_port)" >"$folder/test.cfg"
    : >"$folder/log"
    (cd "$folder" && HOME=$folder/home XDG_DATA_HOME=$folder/home exec "$program" -f test.cfg 'sv_map subject') \
        >"$folder/log" 2>&1 </dev/null &
    pid=$!
    state=$(servers_wait $pid "$folder/log")
    servers_stop $pid 2>/dev/null
    servers_judge "$state" "$folder/log" "$2"
    status=$?
    [ -z "${SERVERS_KEEP_LOG:-}" ] || cp "$folder/log" "$SERVERS_KEEP_LOG"
    rm -rf "$folder"
    return $status
}
