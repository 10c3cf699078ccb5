/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_RENDER_H
#define TEEMAP_RENDER_H
/*
 * teemap/render.h - draws a map on the CPU as the games' clients do (docs/render.md). No files: the caller
 * provides the pixels of external images.
 *
 * Order of calls: tm_renderer_new once per map (unpacks tiles and quads, makes mipmaps), then any number of
 * tm_renderer_draw or tm_renderer_stream, from any number of threads at once, then tm_renderer_free. Between
 * drawings, but never during one, the map may change as follows:
 * - tiles of any layer, and its size: then call tm_renderer_update for the change, exclusively;
 * - without notice: quads, points of envelopes, numbers and flags of groups and layers (offset, parallax,
 *   clip, color, detail), texts.
 *
 * For all other changes (added or moved groups, layers, images and envelopes; pixels) make a new renderer.
 *
 * The same map, options and camera give the same pixels on every machine and for every number of threads and
 * bands.
 */
#include <teemap/findings.h>
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_renderer tm_renderer;

typedef enum tm_missing_image {
    TM_MISSING_CLIENT = 0, /* the client's picture of four colors */
    TM_MISSING_NONE,       /* nothing is drawn */
    TM_MISSING_WHITE       /* as if the layer had no image */
} tm_missing_image;

/*
 * The client that the picture should look like. They differ in filtering of textures, blending, and the
 * effect of zoom on parallax.
 */
typedef enum tm_client {
    TM_CLIENT_MAP = 0, /* that of the map's own game */
    TM_CLIENT_DDNET,   /* DDNet, also for maps of Teeworlds 0.6 */
    TM_CLIENT_TEEWORLDS07
} tm_client;

/* Straight alpha, rows from the top, 4 bytes per pixel. No `size`: this struct never grows. */
typedef struct tm_pixels {
    const void *rgba;
    uint32_t width, height; /* at most 8192 */
} tm_pixels;

/*
 * External images, prepared once for many renderers: most maps use the same fifty images of the games. They
 * hold up to `memory_budget` bytes, not counted for any renderer; further images are prepared by each
 * renderer. Changes of images are not noticed. Several threads may use them at once; they must outlive all
 * their renderers.
 */
typedef struct tm_shared_images tm_shared_images;
TM_API tm_status tm_shared_images_new(tm_shared_images **out, uint64_t memory_budget,
                                      const tm_allocator *allocator, tm_error *error);
TM_API void tm_shared_images_free(tm_shared_images *images); /* NULL is allowed */
/*
 * Identifies the images of a provider (called with its ctx): images with equal keys have equal pixels, for
 * all providers and maps. *key is a text that the caller frees: strlen(key) + 1 bytes of the allocator.
 * TM_ERROR_MEMORY and TM_ERROR_IO make the preparation fail; any other status means that the image is not
 * shared.
 */
typedef tm_status (*tm_image_key)(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                                  char **key, tm_error *error);

typedef struct tm_render_options {
    size_t size;                /* sizeof(tm_render_options) */
    tm_image_provider provider; /* default: no external image is found */
    void *provider_ctx;
    tm_missing_image missing; /* for missing images; default TM_MISSING_CLIENT */
    bool no_detail;           /* leave out layers marked as detail, except the game layer */
    /*
     * Bytes of prepared images and unpacked layers; default 1 GiB. Layers that do not fit are unpacked each
     * time they are drawn, one at a time; TM_ERROR_LIMIT if even that does not fit.
     */
    uint64_t memory_budget;
    const tm_allocator *allocator; /* default: malloc */
    /*
     * Maximum work of one tm_renderer_draw or tm_renderer_stream, counted as in docs/render.md (section 11);
     * default tm_render_usual_limit of the picture's pixels. More is TM_ERROR_LIMIT, and the picture is then
     * incomplete.
     */
    uint64_t pixel_limit;
    tm_client look; /* default TM_CLIENT_MAP */
    /*
     * Prepare physics layers, which are drawn as DDNet shows entities to players, if the camera's opacities
     * say so; default: they are never drawn. Only costs time and memory if the map has such layers.
     */
    bool entities;
    bool no_numbers; /* do not draw numbers of teleporters, switches and speedups */
    /*
     * The game's own pictures (editor/entities_clear/ddnet.png, editor/speed_arrow.png), borrowed until
     * tm_renderer_new returns, or until tm_renderer_free if tm_renderer_update is used: 16 x 16 cells, and an
     * arrow to the right. Default: the library's own.
     */
    tm_pixels entity_sheet;
    tm_pixels speedup_arrow;
    /*
     * Keep the pixels of images for tm_renderer_update, so that tiles with new indices are as fast as others.
     * Doubles the memory of the images. Default: they are requested again.
     */
    bool updates;
    /*
     * Threads to prepare the map, where several call the provider at once, and cancellation; default: the
     * calling thread. Borrowed until tm_renderer_new returns. No progress.
     */
    const tm_job *job;
    /*
     * Images shared by several renderers, and their keys; default: none are shared. Only renderers with the
     * allocator of the images share them.
     */
    tm_shared_images *shared_images;
    tm_image_key provider_key;
    /*
     * The mod whose clients show the entities (tm_map_find_mod finds it): which of them they hide on
     * entity_sheet, and what the cells of the library's own sheet mean. Must outlive the renderer. Default:
     * the game of the map.
     */
    const tm_mod *mod;
} tm_render_options;
#define TM_RENDER_OPTIONS_INIT                                                                             \
    {                                                                                                      \
        sizeof(tm_render_options), NULL, NULL, TM_MISSING_CLIENT, false, 0, NULL, 0, TM_CLIENT_MAP, false, \
            false, {NULL, 0, 0}, {NULL, 0, 0}, false, NULL, NULL, NULL, NULL                               \
    }
/*
 * The default work limit for this number of pixels in one picture, in many, or in the frames of an animation:
 * 10^9 plus 80 per pixel, at most 5 * 10^9. Maps of players take at most 50 per pixel of a picture of the
 * usual size.
 */
TM_API uint64_t tm_render_usual_limit(uint64_t pixels);

/*
 * Prepares a map. `map` is borrowed until tm_renderer_free, and may only change as described above. Missing
 * images become findings (missing-image), one each, and so do layers whose data cannot be unpacked
 * (data-broken); these are not drawn.
 */
TM_API tm_status tm_renderer_new(tm_renderer **out, const tm_map *map, const tm_render_options *options,
                                 tm_findings *findings, tm_error *error);
TM_API void tm_renderer_free(tm_renderer *renderer);
/*
 * The work, counted as in tm_render_options, of unpacking layers that do not fit into memory_budget and that
 * a camera with these opacities shows: each drawing repeats it, and several drawings at once hold several
 * such layers. 0: all layers are kept.
 */
TM_API uint64_t tm_renderer_unpacking_work(const tm_renderer *renderer, const float *opacities);
/*
 * Call it after changing tiles in a rectangle of a layer, which may extend beyond the layer. The renderer
 * then draws like a new one. It is fast if the map already has tiles with the same indices. For a new index,
 * the pixels of its image are needed again, also from the provider, unless the option `updates` keeps them.
 * Needs exclusive access to the renderer. On failure the changed tiles may be drawn wrongly until an update
 * succeeds.
 */
TM_API tm_status tm_renderer_update(tm_renderer *renderer, uint32_t group, uint32_t layer,
                                    const tm_rect *changed, tm_error *error);

typedef enum tm_camera_kind {
    TM_CAMERA_VIEW = 0, /* as a player sees it: parallax, parallax zoom, clipping */
    TM_CAMERA_REGION,   /* a rectangle of the world; groups are placed as seen from its center */
    TM_CAMERA_FLAT,     /* a rectangle of the world; every group has parallax 100, including its offset */
    TM_CAMERA_ZOOMED    /* a rectangle of the world, cut out of the view of a player zoomed out by `zoom`
                         * around its center: parallax zoom as in DDNet, for all looks */
} tm_camera_kind;

/* The position of a picture. Zeros are not defaults here: TM_CAMERA_INIT sets zoom and scale to 1. */
typedef struct tm_camera {
    size_t size; /* sizeof(tm_camera) */
    tm_camera_kind kind;
    double x, y; /* view: center; others: top left corner. px (32 per tile), -1e12 to 1e12 */
    /*
     * view and zoomed: factor on the view, 1 as in the game, 2 twice the width and height; 1e-6 to 1e6.
     * Others ignore it
     */
    double zoom;
    double scale;   /* all except view: pixels of the picture per px of the world; 1e-6 to 1e6 */
    uint32_t width; /* of the whole picture, pixels; 1 to TM_PICTURE_MAX_SIDE */
    uint32_t height;
    double time; /* ms, -1e12 to 1e12 */
    /*
     * The opacity of each layer, a factor on its alpha: tm_map_num_layers numbers, all layers in file order.
     * 0 leaves a layer out. Numbers are clamped to 0 and 1, and NaN counts as 0. NULL: design layers 1,
     * physics layers 0. Physics layers also need the option `entities`.
     */
    const float *opacities;
    uint64_t pixel_limit; /* for this picture, if lower than that of the renderer; 0: the same */
} tm_camera;
#define TM_CAMERA_INIT                                                  \
    {                                                                   \
        sizeof(tm_camera), TM_CAMERA_VIEW, 0, 0, 1, 1, 0, 0, 0, NULL, 0 \
    }

/* The size of a view of a window of width x height at zoom 1, in px. */
TM_API void tm_camera_view_size(double *view_width, double *view_height, uint32_t width, uint32_t height);

typedef struct tm_vector {
    double x, y;
} tm_vector;
/*
 * Converts a point of the world (px), as a group shows it, to the picture of a camera, in pixels from its top
 * left corner, and back. Players are in the group of the game layer. The point may be outside the picture.
 */
TM_API tm_status tm_renderer_to_picture(tm_vector *picture, const tm_renderer *renderer,
                                        const tm_camera *camera, uint32_t group, tm_vector world,
                                        tm_error *error);
TM_API tm_status tm_renderer_from_picture(tm_vector *world, const tm_renderer *renderer,
                                          const tm_camera *camera, uint32_t group, tm_vector picture,
                                          tm_error *error);

/* The maximum side of a picture. */
enum { TM_PICTURE_MAX_SIDE = 1 << 20 };

/* Rows [first, first + num) of a picture in memory: RGBA, 8 bits a channel. */
typedef struct tm_rows {
    void *rgba;
    size_t row_stride; /* bytes from a row to the next */
    uint32_t first, num;
} tm_rows;

/*
 * Draws rows of the picture over their content, with the over operator; over an opaque background alpha stays
 * 255. TM_ERROR_USAGE, with the name of the field, for a number of the camera out of range, and for rows
 * outside the picture.
 */
TM_API tm_status tm_renderer_draw(const tm_renderer *renderer, const tm_camera *camera, const tm_rows *rows,
                                  tm_error *error);

/*
 * Converts rows of RGBA to rows of RGB, 3 bytes per pixel, ignoring alpha. Strides are bytes from a row to
 * the next. Both may begin at the same byte, with the smaller stride for `rgb`: then it works in place.
 */
TM_API tm_status tm_pixels_to_rgb(void *rgb, size_t rgb_stride, const void *rgba, size_t rgba_stride,
                                  uint32_t width, uint32_t num_rows, tm_error *error);

/* The background of a picture. */
typedef struct tm_background {
    size_t size;     /* sizeof(tm_background) */
    uint8_t rgba[4]; /* a color, straight alpha; default all 0, a transparent picture */
    bool checks;     /* instead: squares of two grays, 16 pixels per side */
} tm_background;
#define TM_BACKGROUND_INIT                         \
    {                                              \
        sizeof(tm_background), {0, 0, 0, 0}, false \
    }

/* Rows of a background, each `width` pixels; NULL is transparent. */
TM_API tm_status tm_background_fill(const tm_background *background, uint32_t width, const tm_rows *rows,
                                    tm_error *error);

/*
 * Receives the rows of a picture, some at a time from the top, 8 bits per channel RGBA. They are only valid
 * during the call. A status other than TM_OK ends the drawing.
 */
typedef struct tm_row_sink {
    void *ctx;
    tm_status (*rows)(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error);
} tm_row_sink;

/*
 * Draws a whole picture over a background (NULL: transparent), in bands of at most 32 MiB (but at least one
 * row) on the job's threads, and passes each band to the sink, so memory does not depend on the size of the
 * picture. Progress counts rows; for the pixel limit, the background counts as a layer. Errors are those of
 * tm_renderer_draw and of the sink, and TM_ERROR_CANCELLED.
 */
TM_API tm_status tm_renderer_stream(const tm_renderer *renderer, const tm_camera *camera,
                                    const tm_background *background, const tm_row_sink *sink,
                                    const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
