/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_H
#define TMI_RENDER_H
/*
 * Internal side of render/. Negative factors count as 0.
 *   camera.c       which part of the world a group shows, and its clip
 *   prepare_images.c   images, made ready for what layers use of them
 *   shared_images.c    the same, kept for other renderers
 *   mipmap.c       tile slices and their mipmaps
 *   draw_tiles.c   tile layers, and which of their tiles later ones hide
 *   tile_raster.c  the pixels of one tile
 *   draw_quads.c   quad layers
 *   spans.c        the pixels of one row of a triangle
 *   machine.c      both once more for machines with AVX2, and which of them are used; wide.h is what differs
 *   entities.c     physics layers
 *   sheet.c        the sheet of entities that is drawn when no other is given
 *   canvas.c       the shapes and strokes that it is made of, and numbers
 *   letters.c      letters as strokes, and lines of text in a picture
 *   stream.c       pictures of any size, in bands by all threads; pixels without alpha
 *   layer_runs.c   which layers stay unpacked, and which are lent while they are drawn
 *   draw.c         preparing, the walk over groups and layers, and updates when tiles change
 *   shading.c      the color and opacity of a layer, and the work that a picture may take
 * Sections are those of docs/render.md. Everything here works in doubles and integers whose results do not
 * depend on the compiler: no contraction of multiply and add, no library function but sqrt, floor, ceil and
 * (for angles, rounded right after) sin and cos.
 */
#include <teemap/render.h>

#include "tile_raster.h"
#include "letters.h"
#include "mipmap.h"
#include "spans.h"

/* ------------------------------------------------------------------------------------------------- target */

/* The work that one drawing may still do. */
typedef struct tmi_budget {
    uint64_t left; /* pixels */
    bool over;
    uint64_t limit; /* what `left` was at first, for an error */
} tmi_budget;

static inline bool tmi_spend(tmi_budget *budget, uint64_t pixels)
{
    if (pixels > budget->left)
        budget->over = true;
    else
        budget->left -= pixels;
    return !budget->over;
}

/* Where to draw: some rows of the picture, and the scissor. */
typedef struct tmi_target {
    uint8_t *pixels; /* of row `first_row` */
    size_t row_stride;
    int64_t first_row, end_row;
    int64_t clip_left, clip_top, clip_right,
        clip_bottom; /* in pixels of the whole picture, inside it and inside the rows */
    tmi_budget *budget;
    const struct tmi_cover *cover;    /* NULL: unknown what later layers cover */
    struct tmi_tile_work **tile_work; /* columns and rows that tile layers share */
    const void *loan;                 /* the bytes of the layer at hand, if the map does not keep them */
    uint32_t order;                   /* of the layer at hand, from 1 */
} tmi_target;

/* How a layer is shown at a moment. */
typedef struct tmi_shown {
    double time; /* ms */
    float opacity;
} tmi_shown;

/* An image as layers use it. */
typedef struct tmi_picture {
    enum { TMI_PICTURE_UNUSED, TMI_PICTURE_THERE, TMI_PICTURE_NONE, TMI_PICTURE_WHITE } state;
    tmi_mipmap tiles; /* if a tile layer uses it */
    tmi_mipmap whole; /* if a quad layer uses it */
    uint8_t *rgba;    /* its pixels, if they are kept for updates */
    uint32_t width, height;
    bool missing;  /* there is no such image */
    bool straight; /* in the look of Teeworlds 0.7: laid over as if colors were not multiplied by alpha */
} tmi_picture;

/* ------------------------------------------------------------------------------------------------- camera */

/*
 * How a group is seen: pixel = (world - left) * scale_x - origin_x, the same for y. The origin is there for
 * pictures that are parts of a larger one: all of them round the same numbers.
 */
typedef struct tmi_screen {
    double left, top;
    double scale_x, scale_y;   /* pixels for a px */
    double origin_x, origin_y; /* whole pixels */
    double width, height;      /* of a view's whole picture; 0 otherwise */
} tmi_screen;
/* `group` may be NULL for the game layer's group. */
tmi_screen tmi_group_screen(const tm_camera *camera, const tm_group *group, bool is_game_group,
                            tm_client look);
/* Narrows the target to the group's clip; false if nothing is left. */
bool tmi_group_clip(tmi_target *target, const tm_camera *camera, const tm_group *group, bool is_game_group,
                    tm_client look);

/* A coordinate in pixels on the grid of 1/256 on which rasterisers work. */
static inline int64_t tmi_snap(double pixels)
{
    const double far = 1e15; /* keeps what lies beyond every picture in range */
    pixels = pixels < -far ? -far : pixels < far ? pixels : far;
    double snapped = pixels * 256 + 0.5;
    double whole = (double)(int64_t)snapped;
    return (int64_t)whole - (snapped < whole);
}
/* The first column whose centre is at or right of a snapped coordinate. */
static inline int64_t tmi_first_column(int64_t snapped)
{
    return (snapped + 127) >> 8; /* centre of pixel i is 256 i + 128 */
}
/* The first row whose centre is below: one on an edge belongs to what is above. */
static inline int64_t tmi_first_row(int64_t snapped)
{
    return (snapped + 128) >> 8;
}

/* ------------------------------------------------------------------------------------------------- layers */

/* Of a layer, where not all fit into memory. */
typedef struct tmi_layer_state {
    bool kept;  /* it stays unpacked; else it is lent while it is drawn */
    bool sound; /* it could be unpacked */
} tmi_layer_state;

struct tm_renderer {
    const tm_map *map;
    const tm_allocator *allocator;
    tm_render_options options;
    tmi_picture *pictures;
    const tm_group *game_group;
    struct tmi_entities *entities; /* NULL: physics layers are not drawn */
    tm_job job;                    /* of preparing; without progress */
    tmi_room room;                 /* what may still be taken for images and layers */
    tmi_room *own_room;            /* that one, also for those who change nothing else */
    tmi_layer_state *layers;       /* of each layer; NULL: all stay unpacked */
    tmi_draw_cell *draw_cell;
    tmi_draw_span *draw_span;
};

/* What work on so many pixels may cost, and on a picture. */
uint64_t tmi_work_limit(const tm_renderer *renderer, uint64_t pixels);
uint64_t tmi_pixel_limit(const tm_renderer *renderer, const tm_camera *camera);
tm_status tmi_over_limit(uint64_t limit, tm_error *error);
/* Reads a caller's camera; fails with the field's name when a number is not in its range. */
tm_status tmi_camera_take(tm_camera *out, const tm_camera *camera, tm_error *error);
/*
 * Layers that are drawn one after the other without unpacking any: [first, end), counted from 1. Either all
 * of them are kept, or there is one, and its bytes are lent.
 */
typedef struct tmi_layer_run {
    uint32_t first, end;
    const void *loan; /* NULL: kept */
} tmi_layer_run;
typedef tm_status tmi_run_visit(void *ctx, const tmi_layer_run *run, tm_error *error);
/*
 * Visits all layers that a camera shows, run by run: a picture that is drawn run by run, all of its parts
 * before the next run, unpacks no layer twice, and holds one of those that are not kept at a time. What is
 * unpacked is taken from the budget.
 */
tm_status tmi_each_run(const tm_renderer *renderer, const tm_camera *camera, tmi_budget *budget,
                       tmi_run_visit *visit, void *ctx, tm_error *error);
/* As tm_renderer_draw, of a camera that was checked, and of the layers of one run. */
tm_status tmi_draw_rows(const tm_renderer *renderer, const tm_camera *camera, const tmi_layer_run *run,
                        const tm_rows *rows, tmi_budget *budget, tm_error *error);
/* Rows that are there, of a camera's picture, in memory that holds them. */
tm_status tmi_check_rows(const tm_rows *rows, const tm_camera *camera, tm_error *error);
tm_status tmi_check_stride(const tm_rows *rows, uint32_t width, tm_error *error);
/*
 * The grid of a layer, whose bytes may be lent. Its tiles are NULL if there are none, or if they cannot be
 * read, which is reported when the map is prepared.
 */
tm_status tmi_layer_grid(const tm_renderer *renderer, const tm_layer *layer, const void *loan, tm_grid *grid,
                         tm_error *error);
/*
 * Preparing, in this order. tmi_choose_kept decides whether all layers stay unpacked, by their sizes.
 * tmi_look_at_layers unpacks what fits on the job's threads and reads the rest: slices[n] receives which tile
 * indices design layer n has.
 */
tm_status tmi_choose_kept(tm_renderer *renderer, tm_error *error);
tm_status tmi_look_at_layers(tm_renderer *renderer, bool (*slices)[256], tm_error *error);
tm_status tmi_prepare_images(tm_renderer *renderer, const bool (*slices)[256], tm_findings *findings,
                             tm_error *error);
/* Unpacks the layers that fit next to the images, and reports damaged ones. */
tm_status tmi_prepare_layers(tm_renderer *renderer, tm_findings *findings, tm_error *error);
void tmi_free_images(tm_renderer *renderer);
/* What makes images of a renderer. */
static inline tmi_maker tmi_maker_of(const tm_renderer *renderer)
{
    return (tmi_maker){renderer->options.look, renderer->allocator, renderer->own_room};
}
/* 0..1; 0 for layers that are not to be drawn. `order` is the layer's, from 1. */
float tmi_opacity(const tm_renderer *renderer, const tm_camera *camera, const tm_layer *layer,
                  uint32_t order);
/*
 * The factor of a color and a color envelope at a moment. In the look of Teeworlds 0.7 it is, by
 * tmi_multiplied, multiplied by its own alpha and then cut at 1.
 */
tmi_rgba tmi_color_factor(const tm_renderer *renderer, tm_color color, int32_t envelope, int32_t offset,
                          tmi_shown shown);
tmi_rgba tmi_multiplied(tmi_rgba factor);
tm_status tmi_draw_tiles(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, tmi_shown shown, tm_error *error);
/* Tile layers that stand alike read the same columns and rows: kept here from layer to layer. */
typedef struct tmi_tile_work tmi_tile_work;
void tmi_tile_work_free(tmi_tile_work *work, const tm_allocator *allocator); /* may be NULL */
/*
 * For each tile of the screen, the last layer that covers it, of the groups that move with the game layer and
 * have no clip. Earlier layers of any group need not be drawn there.
 */
typedef struct tmi_cover {
    tmi_screen screen;
    double left, top;            /* tile of the first cell */
    uint32_t width, height;      /* cells */
    uint32_t *last;              /* order of the last layer that covers it; 0: none */
    int64_t first_x, first_y;    /* pixel that the lists start with */
    uint32_t num_x, num_y;       /* pixels across and down */
    uint32_t *cells_x, *cells_y; /* cell of each column and row of pixels */
    uint32_t *ends_x;            /* where each cell ends, pixels from first_x */
} tmi_cover;
/* cover->last stays NULL where it does not pay. */
tm_status tmi_cover_init(tmi_cover *cover, const tm_renderer *renderer, const tm_camera *camera,
                         const tmi_target *target, tm_error *error);
void tmi_cover_release(tmi_cover *cover, const tm_renderer *renderer);
/* The first seen part of the pixels [*low, high) of a row: moves *low to it, returns its end. */
int64_t tmi_cover_next(const tmi_cover *cover, int64_t row, int64_t *low, int64_t high, uint32_t order);

tm_status tmi_draw_quads(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, tmi_shown shown, tm_error *error);

/* ----------------------------------------------------------------------------------------------- updates */

/* Makes some slices of an image drawable, wherever its pixels come from. */
tm_status tmi_picture_add(tm_renderer *renderer, uint32_t image, const bool slices[256], tm_error *error);

/* ------------------------------------------------------------------------------------------ shared images */

typedef struct tmi_shared_image tmi_shared_image;
/* The entry of an external image, which may still be empty; *out is NULL if the image is not shared. */
tm_status tmi_shared_find(tmi_shared_image **out, const tm_renderer *renderer, const tm_image *image,
                          tm_error *error);
/* Takes what is shared of `slices` (NULL: none) and, if `whole`, the picture; false: something is missing. */
bool tmi_shared_take(tmi_shared_image *shared, tmi_picture *picture, bool whole, const bool *slices);
/* Shares what was made with other renderers, as far as there is room. */
void tmi_shared_give(tmi_shared_image *shared, tmi_picture *picture, const tm_renderer *renderer);

/* ----------------------------------------------------------------------------------------------- entities */

/* Of the nearest tile of a layer, as layers go on forever. */
static inline uint32_t tmi_nearest(double at, uint32_t size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

/* Physics layers are drawn as tiles that `read` makes out: entities, and then numbers on them. */
typedef struct tmi_tile_pass {
    const tm_renderer *renderer;
    const tm_grid *grid;
    tm_layer_kind kind;
    const tmi_mipmap *mipmap;
    tmi_rgba factor;
    tm_tile (*read)(const struct tmi_tile_pass *pass, double x, double y);
    size_t number_at; /* the byte of a tile that is shown, of passes of numbers */
} tmi_tile_pass;
/* Always with the rules of DDNet, which alone shows entities to players. */
tm_status tmi_draw_pass(const tm_renderer *renderer, const tmi_tile_pass *pass, const tmi_screen *screen,
                        const tmi_target *target, tm_error *error);
tm_status tmi_entities_new(tm_renderer *renderer, tm_error *error);
/* Updates the sheets after tiles in `part` of a physics layer changed; the part is inside the layer. */
tm_status tmi_entities_update(tm_renderer *renderer, const tm_layer *layer, const tm_rect *part,
                              tm_error *error);
void tmi_entities_free(tm_renderer *renderer);
tm_status tmi_draw_entities(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                            const tmi_target *target, tmi_shown shown, tm_error *error);

#endif
