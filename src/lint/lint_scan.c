/* SPDX-License-Identifier: Zlib */
/*
 * The passes over physics layers: one that counts all tiles and shows runs to the rules that want them, and
 * one that finds the places of tiles which a judge has asked for. Both process rows as runs, and skip air.
 */
#include "lint.h"

/* Rules access these layers at any time, so they stay unpacked until the end. */
static const tm_layer_kind kept_layers[] = {TM_LAYER_GAME, TM_LAYER_TELE, TM_LAYER_FRONT};
/* These layers are only needed while they are scanned, and then dropped. */
static const tm_layer_kind passing_layers[] = {TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TUNE};

/* --------------------------------------------------------------------------------------------- layers */

void tmi_lint_borrow_layer(tmi_lint *lint, tm_layer_kind kind)
{
    tmi_lint_layer *layer = &lint->layers[kind];
    if (layer->borrowed || lint->status)
        return;
    layer->borrowed = true;
    layer->index_at = (size_t)tm_game_layer(kind)->index_at;
    layer->layer = tm_map_physics_layer(&layer->group, &layer->index, lint->map, kind);
    if (layer->layer && !tmi_lint_is_read(layer->layer))
        layer->layer = NULL;
    const tm_status status =
        layer->layer ? tmi_borrowed_grid(&layer->loan, &layer->grid, lint->map, layer->layer, lint->error)
                     : TM_OK;
    layer->has_tiles = layer->grid.tiles;
    if (!status)
        return;
    layer->layer = NULL;
    memset(&layer->grid, 0, sizeof(layer->grid));
    lint->blind = true;
    lint->unread++;
    if (status != TM_ERROR_DAMAGED)
        tmi_lint_fail(lint, tmi_fail_at_address(lint->error, status, lint->map,
                                                (tm_address){TM_KIND_LAYER, layer->group, layer->index}));
}

static void release_layer(tmi_lint *lint, tm_layer_kind kind)
{
    tmi_lint_layer *layer = &lint->layers[kind];
    tmi_borrowed_close(&layer->loan);
    layer->grid.tiles = NULL;
    layer->borrowed = false;
}

void tmi_lint_release_layers(tmi_lint *lint)
{
    for (size_t k = 0; k < TMI_COUNT_OF(kept_layers); k++)
        release_layer(lint, kept_layers[k]);
}

/* ------------------------------------------------------------------------------------------------ runs */

typedef void run_sink(tmi_lint *lint, const tmi_lint_run *run);

/* Which indices a row has, by their last six bits. */
static uint64_t bit_of_index(uint32_t index)
{
    return (uint64_t)1 << index % 64;
}

static const uint8_t *row_of_grid(const tm_grid *grid, uint32_t y)
{
    return (const uint8_t *)grid->tiles + y * grid->row_stride;
}

/* Gives a sink the runs of a row that are not air. */
static void scan_row(tmi_lint *lint, tm_layer_kind kind, uint32_t y, run_sink *sink)
{
    const tm_grid *grid = &lint->layers[kind].grid;
    const size_t size = grid->tile_size, index_at = lint->layers[kind].index_at;
    const uint8_t *row = row_of_grid(grid, y), *const end = row + grid->width * size, *next;
    tmi_lint_run run = {.kind = kind, .y = y};
    for (const uint8_t *tile = row; tile < end; tile = next) {
        next = tmi_run_end(tile, end, size);
        if (tile[index_at] == TM_TILE_AIR)
            continue;
        run.tile = tile;
        run.index = tile[index_at];
        run.x0 = (uint32_t)((size_t)(tile - row) / size);
        run.x1 = (uint32_t)((size_t)(next - row) / size);
        sink(lint, &run);
    }
}

/* -------------------------------------------------------------------------------------- the first pass */

/* Shows a run to rules, a bit each, or marks what is wrong in it for those that only judge tiles. */
static void show_run(tmi_lint *lint, const tmi_lint_run *run, uint64_t seers)
{
    for (; seers; seers &= seers - 1) {
        const uint32_t rule = lint->seer_rules[tmi_lowest_bit(seers)];
        const tmi_lint_row *row = lint->rules[rule].row;
        if (row->see) {
            row->see(lint, rule, run);
        } else if (row->fits) {
            for (uint32_t x = run->x0; x < run->x1; x++) {
                const uint32_t begin = x;
                while (x < run->x1 && row->fits(lint, run, x))
                    x++;
                if (x > begin)
                    tmi_lint_mark(lint, rule, run, begin, x);
            }
        } else if (!row->errs || row->errs(run)) {
            tmi_lint_mark(lint, rule, run, run->x0, run->x1);
        }
    }
}

/* Makes the counts of an index, and looks up its rules, at its first tile: few of the 256 occur. */
static tmi_lint_index *begin_index(tmi_lint *lint, tm_layer_kind kind, uint8_t index)
{
    tmi_lint_index *known = tmi_lint_alloc(lint, 1, sizeof(*known));
    if (known && tm_game_layer(kind)->number_at != TM_NONE)
        known->numbers = tmi_lint_alloc(lint, TMI_LINT_NUMBERS, sizeof(*known->numbers));
    if (lint->status)
        return NULL;
    known->role = tmi_lint_reach_role(kind, index);
    lint->layers[kind].tiles[index] = known;
    for (uint32_t seer = 0; seer < lint->num_seers; seer++) {
        const tmi_lint_row *row = lint->rules[lint->seer_rules[seer]].row;
        if (row->wants ? row->wants(kind, index)
                       : row->kinds >> kind & 1 && index >= row->first && index <= row->last)
            *(row->late || (row->late_tele && kind == TM_LAYER_TELE) ? &known->late_seers : &known->seers) |=
                (uint64_t)1 << seer;
    }
    return known;
}

static void see_run(tmi_lint *lint, const tmi_lint_run *run)
{
    tmi_lint_layer *layer = &lint->layers[run->kind];
    tmi_lint_index *known = layer->tiles[run->index];
    if (!known && !(known = begin_index(lint, run->kind, run->index)))
        return;
    known->num += run->x1 - run->x0;
    layer->rows[run->y] |= bit_of_index(run->index);
    if (known->numbers)
        known->numbers[tmi_lint_run_number(run)] += run->x1 - run->x0;
    if (lint->reach && known->role)
        tmi_lint_reach_see(lint, run, known->role);
    show_run(lint, run, known->seers);
}

static void census_of_layer(tmi_lint *lint, tm_layer_kind kind)
{
    tmi_lint_layer *layer = &lint->layers[kind];
    if (!layer->grid.tiles || lint->status)
        return;
    layer->rows = tmi_lint_alloc(lint, layer->grid.height, sizeof(*layer->rows));
    const size_t row_size = layer->grid.width * layer->grid.tile_size;
    for (uint32_t y = 0; layer->rows && row_size && y < layer->grid.height; y++)
        if (!tmi_all_zero(row_of_grid(&layer->grid, y), row_size)) /* most rows are air */
            scan_row(lint, kind, y, see_run);
}

void tmi_lint_scan(tmi_lint *lint)
{
    bool ways = false;
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        ways |= row->ways && lint->rules[rule].asked;
        if ((!row->kinds && !row->wants) || !lint->rules[rule].asked)
            continue;
        TMI_ASSERT(lint->num_seers < TMI_LINT_SEERS);
        lint->seer_rules[lint->num_seers++] = rule;
    }
    tmi_lint_borrow_layer(lint, TM_LAYER_GAME); /* rules of other layers read it */
    for (size_t k = 0; k < TMI_COUNT_OF(passing_layers) && !lint->status; k++) {
        tmi_lint_borrow_layer(lint, passing_layers[k]);
        census_of_layer(lint, passing_layers[k]);
        release_layer(lint, passing_layers[k]);
    }
    for (size_t k = 0; k < TMI_COUNT_OF(kept_layers); k++)
        tmi_lint_borrow_layer(lint, kept_layers[k]);
    if (!lint->status && ways)
        tmi_lint_reach_begin(lint);
    for (size_t k = 0; k < TMI_COUNT_OF(kept_layers) && !lint->status; k++)
        census_of_layer(lint, kept_layers[k]);
    if (!lint->status)
        tmi_lint_reach_flood(lint);
}

/* ------------------------------------------------------------------------------------- the second pass */

/* A note asks for the tiles of an index that have a number; below 0: for all of them. */
struct tmi_lint_request {
    struct tmi_lint_request *next; /* for the same index */
    tmi_lint_note *note;
    int number;
};

void tmi_lint_request_tiles(tmi_lint *lint, tmi_lint_note *note, tm_layer_kind kind, uint8_t index,
                            int number)
{
    if (!note)
        return;
    note->count = note->requests++ ? note->count : 0;
    const uint64_t num = number < 0 ? tmi_lint_num_tiles(lint, kind, index)
                                    : tmi_lint_num_numbered(lint, kind, index, (uint8_t)number);
    note->count += num;
    struct tmi_lint_request *request = num ? tmi_lint_alloc(lint, 1, sizeof(*request)) : NULL;
    if (!request)
        return;
    *request = (struct tmi_lint_request){lint->layers[kind].tiles[index]->requests, note, number};
    lint->layers[kind].tiles[index]->requests = request;
}

static void answer_run(tmi_lint *lint, const tmi_lint_run *run)
{
    const tmi_lint_index *known = lint->layers[run->kind].tiles[run->index];
    const uint8_t number = known->numbers ? tmi_lint_run_number(run) : 0;
    show_run(lint, run, known->late_seers);
    for (const struct tmi_lint_request *request = known->requests; request; request = request->next)
        if (request->number < 0 || request->number == number)
            tmi_lint_note_place(lint, request->note, run->x0, run->x1, run->y);
}

/* Gives the runs of the rows that have some of the indices to those who asked for them. */
static void answer_requests(tmi_lint *lint, tm_layer_kind kind, uint64_t bits)
{
    const tmi_lint_layer *layer = &lint->layers[kind];
    for (uint32_t y = 0; layer->grid.tiles && y < layer->grid.height; y++)
        if (layer->rows[y] & bits)
            scan_row(lint, kind, y, answer_run);
}

/* The bits of the indices that some rule wants to see in the second pass; 0: none does. */
static uint64_t bits_wanted(const tmi_lint *lint, tm_layer_kind kind)
{
    uint64_t bits = 0;
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        const tmi_lint_index *known = lint->layers[kind].tiles[index];
        if (known && (known->requests || known->late_seers))
            bits |= bit_of_index(index);
    }
    return bits;
}

void tmi_lint_scan_again(tmi_lint *lint)
{
    uint64_t bits;
    for (size_t k = 0; k < TMI_COUNT_OF(kept_layers); k++)
        if ((bits = bits_wanted(lint, kept_layers[k])) != 0)
            answer_requests(lint, kept_layers[k], bits);
    tmi_lint_release_layers(lint);
    for (size_t k = 0; k < TMI_COUNT_OF(passing_layers) && !lint->status; k++) {
        if ((bits = bits_wanted(lint, passing_layers[k])) == 0)
            continue;
        tmi_lint_borrow_layer(lint, passing_layers[k]);
        if (!lint->status)
            answer_requests(lint, passing_layers[k], bits);
        release_layer(lint, passing_layers[k]);
    }
}

/* ------------------------------------------------------------------------------------------- questions */

uint64_t tmi_lint_num_tiles(const tmi_lint *lint, tm_layer_kind kind, uint8_t index)
{
    const tmi_lint_index *known = lint->layers[kind].tiles[index];
    return known ? known->num : 0;
}

uint64_t tmi_lint_num_numbered(const tmi_lint *lint, tm_layer_kind kind, uint8_t index, uint8_t number)
{
    const tmi_lint_index *known = lint->layers[kind].tiles[index];
    return known && known->numbers ? known->numbers[number] : 0;
}

uint64_t tmi_lint_sum_numbers(uint64_t sums[TMI_LINT_NUMBERS], const tmi_lint *lint,
                              const tmi_lint_numbered *numbered)
{
    uint64_t all = 0;
    memset(sums, 0, TMI_LINT_NUMBERS * sizeof(*sums));
    for (uint32_t index = 1; numbered && index < TM_TILE_INDICES; index++) {
        const tmi_lint_index *tiles = lint->layers[numbered->kind].tiles[index];
        if (!tiles || !numbered->fits((uint8_t)index))
            continue;
        all += tiles->num;
        for (uint32_t n = 0; tiles->numbers && n < TMI_LINT_NUMBERS; n++)
            sums[n] += tiles->numbers[n];
    }
    return all;
}

uint64_t tmi_lint_num_played(const tmi_lint *lint, uint8_t index)
{
    return tmi_lint_num_tiles(lint, TM_LAYER_GAME, index) + tmi_lint_num_tiles(lint, TM_LAYER_FRONT, index);
}

uint64_t tmi_lint_num_spawns(const tmi_lint *lint)
{
    return tmi_lint_num_played(lint, TM_TILE_SPAWN) + tmi_lint_num_played(lint, TM_TILE_SPAWN_RED) +
           tmi_lint_num_played(lint, TM_TILE_SPAWN_BLUE);
}

bool tmi_lint_leads_players(const tmi_lint *lint, uint8_t number)
{
    return tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_IN, number) ||
           tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_IN_EVIL, number);
}

bool tmi_lint_lies_in_freeze(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    const uint8_t game = tmi_lint_index_at(lint, TM_LAYER_GAME, x, run->y),
                  front = tmi_lint_index_at(lint, TM_LAYER_FRONT, x, run->y);
    const bool ends = game == TM_TILE_UNFREEZE || front == TM_TILE_UNFREEZE;
    return !ends &&
           (game == TM_TILE_FREEZE || front == TM_TILE_FREEZE || game == TM_TILE_DEEP_FREEZE ||
            front == TM_TILE_DEEP_FREEZE || game == TM_TILE_LIVE_FREEZE || front == TM_TILE_LIVE_FREEZE);
}

bool tmi_lint_lies_in_wall(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return tmi_lint_is_wall(tmi_lint_game_index(lint, run->kind, x, run->y));
}

tm_address tmi_lint_layer_address(const tmi_lint *lint, tm_layer_kind kind)
{
    const tmi_lint_layer *layer = &lint->layers[kind];
    if (!layer->layer)
        return (tm_address){TM_KIND_MAP, 0, 0};
    return (tm_address){TM_KIND_LAYER, layer->group, layer->index};
}
