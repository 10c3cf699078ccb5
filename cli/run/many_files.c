/* SPDX-License-Identifier: Zlib */
/*
 * many_files.c - runs the work on many files, several at once within one budget of memory, and prints what
 * each says in the order of the files.
 */
#include "tool.h"

#include "files.h"

/* By the cost of files these are put in order, and share one budget of memory. */
typedef struct file_cost {
    uint64_t weight; /* bytes of the file */
    uint64_t memory; /* bytes, at least the share of each file */
} file_cost;

/* Deflate unpacks a byte to at most so many, so the size of most files alone shows that they are cheap. */
enum { MAX_RATIO = 1032 };

static uint64_t announced_bytes(const tm_datafile *datafile, file_needs needs)
{
    uint64_t largest = 0, all = 0;
    tm_datafile_data data;
    for (uint32_t i = 0; tm_datafile_get_data(&data, datafile, i); i++) {
        largest = data.size > largest ? data.size : largest;
        all += data.size;
    }
    return needs == FILE_NEEDS_ALL ? all : 2 * largest;
}

/*
 * What work on a file will take, from its size and its head alone; `share` is what each file may use without
 * being asked. What cannot be read costs nothing here: the work itself will say what is wrong with it.
 */
static file_cost file_cost_of(const char *path, file_needs needs, uint64_t share)
{
    file_cost cost = {0, share};
    tm_input input;
    tm_datafile *datafile;
    /* Only of a file on the disk: what comes from a pipe is gone once it is read. */
    if (needs == FILE_NEEDS_HEAD || strcmp(path, "-") == 0 || tm_sys_kind_of(path) != TM_SYS_FILE ||
        tm_sys_open_input(&input, path, 0, NULL, NULL))
        return cost;
    cost.weight = input.size;
    if (input.size <= share / MAX_RATIO) {
        input.close(input.ctx);
        return cost;
    }
    const tm_datafile_options options = {.size = sizeof(options), .mode = TM_MODE_SALVAGE};
    if (tm_datafile_open(&datafile, input, &options, NULL, NULL))
        return cost;
    const uint64_t bytes = announced_bytes(datafile, needs);
    cost.memory = bytes > share ? bytes : share;
    tm_datafile_close(datafile);
    return cost;
}

/*
 * What is known of one file: written by the thread that works on it until `done` is set, read by the one that
 * prints after it.
 */
typedef struct slot {
    text out, err;
    cli_report report;
    atomic_bool done;
    file_cost cost;
    struct batch *batch;
    atomic_uint part; /* thousandths of what is being done with the file */
} slot;

typedef struct batch {
    cli_tool *tool;
    size_t num;
    const char *const *paths;
    file_work work;
    void *ctx;
    slot *slots;
    size_t printed;  /* guarded by `printing`, */
    bool any_result; /* and so is this: a slot with results was printed */
    atomic_size_t finished;
    atomic_flag printing; /* who has it prints everything that is due; nobody waits for it */
} batch;

static void print_slot(batch *b, slot *s)
{
    cli_tool *tool = b->tool;
    progress_clear(&tool->progress);
    text_put(&tool->out, "\n", s->out.size && b->any_result && tool->blank_lines ? 1 : 0);
    text_put(&tool->out, s->out.bytes, s->out.size);
    b->any_result |= s->out.size > 0;
    text_flush(&tool->out); /* a failure is reported at the end: what else the work is for is still done */
    tool_print(tool, &s->err);
    raise_status(&tool->status, s->report.status);
    text_release(&s->out);
    text_release(&s->err);
}

/*
 * Shows how many files are done, how far those in progress are, and the first of these: if each file takes
 * minutes, the number of files alone would stand still.
 */
static void show_batch(batch *b)
{
    progress *line = &b->tool->progress;
    const char *first = NULL;
    unsigned all = 0, at_work = 0;
    if (!progress_is_due(line))
        return;
    for (size_t i = b->printed; i < b->num; i++) {
        const unsigned part = atomic_load(&b->slots[i].part);
        if (part && !atomic_load(&b->slots[i].done)) {
            all += part;
            at_work++;
            first = first ? first : path_name(b->paths[i]);
        }
    }
    line->more[0] = '\0';
    line->subject = first;
    if (at_work)
        snprintf(line->more, sizeof(line->more), ", %u in progress (%u %%)", at_work, all / at_work / 10);
    progress_show(line, atomic_load(&b->finished), b->num);
}

/*
 * Prints the finished slots in the order of the files. If another thread is printing, it prints this thread's
 * slot, too: it looks again before it leaves.
 */
static void print_due(batch *b)
{
    bool more = true;
    while (more && !atomic_flag_test_and_set(&b->printing)) {
        while (b->printed < b->num && atomic_load(&b->slots[b->printed].done)) {
            print_slot(b, &b->slots[b->printed]);
            b->printed++;
        }
        show_batch(b);
        size_t next = b->printed;
        atomic_flag_clear(&b->printing);
        more = next < b->num && atomic_load(&b->slots[next].done);
    }
}

static uint64_t weight_of_file(void *ctx, uint32_t index)
{
    return ((const batch *)ctx)->slots[index].cost.weight;
}

static uint64_t memory_of_file(void *ctx, uint32_t index)
{
    return ((const batch *)ctx)->slots[index].cost.memory;
}

static void on_part(void *ctx, uint64_t done, uint64_t total)
{
    slot *s = ctx;
    atomic_store(&s->part, total ? (unsigned)((double)done / (double)total * 999) + 1 : 1);
    print_due(s->batch);
}

/* The job of one file among many. Threads that have no file left help with the files in progress. */
static tm_job job_of_file(batch *b, uint32_t index)
{
    tm_job job = TM_JOB_INIT;
    job.executor = b->tool->threads ? tm_sys_threads_executor(b->tool->threads) : NULL;
    job.memory_budget = b->slots[index].cost.memory;
    if (b->tool->progress.wanted) {
        b->slots[index].batch = b;
        job.progress = on_part;
        job.progress_ctx = &b->slots[index];
    }
    return job;
}

static tm_status work_on(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    batch *b = ctx;
    slot *s = &b->slots[index];
    const tm_job job = job_of_file(b, index);
    (void)worker;
    (void)stop;
    (void)error;
    s->out.color = b->tool->out.color;
    s->out.columns = b->tool->out.columns;
    s->err.color = b->tool->color_err;
    s->report = (cli_report){b->tool, index, b->paths[index], &job, &s->out, &s->err, STATUS_DONE, false};
    b->work(b->ctx, &s->report);
    atomic_fetch_add(&b->finished, 1);
    atomic_store(&s->done, true);
    print_due(b);
    return TM_OK;
}

/*
 * The memory for drawing a map: half more than it announces, as images are prepared, at most the limit, which
 * the work keeps to. A cost below the share, which each thread has anyway, counts as it is.
 */
static uint64_t cost_within(uint64_t cost, uint64_t share, uint64_t limit)
{
    const uint64_t all = cost > share ? cost + cost / 2 : cost;
    return all < limit ? all : limit;
}

static void work_side_by_side(batch *b)
{
    const uint64_t limit = b->tool->memory, budget = limit ? limit : (uint64_t)1 << 30;
    tm_job job = TM_JOB_INIT;
    tm_tasks pieces = TM_TASKS_INIT;
    job.executor = b->tool->threads ? tm_sys_threads_executor(b->tool->threads) : NULL;
    job.memory_budget = budget;
    pieces.ctx = b;
    pieces.num = (uint32_t)b->num; /* more paths do not fit in memory */
    pieces.work = work_on;
    pieces.weight = weight_of_file;
    pieces.memory = memory_of_file;
    const uint64_t share = budget / (job.executor ? job.executor->threads : 1);
    for (size_t i = 0; i < b->num; i++)
        b->slots[i].cost = file_cost_of(b->paths[i], b->tool->needs, share);
    for (size_t i = 0; limit && i < b->num; i++)
        b->slots[i].cost.memory = cost_within(b->slots[i].cost.memory, share, limit);
    if (tm_tasks_run(&pieces, &job, NULL))
        out_of_memory(); /* the pieces themselves do not fail */
}

static void on_bytes(void *ctx, uint64_t done, uint64_t total)
{
    progress_show(ctx, done, total);
}

static void work_alone(cli_tool *tool, const char *path, file_work work, void *ctx)
{
    text err = {.color = tool->color_err};
    tm_job job = TM_JOB_INIT;
    cli_report report = {tool, 0, path, &job, &tool->out, &err, STATUS_DONE, false};
    job.executor = tool->threads ? tm_sys_threads_executor(tool->threads) : NULL;
    if (tool->memory)
        job.memory_budget = tool->memory;
    job.progress = on_bytes;
    job.progress_ctx = &tool->progress;
    work(ctx, &report);
    progress_clear(&tool->progress);
    text_flush(&tool->out);
    tool_print(tool, &err);
    raise_status(&tool->status, report.status);
    text_release(&err);
}

static void start_threads(cli_tool *tool, size_t useful)
{
    uint32_t threads = tool->common->threads ? tool->common->threads : tm_sys_processors();
    /* More threads than files have something to do only where the work on one file has pieces. */
    if (tool->needs == FILE_NEEDS_HEAD && useful > 1 && useful < threads)
        threads = (uint32_t)useful;
    tm_error error = {0};
    if (threads > 1 && tm_sys_threads_new(&tool->threads, threads, NULL, &error))
        tool->threads = NULL; /* slower, but it works */
}

void tool_each(cli_tool *tool, const char *const *paths, size_t num, file_work work, void *ctx)
{
    if (num == 0)
        return;
    start_threads(tool, num);
    progress_begin(&tool->progress, !tool->common->quiet, tool->command->name,
                   num == 1 ? path_name(paths[0]) : NULL,
                   num == 1                 ? tool->unit
                   : tool->command->endings ? "files"
                                            : "maps");
    if (num == 1) {
        work_alone(tool, paths[0], work, ctx);
        return;
    }
    batch b = {.tool = tool,
               .num = num,
               .paths = paths,
               .work = work,
               .ctx = ctx,
               .slots = must_alloc(num, sizeof(slot)),
               .printing = ATOMIC_FLAG_INIT};
    work_side_by_side(&b);
    progress_clear(&tool->progress);
    free(b.slots);
}
