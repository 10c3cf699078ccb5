#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap lint has no error, and teemap check none either, for the maps and themes that the packaged games of this machine ship.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/support/games.sh
. "$TEEMAP_SOURCE/tests/support/games.sh"

maps=()
for folder in ddnet/maps ddnet/maps7 ddnet/themes teeworlds/maps teeworlds/ui/themes; do
    if found=$(games_file "${folder%%/*}" "${folder#*/}"); then
        while IFS= read -r -d '' map; do maps+=("$map"); done < <(find "$found" -name '*.map' -print0)
    fi
done
[ ${#maps[@]} -gt 0 ] || skip 'no packaged DDNet and no Teeworlds with maps here'
echo "${#maps[@]} maps"
run 0 lint --no-config --fail-on error "${maps[@]}"
run 0 lint --no-config --rules ddnet --select not-for-ddnet --fail-on error "${maps[@]}"
empty out
