/* SPDX-License-Identifier: Zlib */
/*
 * NULL for an object that is not there: a usage error that names the argument, or nothing at all; never a crash, as it was in
 * most functions. Those of teemap/map.h stand in test_map_usage.c.
 */
#include <teemap/teemap.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NEEDS(what, call)                                 \
    do {                                                  \
        tm_error error = {.code = TM_OK};                 \
        tm_error *const e = &error;                       \
        assert_int_equal(call, TM_ERROR_USAGE);           \
        assert_string_equal(error.text, what " is NULL"); \
        assert_int_equal(error.side, TM_SIDE_USAGE);      \
    } while (0)

static void containers_say_what_is_missing(void **state)
{
    (void)state;
    const void *bytes = "";
    tm_datafile *datafile = NULL;
    tm_datafile_writer *writer = NULL;
    tm_map *map = NULL;
    int32_t index = 0;
    uint8_t buffer[4];
    NEEDS("datafile", tm_datafile_read_data(NULL, 0, buffer, 4, NULL, e));
    NEEDS("datafile", tm_datafile_data_bytes(NULL, 0, &bytes, NULL, e));
    NEEDS("datafile", tm_datafile_read_packed(NULL, 0, buffer, 4, e));
    NEEDS("datafile", tm_datafile_unpack(NULL, NULL, 0, NULL, e));
    NEEDS("datafile", tm_datafile_visit(NULL, NULL, 0, NULL, NULL, NULL, e));
    NEEDS("datafile", tm_datafile_check_data(NULL, NULL, NULL, NULL, NULL, e));
    NEEDS("datafile", tm_datafile_copy(NULL, NULL, NULL, false, NULL, NULL, e));
    NEEDS("out", tm_datafile_writer_new(NULL, NULL, e));
    NEEDS("writer", tm_datafile_writer_add_item(writer, 1, 1, buffer, 4, TM_NONE, e));
    NEEDS("writer", tm_datafile_writer_add_uuid_item(writer, NULL, 1, buffer, 4, TM_NONE, e));
    NEEDS("writer", tm_datafile_writer_add_data(writer, &index, buffer, 4, 0, e));
    NEEDS("writer", tm_datafile_writer_add_lazy(writer, &index, 4, 0, NULL, NULL, e));
    NEEDS("writer", tm_datafile_writer_add_packed(writer, &index, buffer, 4, 4, e));
    NEEDS("writer", tm_datafile_writer_add_from(writer, &index, datafile, 0, false, e));
    NEEDS("writer", tm_datafile_writer_finish(writer, NULL, NULL, NULL, e));
    NEEDS("map", tm_mapfile_save(map, NULL, NULL, NULL, NULL, e));
    NEEDS("map", tm_mapfile_check_data(map, NULL, NULL, e));
    assert_null(bytes);
}

static void pictures_say_what_is_missing(void **state)
{
    (void)state;
    tm_renderer *renderer = NULL;
    tm_png_writer *png = NULL;
    tm_webp_writer *webp = NULL;
    tm_animation *animation = NULL;
    uint8_t pixels[4] = {0};
    NEEDS("output", tm_png_write(NULL, pixels, 1, 1, NULL, e));
    NEEDS("output", tm_png_writer_new(&png, NULL, 1, 1, NULL, e));
    NEEDS("writer", tm_png_writer_rows(png, pixels, 1, 4, e));
    NEEDS("writer", tm_png_writer_finish(png, e));
    if (tm_webp_available()) {
        NEEDS("output", tm_webp_writer_new(&webp, NULL, 1, 1, NULL, e));
        NEEDS("writer", tm_webp_writer_rows(webp, pixels, 1, 4, e));
        NEEDS("writer", tm_webp_writer_finish(webp, e));
    }
    NEEDS("output", tm_animation_new(&animation, NULL, 1, 1, 1, 1000, NULL, e));
    NEEDS("animation", tm_animation_frame(animation, pixels, 4, e));
    NEEDS("animation", tm_animation_finish(animation, e));
    NEEDS("map", tm_renderer_new(&renderer, NULL, NULL, NULL, e));
    NEEDS("renderer", tm_renderer_draw(renderer, NULL, 0, 1, pixels, 4, e));
    NEEDS("renderer", tm_renderer_stream(renderer, NULL, NULL, NULL, NULL, e));
    tm_png_writer_free(NULL);
    tm_webp_writer_free(NULL);
    tm_animation_free(NULL);
    tm_renderer_free(NULL);
}

static void files_say_what_is_missing(void **state)
{
    (void)state;
    tm_input input;
    tm_sys_save *save = NULL;
    tm_map *map = NULL;
    tm_datafile *datafile = NULL;
    NEEDS("out", tm_sys_open_input(NULL, "x", 0, NULL, e));
    NEEDS("path", tm_sys_open_input(&input, NULL, 0, NULL, e));
    NEEDS("path", tm_sys_save_begin(&save, NULL, NULL, e));
    NEEDS("save", tm_sys_save_commit(save, e));
    NEEDS("path", tm_sys_make_folder(NULL, e));
    NEEDS("folder", tm_sys_list(NULL, NULL, NULL, NULL, e));
    NEEDS("folder", tm_sys_walk(NULL, NULL, NULL, NULL, NULL, e));
    NEEDS("out", tm_sys_threads_new(NULL, 1, NULL, e));
    NEEDS("path", tm_store_load(&map, NULL, NULL, NULL, e));
    NEEDS("path", tm_store_open_datafile(&datafile, NULL, NULL, NULL, e));
    NEEDS("map", tm_store_save(map, "x", NULL, NULL, NULL, e));
    NEEDS("pieces", tm_pieces_run(NULL, NULL, e));
    tm_sys_save_abort(NULL);
    tm_sys_threads_free(NULL);
    tm_datafile_close(NULL);
    tm_datafile_writer_free(NULL);
    tm_free(NULL, NULL, 0);
    tm_findings_add(NULL, TM_MODE_GAME, TM_FINDING_BAD_NAME, -1, NULL, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_say_what_is_missing),
        cmocka_unit_test(pictures_say_what_is_missing),
        cmocka_unit_test(files_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
