#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap merge`: what two versions have done to a map is in the result; conflicts are told, keep the result from being written,
# and are settled by words.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map base.map
run 0 edit -i base.map add group Signs + add layer Signs tiles 20x20
run 0 edit base.map -o mine.map settings add 'say a' + fill 'Signs/0@1,1+2x2' 5 + set Signs.offset.x=5
run 0 edit base.map -o hers.map settings add 'say b' + fill 'Signs/0@7,7+2x2' 6 + set info.author=Anna

# Nothing touches: both are in it, and it does not matter who is called ours.
run 0 merge base.map mine.map hers.map -o both.map
empty out
empty err
run 1 diff base.map both.map
says out '8 tiles' '2 fields' '2 server commands' 'say a' 'say b' 'Anna' 'offset.x 0 -> 5'
run 0 merge base.map hers.map mine.map -o other.map
run 0 diff both.map other.map
run 0 merge -v base.map mine.map hers.map -o both.map
says err 'mine.map' 'say b' '(merge)'
run 0 merge -n base.map mine.map hers.map
says out 'say b' 'author'
says_not out 'say a'

# One side has not changed: the other one, byte for byte.
run 0 merge base.map mine.map base.map -o same.map
cmp mine.map same.map || fail "merge(b, x, b) is not x"
run 0 merge base.map base.map mine.map -o same.map
cmp mine.map same.map || fail "merge(b, b, x) is not x"
run 0 copy -z 1 base.map packed.map
run 0 merge base.map packed.map base.map -o same.map
cmp packed.map same.map || fail "merge(b, x, b) is not x, where packing alone differs"
run 0 merge base.map base.map packed.map -o same.map
cmp packed.map same.map || fail "merge(b, b, x) is not x, where packing alone differs"
cp mine.map copy.map
run 0 merge base.map copy.map hers.map -i
run 0 diff both.map copy.map

# Groups of one name with a layer each: decor went, and ground was drawn on. Matched by their order, the tiles of decor went into ground,
# with status 0.
run 0 new -s 60x30 fg.map
run 0 edit -i fg.map add group fg + add layer 2 tiles + set 2/0.name=decor + fill 2/0@5,5+5x4 3 \
    + add group fg + add layer 3 tiles + set 3/0.name=ground + fill 3/0@5,15+50x10 7
run 0 edit fg.map -o ground.map remove 2 + fill 2/0@6,16+2x2 8
run 0 edit fg.map -o decor.map fill 2/0@20,2+2x2 5
run 1 diff fg.map ground.map
says out '2 objects removed, 4 tiles' "layer 0 'decor' removed" "layer 0 'ground': 4 tiles in 1 place at 6,16 2x2"
run 1 merge fg.map decor.map ground.map -o fg_both.map
says err "'decor' was removed by theirs and changed by ours"
[ ! -e fg_both.map ] || fail "a map is written in spite of the conflict"
run 0 edit fg.map -o nameless.map set 2.name= + set 3.name= + set 2/0.name= + set 3/0.name=
run 0 edit nameless.map -o ground.map remove 2 + fill 2/0@6,16+2x2 8
run 1 diff nameless.map ground.map
says out '2 objects removed, 4 tiles'

# What teemap does not read is no part of the maps that are merged: the file that changed is taken, or it is told what is left out.
PYTHONDONTWRITEBYTECODE=1 python3 - "$cli_tests" <<'PYTHON' || fail 'maps with an unknown item'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
class Stranger(make_map.Writer):
    number = 0
    def bytes(self):
        if self.number:
            self.add(99, [1, 2, self.number])
        return super().bytes()
make_map.Writer = Stranger
for name, Stranger.number in ('known', 0), ('strange', 1), ('stranger', 2):
    with open(name + '.map', 'wb') as file:
        file.write(make_map.build(False))
PYTHON
for order in 'strange known' 'known strange'; do
    # shellcheck disable=SC2086 # two words
    run 0 merge known.map ${order/ /.map }.map -o same.map
    cmp strange.map same.map || fail "an item that teemap does not read is lost: $order"
    says_not err 'left out'
done
run 1 merge known.map strange.map stranger.map -o same.map
cmp strange.map same.map || fail 'what teemap does not read is not as in OURS'
says err 'stranger.map: a merge does not hold what teemap does not read: 1 part that differs is left out'
run 1 merge --json known.map strange.map stranger.map -n
json out "o['left_out'] == 1"

# Tiles of one layer, and nothing else, on both sides: told, and -i writes what -o does.
run 0 edit base.map -o left.map fill 'Signs/0@1,1+2x2' 5
run 0 edit base.map -o right.map fill 'Signs/0@7,7+2x2' 6
run 0 merge base.map left.map right.map -o tiles.map
run 1 diff left.map tiles.map
says out '4 tiles'
for options in "" --theirs --ours --union --mark; do
    cp left.map copy.map
    run 0 merge base.map copy.map right.map -i $options
    same tiles.map copy.map
done
run 0 merge -n base.map left.map right.map
says out '4 tiles' '(merge)'
! grep -E '(group [0-9]+, layer [0-9]+).*\1' out || fail 'a place is named twice'
says_not out 'nothing to change'
run 0 merge -v base.map left.map right.map -o copy.map
says err '4 tiles' '(merge)'
run 0 merge --json base.map left.map right.map -n
json out "len(o['changes']) == 1"
# What ours has already is not brought, and the file is not touched.
touch -d 2020-01-01 tiles.map
run 0 merge -v base.map tiles.map right.map -i
says err 'nothing to change'
[ "$(date -r tiles.map +%Y)" = 2020 ] || fail "a map in which nothing changes was written"

# Conflicts: told, nothing written, status 1.
run 0 edit base.map -o a.map settings add 'sv_deepfly 0' + set Signs.offset.x=5 + fill 'Signs/0@1,1+3x3' 5 + rename Signs Ours
run 0 edit base.map -o b.map settings add 'sv_deepfly 1' + set Signs.offset.x=7 + fill 'Signs/0@2,2+3x3' 6
run 1 merge base.map a.map b.map -o ab.map
says err 'conflict: settings: "sv_deepfly 0" in ours and "sv_deepfly 1" in theirs' 'offset.x is 5 in ours, 7 in theirs, was 0' \
    'both changed 4 tiles at 2,2 2x2' '3 conflicts; no map is written'
[ ! -e ab.map ] || fail "a map with conflicts was written"
run 1 merge base.map a.map b.map -o ab.map --partial
says err 'a.map: 3 conflicts; ab.map is written and is as in OURS there'
run 1 diff base.map ab.map
says out 'sv_deepfly 0' 'offset.x 0 -> 5' '"Ours"'

# Settled: all of them, or by words, which win over none.
run 0 merge base.map a.map b.map -o ab.map --theirs
run 1 diff base.map ab.map
says out 'sv_deepfly 1' 'offset.x 0 -> 7'
run 0 merge -v base.map a.map b.map -o ab.map --ours=settings --theirs --ours=groups
says err 'settled (ours): settings' 'settled (theirs): ' 'settled (ours): group'
run 1 diff base.map ab.map
says out 'sv_deepfly 0' 'offset.x 0 -> 5'
run 1 merge base.map a.map b.map -o ab.map --union
says err 'offset.x' 'tiles'
says_not err 'sv_deepfly'
run 2 merge base.map a.map b.map -o ab.map --theirs=nonsense
says err "neither map has 'nonsense'"

# Left in the map for the editor: what both changed as layers in front of the one it is in, other things beside.
run 1 merge base.map a.map b.map -o marked.map --mark
says err "marked.map is written and has both versions there, called '<<< ours' and '>>> theirs', or comments"
run 0 check -q marked.map
run 0 ls marked.map
says out "'<<< ours'" "'>>> theirs'"
run 0 cat marked.map settings
says out 'sv_deepfly 0' '# conflict: settings: "sv_deepfly 0" in ours and "sv_deepfly 1" in theirs'
run 0 merge base.map mine.map hers.map -o unmarked.map --mark
same both.map unmarked.map

# What has no layer to show it is a comment: numbers of tiles, removed objects, fields of physics.
run 1 edit base.map -o own.map fill 'Game/Tele@1,1+1x1' tele-in:3 + remove Signs + set Game/Game.name=A
says err 'unknown-may-refer' # the map has items that nobody knows
run 0 edit base.map -o other.map fill 'Game/Tele@1,1+1x1' tele-in:4 + fill 'Signs/0@1,1+2x2' 5 + set Game/Game.name=B
run 1 merge base.map own.map other.map -o marked.map --mark
run 0 cat marked.map settings
says out '# conflict: tele tile 1,1: ' 'number 3' 'number 4' 'was removed by ours' 'name is "A" in ours, "B" in theirs'
run 0 check -q marked.map
run 1 merge base.map own.map other.map -o marked.map --mark --json
json out "all(c['marked'] for c in o['conflicts']) and o['open'] == 3"

# JSON fits its schema.
run 1 merge --json base.map a.map b.map -o ab.map
json out "o['open'] == 3 and not o['written'] and [c['kind'] for c in o['conflicts']] == ['setting', 'field', 'tiles']"
json out "o['conflicts'][2]['regions'] == [[2, 2, 2, 2, 4]] and o['conflicts'][0]['commands']['theirs'] == 'sv_deepfly 1'"
cp out merge.json
run 0 merge --json base.map a.map b.map -o ab.map --theirs
json out "o['open'] == 0 and o['written'] and all(c['resolution'] == 'theirs' for c in o['conflicts'])"
cat out >>merge.json
run 0 merge --json base.map mine.map hers.map -o ab.map
cat out >>merge.json
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" merge merge.json
status=$?
[ $status = 77 ] || [ $status = 0 ] || fail "the schema of merge"

# All layers of physics keep one size, with their compatibility arrays: what one cut off and the other changed is open, or, where it is
# wanted, keeps the edges of all of them.
run 0 edit base.map -o cut.map crop 0,0+2x3
run 0 edit base.map -o filled.map fill 'Game/Front@3,1+1x1' 9
run 1 merge base.map cut.map filled.map -o merged.map
says err 'conflict: ' '1 tile at 3,1'
[ ! -e merged.map ] || fail "a map with a conflict was written"
run 1 merge base.map cut.map filled.map -o merged.map --partial
run 0 check -q merged.map
run 0 diff cut.map merged.map
run 1 merge base.map filled.map cut.map -o merged.map --partial
run 0 check -q merged.map
run 0 diff cut.map merged.map
for how in --theirs --union; do
    run 0 merge base.map cut.map filled.map -o merged.map $how
    run 0 check -q merged.map
    run 0 diff --only physics filled.map merged.map
    run 0 merge base.map filled.map cut.map -o merged.map ${how/theirs/ours}
    run 0 check -q merged.map
    run 0 diff --only physics filled.map merged.map
done
run 0 merge base.map cut.map filled.map -o merged.map --ours
run 0 diff cut.map merged.map

# Copies of one group stand in one order, whoever is called ours.
run 0 edit base.map -o twice.map duplicate Signs
run 0 edit base.map -o wide.map extend left 3 + duplicate Signs
run 1 merge base.map twice.map wide.map -o ab.map
run 0 merge base.map wide.map twice.map -o ba.map
run 0 diff ab.map ba.map

# What the result or the picture would replace is kept, unless -f says otherwise.
cp base.map kept.map
mkdir into
cp b.map into/a.map
for target in base.map b.map; do
    run 2 merge base.map a.map b.map --ours -o $target
    says err "teemap: $target: is $([ $target = b.map ] && echo THEIRS || echo BASE); -f replaces it"
done
ln -s base.map link.map
run 2 merge base.map a.map b.map --ours -o link.map
run 2 merge base.map a.map into/a.map --ours -t into
says err 'into/a.map: is THEIRS; -f replaces it'
run 2 merge base.map a.map into/a.map --ours -o into
run 2 merge base.map a.map b.map --picture b.map
run 2 merge base.map a.map b.map --ours -o x.png --picture x.png
same base.map kept.map
cp base.map copy.map
run 0 merge copy.map a.map b.map --ours -o copy.map -f
run 1 diff -q base.map copy.map

# Ways that exclude each other.
run 2 merge base.map a.map b.map -o ab.map --ours --theirs
says err '--ours and --theirs exclude each other; with words one is about some conflicts only: --ours=settings'
run 2 merge base.map a.map b.map -o ab.map --theirs=settings --union=groups,settings
says err "--theirs and --union exclude each other for 'settings'"

# A picture: base, ours and theirs, side by side. It needs no place for the map, which is not written then.
run 1 merge base.map a.map b.map --picture conflicts.png --region 0,0,10,10 --scale 20 --missing white
says err '1 conflict has no place on the map, and no frame in the picture'
png conflicts.png 616x200
PYTHONDONTWRITEBYTECODE=1 python3 - <<'PYTHON' "$TEEMAP_SOURCE" || fail "the frames of the picture"
import subprocess, sys
raw = subprocess.run(['python3', sys.argv[1] + '/tests/support/pngfile.py', 'conflicts.png', 'raw'], stdout=subprocess.PIPE, check=True).stdout
purple = bytes.fromhex('c846e6ff')
for pane in range(3):
    found = [(x, y) for y in range(200) for x in range(200) if raw[((y * 616) + pane * 208 + x) * 4:][:4] == purple]
    assert found, pane
    if pane == 0:  # around 2,2 2x2, and the layer of the group whose offset both changed
        assert any(36 <= x <= 40 and 40 <= y <= 80 for x, y in found), found[:9]
PYTHON
kind=png
if teemap doctor | grep -q 'libwebp '; then kind=webp; fi
run 1 merge base.map a.map b.map --picture "other.$kind" --json -o ab.map --partial
json out "o['picture'] == 'other.$kind' and o['written'] and o['open'] == 3"
cat out >>merge.json
run 0 merge base.map mine.map hers.map --picture none.png
says err 'no conflict is open: there is nothing to draw'
[ ! -e none.png ] || fail "a picture of no conflict"
run 2 merge base.map a.map b.map --picture x.jpg
says err 'name its file so'

# A page: each place in all three maps; what has no place stands with the whole map. A page of somebody else is kept.
run 1 merge base.map a.map b.map --page page --json
json out "o['page'] == 'page' and not o['written']"
cat out >>merge.json
for version in base ours theirs; do
    [ -s page/0-$version.png ] && [ -s page/1-$version.png ] || fail "the page has no picture of $version"
done
grep -q '<meta name="generator" content="teemap merge">' page/index.html || fail "the page does not say what it is"
run 1 merge base.map a.map b.map --page page
run 2 diff base.map a.map --page page
says err 'page: has an index.html that this command did not write; use -f to replace it'
mkdir other && echo mine >other/index.html
run 2 merge base.map a.map b.map --page other
says err 'other: has an index.html that this command did not write; use -f to replace it'
run 1 merge base.map a.map b.map --page other -f -q
says other/index.html 'Conflicts of a.map'
run 0 merge base.map mine.map hers.map --page none
says err 'no conflict is open: there is nothing to draw'
[ ! -e none ] || fail "a page of no conflict"
run 2 merge base.map a.map b.map --page base.map/under
says err 'base.map/under: cannot make the folder'
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" merge merge.json
status=$?
[ $status = 77 ] || [ $status = 0 ] || fail "the schema of merge with a picture and a page"

# Trouble.
run 2 merge base.map a.map -o ab.map
run 2 merge base.map a.map b.map
says err 'no output: give'
run 2 merge base.map a.map nothing.map -o ab.map
says err 'nothing.map'
head -c 100 b.map >cut.map
run 2 merge cut.map a.map b.map -o ab.map
says err 'cut.map'
