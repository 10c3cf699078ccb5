/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_KOG_FILES_H
#define CLI_LINT_KOG_FILES_H
/*
 * lint_kog_files.h - files of rules of King of Gores, and the folders with images that they allow.
 */
#include "run/tool.h"

#include <teemap/lint.h>

/* A file of rules, or the names of one of the folders of images. */
typedef struct lint_kog_file {
    char *path;
    char *text; /* of a file; NULL: `names` are meant */
    size_t size;
    tm_lint_images which;
    char **names;
    size_t num_names;
} lint_kog_file;

/*
 * Reads a file, or all *.yaml and *.yml of a folder in the order of their names, and the names of the images
 * that are allowed, and adds them to the list. False after having said what is wrong.
 */
bool lint_kog_read(lint_kog_file **list, size_t *num, cli_tool *tool, const char *path);
/* Adds one of the list to a configuration. False after having said what is wrong. */
bool lint_kog_add(tm_lint_config *config, cli_tool *tool, const lint_kog_file *file);
void lint_kog_free(lint_kog_file *list, size_t num);

#endif
