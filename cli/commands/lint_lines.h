/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_LINES_H
#define CLI_LINT_LINES_H
/*
 * lint_lines.h - how `teemap lint` tells what it found in a map: to people, and as JSON. What other programs
 * read is in lint_formats.h.
 */
#include "lint_formats.h"

/* A line each; with `verbose` places, fixes and what is ignored, too, and a line where nothing is found. */
void lint_put_text(text *out, const lint_told *told, bool verbose);
/* One object on a line of its own. `path` is the map's as it was given. */
void lint_put_json(text *out, const char *path, const lint_told *told);

#endif
