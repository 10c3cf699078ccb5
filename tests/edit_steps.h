/* SPDX-License-Identifier: Zlib */
#ifndef TEST_EDIT_STEPS_H
#define TEST_EDIT_STEPS_H
/*
 * Operations of the table with arguments made from a stream of bytes, for random tests and fuzzing: arguments
 * by their types, mostly such as fit the map, now and then wrong ones. The same bytes give the same steps. A
 * new operation needs nothing here; a new type of argument is a row in edit_steps.c.
 *
 * edit_steps.c is included by the test or fuzz target that uses it.
 */
#include <teemap/edit.h>

struct edit_bytes {
    const uint8_t *bytes;
    size_t size;
    size_t pos; /* at the end: zeros are read */
};

enum { EDIT_STEP_ARGUMENTS = 8, EDIT_STEP_TEXT = 160 };

struct edit_step {
    const tm_edit_operation *operation;
    uint32_t num;
    const char *arguments[EDIT_STEP_ARGUMENTS];
    char texts[EDIT_STEP_ARGUMENTS][EDIT_STEP_TEXT];
    char line[EDIT_STEP_ARGUMENTS * EDIT_STEP_TEXT]; /* all of it, for messages */
};

uint32_t edit_num_operations(void);
/* Arguments for an operation of the table. */
void edit_step_make(struct edit_step *out, const tm_edit_operation *operation, const tm_map *map,
                    struct edit_bytes *stream);
/*
 * Fills options with functions that give a text, a picture, or 3 bytes as files, and a map of one of everything
 * or an empty one as other maps. `other` must live as long as they.
 */
void edit_step_options(tm_edit_options *out, const tm_map *other);

#endif
