/* SPDX-License-Identifier: Zlib */
/*
 * Finds the old content in a grid that was extended, cropped or moved. Likely shifts are tried first: none,
 * the corners and the middle, that of the map. Else small squares that occur only once are searched on the
 * other side, and each one that is found votes for its shift. The shift of the map is that of its first
 * physics layer with content, and all physics layers have it.
 */
#include "match.h"

enum {
    ROWS = 64,              /* are enough to choose by */
    SIDE = 8,               /* elements of a pattern, each way */
    MAX_PATTERNS = 1 << 14, /* about so many are looked at, and twice as many are held */
    NUM_SLOTS = 1 << 16,    /* of their table */
    NUM_WAYS = 1 << 10,     /* of the votes */
    MIN_VOTES = 4
};

/* --------------------------------------------------------------------------------------------- agreement */

static uint64_t grid_area(const tmi_grid *grid, int side)
{
    return (uint64_t)grid->width[side] * grid->height[side];
}

/* The side whose rows are compared: the smaller one, as the other may have been cropped. */
static int smaller_side(const tmi_grid *grid)
{
    return grid_area(grid, TMI_AFTER) < grid_area(grid, TMI_BEFORE) ? TMI_AFTER : TMI_BEFORE;
}

static const uint8_t *grid_row(const tmi_grid *grid, const uint8_t *const bytes[2], int side, int64_t y)
{
    return bytes[side] + (size_t)y * grid->width[side] * grid->size;
}

/*
 * Counts equal elements with the old top left element at (dx, dy), of those that differ from the one on their
 * left: only these say something.
 */
static uint64_t agreement(const tmi_grid *grid, const uint8_t *const bytes[2], int32_t dx, int32_t dy)
{
    const uint32_t size = grid->size;
    const int own = smaller_side(grid);
    const int64_t to_x = own == TMI_BEFORE ? dx : -(int64_t)dx, to_y = own == TMI_BEFORE ? dy : -(int64_t)dy;
    const int64_t step = grid->height[own] / ROWS + 1;
    const int64_t first = (to_x < 0 ? -to_x : 0) + 1, room = (int64_t)grid->width[!own] - to_x;
    const int64_t end = room < grid->width[own] ? room : grid->width[own];
    uint64_t same = 0;
    for (int64_t y = 0; y < grid->height[own]; y += step) {
        if (y + to_y < 0 || y + to_y >= grid->height[!own])
            continue;
        const uint8_t *a = grid_row(grid, bytes, own, y), *b = grid_row(grid, bytes, !own, y + to_y);
        for (int64_t x = first; x < end; x++) {
            const uint8_t *source = a + (size_t)x * size, *target = b + (size_t)(x + to_x) * size;
            same += !tmi_same_element(source, source - size, size) &&
                    tmi_same_element(source, target, size) &&
                    tmi_same_element(source - size, target - size, size);
        }
    }
    return same;
}

/* The highest possible agreement: that of the side with itself. */
static uint64_t most_agreement(const tmi_grid *grid, const uint8_t *const bytes[2])
{
    const int own = smaller_side(grid);
    const tmi_grid doubled = {.width = {grid->width[own], grid->width[own]},
                              .height = {grid->height[own], grid->height[own]},
                              .size = grid->size};
    return agreement(&doubled, (const uint8_t *const[2]){bytes[own], bytes[own]}, 0, 0);
}

/* ------------------------------------------------------------------------------------------------- votes */

typedef struct pattern_slot {
    uint64_t key; /* 0: free */
    int32_t x, y;
    bool twice;
} pattern_slot;

typedef struct way_slot {
    int32_t dx, dy;
    uint32_t votes; /* 0: free */
} way_slot;

typedef struct voting {
    pattern_slot *patterns;
    way_slot *ways;
    uint64_t *rows, *columns; /* of each place: SIDE elements of the last SIDE rows, and all of them */
    uint64_t mask;            /* patterns whose key has other bits here are passed over */
    uint32_t num;
    bool backwards; /* the patterns are those of AFTER */
} voting;

static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 31) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 33;
}

static pattern_slot *find_pattern(const voting *v, uint64_t key)
{
    size_t at = (size_t)(key >> 20) & (NUM_SLOTS - 1);
    while (v->patterns[at].key && v->patterns[at].key != key)
        at = (at + 1) & (NUM_SLOTS - 1);
    return &v->patterns[at];
}

static void keep_pattern(voting *v, uint64_t key, int32_t x, int32_t y)
{
    pattern_slot *slot = find_pattern(v, key);
    if (slot->key)
        slot->twice = true;
    else if (v->num++ < 2 * MAX_PATTERNS)
        *slot = (pattern_slot){key, x, y, false};
}

static void vote_for(voting *v, uint64_t key, int32_t x, int32_t y)
{
    const pattern_slot *slot = find_pattern(v, key);
    if (!slot->key || slot->twice)
        return;
    const int32_t dx = v->backwards ? slot->x - x : x - slot->x;
    const int32_t dy = v->backwards ? slot->y - y : y - slot->y;
    size_t at = (size_t)mix((uint64_t)(uint32_t)dx << 32 | (uint32_t)dy) & (NUM_WAYS - 1);
    for (uint32_t tries = 0; tries < 16; tries++, at = (at + 1) & (NUM_WAYS - 1)) {
        way_slot *way = &v->ways[at];
        if (way->votes && (way->dx != dx || way->dy != dy))
            continue;
        *way = (way_slot){dx, dy, way->votes + 1};
        return;
    }
}

/* A rolling hash: the row that is SIDE rows above is removed by the SIDE-th power of its factor. */
static void walk_patterns(voting *v, const tmi_grid *grid, const uint8_t *const bytes[2], int side,
                          void (*take)(voting *v, uint64_t key, int32_t x, int32_t y))
{
    static const uint64_t across = UINT64_C(0x2545f4914f6cdd1d), down = UINT64_C(0xda942042e4dd58b5);
    const uint32_t width = grid->width[side];
    uint64_t leave = 1;
    for (int i = 0; i < SIDE; i++)
        leave *= down;
    memset(v->columns, 0, width * sizeof(*v->columns));
    memset(v->rows, 0, (size_t)width * SIDE * sizeof(*v->rows));
    for (uint32_t y = 0; y < grid->height[side]; y++) {
        uint64_t *row = v->rows + (size_t)(y % SIDE) * width;
        const uint8_t *element = grid_row(grid, bytes, side, y);
        for (uint32_t x = SIDE - 1; x < width; x++, element += grid->size) {
            uint64_t own = 0, word;
            for (uint32_t i = 0; i < grid->size;
                 i++) { /* SIDE elements have as many words as one has bytes */
                memcpy(&word, element + i * sizeof(word), sizeof(word));
                own = (own ^ word) * across;
            }
            v->columns[x] = v->columns[x] * down - leave * row[x] + own;
            row[x] = own;
            const uint64_t key = mix(v->columns[x]) | 1;
            if (y + 1 >= SIDE && ((key >> 4) & v->mask) == 0)
                take(v, key, (int32_t)x, (int32_t)y);
        }
    }
}

/* Finds the shift with most votes; of several the shortest one. False also if there is no memory. */
static bool vote_on_grid(const tmi_grid *grid, const uint8_t *const bytes[2], const tm_allocator *allocator,
                         int32_t *dx, int32_t *dy)
{
    const int own = smaller_side(grid);
    const uint32_t wide = grid->width[0] > grid->width[1] ? grid->width[0] : grid->width[1];
    voting v = {.backwards = own == TMI_AFTER};
    const way_slot *best = NULL;
    int64_t length = 0;
    tmi_arena arena;
    tmi_arena_init(&arena, allocator);
    const bool made = !tmi_take(&arena, &v.patterns, NUM_SLOTS, sizeof(*v.patterns), NULL) &&
                      !tmi_take(&arena, &v.ways, NUM_WAYS, sizeof(*v.ways), NULL) &&
                      !tmi_take(&arena, &v.rows, (size_t)wide * SIDE, sizeof(*v.rows), NULL) &&
                      !tmi_take(&arena, &v.columns, wide, sizeof(*v.columns), NULL);
    while (grid_area(grid, own) / (v.mask + 1) > MAX_PATTERNS)
        v.mask = v.mask * 2 + 1;
    if (made) { /* the smaller side's patterns all have room */
        walk_patterns(&v, grid, bytes, own, keep_pattern);
        walk_patterns(&v, grid, bytes, !own, vote_for);
    }
    for (size_t i = 0; made && i < NUM_WAYS; i++) {
        const way_slot *way = &v.ways[i];
        const int64_t far = (int64_t)way->dx * way->dx + (int64_t)way->dy * way->dy;
        if (way->votes < MIN_VOTES ||
            (best && (way->votes < best->votes || (way->votes == best->votes && far >= length))))
            continue;
        best = way;
        length = far;
        *dx = way->dx;
        *dy = way->dy;
    }
    tmi_arena_release(&arena);
    return best;
}

/* --------------------------------------------------------------------------------------------- one grid */

static void try_shift(tmi_grid *grid, const uint8_t *const bytes[2], int32_t dx, int32_t dy, uint64_t *best)
{
    const uint64_t same = agreement(grid, bytes, dx, dy);
    if (same <= *best)
        return;
    *best = same;
    grid->dx = dx;
    grid->dy = dy;
}

/* The shift with the highest agreement. Votes are only counted if it is below `enough` percent. */
static uint64_t choose_shift(tmi_grid *grid, const uint8_t *const bytes[2], uint32_t enough,
                             const tm_allocator *allocator)
{
    uint64_t best = agreement(grid, bytes, 0, 0);
    int32_t dx = 0, dy = 0;
    grid->dx = grid->dy = 0;
    const int32_t wide = (int32_t)grid->width[TMI_AFTER] - (int32_t)grid->width[TMI_BEFORE];
    const int32_t high = (int32_t)grid->height[TMI_AFTER] - (int32_t)grid->height[TMI_BEFORE];
    const int32_t xs[] = {0, wide, wide / 2}, ys[] = {0, high, high / 2};
    for (size_t i = 0; tmi_grid_resized(grid) && i < TMI_COUNT_OF(xs) * TMI_COUNT_OF(ys); i++)
        try_shift(grid, bytes, xs[i % TMI_COUNT_OF(xs)], ys[i / TMI_COUNT_OF(xs)], &best);
    if (best * 100 < most_agreement(grid, bytes) * enough && vote_on_grid(grid, bytes, allocator, &dx, &dy))
        try_shift(grid, bytes, dx, dy, &best);
    return best;
}

/* Whether the grid has grown or shrunk like the map. */
static bool grows_like_map(const tmi_shift *shift, const tmi_grid *grid)
{
    return shift && shift->found &&
           grid->width[TMI_AFTER] - grid->width[TMI_BEFORE] ==
               shift->width[TMI_AFTER] - shift->width[TMI_BEFORE] &&
           grid->height[TMI_AFTER] - grid->height[TMI_BEFORE] ==
               shift->height[TMI_AFTER] - shift->height[TMI_BEFORE];
}

void tmi_grid_find_shift(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool physics,
                         const tm_allocator *allocator)
{
    enum { NEARLY_ALL = 90 };
    const bool like_map = grows_like_map(map, grid);
    if (like_map && physics) {
        grid->dx = map->dx;
        grid->dy = map->dy;
        return;
    }
    if (!bytes[0] || !bytes[1])
        return;
    const uint64_t best = choose_shift(grid, bytes, NEARLY_ALL, allocator);
    if (like_map && agreement(grid, bytes, map->dx, map->dy) >= best) {
        grid->dx = map->dx;
        grid->dy = map->dy;
    }
}

bool tmi_grid_was_moved(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool alone,
                        const tm_allocator *allocator)
{
    enum {
        HALF = 50,
        MIN_MOVED = 16
    }; /* that of a moved one is twice what agrees in place, and so much more */
    tmi_grid moved = *grid;
    if (grows_like_map(map, grid) && /* where the map's content is now, it agrees as well as where it was */
        agreement(grid, bytes, map->dx, map->dy) >= agreement(grid, bytes, 0, 0)) {
        grid->dx = map->dx;
        grid->dy = map->dy;
        return map->dx || map->dy;
    }
    if (!alone || choose_shift(&moved, bytes, HALF, allocator) < 2 * agreement(grid, bytes, 0, 0) + MIN_MOVED)
        return false;
    grid->dx = moved.dx;
    grid->dy = moved.dy;
    return moved.dx || moved.dy;
}

/* ------------------------------------------------------------------------------------------------ the map */

/* Small layers stay unpacked, as they are compared next. */
static bool open_layers(tmi_grid *grid, const uint8_t *bytes[2], tmi_match *match, const tm_map *const map[2],
                        const tm_layer *const layer[2])
{
    enum { LARGE = 16 << 20 };
    const tm_block *const block[2] = {layer[0]->as.tiles.tiles, layer[1]->as.tiles.tiles};
    *grid = (tmi_grid){.width = {layer[0]->as.tiles.width, layer[1]->as.tiles.width},
                       .height = {layer[0]->as.tiles.height, layer[1]->as.tiles.height},
                       .size = tm_game_layer(layer[0]->kind)->element_size};
    if (tm_block_get_info(block[0]).size + tm_block_get_info(block[1]).size > match->room ||
        (!tmi_grid_resized(grid) && tmi_block_same_packed(block[0], block[1])))
        return false;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        tm_grid layer_grid;
        if (tmi_borrowed_grid(&match->shift.kept[side], &layer_grid, map[side], layer[side], NULL) ||
            !layer_grid.tiles)
            return false; /* what cannot be unpacked is reported where it is compared */
        bytes[side] = layer_grid.tiles;
        match->shift.large = match->shift.large || block[side]->size > LARGE;
    }
    return true;
}

void tmi_map_shift_end(tmi_match *match)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        tmi_borrowed_close(&match->shift.kept[side]);
}

/* Uses the first physics layer with content. If it has not changed, there is no shift. */
const tmi_shift *tmi_map_shift(tmi_match *match, const tm_map *const map[2])
{
    tmi_shift *shift = &match->shift;
    bool done = !shift->wanted;
    shift->wanted = false;
    for (int kind = TM_LAYER_GAME; kind < TM_LAYER_KINDS && !done; kind++) {
        const tm_layer *const layer[2] = {tm_map_physics_layer(NULL, NULL, map[0], (tm_layer_kind)kind),
                                          tm_map_physics_layer(NULL, NULL, map[1], (tm_layer_kind)kind)};
        const uint8_t *bytes[2];
        tmi_grid grid;
        if (!tm_game_layer((tm_layer_kind)kind)->is_physics || !layer[0] || !layer[1])
            continue;
        if (!open_layers(&grid, bytes, match, map, layer))
            break;
        const bool blank_layer = !most_agreement(&grid, bytes);
        if (tmi_grid_resized(&grid)) /* without agreement all layers stay at the corner */
            shift->found = choose_shift(&grid, bytes, 90, match->allocator) > 0 || !blank_layer;
        else
            shift->found = tmi_grid_was_moved(&grid, bytes, NULL, true, match->allocator);
        shift->dx = grid.dx;
        shift->dy = grid.dy;
        memcpy(shift->width, grid.width, sizeof(shift->width));
        memcpy(shift->height, grid.height, sizeof(shift->height));
        done = !blank_layer || shift->large;
        if (!done)
            tmi_map_shift_end(match);
    }
    if (shift->large)
        tmi_map_shift_end(match);
    return shift->found ? shift : NULL;
}
