/* SPDX-License-Identifier: Zlib */
/*
 * Builds a map from nothing with the public functions only: a tile sheet painted here, hills of tiles, a sky and mountains of quads with parallax, a
 * cloud that an envelope moves, and a game layer that one can play. The picture in the README is this map, drawn by `teemap render`.
 *
 *   landscape OUT.map
 */
#include <teemap/teemap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, HEIGHT = 44, CELL = 32, SHEET = 16 * CELL };
enum { EARTH = 1, GRASS, STONE, FLOWER }; /* cells of the sheet */

static tm_error error;

static void check(tm_status status)
{
    if (status == TM_OK)
        return;
    char line[512];
    tm_error_format(&error, line, sizeof(line));
    fprintf(stderr, "landscape: %s\n", line);
    exit(2);
}

/* The same numbers on every machine. */
static unsigned noise(unsigned x, unsigned y)
{
    unsigned n = x * 374761393u + y * 668265263u;
    n = (n ^ (n >> 13)) * 1274126177u;
    return n ^ (n >> 16);
}

/* ---------------------------------------------------------------------------------------------------- tile sheet */

static void paint(uint8_t *sheet, int index, int x, int y, int r, int g, int b, int a)
{
    uint8_t *to = sheet + 4 * ((size_t)(index / 16 * CELL + y) * SHEET + (size_t)(index % 16 * CELL + x));
    to[0] = (uint8_t)r;
    to[1] = (uint8_t)g;
    to[2] = (uint8_t)b;
    to[3] = (uint8_t)a;
}

static void paint_sheet(uint8_t *sheet)
{
    for (int y = 0; y < CELL; y++) {
        for (int x = 0; x < CELL; x++) {
            int grain = (int)(noise((unsigned)x / 2, (unsigned)y / 2) % 18);
            int blade = 6 + (int)(noise((unsigned)x / 2, 99) % 6);
            paint(sheet, EARTH, x, y, 112 + grain, 76 + grain, 48 + grain / 2, 255);
            if (y < blade)
                paint(sheet, GRASS, x, y, 86 + grain, 168 + grain - y * 3, 58, 255);
            else
                paint(sheet, GRASS, x, y, 112 + grain, 76 + grain, 48 + grain / 2, 255);
            int brick = (x + (y / 8 % 2) * 8) % 16 == 0 || y % 8 == 0;
            paint(sheet, STONE, x, y, 120 + grain - brick * 40, 122 + grain - brick * 40,
                  132 + grain - brick * 40, 255);
            int dx = x - 16, dy = y - 14, petal = dx * dx + dy * dy;
            if (petal < 12)
                paint(sheet, FLOWER, x, y, 255, 214, 80, 255);
            else if (petal < 60)
                paint(sheet, FLOWER, x, y, 236, 120 + grain, 160, 255);
            else if (dy > 0 && dx >= -1 && dx <= 1)
                paint(sheet, FLOWER, x, y, 70, 140, 50, 255);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------- quads */

static tm_quad box(double x, double y, double w, double h, tm_color top, tm_color bottom)
{
    tm_quad quad = {.position_envelope = TM_NONE, .color_envelope = TM_NONE};
    for (int k = 0; k < 4; k++) {
        quad.points[k] =
            (tm_point){(int32_t)((x + (k & 1) * w) * TM_FX), (int32_t)((y + (k >> 1) * h) * TM_FX)};
        quad.texture[k] = (tm_point){(k & 1) * TM_FX, (k >> 1) * TM_FX};
        quad.colors[k] = k < 2 ? top : bottom;
    }
    quad.points[4] = (tm_point){(int32_t)((x + w / 2) * TM_FX), (int32_t)((y + h / 2) * TM_FX)};
    return quad;
}

static void add_quads(tm_map *map, uint32_t group, const char *name, const tm_quad *quads, uint32_t num)
{
    uint32_t at = map->groups[group].num_layers;
    check(tm_map_insert_layer(map, group, at, TM_LAYER_QUADS, 0, 0, &error));
    tm_map_set_name(map->groups[group].layers[at].name, TM_NAME_SIZE, name);
    check(tm_map_set_quads(map, group, at, quads, num, &error));
}

static uint32_t add_group(tm_map *map, const char *name, int32_t parallax)
{
    uint32_t at = map->num_groups;
    check(tm_map_insert(map, TM_KIND_GROUP, at, &error));
    tm_map_set_name(map->groups[at].name, TM_NAME_SIZE, name);
    map->groups[at].parallax_x = map->groups[at].parallax_y = parallax;
    return at;
}

/* A cloud is a fan of boxes; all of them drift by the same envelope. */
static void add_cloud(tm_map *map, uint32_t group, double x, double y)
{
    const tm_color white = {255, 255, 255, 200}, shade = {220, 230, 245, 160};
    tm_quad quads[7];
    for (int i = 0; i < 7; i++) {
        double w = 260 - abs(i - 3) * 40, h = 26;
        quads[i] = box(x - w / 2 + (i % 2) * 30, y + i * 16, w, h, i < 4 ? white : shade, shade);
        quads[i].position_envelope = 0;
        quads[i].position_offset = (int32_t)x * 10;
    }
    add_quads(map, group, "Cloud", quads, 7);
}

static void add_mountains(tm_map *map, uint32_t group, const char *name, double base, double height,
                          tm_color color)
{
    tm_quad quads[9];
    for (int i = 0; i < 9; i++) {
        double x = (i - 1) * 420.0 + noise((unsigned)i, (unsigned)height) % 120,
               top = height * (0.6 + noise((unsigned)i, 7) % 40 / 100.0);
        const tm_color foot = {color.r - 20, color.g - 20, color.b - 10, 255};
        quads[i] = box(x, base - top, 640, top + 700, color, foot);
        for (int k = 0; k < 2; k++) /* a peak, not a box */
            quads[i].points[k].x = (int32_t)((x + 320 + (k ? 14 : -14)) * TM_FX);
    }
    add_quads(map, group, name, quads, 9);
}

/* --------------------------------------------------------------------------------------------------------- tiles */

static int ground_at(int x)
{
    return 25 + (int)(4.0 * sin(x * 0.13) + 3.0 * sin(x * 0.31 + 1.0));
}

static void fill_tiles(tm_tile *game, tm_tile *design)
{
    for (int x = 0; x < WIDTH; x++) {
        int ground = ground_at(x);
        for (int y = ground; y < HEIGHT; y++) {
            size_t at = (size_t)y * WIDTH + (size_t)x;
            game[at].index = TM_TILE_SOLID;
            design[at].index = y == ground ? GRASS : EARTH;
            design[at].flags = y == ground ? 0
                                           : (uint8_t)(noise((unsigned)x, (unsigned)y) &
                                                       (TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE));
        }
        if (noise((unsigned)x, 3) % 5 == 0)
            design[(size_t)(ground - 1) * WIDTH + (size_t)x].index = FLOWER;
        if (x % 16 == 8)
            game[(size_t)(ground - 1) * WIDTH + (size_t)x].index = TM_TILE_SPAWN;
        if (x % 23 < 7) { /* bridges of stone */
            size_t at = (size_t)(15 + x / 23 % 3 * 2) * WIDTH + (size_t)x;
            game[at].index = TM_TILE_SOLID;
            design[at].index = STONE;
            if (x % 23 == 3)
                game[at - WIDTH].index = TM_TILE_ARMOR;
        }
    }
}

static void add_tiles(tm_map *map)
{
    uint32_t group = add_group(map, "Game", 100);
    check(tm_map_insert_layer(map, group, 0, TM_LAYER_GAME, WIDTH, HEIGHT, &error));
    check(tm_map_insert_layer(map, group, 1, TM_LAYER_TILES, WIDTH, HEIGHT, &error));
    tm_layer *hills = &map->groups[group].layers[1];
    tm_map_set_name(hills->name, TM_NAME_SIZE, "Hills");
    hills->as.tiles.image = 0;
    tm_edit_grid game, design;
    check(tm_map_edit_tiles(&game, map, group, 0, &error));
    check(tm_map_edit_tiles(&design, map, group, 1, &error));
    fill_tiles(game.tiles, design.tiles);
}

int main(int argc, char **argv)
{
    static uint8_t sheet[SHEET * SHEET * 4];
    static const tm_envelope_point drift[] = {
        {.time = 0, .curve = TM_CURVE_SMOOTH},
        {.time = 20000, .curve = TM_CURVE_SMOOTH, .values = {300 * TM_FX, 0, 0, 0}},
        {.time = 40000, .curve = TM_CURVE_LINEAR}};
    const tm_color sky_top = {84, 150, 220, 255}, sky_bottom = {214, 236, 250, 255},
                   sun = {255, 236, 150, 255};
    const tm_color far = {150, 170, 205, 255}, near = {112, 140, 160, 255};
    tm_map *map;
    if (argc != 2) {
        fprintf(stderr, "use: %s OUT.map\n", argv[0]);
        return 2;
    }
    check(tm_map_new(&map, NULL, &error));
    check(tm_map_set_text(map, &map->info.author, "teemap", &error));
    check(tm_map_set_text(map, &map->info.license, "zlib", &error));
    paint_sheet(sheet);
    check(tm_map_insert(map, TM_KIND_IMAGE, 0, &error));
    check(tm_map_set_text(map, &map->images[0].name, "landscape", &error));
    check(tm_map_set_pixels(map, 0, sheet, SHEET, SHEET, &error));
    check(tm_map_insert(map, TM_KIND_ENVELOPE, 0, &error));
    check(tm_map_set_points(map, 0, drift, 3, &error));
    uint32_t sky = add_group(map, "Sky", 0);
    tm_quad quads[2] = {box(-1600, -1000, 3200, 2000, sky_top, sky_bottom),
                        box(380, -330, 110, 110, sun, sun)};
    add_quads(map, sky, "Sky", quads, 2);
    add_mountains(map, add_group(map, "Far", 30), "Mountains", 420, 480, far);
    uint32_t clouds = add_group(map, "Clouds", 45);
    for (int i = 0; i < 5; i++)
        add_cloud(map, clouds, 120 + i * 430, 60 + (int)(noise((unsigned)i, 5) % 150));
    add_mountains(map, add_group(map, "Near", 60), "Mountains", 700, 420, near);
    add_tiles(map);
    check(tm_map_verify(map, &error));
    check(tm_store_save(map, argv[1], NULL, NULL, NULL, &error));
    tm_map_free(map);
    return 0;
}
