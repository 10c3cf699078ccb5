/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are built from nothing, for each game: they load in strict mode without an error and are equal, their items have
 * the versions and lengths that the game writes (docs/format.md section 2.0), their data stand in the games' order, and what a
 * game cannot hold is a finding.
 */
#include "support/test.h"
#include "games/games.h"

static tm_buffer save_everything(tm_game game, tm_findings *findings)
{
    OWN(tm_map) *map = test_map_everything(game);
    return test_map_save(map, findings);
}

/* ------------------------------------------------------------------------------------------------------ there and back */

TEST(each_game_loads_its_new_map)
{
    for (int game = 0; game < TM_GAME_COUNT; game++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_map) *map = test_map_everything((tm_game)game);
        OWN(tm_buffer) file = test_map_save(map, &findings);
        OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_STRICT, &findings);
        assert_int_equal(reloaded->game, game);
        assert_true(test_map_same(map, reloaded));
        must(tm_mapfile_check_data(reloaded, NULL, &findings, NULL));
        if (findings.num) {
            test_print_findings(&findings);
            fail();
        }
        OWN(tm_buffer) second = test_map_save(reloaded, &findings),
                       anew = test_map_rewrite(reloaded, &findings);
        assert_true(test_buffer_same(&file, &second));
        assert_true(test_buffer_same(&file, &anew));
        assert_int_equal(findings.num, 0);
    }
}

/* The smallest map: nothing in it. */
TEST(an_empty_map_has_its_two_items)
{
    for (int game = 0; game < TM_GAME_COUNT; game++) {
        const tm_map_options options = {sizeof(options), (tm_game)game, NULL, NULL};
        OWN(tm_map) *map;
        must(tm_map_new(&map, &options, NULL));
        OWN(tm_buffer) file = test_map_save(map, NULL);
        OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
        assert_int_equal(tm_datafile_num_items(tm_mapfile_datafile(reloaded)), 3); /* version, info, points */
        assert_int_equal(tm_datafile_num_data(tm_mapfile_datafile(reloaded)), 0);
        reloaded->game = map->game; /* nothing tells 0.7 from 0.6 here */
        assert_true(test_map_same(map, reloaded));
    }
}

/* ---------------------------------------------------------------------------------------------- versions and lengths */

/* A kind of item as a game writes it: its int `version_at` and its length. Layers are told apart by type and flags. */
typedef struct item_form {
    int type, layer_type, flags;
    uint32_t version_at;
    int32_t version;
    uint32_t ints, num;
} item_form;

enum { TILES = 2, QUADS = 3, SOUNDS = 10, NO = 0, UUIDS = 0x10000 };

static const item_form ddnet[] = {
    {TM_ITEM_VERSION, NO, NO, 0, 1, 1, 1},
    {TM_ITEM_INFO, NO, NO, 0, 1, 6, 1},
    {TM_ITEM_IMAGE, NO, NO, 0, 1, 6, 2},
    {TM_ITEM_ENVELOPE, NO, NO, 0, 2, 13, 3},
    {TM_ITEM_GROUP, NO, NO, 0, 3, 15, 2},
    {TM_ITEM_LAYER, TILES, 0, 3, 3, 23, 2},
    {TM_ITEM_LAYER, TILES, 1, 3, 3, 23, 1},
    {TM_ITEM_LAYER, TILES, 2, 3, 3, 23, 1},
    {TM_ITEM_LAYER, TILES, 4, 3, 3, 23, 1},
    {TM_ITEM_LAYER, TILES, 8, 3, 3, 23, 1},
    {TM_ITEM_LAYER, TILES, 16, 3, 3, 23, 1},
    {TM_ITEM_LAYER, TILES, 32, 3, 3, 23, 1},
    {TM_ITEM_LAYER, QUADS, 0, 3, 2, 10, 2},
    {TM_ITEM_LAYER, SOUNDS, 0, 3, 2, 10, 2},
    {TM_ITEM_ENVELOPE_POINTS, NO, NO, 0, 0, 9 * 6, 1},
    {TM_ITEM_SOUND, NO, NO, 0, 1, 5, 2},
    {UUIDS + TM_UUID_AUTOMAPPER, NO, NO, 0, 1, 6, 2},
    {UUIDS + TM_UUID_BEZIER, NO, NO, 0, 0, 9 * 16, 1},
    {TM_TYPE_UUID_INDEX, NO, NO, 0, 0, 4, 2},
};

static const item_form teeworlds06[] = {
    {TM_ITEM_VERSION, NO, NO, 0, 1, 1, 1},
    {TM_ITEM_INFO, NO, NO, 0, 1, 5, 1},
    {TM_ITEM_IMAGE, NO, NO, 0, 2, 7, 2},
    {TM_ITEM_ENVELOPE, NO, NO, 0, 2, 13, 3},
    {TM_ITEM_GROUP, NO, NO, 0, 3, 15, 2},
    {TM_ITEM_LAYER, TILES, 0, 3, 3, 18, 2},
    {TM_ITEM_LAYER, TILES, 1, 3, 3, 18, 1},
    {TM_ITEM_LAYER, QUADS, 0, 3, 2, 10, 2},
    {TM_ITEM_ENVELOPE_POINTS, NO, NO, 0, 0, 9 * 6, 1},
};

static const item_form teeworlds07[] = {
    {TM_ITEM_VERSION, NO, NO, 0, 1, 1, 1},
    {TM_ITEM_INFO, NO, NO, 0, 1, 5, 1},
    {TM_ITEM_IMAGE, NO, NO, 0, 2, 7, 2},
    {TM_ITEM_ENVELOPE, NO, NO, 0, 3, 13, 3},
    {TM_ITEM_GROUP, NO, NO, 0, 3, 15, 2},
    {TM_ITEM_LAYER, TILES, 0, 3, 4, 18, 2},
    {TM_ITEM_LAYER, TILES, 1, 3, 4, 18, 1},
    {TM_ITEM_LAYER, QUADS, 0, 3, 2, 10, 2},
    {TM_ITEM_ENVELOPE_POINTS, NO, NO, 0, 0, 9 * 22, 1},
};

static bool fits(const tm_datafile *datafile, const tm_datafile_item *item, const item_form *form)
{
    tm_datafile_type type;
    if (form->type >= UUIDS) {
        tm_datafile_find_uuid(&type, datafile, tmi_game_uuid((tm_uuid_item)(form->type - UUIDS)));
        if (type.type != item->type || !type.has_uuid)
            return false;
    } else if (form->type != item->type) {
        return false;
    }
    if (form->layer_type && tm_datafile_item_int(item, 1, 0) != form->layer_type)
        return false;
    return form->layer_type != TILES || tm_datafile_item_int(item, 6, -1) == form->flags;
}

static void check_forms(tm_game game, const item_form *forms, size_t num)
{
    OWN(tm_buffer) file = save_everything(game, NULL);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    const tm_datafile *datafile = tm_mapfile_datafile(map);
    uint32_t total = 0;
    for (size_t i = 0; i < num; i++) {
        tm_datafile_item item;
        uint32_t found = 0;
        for (uint32_t k = 0; tm_datafile_get_item(&item, datafile, k); k++) {
            if (!fits(datafile, &item, &forms[i]))
                continue;
            found++;
            if (item.size != forms[i].ints * 4 ||
                (forms[i].version && tm_datafile_item_int(&item, forms[i].version_at, 0) != forms[i].version))
                fail_msg("%s: type %d: %u integers, version %d", tm_game_name(game), forms[i].type,
                         (unsigned)item.size / 4, (int)tm_datafile_item_int(&item, forms[i].version_at, 0));
        }
        if (found != forms[i].num)
            fail_msg("%s: type %d: %u items, not %u", tm_game_name(game), forms[i].type, (unsigned)found,
                     (unsigned)forms[i].num);
        total += found;
    }
    assert_int_equal(total, tm_datafile_num_items(datafile)); /* and nothing else */
}

TEST(items_are_as_each_game_writes_them)
{
    check_forms(TM_GAME_DDNET, ddnet, sizeof(ddnet) / sizeof(ddnet[0]));
    check_forms(TM_GAME_TEEWORLDS06, teeworlds06, sizeof(teeworlds06) / sizeof(teeworlds06[0]));
    check_forms(TM_GAME_TEEWORLDS07, teeworlds07, sizeof(teeworlds07) / sizeof(teeworlds07[0]));
}

/* Teeworlds 0.7 writes the long points only if any of them is bezier. */
TEST(points_are_short_without_bezier)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_TEEWORLDS07);
    for (uint32_t e = 0; e < map->num_envelopes; e++) {
        for (uint32_t p = 0; p < map->envelopes[e].num_points; p++) {
            const tm_envelope_point old = map->envelopes[e].points[p];
            map->envelopes[e].points[p] = (tm_envelope_point){.time = old.time};
        }
    }
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_STRICT, NULL);
    tm_datafile_type type;
    tm_datafile_item item;
    assert_true(tm_datafile_find_type(&type, tm_mapfile_datafile(reloaded), TM_ITEM_ENVELOPE_POINTS));
    assert_true(tm_datafile_get_item(&item, tm_mapfile_datafile(reloaded), type.first));
    assert_int_equal(item.size, 9 * 6 * 4);
    assert_true(tm_datafile_find_type(&type, tm_mapfile_datafile(reloaded), TM_ITEM_ENVELOPE));
    assert_true(tm_datafile_get_item(&item, tm_mapfile_datafile(reloaded), type.first));
    assert_int_equal(tm_datafile_item_int(&item, 0, 0), 2);
    assert_true(test_map_same(map, reloaded));
}

/* Indices that a DDNet layer does not own are -1, the array for vanilla is there and zero. */
TEST(physics_layers_are_as_ddnet_writes_them)
{
    OWN(tm_buffer) file = save_everything(TM_GAME_DDNET, NULL);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    uint32_t seen = 0;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            const tm_layer_info *rule = tm_game_layer(layer->kind);
            tm_datafile_item item;
            const void *bytes;
            static const uint8_t zeros[6 * 5 * 4];
            if (!rule->is_tiles)
                continue;
            tm_datafile_get_item(&item, tm_mapfile_datafile(map), layer->origin.item);
            for (uint32_t i = 0; i < 5; i++) {
                const bool own = rule->tile_flags == 2 << i;
                assert_int_equal(tm_datafile_item_int(&item, 18 + i, 7) != -1, own);
                if (own)
                    assert_int_equal(tm_datafile_item_int(&item, 14, 7),
                                     tm_datafile_item_int(&item, 18 + i, 7) - 1);
            }
            assert_string_equal(layer->name, rule->is_physics ? rule->title : "");
            if (!layer->as.tiles.compat)
                continue;
            assert_int_equal(tm_block_get_info(layer->as.tiles.compat).size, sizeof(zeros));
            must(tm_map_data(&bytes, NULL, map, layer->as.tiles.compat, NULL));
            assert_memory_equal(bytes, zeros, sizeof(zeros));
            seen++;
        }
    }
    assert_int_equal(seen, 5);
}

static const void *block(const tm_map *map, uint32_t index, uint64_t *size)
{
    const void *bytes;
    tm_datafile_data data;
    assert_true(tm_datafile_get_data(&data, tm_mapfile_datafile(map), index));
    must(tm_datafile_data_bytes(&bytes, NULL, tm_mapfile_datafile(map), index, NULL));
    *size = data.size;
    return bytes;
}

TEST(data_stand_in_the_games_order)
{
    static const char *const texts[] = {"Anna",   "1.2", "K\xC3\xA4se", "CC0",  "sv_deepfly 0",
                                        "own",    NULL,  "grass_main",  "wind", "OggS not really",
                                        "outside"};
    /* sizes of the layers' data: tele, speedup, front, switch, tune each behind the array for vanilla, sounds twice, then quads,
       design, game, design, and the dummy of the quads that are none */
    static const uint32_t sizes[] = {120, 60, 120, 180, 120, 120, 120, 120, 120,
                                     60,  52, 52,  304, 120, 120, 120, 152};
    const uint32_t num_texts = sizeof(texts) / sizeof(texts[0]);
    OWN(tm_buffer) file = save_everything(TM_GAME_DDNET, NULL);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    uint64_t size;
    for (uint32_t i = 0; i < num_texts; i++) {
        const char *bytes = block(map, i, &size);
        if (texts[i] && strncmp(bytes, texts[i], strlen(texts[i])) != 0)
            fail_msg("block %u is not '%s'", (unsigned)i, texts[i]);
        if (!texts[i])
            assert_int_equal(size, 16); /* pixels */
    }
    for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        block(map, num_texts + i, &size);
        if (size != sizes[i])
            fail_msg("block %u of the layers has %u bytes, not %u", (unsigned)i, (unsigned)size,
                     (unsigned)sizes[i]);
    }
    assert_int_equal(tm_datafile_num_data(tm_mapfile_datafile(map)),
                     num_texts + sizeof(sizes) / sizeof(sizes[0]));
}

static uint32_t count(const tm_findings *findings, tm_finding_id id)
{
    uint32_t num = 0;
    for (size_t i = 0; i < findings->num; i++)
        num += findings->list[i].id == id ? (uint32_t)findings->list[i].count : 0;
    return num;
}

TEST(what_a_game_cannot_hold_is_said)
{
    for (int game = TM_GAME_TEEWORLDS06; game <= TM_GAME_TEEWORLDS07; game++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
        map->game = (tm_game)game;
        map->groups[0].has_parallax_zoom = true;
        OWN(tm_buffer) file = test_map_save(map, &findings);
        assert_int_equal(count(&findings, TM_FINDING_LOST_LAYER), 7); /* five physics layers, two of sounds */
        assert_int_equal(count(&findings, TM_FINDING_LOST_SOUND), 2);
        assert_int_equal(count(&findings, TM_FINDING_LOST_SETTINGS), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_AUTOMAPPER), 2);
        assert_int_equal(count(&findings, TM_FINDING_LOST_FIELD), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_CURVE), game == TM_GAME_TEEWORLDS06 ? 1 : 0);
        for (size_t i = 0; i < findings.num; i++) { /* each says which game, and the place has its name */
            const char *name = tm_game_name((tm_game)game);
            assert_int_equal(strncmp(findings.list[i].text, name, strlen(name)), 0);
            assert_true(findings.list[i].text[strlen(name)] == ' ');
            assert_true(findings.list[i].id != TM_FINDING_LOST_CURVE ||
                        strncmp(findings.list[i].place, "envelope ", 9) == 0);
        }
        OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_STRICT, NULL);
        assert_int_equal(reloaded->game, game);
        assert_int_equal(reloaded->num_sounds, 0);
        assert_int_equal(reloaded->groups[1].num_layers, 5);
    }
}

/* New parts in an old map of a game that has no place for them are not slipped in. */
TEST(old_maps_do_not_change_their_game)
{
    static const char *const setting = "sv_x 1";
    for (int game = TM_GAME_TEEWORLDS06; game <= TM_GAME_TEEWORLDS07; game++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_buffer) file = save_everything((tm_game)game, NULL);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        uint32_t group, layer;
        assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES));
        map->groups[group].layers[layer].as.tiles.automapper.present = true;
        map->groups[0].has_parallax_zoom = true;
        must(tm_map_set_settings(map, &setting, 1, NULL));
        must(tm_map_insert(map, TM_KIND_SOUND, 0, NULL));
        must(tm_map_insert_layer(map, 1, 0, TM_LAYER_TUNE, 6, 5, NULL));
        OWN(tm_buffer) saved = test_map_save(map, &findings);
        assert_true(test_buffer_same(&file, &saved));
        assert_int_equal(count(&findings, TM_FINDING_LOST_LAYER), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_SOUND), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_SETTINGS), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_AUTOMAPPER), 1);
        assert_int_equal(count(&findings, TM_FINDING_LOST_FIELD), 1);
    }
}

/* What is beside the model does not survive rewriting, and that is said. */
TEST(rewriting_says_which_items_are_left_out)
{
    OWN(tm_findings) findings = test_findings();
    struct test_maker maker = test_maker_begin();
    TEST_ITEM(&maker, 9, 0, 1, 2, 3);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    OWN(tm_buffer) saved = test_map_rewrite(map, &findings);
    assert_int_equal(count(&findings, TM_FINDING_LOST_ITEM), 1);
    assert_string_equal(findings.list[0].address, "item/4");
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_STRICT, NULL);
    assert_true(test_map_same(map, reloaded));
}

/* The first int of such a name is -1, which means none. It was gone without a word. */
TEST(an_envelope_name_of_7f_is_said_to_be_lost)
{
    static const char *const names[] = {"\x7f\x7f\x7f\x7f", "\x7f\x7f\x7f\x7fwind", "\x7f\x7f\x7fwind", ""};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const uint32_t lost = i < 2;
        for (int rewrite = 0; rewrite < 2; rewrite++) {
            OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
            OWN(tm_findings) findings = test_findings();
            tm_map_set_name(map->envelopes[1].name, TM_ENVELOPE_NAME_SIZE, names[i]);
            OWN(tm_buffer) file = rewrite ? test_map_rewrite(map, &findings) : test_map_save(map, &findings);
            assert_int_equal(count(&findings, TM_FINDING_LOST_FIELD), lost);
            assert_int_equal(findings.num, lost);
            if (lost)
                assert_string_equal(findings.list[0].address, "envelope/1");
            OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_STRICT, NULL);
            assert_string_equal(reloaded->envelopes[1].name, lost ? "" : names[i]);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- misuse */

/* A map that was written to wrongly is not saved at all. */
TEST(what_breaks_the_rules_is_not_saved)
{
    for (int i = 0; i < 4; i++) {
        OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
        uint32_t group, layer;
        assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS));
        tm_layer *quads = &map->groups[group].layers[layer];
        OWN(tm_buffer) file = {NULL, 0, 0, NULL};
        tm_output output = tm_output_to_buffer(&file);
        tm_error error;
        switch (i) {
        case 0: quads->as.quads.image = 2; break;
        case 1: quads->as.quads.num_quads = 3; break;
        case 2: memset(map->groups[0].name, 'x', TM_NAME_SIZE); break;
        default: map->game = TM_GAME_COUNT;
        }
        assert_int_equal(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), TM_ERROR_USAGE);
        assert_int_equal(error.code, TM_ERROR_USAGE);
        assert_int_equal(file.size, 0);
    }
}
