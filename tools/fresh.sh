#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `./run demo` and `./run test --all` of HEAD in a new Debian where nothing is installed, as a newcomer meets them.
#
#   fresh.sh [--quick] [RELEASE...] [FOLDER]
#
#   --quick   `./run test` in place of `./run test --all`
#   RELEASE   bookworm (Debian 12, the default) or trixie (Debian 13); one after the other where several are named
#   FOLDER    FOLDER/RELEASE (default build/fresh/RELEASE) becomes the root; one that an earlier run made is replaced
#
# The machine gives its archive, its settings of apt and its shared data (TEEMAP_SHARED, read only). Ends with 1 when a
# command fails, a package is missing, or a test is skipped: Debian has what each of them needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() { printf 'fresh: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== %s\n' "$*" >&2; }

folder='' test='test --all' releases=()
for word in "$@"; do
    case $word in
        --quick) test=test ;;
        bookworm | trixie) releases+=("$word") ;;
        -*) die "there is no option '$word'; see the head of tools/fresh.sh" ;;
        *)
            [ -z "$folder" ] || die "'$folder' and '$word': one folder is enough (releases: bookworm, trixie)"
            folder=$word
            ;;
    esac
done
folder=${folder:-build/fresh}
[ ${#releases[@]} -gt 0 ] || releases=(bookworm)
shared=$(realpath -m "${TEEMAP_SHARED:-../shared}")

. tools/bare_root.sh
[ -z "$(git status --porcelain --untracked-files=no)" ] || say "what is not committed is left out"

try_release() { # try_release RELEASE: both commands in a root of its own; false when one of them does not hold
    local status=0 task
    release=$1
    make_root "$folder/$release"
    git archive HEAD | tar -x -C "$root/work/teemap" || die "the tree cannot be copied"
    for task in demo "$test"; do
        say "$release: ./run $task"
        inside "./run $task" 2>&1 | tee "$root.${task%% *}.log" || status=1
    done
    if [ -n "$(ls -A "$root/work/teemap/build/wanted")" ]; then
        printf 'fresh: %s: could not be installed: %s\n' "$release" "$(cd "$root/work/teemap/build/wanted" && echo *)"
        status=1
    fi
    if [ ! -d "$shared" ]; then
        echo "fresh: without $shared tests of real maps are skipped, and skipped tests are no error"
    elif grep '^skipped' "$root.test.log" >"$root.skipped"; then
        echo "fresh: $release: skipped, although Debian has what is needed:"
        cat "$root.skipped"
        status=1
    fi
    [ $status != 0 ] || echo "fresh: both commands work on a bare Debian $release"
    return $status
}

status=0
for release in "${releases[@]}"; do
    try_release "$release" || status=1
done
exit $status
