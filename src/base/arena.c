/* SPDX-License-Identifier: Zlib */
/*
 * Arena: many small objects that are freed together. Objects are cut from chunks, and each new chunk is twice
 * as large as the last one up to 1 MiB, so that a small map costs one small allocation and a large one few.
 * An object that does not fit into a chunk gets one of its own, behind the current one, which stays in use.
 *
 * With TMI_ARENA_MALLOC every object has a chunk of its own, exactly as large as asked for, so that
 * sanitizers notice an access beyond it.
 */
#include "base.h"

#include <stdalign.h>

#define FIRST_CHUNK ((size_t)4096)
#define LAST_CHUNK  ((size_t)1 << 20)

struct tmi_chunk {
    struct tmi_chunk *next;
    size_t size; /* bytes behind this head */
    size_t used;
    bool alone; /* it holds one object */
    alignas(max_align_t) unsigned char bytes[];
};

void tmi_arena_init(tmi_arena *arena, const tm_allocator *allocator)
{
    arena->allocator = allocator;
    arena->chunks = NULL;
    arena->taken = arena->most = 0;
}

static struct tmi_chunk *new_chunk(tmi_arena *arena, size_t size, bool alone)
{
    size_t bytes;
    if (!tmi_add_size(&bytes, size, sizeof(struct tmi_chunk)))
        return NULL;
    struct tmi_chunk *chunk = tmi_alloc(arena->allocator, bytes, 1);
    if (!chunk)
        return NULL;
    chunk->next = NULL;
    chunk->size = size;
    chunk->used = alone ? size : 0;
    chunk->alone = alone;
    return chunk;
}

/* Allocates an object in a chunk of its own, and links it behind the current chunk, if there is one. */
static void *alloc_alone(tmi_arena *arena, size_t bytes)
{
    struct tmi_chunk *chunk = new_chunk(arena, bytes, true);
    if (!chunk)
        return NULL;
    struct tmi_chunk **place = arena->chunks ? &arena->chunks->next : &arena->chunks;
    chunk->next = *place;
    *place = chunk;
    return chunk->bytes;
}

void *tmi_arena_alloc(tmi_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (!tmi_mul_size(&bytes, count, size))
        return NULL;
    if (bytes == 0)
        bytes = 1;
    arena->taken += bytes;
#ifdef TMI_ARENA_MALLOC
    return alloc_alone(arena, bytes);
#else
    struct tmi_chunk *chunk = arena->chunks;
    const size_t last = chunk ? chunk->size : 0, next = last < LAST_CHUNK / 2 ? last * 2 : LAST_CHUNK,
                 new_size = last < FIRST_CHUNK ? FIRST_CHUNK : next;
    if (bytes > new_size / 4)
        return alloc_alone(arena, bytes);
    /* no overflow: the size was checked against a chunk, and chunks are multiples of the alignment */
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!chunk || bytes > chunk->size - chunk->used) {
        chunk = new_chunk(arena, new_size, false);
        if (!chunk)
            return NULL;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    chunk->used += bytes;
    return chunk->bytes + (chunk->used - bytes);
#endif
}

void tmi_arena_release(tmi_arena *arena)
{
    struct tmi_chunk *chunk = arena->chunks;
    while (chunk) {
        struct tmi_chunk *next = chunk->next;
        tmi_free(arena->allocator, chunk, chunk->size + sizeof(*chunk), 1);
        chunk = next;
    }
    arena->chunks = NULL;
}

static void *resize_in_arena(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    tmi_arena *arena = ctx;
    void *moved = new_size ? tmi_arena_alloc(arena, new_size, 1) : NULL;
    if (!ptr || (new_size && !moved))
        return moved;
    if (moved)
        memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
    struct tmi_chunk **link = &arena->chunks;
    while (*link && !((*link)->alone && (*link)->bytes == ptr))
        link = &(*link)->next;
    struct tmi_chunk *chunk = *link;
    if (chunk) { /* the object has a chunk of its own; others wait for the end of the arena */
        *link = chunk->next;
        tmi_free(arena->allocator, chunk, chunk->size + sizeof(*chunk), 1);
    }
    return moved;
}

tm_allocator tmi_arena_allocator(tmi_arena *arena)
{
    return (tm_allocator){arena, resize_in_arena};
}
