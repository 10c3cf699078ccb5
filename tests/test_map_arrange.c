/* SPDX-License-Identifier: Zlib */
/*
 * Inserting, removing, moving and duplicating, case by case: default values, where things end up, what
 * becomes of references, which data are touched, what is refused. Random sequences of the same are in
 * test_map_changes.c.
 */
#include "map/map.h"
#include "support/fake_file.h"
#include "support/test.h"

static struct fake_file file;
static tm_map *map;

static void make_map(void)
{
    map = fake_file_map(&file, NULL);
}

static void drop_map(void)
{
    tm_status status = tm_map_verify(map, NULL);
    tm_map_free(map);
    assert_true(status == TM_OK && file.freed);
}

static tm_layer *layer_at(uint32_t group, uint32_t index)
{
    return &map->groups[group].layers[index];
}

static tm_quad quad_at(uint32_t index)
{
    const void *bytes;
    must(tm_map_data(&bytes, NULL, map, layer_at(0, 5)->as.quads.quads, NULL));
    return ((const tm_quad *)bytes)[index];
}

static void assert_quads(int32_t p0, int32_t c0, int32_t p1, int32_t c1, int32_t p2, int32_t c2)
{
    const int32_t expected[6] = {p0, c0, p1, c1, p2, c2};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(quad_at(i).position_envelope, expected[(size_t)2 * i]);
        assert_int_equal(quad_at(i).color_envelope, expected[(size_t)2 * i + 1]);
    }
}

static bool quads_changed(void)
{
    return tm_block_get_info(layer_at(0, 5)->as.quads.quads).changed;
}

static bool quads_unpacked(void)
{
    return tm_block_get_info(layer_at(0, 5)->as.quads.quads).unpacked;
}

/* ----------------------------------------------------------------------------------------- default values */

TEST(new_objects_have_defaults)
{
    must(tm_map_insert(map, TM_KIND_IMAGE, 1, NULL));
    tm_image *image = &map->images[1];
    assert_true(image->external && !image->name && !image->pixels && image->width == 0 &&
                !image->origin.file);
    must(tm_map_insert(map, TM_KIND_SOUND, 2, NULL));
    tm_sound *sound = &map->sounds[2];
    assert_true(sound->external && !sound->name && !sound->data);
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 3, NULL));
    tm_envelope *envelope = &map->envelopes[3];
    assert_true(envelope->channels == TM_ENVELOPE_POSITION && envelope->synchronized &&
                envelope->num_points == 0);
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    tm_group *group = &map->groups[0];
    assert_true(group->parallax_x == 100 && group->parallax_y == 100 && !group->use_clipping &&
                !group->num_layers);
    assert_string_equal(map->groups[1].name, "Game");
}

TEST(new_layers_have_defaults)
{
    static const struct {
        tm_layer_kind kind;
        const char *ddnet, *vanilla;
        bool compat;
    } rows[] = {
        {TM_LAYER_TILES, "", "Tiles", false},     {TM_LAYER_GAME, "Game", "Game", false},
        {TM_LAYER_TELE, "Tele", "Tele", true},    {TM_LAYER_SPEEDUP, "Speedup", "Speedup", true},
        {TM_LAYER_FRONT, "Front", "Front", true}, {TM_LAYER_SWITCH, "Switch", "Switch", true},
        {TM_LAYER_TUNE, "Tune", "Tune", true},    {TM_LAYER_QUADS, "", "Quads", false},
        {TM_LAYER_SOUNDS, "", "", false},
    };
    for (size_t i = 0; i < 2 * TMI_COUNT_OF(rows); i++) {
        const tm_layer_kind kind = rows[i / 2].kind;
        map->game = i & 1 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET;
        must(tm_map_insert_layer(map, 1, 0, kind, 5, 7, NULL));
        const tm_layer *layer = layer_at(1, 0);
        assert_int_equal(layer->kind, kind);
        assert_string_equal(layer->name, i & 1 ? rows[i / 2].vanilla : rows[i / 2].ddnet);
        assert_false(layer->detail || layer->origin.file || layer->user);
        if (!tm_game_layer(kind)->is_tiles) {
            assert_null(layer->as.quads.quads);
            assert_int_equal(kind == TM_LAYER_QUADS ? layer->as.quads.image : layer->as.sounds.sound,
                             TM_NONE);
            continue;
        }
        const tm_tile_layer *tiles = &layer->as.tiles;
        assert_true(tiles->width == 5 && tiles->height == 7 && tiles->image == TM_NONE);
        assert_true(tiles->color_envelope == TM_NONE && tiles->color.r == 255 && tiles->color.a == 255);
        assert_int_equal(tm_block_get_info(tiles->tiles).size, 35 * tm_game_layer(kind)->element_size);
        assert_true(tm_block_get_info(tiles->tiles).changed);
        assert_int_equal(tm_block_get_info(tiles->compat).size, rows[i / 2].compat ? 35 * 4 : 0);
        assert_false(tiles->automapper.present);
    }
}

TEST(references_follow_insertion)
{
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 1, NULL));
    assert_int_equal(layer_at(1, 0)->as.tiles.color_envelope, 2);
    /* What led nowhere must not lead to the new one. */
    assert_quads(0, 2, 3, TM_NONE, TM_NONE, TM_NONE);
    assert_true(quads_changed());
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    assert_int_equal(layer_at(1, 0)->as.tiles.image, 1);
    assert_int_equal(layer_at(0, 5)->as.quads.image, 2);
    assert_int_equal(layer_at(0, 0)->as.tiles.image, TM_NONE);
    must(tm_map_insert(map, TM_KIND_SOUND, 2, NULL));
    assert_int_equal(layer_at(0, 6)->as.sounds.sound, 1);
    must(tm_map_insert(map, TM_KIND_SOUND, 1, NULL));
    assert_int_equal(layer_at(0, 7)->as.sounds.sound, 2);
}

TEST(references_follow_removal)
{
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 1, NULL));
    assert_int_equal(map->num_envelopes, 2);
    assert_int_equal(layer_at(1, 0)->as.tiles.color_envelope, TM_NONE);
    assert_quads(0, TM_NONE, 1, TM_NONE, 3, 1000000); /* what leads nowhere stays as it was */
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    assert_int_equal(layer_at(1, 0)->as.tiles.image, TM_NONE);
    assert_int_equal(layer_at(0, 5)->as.quads.image, 0);
    must(tm_map_remove(map, TM_KIND_SOUND, 1, NULL));
    assert_int_equal(layer_at(0, 6)->as.sounds.sound, TM_NONE);
}

TEST(references_follow_moves)
{
    tm_envelope_point *points = map->envelopes[0].points;
    must(tm_map_move(map, TM_KIND_ENVELOPE, 0, 2, NULL)); /* 0 1 2 becomes 1 2 0 */
    assert_ptr_equal(map->envelopes[2].points, points);
    assert_int_equal(layer_at(1, 0)->as.tiles.color_envelope, 0);
    assert_quads(2, 0, 1, TM_NONE, 3, 1000000);
    must(tm_map_move(map, TM_KIND_ENVELOPE, 2, 1, NULL));
    assert_quads(1, 0, 2, TM_NONE, 3, 1000000);
    must(tm_map_move(map, TM_KIND_IMAGE, 1, 0, NULL));
    assert_string_equal(map->images[0].name, "own");
    assert_int_equal(layer_at(1, 0)->as.tiles.image, 1);
    assert_int_equal(layer_at(0, 5)->as.quads.image, 0);
    const tm_old_source *old;
    const void *bytes;
    must(tm_map_data(&bytes, NULL, map, layer_at(0, 7)->as.sounds.sources, NULL));
    old = bytes;
    assert_true(old->position_envelope == 2 && old->sound_envelope == 7);
}

/* Only what must change is unpacked for good, and only what an index changes in counts as changed. */
TEST(data_without_changes_stay_packed)
{
    must(tm_map_move(map, TM_KIND_ENVELOPE, 1, 1, NULL));
    assert_int_equal(atomic_load(&file.num_reads), 0);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_remove(map, TM_KIND_SOUND, 0, NULL));
    must(tm_map_move(map, TM_KIND_GROUP, 0, 1, NULL));
    must(tm_map_move(map, TM_KIND_GROUP, 0, 1, NULL));
    assert_int_equal(atomic_load(&file.num_reads), 0);
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 0, NULL));
    assert_true(quads_changed());
    /*
     * Sources of type 10 have 1, 2 and nothing; of type 9 they have 2 and 7. All changed. Another removal, of
     * the last:
     */
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 2, NULL));
    must(tm_map_duplicate_layer(map, 0, 5, 0, 0, NULL));
    tm_map_free(map);

    map = fake_file_map(&file, NULL);
    tm_quad quads[1] = {{.position_envelope = 0, .color_envelope = TM_NONE}};
    tm_block *sources = layer_at(0, 6)->as.sounds.sources;
    tmi_block_free(map, layer_at(0, 5)->as.quads.quads);
    layer_at(0, 5)->as.quads.quads = fake_file_block(&file, map, TMI_ENCODING_INTS, quads, sizeof(quads));
    layer_at(0, 5)->as.quads.num_quads = 1;
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 2, NULL));
    assert_false(quads_changed() || quads_unpacked());
    assert_true(tm_block_get_info(sources).changed);
    /* What the caller has unpacked stays so: pointers into it are still good. */
    assert_int_equal(quad_at(0).position_envelope, 0);
    const void *held, *second;
    must(tm_map_data(&held, NULL, map, layer_at(0, 5)->as.quads.quads, NULL));
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 1, NULL));
    assert_true(quads_unpacked() && !quads_changed());
    must(tm_map_data(&second, NULL, map, layer_at(0, 5)->as.quads.quads, NULL));
    assert_ptr_equal(held, second);
}

TEST(data_that_cannot_be_read_stop_the_change)
{
    tm_error error;
    file.fail_with = TM_ERROR_DAMAGED;
    file.fail_block = layer_at(0, 6)->as.sounds.sources->data_index;
    assert_int_equal(tm_map_remove(map, TM_KIND_ENVELOPE, 0, &error), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "group 0, layer 6");
    assert_int_equal(map->num_envelopes, 3);
    assert_quads(0, 1, 2, TM_NONE, 3, 1000000);
    assert_false(quads_changed());
    assert_int_equal(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_map_duplicate(map, TM_KIND_ENVELOPE, 0, 0, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_map_move(map, TM_KIND_ENVELOPE, 0, 1, NULL), TM_ERROR_DAMAGED);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    file.fail_with = TM_OK;
}

TEST(duplicates_keep_their_origin)
{
    int mark;
    map->groups[0].origin = (tm_origin){&file.base, 11};
    map->groups[0].extra = (tm_origin){&file.base, 12};
    layer_at(0, 5)->origin = (tm_origin){&file.base, 13};
    map->groups[0].user = &mark;
    must(tm_map_duplicate(map, TM_KIND_GROUP, 0, 1, NULL));
    const tm_group *copy = &map->groups[1];
    assert_int_equal(map->num_groups, 3);
    assert_string_equal(copy->name, "Game");
    assert_int_equal(copy->num_layers, 10);
    assert_true(copy->origin.item == 11 && copy->extra.item == 12 && copy->user == &mark);
    assert_int_equal(copy->layers[5].origin.item, 13);
    assert_true(copy->layers[5].as.quads.quads->copied);
    assert_ptr_not_equal(copy->layers[5].as.quads.quads, layer_at(0, 5)->as.quads.quads);
    assert_int_equal(copy->layers[5].as.quads.image, 1);
    assert_int_equal(atomic_load(&file.num_reads), 0);
    must(tm_map_duplicate(map, TM_KIND_ENVELOPE, 0, 1, NULL));
    assert_ptr_not_equal(map->envelopes[0].points, map->envelopes[1].points);
    assert_int_equal(map->envelopes[1].num_points, 2);
    assert_int_equal(layer_at(0, 6)->as.sounds.sound, 1);
    assert_quads(0, 2, 3, TM_NONE, TM_NONE, TM_NONE); /* the original is still meant */
    must(tm_map_duplicate(map, TM_KIND_IMAGE, 1, 1, NULL));
    assert_ptr_equal(map->images[1].name, map->images[2].name);
    assert_int_equal(layer_at(0, 5)->as.quads.image, 2);
}

TEST(layers_move_and_duplicate)
{
    tm_block *tele = layer_at(0, 1)->as.tiles.tiles;
    must(tm_map_move_layer(map, 0, 1, 1, 2, NULL));
    assert_true(map->groups[0].num_layers == 9 && map->groups[1].num_layers == 3);
    assert_ptr_equal(layer_at(1, 2)->as.tiles.tiles, tele);
    assert_int_equal(layer_at(0, 1)->kind, TM_LAYER_SPEEDUP);
    must(tm_map_move_layer(map, 1, 2, 1, 0, NULL));
    assert_ptr_equal(layer_at(1, 0)->as.tiles.tiles, tele);
    must(tm_map_duplicate_layer(map, 1, 0, 0, 9, NULL));
    assert_int_equal(layer_at(0, 9)->kind, TM_LAYER_TELE);
    assert_true(layer_at(0, 9)->as.tiles.tiles->copied && layer_at(0, 9)->as.tiles.compat->copied);
    must(tm_map_remove_layer(map, 1, 0, NULL));
    assert_int_equal(layer_at(1, 0)->kind, TM_LAYER_TILES);
    must(tm_map_remove_layer(map, 1, 1, NULL));
    must(tm_map_remove_layer(map, 1, 0, NULL));
    assert_int_equal(map->groups[1].num_layers, 0);
    assert_null(map->groups[1].layers);
    assert_int_equal(atomic_load(&file.num_reads), 0);
}

TEST(what_is_imported_does_not_have_what_the_caller_knows_the_original_by)
{
    int marks[3];
    map->images[1].user = &marks[0];
    map->groups[0].user = &marks[1];
    layer_at(0, 5)->user = &marks[2];
    tm_map *other = NULL;
    must(tm_map_new(&other, NULL, NULL));
    must(tm_map_import(NULL, other, TM_KIND_GROUP, 0, map, 0, NULL, NULL));
    must(tm_map_import(NULL, other, TM_KIND_IMAGE, 0, map, 1, NULL, NULL));
    assert_null(other->groups[0].user);
    assert_null(other->groups[0].layers[5].user);
    assert_null(other->images[0].user);
    tm_map_free(other);
    assert_ptr_equal(layer_at(0, 5)->user, &marks[2]);
}

TEST(wrong_indices_are_refused)
{
    tm_error error;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++) {
        const uint32_t num = object == TM_KIND_ENVELOPE ? 3 : 2;
        assert_int_equal(tm_map_insert(map, object, num + 1, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_map_remove(map, object, num, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_map_move(map, object, num, 0, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_map_move(map, object, 0, num, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_map_duplicate(map, object, num, 0, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_map_duplicate(map, object, 0, num + 1, NULL), TM_ERROR_USAGE);
    }
    fails_with(TM_ERROR_USAGE, "envelope 3 does not exist, the map has 3",
               tm_map_remove(map, TM_KIND_ENVELOPE, 3, &error));
    assert_int_equal(tm_map_insert(map, TM_KIND_LAYER, 0, NULL), TM_ERROR_USAGE);
    fails_with(TM_ERROR_USAGE,
               "a map has lists of images, sounds, envelopes and groups, and none of the kind 'settings'",
               tm_map_insert(map, TM_KIND_SETTINGS, 0, &error));
    fails_with(TM_ERROR_USAGE, "there is no kind of object 22", tm_map_remove(map, TM_KINDS, 0, &error));
    assert_int_equal(tm_map_insert_layer(map, 2, 0, TM_LAYER_QUADS, 0, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 3, TM_LAYER_QUADS, 0, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, TM_LAYER_UNKNOWN, 1, 1, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, TM_LAYER_OLD_SOUNDS, 1, 1, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, (tm_layer_kind)-1, 1, 1, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, TM_LAYER_TILES, 0, 1, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, TM_LAYER_TILES, UINT32_MAX, UINT32_MAX, NULL),
                     TM_ERROR_LIMIT);
    assert_int_equal(tm_map_insert_layer(map, 1, 0, TM_LAYER_TILES, INT32_MAX, INT32_MAX, NULL),
                     TM_ERROR_LIMIT);
    assert_int_equal(tm_map_remove_layer(map, 0, 10, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_remove_layer(map, 2, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_move_layer(map, 0, 0, 0, 10, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_move_layer(map, 0, 0, 1, 3, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_move_layer(map, 0, 0, 2, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_duplicate_layer(map, 1, 2, 0, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_duplicate_layer(map, 1, 0, 0, 11, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_quads(map, 0, 0, NULL, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_sources(map, 0, 7, NULL, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_sound(map, 0, "", 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_points(map, 3, NULL, 0, NULL), TM_ERROR_USAGE);
}

TEST_EACH(make_map, drop_map)
