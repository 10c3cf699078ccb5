/* SPDX-License-Identifier: Zlib */
/*
 * cmd_render.c - `teemap render`: a picture of a map. The camera comes from the options, or shows the
 * whole map.
 */
#include "copy_plan.h"
#include "run/picture.h"

static const option_row render_rows[] = {
    OUTPUT_ROW(
        picture_options,
        "picture to write (default: NAME.png for NAME.map, or NAME-VIEW.png of a view; a map from standard input is "
        "drawn to standard output)"),
    TARGET_ROW(picture_options, "write the pictures to this folder: NAME.png, or NAME-VIEW.png of a view"),
    {'f', "force", NULL, FLAG_AT(picture_options, replace),
     .text = "replace an existing NAME.png even without -o or -t"},
    FORMAT_ROW(still_formats, "format, regardless of the extension; raw: 4 bytes (RGBA) per pixel"),
    PACKING_ROWS,
    JSON_ROW("print JSON for other programs: one line and one object per picture"),
    CAMERA_ROWS,
    MOMENT_ROW,
    DRAWING_ROWS("none"),
    MEMORY_ROW,
    PICTURE_LIMIT_ROW,
    RECURSIVE_INTO_ROW,
    RUNNING_ROWS("print what was written, and warnings and notes about the file"),
    {0},
};

COMMAND(render, picture_options, 1, -1, .operands = {OPERAND_MAP}, .searches_images = true);

typedef struct render_run {
    cli_tool *tool;
    const picture_options *options;
    picture_format format;
    copy_plan plan;     /* of -t; empty without */
    const char *output; /* without -t */
    bool names_views;   /* -o has no say: each view has its name in that of its picture */
    missing_list missing;
    double started; /* s */
} render_run;

/* One map. */
typedef struct map_drawing {
    render_run *run;
    const char *path;
    const char *output; /* of the picture, maybe without the name of the view */
    cli_report *report;
    picture_options options; /* for this map */
    loaded file;
    cli_picture picture;
} map_drawing;

static void put_render_json(const map_drawing *drawing, const char *output, const char *view)
{
    const tm_camera *camera = &drawing->picture.camera;
    json_t *object = json_object(JSON_TEXT("path", drawing->path), JSON_TEXT("output", output),
                                 JSON_INT("width", camera->width), JSON_INT("height", camera->height));
    if (view)
        json_add(object, "view",
                 json_object(JSON_TEXT("name", view), JSON_REAL("x", camera->x / TM_TILE_PX),
                             JSON_REAL("y", camera->y / TM_TILE_PX), JSON_REAL("zoom", camera->zoom)));
    json_add_findings(object, &drawing->file.findings);
    text_json_line(drawing->report->out, object);
}

/* What one sees of a large map in a picture for the screen, and what to do about it. */
static void put_scale(text *out, const map_drawing *drawing)
{
    const picture_options *options = drawing->run->options;
    const double pixels = drawing->picture.camera.scale * TM_TILE_PX;
    if (options->views.num == 0 && options->scale <= 0 && pixels < 4)
        text_print(out, "; %.2g pixels a tile, --scale 8 shows more%s", pixels,
                   options->fit || options->has_region ? "" : ", --fit leaves empty borders out");
}

static void report_drawn(const map_drawing *drawing, const char *output, const char *view)
{
    const cli_tool *tool = drawing->run->tool;
    text *err = drawing->report->err;
    const bool alone = drawing->run->plan.num <= 1;
    if (tool->common->json)
        put_render_json(drawing, output, view);
    if (!tool->common->verbose && !(alone && tool_is_watched(tool)))
        return;
    put_about(err, strcmp(output, "-") == 0 ? "standard output" : output, "%" PRIu32 "x%" PRIu32 " pixels",
              drawing->picture.camera.width, drawing->picture.camera.height);
    if (alone && tool_is_watched(tool))
        text_print(err, ", %.1f s", tm_sys_seconds() - drawing->run->started);
    if (alone)
        put_scale(err, drawing);
    text_string(err, "\n");
}

/* A view that the map does not have leaves the other pictures alone. */
static void report_not_drawn(const map_drawing *drawing, const tm_error *error)
{
    if (error->code != TM_ERROR_NOT_FOUND) {
        report_error(drawing->report, error);
        return;
    }
    put_error(drawing->report->err, path_name(drawing->path), error);
    raise_status(&drawing->report->status, STATUS_FINDINGS);
}

static tm_status draw_view(map_drawing *drawing, const tm_camera *camera, const char *view,
                           const char *output, tm_error *error)
{
    drawing->picture.camera = *camera;
    drawing->picture.camera.opacities = drawing->picture.opacities;
    tm_status status = view ? picture_look(&drawing->picture, view, error) : TM_OK;
    status = status ? status : picture_write(&drawing->picture, drawing->run->format, output, error);
    if (!status)
        report_drawn(drawing, output, view);
    return status;
}

static void draw_views(map_drawing *drawing, const tm_camera *camera)
{
    const word_list *views = &drawing->run->options->views;
    for (size_t i = 0; i < views->num; i++) {
        tm_error error = {0};
        char *output = drawing->run->names_views ? picture_view_name(drawing->output, views->words[i])
                                                 : must_copy(drawing->output);
        if (draw_view(drawing, camera, views->words[i], output, &error))
            report_not_drawn(drawing, &error);
        free(output);
    }
}

static tm_status draw_map(map_drawing *drawing, tm_error *error)
{
    tm_camera camera;
    drawing->options = *drawing->run->options;
    drawing->options.missing_names = missing_list_of(&drawing->run->missing, drawing->report->index);
    TRY(picture_aim(&camera, &drawing->options, drawing->file.map, error));
    drawing->picture.camera = camera;
    TRY(picture_open(&drawing->picture, &drawing->options, drawing->path, &drawing->file,
                     drawing->report->job, error));
    if (drawing->options.views.num == 0)
        return draw_view(drawing, &camera, NULL, drawing->output, error);
    draw_views(drawing, &camera);
    return TM_OK;
}

static void render_map(void *ctx, cli_report *report)
{
    render_run *run = ctx;
    map_drawing drawing = {.run = run,
                           .path = report->path,
                           .output = run->plan.num ? run->plan.steps[report->index].output : run->output,
                           .report = report};
    load_map(&drawing.file, drawing.path, run->tool->common->mode);
    tm_status status = drawing.file.status ? drawing.file.status : draw_map(&drawing, &drawing.file.error);
    picture_report(report, &drawing.picture, &drawing.file);
    if (status)
        report_error(report, &drawing.file.error);
    picture_close(&drawing.picture);
    loaded_release(&drawing.file);
}

/* What is wrong with the operands as a whole; NULL if nothing is. */
static const char *render_usage_fault(const cli_tool *tool, const picture_options *o)
{
    if (o->folder && o->output)
        return "use -o or -t, not both";
    if (!o->folder && tool->num_operands > 1)
        return "several maps need a folder to go to: -t DIR";
    return o->output && o->views.num > 1 ? "several views need a folder to go to: -t DIR" : NULL;
}

/* Whether a picture of a name that we made up would replace a file: a mapper's tileset, most likely. */
static bool would_replace(cli_tool *tool, const picture_options *options, const char *output)
{
    bool found = false;
    for (size_t i = 0; !found && (i == 0 || i < options->views.num); i++) {
        char *path =
            options->views.num ? picture_view_name(output, options->views.words[i]) : must_copy(output);
        found = tm_sys_kind_of(path) != TM_SYS_MISSING;
        if (found)
            tool_trouble(tool, path, "exists already; -f replaces it, -o FILE names another one");
        free(path);
    }
    return found;
}

static void draw_all(render_run *run, const char *const *paths, size_t num)
{
    run->tool->memory = run->options->memory;
    if (missing_list_begin(&run->missing, run->tool, run->options->missing_list, paths, num)) {
        tool_each(run->tool, paths, num, render_map, run);
        missing_list_end(&run->missing, run->tool);
    }
}

/* One map: into a file, or to a pipe as it came from one. */
static void render_one(render_run *run)
{
    cli_tool *tool = run->tool;
    const char *path = tool->operands[0];
    const bool piped = strcmp(path, "-") == 0 && !tm_sys_stdout_is_terminal() && run->options->views.num < 2;
    const char *named = run->options->output ? run->options->output : piped ? "-" : NULL;
    const char *fault = picture_choose_format(&run->format, run->options, named ? named : "", PICTURE_STILL);
    char *made = named ? NULL : picture_default_name(path, picture_suffix(run->format));
    run->output = named ? named : made;
    run->names_views = !named;
    const char *place_fault = picture_places_fault(run->options, path);
    if (fault || place_fault)
        tool_trouble(tool, fault ? run->output : path, fault ? fault : place_fault);
    else if (!made || run->options->replace || !would_replace(tool, run->options, made))
        draw_all(run, &path, 1);
    free(made);
}

static void render_many(render_run *run)
{
    cli_tool *tool = run->tool;
    const picture_options *options = run->options;
    const char *fault = picture_choose_format(&run->format, options, "", PICTURE_STILL);
    run->names_views = true;
    if (fault)
        tool_usage(tool, fault);
    else if (copy_plan_make_all(&run->plan, tool, options->folder, picture_suffix(run->format)))
        draw_all(run, run->plan.paths, run->plan.num);
    copy_plan_release(&run->plan);
}

int cmd_render(cli_tool *tool)
{
    render_run run = {.tool = tool, .options = tool->options, .started = tm_sys_seconds()};
    const char *fault = render_usage_fault(tool, run.options);
    if (fault)
        return tool_usage(tool, fault);
    tool->unit = "rows";
    tool->needs = FILE_NEEDS_ALL;
    if (run.options->folder)
        render_many(&run);
    else
        render_one(&run);
    return STATUS_DONE;
}
