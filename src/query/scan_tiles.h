/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_SCAN_TILES_H
#define TMI_QUERY_SCAN_TILES_H
/*
 * Going over the tiles of a grid: which ones fit a test.
 */
#include "find.h"

/* The part [x0, x1) x [y0, y1) of a grid. */
typedef struct tile_window {
    uint32_t x0, y0, x1, y1;
} tile_window;
/* Cuts it to a region; what is left may be nothing. */
void tmi_tile_window_cut(tile_window *window, int32_t x, int32_t y, uint32_t width, uint32_t height);

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
/* Row by row; stops when the sink fails. */
tm_status tmi_tile_scan_run(const tile_scan *scan, const tm_grid *grid, tile_window window, tile_sink *sink,
                            void *ctx, tm_error *error);

#endif
