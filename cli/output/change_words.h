/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGE_WORDS_H
#define CLI_CHANGE_WORDS_H
/*
 * change_words.h - the changes of a patch as text and as JSON.
 */
#include "json.h"

/* As tm_patch_tell tells it. */
void put_patch(text *out, const tm_patch *patch, const tm_tell_options *how);
/* "counts" and "changes"; without a patch nothing changed. */
void json_add_changes(json_t *object, const tm_patch *patch, bool tiles);

#endif
