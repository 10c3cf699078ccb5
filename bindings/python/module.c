/* SPDX-License-Identifier: Zlib */
/*
 * What the module teemap._teemap has beside the library: the part of the package that Python would be too slow
 * for. declarations.py puts it behind the headers; the lines between the two marks are also its declarations.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <teemap/teemap.h>

/* declarations */
void teemap_number(tm_map *map);
typedef struct teemap_guard teemap_guard;
teemap_guard *teemap_guard_new(uint64_t limit);
const tm_allocator *teemap_guard_allocator(const teemap_guard *guard);
bool teemap_guard_refused(teemap_guard *guard);
void teemap_guard_free(teemap_guard *guard);
/* end */

/*
 * Gives each object of a map that has none the number by which Python knows it (`user`). Clones copy numbers, so
 * an object that is first looked at while a clone is being changed is found in the clone, too.
 */
void teemap_number(tm_map *map)
{
    static atomic_uintptr_t last;
#define NUMBER(objects, num)                                                     \
    for (uint32_t i = 0; i < (num); i++)                                         \
        if (!(objects)[i].user)                                                  \
            (objects)[i].user = (void *)(atomic_fetch_add(&last, 1) + (uintptr_t)1);
    NUMBER(map->images, map->num_images)
    NUMBER(map->sounds, map->num_sounds)
    NUMBER(map->envelopes, map->num_envelopes)
    NUMBER(map->groups, map->num_groups)
    for (uint32_t g = 0; g < map->num_groups; g++)
        NUMBER(map->groups[g].layers, map->groups[g].num_layers)
#undef NUMBER
}

/* ------------------------------------------------------------------------------------------------- memory */

/* An allocator that gives no more than so many bytes at once: what a map, its clones and work on them take. */
struct teemap_guard {
    tm_allocator allocator;
    uint64_t limit;
    atomic_uint_fast64_t used;
    atomic_size_t users; /* the owner, and each allocation: arrays may outlive the map that they are from */
    atomic_bool refused;
};

static void leave(teemap_guard *guard)
{
    if (atomic_fetch_sub(&guard->users, 1) == 1)
        free(guard);
}

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    teemap_guard *guard = ctx;
    if (new_size > old_size) {
        const uint64_t more = new_size - old_size, used = atomic_fetch_add(&guard->used, more);
        if (used > guard->limit || more > guard->limit - used) {
            atomic_fetch_sub(&guard->used, more);
            atomic_store(&guard->refused, true);
            return NULL;
        }
    }
    void *made = NULL;
    if (new_size) {
        made = realloc(ptr, new_size);
        if (!made) {
            if (new_size > old_size)
                atomic_fetch_sub(&guard->used, new_size - old_size);
            return NULL;
        }
        if (!ptr)
            atomic_fetch_add(&guard->users, 1);
    } else {
        free(ptr);
    }
    if (new_size < old_size)
        atomic_fetch_sub(&guard->used, old_size - new_size);
    if (ptr && !new_size)
        leave(guard);
    return made;
}

teemap_guard *teemap_guard_new(uint64_t limit)
{
    teemap_guard *guard = calloc(1, sizeof(*guard));
    if (!guard)
        return NULL;
    guard->allocator = (tm_allocator){guard, resize};
    guard->limit = limit;
    atomic_init(&guard->users, 1);
    return guard;
}

const tm_allocator *teemap_guard_allocator(const teemap_guard *guard)
{
    return &guard->allocator;
}

/* Whether it has refused something since this was asked last. */
bool teemap_guard_refused(teemap_guard *guard)
{
    return atomic_exchange(&guard->refused, false);
}

void teemap_guard_free(teemap_guard *guard)
{
    leave(guard);
}
