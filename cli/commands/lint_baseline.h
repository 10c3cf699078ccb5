/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_BASELINE_H
#define CLI_LINT_BASELINE_H
/*
 * lint_baseline.h - what a former run of `teemap lint --json` found, so that only what is new counts. A
 * finding is the same if path, rule, address and text are; where groups or layers came or went, those of one
 * rule, text and name of an object are counted. What is not listed is counted, rule by rule.
 */
#include "lint_formats.h"

typedef struct lint_baseline {
    bool there; /* else nothing is known */
    struct baseline_key {
        char *key;
        uint64_t num;
    } * keys; /* sorted, each once */
    size_t num, capacity;
} lint_baseline;

/* False after having said what is wrong with the file. */
bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path);
/* Marks the lines about a map, of this path, that were known. */
void lint_baseline_mark(const lint_baseline *baseline, const char *path, lint_line *lines, size_t num);
/* How many findings of a rule were known, but not listed. */
uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id);
void lint_baseline_release(lint_baseline *baseline);

#endif
