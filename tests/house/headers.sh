#!/usr/bin/env bash
# Each public header compiles alone, in C11 and C++17, with strict flags and every compiler that is here. What a
# header may include is checked by arrows.py. Once more behind words that <windows.h> and others define as macros.
set -euo pipefail
flags=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -fsyntax-only -I"$TEEMAP_SOURCE/include")
c_flags=(-std=c11 -Wstrict-prototypes -Wvla)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiled=0

# A field or argument of such a name does not compile behind these headers: `bool small;` did not.
taken='small near far pascal cdecl hyper interface environ unix linux
    FAR NEAR PASCAL CONST VOID IN OUT OPTIONAL ERROR NO_ERROR NOERROR DELETE STRICT THIS ABSOLUTE RELATIVE OPAQUE
    TRANSPARENT ALTERNATE WINDING DIFFERENCE DOMAIN OVERFLOW UNDERFLOW CALLBACK TRUE FALSE IGNORE INFINITE GetObject
    LoadImage DrawText DeleteFile CopyFile SendMessage Yield s_addr s_net s_host s_lh s_impno h_addr'
printf '#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n' >"$work/standard.h"
for word in $taken; do printf '#define %s )taken(\n' "$word"; done >"$work/taken.h"
for word in min max major minor; do printf '#define %s(a) )taken(\n' "$word"; done >>"$work/taken.h"

compile() { # compile COMPILER SUFFIX FLAG...
    local compiler=$1 suffix=$2 header
    shift 2
    command -v "$compiler" >/dev/null || return 0
    for header in "$TEEMAP_SOURCE"/include/teemap/*.h; do
        # Included twice: a header guards itself.
        printf '#include <teemap/%s>\n#include <teemap/%s>\nint teemap_header_test;\n' \
            "${header##*/}" "${header##*/}" >"$work/one.$suffix"
        "$compiler" "${flags[@]}" "$@" "$work/one.$suffix" || { echo "$compiler $*: ${header##*/}"; exit 1; }
        "$compiler" -I"$TEEMAP_SOURCE/include" -fsyntax-only "$@" -include "$work/standard.h" -include "$work/taken.h" \
            "$work/one.$suffix" || { echo "$compiler $*: ${header##*/} uses a word that is a macro elsewhere"; exit 1; }
        compiled=$((compiled + 1))
    done
}

for compiler in "${CC:-cc}" gcc clang; do compile "$compiler" c "${c_flags[@]}"; done
for compiler in g++ clang++; do compile "$compiler" cpp -std=c++17 -Wold-style-cast; done
echo "$compiled compilations"
[ "$compiled" -gt 0 ]
