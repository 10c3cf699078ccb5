/* SPDX-License-Identifier: Zlib */
/*
 * Planes of rows of tiles: the machine's own way (src/automap/fill_avx2.c, where there is one) and plain C give the same
 * words, for sets of indices, with flags or without, and for rows that end within a word.
 */
#define tmi_planes_fill         plain_planes_fill
#define tmi_planes_fill_outside plain_planes_fill_outside
#define tmi_planes_find_ways    plain_planes_find_ways
#define tmi_planes_row_words    plain_planes_row_words
#define tmi_planes_state        plain_planes_state
#include "../src/automap/fill_planes.c"
#undef tmi_planes_fill

#include "support/lib_automap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

void tmi_planes_fill(const tmi_planes *planes, uint64_t *row, const tm_tile *tiles);

static uint32_t drawn = 1;

static uint32_t draw_below(uint32_t below)
{
    drawn = drawn * 1664525U + 1013904223U;
    return (uint32_t)(((uint64_t)(drawn >> 8) * below) >> 24);
}

/* Some tiles of any kind, some of few, some all alike. */
static void draw_tiles(tm_tile *tiles, uint32_t width)
{
    for (uint32_t i = 0; i < width;) {
        const uint32_t end = i + 1 + draw_below(200), way = draw_below(3);
        const tm_tile one = {(uint8_t)draw_below(256), (uint8_t)draw_below(256), 0, 0};
        for (; i < end && i < width; i++) {
            tiles[i] = one;
            if (way == 1)
                tiles[i] = (tm_tile){(uint8_t)draw_below(256), (uint8_t)draw_below(256),
                                     (uint8_t)draw_below(256), 1};
            if (way == 2)
                tiles[i] = (tm_tile){(uint8_t)(draw_below(2) * 127), (uint8_t)draw_below(16), 0, 0};
        }
    }
}

/* Once with the ways of this machine, once with those of plain C. */
static void require_same_planes(const char *text, uint32_t width)
{
    const tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    tm_automap_rules *rules = test_rules_of_text(text);
    tm_tile *tiles = calloc(width, sizeof(*tiles));
    const tmi_automap_work work = {.rules = rules,
                                   .config = tm_automap_configs(rules, NULL),
                                   .options = &options,
                                   .layer = {tiles, width, 1, 0, 0}};
    tmi_planes *planes;
    assert_non_null(tiles);
    assert_int_equal(tmi_planes_new(&planes, &work, 0, UINT64_MAX, NULL), TM_OK);
    assert_non_null(planes);
    const size_t num = tmi_planes_row_words(planes);
    uint64_t *row = calloc(num, sizeof(*row)), *plain = calloc(num, sizeof(*plain));
    assert_true(row && plain);
    tmi_planes other = *planes;
    other.fill_64 = fill_64;
    other.alike_64 = alike_64;
    for (int i = 0; i < 50; i++) {
        draw_tiles(tiles, width);
        tmi_planes_fill(planes, row, tiles);
        plain_planes_fill(&other, plain, tiles);
        assert_memory_equal(row, plain, num * sizeof(*row));
        for (uint32_t x = 0; x < width; x++) { /* plane 0: which are empty */
            const uint64_t word = row[planes->pad + x / TMI_PLANE_BITS];
            assert_int_equal(word >> x % TMI_PLANE_BITS & 1, tiles[x].index == 0);
        }
    }
    free(row);
    free(plain);
    tmi_planes_free(planes);
    tm_automap_free(rules);
    free(tiles);
}

static void both_ways_fill_the_same_planes(void **state)
{
    (void)state;
    static const char with_flags[] =
        "[a]\nIndex 1\nPos 1 0 INDEX 0 NONE OR 127 XFLIP OR 127 YFLIP OR 200\nPos 2 0 INDEX 127 ROTATE OR 3\n"
        "Pos -1 0 INDEX 129 XFLIP YFLIP ROTATE OR 1 OR 2 OR 4 OR 8 OR 16 OR 32 OR 64 OR 128\nPos 3 0 INDEX 300\n";
    static const char *const texts[] = {
        "[a]\nIndex 1\n",
        "[a]\nIndex 1\nPos 1 0 INDEX 0 OR 127 OR 128 OR 255 OR 16\nPos 2 0 NOTINDEX 127\nPos 0 0 INDEX -1\n",
        with_flags,
    };
    static const uint32_t widths[] = {1, 2, 63, 64, 65, 127, 128, 500, 1000};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (size_t k = 0; k < sizeof(widths) / sizeof(widths[0]); k++)
            require_same_planes(texts[i], widths[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_fill_the_same_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
