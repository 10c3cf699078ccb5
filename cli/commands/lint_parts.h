/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_PARTS_H
#define CLI_LINT_PARTS_H
/*
 * lint_parts.h - what the parts of `teemap lint` share: configurations and choices of rules (lint_files.c),
 * lines, JSON and formats of other programs (lint_formats.c), what an earlier run knew (lint_baseline.c), the
 * web page (lint_page.c), and fixes (lint_fix.c).
 */
#include "change_maps.h"

/* ---------------------------------------------------------------------------------- files (lint_files.c) */

/*
 * For each map the nearest .teemap.toml, found upwards from its folder, or what --config names. Each file is
 * read once, before any map is.
 */

/* A field `files` in the options of a command that asks rules. */
typedef struct lint_file_words {
    word_list config; /* none: those that are found */
    bool no_config;
} lint_file_words;

#define LINT_FILE_ROWS(options_type)                                                       \
    ROW(0, "config", "FILE", WORDS_AT(options_type, files.config), PART,                   \
        .text = "read this configuration instead of .teemap.toml files; may be repeated"), \
        ROW(0, "no-config", NULL, FLAG_AT(options_type, files.no_config), PART,            \
            .text = "read no .teemap.toml")

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

/* The n-th of all rules, the library's first; NULL after the last one. */
const tm_lint_rule *lint_any_rule(const lint_configs *configs, size_t n);

enum { LINT_PATH_SIZE = 4096 };
/* The options of tm_lint_run for one map: those of all with its configuration. */
typedef struct lint_map_options {
    tm_lint_options options;
    char path[LINT_PATH_SIZE]; /* that of the options */
} lint_map_options;
void lint_configs_choose(lint_map_options *out, const lint_configs *configs, const tm_lint_options *common,
                         const char *map);

/* A field `words` in the options of a command that asks rules. */
typedef struct lint_words {
    const char *sets; /* NULL: not given */
    word_list select, ignore, severities;
} lint_words;

#define LINT_CHOICE_ROWS(options_type)                                                                     \
    ROW(0, "rules", "SET,...", TEXT_AT(options_type, words.sets), PART, .list = "sets",                    \
        .text =                                                                                            \
            "run the rules of these sets: ddnet, kog, vanilla, teeworlds07, style, all; without it those " \
            "that apply to the map"),                                                                      \
        ROW(0, "select", "ID,...", WORDS_AT(options_type, words.select), PART, .list = "rules",            \
            .text = "run only these rules, whatever their set; may be given several times"),               \
        ROW(0, "ignore", "ID,...", WORDS_AT(options_type, words.ignore), PART, .list = "rules",            \
            .text = "do not run these rules; may be given several times"),                                 \
        ROW(0, "severity", "ID=WORD,...", WORDS_AT(options_type, words.severities), PART, .list = "rules", \
            .text = "how bad the findings of a rule are: error, warning or note")

/* The choices that the words mean, which tm_lint_options borrows. */
typedef struct lint_choices {
    tm_lint_choice *list;
    char **names; /* those of the choices */
    size_t num, capacity;
} lint_choices;

/* False after having said what is wrong. Words may mean rules of the configurations, too. */
bool lint_choices_read(lint_choices *out, tm_lint_options *options, cli_tool *tool, const lint_words *words,
                       const lint_configs *configs);
/* Whether there is a rule of this id; false after having said that there is none. */
bool lint_choices_know(cli_tool *tool, const lint_configs *configs, const char *id, size_t size);
void lint_choices_release(lint_choices *choices);

/* ------------------------------------------------------------------------------ formats (lint_formats.c) */

/* A finding that is reported. */
typedef struct lint_line {
    const tm_finding *finding;
    const tm_lint_rule *rule; /* NULL: it is damage of the file */
    size_t index;             /* in the result; SIZE_MAX: it is none of it */
    bool known;               /* by the baseline */
} lint_line;
/* The id of the rule or the finding; "unreadable" for the error of a map that could not be read at all. */
const char *lint_line_name(const lint_line *line);

typedef struct lint_summary {
    const char *path;
    const tm_lint_result *result;
    const lint_line *lines;
    size_t num_lines;
    uint64_t unlisted;     /* findings next to them that count, but are not listed */
    const tm_error *error; /* code TM_OK: the map was read */
    tm_severity fail_on;
} lint_summary;

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
void lint_format_map(text *out, lint_format format, const lint_summary *summary);
void lint_format_between(text *out, lint_format format);
void lint_format_tail(text *out, lint_format format, bool all_read, uint64_t unlisted);

/* A line each; with `verbose` places, fixes and what is ignored, too, and a line where nothing is found. */
void lint_put_text(text *out, const lint_summary *summary, bool verbose);
/* One object on a line of its own. `path` is the map's as it was given. */
void lint_put_json(text *out, const char *path, const lint_summary *summary);

/* ---------------------------------------------------------------------------- baseline (lint_baseline.c) */

/*
 * What a former run of `teemap lint --json` found, so that only what is new counts. A finding is the same if
 * path, rule, address and text are; where groups or layers came or went, those of one rule, text and name of
 * an object are counted. What is not listed is counted, rule by rule.
 */

typedef struct lint_baseline {
    bool there; /* else nothing is known */
    struct baseline_key {
        char *key;
        uint64_t num;
    } * keys; /* sorted, each once */
    size_t num, capacity;
} lint_baseline;

/* False after having said what is wrong with the file. */
bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path);
/* Marks the lines about a map, of this path, that were known. */
void lint_baseline_mark(const lint_baseline *baseline, const char *path, lint_line *lines, size_t num);
/* How many findings of a rule were known, but not listed. */
uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id);
void lint_baseline_release(lint_baseline *baseline);

/* ------------------------------------------------------------------------------------ page (lint_page.c) */

/*
 * A web page with a picture of each place: what a tester sends to a mapper. Maps are reported one by one, on
 * any thread; the page is written when all are.
 */

/* The page of all maps, and how places on them are drawn. */
typedef struct lint_page {
    const cli_tool *tool;
    const file_list *files;
    const char *folder; /* is made */
    const word_list *mapres;
    tm_severity least; /* of findings whose places get pictures */
    json_t **maps;     /* one for each of the files; NULL as long as it was not told */
} lint_page;

/* Draws the places of one map. `summary` has all findings; `file` is open. */
tm_status lint_page_add(lint_page *page, size_t index, const lint_summary *summary, loaded *file,
                        const tm_job *job, tm_error *error);
/* Writes the page over all maps. */
tm_status lint_page_write(const lint_page *page, const lint_configs *configs, tm_error *error);
void lint_page_release(lint_page *page);

/* lint_page.html; ends with a NUL */
extern const unsigned char lint_page_html[];

/* -------------------------------------------------------------------------------------- fix (lint_fix.c) */

/* Applies the fixes that rules know, and runs the rules again until nothing is left that may be fixed. */

typedef enum lint_fixes { FIX_NONE = 0, FIX_SAFE, FIX_ALL } lint_fixes;

typedef struct lint_fixer {
    const tm_lint_options *rule_options;
    const lint_configs *configs;
    lint_fixes most;
    const char *wanted; /* "ID@ADDRESS": only this finding, whatever `most` says; NULL: not given */
    tm_severity fail_on;
    bool diff; /* tell what differs afterwards, in the words of `teemap diff` */
} lint_fixer;

/* Runs over all maps of the tool, whose options begin with change_options. */
void lint_fix_maps(cli_tool *tool, lint_fixer *fixer);

#endif
