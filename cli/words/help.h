/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HELP_H
#define CLI_HELP_H
/* help.h - the table of commands as help texts, manual pages and completion scripts. */
#include "command.h"
#include "output/text.h"

void put_overview(text *out);
void put_help(text *out, const command *of);

/* NULL: the page of teemap itself. */
void put_man(text *out, const command *of);

/* "bash", "zsh" or "fish" */
void put_completion(text *out, const char *shell);

#endif
