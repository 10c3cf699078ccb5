/* SPDX-License-Identifier: Zlib */
/*
 * patch_marks.c - turns changes into marks: rectangles of tiles are framed on both maps and the tiles in them
 * tinted, quads and sources framed where they were and are, layers framed whole.
 */
#include "patch_marks.h"

#include "output/text_buffer.h"

#include <stdlib.h>

/* What is drawn of one patch at most. More frames are told, and more tints become one for each rectangle. */
enum { MAX_FRAMES = 5000 };

/* How often a rectangle is looked for to tell what kind it is; beyond it, it is called changed. */
static const uint64_t most_looks = 50000000;

/* --------------------------------------------------------------------------------------------- one change */

typedef struct marking {
    map_marks *out;
    const tm_patch *patch;
    const tm_map *const *maps;
    double time; /* ms */
    uint32_t index;
    tm_patch_change change;
    tm_error *error;
} marking;

static bool is_physics(const marking *m)
{
    return tm_game_layer(m->change.layer_kind)->is_physics;
}

static const tm_address *place_on(const marking *m, int side)
{
    return side == 0 ? &m->change.before : &m->change.after;
}

static bool is_on(const marking *m, int side)
{
    return side == 0 ? m->change.in_before : m->change.in_after;
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status mark_object(marking *m, int side, tm_mark_kind kind)
{
    const tm_address *at = place_on(m, side);
    if (!is_on(m, side))
        return TM_OK;
    m->out->physics = m->out->physics || (at->kind == TM_ADDRESS_LAYER && is_physics(m));
    return mark_list_object(&m->out->map[side], m->maps[side], at, kind, m->time, m->index, m->error);
}

static tm_status mark_both(marking *m, tm_mark_kind kind)
{
    const tm_status status = mark_object(m, 0, kind);
    return status ? status : mark_object(m, 1, kind);
}

static tm_status mark_added(marking *m)
{
    return mark_both(m, TM_MARK_ADDED);
}

static tm_status mark_removed(marking *m)
{
    return mark_both(m, TM_MARK_REMOVED);
}

static tm_status mark_field(marking *m)
{
    return mark_shows_field(m->change.field) ? mark_both(m, TM_MARK_CHANGED) : TM_OK;
}

/* ----------------------------------------------------------------------------------------------- elements */

static tm_status mark_element(marking *m)
{
    const tm_patch_change *change = &m->change;
    const tm_mark_kind kind = !change->elements[0]   ? TM_MARK_ADDED
                              : !change->elements[1] ? TM_MARK_REMOVED
                                                     : TM_MARK_CHANGED;
    for (int side = 0; side < 2; side++) {
        tm_preview_mark mark = {.kind = kind, .frame = true, .tint = true, .group = place_on(m, side)->index};
        if (!tm_preview_element_area(&mark.area, change->owner, change->elements[side], NULL))
            mark_list_add(&m->out->map[side], &mark, m->index);
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* On both maps; the old map's place is that of the change. */
static void mark_tiles_at(marking *m, tm_preview_mark mark)
{
    const tm_patch_change *change = &m->change;
    mark.group = change->before.index;
    mark_list_add(&m->out->map[0], &mark, m->index);
    mark.group = change->after.index;
    mark.area.x += change->dx;
    mark.area.y += change->dy;
    mark_list_add(&m->out->map[1], &mark, m->index);
}

static tm_mark_kind kind_of_tile(const marking *m, const tm_run *run, uint32_t at)
{
    const bool copy = !(m->change.field->flags & TM_FIELD_ELEMENTS); /* for Teeworlds: tm_tile */
    const size_t index_at = copy ? 0 : (size_t)tm_game_layer(m->change.layer_kind)->index_at,
                 place = (size_t)at * m->change.element_size + index_at;
    return mark_kind_of_tile(((const uint8_t *)run->before)[place], ((const uint8_t *)run->after)[place]);
}

/* What is known of the rectangles of a change. */
typedef struct region_kinds {
    uint8_t *seen; /* of each: bit k for a tile of kind k */
    uint64_t looks;
} region_kinds;

static void note_kind(const marking *m, region_kinds *kinds, const tm_run *run, tm_mark_kind kind)
{
    const tm_patch_change *change = &m->change;
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_region *at = &change->regions[r];
        if (kinds->looks++ > most_looks)
            return;
        if (run->x < at->x || run->y < at->y || (int64_t)run->x - at->x >= at->width ||
            (int64_t)run->y - at->y >= at->height)
            continue;
        kinds->seen[r] |= (uint8_t)(1U << kind);
        return;
    }
}

/* A run by what became of its tiles, each with a tint of its own. */
static void mark_run(marking *m, region_kinds *kinds, const tm_run *run, bool tint)
{
    for (uint32_t from = 0, to; from < run->num; from = to) {
        const tm_mark_kind kind = kind_of_tile(m, run, from);
        for (to = from + 1; to < run->num && kind_of_tile(m, run, to) == kind; to++)
            ;
        note_kind(m, kinds, run, kind);
        const tm_preview_mark mark = {
            .kind = kind, .tint = true, .area = {(double)run->x + from, run->y, to - from, 1}};
        if (tint)
            mark_tiles_at(m, mark);
    }
}

static tm_status mark_tiles(marking *m)
{
    const tm_patch_change *change = &m->change;
    const bool tint = m->out->map[0].num + change->num_runs < MAX_TINTS;
    region_kinds kinds = {must_alloc((size_t)change->num_regions + 1, 1), 0};
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(m->patch, m->index, r, &run); r++)
        mark_run(m, &kinds, &run, tint);
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_region *at = &change->regions[r];
        const tm_preview_mark mark = {
            mark_kind_of_many(kinds.seen[r]), true, !tint, 0, {at->x, at->y, at->width, at->height}};
        mark_tiles_at(m, mark);
    }
    m->out->physics = m->out->physics || is_physics(m);
    free(kinds.seen);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- a patch */

static tm_status mark_change(marking *m)
{
    static tm_status (*const kinds[])(marking * m) = {
        [TM_CHANGE_ADDED] = mark_added, [TM_CHANGE_REMOVED] = mark_removed,
        [TM_CHANGE_MOVED] = NULL,       [TM_CHANGE_FIELD] = mark_field,
        [TM_CHANGE_SETTING] = NULL,     [TM_CHANGE_ELEMENT] = mark_element,
        [TM_CHANGE_TILES] = mark_tiles, [TM_CHANGE_PIXELS] = NULL,
        [TM_CHANGE_DATA] = NULL};
    map_marks *out = m->out;
    const size_t before = map_marks_num(out);
    if (map_marks_full(out, MAX_FRAMES))
        return TM_OK;
    const tm_status status = kinds[m->change.kind] ? kinds[m->change.kind](m) : TM_OK;
    out->placeless += map_marks_num(out) == before;
    return status;
}

tm_status patch_marks_make(map_marks *out, const tm_patch *patch, const tm_map *const maps[2], double time,
                           tm_error *error)
{
    marking m = {.out = out, .patch = patch, .maps = maps, .time = time, .error = error};
    tm_status status = TM_OK;
    *out = (map_marks){0};
    for (; !status && tm_patch_at(patch, m.index, &m.change); m.index++)
        status = mark_change(&m);
    return status;
}
