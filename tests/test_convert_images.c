/* SPDX-License-Identifier: Zlib */
/*
 * Images of converted maps: embedded, renamed, stretched, given alpha, no more than there may be; names that clash, hostile
 * sizes, providers that fail, memory that runs out.
 */
#include "support/test.h"

static tm_report report; /* of the last conversion */

static tm_status convert(tm_map *map, const tm_convert_options *options)
{
    tm_error error;
    tm_report_release(&report);
    tm_report_init(&report, NULL);
    const tm_status status = tm_convert_run(map, options, &report, &error);
    must(tm_map_verify(map, NULL));
    return status;
}

/* What is asked for, and the answer: a picture, or that there is none. */
typedef struct gallery {
    const char *name; /* of the only picture there is; NULL: it has all */
    uint32_t width, height;
    tm_game asked;
    tm_status status; /* of all others */
    uint32_t calls;
} gallery;

static tm_status show(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                      uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    gallery *images = ctx;
    images->asked = game;
    images->calls++;
    if (images->name && strcmp(name, images->name) != 0)
        return images->status;
    return test_give_picture(rgba, width, height, images->width, images->height, 7, allocator);
}

static tm_convert_options options_for(tm_game to, gallery *images)
{
    tm_convert_options options = TM_CONVERT_OPTIONS_INIT;
    options.to = to;
    options.provider = images ? show : NULL;
    options.provider_ctx = images;
    return options;
}

/* A map with a game layer, and a design layer for each image. */
static tm_map *map_with(tm_game game, uint32_t num, const char *const *names)
{
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    must(tm_map_new(&map, &options, NULL));
    test_insert_group(map, 0, TM_LAYER_GAME, 2, 2);
    for (uint32_t i = 0; i < num; i++) {
        char name[16];
        snprintf(name, sizeof(name), "own %u", (unsigned)i);
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_set_text(map, &map->images[i].name, names ? names[i] : name, NULL));
        must(tm_map_insert_layer(map, 0, i + 1, TM_LAYER_TILES, 2, 2, NULL));
        map->groups[0].layers[i + 1].as.tiles.image = (int32_t)i;
    }
    return map;
}

static void set_pixels(tm_map *map, uint32_t image, uint32_t width, uint32_t height)
{
    FREED uint8_t *rgba = calloc((size_t)width * height, 4);
    assert_non_null(rgba);
    for (uint32_t i = 0; i < width * height; i++) { /* red and green tell the cell */
        rgba[i * 4] = (uint8_t)(i % width * 16 / width * 16);
        rgba[i * 4 + 1] = (uint8_t)(i / width * 16 / height * 16);
        rgba[i * 4 + 3] = 255;
    }
    must(tm_map_set_pixels(map, image, rgba, width, height, NULL));
}

TEST(embedded_or_renamed)
{
    static const struct {
        tm_game from;
        tm_game to;
        tm_convert_images images;
        const char *name, *has, *becomes; /* `becomes` NULL: its pixels are in the map */
        tm_finding_id finding;
    } row[] = {
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "grass_main", "grass_main", NULL, 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_RENAME, "grass_main", "grass_main", NULL, 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_KEEP, "grass_main", "grass_main", "grass_main", 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "grass_main", "", "grass_main",
         TM_FINDING_NOT_EMBEDDED},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "grass_main_0.7", "", "grass_main", 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "sun_0.7", "", "sun_0.7",
         TM_FINDING_NOT_EMBEDDED},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "ddnet-walls", "ddnet_walls", NULL, 0},
        {TM_GAME_TEEWORLDS06, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "sun", "sun", NULL, 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS06, TM_CONVERT_EMBED, "grass_main", "grass_main", "grass_main", 0},
        {TM_GAME_DDNET, TM_GAME_TEEWORLDS06, TM_CONVERT_EMBED, "water", "water", NULL, 0},
        {TM_GAME_TEEWORLDS06, TM_GAME_DDNET, TM_CONVERT_EMBED, "grass_main", "grass_main", "grass_main", 0},
        {TM_GAME_TEEWORLDS06, TM_GAME_DDNET, TM_CONVERT_EMBED, "ddnet-walls", "", "ddnet_walls", 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_DDNET, TM_CONVERT_EMBED, "grass_main", "grass_main", NULL, 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_DDNET, TM_CONVERT_EMBED, "grass_main", "", "grass_main_0.7", 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_DDNET, TM_CONVERT_RENAME, "easter", "easter", "easter_0.7", 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_DDNET, TM_CONVERT_RENAME, "desert_main", "desert_main", NULL, 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_TEEWORLDS06, TM_CONVERT_RENAME, "grass_main", "grass_main", NULL, 0},
        {TM_GAME_TEEWORLDS07, TM_GAME_TEEWORLDS07, TM_CONVERT_EMBED, "grass_main", "grass_main", "grass_main",
         0},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        OWN(tm_map) *map = map_with(row[i].from, 1, &row[i].name);
        gallery images = {.name = row[i].has, .width = 32, .height = 16, .status = TM_ERROR_NOT_FOUND};
        tm_convert_options options = options_for(row[i].to, &images);
        options.images = row[i].images;
        must(convert(map, &options));
        const tm_image *image = &map->images[0];
        const char *name = row[i].becomes ? row[i].becomes : row[i].name;
        if (image->external != !!row[i].becomes || strcmp(image->name, name) != 0)
            fail_msg("row %u: '%s', %s", (unsigned)i, image->name, image->external ? "external" : "embedded");
        assert_true(image->external || (image->width == 32 && image->height == 16));
        assert_int_equal(tm_report_has_warnings(&report), row[i].finding != 0);
        assert_int_equal(test_found(&report.findings, TM_FINDING_NOT_EMBEDDED), row[i].finding != 0);
        assert_true(images.calls == 0 || images.asked == row[i].from);
    }
}

/* The other game's picture: all of a color, but for one pixel in a cell. */
typedef struct other_gallery {
    uint32_t cell;
    uint8_t alpha; /* of that pixel */
    tm_status status;
    tm_game asked;
} other_gallery;

static tm_status show_other(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    other_gallery *images = ctx;
    (void)name;
    images->asked = game;
    *width = *height = 32;
    if (images->status)
        return images->status;
    *rgba = tm_alloc(allocator, 32 * 32 * 4);
    if (!*rgba)
        return TM_ERROR_MEMORY;
    memset(*rgba, 0, 32 * 32 * 4);
    uint8_t *pixel = *rgba + (images->cell / 16 * 2 * 32 + images->cell % 16 * 2) * 4;
    pixel[0] = 9;
    pixel[3] = images->alpha;
    return TM_OK;
}

/* 32 x 32 pixels, all zero. */
static tm_status show_black(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)ctx, (void)name, (void)game;
    *width = *height = 32;
    *rgba = tm_alloc(allocator, 32 * 32 * 4);
    if (*rgba)
        memset(*rgba, 0, 32 * 32 * 4);
    return *rgba ? TM_OK : TM_ERROR_MEMORY;
}

/* Used to be embedded always: megabytes for a picture that every player has. */
TEST(what_looks_the_same_in_both_games_stays_external)
{
    enum { SHOWN = 20, QUADS = 256 }; /* the only cell that the map shows; or a quad shows all */
    static const struct {
        const char *name;
        tm_game from, to;
        uint32_t cell, shows;
        uint8_t alpha;
        tm_status status;
        bool stays;
    } row[] = {
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, SHOWN, 255, TM_OK, true},
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, SHOWN, SHOWN, 255, TM_OK, false},
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, SHOWN, SHOWN, 0, TM_OK, true}, /* a color unseen */
        {"grass_main", TM_GAME_TEEWORLDS07, TM_GAME_DDNET, SHOWN, SHOWN, 0, TM_OK, false}, /* mixed in */
        {"grass_main", TM_GAME_TEEWORLDS07, TM_GAME_DDNET, 21, SHOWN, 0, TM_OK, true},
        {"grass_main", TM_GAME_TEEWORLDS07, TM_GAME_TEEWORLDS06, 0, SHOWN, 255, TM_OK, true},
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, QUADS, 255, TM_OK, false},
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, SHOWN, 255, TM_ERROR_NOT_FOUND, false},
        {"grass_main", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, SHOWN, 255, TM_ERROR_DAMAGED, false},
        {"water", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, SHOWN, 255, TM_OK, false}, /* 0.7 has none */
        {"snow", TM_GAME_DDNET, TM_GAME_TEEWORLDS07, 21, SHOWN, 255, TM_OK, true},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        OWN(tm_map) *map = map_with(row[i].from, 1, &row[i].name);
        const tm_tile tile = {.index = SHOWN};
        const tm_quad quad = {.position_envelope = TM_NONE, .color_envelope = TM_NONE};
        other_gallery images = {row[i].cell, row[i].alpha, row[i].status, TM_GAME_COUNT};
        tm_convert_options options = options_for(row[i].to, NULL);
        options.provider = show_black;
        options.shipped = show_other;
        options.shipped_ctx = &images;
        must(tm_map_write_tiles(map, 0, 1, &(tm_rect){0, 0, 1, 1}, &tile, 0, NULL));
        if (row[i].shows == QUADS) {
            must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
            must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
            map->groups[0].layers[1].as.quads.image = 0;
        }
        must(convert(map, &options));
        if (map->images[0].external != row[i].stays)
            fail_msg("row %u: %s", (unsigned)i, row[i].stays ? "embedded" : "external");
        assert_true(images.asked == row[i].to || strcmp(row[i].name, "water") == 0);
    }
}

/* Of two images "grass_main" the one with pixels makes way. */
TEST(names_that_clash_get_numbers)
{
    static const char *const names[] = {"grass_main_0.7", "grass_main", "grass_main (2)"};
    OWN(tm_map) *map = map_with(TM_GAME_DDNET, 3, names);
    const tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, NULL);
    set_pixels(map, 1, 16, 16);
    set_pixels(map, 2, 16, 16);
    must(convert(map, &options));
    assert_string_equal(map->images[0].name, "grass_main");
    assert_string_equal(map->images[1].name, "grass_main (3)");
    assert_string_equal(map->images[2].name, "grass_main (2)");
}

TEST(long_names_are_cut)
{
    char name[200] = "";
    const char *names[] = {name, name};
    for (int i = 0; i < 95; i++)
        strcat(name, "\xC3\xA4");
    OWN(tm_map) *map = map_with(TM_GAME_DDNET, 2, names);
    const tm_convert_options options = options_for(TM_GAME_TEEWORLDS06, NULL);
    set_pixels(map, 0, 16, 16);
    set_pixels(map, 1, 16, 16);
    must(convert(map, &options));
    assert_int_equal(strlen(map->images[0].name), 126);
    assert_true(strlen(map->images[1].name) <= 127);
    assert_string_not_equal(map->images[0].name, map->images[1].name);
    assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_FIELD), 2);
}

/* Each of 16 x 16 cells keeps to itself. */
TEST(sheets_are_stretched_to_multiples_of_16)
{
    OWN(tm_map) *map = map_with(TM_GAME_DDNET, 2, NULL);
    const tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, NULL);
    const void *bytes;
    set_pixels(map, 0, 40, 56);
    set_pixels(map, 1, 40, 56);
    map->groups[0].layers[2].as.tiles.image = TM_NONE; /* nobody cuts the second one into tiles */
    must(convert(map, &options));
    assert_int_equal(map->images[0].width, 48);
    assert_int_equal(map->images[0].height, 64);
    assert_int_equal(map->images[1].width, 40);
    must(tm_map_data(&bytes, NULL, map, map->images[0].pixels, NULL));
    const uint8_t *pixels = bytes;
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 48; x++) {
            const int column = pixels[(y * 48 + x) * 4], line = pixels[(y * 48 + x) * 4 + 1];
            assert_true(abs(column - (int)(x / 3 * 16)) <=
                        16); /* pixels on the edge of two cells count for both */
            assert_true(abs(line - (int)(y / 4 * 16)) <= 16);
        }
}

TEST(pixels_get_alpha_or_become_transparent)
{
    for (int to = 0; to < TM_GAME_COUNT; to++) {
        OWN(tm_map) *map = map_with(TM_GAME_DDNET, 3, NULL);
        const tm_convert_options options = options_for((tm_game)to, NULL);
        const void *bytes;
        uint64_t size;
        set_pixels(map, 0, 16, 16); /* 1024 bytes: of RGB that is more than enough */
        map->images[0].format = TM_IMAGE_RGB;
        set_pixels(map, 1, 16, 16);
        map->images[1].width = 30000; /* claims what is not there */
        map->images[1].height = 30000;
        map->images[2].external = false; /* neither pixels nor a name that helps */
        must(convert(map, &options));
        assert_int_equal(map->images[0].format, TM_IMAGE_RGBA);
        must(tm_map_data(&bytes, &size, map, map->images[0].pixels, NULL));
        assert_int_equal(size, 1024);
        assert_int_equal(((const uint8_t *)bytes)[3], 255);
        assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_IMAGE), to == TM_GAME_DDNET ? 0 : 2);
        assert_int_equal(map->images[1].width, to == TM_GAME_DDNET ? 30000 : 16);
    }
}

/* First what nobody uses goes, then what is there twice, then what comes last. */
TEST(the_65th_image_goes)
{
    OWN(tm_map) *map = map_with(TM_GAME_DDNET, 70, NULL);
    tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, NULL);
    options.images = TM_CONVERT_KEEP;
    for (uint32_t i = 0; i < 70; i++)
        set_pixels(map, i, 16, 16 * (i + 1));
    map->groups[0].layers[1].as.tiles.image = TM_NONE; /* image 0 */
    map->groups[0].layers[2].as.tiles.image = TM_NONE; /* image 1 */
    set_pixels(map, 5, 16, 16 * 5);                    /* equal to image 4 */
    set_pixels(map, 69, 16, 16 * 5);
    must(convert(map, &options));
    assert_int_equal(map->num_images, 64);
    assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_IMAGE), 2);
    assert_int_equal(map->groups[0].layers[5].as.tiles.image, map->groups[0].layers[6].as.tiles.image);
    assert_int_equal(map->groups[0].layers[5].as.tiles.image, map->groups[0].layers[70].as.tiles.image);
    assert_int_equal(map->groups[0].layers[69].as.tiles.image, TM_NONE); /* the last that was left */
    assert_string_equal(map->images[0].name, "own 2");
}

TEST(providers_may_fail)
{
    static const char *const names[] = {"grass_main"};
    static const tm_status failures[] = {TM_ERROR_NOT_FOUND, TM_ERROR_DAMAGED, TM_ERROR_UNSUPPORTED},
                           ends[] = {TM_ERROR_MEMORY, TM_ERROR_IO, TM_ERROR_USAGE, TM_ERROR_LIMIT};
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        OWN(tm_map) *map = map_with(TM_GAME_DDNET, 1, names);
        gallery images = {.name = "", .status = failures[i]};
        const tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, &images);
        must(convert(map, &options));
        assert_true(test_found(&report.findings, TM_FINDING_NOT_EMBEDDED));
    }
    OWN(tm_map) *map = map_with(TM_GAME_DDNET, 1, names), *before;
    gallery images = {.name = "", .status = TM_ERROR_MEMORY}, empty = {.width = 0, .height = 9};
    tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, &images);
    must(tm_map_clone(&before, map, NULL));
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        images.status = ends[i];
        assert_int_equal(convert(map, &options), ends[i]); /* what cannot be read counted as missing */
        assert_true(test_map_same(map, before));           /* all or nothing */
        assert_int_equal(report.num, 0);
    }
    options.provider_ctx = &empty; /* says that it has one, of no size */
    must(convert(map, &options));
    assert_true(map->images[0].external);
}

/* Pixels count against the limits, and what does not fit changes nothing. */
TEST(limits_hold)
{
    tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = 4096};
    const tm_map_options map_options = {sizeof(map_options), TM_GAME_DDNET, &limits, NULL};
    OWN(tm_map) *map;
    gallery images = {.width = 64, .height = 64};
    const tm_convert_options options = options_for(TM_GAME_TEEWORLDS07, &images);
    must(tm_map_new(&map, &map_options, NULL));
    test_insert_group(map, 0, TM_LAYER_GAME, 2, 2);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, "grass_main", NULL));
    assert_int_equal(convert(map, &options), TM_ERROR_LIMIT);
    assert_true(map->images[0].external);
    assert_int_equal(map->game, TM_GAME_DDNET);
}

/* The n-th request fails, for every n: the map is as it was, and nothing is left behind. */
static void run_out_of_memory(tm_game from, tm_game to)
{
    OWN(tm_map) *source = test_map_everything(from);
    OWN(tm_buffer) file = test_map_save(source, NULL);
    EACH_FAILURE_LATER(memory) {
        tm_mapfile_options file_options = {.size = sizeof(file_options), .allocator = &memory.allocator};
        OWN(tm_map) *map, *before;
        gallery images = {.width = 20, .height = 20};
        other_gallery other = {.alpha = 255};
        tm_convert_options options = options_for(to, &images);
        options.shipped = show_other;
        options.shipped_ctx = &other;
        must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &file_options, NULL, NULL));
        must(tm_map_clone(&before, map, NULL));
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = tm_convert_run(map, &options, NULL, &(tm_error){.code = TM_OK});
        memory.fail_at = 0;
        must(tm_map_verify(map, NULL));
        assert_true(!status || (status == TM_ERROR_MEMORY && test_map_same(map, before)));
        assert_true(memory.failed || memory.n > 5);
    }
}

TEST(memory_may_run_out)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS06, TM_GAME_TEEWORLDS07};
    for (size_t from = 0; from < 3; from++)
        for (size_t to = 0; to < 3; to++)
            if (from != to)
                run_out_of_memory(games[from], games[to]);
}
