#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Tries what tools/release.sh made, in a new Debian 12 that has these files and nothing else of ours.
#
#   try_release.sh FOLDER [MAPS]     MAPS: how many maps of ../shared/corpus and of DDNet (100)
#
# Each program (Debian's package, npm's, those for Linux and Windows) does the same with all maps: info, check, lint, render, optimize,
# diff, gallery. What they print, their exit statuses and files have to be equal, byte for byte; so have facts, pixels and optimised
# files by the wheel. Packages are installed, used and removed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
release_folder=$(realpath "${1:?FOLDER}")
number=${2:-100}
shared=$(realpath -m "${TEEMAP_SHARED:-../shared}")

die() { printf 'try: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== %s\n' "$*" >&2; }

release=bookworm
. tools/bare_root.sh
make_root build/try
here=$root/work/teemap
mkdir -p "$here/maps"
cp -R "$release_folder" "$here/release"
find "$shared/corpus" "$(bash tests/support/games.sh file ddnet maps)" -name '*.map' 2>/dev/null | LC_ALL=C sort | head -n "$number" |
    while IFS= read -r map; do cp -p "$map" "$here/maps/"; done
[ -n "$(ls "$here/maps")" ] || die "no maps in $shared/corpus, nor of DDNet"
cp packaging/try.sh packaging/try_wheel.py packaging/debian/tests/library "$here"

status=0
programs=()
try() { # try NAME COMMAND: what all programs do, into a folder of its name
    say "$1"
    if inside "mkdir -p out/$1 && bash try.sh out/$1 $2"; then programs+=("$1"); else status=1; fi
}

say "Debian's packages"
inside "apt-get -qq update && apt-get -qqy install --no-install-recommends ./release/libteemap[0-9]*.deb ./release/teemap_*.deb" >"$root.apt.log" 2>&1 ||
    { tail "$root.apt.log"; die "the packages cannot be installed"; }
try debian teemap
say "a program with libteemap-dev"
inside "apt-get -qqy install --no-install-recommends ./release/libteemap-dev*.deb gcc libc6-dev pkg-config >/dev/null 2>&1 &&
    mkdir -p out/dev && AUTOPKGTEST_TMP=\$PWD/out/dev sh ./library" || status=1
if ls "$here"/release/*.whl >/dev/null 2>&1; then
    say wheel
    inside "apt-get -qqy install --no-install-recommends python3-venv >/dev/null 2>&1 && python3 -m venv venv &&
        venv/bin/pip install -q release/*.whl && venv/bin/python try_wheel.py maps" || status=1
fi
inside "apt-get -qqy purge teemap 'libteemap*' >/dev/null 2>&1 && ! command -v teemap && ! find /usr -name '*teemap*' | grep ." ||
    { echo "try: purged packages leave something behind"; status=1; }
if ls "$here"/release/teemap-[0-9]*.tgz >/dev/null 2>&1; then
    inside "apt-get -qqy install --no-install-recommends nodejs >/dev/null 2>&1 && mkdir npm && tar -xf release/teemap-[0-9]*.tgz -C npm" || status=1
    try npm 'node /work/teemap/npm/package/bin.cjs'
fi
if ls "$here"/release/*linux-x86_64*.tar.gz >/dev/null 2>&1; then
    inside "mkdir static && tar -xf release/*linux-x86_64*.tar.gz --strip-components=1 -C static" || status=1
    try static /work/teemap/static/teemap
fi
if ls "$here"/release/*-image.tar >/dev/null 2>&1 && command -v buildah >/dev/null; then
    say image
    buildah=(buildah --root "$root.images" --runroot "$root.images-run" --storage-driver vfs)
    names=("$here"/maps/*.map)
    container=$("${buildah[@]}" from "oci-archive:$(ls "$here"/release/*-image.tar)")
    "${buildah[@]}" run --isolation chroot -v "$here/maps:/maps" "$container" -- /teemap check "${names[@]##*/}" >"$here/out/image.out" 2>/dev/null || true # buildah writes there, too
    "${buildah[@]}" rmi --all --force >/dev/null
    inside "cd maps && ../static/teemap check *.map" >"$here/out/static.out" 2>/dev/null || true
    cmp "$here/out/static.out" "$here/out/image.out" || { echo "try: the image differs from the program"; status=1; }
fi
if ls "$here"/release/*windows*.zip >/dev/null 2>&1; then
    inside "apt-get -qqy install --no-install-recommends wine64 wine unzip >/dev/null 2>&1 && unzip -q release/*windows*.zip -d windows &&
        LC_ALL=C.UTF-8 WINEDEBUG=-all /usr/lib/wine/wine64 wineboot >/dev/null 2>&1" || status=1 # its first start prints lines of its own
    # shellcheck disable=SC2016
    try windows 'env LC_ALL=C.UTF-8 WINEDEBUG=-all /usr/lib/wine/wine64 $(find /work/teemap/windows -name teemap.exe)' # Debian's wine itself speaks of wine32
fi
for name in "${programs[@]:1}"; do
    diff -rq "$here/out/${programs[0]}" "$here/out/$name" || { echo "try: $name differs from ${programs[0]}"; status=1; }
done
[ $status != 0 ] || echo "try: ${programs[*]}: equal on $(find "$here/maps" -type f | wc -l) maps"
exit $status
