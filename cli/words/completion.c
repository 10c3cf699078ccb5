/* SPDX-License-Identifier: Zlib */
/*
 * completion.c - completion scripts for bash, zsh and fish from the table of commands. The scripts are plain
 * data: all lists are written out, so completing never runs teemap.
 */
#include "help.h"

#include <stdio.h>
#include <string.h>

static bool takes_value(const option_rule *rule)
{
    return option_needs_value(rule);
}

static bool is_list(const option_rule *rule)
{
    return rule->choices && rule->choices[0] != '@';
}

/* The word of `operands` for the n-th operand; the last one repeats. */
static size_t operand_kind(const char *operands, size_t n, const char **kind)
{
    for (; n && strchr(operands, ' '); n--)
        operands = strchr(operands, ' ') + 1;
    *kind = operands;
    return strcspn(operands, " ");
}

static bool operand_is(const command *of, size_t n, const char *kind)
{
    const char *found;
    size_t length = operand_kind(of->operands, n, &found);
    return strlen(kind) == length && strncmp(found, kind, length) == 0;
}

/* --------------------------------------------------------------------------------------------------- bash */

static void put_bash_command(text *out, const command *of)
{
    text_print(out, "    %s)\n        options='--help -h", of->name);
    for (const command_option *row = of->options; row->id != OPTION_END; row++) {
        const option_rule *rule = &option_rules[row->id];
        text_print(out, " --%s", rule->name);
        if (rule->letter)
            text_print(out, " -%c", rule->letter);
    }
    text_print(out, "'\n        operands=%s\n        ;;\n",
               operand_is(of, 0, "command") ? "command"
               : operand_is(of, 0, "map")   ? "map"
                                            : "file");
}

static void put_bash_values(text *out)
{
    for (int id = OPTION_END + 1; id < OPTION_COUNT; id++) {
        const option_rule *rule = &option_rules[id];
        if (!takes_value(rule))
            continue;
        text_print(out, "    --%s", rule->name);
        if (rule->letter)
            text_print(out, " | -%c", rule->letter);
        if (is_list(rule)) {
            text_print(out, ") COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", rule->choices);
        } else if (rule->choices) {
            text_print(
                out, ") compopt -o filenames; mapfile -t COMPREPLY < <(compgen %s -- \"$word\"); return ;;\n",
                strcmp(rule->choices, "@folder") == 0 ? "-d" : "-f");
        } else {
            text_string(out, ") return ;;\n");
        }
    }
}

static void put_bash(text *out)
{
    text_string(
        out,
        "# bash completion for teemap; printed by 'teemap help --completion bash'\n"
        "_teemap()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options operands\n"
        "    local commands='");
    for (size_t i = 0; i < num_commands; i++)
        text_print(out, "%s%s", i ? " " : "", commands[i].name);
    text_string(out,
                "'\n    COMPREPLY=()\n"
                "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                "        mapfile -t COMPREPLY < <(compgen -W \"$commands --help --version\" -- \"$word\")\n"
                "        return\n    fi\n"
                "    if [ \"$word\" = = ]; then word=; fi # --option=value comes as three words\n"
                "    if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
                "    case $before in\n");
    put_bash_values(out);
    text_string(out, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < num_commands; i++)
        put_bash_command(out, &commands[i]);
    text_string(
        out,
        "    *) return ;;\n    esac\n"
        "    if [[ $word == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
        "    elif [ \"$operands\" = command ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\")\n"
        "    else\n"
        "        compopt -o filenames\n"
        "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -f -X '!*.map' -- \"$word\")\n"
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

static void put_zsh_option(text *out, const command_option *row)
{
    const option_rule *rule = &option_rules[row->id];
    text_string(out, "        ");
    if (rule->letter) {
        text_print(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", rule->letter, rule->name, rule->letter,
                   takes_value(rule) ? "+" : "", rule->name, takes_value(rule) ? "=" : "");
    } else {
        text_print(out, "'--%s%s[", rule->name, takes_value(rule) ? "=" : "");
    }
    put_zsh_text(out, option_text(row));
    text_put(out, "]", 1);
    if (takes_value(rule)) {
        text_print(out, ":%s:", rule->value);
        if (is_list(rule))
            text_print(out, "(%s)", rule->choices);
        else if (rule->choices)
            text_string(out, strcmp(rule->choices, "@folder") == 0 ? "_files -/" : "_files");
    }
    text_string(out, "' \\\n");
}

static void put_zsh_command(text *out, const command *of)
{
    text_print(out, "    %s)\n        _arguments -s -S \\\n", of->name);
    for (const command_option *row = of->options; row->id != OPTION_END; row++)
        put_zsh_option(out, row);
    put_zsh_option(out, command_takes(of, OPTION_HELP));
    if (operand_is(of, 0, "command")) {
        text_string(out, "        '1:command:(");
        for (size_t i = 0; i < num_commands; i++)
            text_print(out, "%s%s", i ? " " : "", commands[i].name);
        text_string(out, ")'\n");
    } else if (operand_is(of, 1, "none")) {
        text_string(out, "        '1:map:_files -g \"*.map(-.)\"' '2:address:'\n");
    } else {
        text_string(out, "        '*:map:_files -g \"*.map(-.)\"'\n");
    }
    text_string(out, "        ;;\n");
}

static void put_zsh(text *out)
{
    text_string(out,
                "#compdef teemap\n# zsh completion for teemap; printed by 'teemap help --completion zsh'\n"
                "local -a commands\ncommands=(\n");
    for (size_t i = 0; i < num_commands; i++) {
        text_print(out, "    '%s:", commands[i].name);
        put_zsh_text(out, commands[i].summary);
        text_string(out, "'\n");
    }
    text_string(out, ")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
                     "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
    for (size_t i = 0; i < num_commands; i++)
        put_zsh_command(out, &commands[i]);
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

static void put_fish_option(text *out, const command *of, const command_option *row)
{
    const option_rule *rule = &option_rules[row->id];
    text_print(out, "complete -c teemap -n '__fish_seen_subcommand_from %s'", of->name);
    if (rule->letter)
        text_print(out, " -s %c", rule->letter);
    text_print(out, " -l %s -d '", rule->name);
    put_fish_text(out, option_text(row));
    text_put(out, "'", 1);
    if (takes_value(rule)) {
        text_string(out, rule->choices && !is_list(rule) ? " -r -F" : " -x");
        if (is_list(rule))
            text_print(out, " -a '%s'", rule->choices);
    }
    text_put(out, "\n", 1);
}

static void put_fish(text *out)
{
    text_string(out, "# fish completion for teemap; printed by 'teemap help --completion fish'\n"
                     "complete -c teemap -f\n"
                     "complete -c teemap -n __fish_use_subcommand -s V -l version -d 'print the version'\n");
    for (size_t i = 0; i < num_commands; i++) {
        const command *of = &commands[i];
        text_print(out, "complete -c teemap -n __fish_use_subcommand -a %s -d '", of->name);
        put_fish_text(out, of->summary);
        text_string(out, "'\n");
        for (const command_option *row = of->options; row->id != OPTION_END; row++)
            put_fish_option(out, of, row);
        put_fish_option(out, of, command_takes(of, OPTION_HELP));
        if (operand_is(of, 0, "command")) {
            text_print(out, "complete -c teemap -n '__fish_seen_subcommand_from %s' -a '", of->name);
            for (size_t k = 0; k < num_commands; k++)
                text_print(out, "%s%s", k ? " " : "", commands[k].name);
            text_string(out, "'\n");
        } else {
            text_print(out,
                       "complete -c teemap -n '__fish_seen_subcommand_from %s' -k -a "
                       "'(__fish_complete_suffix .map)'\n",
                       of->name);
        }
    }
}

void put_completion(text *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        put_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        put_zsh(out);
    else
        put_fish(out);
}
