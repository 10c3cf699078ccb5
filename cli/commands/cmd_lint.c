/* SPDX-License-Identifier: Zlib */
/*
 * cmd_lint.c - `teemap lint`: checks maps for release problems. The rules are the library's (teemap/lint.h);
 * here is which of them run, and which findings count. lint_formats.c and lint_page.c report findings, and
 * lint_fix.c fixes them.
 */
#include "lint_parts.h"

static const option_choice severity_choices[] = {
    {"error", TM_SEVERITY_ERROR, false},
    {"warning", TM_SEVERITY_WARNING, false},
    {"note", TM_SEVERITY_NOTE, false},
    {NULL, 0, false},
};

static const option_choice format_choices[] = {
    {"text", LINT_TEXT, false},   {"sarif", LINT_SARIF, false},       {"github", LINT_GITHUB, false},
    {"junit", LINT_JUNIT, false}, {"markdown", LINT_MARKDOWN, false}, {NULL, 0, false},
};

static const option_choice fix_choices[] = {
    {"safe", FIX_SAFE, false},
    {"all", FIX_ALL, false},
    {"", FIX_SAFE, true},
    {NULL, 0, false},
};

typedef struct lint_options {
    change_options change;
    lint_words words;
    lint_file_words files;
    tm_severity fail_on;
    lint_format format;
    lint_fixes fix;
    const char *fix_one, *baseline, *page;
    bool list, diff, replace;
} lint_options;

static const option_row lint_rows[] = {
    {0, "list", NULL, FLAG_AT(lint_options, list),
     .text = "list the rules, with --rules only those of some sets"},
    {0, "fail-on", "SEVERITY", CHOICE_AT(lint_options, fail_on, severity_choices), .preset = "warning",
     .text = "lowest severity that makes the exit status 1"},
    {0, "format", "NAME", CHOICE_AT(lint_options, format, format_choices), .preset = "text",
     .text =
         "output format: lines of text, SARIF 2.1.0, annotations of GitHub Actions, JUnit XML, or Markdown"},
    {0, "baseline", "FILE", FILE_AT(lint_options, baseline),
     .text = "ignore the findings in FILE, the output of an earlier run with --json"},
    {0, "fix", "WHICH", CHOICE_AT(lint_options, fix, fix_choices), .value_optional = true,
     .noun = "safe or all",
     .text = "apply fixes: safe ones, without visible or gameplay changes (the default), or all"},
    {0, "fix-one", "ID@ADDRESS", TEXT_AT(lint_options, fix_one), .list = "rules",
     .text = "fix only the findings of this rule, and only at this address if given"},
    {0, "page", "DIR", FOLDER_AT(lint_options, page),
     .text =
         "write a web page to this folder, with pictures of the places (of notes only with -v) and filters by rule "
         "and severity"},
    {'f', "force", NULL, FLAG_AT(lint_options, replace),
     .text = "with --page: replace DIR/index.html even if another program wrote it"},
    {0, "diff", NULL, FLAG_AT(lint_options, diff),
     .text =
         "print what --fix or --fix-one would change, as 'teemap diff' does, and write nothing; implies --fix"},
    CHANGE_OUTPUT_ROWS(lint_options),
    CHANGE_IMAGES_ROW(lint_options),
    LINT_CHOICE_ROWS(lint_options),
    MOD_ROW(PART,
            "take all maps as made for this mod: a name of docs/mods.md, or a file in TOML; a file with "
            "nothing but settings adds these to what servers know (default: what each map shows)"),
    LINT_FILE_ROWS(lint_options),
    JSON_EACH_ROW,
    RECURSIVE_ROW("process all *.map files in folders; -t keeps the folder structure"),
    RUNNING_ROWS(
        "also print notes, all places of each finding, its fix, and a line for maps without findings"),
    {0},
};

COMMAND(lint, lint_options, 0, -1, .operands = {OPERAND_MAP});

typedef struct lint_run {
    cli_tool *tool;
    const lint_options *options;
    file_list files;
    tm_lint_options rule_options;
    atomic_size_t clean, noted, warned, wrong, unread; /* files */
    atomic_uint_fast64_t hidden;                       /* notes that are not shown without -v */
    atomic_uint_fast64_t found, unlisted; /* findings that were shown, and such for which no place was */
    lint_configs configs;
    lint_format format;
    text *bodies; /* of the format, one for each file; NULL: lines, or JSON */
    lint_baseline baseline;
    lint_page page;
} lint_run;

/* ------------------------------------------------------------------------------------------ what is told */

/* The least severity that people are told of. */
static tm_severity least_shown(const lint_run *run)
{
    const tm_severity usual = run->tool->common->verbose ? TM_SEVERITY_NOTE : TM_SEVERITY_WARNING;
    return run->options->fail_on < usual ? run->options->fail_on : usual;
}

/*
 * What of the file could not be read, as findings: the error of a map that was not read at all, else faults
 * of the file, and layers about which rules learn nothing. Free it.
 */
static tm_finding *list_damage(size_t *num, const loaded *file, const tm_lint_result *result)
{
    tm_finding *list = must_alloc(file->findings.num + 1, sizeof(*list));
    tm_finding last = {.severity = TM_SEVERITY_ERROR, .offset = -1, .count = 1};
    *num = 0;
    for (size_t i = 0; i < file->findings.num && !file->error.code; i++)
        if (file->findings.list[i].severity == TM_SEVERITY_ERROR)
            list[(*num)++] = file->findings.list[i];
    if (file->error.code) {
        snprintf(last.place, sizeof(last.place), "%s", file->error.place);
        snprintf(last.text, sizeof(last.text), "%s", file->error.text);
        list[(*num)++] = last;
    } else if (result->unread) {
        last.id = TM_FINDING_DATA_BROKEN;
        last.count = result->unread;
        snprintf(last.text, sizeof(last.text),
                 "%" PRIu32 " %s damaged: rules that need %s were skipped; 'teemap check' says more",
                 result->unread, result->unread == 1 ? "layer or image is" : "layers or images are",
                 result->unread == 1 ? "it" : "them");
        list[(*num)++] = last;
    }
    return list;
}

/* What is reported: damage, and of the result what is not in the baseline. Free it. */
static lint_line *make_lines(size_t *num, const lint_run *run, const char *path, const tm_finding *damage,
                             size_t num_damage, const tm_lint_result *result)
{
    const size_t all = num_damage + result->findings.num;
    lint_line *lines = must_alloc(all + 1, sizeof(*lines));
    for (size_t i = 0; i < num_damage; i++)
        lines[i] = (lint_line){&damage[i], NULL, SIZE_MAX, false};
    for (size_t i = 0; i < result->findings.num; i++)
        lines[num_damage + i] = (lint_line){&result->findings.list[i], tm_lint_rule_for(result, i), i, false};
    lint_baseline_mark(&run->baseline, path, lines, all);
    *num = 0;
    for (size_t i = 0; i < all; i++)
        if (!lines[i].known)
            lines[(*num)++] = lines[i];
    return lines;
}

/* Findings that are not listed, of this severity at least, without those that the baseline counts. */
static uint64_t num_unlisted(const lint_run *run, const char *path, const tm_lint_result *result,
                             tm_severity least)
{
    const tm_lint_rule *last = NULL;
    uint64_t num = 0;
    for (size_t i = 0; i < result->findings.num; i++) {
        const tm_lint_rule *rule = tm_lint_rule_for(result, i);
        if (rule == last || result->findings.list[i].severity < least)
            continue;
        const uint64_t now = tm_lint_unlisted(result, rule),
                       known = lint_baseline_unlisted(&run->baseline, path, tm_lint_rule_name(rule));
        num += now > known ? now - known : 0;
        last = rule;
    }
    return num;
}

/* ---------------------------------------------------------------------------------------------- one map */

static void judge_result(lint_run *run, cli_report *report, const lint_summary *summary)
{
    tm_severity worst = (tm_severity)0;
    for (size_t i = 0; i < summary->num_lines; i++)
        if (summary->lines[i].finding->severity > worst)
            worst = summary->lines[i].finding->severity;
    atomic_fetch_add(worst == TM_SEVERITY_ERROR     ? &run->wrong
                     : worst == TM_SEVERITY_WARNING ? &run->warned
                     : worst == TM_SEVERITY_NOTE    ? &run->noted
                                                    : &run->clean,
                     1);
    if (worst >= run->options->fail_on || summary->unlisted)
        raise_status(&report->status, STATUS_FINDINGS);
}

/*
 * Reports what was found, in the form that is asked for: JSON and the page have all, others what is bad
 * enough to be shown.
 */
static void report_result(lint_run *run, cli_report *report, const tm_lint_result *result, loaded *file)
{
    const tm_error *error = &file->error;
    const char *path = report->path;
    lint_summary summary = {
        .path = path_name(path), .result = result, .error = error, .fail_on = run->options->fail_on};
    tm_error page_error = {.offset = -1};
    size_t num_damage;
    tm_finding *damage = list_damage(&num_damage, file, result);
    lint_line *lines = make_lines(&summary.num_lines, run, path, damage, num_damage, result);
    summary.lines = lines;
    summary.unlisted = num_unlisted(run, path, result, run->options->fail_on);
    if (run->tool->common->json)
        lint_put_json(report->out, path, &summary);
    if (!error->code)
        judge_result(run, report, &summary);
    if (run->options->page &&
        lint_page_add(&run->page, report->index, &summary, file, report->job, &page_error))
        report_error(report, &page_error);
    const size_t all = summary.num_lines;
    summary.num_lines = 0;
    for (size_t i = 0; i < all; i++)
        if (lines[i].finding->severity >= least_shown(run))
            lines[summary.num_lines++] = lines[i];
    summary.unlisted = num_unlisted(run, path, result, least_shown(run));
    if (run->bodies)
        lint_format_map(&run->bodies[report->index], run->format, &summary);
    else if (!error->code && !run->tool->common->quiet && !run->tool->common->json)
        lint_put_text(report->out, &summary, run->tool->common->verbose);
    atomic_fetch_add(&run->unlisted, summary.unlisted);
    if (!error->code) {
        atomic_fetch_add(&run->found, summary.num_lines);
        atomic_fetch_add(&run->hidden, all - summary.num_lines);
    }
    free(lines);
    free(damage);
}

static tm_status run_lint_rules(tm_lint_result *out, const lint_run *run, tm_lint_options options,
                                const char *path, loaded *file, const tm_job *job)
{
    edit_inputs inputs = {0};
    tm_findings refusals;
    tm_findings_init(&refusals, 0, NULL);
    tm_status status = ask_strict_loader(&refusals, file->map, job, &file->error);
    options.refusals = &refusals;
    if (!status && map_has_automapper(file->map)) {
        status = images_open(&inputs.mapres, &run->options->change.mapres, path, file->map->game, NULL,
                             &file->error);
        options.rules = inputs_read_rules;
        options.rules_ctx = &inputs;
    }
    if (!status)
        status = tm_lint_run(out, file->map, &options, &file->error);
    inputs_close(&inputs);
    tm_findings_release(&refusals);
    return status;
}

static void lint_file(void *ctx, cli_report *report)
{
    lint_run *run = ctx;
    const char *path = report->path;
    loaded file;
    lint_map_options chosen;
    tm_lint_result result = {.unread = 0};
    load_map(&file, path, run->tool->common->mode);
    lint_configs_choose(&chosen, &run->configs, &run->rule_options, path);
    chosen.options.file_size = file.file_size;
    if (!file.status) /* rules ask for few blocks: a damaged map would pass for one to release */
        file.status = loaded_find_damage(&file, run->tool->common->mode, report->job, &file.error);
    if (!file.status)
        file.status = run_lint_rules(&result, run, chosen.options, path, &file, report->job);
    if (!file.status)
        file.error = (tm_error){.offset = -1}; /* what was said of damaged layers is counted */
    report_result(run, report, &result, &file);
    if (file.status) {
        atomic_fetch_add(&run->unread, 1);
        report_error(report, &file.error);
    }
    tm_lint_result_release(&result);
    loaded_release(&file);
}

/* ------------------------------------------------------------------------------------------------ the run */

static void print_lint_sum(lint_run *run)
{
    text sum = {0};
    text_print(&sum, "teemap: %zu maps: %zu clean, %zu with notes, %zu with warnings, %zu with errors",
               run->files.num, atomic_load(&run->clean), atomic_load(&run->noted), atomic_load(&run->warned),
               atomic_load(&run->wrong));
    if (atomic_load(&run->unread))
        text_print(&sum, ", %zu not readable", atomic_load(&run->unread));
    text_print(&sum, "; %" PRIu64 " findings shown\n", (uint64_t)atomic_load(&run->found));
    tool_print(run->tool, &sum);
}

/*
 * Somebody who waits for the words of one map is told that there are none, so that silence is not taken for a
 * fault.
 */
static void print_nothing_found(const lint_run *run)
{
    text line = {0};
    if (!tool_is_watched(run->tool) || run->tool->common->verbose || atomic_load(&run->found) ||
        atomic_load(&run->unread))
        return;
    put_about(&line, run->files.paths[0], "no findings");
    if (atomic_load(&run->hidden)) {
        text_string(&line, " (");
        text_count(&line, atomic_load(&run->hidden), "note", "notes");
        text_string(&line, ": -v)");
    }
    text_string(&line, "\n");
    tool_print(run->tool, &line);
}

static void put_listed_rule(text *lines, const tm_lint_rule *rule, uint32_t sets)
{
    bool first = true;
    if (sets && !(rule->sets & sets) && !rule->custom_id)
        return;
    text_print(lines, "%s\t%s\t", tm_lint_rule_name(rule), tm_severity_name(tm_lint_rule_severity(rule)));
    for (uint32_t bit = 0; bit < TM_LINT_SETS && !rule->custom_id; bit++) {
        if (!(rule->sets & (uint32_t)1 << bit))
            continue;
        text_print(lines, "%s%s", first ? "" : ",", tm_lint_set_name((uint32_t)1 << bit));
        first = false;
    }
    text_print(lines, "%s\t", rule->custom_id ? "own" : "");
    text_safe(lines, rule->title);
    text_put(lines, "\n", 1);
}

/* One line a rule: id, severity, sets, title. */
static void list_rules(const lint_run *run)
{
    cli_tool *tool = run->tool;
    const tm_lint_rule *rule;
    text lines = {0};
    for (size_t n = 0; (rule = lint_any_rule(&run->configs, n)); n++)
        put_listed_rule(&lines, rule, run->rule_options.sets);
    text_columns(&tool->out, &lines, "llll");
    text_release(&lines);
}

/* Between head and tail the maps, in their order. */
static void put_bodies(lint_run *run)
{
    text *out = &run->tool->out;
    bool first = true;
    lint_format_head(out, run->format, &run->configs);
    for (size_t i = 0; i < run->files.num; i++) {
        if (run->bodies[i].size && !first)
            lint_format_between(out, run->format);
        first = first && !run->bodies[i].size;
        text_put(out, run->bodies[i].bytes, run->bodies[i].size);
        text_release(&run->bodies[i]);
    }
    lint_format_tail(out, run->format, !atomic_load(&run->unread), atomic_load(&run->unlisted));
}

static void write_lint_page(lint_run *run)
{
    tm_error error = {.offset = -1};
    if (lint_page_write(&run->page, &run->configs, &error)) {
        tool_trouble(run->tool, run->options->page, error.text);
        raise_status(&run->tool->status, STATUS_TROUBLE);
    }
    lint_page_release(&run->page);
}

static void lint_files(lint_run *run)
{
    cli_tool *tool = run->tool;
    tool->needs = FILE_NEEDS_BLOCK;
    if (run->format != LINT_TEXT)
        run->bodies = must_alloc(run->files.num + 1, sizeof(*run->bodies));
    if (run->options->page)
        run->page.maps = must_alloc(run->files.num + 1, sizeof(*run->page.maps));
    tool_each(tool, run->files.paths, run->files.num, lint_file, run);
    if (run->options->page)
        write_lint_page(run);
    if (run->bodies)
        put_bodies(run);
    else if ((tool->common->recursive || run->files.num > 1) && run->files.num && !tool->common->json &&
             !tool->common->quiet)
        print_lint_sum(run);
    else if (run->files.num == 1)
        print_nothing_found(run);
    free(run->bodies);
}

static bool wants_fixes(const lint_options *o)
{
    return o->fix || o->fix_one || o->diff;
}

/* What is wrong with the words; NULL if nothing is. */
static const char *word_fault(const cli_tool *tool, const lint_options *o)
{
    const bool fixes = wants_fixes(o);
    if (o->list)
        return tool->num_operands      ? "--list looks at no map"
               : o->change.common.json ? "--list prints no JSON"
                                       : NULL;
    if (!tool->num_operands)
        return "no map was given";
    if (o->diff && (o->change.output || o->change.folder || o->change.in_place))
        return "--diff writes nothing: -o, -t and -i do not go with it";
    if (!fixes && (o->change.output || o->change.folder || o->change.in_place || o->change.dry_run))
        return "-o, -t, -i and -n go with --fix";
    if (fixes && (o->format || o->baseline))
        return "--format and --baseline do not go with --fix and --diff";
    if (fixes && o->page)
        return "--page does not go with --fix and --diff";
    if (o->replace && !o->page)
        return "-f goes with --page";
    return o->format && o->change.common.json ? "--json is a format of its own" : NULL;
}

static void run_lint(lint_run *run)
{
    const lint_options *o = run->options;
    if (o->list)
        list_rules(run);
    else if (wants_fixes(o))
        lint_fix_maps(run->tool, &(lint_fixer){&run->rule_options, &run->configs, o->fix ? o->fix : FIX_SAFE,
                                               o->fix_one, o->fail_on, o->diff});
    else if (!o->baseline || lint_baseline_read(&run->baseline, run->tool, o->baseline))
        lint_files(run);
}

int cmd_lint(cli_tool *tool)
{
    lint_options *words = tool->options;
    lint_run run = {.tool = tool, .options = words};
    lint_choices choices = {0};
    const char *fault = word_fault(tool, run.options);
    run.rule_options = (tm_lint_options)TM_LINT_OPTIONS_INIT;
    run.format = run.options->format;
    run.page = (lint_page){tool, &run.files, words->page, &words->change.mapres, least_shown(&run), NULL};
    const char *page_fault =
        words->page ? files_page_fault(words->page, "teemap lint", words->replace) : NULL;
    if (fault || page_fault)
        return tool_trouble(tool, fault ? tool->command->name : words->page, fault ? fault : page_fault);
    words->change.dry_run = words->change.dry_run || words->diff;
    /* Fixes expand their maps themselves, and report then what cannot be listed. */
    const bool fixes = wants_fixes(run.options);
    /* Each object can be fixed by its address, and is known or new by itself. */
    run.rule_options.mod = tool->common->mod;
    run.rule_options.apart = fixes || words->baseline || words->change.common.json;
    /* What other programs read, what is held against it, and what is fixed at once, is whole. */
    if (run.rule_options.apart)
        run.rule_options.most = 10000;
    const int status = tool->status;
    files_expand(&run.files, tool, tool->operands, (size_t)tool->num_operands);
    if (fixes)
        tool->status = status;
    if (lint_configs_read(&run.configs, tool, &words->files, &run.files) &&
        (!words->fix_one ||
         lint_choices_know(tool, &run.configs, words->fix_one, strcspn(words->fix_one, "@"))) &&
        lint_choices_read(&choices, &run.rule_options, tool, &words->words, &run.configs))
        run_lint(&run);
    lint_baseline_release(&run.baseline);
    lint_choices_release(&choices);
    lint_configs_release(&run.configs);
    files_release(&run.files);
    return STATUS_DONE;
}
