/* SPDX-License-Identifier: Zlib */
/*
 * Blocks that are packed alike are unpacked once when a map is checked; each layer still has its own
 * findings.
 */
#include "support/lib_maps.h"
#include "support/test.h"

enum { WIDTH = 7, HEIGHT = 5, SIZE = WIDTH * HEIGHT * 4, NUM = 5 };

/*
 * A map of a game layer and of layers with tiles of these kinds: f fine, s with a skip byte, o other fine
 * ones.
 */
static tm_buffer map_of(const char *kinds)
{
    struct test_maker maker = test_maker_new();
    const int32_t game = test_maker_data(&maker, NULL, SIZE);
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1 + NUM, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(&maker, TM_ITEM_LAYER, 0, 0, 2, 0, 3, WIDTH, HEIGHT, 1, 255, 255, 255, 255, -1, 0, -1, game,
              TEST_NAME3("Game"), -1, -1, -1, -1, -1);
    for (int i = 0; i < NUM; i++) {
        uint8_t tiles[SIZE] = {0};
        tiles[12] = kinds[i] == 'o' ? 3 : 2;
        tiles[18] = kinds[i] == 's';
        const int32_t data = test_maker_data(&maker, tiles, sizeof(tiles));
        TEST_ITEM(&maker, TM_ITEM_LAYER, i + 1, 0, 2, 0, 3, WIDTH, HEIGHT, 0, 255, 255, 255, 255, -1, 0, -1,
                  data, TEST_NAME3("deco"), -1, -1, -1, -1, -1);
    }
    return test_maker_finish(&maker);
}

TEST(each_copy_has_its_findings)
{
    static const char *const maps[] = {"fffff", "sssss", "ffsff", "sfsfs", "osfso", "fossf", "ssoff"};
    for (size_t m = 0; m < sizeof(maps) / sizeof(*maps); m++) {
        OWN(tm_buffer) file = map_of(maps[m]);
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        OWN(tm_findings) findings;
        char found[NUM + 1] = "-----";
        tm_findings_init(&findings, 0, NULL);
        must(tm_mapfile_check_data(map, NULL, &findings, NULL));
        for (size_t i = 0; i < findings.num; i++) {
            assert_int_equal(findings.list[i].id, TM_FINDING_TILES_SKIP);
            found[findings.list[i].address[2] - '1'] = 's';
        }
        for (int i = 0; i < NUM; i++)
            if ((found[i] == 's') != (maps[m][i] == 's'))
                fail_msg("%s: %s", maps[m], found);
    }
}
