/* SPDX-License-Identifier: Zlib */
/*
 * Mirroring and turning chosen layers, each in its own place, as a brush of an editor does: tiles in the
 * layer or in a part of it, quads and sources about the middle of all of them. Tiles turn with their meaning,
 * as when the whole map is turned; envelopes stay as they are, since others may use them.
 */
#include "edit_geometry.h"

typedef struct layer_turn {
    tm_layer_kind kind;
    tm_transform transform;
    bool flip[2], exchange; /* flips first */
    tm_rect part;
    int64_t least[2], most[2]; /* of the elements' corners; least > most: none */
} layer_turn;

/* -------------------------------------------------------------------------------------------------- tiles */

static void turn_part(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    const layer_turn *how = ctx;
    const tm_rect *part = &how->part;
    const size_t size = from->tile_size;
    const uint32_t sides[2] = {part->width, part->height};
    const uint32_t new_width = sides[how->exchange], new_height = sides[!how->exchange];
    if (from->width == to->width && from->height == to->height)
        memcpy(to->tiles, from->tiles, from->height * from->row_stride);
    for (uint32_t y = 0; y < new_height; y++) {
        uint32_t at[2] = {how->exchange ? y : 0, how->exchange ? 0 : y};
        for (int axis = 0; axis < 2; axis++)
            at[axis] = how->flip[axis] ? sides[axis] - 1 - at[axis] : at[axis];
        const ptrdiff_t along = (ptrdiff_t)(how->exchange ? from->row_stride : size);
        const uint8_t *tile = (const uint8_t *)from->tiles + ((size_t)part->y + at[1]) * from->row_stride +
                              ((size_t)part->x + at[0]) * size;
        uint8_t *out = (uint8_t *)to->tiles + ((size_t)part->y + y) * to->row_stride + (size_t)part->x * size;
        const tmi_edit_line line = {tile, how->flip[how->exchange] ? -along : along, new_width, size};
        tmi_edit_turn_line(out, &line, how->kind, how->transform);
    }
}

static tm_status turn_layer_tiles(tmi_edit *edit, layer_turn *how, const tm_address *at, bool *done,
                                  tm_error *error)
{
    const tmi_edit_value *value = edit->value;
    tm_layer *layer = tmi_edit_layer_at(edit, at);
    uint32_t size[2] = {layer->as.tiles.width, layer->as.tiles.height};
    how->part = tmi_edit_part_of(value, size[0], size[1]);
    const uint32_t w = how->part.width, h = how->part.height;
    *done = w > 0 && layer->as.tiles.tiles;
    if (!*done)
        return TM_OK;
    if (how->exchange && w != h) {
        if (value->width || tm_game_layer(layer->kind)->is_physics)
            return tmi_fail(
                error, TM_ERROR_USAGE, -1,
                "%u x %u tiles cannot be turned in their place: only squares, and whole design layers",
                (unsigned)w, (unsigned)h);
        size[0] = h;
        size[1] = w;
    }
    TM_TRY(tmi_map_regrid(edit->map, layer, size, turn_part, how, error));
    if (!value->width)
        tmi_block_turn_home(layer->as.tiles.tiles, how->transform);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- elements */

/* Of a quad the corners, without the pivot. */
static tm_status measure_points(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    layer_turn *how = ctx;
    (void)error;
    for (size_t i = 0; i < num - (num > 1); i++) {
        const int32_t at[2] = {points[i].x, points[i].y};
        for (int axis = 0; axis < 2; axis++) {
            how->least[axis] = at[axis] < how->least[axis] ? at[axis] : how->least[axis];
            how->most[axis] = at[axis] > how->most[axis] ? at[axis] : how->most[axis];
        }
    }
    return TM_OK;
}

/* About the middle, which a quarter turn leaves where it is, to the nearest fx. */
static tm_status turn_about(tm_point *point, const layer_turn *how, tm_error *error)
{
    const int64_t sum[2] = {how->least[0] + how->most[0], how->least[1] + how->most[1]};
    int64_t x = how->flip[0] ? sum[0] - point->x : point->x, y = how->flip[1] ? sum[1] - point->y : point->y;
    if (how->exchange) {
        const int64_t apart = tmi_edit_divide(sum[0] - sum[1], 2), old = x;
        x = y + apart;
        y = old - apart;
    }
    TM_TRY(tmi_edit_put_int(&point->x, x, error));
    return tmi_edit_put_int(&point->y, y, error);
}

static tm_status turn_points_about(void *ctx, tm_point *points, size_t num, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(turn_about(&points[i], ctx, error));
    return TM_OK;
}

static tm_status turn_source_size(void *ctx, int32_t *width, int32_t *height, tm_error *error)
{
    const layer_turn *how = ctx;
    (void)error;
    if (how->exchange && height) {
        const int32_t old = *width;
        *width = *height;
        *height = old;
    }
    return TM_OK;
}

static tm_status turn_elements(tmi_edit *edit, layer_turn *how, const tm_address *at, tm_error *error)
{
    static const tmi_edit_movers measures = {measure_points, NULL},
                                 turns = {turn_points_about, turn_source_size};
    how->least[0] = how->least[1] = INT32_MAX;
    how->most[0] = how->most[1] = INT32_MIN;
    TM_TRY(tmi_edit_each_element(edit->map, at->index, at->layer, &measures, how, error));
    return tmi_edit_each_element(edit->map, at->index, at->layer, &turns, how, error);
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status turn_chosen_layer(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    layer_turn *how = edit->ctx;
    bool done = !edit->value->width; /* a part of a layer is one of tiles */
    how->kind = tmi_edit_layer_at(edit, at)->kind;
    if (tm_game_layer(how->kind)->is_tiles)
        TM_TRY(turn_layer_tiles(edit, how, at, &done, error));
    else if (done)
        TM_TRY(turn_elements(edit, how, at, error));
    if (done)
        tmi_edit_changed(edit, *at, 1, "turned");
    return TM_OK;
}

tm_status tmi_edit_turn_layers(tmi_edit *edit, tm_transform transform, tm_error *error)
{
    layer_turn how = {.transform = transform, .exchange = (transform & TM_TRANSFORM_TURN_90) != 0};
    how.flip[0] = (transform & TM_TRANSFORM_MIRROR_X) != 0;
    how.flip[1] = ((transform & TM_TRANSFORM_MIRROR_Y) != 0) != how.exchange;
    return tmi_edit_each(edit, TM_ADDRESS_LAYER, turn_chosen_layer, &how, error);
}
