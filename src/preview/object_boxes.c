/* SPDX-License-Identifier: Zlib */
/*
 * object_boxes.c - the area of an object in the coordinates of its group: layers by their content, quads and
 * sound sources individually.
 */
#include "preview.h"

#include <teemap/tiles.h>

#include <math.h>

static void widen_box(tmi_box *box, double x, double y)
{
    box->left = fmin(box->left, x);
    box->top = fmin(box->top, y);
    box->right = fmax(box->right, x);
    box->bottom = fmax(box->bottom, y);
}

static tmi_box box_around(tm_point point, double half_width, double half_height)
{
    const double x = tmi_px(point.x), y = tmi_px(point.y);
    return (tmi_box){x - half_width, y - half_height, x + half_width, y + half_height};
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

/* Widens by a box that an envelope moves. */
static void add_moved(tmi_box *target, const tmi_box *box, const tm_map *map, int32_t envelope, double time)
{
    const tm_envelope *moving = tm_map_envelope(map, envelope);
    double by[4] = {0, 0, 0, 0};
    if (moving)
        tm_envelope_evaluate(moving, time, 2, by);
    widen_box(target, box->left + by[0], box->top + by[1]);
    widen_box(target, box->right + by[0], box->bottom + by[1]);
}

static tm_status box_of_elements(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index,
                                 double time, tm_error *error)
{
    const tm_quad *quads = NULL;
    const tm_sound_source *sources = NULL;
    uint32_t num;
    TM_TRY(layer->kind == TM_LAYER_QUADS ? tm_map_quads(&quads, &num, map, layer, error)
                                         : tm_map_sources(&sources, &num, map, layer, error));
    if (index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s %lld, the layer has %u",
                        layer->kind == TM_LAYER_QUADS ? "quad" : "sound source", (long long)index,
                        (unsigned)num);
    for (uint32_t i = index < 0 ? 0 : (uint32_t)index; i < num && (index < 0 || i == index); i++) {
        const tmi_box element_box = quads
                                        ? tmi_box_of_quad(&quads[i], 0, (tm_vector){0, 0}, (tm_vector){0, 0})
                                        : box_around(sources[i].position, 0, 0);
        if (quads)
            add_moved(box, &element_box, map, quads[i].position_envelope, time + quads[i].position_offset);
        else
            add_moved(box, &element_box, map, sources[i].position_envelope,
                      time + sources[i].position_offset);
    }
    return TM_OK;
}

bool tmi_box_is_empty(const tmi_box *box)
{
    return !(box->left <= box->right);
}

tm_preview_area tmi_area_of_box(const tmi_box *box)
{
    return (tm_preview_area){box->left / TM_TILE_PX, box->top / TM_TILE_PX,
                             (box->right - box->left) / TM_TILE_PX, (box->bottom - box->top) / TM_TILE_PX};
}

tm_status tmi_box_of_layer(tmi_box *box, const tm_map *map, const tm_layer *layer, int64_t index, double time,
                           tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_grid grid;
    *box = TMI_BOX_EMPTY;
    if (layer->kind == TM_LAYER_QUADS || layer->kind == TM_LAYER_SOUNDS)
        return box_of_elements(box, map, layer, index, time, error);
    if (!info->is_tiles)
        return TM_OK;
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

/* ----------------------------------------------------------------------------------------------- elements */

tmi_box tmi_box_of_element(tm_kind owner, const void *element)
{
    const tm_vector zero = {0, 0};
    tm_quad quad;
    tm_sound_source source;
    tm_old_source old;
    switch (element ? owner : TM_KINDS) {
    case TM_KIND_QUAD: return tmi_box_of_quad(memcpy(&quad, element, sizeof(quad)), 0, zero, zero);
    case TM_KIND_SOUND_SOURCE:
        memcpy(&source, element, sizeof(source));
        if (source.shape == TM_SHAPE_CIRCLE)
            return box_around(source.position, fabs((double)source.width), fabs((double)source.width));
        return box_around(source.position, fabs(tmi_px(source.width)) / 2, fabs(tmi_px(source.height)) / 2);
    case TM_KIND_OLD_SOURCE:
        memcpy(&old, element, sizeof(old));
        return box_around(old.position, fabs((double)old.radius), fabs((double)old.radius));
    default: return TMI_BOX_EMPTY;
    }
}
