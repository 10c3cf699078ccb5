/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_SYS_H
#define TEEMAP_SYS_H
/*
 * teemap/sys.h - the only contact with the operating system: files, atomic saving, folders, other programs,
 * threads. Everything else in the library works on tm_input, tm_output and tm_executor and runs where these
 * are not available.
 *
 * Paths are NUL-terminated bytes as the system takes them (UTF-8 on Windows).
 */
#ifdef TM_WITHOUT_SYS
#error "this libteemap was built with TEEMAP_SYS=OFF: it has no files, folders and threads"
#endif

#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Opens a regular file for reading at any place. One of up to 256 KiB is read whole into memory and holds no
 * descriptor. Of a larger one nothing is read yet, and the file must stay as it is until the input is closed:
 * reading fails (TM_ERROR_IO) once somebody has written to it, by its size and time. (A file that is replaced
 * by another, as tm_store_save and most editors do, stays as it was for who has it open.) tm_input_load makes
 * any input independent of its file. Pipes, terminals and other things without a size are read whole into
 * memory, at most `max_bytes` (0: 1 GiB). Errors name the path. Close by input->close(input->ctx), or hand it
 * over.
 */
TM_API tm_status tm_sys_open_input(tm_input *out, const char *path, uint64_t max_bytes,
                                   const tm_allocator *allocator, tm_error *error);
/* Reads standard input whole into memory. */
TM_API tm_status tm_sys_open_stdin(tm_input *out, uint64_t max_bytes, const tm_allocator *allocator,
                                   tm_error *error);
/*
 * An output on standard output. A reader that went away is TM_ERROR_IO with system EPIPE, but behind
 * tm_sys_prepare_program it ends the program by SIGPIPE unless the parent has set that to be ignored.
 */
TM_API tm_output tm_sys_stdout(void);
TM_API bool tm_sys_stdin_is_terminal(void);
TM_API bool tm_sys_stdout_is_terminal(void);
TM_API bool tm_sys_stderr_is_terminal(void);
/* Columns of the terminal that standard error is, or else standard output; 0: neither is one. */
TM_API uint32_t tm_sys_terminal_width(void);
/*
 * For programs, once, at their start: writing to a closed pipe becomes an error (EPIPE) instead of a
 * signal, except on tm_sys_stdout, and the signals that end a program (interrupt, terminate, hang up, and
 * that one) first do what tm_sys_save_abort_all does. It changes the whole process; libraries must not call
 * it. True: Windows made a console for this program alone, which closes with it, since files were dropped on
 * it or it was clicked.
 */
TM_API bool tm_sys_prepare_program(void);

/*
 * Atomic saving. tm_sys_save_begin makes a temporary file beside the target (symbolic links are followed
 * first), tm_sys_save_output writes to it, tm_sys_save_commit flushes it to the disk, gives it the
 * permissions of the file that it replaces (0666 less the umask for a new one) and renames it over the
 * target; tm_sys_save_abort removes it. One of the last two must be called; both free the handle. A failed
 * commit has aborted. Until the rename inside commit the old file is untouched. After a power failure
 * right behind a commit the old file or the new one is there, whole. It is safe to save to the path that
 * the data are being read from. Owner and permissions are kept, other attributes (access lists, hard
 * links) are not. A write-protected target is refused. The first failure of the output sticks: a commit
 * after it fails, too. What exists and is no regular file (a pipe, a terminal, /dev/stdout) is written to
 * directly.
 */
typedef struct tm_sys_save tm_sys_save;
TM_API tm_status tm_sys_save_begin(tm_sys_save **out, const char *path, const tm_allocator *allocator,
                                   tm_error *error);
TM_API tm_output tm_sys_save_output(tm_sys_save *save);
/*
 * The temporary file, borrowed, for another program that is to write it; nothing may be written to the output
 * then. NULL where there is none, as what exists is written to directly.
 */
TM_API const char *tm_sys_save_path(const tm_sys_save *save);
TM_API tm_status tm_sys_save_commit(tm_sys_save *save, tm_error *error);
TM_API void tm_sys_save_abort(tm_sys_save *save);
/*
 * For a process that is about to end: removes the temporary files of all saves that are under way, as far
 * as that can be done in a signal handler (async-signal-safe). A save that begins in another thread after it
 * waits for the end of the process. This is the one process-wide list in the library; it exists only for
 * this purpose.
 */
TM_API void tm_sys_save_abort_all(void);

typedef enum tm_sys_kind {
    TM_SYS_MISSING,
    TM_SYS_FILE,
    TM_SYS_FOLDER,
    TM_SYS_OTHER,
    TM_SYS_UNKNOWN /* the system does not tell, most often because a folder on the way may not be entered */
} tm_sys_kind;
/* What a path leads to, symbolic links followed. */
TM_API tm_sys_kind tm_sys_kind_of(const char *path);
/* What stands at a path itself: a symbolic link is TM_SYS_OTHER. */
TM_API tm_sys_kind tm_sys_kind_of_entry(const char *path);
/* Removes a file, or a symbolic link itself. */
TM_API tm_status tm_sys_remove_file(const char *path, tm_error *error);
/* Whether both paths lead to the same existing file. */
TM_API bool tm_sys_same_file(const char *a, const char *b);
/*
 * Whether `result` was written after `source` last changed, so that nothing has to be made anew: its time
 * of writing is later than both the source's time of writing and the time at which the source came to its
 * name (a file that was replaced by an older one counts as changed). False when one of them is missing,
 * and when both times are the same.
 */
TM_API bool tm_sys_is_newer(const char *result, const char *source);
/* When the file at a path was last changed, in seconds since 1970; 0: nobody knows. */
TM_API int64_t tm_sys_changed_at(const char *path);
/* Makes a folder; an existing one is fine. */
TM_API tm_status tm_sys_make_folder(const char *path, tm_error *error);
/*
 * Lists a folder: calls `entry` once for each name in it but "." and "..", sorted by bytes, with the full
 * path "folder/name". A false result ends the listing. Those who go into folders must watch out for loops
 * of symbolic links; tm_sys_walk does.
 */
TM_API tm_status tm_sys_list(const char *folder, bool (*entry)(void *ctx, const char *path, tm_sys_kind kind),
                             void *ctx, const tm_allocator *allocator, tm_error *error);
/*
 * All files below a folder whose names end with `suffix` (compared without regard to ASCII case; NULL:
 * all), sorted by the bytes of their paths; links to folders are not entered. A folder that cannot be
 * listed does not hide the others: its error is returned after all files were told.
 */
TM_API tm_status tm_sys_walk(const char *folder, const char *suffix,
                             bool (*file)(void *ctx, const char *path), void *ctx,
                             const tm_allocator *allocator, tm_error *error);

/*
 * Runs another program, `words[0]`, which is looked for as a shell looks for it, with these words (NULL
 * behind the last one) as its arguments, without a shell. What is written to the output is its standard
 * input; its standard output goes nowhere. finish closes the input, waits until it has ended, and fails with
 * the last line of what it said on standard error unless its status is 0; abort ends it. Both free the
 * handle, and one of them must be called. TM_ERROR_NOT_FOUND: it is not installed. A program that ends early
 * is an error (EPIPE) of the output where the signal is off (tm_sys_prepare_program).
 */
typedef struct tm_sys_pipe tm_sys_pipe;
TM_API tm_status tm_sys_pipe_begin(tm_sys_pipe **out, const char *const *words, const tm_allocator *allocator,
                                   tm_error *error);
TM_API tm_output tm_sys_pipe_output(tm_sys_pipe *run);
TM_API tm_status tm_sys_pipe_finish(tm_sys_pipe *run, tm_error *error);
TM_API void tm_sys_pipe_abort(tm_sys_pipe *run);

/* Number of processors that this process may use; at least 1. */
TM_API uint32_t tm_sys_processors(void);

/*
 * A pool of `threads` threads (0: tm_sys_processors()), the calling one included; fewer when the system
 * gives no more, as executor->threads tells. Its executor is valid until tm_sys_threads_free. A task may
 * call run itself, and several threads may use one pool: each call is worked on by the thread that makes
 * it and by all that have nothing else to do. Signals are blocked in the pool's threads.
 */
typedef struct tm_sys_threads tm_sys_threads;
TM_API tm_status tm_sys_threads_new(tm_sys_threads **out, uint32_t threads, const tm_allocator *allocator,
                                    tm_error *error);
TM_API const tm_executor *tm_sys_threads_executor(const tm_sys_threads *threads); /* borrowed */
TM_API void tm_sys_threads_free(tm_sys_threads *threads);

/*
 * Runs another program to its end: `words` are its name, which is searched in PATH, and its arguments,
 * with a NULL behind them. What it prints on standard output is appended to `out`; the rest is as for this
 * program. TM_ERROR_IO when it cannot be run; any exit status of its own is fine.
 */
TM_API tm_status tm_sys_run(int *exit_status, tm_buffer *out, const char *const *words, tm_error *error);
/*
 * For programs, what somebody typed as a path: on Windows each backslash becomes the slash that the library's
 * own paths have. Elsewhere nothing changes.
 */
TM_API void tm_sys_plain_path(char *path);
/* A path without links, from the root. False, and "": there is no such file, or the buffer is too small. */
TM_API bool tm_sys_real_path(char *buffer, size_t size, const char *path);

/* Seconds since some moment, by a clock that only moves forward. */
TM_API double tm_sys_seconds(void);
/* Waits, at least 0 and at most 3600 seconds; a signal may end it early. */
TM_API void tm_sys_pause(double seconds);

#ifdef __cplusplus
}
#endif
#endif
