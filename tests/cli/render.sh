#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap render`: the picture has the size that was asked for, shows what the map holds, and nothing is left half-written.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 40x20 sky.map
# The whole map, fitted: 40x20 tiles into 1920x1080.
run 0 render sky.map
empty out
png sky.png 1920x960
run 0 render sky.map --scale 8 -o small.png
png small.png 320x160
run 0 render sky.map --region 1,2,10,5 --scale 2.5 -o part.png
png part.png 25x13
run 0 render sky.map --view 20,10 --size 300x200 -o view.png
png view.png 300x200
# The sky of a new map is one quad, from color 94,132,174 at its top to 204,232,255; without parallax it always fills the view.
png view.png 150 100 95b6d7ff
# The same picture for every number of threads.
run 0 render -j 1 sky.map --view 20,10 --size 300x200 -o one.png
run 0 render -j 3 sky.map --view 20,10 --size 300x200 -o three.png
same one.png three.png

# Views by words, several at once; what the map does not have is told, the others are drawn, and the status is 1.
make_map rich.map
run 0 render sky.map --view spawn --size 300x200 -o spawn.png
png spawn.png 300x200
run 1 render sky.map --view 20,10 --view 'finish' --view best:1 --size 300x200 -t views
says err "the map has no 'finish'"
same views/sky-20-10.png view.png
png views/sky-best-1.png 300x200
[ "$(ls views | wc -l)" = 2 ] || fail "views: $(ls views)"
run 0 render sky.map rich.map --view best --size 60x40 -t both -q
[ "$(ls both | tr '\n' ' ')" = 'rich-best.png sky-best.png ' ] || fail "both: $(ls both)"
# A view and the whole map, each without -o: both wanted two.png.
cp sky.map two.map
run 0 render two.map --size 60x40
run 0 render two.map --view spawn --size 60x40
run 2 render two.map --view spawn --size 60x40
says err 'two-spawn.png: exists already'
# A long map is a strip; what to do about it was told on terminals only.
run 0 new -s 2000x100 strip.map
run 0 render -v strip.map -o strip.png
says err 'strip.png: 1920x96 pixels; 0.96 pixels a tile, --scale 8 shows more, --fit leaves empty borders out'
run 0 render -v --scale 8 strip.map -o strip.png
is err 'strip.png: 16000x800 pixels'
run 0 render --json sky.map --view spawn --size 30x20 -o spawn.png
json out "o['view']['name'] == 'spawn' and o['view']['zoom'] == 1"
run 2 render sky.map --view nowhere -o wrong.png
says err "'nowhere' is not a view"
run 2 render sky.map rich.map
says err '-t DIR'
run 2 render sky.map --view 1,1 --view 2,2 -o wrong.png
says err '-t DIR'
[ ! -e wrong.png ] || fail 'wrong.png was written'
# The part where something is, and the way in which the whole map used to be drawn.
run 0 render sky.map --fit --scale 8 -o fit.png
run 0 render sky.map --region map --scale 8 -o region.png
png region.png 320x160
run 0 render sky.map --region 0,0,40,20 --scale 8 -o same.png
same region.png same.png
# A name that we make up never replaces a file: it may be a tileset.
run 2 render sky.map
says err 'sky.png: exists already; -f'
run 0 render -f sky.map

# Backgrounds show beside the sky's quad: far out nothing is drawn.
far=(--flat --region '5000,5000,10,10' --scale 4)
run 0 render sky.map "${far[@]}" -o black.png
png black.png 3 3 000000ff
run 0 render sky.map "${far[@]}" --background 12ab9F -o color.png
png color.png 3 3 12ab9fff
run 0 render sky.map "${far[@]}" --background transparent -o clear.png
png clear.png 3 3 00000000
run 0 render sky.map "${far[@]}" --background checks -o checks.png
png checks.png 3 3 666666ff
png checks.png 20 3 999999ff

# To a pipe, with JSON, from standard input.
teemap render sky.map --scale 8 -o - >pipe.png || fail "to a pipe"
same pipe.png small.png
teemap render - --scale 8 -o stdin.png <sky.map || fail "from standard input"
same stdin.png small.png
teemap render - --scale 8 <sky.map >stdin.png || fail "from standard input to standard output"
same stdin.png small.png
run 0 render --json sky.map --scale 8 -o small.png
json out "o['output'] == 'small.png' and o['width'] == 320 and o['height'] == 160 and o['findings'] == []"

# Formats: by the name of the output, or as --format says.
rgba() { python3 "$TEEMAP_SOURCE/tests/support/pngfile.py" "$1" raw; }
rgba small.png >small.expected
for name in small.rgba small.raw loud.RAW; do
    run 0 render sky.map --scale 8 -o $name
    same $name small.expected
done
teemap render sky.map --scale 8 -o - --format raw | cmp - small.expected || fail "raw pixels to a pipe"
run 0 render sky.map --scale 8 -o raw.png --format raw
same raw.png small.expected
run 0 render sky.map --scale 8 -o no-suffix
same no-suffix small.png
run 0 render sky.map -f --scale 8 --format raw
same sky.rgba small.expected
run 0 render sky.map --scale 8 --compress -o tiny.png
rgba tiny.png | cmp - small.expected || fail "--compress changes pixels"
[ "$(wc -c <tiny.png)" -lt "$(wc -c <small.png)" ] || fail "--compress packs no better"
for name in wrong.jpg wrong.apng wrong.p 'folder.png/wrong.gif' .wrong.bmp; do
    run 2 render sky.map --scale 8 -o $name
    says err .png .webp .rgba .raw
    lines err 1
    [ ! -e $name ] || fail "$name was written"
done
run 2 render sky.map --format jpg -o wrong.png
run 2 render sky.map --format apng -o wrong.apng
for quality in 0 101 high; do run 2 render sky.map --quality $quality -o wrong.webp; done
run 2 render sky.map --quality 50 -o wrong.png
says err --quality
if teemap doctor | grep -q 'libwebp '; then
    run 0 render sky.map --scale 8 -o small.webp
    run 0 render sky.map -f --scale 8 --format webp
    same sky.webp small.webp
    run 0 render sky.map --scale 8 -o lossy.webp --quality 30
    run 0 render sky.map --scale 8 -o tiny.webp --compress
    if command -v dwebp >/dev/null; then
        for name in small tiny; do dwebp -quiet $name.webp -o back.png && rgba back.png | cmp - small.expected || fail "pixels of $name.webp"; done
        dwebp -quiet lossy.webp -o back.png && png back.png 320x160
    fi
    run 2 render sky.map --scale 500 --region 0,0,40,1 -o wide.webp
    says err 16383
    [ ! -e wide.webp ] || fail "a WebP that is too wide"
else
    run 2 render sky.map -o small.webp
    says err libwebp
    [ ! -e small.webp ] || fail "a WebP without libwebp"
fi

# A map with everything: the example's landscape, whose clouds move.
built examples/example_landscape land.map || fail "example_landscape"
run 0 render land.map --view 50,21 --size 300x150 -o near.png
run 0 render land.map --view 50,21 --size 300x150 --zoom 2 -o far.png
run 0 render land.map --view 50,21 --size 300x150 --time 9000 -o later.png
run 0 render land.map --view 50,21 --size 300x150 --time 40000 -o around.png
run 0 render land.map --view 50,21 --size 300x150 --look ddnet -o ddnet.png
same near.png ddnet.png
run 0 render land.map --view 50,21 --size 300x150 --look teeworlds07 -o vanilla.png
cmp -s near.png vanilla.png && fail "--look changes nothing"
cmp -s near.png far.png && fail "zoom changes nothing"
cmp -s near.png later.png && fail "time changes nothing"
same near.png around.png

# External images: those of --mapres come first; an image that is no PNG counts as missing; a name is never a path.
make_map rich.map
mkdir -p none mine
run 0 render sky.map --scale 8 -o mine/grass_main.png
run 0 render rich.map --mapres none -o without.png
run 0 render rich.map --mapres nowhere -o without.png
says err 'nowhere: warning: --mapres names a folder that is not there' # was silent
run 0 render -q rich.map --mapres nowhere -o without.png
empty err
run 0 render rich.map --mapres none --mapres mine -o with.png
cmp -s without.png with.png && fail "--mapres changes nothing"
TEEMAP_MAPRES=$work/mine run 0 render rich.map -o from-environment.png
printf 'no picture' >grass_main.png
TEEMAP_ROOT=$work/none HOME=$work XDG_DATA_HOME=$work run 0 render rich.map -o broken.png
says err '1 external image is not found (grass_main)'

# Mistakes are told in one line, with status 2, and leave nothing behind.
for wrong in '--view 1' '--view 1,x' '--region 1,2,3' '--region 1,2,0,4' '--scale 0' '--zoom -1' '--background red' '--time soon' \
    '--missing never' '--detail maybe' '--look 0.5' '--size 0x5'; do
    # shellcheck disable=SC2086
    run 2 render sky.map $wrong -o wrong.png
    lines err 1
    [ ! -e wrong.png ] || fail "$wrong wrote a picture"
done
run 2 render missing.map -o wrong.png
run 2 render sky.map --scale 4096 --region 0,0,100000,100000 -o wrong.png
says err 1000000
run 2 render sky.map -o nowhere/wrong.png
printf 'no map\n' >text.map
run 2 render text.map -o wrong.png
[ ! -e wrong.png ] || fail "a picture of nothing"
no_litter
