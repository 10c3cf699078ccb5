/* SPDX-License-Identifier: Zlib */
#include "lib_jobs.h"

static tm_sys_threads *pool;

void test_jobs_begin(void)
{
    must(tm_sys_threads_new(&pool, TEST_THREADS, NULL, NULL));
}

void test_jobs_end(void)
{
    tm_sys_threads_free(pool);
}

static void look(void *ctx, uint64_t done, uint64_t total)
{
    test_watch *watch = ctx;
    watch->wrong |= atomic_fetch_add(&watch->inside, 1) != 0 || done < watch->last || done > total;
    watch->last = done;
    watch->total = total;
    if (++watch->calls == watch->cancel_at)
        tm_cancel_request(&watch->cancel);
    atomic_fetch_sub(&watch->inside, 1);
}

tm_job test_job(bool threads, test_watch *watch)
{
    tm_job job = TM_JOB_INIT;
    job.executor = threads ? tm_sys_threads_executor(pool) : NULL;
    if (watch) {
        job.progress = look;
        job.progress_ctx = watch;
        job.cancel = &watch->cancel;
    }
    return job;
}
