/* SPDX-License-Identifier: Zlib */
/* cmd_help.c - `teemap help`: help texts, manual pages, completion scripts. */
#include "operation_list.h"
#include "options/help.h"
#include "run/tool.h"

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

COMMAND(help, help_options, 0, 3, .operands = {OPERAND_TOPIC});

/* Adds the topic that is most similar to a wrong one. */
static void guess_topic(text *out, const char *wrong)
{
    tm_suggestion meant;
    tm_finding_id id;
    tm_suggestion_begin(&meant, wrong);
    for (size_t i = 0; commands[i]; i++)
        tm_suggestion_try(&meant, commands[i]->name);
    for (size_t i = 0; documents[i].name; i++)
        tm_suggestion_try(&meant, documents[i].name);
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        tm_suggestion_try(&meant, tm_finding_name(id));
    put_meant(out, &meant, "");
}

static int unknown_topic(cli_tool *tool, const char *topic)
{
    text err = {0};
    text_string(&err, "teemap: help: there is no command and no finding ");
    text_quoted(&err, topic);
    guess_topic(&err, topic);
    text_string(&err, " ('teemap help' lists what there is)\n");
    tool_print(tool, &err);
    return STATUS_TROUBLE;
}

/* Explains `edit` and one of its operations, which are several words; returns the exit status. */
static int help_operation(cli_tool *tool)
{
    const help_options *options = tool->options;
    const char *const *words = (const char *const *)tool->operands + 1;
    const bool asked = strcmp(tool->operands[0], "edit") == 0 && !options->man && !options->completion;
    if (asked)
        explain_operations(&tool->out, words, tool->num_operands - 1);
    if (tool->out.size)
        return STATUS_DONE;
    char reason[NO_OPERATION_SIZE] = "give one word, or 'edit' and one of its operations";
    if (asked)
        name_no_operation(reason, words, tool->num_operands - 1);
    return tool_usage(tool, reason);
}

int cmd_help(cli_tool *tool)
{
    const help_options *options = tool->options;
    if (tool->num_operands > 1)
        return help_operation(tool);
    const char *topic = tool->num_operands ? tool->operands[0] : NULL;
    const cli_command *command = topic ? command_find(topic) : NULL;
    const cli_document *document = topic ? document_find(topic) : NULL;
    if (options->completion)
        put_completion(&tool->out, options->completion);
    else if (document)
        (options->man ? put_man_document : put_document)(&tool->out, document);
    else if (command)
        (options->man ? put_man : put_help)(&tool->out, command);
    else if (!topic)
        (options->man ? put_main_man : put_overview)(&tool->out);
    else if (options->man || !put_finding_help(&tool->out, topic))
        return unknown_topic(tool, topic);
    return STATUS_DONE;
}
