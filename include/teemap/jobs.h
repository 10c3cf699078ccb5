/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_JOBS_H
#define TEEMAP_JOBS_H
/*
 * teemap/jobs.h - one job in many pieces, side by side on the threads of a tm_executor (teemap/base.h). The
 * library's own work runs through this: blocks that are packed and unpacked, bands of pictures. Programs can
 * use it for theirs: many maps, many frames.
 *
 * How to use it: fill in a tm_tasks, call tm_tasks_run. The call returns when no piece is being worked on
 * any more.
 *
 * Order: large pieces before small ones (by memory in steps of powers of two, then by weight), so that no
 * large one is left for the end. Memory: pieces start only while all that are worked on stay within the job's
 * memory_budget together; a piece that is alone may be larger. Which pieces run side by side depends on
 * chance; what the call returns does not, as long as the work of a piece does not depend on other pieces.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_tasks {
    size_t size;                   /* sizeof(tm_tasks) */
    const tm_allocator *allocator; /* default: malloc */
    void *ctx;                     /* handed to the functions below */
    /*
     * The numbers by which pieces are known to these functions, `num` of them, or NULL: 0 to num - 1. A
     * number that occurs twice is worked on twice.
     */
    const uint32_t *indices;
    uint32_t num;
    /*
     * Does one piece; must not be NULL. Called by several threads at once. After a failure no piece of a
     * higher number is begun; if `work` also sets *stop (false before), no further piece at all. *error is
     * never NULL, and blank before.
     */
    tm_status (*work)(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error);
    /* The share of a piece in the work, in the units of progress. NULL: 1 for each piece. */
    uint64_t (*weight)(void *ctx, uint32_t index);
    /* Bytes that are in use while a piece is worked on and that count against the budget. NULL: 0. */
    uint64_t (*memory)(void *ctx, uint32_t index);
    /*
     * Memory that only one thread uses at a time, handed to `work` as `worker`: `worker_size` bytes, aligned
     * for any type, zeroed before the first piece. `worker_release` (may be NULL) gives back what `work` has
     * attached to it and leaves it as it was before the first piece; it is called at the end, and between
     * pieces when the budget is tight.
     */
    size_t worker_size;
    void (*worker_release)(void *ctx, void *worker);
} tm_tasks;
#define TM_TASKS_INIT                                                    \
    {                                                                    \
        sizeof(tm_tasks), NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL \
    }

/*
 * Works on all pieces. `job` may be NULL. The status and the error are those of the piece with the lowest
 * number that failed, whatever the number of threads; TM_ERROR_CANCELLED when none failed and the job was
 * cancelled. job->progress counts weights and is told the total at the end of a job that was done.
 */
TM_API tm_status tm_tasks_run(const tm_tasks *pieces, const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
