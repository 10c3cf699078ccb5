/* SPDX-License-Identifier: Zlib */
/*
 * Decides which layers of a map stay unpacked as long as the renderer exists, and which do not
 * fit into its memory budget: these are unpacked, drawn and dropped, one at a time. Must not know how a layer
 * is drawn.
 */
#include "render.h"

#include "../map/map.h"

#include <teemap/jobs.h>

/* The most memory that the sheets of entities take; they are made last. */
#define SHEET_BYTES ((uint64_t)36 << 20)
/* Unpacking this many bytes takes as long as drawing a pixel: 1 GB/s and 100 million pixels/s. */
enum { BYTES_OF_PIXEL = 10 };

/* What a layer is drawn from; NULL: nothing. */
static const tm_block *drawn_block(const tm_layer *layer, bool entities)
{
    const bool physics = tm_game_layer(layer->kind)->is_physics;
    return layer->kind == TM_LAYER_QUADS                            ? layer->as.quads.quads
           : layer->kind == TM_LAYER_TILES || (physics && entities) ? layer->as.tiles.tiles
                                                                    : NULL;
}

tm_status tmi_layer_grid(const tm_renderer *renderer, const tm_layer *layer, const void *loan, tm_grid *grid,
                         tm_error *error)
{
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    tm_status status = TM_OK;
    if (!loan)
        status = tm_map_tiles(grid, renderer->map, layer, error);
    else
        *grid = (tm_grid){.tiles = loan,
                          .width = layer->as.tiles.width,
                          .height = layer->as.tiles.height,
                          .tile_size = tile_size,
                          .row_stride = (size_t)layer->as.tiles.width * tile_size};
    if (status == TM_ERROR_DAMAGED || grid->width == 0 || grid->height == 0)
        grid->tiles = NULL;
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

/* ------------------------------------------------------------------------------------------ what is kept */

/* The bytes that a layer takes when it is unpacked. *held: it already is. */
static uint64_t layer_bytes(const tm_renderer *renderer, const tm_layer *layer, bool *held)
{
    const tm_block_info info = tm_block_get_info(drawn_block(layer, renderer->options.entities));
    *held = info.unpacked;
    return info.size;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/*
 * Keeps all layers if half of the budget is enough for them, and leaves the rest to the images. Else checks
 * that the largest layer fits, before seconds and gigabytes are spent, and makes the list of kept layers.
 */
tm_status tmi_choose_kept(tm_renderer *renderer, tm_error *error)
{
    uint64_t all = 0, packed = 0, largest = 0; /* the last two of layers that are still packed */
    const uint64_t budget = tmi_room_left(&renderer->room);
    for (tm_layer_walk walk = {0}; tm_map_next_layer(renderer->map, &walk);) {
        bool held;
        const uint64_t size = layer_bytes(renderer, walk.layer, &held);
        all = add_capped(all, size);
        packed = add_capped(packed, held ? 0 : size);
        largest = !held && size > largest ? size : largest;
    }
    if (all <= budget / 2) {
        (void)tmi_room_take(&renderer->room, all);
        return tmi_map_check_room(renderer->map, packed, error);
    }
    if (!tmi_room_take(&renderer->room, largest))
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "a layer needs %llu bytes when it is drawn, but memory_budget is %llu",
                        (unsigned long long)largest, (unsigned long long)budget);
    const size_t num = (size_t)tm_map_num_layers(renderer->map) + 1;
    TM_TRY(tmi_reserve_zeroed(&renderer->layers, renderer->allocator, num, sizeof(*renderer->layers),
                              "a list of layers", error));
    renderer->job.memory_budget = largest;
    return TM_OK;
}

/* Keeps the physics layers, all of which must fit into the budget, or as many of the others as fit. */
static tm_status choose_among(tm_renderer *renderer, bool physics, tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(renderer->map, &walk)) {
        bool held;
        const uint64_t size = layer_bytes(renderer, walk.layer, &held);
        if (tm_game_layer(walk.layer->kind)->is_physics != physics)
            continue;
        const uint64_t left = tmi_room_left(&renderer->room);
        renderer->layers[walk.number].kept = held || size <= left;
        if (renderer->layers[walk.number].kept)
            (void)tmi_room_take(&renderer->room, size < left ? size : left);
        else if (physics)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "the physics layers need %llu bytes more than memory_budget has left",
                            (unsigned long long)(size - left));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- unpacking */

typedef struct layer_list {
    tm_renderer *renderer;
    const tm_layer **layers;
    bool (*slices)[256]; /* NULL: only unpack */
} layer_list;

static tm_status open_layer(const tm_renderer *renderer, tmi_borrowed *loan, const tm_layer *layer,
                            bool is_lent, tm_error *error)
{
    const tm_block *block = drawn_block(layer, renderer->options.entities);
    const void *bytes;
    if (is_lent)
        return tmi_borrowed_open(loan, renderer->map, block, error);
    return tm_map_data(&bytes, NULL, renderer->map, block, error);
}

/*
 * Notes the indices of tiles: few of the 256, and only these slices of an image are made. Takes two tiles at
 * a time, because most equal the two before.
 */
static void note_tiles(bool slices[256], const tm_tile *tiles, size_t num)
{
    uint64_t last = 0;
    for (size_t i = 0; i + 1 < num; i += 2) {
        uint64_t two;
        memcpy(&two, &tiles[i], sizeof(two));
        if (i && two == last)
            continue;
        last = two;
        slices[tiles[i].index] = slices[tiles[i + 1].index] = true;
    }
    if (num % 2)
        slices[tiles[num - 1].index] = true;
}

static tm_status look_at_one(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const layer_list *list = ctx;
    tm_renderer *renderer = list->renderer;
    const tm_layer *layer = list->layers[index];
    const bool is_lent = renderer->layers && !renderer->layers[index].kept;
    tmi_borrowed loan = {0};
    (void)worker;
    (void)stop;
    tm_status status = open_layer(renderer, &loan, layer, is_lent, error);
    if (status == TM_OK && renderer->layers)
        renderer->layers[index].sound = true;
    if (status == TM_OK && layer->kind == TM_LAYER_TILES && layer->as.tiles.image != TM_NONE) {
        tm_grid grid;
        status = tmi_layer_grid(renderer, layer, loan.bytes, &grid, error);
        if (status == TM_OK && grid.tiles)
            note_tiles(list->slices[index], grid.tiles, (size_t)grid.width * grid.height);
    }
    tmi_borrowed_close(&loan);
    return status == TM_ERROR_DAMAGED ? TM_OK : status; /* tmi_prepare_layers reports it */
}

static uint64_t size_of_layer(void *ctx, uint32_t index)
{
    bool held;
    const layer_list *list = ctx;
    return layer_bytes(list->renderer, list->layers[index], &held);
}

static uint64_t memory_of_layer(void *ctx, uint32_t index)
{
    const layer_list *list = ctx;
    return list->renderer->layers ? size_of_layer(ctx, index) : 0; /* else all of them fit together */
}

tm_status tmi_look_at_layers(tm_renderer *renderer, bool (*slices)[256], tm_error *error)
{
    const uint32_t num = tm_map_num_layers(renderer->map);
    layer_list list = {renderer, tmi_alloc(renderer->allocator, num, sizeof(*list.layers)), slices};
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = renderer->allocator,
                             .ctx = &list,
                             .num = num,
                             .work = look_at_one,
                             .weight = size_of_layer,
                             .memory = memory_of_layer};
    if (!list.layers)
        return tmi_fail_memory(error, num * sizeof(*list.layers), "a list of layers");
    for (tm_layer_walk walk = {0}; tm_map_next_layer(renderer->map, &walk);)
        list.layers[walk.number] = walk.layer;
    const tm_status status = tm_tasks_run(&pieces, &renderer->job, error);
    tmi_free(renderer->allocator, list.layers, num, sizeof(*list.layers));
    return status;
}

tm_status tmi_prepare_layers(tm_renderer *renderer, tm_findings *findings, tm_error *error)
{
    tm_layer_walk walk = {0};
    uint64_t of_sheets = 0;
    if (renderer->layers && renderer->options.entities) { /* also where somebody holds more than the budget */
        const uint64_t left = tmi_room_left(&renderer->room);
        of_sheets = left < SHEET_BYTES ? left : SHEET_BYTES;
    }
    (void)tmi_room_take(&renderer->room, of_sheets);
    if (renderer->layers && renderer->options.entities)
        TM_TRY(choose_among(renderer, true, error));
    if (renderer->layers)
        TM_TRY(choose_among(renderer, false, error));
    tmi_room_give(&renderer->room, of_sheets);
    /*
     * Unpacks layers that stay unpacked, so that drawing finds them ready and all faults are reported; others
     * were checked before.
     */
    while (tm_map_next_layer(renderer->map, &walk)) {
        tmi_layer_state *state = renderer->layers ? &renderer->layers[walk.number] : NULL;
        const bool lent = state && !state->kept;
        tmi_borrowed loan = {0};
        tm_error fault;
        if (lent && state->sound)
            continue;
        const tm_status status = open_layer(renderer, &loan, walk.layer, lent, &fault);
        tmi_borrowed_close(&loan);
        if (status == TM_ERROR_DAMAGED) {
            const tm_address address = {TM_KIND_LAYER, walk.group, walk.index};
            tmi_report_at_address(findings, TM_MODE_GAME, TM_FINDING_DATA_BROKEN, renderer->map, address, -1,
                                  "the layer is not drawn: %s", fault.text);
            if (lent)
                state->kept = true; /* there is nothing to lend */
        } else if (status != TM_OK) {
            if (error)
                *error = fault;
            return status;
        }
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- runs */

static bool is_lent(const tm_renderer *renderer, const tm_camera *camera, const tm_layer_walk *walk)
{
    return !renderer->layers[walk->number].kept && drawn_block(walk->layer, renderer->options.entities) &&
           tmi_opacity(renderer, camera, walk->layer, walk->number + 1) > 0;
}

static uint64_t unpacking_work(const tm_renderer *renderer, const tm_layer *layer)
{
    bool held;
    const uint64_t size = layer_bytes(renderer, layer, &held);
    return held ? 0 : size / BYTES_OF_PIXEL;
}

uint64_t tm_renderer_unpacking_work(const tm_renderer *renderer, const float *opacities)
{
    const tm_camera camera = {.opacities = opacities};
    tm_layer_walk walk = {0};
    uint64_t work = 0;
    while (renderer && renderer->layers && tm_map_next_layer(renderer->map, &walk))
        if (is_lent(renderer, &camera, &walk))
            work = add_capped(work, unpacking_work(renderer, walk.layer));
    return work;
}

tm_status tmi_each_run(const tm_renderer *renderer, const tm_camera *camera, tmi_budget *budget,
                       tmi_run_visit *visit, void *ctx, tm_error *error)
{
    tmi_layer_run run = {1, UINT32_MAX, NULL};
    tm_layer_walk walk = {0};
    while (renderer->layers && tm_map_next_layer(renderer->map, &walk)) {
        if (!is_lent(renderer, camera, &walk))
            continue;
        run.end = walk.number + 1;
        if (run.end > run.first)
            TM_TRY(visit(ctx, &run, error));
        if (!tmi_spend(budget, unpacking_work(renderer, walk.layer)))
            return tmi_fail(
                error, TM_ERROR_LIMIT, -1,
                "unpacking the layers that memory_budget does not hold again for each picture needs "
                "more work than the limit of %llu pixels",
                (unsigned long long)budget->limit);
        tmi_borrowed loan;
        const tm_block *block = drawn_block(walk.layer, renderer->options.entities);
        TM_TRY(tmi_borrowed_open(&loan, renderer->map, block, error));
        run = (tmi_layer_run){walk.number + 1, walk.number + 2, loan.bytes};
        const tm_status status = visit(ctx, &run, error);
        tmi_borrowed_close(&loan);
        TM_TRY(status);
        run = (tmi_layer_run){walk.number + 2, UINT32_MAX, NULL};
    }
    return visit(ctx, &run, error);
}
