/* SPDX-License-Identifier: Zlib */
/*
 * diff_picture.c - the picture of `teemap diff --picture`, and what the page is told of changes.
 */
#include "diff_picture.h"

#include "output/text_buffer.h"

tm_status diff_picture_open(diff_picture *of, const tm_job *job, tm_error *error)
{
    of->side = 1;
    TRY(tm_preview_patch_marks(&of->marks, of->patch, of->files[0]->map, of->files[1]->map, of->options->time,
                               error));
    const picture_options options = panes_drawing(&of->marks, of->options, of->output);
    of->both.num = 2;
    for (int side = 0; side < 2; side++) {
        pane *own = &of->both.list[side];
        own->path = of->paths[side];
        own->file = of->files[side];
        own->marks = of->marks.map[side].list;
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
    const tm_preview_marks *marks = &of->marks;
    if (to->tool->common->quiet)
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
        to->path = of->paths[side];
        picture_report(to, &of->both.list[side].picture, of->files[side]);
    }
    if (opened)
        say_lacking(of, to);
    panes_close(&of->both);
    tm_preview_marks_release(&of->marks);
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
    char place[TM_ERROR_PLACE_SIZE], kinds[1024];
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
    if (tm_patch_tell_tiles(kinds, sizeof(kinds), list, index, &within, NULL))
        out_of_memory();
    if (*kinds)
        text_print(out, ": %s", kinds);
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
