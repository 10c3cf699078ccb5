/* SPDX-License-Identifier: Zlib */
/*
 * merge_picture.c - see merge_picture.h. The three maps are drawn as they came, not as they were merged.
 */
#include "merge_picture.h"

#include <string.h>

typedef struct merge_panes {
    const merge_picture *of;
    map_marks marks;
    loaded files[TM_MERGE_MAPS]; /* of the maps, which stay the caller's; missing images are found here */
    panes all;
} merge_panes;

/* With conflicts in what the game plays by, that, over a fainter design, unless somebody says otherwise. */
static picture_options merge_drawing(const merge_panes *m)
{
    picture_options options = *m->of->options;
    options.output = m->of->output;
    if (m->marks.physics && !options.layers && !options.entities)
        options.layers = "design@50,physics";
    return options;
}

static tm_status open_merge_panes(merge_panes *m, const tm_job *job, tm_error *error)
{
    const merge_picture *of = m->of;
    const tm_map *const maps[] = {of->maps[TM_MERGE_BASE], of->maps[TM_MERGE_OURS],
                                  of->maps[TM_MERGE_THEIRS]};
    tm_status status = conflict_marks_make(&m->marks, of->conflicts, maps, of->options->time, error);
    const picture_options options = merge_drawing(m);
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

tm_status merge_picture_draw(bool *drawn, const merge_picture *of, const tm_job *job, report *to,
                             tm_error *error)
{
    /* a base that there is not would be an empty picture */
    const size_t first = of->maps[TM_MERGE_BASE]->num_groups ? 0 : 1;
    const pane_range all = {first, TM_MERGE_MAPS - first, true};
    merge_panes m = {.of = of};
    *drawn = false;
    if (tm_conflicts_num_open(of->conflicts) == 0) {
        if (!of->tool->common->quiet)
            text_string(to->err, "no conflict is open: there is nothing to draw\n");
        return TM_OK;
    }
    tm_status status = open_merge_panes(&m, job, error);
    const bool opened = !status;
    status = status ? status : panes_aim(&m.all, error);
    status = status ? status : panes_write(&m.all, all, of->format, of->output, error);
    close_merge_panes(&m, opened, to);
    *drawn = !status;
    return status;
}
