/* SPDX-License-Identifier: Zlib */
/*
 * cmd_render.c - `teemap render`: a picture of a map as PNG. The camera comes from the options, or shows the whole map. The picture is drawn in
 * bands, each by all threads, and written band by band, so that its size does not matter for memory.
 */
#include "images.h"
#include "json.h"
#include "load.h"

#include <teemap/codec.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of pixels that are drawn before they are written. */
#define BAND_BYTES ((size_t)32 << 20)
/* PNG: what is beyond fits no viewer. */
#define MOST_SIDE 1000000.0

enum { TILE = 32, DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080, CHECK = 16 };

typedef struct drawing {
    cli_tool *tool;
    const char *path;
    report *to;
    const tm_job *job;
    image_folders folders;
    tm_renderer *renderer;
    tm_camera camera;
    uint8_t *pixels; /* of the band */
    uint32_t first_row, num_rows;
    tm_error *errors; /* of the pieces of a band */
    tm_status *statuses;
} drawing;

/* ------------------------------------------------------------------------------------------------- camera */

/* The game layer's area; of a map without one, the largest tile layer's. */
static void map_area(const tm_map *map, double *width, double *height)
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

static tm_status refuse(tm_error *error, const char *reason)
{
    *error = (tm_error){.code = TM_ERROR_USAGE, .offset = -1};
    strncat(error->text, reason, sizeof error->text - 1);
    return TM_ERROR_USAGE;
}

static tm_status aim(tm_camera *camera, const cli_options *options, const tm_map *map, tm_error *error)
{
    double region[4] = {options->region[0], options->region[1], options->region[2], options->region[3]};
    double width = options->width ? options->width : DEFAULT_WIDTH,
           height = options->width ? options->height : DEFAULT_HEIGHT;
    *camera = (tm_camera){.time = options->time, .zoom = options->zoom > 0 ? options->zoom : 1};
    if (options->has_view) {
        camera->kind = TM_CAMERA_VIEW;
        camera->x = options->view[0] * TILE;
        camera->y = options->view[1] * TILE;
    } else {
        camera->kind = options->flat ? TM_CAMERA_FLAT : TM_CAMERA_REGION;
        if (!options->has_region) {
            map_area(map, &region[2], &region[3]);
        }
        if (region[2] <= 0 || region[3] <= 0) {
            return refuse(error,
                          "there is nothing to show: the map has no tile layer; name a --view or a --region");
        }
        /* pixels a tile: told, or what fits the picture */
        double fit = width / region[2] < height / region[3] ? width / region[2] : height / region[3];
        double scale = options->scale > 0 ? options->scale : fit;
        width = (double)(uint64_t)(region[2] * scale + 0.5);
        height = (double)(uint64_t)(region[3] * scale + 0.5);
        width = width < 1 ? 1 : width;
        height = height < 1 ? 1 : height;
        camera->x = region[0] * TILE;
        camera->y = region[1] * TILE;
        camera->scale = scale / TILE;
    }
    if (width > MOST_SIDE || height > MOST_SIDE) {
        return refuse(
            error,
            "the picture would have more than 1000000 pixels a side; make --scale or --region smaller");
    }
    camera->width = (uint32_t)width;
    camera->height = (uint32_t)height;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- bands */

static void clear_rows(const drawing *of, uint8_t *to, uint32_t first_row, uint32_t num_rows)
{
    const cli_options *options = &of->tool->options;
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

/* The rows of one of `num` pieces of a band. */
static void piece_rows(const drawing *of, uint32_t num, uint32_t index, uint32_t *first, uint32_t *rows)
{
    *first = (uint32_t)((uint64_t)of->num_rows * index / num);
    *rows = (uint32_t)((uint64_t)of->num_rows * (index + 1) / num) - *first;
}

static uint32_t num_pieces(const drawing *of)
{
    return of->job && of->job->executor ? of->job->executor->threads : 1;
}

static void draw_piece(void *ctx, uint32_t index)
{
    drawing *of = ctx;
    uint32_t first, rows;
    piece_rows(of, num_pieces(of), index, &first, &rows);
    const size_t stride = (size_t)of->camera.width * 4;
    uint8_t *to = of->pixels + first * stride;
    clear_rows(of, to, of->first_row + first, rows);
    of->statuses[index] = tm_renderer_draw(of->renderer, &of->camera, of->first_row + first, rows, to, stride,
                                           &of->errors[index]);
}

static tm_status draw_band(drawing *of, tm_error *error)
{
    const uint32_t num = num_pieces(of);
    if (num > 1) {
        of->job->executor->run(of->job->executor->ctx, num, draw_piece, of);
    } else {
        draw_piece(of, 0);
    }
    for (uint32_t i = 0; i < num; i++) {
        if (of->statuses[i]) {
            *error = of->errors[i];
            return of->statuses[i];
        }
    }
    return TM_OK;
}

static tm_status write_bands(drawing *of, tm_png_writer *png, tm_error *error)
{
    const size_t stride = (size_t)of->camera.width * 4;
    uint32_t band = (uint32_t)(BAND_BYTES / stride);
    band = band < 1 ? 1 : band > of->camera.height ? of->camera.height : band;
    of->pixels = must_alloc(band, stride);
    of->errors = must_alloc(num_pieces(of), sizeof *of->errors);
    of->statuses = must_alloc(num_pieces(of), sizeof *of->statuses);
    tm_status status = TM_OK;
    for (of->first_row = 0; !status && of->first_row < of->camera.height; of->first_row += band) {
        const uint32_t left = of->camera.height - of->first_row;
        of->num_rows = left < band ? left : band;
        status = draw_band(of, error);
        status = status ? status : tm_png_writer_rows(png, of->pixels, of->num_rows, stride, error);
        if (!status && of->job && of->job->progress) {
            of->job->progress(of->job->progress_ctx, (uint64_t)of->first_row + of->num_rows,
                              of->camera.height);
        }
    }
    free(of->pixels);
    free(of->errors);
    free(of->statuses);
    return status;
}

/* ------------------------------------------------------------------------------------------------- output */

static tm_status write_png(drawing *of, const tm_output *output, tm_error *error)
{
    tm_png_writer *png;
    tm_status status =
        tm_png_writer_new(&png, output, of->camera.width, of->camera.height, 4, 0, NULL, error);
    if (status) {
        return status;
    }
    status = write_bands(of, png, error);
    if (status) {
        tm_png_writer_free(png);
        return status;
    }
    return tm_png_writer_finish(png, error);
}

static tm_status write_picture(drawing *of, const char *path, tm_error *error)
{
    if (strcmp(path, "-") == 0) {
        tm_output out = tm_sys_stdout();
        return write_png(of, &out, error);
    }
    tm_sys_save *save;
    tm_status status = tm_sys_save_begin(&save, path, NULL, error);
    if (status) {
        return status;
    }
    tm_output file = tm_sys_save_output(save);
    status = write_png(of, &file, error);
    if (status) {
        tm_sys_save_abort(save);
        return status;
    }
    return tm_sys_save_commit(save, error);
}

static void say_drawn(drawing *of, const char *output, const tm_findings *findings)
{
    if (of->tool->options.json) {
        json_t *object = json_make();
        json_add_text(object, "path", of->path);
        json_add_text(object, "output", output);
        json_add_int(object, "width", of->camera.width);
        json_add_int(object, "height", of->camera.height);
        json_add_findings(object, findings);
        text_json(of->to->out, object);
        text_put(of->to->out, "\n", 1);
    } else if (of->tool->options.verbose) {
        text_safe(of->to->err, output);
        text_print(of->to->err, ": %" PRIu32 " x %" PRIu32 " pixels\n", of->camera.width, of->camera.height);
    }
}

/* PATH.png beside nothing: in the current folder, under the map's name. */
static char *default_output(const char *path)
{
    const char *base = strcmp(path, "-") == 0 ? "map" : path_base(path);
    size_t length = strlen(base);
    char *output = must_alloc(length + 5, 1);
    memcpy(output, base, length + 1);
    if (length > 4 && strcmp(base + length - 4, ".map") == 0) {
        length -= 4;
    }
    memcpy(output + length, ".png", 5);
    return output;
}

static tm_status render(drawing *of, loaded *file, const char *output, tm_error *error)
{
    const cli_options *options = &of->tool->options;
    tm_render_options how = TM_RENDER_OPTIONS_INIT;
    tm_status status = aim(&of->camera, options, file->map, error);
    if (status) {
        return status;
    }
    image_folders_find(&of->folders, options, of->path, file->map->game);
    how.provider = image_folders_get;
    how.provider_ctx = &of->folders;
    how.missing = options->missing;
    how.no_detail = options->no_detail;
    status = tm_renderer_new(&of->renderer, file->map, &how, &file->findings, error);
    status = status ? status : write_picture(of, output, error);
    tm_renderer_free(of->renderer);
    image_folders_release(&of->folders);
    return status;
}

static void work(void *ctx, size_t index, const tm_job *job, report *to)
{
    (void)index;
    cli_tool *tool = ctx;
    drawing of = {.tool = tool, .path = tool->operands[0], .to = to, .job = job};
    char *made = tool->options.output ? NULL : default_output(of.path);
    const char *output = made ? made : tool->options.output;
    const bool standard = strcmp(output, "-") == 0;
    loaded file;
    load_map(&file, of.path, tool->options.mode, false);
    tm_status status = file.status;
    if (!status && standard && tm_sys_stdout_is_terminal()) {
        status = refuse(&file.error, "a picture is nothing for a terminal; use -o FILE or a pipe");
    } else if (!status && standard && tool->options.json) {
        status = refuse(&file.error, "standard output cannot take both the picture and JSON");
    }
    status = status ? status : render(&of, &file, output, &file.error);
    report_findings(tool, to, of.path, &file.findings, false);
    if (!status) {
        say_drawn(&of, output, &file.findings);
    } else if (standard && status == TM_ERROR_IO && file.opened) {
        tool->out.error = file.error; /* told at the end, unless the reader just went away */
    } else {
        report_error(to, of.path, &file.error);
    }
    loaded_release(&file);
    free(made);
}

int cmd_render(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool_each(tool, &path, 1, work, tool);
    return STATUS_DONE;
}
