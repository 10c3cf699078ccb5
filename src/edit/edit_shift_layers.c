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
    const int64_t width = part->width, height = part->height;
    const size_t size = from->tile_size;
    if (!how->wraps)
        how->lost += count_shifted_out(how, from);
    memcpy(to->tiles, from->tiles, (size_t)from->height * from->row_stride);
    for (int64_t y = 0; y < height; y++) {
        const int64_t old_y = y - how->by[1], from_y = (old_y % height + height) % height;
        const uint8_t *row = (const uint8_t *)from->tiles + (size_t)(part->y + from_y) * from->row_stride;
        uint8_t *out = (uint8_t *)to->tiles + (size_t)(part->y + y) * to->row_stride + (size_t)part->x * size;
        for (int64_t x = 0; x < width; x++, out += size) {
            const int64_t old_x = x - how->by[0], from_x = (old_x % width + width) % width;
            if (how->wraps || (from_x == old_x && from_y == old_y))
                memcpy(out, row + (size_t)(part->x + from_x) * size, size);
            else
                memset(out, 0, size);
        }
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
