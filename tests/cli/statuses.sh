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
# The last block, the tiles of the game layer, does not unpack.
python3 - <<'PYTHON'
with open('fine.map', 'rb') as file:
    fine = bytearray(file.read())
for i in range(len(fine) - 30, len(fine) - 4):
    fine[i] ^= 0x5a
with open('block.map', 'wb') as file:
    file.write(fine)
PYTHON
rm out err
python3 "$cli_tests/statuses.py" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" || fail statuses.py
