#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap animate`: each frame is what `render` draws at its time, loops close, raw video holds the same pixels.
# test-labels: threads
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

# Its envelopes come round in one second.
make_map rich.map
view=(--flat --region '-0.5,-0.5,1,0.75' --scale 64 --missing white -q)
run 0 animate --json rich.map "${view[@]}" -t deep/frames
json out "o['frames'] == 25 and o['duration'] == 1000 and o['loops'] and o['loop'] == 'exact' and o['stem'] == 'deep/frames/rich' and o['output'] == 'deep/frames'"
json out "o['width'] == 64 and o['height'] == 48"
[ "$(find deep/frames -type f | wc -l)" = 25 ] || fail "not 25 frames"
for i in 1 2 13 25; do
    run 0 render rich.map "${view[@]}" --time $(((i - 1) * 40)) -o there.png
    same there.png "deep/frames/rich-$(printf %05d $i).png"
done
! cmp -s deep/frames/rich-0000{1,2}.png || fail "nothing moves"
run 0 render rich.map "${view[@]}" --time 1000 -o around.png
same around.png deep/frames/rich-00001.png

# Threads change nothing.
run 0 animate -j 1 rich.map "${view[@]}" -t one
run 0 animate -j 3 rich.map "${view[@]}" -t three
diff -r one deep/frames || fail "one thread"
diff -r three deep/frames || fail "three threads"

# Raw video: the same pixels, to a file and a pipe.
run 0 animate rich.map "${view[@]}" -o video.raw
empty out
teemap animate rich.map "${view[@]}" -o - >pipe.raw || fail "to a pipe"
same video.raw pipe.raw
teemap animate -j 1 - "${view[@]}" -o - <rich.map | cmp - video.raw || fail "from standard input"
[ "$(wc -c <video.raw)" = $((25 * 64 * 48 * 4)) ] || fail "the size of raw video"
for i in {1..25}; do python3 "$TEEMAP_SOURCE/tests/support/pngfile.py" one/rich-"$(printf %05d "$i")".png raw; done >frames.raw
same video.raw frames.raw
run 0 animate rich.map "${view[@]}" -o video.rgba
same video.raw video.rgba
run 0 animate rich.map "${view[@]}" -t raw --format raw
cat raw/rich-000{01..25}.rgba | cmp - video.raw || fail "frames as raw pixels"

built examples/example_landscape land.map || fail "example_landscape"

# Animations in one file: the same frames for the same time, taken apart by others.
run 0 animate --json rich.map "${view[@]}" -o loop.apng
json out "o['output'] == 'loop.apng' and o['frames'] == 25 and o['stem'] is None"
run 0 animate rich.map "${view[@]}" -o small.apng --compress
run 0 animate rich.map "${view[@]}" -o part.apng --fps 10 --duration 450
run 0 animate rich.map "${view[@]}" -o once.apng --loop once
run 0 animate rich.map --flat --region '5000,5000,10,10' --scale 4 --background transparent -q -o clear.apng --fps 3 --duration 1000
PYTHONPATH=$TEEMAP_SOURCE/tests/support python3 - <<'PYTHON' || fail "APNG"
import pngfile
raw = open('video.raw', 'rb').read()
for name in 'loop.apng', 'small.apng':
    width, height, repeats, frames = pngfile.frames(name)
    assert (width, height, repeats, len(frames)) == (64, 48, 0, 25), name
    assert all(seconds == 0.04 for seconds, _ in frames), name
    assert b''.join(rgba for _, rgba in frames) == raw, name
    assert pngfile.read(name)[2] == frames[0][1] # for programs that know no APNG
_, _, repeats, frames = pngfile.frames('part.apng')
assert repeats == 0 and [seconds for seconds, _ in frames] == [0.09] * 5
assert pngfile.frames('once.apng')[2] == 1
_, _, _, frames = pngfile.frames('clear.apng')
assert len(frames) == 3 and all(seconds == 1 / 3 and not any(rgba) for seconds, rgba in frames)
PYTHON
[ "$(wc -c <small.apng)" -lt "$(wc -c <loop.apng)" ] || fail "--compress packs no better"
[ "$(wc -c <loop.apng)" -lt "$(cat one/*.png | wc -c)" ] || fail "all of each frame is kept"
teemap animate rich.map "${view[@]}" -o - --format apng | cmp - loop.apng || fail "APNG to a pipe"
run 0 animate -j 1 rich.map "${view[@]}" -o one.apng
same one.apng loop.apng
run 0 new -s 11x7 still.map
run 0 animate still.map --scale 3 -o still.apng
png still.apng 34x22

if teemap doctor | grep -q 'libwebp '; then
    run 0 animate rich.map "${view[@]}" -o loop.webp --lossless
    run 0 animate rich.map "${view[@]}" -o usual.webp
    run 0 animate rich.map "${view[@]}" -o usual80.webp --quality 80
    same usual.webp usual80.webp
    run 0 animate land.map --view 50,21 --size 300x150 --fps 2 --duration 4000 --loop once -o lossy.webp --quality 50
    run 0 animate rich.map "${view[@]}" -t webp --format webp
    [ "$(find webp -name 'rich-000??.webp' | wc -l)" = 25 ] || fail "not 25 frames"
    python3 - <<'PYTHON' || fail "WebP"
import struct
def chunks(data):
    at = 0
    while at < len(data):
        size = struct.unpack_from('<I', data, at + 4)[0]
        yield data[at:at + 4], data[at + 8:at + 8 + size]
        at += 8 + size + size % 2
for name, kind, repeats, duration in ('loop.webp', b'VP8L', b'\0\0', 1000), ('lossy.webp', b'VP8L', b'\1\0', 4000):
    data = open(name, 'rb').read()
    assert data[:4] == b'RIFF' and data[8:12] == b'WEBP' and struct.unpack_from('<I', data, 4)[0] == len(data) - 8
    parts = list(chunks(data[12:]))
    assert parts[0][0] == b'VP8X' and parts[1][0] == b'ANIM' and parts[1][1][4:] == repeats, name
    frames = [body for part, body in parts if part == b'ANMF']
    assert sum(int.from_bytes(body[12:15], 'little') for body in frames) == duration, name
    assert all(next(chunks(body[16:]))[0] in (kind, b'ALPH') for body in frames), name
PYTHON
    run 2 animate rich.map --region 0,0,40,1 --scale 500 -o wide.webp
    says err 16383
    [ ! -e wide.webp ] || fail "a WebP that is too wide"
    if command -v webpinfo >/dev/null; then webpinfo -quiet loop.webp lossy.webp || fail "webpinfo"; fi
fi

if teemap doctor | grep -q 'giflib '; then
    run 0 animate --json rich.map "${view[@]}" -o loop.gif
    json out "o['frames'] == 25 and o['quality'] == 80 and o['fps'] == 25 and o['bytes'] > 800"
    run 0 animate rich.map "${view[@]}" -j 1 -o one.gif
    same one.gif loop.gif
    run 0 animate rich.map "${view[@]}" --loop once -o once.gif
    cmp -n 6 loop.gif <(printf GIF89a) || fail "GIF"
    grep -q NETSCAPE2.0 loop.gif || fail "a GIF that does not loop"
    ! grep -q NETSCAPE2.0 once.gif || fail "a GIF that loops"
    if teemap doctor | grep -q 'libwebp '; then # which was larger, and greyer with each frame: unit.codec_frames
        for map in land.map "$TEEMAP_SHARED"/corpus/ddnet06/{Gold_Mine-98f7a9,Sunny_Side_Up-e787ae}.map; do
            [ -e "$map" ] || continue
            for format in gif webp; do run 0 animate -q "$map" --view best --size 320x180 --fps 10 --max-time 3000 -o "size.$format"; done
            [ "$(wc -c <size.webp)" -le "$(wc -c <size.gif)" ] || fail "$map: a WebP larger than a GIF of the same colors"
        done
    fi
    run 2 animate rich.map --fps 60 -o x.gif
    says err '50 frames'
fi

# As small as it is asked to be: what is given stays, the rest gives way.
if teemap doctor | grep -q 'libwebp '; then
    sizes=(land.map --view "50,21" --duration 4000 -q)
    run 0 animate --json "${sizes[@]}" -o large.webp
    json out "o['fps'] == 25 and o['quality'] == 80 and o['width'] == 640"
    for limit in 2 3; do
        most=$(($(wc -c <large.webp) / limit))
        run 0 animate --json "${sizes[@]}" --max-size $most -o small.webp
        json out "o['bytes'] <= $most and o['bytes'] > $most / 8 and o['quality'] < 80"
        [ "$(wc -c <small.webp)" -le $most ] || fail "larger than --max-size"
        run 0 animate --json "${sizes[@]}" --max-size $most --size 320x180 --fps 10 -o small.webp
        json out "o['bytes'] <= $most and o['fps'] == 10 and o['width'] == 320"
    done
    teemap animate "${sizes[@]}" --max-size $most --format webp -o - >pipe.webp || fail "small to a pipe"
    [ "$(wc -c <pipe.webp)" -le $most ] || fail "larger than --max-size in a pipe"
    run 0 animate -v land.map --view 50,21 --duration 4000 --max-size $most -o small.webp
    says err 'to stay below'
    cp small.webp before.webp
    run 2 animate "${sizes[@]}" --max-size 1000 --size 640x360 --fps 25 --quality 90 -o small.webp
    says err --max-size
    same small.webp before.webp
    run 2 animate "${sizes[@]}" --max-size 1M --any-size -o small.webp
    run 2 animate "${sizes[@]}" --max-size 1M -o small.raw
fi

# Videos: what ffmpeg is told and gets, and what it says; the file is there when it is whole.
on_posix || skip 'a script stands for ffmpeg, which wine does not start; everything before it passed'
mkdir -p programs
cat >programs/ffmpeg <<'FFMPEG'
#!/bin/sh
printf '%s\n' "$@" >words
for last; do :; done
cat >frames.rgb
cp frames.rgb "${last#file:}"
FFMPEG
chmod +x programs/ffmpeg
with_ffmpeg() { local status=$1; shift; PATH=$PWD/programs:$PATH run "$status" "$@"; }
with_ffmpeg 0 animate --json rich.map "${view[@]}" -o -x.mp4
json out "o['frames'] == 25 and o['bytes'] == 25 * 64 * 48 * 3 and o['quality'] == 80"
python3 - <<'PYTHON' || fail "frames for ffmpeg"
rgba = open('video.raw', 'rb').read()
rgb = bytearray(len(rgba) // 4 * 3)
for c in range(3):
    rgb[c::3] = rgba[c::4]
assert open('frames.rgb', 'rb').read() == rgb == open('-x.mp4', 'rb').read()
words = open('words').read().split('\n')
for option, value in ('-s', '64x48'), ('-pix_fmt', 'rgb24'), ('-r', '25000000/1000000'), ('-i', 'pipe:0'), ('-c:v', 'libx264'), ('-crf', '20'):
    assert words[words.index(option) + 1] == value, option
assert words[-2].startswith('file:')
PYTHON
with_ffmpeg 0 animate rich.map "${view[@]}" --quality 50 -o x.webm
grep -qx libvpx-vp9 words || fail "VP9"
with_ffmpeg 0 animate -v rich.map "${view[@]}" --max-size 100k -o small.mp4
says err 'to stay below 0.1 MB'
[ "$(wc -c <small.mp4)" -le 100000 ] || fail "a video larger than --max-size"
printf '#!/bin/sh\necho "no such codec" >&2\nexit 3\n' >programs/ffmpeg
with_ffmpeg 2 animate rich.map "${view[@]}" -o bad.mp4
says err 'ffmpeg ended with status 3: no such codec'
rm programs/ffmpeg
if [ -z "${TEEMAP_EMULATOR:-}" ]; then # which needs its PATH
    mkdir -p none
    PATH=$PWD/none "$TEEMAP" animate rich.map "${view[@]}" -o bad.mp4 2>err && fail "without ffmpeg"
    PATH=$PWD/none "$TEEMAP" animate rich.map --view 2,1 -o bad.mp4 2>err || [ $? = 2 ] || fail "without ffmpeg a view ended with 1"
    says err 'not installed' .webp
fi
[ ! -e bad.mp4 ] || fail "a video that could not be made"
run 2 animate rich.map -t frames --format mp4
says err '-t writes a file for each frame, as png, webp or raw; for one animation give -o FILE'
run 2 animate rich.map -o - --format mp4
run 2 animate rich.map --background transparent -o x.mp4
run 2 animate rich.map --lossless -o x.mp4
if command -v ffprobe >/dev/null && ffmpeg -v error -codecs 2>/dev/null | grep -q libx264; then
    run 0 animate rich.map "${view[@]}" -o real.mp4
    [ "$(ffprobe -v error -show_entries stream=codec_name,width,height,nb_frames -of csv=p=0 real.mp4)" = h264,64,48,25 ] || fail "a real video"
else
    echo "no ffmpeg with libx264 here: no real video was made"
fi

# Who has seen enough closes the pipe, and SIGPIPE ends the command without a word.
teemap animate rich.map --view 2,1 --size 400x400 --duration 5000 -o - 2>err | head -c 100 >start.raw
[ "${PIPESTATUS[0]}" = 141 ] || fail "status after a closed pipe"
says_not err pipe

# Other times: any length, part of a period, fractions of frames; no movement is one frame.
run 0 animate --json rich.map "${view[@]}" --fps 10 --duration 450 --time 200 -t part
json out "o['frames'] == 5 and o['duration'] == 450 and not o['loops']"
run 0 render rich.map "${view[@]}" --time 290 -o there.png
same there.png part/rich-00002.png
run 0 animate --json rich.map "${view[@]}" --fps 29.97 -t rate
json out "o['frames'] == 30 and o['loops']"
run 0 animate --json still.map --scale 3 -t still
json out "o['frames'] == 1 and o['duration'] == 0 and o['loops'] and o['width'] == 34 and o['height'] == 22"
png still/still-00001.png 34x22
run 0 animate -v rich.map "${view[@]}" -t told
says err 'told/rich: 25 frames, 64x48 pixels, 1.000 seconds, a loop without a jump'
run 0 animate -v rich.map "${view[@]}" -o told.raw --duration 120
says err 'told.raw: 3 frames, 64x48 pixels, 0.120 seconds, as requested; 0.04 MB'
run 0 animate -v still.map --scale 3 -o still.raw
says err '1 frame, 34x22 pixels, nothing moves'
run 0 animate still.map --scale 3 -o still.raw
is err 'teemap: still.map: warning: nothing moves in this view; the animation stands still'
run 0 animate -v land.map --view 50,21 --size 48x32 --fps 1 --loop once -t land
says err 'seconds, shown once'
run 0 animate -q still.map -o usual.raw
[ "$(wc -c <usual.raw)" -le $((640 * 360 * 4)) ] || fail "the usual size"

# Forth and back.
run 0 animate --json rich.map "${view[@]}" --loop back --duration 800 --fps 10 -t back
json out "o['frames'] == 8 and o['loop'] == 'back' and o['loops'] and o['jump'] == 0 and 'bytes' not in o"
for i in 2 3 4; do same back/rich-0000$i.png back/rich-0000$((10 - i)).png; done
run 0 render rich.map "${view[@]}" --time 400 -o there.png
same there.png back/rich-00005.png

# No exact loop within the given time: the least jump, which is told.
run 0 animate --json rich.map "${view[@]}" --max-time 600 -o near.raw
json out "o['loop'] == 'near' and not o['loops'] and 150 <= o['duration'] <= 600 and o['jump'] >= 0 and o['bytes'] == o['frames'] * 64 * 48 * 4"
run 0 animate -v rich.map "${view[@]}" --max-time 600 -o near.raw
says err 'a loop with a'

# Layers that are left out do not count.
run 0 animate --json rich.map "${view[@]}" --layers tiles -t still
json out "o['frames'] == 1 and o['duration'] == 0"

# Frames that are left of a longer animation are told.
run 0 animate rich.map --size 64x48 --view 0,0 --duration 100 -t one
says err 'one/rich-00004.png' 'another, longer animation'
run 0 animate -q rich.map "${view[@]}" --duration 100 -t one
empty err

# Mistakes.
run 2 animate rich.map
says err 'no output: give'
run 2 animate rich.map -o x.raw -t x
run 2 animate --json rich.map -o -
run 2 animate rich.map --fps 0 -t x
run 2 animate rich.map --duration 0 -t x
run 2 animate rich.map --fps 1000 --duration 100000 -t x
says err '99999'
run 2 animate rich.map -o x.png
says err .apng .webp .rgba .raw
lines err 1
run 2 animate rich.map --quality 50 --lossless -o x.webp
says err '--lossless'
run 2 animate rich.map --loop sideways -o x.webp
says err back once
run 2 animate rich.map --quality 50 -o x.apng
says err --quality
run 2 animate rich.map --format apng -t x
run 2 animate missing.map -o x.raw
says err 'teemap: missing.map: '
run 2 animate rich.map "${view[@]}" -t still.map
run 2 animate rich.map "${view[@]}" -o /dev/full
says err 'No space left'
run 2 animate rich.map "${view[@]}" -o nowhere/x.raw
says err 'teemap: nowhere/x.raw: '
for name in x.raw x.png x.apng; do [ ! -e $name ] || fail 'a file after a mistake'; done

# 'best' is where something moves: the best view of a thumbnail may be one where nothing does.
python3 - "$cli_tests" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import hostile_maps as maps
out = maps.start(4)
maps.tiles(out, out.block(bytes(4 * 300 * 40)), 300, 40, flags=1)
blocks = (bytes([(x // 3 + y // 2) % 2 if x < 100 else 0, 0, 0, 0]) for y in range(40) for x in range(300))
maps.tiles(out, out.block(b''.join(blocks)), 300, 40)
out.add(3, [1, 3, 0, 2] + maps.make_map.name_ints('', 8))
out.add(6, [0, 1, 0, 0, 0, 0] + [1000, 1, 64 << 10, 0, 0, 0])
at, side = 250 * 32 << 10, 640 << 10
maps.quad_item(out, [at, 0, at + side, 0, at, side, at + side, side, at, 0] + [255] * 16 + [0] * 8 + [0, 0, -1, 0], 1)
with open('far.map', 'wb') as file:
    file.write(out.bytes())
PYTHON
run 0 animate --json far.map --view best:1 --size 80x45 -t far
json out "o['loop'] == 'still'"
run 0 animate --json far.map --view best --size 80x45 -t far
json out "o['loop'] == 'exact' and o['frames'] == 25"
run 0 animate -q far.map --view best --duration 1000 --fps 5 --size 80x45 -t far
cmp -s far/far-0000{1,4}.png && fail "'best' does not move"

# Layers beyond --memory are unpacked for each frame, one at a time: the same frames, and too many are refused.
run 0 animate -q far.map --view 255,10 --size 80x45 -t held
run 0 animate -q -j 3 far.map --view 255,10 --size 80x45 --memory 150k -t again
diff -r held again || fail "frames with little memory"
run 2 animate far.map --view 255,10 --size 80x45 --memory 150k --limit 200k -t refused
says err 'unpacking the layers that memory_budget does not hold' '; more --memory holds them, --limit allows more'
no_litter

# The command line that the help tells makes a video.
if command -v ffmpeg >/dev/null; then
    ffmpeg -v error -framerate 25 -i deep/frames/rich-%05d.png -pix_fmt yuv420p video.mp4 || fail 'ffmpeg'
    [ -s video.mp4 ] || fail 'no video'
fi
