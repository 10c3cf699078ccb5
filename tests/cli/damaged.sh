#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# A file that cannot be loaded is told in one line that names it, its place and the reason, by every command: what else was found in it
# stood before that, so that the reason was hard to find. -v tells all of it.
# shellcheck source-path=SCRIPTDIR
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

teemap new good.map >/dev/null || fail 'new'
teemap diff -o none.json good.map good.map >/dev/null || fail 'diff'
teemap extract good.map -t extracted >/dev/null || fail 'extract'
python3 - <<'END' || fail 'the damaged files'
import struct
good = open("good.map", "rb").read()
def write(name, *words, end=None):
    data = bytearray(good[:end])
    for place, value in words:
        struct.pack_into("<i", data, place, value)
    open(name + ".map", "wb").write(data)
def word(place): return struct.unpack_from("<i", good, place)[0]
items = 36 + 12 * word(16)
data = items + 4 * word(20)
write("empty", end=0)
write("short", end=60)
write("magic", (0, 0x58585858))
write("version", (4, 9))
write("zeroed", *((4 * i, 0) for i in range(1, 9)))
write("negative", (20, -1))
write("huge", (20, 2**30))
write("types", (16, word(16) + 3))       # all tables shift: no item has a usable size
write("items", (20, word(20) + 5))
write("offset", (items + 4, -8), (8, 5), (data, 77))
END

commands='check FILE|lint FILE|info FILE|info --facts FILE|ls FILE|ls FILE item/0|cat FILE image/0|find freeze FILE|diff FILE good.map|diff good.map FILE|
diff -o p.json good.map FILE|merge good.map FILE good.map -o out.map|copy FILE out.map|copy --through datafile FILE out.map|copy --game ddnet FILE out.map|
copy -m strict FILE out.map|optimize FILE -o out.map|convert --to teeworlds07 FILE -o out.map|edit FILE -o out.map clean all|
edit good.map -o out.map append FILE|automap FILE -o out.map|patch FILE none.json -o out.map|render FILE -o out.png|thumbnail FILE -o out.png|
extract FILE -t out|unpack FILE out|embed --from extracted FILE -o out.map|size FILE|tiles -t out FILE'

refused=0
for map in empty short magic version zeroed negative huge types items offset; do
    while IFS= read -r -d '|' words; do
        words=${words//$'\n'/}
        rm -rf out out.*
        # shellcheck disable=SC2086 # words
        teemap ${words//FILE/$map.map} >out.txt 2>err.txt </dev/null
        status=$?
        case $words in check* | 'info --facts'*) cat out.txt >>err.txt ;; esac # which tell it as their findings
        [ $status = 2 ] || continue
        refused=$((refused + 1))
        case $words in check* | 'info --facts'*) [ "$(grep -c "$map.map" err.txt)" -ge 1 ] || fail "$words, $map: $(cat err.txt)"; continue ;; esac
        [ "$(wc -l <err.txt)" = 1 ] || fail "$words, $map: not one line: $(cat err.txt)"
        grep -q "$map.map: .*(at byte [0-9]*)" err.txt || fail "$words, $map: neither file, place nor reason: $(cat err.txt)"
    done <<<"$commands|"
done
[ $refused -ge 200 ] || fail "only $refused refusals"

teemap ls types.map >/dev/null 2>one.txt
teemap ls -v types.map >/dev/null 2>all.txt
[ "$(wc -l <all.txt)" -gt "$(wc -l <one.txt)" ] || fail "-v does not tell the findings: $(cat all.txt)"
