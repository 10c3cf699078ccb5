#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# test-posix: trees of the games on Unix
# What needs files of a game finds them wherever a system has it: images, sheets and rules in made-up trees, by each command; so do the
# tests, `./run` and tools (games.sh). test_mapres.c has all trees and kinds of files.
. "$TEEMAP_SOURCE/tests/cli/lib.sh"
export HOME=$work/home XDG_DATA_HOME=$work/data TEEMAP_ROOT=$work/root
unset APPDATA TEEMAP_MAPRES

teemap new -s 16x16 sky.map
run 0 render sky.map --whole --scale 16 -o picture.png
run 0 edit sky.map -o house.map add image own + add group Design + add layer Design tiles 9x9 + \
    set Design/0.image=image/own Design/0.automapper.present=true Design/0.automapper.config=0 + fill Design/0@2,2+3x3 1
run 0 render house.map --scale 8 -o lacking.png
says err '1 external image is not found (own)'

# tree DATA [DATA OF RULES]: a game there, with one image, a sheet and rules
tree() {
    rm -rf root home data
    mkdir -p "$1/mapres" "$1/editor/entities_clear" "$1/maps" "$1/${2:-editor/automap}"
    cp picture.png "$1/mapres/own.png"
    cp picture.png "$1/editor/entities_clear/ddnet.png"
    cp sky.map "$1/maps/Some Map.map"
    printf '[Basic]\nIndex 2\nPos 0 -1 EMPTY\n' >"$1/${2:-editor/automap}/own.rules"
}

# finds [OPTION...]: all commands do
finds() {
    run 0 doctor --json "$map" "$@"
    json out "o['map']['images'][0]['file'].endswith('/mapres/own.png') and o['map']['rules'][0]['file'].endswith('/own.rules')"
    json out "o['entities'].endswith('/editor/entities_clear/ddnet.png')"
    run 0 render "$map" --scale 8 -o with.png "$@"
    says_not err 'not found'
    ! cmp -s with.png lacking.png || fail 'drawn without its image'
    run 0 render "$map" --entities --scale 8 -o sheet.png "$@"
    run 0 render "$map" --entities --scale 8 --sheet own -o drawn.png "$@"
    ! cmp -s sheet.png drawn.png || fail "the game's sheet was not taken"
    run 1 automap -n "$map" "$@"
    says out "tiles changed by rules 'Basic'"
    run 0 embed "$map" -o embedded.map "$@"
    run 0 info --json embedded.map
    json out "o['counts']['embedded_images'] == 1"
}

map=house.map
for data in "$work/root/usr/share/games/ddnet/data" "$work/root/usr/share/ddnet/data" "$work/home/.local/share/ddnet" \
    "$work/home/.local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data"; do
    tree "$data"
    finds
done
tree "$work/root/usr/share/games/ddnet/data" editor # before 17.3
finds

# An archive that was unpacked: its folder, its data, its images; and a map in it.
tree "$work/home/DDNet-19.1-linux_x86_64/data"
cd home || exit 1
for folder in DDNet-19.1-linux_x86_64/ DDNet-19.1-linux_x86_64/data DDNet-19.1-linux_x86_64/data/mapres/; do
    cp ../lacking.png .
    map=../house.map
    finds --mapres "$folder"
done
cp ../house.map own.map && map=own.map
TEEMAP_MAPRES=DDNet-19.1-linux_x86_64 finds
cp ../house.map DDNet-19.1-linux_x86_64/data/maps/house.map
map=DDNet-19.1-linux_x86_64/data/maps/house.map
finds
cd ..

# Nothing is there, whatever the machine has.
rm -rf root home data
map=house.map
run 1 doctor "$map"
says out 'DDNet: not found' 'Teeworlds: not found' "Entities: drawn with teemap's own sheet" 'own  not found'

# games.sh: DDNet of Debian 12, of Debian 13 and of Arch.
# shellcheck source=tests/support/games.sh
. "$TEEMAP_SOURCE/tests/support/games.sh"
export GAMES_ROOT=$work/root
! games_file ddnet maps || fail 'a game where there is none'
! games_rules || fail 'rules where there is no game'
try_games() { # DATA RULES PROGRAMS TOOLS
    rm -rf root
    mkdir -p "root/$1/mapres" "root/$1/maps" "root/$1/$2" "root/$3" "root/$4"
    touch "root/$1/mapres/own.png" "root/$1/maps/Tutorial.map" "root/$1/$2/grass_main.rules" "root/$3/DDNet-Server" "root/$4/map_resave"
    chmod +x "root/$3/DDNet-Server" "root/$4/map_resave"
    [ "$(games_file ddnet mapres/own.png)" = "$work/root/$1/mapres/own.png" ] || fail "image: $1"
    [ "$(games_file ddnet 'maps/Gold Mine.map' maps/Tutorial.map)" = "$work/root/$1/maps/Tutorial.map" ] || fail "map: $1"
    [ "$(games_rules)" = "$work/root/$1/$2" ] || fail "rules: $1"
    [ "$(games_rules grass_main.rules)" = "$work/root/$1/$2/grass_main.rules" ] || fail "rules: $1"
    [ "$(PATH=/usr/bin:/bin games_program DDNet-Server)" = "$work/root/$3/DDNet-Server" ] || fail "server: $3"
    [ "$(PATH=/usr/bin:/bin games_tool map_resave)" = "$work/root/$4/map_resave" ] || fail "tool: $4"
}
try_games usr/share/games/ddnet/data editor usr/games usr/lib/x86_64-linux-gnu/ddnet
try_games usr/share/games/ddnet/data editor/automap usr/games usr/lib/x86_64-linux-gnu/ddnet
try_games usr/share/ddnet/data editor/automap usr/bin usr/lib/ddnet
