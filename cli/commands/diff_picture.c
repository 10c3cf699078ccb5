/* SPDX-License-Identifier: Zlib */
/*
 * diff_picture.c - the picture of `teemap diff --picture`, and what the page is told of changes. Rectangles
 * of tiles are framed on both maps and the tiles in them tinted, quads and sources framed where they were and
 * are, layers framed whole. What has no place on the map (settings, images, envelopes, names) has no mark.
 */
#include "diff_picture.h"

#include "output/text_buffer.h"
#include "output/tile_kinds.h"

#include <stdlib.h>

/* What is drawn of one patch at most. More frames are told, and more tints become one for each rectangle. */
enum { MAX_FRAMES = 5000 };

/* How often a rectangle is looked for to tell what kind it is; beyond it, it is called changed. */
static const uint64_t most_looks = 50000000;

/* --------------------------------------------------------------------------------------------- one change */

typedef struct change_marking {
    marking common; /* first */
    const tm_patch *patch;
    tm_patch_change change;
} change_marking;

static const tm_patch_change *change_of(const marking *m)
{
    return &((const change_marking *)m)->change;
}

static bool is_physics(const marking *m)
{
    return tm_game_layer(change_of(m)->layer_kind)->is_physics;
}

static const tm_address *place_on(const marking *m, int side)
{
    return side == 0 ? &change_of(m)->before : &change_of(m)->after;
}

static bool is_on(const marking *m, int side)
{
    return side == 0 ? change_of(m)->in_before : change_of(m)->in_after;
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status mark_object(marking *m, int side, tm_mark_kind kind)
{
    const tm_address *at = place_on(m, side);
    if (!is_on(m, side))
        return TM_OK;
    m->out->physics = m->out->physics || (at->kind == TM_ADDRESS_LAYER && is_physics(m));
    return marking_object(m, side, at, kind);
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
    return mark_shows_field(change_of(m)->field) ? mark_both(m, TM_MARK_CHANGED) : TM_OK;
}

/* ----------------------------------------------------------------------------------------------- elements */

static tm_status mark_element(marking *m)
{
    const tm_patch_change *change = change_of(m);
    const tm_mark_kind kind = !change->elements[0]   ? TM_MARK_ADDED
                              : !change->elements[1] ? TM_MARK_REMOVED
                                                     : TM_MARK_CHANGED;
    for (int side = 0; side < 2; side++)
        marking_element(m, side, place_on(m, side)->index, change->owner, change->elements[side], kind);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

/* On both maps; the old map's place is that of the change. */
static void mark_tiles_at(marking *m, tm_preview_mark mark)
{
    const tm_patch_change *change = change_of(m);
    mark.group = change->before.index;
    marking_add(m, 0, &mark);
    mark.group = change->after.index;
    mark.area.x += change->dx;
    mark.area.y += change->dy;
    marking_add(m, 1, &mark);
}

static tm_mark_kind kind_of_tile(const marking *m, const tm_run *run, uint32_t at)
{
    const tm_patch_change *change = change_of(m);
    const bool copy = !(change->field->flags & TM_FIELD_ELEMENTS); /* for Teeworlds: tm_tile */
    const size_t index_at = copy ? 0 : (size_t)tm_game_layer(change->layer_kind)->index_at,
                 place = (size_t)at * change->element_size + index_at;
    return mark_kind_of_tile(((const uint8_t *)run->before)[place], ((const uint8_t *)run->after)[place]);
}

/* What is known of the rectangles of a change. */
typedef struct region_kinds {
    uint8_t *seen; /* of each: bit k for a tile of kind k */
    uint64_t looks;
} region_kinds;

static void note_kind(const marking *m, region_kinds *kinds, const tm_run *run, tm_mark_kind kind)
{
    const tm_patch_change *change = change_of(m);
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_region *at = &change->regions[r];
        if (kinds->looks++ > most_looks)
            return;
        if (run->x < at->rect.x || run->y < at->rect.y || (int64_t)run->x - at->rect.x >= at->rect.width ||
            (int64_t)run->y - at->rect.y >= at->rect.height)
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
    const tm_patch_change *change = change_of(m);
    const bool tint = m->out->map[0].num + change->num_runs < MAX_TINTS;
    region_kinds kinds = {must_alloc((size_t)change->num_regions + 1, 1), 0};
    tm_run run;
    for (uint32_t r = 0; tm_patch_run(&run, ((change_marking *)m)->patch, m->index, r); r++)
        mark_run(m, &kinds, &run, tint);
    for (uint32_t r = 0; r < change->num_regions; r++) {
        const tm_region *at = &change->regions[r];
        const tm_preview_mark mark = {mark_kind_of_many(kinds.seen[r]),
                                      true,
                                      !tint,
                                      0,
                                      {at->rect.x, at->rect.y, at->rect.width, at->rect.height}};
        mark_tiles_at(m, mark);
    }
    m->out->physics = m->out->physics || is_physics(m);
    free(kinds.seen);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- a patch */

static tm_status patch_marks_make(diff_picture *of, tm_error *error)
{
    static tm_status (*const kinds[])(marking * m) = {
        [TM_CHANGE_ADDED] = mark_added, [TM_CHANGE_REMOVED] = mark_removed,
        [TM_CHANGE_MOVED] = NULL,       [TM_CHANGE_FIELD] = mark_field,
        [TM_CHANGE_SETTING] = NULL,     [TM_CHANGE_ELEMENT] = mark_element,
        [TM_CHANGE_TILES] = mark_tiles, [TM_CHANGE_PIXELS] = NULL,
        [TM_CHANGE_DATA] = NULL};
    change_marking m = {{.out = &of->marks,
                         .maps = {of->files[0]->map, of->files[1]->map},
                         .time = of->options->time,
                         .most = MAX_FRAMES,
                         .error = error},
                        .patch = of->patch};
    tm_status status = TM_OK;
    for (; !status && tm_patch_at(&m.change, of->patch, m.common.index); m.common.index++)
        status = marking_one(&m.common, kinds[m.change.kind]);
    return status;
}

tm_status diff_picture_open(diff_picture *of, const tm_job *job, tm_error *error)
{
    of->side = 1;
    TRY(patch_marks_make(of, error));
    const picture_options options = map_marks_drawing(&of->marks, of->options, of->output);
    of->both.num = 2;
    for (int side = 0; side < 2; side++) {
        pane *own = &of->both.list[side];
        own->path = of->paths[side];
        own->file = of->files[side];
        own->marks = of->marks.map[side].marks;
        own->num_marks = of->marks.map[side].num;
    }
    size_t at = 0;
    tm_status status = panes_open(&of->both, &options, job, &at, error);
    if (at < 2)
        of->side = (int)at;
    return status;
}

static void say_lacking(const diff_picture *of, report *to)
{
    const map_marks *marks = &of->marks;
    if (of->tool->common->quiet)
        return;
    if (marks->map[0].num_frames + marks->map[1].num_frames == 0)
        text_string(to->err, "no change has a place on the map: the picture has no frames\n");
    if (marks->left_out) {
        text_count(to->err, marks->left_out, "change is", "changes are");
        text_string(to->err, " not framed: there are too many\n");
    }
}

void diff_picture_close(diff_picture *of, report *to)
{
    bool opened = true;
    for (int side = 0; side < 2; side++) {
        opened = opened && of->both.list[side].picture.renderer;
        picture_report(of->tool, to, &of->both.list[side].picture, of->paths[side], of->files[side]);
    }
    if (opened)
        say_lacking(of, to);
    panes_close(&of->both);
    map_marks_release(&of->marks);
}

tm_status diff_picture_write(diff_picture *of, picture_format format, tm_error *error)
{
    const pane_range all = {0, 2, true};
    const tm_status status = panes_aim(&of->both, error);
    return status ? status : panes_write(&of->both, all, format, of->output, error);
}

/* ---------------------------------------------------------------------------------------------- the page */

static bool put_change(text *out, const void *list, uint32_t index)
{
    tm_patch_change change;
    char line[512];
    tm_patch_at(&change, list, index);
    tm_patch_change_format(&change, line, sizeof(line));
    text_safe(out, line);
    return true;
}

/* Tiles are reported with their place in the old map. */
static frame_words put_changed_tiles(text *out, const void *list, uint32_t index, size_t at,
                                     const tm_preview_mark *mark)
{
    char place[TM_ERROR_PLACE_SIZE];
    tm_patch_change change;
    tm_patch_at(&change, list, index);
    if (change.kind != TM_CHANGE_TILES)
        return FRAME_OF_SUBJECT;
    if (at != 0)
        return FRAME_SILENT;
    tm_address_describe(&change.after, NULL, place, sizeof(place));
    text_string(out, place);
    if (*change.name) {
        text_string(out, " ");
        text_quoted(out, change.name);
    }
    text_print(out, ": tiles %s at %.0f,%.0f %.0fx%.0f", tm_mark_kind_name(mark->kind), mark->area.x,
               mark->area.y, mark->area.width, mark->area.height);
    const tm_rect within = {(int32_t)mark->area.x, (int32_t)mark->area.y, (uint32_t)mark->area.width,
                            (uint32_t)mark->area.height};
    text kinds = {0};
    put_tile_kinds_in(&kinds, list, index, &change, &within);
    if (kinds.size) {
        text_string(out, ": ");
        text_put(out, kinds.bytes, kinds.size);
    }
    text_release(&kinds);
    return FRAME_TELLS;
}

tm_status diff_page_write(changes_page_sum *sum, diff_picture *of, const char *folder, tm_error *error)
{
    const changes_page page = {
        .folder = folder,
        .generator = "teemap diff",
        .what = "changes",
        .title = "Changes",
        .shown = &of->both,
        .size_given = of->options->size.width || of->options->scale > 0,
        .maps = {{"old", "the old map", "before", of->paths[0], &of->marks.map[0]},
                 {"new", "the new map", "after", of->paths[1], &of->marks.map[1]}},
        .num = 2,
        .named = 1,
        .first_kind = TM_MARK_ADDED,
        .last_kind = TM_MARK_CHANGED,
        .subjects = {of->patch, tm_patch_num(of->patch), put_change, put_changed_tiles}};
    return changes_page_write(sum, &page, error);
}
