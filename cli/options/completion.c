/* SPDX-License-Identifier: Zlib */
/*
 * completion.c - completion scripts for bash, zsh and fish from the commands and the rows of their options.
 * All lists are written out; only for the addresses of a map they run teemap ls, and for the words of
 * operations teemap edit --operations --next. A map's names are never expanded by the shell.
 */
#include "help.h"

#include "output/html.h"

#include <teemap/findings.h>

#include <string.h>

/* completion.bash and so on; each ends with a NUL */
extern const unsigned char completion_bash[], completion_zsh[], completion_fish[];

const option_choice shell_choices[] = {
    {"bash", SHELL_BASH, false}, {"zsh", SHELL_ZSH, false}, {"fish", SHELL_FISH, false}, {NULL, 0, false}};

static bool is_file_path(const option_row *row)
{
    return row->type == OPTION_FILE;
}

static void put_commands(text *out, const void *ctx)
{
    (void)ctx;
    for (size_t i = 0; commands[i]; i++)
        text_print(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* What help explains beside commands. */
static void put_topics(text *out, const void *ctx)
{
    tm_finding_id id;
    (void)ctx;
    for (const document *one = documents; one->name; one++)
        text_print(out, "%s%s", one == documents ? "" : " ", one->name);
    for (size_t i = 0; tm_finding_at(&id, i); i++)
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
    if (option_is_path(row)) {
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
    if (option_is_path(row)) {
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
        put_commands(out, NULL);
        text_put(out, " ", 1);
        put_topics(out, NULL);
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

/* The script's list of them is called known: `commands` is a parameter of zsh itself. */
static void put_zsh_summaries(text *out, const void *ctx)
{
    (void)ctx;
    for (size_t i = 0; commands[i]; i++) {
        text_print(out, "    '%s:", commands[i]->name);
        put_zsh_text(out, commands[i]->summary);
        text_string(out, "'\n");
    }
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
        text_string(out, option_is_path(row) ? " -r -F" : " -x");
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
        put_commands(out, NULL);
        text_put(out, " ", 1);
        put_topics(out, NULL);
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

/* ---------------------------------------------------------------------------------------------------- all */

typedef struct shell {
    const unsigned char *script;
    const html_place *places;
    size_t num;
    void (*put)(text *out, const command *of);
} shell;

static void put_each_command(text *out, const void *ctx)
{
    for (size_t i = 0; commands[i]; i++)
        ((const shell *)ctx)->put(out, commands[i]);
}

void put_completion(text *out, int number)
{
    static const html_place bash[] = {
        {"@COMMANDS@", put_commands}, {"@TOPICS@", put_topics}, {"@OPTIONS@", put_each_command}};
    static const html_place zsh[] = {{"@COMMANDS@", put_zsh_summaries}, {"@OPTIONS@", put_each_command}};
    static const html_place fish[] = {{"@OPTIONS@", put_each_command}};
    static const shell shells[] = {[SHELL_BASH] = {completion_bash, bash, 3, put_bash_command},
                                   [SHELL_ZSH] = {completion_zsh, zsh, 2, put_zsh_command},
                                   [SHELL_FISH] = {completion_fish, fish, 1, put_fish_command}};
    html_fill(out, shells[number].script, shells[number].places, shells[number].num, &shells[number]);
}
