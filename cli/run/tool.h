/* SPDX-License-Identifier: Zlib */
#ifndef CLI_TOOL_H
#define CLI_TOOL_H
/*
 * tool.h - one run of the program: its options and operands, standard output, threads, exit status. And the
 * report: what the work on one file wants to say. Reports of files that are worked on at the same time are
 * printed in the order of the files.
 */
#include "options/command.h"
#include "output/form.h"
#include "output/progress.h"

#include "lines.h"

/* Exit statuses; a run ends with the worst of its files. */
enum { STATUS_DONE = 0, STATUS_FINDINGS = 1, STATUS_TROUBLE = 2 };

/* What working on a file takes. */
typedef enum file_needs {
    FILE_NEEDS_HEAD = 0, /* the same little for each file */
    FILE_NEEDS_BLOCK,    /* one data block at a time: twice the largest one, packed and unpacked */
    FILE_NEEDS_ALL       /* all data blocks at once */
} file_needs;

typedef struct cli_tool {
    const char *program; /* how this program was called */
    const cli_command *command;
    void *options;          /* the command's own struct */
    common_options *common; /* its beginning */
    bool blank_lines;       /* one between the results of two files */
    int num_operands;
    char **operands;
    int status;
    tm_output stdout_sink;
    text out;                /* standard output */
    bool color_err;          /* standard error shows colors */
    tm_sys_threads *threads; /* NULL: only this thread */
    file_needs needs;
    uint64_t memory;  /* bytes for all files together, which is then no advice but a limit; 0: 1 GiB */
    const char *unit; /* what the progress of a single file counts; NULL: bytes */
    progress progress;
} cli_tool;

/* The work on one file, and what it says. */
typedef struct cli_report {
    cli_tool *tool;
    size_t index;      /* of the file in the list */
    const char *path;  /* of the file; errors and findings that name none are about it */
    const tm_job *job; /* its threads, memory and progress */
    text *out;         /* results, for standard output */
    text *err;         /* messages, for standard error */
    int status;
    bool refused; /* a finding was reported that says why the map does not open */
} cli_report;

void raise_status(int *status, int by);

/*
 * Works on `num` files, large ones first, and prints their reports in the order of the list. Several are
 * worked on at once, within one budget of memory, and threads without a file help with the others'.
 */
typedef void (*file_work)(void *ctx, cli_report *report);
void tool_each(cli_tool *tool, const char *const *paths, size_t num, file_work work, void *ctx);

/* Prints messages now, behind what stands in tool->out, and releases them. */
void tool_print(cli_tool *tool, text *talk);

/* Says what is wrong with a path, or with the command line, and makes it the status, which it returns. */
int tool_trouble(cli_tool *tool, const char *path, const char *reason);
int tool_usage(cli_tool *tool, const char *reason);
/* As tool_trouble, for an error; its own path comes before `path`, which may be NULL. */
void tool_error(cli_tool *tool, const char *path, const tm_error *error);

/* Tells which of the folders that options name for images are not there: they are searched for nothing. */
void tool_warn_of_folders(cli_tool *tool);

/* Finds the mod of --mod, by name or in a file. False after a message: there is none. */
bool tool_find_mod(cli_tool *tool);

/* Sets up standard output, and finds out what the terminals can show. */
void tool_begin(cli_tool *tool);

/* Ends the run: writes what is left; returns the exit status. */
int tool_finish(cli_tool *tool);

/* ------------------------------------------------------------------------------------------------ reports */

/* Which findings are reported next to the work, when the user says nothing about it. */
typedef enum shown_findings {
    SHOW_ERRORS, /* errors: what is missing of what was asked for. The rest is for `teemap check` */
    SHOW_FEW,    /* warnings and errors */
    SHOW_ALL     /* the same, all of them; of the others only the first few */
} shown_findings;
/* Whether something was left out that the game to be written does not hold. */
bool findings_lose(const tm_findings *findings);
/*
 * Prints them as lines on standard error: notes, too, if verbose, nothing if quiet. A map with errors is
 * damaged: status 1 at least.
 */
void report_findings(cli_report *report, const tm_findings *findings, shown_findings shown);
/* Whether somebody looks at standard error who wants to hear what was done. */
bool tool_is_watched(const cli_tool *tool);
/*
 * Prints an error and makes the status worse. What a finding said already is not said twice; an error of
 * standard output waits for tool_finish, which prints it once.
 */
void report_error(cli_report *report, const tm_error *error);

/* "teemap: PATH: words", unless quiet. */
void report_note(cli_report *report, const char *words);
/*
 * What was done with a file, which is taken over: for --json on standard output, else by a form (form.h)
 * on standard error if verbose.
 */
void report_done(cli_report *report, json_t *object, const char *form);

#endif
