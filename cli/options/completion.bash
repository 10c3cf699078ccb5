# bash completion for teemap; printed by 'teemap help --completion bash'
_teemap_map() # prints the first word that is a file
{
    local word
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        word=${word//\\/}
        if [ -f "$word" ]; then printf '%s\n' "$word"; return; fi
    done
}
_teemap_addresses() # WORD [list]: of the map, or of its layers and separated by commas
{
    local word=${1//\\/} before= number name one map
    map=$(_teemap_map)
    if [ -n "${2-}" ] && [[ $word == *,* ]]; then before=${word%,*},; word=${word##*,}; fi
    while IFS=$'\t' read -r number name; do
        if [ -n "${2-}" ] && [[ $number == [a-z]*/* || $number == info || $number == settings ]]; then continue; fi
        for one in "$number" "$name"; do
            if [[ -n $one && $one == "$word"* ]]; then COMPREPLY+=("$before$(printf %q "$one")"); fi
        done
    done < <(if [ -n "${2-}" ]; then printf '%s\n' design physics background foreground; fi
        if [ -n "$map" ]; then teemap ls -q --addresses -- "$map" 2>/dev/null; fi)
}
_teemap_maps()
{
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$1"; compgen -f -X '!*.map' -- "$1")
}
_teemap_actions() # WORD ACTIONS ENDINGS: one of these first, then files that end so
{
    local one ending
    for one in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        if [[ " $2 " == *" $one "* ]]; then
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$1"
                for ending in $3; do compgen -f -X "!*$ending" -- "$1"; done)
            return
        fi
    done
    mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}
_teemap_list() # WORD WORDS: one of these, behind others and a comma or a slash
{
    local last=${1##*[,/]}
    mapfile -t COMPREPLY < <(compgen -P "${1%"$last"}" -W "$2" -- "$last")
    if [[ ${COMPREPLY[*]} == *[/=] ]]; then compopt -o nospace; fi
}
_teemap_pattern() # WORD PATTERNS: a pattern first, unless an option stands for it, then maps
{
    local one
    for one in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        if [[ $one != -* || $one == -e* || $one == --pattern || $one == --free ]]; then
            _teemap_maps "$1"
            return
        fi
    done
    _teemap_list "$1" "$2"
}
_teemap_steps() # WORD: what may stand behind the operations typed so far
{
    local one words=()
    while read -r one; do
        case $one in
        '<map>') _teemap_maps "$1" ;;
        '<file>') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$1") ;;
        '<layers>') _teemap_addresses "$1" list ;;
        '<objects>' | '<group>') _teemap_addresses "$1" ;;
        "$1"*) words+=("$one") ;;
        esac
    done < <(teemap edit --operations --next -- "${COMP_WORDS[@]:2:COMP_CWORD-2}" 2>/dev/null)
    COMPREPLY+=("${words[@]}")
}
_teemap()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options operands actions endings
    local commands='{{#commands}}{{command}}{{|}} {{/}}' topics='{{#topics}}{{.}}{{|}} {{/}}'
{{#lists}}
    local {{source}}='{{#words}}{{.}}{{|}} {{/}}'
{{/}}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    if [ "$word" = = ]; then word=; fi # --option=value comes as three words
    if [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    case ${COMP_WORDS[1]} in
{{#commands}}
    {{command}})
        options='{{#options}}--{{name}}{{#letter}} -{{.}}{{/}}{{|}} {{/}}'
        operands={{#topic}}topic{{/}}{{#pattern}}pattern{{/}}{{#action}}action{{/}}{{#step}}step{{/}}{{#address}}address{{/}}{{#maps}}map{{/}}
        case $before in
{{#options}}
{{#takes}}
        --{{name}}{{#letter}} | -{{.}}{{/}}) {{#path}}compopt -o filenames; mapfile -t COMPREPLY < <(compgen {{#file}}-f{{/}}{{^file}}-d{{/}} -- "$word"); {{/}}{{#layers}}_teemap_addresses "$word" list; {{/}}{{#list}}_teemap_list "$word" "${{.}}"; {{/}}{{#values}}mapfile -t COMPREPLY < <(compgen -W '{{.}}' -- "$word"); {{/}}return ;;
{{/}}
{{/}}
        esac
{{#action}}
        actions='{{#actions}}{{.}}{{|}} {{/}}' endings='{{#endings}}{{.}}{{|}} {{/}}'
{{/}}
        ;;
{{/}}
    *) return ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [ "$operands" = topic ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands $topics" -- "$word")
    elif [ "$operands" = pattern ]; then
        _teemap_pattern "$word" "$patterns"
    elif [ "$operands" = address ] && [ -n "$(_teemap_map)" ]; then
        _teemap_addresses "$word"
    elif [ "$operands" = action ]; then
        _teemap_actions "$word" "$actions" "$endings"
    elif [ "$operands" = step ]; then
        _teemap_steps "$word"
    else
        _teemap_maps "$word"
    fi
}
complete -F _teemap teemap
