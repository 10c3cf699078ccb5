#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every command with random options on small maps that want to do harm; random_commands.py tells what is asked of each run.
# TEEMAP_RUNS=20000 TEEMAP_SEED=$RANDOM tries others.
#
# test-labels: long
# test-timeout: 900
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
export PYTHONDONTWRITEBYTECODE=1

mkdir maps
python3 "$cli_tests/hostile_maps.py" maps alternate teles runs quads large game commands sounds physics many_quads || fail "hostile_maps.py"
make_map --steering maps/steering.map
make_map maps/rich.map
head -c 700 maps/rich.map >maps/cut.map
: >maps/empty.map
for kept in "$TEEMAP_SOURCE"/fuzz/corpus/mapfile/*[05ae]; do
    cp "$kept" "maps/${kept##*/}.map"
done
python3 "$cli_tests/random_commands.py" "$TEEMAP" maps maps/*.map || fail "random_commands.py"
