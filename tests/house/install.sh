#!/usr/bin/env bash
# Installs this build into a temporary prefix, moves that elsewhere, and builds and runs one small program against it
# in every way that users have: find_package and pkg-config, shared and static, C and C++. Then looks at the rest of
# what was installed.
set -euo pipefail
here=$TEEMAP_SOURCE/tests/house
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved
cc=${CC:-cc}
cxx=${CXX:-c++}

fail() { echo "install test: $*"; exit 1; }

cmake --install "$TEEMAP_BINARY" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$prefix"
# Nothing that was installed may still point to where it was built or first put.
if grep -rIlF -e "$work/first" -e "$TEEMAP_BINARY" -e "$TEEMAP_SOURCE" "$prefix"; then
    fail "these files name the building place"
fi

expected=$(sed -n 's/^ \* Prints: //p' "$here/consumer/main.c")
[ -n "$expected" ] || fail "main.c does not say what it prints"
check() { # check HOW PROGRAM
    local printed
    printed=$(LD_LIBRARY_PATH=$libdir "$2") || fail "$1: ended with $?"
    [ "$printed" = "$expected" ] || fail "$1: printed '$printed', not '$expected'"
    echo "$1: $printed"
}

libdir=$(dirname "$(find "$prefix" -name 'libteemap.a')")

# find_package
cmake -S "$here/consumer" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_CXX_COMPILER="$cxx" >"$work/log" 2>&1 || { cat "$work/log"; fail "find_package(teemap)"; }
cmake --build "$work/consumer" >"$work/log" 2>&1 || { cat "$work/log"; fail "building through find_package"; }
for kind in shared static; do
    for language in c cxx; do check "find_package, $kind, $language" "$work/consumer/${language}_$kind"; done
done

# A package of another minor version is not taken.
mkdir "$work/version"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(v C)\nfind_package(teemap 0.0 REQUIRED)\n' >"$work/version/CMakeLists.txt"
if cmake -S "$work/version" -B "$work/version/b" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1; then
    fail "find_package(teemap 0.0) found this version"
fi

# pkg-config
export PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
cp "$here/consumer/main.c" "$work/main.cpp"
read -r -a shared <<<"$(pkg-config --cflags --libs teemap)"
read -r -a static <<<"$(pkg-config --static --cflags --libs teemap)"
# The static library under the shared one's name: take the archive itself.
static=("${static[@]/#-lteemap/$libdir/libteemap.a}")
"$cc" -std=c11 "$here/consumer/main.c" -o "$work/pc_c_shared" "${shared[@]}"
"$cxx" -std=c++17 "$work/main.cpp" -o "$work/pc_cxx_shared" "${shared[@]}"
"$cc" -std=c11 "$here/consumer/main.c" -o "$work/pc_c_static" "${static[@]}"
"$cxx" -std=c++17 "$work/main.cpp" -o "$work/pc_cxx_static" "${static[@]}"
# One version, told by the build, the headers and the tool alike.
version=$(pkg-config --modversion teemap)
grep -qF "\"$version\"" "$prefix/include/teemap/base.h" || fail "the headers are not of version $version"
for kind in shared static; do
    for language in c cxx; do check "pkg-config, $kind, $language" "$work/pc_${language}_$kind"; done
done
if command -v readelf >/dev/null; then
    readelf -d "$work/pc_c_shared" | grep -q 'NEEDED.*libteemap\.so\.0\]' || fail "no soname"
    readelf -d "$work/pc_c_static" | grep 'NEEDED.*libteemap' && fail "the static program needs the shared library"
fi

# The command line, its manual pages and completions.
if [ -n "${TEEMAP:-}" ]; then
    "$prefix/bin/teemap" --version >"$work/version.txt" || fail "teemap --version"
    grep -qwF "$version" "$work/version.txt" || fail "teemap --version printed '$(cat "$work/version.txt")', not $version"
    for page in teemap teemap-info teemap-ls teemap-cat teemap-copy teemap-check teemap-new teemap-render \
        teemap-animate teemap-tiles teemap-thumbnail teemap-doctor; do
        [ -s "$prefix/share/man/man1/$page.1" ] || fail "no manual page $page(1)"
    done
    bash -n "$prefix/share/bash-completion/completions/teemap" || fail "the completion for bash"
    if command -v zsh >/dev/null; then zsh -n "$prefix/share/zsh/site-functions/_teemap" || fail "the one for zsh"; fi
    if command -v fish >/dev/null; then
        fish -n "$prefix/share/fish/vendor_completions.d/teemap.fish" || fail "the one for fish"
    fi
    for file in zsh/site-functions/_teemap fish/vendor_completions.d/teemap.fish doc/teemap/LICENSE \
        doc/teemap/README.md doc/teemap/docs/format.md; do
        [ -s "$prefix/share/$file" ] || fail "no share/$file"
    done

    # Thumbnails on Linux desktops: the line that file managers run makes a picture, and maps are known by their bytes.
    entry=$prefix/share/thumbnailers/teemap.thumbnailer
    [ -s "$entry" ] || fail "no thumbnailer"
    (
        export PATH=$prefix/bin:$PATH
        command -v "$(sed -n 's/^TryExec=//p' "$entry")" >/dev/null || fail "the thumbnailer's program is not installed"
        teemap new "$work/a map.map"
        : >"$work/thumb.png" # file managers make the file before
        read -r -a line <<<"$(sed -n 's/^Exec=//p' "$entry")"
        line=("${line[@]//%s/128}")
        line=("${line[@]//%o/$work/thumb.png}")
        line=("${line[@]//%i/$work/a map.map}")
        "${line[@]}" || fail "the thumbnailer's line: ${line[*]}"
        [ "$(od -An -tx1 -j16 -N8 "$work/thumb.png" | tr -d ' ')" = 0000008000000080 ] || fail "the thumbnail's size"
    ) || exit 1
    if command -v update-mime-database >/dev/null; then
        update-mime-database "$prefix/share/mime" >"$work/log" 2>&1 || { cat "$work/log"; fail "update-mime-database"; }
        kind=$(sed -n 's/^MimeType=\(.*\);$/\1/p' "$entry")
        [ -s "$prefix/share/mime/$kind.xml" ] || fail "the type $kind is not declared"
        if command -v gio >/dev/null; then
            told=$(XDG_DATA_HOME=$prefix/share gio info -a standard::content-type "$work/a map.map")
            case $told in *"$kind"*) ;; *) fail "gio does not know a map: $told" ;; esac
        fi
    fi
fi
