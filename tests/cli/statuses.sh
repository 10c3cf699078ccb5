#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The table of exit statuses over all commands and kinds of input (statuses.py).
#
# test-timeout: 600
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
export PYTHONDONTWRITEBYTECODE=1

make_map rich.map
run 0 new fine.map
run 1 diff fine.map rich.map -o to-rich.json
run 0 unpack fine.map folder
printf '[a]\nIndex 1\n' >good.rules
printf '[a]\nIndex 1\nnonsense\n' >bad.rules
printf 'hello, this is a text\n' >text.map
: >empty.map
head -c 200 rich.map >cut-head.map
head -c -200 rich.map >cut-data.map
run 0 edit fine.map -o front.map add group front + add layer 2 tiles + fill 2/0@2,2+9x9 1
# The last block, the tiles of the game layer, or of one that is drawn, does not unpack; an author's name of a gigabyte holds nothing;
# a layer of 16384 x 16384 tiles has two bytes, one of 2 x 2 three tiles; layers are in no entry of the type table (all ended with 0).
python3 - "$cli_tests" <<'PYTHON'
import struct, sys, zlib
sys.path.insert(0, sys.argv[1])
import hostile_maps as maps
for name, to in ('fine', 'block'), ('front', 'drawn'):
    with open(name + '.map', 'rb') as file:
        fine = bytearray(file.read())
    for i in range(len(fine) - 30, len(fine) - 4):
        fine[i] ^= 0x5a
    with open(to + '.map', 'wb') as file:
        file.write(fine)
out = maps.start(1)
maps.little_game(out)
out.add(1, [1, out.block((1 << 30, zlib.compress(b''))), -1, -1, -1, -1])
with open('short.map', 'wb') as file:
    file.write(out.bytes())
out = maps.start(2)
maps.little_game(out)
maps.tiles(out, out.block(b'xx'), 16384, 16384)
with open('claim.map', 'wb') as file:
    file.write(out.bytes())
out = maps.start(2)
maps.little_game(out)
maps.tiles(out, out.block(bytes(12)), 2, 2)
few = out.bytes()
with open('few.map', 'wb') as file:
    file.write(few)
at = few.index(struct.pack('<3i', 5, 2, 2)) # layers
with open('types.map', 'wb') as file:
    file.write(few[:at] + bytes(4 * [255]) + few[at + 4:])
PYTHON
rm out err
python3 "$cli_tests/statuses.py" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" || fail statuses.py
