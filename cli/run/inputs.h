/* SPDX-License-Identifier: Zlib */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H
/*
 * inputs.h - what operations on a map take from outside: files, other maps, images and rules of games.
 */
#include "images.h"
#include "load.h"

typedef struct edit_inputs {
    tm_mode mode; /* in which other maps are opened; set before */
    tm_mapres *mapres;
} edit_inputs;

/*
 * Fills options with functions that take everything from files; `mapres` are folders given first, `path` is
 * the map's, for images next to it. What was opened is closed by inputs_close, after a failure, too.
 */
tm_status inputs_open(edit_inputs *out, tm_edit_options *options, const word_list *mapres, const char *path,
                      const loaded *file, tm_error *error);
void inputs_close(edit_inputs *inputs);
/* The rules for an image (tm_edit_options, tm_lint_options); `ctx` are edit_inputs with an open mapres. */
tm_status inputs_read_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num_bytes, tm_error *error);

#endif
