/* SPDX-License-Identifier: Zlib */
/*
 * cmd_render.c - `teemap render`: a picture of a map. The camera comes from the options, or shows the
 * whole map.
 */
#include "output/json.h"
#include "run/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

static const option_row render_rows[] = {
    OUTPUT_ROW(picture_options, "the picture (default: NAME.png for NAME.map)"),
    FORMAT_ROW(still_formats, "what to write, whatever the output is called; raw: 4 bytes (RGBA) a pixel"),
    PACKING_ROWS,
    JSON_ONE_ROW,
    CAMERA_ROWS,
    MOMENT_ROW,
    DRAWING_ROWS("client"),
    PICTURE_LIMIT_ROW("200G", ""),
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("say what was written; notes about the file too"),
    QUIET_ROW,
    {0},
};

static int cmd_render(cli_tool *tool);

const command render_command = {
    .name = "render",
    .summary = "draw a map as a picture",
    .usages = {"[OPTION]... MAP"},
    .text =
        "Draws the map as the games' clients do, on the CPU, and writes it to FILE with -o, else to a PNG of the "
        "map's name in the current folder. The name of FILE tells the format: .png, .webp, or .rgba or .raw for "
        "raw pixels (4 bytes, RGBA); - is a PNG to a pipe, unless --format says otherwise. Without further "
        "options the picture shows the whole map, as a player sees it who is zoomed out.\n\n"
        "--view\twhat a player sees, with parallax and clipping\n"
        "--whole\tall of the map, cut out of what a player sees who is zoomed out; the default\n"
        "--fit\tthe same for the part of the map where something is\n"
        "--region\ta rectangle of the map; groups stand as they are seen from its middle, or with --flat all in "
        "place\n\n"
        "External images are searched in the folders of --mapres, beside the map, in the user's and the installed "
        "games' folders, and in TEEMAP_MAPRES. One that is not found is a warning; 'teemap doctor MAP' tells where "
        "it was looked for.",
    .rows = render_rows,
    .options_size = sizeof(picture_options),
    .examples = {{"render Tutorial.map", "the whole map, as Tutorial.png"},
                 {"render Tutorial.map --view 2070,28 -o view.png", "what a player sees at the finish"},
                 {"render Tutorial.map --view 2070,28 --quality 80 -o view.webp", "the same for a web page"},
                 {"render Tutorial.map --region 2040,10,64,36 --scale 32", "a part, 32 pixels a tile"},
                 {"render Tutorial.map --entities --layers design@30 --scale 16",
                  "what the tiles do, over a faint design"},
                 {"render Tutorial.map --fit --scale 8", "what there is of it, 8 pixels a tile"}},
    .min_operands = 1,
    .max_operands = 1,
    .operands = {OPERAND_MAP},
    .searches_images = true,
    .findings = PICTURE_STATUS_1,
    .run = cmd_render,
};

typedef struct drawing {
    cli_tool *tool;
    const char *path;
    report *to;
    picture picture;
} drawing;

static void say_drawn(const drawing *of, const char *output, const tm_findings *findings)
{
    if (of->tool->common->json) {
        json_t *object = json_make();
        json_add_text(object, "path", of->path);
        json_add_text(object, "output", output);
        json_add_int(object, "width", of->picture.camera.width);
        json_add_int(object, "height", of->picture.camera.height);
        json_add_findings(object, findings);
        text_json(of->to->out, object);
        text_put(of->to->out, "\n", 1);
    } else if (of->tool->common->verbose) {
        text_safe(of->to->err, output);
        text_print(of->to->err, ": %" PRIu32 " x %" PRIu32 " pixels\n", of->picture.camera.width,
                   of->picture.camera.height);
    }
}

static tm_status render(drawing *of, loaded *file, picture_format format, const char *output,
                        const tm_job *job, tm_error *error)
{
    const picture_options *options = of->tool->options;
    tm_camera camera;
    tm_status status = picture_aim(&camera, options, file->map, error);
    if (status)
        return status;
    status = picture_open(&of->picture, options, &camera, of->path, file, job, error);
    return status ? status : picture_write(&of->picture, format, output, error);
}

static void render_map(void *ctx, size_t index, const tm_job *job, report *to)
{
    (void)index;
    cli_tool *tool = ctx;
    drawing of = {.tool = tool, .path = tool->operands[0], .to = to};
    picture_format format;
    const picture_options *options = tool->options;
    const char *wanted = options->output ? options->output : "";
    const char *fault = picture_choose_format(&format, options, wanted, PICTURE_STILL);
    char *made = *wanted ? NULL : picture_default_name(of.path, picture_suffix(format));
    const char *output = *wanted ? wanted : made;
    loaded file;
    load_map(&file, of.path, tool->common->mode, false);
    tm_status status = file.status;
    if (!status && fault) {
        status = picture_refuse(&file.error, fault);
        snprintf(file.error.path, sizeof(file.error.path), "%s", output); /* it is not about the map */
    }
    status = status ? status : render(&of, &file, format, output, job, &file.error);
    report_findings(tool, to, of.path, &file.findings, false);
    if (!status && picture_lacks_data(&file.findings))
        worsen(&to->status, STATUS_FINDINGS);
    if (!status)
        say_drawn(&of, output, &file.findings);
    else
        report_error(tool, to, of.path, &file.error);
    picture_close(&of.picture);
    loaded_release(&file);
    free(made);
}

static int cmd_render(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool->unit = "rows";
    tool_each(tool, &path, 1, render_map, tool);
    return STATUS_DONE;
}
