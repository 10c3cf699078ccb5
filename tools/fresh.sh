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
release=bookworm
shared=$(realpath -m "${TEEMAP_SHARED:-../shared}")

die() { printf 'fresh: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== %s\n' "$*" >&2; }

# inside COMMAND: as the first user of the root, with its own /proc and the machine's devices, all gone when the command ends.
inside() {
    unshare --mount --propagation private bash -euc '
        root=$1 shared=$2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        [ -c "$root/dev/pts/ptmx" ] || mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
        if [ -d "$shared" ]; then mount --bind "$shared" "$root/work/shared" && mount -o remount,bind,ro "$root/work/shared"; fi
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            ${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} ${TEEMAP_JOBS+"TEEMAP_JOBS=$TEEMAP_JOBS"} \
            bash -c "cd /work/teemap && $3"
    ' bash "$root" "$shared" "$1"
}

command -v debootstrap >/dev/null || die "needs debootstrap (Debian, Ubuntu, Fedora, Arch: the package debootstrap)"
[ "$(id -u)" = 0 ] || die "needs root: a new root holds devices and other users' files"
if [ -e "$folder" ] && [ ! -e "$folder/made-by-teemap" ] && [ -n "$(ls -A "$folder")" ]; then
    die "$folder: is in use and was not made by this task; name another folder"
fi
rm -rf --one-file-system "$folder"
mkdir -p "$folder"
: >"$folder/made-by-teemap"
root=$(realpath "$folder")

# The machine's own archive where it is Debian's, so that a mirror or an account goes on to hold.
# shellcheck disable=SC2016 # apt's own variables
archive=$(apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI)' 2>/dev/null |
    awk '$1 == "Packages" && $2 == "Debian" && $3 !~ /-/ && $4 == "main" { print $5; exit }')
archive=${archive:-http://deb.debian.org/debian}
say "Debian $release from $archive in $folder"
debootstrap --variant=minbase "$release" "$root" "$archive" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; die "debootstrap failed"; }
for part in apt.conf apt.conf.d auth.conf auth.conf.d trusted.gpg trusted.gpg.d; do
    if [ -e "/etc/apt/$part" ]; then cp -R "/etc/apt/$part" "$root/etc/apt/"; fi
done
mkdir -p "$root/work/teemap" "$root/work/shared" "$root/etc/ssl/certs"
cp /etc/hosts "$root/etc/hosts"
case $archive in https:*) cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" ;; esac
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
