/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_FILES_H
#define CLI_LINT_FILES_H
/*
 * lint_files.h - the configurations of `teemap lint`: for each map the nearest .teemap.toml, found upwards
 * from its folder, or what --config names. Each file is read once, before any map is. And which
 * rules are asked, in words of the command line.
 */
#include "run/files.h"

/* A field `files` in the options of a command that asks rules. */
typedef struct lint_file_words {
    word_list config; /* none: those that are found */
    bool no_config;
} lint_file_words;

#define LINT_FILE_ROWS(of)                                                                 \
    ROW(0, "config", "FILE", WORDS_AT(of, files.config), PART,                             \
        .text = "read this configuration instead of .teemap.toml files; may be repeated"), \
        ROW(0, "no-config", NULL, FLAG_AT(of, files.no_config), PART, .text = "read no .teemap.toml")

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

/* The n-th rule that one of them brought; NULL after the last one. */
const tm_lint_rule *lint_configs_rule(const lint_configs *configs, size_t n);

enum { LINT_PATH_SIZE = 4096 };
/* The options of tm_lint_run for one map: those of all with its configuration. */
typedef struct lint_how {
    tm_lint_options options;
    char path[LINT_PATH_SIZE]; /* that of the options */
} lint_how;
void lint_configs_choose(lint_how *out, const lint_configs *configs, const tm_lint_options *all,
                         const char *map);

/* A field `words` in the options of a command that asks rules. */
typedef struct lint_words {
    const char *sets; /* NULL: not given */
    word_list select, ignore, severities;
} lint_words;

#define LINT_CHOICE_ROWS(of)                                                                               \
    ROW(0, "rules", "SET,...", TEXT_AT(of, words.sets), PART,                                              \
        .text =                                                                                            \
            "run the rules of these sets: ddnet, kog, vanilla, teeworlds07, style, all; without it those " \
            "that apply to the map"),                                                                      \
        ROW(0, "select", "ID,...", WORDS_AT(of, words.select), PART,                                       \
            .text = "run only these rules, whatever their set; may be given several times"),               \
        ROW(0, "ignore", "ID,...", WORDS_AT(of, words.ignore), PART,                                       \
            .text = "do not run these rules; may be given several times"),                                 \
        ROW(0, "severity", "ID=WORD,...", WORDS_AT(of, words.severities), PART,                            \
            .text = "how bad the findings of a rule are: error, warning or note")

/* The choices that the words mean, which tm_lint_options borrows. */
typedef struct lint_choices {
    tm_lint_choice *list;
    char **names; /* those of the choices */
    size_t num, capacity;
} lint_choices;

/* False after having said what is wrong. Words may mean rules of the configurations, too. */
bool lint_choices_read(lint_choices *out, tm_lint_options *how, cli_tool *tool, const lint_words *words,
                       const lint_configs *configs);
/* Whether there is a rule of this id; false after having said that there is none. */
bool lint_choices_know(cli_tool *tool, const lint_configs *configs, const char *id, size_t size);
void lint_choices_release(lint_choices *choices);

#endif
