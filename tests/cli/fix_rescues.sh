#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap fix` never makes less of a damaged map than `teemap copy -m salvage` keeps. See fix_rescues.py.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

PYTHONPATH=$cli_tests python3 "$cli_tests/fix_rescues.py" ${emulator[@]+"${emulator[@]}"} "$TEEMAP" || fail 'fix makes less than is rescued'
