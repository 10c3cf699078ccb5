/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_PREVIEW_H
#define TEEMAP_PREVIEW_H
/*
 * teemap/preview.h - what those who show maps have to decide before they draw: which view of a map tells most
 * (thumbnails, galleries), which tiles of a deep-zoom pyramid there are and what they cost (maps in a
 * browser), and how long an animation lasts until it comes round. Draws only to judge; never touches a file.
 *
 * The same map, images and numbers give the same answers on every machine. Tiles of maps are 32 px of the
 * world.
 *
 * Threads: all functions may be called by several threads at once, each with out-parameters of its own. Those
 * for pyramids write to their tm_pyramid_frame: each thread needs its own frame.
 */
#include <teemap/automap.h>
#include <teemap/fields.h>
#include <teemap/render.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ the best view */

/* Why a view was looked at. */
typedef enum tm_preview_kind {
    TM_PREVIEW_WHOLE = 0, /* the map is no larger than a view: this is all of it */
    TM_PREVIEW_SPAWN,     /* players come into the map here */
    TM_PREVIEW_FLAG,      /* a flag's stand */
    TM_PREVIEW_START,
    TM_PREVIEW_FINISH,
    TM_PREVIEW_PLACE /* where walls and air are mixed most, in a part of the map */
} tm_preview_kind;
TM_API const char *tm_preview_kind_name(
    tm_preview_kind kind); /* "whole", "spawn", ...; NULL for another number */

enum { TM_PREVIEW_MAX_VIEWS = 40 }; /* that are judged of one map */

/* A view, and how it was judged (docs/thumbnails.md). */
typedef struct tm_preview_view {
    tm_preview_kind kind;
    double x, y;  /* centre, tiles; whole eighths, so that few digits tell them exactly */
    double zoom;  /* as of tm_camera: below 1 when the whole map is nearer than a player would be */
    double score; /* variety + lively + coverage / 2 */
    double
        /* entropy of the colors, 4 bits a channel, in bits a pixel and divided by 8: 0 for one color */
        variety;
    double lively;   /* share of 6 x 6 squares in which there is something to see, 0 to 1 */
    double coverage; /* share of the picture that is drawn at all, 0 to 1 */
} tm_preview_view;

/*
 * Judges the views of a map that promise something, by drawing each in at most 96 x 96 pixels, and gives the
 * best `max_views` of them, the best one first; *num_views is how many there were: at least one, at most
 * TM_PREVIEW_MAX_VIEWS. A game layer that is larger than the renderer's memory_budget is not looked at.
 * Of views that are equally good the one found first comes first.
 *
 * `camera` tells the wanted picture's width, height, time and opacities; its other fields do not matter. What
 * the renderer draws is what is judged, so its images should be those of the wanted picture. All little
 * pictures together may cost the renderer's limit of pixels (TM_ERROR_LIMIT).
 */
TM_API tm_status tm_preview_views(tm_preview_view *views, uint32_t *num_views, uint32_t max_views,
                                  const tm_renderer *renderer, const tm_camera *camera, tm_error *error);
/*
 * Finds a view by words (docs/pictures.md):
 *   120.5,40         a point, in tiles
 *   best  best:2     as tm_preview_views finds them
 *   spawn  start  finish  flag:2  freeze
 *                    tiles by their ids or categories (teemap/games.h); :2 is the second
 *   tele:5  switch:3  checkpoint:12  tune:1  tele-out:5
 *                    tiles by their number; behind one more colon which place
 *   2/3  Game/Deco   what a layer holds, by its address
 *   1/0.quads[3]  4/1.sources[0]
 *                    a quad or a sound source
 * Tiles that are near one another are one place; its middle is shown, but no view looks beyond the edge of
 * the map if it can be helped. `camera` tells the wanted picture's width, height, time, opacities and zoom;
 * the view's zoom is larger where it must be for all of a quad or a layer. Only `best` tells a score.
 * TM_ERROR_USAGE for what is no such text, TM_ERROR_NOT_FOUND for what the map does not have.
 */
TM_API tm_status tm_preview_find(tm_preview_view *out, const tm_renderer *renderer, const tm_camera *camera,
                                 const char *text, tm_error *error);
/* Points a camera at a view: sets its kind, x, y and zoom. */
TM_API void tm_preview_set_view(tm_camera *camera, const tm_preview_view *view);

/* --------------------------------------------------------------------------------------- parts of a map */

/* A rectangle with fractions: of a map, in tiles. */
typedef struct tm_preview_area {
    double x, y, width, height;
} tm_preview_area;

/* All of a map: its game layer. TM_ERROR_NOT_FOUND for a map without tile layers. */
TM_API tm_status tm_preview_map_bounds(tm_preview_area *out, const tm_map *map, tm_error *error);
/*
 * The part of a map where something is: without the rows and columns at its sides in which every physics
 * layer holds one and the same tile, air or wall; one tile of these is kept. Design layers count only in maps
 * whose physics layers hold nothing. Never larger than the map.
 */
TM_API tm_status tm_preview_content_bounds(tm_preview_area *out, const tm_map *map, tm_error *error);
/*
 * Points a camera at an area. Its width and height are those that the picture must fit into, and become the
 * picture's; with tile_pixels above 0 a tile has so many pixels instead. Its kind may be TM_CAMERA_REGION or
 * TM_CAMERA_FLAT; else it becomes TM_CAMERA_ZOOMED, with the zoom that a player with a screen of 16 to 9
 * needs to see all of the area: the picture is what such a player sees, cropped. TM_ERROR_USAGE for an empty
 * area, TM_ERROR_LIMIT for a picture with a side above TM_PICTURE_MAX_SIDE.
 */
TM_API tm_status tm_preview_fit_area(tm_camera *camera, const tm_preview_area *area, double tile_pixels,
                                     tm_error *error);

/*
 * The part of a layer's own world in which something is: tiles that are not air, quads with their pivots,
 * sound sources, at a moment in ms. TM_ERROR_NOT_FOUND for a layer that holds nothing, or is not there.
 */
TM_API tm_status tm_preview_layer_area(tm_preview_area *out, const tm_map *map, uint32_t group,
                                       uint32_t layer, double time, tm_error *error);
/*
 * The part of its layer's own world that an element covers where no envelope has moved it: a quad's corners,
 * the reach of a sound source (tm_quad, tm_sound_source, tm_old_source, and any alignment will do).
 * TM_ERROR_USAGE for other owners.
 */
TM_API tm_status tm_preview_element_area(tm_preview_area *out, tm_owner owner, const void *element,
                                         tm_error *error);
/*
 * Joins areas as long as two of them fit into `width` x `height` tiles together, and keeps the others as they
 * are, in the order of the first of each: what can be shown in one view. *num becomes the number that is
 * left. Which join depends on their order alone.
 */
TM_API tm_status tm_preview_join_areas(tm_preview_area *areas, size_t *num, double width, double height,
                                       tm_error *error);

/* ------------------------------------------------------------------------------------------------- marks */

/*
 * Marks lie over a picture and say what happened where: to show differences, conflicts, faults. Whoever does
 * not tell their colors apart tells them by their lines and by the pattern of their tint.
 */
typedef enum tm_mark_kind {
    TM_MARK_ADDED,   /* green; an unbroken line, an even tint */
    TM_MARK_REMOVED, /* red; a line of dashes, stripes that rise */
    TM_MARK_CHANGED, /* amber; a line of dots, a tint of dots */
    TM_MARK_CONFLICT /* purple; a line of dashes and dots, stripes that cross */
} tm_mark_kind;
TM_API const char *tm_mark_kind_name(tm_mark_kind kind); /* "added", ...; NULL for another number */
/* Its color: red, green, blue. Zeros for another number. */
TM_API void tm_mark_kind_color(uint8_t rgb[3], tm_mark_kind kind);

typedef struct tm_preview_mark {
    tm_mark_kind kind;
    bool frame, tint;     /* what is drawn: a line around the area, a color over it, or both */
    uint32_t group;       /* which shows it, with its parallax and offset; clipping does not count */
    tm_preview_area area; /* in the group's own world */
} tm_preview_mark;

/*
 * Draws marks over rows of a picture, as tm_renderer_draw draws these: the same camera, the same rows. All
 * tints come first, then the frames, each in the order of the list. A frame is 5 pixels wide, whatever the
 * scale, and lies outside of its area, which is shown at least 4 pixels large. A mark of a group that the map
 * does not have is TM_ERROR_USAGE.
 */
TM_API tm_status tm_preview_draw_marks(const tm_renderer *renderer, const tm_camera *camera,
                                       const tm_preview_mark *marks, size_t num, const tm_rows *rows,
                                       tm_error *error);
/*
 * The part of the map that a picture must show for a mark to be in it, for tm_preview_fit_area: with a
 * camera of kind TM_CAMERA_FLAT if `flat`, else TM_CAMERA_REGION. The latter sees a group with parallax
 * from the middle of the picture, so areas of such groups are only right for themselves.
 */
TM_API tm_status tm_preview_mark_area(tm_preview_area *out, const tm_map *map, const tm_preview_mark *mark,
                                      bool flat, tm_error *error);

/* -------------------------------------------------------------------------------------- pyramids of tiles */

/*
 * A pyramid of tiles is a picture of some layers on several levels, each with twice the scale of the one
 * before it. Its tiles are called cells here, because maps have tiles of their own. A cell is TM_PYRAMID_SIDE
 * pixels square; on each level cell (0, 0) begins at the world's origin, so that the cells of all pyramids of
 * a map lie on one grid, and each has exactly four below it. Pictures are flat (TM_CAMERA_FLAT): groups stand
 * at parallax 100, and whoever shows them moves them.
 *
 * Order of calls: tm_pyramid_frame_init once for a map, then tm_pyramid_plan and tm_pyramid_release for each
 * pyramid.
 */
enum {
    TM_PYRAMID_SIDE = 256, /* pixels of a cell's side */
    TM_PYRAMID_MAX_LEVELS = 24,
    TM_PYRAMID_BORDER_X = 24, /* tiles around the map that are shown: half of what a player sees at most */
    TM_PYRAMID_BORDER_Y = 17
};

/* What all pyramids of a map share. Read it; only the functions write it. */
typedef struct tm_pyramid_frame {
    const tm_map *map;    /* borrowed */
    double width, height; /* of the map, tiles */
    double scale;         /* of the last level: pixels for one px of the world */
    uint32_t num_levels;  /* on the first one all fits into one cell's size */
    uint64_t looks; /* at tiles, quads and cells that planning may still take: a limit of some seconds */
} tm_pyramid_frame;

/*
 * Measures a map. `tile_pixels`: of a tile on the last level, a power of two from 1 to 256.
 * TM_ERROR_NOT_FOUND for a map without tile layers, TM_ERROR_LIMIT if the last level would have room for more
 * than 16 million cells.
 */
TM_API tm_status tm_pyramid_frame_init(tm_pyramid_frame *frame, const tm_map *map, uint32_t tile_pixels,
                                       tm_error *error);

/* Cells of one level: the smallest rectangle around all that show something. */
typedef struct tm_pyramid_level {
    int32_t left, top;      /* the first cell */
    uint32_t width, height; /* cells; 0: the level is empty */
    uint8_t *cells;         /* width * height, row by row: 1 for a cell that may show something, else 0 */
} tm_pyramid_level;

typedef struct tm_pyramid {
    tm_pyramid_level levels[TM_PYRAMID_MAX_LEVELS]; /* as many as the frame has, the coarsest first */
    double cost; /* about the work on all cells, counted as in tm_render_options, and on packing them */
    const tm_allocator *allocator;
} tm_pyramid;

/*
 * Finds the cells on which some layers of a group may show something: those with a factor above 0 in
 * `opacities`, one for each layer of this group (NULL: all). Much cheaper than drawing; sometimes too many
 * cells, never too few. Cells beyond the map's border are left out, and those that the group's clip hides
 * when the clip stands still (tm_pyramid_keeps_clip). Layers whose data are damaged show nothing. `time` in
 * ms, for quads that envelopes move. TM_ERROR_LIMIT when the frame's looks are used up. Memory comes from
 * the map's allocator.
 */
TM_API tm_status tm_pyramid_plan(tm_pyramid *out, tm_pyramid_frame *frame, uint32_t group,
                                 const float *opacities, double time, tm_error *error);
TM_API void tm_pyramid_release(tm_pyramid *pyramid); /* a zeroed struct is fine */
/* Cells that may show something, on all levels. */
TM_API uint64_t tm_pyramid_count(const tm_pyramid *pyramid);

/* What all pixels of a cell have in common. */
typedef enum tm_pyramid_alpha {
    TM_PYRAMID_CLEAR = 0, /* there is nothing: the cell need not be kept */
    TM_PYRAMID_MIXED,
    TM_PYRAMID_OPAQUE /* alpha is 255 all over */
} tm_pyramid_alpha;
/* What the cells show. */
typedef struct tm_pyramid_scene {
    const tm_pyramid_frame *frame;
    const tm_renderer *renderer;
    const float *opacities; /* of all layers of the map, as of tm_camera; NULL: all of them */
    double time;            /* ms */
} tm_pyramid_scene;
/* A cell (x, y) of a level. */
typedef struct tm_pyramid_cell {
    uint32_t level;
    int32_t x, y;
    tm_pyramid_alpha alpha; /* out */
} tm_pyramid_cell;
/*
 * Draws cells, one behind the other, into `rgba`: of each TM_PYRAMID_SIDE rows of TM_PYRAMID_SIDE pixels
 * of 4 bytes; what lies beyond the border is clear. Cells are drawn side by side on the job's threads
 * (NULL: one); a layer for which the renderer has no room is unpacked once for all of them. Clips that do
 * not stand still are the renderer's too: take them off the map before it is made (tm_pyramid_keeps_clip),
 * and let who shows the cells clip them.
 */
TM_API tm_status tm_pyramid_draw(tm_pyramid_cell *cells, uint32_t num_cells, void *rgba,
                                 const tm_pyramid_scene *scene, const tm_job *job, tm_error *error);

/* Whether a group's clip counts: that of the group with the game layer does not. */
TM_API bool tm_pyramid_is_clipped(const tm_map *map, uint32_t group);
/* Whether the clip, too, stands where it is wherever one looks from: the group has no parallax. */
TM_API bool tm_pyramid_keeps_clip(const tm_map *map, uint32_t group);

/* --------------------------------------------------------------------------------------------- animations */

/*
 * The shortest time, in ms, after which these envelopes are all where they were: 0 when none of them moves,
 * at most `most`, which also stands for anything longer.
 */
TM_API tm_status tm_preview_period(uint64_t *out, const tm_map *map, bool no_detail, const float *opacities,
                                   uint64_t most, tm_error *error);

/* How the end of an animation meets its beginning. */
typedef enum tm_preview_loop_kind {
    TM_PREVIEW_STILL = 0, /* nothing moves: one frame is all */
    TM_PREVIEW_EXACT,     /* everything is back where it was */
    TM_PREVIEW_NEAR,      /* no exact one is short enough: the least jump that was found */
    TM_PREVIEW_BACK,      /* forth, and back the same way */
    TM_PREVIEW_CUT        /* it ends where it was told to, wherever that is */
} tm_preview_loop_kind;
/* "still", "exact", "near", "back", "cut"; NULL for another number. */
TM_API const char *tm_preview_loop_name(tm_preview_loop_kind kind);

typedef struct tm_preview_loop_options {
    size_t size;       /* sizeof(tm_preview_loop_options) */
    double most;       /* ms, up to 1e9: no loop lasts longer; default 20000 */
    double duration;   /* ms, up to 1e9: just as long; default: what makes the best loop */
    bool back;         /* back and forth; without a duration the smaller one of `most` and 8000 ms */
    const tm_job *job; /* threads to search with; may be NULL. Progress counts pictures that were tried */
} tm_preview_loop_options;
#define TM_PREVIEW_LOOP_OPTIONS_INIT                       \
    {                                                      \
        sizeof(tm_preview_loop_options), 0, 0, false, NULL \
    }

/* The times of an animation. Has no size of its own: only the library makes one. */
typedef struct tm_preview_loop {
    tm_preview_loop_kind kind;
    double start;    /* ms, of the first frame */
    double duration; /* ms, from the first frame until it comes again; 0: still */
    uint64_t
        period; /* ms, after which all that is seen is where it was; 0: never moves, UINT64_MAX: longer */
    /*
     * How much the picture after `duration` differs from the first one: the root of the mean square of all
     * channels, 0 to 255, measured on a small picture. 0 but for TM_PREVIEW_NEAR.
     */
    double jump;
} tm_preview_loop;

/*
 * Finds the times of an animation of what the camera shows, from camera->time on. Without a duration that is
 * the common period of the envelopes that move something in it if it is no longer than `most`; it may begin
 * whole periods later than camera->time, when the last of the quads that wait has begun to move. Else the end
 * is looked for between a quarter of `most` and `most`, where the picture is most like the first one, by
 * drawing about 700 pictures of at most 160 x 160 pixels; of ends that are about equally good the earliest is
 * taken.
 * All these pictures together cost at most twice what the camera's pixel_limit allows one picture.
 * The same on every machine and for every number of threads.
 */
TM_API tm_status tm_preview_find_loop(tm_preview_loop *out, const tm_renderer *renderer,
                                      const tm_camera *camera, const tm_preview_loop_options *options,
                                      tm_error *error);
/* The time of a frame for a camera, ms: frame `index` of `num` that are shown equally long. */
TM_API double tm_preview_loop_time(const tm_preview_loop *loop, uint32_t index, uint32_t num);

/* ---------------------------------------------------------------------------------- two maps side by side */

typedef struct tm_preview_equal_options {
    size_t size;       /* sizeof(tm_preview_equal_options) */
    const tm_job *job; /* threads; may be NULL */
    tm_image_provider provider;
    void *provider_ctx;
    uint32_t views;     /* most views that are tried near by; default 400 */
    uint32_t tolerance; /* largest difference of a channel that counts as none, 0 to 255 */
    /*
     * What all views of both maps may cost together, counted as in tm_render_options; default
     * tm_render_usual_limit of their pixels. More is TM_ERROR_LIMIT.
     */
    uint64_t pixel_limit;
} tm_preview_equal_options;
#define TM_PREVIEW_EQUAL_OPTIONS_INIT                               \
    {                                                               \
        sizeof(tm_preview_equal_options), NULL, NULL, NULL, 0, 0, 0 \
    }

/*
 * Whether two maps look and play the same: the tiles of the physics layers that DDNet uses are equal byte by
 * byte (a layer that is missing equals one of zeros), and so are pictures of 320 x 180 pixels of views all
 * over the first map and around it, and from far away, at four times. What no view shows is not looked at.
 * `where` (may be NULL) receives the first difference in words. Holds the prepared images of both maps.
 */
TM_API tm_status tm_preview_equal(bool *equal, const tm_map *a, const tm_map *b,
                                  const tm_preview_equal_options *options, char *where, size_t where_size,
                                  tm_error *error);

/* --------------------------------------------------------------------------------------- sizes as areas */

/* A box whose area is its size, in a family of them. */
typedef struct tm_preview_box {
    const char *label; /* lines, UTF-8; NULL: none. Letters that we cannot draw are left out */
    uint64_t size;     /* 0: no area */
    uint32_t family;
} tm_preview_box;

/* Boxes of a family stand together under its label. */
typedef struct tm_preview_family {
    const char *label; /* one line; NULL: none */
    uint8_t rgb[3];
} tm_preview_family;

/* What is to be drawn: borrowed. */
typedef struct tm_preview_chart {
    const tm_preview_box *boxes;
    size_t num_boxes;
    const tm_preview_family *families;
    uint32_t num_families;
} tm_preview_chart;

enum { TM_PREVIEW_BOXES_MIN = 16 }; /* pixels of a side */

/*
 * Draws boxes side by side into width x height RGBA pixels: large ones top left, each as square as can be,
 * all of them together the whole picture. Labels are cut where a box ends; boxes that are too small have
 * none. TM_ERROR_USAGE for a side below TM_PREVIEW_BOXES_MIN and for a family that there is not. With no
 * area at all the picture is empty.
 */
TM_API tm_status tm_preview_draw_boxes(uint8_t *rgba, uint32_t width, uint32_t height,
                                       const tm_preview_chart *of, const tm_allocator *allocator,
                                       tm_error *error);

/* ---------------------------------------------------------------------------------- rules of automappers */

enum { TM_PREVIEW_RULES_MIN = 12, TM_PREVIEW_RULES_MAX = 48 }; /* pixels of a cell */

/*
 * Draws the rules of a configuration (teemap/automap.h), a card for each: its index, flips and chance, the
 * tile that it writes, and the cells that it looks at. The dot is in the tile itself. Dark cells must be air,
 * gray ones must not; a green frame asks for the tile that it shows, a red one for any other, and a filled
 * corner says that there are more in the list. Cells more than 6 away are left out, which a + behind the
 * label tells. `tiles` is the image with the tiles; NULL: their indices are shown.
 *
 * The picture is up to 1200 pixels wide: *rgba, *width * *height * 4 bytes, is the caller's to free by the
 * allocator. TM_ERROR_USAGE for other cells than the above; TM_ERROR_LIMIT if it were more than 30000 high.
 */
TM_API tm_status tm_preview_draw_rules(uint8_t **rgba, uint32_t *width, uint32_t *height,
                                       const tm_automap_config *config, const tm_pixels *tiles, uint32_t cell,
                                       const tm_allocator *allocator, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
