#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap find: places, counts, paths, JSON, pictures, numbers; and the exit status, which is that of grep.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map # game: air solid death unhookable / 192 193 air 255 / solid x 4
run 0 new -s 40x20 small.map

run 0 find solid rich.map
is out 'rich.map: 1/0@1,0+1x1: 1 tile, solid
rich.map: 1/0@0,2+4x1: 4 tiles, solid'
empty err
run 0 find 1,2 rich.map
says out '1/0@1,0+2x1: 2 tiles, solid and others'
run 0 find tele-in:5 rich.map
is out 'rich.map: 1/1@0,0+4x3: 12 tiles, tele-in:5'
run 0 find -e solid -e death -c rich.map small.map
says out 'rich.map: 5 solid' 'rich.map: 1 death' 'small.map: 0 death'
run 0 find -c solid rich.map
is out 'rich.map: 5'
run 0 find -l death rich.map small.map
is out rich.map
run 0 find -q death rich.map
empty out
# Where a place is printed, edit takes it.
run 0 edit rich.map -o edited.map replace solid with unhookable 1/0@0,2+4x1
run 0 find -c solid edited.map
is out 'edited.map: 1'

# Of the info it says which text, as `edit set` takes it.
run 0 edit rich.map -o named.map set info.author=Anna info.license=CC0
run 0 find 'info/*' named.map
says out 'named.map: info.author: Anna' 'named.map: info.license: CC0'

# Nothing, and trouble.
run 1 find finish rich.map small.map
empty out
run 2 find lava rich.map
says err "find: 'lava' is not an index from 0 to 255" "'teemap find --tiles' lists them"
run 2 find
says err 'no pattern was given'
run 2 find solid
says err 'no map was given'
run 2 find solid rich.map nobody.map # found, and yet trouble
says out 'rich.map: 1/0@1,0'
says err nobody.map
printf 'no map' >odd.map
run 2 find -l solid odd.map rich.map
is out rich.map

# Objects, texts, numbers without their other half.
run 0 find 'tele-in without tele-out' rich.map
run 1 find 'tele-in without tele-in' rich.map
run 0 find 'image/*' rich.map
says out 'rich.map: image/0: '
run 0 find 'layer/*:kind=game' rich.map small.map
says out 'rich.map: 1/0: Game' 'small.map: 1/0: Game'
run 0 find 'settings/*' rich.map
says out 'rich.map: settings: '

# Folders, and the same output with any number of threads.
mkdir -p maps/deep
for i in 1 2 3 4 5; do cp rich.map maps/$i.map; cp small.map maps/deep/$i.map; done
run 0 find -r '*' maps -j 1
cp out one
run 0 find -r '*' maps -j 4
same out one

# JSON.
run 0 find --json -e solid -e 'image/*' rich.map
cp out find.json
json out "o['path'] == 'rich.map' and o['patterns'][0] == {'pattern': 'solid', 'count': 5, 'places': 2}"
json out "o['matches'][1]['region'] == {'x': 0, 'y': 2, 'width': 4, 'height': 1} and o['matches'][1]['address'] == '1/0'"
json out "o['matches'][2]['region'] is None and o['matches'][2]['field'] == 'name' and o['matches'][2]['pattern'] == 1"
for option in -c -l; do # which were ignored: 77 MB for a thousand maps
    run 0 find $option --json solid rich.map
    json out "o['matches'] == [] and o['matches_unlisted'] == 2 and o['patterns'][0]['count'] == 5"
done
run 1 find --json finish rich.map
cat out >>find.json
json out "o['matches'] == []"
run 2 find --json solid odd.map
cat out >>find.json
run 0 find --json --free rich.map
cp out numbers.json
json out "o['numbers']['tele'] == {'used': [{'number': 5, 'tiles': 12}], 'next_free': 1} and o['numbers']['checkpoint']['used'] == []"
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" find find.json numbers numbers.json
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schema of find'

# Numbers and names of tiles.
run 0 find --free rich.map
is out 'rich.map: tele: 5; next free 1
rich.map: checkpoint: none; next free 1
rich.map: switch: 1; next free 2
rich.map: tune: 4; next free 1'
run 1 find --free small.map
run 0 find --tiles
says out 'freeze ' 'tele-checkpoint-in-evil'

# Pictures: places that one picture shows share it; each map has a folder.
run 0 find solid rich.map --pictures places --sheet own
[ "$(find places/rich -name '*.png' | wc -l)" = 1 ] || fail "pictures: $(find places)"
run 0 find -r 192 maps --pictures deep/places --sheet own -q
[ -d deep/places/deep/1 ] && [ -d deep/places/1 ] || fail "pictures of folders: $(find deep)"
run 0 find 'game/*' small.map --pictures few --most 1 --sheet own
[ "$(find few -name '*.png' | wc -l)" = 1 ] || fail "more pictures than --most"
run 0 new -s 300x300 large.map # was refused: the renderer was given 1 byte of memory
run 0 find solid large.map --pictures large --most 1 --sheet own
[ "$(find large -name '*.png' | wc -l)" = 1 ] || fail "no picture of a large map"
# Objects are named as in addresses; an index or a range was a name, and found nothing.
teemap edit rich.map -o named.map add image 7 + add image one >made.out 2>&1 || fail "edit: $(cat made.out)"
images=$(teemap ls --addresses named.map | grep -c '^image/')
run 0 find 'image/0-' named.map
[ "$(wc -l <out)" = "$images" ] || fail "ranges: $(cat out)"
run 0 find "image/$((images - 2)):external=true" named.map
says out ': 7'
run 0 find image/=7 named.map
says out ': 7'
rm named.map made.out
printf 'x' >taken
run 2 find solid rich.map --pictures taken
says err taken
no_litter
