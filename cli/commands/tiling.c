/* SPDX-License-Identifier: Zlib */
/*
 * tiling.c - from a map to its page: plan, tiles, page.
 */
#include "tiling.h"

#include "run/files.h"

#include <teemap/codec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tm_status choose_format(tiling *t, tm_error *error)
{
    picture_options *o = &t->options.picture;
    o->format = o->format ? o->format : PICTURE_PNG;
    if (o->format == PICTURE_WEBP && !tm_webp_available())
        return fail(error, TM_ERROR_USAGE, "this teemap was built without WebP");
    return o->format == PICTURE_PNG && o->quality ? fail(error, TM_ERROR_USAGE, "--quality is for WebP only")
                                                  : TM_OK;
}

char *tiling_index(const tiling *t)
{
    const picture_options *o = &t->options.picture;
    return o->output ? must_copy(o->output) : files_join(o->folder, "index.html");
}

static tm_status write_page(const tiling *t, tm_error *error)
{
    const page all = {.name = t->name,
                      .format = choice_name(tile_formats, (int)t->options.picture.format),
                      .options = &t->options.picture,
                      .frame = &t->frame,
                      .parts = t->parts,
                      .num_parts = t->num_parts,
                      .times = t->times,
                      .num_times = t->num_times,
                      .holds_tiles = t->options.picture.output,
                      .pack = t->options.pack ? TILING_PACK : NULL,
                      .pack_size = t->pack_size};
    char *path = tiling_index(t);
    text whole = {0};
    page_put(&whole, &all);
    const tm_status status = save_bytes(path, whole.bytes, whole.size, error);
    text_release(&whole);
    free(path);
    return status;
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

/* The file is there when it is complete, right before the page that knows its places. */
static tm_status make_pack(tiling *t, tm_error *error)
{
    char *path = files_join(t->options.picture.folder, TILING_PACK);
    output_file file = {.size = 0};
    tm_status status = files_make_folders(path, error);
    status = status ? status : output_open(&file, path, error);
    t->pack = &file.output;
    status = status ? status : tiling_draw(t, error);
    status = status ? status : tiling_has_parts(t, error);
    t->pack = NULL;
    free(path);
    return output_close(&file, status, error);
}

tm_status tiling_make(tiling *t, const tm_job *job, tm_error *error)
{
    t->job = job;
    t->name = picture_default_name(t->path, "");
    tm_status status = choose_format(t, error);
    status = status ? status : tiling_plan(t, error);
    if (status)
        return status;
    take_clips_off(t->file.map);
    status = t->options.pack ? make_pack(t, error) : tiling_draw(t, error);
    status = status ? status : tiling_has_parts(t, error);
    return status ? status : write_page(t, error);
}

void tiling_release(tiling *t)
{
    for (size_t i = 0; i < t->num_parts; i++)
        page_part_release(&t->parts[i]);
    free(t->parts);
    free(t->opacities);
    free(t->name);
    picture_close(&t->picture);
    loaded_release(&t->file);
}
