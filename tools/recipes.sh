#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Fills the recipes of other packagers in packaging/: version, the address of the release's files, and the sums of its source archive.
#
#   recipes.sh OUT VERSION ARCHIVE URL
set -euo pipefail
out=$1 version=$2 archive=$3 url=$4
sha256=$(sha256sum <"$archive" | cut -d' ' -f1) sha512=$(sha512sum <"$archive" | cut -d' ' -f1)
cd "$(dirname "${BASH_SOURCE[0]}")/../packaging"
for file in arch/PKGBUILD conan/conanfile.py homebrew/teemap.rb nix/package.nix vcpkg/portfile.cmake vcpkg/vcpkg.json; do
    mkdir -p "$out/${file%/*}"
    sed "s|@VERSION@|$version|g; s|@URL@|$url|g; s|@SHA256@|$sha256|g; s|@SHA512@|$sha512|g" "$file" >"$out/$file"
    ! grep -Hn '@[A-Z0-9]*@' "$out/$file" || exit 1
done
