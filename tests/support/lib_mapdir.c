/* SPDX-License-Identifier: Zlib */
#include "lib_mapdir.h"

static void fill_random(void *bytes, size_t size, uint32_t seed)
{
    uint8_t *target = bytes;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        target[i] = (uint8_t)(seed >> 24);
    }
}

static void add_layer(tm_map *map, uint32_t group, tm_layer_kind kind, uint32_t width, uint32_t height)
{
    const uint32_t at = map->groups[group].num_layers;
    must(tm_map_insert_layer(map, group, at, kind, width, height, NULL));
}

tm_map *test_mapdir_map(void)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME,  TM_LAYER_TILES,  TM_LAYER_TELE, TM_LAYER_SPEEDUP,
                                          TM_LAYER_FRONT, TM_LAYER_SWITCH, TM_LAYER_TUNE};
    static const char *const settings[] = {"tune gun_speed 1400", "",        " leading",
                                           "\"quoted\"",          "none",    "trailing ",
                                           "sv_x \xff\x01\n",     "\xc3\xa9"};
    uint8_t pixels[4 * 3 * 4];
    tm_sound_source sources[2];
    tm_quad quads[2];
    tm_envelope_point points[3] = {
        {.time = 0}, {.time = 10, .curve = TM_CURVE_BEZIER, .in_dx = {1, -2}}, {.curve = 77}};
    tm_map *map = test_map_new();
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_GROUP; kind++)
        for (int i = 0; i < 2; i++)
            must(tm_map_insert(map, kind, 0, NULL));
    fill_random(pixels, sizeof(pixels), 1);
    must(tm_map_set_pixels(map, 0, pixels, 4, 3, NULL));
    must(tm_map_set_sound(map, 1, "OggS and more", 13, NULL));
    fill_random(points[0].values, sizeof(points[0].values), 2);
    must(tm_map_set_points(map, 0, points, 3, NULL));
    must(tm_map_set_settings(map, settings, sizeof(settings) / sizeof(*settings), NULL));
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        add_layer(map, 0, kinds[k], 7, 5);
    add_layer(map, 1, TM_LAYER_QUADS, 0, 0);
    add_layer(map, 1, TM_LAYER_SOUNDS, 0, 0);
    tm_quad_init(&quads[0], 1, -2, 3 * TM_FX, 5);
    fill_random(&quads[1], sizeof(quads[1]), 3);
    must(tm_map_set_quads(map, 1, 0, quads, 2, NULL));
    tm_sound_source_init(&sources[0], 5, 6);
    fill_random(&sources[1], sizeof(sources[1]), 4);
    must(tm_map_set_sources(map, 1, 1, sources, 2, NULL));
    for (uint32_t l = 0; l < map->groups[0].num_layers; l++) {
        tm_edit_grid grid;
        must(tm_map_edit_tiles(&grid, map, 0, l, NULL));
        fill_random((uint8_t *)grid.tiles + 2 * grid.row_stride, 3 * grid.row_stride, l);
    }
    return map;
}

void test_mapdir_write(tm_memory_files *files, const tm_map *map)
{
    const tm_files_out out = tm_memory_files_out(files);
    tm_error error;
    if (tm_mapdir_write(map, &out, NULL, NULL, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
    (void)tm_memory_files_in(files);
}

tm_status test_mapdir_read(tm_map **out, tm_memory_files *files, tm_findings *findings, tm_error *error)
{
    const tm_files_in folder = tm_memory_files_in(files);
    return tm_mapdir_read(out, NULL, &folder, NULL, NULL, findings, error);
}

void test_mapdir_check(const tm_map *map, tm_memory_files *files)
{
    OWN(tm_findings) findings = test_findings();
    tm_error error;
    OWN(tm_map) *read;
    if (test_mapdir_read(&read, files, &findings, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
    test_print_findings(&findings);
    assert_int_equal(findings.num, 0);
    assert_true(test_map_same(map, read));
}
