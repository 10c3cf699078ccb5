#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap new` makes maps that the strictest loader takes and in which one can stand.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

for game in ddnet teeworlds06 teeworlds07; do
    for size in 2x2 3x3 9x4 200x7; do
        map=$game-$size.map
        run 0 new --game $game --size $size "$map"
        empty out
        run 0 check --mode strict "$map"
        empty out
        run 0 info --json "$map"
        json out "[o['width'], o['height']] == [int(n) for n in '$size'.split('x')] and o['counts']['quads'] == 1"
        datafile check "$map" >/dev/null || fail "$map: zlib"
        run 0 cat "$map" Game/Game
        grep -q 192 out || fail "$map has no spawn point"
        run 0 copy "$map" again.map
        same "$map" again.map
    done
done

run 0 new -g 0.7 vanilla.map
run 0 info --json vanilla.map
json out "o['game'] == 'teeworlds07'"
run 0 new plain.map
run 0 info --json plain.map
json out "o['game'] == 'ddnet' and o['width'] == 50 and o['height'] == 50 and o['counts']['layers'] == 2"
run 0 cat --json plain.map 1/0
cp out layer.json
# Ground all around, spawn points only right above the floor, nothing else.
json layer.json "o['tiles'][0] == o['tiles'][-1] == '1*50' and
    all(r.split()[0] == r.split()[-1] == '1' for r in o['tiles'][1:-1]) and
    all(r == '1 0*48 1' for r in o['tiles'][1:-2]) and
    {t.split('*')[0] for t in o['tiles'][-2].split()[1:-1]} == {'0', '192'}"
run 0 cat --json plain.map 0/0
json out "[o['quads'][0]['points'][i] for i in (0, 3)] == ['-800,-600', '800,600']"

# Nothing is overwritten unless asked for; - is standard output.
cp plain.map kept.map
run 2 new -s 9x9 plain.map
says err "plain.map: exists"
same plain.map kept.map
run 0 new -f -v -s 9x9 plain.map
says err "9 x 9 tiles"
run 0 new -
same out kept.map
run 2 new --json -
run 2 new missing/folder/x.map
says err "missing/folder/x.map: cannot write: No such file or directory"
no_litter
