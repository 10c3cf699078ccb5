#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap info`: what it says about a known map, many files, broken files, hashes, memory.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 info rich.map
cp out rich.txt
empty err
says out 'game       ddnet' 'size       4 x 3 tiles' 'author     Änne' 'version    1.2' 'license    CC0' 'sv_team 1' \
    'images     3 (1 external, 2 embedded)' 'sounds     1 with 2 sources' 'envelopes  3 with 4 points' 'groups     3' \
    'layers     11 (1 tiles, 1 game, 1 tele' 'datafile version 4, 30 items' \
    'automapper, bezier, clipping, detail, embedded-images, envelopes, external-images, front, old-sounds, quads, rgb-images'
says_not out "group 0, layer 2"
! grep -n ' $' out || fail "spaces at the end of a line"
run 0 info -v rich.map
says out "0      group       'Back'     3 layers, parallax 50,100, offset 5,-6" \
    "0/1  tiles       'Deco'     4x3 tiles, image/0 'grass_main', color #ffc864ff, automapper 3, detail" \
    "layer type 77 is unknown [unknown-layer]"
run 0 info --json rich.map
json out "o['info'] == {'author': 'Änne', 'version': '1.2', 'credits': None, 'license': 'CC0'} and len(o['settings']) == 3 and
    o['counts']['layer_kinds']['old-sounds'] == 1 and o['datafile']['data'] == 26 and 'groups' not in o"

# The hashes are those of everybody else.
run 0 info --hash --json rich.map
json out "o['sha256'] == __import__('hashlib').sha256(open('rich.map', 'rb').read()).hexdigest() and
    o['crc32'] == '%08x' % __import__('zlib').crc32(open('rich.map', 'rb').read())"
cat out >hash.json
teemap info --hash --json - <rich.map >piped.json || fail "standard input"
json piped.json "o['path'] == '-' and o['sha256'] == json.load(open('hash.json'))['sha256']"

# Names that are made to deceive stay text.
make_map --hostile hostile.map
run 0 info -v hostile.map
says out 'author     \x1b[31mred\xff' "group       '\\x1b]0;x\\x07'"
cat out err >all
! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' all || fail "a control character came through"
run 0 info --json hostile.map
json out "o['info']['author'] == '\x1b[31mred?' and o['info']['author_bytes'] == '1b5b33316d726564ff'"

# Many files: in the order of the command line whatever the threads, a bad one hinders no other, the end tells.
mkdir -p maps/sub
for i in 1 2 3 4 5 6 7 8 9; do teemap new -s 1${i}x10 maps/$i.map; done
cp rich.map maps/sub/x.MAP
echo hello >maps/readme.txt
for threads in 1 3 8; do
    run 0 info -j $threads -r --json maps
    [ "$(grep -o '"path":"[^"]*"' out | tr '\n' ' ')" = \
        "$(printf '"path":"maps/%s" ' 1.map 2.map 3.map 4.map 5.map 6.map 7.map 8.map 9.map sub/x.MAP)" ] || fail "order with $threads threads"
    cp out threads.$threads
done
same threads.1 threads.3
same threads.1 threads.8
run 2 info maps
says err "maps: is a folder; -r processes the maps in it"
head -c 50 rich.map >cut.map
run 2 info missing.map rich.map maps/readme.txt cut.map
says err "teemap: missing.map: cannot open: No such file or directory" "teemap: maps/readme.txt: " "teemap: cut.map: "
lines err 3
same out rich.txt
mkdir none
run 2 info -r none
says err "no *.map file"

# A flat row for each map, also for one that cannot be read, and for one that is damaged.
head -c -300 rich.map >damaged.map
run 2 info --facts rich.map cut.map damaged.map
cp out facts.jsonl
run 2 info --csv rich.map cut.map damaged.map
python3 - "$TEEMAP_SOURCE" <<'PYTHON' || fail '--facts and --csv'
import csv, hashlib, json, re, sys
with open('facts.jsonl') as file:
    rows = [json.loads(line) for line in file]
with open('out', newline='') as file:
    table = list(csv.DictReader(file))
assert len(rows) == len(table) == 3
rich, cut, damaged = rows
with open('rich.map', 'rb') as file:
    assert rich['sha256'] == hashlib.sha256(file.read()).hexdigest()
assert rich['width'] == 4 and rich['tiles_teleporter'] == 12 and rich['layers_tele'] == 1 and rich['teleporters'] == 1
assert rich['settings'] == ['sv_team 1', '', 'mapbug grenade-doubleexplosion@ddnet.tw'] and rich['damaged'] == 0
assert rich['image_names'] == ['grass_main', 'pic', 'rgb'] and not rich['image_sha256'][0] and len(rich['image_sha256'][1]) == 64
assert rich['error'] is None and 'ends inside its head' in cut['error'] and cut['width'] is None and cut['file_size'] == 50
assert damaged['damaged'] > 0 and damaged['errors'] == 1
for row, cells in zip(rows, table):
    assert list(row) == list(cells)
    for name, value in row.items():
        text = '' if value is None else ';'.join(value) if isinstance(value, list) else str(value)
        assert cells[name] == text, (name, value, cells[name])
with open(sys.argv[1] + '/docs/facts.md') as file:
    assert re.findall(r'^\| `(.*?)` \|', file.read(), re.M) == list(rich)
PYTHON

# What steers a terminal went through to CSV as it was.
run 2 info --csv "$(printf '\033[31m')"
says out '\x1b[31m,'

# Peak memory stays within 16 MiB over the file's size, also when the map unpacks to hundreds of megabytes.
if corpus && [ -z "${TEEMAP_SANITIZE:-}" ] && [ -z "${TEEMAP_EMULATOR:-}" ]; then
    big=$TEEMAP_SHARED/corpus/$(sort -t "$(printf '\t')" -k7,7nr "$TEEMAP_SHARED/corpus/MANIFEST.tsv" | head -n 1 | cut -f1)
    for arguments in "info --hash" "info -v" "info --json -v"; do
        # A process is charged with what it was before: Python's own memory is the least that this can tell.
        peak=$(python3 - "$TEEMAP" "$big" "$arguments" <<'PYTHON'
import os, subprocess, sys
program, path, arguments = sys.argv[1:]
child = subprocess.Popen([program, *arguments.split(), path], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss * 1024 - os.path.getsize(path) if status == 0 else 1 << 40)
PYTHON
        )
        echo "$arguments $big: at most $((peak / 1024)) KiB over the file's size"
        [ "$peak" -le $((16 << 20)) ] || fail "memory"
    done
fi
