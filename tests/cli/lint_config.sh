#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap lint with .teemap.toml: which file is for which map, own rules in every format, what is refused.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

mkdir -p maps/old other
run 0 new -s 40x20 maps/a.map
run 0 edit maps/a.map -o maps/bad.map add group Nothing + add layer Game tele + fill 'tele@3,3+1x2' tele-in-evil:5
cp maps/bad.map maps/old/bad.map
cp maps/bad.map other/bad.map

cat >maps/.teemap.toml <<'END'
[lint]
rules = ["ddnet", "style"]
ignore = ["empty-*"]
severity = {tele-without-out = "error"}

[[lint.maps]]
match = "old/"
ignore = "tele-*"

[[lint.rule]]
id = "many-spawns"
title = "There should be many spawns"
require = "1000.. spawn"
END
run 1 lint maps/bad.map
says out 'error: teleporters with number 5' '[many-spawns]' "There should be many spawns: 'spawn' fits "
says_not out empty-group
run 1 lint --severity 'empty-*=warning' maps/old/bad.map other/bad.map
says out '[many-spawns]' 'other/bad.map: group 2' '[empty-group]' 'other/bad.map: group 1, layer 1'
says_not out 'old/bad.map: group'
lines out 3
(cd maps/old && teemap lint bad.map >../../inside) || true
grep -q many-spawns inside || fail "the file is found from within"
run 1 lint -r maps other
says err '4 maps: 0 clean'

# The command line overrules files.
run 0 lint --ignore many-spawns,tele-without-out maps/bad.map
run 1 lint -v --rules style --select '*' maps/bad.map
says out '[empty-group]'
run 1 lint -v --no-config maps/a.map maps/bad.map
says_not out many-spawns
says out '[empty-group]'
run 1 lint --config maps/.teemap.toml other/bad.map
says out many-spawns
run 1 lint --select many-spawns --severity many-spawns=error --json maps/bad.map
says out '"id":"many-spawns","severity":"error"'
cp out known.json
run 0 lint --select many-spawns --severity many-spawns=error --baseline known.json maps/bad.map

# Own rules in all formats.
for format in sarif github junit markdown; do
    run 1 lint --format $format --select many-spawns maps/bad.map
    says out many-spawns
done
run 0 lint --list --config maps/.teemap.toml
says out 'many-spawns' 'There should be many spawns'

# Fixes.
cat >fix.toml <<'END'
[[lint.rule]]
id = "no-evil"
forbid = "tele-in-evil"
fix = "replace tele-in-evil with air"
END
run 1 lint --config fix.toml --select no-evil -v maps/bad.map
says out "2 tiles fit 'tele-in-evil' (at 3,3+1x2) [no-evil]" 'teemap edit: replace tele-in-evil with air'
run 0 lint --config fix.toml --select no-evil --fix-one no-evil maps/bad.map -o fixed.map
run 0 lint --config fix.toml --select no-evil fixed.map
run 0 lint --config fix.toml --select no-evil --fix=all maps/bad.map -o fixed.map
run 0 lint --config fix.toml --select no-evil fixed.map

# What is refused: file, line, nearest spelling.
refused() { # refused TEXT PART...
    printf '%b' "$1" >wrong.toml
    run 2 lint --config wrong.toml maps/bad.map
    shift
    says err wrong.toml "$@"
    empty out
}
refused '[lint]\nignor = "x"\n' 'line 2: ' "'ignor'" "did you mean 'ignore'?"
refused '[lint]\nignore = "tele-witout-out"\n' 'line 2: ' "did you mean 'tele-without-out'?"
refused '[lint\n' 'line 1: '
run 2 lint --select many-spwns maps/bad.map
says err "did you mean 'many-spawns'?"
run 2 lint --config missing.toml maps/bad.map
says err 'missing.toml: cannot open'
printf '[lnt]\n' >maps/old/.teemap.toml
run 2 lint -r maps
says err "old/.teemap.toml: line 1: there is no key 'lnt' here; did you mean 'lint'?"

# --diff: what fixes would change, and nothing is written.
run 0 edit maps/bad.map -o twice.map add group Other
cp twice.map before.map
run 1 lint --no-config --diff twice.map
says out 'twice.map: 2 objects removed' "group 2 'Nothing' removed"
cmp twice.map before.map
run 1 lint --no-config --fix-one empty-group --diff --json twice.map
says out '"written":false' '"diff":{"counts":{"added":0,"removed":2,'
cp out fix.json
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" edit fix.json || fail "the schema of --fix --json"
fi
run 0 lint --no-config --select empty-group --fix twice.map -o fixed.map
run 1 diff twice.map fixed.map
grep -v '^twice.map' out >differs
run 0 lint --no-config --select empty-group --diff twice.map
grep -v '^twice.map' out | cmp -s - <(tail -n +2 differs) || fail "--diff is what diff says"
run 2 lint --diff -i twice.map
says err '--diff writes nothing'

# An own rule's fix is read with the file.
printf '[[lint.rule]]\nid = "x"\nforbid = "spawn"\nfix = "replase spawn with air"\n' >own.toml
run 2 lint --config own.toml maps/a.map
says err own.toml "the fix of rule 'x'" replase
sed -i s/replase/replace/ own.toml
run 1 lint --config own.toml --select x maps/a.map

# The configurations that the page shows are read.
shown() { sed -n "/^##* $1/,/^##* $2/p" "$TEEMAP_SOURCE/docs/lint.md" | grep '^    ' | sed 's/^    //' >shown.toml; }
shown 'Configuration' "KoG's rules"
grep -q two-spawns shown.toml || fail "the page's example"
run 0 lint --config shown.toml --select two-spawns,no-255 maps/a.map
run 1 lint --config shown.toml --select our-license maps/a.map
says out 'the license is MIT' '[our-license]'
run 0 edit maps/a.map -o mit.map set info.license=MIT
run 0 lint --config shown.toml --select our-license mit.map
