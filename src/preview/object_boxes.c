/* SPDX-License-Identifier: Zlib */
/*
 * object_boxes.c - the area of an object in the coordinates of its group: layers by their content, quads and
 * sound sources individually.
 */
#include "preview.h"

#include <teemap/tiles.h>

#include <math.h>

static const double fx_of_tile = (double)TM_TILE_FX, px_of_tile = (double)TM_TILE_PX;

static void widen_box(tmi_box *box, double x, double y)
{
    box->left = fmin(box->left, x);
    box->top = fmin(box->top, y);
    box->right = fmax(box->right, x);
    box->bottom = fmax(box->bottom, y);
}

tmi_box tmi_box_of_quad(const tm_quad *quad, double radius, tm_vector low, tm_vector high)
{
    const double x = tmi_px(quad->points[4].x), y = tmi_px(quad->points[4].y);
    tmi_box box = TMI_BOX_EMPTY;
    for (int i = 0; i < 4; i++)
        widen_box(&box, tmi_px(quad->points[i].x), tmi_px(quad->points[i].y));
    if (radius > 0)
        box = (tmi_box){x - radius, y - radius, x + radius, y + radius};
    return (tmi_box){box.left + low.x, box.top + low.y, box.right + high.x, box.bottom + high.y};
}

/* How far an envelope moves an element at a time, in px. */
static tm_vector moved_by(const tm_map *map, int32_t envelope, int32_t offset, double time)
{
    const tm_envelope *with = tm_map_envelope(map, envelope);
    double values[4] = {0, 0, 0, 0};
    if (with)
        tm_envelope_evaluate(with, time + offset, 2, values);
    return (tm_vector){values[0], values[1]};
}

static void add_quad(tmi_box *box, const tm_map *map, const tm_quad *quad, double time)
{
    const tm_vector moved = moved_by(map, quad->position_envelope, quad->position_offset, time);
    const tmi_box own = tmi_box_of_quad(quad, 0, moved, moved);
    widen_box(box, own.left, own.top);
    widen_box(box, own.right, own.bottom);
}

static tm_status box_of_quads(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index,
                              double time, tm_error *error)
{
    const tm_quad *quads;
    uint32_t num;
    TM_TRY(tm_map_quads(&quads, &num, map, layer, error));
    if (index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no quad %lld, the layer has %u",
                        (long long)index, (unsigned)num);
    for (uint32_t i = 0; i < num; i++)
        if (index < 0 || i == index)
            add_quad(box, map, &quads[i], time);
    return TM_OK;
}

static tm_status box_of_sources(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index,
                                double time, tm_error *error)
{
    const tm_sound_source *sources;
    uint32_t num;
    TM_TRY(tm_map_sources(&sources, &num, map, layer, error));
    if (index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no sound source %lld, the layer has %u",
                        (long long)index, (unsigned)num);
    for (uint32_t i = 0; i < num; i++) {
        const tm_vector moved = moved_by(map, sources[i].position_envelope, sources[i].position_offset, time);
        if (index < 0 || i == index)
            widen_box(box, tmi_px(sources[i].position.x) + moved.x, tmi_px(sources[i].position.y) + moved.y);
    }
    return TM_OK;
}

static tm_status box_of_tiles(tmi_box *box, const tm_map *map, const tm_layer *layer, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_grid grid;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    for (uint32_t y = 0; grid.tiles && y < grid.height; y++) {
        const uint8_t *tile = (const uint8_t *)grid.tiles + y * grid.row_stride;
        for (uint32_t x = 0; x < grid.width; x++, tile += grid.tile_size) {
            if (tile[info->index_at] == TM_TILE_AIR)
                continue;
            widen_box(box, (double)x * TM_TILE_PX, (double)y * TM_TILE_PX);
            widen_box(box, (x + 1.0) * TM_TILE_PX, (y + 1.0) * TM_TILE_PX);
        }
    }
    return TM_OK;
}

bool tmi_box_is_empty(const tmi_box *box)
{
    return !(box->left <= box->right);
}

tm_status tmi_box_of_layer(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index, double time,
                           tm_error *error)
{
    *box = TMI_BOX_EMPTY;
    if (layer->kind == TM_LAYER_QUADS)
        return box_of_quads(box, map, layer, index, time, error);
    if (layer->kind == TM_LAYER_SOUNDS)
        return box_of_sources(box, map, layer, index, time, error);
    if (tm_game_layer(layer->kind)->is_tiles)
        return box_of_tiles(box, map, layer, error);
    return TM_OK;
}

tm_status tmi_preview_layer_area(tm_preview_area *out, const tm_map *map, uint32_t group, uint32_t layer,
                                 double time, tm_error *error)
{
    tmi_box box;
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_area){0, 0, 0, 0};
    TM_TRY(tmi_need(map, "map", error));
    if (group >= map->num_groups || layer >= map->groups[group].num_layers)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no layer %u/%u", (unsigned)group,
                        (unsigned)layer);
    TM_TRY(tmi_box_of_layer(&box, map, &map->groups[group].layers[layer], -1, time, error));
    if (tmi_box_is_empty(&box))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the layer %u/%u is empty", (unsigned)group,
                        (unsigned)layer);
    *out = (tm_preview_area){box.left / TM_TILE_PX, box.top / TM_TILE_PX, (box.right - box.left) / TM_TILE_PX,
                             (box.bottom - box.top) / TM_TILE_PX};
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- elements */

static void add_around(tmi_box *box, tm_point at, double half_width, double half_height)
{
    widen_box(box, at.x / fx_of_tile - half_width, at.y / fx_of_tile - half_height);
    widen_box(box, at.x / fx_of_tile + half_width, at.y / fx_of_tile + half_height);
}

static void add_corners(tmi_box *box, const void *element)
{
    tm_quad quad;
    memcpy(&quad, element, sizeof(quad));
    for (int i = 0; i < 4; i++)
        widen_box(box, quad.points[i].x / fx_of_tile, quad.points[i].y / fx_of_tile);
}

static void add_source(tmi_box *box, const void *element)
{
    tm_sound_source source;
    memcpy(&source, element, sizeof(source));
    if (source.shape == TM_SHAPE_CIRCLE)
        add_around(box, source.position, fabs(source.width / px_of_tile), fabs(source.width / px_of_tile));
    else
        add_around(box, source.position, fabs(source.width / fx_of_tile) / 2,
                   fabs(source.height / fx_of_tile) / 2);
}

static void add_old_source(tmi_box *box, const void *element)
{
    tm_old_source source;
    memcpy(&source, element, sizeof(source));
    add_around(box, source.position, fabs(source.radius / px_of_tile), fabs(source.radius / px_of_tile));
}

tm_status tmi_preview_element_area(tm_preview_area *out, tm_owner owner, const void *element, tm_error *error)
{
    static void (*const kinds[TM_OWNER_COUNT])(tmi_box * box, const void *element) = {
        [TM_OWNER_QUAD] = add_corners,
        [TM_OWNER_SOUND_SOURCE] = add_source,
        [TM_OWNER_OLD_SOURCE] = add_old_source};
    tmi_box box = TMI_BOX_EMPTY;
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_area){0, 0, 0, 0};
    TM_TRY(tmi_need(element, "element", error));
    if ((unsigned)owner >= TM_OWNER_COUNT || !kinds[owner])
        return tmi_fail(error, TM_ERROR_USAGE, -1, "only quads and sound sources have an area of their own");
    kinds[owner](&box, element);
    *out = (tm_preview_area){box.left, box.top, box.right - box.left, box.bottom - box.top};
    return TM_OK;
}
