/* SPDX-License-Identifier: Zlib */
/*
 * cmd_lint.c - `teemap lint`: would one release these maps? The rules are the library's (teemap/lint.h); here
 * are choices in words, lines and JSON. Other formats are in lint_formats.c, mends in lint_fix.c.
 */
#include "lint_baseline.h"
#include "lint_choices.h"
#include "lint_fix.h"
#include "lint_formats.h"
#include "output/json.h"
#include "run/files.h"
#include "run/load.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

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

static const option_choice mend_choices[] = {
    {"safe", MEND_SAFE, false},
    {"all", MEND_ALL, false},
    {"", MEND_SAFE, true},
    {NULL, 0, false},
};

typedef struct lint_options {
    change_options change;
    lint_words words;
    tm_severity fail_on;
    lint_format format;
    lint_mends fix;
    const char *fix_one, *baseline;
    bool list;
} lint_options;

static const option_row lint_rows[] = {
    {0, "list", NULL, FLAG_AT(lint_options, list), .group = GROUP_OUTPUT,
     .text = "look at no map; list the rules, with --rules those of some sets"},
    {0, "fail-on", "SEVERITY", CHOICE_AT(lint_options, fail_on, severity_choices), .preset = "warning",
     .group = GROUP_OUTPUT, .text = "what makes the exit status 1"},
    {0, "format", "NAME", CHOICE_AT(lint_options, format, format_choices), .preset = "text",
     .group = GROUP_OUTPUT,
     .text =
         "what is printed: lines, SARIF 2.1.0, annotations of GitHub's actions, JUnit's XML, or Markdown"},
    {0, "baseline", "FILE", FILE_AT(lint_options, baseline), .group = GROUP_OUTPUT,
     .text = "leave out what stands in FILE, which a former run with --json has printed"},
    {0, "fix", "WHICH", CHOICE_AT(lint_options, fix, mend_choices), .value_optional = true,
     .what = "safe or all", .group = GROUP_OUTPUT,
     .text = "mend what can be mended: safe, nobody sees or feels it in the game; or all"},
    {0, "fix-one", "ID@ADDRESS", TEXT_AT(lint_options, fix_one), .group = GROUP_OUTPUT,
     .text = "mend only the findings of this rule, and at this address if one is given"},
    CHANGE_OUTPUT_ROWS(lint_options),
    CHANGE_IMAGES_ROW(lint_options),
    LINT_CHOICE_ROWS(lint_options),
    JSON_EACH_ROW,
    RECURSIVE_ROW("take all *.map files in folders; with -t their places below the folder are kept"),
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("notes too, all places of each finding, what mends it, and a line for maps without findings"),
    QUIET_ROW,
    {0},
};

static int cmd_lint(cli_tool *tool);

const command lint_command = {
    .name = "lint",
    .summary = "would one release these maps? what players, mappers and testers would object to",
    .usages = {"[OPTION]... PATH...", "--fix[=all] MAP... {-o OUT | -t DIR | -i | -n}",
               "--list [--rules SET,...]"},
    .text =
        "Asks all rules of docs/lint.md that suit the map, and prints what they find, one finding a line with its id in "
        "brackets; 'teemap help ID' says why it matters and how to mend it. What keeps games from reading a map at all is "
        "the work of 'teemap check'.\n\n"
        "Rules come in sets: ddnet, kog, vanilla, teeworlds07, style, and all of them; and there are types of servers: novice, "
        "moderate, brutal, insane, dummy, ddmax, oldschool, solo, race, fun of DDNet, and ctf, dm. Without --rules a map is "
        "measured by the set of its game and by style. In --select, --ignore and --severity a * stands for anything: tele-*.\n\n"
        "With --fix what rules can mend themselves is mended, and the map written as 'teemap edit' does; -n says what would "
        "be changed. A map that was mended has no finding left that could be.",
    .rows = lint_rows,
    .options_size = sizeof(lint_options),
    .examples = {{"lint Tutorial.map", "warnings and errors"},
                 {"lint -v new.map", "notes, too, and every place"},
                 {"lint --fail-on error -r maps", "end with 1 only where something is certainly wrong"},
                 {"lint --select 'tele-*,*checkpoint*' -r maps", "only teleporters and checkpoints"},
                 {"lint --ignore 'unused-*' --severity tile-in-wall=note my.map",
                  "with a taste of one's own"},
                 {"lint --json -r maps > known.json", "for other programs, and for --baseline known.json"},
                 {"lint --fix -n my.map", "what would be mended"},
                 {"lint --format sarif -r maps > lint.sarif", "for a page of code scanning"}},
    .min_operands = 0,
    .max_operands = -1,
    .operands = {OPERAND_MAP},
    .findings = "a map has a finding of the severity of --fail-on, or worse",
    .run = cmd_lint,
};

typedef struct lint_run {
    cli_tool *tool;
    const lint_options *options;
    file_list files;
    tm_lint_options how;
    atomic_size_t clean, noted, warned, wrong, unread; /* files */
    atomic_uint_fast64_t found;                        /* findings that were shown */
    const lint_writer *writer;                         /* NULL: lines, or JSON */
    text *bodies;                                      /* of the writer, one for each file */
    lint_baseline baseline;
} lint_run;

/* -------------------------------------------------------------------------------------------------- lines */

static void put_tiles_place(text *out, const tm_lint_place *place)
{
    text_print(out, "    %" PRIu32 ",%" PRIu32 "+%" PRIu32 "x%" PRIu32 ": ", place->x, place->y, place->width,
               place->height);
    text_count(out, place->count, "tile", "tiles");
    text_put(out, "\n", 1);
}

static void put_details(text *out, const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_lint_place *places = tm_lint_places(result, finding, &num);
    const char *mend = tm_lint_mend(result, finding);
    for (uint32_t i = 0; num > 1 && i < num; i++)
        put_tiles_place(out, &places[i]);
    if (mend[0]) {
        text_string(out, "    teemap edit: ");
        text_safe(out, mend);
        text_put(out, "\n", 1);
    }
}

/* The least severity that people are told of. */
static tm_severity least_shown(const lint_run *run)
{
    const tm_severity usual = run->tool->common->verbose ? TM_SEVERITY_NOTE : TM_SEVERITY_WARNING;
    return run->options->fail_on < usual ? run->options->fail_on : usual;
}

/* More than are listed of those that people are told of. What a baseline knows of them nobody can tell. */
static uint64_t num_unlisted(const lint_run *run, const tm_lint_result *result)
{
    uint64_t num = 0;
    for (int severity = (int)least_shown(run); severity <= TM_SEVERITY_ERROR; severity++)
        num += result->unlisted[severity];
    return run->baseline.known ? 0 : num;
}

static void put_lint_text(lint_run *run, report *to, const char *path, const tm_lint_result *result)
{
    const bool verbose = run->tool->common->verbose;
    const tm_severity least = least_shown(run);
    size_t shown = 0;
    for (size_t i = 0; i < result->findings.num; i++) {
        tm_finding finding = result->findings.list[i];
        if (finding.severity < least || lint_baseline_has(&run->baseline, path, &finding))
            continue;
        finding.count = 1; /* the text says it */
        put_finding(to->out, path_name(path), &finding);
        if (verbose)
            put_details(to->out, result, i);
        shown++;
    }
    if (num_unlisted(run, result)) {
        text_safe(to->out, path_name(path));
        text_print(to->out, ": and %" PRIu64 " more\n", num_unlisted(run, result));
    }
    if (verbose && !shown) {
        text_safe(to->out, path_name(path));
        text_string(to->out, ": fine\n");
    }
    atomic_fetch_add(&run->found, shown);
}

static json_t *json_places(const tm_lint_result *result, size_t finding)
{
    uint32_t num;
    const tm_lint_place *places = tm_lint_places(result, finding, &num);
    json_t *list = json_array();
    for (uint32_t i = 0; i < num; i++) {
        json_t *place = json_make();
        json_add_int(place, "x", places[i].x);
        json_add_int(place, "y", places[i].y);
        json_add_int(place, "width", places[i].width);
        json_add_int(place, "height", places[i].height);
        json_add_int(place, "count", (int64_t)places[i].count);
        json_append(list, place);
    }
    return list;
}

static json_t *json_sets(uint32_t sets)
{
    json_t *list = json_array();
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        if (sets & (uint32_t)1 << bit)
            json_append(list, json_string(tm_lint_set_name((uint32_t)1 << bit)));
    return list;
}

static void put_lint_json(const lint_run *run, report *to, const char *path, const tm_lint_result *result,
                          const tm_error *error)
{
    json_t *object = json_make(), *list = json_array();
    json_add_text(object, "path", path);
    json_add(object, "rules", json_sets(result->sets));
    for (size_t i = 0; i < result->findings.num; i++) {
        if (lint_baseline_has(&run->baseline, path, &result->findings.list[i]))
            continue;
        json_t *finding = json_finding(&result->findings.list[i]);
        json_add(finding, "places", json_places(result, i));
        json_add_text(finding, "mend", tm_lint_mend(result, i)[0] ? tm_lint_mend(result, i) : NULL);
        json_append(list, finding);
    }
    json_add(object, "findings", list);
    json_add_int(object, "findings_unlisted", (int64_t)result->findings.unlisted);
    json_add_int(object, "unread", result->unread);
    if (error->code)
        json_add_error(object, error);
    text_json(to->out, object);
    text_put(to->out, "\n", 1);
}

/* In another format: gathered, as some of these are one document over all maps. */
static void put_lint_body(lint_run *run, size_t index, const tm_lint_result *result, const tm_error *error)
{
    const char *path = run->files.paths[index];
    tm_finding *list = must_alloc(result->findings.num + 1, sizeof(*list));
    tm_lint_result shown = *result;
    shown.findings.list = list;
    shown.findings.num = 0;
    for (size_t i = 0; i < result->findings.num; i++) {
        const tm_finding *finding = &result->findings.list[i];
        if (finding->severity >= least_shown(run) && !lint_baseline_has(&run->baseline, path, finding))
            list[shown.findings.num++] = *finding;
    }
    run->writer->one(&run->bodies[index],
                     &(lint_told){path_name(path), &shown, error, run->options->fail_on});
    atomic_fetch_add(&run->found, shown.findings.num);
    free(list);
}

/* ---------------------------------------------------------------------------------------------- one map */

static void judge_result(lint_run *run, report *to, const char *path, const tm_lint_result *result)
{
    tm_severity worst = (tm_severity)0;
    for (size_t i = 0; i < result->findings.num; i++)
        if (result->findings.list[i].severity > worst &&
            !lint_baseline_has(&run->baseline, path, &result->findings.list[i]))
            worst = result->findings.list[i].severity;
    atomic_fetch_add(worst == TM_SEVERITY_ERROR     ? &run->wrong
                     : worst == TM_SEVERITY_WARNING ? &run->warned
                     : worst == TM_SEVERITY_NOTE    ? &run->noted
                                                    : &run->clean,
                     1);
    if (worst >= run->options->fail_on)
        worsen(&to->status, STATUS_FINDINGS);
}

static void warn_of_unread(report *to, const char *path, const tm_lint_result *result)
{
    if (!result->unread)
        return;
    text_string(to->err, "teemap: ");
    text_safe(to->err, path_name(path));
    text_string(to->err, ": ");
    text_count(to->err, result->unread, "layer or image is", "layers or images are");
    text_string(to->err, " damaged, and what depends on it was not asked; 'teemap check' tells more\n");
}

static void lint_file(void *ctx, size_t index, const tm_job *job, report *to)
{
    lint_run *run = ctx;
    const char *path = run->files.paths[index];
    loaded file;
    tm_lint_result result = {.unread = 0};
    (void)job;
    load_map(&file, path, run->tool->common->mode, false);
    if (!file.status)
        file.status = tm_lint_run(&result, file.map, &run->how, &file.error);
    if (run->tool->common->json)
        put_lint_json(run, to, path, &result, &file.error);
    else if (run->writer)
        put_lint_body(run, index, &result, &file.error);
    else if (!file.status && !run->tool->common->quiet)
        put_lint_text(run, to, path, &result);
    if (file.status) {
        atomic_fetch_add(&run->unread, 1);
        report_error(run->tool, to, path, &file.error);
    } else {
        judge_result(run, to, path, &result);
        if (!run->tool->common->quiet)
            warn_of_unread(to, path, &result);
    }
    tm_lint_result_release(&result);
    loaded_release(&file);
}

/* ------------------------------------------------------------------------------------------------ the run */

static void say_lint_sum(lint_run *run)
{
    text sum = {0};
    text_print(&sum, "teemap: %zu maps: %zu clean, %zu with notes, %zu with warnings, %zu with errors",
               run->files.num, atomic_load(&run->clean), atomic_load(&run->noted), atomic_load(&run->warned),
               atomic_load(&run->wrong));
    if (atomic_load(&run->unread))
        text_print(&sum, ", %zu not readable", atomic_load(&run->unread));
    text_print(&sum, "; %" PRIu64 " findings shown\n", (uint64_t)atomic_load(&run->found));
    tool_say(run->tool, &sum);
    text_release(&sum);
}

/* One line a rule: id, severity, sets, title. */
static void list_rules(cli_tool *tool, uint32_t sets)
{
    const tm_lint_rule *rule;
    text lines = {0};
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++) {
        if (sets && !(rule->sets & sets))
            continue;
        text_print(&lines, "%s\t%s\t", tm_finding_name(rule->id),
                   tm_severity_name(tm_finding_severity(rule->id, TM_MODE_GAME, NULL)));
        bool first = true;
        for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++) {
            if (!(rule->sets & (uint32_t)1 << bit))
                continue;
            text_print(&lines, "%s%s", first ? "" : ",", tm_lint_set_name((uint32_t)1 << bit));
            first = false;
        }
        text_print(&lines, "\t%s\n", rule->title);
    }
    text_columns(&tool->out, &lines, "llll");
    text_release(&lines);
}

/* Between head and tail the maps, in their order. */
static void put_bodies(lint_run *run)
{
    text *out = &run->tool->out;
    bool first = true;
    if (run->writer->head)
        run->writer->head(out);
    for (size_t i = 0; i < run->files.num; i++) {
        if (run->bodies[i].size && !first)
            text_string(out, run->writer->between);
        first = first && !run->bodies[i].size;
        text_put(out, run->bodies[i].bytes, run->bodies[i].size);
        text_release(&run->bodies[i]);
    }
    if (run->writer->tail)
        run->writer->tail(out, !atomic_load(&run->unread));
}

static void lint_files(lint_run *run)
{
    cli_tool *tool = run->tool;
    tool->needs = FILE_NEEDS_BLOCK;
    files_expand(&run->files, tool, tool->operands, (size_t)tool->num_operands);
    if (run->writer) {
        run->bodies = must_alloc(run->files.num + 1, sizeof(*run->bodies));
        memset(run->bodies, 0, (run->files.num + 1) * sizeof(*run->bodies));
    }
    tool_each(tool, run->files.paths, run->files.num, lint_file, run);
    if (run->writer)
        put_bodies(run);
    else if ((tool->common->recursive || run->files.num > 1) && run->files.num && !tool->common->json &&
             !tool->common->quiet)
        say_lint_sum(run);
    free(run->bodies);
    files_release(&run->files);
}

/* What is wrong with the words; NULL if nothing is. */
static const char *word_fault(const cli_tool *tool, const lint_options *o)
{
    const bool fixes = o->fix || o->fix_one;
    if (o->list)
        return tool->num_operands      ? "--list looks at no map"
               : o->change.common.json ? "--list prints no JSON"
                                       : NULL;
    if (!tool->num_operands)
        return "no map is named";
    if (!fixes && (o->change.output || o->change.folder || o->change.in_place || o->change.dry_run))
        return "-o, -t, -i and -n go with --fix";
    if (fixes && (o->format || o->baseline))
        return "--format and --baseline do not go with --fix";
    return o->format && o->change.common.json ? "--json is a format of its own" : NULL;
}

static void run_lint(lint_run *run)
{
    const lint_options *o = run->options;
    if (o->list)
        list_rules(run->tool, run->how.sets);
    else if (o->fix || o->fix_one)
        lint_fix_maps(run->tool, &(lint_fixer){&run->how, o->fix, o->fix_one, o->fail_on});
    else if (!o->baseline || lint_baseline_read(&run->baseline, run->tool, o->baseline))
        lint_files(run);
}

static int cmd_lint(cli_tool *tool)
{
    lint_run run = {.tool = tool, .options = tool->options};
    lint_choices choices = {0};
    const char *fault = word_fault(tool, run.options);
    tm_lint_options_init(&run.how);
    run.writer = lint_writer_of(run.options->format);
    if (fault) {
        tool_trouble(tool, tool->command->name, fault);
        return STATUS_TROUBLE;
    }
    const char *one = run.options->fix_one;
    if ((one && !lint_choices_know(tool, one, strcspn(one, "@"))) ||
        !lint_choices_read(&choices, &run.how, tool, &run.options->words))
        return STATUS_TROUBLE;
    run_lint(&run);
    lint_baseline_release(&run.baseline);
    lint_choices_release(&choices);
    return STATUS_DONE;
}
