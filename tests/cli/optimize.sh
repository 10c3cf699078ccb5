#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap optimize`: smaller or byte for byte the same, proof, sums, nothing half written.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 copy -z 1 rich.map loose.map
run 0 edit loose.map -o wide.map add image nobody + add envelope color + add group Empty
run 0 optimize wide.map -o small.map --verify
says err 'bytes (-'
[ "$(stat -c %s small.map)" -lt "$(stat -c %s wide.map)" ] || fail 'the map did not become smaller'
run 0 check -m strict small.map

# A second time nothing is to be gained: the file stays as it is.
run 0 optimize small.map -o same.map
cmp small.map same.map || fail 'what cannot become smaller was changed'
run 0 optimize --json -n wide.map
says out '"input_size":' '"output_size":' '"written":false'

# Packing alone leaves the map as it is.
run 0 optimize --packing-only wide.map -o packed.map
run 0 info --json wide.map
sed 's/.*"images"/"images"/; s/"\(item\|packed\|file\)_[a-z]*":[0-9]*//g' out >a
run 0 ls wide.map
cp out a
run 0 ls packed.map
sed 's/packed/wide/' out >b
diff <(awk '{ print $1, $2, $3 }' a) <(awk '{ print $1, $2, $3 }' b) || fail 'packing changed the map'

# With --images the proof holds, too, on real maps: colors that are not visible tinge the edges of what is.
if corpus; then
    run 0 optimize --images --verify -n "$TEEMAP_SHARED"/corpus/ddnet06/{skynet1-30fd90,gravity-a733ed}.map
    says err '2 maps:'
fi

run 2 optimize --packing-only --images wide.map -o x.map
says err 'exclude each other'
run 2 optimize wide.map
says err 'where to?'
run 0 optimize -t made wide.map loose.map
says err '2 maps:'
no_litter
