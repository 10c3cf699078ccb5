/* SPDX-License-Identifier: Zlib */
/*
 * All operations of the table, whatever they are: with arguments by their types they do something, what fails
 * leaves the map as it was, and any allocation may fail.
 *
 * test-timeout: 600
 */
#include "edit_steps.h"
#include "support/test.h"

#include "edit_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the fuzz target */

enum { TRIES = 300, BYTES = 64 };

/* The same sequence everywhere. */
static void fill_bytes(uint8_t bytes[BYTES], uint32_t seed)
{
    uint32_t state = seed * 2654435761U + 12345;
    for (int i = 0; i < BYTES; i++) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

static void name_it(tm_map *map, uint32_t image, const char *name)
{
    must(tm_map_set_text(map, &map->images[image].name, name, NULL));
}

static void put_tile(tm_map *map, tm_layer_kind kind, int32_t y, const void *tile)
{
    uint32_t group, index;
    const tm_layer *layer = tm_map_physics_layer(&group, &index, map, kind);
    assert_non_null(layer);
    must(tm_map_write_tiles(map, group, index, &(tm_rect){(int32_t)layer->as.tiles.width - 1, y, 1, 1}, tile,
                            0, NULL));
}

/*
 * A group "Work" with quads that are not straight, a tile that is not marked as opaque, a layer with an automapper, an image that is the
 * game's own, one whose size is wrong, and physics tiles that somebody fixes.
 */
static void add_work(tm_map *map)
{
    static const uint8_t nothing[8];
    static uint8_t own[16 * 16 * 4]; /* as edit_steps.c gives grass_main */
    const tm_tile tile = {.index = 1}, skipping = {.index = 1, .skip = 3};
    const tm_speedup_tile speedup = {.force = 50, .type = 28};
    const tm_tele_tile tele = {.number = 3, .type = 26};
    const uint32_t group = map->num_groups;
    uint32_t game, index;
    tm_quad quads[2];
    must(tm_map_insert(map, TM_KIND_GROUP, group, NULL));
    tm_map_set_name(map->groups[group].name, TM_NAME_SIZE, "Work");
    must(tm_map_insert_layer(map, group, 0, TM_LAYER_TILES, 4, 3, NULL));
    must(tm_map_write_tiles(map, group, 0, &(tm_rect){0, 0, 1, 1}, &tile, 0, NULL));
    map->groups[group].layers[0].as.tiles.image = (int32_t)map->num_images - 1;
    must(tm_map_insert_layer(map, group, 1, TM_LAYER_QUADS, 0, 0, NULL));
    for (int i = 0; i < 2; i++) {
        tm_quad_init(&quads[i], (16 + i * 40) * 1024, 16 * 1024, 20 * 1024, 20 * 1024);
        quads[i].points[1].x += 77;
    }
    must(tm_map_set_quads(map, group, 1, quads, 2, NULL));
    memset(own, 200, sizeof(own));
    for (uint32_t i = 0; i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, map->num_images, NULL));
        name_it(map, map->num_images - 1, "grass_main");
    }
    must(tm_map_set_pixels(map, map->num_images - 2, own, 16, 16, NULL));
    map->images[map->num_images - 1].width = map->images[map->num_images - 1].height = 7;
    must(tm_map_insert_layer(map, group, 2, TM_LAYER_TILES, 4, 3, NULL));
    must(tm_map_write_tiles(map, group, 2, &(tm_rect){0, 0, 1, 1}, &tile, 0, NULL));
    map->groups[group].layers[2].as.tiles.image = (int32_t)map->num_images - 1;
    must(tm_map_insert_layer(map, group, 3, TM_LAYER_SOUNDS, 0, 0, NULL));
    map->groups[group].layers[2].as.tiles.automapper = (tm_automapper){.present = true};
    tm_layer_walk walk = {0};
    while (
        tm_map_next_layer(map, &walk)) /* nothing is drawn over the tile of the game layer that comes then */
        if (tm_game_layer(walk.layer->kind)->is_tiles && walk.group != group)
            must(tm_map_write_tiles(map, walk.group, walk.index,
                                    &(tm_rect){(int32_t)walk.layer->as.tiles.width - 1, 1, 1, 1}, nothing, 0,
                                    NULL));
    put_tile(map, TM_LAYER_GAME, 1, &skipping);
    put_tile(map, TM_LAYER_SPEEDUP, 0, &speedup);
    const tm_layer *old = tm_map_physics_layer(&game, &index, map, TM_LAYER_TELE);
    must(tm_map_insert_layer(map, game, index, TM_LAYER_TELE, old->as.tiles.width, old->as.tiles.height,
                             NULL));
    must(tm_map_write_tiles(map, game, index, &(tm_rect){0, 0, 1, 1}, &tele, 0, NULL));
}

/* One of everything, and what many operations look for: two physics layers of a kind, equal images, settings. */
static tm_map *rich_map(const tm_allocator *allocator)
{
    tm_map *source = test_map_everything(TM_GAME_DDNET), *map;
    tm_map_options options = {.size = sizeof(options), .allocator = allocator};
    must(tm_map_new(&map, &options, NULL));
    for (uint32_t i = 0; i < source->num_groups; i++)
        must(tm_map_import(NULL, map, TM_KIND_GROUP, i, source, i, NULL, NULL));
    must(tm_map_insert(map, TM_KIND_GROUP, map->num_groups, NULL));
    must(tm_map_duplicate(map, TM_KIND_IMAGE, 0, 0, NULL));
    must(tm_map_duplicate(map, TM_KIND_ENVELOPE, 0, 0, NULL));
    if (map->num_sounds)
        must(tm_map_duplicate(map, TM_KIND_SOUND, 0, 0, NULL));
    for (uint8_t i = 0; i < 2; i++) { /* half of each cell is not visible; the second has no alpha */
        uint8_t rgba[32 * 32 * 4];
        for (size_t k = 0; k < sizeof(rgba); k++)
            rgba[k] = k % 8 == 3 ? 255 : k % 8 == 7 ? 0 : (uint8_t)(k + i);
        must(tm_map_insert(map, TM_KIND_IMAGE, map->num_images, NULL));
        must(tm_map_set_pixels(map, map->num_images - 1, rgba, 32, 32, NULL));
    }
    map->images[map->num_images - 1].format = TM_IMAGE_RGB;
    add_work(map);
    const tm_envelope_point points[] = {{.time = 900}, {.time = 500, .values = {1024}}};
    must(tm_map_insert(map, TM_KIND_ENVELOPE, map->num_envelopes, NULL));
    must(tm_map_set_points(map, map->num_envelopes - 1, points, 2, NULL));
    must(tm_map_set_settings(map, (const char *const[]){"tune_zone 1 a 2", "b", "a"}, 3, NULL));
    tm_map_free(source);
    return map;
}

/* Runs a step on a clone; whether it changed anything. */
static tm_status try_step(const tm_map *map, const struct edit_step *step, const tm_edit_options *options,
                          bool *changes)
{
    OWN(tm_map) *clone;
    OWN(tm_report) report;
    tm_error error = {0};
    tm_report_init(&report, NULL);
    must(tm_map_clone(&clone, map, NULL));
    const tm_status status =
        tm_edit_run(clone, step->operation, step->arguments, step->num, options, &report, &error);
    if (status && (error.code != status || !error.text[0] || status == TM_ERROR_MEMORY))
        fail_msg("%s: status %d, '%s'", step->line, status, error.text);
    if (tm_map_verify(clone, &error))
        fail_msg("%s: %s: %s", step->line, error.place, error.text);
    if (status && (!test_map_same(map, clone) || report.num || report.findings.num))
        fail_msg("%s: failed, and changed something", step->line);
    *changes = report.num > 0;
    return status;
}

/* For operations whose arguments chance does not find. */
static bool known_step(struct edit_step *out, const tm_edit_operation *row)
{
    static const struct {
        const char *name, *arguments[6];
    } known[] = {
        {"renumber", {"tele", "+1"}},
        {"replace sound", {"sound/0", "sound.opus"}},
        {"quads front", {"Work@0,0+1x1"}},
        {"quads back", {"Work@2,0+1x1"}},
        {"add quad", {"Work/1", "18,18"}},
        {"add source", {"Work/3", "18,18"}},
        {"quads knife", {"Work/1", "0", "18,18", "30,18", "18,30", "30,30"}},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        if (strcmp(known[i].name, row->name) != 0)
            continue;
        memset(out, 0, sizeof(*out));
        out->operation = row;
        for (; out->num < 6 && known[i].arguments[out->num]; out->num++)
            out->arguments[out->num] = known[i].arguments[out->num];
        snprintf(out->line, sizeof(out->line), "%s", row->name);
        return true;
    }
    return false;
}

/* Arguments with which an operation changes the map; false: none were found. */
static bool find_step(struct edit_step *out, const tm_edit_operation *row, const tm_map *map,
                      const tm_edit_options *options)
{
    bool changes;
    if (known_step(out, row))
        return !try_step(map, out, options, &changes) && changes;
    for (uint32_t seed = 0; seed < TRIES; seed++) {
        uint8_t bytes[BYTES];
        fill_bytes(bytes, seed);
        struct edit_bytes stream = {bytes, BYTES, 0};
        edit_step_make(out, row, map, &stream);
        if (!try_step(map, out, options, &changes) && changes)
            return true;
    }
    return false;
}

/* What the map of this test lacks; cli.unread tries the operation on files that have it. */
static bool needs_unread_text(const tm_edit_operation *row)
{
    return strcmp(row->name, "clean unread") == 0;
}

TEST(operations_do_something)
{
    OWN(tm_map) *map = rich_map(NULL), *other = test_map_everything(TM_GAME_DDNET);
    tm_edit_options options;
    const tm_edit_operation *row;
    uint32_t idle = 0;
    edit_step_options(&options, other);
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        struct edit_step step;
        if (!needs_unread_text(row) && !find_step(&step, row, map, &options)) {
            print_error("%s: no arguments were found with which it does anything\n", row->name);
            idle++;
        }
    }
    assert_int_equal(idle, 0);
}

/* The n-th allocation fails, for each n. */
static void starve(const tm_edit_operation *row, const tm_map *other)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    struct edit_step step;
    tm_edit_options options;
    tm_status status = TM_ERROR_MEMORY;
    edit_step_options(&options, other);
    OWN(tm_map) *map = rich_map(&memory.allocator), *before;
    assert_true(find_step(&step, row, map, &options));
    must(tm_map_clone(&before, map, NULL));
    for (size_t n = 1; status; n++) {
        tm_error error = {0};
        const size_t blocks = memory.num_blocks;
        memory.fail_at = memory.num_requests + n;
        memory.failed = false;
        status = tm_edit_run(map, row, step.arguments, step.num, &options, NULL, &error);
        memory.fail_at = 0;
        if (!memory.failed && status)
            fail_msg("%s: %s", step.line, error.text);
        if (!status)
            break;
        if (status != TM_ERROR_MEMORY)
            fail_msg("%s, request %zu fails: status %d, '%s'", step.line, n, status, error.text);
        if (memory.num_blocks != blocks)
            fail_msg("%s, request %zu fails: %zu blocks before, %zu behind", step.line, n, blocks,
                     memory.num_blocks);
        assert_true(test_map_same(map, before));
        must(tm_map_verify(map, NULL));
    }
}

TEST(running_out_of_memory_changes_nothing)
{
    OWN(tm_map) *other = test_map_everything(TM_GAME_DDNET);
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        if (!needs_unread_text(row))
            starve(row, other);
}
