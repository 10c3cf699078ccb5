/* SPDX-License-Identifier: Zlib */
/*
 * merge_picture.c - see merge_picture.h. The three maps are drawn as they came, not as they were merged. A
 * frame says where both were at work, a tint what each of them did to the base there.
 */
#include "merge_picture.h"

typedef struct merge_panes {
    const merge_picture *of;
    tm_preview_marks marks;
    loaded files[TM_MERGE_MAPS]; /* of the maps, which stay the caller's; missing images are found here */
    panes all;
} merge_panes;

static tm_status open_merge_panes(merge_panes *m, const tm_job *job, tm_error *error)
{
    const merge_picture *of = m->of;
    const tm_map *const maps[TM_MERGE_MAPS] = {of->maps[0], of->maps[1], of->maps[2]};
    tm_status status = tm_preview_conflict_marks(&m->marks, of->conflicts, maps, of->options->time, error);
    const picture_options options = panes_drawing(&m->marks, of->options, of->output);
    size_t at;
    if (status)
        return status;
    m->all.num = TM_MERGE_MAPS;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        m->files[version] = (loaded){.map = of->maps[version]};
        tm_findings_init(&m->files[version].findings, 0, NULL);
        m->all.list[version] = (pane){.path = of->paths[version],
                                      .file = &m->files[version],
                                      .marks = m->marks.map[version].list,
                                      .num_marks = m->marks.map[version].num};
    }
    return panes_open(&m->all, &options, job, &at, error);
}

static void say_merge_lacks(const merge_panes *m, report *to)
{
    const tm_preview_marks *marks = &m->marks;
    if (to->tool->common->quiet)
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
    for (size_t version = 0; version < m->all.num; version++) {
        to->path = m->of->names[version];
        if (m->files[version].map->num_groups)
            picture_report(to, &m->all.list[version].picture, &m->files[version]);
    }
    for (size_t version = 0; version < m->all.num; version++)
        tm_findings_release(&m->files[version].findings);
    if (opened)
        say_merge_lacks(m, to);
    panes_close(&m->all);
    tm_preview_marks_release(&m->marks);
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
    if (!status && !to->tool->common->quiet)
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
        if (!to->tool->common->quiet)
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
