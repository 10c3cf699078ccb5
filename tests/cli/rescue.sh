#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What is left of damaged maps. `teemap copy -m salvage -g ddnet` used to end with 0 and say nothing of a game layer that was
# gone; lost quads became zeros that followed envelope 0 with both position and color; a damaged image was not mentioned.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
maps=$TEEMAP_SOURCE/tests/golden/maps

# A whole map has nothing to tell.
make_map rich.map
run 1 copy -m salvage -g ddnet rich.map out.map
says_not err rescued object-lost object-damaged

# A download that broke off: every lost object, a sum, and 1; what is written does not lead to what it should not.
head -c 9341 "$maps/quads.map" >cut.map
run 1 copy -m salvage -g ddnet cut.map out.map
says err "group 1, layer 0 'Game': error: nothing is left of its tiles [object-lost]" \
    'group 2, layer 0: error: 9 of its 9 quads are lost and left out [object-lost]' \
    'image 1: error: only ' \
    'cut.map: rescued 1 of 3 texts, 2 of 3 images (1 damaged), 0 of 1 tile layers, 0 of 28 quads; the game layer is empty'
# Two layers lost the same number.
[ "$(grep -c 'quads are lost' err)" = 5 ] || fail 'layers of quads'
run 0 check -m strict out.map
run 0 info --json out.map
json out "o['counts']['quads'] == 0"
run 1 copy -q -m salvage -g ddnet cut.map out.map
empty err
run 1 copy -m salvage -g ddnet --json cut.map out.map
json out "o['written'] and o['rescue']['quads'] == {'num': 28, 'damaged': 0, 'lost': 28} and o['rescue']['images'] == {'num': 3, 'damaged': 1, 'lost': 1}"
json out "o['rescue']['game_layer'] == 'lost' and any(f['id'] == 'object-lost' and f['address'] == '1/0' for f in o['findings'])"
# As it is, it is still copied as it is.
run 1 copy -m salvage cut.map out.map
same cut.map out.map

# One byte of an image has changed.
python3 - "$maps/tiles.map" <<'PYTHON'
import sys
whole = bytearray(open(sys.argv[1], 'rb').read())
whole[len(whole) // 3] ^= 0x55
open('flip.map', 'wb').write(whole)
PYTHON
run 1 copy -m salvage -g ddnet flip.map out.map
says err "image 0 'sheet': error: only " '[object-damaged]' 'rescued 4 of 4 images (1 damaged)'

# Commands that change or take out used to fill what is lost with nothing, say nothing of it, and end with 0.
for words in 'edit flip.map -o' 'convert --to teeworlds06 flip.map -o' 'optimize flip.map -o' 'embed flip.map -o'; do
    case $words in edit*) work='mirror x' ;; *) work='' ;; esac
    rm -f out.map
    run 1 $words out.map -m salvage $work
    says err "image 0 'sheet': error: only " '[object-damaged]' 'flip.map: rescued 4 of 4 images (1 damaged)'
    run 1 $words out.map -m salvage -q $work
    says_not err rescued
    run 1 $words out.map -m salvage --json $work
    json out "o['rescue']['images'] == {'num': 4, 'damaged': 1, 'lost': 0}"
done
run 1 extract -m salvage -t flip flip.map
says err "image 0 'sheet': error: only " 'flip.map: rescued 4 of 4 images (1 damaged)'
[ -f flip/flip/images/sheet.png ] && [ -f flip/flip/list.json ] || fail 'not extracted'
run 1 extract -f -m salvage --json -t flip flip.map
json out "o['rescue']['images']['damaged'] == 1"
run 0 edit rich.map -o out.map -m salvage mirror x
says_not err rescued

# In mode game, a picture with broken data went on into the converted map, which strict mode refused; the status was 0.
for game in ddnet teeworlds06 teeworlds07; do
    run 1 convert --to $game flip.map -o out.map
    says err "image 0 'sheet': warning: its pixels are damaged, which breaks $game: it is now 16 x 16 and transparent [lost-image]"
    run 0 check -m strict out.map
    run 1 convert --to $game --refuse-loss flip.map -o refused.map
    [ ! -e refused.map ] || fail 'written'
done

# A program that took it for text put a byte before each newline.
python3 - <<'PYTHON'
whole = open('rich.map', 'rb').read()
open('crlf.map', 'wb').write(whole.replace(b'\n', b'\r\n'))
PYTHON
run 1 copy -m salvage -g ddnet crlf.map out.map
says err '0 of 7 tile layers' 'the game layer is empty'
datafile break no-game rich.map nowhere.map
head -c $(($(wc -c <nowhere.map) - 200)) nowhere.map >cut.map
run 1 copy -m salvage -g ddnet cut.map out.map
says err '; there is no game layer'

# So did unpack: a folder of a damaged map held nothing in its place.
run 1 unpack -m salvage cut.map folder --json
json out "o['rescue']['game_layer'] == 'missing' and o['files'] > 3"
rm -rf folder
run 1 unpack -m salvage cut.map folder
says err 'cut.map: rescued' '; there is no game layer'
rm -rf folder
run 0 unpack -m salvage rich.map folder

# Pictures of what is lost: salvage used to be more silent than game, and both ended with 0.
head -c 9341 "$maps/quads.map" >cut.map
for mode in game salvage; do
    run 1 render -m $mode cut.map -o cut.png
    says err "layer 0" 'error: '
done
says err 'are lost and left out [object-lost]'
run 1 thumbnail cut.map -o cut.png
run 1 animate -m salvage --duration 100 --size 40x30 cut.map -o cut.png --format apng
run 0 render -m salvage --size 40x30 rich.map -o rich.png
no_litter
