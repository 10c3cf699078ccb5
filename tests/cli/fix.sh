#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap fix`: repairs, what is left, rescue of cut files with numbers, nothing touched that is fine.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 fix --list
says out bad-color visible 'trailing-bytes' safe

# Bytes behind the end: DDNet refuses the file, and afterwards takes it.
{ cat rich.map; printf 'more'; } >long.map
run 2 check -m strict long.map
run 0 fix long.map -o fixed.map
says err '2 repaired, 0 left'
run 0 check -m strict fixed.map
run 0 fix -n long.map
says out 'layout of the file is rewritten' '(trailing-bytes)'
run 0 fix --json -n long.map
says out '"operation":"trailing-bytes"' '"written":false'

# What is fine stays as it is, to the byte, and with -i is not written.
cp fixed.map fine.map
touch -d '2001-01-01' fine.map
run 0 fix -i fine.map
empty err
[ fine.map -ot rich.map ] || fail 'a map in which nothing is wrong was written'
run 0 fix fine.map -o same.map
cmp fine.map same.map || fail 'a map in which nothing is wrong came out different'

# A cut file: what is left is written, what is lost is told, and the status is never 0.
size=$(stat -c %s rich.map)
head -c $((size - 200)) rich.map >cut.map
run 1 fix cut.map -o rescued.map
says err rescued
run 1 fix --json cut.map -o rescued2.map
says out '"rescue":{' '"written":true'
cp cut.map before.map
run 1 fix -i cut.map # it was replaced by what is left of it
says err 'cut.map: stays as it is'
cmp cut.map before.map || fail 'a file was replaced though something of it is lost'
teemap check -m strict --json rescued.map >judged || true
! grep -q '"data-cut"\|"data-broken"' judged || fail 'the rescued map is still damaged'

# The same for a block that holds less than it announces: optimize -i and fix -i did not ask for it, and lint --fix not for most.
python3 - rich.map short.map <<'EOF'
import struct, sys
file = bytearray(open(sys.argv[1], 'rb').read())
types, items, data, item_bytes = struct.unpack_from('<4i', file, 16)
sizes = 36 + 12 * types + 4 * (items + data)
last = sizes + 4 * (data - 1)
struct.pack_into('<i', file, last, struct.unpack_from('<i', file, last)[0] + 3)
open(sys.argv[2], 'wb').write(file)
EOF
cp short.map before.map
teemap check short.map >judged || true
grep -q 'data-short' judged || fail 'no block is short'
for command in 'optimize -i' 'fix -i' 'lint --fix -i'; do
    run 1 $command short.map
    says err 'short.map: '
    cmp short.map before.map || fail "$command wrote over a file with a short block"
done

# A size that a file only claims is not filled with air: this took 2 GB and failed.
python3 "$cli_tests/hostile_maps.py" . claims || fail 'hostile_maps.py'
held 5 100 1 fix claims.map -o filled.map
says err ' left'
rm claims.map filled.map

# What is no map is not written.
printf 'hello' >no.map
run 2 fix no.map -o none.map
[ ! -e none.map ] || fail 'something was made of what is no map'
run 2 fix -m strict rich.map -o none.map
says err 'mode strict'
run 2 fix rich.map
says err 'no output: give'
no_litter

# What is written from maps that are cut passes the strictest game, or it is said what stands against it: blocks that were lost stayed
# in the file under another number, and how it is laid out hid what is wrong with its data.
run 0 new --size 60x40 many.map
run 0 edit -i many.map add layer Game tele + add layer Game switch + add layer Game speedup + fill tele tele-in:5 + add layer Game tiles + add layer Game quads
for map in many.map rich.map "$TEEMAP_SOURCE"/tests/golden/maps/quads.map "${TEEMAP_SHARED:-none}"/corpus/*/{infc_half_provence-278010,mega_std_collection-4310d2}.map; do
    [ -f "$map" ] || continue # the two of the corpus are such maps
    size=$(wc -c <"$map")
    for part in 6 10 13 16 19; do
        head -c $((size * part / 20)) "$map" >cut.map
        teemap fix cut.map -o out.map >out 2>err </dev/null || [ $? = 1 ] || continue
        teemap check -m strict out.map >refused 2>&1 || [ $? != 2 ] ||
            grep -q 'DDNet 20.1 refuses the result' err || fail "$map, $part of 20: $(head -1 refused)"
        teemap check -m game out.map >broken 2>&1 || true
        grep -q 'data-broken' broken && ! grep -q 'data-broken' err && fail "$map, $part of 20: $(grep data-broken broken | head -1)"
        rm -f out.map
    done
done

# Layers that would grow to a size which the game layer only claims made fix fail, where copy -m salvage kept the rest.
python3 - many.map <<'EOF'
import struct, sys
file = open(sys.argv[1], 'rb').read()
size = file.index(struct.pack('<2i', 60, 40))
open('wide.map', 'wb').write(file[:size] + struct.pack('<2i', 6684722, 50) + file[size + 8:])
EOF
held 10 200 1 fix wide.map -o out.map
says err ' left' '[object-lost]'
run 1 ls out.map
says out Tele Switch
rm wide.map out.map

# Of a block that layers share, each keeps a little: it was unpacked for each of them, which is too much here, and took 10 s with 512 MiB.
python3 - "$cli_tests" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import hostile_maps
out = hostile_maps.start(9)
hostile_maps.little_game(out)
data = out.block(b'\7\2' * (50 * 30) + b'\1\1' * (2000 * 2000 - 50 * 30))
for _ in range(8):
    hostile_maps.tiles(out, -1, 2000, 2000, flags=2, slots=(data, -1, -1, -1, -1))
open('shared.map', 'wb').write(out.bytes())
EOF
run 1 fix --memory 1M shared.map -o out.map
says err '15 repaired, 1 left'
says_not err not-repaired
for layer in 1 8; do
    run 0 cat out.map 0/$layer
    [ "$(wc -l <out)" -ge 50 ] || fail 'rows of a tele layer'
done
rm shared.map out.map

# A header that contradicts the bytes, and tables with a row too few or too many: the map is whole again, and the strictest game opens it.
python3 - rich.map many.map <<'EOF'
import struct, sys
for path in sys.argv[1:]:
    file = open(path, 'rb').read()
    types, items, data, item_bytes = struct.unpack_from('<4i', file, 16)
    for at in range(8, 36, 4):
        for change in (-12, -4, -2, -1, 1, 2, 4, 12) if at < 16 or at > 24 else (-2, -1, 1, 2):
            wrong = bytearray(file)
            struct.pack_into('<i', wrong, at, struct.unpack_from('<i', file, at)[0] + change)
            open('header-%d%+d-%s' % (at, change, path), 'wb').write(wrong)
    at = 36
    for table, (rows, size) in enumerate([(types, 12), (items, 4), (data, 4), (data, 4)]):
        for row in (0, rows // 2, rows - 1):
            place = at + row * size
            open('header-cut-%d-%d-%s' % (table, row, path), 'wb').write(file[:place] + file[place + size:])
            open('header-twice-%d-%d-%s' % (table, row, path), 'wb').write(file[:place + size] + file[place:])
        at += rows * size
EOF
for map in rich.map many.map; do
    run 0 fix $map -o sound-$map # an image of three channels is repaired
done
for map in header-*; do
    teemap fix "$map" -o out.map >out 2>err </dev/null || [ $? = 1 ] || { cat err; fail "$map"; }
    says err ' repaired, 0 left'
    run 0 check -m strict out.map
    run 0 diff "sound-${map##*-}" out.map
    rm "$map" out.map
done

# The same of damaged tables: items that only ride along kept the ids of others, blocks without bytes stayed so, and what was found in
# two modes counted twice. With no game layer, no game can be given one.
python3 - rich.map many.map <<'EOF'
import struct, sys
for path in sys.argv[1:]:
    file = open(path, 'rb').read()
    types, items, data, item_bytes = struct.unpack_from('<4i', file, 16)
    tables = 36 + 12 * types
    words = {'count': 20, 'bytes': 28, 'item': tables + 4 * (items // 2), 'data': tables + 4 * (items + data // 2), 'size': tables + 4 * (items + 2 * data) - 8,
             'head': tables + 4 * (items + 2 * data), 'body': tables + 4 * (items + 2 * data) + 4 * (item_bytes // 8)}
    for name, at in words.items():
        for number in (0, 8, 0x5050):
            broken = bytearray(file)
            struct.pack_into('<i', broken, at, number)
            open('damaged-%s-%d-%s' % (name, number, path), 'wb').write(broken)
EOF
written=0
for map in damaged-*; do
    teemap fix "$map" -o out.map >out 2>err </dev/null && fixed=0 || fixed=$?
    [ $fixed != 2 ] || continue
    written=$((written + 1))
    teemap check -m strict out.map >refused 2>&1 && status=0 || status=$?
    if grep -q 'DDNet 20.1 refuses the result' err; then
        [ $fixed$status = 12 ] || fail "$map: fix says that DDNet refuses it, check ends with $status"
        grep -q '\[no-game-layer\]' err || fail "$map: $(head -1 refused)"
    elif [ $status -gt $fixed ]; then
        fail "$map: $(head -1 refused)"
    fi
    ! grep -q '\[\(duplicate-item-id\|data-overlap\|empty-data\)\]' refused || fail "$map: $(head -1 refused)"
    rm out.map
done
[ $written -gt 20 ] || fail "only $written of the damaged maps were written"
