/* SPDX-License-Identifier: Zlib */
/*
 * Memory: the caller's allocator behind checked (count, size) requests, strings, growing arrays. The only
 * file with the C library's malloc, realloc and free in it; src/base/base.h bans them everywhere else in the
 * library.
 *
 * A zero-byte request asks the allocator for one byte, so that NULL always means "out of memory" and every
 * pointer that was handed out can be freed in the same way. Sizes given back on freeing go through the same
 * rule.
 */
#define TMI_RAW_MEMORY
#include "base.h"

#include <stdlib.h>

static void *resize(const tm_allocator *allocator, void *ptr, size_t old_size, size_t new_size)
{
    if (allocator)
        return allocator->resize(allocator->ctx, ptr, old_size, new_size);
    if (new_size)
        return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

/* The bytes to allocate: count * size, at least 1; 0: that overflows. */
static size_t request(size_t count, size_t size)
{
    size_t bytes;
    if (!tmi_mul_size(&bytes, count, size))
        return 0;
    return bytes ? bytes : 1;
}

void *tmi_alloc(const tm_allocator *allocator, size_t count, size_t size)
{
    size_t bytes = request(count, size);
    return bytes ? resize(allocator, NULL, 0, bytes) : NULL;
}

void *tmi_calloc(const tm_allocator *allocator, size_t count, size_t size)
{
    size_t bytes = request(count, size);
    /* The system hands out zero pages without touching them; that matters for large tile grids. */
    if (!allocator && bytes)
        return calloc(1, bytes);
    void *ptr = bytes ? resize(allocator, NULL, 0, bytes) : NULL;
    if (ptr)
        memset(ptr, 0, bytes);
    return ptr;
}

void *tmi_realloc(const tm_allocator *allocator, void *ptr, size_t old_count, size_t new_count, size_t size)
{
    size_t bytes = request(new_count, size);
    return bytes ? resize(allocator, ptr, ptr ? request(old_count, size) : 0, bytes) : NULL;
}

void tmi_free(const tm_allocator *allocator, void *ptr, size_t count, size_t size)
{
    if (ptr)
        (void)resize(allocator, ptr, request(count, size), 0);
}

void *tm_alloc(const tm_allocator *allocator, size_t size)
{
    return tmi_alloc(allocator, size, 1);
}

void tm_free(const tm_allocator *allocator, void *ptr, size_t size)
{
    tmi_free(allocator, ptr, size, 1);
}

char *tmi_strndup(const tm_allocator *allocator, const char *text, size_t size)
{
    size_t bytes;
    if (!tmi_add_size(&bytes, size, 1))
        return NULL;
    char *copy = tmi_alloc(allocator, bytes, 1);
    if (!copy)
        return NULL;
    if (size)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

char *tmi_strdup(const tm_allocator *allocator, const char *text)
{
    return tmi_strndup(allocator, text, strlen(text));
}

void tmi_strfree(const tm_allocator *allocator, char *text)
{
    if (text)
        tmi_free(allocator, text, strlen(text) + 1, 1);
}

/* Stores new memory in `out`, which is a T **, or fails if it is NULL. A T ** is no void **: hence memcpy. */
static tm_status hand_out(void *out, void *memory, uint64_t bytes, const char *subject, tm_error *error)
{
    memcpy(out, &memory, sizeof(memory));
    return memory ? TM_OK : tmi_fail_memory(error, bytes, subject);
}

tm_status tmi_reserve(void *out, const tm_allocator *allocator, size_t count, size_t size,
                      const char *subject, tm_error *error)
{
    return hand_out(out, tmi_alloc(allocator, count, size), (uint64_t)count * size, subject, error);
}

tm_status tmi_reserve_zeroed(void *out, const tm_allocator *allocator, size_t count, size_t size,
                             const char *subject, tm_error *error)
{
    return hand_out(out, tmi_calloc(allocator, count, size), (uint64_t)count * size, subject, error);
}

/* Whether an object may still come into an arena; what overflows fails as memory does. */
static tm_status check_arena(const tmi_arena *arena, size_t count, size_t size, const char *subject,
                             tm_error *error)
{
    size_t bytes;
    const uint64_t left = arena->most > arena->taken ? arena->most - arena->taken : 0;
    if (!arena->most || !tmi_mul_size(&bytes, count, size) || bytes <= left)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1, "%s takes more than %llu bytes of memory", subject,
                    (unsigned long long)arena->most);
}

tm_status tmi_arena_reserve(void *out, tmi_arena *arena, size_t count, size_t size, const char *subject,
                            tm_error *error)
{
    TM_TRY(check_arena(arena, count, size, subject, error));
    return hand_out(out, tmi_arena_alloc(arena, count, size), (uint64_t)count * size, subject, error);
}

tm_status tmi_arena_text(const char **out, tmi_arena *arena, const char *text, size_t size,
                         const char *subject, tm_error *error)
{
    TM_TRY(check_arena(arena, size, 1, subject, error));
    char *copy = size < SIZE_MAX ? tmi_arena_alloc(arena, size + 1, 1) : NULL;
    if (copy) {
        if (size)
            memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return hand_out(out, copy, (uint64_t)size + 1, subject, error);
}

tm_status tmi_grow(const tm_allocator *allocator, void *items, size_t *capacity, size_t needed, size_t size,
                   tm_error *error)
{
    if (needed <= *capacity)
        return TM_OK;
    size_t target;
    void *old, *bigger;
    if (!tmi_add_size(&target, *capacity, *capacity / 2) || target < needed)
        target = needed;
    target = target < 8 ? 8 : target;
    memcpy(&old, items, sizeof(old));
    bigger = tmi_realloc(allocator, old, *capacity, target, size);
    if (!bigger)
        return tmi_fail_memory(error, (uint64_t)target * size, "a list");
    memcpy(items, &bigger, sizeof(bigger));
    *capacity = target;
    return TM_OK;
}
