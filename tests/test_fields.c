/* SPDX-License-Identifier: Zlib */
/*
 * The table of fields: that no byte of the model is without a row, that rows say what is so, and that every
 * value of every real map survives being written as text and read again.
 *
 * test-timeout: 300
 */
#include "map/internal.h"
#include "support/test.h"
#include "games/games.h"

static bool is_content(const tm_field *field)
{
    return field->type == TM_TYPE_LIST || field->type == TM_TYPE_BLOCK;
}

static void check_row(tm_kind owner, const tm_field *field)
{
    const bool counted = field->type == TM_TYPE_LIST || field->type == TM_TYPE_TEXTS;
    const char *name = field->name, *dot = strchr(name, '.');
    int64_t min, max;
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_."), strlen(name));
    assert_true(!dot || (dot - name < 32 && !strchr(dot + 1, '.')));
    assert_true(field->help && *field->help && field->help[strlen(field->help) - 1] != '.');
    assert_true(field->num_values >= 1 && field->size > 0);
    assert_true(field->offset + field->size * field->num_values <= tm_kind_size(owner));
    assert_ptr_equal(tm_field_find(owner, name), field);
    assert_true(counted == (field->num_offset != 0) || field->flags & TM_FIELD_ELEMENTS);
    assert_int_not_equal(field->type == TM_TYPE_CHOICE || field->type == TM_TYPE_FLAGS, !field->choice);
    if (tmi_field_range(field, &min, &max)) {
        const bool white = field->type == TM_TYPE_COLOR;
        assert_true(min <= max);
        assert_true(white || field->type == TM_TYPE_INDEX || field->type == TM_TYPE_REFERENCE ||
                    field->setter || (field->initial >= min && field->initial <= max));
    }
    if (field->choice)
        assert_true(field->ranged);
}

TEST(rows_are_complete)
{
    size_t num;
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        const tm_field *fields = tm_fields(&num, owner);
        assert_non_null(tm_kind_name(owner));
        assert_true((num > 0) == (tm_kind_size(owner) > 0));
        assert_true((num > 0) ==
                    (owner != TM_KIND_SETTINGS && owner != TM_KIND_ITEM && owner != TM_KIND_DATA));
        for (size_t i = 0; i < num; i++)
            check_row(owner, &fields[i]);
        for (size_t i = 1; i < num; i++) /* lists and blocks are last */
            assert_true(!is_content(&fields[i - 1]) || is_content(&fields[i]));
    }
    assert_null(tm_fields(&num, TM_KINDS));
    assert_int_equal(num, 0);
    assert_null(tm_kind_name(TM_KINDS));
    assert_int_equal(tm_kind_size((tm_kind)99), 0);
    assert_null(tm_field_find(TM_KIND_GROUP, "offset"));
    assert_null(tm_field_find(TM_KINDS, "name"));
}

/*
 * Where an object keeps what could not be read is said twice: by its rows, and without them for programs that
 * only open maps.
 */
TEST(slots_of_unread_values_are_those_of_the_rows)
{
    static union {
        tm_info info;
        tm_layer layer;
        char bytes[1 << 12];
    } object;
    uint32_t of_rows = 0, of_slots = 0;
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        tm_block **slots[TMI_MAX_UNREAD];
        const uint32_t num_slots = tmi_unread_slots(owner, &object, slots);
        size_t num;
        const tm_field *fields = tm_fields(&num, owner);
        assert_true(tm_kind_size(owner) <= sizeof(object));
        of_slots += num_slots;
        for (size_t i = 0; i < num; i++) {
            bool found =
                !fields[i].unread || fields[i].type == TM_TYPE_COUNT; /* a count has that of its list */
            of_rows += !found;
            for (uint32_t k = 0; k < num_slots; k++)
                found = found || slots[k] == tmi_unread_slot(&fields[i], &object);
            assert_true(found);
        }
    }
    assert_int_equal(of_slots, of_rows);
    assert_int_equal(of_rows, 7);
}

/* Elements are as large as the rules say. */
TEST(every_kind_of_layer_has_its_owners)
{
    for (tm_layer_kind kind = 0; kind < TM_LAYER_KINDS; kind++) {
        assert_int_equal(tm_kind_size(tm_kind_of_elements(kind)), tm_game_layer(kind)->element_size);
        assert_int_equal(tm_kind_of_layer(kind) == TM_KIND_TILE_LAYER, tm_game_layer(kind)->is_tiles);
    }
    assert_int_equal(tm_kind_of_layer(TM_LAYER_UNKNOWN), TM_KINDS);
    assert_int_equal(tm_kind_of_layer((tm_layer_kind)99), TM_KINDS);
    assert_int_equal(tm_kind_of_elements(TM_LAYER_KINDS), TM_KINDS);
}

/* The rows say for fields what rules/ says for parts of maps and kinds of layers. */
TEST(rows_and_rules_agree_on_games)
{
    static const struct {
        tm_kind owner;
        const char *field;
        tm_part part;
    } parts[] = {
        {TM_KIND_SOUND, "data", TM_PART_SOUNDS},
        {TM_KIND_INFO, "settings", TM_PART_SETTINGS},
        {TM_KIND_ENVELOPE_POINT, "out_dy", TM_PART_CURVES},
        {TM_KIND_TILE_LAYER, "automapper.seed", TM_PART_AUTOMAPPERS},
        {TM_KIND_GROUP, "parallax_zoom", TM_PART_PARALLAX_ZOOM},
    };
    for (tm_game game = 0; game < TM_GAME_COUNT; game++) {
        for (size_t i = 0; i < TMI_COUNT_OF(parts); i++)
            assert_int_equal(tmi_field_in_game(tm_field_find(parts[i].owner, parts[i].field), game),
                             tmi_game_holds(game, parts[i].part));
        for (tm_layer_kind kind = 0; kind < TM_LAYER_UNKNOWN; kind++) {
            const tm_kind owner = tm_kind_of_elements(kind);
            size_t num;
            const tm_field *fields = tm_fields(&num, owner);
            for (size_t i = 0; i < num && owner != TM_KIND_TILE; i++) /* kinds of several games share these */
                assert_int_equal(tmi_field_in_game(&fields[i], game), tmi_game_holds_layer(game, kind));
        }
    }
}

/* What no row has, on purpose: the caller's, the library's own, and the union, whose parts others have. */
static const struct exception {
    tm_kind owner;
    size_t offset, size;
} exceptions[] = {
#define EXCEPT(owner, type, member)                                          \
    {                                                                        \
        TM_KIND_##owner, offsetof(type, member), sizeof(((type *)0)->member) \
    }
    EXCEPT(MAP, tm_map, info),
    EXCEPT(MAP, tm_map, user),
    EXCEPT(MAP, tm_map, priv),
    EXCEPT(INFO, tm_info, origin),
    EXCEPT(IMAGE, tm_image, user),
    EXCEPT(IMAGE, tm_image, origin),
    EXCEPT(SOUND, tm_sound, user),
    EXCEPT(SOUND, tm_sound, origin),
    EXCEPT(ENVELOPE, tm_envelope, user),
    EXCEPT(GROUP, tm_group, user),
    EXCEPT(ENVELOPE, tm_envelope, origin),
    EXCEPT(GROUP, tm_group, origin),
    EXCEPT(GROUP, tm_group, extra),
    EXCEPT(LAYER, tm_layer, as),
    EXCEPT(LAYER, tm_layer, user),
    EXCEPT(LAYER, tm_layer, origin),
    EXCEPT(TILE_LAYER, tm_layer, as.tiles.automapper.origin),
};

enum { MAX_BYTES = 256 };

static void mark_rows(bool *covered, tm_kind owner)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        memset(covered + fields[i].offset, true, fields[i].size * fields[i].num_values);
        if (fields[i].unread)
            memset(covered + fields[i].unread, true, sizeof(tm_block *));
    }
    for (size_t i = 0; i < TMI_COUNT_OF(exceptions); i++)
        if (exceptions[i].owner == owner)
            memset(covered + exceptions[i].offset, true, exceptions[i].size);
}

/* Bytes up to the next place where an int or a pointer can begin may be padding, after the end of a field. */
static void check_covered(const bool *covered, tm_kind owner, size_t from, size_t to)
{
    for (size_t i = from; i < to;) {
        size_t gap = i;
        while (gap < to && !covered[gap])
            gap++;
        const size_t alignment = gap % sizeof(void *) == 0 ? sizeof(void *) : 4;
        if (gap > i && (gap - i >= alignment || gap % alignment != 0))
            fail_msg("%s: bytes %zu to %zu have no row", tm_kind_name(owner), i, gap - 1);
        i = gap + 1;
    }
}

TEST(every_byte_of_the_model_has_a_row)
{
    for (tm_kind owner = 0; owner < TM_KINDS; owner++) {
        bool covered[MAX_BYTES] = {false};
        size_t from = 0, to = tm_kind_size(owner);
        assert_true(to <= MAX_BYTES);
        mark_rows(covered, owner);
        if (owner == TM_KIND_TILE_LAYER || owner == TM_KIND_QUAD_LAYER || owner == TM_KIND_SOUND_LAYER) {
            from = offsetof(tm_layer, as);
            to = from + (owner == TM_KIND_TILE_LAYER   ? sizeof(tm_tile_layer)
                         : owner == TM_KIND_QUAD_LAYER ? sizeof(tm_quad_layer)
                                                       : sizeof(tm_sound_layer));
        }
        check_covered(covered, owner, from, to);
    }
}

/* -------------------------------------------------------------------------------------------- defaults */

/* Counts, blocks, lists and the kind follow from how the object was made, and so does a layer's name. */
static bool is_made(const tm_field *field)
{
    return field->setter && field->type != TM_TYPE_TEXT && field->type != TM_TYPE_TEXTS;
}

static void check_initial(tm_kind owner, const void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const tm_value expected = tm_field_initial(&fields[i]);
        if (is_made(&fields[i]) || !tmi_field_present(&fields[i], object))
            continue;
        for (uint32_t k = 0; k < tm_field_num(&fields[i], object); k++) {
            const tm_value value = tm_field_get(&fields[i], object, k);
            if (!tm_value_same(&value, &expected))
                fail_msg("a new %s has another %s than the table says", tm_kind_name(owner), fields[i].name);
        }
    }
}

TEST(new_objects_start_as_the_table_says)
{
    OWN(tm_map) *map;
    tm_error error;
    must(tm_map_new(&map, NULL, &error), &error);
    check_initial(TM_KIND_MAP, map);
    check_initial(TM_KIND_INFO, &map->info);
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_GROUP; kind++)
        must(tm_map_insert(map, kind, 0, &error), &error);
    check_initial(TM_KIND_IMAGE, map->images);
    check_initial(TM_KIND_SOUND, map->sounds);
    check_initial(TM_KIND_ENVELOPE, map->envelopes);
    check_initial(TM_KIND_GROUP, map->groups);
    for (tm_layer_kind kind = 0; kind < TM_LAYER_UNKNOWN; kind++) {
        if (kind == TM_LAYER_OLD_SOUNDS)
            continue;
        must(tm_map_insert_layer(map, 0, 0, kind, 3, 2, &error), &error);
        check_initial(TM_KIND_LAYER, map->groups->layers);
        check_initial(tm_kind_of_layer(kind), map->groups->layers);
    }
}

/* Calls visit for each object and the first elements of each block. */
typedef void visit_object(void *ctx, tm_kind owner, void *object);

enum { FEW_ELEMENTS = 40 };

static void visit_elements(tm_map *map, tm_layer *layer, visit_object *visit, void *ctx)
{
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    tm_block **block = tmi_layer_elements(layer);
    char element[MAX_BYTES];
    const void *bytes;
    uint64_t size;
    if (!block || tm_map_data(&bytes, &size, map, *block, NULL) != TM_OK)
        return;
    for (size_t i = 0; i < FEW_ELEMENTS && (i + 1) * tm_kind_size(owner) <= size; i++) {
        memcpy(element, (const char *)bytes + i * tm_kind_size(owner), tm_kind_size(owner));
        visit(ctx, owner, element);
    }
    tmi_map_drop_data(map, *block);
}

static void visit_all(tm_map *map, visit_object *visit, void *ctx)
{
    visit(ctx, TM_KIND_MAP, map);
    visit(ctx, TM_KIND_INFO, &map->info);
    for (uint32_t i = 0; i < map->num_images; i++)
        visit(ctx, TM_KIND_IMAGE, &map->images[i]);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        visit(ctx, TM_KIND_SOUND, &map->sounds[i]);
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        visit(ctx, TM_KIND_ENVELOPE, &map->envelopes[i]);
        for (uint32_t k = 0; k < map->envelopes[i].num_points; k++)
            visit(ctx, TM_KIND_ENVELOPE_POINT, &map->envelopes[i].points[k]);
    }
    for (uint32_t g = 0; g < map->num_groups; g++) {
        visit(ctx, TM_KIND_GROUP, &map->groups[g]);
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            tm_layer *layer = &map->groups[g].layers[l];
            visit(ctx, TM_KIND_LAYER, layer);
            visit(ctx, tm_kind_of_layer(layer->kind), layer);
            visit_elements(map, layer, visit, ctx);
        }
    }
}

struct round_trip {
    tm_map *map;
    uint64_t num_values;
};

/* Text and back; then a blank copy of the object gets the value and must hold it. */
static void check_value(struct round_trip *trip, const tm_field *field, void *object, uint32_t index)
{
    char text[5000], buffer[5000];
    tm_error error;
    tm_value read;
    const tm_value value = tm_field_get(field, object, index);
    const size_t length = tm_value_format(text, sizeof(text), field, &value, trip->map);
    assert_true(length > 0 && length < sizeof(text));
    if (field->type == TM_TYPE_BLOCK || field->type == TM_TYPE_LIST)
        return;
    must(tm_value_parse(&read, field, trip->map, text, buffer, sizeof(buffer), &error), &error);
    if (!tm_value_same(&value, &read))
        fail_msg("%s: '%s' reads back as another value", field->name, text);
    trip->num_values++;
    if (field->setter && field->type != TM_TYPE_NAME)
        return;
    const tm_value zero = tm_field_initial(field);
    must(tmi_field_set_any(trip->map, object, field, index, &zero, &error), &error);
    must(tmi_field_set_any(trip->map, object, field, index, &read, &error), &error);
    const tm_value reparsed = tm_field_get(field, object, index);
    assert_true(tm_value_same(&read, &reparsed));
}

static void check_object(void *ctx, tm_kind owner, void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++)
        for (uint32_t k = 0; k < tm_field_num(&fields[i], object); k++)
            check_value(ctx, &fields[i], object, k);
}

static void check_map(const char *path, const tm_buffer *file, uint64_t *num_values)
{
    tm_map *map, *before;
    tm_error error;
    bool equal;
    char where[200];
    if (test_map_try(&map, file, TM_MODE_SALVAGE, NULL, &error) != TM_OK)
        return;
    must(tm_map_clone(&before, map, &error), &error);
    struct round_trip trip = {map, 0};
    visit_all(map, check_object, &trip);
    must(tm_map_equal(&equal, before, map, where, sizeof(where), &error), &error);
    if (!equal)
        fail_msg("%s: %s", path, where);
    *num_values += trip.num_values;
    tm_map_free(map);
    tm_map_free(before);
}

TEST(values_survive_as_text)
{
    uint64_t num_values = 0;
    for (tm_game game = 0; game < TM_GAME_COUNT; game++) {
        OWN(tm_map) *map = test_map_everything(game);
        OWN(tm_buffer) file = test_map_save(map, NULL);
        check_map(tm_game_name(game), &file, &num_values);
    }
    OWN(tm_buffer) museum = test_map_museum();
    check_map("museum", &museum, &num_values);
    assert_true(num_values > 1000);
}

static void check_corpus_file(void *ctx, const char *path)
{
    OWN(tm_buffer) file = test_read_map(path);
    check_map(path, &file, ctx);
}

TEST(values_of_real_maps_survive_as_text)
{
    uint64_t num_values = 0;
    test_each_corpus_map(check_corpus_file, &num_values);
    print_message("%llu values\n", (unsigned long long)num_values);
    assert_true(num_values > 100000);
}
