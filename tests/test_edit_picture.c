/* SPDX-License-Identifier: Zlib */
/*
 * The picture of a map that was mirrored, turned, moved or resized is the mirrored, turned ... picture: both are drawn and
 * compared, on real maps of the corpus. Skipped without it.
 *
 * test-timeout: 600
 */
#include "support/lib_edit.h"
#include "support/lib_render.h"

#include <math.h>

enum { WIDTH = 288, HEIGHT = 192, TILE = 32 };
#define MAX_BEYOND 0.5

/* An operation, and where the world is afterwards: turned, then moved by x, y tiles, then `factor` times as large. */
static const struct sight {
    const char *script;
    tm_transform transform;
    int32_t x, y;
    uint32_t factor;
} sights[] = {
    {"mirror x", TM_TRANSFORM_MIRROR_X, 0, 0, 1},
    {"mirror y", TM_TRANSFORM_MIRROR_Y, 0, 0, 1},
    {"rotate 90", TM_TRANSFORM_TURN_90, 0, 0, 1},
    {"rotate 270", TM_TRANSFORM_TURN_270, 0, 0, 1},
    {"shift 3,-2", TM_TRANSFORM_NONE, 3, -2, 1},
    {"extend left 5", TM_TRANSFORM_NONE, 5, 0, 1},
    {"extend up 7 edge", TM_TRANSFORM_NONE, 0, 7, 1},
    {"extend right 4 empty", TM_TRANSFORM_NONE, 0, 0, 1},
    {"scale 2", TM_TRANSFORM_NONE, 0, 0, 2},
    {"scale 4", TM_TRANSFORM_NONE, 0, 0, 4},
    {"shrink\nopaque", TM_TRANSFORM_NONE, 0, 0, 1},
    {"crop 2,1+100000x100000", TM_TRANSFORM_NONE, -2, -1, 1},
};
enum { SIGHTS = sizeof(sights) / sizeof(*sights) };

typedef struct tally {
    uint32_t maps, wrong[SIGHTS];
    double worst[SIGHTS];
} tally;

/* ------------------------------------------------------------------------------------------------- pictures */

/* What is seen of the world in a rectangle, in px. */
static struct test_picture look(const tm_renderer *renderer, double x, double y, uint32_t width,
                                uint32_t height, double scale)
{
    tm_camera camera = TM_CAMERA_INIT;
    camera.kind = TM_CAMERA_REGION;
    camera.x = x;
    camera.y = y;
    camera.scale = scale;
    camera.width = width;
    camera.height = height;
    return test_draw(renderer, &camera, 0xFF806040);
}

/* The pixel of the old picture that comes to x, y. */
static uint32_t old_pixel(const struct test_picture *old, tm_transform transform, uint32_t x, uint32_t y)
{
    const bool exchange = (transform & TM_TRANSFORM_TURN_90) != 0;
    const bool flip_x = (transform & TM_TRANSFORM_MIRROR_X) != 0;
    const bool flip_y = ((transform & TM_TRANSFORM_MIRROR_Y) != 0) != exchange;
    const uint32_t u = exchange ? y : x, v = exchange ? x : y;
    return test_picture_at(old, flip_x ? old->width - 1 - u : u, flip_y ? old->height - 1 - v : v);
}

static double mean_difference(const struct test_picture *old, const struct test_picture *new,
                              tm_transform transform)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < new->height; y++) {
        for (uint32_t x = 0; x < new->width; x++) {
            const uint32_t a = old_pixel(old, transform, x, y), b = test_picture_at(new, x, y);
            for (int shift = 0; shift < 24; shift += 8)
                sum += (uint64_t)abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
        }
    }
    return (double)sum / ((double)new->width *new->height * 3);
}

/* Where the upper left corner of a rectangle comes to. */
static void moved(double at[2], const struct sight *sight, const double size[2], const double world[2])
{
    const bool exchange = (sight->transform & TM_TRANSFORM_TURN_90) != 0;
    if (sight->transform & TM_TRANSFORM_MIRROR_X)
        at[0] = world[0] - at[0] - size[0];
    if (((sight->transform & TM_TRANSFORM_MIRROR_Y) != 0) != exchange)
        at[1] = world[1] - at[1] - size[1];
    if (exchange) {
        const double old = at[0];
        at[0] = at[1];
        at[1] = old;
    }
    at[0] = (at[0] + sight->x * TILE) * sight->factor;
    at[1] = (at[1] + sight->y * TILE) * sight->factor;
}

/*
 * Whether a distance in a group is no whole px, as its offset has to be: then its tiles stand up to 12/25 px off,
 * since 32 px times a percentage is a multiple of 8/25, and their edges, which are on whole pixels, up to one.
 */
static bool is_rounded(int64_t distance, int32_t parallax)
{
    return distance * TILE * parallax % 100 != 0;
}

/* By how many pixels something stands off along an axis of the old map; no choice of offsets does better. */
static double most_off(const tm_map *map, const struct sight *sight, bool down)
{
    uint32_t width, height;
    tm_map_area(&width, &height, map);
    const bool exchange = (sight->transform & TM_TRANSFORM_TURN_90) != 0;
    const bool flip = down ? ((sight->transform & TM_TRANSFORM_MIRROR_Y) != 0) != exchange
                           : (sight->transform & TM_TRANSFORM_MIRROR_X) != 0;
    const int64_t moved_by = down ? sight->y : sight->x, side = down ? height : width;
    for (uint32_t g = 0; g < map->num_groups; g++) {
        const int32_t parallax = down ? map->groups[g].parallax_y : map->groups[g].parallax_x;
        if (is_rounded(flip ? side : moved_by, parallax))
            return 1;
    }
    return 0;
}

/* What neighbours differ by on average: a picture that is moved by d px differs from itself by d times as much at most. */
static double unrest(const struct test_picture *picture, bool down)
{
    uint64_t sum = 0, num = 0;
    for (uint32_t y = down; y < picture->height; y++) {
        for (uint32_t x = !down; x < picture->width; x++, num += 3) {
            const uint32_t a = test_picture_at(picture, x, y),
                           b = test_picture_at(picture, x - !down, y - down);
            for (int shift = 0; shift < 24; shift += 8)
                sum += (uint64_t)abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
        }
    }
    return (double)sum / (double)num;
}

/* The largest mean difference; *beyond is how much of it is not the rounding of offsets. */
static double compare_sights(double *excess, const tm_renderer *old, const tm_renderer *new,
                             const struct sight *sight, const tm_map *map)
{
    const double off[2] = {most_off(map, sight, false), most_off(map, sight, true)};
    static const double spots[][2] = {{0.5, 0.5}, {0.25, 0.4}, {0.7, 0.75}};
    const double size[2] = {WIDTH, HEIGHT};
    const bool exchange = (sight->transform & TM_TRANSFORM_TURN_90) != 0;
    double worst = 0;
    uint32_t width, height;
    tm_map_area(&width, &height, map);
    const double world[2] = {(double)width * TILE, (double)height * TILE};
    for (size_t i = 0; i < sizeof(spots) / sizeof(*spots); i++) {
        double at[2] = {(double)(int)(spots[i][0] * world[0] - WIDTH / 2),
                        (double)(int)(spots[i][1] * world[1] - HEIGHT / 2)};
        OWN(test_picture) before = look(old, at[0], at[1], WIDTH, HEIGHT, 1);
        moved(at, sight, size, world);
        OWN(test_picture) after = look(new, at[0], at[1], exchange ? HEIGHT : WIDTH,
                                       exchange ? WIDTH : HEIGHT, 1.0 / sight->factor);
        const double difference = mean_difference(&before, &after, sight->transform),
                     of_rounding = off[0] * unrest(&before, false) + off[1] * unrest(&before, true);
        *excess = fmax(*excess, difference - of_rounding);
        worst = difference > worst ? difference : worst;
    }
    return worst;
}

/* Regions end at the map's edge. */
static void fit_script(char *out, size_t size, const char *script, const tm_map *map)
{
    uint32_t width, height;
    tm_map_area(&width, &height, map);
    if (strncmp(script, "crop", 4) == 0)
        snprintf(out, size, "crop 2,1+%ux%u", (unsigned)width - 2, (unsigned)height - 1);
    else
        snprintf(out, size, "%s", script);
}

/* Whether it was done as it should be: with all pixels that it needs, and no numbers beyond 32 bits. */
static bool run(bool *skip, tm_map *map, const char *text, const char *path)
{
    tm_error error;
    char fitted[64];
    fit_script(fitted, sizeof(fitted), text, map);
    const tm_status status = test_edit_run(map, fitted, &error);
    *skip = status == TM_ERROR_LIMIT || test_found(&test_report.findings, TM_FINDING_NO_PIXELS);
    if (status)
        print_error("%s: %s: %s: %s\n", path, fitted, error.place, error.text);
    return !status;
}

static void look_at_map(void *ctx, const char *path)
{
    tally *count = ctx;
    tm_map *map;
    struct test_bytes bytes = test_bytes_from_file(path);
    OWN(tm_buffer) file = {bytes.bytes, bytes.size, bytes.size, NULL};
    const bool open = !test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL);
    uint32_t width = 0, height = 0;
    tm_map_area(&width, &height, map);
    if (open && width > 10 && height > 10) {
        OWN(tm_renderer) *old = test_renderer_new(map, NULL);
        const uint32_t share = getenv("TEEMAP_THOROUGH") ? 1 : 3;
        for (uint32_t i = count->maps++ % share; i < SIGHTS; i += share) { /* each map some */
            OWN(tm_map) *clone;                                            /* it outlives its renderer */
            must(tm_map_clone(&clone, map, NULL));
            bool skip;
            const bool done = run(&skip, clone, sights[i].script, path);
            OWN(tm_renderer) *new = test_renderer_new(clone, NULL);
            double beyond = done ? 0 : 256;
            const double difference = skip || !done ? 0 : compare_sights(&beyond, old, new, &sights[i], map);
            if (!skip && beyond > MAX_BEYOND) {
                print_message("%s: %s: mean %.3f, %.3f not of rounding\n", sights[i].script, path, difference,
                              beyond);
                count->wrong[i]++;
            }
            count->worst[i] = difference > count->worst[i] ? difference : count->worst[i];
        }
    }
    tm_map_free(map);
}

TEST(pictures_turn_with_maps)
{
    tally count = {0, {0}, {0}};
    test_many_corpus_maps(look_at_map, &count);
    for (size_t i = 0; i < SIGHTS; i++)
        print_message("%-24s largest mean difference %.3f\n", sights[i].script, count.worst[i]);
    for (size_t i = 0; i < SIGHTS; i++)
        assert_int_equal(count.wrong[i], 0);
    assert_true(count.maps > 0);
}
