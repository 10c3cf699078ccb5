/* SPDX-License-Identifier: Zlib */
/*
 * Merges tiles of a layer, or pixels of an image, element by element. All positions are those of the base.
 * Each of the four edges of a layer is merged like a field. If a side changed elements outside of the result,
 * that is a conflict, too. Games require that all physics layers have one size and position, so these are
 * decided once, for the game layer, and apply to all of them.
 */
#include "merge.h"

/* -------------------------------------------------------------------------------------------------- edges */

/* Left, top, right and bottom, in positions of the base. */
enum { LEFT, TOP, RIGHT, BOTTOM, EDGES };
typedef struct edges {
    int64_t at[EDGES];
} edges;

static int64_t extent(const edges *of, int axis)
{
    return of->at[RIGHT + axis] - of->at[LEFT + axis];
}

static bool same_edges(const edges *a, const edges *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static bool in_edges(const edges *of, int64_t x, int64_t y)
{
    return x >= of->at[LEFT] && y >= of->at[TOP] && x < of->at[RIGHT] && y < of->at[BOTTOM];
}

static edges join_edges(const edges *a, const edges *b)
{
    edges out = *a;
    for (int i = 0; i < EDGES; i++)
        if (i < RIGHT ? b->at[i] < a->at[i] : b->at[i] > a->at[i])
            out.at[i] = b->at[i];
    return out;
}

/* Games refuse layers that are one tile wide or high. */
static bool is_large_enough(const edges *of, const edges side[TM_MERGE_MAPS], int axis)
{
    enum { LEAST = 2 };
    const int64_t size = extent(of, axis);
    return size >= 1 && size <= INT32_MAX / 4 &&
           (size >= LEAST || extent(&side[TM_MERGE_OURS], axis) < LEAST ||
            extent(&side[TM_MERGE_THEIRS], axis) < LEAST);
}

/* Merges the edges. *conflict: both sides moved an edge, to different positions. */
static edges merge_edges(const edges of[TM_MERGE_MAPS], tm_resolution resolution, bool *conflict)
{
    const edges *base = &of[TM_MERGE_BASE], *ours = &of[TM_MERGE_OURS], *theirs = &of[TM_MERGE_THEIRS];
    const edges both = join_edges(ours, theirs);
    edges out = *ours;
    for (int i = 0; i < EDGES; i++) {
        const bool clash =
            ours->at[i] != theirs->at[i] && theirs->at[i] != base->at[i] && ours->at[i] != base->at[i];
        *conflict = *conflict || clash;
        if (clash && resolution == TM_RESOLUTION_BOTH)
            out.at[i] = both.at[i];
        else if (clash ? resolution == TM_RESOLUTION_THEIRS : ours->at[i] == base->at[i])
            out.at[i] = theirs->at[i];
    }
    if (is_large_enough(&out, of, 0) && is_large_enough(&out, of, 1))
        return out;
    *conflict = true; /* the edges of both sides together leave nothing */
    return resolution == TM_RESOLUTION_THEIRS ? *theirs : *ours;
}

/* ----------------------------------------------------------------------------------------- three versions */

struct tmi_physics {
    edges of[TM_MERGE_MAPS], to;
    bool conflict;
};

typedef struct grid_merge {
    tmi_merge *m;
    tmi_list list;
    uint32_t id;
    const tm_field *field;
    tm_owner owner;
    uint32_t size; /* bytes of an element */
    bool physics;  /* has the edges of the map */
    bool changed[TM_MERGE_MAPS];
    edges of[TM_MERGE_MAPS], to, wider; /* of the result; and with the elements outside of it that are kept */
    tmi_borrowed loan[TM_MERGE_MAPS];
    tm_resolution resolution;
    uint8_t *out;   /* NULL: conflicts are counted */
    tmi_grid *left; /* elements that differ in both: bytes[0] of ours, bytes[1] of theirs */
    bool open;
} grid_merge;

static const uint8_t nothing[16];

/* The change of a block of an object; NULL: none. */
static const tmi_delta *change_of(const grid_merge *g, int side)
{
    const bool base = g->list == TMI_WHOLE || g->id < g->m->objects.list[g->list].num[TM_MERGE_BASE];
    const tmi_changes *changes = base ? &g->m->changes[g->list][side][g->id] : NULL;
    for (size_t i = 0; changes && i < changes->num; i++)
        if (changes->first[i].type == TMI_DELTA_GRID && changes->first[i].field == g->field)
            return &changes->first[i];
    return NULL;
}

static void close_versions(grid_merge *g)
{
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        tmi_borrowed_close(&g->loan[version]);
}

/* Finds the edges of all versions. A version without the object keeps empty edges. */
static void find_edges(grid_merge *g)
{
    const struct tmi_physics *map = g->m->physics;
    g->physics = map && g->list == TMI_LAYERS;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const void *object = tmi_merge_object_in(g->m, version, g->list, g->id);
        const tmi_delta *change = object && version != TM_MERGE_BASE ? change_of(g, version) : NULL;
        uint32_t width, height;
        if (!object)
            continue;
        g->changed[version] = change;
        tmi_grid_size(&width, &height, g->list, object);
        const int64_t left = change ? -change->grid->dx : 0, top = change ? -change->grid->dy : 0;
        if (change) {
            width = change->grid->width[TMI_AFTER];
            height = change->grid->height[TMI_AFTER];
        }
        g->of[version] = (edges){{left, top, left + width, top + height}};
        g->physics = g->physics && tm_game_layer(((const tm_layer *)object)->kind)->is_physics &&
                     extent(&g->of[version], 0) == extent(&map->of[version], 0) &&
                     extent(&g->of[version], 1) == extent(&map->of[version], 1);
    }
    for (int version = 0; g->physics && version < TM_MERGE_MAPS; version++)
        if (tmi_merge_object_in(g->m, version, g->list, g->id))
            g->of[version] = map->of[version];
}

static grid_merge start_grid(tmi_merge *m, tmi_list list, uint32_t id, const tm_field *field)
{
    const tmi_threeway *own = &m->objects.list[list];
    const int version = own->place[TM_MERGE_BASE][id] != TM_NONE ? TM_MERGE_BASE : tmi_version_of(own, id);
    const void *object = tmi_merge_object_in(m, version, list, id);
    grid_merge g = {.m = m, .list = list, .id = id, .field = field, .owner = TM_OWNER_IMAGE};
    g.size = (uint32_t)sizeof(tm_tile);
    if (list == TMI_IMAGES && ((const tm_image *)object)->format == TM_IMAGE_RGB)
        g.size = 3;
    if (list == TMI_LAYERS)
        g.owner = TM_OWNER_TILE_LAYER;
    if (list == TMI_LAYERS && field->flags & TM_FIELD_ELEMENTS)
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
        status = tmi_borrowed_open(&g->loan[version], g->m->in[version],
                                   tm_field_get(g->field, object, 0).as.block, g->m->error);
        const uint64_t area = (uint64_t)(extent(&g->of[version], 0) * extent(&g->of[version], 1));
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
    const edges *of = &g->of[version];
    if (!in_edges(of, x, y))
        return NULL;
    if (!g->loan[version].bytes)
        return nothing;
    return (const uint8_t *)g->loan[version].bytes +
           (size_t)((y - of->at[TOP]) * extent(of, 0) + x - of->at[LEFT]) * g->size;
}

/* Whether a side changed an element that lies outside of the result. */
static bool is_lost(const grid_merge *g, int side, int64_t x, int64_t y)
{
    const uint8_t *own = version_at(g, side, x, y), *base = version_at(g, TM_MERGE_BASE, x, y);
    return own && memcmp(own, base ? base : nothing, g->size) != 0 && memcmp(own, nothing, g->size) != 0;
}

static bool loses(const grid_merge *g, int side, const edges *to)
{
    const edges *of = &g->of[side];
    if (!g->loan[side].bytes)
        return false;
    for (int64_t y = of->at[TOP]; y < of->at[BOTTOM]; y++)
        for (int64_t x = of->at[LEFT]; x < of->at[RIGHT]; x++)
            if (!in_edges(to, x, y) && is_lost(g, side, x, y))
                return true;
    return false;
}

static bool is_side_wanted(const grid_merge *g, int side)
{
    return g->resolution == TM_RESOLUTION_BOTH || tmi_takes(g->resolution, side);
}

/* ---------------------------------------------------------------------------------------------- conflicts */

static void leave_open(grid_merge *g, int64_t x, int64_t y, const void *ours, const void *theirs)
{
    tmi_grid *left = g->left;
    tmi_grid_run *last = left->num_runs && g->out ? &left->runs[left->num_runs - 1] : NULL;
    if (g->out) {
        memcpy(left->bytes[0] + (size_t)left->num * g->size, ours, g->size);
        memcpy(left->bytes[1] + (size_t)left->num * g->size, theirs, g->size);
        if (last && last->y == y && (int64_t)last->x + last->num == x)
            last->num++;
        else
            left->runs[left->num_runs++] = (tmi_grid_run){(int32_t)x, (int32_t)y, 1, left->num};
    } else {
        left->num_runs++; /* at most */
    }
    left->num++;
}

/* The element for the result where both sides changed it. */
static const uint8_t *settle_element(grid_merge *g, const uint8_t *ours, const uint8_t *theirs)
{
    const bool both = g->resolution == TM_RESOLUTION_BOTH;
    if (g->resolution == TM_RESOLUTION_THEIRS || (both && memcmp(ours, nothing, g->size) == 0))
        return theirs;
    g->open = g->open || g->resolution == TM_RESOLUTION_UNRESOLVED ||
              (both && memcmp(theirs, nothing, g->size) != 0);
    return ours;
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
                                             (is_side_wanted(g, side) && !in_edges(&g->wider, x, y))));
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
    const edges *wider = &g->wider;
    if (!in_edges(&g->to, x, y))
        lose_element(g, x, y);
    if (!in_edges(wider, x, y))
        return;
    base = base ? base : nothing;
    ours = ours ? ours : base;
    theirs = theirs ? theirs : base;
    if (!same_element(g, ours, theirs) && !same_element(g, theirs, base)) {
        if (!same_element(g, ours, base)) {
            leave_open(g, x, y, ours, theirs);
            theirs = settle_element(g, ours, theirs);
        }
        ours = theirs;
    }
    if (g->out)
        memcpy(g->out + (size_t)((y - wider->at[TOP]) * extent(wider, 0) + x - wider->at[LEFT]) * g->size,
               ours, g->size);
}

/* Takes a row as it is if ours and theirs are equal there, as most rows are. */
static bool take_equal_row(grid_merge *g, int64_t y)
{
    const edges *wider = &g->wider;
    const size_t size = (size_t)extent(wider, 0) * g->size;
    if (!g->loan[TM_MERGE_OURS].bytes || !g->loan[TM_MERGE_THEIRS].bytes || !same_edges(&g->to, wider) ||
        !same_edges(&g->of[TM_MERGE_OURS], wider) || !same_edges(&g->of[TM_MERGE_THEIRS], wider) ||
        !in_edges(wider, wider->at[LEFT], y))
        return false;
    const uint8_t *ours = version_at(g, TM_MERGE_OURS, wider->at[LEFT], y);
    const bool equal = memcmp(ours, version_at(g, TM_MERGE_THEIRS, wider->at[LEFT], y), size) == 0;
    if (equal && g->out)
        memcpy(g->out + (size_t)(y - wider->at[TOP]) * size, ours, size);
    return equal;
}

/* The edges of all versions that have elements in the rows y to y + height - 1. */
static edges edges_of_rows(const grid_merge *g, int64_t y, int64_t height)
{
    edges all = {{INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN}};
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        if (g->loan[version].bytes && y < g->of[version].at[BOTTOM] && y + height > g->of[version].at[TOP])
            all = join_edges(&all, &g->of[version]);
    return all;
}

/* A damaged map may claim huge sizes, so only positions between elements that are there are visited. */
static void merge_elements(grid_merge *g)
{
    const edges all = edges_of_rows(g, -INT32_MAX, INT64_C(2) * INT32_MAX);
    g->left->num = g->left->num_runs = 0;
    for (int64_t y = all.at[TOP]; y < all.at[BOTTOM]; y++) {
        const edges row = edges_of_rows(g, y, 1);
        const bool done = take_equal_row(g, y);
        for (int64_t x = row.at[LEFT]; x < row.at[RIGHT] && !done; x++)
            merge_place(g, x, y);
    }
}

static tm_status add_conflict(grid_merge *g, tmi_conflict **out, tm_conflict_kind kind,
                              tm_resolution resolution)
{
    TM_TRY(tmi_conflict_add(g->m, out, kind, g->list, g->id, resolution));
    tm_conflict *shown = &(*out)->shown;
    shown->owner = g->list == TMI_LAYERS ? tm_owner_of_layer(shown->layer_kind) : g->owner;
    shown->field = g->field;
    shown->dx = (int32_t)-g->wider.at[LEFT];
    shown->dy = (int32_t)-g->wider.at[TOP];
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        shown->width[version] = (uint32_t)extent(&g->of[version], 0);
        shown->height[version] = (uint32_t)extent(&g->of[version], 1);
    }
    return TM_OK;
}

static tm_status add_elements_conflict(grid_merge *g)
{
    tmi_conflict *conflict;
    TM_TRY(add_conflict(g, &conflict, g->list == TMI_LAYERS ? TM_CONFLICT_TILES : TM_CONFLICT_PIXELS,
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
        shown->side_dx[version] = (int32_t)-g->of[version].at[LEFT];
        shown->side_dy[version] = (int32_t)-g->of[version].at[TOP];
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- one grid */

/* Opens the block of ours if it has the edges of the result, else a new one. */
static tm_status open_result(grid_merge *g)
{
    char *merged = tmi_merged_object(g->m, g->list, g->id);
    tm_block **slot = (tm_block **)(void *)(merged + g->field->offset), *fresh;
    const uint64_t size = (uint64_t)(extent(&g->wider, 0) * extent(&g->wider, 1)) * g->size;
    void *bytes;
    if (!*slot || (*slot)->size != size || !same_edges(&g->wider, &g->of[TM_MERGE_OURS])) {
        TM_TRY(tmi_block_new(&fresh, g->m->map,
                             *slot && (*slot)->view == TMI_ENCODING_SPEEDUP ? TMI_ENCODING_SPEEDUP
                                                                            : TMI_ENCODING_BYTES,
                             NULL, size, g->m->error));
        tmi_block_put(g->m->map, slot, fresh);
    }
    TM_TRY(tm_map_edit_data(&bytes, NULL, g->m->map, *slot, g->m->error));
    g->out = bytes;
    return TM_OK;
}

static tm_status merge_open_grid(grid_merge *g)
{
    tm_patch *memory = g->m->conflicts->memory;
    const bool data = g->loan[TM_MERGE_OURS].bytes || g->loan[TM_MERGE_THEIRS].bytes;
    g->wider = g->to;
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        if (is_side_wanted(g, side) && !g->physics && loses(g, side, &g->to))
            g->wider = join_edges(&g->wider, &g->of[side]);
    TM_TRY(tmi_patch_alloc(memory, &g->left, 1, sizeof(*g->left), g->m->error));
    g->left->size = g->size;
    merge_elements(g);
    TM_TRY(tmi_patch_alloc(memory, &g->left->runs, g->left->num_runs, sizeof(*g->left->runs), g->m->error));
    for (int side = 0; side < 2; side++)
        TM_TRY(tmi_patch_alloc(memory, &g->left->bytes[side], (size_t)g->left->num, g->size, g->m->error));
    if (data) {
        TM_TRY(open_result(g));
        merge_elements(g);
    }
    if (g->list == TMI_LAYERS && g->field->flags & TM_FIELD_ELEMENTS) {
        tm_tile_layer *tiles = &((tm_layer *)tmi_merged_object(g->m, g->list, g->id))->as.tiles;
        tiles->width = (uint32_t)extent(&g->wider, 0);
        tiles->height = (uint32_t)extent(&g->wider, 1);
    }
    return g->left->num ? add_elements_conflict(g) : TM_OK;
}

tm_status tmi_merge_grid(tmi_merge *m, tmi_list list, uint32_t id, const tm_field *field, bool *done)
{
    grid_merge g = start_grid(m, list, id, field);
    const struct tmi_physics *map = m->physics;
    const bool elements = list == TMI_LAYERS && field->flags & TM_FIELD_ELEMENTS;
    bool conflict = false;
    *done = true;
    g.to = g.physics ? map->to : merge_edges(g.of, g.resolution, &conflict);
    if (g.physics)
        conflict = map->conflict &&
                   ((const tm_layer *)tmi_merge_object_in(m, TM_MERGE_BASE, list, id))->kind == TM_LAYER_GAME;
    g.wider = g.to;
    if (conflict && elements) { /* the array for other games is reported with its layer */
        tmi_conflict *told;
        TM_TRY(add_conflict(&g, &told, TM_CONFLICT_SIZE, g.resolution));
    }
    if (!g.changed[TM_MERGE_THEIRS] && same_edges(&g.to, &g.of[TM_MERGE_OURS]))
        return TM_OK;
    *done = g.changed[TM_MERGE_OURS] || !same_edges(&g.to, &g.of[TM_MERGE_THEIRS]);
    if (!*done)
        return TM_OK;
    TM_TRY(open_versions(&g));
    const tm_status status = merge_open_grid(&g);
    close_versions(&g);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the map */

static const tm_field *tiles_field(void)
{
    return tm_field_find(TM_OWNER_TILE_LAYER, "tiles");
}

/* Widens the edges of all physics layers for elements that are kept. For new layers that is a conflict. */
static tm_status keep_edges(tmi_merge *m, uint32_t id)
{
    grid_merge g = start_grid(m, TMI_LAYERS, id, tiles_field());
    const bool fresh = id >= m->objects.list[TMI_LAYERS].num[TM_MERGE_BASE];
    if (!g.physics || (!fresh && !(g.changed[TM_MERGE_OURS] && g.changed[TM_MERGE_THEIRS])))
        return TM_OK;
    TM_TRY(open_versions(&g));
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        if (!(fresh || is_side_wanted(&g, side)) || !loses(&g, side, &m->physics->to))
            continue;
        m->physics->to = join_edges(&m->physics->to, &m->physics->of[side]);
        m->physics->conflict = m->physics->conflict || fresh;
    }
    close_versions(&g);
    return TM_OK;
}

tm_status tmi_settle_physics(tmi_merge *m)
{
    const tmi_threeway *layers = &m->objects.list[TMI_LAYERS];
    uint32_t group, index;
    if (!tm_map_physics_layer(&group, &index, m->in[TM_MERGE_BASE], TM_LAYER_GAME))
        return TM_OK;
    const uint32_t game = m->objects.side[TM_MERGE_BASE]->first_layer[group] + index;
    if (!tmi_in_both(layers, game) || layers->gone[game])
        return TM_OK;
    const grid_merge g = start_grid(m, TMI_LAYERS, game, tiles_field());
    TM_TRY(tmi_patch_alloc(m->here, &m->physics, 1, sizeof(*m->physics), m->error));
    memcpy(m->physics->of, g.of, sizeof(g.of));
    m->physics->to = merge_edges(g.of, g.resolution, &m->physics->conflict);
    for (uint32_t id = 0; id < layers->num_ids; id++)
        if (!layers->gone[id])
            TM_TRY(keep_edges(m, id));
    return TM_OK;
}

/* Physics layers that only one side has, or both added, get the edges of the result. */
tm_status tmi_finish_physics(tmi_merge *m)
{
    const tmi_threeway *own = &m->objects.list[TMI_LAYERS];
    for (uint32_t id = 0; m->physics && id < own->num_ids; id++) {
        const edges *to = &m->physics->to;
        const edges *from = &m->physics->of[tmi_version_of(own, id)];
        const tm_layer *layer = tmi_merged_object(m, TMI_LAYERS, id);
        const bool old = id < own->num[TM_MERGE_BASE] && tmi_in_both(own, id);
        tm_address at;
        if (!layer || old || !tm_game_layer(layer->kind)->is_physics || same_edges(from, to) ||
            layer->as.tiles.width != extent(from, 0) || layer->as.tiles.height != extent(from, 1))
            continue;
        tmi_objects_address(&m->objects, TMI_LAYERS, id, &at);
        TM_TRY(tm_map_resize_layer(m->map, at.index, at.layer, (uint32_t)extent(to, 0),
                                   (uint32_t)extent(to, 1), (int32_t)(from->at[LEFT] - to->at[LEFT]),
                                   (int32_t)(from->at[TOP] - to->at[TOP]), m->error));
    }
    return TM_OK;
}
