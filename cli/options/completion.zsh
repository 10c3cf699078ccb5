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
_teemap_list() { # one of the words of an array, behind others and a comma or a slash
    compset -P '*[,/]'
    compadd -q -S '' -a "teemap_$1"
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
{{#lists}}
local -a teemap_{{source}}
teemap_{{source}}=({{#words}}{{.}}{{|}} {{/}})
{{/}}
local -a known
known=(
{{#commands}}
    '{{command}}:{{summary}}'
{{/}}
)
if (( CURRENT == 2 )); then
    _describe command known
    return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
{{#commands}}
    {{command}})
        _arguments -s -S \
{{#options}}
        {{#letter}}'(-{{.}} --{{name}})'{-{{.}}{{#takes}}+{{/}},--{{name}}{{#needs}}={{/}}{{^needs}}{{#takes}}=-{{/}}{{/}}}'{{/}}{{^letter}}'--{{name}}{{#needs}}={{/}}{{^needs}}{{#takes}}=-{{/}}{{/}}{{/}}[{{text}}]{{#takes}}{{^needs}}:{{/}}:{{value}}:{{#path}}_files{{^file}} -/{{/}}{{/}}{{#values}}({{.}}){{/}}{{#list}}_teemap_list {{.}}{{/}}{{/}}' \
{{/}}
{{#topic}}
        '1:topic:({{#commands}}{{command}}{{|}} {{/}} {{#topics}}{{.}}{{|}} {{/}})'
{{/}}
{{#action}}
        '1:action:({{#actions}}{{.}}{{|}} {{/}})' '*:file:_files -g "*({{#endings}}{{.}}{{|}}|{{/}})(-.)"'
{{/}}
{{#step}}
        '*:operation:_teemap_steps'
{{/}}
{{#pattern}}
        '1:pattern:_teemap_list patterns' '*:map:_files -g "*.map(-.)"'
{{/}}
{{#address}}
        '1:map:_files -g "*.map(-.)"' '2:address:_teemap_addresses'
{{/}}
{{#maps}}
        '*:map:_files -g "*.map(-.)"'
{{/}}
        ;;
{{/}}
esac
