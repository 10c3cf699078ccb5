/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_BASELINE_H
#define CLI_LINT_BASELINE_H
/*
 * lint_baseline.h - what a former run of `teemap lint --json` found, so that only what is new counts. A
 * finding is the same if path, rule, address and text are; those that are not listed are counted, rule by
 * rule.
 */
#include "run/tool.h"

typedef struct lint_baseline {
    json_t *known; /* NULL: nothing is */
} lint_baseline;

/* False after having said what is wrong with the file. */
bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path);
bool lint_baseline_has(const lint_baseline *baseline, const char *path, const char *id,
                       const tm_finding *finding);
/* How many findings of a rule were known, but not listed. */
uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id);
void lint_baseline_release(lint_baseline *baseline);

#endif
