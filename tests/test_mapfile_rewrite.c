/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps written anew, as each game writes its maps: nothing odd is left in the container, the map is equal, and what was left
 * out is said. Real maps are rewritten in test_mapfile_corpus.c.
 */
#include "support/lib_odd.h"
#include "support/test.h"

/* Physics layers get the array for vanilla, and maps the version, that they lacked. */
static void complete(tm_map *map)
{
    if (map->version == 0)
        map->version = 1;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            tm_layer *layer = &map->groups[g].layers[l];
            const bool special = tm_game_layer(layer->kind)->is_physics && layer->kind != TM_LAYER_GAME;
            if (!special || layer->as.tiles.compat || layer->as.tiles.width == 0)
                continue;
            /* a new layer has one: take it over */
            must(tm_map_insert_layer(map, g, 0, layer->kind, layer->as.tiles.width, layer->as.tiles.height,
                                     NULL));
            layer = &map->groups[g].layers[l + 1];
            layer->as.tiles.compat = map->groups[g].layers[0].as.tiles.compat;
            map->groups[g].layers[0].as.tiles.compat = NULL;
            must(tm_map_remove_layer(map, g, 0, NULL));
        }
    }
}

/* Written anew, an odd map is an ordinary one: loads as an equal map, and what was left out is said. */
TEST(rewritten_ones_are_ordinary)
{
    const struct test_odd *odd;
    uint32_t num_equal = 0;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        OWN(tm_buffer) file = test_odd_file(odd);
        for (int game = 0; game < TM_GAME_COUNT; game++) {
            OWN(tm_findings) findings = test_findings(), after = test_findings();
            OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
            map->game = (tm_game)game;
            OWN(tm_buffer) saved = test_map_rewrite(map, &findings);
            OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_GAME, &after);
            reloaded->game = map->game;
            complete(map);
            if (findings.num == 0 && !test_map_same(map, reloaded))
                fail_msg("%s as %s is another map", odd->name, tm_game_name(map->game));
            num_equal += findings.num == 0;
            OWN(tm_buffer) second = test_map_rewrite(reloaded, NULL);
            assert_true(test_buffer_same(&saved, &second));
            assert_false(test_found(&after, TM_FINDING_UNKNOWN_ITEM));
            assert_false(test_found(&after, TM_FINDING_DUPLICATE_ITEM_ID));
            assert_false(test_found(&after, TM_FINDING_ITEM_LONGER));
            assert_false(test_found(&after, TM_FINDING_ITEM_TOO_SHORT));
            assert_false(test_found(&after, TM_FINDING_SHARED_LAYER));
            assert_false(test_found(&after, TM_FINDING_LAYER_WITHOUT_GROUP));
            assert_false(test_found(&after, TM_FINDING_BAD_REFERENCE));
            assert_false(test_found(&after, TM_FINDING_POINTS_RANGE));
        }
    }
    assert_true(num_equal > 100);
}
