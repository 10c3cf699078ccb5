/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RESCUE_WORDS_H
#define CLI_RESCUE_WORDS_H
/*
 * rescue_words.h - what is left of a damaged map (tm_rescue), in a line for people and as JSON.
 */
#include "json.h"
#include "text_buffer.h"

/* "teemap: in.map: rescued 5 of 6 images (1 damaged), 0 of 14 tile layers; the game layer is empty" */
void put_rescue_line(text *err, const char *path, const tm_rescue *rescue);
/* An object with a member for each kind of thing, and the game layer's state. */
json_t *json_rescue(const tm_rescue *rescue);

#endif
