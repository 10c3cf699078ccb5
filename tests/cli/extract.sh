#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap extract` and `teemap embed`: there and back, byte for byte; nothing is overwritten, nothing leaves the folder.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

pixel=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
base64 -d <<<"$pixel" >pixel.png
run 0 new plain.map
run 0 edit plain.map -o many.map add image one pixel.png + add image ../../one pixel.png + add image ONE pixel.png + \
    add image nul pixel.png + add image grass_main + add image '' pixel.png + settings add 'tune x 1'
mkdir maps maps/sub
cp many.map maps/a.map
cp many.map maps/sub/b.map

# Everything by name, below the folder, and a list of it.
run 0 extract -r -t all maps
empty out
[ "$(find all -type f | wc -l)" = 16 ] || fail "$(find all)"
[ "$(ls all/sub/b/images | sort | tr '\n' ' ')" = '_.._one.png _nul.png image.png one.png ONE-2.png ' ] ||
    [ "$(ls all/sub/b/images | wc -l)" = 5 ] || fail "$(ls all/sub/b/images)"
cmp -s all/a/images/one.png <(teemap cat many.map image/0) || fail 'one.png'
[ "$(cat all/a/settings.txt)" = 'tune x 1' ] || fail settings
python3 - <<'EOF' || fail 'list.json'
import json, os
o = json.load(open("all/a/list.json"))
names = [i["name"] for i in o["images"]]
assert names == ["one", "../../one", "ONE", "nul", "grass_main", ""], names
files = [i["file"] for i in o["images"]]
assert files[4] is None and len({f.lower() for f in files if f}) == 5
assert all(os.path.exists("all/a/" + f) for f in files if f)
json.dump(o, open("list.line", "w"))
EOF
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" extract-list list.line
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schema of list.json'

# Never over a file, unless told to.
echo mine >all/a/images/one.png
run 2 extract -r -t all maps
says err 'exists; -f replaces it'
[ "$(cat all/a/images/one.png)" = mine ] || fail 'a file was replaced'
run 0 extract -f --json -t all maps/a.map
json out "o['files'] == 8"
cp out extract.json
run 2 extract --json -t all nothing.map
cat out >>extract.json
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" extract extract.json
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schema of extract'

# Links lead nowhere. Those of Unix are none for wine.
if on_posix; then
    mkdir outside linked
    ln -s ../outside linked/a
    run 2 extract -f -t linked maps/a.map
    says err 'links are not followed'
    [ -z "$(ls outside)" ] || fail 'it wrote through a link'
    rm linked/a
    run 0 extract -t linked maps/a.map
    rm linked/a/images/one.png
    ln -s ../../../outside/x linked/a/images/one.png
    run 2 extract -f -t linked maps/a.map
    [ -z "$(ls outside)" ] || fail 'it wrote through a link to a file'
else
    run 0 extract -t linked maps/a.map
    rm linked/a/images/one.png
fi
run 2 extract maps/a.map
says err 'no output: give'
run 2 extract -t all -
says err 'no name'

# The way back: nothing changed, the same bytes; one picture changed, that one.
run 0 embed -r --from all -t back maps
cmp -s back/a.map maps/a.map && cmp -s back/sub/b.map maps/sub/b.map || fail 'there and back is another map'
run 0 edit many.map -o big.map resize images image/0
teemap cat big.map image/0 >all/a/images/one.png
run 0 embed --from all maps/a.map -n
says out 'other pixels, 16x16'
[ "$(wc -l <out)" = 1 ] || fail "$(cat out)"
run 0 embed --from all maps/a.map -o c.map
teemap ls c.map image/0 | grep -q 'embedded, 16x16' || fail 'embed'
echo junk >all/a/images/one.png
run 2 embed --from all maps/a.map -o d.map
says err 'image 0'
says err 'neither PNG nor WebP'
[ ! -e d.map ] || fail 'd.map'
run 2 embed --from linked many.map -o d.map
says err 'there is no file'
mkdir empty
run 2 embed --from empty many.map -o d.map
says err "in 'empty/many'" # it said 'many'
rmdir empty
run 2 embed --from nowhere many.map -o d.map
run 0 new bare.map # used to be refused: nothing embedded, and so nothing to take
run 0 extract -t nothing bare.map
run 0 embed --from nothing bare.map -o d.map
cmp bare.map d.map || fail 'there and back without an image is another map'
rm d.map

# Without --from: as the games find them.
mkdir mapres
cp pixel.png mapres/grass_main.png
run 0 embed many.map -o e.map --mapres mapres
teemap ls e.map image/4 | grep -q 'embedded, 1x1' || fail 'embed from mapres'
no_litter

corpus || { echo "no corpus: real maps were not tried"; exit 0; }
# An image with too few bytes for its size goes out as its bytes, and the way back was refused.
normandie=$TEEMAP_SHARED/corpus/vanilla06/infc_normandie-283f1e.map
run 0 extract -q -t short "$normandie"
[ "$(cd short/infc_normandie-283f1e/images && echo *)" = tilemap.bin ] || fail "the pixels of infc_normandie"
run 0 embed -q --from short -t short.same "$normandie"
cmp -s short.same/infc_normandie-283f1e.map "$normandie" || fail "infc_normandie is another map"
printf x >>short/infc_normandie-283f1e/images/tilemap.bin
run 2 embed -q --from short "$normandie" -o short.map
says err "image 0 'tilemap'" 'tilemap.bin' 'differs from the map'
[ ! -e short.map ] || fail "a map of other bytes"
run 0 extract -q -r -t real "$TEEMAP_SHARED/corpus/ddnet06"
run 0 embed -q -r --from real -t same "$TEEMAP_SHARED"/corpus/ddnet06/{gravity-a733ed,Multimap-912a57,skynet1-30fd90}.map
for map in gravity-a733ed Multimap-912a57 skynet1-30fd90; do
    cmp -s same/$map.map "$TEEMAP_SHARED/corpus/ddnet06/$map.map" || fail "$map is another map"
done
