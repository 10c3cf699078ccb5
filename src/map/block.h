/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_BLOCK_H
#define TMI_MAP_BLOCK_H
/*
 * Blocks: data of objects, packed in a file or in memory. How they are made, copied, compared, and read for
 * the time of a function.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "../games/games.h"
#include "origin.h"

/*
 * A block of the origin: data `data_index`, `size` bytes in memory through `view`. Where these are the bytes
 * of the file as they are, set `shares`, and all who ask for them have the same.
 */
tm_status tmi_block_new_packed(tm_block **out, tm_map *map, uint32_t data_index, tmi_encoding view,
                               uint64_t size, tm_error *error);
/* A block of `size` zero bytes, or with a copy of `bytes`; counts as changed. */
tm_status tmi_block_new(tm_block **out, tm_map *map, tmi_encoding view, const void *bytes, uint64_t size,
                        tm_error *error);
/* A block of the same place in the file as `block`, `size` bytes large, with nothing changed. */
tm_status tmi_block_new_again(tm_block **out, tm_map *map, const tm_block *block, uint64_t size,
                              tm_error *error);
/*
 * Remembers in a new block which one of the file it stands for: that of `old`, a grid of width x height
 * tiles.
 */
void tmi_block_inherit(tm_block *block, const tm_block *old, uint32_t width, uint32_t height);
/* The grid of the block was turned: it only equals that of the origin again when it is turned back. */
static inline void tmi_block_turn_home(tm_block *block, tm_transform transform)
{
    block->home.turned = tmi_transform_join(block->home.turned, transform);
}
/* Frees the unpacked bytes of an unchanged block, unless others use them. */
void tmi_map_drop_data(tm_map *map, tm_block *block);
/*
 * Drops the bytes of a changed block that has no origin: from here on the origin, which is no file, makes
 * them again whenever they are read.
 */
void tmi_block_set_origin(tm_map *map, tm_block *block, const tmi_origin *origin);

/* Bytes in the host's order to bytes in the file and back, in place (RUNS and BYTES: nothing to do). */
void tmi_encoding_swap(void *bytes, uint64_t size, tmi_encoding view);
/* Frees a block of this map; NULL is fine. */
void tmi_block_free(tm_map *map, tm_block *block);
/* Puts a block in the place of another one. */
static inline void tmi_block_put(tm_map *map, tm_block **slot, tm_block *block)
{
    tmi_block_free(map, *slot);
    *slot = block;
}
/* Puts a copy of a block of any map in the place of another one; the copy gets data of its own when saved. */
tm_status tmi_block_put_copy(tm_map *map, tm_block **slot, const tm_block *block, tm_error *error);
/*
 * A copy in `map` of a block of `source` (NULL: of none): packed if it is packed (marked `copied` when `map`
 * is `source`), else with its bytes, which clones share until one of them writes.
 */
tm_status tmi_block_copy(tm_block **out, tm_map *map, const tm_block *block, const tm_map *source,
                         tm_error *error);

/*
 * Fails if `size` more unpacked bytes would exceed the limit; allocates nothing. Called before unpacking many
 * blocks.
 */
tm_status tmi_map_check_room(const tm_map *map, uint64_t size, tm_error *error);
/*
 * Equal bytes of two blocks that nobody has changed, known without unpacking either: one block of one file,
 * or packed bytes that are the same. False may mean anything.
 */
bool tmi_block_same_packed(const tm_block *a, const tm_block *b);
/*
 * False when two blocks certainly hold other bytes, by their sizes and by the checksum with which streams of
 * zlib end; nothing is unpacked for that.
 */
bool tmi_block_may_equal(const tm_block *a, const tm_block *b);
/*
 * What one call may unpack to compare data. Objects may share a block, so that thousands of pairs of them
 * cost far more than a small file has bytes.
 */
typedef struct tmi_compare_work {
    uint64_t left, most; /* bytes */
} tmi_compare_work;
tmi_compare_work tmi_compare_work_of(const tm_limits *limits);
/* Counts both blocks; TM_ERROR_LIMIT when they are more than what is left. */
tm_status tmi_compare_work_spend(tmi_compare_work *work, const tm_block *const block[2], tm_error *error);
/*
 * Whether two blocks, or none and none, hold the same bytes; they are unpacked, and counted in `work`, only
 * if that needs it.
 */
tm_status tmi_block_same(bool *is_same, tmi_compare_work *work, const tm_map *const map[2],
                         const tm_block *const block[2], tm_error *error);
/*
 * A number by which blocks of equal content are found: that of the packed bytes, or of the bytes if the block
 * has changed. Equal content that is packed in another way has another key. 0 for no block.
 */
uint64_t tmi_block_key(const tm_block *block);

/* Where an object keeps a block. */
static inline tm_block **tmi_block_slot(void *object, const tm_field *field)
{
    return (tm_block **)(void *)((char *)object + field->offset);
}

/*
 * Calls visit for each block pointer of the map (pixels, sounds, tiles, compat arrays, quads, sources), in
 * the order in which DDNet writes data; stops at a failure.
 */
tm_status tmi_map_each_block(const tm_map *map,
                             tm_status (*visit)(void *ctx, tm_block *block, const tm_address *address),
                             void *ctx);

/* The bytes of a block if it is unpacked now, else NULL. */
static inline const void *tmi_block_held(const tm_block *block)
{
    return atomic_load_explicit(&TMI_UNCONST(tm_block, block)->bytes, memory_order_acquire);
}
/* The bytes of a block that was just made, for writing. */
static inline void *tmi_block_own(const tm_block *block)
{
    return TMI_UNCONST(void, tmi_block_held(block));
}
/* All bytes into `buffer`, which has room for block->size of them. */
tm_status tmi_block_read(const tm_block *block, void *buffer, tm_error *error);
/* The bytes of a block while a function runs: those of the map, else a temporary copy. */
typedef struct tmi_borrowed {
    const tm_map *map;
    const void *bytes; /* NULL for a NULL block */
    uint64_t size;
    const tm_block *block; /* must live until the end; NULL: the bytes are those that the map holds */
} tmi_borrowed;
tm_status tmi_borrowed_open(tmi_borrowed *loan, const tm_map *map, const tm_block *block, tm_error *error);
void tmi_borrowed_close(tmi_borrowed *loan);
/*
 * The first bytes of a block that has no runs, at most *size, whole elements; *size receives how many.
 * Nothing else is unpacked.
 */
tm_status tmi_block_head(const tm_block *block, void *buffer, size_t *size, tm_error *error);
/* Whether two blocks are one block of one file, seen in the same way. */
static inline bool tmi_block_same_data(const tm_block *a, const tm_block *b)
{
    return a && b && !a->changed && !b->changed && a->origin && a->origin == b->origin &&
           a->data_index == b->data_index && a->view == b->view && a->size == b->size;
}

#endif
