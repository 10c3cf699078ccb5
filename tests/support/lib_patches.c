/* SPDX-License-Identifier: Zlib */
#include "lib_patches.h"
#include "test.h"
#include "map/map.h"

tm_map *test_patch_map(void)
{
    static const char *const settings[] = {"sv_a 1", "tune x 1", "sv_c 3"};
    tm_quad quads[3];
    tm_map *map = test_map_new();
    tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL);
    tm_map_insert(map, TM_OBJECT_IMAGE, 1, NULL);
    tm_map_set_text(map, &map->images[0].name, "grass", NULL);
    tm_map_set_text(map, &map->images[1].name, "stone", NULL);
    tm_map_insert(map, TM_OBJECT_ENVELOPE, 0, NULL);
    for (uint32_t g = 0; g < 3; g++)
        tm_map_insert(map, TM_OBJECT_GROUP, g, NULL);
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "Back");
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Game");
    tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL);
    tm_map_insert_layer(map, 1, 0, TM_LAYER_GAME, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 1, TM_LAYER_TILES, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT, NULL);
    tm_map_set_name(map->groups[1].layers[1].name, TM_NAME_SIZE, "Deco");
    for (int i = 0; i < 3; i++)
        tm_quad_init(&quads[i], i * 64 * 1024, 0, 32 * 1024, 32 * 1024);
    tm_map_set_quads(map, 0, 0, quads, 3, NULL);
    tm_map_fill_tiles(map, 1, 0, 0, 20, TEST_PATCH_WIDTH, 10, &(tm_tile){1, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 3, 3, 9, 9, &(tm_tile){7, 0, 0, 0}, NULL);
    tm_map_set_settings(map, settings, 3, NULL);
    return map;
}

tm_map *test_patch_copy(const tm_map *map)
{
    return test_map_clone(map);
}

tm_patch *test_patch_between(const tm_map *a, const tm_map *b)
{
    tm_patch *patch;
    must(tm_patch_make(&patch, a, b, NULL, NULL));
    return patch;
}

void test_patch_becomes(const tm_map *from, const tm_patch *patch, const tm_map *to)
{
    OWN(tm_map) *map = test_patch_copy(from);
    tm_error error = {0};
    if (tm_patch_apply(map, patch, NULL, NULL, &error))
        fail_msg("%s: %s", error.place, error.text);
    assert_true(test_map_same(map, to));
}

void test_patch_insert_image(tm_map *map)
{
    tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL);
    tm_map_set_text(map, &map->images[0].name, "new", NULL);
}

void test_patch_rename_image(tm_map *map)
{
    tm_map_set_text(map, &map->images[1].name, "rock", NULL);
}

void test_patch_move_group(tm_map *map)
{
    tm_map_move(map, TM_OBJECT_GROUP, 0, 2, NULL);
}

void test_patch_paint(tm_map *map)
{
    tm_map_fill_tiles(map, 1, 1, 5, 5, 2, 2, &(tm_tile){9, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 30, 20, 3, 1, &(tm_tile){9, 0, 0, 0}, NULL);
}

void test_patch_drop_quad(tm_map *map)
{
    tmi_map_remove_quads(map, 0, 0, 1, 1, NULL);
}

void test_patch_add_setting(tm_map *map)
{
    tm_map_insert_setting(map, 1, "sv_b 2", NULL);
}

void test_patch_change_setting(tm_map *map)
{
    tm_map_set_text(map, &map->info.settings[1], "tune x 2", NULL);
}

void test_patch_grow(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, TEST_PATCH_WIDTH + 10, TEST_PATCH_HEIGHT + 5, 10, 5, NULL);
}

void test_patch_move_layer(tm_map *map)
{
    tm_map_move_layer(map, 1, 1, 2, 0, NULL);
}

void test_patch_shift_group(tm_map *map)
{
    map->groups[0].offset_x = 64;
}

tm_map *test_patch_all_changed(const tm_map *a)
{
    tm_map *b = test_patch_copy(a);
    test_patch_shift_group(b);
    test_patch_paint(b);
    test_patch_add_setting(b);
    test_patch_drop_quad(b);
    test_patch_rename_image(b);
    return b;
}
