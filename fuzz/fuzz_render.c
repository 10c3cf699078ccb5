/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: small pictures of a fuzzed map. Drawn at once and in bands they are the same; an allowance of
 * pixels bounds the time.
 *
 *   OFFSET SIZE MEANING
 *        0    1 kind of the camera (modulo 3)
 *        1    1 what is done with missing images (bits 0..1), detail left out (bit 2), look of Teeworlds 0.7 (bit 3), entities
 *               (bit 4), without numbers (bit 5), over a sheet and an arrow of odd sides (bit 6), layers at opacities that
 *               follow from the other bytes here (bit 7)
 *        2    4 little-endian: x and y of the camera in tiles, two signed 16-bit numbers
 *        6    1 zoom or scale: 2 ^ ((n - 128) / 8)
 *        7    2 little-endian: time in ms / 16
 *     rest      the map
 */
#include "fuzz.h"

#include <math.h>

enum { HEAD = 9, WIDTH = 37, HEIGHT = 23 };

static tm_camera camera_of(const uint8_t *head)
{
    const int16_t x = (int16_t)(head[2] | head[3] << 8), y = (int16_t)(head[4] | head[5] << 8);
    const double factor = pow(2, (head[6] - 128) / 8.0);
    return (tm_camera){.size = sizeof(tm_camera),
                       .kind = (tm_camera_kind)(head[0] % 3),
                       .x = x * 32.0,
                       .y = y * 32.0,
                       .zoom = factor,
                       .scale = factor,
                       .width = WIDTH,
                       .height = HEIGHT,
                       .time = (head[7] | head[8] << 8) * 16.0};
}

static void draw(const tm_renderer *renderer, const tm_camera *camera)
{
    static uint8_t whole[WIDTH * HEIGHT * 4], bands[WIDTH * HEIGHT * 4];
    tm_error error = {.code = TM_OK};
    memset(whole, 0, sizeof(whole));
    memset(bands, 0, sizeof(bands));
    tm_status status =
        tm_renderer_draw(renderer, camera, &(tm_rows){whole, (size_t)WIDTH * 4, 0, HEIGHT}, &error);
    if (status != TM_OK) {
        fuzz_check_failure(status, &error);
        return;
    }
    for (uint32_t row = 0; row < HEIGHT; row += 7) {
        const uint32_t num = row + 7 < HEIGHT ? 7 : HEIGHT - row;
        status = tm_renderer_draw(renderer, camera,
                                  &(tm_rows){bands + (size_t)row * WIDTH * 4, (size_t)WIDTH * 4, row, num},
                                  &error);
        FUZZ_REQUIRE(status == TM_OK, "a band fails where the whole does not: %s", error.text);
    }
    fuzz_require_equal(bands, sizeof(bands), whole, sizeof(whole), "bands");
}

/* One for each layer, from nothing to too much, and no number now and then. */
static float *opacities_of(const uint8_t *head, const tm_map *map)
{
    static const float some[] = {0, 0.25F, 1, 0.7F, 1, -1, 17, NAN};
    const uint32_t num = tm_map_num_layers(map);
    float *opacities = calloc((size_t)num + 1, sizeof(*opacities));
    uint32_t noise = head[2] + head[4] * 251U + head[7] * 65521U;
    FUZZ_REQUIRE(opacities, "no memory");
    for (uint32_t i = 0; i < num; i++, noise = noise * 1664525U + 1013904223U)
        opacities[i] = some[noise >> 29];
    return opacities;
}

static void set_entities(tm_render_options *options, const uint8_t *head)
{
    static uint8_t pixels[19 * 16 * 4]; /* also 3 x 100 */
    for (size_t i = 0; i < sizeof(pixels); i++)
        pixels[i] = (uint8_t)(i * 7);
    options->entities = head[1] & 16;
    options->no_numbers = head[1] & 32;
    if (head[1] & 64) {
        options->entity_sheet = (tm_pixels){pixels, 19, 16};
        options->speedup_arrow = (tm_pixels){pixels, 3, 100};
    }
}

static void prepare(tm_map *map, const uint8_t *head, const tm_allocator *allocator)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    tm_renderer *renderer;
    tm_findings findings;
    tm_error error = {.code = TM_OK};
    options.missing = (tm_missing_image)((head[1] & 3) % 3);
    options.no_detail = head[1] & 4;
    options.look = head[1] & 8 ? TM_CLIENT_TEEWORLDS07 : TM_CLIENT_DDNET;
    options.memory_budget = (uint64_t)5 * FUZZ_MAX_UNPACKED; /* entities need six sheets of 6 MiB at most */
    set_entities(&options, head);
    options.allocator = allocator;
    options.pixel_limit = 4 * 1024 * 1024;
    tm_findings_init(&findings, 0, NULL);
    const tm_status status = tm_renderer_new(&renderer, map, &options, &findings, &error);
    if (status == TM_OK) {
        tm_camera camera = camera_of(head);
        float *opacities = opacities_of(head, map);
        camera.opacities = head[1] & 128 ? opacities : NULL;
        draw(renderer, &camera);
        free(opacities);
        tm_renderer_free(renderer);
    } else {
        fuzz_check_failure(status, &error);
    }
    tm_findings_release(&findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    tm_map *map;
    if (size < HEAD || size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &fuzz_limits, &memory.allocator};
    if (tm_mapfile_load(&map, tm_input_from_memory(bytes + HEAD, size - HEAD), &options, NULL, NULL) ==
        TM_OK) {
        prepare(map, bytes, &memory.allocator);
        tm_map_free(map);
    }
    fuzz_check_memory(&memory, 128 * 1024 * 1024);
    return 0;
}
