/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_ANIMATION_H
#define TMI_CODEC_ANIMATION_H
/* What an animation is, and what each format does for it. Frames come in order, each once. */
#include "codec.h"

typedef struct tmi_animation_plan {
    tm_output output;
    uint32_t width, height, num_frames;
    uint64_t duration;            /* us, of all frames */
    tm_animation_options options; /* filled in */
} tmi_animation_plan;

typedef struct tmi_animation_kind {
    /* After a failure nothing is left to free. `plan` stays where it is. */
    tm_status (*begin)(void **out, const tmi_animation_plan *plan, tm_error *error);
    tm_status (*frame)(void *state, uint32_t index, const uint8_t *pixels, size_t stride, tm_error *error);
    tm_status (*end)(void *state, tm_error *error);
    void (*release)(void *state); /* takes NULL */
} tmi_animation_kind;

extern const tmi_animation_kind tmi_apng, tmi_webp_animation;

#endif
