/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HELP_H
#define CLI_HELP_H
/* help.h - commands as help texts, manual pages and completion scripts. */
#include "command.h"
#include "document.h"
#include "output/json.h"

/*
 * What the help file of a command (cli/help/NAME.md) says: "summary", "text", "paragraphs", "usages",
 * "examples", and "findings", the meaning of exit status 1, unless it does not end so.
 */
json_t *json_command_help(const command *of);

void put_overview(text *out);
void put_help(text *out, const command *of);

/* A document as plain text. */
void put_document(text *out, const document *of);
/* What is known about a finding, by its id; false: there is no such id. */
bool put_finding_help(text *out, const char *id);

/* NULL: the page of teemap itself. */
void put_man(text *out, const command *of);
void put_man_document(text *out, const document *of);

/* The shells that put_completion knows. */
enum { SHELL_BASH = 1, SHELL_ZSH, SHELL_FISH };
extern const option_choice shell_choices[];
void put_completion(text *out, int shell);

#endif
