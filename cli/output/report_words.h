/* SPDX-License-Identifier: Zlib */
#ifndef CLI_REPORT_WORDS_H
#define CLI_REPORT_WORDS_H
/*
 * report_words.h - what became of maps, as text and as JSON: the changes of a patch; what differs between two
 * files that the model does not read; what is left of a damaged map (tm_rescue).
 */
#include "json.h"

/* As tm_patch_tell tells it; of a text of more than `most` bytes the rest is left out, and that is said. */
void put_patch(text *out, const tm_patch *patch, const tm_tell_options *options, uint64_t most);
/* "counts" and "changes"; without a patch nothing changed. */
void json_add_changes(json_t *object, const tm_patch *patch, bool tiles);

typedef struct unknown_changes {
    tm_unknown_change *list;
    size_t num, capacity;
} unknown_changes;

tm_status unknown_find(unknown_changes *out, const tm_map *before, const tm_map *after, const tm_job *job,
                       tm_error *error);
void unknown_release(unknown_changes *changes);
/* A line for each; without `all` one for several items of a type that all came or went. */
void put_unknown(text *out, const unknown_changes *changes, bool all);
/* "unread" */
void json_add_unknown(json_t *object, const unknown_changes *changes);

/* "teemap: in.map: rescued 5 of 6 images (1 damaged), 0 of 14 tile layers; the game layer is empty" */
void put_rescue_line(text *err, const char *path, const tm_rescue *rescue);
/* An object with a member for each kind of thing, and the game layer's state. */
json_t *json_rescue(const tm_rescue *rescue);

#endif
