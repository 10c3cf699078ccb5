/* SPDX-License-Identifier: Zlib */
/* See lib_takers.h. */
#include "lib_takers.h"
#include "files.h"
#include "lib_maps.h"
#include "automap/automap.h"
#include "datafile/datafile.h"

struct test_taker *test_takers;
tm_map *test_taken_map;
static tm_buffer map_file;
static tm_datafile *datafile;
static tm_renderer *renderer;

/* TAKER(struct, function): the body calls the function with `given` and `error`. */
#define TAKER(type, function)                                                                      \
    static tm_status function##_##type(const void *given, tm_error *error);                        \
    __attribute__((constructor)) static void add_##function##_##type(void)                         \
    {                                                                                              \
        static struct test_taker taker = {.options = #type, .name = #function, function##_##type}; \
        taker.next = test_takers;                                                                  \
        test_takers = &taker;                                                                      \
    }                                                                                              \
    static tm_status function##_##type(const void *given, tm_error *error)
/* TAKES(struct, function, call): the call alone. */
#define TAKES(type, function, ...)    \
    TAKER(type, function)             \
    {                                 \
        return function(__VA_ARGS__); \
    }

static const uint8_t pixels[16 * 16 * 4];
static const char rules_text[] = "[a]\nIndex 1\n";

static tm_status no_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx, (void)bytes, (void)size, (void)error;
    return TM_OK;
}

static const tm_output nowhere = {NULL, no_write, NULL};

static tm_status no_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t stride, tm_error *error)
{
    (void)ctx, (void)rgba, (void)num_rows, (void)stride, (void)error;
    return TM_OK;
}

static const tm_row_sink no_picture = {NULL, no_rows};

static tm_input in_memory(void)
{
    return tm_input_from_memory(map_file.bytes, map_file.size);
}

static tm_status no_visit(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    (void)index, (void)state;
    return no_write(ctx, bytes, (size_t)size, NULL);
}

static bool no_match(void *ctx, const tm_match *match)
{
    (void)ctx, (void)match;
    return true;
}

static bool no_difference(void *ctx, const tm_difference *difference)
{
    return !ctx && difference;
}

static tm_status no_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    (void)worker, (void)stop;
    return no_write(ctx, NULL, index, error);
}

static tm_status draw_black(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    (void)ctx, (void)index, (void)error;
    memset(rgba, 0, 2 * row_stride);
    return TM_OK;
}

void test_taker_fill(const char *options, void *given)
{
    if (strcmp(options, "tm_tasks") == 0) {
        ((tm_tasks *)given)->num = 3;
        ((tm_tasks *)given)->work = no_piece;
    } else if (strcmp(options, "tm_camera") == 0) {
        ((tm_camera *)given)->width = ((tm_camera *)given)->height = 16;
    } else if (strcmp(options, "tm_frames") == 0) {
        tm_frames *frames = given;
        frames->width = frames->height = 2;
        frames->num = 1;
        frames->draw = draw_black;
    }
}

/* -------------------------------------------------------------------------------------------------------------- files */

TAKER(tm_datafile_options, tm_datafile_open)
{
    OWN(tm_datafile) *made;
    return tm_datafile_open(&made, in_memory(), given, NULL, error);
}

TAKER(tm_limits, tm_datafile_open)
{
    tm_datafile_options options = {.size = sizeof(options), .limits = given};
    return tm_datafile_open_tm_datafile_options(&options, error);
}

TAKER(tm_datafile_options, tm_store_open_datafile)
{
    OWN(tm_datafile) *made;
    return tm_store_open_datafile(&made, "a.map", given, NULL, error);
}

TAKES(tm_job, tm_datafile_unpack, datafile, NULL, 0, given, error)
TAKES(tm_job, tm_datafile_visit, datafile, NULL, 0, no_visit, NULL, given, error)
TAKES(tm_job, tmi_datafile_check_data, datafile, NULL, NULL, given, NULL, error)
TAKES(tm_job, tm_datafile_copy, datafile, &nowhere, NULL, false, given, NULL, error)
TAKES(tm_datafile_writer_options, tm_datafile_copy, datafile, &nowhere, given, false, NULL, NULL, error)

TAKER(tm_datafile_writer_options, tm_datafile_writer_new)
{
    tm_datafile_writer *made;
    const tm_status status = tm_datafile_writer_new(&made, given, error);
    tm_datafile_writer_free(made);
    return status;
}

TAKER(tm_job, tm_datafile_writer_finish)
{
    tm_datafile_writer *made;
    must(tm_datafile_writer_new(&made, NULL, error));
    return tm_datafile_writer_finish(made, &nowhere, given, NULL, error);
}

TAKER(tm_mapfile_options, tm_mapfile_load)
{
    OWN(tm_map) *made;
    return tm_mapfile_load(&made, in_memory(), given, NULL, error);
}

TAKER(tm_limits, tm_mapfile_load)
{
    tm_mapfile_options options = {.size = sizeof(options), .limits = given};
    return tm_mapfile_load_tm_mapfile_options(&options, error);
}

TAKER(tm_mapfile_options, tm_store_load)
{
    OWN(tm_map) *made;
    return tm_store_load(&made, "a.map", given, NULL, error);
}

TAKER(tm_limits, tm_store_load)
{
    tm_mapfile_options options = {.size = sizeof(options), .limits = given};
    return tm_store_load_tm_mapfile_options(&options, error);
}

TAKES(tm_mapfile_save_options, tm_mapfile_save, test_taken_map, &nowhere, given, NULL, NULL, error)
TAKES(tm_job, tm_mapfile_save, test_taken_map, &nowhere, NULL, given, NULL, error)
TAKES(tm_job, tm_mapfile_check, test_taken_map, TM_MODE_GAME, given, NULL, error)
TAKES(tm_job, tm_mapfile_check_data, test_taken_map, given, NULL, error)
TAKES(tm_mapfile_save_options, tm_store_save, test_taken_map, "b.map", given, NULL, NULL, error)
TAKES(tm_job, tm_store_save, test_taken_map, "b.map", NULL, given, NULL, error)

#define WRITES(type, options, job)                                         \
    TAKER(type, tm_mapdir_write)                                           \
    {                                                                      \
        OWN(tm_memory_files) files = {0};                                  \
        const tm_files_out out = tm_memory_files_out(&files);              \
        return tm_mapdir_write(test_taken_map, &out, options, job, error); \
    }
WRITES(tm_mapdir_write_options, given, NULL)
WRITES(tm_job, NULL, given)

#define READS(type, options, job)                                           \
    TAKER(type, tm_mapdir_read)                                             \
    {                                                                       \
        OWN(tm_memory_files) files = {0};                                   \
        const tm_files_out out = tm_memory_files_out(&files);               \
        OWN(tm_map) *read = NULL;                                           \
        must(tm_mapdir_write(test_taken_map, &out, NULL, NULL, NULL));      \
        const tm_files_in in = tm_memory_files_in(&files);                  \
        return tm_mapdir_read(&read, NULL, &in, options, job, NULL, error); \
    }
READS(tm_mapdir_read_options, given, NULL)
READS(tm_job, NULL, given)

/* --------------------------------------------------------------------------------------------------------------- maps */

TAKER(tm_map_options, tm_map_new)
{
    OWN(tm_map) *made;
    return tm_map_new(&made, given, error);
}

TAKER(tm_limits, tm_map_new)
{
    tm_map_options options = {.size = sizeof(options), .limits = given};
    return tm_map_new_tm_map_options(&options, error);
}

TAKER(tm_facts_file, tm_facts_make)
{
    tm_facts *made;
    const tm_status status = tm_facts_make(&made, test_taken_map, NULL, given, NULL, error);
    tm_facts_free(made);
    return status;
}

TAKES(tm_import_options, tm_map_import, NULL, test_taken_map, TM_OBJECT_ENVELOPE, 0, test_taken_map, 0, given,
      error)
TAKES(tm_import_options, tm_map_import_layer, test_taken_map, 1, 0, test_taken_map, 1, 0, given, error)
TAKES(tm_job, tm_map_unpack, test_taken_map, NULL, 0, given, error)
TAKES(tm_compare_options, tm_map_compare, test_taken_map, test_taken_map, given, no_difference, NULL, error)
TAKES(tm_find_options, tm_map_find, test_taken_map, NULL, 0, given, no_match, NULL, error)
TAKES(tm_edit_options, tm_edit_run, test_taken_map, tm_edit_find("join all"), NULL, 0, given, NULL, error)
TAKES(tm_convert_options, tm_convert_run, test_taken_map, given, NULL, error)
TAKES(tm_tasks, tm_tasks_run, given, NULL, error)

TAKER(tm_job, tm_tasks_run)
{
    tm_tasks tasks = TM_TASKS_INIT;
    test_taker_fill("tm_tasks", &tasks);
    return tm_tasks_run(&tasks, given, error);
}

TAKER(tm_edit_options, tm_edit_script_run)
{
    OWN(tm_edit_script) *script;
    const char *const words[] = {"join", "all"};
    must(tm_edit_script_from_words(&script, words, 2, NULL, error));
    return tm_edit_script_run(test_taken_map, script, given, NULL, error);
}

TAKER(tm_lint_options, tm_lint_run)
{
    OWN(tm_lint_result) result;
    return tm_lint_run(&result, test_taken_map, given, error);
}

TAKER(tm_patch_options, tm_patch_make)
{
    OWN(tm_patch) *made;
    return tm_patch_make(&made, test_taken_map, test_taken_map, given, error);
}

TAKER(tm_patch_options, tm_patch_read)
{
    static const char text[] =
        "{\"teemap_patch\": 2, \"sides\": [{\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], "
        "\"names\": {}}, {\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], \"names\": {}}], "
        "\"pairs\": {}, \"changes\": []}";
    OWN(tm_patch) *made;
    return tm_patch_read(&made, text, strlen(text), given, error);
}

TAKER(tm_apply_options, tm_patch_apply)
{
    OWN(tm_patch) *made;
    must(tm_patch_make(&made, test_taken_map, test_taken_map, NULL, NULL));
    return tm_patch_apply(test_taken_map, made, given, NULL, error);
}

TAKER(tm_filter_options, tm_patch_filter)
{
    OWN(tm_patch) *made, *narrow;
    must(tm_patch_make(&made, test_taken_map, test_taken_map, NULL, NULL));
    return tm_patch_filter(&narrow, made, given, error);
}

TAKER(tm_merge_options, tm_map_merge)
{
    OWN(tm_map) *merged;
    OWN(tm_conflicts) *conflicts;
    return tm_map_merge(&merged, &conflicts, test_taken_map, test_taken_map, test_taken_map, given, NULL,
                        error);
}

TAKES(tm_automap_read_options, tm_automap_format, &nowhere, "[a]\n", 4, given, NULL, error)

TAKER(tm_automap_read_options, tm_automap_read)
{
    OWN(tm_automap_rules) *rules;
    return tm_automap_read(&rules, rules_text, sizeof(rules_text) - 1, given, NULL, error);
}

TAKER(tm_limits, tm_automap_read)
{
    tm_automap_read_options options = {.size = sizeof(options), .limits = given};
    return tm_automap_read_tm_automap_read_options(&options, error);
}

/* `run` is tm_automap_run or tmi_automap_check. */
#define AUTOMAPS(type, run, options, job)                                                     \
    TAKER(type, run)                                                                          \
    {                                                                                         \
        OWN(tm_automap_rules) *rules;                                                         \
        tm_automap_result result;                                                             \
        tm_tile tile = {0};                                                                   \
        must(tm_automap_read(&rules, rules_text, sizeof(rules_text) - 1, NULL, NULL, error)); \
        return run(&result, rules, &tile, 1, 1, options, job, error);                         \
    }
AUTOMAPS(tm_automap_options, tm_automap_run, given, NULL)
AUTOMAPS(tm_job, tm_automap_run, NULL, given)
AUTOMAPS(tm_automap_options, tmi_automap_check, given, NULL)
AUTOMAPS(tm_job, tmi_automap_check, NULL, given)

/* ------------------------------------------------------------------------------------------------------------ pictures */

TAKES(tm_png_options, tm_png_write, &nowhere, pixels, 16, 16, given, error)
TAKES(tm_frames, tm_animation_write, &nowhere, given, NULL, NULL, error)
TAKES(tm_camera, tm_renderer_stream, renderer, given, NULL, &no_picture, NULL, error)

TAKER(tm_png_options, tm_png_writer_new)
{
    tm_png_writer *writer;
    const tm_status status = tm_png_writer_new(&writer, &nowhere, 16, 16, given, error);
    tm_png_writer_free(writer);
    return status;
}

TAKER(tm_webp_options, tm_webp_writer_new)
{
    tm_webp_writer *writer;
    const tm_status status = tm_webp_writer_new(&writer, &nowhere, 16, 16, given, error);
    tm_webp_writer_free(writer);
    return status;
}

TAKER(tm_animation_options, tm_animation_new)
{
    tm_animation *made;
    const tm_status status = tm_animation_new(&made, &nowhere, 16, 16, 1, 1000, given, error);
    tm_animation_free(made);
    return status;
}

TAKER(tm_render_options, tm_renderer_new)
{
    OWN(tm_renderer) *made;
    return tm_renderer_new(&made, test_taken_map, given, NULL, error);
}

TAKER(tm_mapres_options, tm_mapres_new)
{
    OWN(tm_mapres) *made;
    return tm_mapres_new(&made, given, error);
}

TAKER(tm_camera, tm_renderer_draw)
{
    uint8_t rgba[sizeof(pixels)] = {0};
    return tm_renderer_draw(renderer, given, 0, 16, rgba, (size_t)16 * 4, error);
}

/* A stream with all but the camera given. */
#define STREAMS(type, background, job)                                                     \
    TAKER(type, tm_renderer_stream)                                                        \
    {                                                                                      \
        tm_camera camera = TM_CAMERA_INIT;                                                 \
        test_taker_fill("tm_camera", &camera);                                             \
        return tm_renderer_stream(renderer, &camera, background, &no_picture, job, error); \
    }
STREAMS(tm_job, NULL, given)
STREAMS(tm_background, given, NULL)

TAKER(tm_background, tm_background_fill)
{
    uint8_t rgba[sizeof(pixels)];
    return tm_background_fill(given, 16, 0, 16, rgba, (size_t)16 * 4, error);
}

TAKER(tm_preview_loop_options, tm_preview_find_loop)
{
    tm_camera camera = TM_CAMERA_INIT;
    tm_preview_loop loop;
    camera.width = camera.height = 8;
    return tm_preview_find_loop(&loop, renderer, &camera, given, error);
}

TAKER(tm_preview_equal_options, tm_preview_equal)
{
    bool equal;
    return tm_preview_equal(&equal, test_taken_map, test_taken_map, given, NULL, 0, error);
}

TAKER(tm_camera, tm_preview_views)
{
    tm_preview_view view;
    uint32_t num;
    return tm_preview_views(&view, &num, 1, renderer, given, error);
}

TAKER(tm_camera, tm_preview_find)
{
    tm_preview_view view;
    return tm_preview_find(&view, renderer, given, "1,1", error);
}

void test_taken_set_up(void)
{
    test_enter_folder();
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    map_file = test_map_save(made, NULL);
    test_put_file("a.map", (const char *)map_file.bytes, map_file.size);
    test_taken_map = test_map_load(&map_file, TM_MODE_GAME, NULL);
    must(tm_datafile_open(&datafile, in_memory(), NULL, NULL, NULL));
    must(tm_renderer_new(&renderer, test_taken_map, NULL, NULL, NULL));
}

void test_taken_tear_down(void)
{
    tm_renderer_free(renderer);
    tm_datafile_close(datafile);
    tm_map_free(test_taken_map);
    tm_buffer_release(&map_file);
    test_leave_folder();
}
