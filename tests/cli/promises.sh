#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every row of the table in SECURITY.md, over maps made to do harm: the seconds, memory and output that it promises (promises.py).
#
# test-labels: long
# test-timeout: 1500
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
[ ${#emulator[@]} = 0 ] || skip "an emulator has other times"
[ -z "${TEEMAP_SANITIZE:-}" ] || skip "sanitizers take other memory"

mkdir maps
python3 "$cli_tests/hostile_maps.py" maps || fail "hostile_maps.py"
run 0 new -s 60x40 ordinary.map
python3 "$cli_tests/promises.py" "$TEEMAP" "$TEEMAP_SOURCE/SECURITY.md" maps ordinary.map || fail "more than SECURITY.md promises"
