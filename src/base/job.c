/* SPDX-License-Identifier: Zlib */
/*
 * Limits, jobs, executors, cancelling: option structs with their defaults filled in, and running tasks
 * wherever the caller wants them run. Starts no threads of its own.
 */
#include "base.h"

/*
 * Copies an option struct of a caller who may have been compiled against a shorter one; its `size` says so.
 */
static void take_job_options(void *out, size_t out_size, const void *options, size_t options_size)
{
    memset(out, 0, out_size);
    if (options)
        memcpy(out, options, options_size && options_size < out_size ? options_size : out_size);
}

static void fill_limit(uint64_t *field, uint64_t standard)
{
    if (*field == 0)
        *field = standard;
}

tm_limits tmi_limits_filled(const tm_limits *limits)
{
    const uint64_t mebi = 1 << 20, gibi = 1 << 30;
    tm_limits filled;
    take_job_options(&filled, sizeof(filled), limits, limits ? limits->size : 0);
    filled.size = sizeof(filled);
    fill_limit(&filled.file_bytes, gibi);
    fill_limit(&filled.items, mebi);
    fill_limit(&filled.item_bytes, 256 * mebi);
    fill_limit(&filled.blocks, mebi);
    fill_limit(&filled.block_bytes, gibi);
    fill_limit(&filled.unpacked_bytes, 2 * gibi);
    fill_limit(&filled.findings, 1000);
    return filled;
}

tm_job tmi_job_filled(const tm_job *job)
{
    tm_job filled;
    take_job_options(&filled, sizeof(filled), job, job ? job->size : 0);
    filled.size = sizeof(filled);
    fill_limit(&filled.memory_budget, (uint64_t)1 << 30);
    return filled;
}

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
    __atomic_store_n(&cancel->requested, 1, __ATOMIC_RELAXED);
}

bool tmi_cancelled(const tm_cancel *cancel)
{
    return cancel && __atomic_load_n(&cancel->requested, __ATOMIC_RELAXED) != 0;
}
