# SPDX-License-Identifier: Zlib
# shellcheck shell=bash disable=SC2154
# A new Debian where nothing is installed, for scripts that try things there; source it.
#
#   make_root FOLDER    debootstrap, with the machine's archive, its settings of apt and its certificates; sets `root`
#   inside COMMAND      in /work/teemap of the root
#
# Set before: `release`, Debian's name of it (bookworm, trixie); `shared`, a folder that stands read only in /work/shared
# where it is there; and `die` and `say`.
certificates=/etc/ssl/machine.crt # of the machine; Debian's package ca-certificates writes its own over the usual file

# inside COMMAND: as the first user of the root, with its own /proc and the machine's devices, all gone when the command ends.
inside() {
    unshare --mount --propagation private bash -euc '
        root=$1 shared=$2 certificates=$4
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        [ -c "$root/dev/pts/ptmx" ] || mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
        if [ -d "$shared" ]; then mount --bind "$shared" "$root/work/shared" && mount -o remount,bind,ro "$root/work/shared"; fi
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            ${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} ${TEEMAP_JOBS+"TEEMAP_JOBS=$TEEMAP_JOBS"} \
            ${PIP_CERT+"PIP_CERT=$certificates"} ${NODE_EXTRA_CA_CERTS+"NODE_EXTRA_CA_CERTS=$certificates"} \
            bash -c "cd /work/teemap && $3"
    ' bash "$root" "$shared" "$1" $certificates
}

make_root() {
    local folder=$1 archive part
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
    if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root$certificates"
    fi
}
