/* SPDX-License-Identifier: Zlib */
/* tiling_draw.c - draws the tiles of all pyramids, packs them in parallel, and writes them. */
#include "tiling.h"

enum {
    MAX_HELD =
        100000000, /* bytes of tiles in one page: browsers read it whole, a third larger than they are */
    TILE_BYTES = TM_PYRAMID_SIDE * TM_PYRAMID_SIDE * 4
};

/* The path of a tile in the folder of its level; the caller frees it. */
static char *tile_path(const cli_tiling *t, const page_part *part, uint32_t level, int32_t x, int32_t y)
{
    char *name = must_print("tiles/%s/%" PRIu32 "/%" PRId32 "_%" PRId32 ".%s", part->id, level, x, y,
                            choice_name(tile_formats, (int)t->options.picture.format)),
         *path = files_join(t->options.picture.folder, name);
    free(name);
    return path;
}

/*
 * Not flushed, as that takes longer than drawing: tiles can be made again, and the page that shows them comes
 * last.
 */
static tm_status write_tile(const cli_tiling *t, const char *path, const tm_buffer *bytes, tm_error *error)
{
    output_file file;
    tm_status status = output_open_below(&file, t->options.picture.folder, path, error);
    if (!status) {
        tm_sys_save_skip_flush(file.save);
        status = file.output.write(file.output.ctx, bytes->bytes, bytes->size, error);
    }
    return output_close(&file, status, error);
}

/* Packs a tile into its file, or into memory if it is not written yet. */
static tm_status put_tile(const cli_tiling *t, uint32_t index, tm_error *error)
{
    const tm_pyramid_cell *cell = &t->cells[index];
    picture_pixels pixels = {t->pixels + (size_t)index * TILE_BYTES, TM_PYRAMID_SIDE, TM_PYRAMID_SIDE};
    tm_buffer packed = {0};
    const tm_output output = tm_output_to_buffer(&packed);
    const picture_rows rows = picture_rows_of(&pixels, &t->options.picture, cell->alpha == TM_PYRAMID_OPAQUE);
    tm_status status = picture_put_rows(&rows, t->options.picture.format, &output, error);
    t->sizes[index] = packed.size;
    if (!status && (t->pack || t->part->kept)) {
        t->packed[index] = packed;
        return TM_OK;
    }
    char *path = tile_path(t, t->part, cell->level, cell->x, cell->y);
    status = status ? status : write_tile(t, path, &packed, error);
    free(path);
    tm_buffer_release(&packed);
    return status;
}

static tm_status put_drawn(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const cli_tiling *t = ctx;
    const tm_pyramid_cell *cell = &t->cells[index];
    const tm_pyramid_level *level = &t->part->tiles.levels[cell->level];
    (void)worker;
    (void)stop;
    if (cell->alpha != TM_PYRAMID_CLEAR)
        return put_tile(t, index, error);
    level->cells[(size_t)(cell->y - level->top) * level->width + (size_t)(cell->x - level->left)] = 0;
    return TM_OK;
}

/* A progress callback: the job counts the tiles of one part, the command those of all parts. */
static void add_progress(void *ctx, uint64_t done, uint64_t total)
{
    const cli_tiling *t = ctx;
    (void)total;
    t->job->progress(t->job->progress_ctx, t->done + done, t->planned);
}

/* Counts a tile unless it is blank. One in memory joins those of the page, or goes into the single file. */
static tm_status add_tile(cli_tiling *t, uint32_t index, tm_error *error)
{
    page_part *part = t->part;
    tm_buffer *tile = &t->packed[index];
    tm_status status = TM_OK;
    if (!t->sizes[index])
        return TM_OK;
    if (part->kept)
        part->kept[part->num_tiles] = *tile;
    if (t->pack) {
        part->packed_sizes[part->num_tiles] = tile->size;
        t->pack_size += tile->size;
        status = t->pack->write(t->pack->ctx, tile->bytes, tile->size, error);
        tm_buffer_release(tile);
    }
    part->num_tiles++;
    part->num_bytes += t->sizes[index];
    t->num_bytes += t->sizes[index];
    return status;
}

/* Draws the next `num` tiles of the part, then packs them in parallel. */
static tm_status make_some_tiles(cli_tiling *t, uint32_t num, tm_error *error)
{
    tm_tasks pieces = TM_TASKS_INIT;
    tm_job job = *t->job, drawing = *t->job;
    pieces.ctx = t;
    pieces.num = num;
    pieces.work = put_drawn;
    job.progress = job.progress ? add_progress : NULL;
    job.progress_ctx = t;
    drawing.progress = NULL;
    memset(t->sizes, 0, num * sizeof(*t->sizes));
    memset(t->packed, 0, num * sizeof(*t->packed));
    const tm_pyramid_scene scene = {&t->frame, t->picture.renderer, t->opacities, t->times[t->part->moment]};
    tm_status status = tm_pyramid_draw(t->cells, num, t->pixels, &scene, &drawing, error);
    status = status ? status : tm_tasks_run(&pieces, &job, error);
    for (uint32_t i = 0; i < num; i++)
        if (status)
            tm_buffer_release(&t->packed[i]);
        else
            status = add_tile(t, i, error);
    t->done += num;
    if (!status && t->bounded && t->num_bytes > MAX_HELD)
        status = fail(error, TM_ERROR_LIMIT,
                      "the tiles have more than 100 MB; --limit allows more, a smaller --scale needs less");
    return status;
}

static tm_pyramid_cell *cells_of(const tm_pyramid *tiles)
{
    tm_pyramid_cell *cells = must_alloc((size_t)tm_pyramid_count(tiles), sizeof(*cells));
    size_t num = 0;
    for (uint32_t l = 0; l < TM_PYRAMID_MAX_LEVELS; l++) {
        const tm_pyramid_level *level = &tiles->levels[l];
        for (size_t i = 0; i < (size_t)level->width * level->height; i++)
            if (level->cells[i])
                cells[num++] = (tm_pyramid_cell){l, level->left + (int32_t)(i % level->width),
                                                 level->top + (int32_t)(i / level->width), TM_PYRAMID_CLEAR};
    }
    return cells;
}

/*
 * Whether tiles wait in memory until all are drawn: for the single page that contains them, and where their
 * bytes are bounded, so that nothing is written when there are too many.
 */
static bool tiles_wait_in_memory(const cli_tiling *t)
{
    return t->options.picture.output || (t->bounded && !t->pack);
}

/* Writes the tiles of a part that waited in memory, in the order of cells_of. */
static tm_status write_kept_tiles(const cli_tiling *t, const page_part *part, tm_error *error)
{
    size_t num = 0;
    for (uint32_t l = 0; l < TM_PYRAMID_MAX_LEVELS; l++) {
        const tm_pyramid_level *level = &part->tiles.levels[l];
        for (size_t i = 0; i < (size_t)level->width * level->height; i++) {
            if (!level->cells[i])
                continue;
            char *path = tile_path(t, part, l, level->left + (int32_t)(i % level->width),
                                   level->top + (int32_t)(i / level->width));
            const tm_status status = write_tile(t, path, &part->kept[num++], error);
            free(path);
            TRY(status);
        }
    }
    return TM_OK;
}

/* Makes all tiles of a part, some at a time, so that not all are in memory. */
static tm_status draw_part(cli_tiling *t, page_part *part, tm_error *error)
{
    const uint32_t num = (uint32_t)part->num_tiles; /* far more do not fit in memory */
    tm_pyramid_cell *cells = cells_of(&part->tiles);
    tm_status status = TM_OK;
    part->num_tiles = 0;
    part->kept = tiles_wait_in_memory(t) ? must_alloc(num, sizeof(*part->kept)) : NULL;
    part->packed_at = t->pack_size;
    part->packed_sizes = t->pack ? must_alloc(num, sizeof(*part->packed_sizes)) : NULL;
    tiling_show(t, part, true);
    for (uint32_t first = 0, some; first < num && !status; first += some) {
        some = num - first < TILING_AT_ONCE ? num - first : TILING_AT_ONCE;
        t->cells = cells + first;
        status = make_some_tiles(t, some, error);
    }
    tiling_show(t, part, false);
    free(cells);
    return status;
}

/* Removes the parts all of whose tiles are blank at all moments. */
static void drop_blank_parts(cli_tiling *t)
{
    size_t num = 0;
    for (size_t i = 0, moments; i < t->num_parts; i += moments) {
        uint64_t tiles = 0;
        moments = t->parts[i].num_moments;
        moments = moments < t->num_parts - i ? moments : t->num_parts - i; /* planning failed between them */
        for (size_t k = i; k < i + moments; k++)
            tiles += t->parts[k].num_tiles;
        for (size_t k = i; k < i + moments; k++)
            if (tiles)
                t->parts[num++] = t->parts[k];
            else
                page_part_release(&t->parts[k]);
    }
    t->num_parts = num;
}

tm_status tiling_draw(cli_tiling *t, tm_error *error)
{
    tm_status status = TM_OK;
    t->pixels = must_alloc(TILING_AT_ONCE, TILE_BYTES);
    t->packed = must_alloc(TILING_AT_ONCE, sizeof(*t->packed));
    t->sizes = must_alloc(TILING_AT_ONCE, sizeof(*t->sizes));
    for (size_t i = 0; !status && i < t->num_parts; i++) {
        t->part = &t->parts[i];
        status = draw_part(t, &t->parts[i], error);
        if (!status && t->options.picture.output && t->num_bytes > MAX_HELD)
            status = fail(error, TM_ERROR_USAGE,
                          "the tiles have more than 100 MB, too much for one page; make a folder "
                          "(-t), or see --scale, --layers, --format and --quality");
    }
    for (size_t i = 0; !status && !t->options.picture.output && tiles_wait_in_memory(t) && i < t->num_parts;
         i++)
        status = write_kept_tiles(t, &t->parts[i], error);
    free(t->pixels);
    free(t->packed);
    free(t->sizes);
    drop_blank_parts(t);
    return status;
}
