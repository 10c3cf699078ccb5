#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# A picture that lacks what was asked for ends with 1 and says what it lacks, for every command that draws; words that lead to nothing in
# the map at all are a mistake, 2, and so is a picture of `diff`, whose 1 has a meaning. An image that nobody has is told and costs no status.
# test-timeout: 300
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

built examples/example_landscape land.map || fail "example_landscape"
PYTHONPATH=$cli_tests python3 - <<'PYTHON' || fail "a map without its image"
import make_map
text = make_map.Writer.text
make_map.Writer.text = lambda self, content: text(self, 'xyz_none' if content == 'grass_main' else content)
open('miss.map', 'wb').write(make_map.build(False))
PYTHON
webp=webp
teemap render land.map --size 9x9 -q -o probe.webp 2>err || webp=apng

# STATUS, what is said, and the command; @ is a new name for what is written.
number=0
while IFS='|' read -r status text words; do
    number=$((number + 1))
    # shellcheck disable=SC2086
    run "$status" ${words//@/made$number}
    [ -z "$text" ] || says err "$text"
done <<TABLE
1|the map has no 'tele:77'|render land.map --view tele:77 -o @.png
1|the map has no 'tele:77'|render land.map --view tele:77 --view best -t @
1|the map has no 'tele:77'|animate land.map --view tele:77 -o @.$webp
1|the map has no 'tele:77'|animate land.map --view tele:77 -t @
1|the map has none of the layers|render land.map --size 64x64 --entities=tele -o @.png
1|the map has none of the layers|animate land.map --size 64x64 --entities=tele --duration 80 -o @.$webp
1|the map has none of the layers|animate land.map --size 64x64 --entities=tele --duration 80 -t @
2|there is nothing in the map to draw|tiles land.map --entities=tele -t @
0||tiles -q land.map --entities=tele,game --scale 1 -t @
2|the map has no 'tele:77'|diff land.map miss.map --view tele:77 --picture @.png
2|'Nobody' leads to no group or layer|render land.map --layers Nobody -o @.png
2|'Nobody' leads to no group or layer|thumbnail land.map --layers Nobody -o @.png
2|'Nobody' leads to no group or layer|animate land.map --layers Nobody -o @.$webp
2|'Nobody' leads to no group or layer|tiles land.map --layers Nobody -t @
2|'Nobody' leads to no group or layer|diff land.map miss.map --layers Nobody --picture @.png
2|'Nobody' leads to no group or layer|diff land.map miss.map --layers Nobody --page @
1|'Nobody' leads to no group or layer|gallery land.map --layers Nobody -t @
0|1 external image is not found (xyz_none)|render miss.map --size 64x64 -o @.png
0|1 external image is not found (xyz_none)|animate miss.map --size 64x64 --duration 80 -o @.$webp
0|1 external image is not found (xyz_none)|tiles miss.map --scale 1 -t @
0||thumbnail miss.map -o @.png
0||gallery miss.map --no-animations -t @
2|xyz_none|render miss.map --strict -o @.png
TABLE
[ "$number" = 23 ] || fail "$number rows"
