/* SPDX-License-Identifier: Zlib */
/*
 * What a picture may cost.
 */
#include "render.h"

uint64_t tm_render_usual_limit(uint64_t pixels)
{
    const uint64_t base = 1000000000, of_pixel = 80, most = 5 * base;
    return pixels > (most - base) / of_pixel ? most : base + of_pixel * pixels;
}

uint64_t tmi_work_limit(const tm_renderer *renderer, uint64_t pixels)
{
    const uint64_t given = renderer->options.pixel_limit;
    return given ? given : tm_render_usual_limit(pixels);
}

uint64_t tmi_pixel_limit(const tm_renderer *renderer, const tm_camera *camera)
{
    const uint64_t all = tmi_work_limit(renderer, (uint64_t)camera->width * camera->height),
                   own = camera->pixel_limit;
    return own && own < all ? own : all;
}

tm_status tmi_over_limit(uint64_t limit, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_LIMIT, -1,
                    "the picture needs more work than the limit of %llu pixels, those of all layers counted",
                    (unsigned long long)limit);
}
