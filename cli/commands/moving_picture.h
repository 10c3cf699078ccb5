/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MOVING_PICTURE_H
#define CLI_MOVING_PICTURE_H
/*
 * moving_picture.h - a picture at many times in one file: drawn and packed in parallel, and so small as it
 * was asked to be.
 */
#include "run/picture.h"

typedef struct moving_picture {
    cli_picture picture;
    picture_format format;
    tm_preview_loop loop;
    double fps;
    uint32_t num;     /* frames */
    uint32_t quality; /* 0: lossless */
    bool once;        /* not forever */
    bool compress;
    const tm_job *job; /* progress counts frames */
    uint64_t memory;   /* bytes for frames; 0: 64 MiB */
    /* What may be saved at to stay within so many bytes; 0: any size will do. */
    uint64_t max_size;
    bool keeps_size, keeps_rate, keeps_quality;
    bool may_be_larger; /* rather than not be there */
    /* What came of it. */
    uint32_t saving;   /* 0: nothing was saved at */
    uint64_t estimate; /* bytes; 0: nobody asked */
    uint64_t bytes;    /* of the file */
} moving_picture;

enum { MOVING_MAX_FRAMES = 99999 }; /* five digits */

/* Made by ffmpeg; their sides are even. */
bool moving_is_video(picture_format format);
/* How many frames the loop has at this rate; refuses more than MOVING_MAX_FRAMES. */
tm_status moving_count(moving_picture *moving, tm_error *error);
/* One frame, by this job's threads. */
cli_picture moving_frame(const moving_picture *moving, uint32_t index, const tm_job *job);
/* Draws one into memory; large ones by all threads. */
tm_status moving_draw(const moving_picture *moving, uint32_t index, void *rgba, size_t row_stride,
                      tm_error *error);
/* Tries some frames, and chooses quality, rate and size so that the file will be small enough. */
tm_status moving_fit(moving_picture *out, const moving_picture *asked, tm_error *error);
/*
 * Draws all frames of what moving_fit chose into a file, which is there when it is complete and not before; -
 * is standard output. What comes out larger than was thought is done again, with more saved at.
 */
tm_status moving_write(moving_picture *moving, const moving_picture *asked, const char *path,
                       tm_error *error);

#endif
