/* SPDX-License-Identifier: Zlib */
#ifndef CLI_COPY_PLAN_H
#define CLI_COPY_PLAN_H
/*
 * copy_plan.h - which file `teemap copy` reads and which it writes, so that no input is ever overwritten by
 * mistake.
 */
#include "files.h"

typedef struct copy_step {
    const char *from; /* borrowed from the plan's files */
    char *to;         /* - is standard output */
} copy_step;

typedef struct copy_plan {
    file_list files;
    copy_step *steps;
    const char **paths; /* paths[i] is steps[i].from */
    size_t num;
} copy_plan;

/*
 * Makes the plan and the folders that it needs. Says on standard error what is wrong with the operands;
 * false: there is nothing to do. Single files that would overwrite something are left out and make the status
 * worse.
 */
bool copy_plan_make(copy_plan *out, cli_tool *tool);
void copy_plan_release(copy_plan *plan);

#endif
