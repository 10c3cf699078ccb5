/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_ANIMATION_H
#define TMI_CODEC_ANIMATION_H
/*
 * What an animation is, and what each format does for it. For formats with few colors, the colors are learned
 * from some frames before the first one. A frame goes through these steps:
 *   convert   the pixels as the format has them; any thread
 *   mark      what differs from what is shown already; one frame after the other
 *   pack      the rectangle that differs becomes bytes; any thread
 *   put       into the file; one frame after the other
 */
#include "gif_palette.h"

typedef struct tmi_animation_plan {
    tm_output output;
    uint32_t width, height, num_frames;
    uint64_t duration;            /* us, of all frames */
    tm_animation_options options; /* filled in */
    bool few_colors;              /* a palette, from the first `convert` on */
    tmi_palette *palette;
    uint8_t *shown; /* the pixels that are shown when a frame comes; of formats that mark */
} tmi_animation_plan;

typedef struct tmi_frame {
    uint8_t *pixels; /* width * height * 4 bytes without gaps; what they mean after convert is the format's */
    tm_rect area;    /* what differs */
    bool same;       /* nothing does */
    tm_buffer packed;
} tmi_frame;

typedef struct tmi_animation_kind {
    const char *lacks; /* why this build cannot write it; NULL: it can */
    /*
     * Checks the plan, which stays where it is. *out is the plan, and stays so where there is no more to
     * know. After a failure nothing is left to free. NULL: there is nothing to check.
     */
    tm_status (*begin)(void **out, const tmi_animation_plan *plan, tm_error *error);
    void (*convert)(const void *state, tmi_frame *frame);        /* NULL: nothing, as of what follows */
    void (*mark)(void *state, uint32_t index, tmi_frame *frame); /* NULL: there is no `pack` either */
    size_t worker_size; /* bytes, zero at first, that one thread has for packing */
    tm_status (*pack)(const void *state, void *worker, uint32_t index, tmi_frame *frame, tm_error *error);
    void (*worker_release)(void *worker); /* NULL: a worker holds nothing */
    bool waits; /* a frame is put when its end is known, and is shown for longer while nothing differs */
    /* A frame that is shown until frame `end` begins. */
    tm_status (*put)(void *state, uint32_t index, uint32_t end, const tmi_frame *frame, tm_error *error);
    tm_status (*end)(void *state, tm_error *error); /* NULL: nothing */
    void (*release)(void *state);                   /* NULL: there is no state; takes NULL */
} tmi_animation_kind;

extern const tmi_animation_kind tmi_apng, tmi_webp_animation, tmi_gif, tmi_raw;

/* When a frame begins, rounded, in units of so many us; for the number of frames: when the last one ends. */
uint64_t tmi_frame_time(const tmi_animation_plan *plan, uint32_t index, uint32_t unit);

/*
 * Finds the rectangle of a frame that differs by more than `tolerance` in some channel from what is shown,
 * and shows it; frame->same, and one pixel, if nothing does. All of the first frame differs. `clear`: all
 * pixels are opaque, so their alpha does not count, and those that do not differ become 0, so that what is
 * shown stays there.
 */
void tmi_mark_changes(const tmi_animation_plan *plan, uint32_t index, tmi_frame *frame, uint32_t tolerance,
                      bool clear);
/* Differences of a channel that formats with a palette do not write, by the quality that was asked for. */
uint32_t tmi_palette_tolerance(const tmi_animation_plan *plan);

#endif
