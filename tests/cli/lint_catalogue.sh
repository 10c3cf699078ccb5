#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The catalogue of docs/lint.md, which is written by hand: each id in it exists, each rule stands in it.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

sed -n '/^## Requirements and the rules/,/^## Comparison/p' "$TEEMAP_SOURCE/docs/lint.md" >catalogue
grep -o '`[a-z0-9*-]*`' catalogue | grep -v '^`--' | tr -d '`' | sort -u >named
run 0 lint --list
grep -o '^[a-z0-9-]* ' out | tr -d ' ' | sort >rules
[ "$(wc -l <rules)" -gt 100 ] || fail "only $(wc -l <rules) rules are listed"
[ "$(wc -l <named)" -gt 100 ] || fail "only $(wc -l <named) ids are named"

# Patterns like solo-* stand for the rules that fit.
while read -r name; do
    case $name in
    *'*'*) grep "^${name//'*'/.*}\$" rules >>told || fail "no rule fits '$name'" ;;
    *)
        echo "$name" >>told
        run 0 help "$name"
        ;;
    esac
done <named
sort -u told >told.sorted
comm -23 rules told.sorted >left
[ ! -s left ] || fail "these rules are not in the catalogue of docs/lint.md: $(tr '\n' ' ' <left)"
