#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Makes what a release consists of, from a checkout without changes, in build/release-VERSION; the same commit gives the same bytes.
#
#   release.sh [--twice] VERSION [PART...]     VERSION is that of the headers. PART (default: all):
#
#   source    teemap-VERSION-source.tar.gz; without the ending it would be the name of Python's sdist
#   two       teemap-VERSION-two-files.tar.gz: teemap.c, teemap.h and teemap.hpp, all of the library (tools/amalgamate.py)
#   debian    packages of the library, its headers and the tool, and their source package, from packaging/debian
#   wheel     the Python package: a wheel for this kind of machine, and an sdist
#   web       the npm package, and the page for browsers as a folder and as one file
#   systems   programs that need nothing: Linux (musl) and Windows
#   image     a container image that is the program for Linux and nothing else, by buildah
#   recipes   packaging/ for Arch, Homebrew, Nix, vcpkg and Conan, with the sums of the source archive; the address of the files is
#             TEEMAP_RELEASES/vVERSION (default: https://example.org/teemap)
#
#   --twice   makes all of it once more, elsewhere, and compares; Debian's packages are tested the first time only
#
# What cannot be made here is said and left out, and the exit status is 77. Then SHA256SUMS, NOTES.md (the part of CHANGELOG.md)
# and teemap-VERSION.spdx.json (what is inside, with licences) are written.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD

die() { printf 'release: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== %s\n' "$*" >&2; }

twice=0
if [ "${1:-}" = --twice ]; then twice=1; shift; fi
version=${1:?VERSION}
shift
[ $# -gt 0 ] || set -- source two debian wheel web systems image recipes
have=$(sed -n 's/^#define TM_VERSION_STRING "\(.*\)"/\1/p' include/teemap/base.h)
[ "$version" = "$have" ] || die "the headers are of version $have, not $version"
[ -z "$(git status --porcelain --untracked-files=no)" ] || die "there are changes that are not committed"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC # letters beyond ASCII are what unit.windows asks of wine
missing=0
debian_options="noautodbgsym parallel=${TEEMAP_JOBS:-$(nproc)}${DEB_BUILD_OPTIONS:+ $DEB_BUILD_OPTIONS}"
name=teemap-$version

left_out() { printf 'release: left out: %s\n' "$*" >&2; missing=1; }

# quiet LOG COMMAND...: quiet unless it fails
quiet() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 30 "$log" | cut -c 1-300 >&2; die "failed, see $log"; }
}

packed() { # packed FOLDER NAME [TAR-OPTION...]: an archive of NAME in FOLDER whose bytes depend on names and contents only
    tar --sort=name --owner=0 --group=0 --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" "${@:3}" -C "$1" -cf - "$2"
}

make_source() {
    git archive --prefix="$name/" HEAD | gzip -n9 >"$out/$name-source.tar.gz"
}

make_two() {
    local folder=$name-two-files
    rm -rf "${work:?}/$folder"
    python3 tools/amalgamate.py "$work/$folder"
    cp LICENSE include/teemap/teemap.hpp "$work/$folder"
    packed "$work" "$folder" | gzip -n9 >"$out/$folder.tar.gz"
}

make_debian() {
    local folder=$work/debian soversion=${version%%.*} tool
    case $version in 0.*) soversion=${version%.*} ;; esac # as CMakeLists.txt has it
    for tool in dpkg-buildpackage dh; do
        command -v $tool >/dev/null || { left_out "Debian packages: no $tool (dpkg-dev, debhelper)"; return; }
    done
    rm -rf "$folder"
    mkdir -p "$folder"
    [ -e "$out/$name-source.tar.gz" ] || make_source
    cp "$out/$name-source.tar.gz" "$folder/teemap_$version.orig.tar.gz"
    tar -xf "$out/$name-source.tar.gz" -C "$folder"
    bash "$top/tools/debian_folder.sh" "$folder/$name" "$version" "$soversion"
    # As a builder of Debian has it: nothing of this user's environment.
    quiet "$work/debian.log" env -i -C "$folder/$name" PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$folder" LC_ALL=C.UTF-8 \
        SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" DEB_BUILD_OPTIONS="$debian_options" dpkg-buildpackage -us -uc
    if command -v lintian >/dev/null; then quiet "$work/lintian.log" lintian --fail-on error,warning "$folder"/*.changes; fi
    cp "$folder"/*.deb "$folder"/*.dsc "$folder"/*.debian.tar.xz "$folder"/*.orig.tar.gz "$out"
}

make_wheel() {
    ./run wheel --no-tests || { left_out "the wheel"; return; }
    cp build/python/wheels/*.whl build/python/sdist/*.tar.gz "$out"
}

make_web() {
    ./run web --no-tests || { left_out "the npm package and the page"; return; }
    cp "build/web/$name.tgz" "$out"
    cp build/web/teemap.html "$out/$name.html"
    packed build/web site --transform "s,^site,$name-site," | gzip -n9 >"$out/$name-site.tar.gz"
}

# archive KIND PROGRAM NAME: the program as NAME, with what belongs to it, in a folder and its archive, in order and of the commit's date.
archive() {
    local kind=$1 folder=$name-$1
    rm -rf "${work:?}/$folder"
    mkdir -p "$work/$folder"
    cp README.md LICENSE CHANGELOG.md "$work/$folder"
    cp "$2" "$work/$folder/$3"
    if [ "${kind%%-*}" = linux ]; then
        packed "$work" "$folder" | gzip -n9 >"$out/$folder.tar.gz"
        return
    fi
    (cd "$work" && python3 - "$folder" "$SOURCE_DATE_EPOCH" "$out/$folder.zip" <<'PYTHON'
import os, sys, time, zipfile
folder, seconds, out = sys.argv[1:]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            archive.writestr(zipfile.ZipInfo(folder + "/" + name, time.gmtime(int(seconds))[:6]), file.read(), zipfile.ZIP_DEFLATED, 9)
PYTHON
    )
}

make_systems() {
    local machine
    if ./run cross linux; then
        for machine in x86_64 aarch64; do archive "linux-$machine" "build/ports/linux/teemap-$machine" teemap; done
    else
        left_out "the programs for any Linux"
    fi
    if ./run cross windows; then archive windows-x86_64 build/ports/windows/teemap.exe teemap.exe; else left_out "the program for Windows"; fi
}

make_image() {
    local buildah=(buildah --root "$work/images" --runroot "$work/images-run" --storage-driver vfs)
    command -v buildah >/dev/null || { left_out "the container image: no buildah"; return; }
    [ -e "$work/$name-linux-x86_64/teemap" ] || { left_out "the container image: no program for Linux"; return; }
    rm -rf "$work/image" "$work/oci"
    mkdir -p "$work/image"
    cp "$work/$name-linux-x86_64/teemap" LICENSE "$work/image"
    quiet "$work/image.log" "${buildah[@]}" build --isolation chroot --timestamp "$SOURCE_DATE_EPOCH" -f packaging/ci/Containerfile -t "oci:$work/oci:teemap:$version" "$work/image"
    "${buildah[@]}" rmi --all --force >/dev/null
    packed "$work/oci" . >"$out/$name-image.tar"
}

make_recipes() {
    [ -e "$out/$name-source.tar.gz" ] || make_source
    bash tools/recipes.sh "$work/$name-recipes" "$version" "$out/$name-source.tar.gz" "${TEEMAP_RELEASES:-https://example.org/teemap}/v$version"
    packed "$work" "$name-recipes" | gzip -n9 >"$out/$name-recipes.tar.gz"
}

make_all() { # make_all FOLDER PART...
    out=$1 work=$1.work
    shift
    rm -rf "$out" "$work"
    mkdir -p "$out" "$work"
    for part in "$@"; do
        declare -F "make_$part" >/dev/null || die "no part '$part'"
        say "$part"
        "make_$part"
    done
    awk -v version="$version" 'index($0, "## [" version "]") == 1 { on = 1; next } /^## \[/ { on = 0 } on' CHANGELOG.md >"$out/NOTES.md"
    grep -q '^-' "$out/NOTES.md" || die "CHANGELOG.md says nothing of $version"
    python3 tools/release_contents.py "$version" "$SOURCE_DATE_EPOCH" "$out" >"$work/spdx.json"
    mv "$work/spdx.json" "$out/$name.spdx.json"
    (cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >"$work/sums" && mv "$work/sums" SHA256SUMS)
}

first=$top/build/release-$version
make_all "$first" "$@"
if [ $twice = 1 ]; then
    second=$top/build/release-$version-again
    debian_options="$debian_options nocheck"
    rm -rf build/web build/ports/linux* build/ports/windows*
    make_all "$second" "$@"
    diff "$first/SHA256SUMS" "$second/SHA256SUMS" || die "the second build differs"
    say "twice the same bytes"
fi
(cd "$first" && ls -l)
[ $missing = 0 ] || exit 77
