#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap gallery`: which files are made, what a further run makes, what stops nothing, where nothing is written.
# The pages are tested in a browser: gallery_page.sh.
# test-labels: threads
# test-timeout: 300
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

built examples/example_landscape land.map || fail "example_landscape"
run 0 new -s 20x10 small.map
mkdir -p maps/sub
cp land.map maps/a.map
cp small.map maps/sub/a.map
cp small.map maps/sub/c.MAP
run 0 gallery --no-animations maps -t site
is out 'site: 3 maps, 3 made, 0 up to date'
empty err
[ "$(cd site && find . -type f | sed 's/-[0-9a-f]\{16\}/-ID/' | sort | tr '\n' ' ')" = \
    './gallery.css ./gallery.js ./index.html ./map_page.js ./maps.js ./maps/a-ID-large.png ./maps/a-ID-large.png ./maps/a-ID-whole.png ./maps/a-ID-whole.png ./maps/a-ID.html ./maps/a-ID.html ./maps/a-ID.png ./maps/a-ID.png ./maps/c-ID-large.png ./maps/c-ID-whole.png ./maps/c-ID.html ./maps/c-ID.png ' ] ||
    fail files
# The pictures are those of `teemap thumbnail`.
run 0 thumbnail maps/a.map -o land.png
same land.png "$(grep -l '100 &times; 44' site/maps/a-*.html | sed 's/html$/png/')"
# The whole map, in the size of the page. (The page showed the best view alone.)
run 0 render --fit -s 1080x675 land.map -o whole.png
same whole.png "$(grep -l '100 &times; 44' site/maps/a-*.html | sed 's/.html$/-whole.png/')"
says "$(grep -l '100 &times; 44' site/maps/a-*.html)" '<figcaption>The whole map</figcaption>'
# The list is what its JSON says, in the order of the paths.
rows() { sed -n 's/,$//; /^{/p' site/maps.js >rows.json; }
rows
lines rows.json 3
head -n 1 rows.json >row.json
json row.json "o['name'] == 'a' and o['folder'] == '' and (o['width'], o['height']) == (100, 44) and o['picture'] == 'png' and o['broken'] is None"
json row.json "o['bytes'] == $(stat -c %s land.map) and o['author'] == 'teemap' and o['game'] == 'ddnet' and 'quads' in o['features']"
sed -n 2p rows.json >row.json
json row.json "o['folder'] == 'sub'"

# Threads change nothing, and neither does where the site stands.
run 0 gallery --no-animations -j 1 maps -t one
run 0 gallery --no-animations -j 3 maps -t deep/three/
diff -r site one || fail "one thread"
diff -r site deep/three || fail "three threads"

# What has not changed is kept; what has is made again, and no more.
states() { python3 -c "
import json
print(*(json.loads(line)['state'] for line in open('out')))"; }
expect() { # STATES OPTION...
    local expected=$1
    shift
    run 0 gallery --no-animations --json maps -t site "$@"
    [ "$(states)" = "$expected" ] || fail "expected $expected, got $(states): gallery $*"
}
sleep 0.1
touch site/maps/*
expect 'kept kept kept'
diff -r site one || fail "the same maps, another site"
expect 'made made made' -f
expect 'made made made' --size 180x100
png "$(echo site/maps/c-????????????????.png)" 180x100
png "$(echo site/maps/c-*-large.png)" 360x200
expect 'made made made'
# By the hash: a newer file that is the same is no change, and is not even looked at the next time.
sleep 0.1
touch maps/*.map
expect 'kept kept kept'
[ "$(echo site/maps/a-*.html | xargs -n 1 | xargs stat -c %Y | sort -n | tail -n 1)" -ge "$(stat -c %Y maps/a.map)" ] || fail 'a page that stays old'
sleep 0.1
cp small.map maps/a.map
expect 'made kept kept'
# A picture that is gone, a page that is gone, a page that somebody wrote.
rm "$(echo site/maps/c-????????????????.png)"
expect 'kept kept made'
rm "$(echo site/maps/c-*-large.png)"
expect 'kept kept made'
rm "$(echo site/maps/c-*.html)"
expect 'kept kept made'
sed -i 's/"name":"c"/"name":5/' site/maps/c-*.html
expect 'kept kept made'
printf '<meta name="generator" content="teemap gallery"><script type="application/json" id="record">[1,2</script>' >"$(echo site/maps/c-*.html)"
expect 'kept kept made'
# WebP, where there is libwebp; the PNG goes.
if teemap gallery --no-animations -q maps -t site --format webp --quality 60 2>err; then
    [ "$(find site -name '*.png' | wc -l) $(find site -name '*.webp' | wc -l)" = '0 9' ] || fail 'png and webp'
fi
run 0 gallery --no-animations -q maps -t site
empty out
[ "$(find site -name '*.png' | wc -l) $(find site -name '*.webp' | wc -l)" = '9 0' ] || fail 'webp is left'
# Maps that are not found stay, whatever the reason is; --prune removes them, but only where all could be read. Somebody's own files stay.
# (A mistyped or empty folder left a gallery of 0 maps, and a closed pipe deleted the pages that were not reached.)
cp -r site whole
stays() { # STATUS WORD... -- OPERAND...
    local status=$1 words=()
    shift
    while [ "$1" != -- ]; do words+=("$1") && shift; done
    shift
    run "$status" gallery --no-animations "$@" -t site
    cat out err >talk
    says talk "${words[@]}"
    [ "$(find site -type f | wc -l)" = "$(find whole -type f | wc -l)" ] || fail "files are lost: gallery $*"
    rows
    lines rows.json 3
}
mkdir -p hollow
for option in --no-animations --prune; do
    stays 2 'mapz: no such file' -- mapz $option
    stays 2 'no *.map file' '3 not found: kept' -- hollow $option
    stays 2 'no *.map file' '2 not found: kept' -- hollow maps/a.map $option
    if [ "$(id -u)" != 0 ]; then
        mkdir -p closed && cp small.map closed/ && chmod 000 closed
        stays 2 closed -- closed maps $option
        chmod 755 closed
    fi
done
stays 0 '2 not found: kept, --prune removes them' -- maps/a.map
for _ in 1 2; do
    teemap gallery -f --no-animations --json maps -t site 2>err | true
    [ "${PIPESTATUS[0]}" != 0 ] || [ "$(find site/maps -newer err -name '*.html' | wc -l)" = 3 ] || fail 'status 0 after a closed pipe'
done
run 0 gallery --no-animations maps -t site
diff -r whole site || fail 'a gallery changed by runs that could not read its maps'
# A map that cannot be read now was not broken before.
if [ "$(id -u)" != 0 ]; then
    chmod 000 maps/a.map
    run 2 gallery -f --no-animations maps -t site
    says out '1 failed'
    chmod 644 maps/a.map
    rows
    says_not rows.json 'broken":"'
    run 0 gallery -f -q --no-animations maps -t site
fi
printf 'mine' >site/maps/mine.html
printf 'mine' >site/notes.txt
rm maps/sub/c.MAP
run 0 gallery --no-animations maps -t site --prune
is out 'site: 2 maps, 0 made, 2 up to date'
[ "$(find site/maps -type f | wc -l)" = 9 ] || fail 'files of a map that is gone'
[ "$(cat site/maps/mine.html site/notes.txt)" = minemine ] || fail "somebody's files"
rows
lines rows.json 2
# Images that have come.
PYTHONPATH=$cli_tests python3 - <<'PYTHON' || fail "a map without its image"
import make_map
text = make_map.Writer.text
make_map.Writer.text = lambda self, content: text(self, 'xyz_none' if content == 'grass_main' else content)
open('maps/b.map', 'wb').write(make_map.build(False))
PYTHON
run 0 gallery --no-animations -q maps -t site
says "$(echo site/maps/b-*.html)" 'xyz_none' 'no game ships it'
expect 'kept kept kept'
cp land.png maps/xyz_none.png
expect 'kept made kept'
says_not "$(echo site/maps/b-*.html)" 'no game ships it'

# A broken map stops nothing, is shown with the reason, and ends with 1, each time.
head -c 300 land.map >maps/cut.map
printf 'no map\n' >maps/text.map
for _ in 1 2; do
    run 1 gallery --no-animations maps -t site
    says out ' 2 broken'
    says err 'maps/cut.map: the file ends' 'maps/text.map: not a map file'
    rows
    lines rows.json 5
    grep '"name":"text"' rows.json >row.json
    json row.json "o['picture'] is None and o['broken'] == 'this is not a map file' and o['width'] == 0"
    # (Visitors read of the bytes that a file begins with, and of "its size word".)
    says "$(echo site/maps/text-*.html)" 'this is not a map file.</p>' 'refused'
    says "$(echo site/maps/cut-*.html)" 'the file is damaged or not complete.</p>'
    sed '1,/<body/d' site/maps/cut-*.html >body
    says_not body '300 of' 'inside its'
done 2>/dev/null
run 1 gallery --no-animations --json maps -t site
[ "$(python3 -c "
import json
print(*(o['path'] for o in map(json.loads, open('out')) if o['broken']))")" = 'maps/cut.map maps/text.map' ] || fail 'broken maps in JSON'
rm maps/cut.map maps/text.map
# Two first runs at once. (The second one took the files of the first one for somebody's own.)
teemap gallery --no-animations -q maps -t both1 &
first=$!
teemap gallery --no-animations -q maps -t both1 || fail 'a second first run'
wait $first || fail 'a first run'
run 0 gallery --no-animations -q maps -t both2
diff -r both1 both2 || fail 'two first runs at once'
mkdir begun && touch begun/.teemap-0123456789abcdef.tmp begun/gallery.css
run 0 gallery --no-animations -q maps -t begun
rm begun/.teemap-*

# Maps of two folders with the same place below these, and one map alone; no file is listed twice.
mkdir again && cp maps/a.map again/a.map
run 0 gallery --no-animations maps again maps/sub ./maps land.map land.map -t twins
says out 'twins: 5 maps, 5 made'
[ "$(find twins/maps -name '*.html' | wc -l)" = 5 ] || fail 'twins'

# -r is what other commands want for folders; tiles of maps that are gone go, somebody's own stay, and so does what links lead to.
run 0 gallery -r --no-animations -q --tiles maps -t tiled
[ "$(ls tiled/tiles | wc -l)" = "$(ls tiled/maps/*.html | wc -l)" ] || fail 'pages of tiles'
mkdir -p tiled/tiles/mine away
printf 'mine' >tiled/tiles/mine/index.html
printf 'mine' >away/0_0.png
first=$(ls tiled/tiles | head -n 1)
on_posix && ln -s ../../../away "tiled/tiles/$first/away" # wine takes such links for folders
printf 'mine' >"tiled/tiles/$first/notes.txt"
mkdir none
cp small.map none/other.map
run 0 gallery --no-animations -q --tiles none -t tiled
[ "$(ls tiled/tiles | wc -l)" -gt 3 ] || fail 'tiles of maps that were not found are gone'
run 0 gallery --no-animations -q --tiles none -t tiled --prune
[ "$(cd tiled/tiles && find . -type f ! -path './other-*' | sort | tr '\n' ' ')" = "./$first/notes.txt ./mine/index.html " ] || fail "tiles of maps that are gone: $(find tiled/tiles)"
[ "$(cat away/0_0.png)" = mine ] || fail 'a link was followed'

# Somebody's folder is not written to, unless told; no link leads out.
mkdir other
printf 'mine' >other/index.html
run 2 gallery --no-animations maps -t other
says err 'teemap: other: holds other files and no gallery; use -f'
[ "$(ls other)" = index.html ] || fail 'something was written'
run 0 gallery --no-animations maps -t other -f
says other/index.html 'content="teemap gallery"'
mkdir empty target
run 0 gallery --no-animations -q maps -t empty
on_posix || skip 'the rest is about links, which wine does not see; everything before it passed'
ln -s ../target empty2 && mkdir linked && ln -s ../target linked/maps
run 2 gallery --no-animations maps -t linked -f
says err 'nothing is written outside'
for name in index.html maps.js gallery.css; do
    rm empty/$name
    ln -s ../target/$name empty/$name
    run 2 gallery --no-animations maps -t empty -f
    says err "empty/$name: is a link or a folder"
    rm empty/$name
done
run 0 gallery --no-animations -q maps -t empty -f
page=$(echo empty/maps/b-*.html)
rm "$page" && ln -s ../../target/page "$page"
run 2 gallery --no-animations maps -t empty
says err "$page: is a link or a folder"
[ -z "$(ls target)" ] || fail 'something was written through a link'

# The maps themselves, for download, and not when that is not wanted any more; human words for games, features and findings.
mkdir offered
cp land.map offered/land.map
cp "$TEEMAP_SHARED/review/inputs/announce-tiles.map" offered/ 2>/dev/null || true
teemap gallery --no-animations -q --downloads offered -t offers 2>err || true
same land.map "$(echo offers/maps/land-*.map)"
says "$(echo offers/maps/land-*.html)" 'download="land.map">Download (' '>DDNet<' '<dt>File size</dt>' '<dt>Date</dt>' "author%3A%22teemap%22"
says_not "$(echo offers/maps/land-*.html)" 'crude-sizes' '<th scope="col">What'
says offers/maps.js '"written":' '"teleporters"' '"Teeworlds 0.7"'
teemap gallery --no-animations -q --downloads --viewer 'v.html?a=<"b">' offered -t offers 2>err || true
says "$(echo offers/maps/land-*.html)" 'id="viewer" href="v.html?a=&lt;&quot;b&quot;&gt;">'
teemap gallery --no-animations -q offered -t offers 2>err || true
[ -z "$(find offers -name '*.map')" ] || fail 'a download is left'

# Maps that the visitor's browser draws: copied, with a thumbnail and no other picture, and back again.
teemap gallery -q --live 'modules/view.js?"' offered -t offers 2>err || true
same land.map "$(echo offers/maps/land-*.map)"
[ "$(ls offers/maps | grep -c 'land-')" = 3 ] || fail 'more than a page, a thumbnail and the map'
says "$(echo offers/maps/land-*.html)" '<script type="module" src="../modules/view.js?&quot;"></script>' '<teemap-view src="land-' 'label="land" motion><figure><img ' "'wasm-unsafe-eval'; connect-src 'self'"
says_not "$(echo offers/maps/land-*.html)" 'Download ('
teemap gallery -q --live /view.js --no-animations --layers design offered -t offers 2>err || true
says "$(echo offers/maps/land-*.html)" 'src="/view.js"' 'layers="design"><figure>'
teemap gallery --no-animations -q offered -t offers 2>err || true
says_not "$(echo offers/maps/land-*.html)" 'teemap-view' 'wasm' 'module'
[ -z "$(find offers -name '*.map')" ] || fail 'a map is left'

# What lint finds, in sentences. (The page named findings of the file alone.)
run 0 edit land.map -o offered/faulty.map settings add bogus_command
teemap gallery --no-animations -q offered -t offers 2>err || true
says "$(echo offers/maps/faulty-*.html)" '<h2>Problems</h2>' '<td>A setting is not a command that servers accept from maps.</td>'
says_not "$(echo offers/maps/land-*.html)" '<h2>Problems</h2>'

# Mistakes.
run 2 gallery --no-animations maps
says err 'give -t SITE'
run 2 gallery --no-animations maps -t land.map
says err 'is not a folder'
run 2 gallery --no-animations - -t site <land.map
says err 'standard input has no name'
run 2 gallery --no-animations nowhere maps -t fresh
[ ! -e fresh ] || fail 'a gallery of what was mistyped'
run 2 gallery --no-animations maps -t site --quality 50
run 2 gallery --no-animations maps -t site --format raw
run 2 gallery --no-animations maps -t site --viewer v.html
says err 'use --viewer with --downloads'
mkdir nothing
run 2 gallery --no-animations nothing -t none
says err 'no *.map file'
run 0 gallery --no-animations maps -t titled --title '<b>Our "maps" & more</b>'
says titled/index.html '<title>&lt;b&gt;Our &quot;maps&quot; &amp; more&lt;/b&gt;</title>'
no_litter

# A map that moves has a small animation, where there is libwebp; one that does not has none.
mkdir moving
cp land.map moving/land.map
cp small.map moving/small.map
run 0 gallery moving -t moves
if teemap render -q land.map -s 64x36 -o land.webp 2>err; then
    [ "$(cd moves/maps && echo *-moves.webp | sed 's/-[0-9a-f]\{16\}/-ID/')" = land-ID-moves.webp ] || fail 'animations'
    [ "$(stat -c %s moves/maps/land-*-moves.webp)" -lt 300000 ] || fail 'a large animation'
    [ "$(head -c 16 moves/maps/land-*-moves.webp | tail -c 8)" = WEBPVP8X ] || fail 'no animated WebP'
    says "$(echo moves/maps/land-*.html)" '<summary>Show animation</summary>' '-moves.webp'
    says_not "$(echo moves/maps/small-*.html)" 'Show animation'
    says moves/maps.js '"moves":true' '"moves":false'
    rm moves/maps/*-moves.webp
    run 0 gallery moving -t moves
    is out 'moves: 2 maps, 1 made, 1 up to date'
    run 0 gallery moving -t moves --no-animations
    [ "$(find moves -name '*-moves*')" = '' ] || fail 'an animation is left'
fi

# Pages to look around in the maps; their tiles are those of `teemap tiles`.
run 0 gallery moving -t look --tiles --no-animations
run 0 tiles -q land.map -t land
diff -r land look/tiles/land-* || fail 'other tiles'
says "$(echo look/maps/land-*.html)" "href=\"../tiles/$(basename look/tiles/land-*)/index.html\""
run 0 gallery moving -t look --tiles --no-animations
is out 'look: 2 maps, 0 made, 2 up to date'
rm look/tiles/land-*/index.html
run 0 gallery moving -t look --tiles --no-animations
is out 'look: 2 maps, 1 made, 1 up to date'
rm -r look/tiles/land-*
ln -s "$work/target" "look/tiles/$(basename look/maps/land-*.html .html)"
run 2 gallery moving -t look --tiles --no-animations
says err 'is a link or a folder'
[ -z "$(ls target)" ] || fail 'tiles were written through a link'
# Nor through links further below.
for part in index.html tiles 'tiles/*' 'tiles/*/0'; do
    rm -rf look/tiles/land-*
    run 0 gallery moving -t look --tiles --no-animations -f
    part=$(echo look/tiles/land-*/$part | cut -d ' ' -f 1)
    [ -e "$part" ] || fail "there is no $part"
    rm -r "$part"
    ln -s "$work/target$([ "${part##*.}" = html ] && echo /page)" "$part"
    run 2 gallery moving -t look --tiles --no-animations -f
    says err "$part: is a link or a folder"
    [ -z "$(ls target)" ] || fail "tiles were written through the link $part"
done

# A layer that is damaged and would move: a picture without it, no animation of it, and no broken map.
mkdir damaged
run 0 edit land.map -o damaged/hills.map set 4/1.color_envelope=envelope/0
PYTHONPATH=$TEEMAP_SOURCE/tests/support python3 - damaged/hills.map <<'PYTHON' || fail 'no damage'
import struct, sys
import datafile
file = datafile.Datafile(sys.argv[1])
data = bytearray(file.bytes)
for at, kind, number, body in file.items():
    ints = struct.unpack('<%di' % (len(body) // 4), body)
    if kind == datafile.TYPE_LAYER and ints[1] == datafile.LAYER_TILES and ints[6] == 0:
        begin, end = (file.data_at + offset for offset in file.data_offsets[ints[14]:ints[14] + 2])
        data[begin:end] = bytes(end - begin)
assert data != file.bytes
open(sys.argv[1], 'wb').write(data)
open('damaged/black.map', 'wb').write(file.bytes[:file.data_at + 10])
PYTHON
run 1 render damaged/hills.map -o hills.png
run 1 animate damaged/hills.map -s 64x36 --max-time 1000 -t frames
run 1 gallery damaged -t hills
says err "damaged/hills.map: the map is damaged" 'damaged/black.map: it is damaged, and none of its layers can be drawn'
sed -n 's/,$//; /^{.*"hills"/p' hills/maps.js >row.json
json row.json "o['broken'] is None and o['picture'] == 'png'"
# Where nothing is left the gallery had a black picture, and a thumbnail was said to lack images.
sed -n 's/,$//; /^{.*"black"/p' hills/maps.js >row.json
json row.json "o['broken'] == 'the file is damaged or not complete' and o['picture'] is None"
[ -z "$(find hills -name 'black*.png')" ] || fail 'black pictures of a damaged map'
run 1 thumbnail damaged/black.map -o black.png
says err 'nothing of the map can be drawn: it is damaged'

# Real maps, all of them.
if corpus; then
    run 1 gallery --json -s 90x56 "$TEEMAP_SHARED/corpus" -t real
    python3 - <<'PYTHON' || fail 'real maps'
import json
rows = [json.loads(line) for line in open('out')]
assert len(rows) > 80 and all(row['state'] == 'made' for row in rows)
broken = [row['path'] for row in rows if row['broken']]
assert len(broken) == 1 and 'TestOut' in broken[0], broken
PYTHON
fi
