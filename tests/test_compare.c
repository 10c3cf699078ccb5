/* SPDX-License-Identifier: Zlib */
/*
 * What the comparison of two maps reports: every difference once, each at its place, as data; where it ends, and that
 * it leaves packed what need not be unpacked. The texts are in test_map.c.
 */
#include "map/internal.h"
#include "support/fake_file.h"
#include "support/test.h"

enum { MOST = 400 };

struct seen {
    uint32_t num, stop_after; /* 0: never */
    tm_difference list[MOST];
};

static bool note(void *ctx, const tm_difference *difference)
{
    struct seen *seen = ctx;
    assert_true(seen->num < MOST);
    seen->list[seen->num++] = *difference;
    return seen->num != seen->stop_after;
}

static void compare(struct seen *seen, const tm_map *a, const tm_map *b)
{
    tm_error error;
    seen->num = 0;
    if (tm_map_compare(a, b, NULL, note, seen, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
}

static void assert_field(const tm_difference *difference, tm_kind owner, const char *name)
{
    assert_int_equal(difference->owner, owner);
    assert_string_equal(difference->field->name, name);
}

TEST(every_difference_is_told_once)
{
    struct seen seen = {0};
    struct fake_file file;
    OWN(tm_map) *map = fake_file_map(&file, NULL), *other = test_map_clone(map);
    compare(&seen, map, other);
    assert_int_equal(seen.num, 0);
    other->version = 7;
    other->info.settings[1] = "x";
    other->images[0].width = 9;
    other->envelopes[2].points[1].values[3] = 5;
    other->groups[1].clip_h = 6;
    strcpy(other->groups[0].layers[4].name, "New");
    compare(&seen, map, other);
    assert_int_equal(seen.num, 6);
    assert_field(&seen.list[0], TM_KIND_MAP, "map_version");
    assert_int_equal(seen.list[0].before.as.number, 1);
    assert_int_equal(seen.list[0].after.as.number, 7);
    assert_field(&seen.list[1], TM_KIND_INFO, "settings");
    assert_int_equal(seen.list[1].address.kind, TM_KIND_SETTINGS);
    assert_int_equal(seen.list[1].index, 1);
    assert_field(&seen.list[2], TM_KIND_IMAGE, "width");
    assert_field(&seen.list[3], TM_KIND_ENVELOPE_POINT, "values");
    assert_int_equal(seen.list[3].address.kind, TM_KIND_ENVELOPE);
    assert_int_equal(seen.list[3].address.index, 2);
    assert_int_equal(seen.list[3].element, 1);
    assert_int_equal(seen.list[3].index, 3);
    assert_field(&seen.list[4], TM_KIND_LAYER, "name");
    assert_int_equal(seen.list[4].address.kind, TM_KIND_LAYER);
    assert_int_equal(seen.list[4].address.layer, 4);
    assert_field(&seen.list[5], TM_KIND_GROUP, "clip.height");
    assert_int_equal(seen.list[5].address.kind, TM_KIND_GROUP);
    assert_int_equal(seen.list[5].address.index, 1);
    assert_true(seen.list[5].element == TM_NO_ELEMENT);
    assert_int_equal(atomic_load(&file.num_reads), 0);
}

/* Every plain field of every object, changed one at a time, is told, and nothing else. */
static void change_each_field(tm_map *map, const tm_map *before, tm_kind owner, void *object, uint32_t *num)
{
    struct seen seen = {0};
    size_t num_fields;
    const tm_field *fields = tm_fields(&num_fields, owner);
    for (size_t i = 0; i < num_fields; i++) {
        const tm_field *field = &fields[i];
        if (field->setter || field->flags & TM_FIELD_ALIAS || !tmi_field_present(field, object))
            continue;
        for (uint32_t k = 0; k < field->num_values; k++) {
            const tm_value old = tm_field_get(field, object, k);
            tm_value fresh = old;
            if (field->type == TM_TYPE_COLOR)
                fresh.as.color.b ^= 1;
            else if (field->type == TM_TYPE_POINT)
                fresh.as.point.y ^= 1;
            else
                fresh.as.number = field->refers == TM_KIND_IMAGE && field->type == TM_TYPE_REFERENCE
                                      ? (old.as.number == TM_NONE ? 0 : TM_NONE)
                                      : old.as.number ^ 1;
            if (tmi_field_set_any(map, object, field, k, &fresh, NULL) != TM_OK)
                continue; /* a reference to what is not there */
            compare(&seen, before, map);
            assert_true(seen.num >= 1);
            assert_field(&seen.list[0], owner, field->name);
            assert_int_equal(seen.list[0].index, k);
            assert_true(tm_value_same(&seen.list[0].before, &old) &&
                        tm_value_same(&seen.list[0].after, &fresh));
            must(tmi_field_set_any(map, object, field, k, &old, NULL));
            ++*num;
        }
    }
}

TEST(no_field_is_overlooked)
{
    uint32_t num = 0;
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET), *before = test_map_clone(map);
    change_each_field(map, before, TM_KIND_MAP, map, &num);
    change_each_field(map, before, TM_KIND_IMAGE, &map->images[0], &num);
    change_each_field(map, before, TM_KIND_SOUND, &map->sounds[0], &num);
    change_each_field(map, before, TM_KIND_ENVELOPE, &map->envelopes[0], &num);
    change_each_field(map, before, TM_KIND_ENVELOPE_POINT, &map->envelopes[0].points[0], &num);
    for (uint32_t g = 0; g < map->num_groups; g++) {
        change_each_field(map, before, TM_KIND_GROUP, &map->groups[g], &num);
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            tm_layer *layer = &map->groups[g].layers[l];
            void *elements;
            change_each_field(map, before, TM_KIND_LAYER, layer, &num);
            change_each_field(map, before, tm_kind_of_layer(layer->kind), layer, &num);
            if (tm_map_edit_data(&elements, NULL, map, *tmi_layer_elements(layer), NULL) == TM_OK && elements)
                change_each_field(map, before, tm_kind_of_elements(layer->kind), elements, &num);
        }
    }
    assert_true(num > 150);
}

TEST(the_visitor_ends_it)
{
    struct seen seen = {.stop_after = 2};
    struct fake_file file;
    OWN(tm_map) *map = fake_file_map(&file, NULL), *other = test_map_clone(map);
    for (uint32_t i = 0; i < 3; i++)
        other->envelopes[2].points[1].values[i]++;
    other->groups[0].offset_x++;
    compare(&seen, map, other);
    assert_int_equal(seen.num, 2);
}

static tm_map *map_of_tiles(uint32_t width, uint32_t height)
{
    tm_map *map = test_map_of_layer(TM_LAYER_TILES, width, height);
    tm_edit_grid grid = test_edit_grid(map, 0, 0);
    for (uint32_t i = 0; i < width * height; i++)
        ((tm_tile *)grid.tiles)[i].index = (uint8_t)(i / width * 16 + i % width);
    return map;
}

/* A wider or narrower layer has its tiles at the same places. */
TEST(grids_of_two_sizes_are_compared_by_place)
{
    struct seen seen = {0};
    OWN(tm_map) *a = map_of_tiles(5, 4), *b = map_of_tiles(7, 3);
    static const tm_tile tile = {200, TM_TILE_ROTATE, 0, 0};
    compare(&seen, a, b);
    assert_int_equal(seen.num, 2);
    assert_field(&seen.list[0], TM_KIND_TILE_LAYER, "width");
    assert_field(&seen.list[1], TM_KIND_TILE_LAYER, "height");
    must(tm_map_fill_tiles(b, 0, 0, &(tm_rect){3, 2, 9, 1}, &tile, NULL)); /* two of four lie in both */
    compare(&seen, a, b);
    assert_int_equal(seen.num, 6);
    assert_field(&seen.list[2], TM_KIND_TILE, "index");
    assert_field(&seen.list[3], TM_KIND_TILE, "flags");
    assert_int_equal(seen.list[4].x, 4);
    assert_int_equal(seen.list[4].y, 2);
    assert_int_equal(seen.list[4].element, 2 * 5 + 4);
    assert_int_equal(seen.list[4].after.as.number, 200);
}

TEST(data_are_skipped_when_asked)
{
    struct seen seen = {0};
    tm_compare_options options = TM_COMPARE_OPTIONS_INIT;
    OWN(tm_map) *a = map_of_tiles(5, 4), *b = map_of_tiles(5, 4);
    static const tm_tile tile = {200, 0, 0, 0};
    must(tm_map_fill_tiles(b, 0, 0, &(tm_rect){0, 0, 5, 4}, &tile, NULL));
    options.skip_data = true;
    must(tm_map_compare(a, b, &options, note, &seen, NULL));
    assert_int_equal(seen.num, 0);
    options.skip_data = false;
    must(tm_map_compare(a, b, &options, note, &seen, NULL));
    assert_int_equal(seen.num, 20);
}

/* ----------------------------------------------------------------------------------------------------- single objects */

TEST(objects_at_other_places_are_compared)
{
    struct seen seen = {0};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET), *other = test_map_clone(map);
    uint32_t g = 0;
    while (map->groups[g].num_layers == 0)
        g++;
    assert_true(g > 0);
    const tm_address address = {TM_KIND_GROUP, g, 0}, target = {TM_KIND_GROUP, 0, 0};
    must(tm_map_move(other, TM_KIND_GROUP, g, target.index, NULL));
    must(tmi_object_compare(map, &address, other, &target, NULL, note, &seen, NULL));
    assert_int_equal(seen.num, 0);
    other->groups[target.index].layers[0].detail ^= true;
    must(tmi_object_compare(map, &address, other, &target, NULL, note, &seen, NULL));
    assert_int_equal(seen.num, 1);
    assert_int_equal(seen.list[0].address.index, g);
    assert_int_equal(seen.list[0].other.index, target.index);
    assert_int_equal(seen.list[0].other.kind, TM_KIND_LAYER);
    const tm_address image = {TM_KIND_IMAGE, 0, 0}, empty = {TM_KIND_IMAGE, 99, 0},
                     raw = {TM_KIND_ITEM, 0, 0};
    assert_int_equal(tmi_object_compare(map, &address, other, &image, NULL, note, &seen, NULL),
                     TM_ERROR_USAGE);
    assert_int_equal(tmi_object_compare(map, &image, other, &empty, NULL, note, &seen, NULL), TM_ERROR_USAGE);
    assert_int_equal(tmi_object_compare(map, &raw, other, &raw, NULL, note, &seen, NULL), TM_ERROR_USAGE);
}

TEST(layers_of_two_kinds_share_what_all_have)
{
    struct seen seen = {0};
    OWN(tm_map) *map = test_map_new();
    test_insert_group(map, 0, TM_LAYER_QUADS, 0, 0);
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_GAME, 4, 4, NULL));
    const tm_address quads = {TM_KIND_LAYER, 0, 0}, game = {TM_KIND_LAYER, 0, 1};
    must(tmi_object_compare(map, &quads, map, &game, NULL, note, &seen, NULL));
    assert_int_equal(seen.num, 2);
    assert_field(&seen.list[0], TM_KIND_LAYER, "kind");
    assert_field(&seen.list[1], TM_KIND_LAYER, "name");
}
