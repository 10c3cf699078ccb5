/* SPDX-License-Identifier: Zlib */
/*
 * Finds the position of the tiles of a patch in a map that was extended or cropped since. A patch keeps a few
 * squares of unchanged tiles near the changed ones. They vote for the position.
 */
#include "apply.h"

enum {
    SIDE = 2,
    IN_ROW = 2,       /* squares of one row at most, so that they stand in several rows */
    WIDE = 512,       /* tiles of a row that are looked at */
    LOOKS = 1 << 16,  /* tiles that are looked at */
    VOTING_RUNS = 64, /* runs that vote besides */
    PLACES = 1 << 20  /* places that are tried */
};

/* Copies a square if both sides have it, and neither its rows nor its columns are equal. */
static bool copy_square(uint8_t *out, const tmi_grid *grid, const uint8_t *const bytes[2], int64_t x,
                        int64_t y)
{
    const size_t size = grid->size;
    for (int64_t row = 0; row < SIDE; row++) {
        const size_t at = (size_t)((y + row) * grid->width[TMI_BEFORE] + x) * size;
        if (memcmp(bytes[TMI_BEFORE] + at, bytes[TMI_AFTER] + at, SIDE * size) != 0)
            return false;
        memcpy(out + (size_t)row * SIDE * size, bytes[TMI_BEFORE] + at, SIDE * size);
    }
    const uint8_t *below = out + SIDE * size;
    return memcmp(out, below, SIDE * size) != 0 &&
           (memcmp(out, out + size, size) != 0 || memcmp(below, below + size, size) != 0);
}

tm_status tmi_grid_find_around(tm_patch *patch, tmi_grid *grid, const uint8_t *const bytes[2],
                               tm_error *error)
{
    const int64_t width = grid->width[TMI_BEFORE], height = grid->height[TMI_BEFORE];
    const tmi_grid_run center = {(int32_t)(width / 2), (int32_t)(height / 2), 0, 0};
    const tmi_grid_run *middle = grid->num_runs ? &grid->runs[grid->num_runs / 2] : &center;
    tmi_grid *squares;
    uint32_t looks = 0;
    if (width < SIDE || height < SIDE)
        return TM_OK;
    TM_TRY(tmi_grid_new(patch, &squares, &(tmi_grid){.size = grid->size}, TMI_SQUARES_MAX,
                        TMI_SQUARES_MAX * TMI_SQUARE, error));
    for (int64_t i = 0; i < 2 * height && squares->num_runs < TMI_SQUARES_MAX && looks < LOOKS; i++) {
        const int64_t y = middle->y + tmi_outward(i);
        uint32_t in_row = 0;
        for (int64_t k = 0; k < WIDE && in_row < IN_ROW && y >= 0 && y <= height - SIDE; k++, looks++) {
            const int64_t x = middle->x + tmi_outward(k);
            if (x < 0 || x > width - SIDE || squares->num_runs == TMI_SQUARES_MAX ||
                !copy_square(squares->bytes[TMI_BEFORE] + squares->num * grid->size, grid, bytes, x, y))
                continue;
            squares->runs[squares->num_runs++] =
                (tmi_grid_run){(int32_t)x, (int32_t)y, TMI_SQUARE, squares->num};
            squares->num += TMI_SQUARE;
            in_row++;
        }
    }
    grid->surroundings = squares->num ? squares : NULL;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- the game layer */

/* Sets the squares of a layer; none if it cannot be unpacked, which is reported where it is compared. */
static tm_status set_squares(tm_patch *patch, const tm_map *const map[2], const tm_layer *const layer[2],
                             tm_error *error)
{
    const bool same =
        tmi_block_same_packed(layer[TMI_BEFORE]->as.tiles.tiles, layer[TMI_AFTER]->as.tiles.tiles);
    tmi_borrowed loan[2] = {{.map = NULL}};
    tm_status status = TM_OK;
    const uint8_t *bytes[2] = {NULL, NULL};
    for (int side = TMI_BEFORE; side <= (same ? TMI_BEFORE : TMI_AFTER); side++) {
        tm_grid grid;
        if (!tmi_borrowed_grid(&loan[side], &grid, map[side], layer[side], NULL))
            bytes[side] = grid.tiles;
    }
    if (same)
        bytes[TMI_AFTER] = bytes[TMI_BEFORE];
    if (bytes[TMI_BEFORE] && bytes[TMI_AFTER])
        status = tmi_grid_find_around(patch, patch->game, bytes, error);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        tmi_borrowed_close(&loan[side]);
    return status;
}

tm_status tmi_patch_set_game(tm_patch *patch, const tm_map *const map[2], tm_error *error)
{
    const tm_layer *layer[2];
    tm_map_shift shift;
    bool any = false; /* a change of something that has a position in the map, other than tiles */
    for (size_t i = 0; i < patch->num && !any; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        const bool layers = delta->list == TM_KIND_LAYER;
        if (delta->type == TMI_DELTA_OBJECT)
            any = (layers || delta->list == TM_KIND_GROUP) &&
                  (delta->number[TMI_BEFORE] == TMI_NOWHERE || delta->number[TMI_AFTER] == TMI_NOWHERE);
        else
            any = layers && delta->type == TMI_DELTA_ELEMENT;
    }
    if (!any || tm_patch_shift(&shift, patch))
        return TM_OK;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        layer[side] = tm_map_physics_layer(NULL, NULL, map[side], TM_LAYER_GAME);
        if (!layer[side] || layer[side]->as.tiles.width != layer[0]->as.tiles.width ||
            layer[side]->as.tiles.height != layer[0]->as.tiles.height)
            return TM_OK;
    }
    const uint32_t width = layer[0]->as.tiles.width, height = layer[0]->as.tiles.height;
    const tmi_grid game = {.width = {width, width}, .height = {height, height}, .size = sizeof(tm_tile)};
    TM_TRY(tmi_patch_copy(patch, &patch->game, &game, sizeof(game), error));
    return set_squares(patch, map, layer, error);
}

/* ------------------------------------------------------------------------------------------- the map here */

static bool row_matches(const tm_grid *map_grid, int64_t x, int64_t y, const uint8_t *want, uint32_t num,
                        size_t size)
{
    return x >= 0 && y >= 0 && x + num <= map_grid->width && y < map_grid->height &&
           memcmp((const uint8_t *)map_grid->tiles + (size_t)(y * map_grid->width + x) * size, want,
                  num * size) == 0;
}

/* Without squares, a run of changed tiles votes if the first of them was not empty. */
static bool run_votes(const tmi_grid *grid, uint32_t i)
{
    return !grid->surroundings &&
           !tmi_all_zero(grid->bytes[TMI_BEFORE] + (size_t)grid->runs[i].first * grid->size, grid->size);
}

static uint32_t count_votes(const tm_grid *map_grid, const tmi_grid *grid, int64_t dx, int64_t dy)
{
    const size_t size = grid->size;
    uint32_t votes = 0;
    for (uint32_t i = 0; grid->surroundings && i < grid->surroundings->num_runs; i++) {
        const tmi_grid_run *square = &grid->surroundings->runs[i];
        const int64_t x = square->x + dx, y = square->y + dy;
        const uint8_t *want = grid->surroundings->bytes[TMI_BEFORE] + (size_t)square->first * size;
        votes += row_matches(map_grid, x, y, want, SIDE, size) &&
                 row_matches(map_grid, x, y + 1, want + SIDE * size, SIDE, size);
    }
    for (uint32_t i = 0; i < grid->num_runs && i < VOTING_RUNS; i++)
        votes +=
            run_votes(grid, i) && row_matches(map_grid, grid->runs[i].x + dx, grid->runs[i].y + dy,
                                              grid->bytes[TMI_BEFORE] + (size_t)grid->runs[i].first * size,
                                              grid->runs[i].num, size);
    return votes;
}

tmi_place tmi_grid_find_place(const tmi_grid *grid, const tm_grid *map_grid, int32_t by[2])
{
    const int64_t wider = (int64_t)map_grid->width - grid->width[TMI_BEFORE];
    const int64_t higher = (int64_t)map_grid->height - grid->height[TMI_BEFORE];
    const int64_t left = wider < 0 ? wider : 0, right = wider > 0 ? wider : 0;
    const int64_t top = higher < 0 ? higher : 0, bottom = higher > 0 ? higher : 0;
    uint32_t all = grid->surroundings ? grid->surroundings->num_runs : 0, best = 0, second = 0;
    for (uint32_t i = 0; i < grid->num_runs && i < VOTING_RUNS; i++)
        all += run_votes(grid, i);
    by[0] = by[1] = 0;
    if (!all)
        return TMI_PLACE_UNKNOWN;
    if (!wider && !higher) /* the tiles around may have been edited */
        return 4 * count_votes(map_grid, grid, 0, 0) >= all ? TMI_PLACE_FOUND : TMI_PLACE_LOST;
    if ((right - left + 1) > PLACES / (bottom - top + 1))
        return TMI_PLACE_LOST;
    for (int64_t dy = top; dy <= bottom; dy++) {
        for (int64_t dx = left; dx <= right; dx++) {
            const uint32_t votes = count_votes(map_grid, grid, dx, dy);
            second = votes > best ? best : votes > second ? votes : second;
            if (votes <= best)
                continue;
            best = votes;
            by[0] = (int32_t)dx;
            by[1] = (int32_t)dy;
        }
    }
    return 2 * best >= all && 2 * second <= best ? TMI_PLACE_FOUND : TMI_PLACE_LOST;
}

tm_status tmi_apply_find_map(tmi_apply *apply)
{
    const tmi_grid *game = apply->patch->game;
    const tm_layer *layer = tm_map_physics_layer(NULL, NULL, apply->map, TM_LAYER_GAME);
    tmi_borrowed loan = {.map = NULL};
    tm_grid map_grid;
    int32_t by[2];
    if (!game || !layer)
        return TM_OK;
    apply->wider[0] = (int64_t)layer->as.tiles.width - game->width[TMI_BEFORE];
    apply->wider[1] = (int64_t)layer->as.tiles.height - game->height[TMI_BEFORE];
    if (!apply->wider[0] && !apply->wider[1])
        return TM_OK;
    tm_error failure;
    const tm_status status = tmi_borrowed_grid(&loan, &map_grid, apply->map, layer, &failure);
    if (!status && map_grid.tiles && tmi_grid_find_place(game, &map_grid, by) == TMI_PLACE_FOUND) {
        apply->map_place = TMI_PLACE_FOUND;
        memcpy(apply->by, by, sizeof(by));
    }
    tmi_borrowed_close(&loan);
    return tmi_past_damage(status, &failure, apply->error);
}

bool tmi_goes_along(const tmi_apply *apply, const tm_group *group, int axis)
{
    const int32_t parallax = axis ? group->parallax_y : group->parallax_x;
    return tm_map_is_game_group(apply->map, (uint32_t)(group - apply->map->groups)) ||
           (parallax == 100 && !(axis ? group->offset_y : group->offset_x));
}
