#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The examples do what their first lines say: they are documents that run. (examples/quickstart.c: tests/house/readme.py.)
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
export HOME=$work XDG_DATA_HOME=$work # no images of games that are installed here

# example STATUS NAME ARGUMENT...: as run of lib.sh.
example() {
    local expected=$1 status=0
    shift
    built "examples/example_$1" "${@:2}" >out 2>err </dev/null || status=$?
    on_posix || sed -i 's/\r$//' out # Windows ends lines so for programs that ask nothing else
    if grep -qE 'Sanitizer|runtime error' err; then cat err; fail "example $*: sanitizer"; fi
    [ "$status" = "$expected" ] || { head -n 20 out err; fail "example $*: status $status, not $expected"; }
}
pixels() { python3 "$TEEMAP_SOURCE/tests/support/pngfile.py" "$1" raw; }

# The generator: maps that the strictest loader takes without a word, the same from the same seed.
for seed in 1 2 3; do
    example 0 cave cave$seed.map $seed
    run 0 check --mode strict cave$seed.map
    empty out
done
example 0 cave again.map 2
same again.map cave2.map
! cmp -s cave1.map cave2.map || fail "seeds make no difference"
run 0 cat cave1.map settings
is out 'tune player_collision 0'

# The path-finder: in a cave only the teleporter leads to the finish.
example 0 pathfinder cave1.map
is out 'from 4,25 to 115,21: 108 steps, 1 teleporters'
example 0 landscape landscape.map
example 1 pathfinder landscape.map
is out 'no way'
# The same by other means: Python finds the shortest way through what `teemap cat` shows.
for seed in 1 2 3; do
    run 0 cat --json cave$seed.map Game/Game
    cp out game.json
    run 0 cat --json cave$seed.map Game/Tele
    cp out tele.json
    example 0 pathfinder cave$seed.map
    python3 - "$(cat out)" <<'PYTHON' || fail "cave $seed has another shortest way"
import json, sys
def numbers(row):
    for word in row.split():
        tile, _, times = word.partition('*')
        yield from [tuple(int(n) for n in (tile + '/0').split('/')[:2])] * int(times or 1)
game, tele = ([list(numbers(row)) for row in json.load(open(name))['tiles']] for name in ('game.json', 'tele.json'))
places = [(x, y) for y, row in enumerate(game) for x in range(len(row))]
exits = [(x, y) for x, y in places if tele[y][x] == (1, 27)]
now = seen = {(x, y) for x, y in places if game[y][x][0] == 192}
steps = 0
while not any(game[y][x][0] == 34 for x, y in now):
    after = set()
    for x, y in now:
        after |= set(exits) if tele[y][x] == (1, 26) else {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
    now = {(x, y) for x, y in after if (x, y) not in seen and game[y][x][0] != 1}
    seen, steps = seen | now, steps + 1
assert f': {steps} steps, 1 teleporters' in sys.argv[1], (steps, sys.argv[1])
PYTHON
done
example 2 pathfinder missing.map
says err 'missing.map' 'cannot open'

# Live: the picture of the last tick, with the player in its middle and a map around that other pictures show, too.
example 0 live landscape.map 40 live.ppm
is_rate() { grep -qE '^40 pictures of 320x180, [0-9]+ a second$' out || fail "no rate: $(cat out)"; }
is_rate
python3 - <<'PYTHON' || fail "the live picture"
data = open('live.ppm', 'rb').read()
assert data.startswith(b'P6\n320 180\n255\n') and len(data) == 15 + 320 * 180 * 3
pixels = data[15:]
at = lambda x, y: tuple(pixels[(y * 320 + x) * 3:][:3])
assert at(160, 90) == (255, 200, 0), at(160, 90)
assert len({at(x, y) for x in range(320) for y in range(0, 180, 20)}) > 10
PYTHON
cp live.ppm first.ppm
example 0 live landscape.map 40 live.ppm
same live.ppm first.ppm
example 0 live landscape.map 35 live.ppm # a tile less, and players elsewhere
! cmp -s live.ppm first.ppm || fail "nothing lives"
# An agent beside others sees what it sees alone; each is in the middle of its own picture.
example 0 live landscape.map 35 agents.ppm 3
grep -qE '^105 pictures of 320x180, [0-9]+ a second$' out || fail "no rate: $(cat out)"
python3 - <<'PYTHON' || fail "the pictures of three agents"
head, size = b'P6\n320 540\n255\n', 320 * 180 * 3
one, three = open('live.ppm', 'rb').read(), open('agents.ppm', 'rb').read()
assert three.startswith(head) and len(three) == len(head) + 3 * size
assert three[len(head):][:size] == one[15:]
assert len({three[len(head) + i * size:][:size] for i in range(3)}) == 3
PYTHON
example 2 live landscape.map 1 agents.ppm 9
example 2 live missing.map 1
example 2 live landscape.map 0

# Joining: the second map stands to the right of the first, its tiles where they were beside each other.
example 0 join landscape.map cave1.map joined.map
run 0 check --mode strict joined.map
empty out
run 0 info --json joined.map
json out "[o['width'], o['height']] == [220, 50] and o['counts']['images'] == 2"
for name in landscape cave1 joined; do
    run 0 cat $name.map Game/Game
    cp out $name.txt
done
python3 - <<'PYTHON' || fail "the game layers are not side by side"
rows = {name: [line.split() for line in open(name + '.txt')] for name in ('landscape', 'cave1', 'joined')}
for y, row in enumerate(rows['joined']):
    left = rows['landscape'][y] if y < len(rows['landscape']) else ['0'] * 100
    assert row == left + rows['cave1'][y], y
PYTHON
# The tele layer that the first map did not have came along, and what both have is there once.
run 0 ls joined.map
says out 'tele' "image/0 'landscape'" "image/1 'grass_main'"
example 0 join cave1.map cave2.map joined.map
run 0 info --json joined.map
json out "o['counts']['images'] == 1"
# A map that DDNet refuses is not joined, nor is one that cannot be read.
head -c 300 cave1.map >cut.map
example 2 join cave1.map cut.map none.map
example 2 join cave1.map missing.map none.map
[ ! -e none.map ] || fail "a failed join left a file"

# Drawing: the picture that teemap draws, here with an image of a folder beside the map.
mkdir mapres
run 0 cat landscape.map image/0 -o mapres/grass_main.png
for map in landscape cave1; do
    example 0 picture $map.map picture.png 50 21 300 200
    empty err
    run 0 render $map.map --view 50,21 --size 300x200 --background 000000 -o teemap.png
    pixels picture.png >picture.raw
    pixels teemap.png >teemap.raw
    same picture.raw teemap.raw
done
rm -r mapres
example 0 picture cave1.map without.png 50 21 300 200
pixels without.png >without.raw
! cmp -s without.raw picture.raw || fail "the image beside the map is not used"
example 2 picture cave1.map none.png 50 21 0 200
says err '0 x 200'
[ ! -e none.png ] || fail "a failed picture left a file"

# Many maps: the same whatever the number of threads, one that cannot be loaded is told and hides no other.
mkdir -p maps/deeper
cp cave1.map cave2.map maps
cp landscape.map maps/deeper
printf 'nothing' >maps/broken.map
for threads in 1 4; do
    example 0 survey maps $threads
    cp out survey.$threads
    says err 'maps/broken.map'
    lines err 1
done
same survey.1 survey.4
says out 'maps 3' 'tele 2' 'external-images 2' 'embedded-images 1' 'settings 2'
total=0
for map in maps/*[0-9].map maps/deeper/*.map; do
    run 0 info --json "$map"
    total=$((total + $(python3 -c 'import json; print(json.load(open("out"))["counts"]["quads"])')))
done
says survey.1 "quads $total"
example 2 survey no-such-folder

# An item of one's own: nothing else is another, and a change of the map keeps it.
example 0 own_item landscape.map noted.map 'built by Anna'
run 1 diff landscape.map noted.map
says out '2 unread parts' 'unknown item of type 6e6f7465-7300-3000-8000-000000000001, id 0: added, 4 bytes'
run 0 edit noted.map -o changed.map set info.credits=nobody
run 1 diff landscape.map changed.map
says out '2 unread parts'
grep -q 'unknown item of type 6e6f7465' out || fail "the item is gone"
example 2 own_item missing.map out.map note
says err 'missing.map' 'cannot open'
[ ! -e out.map ] || fail "a failed example left a file"

# Fields that differ, a line each.
run 0 edit landscape.map -o other.map set info.author=Berta 0.offset.x=7
example 1 differences landscape.map other.map
is out 'info: author is "teemap", not "Berta"
group 0 '"'Sky'"': offset.x is 0, not 7'
example 0 differences landscape.map landscape.map
empty out
example 2 differences landscape.map missing.map
says err 'missing.map'
