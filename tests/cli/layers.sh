#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What of a map is drawn: --layers, --entities; and what happens when images are missing: --strict, --missing-list.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 40x20 sky.map
view=(--view '20,10' --size 300x200)
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
run 1 render sky.map --layers tiles "${view[@]}" -o drawn.png
says err 'none of the layers'
png drawn.png 150 100 000000ff
# Behind and before the players; what is taken out; ranges; * in names.
for all in background 'quads,-physics' -physics --layers=-1 0-0 '*,-physics' '0/*'; do
    draw sky.map --layers "${all#--layers=}"
    same drawn.png design.png
done
for none in foreground -quads '!0' design,-background 'lava*'; do
    run 1 render sky.map --layers "$none" "${view[@]}" -o drawn.png
    png drawn.png 150 100 000000ff
done

# Entities: spawn points and walls of the game layer, instead of the design or with it; teemap's own sheet on every machine.
own=(--sheet own --region '0,0,40,20' --scale 16)
drawn_by() { run 0 render sky.map "${own[@]}" "${@:2}" -o "$1.png"; }
drawn_by opaque
drawn_by entities --entities
drawn_by physics --layers physics
same entities.png physics.png
drawn_by game --entities=game
same entities.png game.png
drawn_by half --layers design@50,physics@50
drawn_by both --layers design --entities
run 1 render sky.map "${own[@]}" --entities=tele -o tele.png
drawn_by nothing --layers design@0
same tele.png nothing.png
for other in opaque half both nothing; do
    ! cmp -s entities.png $other.png || fail "entities and $other are the same picture"
done
! cmp -s both.png opaque.png || fail "entities over the design do not show"
run 0 render sky.map "${own[@]}" --entities --look teeworlds07 -o vanilla.png
# A sheet of one's own: 16 x 16 cells. What is no picture is refused by name.
run 0 render sky.map --size 64x64 --view 20,10 -o flat.png
run 0 render sky.map "${own[@]:2}" --entities --sheet flat.png -o mine.png
! cmp -s mine.png entities.png || fail "--sheet changes nothing"
printf 'no picture' >broken.png
refused() {
    run 2 render sky.map "$@" -o wrong.png
    lines err 1
    [ ! -e wrong.png ] || fail "$* wrote a picture"
}
refused --entities --sheet broken.png
says err 'broken.png: '
refused --entities --sheet nowhere.png
says err 'nowhere.png'
# Numbers: those of the teleporters of a map with everything.
make_map rich.map
run 0 render rich.map --entities=tele --sheet own -q -o numbers.png
run 0 render rich.map --entities=tele --sheet own -q --numbers=no -o plain.png
! cmp -s numbers.png plain.png || fail "--numbers=no changes nothing"

# A word that means nothing is told, with status 2, and nothing is written.
refused --layers nope
says err "--layers: 'nope' leads to no group"
refused --layers 0,,1
refused --layers ''
refused --layers '0/0@0,0+10x' # was read as a set: there is no layer 0+10x
says err "'@0,0+10x': a percentage is allowed after @, but not a part of a layer"
refused --layers image/0
refused --layers 0@101
refused --layers 9
refused --entities=tiles
says err "is none of game, tele, speedup"
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
says err 'more work than the limit of 100000 pixels'
run 0 render sky.map "${view[@]}" --limit 1M -o drawn.png
same drawn.png design.png

# Options that would change nothing, or places that are taken, are told: found by a stranger who lost a map so.
for wrong in '--zoom 2' '--view 1,1 --flat' '--view 1,1 --scale 4' '--size 100x100 --scale 4' '--layers design@101' '--layers design@'; do
    # shellcheck disable=SC2086
    refused $wrong
done
says err '0 to 100'
cp sky.map kept.map
ln -s sky.map link.png
for command in 'render sky.map -o sky.map --format png' 'render sky.map -o link.png' 'render sky.map -o fine.png --missing-list sky.map' \
    'animate sky.map -o sky.map --format apng' 'thumbnail sky.map -o sky.map' 'render sky.map -o fine.png --missing-list fine.png' \
    'render sky.map -o - --missing-list -' 'render sky.map -o fine.png --missing-list - --json'; do
    # shellcheck disable=SC2086
    run 2 $command
    lines err 1
    same sky.map kept.map
    [ ! -e fine.png ] || fail "$command wrote a picture"
done
run 2 render sky.map -o picture.jpg
says err 'picture.jpg' '.png, .webp'

# Missing images: a finding, a list, and with --strict a failure. sunk_ship is an image that no game has.
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
says err '1 external image is not found (sunk \x1b[1mship)' 'left out' 'teemap doctor'
lines err 1
run 0 render lost.map --missing client -o lost.png
says err 'squares of four colors'
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
