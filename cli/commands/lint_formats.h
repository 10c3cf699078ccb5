/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_FORMATS_H
#define CLI_LINT_FORMATS_H
/*
 * lint_formats.h - how `teemap lint` reports what it found: as lines for people, as JSON, and for other
 * programs by a form each (lint_sarif.form and so on).
 */
#include "lint_files.h"

/* A finding that is reported. */
typedef struct lint_line {
    const tm_finding *finding;
    const tm_lint_rule *rule; /* NULL: it is damage of the file */
    size_t index;             /* in the result; SIZE_MAX: it is none of it */
    bool known;               /* by the baseline */
} lint_line;
/* The id of the rule or the finding; "unreadable" for the error of a map that could not be read at all. */
const char *lint_line_name(const lint_line *line);

typedef struct lint_told {
    const char *path;
    const tm_lint_result *result;
    const lint_line *lines;
    size_t num_lines;
    uint64_t unlisted;     /* findings next to them that count, but are not listed */
    const tm_error *error; /* code TM_OK: the map was read */
    tm_severity fail_on;
} lint_told;

typedef enum lint_format {
    LINT_TEXT = 0, /* lines for people, by the command itself */
    LINT_SARIF,
    LINT_GITHUB,
    LINT_JUNIT,
    LINT_MARKDOWN,
    LINT_FORMATS
} lint_format;

/* A format but LINT_TEXT: its head, what is said of each map, something between two maps, and an end. */
void lint_format_head(text *out, lint_format format, const lint_configs *configs);
void lint_format_map(text *out, lint_format format, const lint_told *told);
void lint_format_between(text *out, lint_format format);
void lint_format_tail(text *out, lint_format format, bool all_read, uint64_t unlisted);

/* A line each; with `verbose` places, fixes and what is ignored, too, and a line where nothing is found. */
void lint_put_text(text *out, const lint_told *told, bool verbose);
/* One object on a line of its own. `path` is the map's as it was given. */
void lint_put_json(text *out, const char *path, const lint_told *told);

#endif
