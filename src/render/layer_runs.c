/* SPDX-License-Identifier: Zlib */
/*
 * layer_runs.c - which layers of a map stay unpacked as long as the renderer lives, and which do not fit into
 * its budget of memory: these are unpacked, drawn and let go, one at a time. Must not know how a layer is
 * drawn.
 */
#include "render.h"

#include "../map/map.h"

/* What the sheets of entities take at most, which are made last. */
#define SHEET_BYTES ((uint64_t)36 << 20)

const tm_block *tmi_drawn_block(const tm_layer *layer, bool entities)
{
    const bool physics = tm_rules_layer(layer->kind)->is_physics;
    return layer->kind == TM_LAYER_QUADS                            ? layer->as.quads.quads
           : layer->kind == TM_LAYER_TILES || (physics && entities) ? layer->as.tiles.tiles
                                                                    : NULL;
}

tm_status tmi_layer_grid(const tm_renderer *renderer, const tm_layer *layer, const void *loan, tm_grid *grid,
                         tm_error *error)
{
    if (!loan)
        return tm_map_tiles(renderer->map, layer, grid, error);
    const uint32_t tile_size = tm_rules_layer(layer->kind)->element_size;
    *grid = (tm_grid){.tiles = loan,
                      .width = layer->as.tiles.width,
                      .height = layer->as.tiles.height,
                      .tile_size = tile_size,
                      .row_stride = (size_t)layer->as.tiles.width * tile_size};
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ what is kept */

/* Bytes that a layer takes while it is unpacked, also when it is so already. */
static uint64_t layer_bytes(const tm_renderer *renderer, const tm_layer *layer, bool *held)
{
    const tm_block_info info = tm_block_get_info(tmi_drawn_block(layer, renderer->options.entities));
    *held = info.unpacked;
    return info.size;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* The sum over all layers, the part of it that is still packed, and the largest packed layer. */
static uint64_t bytes_of_all(const tm_renderer *renderer, uint64_t *packed, uint64_t *largest)
{
    tm_layer_walk at = {0};
    uint64_t sum = 0;
    *packed = *largest = 0;
    while (tm_map_next_layer(renderer->map, &at)) {
        bool held;
        const uint64_t size = layer_bytes(renderer, at.layer, &held);
        sum = add_capped(sum, size);
        *packed = add_capped(*packed, held ? 0 : size);
        *largest = !held && size > *largest ? size : *largest;
    }
    return sum;
}

/*
 * Asked first: otherwise seconds go by and gigabytes are filled before the layer comes that is one too many.
 * All layers are kept, and the images get the rest, if half of the budget is enough for them.
 */
tm_status tmi_choose_kept(tm_renderer *renderer, tm_error *error)
{
    uint64_t packed, largest;
    const uint64_t all = bytes_of_all(renderer, &packed, &largest);
    if (all <= renderer->budget / 2) {
        renderer->budget -= all;
        return tmi_map_check_room(renderer->map, packed, error);
    }
    if (largest > renderer->budget)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "a layer needs %llu bytes when it is drawn, but memory_budget is %llu",
                        (unsigned long long)largest, (unsigned long long)renderer->budget);
    const size_t num = (size_t)tm_map_num_layers(renderer->map) + 1;
    renderer->kept = tmi_calloc(renderer->allocator, num, sizeof(*renderer->kept));
    if (!renderer->kept)
        return tmi_fail_memory(error, num * sizeof(*renderer->kept), "a list of layers");
    renderer->budget -= largest;
    return TM_OK;
}

/* Entities look at all physics layers; then as many others as fit, in the order of the file. */
static tm_status choose_among(tm_renderer *renderer, bool physics, tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(renderer->map, &at)) {
        bool held;
        const uint64_t size = layer_bytes(renderer, at.layer, &held);
        if (tm_rules_layer(at.layer->kind)->is_physics != physics)
            continue;
        renderer->kept[at.number] = held || size <= renderer->budget;
        if (renderer->kept[at.number])
            renderer->budget -= size < renderer->budget ? size : renderer->budget;
        else if (physics)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "the physics layers need %llu bytes more than memory_budget has left",
                            (unsigned long long)(size - renderer->budget));
    }
    return TM_OK;
}

/*
 * Unpacks a layer, so that drawing starts with all at hand and no fault stays unsaid; one that is not kept is
 * let go again.
 */
static tm_status prepare_layer(const tm_renderer *renderer, const tm_layer_walk *at, tm_findings *findings,
                               tm_error *error)
{
    const tm_map *map = renderer->map;
    const tm_block *block = tmi_drawn_block(at->layer, renderer->options.entities);
    const bool lent = renderer->kept && !renderer->kept[at->number];
    const void *bytes;
    tmi_borrowed loan = {0};
    tm_error fault;
    const tm_status status =
        lent ? tmi_borrowed_open(&loan, map, block, &fault) : tm_map_data(map, block, &bytes, NULL, &fault);
    tmi_borrowed_close(&loan);
    if (status == TM_ERROR_DAMAGED) {
        const tm_address where = {TM_ADDRESS_LAYER, at->group, at->index};
        tmi_find_at(findings, TM_MODE_GAME, TM_FINDING_DATA_BROKEN, map, where, -1,
                    "the layer is not drawn: %s", fault.text);
        if (lent)
            renderer->kept[at->number] = true; /* there is nothing to lend */
        return TM_OK;
    }
    if (status != TM_OK && error)
        *error = fault;
    return status;
}

tm_status tmi_prepare_layers(tm_renderer *renderer, tm_findings *findings, tm_error *error)
{
    tm_layer_walk at = {0};
    uint64_t of_sheets = 0;
    if (renderer->kept && renderer->options.entities) /* also where somebody holds more than the budget */
        of_sheets = renderer->budget < SHEET_BYTES ? renderer->budget : SHEET_BYTES;
    renderer->budget -= of_sheets;
    if (renderer->kept && renderer->options.entities)
        TM_TRY(choose_among(renderer, true, error));
    if (renderer->kept)
        TM_TRY(choose_among(renderer, false, error));
    renderer->budget += of_sheets;
    while (tm_map_next_layer(renderer->map, &at))
        TM_TRY(prepare_layer(renderer, &at, findings, error));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- runs */

static bool is_lent(const tm_renderer *renderer, const tm_camera *camera, const tm_layer_walk *at)
{
    return !renderer->kept[at->number] && tmi_drawn_block(at->layer, renderer->options.entities) &&
           tmi_opacity(renderer, camera, at->layer, at->number + 1) > 0;
}

static tm_status visit_lent(const tm_renderer *renderer, const tm_layer_walk *at, tmi_run_visit *visit,
                            void *ctx, tm_error *error)
{
    tmi_borrowed loan;
    tmi_layer_run run = {at->number + 1, at->number + 2, NULL};
    TM_TRY(tmi_borrowed_open(&loan, renderer->map, tmi_drawn_block(at->layer, renderer->options.entities),
                             error));
    run.loan = loan.bytes;
    const tm_status status = visit(ctx, &run, error);
    tmi_borrowed_close(&loan);
    return status;
}

tm_status tmi_each_run(const tm_renderer *renderer, const tm_camera *camera, tmi_run_visit *visit, void *ctx,
                       tm_error *error)
{
    tmi_layer_run run = {1, UINT32_MAX, NULL};
    tm_layer_walk at = {0};
    while (renderer->kept && tm_map_next_layer(renderer->map, &at)) {
        if (!is_lent(renderer, camera, &at))
            continue;
        run.end = at.number + 1;
        if (run.end > run.first)
            TM_TRY(visit(ctx, &run, error));
        TM_TRY(visit_lent(renderer, &at, visit, ctx, error));
        run = (tmi_layer_run){at.number + 2, UINT32_MAX, NULL};
    }
    return visit(ctx, &run, error);
}
