#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What is written for a game ends with that game's verdict: every command that writes a map x maps that DDNet refuses. Either the strict
# loader opens the result, or the status is not 0 and one line says why. It was 0 for most, and the game refused the file.
# test-labels: threads
# test-timeout: 600
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

python3 "$cli_tests/verdict_maps.py" . >maps || fail 'verdict_maps.py'
run 0 new -s 9x6 other.map
run 0 edit other.map -o other2.map set info.author=somebody
run 1 diff -o author.patch other.map other2.map

# What becomes of a result: it opens, or the status is not 0 and the reason is told by its id, or as an error of the command.
judge() { # COMMAND MAP RESULT STATUS
    local strict=0
    if [ ! -e "$3" ]; then
        [ "$4" != 0 ] || fail "$1 of $2: no result and status 0"
        [ -s err ] || fail "$1 of $2: no word about why nothing is written"
        return
    fi
    teemap check -q -m strict "$3" >/dev/null 2>&1 || strict=$?
    if [ "$strict" = 2 ]; then
        # To git, 1 of a merge is a conflict: where OURS was refused before, it is only told.
        [ "$4" = 1 ] || [ "$1" = merge ] || { cat err; fail "$1 of $2: DDNet refuses the result, and the status is $4"; }
        if [ "$1" != fix ]; then
            [ "$(grep -c 'DDNet 20.1 refuses the result.*not-for-ddnet' err)" = 1 ] || { cat err; fail "$1 of $2: the reason is not told once"; }
        fi
    elif grep -q not-for-ddnet err; then
        cat err
        fail "$1 of $2: told as refused, but the game opens it"
    fi
}

# try NAME BECOMES MAP COMMAND...: OUT in the command is the result
try() {
    local name=$1 becomes=$2 map=$3 status=0
    shift 3
    rm -f result.map
    teemap "$@" >out 2>err </dev/null || status=$?
    judge "$name" "$map" result.map "$status"
    [ "$becomes" != opens ] || { [ -e result.map ] && teemap check -q -m strict result.map >/dev/null 2>&1; } ||
        { cat err; fail "$name of $map: it can be repaired, and is not"; }
    tried=$((tried + 1))
}

tried=0
while read -r name becomes opens; do
    map=$name.map
    for_game=any
    [ "$becomes" = refused ] || for_game=opens
    for game in ddnet teeworlds06 teeworlds07; do
        try "copy --game $game" $for_game $map copy --game $game $map result.map
        # What writing anew mends by itself is not told: layout, ids, the version, layers of two groups. Nor are layers that are left out.
        case $game:$name in
        *:name-* | *:shared-* | *:eight-* | *:design-0x5 | ddnet:data-* | ddnet:tele-* | ddnet:front-*)
            grep -q 'repaired\]' err || { cat err; fail "copy --game $game of $map: the repair is not told"; } ;;
        esac
        try "convert --to $game" $for_game $map convert --to $game $map -o result.map
    done
    try optimize $for_game $map optimize $map -o result.map
    try fix $for_game $map fix $map -o result.map
    try 'optimize --packing-only' any $map optimize --packing-only $map -o result.map
    try edit any $map edit $map -o result.map set info.author=somebody
    try automap any $map automap --all $map -o result.map
    try patch any $map patch $map author.patch -o result.map
    try embed any $map embed $map -o result.map
    try merge any $map merge $map $map $map -o result.map
    try 'lint --fix' any $map lint --fix $map -o result.map
    rm -rf folder
    if teemap unpack -q $map folder 2>/dev/null; then
        try pack any $map pack folder result.map
        try 'pack --plain' any $map pack --plain folder result.map
    fi
    # In place, too, and a dry run ends as the run.
    cp $map place.map
    wet=0 dry=0
    teemap optimize -i place.map >out 2>err || wet=$?
    judge 'optimize -i' $map place.map $wet
    teemap optimize -n $map >out 2>err || dry=$?
    [ $wet = $dry ] || fail "optimize -n of $map: $dry, but -i $wet"
    # What the game refuses is an error of lint, and what no game opens one of check.
    strict=0
    teemap check -q -m strict $map >/dev/null 2>&1 || strict=$?
    if [ $strict = 2 ]; then
        run 1 lint $map
        if [ "$opens" = opens ]; then
            [ "$(grep -c 'error: DDNet 20.1 refuses this map: .*not-for-ddnet' out)" = 1 ] || { cat out; fail "lint of $map"; }
            teemap check -q $map || fail "check of $map: games open it"
        fi
    else
        teemap lint $map >out 2>err || true
        ! grep -q not-for-ddnet out || fail "lint of $map: DDNet opens it"
    fi
    if [ "$opens" = broken ]; then
        status=0
        teemap check -q $map || status=$?
        [ $status != 0 ] || fail "check of $map: 0, though no game opens it"
    fi
done <maps
[ $tried -gt 300 ] || fail "only $tried results were judged"

# New maps of every game, of the smallest size, too.
for game in ddnet teeworlds06 teeworlds07; do
    for size in 2x2 2x3 7x5 50x50; do
        try "new --game $game" opens "$size" new -s $size --game $game result.map
        empty err
    done
done

# A layer that claims 784 MB of which nothing is there: DDNet opens the map, which was told as one without the layer's data index.
run 1 check -m strict design-huge.map
says out '[data-short]'
! grep -q 'bad-data-index' out || fail 'design-huge.map has a data index'

# A game layer that makes no sense is named, and not told as missing.
run 1 info game-0x20.map
says out 'size       unknown: the game layer has 0 x 20 tiles: no game opens it'
run 1 info game-minus-5x20.map
says out 'the game layer has -5 x 20 tiles'
run 1 info game-none.map
says out 'unknown: there is no game layer'
for game in ddnet teeworlds06 teeworlds07; do
    run 2 convert --to $game game-65536.map -o none.map
    says err 'the game layer has no size'
done

# An edit that makes the game refuse a map which it opened: told, and 1. One of a map that it refused before says that, too.
run 1 edit fine.map -o color.map remove Game/Game
says err 'DDNet 20.1 refuses the result: there is no game layer'
run 1 edit color-999.map -o color.map set info.author=somebody
says err 'DDNet 20.1 refuses the result, as it refused the input: the color is 255, 999, 255, 255'
run 1 edit --json color-999.map -o color.map set info.author=somebody
says out '"id":"not-for-ddnet"'

# A merge that git asks for is no conflict for what was refused before; a repair is told.
run 0 merge color-999.map color-999.map color-999.map -o merged.map
says err 'as it refused the input'
run 0 copy -g ddnet name-cut.map cut.map
says err 'the name is not UTF-8' '[repaired]'
run 0 ls cut.map
says out "'背景贴'"
run 0 copy -g ddnet eight-channels.map four.map
run 0 check -v four.map
says out fine
