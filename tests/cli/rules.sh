#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap rules`: what is odd in files of rules, with line and column; configurations; previews, also when the file changes.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/support/games.sh
. "$TEEMAP_SOURCE/tests/support/games.sh"

printf '[Fine]\nIndex 2\nPos 0 -1 EMPTY\n\n[Wild]\nIndex 3 XFLIP\nRandom 2\nNewRun\nIndex 4\nPos 2 -3 INDEX 3 OR 2\n' >fine.rules
printf '[Odd]\nIndex 2\nPos 0 -1 EMTY\n  Pos 0 1 FULL\n' >odd.rules
printf '{"tileset": [{"grass": {"basetile": 1, "rules": [{"index": 5}]}}]}' >new.json

run 0 rules check fine.rules new.json
empty out
run 1 rules check odd.rules fine.rules
says out "odd.rules:3:10: warning: 'EMTY' is none of" '[rule-kind-unknown]' '    Pos 0 -1 EMTY' '             ^' 'odd.rules:4' '[rule-indented]'
says_not out 'fine.rules'
run 1 rules check -q odd.rules
empty out
run 1 rules check --json odd.rules fine.rules
lines out 2
cp out rules.json
head -1 out >first
json first "o['path'] == 'odd.rules' and [(f['line'], f['column']) for f in o['findings']] == [(1, 1), (3, 10), (4, 3)]"
run 0 rules list fine.rules
says out "0  'Fine'  rules  1 run   1 rule   x 0 to 0, y -1 to 0" "1  'Wild'  rules  2 runs  2 rules  x 0 to 2, y -3 to 0"
run 0 rules list fine.rules new.json
says out 'new.json' "'grass'  tileset"
run 0 rules list --json fine.rules
json out "[c['name'] for c in o['configs']] == ['Fine', 'Wild'] and o['configs'][1]['looks'] == [0, -3, 2, 0]"
cat out >>rules.json
printf '{"tileset"' >broken.json
run 2 rules check --json broken.json
cat out >>rules.json
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" rules rules.json || fail 'JSON'
run 2 rules check nowhere.rules broken.json fine.rules
lines err 3
says err '3 files of rules: 1 fine, 0 with findings, 2 could not be read'
run 2 rules chek fine.rules
says err "did you mean 'check'?"
run 2 rules list --watch fine.rules

# A preview: the configuration, chances by the seed, what was painted.
teemap new -s 16x16 sky.map
run 0 edit -i sky.map fill Game@3,0+1x1 freeze # tile 3 is seen in a picture
run 0 render sky.map --whole --entities --scale 16 -o tiles.png
run 0 rules preview fine.rules --image tiles.png --config fine -o fine.png
png fine.png 640x320
run 0 rules preview fine.rules --image tiles.png --raw -o raw.png --scale 8
png raw.png 320x160
run 0 rules preview fine.rules --image tiles.png --config Wild --seed 3 -o a.png
run 0 rules preview fine.rules --image tiles.png --config 1 --seed 3 -o b.png
same a.png b.png
run 0 rules preview new.json --image tiles.png --config grass -o new.png
for seed in -7 -8 7; do
    run 0 rules preview fine.rules --image tiles.png --config Wild --seed $seed -o seed$seed.png
done
[ "$(sha256sum seed*.png | cut -d ' ' -f 1 | sort -u | wc -l)" = 3 ] || fail 'a negative seed is that of another one'
run 0 rules preview fine.rules --image tiles.png --config Wild --seed 0 -o c.png
says err 'drawn with seed '
run 2 rules preview fine.rules --image tiles.png -o d.png
says err "which configuration? The rules have 0 'Fine', 1 'Wild'"
run 2 rules preview fine.rules --config 0 -o d.png
says err 'needs --image'
run 2 rules preview fine.rules --image tiles.png --config 0
says err 'needs a name: -o'
run 2 rules preview fine.rules odd.rules --image tiles.png --config 0 -o d.png
[ ! -e d.png ] || fail 'd.png was written'

# What an author may not have meant; written again, and from Teeworlds 0.7.
printf '[A]\nIndex 2\nPos 1 0 EMPTY\nPos 1 0 FULL\nIndex 3\nPos 0 -1 EMPTY\nIndex 4\n' >dead.rules
run 1 rules check dead.rules
says out 'dead.rules:2:' '[rule-never-holds]' '[rule-overwritten]'
printf '[B]\r\nIndex   2  \r\n# kept\r\nPos\t0 -1   EMPTY\r\n' >loose.rules
run 0 rules format loose.rules
says out '# kept' 'Index 2' 'Pos 0 -1 EMPTY'
run 0 rules format loose.rules -o tidy.rules
run 0 rules format -i tidy.rules loose.rules fine.rules
same tidy.rules loose.rules
run 0 rules check tidy.rules
run 2 rules format tidy.rules fine.rules
says err 'need -i'
run 2 rules format new.json
run 2 rules convert new.json -i
printf '{"tileset": [{"grass": {"basetile": 1, "rules": [{"index": 5, "condition": [{"x": 0, "y": -1, "value": "empty"}]}]}}]}' >old.json
teemap rules convert old.json -o old.rules 2>err
[ $? -lt 2 ] || fail 'convert'
run 0 rules list old.rules
says out "'grass'"

# Cards of rules.
run 0 rules show fine.rules --image tiles.png --config wild -o cards.png
[ -s cards.png ] || fail 'no cards'
run 0 rules show odd.rules -o cards.png --scale 24
png cards.png 240x112
run 2 rules show fine.rules -o e.png
says err 'which configuration?'
run 2 rules show fine.rules --config none -o e.png
says err "no configuration 'none'"
[ ! -e e.png ] || fail 'e.png was written'

# --watch does it again when the file changes, and not before. (A watcher that began after the change once waited for another one for ever.)
cp odd.rules live.rules
teemap rules check live.rules --watch --times 2 >live.out 2>live.err &
watcher=$!
until grep -q 'live.rules:4' live.out; do kill -0 $watcher && sleep 0.05 || fail '--watch ended before the file changed'; done
sleep 0.6
kill -0 $watcher || fail '--watch ended before the file changed'
! grep -q rule-never-holds live.out || fail 'the change was seen before it was made'
mv dead.rules live.rules
wait $watcher && fail 'the second check found nothing'
grep -q rule-never-holds live.out || fail 'the change was not seen'
[ "$(grep -c 'live.rules:3:10' live.out)" = 1 ] || fail 'told again without a change'

# Standard input is read once, and is neither watched nor replaced.
teemap rules check - <odd.rules >out
says out 'standard input:3:10: warning' '    Pos 0 -1 EMTY'
teemap rules format - <loose.rules >out
says out 'Pos 0 -1 EMPTY'
run 2 rules format -i - </dev/null
says err 'standard input has no name'
run 2 rules check --watch - </dev/null
says err 'cannot be watched'

# What an action would pass over in silence is refused.
while read -r action option what; do
    run 2 rules $action fine.rules $option
    says err "$what"
done <<END
check --output=x.txt -o is for
check --in-place -i is for
check --times=2 --times is for --watch
check --seed=2 --seed is for preview
list --config=1 --config is for preview and show
list --scale=8 --scale is for
format --json --json is for check and list
convert --image=tiles.png --image is for
show --raw --raw is for preview
preview --as=ddnet16 --as is for all but preview
END
run 2 rules convert new.json new.json
says err 'one file at a time'
run 2 rules convert fine.rules -o fine2.rules
says err 'only rules of Teeworlds 0.7'
[ ! -e fine2.rules ] || fail 'fine2.rules was written'
run 2 rules preview fine.rules --image tiles.png -o x.bmp
says err 'name its file so'

# Long files are refused, many configurations of many names take no time, and rules in the other's place are known.
truncate -s 70M long.rules
run 2 rules check long.rules
says err 'long.rules: the file has more than 67108864 bytes'
run 2 rules check --watch --times 1 long.rules
awk 'BEGIN { for(i = 0; i < 200000; i++) printf "[%d]\nIndex 1\n", i }' >many.rules
held 5 300 0 rules check many.rules
awk 'BEGIN { print "[A]"; for(r = 0; r < 2000; r++) { print "Index 1"; for(i = 0; i < 250; i++) print "Pos " i " 1 NOTINDEX 7"
    print "Pos 0 2 INDEX " r % 250 "\nPos 0 3 INDEX " int(r / 250) } }' >heavy.rules
held 5 300 0 rules check heavy.rules

# A file in the other's clothes is told as what it is, once.
cp new.json json.rules
run 1 rules check json.rules
lines out 1
says out 'it looks like rules of Teeworlds 0.7, whose files are called NAME.json'
run 0 rules check --as teeworlds07 json.rules
run 0 rules list json.rules
says err 'it looks like rules of Teeworlds 0.7'
run 2 rules format -i json.rules
says err 'it looks like rules of Teeworlds 0.7'
same json.rules new.json
run 2 rules convert json.rules
says err 'it looks like rules of Teeworlds 0.7' 'only rules of Teeworlds 0.7'
cp odd.rules rules_in.json
run 2 rules check rules_in.json
says err 'it is not JSON, but looks like rules of DDNet, whose files are named NAME.rules'
printf '[A]\r\n' >short.json
run 2 rules check short.json
says err 'looks like rules of DDNet'
printf '["A"]\n' >list.json
run 1 rules check list.json
rm json.rules rules_in.json short.json list.json

# All files of a folder: rules, and of JSON what is rules.
mkdir -p many/below empty
cp fine.rules odd.rules many
cp new.json many/below
printf '{"skin": {}}' >many/below/skin.json
run 2 rules check many
says err 'many: is a folder; -r processes the .rules and .json files in it'
run 1 rules check -r many
says out 'many/odd.rules:3:10'
says_not out skin
says err '3 files of rules: 2 fine, 1 with findings'
run 1 rules check -qr many
empty err
cp many/below/skin.json .
run 1 rules check -r many fine.rules skin.json
says err '5 files of rules: 3 fine, 2 with findings'
run 0 rules list -r many
says out 'many/fine.rules' 'many/odd.rules' 'many/below/new.json'
run 2 rules check -r empty
says err 'there are no .rules and .json files in this folder'
run 2 rules check -r empty odd.rules
says out 'odd.rules:3:10'
run 2 rules show -r many -o e.png
says err '-r is for check, list and format'
: >empty.rules
run 1 rules check empty.rules
says out 'a line [name] is missing'
run 2 rules show empty.rules -o e.png
says err 'the file has no configuration'
run 2 rules preview empty.rules --image tiles.png -o e.png
says err 'the rules have no configuration at all'

# The line is the one that was read, also where a lone CR ends lines, and the mark stands below characters, not bytes.
printf '[A]\r\nIndex 1\rPos 0 0 EMTY\r\nIndex 2\r\nPos 0 0 FUL\n' >cr.rules
run 1 rules check --as ddnet16 cr.rules
says out 'cr.rules:3:9' '    Pos 0 0 EMTY' 'cr.rules:5:9' '    Pos 0 0 FUL'
printf '[A]\nIndex 1 \303\244\303\266 FLOP\nNewRuns\n' >utf.rules
run 1 rules check utf.rules
says out 'utf.rules:2:14' "'NewRuns' counts as 'NewRun'"
grep -qx '               ^' out || fail 'the mark is not below FLOP'

# The rules that games ship.
if folder=$(games_rules); then
    teemap rules check "$folder"/*.rules >out
    [ $? -le 1 ] || fail 'rules that a game ships cannot be read'
    midground_of_16_4=bb382bbfeb59846f56cc3e98ebc49f46eca96de5f7a7a20187aff620ea36c1c7
    if [ "$(tr -d '\r' <"$folder/jungle_midground.rules" | sha256sum)" = "$midground_of_16_4  -" ]; then
        says out 'jungle_midground.rules:1292:9'
    fi
    if image=$(games_file ddnet mapres/grass_main.png); then
        config=$(teemap rules list "$folder/grass_main.rules" | sed -n "s/^0  '\([^']*\)'.*/\1/p")
        run 0 rules preview "$folder/grass_main.rules" --config "$config" -o grass.png --image "$image"
    fi
fi

# What was said of rules and is not so: a rule in between feeds on the first one, a mark of NOTINDEX at the tile itself makes no condition idle,
# Teeworlds' own files have comments.
printf '[x]\nNoLayerCopy\nIndex 1\nIndex 2\nPos 0 0 INDEX 1\nPos 1 0 EMPTY\nIndex 3\nPos 0 0 INDEX 1\n' >fine.rules
run 0 rules check -v fine.rules
says_not out rule-overwritten
printf '[x]\nNoLayerCopy\nIndex 1\nIndex 2\nPos 0 0 INDEX 1\n' >fine.rules
run 1 rules check fine.rules
says out rule-overwritten
printf '[x]\nIndex 1\nPos 0 0 NOTINDEX 0\nNoDefaultRule\n' >fine.rules
run 0 rules check -v fine.rules
printf '{"tileset": [{"a": {"comment": "x", "basetile": 1}}]}' >fine.json
teemap rules check -v fine.json >out
says_not out rule-member-unknown
# The column is that of the name, not of its value; findings are in the order of lines.
printf '{"tileset": [{"a": {"basetile": 1, "wrong":   5}}]}' >fine.json
run 1 rules check fine.json
says out 'fine.json:1:36: warning: '"'wrong' is not known"
printf '[x]\nIndex 1\nPos 0 0 INDEX 1\nIndexx 2\n[y]\n' >order.rules
teemap rules check -v order.rules | grep -o '^order.rules:[0-9]*' >out
is out "$(printf 'order.rules:%s\n' 2 4 4 4 5)"
# The line, and what is the matter with it, of bytes that no text has.
printf '[x]\nIn\0dex 4\n' >bad.rules
run 2 rules check bad.rules
says err 'line 2 has a NUL byte'
printf '\377\376[\0x\0]\0' >bad.rules
run 2 rules check bad.rules
says err 'UTF-16' 'save it as UTF-8'

# Rules that change what they made are reported: the editor maps again at every stroke. Doodads stand on what is solid; the picture was blank.
python3 - <<'PYTHON'
import struct, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
with open('sheet.png', 'wb') as file:
    rows = b'\0' + bytes([200, 100, 50, 255]) * 256
    file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 256, 256, 8, 6, 0, 0, 0)) +
               chunk(b'IDAT', zlib.compress(rows * 256)) + chunk(b'IEND', b''))
PYTHON
printf '[Air]\nIndex 48\nPos 0 0 EMPTY\nPos 0 -1 FULL\nPos 0 -1 NOTINDEX -1\n' >air.rules
run 1 rules preview air.rules --image sheet.png --seed 1 -o air.png
says err 'tiles change when the layer is mapped again'
{ printf '[Air]\nIndex 0\nPos 0 0 INDEX 48\nNewRun\n'; sed 1d air.rules; } >stable.rules
run 0 rules preview stable.rules --image sheet.png --seed 1 -o air.png
empty err
run 2 rules preview air.rules --image sheet.png --config Nope -o air.png
is err "teemap: air.rules: the rules have no configuration 'Nope', but 0 'Air'"
printf '{"doodads": [{"a": {"rules": [{"startid": 1, "endid": 1, "rx": 1, "ry": 1, "location": "floor", "random": 1}]}}]}' >doodads.json
run 0 rules preview doodads.json --image sheet.png --seed 1 -o doodads.png
