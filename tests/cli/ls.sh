#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap ls`: each object once, by addresses that lead back to it, by number and by name; and the container below.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 ls rich.map
cp out all
addresses=$(cut -d' ' -f1 all | tr '\n' ' ')
[ "$addresses" = 'info settings image/0 image/1 image/2 sound/0 envelope/0 envelope/1 envelope/2 0 0/0 0/1 0/2 1 1/0 1/1 1/2 1/3 1/4 1/5 2 2/0 2/1 ' ] ||
    fail "addresses: $addresses"
! grep -n ' $' all || fail "spaces at the end of a line"
squeeze() { tr -s ' ' <"$1" | sed 's/ $//'; }
for address in $addresses; do
    run 0 ls rich.map "$address"
    squeeze out | head -n 1 | cmp -s - <(squeeze all | grep "^$address ") || fail "ls $address gave '$(head -n 1 out)'"
done

# Names in place of numbers; a kind alone lists all of it.
by_name() { # ADDRESS NAME
    run 0 ls rich.map "$1"
    cp out number
    run 0 ls rich.map "$2"
    same number out
}
by_name 1 Game
by_name 1/4 Game/Switch
by_name 1/4 1/Switch
by_name 0 =Back
by_name image/1 image/pic
by_name sound/0 sound/beep
by_name envelope/2 envelope/vol
run 0 ls rich.map image
lines out 3
run 0 ls rich.map envelope
lines out 3
run 0 ls rich.map Game
lines out 7
for wrong in 3 Nothing 1/6 Game/Nothing image/3 image/nothing item/99 data/99 envelope/-1; do
    run 2 ls rich.map "$wrong"
    empty out
    lines err 1
    says err 'teemap: rich.map: '
done

# The container.
run 0 ls --raw rich.map
cp out raw
[ "$(grep -c '^item/' raw) $(grep -c '^data/' raw)" = '30 26' ] || fail "not all items and data"
says raw 'datafile DATA version 4' 'mapitemtype-automapper-config@ddnet.tw 3e1b2716-178c-3978-9bd9-b11ae0410dd8' \
    'unknown 00112233-4455-6677-8899-aabbccddeeff' 'uuid-index'
run 0 ls --raw rich.map item/3
lines out 2
run 0 ls --raw rich.map data
lines out 27
run 2 ls --raw rich.map Game
says err 'only items and data'
run 0 ls --raw --json rich.map
json out "all(open('rich.map', 'rb').read()[i['offset']:][:8] == __import__('struct').pack('<Ii', i['type'] << 16 | i['id'], i['size'])
    for i in o['items']) and all(len(__import__('zlib').decompress(open('rich.map', 'rb').read()[d['offset']:][:d['packed_size']]))
    == d['size'] for d in o['data'])"

# A datafile that is no map; a file that is none; a head without its data.
python3 - <<'PYTHON'
import struct, zlib
block = zlib.compress(b'hello')
rest = struct.pack('<3i', 40, 0, 1) + struct.pack('<i', 0) + struct.pack('<2i', 0, 5) + struct.pack('<Iii', 40 << 16, 4, 77)
with open('other.dat', 'wb') as file:
    size = 36 + len(rest) + len(block)
    file.write(struct.pack('<4s8i', b'DATA', 4, size - 16, size - 16 - len(block), 1, 1, 1, 12, len(block)) + rest + block)
PYTHON
run 0 ls --raw other.dat
says out 'item/0' 'data/0'
echo 'no datafile at all, but long enough for a header' >text.map
run 2 ls --raw text.map
empty out
run 2 ls text.map
says err 'teemap: text.map: '
head -c 1200 rich.map >cut.map
run 2 ls --raw cut.map
run 1 ls --raw -q -m salvage cut.map
says out 'item/0'
run 2 ls .
says err 'teemap: .: cannot read: Is a directory'
run 2 ls missing.map
teemap ls - <rich.map >piped || fail 'standard input'
same piped all

# Several maps: the second one once was an address that no map has.
cp rich.map second.map
run 0 ls --json rich.map second.map
lines out 2
[ "$(grep -o '"path":"[a-z]*.map"' out | tr '\n' ' ')" = '"path":"rich.map" "path":"second.map" ' ] || fail 'ls --json of two maps'
run 0 ls rich.map second.map rich.map
says out 'rich.map:' 'second.map:'
run 2 ls rich.map Game second.map
says err 'Game: cannot open'
