#!/bin/sh
# SPDX-License-Identifier: Zlib
#
# Builds teemap for s390x (big-endian) and i686 (32-bit) with Debian's cross compilers, runs its test suite there
# under qemu-user, and compares what the foreign program says and writes with what this machine's says and writes.
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
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=${TEEMAP_CROSS_DIR:-$root/build/cross}
shared=${TEEMAP_SHARED:-$root/../shared}
jobs=${JOBS:-2}
libraries='libdeflate-dev libspng-dev zlib1g-dev libjansson-dev libssl-dev libcmocka-dev'
sysroot_only=0

say() { printf '%s\n' "cross: $*" >&2; }
die() { say "$*"; exit 2; }

need_tools() {
    missing=
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
    apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(REPO_URI)|$(CODENAME)|$(COMPONENT)' |
        awk -F'|' '$1 == "Packages" && $2 ~ /^(Debian|Ubuntu)$/ && $5 == "main" && $4 !~ /-/ { print $3, $4, $5; exit }'
}

deb_arch() { case $1 in i686) echo i386 ;; *) echo "$1" ;; esac; }

make_sysroot() { # arch
    arch=$1
    deb=$(deb_arch "$arch")
    base=$out/$arch
    sysroot=$base/sysroot
    stamp=$base/sysroot.stamp
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
        [ -e "$1$target" ] && ln -sfr "$1$target" "$link"
    done
    return 0
}

[ "${1:-}" = --sysroot-only ] && sysroot_only=1 && shift
[ $# -gt 0 ] || set -- s390x i686
need_tools
for arch in "$@"; do make_sysroot "$arch"; done
