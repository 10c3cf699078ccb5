/* SPDX-License-Identifier: Zlib */
/* What a map uses of the format, and how many of everything there are. */
#include "support/test.h"

/* The ids of a set, each with a blank behind it. */
static const char *ids_of(uint64_t set)
{
    static char text[1024];
    text[0] = '\0';
    for (int f = 0; f < 64; f++) {
        if (set >> f & 1) {
            assert_non_null(tm_feature_name((tm_feature)f));
            strcat(text, tm_feature_name((tm_feature)f));
            strcat(text, " ");
        }
    }
    return text;
}

TEST(features_have_ids)
{
    for (int f = 0; f < TM_FEATURE_COUNT; f++) {
        assert_non_null(tm_feature_name((tm_feature)f));
        for (int g = 0; g < f; g++)
            assert_string_not_equal(tm_feature_name((tm_feature)f), tm_feature_name((tm_feature)g));
    }
    assert_null(tm_feature_name(TM_FEATURE_COUNT));
    assert_true(TM_FEATURE_COUNT <= 64);
    /* Numbers that were once given stay. */
    assert_string_equal(tm_feature_name((tm_feature)0), "automapper");
    assert_string_equal(tm_feature_name((tm_feature)25), "v4-tiles");
}

TEST(an_empty_map_has_none)
{
    tm_mapfile_counts counts;
    OWN(tm_map) *map = test_map_new();
    assert_string_equal(ids_of(tm_mapfile_features(map)), "");
    tm_mapfile_count(&counts, map);
    static const tm_mapfile_counts zeros;
    assert_memory_equal(&counts, &zeros, sizeof(counts));
}

TEST(features_of_the_model_are_found)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    tm_mapfile_counts counts;
    assert_string_equal(
        ids_of(tm_mapfile_features(map)),
        "automapper bezier clipping detail embedded-images envelopes external-images front quads "
        "settings sound-envelopes sounds speedup switch tele tune ");
    tm_mapfile_count(&counts, map);
    assert_int_equal(counts.layers, 12);
    assert_int_equal(counts.layers_of[TM_LAYER_SOUNDS], 2);
    assert_int_equal(counts.layers_of[TM_LAYER_GAME], 1);
    assert_int_equal(counts.embedded_images, 1);
    assert_int_equal(counts.external_images, 1);
    assert_int_equal(counts.envelope_points, 9);
    assert_int_equal(counts.quads, 2);
    assert_int_equal(counts.sources, 2);
    assert_int_equal(counts.packed_bytes + counts.unpacked_bytes + counts.item_bytes, 0); /* no file yet */
}

TEST(features_of_the_file_are_found)
{
    OWN(tm_buffer) file = test_map_museum();
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    tm_mapfile_counts counts;
    const uint64_t set = tm_mapfile_features(map);
    assert_true(set >> TM_FEATURE_UUID_ITEMS & 1);
    assert_false(set >> TM_FEATURE_V4_TILES & 1);
    tm_mapfile_count(&counts, map);
    assert_true(counts.item_bytes > 0 && counts.packed_bytes > 0 && counts.unpacked_bytes > 0);
    tm_map_free(map);
    tm_buffer_release(&file);
    file = test_map_museum07();
    map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_true(tm_mapfile_features(map) >> TM_FEATURE_V4_TILES & 1);
}

TEST(unknown_items_are_a_feature)
{
    struct test_maker maker;
    for (int with = 0; with < 2; with++) {
        maker = test_maker_new();
        test_maker_start(&maker);
        if (with)
            TEST_ITEM(&maker, 99, 0, 1, 2, 3);
        OWN(tm_buffer) file = test_maker_finish(&maker);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        assert_string_equal(ids_of(tm_mapfile_features(map)), with ? "unknown-items " : "");
    }
}

static tm_fact fact_of(const tm_facts *facts, const char *name)
{
    const tm_fact_column *column;
    for (uint32_t i = 0; (column = tm_facts_column(i)); i++)
        if (strcmp(column->name, name) == 0)
            return tm_facts_get(facts, i);
    fail_msg("there is no column %s", name);
    return (tm_fact){.known = false};
}

TEST(each_kind_of_layer_is_a_column)
{
    char name[64];
    OWN(tm_facts) *facts;
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    tm_mapfile_counts counts;
    tm_mapfile_count(&counts, map);
    must(tm_facts_make(&facts, map, NULL, NULL, NULL, NULL));
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        snprintf(name, sizeof(name), "layers_%s", tm_game_layer((tm_layer_kind)kind)->name);
        assert_int_equal(fact_of(facts, name).number, counts.layers_of[kind]);
    }
    for (uint32_t i = 0; tm_facts_column(i); i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(tm_facts_column(i)->name, tm_facts_column(k)->name);
}

/* A property of DDNet's lists that a tile of a layer gives. NULL: none. */
static const struct {
    tm_layer_kind kind;
    uint8_t tile;
    const char *property;
} listed[] = {{TM_LAYER_GAME, 2, "DEATH"},         {TM_LAYER_GAME, 9, NULL},
              {TM_LAYER_GAME, 22, NULL},           {TM_LAYER_FRONT, 22, NULL},
              {TM_LAYER_TELE, 22, NULL},           {TM_LAYER_SWITCH, 22, "SWITCH_TIMED"},
              {TM_LAYER_GAME, 23, "SWITCH_TIMED"}, {TM_LAYER_FRONT, 67, "THROUGH_ALL"},
              {TM_LAYER_TELE, 26, "TELEIN"},       {TM_LAYER_SPEEDUP, 28, "BOOST"},
              {TM_LAYER_SPEEDUP, 29, "TELECHECK"}, {TM_LAYER_SWITCH, 95, "BONUS"},
              {TM_LAYER_TUNE, 68, "TUNE"},         {TM_LAYER_GAME, 209, "LASER_STOP"},
              {TM_LAYER_GAME, 234, "DRAGGER"},     {TM_LAYER_GAME, 224, "CRAZY_SHOTGUN"},
              {TM_LAYER_GAME, 72, "NPC_START"},    {TM_LAYER_TILES, 2, NULL}};

TEST(ddnet_lists_what_tiles_give)
{
    for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
        OWN(tm_facts) *facts;
        OWN(tm_map) *map;
        map = test_map_of_layer(listed[i].kind, 3, 3);
        tm_edit_grid grid = test_edit_grid(map, 0, 0);
        const size_t at = (size_t)grid.tile_size * 4 + (size_t)tm_game_layer(listed[i].kind)->index_at;
        ((uint8_t *)grid.tiles)[at] = listed[i].tile;
        must(tm_facts_make(&facts, map, NULL, NULL, NULL, NULL));
        const tm_fact fact = fact_of(facts, "ddnet_properties");
        assert_true(fact.known);
        assert_int_equal(fact.num, listed[i].property ? 1 : 0);
        if (listed[i].property)
            assert_string_equal(fact.list[0], listed[i].property);
    }
}

TEST(facts_are_counted)
{
    uint64_t numbers[256];
    tm_facts *facts;
    tm_map *map = test_map_everything(TM_GAME_DDNET);
    int64_t used = 0;
    uint32_t group, layer;
    assert_non_null(tm_map_physics_layer(&group, &layer, map, TM_LAYER_GAME));
    must(tm_map_fill_tiles(map, group, layer, &(tm_rect){0, 0, 1, 1}, &(tm_tile){.index = 33}, NULL));
    must(tm_facts_make(&facts, map, NULL, NULL, NULL, NULL));
    assert_true(fact_of(facts, "start").number >= 1);
    must(tm_map_numbers(numbers, map, TM_NUMBER_TELE, NULL));
    for (int i = 1; i < 256; i++)
        used += numbers[i] > 0;
    assert_int_equal(fact_of(facts, "teleporters").number, used);
    assert_int_equal(fact_of(facts, "image_names").num, map->num_images);
    assert_false(fact_of(facts, "path").known);
    assert_false(fact_of(facts, "file_size").known);
    tm_facts_free(facts);
    tm_map_free(map);
    /* One that could not be read. */
    tm_facts_file file = TM_FACTS_FILE_INIT;
    file.path = "a/b.map";
    file.error = "no";
    must(tm_facts_make(&facts, NULL, NULL, &file, NULL, NULL));
    assert_string_equal(fact_of(facts, "name").text, "b");
    assert_string_equal(fact_of(facts, "error").text, "no");
    assert_false(fact_of(facts, "width").known);
    tm_facts_free(facts);
    assert_int_equal(tm_facts_make(NULL, NULL, NULL, NULL, NULL, NULL), TM_ERROR_USAGE);
    assert_false(tm_facts_get(NULL, 0).known);
    tm_facts_free(NULL);
}
