/* SPDX-License-Identifier: Zlib */
#ifndef CLI_COPY_PLAN_H
#define CLI_COPY_PLAN_H
/*
 * copy_plan.h - which file `teemap copy` reads and which it writes, so that no input is ever overwritten by
 * mistake. Other commands that write a file for each map into a folder share the plan.
 */
#include "run/files.h"

/* Where results go: to a file, into a folder, or back to where they came from. One of the three. */
typedef struct copy_target {
    const char *output; /* of one map; - is standard output */
    const char *folder;
    bool in_place;
    bool dry_run; /* nothing is written, so standard output may be a terminal */
} copy_target;

typedef struct copy_step {
    const char *input;    /* borrowed from the plan's files */
    const char *relative; /* where below its folder operand: file_list.relatives */
    char *output;         /* - is standard output */
    const char *folder;   /* that the output is below; NULL: the user named the path */
} copy_step;

typedef struct copy_plan {
    file_list files;
    copy_step *steps;
    const char **paths; /* paths[i] is steps[i].from */
    size_t num;
} copy_plan;

/*
 * Makes the plan; folders are made by who writes (output_open_below). Says on standard error what is wrong
 * with the paths; false: there is nothing to do. Single files that would overwrite something are left out and
 * make the status worse.
 */
bool copy_plan_make(copy_plan *out, cli_tool *tool, char *const *paths, size_t num,
                    const copy_target *target);
/*
 * The plan of a command that makes another kind of file, or with the suffix "" a folder, of each map: all
 * operands, into a folder, with `suffix` in the place of .map.
 */
bool copy_plan_make_all(copy_plan *out, cli_tool *tool, const char *folder, const char *suffix);
void copy_plan_release(copy_plan *plan);

#endif
