#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# docs/compare.md is true: each line of it that begins with $ is run, in order, and prints what stands below it.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

built examples/example_landscape old.map || fail example_landscape
walk_page docs/compare.md
[ "$walked" -ge 11 ] || fail "only $walked commands were found"
