/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINES_H
#define CLI_LINES_H
/*
 * lines.h - lines for people: errors, notes and findings, with the path and the place that they are about.
 */
#include "output/text_buffer.h"

/* "teemap: PATH: place: reason". PATH is that of the error, else `path`, which may be NULL. */
void put_error(text *err, const char *path, const tm_error *error);
/* "PATH: " and what the format says. */
void put_about(text *out, const char *path, const char *format, ...) TEXT_PRINTF(3, 4);
/* As put_about, behind "teemap: ". */
void put_note(text *err, const char *path, const char *format, ...) TEXT_PRINTF(3, 4);
/* An error without tm_error: "teemap: PATH: reason". */
void put_trouble(text *err, const char *path, const char *reason);
/* "warning", in its color. */
void put_severity(text *out, tm_severity severity);
/* "PATH: place: warning: text [id]" */
void put_named_finding(text *out, const char *path, const tm_finding *finding, const char *id);
/*
 * Lines of all findings of at least this severity, at most so many; those that only differ in place and
 * numbers are one unless `all`. Returns how many lines there are.
 */
typedef struct finding_lines {
    const char *prefix, *path; /* of each line; the path may be NULL if all fit */
    tm_severity least;
    bool all;
    size_t most;
} finding_lines;
size_t put_finding_lines(text *out, const tm_findings *findings, finding_lines lines);

/* The name by which a path is shown: "standard input" for -. */
const char *path_name(const char *path);
/* What stands after the last slash. */
const char *path_base(const char *path);

#endif
