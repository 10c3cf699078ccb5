#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap convert`: maps of one game become maps of another, every loss is told; and docs/convert.md is true.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
for game in ddnet teeworlds06 teeworlds07; do
    teemap convert --to $game --images keep rich.map -o $game.map 2>err
    [ $? -lt 2 ] || fail "to $game"
    run 0 info --json $game.map
    json out "o['game'] == '$game'"
    run 0 check -q -m strict $game.map
    # Once converted nothing more is lost, and the same comes out.
    run 0 convert --to $game --images keep --refuse-loss $game.map -o again.map
    same $game.map again.map
done

# A size that a file only claims is not filled with air: 754 bytes took a gigabyte.
python3 "$cli_tests/hostile_maps.py" . claims || fail 'hostile_maps.py'
held 5 100 1 convert --to 0.7 claims.map -o a.map
rm claims.map a.map

# Losses: told, counted, refused.
run 1 convert --to 0.7 --images keep rich.map -o a.map
empty out
says err '[lost-settings]' '[lost-layer]' '[lost-sound]'
run 1 convert --to 0.7 --images keep --refuse-loss rich.map -o refused.map
says err 'is not written'
[ ! -e refused.map ] || fail 'refused.map was written'
run 1 convert --to 0.7 --images keep --json rich.map -o a.map
json out "not o['refused'] and o['to'] == 'teeworlds07' and o['written'] and o['losses']['lost-settings'] > 0"
json out "sum(c['count'] for c in o['changes'] if c.get('lost') == 'lost-layer') == o['losses']['lost-layer']"
cp out convert.json

# Automappers without a configuration are no loss: DDNet's editor writes one for each layer; several are one line. What is set to
# another game lost layers with status 0. A map of 0.7 that looks like one of 0.6 is what --from says.
run 0 new --size 20x20 design.map
run 0 edit -i design.map add group Deco + add layer Deco tiles + duplicate Deco/0 + set 'Deco/*.automapper.present=true'
run 0 convert --to 0.6 --refuse-loss design.map -o a.map
says_not err lost-automapper
run 0 edit -i design.map set 'Deco/*.automapper.config=0'
run 1 convert --to 0.6 design.map -o a.map
[ "$(grep -c lost-automapper err)" = 1 ] || fail 'automappers take several lines'
says err 'which 2 layers have'
run 1 edit rich.map -o a.map set .game=teeworlds06
says err '[lost-layer]'
run 0 new --game teeworlds06 --size 20x20 old.map
run 0 edit -i old.map add image grass_main
run 0 convert --to ddnet --from teeworlds07 -v old.map -o a.map
says err 'teeworlds07 becomes ddnet'

# An image that is nowhere stays external; one in a folder is embedded; a name that the game has needs no pixels.
mkdir none
export HOME=$work/none XDG_DATA_HOME=$work/none XDG_DATA_DIRS=$work/none
run 0 new plain.map
run 0 edit plain.map -o named.map add image nowhere + add image shown + add image grass_main_0.7
python3 - <<'PYTHON'
import struct, zlib
def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
rows = b"".join(b"\0" + bytes([10 * y, 20, 30]) * 20 for y in range(17))
open("shown.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 20, 17, 8, 2, 0, 0, 0))
                              + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PYTHON
run 1 convert --to 0.7 --mapres . named.map -o b.map
says err "'nowhere'" '[not-embedded]'
says_not err "'shown': warning"
run 0 ls b.map
says out "'shown'       embedded, 20x17" "'nowhere'     external" "'grass_main'  external"
run 1 convert --to 0.7 --mapres . --json named.map -o b.map
json out "o['losses'] == {'not-embedded': 1}"
cat out >>convert.json
run 1 convert --to 0.7 --mapres . --refuse-loss named.map -o refused.map
[ ! -e refused.map ] || fail 'refused.map was written'

# Where to, and for which game.
run 2 convert rich.map -o x.map
says err 'for which game?'
run 2 convert --to quake rich.map -o x.map
run 2 convert --to 0.7 rich.map
says err 'no output: give'
run 2 convert --to 0.7 rich.map plain.map -o x.map
says err 'several maps'
printf 'nothing' >bad.map
run 2 convert --to 0.7 --json bad.map -o x.map
json out "not o['written'] and o['error']['code']"
cat out >>convert.json
[ ! -e x.map ] || fail 'x.map was written'
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" convert convert.json
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schema of convert'

# A dry run writes nothing; in place; many at once; through pipes.
run 1 convert --to 0.6 --images keep -n rich.map
says out 'ddnet becomes teeworlds06 (game)'
cp rich.map kept.map
run 1 convert --to 0.6 --images keep -i kept.map
same kept.map teeworlds06.map
mkdir in
cp rich.map in/a.map
cp rich.map in/b.map
cp bad.map in/bad.map
run 2 convert --to 0.7 --images keep -j 3 -r in -t results
[ "$(find results -name '?.map' | wc -l)" = 2 ] || fail 'a map is missing'
teemap convert --to 0.6 --images keep - -o - <rich.map 2>err >piped.map
same piped.map teeworlds06.map

# docs/convert.md: its recipes run.
mkdir -p maps
recipes=0
while IFS= read -r line; do
    cp teeworlds06.map in.map
    cp teeworlds06.map maps/one.map
    rm -rf out.map maps7
    status=0
    eval "$line" >recipe.out 2>&1 || status=$?
    [ $status -lt 2 ] || fail "recipe: $line: $(cat recipe.out)"
    recipes=$((recipes + 1))
done < <(sed -n 's/^    \(teemap convert .*\)/\1/p' "$TEEMAP_SOURCE/docs/convert.md")
[ $recipes -ge 4 ] || fail "$recipes recipes"
no_litter
