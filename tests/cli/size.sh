#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap size: tables that add up to the file, JSON, the picture, and what is refused.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 new -s 40x20 small.map
size=$(stat -c %s rich.map)

run 0 size rich.map
says out "rich.map: $size bytes, " 'head: header and tables of the file' 'physics: tiles of physics layers' 'more; -v lists all'
empty err
run 0 size -v rich.map
[ "$(awk '/ object$/ {seen = 1; next} seen {sum += $1} END {print sum}' out)" = "$size" ] || fail "objects: $(cat out)"
! grep -q 'lists all' out || fail '-v does not list all'

run 0 size --json rich.map small.map
python3 - out "$size" <<'EOF' || fail "JSON"
import json, sys
rich, small = [json.loads(line) for line in open(sys.argv[1])]
assert rich['file_size'] == int(sys.argv[2]) and rich['path'] == 'rich.map'
for one in rich, small:
    for part in 'kinds', 'objects':
        assert sum(row['packed'] for row in one[part]) == one['file_size'], part
        assert sum(row['unpacked'] for row in one[part]) == one['unpacked_size'], part
    sizes = [row['packed'] for row in one['objects']]
    assert sizes == sorted(sizes, reverse=True)
assert any(row['address'] == 'image/1' for row in rich['objects'])
EOF

# Several maps have a sum.
run 0 size rich.map small.map
says out "2 maps: $((size + $(stat -c %s small.map))) bytes"

# The picture.
run 0 size rich.map --picture size.png -s 300x200
says out 'rich.map: '
[ "$(head -c 8 size.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail 'size.png is no PNG'
cp size.png before.png
run 0 size rich.map --picture - --size 300x200
same out before.png
run 2 size rich.map --picture size.jpg # used to be a PNG
says err 'size.jpg' '.png, .webp'
[ ! -e size.jpg ] || fail 'a picture of no format was written'
run 0 size rich.map --picture size.rgba -s 300x200
[ "$(stat -c %s size.rgba)" = 240000 ] || fail 'raw pixels are not 4 bytes each'
run 2 size rich.map small.map --picture both.png
says err '--picture draws a single map'
[ ! -e both.png ] || fail 'both.png was written'
run 2 size rich.map --picture - --json
says err 'standard output cannot take both'
run 2 size rich.map --picture size.png -s 10x10
says err '16'
run 2 size nobody.map
says err 'nobody.map'
run 2 size --json nobody.map rich.map
says out '"error"'
