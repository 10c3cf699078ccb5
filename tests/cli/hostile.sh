#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every command that reads, on files that want to do harm: the inputs that the fuzzers kept, and a map that is cut. No command
# crashes or hangs; each ends with a status that means something and leaves no litter.
#
# test-timeout: 600
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

# tries ARGUMENT...: done, findings or trouble, and nothing else.
tries() {
    local status=0
    teemap "$@" >out 2>err </dev/null || status=$?
    if grep -qE 'Sanitizer|runtime error' err; then head -n 40 err; fail "teemap $*: sanitizer"; fi
    [ "$status" -le 2 ] || { tail -n 5 err; fail "teemap $*: status $status"; }
}

# All of them at once: a bad file does not keep the others from being looked at.
try_files() {
    local mode
    tries info -v "$@"
    tries info --json --hash "$@"
    for mode in strict game salvage; do
        tries check --mode "$mode" "$@"
    done
    tries check --json --mode salvage "$@"
    rm -rf copies
    tries copy --mode salvage -t copies "$@"
    rm -rf copies
    tries copy --through datafile --recompress 1 -t copies "$@"
}

try_one() {
    local address
    tries ls --mode salvage "$1"
    tries ls --raw --json --mode salvage "$1"
    for address in settings 0 0/0 1/0 image/0 sound/0 envelope/0 item/0 item/3 data/0 data/1; do
        tries cat --mode salvage "$1" "$address"
        tries cat --json --mode salvage "$1" "$address"
    done
}

kept=("$TEEMAP_SOURCE"/fuzz/corpus/mapfile/*)
[ ${#kept[@]} -gt 1 ] || skip "no kept inputs"
try_files "${kept[@]}"

# The addresses take a process each, so only some files: every eighth.
for ((i = 0; i < ${#kept[@]}; i += 8)); do
    try_one "${kept[i]}"
done

whole=$TEEMAP_SOURCE/fuzz/corpus/mapfile/seed-ddnet-full-4
size=$(wc -c <"$whole")
mkdir cuts
for ((at = 0; at < size; at += 41)); do
    head -c "$at" "$whole" >"cuts/$at.map"
done
try_files cuts/*.map
no_litter
