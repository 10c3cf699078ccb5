/* SPDX-License-Identifier: Zlib */
/*
 * A map as files: every field of every object survives, names are such that every file system takes them.
 */
#include "support/lib_mapdir.h"
#include "base/base.h"
#include "map/map.h"

static void check_through_files(const tm_map *map)
{
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    test_mapdir_check(map, &files);
}

static tm_value another_value(const tm_field *field, int try)
{
    static const char *const texts[] = {"q",    "\"\\\n\t\x01",    "\xff\xfeq", "\xe2\x80\xae",
                                        "none", "\xf0\x9f\x98\x80"};
    tm_value value = {.type = field->type};
    switch (field->type) {
    case TM_TYPE_TEXT:
    case TM_TYPE_NAME: value.as.text = texts[try]; break;
    case TM_TYPE_COLOR: value.as.color = (tm_color){try, 300 * try, -1, 255}; break;
    case TM_TYPE_POINT: value.as.point = (tm_point){-try, INT32_MAX}; break;
    case TM_TYPE_REFERENCE: value.as.number = try % 3 - 1; break;
    case TM_TYPE_BOOL: value.as.number = try % 2; break;
    case TM_TYPE_INDEX: value.as.number = try - 1; break;
    case TM_TYPE_CHOICE: value.as.number = field->min + try % (field->max - field->min + 1); break;
    default:
        value.as.number = field->size < 4 ? 3 *
        try : try
            % 2 ? -1234567 *
            try:
                1000 + try;
        break;
    }
    return value;
}

static void check_fields(const tm_map *base, tm_kind owner, const tm_address *address)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const bool strings = fields[i].type == TM_TYPE_TEXT || fields[i].type == TM_TYPE_NAME;
        for (int try = 0; try < 6; try++) {
            OWN(tm_map) *map = test_map_clone(base);
            void *object = address->kind == TM_KIND_IMAGE      ? (void *)&map->images[address->index]
                           : address->kind == TM_KIND_SOUND    ? (void *)&map->sounds[address->index]
                           : address->kind == TM_KIND_ENVELOPE ? (void *)&map->envelopes[address->index]
                           : address->kind == TM_KIND_GROUP    ? (void *)&map->groups[address->index]
                           : address->kind == TM_KIND_LAYER
                               ? (void *)&map->groups[address->index].layers[address->layer]
                           : address->kind == TM_KIND_INFO ? (void *)&map->info
                                                           : (void *)map;
            const tm_value value = another_value(&fields[i], try);
            if ((!fields[i].setter || strings) && tmi_field_present(&fields[i], object) &&
                fields[i].type != TM_TYPE_TEXTS &&
                tmi_field_set_any(map, object, &fields[i], 0, &value, NULL) == TM_OK &&
                tm_map_verify(map, NULL) == TM_OK)
                check_through_files(map);
        }
    }
}

TEST(every_field_survives)
{
    OWN(tm_map) *map = test_mapdir_map();
    map->groups[0].has_parallax_zoom = true;
    map->groups[0].layers[1].as.tiles.automapper.present = true;
    check_through_files(map);
    for (uint32_t i = 0; i < 2; i++) {
        check_fields(map, TM_KIND_IMAGE, &(tm_address){TM_KIND_IMAGE, i, 0});
        check_fields(map, TM_KIND_SOUND, &(tm_address){TM_KIND_SOUND, i, 0});
        check_fields(map, TM_KIND_ENVELOPE, &(tm_address){TM_KIND_ENVELOPE, i, 0});
        check_fields(map, TM_KIND_GROUP, &(tm_address){TM_KIND_GROUP, i, 0});
        for (uint32_t l = 0; l < map->groups[i].num_layers; l++) {
            const tm_address address = {TM_KIND_LAYER, i, l};
            check_fields(map, TM_KIND_LAYER, &address);
            check_fields(map, tm_kind_of_layer(map->groups[i].layers[l].kind), &address);
        }
    }
    check_fields(map, TM_KIND_INFO, &(tm_address){TM_KIND_INFO, 0, 0});
    check_fields(map, TM_KIND_MAP, &(tm_address){TM_KIND_MAP, 0, 0});
}

/* Each bit of a quad, a source, a point and a tile. */
TEST(every_bit_of_elements_survives)
{
    OWN(tm_map) *map = test_mapdir_map();
    for (uint32_t bit = 0; bit < 38 * 32; bit += 5) {
        tm_quad *quads;
        tm_sound_source *sources;
        tm_edit_grid grid;
        uint32_t num;
        must(tm_map_edit_quads(&quads, &num, map, 1, 0, NULL));
        ((uint8_t *)quads)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        must(tm_map_edit_sources(&sources, &num, map, 1, 1, NULL));
        ((uint8_t *)sources)[bit / 8 % sizeof(*sources)] ^= (uint8_t)(1u << bit % 8);
        ((uint8_t *)map->envelopes[0].points)[bit / 8 % sizeof(tm_envelope_point)] ^=
            (uint8_t)(1u << bit % 8);
        for (uint32_t l = 0; l < map->groups[0].num_layers; l++) {
            must(tm_map_edit_tiles(&grid, map, 0, l, NULL));
            ((uint8_t *)grid.tiles)[bit / 8 % (grid.tile_size * 7u)] ^= (uint8_t)(1u << bit % 8);
        }
        check_through_files(map);
    }
}

static void lower(char *out, const char *name)
{
    for (; *name; name++)
        *out++ = (char)(*name >= 'A' && *name <= 'Z' ? *name + 32 : *name);
    *out = '\0';
}

TEST(names_are_safe_and_different)
{
    static const char *const names[] = {
        "",
        "",
        "CON",
        "con.x",
        "nul",
        "COM1",
        "com1.tar.gz",
        "aux ",
        "a/b",
        "a\\b",
        "..",
        ".",
        ".git",
        "A",
        "a",
        "a",
        "A",
        "12",
        "007",
        "-rf",
        "x.",
        "x. ",
        "a:b",
        "a*b?",
        "\xff",
        "\x01",
        "\xc3\xa9",
        "a-2",
        "lpt9",
        "~",
        "<>|\"",
        "layers",
        "group",
        "image",
        "a name that is as long as a name that is very long can be, and longer than any file system takes it, as one may do"};
    const size_t num = sizeof(names) / sizeof(*names);
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) files = {0};
    char folded[512], other[512];
    for (size_t i = 0; i < num; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
        must(tm_map_set_text(map, &map->images[0].name, names[i], NULL));
        must(tm_map_insert_layer(map, 0, map->groups[0].num_layers, TM_LAYER_QUADS, 0, 0, NULL));
        tm_map_set_name(map->groups[0].layers[map->groups[0].num_layers - 1].name, TM_NAME_SIZE, names[i]);
        must(tm_map_insert(map, TM_KIND_GROUP, map->num_groups, NULL));
        tm_map_set_name(map->groups[map->num_groups - 1].name, TM_NAME_SIZE, names[i]);
    }
    test_mapdir_write(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        const char *name = files.list[i].name, *last = strrchr(name, '/');
        assert_true(tmi_file_name_valid(name));
        assert_true(tm_mapdir_is_own(name));
        assert_null(strpbrk(name, "\\:*?\"<>| \t\n"));
        lower(folded, name);
        for (const char *part = folded; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
            assert_true(part[0] != '.' && part[0] != '-');
            for (const char *const *word = (const char *const[]){"con", "nul", "aux", "com1", "lpt9", NULL};
                 *word; word++)
                if (strncmp(part, *word, strlen(*word)) == 0 && strchr("./", part[strlen(*word)]))
                    fail_msg("%s is a device of Windows", name);
        }
        for (uint32_t k = 0; k < i; k++) {
            lower(other, files.list[k].name);
            if (strcmp(folded, other) == 0)
                fail_msg("%s and %s are one name where case does not count", name, files.list[k].name);
        }
        assert_true(!last || strlen(last) < 60);
    }
    test_mapdir_check(map, &files);
}

/*
 * An image named "a" keeps a name that teemap gave to one of that name before: with nothing or a number behind. Any other
 * name belonged to an image of another name.
 */
TEST(names_that_were_given_are_kept)
{
    static const struct {
        const char *old;
        bool is_kept;
    } rows[] = {{"a", true},    {"a-1", true},   {"a-2", true},   {"a-9", true},
                {"a-10", true}, {"a-123", true}, {"a-0", false},  {"a-01", false},
                {"a-", false},  {"a-x", false},  {"a-1x", false}, {"a-x1", false},
                {"a1", false},  {"a_2", false},  {"ab", false},   {"b", false}};
    static const char *const neighbours[] = {"0x", "a-y", "c", "",
                                             "k",  "aa",  "z"}; /* "": the place of the row's */
    enum { NUM = sizeof(neighbours) / sizeof(*neighbours), PLACE = 3 };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_map) *map = test_map_new();
        OWN(tm_memory_files) before = {0}, after = {0};
        char expected[64];
        for (uint32_t k = 0; k < NUM; k++) {
            must(tm_map_insert(map, TM_KIND_IMAGE, k, NULL));
            must(tm_map_set_text(map, &map->images[k].name, k == PLACE ? rows[i].old : neighbours[k], NULL));
        }
        test_mapdir_write(&before, map);
        must(tm_map_set_text(map, &map->images[PLACE].name, "a", NULL));
        const tm_files_in folder = tm_memory_files_in(&before);
        const tm_files_out out = tm_memory_files_out(&after);
        const tm_mapdir_write_options options = {.size = sizeof(options), .before = &folder};
        must(tm_mapdir_write(map, &out, &options, NULL, NULL));
        (void)tm_memory_files_in(&after); /* sorted */
        const tm_memory_file *list = tm_memory_files_find(&after, "images.txt");
        snprintf(expected, sizeof(expected), "0x\na-y\nc\n%s\nk\naa\nz\n",
                 rows[i].is_kept ? rows[i].old : "a");
        if (list->size != strlen(expected) || memcmp(list->bytes, expected, list->size) != 0)
            fail_msg("%s: it is %.*s now", rows[i].old, (int)list->size, (const char *)list->bytes);
    }
}

/* What a new object costs: a line in a list, and its file. */
TEST(a_new_object_changes_a_line)
{
    OWN(tm_map) *map = test_mapdir_map();
    OWN(tm_memory_files) before = {0}, after = {0};
    test_mapdir_write(&before, map);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, "new", NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    tm_map_set_name(map->groups[0].layers[0].name, TM_NAME_SIZE, "new");
    test_mapdir_write(&after, map);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < before.num; i++) {
        const tm_memory_file *old = &before.list[i], *new = tm_memory_files_find(&after, old->name);
        assert_non_null(new);
        if (old->size == new->size && memcmp(old->bytes, new->bytes, old->size) == 0)
            continue;
        changed++;
        assert_int_equal(new->size, old->size + 4);
        assert_true(strcmp(old->name, "images.txt") == 0 || strstr(old->name, "/layers.txt"));
    }
    assert_int_equal(changed, 2);
    assert_int_equal(after.num, before.num + 2);
}
