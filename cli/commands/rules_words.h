/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RULES_WORDS_H
#define CLI_RULES_WORDS_H
/*
 * rules_words.h - what `teemap rules` says of a file of rules: findings with the line that they are about,
 * the configurations, and all of it as JSON.
 */
#include "output/json.h"

/* A file of rules as it was read. */
typedef struct rules_file {
    const char *path;
    uint8_t *bytes;
    size_t size;
    tm_automap_rules *rules;
    tm_findings findings;
    tm_status status;
    tm_error error;
} rules_file;

void put_rule_finding(text *out, const rules_file *of, const tm_finding *finding);
/* A line for each configuration; with `names` behind one that names the file. */
void put_rules_list(text *out, const rules_file *of, bool names);
/* docs/schema/rules.json */
void put_rules_json(text *out, const rules_file *of);

#endif
