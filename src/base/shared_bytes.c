/* SPDX-License-Identifier: Zlib */
/*
 * Memory of unpacked bytes that several users share: the datafile, blocks of a map and of its clones, views.
 * It is counted by references, and its head has the allocator, so that the last user can free it.
 *
 *   OFFSET  SIZE  MEANING
 *   0       64    head: references, how many of them are blocks, size, the allocator that frees it
 *   64      size  the bytes
 */
#include "base.h"

enum { HEAD_SIZE = 64 }; /* keeps the bytes aligned as the allocator aligns */

typedef struct bytes_head {
    atomic_uint references, blocks;
    size_t size;
    tm_allocator allocator; /* `resize` NULL: malloc */
} bytes_head;
_Static_assert(sizeof(bytes_head) <= HEAD_SIZE, "the head fits before the bytes");

static bytes_head *head_of(const void *bytes)
{
    return (bytes_head *)((uintptr_t)bytes - HEAD_SIZE);
}

void *tmi_bytes_new(const tm_allocator *allocator, size_t size, bool zeroed)
{
    size_t all;
    if (!tmi_add_size(&all, size, HEAD_SIZE))
        return NULL;
    bytes_head *head = zeroed ? tmi_calloc(allocator, all, 1) : tmi_alloc(allocator, all, 1);
    if (!head)
        return NULL;
    atomic_init(&head->references, 1);
    atomic_init(&head->blocks, 1);
    head->size = size;
    head->allocator = allocator ? *allocator : (tm_allocator){NULL, NULL};
    return (char *)head + HEAD_SIZE;
}

void *tmi_bytes_grow(void *bytes, size_t size)
{
    bytes_head *head = head_of(bytes);
    const tm_allocator allocator = head->allocator;
    const size_t old = head->size;
    size_t all;
    TMI_ASSERT(size >= old && !tmi_bytes_viewed(bytes));
    if (!tmi_add_size(&all, size, HEAD_SIZE))
        return NULL;
    head = tmi_realloc(allocator.resize ? &allocator : NULL, head, old + HEAD_SIZE, all, 1);
    if (!head)
        return NULL;
    head->size = size;
    memset((char *)head + HEAD_SIZE + old, 0, size - old);
    return (char *)head + HEAD_SIZE;
}

void tmi_bytes_retain(const void *bytes)
{
    atomic_fetch_add_explicit(&head_of(bytes)->references, 1, memory_order_relaxed);
}

void tmi_bytes_release(const void *bytes)
{
    if (!bytes || atomic_fetch_sub_explicit(&head_of(bytes)->references, 1, memory_order_acq_rel) != 1)
        return;
    bytes_head *head = head_of(bytes);
    const tm_allocator allocator = head->allocator;
    tmi_free(allocator.resize ? &allocator : NULL, head, head->size + HEAD_SIZE, 1);
}

void tmi_bytes_share(const void *bytes)
{
    tmi_bytes_retain(bytes);
    atomic_fetch_add_explicit(&head_of(bytes)->blocks, 1, memory_order_relaxed);
}

bool tmi_bytes_leave(const void *bytes)
{
    const bool last = atomic_fetch_sub_explicit(&head_of(bytes)->blocks, 1, memory_order_acq_rel) == 1;
    tmi_bytes_release(bytes);
    return last;
}

bool tmi_bytes_viewed(const void *bytes)
{
    return atomic_load_explicit(&head_of(bytes)->references, memory_order_acquire) > 1;
}

size_t tmi_bytes_size(const void *bytes)
{
    return head_of(bytes)->size;
}

tm_status tmi_fail_room(tm_error *error, int64_t offset, uint64_t size, uint64_t held, uint64_t limit)
{
    return tmi_fail(error, TM_ERROR_LIMIT, offset,
                    "too many unpacked bytes: %llu more than the %llu held already, and the limit is %llu",
                    (unsigned long long)size, (unsigned long long)held, (unsigned long long)limit);
}

tm_status tmi_count_bytes(tmi_account *account, uint64_t size, uint64_t limit, int64_t offset,
                          tm_error *error)
{
    uint64_t before = atomic_fetch_add_explicit(account, size, memory_order_relaxed);
    if (before + size >= size && before + size <= limit)
        return TM_OK;
    tmi_uncount_bytes(account, size);
    return tmi_fail_room(error, offset, size, before, limit);
}

void tmi_uncount_bytes(tmi_account *account, uint64_t size)
{
    atomic_fetch_sub_explicit(account, size, memory_order_relaxed);
}
