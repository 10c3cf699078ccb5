/* SPDX-License-Identifier: Zlib */
/*
 * Tiles of a layer, or pixels of an image, that both sides have changed: each one for itself, all in the
 * places of the base. The four edges of a layer are merged as any value is. A tile that one side changed
 * where the other cut the layer off is a conflict, too.
 */
#include "merge_maps.h"

typedef struct grid_merge {
    tmi_merge *m;
    const tmi_merge_object *of;
    const tmi_delta *delta[2];
    tmi_grid own[2]; /* those of the changes, perhaps with another shift */
    tmi_rect rect, side_rect[2];
    uint32_t size; /* bytes of an element */
    uint8_t *bytes;
    tm_resolution take;
    tmi_grid *left; /* where neither could be had: bytes[0] are ours, bytes[1] theirs */
    size_t capacity, bytes_capacity[2];
    bool open;
    bool brought, told; /* something of theirs is in the result; a conflict was told */
} grid_merge;

static const uint8_t nothing[16];

/* -------------------------------------------------------------------------------------------------- edges */

tmi_rect tmi_rect_of_grid(const tmi_grid *grid, int which)
{
    const int64_t dx = which == TMI_AFTER ? grid->dx : 0, dy = which == TMI_AFTER ? grid->dy : 0;
    return (tmi_rect){-dx, -dy, (int64_t)grid->width[which] - dx, (int64_t)grid->height[which] - dy};
}

bool tmi_same_rect(const tmi_rect *a, const tmi_rect *b)
{
    return a->left == b->left && a->top == b->top && a->right == b->right && a->bottom == b->bottom;
}

/* Where an edge goes; `outwards` is the direction of "larger". */
static int64_t merge_edge(int64_t base, int64_t ours, int64_t theirs, int outwards, tm_resolution take,
                          bool *conflict)
{
    if (ours == theirs || theirs == base)
        return ours;
    if (ours == base)
        return theirs;
    *conflict = true;
    if (take == TM_RESOLUTION_BOTH)
        return (theirs - ours) * outwards > 0 ? theirs : ours;
    return take == TM_RESOLUTION_THEIRS ? theirs : ours;
}

/* Games take no layer that is one tile wide or high. */
static bool is_large_enough(int64_t size, int64_t ours, int64_t theirs)
{
    enum { LEAST = 2 };
    return size >= 1 && size <= INT32_MAX / 4 && (size >= LEAST || ours < LEAST || theirs < LEAST);
}

tmi_rect tmi_merge_rects(const tmi_rect *base, const tmi_rect side[2], tm_resolution take, bool *conflict)
{
    const tmi_rect *a = &side[TMI_OURS], *b = &side[TMI_THEIRS];
    const tmi_rect rect = {merge_edge(base->left, a->left, b->left, -1, take, conflict),
                           merge_edge(base->top, a->top, b->top, -1, take, conflict),
                           merge_edge(base->right, a->right, b->right, 1, take, conflict),
                           merge_edge(base->bottom, a->bottom, b->bottom, 1, take, conflict)};
    if (is_large_enough(rect.right - rect.left, a->right - a->left, b->right - b->left) &&
        is_large_enough(rect.bottom - rect.top, a->bottom - a->top, b->bottom - b->top))
        return rect;
    *conflict = true; /* both together cut it away */
    return take == TM_RESOLUTION_THEIRS ? *b : *a;
}

tmi_rect tmi_widen_rect(const tmi_rect *rect, const tmi_rect *own)
{
    return (tmi_rect){own->left < rect->left ? own->left : rect->left,
                      own->top < rect->top ? own->top : rect->top,
                      own->right > rect->right ? own->right : rect->right,
                      own->bottom > rect->bottom ? own->bottom : rect->bottom};
}

static bool same_size(const tmi_rect *a, const tmi_rect *b)
{
    return a->right - a->left == b->right - b->left && a->bottom - a->top == b->bottom - b->top;
}

/* A layer of physics as large as all of them, in all three maps; its tiles may have been moved otherwise. */
static bool in_settled_physics(const grid_merge *g)
{
    const tmi_merge_physics *physics = &g->m->physics;
    const tmi_rect base = tmi_rect_of_grid(&g->own[0], TMI_BEFORE);
    return physics->found && g->of->list == TMI_LAYERS &&
           tm_game_layer(((const tm_layer *)g->of->base)->kind)->is_physics &&
           same_size(&base, &physics->base) && same_size(&g->side_rect[0], &physics->side[0]) &&
           same_size(&g->side_rect[1], &physics->side[1]);
}

static tm_status tell_size(grid_merge *g, tm_resolution take)
{
    tmi_conflict *conflict;
    TM_TRY(tmi_conflict_add(g->m, &conflict, TM_CONFLICT_SIZE, g->of->list, g->of->id, take));
    g->told = true;
    conflict->shown.owner = g->delta[TMI_THEIRS]->owner;
    conflict->shown.field = g->delta[TMI_THEIRS]->field;
    conflict->shown.dx = (int32_t)-g->rect.left;
    conflict->shown.dy = (int32_t)-g->rect.top;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const tmi_grid *grid = &g->own[version == TM_MERGE_THEIRS];
        const int which = version == TM_MERGE_BASE ? TMI_BEFORE : TMI_AFTER;
        conflict->shown.width[version] = grid->width[which];
        conflict->shown.height[version] = grid->height[which];
    }
    return TM_OK;
}

static tm_status find_rect(grid_merge *g)
{
    const tmi_rect base = tmi_rect_of_grid(&g->own[0], TMI_BEFORE);
    const bool elements = g->delta[0]->field->flags & TM_FIELD_ELEMENTS;
    bool conflict = false;
    if (in_settled_physics(g)) {
        const bool told =
            g->m->physics.conflict && elements && ((const tm_layer *)g->of->base)->kind == TM_LAYER_GAME;
        g->rect = g->m->physics.rect;
        return told ? tell_size(g, g->m->physics.take) : TM_OK;
    }
    g->rect = tmi_merge_rects(&base, g->side_rect, g->take, &conflict);
    /* the array for other games is told with its layer */
    return conflict && elements ? tell_size(g, g->take) : TM_OK;
}

/*
 * Where the old content is cannot be seen in an empty layer: then it is where that of the game layer is,
 * which has grown with it.
 */
static void shift_like_game(grid_merge *g, int side)
{
    tmi_grid *own = &g->own[side];
    const tm_patch *patch = g->m->patch[side];
    if (own->num || g->of->list != TMI_LAYERS ||
        !tm_game_layer(((const tm_layer *)g->of->base)->kind)->is_physics)
        return;
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_GRID || delta->list != TMI_LAYERS ||
            patch->side[TMI_BEFORE].labels[TMI_LAYERS][delta->number[TMI_BEFORE]].kind != TM_LAYER_GAME ||
            memcmp(delta->grid->width, own->width, sizeof(own->width)) != 0 ||
            memcmp(delta->grid->height, own->height, sizeof(own->height)) != 0)
            continue;
        own->dx = delta->grid->dx;
        own->dy = delta->grid->dy;
    }
}

/* ------------------------------------------------------------------------------------------- conflicts */

bool tmi_in_rect(const tmi_rect *rect, int64_t x, int64_t y)
{
    return x >= rect->left && y >= rect->top && x < rect->right && y < rect->bottom;
}

static tm_status leave_open(grid_merge *g, int64_t x, int64_t y, const void *ours, const void *theirs)
{
    tmi_grid *left = g->left;
    tmi_grid_run *last = left->num_runs ? &left->runs[left->num_runs - 1] : NULL;
    const tm_allocator *allocator = tmi_patch_allocator(g->m->here);
    const void *const both[2] = {ours, theirs};
    for (int side = 0; side < 2; side++) {
        TM_TRY(tmi_grow(allocator, &left->bytes[side], &g->bytes_capacity[side], (size_t)left->num + 1,
                        g->size, g->m->error));
        memcpy(left->bytes[side] + (size_t)left->num * g->size, both[side], g->size);
    }
    left->num++;
    if (last && last->y == y && (int64_t)last->x + last->num == x) {
        last->num++;
        return TM_OK;
    }
    TM_TRY(tmi_grow(allocator, &left->runs, &g->capacity, (size_t)left->num_runs + 1, sizeof(*left->runs),
                    g->m->error));
    left->runs[left->num_runs++] = (tmi_grid_run){(int32_t)x, (int32_t)y, 1, left->num - 1};
    return TM_OK;
}

/*
 * Both have something else at a place: what the map gets. *told: it is a conflict that is settled, or
 * open.
 */
static const void *settle_element(grid_merge *g, const void *ours, const void *theirs)
{
    if (g->take == TM_RESOLUTION_THEIRS)
        return theirs;
    if (g->take == TM_RESOLUTION_BOTH && memcmp(ours, nothing, g->size) == 0)
        return theirs;
    if (g->take == TM_RESOLUTION_UNRESOLVED ||
        (g->take == TM_RESOLUTION_BOTH && memcmp(theirs, nothing, g->size) != 0))
        g->open = true;
    return ours;
}

/* --------------------------------------------------------------------------------------------------- runs */

static uint8_t *merged_element(const grid_merge *g, int64_t x, int64_t y)
{
    return g->bytes +
           (size_t)((y - g->rect.top) * (g->rect.right - g->rect.left) + x - g->rect.left) * g->size;
}

/* What a side made of places that are not in the result, and what would be lost. */
static tm_status find_cut_off(grid_merge *g, int side, bool *lost)
{
    const tmi_grid *grid = &g->own[side];
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num; i++) {
            const int64_t x = (int64_t)run->x + i, y = run->y;
            const uint8_t *after = grid->bytes[TMI_AFTER] + (size_t)(run->first + i) * g->size;
            if (tmi_in_rect(&g->rect, x, y) || !tmi_in_rect(&g->side_rect[side], x, y) ||
                memcmp(after, nothing, g->size) == 0)
                continue;
            *lost = true;
            TM_TRY(
                leave_open(g, x, y, side == TMI_OURS ? after : nothing, side == TMI_OURS ? nothing : after));
        }
    }
    return TM_OK;
}

/* Games want all layers of physics in one size: none, nor its compatibility array, keeps edges alone. */
static bool may_keep_edges(const grid_merge *g)
{
    return g->of->list != TMI_LAYERS || !tm_game_layer(((const tm_layer *)g->of->base)->kind)->is_physics;
}

/*
 * One side cut off what the other one changed: if the latter is wanted, the layer keeps its edges; where it
 * cannot, the conflict is open.
 */
static tm_status keep_edges(grid_merge *g)
{
    bool lost[2] = {false, false};
    for (int side = 0; side < 2; side++)
        TM_TRY(find_cut_off(g, side, &lost[side]));
    for (int side = 0; side < 2; side++) {
        const tmi_rect *own = &g->side_rect[side];
        const bool wanted = g->take == TM_RESOLUTION_BOTH ||
                            g->take == (side == TMI_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS);
        if (!lost[side])
            continue;
        g->open = g->open || g->take == TM_RESOLUTION_UNRESOLVED || (wanted && !may_keep_edges(g));
        if (!wanted || !may_keep_edges(g))
            continue;
        g->rect = tmi_widen_rect(&g->rect, own);
    }
    return TM_OK;
}

typedef tm_status (*put_fn)(grid_merge *g, int64_t x, int64_t y, const uint8_t *before, const uint8_t *after);

/* Ours, in a map that has the base's tiles. */
static tm_status put_ours(grid_merge *g, int64_t x, int64_t y, const uint8_t *before, const uint8_t *after)
{
    (void)before;
    memcpy(merged_element(g, x, y), after, g->size);
    return TM_OK;
}

/* Theirs, in a map that has ours. */
static tm_status put_theirs(grid_merge *g, int64_t x, int64_t y, const uint8_t *before, const uint8_t *after)
{
    uint8_t *to = merged_element(g, x, y);
    if (memcmp(to, before, g->size) != 0 && memcmp(to, after, g->size) != 0) {
        TM_TRY(leave_open(g, x, y, to, after));
        after = settle_element(g, to, after);
    }
    g->brought = g->brought || memcmp(to, after, g->size) != 0;
    memmove(to, after, g->size);
    return TM_OK;
}

/* Each element that one side changed and that is still there. */
static tm_status put_side(grid_merge *g, int side, put_fn put)
{
    const tmi_grid *grid = &g->own[side];
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        for (uint32_t i = 0; i < run->num; i++) {
            const int64_t x = (int64_t)run->x + i, y = run->y;
            const size_t at = (size_t)(run->first + i) * g->size;
            if (tmi_in_rect(&g->rect, x, y) && tmi_in_rect(&g->side_rect[side], x, y))
                TM_TRY(put(g, x, y, grid->bytes[TMI_BEFORE] + at, grid->bytes[TMI_AFTER] + at));
        }
    }
    return TM_OK;
}

/*
 * ----------------------------------------------------------------------------------------------- the
 * bytes
 */

/* The base's tiles, as far as they are in the result, into a block of the result's size. */
static tm_status fill_from_base(grid_merge *g)
{
    const tmi_grid *grid = &g->own[0];
    const tmi_rect base = tmi_rect_of_grid(grid, TMI_BEFORE), *to = &g->rect;
    const int64_t left = to->left > base.left ? to->left : base.left;
    const int64_t right = to->right < base.right ? to->right : base.right;
    const tm_block *block = tm_field_get(g->delta[0]->field, g->of->base, 0).as.block;
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, g->m->base, block, g->m->error));
    const uint64_t have = loan.size / g->size;
    const int64_t top = to->top > 0 ? to->top : 0,
                  bottom = to->bottom < base.bottom ? to->bottom : base.bottom;
    for (int64_t y = top; loan.bytes && y < bottom && left < right; y++)
        if ((uint64_t)(y * base.right + right) <= have)
            memcpy(merged_element(g, left, y),
                   (const uint8_t *)loan.bytes + (size_t)(y * base.right + left) * g->size,
                   (size_t)(right - left) * g->size);
    tmi_borrowed_close(&loan);
    return TM_OK;
}

static tm_status new_bytes(grid_merge *g, tm_block **slot)
{
    const uint64_t size =
        (uint64_t)(g->rect.right - g->rect.left) * (uint64_t)(g->rect.bottom - g->rect.top) * g->size;
    tm_block *fresh;
    void *bytes;
    const tmi_encoding view =
        *slot && (*slot)->view == TMI_ENCODING_SPEEDUP ? TMI_ENCODING_SPEEDUP : TMI_ENCODING_BYTES;
    TM_TRY(tmi_block_new(&fresh, g->m->map, view, NULL, size, g->m->error));
    tm_status status = tm_map_edit_data(g->m->map, fresh, &bytes, NULL, g->m->error);
    if (status != TM_OK) {
        tmi_block_free(g->m->map, fresh);
        return status;
    }
    tmi_block_free(g->m->map, *slot);
    *slot = fresh;
    g->bytes = bytes;
    TM_TRY(fill_from_base(g));
    TM_TRY(put_side(g, TMI_OURS, put_ours));
    return TM_OK;
}

/* Where ours has the result's size, its tiles are the start; where it has too few, new ones are made. */
static tm_status open_bytes(grid_merge *g)
{
    tm_block **slot = (tm_block **)(void *)((char *)g->of->merged + g->delta[0]->field->offset);
    void *bytes;
    if (!*slot)
        return g->own[TMI_THEIRS].num ? new_bytes(g, slot) : TM_OK;
    if (g->of->alone || !tmi_same_rect(&g->rect, &g->side_rect[TMI_OURS]))
        return new_bytes(g, slot);
    const uint64_t num = (uint64_t)(g->rect.right - g->rect.left) * (uint64_t)(g->rect.bottom - g->rect.top);
    if (num > (*slot)->size / g->size)
        return new_bytes(g, slot);
    TM_TRY(tm_map_edit_data(g->m->map, *slot, &bytes, NULL, g->m->error));
    g->bytes = bytes;
    return TM_OK;
}

static tm_status tell_tiles(grid_merge *g)
{
    tm_patch *memory = g->m->conflicts->memory;
    tmi_conflict *conflict;
    tmi_grid *own;
    const bool tiles = g->of->list == TMI_LAYERS;
    TM_TRY(tmi_conflict_add(g->m, &conflict, tiles ? TM_CONFLICT_TILES : TM_CONFLICT_PIXELS, g->of->list,
                            g->of->id, g->open ? TM_RESOLUTION_UNRESOLVED : g->take));
    TM_TRY(tmi_patch_alloc(memory, &own, 1, sizeof(*own), g->m->error));
    g->told = true;
    *own = *g->left;
    TM_TRY(tmi_patch_alloc(memory, &own->runs, own->num_runs, sizeof(*own->runs), g->m->error));
    memcpy(own->runs, g->left->runs, own->num_runs * sizeof(*own->runs));
    for (int side = 0; side < 2; side++) {
        TM_TRY(tmi_patch_alloc(memory, &own->bytes[side], (size_t)own->num, g->size, g->m->error));
        memcpy(own->bytes[side], g->left->bytes[side], (size_t)own->num * g->size);
    }
    TM_TRY(tmi_grid_find_regions(memory, own, g->m->error));
    tm_conflict *shown = &conflict->shown;
    conflict->grid = own;
    shown->owner = g->delta[0]->owner;
    shown->field = g->delta[0]->field;
    shown->num = own->num;
    shown->element_size = g->size;
    shown->num_runs = own->num_runs;
    shown->num_regions = own->num_regions;
    shown->regions = own->regions;
    shown->dx = (int32_t)-g->rect.left;
    shown->dy = (int32_t)-g->rect.top;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const tmi_grid *grid = &g->own[version == TM_MERGE_THEIRS];
        shown->width[version] = grid->width[version == TM_MERGE_BASE ? TMI_BEFORE : TMI_AFTER];
        shown->height[version] = grid->height[version == TM_MERGE_BASE ? TMI_BEFORE : TMI_AFTER];
        shown->side_dx[version] = version == TM_MERGE_BASE ? 0 : grid->dx;
        shown->side_dy[version] = version == TM_MERGE_BASE ? 0 : grid->dy;
    }
    return TM_OK;
}

static tm_status merge_bytes(grid_merge *g)
{
    TM_TRY(find_rect(g));
    TM_TRY(keep_edges(g));
    TM_TRY(open_bytes(g));
    if (g->bytes)
        TM_TRY(put_side(g, TMI_THEIRS, put_theirs));
    g->brought = g->brought || !tmi_same_rect(&g->rect, &g->side_rect[TMI_OURS]);
    if (g->of->list == TMI_LAYERS && g->delta[0]->field->flags & TM_FIELD_ELEMENTS) {
        tm_tile_layer *tiles = &((tm_layer *)g->of->merged)->as.tiles;
        tiles->width = (uint32_t)(g->rect.right - g->rect.left);
        tiles->height = (uint32_t)(g->rect.bottom - g->rect.top);
    }
    if (g->left->num)
        TM_TRY(tell_tiles(g));
    if (g->of->alone)
        return TM_OK;
    if (!g->brought || (g->told && (g->open || g->take != TM_RESOLUTION_THEIRS)))
        tmi_merge_leave_out(g->m, g->delta[TMI_THEIRS]);
    return TM_OK;
}

tm_status tmi_merge_grids(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *ours,
                          const tmi_delta *theirs)
{
    const tm_allocator *allocator = tmi_patch_allocator(m->here);
    tmi_grid left = {.size = ours->grid->size};
    grid_merge g = {.m = m,
                    .of = of,
                    .delta = {ours, theirs},
                    .own = {*ours->grid, *theirs->grid},
                    .size = ours->grid->size,
                    .take = tmi_merge_wish(m, ours, theirs),
                    .left = &left};
    for (int side = 0; side < 2; side++) {
        shift_like_game(&g, side);
        g.side_rect[side] = tmi_rect_of_grid(&g.own[side], TMI_AFTER);
    }
    tm_status status = merge_bytes(&g);
    for (int side = 0; side < 2; side++)
        if (left.bytes[side])
            tmi_free(allocator, left.bytes[side], g.bytes_capacity[side], g.size);
    if (left.runs)
        tmi_free(allocator, left.runs, g.capacity, sizeof(*left.runs));
    return status;
}
