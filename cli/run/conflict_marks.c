/* SPDX-License-Identifier: Zlib */
/*
 * conflict_marks.c - turns open conflicts into marks: rectangles of tiles are framed on all three maps, and
 * the tiles in them tinted on either side; quads and sources are framed where each map has them, layers and
 * groups framed whole.
 */
#include "conflict_marks.h"

#include <string.h>

/* What is drawn of one merge at most. */
enum { MAX_FRAMES = 3000 };

typedef struct conflict_marking {
    map_marks *out;
    const tm_conflicts *conflicts;
    const tm_map *const *maps;
    double time; /* ms */
    uint32_t index;
    tm_conflict conflict;
    tm_error *error;
} conflict_marking;

static void note_physics(conflict_marking *m)
{
    m->out->physics = m->out->physics || tm_game_layer(m->conflict.layer_kind)->is_physics;
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status mark_objects(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    tm_status status = TM_OK;
    for (int v = 0; v < TM_MERGE_MAPS && !status; v++)
        if (conflict->there[v])
            status = mark_list_object(&m->out->map[v], m->maps[v], &conflict->address[v], TM_MARK_CONFLICT,
                                      m->time, m->index, m->error);
    note_physics(m);
    return status;
}

static tm_status mark_fields(conflict_marking *m)
{
    return mark_shows_field(m->conflict.field) ? mark_objects(m) : TM_OK;
}

static tm_status mark_elements(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    for (int v = 0; v < TM_MERGE_MAPS; v++) {
        tm_preview_mark mark = {
            .kind = TM_MARK_CONFLICT, .frame = true, .tint = true, .group = conflict->address[v].index};
        if (!tm_preview_element_area(&mark.area, conflict->owner, conflict->elements[v], NULL))
            mark_list_add(&m->out->map[v], &mark, m->index);
    }
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
    const tm_layer *layer = &m->maps[TM_MERGE_BASE]->groups[at->index].layers[at->layer];
    const tm_status status = tm_map_data(
        m->maps[TM_MERGE_BASE], tm_field_get(conflict->field, layer, 0).as.block, &bytes, &size, m->error);
    out->bytes = bytes;
    out->num = size / out->size;
    return status;
}

/* What one side did to a row's part, each kind with its own tint. */
static void tint_run(conflict_marking *m, const base_tiles *base, tm_merge_map version, const tm_run *run)
{
    const tm_conflict *conflict = &m->conflict;
    const uint8_t *tiles = version == TM_MERGE_OURS ? run->before : run->after;
    tm_preview_mark mark = {
        .tint = true, .group = conflict->address[version].index, .area = {.height = 1, .width = 1}};
    for (uint32_t i = 0; i < run->num; i++) {
        const uint8_t was = index_in_base(base, run->x + (int32_t)i, run->y),
                      is = tiles[(size_t)i * base->size + base->index_at];
        mark.kind = mark_kind_of_tile(was, is);
        mark.area.x = (double)run->x + i + conflict->side_dx[version];
        mark.area.y = (double)run->y + conflict->side_dy[version];
        mark_list_add(&m->out->map[version], &mark, m->index);
    }
}

static void frame_regions(conflict_marking *m, tm_merge_map version)
{
    const tm_conflict *conflict = &m->conflict;
    for (uint32_t r = 0; r < conflict->num_regions && conflict->there[version]; r++) {
        const tm_region *at = &conflict->regions[r];
        const tm_preview_mark mark = {.kind = TM_MARK_CONFLICT,
                                      .frame = true,
                                      .group = conflict->address[version].index,
                                      .area = {(double)at->x + conflict->side_dx[version],
                                               (double)at->y + conflict->side_dy[version], at->width,
                                               at->height}};
        mark_list_add(&m->out->map[version], &mark, m->index);
    }
}

static tm_status mark_conflict_tiles(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    const bool tint = m->out->map[TM_MERGE_OURS].num + conflict->num < MAX_TINTS;
    base_tiles base;
    tm_run run;
    if (!(conflict->field->flags & TM_FIELD_ELEMENTS))
        return TM_OK; /* the array for old games shows nothing */
    const tm_status status = open_base(&base, m);
    for (uint32_t r = 0; !status && tint && tm_conflicts_run(m->conflicts, m->index, r, &run); r++)
        for (int v = TM_MERGE_OURS; v <= TM_MERGE_THEIRS; v++)
            tint_run(m, &base, (tm_merge_map)v, &run);
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        frame_regions(m, (tm_merge_map)v);
    note_physics(m);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- all */

static tm_status mark_conflict(conflict_marking *m)
{
    static tm_status (*const kinds[])(conflict_marking * m) = {
        [TM_CONFLICT_FIELD] = mark_fields,  [TM_CONFLICT_TILES] = mark_conflict_tiles,
        [TM_CONFLICT_PIXELS] = NULL,        [TM_CONFLICT_SIZE] = mark_objects,
        [TM_CONFLICT_DATA] = mark_fields,   [TM_CONFLICT_ELEMENT] = mark_elements,
        [TM_CONFLICT_SETTING] = NULL,       [TM_CONFLICT_REMOVED] = mark_objects,
        [TM_CONFLICT_PLACE] = mark_objects, [TM_CONFLICT_ADDED] = mark_objects};
    map_marks *out = m->out;
    const size_t before = map_marks_num(out);
    if (!m->conflict.open)
        return TM_OK;
    if (map_marks_full(out, MAX_FRAMES))
        return TM_OK;
    const tm_status status = kinds[m->conflict.kind] ? kinds[m->conflict.kind](m) : TM_OK;
    out->placeless += map_marks_num(out) == before;
    return status;
}

tm_status conflict_marks_make(map_marks *out, const tm_conflicts *conflicts,
                              const tm_map *const maps[TM_MERGE_MAPS], double time, tm_error *error)
{
    conflict_marking m = {.out = out, .conflicts = conflicts, .maps = maps, .time = time, .error = error};
    tm_status status = TM_OK;
    *out = (map_marks){0};
    for (; !status && tm_conflicts_at(conflicts, m.index, &m.conflict); m.index++)
        status = mark_conflict(&m);
    return status;
}
