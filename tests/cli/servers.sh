#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: servers of the games for Linux
#
# Maps that teemap builds, copies, packs anew and changes run in the games' own servers (Debian's ddnet-server and
# teeworlds-server). What each server runs unharmed it must still run afterwards; damaged maps must be refused, or
# the judge could not fail. A server that is not installed is left out; without any, the test is skipped.
#
# test-labels: servers long
# test-timeout: 600
set -uo pipefail

. "$TEEMAP_SOURCE/tests/support/servers.sh"
datafile="$TEEMAP_SOURCE/tests/support/datafile.py"
mapmaker=$TEEMAP_SOURCE/tests/tools/mapmaker.sh
examples=$TEEMAP_BINARY/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

servers=()
for kind in ddnet teeworlds; do
    if servers_present $kind; then servers+=("$kind"); else echo "without the $kind server: not installed"; fi
done
[ ${#servers[@]} -gt 0 ] || exit 77

note() { # OK? TEXT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok: $2"
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}

runs() { # KIND MAP WHAT
    local why
    why=$(servers_try "$1" "$2")
    note $? "$1 runs $3${why:+: $why}"
}

refuses() { # KIND MAP WHAT
    local why status=0
    why=$(servers_try "$1" "$2") || status=$?
    [ $status = 1 ]
    note $? "$1 does not run $3${why:+: $why}"
}

has() { [[ " ${servers[*]} " == *" $1 "* ]]; }

made() { # FILE WHAT COMMAND...: whether the command made the file
    local file=$1 what=$2
    shift 2
    "$@" >"$work/log" 2>&1 && [ -s "$file" ] && return 0
    note 1 "$what: $(head -n 1 "$work/log")"
    return 1
}

converted() { # KIND GAME MAP NAME: a map that was made for another game; losses are no fault
    local status=0
    "$TEEMAP" convert --to "$2" "$3" -o "$work/converted.map" >"$work/log" 2>&1 || status=$?
    if [ $status -lt 2 ]; then
        runs "$1" "$work/converted.map" "$4, converted to $2"
    else
        note 1 "convert $4 to $2: $(head -n 1 "$work/log")"
    fi
    rm -f "$work/converted.map"
}

# A server and all that can be done with a map that it runs.
all_ways() { # KIND MAP NAME
    runs "$1" "$2" "$3" # the original: otherwise what follows says nothing
    made "$work/copy.map" "copy $3" "$TEEMAP" copy "$2" "$work/copy.map" && runs "$1" "$work/copy.map" "$3, copied"
    made "$work/packed.map" "recompress $3" "$TEEMAP" copy --recompress 9 "$2" "$work/packed.map" &&
        runs "$1" "$work/packed.map" "$3, packed anew"
    made "$work/changed.map" "change $3" "$mapmaker" change "$2" "$work/changed.map" &&
        runs "$1" "$work/changed.map" "$3, changed"
    made "$work/example.map" "quickstart $3" "$examples/example_quickstart" "$2" "$work/example.map" &&
        runs "$1" "$work/example.map" "$3, changed by examples/quickstart.c"
    rm -f "$work"/*.map
}

build_and_run() { # KIND GAME
    made "$work/new.map" "new $2" "$TEEMAP" new --game "$2" --size 64x48 "$work/new.map" &&
        runs "$1" "$work/new.map" "teemap new --game $2"
    made "$work/built.map" "build $2" "$mapmaker" build "$2" "$work/built.map" && {
        runs "$1" "$work/built.map" "a built $2 map with everything"
        for damage in no-game head version; do
            python3 "$datafile" break $damage "$work/built.map" "$work/broken.map" || note 1 "break $damage"
            refuses "$1" "$work/broken.map" "a built $2 map, damaged: $damage"
        done
    }
    rm -f "$work"/*.map
}

# DDNet's server looks for maps of 0.7 elsewhere and breaks on their tiles; the 0.7 server takes maps of 0.6.
if has ddnet; then
    made "$work/scape.map" landscape "$examples/example_landscape" "$work/scape.map" &&
        runs ddnet "$work/scape.map" 'the map of examples/landscape.c'
    build_and_run ddnet ddnet
    build_and_run ddnet teeworlds06
fi
if has teeworlds; then
    build_and_run teeworlds teeworlds07
    build_and_run teeworlds teeworlds06
fi

corpus=$TEEMAP_SHARED/corpus
if [ -d "$corpus" ]; then
    if has ddnet; then
        for name in Gold_Mine-d1a1bb Castle_Echos-6c0dd9 Tutorial-796a37; do
            all_ways ddnet "$corpus/ddnet06/$name.map" $name
        done
    fi
    if has teeworlds; then
        for name in vanilla07/ctf1-3b134e vanilla07/autumn_day-7674fd vanilla06/ctf_infiltrate-1dfae5; do
            all_ways teeworlds "$corpus/$name.map" $name
        done
    fi
    # Maps of other games; on skynet1 and dm_jumppoint DDNet's own map_convert_07 stops.
    if has teeworlds; then
        for name in ddnet06/skynet1-30fd90 ddnet06/coverage-88a73f ddnet06/Multimap-912a57 vanilla07/dm_jumppoint-428b8b vanilla05/dm1-103b45; do
            converted teeworlds teeworlds07 "$corpus/$name.map" $name
        done
        converted teeworlds teeworlds06 "$corpus/ddnet06/Tutorial-796a37.map" Tutorial-796a37
    fi
    if has ddnet; then
        for name in vanilla07/ctf1-3b134e vanilla07/heavens_day-20bd5b vanilla06/infc_skull-d50721; do
            converted ddnet ddnet "$corpus/$name.map" $name
            converted ddnet teeworlds06 "$corpus/$name.map" $name
        done
    fi
else
    echo "without the maps of the corpus: no $corpus"
    shopt -s nullglob
    for map in "$(games_file ddnet maps)"/*.map; do
        if has ddnet; then all_ways ddnet "$map" "$(basename "$map")"; fi
        break
    done
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
