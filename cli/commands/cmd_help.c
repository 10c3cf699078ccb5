/* SPDX-License-Identifier: Zlib */
/* cmd_help.c - `teemap help`: help texts, manual pages, completion scripts. */
#include "words/help.h"
#include "run/tool.h"

#include <stdio.h>

typedef struct help_options {
    common_options common;
    bool man;
    int completion; /* a shell; 0: not given */
} help_options;

static const option_row help_rows[] = {
    {0, "man", NULL, FLAG_AT(help_options, man), .text = "print the manual page (roff)"},
    {0, "completion", "SHELL", CHOICE_AT(help_options, completion, shell_choices),
     .text = "print the completion script for a shell"},
    {0},
};

static int cmd_help(cli_tool *tool);

const command help_command = {
    .name = "help",
    .summary = "explain a command",
    .usages = {"[COMMAND]", "--man [COMMAND]", "--completion SHELL"},
    .text =
        "Prints what 'teemap COMMAND --help' prints. With --man it prints the manual page, with --completion the "
        "script that completes command lines in a shell.",
    .rows = help_rows,
    .options_size = sizeof(help_options),
    .examples = {{"help copy", "what copy does"},
                 {"help --man info | man -l -", "a manual page that is not installed"},
                 {"help --completion bash > ~/.local/share/bash-completion/completions/teemap",
                  "complete commands in bash"}},
    .min_operands = 0,
    .max_operands = 1,
    .operands = {OPERAND_TOPIC},
    .run = cmd_help,
};

static int cmd_help(cli_tool *tool)
{
    const help_options *options = tool->options;
    const command *of = NULL;
    if (options->completion) {
        put_completion(&tool->out, options->completion);
        return STATUS_DONE;
    }
    if (tool->num_operands) {
        of = command_find(tool->operands[0]);
        if (!of) {
            text err = {0};
            text_string(&err, "teemap: help: there is no command ");
            text_quoted(&err, tool->operands[0]);
            text_string(&err, " ('teemap help' lists them)\n");
            tool_say(tool, &err);
            text_release(&err);
            return STATUS_TROUBLE;
        }
    }
    if (options->man)
        put_man(&tool->out, of);
    else if (of)
        put_help(&tool->out, of);
    else
        put_overview(&tool->out);
    return STATUS_DONE;
}
