/* SPDX-License-Identifier: Zlib */
/*
 * What later layers hide. Most layers of a map stand on one grid, that of the game layer; where a tile on it
 * covers every pixel, nothing that earlier layers have in the same place can be seen. Knowing this before
 * drawing changes no pixel.
 */
#include "render.h"

enum {
    LEAST_PIXELS = 4,   /* of a tile's side; smaller ones are quicker drawn than asked about */
    MAX_CELLS = 1 << 20 /* bounds the memory */
};

bool tmi_cover_fits(const tmi_cover *cover, const tmi_screen *screen)
{
    const tmi_screen *own = &cover->screen;
    return cover->last && own->left == screen->left && own->top == screen->top &&
           own->scale_x == screen->scale_x && own->scale_y == screen->scale_y &&
           own->origin_x == screen->origin_x && own->origin_y == screen->origin_y;
}

static tm_status cover_group(tmi_cover *cover, const tm_renderer *renderer, const tm_group *group,
                             const tm_camera *camera, uint32_t order, tm_error *error)
{
    const bool is_game = group == renderer->game_group;
    const tmi_screen screen = tmi_group_screen(camera, group, is_game, renderer->options.look);
    if ((group->use_clipping && !is_game) || !tmi_cover_fits(cover, &screen))
        return TM_OK;
    for (uint32_t l = 0; l < group->num_layers; l++) {
        const tm_layer *layer = &group->layers[l];
        const tmi_shown shown = {camera->time, tmi_opacity(renderer, camera, layer, order + l)};
        if (layer->kind == TM_LAYER_TILES && shown.opacity > 0)
            TM_TRY(tmi_cover_tiles(cover, renderer, layer, order + l, shown, error));
    }
    return TM_OK;
}

tm_status tmi_cover_init(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                         const tmi_target *target, tm_error *error)
{
    static const tm_group plain = {.parallax_x = 100, .parallax_y = 100};
    const tm_map *map = renderer->map;
    uint32_t order = 1;
    memset(cover, 0, sizeof(*cover));
    cover->screen = tmi_group_screen(camera, &plain, true, renderer->options.look);
    if (cover->screen.scale_x * TM_TILE_PX < LEAST_PIXELS ||
        cover->screen.scale_y * TM_TILE_PX < LEAST_PIXELS || target->clip_bottom <= target->clip_top)
        return TM_OK;
    tmi_cover_place(cover, target);
    if ((uint64_t)cover->width * cover->height > MAX_CELLS)
        return TM_OK;
    cover->last = tmi_calloc(renderer->allocator, (size_t)cover->width * cover->height, sizeof(*cover->last));
    if (!cover->last)
        return tmi_fail_memory(error, (uint64_t)cover->width * cover->height * sizeof(*cover->last),
                               "the tiles of a picture");
    tm_status status = TM_OK;
    for (uint32_t g = 0; status == TM_OK && g < map->num_groups; order += map->groups[g++].num_layers)
        status = cover_group(cover, renderer, &map->groups[g], camera, order, error);
    if (status != TM_OK)
        tmi_cover_release(cover, renderer);
    return status;
}

void tmi_cover_release(tmi_cover *cover, const tm_renderer *renderer)
{
    if (cover->last)
        tmi_free(renderer->allocator, cover->last, (size_t)cover->width * cover->height,
                 sizeof(*cover->last));
    cover->last = NULL;
}
