/* SPDX-License-Identifier: Zlib */
/*
 * The library in ten lines: load a map, look at its layers, put a freeze tile into the game layer, save. The README shows the middle part;
 * the tests build and run it.
 */
#include <teemap/teemap.h>

#include <stdio.h>

static int fail(const char *path, const tm_error *error)
{
    char line[512];
    tm_error_format(error, line, sizeof(line));
    fprintf(stderr, "%s%s%s\n", error->path[0] ? "" : path, error->path[0] ? "" : ": ", line);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    /* README: begin */
    tm_map *map;
    tm_error error;
    if (tm_store_load(&map, argv[1], NULL, NULL, &error) != TM_OK)
        return fail(argv[1], &error);
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            printf("%u/%u %s\n", g, l, map->groups[g].layers[l].name);
    uint32_t group, layer;
    const tm_tile freeze = {.index = TM_TILE_FREEZE};
    if ((tm_map_physics_layer(&group, &layer, map, TM_LAYER_GAME) &&
         tm_map_write_tiles(map, group, layer, &(tm_rect){3, 4, 1, 1}, &freeze, 0, &error) != TM_OK) ||
        tm_store_save(map, argv[2], NULL, NULL, NULL, &error) != TM_OK)
        return fail(argv[2], &error);
    tm_map_free(map);
    /* README: end */
    return 0;
}
