/* SPDX-License-Identifier: Zlib */
/*
 * cmd_thumbnail.c - `teemap thumbnail`: a small picture of each of many maps. Which picture goes where is
 * decided before anything is drawn (copy_plan.c); each map is then drawn by one thread, with a renderer of
 * its own that lives no longer than the map is worked on.
 */
#include "copy_plan.h"
#include "run/picture.h"

typedef struct thumbnail_options {
    picture_options picture;
    bool force;
} thumbnail_options;

static const option_row thumbnail_rows[] = {
    TARGET_ROW(picture_options, "write the pictures to this folder"),
    OUTPUT_ROW(picture_options, "for a single map: write to FILE, even if it is up to date"),
    {'f', "force", NULL, FLAG_AT(thumbnail_options, force), .text = "redraw pictures that are up to date"},
    COMPRESS_ROW,
    JSON_EACH_ROW,
    SMALL_PICTURE_ROWS,
    RECURSIVE_INTO_ROW,
    RUNNING_ROWS("print a line for each map, and notes about the files"),
    {0},
};

COMMAND(thumbnail, thumbnail_options, 1, -1, .operands = {OPERAND_MAP}, .searches_images = true);

/* Memory for the maps. Of what is left, a third is for images as read, two thirds for images made ready. */
#define MEMORY_OF_MAPS ((uint64_t)320 << 20)

typedef struct thumbnail_run {
    cli_tool *tool;
    const thumbnail_options *options;
    copy_plan plan; /* of -t; empty with -o */
    missing_list missing;
    tm_mapres_cache *images;  /* of all maps; NULL: none */
    tm_shared_images *shared; /* the same, made ready; NULL: none */
    atomic_size_t drawn, skipped;
    double started; /* s */
} thumbnail_run;

typedef struct thumbnail {
    const char *path, *output;
    bool skipped;
    tm_status status;
    picture_options options; /* for this map */
    best_picture best;       /* closed, when it is reported */
    loaded file;
} thumbnail;

/* Whether the file is a PNG of the wanted size. */
static bool has_size(const char *path, const size_value *size)
{
    uint32_t width, height;
    tm_input input;
    if (tm_sys_kind_of(path) != TM_SYS_FILE || tm_sys_open_input(&input, path, 0, NULL, NULL))
        return false;
    const bool fine = tm_png_size(&width, &height, &input) && width == size->width && height == size->height;
    input.close(input.ctx);
    return fine;
}

static tm_status draw_thumbnail(thumbnail *t, const tm_job *job)
{
    tm_status status = best_picture_open(&t->best, &t->options, t->path, &t->file, job);
    status = status ? status : picture_write(&t->best.picture, PICTURE_PNG, t->output, &t->file.error);
    best_picture_close(&t->best);
    return status;
}

/* Lists the missing images of a map that is not drawn again. */
static void list_missing_of_skipped(const thumbnail_run *run, thumbnail *t)
{
    loaded file;
    tm_mapres *mapres = NULL;
    if (!t->options.missing_names)
        return;
    load_map(&file, t->path, run->tool->common->mode);
    tm_status status = file.status;
    if (!status)
        status = images_open(&mapres, &t->options.mapres, t->path, file.map->game, NULL, &file.error);
    if (!status)
        status = images_put_missing(t->options.missing_names, mapres, file.map, &file.error);
    t->status = status;
    t->file.error = file.error;
    tm_mapres_free(mapres);
    loaded_release(&file);
}

static void make(const thumbnail_run *run, thumbnail *t, const tm_job *job)
{
    const picture_options *options = &run->options->picture;
    t->skipped = !options->output && !run->options->force && tm_sys_is_newer(t->output, t->path) &&
                 has_size(t->output, &options->size);
    if (t->skipped) {
        tm_findings_init(&t->file.findings, 0, NULL);
        list_missing_of_skipped(run, t);
        return;
    }
    load_map(&t->file, t->path, run->tool->common->mode);
    t->status = t->file.status ? t->file.status : draw_thumbnail(t, job);
}

static void print_thumbnail(cli_report *report, const thumbnail *t)
{
    const bool written = !t->status && !t->skipped;
    json_t *object =
        json_object(JSON_TEXT("path", t->path), JSON_TEXT("output", t->output), JSON_BOOL("written", written),
                    JSON_BOOL("skipped", t->skipped), JSON_INT("width", t->options.size.width),
                    JSON_INT("height", t->options.size.height));
    if (written)
        json_add(object, "view",
                 json_object(JSON_TEXT("kind", tm_preview_kind_name(t->best.view.kind)),
                             JSON_REAL("x", t->best.view.x), JSON_REAL("y", t->best.view.y),
                             JSON_REAL("zoom", t->best.view.zoom),
                             JSON_BOOL("entities", t->best.shows_entities),
                             JSON_BOOL("blank", t->best.blank)));
    if (t->status)
        json_add_error(object, &t->file.error);
    json_add_findings(object, &t->file.findings);
    report_done(report, object,
                "{{^error}}{{path:path}} -> {{output}}: {{#skipped}}up to date{{/}}"
                "{{#view}}{{kind}} at {{x:.1}},{{y:.1}}{{/}}\n{{/}}");
}

static void thumbnail_of_map(void *ctx, cli_report *report)
{
    thumbnail_run *run = ctx;
    thumbnail t = {.path = report->path,
                   .output =
                       run->plan.num ? run->plan.steps[report->index].output : run->options->picture.output,
                   .options = run->options->picture};
    t.options.images = run->images;
    t.options.shared = run->shared;
    t.options.memory = run->tool->memory;
    t.options.missing_names = missing_list_of(&run->missing, report->index);
    make(run, &t, report->job);
    if (!t.status)
        atomic_fetch_add(t.skipped ? &run->skipped : &run->drawn, 1);
    if (run->tool->common->verbose) /* for thousands of maps they would only hide the errors */
        report_loaded(report, &t.file, SHOW_FEW);
    if (!t.status && t.best.blank)
        report_note(
            report,
            picture_lacks_data(&t.file.findings)
                ? "warning: nothing of the map can be drawn: it is damaged; 'teemap check' lists its errors"
            : picture_misses_images(&t.file.findings)
                ? "warning: nothing of the map can be drawn: its images are not found; 'teemap doctor MAP' "
                  "shows where they are searched for"
                : "warning: there is nothing in the map to draw");
    if (!t.status && (t.file.findings.errors || picture_lacks_data(&t.file.findings)))
        raise_status(&report->status, STATUS_FINDINGS);
    print_thumbnail(report, &t);
    if (t.status) {
        report_error(report, &t.file.error);
        raise_status(&report->status, STATUS_TROUBLE);
    }
    loaded_release(&t.file);
}

/* What is wrong with the operands as a whole; NULL if nothing is. */
static const char *thumbnail_usage_fault(const cli_tool *tool)
{
    const picture_options *o = tool->options;
    if (o->folder && o->output)
        return "use -o or -t, not both";
    if (!o->folder && !o->output)
        return "no output: give -t DIR, or -o FILE for one map";
    if (o->output && tool->num_operands > 1)
        return "several maps need a folder to go to: -t DIR";
    picture_format format;
    picture_options png = *o; /* whatever the output is called: file managers make up names */
    png.format = PICTURE_PNG;
    return o->output ? picture_choose_format(&format, &png, o->output, PICTURE_STILL) : NULL;
}

static void draw_maps(thumbnail_run *run, const char *const *paths, size_t num)
{
    const uint64_t memory = run->options->picture.memory,
                   spare = num > 1 && memory > MEMORY_OF_MAPS ? memory - MEMORY_OF_MAPS : 0;
    run->tool->memory = memory - spare;
    /* Images that many maps name are read and made ready once for all; else it is slower, but it works. */
    if (num > 1 && tm_mapres_cache_new(&run->images, spare / 3, NULL, NULL))
        run->images = NULL;
    if (spare && tm_shared_images_new(&run->shared, spare - spare / 3, NULL, NULL))
        run->shared = NULL;
    if (missing_list_begin(&run->missing, run->tool, run->options->picture.missing_list, paths, num)) {
        tool_each(run->tool, paths, num, thumbnail_of_map, run);
        missing_list_end(&run->missing, run->tool);
    }
    tm_shared_images_free(run->shared);
    tm_mapres_cache_free(run->images);
}

/* What was made, and how long it took, for who waits at a terminal. */
static void print_thumbnails_done(thumbnail_run *run)
{
    const picture_options *options = &run->options->picture;
    const size_t drawn = atomic_load(&run->drawn), skipped = atomic_load(&run->skipped);
    text err = {0};
    if (!tool_is_watched(run->tool) || drawn + skipped == 0)
        return;
    put_about(&err, options->output ? options->output : options->folder,
              "%zu picture%s of %" PRIu32 "x%" PRIu32 " pixels drawn", drawn, drawn == 1 ? "" : "s",
              options->size.width, options->size.height);
    if (skipped)
        text_print(&err, ", %zu up to date", skipped);
    text_print(&err, ", %.1f s\n", tm_sys_seconds() - run->started);
    tool_print(run->tool, &err);
}

int cmd_thumbnail(cli_tool *tool)
{
    thumbnail_run run = {.tool = tool, .options = tool->options, .started = tm_sys_seconds()};
    tool->unit = "rows";
    const char *fault = thumbnail_usage_fault(tool);
    if (fault)
        return tool_usage(tool, fault);
    tool->needs = FILE_NEEDS_ALL;
    if (run.options->picture.output) {
        const char *path = tool->operands[0];
        draw_maps(&run, &path, 1);
    } else if (copy_plan_make_all(&run.plan, tool, run.options->picture.folder, ".png")) {
        draw_maps(&run, run.plan.paths, run.plan.num);
    }
    print_thumbnails_done(&run);
    copy_plan_release(&run.plan);
    return STATUS_DONE;
}
