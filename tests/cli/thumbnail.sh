#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap thumbnail`: the view tells something, the right files are written and no others, failures stop nothing.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

# A map with design: the example's landscape, 400x50 tiles of hills.
built examples/example_landscape land.map || fail "example_landscape"
run 0 thumbnail land.map -o land.png
empty out
empty err
png land.png 360x225
run 0 thumbnail --json land.map -o again.png
same land.png again.png
json out "o['path'] == 'land.map' and o['output'] == 'again.png' and o['written'] and not o['skipped'] and o['findings'] == []"
json out "o['width'] == 360 and o['height'] == 225 and o['view']['zoom'] == 1 and not o['view']['entities']"
# It is the view that it says it is.
view=$(python3 -c "import json; v = json.load(open('out'))['view']; print('%r,%r' % (v['x'], v['y']))")
run 0 render land.map --view "$view" --size 360x225 -o told.png
same land.png told.png
# Other sizes, high and wide ones, one pixel high.
for size in 64x64 100x300 300x40 2x2 999x2; do
    run 0 thumbnail land.map -s $size -o size.png
    png size.png $size
done
run 0 thumbnail -j 1 land.map -o one.png
run 0 thumbnail -j 3 land.map -o three.png
same one.png land.png
same three.png land.png
teemap thumbnail land.map -o - >pipe.png || fail "to a pipe"
same pipe.png land.png
teemap thumbnail - -o stdin.png <land.map || fail "from standard input"
same stdin.png land.png

# Not a blank wall: in a map of 200x100 tiles that are solid and of one color, but for a cave of 20x10 tiles, the cave is shown.
make_cave() { # OUT X Y: where its middle is
    PYTHONPATH=$cli_tests python3 - "$@" <<'PYTHON' || fail "make_cave $*"
import sys
import make_map as maker
maker.WIDTH, maker.HEIGHT = 200, 100
left, top = int(sys.argv[2]) - 10, int(sys.argv[3]) - 5
places = [(left <= x < left + 20 and top <= y < top + 10, (x * 7 + y * 3) % 5 == 0) for y in range(100) for x in range(200)]
out = maker.Writer()
out.add(0, [1])
out.add(4, [3, 0, 0, 100, 100, 0, 3, 0, 0, 0, 0, 0] + maker.name_ints('Game', 3))
maker.tile_layer(out, 0, 'Wall', b''.join(bytes([not cave, 0, 0, 0]) for cave, _ in places))
maker.tile_layer(out, 0, 'Deco', b''.join(bytes([cave and deco, 0, 0, 0]) for cave, deco in places))
maker.tile_layer(out, 1, 'Game', b''.join(bytes([not cave, 0, 0, 0]) for cave, _ in places))
open(sys.argv[1], 'wb').write(out.bytes())
PYTHON
}
for cave in '150 70' '25 20' '100 50' '180 15'; do
    read -r x y <<<"$cave"
    make_cave cave.map "$x" "$y"
    run 0 thumbnail --json cave.map -o cave.png
    json out "o['view']['kind'] == 'place' and abs(o['view']['x'] - $x) < 26 and abs(o['view']['y'] - $y) < 16"
    json out "not o['view']['entities']"
done

# A map without design: entities are shown, and a map that is smaller than the view as a whole.
run 0 new -s 20x10 small.map
run 0 thumbnail --json small.map -o small.png
json out "o['view']['kind'] == 'whole' and o['view']['entities'] and o['view']['x'] == 10 and o['view']['y'] == 5"
json out "o['view']['zoom'] < 1"
run 0 render small.map --layers design --entities --view 10,5 --zoom "$(python3 -c "import json; print(json.load(open('out'))['view']['zoom'])")" \
    --size 360x225 -o entities.png
same entities.png small.png
run 0 new -s 300x60 large.map
run 0 thumbnail --json large.map -o large.png
json out "o['view']['kind'] != 'whole' and o['view']['entities'] and o['view']['zoom'] == 1"
json out "20 < o['view']['x'] < 280 and 12 < o['view']['y'] < 48"

# Folders: places are kept, failures go on, status 2.
mkdir -p maps/sub
cp land.map maps/a.map
cp small.map maps/sub/b.MAP
cp large.map maps/sub/c.map
printf 'no map\n' >maps/sub/text.map
head -c 100 land.map >maps/cut.map
run 2 thumbnail -j 2 -r -t pictures maps --json
lines out 5
lines err 2
says err 'teemap: maps/sub/text.map: ' 'teemap: maps/cut.map: '
[ "$(cd pictures && find . -type f | sort | tr '\n' ' ')" = './a.png ./sub/b.png ./sub/c.png ' ] || fail 'places'
same pictures/a.png land.png
sed -n 2p out >cut.json
json cut.json "o['path'] == 'maps/cut.map' and not o['written'] and not o['skipped'] and o['error'] and 'view' not in o"
rm maps/sub/text.map maps/cut.map

# What is up to date is skipped: not after a change of the map, not with another size, not with -f.
states() { python3 -c "
import json, sys
print(*('w' if o['written'] else 's' if o['skipped'] else '-' for o in map(json.loads, open('out'))))"; }
expect_states() {
    local expected=$1
    shift
    run 0 thumbnail --json -r -t pictures maps "$@"
    [ "$(states)" = "$expected" ] || fail "expected $expected, got $(states): thumbnail $*"
}
sleep 0.1
touch pictures/a.png pictures/sub/*.png
expect_states 's s s'
empty err
expect_states 'w w w' -f
expect_states 'w w w' -s 72x45
png pictures/a.png 72x45
sleep 0.1
touch pictures/a.png pictures/sub/*.png
expect_states 's s s' -s 72x45
sleep 0.1
touch maps/sub/c.map
expect_states 's s w' -s 72x45
sleep 0.1
touch pictures/a.png pictures/sub/*.png
# An older map takes a newer one's place.
cp small.map older.map
touch -d '2001-01-01' older.map
mv older.map maps/a.map
sleep 0.1
touch pictures/sub/*.png
expect_states 'w s s' -s 72x45
# A picture that is none is made anew.
sleep 0.1
printf 'no picture' >pictures/a.png
expect_states 'w s s' -s 72x45
# -o always writes.
run 0 thumbnail --json land.map -o land.png
json out "o['written']"

# Missing images are left out unless told otherwise; they are findings.
make_map rich.map
run 0 thumbnail --json rich.map -o rich.png --mapres maps
empty err
HOME=$work XDG_DATA_HOME=$work run 0 thumbnail -v rich.map -o rich.png
says err 'rich.map -> rich.png: '
run 0 thumbnail rich.map --missing client -o client.png

# One list over all maps, each name once; it used to be that of the last map, and none when all was up to date.
python3 - <<'PYTHON'
import sys
sys.path.insert(0, __import__('os').environ['TEEMAP_SOURCE'] + '/tests/cli')
import make_map
text = make_map.Writer.text
for path, name in (('rich.map', 'xyz_none'), ('rich2.map', 'abc_none')): # no game has them
    make_map.Writer.text = lambda self, content: text(self, name if content == 'grass_main' else content)
    with open(path, 'wb') as file:
        file.write(make_map.build(False))
PYTHON
cp rich.map rich3.map
for _ in 1 2; do
    rm -f missing.txt
    run 0 thumbnail -j 2 -t listed rich.map rich2.map land.map rich3.map --missing-list missing.txt
    is missing.txt "$(printf 'abc_none\nxyz_none')"
done
run 0 thumbnail rich.map -o rich.png --missing-list missing.txt
is missing.txt xyz_none
run 2 thumbnail -t listed rich.map --missing-list nowhere/missing.txt
says err 'nowhere/missing.txt: '
# Where all images are missing, "there is nothing in the map to draw" was wrong.
run 0 thumbnail rich.map --layers 0/1 -o rich.png
says err 'its images are not found' 'teemap doctor'

# Mistakes.
run 2 thumbnail land.map
says err 'no output: give'
run 2 thumbnail land.map small.map -o x.png
says err '-t DIR'
run 2 thumbnail land.map -o x.png -t pictures
run 2 thumbnail -t pictures - <land.map
says err 'standard input has no name'
run 2 thumbnail -t pictures maps
says err 'is a folder; -r'
run 2 thumbnail --json land.map -o -
run 2 thumbnail land.map -o nowhere/x.png
says err 'teemap: nowhere/x.png: '
run 2 thumbnail -t pictures maps/a.map land.map maps/a.map
says err 'another map of this name'
[ ! -e x.png ] || fail 'a picture after a mistake'
no_litter

# Every real map that opens gives a picture, and none is of one color but those of maps with nothing to draw.
if corpus; then
    teemap thumbnail --json -r -s 90x56 -t real "$TEEMAP_SHARED/corpus" >out 2>err
    python3 - "$work/real" "$TEEMAP_SOURCE/tests/support" <<'PYTHON' || fail 'real maps'
import json, sys
sys.path.insert(0, sys.argv[2])
import pngfile
made = blank = 0
for line in open('out'):
    o = json.loads(line)
    if not o['written']:
        assert o['error'], o
        continue
    width, height, rgba = pngfile.read(o['output'])
    colors = {rgba[i:i + 4] for i in range(0, len(rgba), 4)}
    assert (width, height) == (90, 56) and (len(colors) >= 8) != o['view']['blank'], (o['path'], len(colors))
    blank += o['view']['blank']
    made += 1
print(made, 'pictures of real maps')
assert made > 70 and blank == 5, blank # four from before 2008 and one whose groups are clipped to nothing
PYTHON
fi

# Who waits at a terminal is told what was made; nobody else is.
run 0 thumbnail -f rich.map -t unwatched
empty err
need_terminal
PYTHONPATH=$TEEMAP_SOURCE/tests/support python3 - <<'PYTHON' || fail "the line on a terminal"
import re
from terminal import on_terminal
def line_of(*arguments):
    return on_terminal(*arguments).decode()
one = line_of('thumbnail', 'rich.map', '-s', '64x40', '-o', 'watched.png')
assert re.search(r'watched\.png: 1 picture of 64x40 pixels drawn, \d+\.\d s', one), one
many = line_of('thumbnail', 'rich.map', '-t', 'watched')
assert re.search(r'watched: 1 picture of 360x225 pixels drawn, \d', many), many
again = line_of('thumbnail', 'rich.map', '-t', 'watched')
assert re.search(r'watched: 0 pictures of 360x225 pixels drawn, 1 up to date, ', again), again
assert 'drawn' not in line_of('thumbnail', '-q', 'rich.map', '-t', 'watched')
tiles = line_of('tiles', 'rich.map', '-t', 'page')
assert re.search(r'index\.html: \d+ tiles on \d+ levels, .*, \d+\.\d s', tiles), tiles
PYTHON
