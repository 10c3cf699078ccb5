/* SPDX-License-Identifier: Zlib */
/* main.c - finds the command that is meant and runs it. */
#include "words/help.h"
#include "run/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unknown_command(const char *name)
{
    const char *names[64];
    size_t num = 0;
    for (size_t i = 0; commands[i] && num < 63; i++)
        names[num++] = commands[i]->name;
    names[num] = NULL;
    text err = {0};
    text_string(&err, "teemap: there is no command ");
    text_quoted(&err, name);
    put_guess(&err, name, names, "");
    text_string(&err, " ('teemap help' lists them)\n");
    fwrite(err.bytes, 1, err.size, stderr);
    text_release(&err);
    return STATUS_TROUBLE;
}

static int run(cli_tool *tool, int num, char **words)
{
    void *options = must_alloc(1, tool->command->options_size);
    int status = STATUS_TROUBLE;
    tool->options = tool->common = options;
    tool->operands = words;
    tool->num_operands = command_parse(tool->command, options, num, words);
    if (tool->num_operands >= 0) {
        tool_warn_of_folders(tool);
        if (tool->common->help)
            put_help(&tool->out, tool->command);
        else
            worsen(&tool->status, tool->command->run(tool));
        status = tool_finish(tool);
    }
    free(options);
    return status;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

int main(int num, char **words)
{
    tm_sys_prepare_program();
    cli_tool tool;
    tool_begin(&tool);
    tool.program = words[0];
    if (num < 2) {
        text err = {0};
        put_overview(&err);
        fwrite(err.bytes, 1, err.size, stderr);
        text_release(&err);
        return STATUS_TROUBLE;
    }
    if (is_one_of(words[1], "--version", "-V")) {
        text_print(&tool.out, "teemap %s\n", tm_version());
        return tool_finish(&tool);
    }
    if (is_one_of(words[1], "--help", "-h")) {
        put_overview(&tool.out);
        return tool_finish(&tool);
    }
    tool.command = command_find(words[1]);
    return tool.command ? run(&tool, num - 2, words + 2) : unknown_command(words[1]);
}
