/* SPDX-License-Identifier: Zlib */
/* cmd_help.c - `teemap help`: help texts, manual pages, completion scripts. */
#include "words/help.h"
#include "run/tool.h"

#include <stdio.h>

int cmd_help(cli_tool *tool)
{
    const command *of = NULL;
    if (tool->options.completion) {
        put_completion(&tool->out, tool->options.completion);
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
    if (tool->options.man)
        put_man(&tool->out, of);
    else if (of)
        put_help(&tool->out, of);
    else
        put_overview(&tool->out);
    return STATUS_DONE;
}
