/* SPDX-License-Identifier: Zlib */
/*
 * change_maps.c - for each map: loads it, calls the work of the command, saves it, and reports what changed.
 * Also what operations take from outside: files, other maps, images and rules.
 */
#include "change_maps.h"
#include "output/report_words.h"

#include <time.h>

/* ---------------------------------------------------------------------- what operations take from outside */

enum { INPUT_MAX = 256 << 20 }; /* bytes of a picture, a sound or a text */

static tm_status read_input(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                            size_t *num_bytes, tm_error *error)
{
    (void)ctx;
    return read_path(bytes, num_bytes, name, INPUT_MAX, allocator, error);
}

static tm_status open_input(void *ctx, const char *name, tm_map **map, tm_error *error)
{
    const edit_inputs *inputs = ctx;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    options.mode = inputs->mode;
    return tm_store_load(map, name, &options, NULL, error);
}

tm_status inputs_read_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num_bytes, tm_error *error)
{
    const edit_inputs *inputs = ctx;
    char *path;
    tm_status status = tm_mapres_find_rules(&path, inputs->mapres, image, game, error);
    if (!status)
        status = read_path(bytes, num_bytes, path, INPUT_MAX, allocator, error);
    free(path);
    return status;
}

/* A number that differs from run to run, for operations that draw one; it need not be unpredictable. */
static int32_t draw_number(void)
{
    const uint64_t mixed =
        ((uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL) ^ (uint64_t)clock() * 0xd1b54a32d192ed03ULL;
    return (int32_t)(mixed >> 33) % 1000000000 + 1;
}

tm_status inputs_open(edit_inputs *out, tm_edit_options *options, const word_list *mapres, const char *path,
                      const loaded *file, tm_error *error)
{
    *options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
    options->images = tm_mapres_provide;
    options->ctx = out;
    options->read = read_input;
    options->open = open_input;
    options->rules = inputs_read_rules;
    options->draw = draw_number();
    const tm_status status = images_open(&out->mapres, mapres, path, file->map->game, NULL, error);
    options->images_ctx = out->mapres;
    return status;
}

void inputs_close(edit_inputs *inputs)
{
    tm_mapres_free(inputs->mapres);
    inputs->mapres = NULL;
}

/* ------------------------------------------------------------------------------------------------ one map */

typedef struct change_run {
    cli_tool *tool;
    const change_options *options;
    copy_plan plan;
    const change_command *command;
} change_run;

enum { FILE_MAX = INT32_MAX }; /* bytes; what the format holds */

/*
 * Whether the original file stays in place of what was made, as that is not smaller: map->kept. A file that
 * the game refuses does not stay where it opens what was made.
 */
static tm_status choose_smaller(changed_map *map, made_map *made, tm_error *error)
{
    uint8_t *file;
    size_t size;
    const bool fits = made->refused || strcmp(map->path, "-") == 0 || is_opened_strictly(map->path);
    map->kept = !made->repaired && made->bytes.size >= map->file.file_size && fits;
    if (!map->kept || map->in_place) /* in place, the file has its bytes already */
        return TM_OK;
    const tm_status status = read_path(&file, &size, map->path, FILE_MAX, NULL, error);
    if (status)
        return status;
    tm_buffer_release(&made->bytes);
    made->bytes = (tm_buffer){.bytes = file, .size = size, .capacity = size};
    return TM_OK;
}

static tm_status make_changed(changed_map *map, const change_run *run, made_map *made, tm_error *error)
{
    const make_request request = {.save_options = map->save_options,
                                  .for_game = run->command->for_game && !map->as_is,
                                  .refusal_is_known = map->unfit,
                                  .forgives = run->command->forgives,
                                  .source = map->path,
                                  .unpacked = run->options->common.unpacked,
                                  .job = map->job,
                                  .findings = &map->file.findings};
    const tm_status status = make_map_file(made, map->file.map, &request, error);
    return !status && map->smaller_only ? choose_smaller(map, made, error) : status;
}

/* Saves a map as a step says, unless nothing is to be written; a dry run only makes and judges the file. */
static tm_status write_changed(changed_map *map, const change_run *run, const copy_step *step)
{
    const change_options *options = run->options;
    const bool changed = map->always || map->smaller_only || map->done.num || map->done.unlisted;
    if (map->refused)
        return TM_OK;
    if (options->dry_run ? !changed && !run->command->sizes : options->in_place && !changed)
        return TM_OK;
    tm_error *error = &map->file.error;
    made_map made;
    map->in_place = options->in_place && !options->dry_run;
    tm_status status = make_changed(map, run, &made, error);
    map->output_size = map->kept ? map->file.file_size : made.bytes.size;
    map->written = !status && !options->dry_run && !(map->kept && map->in_place);
    if (map->written)
        status = save_bytes_below(step->folder, step->output, made.bytes.bytes, made.bytes.size, error);
    map->written = map->written && !status;
    made_map_release(&made);
    return status;
}

bool may_be_rescued(tm_status status)
{
    return status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED || status == TM_ERROR_LIMIT;
}

static void change_map(changed_map *map, const change_run *run, const copy_step *step)
{
    const change_options *options = run->options;
    tm_report_init(&map->done, NULL);
    map->save_options = (tm_mapfile_save_options)TM_MAPFILE_SAVE_OPTIONS_INIT;
    load_map_to_change(&map->file, map->path, options->common.mode, options->common.unpacked);
    if (!map->file.status && options->common.mode == TM_MODE_SALVAGE)
        loaded_rescue(&map->file, map->job);
    map->lacks = map->file.rescued;
    if (!map->file.status || (run->command->works_on_damaged && may_be_rescued(map->file.status)))
        map->file.status = run->command->work(run->command->ctx, map, &map->file.error);
    const tm_map *made = map->file.map; /* it may be one of another game now, or no longer no map */
    if (made && (tm_mapfile_get_kind(made) == TM_MAPFILE_MAP ? made->game != tm_mapfile_get_game(made)
                                                             : made->num_groups > 0))
        map->save_options.rewrite = true;
    if (!map->file.status)
        map->file.status = write_changed(map, run, step);
    if (options->common.unpacked)
        advise_on_unpacking(map->file.status, &map->file.error);
}

/* ---------------------------------------------------------------------------------------------- reporting */

enum { MOST_TEXT = 80000000 };

/* Lists the changes of a map as `teemap diff` does, or in the words of the operations. */
static void put_change_lines(text *out, const changed_map *map, const char *called)
{
    if (map->patch) {
        text_lead(out, path_name(called));
        tm_tell_options tell_options = TM_TELL_OPTIONS_INIT;
        tell_options.all = map->tool->common->verbose;
        put_patch(out, map->patch, &tell_options, MOST_TEXT);
        return;
    }
    for (size_t i = 0; i < map->done.num; i++) {
        const tm_change *change = &map->done.list[i];
        /* patches and merges say it in the text, too */
        const char *place = strncmp(change->text, change->place, strlen(change->place)) ? change->place : "";
        text_line(out, "%s: %s%s%s (%s)", path_name(called), place, *place ? ": " : "", change->text,
                  change->operation);
    }
    if (!map->done.num && !map->refused)
        put_about(out, called,
                  map->smaller_only && !map->kept ? "nothing to change but how it is packed\n"
                                                  : "nothing to change\n");
}

static json_t *json_changes(const tm_report *done)
{
    json_t *list = json_array();
    for (size_t i = 0; i < done->num; i++) {
        const tm_change *change = &done->list[i];
        json_t *object = json_object(JSON_TEXT("operation", change->operation),
                                     JSON_TEXT("address", change->address), JSON_TEXT("place", change->place),
                                     JSON_TEXT("text", change->text), JSON_INT("count", change->count));
        if (change->lost)
            json_add_text(object, "lost", tm_finding_name(change->lost));
        json_append(list, object);
    }
    return list;
}

static void put_changed_json(cli_report *report, const change_run *run, const changed_map *map)
{
    json_t *object =
        json_object(JSON_TEXT("path", map->path), JSON_TEXT("output", map->output),
                    JSON_BOOL("written", map->written), JSON_VALUE("changes", json_changes(&map->done)));
    if (map->patch)
        json_add_changes(json_add_object(object, "diff"), map->patch, false);
    if (map->file.status)
        json_add_error(object, &map->file.error);
    else if (run->command->add_json)
        run->command->add_json(run->command->ctx, map, object);
    if (map->file.rescued && !map->file.status)
        json_add(object, "rescue", json_rescue(&map->file.rescue));
    json_add_findings(object, &map->file.findings);
    text_json_line(report->out, object);
}

static void report_change(const change_run *run, const changed_map *map, cli_report *report)
{
    const change_options *options = run->options;
    const bool sizes = options->dry_run && run->command->line_is_result;
    if (options->common.json)
        put_changed_json(report, run, map);
    if (map->file.status)
        report_error(report, &map->file.error);
    else if (options->dry_run && !options->common.json && (options->common.verbose || !sizes))
        put_change_lines(report->out, map, report->path);
    else if (options->common.verbose)
        put_change_lines(report->err, map, report->path);
    if (!map->file.status && map->file.rescued && !options->common.json && !options->common.quiet)
        put_rescue_line(report->err, report->path, &map->file.rescue);
    if (!map->file.status && run->command->put_line && !options->common.json &&
        (sizes || !options->common.quiet))
        run->command->put_line(run->command->ctx, map, sizes ? report->out : report->err);
}

void put_removed_sounds(text *out, const changed_map *map)
{
    const size_t prefix = strlen("sound/"), verb = strlen("removed");
    for (size_t i = 0; i < map->done.num && !map->tool->common->verbose; i++) {
        const tm_change *change = &map->done.list[i];
        if (strncmp(change->address, "sound/", prefix) == 0 && strncmp(change->text, "removed", verb) == 0)
            text_line(out, "%s: %s %s", path_name(map->path), change->place, change->text);
    }
}

static void change_one(void *ctx, cli_report *report)
{
    const change_run *run = ctx;
    const change_options *options = run->options;
    const copy_step *step = &run->plan.steps[report->index];
    changed_map map = {.path = step->input,
                       .relative = step->relative,
                       .output = step->output,
                       .job = report->job,
                       .tool = report->tool};
    report->path = run->command->called ? run->command->called : report->path;
    change_map(&map, run, step);
    for (size_t i = 0; i < map.done.findings.num; i++) /* what the work found, behind loading and saving */
        add_finding(&map.file.findings, options->common.mode, &map.done.findings.list[i]);
    report_loaded(report, &map.file, SHOW_ALL);
    report_change(run, &map, report);
    if (map.file.status)
        raise_status(&report->status, STATUS_TROUBLE);
    else if (map.refused || map.lacks || tm_report_has_warnings(&map.done) ||
             findings_lose(&map.file.findings))
        raise_status(&report->status, STATUS_FINDINGS);
    tm_patch_free(map.patch);
    tm_report_release(&map.done);
    loaded_release(&map.file);
}

/* What is wrong with where the results are to go; NULL if nothing is. */
static const char *target_fault(const change_options *o, char *const *paths, int num)
{
    if (num == 0)
        return "no map was given";
    if (!!o->output + !!o->folder + o->in_place > 1)
        return "-o, -t and -i exclude each other";
    if (o->output && num > 1)
        return "several maps need a folder to go to: -t DIR, or -i to replace the files themselves";
    if (!o->output && !o->folder && !o->in_place && !o->dry_run)
        return "no output: give -o OUT, or -t DIR, or -i to replace the file itself";
    for (int i = 0; i < num; i++)
        if (!o->output && !o->dry_run && strcmp(paths[i], "-") == 0)
            return "standard input has no name to write to; use -o OUT";
    return NULL;
}

tm_status change_inputs_open(edit_inputs *out, tm_edit_options *options, const change_options *words,
                             const changed_map *map, tm_error *error)
{
    out->mode = words->common.mode;
    const tm_status status = inputs_open(out, options, &words->mapres, map->path, &map->file, error);
    options->job = map->job;
    return status;
}

tm_status change_by_operation(changed_map *map, const change_options *words, const char *operation,
                              const char *const *arguments, uint32_t num, tm_error *error)
{
    edit_inputs inputs = {0};
    tm_edit_options options;
    tm_status status = change_inputs_open(&inputs, &options, words, map, error);
    if (words->dry_run)
        options.draw = -1;
    if (!status)
        status =
            tm_edit_run(map->file.map, tm_edit_find(operation), arguments, num, &options, &map->done, error);
    inputs_close(&inputs);
    return status;
}

void change_maps(cli_tool *tool, const change_options *options, char *const *paths, int num,
                 const change_command *command)
{
    change_run run = {.tool = tool, .options = options, .command = command};
    const copy_target target = {options->output, options->folder, !options->output && !options->folder,
                                options->dry_run}; /* a dry run without a target is one in place */
    const char *fault = target_fault(options, paths, num);
    tool->needs = FILE_NEEDS_BLOCK;
    if (fault)
        tool_usage(tool, fault);
    if (!fault && copy_plan_make(&run.plan, tool, paths, (size_t)num, &target))
        tool_each(tool, run.plan.paths, run.plan.num, change_one, &run);
    copy_plan_release(&run.plan);
}
