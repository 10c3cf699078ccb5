/* SPDX-License-Identifier: Zlib */
/*
 * Operations that tidy physics: flags without a meaning or with a simpler form, old speedups, bytes that no
 * game reads, and physics layers that a map has twice.
 */
#include "edit_tiles.h"

#include <teemap/tiles.h>

enum {
    DIRECTION = TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE,
    UP = 0,
    RIGHT = TM_TILE_ROTATE,
    DOWN = TM_TILE_FLIP_X | TM_TILE_FLIP_Y,
    LEFT = DIRECTION
};

/* Tiles that a step reports apart, with their words: "1 WHAT HOW", "2 WHATs HOW". */
typedef struct tile_case {
    const char *pattern, *thing, *explanation;
} tile_case;

static tm_status report_tiles(tmi_edit *edit, tm_finding_id id, const char *subject, const tile_case cases[3],
                              const tmi_edit_value *layers, tm_error *error)
{
    tmi_tile_places places;
    tmi_line line = {.length = 0};
    for (int i = 0; i < 3; i++) {
        uint64_t num = 0;
        TM_TRY(tmi_tile_places_find(&places, edit, cases[i].pattern, layers, error));
        for (size_t k = 0; k < places.num; k++)
            num += (uint64_t)places.list[k].rect.width * places.list[k].rect.height;
        if (num)
            tmi_line_add(&line, "%s%llu %s%s %s", line.length ? ", " : "", (unsigned long long)num,
                         cases[i].thing, num == 1 ? "" : "s", cases[i].explanation);
    }
    if (line.length)
        tmi_edit_report(edit, id, tmi_whole_map, "%s: %s", subject, line.text);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- normalize */

/* The simplest flags with the same effect. `stoppers`: also changes stoppers, which then look as they act. */
static uint8_t straight_flags(tm_layer_kind kind, uint8_t index, uint8_t flags, bool stoppers)
{
    /* Of a stopper, without mirroring: a mirrored one blocks as the first of each pair does. */
    static const uint8_t straight[DIRECTION + 1] = {
        [TM_TILE_FLIP_X] = UP,
        [TM_TILE_FLIP_Y] = DOWN,
        [DOWN] = DOWN,
        [RIGHT] = RIGHT,
        [TM_TILE_ROTATE | TM_TILE_FLIP_X] = RIGHT,
        [TM_TILE_ROTATE | TM_TILE_FLIP_Y] = LEFT,
        [LEFT] = LEFT,
    };
    const tm_tile_info *info = tm_game_tile(TM_GAME_DDNET, kind, index);
    if (!info)
        return flags;
    switch (info->turn) {
    case TM_TURN_PICTURE: return flags & DIRECTION;
    case TM_TURN_SHOT: return flags == UP || flags == RIGHT || flags == DOWN ? flags : LEFT;
    case TM_TURN_ARROW:
        if (index == TM_TILE_STOPPER_TWO_WAY)
            return flags & TM_TILE_ROTATE;
        return index == TM_TILE_STOPPER && stoppers ? straight[flags & DIRECTION] : flags;
    default: return 0;
    }
}

static void straighten_tile(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    const tm_layer_info *info = tm_game_layer(kind);
    tile[info->flags_at] =
        straight_flags(kind, tile[info->index_at], tile[info->flags_at], *(const bool *)ctx);
}

tm_status tmi_edit_normalize(tmi_edit *edit, tm_error *error)
{
    static const tile_case kept[3] = {
        {"game,front/stopper:!flags=0,3,8,11", "one-way stopper", "('normalize stoppers' takes them)"},
        {"game/mover-*:!flags=0,3,8,11", "mover", "that brakes"},
        {"game,front/through-direction:!flags=0,3,8,11", "hook-through", "without effect"}};
    const bool stoppers = edit->values[0].text;
    const tmi_tile_changer changer = {straighten_tile, &stoppers, "with straight flags"};
    TM_TRY(tmi_tiles_change(edit, "game,front,switch/flags=1..255", NULL, &changer, error));
    return report_tiles(edit, TM_FINDING_TURNED_TILES, "mirrored tiles stay, as straight ones play otherwise",
                        kept, NULL, error);
}

/* ----------------------------------------------------------------------------------------- old speedups */

static void renew_speedup(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    (void)ctx;
    (void)kind;
    tile[offsetof(tm_speedup_tile, type)] = TM_TILE_SPEEDUP;
}

tm_status tmi_edit_migrate_speedups(tmi_edit *edit, tm_error *error)
{
    static const tile_case differing[3] = {
        {"speedup/speedup-old:max=0:!force=0", "speedup", "without a highest speed (now that of tees)"},
        {"speedup/speedup-old:force=255:max=1..", "speedup", "that set the speed at once (now a push)"},
        {"speedup/speedup-old:force=1..254:max=1..", "speedup", "that braked faster tees (no longer)"}};
    const tmi_edit_value *layers = &edit->values[0];
    const tmi_tile_changer changer = {renew_speedup, NULL, "work by the new formula"};
    TM_TRY(report_tiles(edit, TM_FINDING_SPEEDUPS_DIFFER, "these play differently now", differing, layers,
                        error));
    return tmi_tiles_change(edit, "speedup/speedup-old", layers, &changer, error);
}

/* ------------------------------------------------------------------------------------------- zero unused */

static void zero_tile(const void *ctx, tm_layer_kind kind, uint8_t *bytes)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const bool design = kind == TM_LAYER_TILES;
    const uint8_t index = bytes[info->index_at];
    /* Games compare all bits of the flags of these. */
    const bool all_bits = index == TM_TILE_STOPPER || index == TM_TILE_MOVER_SLOW ||
                          index == TM_TILE_MOVER_FAST || index == TM_TILE_THROUGH_DIRECTION ||
                          index == TM_TILE_CRAZY_SHOTGUN || index == TM_TILE_CRAZY_SHOTGUN_EXPLOSIVE;
    (void)ctx;
    tmi_tile_zero_padding(kind, bytes);
    if (info->flags_at == TM_NONE)
        return;
    if (kind != TM_LAYER_SWITCH && index == TM_TILE_AIR)
        bytes[info->flags_at] = 0;
    else if (design || !all_bits)
        bytes[info->flags_at] &= design ? DIRECTION | TM_TILE_OPAQUE : DIRECTION;
}

/* Empties the array that DDNet writes for Teeworlds in front of other physics; a damaged one stays. */
static tm_status zero_compat(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_layer *layer = tmi_edit_layer_at(edit, address);
    const void *bytes;
    void *writable;
    uint64_t size, count = 0;
    if (!tm_game_layer(layer->kind)->is_physics || !layer->as.tiles.compat)
        return TM_OK;
    tm_block *compat = layer->as.tiles.compat;
    const tm_status status = tm_map_data(&bytes, &size, edit->map, compat, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    for (uint64_t i = 0; i < size; i++)
        count += ((const uint8_t *)bytes)[i] != 0;
    if (!count) {
        tmi_map_drop_data(edit->map, compat);
        return TM_OK;
    }
    TM_TRY(tm_map_edit_data(&writable, &size, edit->map, compat, error));
    memset(writable, 0, (size_t)size);
    tmi_edit_changed(edit, *address, count, "%llu bytes of the array for Teeworlds zeroed",
                     (unsigned long long)count);
    return TM_OK;
}

tm_status tmi_edit_zero_unused(tmi_edit *edit, tm_error *error)
{
    const tmi_edit_value *layers = &edit->values[0];
    const tmi_tile_changer changer = {zero_tile, NULL, "with unused bytes zeroed"};
    TM_TRY(tmi_tiles_change(edit, "tiles,game,front,switch,speedup/0..255", layers, &changer, error));
    return layers->text ? TM_OK : tmi_edit_each_of_map(edit, TM_KIND_LAYER, zero_compat, NULL, error);
}

/* ----------------------------------------------------------------------------------------- join physics */

static bool tile_plays(tm_layer_kind kind, const uint8_t *tile)
{
    return kind == TM_LAYER_SPEEDUP ? tile[offsetof(tm_speedup_tile, force)]
                                    : tile[tm_game_layer(kind)->index_at];
}

/* Copies tiles of one layer into another, where that has none. */
static tm_status merge_layer(tmi_edit *edit, tm_address source_address, tm_address target_address,
                             tm_error *error)
{
    const tm_layer *source = &edit->map->groups[source_address.index].layers[source_address.layer];
    const tm_layer_kind kind = source->kind;
    tm_grid grid, old;
    tm_edit_grid tiles = {0};
    uint64_t count = 0;
    TM_TRY(tm_map_tiles(&grid, edit->map, source, error));
    TM_TRY(tm_map_tiles(&old, edit->map,
                        &edit->map->groups[target_address.index].layers[target_address.layer], error));
    for (uint32_t y = 0; grid.tiles && old.tiles && y < grid.height && y < old.height; y++)
        for (uint32_t x = 0; x < grid.width && x < old.width; x++) {
            const uint8_t *tile = tmi_edit_tile(&grid, x, y);
            const size_t at = y * old.row_stride + (size_t)x * old.tile_size;
            if (!tile_plays(kind, tile) ||
                tile_plays(kind, (const uint8_t *)(tiles.tiles ? tiles.tiles : old.tiles) + at))
                continue;
            if (!tiles.tiles)
                TM_TRY(
                    tm_map_edit_tiles(&tiles, edit->map, target_address.index, target_address.layer, error));
            memcpy((uint8_t *)tiles.tiles + at, tile, grid.tile_size);
            count++;
        }
    if (!count)
        return TM_OK;
    tmi_edit_changed(edit, target_address, count, "%llu tiles of another %s layer", (unsigned long long)count,
                     tm_game_layer(kind)->name);
    tmi_edit_report(edit, TM_FINDING_TILES_PLAY, target_address,
                    "%llu tiles play now that did not: DDNet plays the last %s layer alone",
                    (unsigned long long)count, tm_game_layer(kind)->name);
    return TM_OK;
}

/* Finds a layer of a kind that is not the one games play; false: there is none. */
static bool find_double(const tm_map *map, tm_layer_kind kind, tm_address *out, tm_address *playing)
{
    uint32_t group, index;
    tm_layer_walk walk = {0};
    if (!tm_map_physics_layer(&group, &index, map, kind))
        return false;
    *playing = tmi_edit_address(TM_KIND_LAYER, group, index);
    while (tm_map_next_layer(map, &walk))
        if (walk.layer->kind == kind && (walk.group != group || walk.index != index)) {
            *out = tmi_edit_address(TM_KIND_LAYER, walk.group, walk.index);
            return true;
        }
    return false;
}

tm_status tmi_join_physics(tmi_edit *edit, tm_error *error)
{
    const bool drop = edit->values[0].text && edit->values[0].number == 1;
    for (int kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        tm_address other, playing;
        while (find_double(edit->map, (tm_layer_kind)kind, &other, &playing)) {
            if (!drop)
                TM_TRY(
                    tmi_fail_at_address(error, merge_layer(edit, other, playing, error), edit->map, other));
            tmi_edit_changed(edit, other, 1, "removed: the last %s layer is the one that plays",
                             tm_game_layer((tm_layer_kind)kind)->name);
            TM_TRY(tm_map_remove_layer(edit->map, other.index, other.layer, error));
        }
    }
    return TM_OK;
}
