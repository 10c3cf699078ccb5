#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What is replaced without being asked: files that one names with -o, -t or --picture, as docs/README.md says; else -f is needed.
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new a.map -s 20x10
run 0 edit a.map -o b.map set info.author=x
run 0 unpack a.map folder

# replaces|keeps FILE STATUS ARGUMENT...: the command writes FILE although it is there, or leaves it and ends with 2.
replaces() {
    echo keep me >"$1"
    run "$2" "${@:3}"
    ! grep -qs 'keep me' "$1" || fail "teemap ${*:3}: $1 is as before"
    rm -rf "$1"
}
keeps() {
    mkdir -p "$(dirname "$1")"
    echo keep me >"$1"
    run 2 "${@:2}"
    grep -q 'keep me' "$1" || fail "teemap ${*:2}: $1 is gone"
    says err '-f'
    rm -rf "$1"
}

replaces x.png 0 render a.map -o x.png
replaces x.png 0 thumbnail a.map -o x.png
replaces x.html 0 tiles a.map -o x.html --scale 1
replaces x.map 0 copy a.map x.map
replaces x.map 0 edit a.map -o x.map set info.author=x
replaces x.map 0 convert a.map --to teeworlds07 -o x.map
replaces x.map 0 optimize a.map -o x.map
replaces x.map 0 fix a.map -o x.map
replaces x.map 0 merge a.map b.map a.map -o x.map
replaces x.patch 1 diff a.map b.map -o x.patch
replaces x.png 1 diff a.map b.map --picture x.png
replaces x.png 0 size a.map --picture x.png
run 1 diff a.map b.map -o b.patch
replaces x.map 0 patch a.map b.patch -o x.map
mkdir -p t && replaces t/a.map 0 edit a.map -t t set info.author=x
mkdir -p t && replaces t/a.png 0 render a.map -t t

keeps a.png render a.map
keeps x.map new x.map
keeps x.map pack folder x.map
keeps page/index.html tiles a.map -t page
keeps page/index.html diff a.map b.map --page page
keeps page/index.html merge a.map b.map a.map --page page
