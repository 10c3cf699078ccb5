/* SPDX-License-Identifier: Zlib */
/*
 * Marks for the open conflicts of a merge. A frame says where both were at work, a tint what each of them did
 * to the base there.
 */
#include "mark_list.h"

/* What is drawn of one merge at most. */
enum { MAX_FRAMES = 3000 };

typedef struct conflict_marking {
    tmi_marking common; /* first */
    const tm_conflicts *conflicts;
    tm_conflict conflict;
} conflict_marking;

static void note_physics(conflict_marking *m)
{
    m->common.out->physics |= tm_game_layer(m->conflict.layer_kind)->is_physics;
}

static tm_status mark_conflict_objects(conflict_marking *m)
{
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        if (m->conflict.there[v])
            TM_TRY(tmi_marking_object(&m->common, v, &m->conflict.address[v], TM_MARK_CONFLICT));
    note_physics(m);
    return TM_OK;
}

static tm_status mark_conflict_elements(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        TM_TRY(tmi_marking_element(&m->common, v, conflict->address[v].index, conflict->owner,
                                   conflict->elements[v], TM_MARK_CONFLICT));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* The tiles of the base. */
typedef struct base_tiles {
    const uint8_t *bytes;
    uint64_t num;
    uint32_t width, height, size;
    uint32_t index_at;
} base_tiles;

static uint8_t index_in_base(const base_tiles *of, int32_t x, int32_t y)
{
    if (x < 0 || y < 0 || (uint32_t)x >= of->width || (uint32_t)y >= of->height)
        return 0;
    const uint64_t at = (uint64_t)(uint32_t)y * of->width + (uint32_t)x;
    return at < of->num ? of->bytes[at * of->size + of->index_at] : 0;
}

static tm_status open_base(base_tiles *out, const conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    const tm_address *at = &conflict->address[TM_MERGE_BASE];
    const void *bytes = NULL;
    uint64_t size = 0;
    *out = (base_tiles){.width = conflict->width[TM_MERGE_BASE],
                        .height = conflict->height[TM_MERGE_BASE],
                        .size = conflict->element_size,
                        .index_at = (uint32_t)tm_game_layer(conflict->layer_kind)->index_at};
    if (!conflict->there[TM_MERGE_BASE])
        return TM_OK;
    const tm_map *map = m->common.maps[TM_MERGE_BASE];
    const tm_layer *layer = &map->groups[at->index].layers[at->layer];
    const tm_status status =
        tm_map_data(&bytes, &size, map, tm_field_get(conflict->field, layer, 0).as.block, m->common.error);
    out->bytes = bytes;
    out->num = size / out->size;
    return status;
}

/* What one side did to a row's part, each kind with its own tint. */
static tm_status tint_run(conflict_marking *m, const base_tiles *base, tm_merge_map version,
                          const tm_run *run)
{
    const tm_conflict *conflict = &m->conflict;
    const uint8_t *tiles = version == TM_MERGE_OURS ? run->before : run->after;
    tm_preview_mark mark = {
        .tint = true, .group = conflict->address[version].index, .area = {.height = 1, .width = 1}};
    for (uint32_t i = 0; i < run->num; i++) {
        const uint8_t was = index_in_base(base, run->x + (int32_t)i, run->y),
                      is = tiles[(size_t)i * base->size + base->index_at];
        mark.kind = tmi_mark_kind_of_tile(was, is);
        mark.area.x = (double)run->x + i + conflict->side_dx[version];
        mark.area.y = (double)run->y + conflict->side_dy[version];
        TM_TRY(tmi_marking_add(&m->common, (int)version, &mark));
    }
    return TM_OK;
}

static tm_status frame_regions(conflict_marking *m, tm_merge_map version)
{
    const tm_conflict *conflict = &m->conflict;
    for (uint32_t r = 0; r < conflict->num_regions && conflict->there[version]; r++) {
        const tm_region *at = &conflict->regions[r];
        const tm_preview_mark mark = {.kind = TM_MARK_CONFLICT,
                                      .frame = true,
                                      .group = conflict->address[version].index,
                                      .area = {(double)at->rect.x + conflict->side_dx[version],
                                               (double)at->rect.y + conflict->side_dy[version],
                                               at->rect.width, at->rect.height}};
        TM_TRY(tmi_marking_add(&m->common, (int)version, &mark));
    }
    return TM_OK;
}

static tm_status mark_conflict_tiles(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    const bool tint = m->common.out->map[TM_MERGE_OURS].num + conflict->num < TMI_MAX_TINTS;
    base_tiles base;
    tm_run run;
    if (!(conflict->field->flags & TM_FIELD_ELEMENTS))
        return TM_OK; /* the array for old games shows nothing */
    TM_TRY(open_base(&base, m));
    for (uint32_t r = 0; tint && tm_conflicts_run(&run, m->conflicts, m->common.index, r); r++)
        for (int v = TM_MERGE_OURS; v <= TM_MERGE_THEIRS; v++)
            TM_TRY(tint_run(m, &base, (tm_merge_map)v, &run));
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        TM_TRY(frame_regions(m, (tm_merge_map)v));
    note_physics(m);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------------- all */

/* Pixels and settings have no place. */
static tm_status mark_conflict(conflict_marking *m)
{
    switch (m->conflict.kind) {
    case TM_CONFLICT_FIELD:
    case TM_CONFLICT_DATA: return tmi_mark_shows_field(m->conflict.field) ? mark_conflict_objects(m) : TM_OK;
    case TM_CONFLICT_TILES: return mark_conflict_tiles(m);
    case TM_CONFLICT_ELEMENT: return mark_conflict_elements(m);
    case TM_CONFLICT_PIXELS:
    case TM_CONFLICT_SETTING: return TM_OK;
    default: return mark_conflict_objects(m);
    }
}

tm_status tm_preview_conflict_marks(tm_preview_marks *out, const tm_conflicts *conflicts,
                                    const tm_map *const maps[TM_MERGE_MAPS], double time, tm_error *error)
{
    conflict_marking m = {{.out = out, .time = time, .most = MAX_FRAMES, .error = error},
                          .conflicts = conflicts};
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_marks){0};
    TM_TRY(tmi_need(conflicts, "conflicts", error));
    TM_TRY(tmi_need(maps, "maps", error));
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        TM_TRY(tmi_need(maps[version], "maps", error));
        m.common.maps[version] = maps[version];
    }
    tm_status status = tmi_marking_begin(&m.common);
    for (; !status && tm_conflicts_at(&m.conflict, conflicts, m.common.index); m.common.index++) {
        const size_t before = tmi_marking_num(&m.common);
        if (!m.conflict.open || tmi_marking_is_full(&m.common))
            continue;
        status = mark_conflict(&m);
        out->placeless += tmi_marking_num(&m.common) == before;
    }
    return tmi_marking_end(&m.common, status);
}
