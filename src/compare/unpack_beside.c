/* SPDX-License-Identifier: Zlib */
/*
 * Two versions of a block, unpacked without a look at the checksums at the ends of their streams. These are
 * judged when it is known where the versions differ: the first by all its bytes, the second by the first and
 * what differs, so that nobody goes through all of it once more.
 *
 * Only for blocks with nothing special about them. All others, and all with a fault, are the business of
 * tm_map_data, which has the words for it and knows what may be forgiven.
 */
#include "compare.h"

#include "../codec/codec.h"

static tm_status inflate_side(bool *fine, tmi_beside *of, int side, size_t packed_size, tmi_differ *differ)
{
    const tm_allocator *allocator = tmi_patch_allocator(differ->patch);
    uint8_t *scratch = tmi_alloc(allocator, packed_size, 1);
    if (!scratch)
        return tmi_fail_memory(differ->error, packed_size, "packed data");
    const uint8_t *packed = tmi_block_zlib_bytes(of->block[side], scratch, packed_size);
    *fine = packed && tmi_inflate_unjudged(differ->inflater, of->bytes[side], (size_t)of->block[side]->size,
                                           &of->sum[side], packed, packed_size);
    tmi_free(allocator, scratch, packed_size, 1);
    return TM_OK;
}

/* What is beyond a limit is left to tm_map_data, too. */
static tm_status unpack_side(bool *fine, tmi_beside *of, int side, tmi_differ *differ)
{
    enum { MAX_RATIO = 1032 }; /* of deflate: beyond that the size is a lie */
    const uint64_t packed_size = tmi_block_zlib_size(of->block[side]), size = of->block[side]->size;
    tm_error reason;
    *fine = false;
    if (packed_size == 0 || packed_size > SIZE_MAX || size / MAX_RATIO > packed_size)
        return TM_OK;
    const tm_status status = tmi_map_take_room(&of->bytes[side], of->map[side], size, &reason);
    if (status == TM_OK)
        return inflate_side(fine, of, side, (size_t)packed_size, differ);
    if (status != TM_ERROR_LIMIT && differ->error)
        *differ->error = reason;
    return status == TM_ERROR_LIMIT ? TM_OK : status;
}

tm_status tmi_beside_open(bool *fine, tmi_beside *of, tmi_differ *differ, const tm_block *const block[2])
{
    tm_status status = TM_OK;
    memset(of, 0, sizeof(*of));
    *fine = differ->beside && block[0]->size == block[1]->size && block[0]->size > 0;
    if (*fine && !differ->inflater)
        differ->inflater = tmi_inflater_new(tmi_patch_allocator(differ->patch));
    if (*fine && !differ->inflater)
        status = tmi_fail_memory(differ->error, 0, "unpacking");
    for (int side = TMI_BEFORE; status == TM_OK && *fine && side <= TMI_AFTER; side++) {
        of->map[side] = differ->map[side];
        of->block[side] = block[side];
        status = unpack_side(fine, of, side, differ);
    }
    *fine = *fine && status == TM_OK;
    if (!*fine)
        tmi_beside_close(of);
    return status;
}

/* The sum of the bytes AFTER, from that of those BEFORE; false where the change does not tell of all. */
static bool sum_by_change(uint32_t *sum, const tmi_delta *delta, uint64_t size)
{
    enum { LITTLE = 32 };
    const tmi_grid *grid = delta && delta->type == TMI_DELTA_GRID ? delta->grid : NULL;
    if (!delta)
        return true;
    if (!grid || tmi_grid_reshaped(grid) || grid->num > size / grid->size / LITTLE ||
        (uint64_t)grid->width[0] * grid->height[0] * grid->size != size)
        return false;
    for (uint32_t r = 0; r < grid->num_runs; r++) {
        const tmi_grid_run *run = &grid->runs[r];
        const size_t first = (size_t)run->first * grid->size, num = (size_t)run->num * grid->size;
        const uint64_t offset = ((uint64_t)run->y * grid->width[0] + (uint64_t)run->x) * grid->size;
        *sum = tmi_adler32_change(*sum, size, offset, grid->bytes[0] + first, grid->bytes[1] + first, num);
    }
    return true;
}

bool tmi_beside_fine(const tmi_beside *of, const tmi_delta *delta)
{
    const uint64_t size = of->block[0]->size;
    uint32_t sum = tmi_adler32(of->bytes[TMI_BEFORE], (size_t)size);
    if (sum != of->sum[TMI_BEFORE])
        return false;
    if (sum_by_change(&sum, delta, size) && sum == of->sum[TMI_AFTER])
        return true;
    return tmi_adler32(of->bytes[TMI_AFTER], (size_t)size) == of->sum[TMI_AFTER];
}

void tmi_beside_close(tmi_beside *of)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (of->bytes[side])
            tmi_map_leave_room(of->map[side], of->bytes[side], of->block[side]->size);
    memset(of, 0, sizeof(*of));
}
