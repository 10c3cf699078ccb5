#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: signals, full disks, pipes that somebody closed
# Pipes that close early, disks that are full, signals, terminals.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
# A map that takes some seconds to pack: 24 MB of noise.
python3 - "$cli_tests" <<'PYTHON'
import random, sys
sys.path.insert(0, sys.argv[1])
import make_map
out = make_map.Writer()
out.add(0, [1])
noise = random.Random(1).randbytes(24 << 20)
out.add(7, [1, 0, out.text('noise'), out.block(noise), len(noise)])
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))
make_map.tile_layer(out, 1, 'Game', bytes(4 * 12))
with open('big.map', 'wb') as file:
    file.write(out.bytes())
PYTHON

# A reader that goes away ends the work quietly, by SIGPIPE; it once ended with status 0.
mapfile -t many < <(yes rich.map | head -n 300)
{
    teemap info -v "${many[@]}" 2>err
    echo "status $?" >status
} | head -n 1 >/dev/null
empty err
is status 'status 141'
{
    teemap cat big.map data/1 2>err
    echo "status $?" >status
} | head -c 10 >/dev/null
empty err
is status 'status 141'

# A full disk is an error wherever it is met.
full() { # ARGUMENT...: with standard output on a full disk
    local status=0
    teemap "$@" >/dev/full 2>err || status=$?
    [ $status = 2 ] || fail "$*: status $status on a full disk"
    is err 'teemap: standard output: cannot write: No space left on device'
}
if [ -e /dev/full ]; then
    full --version
    full help
    full help --man info
    full info rich.map
    full info --json rich.map rich.map
    full ls rich.map
    full ls --raw rich.map
    full cat rich.map Game/Game
    full cat rich.map image/1
    full cat rich.map sound/0
    full cat big.map data/1
    full copy rich.map -
    full new -
    full info rich.map -q
    teemap check -v rich.map >/dev/full 2>err
    [ $? = 2 ] || fail 'check on a full disk'
    run 2 cat rich.map image/1 -o /dev/full
    is err 'teemap: /dev/full: cannot write: No space left on device'
fi
cp big.map target.map
(
    ulimit -f 4096
    teemap copy -z 1 big.map target.map 2>err
)
[ $? = 2 ] || fail 'a limit on the size of files'
is err 'teemap: target.map: cannot write: File too large'
same big.map target.map
no_litter
teemap info rich.map >&- 2>err
[ $? = 2 ] || fail 'closed standard output'
says err 'standard output: cannot write'
teemap info - <&- >out 2>err
[ $? = 2 ] || fail 'closed standard input'
says err 'standard input: cannot read'

# Signals: no litter, the old file stays, and the caller sees by what the program ended.
cp big.map target.map
for signal in INT TERM HUP; do
    for threads in 1 2; do
        # Job control gives the program the usual handling of SIGINT, although it runs in the background.
        set -m
        ${emulator[@]+"${emulator[@]}"} "$TEEMAP" copy -j $threads -z 12 big.map target.map 2>err &
        pid=$!
        set +m
        for _ in $(seq 1000); do
            [ -z "$(litter)" ] || break
            kill -0 $pid 2>/dev/null || fail "the copy ended before it could be interrupted: $(cat err)"
            sleep 0.01
        done
        kill -$signal $pid
        wait $pid 2>/dev/null
        status=$?
        [ $status -gt 128 ] || fail "SIG$signal: status $status"
        [ "$(kill -l $status)" = $signal ] || fail "SIG$signal: status $status"
        no_litter
        same big.map target.map
    done
done

# Terminals, by a pseudo terminal.
need_terminal
cat >on_terminal.py <<'PYTHON'
"""on_terminal.py WHICH COMMAND...: runs it with `out` or `err` on a terminal of 60 columns; prints what came there, ends as it did."""
import fcntl, os, pty, struct, subprocess, sys, termios
ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))
streams = {'out': {'stdout': theirs, 'stderr': 2}, 'err': {'stdout': 1, 'stderr': theirs}}[sys.argv[1]]
child = subprocess.Popen(sys.argv[2:], **streams)
os.close(theirs)
while True:
    try:
        some = os.read(ours, 65536)
    except OSError:
        some = b''
    if not some:
        break
    os.write(1 if sys.argv[1] == 'out' else 2, some)
sys.exit(child.wait())
PYTHON
terminal() { # STATUS WHICH ARGUMENT...
    local expected=$1 which=$2 status=0
    shift 2
    python3 on_terminal.py "$which" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" "$@" >out 2>err || status=$?
    [ $status = "$expected" ] || fail "$* on a terminal: status $status"
}
for address in image/1 sound/0 item/0 data/0; do
    terminal 2 out cat rich.map $address
    empty out
    says err 'this is binary and not printed to a terminal; use -o FILE, a pipe'
done
for arguments in 'copy rich.map -' 'new -'; do
    # shellcheck disable=SC2086
    terminal 2 out $arguments
    empty out
    says err 'not printed to a terminal'
done
terminal 0 out cat --json rich.map image/1
terminal 0 out cat rich.map image/1 -o picture.png
python3 - "$cli_tests" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
out = make_map.Writer()
out.add(0, [1])
out.add(1, [1, -1, -1, -1, -1, out.block(b'echo \x1b[2J\0')])
make_map.tile_layer(out, 1, 'Game', bytes(4 * 12))
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))
with open('escape.map', 'wb') as file:
    file.write(out.bytes())
PYTHON
terminal 0 out cat escape.map settings
says out 'echo \x1b[2J'
run 0 cat escape.map settings
printf 'echo \033[2J\n' | cmp - out || fail 'settings in a pipe'

# Colors: on a terminal that has them, unless NO_COLOR is set; nowhere else.
python3 - "$cli_tests" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
out = make_map.Writer()
out.add(0, [1])
with open('no-game.map', 'wb') as file:
    file.write(out.bytes() + b'more')
PYTHON
export TERM=xterm
red=$(printf '\033[31merror\033[0m')
yellow=$(printf '\033[33mwarning\033[0m')
terminal 1 out check no-game.map
says out "$red: " "$yellow: "
terminal 1 err ls no-game.map -v
says err "$yellow: "
terminal 1 err ls no-game.map -q
empty err
NO_COLOR=1 terminal 1 out check no-game.map
says_not out "$(printf '\033')"
TERM=dumb terminal 1 out check no-game.map
says_not out "$(printf '\033')"
run 1 check no-game.map
says_not out "$(printf '\033')"

# A list fits the terminal; what does not stands below, and nothing is lost. In a pipe lines stay whole.
teemap ls rich.map >whole
terminal 0 out ls rich.map
! grep -q '.\{62\}' out || fail "ls is wider than the terminal: $(cat out)"
is <(tr -d '\r\n ' <out; echo) "$(tr -d '\n ' <whole)"

# Progress: on a terminal, after a second, in one line that is gone at the end; nowhere else and not with -q.
slowly() { # MAP: gives it away only after that second
    sleep 1.3
    cat "$1"
}
shown() { # PATTERN
    grep -q "$(printf '\r')$1" err || fail "no progress: $(cat -v err)"
    [ "$(tail -c 4 err)" = "$(printf '\r\033[K')" ] || fail 'progress stays'
    ! tr '\r' '\n' <err | sed 's/\x1b\[K//' | grep -q '.\{60\}' || fail 'progress wraps'
}
export TERM=xterm
slowly big.map | terminal 0 err copy -z 1 - packed.map
shown 'copy: 24 MiB of 24 MiB  standard input'
mkfifo a-pipe-with-a-name-that-is-longer-than-a-terminal-is-wide.map
slowly rich.map >a-pipe*.map &
terminal 0 err check -j1 rich.map a-pipe*.map
shown 'check: 1/2 maps, 1 in progress ([0-9]* %)  a-pipe-with'
slowly big.map >a-pipe*.map &
terminal 0 err copy -z 1 a-pipe*.map packed.map
shown 'copy: 24 MiB of 24 MiB  a-pipe-with-a-name'
# Of several files only their number was shown, which stood still for minutes where each takes long.
slowly big.map >a-pipe*.map &
terminal 0 err copy -j1 -z 1 rich.map a-pipe*.map -t packed
shown 'copy: 1/2 maps, 1 in progress ([0-9]* %)  a-pipe-with'
rm -r packed
slowly big.map | terminal 0 err copy -q -z 1 - packed.map
empty err
export TERM=dumb
slowly big.map | terminal 0 err copy -z 1 - packed.map
empty err
export TERM=xterm
terminal 0 err info rich.map
empty err
slowly rich.map | teemap copy - packed.map 2>err || fail 'slowly'
empty err
