/* SPDX-License-Identifier: Zlib */
/*
 * Operations on quads, and pictures drawn with quads and tiles: each pixel of the picture comes back when the map is drawn.
 */
#include "support/lib_edit.h"
#include "map/map.h"

enum { FX = 1024 };

static tm_buffer *const picture = &test_edit_files[0].bytes;

/* One group, one layer of `num` quads: slanted ones, each 100 px further right, with an image of 200 x 50. */
static tm_map *with_quads(const tm_allocator *allocator, uint32_t num)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    options.allocator = allocator;
    must(tm_map_new(&map, &options, NULL));
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, NULL, 200, 50, NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, 2, 2, NULL));
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
    map->groups[0].layers[1].as.quads.image = 0;
    for (uint32_t i = 0; i < num; i++) {
        const int32_t x = (int32_t)i * 100 * FX;
        tm_quad quad;
        tm_quad_init(&quad, x, 0, 80 * FX, 40 * FX);
        quad.points[0].x += 600;
        quad.points[0].y -= 700;
        quad.points[3].x += 10 * FX;
        quad.points[4] = (tm_point){x + 511, -512};
        must(tmi_map_insert_elements(map, LAYER_AT(0, 1), i, &quad, 1, NULL));
    }
    return map;
}

static const tm_quad *quads_of(const tm_map *map, uint32_t group, uint32_t layer)
{
    const tm_quad *quads = test_quads(map, &map->groups[group].layers[layer]);
    return quads;
}

static bool has_points(const tm_quad *quad, const int32_t xy[10])
{
    bool same = true;
    for (int i = 0; i < 5; i++)
        same = same && quad->points[i].x == xy[2 * i] && quad->points[i].y == xy[2 * i + 1];
    for (int i = 0; i < 5 && !same; i++)
        print_error("%d,%d, not %d,%d\n", quad->points[i].x, quad->points[i].y, xy[2 * i], xy[2 * i + 1]);
    return same;
}

#define POINTS(...) ((const int32_t[10]){__VA_ARGS__})

/* -------------------------------------------------------------------------------------------------- the shapes */

TEST(quads_become_even)
{
    OWN(tm_map) *map = with_quads(NULL, 2);
    const tm_quad before = quads_of(map, 0, 1)[0];
    test_edit_reports(map, "quads square", 1);
    assert_int_equal(test_report.list[0].count, 2);
    assert_string_equal(test_report.list[0].address, "0/1");
    assert_true(has_points(quads_of(map, 0, 1),
                           POINTS(0, -700, 90 * FX, -700, 0, 40 * FX, 90 * FX, 40 * FX, 511, -512)));
    assert_memory_equal(quads_of(map, 0, 1)->colors, before.colors, sizeof(before.colors));
    test_edit_reports(map, "quads square", 0);
    test_edit_does(map, "quads aspect"); /* 90 px wide, image 4 to 1 */
    assert_true(has_points(quads_of(map, 0, 1), POINTS(0, -700, 90 * FX, -700, 0, 22 * FX + 512 - 700,
                                                       90 * FX, 22 * FX + 512 - 700, 511, -512)));
    test_edit_does(map, "quads align"); /* halves go up */
    assert_true(
        has_points(quads_of(map, 0, 1), POINTS(0, -FX, 90 * FX, -FX, 0, 22 * FX, 90 * FX, 22 * FX, 0, 0)));
    test_edit_does(map, "quads center");
    assert_true(has_points(quads_of(map, 0, 1), POINTS(0, -FX, 90 * FX, -FX, 0, 22 * FX, 90 * FX, 22 * FX,
                                                       45 * FX, 10 * FX + 512)));
    test_edit_does(map, "quads turn 90");
    assert_true(has_points(quads_of(map, 0, 1),
                           POINTS(56 * FX + 512, -34 * FX - 512, 56 * FX + 512, 55 * FX + 512, 33 * FX + 512,
                                  -34 * FX - 512, 33 * FX + 512, 55 * FX + 512, 45 * FX, 10 * FX + 512)));
    test_edit_does(map, "quads turn -90");
    assert_true(has_points(quads_of(map, 0, 1), POINTS(0, -FX, 90 * FX, -FX, 0, 22 * FX, 90 * FX, 22 * FX,
                                                       45 * FX, 10 * FX + 512)));
}

TEST(quads_change_their_order)
{
    OWN(tm_map) *map = with_quads(NULL, 4);
    tm_quad before[4];
    memcpy(before, quads_of(map, 0, 1), sizeof(before));
    test_edit_does(map, "quads front 0/1@0,-1+6x2"); /* the first two */
    const int front[] = {2, 3, 0, 1}, back[] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++)
        assert_memory_equal(&quads_of(map, 0, 1)[i], &before[front[i]], sizeof(tm_quad));
    test_edit_reports(map, "quads front 0/1@0,-1+6x2", 0);
    test_edit_does(map, "quads back 0/1@0,-1+6x2");
    for (int i = 0; i < 4; i++)
        assert_memory_equal(&quads_of(map, 0, 1)[i], &before[back[i]], sizeof(tm_quad));
    test_edit_reports(map, "quads back quads", 0);
}

/* A quad of 80 x 40 px at -40,-20, red from left to right, green from top to bottom. */
static tm_map *with_even_quad(void)
{
    tm_map *map = with_quads(NULL, 1);
    tm_quad quad;
    tm_quad_init(&quad, -40 * FX, -20 * FX, 80 * FX, 40 * FX);
    for (int i = 0; i < 4; i++)
        quad.colors[i] = (tm_color){i & 1 ? 200 : 0, i & 2 ? 100 : 0, 7, 255};
    must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
    return map;
}

TEST(the_knife_cuts_what_is_shown)
{
    OWN(tm_map) *map = with_even_quad();
    const tm_quad whole = quads_of(map, 0, 1)[0];
    test_edit_does(map, "quads knife 0/1 0 -20,-10 20,-10 -20,10 20,10");
    assert_int_equal(map->groups[0].layers[1].as.quads.num_quads, 2);
    assert_memory_equal(&quads_of(map, 0, 1)[0], &whole, sizeof(whole));
    const tm_quad *part = &quads_of(map, 0, 1)[1];
    assert_true(has_points(
        part, POINTS(-20 * FX, -10 * FX, 20 * FX, -10 * FX, -20 * FX, 10 * FX, 20 * FX, 10 * FX, 0, 0)));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(part->colors[i].r, i & 1 ? 150 : 50);
        assert_int_equal(part->colors[i].g, i & 2 ? 75 : 25);
        assert_int_equal(part->colors[i].b, 7);
        assert_int_equal(part->colors[i].a, 255);
        assert_int_equal(part->texture[i].x, i & 1 ? 768 : 256);
        assert_int_equal(part->texture[i].y, i & 2 ? 768 : 256);
    }
    test_edit_does(map, "quads knife 0/1 0 -40,-20 40,-20 -40,20 40,20"); /* all of it is the same again */
    assert_memory_equal(&quads_of(map, 0, 1)[1], &whole, sizeof(whole));
    test_edit_refuses(map, "quads knife 0/1 0 -41,-10 20,-10 -20,10 20,10", TM_ERROR_USAGE,
                      "-41,-10 does not lie in");
    test_edit_refuses(map, "quads knife 0/1 9 0,0 1,0 0,1 1,1", TM_ERROR_NOT_FOUND, "there is no quad 9");
    test_edit_refuses(map, "quads knife 0/1 0 0,0 1,0 0,1", TM_ERROR_USAGE, "four corners");
    test_edit_refuses(map, "quads knife 0/0 0 0,0 1,0 0,1 1,1", TM_ERROR_USAGE, "not a layer of quads");
}

TEST(a_region_means_pivots)
{
    OWN(tm_map) *map = with_quads(NULL, 3); /* pivots at 0, 100 and 200 px; y above 0 */
    test_edit_reports(map, "quads square 0/1@3,-1+1x1", 1);
    assert_int_equal(test_report.list[0].count, 1);
    assert_int_equal(quads_of(map, 0, 1)[1].points[0].x, 100 * FX);
    assert_int_equal(quads_of(map, 0, 1)[0].points[0].x, 600);
    test_edit_reports(map, "quads square 0/1@3,0+9x9", 0);
    test_edit_reports(map, "quads square 0/0", 0);
}

/* It was refused as a whole. */
TEST(far_away_stays)
{
    OWN(tm_map) *map = with_quads(NULL, 1);
    tm_quad *quads;
    uint32_t num;
    must(tm_map_edit_quads(&quads, &num, map, 0, 1, NULL));
    quads[0].points[1].x = INT32_MAX;
    test_edit_reports(map, "quads align", 0);
    assert_true(test_found(&test_report.findings, TM_FINDING_NOT_MOVED));
    assert_int_equal(quads_of(map, 0, 1)[0].points[1].x, INT32_MAX);
    quads = NULL;
    must(tm_map_edit_quads(&quads, &num, map, 0, 1, NULL));
    quads[0].points[2].x = INT32_MIN;
    map->images[0].width = 1;
    map->images[0].height = INT32_MAX;
    test_edit_reports(map, "quads aspect", 0);
    assert_true(test_found(&test_report.findings, TM_FINDING_NOT_MOVED));
    assert_int_equal(quads_of(map, 0, 1)[0].points[2].x, INT32_MIN);
}

TEST(hidden_quads_go)
{
    OWN(tm_map) *map = with_quads(NULL, 5);
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    tm_quad *quads = test_edit_quads(map, 0, 1);
    for (int i = 0; i < 4; i++) {
        quads[1].colors[i].a = quads[2].colors[i].a = 0;
        quads[3].points[i] = (tm_point){5, 5};
        quads[4].colors[i].a = i == 3;
    }
    quads[2].color_envelope = 0;
    test_edit_reports(map, "clean quads", 1);
    assert_int_equal(test_report.list[0].count, 2);
    assert_int_equal(map->groups[0].layers[1].as.quads.num_quads, 3);
    assert_int_equal(quads_of(map, 0, 1)[1].color_envelope, 0);
    test_edit_reports(map, "clean quads", 0);
}

enum { SIDE = 24 };

/* Few colors in patches, some of them half or wholly transparent. */
static uint8_t *paint(uint32_t num_colors)
{
    uint8_t *pixels = malloc(SIDE * SIDE * 4);
    uint32_t seed = 5;
    assert_non_null(pixels);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        seed = seed * 1664525 + 1013904223;
        const uint32_t color = num_colors < 16 && i && seed >> 30 ? pixels[i * 4 - 4] : seed >> 8 & 255;
        const uint32_t n = num_colors < 16 ? color % num_colors * 40 : i % num_colors;
        const uint8_t pixel[4] = {(uint8_t)n, (uint8_t)(n >> 8), 7, n == 40 ? 0 : 255};
        memcpy(pixels + i * 4, pixel, 4);
    }
    tm_buffer_release(picture);
    const tm_output output = tm_output_to_buffer(picture);
    must(tm_png_write(&output, pixels, SIDE, SIDE, NULL, NULL));
    return pixels;
}

/* Draws SIDE x SIDE px, `scale` world px each, from (x, y) on. */
static uint8_t *draw(const tm_map *map, double x, double y, double scale)
{
    OWN(tm_renderer) *renderer;
    tm_camera camera = TM_CAMERA_INIT;
    uint8_t *pixels = calloc(SIDE * SIDE, 4);
    assert_non_null(pixels);
    must(tm_renderer_new(&renderer, map, NULL, NULL, NULL));
    camera.width = camera.height = SIDE;
    camera.kind = TM_CAMERA_FLAT;
    camera.x = x;
    camera.y = y;
    camera.scale = 1 / scale;
    must(tm_renderer_draw(renderer, &camera, &(tm_rows){pixels, SIDE * 4, 0, SIDE}, NULL));
    return pixels;
}

static void check_drawn(const tm_map *map, const uint8_t *pixels, double x, double y, double scale)
{
    FREED uint8_t *drawn = draw(map, x, y, scale);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        if (pixels[i * 4 + 3] ? memcmp(pixels + i * 4, drawn + i * 4, 4) != 0 : drawn[i * 4 + 3] != 0)
            fail_msg("pixel %u,%u is %d,%d,%d,%d", i % SIDE, i / SIDE, drawn[i * 4], drawn[i * 4 + 1],
                     drawn[i * 4 + 2], drawn[i * 4 + 3]);
}

TEST(pictures_become_quads)
{
    OWN(tm_map) *map = with_quads(NULL, 0);
    FREED uint8_t *pixels = paint(4);
    test_edit_does(map, "quads from art/my.picture.png 10,-3 8");
    assert_int_equal(map->num_groups, 2);
    const tm_group *group = &map->groups[1];
    assert_string_equal(group->name, "my.picture");
    assert_true(group->use_clipping && group->layers[0].detail);
    assert_int_equal(group->clip_x, 319);
    assert_int_equal(group->clip_w, SIDE * 8 + 2);
    uint32_t num = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        num += pixels[i * 4 + 3] != 0;
    assert_true(group->layers[0].as.quads.num_quads > 4 && group->layers[0].as.quads.num_quads < num / 2);
    assert_int_equal(test_report.list[0].count, group->layers[0].as.quads.num_quads);
    const tm_quad *quads = quads_of(map, 1, 0);
    assert_int_equal(quads[0].points[4].x, (320 + SIDE * 4) * FX);
    assert_int_equal(quads[3].points[4].y, (-96 + SIDE * 4) * FX);
    check_drawn(map, pixels, 320, -96, 8);
    test_edit_refuses(map, "quads from a.png 0,0 0", TM_ERROR_USAGE, "a pixel is 1 to");
    test_edit_refuses(map, "quads from a.png 65535,0 8", TM_ERROR_LIMIT, "would not lie within");
    test_edit_refuses(map, "quads from a.png 0,0 100000", TM_ERROR_LIMIT, "would not lie within");
}

TEST(pictures_become_tiles)
{
    OWN(tm_map) *map = with_quads(NULL, 0);
    FREED uint8_t *pixels = paint(300);
    test_edit_does(map, "tiles from me.png -2,5");
    const tm_group *group = &map->groups[1];
    assert_int_equal(group->num_layers, 2);
    assert_int_equal(group->offset_x, 64);
    assert_int_equal(group->offset_y, -160);
    assert_int_equal(map->num_images, 3);
    assert_string_equal(map->images[2].name, "me 2");
    assert_int_equal(map->images[2].width, 16);
    check_drawn(map, pixels, -64, 160, 32);
    test_edit_refuses(map, "tiles from me.png 67108864,0", TM_ERROR_LIMIT, "would not lie within");
}

TEST(one_pixel_is_a_picture)
{
    static const uint8_t pixel[4] = {1, 2, 3, 4};
    OWN(tm_map) *map = with_quads(NULL, 0);
    tm_buffer_release(picture);
    const tm_output output = tm_output_to_buffer(picture);
    must(tm_png_write(&output, pixel, 1, 1, NULL, NULL));
    test_edit_does(map, "tiles from q\nquads from q");
    assert_int_equal(map->groups[1].layers[0].as.tiles.width, 2);
    assert_int_equal(map->groups[2].layers[0].as.quads.num_quads, 1);
    assert_int_equal(quads_of(map, 2, 0)->colors[2].a, 4);
}

static tm_map *three_quads(const tm_allocator *allocator)
{
    return with_quads(allocator, 3);
}

static void has_three_groups(const tm_map *map)
{
    assert_int_equal(map->num_groups, 3);
}

TEST(memory_may_end)
{
    free(paint(300));
    test_edit_without_memory("quads square\nquads turn 5\nclean quads\nquads from a.png\ntiles from a.png",
                             three_quads, has_three_groups);
}

static void name_picture(void)
{
    test_edit_files[0].name = "*";
}

static void drop_picture(void)
{
    tm_buffer_release(picture);
}

TEST_GROUP(name_picture, drop_picture)
