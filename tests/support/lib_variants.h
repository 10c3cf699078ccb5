/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_VARIANTS_H
#define TEST_LIB_VARIANTS_H
/*
 * Maps that are not what they should be, through the model: they load and save to the same bytes, or are refused with words, in
 * little memory. Needs cmocka.
 */
#include "lib_datafile.h"

#include <teemap/mapfile.h>

extern const tm_mode test_modes[3]; /* from strict on */

/* A changed file, and what to say if it fails. */
struct test_variant {
    const char *name; /* of the file that it was made from */
    const char *way;
    size_t at;
    const uint8_t *bytes;
    size_t size;
    tm_mode mode;
};

/* Whether its mode loads it. */
bool test_variant_one_mode(const struct test_variant *variant);
/* Number of modes that load it; a mode that forgives more never loads less. */
unsigned test_variant_all_modes(struct test_variant *variant);

/* Bytes of a file's head; all of it where the head is not one. */
size_t test_head_size(const struct test_bytes *file);

#endif
