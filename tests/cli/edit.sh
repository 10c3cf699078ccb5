#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# `teemap edit`: operations in order, scripts, many maps, nothing half done; and docs/editing.md is true.
# test-labels: threads
# test-timeout: 300
. "$TEEMAP_SOURCE/tests/cli/lib.sh"

make_map rich.map
run 0 edit rich.map -o out.map rename 0 First + settings clear + settings add 'sv_motd hi' 'tune x 1'
empty out
empty err
run 0 cat out.map settings
is out 'sv_motd hi
tune x 1'
run 0 ls out.map
says out First

# Where to, and what: each mistake is explained, and nothing is written.
run 2 edit rich.map clear '0@0,0+10x' -o a.map # was read as a set
says err "'0@0,0+10x' is not a set of layers with a region after @ like design@10,20+30x40"
run 2 edit rich.map mirror x
says err 'no output: give'
run 2 edit rich.map -o a.map
says err "no operation was given"
run 2 edit mirror x -o a.map
says err 'no map was given'
run 2 edit rich.map -o a.map mirror z
says err "'z' is not one of x y"
run 2 edit rich.map -o a.map clean
says err "after 'clean' expected one of all"
run 2 edit rich.map -o a.map clean all + replace solid freeze
says err "'freeze' is not the word with"
run 2 edit rich.map -o a.map mirorr
says err "there is no operation 'mirorr'; did you mean 'mirror'?"
run 2 edit rich.map -o a.map miror x + clean all # 'x' was named, and with a + nothing
says err "there is no operation 'miror'; did you mean 'mirror'?"
run 2 edit rich.map -o a.map clean envelops
says err "there is no operation 'clean envelops'; did you mean 'clean envelopes'?"
run 0 help edit 'add quad' # the size of a quad was said to be in tiles
says out 'of a quad in px'
run 0 help edit 'clean envelopes'
says out 'remove unused envelopes'
run 2 help edit envelopes
says err "did you mean 'envelope'?"
run 2 help edit mirorr
says err "did you mean 'mirror'?"
run 2 edit rich.map -n set info.autor=x
says err "no field of info is called 'autor'; did you mean 'author'?"
run 2 edit rich.map -n set 1/0.nmae=x # of the layer's own fields only: did you mean 'image'?
says err "is called 'nmae'; did you mean 'name'?"
run 2 edit rich.map -n fill game frezee
says err "'frezee' is not a tile; did you mean 'freeze'?"
run 2 edit rich.map -n replace image 'image/*' desert_main # was: cannot open
says err "there is no file 'desert_main'; the game's image of that name is 'game:desert_main'"
run 2 edit rich.map -n fill 'tiles:name=nowhere' 5 # was: 'add layer' makes one
says err "no layer fits 'tiles:name=nowhere'"
run 2 edit rich.map -n fill gane freeze
says err "'gane' leads to no group or layer; did you mean 'game'?"
run 2 edit rich.map -n fill game@1,1 spawn
says err "@1,1+1x1 is one tile"
run 2 edit rich.map out.map -o a.map mirror x
says err 'several maps'
run 2 edit rich.map -o a.map -i mirror x
says err 'exclude each other'
run 2 edit rich.map -o a.map remove 99
says err 'there is no group 99'
[ ! -e a.map ] || fail 'a.map was written'
no_litter

# Numbers below 0 are no options: -5,0 was refused, though docs/editing.md has it.
run 0 edit rich.map -o back.map shift 5,0 wrap + shift -5,0 wrap
same rich.map back.map
run 2 edit rich.map -o a.map -x
says err "there is no option '-x'"
run 0 edit -v rich.map -n set 0.name=
says out 'name is empty now'

# What falls out of the map was told to lie nowhere in the other one.
run 1 edit rich.map -n paste rich.map 0,0+2x2 -9,-9
says err "comes from 0,0+2x2 to -9,-9"

# All or nothing, when that is asked for: step 1 was not done, step 2 was, and the map was written.
run 1 edit rich.map -o whole.map --all-or-nothing remove 'image/nobody*' + rename 0 B
says err '[no-match]' 'rich.map: nothing is written, as not all could be done'
[ ! -e whole.map ] || fail 'written all the same'
run 0 edit rich.map -o whole.map --all-or-nothing rename 0 B
[ -e whole.map ] || fail 'nothing was written'

# A pattern that fits nothing is status 1, and the rest is done.
run 1 edit rich.map -o a.map remove 'image/nobody*' + rename 0 B
says err '[no-match]'
run 0 ls a.map
says out "'B'"

# There and back.
run 0 edit rich.map -o once.map rotate 90 + rotate 270
run 0 edit once.map -o twice.map rotate 90 + rotate 90 + rotate 180
run 1 copy -g ddnet once.map a.map
run 1 copy -g ddnet twice.map b.map
same a.map b.map

# Dry runs say what would be; in place only what changes is written.
run 0 edit rich.map -n rename 0 New
says out "renamed from 'Back' to 'New' (rename)"
teemap edit - -n rename 0 New <rich.map >out 2>err || fail 'a dry run of standard input' # was: has no name to write to
says out "renamed from 'Back' to 'New' (rename)"
run 0 new -s 20x10 kept.map # rich.map has items that nobody knows: clean keeps what they may refer to
run 0 edit -i kept.map add layer Game tiles
run 0 edit -i kept.map clean all
cp kept.map clean.map
touch -d 2001-01-01 kept.map
run 0 edit -i kept.map clean all
[ -z "$(find kept.map -newermt 2001-01-02)" ] || fail 'written without a change'
run 0 edit -i kept.map rename 0 New
! cmp -s clean.map kept.map || fail 'not written'

# Many maps, of which one fails.
mkdir in
cp rich.map in/a.map
cp rich.map in/b.map
head -c 20 rich.map >in/bad.map
run 2 edit -j 4 -r in -t results settings clear
says err bad.map
[ -e results/in/a.map ] || [ -e results/a.map ] || fail 'a.map is missing'
[ "$(find results -name 'bad.map' | wc -l)" = 0 ] || fail 'bad.map was written'

# Scripts, and through pipes.
printf '# release\nsettings clear\nsettings add "sv_motd a b" # the greeting\n\nmirror x\n' >release.txt
run 0 edit rich.map -o a.map --script release.txt
run 0 cat a.map settings
is out 'sv_motd a b'
teemap edit - -o - mirror x <rich.map >piped.map || fail 'pipes'
run 0 edit rich.map -o b.map mirror x
same piped.map b.map
printf 'mirror x\nfly\n' >bad.txt
run 2 edit rich.map -o c.map --script bad.txt
says err 'bad.txt' 'line 2' "no operation 'fly'"

# Variables: in words, in quotes, by two kinds of brackets; what has no value is named with its line.
printf 'set info.author="$WHO of ${WHERE}s" info.version=$V$$1\n' >vars.txt
run 0 edit rich.map -o a.map --script vars.txt -D 'WHO=A "B" \' -D WHERE=here --define V=1 -D V=2
run 0 cat a.map info
says out 'author: "A \"B\" \\ of heres"' 'version: "2$1"'
printf 'settings clear\nrename 0 $NO\n' >vars.txt
run 2 edit rich.map -o c.map --script vars.txt
says err 'vars.txt' 'line 2' "the variable 'NO' has no value"
run 2 edit rich.map -o c.map --script vars.txt -D 2x=1
says err "'2x=1' is not NAME=VALUE"
run 2 edit rich.map -o c.map rename 0 '$NO' -D NO=1
says err 'there is none'
printf 'rename 0 ${NO\n' >vars.txt
run 2 edit rich.map -o c.map --script vars.txt -D NO=1
says err 'line 1' "'}'"
[ ! -e c.map ] || fail 'c.map was written'

# Settings from text files: as DDNet's config_store does it, and those that are new.
printf '\xef\xbb\xbfsv_motd a\r\n# a comment\r\n\r\ntune x 1' >server.cfg
run 0 edit rich.map -o a.map settings from server.cfg
run 0 cat a.map settings
is out 'sv_motd a
# a comment

tune x 1'
printf 'tune x 1\nsv_new 1\nsv_new 1\n' >more.cfg
run 0 edit a.map -o b.map -v settings from more.cfg new
says err '1 added'
run 0 cat b.map settings
[ "$(tail -n 2 out)" = 'tune x 1
sv_new 1' ] || fail 'settings from FILE new'
cp out again.cfg
run 0 edit -i b.map -v settings from again.cfg
says err 'nothing to change'
: >none.cfg
run 0 edit a.map -o b.map settings from none.cfg
run 0 cat b.map settings
empty out
run 2 edit a.map -o c.map settings from nowhere.cfg
says err nowhere.cfg
run 2 edit a.map -o c.map settings from a.map
says err 'zero byte'
run 0 edit -t "done" in/a.map in/b.map settings from server.cfg
for map in a b; do
    teemap cat done/$map.map settings | cmp -s - <(teemap cat a.map settings) || fail "the settings of $map.map"
done

# The operations, explained; what may follow, as completion asks.
run 0 edit --operations settings from
says out 'settings from FILE [all|new]' 'changes: settings' 'the name of a file' 'all, new; may be left out'
run 0 edit --operations settings
says out 'settings add' 'settings clear'
run 2 edit --operations fly
says err 'there is no operation'
run 0 edit --operations --json
cp out operations.json
run 0 edit --operations --json mirror
json out "o['operation'] == 'mirror' and o['arguments'][0]['choices'] == ['x', 'y'] and not o['arguments'][0]['optional']"
follows() { # EXPECTED WORD...
    local expected=$1
    shift
    run 0 edit --operations --next -- "$@"
    [ "$(tr '\n' ' ' <out)" = "$expected " ] || fail "after '$*': $(tr '\n' ' ' <out)"
}
follows 'x y' a.map mirror
follows '<layers> +' a.map mirror x
follows '+' a.map isolate
follows 'all layers groups envelopes images sounds unread quads tiles' a.map mirror x + clean
follows '<file>' settings from
follows 'all new +' settings from a
follows '<objects>' remove
follows '<objects> +' remove 0
follows '<group>' add layer
run 0 edit --operations --next -- -o b.map a.map
[ "$(head -n 2 out | tr '\n' ' ')" = '<map> set ' ] || fail 'what begins an edit'
[ "$(sort out | uniq -d | wc -l)" = 0 ] || fail 'a word twice'
run 2 edit --next a.map mirror x

# JSON.
run 0 edit --json rich.map -o a.map rename 0 New
json out "o['written'] and o['changes'][0]['address'] == '0' and o['changes'][0]['operation'] == 'rename'"
cp out edit.json
run 2 edit --json rich.map -o a.map remove 99
json out "not o['written'] and o['error']['code'] and o['changes'] == []"
cat out >>edit.json
python3 "$cli_tests/schema.py" "$TEEMAP_SOURCE/docs/schema" edit edit.json operations operations.json
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail 'the schema of edit'

# Images come from the folder of --mapres, and go when they are what it has.
rm -rf mapres && mkdir mapres
teemap new pictures.map >new.out 2>&1 || fail "new: $(cat new.out)"
run 1 edit pictures.map -n --mapres mapres add image nobody_has_it + embed
says err '[image-not-found]'
teemap edit pictures.map -o a.map add image grass_main || fail 'add image'
printf 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' |
    base64 -d >mapres/grass_main.png
run 0 edit a.map -o b.map --mapres mapres embed
teemap ls b.map image/0 | grep -q 'embedded, 1x1' || fail 'embed'
run 0 edit b.map -o c.map --mapres mapres external
teemap ls c.map image/0 | grep -q 'external, 1x1' || fail 'external'
run 0 edit c.map -o d.map replace image image/0 mapres/grass_main.png
cmp -s <(teemap cat d.map image/0) <(teemap cat b.map image/0) || fail 'replace image'
run 2 edit c.map -o d.map replace image image/0 c.map
says err 'neither PNG nor WebP'
rm -rf mapres new.out pictures.map [a-d].map

# docs/editing.md: its table is the library's, and its recipes run.
page=$TEEMAP_SOURCE/docs/editing.md
run 0 edit --operations
[ "$(wc -l <out)" = "$(grep -c '^| `[a-z]' "$page")" ] || fail 'docs/editing.md has another number of operations'
while IFS= read -r line; do
    usage=${line%%  *} help=${line#"$usage"}
    help=${help#"${help%%[! ]*}"}
    grep -qF -e "| \`${usage//|/\\|}\` | $help |" "$page" || fail "docs/editing.md lacks: | \`${usage//|/\\|}\` | $help |"
done <out
recipes=0
# Without the items that nobody knows, and that keep 'clean' from removing anything.
run 0 unpack --plain rich.map known
run 0 pack known known.map
fresh_recipe() {
    cp known.map in.map
    cp known.map other.map
    rm -f out.map
    printf '# the release of $NAME\nset info.version=$VERSION\nsettings from server.cfg\nclean all\n' >build.txt
    printf 'sv_motd Welcome!\ntune gravity 0.4\n' >server.cfg
}
while IFS= read -r line; do
    fresh_recipe
    eval "$line" >recipe.out 2>&1 || fail "recipe: $line: $(cat recipe.out)"
    recipes=$((recipes + 1))
done < <(sed -n 's/^    \(teemap [a-z].*\)/\1/p' "$page")
# What stands behind a dollar sign prints the lines below it.
said=
tell_recipe() {
    [ -z "$said" ] || diff recipe.want recipe.out || fail "recipe: $said"
    said=
}
while IFS= read -r line; do
    case $line in
    '    $ '*)
        tell_recipe
        said=${line#'    $ '}
        fresh_recipe
        eval "$said" >recipe.out 2>&1
        : >recipe.want
        recipes=$((recipes + 1))
        ;;
    '    '*) [ -z "$said" ] || printf '%s\n' "${line#    }" >>recipe.want ;;
    *) tell_recipe ;;
    esac
done <"$page"
tell_recipe
# Filters by field: operations did not take what find takes.
run 0 new filters.map
run 0 edit -i filters.map add envelope color A + add envelope position B + add envelope color C
run 0 edit filters.map -o left.map remove 'envelope/*:channels=4'
teemap ls --addresses left.map >left.out
grep -q 'envelope/B' left.out && ! grep -q 'envelope/[AC]' left.out || fail "filters: $(cat left.out)"
run 2 edit -n filters.map remove 'envelope/*:chanels=4'
says err "no field of envelope is called 'chanels'; did you mean 'channels'?"
rm filters.map left.map left.out
grep -qF -f <(printf '%s\n' '    # the release of $NAME') "$page" || fail 'build.txt in docs/editing.md is another one'
[ $recipes -ge 10 ] || fail "$recipes recipes"
no_litter
