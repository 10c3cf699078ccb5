#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every JSON output fits its schema, and every key of a schema is explained in docs/json.md.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
schemas=$TEEMAP_SOURCE/docs/schema

python3 "$cli_tests/schema.py" "$schemas" --documented "$TEEMAP_SOURCE/docs/json.md" || fail "docs/json.md"

make_map rich.map
make_map --hostile hostile.map
run 0 new --json new.map
cp out new.json
run 0 new --json -g teeworlds07 -s 20x30 new07.map
cat out >>new.json
head -c 60 rich.map >cut.map
printf 'no map\n' >text.map
: >void.map
maps=(rich.map hostile.map new.map new07.map)
mapfile -t -O 4 maps < <(corpus && find "$TEEMAP_SHARED/corpus" -name '*.map' -size -120k | sort | awk -v step=${TEEMAP_CORPUS_STEP:-1} 'NR % (4 * step) == 0')
echo "${#maps[@]} maps"

run 2 info --json --hash -v "${maps[@]}" cut.map text.map void.map missing.map
cp out info.json
lines info.json $((${#maps[@]} + 4))
for mode in strict game salvage; do
    teemap check --json -m $mode "${maps[@]}" cut.map text.map void.map missing.map >>check.json 2>/dev/null
done
lines check.json $((3 * (${#maps[@]} + 4)))
run 2 copy --json -t copies "${maps[@]}" cut.map missing.map
cp out copy.json
run 0 copy --json -n -z 1 rich.map nowhere.map
cat out >>copy.json

run 0 render --json rich.map -o rich.png
cp out render.json
run 2 thumbnail --json -t thumbnails "${maps[@]}" cut.map missing.map
cp out thumbnail.json
touch thumbnails/*.png
run 2 thumbnail --json -t thumbnails "${maps[@]}" cut.map missing.map
cat out >>thumbnail.json
run 0 animate --json rich.map --scale 4 -t frames
cp out animate.json
run 0 animate --json new.map --scale 4 -o new.raw
cat out >>animate.json
run 0 tiles --json rich.map -t tiles
cp out tiles.json
run 1 gallery --json -t gallery "${maps[@]}" cut.map
cp out gallery.json
run 0 doctor --json
cp out doctor.json
for map in "${maps[@]}"; do run 0 doctor --json "$map" && cat out >>doctor.json; done

addresses='info settings image/0 image/1 image/2 sound/0 envelope/0 envelope/1 envelope/2 0 1 2 0/0 0/1 0/2 1/0 1/1 1/2 1/3 1/4
    1/5 2/0 2/1 item/0 item/28 item/29 data/0 data/25'
for address in $addresses; do
    run 0 cat --json rich.map "$address"
    case $address in settings | item/* | data/*) lines out 1 ;; esac
    cat out >>cat.json
    case $address in item/* | data/*) run 0 ls --json rich.map "$address" && cat out >>ls-raw.json ;;
    *) run 0 ls --json rich.map "$address" && cat out >>ls.json ;; esac
done
for map in "${maps[@]}"; do
    run 0 ls -q --json "$map" && cat out >>ls.json
    run 0 ls -q --raw --json "$map" && cat out >>ls-raw.json
    for address in 0 0/0 info item/0; do run 0 cat -q --json "$map" $address && cat out >>cat.json; done
done
for list in image sound envelope; do run 0 ls --json rich.map $list && cat out >>ls.json; done

python3 "$cli_tests/schema.py" "$schemas" info info.json check check.json copy copy.json new new.json ls ls.json \
    ls-raw ls-raw.json cat cat.json render render.json thumbnail thumbnail.json doctor doctor.json animate animate.json \
    tiles tiles.json gallery gallery.json
status=$?
[ $status != 77 ] || exit 77
[ $status = 0 ] || fail "a schema"

# The schemas are no rubber stamp: another key, a missing key and a wrong type are noticed.
for change in 's/"file_size"/"size_of_file"/' 's/"width":4/"width":"4"/' 's/^{/{"more":1,/' 's/"features":\[/"features":["new",/'; do
    head -n 1 info.json | sed "$change" >changed.json
    ! cmp -s <(head -n 1 info.json) changed.json || fail "$change changes nothing"
    ! python3 "$cli_tests/schema.py" "$schemas" info changed.json >/dev/null || fail "the schema takes $change"
done
