/* SPDX-License-Identifier: Zlib */
/*
 * Mirrors and rotates whole maps, or chosen layers in place. Every transform is done in two steps: flip x and
 * y as needed, then perhaps exchange x and y.
 *
 * Whole maps: a point g of a group is drawn at g - (camera x parallax/100 + offset). Along a flipped axis the
 * content of a group becomes K - g, with the same K for all its layers. It follows:
 *
 *   K                        of the game group: size of the game layer
 *                            of a group with design tiles: size of its largest layer; smaller layers grow to
 *                            this size by repeating their edge, which the games do on the screen anyway
 *                            of other groups: the value that leaves the offset as it is
 *   offset                   K - world x parallax/100 - offset, to the nearest px
 *   clip (in the world)      world - position - size
 *   position envelopes       - value, and - rotation, tangents too
 *
 * Chosen layers turn as a brush of an editor does: tiles in the layer or in a part of it, quads and sources
 * about the middle of all of them. Envelopes stay as they are, since other layers may use them.
 *
 * Quads keep the order of their corners, so that colors, texture and the diagonal stay where they are.
 */
#include "edit_geometry.h"

typedef struct turning {
    tmi_edit *edit;
    tm_transform transform;
    bool flip[2];        /* x, y; before the exchange */
    bool exchange;       /* x and y, after the flips */
    uint32_t world[2];   /* size of the game layer, in tiles */
    uint32_t game_group; /* UINT32_MAX: none */
} turning;

/* The point about which elements turn. */
typedef struct element_turn {
    const turning *turn;
    int64_t sum[2]; /* twice the middle of each axis, in fx */
    int64_t apart;  /* after an exchange: added to x and subtracted from y */
} element_turn;

typedef struct group_turn {
    const turning *turn;
    bool is_game;
    uint32_t grown[2]; /* the size to which design layers grow, in tiles */
    element_turn elements;
} group_turn;

static turning turning_of(tmi_edit *edit, tm_transform transform)
{
    turning turn = {.edit = edit, .transform = transform};
    turn.exchange = (transform & TM_TRANSFORM_TURN_90) != 0;
    turn.flip[0] = (transform & TM_TRANSFORM_MIRROR_X) != 0;
    turn.flip[1] = ((transform & TM_TRANSFORM_MIRROR_Y) != 0) != turn.exchange;
    tm_map_area(&turn.world[0], &turn.world[1], edit->map);
    tm_map_physics_layer(&turn.game_group, NULL, edit->map, TM_LAYER_GAME);
    return turn;
}

static void exchange_ints(int32_t *a, int32_t *b)
{
    const int32_t old = *a;
    *a = *b;
    *b = old;
}

/* -------------------------------------------------------------------------------------------- elements */

static tm_status turn_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    const element_turn *elements = ctx;
    const turning *turn = elements->turn;
    for (size_t i = 0; i < num; i++) {
        const int64_t x = turn->flip[0] ? elements->sum[0] - points[i].x : points[i].x;
        const int64_t y = turn->flip[1] ? elements->sum[1] - points[i].y : points[i].y;
        TM_TRY(tmi_edit_put_int(&points[i].x, turn->exchange ? y + elements->apart : x, error));
        TM_TRY(tmi_edit_put_int(&points[i].y, turn->exchange ? x - elements->apart : y, error));
    }
    return TM_OK;
}

static tm_status turn_size(void *ctx, int32_t *width, int32_t *height, tm_error *error)
{
    const element_turn *elements = ctx;
    (void)error;
    if (elements->turn->exchange && height)
        exchange_ints(width, height);
    return TM_OK;
}

static const tmi_edit_movers element_turns = {turn_points, turn_size};

/* ----------------------------------------------------------------------------------------------- tiles */

typedef struct tile_turn {
    const turning *turn;
    tm_layer_kind kind;
    tm_rect part;      /* of the grid: what turns */
    uint32_t grown[2]; /* size to which the edges of this part are repeated, before the exchange */
} tile_turn;

static uint32_t at_least(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The tile of the old grid that goes to x, y of the turned part. */
static const uint8_t *tile_for(const tile_turn *tiles, const tm_grid *source, uint32_t x, uint32_t y)
{
    uint32_t at[2] = {tiles->turn->exchange ? y : x, tiles->turn->exchange ? x : y};
    const uint32_t size[2] = {tiles->part.width, tiles->part.height};
    for (int axis = 0; axis < 2; axis++) {
        at[axis] = tiles->turn->flip[axis] ? tiles->grown[axis] - 1 - at[axis] : at[axis];
        at[axis] = at[axis] < size[axis] ? at[axis] : size[axis] - 1;
    }
    return tmi_edit_tile(source, (size_t)tiles->part.x + at[0], (size_t)tiles->part.y + at[1]);
}

/* Turns tiles; most of them are all zero, and stay so. */
static void turn_grid(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    const tile_turn *tiles = ctx;
    const size_t size = target->tile_size;
    static const uint8_t air[sizeof(tm_speedup_tile)];
    const uint32_t width = tiles->grown[tiles->turn->exchange], height = tiles->grown[!tiles->turn->exchange];
    if (width < target->width || height < target->height) /* a part: the tiles around it stay */
        memcpy(target->tiles, source->tiles, source->height * source->row_stride);
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *out = tmi_edit_tile_of(target, (size_t)tiles->part.x, (size_t)tiles->part.y + y);
        for (uint32_t x = 0; x < width; x++, out += size) {
            tmi_copy_element(out, tile_for(tiles, source, x, y), size);
            if (!tmi_same_element(out, air, size))
                tm_game_turn_tile(tiles->kind, out, tiles->turn->transform);
        }
    }
}

/* Makes a grid of size[0] x size[1] tiles, before the exchange, from the turned tiles of the layer. */
static tm_status turn_tiles(tile_turn *tiles, tm_layer *layer, const uint32_t size[2], tm_error *error)
{
    const uint32_t turned[2] = {size[tiles->turn->exchange], size[!tiles->turn->exchange]};
    return tmi_map_regrid(tiles->turn->edit->map, layer, turned, turn_grid, tiles, error);
}

/* --------------------------------------------------------------------------------------------- groups */

static tm_status turn_layer_of_group(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    group_turn *groups = edit->ctx;
    const turning *turn = groups->turn;
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    if (!tm_game_layer(layer->kind)->is_tiles)
        return tmi_edit_each_element(edit, address, &element_turns, &groups->elements, error);
    const bool is_physics = tm_game_layer(layer->kind)->is_physics;
    if (is_physics)
        tmi_edit_set_played_size(edit, address, turn->world);
    tmi_edit_stop_automapper(edit, address, "do not turn with the map");
    const uint32_t size[2] = {layer->as.tiles.width, layer->as.tiles.height};
    tile_turn tiles = {turn, layer->kind, {0, 0, size[0], size[1]}, {size[0], size[1]}};
    for (int axis = 0; axis < 2; axis++)
        if (turn->flip[axis] && !is_physics)
            tiles.grown[axis] = at_least(size[axis], groups->grown[axis]);
    if (!size[0] || !size[1])
        return TM_OK;
    TM_TRY(turn_tiles(&tiles, layer, tiles.grown, error));
    if (layer->as.tiles.tiles)
        tmi_block_turn_home(layer->as.tiles.tiles, turn->transform);
    /* What an earlier turn has grown is as in the file again, if this one undoes that. */
    const bool grows = tiles.grown[0] != size[0] || tiles.grown[1] != size[1];
    return grows ? TM_OK : tmi_map_ungrow(edit->map, layer, error);
}

/* n / d rounded to the nearest integer, halves up. */
static int64_t divide_rounded(int64_t n, int64_t d)
{
    return tmi_floor_div(2 * n + d, 2 * d);
}

/* Flips one axis of a group's offset and clip, and finds the point about which its content is flipped. */
static void flip_axis(group_turn *groups, const tm_address *address, tm_group *group, int axis)
{
    tmi_edit *edit = groups->turn->edit;
    int32_t *offset = axis ? &group->offset_y : &group->offset_x,
            *clip = axis ? &group->clip_y : &group->clip_x;
    const int32_t parallax = axis ? group->parallax_y : group->parallax_x;
    const int32_t clip_size = axis ? group->clip_h : group->clip_w;
    const uint32_t tiles = tmi_edit_largest_tiles(group, axis);
    const int64_t world = (int64_t)groups->turn->world[axis] * TM_TILE_PX;
    groups->grown[axis] = groups->is_game ? groups->turn->world[axis] : tiles;
    if (groups->is_game) {
        groups->elements.sum[axis] = world * TM_FX;
        return;
    }
    if (tiles) {
        groups->elements.sum[axis] = (int64_t)tiles * TM_TILE_FX;
        tmi_edit_put_number(
            edit, address, axis ? "offset_y" : "offset_x", offset,
            divide_rounded(((int64_t)tiles * TM_TILE_PX - *offset) * 100 - world * parallax, 100));
    } else {
        groups->elements.sum[axis] =
            divide_rounded(world * parallax * TM_FX, 100) + (int64_t)*offset * 2 * TM_FX;
    }
    if (tmi_edit_clips(group))
        tmi_edit_put_number(edit, address, axis ? "clip_y" : "clip_x", clip, world - *clip - clip_size);
}

static tm_status turn_frame(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    group_turn *groups = edit->ctx;
    tm_group *group = &edit->map->groups[address->index];
    (void)error;
    *groups = (group_turn){.turn = groups->turn,
                           .is_game = address->index == groups->turn->game_group,
                           .elements = {.turn = groups->turn}};
    for (int axis = 0; axis < 2; axis++)
        if (groups->turn->flip[axis])
            flip_axis(groups, address, group, axis);
    if (groups->turn->exchange && !groups->is_game) {
        exchange_ints(&group->offset_x, &group->offset_y);
        exchange_ints(&group->parallax_x, &group->parallax_y);
        exchange_ints(&group->clip_x, &group->clip_y);
        exchange_ints(&group->clip_w, &group->clip_h);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- envelopes */

static tm_status negate(int32_t *value, tm_error *error)
{
    return tmi_edit_put_int(value, -(int64_t)*value, error);
}

enum { ROTATION = 2 }; /* the channel behind x and y */

static tm_status turn_channels(int32_t values[4], const turning *turn, tm_error *error)
{
    const bool reversed = (turn->flip[0] != turn->flip[1]) != turn->exchange;
    if (turn->flip[0])
        TM_TRY(negate(&values[0], error));
    if (turn->flip[1])
        TM_TRY(negate(&values[1], error));
    if (reversed)
        TM_TRY(negate(&values[ROTATION], error));
    if (turn->exchange)
        exchange_ints(&values[0], &values[1]);
    return TM_OK;
}

static tm_status turn_envelope_point(const void *ctx, tm_envelope_point *point, tm_error *error)
{
    const turning *turn = ctx;
    TM_TRY(turn_channels(point->values, turn, error));
    TM_TRY(turn_channels(point->in_dy, turn, error));
    TM_TRY(turn_channels(point->out_dy, turn, error));
    if (turn->exchange) {
        exchange_ints(&point->in_dx[0], &point->in_dx[1]);
        exchange_ints(&point->out_dx[0], &point->out_dx[1]);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ whole maps */

/* The bytes of all tile layers, now or once they are grown; what no limit allows need not be exact. */
static uint64_t bytes_of_tiles(const turning *turn, bool grows)
{
    const uint64_t most = UINT64_C(1) << 40;
    uint64_t bytes = 0;
    uint32_t grown[2] = {0, 0};
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(turn->edit->map, &walk)) {
        const tm_layer_info *info = tm_game_layer(walk.layer->kind);
        const tm_tile_layer *layer = &walk.layer->as.tiles;
        for (int axis = 0; walk.index == 0 && axis < 2; axis++) /* a new group */
            grown[axis] = !grows || !turn->flip[axis]
                              ? 0
                              : at_least(walk.group == turn->game_group ? turn->world[axis] : 0,
                                         tmi_edit_largest_tiles(&turn->edit->map->groups[walk.group], axis));
        if (!info->is_tiles || !layer->tiles)
            continue;
        const uint64_t width = at_least(layer->width, info->is_physics ? 0 : grown[0]);
        const uint64_t tiles = width * at_least(layer->height, info->is_physics ? 0 : grown[1]);
        bytes += (tiles < most ? tiles : most) * info->element_size;
    }
    return bytes;
}

/* ------------------------------------------------------------------------------------- layers in place */

/* The least and the greatest coordinates of the corners of all elements. */
typedef struct extent {
    int64_t least[2], most[2];
} extent;

static tm_status measure_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    extent *bounds = ctx;
    (void)error;
    for (size_t i = 0; i < num - (num > 1); i++) { /* without the pivot of a quad */
        const int32_t at[2] = {points[i].x, points[i].y};
        for (int axis = 0; axis < 2; axis++) {
            bounds->least[axis] = at[axis] < bounds->least[axis] ? at[axis] : bounds->least[axis];
            bounds->most[axis] = at[axis] > bounds->most[axis] ? at[axis] : bounds->most[axis];
        }
    }
    return TM_OK;
}

static tm_status turn_tiles_in_place(const turning *turn, tm_layer *layer, bool *done, tm_error *error)
{
    const bool is_part = turn->edit->value->width != 0;
    const uint32_t size[2] = {layer->as.tiles.width, layer->as.tiles.height};
    const tm_rect part = tmi_edit_part_of(turn->edit->value, size[0], size[1]);
    tile_turn tiles = {turn, layer->kind, part, {part.width, part.height}};
    *done = part.width > 0 && layer->as.tiles.tiles;
    if (!*done)
        return TM_OK;
    if (turn->exchange && part.width != part.height && (is_part || tm_game_layer(layer->kind)->is_physics))
        return tmi_fail(
            error, TM_ERROR_USAGE, -1,
            "%u x %u tiles cannot be turned in their place: only squares, and whole design layers",
            (unsigned)part.width, (unsigned)part.height);
    if (is_part)
        return tmi_map_regrid(turn->edit->map, layer, size, turn_grid, &tiles, error);
    TM_TRY(turn_tiles(&tiles, layer, size, error));
    tmi_block_turn_home(layer->as.tiles.tiles, turn->transform);
    return TM_OK;
}

static tm_status turn_in_place(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    static const tmi_edit_movers measures = {measure_points, NULL};
    const turning *turn = edit->ctx;
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    bool done = !edit->value->width; /* a part of a layer is one of tiles */
    if (tm_game_layer(layer->kind)->is_tiles) {
        TM_TRY(turn_tiles_in_place(turn, layer, &done, error));
    } else if (done) {
        extent bounds = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
        TM_TRY(tmi_edit_each_element(edit, address, &measures, &bounds, error));
        element_turn elements = {
            turn, {bounds.least[0] + bounds.most[0], bounds.least[1] + bounds.most[1]}, 0};
        elements.apart = tmi_edit_divide(elements.sum[0] - elements.sum[1], 2);
        TM_TRY(tmi_edit_each_element(edit, address, &element_turns, &elements, error));
    }
    if (done)
        tmi_edit_changed(edit, *address, 1, "turned");
    return TM_OK;
}

/* The operations mirror and rotate: a transform, and the optional argument LAYERS. */
tm_status tmi_edit_turn(tmi_edit *edit, tm_error *error)
{
    static const tm_transform mirrors[] = {TM_TRANSFORM_MIRROR_X, TM_TRANSFORM_MIRROR_Y},
                              turns[] = {TM_TRANSFORM_TURN_90, TM_TRANSFORM_TURN_180, TM_TRANSFORM_TURN_270};
    const bool mirrored = strcmp(edit->operation->name, "mirror") == 0;
    turning turn = turning_of(edit, (mirrored ? mirrors : turns)[edit->values[0].number]);
    if (edit->values[1].text)
        return tmi_edit_each(edit, TM_KIND_LAYER, turn_in_place, &turn, error);
    /* Layers are trimmed only if they would grow to very much: without it, turning back restores the map. */
    const uint64_t bytes = bytes_of_tiles(&turn, true), much = UINT64_C(256) << 20;
    if (tmi_map_check_room(edit->map, bytes, NULL) ||
        (bytes >= much && bytes / 2 >= bytes_of_tiles(&turn, false))) {
        TM_TRY(tmi_edit_each_of_map(edit, TM_KIND_LAYER, tmi_layer_trim, NULL, error));
        TM_TRY(tmi_map_check_room(edit->map, bytes_of_tiles(&turn, true), error));
    }
    /* A design layer that is larger than the game layer cannot be flipped in the game layer's group. */
    const bool has_game = turn.game_group != UINT32_MAX;
    bool larger = false;
    for (int axis = 0; axis < 2 && has_game; axis++)
        larger |= turn.flip[axis] &&
                  tmi_edit_largest_tiles(&edit->map->groups[turn.game_group], axis) > turn.world[axis];
    if (larger) {
        TM_TRY(tmi_edit_isolate(edit, error));
        turn = turning_of(edit, turn.transform);
    }
    group_turn groups = {.turn = &turn};
    TM_TRY(tmi_edit_each_mover(edit, turn_envelope_point, "turned", &turn, error));
    TM_TRY(tmi_edit_each_group(edit, turn_frame, turn_layer_of_group, "turned", &groups, error));
    if (turn.transform != TM_TRANSFORM_MIRROR_X && has_game)
        tmi_edit_report(edit, TM_FINDING_GRAVITY_NOT_ROTATED, tmi_whole_map,
                        "gravity still pulls down: the map plays differently now");
    return TM_OK;
}
