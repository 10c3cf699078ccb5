#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The page of `teemap tiles` in a headless Chromium. A screenshot of it is kept: artefacts/tiles-viewer.png in the build folder.
# test-labels: browser long
# test-timeout: 900
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

python3 -c "import sys; sys.path.insert(0, '$TEEMAP_SOURCE/tests/browser'); import browser; sys.exit(not browser.find())" || skip "no Chromium"
built examples/example_landscape land.map || fail "example_landscape"
PYTHONDONTWRITEBYTECODE=1 python3 "$TEEMAP_SOURCE/tests/browser/viewer.py" "${TEEMAP_EMULATOR:+$TEEMAP_EMULATOR }$TEEMAP" land.map \
    "$TEEMAP_BINARY/artefacts/tiles-viewer.png" || fail "the viewer"
