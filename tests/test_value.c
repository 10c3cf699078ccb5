/* SPDX-License-Identifier: Zlib */
/*
 * Values as text: what is written, what is read, what is refused and how that is said; and setting fields.
 */
#include "map/internal.h"
#include "support/test.h"

static const tm_field *field_of(tm_kind owner, const char *name)
{
    const tm_field *field = tm_field_find(owner, name);
    if (!field)
        fail_msg("there is no field %s", name);
    return field;
}

static void assert_written(tm_kind owner, const char *name, tm_value value, const char *expected)
{
    char text[200], buffer[200];
    const tm_field *field = field_of(owner, name);
    tm_value read;
    tm_error error;
    value.type = field->type;
    assert_int_equal(tm_value_format(text, sizeof(text), field, &value, NULL), strlen(expected));
    assert_string_equal(text, expected);
    if (tm_value_parse(&read, field, NULL, text, buffer, sizeof(buffer), &error) != TM_OK)
        fail_msg("%s", error.text);
    assert_true(tm_value_same(&value, &read));
}

#define NUMBER(n)     ((tm_value){.as = {.number = (n)}})
#define TEXT(t)       ((tm_value){.as = {.text = (t)}})
#define COLOR(...)    ((tm_value){.as = {.color = {__VA_ARGS__}}})
#define POINT(px, py) ((tm_value){.as = {.point = {px, py}}})

TEST(each_type_has_a_form)
{
    assert_written(TM_KIND_GROUP, "offset.x", NUMBER(128), "128");
    assert_written(TM_KIND_GROUP, "offset.x", NUMBER(INT32_MIN), "-2147483648");
    assert_written(TM_KIND_GROUP, "use_clipping", NUMBER(1), "true");
    assert_written(TM_KIND_LAYER, "detail", NUMBER(0), "false");
    assert_written(TM_KIND_LAYER, "kind", NUMBER(TM_LAYER_OLD_SOUNDS), "old-sounds");
    assert_written(TM_KIND_MAP, "game", NUMBER(TM_GAME_TEEWORLDS07), "teeworlds07");
    assert_written(TM_KIND_IMAGE, "format", NUMBER(TM_IMAGE_RGB), "rgb");
    assert_written(TM_KIND_ENVELOPE, "type", NUMBER(4), "color");
    assert_written(TM_KIND_ENVELOPE, "type", NUMBER(2), "2");
    assert_written(TM_KIND_ENVELOPE_POINT, "curve", NUMBER(TM_CURVE_BEZIER), "bezier");
    assert_written(TM_KIND_ENVELOPE_POINT, "curve", NUMBER(-7), "-7");
    assert_written(TM_KIND_TILE, "flags", NUMBER(0), "0");
    assert_written(TM_KIND_TILE, "flags", NUMBER(TM_TILE_FLIP_X | TM_TILE_ROTATE), "flip_x+rotate");
    assert_written(TM_KIND_TILE, "flags", NUMBER(255), "flip_x+flip_y+opaque+rotate+240");
    assert_written(TM_KIND_SPEEDUP_TILE, "angle", NUMBER(-90), "-90");
    assert_written(TM_KIND_TILE_LAYER, "color", COLOR(255, 128, 0, 204), "#ff8000cc");
    assert_written(TM_KIND_TILE_LAYER, "color", COLOR(300, 0, -1, 255), "300,0,-1,255");
    assert_written(TM_KIND_QUAD, "points", POINT(16 * 1024, -1536), "16,-1.5");
    assert_written(TM_KIND_TILE_LAYER, "automapper.config", NUMBER(3), "3");
    assert_written(TM_KIND_TILE_LAYER, "automapper.config", NUMBER(TM_NONE), "none");
    assert_written(TM_KIND_QUAD, "color_envelope", NUMBER(7), "envelope/7");
    assert_written(TM_KIND_QUAD, "color_envelope", NUMBER(-5), "envelope/-5");
    assert_written(TM_KIND_QUAD, "color_envelope", NUMBER(TM_NONE), "none");
    assert_written(TM_KIND_INFO, "author", TEXT(NULL), "none");
    assert_written(TM_KIND_INFO, "author", TEXT(""), "\"\"");
    assert_written(TM_KIND_INFO, "author", TEXT("none"), "\"none\"");
    assert_written(TM_KIND_INFO, "author", TEXT("\xC3\x84nne \"A\" \\"), "\"\xC3\x84nne \\\"A\\\" \\\\\"");
    assert_written(TM_KIND_INFO, "author", TEXT("\n\t\r\x01\x7f\xff"), "\"\\n\\t\\r\\x01\\x7f\\xff\"");
    assert_written(TM_KIND_INFO, "settings", TEXT("tune x 1"), "\"tune x 1\"");
    assert_written(TM_KIND_GROUP, "name", TEXT("Game"), "\"Game\"");
    /* What turns the direction of writing, or is a control character of two bytes. */
    assert_written(TM_KIND_GROUP, "name",
                   TEXT("\xE2\x80\xAE"
                        "\xC2\x9B"),
                   "\"\\xe2\\x80\\xae\\xc2\\x9b\"");
}

TEST(fixed_point_is_as_short_as_it_can_be)
{
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(0), "0");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(1536), "1.5");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(-1536), "-1.5");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(1), "0.001");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(-1), "-0.001");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(1023), "0.999");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(INT32_MAX), "2097151.999");
    assert_written(TM_KIND_ENVELOPE_POINT, "values", NUMBER(INT32_MIN), "-2097152");
}

/* All parts, near 0 and near the largest number. */
TEST(each_part_of_fixed_point_reads_back)
{
    const tm_field *field = field_of(TM_KIND_ENVELOPE_POINT, "values");
    for (int64_t i = -3000; i <= 3000; i++) {
        const int64_t numbers[] = {i, i + 1234567890, INT32_MAX - 3000 + i, INT32_MIN + 3000 + i};
        for (size_t k = 0; k < TMI_COUNT_OF(numbers); k++) {
            char text[40];
            const tm_value value = {.type = TM_TYPE_FIXED, .as.number = numbers[k]};
            tm_value read;
            assert_true(tm_value_format(text, sizeof(text), field, &value, NULL) <= 13);
            must(tm_value_parse(&read, field, NULL, text, NULL, 0, NULL));
            assert_int_equal(read.as.number, numbers[k]);
        }
    }
}

/* --------------------------------------------------------------------------------------------- reading */

static tm_value read_as(tm_kind owner, const char *name, const char *text)
{
    static char buffer[200];
    tm_value value;
    tm_error error;
    if (tm_value_parse(&value, field_of(owner, name), NULL, text, buffer, sizeof(buffer), &error) != TM_OK)
        fail_msg("%s", error.text);
    return value;
}

TEST(more_is_read_than_is_written)
{
    assert_int_equal(read_as(TM_KIND_ENVELOPE_POINT, "curve", "3").as.number, TM_CURVE_FAST);
    assert_int_equal(read_as(TM_KIND_TILE, "flags", "rotate+1").as.number, 9);
    assert_int_equal(read_as(TM_KIND_ENVELOPE_POINT, "values", "1.4999999999999999999999").as.number, 1536);
    assert_int_equal(read_as(TM_KIND_ENVELOPE_POINT, "values", "-0.5").as.number, -512);
    assert_int_equal(read_as(TM_KIND_TILE_LAYER, "color", "#FF8000").as.color.a, 255);
    assert_int_equal(read_as(TM_KIND_TILE_LAYER, "color", "1,2,3,4").as.color.b, 3);
    assert_string_equal(read_as(TM_KIND_INFO, "author", "Anna and Ben").as.text, "Anna and Ben");
    assert_string_equal(read_as(TM_KIND_INFO, "author", "\"\\x41\\n\"").as.text, "A\n");
}

static void assert_refused(tm_kind owner, const char *name, const char *text, const char *said)
{
    char buffer[200];
    tm_value value;
    tm_error error;
    assert_int_equal(
        tm_value_parse(&value, field_of(owner, name), NULL, text, buffer, sizeof(buffer), &error),
        TM_ERROR_USAGE);
    assert_int_equal(value.as.number, 0);
    if (!strstr(error.text, said))
        fail_msg("'%s' does not say '%s'", error.text, said);
}

TEST(nonsense_is_refused_with_what_is_allowed)
{
    static const char *const numbers[] = {"",   "-",   "1 ", " 1", "0x10", "1.0", "99999999999999999999",
                                          "+1", "none"};
    for (size_t i = 0; i < TMI_COUNT_OF(numbers); i++)
        assert_refused(TM_KIND_GROUP, "offset.x", numbers[i], "offset.x cannot be");
    static const char *const fixed[] = {"", ".5", "1.", "1.5.", "1,5", "9999999999", "-", "1.x"};
    for (size_t i = 0; i < TMI_COUNT_OF(fixed); i++)
        assert_refused(TM_KIND_ENVELOPE_POINT, "values", fixed[i], "a number such as 1.5");
    static const char *const colors[] = {"",        "#",     "#12345",    "#1234567", "#123456789",
                                         "#gg0000", "1,2,3", "1,2,3,4,5", "red"};
    for (size_t i = 0; i < TMI_COUNT_OF(colors); i++)
        assert_refused(TM_KIND_TILE_LAYER, "color", colors[i], "#rrggbbaa");
    static const char *const texts[] = {"\"",   "\"a",   "\"a\"b", "\"\\q\"",
                                        "\"\\", "\"\\x", "\"\\x4", "\"\\x00\""};
    for (size_t i = 0; i < TMI_COUNT_OF(texts); i++)
        assert_refused(TM_KIND_INFO, "author", texts[i], "\"text\" or none");
    assert_refused(TM_KIND_QUAD, "points", "1", "two numbers");
    assert_refused(TM_KIND_QUAD, "points", "1,2,3", "two numbers");
    assert_refused(TM_KIND_QUAD, "points", "3000000,1", "two numbers");
    assert_refused(TM_KIND_LAYER, "detail", "yes", "true or false");
    assert_refused(TM_KIND_ENVELOPE_POINT, "curve", "round", "one of step linear slow fast smooth bezier");
    assert_refused(TM_KIND_TILE, "flags", "flip_x+", "flip_x flip_y opaque rotate");
    assert_refused(TM_KIND_TILE_LAYER, "image", "sound/0", "image");
    assert_refused(TM_KIND_TILE_LAYER, "image", "image/grass", "image");
    assert_refused(TM_KIND_IMAGE, "pixels", "none", "nothing");
}

TEST(long_texts_are_cut_and_measured)
{
    char buffer[6];
    const tm_field *field = field_of(TM_KIND_INFO, "author");
    const tm_value value = {.type = TM_TYPE_TEXT, .as.text = "somebody"};
    assert_int_equal(tm_value_format(buffer, sizeof(buffer), field, &value, NULL), 10);
    assert_string_equal(buffer, "\"some");
    assert_int_equal(tm_value_format(NULL, 0, field, &value, NULL), 10);
}

static tm_map *map_of_images(void)
{
    static const char *const names[] = {"grass", "snow", "grass", "7", "two words", "a/b", "=x", "", "\xff"};
    tm_map *map = test_map_new();
    for (uint32_t i = 0; i < TMI_COUNT_OF(names); i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_set_text(map, &map->images[i].name, names[i], NULL));
    }
    return map;
}

/* A name is used where it leads back to the same image. */
TEST(references_are_names_where_names_do)
{
    static const char *const expected[] = {"image/grass", "image/snow", "image/2", "image/3", "image/4",
                                           "image/5",     "image/6",    "image/7", "image/8", "image/9"};
    OWN(tm_map) *map = map_of_images();
    const tm_field *field = field_of(TM_KIND_TILE_LAYER, "image");
    for (int64_t i = 0; i < (int64_t)TMI_COUNT_OF(expected); i++) {
        char text[100];
        tm_value value = {.type = TM_TYPE_REFERENCE, .as.number = i}, read;
        tm_value_format(text, sizeof(text), field, &value, map);
        assert_string_equal(text, expected[i]);
        must(tm_value_parse(&read, field, map, text, NULL, 0, NULL));
        assert_int_equal(read.as.number, i);
    }
}

/* --------------------------------------------------------------------------------------------- setting */

static void assert_set(tm_map *map, void *object, tm_kind owner, const char *name, const char *text)
{
    tm_error error;
    char shown[200];
    const tm_field *field = field_of(owner, name);
    if (tm_field_set_text(map, object, field, 0, text, &error) != TM_OK)
        fail_msg("%s", error.text);
    const tm_value value = tm_field_get(field, object, 0);
    tm_value_format(shown, sizeof(shown), field, &value, map);
    assert_string_equal(shown, text);
}

static void assert_unset(tm_map *map, void *object, tm_kind owner, const char *name, const char *text,
                         const char *said)
{
    tm_error error;
    const tm_field *field = field_of(owner, name);
    const tm_value before = tm_field_get(field, object, 0);
    assert_int_equal(tm_field_set_text(map, object, field, 0, text, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, said);
    const tm_value after = tm_field_get(field, object, 0);
    assert_true(tm_value_same(&before, &after));
}

TEST(fields_are_set_through_text)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    uint32_t group, layer;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES));
    tm_layer *tiles = &map->groups[group].layers[layer];
    assert_set(map, &map->groups[0], TM_KIND_GROUP, "parallax.x", "-50");
    assert_set(map, &map->groups[0], TM_KIND_GROUP, "name", "\"J\xC3\xA4ger\"");
    assert_set(map, &map->info, TM_KIND_INFO, "author", "\"Anna\"");
    assert_set(map, &map->info, TM_KIND_INFO, "author", "none");
    assert_set(map, &map->info, TM_KIND_INFO, "settings", "\"sv_team 1\"");
    assert_set(map, tiles, TM_KIND_TILE_LAYER, "color", "#01020304");
    assert_set(map, tiles, TM_KIND_TILE_LAYER, "image", "none");
    assert_set(map, &map->envelopes[0].points[0], TM_KIND_ENVELOPE_POINT, "out_dy", "-3.25");
    must(tm_map_verify(map, NULL));
}

TEST(what_no_game_accepts_is_refused)
{
    OWN(tm_map) *map = map_of_images();
    tm_speedup_tile tile = {1, 2, 3, 0, 4};
    test_insert_group(map, 0, TM_LAYER_TILES, 4, 3);
    tm_group *group = map->groups;
    tm_layer *layer = group->layers;
    assert_unset(map, layer, TM_KIND_TILE_LAYER, "color", "300,0,0,0",
                 "color cannot be 300,0,0,0: the games accept 0 to 255");
    assert_unset(map, layer, TM_KIND_TILE_LAYER, "image", "image/9",
                 "image cannot be image/9: the map has 9 images");
    assert_unset(map, layer, TM_KIND_TILE_LAYER, "color_envelope", "envelope/0",
                 "color_envelope cannot be envelope/0: the map has 0 envelopes");
    assert_unset(map, group, TM_KIND_GROUP, "offset.x", "3000000000",
                 "offset.x cannot be 3000000000: it does not fit into 4 bytes");
    assert_unset(map, group, TM_KIND_GROUP, "clip.width", "-1",
                 "clip.width cannot be -1: the games accept 0 to 2147483647");
    assert_unset(map, group, TM_KIND_GROUP, "name", "abcdefghijkl",
                 "name cannot be \"abcdefghijkl\": it has 12 bytes, and 11 are the most");
    assert_unset(map, layer, TM_KIND_TILE_LAYER, "width", "9", "width is changed by tm_map_resize_layer");
    assert_unset(map, layer, TM_KIND_LAYER, "kind", "game", "kind is changed by tm_map_insert_layer");
    assert_unset(map, map, TM_KIND_MAP, "num_groups", "9", "num_groups is changed by tm_map_insert");
    assert_unset(map, &tile, TM_KIND_SPEEDUP_TILE, "force", "256",
                 "force cannot be 256: it does not fit into 1 byte");
    assert_unset(map, &tile, TM_KIND_SPEEDUP_TILE, "angle", "40000",
                 "angle cannot be 40000: it does not fit into 2 bytes");
    assert_unset(map, &tile, TM_KIND_SPEEDUP_TILE, "pad", "1", "pad cannot be 1: the games accept 0 to 0");
}

TEST(what_a_file_may_hold_can_be_set)
{
    OWN(tm_map) *map = map_of_images();
    tm_error error;
    tm_quad quad = {.color_envelope = 0};
    const tm_value odd = {.type = TM_TYPE_REFERENCE, .as.number = 1000000},
                   wide = {.type = TM_TYPE_COLOR, .as.color = {1, 2, 3, 4000}};
    must(tm_field_set(map, &quad, field_of(TM_KIND_QUAD, "color_envelope"), 0, &odd, NULL));
    assert_int_equal(quad.color_envelope, 1000000);
    const tm_field *colors = field_of(TM_KIND_QUAD, "colors");
    assert_int_equal(tm_field_set(map, &quad, colors, 2, &wide, NULL), TM_ERROR_USAGE);
    must(tmi_field_set_any(map, &quad, colors, 2, &wide, NULL));
    assert_int_equal(quad.colors[2].a, 4000);
    fails_with(TM_ERROR_USAGE, "there is no colors[4]: it has 4 values",
               tmi_field_set_any(map, &quad, colors, 4, &wide, &error));
    fails_with(TM_ERROR_USAGE, "the value for colors is of the wrong type",
               tmi_field_set_any(map, &quad, colors, 0, &odd, &error));
}

static void note_step(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    static const char *const marks[] = {"", "-", "{", "}"};
    char *target = ctx;
    (void)field;
    snprintf(target + strlen(target), 300 - strlen(target), "%s%s ", marks[step], key ? key : "");
}

static void assert_walk(tm_kind owner, const void *object, const char *expected)
{
    char steps[300] = "";
    tm_fields_walk(owner, object, note_step, steps);
    assert_string_equal(steps, expected);
}

TEST(dotted_names_are_objects_within)
{
    tm_group group = {.has_parallax_zoom = false};
    tm_layer layer = {.kind = TM_LAYER_TILES};
    assert_walk(
        TM_KIND_GROUP, &group,
        "name {offset x y } {parallax x y } use_clipping {clip x y width height } -parallax_zoom num_layers ");
    group.has_parallax_zoom = true;
    assert_walk(
        TM_KIND_GROUP, &group,
        "name {offset x y } {parallax x y } use_clipping {clip x y width height } parallax_zoom num_layers ");
    assert_walk(TM_KIND_TILE_LAYER, &layer,
                "width height color color_envelope color_envelope_offset image -automapper tiles ");
    layer.as.tiles.automapper.present = true;
    assert_walk(
        TM_KIND_TILE_LAYER, &layer,
        "width height color color_envelope color_envelope_offset image {automapper config seed automatic } tiles ");
    assert_walk(TM_KINDS, &layer, "");
}

TEST(games_and_ranges)
{
    int64_t min, max;
    const tm_field *settings = field_of(TM_KIND_INFO, "settings");
    assert_true(tmi_field_in_game(settings, TM_GAME_DDNET));
    assert_false(tmi_field_in_game(settings, TM_GAME_TEEWORLDS06));
    assert_false(tmi_field_in_game(settings, TM_GAME_COUNT));
    assert_false(tmi_field_range(settings, &min, &max));
    assert_true(tmi_field_in_game(field_of(TM_KIND_ENVELOPE_POINT, "in_dx"), TM_GAME_TEEWORLDS07));
    assert_true(tmi_field_range(field_of(TM_KIND_SPEEDUP_TILE, "angle"), &min, &max));
    assert_int_equal(min, -32768);
    assert_int_equal(max, 32767);
    assert_true(tmi_field_range(field_of(TM_KIND_QUAD, "colors"), &min, &max));
    assert_int_equal(max, 255);
}
