#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# teemap.hpp compiles without a warning as C++17 and C++20 by each compiler that is here, and does what cpp/map.cpp says. The program of the
# guide has at most ten lines, and runs.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "cpp: $*"; exit 1; }
flags=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror -I"$TEEMAP_SOURCE/include")
links=("$TEEMAP_BINARY/libteemap.so" -Wl,-rpath,"$TEEMAP_BINARY")
source=$TEEMAP_SOURCE/tests/house/cpp/map.cpp
compilers=()
for compiler in g++ clang++; do ! command -v "$compiler" >/dev/null || compilers+=("$compiler"); done
[ ${#compilers[@]} -gt 0 ] || { echo 'skipped: no compiler of C++'; exit 77; }

for compiler in "${compilers[@]}"; do
    sanitizers=(-g -fsanitize=address,undefined -fno-sanitize-recover=all)
    "$compiler" "${sanitizers[@]}" -x c++ - -o "$work/none" <<<'int main() {}' 2>/dev/null && "$work/none" || sanitizers=()
    "$compiler" -std=c++17 "${flags[@]}" "${sanitizers[@]}" "$source" "${links[@]}" -o "$work/map" || fail "$compiler: C++17"
    "$work/map" "$work/x.map" || fail "$compiler: what it made does something else"
    "$compiler" -std=c++20 "${flags[@]}" -fsyntax-only "$source" || fail "$compiler: C++20"
done

awk '/^```cpp$/ { on = 1; next } /^```$/ { on = 0 } on' "$TEEMAP_SOURCE/docs/library.md" >"$work/first.cpp"
lines=$(wc -l <"$work/first.cpp")
[ "$lines" -gt 0 ] && [ "$lines" -le 10 ] || fail "the program of the guide has $lines lines"
"${compilers[0]}" -std=c++17 "${flags[@]}" "$work/first.cpp" "${links[@]}" -o "$work/first" || fail 'the program of the guide'
cp "$work/x.map" "$work/first.map"
(cd "$work" && ./first) >"$work/printed" || fail 'the program of the guide fails'
[ -s "$work/second.map" ] || fail 'the program of the guide does nothing'
if (cd / && "$work/first") 2>"$work/said"; then fail 'a map that is not there is opened'; fi
grep -q '^first.map: cannot open' "$work/said" || fail "a map that is not there is told as: $(cat "$work/said")"
