/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HELP_H
#define CLI_HELP_H
/* help.h - commands as help texts, manual pages and completion scripts. */
#include "command.h"
#include "output/json.h"

/*
 * What the help file of a command (cli/help/NAME.md) says: "summary", "text", "paragraphs", "usages",
 * "examples", and "findings", the meaning of exit status 1, unless it does not end so.
 */
json_t *json_command_help(const cli_command *command);

/*
 * ------------------------------------------------------------------------------------ documents (document.c)
 */

/*
 * Documents of docs/ that the program carries, so that what they explain can be read where it is installed. A
 * section comes as paragraphs with an empty line between, "term\tmeaning" for an item of a list.
 */
typedef struct cli_document {
    const char *name;    /* "findings": what help and the manual page are called by */
    const char *summary; /* one line, lower case, no full stop */
    const unsigned char *markdown;
} cli_document;

/* The list; ends with a name of NULL. */
extern const cli_document documents[];

const cli_document *document_find(const char *name);

/*
 * Reads one section and moves `rest`, at first the document's markdown, behind it. `title` and `body` are
 * emptied before; both end with a NUL. False: there is no further section.
 */
bool document_next_section(const char **rest, text *title, text *body);

/* The meaning of a term that a table of the document explains. False: no table does. */
bool document_explain(const cli_document *document, text *meaning, const char *term);

/* ------------------------------------------------------------------------------------------------- texts */

void put_overview(text *out);
void put_help(text *out, const cli_command *command);

/* A document as plain text. */
void put_document(text *out, const cli_document *document);
/* What is known about a finding, by its id; false: there is no such id. */
bool put_finding_help(text *out, const char *id);

/* The manual page of a command; and that of teemap itself, which lists all commands. */
void put_man(text *out, const cli_command *command);
void put_main_man(text *out);
void put_man_document(text *out, const cli_document *document);

/* The shells that put_completion knows. */
enum { SHELL_BASH = 1, SHELL_ZSH, SHELL_FISH };
extern const option_choice shell_choices[];
void put_completion(text *out, int shell);

#endif
