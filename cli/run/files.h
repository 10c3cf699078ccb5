/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FILES_H
#define CLI_FILES_H
/*
 * files.h - the paths that a command works on: PATH... with folders taken apart (-r), and opening one of
 * them, - being standard input.
 */
#include "fail.h"
#include "tool.h"

typedef struct file_list {
    const char **paths; /* owned; in the order of the operands, below a folder in the order of bytes */
    /* where below a folder operand: "sub/x.map", or the path's last part; points into `paths` */
    const char **relatives;
    size_t num;
    size_t capacity;
} file_list;

/*
 * Collects `num` operands. One with * or ? in its last part that is no file stands for all files of that
 * pattern. What cannot be listed is reported at once, makes the status worse, and is left out.
 */
void files_expand(file_list *out, cli_tool *tool, char *const *operands, size_t num);
void files_release(file_list *files);
/* Frees the path at an index, which is then the caller's to fill or to leave out. */
void files_release_path(file_list *files, size_t index);

/* Opens a path for reading; - is standard input, and REV:PATH is git's where there is no such file. */
tm_status open_path(tm_input *out, const char *path, tm_error *error);
/* Whether a file is a datafile by its first bytes. */
bool files_begins_as_map(const char *path);

/*
 * Appends the bytes of an object ("HEAD:./a.map", ":1:./a.map") of the repository around a folder. False: git
 * does not have it, or if *error has a code, cannot be run.
 */
bool git_object_read(tm_buffer *out, const char *folder, const char *object, tm_error *error);
/* Whether the current folder is in a repository, which may be bare: elsewhere git would only complain. */
bool git_in_repository(void);

/*
 * Reads a whole file of at most `most` bytes; - is standard input. *bytes is memory of `allocator`, a NUL
 * stands behind its *size bytes.
 */
tm_status read_path(uint8_t **bytes, size_t *size, const char *path, uint64_t most,
                    const tm_allocator *allocator, tm_error *error);

/*
 * A file that is there when it is complete, and not before; it stays where it is while it is open.
 *
 *     tm_status status = output_open(&file, path, error);
 *     status = status ? status : write_it(&file.output, error);
 *     return output_close(&file, status, error);
 */
typedef struct output_file {
    tm_output output; /* what is written goes here */
    uint64_t size;    /* bytes so far */
    uint64_t most;    /* TM_ERROR_LIMIT beyond; 0: no limit. Set it after output_open. */
    tm_output next;
    tm_sys_save *save; /* NULL: standard output, nowhere, or not open */
} output_file;
/* - is standard output; NULL goes nowhere and is only counted (dry runs). */
tm_status output_open(output_file *out, const char *path, tm_error *error);
/*
 * The same for a file whose name comes from a map or another file: `path` begins with `folder`, which is made
 * with all folders on the way. Below the folder no link is followed, and nothing but a regular file is
 * replaced (tm_sys_make_way). Where `folder` is NULL, or `path` is elsewhere because the user named it, this
 * is output_open.
 */
tm_status output_open_below(output_file *out, const char *folder, const char *path, tm_error *error);
/* After a status of TM_OK the new file is in its place; after any other nothing has changed. */
tm_status output_close(output_file *file, tm_status status, tm_error *error);
/* Opens an output, writes all bytes at once, and closes it. */
tm_status save_bytes(const char *path, const void *bytes, size_t size, tm_error *error);
tm_status save_bytes_below(const char *folder, const char *path, const void *bytes, size_t size,
                           tm_error *error);
/* As save_bytes, for a page that is filled with values (html_page), which are taken over. */
tm_status save_page_below(const char *folder, const char *path, const unsigned char *page, json_t *values,
                          tm_error *error);

/*
 * Whether a page stands at a path that this part of teemap wrote: its head names `generator`. Others are
 * somebody's own, and are not replaced without being asked to.
 */
bool files_is_page_of(const char *path, const char *generator);
/* What speaks against writing such a page as the index.html of a folder; NULL: nothing. */
const char *files_page_fault(const char *folder, const char *generator, bool force);

/* What speaks against writing a map there, which is not to replace anything unless `force`; NULL: nothing. */
const char *files_map_fault(const char *path, bool force, bool json);

/* The path of a file below a folder; must be freed. */
char *files_join(const char *folder, const char *name);
/* The folder of a file, "." if its path names none; must be freed. */
char *files_copy_folder(const char *path);
/* A path without .map at its end, in letters of any case; must be freed. */
char *files_stem(const char *path);
/* For each of `num` names how many before it are the same; must be freed. */
uint32_t *files_twins(const char *const *names, size_t num);
bool files_has_ending(const char *path, const char *ending);

/* Makes all folders on the way to a file; other threads may make the same. */
tm_status files_make_folders(const char *path, tm_error *error);
/* As files_make_folders; prints what failed, and returns false then. */
bool files_make_way(cli_tool *tool, const char *path);

#endif
