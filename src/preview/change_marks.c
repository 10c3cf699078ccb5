/* SPDX-License-Identifier: Zlib */
/*
 * change_marks.c - marks for what a patch changes and for the open conflicts of a merge: frames around
 * layers, quads, sources and rectangles of tiles, and tints on their tiles. What has no place on the map
 * (settings, images, envelopes, names) has no mark.
 */
#include "preview.h"

enum { MAX_TINTS = 100000 };

/* The making of marks from changes or conflicts, one after the other. */
typedef struct map_marking {
    tm_preview_marks *out;
    const tm_map *maps[TM_PREVIEW_MARKED_MAPS];
    uint8_t *framed[TM_PREVIEW_MARKED_MAPS]; /* of each layer through all groups: it has a frame */
    double time;                             /* ms */
    size_t most;                             /* frames; what would be more is left out */
    uint32_t index;                          /* of the one at hand */
    tm_error *error;
} map_marking;

void tm_preview_marks_release(tm_preview_marks *marks)
{
    for (int i = 0; marks && i < TM_PREVIEW_MARKED_MAPS; i++)
        tmi_free(marks->allocator, marks->map[i].list, marks->map[i].capacity, sizeof(tm_preview_mark));
    if (marks)
        *marks = (tm_preview_marks){0};
}

/* ------------------------------------------------------------------------------------------------ marking */

/* Begins with no marks. marking_end must follow, also after a failure. */
static tm_status marking_begin(map_marking *m)
{
    *m->out = (tm_preview_marks){.allocator = tmi_map_allocator(m->maps[1])};
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        if (m->maps[i])
            TM_TRY(tmi_reserve_zeroed(&m->framed[i], m->out->allocator,
                                      (size_t)tm_map_num_layers(m->maps[i]) + 1, 1, "layers", m->error));
    return TM_OK;
}

static tm_status marking_end(map_marking *m, tm_status status)
{
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        if (m->framed[i])
            tmi_free(m->out->allocator, m->framed[i], (size_t)tm_map_num_layers(m->maps[i]) + 1, 1);
    if (status)
        tm_preview_marks_release(m->out);
    return status;
}

/* Adds a mark to the map `version`. */
static tm_status marking_add(map_marking *m, int version, const tm_preview_mark *mark)
{
    tm_preview_mark_list *list = &m->out->map[version];
    TM_TRY(tmi_grow(m->out->allocator, &list->list, &list->capacity, list->num + 1, sizeof(*mark), m->error));
    list->list[list->num] = *mark;
    list->list[list->num++].subject = m->index;
    list->num_frames += mark->frame;
    return TM_OK;
}

static tm_status frame_layer(map_marking *m, int version, tm_preview_mark mark, uint32_t layer)
{
    const tm_map *map = m->maps[version];
    if (mark.group >= map->num_groups || layer >= map->groups[mark.group].num_layers)
        return TM_OK;
    uint8_t *framed = &m->framed[version][tm_map_layer_number(map, mark.group, layer)];
    if (*framed)
        return TM_OK;
    tmi_box box;
    tm_error error;
    const tm_status status =
        tmi_box_of_layer(&box, map, &map->groups[mark.group].layers[layer], -1, m->time, &error);
    if (status || tmi_box_is_empty(&box))
        return tmi_past_damage(status, &error, m->error);
    mark.area = tmi_area_of_box(&box);
    *framed = true;
    return marking_add(m, version, &mark);
}

/* Adds a frame around the content of a layer, or of each layer of a group; once, and none if it is empty. */
static tm_status marking_object(map_marking *m, int version, const tm_address *address, tm_mark_kind kind)
{
    const tm_map *map = m->maps[version];
    const tm_preview_mark mark = {.kind = kind, .frame = true, .group = address->index};
    if (address->kind == TM_KIND_LAYER)
        return frame_layer(m, version, mark, address->layer);
    const bool group = address->kind == TM_KIND_GROUP && address->index < map->num_groups;
    for (uint32_t l = 0; group && l < map->groups[address->index].num_layers; l++)
        TM_TRY(frame_layer(m, version, mark, l));
    return TM_OK;
}

/* Adds a frame and a tint for a quad or sound source; `element` NULL: does nothing. */
static tm_status marking_element(map_marking *m, int version, uint32_t group, tm_kind owner,
                                 const void *element, tm_mark_kind kind)
{
    const tmi_box box = tmi_box_of_element(owner, element);
    const tm_preview_mark mark = {
        .kind = kind, .frame = true, .tint = true, .group = group, .area = tmi_area_of_box(&box)};
    return tmi_box_is_empty(&box) ? TM_OK : marking_add(m, version, &mark);
}

/* Whether there are enough frames; if so, counts the current change as left out. */
static bool marking_is_full(map_marking *m)
{
    /* a frame is on nearly all maps, so the first two tell how many there are */
    const bool full = m->out->map[0].num_frames + m->out->map[1].num_frames > m->most;
    m->out->left_out += full;
    return full;
}

/* The number of all marks; a change that adds none has no place on the map. */
static size_t marking_num(const map_marking *m)
{
    size_t num = 0;
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        num += m->out->map[i].num;
    return num;
}

/* -------------------------------------------------------------------------------------------------- kinds */

/* Whether a field has an effect on the picture: names, and fields that only editors read, have none. */
static bool field_is_shown(const tm_field *field)
{
    return field->type != TM_TYPE_NAME && field->type != TM_TYPE_TEXT &&
           strncmp(field->name, "automapper", strlen("automapper")) != 0;
}

/* The kind of a tile's change, by its index before and after. */
static tm_mark_kind kind_of_change(uint8_t was, uint8_t is)
{
    return !was && is ? TM_MARK_ADDED : was && !is ? TM_MARK_REMOVED : TM_MARK_CHANGED;
}

/* The most frames of one patch. Further frames are only counted; further tints become one per rectangle. */
enum { MAX_PATCH_FRAMES = 5000 };

/* The most steps to find the rectangles of runs; the kind of those that are left is "changed". */
static const uint64_t most_looks = 50000000;

/* --------------------------------------------------------------------------------------------- one change */

typedef struct patch_marking {
    map_marking common; /* first */
    const tm_patch *patch;
    tm_patch_change change;
} patch_marking;

/* Frames the object that a change adds, removes or sets a field of, on each map that has it. */
static tm_status mark_objects(patch_marking *m, tm_mark_kind kind)
{
    const tm_patch_change *change = &m->change;
    const tm_address *const addresses[2] = {&change->before, &change->after};
    const bool in[2] = {change->in_before, change->in_after};
    for (int side = 0; side < 2; side++) {
        if (!in[side])
            continue;
        m->common.out->physics |=
            addresses[side]->kind == TM_KIND_LAYER && tm_game_layer(change->layer_kind)->is_physics;
        TM_TRY(marking_object(&m->common, side, addresses[side], kind));
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* Adds a mark on both maps; its place is that on the old map. */
static tm_status mark_tiles_at(patch_marking *m, tm_preview_mark mark)
{
    mark.group = m->change.before.index;
    TM_TRY(marking_add(&m->common, 0, &mark));
    mark.group = m->change.after.index;
    mark.area.x += m->change.dx;
    mark.area.y += m->change.dy;
    return marking_add(&m->common, 1, &mark);
}

static tm_mark_kind mark_of_tile(const patch_marking *m, const tm_run *run, uint32_t at)
{
    const tm_patch_change *change = &m->change;
    const bool copy = !(change->field->flags & TM_FIELD_ELEMENTS); /* for Teeworlds: tm_tile */
    const size_t index_at = copy ? 0 : (size_t)tm_game_layer(change->layer_kind)->index_at,
                 place = (size_t)at * change->element_size + index_at;
    return kind_of_change(((const uint8_t *)run->before)[place], ((const uint8_t *)run->after)[place]);
}

/*
 * Splits runs by the kind of change of their tiles; `tint`: each part gets a tint. `seen`: of each rectangle,
 * for bit k if it has a tile of kind k.
 */
static tm_status mark_regions(patch_marking *m, uint8_t *seen, bool tint)
{
    const tm_patch_change *change = &m->change;
    uint64_t looks = 0;
    tm_run run;
    for (uint32_t n = 0; tm_patch_run(&run, m->patch, m->common.index, n); n++) {
        for (uint32_t from = 0, to; from < run.num; from = to) {
            const tm_mark_kind kind = mark_of_tile(m, &run, from);
            for (to = from + 1; to < run.num && mark_of_tile(m, &run, to) == kind; to++)
                ;
            for (uint32_t r = 0; r < change->num_regions && looks++ <= most_looks; r++) {
                if (!tmi_rect_has(&change->regions[r].rect, run.x, run.y))
                    continue;
                seen[r] |= (uint8_t)(1U << kind);
                break;
            }
            const tm_preview_mark mark = {
                .kind = kind, .tint = true, .area = {(double)run.x + from, run.y, to - from, 1}};
            if (tint)
                TM_TRY(mark_tiles_at(m, mark));
        }
    }
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_rect *rect = &change->regions[r].rect;
        const tm_mark_kind kind = seen[r] == 1U << TM_MARK_ADDED     ? TM_MARK_ADDED
                                  : seen[r] == 1U << TM_MARK_REMOVED ? TM_MARK_REMOVED
                                                                     : TM_MARK_CHANGED;
        TM_TRY(mark_tiles_at(
            m, (tm_preview_mark){kind, true, !tint, 0, {rect->x, rect->y, rect->width, rect->height}, 0}));
    }
    return TM_OK;
}

static tm_status mark_changed_tiles(patch_marking *m)
{
    tm_preview_marks *out = m->common.out;
    const size_t num = (size_t)m->change.num_regions + 1;
    const bool tint = out->map[0].num + m->change.num_runs < MAX_TINTS;
    uint8_t *seen;
    TM_TRY(tmi_reserve_zeroed(&seen, out->allocator, num, 1, "places", m->common.error));
    const tm_status status = mark_regions(m, seen, tint);
    out->physics |= tm_game_layer(m->change.layer_kind)->is_physics;
    tmi_free(out->allocator, seen, num, 1);
    return status;
}

/* ------------------------------------------------------------------------------------------- a patch */

/* Adds the marks of a change; moves, settings, pixels and data have no place on the map. */
static tm_status mark_change(patch_marking *m)
{
    const tm_patch_change *change = &m->change;
    const void *const *elements = change->elements;
    const tm_mark_kind kind = !elements[0] ? TM_MARK_ADDED : !elements[1] ? TM_MARK_REMOVED : TM_MARK_CHANGED;
    switch (change->kind) {
    case TM_CHANGE_ADDED: return mark_objects(m, TM_MARK_ADDED);
    case TM_CHANGE_REMOVED: return mark_objects(m, TM_MARK_REMOVED);
    case TM_CHANGE_FIELD: return field_is_shown(change->field) ? mark_objects(m, TM_MARK_CHANGED) : TM_OK;
    case TM_CHANGE_ELEMENT:
        TM_TRY(marking_element(&m->common, 0, change->before.index, change->owner, elements[0], kind));
        return marking_element(&m->common, 1, change->after.index, change->owner, elements[1], kind);
    case TM_CHANGE_TILES: return mark_changed_tiles(m);
    default: return TM_OK;
    }
}

tm_status tm_preview_patch_marks(tm_preview_marks *out, const tm_patch *patch, const tm_map *before,
                                 const tm_map *after, double time, tm_error *error)
{
    patch_marking m = {
        {.out = out, .maps = {before, after}, .time = time, .most = MAX_PATCH_FRAMES, .error = error},
        .patch = patch};
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_marks){0};
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_need(before, "before", error));
    TM_TRY(tmi_need(after, "after", error));
    tm_status status = marking_begin(&m.common);
    for (; !status && tm_patch_at(&m.change, patch, m.common.index); m.common.index++) {
        const size_t num_before = marking_num(&m.common);
        if (marking_is_full(&m.common))
            continue;
        status = mark_change(&m);
        out->placeless += marking_num(&m.common) == num_before;
    }
    return marking_end(&m.common, status);
}

/* The most frames of one merge. */
enum { MAX_CONFLICT_FRAMES = 3000 };

typedef struct conflict_marking {
    map_marking common; /* first */
    const tm_conflicts *conflicts;
    tm_conflict conflict;
} conflict_marking;

static tm_status mark_conflict_objects(conflict_marking *m)
{
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        if (m->conflict.there[v])
            TM_TRY(marking_object(&m->common, v, &m->conflict.address[v], TM_MARK_CONFLICT));
    m->common.out->physics |= tm_game_layer(m->conflict.layer_kind)->is_physics;
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

static tm_status open_base(base_tiles *out, const conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    const tm_address *address = &conflict->address[TM_MERGE_BASE];
    const void *bytes = NULL;
    uint64_t size = 0;
    *out = (base_tiles){.width = conflict->width[TM_MERGE_BASE],
                        .height = conflict->height[TM_MERGE_BASE],
                        .size = conflict->element_size,
                        .index_at = (uint32_t)tm_game_layer(conflict->layer_kind)->index_at};
    if (!conflict->there[TM_MERGE_BASE])
        return TM_OK;
    const tm_map *map = m->common.maps[TM_MERGE_BASE];
    const tm_layer *layer = &map->groups[address->index].layers[address->layer];
    const tm_status status =
        tm_map_data(&bytes, &size, map, tm_field_get(conflict->field, layer, 0).as.block, m->common.error);
    out->bytes = bytes;
    out->num = size / out->size;
    return status;
}

/* Tints a part of a row by what one side changed, each kind of change in its own tint. */
static tm_status tint_run(conflict_marking *m, const base_tiles *base, tm_merge_map version,
                          const tm_run *run)
{
    const tm_conflict *conflict = &m->conflict;
    const uint8_t *tiles = version == TM_MERGE_OURS ? run->before : run->after;
    tm_preview_mark mark = {
        .tint = true, .group = conflict->address[version].index, .area = {.height = 1, .width = 1}};
    for (uint32_t i = 0; i < run->num; i++) {
        const int32_t x = run->x + (int32_t)i, y = run->y;
        const bool inside = x >= 0 && y >= 0 && (uint32_t)x < base->width && (uint32_t)y < base->height;
        const uint64_t at = inside ? (uint64_t)(uint32_t)y * base->width + (uint32_t)x : base->num;
        const uint8_t was = at < base->num ? base->bytes[at * base->size + base->index_at] : 0,
                      is = tiles[(size_t)i * base->size + base->index_at];
        mark.kind = kind_of_change(was, is);
        mark.area.x = (double)run->x + i + conflict->side_dx[version];
        mark.area.y = (double)run->y + conflict->side_dy[version];
        TM_TRY(marking_add(&m->common, (int)version, &mark));
    }
    return TM_OK;
}

static tm_status mark_conflict_tiles(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    const bool tint = m->common.out->map[TM_MERGE_OURS].num + conflict->num < MAX_TINTS;
    base_tiles base;
    tm_run run;
    if (!(conflict->field->flags & TM_FIELD_ELEMENTS))
        return TM_OK; /* the array for Teeworlds is not drawn */
    TM_TRY(open_base(&base, m));
    for (uint32_t r = 0; tint && tm_conflicts_run(&run, m->conflicts, m->common.index, r); r++)
        for (int v = TM_MERGE_OURS; v <= TM_MERGE_THEIRS; v++)
            TM_TRY(tint_run(m, &base, (tm_merge_map)v, &run));
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        for (uint32_t r = 0; r < conflict->num_regions && conflict->there[v]; r++) {
            const tm_rect *rect = &conflict->regions[r].rect;
            const tm_preview_mark mark = {.kind = TM_MARK_CONFLICT,
                                          .frame = true,
                                          .group = conflict->address[v].index,
                                          .area = {(double)rect->x + conflict->side_dx[v],
                                                   (double)rect->y + conflict->side_dy[v], rect->width,
                                                   rect->height}};
            TM_TRY(marking_add(&m->common, v, &mark));
        }
    m->common.out->physics |= tm_game_layer(m->conflict.layer_kind)->is_physics;
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------------- all */

/* Adds the marks of a conflict; pixels and settings have no place on the map. */
static tm_status mark_conflict(conflict_marking *m)
{
    const tm_conflict *conflict = &m->conflict;
    switch (conflict->kind) {
    case TM_CONFLICT_FIELD:
    case TM_CONFLICT_DATA: return field_is_shown(conflict->field) ? mark_conflict_objects(m) : TM_OK;
    case TM_CONFLICT_TILES: return mark_conflict_tiles(m);
    case TM_CONFLICT_ELEMENT:
        for (int v = 0; v < TM_MERGE_MAPS; v++)
            TM_TRY(marking_element(&m->common, v, conflict->address[v].index, conflict->owner,
                                   conflict->elements[v], TM_MARK_CONFLICT));
        return TM_OK;
    case TM_CONFLICT_PIXELS:
    case TM_CONFLICT_SETTING: return TM_OK;
    default: return mark_conflict_objects(m);
    }
}

tm_status tm_preview_conflict_marks(tm_preview_marks *out, const tm_conflicts *conflicts,
                                    const tm_map *const maps[TM_MERGE_MAPS], double time, tm_error *error)
{
    conflict_marking m = {{.out = out, .time = time, .most = MAX_CONFLICT_FRAMES, .error = error},
                          .conflicts = conflicts};
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_marks){0};
    TM_TRY(tmi_need(conflicts, "conflicts", error));
    TM_TRY(tmi_need(maps, "maps", error));
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        TM_TRY(tmi_need(maps[version], "maps", error));
        m.common.maps[version] = maps[version];
    }
    tm_status status = marking_begin(&m.common);
    for (; !status && tm_conflicts_at(&m.conflict, conflicts, m.common.index); m.common.index++) {
        const size_t before = marking_num(&m.common);
        if (!m.conflict.open || marking_is_full(&m.common))
            continue;
        status = mark_conflict(&m);
        out->placeless += marking_num(&m.common) == before;
    }
    return marking_end(&m.common, status);
}
