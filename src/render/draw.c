/* SPDX-License-Identifier: Zlib */
/*
 * Preparing a map for drawing, and the walk over its groups and layers (section 3). Images are prepared for
 * what uses them: as tile slices, as whole pictures, or both.
 */
#include "render.h"

#include "../map/map.h"

/* ------------------------------------------------------------------------------------------------- images */

typedef struct uses {
    bool tiles, whole;
    bool slices[256]; /* indices of tiles that occur */
} uses;

static int32_t image_of(const tm_layer *layer, bool *as_tiles)
{
    *as_tiles = layer->kind == TM_LAYER_TILES;
    if (*as_tiles)
        return layer->as.tiles.image;
    return layer->kind == TM_LAYER_QUADS ? layer->as.quads.image : TM_NONE;
}

/* A map uses few of the 256 slices; the others are not even made. */
static tm_status note_slices(const tm_renderer *renderer, const tm_layer *layer, uses *used, tm_error *error)
{
    const tm_map *map = renderer->map;
    tmi_borrowed loan = {0};
    tm_grid grid;
    used->tiles = true;
    tm_status status = TM_OK;
    if (renderer->kept && layer->as.tiles.tiles)
        status = tmi_borrowed_open(&loan, map, layer->as.tiles.tiles, error);
    status = status ? status : tmi_layer_grid(renderer, layer, loan.bytes, &grid, error);
    const tm_tile *tiles = status ? NULL : grid.tiles;
    for (size_t i = 0; tiles && i < (size_t)grid.width * grid.height; i++)
        used->slices[tiles[i].index] = true;
    used->slices[0] = false; /* air */
    tmi_borrowed_close(&loan);
    return status == TM_ERROR_DAMAGED ? TM_OK : status; /* it will be said when layers are prepared */
}

static tm_status note_uses(const tm_renderer *renderer, uses *used, tm_error *error)
{
    const tm_map *map = renderer->map;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            bool as_tiles;
            const int32_t image = image_of(layer, &as_tiles);
            if (image != TM_NONE && as_tiles)
                TM_TRY(note_slices(renderer, layer, &used[image], error));
            else if (image != TM_NONE)
                used[image].whole = true;
        }
    }
    return TM_OK;
}

/*
 * What the client shows where an image is missing: four colors, a quarter each. In Teeworlds 0.7 they
 * brighten from each quarter's top left.
 */
static uint8_t *missing_picture(uint32_t *side, tm_client look, const tm_allocator *allocator)
{
    static const uint8_t ddnet[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}},
                         teeworlds07[4][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 0}};
    const bool is_07 = look == TM_CLIENT_TEEWORLDS07;
    *side = is_07 ? 32 : 16;
    const uint32_t half = *side / 2;
    uint8_t *rgba = tmi_alloc(allocator, (size_t)*side * *side, 4);
    for (uint32_t i = 0; rgba && i < *side * *side; i++) {
        const uint32_t x = i % *side, y = i / *side, quarter = y / half * 2 + x / half;
        const uint32_t brightness = is_07 ? 8 * (x % half + y % half) + (quarter == 3 ? 16 : 15) : 255;
        for (int k = 0; k < 3; k++)
            rgba[(size_t)4 * i + (size_t)k] =
                (uint8_t)(brightness * (is_07 ? teeworlds07 : ddnet)[quarter][k]);
        rgba[(size_t)4 * i + 3] = 255;
    }
    return rgba;
}

static tm_status embedded_pixels(const tm_renderer *renderer, const tm_image *image, uint8_t **rgba,
                                 tm_error *error)
{
    const size_t num = (size_t)image->width * (size_t)image->height;
    if (tm_block_get_info(image->pixels).size / (image->format == TM_IMAGE_RGB ? 3 : 4) < num)
        return TM_ERROR_NOT_FOUND; /* before any memory is taken for a size that is a lie */
    *rgba = tmi_alloc(renderer->allocator, num, 4);
    if (!*rgba)
        return tmi_fail_memory(error, (uint64_t)num * 4, "an image");
    tm_status status = tm_map_image_pixels(renderer->map, image, *rgba, (uint64_t)num * 4, error);
    if (status != TM_OK) {
        tmi_free(renderer->allocator, *rgba, num, 4);
        *rgba = NULL;
    }
    return status;
}

/* The pixels of an image, wherever they come from; *rgba is NULL if there are none. */
static tm_status get_pixels(const tm_renderer *renderer, const tm_image *image, uint8_t **rgba,
                            uint32_t *width, uint32_t *height, uint64_t budget, tm_error *error)
{
    tm_status status = TM_ERROR_NOT_FOUND;
    *rgba = NULL;
    *width = image->width > 0 ? (uint32_t)image->width : 0;
    *height = image->height > 0 ? (uint32_t)image->height : 0;
    if (!image->external && *width && *height) {
        if ((uint64_t)*width * *height > budget / 4)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "the images need more than the %llu bytes that are left of memory_budget",
                            (unsigned long long)budget);
        status = embedded_pixels(renderer, image, rgba, error);
    } else if (image->external && image->name && renderer->options.provider) {
        status = renderer->options.provider(renderer->options.provider_ctx, image->name, renderer->map->game,
                                            renderer->allocator, rgba, width, height);
        if (status != TM_OK)
            *rgba = NULL;
        else if (*width == 0 || *height == 0 || (uint64_t)*width * *height > budget / 4) {
            tmi_free(renderer->allocator, *rgba, (size_t)*width * *height, 4);
            *rgba = NULL;
            return tmi_fail(
                error, TM_ERROR_LIMIT, -1,
                "the provider's image has %u x %u pixels: sides are at least 1, and %llu bytes are left",
                (unsigned)*width, (unsigned)*height, (unsigned long long)budget);
        }
    }
    return status == TM_ERROR_MEMORY || status == TM_ERROR_LIMIT ? status : TM_OK;
}

static void drop_tiles(tm_renderer *renderer, tmi_picture *picture)
{
    renderer->budget += picture->tiles.bytes;
    tmi_mipmap_release(&picture->tiles, renderer->allocator);
}

/*
 * The pixels that an image is drawn from; *rgba is NULL if it is not drawn from any, and its state says why.
 */
static tm_status find_pixels(tm_renderer *renderer, uint32_t index, uint8_t **rgba, uint32_t *width,
                             uint32_t *height, tm_findings *findings, tm_error *error)
{
    const tm_image *image = &renderer->map->images[index];
    tmi_picture *picture = &renderer->pictures[index];
    TM_TRY(get_pixels(renderer, image, rgba, width, height, renderer->budget, error));
    picture->state = TMI_PICTURE_THERE;
    if (!*rgba) {
        tmi_find_at(findings, TM_MODE_GAME, TM_FINDING_MISSING_IMAGE, renderer->map,
                    (tm_address){TM_ADDRESS_IMAGE, index, 0}, -1, "%s",
                    image->external ? "the image is not installed" : "the embedded image cannot be read");
        picture->state = renderer->options.missing == TM_MISSING_NONE ? TMI_PICTURE_NONE : TMI_PICTURE_WHITE;
        if (renderer->options.missing != TM_MISSING_CLIENT || !image->external)
            return TM_OK; /* the client draws an embedded image that it cannot read as none at all */
        picture->state = TMI_PICTURE_THERE;
        *rgba = missing_picture(width, renderer->options.look, renderer->allocator);
        *height = *width;
        if (!*rgba)
            return tmi_fail_memory(error, (uint64_t)*width * *height * 4, "an image");
    }
    if (renderer->options.look == TM_CLIENT_TEEWORLDS07) {
        picture->straight = !image->external && image->format == TM_IMAGE_RGB;
        tmi_multiply_alpha(*rgba, (size_t)*width * *height);
    }
    return TM_OK;
}

static tm_status make_levels(tm_renderer *renderer, tmi_picture *picture, const uint8_t *rgba, uint32_t width,
                             uint32_t height, const uses *used, tm_error *error)
{
    bool fits = false;
    if (used->whole)
        TM_TRY(tmi_mipmap_whole(&picture->whole, rgba, width, height, renderer->options.look,
                                renderer->allocator, &renderer->budget, error));
    if (!used->tiles)
        return TM_OK;
    TM_TRY(tmi_mipmap_add(&picture->tiles, &fits, rgba, width, height, used->slices, renderer->options.look,
                          renderer->allocator, error));
    if (fits)
        return TM_OK;
    drop_tiles(renderer, picture);
    return tmi_mipmap_tiles(&picture->tiles, rgba, width, height, used->slices, renderer->options.look,
                            renderer->allocator, &renderer->budget, error);
}

/* Also once more, with more that is used of it. */
static tm_status prepare_picture(tm_renderer *renderer, uint32_t index, const uses *used,
                                 tm_findings *findings, tm_error *error)
{
    tmi_picture *picture = &renderer->pictures[index];
    uint8_t *rgba = picture->rgba;
    uint32_t width = picture->width, height = picture->height;
    if (!rgba)
        TM_TRY(find_pixels(renderer, index, &rgba, &width, &height, findings, error));
    if (!rgba)
        return TM_OK;
    const uint64_t bytes = (uint64_t)width * height * 4;
    const tm_status status = make_levels(renderer, picture, rgba, width, height, used, error);
    if (!picture->rgba && renderer->options.updates && status == TM_OK && bytes <= renderer->budget) {
        renderer->budget -= bytes;
        picture->rgba = rgba;
        picture->width = width;
        picture->height = height;
    }
    if (!picture->rgba)
        tmi_free(renderer->allocator, rgba, (size_t)width * height, 4);
    return status;
}

tm_status tmi_picture_add(tm_renderer *renderer, uint32_t image, const bool slices[256], tm_error *error)
{
    const tmi_picture *picture = &renderer->pictures[image];
    uses used = {.tiles = true};
    bool any = picture->state == TMI_PICTURE_UNUSED;
    if (picture->state == TMI_PICTURE_NONE || picture->state == TMI_PICTURE_WHITE)
        return TM_OK;
    for (uint32_t i = 1; i < 256; i++) { /* 0 is air */
        any = any || (slices[i] && !picture->tiles.made[i]);
        used.slices[i] = slices[i] || picture->tiles.made[i];
    }
    return any ? prepare_picture(renderer, image, &used, NULL, error) : TM_OK;
}

static tm_status prepare_pictures(tm_renderer *renderer, tm_findings *findings, tm_error *error)
{
    const uint32_t num = renderer->map->num_images;
    uses *used = tmi_calloc(renderer->allocator, num, sizeof(*used));
    renderer->pictures = tmi_calloc(renderer->allocator, num, sizeof(*renderer->pictures));
    tm_status status =
        used && renderer->pictures ? TM_OK : tmi_fail_memory(error, num * sizeof(*used), "images");
    if (status == TM_OK)
        status = note_uses(renderer, used, error);
    for (uint32_t i = 0; status == TM_OK && i < num; i++)
        if (used[i].tiles || used[i].whole)
            status = prepare_picture(renderer, i, &used[i], findings, error);
    if (used)
        tmi_free(renderer->allocator, used, num, sizeof(*used));
    return status;
}

/* ----------------------------------------------------------------------------------------------- renderer */

TMI_DEFINE_INIT(tm_render_options, TM_RENDER_OPTIONS_INIT)

tm_status tm_renderer_new(tm_renderer **out, const tm_map *map, const tm_render_options *options,
                          tm_findings *findings, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(map, "map", error));
    tm_render_options how;
    uint32_t group;
    TM_TRY(tmi_options_take(&how, sizeof(how), options, "tm_render_options", error));
    const tm_allocator *allocator = how.allocator;
    tm_renderer *renderer = tmi_calloc(allocator, 1, sizeof(*renderer));
    if (!renderer)
        return tmi_fail_memory(error, sizeof(*renderer), "a renderer");
    renderer->map = map;
    renderer->allocator = allocator;
    renderer->options = how;
    if (renderer->options.look == TM_CLIENT_MAP)
        renderer->options.look = map->game == TM_GAME_TEEWORLDS07 ? TM_CLIENT_TEEWORLDS07 : TM_CLIENT_DDNET;
    renderer->draw_cell = tmi_choose_draw_cell();
    renderer->draw_span = tmi_choose_draw_span();
    if (renderer->options.pixel_limit == 0)
        renderer->options.pixel_limit = (uint64_t)1 << 34;
    if (tm_map_physics_layer(map, TM_LAYER_GAME, &group, NULL))
        renderer->game_group = &map->groups[group];
    renderer->budget = renderer->options.memory_budget ? renderer->options.memory_budget : (uint64_t)1 << 30;
    tm_status status = tmi_choose_kept(renderer, error);
    if (status == TM_OK)
        status = prepare_pictures(renderer, findings, error);
    if (status == TM_OK)
        status = tmi_prepare_layers(renderer, findings, error);
    if (status == TM_OK && renderer->options.entities)
        status = tmi_entities_new(renderer, error);
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
    for (uint32_t i = 0; renderer->pictures && i < renderer->map->num_images; i++) {
        tmi_picture *picture = &renderer->pictures[i];
        if (picture->rgba)
            tmi_free(renderer->allocator, picture->rgba, (size_t)picture->width * picture->height, 4);
        tmi_mipmap_release(&renderer->pictures[i].tiles, renderer->allocator);
        tmi_mipmap_release(&renderer->pictures[i].whole, renderer->allocator);
    }
    if (renderer->pictures)
        tmi_free(renderer->allocator, renderer->pictures, renderer->map->num_images,
                 sizeof(*renderer->pictures));
    tmi_entities_free(renderer);
    if (renderer->kept)
        tmi_free(renderer->allocator, renderer->kept, (size_t)tm_map_num_layers(renderer->map) + 1,
                 sizeof(*renderer->kept));
    tmi_free(renderer->allocator, renderer, 1, sizeof(*renderer));
}

/* ------------------------------------------------------------------------------------------------ drawing */

float tmi_opacity(const tm_renderer *renderer, const tm_camera *camera, const tm_layer *layer, uint32_t order)
{
    if (layer->detail && renderer->options.no_detail && layer->kind != TM_LAYER_GAME)
        return 0;
    if (!camera->opacities)
        return tm_rules_layer(layer->kind)->is_physics ? 0 : 1;
    const float opacity = camera->opacities[order - 1];
    return opacity > 1 ? 1 : opacity > 0 ? opacity : 0; /* 0 for what is no number, too */
}

tmi_rgba tmi_color_factor(const tm_renderer *renderer, tm_color color, int32_t envelope, int32_t offset,
                          tmi_shown shown)
{
    const bool is_07 = renderer->options.look == TM_CLIENT_TEEWORLDS07;
    const tm_envelope *with = tm_map_envelope(renderer->map, envelope);
    double values[4] = {1, 1, 1, 1};
    if (is_07 && envelope >= 0 && (!with || with->num_points == 0))
        memset(values, 0, sizeof(values));
    else if (with)
        tm_envelope_evaluate(with, shown.time + offset, 4, values);
    const double factors[4] = {color.r * values[0] / 255, color.g * values[1] / 255,
                               color.b * values[2] / 255, color.a * values[3] / 255 * shown.opacity};
    tmi_rgba out;
    for (int k = 0; k < 4; k++)
        out[k] = factors[k] < 0 ? 0 : (float)factors[k];
    return out;
}

tmi_rgba tmi_multiplied(tmi_rgba factor)
{
    const float alpha = factor[3];
    factor = factor * alpha;
    factor[3] = alpha;
    for (int k = 0; k < 4; k++)
        factor[k] = factor[k] > 1 ? 1 : factor[k];
    return factor;
}

static tm_status draw_group(const tm_renderer *renderer, const tm_group *group, const tm_camera *camera,
                            const tmi_layer_run *run, tmi_target target, tm_error *error)
{
    const bool is_game = group == renderer->game_group;
    if (!tmi_group_clip(&target, camera, group, is_game, renderer->options.look))
        return TM_OK;
    const tmi_screen screen = tmi_group_screen(camera, group, is_game, renderer->options.look);
    if (!tmi_cover_fits(target.cover, &screen))
        target.cover = NULL;
    for (uint32_t l = 0; l < group->num_layers; l++, target.order++) {
        const tm_layer *layer = &group->layers[l];
        const tmi_shown shown = {camera->time, tmi_opacity(renderer, camera, layer, target.order)};
        if (shown.opacity <= 0 || target.order < run->first || target.order >= run->end)
            continue;
        if (layer->kind == TM_LAYER_TILES)
            TM_TRY(tmi_draw_tiles(renderer, layer, &screen, &target, shown, error));
        else if (layer->kind == TM_LAYER_QUADS)
            TM_TRY(tmi_draw_quads(renderer, layer, &screen, &target, shown, error));
        else if (renderer->entities && tm_rules_layer(layer->kind)->is_physics)
            TM_TRY(tmi_draw_entities(renderer, layer, &screen, &target, shown, error));
    }
    return TM_OK;
}

static tm_status draw_groups(const tm_renderer *renderer, const tm_camera *camera, const tmi_layer_run *run,
                             tmi_target target, tm_error *error)
{
    const tm_map *map = renderer->map;
    for (uint32_t g = 0; g < map->num_groups; target.order += map->groups[g++].num_layers)
        TM_TRY(draw_group(renderer, &map->groups[g], camera, run, target, error));
    return TM_OK;
}

tm_status tmi_over_limit(const tm_renderer *renderer, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_LIMIT, -1,
                    "the picture needs more work than the limit of %llu pixels, those of all layers counted",
                    (unsigned long long)renderer->options.pixel_limit);
}

tm_status tmi_draw_rows(const tm_renderer *renderer, const tm_camera *camera, const tmi_layer_run *run,
                        uint32_t first_row, uint32_t num_rows, void *rgba, size_t row_stride,
                        tmi_budget *budget, tm_error *error)
{
    tmi_cover cover = {.last = NULL};
    const tmi_target target = {.pixels = rgba,
                               .row_stride = row_stride,
                               .first_row = first_row,
                               .end_row = (int64_t)first_row + num_rows,
                               .clip_top = first_row,
                               .clip_right = camera->width,
                               .clip_bottom = (int64_t)first_row + num_rows,
                               .budget = budget,
                               .cover = &cover,
                               .loan = run->loan,
                               .order = 1};
    if (!renderer->kept) /* it asks all layers */
        TM_TRY(tmi_cover_init(&cover, renderer, camera, &target, error));
    const tm_status status = draw_groups(renderer, camera, run, target, error);
    tmi_cover_release(&cover, renderer);
    return status;
}

static tm_status check_rows(const tm_camera *camera, uint32_t first_row, uint32_t num_rows, size_t row_stride,
                            tm_error *error)
{
    if (first_row > camera->height || num_rows > camera->height - first_row)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "first_row is %u and num_rows %u, but the picture has %u rows", (unsigned)first_row,
                        (unsigned)num_rows, (unsigned)camera->height);
    if (row_stride < (size_t)camera->width * 4)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "row_stride is %llu, but %u pixels have %llu bytes",
                        (unsigned long long)row_stride, (unsigned)camera->width,
                        (unsigned long long)camera->width * 4);
    return TM_OK;
}

/* Some rows of a picture, run by run. */
typedef struct row_part {
    const tm_renderer *renderer;
    const tm_camera *camera;
    uint32_t first_row, num_rows;
    void *rgba;
    size_t row_stride;
    tmi_budget budget;
} row_part;

static tm_status draw_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    row_part *part = ctx;
    return tmi_draw_rows(part->renderer, part->camera, run, part->first_row, part->num_rows, part->rgba,
                         part->row_stride, &part->budget, error);
}

tm_status tm_renderer_draw(const tm_renderer *renderer, const tm_camera *camera, uint32_t first_row,
                           uint32_t num_rows, void *rgba, size_t row_stride, tm_error *error)
{
    if (num_rows)
        TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(renderer, "renderer", error));
    tm_camera at;
    TM_TRY(tmi_camera_take(&at, camera, error));
    TM_TRY(check_rows(&at, first_row, num_rows, row_stride, error));
    row_part part = {
        renderer, &at, first_row, num_rows, rgba, row_stride, {renderer->options.pixel_limit, false}};
    return tmi_each_run(renderer, &at, draw_run, &part, error);
}
