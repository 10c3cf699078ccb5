/* SPDX-License-Identifier: Zlib */
/*
 * cmd_check.c - `teemap check`: everything that reading finds odd, data included, and the model's own
 * invariants. The findings are the result, so they go to standard output; what keeps a file from being read
 * at all goes to standard error.
 */
#include "run/load.h"

static const option_row check_rows[] = {
    MODE_ROW,
    JSON_EACH_ROW,
    RECURSIVE_ROW("check all *.map files in folders, recursively"),
    THREADS_ROW,
    VERBOSE_ROW("print notes too, and a line for maps without findings"),
    QUIET_ROW,
    {0},
};

COMMAND(check, common_options, 1, -1, .operands = {OPERAND_MAP});

typedef struct check_run {
    atomic_size_t fine, warnings, errors, unreadable; /* files of each result */
} check_run;

static void put_check_json(cli_report *report, const char *path, tm_mode mode, const check_result *v,
                           const tm_findings *findings)
{
    json_t *object =
        json_object(JSON_TEXT("path", path), JSON_TEXT("mode", choice_name(mode_choices, (int)mode)),
                    JSON_TEXT("result", check_result_name(v, findings)));
    if (v->error.code)
        json_add_error(object, &v->error);
    json_add_findings(object, findings);
    text_json_line(report->out, object);
}

static void put_check_text(cli_report *report, const char *path, const common_options *options,
                           const check_result *v, const tm_findings *findings)
{
    text *out = report->out;
    tm_severity least = options->verbose ? TM_SEVERITY_NOTE : TM_SEVERITY_WARNING;
    size_t shown = put_finding_lines(out, findings,
                                     (finding_lines){"", path_name(path), least, options->verbose, SIZE_MAX});
    /* A refusal for which a finding stands already needs no second line. */
    if ((v->refused && !findings->errors) || v->invalid) {
        text_lead(out, path_name(path));
        if (v->error.place[0])
            text_lead(out, v->error.place);
        put_severity(out, TM_SEVERITY_ERROR);
        text_string(out, v->invalid ? ": the model is inconsistent: " : ": ");
        text_safe(out, v->error.text);
        text_put(out, "\n", 1);
        shown++;
    }
    if (findings->unlisted)
        put_about(out, path, "and %" PRIu64 " more\n", findings->unlisted);
    if (!shown && !v->unreadable && options->verbose)
        put_about(out, path, "fine\n");
}

static void count_result(check_run *run, const check_result *v, const tm_findings *findings)
{
    bool warned = false;
    for (size_t i = 0; i < findings->num; i++)
        warned |= findings->list[i].severity >= TM_SEVERITY_WARNING;
    atomic_fetch_add(v->unreadable                                      ? &run->unreadable
                     : v->refused || v->invalid || findings->errors > 0 ? &run->errors
                     : warned                                           ? &run->warnings
                                                                        : &run->fine,
                     1);
}

static void check_file(void *ctx, cli_report *report)
{
    check_run *run = ctx;
    const common_options *options = report->tool->common;
    const char *path = report->path;
    loaded file;
    check_result v;
    if (options->verbose || options->json)
        load_map_to_check(&file, path, options->mode);
    else
        load_map(&file, path, options->mode);
    judge_file(&v, &file, report->job);
    count_result(run, &v, &file.findings);
    if (options->json)
        put_check_json(report, path, options->mode, &v, &file.findings);
    else if (!options->quiet)
        put_check_text(report, path, options, &v, &file.findings);
    if (v.unreadable || (v.refused && options->quiet))
        report_error(report, &v.error);
    else if (v.refused)
        raise_status(&report->status, STATUS_TROUBLE);
    else if (v.invalid || file.findings.errors)
        raise_status(&report->status, STATUS_FINDINGS);
    loaded_release(&file);
}

int cmd_check(cli_tool *tool)
{
    check_run run = {0};
    file_list files;
    tool->needs = FILE_NEEDS_BLOCK;
    files_expand(&files, tool, tool->operands, (size_t)tool->num_operands);
    tool_each(tool, files.paths, files.num, check_file, &run);
    if (tool->common->recursive && files.num && !tool->common->json && !tool->common->quiet) {
        text sum = {0}; /* on standard error, as standard output holds findings only */
        const size_t unreadable = atomic_load(&run.unreadable);
        text_print(&sum, "teemap: %zu maps: %zu fine, %zu with warnings, %zu with errors", files.num,
                   atomic_load(&run.fine), atomic_load(&run.warnings), atomic_load(&run.errors));
        if (unreadable)
            text_print(&sum, ", %zu not readable", unreadable);
        text_string(&sum, "\n");
        tool_print(tool, &sum);
    }
    files_release(&files);
    return STATUS_DONE;
}
