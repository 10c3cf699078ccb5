#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: wine writes sequences of its own to a terminal of Unix
# Texts of a map that would drive a terminal, or be read as something else, never come through as they are: C0, DEL, C1 as bytes
# and as UTF-8, marks that turn the direction of writing. Every command, in every text form.
# `cat` once passed a byte 9b of a setting on in mode salvage; now the rule is told and held: data are data in a pipe, and only there.
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

# harmless WHAT: the files out and err are UTF-8 and hold nothing of that.
harmless() {
    python3 - "$1" out err <<'PYTHON' || fail "$1"
import re, sys
for name in sys.argv[2:]:
    text = open(name, 'rb').read().decode()  # fails at what is no UTF-8
    bad = re.search('[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]', text)
    if bad:
        sys.exit('%s: %s in %s: %r' % (sys.argv[1], ascii(bad[0]), name, text[max(0, bad.start() - 40):bad.end() + 40]))
PYTHON
}
tries() { # ARGUMENT...
    local status=0
    teemap "$@" >out 2>err </dev/null || status=$?
    [ $status -le 2 ] || fail "teemap $*: status $status"
    [ -s out ] || [ -s err ] || fail "teemap $*: says nothing"
    harmless "teemap $*"
}

make_map --steering steering.map
head -c 700 steering.map >cut.map
evil=$(printf '\302\2332J\342\200\256\233x')
cp steering.map "$evil.map"
for map in steering.map cut.map "$evil.map" "$evil.missing"; do
    for mode in strict salvage; do
        tries info -v --mode $mode "$map"
        tries info --json --mode $mode "$map"
        tries ls -v --mode $mode "$map"
        tries check -v --mode $mode "$map"
    done
    tries ls --json "$map"
    tries ls --raw "$map"
    tries ls --addresses "$map"
    tries copy -v -t copies "$map"
    tries copy -v -g teeworlds06 -t copies "$map"
    tries thumbnail -v -t copies "$map"
    tries render -v "$map" -o copies/picture.png
    tries doctor "$map"
done
for address in info 0 1 2 0/0 0/1 1/0 2/0 envelope/0 envelope/1 "$evil" "$evil/$evil" "image/$evil"; do
    tries cat -m salvage steering.map "$address"
    tries cat -m salvage --json steering.map "$address"
done
tries cat --json steering.map settings
tries "$evil"
tries help "$evil"
tries info "--$evil"
tries info "--mode=$evil"
tries render --layers "$evil" steering.map -o copies/picture.png
tries cat --field "$evil" steering.map 1/0

# Settings are data in a pipe and in a file, and escaped on a terminal.
run 0 cat -m salvage steering.map settings
need_terminal
PYTHONPATH=$TEEMAP_SOURCE/tests/support python3 - <<'PYTHON' || fail "settings"
from terminal import on_terminal
piped = open('out', 'rb').read()
shown = on_terminal('cat', '-q', '-m', 'salvage', 'steering.map', 'settings')
assert all(evil in piped for evil in (b'\x9b31m', b'\xe2\x80\xae', b'\xc2\x9b')), 'the settings are not as in the map'
text = shown.decode().replace('\r\n', '\n')
assert all(c == '\n' or c.isprintable() for c in text) and '\\' in text and piped.count(b'\n') == text.count('\n'), shown
PYTHON
