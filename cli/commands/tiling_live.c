/* SPDX-License-Identifier: Zlib */
/* tiling_live.c - the map and a page whose visitors' browsers draw it, in place of a pyramid of tiles. */
#include "tiling.h"

#include "live_view.h"
#include "output/html.h"
#include "run/files.h"

#include <stdlib.h>

#define COPY "live.map"

static void put_title(text *out, const void *ctx)
{
    html_text(out, ((const tiling *)ctx)->name);
}

static void put_live_policy(text *out, const void *ctx)
{
    (void)ctx;
    live_put_policy(out);
}

static void put_view_script(text *out, const void *ctx)
{
    live_put_script(out, ((const tiling *)ctx)->options.live, "");
}

static void put_view(text *out, const void *ctx)
{
    const tiling *t = ctx;
    live_put_view(out, &(live_view){.map = t->file.map,
                                    .src = COPY,
                                    .images = "mapres",
                                    .label = t->name,
                                    .view = "all",
                                    .options = &t->options.picture});
    text_string(out, "The map is drawn by a script." LIVE_VIEW_END);
}

static tm_status save_copy(tiling *t, tm_error *error)
{
    char *path = files_join(t->options.picture.folder, COPY);
    output_file file = {.size = 0};
    tm_status status = files_make_folders(path, error);
    status = status ? status : output_open(&file, path, error);
    status = status ? status : tm_mapfile_save(t->file.map, &file.output, NULL, t->job, NULL, error);
    status = output_close(&file, status, error);
    t->pack_size = file.size;
    free(path);
    return status;
}

/* The page comes last, as that of a pyramid does. */
tm_status tiling_make_live(tiling *t, const tm_job *job, tm_error *error)
{
    static const html_place places[] = {{"@POLICY@", put_live_policy},
                                        {"@TITLE@", put_title},
                                        {"@SCRIPT@", put_view_script},
                                        {"@VIEW@", put_view}};
    t->job = job;
    t->name = picture_default_name(t->path, "");
    TRY(save_copy(t, error));
    char *path = tiling_index(t);
    text whole = {0};
    html_fill(&whole, live_page, places, sizeof(places) / sizeof(places[0]), t);
    const tm_status status = save_bytes(path, whole.bytes, whole.size, error);
    text_release(&whole);
    free(path);
    return status;
}
