/* SPDX-License-Identifier: Zlib */
/*
 * Option structs: every one, through every function that takes it, with every size. A caller that forgot the size was
 * once read as "nothing" by the renderer, as "all of it" by most, and never asked by loading and saving.
 */
#include "support/files.h"
#include "support/lib_maps.h"
#include "support/memory.h"

#include <teemap/teemap.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the functions work on. */
static tm_buffer file;
static tm_map *map;
static tm_datafile *datafile;
static tm_renderer *renderer;
static const uint8_t pixels[16 * 16 * 4];

/* ---------------------------------------------------------------------------------------- functions that take them */

static tm_input in_memory(void)
{
    return tm_input_from_memory(file.bytes, file.size);
}

static tm_status no_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx;
    (void)bytes;
    (void)size;
    (void)error;
    return TM_OK;
}

static const tm_output nowhere = {NULL, no_write, NULL};

static tm_status no_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t stride, tm_error *error)
{
    (void)rgba;
    (void)num_rows;
    return no_write(ctx, NULL, stride, error);
}

static const tm_row_sink no_picture = {NULL, no_rows};

static tm_status no_visit(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    (void)index;
    (void)state;
    return no_write(ctx, bytes, (size_t)size, NULL);
}

static tm_status map_new(const void *options, tm_error *error)
{
    tm_map *made;
    const tm_status status = tm_map_new(&made, options, error);
    tm_map_free(made);
    return status;
}

static tm_status map_import(const void *options, tm_error *error)
{
    return tm_map_import(NULL, map, TM_OBJECT_ENVELOPE, 0, map, 0, options, error);
}

static tm_status map_import_layer(const void *options, tm_error *error)
{
    return tm_map_import_layer(map, 1, 0, map, 1, 0, options, error);
}

static tm_status write_files(const void *options, const void *job, tm_error *error)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    const tm_status status = tm_mapdir_write(map, &out, options, job, NULL, error);
    tm_memory_files_release(&files);
    return status;
}

static tm_status mapdir_write(const void *options, tm_error *error)
{
    return write_files(options, NULL, error);
}

static tm_status mapdir_write_job(const void *options, tm_error *error)
{
    return write_files(NULL, options, error);
}

static tm_status read_files(const void *options, const void *job, tm_error *error)
{
    tm_memory_files files = {0};
    const tm_files_out out = tm_memory_files_out(&files);
    tm_map *read = NULL;
    assert_int_equal(tm_mapdir_write(map, &out, NULL, NULL, NULL, NULL), TM_OK);
    const tm_files_in in = tm_memory_files_in(&files);
    const tm_status status = tm_mapdir_read(&read, NULL, &in, options, job, NULL, error);
    tm_map_free(read);
    tm_memory_files_release(&files);
    return status;
}

static tm_status mapdir_read(const void *options, tm_error *error)
{
    return read_files(options, NULL, error);
}

static tm_status mapdir_read_job(const void *options, tm_error *error)
{
    return read_files(NULL, options, error);
}

static tm_status preview_equal(const void *options, tm_error *error)
{
    bool equal;
    return tm_preview_equal(&equal, map, map, options, NULL, 0, error);
}

static tm_status edit_run(const void *options, tm_error *error)
{
    return tm_edit_run(map, tm_edit_find("join all"), NULL, 0, options, NULL, error);
}

static tm_status edit_script_run(const void *options, tm_error *error)
{
    tm_edit_script *script;
    const char *const words[] = {"join", "all"};
    tm_status status = tm_edit_script_from_words(&script, words, 2, NULL, error);
    if (!status)
        status = tm_edit_script_run(map, script, options, NULL, error);
    tm_edit_script_free(script);
    return status;
}

static tm_status convert_run(const void *options, tm_error *error)
{
    return tm_convert_run(map, options, NULL, error);
}

static tm_status patch_make(const void *options, tm_error *error)
{
    tm_patch *made;
    const tm_status status = tm_patch_make(&made, map, map, options, error);
    tm_patch_free(made);
    return status;
}

static tm_status patch_read(const void *options, tm_error *error)
{
    static const char text[] =
        "{\"teemap_patch\": 1, \"sides\": [{\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], "
        "\"names\": {}}, {\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], \"names\": {}}], "
        "\"pairs\": {}, \"changes\": []}";
    tm_patch *read;
    const tm_status status = tm_patch_read(&read, text, strlen(text), options, error);
    tm_patch_free(read);
    return status;
}

static tm_status patch_apply(const void *options, tm_error *error)
{
    tm_patch *made;
    assert_int_equal(tm_patch_make(&made, map, map, NULL, NULL), TM_OK);
    const tm_status status = tm_patch_apply(map, made, options, NULL, error);
    tm_patch_free(made);
    return status;
}

static tm_status patch_narrow(const void *options, tm_error *error)
{
    tm_patch *made, *narrow;
    assert_int_equal(tm_patch_make(&made, map, map, NULL, NULL), TM_OK);
    const tm_status status = tm_patch_narrow(&narrow, made, options, error);
    tm_patch_free(narrow);
    tm_patch_free(made);
    return status;
}

static tm_status map_merge(const void *options, tm_error *error)
{
    tm_map *merged;
    tm_conflicts *conflicts;
    const tm_status status = tm_map_merge(&merged, &conflicts, map, map, map, options, NULL, error);
    tm_conflicts_free(conflicts);
    tm_map_free(merged);
    return status;
}

static bool see_nothing(void *ctx, const tm_match *match)
{
    (void)ctx, (void)match;
    return true;
}

static tm_status map_find(const void *options, tm_error *error)
{
    return tm_map_find(map, NULL, 0, options, see_nothing, NULL, error);
}

static tm_status map_new_limits(const void *limits, tm_error *error)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    options.limits = limits;
    return map_new(&options, error);
}

static tm_status datafile_open(const void *options, tm_error *error)
{
    tm_datafile *opened;
    const tm_status status = tm_datafile_open(&opened, in_memory(), options, NULL, error);
    tm_datafile_close(opened);
    return status;
}

static tm_status datafile_open_limits(const void *limits, tm_error *error)
{
    tm_datafile_options options = TM_DATAFILE_OPTIONS_INIT;
    options.limits = limits;
    return datafile_open(&options, error);
}

static tm_status store_open_datafile(const void *options, tm_error *error)
{
    tm_datafile *opened;
    const tm_status status = tm_store_open_datafile(&opened, "a.map", options, NULL, error);
    tm_datafile_close(opened);
    return status;
}

static tm_status mapfile_load(const void *options, tm_error *error)
{
    tm_map *loaded;
    const tm_status status = tm_mapfile_load(&loaded, in_memory(), options, NULL, error);
    tm_map_free(loaded);
    return status;
}

static tm_status mapfile_load_limits(const void *limits, tm_error *error)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.limits = limits;
    return mapfile_load(&options, error);
}

static tm_status store_load(const void *options, tm_error *error)
{
    tm_map *loaded;
    const tm_status status = tm_store_load(&loaded, "a.map", options, NULL, error);
    tm_map_free(loaded);
    return status;
}

static tm_status store_load_limits(const void *limits, tm_error *error)
{
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.limits = limits;
    return store_load(&options, error);
}

static tm_status mapfile_save(const void *options, tm_error *error)
{
    return tm_mapfile_save(map, &nowhere, options, NULL, NULL, error);
}

static tm_status mapfile_save_job(const void *job, tm_error *error)
{
    return tm_mapfile_save(map, &nowhere, NULL, job, NULL, error);
}

static tm_status store_save(const void *options, tm_error *error)
{
    return tm_store_save(map, "b.map", options, NULL, NULL, error);
}

static tm_status store_save_job(const void *job, tm_error *error)
{
    return tm_store_save(map, "b.map", NULL, job, NULL, error);
}

static tm_status mapfile_check(const void *job, tm_error *error)
{
    return tm_mapfile_check(map, TM_MODE_GAME, job, NULL, error);
}

static tm_status mapfile_check_data(const void *job, tm_error *error)
{
    return tm_mapfile_check_data(map, job, NULL, error);
}

static tm_status map_unpack(const void *job, tm_error *error)
{
    return tm_map_unpack(map, NULL, 0, job, error);
}

static tm_status datafile_unpack(const void *job, tm_error *error)
{
    return tm_datafile_unpack(datafile, NULL, 0, job, error);
}

static tm_status datafile_visit(const void *job, tm_error *error)
{
    return tm_datafile_visit(datafile, NULL, 0, no_visit, NULL, job, error);
}

static tm_status datafile_check_data(const void *job, tm_error *error)
{
    return tm_datafile_check_data(datafile, NULL, NULL, job, NULL, error);
}

static tm_status datafile_copy(const void *options, tm_error *error)
{
    return tm_datafile_copy(datafile, &nowhere, options, false, NULL, NULL, error);
}

static tm_status datafile_copy_job(const void *job, tm_error *error)
{
    return tm_datafile_copy(datafile, &nowhere, NULL, false, job, NULL, error);
}

static tm_status writer_new(const void *options, tm_error *error)
{
    tm_datafile_writer *writer;
    const tm_status status = tm_datafile_writer_new(&writer, options, error);
    tm_datafile_writer_free(writer);
    return status;
}

static tm_status writer_finish(const void *job, tm_error *error)
{
    tm_datafile_writer *writer;
    const tm_status status = tm_datafile_writer_new(&writer, NULL, error);
    return status ? status : tm_datafile_writer_finish(writer, &nowhere, job, NULL, error);
}

static tm_status png_write(const void *options, tm_error *error)
{
    return tm_png_write(&nowhere, pixels, 16, 16, options, error);
}

static tm_status png_writer(const void *options, tm_error *error)
{
    tm_png_writer *writer;
    const tm_status status = tm_png_writer_new(&writer, &nowhere, 16, 16, options, error);
    tm_png_writer_free(writer);
    return status;
}

static tm_status webp_writer(const void *options, tm_error *error)
{
    tm_webp_writer *writer;
    const tm_status status = tm_webp_writer_new(&writer, &nowhere, 16, 16, options, error);
    tm_webp_writer_free(writer);
    return status;
}

static tm_status animation(const void *options, tm_error *error)
{
    tm_animation *made;
    const tm_status status = tm_animation_new(&made, &nowhere, 16, 16, 1, 1000, options, error);
    tm_animation_free(made);
    return status;
}

static tm_status draw_black(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    (void)ctx, (void)index, (void)error;
    memset(rgba, 0, 2 * row_stride);
    return TM_OK;
}

static void give_frames(void *options)
{
    tm_frames *frames = options;
    frames->width = frames->height = 2;
    frames->num = 1;
    frames->draw = draw_black;
}

static tm_status frames_write(const void *frames, tm_error *error)
{
    return tm_animation_write(&nowhere, frames, NULL, NULL, error);
}

static tm_status renderer_new(const void *options, tm_error *error)
{
    tm_renderer *made;
    const tm_status status = tm_renderer_new(&made, map, options, NULL, error);
    tm_renderer_free(made);
    return status;
}

static bool no_difference(void *ctx, const tm_difference *difference)
{
    return !ctx && difference;
}

static tm_status map_compare(const void *options, tm_error *error)
{
    return tm_map_compare(map, map, options, no_difference, NULL, error);
}

static tm_status no_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    (void)worker;
    (void)stop;
    return no_write(ctx, NULL, index, error);
}

static void give_work(void *pieces)
{
    tm_pieces *at = pieces;
    at->num = 3;
    at->work = no_piece;
}

static tm_status pieces_run(const void *pieces, tm_error *error)
{
    return tm_pieces_run(pieces, NULL, error);
}

static tm_status pieces_run_job(const void *job, tm_error *error)
{
    tm_pieces pieces = TM_PIECES_INIT;
    give_work(&pieces);
    return tm_pieces_run(&pieces, job, error);
}

static tm_status mapres_new(const void *options, tm_error *error)
{
    tm_mapres *made;
    const tm_status status = tm_mapres_new(&made, options, error);
    tm_mapres_free(made);
    return status;
}

static void aim(void *camera)
{
    tm_camera *at = camera;
    at->width = at->height = 16;
}

static tm_status renderer_draw(const void *camera, tm_error *error)
{
    uint8_t rgba[sizeof(pixels)] = {0};
    return tm_renderer_draw(renderer, camera, 0, 16, rgba, (size_t)16 * 4, error);
}

static tm_status renderer_stream(const void *camera, tm_error *error)
{
    return tm_renderer_stream(renderer, camera, NULL, &no_picture, NULL, error);
}

static tm_status renderer_stream_job(const void *job, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    aim(&camera);
    return tm_renderer_stream(renderer, &camera, NULL, &no_picture, job, error);
}

static tm_status preview_loop(const void *options, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    tm_preview_loop loop;
    camera.width = camera.height = 8;
    return tm_preview_find_loop(&loop, renderer, &camera, options, error);
}

static tm_status renderer_stream_background(const void *background, tm_error *error)
{
    tm_camera camera = TM_CAMERA_INIT;
    aim(&camera);
    return tm_renderer_stream(renderer, &camera, background, &no_picture, NULL, error);
}

static tm_status background_fill(const void *background, tm_error *error)
{
    uint8_t rgba[sizeof(pixels)];
    return tm_background_fill(background, 16, 0, 16, rgba, (size_t)16 * 4, error);
}

static tm_status preview_views(const void *camera, tm_error *error)
{
    tm_preview_view view;
    uint32_t num;
    return tm_preview_views(&view, &num, 1, renderer, camera, error);
}

static tm_status preview_find(const void *camera, tm_error *error)
{
    tm_preview_view view;
    return tm_preview_find(&view, renderer, camera, "1,1", error);
}

/* ------------------------------------------------------------------------------------------------------- the table */

typedef struct row {
    const char *name;
    size_t size;
    const void *init;          /* what the macro makes */
    void (*make)(void *fresh); /* the function beside it */
    size_t first;              /* bytes of the oldest struct that makes sense; 0: any do */
    void (*set)(void *options);
    struct {
        const char *name;
        tm_status (*call)(const void *options, tm_error *error);
        bool webp; /* only where there is libwebp */
    } takers[16];
} row;

#define INIT(type, macro)                   \
    static const type type##_fresh = macro; \
    static void type##_make(void *fresh)    \
    {                                       \
        type##_init(fresh);                 \
    }
#define ROW(type) .name = #type, .size = sizeof(type), .init = &type##_fresh, .make = type##_make

INIT(tm_limits, TM_LIMITS_INIT)
INIT(tm_job, TM_JOB_INIT)
INIT(tm_datafile_options, TM_DATAFILE_OPTIONS_INIT)
INIT(tm_datafile_writer_options, TM_DATAFILE_WRITER_OPTIONS_INIT)
INIT(tm_map_options, TM_MAP_OPTIONS_INIT)
INIT(tm_import_options, TM_IMPORT_OPTIONS_INIT)
INIT(tm_patch_options, TM_PATCH_OPTIONS_INIT)
INIT(tm_apply_options, TM_APPLY_OPTIONS_INIT)
INIT(tm_narrow_options, TM_NARROW_OPTIONS_INIT)
INIT(tm_merge_options, TM_MERGE_OPTIONS_INIT)
INIT(tm_mapfile_options, TM_MAPFILE_OPTIONS_INIT)
INIT(tm_mapfile_save_options, TM_MAPFILE_SAVE_OPTIONS_INIT)
INIT(tm_png_options, TM_PNG_OPTIONS_INIT)
INIT(tm_webp_options, TM_WEBP_OPTIONS_INIT)
INIT(tm_animation_options, TM_ANIMATION_OPTIONS_INIT)
INIT(tm_frames, TM_FRAMES_INIT)
INIT(tm_render_options, TM_RENDER_OPTIONS_INIT)
INIT(tm_compare_options, TM_COMPARE_OPTIONS_INIT)
INIT(tm_pieces, TM_PIECES_INIT)
INIT(tm_mapres_options, TM_MAPRES_OPTIONS_INIT)
INIT(tm_camera, TM_CAMERA_INIT)
INIT(tm_background, TM_BACKGROUND_INIT)
INIT(tm_edit_options, TM_EDIT_OPTIONS_INIT)
INIT(tm_convert_options, TM_CONVERT_OPTIONS_INIT)
INIT(tm_find_options, TM_FIND_OPTIONS_INIT)
INIT(tm_mapdir_write_options, TM_MAPDIR_WRITE_OPTIONS_INIT)
INIT(tm_mapdir_read_options, TM_MAPDIR_READ_OPTIONS_INIT)
INIT(tm_preview_equal_options, TM_PREVIEW_EQUAL_OPTIONS_INIT)
INIT(tm_preview_loop_options, TM_PREVIEW_LOOP_OPTIONS_INIT)

static const row rows[] = {
    {ROW(tm_limits), .takers = {{"tm_map_new", map_new_limits, false},
                                {"tm_datafile_open", datafile_open_limits, false},
                                {"tm_mapfile_load", mapfile_load_limits, false},
                                {"tm_store_load", store_load_limits, false}}},
    {ROW(tm_job), .takers = {{"tm_datafile_unpack", datafile_unpack, false},
                             {"tm_datafile_visit", datafile_visit, false},
                             {"tm_datafile_check_data", datafile_check_data, false},
                             {"tm_datafile_copy", datafile_copy_job, false},
                             {"tm_datafile_writer_finish", writer_finish, false},
                             {"tm_map_unpack", map_unpack, false},
                             {"tm_pieces_run", pieces_run_job, false},
                             {"tm_mapfile_save", mapfile_save_job, false},
                             {"tm_mapfile_check_data", mapfile_check_data, false},
                             {"tm_mapfile_check", mapfile_check, false},
                             {"tm_store_save", store_save_job, false},
                             {"tm_mapdir_write", mapdir_write_job, false},
                             {"tm_mapdir_read", mapdir_read_job, false},
                             {"tm_renderer_stream", renderer_stream_job, false}}},
    {ROW(tm_datafile_options), .takers = {{"tm_datafile_open", datafile_open, false},
                                          {"tm_store_open_datafile", store_open_datafile, false}}},
    {ROW(tm_datafile_writer_options),
     .takers = {{"tm_datafile_writer_new", writer_new, false}, {"tm_datafile_copy", datafile_copy, false}}},
    {ROW(tm_map_options), .takers = {{"tm_map_new", map_new, false}}},
    {ROW(tm_import_options),
     .takers = {{"tm_map_import", map_import, false}, {"tm_map_import_layer", map_import_layer, false}}},
    {ROW(tm_patch_options),
     .takers = {{"tm_patch_make", patch_make, false}, {"tm_patch_read", patch_read, false}}},
    {ROW(tm_apply_options), .takers = {{"tm_patch_apply", patch_apply, false}}},
    {ROW(tm_narrow_options), .takers = {{"tm_patch_narrow", patch_narrow, false}}},
    {ROW(tm_merge_options), .takers = {{"tm_map_merge", map_merge, false}}},
    {ROW(tm_mapfile_options),
     .takers = {{"tm_mapfile_load", mapfile_load, false}, {"tm_store_load", store_load, false}}},
    {ROW(tm_mapfile_save_options),
     .takers = {{"tm_mapfile_save", mapfile_save, false}, {"tm_store_save", store_save, false}}},
    {ROW(tm_png_options),
     .takers = {{"tm_png_write", png_write, false}, {"tm_png_writer_new", png_writer, false}}},
    {ROW(tm_webp_options), .takers = {{"tm_webp_writer_new", webp_writer, true}}},
    {ROW(tm_animation_options), .takers = {{"tm_animation_new", animation, false}}},
    {ROW(tm_frames), .first = sizeof(tm_frames), .set = give_frames,
     .takers = {{"tm_animation_write", frames_write, false}}},
    {ROW(tm_compare_options), .takers = {{"tm_map_compare", map_compare, false}}},
    {ROW(tm_find_options), .takers = {{"tm_map_find", map_find, false}}},
    {ROW(tm_preview_equal_options), .takers = {{"tm_preview_equal", preview_equal, false}}},
    {ROW(tm_preview_loop_options), .takers = {{"tm_preview_find_loop", preview_loop, false}}},
    {ROW(tm_edit_options),
     .takers = {{"tm_edit_run", edit_run, false}, {"tm_edit_script_run", edit_script_run, false}}},
    {ROW(tm_convert_options), .takers = {{"tm_convert_run", convert_run, false}}},
    {ROW(tm_mapdir_write_options), .takers = {{"tm_mapdir_write", mapdir_write, false}}},
    {ROW(tm_mapdir_read_options), .takers = {{"tm_mapdir_read", mapdir_read, false}}},
    {ROW(tm_pieces), .first = offsetof(tm_pieces, weight), .set = give_work,
     .takers = {{"tm_pieces_run", pieces_run, false}}},
    {ROW(tm_mapres_options), .takers = {{"tm_mapres_new", mapres_new, false}}},
    {ROW(tm_render_options), .takers = {{"tm_renderer_new", renderer_new, false}}},
    {ROW(tm_camera), .first = offsetof(tm_camera, time), .set = aim,
     .takers = {{"tm_renderer_draw", renderer_draw, false},
                {"tm_renderer_stream", renderer_stream, false},
                {"tm_preview_views", preview_views, false},
                {"tm_preview_find", preview_find, false}}},
    {ROW(tm_background), .takers = {{"tm_background_fill", background_fill, false},
                                    {"tm_renderer_stream", renderer_stream_background, false}}},
};

static const size_t num_rows = sizeof(rows) / sizeof(rows[0]);

static void upper_name(char *out, const char *name)
{
    for (; *name; name++)
        *out++ = (char)toupper((unsigned char)*name);
    *out = '\0';
}

/* --------------------------------------------------------------------------------------------------------- the tests */

/* One call with one size; the struct lies in memory of its own, so that sanitizers see who reads behind it. */
static void try_size(const row *of, size_t k, size_t size)
{
    tm_error error = {0};
    char macro[64], wanted[128];
    const size_t room = size < sizeof(size) ? sizeof(size) : size;
    uint8_t *options = calloc(1, room > of->size ? room : of->size), *exact = malloc(room);
    assert_non_null(options);
    assert_non_null(exact);
    of->make(options);
    if (of->set)
        of->set(options);
    memcpy(exact, options, room);
    memcpy(exact, &size, sizeof(size));
    const tm_status status = of->takers[k].call(exact, &error);
    free(options);
    free(exact);
    if (size > 0 && size <= of->size && size < of->first) {
        assert_int_equal(status, TM_ERROR_USAGE);
        return;
    }
    if (size > 0 && size <= of->size) {
        if (status != TM_OK)
            fail_msg("%s, %s of %zu bytes: %s", of->takers[k].name, of->name, size, error.text);
        return;
    }
    if (status != TM_ERROR_USAGE || error.code != TM_ERROR_USAGE)
        fail_msg("%s takes a %s of size %zu: %s", of->takers[k].name, of->name, size, tm_status_name(status));
    upper_name(macro, of->name);
    if (size == 0)
        snprintf(wanted, sizeof(wanted), "%s.size is 0, set it by %s_INIT or %s_init", of->name, macro,
                 of->name);
    else
        snprintf(wanted, sizeof(wanted), "%s.size is %zu, this library knows %zu bytes", of->name, size,
                 of->size);
    if (strncmp(error.text, wanted, strlen(wanted)) != 0)
        fail_msg("%s: '%s', not '%s'", of->takers[k].name, error.text, wanted);
}

static void every_struct_is_taken_by_its_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < num_rows; i++)
        for (size_t k = 0; k < 16 && rows[i].takers[k].call; k++)
            for (size_t size = 0; size <= rows[i].size + 8; size++)
                if (!rows[i].takers[k].webp || tm_webp_available())
                    try_size(&rows[i], k, size);
}

static void no_struct_means_all_defaults(void **state)
{
    (void)state;
    for (size_t i = 0; i < num_rows; i++)
        for (size_t k = 0; k < 16 && rows[i].takers[k].call; k++)
            if (!rows[i].takers[k].webp || tm_webp_available())
                assert_int_equal(rows[i].takers[k].call(NULL, NULL), rows[i].first ? TM_ERROR_USAGE : TM_OK);
}

static void macro_and_function_make_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < num_rows; i++) {
        uint8_t fresh[512];
        size_t size;
        memset(fresh, 0xA5, sizeof(fresh));
        rows[i].make(fresh);
        memcpy(&size, fresh, sizeof(size));
        assert_int_equal(size, rows[i].size);
        assert_memory_equal(fresh, rows[i].init, rows[i].size);
        assert_int_equal(fresh[rows[i].size], 0xA5);
        rows[i].make(NULL);
    }
}

/* What follows the end of an older caller's struct must not be taken for its wishes. */
static void options_of_older_headers_are_cut_where_they_end(void **state)
{
    (void)state;
    struct test_memory memory;
    test_memory_init(&memory);
    memory.fail_at = 1;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *made;
    options.allocator = &memory.allocator;
    assert_int_equal(tm_map_new(&made, &options, NULL), TM_ERROR_MEMORY);
    options.size = offsetof(tm_map_options, allocator);
    assert_int_equal(tm_map_new(&made, &options, NULL), TM_OK);
    tm_map_free(made);
}

/* The provider of a caller who forgot the size was never asked, and nothing was said. */
static void a_forgotten_size_is_told(void **state)
{
    (void)state;
    tm_error error = {0};
    const tm_render_options options = {.no_detail = true};
    tm_renderer *made;
    assert_int_equal(tm_renderer_new(&made, map, &options, NULL, &error), TM_ERROR_USAGE);
    assert_null(made);
    assert_string_equal(
        error.text,
        "tm_render_options.size is 0, set it by TM_RENDER_OPTIONS_INIT or tm_render_options_init");
}

/* ------------------------------------------------------------------------------------------ no struct without a row */

static bool is_in_table(const char *name, size_t length)
{
    for (size_t i = 0; i < num_rows; i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return true;
    return false;
}

/* In the headers each such struct starts with "size_t size; (spaces) sizeof(NAME)" in a comment. */
static void check_header(void *ctx, const char *path, const char *text)
{
    static const char mark[] = "/* sizeof(";
    size_t *num = ctx;
    for (const char *at = text; (at = strstr(at, mark)); ++*num) {
        at += strlen(mark);
        if (!is_in_table(at, strcspn(at, ")")))
            fail_msg("%s: %.40s has no row in this test", path, at);
    }
}

static void every_struct_of_the_headers_has_a_row(void **state)
{
    (void)state;
    size_t num = 0;
    test_each_header(check_header, &num);
    assert_int_equal(num, num_rows);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int set_up(void **state)
{
    if (test_enter_folder(state))
        return -1;
    tm_map *made = test_map_everything(TM_GAME_DDNET);
    file = test_map_save(made, NULL);
    tm_map_free(made);
    test_put_file("a.map", (const char *)file.bytes, file.size);
    map = test_map_load(&file, TM_MODE_GAME, NULL);
    return tm_datafile_open(&datafile, in_memory(), NULL, NULL, NULL) ||
           tm_renderer_new(&renderer, map, NULL, NULL, NULL);
}

static int tear_down(void **state)
{
    tm_renderer_free(renderer);
    tm_datafile_close(datafile);
    tm_map_free(map);
    tm_buffer_release(&file);
    return test_leave_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_struct_is_taken_by_its_size),
        cmocka_unit_test(no_struct_means_all_defaults),
        cmocka_unit_test(macro_and_function_make_the_same),
        cmocka_unit_test(options_of_older_headers_are_cut_where_they_end),
        cmocka_unit_test(a_forgotten_size_is_told),
        cmocka_unit_test(every_struct_of_the_headers_has_a_row),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
