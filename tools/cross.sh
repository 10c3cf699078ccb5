#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
#
# Builds teemap for s390x (big-endian) and i686 (32-bit) with Debian's cross compilers, runs its test suite there
# under qemu-user (an x86-64 runs i686 itself), and compares what the foreign program says and writes with what this
# machine's says and writes.
#
#   tools/cross.sh [--sysroot-only] [ARCH...]         ARCH: s390x, i686 (default: both)
#
# The foreign libraries are unpacked into build/cross/ARCH/sysroot. apt gets private state directories for that, so
# neither the host's architectures nor its installed packages change (gcc-multilib and the cross compilers exclude
# each other, and libraries of a foreign architecture may not install beside the host's).
#
# Environment: TEEMAP_CROSS_SOURCE  an apt source line to take the foreign packages from, e.g.
#                                   "http://deb.debian.org/debian bookworm main" (default: the host's main source)
#              TEEMAP_SHARED        folder with corpus/ (default: ../shared)
#              JOBS                 parallel build jobs (default: 2)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${TEEMAP_CROSS_DIR:-$root/build/cross}
shared=${TEEMAP_SHARED:-$root/../shared}
jobs=${JOBS:-2}
libraries='libdeflate-dev libpng-dev zlib1g-dev libcmocka-dev'

say() { printf '%s\n' "cross: $*" >&2; }
die() { say "$*"; exit 2; }

need_tools() {
    local missing='' pair
    for pair in s390x-linux-gnu-gcc:gcc-s390x-linux-gnu i686-linux-gnu-gcc:gcc-i686-linux-gnu \
        qemu-s390x:qemu-user cmake:cmake dpkg-deb:dpkg python3:python3; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
    done
    [ -z "$missing" ] && return 0
    command -v apt-get >/dev/null 2>&1 || die "needs Debian or Ubuntu with:$missing"
    if [ "$(id -u)" = 0 ]; then
        say "installing$missing"
        # shellcheck disable=SC2086 # a list of packages
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq install -y \
            --no-install-recommends $missing >/dev/null || die "apt-get could not install:$missing"
    else
        die "please install:$missing"
    fi
}

# The source line of the host's main archive: the suite that is neither updates nor security.
apt_source() {
    if [ -n "${TEEMAP_CROSS_SOURCE:-}" ]; then
        printf '%s\n' "$TEEMAP_CROSS_SOURCE"
        return
    fi
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(REPO_URI)|$(CODENAME)|$(COMPONENT)' |
        awk -F'|' '$1 == "Packages" && $2 ~ /^(Debian|Ubuntu)$/ && $5 == "main" && $4 !~ /-/ && !found++ { print $3, $4, $5 }'
}

deb_arch() { case $1 in i686) echo i386 ;; *) echo "$1" ;; esac; }

make_sysroot() { # arch
    local arch=$1 base=$out/$1 sysroot=$out/$1/sysroot stamp=$out/$1/sysroot.stamp deb source_line apt package
    deb=$(deb_arch "$arch")
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$libraries" ] && return 0
    source_line=$(apt_source)
    [ -n "$source_line" ] || die "no Debian or Ubuntu source found: set TEEMAP_CROSS_SOURCE"
    say "$arch: fetching libraries from $source_line"
    apt=$base/apt
    rm -rf "$apt" "$sysroot" "$stamp"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$sysroot"
    : >"$apt/status"
    printf 'deb %s\n' "$source_line" >"$apt/sources.list"
    set -- -qq -o APT::Architecture="$deb" -o APT::Architectures::="$deb" -o Dir::State="$apt" \
        -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts" \
        -o Acquire::Languages=none -o Debug::NoLocking=true -o APT::Install-Recommends=false \
        -o APT::Sandbox::User=
    apt-get "$@" update || die "$arch: no package lists from $source_line"
    # shellcheck disable=SC2086 # a list of packages
    apt-get "$@" -y --download-only install $libraries >/dev/null || die "$arch: cannot download $libraries"
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$sysroot"
    done
    relative_links "$sysroot"
    rm -rf "$apt"
    printf '%s' "$libraries" >"$stamp"
}

# Packages hold absolute symbolic links, which would lead out of the sysroot.
relative_links() { # sysroot
    find "$1" -type l -lname '/*' | while IFS= read -r link; do
        target=$(readlink "$link")
        if [ -e "$1$target" ]; then ln -sfr "$1$target" "$link"; fi
    done
}

configure() { # FOLDER CMAKE-ARGUMENT...
    local folder=$1
    shift
    [ -e "$folder/build.ninja" ] && return 0
    mkdir -p "$folder"
    cmake -S "$root" -B "$folder" -G Ninja "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "cannot configure"; }
}

build() { # FOLDER
    cmake --build "$1" -j "$jobs" >"$1.log" 2>&1 || { tail -n 60 "$1.log" >&2; die "cannot build $1"; }
}

# The words that start a foreign program: the sysroot's own loader where this machine runs such programs itself.
emulator() { # ARCH
    local sysroot=$out/$1/sysroot loader triplet
    loader=$(compgen -G "$sysroot/lib/ld*.so.[0-9]" | head -n 1)
    triplet=$(deb_arch "$1")-linux-gnu
    if [ -n "$loader" ] && "$loader" --version >/dev/null 2>&1; then
        printf '%s\n' "$loader --library-path $sysroot/lib/$triplet:$sysroot/usr/lib/$triplet"
    else
        printf '%s\n' "qemu-$(deb_arch "$1") -L $sysroot"
    fi
}

build_foreign() { # ARCH
    say "$1: building"
    export TEEMAP_CROSS_SYSROOT=$out/$1/sysroot TEEMAP_CROSS_EMULATOR
    TEEMAP_CROSS_EMULATOR=$(emulator "$1")
    configure "$out/$1/build" --toolchain "$root/cmake/cross/$1.cmake" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_C_FLAGS_DEBUG='-O2 -g' -DTEEMAP_DEV=ON -DTEEMAP_TESTS=ON -DTEEMAP_WERROR=ON
    build "$out/$1/build"
}

# The tests that are about this machine (real game servers, the tree itself, installation, browsers) have been run on
# it. Under qemu, which is up to 60 times slower, tests that do much with each map of the corpus take each ninth;
# `compare` takes all.
run_suite() { # ARCH
    local report=$out/$1/tests.xml result=0 step=1
    case $(emulator "$1") in qemu*) step=9 ;; esac
    rm -f "$report"
    TEEMAP_CORPUS_STEP=$step ctest --test-dir "$out/$1/build" -j "$jobs" -LE 'servers|real|house|browser' \
        --no-tests=error --output-on-failure --output-junit "$report" || result=1
    say "$1: $(python3 "$root/tests/house/totals.py" "$report" | tail -n 1)"
    return $result
}

maps() {
    local folder=$shared/corpus
    [ -d "$folder" ] || folder=$(bash "$root/tests/support/games.sh" file ddnet maps)
    find "$folder" -name '*.map' 2>/dev/null | LC_ALL=C sort
}

# What one program makes of all maps: listings as text, copies as files, complaints, exit statuses.
portrait() { # FOLDER PROGRAM...
    local folder=$1 task program
    shift
    program=("$@")
    rm -rf "$folder"
    mkdir -p "$folder/copies" "$folder/repacked"
    cd "$folder"
    for task in 'info --json --hash' 'check --json' 'check --json --mode strict' 'copy -t copies' \
        'copy --recompress 6 -t repacked'; do
        # shellcheck disable=SC2086 # words
        depict "$task" "${program[@]}" $task ../../maps/*.map
    done
    depict 'new' "${program[@]}" new new.map
    depict 'new 0.7' "${program[@]}" new --game teeworlds07 --size 70x50 new07.map
}

depict() { # NAME COMMAND...
    local name=${1//[^a-z0-9]/} status=0
    echo -n "$1: " >>statuses
    shift
    "$@" >"$name.out" 2>"$name.err" || status=$?
    echo "status $status" >>statuses
}

compare() { # ARCH
    local count links=$out/maps words
    count=$(maps | wc -l)
    [ "$count" -gt 0 ] || { say "$1: no maps to compare with this machine"; return 0; }
    say "$1: $count maps there and here"
    # Both portraits name the maps by the same relative path.
    rm -rf "$links"
    mkdir -p "$links"
    maps | while IFS= read -r path; do ln -s "$(realpath "$path")" "$links/$(basename "$path")"; done
    (portrait "$out/host/portrait" "$out/host/teemap")
    read -ra words < <(emulator "$1")
    (portrait "$out/$1/portrait" "${words[@]}" "$out/$1/build/teemap")
    cat "$out/$1/portrait/statuses" >&2
    if ! diff -rq "$out/host/portrait" "$out/$1/portrait" >&2; then
        say "$1: differs from this machine, see $out/host/portrait and $out/$1/portrait"
        return 1
    fi
    say "$1: the same JSON, findings and exit statuses; $(find "$out/$1/portrait" -name '*.map' | wc -l) maps written alike"
}

if [ "${1:-}" = --sysroot-only ]; then
    shift
    [ $# -gt 0 ] || set -- s390x i686
    need_tools
    for arch in "$@"; do make_sysroot "$arch"; done
    exit 0
fi
[ $# -gt 0 ] || set -- s390x i686
need_tools
status=0
configure "$out/host" -DCMAKE_BUILD_TYPE=Release -DTEEMAP_TESTS=OFF
build "$out/host"
for arch in "$@"; do
    make_sysroot "$arch"
    build_foreign "$arch"
    run_suite "$arch" || status=1
    compare "$arch" || status=1
done
[ $status = 0 ] && say "$* agree with this machine"
exit $status
