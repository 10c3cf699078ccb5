#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Files that are no maps of today, and folders of files whose names do not say what they are.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
run 0 new fine.map
make_map rich.map

# "not a datafile: starts with 3c 21 44 4f" told nobody that a server had sent its error page.
looks() { # TEXT BYTES
    printf '%b' "$2" >odd.map
    run 2 check odd.map
    says out "odd.map: error: not a map file: $1 [bad-magic]"
    run 2 info odd.map
    says err "not a map file: $1"
}
looks 'it looks like a web page' '<!DOCTYPE html><html></html>'
looks 'it looks like a web page' '<!DOCTYPE html><html><head><title>404 Not Found</title></head></html>'
looks 'it looks like a PNG picture' '\x89PNG\r\n\x1a\n'
looks 'it looks like a zip archive; take the map out of it' 'PK\x03\x04'
looks 'it looks like a gzip archive; unpack it first' '\x1f\x8b\x08\x00'
looks 'it looks like a demo of Teeworlds or DDNet' 'TWDEMO\x00\x05'
looks 'it looks like a pointer of Git LFS; the file itself was not fetched' 'version https://git-lfs.github.com/spec/v1\n'
looks 'it looks like a tar archive, such as a map of ddnet-rs (.twmap.tar), which is another format' "$(printf 'a%.0s' {1..257})ustar"
looks 'it begins with the bytes 61 61 61 61, not with DATA' "$(printf 'a%.0s' {1..257})usta"
looks 'it begins with the bytes 68 65 6c 6c, not with DATA' 'hello\n'
: >odd.map
run 2 check odd.map
says out 'odd.map: error: not a map file: the file is empty [head-cut]'
# It was told twice, in other words.
run 2 copy -m salvage odd.map saved.map
is err 'teemap: odd.map: not a map file: the file is empty (at byte 0)'
printf DATA >odd.map
run 2 check odd.map
says out 'the file ends inside its header: 4 of 36 bytes are there'

# Maps from before 2008 were said to be of ddnet, whose clients do not load them.
python3 - <<'PYTHON'
import struct
item = struct.pack('<Iii', 0x8002 << 16, 4, 0)
head = struct.pack('<3i', 0x8002, 0, 1) + struct.pack('<i', 0)
total = 36 + len(head) + len(item)
with open('old.map', 'wb') as file:
    file.write(struct.pack('<4s8i', b'DATA', 4, total - 16, total - 16, 1, 1, 0, len(item), 0) + head + item)
PYTHON
run 1 info old.map
says out 'none: a map from before 2008'
says_not out ddnet
run 1 info --json old.map
json out "o['game'] is None"
run 0 info --json fine.map
json out "o['game'] == 'ddnet'"

# A check of many maps ends with a sum, on standard error; it used to say nothing of those that are fine.
datafile break no-game fine.map no-game.map
mkdir many
cp fine.map rich.map no-game.map many
run 1 check -r many
says err 'teemap: 3 maps: 2 fine, 0 with warnings, 1 with errors'
lines out 1
run 2 check -r many missing.map
says err 'teemap: 4 maps: 2 fine, 0 with warnings, 1 with errors, 1 not readable'
for options in -q --json; do
    run 1 check $options -r many
    empty err
done
run 0 check fine.map rich.map
empty err

# Files named by their hashes were not found by -r, and nothing said what to do.
mkdir hashes
cp fine.map hashes/0f3a
cp rich.map hashes/77b1
echo text >hashes/README
: >hashes/empty
run 2 check -r hashes
says err 'there is no *.map file in this folder; --all processes files of any name'
run 0 check -v -r --all hashes
says out 'hashes/0f3a: fine' 'hashes/77b1: '
says_not out README empty
rm hashes/0f3a hashes/77b1
run 2 check -r --all hashes
says err 'no file in this folder begins as a map does'
run 1 copy -r --all -t copies many
[ "$(ls copies | tr '\n' ' ')" = 'fine.map no-game.map rich.map ' ] || fail 'copies'
