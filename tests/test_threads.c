/* SPDX-License-Identifier: Zlib */
/*
 * The pool of threads: each task once, really at the same time, from inside tasks, from several threads.
 *
 * test-labels: threads
 */
#include "base/base.h"
#include "support/test.h"

#include <pthread.h>
#include <unistd.h>

#define NUM_TASKS 1000

struct work {
    const tm_executor *executor;
    uint32_t seen[NUM_TASKS];
    uint32_t inner;
    int depth;
};

static void count_once(void *arg, uint32_t index)
{
    __atomic_fetch_add(&((struct work *)arg)->seen[index], 1, __ATOMIC_RELAXED);
}

static void count_inner(void *arg, uint32_t index)
{
    (void)index;
    __atomic_fetch_add(&((struct work *)arg)->inner, 1, __ATOMIC_RELAXED);
}

static void run_nested(void *arg, uint32_t index)
{
    struct work *work = arg;
    count_once(arg, index);
    tmi_run(work->executor, 10, count_inner, arg);
}

TEST(every_task_runs_once)
{
    for (uint32_t threads = 0; threads < 5; threads++) {
        OWN(tm_sys_threads) *pool;
        must(tm_sys_threads_new(&pool, threads, NULL, NULL));
        struct work work = {tm_sys_threads_executor(pool), {0}, 0, 0};
        assert_int_equal(work.executor->threads, threads ? threads : tm_sys_processors());
        for (uint32_t round = 1; round <= 50; round++) {
            tmi_run(work.executor, NUM_TASKS - round, count_once, &work);
            for (uint32_t i = 0; i < NUM_TASKS - round; i++)
                assert_int_equal(work.seen[i], round);
        }
        tmi_run(work.executor, 0, count_once, &work);
        work.executor->run(work.executor->ctx, 0, count_once, &work);
        work.executor->run(work.executor->ctx, 1, count_once, &work);
        assert_int_equal(work.seen[0], 51);
    }
    tm_sys_threads_free(NULL);
}

static void count_late(void *arg, uint32_t index)
{
    usleep(index == 0 ? 0 : 20000);
    count_once(arg, index);
}

/* Whoever takes the first task is done at once, and must still wait for the others. */
TEST(a_run_ends_when_all_its_tasks_have)
{
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 4, NULL, NULL));
    struct work work = {tm_sys_threads_executor(pool), {0}, 0, 0};
    for (uint32_t round = 1; round <= 5; round++) {
        tmi_run(work.executor, 4, count_late, &work);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(__atomic_load_n(&work.seen[i], __ATOMIC_RELAXED), round);
    }
}

TEST(tasks_may_run_tasks)
{
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    struct work work = {tm_sys_threads_executor(pool), {0}, 0, 0};
    tmi_run(work.executor, NUM_TASKS, run_nested, &work);
    for (uint32_t i = 0; i < NUM_TASKS; i++)
        assert_int_equal(work.seen[i], 1);
    assert_int_equal(work.inner, NUM_TASKS * 10);
}

static void *run_batches(void *arg)
{
    struct work *work = arg;
    for (int i = 0; i < 50; i++)
        tmi_run(work->executor, 20, count_inner, work);
    return NULL;
}

TEST(several_threads_may_use_one_pool)
{
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    struct work work = {tm_sys_threads_executor(pool), {0}, 0, 0};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_batches, &work), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(work.inner, 3 * 50 * 20);
}

/* All but one of the tasks wait for the last one: they can only end if they really run at the same time. */
struct meeting {
    const tm_executor *executor;
    uint32_t wanted, here;
};

static void meet(void *arg, uint32_t index)
{
    struct meeting *meeting = arg;
    (void)index;
    __atomic_fetch_add(&meeting->here, 1, __ATOMIC_SEQ_CST);
    double until = tm_sys_seconds() + 30;
    while (__atomic_load_n(&meeting->here, __ATOMIC_SEQ_CST) < meeting->wanted && tm_sys_seconds() < until)
        usleep(100);
}

TEST(the_threads_really_run_at_once)
{
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    struct meeting meeting = {tm_sys_threads_executor(pool), 3, 0};
    double before = tm_sys_seconds();
    tmi_run(meeting.executor, meeting.wanted, meet, &meeting);
    assert_true(tm_sys_seconds() - before < 25);
    assert_int_equal(meeting.here, 3);
}

/*
 * Two tasks, one of which runs two more: these used to stay on its own thread while the others were idle. Of the three
 * threads one may be the caller, who waits for the first two and helps nobody; so one helper is sure, and not two.
 */
static void run_a_meeting(void *arg, uint32_t index)
{
    struct meeting *meeting = arg;
    if (index == 0)
        tmi_run(meeting->executor, meeting->wanted, meet, meeting);
}

TEST(idle_threads_help_with_inner_tasks)
{
    OWN(tm_sys_threads) *pool;
    must(tm_sys_threads_new(&pool, 3, NULL, NULL));
    struct meeting meeting = {tm_sys_threads_executor(pool), 2, 0};
    double before = tm_sys_seconds();
    tmi_run(meeting.executor, 2, run_a_meeting, &meeting);
    assert_true(tm_sys_seconds() - before < 25);
    assert_int_equal(meeting.here, 2);
}

TEST(a_pool_survives_lack_of_memory)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    OWN(tm_sys_threads) *pool = (tm_sys_threads *)&memory;
    tm_error error;
    assert_int_equal(tm_sys_threads_new(&pool, 2, &memory.allocator, &error), TM_ERROR_MEMORY);
    assert_null(pool);
    assert_int_equal(tm_sys_threads_new(&pool, 5000, &memory.allocator, &error), TM_ERROR_USAGE);
    must(tm_sys_threads_new(&pool, 2, &memory.allocator, &error));
}
