/* SPDX-License-Identifier: Zlib */
/*
 * cmd_extract.c - `teemap extract`: images, sounds, settings and info of many maps as files, each map in a
 * folder of its own. The library decides what is written, under which names (tm_mapdir_extract); this file
 * makes sure that nothing is overwritten and nothing is written outside of the folder.
 */
#include "copy_plan.h"
#include "output/report_words.h"
#include "run/load.h"

typedef struct extract_options {
    common_options common;
    const char *folder; /* NULL: not given */
    bool force;
} extract_options;

static const option_row extract_rows[] = {
    TARGET_ROW(extract_options, "write each map to a subfolder of this folder, named after the map"),
    {'f', "force", NULL, FLAG_AT(extract_options, force), .text = "replace existing files"},
    JSON_EACH_ROW,
    RECURSIVE_ROW("process all *.map files in folders, and keep the folder structure"),
    RUNNING_ROWS("print a line for each map, and notes, not only warnings"),
    {0},
};

COMMAND(extract, extract_options, 1, -1, .operands = {OPERAND_MAP});

typedef struct extract_run {
    const extract_options *options;
    copy_plan plan;
    tm_store_folder *folder;
} extract_run;

/* A map whose files are being extracted. */
typedef struct extracted {
    const extract_run *run;
    const char *name; /* of its folder, below DIR */
    loaded file;
    atomic_uint num_files;
} extracted;

/* The path NAME/file below DIR; the caller frees it. */
static char *name_below(const extracted *map, const char *file)
{
    return must_print("%s/%s", map->name, file);
}

/* Fails if a file exists that would be replaced; called for all files before any is written. */
static tm_status check_free(void *ctx, const char *file, tm_file_put *put, void *put_ctx, tm_error *error)
{
    const extracted *map = ctx;
    (void)put;
    (void)put_ctx;
    char *name = name_below(map, file), *path = files_join(map->run->options->folder, name);
    const bool there = tm_sys_kind_of(path) != TM_SYS_MISSING;
    if (there)
        fail_about(error, TM_ERROR_USAGE, TM_SIDE_OUTPUT, path, "exists; -f replaces it");
    free(path);
    free(name);
    return there ? TM_ERROR_USAGE : TM_OK;
}

static tm_status write_new_file(void *ctx, const char *file, tm_file_put *put, void *put_ctx, tm_error *error)
{
    extracted *map = ctx;
    const tm_files_out out = tm_store_folder_out(map->run->folder);
    char *name = name_below(map, file);
    const tm_status status = out.write(out.ctx, name, put, put_ctx, error);
    if (!status)
        atomic_fetch_add_explicit(&map->num_files, 1, memory_order_relaxed);
    free(name);
    return status;
}

static tm_status extract_map(extracted *map, const tm_job *job)
{
    const tm_files_out names = {map, check_free, false}, out = {map, write_new_file, true};
    tm_status status = TM_OK;
    if (!map->run->options->force)
        status = tm_mapdir_extract(map->file.map, &names, NULL, &map->file.error);
    return status ? status : tm_mapdir_extract(map->file.map, &out, job, &map->file.error);
}

static void extract_one(void *ctx, cli_report *report)
{
    const extract_run *run = ctx;
    const copy_step *step = &run->plan.steps[report->index];
    extracted map = {.run = run};
    char *name = files_stem(step->relative);
    map.name = name;
    load_map(&map.file, step->input, run->options->common.mode);
    if (!map.file.status && run->options->common.mode == TM_MODE_SALVAGE)
        loaded_rescue(&map.file, report->job);
    if (!map.file.status)
        map.file.status = extract_map(&map, report->job);
    report_loaded(report, &map.file, map.file.rescued ? SHOW_ALL : SHOW_FEW);
    report_made(report,
                json_object(JSON_TEXT("path", step->input), JSON_TEXT("output", step->output),
                            JSON_INT("files", atomic_load(&map.num_files))),
                &map.file, "{{^error}}{{output}}: {{files}} files\n{{/}}");
    if (map.file.status)
        report_error(report, &map.file.error);
    else if (map.file.rescued)
        raise_status(&report->status, STATUS_FINDINGS);
    loaded_release(&map.file);
    free(name);
}

int cmd_extract(cli_tool *tool)
{
    extract_run run = {.options = tool->options};
    tm_error error = {.offset = -1};
    if (!run.options->folder)
        return tool_usage(tool, "no output: give a folder with -t DIR");
    tool->needs = FILE_NEEDS_BLOCK;
    if (!copy_plan_make_all(&run.plan, tool, run.options->folder, "")) {
        copy_plan_release(&run.plan);
        return STATUS_DONE;
    }
    if (tm_store_folder_open(&run.folder, run.options->folder, true, NULL, &error))
        tool_error(tool, run.options->folder, &error);
    else
        tool_each(tool, run.plan.paths, run.plan.num, extract_one, &run);
    tm_store_folder_close(run.folder);
    copy_plan_release(&run.plan);
    return STATUS_DONE;
}
