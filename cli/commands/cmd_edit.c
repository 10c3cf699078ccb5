/* SPDX-License-Identifier: Zlib */
/*
 * cmd_edit.c - `teemap edit`: operations of teemap/edit.h on maps. What there is to do, and how it is
 * written, is the library's table alone; here are files, threads and what is printed.
 */
#include "copy_plan.h"
#include "operation_list.h"
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
    bool in_place, dry_run, operations, next;
    word_list mapres, defines;
} edit_options;

static const option_row edit_rows[] = {
    OUTPUT_ROW(edit_options, "write the result into this file; - is standard output"),
    TARGET_ROW(edit_options, "write all results into this folder"),
    {'i', "in-place", NULL, FLAG_AT(edit_options, in_place), .group = GROUP_OUTPUT,
     .text = "replace the files themselves; those in which nothing changes are not touched"},
    {0, "script", "FILE", FILE_AT(edit_options, script), .group = GROUP_OUTPUT,
     .text = "read the operations from a file, one a line, with # before comments; - is standard input"},
    {'D', "define", "NAME=VALUE", WORDS_AT(edit_options, defines), .group = GROUP_OUTPUT,
     .what = "NAME=VALUE",
     .text = "what $NAME and ${NAME} in the script stand for; may be given several times"},
    {'n', "dry-run", NULL, FLAG_AT(edit_options, dry_run), .group = GROUP_OUTPUT,
     .text = "do everything but write; say what would be changed"},
    {0, "operations", NULL, FLAG_AT(edit_options, operations), .group = GROUP_OUTPUT,
     .text = "list all operations and what they do; with words behind it, explain those that begin so"},
    {0, "next", NULL, FLAG_AT(edit_options, next), .group = GROUP_OUTPUT,
     .text = "with --operations: list the words that may follow those given, as completion needs them"},
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
               "MAP... {-t DIR | -i} OPERATION [ARGUMENT]...", "--operations [OPERATION]"},
    .text =
        "Does the operations in the order given, with a + between two. 'teemap edit --operations' lists them, "
        "'teemap edit --operations mirror' explains one, with what its arguments may be.\n\n"
        "Names in addresses may have * for anything (quote it). A map is written when all operations are done, as a "
        "whole; if one fails, nothing of that map is written, and the other maps go on. The words in front of the "
        "first operation are the maps; write ./set for a file of that name.",
    .rows = edit_rows,
    .options_size = sizeof(edit_options),
    .examples = {{"edit in.map -o out.map mirror x", "left and right change places"},
                 {"edit -i *.map set info.license=CC0 + clean all", "bring a folder in order"},
                 {"edit in.map -n clean all + join all", "what could go"},
                 {"edit in.map -o out.map set 'Game/*.detail=false'", "a field of many layers"},
                 {"edit in.map -o out.map --script release.txt", "a build that can be repeated"},
                 {"edit in.map -o out.map --script release.txt -D VERSION=1.2",
                  "$VERSION in the script is 1.2"},
                 {"edit --operations settings", "what can be done to settings"}},
    .min_operands = 0,
    .max_operands = -1,
    .operands = {OPERAND_STEP},
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

enum { SCRIPT_MOST = 16 << 20 }; /* bytes; nobody writes more */

static tm_status read_script(tm_edit_script **out, const edit_options *options, tm_error *error)
{
    uint8_t *bytes;
    size_t size;
    *out = NULL;
    tm_status status = read_path(&bytes, &size, options->script, SCRIPT_MOST, NULL, error);
    if (!status)
        status = tm_edit_script_from_template(out, (const char *)bytes, size, options->defines.words,
                                              (uint32_t)options->defines.num, NULL, error);
    free(bytes);
    return status;
}

/* Reads what is to be done; false after having said what is wrong. The operands in front of it are left. */
static bool make_script(edit_run *run)
{
    cli_tool *tool = run->tool;
    const edit_options *options = tool->options;
    const int maps = options->script
                         ? tool->num_operands
                         : operations_begin((const char *const *)tool->operands, tool->num_operands);
    const char *const *words = (const char *const *)tool->operands + maps;
    tm_error error = {0};
    tm_status status;
    if (maps == 0 || (maps == tool->num_operands && !options->script)) {
        tool_trouble(tool, tool->command->name,
                     maps ? "no operation was given; 'teemap edit --operations' lists them"
                          : "no map was given");
        return false;
    }
    if (!options->script && options->defines.num) {
        tool_trouble(tool, tool->command->name, "-D gives values to variables of a --script; there is none");
        return false;
    }
    if (options->script)
        status = read_script(&run->script, options, &error);
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

/* All of them, some of them in full, or what may follow. */
static void show_operations(cli_tool *tool)
{
    const edit_options *options = tool->options;
    const char *const *words = (const char *const *)tool->operands;
    if (options->next)
        put_next_words(&tool->out, words, tool->num_operands);
    else if (options->common.json)
        put_operations_json(&tool->out, words, tool->num_operands);
    else if (tool->num_operands == 0)
        put_operations(&tool->out);
    else
        explain_operations(&tool->out, words, tool->num_operands);
    if (tool->out.size == 0 && !options->next) {
        tool_trouble(tool, tool->command->name,
                     "no operation begins so; 'teemap edit --operations' lists all");
        worsen(&tool->status, STATUS_TROUBLE);
    }
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
        show_operations(tool);
        return STATUS_DONE;
    }
    if (options->next) {
        tool_trouble(tool, tool->command->name, "--next goes with --operations");
        worsen(&tool->status, STATUS_TROUBLE);
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
