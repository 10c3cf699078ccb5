/* SPDX-License-Identifier: Zlib */
/*
 * Sample maps for tests; see lib_maps.h. Made by the public functions for each game, and item by item with every version and
 * length of every item that is known from real files.
 */
#include "test.h"

/* --------------------------------------------------------------------------------------------- by public functions */

static void add_layers(tm_map *map, uint32_t group, const tm_layer_kind *kinds, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        must(tm_map_insert_layer(map, group, i, kinds[i], 6, 5, NULL));
}

static void add_texts(tm_map *map)
{
    static const char *const settings[] = {"sv_deepfly 0", "", "tune gravity 0.5"};
    must(tm_map_set_text(map, &map->info.author, "Anna", NULL));
    must(tm_map_set_text(map, &map->info.version, "1.2", NULL));
    must(tm_map_set_text(map, &map->info.credits, "K\xC3\xA4se", NULL));
    must(tm_map_set_text(map, &map->info.license, "CC0", NULL));
    if (map->game == TM_GAME_DDNET)
        must(tm_map_set_settings(map, settings, 3, NULL));
}

static void add_objects(tm_map *map)
{
    static const uint8_t pixels[2 * 2 * 4] = {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 0, 10, 11, 12, 128};
    for (uint32_t i = 0; i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_set_text(map, &map->images[i].name, i ? "grass_main" : "own", NULL));
    }
    must(tm_map_set_pixels(map, 0, pixels, 2, 2, NULL));
    map->images[1].width = map->images[1].height = 1024;
    for (uint32_t i = 0; map->game == TM_GAME_DDNET && i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_SOUND, i, NULL));
        must(tm_map_set_text(map, &map->sounds[i].name, i ? "outside" : "wind", NULL));
    }
    if (map->game == TM_GAME_DDNET)
        must(tm_map_set_sound(map, 0, "OggS not really", 15, NULL));
}

static void add_envelopes(tm_map *map)
{
    static const int32_t channels[] = {TM_ENVELOPE_POSITION, TM_ENVELOPE_COLOR, TM_ENVELOPE_SOUND};
    for (uint32_t e = 0; e < 3; e++) {
        tm_envelope_point points[3] = {{.time = 0}, {.time = 500, .curve = TM_CURVE_SMOOTH}, {.time = 1000}};
        for (uint32_t p = 0; p < 3; p++)
            for (uint32_t v = 0; v < (uint32_t)channels[e]; v++)
                points[p].values[v] = (int32_t)(1024 * (e + 1) + 10 * p + v);
        if (e == 1 && map->game != TM_GAME_TEEWORLDS06) {
            points[0].curve = TM_CURVE_BEZIER;
            points[0].out_dx[0] = 100;
            points[0].out_dy[0] = 2048;
            points[1].in_dx[1] = -100;
            points[1].in_dy[1] = -7;
        }
        must(tm_map_insert(map, TM_KIND_ENVELOPE, e, NULL));
        map->envelopes[e].channels = channels[e];
        map->envelopes[e].synchronized = e != 1;
        tm_map_set_name(map->envelopes[e].name, TM_ENVELOPE_NAME_SIZE, e ? "fade" : "");
        must(tm_map_set_points(map, e, points, 3, NULL));
    }
}

static void fill_layer(tm_map *map, uint32_t group, uint32_t at)
{
    tm_layer *layer = &map->groups[group].layers[at];
    const uint8_t tile[8] = {1, 8, 0, 0, 45, 0, 0, 0};
    if (tm_game_layer(layer->kind)->is_tiles) {
        must(tm_map_fill_tiles(map, group, at, &(tm_rect){1, 1, 3, 2}, tile, NULL));
        if (layer->kind == TM_LAYER_TILES) {
            layer->as.tiles.image = 1;
            layer->as.tiles.color = (tm_color){255, 128, 0, 200};
            layer->as.tiles.color_envelope = 1;
            layer->as.tiles.color_envelope_offset = -250;
            if (map->game == TM_GAME_DDNET)
                layer->as.tiles.automapper =
                    (tm_automapper){.present = true, .config = 2, .seed = 77, .automatic = true};
            layer->detail = true;
        }
    } else if (layer->kind == TM_LAYER_QUADS) {
        tm_quad quads[2] = {
            {.colors = {{255, 255, 255, 255}}, .position_envelope = 0, .color_envelope = -1},
            {.points = {{32768, -32768}}, .position_envelope = -1, .color_envelope = 1, .color_offset = 3}};
        must(tm_map_set_quads(map, group, at, quads, 2, NULL));
        layer->as.quads.image = 0;
    } else if (layer->kind == TM_LAYER_SOUNDS) {
        tm_sound_source source = {.position = {1024, 2048},
                                  .loop = 1,
                                  .pan = 1,
                                  .falloff = 80,
                                  .position_envelope = 0,
                                  .sound_envelope = 2,
                                  .shape = TM_SHAPE_CIRCLE,
                                  .width = 1500};
        must(tm_map_set_sources(map, group, at, &source, 1, NULL));
        layer->as.sounds.sound = 0;
    }
}

tm_map *test_map_everything(tm_game game)
{
    static const tm_layer_kind plain[] = {TM_LAYER_QUADS, TM_LAYER_TILES, TM_LAYER_GAME, TM_LAYER_TILES,
                                          TM_LAYER_QUADS};
    static const tm_layer_kind ddnet[] = {TM_LAYER_TELE, TM_LAYER_SPEEDUP, TM_LAYER_FRONT, TM_LAYER_SWITCH,
                                          TM_LAYER_TUNE, TM_LAYER_SOUNDS,  TM_LAYER_SOUNDS};
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    must(tm_map_new(&map, &options, NULL));
    add_texts(map);
    add_objects(map);
    add_envelopes(map);
    for (uint32_t g = 0; g < 2; g++) {
        must(tm_map_insert(map, TM_KIND_GROUP, g, NULL));
        tm_map_set_name(map->groups[g].name, TM_NAME_SIZE, g ? "Game" : "Back");
    }
    map->groups[0].parallax_x = 50;
    map->groups[0].use_clipping = true;
    map->groups[0].clip_w = 640;
    add_layers(map, 1, plain, 5);
    if (game == TM_GAME_DDNET)
        add_layers(map, 1, ddnet, 7);
    for (uint32_t l = 0; l + 1 < map->groups[1].num_layers; l++) /* the last one stays empty */
        fill_layer(map, 1, l);
    must(tm_map_verify(map, NULL));
    return map;
}

/* ----------------------------------------------------------------------------------------------------- item by item */

enum { WIDTH = 4, HEIGHT = 3, TILES = WIDTH * HEIGHT, MAX_INTS = 64 };

static int layer_id;

/* A layer item of `num` ints, which come from `ints`. */
static void layer(struct test_maker *maker, const int32_t *ints, size_t num)
{
    test_maker_item(maker, TM_ITEM_LAYER, layer_id++, ints, num);
}

static int32_t tile_data(struct test_maker *maker, size_t tile_size, uint8_t fill)
{
    uint8_t bytes[TILES * 6] = {0};
    for (size_t i = 0; i < TILES; i += 5)
        bytes[i * tile_size] = (uint8_t)(fill + i);
    return test_maker_data(maker, bytes, TILES * tile_size);
}

/* A tile layer of a version and length; `flags` names the kind, `own` the place of its own data. */
static void tiles(struct test_maker *maker, int version, size_t num, int flags, size_t own, size_t tile_size,
                  int32_t unused)
{
    int32_t ints[MAX_INTS] = {7, 2, 0, version, WIDTH, HEIGHT, flags, 255, 255, 255, 255, -1, 0, -1};
    for (size_t k = 15; k < num; k++)
        ints[k] = unused;
    for (uint32_t k = 0; version >= 3 && k < 3; k++)
        ints[15 + k] = test_name_int("Tiles", 3, k);
    ints[14] = tile_data(maker, 4, flags ? 0 : (uint8_t)num);
    if (own != 14)
        ints[own] = tile_data(maker, tile_size, 3);
    layer(maker, ints, num);
}

static void images_and_sounds(struct test_maker *maker)
{
    const int32_t name = test_maker_text(maker, "grass_main"), own = test_maker_text(maker, "own");
    const int32_t rgba = test_maker_data(maker, "0123456789abcdef", 16);
    const int32_t more = test_maker_data(maker, "fedcba9876543210", 16),
                  rgb = test_maker_data(maker, "0123456789ab", 12);
    TEST_ITEM(maker, TM_ITEM_IMAGE, 0, 1, 1024, 1024, 1, name, -1);
    TEST_ITEM(maker, TM_ITEM_IMAGE, 1, 1, 2, 2, 0, own, rgba,
              123456); /* Ninslash: a 7th integer in version 1 is garbage */
    TEST_ITEM(maker, TM_ITEM_IMAGE, 2, 2, 2, 2, 0, own, more, 1); /* shares its name */
    TEST_ITEM(maker, TM_ITEM_IMAGE, 3, 2, 64, 64, 1, name, -1, -1);
    TEST_ITEM(maker, TM_ITEM_IMAGE, 4, 2, 2, 2, 0, test_maker_text(maker, "rgb"), rgb, 0);
    TEST_ITEM(maker, TM_ITEM_IMAGE, 5, 2, 64, 64, 1, name, -1, 0);
    const int32_t wind = test_maker_text(maker, "wind"), opus = test_maker_data(maker, "OggS...", 7);
    TEST_ITEM(maker, TM_ITEM_SOUND, 0, 1, 0, wind, opus, 7);
    TEST_ITEM(maker, TM_ITEM_SOUND, 1, 1, 1, wind, -1, 0);
    TEST_ITEM(maker, TM_ITEM_SOUND, 2, 1, 0, wind, test_maker_data(maker, "OggS", 4)); /* without the size */
}

static void envelopes(struct test_maker *maker)
{
    int32_t points[9 * 6], tangents[9 * 16] = {0};
    TEST_ITEM(maker, TM_ITEM_ENVELOPE, 0, 1, 3, 0, 2, -1);
    TEST_ITEM(maker, TM_ITEM_ENVELOPE, 1, 1, 4, 2, 2, TEST_NAME8("twelve"));
    TEST_ITEM(maker, TM_ITEM_ENVELOPE, 2, 2, 1, 4, 2, TEST_NAME8("thirteen"), 0);
    TEST_ITEM(maker, TM_ITEM_ENVELOPE, 3, 2, 4, 6, 2, -1, -1, -1, -1, -1, -1, -1, -1, 1);
    TEST_ITEM(maker, TM_ITEM_ENVELOPE, 4, 2, 3, 8, 0, TEST_NAME8(""), 1);
    for (int i = 0; i < 9 * 6; i++)
        points[i] = i % 6 == 0 ? i / 6 % 2 * 1000 : i % 6 == 1 ? i / 6 % 5 : 100 * i;
    points[2 * 6 + 1] = TM_CURVE_BEZIER;
    tangents[2 * 16 + 8] = 50;                                         /* out dx of point 2 */
    tangents[3 * 16 + 1] = -50;                                        /* in dx of point 3 */
    tangents[3 * 16 + 5] = -333;                                       /* in dy */
    test_maker_item(maker, TM_ITEM_ENVELOPE_POINTS, 0, points, 9 * 6); /* the last one is nobody's */
    test_maker_uuid_item(maker, TM_UUID_BEZIER, 0, tangents, 9 * 16);
}

static void element_layers(struct test_maker *maker)
{
    int32_t quads[2 * 38] = {0}, sources[2 * 13] = {0}, old[9] = {100, 200, 1, 0, 500, 0, 0, 2, 0};
    quads[34] = quads[36] = 1;
    quads[38 + 34] = quads[38 + 36] = -1;
    sources[6] = sources[8] = 2;
    sources[13 + 6] = sources[13 + 8] = -1;
    int32_t two = test_maker_ints(maker, quads, sizeof(quads) / 4), dummy = test_maker_data(maker, NULL, 152);
    layer(maker, TEST_INTS(0, 3, 0, 1, 2, two, -1));
    layer(maker,
          TEST_INTS(0, 3, 1, 2, 2, test_maker_ints(maker, quads, sizeof(quads) / 4), 1, TEST_NAME3("Quads")));
    layer(maker, TEST_INTS(0, 3, 0, 2, 0, dummy, -1, TEST_NAME3("")));
    layer(maker, TEST_INTS(0, 10, 0, 2, 2, test_maker_ints(maker, sources, sizeof(sources) / 4), 0,
                           TEST_NAME3("Wind")));
    layer(maker,
          TEST_INTS(0, 9, 0, 1, 1, test_maker_ints(maker, old, sizeof(old) / 4), 1, TEST_NAME3("Old")));
}

static void physics_layers(struct test_maker *maker)
{
    tiles(maker, 3, 23, 1, 14, 4, -1);
    tiles(maker, 2, 16, 2, 15, 2, 0);  /* tele, version 2 */
    tiles(maker, 2, 17, 4, 16, 6, 0);  /* speedup */
    tiles(maker, 2, 19, 8, 17, 4, -1); /* front */
    tiles(maker, 3, 22, 16, 21, 4, 0); /* switch, before there was tune */
    tiles(maker, 3, 23, 32, 22, 2, -1);
    tiles(maker, 3, 20, 4, 19, 6, 12345);
    tiles(maker, 3, 23, 2, 18, 2, -1);
}

static void design_layers(struct test_maker *maker)
{
    tiles(maker, 2, 15, 0, 14, 4, 0);
    tiles(maker, 2, 17, 0, 14, 4, 987654);
    tiles(maker, 2, 19, 0, 14, 4, 0);
    tiles(maker, 3, 18, 0, 14, 4, 0);
    tiles(maker, 3, 20, 0, 14, 4, -77);
    tiles(maker, 3, 22, 0, 14, 4, 0);
    tiles(maker, 3, 23, 0, 14, 4, -1);
}

tm_buffer test_map_museum(void)
{
    struct test_maker maker = test_maker_new();
    layer_id = 0;
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_INFO, 0, 1, test_maker_text(&maker, "Anna"), -1,
              test_maker_text(&maker, "thanks"), -1, test_maker_data(&maker, "sv_x 1\0\0sv_y 2", 15));
    images_and_sounds(&maker);
    envelopes(&maker);
    element_layers(&maker); /* layers 0 to 4 */
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 1, 10, 20, 30, 40, 0, 5);
    physics_layers(&maker); /* 5 to 12 */
    TEST_ITEM(&maker, TM_ITEM_GROUP, 1, 2, 0, 0, 100, 100, 5, 8, 1, 2, 3, 4, 5);
    design_layers(&maker); /* 13 to 19 */
    TEST_ITEM(&maker, TM_ITEM_GROUP, 2, 3, 0, 0, 100, 100, 13, 7, 0, 0, 0, 0, 0, TEST_NAME3("Design"));
    TEST_ITEM(&maker, TM_ITEM_GROUP, 3, 3, 0, 0, 100, 100, 20, 0, 0, 0, 0, 0, 0, TEST_NAME3("Empty"));
    for (int g = 0; g < 4; g++)
        TEST_UUID(&maker, TM_UUID_GROUP_EX, g, 1, 50 + g);
    TEST_UUID(&maker, TM_UUID_AUTOMAPPER, 0, 1, 2, 0, 3, 77, 1);
    TEST_UUID(&maker, TM_UUID_AUTOMAPPER, 1, 1, 2, 3, -1, 0, 0);
    TEST_UUID(&maker, TM_UUID_AUTOMAPPER, 2, 512, 2, 6, 0, 5, 0); /* version as an old editor left it */
    return test_maker_finish(&maker);
}

/* Runs of tiles, one of them over the end of a row. */
static void run_layer(struct test_maker *maker, int flags, const char *name)
{
    static const uint8_t runs[] = {1, 0, 5, 0, 2, 1, 0, 0, 0, 0, 4, 0};
    const int32_t data = test_maker_data(maker, runs, sizeof(runs));
    layer(maker,
          TEST_INTS(0, 2, 0, 4, WIDTH, HEIGHT, flags, 255, 255, 255, 255, -1, 0, -1, data, TEST_NAME3(name)));
}

tm_buffer test_map_museum07(void)
{
    int32_t points[4 * 22];
    struct test_maker maker = test_maker_new();
    layer_id = 0;
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_INFO, 0, 1, -1, -1, -1, test_maker_text(&maker, "CC0"));
    TEST_ITEM(&maker, TM_ITEM_IMAGE, 0, 2, 64, 64, 1, test_maker_text(&maker, "bg"), -1, 1);
    TEST_ITEM(&maker, TM_ITEM_ENVELOPE, 0, 3, 3, 0, 2, TEST_NAME8("long"), 1);
    TEST_ITEM(&maker, TM_ITEM_ENVELOPE, 1, 3, 4, 2, 2, TEST_NAME8(""), 0);
    for (int i = 0; i < 4 * 22; i++)
        points[i] = i % 22 == 0 ? i / 22 * 100 : i % 22 == 1 ? i / 22 % 6 : i;
    test_maker_item(&maker, TM_ITEM_ENVELOPE_POINTS, 0, points, 4 * 22);
    run_layer(&maker, 1, "Game");
    run_layer(&maker, 0, "Runs");
    tiles(&maker, 3, 18, 0, 14, 4, 0); /* old layers and new ones occur together */
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 3, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    return test_maker_finish(&maker);
}
