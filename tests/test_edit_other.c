/* SPDX-License-Identifier: Zlib */
/*
 * Operations that take from another map: append, paste; and settings from text files.
 *
 * test-timeout: 600
 */
#include "map/map.h"
#include "support/lib_edit.h"

static tm_map *other; /* what the name "other" opens */

static tm_status open_other(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    (void)ctx;
    *map = NULL;
    return strcmp(name, "other") == 0 ? tm_map_clone(map, other, error) : TM_ERROR_NOT_FOUND;
}

static void any_file_holds(const char *text)
{
    test_edit_files[0] = (struct test_edit_file){"*", {(uint8_t *)(uintptr_t)text, strlen(text), 0, NULL}};
}

static void set_other(tm_map *map)
{
    tm_map_free(other);
    other = map;
}

static void put(tm_map *map, uint32_t group, uint32_t layer, int32_t x, int32_t y, const void *tile)
{
    must(tm_map_fill_tiles(map, group, layer, &(tm_rect){x, y, 1, 1}, tile, NULL));
}

/* The first byte but one of a tile, or its first: the index of tm_tile, the number of tele, switch, tune. */
static uint8_t first_byte(const tm_map *map, uint32_t group, uint32_t layer, int32_t x, int32_t y)
{
    uint8_t tile[8] = {0};
    must(tm_map_read_tiles(map, &map->groups[group].layers[layer], &(tm_rect){x, y, 1, 1}, tile, 0, NULL));
    return tile[0];
}

static void put_pixel(tm_map *map, uint32_t image, uint8_t value)
{
    uint8_t rgba[16 * 16 * 4];
    memset(rgba, value, sizeof(rgba));
    must(tm_map_set_pixels(map, image, rgba, 16, 16, NULL));
}

/* ----------------------------------------------------------------------------------------------- append */

#define GAME "add group Game\nadd layer Game game 10x8\n"

/* Equal images are shared, of others that have one name the new one gets another, external ones keep theirs. */
TEST(images_are_shared_or_renamed)
{
    static const char script[] = GAME
        "add group g\nadd image same\nadd image differs\nadd image outside\nadd layer g quads\n"
        "duplicate g/0\nduplicate g/0\nset g/0.image=image/same g/1.image=image/differs g/2.image=image/outside\n";
    OWN(tm_map) *map = test_map_of(script);
    other = test_map_of(script);
    put_pixel(map, 0, 7);
    put_pixel(other, 0, 7);
    put_pixel(map, 1, 7);
    put_pixel(other, 1, 8);
    test_edit_does(map, "append other");
    assert_int_equal(map->num_images, 4);
    assert_string_equal(map->images[3].name, "differs (1)");
    assert_int_equal(map->num_groups, 3);
    assert_string_equal(map->groups[2].name, "g");
    assert_int_equal(map->groups[2].layers[0].as.quads.image, 0);
    assert_int_equal(map->groups[2].layers[1].as.quads.image, 3);
    assert_int_equal(map->groups[2].layers[2].as.quads.image, 2);
    test_edit_does(map, "append other");
    assert_int_equal(map->num_images, 5); /* "differs (1)" is not called "differs" */
    assert_string_equal(map->images[4].name, "differs (2)");
}

/* The same name is another picture in Teeworlds 0.7; nothing was said, and the design looked otherwise. */
TEST(pictures_of_another_game_are_told)
{
    const char *script = GAME "add image grass_main\nadd image mine\nadd group g\nadd layer g tiles 4x4\n"
                              "set g/0.image=image/grass_main\nfill g/0 1\nduplicate g/0\nduplicate g/0\n"
                              "set g/2.image=image/mine\n";
    static const char *const lines[] = {"append other g", "paste other 0,0+4x4 2,2 g"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        OWN(tm_map) *map = test_map_of(GAME);
        set_other(test_map_of(script));
        test_edit_does(map, lines[i]);
        assert_int_equal(test_report.findings.num, 0);
        tm_map_free(map);
        map = test_map_of(GAME);
        map->game = TM_GAME_TEEWORLDS07;
        test_edit_does(map, lines[i]);
        assert_int_equal(test_report.findings.num, 1);
        assert_int_equal(test_report.findings.list[0].id, TM_FINDING_OTHER_PICTURE);
        assert_string_equal(test_report.findings.list[0].address, "image/0");
    }
}

TEST(groups_come_as_they_stand)
{
    OWN(tm_map) *map = test_map_of(GAME "settings add a b\n");
    other = test_map_of(
        "add group Back\nset 0.parallax.x=50 0.offset.y=-7\nadd layer 0 tiles 5x4\nadd group Game\nset Game.offset.x=9\n"
        "add layer Game quads\nadd layer Game game 10x8\nadd layer Game tiles\nadd layer Game tele\nsettings add b c\nadd group empty\n");
    test_edit_does(map, "append other");
    assert_int_equal(map->num_groups, 3);
    assert_int_equal(map->groups[1].parallax_x, 50);
    assert_int_equal(map->groups[1].offset_y, -7);
    assert_string_equal(map->groups[2].name, "Game");
    assert_int_equal(map->groups[2].offset_x, 0); /* the games do not look at what it said */
    assert_int_equal(map->groups[2].num_layers, 2);
    assert_int_equal(map->groups[2].layers[1].kind, TM_LAYER_TILES);
    assert_int_equal(map->groups[0].num_layers, 1);
    assert_int_equal(map->info.num_settings, 3);
    assert_string_equal(map->info.settings[2], "c");
    test_edit_does(map, "append other Back");
    assert_int_equal(map->num_groups, 4);
    assert_int_equal(map->info.num_settings, 3);
}

/* Tiles come where there is something, into layers that are made; numbers that both have become free ones. */
TEST(physics_are_merged_when_named)
{
    OWN(tm_map) *map = test_map_of(GAME "add layer Game tele\n");
    other = test_map_of("add group G\nadd layer G game 12x6\nadd layer G tele\nadd layer G switch\n");
    const tm_tile solid = {TM_TILE_SOLID, 0, 0, 0}, freeze = {TM_TILE_FREEZE, 0, 0, 0};
    const tm_tele_tile ours = {2, TM_TILE_TELE_IN}, entrance = {2, TM_TILE_TELE_IN},
                       out = {2, TM_TILE_TELE_OUT}, single = {5, TM_TILE_TELE_IN},
                       point = {2, TM_TILE_TELE_CHECKPOINT};
    const tm_switch_tile opens = {3, TM_TILE_SWITCH_OPEN, 0, 0};
    put(map, 0, 0, 1, 1, &solid);
    put(map, 0, 0, 2, 1, &solid);
    put(map, 0, 1, 0, 0, &ours);
    put(other, 0, 0, 2, 1, &freeze);
    put(other, 0, 1, 3, 3, &entrance);
    put(other, 0, 1, 11, 5, &out);
    put(other, 0, 1, 4, 3, &single);
    put(other, 0, 1, 5, 3, &point);
    put(other, 0, 2, 0, 5, &opens);
    test_edit_does(map, "append other physics");
    assert_int_equal(map->num_groups, 1);
    assert_int_equal(map->groups[0].num_layers, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(map->groups[0].layers[i].as.tiles.width, 12);
        assert_int_equal(map->groups[0].layers[i].as.tiles.height, 8);
    }
    assert_int_equal(first_byte(map, 0, 0, 1, 1), TM_TILE_SOLID);
    assert_int_equal(first_byte(map, 0, 0, 2, 1), TM_TILE_FREEZE);
    assert_int_equal(first_byte(map, 0, 1, 0, 0), 2);
    assert_int_equal(first_byte(map, 0, 1, 3, 3), 1);
    assert_int_equal(first_byte(map, 0, 1, 11, 5), 1);
    assert_int_equal(first_byte(map, 0, 1, 4, 3), 5);
    assert_int_equal(first_byte(map, 0, 1, 5, 3), 2); /* checkpoints have numbers of their own */
    assert_int_equal(first_byte(map, 0, 2, 0, 5), 3);
    test_edit_does(map, "append other physics keep");
    assert_int_equal(first_byte(map, 0, 1, 3, 3), 2);
}

/* Settings that name numbers come with them, changed as they are; what settings name here is taken, too. */
TEST(settings_follow_numbers)
{
    OWN(tm_map) *map = test_map_of(GAME "add layer Game tune\nsettings add \"tune_zone 3 x 1\"\n");
    other = test_map_of(
        "add group G\nadd layer G game 10x8\nadd layer G tune\nsettings add \"switch_open 4\" "
        "\"tune_zone 1 gravity 0; tune_zone 3 gravity 1\" \"tune_zone_enter 3 hi\" \"sv_motd x\"\n");
    put(map, 0, 1, 0, 0, &(tm_tune_tile){1, TM_TILE_TUNE});
    put(other, 0, 1, 1, 1, &(tm_tune_tile){1, TM_TILE_TUNE});
    put(other, 0, 1, 2, 1, &(tm_tune_tile){3, TM_TILE_TUNE});
    test_edit_does(map, "append other physics");
    assert_int_equal(first_byte(map, 0, 1, 1, 1), 2);
    assert_int_equal(first_byte(map, 0, 1, 2, 1), 4);
    assert_int_equal(map->info.num_settings, 3);
    assert_string_equal(map->info.settings[1], "tune_zone 2 gravity 0; tune_zone 4 gravity 1");
    assert_string_equal(map->info.settings[2], "tune_zone_enter 4 hi");
    test_edit_does(map, "paste other 2,1+1x1 0,0 physics keep");
    assert_int_equal(map->info.num_settings, 5);
    assert_string_equal(map->info.settings[4], "tune_zone_enter 3 hi");
}

TEST(tiles_are_pasted)
{
    static const char script[] =
        "add image a\nadd group Deco\nadd layer Deco tiles 10x8\nrename 0/0 L\nset 0/0.image=image/a\n"
        "add group Game\nadd layer Game game 10x8\nadd group Far\nset Far.parallax.x=50\nadd layer Far tiles 10x8\n";
    OWN(tm_map) *map = test_map_of(script);
    other = test_map_of(script);
    tm_tile tile = {0, 0, 0, 0};
    for (int32_t y = 0; y < 8; y++)
        for (int32_t x = 0; x < 10; x++) {
            tile.index = (uint8_t)(1 + y * 10 + x);
            put(other, 0, 0, x, y, &tile);
            put(other, 1, 0, x, y, &tile);
            put(other, 2, 0, x, y, &tile);
            tile.index = 200;
            put(map, 0, 0, x, y, &tile);
        }
    test_edit_does(map, "paste other 2,1+3x2 6,5");
    assert_int_equal(map->num_groups, 3);
    for (uint32_t group = 0; group < 2; group++)
        for (int32_t y = 0; y < 8; y++)
            for (int32_t x = 0; x < 10; x++) {
                const bool inside = x >= 6 && x < 9 && y >= 5 && y < 7;
                assert_int_equal(first_byte(map, group, 0, x, y), inside  ? 1 + (y - 4) * 10 + x - 4
                                                                  : group ? 0
                                                                          : 200);
            }
    assert_int_equal(first_byte(map, 2, 0, 8, 5), 0); /* what moves otherwise is left alone */
    /* Beyond the right edge everything grows; design shows there what it showed before. */
    test_edit_does(map, "paste other 0,0+2x2 11,1");
    for (uint32_t group = 0; group < 2; group++)
        assert_int_equal(map->groups[group].layers[0].as.tiles.width, 13);
    assert_int_equal(first_byte(map, 0, 0, 10, 1), 200);
    assert_int_equal(first_byte(map, 0, 0, 12, 2), 12);
    assert_int_equal(first_byte(map, 0, 0, 12, 7), 200);
    assert_int_equal(first_byte(map, 1, 0, 10, 1), 0);
    /* What is named comes: half the way for half the parallax. */
    test_edit_does(map, "paste other 0,0+4x2 4,0 Far");
    assert_int_equal(first_byte(map, 2, 0, 2, 0), 1);
    assert_int_equal(first_byte(map, 2, 0, 3, 1), 12);
    assert_int_equal(first_byte(map, 2, 0, 4, 0), 0);
    /* A layer of no size takes them, too; they got lost. */
    tm_tile_layer *empty = &map->groups[0].layers[0].as.tiles;
    tmi_block_free(map, empty->tiles);
    empty->tiles = NULL;
    empty->width = empty->height = 0;
    test_edit_does(map, "paste other 2,1+1x1 2,2");
    assert_int_equal(first_byte(map, 0, 0, 2, 2), 13);
}

/* A layer of another name is no match: the region comes as a layer of its own, with nothing around it. */
TEST(missing_layers_are_made)
{
    OWN(tm_map) *map = test_map_of(GAME);
    other = test_map_of(
        "add image a\nadd image unused\nadd group Deco\nset Deco.offset.x=-40\nadd layer Deco tiles 10x8\n"
        "set 0/0.image=image/a\nadd group Game\nadd layer Game tiles 10x8\nadd layer Game game 10x8\nadd layer Game tiles\n");
    const tm_tile tile = {9, 0, 0, 0};
    must(tm_map_fill_tiles(other, 0, 0, &(tm_rect){0, 0, 10, 8}, &tile, NULL));
    must(tm_map_fill_tiles(other, 1, 0, &(tm_rect){0, 0, 10, 8}, &tile, NULL));
    test_edit_does(map, "paste other 3,3+2x1 1,0");
    assert_int_equal(map->num_groups, 2);
    assert_int_equal(map->groups[1].num_layers, 2); /* the empty one in front of the game layer stays out */
    assert_int_equal(map->groups[1].layers[0].kind, TM_LAYER_TILES); /* behind it, as it was */
    for (int32_t x = 0; x < 4; x++)
        assert_int_equal(first_byte(map, 1, 0, x, 0), x == 1 || x == 2 ? 9 : 0);
    assert_int_equal(first_byte(map, 1, 0, 1, 1), 0);
    assert_int_equal(map->num_images, 1);
    assert_int_equal(map->groups[0].offset_x, -40);
}

TEST(quads_and_sources_are_pasted)
{
    static const char script[] = GAME
        "add envelope color\nadd envelope position\nadd group Deco\nadd layer Deco quads\nadd layer Deco sounds\n";
    OWN(tm_map) *map = test_map_of(GAME "add group Deco\nset Deco.offset.x=32\nadd layer Deco quads\n");
    other = test_map_of(script);
    tm_quad quads[3];
    tm_sound_source source;
    const tm_quad *found;
    const tm_sound_source *sources;
    uint32_t num;
    for (int32_t i = 0; i < 3; i++) {
        tm_quad_init(&quads[i], i * 4 * TM_TILE_FX, 0, TM_TILE_FX, TM_TILE_FX);
        quads[i].position_envelope = 1;
    }
    tm_sound_source_init(&source, 5 * TM_TILE_FX, 0);
    must(tm_map_set_quads(other, 1, 0, quads, 3, NULL));
    must(tm_map_set_sources(other, 1, 1, &source, 1, NULL));
    must(tm_map_set_quads(map, 1, 0, quads, 1, NULL));
    /* The second one and the source come; the group here is seen a tile further left. */
    test_edit_does(map, "paste other 4,0+3x3 0,4");
    assert_int_equal(map->num_envelopes, 1);
    assert_int_equal(map->num_groups, 2);
    assert_int_equal(map->groups[1].num_layers, 2);
    must(tm_map_quads(&found, &num, map, &map->groups[1].layers[0], NULL));
    assert_int_equal(num, 2);
    assert_int_equal(found[1].points[0].x, TM_TILE_FX);
    assert_int_equal(found[1].points[0].y, 4 * TM_TILE_FX);
    assert_int_equal(found[1].position_envelope, 0);
    must(tm_map_sources(&sources, &num, map, &map->groups[1].layers[1], NULL));
    assert_int_equal(num, 1);
    assert_int_equal(sources[0].position.x, 2 * TM_TILE_FX);
    /* What was there goes. */
    test_edit_does(map, "paste other 4,0+3x3 0,4");
    must(tm_map_quads(&found, &num, map, &map->groups[1].layers[0], NULL));
    assert_int_equal(num, 2);
}

/* Counts groups and layers that a map gets from its own paste; sizes of layers may not change either. */
static uint32_t grown_by_itself(tm_map *map)
{
    char script[64];
    uint32_t width, height, num = 0;
    tm_map *clone = test_map_clone(map), *const before = other;
    tm_error error;
    other = map;
    tm_map_area(&width, &height, map);
    snprintf(script, sizeof(script), "paste other 0,0+%ux%u 0,0", (unsigned)width, (unsigned)height);
    if (!width || !height || test_edit_run(clone, script, &error)) {
        tm_map_free(clone);
        other = before;
        return 0;
    }
    num = clone->num_groups != map->num_groups;
    for (uint32_t g = 0; !num && g < map->num_groups; g++) {
        num = clone->groups[g].num_layers != map->groups[g].num_layers;
        for (uint32_t i = 0; !num && i < map->groups[g].num_layers; i++) {
            const tm_layer *a = &map->groups[g].layers[i], *b = &clone->groups[g].layers[i];
            num = a->kind != b->kind ||
                  (a->kind == TM_LAYER_TILES &&
                   (a->as.tiles.width != b->as.tiles.width || a->as.tiles.height != b->as.tiles.height));
        }
    }
    tm_map_free(clone);
    other = before;
    return num;
}

/*
 * The first group of the same name and parallax took all: what stood in front of the players came behind them,
 * and layers were added that were there.
 */
TEST(a_map_pasted_on_itself_adds_nothing)
{
    OWN(tm_map) *map = test_map_of(
        "add group\nadd layer 0 tiles 6x6\nfill 0/0 1\nset 0/0.name=a\n"
        "add group\nadd layer 1 tiles 4x4\nfill 1/0@1,1+2x2 2\n"
        "add group Game\nadd layer 2 game 10x8\n"
        "add group\nadd layer 3 tiles 5x4\nfill 3/0@2,2+1x1 3\nfill 3/0@4,2+1x1 4\nadd layer 3 quads\n");
    assert_int_equal(grown_by_itself(map), 0);
    /* The foreground, in a map with such groups only behind the players; the background, like group 1. */
    other =
        test_map_of("add group\nadd layer 0 tiles 4x4\nfill 0/0 7\nadd group Game\nadd layer 1 game 10x8\n"
                    "add group\nadd layer 2 tiles 4x4\nfill 2/0 5\n");
    test_edit_does(map, "remove 3");
    test_edit_does(map, "paste other 0,0+10x8 0,0");
    assert_int_equal(map->num_groups, 4);
    assert_int_equal(map->groups[3].num_layers, 1);
    assert_int_equal(first_byte(map, 1, 0, 1, 1), 7);
    /* And its background, in one that has such a group only in front of them. */
    set_other(test_map_of(
        "add group\nadd layer 0 tiles 4x4\nfill 0/0 6\nadd group Game\nadd layer Game game 10x8\n"));
    test_edit_does(map, "remove 0 1");
    test_edit_does(map, "paste other 0,0+10x8 0,0");
    assert_int_equal(map->num_groups, 3);
    assert_int_equal(first_byte(map, 0, 0, 0, 0), 6);
    set_other(NULL);
}

/* A region replaces physics of all kinds; tiles that work together there get numbers of their own. */
TEST(pasted_physics_replace)
{
    OWN(tm_map) *map = test_map_of(GAME "add layer Game front\nadd layer Game tele\n");
    other = test_map_of("add group G\nadd layer G game 10x8\nadd layer G tele\n");
    const tm_tile solid = {TM_TILE_SOLID, 0, 0, 0};
    const tm_tele_tile tile = {1, TM_TILE_TELE_IN};
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 10, 8}, &solid, NULL));
    must(tm_map_fill_tiles(map, 0, 1, &(tm_rect){0, 0, 10, 8}, &solid, NULL));
    put(map, 0, 2, 9, 0, &tile);
    put(other, 0, 1, 1, 1, &tile);
    test_edit_does(map, "paste other -1,-1+3x3 3,3");
    assert_int_equal(first_byte(map, 0, 0, 4, 4), 0);
    assert_int_equal(first_byte(map, 0, 1, 5, 5), 0);
    assert_int_equal(first_byte(map, 0, 0, 3, 3), TM_TILE_SOLID); /* that would lie beyond the other map */
    assert_int_equal(first_byte(map, 0, 0, 6, 6), TM_TILE_SOLID);
    assert_int_equal(first_byte(map, 0, 2, 5, 5), 2);
    put(map, 0, 2, 9, 0, &(tm_tele_tile){0, 0});
    test_edit_does(map, "paste other 1,1+1x1 5,5");
    assert_int_equal(first_byte(map, 0, 2, 5, 5), 1);
    test_edit_does(map, "paste other 0,0+3x3 -2,-2");
    assert_int_equal(first_byte(map, 0, 0, 0, 0), 0);
    assert_int_equal(first_byte(map, 0, 0, 1, 0), TM_TILE_SOLID);
}

TEST(what_cannot_come_is_told)
{
    OWN(tm_map) *map = test_map_of(GAME);
    other = test_map_of(GAME "add layer Game tele\n");
    test_edit_refuses(map, "append nobody", TM_ERROR_NOT_FOUND, "the function that opens maps");
    test_edit_refuses(map, "append other nothing", TM_ERROR_NOT_FOUND, "nothing");
    test_edit_refuses(map, "append other design@1,1+2x2", TM_ERROR_USAGE, "whole layers");
    test_edit_refuses(map, "paste other 1,1+2 3,3", TM_ERROR_USAGE, "region");
    test_edit_reports(map, "paste other 100,100+2x2 0,0", 0);
    assert_int_equal(test_report.findings.num, 1);
    /* All numbers are used. */
    test_edit_does(map, "add layer Game tele 10x30");
    for (int32_t i = 0; i < 255; i++)
        put(map, 0, 1, i % 10, i / 10, &(tm_tele_tile){(uint8_t)(i + 1), TM_TILE_TELE_IN});
    put(other, 0, 1, 0, 0, &(tm_tele_tile){9, TM_TILE_TELE_IN});
    test_edit_refuses(map, "append other physics", TM_ERROR_LIMIT, "no number is left for teleporter 9");
    test_edit_does(map, "append other physics keep");
}

/* ---------------------------------------------------------------------------------------- text files */

TEST(settings_come_from_files)
{
    OWN(tm_map) *map = test_map_of("settings add a b\n");
    any_file_holds("\xef\xbb\xbf"
                   "b\r\n\r\n# c\nb\n");
    test_edit_does(map, "settings from x new");
    assert_int_equal(map->info.num_settings, 4);
    assert_string_equal(map->info.settings[2], "");
    assert_string_equal(map->info.settings[3], "# c");
    test_edit_does(map, "settings from x");
    assert_int_equal(map->info.num_settings, 4);
    assert_string_equal(map->info.settings[0], "b");
    assert_string_equal(map->info.settings[3], "b");
    test_edit_reports(map, "settings from x all", 0);
    any_file_holds("\r\n\r");
    test_edit_does(map, "settings from x");
    assert_int_equal(map->info.num_settings, 2);
    assert_string_equal(map->info.settings[1], "");
    test_edit_files[0].name = NULL;
    test_edit_refuses(map, "settings from x", TM_ERROR_NOT_FOUND, "the function that reads files");
}

typedef struct tally {
    uint32_t maps, wrong;
    tm_buffer held; /* the file of `other` */
} tally;

static bool survives(const tm_map *map, const char *script, const char *path)
{
    tm_map *clone, *loaded = NULL;
    tm_error error;
    must(tm_map_clone(&clone, map, NULL));
    tm_status status = test_edit_run(clone, script, &error);
    tm_buffer saved = {0};
    if (!status) {
        saved = test_map_save(clone, NULL);
        status = test_map_try(&loaded, &saved, TM_MODE_GAME, NULL, &error);
    }
    /* What DDNet lacks of another game's maps is left out while saving, and may be; tiles must be there. */
    const bool fine = !status && tm_map_num_layers(loaded) >= tm_map_num_layers(map);
    if (!fine && status != TM_ERROR_DAMAGED)
        print_error("%s: %s: %s: %s\n", path, script, status ? error.place : "", status ? error.text : "");
    tm_map_free(loaded);
    tm_map_free(clone);
    tm_buffer_release(&saved);
    return fine || status == TM_ERROR_DAMAGED;
}

static void take_from_real_map(void *ctx, const char *path)
{
    static const char *const takes[] = {
        "append other",
        "append other physics,design keep",
        "paste other 3,4+20x15 10,2",
        "paste other 0,0+50x50 -10,30 design,physics keep",
    };
    tally *count = ctx;
    tm_map *map;
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer buffer = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (!test_map_try(&map, &buffer, TM_MODE_GAME, NULL, NULL)) {
        if (map->num_groups && other)
            for (size_t i = 0; i < sizeof(takes) / sizeof(takes[0]); i++)
                count->wrong += !survives(map, takes[i], path);
        if (grown_by_itself(map)) {
            print_error("%s: pasted on itself it grows\n", path);
            count->wrong++;
        }
        count->maps++;
        tm_map_free(other);
        tm_buffer_release(&count->held);
        other = map;
        count->held = buffer;
        return;
    }
    tm_buffer_release(&buffer);
}

/* Each takes from the one before it. */
TEST(real_maps_are_joined)
{
    tally count = {0};
    other = NULL;
    test_many_corpus_maps(take_from_real_map, &count);
    tm_map_free(other);
    tm_buffer_release(&count.held);
    other = NULL;
    print_message("%u maps\n", count.maps);
    assert_int_equal(count.wrong, 0);
}

static void name_other(void)
{
    test_edit_options.open = open_other;
}

static void drop_other(void)
{
    set_other(NULL);
}

TEST_GROUP(name_other, NULL)
TEST_EACH(NULL, drop_other)
