/* SPDX-License-Identifier: Zlib */
/*
 * Finds the changes of a patch that affect gameplay: physics tiles, server commands, physics layers and their
 * sizes. Two tiles are equal if they do the same (tm_game_tile): flags, numbers and delays are compared only
 * if the tile uses them. Indices that no game knows are compared as they are, since mods have tiles of their
 * own. Decoration, names and order do not count.
 */
#include "patch.h"

/* What a tile does. All zeros: it does nothing. */
typedef struct deed {
    int32_t index, number, flags, delay;
} deed;

/* What a tile is in DDNet, which includes most tiles of the other games, else in any other game. */
static const tm_tile_info *rule_of(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *info = index ? tm_game_tile(TM_GAME_DDNET, kind, index) : NULL;
    for (int game = 0; index && !info && game < TM_GAME_COUNT; game++)
        info = tm_game_tile((tm_game)game, kind, index);
    return info;
}

static int32_t tile_byte(const uint8_t *tile, int8_t at)
{
    return at == TM_NONE ? 0 : tile[at];
}

static deed deed_of(tm_layer_kind kind, const uint8_t *tile)
{
    const tm_layer_info *layer = tm_game_layer(kind);
    const bool plain = layer->number_at == TM_NONE;
    const uint8_t index = tile[layer->index_at];
    const tm_tile_info *info = rule_of(kind, index);
    if (kind == TM_LAYER_SPEEDUP) {
        tm_speedup_tile speedup;
        memcpy(&speedup, tile, sizeof(speedup));
        return info && speedup.force ? (deed){index, speedup.force, speedup.angle, speedup.max_speed}
                                     : (deed){0, 0, 0, 0};
    }
    /*
     * An index that is unknown in a kind of layer. If it is known in the other one of game and front, it does
     * nothing here; else it may belong to a mod.
     */
    const tm_layer_kind other = kind == TM_LAYER_FRONT ? TM_LAYER_GAME : TM_LAYER_FRONT;
    if (!info)
        return (deed){plain && rule_of(other, index) ? 0 : index, 0, 0, 0};
    const bool turns = info->turn == TM_TURN_ARROW || info->turn == TM_TURN_SHOT;
    return (deed){index, info->number || kind == TM_LAYER_TUNE ? tile_byte(tile, layer->number_at) : 0,
                  (plain ? turns : info->keeps_flags) ? tile_byte(tile, layer->flags_at) : 0,
                  info->delay ? tile_byte(tile, layer->delay_at) : 0};
}

static bool same_deed(const deed *a, const deed *b)
{
    return a->index == b->index && a->number == b->number && a->flags == b->flags && a->delay == b->delay;
}

/* ------------------------------------------------------------------------------------------------ changes */

/* Whether games ignore a line of the settings. */
static bool is_comment(const char *text)
{
    while (text && (*text == ' ' || *text == '\t'))
        text++;
    return !text || *text == '#' || !*text;
}

tm_status tmi_delta_in_race(bool *acts, const tm_patch *patch, const tmi_delta *delta, tm_error *error)
{
    static const deed no_deed;
    const tm_layer *layer =
        delta->content[TMI_BEFORE] ? delta->content[TMI_BEFORE] : delta->content[TMI_AFTER];
    const void *bytes;
    uint64_t size;
    *acts = tmi_delta_is_of_settings(delta) &&
            (tmi_delta_is_unread(delta) || /* they may be anything */
             !(is_comment(delta->bytes[TMI_BEFORE]) && is_comment(delta->bytes[TMI_AFTER])));
    if (delta->list != TM_KIND_LAYER || *acts)
        return TM_OK;
    if (delta->type == TMI_DELTA_GRID || delta->type == TMI_DELTA_DATA)
        *acts = delta->field->flags & TM_FIELD_ELEMENTS &&
                tm_game_layer(tmi_delta_layer_kind(patch, delta))->is_physics;
    if (delta->type != TMI_DELTA_OBJECT || !layer)
        return TM_OK;
    /* an added or removed layer counts if it is the game layer, or if any of its tiles does something */
    const tm_layer_info *info = tm_game_layer(layer->kind);
    *acts = layer->kind == TM_LAYER_GAME;
    if (!info->is_physics || *acts)
        return TM_OK;
    TM_TRY(tm_map_data(&bytes, &size, patch->home, layer->as.tiles.tiles, error));
    for (uint64_t at = 0; !*acts && size - at >= info->element_size; at += info->element_size) {
        const deed act = deed_of(layer->kind, (const uint8_t *)bytes + at);
        *acts = !same_deed(&act, &no_deed);
    }
    tmi_map_drop_data(patch->home, layer->as.tiles.tiles);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- renumbered */

/*
 * Whether teleporters were only renumbered: in the whole map each number became one other number, and no two
 * became the same. Then each teleporter leads to the same place as before, and the race has not changed. This
 * is not done for checkpoints, whose order counts (a missing number falls back to the one below), nor for
 * switches and tuning zones, whose numbers appear in settings.
 */
enum { NUMBERS = 256 };

typedef struct renumbering {
    uint8_t to[NUMBERS], from[NUMBERS]; /* 0: not known yet; no teleporter has number 0 */
    bool fits;
} renumbering;

/* Whether a tile of the tele layer is a teleporter or its exit, but not a checkpoint. */
static bool is_teleporter(uint8_t type)
{
    const tm_tile_info *info = type ? tm_game_tile(TM_GAME_DDNET, TM_LAYER_TELE, type) : NULL;
    return info && info->number == TM_NUMBER_TELE;
}

static void join_numbers(renumbering *joined, uint8_t before, uint8_t after)
{
    const bool fresh = !joined->to[before] && !joined->from[after], same = joined->to[before] == after;
    if (!before || !after) /* such a tile leads nowhere */
        joined->fits = joined->fits && before == after;
    else if (fresh || same) {
        joined->to[before] = after;
        joined->from[after] = before;
    } else
        joined->fits = false;
}

static tm_tele_tile teleporter_at(const void *tiles, size_t number)
{
    tm_tele_tile tile;
    memcpy(&tile, (const char *)tiles + number * sizeof(tile), sizeof(tile));
    return tile;
}

/* Joins the numbers of changed tiles; the numbers of all other tiles must stay the same. */
static void join_all_numbers(renumbering *joined, const tmi_grid *grid, const void *tiles, uint64_t count)
{
    uint64_t all[NUMBERS] = {0}, changed[NUMBERS] = {0};
    for (uint64_t i = 0; i < count; i++) {
        const tm_tele_tile tile = teleporter_at(tiles, (size_t)i);
        all[tile.number] += is_teleporter(tile.type);
    }
    for (uint64_t i = 0; i < grid->num; i++) {
        const tm_tele_tile before = teleporter_at(grid->bytes[TMI_BEFORE], (size_t)i),
                           after = teleporter_at(grid->bytes[TMI_AFTER], (size_t)i);
        if (!is_teleporter(before.type))
            continue;
        changed[before.number]++;
        if (before.type == after.type)
            join_numbers(joined, before.number, after.number);
    }
    for (int number = 1; number < NUMBERS; number++)
        if (all[number] > changed[number])
            join_numbers(joined, (uint8_t)number, (uint8_t)number);
}

tm_status tmi_find_renumbering(bool *found, uint8_t numbers[256], const tm_patch *patch, const tm_map *before,
                               tm_error *error)
{
    uint32_t group, index;
    renumbering joined = {.fits = true};
    tmi_borrowed loan;
    tm_grid tiles;
    *found = false;
    const tm_layer *layer = tm_map_physics_layer(&group, &index, before, TM_LAYER_TELE);
    if (!layer || group >= patch->match.side[TMI_BEFORE].num[TM_KIND_GROUP])
        return TM_OK;
    const uint32_t number = patch->match.side[TMI_BEFORE].first_layer[group] + index;
    const tmi_grid *grid = NULL; /* the change of its tiles, if it has the size of the map's layer BEFORE */
    for (size_t i = 0; i < patch->num && !grid; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type == TMI_DELTA_GRID && delta->list == TM_KIND_LAYER &&
            delta->number[TMI_BEFORE] == number && delta->field->flags & TM_FIELD_ELEMENTS &&
            patch->match.side[TMI_BEFORE].labels[TM_KIND_LAYER][number].kind == TM_LAYER_TELE &&
            delta->grid->width[TMI_BEFORE] == layer->as.tiles.width &&
            delta->grid->height[TMI_BEFORE] == layer->as.tiles.height)
            grid = delta->grid;
    }
    if (!grid)
        return TM_OK;
    TM_TRY(tmi_borrowed_grid(&loan, &tiles, before, layer, error));
    if (tiles.tiles)
        join_all_numbers(&joined, grid, tiles.tiles, (uint64_t)tiles.width * tiles.height);
    tmi_borrowed_close(&loan);
    *found = joined.fits;
    memcpy(numbers, joined.to, sizeof(joined.to));
    return TM_OK;
}

/*
 * Leaves tiles that do the same as before, apart from renumbered teleporters, out of the runs. Elements are
 * moved within their arrays.
 */
tm_status tmi_grid_keep_race(tm_patch *patch, tmi_grid *grid, tm_layer_kind kind, const uint8_t *numbers,
                             tm_error *error)
{
    const tmi_grid old = *grid;
    size_t room = 0;
    for (uint32_t r = 0; r < old.num_runs; r++)
        room += (old.runs[r].num + 1) / 2; /* a run is cut into so many parts at most */
    TM_TRY(tmi_patch_alloc(patch, &grid->runs, room, sizeof(*grid->runs), error));
    grid->num_runs = 0;
    grid->num = 0;
    for (uint32_t r = 0; r < old.num_runs; r++) {
        const tmi_grid_run *run = &old.runs[r];
        for (uint32_t i = 0, first = 0; i <= run->num; i++) {
            const size_t at = (size_t)(run->first + i) * grid->size;
            bool differs = false;
            if (i < run->num) {
                deed was = deed_of(kind, old.bytes[TMI_BEFORE] + at);
                const deed is = deed_of(kind, old.bytes[TMI_AFTER] + at);
                if (numbers && kind == TM_LAYER_TELE && is_teleporter((uint8_t)was.index) &&
                    numbers[was.number])
                    was.number = numbers[was.number];
                differs = !same_deed(&was, &is);
            }
            if (differs)
                continue;
            if (first < i)
                tmi_grid_append(grid, &old, run, first, i - first);
            first = i + 1;
        }
    }
    return tmi_grid_find_regions(patch, grid, error);
}
