/* SPDX-License-Identifier: Zlib */
/*
 * Jobs in many pieces (teemap/jobs.h): each piece once, large ones first, the budget of memory kept without
 * leaving a thread idle that it has room for, the failure with the lowest number, progress, cancelling, and
 * memory of a worker's own.
 *
 * test-labels: threads
 */
#include "base/base.h"
#include "support/lib_jobs.h"
#include "support/test.h"

#include <unistd.h>

enum { MOST = 2000 };

/* What the pieces of a test are, and what became of them. */
struct pieces {
    uint64_t sizes[MOST]; /* weight and memory */
    atomic_uint seen[MOST];
    uint32_t order[MOST]; /* in which they were begun */
    atomic_uint num_begun;
    atomic_ullong in_use, most_in_use; /* memory */
    atomic_uint at_work, most_at_work;
    atomic_uint others; /* pieces that were done while piece 0 was worked on */
    atomic_bool first_done;
    uint32_t fail_from, fail_step; /* pieces that fail; 0: none */
    uint32_t stop_at;              /* UINT32_MAX: none */
    tm_cancel cancel;
    uint32_t cancel_at; /* number of pieces; 0: never */
    bool slow_first;    /* piece 0 waits for the others */
    uint32_t wait_for;
};

static uint64_t size_of_piece(void *ctx, uint32_t index)
{
    return ((struct pieces *)ctx)->sizes[index];
}

static void raise(atomic_ullong *most, unsigned long long value)
{
    unsigned long long old = atomic_load(most);
    while (old < value && !atomic_compare_exchange_weak(most, &old, value)) {
    }
}

static void wait_for_others(struct pieces *work)
{
    for (int i = 0; i < 2000 && atomic_load(&work->others) < work->wait_for; i++)
        usleep(1000);
    atomic_store(&work->first_done, true);
}

static tm_status do_one(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    struct pieces *work = ctx;
    (void)worker;
    assert_false(*stop);
    assert_int_equal(error->code, TM_OK);
    work->order[atomic_fetch_add(&work->num_begun, 1)] = index;
    raise(&work->most_in_use, atomic_fetch_add(&work->in_use, work->sizes[index]) + work->sizes[index]);
    atomic_fetch_add(&work->seen[index], 1);
    if (work->slow_first && index == 0)
        wait_for_others(work);
    else if (!atomic_load(&work->first_done))
        atomic_fetch_add(&work->others, 1);
    if (work->cancel_at && atomic_load(&work->num_begun) == work->cancel_at)
        tm_cancel_request(&work->cancel);
    atomic_fetch_sub(&work->in_use, work->sizes[index]);
    *stop = index == work->stop_at;
    if (work->fail_step && index >= work->fail_from && (index - work->fail_from) % work->fail_step == 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, index, "piece %u", (unsigned)index);
    return TM_OK;
}

static tm_job job_on(bool side_by_side, uint64_t budget)
{
    tm_job job = test_job(side_by_side, NULL);
    job.memory_budget = budget;
    return job;
}

static tm_tasks pieces_of(struct pieces *work, uint32_t num)
{
    tm_tasks pieces = TM_TASKS_INIT;
    pieces.ctx = work;
    pieces.num = num;
    pieces.work = do_one;
    pieces.weight = size_of_piece;
    pieces.memory = size_of_piece;
    return pieces;
}

static struct pieces *fresh_pieces(void)
{
    struct pieces *work = calloc(1, sizeof(*work));
    assert_non_null(work);
    work->stop_at = UINT32_MAX;
    for (uint32_t i = 0; i < MOST; i++)
        work->sizes[i] = 1 + (uint64_t)i * 7919 % 100000;
    return work;
}

TEST(each_piece_once)
{
    static const uint64_t budgets[] = {0, 1, 1000, 150000, 400000};
    for (size_t i = 0; i < 2 * TMI_COUNT_OF(budgets); i++) {
        FREED struct pieces *work = fresh_pieces();
        const tm_tasks pieces = pieces_of(work, MOST);
        const uint64_t budget = budgets[i / 2];
        const tm_job job = job_on(i & 1, budget);
        must(tm_tasks_run(&pieces, &job, NULL));
        for (uint32_t k = 0; k < MOST; k++)
            assert_int_equal(work->seen[k], 1);
        /* one piece alone may be larger than the budget; the largest is 100000 */
        if (budget)
            assert_true(work->most_in_use <= (budget > 100000 ? budget : 100000));
    }
}

TEST(some_pieces_by_their_numbers)
{
    static const uint32_t some[] = {5, 3, 1999, 5};
    FREED struct pieces *work = fresh_pieces();
    tm_tasks pieces = pieces_of(work, 4);
    pieces.indices = some;
    must(tm_tasks_run(&pieces, NULL, NULL));
    assert_int_equal(work->seen[5], 2);
    assert_int_equal(work->seen[3], 1);
    assert_int_equal(work->seen[1999], 1);
    assert_int_equal(work->num_begun, 4);
    pieces.num = 0;
    must(tm_tasks_run(&pieces, NULL, NULL));
    pieces.num = 4;
    pieces.work = NULL;
    assert_int_equal(tm_tasks_run(&pieces, NULL, NULL), TM_ERROR_USAGE);
}

TEST(large_ones_come_first)
{
    FREED struct pieces *work = fresh_pieces();
    tm_tasks pieces = pieces_of(work, MOST);
    pieces.memory = NULL;
    work->sizes[7] = (uint64_t)1 << 60;
    work->sizes[8] = ((uint64_t)1 << 33) + 5000000;
    work->sizes[9] = (uint64_t)1 << 33;
    work->sizes[10] = 0;
    must(tm_tasks_run(&pieces, NULL, NULL));
    for (uint32_t i = 1; i < MOST; i++)
        assert_true(work->sizes[work->order[i - 1]] >= work->sizes[work->order[i]]);
}

/* A large piece used to hold up the small ones that had room beside it. */
TEST(small_pieces_go_on_beside_a_large_one)
{
    FREED struct pieces *work = fresh_pieces();
    const tm_tasks pieces = pieces_of(work, 100);
    const tm_job job = job_on(true, 1000);
    for (uint32_t i = 0; i < 100; i++)
        work->sizes[i] = 10;
    work->sizes[0] = work->sizes[1] = work->sizes[2] = 900;
    work->slow_first = true;
    work->wait_for = 97; /* all but the three large ones */
    must(tm_tasks_run(&pieces, &job, NULL));
    assert_true(work->others >= 97);
    assert_true(work->most_in_use <= 1000);
}

/* Once the large piece is done, the others have room for all threads again. */
static tm_status meet_others(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    struct pieces *work = ctx;
    (void)worker, (void)stop, (void)error;
    if (index == 0) {
        usleep(20000);
        return TM_OK;
    }
    const unsigned now = atomic_fetch_add(&work->at_work, 1) + 1;
    unsigned most = atomic_load(&work->most_at_work);
    while (most < now && !atomic_compare_exchange_weak(&work->most_at_work, &most, now)) {
    }
    usleep(5000);
    atomic_fetch_sub(&work->at_work, 1);
    return TM_OK;
}

/* The thread that asked for all of it may wait for its own batch meanwhile. */
static tm_status run_pieces(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    FREED struct pieces *work = fresh_pieces();
    const tm_tasks pieces = {.size = sizeof(pieces), .ctx = work, .num = 41, .work = meet_others};
    const tm_job job = job_on(true, 1000);
    (void)ctx, (void)worker, (void)index, (void)stop;
    return tm_tasks_run(&pieces, &job, error) || work->most_at_work < TEST_THREADS - 1 ? TM_ERROR_USAGE
                                                                                       : TM_OK;
}

TEST(threads_come_back_after_a_large_piece)
{
    FREED struct pieces *work = fresh_pieces();
    tm_tasks pieces = pieces_of(work, 41);
    const tm_job job = job_on(true, 1000);
    pieces.work = meet_others;
    for (uint32_t i = 0; i < 41; i++)
        work->sizes[i] = 250;
    work->sizes[0] = 999;
    must(tm_tasks_run(&pieces, &job, NULL));
    assert_int_equal(work->most_at_work, TEST_THREADS);
    for (pieces.num = 0; pieces.num < TEST_THREADS; pieces.num++)
        work->sizes[pieces.num] = 999;
    pieces.work = run_pieces;
    must(tm_tasks_run(&pieces, &job, NULL));
}

TEST(the_lowest_failure_is_told)
{
    for (int i = 0; i < 40; i++) {
        FREED struct pieces *work = fresh_pieces();
        const tm_tasks pieces = pieces_of(work, MOST);
        const tm_job job = job_on(i & 1, i & 2 ? 1 : 0);
        tm_error error;
        work->fail_from = 13;
        work->fail_step = 50;
        assert_int_equal(tm_tasks_run(&pieces, &job, &error), TM_ERROR_DAMAGED);
        assert_int_equal(error.offset, 13);
        assert_string_equal(error.text, "piece 13");
        for (uint32_t k = 0; k < 13; k++)
            assert_int_equal(work->seen[k], 1);
        assert_int_equal(tm_tasks_run(&pieces, &job, NULL), TM_ERROR_DAMAGED);
    }
}

TEST(a_piece_can_stop_the_job)
{
    FREED struct pieces *work = fresh_pieces();
    tm_tasks pieces = pieces_of(work, MOST);
    pieces.weight = NULL;
    pieces.memory = NULL;
    work->stop_at = 9;
    must(tm_tasks_run(&pieces, NULL, NULL));
    assert_int_equal(work->num_begun, 10);
}

TEST(cancelling)
{
    FREED struct pieces *work = fresh_pieces();
    const tm_tasks pieces = pieces_of(work, MOST);
    tm_job job = job_on(false, 0);
    tm_error error;
    job.cancel = &work->cancel;
    work->cancel_at = 20;
    assert_int_equal(tm_tasks_run(&pieces, &job, &error), TM_ERROR_CANCELLED);
    assert_int_equal(error.code, TM_ERROR_CANCELLED);
    assert_int_equal(work->num_begun, 20);
}

TEST(progress_counts_weights)
{
    for (int i = 0; i < 4; i++) {
        FREED struct pieces *work = fresh_pieces();
        test_watch watch = {0};
        tm_tasks pieces = pieces_of(work, MOST);
        const tm_job job = test_job(i & 1, &watch);
        uint64_t total = MOST;
        if (i & 2)
            pieces.weight = NULL;
        for (uint32_t k = 0; !(i & 2) && k < MOST; k++)
            total += work->sizes[k] - 1;
        must(tm_tasks_run(&pieces, &job, NULL));
        assert_int_equal(watch.total, total);
        assert_int_equal(watch.last, total);
        assert_false(watch.wrong);
    }
}

struct own {
    atomic_flag busy;
    bool attached;
    long double aligned;
};

static atomic_uint num_attached, num_released;

static tm_status use_own(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    struct own *memory = worker;
    (void)ctx, (void)index, (void)stop, (void)error;
    assert_int_equal((uintptr_t)memory % _Alignof(struct own), 0);
    assert_false(atomic_flag_test_and_set(&memory->busy)); /* nobody else has it */
    if (!memory->attached)
        atomic_fetch_add(&num_attached, 1);
    memory->attached = true;
    atomic_flag_clear(&memory->busy);
    return TM_OK;
}

static void release_own(void *ctx, void *worker)
{
    struct own *memory = worker;
    (void)ctx;
    if (memory->attached)
        atomic_fetch_add(&num_released, 1);
    memory->attached = false;
}

TEST(workers_have_memory_of_their_own)
{
    for (int i = 0; i < 4; i++) {
        FREED struct pieces *work = fresh_pieces();
        OWN(test_memory) memory = TEST_MEMORY(memory);
        tm_tasks pieces = pieces_of(work, MOST);
        const tm_job job = job_on(i & 1, i & 2 ? 1000 : 0);
        pieces.allocator = &memory.allocator;
        pieces.work = use_own;
        pieces.worker_size = sizeof(struct own);
        pieces.worker_release = release_own;
        atomic_store(&num_attached, 0);
        atomic_store(&num_released, 0);
        must(tm_tasks_run(&pieces, &job, NULL));
        assert_int_equal(num_attached, num_released);
        if (i & 2) /* tight: nothing stays with a worker that does something else */
            assert_int_equal(num_attached, MOST);
        else
            assert_true(num_attached <= TEST_THREADS);
    }
}

TEST(without_memory)
{
    for (size_t nth = 1; nth <= 3; nth++) {
        FREED struct pieces *work = fresh_pieces();
        OWN(test_memory) memory = TEST_MEMORY(memory);
        tm_tasks pieces = pieces_of(work, MOST);
        memory.fail_at = nth;
        pieces.allocator = &memory.allocator;
        assert_int_equal(tm_tasks_run(&pieces, NULL, NULL), nth < 3 ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST_GROUP(test_jobs_begin, test_jobs_end)
