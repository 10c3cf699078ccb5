/* SPDX-License-Identifier: Zlib */
/*
 * Executors and cancelling: running tasks wherever the caller wants them run. Starts no threads of its own.
 */
#include "base.h"

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
