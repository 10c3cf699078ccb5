#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# A build of the two files of './run amalgamate', with zlib and libpng and nothing else, passes the tests of what it packs, unpacks and
# draws; what is missing is skipped. What it writes, the full build reads as the same, and the other way round. The sources themselves
# compile without the other libraries, too.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "plain: $*"; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 60 "$work/log"; fail "failed: $*"; }; }

units='base codec codec_hashes codec_png codec_tokens codec_webp datafile_hostile datafile_read datafile_strict datafile_write
    mapfile_change mapfile_content mapfile_rewrite mapfile_unread render render_golden render_hostile'
commands='info optimize unpack'

for source in "$TEEMAP_SOURCE"/src/codec/*.c; do
    quiet "${CC:-cc}" -std=c11 -fsyntax-only -Wall -Wextra -Werror -I"$TEEMAP_SOURCE/include" -I"$TEEMAP_SOURCE/src" -DTEEMAP_HAVE_LIBPNG=1 \
        -DTEEMAP_HAVE_GIF=0 -DTEEMAP_HAVE_LIBDEFLATE=0 -DTEEMAP_HAVE_WEBP=0 -DTEEMAP_HAVE_ZOPFLI=0 "$source"
done
quiet python3 "$TEEMAP_SOURCE/tools/amalgamate.py" --internal "$work/two"
quiet cmake -S "$TEEMAP_SOURCE" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g0' -DTEEMAP_DEV=ON -DTEEMAP_WERROR=ON -DTEEMAP_TWO_FILES="$work/two" \
    -DBUILD_SHARED_LIBS=OFF -DTEEMAP_LIBDEFLATE=OFF -DTEEMAP_WEBP=OFF -DTEEMAP_GIF=OFF -DTEEMAP_ZOPFLI=OFF
grep -q 'teemap: zlib yes, libpng yes, libdeflate no, WebP no, GIF no, zopfli no$' "$work/log" || fail 'configuring does not tell the features in one line'
# shellcheck disable=SC2086 # lists of words
quiet cmake --build "$work/build" -j "${JOBS:-2}" --target teemap_cli $(printf 'test_%s ' $units)
if command -v ldd >/dev/null; then
    ! ldd "$work/build/teemap" | grep -E 'deflate|webp|gif|zopfli|spng|nettle' || fail 'the command needs more than zlib and libpng'
fi
# shellcheck disable=SC2086
quiet ctest --test-dir "$work/build" -R "^(unit[.]($(printf '%s|' $units)none)|cli[.]($(printf '%s|' $commands)none))$" -j "${JOBS:-2}" --no-tests=error \
    --output-on-failure
grep 'tests passed' "$work/log"

TEEMAP=$TEEMAP "$TEEMAP_SOURCE/tests/tools/mapmaker.sh" build ddnet "$work/x.map" >/dev/null
for pair in "$TEEMAP $work/build/teemap" "$work/build/teemap $TEEMAP"; do
    read -r writer reader <<<"$pair"
    "$writer" copy -q --recompress 6 -o "$work/small.map" "$work/x.map"
    "$reader" diff "$work/x.map" "$work/small.map" >"$work/diff" || { cat "$work/diff"; fail "$reader reads something else than $writer wrote"; }
    "$writer" render -q -o "$work/x.png" "$work/x.map"
    "$reader" render -q -o "$work/y.png" "$work/x.map"
    python3 - "$work/x.png" "$work/y.png" <<'END' || fail 'the pictures differ'
import sys, zlib
def rows(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        packed += data[at + 8:at + 8 + size] if data[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + size
    return data[:33], zlib.decompress(packed)
sys.exit(rows(sys.argv[1]) != rows(sys.argv[2]))
END
done
echo "plain: what zlib and libpng alone make is read by the full build, and the other way round"
