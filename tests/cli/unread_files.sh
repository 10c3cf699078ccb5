#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: preloads a library that makes calls fail
# test-timeout: 600
# A file that cannot be looked at is not taken for missing: see unread_files.py. `TEEMAP_FAULT_STEP=1` fails each call, else each third.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
[ "$(uname -s)" = Linux ] && [ -z "${TEEMAP_EMULATOR:-}" ] || skip 'needs a program of this Linux'
"${CC:-cc}" -shared -fPIC -O1 "$TEEMAP_SOURCE/tests/cli/fail_calls.c" -o fail_calls.so -ldl 2>err || skip "the library cannot be compiled: $(head -n 1 err)"
LD_PRELOAD=$work/fail_calls.so teemap --version >/dev/null 2>&1 || skip 'another library must come first in this build'

# Two games with other pictures of one name, rules and sheets; and beside the map a configuration.
ddnet=in/root/usr/share/games/ddnet/data teeworlds=in/root/usr/share/games/teeworlds/data
mkdir -p in/maps in/mine $ddnet/mapres $ddnet/editor/{automap,entities_clear} $teeworlds/mapres in/home/ddnet/mapres
teemap new -s 16x16 sky.map
run 0 render sky.map --whole --scale 16 -o one.png
run 0 render sky.map --whole --scale 16 --background 00ff00 --layers game -o two.png
cp one.png $ddnet/mapres/grass_main.png
cp two.png $teeworlds/mapres/grass_main.png
cp two.png $ddnet/editor/entities_clear/ddnet.png
cp one.png $ddnet/editor/speed_arrow.png
printf '[Basic]\nIndex 2\nPos 0 -1 EMPTY\n' >$ddnet/editor/automap/grass_main.rules
run 0 edit sky.map -o in/maps/house.map add image grass_main + add group Design + add layer Design tiles 9x9 + \
    set Design/0.image=image/0 Design/0.automapper.present=true Design/0.automapper.config=0 + fill Design/0@2,2+3x3 1
printf '[lint.severity]\n"empty-*" = "error"\n' >in/maps/.teemap.toml
run 0 unpack in/maps/house.map in/folder
python3 "$cli_tests/unread_files.py" "$TEEMAP" "$work/fail_calls.so" "$work" "${TEEMAP_FAULT_STEP:-3}"
