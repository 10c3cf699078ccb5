/* SPDX-License-Identifier: Zlib */
/*
 * cmd_tiles.c - `teemap tiles`: a deep-zoom pyramid of each group, and of each physics layer, and a page that
 * lays them over one another.
 */
#include "tiling.h"

static const option_row tiles_rows[] = {
    TARGET_ROW(picture_options, "write the page and the tiles to this folder"),
    OUTPUT_ROW(picture_options, "write a single page with all tiles to FILE"),
    {0, "pack", NULL, FLAG_AT(tiles_options, pack),
     .text = "put all tiles into one file, DIR/tiles.bin; the page loads parts of it from a web server"},
    {0, "live", "URL", TEXT_AT(tiles_options, live),
     .text = "make no tiles: copy the map to DIR, and draw it in the visitor's browser with view.js of the "
             "JavaScript package at this URL, relative to DIR"},
    {'f', "force", NULL, FLAG_AT(tiles_options, force),
     .text = "replace DIR/index.html even if another program wrote it"},
    FORMAT_ROW(tile_formats, "format of the tiles (default png)"),
    PACKING_ROWS,
    JSON_ONE_ROW,
    {0, "each-layer", NULL, FLAG_AT(tiles_options, each_layer),
     .text =
         "make a pyramid for each design layer instead of each group, so that the page can show and hide layers"},
    {0, "times", "N", INTEGER_AT(tiles_options, times, 1, TILING_MAX_TIMES),
     .text = "draw moving parts at this many times, for the page to animate; multiplies their pictures"},
    SCALE_ROW(
        1, 256, NULL,
        "pixels per tile of the map at the largest scale, a power of two (default 32, or less if drawing would take "
        "more than about ten seconds)"),
    MOMENT_ROW,
    LAYERS_ROW,
    ENTITIES_ROW(
        "physics layers to include: a list of game,front,tele,speedup,switch,tune (default: all, initially hidden)"),
    LOOK_ROWS,
    IMAGE_ROWS("none"),
    {0, "limit", "PIXELS", COUNT_AT(picture_options, limit), .noun = "a number of pixels",
     .group = GROUP_RUNNING,
     .text =
         "refuse more work than this, counted in pixels of all layers (default 20G with --scale, else 2G and 100 MB "
         "of tiles); k, M and G mean thousands, millions and billions"},
    MEMORY_ROW,
    RUNNING_ROWS("print notes about the file too"),
    {0},
};

COMMAND(tiles, tiles_options, 1, 1, .operands = {OPERAND_MAP}, .searches_images = true);

static void add_pyramids(json_t *object, const cli_tiling *t, uint64_t tiles)
{
    json_add_all(object, JSON_REAL("scale", t->frame.scale * TM_TILE_PX),
                 JSON_INT("levels", t->frame.num_levels), JSON_INT("tiles", tiles));
    json_t *parts = json_add_array(object, "pyramids");
    for (size_t i = 0; i < t->num_parts; i++) {
        const page_part *part = &t->parts[i];
        if (!part->num_tiles)
            continue; /* at this time */
        const tm_address part_address = {part->single ? TM_KIND_LAYER : TM_KIND_GROUP, part->group,
                                         part->layer};
        char address[64];
        tm_address_format(&part_address, address, sizeof(address));
        json_append(
            parts, json_object(JSON_TEXT("address", address), JSON_TEXT("folder", part->id),
                               JSON_BOOL("physics", part->physics), JSON_REAL("time", t->times[part->moment]),
                               JSON_INT("tiles", part->num_tiles), JSON_INT("bytes", part->num_bytes)));
    }
}

static const char tiles_form[] =
    "{{output}}: {{^tiles}}drawn by the browser{{/}}{{#tiles}}{{tiles:tile|tiles}} on {{levels:level|levels}}{{/}}, "
    "{{bytes:bytes}}{{#seconds}}, {{.:.1}} s{{/}}\n";

static void report_tiles(const cli_tool *tool, const cli_tiling *t, double started, cli_report *report)
{
    uint64_t tiles = 0, bytes = t->options.live ? t->pack_size : 0;
    char *output = tiling_index(t);
    for (size_t i = 0; i < t->num_parts; i++) {
        tiles += t->parts[i].num_tiles;
        bytes += t->parts[i].num_bytes;
    }
    json_t *object =
        json_object(JSON_TEXT("path", t->path), JSON_TEXT("output", output), JSON_INT("bytes", bytes));
    if (!t->options.live)
        add_pyramids(object, t, tiles);
    json_add_findings(object, &t->file.findings);
    if (tool_is_watched(tool)) /* no JSON is asked for then */
        json_add(object, "seconds", json_real(tm_sys_seconds() - started));
    if (tool->common->json)
        text_json_line(report->out, object);
    else if (tool->common->quiet)
        json_free(object);
    else
        form_line(report->out, tiles_form, object);
    free(output);
}

static void tile_map(void *ctx, cli_report *report)
{
    cli_tool *tool = ctx;
    cli_tiling t = {.path = tool->operands[0], .options = *(const tiles_options *)tool->options};
    const double started = tm_sys_seconds();
    tm_error *error = &t.file.error;
    load_map(&t.file, t.path, tool->common->mode);
    tm_status (*const make)(cli_tiling *, const tm_job *, tm_error *) =
        t.options.live ? tiling_make_live : tiling_make;
    const tm_status status = t.file.status ? t.file.status : make(&t, report->job, error);
    picture_report(report, &t.picture, &t.file);
    if (!status)
        report_tiles(tool, &t, started, report);
    else
        report_error(report, error);
    tiling_release(&t);
    loaded_release(&t.file);
}

int cmd_tiles(cli_tool *tool)
{
    const picture_options *options = tool->options;
    const char *path = tool->operands[0];
    if (!options->folder == !options->output)
        return tool_usage(tool, options->folder
                                    ? "use -o or -t, not both"
                                    : "no output: give -t DIR for a folder, or -o FILE for one page");
    const tiles_options *tiles = tool->options;
    if (tiles->live && (options->output || tiles->pack || tiles->times || tiles->each_layer))
        return tool_usage(tool, "--live makes no tiles: give -t DIR, and no --pack, --times or --each-layer");
    if (tiles->pack && !options->folder) {
        tool_usage(tool, "--pack is for -t DIR; the page of -o holds its tiles itself");
        return STATUS_TROUBLE;
    }
    const char *fault = options->folder ? files_page_fault(options->folder, "teemap", tiles->force) : NULL;
    if (fault)
        return tool_trouble(tool, options->folder, fault);
    tool->unit = "tiles";
    tool_each(tool, &path, 1, tile_map, tool);
    return STATUS_DONE;
}
