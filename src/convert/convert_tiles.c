/* SPDX-License-Identifier: Zlib */
/*
 * Converts tiles. Tiles of the game layer that the game does not know become air; tiles of the front layer
 * that Teeworlds knows move to the game layer before the front layer is removed. Also bytes that only loaders
 * read: DDNet 20.1 refuses tiles in which they are not zero, Teeworlds breaks on layers without tiles.
 */
#include "convert.h"
#include "../games/games.h"

/* -------------------------------------------------------------------------------- tiles of the game layer */

enum { MAX_SPAWNS = 64 }; /* of a kind; Teeworlds' servers write behind their array after that */

/* A layer with its tiles; none if there is no such layer. */
typedef struct played_layer {
    uint32_t group, index;
    const tm_tile *tiles;
    uint64_t num;
} played_layer;

/* For each index: how many tiles have it, how many are lost, and how many move from the front layer. */
typedef struct tile_plan {
    played_layer game, front;
    uint64_t found[TM_TILE_INDICES], lost[TM_TILE_INDICES], moved[TM_TILE_INDICES];
    uint64_t num_lost;
} tile_plan;

static tm_status find_played(played_layer *out, const tmi_convert *convert, tm_layer_kind kind,
                             tm_error *error)
{
    tm_grid grid;
    memset(out, 0, sizeof(*out));
    const tm_layer *layer = convert->from == TM_GAME_DDNET
                                ? tm_map_physics_layer(&out->group, &out->index, convert->map, kind)
                                : tm_map_find_layer(&out->group, &out->index, convert->map, kind);
    TM_TRY(tmi_fail_at_address(error, tm_map_tiles(&grid, convert->map, layer, error), convert->map,
                               (tm_address){TM_KIND_LAYER, out->group, out->index}));
    out->tiles = grid.tiles;
    out->num = grid.tiles ? (uint64_t)grid.width * grid.height : 0;
    return TM_OK;
}

/*
 * Reports the tiles that are lost or have moved, and those that had no effect and now have one: only the
 * author knows which is meant.
 */
static void report_tiles(tmi_convert *convert, const tile_plan *plan)
{
    const tm_address address = {TM_KIND_LAYER, plan->game.group, plan->game.index};
    const char *to_name = tm_game_name(convert->to);
    uint64_t num_new = 0;
    const tm_tile_info *first_new = NULL;
    unsigned kinds = 0;
    for (uint32_t i = 0; i < TM_TILE_INDICES; i++) {
        const tm_tile_info *before = tm_game_tile(convert->from, TM_LAYER_GAME, (uint8_t)i),
                           *after = tm_game_tile(convert->to, TM_LAYER_GAME, (uint8_t)i);
        if (plan->found[i] && !before && after) {
            num_new += plan->found[i];
            first_new = first_new ? first_new : after;
        }
        if (plan->lost[i] == 0)
            continue;
        kinds++;
        if (before && before->category == TM_CATEGORY_SPAWN && after)
            tmi_convert_lose_tiles(convert, address, plan->lost[i],
                                   "tile %u '%s': those after the %dth become air, since %s breaks on more",
                                   (unsigned)i, before->id, MAX_SPAWNS, to_name);
        else
            tmi_convert_lose_tiles(convert, address, plan->lost[i],
                                   "tile %u '%s' becomes air: %s has no such tile", (unsigned)i,
                                   before ? before->id : "?", to_name);
    }
    if (kinds)
        tmi_convert_report(convert, TM_FINDING_LOST_TILES, address,
                           "%llu tiles of %u kinds become air: %s does not have them",
                           (unsigned long long)plan->num_lost, kinds, to_name);
    for (uint32_t i = 0; i < TM_TILE_INDICES; i++)
        if (plan->moved[i])
            tmi_convert_changed(convert, (tm_address){TM_KIND_LAYER, plan->front.group, plan->front.index},
                                plan->moved[i], "tile %u '%s' moves to the game layer", (unsigned)i,
                                tm_game_tile(convert->to, TM_LAYER_GAME, (uint8_t)i)->id);
    if (num_new)
        tmi_convert_report(convert, TM_FINDING_PLAYS_DIFFERENTLY, address,
                           "%llu tiles that do nothing in %s do something in %s; %u is '%s'",
                           (unsigned long long)num_new, tm_game_name(convert->from), to_name,
                           (unsigned)first_new->index, first_new->id);
}

/* Maps the tiles of the game layer, which only counts as changed if one does. */
tm_status tmi_convert_game_tiles(tmi_convert *convert, tm_error *error)
{
    static const tm_tile air;
    tile_plan plan = {.num_lost = 0};
    tm_edit_grid writable = {.tiles = NULL};
    if (convert->from == convert->to || convert->options->keep_tiles)
        return TM_OK;
    TM_TRY(find_played(&plan.game, convert, TM_LAYER_GAME, error));
    if (!tmi_game_holds_layer(convert->to, TM_LAYER_FRONT))
        TM_TRY(find_played(&plan.front, convert, TM_LAYER_FRONT, error));
    for (uint64_t i = 0; i < plan.game.num; i++) {
        /* The front layer's tile is that at the same offset, as in DDNet, even if the widths differ. */
        const tm_tile old = plan.game.tiles[i], front = i < plan.front.num ? plan.front.tiles[i] : air;
        tm_tile tile = old;
        if (tm_game_tile(convert->from, TM_LAYER_GAME, old.index) &&
            !tm_game_tile(convert->to, TM_LAYER_GAME, old.index)) {
            plan.lost[old.index]++;
            plan.num_lost++;
            tile = air;
        }
        if (tile.index == TM_TILE_AIR && front.index != TM_TILE_AIR) {
            const tm_tile_info *counterpart = tm_game_tile(convert->to, TM_LAYER_GAME, front.index);
            if (counterpart && counterpart->category != TM_CATEGORY_AIR &&
                tm_game_tile(convert->from, TM_LAYER_FRONT, front.index)) {
                plan.moved[front.index]++;
                tile = front;
            }
        }
        plan.found[tile.index]++;
        const tm_tile_info *info = tm_game_tile(convert->to, TM_LAYER_GAME, tile.index);
        if (info && info->category == TM_CATEGORY_SPAWN && plan.found[tile.index] > MAX_SPAWNS) {
            plan.lost[tile.index]++;
            plan.num_lost++;
            tile = air;
        }
        if (tmi_same_element(&tile, &old, sizeof(tile)))
            continue;
        if (!writable.tiles)
            TM_TRY(tm_map_edit_tiles(&writable, convert->map, plan.game.group, plan.game.index, error));
        plan.game.tiles = writable.tiles;
        ((tm_tile *)writable.tiles)[i] = tile;
    }
    report_tiles(convert, &plan);
    return TM_OK;
}

/* -------------------------------------------------------------------------------- bytes nobody plays with */

static tm_status clear_layer(tmi_convert *convert, uint32_t group, uint32_t index, tm_error *error)
{
    tm_grid grid;
    tm_edit_grid writable;
    uint8_t tile[sizeof(tm_speedup_tile)];
    uint64_t count = 0; /* tiles that have a byte which all games ignore and which is not zero */
    const tm_address address = {TM_KIND_LAYER, group, index};
    const tm_layer *layer = &convert->map->groups[group].layers[index];
    TM_TRY(tm_map_tiles(&grid, convert->map, layer, error));
    const uint64_t num = (uint64_t)grid.width * grid.height;
    if (!grid.tiles) {
        if (!num || !tmi_take_air(&convert->air, num, grid.tile_size))
            return TM_OK; /* what a file only claims is not filled */
        tmi_convert_changed(convert, address, num, "the layer had no tiles, it gets empty ones");
        return tm_map_edit_tiles(&writable, convert->map, group, index, error);
    }
    for (uint64_t i = 0; i < num; i++) {
        memcpy(tile, (const uint8_t *)grid.tiles + i * grid.tile_size, grid.tile_size);
        count += tmi_tile_zero_padding(layer->kind, tile);
    }
    /* Whether the file has fewer bytes than the layer needs, so that the block was extended in memory. */
    const tm_block *block = layer->as.tiles.tiles;
    const bool as_in_file =
        block->view == TMI_ENCODING_BYTES || (block->view != TMI_ENCODING_RUNS && tmi_little_endian());
    const bool filled = block->origin && !block->changed && as_in_file && !block->shares;
    if (count == 0 && !filled) {
        tmi_map_drop_data(convert->map, layer->as.tiles.tiles);
        return TM_OK;
    }
    if (filled)
        tmi_convert_changed(convert, address, 1, "the file has too few tiles: empty ones are added");
    if (count && convert->to == TM_GAME_TEEWORLDS07)
        tmi_convert_lose_part(convert, TM_PART_SKIP_BYTES, address, count);
    else if (count)
        tmi_convert_changed(convert, address, count, "bytes of tiles that no game uses are now 0");
    TM_TRY(tm_map_edit_tiles(&writable, convert->map, group, index, error));
    for (uint64_t i = 0; i < num && count; i++)
        tmi_tile_zero_padding(layer->kind, (uint8_t *)writable.tiles + i * writable.tile_size);
    return TM_OK;
}

/* Fills the array that stands for a layer in Teeworlds, which draws it, and breaks if it is too short. */
static tm_status make_dummy(tmi_convert *convert, uint32_t group, uint32_t index, tm_error *error)
{
    tm_tile_layer *tiles = &convert->map->groups[group].layers[index].as.tiles;
    const uint64_t size = (uint64_t)tiles->width * tiles->height * sizeof(tm_tile);
    const tm_address address = {TM_KIND_LAYER, group, index};
    tm_block *block;
    bool right = size == 0;
    if (tiles->compat && !right) {
        tmi_borrowed loan;
        TM_TRY(tmi_borrowed_open(&loan, convert->map, tiles->compat, error));
        right = loan.size == size && tmi_all_zero(loan.bytes, (size_t)loan.size);
        tmi_borrowed_close(&loan);
    }
    if (right)
        return TM_OK;
    TM_TRY(tmi_block_new(&block, convert->map, TMI_ENCODING_BYTES, NULL, size, error));
    tmi_convert_changed(convert, address, 1,
                        "the tiles for Teeworlds are now as many as there should be, all 0");
    tmi_block_put(convert->map, &tiles->compat, block);
    return TM_OK;
}

/* Removes a block without bytes, which DDNet 20.1 cannot fetch; saving writes a valid one in its place. */
static void drop_empty_block(tmi_convert *convert, tm_address address, tm_block **block)
{
    if (!*block || tm_block_get_info(*block).size)
        return;
    tmi_convert_changed(convert, address, 1, "an empty data block is left out");
    tmi_block_put(convert->map, block, NULL);
}

tm_status tmi_convert_data(tmi_convert *convert, tm_error *error)
{
    tm_map *map = convert->map;
    tm_layer_walk walk = {0};
    for (uint32_t i = 0; i < map->num_images; i++)
        drop_empty_block(convert, (tm_address){TM_KIND_IMAGE, i, 0}, &map->images[i].pixels);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        drop_empty_block(convert, (tm_address){TM_KIND_SOUND, i, 0}, &map->sounds[i].data);
    while (tm_map_next_layer(map, &walk)) {
        tm_layer *layer = &map->groups[walk.group].layers[walk.index];
        const tm_address address = {TM_KIND_LAYER, walk.group, walk.index};
        if (layer->kind == TM_LAYER_QUADS)
            drop_empty_block(convert, address, &layer->as.quads.quads);
        else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
            drop_empty_block(convert, address, &layer->as.sounds.sources);
    }
    walk = (tm_layer_walk){0};
    while (tm_map_next_layer(map, &walk)) {
        const tm_layer_info *info = tm_game_layer(walk.layer->kind);
        tm_status status = TM_OK;
        if (tmi_cancelled(convert->options->cancel))
            return tmi_fail(error, TM_ERROR_CANCELLED, -1, "the conversion was cancelled");
        if (info->is_tiles)
            status = clear_layer(convert, walk.group, walk.index, error);
        if (!status && info->is_physics && walk.layer->kind != TM_LAYER_GAME)
            status = make_dummy(convert, walk.group, walk.index, error);
        TM_TRY(tmi_fail_at_address(error, status, map, (tm_address){TM_KIND_LAYER, walk.group, walk.index}));
    }
    return TM_OK;
}
