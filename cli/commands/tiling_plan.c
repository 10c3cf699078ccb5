/* SPDX-License-Identifier: Zlib */
/*
 * tiling_plan.c - which pyramids a map has, which tiles there are in each, and what they cost.
 */
#include "tiling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool belongs(const tm_layer *layer, bool physics, const picture_options *options)
{
    const tm_layer_rule *rule = tm_rules_layer(layer->kind);
    return rule->is_physics == physics && (physics || !layer->detail || options->detail);
}

/* What helps when planning reached a limit. */
static tm_status advise_scale(tm_status status, tm_error *error)
{
    if (status == TM_ERROR_LIMIT)
        strncat(error->text, "; a smaller --scale needs fewer",
                sizeof(error->text) - strlen(error->text) - 1);
    return status;
}

/* Adds one part if it has anything to draw. */
static tm_status plan_part(tiling *t, page_part part, tm_error *error)
{
    snprintf(part.id, sizeof(part.id), part.single ? "%u-%u" : "%u", (unsigned)part.group,
             (unsigned)part.layer);
    const tm_status status =
        tm_pyramid_plan(&part.tiles, &t->frame, part.group, part.shown, t->picture.camera.time, error);
    part.num_tiles = tm_pyramid_count(&part.tiles);
    if (status || part.num_tiles == 0) {
        tm_pyramid_release(&part.tiles);
        free(part.shown);
        return advise_scale(status, error);
    }
    part.clipped = tm_pyramid_is_clipped(t->file.map, part.group);
    t->planned += part.num_tiles;
    t->parts = must_resize(t->parts, t->num_parts + 1, sizeof(*t->parts));
    t->parts[t->num_parts++] = part;
    return TM_OK;
}

/* One layer alone. */
static tm_status plan_layer(tiling *t, page_part part, uint32_t layer, float opacity, tm_error *error)
{
    part.single = true;
    part.layer = layer;
    part.shown = must_alloc(t->file.map->groups[part.group].num_layers, sizeof(*part.shown));
    part.shown[layer] = opacity;
    return plan_part(t, part, error);
}

/* `all`: the factors of the group's layers that were asked for. */
static tm_status plan_group(tiling *t, uint32_t group, const float *all, bool physics, tm_error *error)
{
    const tm_group *of = &t->file.map->groups[group];
    page_part part = {.group = group, .physics = physics};
    tm_status status = TM_OK;
    for (uint32_t l = 0; !status && l < of->num_layers; l++) {
        if (!belongs(&of->layers[l], physics, &t->options.picture) || !(all[l] > 0))
            continue;
        if (physics || t->options.each_layer) {
            status = plan_layer(t, part, l, all[l], error);
            continue;
        }
        if (!part.shown)
            part.shown = must_alloc(of->num_layers, sizeof(*part.shown));
        part.shown[l] = all[l];
    }
    return status || !part.shown ? status : plan_part(t, part, error);
}

tm_status tiling_has_parts(const tiling *t, tm_error *error)
{
    return t->num_parts ? TM_OK : picture_refuse(error, "there is nothing in the map to draw");
}

/* The design from back to front, then what stands over it. */
static tm_status plan_parts(tiling *t, tm_error *error)
{
    const tm_map *map = t->file.map;
    const uint64_t limit = t->options.picture.limit;
    double cost = 0;
    for (int physics = 0; physics < 2; physics++) {
        const float *all = t->picture.opacities;
        for (uint32_t g = 0; g < map->num_groups; all += map->groups[g++].num_layers) {
            const size_t before = t->num_parts;
            const tm_status status = plan_group(t, g, all, physics, error);
            if (status)
                return status;
            for (size_t i = before; i < t->num_parts; i++)
                cost += t->parts[i].tiles.cost;
            if (cost > (double)limit) {
                *error = (tm_error){.code = TM_ERROR_LIMIT, .offset = -1};
                snprintf(error->text, sizeof(error->text),
                         "drawing all tiles would cost more than %" PRIu64
                         " pixels; see --scale, --layers and --limit",
                         limit);
                return TM_ERROR_LIMIT;
            }
        }
    }
    return tiling_has_parts(t, error);
}

tm_status tiling_plan(tiling *t, tm_error *error)
{
    picture_options *options = &t->options.picture;
    const double pixels = options->scale;
    const uint32_t whole = (uint32_t)pixels;
    if (whole < 1 || whole > TM_PYRAMID_SIDE || (double)whole != pixels || (whole & (whole - 1)))
        return picture_refuse(error, "--scale must be a power of two here, from 1 to 256");
    tm_status status = tm_pyramid_frame_init(&t->frame, t->file.map, whole, error);
    if (status)
        return advise_scale(status, error);
    if (!options->layers && !options->entities)
        options->layers = "design,physics"; /* the page switches them */
    const tm_camera camera = {.size = sizeof(tm_camera),
                              .kind = TM_CAMERA_FLAT,
                              .width = TM_PYRAMID_SIDE,
                              .height = TM_PYRAMID_SIDE,
                              .time = options->time};
    status = picture_open(&t->picture, options, &camera, t->path, &t->file, NULL, error);
    return status ? status : plan_parts(t, error);
}
