#!/usr/bin/env bash
# src/sys compiles for the systems that we have no machine of: the branches that it takes on macOS, FreeBSD and a Unix
# without a name are compiled with this machine's headers, which show what those would. `off64_t`, copy_file_range,
# getentropy and _SC_NPROCESSORS_ONLN once were used where they are not.
set -euo pipefail
here=$TEEMAP_SOURCE/tests/house/systems
flags=(-std=c11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wundef -Wstrict-prototypes -Wmissing-prototypes -Werror -fsyntax-only
    -D_FILE_OFFSET_BITS=64 -I"$TEEMAP_SOURCE/include" -I"$TEEMAP_SOURCE/src")
compiled=0

compile() { # compile SYSTEM FLAG...
    local system=$1 compiler file
    shift
    for compiler in "${CC:-cc}" clang; do
        command -v "$compiler" >/dev/null || continue
        for file in "$TEEMAP_SOURCE"/src/sys/*.c "$TEEMAP_SOURCE"/src/sys/posix/*.c; do
            "$compiler" "${flags[@]}" "$@" "$file" || { echo "${file##*/} does not compile for $system with $compiler"; exit 1; }
            compiled=$((compiled + 1))
        done
    done
}

[ "$(uname -s)" = Linux ] || { echo "skipped: these are headers of $(uname -s), which cannot be taken for others"; exit 77; }
bsd=(-U__linux__ -U__gnu_linux__ -Ulinux -D_DEFAULT_SOURCE -isystem "$here" -include "$here/bsd.h")
compile macOS "${bsd[@]}" -D__APPLE__=1
compile 'FreeBSD 14' "${bsd[@]}" -D__FreeBSD__=14
compile 'FreeBSD 12' "${bsd[@]}" -D__FreeBSD__=12
compile OpenBSD "${bsd[@]}" -D__OpenBSD__=1
compile 'another Unix' -U__linux__ -U__gnu_linux__ -Ulinux
compile POSIX -DTMI_PLAIN_POSIX
echo "$compiled compilations"
