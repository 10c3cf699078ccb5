#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: git starts the program by itself, which wine does not
# `teemap git`: what it sets and takes back, and the real git with it: diff and log show text, merge, rebase and cherry-pick merge
# maps, with and without conflicts, also where paths have spaces, in bare and in partial clones.
. "$TEEMAP_SOURCE/tests/cli/lib.sh" || exit 1

command -v git >/dev/null || skip "no git here"
[ ${#emulator[@]} = 0 ] || skip "git cannot run an emulated program"
mkdir home
export HOME=$work/home XDG_CONFIG_HOME=$work/home/config GIT_CONFIG_GLOBAL=$work/home/gitconfig GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_EDITOR=true GIT_PAGER=cat
git config --global init.defaultBranch main
git config --global advice.mergeConflict false
cp home/gitconfig clean-config

# From outside of a repository there is nothing to set.
export GIT_CEILING_DIRECTORIES=$work
run 2 git setup
says err 'in no repository'
lines err 1 # git's own words stood above it
run 2 git text
is err "teemap: git: 'text' needs a map: teemap git text MAP" # it asked: did you mean 'text'?
run 2 git setup base.map
says err "'setup' takes no operand"
run 2 info HEAD:a.map
is err 'teemap: HEAD:a.map: cannot open: No such file or directory'
run 2 git setpu
says err 'setup, off, text MAP'

# Setup, again, off: what was there before is there again.
git init -q "my maps"
cd "my maps" || exit 1
printf '*.png binary' >.gitattributes
cp .gitattributes ../attributes
cp .git/config ../config
run 0 git setup
says out 'line added: ' '.gitattributes' 'set: diff.teemap.textconv' 'set: merge.teemap.driver'
grep -qx '\*.png binary' .gitattributes || fail "another line of .gitattributes is gone"
grep -qx '\*.map diff=teemap merge=teemap' .gitattributes || fail "no line for maps"
cp .git/config ../config-set
cp .gitattributes ../attributes-set
run 0 git setup
says out 'already there: ' 'already set: merge.teemap.driver'
! grep -qE '^(set|line added)' out || fail "setup did something again"
same .git/config ../config-set
same .gitattributes ../attributes-set
git config merge.other.driver true
run 0 git off
says out 'line removed: ' 'removed: diff.teemap.textconv'
same .gitattributes ../attributes
! grep -q teemap .git/config || fail "off left something: $(cat .git/config)"
git config merge.other.driver >/dev/null || fail "off removed what is not its own"
run 0 git off
empty out

# Exactly what was added goes, whatever the file was like; what somebody else has set stays.
for text in '' '*.png binary\n' '\n\n'; do
    printf "$text" >.gitattributes
    cp .gitattributes ../attributes
    run 0 git setup
    run 0 git off
    same .gitattributes ../attributes
done
printf '*.png binary' >.gitattributes
run 0 git setup
printf '\n*.jpg binary\n' >>.gitattributes
run 0 git off
printf '*.png binary\n*.jpg binary\n' | cmp - .gitattributes || fail "lines behind ours are not as they were"
rm .gitattributes
git config diff.teemap.textconv 'mine --text'
run 0 git setup
says out 'not changed, since something else has set it: diff.teemap.textconv' 'set: merge.teemap.driver'
run 0 git off
says out 'not changed, since something else has set it: diff.teemap.textconv' 'removed: merge.teemap.driver'
[ "$(git config diff.teemap.textconv)" = 'mine --text' ] || fail "a textconv of the user's own is gone"
git config --unset diff.teemap.textconv
git config diff.teemap.textconv "'/old/place/teemap' git text"
run 0 git setup
says out 'set: diff.teemap.textconv'
run 0 git off

# A file that is not there is made, and goes again.
run 0 git setup
run 0 git off
[ ! -e .gitattributes ] || fail "an empty .gitattributes was left"

# The same for the user.
run 0 git setup --global
says out 'config/git/attributes' 'set: diff.teemap.textconv'
grep -qx '\*.map diff=teemap merge=teemap' "$HOME/config/git/attributes" || fail "no line for all repositories"
run 0 git off --global
[ ! -e "$HOME/config/git/attributes" ] || fail "the user's attributes were left"
! grep -q teemap "$GIT_CONFIG_GLOBAL" || fail "off --global left something"

# ... which then holds in all repositories.
run 0 git setup --global
git init -q ../everywhere
cd ../everywhere || exit 1
make_map a.map
git add a.map
git commit -qm a
git checkout -q -b b
run 0 edit -i a.map settings add 'say b'
git commit -qam b
git checkout -q main
run 0 edit -i a.map settings add 'say main' + rename Game Play
git diff >diff.txt
says diff.txt '+say main'
git commit -qam main
git merge -q -m merged b >merge.txt 2>&1 || { cat merge.txt; fail "git merge with --global"; }
git log -p -1 --first-parent -m --format= >log.txt
says log.txt '+say b'
cd "../my maps" || exit 1
run 0 git off --global

# A real map if there is one.
map="a map.map"
if corpus && [ -e "$TEEMAP_SHARED/corpus/ddnet06/coverage-88a73f.map" ]; then
    cp "$TEEMAP_SHARED/corpus/ddnet06/coverage-88a73f.map" "$map"
    chmod +w "$map"
else
    make_map "$map"
fi
run 0 edit -i "$map" add group Signs + add layer Signs tiles 30x30
run 0 git setup
printf '%s\n' out err '*.txt' >>.git/info/exclude
git add -A
git commit -qm base

change() { # MESSAGE OPERATION...: edits the map and commits it
    local message=$1
    shift
    run 0 edit -i "$map" "$@"
    git commit -qam "$message" || fail "commit of $message"
}
holds() { # TEXT...: the map's text has these
    run 0 git text "$map"
    says out "$@"
}

# diff, show and log tell what changed, in which object.
run 0 edit -i "$map" fill 'Signs/0@1,1+3x2' 5 + settings add 'sv_test 1'
git diff >diff.txt
says diff.txt '-    "0*30",' '+    "0 5*3 0*26"' '+sv_test 1' '@@ groups/Signs/'
says_not diff.txt 'Binary files'
[ "$(grep -c '^[-+] ' diff.txt)" = 4 ] || fail "other lines differ, too"
git commit -qam 'two tiles'
git log -p -1 --format=%s >log.txt
says log.txt '+    "0 5*3 0*26"'
git reset -q --hard HEAD^

# Two branches, merged: each has what it did.
git checkout -q -b left
change left fill 'Signs/0@1,1+3x2' 5 + settings add 'say left'
git checkout -q -b right main
change right fill 'Signs/0@9,9+3x2' 6 + settings add 'say right' + rename Signs Boards
git merge -q -m merged left >merge.txt 2>&1 || { cat merge.txt; fail "git merge"; }
holds '0 5*3 0*26' '0*9 6*3 0*18' 'say left' 'say right' '"Boards"'
git checkout -q -b rebased left
git rebase -q main >/dev/null 2>&1
git cherry-pick right^ >pick.txt 2>&1 || { cat pick.txt; fail "git cherry-pick"; }
holds 'say left' 'say right' '0*9 6*3 0*18'
git checkout -q -b again right^
git rebase left >rebase.txt 2>&1 || { cat rebase.txt; fail "git rebase"; }
holds 'say left' 'say right' '"Boards"' '0 5*3 0*26'
git status --porcelain >status.txt
says_not status.txt .merge_file

# Tiles of one layer, and nothing else, on both sides.
git checkout -q -b upper main
change upper fill 'Signs/0@1,1+3x2' 5
git checkout -q -b lower main
change lower fill 'Signs/0@9,9+3x2' 6
git merge -q -m merged upper >merge.txt 2>&1 || { cat merge.txt; fail "git merge of tiles"; }
holds '0 5*3 0*26' '0*9 6*3 0*18'

# An octopus calls no driver: git refuses it, and nothing is lost.
git checkout -q -b third main
change third settings add 'say third'
! git merge -q -m octopus upper lower right^ >merge.txt 2>&1 || fail "git merges an octopus by drivers now: docs/compare.md"
git reset -q --hard
holds 'say third'

# Conflicts: git stops, the map is one that opens, with both versions in it.
git checkout -q -b one main
change one fill 'Signs/0@3,3+2x2' 5 + set Signs.offset.x=5
git checkout -q -b two main
change two fill 'Signs/0@4,4+2x2' 6 + set Signs.offset.x=7
! git merge one >merge.txt 2>&1 || fail "a conflict was merged"
says merge.txt 'CONFLICT' 'conflict: ' 'both changed 1 tile at 4,4 1x1' 'a map.map: 2 conflicts'
git status --porcelain >status.txt
says status.txt "UU \"$map\""
run 0 check -q "$map"
run 0 ls "$map"
says out "'<<< ours'" "'>>> theirs'"
says merge.txt "to see them: teemap merge --git 'a map.map' --picture conflicts.png"
grep '^to see them: ' merge.txt | sed 's/^to see them: //' >command.txt
(. ./command.txt >/dev/null 2>&1)
[ -s conflicts.png ] || fail "the command that is told draws nothing: $(cat command.txt)"
rm conflicts.png command.txt
# The three versions are had from git's index, whatever lies in the folder now, and from other folders.
run 1 merge --git "$map" --picture ../conflicts.png
says err "$map: 2 conflicts; no map is written"
[ -s ../conflicts.png ] || fail "no picture of conflicts"
cp "$map" ../marked.map
mkdir -p sub
(cd sub && run 1 merge --git "../$map" -o ../../partial.map --partial) || exit 1
run 0 ls ../partial.map
says_not out '>>> theirs'
run 2 merge --git "$map" -o "$map" --ours
run 0 merge --git "$map" -i --theirs=tiles --ours
run 0 git text "$map"
says out '0*4 6 6 0*24'
run 0 ls "$map"
says_not out '>>> theirs'
git add "$map"
run 2 merge --git "$map" -n
says err "git's index has no conflict in it"
run 2 merge --git "$map" "$map" "$map" -n
git merge --abort
! git cherry-pick one >pick.txt 2>&1 || fail "a conflict was picked"
git checkout -q --theirs "$map"
git add "$map"
git cherry-pick --continue >/dev/null 2>&1 || fail "git cherry-pick --continue"
git show one:"$map" >one.txt
run 0 diff "$map" one.txt
git reset -q --hard HEAD^
! git rebase one >rebase.txt 2>&1 || fail "a conflict was rebased"
git rebase --abort

# Both sides have added a map of one name: equal ones are one, of others all that does not exclude each other is in the result.
git checkout -q -b adds-one main
run 0 edit "$map" -o new.map settings add 'say one' + fill 'Signs/0@1,1+3x2' 5
git add new.map
git commit -qm 'one new map'
git checkout -q -b adds-same main
run 0 edit "$map" -o new.map settings add 'say one' + fill 'Signs/0@1,1+3x2' 5
git add new.map
git commit -qm 'the same new map'
git merge -q -m merged adds-one >merge.txt 2>&1 || { cat merge.txt; fail "git merge of equal new maps"; }
git checkout -q -b adds-two main
run 0 edit "$map" -o new.map settings add 'say two' + fill 'Signs/0@9,9+3x2' 6
git add new.map
git commit -qm 'another new map'
git merge -q -m merged adds-one >merge.txt 2>&1 || { cat merge.txt; fail "git merge of two new maps"; }
run 0 git text new.map
says out 'say one' 'say two' '0 5*3 0*26' '0*9 6*3 0*18'
git reset -q --hard HEAD^
git rebase adds-one >rebase.txt 2>&1 || { cat rebase.txt; fail "git rebase of a new map"; }
run 0 git text new.map
says out 'say one' 'say two' '0 5*3 0*26' '0*9 6*3 0*18'

# ... and what excludes each other is a conflict by its address, without a word of a base.
git checkout -q -b adds-three main
run 0 edit "$map" -o new.map settings add 'sv_hit 0' + fill 'Signs/0@2,2+2x2' 6 + set Signs.offset.x=7
git add new.map
git commit -qm 'a third new map'
git checkout -q -b adds-four main
run 0 edit "$map" -o new.map settings add 'sv_hit 1' + fill 'Signs/0@1,1+3x2' 5 + set Signs.offset.x=5
git add new.map
git commit -qm 'a fourth new map'
! git merge adds-three >merge.txt 2>&1 || fail "two new maps were merged"
says merge.txt 'CONFLICT (add/add)' "'Signs': offset.x is 5 in ours, 7 in theirs" '2 tiles differ at 2,2 2x1' '"sv_hit 1" in ours and "sv_hit 0" in theirs' \
    'new.map: 3 conflicts' 'teemap merge --git new.map --picture conflicts.png'
says_not merge.txt .merge_file ', was '
run 0 check -q new.map
run 0 ls new.map
says out "'<<< ours'" "'>>> theirs'"
run 1 merge --git new.map --picture ../added.png --page ../added
says err 'new.map: 3 conflicts; no map is written'
[ -s ../added.png ] && [ -s ../added/index.html ] || fail "no picture, or no page, of two new maps"
run 1 merge --git new.map -n
says err 'new.map: 3 conflicts'
run 1 merge --git new.map -n --json
json out '[c for c in o["conflicts"] if c["kind"] == "field" and c["values"]["base"] is None and c["address"]["base"] is None]'
run 1 merge --git new.map -o ../partial.map --partial
run 0 merge --git new.map -o ../theirs.map --theirs
run 0 git text ../theirs.map
says out 'sv_hit 0' '0 5 6 6 0*26'
run 0 merge --git new.map -i --theirs=settings --ours
run 0 git text new.map
says out 'sv_hit 0' '0 5*3 0*26'
run 0 ls new.map
says_not out '>>> theirs'
git add new.map
git commit -qm 'both new maps'
# An empty file is how git says that there is no base; it says so to whoever asks for it by hand, too.
git show adds-three:new.map >three.txt
git show adds-four:new.map >four.txt
: >none.txt
run 0 merge none.txt four.txt three.txt -o both.txt --theirs=settings --ours
run 0 diff both.txt new.map

# What is said of versions that cannot be merged names the map, not git's files.
git checkout -q -b damaged main
head -c 100 "$map" >short
cat short >"$map"
git commit -qam damaged
! git merge one >merge.txt 2>&1 || fail "a damaged map was merged"
says merge.txt "teemap: $map: "
says_not merge.txt .merge_file
git reset -q --hard
git checkout -q one
! git merge damaged >merge.txt 2>&1 || fail "a damaged map was merged"
says merge.txt "teemap: $map (theirs): "
says_not merge.txt .merge_file
git merge --abort
git checkout -q two

# What is not a map, but is called so, does not stop git diff.
printf 'not a map\n' >other.map
git add other.map
git commit -qm other
printf 'nor this\n' >other.map
git diff --stat >/dev/null || fail "git diff of another file"
git checkout -q other.map

# Files that are no maps were all shown as "no map that can be read", so that git diff said nothing, and merging them kept ours without a mark.
version() { # OID: a pointer of Git LFS, a map whose end is missing, and a map with an unread item
    printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 5\n' "$1" >pointer.map
    { cat "$map"; echo "$1"; } | head -c $((100 + ${#1})) >broken.map
    make_map unread.map
    sed -i "s/\x0b\x00\x00\x00\x16\x00\x00\x00/\x0${#1}\x00\x00\x00\x16\x00\x00\x00/" unread.map
}
version 1
git add pointer.map broken.map unread.map
git commit -qm others
git checkout -q -b other-one
version 22
git diff >diff.txt
says diff.txt '-oid sha256:1' '+oid sha256:22' '-101 bytes' '+102 bytes' '2 parts that teemap does not read'
git commit -qam 'others on one side'
git checkout -q -b other-two HEAD^
version 333
git commit -qam 'others on another'
! git merge other-one >merge.txt 2>&1 || fail "pointers were merged"
says pointer.map '<<<<<<< ours' 'oid sha256:333' 'oid sha256:22' '>>>>>>> theirs'
git merge --abort
git checkout -q two

# A map as git has it in a revision, from the current folder or the root.
mkdir -p sub
run 1 diff "main:$map" "two:$map"
cp out ../told
says out 'offset.x 0 -> 7'
run 0 diff "two:$map" "$map"
(cd sub && run 1 diff "main:$map" "two:../$map" && same out ../../told) || exit 1
run 2 diff "nothing:$map" "$map"
says err "nothing:$map: cannot open"
run 2 diff "--output=x:$map" "$map"

# A conflict is settled by git mergetool.
for side in ours theirs; do
    ! git merge one >merge.txt 2>&1 || fail "a conflict was merged"
    says merge.txt "to resolve them: edit the marks, or teemap merge --git '$map' -i --ours" "then git add '$map'"
    git mergetool -y -t "teemap-$side" >tool.txt 2>&1 </dev/null || { cat tool.txt; fail "git mergetool -t teemap-$side"; }
    git status --porcelain >status.txt
    says_not status.txt UU
    run 0 ls "$map"
    says_not out '>>> theirs'
    run 0 git text "$map"
    if [ $side = ours ]; then says out '"offset": {"x": 7'; else says out '"offset": {"x": 5'; fi
    git reset -q --hard
done

# The summary.
git difftool -y -t teemap main two -- "$map" >summary.txt 2>&1
says summary.txt 'tiles' 'offset.x 0 -> 7'

# A bare clone has its attributes elsewhere; a partial one fetches what it needs.
cd .. || exit 1
git clone -q --bare "my maps" bare.git
cd bare.git || exit 1
run 0 git setup
says out 'info/attributes'
git diff main one >diff.txt
says diff.txt '+    "0*3 5 5 0*25"'
git log -p -1 one --format=%s >log.txt
says log.txt '+    "0*3 5 5 0*25"'
run 0 git off
[ ! -e info/attributes ] || ! grep -q teemap info/attributes || fail "off left the line of a bare repository"
git config uploadpack.allowFilter true
cd .. || exit 1
git clone -q --filter=blob:none "file://$work/bare.git" partial 2>/dev/null
cd partial || exit 1
run 0 git setup
git checkout -q -b left origin/left
git merge -q -m merged origin/right >merge.txt 2>&1 || { cat merge.txt; fail "git merge in a partial clone"; }
holds 'say left' 'say right'

# Found in PATH it is called by its name, else by its path, with whatever stands in it.
cd .. || exit 1
mkdir "bin dir's"
cp "$TEEMAP" "bin dir's/teemap"
git init -q third
cd third || exit 1
(PATH="$work/bin dir's:$PATH" && exec teemap git setup >/dev/null) || fail "setup by name"
[ "$(git config diff.teemap.textconv)" = 'teemap git text' ] || fail "by name: $(git config diff.teemap.textconv)"
"$work/bin dir's/teemap" git setup >/dev/null
[ "$(git config diff.teemap.textconv)" = "'$work/bin dir'\\''s/teemap' git text" ] || fail "by path: $(git config diff.teemap.textconv)"
cp "../my maps/$map" .
git add -A
git commit -qm map
"$TEEMAP" edit -q -i "$map" settings add 'say here'
git diff >diff.txt || fail "git diff with a program in an odd folder"
says diff.txt '+say here'
