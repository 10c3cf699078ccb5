#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `./run demo` and `./run test --all` of HEAD in a new Debian 12 where nothing is installed, as a newcomer meets them.
#
#   fresh.sh [FOLDER]   FOLDER (default build/fresh) becomes the root; one that an earlier run made is replaced
#
# The machine gives its archive, its settings of apt and its shared data (TEEMAP_SHARED, read only). Ends with 1 when a
# command fails, a package is missing, or a test is skipped: Debian has what each of them needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/fresh}
shared=$(realpath -m "${TEEMAP_SHARED:-../shared}")

die() { printf 'fresh: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== %s\n' "$*" >&2; }

. tools/bare_root.sh
make_root "$folder"
git archive HEAD | tar -x -C "$root/work/teemap"
[ -z "$(git status --porcelain --untracked-files=no)" ] || say "what is not committed is left out"

status=0
for task in demo 'test --all'; do
    say "./run $task"
    inside "./run $task" 2>&1 | tee "$root.${task%% *}.log" || status=1
done
if [ -n "$(ls -A "$root/work/teemap/build/wanted")" ]; then
    printf 'fresh: could not be installed: %s\n' "$(cd "$root/work/teemap/build/wanted" && echo *)"
    status=1
fi
if [ ! -d "$shared" ]; then
    echo "fresh: without $shared tests of real maps are skipped, and skipped tests are no error"
elif grep '^skipped' "$root.test.log" >"$root.skipped"; then
    echo "fresh: skipped, although Debian has what is needed:"
    cat "$root.skipped"
    status=1
fi
[ $status != 0 ] || echo "fresh: both commands work on a bare Debian $release"
exit $status
