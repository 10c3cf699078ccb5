/* SPDX-License-Identifier: Zlib */
/*
 * mapres_images.c - the files in the folders, and a cache of their pixels. For maps of Teeworlds 0.7
 * NAME_0.7.png comes before NAME.png, because DDNet keeps both games' images in one folder.
 */
#include "mapres.h"

#include <teemap/codec.h>
#include <teemap/sys.h>

#include <stdatomic.h>

/* The largest file that is read; an image that a game ships has a megabyte or two. */
#define MAX_FILE_BYTES ((uint64_t)64 << 20)

/* -------------------------------------------------------------------------------------------------- files */

tm_status tm_mapres_read_png(uint8_t **rgba, uint32_t *width, uint32_t *height, const char *path,
                             const tm_allocator *allocator, tm_error *error)
{
    tm_input input;
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *rgba = NULL;
    *width = *height = 0;
    TM_TRY(tmi_need(path, "path", error));
    TM_TRY(tm_sys_open_input(&input, path, MAX_FILE_BYTES, allocator, error));
    tm_status status = TM_OK;
    if (input.size > MAX_FILE_BYTES)
        status = tmi_fail(error, TM_ERROR_LIMIT, -1, "an image file of %llu bytes; 64 MiB is the limit",
                          (unsigned long long)input.size);
    if (!status)
        status = tm_input_load(&input, allocator, error);
    if (!status)
        status = tm_png_read(rgba, width, height, input.memory, (size_t)input.size, 0, allocator, error);
    if (status)
        tmi_error_about(error, TM_SIDE_INPUT, path);
    if (input.close)
        input.close(input.ctx);
    return status;
}

/* -------------------------------------------------------------------------------------------------- cache */

/*
 * Images that several maps use are read once. The table only grows and its entries do not move, so threads
 * need no lock. Images that do not fit are read each time.
 */
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

/* Puts an image into the table, which then owns it; false: there is no room, or another thread was faster. */
static bool keep_image(tm_mapres_cache *cache, cached_image *image)
{
    const uint32_t hash = (uint32_t)tmi_hash_text(TMI_HASH, image->path);
    for (uint32_t i = 0; i < MAX_PROBES; i++) {
        cached_image *cached = NULL;
        if (atomic_compare_exchange_strong(slot_at(cache, hash, i), &cached, image))
            return true;
        if (strcmp(cached->path, image->path) == 0)
            return false;
    }
    return false;
}

static tm_status copy_pixels(uint8_t **rgba, uint32_t *width, uint32_t *height, const cached_image *image,
                             const tm_allocator *allocator, tm_error *error)
{
    const size_t bytes = (size_t)image->width * image->height * 4;
    *rgba = tmi_alloc(allocator, bytes, 1);
    if (!*rgba)
        return tmi_fail_memory(error, bytes, "an image");
    memcpy(*rgba, image->rgba, bytes);
    *width = image->width;
    *height = image->height;
    return TM_OK;
}

/* Reads a file into an image of the cache's memory. */
static tm_status read_image(cached_image **out, const tm_mapres_cache *cache, const char *path,
                            tm_error *error)
{
    const size_t path_size = strlen(path) + 1;
    cached_image *image = tmi_calloc(cache->allocator, sizeof(*image) + path_size, 1);
    if (!image)
        return tmi_fail_memory(error, sizeof(*image) + path_size, "an image");
    image->path_size = path_size;
    memcpy(image->path, path, path_size);
    const tm_status status =
        tm_mapres_read_png(&image->rgba, &image->width, &image->height, path, cache->allocator, error);
    if (status)
        tmi_free(cache->allocator, image, sizeof(*image) + path_size, 1);
    else
        *out = image;
    return status;
}

/* Reads a PNG as tm_mapres_read_png does, but through the cache. */
static tm_status read_cached(uint8_t **rgba, uint32_t *width, uint32_t *height, tm_mapres_cache *cache,
                             const char *path, const tm_allocator *allocator, tm_error *error)
{
    const cached_image *found = find_image(cache, path);
    if (found)
        return found->rgba ? copy_pixels(rgba, width, height, found, allocator, error)
                           : tm_mapres_read_png(rgba, width, height, path, allocator, error);
    cached_image *image = NULL;
    TM_TRY(read_image(&image, cache, path, error));
    const tm_status status = copy_pixels(rgba, width, height, image, allocator, error);
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

/* ------------------------------------------------------------------------------------------------- search */

/* Where the pixels of an image go that is searched for. */
typedef struct wanted_image {
    bool path_only; /* of one that the cache knows */
    const tm_allocator *allocator;
    uint8_t **rgba;
    uint32_t *width, *height;
} wanted_image;

/*
 * Reads the pixels of a file, or with path_only only makes sure that there are some. A file that is no
 * picture (or went away meanwhile) gives TM_ERROR_NOT_FOUND.
 */
static tm_status try_file(const tm_mapres *mapres, const char *path, const wanted_image *wanted,
                          tm_error *error)
{
    tm_mapres_cache *const cache = mapres->cache;
    tm_error fault;
    if (wanted->path_only && cache && find_image(cache, path))
        return TM_OK;
    const tm_status status = cache ? read_cached(wanted->rgba, wanted->width, wanted->height, cache, path,
                                                 wanted->allocator, &fault)
                                   : tm_mapres_read_png(wanted->rgba, wanted->width, wanted->height, path,
                                                        wanted->allocator, &fault);
    if (status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED ||
        (status == TM_ERROR_IO && tm_sys_kind_of(path) == TM_SYS_MISSING))
        return TM_ERROR_NOT_FOUND;
    if (status && error)
        *error = fault;
    return status;
}

/*
 * Searches all folders for an image; on TM_OK the caller frees *path, else it is NULL. What is no picture is
 * passed over; a file or folder that cannot be read ends the search.
 */
static tm_status search_folders(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                                const wanted_image *wanted, tm_error *error)
{
    static const char *const suffixes[] = {"_0.7.png", ".png"};
    const size_t first = game == TM_GAME_TEEWORLDS07 && !mapres->shipped_only ? 0 : 1;
    *path = NULL;
    for (size_t i = 0; i < mapres->num_folders && tm_game_name_is_plain(name); i++) {
        const tmi_mapres_folder *folder = &mapres->folders[i];
        bool searched;
        TM_TRY(tmi_mapres_is_searched(&searched, folder, error));
        for (size_t s = first; searched && s < TMI_COUNT_OF(suffixes); s++) {
            char file[TMI_IMAGE_NAME + 16];
            tmi_format(file, sizeof(file), "%s%s", name, suffixes[s]);
            TM_TRY(tmi_mapres_find_file(path, mapres->allocator, folder->path, strlen(folder->path), file,
                                        error));
            if (!*path)
                continue;
            const tm_status status = try_file(mapres, *path, wanted, error);
            if (!status)
                return TM_OK;
            tmi_strfree(mapres->allocator, *path);
            *path = NULL;
            if (status != TM_ERROR_NOT_FOUND)
                return status;
        }
    }
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no image '%.100s' in the folders", name);
}

/* The path alone; what is no picture is passed over here, too. */
static tm_status search_path(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                             tm_error *error)
{
    uint8_t *rgba = NULL;
    uint32_t width = 0, height = 0;
    const wanted_image wanted = {true, mapres->allocator, &rgba, &width, &height};
    const tm_status status = search_folders(path, mapres, name, game, &wanted, error);
    tmi_free(mapres->allocator, rgba, (size_t)width * height * 4, 1);
    return status;
}

tm_status tm_mapres_provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    const tm_mapres *mapres = ctx;
    char *path;
    TM_TRY(tmi_need(ctx, "ctx", error));
    TM_TRY(tmi_need(name, "name", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    const wanted_image wanted = {false, allocator, rgba, width, height};
    const tm_status status = search_folders(&path, mapres, name, game, &wanted, error);
    tmi_strfree(mapres->allocator, path);
    return status;
}

tm_status tm_mapres_key(void *ctx, const char *name, tm_game game, const tm_allocator *allocator, char **key,
                        tm_error *error)
{
    const tm_mapres *mapres = ctx;
    char *path;
    TM_TRY(tmi_need(key, "key", error));
    *key = NULL;
    TM_TRY(tmi_need(ctx, "ctx", error));
    TM_TRY(tmi_need(name, "name", error));
    TM_TRY(search_path(&path, mapres, name, game, error));
    *key = tmi_strdup(allocator, path);
    tmi_strfree(mapres->allocator, path);
    return *key ? TM_OK : tmi_fail_memory(error, 0, "a path");
}

tm_status tm_mapres_find(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                         tm_error *error)
{
    TM_TRY(tmi_need(path, "path", error));
    *path = NULL;
    TM_TRY(tmi_need(mapres, "mapres", error));
    TM_TRY(tmi_need(name, "name", error));
    return search_path(path, mapres, name, game, error);
}
