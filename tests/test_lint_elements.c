/* SPDX-License-Identifier: Zlib */
/*
 * Rules of quads, points of envelopes and sounds, which no line of operations makes: maps that trip over each
 * rule, and such that nearly do.
 */
#include "support/lib_lint.h"
#include "support/lib_odd.h"

enum { PX = 1024 };

/* The race, and behind it a group with a layer of one quad. */
typedef struct quad_map {
    int32_t x, y;           /* px: the middle */
    uint32_t width, height; /* px */
    int32_t image;          /* sides in pixels; 0: none */
    int32_t image_height;
    uint8_t alpha;
    const char *after; /* operations */
} quad_map;

static tm_map *make_map(const quad_map *quads)
{
    tm_map *map = test_lint_new_race();
    tm_quad quad;
    char lines[256];
    test_edit_does(
        map, "add group Back\nset Back.parallax.x=0 Back.parallax.y=0\nadd layer Back quads\nmove Back 0");
    if (quads->image) {
        snprintf(
            lines, sizeof(lines),
            "add image a\nset image/0.external=false image/0.width=%d image/0.height=%d 0/0.image=image/0",
            (int)quads->image, (int)quads->image_height);
        test_edit_does(map, lines);
    }
    tm_quad_init(&quad, (quads->x - (int32_t)quads->width / 2) * PX,
                 (quads->y - (int32_t)quads->height / 2) * PX, quads->width * PX, quads->height * PX);
    for (int i = 0; i < 4; i++)
        quad.colors[i] = (tm_color){255, 255, 255, quads->alpha};
    must(tm_map_set_quads(map, 0, 0, &quad, 1, NULL));
    test_edit_does(map, quads->after);
    return map;
}

/* Whether the map trips over a rule; its fix, if there is one, does away with that. */
static bool trips(tm_map *map, tm_finding_id id)
{
    tm_lint_result result;
    size_t at = 0;
    char fix[TM_ERROR_TEXT_SIZE] = "";
    test_lint_ask(&result, map);
    const tm_finding *finding = test_lint_find(&result, id, &at);
    const bool found = finding;
    if (found) {
        assert_true(finding->text[0] && finding->count > 0);
        snprintf(fix, sizeof(fix), "%s", tm_lint_fix_line(&result, at));
    }
    tm_lint_result_release(&result);
    if (fix[0]) {
        test_edit_does(map, fix);
        test_lint_ask(&result, map);
        assert_null(test_lint_find(&result, id, &at));
        tm_lint_result_release(&result);
    }
    return found;
}

static bool quad_trips(quad_map quads, tm_finding_id id)
{
    quads.after = quads.after ? quads.after : "";
    OWN(tm_map) *map = make_map(&quads);
    return trips(map, id);
}

/* A px of the map shows two pixels of an image of tiles. */
TEST(images_with_twice_the_pixels_are_told)
{
    const tm_finding_id id = TM_FINDING_IMAGE_OVERSIZED;
    const char *tiles = "add group a\nadd layer a tiles 4x4\nfill a/0@1,1+1x1 3\nset a/0.image=image/0";
    const char *air = "add group a\nadd layer a tiles 4x4\nset a/0.image=image/0";
    assert_true(quad_trips((quad_map){0, 0, 100, 100, 400, 400, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 102, 100, 400, 400, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 100, 100, 400, 399, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 100, 100, 400, 400, 0, ""}, id)); /* nothing shows it */
    assert_false(quad_trips((quad_map){0, 0, 100, 100, 400, 400, 255, "set image/0.external=true"}, id));
    assert_false(quad_trips((quad_map){0, 0, 10, 10, 1024, 1024, 255, tiles}, id));
    assert_false(quad_trips((quad_map){0, 0, 10, 10, 2048, 2032, 255, tiles}, id));
    assert_false(quad_trips((quad_map){0, 0, 10, 10, 2032, 2048, 255, tiles}, id));
    assert_true(quad_trips((quad_map){0, 0, 10, 10, 2048, 2048, 255, tiles}, id));
    const char *no_quad = "add group a\nadd layer a tiles 4x4\nfill a/0@1,1+1x1 3\nset a/0.image=image/0 "
                          "Back/0.image=none";
    assert_true(quad_trips((quad_map){0, 0, 10, 10, 2048, 2048, 255, no_quad}, id));
    assert_true(quad_trips((quad_map){0, 0, 10, 10, 1024, 1024, 255, air}, id));
}

/* The corner that moves makes one edge longer than half of the pixels allow, and the others hardly: each of the four. */
TEST(each_edge_of_a_quad_needs_its_pixels)
{
    static const struct {
        int corner, x, y; /* 0: as it is */
    } edges[] = {{1, 1, 0}, {3, 1, 0}, {2, 0, 1}, {3, 0, 1}};
    for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++)
        for (int32_t more = 0; more <= 1; more++) {
            OWN(tm_map) *map = make_map(&(quad_map){300, 500, 90, 90, 400, 400, 255, ""});
            tm_quad quad = test_quads(map, &map->groups[0].layers[0])[0];
            quad.points[edges[i].corner].x +=
                edges[i].x * (10 * PX + more); /* 100 px: 400 pixels are twice as many */
            quad.points[edges[i].corner].y += edges[i].y * (10 * PX + more);
            must(tm_map_set_quads(map, 0, 0, &quad, 1, NULL));
            assert_int_equal(trips(map, TM_FINDING_IMAGE_OVERSIZED), !more);
        }
}

static bool images_trip(const uint8_t first[1024], const uint8_t second[1024])
{
    OWN(tm_map) *map = test_lint_new_race();
    test_edit_does(map, "add image a\nadd image a");
    must(tm_map_set_pixels(map, 0, first, 16, 16, NULL));
    must(tm_map_set_pixels(map, 1, second, 16, 16, NULL));
    return trips(map, TM_FINDING_IMAGE_TWICE);
}

/* Only images that were packed alike were told before. */
TEST(equal_pixels_are_told_however_they_are_kept)
{
    static uint8_t plain[1024], other[1024] = {[1023] = 1};
    assert_true(images_trip(plain, plain));
    assert_false(images_trip(plain, other));
}

TEST(quads_far_outside_are_told)
{
    const tm_finding_id id = TM_FINDING_QUAD_FAR;
    const char *close_quad = "set Back.parallax.x=100", *moved = "set Back.offset.x=-3000";
    const char *envelope = "add envelope position a\nset 'Back/0.quads[0].position_envelope=envelope/0'";
    assert_true(quad_trips((quad_map){10790, 0, 64, 64, 0, 0, 255, ""}, id));
    assert_true(quad_trips((quad_map){0, -20000, 64, 64, 0, 0, 255, ""}, id));
    assert_false(quad_trips((quad_map){10780, 0, 64, 64, 0, 0, 255, ""}, id));
    assert_false(quad_trips((quad_map){11300, 0, 64, 64, 0, 0, 255, close_quad}, id)); /* 20 tiles: 640 px */
    assert_true(quad_trips((quad_map){11450, 0, 64, 64, 0, 0, 255, close_quad}, id));
    assert_true(quad_trips((quad_map){9000, 0, 64, 64, 0, 0, 255, moved}, id));
    assert_false(quad_trips((quad_map){-13700, 0, 64, 64, 0, 0, 255, moved}, id));
    assert_false(quad_trips((quad_map){20000, 0, 64, 64, 0, 0, 255, envelope}, id)); /* it may come in */
    assert_false(quad_trips((quad_map){20000, 0, 64, 64, 0, 0, 0, ""}, id));         /* quad-hidden */
}

/* The place of a quad on one axis, with the limits of the views of its group: each side, below and on the limit. */
TEST(views_end_on_each_side)
{
    static const struct {
        int parallax, offset;
    } groups[] = {{0, 0}, {100, 0}, {50, 77}, {-50, -300}};
    OWN(tm_map) *race = test_lint_new_race();
    uint32_t size[2];
    tm_map_area(&size[0], &size[1], race);
    for (int axis = 0; axis < 2; axis++)
        for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
            for (int side = -1; side <= 1; side += 2)
                for (int32_t more = 0; more <= 1; more++) {
                    const int32_t half = axis ? 1050 / 2 : 1500 / 2, quad = 32,
                                  moved = (int32_t)size[axis] * 32 * groups[i].parallax / 100,
                                  reached = (side > 0) == (moved > 0) ? moved : 0,
                                  place = groups[i].offset + reached + side * (half + 10000 + quad + more);
                    char after[100];
                    snprintf(after, sizeof(after), "set Back.parallax.%c=%d Back.offset.%c=%d", "xy"[axis],
                             groups[i].parallax, "xy"[axis], groups[i].offset);
                    const quad_map quads = {axis ? 5 : place, axis ? place : 5, 64, 64, 0, 0, 255, after};
                    if (quad_trips(quads, TM_FINDING_QUAD_FAR) != (more == 1))
                        fail_msg("%s at %d", after, (int)place);
                }
}

/* How many quads of a layer there are, how many the finding is about, and which is the first. */
TEST(quads_are_counted)
{
    static const struct {
        tm_finding_id id;
        const char *words;
    } rows[] = {{TM_FINDING_QUAD_FAR, "no view gets to 2 of 4 quads, the first is 1"},
                {TM_FINDING_QUAD_HIDDEN, "1 of 4 quads have no extent"}};
    OWN(tm_map) *map = make_map(&(quad_map){0, 0, 64, 64, 0, 0, 255, ""});
    tm_quad quads[4];
    for (int i = 0; i < 4; i++) {
        quads[i] = test_quads(map, &map->groups[0].layers[0])[0];
        for (int k = 0; k < 5; k++)
            quads[i].points[k].x += i == 1 || i == 2 ? 20000 * PX : 0;
        for (int k = 0; k < 4; k++)
            quads[i].colors[k].a = i == 3 ? 0 : 255;
    }
    must(tm_map_set_quads(map, 0, 0, quads, 4, NULL));
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        tm_lint_result result;
        size_t at = 0;
        test_lint_ask(&result, map);
        const tm_finding *finding = test_lint_find(&result, rows[i].id, &at);
        assert_non_null(finding);
        if (!strstr(finding->text, rows[i].words))
            fail_msg("%s", finding->text);
        tm_lint_result_release(&result);
    }
}

TEST(quads_that_nobody_sees_are_told)
{
    const tm_finding_id id = TM_FINDING_QUAD_HIDDEN;
    const char *envelope = "add envelope color a\nset 'Back/0.quads[0].color_envelope=envelope/0'";
    assert_true(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 0, ""}, id));
    assert_true(quad_trips((quad_map){0, 0, 0, 0, 0, 0, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 1, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 64, 0, 0, 0, 255, ""}, id)); /* envelopes may turn its corners */
    assert_false(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 0, envelope}, id));
}

TEST(backgrounds_are_no_detail)
{
    const tm_finding_id id = TM_FINDING_BACKGROUND_DETAIL;
    assert_true(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 255, "set Back/0.detail=true"}, id));
    assert_false(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 255, ""}, id));
    assert_false(
        quad_trips((quad_map){0, 0, 64, 64, 0, 0, 255, "duplicate Back/0\nset Back/0.detail=true"}, id));
    assert_false(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 255, "set Back/0.detail=true\nmove Back 1"}, id));
    assert_false(quad_trips((quad_map){0, 0, 64, 64, 0, 0, 0, "set Back/0.detail=true"}, id));
}

TEST(backgrounds_fill_all_screens)
{
    const tm_finding_id id = TM_FINDING_BACKGROUND_SMALL;
    assert_true(quad_trips((quad_map){0, 0, 1498, 1050, 0, 0, 255, ""}, id));
    assert_true(quad_trips((quad_map){0, 0, 1600, 1048, 0, 0, 255, ""}, id));
    assert_true(quad_trips((quad_map){0, 0, 1600, 1200, 0, 0, 255, "set Back.offset.x=100"}, id));
    /* each side alone: 750 px to the left and right, 525 px up and down, and no less than the middle */
    static const struct {
        int32_t x, y;
    } sides[] = {{50, 0}, {-50, 0}, {0, 75}, {0, -75}};
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
        for (int32_t more = 0; more <= 1; more++) {
            const int32_t x = sides[i].x + (sides[i].x > 0) * more - (sides[i].x < 0) * more,
                          y = sides[i].y + (sides[i].y > 0) * more - (sides[i].y < 0) * more;
            assert_int_equal(quad_trips((quad_map){x, y, 1600, 1200, 0, 0, 255, ""}, id), more);
            const int32_t far_x = x ? (x > 0 ? 800 : -800) + (x > 0 ? more : -more) : 0,
                          far_y = y ? (y > 0 ? 600 : -600) + (y > 0 ? more : -more) : 0;
            assert_int_equal(quad_trips((quad_map){far_x, far_y, 1600, 1200, 0, 0, 255, ""}, id), !more);
        }
    assert_false(quad_trips((quad_map){0, 0, 1500, 1050, 0, 0, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 800, 600, 0, 0, 255, "set Back.parallax.x=100"}, id));
    assert_false(
        quad_trips((quad_map){0, 0, 800, 600, 1024, 1024, 255, ""}, id)); /* a picture, no plain color */
    assert_false(quad_trips((quad_map){3000, 0, 800, 600, 0, 0, 255, ""}, id)); /* something else */
    const char *moves = "add envelope position a\nset 'Back/0.quads[0].position_envelope=envelope/0'";
    assert_true(quad_trips((quad_map){0, 0, 800, 600, 0, 0, 255, ""}, id));
    assert_false(quad_trips((quad_map){0, 0, 800, 600, 0, 0, 255, moves}, id)); /* nobody knows how far */
}

static bool envelope_trips(const char *kind, int32_t value)
{
    OWN(tm_map) *map = test_lint_new_race();
    tm_envelope_point points[2] = {{.time = 0}, {.time = 1000}};
    char lines[64];
    points[1].values[0] = value;
    snprintf(lines, sizeof(lines), "add envelope %s a", kind);
    test_edit_does(map, lines);
    must(tm_map_set_points(map, 0, points, 2, NULL));
    return trips(map, TM_FINDING_ENVELOPE_RANGE);
}

TEST(values_of_envelopes_have_a_range)
{
    assert_false(envelope_trips("color", 2000)); /* bright, with dark layers */
    assert_true(envelope_trips("color", -1));
    assert_true(envelope_trips("sound", 2000));
    assert_false(envelope_trips("color", 1024));
    assert_false(envelope_trips("sound", 0));
    assert_false(envelope_trips("position", -100000));
}

static bool sound_trips(const void *bytes, size_t size)
{
    OWN(tm_map) *map = test_lint_new_race();
    test_edit_does(map, "add sound bell");
    must(tm_map_set_sound(map, 0, bytes, size, NULL));
    const bool found = trips(map, TM_FINDING_SOUND_NOT_OPUS);
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *packed = test_map_load(&file, TM_MODE_GAME, NULL); /* of which only the head is unpacked */
    assert_int_equal(trips(packed, TM_FINDING_SOUND_NOT_OPUS), found);
    return found;
}

/* The shortest stream that counts: a head, a comment and a page of sound. */
static size_t make_opus(uint8_t bytes[256], const char *head)
{
    static const char tags[16] = "OpusTags";
    const struct {
        const char *body;
        uint8_t size, flags;
    } pages[] = {{head, 19, 2}, {tags, 16, 0}, {"sound", 5, 4}};
    size_t size = 0;
    for (size_t i = 0; i < 3; i++) {
        memset(bytes + size, 0, 28);
        memcpy(bytes + size, "OggS", 4);
        bytes[size + 5] = pages[i].flags;
        bytes[size + 26] = 1;
        bytes[size + 27] = pages[i].size;
        memcpy(bytes + size + 28, pages[i].body, pages[i].size);
        size += 28 + (size_t)pages[i].size;
    }
    return size;
}

TEST(sounds_are_opus)
{
    static const char opus[20] = "OpusHead\1\2", vorbis[20] = "VorbHead\1\2";
    uint8_t bytes[256];
    assert_false(sound_trips(bytes, make_opus(bytes, opus)));
    assert_true(sound_trips(bytes, make_opus(bytes, vorbis)));
    assert_true(sound_trips(bytes, make_opus(bytes, opus) - 33)); /* no page of sound */
    assert_true(sound_trips("RIFF", 4));
    static uint8_t long_one[20000]; /* more than is unpacked of it at first */
    memcpy(long_one, bytes, make_opus(bytes, opus));
    assert_false(sound_trips(long_one, sizeof(long_one)));
    memcpy(long_one, bytes, make_opus(bytes, vorbis));
    assert_true(sound_trips(long_one, sizeof(long_one)));
}

/* compare.md 8: a layer with fewer tiles than its size needs, which no game reads, was told to hold nothing. */
TEST(layers_that_no_game_reads_are_not_judged)
{
    const struct test_odd *odd;
    size_t i = 0, at;
    while ((odd = test_odd_at(i)) && strcmp(odd->name, "short_tiles") != 0)
        i++;
    assert_non_null(odd);
    OWN(tm_buffer) file = test_odd_file(odd);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    OWN(tm_lint_result) result;
    test_lint_ask(&result, map);
    assert_null(test_lint_find(&result, TM_FINDING_EMPTY_LAYER, &at));
    tm_lint_result_release(&result);
    test_edit_does(map, "fill 0/1@0,0+1x1 1\nfill 0/1@0,0+1x1 0"); /* now it is whole */
    test_lint_ask(&result, map);
    assert_non_null(test_lint_find(&result, TM_FINDING_EMPTY_LAYER, &at));
}
