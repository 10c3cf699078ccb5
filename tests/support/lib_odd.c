/* SPDX-License-Identifier: Zlib */
/*
 * The list of odd maps, and the pieces that they are made of; see lib_odd.h and lib_odd_pieces.h.
 */
#include "lib_odd_pieces.h"
#include "test.h"

enum { MAX_INTS = 40, MAX_ODDS = 128 };

void test_odd_layer(struct test_maker *m, int id, size_t num, int32_t data, const struct test_edit *edits,
                    size_t num_edits)
{
    int32_t ints[MAX_INTS] = {
        0, 2, 0, 3, 4, 3, 0, 255, 255, 255, 255, -1, 0, -1, data, TEST_NAME3("Tiles"), -1, -1, -1, -1, -1};
    for (size_t i = 0; i < num_edits; i++)
        ints[edits[i].k] = edits[i].value;
    test_maker_item(m, TM_ITEM_LAYER, id, ints, num);
}

int32_t test_odd_tiles(struct test_maker *m)
{
    static const uint8_t bytes[4 * 3 * 4] = {1, 0, 0, 0, 2, 1, 0, 0};
    return test_maker_data(m, bytes, sizeof(bytes));
}

void test_odd_group(struct test_maker *m, int id, int first, int num)
{
    TEST_ITEM(m, TM_ITEM_GROUP, id, 3, 0, 0, 100, 100, first, num, 0, 0, 0, 0, 0, TEST_NAME3("Group"));
}

void test_odd_version(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 0, 1);
}

void test_odd_info(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, -1);
}

void test_odd_start(struct test_maker *m, int num)
{
    test_odd_version(m);
    test_odd_info(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, num);
}

void test_odd_envelope(struct test_maker *m, int id, int first, int num)
{
    TEST_ITEM(m, TM_ITEM_ENVELOPE, id, 2, 3, first, num, TEST_NAME8("e"), 1);
}

void test_odd_points(struct test_maker *m, int num)
{
    int32_t ints[6 * 10] = {0};
    for (int i = 0; i < num; i++)
        ints[6 * i] = 10 * (i + 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 6 * (size_t)num);
}

/* ------------------------------------------------------------------------------------------------------- the list */

static struct test_odd odds[MAX_ODDS];
static size_t num_odds;
extern const char *const test_odd_files[];
const char *const test_odd_files[] = {&test_odd_items, &test_odd_layers};

void test_odd_register(struct test_odd odd)
{
    assert_true(num_odds < MAX_ODDS);
    odds[num_odds++] = odd;
}

const struct test_odd *test_odd_at(size_t i)
{
    return i < num_odds ? &odds[i] : NULL;
}

tm_buffer test_odd_file(const struct test_odd *odd)
{
    struct test_maker maker = test_maker_new();
    odd->make(&maker);
    return test_maker_finish(&maker);
}
