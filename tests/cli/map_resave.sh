#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: a program of the games for Linux
#
# The game's own code and zlib itself read every kind of block that teemap writes. Each map is written by teemap;
# then Python's zlib must unpack every block to exactly its size, and DDNet's map_resave (Debian's ddnet-tools), which
# unpacks and packs all, must give a map with the same items and the same unpacked blocks.
# Without map_resave only zlib is asked; that part needs nothing but python3.
#
# test-labels: real
# test-timeout: 600
set -uo pipefail

datafile="$TEEMAP_SOURCE/tests/support/datafile.py"
mapmaker=$TEEMAP_SOURCE/tests/tools/mapmaker.sh
# shellcheck source=tests/support/games.sh
. "$TEEMAP_SOURCE/tests/support/games.sh"
map_resave=$(games_tool map_resave)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# It writes below the user's save directory, and dies without a word if that does not exist.
saves=$work/home/.local/share/ddnet
mkdir -p "$saves"
passed=0 failed=0
number=0 # of the next file to write; all are kept until one reader looks at them together
: >"$work/list"

fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

resave() { # MAP: makes $saves/$number.map
    (cd "$work" && unset XDG_DATA_HOME && HOME=$work/home "$map_resave" "$1" $number.map) >/dev/null 2>&1
}

# judge MAP WHAT [ORIGINAL]: the original is what the content must equal. The list is judged at the end.
judge() {
    printf '%s\tcheck\t%s\n' "$2" "$1" >>"$work/list"
    [ $# -lt 3 ] || printf '%s\tsame\t%s\t%s\n' "$2" "$3" "$1" >>"$work/list"
    passed=$((passed + 1))
    [ -n "$map_resave" ] || return
    # It has bugs of its own: what it cannot do with the original either is not about our writing.
    if resave "$1"; then
        printf '%s, by map_resave\tsame\t%s\t%s\n' "$2" "$1" "$saves/$number.map" >>"$work/list"
    elif [ $# -lt 3 ] || resave "$3"; then
        fail "$2: map_resave breaks"
    else
        echo "$2: map_resave breaks on the original, too"
    fi
}

# Names the next file to write as $out.
next() {
    number=$((number + 1))
    out=$work/$number.map
}

written() { # WHAT COMMAND... that writes $out
    local what=$1
    shift
    local status=0
    "$@" >"$work/log" 2>&1 || status=$? # 1: a map without a game layer, which other programs read all the same
    [ $status -le 1 ] && [ -s "$out" ] && return 0
    fail "$what: $(head -n 1 "$work/log")"
    return 1
}

# The judge must be able to say no.
next
written 'build ddnet' "$mapmaker" build ddnet "$out" || exit 1
python3 "$datafile" break game-data "$out" "$work/bad.map" || exit 1
if python3 "$datafile" check "$work/bad.map" >/dev/null; then fail 'zlib accepts a broken block'; fi
if python3 "$datafile" same "$out" "$work/bad.map" >/dev/null; then fail 'a broken block counts as the same'; fi

for game in ddnet teeworlds06 teeworlds07; do
    next
    written "new $game" "$TEEMAP" new --game $game "$out" && judge "$out" "new $game"
    next
    written "build $game" "$mapmaker" plain $game "$out" &&
        judge "$out" "a built $game map with everything but bezier curves"
    # DDNet's tools before 17.2 break on any map with the UUID item of bezier curves, also on DDNet's own.
    next
    if [ $game = ddnet ]; then asked=''; else asked=$map_resave; fi
    written "build $game" "$mapmaker" build $game "$out" &&
        map_resave=$asked judge "$out" "a built $game map with everything"
done

corpus=$TEEMAP_SHARED/corpus
[ -d "$corpus" ] || corpus=$(games_file ddnet maps)
[ -d "$corpus" ] || echo 'without real maps: neither the corpus nor ddnet-data'
while IFS= read -r map; do
    name=$(basename "$map")
    level=$((1 + number % 12)) # every level gets its turn
    next
    written "recompress $name" "$TEEMAP" copy --recompress $level "$map" "$out" &&
        judge "$out" "$name, packed at level $level" "$map"
done < <(find "$corpus" -name '*.map' -not -path '*/failed/*' -size -300k 2>/dev/null | LC_ALL=C sort)

python3 "$datafile" all "$work/list" || failed=$((failed + 1))
[ -n "$map_resave" ] || echo 'without map_resave: ddnet-tools is not installed'
echo "$passed maps judged, $failed failed"
[ $failed = 0 ]
