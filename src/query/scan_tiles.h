/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_SCAN_TILES_H
#define TMI_QUERY_SCAN_TILES_H
/*
 * Going over the tiles of a grid: which ones fit a test.
 */
#include "find.h"

/* A test made ready for one kind of layer. Borrows from the test. */
typedef struct tile_scan {
    const bool *index;
    int index_at;
    uint32_t num_bytes;
    struct {
        int at;
        const bool *fits;
    } bytes[TMI_TILE_PARTS + 1];
    const angle_test *angle; /* NULL: any */
} tile_scan;
/* False: no tile of the kind can fit. */
bool tmi_tile_scan_init(tile_scan *out, const tile_test *test, tm_layer_kind kind);
/* Also asks a byte. */
void tmi_tile_scan_ask(tile_scan *scan, int at, const bool *fits);

/* Sees a run of equal tiles [x0, x1) that fit. */
typedef tm_status tile_sink(void *ctx, const uint8_t *tile, uint32_t x0, uint32_t x1, uint32_t y,
                            tm_error *error);
/* A part of a grid, row by row; stops when the sink fails. */
tm_status tmi_tile_scan_run(const tile_scan *scan, const tm_grid *grid, const tm_rect *part, tile_sink *sink,
                            void *ctx, tm_error *error);

#endif
