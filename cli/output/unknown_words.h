/* SPDX-License-Identifier: Zlib */
#ifndef CLI_UNKNOWN_WORDS_H
#define CLI_UNKNOWN_WORDS_H
/*
 * unknown_words.h - what differs between two files that the model does not read, as text and as JSON.
 */
#include "json.h"

#include <teemap/mapfile.h>

typedef struct unread_changes {
    tm_unknown_change *list;
    size_t num, capacity;
} unread_changes;

tm_status unread_find(unread_changes *out, const tm_map *before, const tm_map *after, const tm_job *job,
                      tm_error *error);
void unread_release(unread_changes *of);
/* A line for each; without `all` one for several items of a type that all came or went. */
void put_unread(text *out, const unread_changes *of, bool all);
/* "unread" */
void json_add_unread(json_t *object, const unread_changes *of);

#endif
