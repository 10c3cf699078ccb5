/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there is a usage error, or nothing at all, and leaves zero in every out-parameter; it was a crash in
 * most functions, and tm_renderer_from_picture and others left what was there. tools/null_calls.py makes the rows from the headers.
 */
#include "support/test.h"
#include "datafile/datafile.h"
#include "lint/lint.h"

static _Alignas(max_align_t) uint8_t outs[3][1024];
#define OUT(i) ((void *)outs[i])
static tm_error error;

static void check_usage(const char *name, tm_status status, const char *parameters)
{
    char wanted[64];
    snprintf(wanted, sizeof(wanted), "|%.*s|", (int)strcspn(error.text, " "), error.text);
    if (status != TM_ERROR_USAGE)
        fail_msg("%s takes NULL", name);
    if (strstr(parameters, "|error|") &&
        (error.side != TM_SIDE_USAGE || !strstr(error.text, " is NULL") || !strstr(parameters, wanted)))
        fail_msg("%s: %s names none of %s", name, error.text, parameters);
}

static void check_zero(const char *name, const size_t *sizes, size_t num)
{
    static const uint8_t zeros[sizeof(outs[0])];
    for (size_t i = 0; i < num; i++)
        if (memcmp(outs[i], zeros, sizes[i]) != 0)
            fail_msg("%s leaves an out-parameter as it was", name);
}

#define STATUS(name, arguments, parameters)      \
    do {                                         \
        error = (tm_error){.code = TM_OK};       \
        const tm_status status = name arguments; \
        check_usage(#name, status, parameters);  \
    } while (0)
#define ZERO(name, arguments)              \
    do {                                   \
        if ((name arguments) != 0)         \
            fail_msg(#name " takes NULL"); \
    } while (0)
#define NOTHING(name, arguments) (void)name arguments
#define OUTS(name, arguments, ...)                                \
    do {                                                          \
        static const size_t sizes[] = {__VA_ARGS__};              \
        memset(outs, 0x5a, sizeof(outs));                         \
        (void)name arguments;                                     \
        check_zero(#name, sizes, sizeof(sizes) / sizeof(*sizes)); \
    } while (0)

TEST(functions_take_nothing)
{
#include "null_calls.inc"
    OUTS(tm_pyramid_frame_init, (OUT(0), NULL, 0, &error), sizeof(tm_pyramid_frame));
    OUTS(tm_animation_saving_at, (OUT(0), UINT32_MAX), sizeof(tm_animation_saving));
    OUTS(tm_codec_library_at, (OUT(0), UINT32_MAX), sizeof(tm_codec_library));
    OUTS(tm_finding_at, (OUT(0), UINT32_MAX), sizeof(tm_finding_id));
    ZERO(tm_mark_kind_name, ((tm_mark_kind)99));
}

TEST(what_functions_give_of_nothing)
{
    int32_t number = 7;
    tm_game_turn_tile(TM_LAYER_TILES, NULL, TM_TRANSFORM_MIRROR_X);
    assert_null(tm_automap_find_config(&number, NULL, NULL));
    assert_int_equal(number, TM_NONE);
    assert_string_equal(tm_lint_fix_line(NULL, 0), "");
    assert_int_equal(tm_error_set(NULL, TM_ERROR_IO, NULL), TM_ERROR_IO);
    tm_free(NULL, tm_alloc(NULL, 1), 1); /* without an allocator it is malloc */
    char path[4] = "old";
    assert_false(tm_sys_real_path(path, sizeof(path), "nowhere/at/all")); /* once it was left as it was */
    assert_string_equal(path, "");
}

#define NEEDS(what, call)                                 \
    do {                                                  \
        error = (tm_error){.code = TM_OK};                \
        assert_int_equal(call, TM_ERROR_USAGE);           \
        assert_string_equal(error.text, what " is NULL"); \
        assert_int_equal(error.side, TM_SIDE_USAGE);      \
    } while (0)

TEST(one_missing_argument_is_told)
{
    uint8_t pixels[4 * 4 * 4] = {0};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_save(map, NULL);
    const tm_input input = tm_input_from_memory(file.bytes, file.size);
    const tm_output empty = tm_output_to_buffer(NULL);
    OWN(tm_buffer) picture = {0};
    const tm_output output = tm_output_to_buffer(&picture);
    OWN(tm_datafile) *datafile = NULL;
    tm_datafile_writer *writer = NULL;
    tm_png_writer *png = NULL;
    OWN(tm_renderer) *renderer = NULL;
    tm_datafile_data data = {0};
    tm_camera camera = TM_CAMERA_INIT;
    camera.width = camera.height = 4;
    must(tm_datafile_open(&datafile, input, NULL, NULL, NULL));
    must(tm_datafile_writer_new(&writer, NULL, NULL));
    must(tm_renderer_new(&renderer, map, NULL, NULL, NULL));
    must(tm_png_writer_new(&png, &output, 4, 4, NULL, NULL));
    assert_true(tm_datafile_get_data(&data, datafile, 0));
    if (tm_webp_available())
        NEEDS("output", tm_webp_writer_new(&(tm_webp_writer *){NULL}, NULL, 1, 1, NULL, &error));
    NEEDS("output",
          tm_animation_new(&(tm_animation *){NULL}, NULL,
                           &(tm_frames){sizeof(tm_frames), 1, 1, 1, 1000, NULL, NULL}, NULL, &error));
    NEEDS("operation", tm_edit_run(map, NULL, NULL, 0, NULL, NULL, &error));
    NEEDS("script", tm_edit_script_run(map, NULL, NULL, NULL, &error));
    NEEDS("out", tm_datafile_open(NULL, input, NULL, NULL, &error));
    NEEDS("out", tm_mapfile_load(NULL, input, NULL, NULL, &error));
    NEEDS("output", tm_datafile_writer_finish(writer, NULL, NULL, NULL, &error));
    NEEDS("buffer", tm_datafile_read_data(NULL, datafile, 0, NULL, data.size, &error));
    NEEDS("rgba", tm_renderer_draw(renderer, &camera, &(tm_rows){NULL, 16, 0, 4}, &error));
    NEEDS("rgba", tm_background_fill(NULL, 4, &(tm_rows){NULL, 16, 0, 4}, &error));
    NEEDS("pixels", tm_png_writer_rows(png, NULL, 4, 16, &error));
    NEEDS("buffer", tm_png_write(&empty, pixels, 4, 4, NULL, &error));
    NEEDS("map", tm_select_layers((tm_layer_choice[1]){{false, 0}}, NULL, "design", TM_SELECT_ALL, &error));
    NEEDS("text", tm_address_parse(&(tm_address){0}, map, NULL, &error));
    NEEDS("visit", tm_mapfile_each_share(map, NULL, NULL, &error));
    NEEDS("after", tm_mapfile_compare_unknown(map, NULL, NULL, NULL, NULL, &error));
    NEEDS("visit", tm_mapfile_compare_unknown(map, map, NULL, NULL, NULL, &error));
    NEEDS("merged", tm_mapfile_report_left_out(NULL, NULL, NULL, NULL, map, map, map, NULL, &error));
    NEEDS("ours", tm_mapfile_report_left_out(NULL, NULL, NULL, map, map, NULL, map, NULL, &error));
    NEEDS("theirs", tm_mapfile_report_left_out(NULL, NULL, NULL, map, map, map, NULL, NULL, &error));
    NEEDS("b", tm_map_equal(&(bool){false}, map, NULL, NULL, 0, &error));
    assert_int_equal(tm_object_write(map, &(tm_address){TM_KIND_LAYER, 99, 0}, &output, NULL),
                     TM_ERROR_USAGE);
    assert_false(tm_datafile_get_item(NULL, datafile, 0));
    assert_false(tm_datafile_get_data(NULL, datafile, 0));
    assert_false(tm_datafile_get_type(NULL, datafile, 0));
    assert_false(tm_datafile_find_type(NULL, datafile, 1));
    assert_false(tm_datafile_find_uuid(&(tm_datafile_type){0}, datafile, NULL));
    assert_false(tm_sys_same_file(".", NULL));
    assert_false(tm_sys_is_newer(".", NULL));
    assert_int_equal(tm_sys_kind_of(NULL), TM_SYS_MISSING);
    assert_int_equal(tm_crc32(7, NULL, 4), 7);
    tm_datafile_get_header(NULL, datafile);
    tm_mapfile_count(NULL, map);
    tm_map_area(NULL, NULL, map);
    tm_png_writer_free(png);
}
