/* SPDX-License-Identifier: Zlib */
/*
 * copy_plan.c - turns the three ways to call `teemap copy` (IN OUT, -t DIR IN..., -i PATH...) into one list
 * of steps. Makes the folders of the outputs, but reads and writes no file.
 */
#include "copy_plan.h"

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* What is wrong with a target by itself; NULL if nothing is. */
static const char *copy_target_fault(const cli_tool *tool, const copy_target *target)
{
    if (!target->output || !is_standard(target->output))
        return NULL;
    if (!target->dry_run && tm_sys_stdout_is_terminal())
        return "a map is not printed to a terminal; give OUT, or use a pipe";
    return tool->common->json ? "standard output cannot take both the map and JSON" : NULL;
}

/*
 * Adds the step from file `index` of the list to a target, which it takes over, below a folder or as the user
 * named it.
 */
static void add_step(copy_plan *plan, size_t index, char *target, const char *folder)
{
    plan->steps[plan->num++] =
        (copy_step){plan->files.paths[index], plan->files.relatives[index], target, folder};
}

/*
 * Whether writing `output` would change a file that is to be read. Only names that look alike are compared:
 * asking the system about all pairs would take minutes.
 */
static bool hits_input(const copy_plan *plan, size_t num, const char *input, const char *output)
{
    if (is_standard(output) || tm_sys_kind_of(output) == TM_SYS_MISSING)
        return false;
    if (!is_standard(input) && tm_sys_same_file(input, output))
        return true;
    for (size_t i = 0; i < num; i++) {
        const char *other = plan->files.paths[i];
        if (strcmp(path_base(other), path_base(output)) == 0 && tm_sys_same_file(other, output))
            return true;
    }
    return false;
}

/* Two inputs with one name cannot both go into one folder: the second one is left out. */
static void drop_twins(copy_plan *plan, cli_tool *tool)
{
    const char **targets = must_alloc(plan->num, sizeof(*targets));
    for (size_t i = 0; i < plan->num; i++)
        targets[i] = plan->steps[i].output;
    uint32_t *twins = files_twins(targets, plan->num);
    size_t kept = 0;
    for (size_t i = 0; i < plan->num; i++) {
        if (twins[i]) {
            tool_trouble(tool, plan->steps[i].input,
                         "left out: another map of this name goes into the same folder");
            free(plan->steps[i].output);
        } else {
            plan->steps[kept++] = plan->steps[i];
        }
    }
    plan->num = kept;
    free(twins);
    free(targets);
}

/* Plans a step for each file into a folder; `suffix` replaces .map in names; NULL: names stay. */
static void plan_folder(copy_plan *plan, cli_tool *tool, const char *folder, const char *suffix)
{
    const size_t num = plan->files.num;
    for (size_t i = 0; i < num; i++) {
        const char *input = plan->files.paths[i];
        char *whole = files_join(folder, plan->files.relatives[i]), *stem = files_stem(whole),
             *output = suffix ? must_print("%s%s", stem, suffix) : must_copy(whole);
        free(stem);
        free(whole);
        if (hits_input(plan, num, input, output)) {
            tool_trouble(tool, input, "left out: this would overwrite an input; use -i for that");
            free(output);
        } else {
            add_step(plan, i, output, folder);
        }
    }
    drop_twins(plan, tool);
}

static void plan_one(copy_plan *plan, cli_tool *tool, const char *out)
{
    const char *input = plan->files.paths[0];
    bool folder = !is_standard(out) && tm_sys_kind_of(out) == TM_SYS_FOLDER;
    if (folder && is_standard(input)) {
        tool_trouble(tool, out, "is a folder, and standard input has no name");
        return;
    }
    char *output = folder ? files_join(out, path_base(input)) : must_copy(out);
    if (hits_input(plan, 1, input, output)) {
        tool_trouble(tool, output, "is the input itself; -i replaces it");
        free(output);
    } else {
        add_step(plan, 0, output, folder ? out : NULL);
    }
}

static bool finish_plan(copy_plan *plan)
{
    plan->paths = must_alloc(plan->num, sizeof(*plan->paths));
    for (size_t i = 0; i < plan->num; i++)
        plan->paths[i] = plan->steps[i].input;
    return plan->num > 0;
}

bool copy_plan_make(copy_plan *out, cli_tool *tool, char *const *paths, size_t num, const copy_target *target)
{
    const char *fault = copy_target_fault(tool, target);
    *out = (copy_plan){0};
    if (fault) {
        tool_usage(tool, fault);
        return false;
    }
    if (target->output && tm_sys_kind_of(paths[0]) == TM_SYS_FOLDER) {
        tool_trouble(tool, paths[0], "is a folder; use -r -t DIR for the maps in it");
        return false;
    }
    files_expand(&out->files, tool, paths, num);
    out->steps = must_alloc(out->files.num, sizeof(*out->steps));
    if (target->folder)
        plan_folder(out, tool, target->folder, NULL);
    else if (target->in_place)
        for (size_t i = 0; i < out->files.num; i++)
            add_step(out, i, must_copy(out->files.paths[i]), NULL);
    else if (out->files.num)
        plan_one(out, tool, target->output);
    return finish_plan(out);
}

bool copy_plan_make_all(copy_plan *out, cli_tool *tool, const char *folder, const char *suffix)
{
    *out = (copy_plan){0};
    for (int i = 0; i < tool->num_operands; i++) {
        if (is_standard(tool->operands[i])) {
            tool_usage(tool, suffix[0] ? "standard input has no name to write to; use -o FILE"
                                       : "standard input has no name to write to");
            return false;
        }
    }
    files_expand(&out->files, tool, tool->operands, (size_t)tool->num_operands);
    out->steps = must_alloc(out->files.num, sizeof(*out->steps));
    plan_folder(out, tool, folder, suffix);
    return finish_plan(out);
}

void copy_plan_release(copy_plan *plan)
{
    for (size_t i = 0; i < plan->num; i++)
        free(plan->steps[i].output);
    free(plan->steps);
    free(plan->paths);
    files_release(&plan->files);
    *plan = (copy_plan){0};
}
