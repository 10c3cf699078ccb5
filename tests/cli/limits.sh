#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What SECURITY.md promises of small files that ask for much: seconds of the processor, memory and output, with default limits.
# The maps are made here (hostile_maps.py tells what each does); they once took minutes, gigabytes, or both.
#
# test-labels: long
# test-timeout: 900
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
[ ${#emulator[@]} = 0 ] || skip "an emulator has other times"

mkdir maps
python3 "$cli_tests/hostile_maps.py" maps alternate teles runs quads large game commands sounds physics many_quads false_sizes points curves hard_quads || fail "hostile_maps.py"

# What lists, and never unpacks a layer.
for map in maps/*.map; do
    held 1 60 0 info "$map"
    held 1 60 0 ls "$map"
    held 1 60 0 info --json "$map"
done

# What changes maps unpacks a gigabyte, unless --memory says otherwise; turning this took 2.1 GB.
held 1 100 2 edit maps/game.map -o turned.map rotate 90
says err 'unpack' '; --memory allows more'
held 2 1200 2 unpack maps/many_quads.map half
says err 'the files have more than 100000000 bytes, the limit; see --limit'
[ ! -e half ] || fail 'half a folder'
held 1 1200 2 diff --json --memory 1M maps/commands.map maps/quads.map
says err 'changes and more take more than 4194304 bytes of memory; see --memory'

# What looks at every block, one at a time.
for map in maps/*.map; do
    held 10 1200 0 check "$map"
    held 10 1200 0 lint -q --fail-on error --severity '*=note' "$map"
done

# Images whose size is false: no room for pixels that are not there, and the rest is drawn. All pictures were refused.
mkdir false
held 2 60 0 render maps/false_sizes.map -o false/render.png
held 2 60 0 thumbnail maps/false_sizes.map -o false/thumbnail.png
held 2 60 0 tiles maps/false_sizes.map -t false/tiles
held 2 60 0 gallery --tiles maps/false_sizes.map -t false/gallery
held 2 60 0 animate maps/false_sizes.map -o false/moving.webp
held 2 60 0 lint --page false/page -q --fail-on error maps/false_sizes.map
held 2 60 0 extract maps/false_sizes.map -t false/extracted
held 2 60 0 unpack maps/false_sizes.map false/folder
held 2 60 0 pack false/folder false/packed.map
held 2 60 0 optimize maps/false_sizes.map -o false/small.map
held 2 60 0 embed -n maps/false_sizes.map
held 2 60 0 size maps/false_sizes.map
for picture in render thumbnail; do
    [ "$(wc -c <false/$picture.png)" -gt 300 ] || fail "nothing is drawn"
done
rm -r false

# Large data that many layers share, or of which they have equal copies, are looked at once: 16 and 10 seconds.
held 5 600 0 optimize -q maps/teles.map -o less.map
held 6 100 0 fix -q maps/alternate.map -o less.map

# Text: what is long is refused before it is unpacked, and --limit raises that.
held 1 100 2 cat --json maps/game.map 0/0
says err '268435456 tiles, the limit is 16000000; see --limit'
held 1 100 2 cat maps/runs.map 0/1
held 5 100 0 cat --json maps/quads.map 0/1
held 5 100 2 cat --limit 4999 maps/quads.map 0/1
says err '5000 quads, the limit is 4999; see --limit'
held 10 100 0 cat --json maps/alternate.map 0/1
json out "len(o['tiles']) == 1024 and o['tiles'][1023].split()[-1] == '2'"
held 5 100 2 cat --limit 1M maps/alternate.map 0/1

# Pictures: all trial views of a thumbnail, and the picture, together.
held 8 200 2 thumbnail maps/quads.map -o picture.png
says err 'the picture needs more work than the limit' '; --limit allows more'
[ ! -e picture.png ] || fail "half a picture was written"
held 5 512 0 thumbnail -s 3x200 maps/large.map -o picture.png # took 1.05 GB
held 8 512 2 thumbnail maps/game.map -o picture.png           # took 1.06 GB
says err 'a layer needs 1073741824 bytes when it is drawn' 'see --memory'
held 8 600 0 thumbnail maps/alternate.map -o picture4.png # a layer at a time, within --memory
for name in teles runs; do # what does not fit is known before anything is unpacked
    held 1 200 2 thumbnail maps/$name.map -o picture3.png
    says err 'memory_budget'
done
held 5 200 2 render --limit 500M maps/quads.map -o picture2.png
held 8 1200 0 render -s 200x200 maps/large.map -o picture2.png
# A frame has its share of the limit: these once took minutes, as only single frames had a limit.
held 3 300 2 animate maps/quads.map -o moving.apng
says err 'the picture needs more work than the limit' '; --limit allows more'
[ ! -e moving.apng ] || fail "half an animation was written"
held 3 300 2 animate --limit 100M --duration 4000 maps/quads.map -o moving.apng
says err '; --limit allows more'
# A page with pictures of 16 places took minutes: what takes too much work has none.
places=()
for x in 1 45 90 130; do for y in 1 30 60 90; do places+=(+ fill "tele@$x,$y+1x1" tele-in-evil:$((x + y))); done; done
run 0 edit maps/quads.map -o places.map extend right 140 + extend down 100 + add layer 0 tele "${places[@]}"
held 10 1200 0 lint -v --page places places.map
[ "$(find places -type f)" = places/index.html ] || fail "there are pictures"
rm -r places places.map
# Places: two million tiles without a neighbour of their kind gave a line, or an object, each: 312 MB.
python3 - "$cli_tests" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
make_map.WIDTH = make_map.HEIGHT = 2048
out = make_map.Writer()
out.add(0, [1])
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))
row = bytes([9, 0, 0, 0, 0, 0, 0, 0]) * 1024
make_map.tile_layer(out, 1, 'Game', (row + row[4:] + row[:4]) * 1024)
with open('checkers.map', 'wb') as file:
    file.write(out.bytes())
PYTHON
held 2 120 0 find 9 checkers.map
lines out 100000
is err 'teemap: checkers.map: and 1997152 more places; --places lists more'
held 2 300 0 find --json --places 7 9 checkers.map
json out "len(o['matches']) == 7 and o['matches_unlisted'] == 2097145 and o['patterns'][0]['places'] == 2097152"
# Versions of a list of a million commands: 152 MB for two, 457 MB for three; SECURITY.md promises 1.2 GB.
for side in ours theirs; do
    held 2 100 0 edit maps/commands.map -o "$side.map" settings add "sv_$side 1"
done
held 2 180 1 diff maps/commands.map ours.map
held 4 500 0 merge maps/commands.map ours.map theirs.map -o merged.map
rm ours.map theirs.map merged.map

# Two large versions of a layer are not unpacked at once, and of very many tiles that differ none is kept: 'diff' took 3.1 GB, 'merge' 5.1.
held 1 100 2 diff maps/quads.map maps/game.map
says err 'the two versions have 10000 and 1073741824 bytes, and 768000000 together are the limit; see --memory'
held 1 100 2 merge maps/quads.map maps/quads.map maps/game.map -o merged.map
held 10 1200 1 diff maps/quads.map maps/physics.map
held 10 1200 2 diff --memory 64M maps/quads.map maps/physics.map
says err 'elements differ and more' 'see --memory'
held 10 1200 0 edit maps/physics.map -o ours.map fill '0/0@5,5+3000x3000' 3
held 10 1200 0 edit maps/physics.map -o theirs.map fill '0/0@500,5+3000x3000' 5
held 10 1200 1 merge maps/physics.map ours.map theirs.map -o merged.map
held 10 1200 1 merge --partial maps/quads.map ours.map theirs.map -o merged.map

# 20 layers that share 512 MB, which were unpacked for each of them: 10 and 15 s. A drawing whose work is in single tiles: 20 s.
held 5 600 1 find 1 maps/teles.map
held 6 600 0 optimize maps/teles.map -o small.map
rm small.map
held 5 600 0 info --facts maps/teles.map
held 2 100 0 info --facts maps/sounds.map
held 8 1200 2 tiles maps/physics.map -t tiles
says err 'drawing all tiles needs more work than the limit'
[ ! -e tiles ] || fail "half a folder"

# 5,000 sounds that share 16 MB: these are packed once into a patch (10 minutes before), and not compared 5,000 times (30 s).
mkdir ours
python3 "$cli_tests/hostile_maps.py" -v 1 ours sounds || fail "hostile_maps.py"
rm -f changes.json merged.map
held 3 100 2 diff -v maps/quads.map maps/sounds.map -o changes.json
held 8 100 2 diff maps/sounds.map ours/sounds.map
says err 'objects that share data have more than 8192000000 bytes to compare, which is the limit; see --memory'
held 8 100 2 merge maps/quads.map maps/sounds.map ours/sounds.map -o merged.map
[ ! -e changes.json ] && [ ! -e merged.map ] || fail "half a file"
# Half a million conflicts: their list is bounded with what it refers to.
mkdir theirs
python3 "$cli_tests/hostile_maps.py" -v 1 ours quads && python3 "$cli_tests/hostile_maps.py" -v 2 theirs quads || fail "hostile_maps.py"
held 6 1150 2 merge --partial maps/quads.map ours/quads.map theirs/quads.map -o merged.map
says err 'conflicts take more than 256000000 bytes of memory; see --memory'
rm -r ours theirs

# Envelopes with common points. Each had a copy of its own: 256 MB for 'info', 1.5 GB for 'diff', 6.7 GB for 'merge', 780 MB of output.
mkdir ours theirs
python3 "$cli_tests/hostile_maps.py" -v 1 ours points curves && python3 "$cli_tests/hostile_maps.py" -v 2 theirs points curves || fail "hostile_maps.py"
for name in points curves; do
    held 1 60 0 info "maps/$name.map"
    held 3 400 2 diff "maps/$name.map" "ours/$name.map"
    says err 'changes and more take more than 256000000 bytes of memory; see --memory'
    held 3 400 2 diff --json --tiles "maps/$name.map" "ours/$name.map"
    held 3 400 2 diff "maps/$name.map" "ours/$name.map" -o changes.json
    [ ! -e changes.json ] || fail "half a patch"
    held 3 400 2 merge "maps/$name.map" "ours/$name.map" "theirs/$name.map" -o merged.map
    held 3 400 2 edit "maps/$name.map" -o edited.map set 'envelope/*.points[*].time=5'
    says err 'points together, the limit'
    held 3 100 0 edit "maps/$name.map" -o edited.map set 'envelope/7.points[*].time=5'
    [ "$(wc -c <edited.map)" -lt 2500000 ] || fail "common points are written more than once"
done
rm -r ours theirs edited.map

# The level of packing holds the time: 28 s at level 12, half a second at level 9.
held 5 300 0 optimize maps/hard_quads.map -o small.map
held 5 300 0 copy -z 12 maps/hard_quads.map small.map
rm small.map

# Texts: all is unpacked at most once in its limit, and what is longer is left out. This took 14 GB and 26 s; 340 MB of text.
held 2 100 0 git text maps/sounds.map
says out 'no text, the map is too large: unpacking the map takes more than 1000000000 bytes' 'sha256'
held 5 400 0 git text maps/many_quads.map
[ "$(wc -c <out)" -lt 101000000 ] || fail "more text than the limit"
says out '== map.json' '"teemap_folder": 1' 'left out: the text of the map is longer than the limit; see --limit'
held 1 100 2 unpack maps/sounds.map folder
says err 'unpacking the map takes more than 1000000000 bytes, the limit; see --limit'
[ ! -d folder ] || rmdir folder || fail "files were written"
no_litter
