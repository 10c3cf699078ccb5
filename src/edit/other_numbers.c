/* SPDX-License-Identifier: Zlib */
/*
 * Numbers that connect tiles, when physics of another map are imported: which numbers the map already has,
 * the new numbers, and the settings that name them.
 */
#include "edit_other_map.h"

/* Which numbers there are, by pool. */
typedef struct number_marks {
    bool used[TMI_POOLS][TM_TILE_INDICES];
} number_marks;

static bool pool_is_ours(tm_tile_number pool)
{
    return pool > TM_NUMBER_NONE && (int)pool < TMI_POOLS;
}

tm_tile_number tmi_other_pool(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_number pool = tmi_tile_pool(kind, index);
    return pool_is_ours(pool) ? pool : TM_NUMBER_NONE;
}

/* Of the tiles in a rectangle, or `outside` of it. */
static tm_status mark_layer(number_marks *marks, const tm_map *map, const tm_layer *layer,
                            const tm_rect *part, bool outside, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_grid grid;
    if (!info->is_physics || info->number_at == TM_NONE)
        return TM_OK;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    for (uint32_t y = 0; grid.tiles && y < grid.height; y++)
        for (uint32_t x = 0; x < grid.width; x++) {
            const uint8_t *tile =
                (const uint8_t *)grid.tiles + y * grid.row_stride + (size_t)x * grid.tile_size;
            const tm_tile_number pool = tmi_other_pool(layer->kind, tile[info->index_at]);
            if (tmi_rect_has(part, x, y) != outside)
                marks->used[pool][tile[info->number_at]] = true;
        }
    return TM_OK;
}

/* Settings may name numbers that no tile has. */
static void mark_named_numbers(number_marks *marks, const tm_map *map)
{
    for (uint32_t i = 0; i < map->info.num_settings; i++) {
        tmi_setting_number found;
        size_t from = 0;
        while (map->info.settings[i] && tmi_setting_next(&found, map->info.settings[i], &from))
            if (pool_is_ours(found.pool) && found.number < TM_TILE_INDICES)
                marks->used[found.pool][found.number] = true;
    }
}

static const char *pool_name(tm_tile_number pool)
{
    static const char *const names[TMI_POOLS] = {
        [TM_NUMBER_NONE] = "number",           [TM_NUMBER_TELE] = "teleporter",
        [TM_NUMBER_CHECKPOINT] = "checkpoint", [TM_NUMBER_SWITCH] = "switch",
        [TM_NUMBER_ZONE] = "tuning zone",
    };
    return names[pool];
}

/* A number that both maps have becomes the smallest one that neither has. */
static tm_status give_numbers(tmi_other *other, tm_tile_number pool, const bool *ours, const bool *theirs,
                              tm_error *error)
{
    uint32_t next = 1, changed = 0;
    uint8_t *numbers = other->numbers[pool];
    for (uint32_t n = 1; n < TM_TILE_INDICES; n++) {
        if (!theirs[n])
            continue;
        numbers[n] = (uint8_t)n;
        if (!ours[n] || other->keeps_numbers)
            continue;
        while (next < TM_TILE_INDICES && (ours[next] || theirs[next]))
            next++;
        if (next == TM_TILE_INDICES)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "no number is left for %s %u of '%.60s'; with 'keep' it keeps its own",
                            pool_name(pool), (unsigned)n, other->name);
        numbers[n] = (uint8_t)next++;
        changed++;
    }
    if (changed)
        tmi_edit_changed(other->edit, tmi_edit_address(TM_ADDRESS_MAP, 0, 0), changed,
                         "numbers of '%.100s' that became others, of the kind %s: %u", other->name,
                         pool_name(pool), (unsigned)changed);
    return TM_OK;
}

tm_status tmi_other_choose_numbers(tmi_other *other, const tmi_other_area *area, tm_error *error)
{
    number_marks ours, theirs;
    tm_layer_walk at = {0};
    const tm_rect gone = {area->to_x, area->to_y, area->replaces ? area->from.width : 0, area->from.height};
    memset(&ours, 0, sizeof(ours));
    memset(&theirs, 0, sizeof(theirs));
    mark_named_numbers(&ours, other->map);
    while (tm_map_next_layer(other->map, &at))
        TM_TRY(mark_layer(&ours, other->map, at.layer, &gone, true, error));
    for (at = (tm_layer_walk){0}; tm_map_next_layer(other->from, &at);)
        if (tmi_other_chose(other, at.group, at.index))
            TM_TRY(mark_layer(&theirs, other->from, at.layer, &area->from, false, error));
    for (int pool = TM_NUMBER_NONE + 1; pool < TMI_POOLS; pool++)
        TM_TRY(give_numbers(other, (tm_tile_number)pool, ours.used[pool], theirs.used[pool], error));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ settings */

/* A command that names a number which comes, with the number that it has become; false: it names none. */
static bool rewrite_setting(char *out, size_t room, const tmi_other *other, const char *text)
{
    tmi_setting_number found;
    size_t from = 0, done = 0, length = 0;
    bool any = false;
    while (tmi_setting_next(&found, text, &from)) {
        if (!pool_is_ours(found.pool) || found.number >= TM_TILE_INDICES ||
            !other->numbers[found.pool][found.number])
            continue;
        length += tmi_format(out + length, room - length, "%.*s%u", (int)(found.at - done), text + done,
                             (unsigned)other->numbers[found.pool][found.number]);
        done = found.at + found.size;
        any = true;
    }
    tmi_format(out + length, room - length, "%s", text + done);
    return any;
}

static tm_status bring_setting(bool *added, tmi_other *other, const char *text, tm_error *error)
{
    const size_t room = strlen(text) * 3 + 1; /* a digit may become three */
    char *changed;
    TM_TRY(tmi_reserve(&changed, other->edit->scratch, room, 1, "setting", error));
    return strlen(text) < INT32_MAX && rewrite_setting(changed, room, other, text)
               ? tmi_settings_append(added, other->map, changed, error)
               : TM_OK;
}

tm_status tmi_other_settings(tmi_other *other, tm_error *error)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < other->from->info.num_settings; i++) {
        bool added = false;
        if (other->from->info.settings[i])
            TM_TRY(bring_setting(&added, other, other->from->info.settings[i], error));
        count += added;
    }
    if (count)
        tmi_edit_changed(other->edit, tmi_edit_address(TM_ADDRESS_SETTINGS, 0, 0), count,
                         "added from '%.100s', as they name numbers that came: %llu", other->name,
                         (unsigned long long)count);
    return TM_OK;
}
