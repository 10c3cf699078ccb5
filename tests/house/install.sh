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

# find_teemap WORDS: whether find_package(teemap WORDS) succeeds; what it said is in $work/log.
find_teemap() {
    rm -rf "$work/find"
    mkdir "$work/find"
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(f C)\nfind_package(teemap %s REQUIRED)\n' "$1" >"$work/find/CMakeLists.txt"
    printf 'foreach(t %s)\nif(NOT TARGET teemap::${t})\nmessage(FATAL_ERROR "no target ${t}")\nendif()\nendforeach()\n' "$2" \
        >>"$work/find/CMakeLists.txt"
    cmake -S "$work/find" -B "$work/find/b" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1
}
# says WORDS: a message of CMake, which breaks lines where it likes.
says() { tr -s ' \n' ' ' <"$work/log" | grep -qF -e "$1" || { cat "$work/log"; fail "CMake does not say '$1'"; }; }

# library.md B5: 'COMPONENTS shared' failed, and when 'static' did nothing said which library was missing.
while IFS='|' read -r words targets; do
    find_teemap "$words" "$targets" || { cat "$work/log"; fail "find_package(teemap $words)"; }
done <<'EOF'
|teemap shared static
COMPONENTS shared|teemap shared
COMPONENTS static|teemap static
COMPONENTS shared static|teemap shared static
EOF
mkdir "$work/nothing"
(
    export PKG_CONFIG_LIBDIR=$work/nothing PKG_CONFIG_PATH=
    find_teemap 'COMPONENTS shared' 'teemap shared' || { cat "$work/log"; fail "the shared library needs a package"; }
    find_teemap '' 'teemap shared' || { cat "$work/log"; fail "find_package(teemap) needs what only the static library needs"; }
    if find_teemap 'COMPONENTS static' static; then fail "the static library needs no package"; fi
    says 'the static library of teemap needs what cannot be found here:'
    says 'libdeflate, libpng, zlib'
) || exit 1
if find_teemap 'COMPONENTS sharde' ''; then fail "find_package(teemap COMPONENTS sharde)"; fi
says "teemap has no component 'sharde': there are shared and static"

# library.md B6: the soname was libteemap.so.0, while a minor version may break everything until 1.0. The package
# version and the soname take and refuse the same versions.
version=$(sed -n 's/^Version: //p' "$libdir/pkgconfig/teemap.pc")
IFS=. read -r major minor patch <<<"$version"
if [ "$major" = 0 ]; then
    compatible=0.$minor
    others="0.$((minor + 1)) 1.0"
    [ "$minor" = 0 ] || others="$others 0.$((minor - 1))"
else
    compatible=$major
    others="$((major + 1)).0 $((major - 1)).0"
fi
find_teemap "$compatible" teemap || { cat "$work/log"; fail "find_package(teemap $compatible) does not take $version"; }
for other in $others "$major.$minor.$((patch + 1))"; do
    if find_teemap "$other" teemap; then fail "find_package(teemap $other) takes $version"; fi
done
if command -v readelf >/dev/null; then
    readelf -d "$libdir/libteemap.so" | grep -qF "[libteemap.so.$compatible]" || fail "the soname is not libteemap.so.$compatible"
fi

# library.md B9: pkg-config wanted the packages of five other libraries even from who links the shared one.
(
    export PKG_CONFIG_LIBDIR=$libdir/pkgconfig PKG_CONFIG_PATH=
    read -r -a alone <<<"$(pkg-config --cflags --libs teemap)" || fail "pkg-config needs more than teemap.pc"
    "$cc" -std=c11 "$here/consumer/main.c" -o "$work/alone" "${alone[@]}"
) || exit 1
check "pkg-config, shared, with no other package" "$work/alone"

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
# The line of docs/library.md for the static library, and Meson's two.
line=$(sed -n 's/^    \(cc .*pkg-config --static.*\)/\1/p' "$TEEMAP_SOURCE/docs/library.md")
[ -n "$line" ] || fail "docs/library.md has no line for the static library"
cp "$here/consumer/main.c" "$work/first.c"
(cd "$work" && eval "$line") || fail "$line"
check "the line of docs/library.md, static" "$work/first"
programs=("$work/pc_c_static" "$work/first")
if command -v meson >/dev/null; then
    mkdir "$work/meson"
    cp "$here/consumer/main.c" "$work/meson"
    cat >"$work/meson/meson.build" <<'EOF'
project('consumer', 'c', default_options : ['c_std=c11'])
executable('shared', 'main.c', dependencies : dependency('teemap'))
executable('static', 'main.c', dependencies : dependency('teemap', static : true))
EOF
    { meson setup "$work/meson/b" "$work/meson" && ninja -C "$work/meson/b"; } >"$work/log" 2>&1 || { cat "$work/log"; fail "Meson"; }
    for kind in shared static; do check "Meson, $kind" "$work/meson/b/$kind"; done
    programs+=("$work/meson/b/static")
fi
# One version, told by the build, the headers and the tool alike.
[ "$(pkg-config --modversion teemap)" = "$version" ] || fail "pkg-config --modversion"
grep -qF "\"$version\"" "$prefix/include/teemap/base.h" || fail "the headers are not of version $version"
for kind in shared static; do
    for language in c cxx; do check "pkg-config, $kind, $language" "$work/pc_${language}_$kind"; done
done
if command -v readelf >/dev/null; then
    readelf -d "$work/pc_c_shared" | grep -q "NEEDED.*libteemap\.so\.$compatible\]" || fail "no soname"
    for program in "${programs[@]}" "$work/consumer/c_static"; do
        readelf -d "$program" | grep 'NEEDED.*libteemap' && fail "$program needs the shared library"
    done
fi

# The documents and the examples, which compile with what was installed.
docs=$prefix/share/doc/teemap
for folder in docs examples; do
    diff -rq "$TEEMAP_SOURCE/$folder" "$docs/$folder" || fail "$folder/ is not installed as it is"
done
for example in "$docs"/examples/*.c; do
    "$cc" -std=c11 "$example" -o "$work/example" "${shared[@]}" -lm || fail "${example##*/} does not compile"
done
# The first program of docs/library.md, by the line that stands there.
awk '/^```c$/ { on = 1; next } /^```$/ && on { exit } on' "$docs/docs/library.md" >"$work/first.c"
(cd "$work" && "$cc" -std=c11 first.c -o first "${shared[@]}") || fail "the first program of docs/library.md does not compile"

# The library's manual pages; a function's page leads to that of its header.
for page in teemap teemap-map tm_map_new; do
    [ -s "$prefix/share/man/man3/$page.3" ] || fail "no manual page $page(3)"
done
if command -v man >/dev/null; then
    man -M "$prefix/share/man" 3 tm_map_new 2>/dev/null | grep "Creates an empty map" >/dev/null || fail "man 3 tm_map_new"
fi

# The command line, its manual pages and completions.
if [ -n "${TEEMAP:-}" ]; then
    "$prefix/bin/teemap" --version >"$work/version.txt" || fail "teemap --version"
    grep -qwF "$version" "$work/version.txt" || fail "teemap --version printed '$(cat "$work/version.txt")', not $version"
    for page in teemap teemap-info teemap-ls teemap-cat teemap-copy teemap-check teemap-new teemap-render \
        teemap-animate teemap-tiles teemap-gallery teemap-thumbnail teemap-doctor; do
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
