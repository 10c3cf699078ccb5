#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap unpack` and `teemap pack`: a folder of text and a map of it again; nothing outside of the folder is touched.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 12x9 plain.map
run 0 unpack -v plain.map plain
empty out
says err "plain: 10 files"
is plain/groups.txt $'group\nGame'
is plain/groups/Game/layers.txt Game
says plain/groups/Game/Game.json '"kind": "game"' '"1*12"'
python3 "$cli_tests/schema_folder.py" "$TEEMAP_SOURCE/docs/schema" plain >schemas.log || [ $? = 77 ] ||
    fail "the schemas: $(head -n 3 schemas.log)"
run 0 pack -v plain again.map
same plain.map again.map
no_litter

# An empty text is no text, as in maps that are saved anew: `"credits": ""` became null when a plain folder was packed and unpacked.
# Nor has it no version, a parallax zoom, or a quad of zeros in an empty layer.
if corpus; then
    run 1 unpack --plain "$TEEMAP_SHARED/corpus/other/dm1_old-05956f.map" old
    says old/map.json '"map_version": 1'
    for map in vanilla06/infc_k9f_small-f4a593 vanilla06/infc_spacelab-36ec98 ddnet06/diff1-e82f54; do
        rm -rf once once.map twice
        run 0 unpack --plain "$TEEMAP_SHARED/corpus/$map.map" once
        run 0 pack --plain once once.map
        run 0 unpack --plain once.map twice
        diff -r once twice || fail "$map: a plain folder is another one after pack and unpack"
    done
fi

# What exists is not replaced unless asked for.
run 2 pack plain again.map
says err "again.map: exists"
run 2 pack again.map other.map # was: cannot list: Not a directory
says err 'again.map: is a file, and a folder is needed'
run 2 unpack plain.map plain
says err "plain: holds an unpacked map already"
mkdir other && echo mine >other/notes.txt
run 2 unpack plain.map other
says err "other: is not empty"
run 2 unpack -u plain.map other
[ "$(ls other)" = notes.txt ] || fail "something was written into a folder of others"
run 2 unpack missing.map nothing
# A folder stays as it was when the map is too large: empty folders were left in it.
run 2 unpack --limit 900 plain.map nothing
[ ! -e nothing ] || fail 'a folder is left'
mkdir empty
run 2 unpack --limit 900 plain.map empty
[ -z "$(ls -A empty)" ] || fail 'folders are left'
rmdir empty
[ ! -e nothing ] || fail "a folder was made for nothing"

# An edited map: -u replaces what changed, removes what is gone, and leaves what is not its own.
echo mine >plain/README.md
mkdir plain/.git && echo mine >plain/.git/x.json
run 0 edit plain.map -o edited.map remove 0 + set info.author=Anna
run 0 unpack -u edited.map plain
[ ! -e plain/groups/group.json ] || fail "the removed group is still there"
[ -e plain/README.md ] && [ -e plain/.git/x.json ] || fail "files of others are gone"
says plain/info.json '"author": "Anna"'
run 0 pack -f plain again.map
same edited.map again.map

# All faults at once, with their places; nothing is written.
sed -i 's/"1\*12"/"1*13"/' plain/groups/Game/Game.json
sed -i 's/ddnet/quake/' plain/map.json
run 2 pack plain broken.map
says err "groups/Game/Game.json:13:5: error: the row has 13 tiles, and the layer is 12 wide [folder-value]" \
    "map.json:3:11: error: game cannot be 'quake'" "map.json"
[ ! -e broken.map ] || fail "a broken folder was packed"
run 2 pack -n --json plain broken.map
json out "not o['written'] and o['error']['code'] == 'damaged' and len(o['findings']) >= 2"
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" pack out || [ $? = 77 ] || fail "the schema of pack"

# A group that was taken out of the list is told once for its folder, not for each file in it.
run 0 unpack edited.map removed
mkdir removed/groups/Old
echo '{}' | tee removed/groups/Old/{a,b,c}.json >/dev/null
run 0 pack removed x.map
[ "$(grep -c 'no list names' err)" = 1 ] || fail "a folder that no list names is told $(grep -c 'no list names' err) times"
says err 'groups/Old: warning: no list names this folder'
rm x.map

# A long block that begins as zlib packs it and goes on otherwise: told, where its layer was not edited.
run 0 new -s 200x200 long.map
python3 - "$TEEMAP_SOURCE/tests/support" long.map mixed.map <<'END'
import random, struct, sys, zlib
sys.path.insert(0, sys.argv[1])
from datafile import Datafile
file = Datafile(sys.argv[2])
blocks = [file.unpacked(i)[0] for i in range(file.num_data)]
packed = [file.packed(i) for i in range(file.num_data)]
long = max(range(file.num_data), key=lambda i: len(blocks[i]))
content = bytearray(random.Random(1).choices(range(40), k=len(blocks[long]))) # packed by Huffman codes, not stored
content[2::4] = content[3::4] = bytes(len(content) // 4) # which DDNet wants to be 0
stream, half = zlib.compressobj(6), 120000
packed[long] = (stream.compress(content[:half]) + stream.flush(zlib.Z_FULL_FLUSH) + stream.compress(content[half:]) +
                stream.flush())
assert len(content) > 3 << 15 and packed[long] != zlib.compress(content, 6)
at, offsets = 0, []
for block in packed:
    offsets.append(at)
    at += len(block)
head = bytearray(file.bytes[:file.data_at])
struct.pack_into('<%di' % len(offsets), head, file.data_offsets_at, *offsets)
size = len(head) + at
struct.pack_into('<2i', head, 8, size - 16, size - 16 - at)
struct.pack_into('<i', head, 32, at)
open(sys.argv[3], 'wb').write(bytes(head) + b''.join(packed))
END
run 0 unpack -q mixed.map mixed
run 0 pack mixed mixed-again.map
says err 'sidecar.bin: warning: 1 block is packed in other bytes than before: the same content, but not the same file [sidecar-mismatch]'
run 0 diff mixed.map mixed-again.map
run 0 unpack -q long.map long
run 0 pack long long-again.map
empty err
same long.map long-again.map
sed -i '0,/"1\*200"/s//"1*199 2"/' long/groups/Game/Game.json
run 0 pack -f long long-again.map
empty err

# Links are not followed, neither for reading nor for writing.
run 0 unpack --json edited.map linked
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" unpack out || [ $? = 77 ] || fail "the schema of unpack"
if on_posix; then
    mkdir target
    mv linked/groups/Game target/Game
    ln -s "$PWD/target/Game" linked/groups/Game
    run 2 pack linked x.map
    says err 'groups/Game/layers.txt: error: the file is behind a symbolic link, which is not followed'
    run 2 unpack -u edited.map linked
    says err "links are not followed"
    rm linked/info.json
    ln -s ../secret linked/info.json
    run 2 unpack -u edited.map linked
    [ ! -e secret ] || fail "a link was written through"
fi

# What stands where a file is to be is told for what it is.
run 0 unpack edited.map stands
if on_posix; then
    mv stands/info.json ../info.json
    ln -s ../../info.json stands/info.json
    run 2 pack stands x.map
    says err 'info.json: error: the file is a symbolic link, which is not followed'
fi
rm stands/info.json
mkdir stands/info.json
run 2 pack stands x.map
says err 'info.json: error: the file is a folder'
rmdir stands/info.json
rm stands/groups.txt
run 2 pack stands x.map
says err 'groups.txt: error: the file is missing'

# A folder is made in one that is there, and where no file is.
run 2 unpack edited.map no/such/folder
says err 'no/such/folder: cannot make the folder: its parent folder does not exist'
run 2 unpack edited.map edited.map
says err 'edited.map: is a file, and a folder is needed'
no_litter

# What stands behind the end of a file was not read, and was lost without a word.
run 0 unpack edited.map behind
for file in map.json groups/Game/Game.json; do
    cp "behind/$file" kept.json
    printf 'more' >>"behind/$file"
    run 2 pack behind x.map
    says err "$file:" 'nothing may follow here'
    cp kept.json "behind/$file"
done
run 0 pack behind behind.map

# Names of a text lead nowhere.
run 0 unpack edited.map names
printf '../../edited\n/etc/passwd\n' >names/images.txt
run 2 pack names x.map
says err "images.txt:1:1: error: '../../edited' cannot be the name" "images.txt:2:1"

# Real maps: the same map again, by the JSON of all that is in it.
corpus || { echo "no corpus: real maps were not tried"; exit 0; }
for map in "$TEEMAP_SHARED"/corpus/ddnet06/{Tutorial-796a37,coverage-831c1a}.map "$TEEMAP_SHARED"/corpus/vanilla07/*.map; do
    rm -rf real real.map
    run 0 unpack -q "$map" real
    run 0 pack -q real real.map
    run 0 info --json -v "$map" && cp out before
    run 0 info --json -v real.map
    for file in before out; do
        python3 -c 'import json,sys
o = json.load(open(sys.argv[1]))
def clean(v):
    if isinstance(v, dict):
        return {k: clean(w) for k, w in v.items() if k not in ("packed_size", "size")}
    return [clean(w) for w in v] if isinstance(v, list) else v
print(json.dumps([clean(o["groups"]), o["info"], o["settings"], o["width"], o["height"]]))' $file >$file.clean
    done
    same before.clean out.clean
done

# Air takes no memory: 160 MB of it go there and back in little. `pack` used to hold all of what the map unpacks to.
python3 "$TEEMAP_SOURCE/bench/bigmap.py" big.map 160
held 5 64 0 unpack -q big.map big
held 5 64 0 pack -q big big-again.map
same big.map big-again.map
rm big/sidecar.bin
held 5 64 0 pack -q -f big big-again.map

# Nor do tiles take all of it: `pack` used to hold 160 MB of them, too.
python3 "$TEEMAP_SOURCE/bench/bigmap.py" dense.map 160 20
held 10 64 0 unpack -q dense.map dense
held 15 130 0 pack -q dense dense-again.map
same dense.map dense-again.map
rm dense/sidecar.bin
held 10 130 0 pack -q -f dense dense-again.map
run 0 diff dense.map dense-again.map

# The recipes of docs/mapdir.md, in the folder that they speak of.
if corpus; then
    command -v jq >/dev/null || skip "no jq here, which the recipes of docs/mapdir.md are for; everything before them passed"
    run 0 unpack -q "$TEEMAP_SHARED/corpus/ddnet06/Tutorial-796a37.map" tutorial
    sed -n '/^## With other tools/,/^## /s/^    //p' "$TEEMAP_SOURCE/docs/mapdir.md" >recipes.sh
    bash -e recipes.sh >recipes.out || fail "a recipe of docs/mapdir.md"
    says recipes.out Switch '["' tutorial/groups/
    run 0 pack -q tutorial recoloured.map
    run 1 diff "$TEEMAP_SHARED/corpus/ddnet06/Tutorial-796a37.map" recoloured.map
    says out color
    run 0 cat recoloured.map Main/Freeze
    [ "$(jq -r .color tutorial/groups/Main/Freeze.json)" = '#ff8000ff' ] || fail "the color of a layer"
fi
