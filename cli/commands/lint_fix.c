/* SPDX-License-Identifier: Zlib */
/*
 * lint_fix.c - mends what lint finds. A mend suits the map as it was when it was told, so the findings of one
 * rule are mended from the last to the first, by which no index shifts, and then all rules are asked again. A
 * rule that finds as much as before is left alone from then on.
 */
#include "lint_fix.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_RULES = 1024 };

/* One map at work. */
typedef struct fixing {
    const lint_fixer *fixer;
    changed_map *map;
    tm_edit_options options;
    lint_how how;
    const tm_lint_rule *vain[MOST_RULES]; /* mending them does not help */
    size_t num_vain;
    tm_lint_result found; /* when all rules were asked last */
    uint64_t left;        /* of these, those that count */
} fixing;

static bool is_vain(const fixing *at, const tm_lint_rule *rule)
{
    bool vain = at->num_vain == MOST_RULES;
    for (size_t i = 0; i < at->num_vain && !vain; i++)
        vain = at->vain[i] == rule;
    return vain;
}

static bool is_the_one(const char *one, const char *id, const tm_finding *finding)
{
    const size_t size = strlen(id);
    return strncmp(one, id, size) == 0 &&
           (one[size] == '@' ? strcmp(one + size + 1, finding->address) == 0 : !one[size]);
}

static bool may_mend(const fixing *at, const tm_lint_result *result, size_t i)
{
    const tm_lint_rule *rule = tm_lint_rule_for(result, i);
    if (!tm_lint_mend(result, i)[0] || is_vain(at, rule))
        return false;
    if (at->fixer->one)
        return is_the_one(at->fixer->one, tm_lint_rule_name(rule), &result->findings.list[i]);
    return at->fixer->most == MEND_ALL || rule->safe;
}

static tm_status run_mend(fixing *at, const char *line, tm_error *error)
{
    tm_edit_script *script;
    tm_status status = tm_edit_script_from_text(&script, line, strlen(line), NULL, error);
    if (!status)
        status = tm_edit_script_run(at->map->file.map, script, &at->options, &at->map->done, error);
    tm_edit_script_free(script);
    return status;
}

static uint64_t sum_of(const tm_lint_result *result, const tm_lint_rule *rule)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < result->findings.num; i++)
        sum += tm_lint_rule_for(result, i) == rule ? result->findings.list[i].count : 0;
    return sum;
}

/* All findings of the rule of one of them. What a mend cannot do is told by what is left. */
static tm_status mend_rule(fixing *at, const tm_lint_result *result, size_t first, tm_error *error)
{
    const tm_lint_rule *rule = tm_lint_rule_for(result, first);
    const char *last = "";
    for (size_t i = result->findings.num; i-- > first;) {
        const char *mend = tm_lint_mend(result, i);
        tm_error own = {.offset = -1};
        if (tm_lint_rule_for(result, i) != rule || !may_mend(at, result, i) || strcmp(mend, last) == 0)
            continue;
        last = mend;
        const tm_status status = run_mend(at, mend, &own);
        if (status && status != TM_ERROR_USAGE && status != TM_ERROR_NOT_FOUND) {
            *error = own;
            return status;
        }
    }
    return TM_OK;
}

static uint64_t num_bad(const tm_lint_result *result, tm_severity least)
{
    uint64_t num = 0;
    for (size_t i = 0; i < result->findings.num; i++)
        num += result->findings.list[i].severity >= least;
    for (int severity = (int)least; severity <= TM_SEVERITY_ERROR; severity++)
        num += result->unlisted[severity];
    return num;
}

/* Asks all rules anew. */
static tm_status ask_rules(fixing *at, tm_error *error)
{
    tm_lint_options how = at->how.options;
    how.rules = at->options.rules;
    how.rules_ctx = at->options.ctx;
    tm_lint_result_release(&at->found);
    const tm_status status = tm_lint_run(&at->found, at->map->file.map, &how, error);
    at->left = num_bad(&at->found, at->fixer->fail_on);
    return status;
}

/* One rule; *more becomes false when nothing is left that may be mended. */
static tm_status mend_next(fixing *at, bool *more, tm_error *error)
{
    size_t i = 0;
    while (i < at->found.findings.num && !may_mend(at, &at->found, i))
        i++;
    *more = i < at->found.findings.num;
    if (!*more)
        return TM_OK;
    const tm_lint_rule *rule = tm_lint_rule_for(&at->found, i);
    const uint64_t before = sum_of(&at->found, rule);
    tm_status status = mend_rule(at, &at->found, i, error);
    if (!status)
        status = ask_rules(at, error);
    if (sum_of(&at->found, rule) >= before || at->fixer->one)
        at->vain[at->num_vain++] = rule;
    return status;
}

typedef struct fix_all {
    const lint_fixer *fixer;
    cli_tool *tool;
} fix_all;

static tm_status fix_findings(void *ctx, changed_map *map, tm_error *error)
{
    const fix_all *run = ctx;
    const change_options *words = run->tool->options;
    edit_inputs inputs = {0};
    fixing at = {.fixer = run->fixer, .map = map};
    bool more = true;
    tm_status status = change_inputs_open(&inputs, &at.options, words, map, error);
    lint_configs_choose(&at.how, run->fixer->configs, run->fixer->how, map->path);
    at.how.options.file_size = map->file.file_size;
    if (!status)
        status = ask_rules(&at, error);
    for (uint32_t round = 0; !status && more && round < MOST_RULES; round++)
        status = mend_next(&at, &more, error);
    tm_lint_result_release(&at.found);
    inputs_close(&inputs);
    map->lacks = !status && at.left > 0;
    return status;
}

/* The same, and keeps what that changed. */
static tm_status fix_and_compare(void *ctx, changed_map *map, tm_error *error)
{
    tm_map *before = NULL;
    tm_status status = tm_map_clone(&before, map->file.map, error);
    if (!status)
        status = fix_findings(ctx, map, error);
    if (!status)
        status = tm_patch_make(&map->patch, before, map->file.map, NULL, error);
    tm_map_free(before);
    return status;
}

static void put_fixed_line(void *ctx, const changed_map *map, text *out)
{
    const char *one = ((const fix_all *)ctx)->fixer->one;
    if (!map->done.num && !map->lacks)
        return;
    text_string(out, "teemap: ");
    text_safe(out, path_name(map->path));
    if (one && !map->done.num) {
        text_string(out, ": nothing is found that would be mended by --fix-one ");
        text_quoted(out, one);
        text_put(out, "\n", 1);
        return;
    }
    text_print(out, ": %zu mend%s done", map->done.num, map->done.num == 1 ? "" : "s");
    text_string(out, map->lacks ? "; findings are left, 'teemap lint' tells which\n" : "; nothing is left\n");
}

void lint_fix_maps(cli_tool *tool, const lint_fixer *fixer)
{
    fix_all run = {fixer, tool};
    change_maps(tool, &(change_command){.ctx = &run,
                                        .work = fixer->diff ? fix_and_compare : fix_findings,
                                        .put_line = put_fixed_line});
}
