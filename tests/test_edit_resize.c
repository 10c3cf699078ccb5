/* SPDX-License-Identifier: Zlib */
/*
 * Shifting, cropping, extending, and chosen layers that are turned in their places: on small maps, tile by tile.
 */
#include "map/map.h"
#include "support/lib_edit.h"

enum { GAME, DESIGN, QUADS, FAR = 0 };

/* Rows of a layer as letters: a for index 1, . for 0. */
static void put_tiles(tm_map *map, uint32_t group, uint32_t layer, const char *rows)
{
    tm_edit_grid grid = test_edit_grid(map, group, layer);
    tm_tile *tiles = grid.tiles;
    for (; *rows; rows++)
        if (*rows != ' ')
            *tiles++ = (tm_tile){*rows == '.' ? 0 : (uint8_t)(*rows - 'a' + 1), 0, 0, 0};
}

static void has_tiles(const tm_map *map, uint32_t group, uint32_t layer, const char *rows)
{
    char text[512] = "";
    size_t length = 0;
    tm_grid grid = test_grid(map, &map->groups[group].layers[layer]);
    const tm_tile *tiles = grid.tiles;
    for (uint32_t y = 0; y < grid.height; y++) {
        for (uint32_t x = 0; x < grid.width; x++)
            text[length++] =
                tiles[x + y * grid.width].index ? (char)('a' + tiles[x + y * grid.width].index - 1) : '.';
        text[length++] = ' ';
    }
    text[length ? length - 1 : 0] = '\0';
    assert_string_equal(text, rows);
}

/* The game layer's group with a 4 x 2 game layer, a design layer and a quad; and a group of parallax 50 with one tile layer. */
static tm_map *small_map(void)
{
    tm_quad quad;
    tm_quad_init(&quad, TM_TILE_FX, 0, TM_TILE_FX, TM_TILE_FX);
    tm_map *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    must(tm_map_insert(map, TM_KIND_GROUP, 1, NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, 4, 2, NULL));
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_TILES, 4, 2, NULL));
    must(tm_map_insert_layer(map, 0, 2, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_insert_layer(map, 1, FAR, TM_LAYER_TILES, 3, 2, NULL));
    must(tm_map_set_quads(map, 0, QUADS, &quad, 1, NULL));
    map->groups[1].parallax_x = map->groups[1].parallax_y = 50;
    put_tiles(map, 0, GAME, "abcd efgh");
    put_tiles(map, 0, DESIGN, "abcd efgh");
    put_tiles(map, 1, FAR, "abc def");
    return map;
}

static int32_t quad_x(const tm_map *map)
{
    const tm_quad *quads = test_quads(map, &map->groups[0].layers[QUADS]);
    return quads[0].points[0].x / TM_TILE_FX;
}

TEST(maps_are_shifted)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "shift 1,0");
    has_tiles(map, 0, GAME, ".abc .efg");
    has_tiles(map, 0, DESIGN, "aabc eefg"); /* as it looked left of the world */
    has_tiles(map, 1, FAR, "abc def");
    assert_int_equal(map->groups[1].offset_x, -16);
    assert_int_equal(quad_x(map), 2);
    tm_map_free(map);
    map = small_map();
    test_edit_does(map, "shift -2,1 wrap");
    has_tiles(map, 0, GAME, "ghef cdab");
    has_tiles(map, 0, DESIGN, "ghef cdab");
    assert_int_equal(quad_x(map), 3); /* its middle was at 1.5 of 4 tiles */
    test_edit_does(map, "shift 2,-1 wrap");
    has_tiles(map, 0, GAME, "abcd efgh");
    assert_int_equal(quad_x(map), 1);
    assert_int_equal(map->groups[1].offset_x, 0);
    test_edit_does(map, "shift 2147483647,0");
    assert_true(test_found(&test_report.findings, TM_FINDING_NOT_MOVED));
    assert_int_equal(quad_x(map), 1);
}

TEST(chosen_layers_are_shifted)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "shift 1,0 cut 0/1@1,0+3x1");
    has_tiles(map, 0, DESIGN, "a.bc efgh");
    assert_true(test_found(&test_report.findings, TM_FINDING_TILES_LOST)); /* 'd' went without a word */
    test_edit_does(map, "shift 0,1 cut 0/1@1,0+1x2");
    has_tiles(map, 0, DESIGN, "a.bc e.gh");
    assert_true(test_found(&test_report.findings, TM_FINDING_TILES_LOST)); /* 'f' */
    test_edit_does(map, "shift 0,-1 cut 0/1@1,0+1x2");
    assert_false(test_found(&test_report.findings, TM_FINDING_TILES_LOST)); /* air */
    test_edit_does(map, "shift 1,1 wrap 1/0");
    assert_false(test_found(&test_report.findings, TM_FINDING_TILES_LOST));
    has_tiles(map, 1, FAR, "fde cab");
    has_tiles(map, 0, GAME, "abcd efgh");
    assert_int_equal(quad_x(map), 1);
    test_edit_does(map, "shift 1,0 cut 0/2");
    assert_int_equal(quad_x(map), 2);
}

TEST(maps_are_cropped)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "shift 1,0");
    assert_true(test_found(&test_report.findings, TM_FINDING_TILES_LOST)); /* 1,181 tiles went with a note */
    tm_map_free(map);
    map = small_map();
    test_edit_does(map, "crop 1,0+2x2");
    assert_false(test_found(&test_report.findings, TM_FINDING_TILES_LOST)); /* which is what crop is for */
    has_tiles(map, 0, GAME, "bc fg");
    has_tiles(map, 0, DESIGN, "bc fg");
    assert_int_equal(map->groups[1].offset_x, 16);
    assert_int_equal(quad_x(map), 0);
    test_edit_refuses(map, "crop 2,0+2x2", TM_ERROR_USAGE, "lies outside of the map");
    test_edit_refuses(map, "crop 0,0+1x2", TM_ERROR_USAGE, "each side has 2");
}

/* Without a region: down to what is not empty. */
TEST(maps_are_cropped_to_what_they_hold)
{
    enum { SIDE = 30 };
    static const struct {
        const char *line; /* what else there is */
        uint32_t x, y, width, height;
    } cases[] = {{"rename 0 0", 5, 7, 4, 2},
                 {"fill 0/1@20,3+1x1 9", 5, 3, 16, 6},
                 {"fill front@2,25+1x1 9", 2, 7, 7, 19},
                 {"fill 1/0@0,0+30x30 9", 5, 7, 4, 2}, /* a sky */
                 {"set 1.parallax.y=100\nfill 1/0@0,3+30x9 9", 5, 3, 4, 9},
                 {"set 1.parallax.x=100\nset 1.parallax.y=100\nfill 1/0@1,1+1x1 9", 1, 1, 8, 8}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_quad quad;
        OWN(tm_map) *map = test_map_new();
        tm_map_insert(map, TM_KIND_GROUP, 0, NULL);
        tm_map_insert(map, TM_KIND_GROUP, 1, NULL);
        map->groups[1].parallax_x = map->groups[1].parallax_y = 50;
        tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, SIDE, SIDE, NULL);
        tm_map_insert_layer(map, 0, 1, TM_LAYER_TILES, SIDE, SIDE, NULL);
        tm_map_insert_layer(map, 0, 2, TM_LAYER_FRONT, SIDE, SIDE, NULL);
        tm_map_insert_layer(map, 0, 3, TM_LAYER_QUADS, 0, 0, NULL);
        tm_map_insert_layer(map, 1, 0, TM_LAYER_TILES, SIDE, SIDE, NULL);
        test_edit_refuses(map, "crop", TM_ERROR_USAGE, "the map is empty");
        tm_map_fill_tiles(map, 0, 0, &(tm_rect){5, 7, 3, 1}, &(tm_tile){1, 0, 0, 0}, NULL);
        tm_quad_init(&quad, 7 * TM_TILE_FX, 7 * TM_TILE_FX, 2 * TM_TILE_FX, 2 * TM_TILE_FX);
        must(tm_map_set_quads(map, 0, 3, &quad, 1, NULL)); /* 7,7 to 9,9 */
        test_edit_does(map, cases[i].line);
        test_edit_does(map, "crop");
        assert_false(test_found(&test_report.findings, TM_FINDING_TILES_LOST));
        const tm_tile_layer *game = &map->groups[0].layers[0].as.tiles;
        tm_tile tile;
        assert_int_equal(game->width, cases[i].width);
        assert_int_equal(game->height, cases[i].height);
        must(tm_map_read_tiles(map, &map->groups[0].layers[0],
                               &(tm_rect){(int32_t)(5 - cases[i].x), (int32_t)(7 - cases[i].y), 1, 1}, &tile,
                               0, NULL));
        assert_int_equal(tile.index, 1);
        must(tm_map_verify(map, NULL));
        test_edit_does(map, "crop"); /* nothing is left to be cut off */
        assert_int_equal(map->groups[0].layers[0].as.tiles.width, cases[i].width);
    }
}

static void check_extended(const char *line, const char *game, const char *design)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, line);
    has_tiles(map, 0, GAME, game);
    has_tiles(map, 0, DESIGN, design);
}

TEST(maps_are_extended)
{
    check_extended("extend left 2", "..abcd ..efgh", "aaabcd eeefgh");
    check_extended("extend right 1 empty", "abcd. efgh.", "abcd. efgh.");
    check_extended("extend right 1 edge", "abcdd efghh", "abcdd efghh");
    check_extended("extend down 1", "abcd efgh ....", "abcd efgh efgh");
    check_extended("extend right 2 border", "abbbcd efffgh", "abbbcd efffgh");
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "extend up 4");
    put_tiles(map, 0, GAME, "abcd .... .... a..d .... efgh");
    test_edit_does(map, "extend down 2 border");
    has_tiles(map, 0, GAME, "abcd .... .... a..d a..d a..d .... efgh");
}

TEST(layers_are_extended_in_their_places)
{
    static const struct {
        const char *line, *design;
    } rows[] = {{"extend left 2 air 0/1", "aaabcd eeefgh"},
                {"extend right 1 empty 0/1", "abcd. efgh."},
                {"extend up 1 edge 0/1", "abcd abcd efgh"},
                {"extend right 2 border 0/1", "abbbcd efffgh"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_map) *map = small_map();
        put_tiles(map, 0, DESIGN, "abcd efgh");
        put_tiles(map, 0, GAME, "abcd efgh");
        test_edit_reports(map, rows[i].line, 1);
        has_tiles(map, 0, DESIGN, rows[i].design);
        has_tiles(map, 0, GAME, "abcd efgh");
    }
    OWN(tm_map) *map = small_map();
    const tm_quad *quads;
    uint32_t num;
    test_edit_does(map, "extend left 3 air quads");
    must(tm_map_quads(&quads, &num, map, &map->groups[0].layers[QUADS], NULL));
    assert_int_equal(quads[0].points[4].x, 4 * TM_TILE_FX + TM_TILE_FX / 2);
    test_edit_does(map, "extend right 3 air quads"); /* what comes at the other side moves nothing */
    assert_int_equal(test_report.num, 0);
    test_edit_refuses(map, "extend left 2 air game", TM_ERROR_USAGE, "as large as the map");
    test_edit_refuses(map, "extend left 2 air 0/1@0,0+2x2", TM_ERROR_USAGE, "whole layers");
    test_edit_refuses(map, "extend left 2147483647 air 0/1", TM_ERROR_LIMIT, "too many");
}

/* Things of which one is enough are not repeated. */
TEST(edges_repeat_no_spawns)
{
    OWN(tm_map) *map = small_map();
    tm_edit_grid grid = test_edit_grid(map, 0, GAME);
    ((tm_tile *)grid.tiles)[3].index = TM_TILE_SPAWN;
    test_edit_does(map, "extend right 1 edge");
    must(tm_map_edit_tiles(&grid, map, 0, GAME, NULL));
    assert_int_equal(((tm_tile *)grid.tiles)[3].index, TM_TILE_SPAWN);
    assert_int_equal(((tm_tile *)grid.tiles)[4].index, 0);
    test_edit_refuses(map, "extend left 0", TM_ERROR_USAGE, "by 1 tile at least");
    test_edit_refuses(map, "extend left 2147483647", TM_ERROR_LIMIT, "2 to");
}

TEST(layers_turn_in_their_places)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "mirror x 0/1@1,0+3x2");
    has_tiles(map, 0, DESIGN, "adcb ehgf");
    has_tiles(map, 0, GAME, "abcd efgh");
    test_edit_does(map, "rotate 90 0/1");
    has_tiles(map, 0, DESIGN, "ea hd gc fb");
    test_edit_does(map, "rotate 270 0/1\nrotate 180 0/1\nmirror y 0/1");
    has_tiles(map, 0, DESIGN, "bcda fghe");
    test_edit_does(map, "rotate 90 0/1@0,0+2x2");
    has_tiles(map, 0, DESIGN, "fbda gche");
    test_edit_refuses(map, "rotate 90 game", TM_ERROR_USAGE, "cannot be turned in their place");
    test_edit_refuses(map, "rotate 90 0/1@0,0+2x1", TM_ERROR_USAGE, "only squares");
    test_edit_does(map, "mirror x 0/2\nrotate 90 0/2");
    assert_int_equal(quad_x(map), 2); /* the first corner goes round */
}

TEST(design_layers_shrink)
{
    OWN(tm_map) *map = small_map();
    test_edit_does(map, "extend left 2\nextend right 1\nextend down 2");
    has_tiles(map, 0, DESIGN, "aaabcdd eeefghh eeefghh eeefghh");
    test_edit_does(map, "trim");
    has_tiles(map, 0, DESIGN, "aaabcd eeefgh");
    has_tiles(map, 0, GAME, "..abcd. ..efgh. ....... .......");
    put_tiles(map, 1, FAR, "aab aab");
    const int32_t offset = map->groups[1].offset_x;
    test_edit_does(map, "shrink");
    has_tiles(map, 0, DESIGN, "aaabcd eeefgh"); /* it has the game layer beside it */
    has_tiles(map, 1, FAR, "ab ab");
    assert_int_equal(map->groups[1].offset_x, offset - 32);
    tmi_block_put(map, &map->groups[0].layers[DESIGN].as.tiles.tiles, NULL);
    test_edit_does(map, "trim"); /* read the tiles of a layer that has none */
}

/* Cell 1 is solid, cell 2 has a hole; the rest of the sheet is empty. */
TEST(opaque_flags_follow_pixels)
{
    static uint8_t rgba[32 * 32 * 4];
    OWN(tm_map) *map = small_map();
    tm_grid grid;
    for (uint32_t y = 0; y < 2; y++)
        for (uint32_t x = 2; x < 6; x++)
            rgba[(y * 32 + x) * 4 + 3] = (uint8_t)(x == 5 && y == 1 ? 249 : 250);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, rgba, 32, 32, NULL));
    map->groups[0].layers[DESIGN].as.tiles.image = 0;
    test_edit_does(map, "set 0/1.tiles[1].flags=rotate+opaque\nopaque");
    must(tm_map_tiles(&grid, map, &map->groups[0].layers[DESIGN], NULL));
    const tm_tile *tiles = grid.tiles;
    assert_int_equal(tiles[0].flags, TM_TILE_OPAQUE);
    assert_int_equal(tiles[1].flags, TM_TILE_ROTATE);
    test_edit_does(map, "set 0/1.color=#ffffff80\nopaque design");
    must(tm_map_tiles(&grid, map, &map->groups[0].layers[DESIGN], NULL));
    tiles = grid.tiles;
    assert_int_equal(tiles[0].flags, 0);
}

/* Cell 1 is of one color, cell 2 half red and half green; the rest is not visible. */
static void give_image(tm_map *map)
{
    static uint8_t rgba[32 * 32 * 4];
    for (uint32_t y = 0; y < 2; y++)
        for (uint32_t x = 2; x < 6; x++) {
            rgba[(y * 32 + x) * 4 + (x == 5)] = 200;
            rgba[(y * 32 + x) * 4 + 3] = 255;
        }
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, rgba, 32, 32, NULL));
    map->groups[0].layers[DESIGN].as.tiles.image = 0;
}

TEST(maps_are_scaled)
{
    OWN(tm_map) *map = small_map();
    give_image(map);
    put_tiles(map, 0, GAME, "a..b ....");
    put_tiles(map, 0, DESIGN, "ab.b ....");
    tm_edit_grid grid = test_edit_grid(map, 0, GAME);
    ((tm_tile *)grid.tiles)[3].index = TM_TILE_SPAWN;
    must(tm_map_edit_tiles(&grid, map, 0, DESIGN, NULL));
    ((tm_tile *)grid.tiles)[3].flags = TM_TILE_ROTATE;
    map->groups[1].offset_x = 7;
    test_edit_does(map, "scale 2");
    assert_int_equal(map->num_images, 1); /* red and green */
    assert_int_equal(map->images[0].width, 16);
    assert_int_equal(map->groups[1].offset_x, 14);
    assert_int_equal(quad_x(map), 2);
    has_tiles(map, 0, DESIGN, "aaab..aa aaab..bb ........ ........");
    must(tm_map_edit_tiles(&grid, map, 0, GAME, NULL));
    const tm_tile *game = grid.tiles;
    assert_int_equal(game[0].index + game[1].index + game[8].index + game[9].index, 4);
    assert_int_equal(game[6].index + game[7].index + game[15].index, 0);
    assert_int_equal(game[14].index, TM_TILE_SPAWN); /* on the ground of its block */
}

/* What says how long a door is stays beside it, and says more. */
TEST(beams_are_scaled)
{
    OWN(tm_map) *map = small_map();
    put_tiles(map, 0, GAME, ".... ....");
    tm_edit_grid grid = test_edit_grid(map, 0, GAME);
    ((tm_tile *)grid.tiles)[1].index = TM_TILE_DOOR;
    ((tm_tile *)grid.tiles)[2].index = TM_TILE_LASER_SHORT;
    test_edit_does(map, "scale 2");
    must(tm_map_edit_tiles(&grid, map, 0, GAME, NULL));
    assert_int_equal(((tm_tile *)grid.tiles)[2].index, TM_TILE_DOOR);
    assert_int_equal(((tm_tile *)grid.tiles)[3].index, TM_TILE_LASER_MEDIUM);
    assert_int_equal(((tm_tile *)grid.tiles)[4].index, 0);
}

/* Used to allocate 16 GB for the columns alone, and to fill them for minutes. */
TEST(sizes_without_sense_are_refused_at_once)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    test_edit_refuses(map, "extend left 2000000000", TM_ERROR_LIMIT, "the map would be");
    test_edit_refuses(map, "extend left 2000000000 air */*", TM_ERROR_USAGE, "physics layers");
    test_edit_refuses(map, "extend up 2000000000 edge design", TM_ERROR_LIMIT, "too many");
    test_edit_refuses(map, "crop 0,0+2000000000x2000000000", TM_ERROR_LIMIT, "the map would be");
}

/* A layer's size before and after, if that is "3/1:50x120->30x120". */
static bool has_size(const tm_map *map, const tm_map *before, const char *text)
{
    unsigned g, l, w0, h0, w, h;
    assert_int_equal(sscanf(text, "%u/%u:%ux%u->%ux%u", &g, &l, &w0, &h0, &w, &h), 6);
    const tm_tile_layer *current = &map->groups[g].layers[l].as.tiles,
                        *was = &before->groups[g].layers[l].as.tiles;
    return was->width == w0 && was->height == h0 && current->width == w && current->height == h;
}

static uint32_t num_changed(const tm_map *map, const tm_map *before)
{
    uint32_t num = 0;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        const tm_tile_layer *current = &map->groups[walk.group].layers[walk.index].as.tiles;
        const tm_tile_layer *was = &before->groups[walk.group].layers[walk.index].as.tiles;
        num += walk.layer->kind == TM_LAYER_TILES &&
               (current->width != was->width || current->height != was->height);
    }
    return num;
}

static bool shrinks_as_told(const char *name, char *values)
{
    OWN(tm_map) *map = test_shared_map(name), *before = test_map_clone(map);
    uint32_t num = 0;
    bool fine = true;
    test_edit_does(map, "shrink");
    for (const char *first = strcmp(values, "none") == 0 ? NULL : strtok(values, " "); first;
         first = strtok(NULL, " ")) {
        fine = has_size(map, before, first) && fine;
        num++;
    }
    fine = fine && num_changed(map, before) == num;
    if (!fine)
        print_error("%s\n", name);
    return fine;
}

/* What twmap-edit makes of design layers, where it takes the map. */
TEST(shrunk_sizes_agree_with_golden_values)
{
    static char line[1 << 16];
    char *cell[4];
    uint32_t rows = 0, wrong = 0;
    FILE *file = test_golden_table("twmap-edit.tsv");
    while (test_next_row(file, line, sizeof(line), cell, 4)) {
        if (strcmp(cell[1], "--shrink-tiles-layers") != 0 || strcmp(cell[2], "changed_layers") != 0)
            continue;
        wrong += !shrinks_as_told(cell[0], cell[3]);
        rows++;
    }
    fclose(file);
    assert_true(rows > 0);
    assert_int_equal(wrong, 0);
}

/* "layers 12->6 images 5->2 envelopes 4->1 sounds 0->0" */
static bool counts_agree(const tm_map *before, const tm_map *map, const char *values)
{
    unsigned from[4], to[4];
    const uint32_t had[4] = {tm_map_num_layers(before), before->num_images, before->num_envelopes,
                             before->num_sounds};
    const uint32_t has[4] = {tm_map_num_layers(map), map->num_images, map->num_envelopes, map->num_sounds};
    bool fine = sscanf(values, "layers %u->%u images %u->%u envelopes %u->%u sounds %u->%u", from, to,
                       from + 1, to + 1, from + 2, to + 2, from + 3, to + 3) == 8;
    /* The map "unused" has a layer of air with flags, and an image that only this one names: no use to us. */
    const unsigned more = fine && from[0] == 12 && to[0] == 6;
    for (unsigned i = 0; i < 4; i++)
        fine = fine && had[i] == from[i] && has[i] + (i < 2 ? more : 0) == to[i];
    return fine;
}

/* How much is left when all that is of no use goes, or physics get a group of their own. */
TEST(numbers_of_objects_agree_with_golden_values)
{
    static char line[1 << 16];
    static const char *const rows_of[][2] = {{"--remove-everything-unused", "clean all"},
                                             {"--isolate-physics-layers", "isolate"}};
    char *cell[4];
    uint32_t rows[2] = {0}, wrong = 0;
    FILE *file = test_golden_table("twmap-edit.tsv");
    while (test_next_row(file, line, sizeof(line), cell, 4)) {
        for (int i = 0; i < 2 && strcmp(cell[2], "counts") == 0; i++) {
            if (strcmp(cell[1], rows_of[i][0]) != 0)
                continue;
            OWN(tm_map) *before = test_shared_map(cell[0]), *map = test_edited(before, rows_of[i][1]);
            if (!counts_agree(before, map, cell[3])) {
                print_error("%s, %s: %s\n", cell[0], cell[1], cell[3]);
                wrong++;
            }
            rows[i]++;
        }
    }
    fclose(file);
    assert_true(rows[0] > 10 && rows[1] > 10);
    assert_int_equal(wrong, 0);
}
