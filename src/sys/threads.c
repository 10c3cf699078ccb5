/* SPDX-License-Identifier: Zlib */
/*
 * A pool of POSIX threads behind tm_executor. Each call of run opens a batch of tasks: its indices are handed
 * out one by one, and the thread that called takes part until none is left. Threads with nothing to
 * do join the batch that was opened last. A task may call run itself: its batch is helped by those who are
 * idle at that time. A thread waits for nothing but the tasks of its own batch that others have begun, and
 * those wait for nothing but their own, so nothing can deadlock.
 *
 *   field          guarded by   meaning
 *   open           lock         the batches that may have tasks left, newest first
 *   batch.next     lock         first index that nobody has taken
 *   batch.inside   lock         threads in the batch; the caller waits until there are none
 */
#define _XOPEN_SOURCE 700
#include "syscalls.h"
#include "sys.h"

#include <pthread.h>

/* One call of run; lives on the stack of the thread that called. */
typedef struct task_batch {
    void (*task)(void *arg, uint32_t index);
    void *arg;
    uint32_t num_tasks, next;
    uint32_t inside;
    bool is_open;
    struct task_batch *older;
} task_batch;

struct tm_sys_threads {
    const tm_allocator *allocator;
    tm_executor executor;
    pthread_mutex_t lock;
    pthread_cond_t change; /* a batch was opened or left, or all is to end */
    bool quit;
    task_batch *open;
    uint32_t num_started;
    uint32_t num_handles;
    pthread_t handles[];
};

/* Does tasks of a batch until none is left, and closes it. Called with the lock, open while a task runs. */
static void take_part(tm_sys_threads *threads, task_batch *batch)
{
    batch->inside++;
    while (batch->next < batch->num_tasks) {
        const uint32_t index = batch->next++;
        pthread_mutex_unlock(&threads->lock);
        batch->task(batch->arg, index);
        pthread_mutex_lock(&threads->lock);
    }
    if (batch->is_open) {
        task_batch **link = &threads->open;
        while (*link != batch)
            link = &(*link)->older;
        *link = batch->older;
        batch->is_open = false;
    }
    if (--batch->inside == 0)
        pthread_cond_broadcast(&threads->change);
}

static void *thread_main(void *arg)
{
    tm_sys_threads *threads = arg;
    pthread_mutex_lock(&threads->lock);
    while (!threads->quit)
        if (threads->open)
            take_part(threads, threads->open);
        else
            pthread_cond_wait(&threads->change, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

static void run_on_threads(void *ctx, uint32_t num_tasks, void (*task)(void *arg, uint32_t index), void *arg)
{
    tm_sys_threads *threads = ctx;
    if (num_tasks < 2 || threads->num_started == 0) {
        tmi_run(NULL, num_tasks, task, arg);
        return;
    }
    task_batch batch = {.task = task, .arg = arg, .num_tasks = num_tasks, .is_open = true};
    pthread_mutex_lock(&threads->lock);
    batch.older = threads->open;
    threads->open = &batch;
    pthread_cond_broadcast(&threads->change);
    take_part(threads, &batch);
    while (batch.inside)
        pthread_cond_wait(&threads->change, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
}

static size_t handle_bytes(uint32_t num_handles)
{
    return sizeof(tm_sys_threads) + num_handles * sizeof(pthread_t);
}

tm_status tm_sys_threads_new(tm_sys_threads **out, uint32_t threads, const tm_allocator *allocator,
                             tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (threads == 0)
        threads = tm_sys_processors();
    if (threads > 1024)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot use %u threads: 1 to 1024 are allowed",
                        (unsigned)threads);
    tm_sys_threads *pool;
    TM_TRY(tmi_reserve_zeroed(&pool, allocator, 1, handle_bytes(threads - 1), "threads", error));
    pool->allocator = allocator;
    pool->num_handles = threads - 1;
    bool locks = pthread_mutex_init(&pool->lock, NULL) == 0;
    if (locks && pthread_cond_init(&pool->change, NULL) != 0) {
        pthread_mutex_destroy(&pool->lock);
        locks = false;
    }
    if (!locks) {
        tmi_free(allocator, pool, 1, handle_bytes(threads - 1));
        return tmi_fail(error, TM_ERROR_IO, -1, "cannot make locks for threads");
    }
    tmi_sys_signals old; /* blocked in the threads: programs expect handlers to run on their own threads */
    tmi_sys_block_signals(&old);
    while (pool->num_started < pool->num_handles &&
           pthread_create(&pool->handles[pool->num_started], NULL, thread_main, pool) == 0)
        pool->num_started++;
    tmi_sys_restore_signals(&old);
    pool->executor.ctx = pool;
    pool->executor.threads = pool->num_started + 1;
    pool->executor.run = run_on_threads;
    *out = pool;
    return TM_OK;
}

const tm_executor *tm_sys_threads_executor(const tm_sys_threads *threads)
{
    return threads ? &threads->executor : NULL;
}

void tm_sys_threads_free(tm_sys_threads *threads)
{
    if (!threads)
        return;
    pthread_mutex_lock(&threads->lock);
    threads->quit = true;
    pthread_cond_broadcast(&threads->change);
    pthread_mutex_unlock(&threads->lock);
    for (uint32_t i = 0; i < threads->num_started; i++)
        pthread_join(threads->handles[i], NULL);
    pthread_cond_destroy(&threads->change);
    pthread_mutex_destroy(&threads->lock);
    tmi_free(threads->allocator, threads, 1, handle_bytes(threads->num_handles));
}
