/* SPDX-License-Identifier: Zlib */
/*
 * One call of every function that changes a map, on maps of each era: tiles, quads, sources, points, pixels, sounds, settings,
 * sizes; objects and layers inserted, removed, moved and duplicated. What is saved differs only in the items and blocks that
 * the change concerns; see lib_changes.h for what else is checked. Plain fields are in test_mapfile_change.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANY = 0xFFFFFF };

static void may_change(struct test_allowed *allowed, int kind, uint32_t num)
{
    allowed->lost[kind] = allowed->gained[kind] = num;
}

static void must(tm_status status, const tm_error *error)
{
    if (status != TM_OK)
        fail_msg("%s: %s", error->place, error->text);
}

/* ------------------------------------------------------------------------------------------------- finding something */

typedef struct spot {
    uint32_t group, layer;
    tm_layer *it;
} spot;

/* The k-th layer of the map of which `fits` says yes. */
static bool find(const tm_map *map, uint32_t k, bool (*fits)(const tm_layer *layer), spot *out)
{
    for (out->group = 0; out->group < map->num_groups; out->group++) {
        for (out->layer = 0; out->layer < map->groups[out->group].num_layers; out->layer++) {
            out->it = &map->groups[out->group].layers[out->layer];
            if (fits(out->it) && k-- == 0)
                return true;
        }
    }
    return false;
}

static bool is_any(const tm_layer *layer)
{
    (void)layer;
    return true;
}

static bool is_grid(const tm_layer *layer)
{
    return tm_rules_layer(layer->kind)->is_tiles && layer->as.tiles.width > 0;
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
    may_change(allowed, TM_ITEM_INFO, 1);
    allowed->blocks = 1;
    return true;
}

static bool settings_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (map->info.num_settings == 0 || k > 0)
        return false;
    must(tm_map_set_settings(map, NULL, 0, NULL), NULL);
    may_change(allowed, TM_ITEM_INFO, 1);
    allowed->blocks = 1;
    return true;
}

static bool tile(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    uint8_t bytes[8];
    tm_error error;
    spot at;
    if (!find(map, k, is_grid, &at))
        return false;
    must(tm_map_read_tiles(map, at.it, 1, 0, 1, 1, bytes, 0, &error), &error);
    bytes[0] ^= 5;
    if (!at.it->as.tiles.tiles) /* it gets data */
        may_change(allowed, TM_ITEM_LAYER, 1);
    must(tm_map_write_tiles(map, at.it, 1, 0, 1, 1, bytes, 0, &error), &error);
    allowed->blocks = 1;
    return true;
}

static bool compat_tile(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    void *bytes;
    tm_error error;
    spot at;
    if (!find(map, k, has_compat, &at))
        return false;
    must(tm_map_edit_data(map, at.it->as.tiles.compat, &bytes, NULL, &error), &error);
    *(uint8_t *)bytes ^= 9;
    allowed->blocks = 1;
    return true;
}

static bool resize_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    tm_error error;
    spot at;
    if (!find(map, k, is_grid, &at))
        return false;
    must(tm_map_resize_layer(map, at.it, at.it->as.tiles.width + 1, at.it->as.tiles.height + 2, 1, 0, &error),
         &error);
    may_change(allowed, TM_ITEM_LAYER, 1);
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
    spot at;
    if (!find(map, k, has_elements, &at))
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
    spot at;
    if (!find(map, k, is_quads, &at))
        return false;
    must(tm_map_set_quads(map, at.it, quads, at.it->as.quads.num_quads == 3 ? 2 : 3, NULL), NULL);
    may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool quads_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (!find(map, k, is_quads, &at))
        return false;
    if (at.it->as.quads.num_quads == 0)
        return quads_more(map, k, allowed);
    must(tm_map_set_quads(map, at.it, NULL, 0, NULL), NULL);
    may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool sources_more(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    static const tm_source sources[3];
    spot at;
    if (!find(map, k, is_sounds, &at))
        return false;
    must(tm_map_set_sources(map, at.it, sources, at.it->as.sounds.num_sources == 3 ? 2 : 3, NULL), NULL);
    may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool sources_none(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (!find(map, k, is_sounds, &at))
        return false;
    if (at.it->as.sounds.num_sources == 0)
        return sources_more(map, k, allowed);
    must(tm_map_set_sources(map, at.it, NULL, 0, NULL), NULL);
    may_change(allowed, TM_ITEM_LAYER, 1);
    allowed->blocks = 1;
    return true;
}

static bool set_points(tm_map *map, uint32_t k, uint32_t num, struct test_allowed *allowed)
{
    tm_envelope_point *points = calloc(num + 1, sizeof *points);
    assert_non_null(points);
    for (uint32_t i = 0; i < num; i++)
        points[i].time = (int32_t)(i * 10);
    must(tm_map_set_points(map, k, points, num, NULL), NULL);
    free(points);
    may_change(allowed, TM_ITEM_ENVELOPE, ANY); /* ranges move */
    may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
    may_change(allowed, TEST_KIND_BEZIER, 1);
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
    may_change(allowed, TM_ITEM_IMAGE, 1);
    allowed->blocks = 1;
    return true;
}

static bool no_pixels(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_images || map->images[k].external)
        return false;
    must(tm_map_set_pixels(map, k, NULL, 0, 0, NULL), NULL);
    map->images[k].format = TM_IMAGE_RGBA; /* external images have none */
    may_change(allowed, TM_ITEM_IMAGE, 1);
    allowed->blocks = 1;
    return true;
}

static bool sound(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_sounds)
        return false;
    must(tm_map_set_sound(map, k, "OggS new", 8, NULL), NULL);
    may_change(allowed, TM_ITEM_SOUND, 1);
    allowed->blocks = 1;
    return true;
}

static bool no_sound(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k >= map->num_sounds || map->sounds[k].external)
        return false;
    must(tm_map_set_sound(map, k, NULL, 0, NULL), NULL);
    may_change(allowed, TM_ITEM_SOUND, 1);
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
    may_change(allowed, TEST_KIND_GROUP_EX, map->num_groups);
    allowed->gained[TEST_KIND_INDEX] = 1;
    return true;
}

/* ----------------------------------------------------------------------------------------------------- rearranging */

static const int object_kinds[] = {TM_ITEM_IMAGE, TM_ITEM_SOUND, TM_ITEM_ENVELOPE, TM_ITEM_GROUP};

static uint32_t num_objects(const tm_map *map, tm_object object)
{
    const uint32_t nums[] = {map->num_images, map->num_sounds, map->num_envelopes, map->num_groups};
    return nums[object];
}

/* What refers to the objects by index. */
static void may_refer_anew(const tm_map *map, struct test_allowed *allowed, tm_object object)
{
    allowed->ids = true;
    allowed->order = true;
    may_change(allowed, object_kinds[object], ANY);
    allowed->game = true; /* what told the game may be gone */
    if (object == TM_OBJECT_GROUP) {
        may_change(allowed, TEST_KIND_AUTOMAPPER, ANY);
        may_change(allowed, TEST_KIND_GROUP_EX, ANY);
    } else {
        may_change(allowed, TM_ITEM_LAYER, ANY);
    }
    if (object == TM_OBJECT_ENVELOPE) {
        may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
        may_change(allowed, TEST_KIND_BEZIER, 1);
        allowed->blocks = map->num_groups * 100; /* quads and sources */
    }
}

static bool makes_object(const tm_map *map, tm_object object)
{
    return object != TM_OBJECT_SOUND || map->game == TM_GAME_DDNET;
}

/* A new group has what all others have. */
static void with_group_ex(tm_map *map, uint32_t g, struct test_allowed *allowed)
{
    for (uint32_t i = 0; i < map->num_groups; i++) {
        if (!map->groups[i].has_parallax_zoom)
            continue;
        map->groups[g].has_parallax_zoom = true;
        allowed->gained[TEST_KIND_GROUP_EX] =
            allowed->gained[TEST_KIND_GROUP_EX] ? allowed->gained[TEST_KIND_GROUP_EX] : 1;
    }
}

static bool append_object(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    const tm_object object = (tm_object)k;
    if (!makes_object(map, object))
        return settings_none(map, 0, allowed) || tile(map, 0, allowed);
    must(tm_map_insert(map, object, num_objects(map, object), NULL), NULL);
    allowed->gained[object_kinds[object]] = 1;
    if (object == TM_OBJECT_GROUP)
        with_group_ex(map, map->num_groups - 1, allowed);
    if (object == TM_OBJECT_ENVELOPE) { /* indices of no envelope must not lead to the new one */
        allowed->blocks = map->num_groups * 100;
        may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
        allowed->gained[TM_ITEM_ENVELOPE] = allowed->lost[TM_ITEM_ENVELOPE] + 1;
        may_change(allowed, TEST_KIND_BEZIER, 1);
        allowed->lost[TM_ITEM_ENVELOPE] = ANY; /* points are laid out anew */
        allowed->gained[TM_ITEM_ENVELOPE] = ANY;
    }
    may_change(allowed, TM_ITEM_LAYER, object == TM_OBJECT_GROUP ? 0 : ANY); /* dangling references */
    return true;
}

static bool insert_object(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    if (!makes_object(map, (tm_object)k))
        return tile(map, 0, allowed);
    may_refer_anew(map, allowed, (tm_object)k);
    must(tm_map_insert(map, (tm_object)k, 0, NULL), NULL);
    if (k == TM_OBJECT_GROUP)
        with_group_ex(map, 0, allowed);
    return true;
}

static bool remove_at(tm_map *map, tm_object object, uint32_t index, struct test_allowed *allowed)
{
    tm_error error;
    may_refer_anew(map, allowed, object);
    if (object == TM_OBJECT_GROUP) {
        may_change(allowed, TM_ITEM_LAYER, ANY);
        allowed->refused = true; /* it may have had the game layer */
    }
    allowed->blocks += map->num_images + 1000;
    must(tm_map_remove(map, object, index, &error), &error);
    return true;
}

static bool remove_first(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    if (num_objects(map, (tm_object)k) == 0)
        return tile(map, 0, allowed);
    return remove_at(map, (tm_object)k, 0, allowed);
}

static bool remove_last(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    if (num_objects(map, (tm_object)k) == 0)
        return tile(map, 0, allowed);
    return remove_at(map, (tm_object)k, num_objects(map, (tm_object)k) - 1, allowed);
}

static bool move_object(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    const uint32_t num = num_objects(map, (tm_object)k);
    if (num < 2)
        return tile(map, 0, allowed);
    may_refer_anew(map, allowed, (tm_object)k);
    if (k == TM_OBJECT_GROUP)
        may_change(allowed, TM_ITEM_LAYER, 0); /* in another order */
    must(tm_map_move(map, (tm_object)k, 0, num - 1, NULL), NULL);
    return true;
}

static bool duplicate_object(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > 3)
        return false;
    const tm_object object = (tm_object)k;
    const uint32_t num = num_objects(map, object);
    if (num == 0)
        return tile(map, 0, allowed);
    must(tm_map_duplicate(map, object, 0, num, NULL), NULL);
    allowed->gained[object_kinds[object]] = 1;
    allowed->blocks = 1;
    if (object == TM_OBJECT_ENVELOPE) {
        may_refer_anew(map, allowed, object);
    } else if (object == TM_OBJECT_GROUP) {
        const uint32_t layers = map->groups[0].num_layers;
        allowed->gained[TM_ITEM_LAYER] = layers;
        allowed->gained[TEST_KIND_AUTOMAPPER] = layers;
        allowed->gained[TEST_KIND_GROUP_EX] = 1;
        allowed->blocks = 2 * layers;
        allowed->lost[TM_ITEM_GROUP] = allowed->gained[TM_ITEM_GROUP] =
            ANY; /* empty groups start elsewhere */
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- layers */

static void may_move_layers(struct test_allowed *allowed)
{
    allowed->ids = true;
    allowed->order = true;
    may_change(allowed, TM_ITEM_GROUP, ANY);
    may_change(allowed, TEST_KIND_AUTOMAPPER, ANY);
}

static bool insert_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    if (k > TM_LAYER_SOUNDS || map->num_groups == 0)
        return false;
    if (!tm_rules_layer((tm_layer_kind)k)->games[map->game])
        return tile(map, 0, allowed);
    const tm_layer *game = tm_map_find_layer(map, TM_LAYER_GAME, NULL, NULL);
    const uint32_t w = game ? game->as.tiles.width : 5, h = game ? game->as.tiles.height : 5;
    must(tm_map_insert_layer(map, 0, 0, (tm_layer_kind)k, w, h, NULL), NULL);
    may_move_layers(allowed);
    allowed->gained[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    return true;
}

static bool remove_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (!find(map, k, is_any, &at))
        return false;
    allowed->refused = at.it->kind == TM_LAYER_GAME;
    must(tm_map_remove_layer(map, at.group, at.layer, NULL), NULL);
    may_move_layers(allowed);
    allowed->lost[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    allowed->game = true;
    return true;
}

static bool move_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (!find(map, k, is_any, &at))
        return false;
    const uint32_t last = map->groups[at.group].num_layers - 1;
    if (last == 0)
        return remove_layer(map, k, allowed);
    must(tm_map_move_layer(map, at.group, at.layer, at.group, at.layer == last ? 0 : last, NULL), NULL);
    may_move_layers(allowed);
    allowed->refused = at.it->kind != TM_LAYER_TILES; /* another game layer may be the last one now */
    return true;
}

static bool move_layer_away(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (map->num_groups < 2 || !find(map, k, is_any, &at))
        return false;
    must(tm_map_move_layer(map, at.group, at.layer, at.group ? 0 : map->num_groups - 1, 0, NULL), NULL);
    may_move_layers(allowed);
    allowed->refused = true;
    return true;
}

static bool duplicate_layer(tm_map *map, uint32_t k, struct test_allowed *allowed)
{
    spot at;
    if (!find(map, k, is_any, &at))
        return false;
    must(tm_map_duplicate_layer(map, at.group, at.layer, map->num_groups - 1, 0, NULL), NULL);
    may_move_layers(allowed);
    allowed->gained[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- tests */

/* Changes something at the k-th place there is for it; false if there are fewer. */
typedef struct change {
    const char *name;
    bool (*apply)(tm_map *map, uint32_t k, struct test_allowed *allowed);
} change;

static const change changes[] = {
    {"settings", settings_more},
    {"no settings", settings_none},
    {"a tile", tile},
    {"a tile for vanilla", compat_tile},
    {"another size", resize_layer},
    {"a quad or source", element},
    {"other quads", quads_more},
    {"no quads", quads_none},
    {"other sources", sources_more},
    {"no sources", sources_none},
    {"more points", points_more},
    {"fewer points", points_fewer},
    {"pixels", pixels},
    {"no pixels", no_pixels},
    {"a sound", sound},
    {"no sound", no_sound},
    {"parallax zoom", group_ex},
    {"a new object behind", append_object},
    {"a new object in front", insert_object},
    {"without the first object", remove_first},
    {"without the last object", remove_last},
    {"the first object moved", move_object},
    {"an object twice", duplicate_object},
    {"a new layer", insert_layer},
    {"without a layer", remove_layer},
    {"a layer moved", move_layer},
    {"a layer in another group", move_layer_away},
    {"a layer twice", duplicate_layer},
};

enum { NUM_CHANGES = sizeof changes / sizeof changes[0] };
static uint32_t times[NUM_CHANGES];

static void change_all(struct test_base *base, uint32_t most)
{
    for (size_t i = 0; i < NUM_CHANGES; i++) {
        bool more = true;
        for (uint32_t k = 0; more && k < most; k++) {
            struct test_allowed allowed;
            char name[100];
            tm_map *map = test_base_clone(base);
            memset(&allowed, 0, sizeof allowed);
            more = changes[i].apply(map, k, &allowed);
            if (more) {
                snprintf(name, sizeof name, "%s (%u)", changes[i].name, (unsigned)k);
                test_check_change(base, map, name, &allowed);
                times[i]++;
            }
            tm_map_free(map);
        }
    }
}

static void changes_of_generated_maps(void **state)
{
    (void)state;
    struct test_base base;
    for (int i = 0; test_base_generated(&base, i); i++) {
        change_all(&base, 100);
        test_base_release(&base);
    }
    for (size_t i = 0; i < NUM_CHANGES; i++)
        if (times[i] == 0)
            fail_msg("'%s' was never possible", changes[i].name);
}

static void changes_of_real_maps(void **state)
{
    (void)state;
    struct test_base base;
    for (int i = 0; test_base_real(&base, i); i++) {
        change_all(&base, 12);
        test_base_release(&base);
    }
}

/* Sounds, bezier curves, all physics layers and 49 MB of tiles: each change once. */
static void changes_of_a_large_map(void **state)
{
    (void)state;
    struct test_base base;
    test_base_open(&base, "ddnet06/Castle_Echos", test_corpus_file("ddnet06/Castle_Echos-6c0dd9.map"));
    change_all(&base, 1);
    test_base_release(&base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_of_generated_maps),
        cmocka_unit_test(changes_of_real_maps),
        cmocka_unit_test(changes_of_a_large_map),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < NUM_CHANGES; i++)
        print_message("%5u %s\n", (unsigned)times[i], changes[i].name);
    return failed;
}
