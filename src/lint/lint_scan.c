/* SPDX-License-Identifier: Zlib */
/*
 * The passes over physics layers: one that counts all tiles and shows runs to the rules that want them, and
 * one that finds the places of tiles which a judge has asked for. Both take a row run by run, and cost
 * nothing for air.
 */
#include "lint.h"

/* Rules look at these from everywhere: they are held until all is done. */
static const tm_layer_kind held[] = {TM_LAYER_GAME, TM_LAYER_TELE, TM_LAYER_FRONT};
/* At these nobody looks but while they are scanned; then they are let go. */
static const tm_layer_kind passing[] = {TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TUNE};

/* --------------------------------------------------------------------------------------------- layers */

static bool has_numbers(tm_layer_kind kind)
{
    return tm_rules_layer(kind)->number_at != TM_NONE;
}

void tmi_lint_borrow_layer(tmi_lint *lint, tm_layer_kind kind)
{
    tmi_lint_layer *to = &lint->layers[kind];
    if (to->borrowed || lint->status)
        return;
    to->borrowed = true;
    to->index_at = (size_t)tm_rules_layer(kind)->index_at;
    to->layer = tm_map_physics_layer(lint->map, kind, &to->group, &to->index);
    const tm_status status =
        to->layer ? tmi_borrowed_grid(&to->loan, &to->grid, lint->map, to->layer, lint->error) : TM_OK;
    to->has_tiles = to->grid.tiles;
    if (!status)
        return;
    to->layer = NULL;
    memset(&to->grid, 0, sizeof(to->grid));
    lint->blind = true;
    lint->unread++;
    if (status != TM_ERROR_DAMAGED)
        tmi_lint_fail(lint, tmi_fail_at_address(lint->error, status, lint->map,
                                                (tm_address){TM_ADDRESS_LAYER, to->group, to->index}));
}

static void let_layer_go(tmi_lint *lint, tm_layer_kind kind)
{
    tmi_lint_layer *layer = &lint->layers[kind];
    tmi_borrowed_close(&layer->loan);
    layer->grid.tiles = NULL;
    layer->borrowed = false;
}

void tmi_lint_release_layers(tmi_lint *lint)
{
    for (size_t k = 0; k < TMI_COUNT_OF(held); k++)
        let_layer_go(lint, held[k]);
}

/* ------------------------------------------------------------------------------------------------ runs */

typedef void run_sink(tmi_lint *lint, const tmi_lint_run *run);

enum { WORD = sizeof(uint64_t), BLOCK = 4 * WORD }; /* bytes that are looked at together */

/* Whether all words of a block are as `like`. */
static inline bool is_block_of(const uint8_t *at, uint64_t like)
{
    uint64_t words[BLOCK / WORD];
    memcpy(words, at, BLOCK);
    return !((words[0] ^ like) | (words[1] ^ like) | (words[2] ^ like) | (words[3] ^ like));
}

/*
 * The end of the run that begins at x: by blocks, then by tiles. `size` is a constant where this is called,
 * so that comparing is one instruction or two.
 */
static inline uint32_t end_of_run(const uint8_t *row, size_t size, uint32_t x, uint32_t width)
{
    const uint8_t *tile = row + x * size;
    const uint32_t in_block = (uint32_t)(BLOCK / size);
    x++;
    if (WORD % size == 0) {
        uint64_t like;
        for (size_t i = 0; i < WORD; i += size)
            memcpy((uint8_t *)&like + i, tile, size);
        while (width - x >= in_block && is_block_of(row + x * size, like))
            x += in_block;
    }
    while (x < width && memcmp(tile, row + x * size, size) == 0)
        x++;
    return x;
}

/* The next tile that is no air, from x on; whole blocks of air are passed over. */
static inline uint32_t end_of_air(const uint8_t *row, size_t size, size_t index_at, uint32_t x,
                                  uint32_t width)
{
    const uint32_t step = size <= BLOCK ? (uint32_t)(BLOCK / size) : 1;
    while (x < width) {
        const uint32_t end = width - x > step ? x + step : width;
        if (end - x == step && BLOCK % size == 0 && is_block_of(row + x * size, 0)) {
            x = end;
            continue;
        }
        while (x < end && !row[x * size + index_at])
            x++;
        if (x < end)
            break;
    }
    return x;
}

static inline void scan_row(tmi_lint *lint, tmi_lint_run *run, const uint8_t *row, uint32_t width,
                            size_t size, size_t index_at, run_sink *sink)
{
    for (uint32_t x = end_of_air(row, size, index_at, 0, width); x < width;
         x = end_of_air(row, size, index_at, x, width)) {
        run->tile = row + x * size;
        run->index = run->tile[index_at];
        run->x0 = x;
        x = run->x1 = end_of_run(row, size, x, width);
        sink(lint, run);
    }
}

static bool is_air(const uint8_t *row, size_t size)
{
    return !row[0] && (size == 1 || memcmp(row, row + 1, size - 1) == 0);
}

/* Most rows of most maps are air, and are told by one comparison of memory. */
static void scan_grid(tmi_lint *lint, tm_layer_kind kind, run_sink *sink)
{
    const tm_grid *grid = &lint->layers[kind].grid;
    const size_t at = (size_t)tm_rules_layer(kind)->index_at,
                 row_size = (size_t)grid->width * grid->tile_size;
    tmi_lint_run run = {.kind = kind};
    for (uint32_t y = 0; grid->tiles && row_size && y < grid->height; y++) {
        const uint8_t *row = (const uint8_t *)grid->tiles + y * grid->row_stride;
        run.y = y;
        if (is_air(row, row_size))
            continue;
        if (grid->tile_size == sizeof(tm_tile))
            scan_row(lint, &run, row, grid->width, sizeof(tm_tile), at, sink);
        else if (grid->tile_size == sizeof(tm_tele_tile))
            scan_row(lint, &run, row, grid->width, sizeof(tm_tele_tile), at, sink);
        else
            scan_row(lint, &run, row, grid->width, grid->tile_size, at, sink);
    }
}

/* -------------------------------------------------------------------------------------- the first pass */

static void show(tmi_lint *lint, const tmi_lint_run *run, uint64_t seers)
{
    for (uint32_t seer = 0; seers; seer++, seers >>= 1)
        if (seers & 1)
            lint->seer_sees[seer](lint, lint->seer_rules[seer], run);
}

/* Who wants to see tiles of an index is asked when the first one comes: few of the 256 occur. */
static void meet(tmi_lint *lint, tm_layer_kind kind, uint8_t index)
{
    lint->met[kind][index] = true;
    if (has_numbers(kind)) {
        uint32_t **numbers = &lint->layers[kind].numbers[index];
        *numbers = tmi_arena_alloc(&lint->arena, TMI_LINT_NUMBERS, sizeof(**numbers));
        if (!*numbers) {
            tmi_lint_fail(lint, tmi_fail_memory(lint->error, TMI_LINT_NUMBERS * sizeof(**numbers), "census"));
            return;
        }
        memset(*numbers, 0, TMI_LINT_NUMBERS * sizeof(**numbers));
    }
    for (uint32_t seer = 0; seer < lint->num_seers; seer++) {
        const tmi_lint_row *row = lint->rules[lint->seer_rules[seer]].row;
        if (!row->wants(kind, index))
            continue;
        (row->late ? lint->late_seers : lint->seers)[kind][index] |= (uint64_t)1 << seer;
        lint->has_late[kind] |= row->late;
    }
}

static void see_run(tmi_lint *lint, const tmi_lint_run *run)
{
    tmi_lint_layer *layer = &lint->layers[run->kind];
    if (!lint->met[run->kind][run->index])
        meet(lint, run->kind, run->index);
    layer->tiles[run->index] += run->x1 - run->x0;
    if (layer->numbers[run->index])
        layer->numbers[run->index][run->tile[tm_rules_layer(run->kind)->number_at]] += run->x1 - run->x0;
    if (lint->reach)
        tmi_lint_reach_see(lint, run);
    show(lint, run, lint->seers[run->kind][run->index]);
}

static void pass(tmi_lint *lint, tm_layer_kind kind, run_sink *sink)
{
    tmi_lint_borrow_layer(lint, kind);
    if (!lint->status)
        scan_grid(lint, kind, sink);
    let_layer_go(lint, kind);
}

static bool wants_ways(const tmi_lint *lint)
{
    for (uint32_t rule = 0; rule < lint->num_rules; rule++)
        if (lint->rules[rule].asked && lint->rules[rule].row->ways)
            return true;
    return false;
}

static void seat_seers(tmi_lint *lint)
{
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        if (!lint->rules[rule].row->see || !lint->rules[rule].asked)
            continue;
        TMI_ASSERT(lint->num_seers < TMI_LINT_SEERS);
        lint->rules[rule].seer = (uint8_t)lint->num_seers;
        lint->seer_sees[lint->num_seers] = lint->rules[rule].row->see;
        lint->seer_rules[lint->num_seers++] = (uint8_t)rule;
    }
}

void tmi_lint_scan(tmi_lint *lint)
{
    seat_seers(lint);
    tmi_lint_borrow_layer(lint, TM_LAYER_GAME); /* what the others lie upon */
    for (size_t k = 0; k < TMI_COUNT_OF(passing) && !lint->status; k++)
        pass(lint, passing[k], see_run);
    for (size_t k = 0; k < TMI_COUNT_OF(held); k++)
        tmi_lint_borrow_layer(lint, held[k]);
    if (!lint->status && wants_ways(lint))
        tmi_lint_reach_begin(lint);
    for (size_t k = 0; k < TMI_COUNT_OF(held) && !lint->status; k++)
        scan_grid(lint, held[k], see_run);
    if (!lint->status)
        tmi_lint_reach_flood(lint);
}

/* ------------------------------------------------------------------------------------- the second pass */

/* Tiles of one index and number that a note asks for; several notes may ask for the same. */
typedef struct tmi_lint_request {
    struct tmi_lint_request *next;
    tmi_lint_note *note;
} request;

static void put_request(tmi_lint *lint, tmi_lint_note *note, tm_layer_kind kind, uint8_t index,
                        uint8_t number)
{
    request *cell = &lint->requests[kind][index][number];
    if (cell->note) {
        request *other = tmi_arena_alloc(&lint->arena, 1, sizeof(*other));
        if (!other)
            return;
        *other = *cell;
        cell->next = other;
    }
    cell->note = note;
}

static bool has_request_table(tmi_lint *lint, tm_layer_kind kind, uint8_t index)
{
    request **table = &lint->requests[kind][index];
    if (!*table) {
        *table = tmi_arena_alloc(&lint->arena, TMI_LINT_NUMBERS, sizeof(request));
        if (!*table)
            return false;
        memset(*table, 0, TMI_LINT_NUMBERS * sizeof(request));
        lint->has_requests[kind] = true;
    }
    return true;
}

void tmi_lint_request_tiles(tmi_lint *lint, tmi_lint_note *note, tm_layer_kind kind, uint8_t index,
                            int number)
{
    if (!note)
        return;
    note->count = note->requests++ ? note->count : 0;
    const uint64_t num = number < 0 ? tmi_lint_num_tiles(lint, kind, index)
                                    : tmi_lint_num_numbered(lint, kind, index, (uint8_t)number);
    note->count += num;
    if (!num || !has_request_table(lint, kind, index))
        return;
    if (number >= 0 || !has_numbers(kind)) {
        put_request(lint, note, kind, index, (uint8_t)(number < 0 ? 0 : number));
        return;
    }
    for (uint32_t n = 0; n < TMI_LINT_NUMBERS; n++)
        put_request(lint, note, kind, index, (uint8_t)n);
}

static void answer_run(tmi_lint *lint, const tmi_lint_run *run)
{
    const request *cells = lint->requests[run->kind][run->index];
    const int number_at = tm_rules_layer(run->kind)->number_at;
    const uint8_t number = number_at == TM_NONE ? 0 : run->tile[number_at];
    show(lint, run, lint->late_seers[run->kind][run->index]);
    const request *cell = cells ? &cells[number] : NULL;
    for (; cell && cell->note; cell = cell->next)
        tmi_lint_note_place(lint, cell->note, run->x0, run->x1, run->y);
}

void tmi_lint_scan_again(tmi_lint *lint)
{
    for (size_t k = 0; k < TMI_COUNT_OF(held); k++)
        if (lint->has_requests[held[k]] || lint->has_late[held[k]])
            scan_grid(lint, held[k], answer_run);
    tmi_lint_release_layers(lint);
    for (size_t k = 0; k < TMI_COUNT_OF(passing) && !lint->status; k++)
        if (lint->has_requests[passing[k]])
            pass(lint, passing[k], answer_run);
}

/* ------------------------------------------------------------------------------------------- questions */

uint64_t tmi_lint_num_tiles(const tmi_lint *lint, tm_layer_kind kind, uint8_t index)
{
    return lint->layers[kind].tiles[index];
}

uint64_t tmi_lint_num_numbered(const tmi_lint *lint, tm_layer_kind kind, uint8_t index, uint8_t number)
{
    const tmi_lint_layer *layer = &lint->layers[kind];
    return layer->numbers[index] ? layer->numbers[index][number] : 0;
}

void tmi_lint_sum_numbers(const tmi_lint *lint, tm_layer_kind kind, bool (*fits)(uint8_t index),
                          uint64_t sums[TMI_LINT_NUMBERS])
{
    const tmi_lint_layer *layer = &lint->layers[kind];
    memset(sums, 0, TMI_LINT_NUMBERS * sizeof(*sums));
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        if (!layer->numbers[index] || !fits((uint8_t)index))
            continue;
        for (uint32_t n = 0; n < TMI_LINT_NUMBERS; n++)
            sums[n] += layer->numbers[index][n];
    }
}

uint64_t tmi_lint_num_played(const tmi_lint *lint, uint8_t index)
{
    return tmi_lint_num_tiles(lint, TM_LAYER_GAME, index) + tmi_lint_num_tiles(lint, TM_LAYER_FRONT, index);
}

tm_address tmi_lint_layer_address(const tmi_lint *lint, tm_layer_kind kind)
{
    const tmi_lint_layer *layer = &lint->layers[kind];
    if (!layer->layer)
        return (tm_address){TM_ADDRESS_MAP, 0, 0};
    return (tm_address){TM_ADDRESS_LAYER, layer->group, layer->index};
}
