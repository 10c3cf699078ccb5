/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_JOBS_H
#define TEEMAP_JOBS_H
/*
 * teemap/jobs.h - runs many tasks in parallel on the threads of a tm_executor (teemap/base.h). The library
 * uses it to pack and unpack blocks and to draw bands of pictures. Programs can use it for their own work,
 * such as many maps or many frames.
 *
 * Usage: fill in a tm_tasks and call tm_tasks_run, which returns when no task is running any more.
 *
 * Order: large tasks before small ones (by memory in powers of two, then by weight), so that no large one is
 * left for the end. Memory: a task starts only if all running tasks fit into the job's memory_budget; a
 * single task may be larger. The order of execution is not deterministic, but the result is, if tasks do not
 * depend on each other.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_tasks {
    size_t size;                   /* sizeof(tm_tasks) */
    const tm_allocator *allocator; /* default: malloc */
    void *ctx;                     /* passed to the functions below */
    /* Numbers of the tasks, `num` of them, or NULL: 0 to num - 1. A repeated number is run twice. */
    const uint32_t *indices;
    uint32_t num;
    /*
     * Runs one task; must not be NULL. Called by several threads at once. After a failure no task with a
     * higher number is started; if `work` also sets *stop (initially false), no further task at all. *error
     * is never NULL, and initially empty.
     */
    tm_status (*work)(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error);
    /* The weight of a task, in the units of progress. NULL: 1 for each task. */
    uint64_t (*weight)(void *ctx, uint32_t index);
    /* Bytes that a running task uses, counted against the budget. NULL: 0. */
    uint64_t (*memory)(void *ctx, uint32_t index);
    /*
     * Memory for one thread at a time, passed to `work` as `worker`: `worker_size` bytes, aligned for any
     * type, zeroed before the first task. `worker_release` (may be NULL) frees what `work` attached to it and
     * restores the initial state; it is called at the end, and between tasks if the budget is tight.
     */
    size_t worker_size;
    void (*worker_release)(void *ctx, void *worker);
} tm_tasks;
#define TM_TASKS_INIT                                                    \
    {                                                                    \
        sizeof(tm_tasks), NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL \
    }

/*
 * Runs all tasks. `job` may be NULL. Status and error are those of the failed task with the lowest number,
 * whatever the number of threads; TM_ERROR_CANCELLED if none failed and the job was cancelled. job->progress
 * counts weights and receives the total at the end.
 */
TM_API tm_status tm_tasks_run(const tm_tasks *pieces, const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
