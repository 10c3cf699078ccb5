/* SPDX-License-Identifier: Zlib */
/*
 * The memory of unpacked bytes, counted by who has a hold on it: the block, and views of it. A view lives on
 * when the block is edited, dropped or freed, as the block then takes other memory; so the bytes that it
 * shows never change and never go away under it.
 *
 *   OFFSET  SIZE  MEANING
 *   0       64    tm_view: references, size, the allocator that frees it
 *   64      size  the bytes
 */
#include "internal.h"

enum { HEAD_SIZE = 64 }; /* keeps the bytes aligned as the allocator aligns */

struct tm_view {
    atomic_uint references;
    size_t size;
    tm_allocator allocator; /* `resize` NULL: malloc */
};
_Static_assert(sizeof(struct tm_view) <= HEAD_SIZE, "the head of a view fits before its bytes");

static tm_view *view_of(const void *bytes)
{
    return (tm_view *)(void *)(TMI_UNCONST(char, bytes) - HEAD_SIZE);
}

void *tmi_bytes_new(const tm_allocator *allocator, size_t size, bool zeroed)
{
    size_t all;
    if (!tmi_add_size(&all, size, HEAD_SIZE))
        return NULL;
    tm_view *view = zeroed ? tmi_calloc(allocator, all, 1) : tmi_alloc(allocator, all, 1);
    if (!view)
        return NULL;
    atomic_init(&view->references, 1);
    view->size = size;
    view->allocator = allocator ? *allocator : (tm_allocator){NULL, NULL};
    return (char *)view + HEAD_SIZE;
}

void tmi_bytes_release(void *bytes)
{
    tm_view_free(bytes ? view_of(bytes) : NULL);
}

bool tmi_bytes_shared(const void *bytes)
{
    return atomic_load_explicit(&view_of(bytes)->references, memory_order_acquire) > 1;
}

tm_status tm_view_new(tm_view **out, const tm_map *map, const tm_block *block, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const void *bytes;
    *out = NULL;
    TM_TRY(tm_map_data(map, block, &bytes, NULL, error));
    if (!bytes)
        return TM_OK;
    tm_view *view = view_of(bytes);
    atomic_fetch_add_explicit(&view->references, 1, memory_order_relaxed);
    *out = view;
    return TM_OK;
}

const void *tm_view_bytes(const tm_view *view, uint64_t *size)
{
    if (size)
        *size = view ? view->size : 0;
    return view ? (const char *)view + HEAD_SIZE : NULL;
}

void tm_view_free(tm_view *view)
{
    if (!view || atomic_fetch_sub_explicit(&view->references, 1, memory_order_acq_rel) != 1)
        return;
    const tm_allocator allocator = view->allocator;
    tmi_free(allocator.resize ? &allocator : NULL, view, view->size + HEAD_SIZE, 1);
}
