/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FILES_H
#define CLI_FILES_H
/*
 * files.h - the paths that a command works on: PATH... with folders taken apart (-r), and opening one of
 * them, - being standard input.
 */
#include "tool.h"

typedef struct file_list {
    const char **paths; /* owned; in the order of the operands, below a folder in the order of bytes */
    /* where below a folder operand: "sub/x.map", or the path's last part; points into `paths` */
    const char **relatives;
    size_t num;
    size_t capacity;
} file_list;

/*
 * Collects `num` operands. What cannot be listed is reported at once, makes the status worse, and is left
 * out.
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
 * Reads a whole file of at most `most` bytes; - is standard input. *bytes is memory of `allocator`, a NUL
 * stands behind its *size bytes.
 */
tm_status read_path(uint8_t **bytes, size_t *size, const char *path, uint64_t most,
                    const tm_allocator *allocator, tm_error *error);

/*
 * Has `put` write into a file, which is there when it is complete and not before; - is standard output.
 */
tm_status save_path(const char *path, tm_status (*put)(void *ctx, const tm_output *output, tm_error *error),
                    void *ctx, tm_error *error);
/* The same with a whole text. */
tm_status save_text(const char *path, text *whole, tm_error *error);

/*
 * Whether a page stands at a path that this part of teemap wrote: its head names `generator`. Others are
 * somebody's own, and are not replaced without being asked to.
 */
bool files_is_page_of(const char *path, const char *generator);
/* What speaks against writing such a page as the index.html of a folder; NULL: nothing. */
const char *files_page_fault(const char *folder, const char *generator, bool force);

/* Counts what goes through to `next`; without `next` that is all (dry runs). */
typedef struct counter {
    tm_output next;
    uint64_t size; /* bytes */
} counter;
tm_output count_output(counter *c);

/* The folder of a file, "." if its path names none; must be freed. */
char *files_copy_folder(const char *path);
bool files_has_ending(const char *path, const char *ending);

/* Makes all folders on the way to a file; other threads may make the same. */
tm_status files_make_folders(const char *path, tm_error *error);
/* The same; false after having said what failed. */
bool files_make_way(cli_tool *tool, const char *path);

#endif
