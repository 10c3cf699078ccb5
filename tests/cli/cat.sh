#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap cat`: the known objects of a known map, byte for byte.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map

# Texts.
run 0 cat rich.map settings
printf 'sv_team 1\n\nmapbug grenade-doubleexplosion@ddnet.tw\n' | cmp - out || fail settings
run 0 cat rich.map info
is out "$(printf 'author: "Änne"\nversion: "1.2"\ncredits: none\nlicense: "CC0"')"
run 0 cat rich.map 2
is out "$(printf 'name: "Noise"\noffset: 5 -6\nparallax: 50 100\nuse_clipping: true\nclip: 1 2 3 4\nnum_layers: 2')"

# Tiles: each kind, each field.
run 0 cat rich.map Game/Game
is out "$(printf '  0   1   2   3\n192 193   0 255\n  1   1   1   1')"
tiles() { # ADDRESS FIELD VALUE
    run 0 cat --field "$2" rich.map "$1"
    [ "$(tr -s ' ' '\n' <out | sed '/^$/d' | sort | uniq -c | awk '{print $1, $2}')" = "12 $3" ] || fail "$1 $2: $(cat out)"
}
tiles 0/1 index 7
tiles 0/1 flags 9
tiles 1/1 number 5
tiles 1/1 type 26
tiles 1/2 force 10
tiles 1/2 max_speed 20
tiles 1/2 type 28
tiles 1/2 angle -90
tiles 1/3 index 3
tiles 1/4 number 1
tiles 1/4 delay 9
tiles 1/5 type 68
# Help and completion offer each field that tiles have.
run 0 cat --help
for field in $(built tests/print_tables field-keys | awk -F '\t' '$1 ~ /tile$/ { print $2 }'); do
    says out " $field"
done
run 2 cat --field delay rich.map 1/5
says err 'they have number type'
run 0 cat --json rich.map 1/2
json out "o['tiles'] == ['10/20/28/0/-90*4'] * 3 and o['name'] == 'Speedup'"
run 0 cat --json rich.map 1/4
json out "o['tiles'][2] == '1/22y/9*4'"

# Quads, sources, envelopes.
run 0 cat rich.map 0/0
says out '-1,-1' '#0a141e28' '1,1' '250' 'envelope/'
lines out 2
run 0 cat --json rich.map 0/0
json out "len(o['quads']) == 1 and o['quads'][0]['points'][4] == '0,0' and o['quads'][0]['color_envelope'] == 'envelope/fade' and
    o['quads'][0]['color_offset'] == -250 and o['quads'][0]['texture'][2] == '0,1' and o['image'] == 'image/pic'"
run 0 cat --json rich.map 2/0
json out "o['sources'] == [{'x': 32, 'y': 64, 'loop': 1, 'pan': 1, 'delay': 3, 'falloff': 128, 'sound_envelope': 'envelope/vol',
    'sound_offset': 10, 'shape': 'circle', 'radius': 500}]"
run 0 cat rich.map 2/0 # of a circle the radius, which once was divided by 1024
grep -Eq ' circle +500( |$)' out || fail 'the radius of a circle'
says out 'width/radius'
run 0 cat rich.map 2/1
grep -Eq ' 500( |$)' out || fail 'the radius of an old sound source'
run 0 cat --json rich.map 2/1
json out "o['sources'][0]['radius'] == 500 and o['kind'] == 'old-sounds'"
run 0 cat rich.map envelope/move
says out 'TIME MS' 'ROTATION' ' 90' 'bezier'
lines out 3
run 0 cat --json rich.map envelope/0
json out "[p['curve'] for p in o['points']] == ['bezier', 'linear'] and o['points'][0]['values'] == [1, 0, 90] and
    o['points'][0]['out_dx'] == [100, 0, 0] and o['points'][0]['out_dy'] == [0.195, 0, 0] and o['points'][1]['in_dy'] == [-0.195, 0, 0]"

# One form: what ls and a patch have of an object, cat has too. ls used to print colors and references in another form, patches all as texts.
run 0 ls --json rich.map
cp out ls.json
run 0 new empty.map
run 1 diff empty.map rich.map -o change.json
for address in 0/0 0/1 1/1 2/0 2/1 image/0 envelope/0; do
    run 0 cat --json rich.map $address
    cp out "one-${address/\//-}.json"
done
python3 - <<'PYTHON' || fail 'an object has two forms'
import glob, json, re
load = lambda name: json.load(open(name))
whole, changes = load('ls.json'), load('change.json')['changes']
listed = {o['address']: o for o in whole['images'] + whole['envelopes'] + [layer for group in whole['groups'] for layer in group['layers']]}
added = [change['is'] for change in changes if change['change'] == 'object' and change['is']]
number = lambda o: json.loads(re.sub(r'"(image|sound|envelope)/[^"]*"', r'"\1/"', json.dumps(o)))
for path in glob.glob('one-*.json'):
    own, told = number(load(path)), number(listed[path[4:-5].replace('-', '/')])
    same = [key for key in own if key in told]
    assert len(same) >= 3 and all(own[key] == told[key] for key in same), (path, own, told)
    own = {key: own[key] for key in own if key not in ('tiles', 'compat', 'pixels', 'data')}
    assert any(all(number(o).get(key) == own[key] for key in own) for o in added), (path, own)
PYTHON

# Pictures, sounds, bytes.
pixels() { # FILE: size, then the RGBA bytes of a PNG as hexadecimal digits, by a reader of our own
    PYTHONPATH=$TEEMAP_SOURCE/tests/support python3 -c 'import pngfile, sys; w, h, p = pngfile.read(sys.argv[1]); print(w, h, p.hex())' "$1"
}
run 0 cat rich.map image/pic
pixels out >shown
is shown '2 2 ff0000ff00ff00ff0000ff8000000000'
run 0 cat rich.map image/1 -o picture.png
empty out
same picture.png <(teemap cat rich.map image/1)
run 0 cat rich.map image/rgb
pixels out >shown
is shown '2 1 010203ff040506ff'
run 2 cat rich.map image/0
says err 'mapres'
run 0 cat rich.map sound/0
printf 'OggS not really' | cmp - out || fail sound
run 0 cat rich.map data/0
printf 'Änne\0' | cmp - out || fail data
run 0 cat rich.map item/0
printf '\1\0\0\0' | cmp - out || fail item
run 0 cat --json rich.map item/0
json out "o['ints'] == [1] and o['type'] == 0 and o['name'] == 'version'"
run 2 cat rich.map 0/2
says err 'no game knows'
run 0 cat --json rich.map 0/2
run 2 cat rich.map image
says err 'more than one object'
run 2 cat rich.map ''
says err 'more than one object'
run 2 cat rich.map 9
run 2 cat rich.map item/30
says err 'the file has 30'

# Broken blocks: an error, not nonsense; with salvage what is there.
run 0 ls --raw --json rich.map data/9
offset=$(sed 's/.*"offset":\([0-9]*\).*/\1/' out)
cp rich.map broken.map
printf '\377\377\377' | dd of=broken.map bs=1 seek=$((offset + 2)) conv=notrunc 2>/dev/null
run 2 cat broken.map data/9
empty out
run 0 cat -m salvage broken.map data/9
says err 'broken'
run 0 cat --json broken.map data/9
json out "o['state'] == 'broken'"

# A file appears only when it is complete, and never half.
cp rich.map kept.png
run 2 cat rich.map image/0 -o kept.png
same rich.map kept.png
run 2 cat rich.map 1/0 -o missing/folder.txt
says err 'teemap: missing/folder.txt: cannot write'
run 0 cat rich.map 1/0 -o -
lines out 3
no_litter

# --json of an object is its file in an unpacked map, to the byte.
as_in_folder() { # MAP
    rm -rf folder && run 0 unpack -q --plain "$1" folder
    same folder/info.json <(teemap cat -q --json "$1" info)
    local list at=0 name
    for list in image sound envelope group; do
        [ -e folder/${list}s.txt ] || continue
        at=0
        while read -r name; do
            run 0 cat -q --json "$1" "$([ $list = group ] || echo $list/)$at"
            same "folder/${list}s/$name.json" out
            [ $list != group ] || layers_as_in_folder "$1" $at "folder/groups/$name"
            at=$((at + 1))
        done <folder/${list}s.txt
    done
}
layers_as_in_folder() { # MAP GROUP FOLDER
    local name layer=0
    [ -e "$3/layers.txt" ] || return 0
    while read -r name; do
        run 0 cat -q --json "$1" "$2/$layer"
        same "$3/$name.json" out
        layer=$((layer + 1))
    done <"$3/layers.txt"
}
as_in_folder rich.map

# On all real maps every object comes out, as text and as JSON.
if corpus; then
    for map in "$TEEMAP_SHARED"/corpus/*/dm1-*.map "$TEEMAP_SHARED"/corpus/ddnet06/coverage-*.map; do
        run 0 ls -q --json "$map"
        addresses=$(grep -o '"address":"[^"]*"' out | cut -d'"' -f4)
        for address in $addresses; do
            grep -q "\"address\":\"$address\",\"name\":[^,]*,\"width\":[0-9]*,\"height\":[0-9]*,\"format\":\"[a-z]*\",\"external\":true" out && continue
            teemap cat -q "$map" "$address" >object || fail "cat $map $address"
            [ -s object ] || fail "cat $map $address: nothing"
        done
        as_in_folder "$map"
    done
fi
