/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_ENVELOPES_H
#define TMI_EDIT_ENVELOPES_H
/*
 * Lists of points apart from any envelope.
 */
#include "edit.h"

typedef struct tmi_point_list {
    tm_envelope_point *points;
    size_t num, capacity;
    const tm_allocator *scratch;
    uint32_t channels; /* that count, 0 to 4 */
} tmi_point_list;

/* Adds the points of an envelope by time; those of one time stay in their order. */
tm_status tmi_points_add_sorted(tmi_point_list *to, const tm_envelope *envelope, tm_error *error);

#endif
