/* SPDX-License-Identifier: Zlib */
/*
 * lint_fix.c - fixes what lint finds. A fix has addresses of the map before any change. So one operation
 * fixes all findings of a rule, and then all rules run again. A rule that still finds as much is given up.
 */
#include "lint_parts.h"

enum { MAX_RULES = 1024 };

/* The fixing of one map. */
typedef struct lint_fixing {
    const lint_fixer *fixer;
    changed_map *map;
    tm_edit_options options;
    lint_map_options chosen;
    const tm_lint_rule *vain[MAX_RULES]; /* fixing them does not help */
    size_t num_vain;
    tm_lint_result found; /* when all rules were asked last */
    uint64_t left;        /* of these, those that count */
} lint_fixing;

static bool is_vain(const lint_fixing *fixing, const tm_lint_rule *rule)
{
    bool vain = fixing->num_vain == MAX_RULES;
    for (size_t i = 0; i < fixing->num_vain && !vain; i++)
        vain = fixing->vain[i] == rule;
    return vain;
}

static bool is_wanted(const char *wanted, const char *id, const tm_finding *finding)
{
    const size_t size = strlen(id);
    return strncmp(wanted, id, size) == 0 &&
           (wanted[size] == '@' ? strcmp(wanted + size + 1, finding->address) == 0 : !wanted[size]);
}

static bool may_fix(const lint_fixing *fixing, const tm_lint_result *result, size_t i)
{
    const tm_lint_rule *rule = tm_lint_rule_for(result, i);
    if (!tm_lint_fix_line(result, i)[0] || is_vain(fixing, rule))
        return false;
    if (fixing->fixer->wanted)
        return is_wanted(fixing->fixer->wanted, tm_lint_rule_name(rule), &result->findings.list[i]);
    return fixing->fixer->most == FIX_ALL || rule->safe;
}

/* The argument of a line of an operation: "remove 1/2", "settings remove \"sv_x 1\"". */
static char *copy_argument(const char *line, const char *operation)
{
    char *argument = must_copy(line + strlen(operation) + 1);
    const size_t size = strlen(argument);
    if (size > 1 && argument[0] == '"' && argument[size - 1] == '"') {
        memmove(argument, argument + 1, size - 2);
        argument[size - 2] = '\0';
    }
    return argument;
}

/* Runs lines of one operation as one, as its argument repeats: else each removal would shift the next. */
static tm_status fix_at_once(lint_fixing *fixing, const tm_edit_operation *operation,
                             const char *const *lines, size_t num, tm_error *error)
{
    char **arguments = must_alloc(num, sizeof(*arguments));
    for (size_t i = 0; i < num; i++)
        arguments[i] = copy_argument(lines[i], operation->name);
    const tm_status status = tm_edit_run(fixing->map->file.map, operation, (const char *const *)arguments,
                                         (uint32_t)num, &fixing->options, &fixing->map->done, error);
    for (size_t i = 0; i < num; i++)
        free(arguments[i]);
    free(arguments);
    return status;
}

static tm_status run_line(lint_fixing *fixing, const char *line, tm_error *error)
{
    tm_edit_script *script;
    tm_status status = tm_edit_script_from_text(&script, line, strlen(line), NULL, error);
    if (!status)
        status =
            tm_edit_script_run(fixing->map->file.map, script, &fixing->options, &fixing->map->done, error);
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

/* The operation of all lines of a rule, if each has one argument and it takes any number; else NULL. */
static const tm_edit_operation *common_operation(const tm_lint_rule *rule, const char *line)
{
    const tm_edit_operation *operation = rule->fix ? tm_edit_find(rule->fix) : NULL;
    return operation && operation->arguments[0].repeats && line[strlen(operation->name)] ? operation : NULL;
}

/* Runs the lines that fix the findings of a rule. Findings whose line fails stay, and are reported. */
static tm_status run_lines(lint_fixing *fixing, const tm_lint_rule *rule, const char *const *lines,
                           size_t num, tm_error *error)
{
    const tm_edit_operation *operation = common_operation(rule, lines[0]);
    tm_error failure = {.offset = -1};
    tm_status status = operation ? fix_at_once(fixing, operation, lines, num, &failure) : TM_OK;
    for (size_t i = 0; i < num && !operation; i++) {
        status = run_line(fixing, lines[i], &failure);
        if (status != TM_ERROR_USAGE && status != TM_ERROR_NOT_FOUND && status)
            break;
    }
    if (!status || status == TM_ERROR_USAGE || status == TM_ERROR_NOT_FOUND)
        return TM_OK;
    *error = failure;
    return status;
}

/* Fixes all findings of the rule of finding `first`. */
static tm_status fix_rule(lint_fixing *fixing, const tm_lint_result *result, size_t first, tm_error *error)
{
    const tm_lint_rule *rule = tm_lint_rule_for(result, first);
    const char **lines = must_alloc(result->findings.num - first, sizeof(*lines)), *last = "";
    size_t num = 0;
    for (size_t i = first; i < result->findings.num; i++) {
        const char *line = tm_lint_fix_line(result, i);
        if (tm_lint_rule_for(result, i) == rule && may_fix(fixing, result, i) && strcmp(line, last) != 0)
            lines[num++] = last = line;
    }
    const tm_status status = run_lines(fixing, rule, lines, num, error);
    free(lines);
    return status;
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

/* Asks all rules again. */
static tm_status ask_rules(lint_fixing *fixing, tm_error *error)
{
    tm_lint_options options = fixing->chosen.options;
    options.rules = fixing->options.rules;
    options.rules_ctx = fixing->options.ctx;
    tm_lint_result_release(&fixing->found);
    const tm_status status = tm_lint_run(&fixing->found, fixing->map->file.map, &options, error);
    fixing->left = num_bad(&fixing->found, fixing->fixer->fail_on);
    return status;
}

/* Fixes the next rule; *more becomes false when there is nothing left to fix. */
static tm_status fix_next(lint_fixing *fixing, bool *is_left, tm_error *error)
{
    size_t i = 0;
    while (i < fixing->found.findings.num && !may_fix(fixing, &fixing->found, i))
        i++;
    *is_left = i < fixing->found.findings.num;
    if (!*is_left)
        return TM_OK;
    const tm_lint_rule *rule = tm_lint_rule_for(&fixing->found, i);
    const uint64_t before = sum_of(&fixing->found, rule);
    tm_status status = fix_rule(fixing, &fixing->found, i, error);
    if (!status)
        status = ask_rules(fixing, error);
    if (sum_of(&fixing->found, rule) >= before || fixing->fixer->wanted)
        fixing->vain[fixing->num_vain++] = rule;
    return status;
}

static tm_status fix_findings(void *ctx, changed_map *map, tm_error *error)
{
    const lint_fixer *fixer = ctx;
    const change_options *words = map->tool->options;
    edit_inputs inputs = {0};
    lint_fixing fixing = {.fixer = fixer, .map = map};
    bool more = true;
    tm_findings refusals; /* no fix of a rule changes them */
    tm_findings_init(&refusals, 0, NULL);
    tm_status status = change_inputs_open(&inputs, &fixing.options, words, map, error);
    lint_configs_choose(&fixing.chosen, fixer->configs, fixer->rule_options, map->path);
    fixing.chosen.options.file_size = map->file.file_size;
    if (!status)
        status = loaded_find_damage(&map->file, words->common.mode, map->job, error);
    if (!status)
        status = ask_strict_loader(&refusals, map->file.map, map->job, error);
    fixing.chosen.options.refusals = &refusals;
    if (!status)
        status = ask_rules(&fixing, error);
    map->refused = !status && (fixing.found.unread > 0 || tm_findings_damaged(&map->file.findings));
    for (uint32_t round = 0; !status && !map->refused && more && round < MAX_RULES; round++)
        status = fix_next(&fixing, &more, error);
    map->lacks = map->lacks || (!status && fixing.left > 0);
    tm_lint_result_release(&fixing.found);
    tm_findings_release(&refusals);
    inputs_close(&inputs);
    return status;
}

/* Compares with the map as it will be read again, which may be of another game after the change. */
static tm_status compare_saved(changed_map *map, const tm_map *before, tm_error *error)
{
    tm_buffer made = {0};
    loaded after = {0};
    const tm_output output = tm_output_to_buffer(&made);
    tm_status status = tm_mapfile_save(map->file.map, &output, &map->save_options, map->job, NULL, error);
    if (!status) {
        load_map_from(&after, tm_input_from_memory(made.bytes, made.size), TM_MODE_GAME);
        status = after.status;
        if (status)
            *error = after.error;
    }
    if (!status)
        status = tm_patch_make(&map->patch, before, after.map, NULL, error);
    loaded_release(&after);
    tm_buffer_release(&made);
    return status;
}

/* Fixes the findings, and keeps the changes as the map's patch. */
static tm_status fix_and_compare(void *ctx, changed_map *map, tm_error *error)
{
    tm_map *before = NULL;
    tm_status status = tm_map_clone(&before, map->file.map, error);
    if (!status)
        status = fix_findings(ctx, map, error);
    if (!status && !map->refused)
        status = compare_saved(map, before, error);
    tm_map_free(before);
    return status;
}

static void put_fixed_line(void *ctx, const changed_map *map, text *out)
{
    const char *wanted = ((const lint_fixer *)ctx)->wanted;
    if (!map->done.num && !map->lacks && !map->refused)
        return;
    if (!((const change_options *)map->tool->options)->dry_run)
        put_removed_sounds(out, map);
    text_string(out, "teemap: ");
    text_lead(out, path_name(map->path));
    if (map->refused)
        text_string(out, "not changed: it is damaged; repair it with 'teemap fix' first\n");
    else if (wanted && !map->done.num)
        text_line(out, "no finding that has a fix for --fix-one '%s'", wanted);
    else
        text_print(out, "%zu fix%s%s applied%s\n", map->done.num, map->done.num == 1 ? "" : "es",
                   ((const change_options *)map->tool->options)->dry_run ? " would be" : "",
                   map->lacks ? "; findings are left: see 'teemap lint'" : ", no findings left");
}

void lint_fix_maps(cli_tool *tool, lint_fixer *fixer)
{
    change_maps(tool, tool->options, tool->operands, tool->num_operands,
                &(change_command){.ctx = fixer,
                                  .work = fixer->diff ? fix_and_compare : fix_findings,
                                  .put_line = put_fixed_line});
}
