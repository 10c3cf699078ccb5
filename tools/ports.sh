#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
#
# Builds the library where Debian has no packages of what it stands on, and compares what it makes of maps there with
# what a build of this machine makes of them: numbers of layers, checksums of pictures and of saved files.
#
#   tools/ports.sh [--all] PORT
#
#   musl   another C library, by musl-gcc: the whole library, its tests of what meets the system, and with --all
#          every test of the library
#   wasm   wasm32-wasi by clang, lld and wasi-libc: everything but the rooms that ask the operating system; runs in node
#   web    the JavaScript package of bindings/web, by emscripten, in build/web; './run web' tests it
#
# libdeflate, zlib and libspng, for musl cmocka too, are compiled from Debian's source packages, which apt fetches into
# build/ports/sources by private lists, so that nothing of this machine's apt changes. What stands in build/ports is used
# again. Exit status 77, and a reason, where a tool or the source packages cannot be had.
#
# Environment: TEEMAP_BINARY        a build tree of this machine with the tests' programs (default: build/dev)
#              TEEMAP_PORTS_SOURCE  an apt source to take the packages from, e.g. "http://deb.debian.org/debian bookworm main"
#              JOBS                 parallel build jobs (default: 2)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${TEEMAP_PORTS_DIR:-$root/build/ports}
native=${TEEMAP_BINARY:-$root/build/dev}
jobs=${JOBS:-2}
packages='libdeflate libspng zlib nettle cmocka'
all=0

say() { printf '%s\n' "ports: $*" >&2; }
die() { say "$*"; exit 2; }
skip() { echo "skipped: $*"; exit 77; }

need() { # need COMMAND:PACKAGE...
    local pair missing=''
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
    done
    [ -z "$missing" ] || skip "these packages are missing:$missing"
}

# The host's main archive: the suite that is neither updates nor security.
apt_source() {
    if [ -n "${TEEMAP_PORTS_SOURCE:-}" ]; then
        printf '%s\n' "$TEEMAP_PORTS_SOURCE"
        return
    fi
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(REPO_URI)|$(CODENAME)|$(COMPONENT)' |
        awk -F'|' '$1 == "Packages" && $2 ~ /^(Debian|Ubuntu)$/ && ($5 == "main" || $5 == "universe") && $4 !~ /-/ {
            where = $3 " " $4; parts[where] = parts[where] " " $5 }
            END { for (where in parts) { print where parts[where]; exit } }'
}

fetch_sources() {
    local stamp=$out/sources.stamp sources=$out/sources apt=$out/apt line archive
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$packages" ]; then return 0; fi
    need apt-get:apt tar:tar bzip2:bzip2 xz:xz-utils
    line=$(apt_source)
    [ -n "$line" ] || skip "no Debian or Ubuntu archive is known: set TEEMAP_PORTS_SOURCE"
    rm -rf "$apt" "$sources" "$stamp"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/packages" "$sources"
    : >"$apt/status"
    printf 'deb-src %s\n' "$line" >"$apt/sources.list"
    set -- -qq -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts" \
        -o Acquire::Languages=none -o Debug::NoLocking=true -o APT::Sandbox::User=
    apt-get "$@" update >"$out/apt.log" 2>&1 || { cat "$out/apt.log" >&2; skip "no lists of source packages from $line"; }
    # shellcheck disable=SC2086 # a list of packages
    (cd "$apt/packages" && apt-get "$@" source --download-only $packages) >"$out/apt.log" 2>&1 ||
        { cat "$out/apt.log" >&2; skip "no source packages from $line"; }
    for archive in "$apt"/packages/*.orig.tar.*; do
        case $archive in *.asc) ;; *) tar -xf "$archive" -C "$sources" ;; esac
    done
    rm -rf "$apt"
    printf '%s' "$packages" >"$stamp"
}

run() { # run LOG COMMAND...: quiet unless it fails
    local log=$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; die "failed: $*"; }
}

# Each step starts from what stands already, and from nothing when the toolchain or the libraries changed.
build_libraries() { # PORT [OPTION...]
    local folder=$out/$1
    shift
    [ "$folder/libraries.stamp" -nt "$out/sources.stamp" ] && [ "$folder/libraries.stamp" -nt "$root/tools/ports/CMakeLists.txt" ] && return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    run "$folder/libraries.log" cmake -S "$root/tools/ports" -B "$folder/libraries" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        --toolchain "$root/cmake/cross/$toolchain.cmake" -DTEEMAP_PORTS_SOURCES="$out/sources" \
        -DCMAKE_INSTALL_PREFIX="$TEEMAP_CROSS_SYSROOT" -DCMAKE_INSTALL_LIBDIR=lib "$@"
    run "$folder/libraries.log" cmake --build "$folder/libraries" -j "$jobs" --target install
    touch "$folder/libraries.stamp"
}

build_teemap() { # PORT OPTION...; then build_targets
    local folder=$out/$1
    shift
    run "$folder/teemap.log" cmake -S "$root" -B "$folder/teemap" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS_DEBUG='-O1 -g' -DTEEMAP_DEV=ON -DTEEMAP_WERROR=ON -DTEEMAP_CLI=OFF \
        --toolchain "$root/cmake/cross/$toolchain.cmake" "$@"
}

# Maps that every machine can make, and those that are installed.
maps() {
    local game
    mkdir -p "$out/maps"
    for game in ddnet 0.6 0.7; do "$native/tests/tools/mapmaker" build $game "$out/maps/mapmaker-$game.map"; done
    "$native/examples/example_landscape" "$out/maps/landscape.map"
    printf '%s\n' "$out"/maps/*.map
    find /usr/share/games/ddnet/data/maps -name '*.map' 2>/dev/null | LC_ALL=C sort
}

compare() { # PORT COMMAND...: the portraits that it prints, and those of this machine
    local port=$1 folder=$out/$1
    shift
    [ -x "$native/tests/tools/portrait" ] || die "no programs of this machine's tests in $native"
    maps >"$folder/maps.txt"
    mapfile -t paths <"$folder/maps.txt"
    "$native/tests/tools/portrait" "${paths[@]}" >"$folder/here.txt"
    "$@" "${paths[@]}" >"$folder/there.txt" || die "$port: '$*' ended with $?"
    [ "$(wc -l <"$folder/here.txt")" = "${#paths[@]}" ] || die "this machine did not portray all maps"
    if ! paste "$folder/here.txt" "$folder/there.txt" "$folder/maps.txt" |
        awk -F'\t' '$1 != $2 { print $3 ": here " $1 ", there " $2; bad = 1 } END { exit bad }'; then
        die "$port: maps are not the same there and here"
    fi
    echo "$port: ${#paths[@]} maps have the same layers, pictures and saved bytes as here"
}

port_musl() {
    toolchain=musl
    need musl-gcc:musl-tools
    fetch_sources
    build_libraries musl
    build_teemap musl -DBUILD_SHARED_LIBS=OFF -DTEEMAP_TESTS=ON
    # Those that meet the system, and those that found a fault where there is no libwebp.
    local tests='test_base test_null test_options test_sys test_save test_threads'
    # shellcheck disable=SC2086 # a list of targets
    run "$out/musl/teemap.log" cmake --build "$out/musl/teemap" -j "$jobs" --target teemap_static portrait $tests
    compare musl "$out/musl/teemap/tests/tools/portrait"
    if [ $all = 1 ]; then
        run "$out/musl/teemap.log" cmake --build "$out/musl/teemap" -j "$jobs"
        ctest --test-dir "$out/musl/teemap" -j "$jobs" -L unit --no-tests=error --output-on-failure
    else
        ctest --test-dir "$out/musl/teemap" -R '^unit\.(base|null|options|sys|save|threads)$' --no-tests=error --output-on-failure
    fi
}

port_wasm() {
    toolchain=wasi
    need clang:clang wasm-ld:lld llvm-ar:llvm node:nodejs pkg-config:pkg-config
    printf '#include <stdio.h>\nint main(void) { return puts("x") < 0; }\n' >"$out/try.c"
    clang --target=wasm32-wasi "$out/try.c" -o "$out/try.wasm" 2>/dev/null ||
        skip "clang cannot make WebAssembly: wasi-libc or libclang-rt-dev-wasm32 is missing"
    fetch_sources
    build_libraries wasm
    build_teemap wasm
    run "$out/wasm/teemap.log" cmake --build "$out/wasm/teemap" -j "$jobs"
    run "$out/wasm/teemap.log" cmake --install "$out/wasm/teemap" --prefix "$out/wasm/installed"
    [ -z "$(find "$out/wasm/teemap" -path '*src/sys/*.o*')" ] || die "src/sys was compiled for WebAssembly"
    local flags
    read -r -a flags <<<"$(PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$(dirname "$(find "$out/wasm/installed" -name teemap.pc)") \
        pkg-config --static --cflags --libs teemap)"
    run "$out/wasm/teemap.log" clang --target=wasm32-wasi -std=c11 -O1 "$root/tests/tools/portrait.c" "${flags[@]}" \
        -Wl,-z,stack-size=1048576 -Wl,--stack-first -o "$out/wasm/portrait.wasm"
    compare wasm node "$root/tests/tools/run_wasm.mjs" "$out/wasm/portrait.wasm"
}

# The module for browsers and node, as bindings/web/CMakeLists.txt has it.
port_web() {
    toolchain=emscripten
    need emcc:emscripten node:nodejs pkg-config:pkg-config
    fetch_sources
    export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # of emscripten's own scripts, where node is not Debian's
    build_libraries web "-DCMAKE_C_FLAGS_RELEASE=-Os -DNDEBUG"
    run "$out/web/module.log" cmake -S "$root/bindings/web" -B "$root/build/web" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        --toolchain "$root/cmake/cross/$toolchain.cmake" -DTEEMAP_NATIVE="$native"
    run "$out/web/module.log" cmake --build "$root/build/web" -j "$jobs"
}

while [ $# -gt 0 ]; do
    case $1 in
        --all) all=1 ;;
        musl | wasm | web) port=$1 ;;
        *) die "unknown: '$1'; the ports are musl, wasm and web" ;;
    esac
    shift
done
[ -n "${port:-}" ] || die "which port: musl, wasm or web?"
export TEEMAP_CROSS_SYSROOT=$out/$port/sysroot
unset CMAKE_TOOLCHAIN_FILE CC
mkdir -p "$out"
# One at a time fetches the sources; a port is for one at a time, too.
exec 9>"$out/lock"
flock 9
"port_$port"
