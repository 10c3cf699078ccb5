/* SPDX-License-Identifier: Zlib */
/*
 * Maps of newer games: an item that goes on after what teemap knows, an item of an unknown type or UUID, a
 * layer of an unknown kind, a layer in no group. Any of them may refer to objects by number, so what is
 * tidied up automatically leaves all objects where they are, and says so; what is asked for is done, and
 * said, too: by everything that changes maps.
 */
#include "support/lib_maps.h"
#include "support/test.h"

enum { MOST_INTS = 40 };

/* What is unknown: an item of a type with more ints, or another item. */
typedef enum unknown {
    NOTHING, /* all is known */
    TAIL_OF_IMAGE,
    TAIL_OF_SOUND,
    TAIL_OF_ENVELOPE,
    TAIL_OF_GROUP,
    TAIL_OF_GROUP_EX,
    TAIL_OF_TILES,
    TAIL_OF_QUADS,
    TAIL_OF_SOUNDS,
    UNKNOWN_TYPE,
    UNKNOWN_UUID,
    UNKNOWN_LAYER,
    LONE_LAYER,
    NUM_UNKNOWN
} unknown;

static void put(struct test_maker *maker, int type, int id, const int32_t *ints, size_t num, bool longer)
{
    int32_t copy[MOST_INTS] = {0};
    memcpy(copy, ints, num * sizeof(*ints));
    test_maker_item(maker, type, id, copy,
                    num + (longer ? 2 : 0)); /* the tail: position envelope 0, offset 0 */
}
#define PUT(type, id, longer, ...)                        \
    put(&maker, type, id, (const int32_t[]){__VA_ARGS__}, \
        sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), longer)

/*
 * Two equal images, sounds and envelopes to which nothing refers, a group with the game layer and a tile
 * layer, a quad layer and a sound layer without content, and a group without layers.
 */
static tm_buffer new_file(unknown what)
{
    static const tm_uuid stranger = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    struct test_maker maker = test_maker_new();
    const int32_t game = test_maker_data(&maker, NULL, 5 * 7 * 4),
                  air = test_maker_data(&maker, NULL, 3 * 2 * 4);
    const int32_t quads = test_maker_data(&maker, NULL, 152), sources = test_maker_data(&maker, NULL, 52);
    const int32_t grass = test_maker_text(&maker, "grass"), beep = test_maker_text(&maker, "beep");
    const int32_t opus = test_maker_text(&maker, "OggS");
    const int32_t num_layers = what == LONE_LAYER ? 3 : 4;
    PUT(TM_ITEM_VERSION, 0, false, 1);
    for (int i = 0; i < 2; i++) {
        PUT(TM_ITEM_IMAGE, i, i && what == TAIL_OF_IMAGE, 1, 64, 64, 1, grass, -1);
        PUT(TM_ITEM_SOUND, i, i && what == TAIL_OF_SOUND, 1, 0, beep, opus, 5);
        PUT(TM_ITEM_ENVELOPE, i, i && what == TAIL_OF_ENVELOPE, 2, 3, 0, 0, TEST_NAME8("move"), 1);
    }
    PUT(TM_ITEM_GROUP, 0, what == TAIL_OF_GROUP, 3, 0, 0, 100, 100, 0, num_layers, 0, 0, 0, 0, 0,
        TEST_NAME3("Game"));
    PUT(TM_ITEM_GROUP, 1, false, 3, 0, 0, 100, 100, 4, 0, 0, 0, 0, 0, 0, TEST_NAME3("none"));
    for (int i = 0; i < 2; i++)
        test_maker_uuid_item(&maker, TM_UUID_GROUP_EX, i, (const int32_t[]){1, 100, 0, 0},
                             what == TAIL_OF_GROUP_EX && i == 0 ? 4 : 2);
    PUT(TM_ITEM_LAYER, 0, false, 0, 2, 0, 3, 5, 7, 1, 255, 255, 255, 255, -1, 0, -1, game, TEST_NAME3("Game"),
        -1, -1, -1, -1, -1);
    PUT(TM_ITEM_LAYER, 1, what == TAIL_OF_TILES, 0, 2, 0, 3, 3, 2, 0, 255, 255, 255, 255, -1, 0, -1, air,
        TEST_NAME3("air"), -1, -1, -1, -1, -1);
    PUT(TM_ITEM_LAYER, 2, what == TAIL_OF_QUADS, 0, 3, 0, 2, 0, quads, -1, TEST_NAME3("none"));
    if (what == UNKNOWN_LAYER)
        PUT(TM_ITEM_LAYER, 3, false, 0, 77, 0, 1, 0, 0);
    else
        PUT(TM_ITEM_LAYER, 3, what == TAIL_OF_SOUNDS, 0, 10, 0, 2, 0, sources, -1, TEST_NAME3("none"));
    PUT(TM_ITEM_ENVELOPE_POINTS, 0, false, 0, 0, 0, 0, 0, 0);
    if (what == UNKNOWN_TYPE)
        PUT(99, 0, false, 0, 1);
    if (what == UNKNOWN_UUID) {
        test_maker_index(&maker, 0xFFF0, &stranger);
        PUT(0xFFF0, 0, false, 0, 1);
    }
    return test_maker_finish(&maker);
}

static tm_buffer files[NUM_UNKNOWN]; /* maps read from them until they end */

static void drop_files(void)
{
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++)
        tm_buffer_release(&files[what]);
}

TEST_GROUP(NULL, drop_files)

static tm_map *new_map(unknown what)
{
    tm_map *map;
    if (!files[what].bytes)
        files[what] = new_file(what);
    must(test_map_try(&map, &files[what], TM_MODE_GAME, NULL, NULL));
    return map;
}

/* All objects, by which it is seen whether some went. */
static uint32_t count_objects(const tm_map *map)
{
    return map->num_images + map->num_sounds + map->num_envelopes + map->num_groups + tm_map_num_layers(map);
}

static const tm_finding *run(tm_map *map, const char *name, const char *argument, tm_report *report)
{
    const tm_edit_operation *operation = tm_edit_find(name);
    assert_non_null(operation);
    tm_report_init(report, NULL);
    must(tm_edit_run(map, operation, &argument, argument ? 1 : 0, NULL, report, NULL));
    return test_get_finding(&report->findings, TM_FINDING_UNKNOWN_MAY_REFER);
}

TEST(what_may_be_referred_to_stays)
{
    static const char *const names[] = {"optimize",     "clean all",    "clean envelopes", "clean images",
                                        "clean sounds", "clean layers", "clean groups",    "join all",
                                        "join images",  "join sounds",  "join envelopes"};
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++) {
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
            OWN(tm_map) *map = new_map(what);
            OWN(tm_report) report;
            const uint32_t before = count_objects(map);
            const tm_finding *found = run(map, names[i], NULL, &report);
            if (!found != (what == NOTHING))
                fail_msg("%s of %d", names[i], (int)what);
            if (what == NOTHING)
                assert_true(count_objects(map) < before);
            else
                assert_int_equal(count_objects(map), before);
            assert_true(what == NOTHING || tm_report_has_warnings(&report));
        }
    }
}

/* What is done to a map, and whether objects get other numbers by it. */
typedef struct change {
    const char *name;
    tm_status (*run)(tm_map *map, unknown what, const char *script, tm_report *report, tm_error *error);
    const char *script;
    bool renumbers;
} change;

static tm_status open_plain(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    (void)ctx, (void)name, (void)error;
    *map = new_map(NOTHING);
    return TM_OK;
}

static tm_status run_script(tm_map *map, unknown what, const char *text, tm_report *report, tm_error *error)
{
    tm_edit_options options = TM_EDIT_OPTIONS_INIT;
    tm_edit_script *script;
    (void)what;
    options.open = open_plain;
    must(tm_edit_script_from_text(&script, text, strlen(text), NULL, error));
    const tm_status status = tm_edit_script_run(map, script, &options, report, error);
    tm_edit_script_free(script);
    return status;
}

/* A patch of maps of which all is known. */
static tm_status run_patch(tm_map *map, unknown what, const char *script, tm_report *report, tm_error *error)
{
    OWN(tm_map) *before = new_map(NOTHING), *after = new_map(NOTHING);
    OWN(tm_patch) *patch;
    (void)what;
    must(run_script(after, NOTHING, script, NULL, error));
    must(tm_patch_make(&patch, before, after, NULL, error));
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    options.partial = true;
    return tm_patch_apply(map, patch, &options, report, error);
}

/* `map` is ours, with a change of its own. */
static tm_status run_merge(tm_map *map, unknown what, const char *script, tm_report *report, tm_error *error)
{
    OWN(tm_map) *base = new_map(what), *theirs = new_map(what), *merged;
    OWN(tm_conflicts) *conflicts;
    must(run_script(map, NOTHING, "set info.author=Anna", NULL, error));
    must(run_script(theirs, NOTHING, script, NULL, error));
    const tm_status status = tm_map_merge(&merged, &conflicts, base, map, theirs, NULL, report, error);
    tm_map_swap(map, merged);
    return status;
}

static tm_status run_convert(tm_map *map, unknown what, const char *script, tm_report *report,
                             tm_error *error)
{
    tm_convert_options options = TM_CONVERT_OPTIONS_INIT;
    (void)what;
    options.to = *script == '7' ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET;
    return tm_convert_run(map, &options, report, error);
}

static tm_status run_fix(tm_map *map, unknown what, const char *script, tm_report *report, tm_error *error)
{
    tm_finding list[] = {{.id = TM_FINDING_BAD_TEXT_INDEX, .address = "image/1"}};
    const tm_findings findings = {.list = list, .num = 1};
    (void)what, (void)script;
    return tm_edit_fix(map, &findings, TM_FIX_VISIBLE, report, error);
}

static const change changes[] = {
    {"remove an envelope", run_script, "remove envelope/0", true},
    {"remove the last envelope", run_script, "remove envelope/1", true},
    {"remove an image", run_script, "remove image/0", true},
    {"remove a sound", run_script, "remove sound/0", true},
    {"remove a group", run_script, "remove 1", true},
    {"remove a layer", run_script, "remove 0/1", true},
    {"another in its place", run_script, "remove envelope/1\nadd envelope color", true},
    {"move an image", run_script, "move image/0 1", true},
    {"move a group", run_script, "move 0 1", true},
    {"move a layer", run_script, "move 0/0 0/1", true},
    {"move a layer into the next group", run_script, "move 0/2 1/0", true},
    {"duplicate a sound in front", run_script, "set sound/0.name=a\nduplicate sound/1 0", true},
    {"move a layer, then one in front of others", run_script, "add layer 1 tiles\nmove 1/0 0/0", true},
    {"clean, then remove", run_script, "clean all\nremove 0/0", true},
    {"add an image", run_script, "add image new", false},
    {"add an envelope", run_script, "add envelope color", false},
    {"add a group", run_script, "add group new", false},
    {"add a layer behind all", run_script, "add group new\nadd layer new tiles", false},
    {"rename", run_script, "rename 0 New", false},
    {"mirror", run_script, "mirror x", false},
    {"append", run_script, "append plain.map 1,0/1", false},
    {"patch that removes", run_patch, "remove image/0", true},
    {"patch that moves", run_patch, "move 1 0", true},
    {"patch that sets", run_patch, "set info.author=Anna", false},
    {"merge that removes", run_merge, "remove envelope/0", true},
    {"merge that sets", run_merge, "set info.version=2", false},
    {"convert to 0.7", run_convert, "7", true},
    {"convert to DDNet", run_convert, "DDNet", false},
    {"fix", run_fix, "", false},
};

TEST(other_numbers_are_told)
{
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++)
        for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
            const change *row = &changes[i];
            OWN(tm_map) *map = new_map(what);
            OWN(tm_report) report;
            tm_error error;
            tm_report_init(&report, NULL);
            const tm_status status = row->run(map, what, row->script, &report, &error);
            if (status)
                fail_msg("%s of %d: %s: %s", row->name, (int)what, error.place, error.text);
            const tm_finding *found = test_get_finding(&report.findings, TM_FINDING_UNKNOWN_MAY_REFER);
            if (!found != !(what != NOTHING && row->renumbers))
                fail_msg("%s of %d: %s", row->name, (int)what, found ? found->text : "nothing is told");
        }
}

static tm_status open_other(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    (void)name;
    return tm_map_clone(map, ctx, error);
}

/* What the items of another map have behind that which is known would name objects of that map. */
TEST(what_does_not_come_along_is_told)
{
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++) {
        const bool comes =
            what == TAIL_OF_TILES || what == TAIL_OF_QUADS || what == TAIL_OF_SOUNDS || what == UNKNOWN_LAYER;
        OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 5, 7), *other = new_map(what);
        OWN(tm_report) report;
        tm_report_init(&report, NULL);
        tm_edit_options options = TM_EDIT_OPTIONS_INIT;
        options.open = open_other;
        options.ctx = other;
        const char *const arguments[] = {"other.map", "0/1-3"};
        tm_error error;
        const tm_status status =
            tm_edit_run(map, tm_edit_find("append"), arguments, 2, &options, &report, &error);
        if (status)
            fail_msg("append of %d: %s: %s", (int)what, error.place, error.text);
        if (!test_get_finding(&report.findings, TM_FINDING_LOST_FIELD) == comes)
            fail_msg("append of %d", (int)what);
    }
}

/* Nor what those of whole groups have, also in the second item of each. */
TEST(what_does_not_come_along_with_groups_is_told)
{
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++) {
        const bool comes = what == TAIL_OF_GROUP || what == TAIL_OF_GROUP_EX || what == TAIL_OF_TILES ||
                           what == TAIL_OF_QUADS || what == TAIL_OF_SOUNDS || what == UNKNOWN_LAYER ||
                           what == TAIL_OF_IMAGE || what == TAIL_OF_SOUND || what == TAIL_OF_ENVELOPE;
        OWN(tm_map) *base = test_map_new(), *ours = test_map_clone(base), *theirs = new_map(what), *merged;
        OWN(tm_conflicts) *conflicts;
        OWN(tm_report) report;
        tm_error error;
        tm_report_init(&report, NULL);
        must(tm_map_set_text(ours, &ours->info.author, "Anna", NULL));
        must(tm_map_merge(&merged, &conflicts, base, ours, theirs, NULL, &report, &error), &error);
        assert_int_equal(merged->num_groups, theirs->num_groups);
        if (!test_get_finding(&report.findings, TM_FINDING_LOST_FIELD) == comes)
            fail_msg("merge of %d", (int)what);
    }
}

/* An item that is made anew loses what only the old one had. */
TEST(what_a_fix_loses_is_told)
{
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++) {
        OWN(tm_map) *map = new_map(what);
        OWN(tm_report) report;
        tm_report_init(&report, NULL);
        must(run_fix(map, what, "", &report, NULL));
        assert_int_equal(report.num, 1);
        assert_int_equal(!test_get_finding(&report.findings, TM_FINDING_LOST_FIELD), what != TAIL_OF_IMAGE);
    }
}

/* What is written again still has what nobody knows. */
TEST(it_is_known_of_what_is_written)
{
    for (unknown what = NOTHING + 1; what < NUM_UNKNOWN; what++) {
        OWN(tm_map) *map = new_map(what);
        OWN(tm_buffer) file = test_map_save(map, NULL);
        OWN(tm_map) *copy = test_map_load(&file, TM_MODE_GAME, NULL);
        OWN(tm_report) report;
        assert_int_equal(count_objects(copy), count_objects(map));
        assert_non_null(run(copy, "clean all", NULL, &report));
        assert_int_equal(count_objects(copy), count_objects(map));
    }
}

/* Clones, and what was changed before, know it as well. */
TEST(it_is_known_of_clones)
{
    OWN(tm_map) *map = new_map(TAIL_OF_TILES);
    OWN(tm_map) *clone;
    OWN(tm_report) report;
    must(tm_map_clone(&clone, map, NULL));
    must(tm_map_insert(clone, TM_KIND_ENVELOPE, 2, NULL));
    assert_non_null(run(clone, "clean envelopes", NULL, &report));
    assert_int_equal(clone->num_envelopes, 3);
}
