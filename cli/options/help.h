/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HELP_H
#define CLI_HELP_H
/* help.h - the table of commands as help texts, manual pages and completion scripts. */
#include "command.h"
#include "document.h"

void put_overview(text *out);
void put_help(text *out, const command *of);

/* A document as plain text. */
void put_document(text *out, const document *of);
/* What is known about a finding, by its id; false: there is no such id. */
bool put_finding_help(text *out, const char *id);

/* What exit status 0, 1 or 2 of a command (NULL: of any) means; false: it does not end so. */
bool put_status_meaning(text *out, const command *of, int status);

/* NULL: the page of teemap itself. */
void put_man(text *out, const command *of);
void put_man_document(text *out, const document *of);

/* The shells that put_completion knows. */
enum { SHELL_BASH = 1, SHELL_ZSH, SHELL_FISH };
extern const option_choice shell_choices[];
void put_completion(text *out, int shell);

/* Whether a command has so many options that they stand under headings, and these. */
bool command_has_groups(const command *of);
const char *option_group_name(option_group group);

#endif
