/* SPDX-License-Identifier: Zlib */
/*
 * merge_picture.c - see merge_picture.h. The three maps are drawn as they came, not as they were merged. A
 * frame says where both were at work, a tint what each of them did to the base there.
 */
#include "merge_picture.h"

#include <string.h>

/* What is drawn of one merge at most. */
enum { MAX_FRAMES = 3000 };

typedef struct conflict_marking {
    marking common; /* first */
    const tm_conflicts *conflicts;
    tm_conflict conflict;
} conflict_marking;

static void note_physics(conflict_marking *m)
{
    m->common.out->physics |= tm_game_layer(m->conflict.layer_kind)->is_physics;
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status mark_objects(marking *common)
{
    conflict_marking *m = (conflict_marking *)common;
    const tm_conflict *conflict = &m->conflict;
    tm_status status = TM_OK;
    for (int v = 0; v < TM_MERGE_MAPS && !status; v++)
        if (conflict->there[v])
            status = marking_object(common, v, &conflict->address[v], TM_MARK_CONFLICT);
    note_physics(m);
    return status;
}

static tm_status mark_fields(marking *m)
{
    return mark_shows_field(((conflict_marking *)m)->conflict.field) ? mark_objects(m) : TM_OK;
}

static tm_status mark_elements(marking *m)
{
    const tm_conflict *conflict = &((conflict_marking *)m)->conflict;
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        marking_element(m, v, conflict->address[v].index, conflict->owner, conflict->elements[v],
                        TM_MARK_CONFLICT);
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
        marking_add(&m->common, (int)version, &mark);
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
                                      .area = {(double)at->rect.x + conflict->side_dx[version],
                                               (double)at->rect.y + conflict->side_dy[version],
                                               at->rect.width, at->rect.height}};
        marking_add(&m->common, (int)version, &mark);
    }
}

static tm_status mark_conflict_tiles(marking *common)
{
    conflict_marking *m = (conflict_marking *)common;
    const tm_conflict *conflict = &m->conflict;
    const bool tint = common->out->map[TM_MERGE_OURS].num + conflict->num < MAX_TINTS;
    base_tiles base;
    tm_run run;
    if (!(conflict->field->flags & TM_FIELD_ELEMENTS))
        return TM_OK; /* the array for old games shows nothing */
    const tm_status status = open_base(&base, m);
    for (uint32_t r = 0; !status && tint && tm_conflicts_run(&run, m->conflicts, common->index, r); r++)
        for (int v = TM_MERGE_OURS; v <= TM_MERGE_THEIRS; v++)
            tint_run(m, &base, (tm_merge_map)v, &run);
    for (int v = 0; v < TM_MERGE_MAPS; v++)
        frame_regions(m, (tm_merge_map)v);
    note_physics(m);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- all */

static tm_status conflict_marks_make(map_marks *out, const merge_picture *of, tm_error *error)
{
    static tm_status (*const kinds[])(marking * m) = {
        [TM_CONFLICT_FIELD] = mark_fields,  [TM_CONFLICT_TILES] = mark_conflict_tiles,
        [TM_CONFLICT_PIXELS] = NULL,        [TM_CONFLICT_SIZE] = mark_objects,
        [TM_CONFLICT_DATA] = mark_fields,   [TM_CONFLICT_ELEMENT] = mark_elements,
        [TM_CONFLICT_SETTING] = NULL,       [TM_CONFLICT_REMOVED] = mark_objects,
        [TM_CONFLICT_PLACE] = mark_objects, [TM_CONFLICT_ADDED] = mark_objects};
    conflict_marking m = {{.out = out, .time = of->options->time, .most = MAX_FRAMES, .error = error},
                          .conflicts = of->conflicts};
    tm_status status = TM_OK;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        m.common.maps[version] = of->maps[version];
    for (; !status && tm_conflicts_at(&m.conflict, of->conflicts, m.common.index); m.common.index++)
        if (m.conflict.open)
            status = marking_one(&m.common, kinds[m.conflict.kind]);
    return status;
}

typedef struct merge_panes {
    const merge_picture *of;
    map_marks marks;
    loaded files[TM_MERGE_MAPS]; /* of the maps, which stay the caller's; missing images are found here */
    panes all;
} merge_panes;

static tm_status open_merge_panes(merge_panes *m, const tm_job *job, tm_error *error)
{
    const merge_picture *of = m->of;
    tm_status status = conflict_marks_make(&m->marks, of, error);
    const picture_options options = map_marks_drawing(&m->marks, of->options, of->output);
    size_t at;
    if (status)
        return status;
    m->all.num = TM_MERGE_MAPS;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        m->files[version] = (loaded){.map = of->maps[version]};
        tm_findings_init(&m->files[version].findings, 0, NULL);
        m->all.list[version] = (pane){.path = of->paths[version],
                                      .file = &m->files[version],
                                      .marks = m->marks.map[version].marks,
                                      .num_marks = m->marks.map[version].num};
    }
    return panes_open(&m->all, &options, job, &at, error);
}

static void say_merge_lacks(const merge_panes *m, report *to)
{
    const map_marks *marks = &m->marks;
    if (m->of->tool->common->quiet)
        return;
    if (marks->placeless) {
        text_count(to->err, marks->placeless, "conflict has", "conflicts have");
        text_string(to->err, " no place on the map, and no frame in the picture\n");
    }
    if (marks->left_out) {
        text_count(to->err, marks->left_out, "conflict is", "conflicts are");
        text_string(to->err, " not framed: there are too many\n");
    }
}

static void close_merge_panes(merge_panes *m, bool opened, report *to)
{
    for (size_t version = 0; version < m->all.num; version++)
        if (m->files[version].map->num_groups)
            picture_report(m->of->tool, to, &m->all.list[version].picture, m->of->names[version],
                           &m->files[version]);
    for (size_t version = 0; version < m->all.num; version++)
        tm_findings_release(&m->files[version].findings);
    if (opened)
        say_merge_lacks(m, to);
    panes_close(&m->all);
    map_marks_release(&m->marks);
}

/* A base that does not exist would be an empty picture. */
static size_t first_pane(const merge_picture *of)
{
    return of->maps[TM_MERGE_BASE]->num_groups ? 0 : 1;
}

/* ---------------------------------------------------------------------------------------------- the page */

static bool put_conflict(text *out, const void *list, uint32_t index)
{
    tm_conflict conflict;
    char line[600];
    tm_conflicts_at(&conflict, list, index);
    if (!conflict.open)
        return false;
    tm_conflict_format(&conflict, line, sizeof(line));
    text_safe(out, line);
    return true;
}

/* Tiles are reported with their place in the base, or in the first map that has the layer. */
static frame_words put_conflict_tiles(text *out, const void *list, uint32_t index, size_t at,
                                      const tm_preview_mark *mark)
{
    char place[TM_ERROR_PLACE_SIZE];
    tm_conflict conflict;
    size_t first = 0;
    tm_conflicts_at(&conflict, list, index);
    if (conflict.kind != TM_CONFLICT_TILES)
        return FRAME_OF_SUBJECT;
    while (first < TM_MERGE_THEIRS && !conflict.there[first])
        first++;
    if (at != first)
        return FRAME_SILENT;
    tm_address_describe(&conflict.address[first], NULL, place, sizeof(place));
    text_string(out, place);
    if (*conflict.name) {
        text_string(out, " ");
        text_quoted(out, conflict.name);
    }
    text_print(out, ": both changed tiles at %.0f,%.0f %.0fx%.0f", mark->area.x, mark->area.y,
               mark->area.width, mark->area.height);
    return FRAME_TELLS;
}

static tm_status write_merge_page(merge_panes *m, report *to, tm_error *error)
{
    static const char *const words[] = {"base", "ours", "theirs"};
    const merge_picture *of = m->of;
    changes_page page = {
        .folder = of->page,
        .generator = "teemap merge",
        .what = "conflicts",
        .title = "Conflicts",
        .shown = &m->all,
        .size_given = of->options->size.width || of->options->scale > 0,
        .first = first_pane(of),
        .num = TM_MERGE_MAPS - first_pane(of),
        .named = TM_MERGE_OURS - first_pane(of),
        .first_kind = TM_MARK_CONFLICT,
        .last_kind = TM_MARK_CONFLICT,
        .subjects = {of->conflicts, tm_conflicts_num(of->conflicts), put_conflict, put_conflict_tiles}};
    changes_page_sum sum;
    for (size_t i = 0; i < page.num; i++) {
        const size_t version = page.first + i;
        page.maps[i] = (page_map){words[version], words[version], words[version], of->names[version],
                                  &m->marks.map[version]};
    }
    const tm_status status = changes_page_write(&sum, &page, error);
    if (!status && !of->tool->common->quiet)
        changes_page_say(&sum, of->page, "", to->err);
    return status;
}

/* --------------------------------------------------------------------------------------------------- all */

tm_status merge_picture_draw(bool *drawn, const merge_picture *of, const tm_job *job, report *to,
                             tm_error *error)
{
    const pane_range all = {first_pane(of), TM_MERGE_MAPS - first_pane(of), true};
    merge_panes m = {.of = of};
    *drawn = false;
    if (tm_conflicts_num_open(of->conflicts) == 0) {
        if (!of->tool->common->quiet)
            text_string(to->err, "no conflict is open: there is nothing to draw\n");
        return TM_OK;
    }
    tm_status status = open_merge_panes(&m, job, error);
    const bool opened = !status;
    if (!status && of->output) {
        status = panes_aim(&m.all, error);
        status = status ? status : panes_write(&m.all, all, of->format, of->output, error);
    }
    if (!status && of->page)
        status = write_merge_page(&m, to, error);
    close_merge_panes(&m, opened, to);
    *drawn = !status;
    return status;
}
