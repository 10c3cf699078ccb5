/* SPDX-License-Identifier: Zlib */
/*
 * run_tasks.c - many tasks of one job: order, memory budget, progress, cancellation, and errors that do not
 * depend on timing. It does not know the tasks' work.
 *
 * Order: tasks are sorted by memory class (the number of bits), then by weight, both descending. Each class
 * is a queue. A worker takes the head of the first queue whose task fits into the remaining budget, so a
 * large task that must wait does not block small ones. A worker that finds no fitting task leaves, since
 * tasks may run others on the same threads. A single task always fits, so the last worker stays; if it is
 * alone and two tasks would fit again, it ends the round, and all workers start again.
 */
#include "base.h"

#include <teemap/jobs.h>

enum {
    MAX_WORKERS = 256,
    NUM_CLASSES = 33,  /* bits of a task's memory, everything above 32 bits in one */
    WEIGHT_BITS = 26,  /* of the key by which tasks are sorted: */
    MANTISSA_BITS = 20 /* a weight without its lowest bits, a relative error of a millionth */
};

/* Tasks of one class of memory: positions in tasks_run.order. */
typedef struct task_queue {
    uint32_t next, end;
} task_queue;

typedef struct tasks_run {
    const tm_tasks *tasks;
    const tm_job *job;
    uint64_t *order;  /* sort keys; the low half is the position in the caller's list */
    uint64_t *memory; /* by that position; asked for once, as work may change what it depends on */
    uint32_t num_workers;
    uint8_t *workers_memory; /* the workers' memory, of `own_size` bytes each */
    size_t own_size;
    bool tight;     /* not all workers can have the largest task at once */
    uint64_t total; /* weight */
    /* The lock guards what follows. */
    tmi_mutex lock;
    task_queue queues[NUM_CLASSES];
    uint64_t used;    /* memory of the tasks at work, against the job's budget */
    uint32_t working; /* workers in this round */
    bool gone;        /* a worker has left it */
    uint64_t done, reported;
    bool reporting, stopped;
    tm_status status; /* of the failure with the lowest number, */
    uint32_t failed;  /* which is this; tasks above it need not be done any more */
    tm_error error;
} tasks_run;

static uint32_t task_index(const tm_tasks *tasks, uint32_t position)
{
    return tasks->indices ? tasks->indices[position] : position;
}

static uint64_t task_weight(const tm_tasks *tasks, uint32_t index)
{
    return tasks->weight ? tasks->weight(tasks->ctx, index) : 1;
}

/* --------------------------------------------------------------------------------------------- the order */

static uint32_t bits_of(uint64_t number)
{
    return number ? tmi_highest_bit(number) + 1 : 0;
}

static void sort_tasks(tasks_run *run)
{
    const tm_tasks *tasks = run->tasks;
    const uint64_t heaviest = ((uint64_t)1 << WEIGHT_BITS) - 1;
    uint64_t largest = 0;
    uint32_t counts[NUM_CLASSES] = {0}, end = 0;
    for (uint32_t i = 0; i < tasks->num; i++) {
        const uint32_t index = task_index(tasks, i);
        const uint64_t memory = tasks->memory ? tasks->memory(tasks->ctx, index) : 0;
        const uint64_t weight = task_weight(tasks, index);
        run->memory[i] = memory;
        const uint32_t bits = bits_of(memory), class = bits < NUM_CLASSES ? bits : NUM_CLASSES - 1;
        /* the weight in WEIGHT_BITS bits that keep the order: the number of its bits, the highest of them */
        const uint32_t weight_bits = bits_of(weight), cut = weight_bits - MANTISSA_BITS;
        uint64_t rank = weight;
        if (weight_bits > MANTISSA_BITS)
            rank =
                (uint64_t)cut << MANTISSA_BITS | (weight >> (cut - 1) & (((uint64_t)1 << MANTISSA_BITS) - 1));
        run->order[i] = ((uint64_t)(NUM_CLASSES - 1 - class) << WEIGHT_BITS | (heaviest - rank)) << 32 | i;
        run->total += weight;
        largest = memory > largest ? memory : largest;
        counts[class]++;
    }
    tmi_sort_u64(run->order, tasks->num);
    for (uint32_t c = NUM_CLASSES; c-- > 0; end += counts[c])
        run->queues[c] = (task_queue){end, end + counts[c]};
    run->tight = largest > run->job->memory_budget / run->num_workers;
}

/* ------------------------------------------------------------------------------------------------ workers */

/* The memory of the task at the head of a queue. */
static uint64_t head_memory(const tasks_run *run, const task_queue *queue)
{
    return run->memory[(uint32_t)run->order[queue->next]];
}

/* The first queue whose head fits beside `used`; NULL: none. *left: there are tasks. Called with the lock. */
static task_queue *find_queue(tasks_run *run, uint64_t used, bool *left)
{
    const uint64_t budget = run->job->memory_budget;
    *left = false;
    for (uint32_t c = NUM_CLASSES; c-- > 0;) {
        task_queue *queue = &run->queues[c];
        while (queue->next < queue->end &&
               task_index(run->tasks, (uint32_t)run->order[queue->next]) >= run->failed)
            queue->next++;
        if (queue->next == queue->end)
            continue;
        *left = true;
        const uint64_t memory = head_memory(run, queue);
        if (!used || (memory <= budget && used <= budget - memory))
            return queue;
    }
    return NULL;
}

/* False: the worker has no more to do in this round. */
static bool take_task(tasks_run *run, uint32_t *index, uint64_t *memory)
{
    bool left;
    task_queue *queue = NULL;
    tmi_lock(&run->lock);
    if (!run->stopped && !tmi_cancelled(run->job->cancel))
        queue = find_queue(run, run->used, &left);
    if (queue && run->gone && run->working == 1) { /* leaves if another task would fit beside the head */
        const uint64_t used = head_memory(run, queue);
        const uint32_t head = queue->next++;
        const bool two = find_queue(run, used, &left);
        queue->next = head;
        queue = two ? NULL : queue;
    }
    if (queue) {
        *memory = head_memory(run, queue);
        *index = task_index(run->tasks, (uint32_t)run->order[queue->next++]);
        run->used += *memory;
    } else {
        run->gone = true;
        run->working--;
    }
    tmi_unlock(&run->lock);
    return queue;
}

static void release_worker(const tasks_run *run, void *worker_memory)
{
    if (run->tasks->worker_release)
        run->tasks->worker_release(run->tasks->ctx, worker_memory);
}

/* The loop of one worker: takes tasks and does them until none is left. */
static void work_off(void *arg, uint32_t which)
{
    tasks_run *run = arg;
    const tm_tasks *tasks = run->tasks;
    void *worker_memory = run->workers_memory + which * run->own_size;
    uint32_t index = 0;
    uint64_t memory = 0;
    tmi_lock(&run->lock);
    run->working++;
    tmi_unlock(&run->lock);
    while (take_task(run, &index, &memory)) {
        tm_error error;
        bool stop = false;
        tmi_error_blank(&error);
        const tm_status status = tasks->work(tasks->ctx, worker_memory, index, &stop, &error);
        const uint64_t weight = task_weight(tasks, index);
        if (run->tight)
            release_worker(run, worker_memory); /* what it holds is counted only while it works */
        tmi_lock(&run->lock);
        if (status != TM_OK && (run->status == TM_OK || index < run->failed)) {
            run->status = status;
            run->failed = index;
            run->error = error;
        }
        run->stopped |= stop;
        run->used -= memory;
        run->done += weight;
        if (run->job->progress && !run->reporting) { /* one report at a time; the callback has no lock */
            run->reporting = true;
            const uint64_t done = run->reported = run->done;
            tmi_unlock(&run->lock);
            run->job->progress(run->job->progress_ctx, done, run->total);
            tmi_lock(&run->lock);
            run->reporting = false;
        }
        tmi_unlock(&run->lock);
    }
}

static tm_status run_all(tasks_run *run, tm_error *error)
{
    sort_tasks(run);
    for (bool left = true; left && !run->stopped && !tmi_cancelled(run->job->cancel);) {
        run->gone = false;
        tmi_run(run->job->executor, run->num_workers, work_off, run);
        (void)find_queue(run, 0, &left);
    }
    for (uint32_t i = 0; i < run->num_workers; i++)
        release_worker(run, run->workers_memory + i * run->own_size);
    if (run->status && error)
        *error = run->error;
    if (run->status)
        return run->status;
    if (tmi_cancelled(run->job->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    if (run->job->progress && run->reported < run->total)
        run->job->progress(run->job->progress_ctx, run->total, run->total);
    return TM_OK;
}

tm_status tm_tasks_run(const tm_tasks *tasks, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(tasks, "pieces", error));
    const size_t alignment = _Alignof(max_align_t);
    tm_job filled;
    tm_tasks local_tasks;
    TM_TRY(tmi_job_take(&filled, job, error));
    TM_TRY(tmi_options_take(&local_tasks, sizeof(local_tasks), tasks, "tm_tasks", error));
    if (!local_tasks.work)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "tm_tasks.work is NULL");
    if (local_tasks.num == 0)
        return TM_OK;
    const uint32_t threads = filled.executor && filled.executor->threads > 1 ? filled.executor->threads : 1;
    const uint32_t most = threads < MAX_WORKERS ? threads : MAX_WORKERS;
    tasks_run run = {.tasks = &local_tasks,
                     .job = &filled,
                     .num_workers = most < local_tasks.num ? most : local_tasks.num,
                     .own_size = (local_tasks.worker_size + alignment - 1) / alignment * alignment,
                     .failed = UINT32_MAX};
    run.workers_memory = tmi_calloc(local_tasks.allocator, run.num_workers, run.own_size);
    run.order = tmi_alloc(local_tasks.allocator, local_tasks.num, 2 * sizeof(*run.order));
    run.memory = run.order ? run.order + local_tasks.num : NULL;
    tm_status status = TM_ERROR_MEMORY;
    if (!run.workers_memory || !run.order)
        tmi_fail_memory(error, (uint64_t)local_tasks.num * 2 * sizeof(*run.order),
                        "the order of a job's pieces");
    else if (tmi_lock_init(&run.lock) != 0)
        tmi_fail(error, status, -1, "cannot make a lock for the tasks");
    else {
        status = run_all(&run, error);
        tmi_lock_release(&run.lock);
    }
    tmi_free(local_tasks.allocator, run.order, local_tasks.num, 2 * sizeof(*run.order));
    tmi_free(local_tasks.allocator, run.workers_memory, run.num_workers, run.own_size);
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

/* Sets the flag. Relaxed order is enough: no other memory depends on it. */
void tm_cancel_request(tm_cancel *cancel)
{
    if (cancel)
        __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELAXED);
}

bool tmi_cancelled(const tm_cancel *cancel)
{
    return cancel && (__atomic_load_n(&cancel->requested, __ATOMIC_RELAXED) != 0 ||
                      (cancel->ask && cancel->ask(cancel->ask_ctx)));
}
