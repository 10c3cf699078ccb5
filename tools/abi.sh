#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Whether programs that were linked with one version of the library work with another one.
#
#   abi.sh [TAG]                     HEAD beside TAG (default: the last tag vN... before it), both built anew
#   abi.sh OLD OLD_INCLUDE NEW NEW_INCLUDE     two shared libraries and their headers
#
# Ends with 1 where a public function or type changed and the soname is the same; 77 where there is no release, or no abidiff.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() { echo "skipped: $*"; exit 77; }
command -v abidiff >/dev/null || skip "no abidiff (abigail-tools)"
soname() { readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }

build() { # build TAG: its library in build/abi/TAG
    local folder=$PWD/build/abi/$1
    rm -rf "$folder"
    mkdir -p "$folder/source"
    git archive "$1" | tar -x -C "$folder/source"
    cmake -S "$folder/source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTEEMAP_TESTS=OFF -DTEEMAP_CLI=OFF >"$folder/log"
    cmake --build "$folder/build" --target teemap_shared >>"$folder/log" || { tail -n 20 "$folder/log"; exit 2; }
}

case $# in
    0 | 1)
        tag=${1:-$(git describe --tags --match 'v[0-9]*' --abbrev=0 HEAD^ 2>/dev/null || true)}
        [ -n "$tag" ] || skip "there is no release yet, no tag such as v0.2.0"
        build "$tag"
        build HEAD
        set -- build/abi/"$tag"/build/libteemap.so build/abi/"$tag"/source/include build/abi/HEAD/build/libteemap.so build/abi/HEAD/source/include
        ;;
    4) ;;
    *) echo "usage: abi.sh [TAG] | OLD OLD_INCLUDE NEW NEW_INCLUDE" >&2; exit 2 ;;
esac
old=$(soname "$1") new=$(soname "$3")
if [ "$old" != "$new" ]; then
    echo "abi: $new after $old: both can be installed"
    exit 0
fi
status=0
abidiff --no-added-syms --headers-dir1 "$2" --headers-dir2 "$4" "$1" "$3" || status=$?
if [ $((status & 3)) != 0 ]; then exit 2; fi
[ $status = 0 ] || { echo "abi: changed, and both are $new: raise the minor version (until 1.0; then the major one)"; exit 1; }
echo "abi: programs of $new go on to work"
