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
says err 'no map is named'

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
run 0 help tele-without-out
says out 'They do nothing.' 'teemap help rules'
run 0 help rules

# What it says can be typed: the mend of each finding does away with it.
teemap lint --json --select empty-physics bad.map >one.json
mend=$(python3 -c 'import json; print(json.load(open("one.json"))["findings"][0]["mend"])')
# shellcheck disable=SC2086 # several words
run 0 edit bad.map -o mended.map $mend
run 0 lint --select empty-physics mended.map

# JSON of whole, broken and missing maps fits the schema.
head -c 300 bad.map >cut.map
make_map rich.map
run 2 lint --json bad.map cut.map missing.map rich.map small.map
lines out 5
python3 "$TEEMAP_SOURCE/tests/cli/schema.py" "$TEEMAP_SOURCE/docs/schema" lint out || [ $? = 77 ] || fail 'lint --json'

# Damage in a layer: the others are asked, and it is told.
datafile break game-data small.map damaged.map || fail 'break game-data'
run 0 lint damaged.map
says err 'damaged' "'teemap check'"

mkdir folder
cp bad.map small.map folder
run 1 lint -r folder
says err 'teemap: 2 maps: 1 clean, 0 with notes, 1 with warnings, 0 with errors; 3 findings shown'
run 1 lint -j 4 -r folder
