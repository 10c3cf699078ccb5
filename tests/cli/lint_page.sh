#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The page of `teemap lint --page`: its files, and in a headless Chromium. A screenshot is kept: artefacts/lint-page.png in the build folder.
# test-labels: browser
# test-timeout: 300
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 60x30 new.map
run 0 edit new.map -o bad.map add group Nothing + add layer Game tele + fill 'tele@3,3+1x2' tele-in-evil:5 + \
    fill 'tele@50,20+1x1' tele-in-evil:9 + fill 'tele@9,3+1x1' tele-in:7
printf '[lint.severity]\n"empty-*" = "warning"\n"tele-without-*" = "warning"\n' >.teemap.toml
mkdir -p maps/sub
cp new.map maps/fine.map
cp bad.map 'maps/sub/50% of #1.map'

run 1 lint --page report bad.map
says out '[tele-without-out]'
[ -s report/index.html ] || fail "there is a page"
kind=png
if teemap doctor | grep -q 'libwebp '; then kind=webp; fi
[ "$(find report/bad -name "*.$kind" | wc -l)" = 2 ] || fail "there are pictures"
run 1 lint --page report bad.map # its own page is replaced
run 1 lint -q --page all -r maps
[ "$(find 'all/sub/50% of #1' -name "*.$kind" | wc -l)" = 2 ] || fail "pictures of maps in folders"
mkdir -p mine
echo mine >mine/index.html
run 2 lint --page mine bad.map
says err 'use -f to replace it'
run 1 lint -f --page mine bad.map
run 2 lint -f bad.map
says err '-f goes with --page'
run 2 lint --page x --fix -n bad.map
says err '--page does not go with --fix'
run 2 lint --page /dev/null/x bad.map
says err '/dev/null'

python3 -c "import sys; sys.path.insert(0, '$TEEMAP_SOURCE/tests/browser'); import browser; sys.exit(not browser.find())" || skip "no Chromium"
PYTHONDONTWRITEBYTECODE=1 python3 "$TEEMAP_SOURCE/tests/browser/lint_page.py" "${TEEMAP_EMULATOR:+$TEEMAP_EMULATOR }$TEEMAP" \
    "$TEEMAP_BINARY/artefacts/lint-page.png" || fail "the page"
