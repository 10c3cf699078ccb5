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

static const tm_patch_change *marked_change(const tmi_marking *m)
{
    return &((const patch_marking *)m)->change;
}

static bool is_physics_change(const tmi_marking *m)
{
    return tm_game_layer(marked_change(m)->layer_kind)->is_physics;
}

static const tm_address *place_on(const tmi_marking *m, int side)
{
    return side == 0 ? &marked_change(m)->before : &marked_change(m)->after;
}

static bool is_on(const tmi_marking *m, int side)
{
    return side == 0 ? marked_change(m)->in_before : marked_change(m)->in_after;
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status mark_object(tmi_marking *m, int side, tm_mark_kind kind)
{
    const tm_address *at = place_on(m, side);
    if (!is_on(m, side))
        return TM_OK;
    m->out->physics = m->out->physics || (at->kind == TM_ADDRESS_LAYER && is_physics_change(m));
    return tmi_marking_object(m, side, at, kind);
}

static tm_status mark_both(tmi_marking *m, tm_mark_kind kind)
{
    const tm_status status = mark_object(m, 0, kind);
    return status ? status : mark_object(m, 1, kind);
}

static tm_status mark_added(tmi_marking *m)
{
    return mark_both(m, TM_MARK_ADDED);
}

static tm_status mark_removed(tmi_marking *m)
{
    return mark_both(m, TM_MARK_REMOVED);
}

static tm_status mark_field(tmi_marking *m)
{
    return tmi_mark_shows_field(marked_change(m)->field) ? mark_both(m, TM_MARK_CHANGED) : TM_OK;
}

/* ----------------------------------------------------------------------------------------------- elements */

static tm_status mark_element(tmi_marking *m)
{
    const tm_patch_change *change = marked_change(m);
    const tm_mark_kind kind = !change->elements[0]   ? TM_MARK_ADDED
                              : !change->elements[1] ? TM_MARK_REMOVED
                                                     : TM_MARK_CHANGED;
    for (int side = 0; side < 2; side++)
        TM_TRY(tmi_marking_element(m, side, place_on(m, side)->index, change->owner, change->elements[side],
                                   kind));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* On both maps; the old map's place is that of the change. */
static tm_status mark_tiles_at(tmi_marking *m, tm_preview_mark mark)
{
    const tm_patch_change *change = marked_change(m);
    mark.group = change->before.index;
    TM_TRY(tmi_marking_add(m, 0, &mark));
    mark.group = change->after.index;
    mark.area.x += change->dx;
    mark.area.y += change->dy;
    return tmi_marking_add(m, 1, &mark);
}

static tm_mark_kind mark_of_tile(const tmi_marking *m, const tm_run *run, uint32_t at)
{
    const tm_patch_change *change = marked_change(m);
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

static void note_kind(const tmi_marking *m, region_kinds *kinds, const tm_run *run, tm_mark_kind kind)
{
    const tm_patch_change *change = marked_change(m);
    for (uint32_t r = 0; r < change->num_regions; r++) {
        if (kinds->looks++ > most_looks)
            return;
        if (!tmi_rect_has(&change->regions[r].rect, run->x, run->y))
            continue;
        kinds->seen[r] |= (uint8_t)(1U << kind);
        return;
    }
}

/* A run by what became of its tiles, each with a tint of its own. */
static tm_status mark_run(tmi_marking *m, region_kinds *kinds, const tm_run *run, bool tint)
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

static tm_status mark_regions(tmi_marking *m, region_kinds *kinds, bool tint)
{
    const tm_patch_change *change = marked_change(m);
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, ((patch_marking *)m)->patch, m->index, r); r++)
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

static tm_status mark_changed_tiles(tmi_marking *m)
{
    const size_t num = (size_t)marked_change(m)->num_regions + 1;
    const bool tint = m->out->map[0].num + marked_change(m)->num_runs < TMI_MAX_TINTS;
    region_kinds kinds = {NULL, 0};
    TM_TRY(tmi_reserve_zeroed(&kinds.seen, m->out->allocator, num, 1, "places", m->error));
    const tm_status status = mark_regions(m, &kinds, tint);
    m->out->physics = m->out->physics || is_physics_change(m);
    tmi_free(m->out->allocator, kinds.seen, num, 1);
    return status;
}

/* ---------------------------------------------------------------------------------------------- a patch */

tm_status tm_preview_patch_marks(tm_preview_marks *out, const tm_patch *patch, const tm_map *before,
                                 const tm_map *after, double time, tm_error *error)
{
    static tm_status (*const kinds[])(tmi_marking * m) = {[TM_CHANGE_ADDED] = mark_added,
                                                          [TM_CHANGE_REMOVED] = mark_removed,
                                                          [TM_CHANGE_MOVED] = NULL,
                                                          [TM_CHANGE_FIELD] = mark_field,
                                                          [TM_CHANGE_SETTING] = NULL,
                                                          [TM_CHANGE_ELEMENT] = mark_element,
                                                          [TM_CHANGE_TILES] = mark_changed_tiles,
                                                          [TM_CHANGE_PIXELS] = NULL,
                                                          [TM_CHANGE_DATA] = NULL};
    patch_marking m = {
        {.out = out, .maps = {before, after}, .time = time, .most = MAX_FRAMES, .error = error},
        .patch = patch};
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_marks){0};
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(before, "before", error));
    TM_TRY(tmi_need(after, "after", error));
    tm_status status = tmi_marking_begin(&m.common);
    for (; !status && tm_patch_at(&m.change, patch, m.common.index); m.common.index++)
        status = tmi_marking_one(&m.common, kinds[m.change.kind]);
    return tmi_marking_end(&m.common, status);
}
