/* SPDX-License-Identifier: Zlib */
/*
 * Where players can be: a flood over the tiles of the game layer from all spawns, through teleporters.
 *
 * The flood is an upper bound: it passes every tile that is no wall and no death, whatever hooks, freeze,
 * stoppers, doors and switches do. So players cannot reach a tile that it does not reach. A second flood goes
 * on foot from the spawns: it crosses no start line, freeze, stopper or teleporter, so players really reach
 * its tiles. A third flood, if asked for, opens time checkpoints one by one, always the lowest that it
 * touches: a checkpoint that it opens after a higher one lies behind the higher one on every way.
 *
 * Each flood has one bit per tile, which is set while the tile is free and not yet reached. The pass over the
 * layers and the flood clear bits. Rows are taken span by span, so that wide halls cost little.
 */
#include "lint.h"

enum { WORD = TMI_LINT_WORD, MAX_POINTS = 1 << 18 };

typedef tmi_lint_point point;

/* ---------------------------------------------------------------------------------------------- bits */

static inline uint64_t *row_of_bits(const tmi_lint_reach *reach, uint64_t *bits, uint32_t y)
{
    return &bits[(size_t)y * reach->words];
}

/* from < to. Most spans lie in one word. */
TMI_INLINE void put_bits(uint64_t *row, uint32_t from, uint32_t to, bool set)
{
    const uint32_t last = (to - 1) / WORD;
    uint64_t bits = UINT64_MAX << from % WORD;
    for (uint32_t word = from / WORD;; word++, bits = UINT64_MAX) {
        if (word == last)
            bits &= UINT64_MAX >> (WORD - 1 - (to - 1) % WORD);
        row[word] = set ? row[word] | bits : row[word] & ~bits;
        if (word == last)
            return;
    }
}

/* The first bit from `from` on that is set, or clear; `to` when there is none before that. */
TMI_INLINE uint32_t next_bit(const uint64_t *row, uint32_t from, uint32_t to, bool set)
{
    if (from >= to)
        return to;
    uint32_t word = from / WORD;
    uint64_t bits = (set ? row[word] : ~row[word]) & (UINT64_MAX << from % WORD);
    while (!bits) {
        if (++word * WORD >= to)
            return to;
        bits = set ? row[word] : ~row[word];
    }
    const uint32_t found = word * WORD + tmi_lowest_bit(bits);
    return found < to ? found : to;
}

static bool bit_is_set(const uint64_t *row, uint32_t x)
{
    return row[x / WORD] >> (x % WORD) & 1;
}

/* The first tile of the span of set bits in which x lies. */
static uint32_t begin_of_span(const uint64_t *row, uint32_t x)
{
    uint32_t word = x / WORD;
    uint64_t clear = ~row[word] & ((UINT64_C(1) << x % WORD) - 1);
    while (!clear && word)
        clear = ~row[--word];
    return clear ? word * WORD + tmi_highest_bit(clear) + 1 : 0;
}

/* ------------------------------------------------------------------------------------------ making it */

static uint64_t *new_bits(tmi_lint *lint, const tmi_lint_reach *reach)
{
    return tmi_lint_alloc(lint, (size_t)reach->words * reach->height, sizeof(uint64_t));
}

/* Sets the bits of all tiles that are not barred. */
static void set_open(const tmi_lint_reach *reach, uint64_t *bits)
{
    for (size_t i = 0; i < (size_t)reach->words * reach->height; i++)
        bits[i] = ~reach->barred[i];
}

void tmi_lint_reach_begin(tmi_lint *lint)
{
    static const tm_layer_kind others[] = {TM_LAYER_FRONT, TM_LAYER_TELE};
    const tm_grid *game = &lint->layers[TM_LAYER_GAME].grid;
    if (!game->tiles || !game->width || !game->height)
        return;
    for (size_t i = 0; i < TMI_COUNT_OF(others); i++) {
        const tm_grid *grid = &lint->layers[others[i]].grid;
        /* layers of other widths would need other indices, and are very rare */
        if (grid->tiles && (grid->width != game->width || grid->height != game->height))
            return;
    }
    tmi_lint_reach *reach = tmi_lint_alloc(lint, 1, sizeof(*reach));
    if (!reach)
        return;
    reach->width = game->width;
    reach->height = game->height;
    reach->words = game->width / WORD + (game->width % WORD != 0);
    lint->reach = reach;
    reach->open = new_bits(lint, reach);
    reach->on_foot = new_bits(lint, reach);
    reach->marks = new_bits(lint, reach);
    reach->barred = new_bits(lint, reach);
    /* Bits of the last words for which there are no tiles. */
    const uint64_t rest = reach->width % WORD ? UINT64_MAX << reach->width % WORD : 0;
    for (uint32_t y = 0; reach->barred && y < reach->height; y++)
        row_of_bits(reach, reach->barred, y)[reach->words - 1] = rest;
}

/* ------------------------------------------------------------------------------------- what tiles mean */

static bool bars_everybody(tm_layer_kind kind, uint8_t index)
{
    return (kind == TM_LAYER_GAME && tmi_lint_is_wall(index)) ||
           (kind != TM_LAYER_TELE && index == TM_TILE_DEATH);
}

static bool takes_away(uint8_t index)
{
    return index == TM_TILE_TELE_IN || index == TM_TILE_TELE_IN_EVIL || index == TM_TILE_TELE_CHECKPOINT_IN ||
           index == TM_TILE_TELE_CHECKPOINT_IN_EVIL;
}

/* Whether a tile stops a flood on foot: it bars everybody, or changes how a tee moves. */
static bool bars_walkers(tm_layer_kind kind, uint8_t index)
{
    if (kind == TM_LAYER_TELE)
        return takes_away(index);
    return index == TM_TILE_FREEZE || index == TM_TILE_DEEP_FREEZE || index == TM_TILE_LIVE_FREEZE ||
           index == TM_TILE_START || (index >= TM_TILE_STOPPER && index <= TM_TILE_STOPPER_ALL);
}

static bool is_line(uint8_t index)
{
    return index >= TM_TILE_START && index <= TM_TILE_TIME_CHECKPOINT_25;
}

static bool is_place_to_spawn(uint8_t index)
{
    return index >= TM_TILE_SPAWN && index <= TM_TILE_SPAWN_BLUE;
}

enum { BARS = 1, BARS_WALKERS = 2, POINT = 4, GIVES_GUN = 8 }; /* roles */

uint8_t tmi_lint_reach_role(tm_layer_kind kind, uint8_t index)
{
    if (kind != TM_LAYER_GAME && kind != TM_LAYER_FRONT && kind != TM_LAYER_TELE)
        return 0;
    const bool tele = kind == TM_LAYER_TELE, is_point = tele || is_line(index) || is_place_to_spawn(index);
    const bool gun = index == TM_TILE_TELE_GUN_ENABLE || index == TM_TILE_TELE_GRENADE_ENABLE ||
                     index == TM_TILE_TELE_LASER_ENABLE;
    return (uint8_t)((bars_everybody(kind, index) ? BARS : 0) |
                     (bars_walkers(kind, index) ? BARS_WALKERS : 0) | (is_point ? POINT : 0) |
                     (gun && !tele ? GIVES_GUN : 0));
}

void tmi_lint_reach_see(tmi_lint *lint, const tmi_lint_run *run, uint8_t role)
{
    tmi_lint_reach *reach = lint->reach;
    if (role & BARS)
        put_bits(row_of_bits(reach, reach->barred, run->y), run->x0, run->x1, true);
    else if (role & BARS_WALKERS) /* on_foot has what is barred until the floods begin */
        put_bits(row_of_bits(reach, reach->on_foot, run->y), run->x0, run->x1, true);
    /* With teleport guns, players pass death tiles and use exits of shots: reach is unknown. */
    const bool is_point = role & POINT, full = reach->num_points >= MAX_POINTS;
    reach->unknown |= (is_point && full) || role & GIVES_GUN;
    if (!is_point || full)
        return;
    const bool tele = run->kind == TM_LAYER_TELE;
    const uint8_t number = tele ? tmi_lint_run_number(run) : 0;
    const tm_status status = tmi_grow(lint->allocator, &reach->points, &reach->max_points,
                                      reach->num_points + 1, sizeof(*reach->points), lint->error);
    if (status) {
        tmi_lint_fail(lint, status);
        return;
    }
    put_bits(row_of_bits(reach, reach->marks, run->y), run->x0, run->x1, true);
    reach->points[reach->num_points++] = (point){run->x0, run->x1, run->y, tele, run->index, number, false};
}

/* ------------------------------------------------------------------------------------------- the flood */

typedef struct seed {
    uint32_t x, y;
} seed;

struct flood {
    tmi_lint *lint;
    tmi_lint_reach *reach;
    uint64_t *open;
    bool teleports;
    bool in_order, opened[TM_TILE_INDICES], entered[TM_TILE_INDICES]; /* time checkpoints, one by one */
    bool checkpoints[TMI_LINT_NUMBERS];                               /* of teleporters: reached */
    bool used[TMI_LINT_NUMBERS], checkpoints_used[TMI_LINT_NUMBERS];  /* whose exits have been seeds */
    bool returns;        /* a teleporter back to checkpoints was reached */
    bool line, old_ways; /* this spawn reached a start or a finish, or where others have been */
    seed *seeds;
    size_t num_seeds, max_seeds;
};

static void add_seed(struct flood *flood, uint32_t x, uint32_t y)
{
    tmi_lint *lint = flood->lint;
    const tm_status status = tmi_grow(lint->allocator, &flood->seeds, &flood->max_seeds, flood->num_seeds + 1,
                                      sizeof(*flood->seeds), lint->error);
    if (status)
        tmi_lint_fail(lint, status);
    else
        flood->seeds[flood->num_seeds++] = (seed){x, y};
}

/* Adds a spawn or an exit as a seed. On a closed time checkpoint, it counts when the checkpoint opens. */
static void enter_at(struct flood *flood, uint32_t x, uint32_t y)
{
    add_seed(flood, x, y);
    if (!flood->in_order)
        return;
    flood->entered[tmi_lint_index_at(flood->lint, TM_LAYER_GAME, x, y)] = true;
    flood->entered[tmi_lint_index_at(flood->lint, TM_LAYER_FRONT, x, y)] = true;
}

static void add_exits(struct flood *flood, uint8_t index, uint8_t number)
{
    for (size_t i = 0; i < flood->reach->num_points; i++) {
        const point *exit = &flood->reach->points[i];
        if (!exit->tele || exit->index != index || exit->number != number)
            continue;
        for (uint32_t x = exit->x0; x < exit->x1; x++)
            enter_at(flood, x, exit->y);
    }
}

/* Floods from the exits of all reached checkpoints; one without exits uses those of the next lower one. */
static void follow_returns(struct flood *flood)
{
    for (uint32_t n = 1; flood->returns && n < TMI_LINT_NUMBERS; n++) {
        uint32_t to = n;
        if (!flood->checkpoints[n] || flood->checkpoints_used[n])
            continue;
        flood->checkpoints_used[n] = true;
        while (to &&
               !tmi_lint_num_numbered(flood->lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT, (uint8_t)to))
            to--;
        if (to)
            add_exits(flood, TM_TILE_TELE_CHECKPOINT_OUT, (uint8_t)to);
    }
}

static void touch_tele(struct flood *flood, uint32_t x, uint32_t y)
{
    const tm_tele_tile *tiles = flood->lint->layers[TM_LAYER_TELE].grid.tiles;
    if (!tiles)
        return;
    const tm_tele_tile tile = tiles[(size_t)y * flood->reach->width + x];
    if (tile.type == TM_TILE_TELE_IN || tile.type == TM_TILE_TELE_IN_EVIL) {
        flood->old_ways |= flood->used[tile.number];
        if (tile.number && !flood->used[tile.number])
            add_exits(flood, TM_TILE_TELE_OUT, tile.number);
        flood->used[tile.number] = true;
    } else if (takes_away(tile.type)) {
        flood->old_ways |= flood->returns;
        if (flood->returns)
            return;
        flood->returns = true;
        follow_returns(flood);
    } else if (tile.type == TM_TILE_TELE_CHECKPOINT && !flood->checkpoints[tile.number]) {
        flood->checkpoints[tile.number] = true;
        follow_returns(flood);
    }
}

static void flood_seeds(struct flood *flood)
{
    const tmi_lint_reach *reach = flood->reach;
    while (flood->num_seeds && !flood->lint->status) {
        const seed start = flood->seeds[--flood->num_seeds];
        uint64_t *row = row_of_bits(reach, flood->open, start.y);
        if (!bit_is_set(row, start.x))
            continue;
        const uint32_t x0 = begin_of_span(row, start.x), x1 = next_bit(row, start.x, reach->width, false);
        put_bits(row, x0, x1, false);
        const uint64_t *marks = row_of_bits(reach, reach->marks, start.y);
        for (uint32_t x = flood->teleports ? next_bit(marks, x0, x1, true) : x1; x < x1;
             x = next_bit(marks, x + 1, x1, true)) {
            flood->line |= is_line(tmi_lint_index_at(flood->lint, TM_LAYER_GAME, x, start.y)) ||
                           is_line(tmi_lint_index_at(flood->lint, TM_LAYER_FRONT, x, start.y));
            touch_tele(flood, x, start.y);
        }
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t y = side ? start.y + 1 : start.y - 1;
            if (y >= reach->height) /* also -1 */
                continue;
            row = row_of_bits(reach, flood->open, y);
            for (uint32_t x = next_bit(row, x0, x1, true); x < x1;
                 x = next_bit(row, next_bit(row, x, x1, false), x1, true))
                add_seed(flood, x, y);
        }
    }
}

static void end_flood(struct flood *flood)
{
    tmi_free(flood->lint->allocator, flood->seeds, flood->max_seeds, sizeof(*flood->seeds));
}

/* Floods from each spawn separately, to find spawns that lead nowhere. */
static void flood_from_spawns(struct flood *flood)
{
    tmi_lint_reach *reach = flood->reach;
    for (size_t i = 0; i < reach->num_points && !flood->lint->status; i++) {
        point *spawn = &reach->points[i];
        if (spawn->tele || !is_place_to_spawn(spawn->index))
            continue;
        flood->line = flood->old_ways = false;
        const bool fresh = bit_is_set(row_of_bits(reach, flood->open, spawn->y), spawn->x0);
        for (uint32_t x = spawn->x0; x < spawn->x1; x++)
            enter_at(flood, x, spawn->y);
        flood_seeds(flood);
        if (flood->teleports && !flood->in_order)
            spawn->cut_off = fresh && !flood->line && !flood->old_ways;
    }
}

static bool is_barred(const tmi_lint *lint, uint32_t x, uint32_t y, bool (*bars)(tm_layer_kind, uint8_t))
{
    return bars(TM_LAYER_GAME, tmi_lint_index_at(lint, TM_LAYER_GAME, x, y)) ||
           bars(TM_LAYER_FRONT, tmi_lint_index_at(lint, TM_LAYER_FRONT, x, y)) ||
           bars(TM_LAYER_TELE, tmi_lint_index_at(lint, TM_LAYER_TELE, x, y));
}

/* Whether players get there. Bits are clear where the flood has been, and where players cannot be. */
static bool is_reached(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const tmi_lint_reach *reach = lint->reach;
    return !bit_is_set(row_of_bits(reach, reach->open, y), x) && !is_barred(lint, x, y, bars_everybody);
}

/* Whether they get there without a start line, freeze or a teleporter, which bar walkers. */
static bool is_reached_on_foot(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const tmi_lint_reach *reach = lint->reach;
    return !bit_is_set(row_of_bits(reach, reach->on_foot, y), x) && !is_barred(lint, x, y, bars_everybody) &&
           !is_barred(lint, x, y, bars_walkers);
}

bool tmi_lint_reach_walks_at(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    return is_reached(lint, x, y) && !is_barred(lint, x, y, bars_walkers);
}

static void record_lines(const tmi_lint *lint, tmi_lint_reach *reach)
{
    for (size_t i = 0; i < reach->num_points; i++) {
        const point *tiles = &reach->points[i];
        for (uint32_t x = tiles->x0; !tiles->tele && is_line(tiles->index) && x < tiles->x1; x++) {
            reach->lines[tiles->index] |= is_reached(lint, x, tiles->y);
            reach->finish_on_foot += tiles->index == TM_TILE_FINISH && is_reached_on_foot(lint, x, tiles->y);
        }
    }
}

void tmi_lint_reach_flood(tmi_lint *lint)
{
    tmi_lint_reach *reach = lint->reach;
    if (!reach || reach->unknown || lint->blind)
        return;
    set_open(reach, reach->open);
    for (size_t i = 0; i < (size_t)reach->words * reach->height; i++)
        reach->on_foot[i] = reach->open[i] & ~reach->on_foot[i];
    struct flood by_all = {.lint = lint, .reach = reach, .open = reach->open, .teleports = true};
    flood_from_spawns(&by_all);
    end_flood(&by_all);
    memcpy(reach->checkpoints, by_all.checkpoints, sizeof(reach->checkpoints));
    memcpy(reach->teleporters, by_all.used, sizeof(reach->teleporters));
    struct flood on_foot = {.lint = lint, .reach = reach, .open = reach->on_foot};
    if (!lint->status)
        flood_from_spawns(&on_foot);
    end_flood(&on_foot);
    record_lines(lint, reach);
    reach->known = !lint->status;
}

/* ------------------------------------------------------------------------ time checkpoints in their order */

static bool is_time_checkpoint(uint8_t index)
{
    return index >= TM_TILE_TIME_CHECKPOINT_1 && index <= TM_TILE_TIME_CHECKPOINT_25;
}

/* Whether the game or front layer has a time checkpoint here that the flood has not opened. */
static bool is_closed(const struct flood *flood, uint32_t x, uint32_t y)
{
    const uint8_t game = tmi_lint_index_at(flood->lint, TM_LAYER_GAME, x, y),
                  front = tmi_lint_index_at(flood->lint, TM_LAYER_FRONT, x, y);
    return (is_time_checkpoint(game) && !flood->opened[game]) ||
           (is_time_checkpoint(front) && !flood->opened[front]);
}

/* Whether the flood came to a tile next to this one. */
static bool is_touched(const struct flood *flood, uint32_t x, uint32_t y)
{
    static const int8_t beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const tmi_lint_reach *reach = flood->reach;
    for (size_t i = 0; i < TMI_COUNT_OF(beside); i++) {
        const int64_t to_x = (int64_t)x + beside[i][0], to_y = (int64_t)y + beside[i][1];
        if (to_x < 0 || to_y < 0 || to_x >= reach->width || to_y >= reach->height)
            continue;
        const uint32_t x1 = (uint32_t)to_x, y1 = (uint32_t)to_y;
        if (!bit_is_set(row_of_bits(reach, flood->open, y1), x1) &&
            !bit_is_set(row_of_bits(reach, reach->barred, y1), x1) &&
            !is_closed(flood, x1, y1)) /* bits of closed time checkpoints are clear, too */
            return true;
    }
    return false;
}

/*
 * Opens all tiles of a time checkpoint, also those far from the flood, as the game counts them as one line;
 * then floods from those that it touches.
 */
static void open_checkpoint(struct flood *flood, uint8_t index)
{
    const tmi_lint_reach *reach = flood->reach;
    flood->opened[index] = true;
    for (size_t i = 0; i < reach->num_points; i++) {
        const point *tiles = &reach->points[i];
        for (uint32_t x = tiles->x0; !tiles->tele && tiles->index == index && x < tiles->x1; x++) {
            if (is_closed(flood, x, tiles->y) || bit_is_set(row_of_bits(reach, reach->barred, tiles->y), x))
                continue;
            if (flood->entered[index] || is_touched(flood, x, tiles->y))
                add_seed(flood, x, tiles->y);
            put_bits(row_of_bits(reach, flood->open, tiles->y), x, x + 1, true);
        }
    }
    flood_seeds(flood);
}

/* The lowest time checkpoint that the flood touches and has not opened; 0: there is none. */
static uint8_t next_checkpoint(const struct flood *flood)
{
    for (uint8_t index = TM_TILE_TIME_CHECKPOINT_1; index <= (uint8_t)TM_TILE_TIME_CHECKPOINT_25; index++) {
        if (flood->opened[index])
            continue;
        bool touched = flood->entered[index];
        for (size_t i = 0; i < flood->reach->num_points && !touched; i++) {
            const point *tiles = &flood->reach->points[i];
            const bool fits = !tiles->tele && tiles->index == index;
            for (uint32_t x = tiles->x0; fits && x < tiles->x1 && !touched; x++)
                touched = is_touched(flood, x, tiles->y);
        }
        if (touched)
            return index;
    }
    return 0;
}

void tmi_lint_reach_order(tmi_lint *lint, bool late[TM_TILE_INDICES])
{
    tmi_lint_reach *reach = lint->reach;
    struct flood flood = {.lint = lint, .reach = reach, .teleports = true, .in_order = true};
    uint8_t index, highest = 0;
    flood.open = new_bits(lint, reach);
    if (!flood.open)
        return;
    set_open(reach, flood.open);
    for (size_t i = 0; i < reach->num_points; i++) { /* the flood stops at time checkpoints */
        const point *tiles = &reach->points[i];
        if (!tiles->tele && is_time_checkpoint(tiles->index))
            put_bits(row_of_bits(reach, flood.open, tiles->y), tiles->x0, tiles->x1, false);
    }
    flood_from_spawns(&flood);
    while (!lint->status && (index = next_checkpoint(&flood))) {
        late[index] = index < highest;
        highest = index > highest ? index : highest;
        open_checkpoint(&flood, index);
    }
    end_flood(&flood);
}
