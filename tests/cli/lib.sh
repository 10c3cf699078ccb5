# shellcheck shell=bash
# SPDX-License-Identifier: Zlib
# What the tests of the command line share. Source it; it changes into an empty folder that is removed at the end.
# A test is a sequence of checks; the first that fails names itself and ends the test.
set -u
export LC_ALL=C
cli_tests=$TEEMAP_SOURCE/tests/cli
# An emulator in front of the program, when it was built for another machine.
read -r -a emulator <<<"${TEEMAP_EMULATOR:-}"
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

# The programs of Windows end so; what is about permissions, links, signals or pipes with names is not tried of them.
exe=''
case $TEEMAP in *.exe) exe=.exe ;; esac
on_posix() { [ -z "$exe" ]; }

# built PROGRAM ARGUMENT...: another program of the build tree
built() { ${emulator[@]+"${emulator[@]}"} "$TEEMAP_BINARY/$1$exe" "${@:2}"; }
teemap() { ${emulator[@]+"${emulator[@]}"} "$TEEMAP" "$@"; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
# A command that is not there, such as a check of another test, fails: bash alone would go on. It is called in a process of its own.
trap 'exit 1' TERM
command_not_found_handle() {
    printf 'FAILED: there is no command %s\n' "$1" >&3
    kill -s TERM $$
}
exec 3>&1
skip() { printf 'skipped: %s\n' "$*"; exit 77; }

# run STATUS ARGUMENT...: runs teemap with these arguments into the files out and err, and expects the status.
run() {
    local expected=$1 status=0
    shift
    teemap "$@" >out 2>err </dev/null || status=$?
    if grep -qE 'Sanitizer|runtime error' err; then cat err; fail "teemap $*: sanitizer"; fi
    [ "$status" = "$expected" ] || { head -n 20 out err; fail "teemap $*: status $status, not $expected"; }
}

# held SECONDS MEGABYTES STATUS ARGUMENT...: runs teemap as `run` does, within a cost that SECURITY.md promises: seconds of the processor, of which
# a build with asserts takes three times as many, and memory. Under sanitizers and emulators only the status counts.
held() {
    python3 - "$1" "$2" "$3" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" "${@:4}" <<'PYTHON' || fail "teemap ${*:4}"
import os, subprocess, sys
seconds, megabytes, status = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
with open('out', 'wb') as out, open('err', 'wb') as err:
    child = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    _, ended, used = os.wait4(child.pid, 0)
cost = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.path.getsize('out') / 1e6
print('%6.2f s %7.1f MB, %.1f MB of output: %s' % (*cost, ' '.join(sys.argv[5:])), flush=True)
text = open('err', 'rb').read()
slower = os.environ.get('TEEMAP_SANITIZE') or os.environ.get('TEEMAP_EMULATOR')
assert b'Sanitizer' not in text and b'runtime error' not in text, text[:3000]
assert os.waitstatus_to_exitcode(ended) == status, text[:3000]
assert slower or (cost[0] <= 3 * seconds and cost[1] <= megabytes), 'at most %g s, %g MB' % (3 * seconds, megabytes)
PYTHON
}

# says FILE TEXT...: each text stands in the file.
says() {
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -e "$text" "$file" || { head -n 30 "$file"; fail "'$text' is not in $file"; }
    done
}
says_not() {
    local file=$1 text
    shift
    for text in "$@"; do
        ! grep -qF -e "$text" "$file" || { head -n 30 "$file"; fail "'$text' is in $file"; }
    done
}
# is FILE TEXT: the file holds exactly this, and a newline.
is() { printf '%s\n' "$2" | cmp -s - "$1" || { diff <(printf '%s\n' "$2") "$1"; fail "$1 is another text"; }; }
empty() { [ ! -s "$1" ] || { head -n 20 "$1"; fail "$1 is not empty"; }; }
lines() { [ "$(wc -l <"$1")" = "$2" ] || { head -n 20 "$1"; fail "$1 has $(wc -l <"$1") lines, not $2"; }; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
litter() { find . -name '.teemap-*'; }
no_litter() { [ -z "$(litter)" ] || fail "a temporary file was left: $(litter)"; }

make_map() { python3 "$cli_tests/make_map.py" "$@" || fail "make_map.py $*"; }
datafile() { python3 "$TEEMAP_SOURCE/tests/support/datafile.py" "$@"; }

# json FILE EXPRESSION: a Python expression over `o`, the object in the file, is true.
json() {
    python3 - "$1" "$2" <<'PYTHON' || fail "$2"
import json, sys
with open(sys.argv[1]) as file:
    o = json.load(file)
if not eval('(' + sys.argv[2] + ')'):
    print(json.dumps(o, indent=1)[:3000])
    sys.exit(1)
PYTHON
}

# png FILE WxH: the PNG has this size. png FILE X Y RRGGBBAA: this pixel has this color.
png() { python3 "$TEEMAP_SOURCE/tests/support/pngfile.py" "$@" || fail "png $*"; }

corpus() { [ -d "$TEEMAP_SHARED/corpus" ]; }

# A container without /dev/pts has no pseudo terminals to give: what needs one stands at the end of a test, behind this.
need_terminal() {
    on_posix || skip 'wine writes sequences of its own to a terminal; everything before it passed'
    python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no pseudo terminals here; everything before them passed'
}

# walk_page PAGE: each line of a page of docs/ that begins with $ is run, in order, and must print what stands below it.
# $walked becomes the number of these commands.
walk_check() {
    [ -n "$walk_command" ] || return 0
    eval "$walk_command" >printed 2>&1 </dev/null
    printf '%s' "$walk_expected" | cmp -s - printed ||
        { diff <(printf '%s' "$walk_expected") printed; fail "$1: $walk_command"; }
    walked=$((walked + 1))
}
walk_page() {
    local line walk_command='' walk_expected=''
    walked=0
    while IFS= read -r line; do
        case $line in
        '    $ '*)
            walk_check "$1"
            walk_command=${line#    \$ } walk_expected=''
            ;;
        '    '*) [ -z "$walk_command" ] || walk_expected+=${line#    }$'\n' ;;
        *)
            walk_check "$1"
            walk_command=''
            ;;
        esac
    done <"$TEEMAP_SOURCE/$1"
    walk_check "$1"
}
