/* SPDX-License-Identifier: Zlib */
/*
 * run_tasks.c - many tasks of one job: order, memory budget, progress, cancellation, and errors that do not
 * depend on timing. It does not know the tasks' work.
 *
 * Order: tasks are sorted by memory class (the number of bits), then by weight, both descending. Each class
 * is a queue with an atomic head. A worker takes the head of the first queue whose task fits into the
 * remaining budget, so a large task that must wait does not block small ones.
 *
 * A worker that finds no fitting task exits: this room has no system lock to wait on. The last worker never
 * exits for lack of memory, since a single task always fits. If it is alone and two tasks would fit again, it
 * ends the round, and all workers start again.
 *
 * Workers share atomic variables. A flag guards progress reports; a worker that finds it taken leaves its
 * units for the next report.
 */
#include "base.h"

#include <teemap/jobs.h>

#include <stdatomic.h>

enum {
    MAX_WORKERS = 256,
    NUM_CLASSES = 33,  /* bits of a piece's memory, everything above 32 bits in one */
    WEIGHT_BITS = 26,  /* of the key by which pieces are sorted: */
    MANTISSA_BITS = 20 /* a weight without its lowest bits, a relative error of a millionth */
};
#define NO_INDEX UINT32_MAX

typedef struct piece_worker {
    tm_status status; /* of the failure with the lowest number, */
    uint32_t failed_index;
    tm_error error;
    uint64_t unreported; /* weight that is done, and not in pieces_run.done yet */
    void *own;           /* the caller's */
} piece_worker;

/* Pieces of one class of memory: positions in pieces_run.order. */
typedef struct piece_queue {
    atomic_uint next;
    uint32_t end;
} piece_queue;

typedef struct pieces_run {
    const tm_tasks *pieces;
    const tm_job *job;
    uint64_t *order;  /* sort keys; the low half is the position in the caller's list */
    uint64_t *memory; /* by that position; asked for once, as work may change what it depends on */
    piece_queue queues[NUM_CLASSES];
    bool tight;                /* not all workers can have the largest piece at once */
    atomic_ullong used;        /* memory of the pieces at work, against the job's budget */
    atomic_uint working;       /* workers in this round */
    atomic_uint gone;          /* workers that left this round because nothing fitted */
    atomic_uint lowest_failed; /* number of a piece; those above it need not be done any more */
    atomic_bool stopped;
    atomic_flag reporting; /* guards done */
    uint64_t done, total;  /* weight */
    piece_worker *workers;
    uint32_t num_workers;
} pieces_run;

/* ------------------------------------------------------------------------------------------------- pieces */

static uint32_t piece_index(const tm_tasks *pieces, uint32_t position)
{
    return pieces->indices ? pieces->indices[position] : position;
}

static uint64_t piece_weight(const tm_tasks *pieces, uint32_t index)
{
    return pieces->weight ? pieces->weight(pieces->ctx, index) : 1;
}

/* --------------------------------------------------------------------------------------------- the order */

static uint32_t bits_of(uint64_t number)
{
    return number ? tmi_highest_bit(number) + 1 : 0;
}

/* A weight in WEIGHT_BITS bits that keep the order: the number of its bits, then the highest of them. */
static uint64_t short_weight(uint64_t weight)
{
    const uint32_t bits = bits_of(weight);
    if (bits <= MANTISSA_BITS)
        return weight;
    const uint64_t mantissa = weight >> (bits - MANTISSA_BITS - 1) & (((uint64_t)1 << MANTISSA_BITS) - 1);
    return (uint64_t)(bits - MANTISSA_BITS) << MANTISSA_BITS | mantissa;
}

static void sort_pieces(pieces_run *run)
{
    const tm_tasks *pieces = run->pieces;
    const uint64_t heaviest = ((uint64_t)1 << WEIGHT_BITS) - 1;
    uint64_t largest = 0;
    uint32_t counts[NUM_CLASSES] = {0}, end = 0;
    for (uint32_t i = 0; i < pieces->num; i++) {
        const uint32_t index = piece_index(pieces, i);
        const uint64_t memory = pieces->memory ? pieces->memory(pieces->ctx, index) : 0;
        const uint64_t weight = piece_weight(pieces, index);
        run->memory[i] = memory;
        const uint32_t bits = bits_of(memory), class = bits < NUM_CLASSES ? bits : NUM_CLASSES - 1;
        run->order[i] =
            ((uint64_t)(NUM_CLASSES - 1 - class) << WEIGHT_BITS | (heaviest - short_weight(weight))) << 32 |
            i;
        run->total += weight;
        largest = memory > largest ? memory : largest;
        counts[class]++;
    }
    tmi_sort_u64(run->order, pieces->num);
    for (uint32_t c = NUM_CLASSES; c-- > 0; end += counts[c]) {
        atomic_init(&run->queues[c].next, end);
        run->queues[c].end = end + counts[c];
    }
    run->tight = largest > run->job->memory_budget / run->num_workers;
}

/* ----------------------------------------------------------------------------------------------- taking */

static bool fits(const pieces_run *run, uint64_t used, uint64_t memory)
{
    const uint64_t budget = run->job->memory_budget;
    return used == 0 || (memory <= budget && used <= budget - memory);
}

/* The head of a queue; false if the queue is empty. */
static bool queue_head(pieces_run *run, uint32_t class, unsigned *position, uint32_t *index, uint64_t *memory)
{
    *position = atomic_load(&run->queues[class].next);
    if (*position >= run->queues[class].end)
        return false;
    const uint32_t at = (uint32_t)run->order[*position];
    *index = piece_index(run->pieces, at);
    *memory = run->memory[at];
    return true;
}

typedef enum take_result { TOOK_PIECE, TOOK_NOTHING, TAKE_AGAIN } take_result;

/* Takes the first piece that fits beside `used`. TAKE_AGAIN: another worker came between. */
static take_result try_to_take(pieces_run *run, unsigned long long used, uint32_t *index, uint64_t *memory,
                               bool *any_left)
{
    unsigned position;
    *any_left = false;
    for (uint32_t c = NUM_CLASSES; c-- > 0;) {
        if (!queue_head(run, c, &position, index, memory))
            continue;
        *any_left = true;
        if (!fits(run, used, *memory))
            continue;
        if (!atomic_compare_exchange_strong(&run->used, &used, used + *memory))
            return TAKE_AGAIN;
        if (atomic_compare_exchange_strong(&run->queues[c].next, &position, position + 1))
            return TOOK_PIECE;
        atomic_fetch_sub(&run->used, *memory);
        return TAKE_AGAIN;
    }
    return TOOK_NOTHING;
}

static bool take_piece(pieces_run *run, uint32_t *index, uint64_t *memory)
{
    take_result result;
    bool any_left;
    do
        result = try_to_take(run, atomic_load(&run->used), index, memory, &any_left);
    while (result == TAKE_AGAIN);
    if (result == TOOK_NOTHING && any_left)
        atomic_fetch_add(&run->gone, 1);
    return result == TOOK_PIECE;
}

/* Whether a worker that is alone had better start a new round, as there would be work for two. */
static bool round_is_over(pieces_run *run)
{
    uint32_t index, num_found = 0;
    unsigned position;
    uint64_t memory, used = 0;
    if (atomic_load(&run->gone) == 0 || atomic_load(&run->working) > 1)
        return false;
    for (uint32_t c = NUM_CLASSES; c-- > 0;) {
        if (!queue_head(run, c, &position, &index, &memory) || !fits(run, used, memory))
            continue;
        used += memory;
        num_found++;
        if (run->queues[c].end - position > 1 && fits(run, used, memory)) /* the next one is much the same */
            num_found++;
    }
    return num_found > 1;
}

/* ------------------------------------------------------------------------------------------------ workers */

static void report_weight(pieces_run *run, piece_worker *worker, uint64_t weight)
{
    worker->unreported += weight;
    if (!run->job->progress || atomic_flag_test_and_set(&run->reporting))
        return;
    run->done += worker->unreported;
    worker->unreported = 0;
    run->job->progress(run->job->progress_ctx, run->done, run->total);
    atomic_flag_clear(&run->reporting);
}

static void note_failure(pieces_run *run, piece_worker *worker, uint32_t index, tm_status status,
                         const tm_error *error)
{
    if (worker->status == TM_OK || index < worker->failed_index) {
        worker->status = status;
        worker->failed_index = index;
        worker->error = *error;
    }
    unsigned lowest = atomic_load(&run->lowest_failed);
    while (index < lowest && !atomic_compare_exchange_weak(&run->lowest_failed, &lowest, index)) {
    }
}

static void release_worker(const pieces_run *run, piece_worker *worker)
{
    if (run->pieces->worker_release)
        run->pieces->worker_release(run->pieces->ctx, worker->own);
}

static void do_piece(pieces_run *run, piece_worker *worker, uint32_t index)
{
    const tm_tasks *pieces = run->pieces;
    tm_error error;
    bool stop = false;
    tmi_error_blank(&error);
    const tm_status status = pieces->work(pieces->ctx, worker->own, index, &stop, &error);
    if (status != TM_OK)
        note_failure(run, worker, index, status, &error);
    if (stop)
        atomic_store(&run->stopped, true);
    report_weight(run, worker, piece_weight(pieces, index));
}

static bool asked_to_stop(pieces_run *run)
{
    return atomic_load(&run->stopped) || tmi_cancelled(run->job->cancel);
}

/* What one worker does in a round. */
static void work_off(void *arg, uint32_t which)
{
    pieces_run *run = arg;
    piece_worker *worker = &run->workers[which];
    uint32_t index;
    uint64_t memory;
    atomic_fetch_add(&run->working, 1);
    while (!asked_to_stop(run) && !round_is_over(run) && take_piece(run, &index, &memory)) {
        if (index < atomic_load(&run->lowest_failed))
            do_piece(run, worker, index);
        if (run->tight)
            release_worker(run, worker); /* what it holds is counted only while it works */
        atomic_fetch_sub(&run->used, memory);
    }
    atomic_fetch_sub(&run->working, 1);
}

static bool any_left(pieces_run *run)
{
    for (uint32_t c = 0; c < NUM_CLASSES; c++)
        if (atomic_load(&run->queues[c].next) < run->queues[c].end)
            return true;
    return false;
}

/* What the run as a whole came to. */
static tm_status conclude_run(pieces_run *run, tm_error *error)
{
    const piece_worker *worst = NULL;
    for (uint32_t i = 0; i < run->num_workers; i++) {
        const piece_worker *worker = &run->workers[i];
        if (worker->status != TM_OK && (!worst || worker->failed_index < worst->failed_index))
            worst = worker;
    }
    if (worst && error)
        *error = worst->error;
    if (worst)
        return worst->status;
    if (tmi_cancelled(run->job->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    if (run->job->progress && run->done < run->total)
        run->job->progress(run->job->progress_ctx, run->total, run->total);
    return TM_OK;
}

static tm_status run_rounds(pieces_run *run, uint8_t *own, size_t own_size, tm_error *error)
{
    for (uint32_t i = 0; i < run->num_workers; i++)
        run->workers[i].own = own + i * own_size;
    sort_pieces(run);
    while (any_left(run) && !asked_to_stop(run)) {
        atomic_store(&run->gone, 0);
        tmi_run(run->job->executor, run->num_workers, work_off, run);
    }
    for (uint32_t i = 0; i < run->num_workers; i++)
        release_worker(run, &run->workers[i]);
    return conclude_run(run, error);
}

tm_status tm_tasks_run(const tm_tasks *pieces, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(pieces, "pieces", error));
    const size_t alignment = _Alignof(max_align_t);
    tm_job filled;
    tm_tasks own;
    TM_TRY(tmi_job_take(&filled, job, error));
    TM_TRY(tmi_options_take(&own, sizeof(own), pieces, "tm_tasks", error));
    if (!own.work)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "tm_tasks.work is NULL");
    if (own.num == 0)
        return TM_OK;
    const uint32_t threads = filled.executor && filled.executor->threads > 1 ? filled.executor->threads : 1;
    const uint32_t most = threads < MAX_WORKERS ? threads : MAX_WORKERS;
    pieces_run run = {.pieces = &own, .job = &filled, .num_workers = most < own.num ? most : own.num};
    atomic_init(&run.used, 0);
    atomic_init(&run.working, 0);
    atomic_init(&run.gone, 0);
    atomic_init(&run.lowest_failed, NO_INDEX);
    atomic_init(&run.stopped, false);
    atomic_flag_clear(&run.reporting);
    const size_t own_size = (own.worker_size + alignment - 1) / alignment * alignment;
    uint8_t *memory = tmi_calloc(own.allocator, run.num_workers, own_size);
    run.order = tmi_alloc(own.allocator, own.num, 2 * sizeof(*run.order));
    run.memory = run.order ? run.order + own.num : NULL;
    run.workers = tmi_calloc(own.allocator, run.num_workers, sizeof(*run.workers));
    tm_status status;
    if (memory && run.order && run.workers)
        status = run_rounds(&run, memory, own_size, error);
    else
        status =
            tmi_fail_memory(error, (uint64_t)own.num * 2 * sizeof(*run.order), "the order of a job's pieces");
    tmi_free(own.allocator, run.workers, run.num_workers, sizeof(*run.workers));
    tmi_free(own.allocator, run.order, own.num, 2 * sizeof(*run.order));
    tmi_free(own.allocator, memory, run.num_workers, own_size);
    return status;
}

/* --------------------------------------------------------------------------------- running and cancelling */

void tmi_run(const tm_executor *executor, uint32_t num_tasks, void (*task)(void *arg, uint32_t index),
             void *arg)
{
    if (executor && executor->threads > 1 && num_tasks > 1) {
        executor->run(executor->ctx, num_tasks, task, arg);
        return;
    }
    for (uint32_t i = 0; i < num_tasks; i++)
        task(arg, i);
}

/* Relaxed is enough: the flag orders nothing, it is only to be seen some time soon. */
void tm_cancel_request(tm_cancel *cancel)
{
    if (cancel)
        __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELAXED);
}

bool tmi_cancelled(const tm_cancel *cancel)
{
    return cancel && __atomic_load_n(&cancel->requested, __ATOMIC_RELAXED) != 0;
}
