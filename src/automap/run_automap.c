/* SPDX-License-Identifier: Zlib */
/*
 * Runs an automapper on a layer: what is mapped anew when a part has changed, the seed, all passes, and what
 * became of the tiles. How a pass is done stands in the other files.
 */
#include "automap.h"

static uint32_t clamp_side(int64_t value, uint32_t most)
{
    return value < 0 ? 0 : value > most ? most : (uint32_t)value;
}

tmi_automap_part tmi_automap_grow_region(const tmi_automap_layer *layer, const tm_automap_region *region,
                                         const tmi_automap_margin *by)
{
    const int64_t width = region->width < 0 ? (int64_t)layer->width : region->width;
    const int64_t height = region->height < 0 ? (int64_t)layer->height : region->height;
    return (tmi_automap_part){
        clamp_side(region->x + by->left, layer->width),
        clamp_side(region->y + by->top, layer->height),
        clamp_side(region->x + width + by->right, layer->width),
        clamp_side(region->y + height + by->bottom, layer->height),
    };
}

/* The region, and so many times around it as the conditions look. */
static tmi_automap_part part_around(const tmi_automap_work *work, const tm_automap_region *region,
                                    int64_t times)
{
    const tm_automap_config *config = work->config;
    const tmi_automap_margin by = {times * config->start_x, times * config->start_y, times * config->end_x,
                                   times * config->end_y};
    return tmi_automap_grow_region(&work->layer, region, &by);
}

/* A part of a layer as a layer of its own; what lies beyond the layer is empty. */
static tm_status cut_out(tmi_automap_layer *out, const tmi_automap_layer *from, const tmi_automap_part *of,
                         const tm_allocator *allocator, tm_error *error)
{
    const uint32_t width = of->end_x - of->x, height = of->end_y - of->y;
    *out = (tmi_automap_layer){NULL, width, height, (int32_t)of->x, (int32_t)of->y};
    out->tiles = tmi_calloc(allocator, (size_t)width * height, sizeof(*out->tiles));
    if (!out->tiles)
        return tmi_fail_memory(error, (uint64_t)width * height * sizeof(*out->tiles), "a part of a layer");
    const uint32_t end = of->end_x < from->width ? of->end_x : from->width;
    for (uint32_t y = of->y; y < of->end_y && y < from->height && of->x < end; y++)
        memcpy(out->tiles + (size_t)(y - of->y) * width, from->tiles + (size_t)y * from->width + of->x,
               (end - of->x) * sizeof(*out->tiles));
    return TM_OK;
}

static void free_layer(const tmi_automap_layer *layer, const tm_allocator *allocator)
{
    tmi_free(allocator, layer->tiles, (size_t)layer->width * layer->height, sizeof(*layer->tiles));
}

/* Index and flags of the part, back into the layer. */
static void put_back(tmi_automap_layer *to, const tmi_automap_layer *from, const tmi_automap_part *of)
{
    for (uint32_t y = of->y; y < of->end_y; y++) {
        for (uint32_t x = of->x; x < of->end_x; x++) {
            const tm_tile *tile =
                &from->tiles[(size_t)(y - (uint32_t)from->top) * from->width + (x - (uint32_t)from->left)];
            tm_tile *target = &to->tiles[(size_t)y * to->width + x];
            target->index = tile->index;
            target->flags = tile->flags;
        }
    }
}

static tm_status run_passes(tmi_automap_work *work, tm_error *error)
{
    for (uint32_t i = 0; i < work->config->num_passes; i++)
        TM_TRY(tmi_automap_pass(work, i, error));
    return TM_OK;
}

/* As the editor does it when a part of the layer was changed by hand. */
static tm_status run_region(tmi_automap_work *work, const tm_automap_region *region, tm_error *error)
{
    const tmi_automap_part update = part_around(work, region, 3), commit = part_around(work, region, 1);
    const tm_allocator *allocator = work->options->allocator;
    tmi_automap_work own = *work;
    if (update.x >= update.end_x || update.y >= update.end_y)
        return TM_OK;
    TM_TRY(cut_out(&own.layer, &work->layer, &update, allocator, error));
    tm_status status = TM_OK;
    if (work->game.tiles)
        status = cut_out(&own.game, &work->game, &update, allocator, error);
    if (status == TM_OK)
        status = run_passes(&own, error);
    if (status == TM_OK)
        put_back(&work->layer, &own.layer, &commit);
    free_layer(&own.layer, allocator);
    if (work->game.tiles)
        free_layer(&own.game, allocator);
    return status;
}

/* ----------------------------------------------------------------------------------------------- results */

static void grow_result(tm_automap_result *result, uint32_t x, uint32_t y)
{
    if (result->num_changed++ == 0) {
        result->x = x;
        result->y = y;
        result->width = result->height = 1;
        return;
    }
    const uint32_t end_x = result->x + result->width, end_y = result->y + result->height;
    result->x = x < result->x ? x : result->x;
    result->width = (x + 1 > end_x ? x + 1 : end_x) - result->x;
    result->y = y < result->y ? y : result->y;
    result->height = (y + 1 > end_y ? y + 1 : end_y) - result->y;
}

/* Counts tiles that differ in their index, or in flags of the mask. */
static void compare_tiles(tm_automap_result *result, const tm_tile *before, const tm_tile *now,
                          uint32_t width, uint32_t height, uint8_t mask)
{
    for (uint32_t y = 0; y < height; y++, before += width, now += width)
        for (uint32_t x = 0; x < width; x++)
            if (before[x].index != now[x].index || (before[x].flags ^ now[x].flags) & mask)
                grow_result(result, x, y);
}

/* ---------------------------------------------------------------------------------------------- the call */

enum { MAX_BEFORE = 1000 };

static tm_status check_options(const tm_automap_options *options, tm_error *error)
{
    if ((unsigned)options->reference >= TM_AUTOMAP_REFERENCES)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no reference %u", (unsigned)options->reference);
    if (options->reference && !options->game)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a reference needs the tiles of the game layer");
    if (options->before > MAX_BEFORE)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "doodads cannot have been placed more than %u times before", (unsigned)MAX_BEFORE);
    if (options->amount > 100)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the amount of doodads is 1 to 100, not %u",
                        (unsigned)options->amount);
    return TM_OK;
}

/* Sizes beyond these would not fit into the numbers that the hash takes. */
static tm_status check_layer(uint32_t width, uint32_t height, tm_error *error)
{
    size_t num;
    if (width > INT32_MAX || height > INT32_MAX || !tmi_mul_size(&num, width, height) ||
        !tmi_mul_size(&num, num, sizeof(tm_tile)))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "no layer has %u x %u tiles", (unsigned)width,
                        (unsigned)height);
    return TM_OK;
}

/*
 * The game layer is only read, but parts of it are layers of their own; a pointer that is not const would
 * be the same for both.
 */
static void take_game_tiles(tmi_automap_layer *out, const tm_automap_options *options)
{
    *out = (tmi_automap_layer){NULL, 0, 0, 0, 0};
    if (!options->game)
        return;
    memcpy(&out->tiles, &options->game, sizeof(out->tiles));
    out->width = options->game_width;
    out->height = options->game_height;
}

static tm_status run_all_rules(tmi_automap_work *work, tm_error *error)
{
    return work->options->region ? run_region(work, work->options->region, error) : run_passes(work, error);
}

/* By tm_automap_kind. */
static tm_status (*const run_kinds[])(tmi_automap_work *work, tm_error *error) = {
    run_all_rules,
    tmi_automap_tileset,
    tmi_automap_doodads,
};

static tm_status run_on(tm_automap_result *result, const tm_automap_rules *rules, tm_tile *tiles,
                        uint32_t width, uint32_t height, const tm_automap_options *options, const tm_job *job,
                        tm_error *error)
{
    tmi_automap_work work = {.rules = rules,
                             .options = options,
                             .job = job,
                             .layer = {tiles, width, height, 0, 0},
                             .seed = options->seed ? options->seed : options->draw};
    result->seed = work.seed;
    if (options->config < 0 || (uint32_t)options->config >= rules->num_configs || !width || !height)
        return TM_OK;
    work.config = &rules->configs[options->config];
    take_game_tiles(&work.game, options);
    const tm_status status = run_kinds[work.config->kind](&work, error);
    result->num_random = work.num_random;
    return status;
}

static tm_status take_all(tm_automap_options *own, tm_job *own_job, const tm_automap_rules *rules,
                          const tm_tile *tiles, uint32_t width, uint32_t height,
                          const tm_automap_options *options, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(rules, "rules", error));
    TM_TRY(tmi_options_take(own, sizeof(*own), options, "tm_automap_options", error));
    TM_TRY(tmi_job_take(own_job, job, error));
    if (width && height)
        TM_TRY(tmi_need(tiles, "tiles", error));
    TM_TRY(check_layer(width, height, error));
    TM_TRY(check_layer(own->game_width, own->game_height, error));
    return check_options(own, error);
}

static tm_status copy_tiles(tm_tile **out, const tm_tile *tiles, size_t num, const tm_allocator *allocator,
                            tm_error *error)
{
    *out = tmi_alloc(allocator, num, sizeof(**out));
    if (!*out)
        return tmi_fail_memory(error, (uint64_t)num * sizeof(**out), "a copy of the layer");
    memcpy(*out, tiles, num * sizeof(**out));
    return TM_OK;
}

/* Both calls: maps `tiles`, or where these are NULL a copy of `given`, and tells what became of them. */
static tm_status map_and_compare(tm_automap_result *out, const tm_automap_rules *rules, tm_tile *tiles,
                                 const tm_tile *given, uint32_t width, uint32_t height,
                                 const tm_automap_options *options, const tm_job *job, tm_error *error)
{
    const size_t num = (size_t)width * height;
    tm_automap_result result = {0};
    tm_automap_options own;
    tm_job own_job;
    tm_tile *copy = NULL;
    if (out)
        *out = result;
    TM_TRY(take_all(&own, &own_job, rules, given, width, height, options, job, error));
    if (out && num)
        TM_TRY(copy_tiles(&copy, given, num, own.allocator, error));
    const tm_status status =
        run_on(&result, rules, tiles ? tiles : copy, width, height, &own, &own_job, error);
    if (status == TM_OK && out) {
        if (tiles)
            compare_tiles(&result, copy, tiles, width, height, UINT8_MAX);
        else
            compare_tiles(&result, given, copy, width, height, TMI_AUTOMAP_FLAGS);
        *out = result;
    }
    tmi_free(own.allocator, copy, num, sizeof(*copy));
    return status;
}

tm_status tm_automap_run(tm_automap_result *out, const tm_automap_rules *rules, tm_tile *tiles,
                         uint32_t width, uint32_t height, const tm_automap_options *options,
                         const tm_job *job, tm_error *error)
{
    return map_and_compare(out, rules, tiles, tiles, width, height, options, job, error);
}

tm_status tmi_automap_check(tm_automap_result *out, const tm_automap_rules *rules, const tm_tile *tiles,
                            uint32_t width, uint32_t height, const tm_automap_options *options,
                            const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    return map_and_compare(out, rules, NULL, tiles, width, height, options, job, error);
}
