/* SPDX-License-Identifier: Zlib */
/*
 * Mirroring and turning whole maps: the values of golden-edit/wholemap.tsv, and what must hold of every map: twice mirrored
 * and four times turned it is the same again.
 * test-timeout: 400
 */
#include "base/base.h"
#include "support/lib_changes.h"
#include "support/lib_edit.h"
#include "support/sha256.h"

#include <inttypes.h>

/* --------------------------------------------------------------------------------------- expected values */

/* The expected values are of numbers as files have them, the low byte first. */
static void hash_words(char out[65], const void *words, size_t size)
{
    FREED uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        int32_t word;
        memcpy(&word, (const uint8_t *)words + i, 4);
        tmi_put_i32(bytes + i, word);
    }
    test_sha256(out, bytes, size);
}

static void hash_speedups(char out[65], const tm_speedup_tile *tiles, size_t num)
{
    FREED uint8_t *bytes = malloc(num * sizeof(*tiles) + 1);
    assert_non_null(bytes);
    memcpy(bytes, tiles, num * sizeof(*tiles));
    for (size_t i = 0; i < num; i++) {
        uint8_t *angle = bytes + i * sizeof(*tiles) + offsetof(tm_speedup_tile, angle);
        angle[0] = (uint8_t)tiles[i].angle;
        angle[1] = (uint8_t)(tiles[i].angle >> 8);
    }
    test_sha256(out, bytes, num * sizeof(*tiles));
}

static void hash_block(char out[65], const tm_map *map, const tm_block *block, tm_layer_kind kind, size_t num)
{
    const size_t used = num * (size_t)tm_game_layer(kind)->element_size;
    const void *bytes;
    uint64_t size;
    must(tm_map_data(&bytes, &size, map, block, NULL));
    assert_true(size >= used);
    if (kind == TM_LAYER_SPEEDUP)
        hash_speedups(out, bytes, num);
    else if (tm_game_layer(kind)->is_tiles)
        test_sha256(out, bytes, used);
    else
        hash_words(out, bytes, used);
}

static void describe_group(char *out, size_t size, const tm_map *map, uint32_t index)
{
    const tm_group *g = &map->groups[index];
    int length = snprintf(out, size, "offset=%d,%d parallax=%d,%d", g->offset_x, g->offset_y, g->parallax_x,
                          g->parallax_y);
    if (g->use_clipping)
        snprintf(out + length, size - (size_t)length, " clip=%d,%d,%d,%d", g->clip_x, g->clip_y, g->clip_w,
                 g->clip_h);
}

static void describe_layer(char *out, size_t size, const tm_map *map, const tm_layer *layer)
{
    char hash[65];
    const tm_layer_info *rule = tm_game_layer(layer->kind);
    if (rule->is_tiles) {
        const tm_tile_layer *t = &layer->as.tiles;
        hash_block(hash, map, t->tiles, layer->kind, (size_t)t->width * t->height);
        snprintf(out, size, "flag=%d size=%ux%u sha256=%s", rule->tile_flags, t->width, t->height, hash);
    } else if (layer->kind == TM_LAYER_QUADS) {
        hash_block(hash, map, layer->as.quads.quads, layer->kind, layer->as.quads.num_quads);
        snprintf(out, size, "num=%u sha256=%s", layer->as.quads.num_quads, hash);
    } else {
        hash_block(hash, map, layer->as.sounds.sources, layer->kind, layer->as.sounds.num_sources);
        snprintf(out, size, "num=%u sha256=%s", layer->as.sounds.num_sources, hash);
    }
}

/* "points=time:x,y,rotation;..." and the hash of all tangents. */
static void describe_envelope(char *out, size_t size, const tm_map *map, uint32_t index)
{
    const tm_envelope *e = &map->envelopes[index];
    FREED int32_t *tangents = calloc(e->num_points, 16 * sizeof(int32_t));
    char hash[65];
    size_t length = (size_t)snprintf(out, size, "points=");
    assert_non_null(tangents);
    for (uint32_t i = 0; i < e->num_points; i++) {
        const tm_envelope_point *p = &e->points[i];
        length += (size_t)snprintf(out + length, size - length, "%s%d:%d,%d,%d", i ? ";" : "", p->time,
                                   p->values[0], p->values[1], p->values[2]);
        memcpy(tangents + 16 * i, p->in_dx, 16 * sizeof(int32_t));
    }
    hash_words(hash, tangents, (size_t)e->num_points * 16 * sizeof(int32_t));
    snprintf(out + length, size - length, " tangents_sha256=%s", hash);
}

static void describe(char *out, size_t size, const tm_map *map, const char *description, const char *key)
{
    unsigned a = 0, b = 0;
    const int num = sscanf(key, "%u/%u", &a, &b);
    out[0] = '\0';
    if (strcmp(description, "group") == 0 && a < map->num_groups)
        describe_group(out, size, map, a);
    else if (strcmp(description, "envelope") == 0 && a < map->num_envelopes)
        describe_envelope(out, size, map, a);
    else if (num == 2 && a < map->num_groups && b < map->groups[a].num_layers)
        describe_layer(out, size, map, &map->groups[a].layers[b]);
}

/* Tangents are told only where a map has any. */
static bool agrees(const char *got, const char *expected)
{
    return strcmp(got, expected) == 0 ||
           (strstr(got, " tangents_sha256=") && !strstr(expected, " tangents") &&
            strncmp(got, expected, strlen(expected)) == 0 && got[strlen(expected)] == ' ');
}

TEST(whole_maps_agree_with_golden_values)
{
    static char line[1 << 20], got[1 << 20];
    char at[512] = "", *cell[5];
    tm_map *map = NULL;
    uint32_t num_rows = 0, num_wrong = 0;
    FILE *file = test_golden_table("wholemap.tsv");
    while (test_next_row(file, line, sizeof(line), cell, 5)) {
        if (strcmp(cell[0], "map") == 0)
            continue;
        char key[512];
        snprintf(key, sizeof(key), "%s %s", cell[0], cell[1]);
        if (strcmp(key, at) != 0) {
            snprintf(at, sizeof(at), "%s", key);
            tm_map_free(map);
            map = test_shared_map(cell[0]);
            test_edit_does(map, strcmp(cell[1], "mirror_x") == 0 ? "mirror x" : "rotate 90");
        }
        describe(got, sizeof(got), map, cell[2], cell[3]);
        num_rows++;
        if (agrees(got, cell[4]))
            continue;
        num_wrong++;
        print_error("%s %s %s: %.200s, not %.200s\n", at, cell[2], cell[3], got, cell[4]);
    }
    fclose(file);
    tm_map_free(map);
    print_message("%u rows\n", num_rows);
    assert_true(num_rows > 700);
    assert_int_equal(num_wrong, 0);
}

static void check_properties(const tm_map *map)
{
    static const char *const empty[] = {"mirror x\nmirror x",
                                        "mirror y\nmirror y",
                                        "rotate 180\nrotate 180",
                                        "rotate 90\nrotate 270",
                                        "rotate 90\nrotate 90\nrotate 90\nrotate 90",
                                        "rotate 90\nmirror x\nrotate 90\nmirror x"};
    for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++) {
        /* Once through, so that small layers are grown and angles are within a turn; then there and back. */
        OWN(tm_map) *first = test_edited(map, empty[i]), *second = test_edited(first, empty[i]);
        assert_true(test_map_same(first, second));
    }
    OWN(tm_map) *turned = test_edited(map, "rotate 270");
    OWN(tm_buffer) file = test_map_save(turned, NULL);
    OWN(tm_map) *loaded = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_true(test_map_same(turned, loaded));
}

TEST(generated_maps_come_back)
{
    struct test_base base;
    for (int i = 0; test_base_generated(&base, i); i++) {
        check_properties(base.map);
        test_base_release(&base);
    }
}

TEST(golden_maps_come_back)
{
    static const char *const names[] = {"full", "mix", "flags", "opt", "unused", "sc", "rand11", "rand12"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char name[64];
        snprintf(name, sizeof(name), "golden-edit/maps/%s.map", names[i]);
        OWN(tm_map) *map = test_shared_map(name);
        check_properties(map);
    }
}

/* ------------------------------------------------------------------------------------------ single cases */

/*
 * Where the game layer is no small layer, the bytes of the file are back: a layer of nothing but air looks like its file's tiles
 * after each turn, and has its size back after four.
 */
TEST(bytes_come_back)
{
    static const char *const turns[] = {"rotate 90\nrotate 270", "mirror y\nmirror y",
                                        "rotate 180\nrotate 180",
                                        "mirror x\nmirror x\nrotate 90\nrotate 90\nrotate 90\nrotate 90"};
    OWN(tm_map) *made =
        test_map_of("add group\nadd layer 0 game 4x3\nfill game@1,2+1x1 60:flags=8\nadd group\n"
                    "add layer 1 tiles 5x9\nadd layer 1 tiles 14x5");
    OWN(tm_buffer) before = test_map_save(made, NULL);
    for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); i++) {
        OWN(tm_map) *map = test_map_load(&before, TM_MODE_GAME, NULL);
        test_edit_does(map, turns[i]);
        OWN(tm_buffer) after = test_map_save(map, NULL);
        assert_true(test_buffer_same(&before, &after));
    }
    OWN(tm_map) *mirrored = test_edited(made, "mirror x");
    OWN(tm_buffer) middle = test_map_save(mirrored, NULL);
    assert_false(test_buffer_same(&before, &middle));
}

/* Long layers, 3000 x 2 and 2 x 3000, need 72 MB when they grow to one another, of which 1 MB is allowed. */
TEST(long_layers_are_trimmed_where_they_would_not_fit)
{
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = 1 << 20};
    const tm_map_options options = {.size = sizeof(options), .limits = &limits};
    const tm_tile tile = {60, 8, 0, 0};
    const char *angle = "180";
    for (uint32_t full = 0; full < 2; full++) {
        OWN(tm_map) *map;
        tm_error error;
        must(tm_map_new(&map, &options, NULL));
        for (uint32_t i = 0; i < 2; i++)
            must(tm_map_insert(map, TM_KIND_GROUP, i, NULL));
        must(tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, 4, 3, NULL));
        must(tm_map_insert_layer(map, 1, 0, TM_LAYER_TILES, 3000, 2, NULL));
        must(tm_map_insert_layer(map, 1, 1, TM_LAYER_TILES, 2, 3000, NULL));
        must(tm_map_fill_tiles(map, 1, 0, &(tm_rect){full ? 2990 : 5, 0, 1, 2}, &tile, NULL));
        must(tm_map_fill_tiles(map, 1, 1, &(tm_rect){0, full ? 2990 : 6, 2, 1}, &tile, NULL));
        const tm_status status = tm_edit_run(map, tm_edit_find("rotate"), &angle, 1, NULL, NULL, &error);
        assert_int_equal(status, full ? TM_ERROR_LIMIT : TM_OK);
        for (uint32_t i = 0; i < 2 && !full; i++) {
            tm_grid grid = test_grid(map, &map->groups[1].layers[i]);
            assert_int_equal(grid.width, 7);
            assert_int_equal(grid.height, 8);
            const tm_tile *last = (const tm_tile *)grid.tiles + (i ? 1 * 7 : 7 * 7 + 1);
            assert_int_equal(last->index, 60);
        }
        assert_int_equal(map->groups[1].layers[0].as.tiles.width, full ? 3000 : 7);
    }
}

/* 60 layers of 100 x 100 grew to one of 1200 x 1200 that repeats its edge: 345 MB in place of 8. */
TEST(layers_do_not_grow_to_one_that_repeats_its_edge)
{
    const tm_tile tile = {60, 0, 0, 0};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 100, 100);
    must(tm_map_insert(map, TM_KIND_GROUP, 1, NULL));
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t side = i ? 100 : 1200;
        must(tm_map_insert_layer(map, 1, i, TM_LAYER_TILES, side, side, NULL));
        must(tm_map_fill_tiles(map, 1, i, &(tm_rect){3, 5, side - 3, side - 5}, &tile, NULL));
    }
    test_edit_does(map, "rotate 180");
    for (uint32_t i = 0; i < 60; i++) {
        assert_int_equal(map->groups[1].layers[i].as.tiles.width, 4);
        assert_int_equal(map->groups[1].layers[i].as.tiles.height, 6);
    }
}

/* A design layer that is larger than the game layer cannot stay in its group. */
TEST(large_design_layers_leave_the_game_group)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 4, 3);
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, 9, 3, NULL));
    must(tm_map_insert_layer(map, 0, 2, TM_LAYER_TILES, 2, 2, NULL));
    test_edit_does(map, "mirror x");
    assert_int_equal(map->num_groups, 3);
    assert_int_equal(map->groups[0].layers[0].as.tiles.width, 9);
    assert_int_equal(map->groups[1].layers[0].kind, TM_LAYER_GAME);
    assert_int_equal(map->groups[1].num_layers, 1);
    assert_int_equal(map->groups[2].layers[0].as.tiles.width, 2);
    /* the middle of 9 tiles comes to that of 4: 288 - 128 px */
    assert_int_equal(map->groups[0].offset_x, 160);
    assert_int_equal(map->groups[2].offset_x, 64 - 128);
}

/* An envelope that moves a quad and colors another one is turned for the first alone. */
TEST(envelopes_of_two_uses_are_parted)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 4, 3);
    const tm_envelope_point point = {.values = {1024, 2048, 3072, 4096}, .out_dy = {5, 6, 7, 8}};
    tm_quad quads[2];
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    must(tm_map_set_points(map, 0, &point, 1, NULL));
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
    tm_quad_init(&quads[0], 0, 0, 1024, 1024);
    quads[1] = quads[0];
    quads[0].position_envelope = 0;
    quads[1].color_envelope = 0;
    must(tm_map_set_quads(map, 0, 1, quads, 2, NULL));
    test_edit_does(map, "rotate 90");
    assert_int_equal(map->num_envelopes, 2);
    const tm_quad *turned = test_quads(map, &map->groups[0].layers[1]);
    assert_int_equal(turned[0].position_envelope, 1);
    assert_int_equal(turned[1].color_envelope, 0);
    assert_int_equal(map->envelopes[0].points[0].values[0], 1024);
    const tm_envelope_point *p = map->envelopes[1].points;
    assert_int_equal(p->values[0], -2048);
    assert_int_equal(p->values[1], 1024);
    assert_int_equal(p->values[2], 3072);
    assert_int_equal(p->out_dy[0], -6);
    assert_int_equal(p->out_dy[1], 5);
}

/* What does not fit into 32 bits stays, with the object's name; it was refused. More: test_edit_unmoved.c. */
TEST(overflow_is_told_by_a_finding)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 4, 3);
    test_insert_group(map, 1, TM_LAYER_TILES, 4, 4);
    map->groups[1].offset_x = INT32_MIN;
    test_edit_does(map, "mirror x");
    assert_true(test_found(&test_report.findings, TM_FINDING_NOT_MOVED));
    assert_string_equal(test_report.findings.list[0].address, "1");
    assert_int_equal(map->groups[1].offset_x, INT32_MIN);
}
