/* SPDX-License-Identifier: Zlib */
/*
 * Mirroring and turning whole maps. Every transform is one of: flip x, flip y, then perhaps exchange x and y.
 *
 * A point g of a group is seen at g - (camera x parallax/100 + offset). Along a flipped axis the content of a
 * group becomes K - g, with one K for all its layers, and so
 *
 *   K                        game group: size of the game layer
 *                            with design tiles: size of the largest layer; smaller ones are grown to it by
 *                            repeating their edge, which the games do on the screen anyway
 *                            else: whatever leaves the offset as it is
 *   offset                   K - world x parallax/100 - offset, to the nearest px
 *   clip (in the world)      world - position - size
 *   position envelopes       - value, and - rotation, tangents too
 *
 * Quads keep the order of their corners, so that colors, texture and the diagonal stay where they are.
 */
#include "edit_geometry.h"

/* The transform, and the world that it is about. */
typedef struct turning {
    tmi_edit *edit;
    tm_map *map;
    tm_transform transform;
    bool flip[2];        /* x, y; before the exchange */
    bool exchange;       /* x and y, after the flips */
    uint32_t world[2];   /* tiles */
    uint32_t game_group; /* UINT32_MAX: none */
} turning;

/* One group: along each axis twice the middle, in fx, and the size to which design layers grow, in tiles. */
typedef struct group_turn {
    const turning *of;
    uint32_t group;
    bool is_game;
    int64_t sum[2];
    uint32_t grown[2];
} group_turn;

static turning turning_of(tmi_edit *edit, tm_transform transform)
{
    turning of = {.edit = edit, .map = edit->map, .transform = transform};
    of.exchange = (transform & TM_TRANSFORM_TURN_90) != 0;
    of.flip[0] = (transform & TM_TRANSFORM_MIRROR_X) != 0;
    of.flip[1] = ((transform & TM_TRANSFORM_MIRROR_Y) != 0) != of.exchange;
    tm_map_area(&of.world[0], &of.world[1], of.map);
    tm_map_physics_layer(&of.game_group, NULL, of.map, TM_LAYER_GAME);
    return of;
}

static void exchange_ints(int32_t *a, int32_t *b)
{
    const int32_t old = *a;
    *a = *b;
    *b = old;
}

/* --------------------------------------------------------------------------------------------- points */

static tm_status turn_point(tm_point *point, const group_turn *how, tm_error *error)
{
    if (how->of->flip[0])
        TM_TRY(tmi_edit_put_int(&point->x, how->sum[0] - point->x, error));
    if (how->of->flip[1])
        TM_TRY(tmi_edit_put_int(&point->y, how->sum[1] - point->y, error));
    if (how->of->exchange)
        exchange_ints(&point->x, &point->y);
    return TM_OK;
}

static tm_status turn_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(turn_point(&points[i], ctx, error));
    return TM_OK;
}

static tm_status turn_size(void *ctx, int32_t *width, int32_t *height, tm_error *error)
{
    const group_turn *how = ctx;
    (void)error;
    if (how->of->exchange && height)
        exchange_ints(width, height);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- tiles */

/* Tiles of a layer on their way from one grid to another. */
typedef struct tile_turn {
    tm_layer_kind kind;
    tm_grid from;
    uint32_t grown[2]; /* size of the grid, edges repeated, before the exchange */
    const turning *of;
} tile_turn;

static uint32_t at_least(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The tile that comes to x, y of the new grid. */
static const uint8_t *tile_for(const tile_turn *how, uint32_t x, uint32_t y)
{
    uint32_t at[2] = {how->of->exchange ? y : x, how->of->exchange ? x : y};
    const uint32_t size[2] = {how->from.width, how->from.height};
    for (int axis = 0; axis < 2; axis++) {
        at[axis] = how->of->flip[axis] ? how->grown[axis] - 1 - at[axis] : at[axis];
        at[axis] = at[axis] < size[axis] ? at[axis] : size[axis] - 1;
    }
    return (const uint8_t *)how->from.tiles + at[1] * how->from.row_stride +
           (size_t)at[0] * how->from.tile_size;
}

static void turn_grid(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    tile_turn *how = ctx;
    uint8_t *out = to->tiles;
    how->from = *from;
    const ptrdiff_t along = (ptrdiff_t)(how->of->exchange ? from->row_stride : from->tile_size);
    const bool grows = how->grown[0] != from->width || how->grown[1] != from->height;
    for (uint32_t y = 0; y < to->height; y++) {
        const tmi_edit_line line = {tile_for(how, 0, y), how->of->flip[how->of->exchange] ? -along : along,
                                    to->width, to->tile_size};
        if (!grows) {
            tmi_edit_turn_line(out, &line, how->kind, how->of->transform);
            out += to->row_stride;
            continue;
        }
        for (uint32_t x = 0; x < to->width; x++, out += to->tile_size) {
            memcpy(out, tile_for(how, x, y), to->tile_size);
            tm_game_turn_tile(how->kind, out, how->of->transform);
        }
    }
}

static tm_status turn_tiles(const group_turn *how, uint32_t layer, tm_error *error)
{
    tm_map *map = how->of->map;
    tm_layer *target = &map->groups[how->group].layers[layer];
    tm_automapper *automapper = &target->as.tiles.automapper;
    tile_turn tiles = {.kind = target->kind, .of = how->of};
    const bool is_physics = tm_game_layer(target->kind)->is_physics;
    if (is_physics)
        tmi_edit_take_played_size(how->of->edit, how->group, layer, how->of->world);
    if (automapper->present && automapper->automatic) {
        automapper->automatic = false;
        tmi_edit_find(how->of->edit, TM_FINDING_AUTOMAPPER_STOPPED,
                      tmi_edit_address(TM_ADDRESS_LAYER, how->group, layer),
                      "its automapper is not automatic any more: the rules do not turn with the map");
    }
    const uint32_t size[2] = {target->as.tiles.width, target->as.tiles.height};
    bool grows = false;
    for (int axis = 0; axis < 2; axis++) {
        tiles.grown[axis] =
            how->of->flip[axis] && !is_physics ? at_least(size[axis], how->grown[axis]) : size[axis];
        grows |= tiles.grown[axis] != size[axis];
    }
    if (!size[0] || !size[1])
        return TM_OK;
    const bool turned = how->of->exchange;
    const uint32_t grown[2] = {tiles.grown[turned], tiles.grown[!turned]};
    TM_TRY(tmi_map_regrid(map, target, grown, turn_grid, &tiles, error));
    if (target->as.tiles.tiles)
        tmi_block_turn_home(target->as.tiles.tiles, how->of->transform);
    /* what an earlier turn has grown is as in the file again, if this one undoes that */
    return grows ? TM_OK : tmi_map_ungrow(map, target, error);
}

/* --------------------------------------------------------------------------------------------- groups */

static tm_status turn_layer(group_turn *how, uint32_t layer, tm_error *error)
{
    static const tmi_edit_movers movers = {turn_points, turn_size};
    if (tm_game_layer(how->of->map->groups[how->group].layers[layer].kind)->is_tiles)
        return turn_tiles(how, layer, error);
    return tmi_edit_each_element(how->of->map, how->group, layer, &movers, how, error);
}

/* n / d to the nearest, halves up. */
static int64_t divide_rounded(int64_t n, int64_t d)
{
    return tmi_floor_div(2 * n + d, 2 * d);
}

/* What one flipped axis makes of a group's offset and clip, and about what its content is flipped. */
static tm_status flip_axis(group_turn *how, tm_group *group, int axis, tm_error *error)
{
    int32_t *offset = axis ? &group->offset_y : &group->offset_x,
            *clip = axis ? &group->clip_y : &group->clip_x;
    const int32_t parallax = axis ? group->parallax_y : group->parallax_x;
    const int32_t clip_size = axis ? group->clip_h : group->clip_w;
    const uint32_t tiles = tmi_edit_largest_tiles(group, axis);
    const int64_t world = (int64_t)how->of->world[axis] * TM_TILE_PX;
    how->grown[axis] = how->is_game ? how->of->world[axis] : tiles;
    if (how->is_game) {
        how->sum[axis] = world * TM_FX;
        return TM_OK;
    }
    if (tiles) {
        how->sum[axis] = (int64_t)tiles * TM_TILE_FX;
        TM_TRY(tmi_edit_put_int(
            offset, divide_rounded(((int64_t)tiles * TM_TILE_PX - *offset) * 100 - world * parallax, 100),
            error));
    } else {
        how->sum[axis] = divide_rounded(world * parallax * TM_FX, 100) + (int64_t)*offset * 2 * TM_FX;
    }
    return tmi_edit_clips(group) ? tmi_edit_put_int(clip, world - *clip - clip_size, error) : TM_OK;
}

static tm_status turn_frame(group_turn *how, tm_group *group, tm_error *error)
{
    for (int axis = 0; axis < 2; axis++)
        if (how->of->flip[axis])
            TM_TRY(flip_axis(how, group, axis, error));
    if (how->of->exchange && !how->is_game) {
        exchange_ints(&group->offset_x, &group->offset_y);
        exchange_ints(&group->parallax_x, &group->parallax_y);
        exchange_ints(&group->clip_x, &group->clip_y);
        exchange_ints(&group->clip_w, &group->clip_h);
    }
    return TM_OK;
}

static tm_status turn_group(const turning *of, uint32_t index, tm_error *error)
{
    group_turn how = {.of = of, .group = index, .is_game = index == of->game_group};
    tm_group *group = &of->map->groups[index];
    TM_TRY(tmi_fail_at_address(error, turn_frame(&how, group, error), of->map,
                               tmi_edit_address(TM_ADDRESS_GROUP, index, 0)));
    for (uint32_t i = 0; i < group->num_layers; i++)
        TM_TRY(tmi_fail_at_address(error, turn_layer(&how, i, error), of->map,
                                   tmi_edit_address(TM_ADDRESS_LAYER, index, i)));
    tmi_edit_changed(of->edit, tmi_edit_address(TM_ADDRESS_GROUP, index, 0), group->num_layers + 1u,
                     "turned");
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- envelopes */

static tm_status negate(int32_t *value, tm_error *error)
{
    return tmi_edit_put_int(value, -(int64_t)*value, error);
}

enum { ROTATION = 2 }; /* the channel behind x and y */

static tm_status turn_channels(int32_t values[4], const turning *of, tm_error *error)
{
    const bool reversed = (of->flip[0] != of->flip[1]) != of->exchange;
    if (of->flip[0])
        TM_TRY(negate(&values[0], error));
    if (of->flip[1])
        TM_TRY(negate(&values[1], error));
    if (reversed)
        TM_TRY(negate(&values[ROTATION], error));
    if (of->exchange)
        exchange_ints(&values[0], &values[1]);
    return TM_OK;
}

static tm_status turn_envelope(const void *ctx, uint32_t index, tm_error *error)
{
    const turning *of = ctx;
    tm_envelope *envelope = &of->map->envelopes[index];
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        tm_envelope_point *point = &envelope->points[i];
        TM_TRY(turn_channels(point->values, of, error));
        TM_TRY(turn_channels(point->in_dy, of, error));
        TM_TRY(turn_channels(point->out_dy, of, error));
        if (of->exchange) {
            exchange_ints(&point->in_dx[0], &point->in_dx[1]);
            exchange_ints(&point->out_dx[0], &point->out_dx[1]);
        }
    }
    if (envelope->num_points)
        tmi_edit_changed(of->edit, tmi_edit_address(TM_ADDRESS_ENVELOPE, index, 0), envelope->num_points,
                         "turned");
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ whole maps */

/* A design layer that is larger than the game layer cannot be flipped in the game layer's group. */
static bool needs_isolation(const turning *of)
{
    if (of->game_group == UINT32_MAX)
        return false;
    const tm_group *group = &of->map->groups[of->game_group];
    return (of->flip[0] && tmi_edit_largest_tiles(group, 0) > of->world[0]) ||
           (of->flip[1] && tmi_edit_largest_tiles(group, 1) > of->world[1]);
}

/* The bytes of a group's tile layers, now or once they are grown; what no limit allows need not be exact. */
static uint64_t bytes_of_group(const turning *of, uint32_t index, bool grows)
{
    const uint64_t most = UINT64_C(1) << 40;
    const tm_group *group = &of->map->groups[index];
    uint32_t grown[2] = {0, 0};
    uint64_t bytes = 0;
    for (int axis = 0; axis < 2; axis++)
        if (grows && of->flip[axis])
            grown[axis] =
                at_least(index == of->game_group ? of->world[axis] : 0, tmi_edit_largest_tiles(group, axis));
    for (uint32_t i = 0; i < group->num_layers; i++) {
        const tm_layer_info *info = tm_game_layer(group->layers[i].kind);
        const tm_tile_layer *layer = &group->layers[i].as.tiles;
        if (!info->is_tiles || !layer->tiles)
            continue;
        const uint64_t width = at_least(layer->width, info->is_physics ? 0 : grown[0]);
        const uint64_t tiles = width * at_least(layer->height, info->is_physics ? 0 : grown[1]);
        bytes += (tiles < most ? tiles : most) * info->element_size;
    }
    return bytes;
}

static uint64_t bytes_of_groups(const turning *of, bool grows)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < of->map->num_groups; i++)
        bytes += bytes_of_group(of, i, grows);
    return bytes;
}

/* Without trimming a map comes back as it was, so only layers that would grow to very much are trimmed. */
static tm_status trim_where_needed(const turning *of, tm_error *error)
{
    const uint64_t bytes = bytes_of_groups(of, true), much = UINT64_C(256) << 20;
    if (!tmi_map_check_room(of->map, bytes, NULL) && (bytes < much || bytes / 2 < bytes_of_groups(of, false)))
        return TM_OK;
    TM_TRY(tmi_edit_each_of_map(of->edit, TM_ADDRESS_LAYER, tmi_layer_trim, NULL, error));
    return tmi_map_check_room(of->map, bytes_of_groups(of, true), error);
}

static tm_status turn_map(tmi_edit *edit, tm_transform transform, tm_error *error)
{
    turning of = turning_of(edit, transform);
    TM_TRY(trim_where_needed(&of, error));
    if (needs_isolation(&of)) {
        bool done;
        TM_TRY(tmi_edit_isolate_group(edit, &done, error));
        of = turning_of(edit, transform);
    }
    TM_TRY(tmi_edit_each_mover(edit, turn_envelope, &of, error));
    for (uint32_t i = 0; i < of.map->num_groups; i++)
        TM_TRY(turn_group(&of, i, error));
    if (transform != TM_TRANSFORM_MIRROR_X && of.game_group != UINT32_MAX)
        tmi_edit_find(edit, TM_FINDING_GRAVITY_NOT_ROTATED, (tm_address){TM_ADDRESS_MAP, 0, 0},
                      "gravity still pulls down: the map plays differently now");
    return TM_OK;
}

tm_status tmi_edit_mirror(tmi_edit *edit, tm_error *error)
{
    static const tm_transform mirrors[] = {TM_TRANSFORM_MIRROR_X, TM_TRANSFORM_MIRROR_Y};
    const tm_transform transform = mirrors[edit->values[0].number];
    return edit->values[1].text ? tmi_edit_turn_layers(edit, transform, error)
                                : turn_map(edit, transform, error);
}

tm_status tmi_edit_rotate(tmi_edit *edit, tm_error *error)
{
    static const tm_transform turns[] = {TM_TRANSFORM_TURN_90, TM_TRANSFORM_TURN_180, TM_TRANSFORM_TURN_270};
    const tm_transform transform = turns[edit->values[0].number];
    return edit->values[1].text ? tmi_edit_turn_layers(edit, transform, error)
                                : turn_map(edit, transform, error);
}
