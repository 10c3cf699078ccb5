#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What SECURITY.md promises of small files that ask for much: seconds of the processor, memory and output, with default limits.
# The maps are made here (hostile_maps.py tells what each does); they once took minutes, gigabytes, or both.
#
# test-timeout: 900
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
[ ${#emulator[@]} = 0 ] || skip "an emulator has other times"

mkdir maps
python3 "$cli_tests/hostile_maps.py" maps || fail "hostile_maps.py"

# What lists, and never unpacks a layer.
for map in maps/*.map; do
    held 1 120 0 info "$map"
    held 1 120 0 ls "$map"
    held 1 120 0 info --json "$map"
done

# What looks at every block, one at a time.
for map in maps/*.map; do
    held 10 1200 0 check "$map"
done

# Text: what is long is refused before it is unpacked, and --limit raises that.
held 1 100 2 cat --json maps/game.map 0/0
says err '268435456 tiles, the limit is 16000000; see --limit'
held 1 100 2 cat maps/runs.map 0/1
held 5 100 0 cat --json maps/quads.map 0/1
held 5 100 2 cat --limit 4999 maps/quads.map 0/1
says err '5000 quads, the limit is 4999; see --limit'
held 10 100 0 cat --json maps/alternate.map 0/1
json out "len(o['tiles']) == 1024 and o['tiles'][1023].split()[-1] == '2'"
held 5 100 2 cat --limit 1M maps/alternate.map 0/1

# Pictures: all trial views of a thumbnail, and the picture, together.
held 8 200 2 thumbnail maps/quads.map -o picture.png
says err 'the picture needs more work than the limit'
[ ! -e picture.png ] || fail "half a picture was written"
held 5 512 0 thumbnail -s 3x200 maps/large.map -o picture.png # took 1.05 GB
held 8 512 2 thumbnail maps/game.map -o picture.png           # took 1.06 GB
says err 'a layer needs 1073741824 bytes when it is drawn' 'see --memory'
held 8 600 0 thumbnail maps/alternate.map -o picture4.png # a layer at a time, within --memory
for name in teles runs; do # what does not fit is known before anything is unpacked
    held 1 200 2 thumbnail maps/$name.map -o picture3.png
    says err 'memory_budget'
done
held 5 200 2 render --limit 500M maps/quads.map -o picture2.png
held 8 1200 0 render -s 200x200 maps/large.map -o picture2.png
# Three versions of a list: 340 bytes for each command before.
for side in ours theirs; do
    held 2 100 0 edit maps/commands.map -o "$side.map" settings add "sv_$side 1"
done
held 2 100 1 diff maps/commands.map ours.map
held 4 300 0 merge maps/commands.map ours.map theirs.map -o merged.map
rm ours.map theirs.map merged.map
no_litter
