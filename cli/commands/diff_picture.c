/* SPDX-License-Identifier: Zlib */
/*
 * diff_picture.c - the picture of `teemap diff --picture`.
 */
#include "diff_picture.h"

/* What is drawn when nobody says: with changes of what the game plays by, that lies over the design. */
static picture_options drawing_options(const diff_picture *of, const patch_marks *marks, const char *output)
{
    picture_options options = *of->options;
    options.output = output;
    if (marks->physics && !options.layers && !options.entities)
        options.layers = "design@50,physics";
    return options;
}

static void say_lacking(const diff_picture *of, report *to, const patch_marks *marks)
{
    const bool marked = marks->side[0].num_frames + marks->side[1].num_frames > 0;
    if (of->tool->common->quiet)
        return;
    if (!marked)
        text_string(to->err, "no change has a place on the map: the picture has no frames\n");
    if (marks->left_out) {
        text_count(to->err, marks->left_out, "change is", "changes are");
        text_string(to->err, " not framed: there are too many\n");
    }
}

static tm_status draw_panes(diff_picture *of, const picture_options *options, panes *both, const char *path,
                            const tm_job *job, tm_error *error)
{
    const pane_range all = {0, 2, true};
    size_t at = 0;
    tm_status status = panes_open(both, options, job, &at, error);
    of->side = at < 2 ? (int)at : 1;
    status = status ? status : panes_aim(both, error);
    return status ? status : panes_write(both, all, of->format, path, error);
}

tm_status diff_picture_write(diff_picture *of, const char *path, const tm_job *job, report *to,
                             tm_error *error)
{
    const tm_map *const maps[2] = {of->files[0]->map, of->files[1]->map};
    patch_marks marks;
    panes both = {.num = 2};
    tm_status status = patch_marks_make(&marks, of->patch, maps, of->options->time, error);
    const picture_options options = drawing_options(of, &marks, path);
    for (int side = 0; side < 2; side++) {
        pane *own = &both.list[side];
        own->path = of->paths[side];
        own->file = of->files[side];
        own->marks = marks.side[side].marks;
        own->num_marks = marks.side[side].num;
    }
    status = status ? status : draw_panes(of, &options, &both, path, job, error);
    for (int side = 0; side < 2; side++)
        picture_report(of->tool, to, &both.list[side].picture, of->paths[side], of->files[side]);
    if (!status)
        say_lacking(of, to, &marks);
    panes_close(&both);
    patch_marks_release(&marks);
    return status;
}
