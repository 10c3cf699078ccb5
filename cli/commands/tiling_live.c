/* SPDX-License-Identifier: Zlib */
/*
 * tiling_live.c - the map and a page whose visitors' browsers draw it, in place of a pyramid of tiles; and
 * what fills <teemap-view>, the element that draws, on this page and on those of galleries.
 */
#include "tiling.h"

#include "run/files.h"

#define COPY "live.map"

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
    t->job = job;
    t->name = picture_default_name(t->path, "");
    TRY(save_copy(t, error));
    char *path = tiling_index(t);
    const live_view view = {.map = t->file.map,
                            .script = t->options.live,
                            .up = "",
                            .src = COPY,
                            .images = "mapres",
                            .label = t->name,
                            .view = "all",
                            .options = &t->options.picture};
    const tm_status status = save_page(path, live_page, live_view_values(&view), error);
    free(path);
    return status;
}

json_t *live_view_values(const live_view *of)
{
    const picture_options *options = of->options;
    const bool moves = tm_mapfile_features(of->map) >> TM_FEATURE_ENVELOPES & 1,
               stands = of->script[0] == '/' || strstr(of->script, "://");
    char *script = must_print("%s%s", stands ? "" : of->up, of->script);
    json_t *object = json_object(
        JSON_TEXT("script", script), JSON_TEXT("src", of->src), JSON_TEXT("images", of->images),
        JSON_TEXT("label", of->label), JSON_TEXT("view", of->view), JSON_TEXT("layers", options->layers),
        JSON_BOOL("draws_entities", !!options->entities), JSON_TEXT("entities", options->entities),
        JSON_VALUE("time", options->time > 0 ? json_real(options->time) : NULL),
        JSON_BOOL("motion", moves && !of->still));
    free(script);
    return object;
}
