/* SPDX-License-Identifier: Zlib */
/* See lib_calls.h. */
#include "lib_calls.h"
#include "lib_render.h"

enum { SIDE = 32 };

static struct {
    tm_buffer files[3];
    tm_map *map, *other, *third; /* loaded; the others are changed versions that exclude each other */
    tm_datafile *file;
    tm_datafile_data data; /* its first block */
    tm_patch *patch;
    tm_patch_change change;
    tm_conflicts *conflicts;
    tm_conflict conflict;
    tm_renderer *renderer;
    tm_automap_rules *rules;
    tm_pattern *pattern;
    tm_lint_config *config;
    tm_lint_result lint;
    tm_facts *facts;
    tm_mapres *mapres;
    tm_view *view;
    tm_edit_script *script;
    tm_pyramid_frame frame;
    tm_camera camera;
    tm_memory_files folder;
    tm_files_in files_in;
    uint32_t group, index; /* of the game layer */
    const tm_layer *game;
    const tm_block *block; /* its tiles */
} the;

/* What a call writes to, and takes that it may change. */
struct test_scratch {
    test_called gives;
    tm_buffer buffer;
    tm_output output;
    tm_memory_files folder;
    tm_files_out files_out;
    tm_map *map;
    tm_datafile_writer *writer;
    tm_rows rows;
    uint64_t counts[256];
    tm_preview_view views[2];
    tm_layer_choice choices[64];
    char text[256];
    uint8_t bytes[64 * 1024];
};

TEST_FREES(tm_webp_writer, tm_webp_writer_free)

static void add(test_scratch *s, const void *bytes, size_t size)
{
    for (size_t i = 0; bytes && i < size; i++)
        s->gives.sum = (s->gives.sum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

/* ------------------------------------------------------------------------------------------------- arguments */

static const char rules_text[] = "[Grass]\nIndex 2\nPos 0 0 FULL\n";
static const char patch_text[] =
    "{\"teemap_patch\": 2, \"sides\": [{\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], "
    "\"names\": {}}, {\"images\": 0, \"sounds\": 0, \"envelopes\": 0, \"layers\": [], \"names\": {}}], "
    "\"pairs\": {}, \"changes\": []}";
static const tm_filter_options only_tiles = {.size = sizeof(only_tiles), .words = "tiles"};
static const tm_preview_equal_options one_view = {.size = sizeof(one_view), .views = 1};
static const tm_preview_loop_options half_a_second = {.size = sizeof(half_a_second), .duration = 500};
static const tm_background blue = {sizeof(blue), {1, 2, 3, 255}, false};
static const tm_preview_mark mark = {TM_MARK_ADDED, true, true, 0, {1, 1, 3, 3}, 0};

static tm_status draw_black(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    (void)ctx, (void)index, (void)error;
    memset(rgba, 0, SIDE * row_stride);
    return TM_OK;
}
static const tm_frames frames = {sizeof(frames), SIDE, SIDE, 1, 1000, NULL, draw_black};

static tm_status do_nothing(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    (void)ctx, (void)worker, (void)index, (void)stop, (void)error;
    return TM_OK;
}
static const tm_tasks tasks = {.size = sizeof(tasks), .num = 3, .work = do_nothing};

static const tm_image *first_image(void)
{
    uint32_t i = 0;
    while (!the.map->images[i].pixels)
        i++;
    return &the.map->images[i];
}

static const tm_layer *layer_of(tm_layer_kind kind)
{
    uint32_t group, index;
    return tm_map_find_layer(&group, &index, the.map, kind);
}

static tm_input in_memory(void)
{
    return tm_input_from_memory(the.files->bytes, the.files->size);
}

static const char *path_of_its_own(test_scratch *s)
{
    snprintf(s->text, sizeof(s->text), "%p.map", (void *)s);
    return s->text;
}

static tm_datafile_writer *hand_over(test_scratch *s)
{
    tm_datafile_writer *writer = s->writer;
    s->writer = NULL;
    return writer;
}

static bool add_difference(void *ctx, const tm_difference *difference)
{
    char text[256];
    add(ctx, text, tm_difference_format(text, sizeof(text), difference, the.map, the.other));
    return true;
}

static bool add_match(void *ctx, const tm_match *match)
{
    add(ctx, &match->count, sizeof(match->count));
    return true;
}

static tm_status add_block(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    (void)index, (void)state;
    add(ctx, bytes, (size_t)size);
    return TM_OK;
}

static bool add_change(void *ctx, const tm_unknown_change *change)
{
    add(ctx, &change->kind, sizeof(change->kind));
    return true;
}

static bool add_share(void *ctx, const tm_bytes_share *share)
{
    add(ctx, &share->kind, sizeof(share->kind));
    return true;
}

static tm_status add_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    (void)error;
    add(ctx, rgba, num_rows * row_stride);
    return TM_OK;
}

static const void *choose(const test_given *given, const char *type, const void *otherwise)
{
    return given && strcmp(given->type, type) == 0 ? given->options : otherwise;
}
#define GIVEN(type, otherwise) choose(given, #type, otherwise)
/* Options that hold limits. */
#define LIMITED(type)                                                                      \
    choose(given, #type,                                                                   \
           choose(given, "tm_limits", NULL)                                                \
               ? &(type){.size = sizeof(type), .limits = choose(given, "tm_limits", NULL)} \
               : NULL)

void test_calls_fill(void *options, const char *type)
{
    const struct {
        const char *type;
        const void *ctx;
        size_t size;
    } rows[] = {{"tm_tasks", &tasks, sizeof(tasks)},
                {"tm_camera", &the.camera, sizeof(the.camera)},
                {"tm_frames", &frames, sizeof(frames)}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (strcmp(rows[i].type, type) == 0)
            memcpy(options, rows[i].ctx, rows[i].size);
}

/* ----------------------------------------------------------------------------------------- calls by hand, and all */

static void call_tm_patch_at(test_scratch *s, const test_given *given, tm_error *error)
{
    tm_patch_change change;
    (void)given, (void)error;
    for (uint32_t i = 0; tm_patch_at(&change, the.patch, i); i++)
        add(s, &change.kind, sizeof(change.kind));
}

static void call_tm_patch_apply(test_scratch *s, const test_given *given, tm_error *error)
{
    bool equal = false;
    s->gives.status = tm_patch_apply(s->map, the.patch, GIVEN(tm_apply_options, NULL), NULL, error);
    if (!s->gives.status)
        must(tm_map_equal(&equal, s->map, the.other, NULL, 0, NULL));
    add(s, &equal, sizeof(equal));
}

static void call_tm_pyramid_draw(test_scratch *s, const test_given *given, tm_error *error)
{
    const size_t size = (size_t)TM_PYRAMID_SIDE * TM_PYRAMID_SIDE * 4;
    FREED uint8_t *rgba = calloc(1, size);
    tm_pyramid_cell cell = {0, 0, 0, TM_PYRAMID_CLEAR};
    s->gives.status = tm_pyramid_draw(&cell, 1, rgba, &(tm_pyramid_scene){&the.frame, the.renderer, NULL, 0},
                                      GIVEN(tm_job, NULL), error);
    add(s, rgba, size);
}

#include "calls.inc"
const size_t test_num_calls = sizeof(test_calls) / sizeof(test_calls[0]);

test_called test_call_of(const test_call *call, const test_given *given, tm_error *error)
{
    FREED test_scratch *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->output = tm_output_to_buffer(&s->buffer);
    s->files_out = tm_memory_files_out(&s->folder);
    s->rows = (tm_rows){s->bytes, (size_t)4 * SIDE, 0, SIDE};
    s->map = test_map_clone(the.map);
    must(tm_datafile_writer_new(&s->writer, NULL, NULL));
    call->call(s, given, error);
    add(s, s->buffer.bytes, s->buffer.size);
    add(s, s->counts, sizeof(s->counts));
    add(s, s->bytes, sizeof(s->bytes));
    tm_datafile_writer_free(s->writer);
    tm_map_free(s->map);
    tm_memory_files_release(&s->folder);
    tm_buffer_release(&s->buffer);
    return s->gives;
}

static tm_map *changed_map(tm_buffer *file, uint8_t index, const char *author)
{
    OWN(tm_map) *changed = test_map_clone(the.map);
    must(tm_map_fill_tiles(changed, the.group, the.index, &(tm_rect){0, 0, 2, 2}, &(tm_tile){index, 0, 0, 0},
                           NULL));
    must(tm_map_set_text(changed, &changed->info.author, author, NULL));
    *file = test_map_save(changed, NULL);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

void test_calls_begin(void)
{
    static const char *const join[] = {"join", "all"};
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET), *merged;
    test_enter_folder();
    the.files[0] = test_map_save(made, NULL);
    test_put_file("a.map", (const char *)the.files->bytes, the.files->size);
    the.map = test_map_load(the.files, TM_MODE_GAME, NULL);
    the.game = tm_map_find_layer(&the.group, &the.index, the.map, TM_LAYER_GAME);
    the.block = the.game->as.tiles.tiles;
    the.other = changed_map(&the.files[1], 9, "Anna");
    the.third = changed_map(&the.files[2], 11, "Berta");
    the.camera = test_camera(TM_CAMERA_VIEW, 0, 0, 1, SIDE, SIDE, 0, NULL);
    const tm_files_out out = tm_memory_files_out(&the.folder);
    must(tm_mapdir_write(the.map, &out, NULL, NULL, NULL));
    the.files_in = tm_memory_files_in(&the.folder);
    must(tm_datafile_open(&the.file, in_memory(), NULL, NULL, NULL));
    assert_true(tm_datafile_get_data(&the.data, the.file, 0));
    must(tm_patch_make(&the.patch, the.map, the.other, NULL, NULL));
    assert_true(tm_patch_at(&the.change, the.patch, 0));
    must(tm_map_merge(&merged, &the.conflicts, the.map, the.other, the.third, NULL, NULL, NULL));
    assert_true(tm_conflicts_at(&the.conflict, the.conflicts, 0));
    must(tm_renderer_new(&the.renderer, the.map, NULL, NULL, NULL));
    must(tm_automap_read(&the.rules, rules_text, sizeof(rules_text) - 1, NULL, NULL, NULL));
    must(tm_pattern_parse(&the.pattern, "solid", NULL, NULL));
    must(tm_lint_config_new(&the.config, NULL, NULL));
    must(tm_lint_run(&the.lint, the.map, NULL, NULL));
    must(tm_facts_make(&the.facts, the.map, NULL, NULL, NULL, NULL));
    must(tm_mapres_new(&the.mapres, NULL, NULL));
    must(tm_view_new(&the.view, the.map, the.block, NULL));
    must(tm_edit_script_from_words(&the.script, join, 2, NULL, NULL));
    must(tm_pyramid_frame_init(&the.frame, the.map, 1, NULL));
}

void test_calls_forget(void)
{
    tm_map_drop_all_data(the.map);
    tm_map_drop_all_data(the.other);
    tm_map_drop_all_data(the.third);
}

void test_calls_end(void)
{
    tm_edit_script_free(the.script);
    tm_view_free(the.view);
    tm_mapres_free(the.mapres);
    tm_facts_free(the.facts);
    tm_lint_result_release(&the.lint);
    tm_lint_config_free(the.config);
    tm_pattern_free(the.pattern);
    tm_automap_free(the.rules);
    tm_renderer_free(the.renderer);
    tm_conflicts_free(the.conflicts);
    tm_patch_free(the.patch);
    tm_datafile_close(the.file);
    tm_memory_files_release(&the.folder);
    tm_map_free(the.third);
    tm_map_free(the.other);
    tm_map_free(the.map);
    for (int i = 0; i < 3; i++)
        tm_buffer_release(&the.files[i]);
    test_leave_folder();
}
