#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap copy`: the same bytes, the right places, no input ever lost.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 copy rich.map copy.map
empty out
empty err
same rich.map copy.map
run 0 copy --through datafile rich.map copy.map
same rich.map copy.map
run 0 copy -v rich.map copy.map
size=$(wc -c <rich.map)
says err "rich.map -> copy.map: $size bytes, were $size"

# Through pipes.
teemap copy - - <rich.map >piped.map || fail 'pipes'
same rich.map piped.map
teemap copy - piped2.map <rich.map || fail 'from a pipe'
same rich.map piped2.map
teemap copy rich.map - | cmp - rich.map || fail 'to a pipe'

# Another packing, the same content.
for level in 1 6 9 12; do
    for through in map datafile; do
        run 0 copy -z $level --through $through rich.map packed.map
        datafile same rich.map packed.map || fail "level $level through $through"
        ! cmp -s rich.map packed.map || fail "level $level through $through packs nothing"
    done
done
run 0 copy -j 4 -z 12 rich.map again.map
same packed.map <(teemap copy --through datafile -z 12 rich.map -)

# Rows of the table of blocks that the streams contradict are put right in either way: a text was lost through the datafile.
python3 - rich.map <<'PYTHON'
import struct, sys
whole = open(sys.argv[1], 'rb').read()
types, items, data = struct.unpack_from('<3i', whole, 16)
offsets = 36 + 12 * types + 4 * items
for name, at, number in ('offset', offsets + 4 * 5, 7), ('size', offsets + 4 * (data + 3), 0), ('start', 0, 0):
    wrong = bytearray(whole)
    struct.pack_into('<i', wrong, at, number)
    open('wrong-%s.map' % name, 'wb').write(wrong)
PYTHON
for part in offset size start; do
    teemap copy -q -m salvage -z 6 wrong-$part.map through-map.map || [ $? = 1 ] || fail "salvage of a wrong $part"
    teemap copy -q -m salvage -z 6 --through datafile wrong-$part.map through-datafile.map || [ $? = 1 ] || fail "a wrong $part"
    same through-map.map through-datafile.map
    run 0 check -m strict through-datafile.map
    datafile same rich.map through-datafile.map || fail "wrong $part"
done

# Another game: what it cannot hold is told, unless nobody wants to hear.
run 1 copy -g teeworlds07 rich.map other.map
says err '[lost-layer]' '[lost-sound]' 'teemap: rich.map: '
run 0 info --json other.map
json out "o['game'] == 'teeworlds07' and o['counts']['layer_kinds']['tele'] == 0 and 'v4-tiles' in o['features']"
run 0 cat other.map Game/Game
cp out tiles
run 0 cat rich.map Game/Game
same tiles out
run 1 copy -q -g teeworlds07 rich.map other.map
empty err
run 2 copy -g ddnet --through datafile rich.map other.map
says err '--game does not work with --through datafile'

# A download that broke off: written anew, what is there of it opens in the game; the rest is empty.
run 1 copy -q -g ddnet rich.map whole.map
for cut in 10 200; do
    head -c $((size - cut)) rich.map >cut.map
    run 1 check cut.map
    run 1 copy -m salvage cut.map rescued.map
    same cut.map rescued.map
    run 1 copy -m salvage -g ddnet cut.map rescued.map
    says err '[data-cut]' 'teemap: cut.map: rescued '
    run 0 check -m strict rescued.map
    for m in whole rescued; do # lost sound sources are left out
        run 0 info --json $m.map
        json out "o['counts'].pop('sound_sources') >= 0 and json.dump(o['counts'], open('$m.counts', 'w')) or True"
    done
    same whole.counts rescued.counts
done

# Existing files: another one is replaced, the input is not, -i replaces it.
cp rich.map original
echo old >target.map
chmod 600 target.map
run 0 copy rich.map target.map
same rich.map target.map
! on_posix || [ "$(stat -c %a target.map)" = 600 ] || fail 'permissions'
for self in rich.map ./rich.map link.map; do
    ln -sf rich.map link.map
    run 2 copy rich.map $self
    says err 'is the input itself'
    same rich.map original
done
run 2 copy link.map rich.map
run 0 copy -i -z 12 rich.map target.map
datafile same original rich.map || fail 'in place'
! cmp -s original rich.map || fail 'in place: nothing changed'
run 0 copy -i -z 1 link.map
! on_posix || [ -L link.map ] || fail 'the link was replaced'
cp original rich.map
mkdir folder
run 0 copy rich.map folder
same rich.map folder/rich.map
run 2 copy rich.map rich.map folder
says err '-t DIR'
run 2 copy rich.map
says err 'no output: give'
run 2 copy -i -t x rich.map
run 2 copy -i -
says err 'standard input has no name'
run 2 copy folder out.map
says err 'is a folder'

# Nothing is left of what failed, and the old file stays.
echo kept >kept.map
head -c 100 rich.map >cut.map
run 2 copy cut.map kept.map
is kept.map kept
run 2 copy missing.map kept.map
is kept.map kept
# What is no map at all was once told twice: as a finding, and as an error without its id.
printf '<!DOCTYPE html>' >html.map
: >empty.map
for file in html.map empty.map; do
    run 2 copy "$file" kept.map
    lines err 1
    says err "teemap: $file: "
    run 2 -q copy "$file" kept.map
    lines err 1
done
run 2 copy rich.map missing/out.map
says err 'teemap: missing/out.map: cannot write: No such file or directory'
if on_posix; then
    run 2 copy rich.map /dev/full
    says err 'teemap: /dev/full: cannot write: No space left on device'
fi
no_litter
if [ "$(id -u)" != 0 ]; then
    chmod 500 folder
    run 2 copy rich.map folder/new.map
    says err 'Permission denied'
    chmod 700 folder
fi

# Many files into a folder: places below a folder are kept, twins and inputs are not overwritten, the rest goes on.
mkdir -p in/a/b in/c
cp rich.map in/1.map
cp rich.map in/a/b/2.map
teemap new in/c/3.MAP
teemap new in/c/1.map
echo text >in/c/notes.txt
run 0 copy -j 3 -r -t out.d/deep in
[ "$(cd out.d/deep && find . -type f | sort | tr '\n' ' ')" = './1.map ./a/b/2.map ./c/1.map ./c/3.MAP ' ] || fail 'places'
diff -r -x notes.txt in out.d/deep || fail 'content'
run 2 copy -t flat in/1.map in/c/1.map missing.map in/a/b/2.map
says err 'in/c/1.map: left out: another map of this name' 'missing.map'
same flat/1.map in/1.map
same flat/2.map in/a/b/2.map
run 2 copy -t in/c in/1.map in/c/1.map
says err 'would overwrite an input'
diff -r -x notes.txt in out.d/deep || fail 'an input was changed'
run 2 copy -t in in
says err 'is a folder; -r'
rm -r flat
run 0 copy -n -t flat in/1.map
says out 'in/1.map -> flat/1.map: ' '(not written)'
[ ! -e flat ] || fail '--dry-run writes'
run 0 copy -n -z 12 -i rich.map
same rich.map original
run 0 copy --json -t flat in/1.map
json out "o['written'] and o['output'] == 'flat/1.map' and o['output_size'] == o['input_size'] == $size"
no_litter

# Real maps come back byte for byte, through the model and in all modes that read them.
if corpus; then
    mapfile -t maps < <(find "$TEEMAP_SHARED/corpus" -name '*.map' ! -path '*/failed/*' | sort)
    # Some are from before 2008 and have no game layer, which the game does not forgive.
    for options in '1 -m game' '0 -m salvage' '0 --through datafile'; do
        # shellcheck disable=SC2086 # words
        run ${options%% *} copy -q ${options#* } -t real "${maps[@]}"
        for map in "${maps[@]}"; do same "$map" "real/${map##*/}"; done
        rm -r real
    done
    echo "${#maps[@]} real maps, byte for byte"
fi
