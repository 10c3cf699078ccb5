#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What a file has and teemap does not read is not taken for absent: it is kept, told, never changed and never equal. See unread.py.
# test-labels: long
# test-timeout: 600
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

PYTHONPATH="$cli_tests:$TEEMAP_SOURCE/tests/support" python3 "$cli_tests/unread.py" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" ||
    fail 'values that are not read'
