/* SPDX-License-Identifier: Zlib */
#include "lib_automap.h"

#include "lib_games.h"
#include "sha256.h"

#include <assert.h>

test_text test_read_file(const char *path)
{
    test_text file = {NULL, 0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return file;
    fseek(stream, 0, SEEK_END);
    file.size = (size_t)ftell(stream);
    rewind(stream);
    file.bytes = calloc(file.size + 1, 1);
    assert(file.bytes && fread(file.bytes, 1, file.size, stream) == file.size);
    fclose(stream);
    return file;
}

test_text test_golden_file(const char *name)
{
    char path[512];
    const char *shared = getenv("TEEMAP_SHARED");
    snprintf(path, sizeof(path), "%s/golden-automap/%s", shared ? shared : ".", name);
    return test_read_file(path);
}

test_text test_game_rules(const char *name)
{
    static const char *const places[][2] = {
        {"ddnet", "editor/automap"}, {"ddnet", "editor"}, {"teeworlds", "editor/automap"}};
    char path[TEST_GAME_PATH], file_name[256];
    const char *custom = getenv("TEEMAP_AUTOMAP");
    test_text file = {NULL, 0};
    if (custom) {
        snprintf(path, sizeof(path), "%s/%s", custom, name);
        file = test_read_file(path);
    }
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !file.bytes; i++) {
        snprintf(file_name, sizeof(file_name), "%s/%s", places[i][1], name);
        if (test_game_file(path, places[i][0], file_name))
            file = test_read_file(path);
    }
    return file;
}

tm_automap_rules *test_rules_of(const char *text, size_t size, tm_automap_dialect dialect,
                                tm_findings *findings)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_automap_rules *rules;
    tm_error error = {.code = TM_OK};
    options.dialect = dialect;
    if (tm_automap_read(&rules, text, size, &options, findings, &error))
        fail_msg("%s", error.text);
    return rules;
}

tm_automap_rules *test_rules_of_text(const char *text)
{
    return test_rules_of(text, strlen(text), TM_AUTOMAP_DDNET, NULL);
}

enum { MAX_FIELDS = 16 };

bool test_each_row(const char *name, void (*see)(void *ctx, char **fields), void *ctx)
{
    test_text file = test_golden_file(name);
    if (!file.bytes)
        return false;
    char *line = strchr(file.bytes, '\n');
    while (line && line[1]) {
        char *fields[MAX_FIELDS] = {++line};
        char *end = strchr(line, '\n');
        size_t num = 1;
        if (end)
            *end = '\0';
        for (char *c = line; *c; c++) {
            if (*c == '\t') {
                *c = '\0';
                assert(num < MAX_FIELDS);
                fields[num++] = c + 1;
            }
        }
        see(ctx, fields);
        line = end;
    }
    free(file.bytes);
    return true;
}

test_layer test_new_layer(uint32_t width, uint32_t height)
{
    test_layer layer = {calloc((size_t)width * height + 1, sizeof(tm_tile)), width, height};
    assert(layer.tiles);
    return layer;
}

test_layer test_clone_layer(const test_layer *layer)
{
    test_layer clone = test_new_layer(layer->width, layer->height);
    memcpy(clone.tiles, layer->tiles, (size_t)layer->width * layer->height * sizeof(tm_tile));
    return clone;
}

static uint8_t hex_byte(const char *text)
{
    const char digits[] = {text[0], text[1], '\0'};
    return (uint8_t)strtoul(digits, NULL, 16);
}

test_layer test_layer_from_text(const char *text)
{
    const size_t row = strcspn(text, "/");
    uint32_t height = 1;
    for (const char *c = text; *c; c++)
        height += *c == '/';
    test_layer layer = test_new_layer((uint32_t)(row / 4), height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < layer.width; x++) {
            const char *cursor = text + y * (row + 1) + x * 4;
            layer.tiles[y * layer.width + x] = (tm_tile){hex_byte(cursor), hex_byte(cursor + 2), 0, 0};
        }
    }
    return layer;
}

static uint32_t noise(uint32_t k, uint32_t x, uint32_t y)
{
    uint32_t a = 2654435761U * k + 2246822519U * x + 3266489917U * y;
    a ^= a >> 15;
    a *= 0x2c1b3c6dU;
    a ^= a >> 12;
    a *= 0x297a2d39U;
    return a ^ (a >> 15);
}

static tm_tile noise_tile(uint32_t k, uint32_t x, uint32_t y)
{
    return (tm_tile){(uint8_t)(noise(k, x, y) % 2), 0, 0, 0};
}

static tm_tile blobs_tile(uint32_t k, uint32_t x, uint32_t y)
{
    const uint32_t bit = noise(k, x / 5, y / 4) >> 3 & 1;
    return (tm_tile){(uint8_t)(bit ^ (noise(k + 1, x, y) % 32 == 0)), 0, 0, 0};
}

static tm_tile few_tile(uint32_t k, uint32_t x, uint32_t y)
{
    const uint32_t v = noise(k, x, y);
    return (tm_tile){(uint8_t)(v % 4), (uint8_t)((v >> 2) % 16), 0, 0};
}

static tm_tile mixed_tile(uint32_t k, uint32_t x, uint32_t y)
{
    const uint32_t v = noise(k, x, y);
    return (tm_tile){(uint8_t)(v % 4 == 0 ? 0 : (v >> 16) % 256), (uint8_t)((v >> 2) % 16),
                     (uint8_t)((v >> 6) % 4), (uint8_t)((v >> 8) % 256)};
}

static tm_tile game_tile(uint32_t k, uint32_t x, uint32_t y)
{
    static const uint8_t indices[] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 9, 11, 12, 13, 144, 145};
    const uint32_t u = noise(k, x / 3, y / 3);
    return (tm_tile){indices[u % 16], (uint8_t)((u >> 4) % 16), 0, 0};
}

static const struct pattern {
    const char *name;
    tm_tile (*tile)(uint32_t k, uint32_t x, uint32_t y);
} patterns[] = {
    {"noise", noise_tile}, {"blobs", blobs_tile}, {"few", few_tile},
    {"mixed", mixed_tile}, {"game", game_tile},
};

test_layer test_pattern_layer(const char *pattern, uint32_t width, uint32_t height, uint32_t salt)
{
    test_layer layer = test_new_layer(width, height);
    size_t found = 0;
    while (found < sizeof(patterns) / sizeof(patterns[0]) && strcmp(patterns[found].name, pattern) != 0)
        found++;
    assert(found < sizeof(patterns) / sizeof(patterns[0]));
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            layer.tiles[(size_t)y * width + x] = patterns[found].tile(salt, x, y);
    return layer;
}

void test_hash_layer(char out[65], const test_layer *layer)
{
    const size_t num = (size_t)layer->width * layer->height;
    FREED uint8_t *bytes = malloc(num * 2 + 1);
    assert(bytes);
    for (size_t i = 0; i < num; i++) {
        bytes[2 * i] = layer->tiles[i].index;
        bytes[2 * i + 1] = layer->tiles[i].flags;
    }
    test_sha256(out, bytes, num * 2);
}
