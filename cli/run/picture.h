/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H
/*
 * picture.h - what the commands that draw share: where the camera stands, images from the folders, which
 * layers, and pictures of any format into a file or a pipe; and the
 * picture of a map's best view, which thumbnails and galleries show (docs/thumbnails.md).
 *
 * Order of calls: picture_aim or another camera in the picture, picture_open, picture_look for a view by
 * words, picture_write or picture_stream as often as it takes, picture_close.
 */
#include "images.h"
#include "load.h"

typedef struct cli_picture {
    const picture_options *options; /* the background */
    const tm_job *job;              /* threads and progress; NULL: this thread, without progress */
    tm_mapres *mapres;
    tm_renderer *renderer;
    float *opacities; /* of the layers, owned */
    bool no_layers;   /* those that were asked for are not in the map */
    tm_camera camera; /* may be changed between two pictures, but for its opacities */
} cli_picture;

/*
 * Prepares a loaded map for drawing. Missing images become findings of the file. `path` is the map's, for
 * images next to it. What was opened is closed by picture_close, after a failure, too.
 */
tm_status picture_open(cli_picture *out, const picture_options *options, const char *path, loaded *file,
                       const tm_job *job, tm_error *error);
void picture_close(cli_picture *picture);

/*
 * Whether an image of the map was not found, and whether something is not drawn whole, as its data are lost.
 */
bool picture_misses_images(const tm_findings *findings);
bool picture_lacks_data(const tm_findings *findings);
/* Whether the design uses images and none of them is there, so that it shows next to nothing. */
bool picture_lacks_all_images(const loaded *file);
/*
 * Says what touches the picture: errors, and in one line all images that are missing and what to do about
 * them; the rest only if verbose. Makes the status worse if the picture lacks data.
 */
void picture_report(cli_report *report, const cli_picture *picture, const loaded *file);

/*
 * What speaks against the places where the picture of a map and the list of missing images go; NULL: nothing.
 */
const char *picture_places_fault(const picture_options *options, const char *path);
/* Adds `--limit allows more` to the error of a picture that needs too much work; returns the status. */
tm_status picture_hint_limit(tm_status status, tm_error *error);
/*
 * Whether each drawing unpacks layers for which there is no room: then pictures are drawn one after the
 * other, as several at once would hold several such layers.
 */
bool picture_unpacks_again(const cli_picture *picture);
/* What one of so many frames may cost, for a camera's pixel_limit. */
uint64_t picture_frame_limit(const picture_options *options, const tm_camera *camera, uint32_t num_frames);
/*
 * The limits of comparing: --memory is what one layer may take, and by default a quarter of what all may (see
 * tm_patch_options).
 */
tm_limits picture_compare_limits(const picture_options *options);
/* The camera that the options ask for, or one that shows the whole map; without the place of a --view. */
tm_status picture_aim(tm_camera *camera, const picture_options *options, const tm_map *map, tm_error *error);
/* Points the opened picture's camera at a place in words. */
tm_status picture_look(cli_picture *picture, const char *place, tm_error *error);
/* Points it at one of tm_preview_views, with the zoom that the options ask for. */
void picture_set_view(cli_picture *picture, const tm_preview_view *view);

/* Whether alpha is 255 all over, whatever is drawn. */
bool picture_is_opaque(const picture_options *options);
/* The background that the options ask for. */
tm_background picture_background(const picture_options *options);
/* Draws the picture over the background. */
tm_status picture_stream(const cli_picture *picture, const tm_row_sink *sink, tm_error *error);

/* ------------------------------------------------------------------------ output (picture_output.c) */

typedef enum picture_kind {
    PICTURE_STILL,
    PICTURE_NAMED, /* a still one of a command without --format: its name tells it */
    PICTURE_MOVING
} picture_kind;

/*
 * The format that --format asks for, else the one that the name of the output tells, else PNG for a picture
 * and raw pixels for an animation. Returns what speaks against the output or the options; NULL: nothing.
 */
const char *picture_choose_format(picture_format *out, const picture_options *options, const char *output,
                                  picture_kind kind);
/* What names of files end with: ".png". */
const char *picture_suffix(picture_format format);

/* A picture that comes in rows from the top, whoever draws it. */
typedef struct picture_rows {
    const picture_options *options; /* how it is packed */
    const tm_job *job;              /* threads that help to pack; may be NULL */
    uint32_t width, height;
    bool opaque; /* alpha is 255 all over */
    void *ctx;
    tm_status (*stream)(void *ctx, const tm_row_sink *sink, tm_error *error);
} picture_rows;
/* The rows of pixels in memory, which stay the caller's, packed as options say or as without any. */
typedef struct picture_pixels {
    const void *rgba;
    uint32_t width, height;
} picture_pixels;
picture_rows picture_rows_of(picture_pixels *pixels, const picture_options *options, bool opaque);
picture_rows picture_plain_rows(picture_pixels *pixels, bool opaque);
tm_status picture_put_rows(const picture_rows *rows, picture_format format, const tm_output *output,
                           tm_error *error);
/* Writes rows to a file, which is there when it is complete and not before; - is standard output. */
tm_status picture_write_rows(const picture_rows *rows, picture_format format, const char *path,
                             tm_error *error);

/* Draws everything into an output, in bands. */
tm_status picture_put(const cli_picture *picture, picture_format format, const tm_output *output,
                      tm_error *error);
/* As picture_put, into a file, which is there when it is complete and not before; - is standard output. */
tm_status picture_write(const cli_picture *picture, picture_format format, const char *path, tm_error *error);

/* The name of a file in the current folder: that of the map without .map, and the suffix. */
char *picture_default_name(const char *path, const char *suffix);
/* A file name with one of several views in it: NAME-finish.png. The caller's to free. */
char *picture_view_name(const char *name, const char *place);

typedef struct best_picture {
    picture_options options; /* as given, or with the layers and entities that show more */
    cli_picture picture;     /* its camera shows the view */
    tm_preview_view view;
    bool blank;          /* there is nothing in the map to draw */
    bool shows_entities; /* with the design, which alone shows nothing */
} best_picture;

/*
 * Finds the best view of a loaded map, for a picture of options->size. Missing images become findings of the
 * file, whose error tells what failed. The limit of pixels 0 is one that holds against maps that are made to
 * take long. Closed by best_picture_close, after a failure, too; until then it stays where it is.
 */
tm_status best_picture_open(best_picture *out, const picture_options *options, const char *path, loaded *file,
                            const tm_job *job);
void best_picture_close(best_picture *best);

#endif
