/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_MIPMAP_H
#define TMI_RENDER_MIPMAP_H
/*
 * Images as textures (section 5): a picture or 256 tile slices, with their levels. Which level a pixel reads
 * follows from how many texels it covers.
 */
#include <teemap/render.h>

#include "pixels.h"

#include <stdatomic.h>

enum { TMI_MAX_LEVELS = 17 };

/* What all texels of a slice have in common, and so their levels. */
typedef enum tmi_slice_kind { TMI_SLICE_MIXED, TMI_SLICE_CLEAR, TMI_SLICE_OPAQUE } tmi_slice_kind;

/*
 * Bytes that may still be taken, of one budget that several threads share. What is taken is given back when
 * it is freed.
 */
typedef struct tmi_room {
    atomic_uint_least64_t left;
} tmi_room;
bool tmi_room_take(tmi_room *room,
                   uint64_t bytes); /* false, and nothing is taken, when there are not so many */
static inline void tmi_room_give(tmi_room *room, uint64_t bytes)
{
    atomic_fetch_add(&room->left, bytes);
}
static inline uint64_t tmi_room_left(tmi_room *room)
{
    return atomic_load(&room->left);
}

/* Memory of the slices that were made at one time, in a list. */
typedef struct tmi_texels {
    struct tmi_texels *next;
    size_t size; /* all of it, with this head */
    uint8_t bytes[];
} tmi_texels;

/*
 * A picture and its levels, RGBA; tile sheets are 256 slices. The levels of a slice lie one behind another,
 * and only what is made has memory, so that a sheet takes what its map uses of it.
 */
typedef struct tmi_mipmap {
    uint32_t num_slices; /* 1 or 256 */
    uint32_t num_levels;
    uint32_t widths[TMI_MAX_LEVELS], heights[TMI_MAX_LEVELS]; /* of a slice */
    size_t offsets[TMI_MAX_LEVELS];                           /* of the levels in a slice's memory */
    size_t slice_bytes;
    uint8_t *slices[256]; /* NULL: never drawn */
    uint8_t kinds[256];   /* tmi_slice_kind of each slice */
    bool made[256];       /* can be drawn */
    tmi_texels *texels;   /* what they lie in, as far as it is not shared (shared_images.c) */
} tmi_mipmap;

static inline const uint8_t *tmi_slice(const tmi_mipmap *mipmap, uint32_t slice, uint32_t level)
{
    return mipmap->slices[slice] + mipmap->offsets[level];
}

/* The two levels to mix and the weight of the second, for `rho` texels of level 0 to a pixel (section 5). */
typedef struct tmi_lod {
    uint32_t level, next;
    float weight;
} tmi_lod;
tmi_lod tmi_lod_of(const tmi_mipmap *mipmap, double rho);
/* The one level that Teeworlds 0.7 would take. */
tmi_lod tmi_lod_nearest(const tmi_mipmap *mipmap, double rho);

/* How pictures become mipmaps, and where the memory comes from. */
typedef struct tmi_maker {
    tm_client look;
    const tm_allocator *allocator;
    tmi_room *room;
} tmi_maker;
/*
 * Both make a mipmap from RGBA pixels, straight alpha. Of tiles only the slices that are `used` (256; NULL:
 * all) can be drawn, and those that could be before if the picture has the same size; a new mipmap is all
 * zeros. In the look of Teeworlds 0.7 texels are multiplied by their alpha, tiles have one level, sheets
 * whose sides 16 does not divide fall out of step, and those with a side below 16 make no slices. What was
 * made before they fail is the caller's to release.
 */
tm_status tmi_mipmap_whole(tmi_mipmap *out, const tm_pixels *pixels, const tmi_maker *maker, tm_error *error);
tm_status tmi_mipmap_tiles(tmi_mipmap *out, const tm_pixels *pixels, const bool *used, const tmi_maker *maker,
                           tm_error *error);
void tmi_mipmap_release(tmi_mipmap *mipmap, const tmi_maker *maker);
void tmi_texels_free(tmi_texels *texels, const tm_allocator *allocator, tmi_room *room); /* the whole list */
/* Only how they lie in memory: nothing is made. Tiles may have 0 slices. */
tm_status tmi_mipmap_shape_whole(tmi_mipmap *out, const tm_pixels *sides, tm_client look, tm_error *error);
tm_status tmi_mipmap_shape_tiles(tmi_mipmap *out, const tm_pixels *sides, tm_client look, tm_error *error);

#endif
