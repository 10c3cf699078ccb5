/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_ENVELOPES_H
#define TMI_EDIT_ENVELOPES_H
/*
 * Lists of points apart from any envelope, and what is done to them (envelope_lists.c).
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
/* Sorts the points and starts them at time 0, so that the games show the same. */
tm_status tmi_points_take(tmi_point_list *out, const tm_allocator *scratch, const tm_envelope *envelope,
                          tm_error *error);
/* A point at 0, so that the envelope begins where its period does. */
tm_status tmi_points_begin(tmi_point_list *list, tm_error *error);
/*
 * Makes one of the others of them. They work on lists that begin at 0, and the result shows at time t what
 * the list did at ...
 */
tm_status tmi_points_shift(tmi_point_list *out, tmi_point_list *list, int32_t by,
                           tm_error *error);                                              /* t + by */
tm_status tmi_points_reverse(tmi_point_list *out, tmi_point_list *list, tm_error *error); /* period - t */

#endif
