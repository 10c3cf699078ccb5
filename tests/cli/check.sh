#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap check`: the exit status, which findings are told to whom, and that one bad file hinders no other.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 new fine.map
for mode in strict game salvage; do
    run 0 check -m $mode fine.map
    empty out
    empty err
done
run 0 check -v fine.map
is out 'fine.map: fine'
run 0 check rich.map
empty out
run 0 check -v rich.map
lines out 3
says out 'rich.map: group 0, layer 2: note: layer type 77 is unknown [unknown-layer]'
run 0 check --mode strict rich.map
says out 'rich.map: image 2' 'warning' '[image-format]'

# Damage: 1, and the finding on standard output.
for damage in no-game game-data head version; do
    datafile break $damage fine.map $damage.map || fail "break $damage"
done
run 2 check head.map
says out 'head.map: ' 'error: ' '[head-cut]'
run 2 check -q head.map # which said nothing
says err 'head.map: ' 'the file ends inside its head'
run 2 check version.map
says out '[bad-version]'
run 1 check game-data.map
says out '[data-broken]'
run 1 check no-game.map
says out '[no-game-layer]'
run 0 check -m salvage no-game.map
run 2 check -m strict no-game.map
run 1 check -q no-game.map
empty out
empty err
# What cannot be opened in this mode ends with 2, as with all other commands; it once ended with 1 here.
echo hello >text.map
: >void.map
head -c 4096 /dev/urandom >noise.map
for map in text.map void.map noise.map; do
    run 2 check $map
    says out "$map: " error
    empty err
done
run 2 check missing.map
empty out
says err 'teemap: missing.map: cannot open: No such file or directory'

# The same finding of several places is one line, unless somebody wants all; a broken map had 50 of them.
make_map rich.map
head -c -400 rich.map >cut.map
run 1 check cut.map
[ "$(grep -c 'data-broken' out)" = 1 ] || fail 'equal findings'
grep -q 'data [0-9]*: error: .* \[data-broken\] (and [0-9]* more: data [0-9]*; data [0-9]*; \.\.\.)$' out || fail 'equal findings'
run 1 check -v cut.map
[ "$(grep -c 'data-broken' out)" -gt 5 ] || fail 'check -v'

# Bytes after the end: the games do not mind, the newest loader does.
cat fine.map text.map >longer.map
run 0 check longer.map
says out '[trailing-bytes]'
run 2 check -m strict longer.map

# The worst file decides; every file is told of, in order.
run 2 check fine.map text.map no-game.map fine.map
[ "$(cut -d: -f1 out | uniq | tr '\n' ' ')" = 'text.map no-game.map ' ] || fail 'order'
run 2 check text.map missing.map
says out '[bad-magic]'
run 2 check -j 3 --json fine.map missing.map text.map no-game.map
lines out 4
[ "$(grep -o '"result":"[a-z]*"' out | cut -d'"' -f4 | tr '\n' ' ')" = 'fine unreadable refused errors ' ] || fail 'results'
teemap check --json - <fine.map >out || fail 'standard input'
json out "o['result'] == 'fine' and o['path'] == '-' and o['mode'] == 'game'"
run 2 check -r -j 4 .
cp out four
run 2 check -r -j 1 .
same out four

# Strict means strict: with these words alone DDNet 20.1 would refuse the file.
python3 - <<'PYTHON'
import struct
with open('fine.map', 'rb') as file:
    whole = bytearray(file.read())
struct.pack_into('<i', whole, 8, struct.unpack_from('<i', whole, 8)[0] + 4)
with open('size.map', 'wb') as file:
    file.write(whole)
PYTHON
run 2 check -m strict size.map
says out '[bad-size-field]'
run 0 check size.map

# Names by a pattern, where no shell has made them of it; a file that is called so comes first.
mkdir wild
for name in b a ab; do cp fine.map wild/$name.map; done
paths() { grep -o '"path":"[^"]*"' out | cut -d'"' -f4 | tr '\n' ' '; }
run 0 check --json 'wild/?.map'
[ "$(paths)" = 'wild/a.map wild/b.map ' ] || fail "wild/?.map is $(paths)"
cd wild || exit 1
run 0 check --json '*b*.map'
[ "$(paths)" = 'ab.map b.map ' ] || fail "*b*.map is $(paths)"
run 2 check 'c*.map'
says err 'c*.map: cannot open'
if on_posix; then
    cp b.map '?.map'
    run 0 check --json '?.map'
    [ "$(paths)" = '?.map ' ] || fail "?.map is $(paths)"
fi
