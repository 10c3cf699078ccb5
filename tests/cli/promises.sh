#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every row of the table in SECURITY.md, over maps made to do harm: the seconds, memory and output that it promises (promises.py).
# Of all pairs of a command and a file one in 21 is run, others each day, with TEEMAP_PROMISES_STEP=1 each: that takes an hour of a slow machine.
# The test says which: what failed yesterday fails again with the TEEMAP_PROMISES_FIRST of that day.
#
# test-labels: long
# test-timeout: 1500
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
[ ${#emulator[@]} = 0 ] || skip "an emulator has other times"
[ -z "${TEEMAP_SANITIZE:-}" ] || skip "sanitizers take other memory"

mkdir -p evil/maps evil/rules evil/folders evil/patches
python3 "$cli_tests/hostile_maps.py" evil/maps || fail "hostile_maps.py"
python3 "$cli_tests/hostile_files.py" evil || fail "hostile_files.py"
run 0 new -s 60x40 ordinary.map
run 0 edit ordinary.map -o other.map fill game@5,5+9x9 solid + set info.author=x
run 1 diff ordinary.map other.map -o change.json
python3 "$cli_tests/promises.py" "$TEEMAP" "$TEEMAP_SOURCE/SECURITY.md" evil ordinary.map change.json || fail "more than SECURITY.md promises"
