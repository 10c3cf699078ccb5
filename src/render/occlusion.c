/* SPDX-License-Identifier: Zlib */
/*
 * What later layers hide. Most layers of a map stand on one grid, that of the game layer; where a tile on it
 * covers every pixel, nothing that earlier layers have in the same place can be seen. Knowing this before
 * drawing changes no pixel.
 */
#include "render.h"

enum {
    MIN_PIXELS = 4,     /* of a tile's side; smaller ones are quicker drawn than asked about */
    MAX_CELLS = 1 << 20 /* bounds the memory */
};

/* Whether a group stands as the cover does. */
static bool cover_fits(const tmi_cover *cover, const tmi_screen *screen)
{
    const tmi_screen *own = &cover->screen;
    return own->left == screen->left && own->top == screen->top && own->scale_x == screen->scale_x &&
           own->scale_y == screen->scale_y && own->origin_x == screen->origin_x &&
           own->origin_y == screen->origin_y;
}

/* From the last layer to the first: a covered tile need not be checked in earlier layers. */
static tm_status cover_group(tmi_cover *cover, const tm_renderer *renderer, const tm_group *group,
                             const tm_camera *camera, uint32_t order, tm_error *error)
{
    const bool is_game = group == renderer->game_group;
    const tmi_screen screen = tmi_group_screen(camera, group, is_game, renderer->options.look);
    if ((group->use_clipping && !is_game) || !cover_fits(cover, &screen))
        return TM_OK;
    for (uint32_t l = group->num_layers; l-- > 0;) {
        const tm_layer *layer = &group->layers[l];
        const tmi_shown shown = {camera->time, tmi_opacity(renderer, camera, layer, order + l)};
        if (layer->kind == TM_LAYER_TILES && shown.opacity > 0)
            TM_TRY(tmi_cover_tiles(cover, renderer, layer, order + l, shown, error));
    }
    return TM_OK;
}

static tm_status cover_groups(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                              tm_error *error)
{
    const tm_map *map = renderer->map;
    uint32_t order = (uint32_t)tm_map_num_layers(map) + 1;
    for (uint32_t g = map->num_groups; g-- > 0;) {
        order -= map->groups[g].num_layers;
        TM_TRY(cover_group(cover, renderer, &map->groups[g], camera, order, error));
    }
    return TM_OK;
}

/* The cells, and after them the lists, in one piece. */
static size_t num_numbers(const tmi_cover *cover)
{
    return (size_t)cover->width * cover->height + cover->num_x + cover->width + cover->num_y;
}

tm_status tmi_cover_init(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                         const tmi_target *target, tm_error *error)
{
    static const tm_group plain = {.parallax_x = 100, .parallax_y = 100};
    memset(cover, 0, sizeof(*cover));
    cover->screen = tmi_group_screen(camera, &plain, true, renderer->options.look);
    if (cover->screen.scale_x * TM_TILE_PX < MIN_PIXELS || cover->screen.scale_y * TM_TILE_PX < MIN_PIXELS ||
        target->clip_bottom <= target->clip_top)
        return TM_OK;
    tmi_cover_place(cover, target);
    if ((uint64_t)cover->width * cover->height > MAX_CELLS)
        return TM_OK;
    TM_TRY(tmi_reserve_zeroed(&cover->last, renderer->allocator, num_numbers(cover), sizeof(*cover->last),
                              "the tiles of a picture", error));
    cover->cells_x = cover->last + (size_t)cover->width * cover->height;
    cover->ends_x = cover->cells_x + cover->num_x;
    cover->cells_y = cover->ends_x + cover->width;
    tmi_cover_lists(cover);
    const tm_status status = cover_groups(cover, renderer, camera, error);
    if (status != TM_OK)
        tmi_cover_release(cover, renderer);
    return status;
}

void tmi_cover_release(tmi_cover *cover, const tm_renderer *renderer)
{
    if (cover->last)
        tmi_free(renderer->allocator, cover->last, num_numbers(cover), sizeof(*cover->last));
    cover->last = NULL;
}

/* ---------------------------------------------------------------------------------------------- questions */

bool tmi_is_covered(const tmi_cover *cover, int64_t x, int64_t end_x, int64_t y, int64_t end_y,
                    uint32_t order)
{
    const uint32_t first = cover->cells_x[x - cover->first_x],
                   last = cover->cells_x[end_x - 1 - cover->first_x],
                   last_row = cover->cells_y[end_y - 1 - cover->first_y];
    for (uint32_t j = cover->cells_y[y - cover->first_y]; j <= last_row; j++)
        for (uint32_t i = first; i <= last; i++)
            if (cover->last[(size_t)j * cover->width + i] <= order)
                return false;
    return true;
}

int64_t tmi_cover_next(const tmi_cover *cover, int64_t row, int64_t *low, int64_t high, uint32_t order)
{
    const uint32_t *cells = cover->last + (size_t)cover->cells_y[row - cover->first_y] * cover->width;
    uint32_t i = cover->cells_x[*low - cover->first_x];
    int64_t end;
    for (; *low < high && cells[i] > order; i++)
        *low = cover->first_x + cover->ends_x[i];
    for (end = *low; end < high && cells[i] <= order; i++)
        end = cover->first_x + cover->ends_x[i];
    *low = *low < high ? *low : high;
    return end < high ? end : high;
}
