/* SPDX-License-Identifier: Zlib */
/*
 * The opacity and the color of a layer, from its envelope and the camera; and the work that a picture may
 * take (section 11).
 */
#include "render.h"

#include "../map/map.h"

float tmi_opacity(const tm_renderer *renderer, const tm_camera *camera, const tm_layer *layer, uint32_t order)
{
    if (layer->detail && renderer->options.no_detail && layer->kind != TM_LAYER_GAME)
        return 0;
    if (!camera->opacities)
        return tm_game_layer(layer->kind)->is_physics ? 0 : 1;
    const float opacity = camera->opacities[order - 1];
    return opacity > 1 ? 1 : opacity > 0 ? opacity : 0; /* 0 for what is no number, too */
}

tmi_rgba tmi_color_factor(const tm_renderer *renderer, tm_color color, int32_t envelope, int32_t offset,
                          tmi_shown shown)
{
    const bool is_07 = renderer->options.look == TM_CLIENT_TEEWORLDS07;
    const tm_envelope *color_envelope = tm_map_envelope(renderer->map, envelope);
    double values[4] = {1, 1, 1, 1};
    if (is_07 && envelope >= 0 && (!color_envelope || color_envelope->num_points == 0))
        memset(values, 0, sizeof(values));
    else if (color_envelope)
        tm_envelope_evaluate(color_envelope, shown.time + offset, 4, values);
    const double factors[4] = {color.r * values[0] / 255, color.g * values[1] / 255,
                               color.b * values[2] / 255, color.a * values[3] / 255 * shown.opacity};
    tmi_rgba out;
    for (int k = 0; k < 4; k++)
        out[k] = factors[k] < 0 ? 0 : (float)factors[k];
    return out;
}

tmi_rgba tmi_multiplied(tmi_rgba factor)
{
    const float alpha = factor[3];
    factor = factor * alpha;
    factor[3] = alpha;
    for (int k = 0; k < 4; k++)
        factor[k] = factor[k] > 1 ? 1 : factor[k];
    return factor;
}

/* ------------------------------------------------------------------------------------------------- limits */

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
