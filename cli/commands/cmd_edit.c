/* SPDX-License-Identifier: Zlib */
/*
 * cmd_edit.c - `teemap edit`: operations of teemap/edit.h on maps. What there is to do, and how it is
 * written, is the library's table alone; here are files, threads and what is printed.
 */
#include "copy_plan.h"
#include "output/json.h"
#include "run/inputs.h"

#include <teemap/edit.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

typedef struct edit_options {
    common_options common;
    const char *output, *folder, *script; /* NULL: not given */
    bool in_place, dry_run, operations;
    word_list mapres;
} edit_options;

static const option_row edit_rows[] = {
    OUTPUT_ROW(edit_options, "write the result into this file; - is standard output"),
    TARGET_ROW(edit_options, "write all results into this folder"),
    {'i', "in-place", NULL, FLAG_AT(edit_options, in_place), .group = GROUP_OUTPUT,
     .text = "replace the files themselves; those in which nothing changes are not touched"},
    {0, "script", "FILE", FILE_AT(edit_options, script), .group = GROUP_OUTPUT,
     .text = "read the operations from a file, one a line, with # before comments; - is standard input"},
    {'n', "dry-run", NULL, FLAG_AT(edit_options, dry_run), .group = GROUP_OUTPUT,
     .text = "do everything but write; say what would be changed"},
    {0, "operations", NULL, FLAG_AT(edit_options, operations), .group = GROUP_OUTPUT,
     .text = "list all operations and what they do"},
    MAPRES_ROW(edit_options),
    JSON_EACH_ROW,
    RECURSIVE_ROW("take all *.map files in folders; with -t their places below the folder are kept"),
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("say what was changed; notes too, not only warnings"),
    QUIET_ROW,
    {0},
};

static int cmd_edit(cli_tool *tool);

const command edit_command = {
    .name = "edit",
    .summary = "work on maps: fields, settings, objects, what is of no use, mirroring and turning",
    .usages = {"MAP -o OUT OPERATION [ARGUMENT]... [+ OPERATION...]",
               "MAP... {-t DIR | -i} OPERATION [ARGUMENT]...", "--operations"},
    .text =
        "Does the operations in the order given, with a + between two. --operations lists them:\n\n"
        "set\tany field of any object: ADDRESS.FIELD=VALUE\n"
        "rename, add, remove, move, duplicate\tobjects\n"
        "settings add, remove, replace, sort, clear\tserver commands\n"
        "clean, join\twhat is of no use, and what is there twice\n"
        "mirror, rotate\tthe whole map, with everything in it\n\n"
        "Names in addresses may have * for anything (quote it). A map is written when all operations are done, as a "
        "whole; if one fails, nothing of that map is written, and the other maps go on. The words in front of the "
        "first operation are the maps; write ./set for a file of that name.",
    .rows = edit_rows,
    .options_size = sizeof(edit_options),
    .examples = {{"edit in.map -o out.map mirror x", "left and right change places"},
                 {"edit -i *.map set info.license=CC0 + clean all", "bring a folder in order"},
                 {"edit in.map -n clean all + join all", "what could go"},
                 {"edit in.map -o out.map set 'Game/*.detail=false'", "a field of many layers"},
                 {"edit in.map -o out.map --script release.txt", "a build that can be repeated"}},
    .min_operands = 0,
    .max_operands = -1,
    .operands = {OPERAND_MAP},
    .findings = "something that was asked for could not be done",
    .run = cmd_edit,
};

/* ------------------------------------------------------------------------------------------------ one map */

typedef struct edit_run {
    cli_tool *tool;
    copy_plan plan;
    tm_edit_script *script;
} edit_run;

/* A map on its way: what was loaded, and what was done to it. */
typedef struct edited {
    loaded file;
    tm_report done;
    bool written;
    const tm_job *job;
} edited;

static tm_status put_edited(void *ctx, const tm_output *output, tm_error *error)
{
    edited *map = ctx;
    return tm_mapfile_save(map->file.map, output, NULL, map->job, &map->file.findings, error);
}

static tm_status run_script(edited *map, const edit_run *run, const char *path)
{
    const edit_options *words = run->tool->options;
    edit_inputs inputs = {0};
    tm_edit_options options;
    tm_status status = inputs_open(&inputs, &options, &words->mapres, path, &map->file, words->common.mode,
                                   &map->file.error);
    options.job = map->job;
    if (!status)
        status = tm_edit_script_run(map->file.map, run->script, &options, &map->done, &map->file.error);
    inputs_close(&inputs);
    return status;
}

static void edit_map(edited *map, const edit_run *run, const copy_step *step)
{
    const edit_options *options = run->tool->options;
    tm_report_init(&map->done, NULL);
    load_map(&map->file, step->from, options->common.mode, false);
    if (!map->file.status)
        map->file.status = run_script(map, run, step->from);
    const bool changed = map->done.num || map->done.unlisted;
    if (map->file.status || options->dry_run || (options->in_place && !changed))
        return;
    map->file.status = save_path(step->to, put_edited, map, &map->file.error);
    map->written = !map->file.status;
}

/* ---------------------------------------------------------------------------------------------- reporting */

static void put_change_line(text *out, const char *path, const tm_change *change)
{
    text_safe(out, path_name(path));
    text_string(out, ": ");
    if (change->place[0]) {
        text_safe(out, change->place);
        text_string(out, ": ");
    }
    text_safe(out, change->text);
    text_print(out, " (%s)\n", change->operation);
}

static void put_change_lines(text *out, const char *path, const edited *map)
{
    for (size_t i = 0; i < map->done.num; i++)
        put_change_line(out, path, &map->done.list[i]);
    if (!map->done.num) {
        text_safe(out, path_name(path));
        text_string(out, ": nothing to change\n");
    }
}

static json_t *json_changes(const tm_report *done)
{
    json_t *list = json_array();
    for (size_t i = 0; i < done->num; i++) {
        const tm_change *change = &done->list[i];
        json_t *object = json_make();
        json_add_text(object, "operation", change->operation);
        json_add_text(object, "address", change->address);
        json_add_text(object, "place", change->place);
        json_add_text(object, "text", change->text);
        json_add_int(object, "count", (int64_t)change->count);
        json_append(list, object);
    }
    return list;
}

static void put_edit_json(report *to, const copy_step *step, const edited *map)
{
    json_t *object = json_make();
    json_add_text(object, "path", step->from);
    json_add_text(object, "output", step->to);
    json_add_bool(object, "written", map->written);
    json_add(object, "changes", json_changes(&map->done));
    if (map->file.status)
        json_add_error(object, &map->file.error);
    json_add_findings(object, &map->file.findings);
    text_json(to->out, object);
    text_put(to->out, "\n", 1);
}

/* What the operations found, behind what loading and saving did. */
static void join_findings(edited *map, tm_mode mode)
{
    for (size_t i = 0; i < map->done.findings.num; i++) {
        const tm_finding *f = &map->done.findings.list[i];
        tm_findings_add(&map->file.findings, mode, f->id, f->offset, f->address, f->place, f->text);
    }
}

static void edit_one(void *ctx, size_t index, const tm_job *job, report *to)
{
    const edit_run *run = ctx;
    const edit_options *options = run->tool->options;
    const copy_step *step = &run->plan.steps[index];
    edited map = {.job = job};
    edit_map(&map, run, step);
    join_findings(&map, options->common.mode);
    report_findings(run->tool, to, step->from, &map.file.findings, true);
    if (options->common.json)
        put_edit_json(to, step, &map);
    if (map.file.status)
        report_error(run->tool, to, step->from, &map.file.error);
    else if (options->dry_run && !options->common.json)
        put_change_lines(to->out, step->from, &map);
    else if (options->common.verbose)
        put_change_lines(to->err, step->from, &map);
    if (map.file.status)
        worsen(&to->status, STATUS_TROUBLE);
    else if (tm_report_lacks(&map.done))
        worsen(&to->status, STATUS_FINDINGS);
    tm_report_release(&map.done);
    loaded_release(&map.file);
}

/* ---------------------------------------------------------------------------------------- the operations */

/* Whether an operation's name begins with this word. */
static bool is_operation(const char *word)
{
    const size_t size = strlen(word);
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        if (strncmp(row->name, word, size) == 0 && (row->name[size] == ' ' || !row->name[size]))
            return true;
    return false;
}

static int num_maps(const cli_tool *tool)
{
    int num = 0;
    while (num < tool->num_operands && !is_operation(tool->operands[num]))
        num++;
    return num;
}

enum { SCRIPT_MOST = 16 << 20 }; /* bytes; nobody writes more */

static tm_status read_script(tm_edit_script **out, const char *path, tm_error *error)
{
    uint8_t *bytes;
    size_t size;
    *out = NULL;
    tm_status status = read_path(&bytes, &size, path, SCRIPT_MOST, NULL, error);
    if (!status)
        status = tm_edit_script_from_text(out, (const char *)bytes, size, NULL, error);
    free(bytes);
    return status;
}

/* Reads what is to be done; false after having said what is wrong. The operands in front of it are left. */
static bool make_script(edit_run *run)
{
    cli_tool *tool = run->tool;
    const edit_options *options = tool->options;
    const int maps = options->script ? tool->num_operands : num_maps(tool);
    const char *const *words = (const char *const *)tool->operands + maps;
    tm_error error = {0};
    tm_status status;
    if (maps == 0 || (maps == tool->num_operands && !options->script)) {
        tool_trouble(tool, tool->command->name,
                     maps ? "no operation was given; 'teemap edit --operations' lists them"
                          : "no map was given");
        return false;
    }
    if (options->script)
        status = read_script(&run->script, options->script, &error);
    else
        status = tm_edit_script_from_words(&run->script, words, (uint32_t)(tool->num_operands - maps), NULL,
                                           &error);
    tool->num_operands = maps;
    if (!status)
        return true;
    text err = {0};
    put_error(&err, options->script ? options->script : tool->command->name, &error);
    tool_say(tool, &err);
    text_release(&err);
    return false;
}

static void put_operations(text *out)
{
    text rows = {0};
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        char usage[128];
        tm_edit_usage(row, usage, sizeof(usage));
        text_print(&rows, "%s\t%s\n", usage, row->help);
    }
    text_columns(out, &rows, "l");
    text_release(&rows);
}

/* -------------------------------------------------------------------------------------------- the command */

/* What is wrong with where the results are to go; NULL if nothing is. */
static const char *target_fault(const cli_tool *tool, const edit_options *o)
{
    if (!!o->output + !!o->folder + o->in_place > 1)
        return "-o, -t and -i exclude each other";
    if (o->output && tool->num_operands > 1)
        return "several maps need a folder to go to: -t DIR, or -i to replace the files themselves";
    if (!o->output && !o->folder && !o->in_place && !o->dry_run)
        return "where to? give -o OUT, or -t DIR, or -i to replace the file itself";
    for (int i = 0; i < tool->num_operands; i++)
        if (!o->output && strcmp(tool->operands[i], "-") == 0)
            return "standard input has no name to write to; use -o OUT";
    return NULL;
}

/* `teemap copy` knows where files go and that none is lost; a dry run without a target is one in place. */
static bool make_edit_plan(edit_run *run)
{
    cli_tool *tool = run->tool;
    const edit_options *o = tool->options;
    const char *fault = target_fault(tool, o);
    if (fault) {
        tool_trouble(tool, tool->command->name, fault);
        return false;
    }
    const copy_options where = {.common = o->common,
                                .folder = o->folder,
                                .in_place = !o->output && !o->folder,
                                .dry_run = o->dry_run};
    char *pair[2] = {tool->operands[0], NULL}, **operands = tool->operands;
    const int num = tool->num_operands;
    char *output = o->output ? must_copy(o->output) : NULL;
    if (output) {
        pair[1] = output;
        tool->operands = pair;
        tool->num_operands = 2;
    }
    const bool made = copy_plan_make(&run->plan, tool, &where);
    tool->operands = operands;
    tool->num_operands = num;
    free(output);
    return made;
}

static int cmd_edit(cli_tool *tool)
{
    const edit_options *options = tool->options;
    edit_run run = {.tool = tool};
    if (options->operations) {
        put_operations(&tool->out);
        return STATUS_DONE;
    }
    tool->needs = FILE_NEEDS_BLOCK;
    if (make_script(&run) && make_edit_plan(&run))
        tool_each(tool, run.plan.paths, run.plan.num, edit_one, &run);
    else
        worsen(&tool->status, STATUS_TROUBLE);
    copy_plan_release(&run.plan);
    tm_edit_script_free(run.script);
    return STATUS_DONE;
}
