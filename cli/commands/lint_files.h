/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_FILES_H
#define CLI_LINT_FILES_H
/*
 * lint_files.h - the configurations of `teemap lint`: for each map the nearest .teemap.toml, found upwards
 * from its folder, or what --config names. Each file is read once, before any map is.
 */
#include "run/files.h"

#include <teemap/lint.h>

/* A field `files` in the options of a command that asks rules. */
typedef struct lint_file_words {
    word_list config; /* none: those that are found */
    bool no_config;
} lint_file_words;

#define LINT_FILE_ROWS(of)                                                                               \
    {0,                                                                                                  \
     "config",                                                                                           \
     "FILE",                                                                                             \
     WORDS_AT(of, files.config),                                                                         \
     .group = GROUP_PART,                                                                                \
     .text = "read this configuration, and none that is found beside maps; may be given several times"}, \
    {                                                                                                    \
        0, "no-config", NULL, FLAG_AT(of, files.no_config), .group = GROUP_PART,                         \
                                                            .text = "read no .teemap.toml"               \
    }

typedef struct lint_configs {
    struct lint_config_file *files; /* each that was read */
    size_t num_files;
    struct lint_config_folder *folders; /* each that holds a map */
    size_t num_folders;
} lint_configs;

/* Reads those of all maps; without maps that of this folder. False after having said what is wrong. */
bool lint_configs_read(lint_configs *out, cli_tool *tool, const lint_file_words *words,
                       const file_list *maps);
void lint_configs_release(lint_configs *configs);

/* The n-th rule that one of them brought; NULL behind the last one. */
const tm_lint_rule *lint_configs_rule(const lint_configs *configs, size_t n);

enum { LINT_PATH_SIZE = 4096 };
/* The options of tm_lint_run for one map: those of all with its configuration. */
typedef struct lint_how {
    tm_lint_options options;
    char path[LINT_PATH_SIZE]; /* that of the options */
} lint_how;
void lint_configs_choose(lint_how *out, const lint_configs *configs, const tm_lint_options *all,
                         const char *map);

#endif
