/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_RENDER_H
#define TEEMAP_RENDER_H
/*
 * teemap/render.h - draws a map on the CPU as the games' clients do (docs/render.md). Never touches a file:
 * pixels of external images come from the caller.
 *
 * Order of calls: tm_renderer_new once for a map (unpacks tiles and quads, makes mip chains), then any
 * number of tm_renderer_draw or tm_renderer_stream, from any number of threads at once, then
 * tm_renderer_free. Between drawings, never during one, the map may change in these ways:
 * - tiles of any layer, and its size: then call tm_renderer_update for what changed, alone;
 * - without notice: quads, points of envelopes, numbers and flags of groups and layers (offset, parallax,
 *   clip, color, detail), texts.
 * For all else (other or moved groups, layers, images and envelopes; pixels) make a new renderer.
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
 * Whose client the picture is to look like. The two differ in how textures are filtered, colors laid over
 * one another, and zoom met parallax.
 */
typedef enum tm_client {
    TM_CLIENT_MAP = 0, /* that of the map's own game */
    TM_CLIENT_DDNET,   /* DDNet, also for maps of Teeworlds 0.6 */
    TM_CLIENT_TEEWORLDS07
} tm_client;

/*
 * Straight alpha, rows from the top, 4 bytes a pixel. Has no size of its own: a picture in memory is no more.
 */
typedef struct tm_pixels {
    const void *rgba;
    uint32_t width, height; /* at most 8192 */
} tm_pixels;

/*
 * External images, made ready for drawing once for many renderers: of thousands of maps, most use the fifty
 * images of the games. They hold up to `memory_budget` bytes, which count for no renderer; what comes later
 * is made by each renderer for itself. An image that changes meanwhile is not noticed. Several threads may
 * use them at once; they must outlive all their renderers.
 */
typedef struct tm_shared_images tm_shared_images;
TM_API tm_status tm_shared_images_new(tm_shared_images **out, uint64_t memory_budget,
                                      const tm_allocator *allocator, tm_error *error);
TM_API void tm_shared_images_free(tm_shared_images *images); /* NULL is fine */
/*
 * Tells the images of a provider (with whose ctx it is called) apart: those of equal keys have equal pixels,
 * whichever provider and map asks. *key is a text that the function which asks frees: strlen(key) + 1 bytes
 * of the allocator. Any other status than TM_OK means that the image is not shared.
 */
typedef tm_status (*tm_image_key)(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                                  char **key);

typedef struct tm_render_options {
    size_t size;                /* sizeof(tm_render_options) */
    tm_image_provider provider; /* default: no external image is found */
    void *provider_ctx;
    tm_missing_image missing; /* for images that cannot be had; default TM_MISSING_CLIENT */
    bool no_detail;           /* leave out layers that are marked as detail, but not the game layer */
    /*
     * Bytes of prepared images and unpacked layers; default 1 GiB. Layers that do not fit beside the images
     * are unpacked each time that they are drawn, one at a time; TM_ERROR_LIMIT when not even that fits.
     */
    uint64_t memory_budget;
    const tm_allocator *allocator; /* default: malloc */
    /*
     * Work that one tm_renderer_draw or tm_renderer_stream may do, counted as docs/render.md has it (section
     * 11); default tm_render_usual_limit of the picture's pixels. More is TM_ERROR_LIMIT, and the picture is
     * then unfinished.
     */
    uint64_t pixel_limit;
    tm_client look; /* default TM_CLIENT_MAP */
    /*
     * Prepare for physics layers, which are drawn as DDNet shows its players entities, when the camera's
     * opacities say so; default: they are never drawn. Takes some time and memory only where the map has
     * such layers.
     */
    bool entities;
    bool no_numbers; /* leave out the numbers of teleporters, switches and speedups */
    /*
     * The game's own pictures (editor/entities_clear/ddnet.png, editor/speed_arrow.png), borrowed until
     * tm_renderer_new returns, or by those who call tm_renderer_update until tm_renderer_free: 16 x 16 cells,
     * and an arrow to the right. Default: the library's own.
     */
    tm_pixels entity_sheet;
    tm_pixels speedup_arrow;
    /*
     * Keep the pixels of images for tm_renderer_update, so that a tile of an index which the map did not have
     * is as quick as others. Takes the memory of the images once more. Default: they are asked for again.
     */
    bool updates;
    /*
     * Threads on which the map is prepared, the provider being called by several at once, and cancelling;
     * default: the calling thread. Borrowed until tm_renderer_new returns. Progress is not told.
     */
    const tm_job *job;
    /*
     * Images that several renderers share, and what tells them apart; default: each renderer makes its own.
     * Only renderers of the allocator with which the images were made share them.
     */
    tm_shared_images *shared_images;
    tm_image_key provider_key;
} tm_render_options;
#define TM_RENDER_OPTIONS_INIT                                                                             \
    {                                                                                                      \
        sizeof(tm_render_options), NULL, NULL, TM_MISSING_CLIENT, false, 0, NULL, 0, TM_CLIENT_MAP, false, \
            false, {NULL, 0, 0}, {NULL, 0, 0}, false, NULL, NULL, NULL                                     \
    }
/*
 * The limit of work on so many pixels in one picture, in many, or in the frames of an animation: 10^9 and 80
 * for each pixel, at most 5 * 10^9. Maps of players take at most 50 for each pixel of a picture of the usual
 * size.
 */
TM_API uint64_t tm_render_usual_limit(uint64_t pixels);

/*
 * Prepares a map. `map` is borrowed until tm_renderer_free, and may change only as said above: only what
 * its layers use is prepared. Missing images become findings (missing-image), one each, and so do layers
 * whose data cannot be unpacked (data-broken); these are not drawn.
 */
TM_API tm_status tm_renderer_new(tm_renderer **out, const tm_map *map, const tm_render_options *options,
                                 tm_findings *findings, tm_error *error);
TM_API void tm_renderer_free(tm_renderer *renderer);
/*
 * Work, counted as in tm_render_options, of unpacking the layers that memory_budget does not hold, of those
 * that a camera with these opacities shows: each drawing does it again, and several at once hold several such
 * layers. 0: all layers are kept.
 */
TM_API uint64_t tm_renderer_unpacking_work(const tm_renderer *renderer, const float *opacities);
/*
 * Call it after tiles were changed, in a rectangle of a layer; what of it lies outside of the layer does not
 * matter. Afterwards the renderer draws as a new one would. It is fast while the map already has
 * tiles of the same indices. For the first tile of a new index the pixels of its image are needed again, also
 * from the provider, unless the option `updates` keeps them. No other thread may use the renderer meanwhile.
 * On failure the changed tiles may be drawn wrongly until an update succeeds.
 */
TM_API tm_status tm_renderer_update(tm_renderer *renderer, uint32_t group, uint32_t layer,
                                    const tm_rect *changed, tm_error *error);

typedef enum tm_camera_kind {
    TM_CAMERA_VIEW = 0, /* as a player sees it: parallax, parallax zoom, clipping */
    TM_CAMERA_REGION,   /* a rectangle of the world; groups stand as they are seen from its centre */
    TM_CAMERA_FLAT,     /* a rectangle of the world; every group at parallax 100, its offset counted */
    TM_CAMERA_ZOOMED    /* a rectangle of the world cut out of what a player sees who is zoomed out by `zoom`
                           around its centre: parallax zoom as of DDNet, whatever the look */
} tm_camera_kind;

/*
 * Where a picture stands. Zeros are not defaults here: TM_CAMERA_INIT sets zoom and scale to 1.
 */
typedef struct tm_camera {
    size_t size; /* sizeof(tm_camera) */
    tm_camera_kind kind;
    double x, y; /* view: centre; others: top left corner. px (32 to a tile), -1e12 to 1e12 */
    /*
     * view and zoomed: factor on what is seen, 1 as in the game, 2 twice as much each way; 1e-6 to 1e6.
     * Others ignore it
     */
    double zoom;
    double scale;   /* all but view: pixels of the picture for one px of the world; 1e-6 to 1e6 */
    uint32_t width; /* of the whole picture, pixels; 1 to TM_PICTURE_MAX_SIDE */
    uint32_t height;
    double time; /* ms, -1e12 to 1e12 */
    /*
     * How opaque each layer is, a factor on its alpha: tm_map_num_layers numbers, all layers in file order,
     * those of the first group first. 0 leaves a layer out. Numbers above 1 count as 1, those below 0 and
     * those that are none as 0. NULL: design layers 1, physics layers 0. Physics layers need the option
     * `entities` as well.
     */
    const float *opacities;
    uint64_t pixel_limit; /* of this picture, where it is less than that of the renderer; 0: the same */
} tm_camera;
#define TM_CAMERA_INIT                                                  \
    {                                                                   \
        sizeof(tm_camera), TM_CAMERA_VIEW, 0, 0, 1, 1, 0, 0, 0, NULL, 0 \
    }

/* What a view of a window of width x height shows at zoom 1, in px. */
TM_API void tm_camera_view_size(double *view_width, double *view_height, uint32_t width, uint32_t height);

typedef struct tm_vector {
    double x, y;
} tm_vector;
/*
 * Where a point of the world lies in the whole picture of a camera, in pixels from its top left corner, as a
 * group shows it (px of the world; the group of the game layer is the one in which players are), and the
 * other way round: what point of the world a group shows there. The point may lie outside of the picture.
 */
TM_API tm_status tm_renderer_to_picture(tm_vector *picture, const tm_renderer *renderer,
                                        const tm_camera *camera, uint32_t group, tm_vector world,
                                        tm_error *error);
TM_API tm_status tm_renderer_from_picture(tm_vector *world, const tm_renderer *renderer,
                                          const tm_camera *camera, uint32_t group, tm_vector picture,
                                          tm_error *error);

/* The longest side of a picture. */
enum { TM_PICTURE_MAX_SIDE = 1 << 20 };

/* Rows [first, first + num) of a picture in memory: RGBA, 8 bits a channel. */
typedef struct tm_rows {
    void *rgba;
    size_t row_stride; /* bytes from a row to the next */
    uint32_t first, num;
} tm_rows;

/*
 * Draws rows of the picture over what they hold. The alpha of the picture follows the over operator; over an
 * opaque background it stays 255. TM_ERROR_USAGE, with the name of the field, for a number of the camera that
 * is not in its range, and for rows outside of the picture.
 */
TM_API tm_status tm_renderer_draw(const tm_renderer *renderer, const tm_camera *camera, const tm_rows *rows,
                                  tm_error *error);

/*
 * Rows of RGBA as rows of RGB, 3 bytes a pixel; alpha is left out. Strides are bytes from a row to the next.
 * Both may begin at the same byte, with the smaller stride for `rgb`: then it is done in place.
 */
TM_API tm_status tm_pixels_to_rgb(void *rgb, size_t rgb_stride, const void *rgba, size_t rgba_stride,
                                  uint32_t width, uint32_t num_rows, tm_error *error);

/* What lies behind a picture. */
typedef struct tm_background {
    size_t size;     /* sizeof(tm_background) */
    uint8_t rgba[4]; /* a color, straight alpha; default all 0, a transparent picture */
    bool checks;     /* instead: squares of two grays, 16 pixels a side */
} tm_background;
#define TM_BACKGROUND_INIT                         \
    {                                              \
        sizeof(tm_background), {0, 0, 0, 0}, false \
    }

/* Rows of a background, each `width` pixels; NULL is a transparent one. */
TM_API tm_status tm_background_fill(const tm_background *background, uint32_t width, const tm_rows *rows,
                                    tm_error *error);

/*
 * Takes the rows of a picture, some at a time from the top, 8 bits a channel RGBA. They are gone when it
 * returns. What it returns beside TM_OK ends the drawing.
 */
typedef struct tm_row_sink {
    void *ctx;
    tm_status (*rows)(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error);
} tm_row_sink;

/*
 * Draws a whole picture over a background (NULL: a transparent one), in bands of at most 32 MiB (but one row
 * at least) by the job's threads, and hands each band to the sink, so that its size does not matter for
 * memory. Progress counts rows; to the limit of pixels those of the background count as a layer. Errors are
 * those of tm_renderer_draw and of the sink, and TM_ERROR_CANCELLED.
 */
TM_API tm_status tm_renderer_stream(const tm_renderer *renderer, const tm_camera *camera,
                                    const tm_background *background, const tm_row_sink *sink,
                                    const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
