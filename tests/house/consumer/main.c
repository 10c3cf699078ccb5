/* SPDX-License-Identifier: Zlib */
/*
 * The small program of the install test, in the part of C that is C++, too: builds a map in memory, saves it to memory,
 * loads that and counts. It is built against the installed library in every way that users have.
 *
 * Prints: 1 group, 1 layer, 50 x 30 tiles
 */
#include <stdio.h>
#include <teemap/teemap.h>

static tm_status build(tm_map *map, tm_buffer *buffer, tm_error *error)
{
    tm_output output = tm_output_to_buffer(buffer);
    tm_status status = tm_map_insert(map, TM_KIND_GROUP, 0, error);
    if (status == TM_OK)
        status = tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, 50, 30, error);
    if (status == TM_OK)
        status = tm_mapfile_save(map, &output, NULL, NULL, NULL, error);
    return status;
}

static tm_status count(const tm_buffer *buffer, tm_error *error)
{
    tm_map *map;
    const tm_layer *layer;
    tm_status status =
        tm_mapfile_load(&map, tm_input_from_memory(buffer->bytes, buffer->size), NULL, NULL, error);
    if (status != TM_OK)
        return status;
    layer = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    if (layer)
        printf("%u group, %u layer, %u x %u tiles\n", (unsigned)map->num_groups,
               (unsigned)map->groups[0].num_layers, (unsigned)layer->as.tiles.width,
               (unsigned)layer->as.tiles.height);
    tm_map_free(map);
    return TM_OK;
}

int main(void)
{
    tm_map *map;
    tm_error error;
    tm_buffer buffer = {NULL, 0, 0, NULL};
    tm_status status = tm_map_new(&map, NULL, &error);
    if (status == TM_OK) {
        status = build(map, &buffer, &error);
        tm_map_free(map);
    }
    if (status == TM_OK)
        status = count(&buffer, &error);
    tm_buffer_release(&buffer);
    if (status != TM_OK)
        fprintf(stderr, "%s: %s\n", error.place, error.text);
    return status == TM_OK ? 0 : 1;
}
