#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What of a map is drawn: --layers, --entities; and what happens when images are missing: --strict, --missing-list.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 40x20 sky.map
view=(--view 20,10 --size 300x200)
draw() { run 0 render "$@" "${view[@]}" -o drawn.png; }
# The sky is group 0, a quad of color 95b6d7 in the middle of the view; group 1 holds the game layer alone.
draw sky.map
png drawn.png 150 100 95b6d7ff
cp drawn.png design.png
for all in design 0 quads 0/0 'physics,design,game@0,front@0' '1,0,1@0'; do
    draw sky.map --layers "$all"
    [ "$all" = 'physics,design,game@0,front@0' ] || same drawn.png design.png
done
draw sky.map --layers design@50
png drawn.png 150 100 4b5b6bff
draw sky.map --layers 0@0,quads@50
png drawn.png 150 100 4b5b6bff
# Later words overrule earlier ones.
draw sky.map --layers design,design@0
png drawn.png 150 100 000000ff
draw sky.map --layers tiles
png drawn.png 150 100 000000ff

# A word that means nothing is told, with status 2, and nothing is written.
refused() {
    run 2 render sky.map "$@" -o wrong.png
    lines err 1
    [ ! -e wrong.png ] || fail "$* wrote a picture"
}
refused --layers nope
says err "--layers: 'nope' leads to no group"
refused --layers 0,,1
refused --layers ''
refused --layers image/0
refused --layers 0@101
refused --layers 9
refused --entities=tiles
says err "is none of game, front, tele"
refused --entities=
refused --view 1,2 --whole
refused --region 1,2,3,4 --whole
refused --numbers=maybe
run 0 render sky.map --whole --scale 8 -o whole.png
run 0 render sky.map --scale 8 -o default.png
same whole.png default.png

# --limit counts the pixels of the picture and of all layers: the sky fills 300 x 200 twice.
refused --limit 0
refused --limit 5T
refused "${view[@]}" --limit 100k
says err '--limit'
run 0 render sky.map "${view[@]}" --limit 1M -o drawn.png
same drawn.png design.png

# Missing images: a finding, a list, and with --strict a failure. sunk_ship is an image that no game has.
make_map rich.map
python3 - <<PYTHON || fail "a map with a missing image"
import sys
sys.path.insert(0, '$cli_tests')
import make_map
class Lost(make_map.Writer):
    def text(self, content):
        return super().text('sunk \x1b[1mship' if content == 'grass_main' else content)
make_map.Writer = Lost
open('lost.map', 'wb').write(make_map.build(False))
PYTHON
run 0 render lost.map --missing-list names.txt -o lost.png
is names.txt 'sunk \x1b[1mship'
says err '[missing-image]'
run 0 render lost.map --missing-list - -q -o lost.png
is out 'sunk \x1b[1mship'
run 2 render lost.map --strict -o strict.png
says err "image 0"
[ ! -e strict.png ] || fail "--strict wrote a picture"
run 2 animate lost.map --strict -t frames
run 2 thumbnail lost.map --strict -t small
[ ! -e small/lost.png ] || fail "--strict wrote a thumbnail"
run 2 render lost.map --missing-list nowhere/names.txt -o strict.png
says err nowhere
# What is found is not listed.
mkdir mine
run 0 render sky.map --scale 8 -o mine/grass_main.png
run 0 render rich.map --mapres mine --strict --missing-list names.txt -o rich.png
empty names.txt
no_litter
