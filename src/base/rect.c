/* SPDX-License-Identifier: Zlib */
/* Rectangles: the common part of two, and the one around both. Their edges may need 64 bits. */
#include "base.h"

static uint32_t length_of(int64_t length)
{
    return (uint32_t)tmi_clamp(length, 0, UINT32_MAX);
}

bool tmi_rect_before(const tm_rect *a, const tm_rect *b)
{
    return a->y != b->y ? a->y < b->y : a->x < b->x;
}

tm_rect tmi_rect_common(const tm_rect *a, const tm_rect *b)
{
    const int32_t x = a->x > b->x ? a->x : b->x, y = a->y > b->y ? a->y : b->y;
    const int64_t right = tmi_right(a) < tmi_right(b) ? tmi_right(a) : tmi_right(b);
    const int64_t bottom = tmi_bottom(a) < tmi_bottom(b) ? tmi_bottom(a) : tmi_bottom(b);
    return right <= x || bottom <= y ? (tm_rect){0, 0, 0, 0}
                                     : (tm_rect){x, y, length_of(right - x), length_of(bottom - y)};
}

tm_rect tmi_rect_around(const tm_rect *a, const tm_rect *b)
{
    if (tmi_rect_is_empty(a))
        return *b;
    if (tmi_rect_is_empty(b))
        return *a;
    const int32_t x = a->x < b->x ? a->x : b->x, y = a->y < b->y ? a->y : b->y;
    const int64_t right = tmi_right(a) > tmi_right(b) ? tmi_right(a) : tmi_right(b);
    const int64_t bottom = tmi_bottom(a) > tmi_bottom(b) ? tmi_bottom(a) : tmi_bottom(b);
    return (tm_rect){x, y, length_of(right - x), length_of(bottom - y)};
}
