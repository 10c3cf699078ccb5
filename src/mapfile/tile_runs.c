/* SPDX-License-Identifier: Zlib */
/*
 * Bytes of blocks between file and memory: the run-length tiles of Teeworlds 0.7 (section 2.8), and byte
 * order. Pure functions on buffers.
 */
#include "mapfile.h"

/* A packed tile: index, flags, skip, reserved; it stands for 1 + skip equal tiles whose skip is 0. */
enum { TILE = sizeof(tm_tile), SKIP = 2, RESERVED = 3, MAX_SKIP = 255 };

tmi_runs_fault tmi_runs_decode(uint8_t *tiles, uint64_t num, const uint8_t *packed, uint64_t num_packed)
{
    uint64_t done = 0, taken = 0;
    uint8_t reserved = 0;
    for (; taken < num_packed && done < num; taken++, packed += TILE) {
        const uint8_t tile[TILE] = {packed[0], packed[1], 0, packed[RESERVED]};
        uint64_t run = 1 + (uint64_t)packed[SKIP];
        if (run > num - done)
            run = num - done;
        for (uint64_t i = done; tiles && i < done + run; i++)
            memcpy(tiles + i * TILE, tile, TILE);
        done += run;
        reserved |= tile[RESERVED];
    }
    if (done < num && tiles)
        memset(tiles + done * TILE, 0, (size_t)(num - done) * TILE);
    if (done < num)
        return TMI_RUNS_SHORT;
    if (taken < num_packed)
        return TMI_RUNS_LEFT_OVER;
    return reserved ? TMI_RUNS_RESERVED : TMI_RUNS_FINE;
}

/*
 * As Teeworlds writes it: runs ignore the ends of rows and are broken only by another index or other flags.
 * Here other reserved bytes break them, too, so that none is lost; they are zero in every real map.
 */
static bool same_tile(const uint8_t *a, const uint8_t *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[RESERVED] == b[RESERVED];
}

uint64_t tmi_runs_encode(uint8_t *packed, const uint8_t *tiles, uint64_t num)
{
    uint64_t out = 0;
    for (uint64_t i = 0; i < num; out++) {
        const uint8_t *first = tiles + i * TILE;
        unsigned skip = 0;
        while (skip < MAX_SKIP && i + skip + 1 < num && same_tile(tiles + (i + skip + 1) * TILE, first))
            skip++;
        if (packed) {
            const uint8_t tile[TILE] = {first[0], first[1], (uint8_t)skip, first[RESERVED]};
            memcpy(packed + out * TILE, tile, TILE);
        }
        i += skip + 1;
    }
    return out;
}
