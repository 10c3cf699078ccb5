#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The recipes of packaging/ for other systems do what they say, with the source archive of this tree: Arch's by makepkg, conan's by conan, Homebrew's and vcpkg's step
# by step by stand-ins for their words (packaging/), Nix's evaluated. What is not installed is told, and left out.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" # the recipes ask for -O3 or -g, which take twice as long, and show nothing more
for name in cc gcc; do
    printf '#!/bin/sh\nexec %s "$@" -O0 -g0\n' "$(command -v $name)" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
done
export PATH=$work/bin:$PATH
missing=0

fail() { echo "packaging: $*"; exit 1; }
with() { command -v "$1" >/dev/null || { echo "left out: no $1"; missing=1; return 1; }; }
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "$1 failed"; }; }
says_version() { # says_version COMMAND: with the libraries beside it
    [ "$(LD_LIBRARY_PATH=${1%/bin/*}/lib "$1" --version | grep -o '[0-9][0-9.]*' | head -n 1)" = "$version" ] || fail "$1 is not $version"
}

version=$(sed -n 's/^#define TM_VERSION_STRING "\(.*\)"/\1/p' "$source/include/teemap/base.h")
archive=$work/teemap-$version-source.tar.gz
tar -C "$source" --exclude=./build --exclude=./.git --transform "s,^\.,teemap-$version," -czf "$archive" . || [ $? = 1 ] # 1: a file changed meanwhile
bash "$source/tools/recipes.sh" "$work/recipes" "$version" "$archive" "file://$work"

bash -n "$work/recipes/arch/PKGBUILD"
python3 -m json.tool "$work/recipes/vcpkg/vcpkg.json" >/dev/null
python3 -m py_compile "$work/recipes/conan/conanfile.py"

if with nix-instantiate; then
    got=$(HOME=$work nix-instantiate --option build-users-group '' --eval -E "import $here/packaging/pkgs.nix $work/recipes/nix/package.nix")
    [ "$got" = "\"file://$work/${archive##*/} $(sha256sum <"$archive" | cut -d' ' -f1)\"" ] || fail "nix: the source is $got"
fi
if with ruby; then
    quiet ruby "$here/packaging/formula.rb" "$work/recipes/homebrew/teemap.rb" "$work/homebrew"
    says_version "$work/homebrew/keg/bin/teemap"
fi
if with makepkg; then
    chmod -R a+rwX "$work"
    as_other=()
    [ "$(id -u)" != 0 ] || as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    # Debian's makepkg has no pacman to ask for what is installed, and no settings.
    printf 'DLAGENTS=("file::/usr/bin/cp %%u %%o")\nCARCH=%s\nPKGEXT=.pkg.tar\nSRCEXT=.src.tar\nBUILDENV=(!check)\nOPTIONS=()\nINTEGRITY_CHECK=(sha256)\n' \
        "$(uname -m)" >"$work/makepkg.conf"
    cp "$archive" "$work/recipes/arch"
    (cd "$work/recipes/arch" && quiet "${as_other[@]}" env -i PATH="$PATH" HOME="$work" PACMAN=true makepkg -d --config "$work/makepkg.conf")
    mkdir "$work/arch"
    tar -xf "$work"/recipes/arch/teemap-"$version"-1-*.pkg.tar -C "$work/arch"
    says_version "$work/arch/usr/bin/teemap"
    [ -s "$work/arch/usr/share/licenses/teemap/LICENSE" ] || fail "Arch's package has no license"
fi
quiet cmake "-DRECIPE=$work/recipes/vcpkg/portfile.cmake" "-DFOLDER=$work/vcpkg" -P "$here/packaging/vcpkg.cmake"
if with conan; then
    CONAN_HOME=$work/conan quiet conan create --no-remote -pr:a "$here/packaging/conan.profile" "$work/recipes/conan"
fi
echo "packaging: the recipes make teemap $version"
[ $missing = 0 ] || exit 77
