/* SPDX-License-Identifier: Zlib */
/*
 * Merges tiles of a layer, or pixels of an image, element by element. All positions are those of the base.
 * Each of the four edges of a layer is merged like a field. If a side changed elements outside of the result,
 * that is a conflict, too. Games require that all physics layers have one size and position, so these are
 * decided once, for the game layer, and apply to all of them.
 */
#include "merge.h"

/* -------------------------------------------------------------------------------------------------- edges */

/* Rectangles are in positions of the base. */
static bool same_rect(const tm_rect *a, const tm_rect *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* Games refuse layers that are one tile wide or high. */
static bool is_large_enough(int64_t size, uint32_t ours, uint32_t theirs)
{
    enum { LEAST = 2 };
    return size >= 1 && size <= INT32_MAX / 4 && (size >= LEAST || ours < LEAST || theirs < LEAST);
}

/* Merges the edges. *conflict: both sides moved an edge, to different positions. */
static tm_rect merge_edges(const tm_rect rects[TM_MERGE_MAPS], tm_resolution resolution, bool *conflict)
{
    enum { LEFT, TOP, RIGHT, BOTTOM, EDGES };
    const tm_rect *ours_rect = &rects[TM_MERGE_OURS], *other = &rects[TM_MERGE_THEIRS];
    int64_t at[TM_MERGE_MAPS][EDGES], out[EDGES];
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        at[version][LEFT] = rects[version].x;
        at[version][TOP] = rects[version].y;
        at[version][RIGHT] = tmi_right(&rects[version]);
        at[version][BOTTOM] = tmi_bottom(&rects[version]);
    }
    for (int i = 0; i < EDGES; i++) {
        const int64_t base = at[TM_MERGE_BASE][i], ours = at[TM_MERGE_OURS][i],
                      theirs = at[TM_MERGE_THEIRS][i];
        const bool clash = ours != theirs && theirs != base && ours != base;
        const bool wider = i < RIGHT ? theirs < ours : theirs > ours;
        const bool both = resolution == TM_RESOLUTION_BOTH;
        *conflict = *conflict || clash;
        out[i] =
            (clash ? resolution == TM_RESOLUTION_THEIRS || (both && wider) : ours == base) ? theirs : ours;
    }
    const int64_t width = out[RIGHT] - out[LEFT], height = out[BOTTOM] - out[TOP];
    if (is_large_enough(width, ours_rect->width, other->width) &&
        is_large_enough(height, ours_rect->height, other->height))
        return (tm_rect){(int32_t)out[LEFT], (int32_t)out[TOP], (uint32_t)width, (uint32_t)height};
    *conflict = true; /* the edges of both sides together leave nothing */
    return resolution == TM_RESOLUTION_THEIRS ? *other : *ours_rect;
}

/* ----------------------------------------------------------------------------------------- three versions */

struct tmi_physics {
    tm_rect rects[TM_MERGE_MAPS], result;
    bool conflict;
};

typedef struct grid_merge {
    tmi_merge *m;
    tm_kind list;
    uint32_t id;
    const tm_field *field;
    tm_kind owner;
    uint32_t size; /* bytes of an element */
    bool physics;  /* has the edges of the map */
    bool changed[TM_MERGE_MAPS];
    tm_rect rects[TM_MERGE_MAPS], result,
        wider; /* of the result; and with the elements outside of it that are kept */
    tmi_borrowed loan[TM_MERGE_MAPS];
    tm_resolution resolution;
    uint8_t *out;           /* NULL: conflicts are counted */
    tmi_grid *left;         /* elements that differ in both: bytes[0] of ours, bytes[1] of theirs */
    int64_t last_x, last_y; /* of the last of them */
    bool open;
} grid_merge;

static const uint8_t nothing[16];

static void close_versions(grid_merge *g)
{
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        tmi_borrowed_close(&g->loan[version]);
}

/* Finds the edges of all versions. A version without the object keeps empty edges. */
static void find_edges(grid_merge *g)
{
    const struct tmi_physics *map = g->m->physics;
    g->physics = map && g->list == TM_KIND_LAYER;
    const bool base = g->id < g->m->objects.list[g->list].num[TM_MERGE_BASE];
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const void *object = tmi_merge_object_in(g->m, version, g->list, g->id);
        const tmi_changes *changes =
            base && version != TM_MERGE_BASE ? &g->m->changes[g->list][version][g->id] : NULL;
        uint32_t width, height;
        if (!object)
            continue;
        tmi_grid_size(&width, &height, g->list, object);
        g->rects[version] = (tm_rect){0, 0, width, height};
        for (size_t i = 0; changes && i < changes->num && !g->changed[version]; i++) {
            const tmi_delta *delta = &changes->first[i];
            g->changed[version] = delta->type == TMI_DELTA_GRID && delta->field == g->field;
            if (g->changed[version])
                g->rects[version] = tmi_grid_rect(delta->grid, TMI_AFTER);
        }
        g->physics = g->physics && tm_game_layer(((const tm_layer *)object)->kind)->is_physics &&
                     g->rects[version].width == map->rects[version].width &&
                     g->rects[version].height == map->rects[version].height;
    }
    for (int version = 0; g->physics && version < TM_MERGE_MAPS; version++)
        if (tmi_merge_object_in(g->m, version, g->list, g->id))
            g->rects[version] = map->rects[version];
}

static grid_merge start_grid(tmi_merge *m, tm_kind list, uint32_t id, const tm_field *field)
{
    const tmi_threeway *threeway = &m->objects.list[list];
    const int version =
        threeway->place[TM_MERGE_BASE][id] != TM_NONE ? TM_MERGE_BASE : tmi_version_of(threeway, id);
    const void *object = tmi_merge_object_in(m, version, list, id);
    grid_merge g = {.m = m, .list = list, .id = id, .field = field, .owner = TM_KIND_IMAGE};
    g.size = (uint32_t)sizeof(tm_tile);
    if (list == TM_KIND_IMAGE && ((const tm_image *)object)->format == TM_IMAGE_RGB)
        g.size = 3;
    if (list == TM_KIND_LAYER)
        g.owner = TM_KIND_TILE_LAYER;
    if (list == TM_KIND_LAYER && field->flags & TM_FIELD_ELEMENTS)
        g.size = tm_game_layer(((const tm_layer *)object)->kind)->element_size;
    g.resolution = tmi_merge_resolve(m, list, id, TMI_DELTA_GRID, g.owner);
    find_edges(&g);
    return g;
}

/* A version with fewer elements than its size requires counts as empty. */
static tm_status open_versions(grid_merge *g)
{
    tm_status status = TM_OK;
    for (int version = 0; version < TM_MERGE_MAPS && !status; version++) {
        const void *object = tmi_merge_object_in(g->m, version, g->list, g->id);
        if (!object)
            continue;
        status = tmi_borrowed_open(&g->loan[version], g->m->maps[version],
                                   tm_field_get(g->field, object, 0).as.block, g->m->error);
        const uint64_t area = (uint64_t)g->rects[version].width * g->rects[version].height;
        if (g->loan[version].size / g->size < area)
            tmi_borrowed_close(&g->loan[version]);
    }
    if (status)
        close_versions(g);
    return status;
}

/* The element of a version at a position; NULL outside of its edges. */
static const uint8_t *version_at(const grid_merge *g, int version, int64_t x, int64_t y)
{
    const tm_rect *rect = &g->rects[version];
    if (!tmi_rect_has(rect, x, y))
        return NULL;
    if (!g->loan[version].bytes)
        return nothing;
    return (const uint8_t *)g->loan[version].bytes +
           (size_t)((y - rect->y) * rect->width + x - rect->x) * g->size;
}

/* Whether a side changed an element that lies outside of the result. */
static bool is_lost(const grid_merge *g, int side, int64_t x, int64_t y)
{
    const uint8_t *element = version_at(g, side, x, y), *base = version_at(g, TM_MERGE_BASE, x, y);
    return element && memcmp(element, base ? base : nothing, g->size) != 0 &&
           memcmp(element, nothing, g->size) != 0;
}

static bool loses(const grid_merge *g, int side, const tm_rect *result)
{
    const tm_rect *rect = &g->rects[side];
    if (!g->loan[side].bytes)
        return false;
    for (int64_t y = rect->y; y < tmi_bottom(rect); y++)
        for (int64_t x = rect->x; x < tmi_right(rect); x++)
            if (!tmi_rect_has(result, x, y) && is_lost(g, side, x, y))
                return true;
    return false;
}

static bool is_side_wanted(const grid_merge *g, int side)
{
    return g->resolution == TM_RESOLUTION_BOTH || tmi_chooses_version(g->resolution, side);
}

/* ---------------------------------------------------------------------------------------------- conflicts */

static void leave_open(grid_merge *g, int64_t x, int64_t y, const void *ours, const void *theirs)
{
    tmi_grid *left = g->left;
    const bool goes_on = left->num_runs && y == g->last_y && x == g->last_x + 1;
    if (g->out) {
        memcpy(left->bytes[0] + (size_t)left->num * g->size, ours, g->size);
        memcpy(left->bytes[1] + (size_t)left->num * g->size, theirs, g->size);
        if (goes_on)
            left->runs[left->num_runs - 1].num++;
        else
            left->runs[left->num_runs] = (tmi_grid_run){(int32_t)x, (int32_t)y, 1, left->num};
    }
    left->num_runs += !goes_on;
    left->num++;
    g->last_x = x;
    g->last_y = y;
}

/* Elements that a side changed outside of the result are a conflict. */
static void lose_element(grid_merge *g, int64_t x, int64_t y)
{
    const bool lost[] = {false, is_lost(g, TM_MERGE_OURS, x, y), is_lost(g, TM_MERGE_THEIRS, x, y)};
    if (lost[TM_MERGE_OURS] || lost[TM_MERGE_THEIRS])
        leave_open(g, x, y, lost[TM_MERGE_OURS] ? version_at(g, TM_MERGE_OURS, x, y) : nothing,
                   lost[TM_MERGE_THEIRS] ? version_at(g, TM_MERGE_THEIRS, x, y) : nothing);
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        g->open = g->open || (lost[side] && (g->resolution == TM_RESOLUTION_UNRESOLVED ||
                                             (is_side_wanted(g, side) && !tmi_rect_has(&g->wider, x, y))));
}

static bool same_element(const grid_merge *g, const uint8_t *a, const uint8_t *b)
{
    return a == b || tmi_same_element(a, b, g->size);
}

/* Merges what stands at a position. A side that has no place there has not changed what the base has. */
static void merge_place(grid_merge *g, int64_t x, int64_t y)
{
    const uint8_t *base = version_at(g, TM_MERGE_BASE, x, y), *ours = version_at(g, TM_MERGE_OURS, x, y),
                  *theirs = version_at(g, TM_MERGE_THEIRS, x, y);
    const tm_rect *wider = &g->wider;
    if (!tmi_rect_has(&g->result, x, y))
        lose_element(g, x, y);
    if (!tmi_rect_has(wider, x, y))
        return;
    base = base ? base : nothing;
    ours = ours ? ours : base;
    theirs = theirs ? theirs : base;
    if (!same_element(g, ours, theirs) && !same_element(g, theirs, base)) {
        if (!same_element(g, ours, base)) {
            const bool both = g->resolution == TM_RESOLUTION_BOTH;
            leave_open(g, x, y, ours, theirs);
            if (g->resolution != TM_RESOLUTION_THEIRS && !(both && memcmp(ours, nothing, g->size) == 0)) {
                g->open = g->open || g->resolution == TM_RESOLUTION_UNRESOLVED ||
                          (both && memcmp(theirs, nothing, g->size) != 0);
                theirs = ours;
            }
        }
        ours = theirs;
    }
    if (g->out)
        memcpy(g->out + (size_t)((y - wider->y) * wider->width + x - wider->x) * g->size, ours, g->size);
}

/* What is around all versions that have elements in the rows y to y + height - 1. */
static tm_rect around_rows(const grid_merge *g, int64_t y, int64_t height)
{
    tm_rect bounds = {0, 0, 0, 0};
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        if (g->loan[version].bytes && y < tmi_bottom(&g->rects[version]) && y + height > g->rects[version].y)
            bounds = tmi_rect_around(&bounds, &g->rects[version]);
    return bounds;
}

/* A damaged map may claim huge sizes, so only positions between elements that are there are visited. */
static void merge_elements(grid_merge *g)
{
    const tm_rect bounds = around_rows(g, -INT32_MAX, INT64_C(2) * INT32_MAX), *wider = &g->wider;
    const size_t size = (size_t)wider->width * g->size;
    const bool plain = g->loan[TM_MERGE_OURS].bytes && g->loan[TM_MERGE_THEIRS].bytes &&
                       same_rect(&g->result, wider) && same_rect(&g->rects[TM_MERGE_OURS], wider) &&
                       same_rect(&g->rects[TM_MERGE_THEIRS], wider);
    g->left->num = g->left->num_runs = 0;
    for (int64_t y = bounds.y; y < tmi_bottom(&bounds); y++) {
        const tm_rect row = around_rows(g, y, 1);
        const uint8_t *ours = plain ? version_at(g, TM_MERGE_OURS, wider->x, y) : NULL;
        const bool equal = ours && memcmp(ours, version_at(g, TM_MERGE_THEIRS, wider->x, y), size) == 0;
        if (equal && g->out) /* as most rows are */
            memcpy(g->out + (size_t)(y - wider->y) * size, ours, size);
        for (int64_t x = row.x; x < tmi_right(&row) && !equal; x++)
            merge_place(g, x, y);
    }
}

static tm_status add_conflict(grid_merge *g, tmi_conflict **out, tm_conflict_kind kind,
                              tm_resolution resolution)
{
    TM_TRY(tmi_conflict_add(g->m, out, kind, g->list, g->id, resolution));
    tm_conflict *shown = &(*out)->shown;
    shown->owner = g->list == TM_KIND_LAYER ? tm_kind_of_layer(shown->layer_kind) : g->owner;
    shown->field = g->field;
    shown->dx = -g->wider.x;
    shown->dy = -g->wider.y;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        shown->width[version] = g->rects[version].width;
        shown->height[version] = g->rects[version].height;
    }
    return TM_OK;
}

/* Adds the conflict of all elements that both sides changed in different ways. */
static tm_status report_open_elements(grid_merge *g)
{
    tmi_conflict *conflict;
    TM_TRY(add_conflict(g, &conflict, g->list == TM_KIND_LAYER ? TM_CONFLICT_TILES : TM_CONFLICT_PIXELS,
                        g->open ? TM_RESOLUTION_UNRESOLVED : g->resolution));
    TM_TRY(tmi_grid_find_regions(g->m->conflicts->memory, g->left, g->m->error));
    tm_conflict *shown = &conflict->shown;
    conflict->grid = g->left;
    shown->num = g->left->num;
    shown->element_size = g->size;
    shown->num_runs = g->left->num_runs;
    shown->num_regions = g->left->num_regions;
    shown->regions = g->left->regions;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        shown->side_dx[version] = -g->rects[version].x;
        shown->side_dy[version] = -g->rects[version].y;
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- one grid */

static tm_status merge_open_grid(grid_merge *g)
{
    tm_patch *memory = g->m->conflicts->memory;
    const bool data = g->loan[TM_MERGE_OURS].bytes || g->loan[TM_MERGE_THEIRS].bytes;
    tmi_grid most = {.size = g->size}; /* conflicts are counted before there is room for them */
    g->wider = g->result;
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        if (is_side_wanted(g, side) && !g->physics && loses(g, side, &g->result))
            g->wider = tmi_rect_around(&g->wider, &g->rects[side]);
    g->left = &most;
    merge_elements(g);
    TM_TRY(tmi_grid_new(memory, &g->left, &most, most.num_runs, (size_t)most.num, g->m->error));
    if (data) { /* into the block of ours if it has the edges of the result, else into a new one */
        tm_block **slot = tmi_block_slot(tmi_merged_object(g->m, g->list, g->id), g->field), *fresh;
        const uint64_t size = (uint64_t)g->wider.width * g->wider.height * g->size;
        const bool speedups = *slot && (*slot)->view == TMI_ENCODING_SPEEDUP;
        void *bytes;
        if (!*slot || (*slot)->size != size || !same_rect(&g->wider, &g->rects[TM_MERGE_OURS])) {
            TM_TRY(tmi_block_new(&fresh, g->m->map, speedups ? TMI_ENCODING_SPEEDUP : TMI_ENCODING_BYTES,
                                 NULL, size, g->m->error));
            tmi_block_put(g->m->map, slot, fresh);
        }
        TM_TRY(tm_map_edit_data(&bytes, NULL, g->m->map, *slot, g->m->error));
        g->out = bytes;
        merge_elements(g);
    }
    if (g->list == TM_KIND_LAYER && g->field->flags & TM_FIELD_ELEMENTS) {
        tm_tile_layer *tiles = &((tm_layer *)tmi_merged_object(g->m, g->list, g->id))->as.tiles;
        tiles->width = g->wider.width;
        tiles->height = g->wider.height;
    }
    return g->left->num ? report_open_elements(g) : TM_OK;
}

tm_status tmi_merge_grid(tmi_merge *m, tm_kind list, uint32_t id, const tm_field *field, bool *done)
{
    grid_merge g = start_grid(m, list, id, field);
    const struct tmi_physics *map = m->physics;
    const bool elements = list == TM_KIND_LAYER && field->flags & TM_FIELD_ELEMENTS;
    bool conflict = false;
    *done = true;
    g.result = g.physics ? map->result : merge_edges(g.rects, g.resolution, &conflict);
    if (g.physics)
        conflict = map->conflict &&
                   ((const tm_layer *)tmi_merge_object_in(m, TM_MERGE_BASE, list, id))->kind == TM_LAYER_GAME;
    g.wider = g.result;
    if (conflict && elements) { /* the array for other games is reported with its layer */
        tmi_conflict *told;
        TM_TRY(add_conflict(&g, &told, TM_CONFLICT_SIZE, g.resolution));
    }
    if (!g.changed[TM_MERGE_THEIRS] && same_rect(&g.result, &g.rects[TM_MERGE_OURS]))
        return TM_OK;
    *done = g.changed[TM_MERGE_OURS] || !same_rect(&g.result, &g.rects[TM_MERGE_THEIRS]);
    if (!*done)
        return TM_OK;
    TM_TRY(open_versions(&g));
    const tm_status status = merge_open_grid(&g);
    close_versions(&g);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the map */

tm_status tmi_settle_physics(tmi_merge *m)
{
    const tmi_threeway *layers = &m->objects.list[TM_KIND_LAYER];
    uint32_t group, index;
    if (!tm_map_physics_layer(&group, &index, m->maps[TM_MERGE_BASE], TM_LAYER_GAME))
        return TM_OK;
    const uint32_t game = m->objects.side[TM_MERGE_BASE]->first_layer[group] + index;
    const tm_field *tiles = tm_field_find(TM_KIND_TILE_LAYER, "tiles");
    if (!tmi_in_both(layers, game) || layers->gone[game])
        return TM_OK;
    grid_merge g = start_grid(m, TM_KIND_LAYER, game, tiles);
    TM_TRY(tmi_patch_alloc(m->scratch, &m->physics, 1, sizeof(*m->physics), m->error));
    struct tmi_physics *map = m->physics;
    memcpy(map->rects, g.rects, sizeof(g.rects));
    map->result = merge_edges(g.rects, g.resolution, &map->conflict);
    /* elements that are kept widen the edges of all physics layers; those of new layers are a conflict */
    for (uint32_t id = 0; id < layers->num_ids; id++) {
        const bool fresh = id >= layers->num[TM_MERGE_BASE];
        if (layers->gone[id])
            continue;
        g = start_grid(m, TM_KIND_LAYER, id, tiles);
        if (!g.physics || (!fresh && !(g.changed[TM_MERGE_OURS] && g.changed[TM_MERGE_THEIRS])))
            continue;
        TM_TRY(open_versions(&g));
        for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
            if (!(fresh || is_side_wanted(&g, side)) || !loses(&g, side, &map->result))
                continue;
            map->result = tmi_rect_around(&map->result, &map->rects[side]);
            map->conflict = map->conflict || fresh;
        }
        close_versions(&g);
    }
    return TM_OK;
}

/* Physics layers that only one side has, or both added, get the edges of the result. */
tm_status tmi_finish_physics(tmi_merge *m)
{
    const tmi_threeway *threeway = &m->objects.list[TM_KIND_LAYER];
    for (uint32_t id = 0; m->physics && id < threeway->num_ids; id++) {
        const tm_rect *result = &m->physics->result,
                      *current = &m->physics->rects[tmi_version_of(threeway, id)];
        const tm_layer *layer = tmi_merged_object(m, TM_KIND_LAYER, id);
        const bool old = id < threeway->num[TM_MERGE_BASE] && tmi_in_both(threeway, id);
        tm_address address;
        if (!layer || old || !tm_game_layer(layer->kind)->is_physics || same_rect(current, result) ||
            layer->as.tiles.width != current->width || layer->as.tiles.height != current->height)
            continue;
        tmi_objects_address(&m->objects, TM_KIND_LAYER, id, &address);
        TM_TRY(tm_map_resize_layer(m->map, address.index, address.layer, result->width, result->height,
                                   current->x - result->x, current->y - result->y, m->error));
    }
    return TM_OK;
}
