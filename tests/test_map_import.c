/* SPDX-License-Identifier: Zlib */
/*
 * Importing objects of one map into another: what is imported is equal to its original, with everything that it
 * refers to; what the map had is as before; data stay packed; the file that they came from lives on.
 */
#include "support/lib_render.h"
#include "map/map.h"

/* ----------------------------------------------------------------------------------------------- comparing */

typedef struct pair {
    const tm_map *a, *b;
    bool same;
    char where[256];
} pair;

static bool note_any(void *ctx, const tm_difference *difference)
{
    pair *maps = ctx;
    maps->same = false;
    tm_difference_format(maps->where, sizeof(maps->where), difference, maps->a, maps->b);
    return false;
}

static bool same_singles(const tm_map *a, int32_t i, const tm_map *b, int32_t k, tm_kind object)
{
    pair maps = {a, b, true, ""};
    const bool leads = k >= 0 && (uint32_t)k < tmi_num_objects(b, object);
    if (i < 0)
        return !leads; /* what led to nothing leads to nothing */
    const tm_address our_address = {object, (uint32_t)i, 0}, their_address = {object, (uint32_t)k, 0};
    assert_true(leads);
    must(tmi_object_compare(a, &our_address, b, &their_address, NULL, note_any, &maps, NULL));
    return maps.same;
}

/* References may be other numbers, if they lead to what is the same. */
static bool note_difference(void *ctx, const tm_difference *difference)
{
    pair *maps = ctx;
    const tm_field *field = difference->field;
    if (field->type == TM_TYPE_REFERENCE &&
        same_singles(maps->a, (int32_t)difference->before.as.number, maps->b,
                     (int32_t)difference->after.as.number, field->refers))
        return true;
    return note_any(ctx, difference);
}

static void assert_same_layer(const tm_map *a, uint32_t ga, uint32_t la, const tm_map *b, uint32_t gb,
                              uint32_t lb)
{
    const tm_address our_address = {TM_KIND_LAYER, ga, la}, their_address = {TM_KIND_LAYER, gb, lb};
    pair maps = {a, b, true, ""};
    must(tmi_object_compare(a, &our_address, b, &their_address, NULL, note_difference, &maps, NULL));
    if (!maps.same)
        fail_msg("imported: %s", maps.where);
}

static void assert_same_group(const tm_map *a, uint32_t ga, const tm_map *b, uint32_t gb)
{
    const tm_address our_address = {TM_KIND_GROUP, ga, 0}, their_address = {TM_KIND_GROUP, gb, 0};
    pair maps = {a, b, true, ""};
    must(tmi_object_compare(a, &our_address, b, &their_address, NULL, note_difference, &maps, NULL));
    if (!maps.same)
        fail_msg("imported: %s", maps.where);
}

/* --------------------------------------------------------------------------------------------- small maps */

static tm_map *loaded_everything(tm_game game, tm_buffer *file)
{
    tm_map *built = test_map_everything(game);
    *file = test_map_save(built, NULL);
    tm_map_free(built);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

/* Every group and layer of every game's map into that of every game, built and loaded. */
TEST(everything_is_imported_everywhere)
{
    for (int from_game = 0; from_game < TM_GAME_COUNT; from_game++) {
        for (int game = 0; game < TM_GAME_COUNT; game++) {
            for (int share = 0; share < 2; share++) {
                OWN(tm_buffer) file;
                const tm_import_options options = {sizeof(options), share};
                OWN(tm_map) *map = test_map_everything((tm_game)game), *before;
                tm_map *source = loaded_everything((tm_game)from_game, &file);
                uint32_t at = 0;
                must(tm_map_clone(&before, map, NULL));
                for (uint32_t g = 0; g < source->num_groups; g++) {
                    must(tm_map_import(&at, map, TM_KIND_GROUP, 0, source, g, &options, NULL));
                    assert_int_equal(at, 0);
                    assert_same_group(map, 0, source, g);
                    for (uint32_t l = 0; l < source->groups[g].num_layers; l++) {
                        must(tm_map_import_layer(map, 0, 1, source, g, l, &options, NULL));
                        assert_same_layer(map, 0, 1, source, g, l);
                    }
                }
                must(tm_map_verify(map, NULL));
                for (uint32_t g = 0; g < before->num_groups; g++)
                    assert_same_group(map, source->num_groups + g, before, g);
                tm_map_free(source); /* its file lives on as long as the map has data of it */
                OWN(tm_buffer) saved = test_map_save(map, NULL);
                OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_GAME, NULL);
            }
        }
    }
}

TEST(equal_objects_are_shared_if_asked)
{
    OWN(tm_buffer) file;
    const tm_import_options share = {sizeof(share), true};
    OWN(tm_map) *source = loaded_everything(TM_GAME_DDNET, &file), *map = test_map_everything(TM_GAME_DDNET);
    uint32_t at = 9;
    must(tm_map_import(&at, map, TM_KIND_IMAGE, 0, source, 1, &share, NULL));
    assert_int_equal(at, 1);
    must(tm_map_import(&at, map, TM_KIND_IMAGE, 0, source, 0, &share, NULL)); /* by its pixels */
    assert_int_equal(at, 0);
    must(tm_map_import(&at, map, TM_KIND_SOUND, 2, source, 1, &share, NULL));
    must(tm_map_import(&at, map, TM_KIND_ENVELOPE, 3, source, 2, &share, NULL));
    assert_int_equal(at, 2);
    must(tm_map_import(NULL, map, TM_KIND_GROUP, 0, source, 1, &share, NULL));
    assert_int_equal(map->num_images, 2);
    assert_int_equal(map->num_sounds, 2);
    assert_int_equal(map->num_envelopes, 3);
    /* Another name or another pixel is another image; an external one is what its name says. */
    must(tm_map_set_text(map, &map->images[0].name, "other", NULL));
    map->images[1].width = 77;
    must(tm_map_import(&at, map, TM_KIND_IMAGE, 0, source, 1, &share, NULL));
    assert_int_equal(at, 1);
    must(tm_map_import(&at, map, TM_KIND_IMAGE, 2, source, 0, &share, NULL));
    assert_int_equal(at, 2);
    assert_int_equal(map->num_images, 3);
    map->envelopes[2].points[0].values[0]++;
    must(tm_map_import(&at, map, TM_KIND_ENVELOPE, 0, source, 2, &share, NULL));
    assert_int_equal(at, 0);
    assert_int_equal(map->num_envelopes, 4);
    /* Unasked, everything comes along. */
    must(tm_map_import(&at, map, TM_KIND_IMAGE, 0, source, 1, NULL, NULL));
    assert_int_equal(map->num_images, 4);
    must(tm_map_verify(map, NULL));
}

/* References of the map that led to nothing must not lead to what is new. */
TEST(what_led_nowhere_leads_nowhere)
{
    OWN(tm_map) *map, *source = test_map_everything(TM_GAME_DDNET);
    tm_quad quads[2];
    const tm_quad *read;
    uint32_t num, group, layer;
    map = test_map_of_layer(TM_LAYER_QUADS, 0, 0);
    for (int i = 0; i < 2; i++)
        tm_quad_init(&quads[i], 0, 0, 32, 32);
    quads[0].color_envelope = 0; /* of none */
    must(tm_map_set_quads(map, 0, 0, quads, 2, NULL));
    assert_non_null(tm_map_find_layer(&group, &layer, source, TM_LAYER_QUADS));
    quads[1].position_envelope = 288; /* of three */
    must(tm_map_set_quads(source, group, layer, quads, 2, NULL));
    source->groups[group].layers[layer].as.quads.image = TM_NONE;
    must(tm_map_import_layer(map, 0, 1, source, group, layer, NULL, NULL));
    assert_int_equal(map->num_envelopes, 1);
    must(tm_map_quads(&read, &num, map, &map->groups[0].layers[0], NULL));
    assert_int_equal(read[0].color_envelope, TM_NONE);
    must(tm_map_quads(&read, &num, map, &map->groups[0].layers[1], NULL));
    assert_int_equal(read[0].color_envelope, 0);
    assert_int_equal(read[1].position_envelope, TM_NONE);
}

/* Of itself and of a clone: data are not shared in the file that is saved, as the strict loader wants it. */
TEST(a_map_imports_from_itself)
{
    OWN(tm_buffer) file;
    tm_map *map = loaded_everything(TM_GAME_DDNET, &file), *clone;
    OWN(tm_findings) findings = test_findings();
    must(tm_map_clone(&clone, map, NULL));
    const uint32_t images = map->num_images;
    uint32_t group, layer;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES)); /* which has an image */
    must(tm_map_import_layer(map, group, layer, map, group, layer, NULL, NULL));
    assert_same_layer(map, group, layer, map, group, layer + 1);
    assert_int_equal(map->num_images, images + 1);
    const tm_import_options share = {sizeof(share), true};
    must(tm_map_import(NULL, map, TM_KIND_GROUP, 2, clone, 0, &share, NULL));
    must(tm_map_import_layer(map, 1, 0, clone, group, layer, &share, NULL));
    assert_int_equal(map->num_images, images + 1);
    tm_map_free(clone);
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_STRICT, &findings);
    assert_false(test_found(&findings, TM_FINDING_SHARED_TILES));
    assert_true(test_map_same(map, reloaded));
    tm_map_free(map);
}

/* Layers that no game knows any more come along; what the game cannot hold is said when it is saved. */
TEST(odd_layers_are_imported)
{
    OWN(tm_buffer) museum = test_map_museum();
    tm_map *source = test_map_load(&museum, TM_MODE_GAME, NULL), *map;
    OWN(tm_findings) findings = test_findings();
    uint32_t old = 0, unknown = 0;
    must(tm_map_new(&map, NULL, NULL));
    for (uint32_t g = 0; g < source->num_groups; g++) {
        must(tm_map_import(NULL, map, TM_KIND_GROUP, g, source, g, NULL, NULL));
        assert_same_group(map, g, source, g);
        for (uint32_t l = 0; l < source->groups[g].num_layers; l++) {
            old += source->groups[g].layers[l].kind == TM_LAYER_OLD_SOUNDS;
            unknown += source->groups[g].layers[l].kind == TM_LAYER_UNKNOWN;
        }
    }
    assert_true(old > 0);
    tm_map_free(source);
    OWN(tm_buffer) saved = test_map_save(map, &findings);
    assert_true(test_found(&findings, TM_FINDING_LOST_LAYER) == (unknown > 0));
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_GAME, NULL);
    for (uint32_t g = 0; g < reloaded->num_groups; g++)
        for (uint32_t l = 0; l < reloaded->groups[g].num_layers; l++)
            old -= reloaded->groups[g].layers[l].kind == TM_LAYER_OLD_SOUNDS;
    assert_int_equal(old, 0);
    tm_map_free(map);
}

TEST(misuse_is_refused)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET), *before;
    tm_error error;
    uint32_t out = 5;
    must(tm_map_clone(&before, map, NULL));
    assert_int_equal(tm_map_import(&out, map, TM_KIND_IMAGE, 0, map, 9, NULL, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "image 9 does not exist, the map has 2");
    assert_int_equal(out, 0);
    assert_int_equal(tm_map_import(NULL, map, TM_KIND_IMAGE, 9, map, 0, NULL, &error), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import(NULL, map, TM_KIND_IMAGE, 0, NULL, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import(NULL, map, (tm_kind)7, 0, map, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import_layer(map, 2, 0, map, 0, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import_layer(map, 1, 99, map, 1, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import_layer(map, 1, 0, map, 1, 99, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_import_layer(map, 1, 0, NULL, 1, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_true(test_map_same(map, before));
}

static const char *const real[] = {"ddnet06/Gold_Mine-98f7a9.map", "ddnet06/autumn_day-ef1ae8.map",
                                   "ddnet06/coverage-831c1a.map", "ddnet06/Sunny_Side_Up-f91419.map"};
enum { NUM_REAL = 4 };

static struct test_picture picture_of_group(const tm_map *map, uint32_t group)
{
    enum { MAX_LAYERS = 1024 };
    static float opacities[MAX_LAYERS];
    const tm_camera camera = test_camera(TM_CAMERA_FLAT, 100, 100, 0.25, 320, 200, 0, opacities);
    const tm_render_options options = {.size = sizeof(options), .look = TM_CLIENT_DDNET};
    uint32_t at = 0;
    assert_in_range(tm_map_num_layers(map), 1, MAX_LAYERS);
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            opacities[at++] = g == group ? 1.0F : 0.0F;
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    return test_draw(renderer, &camera, 0xFF000000);
}

static bool holds_game_layer(const tm_group *group)
{
    for (uint32_t l = 0; l < group->num_layers; l++)
        if (group->layers[l].kind == TM_LAYER_GAME)
            return true;
    return false;
}

/* All groups of one map behind those of another, saved, loaded again: all parts are as they were. */
static void join(const tm_buffer *first, const tm_buffer *second, bool share)
{
    OWN(tm_map) *map = test_map_load(first, TM_MODE_GAME, NULL), *before;
    OWN(tm_map) *source = test_map_load(second, TM_MODE_GAME, NULL);
    const tm_import_options options = {sizeof(options), share};
    const uint32_t own = map->num_groups;
    must(tm_map_clone(&before, map, NULL));
    for (uint32_t g = 0; g < source->num_groups; g++)
        must(tm_map_import(NULL, map, TM_KIND_GROUP, own + g, source, g, &options, NULL));
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_GAME, NULL);
    for (uint32_t g = 0; g < own; g++)
        assert_same_group(reloaded, g, before, g);
    for (uint32_t g = 0; g < source->num_groups; g++)
        assert_same_group(reloaded, own + g, source, g);
    for (uint32_t g = 0; g < source->num_groups; g += 2) {
        if (holds_game_layer(&source->groups[g]))
            continue;
        OWN(test_picture) ours = picture_of_group(reloaded, own + g), theirs = picture_of_group(source, g);
        assert_true(test_picture_same(&ours, &theirs));
    }
}

TEST(real_maps_are_joined)
{
    tm_buffer files[NUM_REAL];
    for (int i = 0; i < NUM_REAL; i++)
        files[i] = test_corpus_file(real[i]);
    for (int i = 0; i < NUM_REAL; i++)
        join(&files[i], &files[(i + 1) % NUM_REAL], i & 1);
    for (int i = 0; i < NUM_REAL; i++)
        tm_buffer_release(&files[i]);
}

/* An import costs what a clone costs, as data stay packed. */
TEST(data_stay_packed)
{
    OWN(tm_buffer) file = test_corpus_file(real[0]);
    OWN(test_memory) memory = TEST_MEMORY(memory);
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, NULL, &memory.allocator};
    const tm_map_options map_options = {sizeof(map_options), TM_GAME_DDNET, NULL, &memory.allocator};
    tm_map *source, *map, *clone;
    must(tm_mapfile_load(&source, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
    size_t start = memory.num_bytes;
    must(tm_map_clone(&clone, source, NULL));
    const size_t cloned = memory.num_bytes - start;
    tm_map_free(clone);
    must(tm_map_new(&map, &map_options, NULL));
    start = memory.num_bytes;
    const tm_import_options share = {sizeof(share), true};
    for (uint32_t g = 0; g < source->num_groups; g++)
        must(tm_map_import(NULL, map, TM_KIND_GROUP, g, source, g, &share, NULL));
    uint64_t packed = 0, unpacked = 0;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            const tm_block *block =
                tm_game_layer(layer->kind)->is_tiles ? layer->as.tiles.tiles : layer->as.quads.quads;
            if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS || !block)
                continue;
            const tm_block_info info = tm_block_get_info(block);
            assert_true(!info.changed ||
                        layer->kind == TM_LAYER_QUADS); /* envelopes may have other numbers */
            *(info.unpacked ? &unpacked : &packed) += info.size;
        }
    }
    for (uint32_t i = 0; i < map->num_images; i++)
        assert_false(map->images[i].pixels && tm_block_get_info(map->images[i].pixels).unpacked);
    assert_true(packed > 20 * unpacked);
    assert_in_range(memory.num_bytes - start, 0, 2 * cloned + unpacked);
    tm_map_free(source);
    tm_map_free(map);
}
