# fish completion for teemap; printed by 'teemap help --completion fish'
function __teemap_is # whether the command is this one
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
function __teemap_actions # one of the actions in $1, then files that end so
    set -l actions (string split ' ' $argv[1])
    for word in (commandline -opc)[3..-1]
        if contains -- $word $actions
            for ending in $argv[2..-1]
                __fish_complete_suffix $ending
            end
            return
        end
    end
    printf '%s\n' $actions
end
function __teemap_addresses
    for word in (commandline -opc)[3..-1]
        if test -f $word
            teemap ls -q --addresses -- $word 2>/dev/null
            return
        end
    end
end
{{#lists}}
set -g __teemap_{{source}} {{#words}}{{.}}{{|}} {{/}}
{{/}}
function __teemap_list # the words given, behind others and a comma or a slash
    set -l before (commandline -ct | string replace -r '^--[a-z-]+=' '' | string match -r '^.*[,/]')
    for one in $argv
        echo "$before$one"
    end
end
function __teemap_patterns # a pattern first, unless an option stands for it
    for word in (commandline -opc)[3..-1]
        if not string match -q -- '-*' $word; or contains -- $word -e --pattern --free
            return
        end
    end
    __teemap_list $__teemap_patterns
end
function __teemap_steps
    for one in (teemap edit --operations --next -- (commandline -opc)[3..-1] 2>/dev/null)
        switch $one
            case '<map>' '<file>'
                __fish_complete_path (commandline -ct)
            case '<layers>' '<objects>' '<group>'
                __teemap_addresses
            case '*'
                echo $one
        end
    end
end
complete -c teemap -f
complete -c teemap -n __fish_use_subcommand -s V -l version -d 'print the version'
{{#commands}}
complete -c teemap -n __fish_use_subcommand -a {{command}} -d '{{summary}}'
{{#options}}
complete -c teemap -n '__teemap_is {{command}}'{{#letter}} -s {{.}}{{/}} -l {{name}} -d '{{text}}'{{#needs}}{{#path}} -r -F{{/}}{{^path}} -x{{/}}{{/}}{{#values}} -a '{{.}}'{{/}}{{#list}} -a '(__teemap_list $__teemap_{{.}})'{{/}}
{{/}}
{{#topic}}
complete -c teemap -n '__teemap_is {{command}}' -a '{{#commands}}{{command}}{{|}} {{/}} {{#topics}}{{.}}{{|}} {{/}}'
{{/}}
{{#action}}
complete -c teemap -n '__teemap_is {{command}}' -a '(__teemap_actions "{{#actions}}{{.}}{{|}} {{/}}" {{#endings}}{{.}}{{|}} {{/}})'
{{/}}
{{#step}}
complete -c teemap -n '__teemap_is {{command}}' -a '(__teemap_steps)'
{{/}}
{{#pattern}}
complete -c teemap -n '__teemap_is {{command}}' -a '(__teemap_patterns)'
{{/}}
{{#address}}
complete -c teemap -n '__teemap_is {{command}}' -a '(__teemap_addresses)'
{{/}}
{{^topic}}
{{^action}}
complete -c teemap -n '__teemap_is {{command}}' -k -a '(__fish_complete_suffix .map)'
{{/}}
{{/}}
{{/}}
