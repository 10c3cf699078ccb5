#!/usr/bin/env bash
# A build with one room and what it stands on links, and a program that only opens maps, with all but the C library inside,
# is below 270 KB; an unknown room is refused by name.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

configure() { # configure FOLDER ROOMS
    cmake -S "$root" -B "$work/$1" -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DBUILD_SHARED_LIBS=OFF -DTEEMAP_WITH="$2" -DTEEMAP_INSTALL=OFF \
        -DCMAKE_C_FLAGS='-ffunction-sections -fdata-sections' >"$work/log" 2>&1
}

if configure unknown mapfile,rendr; then echo "rooms: an unknown room is taken"; exit 1; fi
grep -q "there is no room 'rendr'" "$work/log" || { cat "$work/log"; exit 1; }
configure build mapfile || { cat "$work/log"; exit 1; }
cmake --build "$work/build" --target teemap_static >"$work/log" || { tail -n 20 "$work/log"; exit 1; }
cat >"$work/open.c" <<'END'
#include "teemap/mapfile.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static char bytes[1 << 22];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    tm_map *map;
    tm_error error;
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes, size), NULL, NULL, &error) != TM_OK)
        return puts(error.text), 1;
    uint32_t width, height;
    tm_map_area(&width, &height, map);
    printf("%u x %u\n", width, height);
    tm_map_free(map);
    return 0;
}
END
${CC:-cc} -Os -I"$root/include" "$work/open.c" "$work/build/libteemap.a" -Wl,--gc-sections -Wl,--as-needed -lpng -l:libdeflate.a -l:libz.a -lm -s -o "$work/open"
"$TEEMAP" new "$work/new.map" >"$work/log" 2>&1
"$work/open" "$work/new.map"
size=$(wc -c <"$work/open")
echo "a program that opens maps: $size bytes"
[ "$size" -lt $((270 * 1024)) ]
