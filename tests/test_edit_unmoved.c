/* SPDX-License-Identifier: Zlib */
/*
 * One object for which an operation on the whole map leads out of the numbers of maps stays as it is, is told
 * by a finding, and does not stop the rest. Such a map was refused as a whole.
 */
#include "support/lib_edit.h"
#include "support/lib_maps.h"

enum { FX = TM_FX, GAME_WIDTH = 7, GAME_HEIGHT = 5 };

/* A far and a near object of each kind; group 1 holds quads, sources and design tiles, group 2 clips. */
typedef enum far_object { FAR_QUAD, FAR_SOURCE, FAR_ENVELOPE, FAR_OFFSET, FAR_CLIP, FAR_OBJECTS } far_object;

static const tm_quad near_quad = {.points = {{3 * FX, 5 * FX},
                                             {90 * FX, 7 * FX},
                                             {11 * FX, 60 * FX},
                                             {70 * FX, 50 * FX},
                                             {40 * FX, 30 * FX}},
                                  .position_envelope = TM_NONE,
                                  .color_envelope = TM_NONE};

static tm_map *lopsided(far_object far, int32_t limit)
{
    tm_map *map = test_map_of_layer(TM_LAYER_GAME, GAME_WIDTH, GAME_HEIGHT);
    tm_quad quads[2] = {near_quad, near_quad};
    tm_sound_source sources[2];
    tm_envelope_point points[2] = {{.time = 0}, {.time = 1000}};
    test_insert_group(map, 1, TM_LAYER_QUADS, 0, 0);
    must(tm_map_insert_layer(map, 1, 1, TM_LAYER_SOUNDS, 0, 0, NULL));
    test_insert_group(map, 2, TM_LAYER_TILES, 5, 6);
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    map->envelopes[0].channels = TM_ENVELOPE_POSITION;
    for (int i = 0; i < 2; i++) {
        tm_sound_source_init(&sources[i], 13 * FX, 17 * FX);
        points[i].values[0] = 1024 * (i + 1);
        points[i].values[1] = 3072;
    }
    quads[0].position_envelope = 0;
    if (far == FAR_QUAD)
        quads[1].points[2] = (tm_point){limit, limit};
    if (far == FAR_SOURCE)
        sources[1].position = (tm_point){limit, limit};
    if (far == FAR_ENVELOPE)
        points[1].values[0] = points[1].values[1] = points[1].values[2] = limit;
    if (far == FAR_OFFSET)
        map->groups[2].offset_x = map->groups[2].offset_y = limit;
    map->groups[2].use_clipping = true;
    map->groups[2].clip_x = map->groups[2].clip_y = far == FAR_CLIP ? limit : 40;
    map->groups[2].clip_w = 64;
    map->groups[2].clip_h = 96;
    map->groups[2].parallax_x = map->groups[2].parallax_y = 50;
    must(tm_map_set_quads(map, 1, 0, quads, 2, NULL));
    must(tm_map_set_sources(map, 1, 1, sources, 2, NULL));
    must(tm_map_set_points(map, 0, points, 2, NULL));
    return map;
}

static const tm_quad *quads_of(const tm_map *map)
{
    return test_quads(map, &map->groups[1].layers[0]);
}

enum {
    ELEMENTS = 1 << FAR_QUAD | 1 << FAR_SOURCE,
    EVERYTHING = ELEMENTS | 1 << FAR_ENVELOPE | 1 << FAR_OFFSET | 1 << FAR_CLIP
};

/* Where the operation does not fit: numbers near which limit. */
static const struct {
    const char *operation;
    int32_t limit;
    uint32_t objects; /* a bit each that do not fit */
} rows[] = {
    {"mirror x", INT32_MIN, EVERYTHING},
    {"mirror y", INT32_MIN, EVERYTHING},
    {"rotate 90", INT32_MIN, EVERYTHING},
    {"rotate 180", INT32_MIN, EVERYTHING},
    {"rotate 270", INT32_MIN, EVERYTHING},
    {"scale 2", INT32_MAX, EVERYTHING},
    {"scale 16", INT32_MIN, EVERYTHING},
    {"shift 3,2", INT32_MAX, ELEMENTS | 1 << FAR_CLIP},
    {"shift 3,2", INT32_MIN, 1 << FAR_OFFSET},
    {"shift -3,-2", INT32_MIN, ELEMENTS | 1 << FAR_CLIP},
    {"extend left 2", INT32_MAX, ELEMENTS | 1 << FAR_CLIP},
    {"extend up 2", INT32_MIN, 1 << FAR_OFFSET},
    {"crop 1,1+4x3", INT32_MIN, ELEMENTS | 1 << FAR_CLIP},
    {"crop 1,1+4x3", INT32_MAX, 1 << FAR_OFFSET},
};

static void is_told(const char *operation, far_object far)
{
    static const char *const addresses[] = {"1/0", "1/1", "envelope/0", "2", "2"};
    const char *address = addresses[far];
    bool told = false;
    for (size_t i = 0; i < test_report.findings.num; i++) {
        const tm_finding *finding = &test_report.findings.list[i];
        told |= finding->id == TM_FINDING_NOT_MOVED && strcmp(finding->address, address) == 0;
    }
    if (!told)
        print_error("%s: object %d is not told\n", operation, (int)far);
    assert_true(told);
    assert_true(tm_report_has_warnings(&test_report)); /* the status of the command line is 1 */
}

TEST(what_does_not_fit_stays_and_the_rest_is_moved)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        OWN(tm_map) *fitting = lopsided(FAR_OBJECTS, 0);
        OWN(tm_map) *plain = test_edited(fitting, rows[r].operation);
        assert_false(test_found(&test_report.findings, TM_FINDING_NOT_MOVED));
        for (int far = 0; far < FAR_OBJECTS; far++) {
            if (!(rows[r].objects >> far & 1))
                continue;
            OWN(tm_map) *map = lopsided((far_object)far, rows[r].limit);
            OWN(tm_map) *before = test_map_clone(map);
            test_edit_does(map, rows[r].operation);
            is_told(rows[r].operation, (far_object)far);
            /* What fits is as in the map in which everything fits. */
            const tm_quad *quads = quads_of(map), *want = quads_of(plain), *old = quads_of(before);
            assert_memory_equal(quads[0].points, want[0].points, sizeof(want->points));
            assert_memory_equal(quads[1].points, far == FAR_QUAD ? old[1].points : want[1].points,
                                sizeof(want->points));
            const tm_tile_layer *tiles = &map->groups[0].layers[0].as.tiles;
            assert_int_equal(tiles->width, plain->groups[0].layers[0].as.tiles.width);
            assert_int_equal(tiles->height, plain->groups[0].layers[0].as.tiles.height);
            if (far == FAR_ENVELOPE)
                assert_memory_equal(map->envelopes[0].points, before->envelopes[0].points,
                                    2 * sizeof(tm_envelope_point));
            else
                assert_int_equal(map->envelopes[0].points[1].values[0],
                                 plain->envelopes[0].points[1].values[0]);
            assert_int_equal(map->groups[2].clip_w, plain->groups[2].clip_w);
        }
    }
}

/* Operations on quads alone: the far one stays, the near one is changed. */
TEST(quads_that_do_not_fit_stay)
{
    static const char *const operations[] = {"quads align", "quads scale 2", "quads turn 45"};
    for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
        OWN(tm_map) *map = lopsided(FAR_QUAD, INT32_MAX);
        OWN(tm_map) *before = test_map_clone(map);
        tm_error error;
        if (test_edit_run(map, operations[i], &error)) {
            print_error("%s: %s\n", operations[i], error.text);
            assert_int_equal(error.code, TM_OK);
        }
        if (test_found(&test_report.findings, TM_FINDING_NOT_MOVED))
            assert_memory_equal(quads_of(map)[1].points, quads_of(before)[1].points,
                                sizeof(near_quad.points));
    }
}

TEST(ten_quads_are_one_finding)
{
    OWN(tm_map) *map = lopsided(FAR_OBJECTS, 0);
    tm_quad quads[10];
    for (int i = 0; i < 10; i++) {
        quads[i] = near_quad;
        quads[i].points[1].x = i < 3 ? 64 * FX : INT32_MIN;
    }
    must(tm_map_set_quads(map, 1, 0, quads, 10, NULL));
    test_edit_does(map, "mirror x");
    assert_int_equal(test_report.findings.num, 1);
    assert_non_null(strstr(test_report.findings.list[0].text, "quad 3 stays as it is"));
    assert_non_null(strstr(test_report.findings.list[0].text, "6 more like this"));
}
