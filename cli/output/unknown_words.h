/* SPDX-License-Identifier: Zlib */
#ifndef CLI_UNKNOWN_WORDS_H
#define CLI_UNKNOWN_WORDS_H
/*
 * unknown_words.h - what differs between two files that the model does not read, as text and as JSON.
 */
#include "json.h"

typedef struct unknown_changes {
    tm_unknown_change *list;
    size_t num, capacity;
} unknown_changes;

tm_status unknown_find(unknown_changes *out, const tm_map *before, const tm_map *after, const tm_job *job,
                       tm_error *error);
void unknown_release(unknown_changes *of);
/* A line for each; without `all` one for several items of a type that all came or went. */
void put_unknown(text *out, const unknown_changes *of, bool all);
/* "unread" */
void json_add_unknown(json_t *object, const unknown_changes *of);

#endif
