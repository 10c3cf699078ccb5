#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
#
# Times teemap against the floor programs and against what else can be installed, on the same files in the same run,
# and prints one table (bench/table.py). Called by `./run bench`, which builds.
#
#   bench/run.sh [--no-peers] [OPTION OF table.py...]          e.g. --rounds 9, --drawing, --editing, --comparing, --automapping,
#                                                            --only 'change one tile'
#
# Environment: TEEMAP_BUILD         build directory with bench/ in it (default build/bench)
#              TEEMAP_SHARED        folder with corpus/ (default ../shared); without it, the maps of ddnet-data
#              TEEMAP_BENCH_CACHE   where peers are built (default ~/.cache/teemap-bench)
#              TEEMAP_BENCH_JXSL13  a checkout of github.com/jxsl13/twmap, for when Go's proxy does not serve it
# Peers: map_resave and map_diff (Debian's ddnet-tools), twmap-edit (twmap-tools of crates.io), jxsl13's twmap (Go), and for drawing
# twgpu-map-photography (twgpu-tools of crates.io) on Mesa's Vulkan driver for the processor.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
build=${TEEMAP_BUILD:-$root/build/bench}
shared=${TEEMAP_SHARED:-$root/../shared}
cache=${TEEMAP_BENCH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/teemap-bench}
peers=1
options=()

# shellcheck source=tests/support/games.sh
. "$root/tests/support/games.sh"

skip() { printf 'bench: without %s: %s\n' "$1" "$2" >&2; }

find_ddnet_tool() { # NAME
    games_tool "$1" || true
}

find_crate() { # CRATE VERSION PROGRAM
    local program=$cache/cargo/bin/$3 log=$cache/$1.log
    if [ ! -x "$program" ]; then
        command -v cargo >/dev/null || { skip "$1" 'no cargo here'; return; }
        mkdir -p "$cache"
        echo "bench: building $1, once; this takes minutes" >&2
        nice cargo install "$1" --version "$2" --bin "$3" --locked -j 1 --root "$cache/cargo" >"$log" 2>&1 ||
            { skip "$1" "cargo could not install it, see $log"; return; }
    fi
    echo "$program"
}

# What tells the Vulkan loader of the driver that needs no graphics card.
find_vulkan() {
    compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' | head -n 1 || true
}

# The peer's module, from Go's proxy or from the checkout that TEEMAP_BENCH_JXSL13 names.
go_module() {
    if [ -n "${TEEMAP_BENCH_JXSL13:-}" ]; then
        go mod edit -require github.com/jxsl13/twmap@v0.0.0 -replace "github.com/jxsl13/twmap=$TEEMAP_BENCH_JXSL13"
    else
        go get github.com/jxsl13/twmap@427625694c25
    fi && go mod tidy && go build -o "$cache/peer_jxsl13" .
}

find_go_peer() {
    local program=$cache/peer_jxsl13
    if [ ! -x "$program" ] || [ "$here/peer_jxsl13.go" -nt "$program" ]; then
        command -v go >/dev/null || { skip 'jxsl13 twmap' 'no go here'; return; }
        rm -rf "$cache/go"
        mkdir -p "$cache/go"
        cp "$here/peer_jxsl13.go" "$cache/go/main.go"
        (cd "$cache/go" && go mod init teemap-bench-peer && go_module) >"$cache/go.log" 2>&1 ||
            { skip 'jxsl13 twmap' "$(grep -m 1 'jxsl13' "$cache/go.log" | cut -c 1-160)"; return; }
    fi
    echo "$program"
}

add_peer() { # OPTION PROGRAM NAME-AND-REASON
    if [ -n "$2" ]; then options+=("$1" "$2"); elif [ -n "${3:-}" ]; then skip "$3" 'not installed'; fi
}

arguments=()
for argument in "$@"; do
    if [ "$argument" = --no-peers ]; then peers=0; else arguments+=("$argument"); fi
done
for program in teemap bench/bench_teemap bench/floor_head bench/bench_child; do
    [ -x "$build/$program" ] || { echo "bench: no $build/$program: use ./run bench" >&2; exit 2; }
done
if [ $peers = 1 ]; then
    add_peer --map-resave "$(find_ddnet_tool map_resave)" 'map_resave (ddnet-tools)'
    add_peer --map-diff "$(find_ddnet_tool map_diff)" 'map_diff (ddnet-tools)'
    add_peer --twmap-edit "$(find_crate twmap-tools 0.5.3 twmap-edit)"
    add_peer --go-peer "$(find_go_peer)"
    vulkan=$(find_vulkan)
    if [ -n "$vulkan" ]; then
        options+=(--vulkan "$vulkan")
        add_peer --twgpu "$(find_crate twgpu-tools 0.5.1 twgpu-map-photography)"
    else
        skip twgpu-tools 'no software Vulkan here (mesa-vulkan-drivers)'
    fi
fi
maps=$shared/corpus
[ -d "$maps" ] || maps=$(games_file ddnet maps) || true
[ -d "$maps" ] || { echo "bench: no maps: neither $shared/corpus nor ddnet-data" >&2; exit 2; }
mapres=$(games_file ddnet mapres) || true
[ -z "$mapres" ] || options+=(--mapres "$mapres")
exec python3 -B "$here/table.py" --build "$build" "${options[@]+"${options[@]}"}" \
    "${arguments[@]+"${arguments[@]}"}" "$maps"
