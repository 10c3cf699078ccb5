#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap lint: what is shown, choices of rules, exit statuses, JSON, damaged maps.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 40x20 small.map
run 0 lint small.map
empty err
run 0 edit small.map -o bad.map add layer Game tele + fill 'tele@3,3+1x2' tele-in-evil:5 + fill 'tele@9,3+1x1' tele-in:5 + \
    add layer Game tune + add group Nothing
# What players meet is an error, what nobody uses a note, until somebody says otherwise: the rest is tried with warnings.
run 1 lint --fail-on error bad.map
says out "error: teleporters with number 5 have no exit"
lines out 1
cat >.teemap.toml <<'END'
[lint.severity]
"*-without-out" = "warning"
"empty-*" = "warning"
END
run 1 lint bad.map
says out "bad.map: group " "layer 1 'Tele': warning: teleporters with number 5 have no exit (at 3,3+1x2 and 1 more place) [tele-without-out]"
says out '[empty-physics]' '[empty-group]'
says_not out '[blue-tele]'
run 1 lint -v bad.map
says out 'note: 1 tile' '[blue-tele]' '    3,3+1x2: 2 tiles' '    teemap edit: remove '
run 1 lint -q bad.map
empty out
empty err

# Exit statuses.
run 0 lint --fail-on error bad.map
run 1 lint --fail-on note --select blue-tele bad.map
says out '[blue-tele]'
lines out 1
run 0 lint --select blue-tele bad.map
empty out
run 1 lint --severity 'blue-tele=error' --fail-on error bad.map
says out 'error: ' '[blue-tele]'
run 2 lint missing.map
says err 'missing.map: cannot open'
run 2 lint
says err 'no map was given'

# Choices.
run 1 lint --select 'tele-*' bad.map
lines out 1
run 0 lint --ignore 'tele-without-out,empty-*' bad.map
run 0 lint --rules vanilla bad.map
run 1 lint --rules style,kog bad.map
run 2 lint --rules ddnett bad.map
says err 'ddnett' '--rules'
run 2 lint --select tele-without-oot bad.map
says err "did you mean 'tele-without-out'?"
run 2 lint --severity tele-without-out bad.map
says err '--severity is not'
run 0 lint --list
says out tele-without-out empty-group
run 0 lint --list --rules vanilla
says out lone-flag
says_not out tele-without-out
run 2 lint --list small.map
says err '--list looks at no map'
run 2 lint --list --json
says err '--list prints no JSON'
run 0 help tele-without-out
says out 'They do nothing: players who should be sent back continue.' 'teemap help lint-rules'
run 0 help lint-rules

# What it says can be typed: the fix of each finding does away with it.
teemap lint --json --select empty-physics bad.map >one.json
fix=$(python3 -c 'import json; print(json.load(open("one.json"))["findings"][0]["fix"])')
# shellcheck disable=SC2086 # several words
run 0 edit bad.map -o fixed.map $fix
run 0 lint --select empty-physics fixed.map

# JSON of whole, broken and missing maps fits the schema.
head -c 300 bad.map >cut.map
make_map rich.map
run 2 lint --json bad.map cut.map missing.map rich.map small.map
lines out 5
python3 "$TEEMAP_SOURCE/tests/cli/schema.py" "$TEEMAP_SOURCE/docs/schema" lint out || [ $? = 77 ] || fail 'lint --json'

# Damage in a layer: the others are asked, and it is told.
datafile break game-data small.map damaged.map || fail 'break game-data'
run 1 lint --fail-on error damaged.map
says out 'damaged.map: error: 1 layer or image is damaged' "'teemap check' says more [data-broken]"

mkdir folder
cp bad.map small.map folder
run 1 lint -r folder
says err 'teemap: 2 maps: 1 clean, 0 with notes, 1 with warnings, 0 with errors; 3 findings shown'
run 1 lint -j 4 -r folder

# Fixes: the safe ones, all, one; the map is written as by edit.
run 2 lint --fix bad.map
says err 'no output: give'
run 2 lint -o x.map bad.map
says err 'go with --fix'
run 1 lint --fix bad.map -o fixed.map
says err "bad.map: 2 fixes applied; findings are left: see 'teemap lint'"
run 1 lint fixed.map
lines out 1
says out '[tele-without-out]'
run 0 lint --fix --ignore tele-without-out bad.map -o fixed2.map
says err 'no findings left'
same fixed.map fixed2.map
run 1 lint --fix -n -v bad.map
says out removed
cp bad.map once.map
run 1 lint --fix-one empty-group -i once.map
run 1 lint once.map
says_not out '[empty-group]'
says out '[empty-physics]'
cp bad.map nowhere.map
run 1 lint --fix-one empty-group@99 -i nowhere.map
says err "no finding that has a fix for --fix-one 'empty-group@99'"
same bad.map nowhere.map
run 2 lint --fix-one empty-grup -i nowhere.map
says err "no rule fits 'empty-grup'; did you mean 'empty-group'?"
run 2 lint --fix-one 'empty-*' -i nowhere.map
says err "no rule fits 'empty-*'"
# Findings are told by kind, front before tele: the removal of one used to shift the address of the next, which took the speedups instead.
run 0 edit small.map -o layers.map add layer Game front + add layer Game tele + add layer Game speedup + fill 'speedup@5,5+3x3' speedup:force=50
run 0 lint --fix -n layers.map
says err '2 fixes would be applied, no findings left' # was: applied
run 0 lint --fix -o fewer.map layers.map
says err '2 fixes applied, no findings left'
run 0 find -c speedup fewer.map
is out 'fewer.map: 9'
run 0 ls fewer.map
says_not out Front Tele
# 50,000 unknown commands took a round for each 50.
seq -f 'sv_x%.0f 1' 50000 >many.txt
run 0 edit small.map -o commands.map settings from many.txt
held 5 300 0 lint --fix=all --select setting-unknown -o without.map commands.map
says err '5 fixes applied, no findings left'
rm many.txt commands.map without.map
# What is misspelt, or of another server, is not safe to take away.
run 0 edit small.map -o misspelt.map add layer Game tele + fill 'tele@3,3+1x1' tele-in:5 + fill 'tele@3,4+1x1' tele-out:5 + \
    settings add 'sv_deepflyy 0'
run 1 lint --select setting-unknown misspelt.map # lines were counted from 0
says out "line 1: 'sv_deepflyy' is no setting of maps; perhaps 'sv_deepfly'"
run 1 lint --fix --select setting-unknown misspelt.map -o kept.map
run 0 find 'settings/sv_deepflyy*' kept.map
run 0 lint --fix=all --select setting-unknown misspelt.map -o gone.map
run 1 find 'settings/sv_deepflyy*' gone.map
run 0 edit small.map -o old.map add layer Game speedup + fill 'speedup@3,3+1x1' speedup-old:force=20
run 1 lint --fix --fail-on note --select speedup-old old.map -o kept.map
says err '0 fixes applied; findings are left'
run 0 lint --fix=all --select speedup-old --fail-on note -o migrated.map old.map
run 0 find -c 'speedup' migrated.map
is out 'migrated.map: 1'
run 0 edit small.map -o weak.map add layer Game speedup + fill 'speedup@3,3+1x1' speedup:force=1 + replace speedup with force=0
run 1 lint --fail-on note --select speedup-without-force weak.map
says out 'speedup: 1 tile with force 0'
run 1 lint --json --fix bad.map -o fixed3.map
python3 "$TEEMAP_SOURCE/tests/cli/schema.py" "$TEEMAP_SOURCE/docs/schema" fix out || [ $? = 77 ] || fail 'lint --fix --json'

# What is taken away may have told the game: --diff compares with the map as it will be read.
cat >sounds.py <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from make_map import Writer, name_ints
out = Writer()
out.add(0, [1])
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + name_ints('Game', 3))
tiles = [255, 255, 255, 255, -1, 0, -1, out.block(bytes([192, 0, 0, 0]) + bytes(44))]
out.add(5, [0, 2, 0, 3, 4, 3, 1] + tiles + name_ints('Game', 3))
out.add(7, [1, 0, out.text('beep'), out.block(b'OggS not really'), 15])
open('sounds.map', 'wb').write(out.bytes())
PYTHON
PYTHONDONTWRITEBYTECODE=1 python3 sounds.py "$cli_tests" || fail 'sounds.map'
run 0 lint --fix --select unused-sound --diff sounds.map
says out 'game ddnet -> teeworlds06' "sound 0 'beep' removed"
cp out told
run 0 lint --fix --select unused-sound -o soundless.map sounds.map
says err "sounds.map: sound 0 'beep' removed" # it was named with -v only
run 0 optimize sounds.map -o quiet.map
says err "sounds.map: sound 0 'beep' removed: nothing refers to it" 'bytes (-'
run 1 diff sounds.map soundless.map
same out <(sed 's/^sounds.map: //' told)

# What was known before does not count.
run 1 lint --json bad.map
cp out known.json
run 0 lint --baseline known.json bad.map
empty out
run 0 edit bad.map -o worse.map add group Other
cp worse.map bad2.map
cp bad.map keep.map
cp worse.map bad.map
run 1 lint --baseline known.json bad.map
lines out 1
says out '[empty-group]'
cp keep.map bad.map
run 2 lint --baseline bad.map bad.map
says err 'this is not what'
run 2 lint --baseline missing.json bad.map

# Of more findings than are listed only those count that are shown, and a baseline knows all.
many=()
for i in {1..60}; do many+=(+ settings add "sv_hit$i 1"); done
run 0 edit small.map -o many.map "${many[@]:1}"
run 1 lint many.map
lines out 51
says out 'many.map: and 10 more'
for format in sarif github junit markdown; do
    run 1 lint --format $format many.map
    says out '10 more findings are not listed'
    cp out unlisted.$format
done
json unlisted.sarif "o['runs'][0]['invocations'][0]['toolExecutionNotifications'][0]['level'] == 'warning'"
python3 -c "import xml.dom.minidom as x; x.parse('unlisted.junit')" || fail 'what JUnit tells of the unlisted is no XML'
python3 "$TEEMAP_SOURCE/tests/cli/schema.py" "$TEEMAP_SOURCE/docs/schema" sarif/log unlisted.sarif || [ $? = 77 ] ||
    fail "the schema of SARIF with unlisted findings"
run 0 lint --severity setting-unknown=note many.map
empty out
run 1 lint --json many.map
cp out many.json
run 0 lint --baseline many.json many.map
empty out
run 0 lint --fix-one setting-unknown --severity setting-unknown=note --fail-on warning -n many.map
says err 'no findings left'

# An image that nothing uses is a note, whatever other rules are asked; alone the rule made it a warning.
run 0 edit small.map -o unused.map add image nowhere_main
run 0 lint --select image-not-shipped --fail-on warning unused.map
run 0 lint --select image-not-shipped -v unused.map
says out 'note: it is external'

# Objects are told together, listed by -v, and fixed one by one.
many=()
for _ in {1..60}; do many+=(+ add group Nothing); done
run 0 edit small.map -o groups.map "${many[@]:1}"
run 1 lint groups.map
lines out 1
says out '60 groups: warning: they have no layers: 2, 3, 4, 5 and 56 more [empty-group]'
run 1 lint -v groups.map
says out '    61' 'teemap edit: clean groups'
run 1 lint --json groups.map
says out '"address":"2"' '"address":"61"'
run 1 lint --fix-one empty-group@7 -o fewer.map groups.map
run 1 lint fewer.map
says out '59 groups'
run 0 lint --fix -o none.map groups.map

# Formats of other programs: whole documents, over all maps, whatever names maps and objects have.
on_posix || skip "the rest is about names that no file of Windows has"
run 0 edit bad.map -o 'od%d <&"name>.map' rename Nothing 'a<b|&"c'
for format in sarif github junit markdown; do
    run 1 lint --format $format -v bad.map 'od%d <&"name>.map' small.map
    cp out $format.out
done
python3 - <<'PYTHON' || fail 'a format does not hold'
import json, xml.etree.ElementTree as tree
sarif = json.load(open('sarif.out'))
run = sarif['runs'][0]
rules = run['tool']['driver']['rules']
assert sarif['version'] == '2.1.0' and len(rules) >= 80 and run['invocations'][0]['executionSuccessful']
for result in run['results']:
    assert rules[result['ruleIndex']]['id'] == result['ruleId'] and result['message']['text']
    assert result['level'] in ('note', 'warning', 'error')
    uri = result['locations'][0]['physicalLocation']['artifactLocation']['uri']
    assert uri in ('bad.map', 'od%25d%20%3C%26%22name%3E.map'), uri
assert {r['ruleId'] for r in run['results']} >= {'tele-without-out', 'blue-tele', 'empty-group'}
suites = tree.parse('junit.out').getroot()
assert [s.get('name') for s in suites] == ['bad.map', 'od%d <&"name>.map', 'small.map']
assert suites[0].get('failures') == '3' and len(suites[0]) == int(suites[0].get('tests'))
for line in open('github.out'):
    assert line.startswith(('::warning file=', '::notice file=')), line
assert 'file=od%25d <&"name>.map,title=' in open('github.out').read()
markdown = open('markdown.out').read()
assert '### bad.map' in markdown and '| warning | ' in markdown and '`tele-without-out`' in markdown
assert '### small.map' not in markdown
PYTHON
run 2 lint --format sarif cut.map bad.map
# SARIF had no result for a map that cannot be read.
json out "not o['runs'][0]['invocations'][0]['executionSuccessful'] and o['runs'][0]['results'][0]['ruleId'] == 'unreadable'"
run 2 lint --format junit cut.map
says out '<testcase classname="cut.map" name="unreadable"><error message='
run 2 lint --format markdown cut.map
says out '| error |' '`unreadable`'
# GitLab keeps one case of each class and name: these said neither the map nor which of several.
run 0 edit small.map -o again.map settings add 'sv_nonsense 1' 'sv_nothing 1'
run 1 lint --format junit -v bad.map 'od%d <&"name>.map' again.map
python3 -c "
import xml.etree.ElementTree as tree
cases = [(c.get('classname'), c.get('name')) for c in tree.parse('out').getroot().iter('testcase')]
assert len(cases) == len(set(cases)) >= 8 and ('again.map', 'setting-unknown settings (2)') in cases, cases" || fail 'names of JUnit collide'

# A map whose end is missing passed with status 0, and its images without names were joined as equal.
run 0 edit bad.map -o whole.map add image a + add image b
python3 -c "
import struct
whole = open('whole.map', 'rb').read()
open('half.map', 'wb').write(whole[:struct.unpack_from('<3i', whole, 4)[2] + 26])" # 10 bytes of its data
run 1 check half.map
many=$(grep -o 'data-broken.*more:.*' out)
run 1 lint half.map # a line for each block
says out "$many"
for format in '' --json '--format sarif' '--format github' '--format junit' '--format markdown' '--page half' '-q'; do
    # shellcheck disable=SC2086
    run 1 lint --select no-spawn --fail-on error $format half.map
    [ "$format" = -q ] || [ "$format" = '--page half' ] || says out data-cut 'damaged: rules that need'
done
says_not err damaged
run 1 lint --json half.map
python3 "$TEEMAP_SOURCE/tests/cli/schema.py" "$TEEMAP_SOURCE/docs/schema" lint out || [ $? = 77 ] || fail 'lint --json of a damaged map'
run 1 lint --fix -o new.map half.map
says err "half.map: not changed: it is damaged; repair it with 'teemap fix' first"
[ ! -e new.map ] || fail "a damaged map was written"
run 1 lint --diff half.map
run 1 lint --select image-twice --fail-on note half.map
says_not out image-twice
run 2 lint --format sarif --json bad.map
says err 'format of its own'

# Sets and types.
run 2 lint --rules solos bad.map
says err 'not a list of sets for --rules: ddnet, kog, ' ', solo, ' 'release, mod'
run 2 lint --rules ddnet,stile bad.map
says err "; did you mean 'style'?"
run 0 lint --list --rules solo
says out 'solo-setting'
says_not out 'blue-tele'
run 1 lint --rules solo --json bad.map
says out '"ddnet"' '"solo"' 'solo-setting'
run 1 lint --rules solo --fix=all -o solo.map bad.map
run 1 lint --rules solo --json solo.map
says_not out 'solo-setting'
