/* SPDX-License-Identifier: Zlib */
/*
 * Compares grids: tiles of a layer, or pixels of an image. Different elements are kept as runs in rows, in
 * positions BEFORE. Outside of a side its elements are zero, so that the new empty tiles of a layer that grew
 * are no differences. Runs that are close together make a region.
 */
#include "patch.h"

/* ----------------------------------------------------------------------------------------------- the walk */

typedef struct grid_walk {
    const uint8_t *bytes[2]; /* NULL: all zero */
    tmi_grid *grid;
    tmi_grid_run *runs; /* found by now; moved to the patch when all are known */
    size_t capacity;
    uint64_t room; /* bytes that runs may take */
    const tm_allocator *allocator;
    tm_error *error;
} grid_walk;

typedef struct row_part {
    int32_t first, end;   /* in places BEFORE; empty where first >= end */
    const uint8_t *bytes; /* of `first` */
} row_part;

static const uint8_t nothing[16]; /* an element that a side does not have */

/* The part of row y that a side has. */
static row_part part_of_row(const grid_walk *w, int side, int32_t y)
{
    const tm_rect rect = tmi_grid_rect(w->grid, side);
    if (y < rect.y || y >= tmi_bottom(&rect) || !w->bytes[side])
        return (row_part){0, 0, nothing};
    return (row_part){rect.x, (int32_t)tmi_right(&rect),
                      w->bytes[side] + (size_t)(y - rect.y) * rect.width * w->grid->size};
}

static const uint8_t *element_in(const row_part *part, int32_t x, uint32_t size)
{
    return x >= part->first && x < part->end ? part->bytes + (size_t)(x - part->first) * size : nothing;
}

/* The memory of the runs: elements of both sides, and the runs while they are found and when kept. */
static uint64_t bytes_of_runs(const tmi_grid *grid)
{
    return grid->num * grid->size * 2 + (uint64_t)grid->num_runs * sizeof(tmi_grid_run) * 3;
}

/* Adds a run of elements that differ, if the memory of the runs has room for it. */
static tm_status add_run(grid_walk *w, int32_t x, int32_t y, uint32_t num)
{
    tmi_grid *grid = w->grid;
    if (bytes_of_runs(grid) > w->room)
        return tmi_fail(w->error, TM_ERROR_LIMIT, -1,
                        "%llu elements differ and more; such may take %llu bytes of memory",
                        (unsigned long long)grid->num, (unsigned long long)w->room);
    TM_TRY(tmi_grow(w->allocator, &w->runs, &w->capacity, (size_t)grid->num_runs + 1, sizeof(*w->runs),
                    w->error));
    w->runs[grid->num_runs++] = (tmi_grid_run){x, y, num, grid->num};
    grid->num += num;
    return TM_OK;
}

/* The first element from x on that differs; at most `end`, or where a side begins or ends. */
static int32_t skip_same(const row_part part[2], int32_t x, int32_t end, uint32_t size)
{
    enum { STRIDE = 64 };
    static const uint8_t zeros[STRIDE * sizeof(nothing)];
    const uint8_t *cursor[2];
    size_t step[2]; /* bytes from an element to the next; 0: the side has none */
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const row_part *row = &part[side];
        const bool there = x >= row->first && x < row->end;
        const int32_t edge = there ? row->end : row->first > x ? row->first : end;
        end = edge < end ? edge : end;
        cursor[side] = there ? element_in(row, x, size) : zeros;
        step[side] = there ? size : 0;
    }
    for (; end - x >= STRIDE && memcmp(cursor[0], cursor[1], (size_t)STRIDE * size) == 0; x += STRIDE) {
        cursor[0] += STRIDE * step[0];
        cursor[1] += STRIDE * step[1];
    }
    for (; x < end && tmi_same_element(cursor[0], cursor[1], size); x++) {
        cursor[0] += step[0];
        cursor[1] += step[1];
    }
    return x;
}

/* Compares what either side has of a row: elements that the other lacks are zero. */
static tm_status walk_row(grid_walk *w, int32_t y)
{
    const uint32_t size = w->grid->size;
    const row_part part[2] = {part_of_row(w, TMI_BEFORE, y), part_of_row(w, TMI_AFTER, y)};
    const bool left = part[0].first < part[0].end, right = part[1].first < part[1].end;
    if (left && right && part[0].first == part[1].first && part[0].end == part[1].end &&
        memcmp(part[0].bytes, part[1].bytes, (size_t)(part[0].end - part[0].first) * size) == 0)
        return TM_OK;
    const int32_t first = part[left && (!right || part[0].first < part[1].first) ? 0 : 1].first;
    const int32_t end = part[left && (!right || part[0].end > part[1].end) ? 0 : 1].end;
    for (int32_t x = first; x < end;) {
        const int32_t start = x; /* of a run that differs */
        while (x < end &&
               !tmi_same_element(element_in(&part[0], x, size), element_in(&part[1], x, size), size))
            x++;
        if (x > start)
            TM_TRY(add_run(w, start, y, (uint32_t)(x - start)));
        x = skip_same(part, x, end, size);
    }
    return TM_OK;
}

static tm_status walk_rows(grid_walk *w)
{
    const tm_rect before = tmi_grid_rect(w->grid, TMI_BEFORE), after = tmi_grid_rect(w->grid, TMI_AFTER);
    const tm_rect bounds = tmi_rect_around(&before, &after);
    w->grid->num_runs = 0;
    w->grid->num = 0;
    for (int32_t y = bounds.y; y < tmi_bottom(&bounds); y++)
        TM_TRY(walk_row(w, y));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ regions */

/*
 * Runs are one region if they touch the same square of the grid, or squares that touch. Such squares have a
 * common corner, so the corners of all squares that a run touches are joined: a tree of them is a region.
 */
typedef struct region_corner {
    uint32_t parent; /* a root has itself */
    tm_region box;   /* of a root: the runs of its tree */
} region_corner;

typedef struct region_table {
    tmi_intern places; /* of corners, in squares */
    region_corner *corners;
    size_t capacity;
} region_table;

static void add_box(tm_region *sum, const tm_region *box)
{
    sum->rect = tmi_rect_around(&sum->rect, &box->rect);
    sum->num += box->num;
}

static tm_status put_run(region_table *table, const tmi_grid_run *run, uint32_t shift, tm_error *error)
{
    const int32_t first = run->x >> shift, last = (run->x + (int32_t)run->num - 1) >> shift;
    uint32_t root = 0, at;
    for (int32_t i = 0; i < 2 * (last - first + 2); i++) {
        const int32_t place[2] = {first + i / 2, (run->y >> shift) + i % 2};
        const uint32_t num = table->places.num;
        TM_TRY(tmi_intern_put(&at, &table->places, place, error));
        if (at == num) {
            TM_TRY(tmi_grow(table->places.allocator, &table->corners, &table->capacity, table->places.num,
                            sizeof(*table->corners), error));
            table->corners[at] = (region_corner){.parent = at};
        }
        for (; table->corners[at].parent != at; at = table->corners[at].parent) /* to the root */
            table->corners[at].parent = table->corners[table->corners[at].parent].parent;
        if (i && at != root) {
            add_box(&table->corners[at].box, &table->corners[root].box);
            table->corners[root].parent = at;
        }
        root = at;
    }
    add_box(&table->corners[root].box, &(tm_region){{run->x, run->y, run->num, 1}, run->num});
    return TM_OK;
}

/* By their corners, then by their sizes, so that each qsort gives the same order. */
static int by_corner(const void *a, const void *b)
{
    const tm_region *x = a, *y = b;
    if (x->rect.x != y->rect.x || x->rect.y != y->rect.y)
        return tmi_rect_before(&x->rect, &y->rect) ? -1 : 1;
    if (x->rect.height != y->rect.height)
        return x->rect.height < y->rect.height ? -1 : 1;
    if (x->rect.width != y->rect.width)
        return x->rect.width < y->rect.width ? -1 : 1;
    return (x->num > y->num) - (x->num < y->num);
}

/* Makes the regions of a grid of the roots of the table. */
static tm_status list_regions(tm_patch *patch, tmi_grid *grid, const region_table *table, tm_error *error)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < table->places.num; i++)
        num += table->corners[i].parent == i;
    TM_TRY(tmi_patch_alloc(patch, &grid->regions, num, sizeof(*grid->regions), error));
    for (uint32_t i = 0; i < table->places.num; i++)
        if (table->corners[i].parent == i)
            grid->regions[grid->num_regions++] = table->corners[i].box;
    if (num)
        qsort(grid->regions, num, sizeof(*grid->regions), by_corner);
    return TM_OK;
}

/* How many squares the runs touch, those of each run by itself. */
static uint64_t count_squares(const tmi_grid *grid, uint32_t shift)
{
    uint64_t num = 0;
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const int32_t x = grid->runs[r].x, last = x + (int32_t)grid->runs[r].num - 1;
        num += (uint64_t)((last >> shift) - (x >> shift)) + 1;
    }
    return num;
}

tm_status tmi_grid_find_regions(tm_patch *patch, tmi_grid *grid, tm_error *error)
{
    const tm_allocator *allocator = tmi_patch_allocator(patch);
    region_table table = {.places = {.allocator = allocator, .key_size = 2 * sizeof(int32_t)}};
    uint32_t shift = 2; /* squares of 4 x 4: tiles up to 7 apart belong together */
    tm_status status = TM_OK;
    grid->num_regions = 0;
    grid->regions = NULL;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const tm_rect bounds = tmi_grid_rect(grid, side);
        grid->outside[side] = 0;
        for (uint32_t r = 0; r < grid->num_runs; r++) {
            const tmi_grid_run *run = &grid->runs[r];
            const tm_rect row = {run->x, run->y, run->num, 1};
            grid->outside[side] += run->num - tmi_rect_common(&row, &bounds).width;
        }
    }
    while (shift < 12 && count_squares(grid, shift) > 1 << 20)
        shift++; /* large squares for very many differences */
    for (uint32_t r = 0; r < grid->num_runs && !status; r++)
        status = put_run(&table, &grid->runs[r], shift, error);
    status = status ? status : list_regions(patch, grid, &table, error);
    tmi_intern_release(&table.places);
    tmi_free(allocator, table.corners, table.capacity, sizeof(*table.corners));
    return status;
}

/* ------------------------------------------------------------------------------------------------ changes */

/* Adds the runs that were found as a change of the current object, with the elements of both sides. */
static tm_status add_grid_change(tmi_differ *differ, tm_kind owner, const tm_field *field, grid_walk *w)
{
    const tmi_grid *found = w->grid;
    tm_patch *patch = differ->patch;
    tmi_delta *delta;
    tmi_grid *grid;
    TM_TRY(tmi_grid_new(patch, &grid, found, found->num_runs, (size_t)found->num, differ->error));
    TM_TRY(tmi_differ_add(differ, &delta, TMI_DELTA_GRID, owner, field));
    delta->grid = w->grid = grid;
    grid->num = found->num;
    grid->num_runs = found->num_runs;
    patch->told += bytes_of_runs(grid);
    if (w->runs)
        memcpy(grid->runs, w->runs, grid->num_runs * sizeof(*grid->runs));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        for (uint32_t r = 0; r < grid->num_runs; r++) {
            const tmi_grid_run *run = &grid->runs[r];
            const row_part part = part_of_row(w, side, run->y);
            uint8_t *target = grid->bytes[side] + (size_t)run->first * grid->size;
            const bool whole = run->x >= part.first && (int64_t)run->x + run->num <= part.end;
            if (whole)
                memcpy(target, element_in(&part, run->x, grid->size), (size_t)run->num * grid->size);
            for (uint32_t i = 0; i < run->num && !whole; i++, target += grid->size) /* outside it is zero */
                memcpy(target, element_in(&part, run->x + (int32_t)i, grid->size), grid->size);
        }
    TM_TRY(tmi_grid_find_regions(patch, grid, differ->error));
    if (!differ->layer || tmi_grid_reshaped(grid) || !w->bytes[TMI_BEFORE] || !w->bytes[TMI_AFTER])
        return TM_OK;
    return tmi_grid_find_around(patch, grid, w->bytes, differ->error);
}

/* A move is looked for only if so many elements differ. */
enum { FEW_TILES = 16, MANY_TILES = 256, PART_OF_GRID = 32 };

static bool in_physics(const tmi_differ *differ)
{
    return differ->layer && tm_game_layer(differ->layer->kind)->is_physics;
}

bool tmi_blank_went_along(const tmi_differ *differ, tmi_grid *grid)
{
    const tmi_shift *map = in_physics(differ) ? tmi_map_shift(&differ->patch->match, differ->map) : NULL;
    tmi_borrowed loan;
    if (!map || (!map->dx && !map->dy) || memcmp(map->width, grid->width, sizeof(grid->width)) != 0 ||
        memcmp(map->height, grid->height, sizeof(grid->height)) != 0 ||
        tmi_borrowed_open(&loan, differ->map[TMI_BEFORE], differ->layer->as.tiles.tiles, NULL))
        return false;
    const bool blank = loan.size && tmi_all_zero(loan.bytes, (size_t)loan.size);
    tmi_borrowed_close(&loan);
    if (!blank)
        return false;
    grid->dx = map->dx;
    grid->dy = map->dy;
    return true;
}

/* Looks for a move of a layer that kept its size. It is kept if fewer elements differ then. */
static tm_status walk_moved(tmi_differ *differ, grid_walk *w)
{
    const tmi_grid *grid = w->grid;
    const bool alone =
        grid->num >= MANY_TILES && grid->num >= (uint64_t)grid->width[0] * grid->height[0] / PART_OF_GRID;
    const tmi_shift *map = grid->num >= FEW_TILES || differ->patch->match.shift.found
                               ? tmi_map_shift(&differ->patch->match, differ->map)
                               : NULL;
    const uint64_t num = grid->num;
    if ((!map && !alone) || !tmi_grid_was_moved(w->grid, w->bytes, map, alone, w->allocator))
        return TM_OK;
    TM_TRY(walk_rows(w));
    if (grid->num < num || (map && grid->dx == map->dx && grid->dy == map->dy))
        return TM_OK;
    w->grid->dx = w->grid->dy = 0;
    return walk_rows(w);
}

tm_status tmi_diff_grid(tmi_differ *differ, tm_kind owner, const tm_field *field, const tmi_grid *shape,
                        const uint8_t *const bytes[2])
{
    tmi_grid found = *shape;
    const uint64_t all = differ->patch->match.arena.most, held = tmi_patch_held(differ->patch),
                   told = differ->patch->told > held ? differ->patch->told : held;
    grid_walk w = {.bytes = {bytes[0], bytes[1]},
                   .grid = &found,
                   .room = all > told ? all - told : 0,
                   .allocator = tmi_patch_allocator(differ->patch),
                   .error = differ->error};
    tm_status status = TM_OK;
    if (found.size > sizeof(nothing) || found.width[0] > INT32_MAX / 4 || found.width[1] > INT32_MAX / 4 ||
        found.height[0] > INT32_MAX / 4 || found.height[1] > INT32_MAX / 4)
        return tmi_fail(differ->error, TM_ERROR_LIMIT, -1, "the grid is too large to be compared");
    const bool resized = tmi_grid_resized(&found);
    const bool physics = in_physics(differ);
    if (resized)
        tmi_grid_find_shift(&found, bytes, tmi_map_shift(&differ->patch->match, differ->map), physics,
                            w.allocator);
    if (bytes[0] || bytes[1])
        status = walk_rows(&w);
    if (!status && !resized && differ->layer && bytes[0] && bytes[1] && found.num)
        status = walk_moved(differ, &w);
    else if (!status && !resized && physics && field->flags & TM_FIELD_ELEMENTS && !found.num)
        tmi_blank_went_along(differ, &found);
    if (!status && (found.num || tmi_grid_reshaped(&found)))
        status = add_grid_change(differ, owner, field, &w);
    tmi_free(w.allocator, w.runs, w.capacity, sizeof(*w.runs));
    return status;
}
