/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_FIX_H
#define CLI_LINT_FIX_H
/*
 * lint_fix.h - `teemap lint --fix`: applies the fixes that rules know, and runs the rules again until nothing
 * is left that may be fixed.
 */
#include "change_maps.h"
#include "lint_files.h"

typedef enum lint_fixes { FIX_NONE = 0, FIX_SAFE, FIX_ALL } lint_fixes;

typedef struct lint_fixer {
    const tm_lint_options *how;
    const lint_configs *configs;
    lint_fixes most;
    const char *one; /* "ID@ADDRESS": only this finding, whatever `most` says; NULL: not given */
    tm_severity fail_on;
    bool diff; /* tell what differs afterwards, in the words of `teemap diff` */
} lint_fixer;

/* Runs over all maps of the tool, whose options begin with change_options. */
void lint_fix_maps(cli_tool *tool, lint_fixer *fixer);

#endif
