/* SPDX-License-Identifier: Zlib */
/*
 * Joins two maps: the second one stands to the right of the first. Its groups are imported with all that they refer to, images that both have
 * are shared, and its physics layers go into those of the first map. Numbers of teleporters and switches stay as they are.
 *
 *   join LEFT.map RIGHT.map OUT.map
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

/* All physics layers get the new size; a map may have several of a kind, of which the games use one. */
static tm_status grow_physics(tm_map *map, uint32_t width, uint32_t height, tm_error *error)
{
    tm_layer_walk at = {0};
    tm_status status = TM_OK;
    while (status == TM_OK && tm_map_next_layer(map, &at))
        if (tm_game_layer(at.layer->kind)->is_physics)
            status = tm_map_resize_layer(map, at.group, at.index, width, height, 0, 0, error);
    return status;
}

/* The tiles of a physics layer of `from`, from column `x` on; a map that has no layer of the kind gets one. */
static tm_status join_physics(tm_map *map, const tm_map *from, tm_layer_kind kind, uint32_t x, uint32_t width,
                              uint32_t height, tm_error *error)
{
    uint32_t group = 0, layer = 0;
    tm_grid right;
    const tm_layer *source = tm_map_physics_layer(NULL, NULL, from, kind);
    tm_status status = tm_map_tiles(&right, from, source, error);
    if (status != TM_OK || !source)
        return status;
    if (!tm_map_physics_layer(&group, &layer, map, kind)) {
        /* behind the game layer; a map without one is refused before */
        tm_map_physics_layer(&group, &layer, map, TM_LAYER_GAME);
        status = tm_map_insert_layer(map, group, ++layer, kind, width, height, error);
    }
    if (status != TM_OK)
        return status;
    return tm_map_write_tiles(map, group, layer, &(tm_rect){(int32_t)x, 0, right.width, right.height},
                              right.tiles, right.row_stride, error);
}

/* What has no clip of its own is seen only where its map is: lest a sky lie over the other map. */
static void keep_inside(tm_group *group, uint32_t x, uint32_t width, uint32_t height)
{
    group->use_clipping = true;
    group->clip_x = (int32_t)x * TM_TILE_PX;
    group->clip_y = 0;
    group->clip_w = (int32_t)width * TM_TILE_PX;
    group->clip_h = (int32_t)height * TM_TILE_PX;
}

/* One group at the end of the map, moved to column `x` as its parallax wants it, without physics layers. */
static tm_status join_group(tm_map *map, const tm_map *from, uint32_t index, uint32_t x, tm_error *error)
{
    tm_import_options options = TM_IMPORT_OPTIONS_INIT;
    options.share = true;
    uint32_t at, width, height;
    tm_status status = tm_map_import(&at, map, TM_KIND_GROUP, map->num_groups, from, index, &options, error);
    if (status != TM_OK)
        return status;
    tm_map_area(&width, &height, from);
    tm_group *group = &map->groups[at];
    const int32_t dx = (int32_t)x * TM_TILE_PX;
    group->offset_x -= (int32_t)((int64_t)dx * group->parallax_x / 100);
    group->clip_x += dx;
    if (!group->use_clipping)
        keep_inside(group, x, width, height);
    for (uint32_t i = map->groups[at].num_layers; i-- > 0 && status == TM_OK;)
        if (tm_game_layer(map->groups[at].layers[i].kind)->is_physics)
            status = tm_map_remove_layer(map, at, i, error);
    return status;
}

static tm_status join_all(tm_map *map, const tm_map *from, tm_error *error)
{
    uint32_t width, height, more, other_height;
    tm_map_area(&width, &height, map);
    tm_map_area(&more, &other_height, from);
    if (other_height > height)
        height = other_height;
    uint32_t game = UINT32_MAX; /* its group is never clipped by the games */
    (void)tm_map_physics_layer(&game, NULL, map, TM_LAYER_GAME);
    for (uint32_t i = 0; i < map->num_groups; i++)
        if (i != game && !map->groups[i].use_clipping)
            keep_inside(&map->groups[i], 0, width, height);
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < from->num_groups && status == TM_OK; i++)
        status = join_group(map, from, i, width, error);
    if (status == TM_OK)
        status = grow_physics(map, width + more, height, error);
    for (int kind = 0; kind < TM_LAYER_KINDS && status == TM_OK; kind++)
        if (tm_game_layer((tm_layer_kind)kind)->is_physics)
            status = join_physics(map, from, (tm_layer_kind)kind, width, width + more, height, error);
    return status;
}

/* All or nothing, as the library's own functions are: the work is done on a clone, which then takes the map's place. */
static tm_status join(tm_map *map, const tm_map *from, tm_error *error)
{
    tm_map *clone;
    tm_status status =
        tm_mapfile_check(map, TM_MODE_STRICT, NULL, NULL, error); /* there is a game layer, for one */
    if (status == TM_OK)
        status = tm_mapfile_check(from, TM_MODE_STRICT, NULL, NULL, error);
    if (status != TM_OK)
        return status;
    status = tm_map_clone(&clone, map, error);
    if (status == TM_OK)
        status = join_all(clone, from, error);
    if (status == TM_OK)
        tm_map_swap(map, clone);
    tm_map_free(clone);
    return status;
}

int main(int argc, char **argv)
{
    tm_map *left, *right = NULL;
    tm_error error;
    if (argc != 4)
        return fprintf(stderr, "use: %s LEFT.map RIGHT.map OUT.map\n", argv[0]), 2;
    tm_status status = tm_store_load(&left, argv[1], NULL, NULL, &error);
    if (status == TM_OK)
        status = tm_store_load(&right, argv[2], NULL, NULL, &error);
    if (status == TM_OK)
        status = join(left, right, &error);
    if (status == TM_OK)
        status = tm_store_save(left, argv[3], NULL, NULL, NULL, &error);
    tm_map_free(left);
    tm_map_free(right);
    if (status == TM_OK)
        return 0;
    char line[512];
    tm_error_format(&error, line, sizeof(line));
    fprintf(stderr, "join: %s\n", line);
    return 2;
}
