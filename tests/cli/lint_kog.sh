#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# tools/kog_rules.py: rules of King of Gores in YAML find the same as own rules as they did when `teemap lint` read them itself.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
python3 -c 'import yaml' 2>/dev/null || skip "without python3-yaml"
script=$TEEMAP_SOURCE/tools/kog_rules.py

mkdir -p site/map_rules
cat >site/map_rules/000_size.yaml <<'END2'
rules:
  - name: Not too large
    module: rules.file
    class_name: FileSize
    description: "Is the file small enough?"
    type: require
    params:
      max_file_size: 10MB
    depends_on: []
END2
cat >site/map_rules/001_tiles.yaml <<'END2'
rules:
  # what a race needs
  - name: There is a spawn
    module: rules.tile
    class_name: Exist
    description: "Players need a spawn"
    type: require
    params:
      humanized: "Spawn"
      expected_tile: 192
      min_occurances: 1
      max_occurances: 3
    depends_on: ["Not too large"]
  - name: There is a finish
    module: rules.tile
    class_name: Exist
    description: "A race has an end"
    type: require
    params:
      humanized: "Finish"
      expected_tile: 34
      expected_layer: Game
    depends_on: ["There is a spawn"]
END2
cat >site/map_rules/002_texts.yaml <<'END2'
rules:
  - {name: Allowed quests, module: rules.setting, class_name: Valid, description: "", type: require, params: {field: sv_q, type: list, values: [A, B]}}
  - {name: License, module: rules.meta, class_name: Valid, description: "", type: fail, params: {field: license, type: list, values: [MIT]}}
  - name: Author
    module: rules.meta
    class_name: Valid
    type: skip
    params: {field: author, type: regex, regex: '^[\w\W]+(,\s*[\w\W]+)*$'}
    depends_on: [License]
  - {name: Version, module: rules.meta, class_name: Valid, type: fail, params: {field: version, type: regex, regex: '[0-9]+'}}
END2
cat >site/map_rules/003_images.yaml <<'END2'
rules:
  - {name: Good images, module: rules.image, class_name: Valid, description: "", type: fail, params: , depends_on: []}
  - {name: Sounds, module: rules.sound, class_name: Valid, description: "", type: fail, params: , depends_on: []}
END2
echo 'no rules' >site/map_rules/README.md
convert() { python3 "$script" "$@" >kog.toml 2>err || fail "$* ends with $?: $(cat err)"; }
finds() { # LINES... of the findings with ids of the map whose name is in $map
    { teemap lint --config kog.toml --select 'kog-*' -v --json $map || [ $? = 1 ]; } >out
    python3 - "$@" <<'PYTHON' || fail "$map: $(cat found)"
import json, sys
with open('out', encoding='utf-8') as file, open('found', 'w', encoding='utf-8') as found:
    lines = sorted('%s %s %s' % (f['severity'], f['id'], f['address']) for f in json.load(file)['findings'])
    print(*lines, sep='\n', file=found)
sys.exit(lines != sorted(sys.argv[1:]))
PYTHON
}

convert site/map_rules
says err "rule 'Good images' is left out" "rule 'Sounds' is left out" "rule 'Version' is left out: a regular expression"
run 0 lint --config kog.toml --list
says out kog-not-too-large kog-there-is-a-finish-layer
run 0 new -s 40x20 new.map
run 0 edit new.map -o bare.map replace spawn with air
map=bare.map finds 'error kog-there-is-a-spawn ' 'warning kog-license info'
run 0 edit bare.map -o good.map fill 'game@3,3+1x1' spawn + fill 'game@5,3+1x2' finish + set info.license=MIT + set info.author=Ann + settings add 'sv_q A,B'
map=good.map finds
run 0 edit good.map -o four.map fill 'game@3,3+1x4' spawn
map=four.map finds 'error kog-there-is-a-spawn 1/0'
run 0 edit good.map -o front.map add layer Game front + fill 'front@5,5+1x1' finish + set info.author= + settings add 'sv_q C'
map=front.map finds 'error kog-there-is-a-finish-layer 1/1' 'note kog-author info' 'error kog-allowed-quests settings'
says out "'C' is not allowed"
sed 's/10MB/10Byte/' site/map_rules/000_size.yaml >tiny.yaml
convert tiny.yaml site/map_rules/001_tiles.yaml
map=bare.map finds 'error kog-not-too-large ' # and nothing that stands on it

# Images by their names and hashes. The map has an external one, and two of 2x2 and 2x1 pixels.
make_map many.map
mkdir -p site/data/mapres site/data/custom_mapres
convert site/map_rules
map=many.map finds 'warning kog-good-images image/0' 'warning kog-good-images-embedded image/1' 'warning kog-good-images-embedded image/2' \
    'warning kog-license info' 'error kog-there-is-a-finish '
says out "$(printf '\1\2\3\377\4\5\6\377' | sha512sum | cut -d' ' -f1)"
touch site/data/mapres/grass_main.png "site/data/custom_mapres/rgb-$(printf '\1\2\3\377\4\5\6\377' | sha512sum | cut -d' ' -f1).png"
(cd site/map_rules && python3 "$script" . >../../kog.toml 2>/dev/null)
map=many.map finds 'warning kog-good-images-embedded image/1' 'warning kog-license info' 'error kog-there-is-a-finish '

# Refused, with the file and the rule.
refused() { ! python3 "$script" "$1" >out 2>err || fail "$1 is taken"; says err "$2"; }
sed 's/Exist/Exists/' site/map_rules/001_tiles.yaml >x.yaml
refused x.yaml "x.yaml: rule 'There is a spawn': rules.tile.Exists is no kind of rules that is known"
sed 's/10MB/1BB/' site/map_rules/000_size.yaml >x.yaml
refused x.yaml "'1BB' is no size"
refused missing missing
mkdir none
refused none 'there is no *.yaml in this folder'
