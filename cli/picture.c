/* SPDX-License-Identifier: Zlib */
/*
 * picture.c - draws pictures of maps for the commands. A picture is drawn in bands, each by all threads, and
 * written band by band. Knows nothing of what a command shows, and how it tells about it.
 */
#include "picture.h"

#include "layers.h"
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

/* PNG: what is beyond fits no viewer. */
#define MOST_SIDE 1000000.0

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080, CHECK = 16 };

tm_status picture_refuse(tm_error *error, const char *reason)
{
    *error = (tm_error){.code = TM_ERROR_USAGE, .offset = -1};
    strncat(error->text, reason, sizeof error->text - 1);
    return TM_ERROR_USAGE;
}

/* What --strict makes of a missing image. */
static tm_status refuse_missing(const tm_findings *findings, tm_error *error)
{
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *one = &findings->list[i];
        if (one->id == TM_FINDING_MISSING_IMAGE) {
            *error = (tm_error){.code = TM_ERROR_NOT_FOUND, .offset = -1};
            memcpy(error->place, one->place, sizeof error->place);
            memcpy(error->text, one->text, sizeof error->text);
            return TM_ERROR_NOT_FOUND;
        }
    }
    return TM_OK;
}

static tm_status prepare(picture *out, const cli_options *options, loaded *file, tm_error *error)
{
    tm_render_options how = TM_RENDER_OPTIONS_INIT;
    sheets own = {0};
    tm_status status = TM_OK;
    how.provider = image_folders_get;
    how.provider_ctx = &out->folders;
    how.missing = options->missing;
    how.no_detail = options->no_detail;
    how.look = options->look;
    how.pixel_limit = options->limit;
    how.no_numbers = options->no_numbers;
    how.entities = layers_hold_physics(out->opacities, file->map);
    if (how.entities) {
        status = sheets_load(&own, options, &out->folders, file->map->game, error);
    }
    how.entity_sheet = own.entities;
    how.speedup_arrow = own.arrow;
    status = status ? status : tm_renderer_new(&out->renderer, file->map, &how, &file->findings, error);
    sheets_release(&own);
    return status;
}

tm_status picture_open(picture *out, const cli_options *options, const tm_camera *camera, const char *path,
                       loaded *file, const tm_job *job, tm_error *error)
{
    *out = (picture){.options = options, .job = job, .camera = *camera};
    tm_status status = layers_choose(&out->opacities, options, file->map, error);
    if (status) {
        return status;
    }
    out->camera.opacities = out->opacities;
    image_folders_find(&out->folders, options, path, file->map->game);
    status = prepare(out, options, file, error);
    if (!status && options->missing_list) {
        status = image_folders_list_missing(&out->folders, file->map, options->missing_list, error);
    }
    return status || !options->strict ? status : refuse_missing(&file->findings, error);
}

void picture_close(picture *of)
{
    tm_renderer_free(of->renderer);
    image_folders_release(&of->folders);
    free(of->opacities);
    *of = (picture){0};
}

/* ------------------------------------------------------------------------------------------------- camera */

/* The game layer's area; of a map without one, the largest tile layer's. */
void picture_map_area(const tm_map *map, double *width, double *height)
{
    const tm_layer *game = tm_map_physics_layer(map, TM_LAYER_GAME, NULL, NULL);
    *width = *height = 0;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            if (tm_rules_layer(layer->kind)->is_tiles && (!game || layer == game)) {
                *width = layer->as.tiles.width > *width ? layer->as.tiles.width : *width;
                *height = layer->as.tiles.height > *height ? layer->as.tiles.height : *height;
            }
        }
    }
}

tm_status picture_aim(tm_camera *camera, const cli_options *options, const tm_map *map, tm_error *error)
{
    double region[4] = {options->region[0], options->region[1], options->region[2], options->region[3]};
    double width = options->width ? options->width : DEFAULT_WIDTH,
           height = options->width ? options->height : DEFAULT_HEIGHT;
    *camera = (tm_camera){.time = options->time, .zoom = options->zoom > 0 ? options->zoom : 1};
    if (options->has_view + options->has_region + options->whole > 1) {
        return picture_refuse(error, "--view, --region and --whole exclude one another");
    }
    if (options->has_view) {
        camera->kind = TM_CAMERA_VIEW;
        camera->x = options->view[0] * PICTURE_TILE;
        camera->y = options->view[1] * PICTURE_TILE;
    } else {
        camera->kind = options->flat ? TM_CAMERA_FLAT : TM_CAMERA_REGION;
        if (!options->has_region) {
            picture_map_area(map, &region[2], &region[3]);
        }
        if (region[2] <= 0 || region[3] <= 0) {
            return picture_refuse(
                error, "there is nothing to show: the map has no tile layer; name a --view or a --region");
        }
        /* pixels a tile: told, or what fits the picture */
        double fit = width / region[2] < height / region[3] ? width / region[2] : height / region[3];
        double scale = options->scale > 0 ? options->scale : fit;
        width = (double)(uint64_t)(region[2] * scale + 0.5);
        height = (double)(uint64_t)(region[3] * scale + 0.5);
        width = width < 1 ? 1 : width;
        height = height < 1 ? 1 : height;
        camera->x = region[0] * PICTURE_TILE;
        camera->y = region[1] * PICTURE_TILE;
        camera->scale = scale / PICTURE_TILE;
    }
    if (width > MOST_SIDE || height > MOST_SIDE) {
        return picture_refuse(
            error,
            "the picture would have more than 1000000 pixels a side; make --scale or --region smaller");
    }
    camera->width = (uint32_t)width;
    camera->height = (uint32_t)height;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- bands */

/* One band, taken apart into one piece for each thread. */
typedef struct band {
    const picture *of;
    uint8_t *pixels;
    uint32_t first_row, num_rows, num_pieces;
    tm_error *errors; /* of the pieces */
    tm_status *statuses;
    uint64_t *work;
} band;

static void clear_rows(const picture *of, uint8_t *to, uint32_t first_row, uint32_t num_rows)
{
    const cli_options *options = of->options;
    static const uint8_t checks[2][4] = {{102, 102, 102, 255}, {153, 153, 153, 255}};
    uint8_t color[4] = {options->background_color[0], options->background_color[1],
                        options->background_color[2], 255};
    if (options->background == BACKGROUND_TRANSPARENT) {
        memset(color, 0, sizeof color);
    }
    for (uint32_t y = first_row; y < first_row + num_rows; y++) {
        for (uint32_t x = 0; x < of->camera.width; x++, to += 4) {
            memcpy(to, options->background == BACKGROUND_CHECKS ? checks[(x / CHECK + y / CHECK) & 1] : color,
                   4);
        }
    }
}

static void draw_piece(void *ctx, uint32_t index)
{
    band *b = ctx;
    const uint32_t first = (uint32_t)((uint64_t)b->num_rows * index / b->num_pieces);
    const uint32_t rows = (uint32_t)((uint64_t)b->num_rows * (index + 1) / b->num_pieces) - first;
    const size_t stride = (size_t)b->of->camera.width * 4;
    uint8_t *to = b->pixels + first * stride;
    clear_rows(b->of, to, b->first_row + first, rows);
    tm_camera camera = b->of->camera;
    camera.work = &b->work[index];
    b->statuses[index] =
        tm_renderer_draw(b->of->renderer, &camera, b->first_row + first, rows, to, stride, &b->errors[index]);
}

static tm_status first_failure(const band *b, tm_error *error)
{
    for (uint32_t i = 0; i < b->num_pieces; i++) {
        if (b->statuses[i]) {
            *error = b->errors[i];
            return b->statuses[i];
        }
    }
    return TM_OK;
}

/* Of what the pieces of one band cost; each of them alone stays below the limit. */
static tm_status add_work(const band *b, uint64_t *work, tm_error *error)
{
    const uint64_t limit = b->of->options->limit;
    for (uint32_t i = 0; i < b->num_pieces; i++) {
        *work += b->work[i];
    }
    if (limit && *work > limit) {
        *error =
            (tm_error){.code = TM_ERROR_LIMIT, .offset = -1, .text = "the picture costs more than --limit"};
        return TM_ERROR_LIMIT;
    }
    return TM_OK;
}

tm_status picture_draw(const picture *of, uint32_t first_row, uint32_t num_rows, uint8_t *rgba,
                       uint64_t *work, tm_error *error)
{
    const tm_executor *executor = of->job ? of->job->executor : NULL;
    uint32_t num = executor ? executor->threads : 1;
    num = num < num_rows ? num : num_rows;
    num += num == 0;
    band b = {of, rgba, first_row, num_rows, num, NULL, NULL, NULL};
    b.errors = must_alloc(num, sizeof *b.errors);
    b.statuses = must_alloc(num, sizeof *b.statuses);
    b.work = must_alloc(num, sizeof *b.work);
    if (num > 1) {
        executor->run(executor->ctx, num, draw_piece, &b);
    } else {
        draw_piece(&b, 0);
    }
    tm_status status = first_failure(&b, error);
    status = status ? status : add_work(&b, work, error);
    free(b.errors);
    free(b.work);
    free(b.statuses);
    return status;
}
