#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Makes maps with teemap ($TEEMAP) for tests that show them to the real games, to browsers and to other systems:
#
#   mapmaker.sh build GAME OUT    a map with one object of every kind that GAME (ddnet, 0.6, 0.7) knows
#   mapmaker.sh plain GAME OUT    the same without bezier curves, which DDNet's tools before 17.2 break on
#   mapmaker.sh change IN OUT     a map that was loaded, with one change of each kind that a server sees or must skip
set -euo pipefail
what=$1 from=$2 out=$3
picture=$(dirname "${BASH_SOURCE[0]}")/../golden/parallax_wide.png # 480 x 160

if [ "$what" = change ]; then
    exec "$TEEMAP" edit "$from" -o "$out" fill game@1,1+1x1 1 + set 'info.author=somebody else' + add image added "$picture" + \
        add group new + add layer new tiles + set new/0.image=image/added + move new 0
fi
curve=smooth
[ "$what" = plain ] || [ "$from" = 0.6 ] || [ "$from" = teeworlds06 ] || curve=bezier
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$TEEMAP" new -q --game "$from" --size 60x40 "$work/new.map"
{
    cat <<EOF
remove 0
set info.author=teemap info.version=1 info.credits=nobody info.license=Zlib
add image grass_main
add image own '$picture'
add envelope color color
add point envelope/color 0 0 0 0 0
add point envelope/color 1000 1 0 0 0
add envelope position position
add point envelope/position 0 0 0 0
add point envelope/position 1000 1 0 0
set envelope/position.points[*].curve=$curve
add group Back
move Back 0
set Back.parallax.x=50 Back.parallax.y=50 Back.use_clipping=true Back.clip.width=1000 Back.clip.height=1000
add layer Back tiles 60x40
fill Back/0@2,2+9x9 5:flags=flip_x
set Back/0.image=image/grass_main Back/0.color_envelope=envelope/color
add layer Back quads
add quad Back/1 0,0 32x32
set Back/1.quads[0].position_envelope=envelope/position Back/1.quads[0].color_envelope=envelope/color
EOF
    if [ $curve = bezier ]; then
        echo 'set envelope/position.points[*].out_dx[0]=100 envelope/position.points[*].in_dx[0]=-100'
    fi
    if [ "$from" = ddnet ]; then
        # The two headers of a stream of Opus, and a page that is no sound.
        {
            printf 'OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\023OpusHead\1\2\0\0\200\273\0\0\0\0\0'
            printf 'OggS\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\020OpusTags\0\0\0\0\0\0\0\0'
            printf 'OggS\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\005sound'
        } >"$work/silence.opus"
        cat <<EOF
settings add 'sv_deepfly 0' 'tune gravity 0.5'
add envelope sound sound
add point envelope/sound 0 0
add point envelope/sound 1000 1
set envelope/sound.points[*].curve=step
add sound silence '$work/silence.opus'
add layer Back sounds
add source Back/2 0,0
set Back/2.sound=sound/silence
add layer Game tele
fill tele@10,10+3x2 tele-in:1
add layer Game speedup
fill speedup@10,10+3x2 28:force=10:max=20:angle=90
add layer Game front
fill front@10,10+3x2 3
add layer Game switch
fill switch@10,10+3x2 switch-timed-open:1:delay=5
add layer Game tune
fill tune@10,10+3x2 tune:1
EOF
    fi
} >"$work/script"
"$TEEMAP" edit "$work/new.map" -o "$out" --script "$work/script" --all-or-nothing
