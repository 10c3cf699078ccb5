/* SPDX-License-Identifier: Zlib */
/*
 * cmd_pack.c - `teemap pack`: a folder that `teemap unpack` made, or a person, as a map again. Everything
 * that is wrong in it is reported at once, with file, line and column.
 */
#include "run/made_map.h"

typedef struct pack_options {
    common_options common;
    bool force, dry_run, plain;
} pack_options;

static const option_row pack_rows[] = {
    LAST_OPERAND_ROW("MAP", OPTION_FILE,
                     "write the map to this file, as MAP alone does; - is standard output", ),
    {'f', "force", NULL, FLAG_AT(pack_options, force), .text = "replace MAP if it exists"},
    {'n', "dry-run", NULL, FLAG_AT(pack_options, dry_run),
     .text = "read everything and report errors, but write nothing"},
    {0, "plain", NULL, FLAG_AT(pack_options, plain),
     .text = "ignore sidecar.bin: the same files give the same bytes, however the map was packed before"},
    JSON_ONE_ROW,
    UNPACKED_ROW,
    THREADS_ROW,
    VERBOSE_ROW("print what was written, and notes, not only warnings"),
    QUIET_ROW,
    {0},
};

COMMAND(pack, pack_options, 2, 2, .operands = {OPERAND_FOLDER, OPERAND_MAP});

/* A map on its way from a folder to a file. */
typedef struct pack_run {
    tm_map *map;
    tm_sidecar kept;
    tm_findings findings;
    const tm_job *job;
    uint64_t written; /* bytes */
    tm_error error;
} pack_run;

/* A folder says all of a map: nothing is repaired, so that what was unpacked comes out as it was. */
static tm_status write_packed(pack_run *run, const char *path, uint64_t unpacked)
{
    const make_request request = {.save_options = TM_MAPFILE_SAVE_OPTIONS_INIT,
                                  .unpacked = unpacked,
                                  .job = run->job,
                                  .findings = &run->findings};
    made_map made;
    tm_status status = make_map_file(&made, run->map, &request, &run->error);
    if (!status)
        status = save_bytes(path, made.bytes.bytes, made.bytes.size, &run->error);
    run->written = made.bytes.size;
    made_map_release(&made);
    return status;
}

static tm_status read_folder(pack_run *run, const char *path, uint64_t unpacked)
{
    tm_store_folder *folder;
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = unpacked};
    tm_mapdir_read_options read_options = TM_MAPDIR_READ_OPTIONS_INIT;
    read_options.limits = &limits;
    TRY(tm_store_folder_open(&folder, path, false, NULL, &run->error));
    const tm_files_in files = tm_store_folder_in(folder);
    tm_status status =
        tm_mapdir_read(&run->map, &run->kept, &files, &read_options, run->job, &run->findings, &run->error);
    tm_store_folder_close(folder);
    return strstr(run->error.text, "pixels") ? advise_on_limit(status, &run->error, MEMORY_ALLOWS_MORE)
                                             : advise_on_unpacking(status, &run->error);
}

static void warn_kept(pack_run *run, const char *words)
{
    tm_findings_add(&run->findings, TM_MODE_GAME, TM_FINDING_SIDECAR_MISMATCH, -1, "sidecar.bin",
                    "sidecar.bin", words);
}

/* What was kept of the file, if it is of use. */
static tm_status restore_kept(pack_run *run, bool plain)
{
    uint32_t num_other;
    char words[128];
    if (plain || !run->kept.bytes)
        return TM_OK;
    const tm_status status =
        tm_mapfile_sidecar_apply(&num_other, run->map, &run->kept, run->job, &run->error);
    if (status == TM_ERROR_DAMAGED) {
        warn_kept(run, "it is damaged; the map is written without it");
        return TM_OK;
    }
    snprintf(words, sizeof(words),
             "%" PRIu32 " %s packed in other bytes than before: the same content, but not the same file",
             num_other, num_other == 1 ? "block is" : "blocks are");
    if (status == TM_OK && num_other)
        warn_kept(run, words);
    return status;
}

static void report_packed(cli_report *report, const pack_run *run, bool done)
{
    char *const *operands = report->tool->operands;
    json_t *object =
        json_object(JSON_TEXT("path", operands[0]), JSON_TEXT("output", operands[1]),
                    JSON_BOOL("written", done && !((const pack_options *)report->tool->options)->dry_run),
                    JSON_INT("output_size", run->written));
    if (!done)
        json_add_error(object, &run->error);
    json_add_findings(object, &run->findings);
    report_done(report, object, "{{^error}}{{output:path}}: {{output_size}} bytes\n{{/}}");
}

static void pack_one(void *ctx, cli_report *report)
{
    cli_tool *tool = ctx;
    const pack_options *options = tool->options;
    const char *path = tool->operands[0], *target = tool->operands[1];
    const char *fault =
        options->dry_run ? NULL : files_map_fault(target, options->force, options->common.json);
    pack_run run = {.job = report->job};
    if (fault) {
        put_trouble(report->err, target, fault);
        raise_status(&report->status, STATUS_TROUBLE);
        return;
    }
    tm_findings_init(&run.findings, 0, NULL);
    tm_status status = read_folder(&run, path, tool->common->unpacked);
    status = status ? status : restore_kept(&run, options->plain);
    if (!status && !options->dry_run)
        status = write_packed(&run, target, tool->common->unpacked);
    report_findings(report, &run.findings, true);
    report_packed(report, &run, !status);
    if (status == TM_ERROR_DAMAGED && run.findings.errors) /* the findings say it all */
        raise_status(&report->status, STATUS_TROUBLE);
    else if (status)
        report_error(report, &run.error);
    tm_sidecar_release(&run.kept);
    tm_map_free(run.map);
    tm_findings_release(&run.findings);
}

int cmd_pack(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool->needs = FILE_NEEDS_BLOCK;
    tool_each(tool, &path, 1, pack_one, tool);
    return STATUS_DONE;
}
