#!/usr/bin/env bash
# Each public header compiles alone, in C11 and C++17, with strict flags and every compiler that is here. What a
# header may include is checked by arrows.py.
set -euo pipefail
flags=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -fsyntax-only -I"$TEEMAP_SOURCE/include")
c_flags=(-std=c11 -Wstrict-prototypes -Wvla)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiled=0

compile() { # compile COMPILER SUFFIX FLAG...
    local compiler=$1 suffix=$2 header
    shift 2
    command -v "$compiler" >/dev/null || return 0
    for header in "$TEEMAP_SOURCE"/include/teemap/*.h; do
        # Included twice: a header guards itself.
        printf '#include <teemap/%s>\n#include <teemap/%s>\nint teemap_header_test;\n' \
            "${header##*/}" "${header##*/}" >"$work/one.$suffix"
        "$compiler" "${flags[@]}" "$@" "$work/one.$suffix" || { echo "$compiler $*: ${header##*/}"; exit 1; }
        compiled=$((compiled + 1))
    done
}

for compiler in "${CC:-cc}" gcc clang; do compile "$compiler" c "${c_flags[@]}"; done
for compiler in g++ clang++; do compile "$compiler" cpp -std=c++17 -Wold-style-cast; done
echo "$compiled compilations"
[ "$compiled" -gt 0 ]
