/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are 2, 4, 8 or 16 times as large. A tile becomes a block of tiles:
 *
 *   design    each shows its part of the cell, from sheets that are cut again (scaled_sheets.c)
 *   physics   all of the block is what the tile was; things of which there should be one (spawns, exits,
 *             doors, pickups ...) stand in the middle of it, spawns and flags on its ground
 *   beams     the tile that says how long a laser or door is stays next to it, and says more
 *
 * Quads, sources, position envelopes with their tangents, offsets and clips are multiplied.
 */
#include "edit_scale.h"

/* One map that is scaled. */
typedef struct scaling {
    tmi_edit *edit;
    tm_map *map;
    uint32_t by;
    uint32_t world[2]; /* tiles, before */
    uint64_t short_beams;
    tmi_sheets *sheets; /* one for each image */
} scaling;

static tm_status multiply(int32_t *value, uint32_t by, tm_error *error)
{
    return tmi_edit_put_int(value, (int64_t)*value * by, error);
}

static tm_status multiply_all(int32_t *const *values, size_t num, uint32_t by, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(multiply(values[i], by, error));
    return TM_OK;
}

/* ------------------------------------------------------------------------ quads, envelopes, groups */

static tm_status enlarge_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    const scaling *how = ctx;
    for (size_t i = 0; i < num; i++) {
        TM_TRY(multiply(&points[i].x, how->by, error));
        TM_TRY(multiply(&points[i].y, how->by, error));
    }
    return TM_OK;
}

static tm_status enlarge_size(void *ctx, int32_t *width, int32_t *height, tm_error *error)
{
    const scaling *how = ctx;
    int32_t *const values[] = {width, height};
    return multiply_all(values, height ? 2 : 1, how->by, error);
}

static tm_status enlarge_envelope_point(const void *ctx, tm_envelope_point *point, tm_error *error)
{
    const scaling *how = ctx;
    int32_t *const values[] = {&point->values[0], &point->values[1], &point->in_dy[0],
                               &point->in_dy[1],  &point->out_dy[0], &point->out_dy[1]};
    return multiply_all(values, TMI_COUNT_OF(values), how->by, error);
}

/* ----------------------------------------------------------------------------------- physics */

typedef struct block_grid {
    scaling *how;
    tm_layer_kind kind;
    const tm_grid *from;
    const tm_edit_grid *to;
} block_grid;

static const uint8_t *old_tile(const block_grid *grid, uint32_t x, uint32_t y)
{
    return (const uint8_t *)grid->from->tiles + y * grid->from->row_stride +
           (size_t)x * grid->from->tile_size;
}

/* Puts a tile into the new grid, unless the place is outside of it. */
static void put_new(const block_grid *grid, int64_t x, int64_t y, const uint8_t *tile)
{
    if (x >= 0 && y >= 0 && x < grid->to->width && y < grid->to->height)
        memcpy((uint8_t *)grid->to->tiles + (size_t)y * grid->to->row_stride +
                   (size_t)x * grid->to->tile_size,
               tile, grid->to->tile_size);
}

static void fill_block(const block_grid *grid, uint32_t x, uint32_t y)
{
    const uint32_t by = grid->how->by;
    for (uint32_t v = 0; v < by; v++)
        for (uint32_t u = 0; u < by; u++)
            put_new(grid, (int64_t)x * by + u, (int64_t)y * by + v, old_tile(grid, x, y));
}

static bool sends_beams(const block_grid *grid, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= grid->from->width || y >= grid->from->height)
        return false;
    const uint8_t index = old_tile(grid, (uint32_t)x, (uint32_t)y)[tm_game_layer(grid->kind)->index_at];
    return index == TM_TILE_DOOR || (index >= TM_TILE_LASER_FAST_CCW && index <= TM_TILE_LASER_FAST_CW);
}

/* The place of a single object in a block: up and left of the middle. */
static int64_t block_middle(const block_grid *grid, int64_t at)
{
    return at * grid->how->by + (grid->how->by - 1) / 2;
}

/* Puts the tile next to a door or laser that gives its length, or two tiles from it, the change of that. */
static void put_length(const block_grid *grid, uint32_t x, uint32_t y)
{
    uint8_t tile[sizeof(tm_speedup_tile)];
    uint8_t *index = &tile[tm_game_layer(grid->kind)->index_at];
    memcpy(tile, old_tile(grid, x, y), grid->from->tile_size);
    const bool is_length = *index <= TM_TILE_LASER_LONG;
    const int apart = is_length ? 1 : 2;
    if (is_length) {
        const uint32_t wanted = (*index - (TM_TILE_LASER_SHORT - 1u)) * grid->how->by;
        const uint32_t longest = TM_TILE_LASER_LONG - (TM_TILE_LASER_SHORT - 1u);
        grid->how->short_beams += wanted > longest;
        *index = (uint8_t)(TM_TILE_LASER_SHORT - 1u + (wanted < longest ? wanted : longest));
    }
    for (int dy = -apart; dy <= apart; dy += apart)
        for (int dx = -apart; dx <= apart; dx += apart)
            if ((dx || dy) && sends_beams(grid, (int64_t)x - dx, (int64_t)y - dy))
                put_new(grid, block_middle(grid, (int64_t)x - dx) + dx,
                        block_middle(grid, (int64_t)y - dy) + dy, tile);
}

static void put_alone(const block_grid *grid, uint32_t x, uint32_t y)
{
    const uint8_t *tile = old_tile(grid, x, y), index = tile[tm_game_layer(grid->kind)->index_at];
    const tm_tile_info *info = tm_game_tile(grid->how->map->game, grid->kind, index);
    const bool stands = info->category == TM_CATEGORY_SPAWN || info->category == TM_CATEGORY_FLAG;
    if (index >= TM_TILE_LASER_SHORT && index <= TM_TILE_LASER_OPEN_FAST)
        put_length(grid, x, y);
    else
        put_new(grid, block_middle(grid, x),
                stands ? (int64_t)(y + 1) * grid->how->by - 1 : block_middle(grid, y), tile);
}

static void scale_physics(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    block_grid *grid = ctx;
    const tm_game game = grid->how->map->game;
    grid->from = from;
    grid->to = to;
    for (int alone = 0; alone < 2; alone++) /* things over what is around them */
        for (uint32_t y = 0; y < from->height; y++)
            for (uint32_t x = 0; x < from->width; x++)
                if (tmi_edit_stands_alone(game, grid->kind, old_tile(grid, x, y)) != (alone != 0))
                    continue;
                else if (alone)
                    put_alone(grid, x, y);
                else
                    fill_block(grid, x, y);
}

/* ------------------------------------------------------------------------------------------------- layers */

tm_status tmi_scale_side(uint32_t *side, uint32_t by, tm_error *error)
{
    if (*side > INT32_MAX / by)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%llu tiles are too many for one side",
                        (unsigned long long)*side * by);
    *side *= by;
    return TM_OK;
}

static tm_status scale_tiles(scaling *how, const tm_address *at, tm_error *error)
{
    tm_layer *layer = tmi_edit_layer_at(how->edit, at);
    tm_tile_layer *tiles = &layer->as.tiles;
    const bool is_physics = tm_game_layer(layer->kind)->is_physics;
    if (is_physics)
        tmi_edit_take_played_size(how->edit, at, how->world);
    if (!tiles->width || !tiles->height)
        return TM_OK;
    if (is_physics) {
        uint32_t size[2] = {tiles->width, tiles->height};
        TM_TRY(tmi_scale_side(&size[0], how->by, error));
        TM_TRY(tmi_scale_side(&size[1], how->by, error));
        block_grid grid = {.how = how, .kind = layer->kind};
        return tmi_map_regrid(how->map, layer, size, scale_physics, &grid, error);
    }
    tmi_edit_stop_automapper(how->edit, at, "know nothing of parts of tiles");
    const tmi_sheets *sheets = tiles->image != TM_NONE ? &how->sheets[tiles->image] : NULL;
    const tmi_design_scale design = {sheets, {how->world[0], how->world[1]}, how->by};
    return tmi_scale_design(how->edit, at, &design, error);
}

static tm_status scale_layer(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    static const tmi_edit_movers movers = {enlarge_points, enlarge_size};
    return tm_game_layer(tmi_edit_layer_at(edit, at)->kind)->is_tiles
               ? scale_tiles(edit->ctx, at, error)
               : tmi_edit_each_element(edit->map, at, &movers, edit->ctx, error);
}

static tm_status scale_frame(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    const scaling *how = edit->ctx;
    tm_group *group = &edit->map->groups[at->index];
    int32_t *const values[] = {&group->offset_x, &group->offset_y, &group->clip_x,
                               &group->clip_y,   &group->clip_w,   &group->clip_h};
    return multiply_all(values, TMI_COUNT_OF(values), how->by, error);
}

/* ------------------------------------------------------------------------------------------------ the map */

static void tell_what_differs(const scaling *how)
{
    tmi_edit_find(how->edit, TM_FINDING_PLAYS_DIFFERENTLY, tmi_whole_map,
                  "players, weapons and speeds are as large as before, and the map is not");
    if (how->short_beams)
        tmi_edit_find(how->edit, TM_FINDING_PLAYS_DIFFERENTLY, tmi_whole_map,
                      "%llu lasers and doors are too short now: they have 9 tiles at most",
                      (unsigned long long)how->short_beams);
}

tm_status tmi_edit_scale(tmi_edit *edit, tm_error *error)
{
    static const uint32_t factors[] = {2, 4, 8, 16};
    scaling how = {.edit = edit, .map = edit->map, .by = factors[edit->values[0].number]};
    const uint32_t num = edit->map->num_images;
    tm_map_area(&how.world[0], &how.world[1], edit->map);
    TM_TRY(tmi_reserve_zeroed(&how.sheets, edit->scratch, num, sizeof(*how.sheets), "sheets", error));
    TM_TRY(tmi_sheets_cut(how.sheets, num, edit, how.by, error));
    TM_TRY(tmi_edit_each_mover(edit, enlarge_envelope_point, "scaled", &how, error));
    TM_TRY(tmi_edit_each_group(edit, scale_frame, scale_layer, "scaled", &how, error));
    TM_TRY(tmi_sheets_drop_old(how.sheets, num, edit, error));
    if (tm_map_physics_layer(NULL, NULL, edit->map, TM_LAYER_GAME))
        tell_what_differs(&how);
    return TM_OK;
}
