/* SPDX-License-Identifier: Zlib */
/*
 * Searching: first tiles, then objects and texts (find_texts.c). A layer is unpacked once for all patterns
 * that may fit in it. Tiles that fit are joined into rectangles: neighbours in a row make a run, and equal
 * runs in rows that follow each other make a rectangle.
 *
 *   where     a byte per tile of the current layer has a bit for each clause that something there fits
 *   without   the numbers of the tiles that fit, or whether any does, are gathered from the whole map first
 */
#include "find.h"

/* --------------------------------------------------------------------------------------- going over tiles */

/* Most layers are long runs of one tile, so the end of each run is found first, and its tile tested once. */

/* A test made ready for one kind of layer. Borrows from the test. */
typedef struct tile_scan {
    const bool *index;
    int index_at;
    uint32_t num_bytes;
    struct {
        int at;
        const bool *fits;
    } bytes[TMI_TILE_PARTS + 1];
    const bool *angles; /* which fit, from INT16_MIN on; NULL: any */
    bool is_negated;    /* tiles that the test does not fit are wanted, except air */
    bool again;         /* the sink takes rows that are like the one before */
} tile_scan;

/* Gets a run of equal tiles that fit, in columns x0 to x1 - 1 of row y; no tile: row y is like row y - 1. */
typedef tm_status tile_sink(void *ctx, const uint8_t *tile, uint32_t x0, uint32_t x1, uint32_t y,
                            tm_error *error);

static bool test_fits(const tile_scan *scan, const uint8_t *tile)
{
    if (!scan->index[tile[scan->index_at]])
        return false;
    for (uint32_t i = 0; i < scan->num_bytes; i++)
        if (!scan->bytes[i].fits[tile[scan->bytes[i].at]])
            return false;
    if (!scan->angles)
        return true;
    tm_speedup_tile speedup;
    memcpy(&speedup, tile, sizeof(speedup));
    return scan->angles[speedup.angle - INT16_MIN];
}

static bool tile_fits(const tile_scan *scan, const uint8_t *tile)
{
    return scan->is_negated ? tile[scan->index_at] != 0 && !test_fits(scan, tile) : test_fits(scan, tile);
}

/* Adds to a scan the condition that the tile's byte `at` is a value of `fits`. */
static void scan_ask(tile_scan *scan, int at, const bool *fits)
{
    TMI_ASSERT(scan->num_bytes < TMI_COUNT_OF(scan->bytes));
    scan->bytes[scan->num_bytes].at = at;
    scan->bytes[scan->num_bytes++].fits = fits;
}

/* Prepares a test for one kind of layer; false: no tile of that kind is wanted. */
static bool scan_init(tile_scan *out, const tile_test *test, bool is_negated, tm_layer_kind kind)
{
    memset(out, 0, sizeof(*out));
    if ((int)kind >= TILE_KINDS ||
        (!is_negated && !memchr(test->index[kind], true, sizeof(test->index[kind]))))
        return false;
    out->is_negated = is_negated;
    out->index = test->index[kind];
    out->index_at = tm_game_layer(kind)->index_at;
    for (int part = TMI_PART_NUMBER; part < TMI_PART_ANGLE; part++)
        if (test->fits[part])
            scan_ask(out, tmi_tile_part_at(kind, (tmi_tile_part)part), test->fits[part]);
    out->angles = test->fits[TMI_PART_ANGLE];
    return true;
}

/* Calls the sink for each run that fits in a part of a grid, row by row, until the sink fails. */
static tm_status scan_run(const tile_scan *scan, const tm_grid *grid, const tm_rect *part, tile_sink *sink,
                          void *ctx, tm_error *error)
{
    const size_t size = grid->tile_size;
    for (uint32_t y = (uint32_t)part->y; grid->tiles && y < tmi_bottom(part); y++) {
        const uint8_t *row = (const uint8_t *)grid->tiles + y * grid->row_stride;
        const uint8_t *tile = row + (size_t)part->x * size, *end = tile + part->width * size;
        if (scan->again && y > (uint32_t)part->y &&
            memcmp(tile, tile - grid->row_stride, (size_t)(end - tile)) == 0) {
            TM_TRY(sink(ctx, NULL, 0, 0, y, error));
            continue;
        }
        while (tile < end) {
            const uint8_t *next = tmi_run_end(tile, end, size);
            if (tile_fits(scan, tile))
                TM_TRY(sink(ctx, tile, (uint32_t)((size_t)(tile - row) / size),
                            (uint32_t)((size_t)(next - row) / size), y, error));
            tile = next;
        }
    }
    return TM_OK;
}

/* A pattern in a map: which layers its sets mean there. */
typedef struct prepared {
    const tm_pattern *pattern;
    tm_layer_choice *chosen[1 + PATTERN_WHERES]; /* of what and where; NULL: all layers */
    bool nowhere;                                /* one of the sets has no layer in this map */
    uint8_t marks;                               /* of places that all clauses `where` fit */
    bool lonely[256];                            /* the numbers that nothing which fits `without` has */
    bool alone;                                  /* nothing in the map fits `without` */
} prepared;

/* A search in the layers that a clause means. */
typedef struct layer_visit {
    finding_run *run;
    const tile_test *test;
    const tm_layer_choice *chosen;
    tm_layer_kind kind; /* of the layer at hand */
} layer_visit;

/* The part of a grid within a region; an empty region stands for the whole grid. */
static tm_rect part_of_grid(const tm_grid *grid, const tm_rect *region)
{
    const tm_rect whole = {0, 0, grid->width, grid->height};
    return tmi_rect_is_empty(region) ? whole : tmi_rect_common(&whole, region);
}

/* Keeps the error of the first layer that fails, and lets the search go on; without memory, ends it. */
static tm_status keep_failure(finding_run *run, tm_status status, const tm_layer_walk *walk,
                              const tm_error *failure)
{
    const bool ends = status == TM_ERROR_MEMORY || status == TM_ERROR_CANCELLED;
    if (status == TM_OK || (run->status && !ends))
        return TM_OK;
    if (!run->status) {
        run->status = status;
        if (run->error)
            *run->error = *failure;
        tmi_fail_at_address(run->error, status, run->map,
                            (tm_address){TM_KIND_LAYER, walk->group, walk->index});
    }
    return ends ? status : TM_OK;
}

/* Calls a sink for all tiles that fit a test. */
static tm_status scan_layers(layer_visit *visit, tile_sink *sink, void *ctx)
{
    tm_layer_walk walk = {0};
    tmi_borrowed loan = {.map = NULL};
    tm_status result = TM_OK;
    while (!result && tm_map_next_layer(visit->run->map, &walk)) {
        tm_error error;
        tm_grid grid;
        tile_scan scan;
        if ((visit->chosen && !visit->chosen[walk.number].chosen) ||
            !scan_init(&scan, visit->test, false, walk.layer->kind))
            continue;
        tmi_error_blank(&error);
        visit->kind = walk.layer->kind;
        tm_status status = tmi_borrowed_next_grid(&loan, &grid, visit->run->map, walk.layer, &error);
        if (status == TM_OK) {
            const tm_rect part = part_of_grid(&grid, &visit->test->region);
            status = scan_run(&scan, &grid, &part, sink, ctx, &error);
        }
        result = keep_failure(visit->run, status, &walk, &error);
    }
    tmi_borrowed_close(&loan);
    return result;
}

/* ---------------------------------------------------------------------------------------------- preparing */

static tm_status choose(tm_layer_choice **out, bool *nowhere, const tm_map *map, const tile_test *test,
                        const tm_allocator *allocator, tm_error *error)
{
    const uint32_t num = tm_map_num_layers(map);
    if (!test->set)
        return TM_OK;
    TM_TRY(tmi_reserve(out, allocator, (size_t)num + 1, sizeof(**out), "set of layers", error));
    const tm_status status = tmi_select_undrawn(*out, map, test->set, error);
    *nowhere |= status == TM_ERROR_NOT_FOUND;
    return status == TM_ERROR_NOT_FOUND ? TM_OK : status;
}

typedef struct number_list {
    layer_visit visit;
    bool has[256], any;
} number_list;

/* A sink: notes the number byte of tiles that fit `without`. */
static tm_status note_number(void *ctx, const uint8_t *tile, uint32_t x0, uint32_t x1, uint32_t y,
                             tm_error *error)
{
    (void)x0, (void)x1, (void)y, (void)error;
    number_list *list = ctx;
    const int at = tm_game_layer(list->visit.kind)->number_at;
    list->any = true;
    if (at != TM_NONE)
        list->has[tile[at]] = true;
    return TM_OK;
}

/* Gathers what fits the clause `without`. If its set has no layer in the map, nothing fits. */
static tm_status prepare_without(prepared *out, finding_run *run, const tm_allocator *allocator,
                                 tm_error *error)
{
    const pattern_clause *exclusion = &out->pattern->exclusion;
    bool named[TMI_POOLS][TMI_NUMBERS] = {{false}}, nowhere = false;
    tm_layer_choice *chosen = NULL;
    number_list list = {.any = false};
    tm_status status = TM_OK;
    if (exclusion->subject == SUBJECT_SETTINGS)
        list.any = tmi_settings_numbers(named, run->map, exclusion->object.name);
    else
        status = choose(&chosen, &nowhere, run->map, exclusion->tiles, allocator, error);
    list.visit = (layer_visit){.run = run, .test = exclusion->tiles, .chosen = chosen};
    if (!status && !nowhere && exclusion->tiles)
        status = scan_layers(&list.visit, note_number, &list);
    for (int i = 0; i < 256; i++)
        out->lonely[i] = !list.has[i] && !named[TM_NUMBER_SWITCH][i] && !named[TM_NUMBER_ZONE][i];
    out->alone = !list.any;
    return status;
}

/* --------------------------------------------------------------------------------------------- rectangles */

/* Tiles in a row that fit, and the rectangle to which they belong. */
typedef struct found_run {
    uint32_t x, width;
    size_t rect;
} found_run;

typedef struct run_row {
    found_run *list; /* from left to right */
    size_t num, capacity;
} run_row;

/* Only the runs of two rows are kept: a layer of columns has millions. */
typedef struct rectangles {
    tm_rect *list;
    size_t num, capacity;
    run_row above, current; /* the row before y, row y */
    uint32_t y;
    const uint8_t *marks; /* NULL: the pattern has no `where` */
    uint8_t wanted_marks;
    uint32_t marks_width;
    const tm_allocator *allocator;
} rectangles;

/* Adds each run of row y to the rectangle above with its columns, else begins one; row `next` follows. */
static tm_status end_row(rectangles *collector, uint32_t next, tm_error *error)
{
    for (size_t i = 0, above = 0; i < collector->current.num; i++) {
        found_run *run = &collector->current.list[i];
        while (above < collector->above.num && collector->above.list[above].x < run->x)
            above++;
        const found_run *upper = above < collector->above.num ? &collector->above.list[above] : NULL;
        if (upper && upper->x == run->x && upper->width == run->width) {
            run->rect = upper->rect;
        } else {
            TM_TRY(tmi_grow(collector->allocator, &collector->list, &collector->capacity, collector->num + 1,
                            sizeof(*collector->list), error));
            run->rect = collector->num++;
            collector->list[run->rect] = (tm_rect){(int32_t)run->x, (int32_t)collector->y, run->width, 0};
        }
        collector->list[run->rect].height++;
    }
    const run_row old = collector->above;
    collector->above = collector->current;
    collector->current = old;
    collector->current.num = 0;
    if (next != collector->y + 1)
        collector->above.num = 0;
    collector->y = next;
    return TM_OK;
}

static tm_status add_run(rectangles *collector, uint32_t x0, uint32_t x1, uint32_t y, tm_error *error)
{
    if (y != collector->y)
        TM_TRY(end_row(collector, y, error));
    run_row *row = &collector->current;
    if (row->num && row->list[row->num - 1].x + row->list[row->num - 1].width == x0) {
        row->list[row->num - 1].width += x1 - x0;
        return TM_OK;
    }
    TM_TRY(
        tmi_grow(collector->allocator, &row->list, &row->capacity, row->num + 1, sizeof(*row->list), error));
    row->list[row->num++] = (found_run){x0, x1 - x0, 0};
    return TM_OK;
}

/* Row y has the runs of the row before it. */
static tm_status repeat_row(rectangles *collector, uint32_t y, tm_error *error)
{
    if (y != collector->y)
        TM_TRY(end_row(collector, y, error));
    for (size_t i = 0; i < collector->above.num; i++)
        collector->list[collector->above.list[i].rect].height++;
    collector->y = y + 1;
    return TM_OK;
}

static tm_status collect(void *ctx, const uint8_t *tile, uint32_t x0, uint32_t x1, uint32_t y,
                         tm_error *error)
{
    rectangles *collector = ctx;
    if (!tile)
        return repeat_row(collector, y, error);
    if (!collector->marks)
        return add_run(collector, x0, x1, y, error);
    const uint8_t *marks = collector->marks + (size_t)y * collector->marks_width;
    for (uint32_t x = x0; x < x1; x++)
        if (marks[x] == collector->wanted_marks)
            TM_TRY(add_run(collector, x, x + 1, y, error));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- marks */

typedef struct mark_sheet {
    uint8_t *marks, mark;
    uint32_t width, height;
} mark_sheet;

static tm_status put_marks(void *ctx, const uint8_t *tile, uint32_t x0, uint32_t x1, uint32_t y,
                           tm_error *error)
{
    const mark_sheet *sheet = ctx;
    (void)tile, (void)error;
    if (y >= sheet->height)
        return TM_OK;
    for (uint32_t x = x0; x < x1 && x < sheet->width; x++)
        sheet->marks[(size_t)y * sheet->width + x] |= sheet->mark;
    return TM_OK;
}

/* Makes a byte for each tile of the layer: bit n says whether something fits the n-th `where` there. */
static tm_status make_marks(uint8_t **out, size_t *size, finding_run *run, const prepared *plans,
                            const tm_layer *layer, tm_error *error)
{
    *out = NULL;
    if (!tmi_mul_size(size, layer->as.tiles.width, layer->as.tiles.height))
        return tmi_fail_memory(error, UINT64_MAX, "marks");
    TM_TRY(tmi_map_check_room(run->map, *size, error));
    TM_TRY(tmi_reserve_zeroed(out, tmi_map_allocator(run->map), *size, 1, "marks", error));
    for (uint32_t i = 0; i < plans->pattern->num_where; i++) {
        layer_visit visit = {
            .run = run, .test = plans->pattern->conditions[i].tiles, .chosen = plans->chosen[1 + i]};
        mark_sheet sheet = {*out, (uint8_t)(1u << i), layer->as.tiles.width, layer->as.tiles.height};
        TM_TRY(scan_layers(&visit, put_marks, &sheet));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ one layer */

/* The search for one pattern in one layer. */
typedef struct layer_search {
    finding_run *run;
    const prepared *plans;
    uint32_t pattern;
    const tm_layer_walk *walk;
    const tm_grid *grid;
} layer_search;

static tm_status search_layer(const layer_search *search, const tile_scan *scan, tm_error *error)
{
    finding_run *run = search->run;
    const tm_allocator *allocator = tmi_map_allocator(run->map);
    const tm_layer *layer = search->walk->layer;
    const uint32_t num_where = search->plans->pattern->num_where;
    rectangles found = {.allocator = allocator, .marks_width = layer->as.tiles.width};
    uint8_t *marks = NULL;
    size_t marks_size = 0;
    tm_status status = TM_OK;
    if (num_where)
        status = make_marks(&marks, &marks_size, run, search->plans, layer, error);
    found.marks = marks;
    found.wanted_marks = search->plans->marks;
    tm_rect part = part_of_grid(search->grid, &search->plans->pattern->subject.tiles->region);
    if (!tmi_rect_is_empty(&run->options->region))
        part = tmi_rect_common(&part, &run->options->region);
    if (!status)
        status = scan_run(scan, search->grid, &part, collect, &found, error);
    if (!status)
        status = end_row(&found, 0, error);
    for (size_t i = 0; i < found.num && !status && !run->ended; i++) {
        const tm_match match = {.pattern = search->pattern,
                                .address = {TM_KIND_LAYER, search->walk->group, search->walk->index},
                                .rect = found.list[i],
                                .count = (uint64_t)found.list[i].width * found.list[i].height,
                                .grid = *search->grid};
        run->ended = !run->visit(run->ctx, &match);
    }
    tmi_free(allocator, marks, marks_size, 1);
    tmi_free(allocator, found.list, found.capacity, sizeof(*found.list));
    tmi_free(allocator, found.above.list, found.above.capacity, sizeof(*found.above.list));
    tmi_free(allocator, found.current.list, found.current.capacity, sizeof(*found.current.list));
    return status;
}

/* Prepares the search for a pattern in one layer; false: nothing there can fit. */
static bool begin_search(tile_scan *scan, const prepared *plans, const tm_find_options *options,
                         const tm_layer_walk *walk)
{
    const int number_at = tm_game_layer(walk->layer->kind)->number_at;
    if (plans->nowhere || (plans->chosen[0] && !plans->chosen[0][walk->number].chosen) ||
        (options->layers && !options->layers[walk->number].chosen) ||
        !scan_init(scan, plans->pattern->subject.tiles, plans->pattern->subject.is_negated,
                   walk->layer->kind))
        return false;
    scan->again = !plans->pattern->num_where;
    if (plans->pattern->has_without && number_at == TM_NONE)
        return plans->alone;
    if (plans->pattern->has_without) /* numbers that have their other half do not fit */
        scan_ask(scan, number_at, plans->lonely);
    return true;
}

/*
 * Searches one layer for all patterns; unpacks it only if one of them can fit. `loan`: that of the last one.
 */
static tm_status search_all(finding_run *run, const prepared *plans, uint32_t num, const tm_layer_walk *walk,
                            tmi_borrowed *loan, tm_error *error)
{
    tm_grid grid;
    bool open = false;
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < num && !status && !run->ended; i++) {
        tile_scan scan;
        if (!begin_search(&scan, &plans[i], run->options, walk))
            continue;
        if (!open)
            TM_TRY(tmi_borrowed_next_grid(loan, &grid, run->map, walk->layer, error));
        open = true;
        const layer_search search = {run, &plans[i], i, walk, &grid};
        status = search_layer(&search, &scan, error);
    }
    return status;
}

/* Searches for all patterns of tiles, layer by layer. */
static tm_status search_tiles(finding_run *run, tm_pattern *const *patterns, uint32_t num, tm_error *error)
{
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(run->map));
    const tm_allocator scratch = tmi_arena_allocator(&arena);
    prepared *plans;
    tm_layer_walk walk = {0};
    tmi_borrowed loan = {.map = NULL};
    tm_status status = tmi_reserve_zeroed(&plans, &scratch, num, sizeof(*plans), "patterns", error);
    for (uint32_t i = 0; i < num && !status; i++) {
        prepared *plan = &plans[i];
        const tm_pattern *pattern = patterns[i];
        plan->pattern = pattern;
        plan->nowhere = !tmi_pattern_of_tiles(pattern);
        if (plan->nowhere)
            continue;
        status = choose(&plan->chosen[0], &plan->nowhere, run->map, pattern->subject.tiles, &scratch, error);
        for (uint32_t k = 0; k < pattern->num_where && !status; k++) {
            const pattern_clause *condition = &pattern->conditions[k];
            bool lacks_layers = false;
            status = choose(&plan->chosen[1 + k], &lacks_layers, run->map, condition->tiles, &scratch, error);
            plan->nowhere |= lacks_layers && !condition->is_negated;
            if (!condition->is_negated)
                plan->marks |= (uint8_t)(1u << k);
        }
        if (!status && pattern->has_without && !plan->nowhere)
            status = prepare_without(plan, run, &scratch, error);
    }
    while (!status && !run->ended && tm_map_next_layer(run->map, &walk)) {
        tm_error failure;
        tmi_error_blank(&failure);
        status = keep_failure(run, search_all(run, plans, num, &walk, &loan, &failure), &walk, &failure);
    }
    tmi_borrowed_close(&loan);
    tmi_arena_release(&arena);
    return status;
}

/* -------------------------------------------------------------------------- the search as a whole */

tm_status tm_map_find(const tm_map *map, tm_pattern *const *patterns, uint32_t num,
                      const tm_find_options *options, tm_match_visit *visit, void *ctx, tm_error *error)
{
    tm_find_options effective;
    TM_TRY(tmi_need(map, "map", error));
    if (num)
        TM_TRY(tmi_need(patterns, "patterns", error));
    if (!visit)
        return tmi_need(NULL, "visit", error);
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(tmi_need(patterns[i], "pattern", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_find_options", error));
    finding_run run = {.map = map, .options = &effective, .visit = visit, .ctx = ctx, .error = error};
    TM_TRY(search_tiles(&run, patterns, num, error));
    for (uint32_t i = 0; i < num && !run.ended; i++)
        if (!tmi_pattern_of_tiles(patterns[i]))
            tmi_find_objects(&run, &patterns[i]->subject, i);
    return run.status;
}
