/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers (section 4). Tiles stand straight on the screen, so everything about a pixel's place in its
 * tile depends on its column or its row alone: both are worked out once for a block of the picture, and for
 * each way that a tile can be turned. Then the block is walked tile by tile. Outside of the layer its border
 * tiles go on forever.
 */
#include "tile_raster.h"
#include "render.h"

#include <math.h>

enum {
    BLOCK = 2048 /* pixels; bounds the memory, whatever the picture's size */
};
/* In pixels of work: a tile that is looked at, a run of equal ones that is drawn, and its pixels. */
enum { LOOK_COST = 1, RUN_COST = 32, PIXEL_COST = 2 };

/* Neighbouring pixels of one tile. */
typedef struct span {
    uint32_t first, num; /* from the start of the block */
    double tile;         /* from the start of the layer; outside of it below 0 or beyond its end */
} span;

/* pixel = (world - left) * scale - origin */
typedef struct ruler {
    double left, scale, origin;
    bool is_down;
} ruler;

/* What the taps of an axis depend on besides it. */
typedef struct tap_key {
    bool known;
    uint32_t sides[2]; /* texels, in both levels */
    float weight;      /* of the second level */
} tap_key;

/* The columns or rows of a block. */
typedef struct axis {
    ruler measure;
    int64_t first;           /* of the picture's */
    uint32_t num, num_spans; /* num 0: not set yet */
    span spans[BLOCK];
    tap_key taps[2][2]; /* that were worked out: of straight and turned tiles, straight and flipped */
} axis;

/* What the columns of a block read. */
typedef struct column_taps {
    uint32_t at[2][BLOCK + TMI_SPARE_COLUMNS];
    tmi_rgba weights[4][BLOCK + TMI_SPARE_COLUMNS];
} column_taps;

/* How one layer is drawn. */
typedef struct brush {
    const tmi_mipmap *mipmap; /* NULL: one color */
    tmi_lod lod;
    bool square; /* turned tiles read as straight ones do */
    tmi_rgba factor;
    bool solid;      /* the factor leaves opaque texels opaque */
    bool multiplied; /* colors are multiplied by their alpha: the look of Teeworlds 0.7 */
    bool straight;   /* and yet laid over as if they were not */
    bool replaces;   /* there, tiles marked as opaque replace what is below */
    tmi_draw_cell *draw;
    tmi_rgba *mixed[2];
    const tmi_cover *cover; /* NULL: nothing is known */
    uint32_t order;
    const tmi_tile_pass *pass; /* of a physics layer; NULL for design tiles */
    tmi_budget *budget;
} brush;

/* State that the layers of a picture share: columns and rows are mostly the same. */
struct tmi_tile_work {
    axis x_axis, y_axis;
    column_taps columns[2][2]; /* as axis.taps */
    tmi_tap rows[2][2][BLOCK];
    uint32_t nearest[BLOCK]; /* tile of the grid at hand, of each span across */
    size_t size, num_mixed;  /* bytes of all; texels for which there is room */
    tmi_rgba mixed[];        /* of both levels */
};
typedef struct tmi_tile_work work;

/* --------------------------------------------------------------------------------------------------- axes */

static ruler ruler_across(const tmi_screen *screen)
{
    return (ruler){screen->left, screen->scale_x, screen->origin_x, false};
}

static ruler ruler_down(const tmi_screen *screen)
{
    return (ruler){screen->top, screen->scale_y, screen->origin_y, true};
}

/* First pixel of a tile: its edge on the rasteriser's grid decides, not a floor of the world. */
static int64_t tile_start(const ruler *measure, double tile)
{
    const int64_t edge = tmi_snap((tile * TM_TILE_PX - measure->left) * measure->scale);
    return (measure->is_down ? tmi_first_row(edge) : tmi_first_column(edge)) - (int64_t)measure->origin;
}

static double world_at(const ruler *measure, int64_t pixel)
{
    return measure->left + ((double)pixel + measure->origin + 0.5) / measure->scale;
}

/* The tile that a pixel shows. */
static double drawn_tile_at(const ruler *measure, int64_t pixel)
{
    const double tile = floor(world_at(measure, pixel) / TM_TILE_PX);
    return tile_start(measure, tile) > pixel        ? tile - 1
           : tile_start(measure, tile + 1) <= pixel ? tile + 1
                                                    : tile;
}

static void set_axis(axis *tile_axis, const ruler *measure, int64_t first, uint32_t num)
{
    if (tile_axis->num == num && tile_axis->first == first && tile_axis->measure.left == measure->left &&
        tile_axis->measure.scale == measure->scale && tile_axis->measure.origin == measure->origin)
        return;
    tile_axis->measure = *measure;
    tile_axis->first = first;
    tile_axis->num = num;
    tile_axis->num_spans = 0;
    memset(tile_axis->taps, 0, sizeof(tile_axis->taps));
    for (uint32_t i = 0, step; i < num; i += step) {
        const double tile = drawn_tile_at(&tile_axis->measure, first + i);
        const int64_t left = tile_start(&tile_axis->measure, tile + 1) - (first + i);
        step = left < 1 ? 1 : left > num - i ? num - i : (uint32_t)left;
        if (i == 0 || tile_axis->spans[tile_axis->num_spans - 1].tile != tile)
            tile_axis->spans[tile_axis->num_spans++] = (span){i, 0, tile};
        tile_axis->spans[tile_axis->num_spans - 1].num += step;
    }
}

/* --------------------------------------------------------------------------------------------------- taps */

/* The texels that pixel `i` of an axis reads of sides with so many texels, and their weights. */
static tmi_tap tap_of(const axis *tile_axis, const span *columns, uint32_t i, bool flip,
                      const uint32_t sides[2])
{
    tmi_tap out;
    double u = world_at(&tile_axis->measure, tile_axis->first + i) / TM_TILE_PX - columns->tile;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    for (size_t k = 0; k < 2; k++) {
        const double x = (flip ? 1 - u : u) * sides[k] + 0.5; /* texels count from 1, centres are at halves */
        out.at[k] = (uint32_t)x;
        out.weights[2 * k + 1] = (float)(x - out.at[k]);
        out.weights[2 * k] = 1 - out.weights[2 * k + 1];
    }
    return out;
}

static void put_column(column_taps *out, uint32_t i, const tmi_tap *tap, const tmi_lod *lod)
{
    for (int k = 0; k < 2; k++)
        out->at[k][i] = tap->at[k] * TMI_RGBA_SIZE;
    for (int k = 0; k < 4; k++) {
        const float weight = tap->weights[k] * (k < 2 ? 1 - lod->weight : lod->weight);
        out->weights[k][i] = (tmi_rgba){weight, weight, weight, weight};
    }
}

/* Notes what taps depend on; false if they depend on the same as before, and need not be worked out again. */
static bool take_key(tap_key *key, const uint32_t sides[2], float weight)
{
    if (key->known && key->sides[0] == sides[0] && key->sides[1] == sides[1] && key->weight == weight)
        return false;
    *key = (tap_key){true, {sides[0], sides[1]}, weight};
    return true;
}

/* Columns and rows are computed when the first tile needs them. */
static tmi_columns columns_of(work *item, const brush *paint, bool turned, bool flip, uint32_t first)
{
    const uint32_t *widths = turned ? paint->mipmap->heights : paint->mipmap->widths;
    const uint32_t sides[2] = {widths[paint->lod.level], widths[paint->lod.next]};
    static const tmi_tap empty;
    const axis *x_axis = &item->x_axis;
    column_taps *taps = &item->columns[turned][flip];
    if (take_key(&item->x_axis.taps[turned][flip], sides, paint->lod.weight)) {
        for (uint32_t s = 0; s < x_axis->num_spans; s++) {
            const span *columns = &x_axis->spans[s];
            for (uint32_t i = columns->first; i < columns->first + columns->num; i++) {
                const tmi_tap tap = tap_of(x_axis, columns, i, flip, sides);
                put_column(taps, i, &tap, &paint->lod);
            }
        }
        for (uint32_t i = 0; i < TMI_SPARE_COLUMNS; i++)
            put_column(taps, x_axis->num + i, &empty, &paint->lod);
    }
    return (tmi_columns){{taps->at[0] + first, taps->at[1] + first},
                         {taps->weights[0] + first, taps->weights[1] + first, taps->weights[2] + first,
                          taps->weights[3] + first}};
}

static const tmi_tap *rows_of(work *item, const brush *paint, bool turned, bool flip, uint32_t first)
{
    const uint32_t *heights = turned ? paint->mipmap->widths : paint->mipmap->heights;
    const uint32_t sides[2] = {heights[paint->lod.level], heights[paint->lod.next]};
    tmi_tap *taps = item->rows[turned][flip];
    if (take_key(&item->y_axis.taps[turned][flip], sides, paint->lod.weight))
        for (uint32_t s = 0; s < item->y_axis.num_spans; s++) {
            const span *columns = &item->y_axis.spans[s];
            for (uint32_t i = columns->first; i < columns->first + columns->num; i++)
                taps[i] = tap_of(&item->y_axis, columns, i, flip, sides);
        }
    return taps + first;
}

/* -------------------------------------------------------------------------------------------------- tiles */

static tmi_face face_of(const tmi_mipmap *mipmap, uint32_t slice, uint32_t level, bool turned)
{
    const uint32_t w = mipmap->widths[level], h = mipmap->heights[level];
    const uint8_t *texels = tmi_slice(mipmap, slice, level);
    return turned ? (tmi_face){texels, h, w, (size_t)w * 4, 4} : (tmi_face){texels, w, h, 4, (size_t)w * 4};
}

/* Whether nothing below a tile can be seen through it. */
static bool covers(const brush *paint, tm_tile tile)
{
    if (tile.index == 0 || !paint->solid)
        return false;
    return !paint->mipmap || paint->mipmap->kinds[tile.index] == TMI_SLICE_OPAQUE;
}

/* The drawing of one row of tiles. */
typedef struct tile_row {
    const brush *paint;
    work *work;
    const span *span;     /* down */
    const tm_tile *tiles; /* of the grid; not of physics layers */
} tile_row;

/* Draws equal tiles side by side in `columns`, `many` or one. */
static void draw_tiles(const tile_row *row, tm_tile tile, bool many, const span *columns, uint8_t *target,
                       size_t row_stride)
{
    const brush *paint = row->paint;
    const bool x = tile.flags & TM_TILE_FLIP_X, y = tile.flags & TM_TILE_FLIP_Y,
               turned = tile.flags & TM_TILE_ROTATE, other = turned && !paint->square;
    /* flips first, then a quarter clockwise: seen from the screen, u runs along rows and v against columns */
    const tmi_cell cell = {.target = target,
                           .row_stride = row_stride,
                           .columns = columns_of(row->work, paint, other, turned ? !y : x, columns->first),
                           .rows = rows_of(row->work, paint, other, turned ? x : y, row->span->first),
                           .num_columns = columns->num,
                           .num_rows = row->span->num,
                           .many = many,
                           .faces = {face_of(paint->mipmap, tile.index, paint->lod.level, turned),
                                     face_of(paint->mipmap, tile.index, paint->lod.next, turned)},
                           .two = paint->lod.weight > 0,
                           .opaque = covers(paint, tile),
                           .multiplied = paint->multiplied && !paint->straight,
                           .replaces = paint->replaces && tile.flags & TM_TILE_OPAQUE,
                           .factor = paint->factor,
                           .mixed = {paint->mixed[0], paint->mixed[1]}};
    paint->draw(&cell);
}

/* Whether later layers hide all of a span of the row. */
static bool is_drawn_over(const tile_row *row, const span *columns)
{
    const tmi_cover *cover = row->paint->cover;
    if (!cover)
        return false;
    const int64_t x = row->work->x_axis.first + columns->first - cover->first_x,
                  y = row->work->y_axis.first + row->span->first - cover->first_y;
    const uint32_t first = cover->cells_x[x], last = cover->cells_x[x + columns->num - 1],
                   last_row = cover->cells_y[y + row->span->num - 1];
    for (uint32_t j = cover->cells_y[y]; j <= last_row; j++)
        for (uint32_t i = first; i <= last; i++)
            if (cover->last[(size_t)j * cover->width + i] <= row->paint->order)
                return false;
    return true;
}

/* The tile of a span, or air if nothing of it would be seen. */
static tm_tile tile_to_draw(const tile_row *row, uint32_t i)
{
    static const tm_tile air;
    const brush *paint = row->paint;
    const span *columns = &row->work->x_axis.spans[i];
    const tm_tile tile = paint->pass ? paint->pass->read(paint->pass, columns->tile, row->span->tile)
                                     : row->tiles[row->work->nearest[i]];
    const bool unseen = tile.index == 0 ||
                        (paint->mipmap && paint->mipmap->kinds[tile.index] == TMI_SLICE_CLEAR) ||
                        is_drawn_over(row, columns);
    return unseen ? air : tile;
}

/* The first span from i on whose tile is not air: most layers are air nearly everywhere. */
static uint32_t skip_air(const tile_row *row, uint32_t i, uint32_t num)
{
    if (!row->paint->pass)
        while (i < num && row->tiles[row->work->nearest[i]].index == 0)
            i++;
    return i;
}

static void draw_row(const tile_row *row, uint8_t *target, size_t row_stride)
{
    const tmi_rgba white = {255, 255, 255, 255};
    const brush *paint = row->paint;
    const axis *x_axis = &row->work->x_axis;
    const uint32_t num = x_axis->num_spans;
    for (uint32_t i = skip_air(row, 0, num), end; i < num; i = skip_air(row, end, num)) {
        const tm_tile tile = tile_to_draw(row, i);
        span columns = x_axis->spans[i];
        for (end = i + 1; end < num && tile.index; end++) {
            const tm_tile next = tile_to_draw(row, end);
            if (next.index != tile.index || next.flags != tile.flags)
                break;
            columns.num += x_axis->spans[end].num;
        }
        uint8_t *first = target + 4 * (size_t)columns.first;
        if (tile.index &&
            !tmi_spend(paint->budget, RUN_COST + (uint64_t)columns.num * row->span->num * PIXEL_COST))
            return;
        if (tile.index && paint->mipmap)
            draw_tiles(row, tile, end > i + 1, &columns, first, row_stride);
        else if (tile.index)
            for (uint32_t j = 0; j < row->span->num; j++)
                tmi_fill(first + j * row_stride, columns.num, white * paint->factor, paint->multiplied);
    }
}

static uint32_t block_size(int64_t from, int64_t end)
{
    return end - from < BLOCK ? (uint32_t)(end - from) : BLOCK;
}

void tmi_tile_work_free(tmi_tile_work *tile_work, const tm_allocator *allocator)
{
    if (tile_work)
        tmi_free(allocator, tile_work, 1, tile_work->size);
}

/* Takes the shared state, made anew unless it has room to mix the rows of both levels, turned or not. */
static work *make_work(work **item, const brush *paint, const tm_allocator *allocator)
{
    size_t num_texels = 514; /* sheets of 8192 pixels a side need no more */
    if (paint->mipmap) {
        const uint32_t w = paint->mipmap->widths[paint->lod.level],
                       h = paint->mipmap->heights[paint->lod.level];
        const size_t needed = (size_t)(w > h ? w : h) + 2;
        num_texels = needed > num_texels ? needed : num_texels;
    }
    if (*item && (*item)->num_mixed >= num_texels)
        return *item;
    tmi_tile_work_free(*item, allocator);
    const size_t size = sizeof(work) + 2 * num_texels * sizeof(tmi_rgba);
    *item = tmi_alloc(allocator, 1, size);
    if (*item) {
        (*item)->size = size;
        (*item)->num_mixed = num_texels;
        (*item)->x_axis.num = (*item)->y_axis.num = 0; /* not set */
        memset((*item)->mixed, 0,
               2 * num_texels * sizeof(tmi_rgba)); /* spare columns read what nobody mixed */
    }
    return *item;
}

static tm_status draw_grid(const tm_renderer *renderer, const tm_grid *grid, brush *paint,
                           const tmi_screen *screen, const tmi_target *target, tm_error *error)
{
    const ruler x_ruler = ruler_across(screen), y_ruler = ruler_down(screen);
    work *item = make_work(target->tile_work, paint, renderer->allocator);
    if (!item)
        return tmi_fail_memory(error, sizeof(*item), "the columns of a picture");
    paint->cover = target->cover;
    paint->order = target->order;
    paint->budget = target->budget;
    paint->mixed[0] = item->mixed;
    paint->mixed[1] = item->mixed + item->num_mixed;
    for (int64_t x = target->clip_left; x < target->clip_right; x += BLOCK) {
        set_axis(&item->x_axis, &x_ruler, x, block_size(x, target->clip_right));
        for (uint32_t i = 0; i < item->x_axis.num_spans; i++)
            item->nearest[i] = tmi_nearest(item->x_axis.spans[i].tile, grid->width);
        for (int64_t y = target->clip_top; y < target->clip_bottom; y += BLOCK) {
            uint8_t *pixels =
                target->pixels + (size_t)(y - target->first_row) * target->row_stride + (size_t)x * 4;
            set_axis(&item->y_axis, &y_ruler, y, block_size(y, target->clip_bottom));
            for (uint32_t j = 0; j < item->y_axis.num_spans; j++) {
                const span *rows = &item->y_axis.spans[j];
                if (!tmi_spend(paint->budget, LOOK_COST * item->x_axis.num_spans))
                    break;
                const tile_row row = {paint, item, rows,
                                      (const tm_tile *)grid->tiles +
                                          (size_t)tmi_nearest(rows->tile, grid->height) * grid->width};
                draw_row(&row, pixels + rows->first * target->row_stride, target->row_stride);
            }
        }
    }
    return target->budget->over ? tmi_over_limit(target->budget->limit, error) : TM_OK;
}

static void set_texture(brush *paint, const tmi_mipmap *mipmap, const tmi_screen *screen)
{
    const double texels_x = mipmap->widths[0] / (TM_TILE_PX * screen->scale_x),
                 texels_y = mipmap->heights[0] / (TM_TILE_PX * screen->scale_y);
    paint->mipmap = mipmap;
    if (!paint->multiplied) /* there tiles have no levels */
        paint->lod = tmi_lod_of(mipmap, texels_x > texels_y ? texels_x : texels_y);
    paint->square = mipmap->widths[paint->lod.level] == mipmap->heights[paint->lod.level] &&
                    mipmap->widths[paint->lod.next] == mipmap->heights[paint->lod.next];
}

/* Sets how a layer is drawn; false: it is not drawn. */
static bool set_brush(brush *paint, const tm_renderer *renderer, const tm_layer *layer,
                      const tmi_screen *screen, tmi_shown shown)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const tmi_picture *picture = tiles->image == TM_NONE ? NULL : &renderer->pictures[tiles->image];
    *paint = (brush){.factor = tmi_color_factor(renderer, tiles->color, tiles->color_envelope,
                                                tiles->color_envelope_offset, shown),
                     .draw = renderer->draw_cell,
                     .multiplied = renderer->options.look == TM_CLIENT_TEEWORLDS07};
    if ((picture && picture->state == TMI_PICTURE_NONE) || paint->factor[3] <= 0)
        return false;
    paint->solid = paint->factor[3] >= 1;
    paint->replaces = paint->multiplied && paint->factor[3] > 254 / 255.0f;
    paint->straight = picture && picture->straight;
    if (paint->multiplied)
        paint->factor = tmi_multiplied(paint->factor);
    if (picture && picture->state == TMI_PICTURE_THERE && picture->tiles.num_slices)
        set_texture(paint, &picture->tiles, screen);
    return true;
}

tm_status tmi_draw_tiles(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, tmi_shown shown, tm_error *error)
{
    tm_grid grid;
    brush paint;
    if (!set_brush(&paint, renderer, layer, screen, shown))
        return TM_OK;
    TM_TRY(tmi_layer_grid(renderer, layer, target->loan, &grid, error));
    return grid.tiles ? draw_grid(renderer, &grid, &paint, screen, target, error) : TM_OK;
}

tm_status tmi_draw_pass(const tm_renderer *renderer, const tmi_tile_pass *pass, const tmi_screen *screen,
                        const tmi_target *target, tm_error *error)
{
    brush paint = {
        .factor = pass->factor, .solid = pass->factor[3] >= 1, .draw = renderer->draw_cell, .pass = pass};
    set_texture(&paint, pass->mipmap, screen);
    return draw_grid(renderer, pass->grid, &paint, screen, target, error);
}

/* ---------------------------------------------------------------------------------------------- occlusion */

/*
 * What later layers hide. Most layers of a map stand on one grid, that of the game layer; where a tile on it
 * covers every pixel, nothing that earlier layers have in the same place can be seen. Knowing this before
 * drawing changes no pixel.
 */
enum {
    MIN_PIXELS = 4,     /* of a tile's side; smaller ones are quicker drawn than asked about */
    MAX_CELLS = 1 << 20 /* bounds the memory */
};

/* Notes the cells that a layer covers and later ones do not. */
static tm_status cover_layer(tmi_cover *cover, const tm_renderer *renderer, const tm_layer *layer,
                             uint32_t order, tmi_shown shown, tm_error *error)
{
    tm_grid grid;
    brush paint;
    if (!set_brush(&paint, renderer, layer, &cover->screen, shown))
        return TM_OK;
    TM_TRY(tmi_layer_grid(renderer, layer, NULL, &grid, error));
    for (uint32_t y = 0; grid.tiles && paint.solid && y < cover->height; y++) {
        const tm_tile *tiles =
            (const tm_tile *)grid.tiles + (size_t)tmi_nearest(cover->top + y, grid.height) * grid.width;
        uint32_t *last = cover->last + (size_t)y * cover->width;
        for (uint32_t x = 0; x < cover->width; x++)
            if (last[x] == 0 && covers(&paint, tiles[tmi_nearest(cover->left + x, grid.width)]))
                last[x] = order;
    }
    return TM_OK;
}

/* From the last layer to the first: a covered tile need not be checked in earlier layers. */
static tm_status cover_groups(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                              tm_error *error)
{
    const tm_map *map = renderer->map;
    const tmi_screen *cover_screen = &cover->screen;
    uint32_t order = (uint32_t)tm_map_num_layers(map) + 1;
    for (uint32_t g = map->num_groups; g-- > 0;) {
        const tm_group *group = &map->groups[g];
        const bool is_game = group == renderer->game_group;
        const tmi_screen screen = tmi_group_screen(camera, group, is_game, renderer->options.look);
        order -= group->num_layers;
        if ((group->use_clipping && !is_game) || cover_screen->left != screen.left ||
            cover_screen->top != screen.top || cover_screen->scale_x != screen.scale_x ||
            cover_screen->scale_y != screen.scale_y || cover_screen->origin_x != screen.origin_x ||
            cover_screen->origin_y != screen.origin_y)
            continue;
        for (uint32_t l = group->num_layers; l-- > 0;) {
            const tm_layer *layer = &group->layers[l];
            const tmi_shown shown = {camera->time, tmi_opacity(renderer, camera, layer, order + l)};
            if (layer->kind == TM_LAYER_TILES && shown.opacity > 0)
                TM_TRY(cover_layer(cover, renderer, layer, order + l, shown, error));
        }
    }
    return TM_OK;
}

/* The cells, and after them the lists, in one piece. */
static size_t num_numbers(const tmi_cover *cover)
{
    return (size_t)cover->width * cover->height + cover->num_x + cover->width + cover->num_y;
}

/* The number of cells that the pixels [first, first + num) of an axis show; *from: the first one. */
static uint32_t num_cells(double *starts, const ruler *measure, int64_t first, uint32_t num)
{
    *starts = drawn_tile_at(measure, first);
    return (uint32_t)(drawn_tile_at(measure, first + num - 1) - *starts + 1);
}

/* `ends`: where each cell ends, or NULL. */
static void list_cells(uint32_t *cells, uint32_t *ends, uint32_t num_cells, const ruler *measure,
                       int64_t first, uint32_t num)
{
    const double from = drawn_tile_at(measure, first);
    uint32_t at = 0;
    for (uint32_t i = 0; i < num_cells; i++) {
        const int64_t end = tile_start(measure, from + i + 1) - first;
        const uint32_t last = end < num ? (uint32_t)end : num;
        for (; at < last; at++)
            cells[at] = i;
        if (ends)
            ends[i] = at;
    }
}

tm_status tmi_cover_init(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                         const tmi_target *target, tm_error *error)
{
    memset(cover, 0, sizeof(*cover));
    cover->screen = tmi_group_screen(camera, NULL, true, renderer->options.look);
    if (cover->screen.scale_x * TM_TILE_PX < MIN_PIXELS || cover->screen.scale_y * TM_TILE_PX < MIN_PIXELS ||
        target->clip_bottom <= target->clip_top)
        return TM_OK;
    const ruler x_ruler = ruler_across(&cover->screen), y_ruler = ruler_down(&cover->screen);
    cover->first_x = target->clip_left, cover->num_x = (uint32_t)(target->clip_right - target->clip_left);
    cover->first_y = target->clip_top, cover->num_y = (uint32_t)(target->clip_bottom - target->clip_top);
    cover->width = num_cells(&cover->left, &x_ruler, cover->first_x, cover->num_x);
    cover->height = num_cells(&cover->top, &y_ruler, cover->first_y, cover->num_y);
    if ((uint64_t)cover->width * cover->height > MAX_CELLS)
        return TM_OK;
    TM_TRY(tmi_reserve_zeroed(&cover->last, renderer->allocator, num_numbers(cover), sizeof(*cover->last),
                              "the tiles of a picture", error));
    cover->cells_x = cover->last + (size_t)cover->width * cover->height;
    cover->ends_x = cover->cells_x + cover->num_x;
    cover->cells_y = cover->ends_x + cover->width;
    list_cells(cover->cells_x, cover->ends_x, cover->width, &x_ruler, cover->first_x, cover->num_x);
    list_cells(cover->cells_y, NULL, cover->height, &y_ruler, cover->first_y, cover->num_y);
    const tm_status status = cover_groups(cover, renderer, camera, error);
    if (status != TM_OK)
        tmi_cover_release(cover, renderer);
    return status;
}

void tmi_cover_release(tmi_cover *cover, const tm_renderer *renderer)
{
    tmi_free(renderer->allocator, cover->last, num_numbers(cover), sizeof(*cover->last));
    cover->last = NULL;
}

int64_t tmi_cover_next(const tmi_cover *cover, int64_t row, int64_t *low, int64_t high, uint32_t order)
{
    const uint32_t *cells = cover->last + (size_t)cover->cells_y[row - cover->first_y] * cover->width;
    uint32_t i = cover->cells_x[*low - cover->first_x];
    int64_t end;
    for (; *low < high && cells[i] > order; i++)
        *low = cover->first_x + cover->ends_x[i];
    for (end = *low; end < high && cells[i] <= order; i++)
        end = cover->first_x + cover->ends_x[i];
    *low = *low < high ? *low : high;
    return end < high ? end : high;
}
