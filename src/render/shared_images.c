/* SPDX-License-Identifier: Zlib */
/*
 * Prepares images that many maps use once for all their renderers: tile slices and whole
 * pictures, on first use. The table only grows and its memory does not move, so threads need no lock. Must
 * not know where pixels come from.
 */
#include "render.h"

enum {
    NUM_SHARED = 4096, /* games ship fifty images; a mapper's folder has some hundreds */
    SHARED_PROBES = 16
};

struct tmi_shared_image {
    tm_client look;
    atomic_uint_least64_t sides; /* width << 32 | height; 0: unknown */
    _Atomic(uint8_t *) whole;
    _Atomic(uint8_t *) slices[256]; /* &clear: nothing of it is seen */
    uint8_t clear;
    atomic_uchar kinds[256];      /* plus 1; 0: not made. The thread that sets it sets the slice next */
    _Atomic(tmi_texels *) texels; /* what all of them lie in */
    size_t key_size;              /* its NUL included */
    char key[];
};

struct tm_shared_images {
    const tm_allocator *allocator;
    tmi_room room;
    _Atomic(tmi_shared_image *) table[NUM_SHARED];
};

/* ------------------------------------------------------------------------------------------------ life */

tm_status tm_shared_images_new(tm_shared_images **out, uint64_t memory_budget, const tm_allocator *allocator,
                               tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_reserve_zeroed(out, allocator, 1, sizeof(**out), "a table of images", error));
    (*out)->allocator = allocator;
    atomic_init(&(*out)->room.left, memory_budget);
    return TM_OK;
}

void tm_shared_images_free(tm_shared_images *images)
{
    if (!images)
        return;
    for (size_t i = 0; i < NUM_SHARED; i++) {
        tmi_shared_image *image = atomic_load(&images->table[i]);
        if (image) {
            tmi_texels_free(atomic_load(&image->texels), images->allocator, &images->room);
            tmi_free(images->allocator, image, 1, sizeof(*image) + image->key_size);
        }
    }
    tmi_free(images->allocator, images, 1, sizeof(*images));
}

/* ---------------------------------------------------------------------------------------------- the table */

/* The table's entry of an image, added if it is missing; NULL if there is no room. */
static tmi_shared_image *entry_of(tm_shared_images *images, const char *key, tm_client look)
{
    const uint32_t hash = (uint32_t)tmi_hash_number(tmi_hash_text(TMI_HASH, key), look);
    tmi_shared_image *fresh = NULL, *found = NULL;
    for (uint32_t i = 0; !found && i < SHARED_PROBES; i++) {
        _Atomic(tmi_shared_image *) *slot = &images->table[(hash + i) % NUM_SHARED];
        tmi_shared_image *present = atomic_load(slot);
        if (!present && !fresh) {
            const size_t key_size = strlen(key) + 1;
            fresh = tmi_calloc(images->allocator, 1, sizeof(*fresh) + key_size);
            if (!fresh)
                return NULL;
            fresh->look = look;
            fresh->key_size = key_size;
            memcpy(fresh->key, key, key_size);
        }
        if (!present && atomic_compare_exchange_strong(slot, &present, fresh))
            return fresh;
        if (present->look == look && strcmp(present->key, key) == 0)
            found = present;
    }
    if (fresh)
        tmi_free(images->allocator, fresh, 1, sizeof(*fresh) + fresh->key_size);
    return found;
}

tm_status tmi_shared_find(tmi_shared_image **out, const tm_renderer *renderer, const tm_image *image,
                          tm_error *error)
{
    const tm_render_options *options = &renderer->options;
    char *key = NULL;
    tm_error fault;
    *out = NULL;
    if (!options->shared_images || !options->provider_key || !image->external || !image->name ||
        options->shared_images->allocator != renderer->allocator)
        return TM_OK;
    tmi_error_blank(&fault);
    const tm_status status = options->provider_key(options->provider_ctx, image->name, renderer->map->game,
                                                   renderer->allocator, &key, &fault);
    if (status == TM_ERROR_MEMORY || status == TM_ERROR_IO)
        return tmi_error_told(status, &fault, error, TM_SIDE_INPUT, "the key of an image");
    if (status != TM_OK)
        return TM_OK;
    *out = entry_of(options->shared_images, key, options->look);
    tmi_strfree(renderer->allocator, key);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- taking, giving */

static void take_one(tmi_mipmap *mipmap, uint32_t slice, tmi_shared_image *shared, _Atomic(uint8_t *) *memory)
{
    uint8_t *bytes = atomic_load(memory);
    if (!bytes)
        return;
    mipmap->slices[slice] = bytes == &shared->clear ? NULL : bytes;
    mipmap->kinds[slice] =
        memory == &shared->whole ? TMI_SLICE_MIXED : (uint8_t)(atomic_load(&shared->kinds[slice]) - 1);
    mipmap->made[slice] = true;
}

bool tmi_shared_take(tmi_shared_image *shared, tmi_picture *picture, bool whole, const bool *slices)
{
    const uint64_t known = atomic_load(&shared->sides);
    const tm_pixels sides = {NULL, (uint32_t)(known >> 32), (uint32_t)known};
    bool all = true;
    if (sides.width == 0)
        return false;
    picture->width = sides.width;
    picture->height = sides.height;
    if (whole && !picture->whole.made[0] &&
        tmi_mipmap_shape_whole(&picture->whole, &sides, shared->look, NULL) == TM_OK)
        take_one(&picture->whole, 0, shared, &shared->whole);
    if (slices && !picture->tiles.num_slices &&
        tmi_mipmap_shape_tiles(&picture->tiles, &sides, shared->look, NULL) != TM_OK)
        return false;
    for (uint32_t i = 0; slices && i < 256; i++) {
        if (slices[i] && i < picture->tiles.num_slices && !picture->tiles.made[i])
            take_one(&picture->tiles, i, shared, &shared->slices[i]);
        all = all && (!slices[i] || picture->tiles.made[i]);
    }
    all = all && (!whole || picture->whole.made[0]);
    if (all)
        picture->state = TMI_PICTURE_THERE;
    return all;
}

/* Publishes a slice, unless another thread did so first. */
static void publish_slice(const tmi_mipmap *mipmap, uint32_t slice, tmi_shared_image *shared,
                          _Atomic(uint8_t *) *memory)
{
    uint8_t *const shown = mipmap->slices[slice] ? mipmap->slices[slice] : &shared->clear, *empty = NULL;
    unsigned char nobody = 0;
    if (!mipmap->made[slice])
        return;
    if (memory == &shared->whole)
        (void)atomic_compare_exchange_strong(memory, &empty, shown);
    else if (atomic_compare_exchange_strong(&shared->kinds[slice], &nobody,
                                            (uint8_t)(mipmap->kinds[slice] + 1)))
        atomic_store(memory, shown);
}

/* Shares the memory of a mipmap; false if there is no room. */
static bool give_texels(tmi_mipmap *mipmap, tmi_shared_image *shared, const tm_renderer *renderer)
{
    tmi_room *room = &renderer->options.shared_images->room;
    tmi_texels *first = mipmap->texels, *last = first;
    size_t size = 0;
    for (const tmi_texels *texels = first; texels; texels = texels->next)
        size += texels->size;
    if (!tmi_room_take(room, size))
        return false;
    while (last && last->next)
        last = last->next;
    if (last) {
        last->next = atomic_load(&shared->texels);
        while (!atomic_compare_exchange_weak(&shared->texels, &last->next, first)) {
        }
    }
    mipmap->texels = NULL;
    tmi_room_give(tmi_maker_of(renderer).room, size);
    return true;
}

void tmi_shared_give(tmi_shared_image *shared, tmi_picture *picture, const tm_renderer *renderer)
{
    const uint64_t sides = (uint64_t)picture->width << 32 | picture->height;
    uint_least64_t there = 0;
    if (!atomic_compare_exchange_strong(&shared->sides, &there, sides) && there != sides)
        return; /* the file has changed */
    if (picture->whole.num_slices && give_texels(&picture->whole, shared, renderer))
        publish_slice(&picture->whole, 0, shared, &shared->whole);
    if (picture->tiles.num_slices && give_texels(&picture->tiles, shared, renderer))
        for (uint32_t i = 0; i < 256; i++)
            publish_slice(&picture->tiles, i, shared, &shared->slices[i]);
}
