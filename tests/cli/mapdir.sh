#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# MapDir: `teemap pack` knows by itself what a folder is. With twmap-edit (of `./run bench`, or on the PATH) a folder of its
# gives the same map from both programs. MapDir holds neither opaque flags nor automappers without rules, and twmap-edit makes
# both whenever it saves: so it saves ours once.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

mkdir -p dir/groups/0_Game/layers dir/images
echo '{"type": "ddnet06", "created_by": "hand"}' >dir/version.json
echo '{"author": "", "version": "", "credits": "", "license": "", "settings": ["sv_a 1"]}' >dir/info.json
echo '{"name": "Game", "clipping": false}' >dir/groups/0_Game/group.json
echo '{"type": "game", "width": 12, "height": 9, "tiles": [{"x": 3, "y": 2, "id": 1}]}' >dir/groups/0_Game/layers/0_Game.json
run 0 pack dir packed.map
run 0 new -s 12x9 plain.map
run 0 edit plain.map -o expected.map remove 0 + fill game air + settings add 'sv_a 1' + fill 'game@3,2+1x1' 1
run 0 diff expected.map packed.map

# It is not a folder that `unpack` replaces.
run 2 unpack -u plain.map dir
says err "holds no unpacked map"

# Links are not followed, and names of texts lead nowhere.
ln -s ../../elsewhere.json dir/images/0.json
run 0 pack -n dir x.map
sed -i 's/"clipping": false/"clipping": false, "image": "..\/..\/x"/' dir/groups/*/group.json
run 0 pack -n dir x.map
says err "nothing is known of a member 'image'"

program=$(command -v twmap-edit || ls "${TEEMAP_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/teemap-bench}/cargo/bin/twmap-edit" 2>/dev/null)
[ -n "$program" ] || { echo "no twmap-edit: the other program was not asked"; exit 0; }
corpus || { echo "no corpus: real maps were not tried"; exit 0; }
for map in "$TEEMAP_SHARED"/corpus/ddnet06/coverage-88a73f.map "$TEEMAP_SHARED"/corpus/vanilla0[67]/dm1-*.map; do
    rm -rf theirs back.map there.map again.map
    "$program" --mapdir "$map" theirs >/dev/null 2>&1 || continue
    "$program" theirs there.map >/dev/null 2>&1 || continue
    run 0 pack -q -f theirs back.map
    "$program" back.map again.map >/dev/null 2>&1 || fail "twmap-edit does not open what was packed from its folder of $map"
    run 0 diff there.map again.map
done
