#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: the folders of the games on Unix; those of Windows are in test_windows.c and test_mapres.c
# `teemap doctor`: folders in the order in which `render` searches them, what is missing, for one map and for many.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
export HOME=$work/home XDG_DATA_HOME=$work/data
unset APPDATA TEEMAP_MAPRES

run 0 doctor
empty err
says out "$(teemap --version)" libpng zlib 'thread'
says_not out "$work"
run 0 doctor -v
says out "$work/data/ddnet/mapres" "$work/home/.teeworlds/mapres"
run 0 doctor -j 3 --json
json out "o['threads'] == 3 and {l['name'] for l in o['libraries']} - {'libdeflate', 'libwebp', 'giflib', 'zopfli'} == {'libpng', 'zlib'}"
json out "all(l['version'] for l in o['libraries'])"
json out "all((f['order'] is not None) == f['found'] == (f['order07'] is not None) for f in o['folders'])"
json out "all(bool(g['advice']) != g['found'] for g in o['games'])"
! grep -q '"environment"\|"option"\|"map"' out || fail 'folders that nobody named'

# Both games in the user's folders: each comes first for its own maps.
mkdir -p data/ddnet/mapres home/.teeworlds/mapres mine last
teemap new -s 8x6 sky.map
teemap render sky.map --scale 8 -o picture.png
cp picture.png data/ddnet/mapres/one.png
cp picture.png data/ddnet/mapres/two.png
cp picture.png home/.teeworlds/mapres/one.png
touch data/ddnet/mapres/note.txt
TEEMAP_MAPRES=$work/last run 0 doctor --json --mapres mine --mapres nowhere
cat >check.py <<'PYTHON'
import json, sys
o, work = json.load(open('out')), sys.argv[1]
folders = {f['folder']: f for f in o['folders']}
mine, gone, last = folders['mine'], folders['nowhere'], folders[work + '/last']
ddnet, teeworlds = folders[work + '/data/ddnet/mapres'], folders[work + '/home/.teeworlds/mapres']
assert [f['source'] for f in (mine, gone, ddnet, teeworlds, last)] == ['option', 'option', 'ddnet', 'teeworlds07', 'environment']
assert mine['order'] == mine['order07'] == 1 and not gone['found'] and gone['order'] is None
assert ddnet['order'] < teeworlds['order'] < last['order'] and teeworlds['order07'] < ddnet['order07'] < last['order07']
for key in 'order', 'order07':
    places = sorted(f[key] for f in o['folders'] if f['found'])
    assert places == list(range(1, len(places) + 1)), places
assert (mine['images'], ddnet['images'], teeworlds['images']) == (0, 2, 1)
assert all(g['found'] and not g['advice'] for g in o['games'])
PYTHON
python3 check.py "$work" || fail 'folders'
run 0 doctor
says out "$work/data/ddnet/mapres" 'DDNet: found' 'Teeworlds: found'

# The sheet of entities lies beside the game's mapres; each kind of map has its own.
mkdir -p data/ddnet/editor/entities_clear
cp picture.png data/ddnet/editor/entities_clear/ddnet.png
run 0 doctor --json
json out "o['entities'] == '$work/data/ddnet/editor/entities_clear/ddnet.png'"
run 0 doctor
says out 'Entities: drawn with ' "$work/data/ddnet/editor/entities_clear/ddnet.png"
cp picture.png data/ddnet/editor/entities_clear/vanilla.png
teemap new -g teeworlds06 old.map
run 0 doctor old.map
says out "$work/data/ddnet/editor/entities_clear/vanilla.png"
# It is what render takes, unless told otherwise.
run 0 render sky.map --entities --scale 16 -o entities.png
run 0 render sky.map --entities --scale 16 --sheet picture.png -o mine.png
same entities.png mine.png
run 0 render sky.map --entities --scale 16 --sheet own -o own.png
! cmp -s entities.png own.png || fail "the game's sheet was not taken"
rm -r data/ddnet/editor

# Rules of automappers lie beside the images, too.
mkdir -p data/ddnet/editor/automap
printf '[Basic]\n' >data/ddnet/editor/automap/walls.rules
run 0 edit sky.map -o dressed.map add image walls + add group Design + add layer Design tiles 9x9 + \
    set Design/0.image=image/walls Design/0.automapper.present=true Design/0.automapper.config=0
teemap doctor --json dressed.map >out
json out "o['map']['rules'] == [{'image': 'walls', 'file': '$work/data/ddnet/editor/automap/walls.rules'}]"
json out "[f['rules'] for f in o['folders'] if f['folder'].startswith('$work/data/ddnet')] == [1]"
teemap doctor dressed.map >out
says out 'rules of its automappers:' "walls  $work/data/ddnet/editor/automap/walls.rules"
rm -r data/ddnet/editor
teemap doctor dressed.map >out
says out 'walls  not found'

# The images of a map, and the same ones that render takes.
make_map rich.map
teemap doctor --json rich.map --mapres mine >out # found only where a game is installed
json out "o['map']['path'] == 'rich.map' and [i['name'] for i in o['map']['images']] == ['grass_main']"
cp picture.png mine/grass_main.png
run 0 doctor --json rich.map --mapres mine
everywhere="'shipped_by': ['ddnet', 'teeworlds06', 'teeworlds07'], 'shipped_until': None, 'renamed': None"
json out "o['map']['images'] == [{'name': 'grass_main', 'file': 'mine/grass_main.png', $everywhere}]"
run 0 doctor rich.map --mapres mine
says out 'grass_main  mine/grass_main.png'
printf 'no picture' >mine/grass_main.png
cp picture.png grass_main.png
run 0 doctor --json rich.map --mapres mine
json out "o['map']['images'] == [{'name': 'grass_main', 'file': './grass_main.png', $everywhere}]"
run 0 doctor sky.map
says out 'none'

# Of an image that is not found: which game ships it.
for image in ddnet-tiles jungle_night Nobodys; do
    sed "s/grass_main/$image/" "$cli_tests/make_map.py" >make_renamed.py
    python3 make_renamed.py $image.map
    run 1 doctor $image.map
    cat out >>missing
done
says missing 'ddnet-tiles  not found; last shipped by DDNet 7.8.2, where ddnet_tiles took its place' \
    'jungle_night  not found; last shipped by Teeworlds 0.5' 'Nobodys  not found; no game ships it'
run 1 doctor --json ddnet-tiles.map
json out "o['map']['images'] == [{'name': 'ddnet-tiles', 'file': None, 'shipped_by': [], 'shipped_until': 'DDNet 7.8.2', 'renamed': 'ddnet_tiles'}]"
sed 's/grass_main/ddnet_grass/' "$cli_tests/make_map.py" >make_renamed.py
python3 make_renamed.py grass.map
teemap doctor grass.map >out # DDNet 16.4, which Debian has, has it not
says out 'ddnet_grass'
grep -q 'mapres/ddnet_grass.png\|shipped by ddnet$' out || fail 'who ships ddnet_grass'

# A 0.7 map takes NAME_0.7.png before NAME.png.
teemap copy -q -g teeworlds07 rich.map new.map
cp picture.png grass_main_0.7.png
run 0 doctor --json new.map
json out "o['map']['game'] == 'teeworlds07' and o['map']['images'][0]['file'] == './grass_main_0.7.png'"
run 0 doctor --json rich.map
json out "o['map']['images'][0]['file'] == './grass_main.png'"

# Nothing is installed: how to change that. What the machine itself has is hidden.
TEEMAP_ROOT=$work/empty HOME=$work/empty XDG_DATA_HOME=$work/empty run 0 doctor
says out 'DDNet: not found' 'install'

run 2 doctor missing.map
empty out
lines err 1
# Many maps: one list of what is missing; the status says whether there is anything.
mkdir -p all/below
cp sky.map ddnet-tiles.map Nobodys.map all/below
cp Nobodys.map all/again.map
run 1 doctor -r all
says out '3 of 4 maps lack images; 2 images are not found:' '2  Nobodys' 'no game ships it' 'last shipped by DDNet 7.8.2'
run 1 doctor sky.map Nobodys.map --json
json out "o == {'maps': 2, 'unreadable': 0, 'lacking': 1, 'missing': [{'name': 'Nobodys', 'maps': 1, 'first': 'Nobodys.map'}]}"
mkdir many && for ((i = 1000; i < 1400; i++)); do cp Nobodys.map "many/$i.map"; done
run 1 doctor -r many --json
json out "o['missing'][0]['first'] == 'many/1000.map'" # by the order of the maps, not of their addresses
cp picture.png mine/Nobodys.png
cp picture.png mine/ddnet-tiles.png
run 0 doctor -r all --mapres mine
says out '0 of 4 maps lack images; 0 images are not found'
run 2 doctor sky.map missing.map
says out '0 of 1 map lacks images; 0 images are not found; 1 file could not be read' # was: 0 of 2 maps
run 2 doctor --json Nobodys.map missing.map picture.png -q --mapres empty
json out "(o['maps'], o['unreadable'], o['lacking']) == (1, 2, 1)"
