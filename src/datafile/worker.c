/* SPDX-License-Identifier: Zlib */
/*
 * worker.c - the tools of one thread for blocks: an inflater, a deflater and working memory, created on first
 * use. An idle worker waits in an atomic slot of the datafile, so that consecutive calls share it.
 */
#include "datafile.h"

/* Working memory that a spare worker may keep between calls. */
#define SPARE_CAPACITY ((size_t)1 << 20)

/* -------------------------------------------------------------------------------------------------- parts */

tmi_inflater *tmi_worker_inflater(tmi_worker *worker, tm_error *error)
{
    if (!worker->inflater)
        worker->inflater = tmi_inflater_new(worker->allocator);
    if (!worker->inflater)
        tmi_fail_memory(error, 0, "an inflater");
    return worker->inflater;
}

tmi_deflater *tmi_worker_deflater(tmi_worker *worker, int level, tm_error *error)
{
    if (worker->deflater && worker->level != level) {
        tmi_deflater_free(worker->deflater);
        worker->deflater = NULL;
    }
    if (!worker->deflater)
        worker->deflater = tmi_deflater_new(level);
    if (!worker->deflater)
        tmi_fail_memory(error, 0, "a deflater");
    worker->level = level;
    return worker->deflater;
}

uint8_t *tmi_worker_scratch(tmi_worker *worker, uint64_t size, tm_error *error)
{
    if (worker->scratch && size <= worker->capacity)
        return worker->scratch;
    if (worker->scratch)
        tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
    worker->capacity = 0;
    worker->scratch = size < SIZE_MAX ? tmi_alloc(worker->allocator, (size_t)size, 1) : NULL;
    if (!worker->scratch)
        tmi_fail_memory(error, size, "working memory");
    else
        worker->capacity = (size_t)size;
    return worker->scratch;
}

void tmi_worker_release(tmi_worker *worker)
{
    if (worker->inflater)
        tmi_inflater_free(worker->inflater);
    if (worker->deflater)
        tmi_deflater_free(worker->deflater);
    if (worker->scratch)
        tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
    worker->inflater = NULL;
    worker->deflater = NULL;
    worker->scratch = NULL;
    worker->capacity = 0;
}

void tmi_worker_release_own(void *ctx, void *own)
{
    (void)ctx;
    tmi_worker_release(own);
}

/* -------------------------------------------------------------------------------------------------- spare */

void tmi_worker_free(tmi_worker *worker)
{
    if (!worker)
        return;
    const tm_allocator *allocator = worker->allocator;
    tmi_worker_release(worker);
    tmi_free(allocator, worker, 1, sizeof(*worker));
}

tmi_worker *tmi_worker_take(const tm_datafile *datafile, tm_error *error)
{
    tmi_worker *worker = atomic_exchange(tmi_spare_of(datafile), NULL);
    if (worker)
        return worker;
    worker = tmi_calloc(datafile->allocator, 1, sizeof(*worker));
    if (!worker)
        tmi_fail_memory(error, sizeof(*worker), "the state of unpacking");
    else
        worker->allocator = datafile->allocator;
    return worker;
}

void tmi_worker_give(const tm_datafile *datafile, tmi_worker *worker)
{
    if (worker->capacity > SPARE_CAPACITY) {
        tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
        worker->scratch = NULL;
        worker->capacity = 0;
    }
    tmi_worker *none = NULL;
    if (!atomic_compare_exchange_strong(tmi_spare_of(datafile), &none, worker))
        tmi_worker_free(worker);
}
