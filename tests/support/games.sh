#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Where the games of this machine are, whichever release and whoever packaged it. Sourced by tests, `./run` and tools; run by programs
# in other languages, with a function's name without `games_` and its arguments.
#
#   games_file GAME PATH...      the first of these files or folders in the data folders of GAME (ddnet, teeworlds)
#   games_rules [NAME.rules]     DDNet's folder of automapper rules, or one file in it
#   games_program NAME...        the first of these programs, where games are put or in PATH
#   games_tool NAME              one of DDNet's programs for maps, such as map_resave
#
# Each prints a path, or prints nothing and returns 1. src/mapres/data_folders.c knows the same places, and users' own; a test that
# found files by it would not notice when it finds none. GAMES_ROOT, for a test of this file, is a folder in place of /.

games_data() { # GAME: its data folders, also those that are not there
    local base
    for base in /usr/share/games /usr/share /usr/local/share/games /usr/local/share /usr/pkg/share /opt; do
        printf '%s\n' "${GAMES_ROOT:-}$base/$1/data"
    done
    case $1 in
    ddnet) printf '%s\n' "$HOME/.local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data" ;;
    teeworlds) printf '%s\n' "$HOME/.local/share/Steam/steamapps/common/Teeworlds/tw/data" ;;
    esac
}

games_file() {
    local game=$1 folder path
    shift
    while IFS= read -r folder; do
        for path in "$@"; do
            if [ -e "$folder/$path" ]; then printf '%s\n' "$folder/$path" && return; fi
        done
    done < <(games_data "$game")
    return 1
}

# Since 17.3 in a folder of their own.
games_rules() {
    local folder
    if [ $# -gt 0 ]; then
        games_file ddnet "editor/automap/$1" "editor/$1"
    else
        folder=$(dirname "$(games_rules grass_main.rules)")
        [ "$folder" != . ] && printf '%s\n' "$folder"
    fi
}

games_program() {
    local name own=''
    for name in /usr/games /usr/bin /usr/local/games; do own=$own${GAMES_ROOT:-}$name:; done
    own=$own$HOME/.local/share/Steam/steamapps/common/DDraceNetwork/ddnet
    for name in "$@"; do
        PATH=$own:$PATH command -v "$name" && return
    done
    return 1
}

games_tool() {
    local path
    for path in "${GAMES_ROOT:-}"/usr/lib/{*/,}ddnet/"$1" "${GAMES_ROOT:-}"/usr/libexec/ddnet/"$1"; do
        if [ -x "$path" ]; then printf '%s\n' "$path" && return; fi
    done
    games_program "$1"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then "games_$1" "${@:2}"; fi
