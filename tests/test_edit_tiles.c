/* SPDX-License-Identifier: Zlib */
/*
 * Operations on tiles: fill, clear, replace, and what they leave alone.
 */
#include "support/lib_edit.h"

enum { WIDTH = 8, HEIGHT = 4 };

/* One group with all kinds of tile layers, then quads and sounds; all air. Layer number = kind. */
static tm_map *board(void)
{
    tm_map *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "All");
    for (uint32_t kind = 0; kind <= TM_LAYER_SOUNDS; kind++)
        must(tm_map_insert_layer(map, 0, kind, (tm_layer_kind)kind, WIDTH, HEIGHT, NULL));
    return map;
}

static void refuses(tm_map *map, const char *line, const char *text)
{
    const tm_status status = test_edit_fails(map, line, text);
    assert_true(status == TM_ERROR_USAGE || status == TM_ERROR_NOT_FOUND || status == TM_ERROR_LIMIT);
}

/* The bytes of a tile as digits: "9 0 0 0". */
static const char *tile_at(const tm_map *map, tm_layer_kind kind, int32_t x, int32_t y)
{
    static char text[64];
    uint8_t bytes[8] = {0};
    size_t size = 0;
    const tm_layer *layer = tm_map_physics_layer(NULL, NULL, map, kind);
    if (!layer)
        layer = tm_map_find_layer(NULL, NULL, map, kind);
    must(tm_map_read_tiles(map, layer, &(tm_rect){x, y, 1, 1}, bytes, 0, NULL));
    if (kind == TM_LAYER_SPEEDUP) {
        tm_speedup_tile tile;
        memcpy(&tile, bytes, sizeof(tile));
        snprintf(text, sizeof(text), "%d %d %d %d %d", tile.force, tile.max_speed, tile.type, tile.pad,
                 tile.angle);
        return text;
    }
    for (uint32_t i = 0; i < tm_game_layer(kind)->element_size; i++)
        size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%d", i ? " " : "", bytes[i]);
    return text;
}

/* The line writes that tile. */
static void gives(tm_map *map, const char *line, tm_layer_kind kind, int32_t x, int32_t y, const char *tile)
{
    test_edit_does(map, line);
    assert_string_equal(tile_at(map, kind, x, y), tile);
}

static bool has_changed(const tm_map *map, tm_layer_kind kind)
{
    return tm_block_get_info(map->groups[0].layers[kind].as.tiles.tiles).changed;
}

/* The same map from a file, so that nothing in it counts as changed. */
static tm_buffer files[4];
static size_t num_files;

static tm_map *reloaded(tm_map *map)
{
    assert_true(num_files < sizeof(files) / sizeof(*files));
    files[num_files] = test_map_save(map, NULL);
    tm_map_free(map);
    return test_map_load(&files[num_files++], TM_MODE_GAME, NULL);
}

TEST(fill_writes_what_editors_do)
{
    OWN(tm_map) *map = board();
    gives(map, "fill game@1,1+2x2 freeze", TM_LAYER_GAME, 2, 2, "9 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 3, 2), "0 0 0 0");
    assert_int_equal(test_report.num, 1);
    assert_int_equal(test_report.list[0].count, 4);
    assert_string_equal(test_report.list[0].address, "0/1");
    assert_string_equal(test_report.list[0].text, "4 tiles written");
    test_edit_reports(map, "fill game@1,1+2x2 freeze", 0);
    gives(map, "fill tele@0,0+1x1 tele-in:5", TM_LAYER_TELE, 0, 0, "5 26");
    gives(map, "fill tele@1,0+1x1 tele-checkpoint-in", TM_LAYER_TELE, 1, 0, "255 31");
    test_edit_does(map, "fill switch@0,0+1x1 switch-timed-open:3:delay=9:flags=rotate");
    assert_string_equal(tile_at(map, TM_LAYER_SWITCH, 0, 0), "3 22 8 9");
    gives(map, "fill speedup@0,0+1x1 speedup:force=50:angle=90", TM_LAYER_SPEEDUP, 0, 0, "50 0 29 0 90");
    gives(map, "fill tune@0,0+1x1 tune:3", TM_LAYER_TUNE, 0, 0, "3 68");
    gives(map, "fill game@7,3+1x1 60:flags=flip_x+flip_y", TM_LAYER_GAME, 7, 3, "60 3 0 0");
    test_edit_does(map, "fill design 200"); /* an index goes everywhere; quads are no tiles */
    assert_int_equal(test_report.list[0].count, WIDTH * HEIGHT);
    test_edit_does(map, "fill front,tele freeze where game/freeze");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_TILE_UNFIT);
    gives(map, "fill front 1 where game/freeze", TM_LAYER_FRONT, 2, 2, "1 0 0 0");
    assert_int_equal(test_report.list[0].count, 4);
    test_edit_does(map, "fill front 1 where game/finish");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_MATCH);
}

TEST(fill_says_what_it_needs)
{
    OWN(tm_map) *map = board();
    refuses(map, "fill game", "this is not how to write it");
    refuses(map, "fill tele tele-in", "'tele-in' needs a number from 1 to 255: tele-in:1");
    refuses(map, "fill tune tune:0", "needs a number");
    refuses(map, "fill speedup speedup", "'speedup' needs a force");
    refuses(map, "fill game tele-in:5", "none of the layers 'game' can have the tile 'tele-in:5'");
    refuses(map, "fill quads 5", "none of the layers 'quads'");
    refuses(map, "fill game number=5", "which tile?");
    refuses(map, "fill game lava", "'lava' is not a tile");
    refuses(map, "fill game 256", "'256' is not a number from 0 to 255");
    refuses(map, "fill tele tele-in:1..5", "'1..5' is not a number");
    refuses(map, "fill speedup speedup:force=1:angle=99999", "is not an angle");
    refuses(map, "fill game 60:flags=up", "is not flags");
    refuses(map, "fill game 60:shape=1", "there are index=, number=");
    refuses(map, "fill game freeze:", "is not a tile like");
    refuses(map, "fill nobody freeze", "leads to no group or layer");
    refuses(map, "fill game freeze where", "fill LAYERS TILE [where PATTERN]");
    refuses(map, "fill game freeze when x", "'when' is not the word where");
}

TEST(clear_takes_all_away)
{
    OWN(tm_map) *map = board();
    tm_quad quads[3];
    tm_sound_source source;
    for (int i = 0; i < 3; i++)
        tm_quad_init(&quads[i], i * 2 * TM_TILE_FX, 0, TM_TILE_FX, TM_TILE_FX);
    tm_sound_source_init(&source, 0, 0);
    must(tm_map_set_quads(map, 0, TM_LAYER_QUADS, quads, 3, NULL));
    must(tm_map_set_sources(map, 0, TM_LAYER_SOUNDS, &source, 1, NULL));
    test_edit_does(map, "fill game 1");
    test_edit_does(map, "clear *@2,0+2x4");
    assert_int_equal(map->groups[0].layers[TM_LAYER_QUADS].as.quads.num_quads, 2);
    assert_int_equal(map->groups[0].layers[TM_LAYER_SOUNDS].as.sounds.num_sources, 1);
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 2, 3), "0 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 4, 3), "1 0 0 0");
    test_edit_does(map, "clear");
    assert_int_equal(map->groups[0].layers[TM_LAYER_QUADS].as.quads.num_quads, 0);
    assert_int_equal(map->groups[0].layers[TM_LAYER_SOUNDS].as.sounds.num_sources, 0);
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 4, 3), "0 0 0 0");
    assert_int_equal(test_report.num, 3);
    test_edit_reports(map, "clear", 0);
}

TEST(replace_keeps_what_is_not_told)
{
    OWN(tm_map) *map = board();
    test_edit_does(
        map,
        "fill tele@0,0+1x1 tele-in:5\nfill tele@1,0+1x1 tele-in:6\nfill switch@0,0+1x1 "
        "switch-timed-open:3:delay=9:flags=rotate\nfill game@0,0+1x1 60:flags=rotate\nfill design@0,0+1x1 "
        "7:flags=opaque+rotate");
    gives(map, "replace tele-in with tele-in-evil", TM_LAYER_TELE, 0, 0, "5 10");
    gives(map, "replace tele-in-evil:5 with number=7", TM_LAYER_TELE, 0, 0, "7 10");
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 1, 0), "6 10");
    gives(map, "replace tele-in-evil with tele-checkpoint-in-evil", TM_LAYER_TELE, 1, 0, "255 63");
    test_edit_does(map, "replace switch-* with deep-freeze"); /* its delay and flags mean nothing there */
    assert_string_equal(tile_at(map, TM_LAYER_SWITCH, 0, 0), "3 12 0 0");
    gives(map, "replace stopper with stopper-two-way", TM_LAYER_GAME, 0, 0, "61 8 0 0");
    gives(map, "replace game/61 with freeze", TM_LAYER_GAME, 0, 0, "9 0 0 0");
    test_edit_does(map, "replace 7 with 8"); /* the picture of another tile may have holes */
    assert_string_equal(tile_at(map, TM_LAYER_TILES, 0, 0), "8 8 0 0");
    gives(map, "replace 8 with flags=none", TM_LAYER_TILES, 0, 0, "8 0 0 0");
    gives(map, "replace 8 with air", TM_LAYER_TILES, 0, 0, "0 0 0 0");
}

TEST(replace_leaves_other_layers_alone)
{
    OWN(tm_map) *map = board();
    test_edit_does(map, "fill game@0,0+2x1 freeze\nfill front@1,0+2x1 freeze\nfill switch@0,0+1x1 freeze:4");
    map = reloaded(map);
    test_edit_reports(map, "replace freeze with unfreeze", 2);
    assert_int_equal(test_report.findings.num, 1); /* switches cannot unfreeze */
    assert_string_equal(test_report.findings.list[0].text,
                        "1 tile stays: a switch layer cannot have 'unfreeze'");
    assert_true(has_changed(map, TM_LAYER_GAME) && has_changed(map, TM_LAYER_FRONT));
    for (uint32_t kind = 0; kind <= TM_LAYER_TUNE; kind++)
        assert_int_equal(has_changed(map, (tm_layer_kind)kind),
                         kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT);
    map = reloaded(map);
    test_edit_does(map, "replace unfreeze with unfreeze"); /* nothing becomes another tile */
    test_edit_does(map, "replace finish with start");
    test_edit_does(map, "fill game@0,0+2x1 unfreeze");
    for (uint32_t kind = 0; kind <= TM_LAYER_TUNE; kind++)
        assert_false(has_changed(map, (tm_layer_kind)kind));
    gives(map, "replace \"game/unfreeze where front/unfreeze\" with freeze", TM_LAYER_GAME, 0, 0, "11 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 0), "9 0 0 0");
    gives(map, "replace unfreeze with air *@2,0+1x1", TM_LAYER_FRONT, 1, 0, "11 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 2, 0), "0 0 0 0");
    refuses(map, "replace freeze", "this is not how to write it; it is 'replace PATTERN with TILE [LAYERS]'");
    refuses(map, "replace freeze by air", "'by' is not the word with");
    refuses(map, "replace image/x with air", "is not a tile pattern");
}

TEST(numbers_move_with_their_settings)
{
    OWN(tm_map) *map = board();
    const char *const settings[] = {"tune_zone 3 gravity 0.5; Tune_Zone_Enter 5 \"a; tune_zone 3\"",
                                    "switch_open 3", "sv_x 3", "tune_zone 9 a"};
    test_edit_does(
        map,
        "fill tele@0,0+1x1 tele-in:5\nfill tele@1,0+1x1 tele-out:5\nfill tele@2,0+1x1 tele-in:9\nfill "
        "tele@3,0+1x1 tele-checkpoint:5\nfill tele@4,0+1x1 tele-checkpoint-in\nfill tune@0,0+1x1 "
        "tune:3\nfill tune@1,0+1x1 tune:5\nfill switch@0,0+1x1 door:3\nfill switch@1,0+1x1 jumps:delay=3");
    must(tm_map_set_settings(map, settings, 4, NULL));
    gives(map, "renumber tele +10", TM_LAYER_TELE, 0, 0, "15 26");
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 1, 0), "15 27");
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 3, 0), "5 29"); /* another pool */
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 4, 0), "255 31");
    gives(map, "renumber tele compact", TM_LAYER_TELE, 1, 0, "1 27");
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 2, 0), "2 26");
    gives(map, "swap numbers tele 1 2", TM_LAYER_TELE, 1, 0, "2 27");
    gives(map, "renumber tele 1=2,2=1 tele@2,0+1x1", TM_LAYER_TELE, 1, 0, "2 27");
    assert_string_equal(tile_at(map, TM_LAYER_TELE, 2, 0), "2 26");
    gives(map, "renumber tune 3..4+100,9-2", TM_LAYER_TUNE, 0, 0, "103 68");
    assert_string_equal(map->info.settings[0],
                        "tune_zone 103 gravity 0.5; Tune_Zone_Enter 5 \"a; tune_zone 3\"");
    assert_string_equal(map->info.settings[1], "switch_open 3");
    assert_string_equal(map->info.settings[3], "tune_zone 7 a");
    assert_int_equal(test_report.num, 2);
    gives(map, "renumber switch 3=8", TM_LAYER_SWITCH, 0, 0, "8 240 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_SWITCH, 1, 0), "0 7 0 3");
    assert_string_equal(map->info.settings[1], "switch_open 8");
    gives(map, "renumber tune 103=5", TM_LAYER_TUNE, 0, 0, "5 68"); /* said so: they work together now */
    gives(map, "renumber checkpoint compact", TM_LAYER_TELE, 3, 0, "1 29");
    test_edit_does(map, "clear tele\nrenumber tele +1");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_MATCH);
}

TEST(numbers_stay_apart)
{
    OWN(tm_map) *map = board();
    test_edit_does(map, "fill tele@0,0+1x1 tele-in:5\nfill tele@1,0+1x1 tele-out:250");
    refuses(map, "renumber tele +10", "250 would become 260; numbers go from 1 to 255");
    refuses(map, "renumber tele -5", "5 would become 0");
    refuses(map, "renumber tele 5+245", "5 and 250 would both become 250");
    refuses(map, "renumber tele 5", "'5' is not a change of numbers: compact, +10, -3, 5=7, 5..9+10");
    refuses(map, "renumber tele 5=0", "is not a change");
    refuses(map, "renumber tele 5=256", "is not a change");
    refuses(map, "renumber tele 5..9=3", "is not a change");
    refuses(map, "renumber tele 9..5+1", "is not a change");
    refuses(map, "renumber tele 5=6;7=8", "is not a change");
    refuses(map, "renumber tele", "it is 'renumber POOL CHANGE [LAYERS]'");
    refuses(map, "renumber door +1", "'door' is not one of tele checkpoint switch tune");
    refuses(map, "swap numbers tele 0 5", "numbers go from 1 to 255");
}

/* --------------------------------------------------------------------------------------------- quick actions */

TEST(physics_are_made_of_the_design)
{
    OWN(tm_map) *map = board();
    test_insert_group(map, 0, TM_LAYER_TILES, 12, 3);
    test_insert_group(map, 0, TM_LAYER_TILES, 4, 4);
    map->groups[0].parallax_x = 50;
    map->groups[1].offset_x = 32; /* seen one tile further left */
    test_edit_does(map, "fill 1/0@0,0+3x1 7\nfill 0/0 5\nfill 1/0@11,2+1x1 8");
    gives(map, "construct freeze 1/0", TM_LAYER_GAME, 0, 0, "9 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 0), "9 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 2, 0), "0 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 10, 2), "9 0 0 0");
    assert_int_equal(test_report.findings.list[0].id,
                     TM_FINDING_GROUP_NOT_ALIGNED); /* one tile fell off at the left */
    const tm_layer *tele = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_TELE);
    assert_int_equal(tele->as.tiles.width, 11);
    assert_int_equal(tele->as.tiles.height, HEIGHT);
    gives(map, "construct through-cut 1/0 8", TM_LAYER_GAME, 10, 2, "3 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 10, 2), "5 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 0), "9 0 0 0");
    gives(map, "construct air 1/0", TM_LAYER_GAME, 10, 2, "0 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 10, 2), "0 0 0 0");
    gives(map, "construct tele-checkpoint-in 1/0", TM_LAYER_TELE, 10, 2, "255 31");
    test_edit_reports(map, "construct solid 0/0", 0);
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_GROUP_NOT_ALIGNED);
    assert_int_equal(test_report.findings.list[1].id, TM_FINDING_NO_MATCH);
    test_edit_does(map, "remove 2/4\nconstruct through-cut 1/0 8"); /* the front layer is made */
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 10, 2), "5 0 0 0");
    refuses(map, "construct tele-in 1/0", "needs a number");
    tm_map_free(map);
    map = board();
    test_edit_does(map, "fill design 1\nremove 0/1");
    refuses(map, "construct solid design", "the map has no game layer");
    refuses(map, "borders", "the map has no game layer");
}

TEST(borders_and_bare_tiles)
{
    OWN(tm_map) *map = board();
    gives(map, "fill game 60:flags=rotate\nborders", TM_LAYER_GAME, 0, 0, "1 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 7, 3), "1 0 0 0");
    gives(map, "borders unhookable 1", TM_LAYER_GAME, 7, 3, "3 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 1), "1 0 0 0");
    gives(map, "borders death 100", TM_LAYER_GAME, 4, 2, "2 0 0 0");
    refuses(map, "borders solid 0", "at least 1 tile wide");
    refuses(map, "borders tele-in:5", "a game layer cannot have");
    /* Walls stay under what is drawn, or stands in other physics. */
    test_edit_does(
        map,
        "fill game 1\nfill game@0,0+1x1 freeze\nfill design@1,0+1x1 9\nfill tele@2,0+1x1 tele-in:1\nclean tiles");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 0, 0), "9 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 0), "1 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 2, 0), "1 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 3, 0), "0 0 0 0");
    assert_int_equal(test_report.list[test_report.num - 1].count, WIDTH * HEIGHT - 3);
    test_edit_reports(map, "clean tiles", 0);
}

TEST(flags_are_straightened)
{
    OWN(tm_map) *map = board();
    test_edit_does(
        map,
        "fill game@0,0+1x1 freeze:flags=3\nfill game@1,0+1x1 61:flags=9\nfill game@2,0+1x1 60:flags=9\nfill "
        "game@3,0+1x1 224:flags=1\nfill game@4,0+1x1 armor:flags=25\nfill game@5,0+1x1 64:flags=1\nfill "
        "front@0,0+1x1 67:flags=2\nfill game@6,0+1x1 255:flags=1\nfill switch@0,0+1x1 freeze:3:flags=8");
    gives(map, "normalize", TM_LAYER_GAME, 0, 0, "9 0 0 0");
    static const char *const straight[] = {"61 8 0 0", "60 9 0 0", "224 11 0 0", "197 9 0 0",
                                           "64 1 0 0", "255 1 0 0"}; /* nobody knows what 255 is */
    for (int32_t i = 0; i < 6; i++)
        assert_string_equal(tile_at(map, TM_LAYER_GAME, 1 + i, 0), straight[i]);
    assert_string_equal(tile_at(map, TM_LAYER_SWITCH, 0, 0), "3 9 0 0");
    assert_non_null(strstr(test_report.findings.list[0].text, ": 1 one-way stopper ('"));
    assert_non_null(strstr(test_report.findings.list[0].text, ", 1 mover that brakes, 1 hook-through "));
    gives(map, "normalize stoppers", TM_LAYER_GAME, 2, 0, "60 8 0 0");
    assert_null(strstr(test_report.findings.list[0].text, "stopper"));
    refuses(map, "normalize all", "'all' is not the word stoppers");
}

/* What collision does with a tile, from the game's own code: it does the same afterwards. */
static struct {
    char what[16], effect[32];
    unsigned index, flags;
} effects[256];
static size_t num_effects;

static const char *effect_of(const char *description, unsigned index, unsigned flags)
{
    for (size_t i = 0; i < num_effects; i++)
        if (strcmp(effects[i].what, description) == 0 && effects[i].index == index &&
            effects[i].flags == flags)
            return effects[i].effect;
    fail_msg("%s %u:%u is not in the table", description, index, flags);
    return "";
}

static void check_effects(const char *line, bool strong)
{
    OWN(tm_map) *map = board();
    for (size_t i = 0; i < num_effects; i++) {
        char fill[64];
        unsigned index, flags;
        const bool front = strstr(effects[i].what, "front");
        snprintf(fill, sizeof(fill), "fill %s@0,0+1x1 %u:flags=%u", front ? "front" : "game",
                 effects[i].index, effects[i].flags);
        test_edit_does(map, fill);
        test_edit_does(map, line);
        assert_int_equal(
            sscanf(tile_at(map, front ? TM_LAYER_FRONT : TM_LAYER_GAME, 0, 0), "%u %u", &index, &flags), 2);
        assert_int_equal(index, effects[i].index);
        if (strong && index == 60 && strstr(effects[i].what, "exists"))
            continue;
        assert_string_equal(effect_of(effects[i].what, index, flags), effects[i].effect);
    }
}

TEST(collision_stays)
{
    char line[256];
    FILE *file = test_golden_table("physics-directions.tsv");
    while (fgets(line, sizeof(line), file) && num_effects < 256)
        if (sscanf(line, "%15[^\t]\t%u\t%u\t%31[^\n]", effects[num_effects].what, &effects[num_effects].index,
                   &effects[num_effects].flags, effects[num_effects].effect) == 4)
            num_effects++;
    fclose(file);
    assert_true(num_effects >= 88);
    check_effects("normalize", false);
    check_effects("normalize stoppers", true);
}

TEST(speedups_and_unused_bytes)
{
    OWN(tm_map) *map = board();
    test_edit_does(
        map,
        "fill speedup@1,0+1x1 speedup-old:force=255:max=20\nfill speedup@2,0+2x1 speedup-old:force=9:max=4:angle=90");
    gives(map, "migrate speedups", TM_LAYER_SPEEDUP, 3, 0, "9 4 29 0 90");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_SPEEDUPS_DIFFER);
    assert_non_null(
        strstr(test_report.findings.list[0].text, ": 1 speedup that set the speed")); /* and no 0 */
    assert_non_null(strstr(test_report.findings.list[0].text, ", 2 speedups that braked"));
    test_edit_does(map, "fill speedup@0,0+1x1 speedup-old:force=50\nmigrate speedups");
    assert_non_null(strstr(test_report.findings.list[0].text, ": 1 speedup without a highest speed"));
    test_edit_does(map, "migrate speedups");
    assert_int_equal(test_report.num + test_report.findings.num, 0);
    const tm_tile dirty = {0, 9, 3, 4}, wall = {1, 0x45, 1, 0}, mover = {64, 0x41, 0, 9};
    const tm_speedup_tile padded = {1, 0, 29, 7, 5};
    must(tm_map_write_tiles(map, 0, TM_LAYER_GAME, &(tm_rect){0, 0, 1, 1}, &dirty, 0, NULL));
    must(tm_map_write_tiles(map, 0, TM_LAYER_GAME, &(tm_rect){1, 0, 1, 1}, &wall, 0, NULL));
    must(tm_map_write_tiles(map, 0, TM_LAYER_GAME, &(tm_rect){2, 0, 1, 1}, &mover, 0, NULL));
    must(tm_map_write_tiles(map, 0, TM_LAYER_TILES, &(tm_rect){1, 0, 1, 1}, &wall, 0, NULL));
    must(tm_map_write_tiles(map, 0, TM_LAYER_SPEEDUP, &(tm_rect){5, 0, 1, 1}, &padded, 0, NULL));
    tm_layer *front = &map->groups[0].layers[TM_LAYER_FRONT];
    void *bytes;
    uint64_t size = 0;
    if (front->as.tiles.compat)
        must(tm_map_edit_data(&bytes, &size, map, front->as.tiles.compat, NULL));
    if (size)
        memset(bytes, 5, 3);
    test_edit_reports(map, "zero unused", size ? 4 : 3);
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 0, 0), "0 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 1, 0), "1 1 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_GAME, 2, 0), "64 65 0 0"); /* all its bits count */
    assert_string_equal(tile_at(map, TM_LAYER_TILES, 1, 0), "1 5 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_SPEEDUP, 5, 0), "1 0 29 0 5");
    test_edit_reports(map, "zero unused", 0);
}

TEST(double_physics_are_joined)
{
    OWN(tm_map) *map = board();
    test_edit_does(
        map, "fill front@0,0+2x1 freeze\nduplicate 0/4\nfill 0/5@0,0+1x1 unfreeze\nfill 0/5@1,0+1x1 air");
    OWN(tm_map) *clone = test_map_clone(map);
    const uint32_t num = map->groups[0].num_layers;
    test_edit_does(map, "join physics");
    assert_int_equal(map->groups[0].num_layers, num - 1);
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 0, 0), "11 0 0 0");
    assert_string_equal(tile_at(map, TM_LAYER_FRONT, 1, 0), "9 0 0 0");
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_TILES_PLAY);
    gives(clone, "join physics drop", TM_LAYER_FRONT, 1, 0, "0 0 0 0");
    assert_int_equal(test_report.findings.num, 0);
    test_edit_reports(clone, "join physics", 0);
}

static void end_all(void)
{
    tm_report_release(&test_report);
    while (num_files)
        tm_buffer_release(&files[--num_files]);
}

/* "clear Game where ..." stood in the manual: it empties front and switch, too, and did so without a word. */
TEST(a_group_in_place_of_the_game_layer_is_told)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    uint32_t group;
    char line[64];
    tm_map_physics_layer(&group, NULL, map, TM_LAYER_GAME);
    snprintf(line, sizeof(line), "fill %u freeze", (unsigned)group);
    test_edit_does(map, line);
    assert_true(test_found(&test_report.findings, TM_FINDING_WHOLE_GROUP));
    snprintf(line, sizeof(line), "clear %u where freeze", (unsigned)group);
    test_edit_does(map, line);
    assert_true(test_found(&test_report.findings, TM_FINDING_WHOLE_GROUP));
    snprintf(line, sizeof(line), "fill %u/* freeze", (unsigned)group);
    test_edit_does(map, line);
    assert_false(test_found(&test_report.findings, TM_FINDING_WHOLE_GROUP));
    test_edit_does(map, "remove front");
    test_edit_refuses(map, "fill front@1,1+2x2 freeze", TM_ERROR_NOT_FOUND, "the map has no layer 'front'");
}

TEST_GROUP(NULL, end_all)
