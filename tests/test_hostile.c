/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are cut anywhere and changed anywhere, through the model, in all modes: nothing breaks, nothing is lost, memory stays
 * small, what loads verifies and saves to the same bytes. Then files that were made to do harm, each with the story of what it
 * once did. The container has a test of its own (test_datafile_hostile.c).
 *
 * With TEEMAP_THOROUGH=1 in the environment every byte of every file is cut and changed, not only those of the heads; that takes
 * minutes.
 *
 * test-timeout: 1200
 */
#include "support/lib_datafile.h"
#include "support/memory.h"

#include <teemap/mapfile.h>
#include <teemap/sys.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SMALL_MAP = 6000, HEADROOM = 16 * 1024 * 1024 };

static const tm_mode modes[] = {TM_MODE_STRICT, TM_MODE_GAME, TM_MODE_SALVAGE};

static bool thorough(void)
{
    return getenv("TEEMAP_THOROUGH");
}

/* Through an emulator everything takes twenty times as long; a part of the variants has to do there. */
static size_t stride(void)
{
    const char *emulator = getenv("TEEMAP_EMULATOR");
    return emulator && *emulator ? 11 : 1;
}

/* --------------------------------------------------------------------------------------------------- one variant */

/* A changed file, and what to say if it fails. */
struct variant {
    const char *name; /* of the file that it was made from */
    const char *how;
    size_t at;
    const uint8_t *bytes;
    size_t size;
    tm_mode mode;
};

static void require(bool holds, const struct variant *variant, const char *what, const tm_error *error)
{
    if (holds)
        return;
    fail_msg("%s, %s %zu, mode %d: %s: %s %s", variant->name, variant->how, variant->at, variant->mode, what,
             error ? error->place : "", error ? error->text : "");
}

static void require_same_bytes(const struct variant *variant, const tm_map *map,
                               const tm_allocator *allocator)
{
    tm_buffer buffer = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error = {.code = TM_OK};
    tm_status status = tm_mapfile_save(map, &output, NULL, NULL, NULL, &error);
    require(status == TM_OK && error.code == TM_OK, variant, "untouched, but not saved", &error);
    require(buffer.size == variant->size && memcmp(buffer.bytes, variant->bytes, buffer.size) == 0, variant,
            "other bytes came back", NULL);
    tm_buffer_release(&buffer);
}

static void check_data(const struct variant *variant, const tm_map *map, const tm_allocator *allocator)
{
    tm_findings findings;
    tm_error error = {.code = TM_OK};
    tm_findings_init(&findings, 0, allocator);
    tm_status status = tm_mapfile_check_data(map, NULL, &findings, &error);
    require(status == TM_OK || status == TM_ERROR_LIMIT, variant, "data cannot be checked", &error);
    require(error.code == status, variant, "the error was touched without one", &error);
    tm_findings_release(&findings);
}

static tm_status load(tm_map **map, const struct variant *variant, const tm_allocator *allocator,
                      tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), variant->mode, NULL, allocator};
    tm_findings findings;
    tm_findings_init(&findings, 0, allocator);
    tm_status status =
        tm_mapfile_load(map, tm_input_from_memory(variant->bytes, variant->size), &options, &findings, error);
    if (status == TM_ERROR_DAMAGED)
        require(findings.errors > 0, variant, "refused without a finding", error);
    require(error->code == status, variant, "the error was touched without one", error);
    tm_findings_release(&findings);
    return status;
}

static bool try_mode(const struct variant *variant)
{
    struct test_memory memory;
    tm_map *map;
    tm_error error = {.code = TM_OK};
    test_memory_init(&memory);
    tm_status status = load(&map, variant, &memory.allocator, &error);
    if (status == TM_OK) {
        require(tm_map_verify(map, &error) == TM_OK, variant, "does not verify", &error);
        require_same_bytes(variant, map, &memory.allocator);
        check_data(variant, map, &memory.allocator);
        tm_map_free(map);
    } else {
        require(status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT, variant, "fails oddly", &error);
        require(status == error.code && error.text[0] && !map, variant, "fails without a word", &error);
    }
    require(memory.num_blocks == 0, variant, "memory is lost", NULL);
    require(memory.most_bytes <= variant->size + HEADROOM, variant, "too much memory", NULL);
    return status == TM_OK;
}

/* Number of modes that load it; a mode that forgives more never loads less. */
static unsigned try_variant(struct variant *variant)
{
    unsigned loaded = 0;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        variant->mode = modes[i];
        bool fine = try_mode(variant);
        require(fine || loaded == 0, variant, "a stricter mode loads it", NULL);
        loaded += fine;
    }
    return loaded;
}

/* ------------------------------------------------------------------------------------------------- cuts and flips */

struct tally {
    size_t files, variants, loaded;
};

static size_t head_size(const struct test_bytes *file)
{
    tm_datafile *datafile;
    tm_datafile_header header;
    struct test_input input = {.in_memory = true};
    if (test_open(&datafile, &input, file, TM_MODE_SALVAGE, NULL, NULL) != TM_OK)
        return file->size;
    tm_datafile_get_header(datafile, &header);
    tm_datafile_close(datafile);
    return header.head_size < file->size ? (size_t)header.head_size : file->size;
}

static void cut_everywhere(const char *name, const struct test_bytes *file, struct tally *tally)
{
    const size_t head = head_size(file), step = thorough() ? 1 : 29;
    struct variant variant = {.name = name, .how = "cut at"};
    for (size_t at = 0; at <= file->size; at += at < head ? stride() : step) {
        /* On the heap and no longer than that, so that a sanitizer sees the first byte behind. */
        struct test_bytes cut = test_bytes_copy(file->bytes, at);
        variant.at = at;
        variant.bytes = cut.bytes;
        variant.size = at;
        tally->loaded += try_variant(&variant);
        tally->variants++;
        test_bytes_release(&cut);
    }
    tally->files++;
}

static uint8_t changed(uint8_t byte, int pattern)
{
    switch (pattern) {
    case 0: return byte ^ 0x01;
    case 1: return byte ^ 0x80;
    case 2: return byte ^ 0xff;
    case 3: return 0;
    default: return 0x7f;
    }
}

static void flip_everywhere(const char *name, const struct test_bytes *file, struct tally *tally)
{
    enum { PATTERNS = 5 };
    struct test_bytes copy = test_bytes_copy(file->bytes, file->size);
    const size_t end = thorough() ? file->size : head_size(file);
    struct variant variant = {.name = name, .how = "changed at", .bytes = copy.bytes, .size = copy.size};
    for (size_t at = 0; at < end; at += stride()) {
        variant.at = at;
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            copy.bytes[at] = changed(file->bytes[at], pattern);
            if (copy.bytes[at] == file->bytes[at])
                continue;
            tally->loaded += try_variant(&variant);
            tally->variants++;
        }
        copy.bytes[at] = file->bytes[at];
    }
    test_bytes_release(&copy);
    tally->files++;
}

/* ---------------------------------------------------------------------------------------------------- the files */

struct visit {
    void (*work)(const char *name, const struct test_bytes *file, struct tally *tally);
    const char *const *wanted; /* parts of names, NULL at the end; NULL: all */
    struct tally tally;
};

static bool is_wanted(const struct visit *visit, const char *path)
{
    for (const char *const *part = visit->wanted; part && *part; part++)
        if (strstr(path, *part))
            return true;
    return !visit->wanted;
}

static void visit_file(void *ctx, const char *path)
{
    struct visit *visit = ctx;
    if (!is_wanted(visit, path))
        return;
    struct test_bytes file = test_bytes_from_file(path);
    if (file.size <= SMALL_MAP)
        visit->work(path, &file, &visit->tally);
    test_bytes_release(&file);
}

static bool visit_seed(void *ctx, const char *path)
{
    if (strstr(path, "/seed-"))
        visit_file(ctx, path);
    return true;
}

static void visit_seeds(struct visit *visit)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char folder[1024];
    if (!source)
        skip();
    snprintf(folder, sizeof(folder), "%s/fuzz/corpus/mapfile", source);
    assert_int_equal(tm_sys_walk(folder, NULL, visit_seed, visit, NULL, NULL), TM_OK);
    assert_int_not_equal(visit->tally.files, 0);
}

static void tell(const struct visit *visit)
{
    print_message("%zu files, %zu variants, %zu times loaded\n", visit->tally.files, visit->tally.variants,
                  visit->tally.loaded);
}

static void every_cut_of_the_seeds(void **state)
{
    struct visit visit = {.work = cut_everywhere};
    (void)state;
    visit_seeds(&visit);
    tell(&visit);
}

static void every_flip_in_the_seeds(void **state)
{
    static const char *const wanted[] = {"-full-", NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    (void)state;
    visit_seeds(&visit);
    tell(&visit);
}

static void every_cut_of_small_real_maps(void **state)
{
    struct visit visit = {.work = cut_everywhere};
    (void)state;
    if (test_each_corpus_map(visit_file, &visit) == 0)
        skip();
    tell(&visit);
}

/* One of each game and age, with most kinds of items between them. */
static void every_flip_in_a_few_real_maps(void **state)
{
    static const char *const wanted[] = {
        "coverage-831c1a", "Test-c1483f", "grass_template", "dm1-9edea1", "skip-f13ad3",
        "ddnetpp-test-",   NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    (void)state;
    if (test_each_corpus_map(visit_file, &visit) == 0)
        skip();
    tell(&visit);
}

/* --------------------------------------------------------------------------------------------- files that lie */

/* What loading or using a file may cost here: the file is smaller than a page. */
enum { LITTLE = 1 << 20, HUGE = 0x3fff0000 };

static void add_layer(struct test_recipe *recipe, int id, int flags, int width, int height, int data)
{
    test_recipe_item(recipe, TM_ITEM_LAYER, id, 18, 0, 2, 0, 3, width, height, flags, 255, 255, 255, 255, -1,
                     0, -1, data, 0, 0, 0);
}

/* Version, images that were asked for (with data as name and as pixels), one group, and a game layer with its data. */
static void start_map(struct test_recipe *recipe, int num_images, int width, int height)
{
    test_recipe_init(recipe, 4);
    test_recipe_item(recipe, TM_ITEM_VERSION, 0, 1, 1);
    for (int i = 0; i < num_images; i++)
        test_recipe_item(recipe, TM_ITEM_IMAGE, i, 6, 1, 16, 16, 0, 1 + i, 1 + i);
    test_recipe_item(recipe, TM_ITEM_GROUP, 0, 15, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    add_layer(recipe, 0, 1, width, height, 0);
}

static tm_status load_with(tm_map **map, const struct test_bytes *file, tm_mode mode, const tm_limits *limits,
                           struct test_memory *memory)
{
    const tm_mapfile_options options = {sizeof(options), mode, limits, &memory->allocator};
    tm_error error = {.code = TM_OK};
    test_memory_init(memory);
    tm_status status =
        tm_mapfile_load(map, tm_input_from_memory(file->bytes, file->size), &options, NULL, &error);
    assert_int_equal(status, error.code);
    return status;
}

static void finish(tm_map *map, struct test_bytes *file, struct test_recipe *recipe,
                   const struct test_memory *memory)
{
    tm_map_free(map);
    assert_int_equal(memory->num_blocks, 0);
    test_bytes_release(file);
    test_recipe_release(recipe);
}

static tm_status save_to_nowhere(const tm_map *map, const tm_mapfile_save_options *options,
                                 struct test_memory *memory)
{
    tm_buffer buffer = {.allocator = &memory->allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_status status = tm_mapfile_save(map, &output, options, NULL, NULL, NULL);
    tm_buffer_release(&buffer);
    return status;
}

/*
 * A group that the type table gives to the info items, too. It was saved as an info item for which no data had been gathered: a
 * read behind the end of that list.
 */
static void an_item_of_two_types_is_one_object(void **state)
{
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    test_recipe_init(&recipe, 4);
    test_recipe_item(&recipe, TM_ITEM_VERSION, 0, 1, 1);
    test_recipe_item(&recipe, TM_ITEM_GROUP, 5, 7, 1, 0, 0, 100, 100, 0, 0);
    recipe.types[recipe.num_types][0] = TM_ITEM_INFO;
    recipe.types[recipe.num_types][1] = 1;
    recipe.types[recipe.num_types++][2] = 1;
    struct test_bytes file = test_recipe_build(&recipe);
    struct variant variant = {"two types", "made", 0, file.bytes, file.size, TM_MODE_GAME};
    for (int i = 1; i < 3; i++) {
        variant.mode = modes[i];
        assert_true(try_mode(&variant));
        assert_int_equal(load_with(&map, &file, modes[i], NULL, &memory), TM_OK);
        assert_int_equal(tm_map_insert(map, TM_OBJECT_GROUP, 0, NULL), TM_OK);
        assert_int_equal(save_to_nowhere(map, NULL, &memory), TM_OK);
        tm_map_free(map);
    }
    test_bytes_release(&file);
    test_recipe_release(&recipe);
}

/* A map that is known by its version item alone, which has another id than 0: once it was given a second one on saving. */
static void a_version_item_of_any_id_is_enough(void **state)
{
    struct test_recipe recipe;
    (void)state;
    test_recipe_init(&recipe, 4);
    test_recipe_item(&recipe, TM_ITEM_VERSION, 4, 1, 1);
    test_recipe_item(&recipe, TM_ITEM_INFO, 0, 6, 1, -1, -1, -1, -1, -1);
    struct test_bytes file = test_recipe_build(&recipe);
    struct variant variant = {"version", "made", 0, file.bytes, file.size, TM_MODE_GAME};
    assert_int_equal(try_variant(&variant), 2);
    test_bytes_release(&file);
    test_recipe_release(&recipe);
}

/* Loads what was rescued from a cut file, changes and saves it; the same must come back. */
static void change_and_reload(const struct test_bytes *cut, size_t at)
{
    struct test_memory memory, other_memory;
    tm_map *map, *again;
    bool equal;
    char where[200];
    if (load_with(&map, cut, TM_MODE_SALVAGE, NULL, &memory) != TM_OK)
        return;
    tm_buffer buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_status status = tm_map_insert(map, TM_OBJECT_IMAGE, map->num_images, NULL);
    assert_int_equal(status, TM_OK);
    status = tm_mapfile_save(map, &output, NULL, NULL, NULL, NULL);
    if (status == TM_OK) { /* too little may be left to be a map */
        const struct test_bytes saved = {buffer.bytes, buffer.size};
        assert_int_equal(load_with(&again, &saved, TM_MODE_SALVAGE, NULL, &other_memory), TM_OK);
        again->game = map->game;
        assert_int_equal(tm_map_equal(&equal, map, again, where, sizeof(where), NULL), TM_OK);
        if (!equal)
            fail_msg("cut at %zu: %s", at, where);
        tm_map_free(again);
    } else {
        assert_int_equal(status, TM_ERROR_UNSUPPORTED);
    }
    tm_buffer_release(&buffer);
    tm_map_free(map);
}

/*
 * An item that is cut in the midst of an integer. It was filled up with zeros when the file was written anew, and so had a field
 * that it had not had before.
 */
static void what_is_rescued_stays_what_it_is(void **state)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char path[1024];
    (void)state;
    if (!source)
        skip();
    snprintf(path, sizeof(path), "%s/fuzz/corpus/mapfile/seed-ddnet-full-4", source);
    struct test_bytes file = test_bytes_from_file(path);
    for (size_t at = 0; at < head_size(&file); at++) {
        const struct test_bytes cut = {file.bytes, at};
        change_and_reload(&cut, at);
    }
    test_bytes_release(&file);
}

/* A block of a few bytes that announces a gigabyte. Packing it anew once asked for two of them. */
static void recompressing_a_lie_costs_nothing(void **state)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .recompress = true};
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    start_map(&recipe, 1, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, NULL, &memory), TM_OK);
    assert_int_equal(save_to_nowhere(map, &options, &memory), TM_OK);
    assert_in_range(memory.most_bytes, 1, LITTLE);
    finish(map, &file, &recipe, &memory);
}

/* Comparing unpacked whatever was announced, past all limits. (Equal packed bytes are equal as they are.) */
static void comparing_keeps_to_the_limits(void **state)
{
    const tm_limits limits = {.size = sizeof(limits), .block_bytes = 4096};
    struct test_recipe recipe, other_recipe;
    struct test_memory memory, other_memory;
    tm_map *map, *other;
    bool equal;
    (void)state;
    start_map(&recipe, 1, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    struct test_bytes file = test_recipe_build(&recipe);
    start_map(&other_recipe, 1, 2, 2);
    test_recipe_data(&other_recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&other_recipe, "\x78\x9c\x03\0\0\0\0\x02", 8, HUGE);
    struct test_bytes other_file = test_recipe_build(&other_recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, &limits, &memory), TM_OK);
    assert_int_equal(load_with(&other, &other_file, TM_MODE_GAME, &limits, &other_memory), TM_OK);
    assert_int_equal(tm_map_equal(&equal, map, other, NULL, 0, NULL), TM_ERROR_LIMIT);
    assert_in_range(memory.most_bytes, 1, LITTLE);
    finish(other, &other_file, &other_recipe, &other_memory);
    finish(map, &file, &recipe, &memory);
}

/* A strict loader fetches the game layer's tiles at once; once as many as are announced. */
static void a_game_layer_that_lies_costs_nothing(void **state)
{
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    start_map(&recipe, 0, 16000, 16000);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    struct test_bytes file = test_recipe_build(&recipe);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(load_with(&map, &file, modes[i], NULL, &memory), i ? TM_OK : TM_ERROR_DAMAGED);
        assert_in_range(memory.most_bytes, 1, LITTLE);
        tm_map_free(map);
    }
    test_bytes_release(&file);
    test_recipe_release(&recipe);
}

/* As many names as fit, each of them 64 KiB by its own account and 8 bytes in truth: once there was room for all. */
static void names_that_lie_cost_nothing(void **state)
{
    enum { NUM = 40 };
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    start_map(&recipe, NUM, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < NUM; i++)
        test_recipe_packed(&recipe, "\x78\x9cnosuch", 8, 65536);
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, NULL, &memory), TM_OK);
    assert_in_range(memory.most_bytes, 1, LITTLE);
    assert_null(map->images[0].name);
    finish(map, &file, &recipe, &memory);
}

/* The same with names that are true: many blocks over the same bytes, which unpack to 64 KiB each. */
static void all_names_together_keep_to_the_limits(void **state)
{
    enum { NUM = 40, SIZE = 65536 };
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = LITTLE};
    static char name[SIZE];
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    memset(name, 'x', SIZE - 1);
    start_map(&recipe, NUM, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < NUM; i++)
        test_recipe_data(&recipe, name, SIZE);
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, &limits, &memory), TM_ERROR_LIMIT);
    assert_in_range(memory.most_bytes, 1, 2 * LITTLE);
    assert_int_equal(memory.num_blocks, 0);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, NULL, &memory), TM_OK);
    finish(map, &file, &recipe, &memory);
}

/* A layer of 16000 x 16000 tiles without tiles. Written as another game writes it, it was unpacked whatever the limits said. */
static void rewriting_keeps_to_the_limits(void **state)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .rewrite = true};
    const tm_limits limits = {.size = sizeof(limits), .block_bytes = LITTLE};
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    (void)state;
    start_map(&recipe, 0, 16000, 16000);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, &limits, &memory), TM_OK);
    for (map->game = TM_GAME_DDNET; map->game < TM_GAME_COUNT; map->game++) {
        tm_status status = save_to_nowhere(map, &options, &memory);
        assert_true(status == TM_ERROR_LIMIT || (status == TM_OK && map->game != TM_GAME_TEEWORLDS07));
    }
    assert_in_range(memory.most_bytes, 1, 4 * LITTLE);
    finish(map, &file, &recipe, &memory);
}

/* Layers that share their tiles each get their own verdict; 30000 layers over one large block once took a minute to judge. */
static void shared_tiles_are_judged_for_each_layer(void **state)
{
    static const char tiles[64];
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    tm_findings findings;
    size_t num = 0;
    (void)state;
    start_map(&recipe, 0, 4, 4);
    recipe.items.bytes[recipe.items.size - 18 * 4 - 8 - 15 * 4 + 6 * 4] = 43; /* of the group: its layers */
    for (int i = 0; i < 42; i++)
        add_layer(&recipe, 1 + i, 0, 4, i % 2 ? 5 + i : 4, 0);
    test_recipe_data(&recipe, tiles, sizeof(tiles));
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, NULL, &memory), TM_OK);
    assert_int_equal(map->groups[0].num_layers, 43);
    tm_findings_init(&findings, 0, NULL);
    assert_int_equal(tm_mapfile_check_data(map, NULL, &findings, NULL), TM_OK);
    for (size_t i = 0; i < findings.num; i++)
        num += findings.list[i].id == TM_FINDING_TILES_SHORT;
    assert_int_equal(num, 15); /* 16 different questions are asked, and one of them has a good answer */
    tm_findings_release(&findings);
    finish(map, &file, &recipe, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_of_the_seeds),
        cmocka_unit_test(every_flip_in_the_seeds),
        cmocka_unit_test(every_cut_of_small_real_maps),
        cmocka_unit_test(every_flip_in_a_few_real_maps),
        cmocka_unit_test(an_item_of_two_types_is_one_object),
        cmocka_unit_test(a_version_item_of_any_id_is_enough),
        cmocka_unit_test(what_is_rescued_stays_what_it_is),
        cmocka_unit_test(recompressing_a_lie_costs_nothing),
        cmocka_unit_test(comparing_keeps_to_the_limits),
        cmocka_unit_test(a_game_layer_that_lies_costs_nothing),
        cmocka_unit_test(names_that_lie_cost_nothing),
        cmocka_unit_test(all_names_together_keep_to_the_limits),
        cmocka_unit_test(rewriting_keeps_to_the_limits),
        cmocka_unit_test(shared_tiles_are_judged_for_each_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
