#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Help texts, manual pages, completions and the parser all come from one table: each option of each command is in all of them, and
# what is mistyped is explained.
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

run 0 --version
grep -qE '^teemap [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version"
run 0 --help
cp out overview
run 0 help
same out overview
run 2
empty out
same err overview

# The names of the documents once ran into their summaries, "exit-statuswhat".
says overview 'teemap help exit-status  what the exit statuses mean'
commands=$(sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p' overview)
for command in info ls cat copy check new help; do grep -qw $command <<<"$commands" || fail "commands: $commands"; done
run 0 help --man
cp out main.1
for shell in bash zsh fish; do
    run 0 help --completion $shell
    cp out $shell.completion
    if command -v $shell >/dev/null; then $shell -n $shell.completion || fail "syntax of the completion for $shell"; fi
done

for command in $commands; do
    run 0 "$command" --help
    cp out help.txt
    run 0 "$command" -h
    same out help.txt
    run 0 help "$command"
    same out help.txt
    empty err
    says help.txt "usage: teemap $command" Examples "Exit status"
    # Many options stand under headings, few do not.
    if [ "$(grep -c '^  \(-., \|    \)--' help.txt)" -gt 14 ]; then
        says help.txt Output Running
    else
        says help.txt Options
    fi
    ! grep -n '.\{81,\}' help.txt | grep -v '^[0-9]*:  teemap ' || fail "a line of '$command --help' is too long"
    says main.1 "teemap\\-$command (1)"
    run 0 help --man "$command"
    cp out page.1
    if command -v groff >/dev/null; then
        groff -man -Tascii -ww -z page.1 2>roff.err
        empty roff.err
    fi
    options=$(sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' help.txt)
    [ -n "$options" ] || fail "no options in the help of $command"
    for option in $options; do
        says page.1 "${option//-/\\-}\\fR"
        says bash.completion "--$option"
        says zsh.completion "--$option"
        says fish.completion "-l $option"
        # The parser knows it: it complains about something else, or not at all.
        teemap "$command" "--$option" >/dev/null 2>err </dev/null
        says_not err "no option"
    done
done

# bash completes commands, options, values and maps.
complete_bash() { # WORD...: the last one is to be completed
    bash -c '. ./bash.completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _teemap; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$@" | sort | tr '\n' ' '
}
touch 'a.map' 'b c.map' other.txt
mkdir folder
expect_complete() { # EXPECTED WORD...
    local expected=$1
    shift
    [ "$(complete_bash "$@")" = "$expected" ] || fail "completing '$*' gave '$(complete_bash "$@")'"
}
expect_complete 'cat check convert copy ' teemap c
expect_complete '--json ' teemap info --js
expect_complete 'game ' teemap check --mode g
expect_complete 'teeworlds06 teeworlds07 ' teemap copy -g tee
expect_complete 'ddnet ' teemap copy --game = d
expect_complete 'datafile map ' teemap copy --through =
expect_complete 'png raw webp ' teemap render --format ''
expect_complete 'png webp ' teemap tiles --format ''
expect_complete 'checks transparent ' teemap render --background ''
expect_complete 'yes ' teemap render --detail y
expect_complete '6 ' teemap copy -z 6
expect_complete 'ddnet teeworlds06 teeworlds07 ' teemap new --game ''
expect_complete 'a.map b c.map folder ' teemap info ''
expect_complete 'folder ' teemap copy -t ''
touch 'c.rules' 'd e.json'
expect_complete 'check convert ' teemap rules c
expect_complete 'check convert format list preview show ' teemap rules --json ''
expect_complete 'c.rules d e.json folder ' teemap rules check ''
expect_complete 'c.rules ' teemap rules list -v c.rules c.
expect_complete 'c.rules ' teemap rules check -- c.
expect_complete 'ddnet ddnet16 ' teemap rules show --as dd
expect_complete '--watch ' teemap rules check --wat
rm c.rules 'd e.json'
# Words of the library's tables: git's, names of tiles and kinds of objects, rules, sets, mods. They were maps.
expect_complete 'off setup text ' teemap git ''
expect_complete 'text ' teemap git --global te
expect_complete 'a.map b c.map folder ' teemap git text ''
expect_complete 'freeze ' teemap find freez
expect_complete 'tele-in tele-in-evil tele-in-hook tele-in-weapon ' teemap find --json tele-in
expect_complete 'image/ ' teemap find ima
expect_complete 'front/freeze ' teemap find front/freez
expect_complete 'freeze,death ' teemap find freeze,dea
expect_complete 'a.map b c.map folder ' teemap find freeze ''
expect_complete 'freeze ' teemap find -e freez
expect_complete 'freeze ' teemap find -e death --pattern = freez
expect_complete 'a.map b c.map folder ' teemap find -e freeze ''
expect_complete 'a.map b c.map folder ' teemap find --free ''
expect_complete 'tile-in-wall tile-undrawn ' teemap lint --select tile-
expect_complete 'no-start,tile-undrawn ' teemap lint --ignore = no-start,tile-u
expect_complete 'tile-undrawn ' teemap lint --fix-one tile-u
expect_complete 'tile-undrawn ' teemap lint --severity tile-u
expect_complete 'ddnet,style ' teemap lint --rules ddnet,sty
expect_complete 'f-ddrace fng ' teemap lint --mod f
expect_complete 'fng ' teemap render --mod fn
expect_complete 'a.map b c.map folder ' teemap lint ''
expect_complete 'info info-long ' teemap help in
expect_complete 'bad-magic ' teemap help bad-mag
# Addresses come from the map. What a map calls things is never run by the shell.
make_map rich.map
mkdir bin
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${TEEMAP_EMULATOR:-}" "$TEEMAP" >bin/teemap
chmod +x bin/teemap
PATH="$work/bin:$PATH"
expect_complete 'info ' teemap cat rich.map inf
expect_complete 'image/0 image/1 image/2 image/grass_main image/pic image/rgb ' teemap cat rich.map im
expect_complete 'Game Game/Front Game/Game Game/Speedup Game/Switch Game/Tele Game/Tune ' teemap ls -m game rich.map Ga
expect_complete 'Back,design ' teemap render rich.map --layers Back,des
expect_complete ' ' teemap render rich.map --layers im
expect_complete 'mirror ' teemap edit rich.map mir
expect_complete 'x y ' teemap edit rich.map mirror ''
expect_complete 'add clear from remove replace sort ' teemap edit rich.map -o out.map clean all + settings ''
expect_complete 'other.txt ' teemap edit rich.map settings from oth
expect_complete 'Game/Front ' teemap edit rich.map remove Game/F
python3 - "$cli_tests" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import make_map
out = make_map.Writer()
out.add(0, [1])
make_map.tile_layer(out, 1, 'Game', bytes(4 * 12))
out.add(4, [3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0] + make_map.name_ints('$(>ran)', 3))
with open('evil.map', 'wb') as file:
    file.write(out.bytes())
PYTHON
run 0 ls --addresses evil.map
says out '$(>ran)'
expect_complete '\$\(\>ran\) \$\(\>ran\)/Game ' teemap cat evil.map '$'
[ ! -e ran ] || fail 'a name of a map was run by the shell'
run 0 ls --addresses rich.map Game/Front
is out "$(printf '1/3\tGame/Front')"
run 0 ls --addresses rich.map sound
is out "$(printf 'sound/0\tsound/beep')"

# fish runs its script, too.
touch own.rules
if command -v fish >/dev/null; then
    complete_fish() { HOME=$work fish --no-config -c 'source fish.completion; complete -C "$argv[1]"' "$1" | cut -f 1 | tr '\n' ' '; }
    [ "$(complete_fish 'teemap rend')" = 'render ' ] || fail "fish completes 'rend' as '$(complete_fish 'teemap rend')'"
    [ "$(complete_fish 'teemap edit a.map mir')" = 'mirror ' ] || fail "fish completes 'mir' as '$(complete_fish 'teemap edit a.map mir')'"
    [ "$(complete_fish 'teemap rules prev')" = 'preview ' ] || fail "fish completes 'rules prev' as '$(complete_fish 'teemap rules prev')'"
    [ "$(complete_fish 'teemap rules check ow')" = 'own.rules ' ] || fail "fish completes 'rules check ow' as '$(complete_fish 'teemap rules check ow')'"
    [ "$(complete_fish 'teemap git of')" = 'off ' ] || fail "fish completes 'git of' as '$(complete_fish 'teemap git of')'"
    [ "$(complete_fish 'teemap find front/freez')" = 'front/freeze ' ] || fail "fish completes 'find front/freez' as '$(complete_fish 'teemap find front/freez')'"
    [ "$(complete_fish 'teemap find freeze a.m')" = 'a.map ' ] || fail "fish completes 'find freeze a.m' as '$(complete_fish 'teemap find freeze a.m')'"
    [ "$(complete_fish 'teemap lint --select no-start,tile-u')" = 'no-start,tile-undrawn ' ] ||
        fail "fish completes 'lint --select no-start,tile-u' as '$(complete_fish 'teemap lint --select no-start,tile-u')'"
    complete_fish 'teemap rules check --' | grep -q -- '--watch' || fail 'fish does not complete options of rules'
    [ "$(complete_fish 'teemap git of')" = 'off ' ] || fail "fish completes 'git of' as '$(complete_fish 'teemap git of')'"
    [ "$(complete_fish 'teemap find front/freez')" = 'front/freeze ' ] || fail "fish completes 'find front/freez' as '$(complete_fish 'teemap find front/freez')'"
    [ "$(complete_fish 'teemap find freeze a.m')" = 'a.map ' ] || fail "fish completes 'find freeze a.m' as '$(complete_fish 'teemap find freeze a.m')'"
    [ "$(complete_fish 'teemap lint --select no-start,tile-u')" = 'no-start,tile-undrawn ' ] ||
        fail "fish completes 'lint --select no-start,tile-u' as '$(complete_fish 'teemap lint --select no-start,tile-u')'"
    complete_fish 'teemap rules check --' | grep -q -- '--mode' && fail 'fish takes the action check for the command'
    [ "$(complete_fish 'teemap check --mode sal')" = 'salvage ' ] || fail 'fish does not complete a choice'
else
    echo "no fish here: its completion was not run"
fi

# What is mistyped.
run 2 inof
says err "did you mean 'info'?"
run 2 info --jsn x
says err "no option '--jsn'" "did you mean '--json'?"
run 2 info --recompress 3 x
says err "no option '--recompress'"
run 2 copy --gmae=ddnet a b
says err "did you mean '--game'?"
run 2 copy --mode gmae a b
says err "'gmae' is not one of: strict game salvage"
says err "did you mean 'game'?"
run 2 copy --recompress 13 a b
says err "a level from 1 to 12"
run 2 copy a b --mode
says err "'--mode' needs a value"
run 2 info --json=yes x
says err "takes no value"
run 2 info -j0 x
says err "from 1 to 1024"
run 2 new --size 5 x
run 2 new --size 1x5 x
run 2 new --size 5x5x5 x
says err "WIDTHxHEIGHT with numbers from 2 to 10000"
run 2 render --region 1,2,3 x
says err "--region: '1,2,3' is not a region in tiles like 10,20+30x40, or map"
run 2 render --region 1,2,0,4 x
run 2 render --zoom 0 x
says err "from 0.001 to 1000"
run 2 render --background green x
says err "a color as RRGGBB"
run 2 render --limit 2T x
says err "--limit: '2T' is not a number of pixels"
run 2 render --detail maybe x
says err "one of: yes no"
run 2 render --format apng x
says err "one of: png webp raw"
run 2 render --entities= x
says err "--entities"
run 2 render --mapres= x
says err "a folder"
run 2 new a b
says err "'b' is one operand too many"
run 2 cat only.map
says err "usage: teemap cat"
run 2 info "$(printf -- '--\033[31m')"
says_not err "$(printf '\033')"
# What was meant: nothing of it was said.
meant() { # NAME ARGUMENT...
    local name=$1
    shift
    run 2 "$@"
    says err "did you mean $name?"
}
meant "'info'" show
meant "'fix'" repair
meant "'Game'" ls rich.map Gmae
meant "'settings'" cat rich.map setings
meant "'Front'" cat rich.map Game/Fornt
meant "'pic'" cat rich.map image/pci
meant "'tele'" render --layers Teel rich.map -o x.png
meant "'design'" render --layers desing rich.map -o x.png
meant "'spawn'" render --view spwan rich.map -o x.png
run 2 rich.map
says err "a command comes before the map: teemap info rich.map"
for word in version -v; do
    run 0 $word
    says out 'teemap '
done
run 2 help nothing
says err "no command and no finding 'nothing'"
run 2 help bad-magik
says err "did you mean 'bad-magic'?"

# What check prints in brackets is explained where teemap is installed: each id has its explanation, in the same words as the document.
run 0 help bad-magic
says out 'bad-magic' 'strict: refused' 'DATA'
ids=$(sed -n 's/^| `\([a-z0-9-]*\)` | .*/\1/p' "$TEEMAP_SOURCE/docs/findings.md")
[ "$(wc -w <<<"$ids")" -gt 60 ] || fail 'no ids in docs/findings.md'
for document in findings addresses; do
    run 0 help $document
    cp out $document.txt
    ! grep -n '.\{81,\}' $document.txt || fail "a line of 'help $document' is too long"
    says_not $document.txt '`' '**' '](' '|---'
    run 0 help --man $document
    cp out page.7
    says main.1 "teemap\\-$document (7)"
    if command -v groff >/dev/null; then
        groff -man -Tascii -ww -z page.7 2>roff.err
        empty roff.err
    fi
done
run 0 help --man findings
for id in $ids; do
    says findings.txt "$id"
    says out ".B ${id//-/\\-}"
done
for id in $(tail -n 3 <<<"$ids"); do run 0 help "$id"; done
says addresses.txt 'image/0, image/grass_main'
says findings.txt 'Index before the first [name], a Pos' # was: the first name]
run 0 help --man doctor
says out '.SH ENVIRONMENT' TEEMAP_MAPRES '.SH FILES' '.B 1'
run 0 help --man help
says_not out '.B 1'
run 0 help --man check
says out '.B 1' '.SH ENVIRONMENT' NO_COLOR
says_not out TEEMAP_MAPRES

# Letters together, values attached or not, options behind operands, -- before what looks like an option.
run 0 new ./-j.map
run 0 info -vqj2 -- -j.map
says out -j.map
run 0 info -j 2 --mode=strict -- -j.map
run 0 info -- -j.map
run 0 info ./-j.map --mode strict -q
run 2 info -- -j.map --mode
says err "--mode: cannot open"

# An operation of edit was one operand too many.
run 0 help edit quads knife
says out 'quads knife LAYER QUAD X,Y...' 'X,Y in px of the layer' 'example: teemap edit in.map -o out.map quads knife'
run 0 help edit extend
says out 'air, the default: no physics tiles'
run 2 help edit fly
says err "there is no operation 'fly'"
run 2 help edit mirror foo # was: there is no operation 'mirror'; did you mean 'mirror'?
says err "there is no operation 'mirror foo'"
run 2 help copy ls
says err "give one word, or 'edit' and one of its operations"
run 2 help --man edit mirror

# zsh runs its script on a terminal. It once failed on a variable of its own name.
if command -v zsh >/dev/null; then
    need_terminal
    for typed in 'edit a.map mir:mirror' 'edit a.map settings remo:remove' 'rend:render' 'render --missing-l:--missing-list' 'check --mode sal:salvage' 'rules prev:preview' 'rules check own:own.rules'; do
        python3 "$cli_tests/complete_zsh.py" "teemap ${typed%%:*}" "${typed#*:}" || fail "zsh does not complete '${typed%%:*}'"
    done
else
    echo "no zsh here: its completion was not run"
fi
