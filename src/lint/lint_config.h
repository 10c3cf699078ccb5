/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LINT_CONFIG_H
#define TMI_LINT_CONFIG_H
/*
 * Configuration files after reading. lint_config.c reads keys, lint_custom_rules.c reads and runs custom
 * rules, and run_lint.c decides which rules run on a map.
 */
#include "lint.h"

#include <teemap/query.h>

#include "../text/text.h"

/* Settings for all maps, or for those whose paths fit one of the globs. */
typedef struct tmi_lint_scope {
    struct tmi_lint_scope *next;
    const char *folder; /* of the file, with a slash at its end; "" */
    const char **globs;
    uint32_t num_globs; /* 0: all maps */
    uint32_t sets;      /* 0: nothing is said */
    tm_lint_choice *choices;
    uint32_t num_choices;
} tmi_lint_scope;

typedef struct tmi_lint_custom {
    struct tmi_lint_custom *next;
    tm_lint_judge *code; /* of a rule in code */
    void *code_ctx;
    tmi_lint_row row;
    tm_severity severity;
    tm_pattern *pattern;  /* NULL: the bytes of the file are meant, or `text` */
    const char *text;     /* of which only `allowed` ones are */
    const char **allowed; /* with * for anything */
    const char **after;   /* ids of rules that must not find anything */
    uint32_t num_allowed, num_after;
    uint64_t least, most; /* so many must fit */
    bool titled;          /* the title is somebody's, not made of the pattern */
} tmi_lint_custom;

struct tm_lint_config {
    tm_allocator memory;
    const tm_allocator *allocator; /* &own, or NULL */
    tmi_arena arena;
    tmi_lint_scope *scopes, *last_scope;
    tmi_lint_custom *rules, *last_rule;
    uint32_t num_rules;
};

/* A file that is being read. */
typedef struct tmi_lint_reader {
    tm_lint_config *config;
    const char *path, *folder;
    tm_error *error;
} tmi_lint_reader;

/* TM_ERROR_USAGE: "line 3: ...". */
tm_status tmi_lint_config_fault(const tmi_lint_reader *reader, const tm_json *node, const char *format, ...)
    TMI_PRINTF(3, 4);
/* A copy that lives as long as the configuration. */
tm_status tmi_lint_config_copy(const char **out, const tmi_lint_reader *reader, const char *text);
tm_status tmi_lint_parse_severity(tm_severity *out, const tmi_lint_reader *reader, const tm_json *node);

/* [[lint.rule]] */
tm_status tmi_lint_parse_custom(const tmi_lint_reader *reader, const tm_json *table);
const tmi_lint_custom *tmi_lint_custom_of(const tm_lint_rule *rule);

/* Texts of which a rule lists those that are allowed; lint_texts.c. */
bool tmi_lint_is_text(const char *name);
tmi_lint_judge tmi_lint_judge_texts;

#endif
