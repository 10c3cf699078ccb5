/* SPDX-License-Identifier: Zlib */
/*
 * Draws a view of a map as its players see it, with the images of installed games, and writes it as PNG. The picture goes from the renderer to
 * the file in bands: no size is too large for memory.
 *
 *   picture MAP OUT.png X Y [WIDTH HEIGHT]     X and Y in tiles: the middle of the picture
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>

enum { MAX_VARIABLES = 16 };

/* The library reads no environment: it says which variables it has a use for, and the program hands them over. */
static tm_status find_images(tm_mapres **out, const char *map_path, tm_game game, tm_error *error)
{
    tm_mapres_variable variables[MAX_VARIABLES];
    tm_mapres_options where = TM_MAPRES_OPTIONS_INIT;
    const char *name;
    for (; where.num_variables < MAX_VARIABLES; where.num_variables++) {
        if (!(name = tm_mapres_variable_name(where.num_variables)))
            break;
        variables[where.num_variables] = (tm_mapres_variable){name, getenv(name)};
    }
    where.variables = variables;
    where.map_path = map_path;
    where.game = game;
    return tm_mapres_new(out, &where, error);
}

/* What the renderer hands over goes to the writer as it comes. */
static tm_status take_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    return tm_png_writer_rows(ctx, rgba, num_rows, row_stride, error);
}

static tm_status write_png(const tm_renderer *renderer, const tm_camera *camera, const tm_job *job,
                           const char *path, tm_error *error)
{
    tm_background black = TM_BACKGROUND_INIT;
    black.rgba[3] = 255;
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    options.opaque = true; /* as the background is */
    options.executor = job->executor;
    tm_png_writer *writer = NULL;
    tm_sys_save *save; /* the file appears when it is whole */
    tm_status status = tm_sys_save_begin(&save, path, NULL, error);
    if (status != TM_OK)
        return status;
    const tm_output output = tm_sys_save_output(save);
    status = tm_png_writer_new(&writer, &output, camera->width, camera->height, &options, error);
    if (status == TM_OK) {
        const tm_row_sink sink = {writer, take_rows};
        status = tm_renderer_stream(renderer, camera, &black, &sink, job, error);
    }
    if (status == TM_OK)
        status = tm_png_writer_finish(writer, error);
    else
        tm_png_writer_free(writer);
    if (status == TM_OK)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

static tm_status draw(const tm_map *map, tm_mapres *mapres, const tm_camera *camera, const char *path,
                      tm_error *error)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = tm_mapres_provide;
    options.provider_ctx = mapres;
    tm_sys_threads *threads = NULL;
    tm_renderer *renderer = NULL;
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    tm_status status = tm_renderer_new(&renderer, map, &options, &findings, error);
    for (size_t i = 0; i < findings.num; i++) /* images that are not installed are no failure */
        fprintf(stderr, "%s: %s\n", findings.list[i].place, findings.list[i].text);
    if (status == TM_OK)
        status = tm_sys_threads_new(&threads, 0, NULL, error); /* as many as there are processors */
    if (status == TM_OK) {
        tm_job job = TM_JOB_INIT;
        job.executor = tm_sys_threads_executor(threads);
        status = write_png(renderer, camera, &job, path, error);
        tm_sys_threads_free(threads);
    }
    tm_renderer_free(renderer);
    tm_findings_release(&findings);
    return status;
}

int main(int argc, char **argv)
{
    tm_map *map;
    tm_mapres *mapres = NULL;
    tm_error error;
    if (argc != 5 && argc != 7)
        return fprintf(stderr, "use: %s MAP OUT.png X Y [WIDTH HEIGHT]\n", argv[0]), 2;
    tm_camera camera = TM_CAMERA_INIT; /* a view at zoom 1, time 0 */
    camera.x = atof(argv[3]) * TM_TILE_PX;
    camera.y = atof(argv[4]) * TM_TILE_PX;
    camera.width = argc == 7 ? (uint32_t)atoi(argv[5]) : 1280;
    camera.height = argc == 7 ? (uint32_t)atoi(argv[6]) : 720;
    tm_status status = tm_store_load(&map, argv[1], NULL, NULL, &error);
    if (status == TM_OK)
        status = find_images(&mapres, argv[1], map->game, &error);
    if (status == TM_OK)
        status = draw(map, mapres, &camera, argv[2], &error);
    tm_mapres_free(mapres);
    tm_map_free(map);
    if (status == TM_OK)
        return 0;
    char line[512];
    tm_error_format(&error, line, sizeof(line));
    fprintf(stderr, "picture: %s\n", line);
    return 2;
}
