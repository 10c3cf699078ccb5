#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap unpack -u` in git: an object that comes or goes changes a line of its list and its own files, also among others of the same
# name, which keep the names of their files. And a folder that was on Windows.
. "$TEEMAP_SOURCE/tests/cli/lib.sh" || exit 1

command -v git >/dev/null || skip "no git here"
mkdir home
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_PAGER=cat

run 0 new -s 12x9 first.map
run 0 edit first.map -o before.map add group sky + add layer 2 quads + add layer 2 tiles 3x3 + add layer 2 tiles 4x4 + \
    add layer 2 tiles 5x5 + add group sky + add layer 3 tiles 7x7 + set 3.parallax.x=50 + add group
run 0 unpack before.map folder
is folder/groups/sky/layers.txt $'quads\ntiles\ntiles-2\ntiles-3'
git init -q folder
git -C folder add -A
git -C folder commit -qm before

# After `git add`: a line "A/M/D NAME" for each file, sidecar.bin aside, which is of the file as a whole.
changes() {
    git -C folder add -A
    git -C folder diff --cached --no-renames --name-status | tr '\t' ' ' | grep -v ' sidecar.bin$' | LC_ALL=C sort
}
expect() { # EDIT CHANGES ...
    rm -f after.map
    run 0 edit before.map -o after.map $1
    run 0 unpack -u after.map folder
    changes >changed
    is changed "$(LC_ALL=C sort <<<"$2")"
    run 0 pack folder packed.map -f
    same after.map packed.map
    run 0 pack --plain folder packed.map -f
    run 0 diff after.map packed.map
    git -C folder reset -q --hard
}

# A layer behind all others of its name: they stay, and one line comes.
expect 'add layer 2 tiles 9x9 + move 2/4 2/0' $'A groups/sky/tiles-4.json\nM groups/sky/layers.txt'
rm -f after.map
run 0 edit before.map -o after.map add layer 2 tiles 9x9 + move 2/4 2/0
run 0 unpack -u after.map folder
git -C folder add -A
is folder/groups/sky/layers.txt $'tiles-4\nquads\ntiles\ntiles-2\ntiles-3'
[ "$(git -C folder diff --cached --numstat -- groups/sky/layers.txt)" = $'1\t0\tgroups/sky/layers.txt' ] || fail "more than a line changed"
git -C folder reset -q --hard

# One that goes, one that changes while another comes, and one that is both edited and moved.
expect 'remove 2/1' $'D groups/sky/tiles.json\nM groups/sky/layers.txt'
expect 'set 2/3.color=#ff0000ff + add layer 2 tiles 9x9 + move 2/4 2/1' \
    $'M groups/sky/tiles-3.json\nA groups/sky/tiles-4.json\nM groups/sky/layers.txt'
expect 'set 2/3.detail=true + move 2/3 2/0' $'M groups/sky/tiles-3.json\nM groups/sky/layers.txt'

# Groups of an equal name, by what is in them.
expect 'add group sky + move 5 0' $'M groups.txt\nA groups/sky-3.json\nA groups/sky-3/layers.txt'
expect 'remove 2' $'M groups.txt\nD groups/sky.json\nD groups/sky/quads.json\nD groups/sky/tiles-2.json
D groups/sky/tiles-3.json\nD groups/sky/tiles.json\nD groups/sky/layers.txt'

# Nothing but the case of a name: one file to Windows, so it stays where it is.
expect 'rename 2/0 QUADS' 'M groups/sky/quads.json'

# Ends of lines and the mark of Windows, what its and other desktops leave lying about: the same map, without a word.
run 0 pack --plain folder packed.map -f
find folder \( -name '*.txt' -o -name '*.json' \) -exec sed -i -e 's/$/\r/' -e '1s/^/\xef\xbb\xbf/' {} +
for name in Thumbs.db desktop.ini .DS_Store; do
    echo x | tee "folder/$name" "folder/groups/$name" >"folder/groups/sky/$name"
done
mkdir folder/images && echo x >folder/images/Thumbs.db
run 0 pack --plain folder windows.map -f
empty err
same packed.map windows.map
run 0 unpack -u before.map folder
[ -e folder/groups/sky/Thumbs.db ] || fail "a file of others is gone"
[ -z "$(git -C folder status --porcelain -uno)" ] || fail "the ends of lines did not become what they were"

# Members that no reader knows stay in their files, once and again, and in no others; they used to be dropped. Those of another
# kind of object do not come back, and what is within a line is no member of the file.
run 0 unpack before.map others
python3 - <<'PYTHON' || fail 'unknown members'
import json
for name, more in (('map', {'todo': True}), ('groups/sky', {'x-tool': {'a': [1, 2.5e3, {}, []], 'b "c"': None}, 'note': '\u00e4\n'}),
                   ('groups/sky/quads', {'note': 1, 'tiles': ['0'], 'tiles_rest': '00', 'name_bytes': '61'})):
    path = 'others/%s.json' % name
    with open(path, encoding='utf-8') as file:
        own = json.load(file)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({**more, **own}, file)
PYTHON
sed -i 's/"name": "sky"/"name": "sky", "name_bytes": null/' others/groups/sky.json
run 0 unpack -u before.map others
python3 - <<'PYTHON' || fail 'unknown members are gone'
import json
load = lambda name: json.load(open('others/%s.json' % name, encoding='utf-8'))
assert list(load('map')) == ['teemap_folder', 'game', 'map_version', 'todo']
assert load('groups/sky')['x-tool'] == {'a': [1, 2.5e3, {}, []], 'b "c"': None} and load('groups/sky')['note'] == '\u00e4\n'
assert load('groups/sky/quads')['note'] == 1 and not {'tiles', 'tiles_rest', 'name_bytes'} & set(load('groups/sky/quads'))
assert 'note' not in load('info')
PYTHON
cp -r others twice
run 0 unpack -u before.map twice
diff -r others twice || fail 'unpacking once more changed what nobody changed'
run 0 pack others packed.map -f
says err "groups/sky.json:" "nothing is known of a member 'x-tool'" "[folder-unused]"
same before.map packed.map

# A name in another case, a path with backslashes: told with the place, and how the file is called.
sed -i 's/^quads$/Quads/' folder/groups/sky/layers.txt
run 2 pack folder windows.map -f
says err 'groups/sky/Quads.json: error: the file is missing' "'groups/sky/quads.json'"
printf 'sky\\quads\r\n' >folder/groups/sky/layers.txt
run 2 pack folder windows.map -f
says err "groups/sky/layers.txt:1:1: error: 'sky\\quads' cannot be the name"
