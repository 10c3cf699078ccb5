/* SPDX-License-Identifier: Zlib */
/*
 * Shifting chosen layers, each in its own grid or a region of it: tiles that leave it are lost and reported,
 * or wrap to the other side. Whole maps are shifted by edit_reframe.c.
 */
#include "edit_geometry.h"

typedef struct layer_shift {
    tm_rect part;
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
    const tm_rect *part = &how->part;
    const size_t place = (size_t)tm_game_layer(how->kind)->index_at;
    uint64_t lost = 0;
    for (int64_t y = part->y; y < tmi_bottom(part); y++) {
        const uint8_t *row = (const uint8_t *)from->tiles + (size_t)y * from->row_stride;
        for (int64_t x = part->x; x < tmi_right(part); x++)
            lost += !tmi_rect_has(part, x + how->by[0], y + how->by[1]) &&
                    row[(size_t)x * from->tile_size + place];
    }
    return lost;
}

static void shift_grid(void *ctx, const tm_grid *from, const tm_edit_grid *to)
{
    layer_shift *how = ctx;
    const tm_rect *part = &how->part;
    const uint32_t width = part->width, height = part->height;
    const size_t size = from->tile_size, left = (size_t)part->x * size;
    if (!how->wraps)
        how->lost += count_shifted_out(how, from);
    memcpy(to->tiles, from->tiles, (size_t)from->height * from->row_stride);
    for (uint32_t y = 0; y < height; y++) {
        const int64_t old = y - how->by[1];
        uint8_t *row = (uint8_t *)to->tiles + ((size_t)part->y + y) * to->row_stride + left;
        const int64_t at = (old % height + height) % height;
        if (!how->wraps && at != old)
            memset(row, 0, width * size);
        else
            shift_line(row, (const uint8_t *)from->tiles + (size_t)(part->y + at) * from->row_stride + left,
                       width, how->by[0], size, how->wraps);
    }
}

static tm_status shift_layer(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    layer_shift *how = edit->ctx;
    tm_layer *layer = tmi_edit_layer_at(edit, at);
    const uint32_t size[2] = {layer->as.tiles.width, layer->as.tiles.height};
    const int64_t by[2] = {how->by[0] * TM_TILE_FX, how->by[1] * TM_TILE_FX};
    if (!tm_game_layer(layer->kind)->is_tiles) {
        if (!edit->value->width)
            TM_TRY(tmi_edit_move_elements(edit->map, at->index, at->layer, by, error));
    } else {
        how->part = tmi_edit_part_of(edit->value, size[0], size[1]);
        how->kind = layer->kind;
        if (!tmi_rect_is_empty(&how->part) && layer->as.tiles.tiles)
            TM_TRY(tmi_map_regrid(edit->map, layer, size, shift_grid, how, error));
    }
    tmi_edit_changed(edit, *at, 1, "shifted");
    return TM_OK;
}

tm_status tmi_edit_shift_layers(tmi_edit *edit, bool wraps, tm_error *error)
{
    layer_shift how = {.by = {edit->values[0].x, edit->values[0].y}, .wraps = wraps};
    TM_TRY(tmi_edit_each(edit, TM_ADDRESS_LAYER, shift_layer, &how, error));
    if (how.lost)
        tmi_edit_find(edit, TM_FINDING_TILES_LOST, (tm_address){TM_ADDRESS_MAP, 0, 0},
                      "%llu tiles were shifted out of their layers, and are gone",
                      (unsigned long long)how.lost);
    return TM_OK;
}
