/* SPDX-License-Identifier: Zlib */
/*
 * A pool of POSIX threads behind tm_executor. One batch of tasks runs at a time; its indices are handed out
 * by an atomic counter, and the thread that called run takes part. A call while a batch is running, from
 * inside a task or from another thread, runs its tasks where it is: nothing waits for anything but its own
 * tasks, so nothing can deadlock.
 *
 *   field     guarded by          meaning
 *   busy      atomic              somebody's batch is running
 *   next      atomic              first index of the batch that nobody has taken
 *   batch     lock                which batch; a thread that sleeps waits for it to change
 *   task      lock                NULL when the batch is over, so that a thread that wakes late stays out
 *   inside    lock                pool threads that are in the batch; the caller waits until there are none
 */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#else
#define _XOPEN_SOURCE 700
#endif
#include "sys.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

struct tm_sys_threads {
    const tm_allocator *allocator;
    tm_executor executor;
    pthread_mutex_t lock;
    pthread_cond_t wake, leave;
    bool quit;
    int busy;
    uint64_t batch;
    void (*task)(void *arg, uint32_t index);
    void *arg;
    uint32_t num_tasks, next;
    uint32_t inside;
    uint32_t num_started;
    uint32_t num_handles;
    pthread_t handles[];
};

/* Compare and swap, so that the counter never runs past the end (and round, with 4 billion tasks). */
static bool take_index(tm_sys_threads *threads, uint32_t num_tasks, uint32_t *index)
{
    *index = __atomic_load_n(&threads->next, __ATOMIC_RELAXED);
    while (*index < num_tasks)
        if (__atomic_compare_exchange_n(&threads->next, index, *index + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    return false;
}

/* Called with the lock, returns with the lock; runs without. */
static void take_part(tm_sys_threads *threads)
{
    void (*task)(void *arg, uint32_t index) = threads->task;
    void *arg = threads->arg;
    uint32_t num_tasks = threads->num_tasks, index;
    threads->inside++;
    pthread_mutex_unlock(&threads->lock);
    while (take_index(threads, num_tasks, &index))
        task(arg, index);
    pthread_mutex_lock(&threads->lock);
    if (--threads->inside == 0)
        pthread_cond_signal(&threads->leave);
}

static void *thread_main(void *arg)
{
    tm_sys_threads *threads = arg;
    uint64_t seen = 0;
    pthread_mutex_lock(&threads->lock);
    while (!threads->quit) {
        if (threads->batch == seen) {
            pthread_cond_wait(&threads->wake, &threads->lock);
            continue;
        }
        seen = threads->batch;
        if (threads->task)
            take_part(threads);
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

static void run_here(uint32_t num_tasks, void (*task)(void *arg, uint32_t index), void *arg)
{
    for (uint32_t i = 0; i < num_tasks; i++)
        task(arg, i);
}

static void run(void *ctx, uint32_t num_tasks, void (*task)(void *arg, uint32_t index), void *arg)
{
    tm_sys_threads *threads = ctx;
    if (num_tasks < 2 || threads->num_started == 0 ||
        __atomic_exchange_n(&threads->busy, 1, __ATOMIC_ACQUIRE)) {
        run_here(num_tasks, task, arg);
        return;
    }
    pthread_mutex_lock(&threads->lock);
    threads->batch++;
    threads->task = task;
    threads->arg = arg;
    threads->num_tasks = num_tasks;
    __atomic_store_n(&threads->next, 0, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&threads->wake);
    take_part(threads);
    threads->task = NULL;
    while (threads->inside)
        pthread_cond_wait(&threads->leave, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    __atomic_store_n(&threads->busy, 0, __ATOMIC_RELEASE);
}

uint32_t tm_sys_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1024 ? 1024 : (uint32_t)count;
}

/*
 * Signals stay with the program's own threads: whoever embeds the library expects its handlers to run there.
 */
static void start(tm_sys_threads *threads)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (threads->num_started < threads->num_handles &&
           pthread_create(&threads->handles[threads->num_started], NULL, thread_main, threads) == 0)
        threads->num_started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static bool make_locks(tm_sys_threads *threads)
{
    if (pthread_mutex_init(&threads->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&threads->wake, NULL) == 0) {
        if (pthread_cond_init(&threads->leave, NULL) == 0)
            return true;
        pthread_cond_destroy(&threads->wake);
    }
    pthread_mutex_destroy(&threads->lock);
    return false;
}

static size_t handle_bytes(uint32_t num_handles)
{
    return sizeof(tm_sys_threads) + num_handles * sizeof(pthread_t);
}

tm_status tm_sys_threads_new(tm_sys_threads **out, uint32_t threads, const tm_allocator *allocator,
                             tm_error *error)
{
    *out = NULL;
    if (threads == 0)
        threads = tm_sys_processors();
    if (threads > 1024)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot use %u threads: 1024 are the most",
                        (unsigned)threads);
    tm_sys_threads *pool = tmi_calloc(allocator, 1, handle_bytes(threads - 1));
    if (!pool)
        return tmi_fail_memory(error, handle_bytes(threads - 1), "threads");
    pool->allocator = allocator;
    pool->num_handles = threads - 1;
    if (!make_locks(pool)) {
        tmi_free(allocator, pool, 1, handle_bytes(threads - 1));
        return tmi_fail(error, TM_ERROR_IO, -1, "cannot make locks for threads");
    }
    start(pool);
    pool->executor.ctx = pool;
    pool->executor.threads = pool->num_started + 1;
    pool->executor.run = run;
    *out = pool;
    return TM_OK;
}

const tm_executor *tm_sys_threads_executor(const tm_sys_threads *threads)
{
    return &threads->executor;
}

void tm_sys_threads_free(tm_sys_threads *threads)
{
    if (!threads)
        return;
    pthread_mutex_lock(&threads->lock);
    threads->quit = true;
    pthread_cond_broadcast(&threads->wake);
    pthread_mutex_unlock(&threads->lock);
    for (uint32_t i = 0; i < threads->num_started; i++)
        pthread_join(threads->handles[i], NULL);
    pthread_cond_destroy(&threads->leave);
    pthread_cond_destroy(&threads->wake);
    pthread_mutex_destroy(&threads->lock);
    tmi_free(threads->allocator, threads, 1, handle_bytes(threads->num_handles));
}
