#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# MapDir: `teemap unpack --format mapdir`, and `teemap pack`, which knows by itself what a folder is. With twmap-edit (of
# `./run bench`, or on the PATH) both programs read what the other wrote.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

schemas() { # DIR...
    python3 "$cli_tests/schema_folder.py" "$TEEMAP_SOURCE/docs/schema" "$@" >schemas.log || [ $? = 77 ] ||
        fail "the schemas: $(head -n 3 schemas.log)"
}

run 0 new -s 12x9 plain.map
run 0 unpack --format mapdir -v plain.map dir
says err "dir: 6 files"
is dir/version.json "{
  \"type\": \"ddnet06\",
  \"created_by\": \"$(teemap --version | head -n 1)\"
}"
says dir/groups/1_Game/layers/0_Game.json '"type": "game"' '"width": 12'
run 0 pack dir again.map
run 0 diff plain.map again.map
run 0 unpack plain.map folder
schemas dir folder

# What is there is not replaced unless asked for, and not by a folder of the other kind.
run 2 unpack --format mapdir plain.map dir
says err "holds an unpacked map already"
run 2 unpack -u plain.map dir
says err "holds no map that was unpacked in this format"
run 2 unpack -u --format mapdir plain.map folder
run 0 edit plain.map -o less.map remove 0
run 0 unpack -u --format mapdir less.map dir
[ ! -e dir/groups/1_Game/group.json ] || fail "files of before are still there"
run 0 pack -f dir again.map
run 0 diff less.map again.map

# What it cannot hold is told, and the status is 1.
run 0 edit plain.map -o opaque.map set Game/Game.name=Other
run 1 unpack --format mapdir opaque.map lost
says err "[lost-field]" "MapDir cannot hold: name or other field of a physics layer or its group (1)"
run 1 unpack --format mapdir --json opaque.map lost2
json out "o['findings'][0]['id'] == 'lost-field'"

# docs/mapdir.md names each loss in the words of the table.
python3 - "$TEEMAP_SOURCE" <<'PYTHON' || fail "docs/mapdir.md"
import re, sys
with open(sys.argv[1] + '/src/mapdir/twmap_names.c', encoding='utf-8') as file:
    losses = re.findall(r'\{TM_FINDING_LOST_\w+,\s*"([^"]+)"', file.read())
with open(sys.argv[1] + '/docs/mapdir.md', encoding='utf-8') as file:
    page = file.read()
missing = [loss for loss in losses if loss not in page]
assert len(losses) >= 14 and not missing, missing
PYTHON

# twmap refuses a group of physics layers that is not called Game; ours is, and that is told.
run 0 edit plain.map -o unnamed.map set 1.name=
run 1 unpack --format mapdir unnamed.map unnamed
says err "[lost-field]" "or its group"
grep -q '"name": "Game"' unnamed/groups/1_Game/group.json || fail "the physics group has another name"

# Links are not followed, and names of texts lead nowhere.
ln -s ../../folder/info.json dir/images
run 0 pack -n dir x.map
rm dir/images
sed -i 's/"clipping": false/"clipping": false, "image": "..\/..\/x"/' dir/groups/*/group.json
run 0 pack -n dir x.map
says err "nothing is known of a member 'image'"

program=$(command -v twmap-edit || ls "${TEEMAP_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/teemap-bench}/cargo/bin/twmap-edit" 2>/dev/null)
[ -n "$program" ] || { echo "no twmap-edit: the other program was not asked"; exit 0; }
corpus || { echo "no corpus: real maps were not tried"; exit 0; }
for map in "$TEEMAP_SHARED"/corpus/ddnet06/coverage-88a73f.map "$TEEMAP_SHARED"/corpus/vanilla0[67]/dm1-*.map \
    "$TEEMAP_SHARED"/corpus/*/autumn_day-ef1ae8.map; do # a negative clip
    rm -rf ours theirs back.map there.map
    "$program" --mapdir "$map" theirs >/dev/null 2>&1 || continue
    teemap unpack -q --format mapdir "$map" ours || [ $? = 1 ] || fail "$map"
    diff -r -x version.json -x '*.png' ours theirs >differences || fail "$map: $(head -n 3 differences)"
    run 0 pack -q -f ours back.map
    "$program" ours there.map >/dev/null 2>&1 && [ -e there.map ] || fail "$map: twmap-edit does not read our folder"
done
