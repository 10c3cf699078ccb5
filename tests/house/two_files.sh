#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The two files of './run amalgamate' with the rooms of a viewer: the same bytes each time, no warning from gcc and clang, a header that C++
# reads, nothing but the rooms' names to link against, and a viewer of at most 350 KB that draws what the library draws. house.plain runs the
# unit tests on all rooms.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "two files: $*"; exit 1; }
here=$TEEMAP_SOURCE/tests/house/two_files
flags=(-Wall -Wextra -Wconversion -Wshadow -Werror)
most_lines=35000 most_bytes=$((350 * 1024))

python3 "$TEEMAP_SOURCE/tools/amalgamate.py" "$work/view" mapfile render
(cd / && PYTHONHASHSEED=7 python3 "$TEEMAP_SOURCE/tools/amalgamate.py" "$work/again" render mapfile)
diff -q "$work/view" "$work/again" || fail 'the second time gives other bytes'
if python3 "$TEEMAP_SOURCE/tools/amalgamate.py" "$work/none" rendr 2>"$work/log"; then fail 'an unknown room is taken'; fi
grep -q "there is no room 'rendr'" "$work/log" || fail "an unknown room is refused with: $(cat "$work/log")"
if grep -n "$TEEMAP_SOURCE\|__DATE__" "$work"/view/teemap.[ch]; then fail 'a path or a date is in them'; fi
lines=$(cat "$work"/view/teemap.[ch] | wc -l)
[ "$lines" -le $most_lines ] || fail "$lines lines; $most_lines are the most"

cd "$work/view"
cp "$TEEMAP_SOURCE/include/teemap/teemap.hpp" .
for compiler in clang g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "two files: no $compiler"; continue; }
    case $compiler in
        *++)
            printf '#include "teemap.h"\n#include "teemap.h"\nint main() { return tm_version() == nullptr; }\n' >main.cpp
            "$compiler" -std=c++17 "${flags[@]}" -Wpedantic -Wold-style-cast -fsyntax-only main.cpp || fail "$compiler: the header"
            printf '#include "teemap.hpp"\nint main() { return teemap::map().area().first != 0; }\n' >main.cpp
            "$compiler" -std=c++17 "${flags[@]}" -Wpedantic -fsyntax-only main.cpp || fail "$compiler: teemap.hpp with these rooms"
            ;;
        *) "$compiler" -std=c11 "${flags[@]}" -fsyntax-only teemap.c || fail "$compiler: warnings" ;;
    esac
done
python3 "$TEEMAP_SOURCE/tools/amalgamate.py" "$work/whole"
"${CC:-cc}" -std=c11 "${flags[@]}" -fsyntax-only "$work/whole/teemap.c" || fail 'all rooms: warnings'
if command -v x86_64-w64-mingw32-gcc >/dev/null; then # with this machine's headers of the two libraries, which are the same
    mkdir "$work/headers"
    printf '#include <png.h>\n#include <zlib.h>\n' | "${CC:-cc}" -M -xc - | tr -s ' \\' '\n\n' |
        grep -E '/(png|pngconf|pnglibconf|zlib|zconf)[.]h$' | xargs -I{} cp {} "$work/headers"
    x86_64-w64-mingw32-gcc -std=c11 "${flags[@]}" -Wno-float-conversion -I"$work/headers" -fsyntax-only "$work/whole/teemap.c" ||
        fail 'all rooms, for Windows'
fi
"${CC:-cc}" -std=c11 "${flags[@]}" -O2 -ffunction-sections -fdata-sections -c teemap.c 2>"$work/log" || { cat "$work/log"; fail 'warnings'; }

nm -g --defined-only teemap.o | awk '{print $3}' | sort >"$work/exported"
sed -n 's/^TM_API .*\b\(tm_[a-z0-9_]*\)(.*/\1/p' teemap.h | sort >"$work/declared"
diff "$work/declared" "$work/exported" || fail 'what the object exports is not what the header declares'
if grep -E '^tm_(edit|lint|sys|store|merge|mapdir)_' "$work/exported"; then fail 'names of rooms that were not chosen'; fi

"${CC:-cc}" -std=c11 "${flags[@]}" -O2 -I. "$here/view.c" teemap.o -Wl,--gc-sections -lz -lpng -lm -lpthread -s -o view
bytes=$(wc -c <view)
[ "$bytes" -le $most_bytes ] || fail "the viewer has $bytes bytes; $most_bytes are the most"
"${TEEMAP_BINARY}/examples/example_landscape" "$work/x.map" >/dev/null
./view "$work/x.map" >"$work/two.ppm"
"${CC:-cc}" -std=c11 -I"$work/whole" "$here/view.c" -include "$work/whole/teemap.h" "$TEEMAP_BINARY/libteemap.so" -Wl,-rpath,"$TEEMAP_BINARY" -o whole
./whole "$work/x.map" >"$work/library.ppm"
cmp "$work/two.ppm" "$work/library.ppm" || fail 'the viewer draws something else than the library'
[ "$(sort -u "$work/two.ppm" | wc -c)" -gt 1000 ] || fail 'the viewer draws nothing'
echo "two files: $lines lines, a viewer of $bytes bytes"
