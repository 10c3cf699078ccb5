#!/usr/bin/env bash
# teemap in a subfolder of another project (library.md B4): subproject/CMakeLists.txt is that project, and fails when
# teemap touches anything of its own. It gets a pkg-config that knows the libraries of the library and no others.
set -euo pipefail
here=$TEEMAP_SOURCE/tests/house
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "subproject test: $*"; exit 1; }

mkdir "$work/pc"
for module in libdeflate libpng zlib libwebp libwebpmux libsharpyuv libgif; do
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
configure static -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Debug -DPARENT_BUILD_TYPE=Debug
configure unsaid
grep -q 'teemap: CMAKE_BUILD_TYPE is not set' "$work/log" || fail "nothing says that the library is not optimized"
mv "$work/pc/libdeflate.pc" "$work"
configure shared -DBUILD_SHARED_LIBS=ON -DTEEMAP_INSTALL=ON -DTEEMAP_TARGET_libdeflate=parents -DCMAKE_BUILD_TYPE=Debug -DPARENT_BUILD_TYPE=Debug
mv "$work/libdeflate.pc" "$work/pc"

# What is built is the parent's program and the library that it links, with the parent's flags and not ours.
ninja -C "$work/unsaid" -t commands >"$work/commands"
if grep -E -e '-O[0-9s]|-DNDEBUG|-shared|/cli/|/tests/test_' "$work/commands"; then fail "built beside the library, or with flags of ours"; fi
grep -q -e '-DPARENT .*src/map/' "$work/commands" || fail "the parent's flags do not reach the library"
if ctest --test-dir "$work/unsaid" -N | grep -E 'Test +#'; then fail "the parent got tests"; fi

# The parent installs its program, with the shared library that it links, from which what it brings of its own is used.
cmake --build "$work/shared" --target all parent_static >"$work/log" 2>&1 || { cat "$work/log"; fail "building"; }
ninja -C "$work/shared" -t commands >"$work/commands"
grep -q -e '-DPARENTS_LIBDEFLATE .*src/codec/' "$work/commands" || fail "TEEMAP_TARGET_libdeflate is not used"
cmake --install "$work/shared" --prefix "$work/installed" >"$work/log" || { cat "$work/log"; fail "installing"; }
expected=$(sed -n 's/^ \* Prints: //p' "$here/consumer/main.c")
for program in "$work/installed/bin/parent" "$work/shared/parent_static"; do
    printed=$("$program") || fail "$program ended with $?"
    [ "$printed" = "$expected" ] || fail "$program printed '$printed', not '$expected'"
    echo "in a subfolder: $printed"
done
[ -e "$work/installed/include/teemap/teemap.h" ] && [ ! -e "$work/installed/share" ] || fail "the parent's install holds what it should not"

# A plug-in that holds the static library exports none of it, where there is no shared one (library.md 9: it exported all).
if command -v readelf >/dev/null; then
    object=$(ninja -C "$work/static" -t targets all | sed -n 's/^\(.*base\/error\.c\.o\): .*/\1/p')
    ninja -C "$work/static" "$object" >"$work/log" || { cat "$work/log"; fail "building one file"; }
    readelf -sW "$work/static/$object" | grep -q 'HIDDEN.* tm_version$' || fail "the static library's functions are visible"
fi

# A top-level build without shared libraries has none to install.
cmake -S "$TEEMAP_SOURCE" -B "$work/top" -G Ninja -DCMAKE_C_COMPILER="${CC:-cc}" -DBUILD_SHARED_LIBS=OFF -DTEEMAP_CLI=OFF \
    -DTEEMAP_TESTS=OFF >"$work/log" 2>&1 || { cat "$work/log"; fail "configuring without shared libraries"; }
if ninja -C "$work/top" -t targets all | grep -E 'libteemap\.(so|dylib)'; then fail "BUILD_SHARED_LIBS=OFF builds a shared library"; fi
