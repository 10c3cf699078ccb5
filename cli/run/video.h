/* SPDX-License-Identifier: Zlib */
#ifndef CLI_VIDEO_H
#define CLI_VIDEO_H
/* video.h - videos, made by the ffmpeg that is installed, out of raw frames. */
#include <teemap/sys.h>

typedef struct video_plan {
    bool webm; /* VP9 in WebM; else H.264 in MP4 */
    uint32_t width, height, num_frames;
    uint64_t duration; /* us */
    uint32_t quality;  /* 1 to 100 */
    bool compress;
    uint32_t threads;
} video_plan;

/*
 * Has `put` write the frames (RGB, 3 bytes a pixel, and nothing between them) to ffmpeg, and makes a file of
 * them, which is there when it is complete and not before. *size is the file's in bytes; a file of more than
 * `most` is not kept (TM_ERROR_LIMIT).
 */
tm_status video_write(uint64_t *size, const video_plan *plan, const char *path, uint64_t most,
                      tm_status (*put)(void *ctx, const tm_output *output, tm_error *error), void *ctx,
                      tm_error *error);

#endif
