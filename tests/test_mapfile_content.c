/* SPDX-License-Identifier: Zlib */
/*
 * One call of every function that changes what is in an object, on maps of each era: settings, tiles, sizes, quads, sources,
 * points, pixels, sounds. What is saved differs only in the items and blocks that the change concerns; see lib_changes.h for
 * what else is checked. Plain fields are in test_mapfile_change.c, objects that come and go in test_mapfile_rearrange.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANY = 0xFFFFFF };

static void must(tm_status status, const tm_error *error)
{
    if (status != TM_OK)
        fail_msg("%s: %s", error->place, error->text);
}

/* ------------------------------------------------------------------------------------------------------ kinds of layers */

static bool is_grid(const tm_layer *layer)
{
    return tm_game_layer(layer->kind)->is_tiles && layer->as.tiles.width > 0;
}

static bool has_compat(const tm_layer *layer)
{
    return is_grid(layer) && layer->as.tiles.compat;
}

static bool is_quads(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_QUADS;
}

static bool is_sounds(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_SOUNDS;
}

static bool has_elements(const tm_layer *layer)
{
    return (layer->kind == TM_LAYER_QUADS && layer->as.quads.num_quads) ||
           ((layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS) &&
            layer->as.sounds.num_sources);
}

/* ------------------------------------------------------------------------------------------------------------- content */

static bool settings_more(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    static const char *const settings[] = {"one", "", "three"};
    tm_error error;
    if (map->game != TM_GAME_DDNET || k > 0)
        return false;
    must(tm_map_set_settings(map, settings, 3, &error), &error);
    test_may_change(allowed, TM_ITEM_INFO, 1);
    allowed->blocks = 1;
    return true;
}

static bool settings_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (map->info.num_settings == 0 || k > 0)
        return false;
    must(tm_map_set_settings(map, NULL, 0, NULL), NULL);
    test_may_change(allowed, TM_ITEM_INFO, 1);
    allowed->blocks = 1;
    return true;
}

static bool tile(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    uint8_t bytes[8];
    tm_error error;
    struct test_spot at;
    if (!test_find_layer(map, k, is_grid, &at))
        return false;
    must(tm_map_read_tiles(map, at.it, 1, 0, 1, 1, bytes, 0, &error), &error);
    bytes[0] ^= 5;
    if (!at.it->as.tiles.tiles) /* it gets data */
        test_may_change(allowed, TM_ITEM_LAYER, 1);
    must(tm_map_write_tiles(map, at.group, at.layer, 1, 0, 1, 1, bytes, 0, &error), &error);
    allowed->blocks = 1;
    return true;
}

static bool compat_tile(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    void *bytes;
    tm_error error;
    struct test_spot at;
    if (!test_find_layer(map, k, has_compat, &at))
        return false;
    must(tm_map_edit_data(map, at.it->as.tiles.compat, &bytes, NULL, &error), &error);
    *(uint8_t *)bytes ^= 9;
    allowed->blocks = 1;
    return true;
}

static bool resize_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    tm_error error;
    struct test_spot at;
    if (!test_find_layer(map, k, is_grid, &at))
        return false;
    must(tm_map_resize_layer(map, at.group, at.layer, at.it->as.tiles.width + 1, at.it->as.tiles.height + 2,
                             1, 0, &error),
         &error);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 2;
    allowed->refused = at.it->kind == TM_LAYER_GAME; /* others are too small then */
    return true;
}

/* Any element in place: quads and both kinds of sources. */
static bool element(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    void *bytes;
    int32_t x;
    tm_error error;
    struct test_spot at;
    if (!test_find_layer(map, k, has_elements, &at))
        return false;
    tm_block *block = at.it->kind == TM_LAYER_QUADS ? at.it->as.quads.quads : at.it->as.sounds.sources;
    must(tm_map_edit_data(map, block, &bytes, NULL, &error), &error);
    memcpy(&x, bytes, 4);
    x ^= 77;
    memcpy(bytes, &x, 4);
    allowed->blocks = 1;
    return true;
}

static bool quads_more(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    static const tm_quad quads[3];
    struct test_spot at;
    if (!test_find_layer(map, k, is_quads, &at))
        return false;
    must(tm_map_set_quads(map, at.group, at.layer, quads, at.it->as.quads.num_quads == 3 ? 2 : 3, NULL),
         NULL);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool quads_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    struct test_spot at;
    if (!test_find_layer(map, k, is_quads, &at))
        return false;
    if (at.it->as.quads.num_quads == 0)
        return quads_more(map, k, allowed);
    must(tm_map_set_quads(map, at.group, at.layer, NULL, 0, NULL), NULL);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool sources_more(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    static const tm_sound_source sources[3];
    struct test_spot at;
    if (!test_find_layer(map, k, is_sounds, &at))
        return false;
    must(
        tm_map_set_sources(map, at.group, at.layer, sources, at.it->as.sounds.num_sources == 3 ? 2 : 3, NULL),
        NULL);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool sources_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    struct test_spot at;
    if (!test_find_layer(map, k, is_sounds, &at))
        return false;
    if (at.it->as.sounds.num_sources == 0)
        return sources_more(map, k, allowed);
    must(tm_map_set_sources(map, at.group, at.layer, NULL, 0, NULL), NULL);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool set_points(tm_map *map, uint32_t k, uint32_t num, struct test_allowed *allowed)
{
    tm_envelope_point *points = calloc(num + 1, sizeof(*points));
    assert_non_null(points);
    for (uint32_t i = 0; i < num; i++)
        points[i].time = (int32_t)(i * 10);
    must(tm_map_set_points(map, k, points, num, NULL), NULL);
    free(points);
    test_may_change(allowed, TM_ITEM_ENVELOPE, ANY); /* ranges move */
    test_may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
    test_may_change(allowed, TEST_KIND_BEZIER, 1);
    return true;
}

static bool points_more(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    return k < map->num_envelopes && set_points(map, k, map->envelopes[k].num_points + 2, allowed);
}

static bool points_fewer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    return k < map->num_envelopes && map->envelopes[k].num_points &&
           set_points(map, k, map->envelopes[k].num_points - 1, allowed);
}

static bool pixels(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    static const uint8_t rgba[3 * 5 * 4] = {9, 8, 7, 6};
    if (k >= map->num_images)
        return false;
    must(tm_map_set_pixels(map, k, rgba, 3, 5, NULL), NULL);
    test_may_change(allowed, TM_ITEM_IMAGE, 1);
    allowed->blocks = 1;
    return true;
}

static bool no_pixels(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_images || map->images[k].external)
        return false;
    must(tm_map_set_pixels(map, k, NULL, 0, 0, NULL), NULL);
    map->images[k].format = TM_IMAGE_RGBA; /* external images have none */
    test_may_change(allowed, TM_ITEM_IMAGE, 1);
    allowed->blocks = 1;
    return true;
}

static bool sound(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_sounds)
        return false;
    must(tm_map_set_sound(map, k, "OggS new", 8, NULL), NULL);
    test_may_change(allowed, TM_ITEM_SOUND, 1);
    allowed->blocks = 1;
    return true;
}

static bool no_sound(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_sounds || map->sounds[k].external)
        return false;
    must(tm_map_set_sound(map, k, NULL, 0, NULL), NULL);
    test_may_change(allowed, TM_ITEM_SOUND, 1);
    allowed->blocks = 1;
    return true;
}

/* All groups have an extended item or none has. */
static bool group_ex(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 0 || map->num_groups == 0 || (map->game != TM_GAME_DDNET && !map->groups[0].has_parallax_zoom))
        return false;
    const bool set = !map->groups[0].has_parallax_zoom;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        map->groups[g].has_parallax_zoom = set;
        map->groups[g].parallax_zoom = set ? (int32_t)g : 0;
    }
    test_may_change(allowed, TEST_KIND_GROUP_EX, map->num_groups);
    allowed->gained[TEST_KIND_INDEX] = 1;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- tests */

static struct test_change changes[] = {
    {"settings", settings_more, 0},
    {"no settings", settings_none, 0},
    {"a tile", tile, 0},
    {"a tile for vanilla", compat_tile, 0},
    {"another size", resize_layer, 0},
    {"a quad or source", element, 0},
    {"other quads", quads_more, 0},
    {"no quads", quads_none, 0},
    {"other sources", sources_more, 0},
    {"no sources", sources_none, 0},
    {"more points", points_more, 0},
    {"fewer points", points_fewer, 0},
    {"pixels", pixels, 0},
    {"no pixels", no_pixels, 0},
    {"a sound", sound, 0},
    {"no sound", no_sound, 0},
    {"parallax zoom", group_ex, 0},
};

int main(void)
{
    return test_changes_run(changes, sizeof(changes) / sizeof(changes[0]));
}
