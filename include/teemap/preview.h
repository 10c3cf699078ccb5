/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_PREVIEW_H
#define TEEMAP_PREVIEW_H
/*
 * teemap/preview.h - decisions before showing a map: the best views (thumbnails, galleries), the cells of a
 * deep-zoom pyramid and their cost (maps in a browser), and the loop of an animation. Also finds views by
 * text, draws marks, charts and rules, and compares what two maps show. No files.
 *
 * The same map, images and numbers give the same results on every machine. Tiles of maps are 32 px of the
 * world.
 *
 * Threads: several threads may call all functions at once, each with its own out-parameters. Functions for
 * pyramids write to their tm_pyramid_frame: each thread needs its own.
 */
#include <teemap/automap.h>
#include <teemap/fields.h>
#include <teemap/mapfile.h>
#include <teemap/merge.h>
#include <teemap/render.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ the best view */

/* Why a view is a candidate. */
typedef enum tm_preview_kind {
    TM_PREVIEW_WHOLE = 0, /* the map is not larger than a view and shown completely */
    TM_PREVIEW_SPAWN,     /* a spawn */
    TM_PREVIEW_FLAG,      /* a flag stand */
    TM_PREVIEW_START,
    TM_PREVIEW_FINISH,
    TM_PREVIEW_PLACE /* a place with the most alternation of walls and air in a part of the map */
} tm_preview_kind;
TM_API const char *tm_preview_kind_name(
    tm_preview_kind kind); /* "whole", "spawn", ...; NULL for another number */

enum { TM_PREVIEW_MAX_VIEWS = 40 }; /* candidates per map */

/* A view and its score (docs/thumbnails.md). */
typedef struct tm_preview_view {
    tm_preview_kind kind;
    double x, y;  /* center, tiles; multiples of 1/8, so that few digits are exact */
    double zoom;  /* as in tm_camera; below 1 if a small map is shown closer than a player sees it */
    double score; /* variety + lively + coverage / 2 */
    double
        /* entropy of the colors, 4 bits per channel, in bits per pixel divided by 8: 0 for one color */
        variety;
    double lively;   /* share of 6 x 6 squares with details, 0 to 1 */
    double coverage; /* share of drawn pixels, 0 to 1 */
} tm_preview_view;

/*
 * Scores the candidate views of a map, by drawing each in at most 96 x 96 pixels, and returns the best
 * `max_views`, best first; *num_views is the number of candidates: at least one, at most
 * TM_PREVIEW_MAX_VIEWS. A game layer larger than the renderer's memory_budget is not searched. Between equal
 * scores, the first candidate wins.
 *
 * `camera` has the width, height, time and opacities of the intended picture; other fields are ignored. The
 * renderer should have the images of the intended picture. All small pictures together may cost the
 * renderer's pixel limit (TM_ERROR_LIMIT).
 */
TM_API tm_status tm_preview_views(tm_preview_view *views, uint32_t *num_views, uint32_t max_views,
                                  const tm_renderer *renderer, const tm_camera *camera, tm_error *error);
/*
 * Finds a view by text (docs/pictures.md):
 *   120.5,40         a point, in tiles
 *   best  best:2     a view of tm_preview_views
 *   spawn  start  finish  flag:2  freeze
 *                    tiles by id or category (teemap/games.h); :2 is the second place
 *   tele:5  switch:3  checkpoint:12  tune:1  tele-out:5
 *                    tiles by number; another colon and a number select a place
 *   2/3  Game/Deco   the content of a layer, by its address
 *   1/0.quads[3]  4/1.sources[0]
 *                    a quad or a sound source
 * Nearby tiles are one place, and the view shows its center. Views stay inside the map if possible. `camera`
 * has the width, height, time, opacities and zoom of the intended picture; the zoom is increased if necessary
 * to show all of a quad or a layer. Only `best` has a score. TM_ERROR_USAGE for an invalid text,
 * TM_ERROR_NOT_FOUND for what the map does not have.
 */
TM_API tm_status tm_preview_find(tm_preview_view *out, const tm_renderer *renderer, const tm_camera *camera,
                                 const char *text, tm_error *error);
/* Sets kind, x, y and zoom of a camera to a view. */
TM_API void tm_preview_set_view(tm_camera *camera, const tm_preview_view *view);

/* --------------------------------------------------------------------------------------- parts of a map */

/* A rectangle with fractions, in tiles of a map. */
typedef struct tm_preview_area {
    double x, y, width, height;
} tm_preview_area;

/* The whole map: its game layer. TM_ERROR_NOT_FOUND for a map without tile layers. */
TM_API tm_status tm_preview_map_bounds(tm_preview_area *out, const tm_map *map, tm_error *error);
/*
 * The non-empty part of a map: without rows and columns at its edges in which every physics layer has a
 * single tile, air or wall; one tile of them is kept. Design layers only count if the physics layers are
 * empty. Never larger than the map.
 */
TM_API tm_status tm_preview_content_bounds(tm_preview_area *out, const tm_map *map, tm_error *error);
/*
 * Points a camera at an area. The picture is fitted into the camera's width and height, which become those of
 * the picture; if tile_pixels is above 0, it sets the pixels per tile instead. The kind may be
 * TM_CAMERA_REGION or TM_CAMERA_FLAT; otherwise it becomes TM_CAMERA_ZOOMED, with the zoom at which a player
 * with a 16:9 screen sees the whole area, cropped to it. TM_ERROR_USAGE for an empty area, TM_ERROR_LIMIT for
 * a picture with a side above TM_PICTURE_MAX_SIDE.
 */
TM_API tm_status tm_preview_fit_area(tm_camera *camera, const tm_preview_area *area, double tile_pixels,
                                     tm_error *error);

/*
 * Joins areas as long as two of them fit into `width` x `height` tiles together, for showing them in one
 * view. The others are kept, in the order of the first of each. *num becomes the new number. The result only
 * depends on the order.
 */
TM_API tm_status tm_preview_join_areas(tm_preview_area *areas, size_t *num, double width, double height,
                                       tm_error *error);

/* ------------------------------------------------------------------------------------------------- marks */

/*
 * Marks on a picture show differences, conflicts and findings. Without colors, they differ by line style and
 * by the pattern of their tint.
 */
typedef enum tm_mark_kind {
    TM_MARK_ADDED,   /* green; solid line, even tint */
    TM_MARK_REMOVED, /* red; dashed line, rising stripes */
    TM_MARK_CHANGED, /* amber; dotted line, dotted tint */
    TM_MARK_CONFLICT /* purple; dash-dotted line, crossing stripes */
} tm_mark_kind;
TM_API const char *tm_mark_kind_name(tm_mark_kind kind); /* "added", ...; NULL for an unknown number */
/* Its color: red, green, blue. Zeros for an unknown number. */
TM_API void tm_mark_kind_color(uint8_t rgb[3], tm_mark_kind kind);

typedef struct tm_preview_mark {
    tm_mark_kind kind;
    bool frame, tint;     /* draw a line around the area, a color over it, or both */
    uint32_t group;       /* the group whose parallax and offset apply, without clipping */
    tm_preview_area area; /* in coordinates of the group */
    uint32_t subject;     /* the number of what is marked, for the caller */
} tm_preview_mark;

/*
 * Draws marks on rows of a picture, like tm_renderer_draw: the same camera, the same rows. All tints come
 * first, then the frames, each in list order. A frame is 5 pixels wide at any scale, outside of its area,
 * which is shown at least 4 pixels large. A mark with a missing group is TM_ERROR_USAGE.
 */
TM_API tm_status tm_preview_draw_marks(const tm_renderer *renderer, const tm_camera *camera,
                                       const tm_preview_mark *marks, size_t num, const tm_rows *rows,
                                       tm_error *error);
/*
 * The area of the map that a picture must show to contain a mark, for tm_preview_fit_area: with a camera of
 * kind TM_CAMERA_FLAT if `flat`, else TM_CAMERA_REGION. The latter places groups with parallax relative to
 * the center of the picture, so areas of such groups cannot be combined.
 */
TM_API tm_status tm_preview_mark_area(tm_preview_area *out, const tm_map *map, const tm_preview_mark *mark,
                                      bool flat, tm_error *error);

/* The marks of one map; num_frames of them have a frame. */
typedef struct tm_preview_mark_list {
    tm_preview_mark *list;
    size_t num, num_frames, capacity;
} tm_preview_mark_list;
enum { TM_PREVIEW_MARKED_MAPS = 3 };
/* Marks of maps that are shown side by side. A zeroed struct is empty. */
typedef struct tm_preview_marks {
    tm_preview_mark_list map[TM_PREVIEW_MARKED_MAPS];
    bool physics;       /* some are in physics layers */
    uint32_t placeless; /* changes or conflicts without a place on the map */
    uint32_t left_out;  /* changes or conflicts beyond the limit of frames */
    const tm_allocator *allocator;
} tm_preview_marks;
/*
 * Marks the changes of a patch in its two maps, map[0] and map[1]; `subject` is the number of the change.
 * Each place with changed tiles has a frame and each tile a tint; quads and sound sources have a frame at
 * their old and new position at a time in ms, and other changed layers one around their content. What is not
 * in a map, because it is not one of the patch, is not marked.
 */
TM_API tm_status tm_preview_patch_marks(tm_preview_marks *out, const tm_patch *patch, const tm_map *before,
                                        const tm_map *after, double time, tm_error *error);
/* The same for the open conflicts of a merge; `subject` is the number of the conflict. */
TM_API tm_status tm_preview_conflict_marks(tm_preview_marks *out, const tm_conflicts *conflicts,
                                           const tm_map *const maps[TM_MERGE_MAPS], double time,
                                           tm_error *error);
TM_API void tm_preview_marks_release(tm_preview_marks *marks);

/* -------------------------------------------------------------------------------------- pyramids of tiles */

/*
 * A pyramid of tiles is a picture of some layers on several levels, each with twice the scale of the previous
 * one. Its tiles are called cells, because maps have tiles, too. A cell is a square of TM_PYRAMID_SIDE
 * pixels. On each level, cell (0, 0) begins at the origin of the world, so the cells of all pyramids of a map
 * are on one grid, and each has exactly four below it. Pictures are flat (TM_CAMERA_FLAT): groups have
 * parallax 100, and the viewer moves them.
 *
 * Order of calls: tm_pyramid_frame_init once per map, then tm_pyramid_plan and tm_pyramid_release for each
 * pyramid.
 */
enum {
    TM_PYRAMID_SIDE = 256, /* pixels of a cell's side */
    TM_PYRAMID_MAX_LEVELS = 24,
    TM_PYRAMID_BORDER_X = 24, /* tiles shown around the map: half of the largest view of a player */
    TM_PYRAMID_BORDER_Y = 17
};

/* Shared by all pyramids of a map. Read-only. */
typedef struct tm_pyramid_frame {
    const tm_map *map;    /* borrowed */
    double width, height; /* of the map, tiles */
    double scale;         /* of the last level: pixels per px of the world */
    uint32_t num_levels;  /* on the first one, everything fits into the size of one cell */
    uint64_t looks;       /* tiles, quads and cells that planning may still visit: a limit of some seconds */
} tm_pyramid_frame;

/*
 * Measures a map. `tile_pixels`: pixels per tile on the last level, a power of two from 1 to 256.
 * TM_ERROR_NOT_FOUND for a map without tile layers, TM_ERROR_LIMIT if the last level would have more than 16
 * million cells.
 */
TM_API tm_status tm_pyramid_frame_init(tm_pyramid_frame *frame, const tm_map *map, uint32_t tile_pixels,
                                       tm_error *error);

/* Cells of a level: the smallest rectangle around all non-empty ones. */
typedef struct tm_pyramid_level {
    int32_t left, top;      /* the first cell */
    uint32_t width, height; /* cells; 0: the level is empty */
    uint8_t *cells;         /* width * height, row by row: 1 for a cell that may show something, else 0 */
} tm_pyramid_level;

typedef struct tm_pyramid {
    tm_pyramid_level levels[TM_PYRAMID_MAX_LEVELS]; /* as many as the frame has, coarsest first */
    double cost; /* estimated work for all cells, counted as in tm_render_options, and for packing them */
    const tm_allocator *allocator;
} tm_pyramid;

/*
 * Finds the cells on which some layers of a group may show something: those with a factor above 0 in
 * `opacities`, one for each layer of this group (NULL: all). Much cheaper than drawing; sometimes too many
 * cells, never too few. Cells outside the border, and those hidden by a fixed clip of the group
 * (tm_pyramid_keeps_clip), are omitted. Layers with damaged data show nothing. `time` in ms, for quads moved
 * by envelopes. TM_ERROR_LIMIT if the frame's looks are used up. Memory comes from the map's allocator.
 */
TM_API tm_status tm_pyramid_plan(tm_pyramid *out, tm_pyramid_frame *frame, uint32_t group,
                                 const float *opacities, double time, tm_error *error);
TM_API void tm_pyramid_release(tm_pyramid *pyramid); /* a zeroed struct is allowed */
/* Cells that may show something, on all levels. */
TM_API uint64_t tm_pyramid_count(const tm_pyramid *pyramid);

/* The alpha of all pixels of a cell. */
typedef enum tm_pyramid_alpha {
    TM_PYRAMID_CLEAR = 0, /* transparent: the cell need not be stored */
    TM_PYRAMID_MIXED,
    TM_PYRAMID_OPAQUE /* alpha is 255 everywhere */
} tm_pyramid_alpha;
/* The content of cells. */
typedef struct tm_pyramid_scene {
    const tm_pyramid_frame *frame;
    const tm_renderer *renderer;
    const float *opacities; /* for all layers of the map, as in tm_camera; NULL: all of them */
    double time;            /* ms */
} tm_pyramid_scene;
/* A cell (x, y) of a level. */
typedef struct tm_pyramid_cell {
    uint32_t level;
    int32_t x, y;
    tm_pyramid_alpha alpha; /* result */
} tm_pyramid_cell;
/*
 * Draws cells one after the other to `rgba`: TM_PYRAMID_SIDE rows of TM_PYRAMID_SIDE pixels of 4 bytes each;
 * the area outside the border is transparent. Cells are drawn in parallel on the job's threads (NULL: one); a
 * layer that does not fit into the renderer's memory is unpacked once for all of them. Remove clips that are
 * not fixed from the map before making the renderer (tm_pyramid_keeps_clip), and let the viewer clip the
 * cells.
 */
TM_API tm_status tm_pyramid_draw(tm_pyramid_cell *cells, uint32_t num_cells, void *rgba,
                                 const tm_pyramid_scene *scene, const tm_job *job, tm_error *error);

/* Whether a group's clip has an effect: that of the game layer's group has none. */
TM_API bool tm_pyramid_is_clipped(const tm_map *map, uint32_t group);
/* Whether the clip is fixed for all positions of the camera: the group has no parallax. */
TM_API bool tm_pyramid_keeps_clip(const tm_map *map, uint32_t group);

/* --------------------------------------------------------------------------------------------- animations */

/*
 * The shortest time, in ms, after which all these envelopes are back in place: 0 if none moves, at most
 * `most`, which also means any longer time.
 */
TM_API tm_status tm_preview_period(uint64_t *out, const tm_map *map, bool no_detail, const float *opacities,
                                   uint64_t most, tm_error *error);

/* How an animation repeats. */
typedef enum tm_preview_loop_kind {
    TM_PREVIEW_STILL = 0, /* nothing moves: one frame */
    TM_PREVIEW_EXACT,     /* everything is back in place */
    TM_PREVIEW_NEAR,      /* no exact loop is short enough: the smallest jump found */
    TM_PREVIEW_BACK,      /* forward and backward */
    TM_PREVIEW_CUT        /* it ends at the given time */
} tm_preview_loop_kind;
/* "still", "exact", "near", "back", "cut"; NULL for an unknown number. */
TM_API const char *tm_preview_loop_name(tm_preview_loop_kind kind);

typedef struct tm_preview_loop_options {
    size_t size;       /* sizeof(tm_preview_loop_options) */
    double most;       /* ms, up to 1e9: maximum length of a loop; default 20000 */
    double duration;   /* ms, up to 1e9: exact length; default: that of the best loop */
    bool back;         /* back and forth; without a duration, the smaller of `most` and 8000 ms */
    const tm_job *job; /* threads for the search; may be NULL. Progress counts tested pictures */
} tm_preview_loop_options;
#define TM_PREVIEW_LOOP_OPTIONS_INIT                       \
    {                                                      \
        sizeof(tm_preview_loop_options), 0, 0, false, NULL \
    }

/* The times of an animation. No `size`: only the library makes one. */
typedef struct tm_preview_loop {
    tm_preview_loop_kind kind;
    double start;    /* ms, of the first frame */
    double duration; /* ms, until the first frame is shown again; 0: still */
    uint64_t
        period; /* ms, after which everything visible is back in place; 0: never moves, UINT64_MAX: longer */
    /*
     * The difference of the picture after `duration` from the first one: the root mean square of all
     * channels, 0 to 255, measured on a small picture. 0 except for TM_PREVIEW_NEAR.
     */
    double jump;
} tm_preview_loop;

/*
 * Finds the times of an animation of what the camera shows, starting at camera->time. Without a duration, it
 * is the common period of the envelopes with visible motion, if that is not longer than `most`; it may start
 * whole periods later than camera->time, when the last delayed quad has started to move. Otherwise the end is
 * searched between a quarter of `most` and `most`, where the picture is most similar to the first one, by
 * drawing about 700 pictures of at most 160 x 160 pixels; among equally good ends the earliest is chosen. All
 * these pictures together cost at most twice the camera's pixel_limit of one picture. The result is the same
 * on every machine and for every number of threads.
 */
TM_API tm_status tm_preview_find_loop(tm_preview_loop *out, const tm_renderer *renderer,
                                      const tm_camera *camera, const tm_preview_loop_options *options,
                                      tm_error *error);
/* The time of a frame for a camera, ms: frame `index` of `num` with equal durations. */
TM_API double tm_preview_loop_time(const tm_preview_loop *loop, uint32_t index, uint32_t num);

/* ---------------------------------------------------------------------------------- two maps side by side */

typedef struct tm_preview_equal_options {
    size_t size;       /* sizeof(tm_preview_equal_options) */
    const tm_job *job; /* threads; may be NULL */
    tm_image_provider provider;
    void *provider_ctx;
    uint32_t views;     /* maximum number of close views to test; default 400 */
    uint32_t tolerance; /* largest difference of a channel to ignore, 0 to 255 */
    /*
     * Maximum cost of all views of both maps, counted as in tm_render_options; default tm_render_usual_limit
     * of their pixels. More is TM_ERROR_LIMIT.
     */
    uint64_t pixel_limit;
} tm_preview_equal_options;
#define TM_PREVIEW_EQUAL_OPTIONS_INIT                               \
    {                                                               \
        sizeof(tm_preview_equal_options), NULL, NULL, NULL, 0, 0, 0 \
    }

/*
 * Whether two maps look and play the same: the tiles of the physics layers that DDNet uses are equal byte by
 * byte (a missing layer equals one of zeros), and so are pictures of 320 x 180 pixels of views all over the
 * first map, around it, and from far away, at four times. Content that no view shows is ignored. `difference`
 * (may be NULL) receives a description of the first one. Holds the prepared images of both maps.
 */
TM_API tm_status tm_preview_equal(bool *equal, const tm_map *a, const tm_map *b,
                                  const tm_preview_equal_options *options, char *difference,
                                  size_t difference_size, tm_error *error);

/* --------------------------------------------------------------------------------------- sizes as areas */

enum { TM_PREVIEW_SIZES_MIN = 16 }; /* pixels of a side */

/*
 * Draws the bytes of a map's file (tm_mapfile_each_share) into width x height RGBA pixels as a treemap: the
 * area of a share is proportional to its packed size, shares of a kind are adjacent under its name, large
 * ones top left. Labels are cut at the edge of a box; boxes that are too small have none. TM_ERROR_USAGE for
 * a side below TM_PREVIEW_SIZES_MIN. Without any bytes the picture is empty.
 */
TM_API tm_status tm_preview_draw_sizes(uint8_t *rgba, uint32_t width, uint32_t height, const tm_map *map,
                                       const tm_bytes_share *shares, size_t num, tm_error *error);

/* ---------------------------------------------------------------------------------- rules of automappers */

enum { TM_PREVIEW_RULES_MIN = 12, TM_PREVIEW_RULES_MAX = 48 }; /* pixels of a cell */

/*
 * Draws a card for each rule of a configuration (teemap/automap.h): its index, flips and probability, the
 * tile that it writes, and the cells of its conditions. The dot marks the tile itself. Dark cells must be
 * air, gray ones must not; a green frame requires the tile shown, a red one any other; a filled corner means
 * that the list has more tiles. Cells more than 6 away are omitted, which a + after the label shows. `tiles`
 * is the image of the tiles; NULL: indices are shown.
 *
 * The picture is up to 1200 pixels wide: free *rgba, *width * *height * 4 bytes, with the allocator.
 * TM_ERROR_USAGE for a cell size out of range; TM_ERROR_LIMIT if it would be more than 30000 pixels high.
 */
TM_API tm_status tm_preview_draw_rules(uint8_t **rgba, uint32_t *width, uint32_t *height,
                                       const tm_automap_config *config, const tm_pixels *tiles, uint32_t cell,
                                       const tm_allocator *allocator, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
