#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Asks the maps of TEEMAP_MAPS with the options of TEEMAP_ARGUMENTS: annotations on standard output, a table in the summary of the job,
# and a page in the folder TEEMAP_PAGE if one is named. The exit status is that of teemap lint.
set -uo pipefail
read -ra maps <<<"${TEEMAP_MAPS:-.}"
read -ra arguments <<<"${TEEMAP_ARGUMENTS:-}"
page=()
[ -z "${TEEMAP_PAGE:-}" ] || page=(--page "$TEEMAP_PAGE")
teemap lint --format github -r "${page[@]}" "${arguments[@]}" "${maps[@]}"
status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    teemap lint -q --format markdown -r "${arguments[@]}" "${maps[@]}" >>"$GITHUB_STEP_SUMMARY"
fi
exit $status
