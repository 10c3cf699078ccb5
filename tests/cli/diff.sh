#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap diff` and `teemap patch`: what changed is told in few lines or in full, is a patch, and the patch does it again,
# undoes it, and does to another map what fits.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map a.map
run 0 diff a.map a.map
empty out
cp a.map again.map
run 0 diff a.map again.map
run 0 diff --bytes a.map again.map # was 1, "the same map in other bytes"
run 0 diff --json --bytes a.map again.map
says out '"same_bytes":true'
run 0 copy a.map packed.map -z 1
run 0 diff a.map packed.map
run 1 diff --bytes a.map packed.map
says out 'the same map in other bytes'

# Each kind of change has its line, and the status is 1.
run 0 edit a.map -o b.map settings add 'sv_test 1' + set info.author=Anna + add group Signs + set 0.offset.x=77
run 1 diff a.map b.map
says out '1 object added' '1 server command' 'settings: + sv_test 1' "author" '"Anna"' "'Signs' added" 'offset.x' '-> 77'
run 1 diff --stat a.map b.map
lines out 1
run 1 diff --only settings a.map b.map
says out '1 server command'
says_not out Anna
run 0 diff --only images a.map b.map
run 2 diff --only nonsense a.map b.map
run 2 diff --only nonsense a.map a.map # of two files of one content: ended with 0
says err "neither map has 'nonsense'"
run 2 diff --only desing a.map b.map
says err "neither map has 'desing'; did you mean 'design'?"

# Parts of a layer.
run 0 edit a.map -o parts.map fill Game/0@1,1+4x1 9
run 1 diff --only Game/0@2,0+2x5 a.map parts.map
says out '2 tiles' 'at 2,1 2x1'
run 1 diff --only @3,1+9x9 a.map parts.map -o part.json
run 0 patch a.map part.json -o part.map
run 1 diff a.map part.map
says out "1 tile"
run 0 diff --only Game/0@0,2+9x9 a.map parts.map
run 2 diff --only Game/0@0,2+0x9 a.map parts.map
says err "the region '0,2+0x9' has no tile in it"

# A folder that cannot be made is named.
run 2 diff a.map parts.map --page a.map/page
says err 'teemap: a.map/page: cannot make the folder'

# The referee: settings count, decoration and names do not.
run 1 diff --physics a.map b.map
says out 'sv_test'
says_not out Signs
run 0 edit a.map -o looks.map set info.author=Anna + add group Signs
run 0 diff --physics a.map looks.map
empty out

# Teleporters with other numbers, one for one, lead where they led; checkpoints have an order.
run 0 edit a.map -o tele.map fill tele@0,0+2x1 'tele-in:3' + fill tele@2,0+1x1 'tele-out:3' + fill tele@3,0+1x1 'tele-checkpoint:1'
run 0 edit tele.map -o other.map renumber tele +10
run 0 diff --physics tele.map other.map
empty out
run 1 diff tele.map other.map
run 0 edit tele.map -o wrong.map fill tele@2,0+1x1 'tele-out:4'
run 1 diff --physics tele.map wrong.map
run 0 edit tele.map -o check.map fill tele@3,0+1x1 'tele-checkpoint:2'
run 1 diff --physics tele.map check.map
says out '    tele-checkpoint with other values 1'
# What became what, and nothing of it without --physics.
run 1 diff --physics a.map tele.map
says out '    tele-in with other values 2, tele-in -> tele-out 1, tele-in -> tele-checkpoint 1'
run 1 diff a.map tele.map
says_not out 'tele-in ->'

run 0 edit a.map -o comment.map settings add '# nothing'
run 0 diff --physics a.map comment.map
empty out

# JSON fits its schema.
run 1 diff --json --tiles a.map b.map
json out "not o['same'] and o['counts']['settings'] == 1 and any(c['kind'] == 'added' and c['name'] == 'Signs' for c in o['changes'])"
cp out diff.json
run 0 diff --json a.map a.map
cat out >>diff.json

# All numbers are of the new map. The tiles that Teeworlds reads in place of a tele layer's have frames, too.
run 0 new -s 20x12 quads.map
run 0 edit -i quads.map add group Deco + add layer Deco quads + add quad Deco/0 64,64 + add quad Deco/0 264,64 + add quad Deco/0 464,64 + add layer Game tele
run 0 edit quads.map -o front.map quads front 'Deco/0@1,1+4x4'
run 1 diff quads.map front.map
says out 'group 2, layer 0: quad 2 moved, now after quad 1'
run 0 unpack quads.map compat
row='"0*20",'
sed -i 's/"compat": 0,/"compat": ["0*5 7*3 0*12", '"$row$row$row$row$row$row$row$row$row$row"' "0*20"],/' compat/groups/Game/Tele.json
run 0 pack --plain compat compat.map
run 1 diff quads.map compat.map --page compat.page
says out '3 tiles of the copy for Teeworlds'
grep -q 'tiles added at 5,0 3x1' compat.page/index.html || fail 'the copy for Teeworlds has no frame'

# A picture: both maps side by side, fitted to what changed; where it shows, the picture of the same map twice has no frames.
built examples/example_landscape land.map || fail example_landscape
run 0 edit land.map -o land2.map fill 4/0@60,18+6x1 solid + fill 4/1@60,18+6x1 35 + clear 4@40,30+8x4
run 1 diff land.map land2.map --picture change.png
says out "group 4, layer 1 'Hills': 38 tiles in 2 places"
# 60,18 is at 400,80 of the left picture and of the right one: the middle of the line is green. The gap is gray.
run 1 diff land.map land2.map --picture change.png --region 40,10,40,24 --scale 20
png change.png 1608x480
png change.png 402 157 00be6eff
png change.png 1210 157 00be6eff
png change.png 804 100 404040ff
# Freeze is a blue tile with a flake: that of an installed game is half-transparent black, and looked like a hole.
run 0 edit land.map -o frozen.map fill '4/0@60,4+6x3' freeze
run 1 diff land.map frozen.map --picture change.png --region 40,0,40,24 --scale 20
python3 -c "
import sys
sys.path.insert(0, '$TEEMAP_SOURCE/tests/support')
import pngfile
width, height, pixels = pngfile.read('change.png')
red, green, blue = pixels[(84 * width + 808 + 402) * 4:][:3]
assert blue > red + 40 and blue > 120, (red, green, blue)" || fail 'freeze cannot be seen'
run 1 diff land.map land2.map --picture change.png --view 62,18 --size 400x200
png change.png 808x200
run 1 diff land.map land2.map --picture change.png --json
json out "o['picture'] == 'change.png'"
cat out >>diff.json
# A page, with what it says of itself; a folder that cannot be made is trouble.
run 1 diff land.map land2.map --page pages/one --json
json out "o['page'] == 'pages/one'"
cat out >>diff.json
[ -s pages/one/index.html ] && [ -s pages/one/1-before.png ] || fail 'the page is not there'
run 2 diff land.map land2.map --page land.map/under
run 0 diff --page pages/none land.map land.map
[ ! -e pages/none ] || fail 'pages/none was made'
run 0 diff --picture none.png land.map land.map
[ ! -e none.png ] || fail 'none.png was written'
run 1 diff --picture plain.png a.map b.map --only settings
says err 'no change has a place'
run 2 diff land.map land2.map --picture land2.map
says err 'pictures are .png'
run 2 diff land.map land2.map --picture -
run 2 diff land.map land2.map --picture x.png -o x.png
run 2 diff land.map land2.map --picture x.png --view 1,1 --view 2,2
run 2 diff land.map land2.map --picture x.png --scale 4096 --region 0,0,100000,5
# A picture that cannot be made is trouble, but what differs is told; it was not.
run 2 diff land.map land2.map --picture x.png --view nowhere
says out "layer 0 'Game': 38 tiles"
run 2 diff land.map land2.map --picture x.png --view nowhere --json
json out "not o['same'] and o['changes'] and o['error'] and o['picture'] is None"
# -f was taken without --page, and meant nothing.
run 2 diff land.map land2.map -f
says err 'force is for --page only'
[ ! -e x.png ] || fail 'x.png was written'

# A patch there and back, byte for byte.
run 1 diff a.map b.map -o change.json
json change.json "o['teemap_patch'] == 2 and len(o['sides']) == 2"
run 0 patch a.map change.json -o b2.map
run 0 diff b.map b2.map
run 1 patch b.map change.json -R -o a2.map
says err unknown-may-refer # objects that were added go, and the map has items that nobody knows
run 0 diff a.map a2.map
run 1 diff a.map b.map -o -
same out change.json
run 0 patch a.map change.json -n
says out 'sv_test 1'

# A map that was changed elsewhere takes the patch, too; what does not fit is told and nothing is written, unless partial.
run 0 edit a.map -o other.map add image somewhere + settings add 'say hello'
run 0 patch other.map change.json -o both.map
run 1 diff a.map both.map
says out 'sv_test 1' 'say hello' somewhere Signs
run 0 edit a.map -o unlike.map set info.author=Bert
run 1 patch unlike.map change.json -o refused.map
says err 'unlike.map: stays as it is, since not all of the patch fits; --partial does what fits'
run 1 patch -n unlike.map change.json
says err 'unlike.map: stays as it is'
says_not out 'nothing to change'
run 1 patch unlike.map change.json -o refused.map
says err 'patch-value' '"Bert"'
[ ! -e refused.map ] || fail 'refused.map was written'
run 1 patch unlike.map change.json -o partly.map --partial
run 1 diff --only settings,info unlike.map partly.map
says out 'sv_test 1'
says_not out Anna
run 0 patch unlike.map change.json -o some.map --only settings
run 0 patch a.map change.json --json -o c.map
cp out patch.json

# Folders: by name, also what only one has.
mkdir -p old/sub new/sub
cp a.map old/sub/x.map; cp b.map new/sub/x.map; cp a.map old/gone.map; cp a.map new/come.map; cp a.map old/same.map; cp a.map new/same.map
run 1 diff old new
says out 'come.map: only in the new folder' 'gone.map: only in the old folder' 'sub/x.map: '
says_not out same.map
run 2 diff --picture x.png old new
says err 'two folders'
run 2 diff old a.map
says err 'teemap: old: a folder cannot be compared with a map'
run 1 diff --json old new
cat out >>diff.json

# What teemap carries along unread is told, too: items of others, longer items, data that nothing uses. No patch holds it.
PYTHONDONTWRITEBYTECODE=1 python3 - "$cli_tests" strange.map <<'PYTHON' || fail 'strange.map'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
class Stranger(make_map.Writer):
    def bytes(self):
        self.items[self.types['stranger']][0][1][1] = 23
        self.items[3][0][1].append(5)
        self.add(99, [1, 2, 3])
        self.block(b'nobody')
        return super().bytes()
make_map.Writer = Stranger
with open(sys.argv[2], 'wb') as file:
    file.write(make_map.build(False))
PYTHON
run 1 diff a.map strange.map
is out '4 unread parts
unknown item of type 99, id 0: added, 12 bytes
unknown item of type 00112233-4455-6677-8899-aabbccddeeff, id 0: 1 of 8 bytes differ
item of type envelope, id 0, after the known ones: added, 4 bytes
data block 26, which no object uses: added, 6 bytes'
run 1 diff --stat strange.map a.map
is out 'a.map: 4 unread parts'
run 0 diff --only map,layers,settings a.map strange.map
run 0 diff --physics a.map strange.map
empty out
run 0 copy strange.map strange2.map -z 1
run 0 diff strange.map strange2.map
run 1 diff a.map strange.map --json
json out "not o['same'] and not o['changes'] and [u['kind'] for u in o['unread']] == ['item', 'item', 'words', 'data'] and o['unread'][3]['size'] == [None, 6]"
cat out >>diff.json
run 1 diff b.map strange.map -o part.json
says err 'strange.map: a patch does not hold what teemap does not read: 4 parts that differ are left out'
run 1 diff -q b.map strange.map -o part.json
empty err
run 1 patch b.map part.json -o almost.map
run 1 diff almost.map strange.map
lines out 5
run 1 diff a.map b.map -o part.json
empty err

# A map of another game, there and back: the result is that map, and no longer one of the first game.
run 0 new -f six.map
run 0 convert --to teeworlds07 six.map -o seven.map
run 1 diff six.map seven.map -o game.json
says out '-> teeworlds07'
run 0 patch six.map game.json -o seven2.map
run 0 diff seven.map seven2.map
run 0 patch -R seven.map game.json -o six2.map
run 0 diff six.map six2.map
# What diff prints as JSON tells people and programs, and is no patch.
run 1 diff --json a.map b.map
cp out told.json
run 2 patch a.map told.json -o c.map
is err "teemap: told.json: line 1, column 1: not a patch of 'teemap diff -o FILE': 'teemap_patch' is missing"

# Trouble is 2: no file, no map, no patch.
run 2 diff a.map missing.map
run 2 patch a.map a.map -o x.map
says err a.map
printf '{"teemap_patch": 2}' >broken.json
run 2 patch a.map broken.json -o x.map
says err "'sides' is missing"
printf '{"teemap_patch": 7}' >broken.json
run 2 patch a.map broken.json -o x.map
no_litter


# What is to be said of several objects in the same words is said once; it used to be a line for each of 60 layers.
run 0 edit land.map -o many.map add envelope color + add envelope color + add envelope color + add envelope color + set 'design.detail=true'
run 1 diff land.map many.map
says out '4 envelopes added (' ' layers: detail false -> true ('
says_not out "': detail false -> true"
run 1 diff many.map land.map
says out '4 envelopes removed ('
run 1 diff -v land.map many.map
says out "': detail false -> true"
says_not out ' envelopes added ('
# What went with something else is not told besides: a zoom of 20 used to become one of 0.
run 0 edit land.map -o zoom.map set '2.has_parallax_zoom=true' + set '2.parallax_zoom=20'
run 1 diff zoom.map land.map
says out 'has_parallax_zoom true -> false'
says_not out 'parallax_zoom 20'
run 1 diff -v zoom.map land.map
says out 'parallax_zoom 20 -> 0'
# Channels that an envelope does not have are no change of the envelope that anyone made, and it is said so.
run 0 edit land.map -o known.map add envelope position
run 0 edit known.map -o odd.map set 'envelope/*.points[*].values[3]=7'
run 1 diff known.map odd.map
says out '3 points in what no game reads' 'only in what no game reads'
says_not out ': values' 'quad'
run 0 edit known.map -o late.map set 'envelope/*.points[*].values[0]=77'
run 1 diff --stat known.map late.map
says out 'late.map: 3 points'
says_not out 'quad' 'no game'
run 1 diff -v known.map odd.map
says out ': values'

# Moved objects are told with new numbers only: "group 4, layer 1 moved to 4/1" had an old and a new group 4.
run 0 edit land.map -o fewer.map remove 2 + add group Decor + move 3/1 4/0
run 1 diff land.map fewer.map
says out "group 4, layer 0 'Hills' moved here from group 3"
run 0 edit land.map -o gone.map move 3/0 4/0 + remove 3
run 1 diff land.map gone.map
says out "group 3, layer 0 'Mountains' moved here from a removed group"
says_not out 'moved to'

# Patches of each kind of change fit their schema, too. One is a text of many lines and UTF-8.
one_line() { python3 -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1], encoding="utf-8"))))' "$1"; }
one_line change.json >patches.json
add_patch() { # OLD NEW
    run 1 diff "$1" "$2" -o whole.json
    one_line whole.json >>patches.json
}
add_patch land.map land2.map
run 0 edit land.map -o land3.map set 1/0.quads[3].colors[0]=#ff8000ff + remove 2/1 + move 3 1 + add envelope color + remove image/0 + set info.author=Anna
add_patch land.map land3.map
add_patch land3.map land.map
if corpus; then
    add_patch "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-98f7a9.map" "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-d1a1bb.map"
    add_patch "$TEEMAP_SHARED/corpus/ddnet06/coverage-831c1a.map" "$TEEMAP_SHARED/corpus/ddnet06/coverage-88a73f.map"
fi
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" diff diff.json edit patch.json patch patches.json
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schemas of diff and patch'

if corpus; then
    # Two releases of one map, packed images for external ones; and what a person should see of it in ten seconds.
    run 1 diff "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-98f7a9.map" "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-d1a1bb.map"
    lines out 5
    says out "'desert_main'" 'external true -> false'
    run 0 diff --physics "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-98f7a9.map" "$TEEMAP_SHARED/corpus/ddnet06/Gold_Mine-d1a1bb.map"
fi
exit 0
