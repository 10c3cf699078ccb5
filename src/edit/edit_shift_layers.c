/* SPDX-License-Identifier: Zlib */
/*
 * Shifting chosen layers, each in its own grid or a region of it: what goes out is lost and reported, or
 * comes in at the other side. Whole maps are shifted by edit_reframe.c.
 */
#include "edit_geometry.h"

typedef struct layer_shift {
    tmi_edit_window window;
    int64_t by[2];
    bool wraps;
    tm_layer_kind kind;
    uint64_t lost; /* tiles with an index that went out */
} layer_shift;

/* One row of the window, or one column of rows: `num` things of `size` bytes, moved by `by` places. */
static void shift_line(uint8_t *out, const uint8_t *from, uint32_t num, int64_t by, size_t size, bool wraps)
{
    const int64_t turn = (by % num + num) % num; /* as if all came in again */
    const size_t front = (size_t)turn * size, all = num * size;
    memcpy(out + front, from, all - front);
    memcpy(out, from + all - front, front);
    if (wraps)
        return;
    if (by >= (int64_t)num || by <= -(int64_t)num)
        memset(out, 0, all);
    else if (by > 0)
        memset(out, 0, front);
    else if (by < 0)
        memset(out + front, 0, all - front);
}

static uint64_t count_shifted_out(const layer_shift *how, const tm_grid *from)
{
    const tmi_edit_window *window = &how->window;
    const size_t place = tmi_edit_index_place(how->kind);
    uint64_t lost = 0;
    for (uint32_t y = window->y0; y < window->y1; y++) {
        const uint8_t *row = (const uint8_t *)from->tiles + y * from->row_stride;
        const bool out_y = y + how->by[1] < window->y0 || y + how->by[1] >= window->y1;
        for (uint32_t x = window->x0; x < window->x1; x++)
            lost += (out_y || x + how->by[0] < window->x0 || x + how->by[0] >= window->x1) &&
                    row[(size_t)x * from->tile_size + place];
    }
    return lost;
}

static void shift_grid(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    layer_shift *how = ctx;
    const tmi_edit_window *window = &how->window;
    const uint32_t width = window->x1 - window->x0, height = window->y1 - window->y0;
    const size_t size = from->tile_size, left = window->x0 * size;
    if (!how->wraps)
        how->lost += count_shifted_out(how, from);
    memcpy(to->tiles, from->tiles, (size_t)from->height * from->row_stride);
    for (uint32_t y = 0; y < height; y++) {
        const int64_t old = y - how->by[1];
        uint8_t *row = (uint8_t *)to->tiles + (window->y0 + y) * to->row_stride + left;
        const int64_t at = (old % height + height) % height;
        if (!how->wraps && at != old)
            memset(row, 0, width * size);
        else
            shift_line(row,
                       (const uint8_t *)from->tiles + (window->y0 + (size_t)at) * from->row_stride + left,
                       width, how->by[0], size, how->wraps);
    }
}

static tm_status shift_layer(tmi_edit *edit, layer_shift *how, const tm_address *at,
                             const tmi_edit_value *value, tm_error *error)
{
    const tm_layer *layer = &edit->map->groups[at->index].layers[at->layer];
    const int64_t by[2] = {how->by[0] * TM_TILE_FX, how->by[1] * TM_TILE_FX};
    if (!tm_game_layer(layer->kind)->is_tiles)
        return value->width ? TM_OK : tmi_edit_move_elements(edit->map, at->index, at->layer, by, error);
    how->window = tmi_edit_window_of(value, layer->as.tiles.width, layer->as.tiles.height);
    if (how->window.x0 == how->window.x1 || !layer->as.tiles.tiles)
        return TM_OK;
    how->kind = layer->kind;
    return tmi_map_regrid(edit->map, at->index, at->layer, layer->as.tiles.width, layer->as.tiles.height,
                          shift_grid, how, error);
}

tm_status tmi_edit_shift_layers(tmi_edit *edit, const tmi_edit_value *value, bool wraps, tm_error *error)
{
    tmi_edit_objects layers;
    layer_shift how = {.by = {edit->values[0].x, edit->values[0].y}, .wraps = wraps};
    TM_TRY(tmi_edit_layers_find(&layers, edit, value, error));
    tm_status status = TM_OK;
    for (size_t i = 0; !status && i < layers.num; i++) {
        status = shift_layer(edit, &how, &layers.list[i], value, error);
        if (status)
            tmi_fail_at_address(error, status, edit->map, layers.list[i]);
        else
            tmi_edit_changed(edit, layers.list[i], 1, "shifted");
    }
    tmi_edit_objects_free(&layers);
    if (!status && how.lost)
        tmi_edit_find(edit, TM_FINDING_TILES_LOST, (tm_address){TM_ADDRESS_MAP, 0, 0},
                      "%llu tiles were shifted out of their layers, and are gone",
                      (unsigned long long)how.lost);
    return status;
}
