/* SPDX-License-Identifier: Zlib */
/*
 * One call of every function that changes what is in an object, on maps of each era: settings, tiles, sizes, quads, sources,
 * points, pixels, sounds. What is saved differs only in the items and blocks that the change concerns; see lib_changes.h for
 * what else is checked. Plain fields are in test_mapfile_change.c, objects that come and go in test_mapfile_rearrange.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"

enum { ANY = 0xFFFFFF };

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

CHANGE(settings_more, "settings")
{
    static const char *const settings[] = {"one", "", "three"};
    tm_error error;
    if (map->game != TM_GAME_DDNET || k > 0)
        return false;
    must(tm_map_set_settings(map, settings, 3, &error), &error);
    return test_may_change_one(allowed, TM_ITEM_INFO);
}

CHANGE(settings_none, "no settings")
{
    if (map->info.num_settings == 0 || k > 0)
        return false;
    must(tm_map_set_settings(map, NULL, 0, NULL));
    return test_may_change_one(allowed, TM_ITEM_INFO);
}

CHANGE(tile, "a tile")
{
    uint8_t bytes[8];
    tm_error error;
    struct test_spot spot;
    if (!test_find_layer(map, k, is_grid, &spot))
        return false;
    must(tm_map_read_tiles(map, spot.object, &(tm_rect){1, 0, 1, 1}, bytes, 0, &error), &error);
    bytes[0] ^= 5;
    if (!spot.object->as.tiles.tiles) /* it gets data */
        test_may_change(allowed, TM_ITEM_LAYER, 1);
    must(tm_map_write_tiles(map, spot.group, spot.layer, &(tm_rect){1, 0, 1, 1}, bytes, 0, &error), &error);
    allowed->blocks = 1;
    return true;
}

CHANGE(compat_tile, "a tile for vanilla")
{
    void *bytes;
    tm_error error;
    struct test_spot spot;
    if (!test_find_layer(map, k, has_compat, &spot))
        return false;
    must(tm_map_edit_data(&bytes, NULL, map, spot.object->as.tiles.compat, &error), &error);
    *(uint8_t *)bytes ^= 9;
    allowed->blocks = 1;
    return true;
}

CHANGE(resize_layer, "another size")
{
    tm_error error;
    struct test_spot spot;
    if (!test_find_layer(map, k, is_grid, &spot))
        return false;
    must(tm_map_resize_layer(map, spot.group, spot.layer, spot.object->as.tiles.width + 1,
                             spot.object->as.tiles.height + 2, 1, 0, &error),
         &error);
    test_may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 2;
    allowed->refused = spot.object->kind == TM_LAYER_GAME; /* others are too small then */
    return true;
}

/* Any element in place: quads and both kinds of sources. */
CHANGE(element, "a quad or source")
{
    void *bytes;
    int32_t x;
    tm_error error;
    struct test_spot spot;
    if (!test_find_layer(map, k, has_elements, &spot))
        return false;
    tm_block *block =
        spot.object->kind == TM_LAYER_QUADS ? spot.object->as.quads.quads : spot.object->as.sounds.sources;
    must(tm_map_edit_data(&bytes, NULL, map, block, &error), &error);
    memcpy(&x, bytes, 4);
    x ^= 77;
    memcpy(bytes, &x, 4);
    allowed->blocks = 1;
    return true;
}

CHANGE(quads_more, "other quads")
{
    static const tm_quad quads[3];
    struct test_spot spot;
    if (!test_find_layer(map, k, is_quads, &spot))
        return false;
    must(tm_map_set_quads(map, spot.group, spot.layer, quads, spot.object->as.quads.num_quads == 3 ? 2 : 3,
                          NULL));
    return test_may_change_one(allowed, TM_ITEM_LAYER);
}

CHANGE(quads_none, "no quads")
{
    struct test_spot spot;
    if (!test_find_layer(map, k, is_quads, &spot))
        return false;
    if (spot.object->as.quads.num_quads == 0)
        return quads_more(map, k, allowed);
    must(tm_map_set_quads(map, spot.group, spot.layer, NULL, 0, NULL));
    return test_may_change_one(allowed, TM_ITEM_LAYER);
}

CHANGE(sources_more, "other sources")
{
    static const tm_sound_source sources[3];
    struct test_spot spot;
    if (!test_find_layer(map, k, is_sounds, &spot))
        return false;
    must(tm_map_set_sources(map, spot.group, spot.layer, sources,
                            spot.object->as.sounds.num_sources == 3 ? 2 : 3, NULL));
    return test_may_change_one(allowed, TM_ITEM_LAYER);
}

CHANGE(sources_none, "no sources")
{
    struct test_spot spot;
    if (!test_find_layer(map, k, is_sounds, &spot))
        return false;
    if (spot.object->as.sounds.num_sources == 0)
        return sources_more(map, k, allowed);
    must(tm_map_set_sources(map, spot.group, spot.layer, NULL, 0, NULL));
    return test_may_change_one(allowed, TM_ITEM_LAYER);
}

static bool set_points(tm_map *map, uint32_t k, uint32_t num, struct test_allowed *allowed)
{
    tm_envelope_point *points = calloc(num + 1, sizeof(*points));
    assert_non_null(points);
    for (uint32_t i = 0; i < num; i++)
        points[i].time = (int32_t)(i * 10);
    must(tm_map_set_points(map, k, points, num, NULL));
    free(points);
    test_may_change(allowed, TM_ITEM_ENVELOPE, ANY); /* ranges move */
    test_may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
    test_may_change(allowed, TEST_KIND_BEZIER, 1);
    return true;
}

CHANGE(points_more, "more points")
{
    return k < map->num_envelopes && set_points(map, k, map->envelopes[k].num_points + 2, allowed);
}

CHANGE(points_fewer, "fewer points")
{
    return k < map->num_envelopes && map->envelopes[k].num_points &&
           set_points(map, k, map->envelopes[k].num_points - 1, allowed);
}

CHANGE(pixels, "pixels")
{
    static const uint8_t rgba[3 * 5 * 4] = {9, 8, 7, 6};
    if (k >= map->num_images)
        return false;
    must(tm_map_set_pixels(map, k, rgba, 3, 5, NULL));
    return test_may_change_one(allowed, TM_ITEM_IMAGE);
}

CHANGE(no_pixels, "no pixels")
{
    if (k >= map->num_images || map->images[k].external)
        return false;
    must(tm_map_set_pixels(map, k, NULL, 0, 0, NULL));
    map->images[k].format = TM_IMAGE_RGBA; /* external images have none */
    return test_may_change_one(allowed, TM_ITEM_IMAGE);
}

CHANGE(sound, "a sound")
{
    if (k >= map->num_sounds)
        return false;
    must(tm_map_set_sound(map, k, "OggS new", 8, NULL));
    return test_may_change_one(allowed, TM_ITEM_SOUND);
}

CHANGE(no_sound, "no sound")
{
    if (k >= map->num_sounds || map->sounds[k].external)
        return false;
    must(tm_map_set_sound(map, k, NULL, 0, NULL));
    return test_may_change_one(allowed, TM_ITEM_SOUND);
}

/* All groups have an extended item or none has. */
CHANGE(group_ex, "parallax zoom")
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
