/* SPDX-License-Identifier: Zlib */
/*
 * Marks for what a patch changes. Rectangles of tiles are framed on both maps and the tiles in them tinted,
 * quads and sources framed where they were and are, layers framed whole. What has no place on the map
 * (settings, images, envelopes, names) has no mark.
 */
#include "mark_list.h"

/* What is drawn of one patch at most. More frames are told, and more tints become one for each rectangle. */
enum { MAX_FRAMES = 5000 };

/* How often a rectangle is looked for to tell what kind it is; beyond it, it is called changed. */
static const uint64_t most_looks = 50000000;

/* --------------------------------------------------------------------------------------------- one change */

typedef struct patch_marking {
    tmi_marking common; /* first */
    const tm_patch *patch;
    tm_patch_change change;
} patch_marking;

/* Frames the object on each map that has it: what the change adds or removes, or whose field it sets. */
static tm_status mark_objects(patch_marking *m, tm_mark_kind kind)
{
    const tm_patch_change *change = &m->change;
    const tm_address *const at[2] = {&change->before, &change->after};
    const bool in[2] = {change->in_before, change->in_after};
    for (int side = 0; side < 2; side++) {
        if (!in[side])
            continue;
        m->common.out->physics |=
            at[side]->kind == TM_ADDRESS_LAYER && tm_game_layer(change->layer_kind)->is_physics;
        TM_TRY(tmi_marking_object(&m->common, side, at[side], kind));
    }
    return TM_OK;
}

static tm_status mark_element(patch_marking *m)
{
    const tm_patch_change *change = &m->change;
    const tm_mark_kind kind = !change->elements[0]   ? TM_MARK_ADDED
                              : !change->elements[1] ? TM_MARK_REMOVED
                                                     : TM_MARK_CHANGED;
    TM_TRY(
        tmi_marking_element(&m->common, 0, change->before.index, change->owner, change->elements[0], kind));
    return tmi_marking_element(&m->common, 1, change->after.index, change->owner, change->elements[1], kind);
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* On both maps; the old map's place is that of the change. */
static tm_status mark_tiles_at(patch_marking *m, tm_preview_mark mark)
{
    mark.group = m->change.before.index;
    TM_TRY(tmi_marking_add(&m->common, 0, &mark));
    mark.group = m->change.after.index;
    mark.area.x += m->change.dx;
    mark.area.y += m->change.dy;
    return tmi_marking_add(&m->common, 1, &mark);
}

static tm_mark_kind mark_of_tile(const patch_marking *m, const tm_run *run, uint32_t at)
{
    const tm_patch_change *change = &m->change;
    const bool copy = !(change->field->flags & TM_FIELD_ELEMENTS); /* for Teeworlds: tm_tile */
    const size_t index_at = copy ? 0 : (size_t)tm_game_layer(change->layer_kind)->index_at,
                 place = (size_t)at * change->element_size + index_at;
    return tmi_mark_kind_of_tile(((const uint8_t *)run->before)[place], ((const uint8_t *)run->after)[place]);
}

/* What is known of the rectangles of a change. */
typedef struct region_kinds {
    uint8_t *seen; /* of each: bit k for a tile of kind k */
    uint64_t looks;
} region_kinds;

static void note_kind(const patch_marking *m, region_kinds *kinds, const tm_run *run, tm_mark_kind kind)
{
    for (uint32_t r = 0; r < m->change.num_regions && kinds->looks++ <= most_looks; r++) {
        if (!tmi_rect_has(&m->change.regions[r].rect, run->x, run->y))
            continue;
        kinds->seen[r] |= (uint8_t)(1U << kind);
        return;
    }
}

/* A run by what became of its tiles, each with a tint of its own. */
static tm_status mark_run(patch_marking *m, region_kinds *kinds, const tm_run *run, bool tint)
{
    for (uint32_t from = 0, to; from < run->num; from = to) {
        const tm_mark_kind kind = mark_of_tile(m, run, from);
        for (to = from + 1; to < run->num && mark_of_tile(m, run, to) == kind; to++)
            ;
        note_kind(m, kinds, run, kind);
        const tm_preview_mark mark = {
            .kind = kind, .tint = true, .area = {(double)run->x + from, run->y, to - from, 1}};
        if (tint)
            TM_TRY(mark_tiles_at(m, mark));
    }
    return TM_OK;
}

static tm_status mark_regions(patch_marking *m, region_kinds *kinds, bool tint)
{
    const tm_patch_change *change = &m->change;
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, m->patch, m->common.index, r); r++)
        TM_TRY(mark_run(m, kinds, &run, tint));
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_rect *at = &change->regions[r].rect;
        const uint8_t seen = kinds->seen[r];
        const tm_mark_kind kind = seen == 1U << TM_MARK_ADDED     ? TM_MARK_ADDED
                                  : seen == 1U << TM_MARK_REMOVED ? TM_MARK_REMOVED
                                                                  : TM_MARK_CHANGED;
        TM_TRY(mark_tiles_at(
            m, (tm_preview_mark){kind, true, !tint, 0, {at->x, at->y, at->width, at->height}, 0}));
    }
    return TM_OK;
}

static tm_status mark_changed_tiles(patch_marking *m)
{
    tm_preview_marks *out = m->common.out;
    const size_t num = (size_t)m->change.num_regions + 1;
    const bool tint = out->map[0].num + m->change.num_runs < TMI_MAX_TINTS;
    region_kinds kinds = {NULL, 0};
    TM_TRY(tmi_reserve_zeroed(&kinds.seen, out->allocator, num, 1, "places", m->common.error));
    const tm_status status = mark_regions(m, &kinds, tint);
    out->physics |= tm_game_layer(m->change.layer_kind)->is_physics;
    tmi_free(out->allocator, kinds.seen, num, 1);
    return status;
}

/* ---------------------------------------------------------------------------------------------- a patch */

/* What moves, settings, pixels and data have no place. */
static tm_status mark_change(patch_marking *m)
{
    switch (m->change.kind) {
    case TM_CHANGE_ADDED: return mark_objects(m, TM_MARK_ADDED);
    case TM_CHANGE_REMOVED: return mark_objects(m, TM_MARK_REMOVED);
    case TM_CHANGE_FIELD:
        return tmi_mark_shows_field(m->change.field) ? mark_objects(m, TM_MARK_CHANGED) : TM_OK;
    case TM_CHANGE_ELEMENT: return mark_element(m);
    case TM_CHANGE_TILES: return mark_changed_tiles(m);
    default: return TM_OK;
    }
}

tm_status tm_preview_patch_marks(tm_preview_marks *out, const tm_patch *patch, const tm_map *before,
                                 const tm_map *after, double time, tm_error *error)
{
    patch_marking m = {
        {.out = out, .maps = {before, after}, .time = time, .most = MAX_FRAMES, .error = error},
        .patch = patch};
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_marks){0};
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(before, "before", error));
    TM_TRY(tmi_need(after, "after", error));
    tm_status status = tmi_marking_begin(&m.common);
    for (; !status && tm_patch_at(&m.change, patch, m.common.index); m.common.index++) {
        const size_t num_before = tmi_marking_num(&m.common);
        if (tmi_marking_is_full(&m.common))
            continue;
        status = mark_change(&m);
        out->placeless += tmi_marking_num(&m.common) == num_before;
    }
    return tmi_marking_end(&m.common, status);
}
