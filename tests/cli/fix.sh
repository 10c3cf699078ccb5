#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap fix`: repairs, what is left, rescue of cut files with numbers, nothing touched that is fine.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 fix --list
says out bad-color visible 'trailing-bytes' safe

# Bytes behind the end: DDNet refuses the file, and afterwards takes it.
{ cat rich.map; printf 'more'; } >long.map
run 1 check -m strict long.map
run 0 fix long.map -o fixed.map
says err '2 repaired, 0 left'
run 0 check -m strict fixed.map
run 0 fix -n long.map
says out 'laid out anew' '(trailing-bytes)'
run 0 fix --json -n long.map
says out '"operation":"trailing-bytes"' '"written":false'

# What is fine stays as it is, to the byte, and with -i is not written.
cp fixed.map fine.map
touch -d '2001-01-01' fine.map
run 0 fix -i fine.map
empty err
[ fine.map -ot rich.map ] || fail 'a map in which nothing is wrong was written'
run 0 fix fine.map -o same.map
cmp fine.map same.map || fail 'a map in which nothing is wrong came out different'

# A cut file: what is left is written, what is lost is told, and the status is never 0.
size=$(stat -c %s rich.map)
head -c $((size - 200)) rich.map >cut.map
run 1 fix cut.map -o rescued.map
says err rescued
run 1 fix --json cut.map -o rescued2.map
says out '"rescue":{' '"written":true'
teemap check -m strict --json rescued.map >judged || true
! grep -q '"data-cut"\|"data-broken"' judged || fail 'the rescued map is still damaged'

# What is no map is not written.
printf 'hello' >no.map
run 2 fix no.map -o none.map
[ ! -e none.map ] || fail 'something was made of what is no map'
run 2 fix -m strict rich.map -o none.map
says err 'mode strict'
run 2 fix rich.map
says err 'where to?'
no_litter
