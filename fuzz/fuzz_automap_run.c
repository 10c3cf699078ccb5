/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a stranger's rules on a layer. The ways in which the library runs them give the same tiles, a second time the
 * same ones, and a part outside of a region's reach is not touched.
 *
 *   OFFSET SIZE MEANING
 *        0    1 the dialect, and 4: run 0 looks at the game layer
 *        1    1 which reference, or the amount of doodads
 *        2    1 width
 *        3    1 height
 *        4    4 a region: x, y, width, height
 *        8    1 the seed
 *     rest      the file of rules; its bytes are the tiles, too
 */
#include "base/base.h"
#include "fuzz.h"

enum { HEAD = 9, MAX_WORK = 3000000 };

typedef struct layer {
    tm_tile *tiles;
    uint32_t width, height;
} layer;

static layer make_layer(const uint8_t *bytes, size_t size, uint32_t step)
{
    layer out = {NULL, (uint32_t)bytes[2] % 140 + 1, (uint32_t)bytes[3] % 60 + 1};
    const size_t num = (size_t)out.width * out.height;
    out.tiles = malloc(num * sizeof(*out.tiles));
    for (size_t i = 0; i < num; i++) {
        const uint8_t a = bytes[HEAD + i / step % (size - HEAD)], b = bytes[(i * step + 3) % size];
        out.tiles[i] = (tm_tile){a & 1 ? a >> 1 & 7 : a & 2 ? a : 0, b & 15, b & 3, a};
    }
    return out;
}

/* Conditions times tiles. */
static uint64_t work_of(const tm_automap_rules *rules, const layer *drawn)
{
    uint32_t num;
    uint64_t sum = 1;
    const tm_automap_config *config = tm_automap_configs(&num, rules);
    for (uint32_t i = 0; num && i < config->num_passes; i++)
        for (uint32_t k = 0; k < config->passes[i].num_rules; k++)
            sum += 1 + config->passes[i].rules[k].num_conditions + config->passes[i].rules[k].num_modulos;
    return sum * drawn->width * drawn->height;
}

static void run(const layer *drawn, tm_tile *tiles, const tm_automap_rules *rules,
                const tm_automap_options *options, uint64_t memory)
{
    tm_automap_result result;
    tm_job job = TM_JOB_INIT;
    tm_error error;
    job.memory_budget = memory;
    memcpy(tiles, drawn->tiles, (size_t)drawn->width * drawn->height * sizeof(*tiles));
    const tm_status status = tm_automap_run(
        &result, rules, &(tm_automap_layer){tiles, drawn->width, drawn->height}, options, &job, &error);
    FUZZ_REQUIRE(status == TM_OK, "%s", error.text);
    FUZZ_REQUIRE(tmi_right(&result.changed) <= drawn->width && tmi_bottom(&result.changed) <= drawn->height,
                 "a result outside");
    for (size_t i = 0; i < (size_t)drawn->width * drawn->height; i++)
        FUZZ_REQUIRE(tiles[i].skip == drawn->tiles[i].skip && tiles[i].reserved == drawn->tiles[i].reserved,
                     "bytes that are not the rules' business");
}

static void run_all_ways(const layer *drawn, const tm_automap_rules *rules, tm_automap_options *options,
                         const tm_rect *region)
{
    const size_t size = (size_t)drawn->width * drawn->height * sizeof(tm_tile);
    const tm_rect whole = {0, 0, drawn->width, drawn->height};
    tm_tile *first = malloc(size), *second = malloc(size);
    run(drawn, first, rules, options, 0);
    run(drawn, second, rules, options, 1);
    fuzz_require_equal(first, size, second, size, "without memory");
    options->region = &whole;
    run(drawn, second, rules, options, 0);
    fuzz_require_equal(first, size, second, size, "as a region");
    options->region = region;
    run(drawn, first, rules, options, 0);
    run(drawn, second, rules, options, 1);
    fuzz_require_equal(first, size, second, size, "a region without memory");
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    tm_automap_rules *rules;
    tm_error error;
    if (size <= HEAD || size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    const tm_automap_read_options reading = {sizeof(reading),
                                             (tm_automap_dialect)((bytes[0] & 3) % TM_AUTOMAP_DIALECTS),
                                             &fuzz_limits, &memory.allocator};
    const tm_rect region = {(int8_t)bytes[4], (int8_t)bytes[5], bytes[6], bytes[7]};
    const layer drawn = make_layer(bytes, size, 5), game = make_layer(bytes, size, 1);
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    options.seed = bytes[8];
    options.amount = bytes[1] % 101;
    options.game = game.tiles;
    options.game_width = game.width;
    options.game_height = game.height;
    options.allocator = &memory.allocator;
    if (bytes[0] & 4)
        options.reference = (tm_automap_reference)(bytes[1] % TM_AUTOMAP_REFERENCES);
    const tm_status status = tm_automap_read(&rules, bytes + HEAD, size - HEAD, &reading, NULL, &error);
    if (status)
        fuzz_check_failure(status, &error);
    else if (work_of(rules, &drawn) < MAX_WORK)
        run_all_ways(&drawn, rules, &options, &region);
    tm_automap_free(rules);
    free(drawn.tiles);
    free(game.tiles);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
