/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_GRID_H
#define TMI_MAP_GRID_H
/*
 * The tiles of layers: other sizes, runs, and grids that are open for the time of a function.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "block.h"

/*
 * Gives a tile layer of the map size[0] x size[1] tiles, which `fill` makes of the old ones: the grid
 * `before` lives until it returns, all of `after` is to be written. What DDNet keeps for other games beside
 * physics tiles becomes zero. A layer without tiles only changes its size. Both sides are at least 1.
 */
typedef void tmi_regrid_fill(void *ctx, const tm_grid *before, const tm_edit_grid *after);
tm_status tmi_map_regrid(tm_map *map, tm_layer *layer, const uint32_t size[2], tmi_regrid_fill *fill,
                         void *ctx, tm_error *error);
/*
 * The same tiles one behind the other in rows of another length, and air behind them. Unpacks what it keeps.
 */
tm_status tmi_map_rewrap(tm_map *map, tm_layer *layer, const uint32_t size[2], tm_error *error);
/* A grid of another size and how the old content lies in it; the resized block, NULL for NULL. */
typedef struct tmi_resizing {
    uint32_t old_width, old_height, width, height;
    int32_t dx, dy;
} tmi_resizing;
tm_status tmi_block_resized(tm_block **out, tm_map *map, const tm_block *block, const tmi_resizing *resizing,
                            size_t tile_size, tm_error *error);
/*
 * Takes the file's tiles again for a layer that only differs from them in that its edges were repeated to the
 * right and below.
 */
tm_status tmi_map_ungrow(tm_map *map, tm_layer *layer, tm_error *error);

/* How far the tile at `tile`, of `size` bytes, goes on unchanged, at most to `end`. */
const uint8_t *tmi_run_end(const uint8_t *tile, const uint8_t *end, size_t size);

/* The grid of a tile layer for the same time; it has no tiles when the layer has none. */
tm_status tmi_borrowed_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                            tm_error *error);
/* Whether two layers are of one kind and size and share their tiles. */
bool tmi_layers_share_tiles(const tm_layer *a, const tm_layer *b);
/*
 * Tile layers that were looked at last: layers may share their tiles, so that a small file has many large
 * ones. Those in the list must live and stay as they are.
 */
enum { TMI_SEEN_LAYERS = 16 };
typedef struct tmi_seen_layers {
    const tm_layer *list[TMI_SEEN_LAYERS];
    size_t num;
} tmi_seen_layers;
/*
 * Whether a layer of the same kind and size with the same tiles is in the list; if not, this one comes into
 * it. *place is where in the list.
 */
bool tmi_layer_was_seen(size_t *place, tmi_seen_layers *seen, const tm_layer *layer);
/*
 * For loops over layers that change nothing: the loan of the last layer, zeroed at first, becomes that of
 * this one. Layers may share data, which stay unpacked from one to the next. Close it behind the loop.
 */
tm_status tmi_borrowed_next_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                                 tm_error *error);

#endif
