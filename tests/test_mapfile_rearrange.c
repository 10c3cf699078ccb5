/* SPDX-License-Identifier: Zlib */
/*
 * Objects and layers inserted, removed, moved and duplicated, on maps of each era. What is saved differs only in the items and
 * blocks that the change concerns; see lib_changes.h for what else is checked. Changes inside of objects are in
 * test_mapfile_change.c and test_mapfile_content.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"
#include "map/map.h"

enum { ANY = 0xFFFFFF };

static bool is_any(const tm_layer *layer)
{
    (void)layer;
    return true;
}

/* ----------------------------------------------------------------------------------------------------- rearranging */

static const int object_kinds[] = {[TM_KIND_IMAGE] = TM_ITEM_IMAGE,
                                   [TM_KIND_SOUND] = TM_ITEM_SOUND,
                                   [TM_KIND_ENVELOPE] = TM_ITEM_ENVELOPE,
                                   [TM_KIND_GROUP] = TM_ITEM_GROUP};

/* Layers that hold indices of envelopes in their blocks; a changed block may count as lost and gained. */
static uint32_t num_packed(const tm_map *map)
{
    uint32_t num = 0;
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            num += !tm_game_layer(map->groups[g].layers[l].kind)->is_tiles;
    return num;
}

/* Blocks that go with an object: its name and its data; of a group two for each layer. */
static uint32_t num_own_blocks(const tm_map *map, tm_kind object, uint32_t index)
{
    if (object == TM_KIND_ENVELOPE)
        return 0;
    return object == TM_KIND_GROUP ? 2 * map->groups[index].num_layers : 2;
}

/* What refers to the objects by index. */
static void may_refer_anew(const tm_map *map, struct test_allowed *allowed, tm_kind object)
{
    allowed->ids = true;
    allowed->order = true;
    test_may_change(allowed, object_kinds[object], ANY);
    allowed->game = true; /* what told the game may be gone */
    if (object == TM_KIND_GROUP) {
        test_may_change(allowed, TEST_KIND_AUTOMAPPER, ANY);
        test_may_change(allowed, TEST_KIND_GROUP_EX, ANY);
    } else {
        test_may_change(allowed, TM_ITEM_LAYER, ANY);
    }
    if (object == TM_KIND_ENVELOPE) {
        test_may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
        test_may_change(allowed, TEST_KIND_BEZIER, 1);
        allowed->blocks = 2 * num_packed(map);
    }
}

static bool makes_object(const tm_map *map, tm_kind object)
{
    return object != TM_KIND_SOUND || map->game == TM_GAME_DDNET;
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

CHANGE(append_object, "a new object behind")
{
    if (k > 3)
        return false;
    const tm_kind object = TM_KIND_IMAGE + k;
    if (!makes_object(map, object))
        return allowed->skip = true;
    must(tm_map_insert(map, object, tmi_num_objects(map, object), NULL));
    allowed->gained[object_kinds[object]] = 1;
    if (object == TM_KIND_GROUP)
        with_group_ex(map, map->num_groups - 1, allowed);
    if (object == TM_KIND_ENVELOPE) { /* indices of no envelope must not lead to the new one */
        allowed->blocks = 2 * num_packed(map);
        test_may_change(allowed, TM_ITEM_ENVELOPE_POINTS, 1);
        allowed->gained[TM_ITEM_ENVELOPE] = allowed->lost[TM_ITEM_ENVELOPE] + 1;
        test_may_change(allowed, TEST_KIND_BEZIER, 1);
        allowed->lost[TM_ITEM_ENVELOPE] = ANY; /* points are laid out anew */
        allowed->gained[TM_ITEM_ENVELOPE] = ANY;
    }
    test_may_change(allowed, TM_ITEM_LAYER, object == TM_KIND_GROUP ? 0 : ANY); /* dangling references */
    return true;
}

CHANGE(insert_object, "a new object in front")
{
    const tm_kind object = TM_KIND_IMAGE + k;
    if (object > TM_KIND_GROUP)
        return false;
    if (!makes_object(map, object))
        return allowed->skip = true;
    may_refer_anew(map, allowed, object);
    must(tm_map_insert(map, object, 0, NULL));
    if (object == TM_KIND_GROUP)
        with_group_ex(map, 0, allowed);
    return true;
}

static bool remove_at(tm_map *map, tm_kind object, uint32_t index, struct test_allowed *allowed)
{
    tm_error error;
    may_refer_anew(map, allowed, object);
    if (object == TM_KIND_GROUP) {
        test_may_change(allowed, TM_ITEM_LAYER, ANY);
        allowed->refused = true; /* it may have had the game layer */
    }
    allowed->blocks += num_own_blocks(map, object, index);
    must(tm_map_remove(map, object, index, &error), &error);
    return true;
}

CHANGE(remove_first, "without the first object")
{
    const tm_kind object = TM_KIND_IMAGE + k;
    if (object > TM_KIND_GROUP)
        return false;
    if (tmi_num_objects(map, object) == 0)
        return allowed->skip = true;
    return remove_at(map, object, 0, allowed);
}

CHANGE(remove_last, "without the last object")
{
    const tm_kind object = TM_KIND_IMAGE + k;
    if (object > TM_KIND_GROUP)
        return false;
    if (tmi_num_objects(map, object) == 0)
        return allowed->skip = true;
    return remove_at(map, object, tmi_num_objects(map, object) - 1, allowed);
}

CHANGE(move_object, "the first object moved")
{
    const tm_kind object = TM_KIND_IMAGE + k;
    if (object > TM_KIND_GROUP)
        return false;
    const uint32_t num = tmi_num_objects(map, object);
    if (num < 2)
        return allowed->skip = true;
    may_refer_anew(map, allowed, object);
    if (object == TM_KIND_GROUP)
        test_may_change(allowed, TM_ITEM_LAYER, 0); /* in another order */
    must(tm_map_move(map, object, 0, num - 1, NULL));
    return true;
}

CHANGE(duplicate_object, "an object twice")
{
    const tm_kind object = TM_KIND_IMAGE + k;
    if (object > TM_KIND_GROUP)
        return false;
    const uint32_t num = tmi_num_objects(map, object);
    if (num == 0)
        return allowed->skip = true;
    must(tm_map_duplicate(map, object, 0, num, NULL));
    allowed->gained[object_kinds[object]] = 1;
    allowed->blocks = 1;
    if (object == TM_KIND_ENVELOPE) {
        may_refer_anew(map, allowed, object);
    } else if (object == TM_KIND_GROUP) {
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

static void may_move_layers(struct test_allowed *allowed)
{
    allowed->ids = true;
    allowed->order = true;
    test_may_change(allowed, TM_ITEM_GROUP, ANY);
    test_may_change(allowed, TEST_KIND_AUTOMAPPER, ANY);
}

CHANGE(insert_layer, "a new layer")
{
    if (k > TM_LAYER_SOUNDS || map->num_groups == 0)
        return false;
    if (!tm_game_layer((tm_layer_kind)k)->games[map->game])
        return allowed->skip = true;
    const tm_layer *game = tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME);
    const uint32_t w = game ? game->as.tiles.width : 5, h = game ? game->as.tiles.height : 5;
    must(tm_map_insert_layer(map, 0, 0, (tm_layer_kind)k, w, h, NULL));
    may_move_layers(allowed);
    allowed->gained[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    return true;
}

CHANGE(remove_layer, "without a layer")
{
    struct test_spot spot;
    if (!test_find_layer(map, k, is_any, &spot))
        return false;
    allowed->refused = spot.object->kind == TM_LAYER_GAME;
    must(tm_map_remove_layer(map, spot.group, spot.layer, NULL));
    may_move_layers(allowed);
    allowed->lost[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    allowed->game = true;
    return true;
}

CHANGE(move_layer, "a layer moved")
{
    struct test_spot spot;
    if (!test_find_layer(map, k, is_any, &spot))
        return false;
    const uint32_t last = map->groups[spot.group].num_layers - 1;
    if (last == 0)
        return remove_layer(map, k, allowed);
    must(tm_map_move_layer(map, spot.group, spot.layer, spot.group, spot.layer == last ? 0 : last, NULL));
    may_move_layers(allowed);
    allowed->refused = spot.object->kind != TM_LAYER_TILES; /* another game layer may be the last one now */
    return true;
}

CHANGE(move_layer_away, "a layer in another group")
{
    struct test_spot spot;
    if (map->num_groups < 2 || !test_find_layer(map, k, is_any, &spot))
        return false;
    must(tm_map_move_layer(map, spot.group, spot.layer, spot.group ? 0 : map->num_groups - 1, 0, NULL));
    may_move_layers(allowed);
    allowed->refused = true;
    return true;
}

CHANGE(duplicate_layer, "a layer twice")
{
    struct test_spot spot;
    if (!test_find_layer(map, k, is_any, &spot))
        return false;
    must(tm_map_duplicate_layer(map, spot.group, spot.layer, map->num_groups - 1, 0, NULL));
    may_move_layers(allowed);
    allowed->gained[TM_ITEM_LAYER] = 1;
    allowed->blocks = 2;
    return true;
}
