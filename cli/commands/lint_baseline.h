/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_BASELINE_H
#define CLI_LINT_BASELINE_H
/*
 * lint_baseline.h - what a former run of `teemap lint --json` found, so that only what is new counts. A
 * finding is the same if path, rule, address and text are; where groups or layers came or went, those of one
 * rule, text and name of an object are counted. What is not listed is counted, rule by rule.
 */
#include "lint_formats.h"

/* Sorted, each key once. */
typedef struct baseline_keys {
    struct baseline_key {
        char *key;
        uint64_t num;
    } * keys;
    size_t num, capacity;
} baseline_keys;

typedef struct lint_baseline {
    bool there; /* else nothing is known */
    baseline_keys known;
    baseline_keys counts;   /* of findings wherever their objects stand */
    baseline_keys unlisted; /* numbers of findings that were not listed, by rule */
} lint_baseline;

/* False after having said what is wrong with the file. */
bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path);
/* Marks the lines about a map, of this path, that were known. */
void lint_baseline_mark(const lint_baseline *baseline, const char *path, lint_line *lines, size_t num);
/* How many findings of a rule were known, but not listed. */
uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id);
void lint_baseline_release(lint_baseline *baseline);

#endif
