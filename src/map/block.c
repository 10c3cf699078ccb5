/* SPDX-License-Identifier: Zlib */
/*
 * Blocks: bytes that are packed in the file, unpacked, or changed. Unpacking is the origin's work; this file
 * decides when it happens, who owns the result and what it counts against limits.unpacked_bytes.
 *
 *   STATE      origin  bytes  changed
 *   packed     set     NULL   no
 *   unpacked   set     set    no       may fall back to packed at any time
 *   changed    any     set    yes      the file's bytes are history
 *
 * Bytes that are in memory as in the file are the origin's, for all maps and for the datafile's own callers
 * (`shares`); the block is one of their users until it needs bytes of its own to write to. Changed bytes are
 * shared by a map and its clones in the same way, without the origin: who writes takes a copy, unless it is
 * the last one who has them.
 *
 * Several threads may ask for the same packed block at once. Each may unpack it; the first to publish its
 * bytes by compare-exchange wins and the others throw theirs away. A lock would save that rare double work,
 * but would need threads from the operating system, of which this room knows nothing. Must not know what a
 * file is.
 */
#include "internal.h"

/* ------------------------------------------------------------------------------------------------ origins */

void tmi_origin_retain(const tmi_origin *origin)
{
    if (origin)
        atomic_fetch_add_explicit(&TMI_UNCONST(tmi_origin, origin)->references, 1, memory_order_relaxed);
}

void tmi_origin_release(const tmi_origin *origin)
{
    tmi_origin *shared = TMI_UNCONST(tmi_origin, origin);
    if (shared && atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1)
        (shared->functions->free)(shared); /* in brackets: base.h bans a word by macro */
}

/* ------------------------------------------------------------------------------------------------- memory */

tmi_account *tmi_map_account(const tm_map *map)
{
    const tmi_origin *origin = map->priv->origin;
    return origin && origin->account ? origin->account : &map->priv->family->account;
}

/* The use of a block's bytes ends, be they the origin's or its own. */
static void release_bytes(const tm_map *map, const tm_block *block, const void *bytes)
{
    tmi_account *account = block->shares ? block->origin->account : tmi_map_account(map);
    if (block->shares && !block->origin->functions->end_use(block->origin, block, false))
        return;
    if (tmi_bytes_leave(bytes))
        tmi_uncount_bytes(account, block->size);
}

tm_status tmi_map_check_room(const tm_map *map, uint64_t size, tm_error *error)
{
    const uint64_t limit = map->priv->limits.unpacked_bytes;
    const uint64_t held = tmi_map_held(map);
    if (held <= limit && size <= limit - held)
        return TM_OK;
    return tmi_fail_room(error, -1, size, held, limit);
}

/* Memory for the bytes of a block, zeroed or not, counted against the limits. */
static tm_status allocate_bytes(void **out, const tm_map *map, uint64_t size, bool zeroed, tm_error *error)
{
    const tm_limits *limits = &map->priv->limits;
    void *bytes = NULL;
    if (size > limits->block_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the block has %llu bytes, and the limit is %llu",
                        (unsigned long long)size, (unsigned long long)limits->block_bytes);
    TM_TRY(tmi_count_bytes(tmi_map_account(map), size, limits->unpacked_bytes, -1, error));
    if (size <= SIZE_MAX)
        bytes = tmi_bytes_new(tmi_map_allocator(map), (size_t)size, zeroed);
    if (!bytes) {
        tmi_uncount_bytes(tmi_map_account(map), size);
        return tmi_fail_memory(error, size, "unpacked data");
    }
    *out = bytes;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------ making blocks */

/* A block with no bytes; its origin is retained. */
static tm_status new_block(tm_block **out, tm_map *map, const tmi_origin *origin, tmi_encoding view,
                           uint64_t size, tm_error *error)
{
    TM_TRY(tmi_reserve_zeroed(out, tmi_map_allocator(map), 1, sizeof(**out), "a data block", error));
    tmi_origin_retain(origin);
    (*out)->origin = origin;
    (*out)->view = view;
    (*out)->size = size;
    atomic_init(&(*out)->bytes, NULL);
    return TM_OK;
}

tm_status tmi_block_new_packed(tm_block **out, tm_map *map, uint32_t data_index, tmi_encoding view,
                               uint64_t size, tm_error *error)
{
    TMI_ASSERT(map->priv->origin);
    TM_TRY(new_block(out, map, map->priv->origin, view, size, error));
    (*out)->data_index = data_index;
    return TM_OK;
}

tm_status tmi_block_new(tm_block **out, tm_map *map, tmi_encoding view, const void *bytes, uint64_t size,
                        tm_error *error)
{
    TM_TRY(new_block(out, map, NULL, view, size, error));
    void *memory = NULL;
    tm_status status = allocate_bytes(&memory, map, size, !bytes, error);
    if (status != TM_OK) {
        tmi_block_free(map, *out);
        *out = NULL;
        return status;
    }
    if (bytes && size)
        memcpy(memory, bytes, (size_t)size);
    (*out)->changed = true;
    atomic_store_explicit(&(*out)->bytes, memory, memory_order_relaxed);
    return TM_OK;
}

tm_status tmi_block_new_again(tm_block **out, tm_map *map, const tm_block *block, uint64_t size,
                              tm_error *error)
{
    TMI_ASSERT(block->origin);
    TM_TRY(new_block(out, map, block->origin, block->view, size, error));
    (*out)->data_index = block->data_index;
    return TM_OK;
}

void tmi_block_inherit(tm_block *block, const tm_block *old, uint32_t width, uint32_t height)
{
    if (!old->origin)
        return;
    TMI_ASSERT(block->changed && !block->origin);
    tmi_origin_retain(old->origin);
    block->origin = old->origin;
    block->data_index = old->data_index;
    block->home = old->home;
    if (block->home.size)
        return;
    block->home.size = old->size;
    block->home.width = width;
    block->home.height = height;
}

void tmi_block_set_origin(tm_map *map, tm_block *block, const tmi_origin *origin)
{
    TMI_ASSERT(block->changed && !block->origin);
    tmi_origin_retain(origin);
    block->origin = origin;
    block->data_index = UINT32_MAX;
    block->changed = false;
    tmi_map_drop_data(map, block);
}

tm_status tmi_block_copy(tm_block **out, tm_map *map, const tm_block *block, const tm_map *source,
                         tm_error *error)
{
    *out = NULL;
    if (!block)
        return TM_OK;
    if (block->changed) {
        const void *held = tmi_block_held(block);
        /* The same bytes, as long as nobody writes, if they are counted where the new block's would be. */
        if (source && tmi_map_account(map) == tmi_map_account(source)) {
            TM_TRY(new_block(out, map, NULL, block->view, block->size, error));
            tmi_bytes_share(held);
            (*out)->changed = true;
            atomic_store_explicit(&(*out)->bytes, TMI_UNCONST(void, held), memory_order_relaxed);
        } else {
            TM_TRY(tmi_block_new(out, map, block->view, held, block->size, error));
        }
        if (block->home.size)
            tmi_block_inherit(*out, block, 0, 0);
        return TM_OK;
    }
    TM_TRY(new_block(out, map, block->origin, block->view, block->size, error));
    (*out)->data_index = block->data_index;
    (*out)->shares = block->shares;
    (*out)->copied = map == source || block->copied;
    (*out)->is_short = block->is_short;
    return TM_OK;
}

tm_status tmi_block_put_copy(tm_map *map, tm_block **slot, const tm_block *block, tm_error *error)
{
    tm_block *fresh;
    TM_TRY(tmi_block_copy(&fresh, map, block, NULL, error));
    if (fresh)
        fresh->copied = true;
    tmi_block_put(map, slot, fresh);
    return TM_OK;
}

void tmi_block_free(tm_map *map, tm_block *block)
{
    if (!block)
        return;
    void *bytes = atomic_load_explicit(&block->bytes, memory_order_relaxed);
    if (bytes)
        release_bytes(map, block, bytes);
    tmi_origin_release(block->origin);
    tmi_free(tmi_map_allocator(map), block, 1, sizeof(*block));
}

tmi_encoding tmi_encoding_of(tm_layer_kind kind)
{
    switch (kind) {
    case TM_LAYER_QUADS:
    case TM_LAYER_SOUNDS:
    case TM_LAYER_OLD_SOUNDS: return TMI_ENCODING_INTS;
    case TM_LAYER_SPEEDUP: return TMI_ENCODING_SPEEDUP;
    default: return TMI_ENCODING_BYTES;
    }
}

static void swap_bytes(uint8_t *a, uint8_t *b)
{
    uint8_t byte = *a;
    *a = *b;
    *b = byte;
}

void tmi_encoding_swap(void *bytes, uint64_t size, tmi_encoding view)
{
    uint8_t *b = bytes;
    if (tmi_little_endian())
        return;
    if (view == TMI_ENCODING_INTS) {
        for (uint64_t i = 0; i + 4 <= size; i += 4) {
            swap_bytes(&b[i], &b[i + 3]);
            swap_bytes(&b[i + 1], &b[i + 2]);
        }
    } else if (view == TMI_ENCODING_SPEEDUP) {
        for (uint64_t i = 0; i + sizeof(tm_speedup_tile) <= size; i += sizeof(tm_speedup_tile))
            swap_bytes(&b[i + 4], &b[i + 5]);
    }
}

tm_block_info tm_block_get_info(const tm_block *block)
{
    tm_block_info info = {0, 0, TM_NONE, false, false};
    if (!block)
        return info;
    info.size = block->size;
    info.unpacked = tmi_block_held(block);
    info.changed = block->changed;
    if (!block->changed) {
        info.packed_size = block->origin->functions->packed_size(block->origin, block->data_index);
        info.data_index = (int32_t)block->data_index;
    }
    return info;
}

/* ------------------------------------------------------------------------------------------------ reading */

/*
 * The bytes of a packed block, until release_bytes: those that the origin keeps, or unpacked into fresh
 * memory.
 */
static tm_status fetch_bytes(const tm_map *map, const tm_block *block, const void **bytes, tm_error *error)
{
    *bytes = NULL;
    if (tmi_cancelled(map->priv->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    if (block->shares)
        return block->origin->functions->use(block->origin, block, bytes, error);
    void *memory = NULL;
    TM_TRY(allocate_bytes(&memory, map, block->size, false, error));
    tm_status status = tmi_block_read(block, memory, error);
    if (status != TM_OK)
        release_bytes(map, block, memory);
    else
        *bytes = memory;
    return status;
}

tm_status tm_map_data(const void **bytes, uint64_t *size, const tm_map *map, const tm_block *block,
                      tm_error *error)
{
    TM_TRY(tmi_need(bytes, "bytes", error));
    *bytes = NULL;
    if (size)
        *size = 0;
    TM_TRY(tmi_need(map, "map", error));
    if (!block)
        return TM_OK;
    *bytes = tmi_block_held(block);
    if (!*bytes) {
        void *winner = NULL;
        TM_TRY(fetch_bytes(map, block, bytes, error));
        /* Publishes the bytes, unless another thread was faster. */
        if (!atomic_compare_exchange_strong_explicit(&TMI_UNCONST(tm_block, block)->bytes, &winner,
                                                     TMI_UNCONST(void, *bytes), memory_order_acq_rel,
                                                     memory_order_acquire)) {
            release_bytes(map, block, *bytes);
            *bytes = winner;
        }
    }
    if (size)
        *size = block->size;
    return TM_OK;
}

tm_status tm_map_read_data(const tm_map *map, const tm_block *block, void *buffer, uint64_t size,
                           tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    uint64_t need = block ? block->size : 0;
    if (size != need)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the buffer has %llu bytes, the block %llu",
                        (unsigned long long)size, (unsigned long long)need);
    if (need == 0)
        return TM_OK;
    TM_TRY(tmi_need(buffer, "buffer", error));
    if (tmi_cancelled(map->priv->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    return tmi_block_read(block, buffer, error);
}

tm_status tmi_block_read(const tm_block *block, void *buffer, tm_error *error)
{
    const void *held = tmi_block_held(block);
    if (!held)
        return block->origin->functions->read(block->origin, block, buffer, error);
    memcpy(buffer, held, (size_t)block->size);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- packed bytes */

enum { PIECE = 16384 }; /* bytes that are looked at in one go; two of them fit any stack */

bool tmi_block_same_packed(const tm_block *a, const tm_block *b)
{
    uint8_t left[PIECE], right[PIECE];
    if (!a || !b || a->changed || b->changed || a->view != b->view || a->size != b->size)
        return false;
    if (a->is_short != b->is_short) /* one file announces less of the same stream, so less of it is read */
        return false;
    if (a->origin == b->origin && a->data_index == b->data_index)
        return true;
    if (!a->origin->functions->read_packed || !b->origin->functions->read_packed ||
        a->origin->packing != b->origin->packing)
        return false;
    const uint64_t size = a->origin->functions->packed_size(a->origin, a->data_index);
    if (size != b->origin->functions->packed_size(b->origin, b->data_index))
        return false;
    for (uint64_t offset = 0; offset < size; offset += PIECE) {
        const size_t piece = size - offset < PIECE ? (size_t)(size - offset) : PIECE;
        if (a->origin->functions->read_packed(a->origin, a->data_index, offset, left, piece) != TM_OK ||
            b->origin->functions->read_packed(b->origin, b->data_index, offset, right, piece) != TM_OK ||
            memcmp(left, right, piece) != 0)
            return false;
    }
    return true;
}

/* The last bytes of the packed block; false if there are none, as for a changed block. */
static bool read_checksum(uint8_t out[4], const tm_block *block)
{
    const struct tmi_origin_functions *functions = block->origin ? block->origin->functions : NULL;
    if (block->changed || !functions || !functions->read_packed)
        return false;
    const uint64_t size = functions->packed_size(block->origin, block->data_index);
    return size > 4 && !functions->read_packed(block->origin, block->data_index, size - 4, out, 4);
}

bool tmi_block_may_equal(const tm_block *a, const tm_block *b)
{
    uint8_t here[4], there[4];
    if (!a || !b || a->size != b->size)
        return false;
    return !read_checksum(here, a) || !read_checksum(there, b) || memcmp(here, there, sizeof(here)) == 0;
}

uint64_t tmi_block_key(const tm_block *block)
{
    uint8_t piece[PIECE];
    if (!block || (!block->changed && !block->origin->functions->read_packed))
        return 0;
    uint64_t key = tmi_hash_number(TMI_HASH, (int64_t)block->size);
    if (block->changed)
        return tmi_hash(key, tmi_block_held(block), (size_t)block->size) | 1;
    const uint64_t size = block->origin->functions->packed_size(block->origin, block->data_index);
    key = tmi_hash_text(key, "packed");
    for (uint64_t offset = 0; offset < size; offset += PIECE) {
        const size_t part = size - offset < PIECE ? (size_t)(size - offset) : PIECE;
        if (block->origin->functions->read_packed(block->origin, block->data_index, offset, piece, part) !=
            TM_OK)
            return 0;
        key = tmi_hash(key, piece, part);
    }
    return key | 1;
}

tm_status tmi_borrowed_open(tmi_borrowed *loan, const tm_map *map, const tm_block *block, tm_error *error)
{
    memset(loan, 0, sizeof(*loan));
    if (!block)
        return TM_OK;
    loan->map = map;
    loan->size = block->size;
    if (tmi_cancelled(map->priv->cancel))
        return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
    loan->bytes = tmi_block_held(block);
    if (loan->bytes)
        return TM_OK;
    /*
     * A block's size is only a claim of the file until it is unpacked, so loans count against the limits,
     * too.
     */
    TM_TRY(fetch_bytes(map, block, &loan->bytes, error));
    loan->block = block;
    return TM_OK;
}

tmi_compare_work tmi_compare_work_of(const tm_limits *limits)
{
    enum { TIMES = 4 }; /* both sides of a comparison, and each block twice */
    const uint64_t least = UINT64_C(4) << 30, held = limits->unpacked_bytes;
    const uint64_t times = held < UINT64_MAX / TIMES ? held * TIMES : UINT64_MAX;
    const uint64_t most = times > least ? times : least; /* what bounds time need not be as low as memory */
    return (tmi_compare_work){most, most};
}

tm_status tmi_compare_work_spend(tmi_compare_work *work, const tm_block *const block[2], tm_error *error)
{
    const uint64_t size[2] = {block[0] ? block[0]->size : 0, block[1] ? block[1]->size : 0};
    if (size[0] > work->left || size[1] > work->left - size[0])
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "objects that share data have more than %llu bytes to compare, which is the limit",
                        (unsigned long long)work->most);
    work->left -= size[0] + size[1];
    return TM_OK;
}

tm_status tmi_block_same(bool *is_same, tmi_compare_work *work, const tm_map *const map[2],
                         const tm_block *const block[2], tm_error *error)
{
    tmi_borrowed loan[2];
    *is_same = block[0] == block[1] || tmi_block_same_packed(block[0], block[1]);
    if (*is_same || !block[0] || !block[1] || block[0]->size != block[1]->size)
        return TM_OK;
    TM_TRY(tmi_compare_work_spend(work, block, error));
    TM_TRY(tmi_borrowed_open(&loan[0], map[0], block[0], error));
    const tm_status status = tmi_borrowed_open(&loan[1], map[1], block[1], error);
    *is_same = !status && memcmp(loan[0].bytes, loan[1].bytes, (size_t)loan[0].size) == 0;
    tmi_borrowed_close(&loan[1]);
    tmi_borrowed_close(&loan[0]);
    return status;
}

tm_status tmi_block_head(const tm_block *block, void *buffer, size_t *size, tm_error *error)
{
    const void *held = tmi_block_held(block);
    TMI_ASSERT(block->view != TMI_ENCODING_RUNS);
    if (!held && block->origin->functions->read_head) {
        TM_TRY(block->origin->functions->read_head(block->origin, block, buffer, size, error));
        tmi_encoding_swap(buffer, *size, block->view);
        return TM_OK;
    }
    *size = !held ? 0 : block->size < *size ? (size_t)block->size : *size;
    if (held)
        memcpy(buffer, held, *size);
    return TM_OK;
}

void tmi_borrowed_close(tmi_borrowed *loan)
{
    if (loan->block)
        release_bytes(loan->map, loan->block, loan->bytes);
    memset(loan, 0, sizeof(*loan));
}

/* ---------------------------------------------------------------------------------- changing and dropping */

tm_status tmi_block_unshare(tm_map *map, tm_block *block, tm_error *error)
{
    void *copy, *held = TMI_UNCONST(void, tmi_block_held(block));
    if (!held)
        return TM_OK;
    /* The last user takes over the memory; the memory of another file is counted there, and copied. */
    if (block->shares && block->origin == map->priv->origin)
        block->shares = !block->origin->functions->end_use(block->origin, block, true);
    if (!block->shares && !tmi_bytes_viewed(held))
        return TM_OK;
    TM_TRY(allocate_bytes(&copy, map, block->size, false, error));
    memcpy(copy, held, (size_t)block->size);
    atomic_store_explicit(&block->bytes, copy, memory_order_release);
    release_bytes(map, block, held);
    block->shares = false;
    return TM_OK;
}

tm_status tm_map_edit_data(void **bytes, uint64_t *size, tm_map *map, tm_block *block, tm_error *error)
{
    TM_TRY(tmi_need(bytes, "bytes", error));
    const void *held;
    *bytes = NULL;
    TM_TRY(tm_map_data(&held, size, map, block, error));
    if (!block)
        return TM_OK;
    tm_status status = tmi_block_unshare(map, block, error);
    if (status != TM_OK) {
        if (size)
            *size = 0;
        return status;
    }
    block->changed = true;
    *bytes = tmi_block_own(block);
    return TM_OK;
}

void tmi_map_drop_data(tm_map *map, tm_block *block)
{
    if (!map || !block || block->changed)
        return;
    void *bytes = atomic_exchange_explicit(&block->bytes, NULL, memory_order_acq_rel);
    if (bytes)
        release_bytes(map, block, bytes);
}

static tm_status drop(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    tmi_map_drop_data(ctx, block);
    return TM_OK;
}

void tm_map_drop_all_data(tm_map *map)
{
    if (map)
        (void)tmi_map_each_block(map, drop, map);
}

/* ------------------------------------------------------------------------------------ walking over blocks */

tm_status tmi_map_each_block(const tm_map *map,
                             tm_status (*visit)(void *ctx, tm_block *block, const tm_address *address),
                             void *ctx)
{
    tm_address place = {TM_KIND_MAP, 0, 0};
    while (tmi_next_object(map, &place)) {
        tm_kind owner;
        tm_block **slots[2];
        void *object = TMI_UNCONST(void, tmi_map_object(map, &place, &owner));
        for (uint32_t i = 0, num = tmi_object_blocks(owner, object, slots); i < num; i++)
            if (*slots[i])
                TM_TRY(visit(ctx, *slots[i], &place));
    }
    return TM_OK;
}
