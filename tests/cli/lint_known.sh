#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap lint: what is known: findings that a map says to leave out, and those of a former run, also when they are too many to be listed.
# test-labels: servers
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/support/servers.sh
. "$TEEMAP_SOURCE/tests/support/servers.sh"

run 0 new -s 40x20 new.map
run 0 edit new.map -o bad.map add group Nothing + add layer Game tele + fill 'tele@3,3+1x2' tele-in-evil:5

# The map says what to leave out.
printf '[lint.severity]\n"empty-*" = "warning"\n' >.teemap.toml
run 1 lint bad.map
lines out 2
run 0 edit bad.map -o quiet.map settings add '# teemap: ignore tele-without-out@1/1 empty-group - the exits come later'
run 0 lint quiet.map
empty out
run 0 lint -v quiet.map
says out 'quiet.map: ignored: group 1' '[tele-without-out]' 'quiet.map: ignored: group 2' '[empty-group]'
run 0 lint --json quiet.map
says out '"ignored":[{"id":"tele-without-out"' '"findings_unlisted":0'
cp out json
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" lint json || fail "the schema"
fi
run 0 edit bad.map -o misspelt.map settings add '# teemap: ignore empty-gruop tele-without-out@7/1 - tidy'
run 1 lint misspelt.map
says out "line 1: no rule fits 'empty-gruop'; did you mean 'empty-group'? [setting-arguments]" "line 1: the map has no object '7/1'" '[empty-group]' '[tele-without-out]'
run 0 lint --fix -i quiet.map
run 0 lint -v quiet.map
says out '[empty-group]'
# To DDNet's server the line is a comment.
if servers_present ddnet; then
    servers_try ddnet quiet.map || fail "DDNet's server"
else
    echo "without DDNet's server: not installed"
fi

# What a former run found, all of it.
many() { # many NUM: groups without layers
    local args=() i
    for ((i = 1; i < $1; i++)); do args+=(add group Many +); done
    run 0 edit new.map -o many.map "${args[@]}" add group Many
}
many 60
run 1 lint many.map
lines out 1
says out 'many.map: 60 groups: '
run 1 lint --json many.map
cp out known.json
run 0 lint --baseline known.json many.map
empty out
many 61
run 1 lint --baseline known.json many.map
lines out 1
says out '[empty-group]'
# A run whose list was cut, as one of a former version: the number counts.
python3 - <<'END'
import json
known = json.load(open('known.json'))
known['findings'] = [f for f in known['findings'] if f['id'] != 'empty-group'] + [f for f in known['findings'] if f['id'] == 'empty-group'][:50]
open('cut.json', 'w').write(json.dumps(known) + '\n')
END
run 1 lint --baseline cut.json many.map
lines out 11

# The map may be called otherwise, and what is known may have moved: a group at the back made all old findings new.
cp bad.map t.map
run 1 lint --json ./t.map
cp out known.json
run 0 lint --baseline known.json t.map
run 0 lint --baseline known.json .//././t.map
run 0 edit bad.map -o t.map add group Back + add layer 3 quads + move 3 0
run 1 lint --baseline known.json t.map
lines out 1
says out 'group 0' '[empty-layer]'
run 0 edit bad.map -o t.map add group Nothing + move 3 0
run 1 lint --baseline known.json t.map
lines out 1
says out "'Nothing'" '[empty-group]'
