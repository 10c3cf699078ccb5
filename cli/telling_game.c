/* SPDX-License-Identifier: Zlib */
/*
 * telling_game.c - makes the game layer visible in a map that has no design of its own, by untextured tile
 * layers: new maps, test maps and training grounds would otherwise be pictures of an empty sky.
 */
#include "telling.h"

#include <string.h>

/* Tiles of the game layer that are shown, from behind. */
static const struct {
    uint8_t index;
    tm_color color;
} shown[] = {
    {9, {30, 30, 40, 255}},     /* freeze */
    {1, {186, 152, 108, 255}},  /* hookable */
    {3, {104, 112, 124, 255}},  /* not hookable */
    {2, {200, 64, 56, 255}},    /* death */
    {33, {88, 190, 90, 255}},   /* start */
    {34, {240, 240, 240, 255}}, /* finish */
};

/* Whether the game layer has the tile; `out`, unless NULL, gets tile 1 there. */
static bool mark(const tm_grid *game, uint8_t index, const tm_grid *out)
{
    bool found = false;
    for (uint32_t y = 0; y < game->height; y++) {
        const tm_tile *from = (const void *)((const char *)game->tiles + y * game->row_stride);
        tm_tile *to = out ? (void *)((char *)out->tiles + y * out->row_stride) : NULL;
        for (uint32_t x = 0; x < game->width; x++) {
            found |= from[x].index == index;
            if (to) {
                to[x].index = from[x].index == index;
            }
        }
    }
    return found;
}

/* Lays one kind of tile over what the group has. */
static tm_status add_layer(tm_map *map, uint32_t group, const tm_grid *game, size_t which, tm_error *error)
{
    const uint32_t at = map->groups[group].num_layers;
    tm_status status = tm_map_insert_layer(map, group, at, TM_LAYER_TILES, game->width, game->height, error);
    if (status) {
        return status;
    }
    tm_layer *layer = &map->groups[group].layers[at];
    tm_grid grid;
    layer->as.tiles.color = shown[which].color;
    status = tm_map_edit_tiles(map, layer, &grid, error);
    if (!status) {
        mark(game, shown[which].index, &grid);
    }
    return status;
}

tm_status telling_show_game(tm_map *map, bool *added, tm_error *error)
{
    uint32_t group, index;
    tm_grid game;
    *added = false;
    if (!tm_map_physics_layer(map, TM_LAYER_GAME, &group, &index)) {
        return TM_OK;
    }
    tm_status status = tm_map_tiles(map, &map->groups[group].layers[index], &game, error);
    if (status || !game.tiles) {
        return status == TM_ERROR_DAMAGED ? TM_OK : status; /* nothing to show, and the findings say why */
    }
    for (size_t i = 0; !status && i < sizeof shown / sizeof shown[0]; i++) {
        if (mark(&game, shown[i].index, NULL)) {
            status = add_layer(map, group, &game, i, error);
            *added = true;
        }
    }
    return status;
}
