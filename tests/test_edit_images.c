/* SPDX-License-Identifier: Zlib */
/*
 * Operations on the pixels of images: the values that DDNet's own code gave (golden-edit/dilate.tsv, optimize.tsv), and maps made by
 * hand.
 */
#include "map/map.h"
#include "support/lib_edit.h"
#include "support/sha256.h"

static uint8_t *pixels_of(const tm_map *map, uint32_t index, size_t *size)
{
    const tm_image *image = &map->images[index];
    *size = (size_t)image->width * (size_t)image->height * 4;
    uint8_t *pixels = malloc(*size);
    assert_non_null(pixels);
    must(tm_map_image_pixels(map, image, pixels, *size, NULL));
    return pixels;
}

/* ----------------------------------------------------------------------------------------- expected values */

/* Runs steps on one image of a clone and compares the hash of its pixels; `steps` has %u for the image. */
static bool gives(const tm_map *map, uint32_t image, const char *steps, const char *expected)
{
    size_t size;
    char line[256], at[16], got[65];
    OWN(tm_map) *clone = test_map_clone(map);
    snprintf(at, sizeof(at), "image/%u", image);
    for (const char *step = steps; *step; step += strcspn(step, "+"), step += *step == '+') {
        snprintf(line, sizeof(line), "%.*s %s", (int)strcspn(step, "+"), step, at);
        test_edit_does(clone, line);
    }
    FREED uint8_t *pixels = pixels_of(clone, image, &size);
    test_sha256(got, pixels, size);
    if (strcmp(got, expected) != 0)
        print_error("image %u, '%s': %s, not %s\n", image, steps, got, expected);
    return strcmp(got, expected) == 0;
}

TEST(dilation_is_that_of_ddnet)
{
    char line[1024], name[512], size[32], before[80], whole[80], cells[80];
    uint32_t image, num = 0, wrong = 0;
    FILE *file = test_golden_table("dilate.tsv");
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "%511s %u %31s %79s %79s %79s", name, &image, size, before, whole, cells) != 6)
            continue;
        OWN(tm_map) *map = test_shared_map(name);
        num++;
        wrong += !gives(map, image, "", before);
        wrong += !gives(map, image, "dilate", whole);
        wrong += !gives(map, image, "dilate cells", cells);
    }
    fclose(file);
    assert_int_equal(num, 36);
    assert_int_equal(wrong, 0);
}

/* What map_optimize makes of an image, in our steps. */
static const char *steps_of(const char *used_by)
{
    return strncmp(used_by, "tiles", 5) == 0  ? "blank+blank colors+dilate cells"
           : strncmp(used_by, "none", 4) == 0 ? "blank"
                                              : "blank colors+dilate";
}

static uint32_t count_empty_quad_layers(const tm_map *map, uint32_t image)
{
    uint32_t num = 0;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        num += walk.layer->kind == TM_LAYER_QUADS && walk.layer->as.quads.image == (int32_t)image &&
               walk.layer->as.quads.num_quads == 0;
    return num;
}

/* The tool counts layers without quads as uses, we do not. */
static bool uses_agree(tmi_image_uses *out, const tm_map *map, uint32_t image, const char *used_by,
                       unsigned used_cells)
{
    tmi_image_uses *uses = calloc(map->num_images, sizeof(*uses));
    unsigned num = 0;
    assert_non_null(uses);
    must(tmi_map_image_uses(uses, map, NULL));
    *out = uses[image];
    free(uses);
    for (unsigned i = 0; i < TMI_IMAGE_CELLS; i++)
        num += out->cells[i];
    const bool quads = strncmp(used_by, "quads", 5) == 0 || strncmp(used_by, "both", 4) == 0;
    const bool fine =
        num == used_cells && (out->quad_layers + count_empty_quad_layers(map, image) > 0) == quads;
    if (!fine)
        print_error("image %u: %u cells, %u quad layers; not %.60s\n", image, num, out->quad_layers, used_by);
    return fine;
}

TEST(blanking_is_that_of_map_optimize)
{
    char line[2048], name[512], what[32];
    uint32_t image, num = 0, kept = 0, wrong = 0;
    unsigned cells;
    tmi_image_uses uses;
    FILE *file = test_golden_table("optimize.tsv");
    while (fgets(line, sizeof(line), file)) {
        const char *change = strstr(line, "used_by="), *used = strstr(line, "used_cells="),
                   *hash = strstr(line, "sha256=");
        if (!change || !used || !hash || sscanf(line, "%511s %31s %u", name, what, &image) != 3)
            continue;
        assert_int_equal(sscanf(used, "used_cells=%u", &cells), 1);
        char expected[65];
        snprintf(expected, sizeof(expected), "%.64s", hash + 7);
        OWN(tm_map) *map = test_shared_map(name);
        num++;
        wrong += !uses_agree(&uses, map, image, change + 8, cells);
        if (uses.any_cell) /* the tool knows nothing of automappers */
            kept++;
        else if (!gives(map, image, steps_of(change + 8), expected)) {
            print_error("%s: %s", name, line);
            wrong++;
        }
    }
    fclose(file);
    assert_int_equal(num, 36);
    assert_int_equal(kept, 3);
    assert_int_equal(wrong, 0);
}

/* -------------------------------------------------------------------------------------------- maps by hand */

enum { TILES, QUADS, BOTH, NOBODY, HIDDEN, EXTERNAL, DAMAGED, NUM_IMAGES };

static void add_layer(tm_map *map, tm_layer_kind kind, int32_t image, uint8_t index)
{
    const uint32_t at = map->groups[0].num_layers;
    must(tm_map_insert_layer(map, 0, at, kind, 2, 2, NULL));
    tm_layer *layer = &map->groups[0].layers[at];
    if (kind == TM_LAYER_QUADS) {
        tm_quad quad;
        tm_quad_init(&quad, 0, 0, 1024, 1024);
        layer->as.quads.image = image;
        must(tm_map_set_quads(map, 0, at, &quad, 1, NULL));
    } else {
        const tm_tile tile = {.index = index};
        layer->as.tiles.image = image;
        must(tm_map_fill_tiles(map, 0, at, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    }
}

/* Pixels of 33 x 32: cells of 2 x 2 and a column that is in none. Each pixel is its number, all visible. */
static tm_map *by_hand(const tm_allocator *allocator)
{
    static uint8_t rgba[33 * 32 * 4];
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    options.allocator = allocator;
    must(tm_map_new(&map, &options, NULL));
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    for (uint32_t i = 0; i < sizeof(rgba); i++)
        rgba[i] = i % 4 == 3 ? 255 : (uint8_t)(i / 4 + 1);
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        if (i != EXTERNAL)
            must(tm_map_set_pixels(map, i, rgba, 33, 32, NULL));
    }
    map->images[DAMAGED].width = 1 << 14;
    must(tm_map_set_text(map, &map->images[EXTERNAL].name, "grass_main", NULL));
    add_layer(map, TM_LAYER_TILES, TILES, 17);
    add_layer(map, TM_LAYER_QUADS, QUADS, 0);
    add_layer(map, TM_LAYER_TILES, BOTH, 3);
    add_layer(map, TM_LAYER_QUADS, BOTH, 0);
    add_layer(map, TM_LAYER_GAME, NOBODY, 1); /* physics layers are drawn without an image */
    add_layer(map, TM_LAYER_TILES, HIDDEN, 5);
    return map;
}

static bool is_zero(const uint8_t *pixels, uint32_t x, uint32_t y)
{
    static const uint8_t zero[4];
    return memcmp(pixels + (y * 33 + x) * 4, zero, 4) == 0;
}

TEST(only_what_is_shown_stays)
{
    size_t size;
    OWN(tm_map) *map = by_hand(NULL);
    uint8_t *pixels = pixels_of(map, HIDDEN, &size);
    for (uint32_t y = 0; y < 2; y++) /* cell 5 has color but cannot be seen */
        for (uint32_t x = 10; x < 12; x++)
            pixels[(y * 33 + x) * 4 + 3] = 0;
    must(tm_map_set_pixels(map, HIDDEN, pixels, 33, 32, NULL));
    free(pixels);
    test_edit_reports(map, "blank", 3);
    assert_false(tm_report_has_warnings(&test_report) &&
                 !test_found(&test_report.findings, TM_FINDING_NO_PIXELS));
    pixels = pixels_of(map, TILES, &size);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 33; x++)
            assert_int_equal(is_zero(pixels, x, y), x < 32 && !(x / 2 == 1 && y / 2 == 1));
    free(pixels);
    pixels = pixels_of(map, HIDDEN, &size);
    assert_true(is_zero(pixels, 10, 0) && is_zero(pixels, 0, 0) && !is_zero(pixels, 32, 0));
    free(pixels);
    pixels = pixels_of(map, NOBODY, &size);
    assert_true(is_zero(pixels, 32, 31));
    free(pixels);
    for (uint32_t i = QUADS; i <= BOTH; i++) {
        pixels = pixels_of(map, i, &size);
        assert_false(is_zero(pixels, 0, 0));
        free(pixels);
    }
    test_edit_reports(map, "blank", 0);
}

/* They were evened out, which is seen at edges: `teemap optimize --images --verify` refused most maps. */
TEST(optimizing_keeps_hidden_colors)
{
    static const uint8_t hidden[4] = {0, 0, 200, 0};
    size_t size;
    OWN(tm_map) *map = by_hand(NULL);
    FREED uint8_t *pixels = pixels_of(map, TILES, &size);
    memcpy(pixels + (2 * 33 + 2) * 4, hidden, 4); /* in cell 17, which a tile shows */
    must(tm_map_set_pixels(map, TILES, pixels, 33, 32, NULL));
    free(pixels);
    test_edit_does(map, "optimize images");
    pixels = pixels_of(map, TILES, &size);
    assert_memory_equal(pixels + (2 * 33 + 2) * 4, hidden, 4);
    assert_true(is_zero(pixels, 0, 0));
}

TEST(automappers_keep_images)
{
    OWN(tm_map) *map = by_hand(NULL);
    tm_tile_layer *layer = &map->groups[0].layers[0].as.tiles;
    layer->automapper = (tm_automapper){.present = true, .config = 0, .automatic = true};
    test_edit_reports(map, "blank image/0", 0);
    assert_true(test_found(&test_report.findings, TM_FINDING_AUTOMAPPER_KEEPS));
    map->groups[0].layers[0].as.tiles.automapper.automatic = false;
    test_edit_reports(map, "blank image/0", 1);
    assert_int_equal(test_report.list[0].count, 32 * 32 - 4);
}

TEST(images_are_named)
{
    tm_error error;
    OWN(tm_map) *map = by_hand(NULL);
    test_edit_does(map, "dilate image/grass_main");
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_PIXELS));
    test_edit_does(map, "dilate image/grass*");
    assert_false(test_found(&test_report.findings, TM_FINDING_NO_PIXELS));
    test_edit_does(map, "dilate image/nothing*");
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_MATCH));
    test_edit_does(map, "dilate image/6");
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_PIXELS));
    fails(TM_ERROR_USAGE, "'0/0' is no image", test_edit_run(map, "blank 0/0", &error));
    assert_int_equal(test_edit_run(map, "blank image/9", &error), TM_ERROR_NOT_FOUND);
}

/* Stretched by 48 / 33 and 32 / 32: colors are means weighted by alpha, and cells begin where games cut them. */
TEST(sides_become_multiples_of_16)
{
    size_t size;
    OWN(tm_map) *map = by_hand(NULL);
    test_edit_does(map, "resize images image/0 image/5");
    assert_int_equal(map->images[TILES].width, 48);
    assert_int_equal(map->images[TILES].height, 32);
    FREED uint8_t *pixels = pixels_of(map, TILES, &size);
    /* pixel 1 covers 33/48 to 66/48 of the old ones: 15 parts of pixel 0 (value 1), 18 of pixel 1 (value 2) */
    assert_int_equal(pixels[0], 1);
    assert_int_equal(pixels[4], (uint8_t)((15 * 1 + 18 * 2) / 33.0 + 0.5));
    assert_int_equal(pixels[7], 255);
    assert_int_equal(pixels[47 * 4], 33);
    test_edit_does(map, "resize images");
    assert_int_equal(map->images[QUADS].width, 48);
    test_edit_reports(map, "resize images", 0);
}

TEST(transparent_pixels_do_not_color_others)
{
    size_t size;
    const uint8_t two[2 * 4] = {200, 100, 50, 255, 0, 0, 0, 0};
    OWN(tm_map) *map = by_hand(NULL);
    must(tm_map_set_pixels(map, 0, two, 2, 1, NULL));
    test_edit_does(map, "resize images image/0");
    FREED uint8_t *pixels = pixels_of(map, 0, &size);
    assert_int_equal(size, 16 * 16 * 4);
    assert_memory_equal(pixels + 7 * 4, two, 4);
    assert_int_equal(pixels[8 * 4 + 3], 0);
    free(pixels);
    const uint8_t three[3 * 4] = {200, 100, 50, 255, 0, 0, 0, 0, 200, 100, 50, 255};
    must(tm_map_set_pixels(map, 0, three, 3, 1, NULL));
    test_edit_does(map, "resize images image/0");
    pixels = pixels_of(map, 0, &size);
    assert_memory_equal(pixels + 5 * 4, three, 3); /* a third of it is transparent: 1 of 3 parts */
    assert_int_equal(pixels[5 * 4 + 3], 85);
}

TEST(rgb_gets_alpha)
{
    struct test_maker maker;
    size_t size;
    uint8_t rgb[16 * 16 * 3];
    for (size_t i = 0; i < sizeof(rgb); i++)
        rgb[i] = (uint8_t)i;
    maker = test_maker_new();
    test_maker_start(&maker);
    TEST_ITEM(&maker, TM_ITEM_IMAGE, 0, 2, 16, 16, 0, test_maker_text(&maker, "rgb"),
              test_maker_data(&maker, rgb, sizeof(rgb)), 0);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_int_equal(map->images[0].format, TM_IMAGE_RGB);
    test_edit_reports(map, "rgba", 1);
    assert_int_equal(map->images[0].format, TM_IMAGE_RGBA);
    assert_int_equal(tm_block_get_info(map->images[0].pixels).size, 16 * 16 * 4);
    FREED uint8_t *pixels = pixels_of(map, 0, &size);
    assert_memory_equal(pixels + 4, rgb + 3, 3);
    assert_int_equal(pixels[7], 255);
    test_edit_reports(map, "rgba", 0);
}

/* Each request for memory fails once: the map stays as it was, and nothing is lost. */
static void is_48_wide(const tm_map *map)
{
    assert_int_equal(map->images[0].width, 48);
}

TEST(memory_may_end)
{
    test_edit_without_memory("blank\nblank colors\ndilate\ndilate cells\nresize images\nrgba", by_hand,
                             is_48_wide);
}

/* Memory for pixels was asked for by the size that the map tells, before anything was there to fill it: 400 MB here. */
TEST(a_size_that_is_a_lie_takes_no_memory)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    OWN(tm_map) *map = by_hand(&memory.allocator);
    map->images[0].width = map->images[0].height = 10000;
    must(test_edit_run(map, "dilate\nblank\nresize images\nrgba", NULL));
    assert_true(test_report.findings.num > 0);
    assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_PIXELS);
    assert_in_range(memory.most_bytes, 0, 1 << 24);
    tm_report_release(&test_report);
}

/* 'optimize --images' made maps larger than 'optimize': what is blank in parts may take more bytes. */
TEST(an_image_that_packs_worse_when_blanked_stays)
{
    enum { SIDE = 256 };
    static uint8_t rgba[SIDE * SIDE * 4];
    OWN(tm_map) *map =
        test_map_of("add image a\nadd group g\nadd layer g tiles 16x16\nset g/0.image=image/a");
    for (uint8_t i = 0; i < 255; i = (uint8_t)(i + 2 + i / 16 % 2)) /* a part of the cells */
        must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){i % 16, i / 16, 1, 1}, &(tm_tile){i, 0, 0, 0}, NULL));
    memset(rgba, 77, sizeof(rgba));
    rgba[3] = 255;
    must(tm_map_set_pixels(map, 0, rgba, SIDE, SIDE, NULL));
    test_edit_reports(map, "optimize images", 0);
    test_edit_reports(map, "blank", 1);
    /* Where it helps it is done. */
    uint32_t noise = 1;
    for (size_t i = 0; i < sizeof(rgba); i++)
        rgba[i] = (uint8_t)((noise = noise * 1664525 + 1013904223) >> 24);
    must(tm_map_set_pixels(map, 0, rgba, SIDE, SIDE, NULL));
    test_edit_reports(map, "optimize images", 1);
    tm_report_release(&test_report);
}
