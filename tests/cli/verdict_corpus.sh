#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Real maps written for each game: the strict loader opens the result, or the status is not 0 and one line says why. See verdict.sh.
# test-labels: threads long
# test-timeout: 900
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
corpus || skip 'no corpus'

step=${TEEMAP_CORPUS_STEP:-1} number=0 judged=0
while IFS= read -r map; do
    number=$((number + 1))
    [ $((number % step)) = 0 ] || continue
    for command in 'copy -g' 'convert --to'; do
        for game in ddnet teeworlds06 teeworlds07; do
            rm -f result.map
            status=0 strict=0
            case $command in
            copy*) teemap copy -g $game "$map" result.map >out 2>err || status=$? ;;
            *) teemap convert --to $game "$map" -o result.map >out 2>err || status=$? ;;
            esac
            if [ ! -e result.map ]; then
                [ $status = 2 ] && [ -s err ] || fail "$command $game $map: no result, status $status"
                continue
            fi
            teemap check -q -m strict result.map >/dev/null 2>&1 || strict=$?
            judged=$((judged + 1))
            if [ $strict = 2 ]; then
                [ $status = 1 ] && grep -q 'DDNet 20.1 refuses the result.*not-for-ddnet' err ||
                    { cat err; fail "$command $game $map: DDNet refuses the result, status $status"; }
            elif grep -q not-for-ddnet err; then
                fail "$command $game $map: told as refused, but DDNet opens it"
            fi
        done
    done
    # What lint says of the map itself is what strict says.
    strict=0
    teemap check -q -m strict "$map" >/dev/null 2>&1 || strict=$?
    teemap lint "$map" >out 2>err || true
    if [ $strict = 2 ]; then
        grep -q not-for-ddnet out || [ -s err ] || fail "lint of $map: DDNet refuses it"
    elif grep -q not-for-ddnet out; then
        cat out
        fail "lint of $map: DDNet opens it"
    fi
done < <(find "$TEEMAP_SHARED/corpus" -name '*.map' | LC_ALL=C sort)
[ $judged -gt 50 ] || fail "only $judged results were judged"
