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

typedef struct drawing {
    cli_tool *tool;
    const char *path;
    report *to;
    picture picture;
} drawing;

static void say_drawn(const drawing *of, const char *output, const tm_findings *findings)
{
    if (of->tool->options.json) {
        json_t *object = json_make();
        json_add_text(object, "path", of->path);
        json_add_text(object, "output", output);
        json_add_int(object, "width", of->picture.camera.width);
        json_add_int(object, "height", of->picture.camera.height);
        json_add_findings(object, findings);
        text_json(of->to->out, object);
        text_put(of->to->out, "\n", 1);
    } else if (of->tool->options.verbose) {
        text_safe(of->to->err, output);
        text_print(of->to->err, ": %" PRIu32 " x %" PRIu32 " pixels\n", of->picture.camera.width,
                   of->picture.camera.height);
    }
}

static tm_status render(drawing *of, loaded *file, picture_format format, const char *output,
                        const tm_job *job, tm_error *error)
{
    const cli_options *options = &of->tool->options;
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
    const char *wanted = tool->options.output ? tool->options.output : "";
    const char *fault = picture_choose_format(&format, &tool->options, wanted, PICTURE_STILL);
    char *made = *wanted ? NULL : picture_default_name(of.path, picture_suffix(format));
    const char *output = *wanted ? wanted : made;
    loaded file;
    load_map(&file, of.path, tool->options.mode, false);
    tm_status status = file.status;
    if (!status && fault) {
        status = picture_refuse(&file.error, fault);
        snprintf(file.error.place, sizeof(file.error.place), "%s", output); /* it is not about the map */
    }
    status = status ? status : render(&of, &file, format, output, job, &file.error);
    const bool about_output =
        status == TM_ERROR_IO && file.opened && of.picture.renderer && !*file.error.place;
    report_findings(tool, to, of.path, &file.findings, false);
    if (!status)
        say_drawn(&of, output, &file.findings);
    else if (strcmp(output, "-") == 0 && about_output)
        tool->out.error = file.error; /* told at the end, unless the reader just went away */
    else
        report_error(to, about_output ? output : of.path, &file.error);
    picture_close(&of.picture);
    loaded_release(&file);
    free(made);
}

int cmd_render(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool->unit = "rows";
    tool_each(tool, &path, 1, render_map, tool);
    return STATUS_DONE;
}
