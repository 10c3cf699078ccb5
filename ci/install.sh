#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Builds teemap in a runner of Debian or Ubuntu and puts it on the path of the steps that follow; one that is installed stays.
set -euo pipefail
if command -v teemap >/dev/null; then
    teemap --version
    exit 0
fi
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${RUNNER_TEMP:-/tmp}/teemap-build
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -q
$as_root apt-get install -qy --no-install-recommends gcc libc6-dev cmake ninja-build pkg-config libdeflate-dev libspng-dev zlib1g-dev \
    nettle-dev
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DTEEMAP_TESTS=OFF
cmake --build "$build" --target teemap_cli
[ -z "${GITHUB_PATH:-}" ] || echo "$build" >>"$GITHUB_PATH"
