/* SPDX-License-Identifier: Zlib */
/*
 * cmd_tiles.c - `teemap tiles`: a deep-zoom pyramid of each group, and of each physics layer, and a page that
 * lays them over one another. What there is to draw is known before anything is written (teemap/preview.h).
 * Tiles are drawn and packed side by side, one by each thread. The page comes last: it alone says which tiles
 * there are, so nobody sees what an earlier run left, or one that was ended.
 */
#include "run/files.h"
#include "output/json.h"
#include "page.h"
#include "run/picture.h"

#include <teemap/codec.h>
#include <teemap/jobs.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

static const option_row tiles_rows[] = {
    TARGET_ROW(picture_options, "write the page and the tiles into this folder"),
    FORMAT_ROW(tile_formats, "what the tiles are written as (default png)"),
    PACKING_ROWS,
    JSON_ONE_ROW,
    SCALE_ROW(1, 256, "32", "pixels that a tile of the map has at the largest scale; a power of two"),
    MOMENT_ROW,
    LAYERS_ROW,
    ENTITIES_ROW(
        "of the physics layers take these alone: a list of game,front,tele,speedup,switch,tune; without "
        "it all, switched off in the page"),
    LOOK_ROWS,
    IMAGE_ROWS("none"),
    LIMIT_ROW(
        "200G",
        "refuse maps that cost more than this, counting the pixels of all layers of all tiles; k, M and G stand "
        "for thousands, millions and billions"),
    MEMORY_ROW,
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("notes about the file too"),
    QUIET_ROW,
    {0},
};

static int cmd_tiles(cli_tool *tool);

const command tiles_command = {
    .name = "tiles",
    .summary = "a map to zoom into: a pyramid of tiles and a page that shows it in a browser",
    .usages = {"[OPTION]... -t DIR MAP"},
    .text =
        "Draws the whole map at many scales, cut into squares of 256 pixels, and writes DIR/index.html, which "
        "shows them: open it in a browser, from the disk or from a web server. It pans and zooms by mouse, touch "
        "and keys, switches groups and physics layers, tells the coordinates, and keeps the place in its address, "
        "so that it can be sent to somebody. It loads nothing from the network.\n\n"
        "Each group has a pyramid of its own in DIR/tiles, and so has each physics layer. Squares on which nothing "
        "is drawn are left out. All that lies in the game layer's area is drawn, and a border of 24 tiles left and "
        "right and 17 above and below, which is as far as a player sees.\n\n"
        "A pyramid in DIR is replaced. The page is written last and names the squares that belong to it; what an "
        "earlier one left is not shown.",
    .rows = tiles_rows,
    .options_size = sizeof(picture_options),
    .examples = {{"tiles Tutorial.map -t tutorial && xdg-open tutorial/index.html", "look around in a map"},
                 {"tiles Tutorial.map -t tutorial --scale 64", "twice as deep, for large screens"},
                 {"tiles Tutorial.map -t tutorial --layers design", "without the physics layers"}},
    .min_operands = 1,
    .max_operands = 1,
    .operands = {OPERAND_MAP},
    .searches_images = true,
    .findings = PICTURE_STATUS_1,
    .run = cmd_tiles,
};

typedef struct spot {
    uint32_t level;
    size_t index; /* in the level's rectangle */
} spot;

typedef struct tiling {
    cli_tool *tool;
    picture_options *options;
    const char *path;
    char *name; /* of the map */
    loaded file;
    picture picture;
    const tm_job *job;
    tm_pyramid_frame frame;
    page_part *parts;
    size_t num_parts;
    uint64_t planned, done; /* tiles of all parts */
    picture_format format;  /* index in `formats` */
    /* of the part that is drawn */
    page_part *part;
    float *opacities; /* of all layers: those of the part, 0 for the others */
    const spot *spots;
    size_t *sizes; /* bytes of the files; 0 for tiles that turned out to be blank */
} tiling;

/* --------------------------------------------------------------------------------------------------- plan */

static bool belongs(const tm_layer *layer, bool physics, const picture_options *options)
{
    const tm_layer_rule *rule = tm_rules_layer(layer->kind);
    return rule->is_physics == physics && (physics || !layer->detail || options->detail);
}

/* What helps when planning reached a limit. */
static tm_status advise_scale(tm_status status, tm_error *error)
{
    if (status == TM_ERROR_LIMIT)
        strncat(error->text, "; a smaller --scale needs fewer",
                sizeof(error->text) - strlen(error->text) - 1);
    return status;
}

/* Adds one part if it has anything to draw. */
static tm_status plan_part(tiling *t, page_part part, tm_error *error)
{
    snprintf(part.id, sizeof(part.id), part.physics ? "%u-%u" : "%u", (unsigned)part.group,
             (unsigned)part.layer);
    const tm_status status =
        tm_pyramid_plan(&part.tiles, &t->frame, part.group, part.shown, t->picture.camera.time, error);
    part.num_tiles = tm_pyramid_count(&part.tiles);
    if (status || part.num_tiles == 0) {
        tm_pyramid_release(&part.tiles);
        free(part.shown);
        return advise_scale(status, error);
    }
    part.clipped = tm_pyramid_is_clipped(t->file.map, part.group);
    t->planned += part.num_tiles;
    t->parts = must_resize(t->parts, t->num_parts + 1, sizeof(*t->parts));
    t->parts[t->num_parts++] = part;
    return TM_OK;
}

/* `all`: the factors of the group's layers that were asked for. */
static tm_status plan_group(tiling *t, uint32_t group, const float *all, bool physics, tm_error *error)
{
    const tm_group *of = &t->file.map->groups[group];
    page_part part = {.group = group, .physics = physics};
    tm_status status = TM_OK;
    for (uint32_t l = 0; !status && l < of->num_layers; l++) {
        if (!belongs(&of->layers[l], physics, t->options) || !(all[l] > 0))
            continue;
        if (!part.shown)
            part.shown = must_alloc(of->num_layers, sizeof(*part.shown));
        part.shown[l] = all[l];
        if (physics) {
            part.layer = l;
            status = plan_part(t, part, error);
            part.shown = NULL;
        }
    }
    return status || !part.shown ? status : plan_part(t, part, error);
}

static tm_status has_parts(const tiling *t, tm_error *error)
{
    return t->num_parts ? TM_OK : picture_refuse(error, "there is nothing in the map to draw");
}

/* The design from back to front, then what stands over it. */
static tm_status plan_parts(tiling *t, tm_error *error)
{
    const tm_map *map = t->file.map;
    const uint64_t limit = t->options->limit;
    double cost = 0;
    for (int physics = 0; physics < 2; physics++) {
        const float *all = t->picture.opacities;
        for (uint32_t g = 0; g < map->num_groups; all += map->groups[g++].num_layers) {
            const size_t before = t->num_parts;
            const tm_status status = plan_group(t, g, all, physics, error);
            if (status)
                return status;
            for (size_t i = before; i < t->num_parts; i++)
                cost += t->parts[i].tiles.cost;
            if (cost > (double)limit) {
                *error = (tm_error){.code = TM_ERROR_LIMIT, .offset = -1};
                snprintf(error->text, sizeof(error->text),
                         "drawing all tiles would cost more than %" PRIu64
                         " pixels; see --scale, --layers and --limit",
                         limit);
                return TM_ERROR_LIMIT;
            }
        }
    }
    return has_parts(t, error);
}

static tm_status plan_tiles(tiling *t, tm_error *error)
{
    picture_options *options = t->options;
    const double pixels = options->scale;
    const uint32_t whole = (uint32_t)pixels;
    if (whole < 1 || whole > TM_PYRAMID_SIDE || (double)whole != pixels || (whole & (whole - 1)))
        return picture_refuse(error, "--scale must be a power of two here, from 1 to 256");
    tm_status status = tm_pyramid_frame_init(&t->frame, t->file.map, whole, error);
    if (status)
        return advise_scale(status, error);
    if (!options->layers && !options->entities)
        options->layers = "design,physics"; /* the page switches them */
    const tm_camera camera = {.size = sizeof(tm_camera),
                              .kind = TM_CAMERA_FLAT,
                              .width = TM_PYRAMID_SIDE,
                              .height = TM_PYRAMID_SIDE,
                              .time = options->time};
    status = picture_open(&t->picture, options, &camera, t->path, &t->file, NULL, error);
    return status ? status : plan_parts(t, error);
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* Ends with the folder of a level, or with a tile; the caller's to free. */
static char *path_of(const tiling *t, uint32_t level, const char *file)
{
    const char *folder = t->options->folder;
    text path = {0};
    text_print(&path, "%s%stiles/%s/%" PRIu32 "/%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
               t->part->id, level, file);
    text_put(&path, "", 1);
    return path.bytes;
}

static tm_status fail_file(tm_error *error, const char *path)
{
    const int reason = errno;
    *error = (tm_error){.code = TM_ERROR_IO, .side = TM_SIDE_OUTPUT, .offset = -1, .system = reason};
    snprintf(error->path, sizeof(error->path), "%s", path);
    snprintf(error->text, sizeof(error->text), "cannot write: %s", strerror(reason));
    return TM_ERROR_IO;
}

/*
 * Tiles need not be there whole or not at all, nor outlive a power failure: the page that shows them is
 * written last. Waiting for the disk after each would take longer than drawing it.
 */
static tm_status put_file(const char *path, const tm_buffer *bytes, tm_error *error)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return fail_file(error, path);
    const bool fine = fwrite(bytes->bytes, 1, bytes->size, file) == bytes->size;
    const tm_status status = fine ? TM_OK : fail_file(error, path);
    return fclose(file) != 0 && !status ? fail_file(error, path) : status;
}

static tm_status pack_png(const tm_output *output, const uint8_t *pixels, bool opaque,
                          const picture_options *options, tm_error *error)
{
    tm_png_options how = TM_PNG_OPTIONS_INIT;
    how.opaque = opaque;
    how.smallest = options->compress;
    return tm_png_write(output, pixels, TM_PYRAMID_SIDE, TM_PYRAMID_SIDE, &how, error);
}

static tm_status pack_webp(const tm_output *output, const uint8_t *pixels, bool opaque,
                           const picture_options *options, tm_error *error)
{
    tm_webp_options how = TM_WEBP_OPTIONS_INIT;
    tm_webp_writer *writer;
    how.opaque = opaque;
    how.smallest = options->compress;
    how.quality = (int)options->quality;
    tm_status status = tm_webp_writer_new(&writer, output, TM_PYRAMID_SIDE, TM_PYRAMID_SIDE, &how, error);
    if (status)
        return status;
    status = tm_webp_writer_rows(writer, pixels, TM_PYRAMID_SIDE, (size_t)TM_PYRAMID_SIDE * 4, error);
    if (status) {
        tm_webp_writer_free(writer);
        return status;
    }
    return tm_webp_writer_finish(writer, error);
}

static tm_status choose_format(tiling *t, tm_error *error)
{
    t->format = t->options->format ? t->options->format : PICTURE_PNG;
    if (t->format == PICTURE_WEBP && !tm_webp_available())
        return picture_refuse(error, "this teemap was built without WebP");
    return t->format == PICTURE_PNG && t->options->quality
               ? picture_refuse(error, "--quality is for WebP only")
               : TM_OK;
}

static tm_status put_tile(const tiling *t, const char *path, const uint8_t *pixels, bool opaque, size_t *size,
                          tm_error *error)
{
    tm_buffer packed = {0};
    const tm_output output = tm_output_to_buffer(&packed);
    tm_status status =
        (t->format == PICTURE_WEBP ? pack_webp : pack_png)(&output, pixels, opaque, t->options, error);
    status = status ? status : put_file(path, &packed, error);
    *size = packed.size;
    tm_buffer_release(&packed);
    return status;
}

static tm_status draw_tile(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tiling *t = ctx;
    (void)worker;
    (void)stop;
    const spot *at = &t->spots[index];
    tm_pyramid_level *level = &t->part->tiles.levels[at->level];
    const int32_t x = level->left + (int32_t)(at->index % level->width),
                  y = level->top + (int32_t)(at->index / level->width);
    uint8_t *pixels = must_alloc((size_t)TM_PYRAMID_SIDE * TM_PYRAMID_SIDE, 4);
    tm_pyramid_alpha alpha;
    t->sizes[index] = 0;
    tm_status status = tm_pyramid_draw(&alpha, pixels, &t->frame, t->picture.renderer, at->level, x, y,
                                       t->opacities, t->picture.camera.time, error);
    if (!status && alpha == TM_PYRAMID_CLEAR) {
        level->cells[at->index] = 0;
    } else if (!status) {
        char file[48];
        snprintf(file, sizeof(file), "%" PRId32 "_%" PRId32 ".%s", x, y,
                 choice_name(tile_formats, (int)t->format));
        char *path = path_of(t, at->level, file);
        status = put_tile(t, path, pixels, alpha == TM_PYRAMID_OPAQUE, &t->sizes[index], error);
        free(path);
    }
    free(pixels);
    return status;
}

/* The job counts the tiles of one part. */
static void add_progress(void *ctx, uint64_t done, uint64_t total)
{
    const tiling *t = ctx;
    (void)total;
    t->job->progress(t->job->progress_ctx, t->done + done, t->planned);
}

/* All tiles of the part, side by side. */
static tm_status draw_tiles_of_part(tiling *t, uint32_t num, tm_error *error)
{
    tm_pieces pieces = TM_PIECES_INIT;
    tm_job job = *t->job;
    pieces.ctx = t;
    pieces.num = num;
    pieces.work = draw_tile;
    job.progress = job.progress ? add_progress : NULL;
    job.progress_ctx = t;
    const tm_status status = tm_pieces_run(&pieces, &job, error);
    for (uint32_t i = 0; !status && i < num; i++) {
        t->part->num_tiles += t->sizes[i] > 0;
        t->part->num_bytes += t->sizes[i];
    }
    t->done += num;
    return status;
}

static spot *spots_of(const tm_pyramid *tiles)
{
    spot *spots = must_alloc((size_t)tm_pyramid_count(tiles), sizeof(*spots));
    size_t num = 0;
    for (uint32_t l = 0; l < TM_PYRAMID_MAX_LEVELS; l++) {
        const tm_pyramid_level *level = &tiles->levels[l];
        for (size_t i = 0; i < (size_t)level->width * level->height; i++)
            if (level->cells[i])
                spots[num++] = (spot){l, i};
    }
    return spots;
}

static bool make_folders(const tiling *t)
{
    bool fine = true;
    for (uint32_t l = 0; fine && l < t->frame.num_levels; l++) {
        if (t->part->tiles.levels[l].width) {
            char *path = path_of(t, l, "");
            fine = files_make_way(t->tool, path);
            free(path);
        }
    }
    return fine;
}

static tm_status draw_part(tiling *t, page_part *part, tm_error *error)
{
    const tm_map *map = t->file.map;
    const uint32_t num = (uint32_t)part->num_tiles; /* far more do not fit in memory */
    size_t first = 0;
    for (uint32_t g = 0; g < part->group; g++)
        first += map->groups[g].num_layers;
    t->part = part;
    part->num_tiles = 0;
    memcpy(t->opacities + first, part->shown, map->groups[part->group].num_layers * sizeof(float));
    spot *spots = spots_of(&part->tiles);
    t->spots = spots;
    t->sizes = must_alloc(num, sizeof(*t->sizes));
    const tm_status status = draw_tiles_of_part(t, num, error);
    free(t->sizes);
    free(spots);
    memset(t->opacities + first, 0, map->groups[part->group].num_layers * sizeof(float));
    return status;
}

static void release_part(page_part *part)
{
    tm_pyramid_release(&part->tiles);
    free(part->shown);
}

/* Some parts turn out to show nothing: their tiles are clear all over. */
static void drop_blank_parts(tiling *t)
{
    size_t num = 0;
    for (size_t i = 0; i < t->num_parts; i++)
        if (t->parts[i].num_tiles)
            t->parts[num++] = t->parts[i];
        else
            release_part(&t->parts[i]);
    t->num_parts = num;
}

static tm_status draw_parts(tiling *t, bool *told, tm_error *error)
{
    tm_status status = TM_OK;
    t->opacities = must_alloc(tm_map_num_layers(t->file.map), sizeof(*t->opacities));
    for (size_t i = 0; !status && i < t->num_parts; i++) {
        t->part = &t->parts[i];
        *told = !make_folders(t);
        status = *told ? TM_ERROR_IO : draw_part(t, &t->parts[i], error);
    }
    free(t->opacities);
    drop_blank_parts(t);
    return status;
}

/* --------------------------------------------------------------------------------------------------- page */

static char *index_path(const tiling *t)
{
    const char *folder = t->options->folder;
    const size_t length = strlen(folder), size = length + 16;
    char *path = must_alloc(size, 1);
    snprintf(path, size, "%s%sindex.html", folder, folder[length - 1] == '/' ? "" : "/");
    return path;
}

static tm_status write_page(const tiling *t, tm_error *error)
{
    const page all = {.name = t->name,
                      .format = choice_name(tile_formats, (int)t->format),
                      .options = t->options,
                      .frame = &t->frame,
                      .parts = t->parts,
                      .num_parts = t->num_parts};
    char *path = index_path(t);
    text whole = {0};
    page_put(&whole, &all);
    const tm_status status = save_text(path, &whole, error);
    text_release(&whole);
    free(path);
    return status;
}

/* ---------------------------------------------------------------------------------------------- reporting */

static void put_pyramid_json(const tiling *t, report *to, const char *output, uint64_t tiles, uint64_t bytes)
{
    json_t *object = json_make(), *parts = json_array();
    json_add_text(object, "path", t->path);
    json_add_text(object, "output", output);
    json_add(object, "scale", json_real(t->frame.scale * TM_TILE_PX));
    json_add_int(object, "levels", t->frame.num_levels);
    json_add_int(object, "tiles", (int64_t)tiles);
    json_add_int(object, "bytes", (int64_t)bytes);
    for (size_t i = 0; i < t->num_parts; i++) {
        const page_part *part = &t->parts[i];
        const tm_address at = {part->physics ? TM_ADDRESS_LAYER : TM_ADDRESS_GROUP, part->group, part->layer};
        char address[64];
        json_t *one = json_make();
        tm_address_format(&at, address, sizeof(address));
        json_add_text(one, "address", address);
        json_add_text(one, "folder", part->id);
        json_add_bool(one, "physics", part->physics);
        json_add_int(one, "tiles", (int64_t)part->num_tiles);
        json_add_int(one, "bytes", (int64_t)part->num_bytes);
        json_append(parts, one);
    }
    json_add(object, "pyramids", parts);
    json_add_findings(object, &t->file.findings);
    text_json(to->out, object);
    text_put(to->out, "\n", 1);
}

static void say_tiles_done(const tiling *t, report *to)
{
    uint64_t tiles = 0, bytes = 0;
    char *output = index_path(t);
    for (size_t i = 0; i < t->num_parts; i++) {
        tiles += t->parts[i].num_tiles;
        bytes += t->parts[i].num_bytes;
    }
    if (t->tool->common->json) {
        put_pyramid_json(t, to, output, tiles, bytes);
    } else if (!t->tool->common->quiet) {
        text_safe(to->out, output);
        text_print(to->out, ": %" PRIu64 " tiles on %" PRIu32 " levels, ", tiles, t->frame.num_levels);
        text_bytes(to->out, bytes);
        text_string(to->out, "\n");
    }
    free(output);
}

static void tiling_release(tiling *t)
{
    for (size_t i = 0; i < t->num_parts; i++)
        release_part(&t->parts[i]);
    free(t->parts);
    free(t->name);
    picture_close(&t->picture);
    loaded_release(&t->file);
}

/*
 * Where a group with parallax is clipped depends on where one stands, so the page does it; its tiles show
 * all.
 */
static void take_clips_off(tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        map->groups[g].use_clipping = tm_pyramid_keeps_clip(map, g);
}

static void tile_map(void *ctx, size_t index, const tm_job *job, report *to)
{
    (void)index;
    tiling *t = ctx;
    tm_error *error = &t->file.error;
    bool told = false;
    t->job = job;
    load_map(&t->file, t->path, t->tool->common->mode, false);
    tm_status status = t->file.status ? t->file.status : choose_format(t, error);
    status = status ? status : plan_tiles(t, error);
    const bool planned = !status;
    if (planned) {
        take_clips_off(t->file.map);
        status = draw_parts(t, &told, error);
        status = status ? status : has_parts(t, error);
        status = status ? status : write_page(t, error);
    }
    picture_report(t->tool, to, &t->picture, t->path, &t->file);
    if (!status)
        say_tiles_done(t, to);
    else if (told)
        worsen(&to->status, STATUS_TROUBLE);
    else
        report_error(t->tool, to, t->path, error);
    tiling_release(t);
}

static int cmd_tiles(cli_tool *tool)
{
    tiling t = {.tool = tool, .options = tool->options, .path = tool->operands[0]};
    if (!t.options->folder) {
        tool_trouble(tool, tool->command->name, "where to? give -t DIR");
        return STATUS_TROUBLE;
    }
    t.name = picture_default_name(t.path, "");
    tool->unit = "tiles";
    tool_each(tool, &t.path, 1, tile_map, &t);
    return STATUS_DONE;
}
