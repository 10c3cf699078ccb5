/* SPDX-License-Identifier: Zlib */
/*
 * cmd_copy.c - `teemap copy`: load, save. Which file goes where is decided before anything is written
 * (copy_plan.c); each file is then replaced only when the new one is complete.
 */
#include "copy_plan.h"
#include "output/report_words.h"
#include "run/made_map.h"

/* What stands between reading and writing. */
typedef enum copy_way { COPY_THROUGH_MAP = 0, COPY_THROUGH_DATAFILE } copy_way;

typedef struct copy_options {
    common_options common;
    const char *folder; /* NULL: not given */
    bool in_place, dry_run, has_game, has_output;
    tm_game game;
    uint32_t level; /* of --recompress; 0: not given */
    copy_way way;
} copy_options;

static const option_choice through_choices[] = {
    {"map", COPY_THROUGH_MAP, false}, {"datafile", COPY_THROUGH_DATAFILE, false}, {NULL, 0, false}};

static const option_row copy_rows[] = {
    LAST_OPERAND_ROW("OUT", OPTION_FILE,
                     "write the result to this file, as OUT alone does; - is standard output",
                     GIVEN_AT(copy_options, has_output)),
    TARGET_ROW(copy_options, "write all results into this folder"),
    {'i', "in-place", NULL, FLAG_AT(copy_options, in_place), .text = "overwrite the input files"},
    {'g', "game", "GAME", CHOICE_AT(copy_options, game, game_choices), GIVEN_AT(copy_options, has_game),
     .text = "rewrite the map as this game writes it"},
    {'z', "recompress", "LEVEL", INTEGER_AT(copy_options, level, 1, 12), .noun = "a level",
     .text = "unpack and repack every data block: 1 is fast, 12 is small, 6 is usual"},
    {0, "through", "WAY", CHOICE_AT(copy_options, way, through_choices), .preset = "map",
     .text = "map: use the typed model; datafile: copy items and blocks without interpreting them"},
    {'n', "dry-run", NULL, FLAG_AT(copy_options, dry_run),
     .text = "do everything except writing; print what would be written"},
    JSON_EACH_ROW,
    RECURSIVE_ROW("process all *.map files in folders; -t keeps the folder structure"),
    CHANGING_ROWS("print a line for each file, and notes, not only warnings"),
    {0},
};

COMMAND(copy, copy_options, 1, -1, .operands = {OPERAND_MAP});

typedef struct copy_result {
    loaded input;
    uint64_t output_size;
    bool salvaged; /* what is left of the map is written again */
} copy_result;

/* DDNet's editor writes an automapper item for every design layer, also for those without an automapper. */
static void add_automappers(tm_map *map)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        tm_layer *layer = &map->groups[walk.group].layers[walk.index];
        if (layer->kind == TM_LAYER_TILES && !layer->as.tiles.automapper.present)
            layer->as.tiles.automapper = (tm_automapper){.present = true, .config = TM_NONE};
    }
}

static void open_source(copy_result *out, const char *path, const copy_options *options, const tm_job *job)
{
    *out = (copy_result){0};
    (options->way == COPY_THROUGH_DATAFILE ? load_datafile : load_map_to_change)(
        &out->input, path, options->common.mode, options->common.unpacked);
    if (out->input.status || !options->has_game)
        return;
    out->input.map->game = options->game;
    out->salvaged = options->common.mode == TM_MODE_SALVAGE;
    if (out->salvaged)
        loaded_rescue(&out->input, job);
    if (options->game == TM_GAME_DDNET)
        add_automappers(out->input.map);
}

static tm_status copy_datafile(copy_result *result, const tm_output *output, const copy_options *options,
                               const tm_job *job)
{
    loaded *input = &result->input;
    tm_datafile_writer_options writer_options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    writer_options.source = input->datafile;
    writer_options.level = (int)options->level;
    return tm_datafile_copy(input->datafile, output, &writer_options, options->level != 0, job,
                            &input->findings, &input->error);
}

/* What is written as a game writes it is made in memory, so that the game can be asked before. */
static tm_status write_for_game(copy_result *result, const tm_output *output, const make_request *request)
{
    made_map made;
    tm_status status = make_map_file(&made, result->input.map, request, &result->input.error);
    if (!status)
        status = output->write(output->ctx, made.bytes.bytes, made.bytes.size, &result->input.error);
    made_map_release(&made);
    return status;
}

static tm_status write_source(copy_result *result, const tm_output *output, const char *source,
                              const copy_options *options, const tm_job *job)
{
    loaded *input = &result->input;
    make_request request = {.save_options = TM_MAPFILE_SAVE_OPTIONS_INIT,
                            .for_game = true,
                            .source = source,
                            .unpacked = options->common.unpacked,
                            .job = job,
                            .findings = &input->findings};
    request.save_options.level = (int)options->level;
    request.save_options.recompress = options->level != 0;
    request.save_options.rewrite = options->has_game;
    if (input->datafile)
        return copy_datafile(result, output, options, job);
    return options->has_game ? write_for_game(result, output, &request)
                             : tm_mapfile_save(input->map, output, &request.save_options, job,
                                               &input->findings, &input->error);
}

static tm_status write_file(copy_result *result, const copy_step *step, const copy_options *options,
                            const tm_job *job)
{
    output_file file;
    tm_status status =
        output_open_below(&file, step->folder, options->dry_run ? NULL : step->output, &result->input.error);
    status = status ? status : write_source(result, &file.output, step->input, options, job);
    result->output_size = file.size;
    return output_close(&file, status, &result->input.error);
}

static void put_copy_json(cli_report *report, const copy_step *step, const copy_options *options,
                          const copy_result *result)
{
    json_t *object = json_object(JSON_TEXT("path", step->input), JSON_TEXT("output", step->output),
                                 JSON_BOOL("written", !result->input.status && !options->dry_run),
                                 JSON_INT("input_size", result->input.file_size),
                                 JSON_INT("output_size", result->output_size));
    if (result->input.status)
        json_add_error(object, &result->input.error);
    else if (result->salvaged)
        json_add(object, "rescue", json_rescue(&result->input.rescue));
    json_add_findings(object, &result->input.findings);
    text_json_line(report->out, object);
}

static void put_copy_line(text *out, const copy_step *step, const copy_options *options,
                          const copy_result *result)
{
    text_safe(out, path_name(step->input));
    text_string(out, " -> ");
    put_about(out, strcmp(step->output, "-") == 0 ? "standard output" : step->output,
              "%" PRIu64 " bytes, were %" PRIu64 "%s\n", result->output_size, result->input.file_size,
              options->dry_run ? " (not written)" : "");
}

static void copy_one(void *ctx, cli_report *report)
{
    const copy_options *options = report->tool->options;
    const copy_step *step = &((const copy_plan *)ctx)->steps[report->index];
    copy_result result;
    open_source(&result, step->input, options, report->job);
    if (!result.input.status)
        result.input.status = write_file(&result, step, options, report->job);
    advise_on_unpacking(result.input.status, &result.input.error);
    report_loaded(report, &result.input,
                  result.input.status ? SHOW_FEW : SHOW_ALL); /* a loss is never silent */
    if (options->common.json)
        put_copy_json(report, step, options, &result);
    if (result.input.status) {
        report_error(report, &result.input.error);
        raise_status(&report->status, STATUS_TROUBLE);
    } else if (options->dry_run && !options->common.json) {
        put_copy_line(report->out, step, options, &result);
    } else if (options->common.verbose) {
        put_copy_line(report->err, step, options, &result);
    }
    const bool losses = !result.input.status && result.input.rescued;
    if (losses && !options->common.quiet)
        put_rescue_line(report->err, step->input, &result.input.rescue);
    if (losses || (!result.input.status && findings_lose(&result.input.findings)))
        raise_status(&report->status, STATUS_FINDINGS);
    loaded_release(&result.input);
}

/* What is wrong with the operands as a whole; NULL if nothing is. */
static const char *copy_usage_fault(const cli_tool *tool, const copy_options *o)
{
    const bool many = o->in_place || o->folder;
    if (o->has_game && o->way == COPY_THROUGH_DATAFILE)
        return "--game does not work with --through datafile";
    if (o->in_place && o->folder)
        return "use -i or -t, not both";
    if (many && o->has_output)
        return "use -o, -t or -i, and only one of them";
    for (int i = 0; many && i < tool->num_operands; i++)
        if (strcmp(tool->operands[i], "-") == 0)
            return "standard input has no name to write to; use 'teemap copy - OUT'";
    if (!many && tool->num_operands == 1)
        return "no output: give OUT, or -t DIR, or -i to replace the file itself";
    return many || tool->num_operands == 2
               ? NULL
               : "several maps need a folder to go to: -t DIR, or -i to overwrite the input files";
}

int cmd_copy(cli_tool *tool)
{
    copy_plan plan = {0};
    const copy_options *o = tool->options;
    const bool many = o->in_place || o->folder;
    const char *fault = copy_usage_fault(tool, o);
    const copy_target target = {many ? NULL : tool->operands[1], o->folder, o->in_place, o->dry_run};
    tool->needs = FILE_NEEDS_BLOCK;
    if (fault)
        tool_usage(tool, fault);
    if (!fault && copy_plan_make(&plan, tool, tool->operands, many ? (size_t)tool->num_operands : 1, &target))
        tool_each(tool, plan.paths, plan.num, copy_one, &plan);
    copy_plan_release(&plan);
    return STATUS_DONE;
}
