/* SPDX-License-Identifier: Zlib */
/*
 * Runs an automapper on a layer: finds the part to map after a change, chooses the seed, runs all passes and
 * reports the changed tiles.
 */
#include "automap.h"

/* The region, widened on each side by `times` the reach of the conditions, within the layer. */
static tm_rect part_around(const tmi_automap_work *work, const tm_rect *region, int64_t times)
{
    const tm_automap_config *config = work->config;
    const int64_t width = work->layer.width, height = work->layer.height;
    const int64_t x = tmi_clamp(region->x + times * config->start_x, 0, width);
    const int64_t y = tmi_clamp(region->y + times * config->start_y, 0, height);
    const int64_t right = tmi_clamp(tmi_right(region) + times * config->end_x, x, width);
    const int64_t bottom = tmi_clamp(tmi_bottom(region) + times * config->end_y, y, height);
    return (tm_rect){(int32_t)x, (int32_t)y, (uint32_t)(right - x), (uint32_t)(bottom - y)};
}

/* Copies a part of a layer into a layer of its own; tiles beyond the layer are empty. */
static tm_status cut_out(tmi_automap_layer *out, const tmi_automap_layer *source, const tm_rect *area,
                         const tm_allocator *allocator, tm_error *error)
{
    *out = (tmi_automap_layer){NULL, area->width, area->height, area->x, area->y};
    TM_TRY(tmi_reserve_zeroed(&out->tiles, allocator, (size_t)area->width * area->height, sizeof(*out->tiles),
                              "a part of a layer", error));
    const tm_rect part = tmi_rect_common(area, &(tm_rect){0, 0, source->width, source->height});
    for (size_t y = 0; y < part.height; y++)
        memcpy(out->tiles + y * area->width, source->tiles + ((size_t)area->y + y) * source->width + area->x,
               part.width * sizeof(*out->tiles));
    return TM_OK;
}

static tm_status run_passes(tmi_automap_work *work, tm_error *error)
{
    for (uint32_t i = 0; i < work->config->num_passes; i++)
        TM_TRY(tmi_automap_pass(work, i, NULL, error));
    return TM_OK;
}

/* Maps a region again, as the editor does after a change by hand. */
static tm_status run_region(tmi_automap_work *work, const tm_rect *region, tm_error *error)
{
    const tm_rect update = part_around(work, region, 3), commit = part_around(work, region, 1);
    const tm_allocator *allocator = work->options->allocator;
    tmi_automap_work part = *work;
    if (tmi_rect_is_empty(&update))
        return TM_OK;
    TM_TRY(cut_out(&part.layer, &work->layer, &update, allocator, error));
    tm_status status = TM_OK;
    if (work->game.tiles)
        status = cut_out(&part.game, &work->game, &update, allocator, error);
    if (status == TM_OK)
        status = run_passes(&part, error);
    for (size_t y = (size_t)commit.y; status == TM_OK && y < (size_t)tmi_bottom(&commit); y++) {
        const tm_tile *tile =
            part.layer.tiles + (y - (size_t)part.layer.top) * part.layer.width + (commit.x - part.layer.left);
        tm_tile *target = work->layer.tiles + y * work->layer.width + commit.x;
        for (uint32_t x = 0; x < commit.width; x++, tile++, target++) {
            target->index = tile->index;
            target->flags = tile->flags;
        }
    }
    const size_t num = (size_t)update.width * update.height;
    tmi_free(allocator, part.layer.tiles, num, sizeof(tm_tile));
    if (work->game.tiles)
        tmi_free(allocator, part.game.tiles, num, sizeof(tm_tile));
    return status;
}

/* ----------------------------------------------------------------------------------------------- results */

int32_t tmi_automap_random(tmi_automap_work *work)
{
    const uint32_t number = (uint32_t)work->num_random++;
    if (work->options->random)
        return work->options->random(work->options->random_ctx);
    return (int32_t)(tmi_automap_mix((uint32_t)work->seed + number) & INT32_MAX);
}

/* Counts tiles of a layer that differ from those before in their index, or in flags of the mask. */
static void compare_tiles(tm_automap_result *result, const tm_tile *before, const tm_automap_layer *layer,
                          uint8_t mask)
{
    const tm_tile *tile = layer->tiles;
    for (uint32_t y = 0; y < layer->height; y++)
        for (uint32_t x = 0; x < layer->width; x++, before++, tile++)
            if (before->index != tile->index || (before->flags ^ tile->flags) & mask) {
                result->num_changed++;
                result->changed = tmi_rect_around(&result->changed, &(tm_rect){(int32_t)x, (int32_t)y, 1, 1});
            }
}

/* ---------------------------------------------------------------------------------------------- the call */

enum { MAX_BEFORE = 1000 };

/* Refuses sizes that the numbers of the hash cannot hold. */
static tm_status check_layer(uint32_t width, uint32_t height, tm_error *error)
{
    size_t num;
    if (width > INT32_MAX || height > INT32_MAX || !tmi_mul_size(&num, width, height) ||
        !tmi_mul_size(&num, num, sizeof(tm_tile)))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "no layer has %u x %u tiles", (unsigned)width,
                        (unsigned)height);
    return TM_OK;
}

static tm_status run_on(tm_automap_result *result, const tm_automap_rules *rules,
                        const tm_automap_layer *layer, const tm_automap_options *options, const tm_job *job,
                        tm_error *error)
{
    tmi_automap_work work = {.rules = rules,
                             .options = options,
                             .job = job,
                             .layer = {layer->tiles, layer->width, layer->height, 0, 0},
                             .seed = options->seed ? options->seed : options->draw};
    result->seed = work.seed;
    if (options->config < 0 || (uint32_t)options->config >= rules->num_configs || !layer->width ||
        !layer->height)
        return TM_OK;
    work.config = &rules->configs[options->config];
    /* It is only read, but parts of it become layers, whose pointers are not const. */
    memcpy(&work.game.tiles, &options->game, sizeof(work.game.tiles));
    work.game.width = options->game_width;
    work.game.height = options->game_height;
    tm_status status;
    if (work.config->kind == TM_AUTOMAP_DOODADS)
        status = tmi_automap_doodads(&work, error);
    else if (work.config->kind == TM_AUTOMAP_TILESET)
        status = tmi_automap_pass(&work, 0, options->region, error); /* exactly the region */
    else
        status = options->region ? run_region(&work, options->region, error) : run_passes(&work, error);
    result->num_random = work.num_random;
    return status;
}

tm_status tm_automap_run(tm_automap_result *out, const tm_automap_rules *rules, const tm_automap_layer *layer,
                         const tm_automap_options *options, const tm_job *job, tm_error *error)
{
    tm_automap_result result = {0};
    tm_automap_options effective;
    tm_job local_job;
    tm_tile *before = NULL;
    if (out)
        *out = result;
    TM_TRY(tmi_need(layer, "layer", error));
    TM_TRY(tmi_need(rules, "rules", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_automap_options", error));
    TM_TRY(tmi_job_take(&local_job, job, error));
    if (layer->width && layer->height)
        TM_TRY(tmi_need(layer->tiles, "tiles", error));
    TM_TRY(check_layer(layer->width, layer->height, error));
    TM_TRY(check_layer(effective.game_width, effective.game_height, error));
    if ((unsigned)effective.reference >= TM_AUTOMAP_REFERENCES)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no reference %u", (unsigned)effective.reference);
    if (effective.reference && !effective.game)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a reference needs the tiles of the game layer");
    if (effective.before > MAX_BEFORE)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "doodads cannot have been placed more than %u times before", (unsigned)MAX_BEFORE);
    if (effective.amount > 100)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the amount of doodads is 1 to 100, not %u",
                        (unsigned)effective.amount);
    const size_t num = (size_t)layer->width * layer->height;
    if (out && num) {
        TM_TRY(tmi_reserve(&before, effective.allocator, num, sizeof(*before), "a copy of the layer", error));
        memcpy(before, layer->tiles, num * sizeof(*before));
    }
    const tm_status status = run_on(&result, rules, layer, &effective, &local_job, error);
    if (status == TM_OK && out) {
        compare_tiles(&result, before, layer, UINT8_MAX);
        *out = result;
    }
    tmi_free(effective.allocator, before, num, sizeof(*before));
    return status;
}

tm_status tmi_automap_check(tm_automap_result *out, const tm_automap_rules *rules,
                            const tm_automap_layer *layer, const tm_automap_options *options, tm_error *error)
{
    const tm_allocator *allocator = options ? options->allocator : NULL;
    const size_t num = (size_t)layer->width * layer->height;
    tm_automap_layer copy = *layer;
    *out = (tm_automap_result){0};
    TM_TRY(tmi_reserve(&copy.tiles, allocator, num, sizeof(*copy.tiles), "a copy of the layer", error));
    if (num)
        memcpy(copy.tiles, layer->tiles, num * sizeof(*copy.tiles));
    const tm_status status = tm_automap_run(NULL, rules, &copy, options, NULL, error);
    if (status == TM_OK)
        compare_tiles(out, layer->tiles, &copy, TMI_AUTOMAP_FLAGS);
    tmi_free(allocator, copy.tiles, num, sizeof(*copy.tiles));
    return status;
}
