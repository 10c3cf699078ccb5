/* SPDX-License-Identifier: Zlib */
/*
 * Maps of newer games: an item that goes on after what teemap knows, an item of an unknown type or UUID, a layer
 * of an unknown kind, a layer in no group. Any of them may refer to objects by number, so what is tidied up
 * automatically leaves all objects where they are, and says so; what is asked for is done, and said, too.
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
 * Two equal images, sounds and envelopes to which nothing refers, a group with the game layer and a tile layer, a
 * quad layer and a sound layer without content, and a group without layers.
 */
static tm_map *new_map(unknown what)
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
    OWN(tm_buffer) file = test_maker_finish(&maker);
    tm_map *map;
    must(test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL));
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

TEST(what_is_asked_for_is_removed)
{
    static const char *const addresses[] = {"envelope/0", "image/0", "sound/0", "1", "0/1"};
    for (unknown what = NOTHING; what < NUM_UNKNOWN; what++) {
        for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
            OWN(tm_map) *map = new_map(what);
            OWN(tm_report) report;
            const uint32_t before = count_objects(map);
            const tm_finding *found = run(map, "remove", addresses[i], &report);
            assert_int_equal(!found, what == NOTHING);
            assert_int_equal(count_objects(map), before - 1);
        }
    }
}

/* Clones, and what was changed before, know it as well. */
TEST(it_is_known_of_clones)
{
    OWN(tm_map) *map = new_map(TAIL_OF_TILES);
    OWN(tm_map) *clone;
    OWN(tm_report) report;
    must(tm_map_clone(&clone, map, NULL));
    must(tm_map_insert(clone, TM_OBJECT_ENVELOPE, 2, NULL));
    assert_non_null(run(clone, "clean envelopes", NULL, &report));
    assert_int_equal(clone->num_envelopes, 3);
}
