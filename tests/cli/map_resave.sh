#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
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
mapmaker=$TEEMAP_BINARY/tests/tools/mapmaker
map_resave=$(compgen -G '/usr/lib/*/ddnet/map_resave' | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# It writes below the user's save directory, and dies without a word if that does not exist.
saves=$work/home/.local/share/ddnet
mkdir -p "$saves"
passed=0 failed=0

fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

resave() { # MAP: makes $saves/out.map
    rm -f "$saves/out.map"
    (cd "$work" && unset XDG_DATA_HOME && HOME=$work/home "$map_resave" "$1" out.map) >/dev/null 2>&1
}

# judge MAP WHAT [ORIGINAL]: the original is what the content must equal.
judge() {
    local why
    why=$(python3 "$datafile" check "$1") || { fail "$2: zlib: $why"; return; }
    if [ $# -gt 2 ]; then
        why=$(python3 "$datafile" same "$3" "$1") || { fail "$2: differs from the original: $why"; return; }
    fi
    if [ -n "$map_resave" ]; then
        # It has bugs of its own: what it cannot do with the original either is not about our writing.
        if resave "$1"; then
            why=$(python3 "$datafile" same "$1" "$saves/out.map") || { fail "$2: map_resave: $why"; return; }
        elif [ $# -lt 3 ] || resave "$3"; then
            fail "$2: map_resave breaks"
            return
        else
            echo "$2: map_resave breaks on the original, too"
        fi
    fi
    passed=$((passed + 1))
}

written() { # FILE WHAT COMMAND...
    local file=$1 what=$2
    shift 2
    rm -f "$file"
    "$@" >"$work/log" 2>&1 && [ -s "$file" ] && return 0
    fail "$what: $(head -n 1 "$work/log")"
    return 1
}

# The judge must be able to say no.
written "$work/good.map" 'build ddnet' "$mapmaker" build ddnet "$work/good.map" || exit 1
python3 "$datafile" break game-data "$work/good.map" "$work/bad.map" || exit 1
if python3 "$datafile" check "$work/bad.map" >/dev/null; then fail 'zlib accepts a broken block'; fi
if python3 "$datafile" same "$work/good.map" "$work/bad.map" >/dev/null; then fail 'a broken block counts as the same'; fi

for game in ddnet teeworlds06 teeworlds07; do
    written "$work/new.map" "new $game" "$TEEMAP" new --game $game "$work/new.map" && judge "$work/new.map" "new $game"
    written "$work/plain.map" "build $game" "$mapmaker" plain $game "$work/plain.map" &&
        judge "$work/plain.map" "a built $game map with everything but bezier curves"
    # DDNet's tools before 17.2 break on any map with the UUID item of bezier curves, also on DDNet's own.
    written "$work/built.map" "build $game" "$mapmaker" build $game "$work/built.map" && {
        if [ $game = ddnet ]; then asked=''; else asked=$map_resave; fi
        map_resave=$asked judge "$work/built.map" "a built $game map with everything"
    }
done

corpus=$TEEMAP_SHARED/corpus
[ -d "$corpus" ] || corpus=/usr/share/games/ddnet/data/maps
[ -d "$corpus" ] || echo 'without real maps: neither the corpus nor ddnet-data'
while IFS= read -r map; do
    name=$(basename "$map")
    level=$((1 + passed % 12)) # every level gets its turn
    written "$work/packed.map" "recompress $name" "$TEEMAP" copy --recompress $level "$map" "$work/packed.map" &&
        judge "$work/packed.map" "$name, packed at level $level" "$map"
done < <(find "$corpus" -name '*.map' -not -path '*/failed/*' -size -300k 2>/dev/null | LC_ALL=C sort)

[ -n "$map_resave" ] || echo 'without map_resave: ddnet-tools is not installed'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
