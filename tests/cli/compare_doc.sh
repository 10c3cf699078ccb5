#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# docs/compare.md is true: each line of it that begins with $ is run, in order, and prints what stands below it.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

${emulator[@]+"${emulator[@]}"} "$TEEMAP_BINARY/examples/example_landscape" old.map || fail example_landscape
num=0

# check: runs the command that was read last, and holds what it prints against what the page says.
check() {
    [ -n "$command" ] || return 0
    eval "$command" >printed 2>&1 </dev/null
    printf '%s' "$expected" | cmp -s - printed || { diff <(printf '%s' "$expected") printed; fail "$page: $command"; }
    num=$((num + 1))
}

for page in docs/compare.md; do
    command='' expected=''
    while IFS= read -r line; do
        case $line in
        '    $ teemap'* | '    $ cp'*)
            check
            command=${line#    \$ } expected=''
            ;;
        '    '*) [ -z "$command" ] || expected+=${line#    }$'\n' ;;
        *)
            check
            command=''
            ;;
        esac
    done <"$TEEMAP_SOURCE/$page"
    check
done
[ "$num" -ge 11 ] || fail "only $num commands were found"
