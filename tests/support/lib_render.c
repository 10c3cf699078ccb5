/* SPDX-License-Identifier: Zlib */
/*
 * Pictures for tests of the renderer; see lib_render.h.
 */
#include "lib_render.h"

/* ------------------------------------------------------------------------------------------------ pictures */

struct test_picture test_picture_new(uint32_t width, uint32_t height, uint32_t abgr)
{
    struct test_picture out = {malloc((size_t)width * height * 4), width, height};
    assert_non_null(out.rgba);
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        out.rgba[i] = (uint8_t)(abgr >> 8 * (i % 4));
    return out;
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

struct test_picture test_picture_from_png(const char *path)
{
    struct test_picture out;
    size_t size;
    FREED uint8_t *bytes = read_file(path, &size);
    assert_non_null(bytes);
    must(tm_png_read(&out.rgba, &out.width, &out.height, bytes, size, 0, NULL, NULL));
    return out;
}

void test_picture_release(struct test_picture *picture)
{
    free(picture->rgba);
    memset(picture, 0, sizeof(*picture));
}

bool test_picture_same(const struct test_picture *a, const struct test_picture *b)
{
    if (a->width != b->width || a->height != b->height)
        return false;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        if (memcmp(a->rgba + 4 * i, b->rgba + 4 * i, 4) != 0) {
            print_message("pixel %zu,%zu: %d,%d,%d,%d and %d,%d,%d,%d\n", i % a->width, i / a->width,
                          a->rgba[4 * i], a->rgba[4 * i + 1], a->rgba[4 * i + 2], a->rgba[4 * i + 3],
                          b->rgba[4 * i], b->rgba[4 * i + 1], b->rgba[4 * i + 2], b->rgba[4 * i + 3]);
            return false;
        }
    }
    return true;
}

uint32_t test_picture_at(const struct test_picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *p = picture->rgba + ((size_t)y * picture->width + x) * 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t test_picture_crc(const struct test_picture *picture)
{
    return tm_crc32(0, picture->rgba, (size_t)picture->width * picture->height * 4);
}

static int pixel_distance(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int k = 0; k < 3; k++) {
        const int distance = abs(a[k] - b[k]);
        most = distance > most ? distance : most;
    }
    return most;
}

/*
 * Whether a pixel lies between the darkest and the brightest of the nine around its place in the other
 * picture, give or take 8.
 */
static bool lies_between(const struct test_picture *first, const struct test_picture *other, uint32_t x,
                         uint32_t y)
{
    const uint8_t *pixel = first->rgba + ((size_t)y * first->width + x) * 4;
    int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
    for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < other->height; j++) {
        for (uint32_t i = x ? x - 1 : 0; i <= x + 1 && i < other->width; i++) {
            for (int k = 0; k < 3; k++) {
                const int value = other->rgba[((size_t)j * other->width + i) * 4 + (unsigned)k];
                low[k] = value < low[k] ? value : low[k];
                high[k] = value > high[k] ? value : high[k];
            }
        }
    }
    for (int k = 0; k < 3; k++)
        if (pixel[k] < low[k] - 8 || pixel[k] > high[k] + 8)
            return false;
    return true;
}

/* Whether a difference can come from an edge that runs one pixel beside, in one picture or the other. */
static bool near_edge(const struct test_picture *ours, const struct test_picture *shot, uint32_t x,
                      uint32_t y)
{
    return lies_between(ours, shot, x, y) || lies_between(shot, ours, x, y);
}

struct test_distance test_picture_distance(const struct test_picture *ours, const struct test_picture *shot)
{
    struct test_distance out = {0};
    double sum = 0;
    uint64_t within2 = 0, num = (uint64_t)ours->width * ours->height;
    assert_int_equal(ours->width, shot->width);
    assert_int_equal(ours->height, shot->height);
    for (uint64_t i = 0; i < num; i++) {
        const uint32_t x = (uint32_t)(i % ours->width), y = (uint32_t)(i / ours->width);
        for (int k = 0; k < 3; k++)
            sum += abs(ours->rgba[4 * i + (unsigned)k] - shot->rgba[4 * i + (unsigned)k]);
        const int distance = pixel_distance(ours->rgba + 4 * i, shot->rgba + 4 * i);
        within2 += distance <= 2;
        out.over8 += distance > 8;
        if (distance > 8 && !near_edge(ours, shot, x, y)) {
            out.stray++;
            out.stray_x = x, out.stray_y = y;
        }
    }
    out.mean = sum / (double)num / 3;
    out.within2 = (double)within2 / (double)num;
    return out;
}

/* ------------------------------------------------------------------------------------------------- drawing */

tm_camera test_camera(tm_camera_kind kind, double x, double y, double factor, uint32_t width, uint32_t height,
                      double time, const float *opacities)
{
    return (tm_camera){.size = sizeof(tm_camera),
                       .kind = kind,
                       .x = x,
                       .y = y,
                       .zoom = factor,
                       .scale = factor,
                       .width = width,
                       .height = height,
                       .time = time,
                       .opacities = opacities};
}

tm_renderer *test_renderer_new(const tm_map *map, const tm_render_options *options)
{
    tm_renderer *renderer;
    tm_error error = {.code = TM_OK};
    if (tm_renderer_new(&renderer, map, options, NULL, &error) != TM_OK)
        fail_msg("preparing: %s: %s", tm_status_name(error.code), error.text);
    return renderer;
}

struct test_picture test_draw(const tm_renderer *renderer, const tm_camera *camera, uint32_t abgr)
{
    struct test_picture out = test_picture_new(camera->width, camera->height, abgr);
    tm_error error = {.code = TM_OK};
    if (tm_renderer_draw(renderer, camera, &(tm_rows){out.rgba, (size_t)out.width * 4, 0, camera->height},
                         &error) != TM_OK)
        fail_msg("drawing: %s: %s", tm_status_name(error.code), error.text);
    return out;
}

tm_status test_provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                       uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    char path[512];
    size_t size;
    (void)game;
    snprintf(path, sizeof(path), "%s/%s.png", (const char *)ctx, name);
    uint8_t *bytes = read_file(path, &size);
    if (!bytes)
        return TM_ERROR_NOT_FOUND;
    tm_status status = tm_png_read(rgba, width, height, bytes, size, 0, allocator, NULL);
    free(bytes);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- maps */

uint32_t test_noise(uint32_t number)
{
    number = (number ^ 61) ^ (number >> 16);
    number *= 9;
    number ^= number >> 4;
    number *= 0x27d4eb2d;
    return number ^ (number >> 15);
}

/* Noise whose slices differ: clear, solid, of one color, half clear. */
static void embed_noise(tm_map *map, uint32_t image, uint32_t width, uint32_t height)
{
    FREED uint8_t *rgba = malloc((size_t)width * height * 4);
    assert_non_null(rgba);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t slice = (i % width) * 16 / width + (i / width) * 16 / height * 16,
                       noise = test_noise(slice % 4 == 1 ? slice : i);
        for (uint32_t k = 0; k < 4; k++)
            rgba[4 * i + k] = (uint8_t)(noise >> 8 * k);
        if (slice % 4 < 2)
            rgba[4 * i + 3] = 255;
        else if (slice % 16 == 2)
            rgba[4 * i + 3] = 0;
    }
    must(tm_map_set_pixels(map, image, rgba, width, height, NULL));
}

static void add_image(tm_map *map, uint32_t width, uint32_t height)
{
    const uint32_t at = map->num_images;
    must(tm_map_insert(map, TM_KIND_IMAGE, at, NULL));
    must(tm_map_set_text(map, &map->images[at].name, "noise", NULL));
    if (width)
        embed_noise(map, at, width, height);
}

static tm_tile_layer *add_tiles(tm_map *map, uint32_t group, uint32_t width, uint32_t height, int32_t image)
{
    const uint32_t at = map->groups[group].num_layers;
    must(tm_map_insert_layer(map, group, at, TM_LAYER_TILES, width, height, NULL));
    tm_layer *layer = &map->groups[group].layers[at];
    layer->as.tiles.image = image;
    tm_edit_grid grid = test_edit_grid(map, group, at);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t noise = test_noise(i + 7777 * at + 99 * group);
        ((tm_tile *)grid.tiles)[i] =
            (tm_tile){.index = noise % 3 ? (uint8_t)(noise >> 8) : 0, .flags = (uint8_t)(noise >> 16 & 15)};
    }
    return &layer->as.tiles;
}

tm_map *test_map_of_tiles(uint32_t width, uint32_t height, uint32_t side)
{
    tm_map *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    add_image(map, 16 * side, 16 * side);
    add_tiles(map, 0, width, height, 0);
    return map;
}

static void add_envelope(tm_map *map, int32_t channels, int32_t scale)
{
    tm_envelope_point points[6];
    const uint32_t at = map->num_envelopes;
    memset(points, 0, sizeof(points));
    for (int32_t i = 0; i < 6; i++) {
        points[i].time = 100 * i * (i + 1);
        points[i].curve = i;
        for (int32_t k = 0; k < 4; k++)
            points[i].values[k] = (int32_t)(test_noise((uint32_t)(10 * i + k)) % (uint32_t)scale);
        points[i].out_dx[0] = 50, points[i].out_dy[0] = 500;
        points[i].in_dx[1] = -50, points[i].in_dy[1] = 900;
    }
    must(tm_map_insert(map, TM_KIND_ENVELOPE, at, NULL));
    map->envelopes[at].channels = channels;
    must(tm_map_set_points(map, at, points, 6, NULL));
}

static void add_quads(tm_map *map, uint32_t group, int32_t image, uint32_t num)
{
    FREED tm_quad *quads = calloc(num, sizeof(*quads));
    assert_non_null(quads);
    for (uint32_t i = 0; i < num; i++) {
        tm_quad *quad = &quads[i];
        const uint32_t at = test_noise(1000 * group + i);
        for (uint32_t k = 0; k < 5; k++) {
            const uint32_t noise = test_noise(i * 50 + k);
            const bool straight = i % 2 == 0; /* the others have corners anywhere */
            quad->points[k].x = (int32_t)(at % 1300000 + (straight ? k % 2 * 90000 : noise % 200000));
            quad->points[k].y =
                (int32_t)((at >> 8) % 1000000 + (straight ? k / 2 * 70000 : (noise >> 8) % 200000));
        }
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t noise = i % 3 ? test_noise(i * 70 + k) : UINT32_MAX;
            quad->colors[k] = (tm_color){(int32_t)(noise & 255), (int32_t)(noise >> 8 & 255),
                                         (int32_t)(noise >> 16 & 255), (int32_t)(noise >> 24)};
            quad->texture[k] = (tm_point){(int32_t)(k % 2 * 1024 * (1 + i % 3)),
                                          (int32_t)(k / 2 * 1024) - (int32_t)(i % 5) * 300};
        }
        quad->position_envelope = i % 4 == 3 ? 1 : -1;
        quad->color_envelope = i % 5 == 4 ? 0 : -1;
        quad->position_offset = (int32_t)(at % 3000) - 1000;
    }
    const uint32_t at = map->groups[group].num_layers;
    must(tm_map_insert_layer(map, group, at, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, group, at, quads, num, NULL));
    map->groups[group].layers[at].as.quads.image = image;
}

static void add_group(tm_map *map, int32_t parallax_x, int32_t parallax_y, int32_t offset)
{
    const uint32_t at = map->num_groups;
    must(tm_map_insert(map, TM_KIND_GROUP, at, NULL));
    tm_group *group = &map->groups[at];
    group->parallax_x = parallax_x, group->parallax_y = parallax_y;
    group->offset_x = offset, group->offset_y = -2 * offset;
}

tm_map *test_map_to_draw(tm_game game)
{
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    must(tm_map_new(&map, &options, NULL));
    add_image(map, 512, 512); /* slices of 32 */
    add_image(map, 67, 45);   /* odd */
    add_image(map, 0, 0);     /* missing */
    add_envelope(map, TM_ENVELOPE_COLOR, 1400);
    add_envelope(map, TM_ENVELOPE_POSITION, 200 * 1024);
    add_group(map, 0, 0, -500);
    add_quads(map, 0, TM_NONE, 6);
    add_group(map, 50, 30, 10);
    add_tiles(map, 1, 30, 20, 0)->color = (tm_color){255, 128, 64, 200};
    add_quads(map, 1, 1, 8);
    add_group(map, 100, 100, 0);
    must(tm_map_insert_layer(map, 2, 0, TM_LAYER_GAME, 50, 40, NULL));
    add_tiles(map, 2, 50, 40, 0);
    tm_tile_layer *pulsing = add_tiles(map, 2, 9, 7, 1);
    pulsing->color_envelope = 0, pulsing->color_envelope_offset = -77;
    add_tiles(map, 2, 50, 1, TM_NONE)->color = (tm_color){10, 200, 30, 90};
    add_group(map, 100, 100, 0);
    add_quads(map, 3, 0, 40);
    add_tiles(map, 3, 20, 20, 2)->color.a = 120;
    map->groups[3].use_clipping = true;
    map->groups[3].clip_x = 100, map->groups[3].clip_y = 200, map->groups[3].clip_w = 1000,
    map->groups[3].clip_h = 617;
    add_group(map, -40, 150, 333);
    add_quads(map, 4, 2, 5);
    add_tiles(map, 4, 5, 5, 0)->color.a = 40;
    map->groups[4].layers[1].detail = true;
    return map;
}
