#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The walks of docs/lint.md are true: each line of it that begins with $ is run, in order, and prints what stands below it.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

walk_page docs/lint.md
[ "$walked" -ge 18 ] || fail "only $walked commands were found"
[ -s report/index.html ] || fail "the mapper's page"
