/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PREVIEW_LOOP_H
#define TMI_PREVIEW_LOOP_H
/* What the search for a loop shares: how envelopes move, and which of them are seen. */
#include "preview.h"

/* An envelope over its whole period. */
typedef struct tmi_motion {
    uint64_t period; /* ms; 0: it always has the same values */
    uint32_t channels;
    double low[4], high[4]; /* of its values; never further in than they are */
} tmi_motion;

typedef struct tmi_loop_seen {
    bool *envelopes;      /* the caller's, of all envelopes, false before */
    int64_t least_offset; /* ms, at most 0: what is furthest behind begins so much later */
} tmi_loop_seen;
/*
 * Finds the envelopes that move something in a picture: sets out->envelopes[i] for each. Quads count that may
 * ever reach the picture, and tiles that are in it, unless layers in which nothing moves hide them at all
 * times. The result may have one too many, but never lacks one. Costs about as much as the picture, whose
 * `time` does not matter. `motions` are those of all envelopes; the camera was checked.
 */
tm_status tmi_loop_look(tmi_loop_seen *out, const tm_renderer *renderer, const tm_camera *camera,
                        tmi_motion *motions, tm_error *error);

#endif
