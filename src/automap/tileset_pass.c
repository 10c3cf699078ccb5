/* SPDX-License-Identifier: Zlib */
/*
 * A tile set of Teeworlds 0.7 on a layer: one pass in place, from top to bottom, where each rule sees what
 * was written before. Beyond its edges the layer repeats the tiles there.
 */
#include "automap.h"

int32_t tmi_automap_random(tmi_automap_work *work)
{
    const uint32_t number = (uint32_t)work->num_random++;
    if (work->options->random)
        return work->options->random(work->options->random_ctx);
    return (int32_t)(tmi_automap_mix((uint32_t)work->seed + number) & INT32_MAX);
}

static uint32_t nearest_inside(int64_t at, uint32_t size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

static bool asks_for(const tm_automap_condition *condition, const tmi_automap_layer *layer, uint32_t x,
                     uint32_t y)
{
    const uint32_t at_x = nearest_inside((int64_t)x + condition->x, layer->width);
    const uint32_t at_y = nearest_inside((int64_t)y + condition->y, layer->height);
    const uint8_t index = layer->tiles[(size_t)at_y * layer->width + at_x].index;
    return (index == condition->entries[0].index) != condition->negated;
}

static bool tile_rule_holds(tmi_automap_work *work, const tm_automap_rule *rule, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < rule->num_conditions; i++)
        if (!asks_for(&rule->conditions[i], &work->layer, x, y))
            return false;
    if (rule->one_in <= 1)
        return true;
    /* Each step in single precision, as the editor does it: 1 comes out for 1 in so many. */
    const float part = (float)tmi_automap_random(work) / 2147483648.0F;
    const float times = part * (float)rule->one_in;
    return (int32_t)times == 1;
}

static void dress_tile(tmi_automap_work *work, uint32_t x, uint32_t y)
{
    const tm_automap_pass *pass = work->config->passes;
    tm_tile *tile = &work->layer.tiles[(size_t)y * work->layer.width + x];
    if (tile->index == 0)
        return;
    tile->index = (uint8_t)work->config->base_tile;
    for (uint32_t i = 0; i < pass->num_rules; i++) {
        if (tile_rule_holds(work, &pass->rules[i], x, y)) {
            tile->index = (uint8_t)pass->rules[i].index;
            tile->flags = pass->rules[i].flags;
        }
    }
}

tm_status tmi_automap_tileset(tmi_automap_work *work, tm_error *error)
{
    const tm_rect whole = {0, 0, work->layer.width, work->layer.height};
    const tm_rect *region = work->options->region ? work->options->region : &whole;
    const tm_rect part = tmi_rect_common(region, &whole);
    if (!work->config->passes->num_rules)
        return TM_OK;
    for (uint32_t y = (uint32_t)part.y; y < tmi_bottom(&part); y++) {
        if (tmi_cancelled(work->job->cancel))
            return tmi_fail(error, TM_ERROR_CANCELLED, -1, "cancelled");
        for (uint32_t x = (uint32_t)part.x; x < tmi_right(&part); x++)
            dress_tile(work, x, y);
    }
    return TM_OK;
}
