/* SPDX-License-Identifier: Zlib */
/*
 * Option structs: every one, through every function that takes it, with every size. A caller that forgot the size was
 * once read as "nothing" by the renderer, as "all of it" by most, and never asked by loading and saving.
 */
#include "support/lib_calls.h"

#include <ctype.h>

/* ------------------------------------------------------------------------------------------------------- the table */

typedef struct row {
    const char *name;
    size_t size;
    const void *init;
    size_t first;
} row;

/* Each struct, what its macro makes, and the bytes of the oldest one that makes sense; 0: any do. */
#define STRUCTS(X)                                                    \
    X(tm_limits, TM_LIMITS_INIT, 0)                                   \
    X(tm_job, TM_JOB_INIT, 0)                                         \
    X(tm_datafile_options, TM_DATAFILE_OPTIONS_INIT, 0)               \
    X(tm_datafile_writer_options, TM_DATAFILE_WRITER_OPTIONS_INIT, 0) \
    X(tm_map_options, TM_MAP_OPTIONS_INIT, 0)                         \
    X(tm_import_options, TM_IMPORT_OPTIONS_INIT, 0)                   \
    X(tm_patch_options, TM_PATCH_OPTIONS_INIT, 0)                     \
    X(tm_apply_options, TM_APPLY_OPTIONS_INIT, 0)                     \
    X(tm_filter_options, TM_FILTER_OPTIONS_INIT, 0)                   \
    X(tm_tell_options, TM_TELL_OPTIONS_INIT, 0)                       \
    X(tm_merge_options, TM_MERGE_OPTIONS_INIT, 0)                     \
    X(tm_facts_file, TM_FACTS_FILE_INIT, 0)                           \
    X(tm_mapfile_options, TM_MAPFILE_OPTIONS_INIT, 0)                 \
    X(tm_mapfile_save_options, TM_MAPFILE_SAVE_OPTIONS_INIT, 0)       \
    X(tm_png_options, TM_PNG_OPTIONS_INIT, 0)                         \
    X(tm_webp_options, TM_WEBP_OPTIONS_INIT, 0)                       \
    X(tm_animation_options, TM_ANIMATION_OPTIONS_INIT, 0)             \
    X(tm_frames, TM_FRAMES_INIT, sizeof(tm_frames))                   \
    X(tm_compare_options, TM_COMPARE_OPTIONS_INIT, 0)                 \
    X(tm_find_options, TM_FIND_OPTIONS_INIT, 0)                       \
    X(tm_lint_options, TM_LINT_OPTIONS_INIT, 0)                       \
    X(tm_automap_read_options, TM_AUTOMAP_READ_OPTIONS_INIT, 0)       \
    X(tm_automap_options, TM_AUTOMAP_OPTIONS_INIT, 0)                 \
    X(tm_preview_equal_options, TM_PREVIEW_EQUAL_OPTIONS_INIT, 0)     \
    X(tm_preview_loop_options, TM_PREVIEW_LOOP_OPTIONS_INIT, 0)       \
    X(tm_edit_options, TM_EDIT_OPTIONS_INIT, 0)                       \
    X(tm_convert_options, TM_CONVERT_OPTIONS_INIT, 0)                 \
    X(tm_mapdir_write_options, TM_MAPDIR_WRITE_OPTIONS_INIT, 0)       \
    X(tm_mapdir_read_options, TM_MAPDIR_READ_OPTIONS_INIT, 0)         \
    X(tm_tasks, TM_TASKS_INIT, offsetof(tm_tasks, weight))            \
    X(tm_mapres_options, TM_MAPRES_OPTIONS_INIT, 0)                   \
    X(tm_render_options, TM_RENDER_OPTIONS_INIT, 0)                   \
    X(tm_camera, TM_CAMERA_INIT, offsetof(tm_camera, time))           \
    X(tm_background, TM_BACKGROUND_INIT, 0)

#define INIT(type, macro, first) static const type type##_fresh = macro;
#define ROW(type, macro, first)  {#type, sizeof(type), &type##_fresh, first},
STRUCTS(INIT)
static const row rows[] = {STRUCTS(ROW)};

static const size_t num_rows = sizeof(rows) / sizeof(rows[0]);

static void upper_name(char *out, const char *name)
{
    for (; *name; name++)
        *out++ = (char)toupper((unsigned char)*name);
    *out = '\0';
}

/* Does something with every function that takes a struct; their number. */
static size_t each_taker(const row *options_row,
                         void (*visit)(const row *options_row, const test_call *taker))
{
    char mark[64];
    size_t num = 0;
    snprintf(mark, sizeof(mark), "|%s|", options_row->name);
    for (const test_call *call = test_calls; call < test_calls + test_num_calls; call++) {
        if (!strstr(call->takes, mark))
            continue;
        num++;
        if (strcmp(call->name, "tm_webp_writer_new") != 0 || tm_webp_available())
            visit(options_row, call);
    }
    return num;
}

static tm_status give(const test_call *taker, const row *options_row, const void *options, tm_error *error)
{
    return test_call_of(taker, &(test_given){options_row->name, options}, error).status;
}

/* One call with one size; the struct lies in memory of its own, so that sanitizers see who reads behind it. */
static void try_size(const row *options_row, const test_call *taker, size_t size)
{
    tm_error error = {0};
    char macro[64], wanted[128];
    const size_t room = size < sizeof(size) ? sizeof(size) : size;
    uint8_t *options = calloc(1, room > options_row->size ? room : options_row->size), *exact = malloc(room);
    assert_non_null(options);
    assert_non_null(exact);
    memcpy(options, options_row->init, options_row->size);
    test_calls_fill(options, options_row->name);
    memcpy(exact, options, room);
    memcpy(exact, &size, sizeof(size));
    tm_status status = give(taker, options_row, exact, &error);
    if (size > options_row->size &&
        size > options_row->first) { /* newer headers: taken as long as all that is unknown here is zero */
        if (status != TM_OK)
            fail_msg("%s, %s of %zu bytes, zero behind: %s", taker->name, options_row->name, size,
                     error.text);
        exact[size - 1] = 1;
        status = give(taker, options_row, exact, &error);
    }
    free(options);
    free(exact);
    if (size > 0 && size <= options_row->size && size < options_row->first) {
        assert_int_equal(status, TM_ERROR_USAGE);
        return;
    }
    if (size > 0 && size <= options_row->size) {
        if (status != TM_OK)
            fail_msg("%s, %s of %zu bytes: %s", taker->name, options_row->name, size, error.text);
        return;
    }
    if (status != TM_ERROR_USAGE || error.code != TM_ERROR_USAGE)
        fail_msg("%s takes a %s of size %zu: %s", taker->name, options_row->name, size,
                 tm_status_name(status));
    upper_name(macro, options_row->name);
    if (size == 0)
        snprintf(wanted, sizeof(wanted), "%s.size is 0, set it by %s_INIT", options_row->name, macro);
    else
        snprintf(wanted, sizeof(wanted), "%s.size is %zu, this library knows %zu bytes", options_row->name,
                 size, options_row->size);
    if (strncmp(error.text, wanted, strlen(wanted)) != 0)
        fail_msg("%s: '%s', not '%s'", taker->name, error.text, wanted);
}

static void try_all_sizes(const row *options_row, const test_call *taker)
{
    for (size_t size = 0; size <= options_row->size + 8; size++)
        try_size(options_row, taker, size);
}

TEST(every_struct_is_taken_by_its_size)
{
    for (size_t i = 0; i < num_rows; i++)
        if (!each_taker(&rows[i], try_all_sizes))
            fail_msg("no function takes a %s", rows[i].name);
}

static void try_without(const row *options_row, const test_call *taker)
{
    assert_int_equal(give(taker, options_row, NULL, NULL), options_row->first ? TM_ERROR_USAGE : TM_OK);
}

TEST(no_struct_means_all_defaults)
{
    for (size_t i = 0; i < num_rows; i++)
        each_taker(&rows[i], try_without);
}

/* What callers without the macros do, in other languages; zeros are no camera. */
TEST(macros_are_the_size_and_zeros)
{
    for (size_t i = 0; i < num_rows; i++) {
        uint8_t fresh[512] = {0};
        memcpy(fresh, &rows[i].size, sizeof(rows[i].size));
        if (strcmp(rows[i].name, "tm_camera") != 0)
            assert_memory_equal(fresh, rows[i].init, rows[i].size);
    }
}

/* What follows the end of an older caller's struct must not be taken for its wishes. */
TEST(options_of_older_headers_are_cut_where_they_end)
{
    struct test_memory memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    OWN(tm_map) *made;
    options.allocator = &memory.allocator;
    assert_int_equal(tm_map_new(&made, &options, NULL), TM_ERROR_MEMORY);
    options.size = offsetof(tm_map_options, allocator);
    must(tm_map_new(&made, &options, NULL));
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
    for (const char *cursor = text; (cursor = strstr(cursor, mark)); ++*num) {
        cursor += strlen(mark);
        if (!is_in_table(cursor, strcspn(cursor, ")")))
            fail_msg("%s: %.40s has no row in this test", path, cursor);
    }
}

TEST(every_struct_of_the_headers_has_a_row)
{
    size_t num = 0;
    test_each_header(check_header, &num);
    assert_int_equal(num, num_rows);
}

TEST_GROUP(test_calls_begin, test_calls_end)
