#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap tiles`: each tile is what `render` draws there, blank ones are left out, a failure leaves nothing to be misread.
# What the page makes of it is tested in a browser: viewer.sh.
# test-labels: threads
# test-timeout: 600
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
browser=$TEEMAP_SOURCE/tests/browser

# holds MAP FOLDER COUNT: so many tiles of each pyramid, and as many gaps, are as `render` draws them.
holds() { python3 "$browser/pyramid.py" "${TEEMAP_EMULATOR:+$TEEMAP_EMULATOR }$TEEMAP" "$@" || fail "the tiles of $1 in $2"; }

built examples/example_landscape land.map || fail "example_landscape"
run 0 tiles land.map -t deep/land
lines out 1
says out 'deep/land/index.html: ' ' tiles on 6 levels, '
empty err
holds land.map deep/land 2
run 0 tiles --json land.map -t json
files=$(find json/tiles -name '*.png' | wc -l)
bytes=$(find json/tiles -name '*.png' -exec cat {} + | wc -c)
json out "o['path'] == 'land.map' and o['output'] == 'json/index.html' and o['scale'] == 32 and o['levels'] == 6 and o['findings'] == []"
json out "o['tiles'] == $files == sum(p['tiles'] for p in o['pyramids']) and o['bytes'] == $bytes == sum(p['bytes'] for p in o['pyramids'])"
json out "[p['address'] for p in o['pyramids'] if not p['physics']] == ['0', '1', '2', '3', '4']"
diff -r deep/land json || fail "the same map, other tiles"

# Layers beyond --memory are unpacked once for many tiles; each tile unpacked them all, for minutes.
run 0 new -s 300x200 many.map
steps=()
for i in 2 3 4 5; do
    steps+=(+ add group many + add layer $i tiles + add layer $i tiles + fill "$i/0@$((i * 40)),$((i * 20))+50x40" 1 + fill "$i/1@$((i * 30)),5+30x40" 1)
done
run 0 edit -q -i many.map "${steps[@]:1}"
run 0 tiles -q many.map --layers design -t many
run 0 tiles -q many.map --layers design --memory 600k -t little
diff -r many little || fail 'other tiles with little memory'
run 2 tiles -q many.map --layers design --memory 400k -t less
says err 'a layer needs 240000 bytes when it is drawn' 'see --memory'

# Somebody's own page is not replaced, unless told; one of tiles is.
run 0 tiles -q land.map -t json
mkdir own
printf '<title>mine</title>' >own/index.html
run 0 new -s 5x5 small.map
for page in 'tiles land.map -t own' 'diff land.map small.map --page own'; do
    # shellcheck disable=SC2086
    run 2 $page
    says err 'teemap: own: has an index.html that this command did not write; use -f to replace it'
    [ "$(ls own)" = index.html ] || fail 'something was written'
done
run 1 diff -f land.map small.map --page own
says own/index.html 'content="teemap diff"'
run 1 diff land.map small.map --page own
run 2 tiles land.map -t own
run 0 tiles -q -f land.map -t own
same own/index.html json/index.html

# All tiles in one file: the same ones, in the order in which the page lists their sizes.
run 0 tiles --json land.map -t pack --pack
json out "o['tiles'] == $files and o['bytes'] == $bytes"
[ "$(ls pack)" = $'index.html\ntiles.bin' ] || fail 'files of a pack'
python3 - <<'PYTHON' || fail 'the places of a pack'
import json, os, re
page, data = open('pack/index.html').read(), open('pack/tiles.bin', 'rb').read()
tiles = json.loads(re.search('id="tiles">(.*?)</script>', page, re.S)[1])
held, at = [], 0
for start, *sizes in tiles['parts'].values():
    assert start == at
    for size in sizes:
        held.append(data[at:at + size])
        at += size
files = [open(os.path.join(f, n), 'rb').read() for f, _, names in os.walk('json/tiles') for n in names]
assert at == len(data) == tiles['size'] and tiles['file'] == 'tiles.bin' and sorted(held) == sorted(files) and len(held) > 700
PYTHON
run 0 tiles -q -j 1 land.map -t pack1 --pack
diff -r pack pack1 || fail 'a pack by one thread'
run 2 tiles land.map -o pack.html --pack
says err '--pack is for -t DIR'
run 2 tiles land.map --entities=tele -t nopack --pack
[ ! -e nopack/tiles.bin ] || fail 'a pack of nothing'

# Threads change nothing.
run 0 tiles -q -j 1 land.map -t one
run 0 tiles -q -j 3 land.map -t three
empty out
diff -r one deep/land || fail "one thread"
diff -r three deep/land || fail "three threads"

# Offsets that are no whole tiles, envelopes, several layers of physics, detail.
make_map rich.map
run 0 tiles -q rich.map -t rich/
holds rich.map rich 3
run 0 tiles -q rich.map -t design --layers design --scale 64
holds rich.map design 3
run 0 tiles --json rich.map -t large --layers 0 --scale 256
json out "[p['folder'] for p in o['pyramids']] == ['0'] and o['scale'] == 256"
holds rich.map large 2
run 2 tiles rich.map -t nothing --detail no --layers 0/1
says err 'nothing in the map to draw'
run 2 tiles rich.map -t nothing --layers 0/0 --scale 1 # two pixels of the world are none then
says err 'nothing in the map to draw'
[ ! -e nothing/index.html ] || fail "a page with nothing"
if corpus; then
    run 0 tiles -q "$TEEMAP_SHARED"/corpus/vanilla06/ctf_infiltrate-*.map -t real
    holds "$TEEMAP_SHARED"/corpus/vanilla06/ctf_infiltrate-*.map real 2
fi

# A pyramid of each layer.
run 0 tiles --json rich.map -t each --each-layer
json out "len([p for p in o['pyramids'] if not p['physics']]) == len([p for p in o['pyramids'] if '/' in p['address'] and not p['physics']]) >= 1"
holds rich.map each 2

# All in one page: the same tiles, none of them a file.
run 0 tiles --json land.map -o one.html
json out "o['output'] == 'one.html' and o['tiles'] == $files and o['bytes'] == $bytes"
python3 - json one.html <<'PYTHON' || fail "the tiles in the page"
import base64, json, os, re, sys
sys.path.insert(0, os.environ['TEEMAP_SOURCE'] + '/tests/browser')
import pyramid
page = open(sys.argv[2], 'rb').read()
data, held = (json.loads(re.search(b'<script type="application/json" id="%s">(.*?)</script>' % name, page, re.DOTALL)[1]) for name in (b'data', b'tiles'))
assert data == pyramid.read_page(sys.argv[1])[1] and set(held) == {part['id'] for part in data['parts']}
for part in data['parts']:
    there = list(pyramid.tiles_of(part))
    assert len(there) == len(held[part['id']])
    for (level, x, y), digits in zip(there, held[part['id']]):
        with open('%s/tiles/%s/%d/%d_%d.png' % (sys.argv[1], part['id'], level, x, y), 'rb') as file:
            assert file.read() == base64.b64decode(digits)
PYTHON
teemap tiles -q land.map -o - >piped.html 2>err || fail "a page to a pipe"
same piped.html one.html

# What moves at several times, and what does not once.
run 0 tiles --json land.map -t times --times 3
json out "[p['folder'] for p in o['pyramids']] == ['0', '1', '2', '2.1', '2.2', '3', '4', '4-0']"
json out "[p['time'] for p in o['pyramids'] if p['address'] == '2'] == [0, 20000 / 3, 40000 / 3]"
diff -r times/tiles/2 json/tiles/2 || fail "the first time is another one"
! diff -rq times/tiles/2 times/tiles/2.1 >/dev/null || fail "nothing moves"
run 0 tiles --json land.map -t later --time 20000 --times 3 --layers 2
json out "[p['time'] for p in o['pyramids']] == [20000, 20000 + 20000 / 3, 20000 + 40000 / 3]"
run 0 new -s 20x10 still.map
run 0 tiles --json still.map -t still --times 64
json out "not any('.' in p['folder'] for p in o['pyramids'])"
run 0 tiles --json land.map -o times.html --times 3
json out "len(o['pyramids']) == 8"

# WebP, where there is libwebp: the same tiles.
if teemap tiles -q land.map -t webp --format webp 2>err; then
    diff <(cd webp && find tiles -type f | sort | sed 's/webp$/png/') <(cd json && find tiles -type f | sort) || fail "other tiles as WebP"
    [ "$(find webp/tiles/4 -name 0_0.webp -exec head -c 12 {} \; | tail -c 4)" = WEBP ] || fail "no WebP"
    run 0 tiles --json land.map -t lossy --format webp --quality 50 --layers design
    json out "o['bytes'] < $bytes"
else
    says err 'without WebP'
fi

# Another pyramid in the same folder: what the page does not list is not shown.
run 0 tiles -q rich.map -t one
[ "$(find one -name '*.png' | wc -l)" -gt "$(find rich -name '*.png' | wc -l)" ] || fail "old tiles are kept"
same one/index.html rich/index.html
no_litter

# What cannot be done is said in one line, before anything is written.
refused() {
    run 2 tiles "$@" -t refused
    lines err 1
    [ ! -e refused ] || fail "a folder after $*"
}
refused missing.map
refused land.map --limit 10M
says err 'teemap: land.map: ' 'more work than the limit of 10000000 pixels; --limit allows more'
refused land.map --times 65
refused land.map --times 0
refused land.map --scale 33
says err 'power of two'
refused land.map --scale 512
refused land.map --layers nobody
refused land.map --format raw
refused land.map --quality 50
run 2 tiles land.map
says err 'no output: give'
run 2 tiles land.map -t both -o both.html
says err 'use -o or -t, not both'
[ ! -e both ] && [ ! -e both.html ] || fail "something was written"
run 2 tiles land.map -o nowhere/one.html
run 2 tiles land.map rich.map -t two
python3 - <<'PYTHON' || fail "make large maps"
import os, sys
sys.path.insert(0, os.path.join(os.environ['TEEMAP_SOURCE'], 'tests', 'cli'))
import make_map
for side, layers in ((5000, 1), (2000, 80)):
    out = make_map.Writer()
    out.add(0, [1])
    out.add(4, [3, 0, 0, 100, 100, 0, layers + 1, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))
    make_map.WIDTH = make_map.HEIGHT = side
    make_map.tile_layer(out, 1, 'Game', bytes(4 * side * side))
    make_map.WIDTH = make_map.HEIGHT = 2
    for _ in range(layers):
        make_map.tile_layer(out, 0, 'Tiles', bytes([1, 0, 0, 0]) * 4)
    with open('%d.map' % side, 'wb') as file:
        file.write(out.bytes())
PYTHON
refused 5000.map --scale 256
says err 'room for more than 16 million tiles'
refused 2000.map --scale 32
says err 'more work than the limit of 20000000000 pixels'
no_litter

# A page whose visitors' browsers draw the map: no pictures (tests/browser/web_views.py opens it).
run 0 tiles land.map -t live --live 'js/view.js?"' --layers design --time 500
says out 'live/index.html: drawn by the browser, '
same live/live.map land.map
[ "$(find live -type f | wc -l)" = 2 ] || fail 'more than a page and the map'
says live/index.html 'src="js/view.js?&quot;"' '<teemap-view src="live.map" images="mapres" label="land" view="all" layers="design" time="500" motion>' "'wasm-unsafe-eval'"
run 0 tiles --json -t live --live /view.js land.map
json out "set(o) == {'path', 'output', 'bytes', 'findings', 'findings_unlisted'} and o['bytes'] == $(wc -c <land.map)"
for words in '--pack' '--times 3' '--each-layer' '-o x.html'; do
    # shellcheck disable=SC2086 # options
    run 2 tiles land.map --live view.js $words $([ "$words" != '-o x.html' ] && echo -t pyramid)
    says err '--live makes no tiles'
done
[ ! -e pyramid ] && [ ! -e x.html ] || fail 'something is written'

# Where writing fails.
printf 'a file\n' >file
run 2 tiles land.map -t file
lines err 1
run 2 tiles land.map -t file/below
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod a-w locked
    run 2 tiles land.map -t locked
fi
if on_posix; then # a full disk, and more that stands in the way: folders.sh
    mkdir -p linked/tiles/4/5 linked/tiles/4/0
    ln -s /dev/full linked/tiles/4/0/0_0.png
    cp rich/index.html linked/
    run 2 tiles land.map -t linked
    is err 'teemap: linked/tiles/4/0/0_0.png: is not a regular file; links are not followed'
    same linked/index.html rich/index.html
fi
no_litter
