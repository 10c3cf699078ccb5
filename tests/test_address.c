/* SPDX-License-Identifier: Zlib */
/*
 * Addresses: what docs/addresses.md promises, line by line, and that writing and reading agree.
 */
#include "map/map.h"
#include "support/test.h"

static tm_map *map;

static void name_layers(uint32_t group, const char *name, const char *const *layers, uint32_t num)
{
    must(tm_map_insert(map, TM_KIND_GROUP, group, NULL));
    tm_map_set_name(map->groups[group].name, TM_NAME_SIZE, name);
    for (uint32_t i = 0; i < num; i++) {
        must(tm_map_insert_layer(map, group, i, TM_LAYER_QUADS, 0, 0, NULL));
        tm_map_set_name(map->groups[group].layers[i].name, TM_NAME_SIZE, layers[i]);
    }
}

static void make_map(void)
{
    static const char *const game[] = {"Game", "Front", "Front", "7"};
    static const char *const slashes[] = {"c", "x/y", ""};
    must(tm_map_new(&map, NULL, NULL));
    name_layers(0, "Game", game, 4);
    name_layers(1, "2", NULL, 0);
    name_layers(2, "a/b", slashes, 3);
    name_layers(3, "a", slashes, 2);
    name_layers(4, "", NULL, 0);
    name_layers(5, "image", NULL, 0);
    name_layers(6, "=odd", NULL, 0);
    for (uint32_t i = 0; i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_insert(map, TM_KIND_ENVELOPE, i, NULL));
    }
    must(tm_map_set_text(map, &map->images[1].name, "sky/night 1", NULL));
    must(tm_map_insert(map, TM_KIND_SOUND, 0, NULL));
}

static void drop_map(void)
{
    tm_map_free(map);
}

struct row {
    const char *text;
    tm_kind kind;
    uint32_t index, layer;
};

TEST(addresses_lead_to_objects)
{
    static const struct row rows[] = {
        {"", TM_KIND_MAP, 0, 0},
        {"info", TM_KIND_INFO, 0, 0},
        {"settings", TM_KIND_SETTINGS, 0, 0},
        {"image/0", TM_KIND_IMAGE, 0, 0},
        {"image/=sky/night 1", TM_KIND_IMAGE, 1, 0},
        {"image/=", TM_KIND_IMAGE, 0, 0}, /* the one without a name */
        {"sound/0", TM_KIND_SOUND, 0, 0},
        {"envelope/1", TM_KIND_ENVELOPE, 1, 0},
        {"item/17", TM_KIND_ITEM, 17, 0},
        {"data/4", TM_KIND_DATA, 4, 0},
        {"0", TM_KIND_GROUP, 0, 0},
        {"006", TM_KIND_GROUP, 6, 0},
        {"Game", TM_KIND_GROUP, 0, 0},
        {"=Game", TM_KIND_GROUP, 0, 0},
        {"2", TM_KIND_GROUP, 2, 0},
        {"=2", TM_KIND_GROUP, 1, 0},
        {"=", TM_KIND_GROUP, 4, 0},
        {"=image", TM_KIND_GROUP, 5, 0},
        {"==odd", TM_KIND_GROUP, 6, 0},
        {"0/2", TM_KIND_LAYER, 0, 2},
        {"Game/Front", TM_KIND_LAYER, 0, 1}, /* the first of two */
        {"Game/=7", TM_KIND_LAYER, 0, 3},
        {"2/=x/y", TM_KIND_LAYER, 2, 1},
        {"2/=", TM_KIND_LAYER, 2, 2},
        {"=a/b", TM_KIND_GROUP, 2, 0}, /* the longest name wins */
        {"=a/b/c", TM_KIND_LAYER, 2, 0},
        {"=a/b/=x/y", TM_KIND_LAYER, 2, 1},
        {"=a/c", TM_KIND_LAYER, 3, 0},
        {"=a/=x/y", TM_KIND_LAYER, 3, 1},
        {"a/1", TM_KIND_LAYER, 3, 1},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        tm_address address;
        tm_error error;
        if (tm_address_parse(&address, map, rows[i].text, &error) != TM_OK)
            fail_msg("'%s': %s", rows[i].text, error.text);
        if (address.kind != rows[i].kind || address.index != rows[i].index || address.layer != rows[i].layer)
            fail_msg("'%s' leads to %d, %u/%u", rows[i].text, (int)address.kind, address.index,
                     address.layer);
    }
}

TEST(wrong_addresses_are_told_apart)
{
    static const struct {
        const char *text;
        tm_status status;
    } rows[] = {
        {"7", TM_ERROR_NOT_FOUND},
        {"99999999999999999999", TM_ERROR_NOT_FOUND},
        {"game", TM_ERROR_NOT_FOUND},
        {"=nobody", TM_ERROR_NOT_FOUND},
        {"=a/d", TM_ERROR_NOT_FOUND},
        {"Game/4", TM_ERROR_NOT_FOUND},
        {"Game/Fron", TM_ERROR_NOT_FOUND},
        {"image/2", TM_ERROR_NOT_FOUND},
        {"image/grass", TM_ERROR_NOT_FOUND},
        {"4/0", TM_ERROR_NOT_FOUND},
        {"image", TM_ERROR_USAGE},
        {"image/", TM_ERROR_USAGE},
        {"image/a/b", TM_ERROR_USAGE},
        {"item/x", TM_ERROR_USAGE},
        {"data/=4", TM_ERROR_USAGE},
        {"info/0", TM_ERROR_USAGE},
        {"settings/", TM_ERROR_USAGE},
        {"/", TM_ERROR_USAGE},
        {"/0", TM_ERROR_USAGE},
        {"0/", TM_ERROR_USAGE},
        {"0/1/2", TM_ERROR_USAGE},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        tm_address address = {TM_KIND_DATA, 9, 9};
        tm_error error;
        tm_status status = tm_address_parse(&address, map, rows[i].text, &error);
        if (status != rows[i].status)
            fail_msg("'%s' gives '%s'", rows[i].text, tm_status_name(status));
        assert_true(error.code == status && error.text[0]);
        assert_int_equal(address.kind, TM_KIND_MAP);
        assert_int_equal(tm_address_parse(&address, map, rows[i].text, NULL), status);
    }
}

static void check_round_trip(tm_address address)
{
    tm_address reparsed;
    char text[64];
    size_t length = tm_address_format(&address, text, sizeof(text));
    assert_int_equal(length, strlen(text));
    assert_int_equal(tm_address_format(&address, NULL, 0), length);
    must(tm_address_parse(&reparsed, map, text, NULL));
    assert_int_equal(reparsed.kind, address.kind);
    assert_int_equal(reparsed.index, address.index);
    assert_int_equal(reparsed.layer, address.layer);
}

TEST(what_is_written_is_read_back)
{
    for (tm_kind kind = TM_KIND_MAP; kind <= TM_KIND_LAYER; kind++)
        check_round_trip((tm_address){kind, 0, 0});
    check_round_trip((tm_address){TM_KIND_ITEM, 0, 0});
    check_round_trip((tm_address){TM_KIND_DATA, 0, 0});
    check_round_trip((tm_address){TM_KIND_LAYER, 2, 1});
    check_round_trip((tm_address){TM_KIND_DATA, 4000000000u, 0});
}

TEST(addresses_are_written_for_people)
{
    static const struct {
        tm_address address;
        const char *text;
    } rows[] = {
        {{TM_KIND_MAP, 0, 0}, "map"},
        {{TM_KIND_SETTINGS, 0, 0}, "settings"},
        {{TM_KIND_IMAGE, 1, 0}, "image 1 'sky/night 1'"},
        {{TM_KIND_IMAGE, 0, 0}, "image 0"},
        {{TM_KIND_IMAGE, 44, 0}, "image 44"},
        {{TM_KIND_GROUP, 0, 0}, "group 0 'Game'"},
        {{TM_KIND_GROUP, 4, 0}, "group 4"},
        {{TM_KIND_LAYER, 0, 1}, "group 0, layer 1 'Front'"},
        {{TM_KIND_LAYER, 0, 99}, "group 0, layer 99"},
        {{TM_KIND_DATA, 3, 0}, "data 3"},
    };
    char text[64];
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        size_t length = tm_address_describe(&rows[i].address, map, text, sizeof(text));
        assert_string_equal(text, rows[i].text);
        assert_int_equal(length, strlen(text));
    }
    tm_address layer = {TM_KIND_LAYER, 0, 1};
    tm_address_describe(&layer, NULL, text, sizeof(text));
    assert_string_equal(text, "group 0, layer 1");
    assert_int_equal(tm_address_describe(&layer, map, text, 8), tm_address_describe(&layer, map, NULL, 0));
    assert_string_equal(text, "group 0");
    /* Control characters and stray bytes of a name never reach a terminal. */
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "a\x1b[\xff");
    tm_address group = {TM_KIND_GROUP, 1, 0};
    tm_address_describe(&group, map, text, sizeof(text));
    assert_string_equal(text, "group 1 'a?[?'");
}

TEST_GROUP(make_map, drop_map)
