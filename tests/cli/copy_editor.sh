#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap copy --game ddnet` writes what DDNet's editor saves, byte for byte: of its own maps the same file, and of a
# map with the same content but older items what it makes of that.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

for seed in 0 1 2 3 4 5 6 7 8; do
    python3 "$TEEMAP_SOURCE/tests/cli/make_editor_map.py" $seed editor.map
    python3 "$TEEMAP_SOURCE/tests/cli/make_editor_map.py" --plain $seed plain.map
    run 0 copy editor.map out.map
    same editor.map out.map
    for map in editor plain; do
        run 0 copy -g ddnet $map.map out.map
        empty err
        same editor.map out.map || fail "seed $seed, $map.map"
    done
    run 0 check -m strict out.map
done

# A level that is asked for is libdeflate's, whoever reads it.
run 0 copy -g ddnet -z 6 editor.map out.map
datafile same editor.map out.map || fail 'another packing has other content'

# What the real editor saved, where it is.
full=${TEEMAP_SHARED:-}/review/found/full.map
if [ -f "$full" ]; then
    run 0 copy -g ddnet "$full" out.map
    same "$full" out.map
fi
