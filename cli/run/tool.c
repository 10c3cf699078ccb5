/* SPDX-License-Identifier: Zlib */
/*
 * tool.c - one run of the program: what it says of paths, errors and findings, and its exit status. Knows
 * commands only by their names.
 */
#include "tool.h"

#include "files.h"

/* The findings of one file that are printed next to other results: a broken file has hundreds. */
#define FEW_FINDINGS 8

void raise_status(int *status, int by)
{
    *status = by > *status ? by : *status;
}

void tool_print(cli_tool *tool, text *talk)
{
    if (talk->size) {
        progress_clear(&tool->progress);
        text_flush(&tool->out);
        fwrite(talk->bytes, 1, talk->size, stderr);
        fflush(stderr);
    }
    text_release(talk);
}

int tool_trouble(cli_tool *tool, const char *path, const char *reason)
{
    text err = {0};
    put_trouble(&err, path, reason);
    tool_print(tool, &err);
    raise_status(&tool->status, STATUS_TROUBLE);
    return STATUS_TROUBLE;
}

int tool_usage(cli_tool *tool, const char *reason)
{
    return tool_trouble(tool, tool->command->name, reason);
}

void tool_error(cli_tool *tool, const char *path, const tm_error *error)
{
    text err = {0};
    put_error(&err, path, error);
    tool_print(tool, &err);
    raise_status(&tool->status, STATUS_TROUBLE);
}

void tool_warn_of_folders(cli_tool *tool)
{
    text err = {.color = tool->color_err};
    for (const option_row *row = tool->command->rows; row->type != OPTION_END; row++) {
        if (row->type != OPTION_FOLDERS)
            continue;
        const void *field = (const char *)tool->options + row->offset;
        const word_list *folders = field;
        for (size_t i = 0; i < folders->num; i++) {
            tm_sys_kind kind;
            tm_error error;
            if (tm_sys_get_kind(&kind, folders->words[i], &error)) {
                put_error(&err, NULL, &error);
                raise_status(&tool->status, STATUS_TROUBLE);
                continue;
            }
            if (kind == TM_SYS_FOLDER)
                continue;
            if (tool->common->quiet)
                continue;
            text_string(&err, "teemap: ");
            text_lead(&err, folders->words[i]);
            put_severity(&err, TM_SEVERITY_WARNING);
            text_print(&err, ": --%s names a folder that is not there\n", row->name);
        }
    }
    tool_print(tool, &err);
}

/* Says which mods there are, where a name is none of them, and no file's. */
static void refuse_mod(cli_tool *tool, const char *name)
{
    text names = {0};
    const tm_mod *mod;
    text_string(&names, "there is no such mod, and no such file; mods are ");
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++)
        text_print(&names, "%s%s", n ? ", " : "", mod->name);
    tool_trouble(tool, name, text_words(&names));
    text_release(&names);
}

bool tool_find_mod(cli_tool *tool)
{
    enum { MOST = 1 << 18 }; /* bytes: tm_mod_read takes no more */
    common_options *options = tool->common;
    const char *name = options->mod_name;
    tm_error error = {.offset = -1};
    uint8_t *bytes = NULL;
    size_t size;
    if (!name || (options->mod = tm_mod_by_name(name)))
        return true;
    tm_status status = read_path(&bytes, &size, name, MOST, NULL, &error);
    if (status && !strpbrk(name, "./\\")) { /* it is no path: a name was meant */
        refuse_mod(tool, name);
        return false;
    }
    if (!status)
        status = tm_mod_read(&options->mod_file, (const char *)bytes, size, NULL, &error);
    free(bytes);
    options->mod = options->mod_file;
    if (status)
        tool_error(tool, name, &error);
    return !status;
}

/* Whether the terminal shows colors and the user wants them (https://no-color.org). */
static bool shows_colors(bool is_terminal)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return is_terminal && !(refused && *refused) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void tool_begin(cli_tool *tool)
{
    *tool = (cli_tool){.stdout_sink = tm_sys_stdout()};
    tool->out.sink = &tool->stdout_sink;
    tool->out.color = shows_colors(tm_sys_stdout_is_terminal());
    tool->out.columns = tm_sys_stdout_is_terminal() ? tm_sys_terminal_width() : 0;
    tool->color_err = shows_colors(tm_sys_stderr_is_terminal());
}

int tool_finish(cli_tool *tool)
{
    if (!text_flush(&tool->out))
        tool_error(tool, "standard output", &tool->out.error);
    tm_sys_threads_free(tool->threads);
    text_release(&tool->out);
    return tool->status;
}

/* ------------------------------------------------------------------------------------------------ reports */

bool findings_lose(const tm_findings *findings)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id >= TM_FINDING_LOST_LAYER && findings->list[i].id <= TM_FINDING_LOST_IMAGE)
            return true;
    return false;
}

void report_findings(cli_report *report, const tm_findings *findings, shown_findings which)
{
    const common_options *options = report->tool->common;
    const tm_severity least = options->verbose       ? TM_SEVERITY_NOTE
                              : which == SHOW_ERRORS ? TM_SEVERITY_ERROR
                                                     : TM_SEVERITY_WARNING;
    raise_status(&report->status, findings->errors ? STATUS_FINDINGS : STATUS_DONE);
    if (options->quiet)
        return;
    put_finding_lines(report->err, findings,
                      (finding_lines){"teemap: ", path_name(report->path), least, false,
                                      which == SHOW_ALL || options->verbose ? SIZE_MAX : FEW_FINDINGS});
    for (size_t i = 0; i < findings->num; i++)
        report->refused |= findings->list[i].refuses;
}

void report_note(cli_report *report, const char *words)
{
    if (!report->tool->common->quiet)
        put_trouble(report->err, path_name(report->path), words);
}

void report_done(cli_report *report, json_t *object, const char *form)
{
    if (report->tool->common->json)
        text_json_line(report->out, object);
    else if (report->tool->common->verbose)
        form_line(report->err, form, object);
    else
        json_free(object);
}

bool tool_is_watched(const cli_tool *tool)
{
    return !tool->common->quiet && !tool->common->json && tm_sys_stderr_is_terminal();
}

void report_error(cli_report *report, const tm_error *error)
{
    if (error->side == TM_SIDE_OUTPUT && strcmp(error->path, "standard output") == 0) {
        report->tool->out.error = *error; /* reported at the end */
        return;
    }
    /* A refusal for which a finding stands needs no second line. */
    if (!report->refused || error->code != TM_ERROR_DAMAGED)
        put_error(report->err, path_name(report->path), error);
    raise_status(&report->status, STATUS_TROUBLE);
}
