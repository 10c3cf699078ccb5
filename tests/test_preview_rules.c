/* SPDX-License-Identifier: Zlib */
/*
 * Rules of automappers as a picture: its size, colors of what rules ask for, tiles with and without a sheet, far conditions,
 * limits, and memory that runs out.
 */
#include "support/test.h"

static tm_automap_rules *read_rules(const char *text)
{
    tm_automap_rules *rules;
    must(tm_automap_read(&rules, text, strlen(text), NULL, NULL, NULL));
    return rules;
}

static uint64_t count_color(const uint8_t *rgba, uint32_t width, uint32_t height, uint32_t rgb)
{
    uint64_t num = 0;
    for (size_t i = 0; i < (size_t)width * height; i++)
        num += ((uint32_t)rgba[4 * i] << 16 | (uint32_t)rgba[4 * i + 1] << 8 | rgba[4 * i + 2]) == rgb &&
               rgba[4 * i + 3] == 255;
    return num;
}

TEST(cells_have_the_colors_of_what_is_asked)
{
    static uint8_t sheet[32 * 32 * 4];
    const tm_pixels tiles = {sheet, 32, 32};
    OWN(tm_automap_rules) *rules = read_rules(
        "[A]\nIndex 17 XFLIP\nPos 0 -1 EMPTY\nPos 1 0 FULL\nPos -1 0 INDEX 1 OR 2\nPos 0 1 NOTINDEX 3\n");
    const tm_automap_config *config = tm_automap_configs(NULL, rules);
    uint8_t *rgba;
    uint32_t width, height;
    for (size_t i = 0; i < sizeof(sheet); i += 4)
        memcpy(sheet + i, "\1\2\3\377", 4);
    must(tm_preview_draw_rules(&rgba, &width, &height, config, &tiles, 20, NULL, NULL));
    assert_int_equal(width, 240);
    assert_int_equal(height, 24 + 14 + 60 + 10 + 8 + 8);
    assert_int_equal(count_color(rgba, width, height, 0x14161a), 19 * 19); /* air */
    assert_int_equal(count_color(rgba, width, height, 0x9aa4b4), 19 * 19); /* not air */
    assert_int_equal(count_color(rgba, width, height, 0x5cd66a),
                     19 * 19 - 15 * 15 + 6 * 6 - 20);                                /* of a list */
    assert_int_equal(count_color(rgba, width, height, 0xf0625c), 19 * 19 - 15 * 15); /* not of a list */
    assert_int_equal(count_color(rgba, width, height, 0xffd040), 5 * 5);             /* the tile itself */
    assert_true(count_color(rgba, width, height, 0x010203) >= 38 * 38);
    tm_free(NULL, rgba, (size_t)width * height * 4);
}

TEST(anything_can_be_drawn)
{
    OWN(tm_automap_rules) *rules = read_rules(
        "[A]\nIndex -1\nPos 2000000000 -2000000000 FULL\nRandom 3\nModulo 2 2 0 0\nNewRun\nNewRun\nNoLayerCopy\nIndex 300 ROTATE YFLIP\nPos 6 6 INDEX -1\nPos -6 -6 INDEX 999 XFLIP\n[B]\n");
    const tm_automap_config *configs = tm_automap_configs(NULL, rules);
    uint8_t *rgba;
    uint32_t width, height;
    for (uint32_t c = 0; c < 2; c++) {
        must(tm_preview_draw_rules(&rgba, &width, &height, &configs[c], NULL, 48, NULL, NULL));
        tm_free(NULL, rgba, (size_t)width * height * 4);
    }
    tm_error error;
    fails_with(TM_ERROR_USAGE, "cells of 11 pixels are not from 12 to 48",
               tm_preview_draw_rules(&rgba, &width, &height, configs, NULL, 11, NULL, &error));
    assert_int_equal(tm_preview_draw_rules(&rgba, &width, &height, configs, NULL, 49, NULL, &error),
                     TM_ERROR_USAGE);
    assert_null(rgba);
    struct test_memory memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    assert_int_equal(
        tm_preview_draw_rules(&rgba, &width, &height, configs, NULL, 20, &memory.allocator, &error),
        TM_ERROR_MEMORY);
    assert_null(rgba);
}

TEST(too_many_rules_are_too_many)
{
    static char text[400000];
    size_t size = (size_t)snprintf(text, sizeof(text), "[A]\n");
    for (int i = 0; i < 15000; i++)
        size += (size_t)snprintf(text + size, sizeof(text) - size, "Index 1\nPos 6 6 FULL\n");
    OWN(tm_automap_rules) *rules = read_rules(text);
    uint8_t *rgba;
    uint32_t width, height;
    assert_int_equal(
        tm_preview_draw_rules(&rgba, &width, &height, tm_automap_configs(NULL, rules), NULL, 48, NULL, NULL),
        TM_ERROR_LIMIT);
    assert_null(rgba);
}
