/* SPDX-License-Identifier: Zlib */
#include "test.h"
#ifndef TEST_LIB_MAPS_H
#define TEST_LIB_MAPS_H
/*
 * Maps for tests: made with the public functions, or item by item through the datafile writer, so that each can be odd in any
 * way; loading and saving in memory; and the comparison of two files by items and blocks.
 *
 *     struct test_maker maker = test_maker_new();
 *     int32_t author = test_maker_text(&maker, "Anna");
 *     TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
 *     TEST_ITEM(&maker, TM_ITEM_INFO, 0, 1, author, -1, -1, -1);
 *     tm_buffer file = test_maker_finish(&maker);
 *
 * Needs cmocka. Everything asserts. Knows the format from its description alone and nothing of src/.
 */

/* ------------------------------------------------------------------------------------------------- loading, saving */

tm_status test_map_try(tm_map **out, const tm_buffer *file, tm_mode mode, tm_findings *findings,
                       tm_error *error);
/* The same for maps that must load, and verify. `findings` may be NULL. */
tm_map *test_map_load(const tm_buffer *file, tm_mode mode, tm_findings *findings);
tm_buffer test_map_save(const tm_map *map, tm_findings *findings);
tm_buffer test_map_rewrite(const tm_map *map, tm_findings *findings);
/* Whether both maps are equal; prints the difference if not. */
bool test_map_same(const tm_map *a, const tm_map *b);
bool test_buffer_same(const tm_buffer *a, const tm_buffer *b);
/* A file below the corpus ("vanilla05/dm1-0b0c48.map"); skips the test if there is no corpus. */
tm_buffer test_corpus_file(const char *name);
/* A new map of one group with one layer, and such a group in a map. */
tm_map *test_map_of_layer(tm_layer_kind kind, uint32_t width, uint32_t height);
void test_insert_group(tm_map *map, uint32_t index, tm_layer_kind kind, uint32_t width, uint32_t height);
tm_grid test_grid(const tm_map *map, const tm_layer *layer);
tm_edit_grid test_edit_grid(tm_map *map, uint32_t group, uint32_t layer);
const tm_quad *test_quads(const tm_map *map, const tm_layer *layer);
tm_quad *test_edit_quads(tm_map *map, uint32_t group, uint32_t layer);
const tm_sound_source *test_sources(const tm_map *map, const tm_layer *layer);
tm_buffer test_read_map(const char *path);
/* A map below $TEEMAP_SHARED, and a table of its golden-edit; without that the test is skipped. */
tm_map *test_shared_map(const char *name);
FILE *test_golden_table(const char *name);
/* The next row with at least `num` cells between tabs, the last of them the rest of the line; false behind the last. */
bool test_next_row(FILE *table, char *line, int size, char **cells, int num);
/*
 * Looks at each map of the corpus that mode game loads (test_many_corpus_maps); all must be fine. Returns how many there
 * were; skips the test if there is no corpus.
 */
uint32_t test_real_maps(bool (*is_fine)(void *ctx, tm_map *map, const tm_buffer *file, const char *path),
                        void *ctx);
void test_print_findings(const tm_findings *findings);

/* ---------------------------------------------------------------------------------------------------- item by item */

enum { TEST_MAKER_BLOCKS = 64 };

struct test_maker {
    tm_datafile_writer *writer;
    void *blocks[TEST_MAKER_BLOCKS]; /* copies that the writer borrows */
    int32_t num_blocks;
};
struct test_maker test_maker_new(void);
void test_maker_init_with(struct test_maker *maker, const tm_datafile_writer_options *options);
int32_t test_maker_data(struct test_maker *maker, const void *bytes, size_t size);  /* NULL: zeros */
int32_t test_maker_ints(struct test_maker *maker, const int32_t *ints, size_t num); /* quads, sources */
int32_t test_maker_text(struct test_maker *maker, const char *text);
void test_maker_item(struct test_maker *maker, int type, int id, const int32_t *ints, size_t num);
void test_maker_uuid_item(struct test_maker *maker, tm_uuid_item type, int id, const int32_t *ints,
                          size_t num);
/* The index item that gives `number` to a UUID type of the rules. */
void test_maker_index(struct test_maker *maker, int number, const tm_uuid *uuid);
tm_buffer test_maker_finish(struct test_maker *maker);

#define TEST_INTS(...)          (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / 4
#define TEST_ITEM(m, t, i, ...) test_maker_item(m, t, i, TEST_INTS(__VA_ARGS__))
#define TEST_UUID(m, t, i, ...) test_maker_uuid_item(m, t, i, TEST_INTS(__VA_ARGS__))
/* Int k of n of a text as an I32String. */
int32_t test_name_int(const char *text, uint32_t n, uint32_t k);
#define TEST_NAME3(text) test_name_int(text, 3, 0), test_name_int(text, 3, 1), test_name_int(text, 3, 2)
#define TEST_NAME8(text)                                                                 \
    test_name_int(text, 8, 0), test_name_int(text, 8, 1), test_name_int(text, 8, 2),     \
        test_name_int(text, 8, 3), test_name_int(text, 8, 4), test_name_int(text, 8, 5), \
        test_name_int(text, 8, 6), test_name_int(text, 8, 7)

/* Version, info and one group with a 4 x 3 game layer: what a map at least has. One block for the tiles. */
void test_maker_start(struct test_maker *maker);
struct test_maker test_maker_begin(void); /* a new one, started */

/* ------------------------------------------------------------------------------------------------------ sample maps */

/* One of everything that the game knows, by the public functions. */
tm_map *test_map_everything(tm_game game);
/* Every version and length of every item that DDNet, its predecessors and forks wrote, each once, and valid for DDNet. */
tm_buffer test_map_museum(void);
/* The same for Teeworlds 0.7: points of 22 ints, run-length tiles. */
tm_buffer test_map_museum07(void);

/* For image providers: a picture of which every byte is `value`; TM_ERROR_MEMORY without any. */
tm_status test_give_picture(uint8_t **rgba, uint32_t *width, uint32_t *height, uint32_t wanted_width,
                            uint32_t wanted_height, uint8_t value, const tm_allocator *allocator);

/* ---------------------------------------------------------------------------------------------------------- comparing */

/* Types 0 to 7, then these. */
enum {
    TEST_KIND_AUTOMAPPER = 8,
    TEST_KIND_BEZIER,
    TEST_KIND_GROUP_EX,
    TEST_KIND_TEST,
    TEST_KIND_INDEX, /* 0xFFFF */
    TEST_KIND_OTHER,
    TEST_KINDS
};

/*
 * What is different between two files. Items are the same if type, id and body are; numbers of data in the bodies count as
 * the blocks that they lead to. Blocks are the same if their packed bytes are.
 */
struct test_diff {
    uint32_t lost[TEST_KINDS], gained[TEST_KINDS]; /* items only in the first file, only in the second */
    uint32_t blocks_changed, blocks_lost, blocks_gained;
    bool reordered; /* items that are in both are in another order */
    bool head;      /* version, magic or crude sizes differ */
};
void test_diff_files(struct test_diff *diff, const tm_buffer *a, const tm_buffer *b, bool ignore_ids);
void test_print_diff(const struct test_diff *diff);

#define LAYER_AT(...)  (&(tm_address){TM_KIND_LAYER, __VA_ARGS__})
#define ENVELOPE_AT(i) (&(tm_address){TM_KIND_ENVELOPE, i, 0})

#endif
