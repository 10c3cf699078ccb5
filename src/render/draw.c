/* SPDX-License-Identifier: Zlib */
/*
 * Preparing a map for drawing, step by step, the walk over its groups and layers (section 3), and what a
 * prepared map needs when tiles change.
 */
#include "render.h"

#include "../map/map.h"

/* ----------------------------------------------------------------------------------------------- renderer */

tm_status tm_renderer_new(tm_renderer **out, const tm_map *map, const tm_render_options *options,
                          tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(map, "map", error));
    tm_render_options effective;
    tm_job job;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_render_options", error));
    TM_TRY(tmi_job_take(&job, effective.job, error));
    tm_renderer *renderer;
    uint32_t group;
    TM_TRY(tmi_reserve_zeroed(&renderer, effective.allocator, 1, sizeof(*renderer), "a renderer", error));
    renderer->map = map;
    renderer->allocator = effective.allocator;
    renderer->options = effective;
    if (effective.look == TM_CLIENT_MAP)
        renderer->options.look = map->game == TM_GAME_TEEWORLDS07 ? TM_CLIENT_TEEWORLDS07 : TM_CLIENT_DDNET;
    renderer->draw_cell = tmi_choose_draw_cell();
    renderer->draw_span = tmi_choose_draw_span();
    if (tm_map_physics_layer(&group, NULL, map, TM_LAYER_GAME))
        renderer->game_group = &map->groups[group];
    renderer->own_room = &renderer->room;
    atomic_init(&renderer->room.left, effective.memory_budget ? effective.memory_budget : (uint64_t)1 << 30);
    renderer->job = (tm_job){.size = sizeof(job), .executor = job.executor, .cancel = job.cancel};
    /* Layers first, as they tell what is used of images. */
    const size_t num = tm_map_num_layers(map);
    tm_status status = tmi_choose_kept(renderer, error);
    bool(*slices)[256] = status ? NULL : tmi_calloc(effective.allocator, num, sizeof(*slices));
    if (status == TM_OK && !slices)
        status = tmi_fail_memory(error, num * sizeof(*slices), "the tiles that layers have");
    status = status ? status : tmi_look_at_layers(renderer, slices, error);
    status = status ? status : tmi_prepare_images(renderer, (const bool(*)[256])slices, findings, error);
    tmi_free(effective.allocator, slices, num, sizeof(*slices));
    status = status ? status : tmi_prepare_layers(renderer, findings, error);
    if (status == TM_OK && effective.entities)
        status = tmi_entities_new(renderer, error);
    renderer->job = (tm_job){0}; /* borrowed until here */
    if (status != TM_OK)
        tm_renderer_free(renderer);
    else
        *out = renderer;
    return status;
}

void tm_renderer_free(tm_renderer *renderer)
{
    if (!renderer)
        return;
    tmi_free_images(renderer);
    tmi_entities_free(renderer);
    tmi_free(renderer->allocator, renderer->layers, (size_t)tm_map_num_layers(renderer->map) + 1,
             sizeof(*renderer->layers));
    tmi_free(renderer->allocator, renderer, 1, sizeof(*renderer));
}

/* ------------------------------------------------------------------------------------------------ drawing */

static tm_status draw_group(const tm_renderer *renderer, const tm_group *group, const tm_camera *camera,
                            const tmi_layer_run *run, tmi_target target, tm_error *error)
{
    const bool is_game = group == renderer->game_group;
    if (!tmi_group_clip(&target, camera, group, is_game, renderer->options.look))
        return TM_OK;
    const tmi_screen screen = tmi_group_screen(camera, group, is_game, renderer->options.look);
    for (uint32_t l = 0; l < group->num_layers; l++, target.order++) {
        const tm_layer *layer = &group->layers[l];
        const tmi_shown shown = {camera->time, tmi_opacity(renderer, camera, layer, target.order)};
        if (shown.opacity <= 0 || target.order < run->first || target.order >= run->end)
            continue;
        if (layer->kind == TM_LAYER_TILES)
            TM_TRY(tmi_draw_tiles(renderer, layer, &screen, &target, shown, error));
        else if (layer->kind == TM_LAYER_QUADS)
            TM_TRY(tmi_draw_quads(renderer, layer, &screen, &target, shown, error));
        else if (renderer->entities && tm_game_layer(layer->kind)->is_physics)
            TM_TRY(tmi_draw_entities(renderer, layer, &screen, &target, shown, error));
    }
    return TM_OK;
}

tm_status tmi_draw_rows(const tm_renderer *renderer, const tm_camera *camera, const tmi_layer_run *run,
                        const tm_rows *rows, tmi_budget *budget, tm_error *error)
{
    tmi_cover cover = {.last = NULL};
    tmi_tile_work *tile_work = NULL;
    const int64_t end_row = (int64_t)rows->first + rows->num;
    tmi_target target = {.pixels = rows->rgba,
                         .row_stride = rows->row_stride,
                         .first_row = rows->first,
                         .end_row = end_row,
                         .clip_top = rows->first,
                         .clip_right = camera->width,
                         .clip_bottom = end_row,
                         .budget = budget,
                         .tile_work = &tile_work,
                         .loan = run->loan,
                         .order = 1};
    if (!renderer->layers) /* all layers are unpacked, and the cover reads them */
        TM_TRY(tmi_cover_init(&cover, renderer, camera, &target, error));
    target.cover = cover.last ? &cover : NULL;
    const tm_map *map = renderer->map;
    tm_status status = TM_OK;
    for (uint32_t g = 0; status == TM_OK && g < map->num_groups; target.order += map->groups[g++].num_layers)
        status = draw_group(renderer, &map->groups[g], camera, run, target, error);
    tmi_tile_work_free(tile_work, renderer->allocator);
    tmi_cover_release(&cover, renderer);
    return status;
}

tm_status tmi_check_rows(const tm_rows *rows, const tm_camera *camera, tm_error *error)
{
    TM_TRY(tmi_need(rows, "rows", error));
    if (rows->num)
        TM_TRY(tmi_need(rows->rgba, "rgba", error));
    if (rows->first > camera->height || rows->num > camera->height - rows->first)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "the first row is %u of %u rows, but the picture has %u rows", (unsigned)rows->first,
                        (unsigned)rows->num, (unsigned)camera->height);
    return tmi_check_stride(rows, camera->width, error);
}

/* Some rows of a picture, run by run. */
typedef struct row_part {
    const tm_renderer *renderer;
    const tm_camera *camera;
    const tm_rows *rows;
    tmi_budget budget;
} row_part;

static tm_status draw_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    row_part *part = ctx;
    return tmi_draw_rows(part->renderer, part->camera, run, part->rows, &part->budget, error);
}

tm_status tm_renderer_draw(const tm_renderer *renderer, const tm_camera *camera, const tm_rows *rows,
                           tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    tm_camera view;
    TM_TRY(tmi_camera_take(&view, camera, error));
    TM_TRY(tmi_check_rows(rows, &view, error));
    const uint64_t limit = tmi_pixel_limit(renderer, &view);
    row_part part = {renderer, &view, rows, {limit, false, limit}};
    return tmi_each_run(renderer, &view, &part.budget, draw_run, &part, error);
}

/* ----------------------------------------------------------------------------------------------- updating */

/*
 * Layers are read from the map when they are drawn; only slices of images and cells of the sheets of entities
 * are prepared, and updated here. Only new ones are made, so a tile that the map already has costs next to
 * nothing.
 */
tm_status tm_renderer_update(tm_renderer *renderer, uint32_t group, uint32_t layer, const tm_rect *changed,
                             tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(changed, "changed", error));
    const tm_map *map = renderer->map;
    if (group >= map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "group %u does not exist, the map has %u", (unsigned)group,
                        (unsigned)map->num_groups);
    if (layer >= map->groups[group].num_layers)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "layer %u does not exist, group %u has %u",
                        (unsigned)layer, (unsigned)group, (unsigned)map->groups[group].num_layers);
    const tm_layer *candidate = &map->groups[group].layers[layer];
    if (!tm_game_layer(candidate->kind)->is_tiles)
        return TM_OK; /* nothing of others is prepared */
    const tm_rect part =
        tmi_rect_common(changed, &(tm_rect){0, 0, candidate->as.tiles.width, candidate->as.tiles.height});
    if (candidate->kind != TM_LAYER_TILES)
        return renderer->entities ? tmi_entities_update(renderer, candidate, &part, error) : TM_OK;
    tm_grid grid;
    bool slices[256] = {false};
    const int32_t image = candidate->as.tiles.image;
    TM_TRY(tmi_layer_grid(renderer, candidate, NULL, &grid, error));
    if (!grid.tiles || image == TM_NONE)
        return TM_OK;
    const tm_tile *row = (const tm_tile *)grid.tiles + (size_t)part.y * grid.width + part.x;
    for (uint32_t y = 0; y < part.height; y++, row += grid.width)
        for (uint32_t x = 0; x < part.width; x++)
            slices[row[x].index] = true;
    return tmi_picture_add(renderer, (uint32_t)image, slices, error);
}
