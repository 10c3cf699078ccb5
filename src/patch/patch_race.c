/* SPDX-License-Identifier: Zlib */
/*
 * What of a patch changes the race: tiles that act, server commands, physics layers and their sizes. Tiles
 * count by what they do (tm_game_tile): flags, numbers and delays count only where the tile has a use for
 * them. An index that no game knows counts as itself, since mods have tiles of their own. Decoration, names
 * and order do not count.
 */
#include "patch.h"

/* What a tile does, in numbers; zero: nothing. */
typedef struct deed {
    int32_t index, number, flags, delay;
} deed;

/* As DDNet knows it, which knows what the others do; else as any game does. */
static const tm_tile_info *rule_of(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *info = index ? tm_game_tile(TM_GAME_DDNET, kind, index) : NULL;
    for (int game = 0; index && !info && game < TM_GAME_COUNT; game++)
        info = tm_game_tile((tm_game)game, kind, index);
    return info;
}

/*
 * An index that no game knows counts as itself; one that does something in game or front layers only does
 * nothing in the other.
 */
static uint8_t unknown_index(tm_layer_kind kind, uint8_t index)
{
    const tm_layer_kind other = kind == TM_LAYER_FRONT ? TM_LAYER_GAME : TM_LAYER_FRONT;
    return rule_of(other, index) ? 0 : index;
}

static bool turns(const tm_tile_info *info)
{
    return info->turn == TM_TURN_ARROW || info->turn == TM_TURN_SHOT;
}

static deed deed_of_tile(tm_layer_kind kind, const void *bytes)
{
    tm_tile tile;
    memcpy(&tile, bytes, sizeof(tile));
    const tm_tile_info *info = rule_of(kind, tile.index);
    return info ? (deed){tile.index, 0, turns(info) ? tile.flags : 0, 0}
                : (deed){unknown_index(kind, tile.index), 0, 0, 0};
}

static deed deed_of_tele(tm_layer_kind kind, const void *bytes)
{
    tm_tele_tile tile;
    memcpy(&tile, bytes, sizeof(tile));
    const tm_tile_info *info = rule_of(kind, tile.type);
    return (deed){tile.type, info && info->number ? tile.number : 0, 0, 0};
}

static deed deed_of_speedup(tm_layer_kind kind, const void *bytes)
{
    tm_speedup_tile tile;
    memcpy(&tile, bytes, sizeof(tile));
    const bool acts = rule_of(kind, tile.type) && tile.force;
    return acts ? (deed){tile.type, tile.force, tile.angle, tile.max_speed} : (deed){0, 0, 0, 0};
}

static deed deed_of_switch(tm_layer_kind kind, const void *bytes)
{
    tm_switch_tile tile;
    memcpy(&tile, bytes, sizeof(tile));
    const tm_tile_info *info = rule_of(kind, tile.type);
    if (!info)
        return (deed){tile.type, 0, 0, 0};
    return (deed){tile.type, info->number ? tile.number : 0, info->keeps_flags ? tile.flags : 0,
                  info->delay ? tile.delay : 0};
}

static deed deed_of_tune(tm_layer_kind kind, const void *bytes)
{
    tm_tune_tile tile;
    memcpy(&tile, bytes, sizeof(tile));
    return (deed){tile.type, rule_of(kind, tile.type) ? tile.number : 0, 0, 0};
}

typedef deed deed_function(tm_layer_kind kind, const void *bytes);

static deed_function *deeds_of(tm_layer_kind kind)
{
    switch (tm_owner_of_elements(kind)) {
    case TM_OWNER_TILE: return deed_of_tile;
    case TM_OWNER_TELE_TILE: return deed_of_tele;
    case TM_OWNER_SPEEDUP_TILE: return deed_of_speedup;
    case TM_OWNER_SWITCH_TILE: return deed_of_switch;
    case TM_OWNER_TUNE_TILE: return deed_of_tune;
    default: return NULL;
    }
}

static bool same_deed(const deed *a, const deed *b)
{
    return a->index == b->index && a->number == b->number && a->flags == b->flags && a->delay == b->delay;
}

/* ------------------------------------------------------------------------------------------------ changes */

/* A layer that came or went counts if anything in it acts. */
static tm_status layer_acts(bool *acts, const tm_patch *patch, const tm_layer *layer, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    deed_function *deed_of = deeds_of(layer->kind);
    const void *bytes;
    uint64_t size;
    static const deed nothing;
    *acts = layer->kind == TM_LAYER_GAME;
    if (!info->is_physics || !deed_of || *acts)
        return TM_OK;
    TM_TRY(tm_map_data(&bytes, &size, patch->home, layer->as.tiles.tiles, error));
    for (uint64_t at = 0; !*acts && size - at >= info->element_size; at += info->element_size) {
        const deed own = deed_of(layer->kind, (const char *)bytes + at);
        *acts = !same_deed(&own, &nothing);
    }
    tm_map_drop_data(patch->home, layer->as.tiles.tiles);
    return TM_OK;
}

static tm_layer_kind kind_of_delta(const tm_patch *patch, const tmi_delta *delta)
{
    const int side = delta->number[TMI_BEFORE] != TMI_NOWHERE ? TMI_BEFORE : TMI_AFTER;
    return (tm_layer_kind)patch->match.side[side].labels[TMI_LAYERS][delta->number[side]].kind;
}

/* Games pass over a line without a command. */
static bool is_comment(const char *text)
{
    while (text && (*text == ' ' || *text == '\t'))
        text++;
    return !text || *text == '#' || !*text;
}

tm_status tmi_delta_in_race(bool *acts, const tm_patch *patch, const tmi_delta *delta, tm_error *error)
{
    const int side = delta->content[TMI_BEFORE] ? TMI_BEFORE : TMI_AFTER;
    *acts = delta->type == TMI_DELTA_SETTING &&
            !(is_comment(delta->bytes[TMI_BEFORE]) && is_comment(delta->bytes[TMI_AFTER]));
    if (delta->list != TMI_LAYERS || *acts)
        return TM_OK;
    if (delta->type == TMI_DELTA_OBJECT)
        return delta->content[side] ? layer_acts(acts, patch, delta->content[side], error) : TM_OK;
    const bool tiles = delta->field && delta->field->flags & TM_FIELD_ELEMENTS;
    *acts = tiles && tm_game_layer(kind_of_delta(patch, delta))->is_physics &&
            (delta->type == TMI_DELTA_GRID || delta->type == TMI_DELTA_DATA);
    return TM_OK;
}

static deed renumbered(deed of, tm_layer_kind kind, const uint8_t *numbers)
{
    if (numbers && kind == TM_LAYER_TELE && tmi_is_teleporter((uint8_t)of.index) && numbers[of.number])
        of.number = numbers[of.number];
    return of;
}

/* Runs are cut where tiles do the same as before; elements move down in place. */
tm_status tmi_grid_keep_race(tm_patch *patch, tmi_grid *grid, tm_layer_kind kind, const uint8_t *numbers,
                             tm_error *error)
{
    const tmi_grid all = *grid;
    deed_function *deed_of = deeds_of(kind);
    size_t room = 0;
    for (uint32_t r = 0; r < all.num_runs; r++)
        room += (all.runs[r].num + 1) / 2; /* the most pieces that a run can fall into */
    TM_TRY(tmi_patch_alloc(patch, &grid->runs, room, sizeof(*grid->runs), error));
    grid->num_runs = 0;
    grid->num = 0;
    for (uint32_t r = 0; r < all.num_runs; r++) {
        bool going = false;
        for (uint32_t i = 0; i < all.runs[r].num; i++) {
            const size_t from = (size_t)(all.runs[r].first + i) * grid->size;
            const deed before = renumbered(deed_of(kind, all.bytes[TMI_BEFORE] + from), kind, numbers);
            const deed after = deed_of(kind, all.bytes[TMI_AFTER] + from);
            if (same_deed(&before, &after)) {
                going = false;
                continue;
            }
            if (!going)
                grid->runs[grid->num_runs++] =
                    (tmi_grid_run){all.runs[r].x + (int32_t)i, all.runs[r].y, 0, grid->num};
            going = true;
            grid->runs[grid->num_runs - 1].num++;
            for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
                memmove(grid->bytes[side] + (size_t)grid->num * grid->size, all.bytes[side] + from,
                        grid->size);
            grid->num++;
        }
    }
    return tmi_grid_find_regions(patch, grid, error);
}
