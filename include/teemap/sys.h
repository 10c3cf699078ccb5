/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_SYS_H
#define TEEMAP_SYS_H
/*
 * teemap/sys.h - the only interface to the operating system: files, atomic saving, folders, other programs,
 * threads. The rest of the library uses tm_input, tm_output and tm_executor and runs without these functions.
 *
 * Paths are NUL-terminated system paths (UTF-8 on Windows).
 */
#ifdef TM_WITHOUT_SYS
#error "this libteemap was built with TEEMAP_SYS=OFF: it has no files, folders and threads"
#endif

#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Opens a regular file for random reading. A file of up to 256 KiB is read into memory at once and holds no
 * descriptor. A larger file must not change until the input is closed: reading fails (TM_ERROR_IO) if its
 * size or time has changed. (A file that is replaced by another, as by tm_store_save and most editors, stays
 * readable for those who have it open.) tm_input_load makes an input independent of its file. Pipes,
 * terminals and other objects without a size are read completely into memory, at most `max_bytes` (0: 1 GiB).
 * Errors contain the path. Close it with input->close(input->ctx), or pass it to a function that takes it
 * over.
 */
TM_API tm_status tm_sys_open_input(tm_input *out, const char *path, uint64_t max_bytes,
                                   const tm_allocator *allocator, tm_error *error);
/* Reads all of standard input into memory. */
TM_API tm_status tm_sys_open_stdin(tm_input *out, uint64_t max_bytes, const tm_allocator *allocator,
                                   tm_error *error);
/*
 * An output for standard output. If its reader has gone, writing fails with TM_ERROR_IO and system EPIPE.
 * After tm_sys_prepare_program it ends the program by SIGPIPE instead, unless the parent ignores this signal.
 */
TM_API tm_output tm_sys_stdout(void);
TM_API bool tm_sys_stdin_is_terminal(void);
TM_API bool tm_sys_stdout_is_terminal(void);
TM_API bool tm_sys_stderr_is_terminal(void);
/* Columns of the terminal on standard error, or else standard output; 0: neither is a terminal. */
TM_API uint32_t tm_sys_terminal_width(void);
/*
 * For programs, once at their start: writing to a closed pipe becomes an error (EPIPE) instead of a signal,
 * except on tm_sys_stdout. Signals that end the program (interrupt, terminate, hang up, SIGPIPE) first do
 * what tm_sys_save_abort_all does. This changes the whole process; libraries must not call it. Returns true
 * if Windows created a console for this program alone, which closes with it, because files were dropped on it
 * or it was clicked.
 */
TM_API bool tm_sys_prepare_program(void);

/*
 * Atomic saving. tm_sys_save_begin creates a temporary file next to the target (after following symbolic
 * links), tm_sys_save_output writes to it, and tm_sys_save_commit flushes it to disk, gives it the
 * permissions of the replaced file (0666 minus the umask for a new one) and renames it to the target.
 * tm_sys_save_abort removes it. One of the last two must be called; both free the handle. A failed commit has
 * aborted. Before the rename the old file is not changed. After a power failure directly after a commit,
 * either the old or the new file is complete. Saving to the path from which the data are read is safe. Owner
 * and permissions are kept; other attributes (access lists, hard links) are not. A write-protected target is
 * refused. After a failed write, commit fails, too. An existing target that is not a regular file (a pipe, a
 * terminal, /dev/stdout) is written directly.
 *
 * A process that is killed leaves its temporary file, `.teemap-` with 16 hexadecimal digits and `.tmp`. The
 * first save of another process into the same folder removes it, unless the file system has no locks (flock),
 * by which files of running saves are told from leftovers.
 */
typedef struct tm_sys_save tm_sys_save;
TM_API tm_status tm_sys_save_begin(tm_sys_save **out, const char *path, const tm_allocator *allocator,
                                   tm_error *error);
TM_API tm_output tm_sys_save_output(tm_sys_save *save);
/*
 * Commit will not flush this file to the disk: after a power failure it may be empty or cut. For one of
 * thousands of files that can be made again, where each flush would take longer than the work.
 */
TM_API void tm_sys_save_skip_flush(tm_sys_save *save);
/*
 * The path of the temporary file, borrowed, for another program that writes it; do not use the output then.
 * NULL if the target is written directly.
 */
TM_API const char *tm_sys_save_path(const tm_sys_save *save);
TM_API tm_status tm_sys_save_commit(tm_sys_save *save, tm_error *error);
TM_API void tm_sys_save_abort(tm_sys_save *save);
/*
 * For a process that is about to end: removes the temporary files of all saves in progress.
 * Async-signal-safe. A save that begins later in another thread blocks until the process ends. This list, and
 * that of folders in which leftovers were looked for, are the only process-wide state of the library.
 */
TM_API void tm_sys_save_abort_all(void);

typedef enum tm_sys_kind {
    TM_SYS_MISSING,
    TM_SYS_FILE,
    TM_SYS_FOLDER,
    TM_SYS_OTHER,
    TM_SYS_UNKNOWN /* unknown, usually because a folder of the path is not accessible */
} tm_sys_kind;
/*
 * The kind of object at a path, following symbolic links. Only the answers "no such file" and "a part of the
 * path is no folder" mean TM_SYS_MISSING; who treats TM_SYS_UNKNOWN like it ignores a file that may be there.
 */
TM_API tm_sys_kind tm_sys_kind_of(const char *path);
/* Like tm_sys_kind_of, but fails with TM_ERROR_IO and the system's reason where that is TM_SYS_UNKNOWN. */
TM_API tm_status tm_sys_get_kind(tm_sys_kind *out, const char *path, tm_error *error);
/* The kind of object at a path, without following links: a symbolic link is TM_SYS_OTHER. */
TM_API tm_sys_kind tm_sys_kind_of_entry(const char *path);
/* Removes a file, or a symbolic link but not its target. */
TM_API tm_status tm_sys_remove_file(const char *path, tm_error *error);
/* Whether both paths are the same existing file. */
TM_API bool tm_sys_same_file(const char *a, const char *b);
/*
 * Whether `result` is up to date: it was written later than `source` was written, and later than `source` got
 * its name (so a file that was replaced by an older one counts as changed). False if one of them does not
 * exist, or if the times are equal.
 */
TM_API bool tm_sys_is_newer(const char *result, const char *source);
/* The time of the last change of a file, in seconds since 1970; 0: there is no such file. */
TM_API tm_status tm_sys_get_time(int64_t *out, const char *path, tm_error *error);
/* Creates a folder, unless it exists. */
TM_API tm_status tm_sys_make_folder(const char *path, tm_error *error);
/*
 * Before a file `name` below `folder` is written or removed, where the name is not the user's: creates the
 * folders on the way, and fails (TM_ERROR_IO) if anything on the way is no folder, or if at the name there is
 * something else than a regular file. Links are not followed, and "..", which is refused (TM_ERROR_USAGE),
 * leads nowhere, so that nothing outside of `folder` can be changed. The folder itself must be there, and may
 * be a link.
 */
TM_API tm_status tm_sys_make_way(const char *folder, const char *name, const tm_allocator *allocator,
                                 tm_error *error);
/*
 * Lists a folder: calls `entry` for each name in it except "." and "..", sorted by bytes, with the path
 * "folder/name". If it returns false, the listing ends. When descending into folders, watch out for loops of
 * symbolic links, as tm_sys_walk does.
 */
TM_API tm_status tm_sys_list(const char *folder, bool (*entry)(void *ctx, const char *path, tm_sys_kind kind),
                             void *ctx, const tm_allocator *allocator, tm_error *error);
/*
 * Visits all files in a folder and its subfolders whose names end with `suffix` (ignoring ASCII case; NULL:
 * all), sorted by the bytes of their paths; links to folders are not followed. If a folder cannot be listed,
 * the others are still visited, and its error is returned at the end.
 */
TM_API tm_status tm_sys_walk(const char *folder, const char *suffix,
                             bool (*file)(void *ctx, const char *path), void *ctx,
                             const tm_allocator *allocator, tm_error *error);

/*
 * Runs another program, `words[0]`, found as a shell finds it, with these arguments (terminated by NULL),
 * without a shell. The output is its standard input; its standard output is discarded. finish closes the
 * input, waits for the end of the program, and fails with the last line of its standard error unless its
 * status is 0; abort kills it. Both free the handle, and one of them must be called. TM_ERROR_NOT_FOUND: it
 * is not installed. If the program ends early, writing fails (EPIPE) if SIGPIPE is off
 * (tm_sys_prepare_program).
 */
typedef struct tm_sys_pipe tm_sys_pipe;
TM_API tm_status tm_sys_pipe_begin(tm_sys_pipe **out, const char *const *words, const tm_allocator *allocator,
                                   tm_error *error);
TM_API tm_output tm_sys_pipe_output(tm_sys_pipe *run);
TM_API tm_status tm_sys_pipe_finish(tm_sys_pipe *run, tm_error *error);
TM_API void tm_sys_pipe_abort(tm_sys_pipe *run);

/* The number of processors that this process may use, at least 1. */
TM_API uint32_t tm_sys_processors(void);

/*
 * A pool of `threads` threads (0: tm_sys_processors()), including the calling one; executor->threads is lower
 * if the system provides fewer. The executor is valid until tm_sys_threads_free. Tasks may call run, and
 * several threads may use a pool: the calling thread and all idle threads work on each call. Signals are
 * blocked in the threads of the pool.
 */
typedef struct tm_sys_threads tm_sys_threads;
TM_API tm_status tm_sys_threads_new(tm_sys_threads **out, uint32_t threads, const tm_allocator *allocator,
                                    tm_error *error);
TM_API const tm_executor *tm_sys_threads_executor(const tm_sys_threads *threads); /* borrowed */
TM_API void tm_sys_threads_free(tm_sys_threads *threads);

/*
 * Runs another program to its end: `words` is its name, searched for in PATH, and its arguments, terminated
 * by NULL. Its standard output is appended to `out`; the other streams are inherited. TM_ERROR_IO if it
 * cannot be run; any exit status is fine.
 */
TM_API tm_status tm_sys_run(int *exit_status, tm_buffer *out, const char *const *words, tm_error *error);
/*
 * For programs, with a path that a user typed: on Windows, replaces backslashes by slashes, as the library
 * uses them. No effect on other systems.
 */
TM_API void tm_sys_plain_path(char *path);
/* An absolute path without links. False, and "", if there is no such file, or the buffer is too small. */
TM_API bool tm_sys_real_path(char *buffer, size_t size, const char *path);

/* Seconds of a monotonic clock. */
TM_API double tm_sys_seconds(void);
/* Waits from 0 to 3600 seconds; a signal may end it early. */
TM_API void tm_sys_pause(double seconds);

#ifdef __cplusplus
}
#endif
#endif
