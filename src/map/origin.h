/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_ORIGIN_H
#define TMI_MAP_ORIGIN_H
/*
 * The file behind a map, which the map reaches without knowing what a file is, and what a block is: bytes of
 * that file, or of its own. mapfile/ implements the origin; nobody else does.
 */
#include <teemap/fields.h>

#include "../base/base.h"

#include <stdatomic.h>

/*
 * Casts const away. Only for the library's own fields inside a const object (atomic pointers, reference
 * counts), which functions that read may change.
 */
#define TMI_UNCONST(type, pointer) ((type *)(uintptr_t)(pointer))

/*
 * How the bytes of a block in the file become those in memory; the origin applies it. INTS: 32-bit
 * integers, SPEEDUP: 6-byte tiles that end in a 16-bit integer (both only swapped on big-endian hosts),
 * RUNS: run-length tm_tile of Teeworlds 0.7 (section 2.8).
 */
typedef enum tmi_encoding {
    TMI_ENCODING_BYTES,
    TMI_ENCODING_INTS,
    TMI_ENCODING_SPEEDUP,
    TMI_ENCODING_RUNS
} tmi_encoding;

struct tm_block {
    const struct tmi_origin *origin; /* NULL: the bytes below are all there is */
    uint32_t data_index;             /* in the origin */
    tmi_encoding view;               /* also for new blocks: mapfile writes by it */
    bool changed;                    /* the bytes below count, those of the origin no longer do */
    bool shares;                     /* the bytes below are the origin's, which several maps use */
    bool copied;                     /* duplicate of another block: it gets data of its own when saved */
    bool is_short;                   /* the origin has fewer bytes than `size`: games read no such tiles */
    uint64_t size;                   /* bytes in memory */
    /*
     * Of a changed grid of tiles: the size that it has in the origin, so that a layer which gets that size
     * back can take the origin's bytes again (tmi_map_ungrow).
     */
    struct {
        uint64_t size;          /* bytes; 0: not known */
        uint32_t width, height; /* tiles */
        tm_transform turned;    /* how the grid lies now */
    } home;
    _Atomic(void *) bytes; /* NULL: not unpacked */
};

/*
 * The file behind objects and blocks: immutable once loaded, shared by the map, its clones and whoever
 * holds its blocks.
 */
typedef struct tmi_origin {
    atomic_uint references;
    tmi_account *account; /* of the file and all its maps; NULL: each map has its own */
    uint32_t
        packing; /* how blocks are packed: the same packed bytes are the same bytes only where this is, too */
    /* Set while loading: items or integers that the model does not know may refer to objects by number. */
    bool may_refer;
    const struct tmi_origin_functions {
        /* Unpacks a block into `buffer` of block->size bytes, through its view. */
        tm_status (*read)(const struct tmi_origin *origin, const tm_block *block, void *buffer,
                          tm_error *error);
        /* The first bytes of a block as the file has them, at most *size; *size receives how many came.
           May be NULL. */
        tm_status (*read_head)(const struct tmi_origin *origin, const tm_block *block, void *buffer,
                               size_t *size, tm_error *error);
        /*
         * For blocks that share: the bytes that the origin keeps, made by tmi_bytes_new and counted in
         * the account, for one more user. A user ends its use; of the last one the bytes are then, still
         * counted, and `end_use` returns true. `last_only`: unless it is the last, its use goes on.
         */
        tm_status (*use)(const struct tmi_origin *origin, const tm_block *block, const void **bytes,
                         tm_error *error);
        bool (*end_use)(const struct tmi_origin *origin, const tm_block *block, bool last_only);
        bool (*in_use)(const struct tmi_origin *origin, const tm_block *block);
        /* Whether an item goes on behind what the model knows; may be NULL. */
        bool (*has_tail)(const struct tmi_origin *origin, uint32_t item);
        /* Bytes of the block in the file. */
        uint64_t (*packed_size)(const struct tmi_origin *origin, uint32_t data_index);
        /* Copies some of these; may be NULL. */
        tm_status (*read_packed)(const struct tmi_origin *origin, uint32_t data_index, uint64_t offset,
                                 void *buffer, size_t size);
        void (*free)(struct tmi_origin *origin);
    } * functions;
} tmi_origin;

void tmi_origin_retain(const tmi_origin *origin);
void tmi_origin_release(const tmi_origin *origin); /* frees with the last reference; NULL is fine */

#endif
