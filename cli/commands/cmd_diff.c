/* SPDX-License-Identifier: Zlib */
/*
 * cmd_diff.c - `teemap diff`: what changed between two maps, or two folders of maps. What differs is found by
 * the library (teemap/patch.h); here are files and how differences are reported.
 */
#include "changes_page.h"
#include "output/report_words.h"

typedef struct diff_options {
    picture_options drawing; /* first; its output is that of the patch */
    const char *parts;       /* NULL: not given */
    const char *picture, *page;
    bool stat, physics, bytes, tiles;
} diff_options;

static const option_row diff_rows[] = {
    OUTPUT_ROW(picture_options,
               "write the differences to this file as JSON for 'teemap patch'; - is standard output"),
    {0, "stat", NULL, FLAG_AT(diff_options, stat),
     .text = "print only how much changed, one line per pair of maps"},
    {0, "tiles", NULL, FLAG_AT(diff_options, tiles),
     .text = "with -v: print every changed tile and pixel, before and after"},
    {0, "picture", "FILE", FILE_AT(diff_options, picture),
     .text = "draw both maps side by side, with frames around changes; .png, .webp, or .rgba"},
    {0, "page", "DIR", FOLDER_AT(diff_options, page),
     .text =
         "write a web page to this folder that shows each place before and after, side by side or on top of each "
         "other, with a slider, a key that flips, and a list of places"},
    {'f', "force", NULL, FLAG_AT(picture_options, replace),
     .text = "with --page: replace DIR/index.html even if another program wrote it"},
    {0, "only", "WORDS", TEXT_AT(diff_options, parts), .noun = "words", .group = GROUP_PART,
     .text =
         "compare only these parts, separated by commas: map, info, settings, images, sounds, envelopes, groups, "
         "layers, design, physics, a kind of layer (tiles, quads, tele ...), or an address (2, 2/3, image/4); "
         "@X,Y+WxH at the end limits them to a rectangle of tiles"},
    {0, "physics", NULL, FLAG_AT(diff_options, physics), .group = GROUP_PART,
     .text =
         "compare only what affects gameplay: tiles with an effect, sizes of physics layers, server commands; "
         "status 0 means that gameplay is the same"},
    {0, "bytes", NULL, FLAG_AT(diff_options, bytes), .group = GROUP_PART,
     .text = "also report files with the same map but different bytes"},
    JSON_EACH_ROW,
    SIDE_BY_SIDE_ROWS("two", "that changed"),
    RUNNING_ROWS("print every change, with positions of tiles"),
    {0},
};

COMMAND(diff, diff_options, 2, 2, .operands = {OPERAND_MAP}, .searches_images = true);

/* ---------------------------------------------------------------------------------------------- one pair */

typedef struct map_pair {
    const char *path[2]; /* NULL: there is none on that side */
    const char *name;    /* what is shown of it */
} map_pair;

typedef struct diff_run {
    cli_tool *tool;
    map_pair *pairs;
    size_t num;
    bool folders;
    file_list files[2];
    picture_format format; /* of the picture */
} diff_run;

/* What two files are to each other. */
typedef struct comparison {
    loaded file[2];
    tm_patch *patch; /* NULL: the bytes are equal, or something failed */
    unknown_changes unknown;
    bool same_bytes;
    bool known; /* what differs; what fails then is writing and drawing */
    bool drawn; /* there is a picture */
    tm_status status;
    tm_error error;
    int side; /* on which the error is */
} comparison;

/* Files of equal bytes need not be opened as maps. */
static bool files_equal(const map_pair *pair)
{
    tm_input input[2];
    tm_error error;
    bool equal = false;
    if (strcmp(pair->path[0], "-") == 0 || strcmp(pair->path[1], "-") == 0)
        return false;
    if (open_path(&input[0], pair->path[0], &error))
        return false;
    if (!open_path(&input[1], pair->path[1], &error)) {
        if (tm_input_equal(&equal, &input[0], &input[1], NULL))
            equal = false; /* what cannot be read is reported when it is loaded */
        if (input[1].close)
            input[1].close(input[1].ctx);
    }
    if (input[0].close)
        input[0].close(input[0].ctx);
    return equal;
}

static tm_status narrow(comparison *result, const diff_options *options)
{
    tm_filter_options filter = TM_FILTER_OPTIONS_INIT;
    tm_patch *part;
    filter.words = options->parts;
    filter.race = options->physics;
    filter.before = result->file[0].map;
    if (!options->parts && !options->physics)
        return TM_OK;
    const tm_status status = tm_patch_filter(&part, result->patch, &filter, &result->error);
    tm_patch_free(result->patch);
    result->patch = part;
    return status;
}

static tm_status make_patch(comparison *result, const diff_options *options)
{
    tm_patch_options patch_options = TM_PATCH_OPTIONS_INIT;
    const tm_limits limits = picture_compare_limits(&options->drawing);
    patch_options.limits = &limits;
    return advise_on_limit(tm_patch_make(&result->patch, result->file[0].map, result->file[1].map,
                                         &patch_options, &result->error),
                           &result->error, "; see --memory");
}

enum { OUTPUT_SHARE = 6 };       /* of --memory: how long a patch or a text may be */
enum { BYTES_OF_CHANGE = 2000 }; /* a tree of JSON, and its text */

/* Changes, and the tiles and pixels that are told one by one. */
static uint64_t num_listed(const tm_patch *patch, bool tiles)
{
    tm_patch_change change;
    uint64_t num = tm_patch_num(patch);
    for (uint32_t i = 0; tiles && tm_patch_at(&change, patch, i); i++)
        num += change.num;
    return num;
}

static void compare_files(comparison *result, const map_pair *pair, const diff_options *options,
                          const tm_job *job)
{
    *result = (comparison){0};
    result->same_bytes = files_equal(pair);
    result->known = result->same_bytes;
    if (result->same_bytes && !options->drawing.output && !options->parts)
        return;
    for (int side = 0; side < 2 && !result->status; side++) {
        load_map(&result->file[side], pair->path[side], options->drawing.common.mode);
        result->status = result->file[side].status;
        result->error = result->file[side].error;
        result->side = side;
    }
    if (!result->status)
        result->status = make_patch(result, options);
    if (!result->status)
        result->status = narrow(result, options);
    if (!result->status && options->drawing.common.json &&
        num_listed(result->patch, options->tiles) > options->drawing.memory / BYTES_OF_CHANGE) {
        result->status = fail(&result->error, TM_ERROR_LIMIT,
                              "%" PRIu64 " changes are too many to be objects" MEMORY_ALLOWS_MORE,
                              num_listed(result->patch, options->tiles));
        tm_patch_free(result->patch);
        result->patch = NULL;
    }
    if (!result->status && !options->parts && !options->physics)
        result->status =
            unknown_find(&result->unknown, result->file[0].map, result->file[1].map, job, &result->error);
    result->known = !result->status;
}

/* ---------------------------------------------------------------------------------------------- pictures */

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
    char kinds[1024], what[48];
    tm_patch_change change;
    tm_patch_at(&change, list, index);
    if (change.kind != TM_CHANGE_TILES)
        return FRAME_OF_SUBJECT;
    if (at != 0)
        return FRAME_SILENT;
    snprintf(what, sizeof(what), "tiles %s", tm_mark_kind_name(mark->kind));
    put_frame_place(out, &change.after, change.name, what, mark);
    const tm_rect area = {(int32_t)mark->area.x, (int32_t)mark->area.y, (uint32_t)mark->area.width,
                          (uint32_t)mark->area.height};
    if (tm_patch_tell_tiles(kinds, sizeof(kinds), list, index, &area, NULL))
        out_of_memory();
    if (*kinds)
        text_print(out, ": %s", kinds);
    return FRAME_TELLS;
}

static void put_lacking_changes(text *err, const tm_preview_marks *marks)
{
    if (marks->map[0].num_frames + marks->map[1].num_frames == 0)
        text_string(err, "no change has a place on the map: the picture has no frames\n");
}

static void draw_differences(const diff_run *run, comparison *result, const map_pair *pair,
                             cli_report *report)
{
    const diff_options *options = run->tool->options;
    changes_page page = {
        .options = &options->drawing,
        .picture = options->picture,
        .format = run->format,
        .folder = options->page,
        .generator = "teemap diff",
        .noun = "changes",
        .singular = "change is",
        .plural = "changes are",
        .title = "Changes",
        .advice = ", and --only takes a part",
        .maps = {{"old", "the old map", "before", pair->path[0], pair->path[0], &result->file[0]},
                 {"new", "the new map", "after", pair->path[1], pair->path[1], &result->file[1]}},
        .num = 2,
        .named = 1,
        .first_kind = TM_MARK_ADDED,
        .last_kind = TM_MARK_CHANGED,
        .subjects = {result->patch, tm_patch_num(result->patch), put_change, put_changed_tiles},
        .put_lacking = put_lacking_changes,
        .failed = 1};
    if (result->status || tm_patch_num(result->patch) == 0)
        return;
    result->status = tm_preview_patch_marks(&page.marks, result->patch, result->file[0].map,
                                            result->file[1].map, options->drawing.time, &result->error);
    if (!result->status)
        result->status = changes_page_draw(&page, report->job, report, &result->error);
    result->side = (int)page.failed;
    result->drawn = !result->status;
}

/* ----------------------------------------------------------------------------------------------- telling */

static bool differs(const comparison *result, const diff_options *options)
{
    return tm_patch_num(result->patch) > 0 || result->unknown.num > 0 ||
           (options->bytes && !result->same_bytes);
}

static void put_pair_text(cli_report *report, const diff_run *run, const map_pair *pair,
                          const comparison *result)
{
    const diff_options *options = run->tool->options;
    const bool any = tm_patch_num(result->patch) > 0 || result->unknown.num > 0;
    if (!differs(result, options))
        return;
    if (run->folders || options->stat)
        text_lead(report->out, pair->name);
    if (!any) {
        text_print(report->out, "the same map in other bytes, %" PRIu64 " and %" PRIu64 " of them\n",
                   result->file[0].file_size, result->file[1].file_size);
        return;
    }
    const tm_tell_options tell_options = {.size = sizeof(tell_options),
                                          .before = result->file[0].map,
                                          .after = result->file[1].map,
                                          .num_unread = result->unknown.num,
                                          .sum_only = options->stat,
                                          .all = options->drawing.common.verbose,
                                          .tiles = options->tiles,
                                          .kinds = options->physics};
    put_patch(report->out, result->patch, &tell_options, options->drawing.memory / OUTPUT_SHARE);
    if (!options->stat)
        put_unknown(report->out, &result->unknown, options->drawing.common.verbose);
}

static void put_pair_json(cli_report *report, const map_pair *pair, const comparison *result,
                          const diff_options *options)
{
    json_t *object = json_object(JSON_TEXT("old", pair->path[0]), JSON_TEXT("new", pair->path[1]),
                                 JSON_BOOL("same", !result->status && !differs(result, options)),
                                 JSON_BOOL("same_bytes", result->same_bytes));
    json_add_changes(object, result->patch, options->tiles);
    json_add_unknown(object, &result->unknown);
    if (options->page)
        json_add_text(object, "page", result->drawn ? options->page : NULL);
    if (options->picture)
        json_add_text(object, "picture", result->drawn ? options->picture : NULL);
    if (result->status)
        json_add_error(object, &result->error);
    text_json_line(report->out, object);
}

/* A patch as JSON, which may be much longer than the maps. */
static void write_patch(const diff_run *run, comparison *result, const map_pair *pair, cli_report *report)
{
    const diff_options *options = run->tool->options;
    const char *path = options->drawing.output;
    output_file file;
    if (result->status || !path)
        return;
    result->status = output_open(&file, path, &result->error);
    file.most = options->drawing.memory / OUTPUT_SHARE;
    result->status =
        result->status ? result->status : tm_patch_write(result->patch, &file.output, &result->error);
    result->status = advise_on_limit(output_close(&file, result->status, &result->error), &result->error,
                                     "; see --memory");
    if (result->status || result->unknown.num == 0 || run->tool->common->quiet)
        return;
    put_about(report->err, pair->name, "a patch does not hold what teemap does not read: ");
    text_count(report->err, result->unknown.num, "part that differs is", "parts that differ are");
    text_string(report->err, " left out\n");
}

/* A map that is in one folder only, or that git calls new or removed by naming /dev/null in its place. */
static void print_lone_map(cli_report *report, const diff_run *run, const map_pair *pair)
{
    if (run->tool->common->json) {
        text_json_line(report->out, json_object(JSON_TEXT("old", pair->path[0]),
                                                JSON_TEXT("new", pair->path[1]), JSON_BOOL("same", false)));
    } else {
        const char *side = pair->path[0] ? "old" : "new";
        if (run->folders)
            text_line(report->out, "%s: only in the %s folder", pair->name, side);
        else
            text_line(report->out, "%s: %s map, and nothing to compare it with", pair->name,
                      pair->path[0] ? "a removed" : "a new");
    }
    raise_status(&report->status, STATUS_FINDINGS);
}

static void diff_pair_of_files(void *ctx, cli_report *report)
{
    const diff_run *run = ctx;
    const diff_options *options = run->tool->options;
    const map_pair *pair = &run->pairs[report->index];
    comparison result;
    if (!pair->path[0] || !pair->path[1]) {
        print_lone_map(report, run, pair);
        return;
    }
    compare_files(&result, pair, options, report->job);
    for (int side = 0; side < 2; side++) {
        report->path = pair->path[side];
        report_loaded(report, &result.file[side], SHOW_ERRORS);
    }
    write_patch(run, &result, pair, report);
    if (options->picture || options->page)
        draw_differences(run, &result, pair, report);
    if (options->drawing.common.json)
        put_pair_json(report, pair, &result, options);
    else if (result.known && !(options->drawing.output && strcmp(options->drawing.output, "-") == 0))
        put_pair_text(report, run, pair, &result);
    report->path = pair->path[result.side];
    if (result.status)
        report_error(report, &result.error);
    else if (differs(&result, options))
        raise_status(&report->status, STATUS_FINDINGS);
    tm_patch_free(result.patch);
    unknown_release(&result.unknown);
    loaded_release(&result.file[0]);
    loaded_release(&result.file[1]);
}

/* ----------------------------------------------------------------------------------------------- folders */

static bool is_folder(const char *path)
{
    return strcmp(path, "-") != 0 && tm_sys_kind_of(path) == TM_SYS_FOLDER;
}

/* What git names in place of a map that is not there. */
static bool is_null_device(const char *path)
{
    return strcmp(path, "/dev/null") == 0;
}

static void add_pair(diff_run *run, const char *before, const char *after, const char *name)
{
    run->pairs[run->num++] = (map_pair){{before, after}, name};
}

/* Both lists are in the order of bytes. */
static void pair_folders(diff_run *run)
{
    const file_list *old = &run->files[0], *new = &run->files[1];
    run->pairs = must_alloc(old->num + new->num + 1, sizeof(*run->pairs));
    for (size_t i = 0, j = 0; i < old->num || j < new->num;) {
        const int order = i == old->num   ? 1
                          : j == new->num ? -1
                                          : strcmp(old->relatives[i], new->relatives[j]);
        if (order == 0) {
            add_pair(run, old->paths[i], new->paths[j], new->relatives[j]);
            i++;
            j++;
        } else if (order < 0) {
            add_pair(run, old->paths[i], NULL, old->relatives[i]);
            i++;
        } else {
            add_pair(run, NULL, new->paths[j], new->relatives[j]);
            j++;
        }
    }
}

static bool make_pairs(diff_run *run)
{
    cli_tool *tool = run->tool;
    const diff_options *options = tool->options;
    run->folders = is_folder(tool->operands[0]);
    if (run->folders != is_folder(tool->operands[1])) {
        tool_trouble(tool, tool->operands[!run->folders], "a folder cannot be compared with a map");
        return false;
    }
    if (!run->folders) {
        run->pairs = must_alloc(1, sizeof(*run->pairs));
        const char *before = tool->operands[0], *after = tool->operands[1];
        const bool is_new = is_null_device(before), is_removed = is_null_device(after);
        if (is_new == is_removed || options->drawing.output || options->picture || options->page)
            add_pair(run, before, after, after);
        else
            add_pair(run, is_new ? NULL : before, is_removed ? NULL : after, is_new ? after : before);
        return true;
    }
    const char *alone = options->drawing.output ? "-o"
                        : options->picture      ? "--picture"
                        : options->page         ? "--page"
                                                : NULL;
    if (alone) {
        char *reason = must_print("%s is for two maps, not for two folders", alone);
        tool_usage(tool, reason);
        free(reason);
        return false;
    }
    tool->common->recursive = true;
    files_expand(&run->files[0], tool, &tool->operands[0], 1);
    files_expand(&run->files[1], tool, &tool->operands[1], 1);
    pair_folders(run);
    return true;
}

/* What speaks against the options; NULL: nothing. */
static const char *diff_fault(diff_run *run)
{
    const diff_options *options = run->tool->options;
    if (options->drawing.replace && !options->page)
        return "--force is for --page only";
    const char *fault = changes_page_fault(&run->format, &options->drawing, options->picture);
    if (!fault && options->picture && options->drawing.output &&
        strcmp(options->drawing.output, options->picture) == 0)
        return "-o and --picture would be the same file";
    return fault;
}

int cmd_diff(cli_tool *tool)
{
    diff_run run = {.tool = tool};
    const diff_options *options = tool->options;
    const char *fault = diff_fault(&run);
    const bool draws = options->picture || options->page;
    tool->needs = draws ? FILE_NEEDS_ALL : FILE_NEEDS_BLOCK;
    tool->memory = draws ? options->drawing.memory : 0;
    const char *page_fault =
        options->page ? files_page_fault(options->page, "teemap diff", options->drawing.replace) : NULL;
    if (fault || page_fault) {
        tool_trouble(tool, fault ? tool->command->name : options->page, fault ? fault : page_fault);
    } else if (make_pairs(&run)) {
        const char **paths = must_alloc(run.num + 1, sizeof(*paths));
        for (size_t i = 0; i < run.num; i++)
            paths[i] = run.pairs[i].path[1] ? run.pairs[i].path[1] : run.pairs[i].path[0];
        tool_each(tool, paths, run.num, diff_pair_of_files, &run);
        free(paths);
    }
    free(run.pairs);
    files_release(&run.files[0]);
    files_release(&run.files[1]);
    return STATUS_DONE;
}
