#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap automap`: layers by their own rules and by given ones, what a dry run says, and where rules are found.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/support/games.sh
. "$TEEMAP_SOURCE/tests/support/games.sh"
export HOME=$work/home XDG_DATA_HOME=$work/data

mkdir -p mine data/ddnet/editor/automap
printf '[Basic]\nIndex 2\nPos 0 -1 EMPTY\n\n[Wild]\nIndex 3\nRandom 2\n' >data/ddnet/editor/automap/walls.rules
printf '[Mine]\nIndex 9\n' >mine/walls.rules
teemap new -s 20x10 plain.map
run 0 edit plain.map -o house.map add image walls + add image other + add group a + add layer a tiles 8x6 + add layer a tiles 8x6 + \
    set a/0.image=image/0 a/1.image=image/1 + fill a/0@2,2+3x3 1 + fill a/1@2,2+3x3 1 + \
    set a/0.automapper.present=true a/0.automapper.config=0

# Not what the rules give: status 1, and nothing is written. Then it is.
cp house.map before.map
run 1 automap -n house.map
says out "group 2, layer 0: 3 tiles changed by rules 'Basic' (automap)"
same house.map before.map
run 0 automap house.map -o dressed.map
run 0 automap -n dressed.map
says out 'nothing to change'
run 0 find 2 dressed.map
says out '2/0@2,2+3x1'
cp dressed.map kept.map
run 0 automap -i dressed.map
same dressed.map kept.map

# One layer by a configuration and a seed, which it remembers; a seed of 0 is drawn and told.
run 0 automap house.map a/0 -o wild.map --config wild --seed 7
run 0 cat --json wild.map a/0
says out '"automapper": {"config": 1, "seed": 7, "automatic": false}'
run 0 automap -n wild.map
run 0 automap -v house.map a/0 -o drawn.map --config Wild --seed 0
says err 'with seed '
# A seed drawn anew each time never gives the same tiles: status 0 could not hold.
run 0 automap -n -v drawn.map
says err '[seed-drawn]'
run 2 automap house.map a/0 -o x.map --config wild --seed freeze # was taken as the reference
says err "automap: --seed: 'freeze' is not a number from"
run 0 automap house.map a/0 -o negative.map --config wild --seed -7
run 0 cat --json negative.map a/0
says out '"seed": -7'
run 0 find 3 negative.map # where the hash of the place and the seed is below 32768
says out '2/0@3,2+1x1' '2/0@2,3+1x1' '2/0@3,4+2x1'
lines out 3
run 1 automap house.map a/1 -o other.map --config 0
says err 'there are no rules for image' '[no-rules]'

# Rules of one's own: of a file, by the name of the image, by a folder.
run 0 automap house.map a/1 -o own.map --rules mine/walls.rules
run 0 find 9 own.map
says out '2/1@2,2+3x3'
run 0 automap house.map -o own.map --rules mine/walls.rules --config Mine
run 0 find -c 9 own.map
says out '9'
run 0 automap house.map -o own.map --mapres mine
run 0 find 9 own.map
says out '2/0@2,2+3x3'
run 0 automap house.map a/0@2,2+1x1 -o part.map --config 0
run 0 find 2 part.map
says out '2/0@2,2+1x1'

# A file that is called as no image of the map is not passed over in silence.
cp mine/walls.rules mine/nobodys.rules
run 1 automap house.map -o nobody.map --rules mine/nobodys.rules --config 0
says err "no layer has an image that is called as the file 'mine/nobodys.rules'" '[no-match]'
run 0 automap house.map a/0 -o nobody.map --rules mine/nobodys.rules
: >mine/none.rules
run 2 automap house.map a/0 -n --rules mine/none.rules --config 5
says err "the rules have no configuration '5', nor any other"

# A part is of one layer; doodads, which empty the layer first, take no part.
run 2 automap house.map -n a/0@2,2+0x0
says err 'a set of layers with a region after @'
run 2 automap house.map -n a/0@2,2+3000000000x1 --config 0
run 2 automap house.map -n a/0@2,2+1x1 a/1
says err 'must be the only one'
run 2 automap house.map -n a/0 a/1@2,2+1x1
printf '{"doodads":[{"d":{"rules":[{"startid":1,"endid":2}]}}]}' >doodads.json
teemap edit house.map -o wide.map add layer a tiles 20x10 + fill a/2 1
run 2 automap wide.map -n a/2@1,1+1x1 --rules doodads.json
says err 'doodads are placed on a whole layer'
run 1 automap wide.map -n a/2 --rules doodads.json
run 1 automap wide.map -n a/2 --rules doodads.json --amount 100
run 2 automap wide.map -n a/2 --rules doodads.json --amount 101
says err '1 to 100'
run 2 automap house.map -n a/0 --config 0 --amount 20
says err "an amount is for doodads; '"

# A reference without a seed.
run 0 automap house.map a/0 -o freeze.map --rules mine/walls.rules --reference freeze
run 1 find 9 freeze.map

# Many maps, JSON, and what is refused.
mkdir -p maps
cp house.map dressed.map maps
run 1 automap -n --all -r maps --json
lines out 2
cp out automap.json
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" edit automap.json || fail 'JSON'
run 0 automap -i --all -r maps
same maps/house.map dressed.map
run 2 automap house.map dressed.map -o x.map
says err 'for several maps use --all'
run 2 automap -r maps -n
says err 'all only'
run 2 automap house.map -o x.map --config nothing a/0
says err "no configuration 'nothing', but 0 'Basic', 1 'Wild'"
run 2 automap house.map -o x.map --rules nowhere.rules
run 2 automap house.map -o x.map --rules mine/walls.rules --reference water
says err 'hookable'
run 2 automap house.map
says err 'no output: give'
[ ! -e x.map ] || fail 'x.map was written'

# Lint tells layers that were edited after they were mapped, and such whose rules are missing.
run 0 lint -v --rules style dressed.map
says_not out '[edited-after-mapping]'
says_not out '[rules-missing]'
run 0 edit dressed.map -o touched.map fill a/0@3,2+1x1 7
teemap lint -v --rules style touched.map >out
says out "group 2, layer 0" "1 tile in 3,2+1x1, not as rules 'Basic' give them" '[edited-after-mapping]'
run 0 edit dressed.map -o renamed.map rename image/0 nobodys
teemap lint -v --rules style renamed.map >out
says out "there are no rules for image 'nobodys' here" '[rules-missing]'

# A real map: what its author mapped is what the rules give, to the byte.
# Unless the installed release has changed these rules since.
walls_of_16_4=68e17c1649660d7b87f65ef72623e1cc4f193436ea652f70cc84ef83bce1bf4e
if corpus && walls=$(games_rules ddnet_walls.rules) && [ "$(tr -d '\r' <"$walls" | sha256sum)" = "$walls_of_16_4  -" ]; then
    real=$TEEMAP_SHARED/corpus/ddnet06/minimalistic_blue-8f0e46.map
    run 0 automap -n "$real"
    says out 'nothing to change'
    run 0 automap "$real" -o again.map
    cmp "$real" again.map || fail 'mapping a map again changed it'
    run 0 edit "$real" -o painted.map fill 2/0@1,1+1x1 30
    run 1 automap -n painted.map
    says out "layer 0 'Freeze'"
fi

# A layer without an automapper was left alone without a word, with status 0.
run 0 new bare.map
run 1 automap bare.map -o bare2.map
says err 'no layer has an automapper that names a configuration: give --config NAME'
run 0 automap --all bare.map -t mapped
