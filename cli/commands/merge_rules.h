/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MERGE_RULES_H
#define CLI_MERGE_RULES_H
/*
 * merge_rules.h - how conflicts of a merge are settled: the words of --ours, --theirs and --union as rules of
 * the library.
 */
#include "run/tool.h"

#include <teemap/merge.h>

/* An option that was given without words has an empty one. */
typedef struct merge_words {
    word_list ours, theirs, both;
} merge_words;

typedef struct merge_rules {
    tm_merge_rule list[3 * MAX_WORDS]; /* borrow their words */
    uint32_t num;
} merge_rules;
void merge_rules_make(merge_rules *out, const merge_words *of);
/* Whether no two options are for the same conflicts; false after having said so. */
bool merge_rules_agree(cli_tool *tool, const merge_words *of);

#endif
