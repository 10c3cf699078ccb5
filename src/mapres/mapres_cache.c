/* SPDX-License-Identifier: Zlib */
/*
 * mapres_cache.c - reads images that several maps use from their files once. The table only grows and its
 * entries do not move, so threads need no lock. Images that do not fit are read each time.
 */
#include "mapres.h"

#include <stdatomic.h>

enum {
    NUM_SLOTS = 4096, /* games ship fifty images; a mapper's folder has some hundreds */
    MAX_PROBES = 16
};

typedef struct cached_image {
    uint32_t width, height;
    uint8_t *rgba;    /* NULL: there was no room; known to be an image all the same */
    size_t path_size; /* its NUL included */
    char path[];
} cached_image;

struct tm_mapres_cache {
    const tm_allocator *allocator;
    uint64_t budget;
    atomic_uint_least64_t bytes;
    _Atomic(cached_image *) slots[NUM_SLOTS];
};

tm_status tm_mapres_cache_new(tm_mapres_cache **out, uint64_t memory_budget, const tm_allocator *allocator,
                              tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_reserve_zeroed(out, allocator, 1, sizeof(**out), "a cache of images", error));
    (*out)->allocator = allocator;
    (*out)->budget = memory_budget;
    return TM_OK;
}

static void free_image(const tm_mapres_cache *cache, cached_image *image)
{
    if (image->rgba)
        tmi_free(cache->allocator, image->rgba, (size_t)image->width * image->height * 4, 1);
    tmi_free(cache->allocator, image, sizeof(*image) + image->path_size, 1);
}

void tm_mapres_cache_free(tm_mapres_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < NUM_SLOTS; i++)
        if (atomic_load(&cache->slots[i]))
            free_image(cache, atomic_load(&cache->slots[i]));
    tmi_free(cache->allocator, cache, 1, sizeof(*cache));
}

static _Atomic(cached_image *) *slot_at(tm_mapres_cache *cache, uint32_t hash, uint32_t probe)
{
    return &cache->slots[(hash + probe) % NUM_SLOTS];
}

static const cached_image *find_image(tm_mapres_cache *cache, const char *path)
{
    const uint32_t hash = (uint32_t)tmi_hash_text(TMI_HASH, path);
    for (uint32_t i = 0; i < MAX_PROBES; i++) {
        const cached_image *image = atomic_load(slot_at(cache, hash, i));
        if (!image)
            return NULL;
        if (strcmp(image->path, path) == 0)
            return image;
    }
    return NULL;
}

bool tmi_mapres_is_known(tm_mapres_cache *cache, const char *path)
{
    return cache && find_image(cache, path);
}

/* Puts it into the table, which owns it then; false if there is no room, or another thread was faster. */
static bool keep_image(tm_mapres_cache *cache, cached_image *image)
{
    const uint32_t hash = (uint32_t)tmi_hash_text(TMI_HASH, image->path);
    for (uint32_t i = 0; i < MAX_PROBES; i++) {
        cached_image *there = NULL;
        if (atomic_compare_exchange_strong(slot_at(cache, hash, i), &there, image))
            return true;
        if (strcmp(there->path, image->path) == 0)
            return false;
    }
    return false;
}

static tm_status copy_pixels(uint8_t **rgba, uint32_t *width, uint32_t *height, const cached_image *image,
                             const tm_allocator *allocator)
{
    const size_t bytes = (size_t)image->width * image->height * 4;
    *rgba = tmi_alloc(allocator, bytes, 1);
    if (!*rgba)
        return TM_ERROR_MEMORY;
    memcpy(*rgba, image->rgba, bytes);
    *width = image->width;
    *height = image->height;
    return TM_OK;
}

/* Reads a file into an image of the cache's memory. */
static tm_status read_image(cached_image **out, const tm_mapres_cache *cache, const char *path)
{
    const size_t path_size = strlen(path) + 1;
    cached_image *image = tmi_calloc(cache->allocator, sizeof(*image) + path_size, 1);
    if (!image)
        return TM_ERROR_MEMORY;
    image->path_size = path_size;
    memcpy(image->path, path, path_size);
    const tm_status status =
        tm_mapres_read_png(&image->rgba, &image->width, &image->height, path, cache->allocator, NULL);
    if (status)
        tmi_free(cache->allocator, image, sizeof(*image) + path_size, 1);
    else
        *out = image;
    return status;
}

tm_status tmi_mapres_cached(uint8_t **rgba, uint32_t *width, uint32_t *height, tm_mapres_cache *cache,
                            const char *path, const tm_allocator *allocator)
{
    const cached_image *found = find_image(cache, path);
    if (found)
        return found->rgba ? copy_pixels(rgba, width, height, found, allocator)
                           : tm_mapres_read_png(rgba, width, height, path, allocator, NULL);
    cached_image *image;
    TM_TRY(read_image(&image, cache, path));
    const tm_status status = copy_pixels(rgba, width, height, image, allocator);
    uint64_t bytes = (uint64_t)image->width * image->height * 4;
    if (atomic_fetch_add(&cache->bytes, bytes) + bytes > cache->budget) {
        atomic_fetch_sub(&cache->bytes, bytes);
        tmi_free(cache->allocator, image->rgba, (size_t)bytes, 1);
        image->rgba = NULL;
        bytes = 0;
    }
    if (!keep_image(cache, image)) {
        atomic_fetch_sub(&cache->bytes, bytes);
        free_image(cache, image);
    }
    return status;
}
