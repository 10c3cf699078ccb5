/* SPDX-License-Identifier: Zlib */
/*
 * completion.c - completion scripts for bash, zsh and fish from the commands and the rows of their options.
 * All lists are written out; only for the addresses of a map they run teemap ls, and for the words of
 * operations teemap edit --operations --next. A map's names are never expanded by the shell.
 */
#include "help.h"

#include <teemap/findings.h>

#include <string.h>

const option_choice shell_choices[] = {
    {"bash", SHELL_BASH, false}, {"zsh", SHELL_ZSH, false}, {"fish", SHELL_FISH, false}, {NULL, 0, false}};

static bool is_path(const option_row *row)
{
    return row->type == OPTION_FILE || row->type == OPTION_FOLDER || row->type == OPTION_FOLDERS;
}

static bool is_file_path(const option_row *row)
{
    return row->type == OPTION_FILE;
}

static void put_commands(text *out)
{
    for (size_t i = 0; commands[i]; i++)
        text_print(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* What help explains beside commands. */
static void put_topics(text *out)
{
    tm_finding_id id;
    for (const document *one = documents; one->name; one++)
        text_print(out, "%s%s", one == documents ? "" : " ", one->name);
    for (size_t i = 0; tm_finding_at(i, &id); i++)
        text_print(out, " %s", tm_finding_name(id));
}

static void put_actions(text *out, const command *of)
{
    for (size_t i = 0; of->actions && of->actions[i]; i++)
        text_print(out, "%s%s", i ? " " : "", of->actions[i]);
}

static void put_endings(text *out, const command *of, const char *between)
{
    for (size_t i = 0; of->endings && of->endings[i]; i++)
        text_print(out, "%s%s", i ? between : "", of->endings[i]);
}

/* --------------------------------------------------------------------------------------------------- bash */

static void put_bash_value(text *out, const option_row *row)
{
    text_print(out, "        --%s", row->name);
    if (row->letter)
        text_print(out, " | -%c", row->letter);
    text_string(out, ") ");
    if (is_path(row)) {
        text_print(out,
                   "compopt -o filenames; mapfile -t COMPREPLY < <(compgen %s -- \"$word\"); return ;;\n",
                   is_file_path(row) ? "-f" : "-d");
        return;
    }
    if (row->type == OPTION_LAYERS) {
        text_string(out, "_teemap_addresses \"$word\" list; return ;;\n");
        return;
    }
    text values = {0};
    if (option_put_values(&values, row)) {
        text_string(out, "mapfile -t COMPREPLY < <(compgen -W '");
        text_put(out, values.bytes, values.size);
        text_string(out, "' -- \"$word\"); return ;;\n");
    } else {
        text_string(out, "return ;;\n");
    }
    text_release(&values);
}

static void put_bash_command(text *out, const command *of)
{
    const option_row *row;
    text_print(out, "    %s)\n        options='", of->name);
    for (size_t i = 0; (row = command_option(of, i)); i++) {
        text_print(out, "%s--%s", i ? " " : "", row->name);
        if (row->letter)
            text_print(out, " -%c", row->letter);
    }
    text_print(out, "'\n        operands=%s\n        case $before in\n",
               of->operands[0] == OPERAND_TOPIC            ? "topic"
               : of->actions                               ? "action"
               : command_operand(of, 1) == OPERAND_STEP    ? "step"
               : command_operand(of, 1) == OPERAND_ADDRESS ? "address"
                                                           : "map");
    for (size_t i = 0; (row = command_option(of, i)); i++)
        if (option_takes_value(row))
            put_bash_value(out, row);
    text_string(out, "        esac\n");
    if (of->actions) {
        text_string(out, "        actions='");
        put_actions(out, of);
        text_string(out, "' endings='");
        put_endings(out, of, " ");
        text_string(out, "'\n");
    }
    text_string(out, "        ;;\n");
}

static void put_bash(text *out)
{
    text_string(
        out,
        "# bash completion for teemap; printed by 'teemap help --completion bash'\n"
        "_teemap_map() # prints the first word that is a file\n{\n"
        "    local word\n"
        "    for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
        "        word=${word//\\\\/}\n"
        "        if [ -f \"$word\" ]; then printf '%s\\n' \"$word\"; return; fi\n"
        "    done\n}\n"
        "_teemap_addresses() # WORD [list]: of the map, or of its layers and separated by commas\n{\n"
        "    local word=${1//\\\\/} before= number name one map\n"
        "    map=$(_teemap_map)\n"
        "    if [ -n \"${2-}\" ] && [[ $word == *,* ]]; then before=${word%,*},; word=${word##*,}; fi\n"
        "    while IFS=$'\\t' read -r number name; do\n"
        "        if [ -n \"${2-}\" ] && [[ $number == [a-z]*/* || $number == info || $number == settings ]]; then continue; fi\n"
        "        for one in \"$number\" \"$name\"; do\n"
        "            if [[ -n $one && $one == \"$word\"* ]]; then COMPREPLY+=(\"$before$(printf %q \"$one\")\"); fi\n"
        "        done\n"
        "    done < <(if [ -n \"${2-}\" ]; then printf '%s\\n' design physics background foreground; fi\n"
        "        if [ -n \"$map\" ]; then teemap ls -q --addresses -- \"$map\" 2>/dev/null; fi)\n}\n"
        "_teemap_maps()\n{\n"
        "    compopt -o filenames\n"
        "    mapfile -t COMPREPLY < <(compgen -d -- \"$1\"; compgen -f -X '!*.map' -- \"$1\")\n}\n"
        "_teemap_actions() # WORD ACTIONS ENDINGS: one of these first, then files that end so\n{\n"
        "    local one ending\n"
        "    for one in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
        "        if [[ \" $2 \" == *\" $one \"* ]]; then\n"
        "            compopt -o filenames\n"
        "            mapfile -t COMPREPLY < <(compgen -d -- \"$1\"\n"
        "                for ending in $3; do compgen -f -X \"!*$ending\" -- \"$1\"; done)\n"
        "            return\n"
        "        fi\n"
        "    done\n"
        "    mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\")\n}\n"
        "_teemap_steps() # WORD: what may stand behind the operations typed so far\n{\n"
        "    local one words=()\n"
        "    while read -r one; do\n"
        "        case $one in\n"
        "        '<map>') _teemap_maps \"$1\" ;;\n"
        "        '<file>') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$1\") ;;\n"
        "        '<layers>') _teemap_addresses \"$1\" list ;;\n"
        "        '<objects>' | '<group>') _teemap_addresses \"$1\" ;;\n"
        "        \"$1\"*) words+=(\"$one\") ;;\n"
        "        esac\n"
        "    done < <(teemap edit --operations --next -- \"${COMP_WORDS[@]:2:COMP_CWORD-2}\" 2>/dev/null)\n"
        "    COMPREPLY+=(\"${words[@]}\")\n}\n"
        "_teemap()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options operands actions endings\n"
        "    local commands='");
    put_commands(out);
    text_string(out, "' topics='");
    put_topics(out);
    text_string(out,
                "'\n    COMPREPLY=()\n"
                "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                "        mapfile -t COMPREPLY < <(compgen -W \"$commands --help --version\" -- \"$word\")\n"
                "        return\n    fi\n"
                "    if [ \"$word\" = = ]; then word=; fi # --option=value comes as three words\n"
                "    if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
                "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; commands[i]; i++)
        put_bash_command(out, commands[i]);
    text_string(out, "    *) return ;;\n    esac\n"
                     "    if [[ $word == -* ]]; then\n"
                     "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
                     "    elif [ \"$operands\" = topic ]; then\n"
                     "        mapfile -t COMPREPLY < <(compgen -W \"$commands $topics\" -- \"$word\")\n"
                     "    elif [ \"$operands\" = address ] && [ -n \"$(_teemap_map)\" ]; then\n"
                     "        _teemap_addresses \"$word\"\n"
                     "    elif [ \"$operands\" = action ]; then\n"
                     "        _teemap_actions \"$word\" \"$actions\" \"$endings\"\n"
                     "    elif [ \"$operands\" = step ]; then\n"
                     "        _teemap_steps \"$word\"\n"
                     "    else\n"
                     "        _teemap_maps \"$word\"\n"
                     "    fi\n}\n"
                     "complete -F _teemap teemap\n");
}

/* ---------------------------------------------------------------------------------------------------- zsh */

/* Inside '...[...]' of _arguments. */
static void put_zsh_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (strchr("[]:\\", *string))
            text_put(out, "\\", 1);
        text_string(out, *string == '\'' ? "'\\''" : (char[2]){*string, '\0'});
    }
}

static void put_zsh_value(text *out, const option_row *row)
{
    text_print(out, ":%s:", row->value);
    if (is_path(row)) {
        text_string(out, is_file_path(row) ? "_files" : "_files -/");
        return;
    }
    text values = {0};
    if (option_put_values(&values, row)) {
        text_put(out, "(", 1);
        text_put(out, values.bytes, values.size);
        text_put(out, ")", 1);
    }
    text_release(&values);
}

static void put_zsh_option(text *out, const option_row *row)
{
    const char *more = option_needs_value(row) ? "=" : option_takes_value(row) ? "=-" : "";
    text_string(out, "        ");
    if (row->letter) {
        text_print(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, *more ? "+" : "",
                   row->name, more);
    } else {
        text_print(out, "'--%s%s[", row->name, more);
    }
    put_zsh_text(out, row->text);
    text_put(out, "]", 1);
    if (*more) {
        if (!option_needs_value(row))
            text_put(out, ":", 1); /* it may be left out */
        put_zsh_value(out, row);
    }
    text_string(out, "' \\\n");
}

static void put_zsh_command(text *out, const command *of)
{
    const option_row *row;
    text_print(out, "    %s)\n        _arguments -s -S \\\n", of->name);
    for (size_t i = 0; (row = command_option(of, i)); i++)
        put_zsh_option(out, row);
    if (of->operands[0] == OPERAND_TOPIC) {
        text_string(out, "        '1:topic:(");
        put_commands(out);
        text_put(out, " ", 1);
        put_topics(out);
        text_string(out, ")'\n");
    } else if (of->actions) {
        text_string(out, "        '1:action:(");
        put_actions(out, of);
        text_string(out, ")' '*:file:_files -g \"*(");
        put_endings(out, of, "|");
        text_string(out, ")(-.)\"'\n");
    } else if (command_operand(of, 1) == OPERAND_STEP) {
        text_string(out, "        '*:operation:_teemap_steps'\n");
    } else if (command_operand(of, 1) == OPERAND_ADDRESS) {
        text_string(out, "        '1:map:_files -g \"*.map(-.)\"' '2:address:_teemap_addresses'\n");
    } else {
        text_string(out, "        '*:map:_files -g \"*.map(-.)\"'\n");
    }
    text_string(out, "        ;;\n");
}

static void put_zsh(text *out)
{
    text_string(out,
                "#compdef teemap\n# zsh completion for teemap; printed by 'teemap help --completion zsh'\n"
                "_teemap_addresses() {\n"
                "    local -a found\n"
                "    local word map number name\n"
                "    for word in \"${(@Q)words[2,CURRENT-1]}\"; do\n"
                "        if [[ -f $word ]]; then map=$word; break; fi\n"
                "    done\n"
                "    [[ -n $map ]] || return 1\n"
                "    while IFS=$'\\t' read -r number name; do\n"
                "        found+=(\"$number\")\n"
                "        [[ -n $name ]] && found+=(\"$name\")\n"
                "    done < <(teemap ls -q --addresses -- \"$map\" 2>/dev/null)\n"
                "    compadd -a found\n"
                "}\n"
                "_teemap_steps() {\n"
                "    local -a given\n"
                "    local one\n"
                "    while read -r one; do\n"
                "        case $one in\n"
                "        '<map>') _files -g '*.map(-.)' ;;\n"
                "        '<file>') _files ;;\n"
                "        '<layers>' | '<objects>' | '<group>') _teemap_addresses ;;\n"
                "        *) given+=(\"$one\") ;;\n"
                "        esac\n"
                "    done < <(teemap edit --operations --next -- \"${(@Q)words[2,CURRENT-1]}\" 2>/dev/null)\n"
                "    compadd -a given\n"
                "}\n"
                "local -a known\nknown=(\n"); /* `commands` is a parameter of zsh itself */
    for (size_t i = 0; commands[i]; i++) {
        text_print(out, "    '%s:", commands[i]->name);
        put_zsh_text(out, commands[i]->summary);
        text_string(out, "'\n");
    }
    text_string(out, ")\nif (( CURRENT == 2 )); then\n    _describe command known\n    return\nfi\n"
                     "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
    for (size_t i = 0; commands[i]; i++)
        put_zsh_command(out, commands[i]);
    text_string(out, "esac\n");
}

/* --------------------------------------------------------------------------------------------------- fish */

static void put_fish_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (*string == '\'' || *string == '\\')
            text_put(out, "\\", 1);
        text_put(out, string, 1);
    }
}

static void put_fish_option(text *out, const command *of, const option_row *row)
{
    text values = {0};
    text_print(out, "complete -c teemap -n '__teemap_is %s'", of->name);
    if (row->letter)
        text_print(out, " -s %c", row->letter);
    text_print(out, " -l %s -d '", row->name);
    put_fish_text(out, row->text);
    text_put(out, "'", 1);
    if (option_needs_value(row))
        text_string(out, is_path(row) ? " -r -F" : " -x");
    if (option_put_values(&values, row)) {
        text_string(out, " -a '");
        text_put(out, values.bytes, values.size);
        text_put(out, "'", 1);
    }
    text_put(out, "\n", 1);
    text_release(&values);
}

static void put_fish_command(text *out, const command *of)
{
    const option_row *row;
    text_print(out, "complete -c teemap -n __fish_use_subcommand -a %s -d '", of->name);
    put_fish_text(out, of->summary);
    text_string(out, "'\n");
    for (size_t i = 0; (row = command_option(of, i)); i++)
        put_fish_option(out, of, row);
    text_print(out, "complete -c teemap -n '__teemap_is %s' ", of->name);
    if (of->operands[0] == OPERAND_TOPIC) {
        text_string(out, "-a '");
        put_commands(out);
        text_put(out, " ", 1);
        put_topics(out);
        text_string(out, "'\n");
    } else if (of->actions) {
        text_string(out, "-a '(__teemap_actions \"");
        put_actions(out, of);
        text_string(out, "\" ");
        put_endings(out, of, " ");
        text_string(out, ")'\n");
    } else {
        if (command_operand(of, 1) == OPERAND_STEP)
            text_print(out, "-a '(__teemap_steps)'\ncomplete -c teemap -n '__teemap_is %s' ", of->name);
        if (command_operand(of, 1) == OPERAND_ADDRESS)
            text_print(out, "-a '(__teemap_addresses)'\ncomplete -c teemap -n '__teemap_is %s' ", of->name);
        text_string(out, "-k -a '(__fish_complete_suffix .map)'\n");
    }
}

static void put_fish(text *out)
{
    text_string(out,
                "# fish completion for teemap; printed by 'teemap help --completion fish'\n"
                "function __teemap_is # whether the command is this one\n"
                "    set -l words (commandline -opc)\n"
                "    test \"$words[2]\" = \"$argv[1]\"\n"
                "end\n"
                "function __teemap_actions # one of the actions in $1, then files that end so\n"
                "    set -l actions (string split ' ' $argv[1])\n"
                "    for word in (commandline -opc)[3..-1]\n"
                "        if contains -- $word $actions\n"
                "            for ending in $argv[2..-1]\n"
                "                __fish_complete_suffix $ending\n"
                "            end\n"
                "            return\n"
                "        end\n"
                "    end\n"
                "    printf '%s\\n' $actions\n"
                "end\n"
                "function __teemap_addresses\n"
                "    for word in (commandline -opc)[3..-1]\n"
                "        if test -f $word\n"
                "            teemap ls -q --addresses -- $word 2>/dev/null\n"
                "            return\n"
                "        end\n"
                "    end\n"
                "end\n"
                "function __teemap_steps\n"
                "    for one in (teemap edit --operations --next -- (commandline -opc)[3..-1] 2>/dev/null)\n"
                "        switch $one\n"
                "            case '<map>' '<file>'\n"
                "                __fish_complete_path (commandline -ct)\n"
                "            case '<layers>' '<objects>' '<group>'\n"
                "                __teemap_addresses\n"
                "            case '*'\n"
                "                echo $one\n"
                "        end\n"
                "    end\n"
                "end\n"
                "complete -c teemap -f\n"
                "complete -c teemap -n __fish_use_subcommand -s V -l version -d 'print the version'\n");
    for (size_t i = 0; commands[i]; i++)
        put_fish_command(out, commands[i]);
}

void put_completion(text *out, int shell)
{
    static void (*const put[])(text * out) = {
        [SHELL_BASH] = put_bash, [SHELL_ZSH] = put_zsh, [SHELL_FISH] = put_fish};
    put[shell](out);
}
