/* SPDX-License-Identifier: Zlib */
/*
 * A map as files: every field of every object survives, names are such that every file system takes them, everything that
 * is wrong is told with its place, and neither a full memory nor cut files do any harm.
 */
#include "support/lib_maps.h"
#include "support/memory.h"

#include <teemap/fields.h>
#include <teemap/codec.h>
#include <teemap/mapdir.h>
#include <teemap/sys.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ------------------------------------------------------------------------------------------------------ a map to try */

static void fill_random(void *bytes, size_t size, uint32_t seed)
{
    uint8_t *to = bytes;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (uint8_t)(seed >> 24);
    }
}

static void add_layer(tm_map *map, uint32_t group, tm_layer_kind kind, uint32_t width, uint32_t height)
{
    const uint32_t at = map->groups[group].num_layers;
    assert_int_equal(tm_map_insert_layer(map, group, at, kind, width, height, NULL), TM_OK);
}

/* Something of everything, in two of each. */
static tm_map *make_map(void)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME,  TM_LAYER_TILES,  TM_LAYER_TELE, TM_LAYER_SPEEDUP,
                                          TM_LAYER_FRONT, TM_LAYER_SWITCH, TM_LAYER_TUNE};
    static const char *const settings[] = {"tune gun_speed 1400", "",        " leading",
                                           "\"quoted\"",          "none",    "trailing ",
                                           "sv_x \xff\x01\n",     "\xc3\xa9"};
    uint8_t pixels[4 * 3 * 4];
    tm_sound_source sources[2];
    tm_quad quads[2];
    tm_envelope_point points[3] = {
        {.time = 0}, {.time = 10, .curve = TM_CURVE_BEZIER, .in_dx = {1, -2}}, {.curve = 77}};
    tm_map *map;
    assert_int_equal(tm_map_new(&map, NULL, NULL), TM_OK);
    for (int kind = TM_OBJECT_IMAGE; kind <= TM_OBJECT_GROUP; kind++)
        for (int i = 0; i < 2; i++)
            assert_int_equal(tm_map_insert(map, (tm_object)kind, 0, NULL), TM_OK);
    fill_random(pixels, sizeof(pixels), 1);
    assert_int_equal(tm_map_set_pixels(map, 0, pixels, 4, 3, NULL), TM_OK);
    assert_int_equal(tm_map_set_sound(map, 1, "OggS and more", 13, NULL), TM_OK);
    fill_random(points[0].values, sizeof(points[0].values), 2);
    assert_int_equal(tm_map_set_points(map, 0, points, 3, NULL), TM_OK);
    assert_int_equal(tm_map_set_settings(map, settings, sizeof(settings) / sizeof(*settings), NULL), TM_OK);
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        add_layer(map, 0, kinds[k], 7, 5);
    add_layer(map, 1, TM_LAYER_QUADS, 0, 0);
    add_layer(map, 1, TM_LAYER_SOUNDS, 0, 0);
    tm_quad_init(&quads[0], 1, -2, 3 * TM_FX, 5);
    fill_random(&quads[1], sizeof(quads[1]), 3);
    assert_int_equal(tm_map_set_quads(map, 1, 0, quads, 2, NULL), TM_OK);
    tm_sound_source_init(&sources[0], 5, 6);
    fill_random(&sources[1], sizeof(sources[1]), 4);
    assert_int_equal(tm_map_set_sources(map, 1, 1, sources, 2, NULL), TM_OK);
    for (uint32_t l = 0; l < map->groups[0].num_layers; l++) {
        tm_edit_grid grid;
        assert_int_equal(tm_map_edit_tiles(map, 0, l, &grid, NULL), TM_OK);
        fill_random((uint8_t *)grid.tiles + 2 * grid.row_stride, 3 * grid.row_stride, l);
    }
    return map;
}

static void write_map(tm_memory_files *files, const tm_map *map)
{
    const tm_files_out out = tm_memory_files_out(files);
    tm_error error;
    if (tm_mapdir_write(map, &out, NULL, NULL, NULL, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
    (void)tm_memory_files_in(files);
}

static tm_status read_map(tm_map **out, tm_memory_files *files, tm_findings *findings, tm_error *error)
{
    const tm_files_in in = tm_memory_files_in(files);
    return tm_mapdir_read(out, NULL, &in, NULL, NULL, findings, error);
}

/* That it is the same map, and that nothing is said. */
static void check_same(const tm_map *map, tm_memory_files *files)
{
    tm_findings findings;
    tm_error error;
    tm_map *read;
    tm_findings_init(&findings, 0, NULL);
    if (read_map(&read, files, &findings, &error) != TM_OK)
        fail_msg("%s: %s", error.place, error.text);
    test_print_findings(&findings);
    assert_int_equal(findings.num, 0);
    assert_true(test_map_same(map, read));
    tm_map_free(read);
    tm_findings_release(&findings);
}

static void check_through_files(const tm_map *map)
{
    tm_memory_files files = {0};
    write_map(&files, map);
    check_same(map, &files);
    tm_memory_files_release(&files);
}

static char *text_of(const tm_memory_files *files, const char *name)
{
    const tm_memory_file *file = tm_memory_files_find(files, name);
    if (!file)
        fail_msg("there is no file %s", name);
    char *text = malloc(file->size + 1);
    assert_non_null(text);
    memcpy(text, file->bytes, file->size);
    text[file->size] = '\0';
    return text;
}

/* Puts `by` in place of the first `old` of a file. */
static void change(tm_memory_files *files, const char *name, const char *old, const char *by)
{
    char *text = text_of(files, name), *at = strstr(text, old);
    if (!at)
        fail_msg("'%s' is not in %s:\n%s", old, name, text);
    const size_t size = strlen(text) + strlen(by) + 1;
    char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, by, at + strlen(old));
    assert_int_equal(tm_memory_files_add(files, name, changed, strlen(changed), NULL), TM_OK);
    free(changed);
    free(text);
}

/* ------------------------------------------------------------------------------------------------------------- fields */

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

static void check_fields(const tm_map *base, tm_owner owner, const tm_address *address)
{
    size_t num;
    const tm_field *fields = tm_fields(owner, &num);
    for (size_t i = 0; i < num; i++) {
        const bool strings = fields[i].type == TM_TYPE_TEXT || fields[i].type == TM_TYPE_NAME;
        for (int try = 0; try < 6; try++) {
            tm_map *map;
            assert_int_equal(tm_map_clone(&map, base, NULL), TM_OK);
            void *object = address->kind == TM_ADDRESS_IMAGE      ? (void *)&map->images[address->index]
                           : address->kind == TM_ADDRESS_SOUND    ? (void *)&map->sounds[address->index]
                           : address->kind == TM_ADDRESS_ENVELOPE ? (void *)&map->envelopes[address->index]
                           : address->kind == TM_ADDRESS_GROUP    ? (void *)&map->groups[address->index]
                           : address->kind == TM_ADDRESS_LAYER
                               ? (void *)&map->groups[address->index].layers[address->layer]
                           : address->kind == TM_ADDRESS_INFO ? (void *)&map->info
                                                              : (void *)map;
            const tm_value value = another_value(&fields[i], try);
            if ((!fields[i].setter || strings) && tm_field_present(&fields[i], object) &&
                fields[i].type != TM_TYPE_TEXTS &&
                tm_field_set_any(map, object, &fields[i], 0, &value, NULL) == TM_OK &&
                tm_map_verify(map, NULL) == TM_OK)
                check_through_files(map);
            tm_map_free(map);
        }
    }
}

static void every_field_survives(void **state)
{
    (void)state;
    tm_map *map = make_map();
    map->groups[0].has_parallax_zoom = true;
    map->groups[0].layers[1].as.tiles.automapper.present = true;
    check_through_files(map);
    for (uint32_t i = 0; i < 2; i++) {
        check_fields(map, TM_OWNER_IMAGE, &(tm_address){TM_ADDRESS_IMAGE, i, 0});
        check_fields(map, TM_OWNER_SOUND, &(tm_address){TM_ADDRESS_SOUND, i, 0});
        check_fields(map, TM_OWNER_ENVELOPE, &(tm_address){TM_ADDRESS_ENVELOPE, i, 0});
        check_fields(map, TM_OWNER_GROUP, &(tm_address){TM_ADDRESS_GROUP, i, 0});
        for (uint32_t l = 0; l < map->groups[i].num_layers; l++) {
            const tm_address address = {TM_ADDRESS_LAYER, i, l};
            check_fields(map, TM_OWNER_LAYER, &address);
            check_fields(map, tm_owner_of_layer(map->groups[i].layers[l].kind), &address);
        }
    }
    check_fields(map, TM_OWNER_INFO, &(tm_address){TM_ADDRESS_INFO, 0, 0});
    check_fields(map, TM_OWNER_MAP, &(tm_address){TM_ADDRESS_MAP, 0, 0});
    tm_map_free(map);
}

/* Each bit of a quad, a source, a point and a tile. */
static void every_bit_of_elements_survives(void **state)
{
    (void)state;
    tm_map *map = make_map();
    for (uint32_t bit = 0; bit < 38 * 32; bit += 5) {
        tm_quad *quads;
        tm_sound_source *sources;
        tm_edit_grid grid;
        uint32_t num;
        assert_int_equal(tm_map_edit_quads(map, 1, 0, &quads, &num, NULL), TM_OK);
        ((uint8_t *)quads)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(tm_map_edit_sources(map, 1, 1, &sources, &num, NULL), TM_OK);
        ((uint8_t *)sources)[bit / 8 % sizeof(*sources)] ^= (uint8_t)(1u << bit % 8);
        ((uint8_t *)map->envelopes[0].points)[bit / 8 % sizeof(tm_envelope_point)] ^=
            (uint8_t)(1u << bit % 8);
        for (uint32_t l = 0; l < map->groups[0].num_layers; l++) {
            assert_int_equal(tm_map_edit_tiles(map, 0, l, &grid, NULL), TM_OK);
            ((uint8_t *)grid.tiles)[bit / 8 % (grid.tile_size * 7u)] ^= (uint8_t)(1u << bit % 8);
        }
        check_through_files(map);
    }
    tm_map_free(map);
}

/* -------------------------------------------------------------------------------------------------------------- names */

static void lower(char *out, const char *name)
{
    for (; *name; name++)
        *out++ = (char)(*name >= 'A' && *name <= 'Z' ? *name + 32 : *name);
    *out = '\0';
}

static void names_are_safe_and_different(void **state)
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
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0};
    char folded[512], other[512];
    for (size_t i = 0; i < num; i++) {
        assert_int_equal(tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL), TM_OK);
        assert_int_equal(tm_map_set_text(map, &map->images[0].name, names[i], NULL), TM_OK);
        add_layer(map, 0, TM_LAYER_QUADS, 0, 0);
        tm_map_set_name(map->groups[0].layers[map->groups[0].num_layers - 1].name, TM_NAME_SIZE, names[i]);
        assert_int_equal(tm_map_insert(map, TM_OBJECT_GROUP, map->num_groups, NULL), TM_OK);
        tm_map_set_name(map->groups[map->num_groups - 1].name, TM_NAME_SIZE, names[i]);
    }
    write_map(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        const char *name = files.list[i].name, *last = strrchr(name, '/');
        assert_true(tm_file_name_valid(name));
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
    check_same(map, &files);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

/* What a new object costs: a line in a list, and its file. */
static void a_new_object_changes_a_line(void **state)
{
    (void)state;
    tm_map *map = make_map();
    tm_memory_files before = {0}, after = {0};
    write_map(&before, map);
    assert_int_equal(tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL), TM_OK);
    assert_int_equal(tm_map_set_text(map, &map->images[0].name, "new", NULL), TM_OK);
    assert_int_equal(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL), TM_OK);
    tm_map_set_name(map->groups[0].layers[0].name, TM_NAME_SIZE, "new");
    write_map(&after, map);
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
    tm_memory_files_release(&before);
    tm_memory_files_release(&after);
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------------------- faults */

static bool told(const tm_findings *findings, tm_finding_id id, const char *place, const char *text)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id && strcmp(findings->list[i].place, place) == 0 &&
            strstr(findings->list[i].text, text))
            return true;
    return false;
}

static void faults_are_told_with_their_places(void **state)
{
    static const struct {
        const char *file, *old, *by;
        tm_finding_id id;
        const char *place, *text;
    } faults[] = {
        {"map.json", "\"ddnet\"", "\"quake\"", TM_FINDING_FOLDER_VALUE, "map.json:3:11", "ddnet"},
        {"images.txt", "image\n", "image\n../x\n", TM_FINDING_FOLDER_NAME, "images.txt:2:1", "../x"},
        {"envelopes.txt", "envelope\n", "envelope\nenvelope\n", TM_FINDING_FOLDER_NAME, "envelopes.txt:2:1",
         "line 1"},
        {"sounds.txt", "sound\n", "sound\nlost\n", TM_FINDING_FOLDER_MISSING, "sounds/lost.json", "missing"},
        {"groups/group.json", "\"x\": 0", "\"x\": \"far\"", TM_FINDING_FOLDER_VALUE, "groups/group.json:3:19",
         "a whole number"},
        {"groups/group-2.json", "\"name\": \"\",", "\"name\": \"\"", TM_FINDING_FOLDER_TEXT,
         "groups/group-2.json:3:3", "comma"},
        {"groups/group/Game.json", "0*7", "0*8", TM_FINDING_FOLDER_VALUE, "groups/group/Game.json:13:5",
         "8 tiles"},
        {"groups/group/tiles.json", "0*7\",\n", "0*6 12q\",\n", TM_FINDING_FOLDER_VALUE,
         "groups/group/tiles.json:13:12", "letter"},
        {"groups/group/Front.json", "    \"0*7\",\n", "", TM_FINDING_FOLDER_VALUE,
         "groups/group/Front.json:18:3", "4 rows"},
        {"groups/group/Tele.json", "0*7", "0*6 300/1", TM_FINDING_FOLDER_VALUE,
         "groups/group/Tele.json:14:10", "fit"},
        {"groups/group-2/quads.json", "\"#ffffffff\"", "\"red\"", TM_FINDING_FOLDER_VALUE,
         "groups/group-2/quads.json:7:102", "#rrggbb"},
        {"images/image.json", "image.png", "../../passwd", TM_FINDING_FOLDER_MISSING, "images/../../passwd",
         "missing"},
    };
    (void)state;
    tm_map *map = make_map(), *read;
    tm_memory_files files = {0};
    tm_findings findings;
    tm_error error;
    write_map(&files, map);
    tm_findings_init(&findings, 0, NULL);
    const size_t num = sizeof(faults) / sizeof(*faults);
    for (size_t i = 0; i < num; i++)
        change(&files, faults[i].file, faults[i].old, faults[i].by);
    assert_int_equal(read_map(&read, &files, &findings, &error), TM_ERROR_DAMAGED);
    assert_null(read);
    for (size_t i = 0; i < num; i++) {
        if (!told(&findings, faults[i].id, faults[i].place, faults[i].text)) {
            test_print_findings(&findings);
            fail_msg("not told: %s: %s", faults[i].place, faults[i].text);
        }
    }
    assert_true(findings.errors >= num);
    assert_true(error.place[0] && error.text[0]);
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

static void what_is_not_known_is_told_and_left(void **state)
{
    (void)state;
    tm_map *map = make_map(), *read;
    tm_memory_files files = {0};
    tm_findings findings;
    write_map(&files, map);
    tm_findings_init(&findings, 0, NULL);
    change(&files, "groups/group.json", "{", "{\"note\": {\"by\": [\"me\", {}]}, ");
    change(&files, "groups/group/Game.json", "{", "{ \"comment\": \"hard part\",");
    assert_int_equal(tm_memory_files_add(&files, "images/forgotten.png", "x", 1, NULL), TM_OK);
    assert_int_equal(tm_memory_files_add(&files, "README.md", "x", 1, NULL), TM_OK);
    assert_int_equal(read_map(&read, &files, &findings, NULL), TM_OK);
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "groups/group.json:1:2", "note"));
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "groups/group/Game.json:1:3", "comment"));
    assert_true(told(&findings, TM_FINDING_FOLDER_UNUSED, "images/forgotten.png", "no list"));
    assert_int_equal(findings.num, 3);
    assert_true(test_map_same(map, read));
    tm_map_free(read);
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------------ hands and tools */

static bool is_text(const char *name)
{
    return strstr(name, ".json") || strstr(name, ".txt");
}

static void windows_may_have_had_it(void **state)
{
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0}, changed = {0};
    write_map(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        tm_buffer text = {0};
        const tm_output output = tm_output_to_buffer(&text);
        const char *from = files.list[i].bytes;
        output.write(output.ctx, "\xef\xbb\xbf", is_text(files.list[i].name) ? 3 : 0, NULL);
        for (size_t k = 0; k < files.list[i].size; k++) {
            output.write(output.ctx, "\r", from[k] == '\n' && is_text(files.list[i].name) ? 1 : 0, NULL);
            output.write(output.ctx, from + k, 1, NULL);
        }
        assert_int_equal(tm_memory_files_add(&changed, files.list[i].name, text.bytes, text.size, NULL),
                         TM_OK);
        tm_buffer_release(&text);
    }
    check_same(map, &changed);
    tm_memory_files_release(&changed);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

/* Members in another order, as tools write them that sort: tiles before the size, points before the kind. */
static void members_come_in_any_order(void **state)
{
    static const char layer[] =
        "{\"tiles\": [\"1*3\", \"1 2xyor 3/1\"], \"width\": 3, \"height\": 2, \"kind\": \"tele\"}";
    static const char one[] =
        "{\"tiles\": [\"1*3\", \"1 2xyor 3\"], \"width\": 3, \"height\": 2, \"kind\": \"game\"}";
    (void)state;
    tm_map *map = make_map(), *read;
    tm_memory_files files = {0};
    const tm_tile *tiles;
    tm_grid grid;
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    write_map(&files, map);
    assert_int_equal(tm_memory_files_add(&files, "groups/group/Game.json", one, strlen(one), NULL), TM_OK);
    assert_int_equal(read_map(&read, &files, NULL, NULL), TM_OK);
    assert_int_equal(tm_map_tiles(read, &read->groups[0].layers[0], &grid, NULL), TM_OK);
    assert_true(grid.width == 3 && grid.height == 2);
    tiles = grid.tiles;
    assert_int_equal(tiles[4].index, 2);
    assert_int_equal(tiles[4].flags, 15);
    tm_map_free(read);
    assert_int_equal(tm_memory_files_add(&files, "groups/group/Game.json", layer, strlen(layer), NULL),
                     TM_OK);
    assert_int_equal(read_map(&read, &files, &findings, NULL), TM_ERROR_DAMAGED);
    assert_true(told(&findings, TM_FINDING_FOLDER_VALUE, "groups/group/Game.json:1:23", "slash"));
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

static void a_picture_may_be_replaced(void **state)
{
    static const uint8_t pixels[2 * 5 * 4] = {1, 2, 3, 4};
    (void)state;
    tm_map *map = make_map(), *read;
    tm_memory_files files = {0};
    tm_buffer png = {0};
    const tm_output output = tm_output_to_buffer(&png);
    tm_findings findings;
    tm_findings_init(&findings, 0, NULL);
    write_map(&files, map);
    assert_int_equal(tm_png_write(&output, pixels, 2, 5, NULL, NULL), TM_OK);
    assert_int_equal(tm_memory_files_add(&files, "images/image.png", png.bytes, png.size, NULL), TM_OK);
    assert_int_equal(read_map(&read, &files, &findings, NULL), TM_OK);
    assert_true(told(&findings, TM_FINDING_FOLDER_ADJUSTED, "images/image.png", "2 x 5"));
    assert_true(read->images[0].width == 2 && read->images[0].height == 5);
    tm_map_free(read);
    tm_buffer_release(&png);
    tm_findings_release(&findings);
    tm_memory_files_release(&files);
    tm_map_free(map);
}

/* -------------------------------------------------------------------------------------------------------------- harm */

/* Each text file cut at every length: fine or damaged, never anything else, and always with a word. */
static void cut_files_do_no_harm(void **state)
{
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0};
    write_map(&files, map);
    for (uint32_t i = 0; i < files.num; i++) {
        const size_t whole = files.list[i].size, step = whole > 2000 ? 7 : 1;
        for (size_t size = 0; size < whole; size += step) {
            tm_error error = {0};
            tm_map *read;
            files.list[i].size = size;
            const tm_status status = read_map(&read, &files, NULL, &error);
            if (status != TM_OK && (status != TM_ERROR_DAMAGED || !error.text[0]))
                fail_msg("%s cut to %zu: %s: %s", files.list[i].name, size, tm_status_name(status),
                         error.text);
            tm_map_free(read);
        }
        files.list[i].size = whole;
    }
    tm_memory_files_release(&files);
    tm_map_free(map);
}

static void every_failure_of_memory_is_told(void **state)
{
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0};
    write_map(&files, map);
    const tm_files_in in = tm_memory_files_in(&files);
    for (size_t n = 1;; n += n < 200 ? 1 : 13) {
        struct test_memory memory;
        tm_map *read;
        tm_error error = {0};
        test_memory_init(&memory);
        memory.fail_at = n;
        memory.fail_after = true; /* one more try with less must not help */
        const tm_mapdir_read_options options = {sizeof(options), NULL, &memory.allocator};
        const tm_status status = tm_mapdir_read(&read, NULL, &in, &options, NULL, NULL, &error);
        tm_map_free(read);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
        if (status != TM_ERROR_MEMORY)
            fail_msg("request %zu: %s: %s", n, tm_status_name(status), error.text);
    }
    for (size_t n = 1;; n++) {
        struct test_memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        memory.fail_after = true; /* one more try with less must not help */
        tm_memory_files again = {.allocator = &memory.allocator};
        const tm_files_out out = tm_memory_files_out(&again);
        const tm_status status = tm_mapdir_write(map, &out, NULL, NULL, NULL, NULL);
        tm_memory_files_release(&again);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
        assert_int_equal(status, TM_ERROR_MEMORY);
    }
    tm_memory_files_release(&files);
    tm_map_free(map);
}

/* A few bytes that stand for gigabytes meet the limits. */
static void small_files_do_not_become_large(void **state)
{
    static const char *const layers[] = {
        "{\"kind\": \"game\", \"width\": 40000, \"height\": 40000, \"tiles\": []}",
        "{\"kind\": \"game\", \"width\": 2000000000, \"height\": 1, \"tiles\": [\"0*2000000000\"]}",
        "{\"kind\": \"game\", \"width\": 5, \"height\": 1, \"tiles\": [\"0*2000000000 0*2000000000\"]}",
        "{\"kind\": \"game\", \"width\": 70000, \"height\": 70000, \"tiles\": [\"0\"]}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    };
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0};
    write_map(&files, map);
    for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
        struct test_memory memory;
        tm_map *read;
        test_memory_init(&memory);
        const tm_limits limits = {.size = sizeof(limits), .block_bytes = 1 << 20};
        const tm_mapdir_read_options options = {sizeof(options), &limits, &memory.allocator};
        assert_int_equal(
            tm_memory_files_add(&files, "groups/group/Game.json", layers[i], strlen(layers[i]), NULL), TM_OK);
        const tm_files_in in = tm_memory_files_in(&files);
        const tm_status status = tm_mapdir_read(&read, NULL, &in, &options, NULL, NULL, NULL);
        assert_true(status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT);
        assert_true(memory.most_bytes < 3 << 20);
        assert_int_equal(memory.num_blocks, 0);
    }
    tm_memory_files_release(&files);
    tm_map_free(map);
}

static void names_of_files_are_judged(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "a/b.c", "..a", "a..", ".hidden", "a b"};
    static const char *const bad[] = {"",   "/",    "/a",     "a/",   "a//b", ".",
                                      "..", "../a", "a/../b", "a\\b", "a\n",  "a/."};
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_true(tm_file_name_valid(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        tm_memory_files files = {0};
        assert_false(tm_file_name_valid(bad[i]));
        assert_int_equal(tm_memory_files_add(&files, bad[i], "x", 1, NULL), TM_ERROR_USAGE);
    }
    assert_false(tm_mapdir_is_own("README.md"));
    assert_false(tm_mapdir_is_own("images/x.xcf"));
    assert_true(tm_mapdir_is_own("images/x.png"));
}

/* The object that cat shows is the one in the folder. */
static void one_object_is_as_in_its_file(void **state)
{
    (void)state;
    tm_map *map = make_map();
    tm_memory_files files = {0};
    write_map(&files, map);
    const struct {
        tm_address address;
        const char *file;
    } rows[] = {{{TM_ADDRESS_IMAGE, 1, 0}, "images/image-2.json"},
                {{TM_ADDRESS_SOUND, 1, 0}, "sounds/sound-2.json"},
                {{TM_ADDRESS_ENVELOPE, 0, 0}, "envelopes/envelope.json"},
                {{TM_ADDRESS_GROUP, 1, 0}, "groups/group-2.json"},
                {{TM_ADDRESS_LAYER, 0, 3}, "groups/group/Speedup.json"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        tm_buffer bytes = {0};
        const tm_output output = tm_output_to_buffer(&bytes);
        const tm_memory_file *file = tm_memory_files_find(&files, rows[i].file);
        assert_non_null(file);
        assert_int_equal(tm_mapdir_write_object(map, &rows[i].address, &output, NULL), TM_OK);
        assert_int_equal(bytes.size, file->size);
        assert_memory_equal(bytes.bytes, file->bytes, file->size);
        tm_buffer_release(&bytes);
    }
    tm_memory_files_release(&files);
    tm_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_survives),
        cmocka_unit_test(every_bit_of_elements_survives),
        cmocka_unit_test(names_are_safe_and_different),
        cmocka_unit_test(a_new_object_changes_a_line),
        cmocka_unit_test(faults_are_told_with_their_places),
        cmocka_unit_test(what_is_not_known_is_told_and_left),
        cmocka_unit_test(windows_may_have_had_it),
        cmocka_unit_test(members_come_in_any_order),
        cmocka_unit_test(a_picture_may_be_replaced),
        cmocka_unit_test(cut_files_do_no_harm),
        cmocka_unit_test(every_failure_of_memory_is_told),
        cmocka_unit_test(small_files_do_not_become_large),
        cmocka_unit_test(names_of_files_are_judged),
        cmocka_unit_test(one_object_is_as_in_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
