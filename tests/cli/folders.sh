#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every command that writes a folder, in every state that the folder may be in: with links and pipes at the places of files
# and folders, on a full disk, killed, and for the second time.
# test-labels: threads
# test-timeout: 300
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

built examples/example_landscape m.map || fail "example_landscape"
run 0 edit m.map -o n.map fill game@3,3+2x2 death
run 0 edit m.map -o k.map fill game@3,3+2x2 freeze

# Each command, and a file that it writes below the folder, which @ stands for.
commands=(
    'thumbnail m.map -t @|m.png'
    'render m.map -t @|m.png'
    'animate m.map --fps 2 --duration 1000 -s 64x48 --format png -t @|m-00001.png'
    'copy m.map -t @|m.map'
    'convert --to teeworlds07 m.map -t @|m.map'
    'optimize m.map -t @|m.map'
    'edit m.map -t @ set info.author=somebody|m.map'
    'gallery --no-animations m.map -t @|index.html'
    'tiles --scale 8 m.map -t @|tiles/0/3/0_0.png'
    'tiles --scale 8 --pack m.map -t @|tiles.bin'
    'extract m.map -t @|m/images/'
    'unpack m.map @|map.json'
    'lint --page @ m.map|index.html'
    'find game/solid m.map --pictures @|m/'
    'diff --page @ m.map n.map|index.html'
    'merge m.map n.map k.map --page @|index.html'
)

# written WORDS FOLDER: runs a command into a folder; $status is its status.
written() {
    local words=${1//@/$2}
    status=0
    # shellcheck disable=SC2086 # words
    teemap $words >out 2>err </dev/null || status=$?
    if grep -qE 'Sanitizer|runtime error' err; then cat err; fail "teemap $words: sanitizer"; fi
}

# The first file below a folder that a command wrote there in the run before, whose name begins with a text.
first_file() { (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | grep -m 1 "^$2"); }

for row in "${commands[@]}"; do
    words=${row%|*} name=${row#*|}
    rm -rf site
    [[ $words != unpack* ]] || mkdir site
    written "$words" site
    [ "$status" -le 1 ] || { cat err; fail "$words: status $status"; }
    name=$(first_file site "$name")
    [ -n "$name" ] || { find site; fail "$words: ${row#*|} is not there"; }
    top=${name%%/*}
    no_litter

    # What a killed run has left goes; a file that somebody is writing stays, and so does what only looks like one.
    leftover=$(dirname "site/$name")/.teemap-0123456789abcdef.tmp
    held_file=$(dirname "site/$name")/.teemap-fedcba9876543210.tmp
    if on_posix; then
        echo half >"$leftover"
        echo half >"$held_file"
        echo own >"$(dirname "site/$name")/.teemap-0123456789abcde.tmp"
        exec 4<"$held_file"
        python3 -c 'import fcntl; fcntl.flock(4, fcntl.LOCK_EX)'
        rm "site/$name"
        written "$words" site
        exec 4<&-
        # An extraction, and a folder that is unpacked to, are never written into twice.
        if [ "$status" -le 1 ]; then
            [ ! -e "$leftover" ] || fail "$words: $leftover is still there"
            [ -e "$held_file" ] || fail "$words: $held_file was removed, though somebody has its lock"
            [ -e "$(dirname "site/$name")/.teemap-0123456789abcde.tmp" ] || fail "$words: another file was removed"
            [ -s "site/$name" ] || fail "$words: $name was not made again"
        fi
    fi

    on_posix || continue
    # A link at the place of a file: its target stays as it is, and the command says so, or puts a file in place of the link.
    rm -rf site
    mkdir -p "$(dirname "site/$name")"
    echo precious >target
    ln -s "$PWD/target" "site/$name"
    written "$words" site
    is target precious
    [ "$status" != 0 ] || [ ! -L "site/$name" ] || fail "$words: status 0 with a link at $name"
    # A link at the place of a folder.
    if [ "$top" != "$name" ]; then
        rm -rf site elsewhere
        mkdir site elsewhere
        ln -s "$PWD/elsewhere" "site/$top"
        written "$words" site
        [ -z "$(ls -A elsewhere)" ] || { find elsewhere; fail "$words: written through the link at $top"; }
        [ "$status" != 0 ] || [ ! -L "site/$top" ] || fail "$words: status 0 with a link at $top"
    fi
    # A pipe at the place of a file: nobody reads it, so who opened it would wait for ever.
    rm -rf site
    mkdir -p "$(dirname "site/$name")"
    mkfifo "site/$name"
    words_in_time() { timeout 20 "${emulator[@]}" "$TEEMAP" "$@" >out 2>err </dev/null; }
    status=0
    # shellcheck disable=SC2086 # words
    words_in_time ${words//@/site} || status=$?
    [ "$status" != 124 ] || fail "$words: waits for a reader of the pipe at $name"
    [ "$status" != 0 ] || [ ! -p "site/$name" ] || fail "$words: status 0 with a pipe at $name"
    # The folder itself may be a link, as the user named it.
    rm -rf site elsewhere
    mkdir elsewhere
    ln -s elsewhere site
    written "$words" site
    [ "$status" -le 1 ] && [ -e "elsewhere/$name" ] || { cat err; fail "$words: a folder that is a link"; }
    rm -rf site elsewhere
done
no_litter

# A full disk: nothing half, nothing empty, nothing left, and status 2.
disk=$PWD/disk
mkdir disk
if on_posix && mount -t tmpfs -o size=16k tmpfs "$disk" 2>/dev/null; then
    trap 'umount "$disk"; chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
    for row in "${commands[@]}"; do
        words=${row%|*}
        [[ $words != unpack* ]] || mkdir disk/site
        written "$words" disk/site
        used=$(du -sk disk | cut -f 1)
        [ "$status" != 0 ] || [ "$used" -lt 16 ] || [ -n "$(find disk -type f)" ] || fail "$words: status 0 on a full disk"
        if [ "$status" = 2 ]; then says err 'No space left'; fi
        [ -z "$(find disk -name '.teemap-*')" ] || fail "$words: a temporary file on a full disk"
        [ -z "$(find disk -type f -size 0)" ] || { find disk -size 0; fail "$words: an empty file on a full disk"; }
        find disk -name '*.png' | while read -r picture; do
            tail -c 8 "$picture" | head -c 4 | grep -qF IEND || fail "$words: half of $picture"
        done || exit 1
        rm -rf disk/site
    done
else
    echo 'skipped: no small file system can be mounted here'
fi

# Killed at some moment, and once more: each picture is whole at any time, and the second run leaves nothing of the first.
if on_posix && [ -z "${emulator[*]}" ]; then
    for row in 'tiles --scale 16 m.map -t @' 'gallery m.map n.map -t @' 'copy m.map n.map -t @' 'render m.map n.map -t @'; do
        for moment in 0.02 0.05 0.1 0.2; do
            rm -rf site
            # shellcheck disable=SC2086 # words
            "$TEEMAP" ${row//@/site} >out 2>err </dev/null &
            child=$!
            sleep $moment
            kill -9 $child 2>/dev/null
            wait $child 2>/dev/null
            [ ! -d site ] || find site -name '*.png' ! -name '.*' | while read -r picture; do
                tail -c 8 "$picture" | head -c 4 | grep -qF IEND || fail "$row: half of $picture"
            done || exit 1
            written "$row" site
            [ "$status" = 0 ] || { cat err; fail "$row: status $status after a killed run"; }
            [ -z "$(find site -name '.teemap-*')" ] || { find site -name '.teemap-*'; fail "$row: the next run left a file of the killed one"; }
        done
    done
fi
