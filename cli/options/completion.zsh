#compdef teemap
# zsh completion for teemap; printed by 'teemap help --completion zsh'
_teemap_addresses() {
    local -a found
    local word map number name
    for word in "${(@Q)words[2,CURRENT-1]}"; do
        if [[ -f $word ]]; then map=$word; break; fi
    done
    [[ -n $map ]] || return 1
    while IFS=$'\t' read -r number name; do
        found+=("$number")
        [[ -n $name ]] && found+=("$name")
    done < <(teemap ls -q --addresses -- "$map" 2>/dev/null)
    compadd -a found
}
_teemap_steps() {
    local -a given
    local one
    while read -r one; do
        case $one in
        '<map>') _files -g '*.map(-.)' ;;
        '<file>') _files ;;
        '<layers>' | '<objects>' | '<group>') _teemap_addresses ;;
        *) given+=("$one") ;;
        esac
    done < <(teemap edit --operations --next -- "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)
    compadd -a given
}
local -a known
known=(
@COMMANDS@)
if (( CURRENT == 2 )); then
    _describe command known
    return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
@OPTIONS@esac
