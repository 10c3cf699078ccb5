/* SPDX-License-Identifier: Zlib */
/*
 * best_picture.c - finds the view, and shows entities of a map whose design shows nothing.
 */
#include "best_picture.h"

/*
 * With something to see in a smaller share of squares than this, two of thirty-six, a view counts as empty.
 */
#define BARE 0.06

/* Opens the picture and finds the view. */
static tm_status look_for_view(best_picture *of, const char *path, loaded *file, const tm_job *job,
                               tm_error *error)
{
    const picture_options *options = &of->options;
    const tm_camera camera = {.size = sizeof(tm_camera),
                              .width = options->size.width,
                              .height = options->size.height,
                              .time = options->time};
    tm_status status = picture_open(&of->picture, options, &camera, path, file, job, error);
    uint32_t num;
    if (!status)
        status = picture_hint_limit(
            tm_preview_views(&of->view, &num, 1, of->picture.renderer, &of->picture.camera, error), error);
    if (!status)
        tm_preview_set_view(&of->picture.camera, &of->view);
    return status;
}

/* The design shows nothing: then what the layers of physics hold tells about the map. */
static tm_status look_at_entities(best_picture *of, const char *path, loaded *file, const tm_job *job)
{
    loaded again = {.map = file->map}; /* what is odd was told the first time */
    picture_close(&of->picture);
    of->options.layers = "design";
    of->options.entities = "";
    of->shows_entities = true;
    tm_findings_init(&again.findings, 0, NULL);
    const tm_status status = look_for_view(of, path, &again, job, &file->error);
    tm_findings_release(&again.findings);
    return status;
}

tm_status best_picture_open(best_picture *out, const picture_options *options, const char *path, loaded *file,
                            const tm_job *job)
{
    *out = (best_picture){.options = *options};
    tm_status status = look_for_view(out, path, file, job, &file->error);
    const bool shows_little = out->view.lively < BARE || picture_lacks_all_images(file);
    if (!status && shows_little && !options->layers && !options->entities)
        status = look_at_entities(out, path, file, job);
    out->blank = out->view.coverage <= 0;
    return status;
}

void best_picture_close(best_picture *of)
{
    picture_close(&of->picture);
}
