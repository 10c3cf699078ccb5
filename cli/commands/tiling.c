/* SPDX-License-Identifier: Zlib */
/*
 * tiling.c - from a map to its page: which pyramids it has, which tiles are in each and what they cost; then
 * tiles and page.
 */
#include "tiling.h"

/* --------------------------------------------------------------------------------------------------- plan */

/* ms that the times spread over at most; longer loops are rarely meant. */
enum { LONGEST = 20000 };

/* Work that a map may take, in pixels of all layers: when nobody says how much, and with --scale. */
static const uint64_t TEN_SECONDS = UINT64_C(2000000000), WHEN_ASKED = UINT64_C(20000000000);

static bool belongs(const tm_layer *layer, bool physics, const picture_options *options)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    return info->is_physics == physics && (physics || !layer->detail || options->detail);
}

void tiling_show(cli_tiling *t, const page_part *part, bool shown)
{
    float *opacities = t->opacities + tm_map_layer_number(t->file.map, part->group, 0);
    const size_t size = t->file.map->groups[part->group].num_layers * sizeof(*opacities);
    if (shown)
        memcpy(opacities, part->shown, size);
    else
        memset(opacities, 0, size);
}

/* What unpacking layers for which there is no room costs, once for so many tiles. */
static double unpacking_cost(cli_tiling *t, const page_part *part)
{
    tiling_show(t, part, true);
    const double work = (double)tm_renderer_unpacking_work(t->picture.renderer, t->opacities);
    tiling_show(t, part, false);
    return work * (double)(part->num_tiles / TILING_AT_ONCE + 1);
}

/* Adds a part as it is at one time. */
static tm_status plan_moment(cli_tiling *t, page_part part, tm_error *error)
{
    const int length = snprintf(part.id, sizeof(part.id), part.single ? "%u-%u" : "%u", (unsigned)part.group,
                                (unsigned)part.layer);
    if (part.moment)
        snprintf(part.id + length, sizeof(part.id) - (size_t)length, ".%u", (unsigned)part.moment);
    const tm_status status =
        tm_pyramid_plan(&part.tiles, &t->frame, part.group, part.shown, t->times[part.moment], error);
    if (status) {
        free(part.shown);
        return advise_on_limit(status, error, "; a smaller --scale needs fewer");
    }
    part.num_tiles = tm_pyramid_count(&part.tiles);
    part.tiles.cost += unpacking_cost(t, &part);
    part.clipped = tm_pyramid_is_clipped(t->file.map, part.group);
    t->planned += part.num_tiles;
    t->parts = must_resize(t->parts, t->num_parts + 1, sizeof(*t->parts));
    t->parts[t->num_parts++] = part;
    return TM_OK;
}

/* Takes parts away that stand at the end. */
static void drop_moments(cli_tiling *t, size_t first)
{
    while (t->num_parts > first)
        page_part_release(&t->parts[--t->num_parts]);
}

static tm_status part_moves(bool *moves, cli_tiling *t, const page_part *part, tm_error *error)
{
    uint64_t period = 0;
    tiling_show(t, part, true);
    const tm_status status =
        tm_preview_period(&period, t->file.map, !t->options.picture.detail, t->opacities, LONGEST, error);
    tiling_show(t, part, false);
    *moves = period > 0;
    return status;
}

/* Adds one part if it has anything to draw, as often as there are times if it moves. Takes `shown` over. */
static tm_status plan_part(cli_tiling *t, page_part part, tm_error *error)
{
    const size_t first = t->num_parts, size = t->file.map->groups[part.group].num_layers * sizeof(float);
    float *shown = part.shown;
    bool moves = false, any = false;
    tm_status status = t->num_times > 1 ? part_moves(&moves, t, &part, error) : TM_OK;
    part.num_moments = moves ? t->num_times : 1;
    for (; !status && part.moment < part.num_moments; part.moment++) {
        part.shown = must_alloc(size, 1);
        memcpy(part.shown, shown, size);
        status = plan_moment(t, part, error);
        any |= !status && t->parts[t->num_parts - 1].num_tiles > 0;
    }
    if (!any)
        drop_moments(t, first);
    free(shown);
    return status;
}

/* One layer alone. */
static tm_status plan_layer(cli_tiling *t, page_part part, uint32_t layer, float opacity, tm_error *error)
{
    part.single = true;
    part.layer = layer;
    part.shown = must_alloc(t->file.map->groups[part.group].num_layers, sizeof(*part.shown));
    part.shown[layer] = opacity;
    return plan_part(t, part, error);
}

/* `opacities`: the factors of the group's layers that were asked for. */
static tm_status plan_group(cli_tiling *t, uint32_t index, const float *opacities, bool physics,
                            tm_error *error)
{
    const tm_group *group = &t->file.map->groups[index];
    page_part part = {.group = index, .physics = physics};
    tm_status status = TM_OK;
    for (uint32_t l = 0; !status && l < group->num_layers; l++) {
        if (!belongs(&group->layers[l], physics, &t->options.picture) || !(opacities[l] > 0))
            continue;
        if (physics || t->options.each_layer) {
            status = plan_layer(t, part, l, opacities[l], error);
            continue;
        }
        if (!part.shown)
            part.shown = must_alloc(group->num_layers, sizeof(*part.shown));
        part.shown[l] = opacities[l];
    }
    return status || !part.shown ? status : plan_part(t, part, error);
}

static tm_status has_parts(const cli_tiling *t, tm_error *error)
{
    return t->num_parts ? TM_OK : fail(error, TM_ERROR_USAGE, "there is nothing in the map to draw");
}

/* The design from back to front, then what stands over it. */
static tm_status plan_parts(cli_tiling *t, tm_error *error)
{
    const tm_map *map = t->file.map;
    const uint64_t given = t->options.picture.limit, limit = t->bounded ? TEN_SECONDS
                                                             : given    ? given
                                                                        : WHEN_ASKED;
    double cost = 0;
    for (int physics = 0; physics < 2; physics++) {
        const float *opacities = t->picture.opacities;
        for (uint32_t g = 0; g < map->num_groups; opacities += map->groups[g++].num_layers) {
            const size_t before = t->num_parts;
            TRY(plan_group(t, g, opacities, physics, error));
            for (size_t i = before; i < t->num_parts; i++)
                cost += t->parts[i].tiles.cost;
            if (cost > (double)limit)
                return fail(error, TM_ERROR_LIMIT,
                            "drawing all tiles needs more work than the limit of %" PRIu64
                            " pixels; --limit allows more, a smaller --scale needs less",
                            limit);
        }
    }
    return has_parts(t, error);
}

/* Even steps until everything is back where it was, or for twenty seconds. */
static tm_status choose_times(cli_tiling *t, tm_error *error)
{
    const uint32_t num = t->options.times ? t->options.times : 1;
    uint64_t period = 0;
    tm_status status = TM_OK;
    if (num > 1)
        status = tm_preview_period(&period, t->file.map, !t->options.picture.detail, t->picture.opacities,
                                   LONGEST + 1, error);
    t->num_times = period ? num : 1;
    for (uint32_t i = 0; i < t->num_times; i++)
        t->times[i] = t->options.picture.time + (double)(period > LONGEST ? LONGEST : period) * i / num;
    return status;
}

static tm_status plan_scale(cli_tiling *t, uint32_t tile_pixels, tm_error *error)
{
    const uint64_t looks = t->frame.looks; /* that an earlier plan left */
    const bool first = t->frame.scale == 0;
    const tm_status status = tm_pyramid_frame_init(&t->frame, t->file.map, tile_pixels, error);
    if (status)
        return advise_on_limit(status, error, "; a smaller --scale needs fewer");
    t->frame.looks = first ? t->frame.looks : looks;
    drop_moments(t, 0);
    t->planned = 0;
    return plan_parts(t, error);
}

/* Looks for what there is to draw. */
static tm_status plan_tiling(cli_tiling *t, tm_error *error)
{
    picture_options *options = &t->options.picture;
    t->bounded = options->scale <= 0 && !options->limit;
    const double pixels = options->scale > 0 ? options->scale : TM_TILE_PX;
    uint32_t whole = (uint32_t)pixels;
    if (whole < 1 || whole > TM_PYRAMID_SIDE || (double)whole != pixels || (whole & (whole - 1)))
        return fail(error, TM_ERROR_USAGE, "--scale must be a power of two here, from 1 to 256");
    if (!options->layers && !options->entities)
        options->layers = "design,physics"; /* the page switches them */
    t->picture.camera = (tm_camera){.size = sizeof(tm_camera),
                                    .kind = TM_CAMERA_FLAT,
                                    .width = TM_PYRAMID_SIDE,
                                    .height = TM_PYRAMID_SIDE,
                                    .time = options->time};
    tm_status status = picture_open(&t->picture, options, t->path, &t->file, NULL, error);
    t->opacities = must_alloc(tm_map_num_layers(t->file.map) + 1U, sizeof(*t->opacities));
    status = status ? status : choose_times(t, error);
    if (status)
        return status;
    do
        status = plan_scale(t, whole, error);
    while (status == TM_ERROR_LIMIT && t->bounded && (whole /= 2));
    return status;
}

static tm_status choose_format(cli_tiling *t, tm_error *error)
{
    picture_options *o = &t->options.picture;
    o->format = o->format ? o->format : PICTURE_PNG;
    if (o->format == PICTURE_WEBP && !tm_webp_available())
        return fail(error, TM_ERROR_USAGE, "this teemap was built without WebP");
    return o->format == PICTURE_PNG && o->quality ? fail(error, TM_ERROR_USAGE, "--quality is for WebP only")
                                                  : TM_OK;
}

char *tiling_index(const cli_tiling *t)
{
    const picture_options *o = &t->options.picture;
    return o->output ? must_copy(o->output) : files_join(o->folder, "index.html");
}

/* The file is there when it is complete, right before the page that knows its places. */
static tm_status make_pack(cli_tiling *t, tm_error *error)
{
    char *path = files_join(t->options.picture.folder, TILING_PACK);
    output_file file;
    tm_status status = output_open_below(&file, t->options.picture.folder, path, error);
    t->pack = &file.output;
    status = status ? status : tiling_draw(t, error);
    status = status ? status : has_parts(t, error);
    t->pack = NULL;
    free(path);
    return output_close(&file, status, error);
}

tm_status tiling_make(cli_tiling *t, const tm_job *job, tm_error *error)
{
    t->job = job;
    t->name = picture_default_name(t->path, "");
    tm_status status = choose_format(t, error);
    status = status ? status : plan_tiling(t, error);
    if (status)
        return status;
    /* Where a group with parallax is clipped depends on the viewer: the page clips, its tiles show all. */
    for (uint32_t g = 0; g < t->file.map->num_groups; g++)
        t->file.map->groups[g].use_clipping = tm_pyramid_keeps_clip(t->file.map, g);
    status = t->options.pack ? make_pack(t, error) : tiling_draw(t, error);
    status = status ? status : has_parts(t, error);
    if (status)
        return status;
    char *path = tiling_index(t);
    status = save_page_below(t->options.picture.folder, path, tiles_page, page_values(t), error);
    free(path);
    return status;
}

void tiling_release(cli_tiling *t)
{
    for (size_t i = 0; i < t->num_parts; i++)
        page_part_release(&t->parts[i]);
    free(t->parts);
    free(t->opacities);
    free(t->name);
    picture_close(&t->picture);
    loaded_release(&t->file);
}
