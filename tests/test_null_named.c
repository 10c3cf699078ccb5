/* SPDX-License-Identifier: Zlib */
/* The error for a missing object names it where all other arguments are sound; test_null.c has all of them missing. */
#include "support/test.h"
#include "datafile/datafile.h"

#define NEEDS(what, call)                                 \
    do {                                                  \
        tm_error error = {.code = TM_OK};                 \
        tm_error *const e = &error;                       \
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
    const tm_output none = tm_output_to_buffer(NULL);
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
    assert_true(tm_datafile_get_data(datafile, 0, &data));
    NEEDS("datafile", tmi_datafile_read_packed(NULL, 0, pixels, 4, e));
    NEEDS("datafile", tmi_datafile_check_data(NULL, NULL, NULL, NULL, NULL, e));
    NEEDS("writer", tmi_datafile_writer_add_lazy(NULL, &(int32_t){0}, 4, 0, NULL, NULL, e));
    NEEDS("writer", tmi_datafile_writer_add_packed(NULL, &(int32_t){0}, pixels, 4, 4, e));
    NEEDS("map", tm_renderer_new(&(tm_renderer *){NULL}, NULL, NULL, NULL, e));
    NEEDS("path", tm_sys_open_input(&(tm_input){.size = 0}, NULL, 0, NULL, e));
    NEEDS("renderer", tm_renderer_draw(NULL, NULL, 0, 1, pixels, 4, e));
    NEEDS("output", tm_png_writer_new(&(tm_png_writer *){NULL}, NULL, 1, 1, NULL, e));
    if (tm_webp_available())
        NEEDS("output", tm_webp_writer_new(&(tm_webp_writer *){NULL}, NULL, 1, 1, NULL, e));
    NEEDS("output", tm_animation_new(&(tm_animation *){NULL}, NULL, 1, 1, 1, 1000, NULL, e));
    NEEDS("datafile", tm_datafile_data_bytes(NULL, 0, &(const void *){NULL}, NULL, e));
    NEEDS("path", tm_store_load(&(tm_map *){NULL}, NULL, NULL, NULL, e));
    NEEDS("path", tm_store_open_datafile(&(tm_datafile *){NULL}, NULL, NULL, NULL, e));
    NEEDS("path", tm_sys_save_begin(&(tm_sys_save *){NULL}, NULL, NULL, e));
    NEEDS("out", tm_datafile_open(NULL, input, NULL, NULL, e));
    NEEDS("out", tm_mapfile_load(NULL, input, NULL, NULL, e));
    NEEDS("output", tm_datafile_writer_finish(writer, NULL, NULL, NULL, e));
    NEEDS("buffer", tm_datafile_read_data(datafile, 0, NULL, data.size, NULL, e));
    NEEDS("buffer", tmi_datafile_read_packed(datafile, 0, NULL, data.packed_size, e));
    NEEDS("rgba", tm_renderer_draw(renderer, &camera, 0, 4, NULL, 16, e));
    NEEDS("rgba", tm_background_fill(NULL, 4, 0, 4, NULL, 16, e));
    NEEDS("pixels", tm_png_writer_rows(png, NULL, 4, 16, e));
    NEEDS("buffer", tm_png_write(&none, pixels, 4, 4, NULL, e));
    NEEDS("map", tm_select_layers((tm_layer_choice[1]){{false, 0}}, NULL, "design", TM_SELECT_ALL, e));
    NEEDS("text", tm_address_parse(&(tm_address){0}, map, NULL, e));
    NEEDS("visit", tm_mapfile_each_share(map, NULL, NULL, e));
    NEEDS("after", tm_mapfile_compare_unknown(map, NULL, NULL, NULL, NULL, e));
    NEEDS("visit", tm_mapfile_compare_unknown(map, map, NULL, NULL, NULL, e));
    NEEDS("b", tm_map_equal(&(bool){false}, map, NULL, NULL, 0, e));
    assert_false(tm_datafile_get_item(datafile, 0, NULL));
    assert_false(tm_datafile_get_data(datafile, 0, NULL));
    assert_false(tm_datafile_get_type(datafile, 0, NULL));
    assert_false(tm_datafile_find_type(datafile, 1, NULL));
    assert_false(tm_datafile_find_uuid(datafile, NULL, &(tm_datafile_type){0}));
    assert_false(tm_sys_same_file(".", NULL));
    assert_false(tm_sys_is_newer(".", NULL));
    assert_int_equal(tm_sys_kind_of(NULL), TM_SYS_MISSING);
    assert_int_equal(tm_crc32(7, NULL, 4), 7);
    tm_datafile_get_header(datafile, NULL);
    tm_mapfile_count(NULL, map);
    tm_map_area(map, NULL, NULL);
    tm_png_writer_free(png);
}
