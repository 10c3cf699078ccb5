/* SPDX-License-Identifier: Zlib */
/*
 * Operations that bring the content of images and sounds into a map, or take it out: from the games' folders, which are a function
 * here, and from files, which are, too.
 */
#include "support/lib_edit.h"

/* ------------------------------------------------------------------------------------------ what is outside */

enum { SIDE = 32, NUM_FILES = 4 };

static uint8_t game_pixels[SIDE * SIDE * 4], two_pixels[2 * 4] = {1, 2, 3, 255, 4, 5, 6, 0};
static struct test_edit_file *const files = test_edit_files;

/* "grass_main" and "mine" are installed. */
static tm_status provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                         uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)game;
    ++*(unsigned *)ctx;
    if (strcmp(name, "grass_main") != 0 && strcmp(name, "mine") != 0)
        return TM_ERROR_NOT_FOUND;
    *rgba = tm_alloc(allocator, sizeof(game_pixels));
    if (!*rgba)
        return TM_ERROR_MEMORY;
    memcpy(*rgba, game_pixels, sizeof(game_pixels));
    *width = *height = SIDE;
    return TM_OK;
}

static void put(tm_buffer *buffer, const void *bytes, size_t size)
{
    const tm_output output = tm_output_to_buffer(buffer);
    must(output.write(output.ctx, bytes, size, NULL));
}

static void put_page(tm_buffer *buffer, uint8_t flags, const void *body, uint8_t size)
{
    uint8_t head[28] = {'O', 'g', 'g', 'S', 0, flags};
    head[26] = 1;
    head[27] = size;
    put(buffer, head, sizeof(head));
    put(buffer, body, size);
}

static unsigned asked; /* how often the provider was */

static void make_files(void)
{
    static const char *const names[] = {"two.png", "two.webp", "wind.opus", "junk.txt"};
    for (size_t i = 0; i < NUM_FILES; i++)
        files[i].name = names[i];
    test_edit_options.images = provide;
    test_edit_options.images_ctx = &asked;
    for (size_t i = 0; i < sizeof(game_pixels); i++)
        game_pixels[i] = (uint8_t)(i * 7);
    tm_output output = tm_output_to_buffer(&files[0].bytes);
    must(tm_png_write(&output, two_pixels, 2, 1, NULL, NULL));
    if (tm_webp_available()) {
        tm_webp_writer *writer;
        output = tm_output_to_buffer(&files[1].bytes);
        must(tm_webp_writer_new(&writer, &output, 2, 1, NULL, NULL));
        must(tm_webp_writer_rows(writer, two_pixels, 1, 8, NULL));
        must(tm_webp_writer_finish(writer, NULL));
    }
    put_page(&files[2].bytes, 2, "OpusHead\1\2\0\0\200\273\0\0\0\0\0", 19);
    put_page(&files[2].bytes, 0, "OpusTags\0\0\0\0\0\0\0\0", 16);
    put_page(&files[2].bytes, 4, "sound", 5);
    put(&files[3].bytes, "junk\n", 5);
}

static void drop_files(void)
{
    for (size_t i = 0; i < NUM_FILES; i++)
        tm_buffer_release(&files[i].bytes);
}

/* ------------------------------------------------------------------------------------------------- running */

static void does(tm_map *map, const char *line)
{
    asked = 0;
    test_edit_does(map, line);
}

static bool told(const char *text)
{
    for (size_t i = 0; i < test_report.findings.num; i++)
        if (strstr(test_report.findings.list[i].text, text))
            return true;
    test_print_findings(&test_report.findings);
    return false;
}

static bool has_pixels(const tm_map *map, uint32_t index, const void *rgba, uint32_t width, uint32_t height)
{
    const tm_image *image = &map->images[index];
    const uint64_t size = (uint64_t)width * height * 4;
    FREED uint8_t *copy = malloc((size_t)size);
    assert_non_null(copy);
    const bool same =
        !image->external && image->width == (int32_t)width && image->height == (int32_t)height &&
        tm_map_image_pixels(map, image, copy, size, NULL) == TM_OK && memcmp(copy, rgba, (size_t)size) == 0;
    return same;
}

/* grass_main, mine and missing, all external, and two external sounds. */
static tm_map *fresh(const tm_allocator *allocator)
{
    static const char *const names[] = {"grass_main", "mine", "missing"};
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    options.allocator = allocator;
    must(tm_map_new(&map, &options, NULL));
    for (uint32_t i = 0; i < 3; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_set_text(map, &map->images[i].name, names[i], NULL));
    }
    for (uint32_t i = 0; i < 2; i++)
        must(tm_map_insert(map, TM_KIND_SOUND, i, NULL));
    return map;
}

TEST(images_come_and_go)
{
    OWN(tm_map) *map = fresh(NULL);
    does(map, "embed");
    assert_int_equal(test_report.num, 2);
    assert_true(has_pixels(map, 0, game_pixels, SIDE, SIDE) && has_pixels(map, 1, game_pixels, SIDE, SIDE));
    assert_true(map->images[2].external && test_found(&test_report.findings, TM_FINDING_IMAGE_NOT_FOUND));
    assert_true(tm_report_has_warnings(&test_report));
    does(map, "embed image/0");
    assert_int_equal(asked, 0);

    does(map, "external image/0 image/1");
    assert_int_equal(test_report.num, 1);
    assert_true(map->images[0].external && map->images[0].width == SIDE && !map->images[0].pixels);
    assert_true(!map->images[1].external && told("ddnet has no image of this name"));
    does(map, "external"); /* nobody asked for this very image: no word of it */
    assert_int_equal(test_report.findings.num, 0);
}

TEST(only_the_games_pixels_go)
{
    uint8_t other[SIDE * SIDE * 4];
    OWN(tm_map) *map = fresh(NULL);
    memcpy(other, game_pixels, sizeof(other));
    other[5]++; /* alpha of pixel 1 is 7 * 7: seen */
    must(tm_map_set_pixels(map, 0, other, SIDE, SIDE, NULL));
    does(map, "external image/0");
    assert_true(told("1 of its pixels differ") && !map->images[0].external);
    memcpy(other, game_pixels, sizeof(other));
    game_pixels[7] = other[7] = 0;
    other[5]++;
    must(tm_map_set_pixels(map, 0, other, SIDE, SIDE, NULL));
    does(map, "external image/0");
    assert_true(told("1 pixels that are not visible have another color") && !map->images[0].external);
    game_pixels[7] = 7 * 7;
    must(tm_map_set_pixels(map, 0, game_pixels, SIDE / 2, SIDE, NULL));
    does(map, "external image/0");
    assert_true(told("the game's image has 32x32 pixels"));
    must(tm_map_set_text(map, &map->images[0].name, "jungle_main", NULL));
    does(map, "external image/0");
    assert_true(told("is not installed here"));
}

TEST(sizes_are_filled_in)
{
    OWN(tm_map) *map = fresh(NULL);
    does(map, "external sizes");
    assert_int_equal(test_report.num, 2);
    assert_true(map->images[0].width == 1024 && map->images[0].height == 1024); /* the rules know it */
    assert_true(map->images[1].width == SIDE && map->images[1].height == SIDE);
    assert_true(map->images[1].external && test_found(&test_report.findings, TM_FINDING_IMAGE_NOT_FOUND));
    does(map, "external sizes image/0 image/1");
    assert_int_equal(test_report.num, 0);
}

TEST(files_come_in)
{
    OWN(tm_map) *map = fresh(NULL);
    does(map, "replace image image/m* two.png");
    assert_int_equal(test_report.num, 2);
    assert_true(has_pixels(map, 1, two_pixels, 2, 1) && has_pixels(map, 2, two_pixels, 2, 1));
    assert_string_equal(map->images[1].name, "mine");
    if (tm_webp_available()) {
        does(map, "replace image image/0 two.webp");
        assert_true(has_pixels(map, 0, two_pixels, 2, 1));
    }
    does(map, "replace sound sound/1 wind.opus\nadd sound wind wind.opus\nadd image two two.png");
    for (uint32_t i = 1; i < 3; i++) {
        const void *bytes;
        uint64_t size;
        assert_false(map->sounds[i].external);
        must(tm_map_data(&bytes, &size, map, map->sounds[i].data, NULL));
        assert_int_equal(size, files[2].bytes.size);
        assert_memory_equal(bytes, files[2].bytes.bytes, (size_t)size);
    }
    assert_true(has_pixels(map, 3, two_pixels, 2, 1));
    does(map, "external sounds sound/*");
    assert_int_equal(test_report.num, 2);
    assert_true(map->sounds[1].external && !map->sounds[1].data);
    test_edit_refuses(map, "replace image image/0 junk.txt", TM_ERROR_DAMAGED, "neither PNG nor WebP");
    test_edit_refuses(map, "replace image image/0 wind.opus", TM_ERROR_DAMAGED, "neither PNG nor WebP");
    test_edit_refuses(map, "replace image image/0 nothing", TM_ERROR_NOT_FOUND, "");
    test_edit_refuses(map, "replace image sound/0 two.png", TM_ERROR_USAGE, "is no image");
    test_edit_refuses(map, "replace sound sound/0 two.png", TM_ERROR_UNSUPPORTED, "it is not an Ogg stream");
    test_edit_refuses(map, "external sounds image/0", TM_ERROR_USAGE, "is no sound");
}

TEST(only_opus_is_a_sound)
{
    static const struct {
        size_t at; /* what is broken there, */
        uint8_t byte;
        const char *text;
    } faults[] = {
        {0, 'o', "not an Ogg stream"},  {4, 1, "not an Ogg stream"},    {5, 0, "not an Ogg stream"},
        {28, 'o', "not of Opus"},       {36, 16, "unknown version"},    {37, 0, "unknown version"},
        {47, 'x', "comment after its"}, {75, 'x', "comment after its"},
    };
    OWN(tm_map) *map = fresh(NULL);
    tm_buffer *opus = &files[2].bytes;
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        const uint8_t was = opus->bytes[faults[i].at];
        opus->bytes[faults[i].at] = faults[i].byte;
        test_edit_refuses(map, "replace sound sound/0 wind.opus", TM_ERROR_UNSUPPORTED, faults[i].text);
        opus->bytes[faults[i].at] = was;
    }
    const size_t whole = opus->size;
    for (opus->size = 1; opus->size < whole; opus->size++)
        test_edit_refuses(map, "replace sound sound/0 wind.opus", TM_ERROR_UNSUPPORTED,
                          "cannot take it as a sound");
    does(map, "replace sound sound/0 wind.opus");
}

/* Without functions for files and images nothing is found. */
TEST(nothing_is_outside)
{
    tm_error error;
    OWN(tm_map) *map = fresh(NULL);
    const char *words[] = {"image/0", "two.png"};
    assert_int_equal(tm_edit_run(map, tm_edit_find("replace image"), words, 2, NULL, NULL, &error),
                     TM_ERROR_USAGE);
    tm_report_release(&test_report);
    tm_report_init(&test_report, NULL);
    must(tm_edit_run(map, tm_edit_find("embed"), NULL, 0, NULL, &test_report, &error));
    assert_true(test_report.num == 0 && test_found(&test_report.findings, TM_FINDING_IMAGE_NOT_FOUND));
}

static void has_pixels_of_the_file(const tm_map *map)
{
    assert_true(has_pixels(map, 3, two_pixels, 2, 1));
}

TEST(memory_may_end)
{
    test_edit_without_memory("embed\nexternal\nexternal sizes\nreplace image image/0 two.png\n"
                             "replace sound sound/0 wind.opus\nadd image q two.png\nadd sound q wind.opus",
                             fresh, has_pixels_of_the_file);
}

TEST_GROUP(make_files, drop_files)
