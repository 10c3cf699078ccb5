#!/bin/bash
# SPDX-License-Identifier: Zlib
# try.sh OUT COMMAND...: what tools/try_release.sh asks of each program, with the maps of the folder maps.
out=$(realpath "$1")
shift
cd maps || exit
one() { # one NAME ARGUMENT...: what is printed, and the status
    local name=$1
    shift
    "${command[@]}" "$@" >"$out/$name.out" 2>"$out/$name.err" </dev/null
    echo "$?" >"$out/$name.status"
}
command=("$@")
before=
for map in *.map; do
    one "$map.info" info -v "$map"
    one "$map.check" check "$map"
    one "$map.lint" lint --json "$map"
    one "$map.render" render "$map" -o "$out/$map.png" -f
    one "$map.optimize" optimize "$map" -o "$out/$map.optimized"
    [ -z "$before" ] || one "$map.diff" diff "$before" "$map"
    before=$map
done
# npm's program has no WebP to make animations with.
one gallery gallery . -t ../gallery --no-animations
mv ../gallery "$out"
# A program that does not run prints equal nothing for each map.
grep -q . "$out"/*.info.out && [ -n "$(find "$out" -name '*.png' -size +1k)" ]
