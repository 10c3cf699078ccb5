/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_PAGE_H
#define CLI_LINT_PAGE_H
/*
 * lint_page.h - a web page of what lint found, with a picture of each place: what a tester sends to a mapper.
 * Maps are reported one by one, on any thread; the page is written when all are.
 */
#include "lint_formats.h"

#include "output/json.h"
#include "run/load.h"

/* Of which map, and how its places are drawn. */
typedef struct lint_page {
    const cli_tool *tool;
    const file_list *files;
    const char *folder; /* is made */
    const word_list *mapres;
    tm_severity least; /* of findings whose places get pictures */
    json_t **maps;     /* one for each of the files; NULL as long as it was not told */
} lint_page;

/* What speaks against writing it there; NULL: nothing. */
const char *lint_page_fault(const char *folder, bool replace);
void lint_page_begin(lint_page *page);
/* Draws the places of one map. `told` has all findings; `file` is open. */
tm_status lint_page_add(lint_page *page, size_t index, const lint_told *told, loaded *file, const tm_job *job,
                        tm_error *error);
/* Writes the page over all maps. */
tm_status lint_page_write(const lint_page *page, const lint_configs *configs, tm_error *error);
void lint_page_release(lint_page *page);

/* lint_page.html; ends with a NUL */
extern const unsigned char lint_page_html[];

#endif
