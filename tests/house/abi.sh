#!/usr/bin/env bash
# tools/abi.sh lets new functions and enumerators pass, and refuses a changed struct, another number of an enumerator and a lost
# function unless the soname was raised.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v abidiff >/dev/null || { echo "skipped: no abidiff (abigail-tools)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

library() { # library NAME SONAME HEADER
    mkdir -p "$work/$1"
    printf '%s\n' "$3" >"$work/$1/t.h"
    { echo '#include "t.h"'; grep -o 'int f[0-9]*([^)]*)' "$work/$1/t.h" | sed 's/$/ { return p ? p->a : 0; }/'; } >"$work/$1/t.c"
    ${CC:-cc} -g -shared -fPIC -Wl,-soname,"$2" -o "$work/$1/lib.so" "$work/$1/t.c"
}
library old lib.so.1 'enum e { E1 = 1 }; struct s { enum e a; }; int f1(struct s *p); int f2(struct s *p);'
library more lib.so.1 'enum e { E1 = 1, E2 = 2 }; struct s { enum e a; }; int f1(struct s *p); int f2(struct s *p); int f3(struct s *p);'
library renumbered lib.so.1 'enum e { E1 = 2 }; struct s { enum e a; }; int f1(struct s *p); int f2(struct s *p);'
library less lib.so.1 'enum e { E1 = 1 }; struct s { enum e a; }; int f1(struct s *p);'
library wider lib.so.1 'enum e { E1 = 1 }; struct s { enum e a; int b; }; int f1(struct s *p); int f2(struct s *p);'
library raised lib.so.2 'enum e { E1 = 1 }; struct s { enum e a; int b; }; int f1(struct s *p);'
for row in more:0 renumbered:1 less:1 wider:1 raised:0; do
    status=0
    bash ../../tools/abi.sh "$work/old/lib.so" "$work/old" "$work/${row%:*}/lib.so" "$work/${row%:*}" >"$work/said" || status=$?
    [ "$status" = "${row#*:}" ] || { cat "$work/said"; echo "abi.sh ends with $status for '${row%:*}'"; exit 1; }
done
