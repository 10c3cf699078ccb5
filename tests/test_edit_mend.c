/* SPDX-License-Identifier: Zlib */
/*
 * Repairs: what is odd about a map is fixed so that the strictest loader takes it, safe repairs show and play as before in game
 * mode, and what nothing can fix is said to be left.
 */
#include "map/map.h"
#include "support/lib_odd.h"
#include "support/test.h"

/* Odd maps of which something stays that strict mode takes for more than a note: safe repairs alone, and all of them. */
static const struct {
    const char *name;
    bool visible; /* all repairs together fix it */
} left_over[] = {
    {"pre_2008", false},        {"short_items", false},
    {"two_channels", true},     {"points_that_go_back", true},
    {"color_of_256", true},     {"no_game_layer", false},
    {"two_game_layers", false}, {"empty_blocks", false},
    {"odd_images", false},      {"image_of_no_16_tiles", true},
    {"text_too_long", false}, /* what cannot be read is kept */
};

static bool stays(const char *name, tm_fix_effect most)
{
    for (size_t i = 0; i < sizeof(left_over) / sizeof(left_over[0]); i++)
        if (strcmp(left_over[i].name, name) == 0)
            return most == TM_FIX_SAFE || !left_over[i].visible;
    return false;
}

static void collect(tm_findings *findings, const tm_buffer *file, tm_mode mode)
{
    tm_map *map;
    tm_error error;
    tm_findings_init(findings, 0, NULL);
    if (test_map_try(&map, file, mode, findings, &error) == TM_OK) {
        must(tm_mapfile_check_data(map, NULL, findings, NULL));
        tm_map_free(map);
    }
}

static size_t num_bad(const tm_findings *findings)
{
    size_t num = 0;
    for (size_t i = 0; i < findings->num; i++)
        num += findings->list[i].severity > TM_SEVERITY_NOTE;
    return num;
}

static tm_buffer save_laid_out(const tm_map *map)
{
    tm_buffer file = {0};
    tm_error error;
    const tm_output output = tm_output_to_buffer(&file);
    const tm_mapfile_save_options options = {.size = sizeof(options), .level = 1, .lay_out = true};
    const tm_status status = tm_mapfile_save(map, &output, &options, NULL, NULL, &error);
    if (status)
        fail_msg("saving: %s: %s", error.place, error.text);
    return file;
}

/* Fixes an odd map in two rounds, as some repairs show what else is wrong. */
static tm_map *fixed(const tm_buffer *file, tm_fix_effect most, tm_report *report)
{
    tm_error error;
    OWN(tm_findings) findings;
    tm_map *map = test_map_load(file, TM_MODE_GAME, NULL);
    collect(&findings, file, TM_MODE_GAME);
    for (int round = 0; round < 2; round++) {
        const tm_status status = tm_edit_fix(map, &findings, most, report, &error);
        if (status)
            fail_msg("fixing: %s: %s", error.place, error.text);
        must(tm_map_verify(map, NULL));
        tm_findings_release(&findings);
        OWN(tm_buffer) saved = save_laid_out(map);
        collect(&findings, &saved, TM_MODE_STRICT);
    }
    return map;
}

TEST(odd_maps_become_strict)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        for (tm_fix_effect most = TM_FIX_SAFE; most <= TM_FIX_VISIBLE; most++) {
            OWN(tm_findings) left;
            OWN(tm_report) report;
            OWN(tm_buffer) file = test_odd_file(odd);
            tm_report_init(&report, NULL);
            OWN(tm_map) *map = fixed(&file, most, &report);
            OWN(tm_buffer) out = save_laid_out(map);
            collect(&left, &out, TM_MODE_STRICT);
            if ((num_bad(&left) > 0) != stays(odd->name, most)) {
                test_print_findings(&left);
                fail_msg("%s with repairs up to %d", odd->name, (int)most);
            }
            for (size_t k = 0; k < report.num; k++)
                assert_true(report.list[k].count > 0 && report.list[k].text[0]);
        }
    }
}

/* What was fixed needs no second repair, and a map in which nothing is wrong is left alone. */
TEST(fixing_ends)
{
    OWN(tm_report) report;
    OWN(tm_findings) findings;
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) before = test_map_save(map, NULL);
    collect(&findings, &before, TM_MODE_STRICT);
    tm_report_init(&report, NULL);
    const tm_group *groups = map->groups;
    must(tm_edit_fix(map, &findings, TM_FIX_VISIBLE, &report, NULL));
    assert_int_equal(report.num, 0);
    assert_ptr_equal(map->groups, groups); /* pointers into it are still good */
}

/* The tiles that a game of another width plays are those that it played before. */
TEST(physics_play_as_before)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (strcmp(odd->name, "tele_layer_of_other_sides") != 0)
            continue;
        OWN(tm_buffer) file = test_odd_file(odd);
        OWN(tm_map) *before = test_map_load(&file, TM_MODE_GAME, NULL),
                    *after = fixed(&file, TM_FIX_SAFE, NULL);
        tm_grid a, b;
        uint32_t width, height;
        tm_map_area(&width, &height, before);
        must(tm_map_tiles(&a, before, tm_map_physics_layer(NULL, NULL, before, TM_LAYER_TELE), NULL));
        must(tm_map_tiles(&b, after, tm_map_physics_layer(NULL, NULL, after, TM_LAYER_TELE), NULL));
        assert_int_equal(b.width, width);
        assert_int_equal(b.height, height);
        assert_memory_equal(a.tiles, b.tiles, (size_t)width * height * b.tile_size);
        return;
    }
    fail_msg("the odd map is gone");
}

/* An object whose origin is taken away is written from the model alone, with its packed data. Its blocks once got lost. */
TEST(objects_without_origin_keep_their_data)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) first = test_map_save(made, NULL);
    OWN(tm_map) *map = test_map_load(&first, TM_MODE_STRICT, NULL),
                *copy = test_map_load(&first, TM_MODE_STRICT, NULL);
    const tm_origin no_origin = {NULL, 0};
    map->info.origin = no_origin;
    for (uint32_t i = 0; i < map->num_images; i++)
        map->images[i].origin = no_origin;
    for (uint32_t i = 0; i < map->num_sounds; i++)
        map->sounds[i].origin = no_origin;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        map->envelopes[i].origin = no_origin;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        map->groups[walk.group].layers[walk.index].origin = no_origin;
    OWN(tm_buffer) second = save_laid_out(map);
    OWN(tm_map) *reloaded = test_map_load(&second, TM_MODE_STRICT, NULL);
    assert_true(test_map_same(copy, reloaded));
}

/* They stayed in the file, and nothing was said of them. */
TEST(optimizing_removes_pixels_that_nobody_reads)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)) && strcmp(odd->name, "external_image_with_pixels") != 0; i++)
        ;
    OWN(tm_buffer) file = test_odd_file(odd);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_non_null(map->images[0].pixels);
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    must(tmi_map_insert_elements(map, LAYER_AT(0, 0), 0,
                                 &(tm_quad){.position_envelope = TM_NONE, .color_envelope = TM_NONE}, 1,
                                 NULL));
    map->groups[0].layers[0].as.quads.image = 0; /* else the image goes as a whole */
    must(tm_edit_run(map, tm_edit_find("optimize"), NULL, 0, NULL, NULL, NULL));
    assert_int_equal(map->num_images, 1);
    assert_null(map->images[0].pixels);
}

/* Any channel of any corner: found, and written as the game of the map shows it. */
TEST(odd_colors_of_quads_become_what_is_shown)
{
    static const struct {
        tm_game game;
        int32_t value, fits;
        const char *text;
    } cases[] = {{TM_GAME_DDNET, 300, 44, "DDNet shows it as 44, Teeworlds as 255"},
                 {TM_GAME_DDNET, -1, 255, "DDNet shows it as 255, Teeworlds as 0"},
                 {TM_GAME_TEEWORLDS06, 256, 0, "DDNet shows it as 0, Teeworlds as 255"},
                 {TM_GAME_TEEWORLDS07, 300, 255, "DDNet shows it as 44, Teeworlds as 255"},
                 {TM_GAME_TEEWORLDS07, -3, 0, "DDNet shows it as 253, Teeworlds as 0"},
                 {TM_GAME_DDNET, 255, 255, NULL},
                 {TM_GAME_TEEWORLDS07, 0, 0, NULL}};
    enum { CHANNELS = 16, QUADS = 3 };
    for (size_t i = 0; i < CHANNELS * sizeof(cases) / sizeof(*cases); i++) {
        const size_t c = i / CHANNELS, channel = i % CHANNELS;
        const tm_map_options options = {sizeof(options), cases[c].game, NULL, NULL};
        OWN(tm_map) *map;
        OWN(tm_findings) findings = test_findings();
        tm_quad quads[QUADS], *edited;
        uint32_t num;
        must(tm_map_new(&map, &options, NULL));
        must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
        must(tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, 5, 7, NULL));
        must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
        for (uint32_t q = 0; q < QUADS; q++)
            tm_quad_init(&quads[q], 0, 0, 32, 32);
        memcpy((uint8_t *)quads[1].colors + channel * sizeof(int32_t), &cases[c].value, sizeof(int32_t));
        must(tm_map_set_quads(map, 0, 1, quads, QUADS, NULL));
        must(tm_mapfile_check(map, TM_MODE_GAME, NULL, &findings, NULL));
        const tm_finding *found = test_get_finding(&findings, TM_FINDING_QUAD_COLOR);
        assert_int_equal(!found, !cases[c].text);
        if (found) {
            assert_string_equal(found->address, "0/1");
            assert_non_null(strstr(found->text, "quad 1: a channel of a color is"));
            assert_non_null(strstr(found->text, cases[c].text));
        }
        must(tm_edit_fix(map, &findings, TM_FIX_SAFE, NULL, NULL));
        must(tm_map_edit_quads(&edited, &num, map, 0, 1, NULL));
        memcpy((uint8_t *)quads[1].colors + channel * sizeof(int32_t), &cases[c].fits, sizeof(int32_t));
        assert_int_equal(num, QUADS);
        assert_memory_equal(edited, quads, sizeof(quads));
    }
}

/* An image without the pixels that its size claims: the games show no image, and a white sheet looks the same. */
TEST(images_without_their_pixels_are_white)
{
    static const struct {
        int32_t width, height;
        uint32_t rows;    /* of pixels that are there */
        bool has_more;    /* 4 bytes behind them */
        bool is_white[2]; /* with safe repairs, with all */
    } cases[] = {
        {16384, 16384, 0, true, {true, true}},
        {0, 16, 0, true, {true, true}},
        {-5, 16, 0, true, {true, true}},
        {64, 32, 0, true, {true, true}},
        {64, 32, 20, false, {false, false}},
        {64, 32, 31, true, {false, false}},
        {INT32_MAX, INT32_MAX, 0, true, {true, true}},
        {64, INT32_MAX / 8, 3, false, {true, true}},
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
        for (tm_fix_effect most = TM_FIX_SAFE; most <= TM_FIX_VISIBLE; most++) {
            struct test_maker maker = test_maker_begin();
            const size_t row = cases[c].width > 0 ? (size_t)cases[c].width * 4 : 0;
            const size_t size = row * cases[c].rows + (cases[c].has_more ? 4 : 0);
            uint8_t *bytes = malloc(size + 1);
            memset(bytes, 77, size);
            const int32_t name = test_maker_text(&maker, "x"), data = test_maker_data(&maker, bytes, size);
            TEST_ITEM(&maker, TM_ITEM_IMAGE, 0, 1, cases[c].width, cases[c].height, 0, name, data);
            OWN(tm_buffer) file = test_maker_finish(&maker);
            OWN(tm_report) report;
            OWN(tm_findings) findings, left;
            tm_report_init(&report, NULL);
            OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
            collect(&findings, &file, TM_MODE_STRICT);
            must(tm_edit_fix(map, &findings, most, &report, NULL));
            const tm_image *image = &map->images[0];
            const bool is_white = cases[c].is_white[most == TM_FIX_VISIBLE];
            if (is_white || most == TM_FIX_VISIBLE) {
                OWN(tm_buffer) out = save_laid_out(map);
                collect(&left, &out, TM_MODE_STRICT);
                assert_int_equal(num_bad(&left), 0);
            } else {
                tm_findings_init(&left, 0, NULL);
                assert_int_equal(report.num, 0); /* its pixels would show */
            }
            if (is_white) {
                uint8_t pixels[16 * 16 * 4];
                assert_int_equal(image->width, 16);
                assert_int_equal(image->height, 16);
                must(tm_map_image_pixels(map, image, pixels, sizeof(pixels), NULL));
                for (size_t i = 0; i < sizeof(pixels); i++)
                    assert_int_equal(pixels[i], 255);
            } else if (most == TM_FIX_VISIBLE) {
                const size_t all = row * (size_t)cases[c].height;
                uint8_t *pixels = malloc(all);
                assert_int_equal(image->width, cases[c].width);
                assert_int_equal(image->height, cases[c].height);
                must(tm_map_image_pixels(map, image, pixels, all, NULL));
                for (size_t i = 0; i < all; i++)
                    assert_int_equal(pixels[i], i < size ? 77 : 0);
                free(pixels);
            }
            free(bytes);
        }
}

/* Each row is for a finding that there is, and says what it does. */
TEST(repairs_are_known)
{
    int num = 0;
    for (int id = 0; id < 1000; id++) {
        const char *way = "";
        const tm_fix_effect effect = tm_edit_fix_of(&way, (tm_finding_id)id);
        assert_int_equal(effect == TM_FIX_NONE, !way);
        if (effect)
            assert_non_null(tm_finding_name((tm_finding_id)id));
        num += effect != TM_FIX_NONE;
    }
    assert_true(num > 40);
}
