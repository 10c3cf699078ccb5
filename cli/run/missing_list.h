/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MISSING_LIST_H
#define CLI_MISSING_LIST_H
/*
 * missing_list.h - the file of --missing-list for a run over many maps: the names of all images that they
 * lack, sorted, each once.
 */
#include "tool.h"

typedef struct missing_list {
    const char *path; /* NULL: none is wanted */
    text *names;      /* of each map */
    size_t num;
} missing_list;

/*
 * `path` NULL: the other functions do nothing. False after having said that the file is one of the maps; then
 * nothing is begun.
 */
bool missing_list_begin(missing_list *list, cli_tool *tool, const char *path, const char *const *maps,
                        size_t num_maps);
/* Where the names of a map go, one a line; NULL without a list. */
text *missing_list_of(missing_list *list, size_t map);
/* Writes the file; says when that fails. */
void missing_list_end(missing_list *list, cli_tool *tool);

#endif
