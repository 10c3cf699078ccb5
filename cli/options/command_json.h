/* SPDX-License-Identifier: Zlib */
#ifndef CLI_COMMAND_JSON_H
#define CLI_COMMAND_JSON_H
/* command_json.h - commands and their texts as JSON, from which manual pages and completions are filled. */
#include "command.h"
#include "document.h"
#include "output/json.h"

json_t *json_command(const command *of);
/* Paragraphs of our texts: a list of {"text"}, of an item of a list {"term", "text"}. */
json_t *json_paragraphs(const char *string);
/* "statuses": what the exit statuses of a command (NULL: of any) mean. */
void json_add_statuses(json_t *object, const command *of);
/* {"commands": the list of them, "documents": those of docs/, "topics": what else help explains} */
json_t *json_all_commands(void);

#endif
