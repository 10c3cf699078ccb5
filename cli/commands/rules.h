/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RULES_H
#define CLI_RULES_H
/*
 * rules.h - what the parts of `teemap rules` share: words about a file of rules (rules_words.c): findings
 * with the line that they are about, configurations, and all of it as JSON; and pictures (rules_picture.c):
 * `preview`, a made-up layer dressed by a file of rules, and `show`, the rules themselves as cards.
 */
#include "run/picture.h"

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

void put_rule_finding(text *out, const rules_file *file, const tm_finding *finding);
/* A line for each configuration; with `names` behind one that names the file. */
void put_rules_list(text *out, const rules_file *file, bool names);
/* docs/schema/rules.json */
void put_rules_json(text *out, const rules_file *file);

typedef struct rules_picture {
    const char *rules, *image; /* paths */
    const char *config;        /* NULL: the file has only one */
    const char *output;
    picture_format format;
    int32_t seed;
    uint32_t scale; /* pixels of a tile */
    bool raw;       /* without rules: what was painted */
} rules_picture;
/* The rules of a configuration as cards; `image` may be NULL. */
tm_status rules_picture_show(const rules_picture *picture, const tm_automap_config *config, tm_error *error);
typedef struct rules_drawn {
    int32_t seed;           /* which was used: `seed`, or one that was drawn in place of 0 */
    uint64_t changed_again; /* tiles that change when the mapped layer is mapped again */
} rules_drawn;
tm_status rules_picture_draw(rules_drawn *drawn, const rules_picture *picture, const tm_job *job,
                             tm_error *error);

#endif
