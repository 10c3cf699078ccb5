/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_DATAFILE_H
#define TEST_LIB_DATAFILE_H
/*
 * Datafiles for tests, made byte by byte and without the library's writer, so that each can be wrong in any
 * way:
 *
 *     OWN(test_recipe) recipe = test_recipe_new(4);
 *     test_recipe_item(&recipe, 0, 0, 1, 1);                     // type 0, id 0, one integer: 1
 *     test_recipe_data(&recipe, "hi", 3);
 *     OWN(test_bytes) file = test_recipe_build(&recipe);         // sound, as a game writes it
 *     test_poke(&file, test_at_item_offset(&recipe, 0), 4);      // no longer
 *     ...
 *
 * Everything asserts.
 */
#include "test.h"

#define TEST_RECIPE_MAX 64

typedef struct test_bytes {
    uint8_t *bytes;
    size_t size;
} test_bytes;
struct test_bytes test_bytes_copy(const void *bytes, size_t size);
/* "44 41 54 41": pairs of hexadecimal digits; anything else between them is left out. */
struct test_bytes test_bytes_from_hex(const char *hex);
struct test_bytes test_bytes_from_file(const char *path);
void test_bytes_append(struct test_bytes *buffer, const void *bytes, size_t size);
void test_bytes_release(struct test_bytes *bytes);
TEST_RELEASES(test_bytes, test_bytes_release)
void test_poke(struct test_bytes *file, size_t at, int32_t value);
int32_t test_peek(const struct test_bytes *file, size_t at);

/* What a file is made of. The arrays may be changed before building; nothing in them is checked. */
typedef struct test_recipe {
    char magic[4];
    int32_t version;
    uint32_t num_types, num_items, num_data;
    int32_t types[TEST_RECIPE_MAX][3]; /* type, first, number */
    int32_t item_offsets[TEST_RECIPE_MAX];
    int32_t data_offsets[TEST_RECIPE_MAX];
    int32_t data_sizes[TEST_RECIPE_MAX];
    struct test_bytes items; /* the section */
    struct test_bytes data;  /* the section */
    bool crude_size, crude_swaplen;
} test_recipe;
test_recipe test_recipe_new(int version);
void test_recipe_release(test_recipe *recipe);
TEST_RELEASES(test_recipe, test_recipe_release)
/*
 * Adds an item behind the others; a type entry too if the type is not that of the item before. `num` integers
 * (int) follow.
 */
void test_recipe_item(struct test_recipe *recipe, int type, int id, int num, ...);
void test_recipe_item_bytes(struct test_recipe *recipe, int type, int id, const void *body, size_t size);
/* An index item: type 0xFFFF, id `number`; `uuid` as 32 hexadecimal digits. */
void test_recipe_index(struct test_recipe *recipe, int number, const char *uuid);
/* Adds a block, packed by zlib for version 4. */
void test_recipe_data(struct test_recipe *recipe, const void *bytes, size_t size);
/* Adds a block whose packed bytes are what they are. */
void test_recipe_packed(struct test_recipe *recipe, const void *packed, size_t packed_size, int32_t size);
struct test_bytes test_recipe_build(const struct test_recipe *recipe);

/* Positions in the built file. */
enum {
    TEST_AT_VERSION = 4,
    TEST_AT_SIZE = 8,
    TEST_AT_SWAPLEN = 12,
    TEST_AT_NUM_TYPES = 16,
    TEST_AT_NUM_ITEMS = 20,
    TEST_AT_NUM_DATA = 24,
    TEST_AT_ITEM_SIZE = 28,
    TEST_AT_DATA_SIZE = 32
};
size_t test_at_type(const struct test_recipe *recipe, uint32_t index);
size_t test_at_item_offset(const struct test_recipe *recipe, uint32_t index);
size_t test_at_data_offset(const struct test_recipe *recipe, uint32_t index);
size_t test_at_data_size(const struct test_recipe *recipe, uint32_t index);
size_t test_at_item(const struct test_recipe *recipe, uint32_t index); /* its header */
size_t test_at_items(const struct test_recipe *recipe);
size_t test_at_data(const struct test_recipe *recipe);

/* UUID from 32 hexadecimal digits; anything else between them is left out. */
tm_uuid test_uuid(const char *hex);

/* A small map-like file with 5 types, 7 items (2 of UUID types) and 3 blocks; sound. */
test_recipe test_recipe_sample(int version);

/* An input that reads through a callback, counts, and fails when told to. */
struct test_input {
    const uint8_t *bytes;
    uint32_t num_reads, num_closes;
    uint32_t fail_at; /* the n-th read fails with TM_ERROR_IO; 0: none */
    bool in_memory;   /* hand the bytes out as memory; reads do not happen then */
};
tm_input test_input_over(struct test_input *input, const struct test_bytes *file);

/* Opens bytes in a mode, by callbacks, with everything else at its default. */
tm_status test_open(tm_datafile **out, struct test_input *input, const struct test_bytes *file, tm_mode mode,
                    tm_findings *findings, tm_error *error);
/* The same for files that must open; `input` may be NULL. */
tm_datafile *test_open_fine(struct test_input *input, const struct test_bytes *file, tm_mode mode);

bool test_found(const tm_findings *findings, tm_finding_id id);
const tm_finding *test_get_finding(const tm_findings *findings, tm_finding_id id); /* the first, or NULL */

/* Calls `file` for every map of the corpus, sorted; returns how many there were. Skips the test without any. */
size_t test_each_corpus_map(void (*file)(void *ctx, const char *path), void *ctx);
/*
 * The same for tests that do much with each map: with TEEMAP_CORPUS_STEP=N for the first of each N maps only, since
 * an emulator is up to 60 times slower.
 */
size_t test_many_corpus_maps(void (*file)(void *ctx, const char *path), void *ctx);
/* A writer; `source` may be NULL. */
tm_datafile_writer *test_writer_new(const tm_datafile *source);
/* What it writes; the test fails if it does not. */
struct test_bytes test_writer_finish(tm_datafile_writer *writer, tm_findings *findings);
void test_writer_add_ints(tm_datafile_writer *writer, uint16_t type, uint16_t id, uint32_t num,
                          const int32_t *ints);
void test_assert_same_bytes(const struct test_bytes *got, const struct test_bytes *expected);

test_bytes test_datafile_copy(const tm_datafile *datafile, const tm_datafile_writer_options *options,
                              bool recompress, tm_findings *findings);
/* An output that only counts, from 0. */
struct test_counter {
    int writes, copies;
    uint64_t copied;
};
tm_output test_counter_output(struct test_counter *counter);

/* The vector of docs/format.md section 8.1, in hex: what DDNet's writer makes of the calls listed there. */
extern const char *const test_vector;
#define TEST_AUTOMAPPER "3e1b2716-178c-3978-9bd9-b11ae0410dd8"
#define TEST_BEZIER     "3ab4f84d-d9cc-3c78-b585-0d6ccdb2e25c"

#endif
