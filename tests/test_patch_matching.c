/* SPDX-License-Identifier: Zlib */
/*
 * What real versions of real maps did, in the small: everything renamed at once, envelopes with what was in memory beside their
 * points, many equal ones of which the unused went, images that became other files. Nothing of it is told as removed and added.
 */
#include "support/lib_patches.h"

typedef struct kinds {
    uint32_t added, removed, moved, fields, elements, tiles;
} kinds;

static kinds kinds_of(const tm_patch *patch)
{
    kinds counts = {0};
    tm_patch_change change;
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++) {
        counts.added += change.kind == TM_CHANGE_ADDED;
        counts.removed += change.kind == TM_CHANGE_REMOVED;
        counts.moved += change.kind == TM_CHANGE_MOVED;
        counts.fields += change.kind == TM_CHANGE_FIELD;
        counts.elements += change.kind == TM_CHANGE_ELEMENT;
        counts.tiles += change.kind == TM_CHANGE_TILES;
    }
    return counts;
}

/* What kinds of changes there are; both ways lead where they should, and say the same. */
static kinds changes_between(tm_map *a, tm_map *b)
{
    OWN(tm_patch) *onward = test_patch_between(a, b), *backward = test_patch_between(b, a);
    const kinds counts = kinds_of(onward), other = kinds_of(backward);
    test_patch_becomes(a, onward, b);
    test_patch_becomes(b, backward, a);
    assert_int_equal(counts.added, other.removed);
    assert_int_equal(counts.removed, other.added);
    assert_int_equal(counts.fields, other.fields);
    tm_map_free(a);
    tm_map_free(b);
    return counts;
}

/* infc_damascus: all groups and layers got other names, and a quad was moved. All of them used to be removed and added. */
TEST(all_names_at_once)
{
    tm_map *a = test_patch_map();
    tm_quad own_quads[3];
    tm_map_set_name(a->groups[0].layers[0].name, TM_NAME_SIZE, "Quads");
    tm_map_set_name(a->groups[2].name, TM_NAME_SIZE, "Front");
    tm_map_insert_layer(a, 2, 0, TM_LAYER_QUADS, 0, 0, NULL);
    tm_map_set_name(a->groups[2].layers[0].name, TM_NAME_SIZE, "Quads_2");
    tm_quad_init(&own_quads[0], 5 * 1024, 0, 32 * 1024, 32 * 1024);
    tm_map_set_quads(a, 2, 0, own_quads, 1, NULL);
    tm_map *b = test_map_clone(a);
    tm_map_set_name(b->groups[0].name, TM_NAME_SIZE, "static");
    tm_map_set_name(b->groups[0].layers[0].name, TM_NAME_SIZE, "sky");
    tm_map_set_name(b->groups[2].name, TM_NAME_SIZE, "stars");
    tm_map_set_name(b->groups[2].layers[0].name, TM_NAME_SIZE, "moon");
    const tm_quad *quads = test_quads(b, &b->groups[2].layers[0]);
    memcpy(own_quads, quads, sizeof(*own_quads));
    own_quads[0].points[0].x += 7;
    tm_map_set_quads(b, 2, 0, own_quads, 1, NULL);
    const kinds counts = changes_between(a, b);
    assert_int_equal(counts.added + counts.removed + counts.moved, 0);
    assert_int_equal(counts.fields, 4);
    assert_int_equal(counts.elements, 1);
}

/* infc_warehouse: layers of one name, all of which got another one, and each its quad moved. */
TEST(layers_of_one_name_renamed)
{
    enum { LAYERS = 5 };
    tm_map *a = test_patch_map();
    tm_quad quad;
    for (uint32_t l = 0; l < LAYERS; l++) {
        tm_map_insert_layer(a, 2, l, TM_LAYER_QUADS, 0, 0, NULL);
        tm_map_set_name(a->groups[2].layers[l].name, TM_NAME_SIZE, "objects");
        tm_quad_init(&quad, (int32_t)l * 1024, 0, 32 * 1024, 32 * 1024);
        tm_map_set_quads(a, 2, l, &quad, 1, NULL);
    }
    tm_map *b = test_map_clone(a);
    for (uint32_t l = 0; l < LAYERS; l++) {
        tm_map_set_name(b->groups[2].layers[l].name, TM_NAME_SIZE, "pipes");
        tm_quad_init(&quad, (int32_t)l * 1024, 9, 32 * 1024, 32 * 1024);
        tm_map_set_quads(b, 2, l, &quad, 1, NULL);
    }
    const kinds counts = changes_between(a, b);
    assert_int_equal(counts.added + counts.removed + counts.moved, 0);
    assert_int_equal(counts.fields, LAYERS);
    assert_int_equal(counts.elements, LAYERS);
}

/* BlmapChill: a layer went to a new group, got a name, and was drawn on. */
TEST(a_layer_renamed_and_moved_and_drawn_on)
{
    tm_map *a = test_patch_map();
    for (int32_t y = 0; y < TEST_PATCH_HEIGHT; y += 2)
        for (int32_t x = 0; x < TEST_PATCH_WIDTH; x += 3)
            tm_map_fill_tiles(a, 1, 1, &(tm_rect){x, y, 1, 1}, &(tm_tile){(uint8_t)(x + y), 0, 0, 0}, NULL);
    tm_map *b = test_map_clone(a);
    tm_map_insert(b, TM_KIND_GROUP, 1, NULL);
    tm_map_set_name(b->groups[1].name, TM_NAME_SIZE, "doodads");
    must(tm_map_move_layer(b, 2, 1, 1, 0, NULL));
    tm_map_set_name(b->groups[1].layers[0].name, TM_NAME_SIZE, "grass");
    tm_map_fill_tiles(b, 1, 0, &(tm_rect){1, 1, 4, 3}, &(tm_tile){99, 0, 0, 0}, NULL);
    const kinds counts = changes_between(a, b);
    assert_int_equal(counts.added, 1); /* the group */
    assert_int_equal(counts.removed, 0);
    assert_int_equal(counts.moved, 1);
    assert_int_equal(counts.fields, 1);
    assert_int_equal(counts.tiles, 1);
}

/*
 * infc_skull, Tutorial: another file of nearly the same name at the same place. Layers that use it have not changed. Two images of the
 * games that only stand at one place are two, though they have one size; they used to be told as one with another name.
 */
TEST(images_become_other_files)
{
    static const struct {
        const char *before, *after;
        bool same, used, external;
        int32_t width, height; /* before; they are 128 after */
    } names[] = {{"jungleMidground", "jungle_midground", true, true, true, 64, 64},
                 {"sgn_tees", "sgn_tees_2022_08", true, true, true, 64, 64},
                 {"mountains", "mud", true, true, true, 128, 128},
                 {"infection", "infclass", false, true, true, 64, 128},
                 {"desert_sun", "desertMain", false, true, true, 128, 64},
                 {"winter_main", "generic_deathtiles", false, false, true, 128, 128},
                 {"ab", "ab_other", false, true, false, 128, 128},
                 {"", "x", false, false, true, 64, 64}};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        tm_map *a = test_patch_map();
        tm_map_set_text(a, &a->images[1].name, names[i].before, NULL);
        a->images[1].width = names[i].width;
        a->images[1].height = names[i].height;
        a->images[1].external = true;
        a->groups[1].layers[1].as.tiles.image = 1;
        tm_map *b = test_map_clone(a);
        b->groups[1].layers[1].as.tiles.image = names[i].used ? 1 : TM_NONE;
        b->images[1].external = names[i].external;
        tm_map_set_text(b, &b->images[1].name, names[i].after, NULL);
        b->images[1].width = b->images[1].height = 128;
        const kinds counts = changes_between(a, b);
        assert_int_equal(counts.added, !names[i].same);
        assert_int_equal(counts.removed, !names[i].same);
    }
}

static void set_envelope(tm_map *map, uint32_t index, int32_t channels, int32_t value)
{
    const tm_envelope_point points[2] = {
        {.time = 0, .curve = TM_CURVE_LINEAR, .values = {value, 0, 0, 0}},
        {.time = 900, .curve = TM_CURVE_LINEAR, .values = {value + 1, 5, 6, 0}}};
    map->envelopes[index].channels = channels;
    must(tm_map_set_points(map, index, points, 2, NULL));
}

/* dm8: the editor of 0.7 left 0xcdcdcdcd in the fourth channel of positions, and later versions did not. */
TEST(what_no_game_reads_of_points_does_not_count)
{
    tm_map *a = test_patch_map();
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            tm_map_insert(a, TM_KIND_ENVELOPE, i, NULL);
        set_envelope(a, i, TM_ENVELOPE_POSITION, 100 * (int32_t)i);
    }
    tm_map *b = test_map_clone(a);
    must(tm_map_remove(b, TM_KIND_ENVELOPE, 0, NULL));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 2; k++)
            b->envelopes[i].points[k].values[3] = b->envelopes[i].points[k].out_dx[1] = -842150451;
    const kinds counts = changes_between(a, b);
    assert_int_equal(counts.removed, 1);
    assert_int_equal(counts.elements,
                     6); /* told, for it is another map, but nothing is taken for another envelope */
}

/* dm3, dm8: of many equal envelopes the unused ones were removed; 297 quads were told to have got another one. */
TEST(the_used_one_of_equal_envelopes_stays)
{
    enum { ENVELOPES = 9, USED = 6 };
    tm_quad own_quads[3];
    tm_map *a = test_patch_map();
    for (uint32_t i = 1; i < ENVELOPES; i++)
        tm_map_insert(a, TM_KIND_ENVELOPE, i, NULL);
    for (uint32_t i = 0; i < ENVELOPES; i++)
        set_envelope(a, i, TM_ENVELOPE_COLOR, 100);
    const tm_quad *quads = test_quads(a, &a->groups[0].layers[0]);
    memcpy(own_quads, quads, sizeof(own_quads));
    own_quads[0].color_envelope = own_quads[1].color_envelope = USED;
    own_quads[2].color_envelope = USED + 1;
    tm_map_set_quads(a, 0, 0, own_quads, 3, NULL);
    tm_map *b = test_map_clone(a);
    for (uint32_t i = ENVELOPES; i-- > 0;)
        if (i != USED && i != USED + 1)
            must(tm_map_remove(b, TM_KIND_ENVELOPE, i, NULL));
    const kinds counts = changes_between(a, b);
    assert_int_equal(counts.removed, ENVELOPES - 2);
    assert_int_equal(counts.added + counts.moved + counts.fields + counts.elements, 0);
}
