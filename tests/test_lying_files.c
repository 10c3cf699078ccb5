/* SPDX-License-Identifier: Zlib */
/*
 * Maps that were made to do harm, by claims that do not hold or cost more than the file has, each with the story of what it once
 * did. test_hostile.c cuts and changes maps anywhere.
 */
#include "support/lib_variants.h"
#include "support/test.h"

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
    *recipe = test_recipe_new(4);
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
    OWN(tm_buffer) buffer = {.allocator = &memory->allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    return tm_mapfile_save(map, &output, options, NULL, NULL, NULL);
}

/*
 * A group that the type table gives to the info items, too. It was saved as an info item for which no data had been gathered: a
 * read behind the end of that list.
 */
TEST(an_item_of_two_types_is_one_object)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    struct test_memory memory;
    tm_map *map;
    test_recipe_item(&recipe, TM_ITEM_VERSION, 0, 1, 1);
    test_recipe_item(&recipe, TM_ITEM_GROUP, 5, 7, 1, 0, 0, 100, 100, 0, 0);
    recipe.types[recipe.num_types][0] = TM_ITEM_INFO;
    recipe.types[recipe.num_types][1] = 1;
    recipe.types[recipe.num_types++][2] = 1;
    OWN(test_bytes) file = test_recipe_build(&recipe);
    struct test_variant variant = {"two types", "made", 0, file.bytes, file.size, TM_MODE_GAME};
    for (int i = 1; i < 3; i++) {
        variant.mode = test_modes[i];
        assert_true(test_variant_one_mode(&variant));
        must(load_with(&map, &file, test_modes[i], NULL, &memory));
        must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
        must(save_to_nowhere(map, NULL, &memory));
        tm_map_free(map);
    }
}

/* A map that is known by its version item alone, which has another id than 0: once it was given a second one on saving. */
TEST(a_version_item_of_any_id_is_enough)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    test_recipe_item(&recipe, TM_ITEM_VERSION, 4, 1, 1);
    test_recipe_item(&recipe, TM_ITEM_INFO, 0, 6, 1, -1, -1, -1, -1, -1);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    struct test_variant variant = {"version", "made", 0, file.bytes, file.size, TM_MODE_GAME};
    assert_int_equal(test_variant_all_modes(&variant), 2);
}

/* Loads what was rescued from a cut file, changes and saves it; the same must come back. */
static void change_and_reload(const struct test_bytes *cut, size_t at)
{
    struct test_memory memory, other_memory;
    tm_map *map, *reloaded;
    bool equal;
    char where[200];
    if (load_with(&map, cut, TM_MODE_SALVAGE, NULL, &memory) != TM_OK)
        return;
    OWN(tm_buffer) buffer = {.bytes = NULL};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_status status = tm_map_insert(map, TM_KIND_IMAGE, map->num_images, NULL);
    must(status);
    status = tm_mapfile_save(map, &output, NULL, NULL, NULL, NULL);
    if (status == TM_OK) { /* too little may be left to be a map */
        const struct test_bytes saved = {buffer.bytes, buffer.size};
        must(load_with(&reloaded, &saved, TM_MODE_SALVAGE, NULL, &other_memory));
        reloaded->game = map->game;
        must(tm_map_equal(&equal, map, reloaded, where, sizeof(where), NULL));
        if (!equal)
            fail_msg("cut at %zu: %s", at, where);
        tm_map_free(reloaded);
    } else {
        assert_int_equal(status, TM_ERROR_UNSUPPORTED);
    }
    tm_map_free(map);
}

/*
 * An item that is cut in the midst of an integer. It was filled up with zeros when the file was written anew, and so had a field
 * that it had not had before.
 */
TEST(what_is_rescued_stays_what_it_is)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char path[1024];
    if (!source)
        skip();
    snprintf(path, sizeof(path), "%s/fuzz/corpus/mapfile/seed-ddnet-full-4", source);
    OWN(test_bytes) file = test_bytes_from_file(path);
    for (size_t at = 0; at < test_head_size(&file); at++) {
        const struct test_bytes cut = {file.bytes, at};
        change_and_reload(&cut, at);
    }
}

/* A block of a few bytes that announces a gigabyte. Packing it anew once asked for two of them. */
TEST(recompressing_a_lie_costs_nothing)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .recompress = true};
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    start_map(&recipe, 1, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    struct test_bytes file = test_recipe_build(&recipe);
    must(load_with(&map, &file, TM_MODE_GAME, NULL, &memory));
    must(save_to_nowhere(map, &options, &memory));
    assert_in_range(memory.most_bytes, 1, LITTLE);
    finish(map, &file, &recipe, &memory);
}

/* Comparing unpacked whatever was announced, past all limits. (Equal packed bytes are equal as they are.) */
TEST(comparing_keeps_to_the_limits)
{
    const tm_limits limits = {.size = sizeof(limits), .block_bytes = 4096};
    struct test_recipe recipe, other_recipe;
    struct test_memory memory, other_memory;
    tm_map *map, *other;
    bool equal;
    start_map(&recipe, 1, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    struct test_bytes file = test_recipe_build(&recipe);
    start_map(&other_recipe, 1, 2, 2);
    test_recipe_data(&other_recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    test_recipe_packed(&other_recipe, "\x78\x9c\x03\0\0\0\0\x02", 8, HUGE);
    struct test_bytes other_file = test_recipe_build(&other_recipe);
    must(load_with(&map, &file, TM_MODE_GAME, &limits, &memory));
    must(load_with(&other, &other_file, TM_MODE_GAME, &limits, &other_memory));
    const tm_status status = tm_map_equal(&equal, map, other, NULL, 0, NULL);
    assert_true(status == TM_ERROR_LIMIT ||
                (status == TM_OK && !equal)); /* what cannot be read is equal to nothing */
    assert_in_range(memory.most_bytes, 1, LITTLE);
    finish(other, &other_file, &other_recipe, &other_memory);
    finish(map, &file, &recipe, &memory);
}

/* A strict loader fetches the game layer's tiles at once; once as many as are announced. */
TEST(a_game_layer_that_lies_costs_nothing)
{
    OWN(test_recipe) recipe;
    struct test_memory memory;
    tm_map *map;
    start_map(&recipe, 0, 16000, 16000);
    test_recipe_packed(&recipe, "\x78\x9c\x03\0\0\0\0\x01", 8, HUGE);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(load_with(&map, &file, test_modes[i], NULL, &memory), i ? TM_OK : TM_ERROR_DAMAGED);
        assert_in_range(memory.most_bytes, 1, LITTLE);
        tm_map_free(map);
    }
}

/* As many names as fit, each of them 64 KiB by its own account and 8 bytes in truth: once there was room for all. */
TEST(names_that_lie_cost_nothing)
{
    enum { NUM = 40 };
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    start_map(&recipe, NUM, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < NUM; i++)
        test_recipe_packed(&recipe, "\x78\x9cnosuch", 8, 65536);
    struct test_bytes file = test_recipe_build(&recipe);
    must(load_with(&map, &file, TM_MODE_GAME, NULL, &memory));
    assert_in_range(memory.most_bytes, 1, LITTLE);
    assert_null(map->images[0].name);
    finish(map, &file, &recipe, &memory);
}

/* The same with names that are true: many blocks over the same bytes, which unpack to 64 KiB each. */
TEST(all_names_together_keep_to_the_limits)
{
    enum { NUM = 40, SIZE = 65536 };
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = LITTLE};
    static char name[SIZE];
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    memset(name, 'x', SIZE - 1);
    start_map(&recipe, NUM, 2, 2);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    for (int i = 0; i < NUM; i++)
        test_recipe_data(&recipe, name, SIZE);
    struct test_bytes file = test_recipe_build(&recipe);
    assert_int_equal(load_with(&map, &file, TM_MODE_GAME, &limits, &memory), TM_ERROR_LIMIT);
    assert_in_range(memory.most_bytes, 1, 2 * LITTLE);
    assert_int_equal(memory.num_blocks, 0);
    must(load_with(&map, &file, TM_MODE_GAME, NULL, &memory));
    finish(map, &file, &recipe, &memory);
}

/* A layer of 4000 x 4000 tiles without tiles. Written as another game writes it, it was unpacked whatever the limits said. */
TEST(rewriting_keeps_to_the_limits)
{
    const tm_mapfile_save_options options = {.size = sizeof(options), .rewrite = true};
    const tm_limits limits = {.size = sizeof(limits), .block_bytes = LITTLE};
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    start_map(&recipe, 0, 4000, 4000);
    test_recipe_data(&recipe, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    struct test_bytes file = test_recipe_build(&recipe);
    must(load_with(&map, &file, TM_MODE_GAME, &limits, &memory));
    for (map->game = TM_GAME_DDNET; map->game < TM_GAME_COUNT; map->game++) {
        tm_status status = save_to_nowhere(map, &options, &memory);
        assert_true(status == TM_ERROR_LIMIT || (status == TM_OK && map->game != TM_GAME_TEEWORLDS07));
    }
    assert_in_range(memory.most_bytes, 1, 4 * LITTLE);
    finish(map, &file, &recipe, &memory);
}

/* Layers that share their tiles each get their own verdict; 30000 layers over one large block once took a minute to judge. */
TEST(shared_tiles_are_judged_for_each_layer)
{
    static const char tiles[64];
    struct test_recipe recipe;
    struct test_memory memory;
    tm_map *map;
    tm_findings findings;
    size_t num = 0;
    start_map(&recipe, 0, 4, 4);
    recipe.items.bytes[recipe.items.size - 18 * 4 - 8 - 15 * 4 + 6 * 4] = 43; /* of the group: its layers */
    for (int i = 0; i < 42; i++)
        add_layer(&recipe, 1 + i, 0, 4, i % 2 ? 5 + i : 4, 0);
    test_recipe_data(&recipe, tiles, sizeof(tiles));
    struct test_bytes file = test_recipe_build(&recipe);
    must(load_with(&map, &file, TM_MODE_GAME, NULL, &memory));
    assert_int_equal(map->groups[0].num_layers, 43);
    tm_findings_init(&findings, 0, NULL);
    must(tm_mapfile_check_data(map, NULL, &findings, NULL));
    for (size_t i = 0; i < findings.num; i++)
        num += findings.list[i].id == TM_FINDING_TILES_SHORT;
    assert_int_equal(num, 15); /* 16 different questions are asked, and one of them has a good answer */
    tm_findings_release(&findings);
    finish(map, &file, &recipe, &memory);
}

/*
 * A map whose type table lies: what is shown is what a file with a new table shows. Layers behind a wrong entry were once not
 * there until the map was changed and saved.
 */
static tm_map *load_lie(uint32_t entry, uint32_t column, int32_t value)
{
    const tm_mapfile_save_options anew = {.size = sizeof(anew), .lay_out = true};
    struct test_recipe recipe;
    start_map(&recipe, 2, 2, 2);
    recipe.items.bytes[recipe.items.size - 18 * 4 - 8 - 15 * 4 + 6 * 4] = 3; /* of the group: its layers */
    add_layer(&recipe, 1, 0, 2, 2, 1);
    add_layer(&recipe, 2, 0, 2, 2, 2);
    for (int i = 0; i < 3; i++)
        test_recipe_data(&recipe, (uint8_t[16]){(uint8_t)i}, 16);
    OWN(test_bytes) bytes = test_recipe_build(&recipe);
    test_poke(&bytes, test_at_type(&recipe, entry) + 4 * (size_t)column, value);
    const bool lies = value != recipe.types[entry][column];
    test_recipe_release(&recipe);

    OWN(tm_findings) findings = test_findings();
    OWN(tm_buffer) saved = {.allocator = NULL};
    const tm_output output = tm_output_to_buffer(&saved);
    tm_map *map =
        test_map_load(&(tm_buffer){.bytes = bytes.bytes, .size = bytes.size}, TM_MODE_GAME, &findings);
    const bool other_type = column == 0 && value >= 0 && value <= 0xFFFF; /* the table decides */
    assert_true(findings.errors > 0 || !lies || other_type);
    must(tm_mapfile_save(map, &output, &anew, NULL, NULL, NULL));
    tm_map *reloaded = test_map_load(&saved, TM_MODE_GAME, NULL);
    if (!test_map_same(map, reloaded))
        fail_msg("entry %u, column %u, value %d: not the same when it is saved", entry, column, value);
    tm_map_free(reloaded);
    return map;
}

TEST(lies_of_type_tables_are_read_as_they_are_saved)
{
    enum { LAYERS = 3 }; /* entry of the table */
    static const int32_t values[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 0x10005, 0xFFFF, INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < 4 * 3 * sizeof(values) / sizeof(values[0]); i++) {
        const uint32_t entry = i % 4, column = i / 4 % 3;
        OWN(tm_map) *map = load_lie(entry, column, values[i / 12]);
        if (entry == LAYERS && column != 1 && (column == 2 || values[i / 12] < 0))
            assert_int_equal(map->groups[0].num_layers, 3);
    }
}

/* Layers of 16384 x 16384 tiles, 40 of them, that share a block of a few tiles, or of none. */
static void add_air(struct test_recipe *recipe, int version, const char *packed, size_t size, int announced)
{
    enum { LAYERS = 40, SIDE = 16384 };
    start_map(recipe, 2, 4, 4);
    recipe->items.bytes[recipe->items.size - 18 * 4 - 8 - 15 * 4 + 6 * 4] = (uint8_t)(LAYERS + 1);
    for (int i = 0; i < LAYERS; i++)
        test_recipe_item(recipe, TM_ITEM_LAYER, 1 + i, 18, 0, 2, 0, version, SIDE, SIDE, 0, 255, 255, 255,
                         255, -1, 0, -1, 1, 0, 0, 0);
    test_recipe_data(recipe, (uint8_t[64]){0}, 64);
    test_recipe_packed(recipe, packed, size, announced);
    test_recipe_packed(recipe, packed, size, announced);
}

/*
 * Of tiles, pixels and texts that a few hundred bytes only claim, each command once took gigabytes, and
 * seconds for each layer.
 */
TEST(what_is_only_claimed_is_nothing)
{
    for (int kind = 0; kind < 6; kind++) {
        static const char nothing[] = "\x78\x9c\x03\0\0\0\0\x01",
                          one_run[] = "\x78\x01\x01\x04\0\xfb\xff\x01\0\xff\0\x03\x03\x01\x01";
        const bool lies = kind % 3 != 0;
        const tm_mode mode = kind < 3 ? TM_MODE_GAME : TM_MODE_SALVAGE;
        struct test_recipe recipe;
        struct test_memory memory;
        tm_map *map;
        tm_findings findings;
        bool equal;
        add_air(&recipe, kind % 3 == 2 ? 4 : 3, lies ? nothing : one_run, lies ? 8 : 15, lies ? HUGE : 4);
        struct test_bytes file = test_recipe_build(&recipe);
        must(load_with(&map, &file, mode, NULL, &memory));
        tm_findings_init(&findings, 0, NULL);
        must(tm_mapfile_check_data(map, NULL, &findings, NULL));
        assert_int_equal(test_found(&findings, TM_FINDING_DATA_SHORT), lies);
        tm_findings_release(&findings);
        must(tm_map_unpack(map, NULL, 0, NULL, NULL));
        for (uint32_t i = 1; i < map->groups[0].num_layers; i++)
            assert_null(map->groups[0].layers[i].as.tiles.tiles);
        tm_buffer buffer = {.bytes = NULL};
        const tm_output output = tm_output_to_buffer(&buffer);
        must(tm_mapfile_save(map, &output, NULL, NULL, NULL, NULL));
        const tm_input before = tm_input_from_memory(file.bytes, file.size);
        const tm_input after = tm_input_from_memory(buffer.bytes, buffer.size);
        must(tm_input_equal(&equal, &before, &after, NULL));
        assert_true(equal);
        tm_buffer_release(&buffer);
        assert_in_range(memory.most_bytes, 1, 4 * LITTLE);
        finish(map, &file, &recipe, &memory);
    }
}
