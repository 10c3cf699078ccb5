#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Puts teemap on the path of the steps that follow: the release's program for this system, whose SHA-256 is checked, or where there is none
# one that is compiled here, on Debian or Ubuntu. One that is installed stays.
#
# Environment: TEEMAP_RELEASES  the address of the releases, each in a folder vVERSION
set -euo pipefail
if command -v teemap >/dev/null; then
    teemap --version
    exit 0
fi
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
temporary=${RUNNER_TEMP:-/tmp}
version=$(sed -n 's/^#define TM_VERSION_STRING "\(.*\)"/\1/p' "$source/include/teemap/base.h")
case $(uname -s) in
    Linux) name=teemap-$version-linux-$(uname -m) ending=tar.gz ;;
    MINGW* | MSYS*) name=teemap-$version-windows-x86_64 ending=zip ;;
    *) name='' ;;
esac

fetch() { # fetch FILE: of the release, into the temporary folder
    curl -fsSL --retry 3 -o "$temporary/$1" "$TEEMAP_RELEASES/v$version/$1"
}

on_path() { # on_path FOLDER
    "$1/teemap" --version
    [ -z "${GITHUB_PATH:-}" ] || echo "$1" >>"$GITHUB_PATH"
}

if [ -n "$name" ] && [ -n "${TEEMAP_RELEASES:-}" ] && fetch SHA256SUMS && fetch "$name.$ending"; then
    (cd "$temporary" && grep " $name.$ending\$" SHA256SUMS | sha256sum -c -) || { echo "$name.$ending: is not what SHA256SUMS of the release says"; exit 2; }
    if [ "$ending" = zip ]; then unzip -qo "$temporary/$name.zip" -d "$temporary"; else tar -xf "$temporary/$name.tar.gz" -C "$temporary"; fi
    on_path "$temporary/$name"
    exit 0
fi
echo "no release $version for $(uname -sm) at ${TEEMAP_RELEASES:-(no address)}: compiling"
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -q
$as_root apt-get install -qy --no-install-recommends gcc libc6-dev cmake ninja-build pkg-config libdeflate-dev libpng-dev zlib1g-dev
cmake -S "$source" -B "$temporary/teemap-build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DTEEMAP_TESTS=OFF
cmake --build "$temporary/teemap-build" --target teemap_cli
on_path "$temporary/teemap-build"
