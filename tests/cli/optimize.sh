#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap optimize`: smaller or byte for byte the same, proof, sums, nothing half written.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
# What items that nobody knows may refer to stays, and that is said.
run 0 edit rich.map -o stranger.map add image nobody
run 1 optimize stranger.map -o kept.map
says err 'unknown-may-refer' '2 images'
run 0 ls kept.map
says out nobody
run 0 unpack --plain rich.map known
run 0 pack -f known rich.map # without them
run 0 copy -z 1 rich.map loose.map
run 0 edit loose.map -o wide.map add image nobody + add envelope color + add group Empty
run 0 optimize wide.map -o small.map --verify
says err 'bytes (-'
[ "$(stat -c %s small.map)" -lt "$(stat -c %s wide.map)" ] || fail 'the map did not become smaller'
run 0 check -m strict small.map

# A second time nothing is to be gained: the file stays as it is.
run 0 optimize small.map -o same.map
cmp small.map same.map || fail 'what cannot become smaller was changed'
cp small.map place.map
inode=$(stat -c '%i %y' place.map)
run 0 optimize -i place.map
[ "$(stat -c '%i %y' place.map)" = "$inode" ] || fail 'a file was written in which nothing changes'
run 0 optimize --json -n wide.map
says out '"input_size":' '"output_size":' '"written":false'

# A dry run of several maps is a line for each with its sizes and the sum, all on standard output; the changes are in -v.
run 0 optimize -n wide.map loose.map
[ "$(cut -d ' ' -f 1,2 out | tr '\n' ' ' | sed 's/[0-9]\{3,\}/N/g')" = 'wide.map: N loose.map: N 2 maps: ' ] || fail "lines: $(cat out)"
empty err
run 0 optimize -n -v wide.map
says out 'wide.map: group' 'bytes (-'
# A layer that becomes smaller at both ends is reported once.
run 0 edit wide.map -o both.map add group Both + add layer Both tiles 50x50 + fill Both/0@10,10+3x3 5
run 0 optimize -n -v both.map
[ "$(grep -c 'tiles became' out)" -ge 1 ] || fail "nothing was trimmed: $(cat out)"
[ -z "$(grep 'tiles became' out | cut -d ' ' -f 1-5 | sort | uniq -d)" ] || fail "trimmed twice: $(cat out)"

# Packing alone leaves the map as it is.
run 0 optimize --packing-only -n -v wide.map
says out 'wide.map: nothing to change but how it is packed'
run 0 optimize --packing-only wide.map -o packed.map
run 0 optimize --packing-only -n -v packed.map
says out 'packed.map: nothing to change'
says_not out 'how it is packed'
run 0 info --json wide.map
sed 's/.*"images"/"images"/; s/"\(item\|packed\|file\)_[a-z]*":[0-9]*//g' out >a
run 0 ls wide.map
cp out a
run 0 ls packed.map
sed 's/packed/wide/' out >b
diff <(awk '{ print $1, $2, $3 }' a) <(awk '{ print $1, $2, $3 }' b) || fail 'packing changed the map'

# With --images no map is larger than without: data that two images shared became the data of each.
python3 - "$cli_tests" <<'PYTHON'
import random
import sys
sys.path.insert(0, sys.argv[1])
import make_map
make_map.WIDTH, make_map.HEIGHT = 20, 11
random.seed(5)
out = make_map.Writer()
noise = out.block(b''.join(bytes(random.randrange(256) for _ in range(3)) + b'\xff' for _ in range(64 * 64)))
out.add(0, [1])
for name in 'left', 'right':
    out.add(2, [1, 64, 64, 0, out.text(name), noise])
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + make_map.name_ints('Game', 3))
make_map.tile_layer(out, 1, 'Game', bytes(20 * 11 * 4))
out.add(4, [3, 0, 0, 100, 100, 1, 2, 0, 0, 0, 0, 0] + make_map.name_ints('Deco', 3))
for image, first in enumerate((1, 36)):
    data = out.block(b''.join(bytes([first + i, 0, 0, 0]) for i in range(220)))
    ints = [0, 2, 0, 3, 20, 11, 0, 255, 255, 255, 255, -1, 0, image, data]
    out.add(5, ints + make_map.name_ints('', 3) + [-1] * 5)
with open('shared.map', 'wb') as file:
    file.write(out.bytes())
PYTHON
run 0 optimize shared.map -o plain.map
run 0 optimize --images -v shared.map -o cleared.map
says_not err 'blanked'
cmp plain.map cleared.map || fail "--images: $(stat -c %s cleared.map), without $(stat -c %s plain.map)"
run 0 optimize --images --dilate shared.map -o dilated.map
[ "$(stat -c %s dilated.map)" -le "$(stat -c %s plain.map)" ] || fail '--images --dilate made the map larger'
rm shared.map plain.map cleared.map dilated.map

# With --images the proof holds, too, on real maps: colors that are not visible tinge the edges of what is.
if corpus; then
    run 0 optimize --images --verify -n "$TEEMAP_SHARED"/corpus/ddnet06/{skynet1-30fd90,gravity-a733ed}.map
    says out '2 maps:'
    run 0 optimize --images "$TEEMAP_SHARED"/corpus/ddnet06/skynet1-30fd90.map -o blanked.map
    run 0 optimize --images --dilate "$TEEMAP_SHARED"/corpus/ddnet06/skynet1-30fd90.map -o dilated.map
    [ "$(stat -c %s dilated.map)" -lt "$(stat -c %s blanked.map)" ] || fail '--dilate made nothing smaller'
fi
run 2 optimize --packing-only --dilate wide.map -o x.map
says err '--dilate exclude'

# With --max by zopfli, too: smaller, and the map is the same. Without it that is said, and nothing is written.
if teemap doctor --json | grep -q '"zopfli"'; then
    run 0 optimize --packing-only --max wide.map -o max.map
    [ "$(stat -c %s max.map)" -lt "$(stat -c %s packed.map)" ] || fail '--max is not smaller'
    run 0 diff --quiet wide.map max.map
    run 0 check -m strict max.map
    run 0 optimize --packing-only max.map -o again.map
    cmp max.map again.map || fail 'what --max packed became larger again'
    if corpus; then
        maps=("$TEEMAP_SHARED"/corpus/vanilla07/{dm1-bb46db,grass_template-19c5b9}.map)
        run 0 optimize -t best -z 12 "${maps[@]}"
        run 0 optimize -t most --max -j 2 "${maps[@]}"
        sum() { cat "$1"/*.map | wc -c; }
        [ "$(sum most)" -lt "$(sum best)" ] || fail '--max is not smaller over real maps'
        printf '%s\n' "real maps: $(sum best) bytes at level 12, $(sum most) with --max"
        for map in "${maps[@]}"; do run 0 diff --quiet "best/${map##*/}" "most/${map##*/}"; done
        run 0 optimize -t one --max -j 1 "${maps[@]}"
        diff -r one most || fail 'the number of threads changes what is written'
    fi
else
    echo 'built without zopfli: --max is refused'
    run 2 optimize --max wide.map -o x.map
    says err '--max' 'libzopfli-dev'
    [ ! -e x.map ] || fail 'a map was written'
fi

run 2 optimize --packing-only --images wide.map -o x.map
says err 'exclude each other'
run 2 optimize wide.map
says err 'no output: give'
head -c $(($(stat -c %s wide.map) - 40)) wide.map >cut.map
cp cut.map before.map
run 1 optimize -i cut.map # what the broken part used went as unused
says err "cut.map: not changed: it is damaged; repair it with 'teemap fix' first"
cmp cut.map before.map || fail 'a damaged file was replaced'
rm cut.map before.map
run 0 optimize -t made wide.map loose.map
says err '2 maps:'
no_litter
