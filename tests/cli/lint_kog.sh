#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap lint --kog: rules of King of Gores in YAML, the images that folders allow, and what is refused.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

mkdir -p site/map_rules
cat >site/map_rules/000_size.yaml <<'END'
rules:
  - name: Not too large
    module: rules.file
    class_name: FileSize
    description: "Is the file small enough?"
    type: require
    params:
      max_file_size: 10MB
    depends_on: []
END
cat >site/map_rules/001_tiles.yaml <<'END'
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
    depends_on: ["Not too large"]
  - name: There is a finish
    module: rules.tile
    class_name: Exist
    description: "A race has an end"
    type: require
    params:
      humanized: "Finish"
      expected_tile: 34
    depends_on: ["There is a spawn"]
END
cat >site/map_rules/003_images.yaml <<'END'
rules:
  - {name: Good images, module: rules.image, class_name: Valid, description: "", type: fail, params: , depends_on: []}
  - {name: Sounds, module: rules.sound, class_name: Valid, description: "", type: fail, params: , depends_on: []}
END
echo 'no rules' >site/map_rules/README.md
run 0 new -s 40x20 a.map

if ! teemap doctor | grep -q 'libyaml '; then
    run 2 lint --kog site/map_rules a.map
    says err 'built without libyaml: install it (Debian: libyaml-dev)'
    skip "without libyaml"
fi

run 0 edit a.map -o bare.map replace spawn with air
run 1 lint --kog site/map_rules --select 'kog-*' bare.map
is out "bare.map: map: error: Spawn (tile 192) is there 0 times; at least 1 are asked for [kog-there-is-a-spawn]"
run 0 edit bare.map -o good.map fill 'game@3,3+1x1' spawn + fill 'game@5,3+1x2' finish
run 0 lint --kog site/map_rules --select 'kog-*' good.map
run 0 lint --kog site/map_rules --list
says out 'kog-not-too-large' 'kog-there-is-a-finish' 'Sounds'
run 1 lint --kog site/map_rules/000_size.yaml --kog site/map_rules/001_tiles.yaml --select 'kog-*' -r .
says out bare.map
says_not out good.map

# Beside a .teemap.toml, which may speak of these rules; each is listed once.
echo 'lint.severity = {"kog-there-*" = "note"}' >.teemap.toml
run 0 lint --kog site/map_rules --select 'kog-*' bare.map
run 1 lint --kog site/map_rules --select 'kog-*' --no-config bare.map
run 0 lint --kog site/map_rules --list
[ "$(grep -c kog-not-too-large out)" = 1 ] || fail "a rule is listed twice"
run 0 lint --kog site/map_rules --config .teemap.toml --select 'kog-*' bare.map
rm .teemap.toml

# Named by a .teemap.toml, by its path from that file; --no-config reads neither.
mkdir -p below/deep
cp bare.map good.map below/deep
{ echo '[lint]'; echo 'kog = "../site/map_rules"'; echo 'severity = {kog-there-is-a-spawn = "note"}'; } >below/.teemap.toml
run 0 lint --select 'kog-*' below/deep/bare.map
run 0 lint -v --select 'kog-*' below/deep/bare.map
says out 'note: Spawn (tile 192) is there 0 times'
run 2 lint --no-config --select kog-there-is-a-spawn below/deep/bare.map
says err kog-there-is-a-spawn
run 0 lint --config below/.teemap.toml --list
says out 'kog-there-is-a-spawn'
sed -i 's/site/sight/' below/.teemap.toml
run 2 lint below/deep/bare.map
says err sight/map_rules
rm -r below

# The size of the file, with --fix too.
sed 's/10MB/10Byte/' site/map_rules/000_size.yaml >tiny.yaml
run 1 lint --kog tiny.yaml --select 'kog-*' good.map
says out 'at most 10 are allowed [kog-not-too-large]'
run 1 lint --kog tiny.yaml --select 'kog-*' --fix -n good.map

# Images and sounds by their hashes. The map has a 2x2 image of RGBA and one of 2x1 of RGB.
make_map many.map
run 1 lint --kog site/map_rules --select 'kog-*' -v many.map
says out "image 1 'pic': warning: it is 2 x 2 pixels; both must be multiples of 16" \
    "$(printf 'OggS not really' | sha512sum | cut -d' ' -f1) [kog-sounds]"
says_not out grass_main 'none of the'
mkdir -p site/data/mapres site/data/custom_mapres
run 1 lint --kog site/map_rules --select kog-good-images many.map
says out "image 0 'grass_main': warning: it is none of the external images" "image 1 'pic': warning: it is none of the embedded"
says out "$(printf '\1\2\3\377\4\5\6\377' | sha512sum | cut -d' ' -f1)"
touch site/data/mapres/grass_main.png \
    "site/data/custom_mapres/rgb-$(printf '\1\2\3\377\4\5\6\377' | sha512sum | cut -d' ' -f1).png"
run 1 lint --kog site/map_rules --select kog-good-images many.map
says_not out grass_main "image 2 'rgb': warning: it is none"
says out "image 1 'pic': warning: it is none"
(cd site/map_rules && teemap lint --kog . --select kog-good-images ../../many.map >../../within) || true
same out <(sed 's,^\.\./\.\./,,' within)

# In other formats, and refused.
run 1 lint --kog site/map_rules --select 'kog-*' --format sarif bare.map
json out "[r['id'] for r in o['runs'][0]['tool']['driver']['rules']].count('kog-there-is-a-spawn') == 1"
sed -i 's/Exist/Exists/' site/map_rules/001_tiles.yaml
run 2 lint --kog site/map_rules good.map
says err '001_tiles.yaml: line 4: rules.tile.Exists is no kind of rules that is known'
run 2 lint --kog missing good.map
says err missing
mkdir none
run 2 lint --kog none good.map
says err 'there is no *.yaml in this folder'
no_litter
