#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What people type by mistake, or as another command has it: one spelling is understood everywhere, or the message says how
# it is written.
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 new -s 30x20 box.map
run 0 edit box.map -o deco.map add layer Game tiles 30x20 + rename 1/1 Deco + fill Game/Deco 5
run 0 edit box.map -o quads.map add layer Game quads + rename 1/1 Waves

# refused TEXT ARGUMENT...: the message has the text, and nothing is written.
refused() {
    local text=$1
    shift
    run 2 "$@"
    says err "$text"
    lines err 1
    [ ! -e made.map ] || fail "teemap $*: wrote made.map"
}

# A command of the server with its arguments is one text.
refused "'sv_deepfly' and '0' are two commands; a command with its arguments is one text: 'sv_deepfly 0'" \
    edit box.map -o made.map settings add sv_deepfly 0
refused "'tune' and 'gravity' are two commands" edit box.map -o made.map settings add tune gravity 0.5
run 0 edit box.map -o set.map settings add 'sv_deepfly 0' 'tune gravity 0.5'
run 0 cat set.map settings
is out "sv_deepfly 0
tune gravity 0.5"

# Operations are separated by +.
for words in 'mirror x rotate 90' 'clean all mirror x' 'rotate 90 set info.author=Anna' 'settings sort clean all'; do
    # shellcheck disable=SC2086 # words
    refused 'stands a +, or in a script a new line' edit box.map -o made.map $words
done
refused "did you mean 'info.author=Me'?" edit box.map -o made.map set author=Me

# Patterns come before the maps.
refused "the pattern comes before the maps: teemap find 'solid' box.map" find box.map solid
refused 'no pattern was given before the map' find box.map
refused 'no pattern was given before the map' find -c box.map
refused 'write @3,4+5x6, a place and a size' find 'game@3,4,5,6/*' box.map
refused "the pattern comes before the maps: teemap find 'solid' box.map" find box.map deco.map solid
refused "did you mean 'solid'" find soild box.map

# A layer by its name alone, in capitals or not.
for word in deco Deco; do
    refused "'$word' leads to no group; the layer of this name is 1/1, or 'Game/Deco'" \
        edit deco.map -o made.map fill "$word@3,3+2x2" 9
done
refused "'Wavez' leads to no group" edit quads.map -o made.map fill Wavez 9

# Elements and fields behind an address.
refused "there is no layer named '1.quads[0]'; '1' is one, and what stands behind the dot" cat quads.map '1/1.quads[0]'
refused "'Waves' is one" cat quads.map '1/Waves.quads[0]'
refused "there is no layer named '7.name'" cat quads.map '1/7.name'
says_not err 'is one'

# One spelling of a region, in whole numbers and others.
run 0 render box.map --region 3,4+10x5 --scale 4 -o new.png
run 0 render box.map --region 3,4,10,5 --scale 4 -o old.png
same new.png old.png
png new.png 40x20
run 0 render box.map --region -0.5,2.25+4.5x3 --scale 4 --flat -o part.png
png part.png 18x12
run 1 diff box.map deco.map --picture regions.png --region 3,4+10x5 --scale 4
for region in 3,4+10 3,4+10,5 3+4+10x5 3,4x10+5 3,4,10x5 3,4+10x5x 3,4+ax5; do
    run 2 render box.map --region $region -o made.png
    says err "'$region' is not a region in tiles like 10,20+30x40, or map"
done

# The last operand may be given with -o, as the output of other commands is.
run 0 new -o o.map -s 30x20
same o.map box.map
run 0 copy box.map -o copied.map
same copied.map box.map
run 0 copy -o copied.map box.map
run 0 unpack box.map -o folder
[ -e folder/map.json ] || fail 'unpack -o'
run 0 pack folder -o packed.map
same packed.map box.map
run 2 copy box.map -t there -o made.map
says err 'use -o, -t or -i, and only one of them'
run 2 copy box.map -i -o made.map
run 2 new one.map -o made.map
says err "'made.map' is one output too many"
run 2 pack folder one.map -o made.map
run 2 pack folder
run 2 copy box.map -o ''
[ ! -e made.map ] && [ ! -e one.map ] || fail 'something was written'

# Times in seconds.
run 0 animate box.map --duration 0.5s --fps 4 -s 32x24 -o seconds.gif
run 0 animate box.map --duration 500 --fps 4 -s 32x24 -o plain.gif
run 0 animate box.map --duration 500ms --fps 4 -s 32x24 -o ms.gif
same seconds.gif plain.gif
same ms.gif plain.gif
for time in 5m 5sec s 5s5; do
    run 2 animate box.map --duration $time -o made.gif
    says err "'$time' is not a number of milliseconds"
done

# What git names in place of a map that is not there.
run 1 diff /dev/null box.map
is out 'box.map: a new map, and nothing to compare it with'
run 1 diff box.map /dev/null
is out 'box.map: a removed map, and nothing to compare it with'
run 1 diff --json /dev/null box.map
json out "o == {'old': None, 'new': 'box.map', 'same': False}"
run 0 diff /dev/null /dev/null
run 2 diff /dev/null box.map -o patch.json

# Patterns have a "not".
run 0 find 'not game/solid,unhookable' box.map
says_not out solid
run 1 find 'game/spawn where not game/spawn' box.map

# Silence is told where somebody waits for words.
python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no pseudo terminals here; everything before them passed'
on_terminal() { python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$TEEMAP" "$@" >terminal </dev/null; }
if on_posix && [ -z "${emulator[*]}" ]; then
    run 0 lint box.map
    notes=$(teemap lint -v box.map | grep -c note)
    on_terminal lint box.map
    if [ "$notes" = 0 ]; then says terminal 'box.map: no findings'; else says terminal "box.map: no findings ($notes note" ': -v)'; fi
    on_terminal lint -q box.map
    says_not terminal 'no findings'
fi
