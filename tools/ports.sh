#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
#
# Builds the library where Debian has no packages of what it stands on, and compares what it makes of maps there with
# what a build of this machine makes of them: numbers of layers, checksums of pictures and of saved files.
#
#   tools/ports.sh [--all | --quick] PORT [PROCESSOR...]
#
#   linux  for any Linux, of x86_64 and aarch64 (under qemu), or one PROCESSOR: build/ports/linux/teemap-PROCESSOR, one static program with
#          musl, that of x86_64 tried in an empty root; what meets the system is tested, and with --all every test of the library
#   macos, freebsd  the library and the program compile and link, which nothing here runs; with --all their tests, too, and for both
#          processors
#   windows  64-bit Windows, by Debian's mingw-w64: build/ports/windows/teemap.exe, one file that needs no other; what meets the system is
#          tested under wine, and what the program says and writes is compared with this machine's; with --all every test of the
#          library that is not about POSIX
#   wasm   wasm32-wasi by clang, lld and wasi-libc: everything but the rooms that ask the operating system; runs in node
#   web    the JavaScript package of bindings/web, by emscripten, in build/web; './run web' tests it
#
# What teemap stands on, and cmocka, are compiled from Debian's source packages, which apt fetches into
# build/ports/sources by private lists, so that nothing of this machine's apt changes. Zig's clang, for which Debian has no package,
# comes from PyPI. What stands in build/ports is used again. Exit status 77, and a reason, where a tool or the source packages cannot be had.
#
# --quick: programs are compiled with -O1, in two thirds of the time; they are tried, and not released.
#
# Environment: TEEMAP_BINARY        a build tree of this machine with the tests' programs (default: build/dev)
#              TEEMAP_PORTS_SOURCE  an apt source to take the packages from, e.g. "http://deb.debian.org/debian bookworm main"
#              JOBS                 parallel build jobs (default: 2)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${TEEMAP_PORTS_DIR:-$root/build/ports}
native=${TEEMAP_BINARY:-$root/build/dev}
jobs=${JOBS:-2}
packages='libdeflate libpng1.6 zlib cmocka libwebp giflib zopfli'
all=0
optimized=(-DCMAKE_BUILD_TYPE=Release)
processors=()
libraries_type=Release
ports='linux, macos, freebsd, windows, wasm and web'

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

# unpack ARCHIVE FOLDER: with Debian's changes, which mend what was found after the release.
unpack() {
    local archive=$1 made changes patches=$out/patches name
    made=$2/$(tar -tf "$archive" | sed -n '1s,/.*,,p')
    tar -xf "$archive" -C "$2"
    changes=$(compgen -G "${archive%.orig.tar.*}-*.debian.tar.*") || return 0
    rm -rf "$patches"
    mkdir -p "$patches"
    tar -xf "$changes" -C "$patches"
    [ -f "$patches/debian/patches/series" ] || return 0
    sed 's/[ \t]*#.*//; /^$/d' "$patches/debian/patches/series" | while read -r name _; do
        patch -s -f -p1 -d "$made" <"$patches/debian/patches/$name" || die "cannot apply $name to $made"
    done
}

# One at a time fetches what all ports share; a port is for one at a time, too.
fetch() { # fetch FUNCTION
    exec 8>"$out/lock"
    flock 8
    "$1"
    exec 8>&-
}

fetch_sources() {
    local stamp=$out/sources.stamp sources=$out/sources apt=$out/apt line archive
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$packages" ]; then return 0; fi
    need apt-get:apt tar:tar bzip2:bzip2 xz:xz-utils patch:patch
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
        case $archive in *.asc) ;; *) unpack "$archive" "$sources" ;; esac
    done
    (cd "$apt/packages" && sha256sum ./*.orig.tar.* | grep -v '[.]asc$') >"$out/sources.sha256"
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

# The compiler of cmake/cross/zig.cmake.
fetch_zig() {
    local home=$out/zig pins=$root/tools/ports/zig.txt
    need llvm-ar:llvm python3:python3
    if ! cmp -s "$pins" "$home/zig.txt"; then
        python3 -m venv --clear "$home" >"$out/zig.log" 2>&1 || skip "python3-venv is missing: $(tail -n 1 "$out/zig.log")"
        "$home/bin/pip" install -q --no-deps --require-hashes -r "$pins" >"$out/zig.log" 2>&1 ||
            skip "zig cannot be had from PyPI: $(tail -n 1 "$out/zig.log")"
        cp "$pins" "$home"
    fi
    TEEMAP_ZIG=$(compgen -G "$home/lib/python3*/site-packages/ziglang/zig")
    export TEEMAP_ZIG ZIG_GLOBAL_CACHE_DIR=$home/cache
}

build_by_zig() { # build_by_zig FOLDER TARGET OPTION...
    local folder=$1
    toolchain=zig
    export TEEMAP_ZIG_TARGET=$2 TEEMAP_CROSS_SYSROOT=$out/$folder/sysroot
    shift 2
    fetch fetch_sources
    check_pins
    fetch fetch_zig
    build_libraries "$folder" -DTEEMAP_PORTS_WHOLE=ON -DCMAKE_BUILD_TYPE="$libraries_type"
    build_teemap "$folder" -DTEEMAP_CLI=ON -DTEEMAP_TESTS=ON "$@"
}

maps_below() { # maps_below FOLDER: none where it is not there
    [ ! -d "$1" ] || find "$1" -name '*.map' | LC_ALL=C sort
}

# Maps that every machine can make, and those that are installed.
maps() {
    local game made=$out/$port/maps
    mkdir -p "$made"
    for game in ddnet 0.6 0.7; do TEEMAP=$native/teemap "$root/tests/tools/mapmaker.sh" build $game "$made/mapmaker-$game.map"; done
    "$native/examples/example_landscape" "$made/landscape.map"
    printf '%s\n' "$made"/*.map
    maps_below "$(bash "$root/tests/support/games.sh" file ddnet maps)"
}

compare() { # PORT COMMAND...: the portraits that it prints, and those of this machine
    local port=$1 folder=$out/$1
    shift
    [ -x "$native/tests/tools/portrait" ] || die "no programs of this machine's tests in $native"
    maps >"$folder/maps.txt"
    mapfile -t paths <"$folder/maps.txt"
    "$native/tests/tools/portrait" "${paths[@]}" >"$folder/here.txt"
    "$@" "${paths[@]}" | tr -d "\r" >"$folder/there.txt" || die "$port: '$*' ended with $?"
    [ "$(wc -l <"$folder/here.txt")" = "${#paths[@]}" ] || die "this machine did not portray all maps"
    if ! paste "$folder/here.txt" "$folder/there.txt" "$folder/maps.txt" |
        awk -F'\t' '$1 != $2 { print $3 ": here " $1 ", there " $2; bad = 1 } END { exit bad }'; then
        die "$port: maps are not the same there and here"
    fi
    echo "$port: ${#paths[@]} maps have the same layers, pictures and saved bytes as here"
}

port_wasm() {
    toolchain=wasi
    need clang:clang wasm-ld:lld llvm-ar:llvm node:nodejs pkg-config:pkg-config
    printf '#include <stdio.h>\nint main(void) { return puts("x") < 0; }\n' >"$out/try.c"
    clang --target=wasm32-wasi "$out/try.c" -o "$out/try.wasm" 2>/dev/null ||
        skip "clang cannot make WebAssembly: wasi-libc or libclang-rt-dev-wasm32 is missing"
    fetch fetch_sources
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
    fetch fetch_sources
    export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # of emscripten's own scripts, where node is not Debian's
    build_libraries web "-DCMAKE_C_FLAGS_RELEASE=-Os -DNDEBUG"
    run "$out/web/module.log" cmake -S "$root/bindings/web" -B "$root/build/web" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        --toolchain "$root/cmake/cross/$toolchain.cmake" -DTEEMAP_NATIVE="$native"
    run "$out/web/module.log" cmake --build "$root/build/web" -j "$jobs"
}

# The programs that users get are built of these sources and no others: those of Debian 12 at the time of writing. Debian's changes to them may
# grow, and are signed.
check_pins() {
    (cd "$out" && diff "$root/tools/ports/sources.sha256" sources.sha256 >&2) || die "these are other sources than those in tools/ports/sources.sha256"
}

# What the program says and writes of maps: one folder for this machine's and one for the other's, and no difference between them.
depict() { # depict NAME ARGUMENT...
    local name=$1 status=0
    shift
    "${program[@]}" "$@" >"$name.out" 2>"$name.err" </dev/null || status=$?
    echo "$name: $status" >>statuses
}

depict_all() { # FOLDER PROGRAM...
    local folder=$1 map name last=''
    shift
    program=("$@")
    rm -rf "$folder"
    mkdir -p "$folder/saved" "$folder/small" "$folder/turned"
    cd "$folder"
    depict version --version
    depict help help render
    depict misuse info --no-such-option
    depict missing info ../cli-maps/nowhere.map
    depict new new new.map
    depict info info --json --hash -r ../cli-maps
    depict check check --json -r ../cli-maps
    depict lint lint --json -r ../cli-maps
    depict copy copy -t saved ../cli-maps/*.map
    depict optimize optimize -t small ../cli-maps/*.map
    depict convert convert --to 0.7 -t turned ../cli-maps/*.map
    depict gallery gallery -t page ../cli-maps
    for map in ../cli-maps/*.map; do
        name=$(basename "$map" .map)
        depict "ls $name" ls "$map"
        depict "render $name" render --size 640x400 -o "$name.png" "$map"
        [ -z "$last" ] || depict "diff $name" diff -o "$name.patch" "$last" "$map"
        last=$map
    done
}

compare_programs() { # PORT MAPS PROGRAM...: with so many maps, unless all is wanted
    local port=$1 folder=$out/$1 most=$2 path
    shift 2
    [ -x "$native/teemap" ] || die "no program of this machine in $native"
    [ $all = 0 ] || most=100
    rm -rf "$folder/cli-maps"
    mkdir -p "$folder/cli-maps"
    { maps; maps_below "${TEEMAP_SHARED:-$root/../shared}/corpus"; } | sed -n "1,${most}p" |
        while read -r path; do cp "$path" "$folder/cli-maps"; done
    (depict_all "$folder/cli-here" "$native/teemap")
    (depict_all "$folder/cli-there" "$@")
    diff -rq "$folder/cli-here" "$folder/cli-there" >&2 || die "$port: the program says or writes something else than here"
    echo "$port: $(wc -l <"$folder/cli-here/statuses") commands on $(find "$folder/cli-maps" -name '*.map' | wc -l) maps say and write the same as here"
}

# A program that somebody downloads is to be below 3 MB.
finish_program() { # STRIP FROM TO
    "$1" -o "$3" "$2"
    local size
    size=$(wc -c <"$3")
    [ "$size" -lt 3000000 ] || die "$3 has $size bytes; 3 MB are the most"
    echo "$3: $size bytes"
}

# A map that is dropped on the program has a console for itself: its picture goes to the folder of temporary files, and to explorer.
try_dropped_map() { # FOLDER
    local folder=$1 picture
    picture=$WINEPREFIX/drive_c/users/$(id -un)/Temp/teemap/dropped.png
    command -v script >/dev/null || { echo "windows: no map was dropped: no script (bsdutils)"; return 0; }
    mkdir -p "$folder/shown"
    cp "$folder/teemap/tests/tools/portrait.exe" "$folder/shown/explorer.exe" # in place of wine's, which wants a screen
    cp "$out/$port/maps/landscape.map" "$folder/dropped.map"
    rm -f "$picture"
    (cd "$folder" && WINEPATH="Z:${folder//\//\\}\\shown" timeout 60 script -qec 'wine teemap.exe dropped.map' dropped.log </dev/null >/dev/null) ||
        die "windows: a dropped map is not shown: $(cat "$folder/dropped.log")"
    [ -s "$picture" ] || die "windows: there is no picture of a dropped map"
    echo "windows: a dropped map is drawn and shown"
}

# One program for 64-bit Windows, which needs nothing beside it; tried under wine.
port_windows() {
    toolchain=windows
    need x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64 wine:wine64
    fetch fetch_sources
    check_pins
    build_libraries windows -DTEEMAP_PORTS_WHOLE=ON
    local folder=$out/windows tests='test_windows test_threads'
    build_teemap windows "${optimized[@]}" -DTEEMAP_DEV=OFF -DTEEMAP_WERROR=OFF -DTEEMAP_CLI=ON -DTEEMAP_TESTS=ON
    # shellcheck disable=SC2086 # a list of targets
    run "$folder/teemap.log" cmake --build "$folder/teemap" -j "$jobs" --target teemap_cli portrait $tests
    finish_program x86_64-w64-mingw32-strip "$folder/teemap/teemap.exe" "$folder/teemap.exe"
    export LC_ALL=C.UTF-8 WINEPREFIX=$folder/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    wine wineboot -i >"$folder/wine.log" 2>&1 || skip "wine does not start here: $(tail -n 1 "$folder/wine.log")"
    # One waits as long as this script runs: the first program starts wine's services, which keep its streams, and who reads these meets no end.
    coproc wine cmd >/dev/null 2>&1 9>&-
    ctest --test-dir "$folder/teemap" -R '^unit[.](windows|threads)$' --no-tests=error --output-on-failure
    compare windows wine "$folder/teemap/tests/tools/portrait.exe"
    compare_programs windows 6 wine "$folder/teemap.exe"
    try_dropped_map "$folder"
    [ $all = 1 ] || return 0
    run "$folder/teemap.log" cmake --build "$folder/teemap" -j "$jobs"
    ctest --test-dir "$folder/teemap" -j "$jobs" -L "unit|cli" --no-tests=error --output-on-failure
}

# Nothing but the program and a map: no folder of temporary files, no device, no other program.
try_empty_root() { # try_empty_root PROGRAM
    local folder=$out/linux/empty chroot=(chroot)
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$1" "$folder/teemap"
    TEEMAP=$native/teemap "$root/tests/tools/mapmaker.sh" build ddnet "$folder/x.map"
    [ "$(id -u)" = 0 ] || chroot=(unshare -r chroot)
    "${chroot[@]}" "$folder" /teemap --version >/dev/null 2>&1 || { echo "linux: not tried in an empty root: chroot is not allowed here"; return 0; }
    "${chroot[@]}" "$folder" /teemap info --json --hash x.map >"$folder/there"
    (cd "$folder" && "$native/teemap" info --json --hash x.map) | cmp - "$folder/there" || die "linux: info differs in an empty root"
    "${chroot[@]}" "$folder" /teemap render -o there.png x.map 2>/dev/null
    "$native/teemap" render -o "$folder/here.png" "$folder/x.map" 2>/dev/null
    cmp "$folder/here.png" "$folder/there.png" || die "linux: the picture differs in an empty root"
    "${chroot[@]}" "$folder" /teemap optimize -i x.map >/dev/null || die "linux: nothing is saved in an empty root"
    echo "linux: runs in an empty root"
}

port_linux() { # port_linux [PROCESSOR...]
    need qemu-aarch64:qemu-user
    # Those that meet the system, and those that found a fault where there is no libwebp.
    local processor folder runner maps tests=(base null options sys save threads)
    [ $# -gt 0 ] || set -- x86_64 aarch64
    for processor in "$@"; do
        folder=linux-$processor runner=() maps=6
        [ "$processor" = x86_64 ] || { runner=("qemu-$processor") maps=3; }
        build_by_zig $folder $processor-linux-musl "${optimized[@]}" -DTEEMAP_DEV=OFF -DBUILD_SHARED_LIBS=OFF
        run "$out/$folder/teemap.log" cmake --build "$out/$folder/teemap" -j "$jobs" --target teemap_cli portrait "${tests[@]/#/test_}"
        mkdir -p "$out/linux"
        finish_program llvm-strip "$out/$folder/teemap/teemap" "$out/linux/teemap-$processor"
        compare $folder "${runner[@]}" "$out/$folder/teemap/tests/tools/portrait"
        compare_programs $folder $maps "${runner[@]}" "$out/linux/teemap-$processor"
        if [ $all = 1 ]; then
            run "$out/$folder/teemap.log" cmake --build "$out/$folder/teemap" -j "$jobs"
            ctest --test-dir "$out/$folder/teemap" -j "$jobs" -L unit --no-tests=error --output-on-failure
        else
            ctest --test-dir "$out/$folder/teemap" -R "^unit[.]($(IFS='|'; echo "${tests[*]}"))\$" --no-tests=error --output-on-failure
        fi
        [ "$processor" != x86_64 ] || try_empty_root "$out/linux/teemap-x86_64"
    done
}

# Systems that nothing here runs; the first processor stands for the others unless all is wanted.
link_only() { # link_only SYSTEM PROCESSOR...
    local system=$1 processor libraries_type=Debug targets=(--target teemap_shared teemap_cli)
    shift
    if [ $all = 1 ]; then targets=(); else set -- "$1"; fi
    for processor in "$@"; do
        build_by_zig "$system-$processor" "$processor-$system" -DCMAKE_C_FLAGS_DEBUG=-O0
        run "$out/$system-$processor/teemap.log" cmake --build "$out/$system-$processor/teemap" -j "$jobs" "${targets[@]}"
        echo "$system: the library and the program link for $processor"
    done
}
port_macos() { link_only macos aarch64 x86_64; }
port_freebsd() { link_only freebsd x86_64 aarch64; }

while [ $# -gt 0 ]; do
    case $1 in
        --all) all=1 ;;
        --quick) optimized=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -DNDEBUG") ;;
        linux | macos | freebsd | wasm | web | windows) port=$1 ;;
        x86_64 | aarch64) [ "${port:-}" = linux ] || die "'$1': a processor is chosen for linux alone"; processors+=("$1") ;;
        *) die "unknown: '$1'; the ports are $ports" ;;
    esac
    shift
done
[ -n "${port:-}" ] || die "which port: $ports?"
export TEEMAP_CROSS_SYSROOT=$out/$port/sysroot
unset CMAKE_TOOLCHAIN_FILE CC
mkdir -p "$out"
exec 9>"$out/lock.$port"
flock 9
"port_$port" "${processors[@]+"${processors[@]}"}"
