/* SPDX-License-Identifier: Zlib */
/*
 * Whether teleporters only got other numbers: each number became one other, through the whole map, and no two
 * became one. Then each leads where it led, and the race is the same. Checkpoints are not asked: who has none
 * of a number goes to the one below, so their order counts. Nor are switches and zones, which settings name.
 */
#include "patch.h"

enum { NUMBERS = 256 };

typedef struct renumbering {
    uint8_t to[NUMBERS], from[NUMBERS]; /* 0: nothing known yet; no teleporter has this number */
    bool fits;
} renumbering;

bool tmi_is_teleporter(uint8_t type)
{
    const tm_tile_info *info = type ? tm_game_tile(TM_GAME_DDNET, TM_LAYER_TELE, type) : NULL;
    return info && info->number == TM_NUMBER_TELE;
}

static void join_numbers(renumbering *of, uint8_t before, uint8_t after)
{
    const bool fresh = !of->to[before] && !of->from[after], same = of->to[before] == after;
    if (!before || !after) /* such a tile leads nowhere */
        of->fits = of->fits && before == after;
    else if (fresh || same) {
        of->to[before] = after;
        of->from[after] = before;
    } else
        of->fits = false;
}

static tm_tele_tile teleporter_at(const void *tiles, size_t number)
{
    tm_tele_tile tile;
    memcpy(&tile, (const char *)tiles + number * sizeof(tile), sizeof(tile));
    return tile;
}

static void count_teleporters(uint64_t num[NUMBERS], const void *tiles, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const tm_tele_tile tile = teleporter_at(tiles, (size_t)i);
        num[tile.number] += tmi_is_teleporter(tile.type);
    }
}

/* What became of those that changed; then what has not changed keeps its number. */
static void join_all_numbers(renumbering *of, const tmi_grid *grid, const void *tiles, uint64_t count)
{
    uint64_t all[NUMBERS] = {0}, changed[NUMBERS] = {0};
    count_teleporters(all, tiles, count);
    for (uint64_t i = 0; i < grid->num; i++) {
        const tm_tele_tile before = teleporter_at(grid->bytes[TMI_BEFORE], (size_t)i),
                           after = teleporter_at(grid->bytes[TMI_AFTER], (size_t)i);
        if (!tmi_is_teleporter(before.type))
            continue;
        changed[before.number]++;
        if (before.type == after.type)
            join_numbers(of, before.number, after.number);
    }
    for (int number = 1; number < NUMBERS; number++)
        if (all[number] > changed[number])
            join_numbers(of, (uint8_t)number, (uint8_t)number);
}

/* The change of the teleporters that act; NULL: there is none. */
static const tmi_grid *change_of_layer(const tm_patch *patch, uint32_t number, const tm_layer *layer)
{
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type == TMI_DELTA_GRID && delta->list == TMI_LAYERS &&
            delta->number[TMI_BEFORE] == number && delta->field->flags & TM_FIELD_ELEMENTS &&
            patch->match.side[TMI_BEFORE].labels[TMI_LAYERS][number].kind == TM_LAYER_TELE &&
            delta->grid->width[TMI_BEFORE] == layer->as.tiles.width &&
            delta->grid->height[TMI_BEFORE] == layer->as.tiles.height)
            return delta->grid;
    }
    return NULL;
}

tm_status tmi_find_renumbering(bool *found, uint8_t numbers[256], const tm_patch *patch, const tm_map *before,
                               tm_error *error)
{
    uint32_t group, index;
    renumbering of = {.fits = true};
    tmi_borrowed loan;
    tm_grid tiles;
    *found = false;
    const tm_layer *layer = tm_map_physics_layer(&group, &index, before, TM_LAYER_TELE);
    if (!layer || group >= patch->match.side[TMI_BEFORE].num[TMI_GROUPS])
        return TM_OK;
    const tmi_grid *grid =
        change_of_layer(patch, patch->match.side[TMI_BEFORE].first_layer[group] + index, layer);
    if (!grid)
        return TM_OK;
    TM_TRY(tmi_borrowed_grid(&loan, &tiles, before, layer, error));
    if (tiles.tiles)
        join_all_numbers(&of, grid, tiles.tiles, (uint64_t)tiles.width * tiles.height);
    tmi_borrowed_close(&loan);
    *found = of.fits;
    memcpy(numbers, of.to, sizeof(of.to));
    return TM_OK;
}
