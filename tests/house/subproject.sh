#!/usr/bin/env bash
# teemap in a subfolder of another project (library.md B4): subproject/CMakeLists.txt is that project, and fails when
# teemap touches anything of its own. It gets a pkg-config that knows the libraries of the library and no others.
set -euo pipefail
here=$TEEMAP_SOURCE/tests/house
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "subproject test: $*"; exit 1; }

mkdir "$work/pc"
for module in libdeflate spng libspng zlib libwebp libwebpmux libsharpyuv libgif yaml-0.1; do
    file=$(pkg-config --variable=pcfiledir "$module" 2>/dev/null || true)/$module.pc
    [ ! -e "$file" ] || cp "$file" "$work/pc"
done
export PKG_CONFIG_LIBDIR=$work/pc PKG_CONFIG_PATH=

configure() { # configure FOLDER CMAKE-ARGUMENT...
    local folder=$work/$1
    shift
    cmake -S "$here/subproject" -B "$folder" -G Ninja -DCMAKE_C_COMPILER="${CC:-cc}" -DTEEMAP_SOURCE="$TEEMAP_SOURCE" "$@" \
        >"$work/log" 2>&1 || { cat "$work/log"; fail "configuring with '$*'"; }
}
configure shared -DBUILD_SHARED_LIBS=ON
configure static -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Debug -DPARENT_BUILD_TYPE=Debug
configure unsaid

# What is built is the parent's program and the library that it links, with the parent's flags and not ours.
ninja -C "$work/unsaid" -t commands >"$work/commands"
if grep -E -e '-O[0-9s]|-DNDEBUG|-shared|/cli/|/tests/test_' "$work/commands"; then fail "built beside the library, or with flags of ours"; fi
grep -q -e '-DPARENT .*src/map/' "$work/commands" || fail "the parent's flags do not reach the library"
if ctest --test-dir "$work/unsaid" -N | grep -E 'Test +#'; then fail "the parent got tests"; fi

cmake --build "$work/unsaid" >"$work/log" 2>&1 || { cat "$work/log"; fail "building"; }
expected=$(sed -n 's/^ \* Prints: //p' "$here/consumer/main.c")
printed=$("$work/unsaid/parent") || fail "the program ended with $?"
[ "$printed" = "$expected" ] || fail "the program printed '$printed', not '$expected'"
echo "in a subfolder: $printed"

# A top-level build without shared libraries has none to install.
cmake -S "$TEEMAP_SOURCE" -B "$work/top" -G Ninja -DCMAKE_C_COMPILER="${CC:-cc}" -DBUILD_SHARED_LIBS=OFF -DTEEMAP_CLI=OFF \
    -DTEEMAP_TESTS=OFF >"$work/log" 2>&1 || { cat "$work/log"; fail "configuring without shared libraries"; }
if ninja -C "$work/top" -t targets all | grep -E 'libteemap\.(so|dylib)'; then fail "BUILD_SHARED_LIBS=OFF builds a shared library"; fi
