/* SPDX-License-Identifier: Zlib */
/*
 * Envelope points (section 2.5). All envelopes share one points item, of 6 ints a point or, when any envelope
 * is version 3, of 22; DDNet keeps bezier tangents next to the short form, in an item of its own with 16 ints
 * a point. In the model each envelope has its points, tangents included.
 *
 *   0 time  1 curve  2..5 values     22 ints: 6..9 in dx  10..13 in dy  14..17 out dx  18..21 out dy
 */
#include "mapfile.h"
#include "../games/games.h"

enum { SHORT_INTS = 6, LONG_INTS = 22, BEZIER_INTS = LONG_INTS - SHORT_INTS };

static void get_ints(int32_t *out, const uint8_t *bytes, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        out[i] = tmi_get_i32(bytes + (size_t)4 * i);
}

static void put_ints(uint8_t *bytes, const int32_t *ints, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        tmi_put_i32(bytes + (size_t)4 * i, ints[i]);
}

static uint8_t *tangents_at(const tmi_points *points, uint32_t index)
{
    if (points->ints == LONG_INTS)
        return points->points + ((size_t)index * LONG_INTS + SHORT_INTS) * 4;
    return points->bezier ? points->bezier + (size_t)index * BEZIER_INTS * 4 : NULL;
}

/* The ints of a point stand in its struct as they stand in a file of 22. */
_Static_assert(sizeof(tm_envelope_point) == LONG_INTS * sizeof(int32_t), "a point has 22 ints");

static void get_point(const tmi_points *points, uint32_t index, tm_envelope_point *out)
{
    const uint8_t *tangents = tangents_at(points, index);
    int32_t ints[LONG_INTS] = {0};
    get_ints(ints, points->points + (size_t)index * points->ints * 4, SHORT_INTS);
    if (tangents)
        get_ints(ints + SHORT_INTS, tangents, BEZIER_INTS);
    memcpy(out, ints, sizeof(*out));
}

static void put_point(const tmi_points *out, uint32_t index, const tm_envelope_point *point)
{
    uint8_t *tangents = tangents_at(out, index);
    int32_t ints[LONG_INTS];
    memcpy(ints, point, sizeof(ints));
    put_ints(out->points + (size_t)index * out->ints * 4, ints, SHORT_INTS);
    if (tangents)
        put_ints(tangents, ints + SHORT_INTS, BEZIER_INTS);
}

/* The part of a range that lies within the points of the item. */
static tmi_index_range clamp_range(const tmi_points *points, tmi_index_range range)
{
    if (range.start < 0 || range.num <= 0 || (uint32_t)range.start >= points->num)
        return (tmi_index_range){0, 0};
    uint32_t left = points->num - (uint32_t)range.start;
    return (tmi_index_range){range.start, (uint32_t)range.num > left ? (int32_t)left : range.num};
}

/* The items of the file, borrowed for reading only. */
static tmi_points file_points(const tmi_file *file)
{
    tmi_points result = {.ints = file->point_ints};
    tm_datafile_item points, bezier;
    if (!tmi_file_item(file, TM_ITEM_ENVELOPE_POINTS, 0, &points, NULL))
        return result;
    result.points = (uint8_t *)(uintptr_t)points.body; /* read only, by the contract above */
    result.num = points.size / 4 / result.ints;
    result.points_size = points.size;
    if (result.ints == SHORT_INTS && tmi_file_item(file, TMI_KIND_UUID + TM_UUID_BEZIER, 0, &bezier, NULL) &&
        bezier.size / 4 / BEZIER_INTS == result.num) {
        result.bezier = (uint8_t *)(uintptr_t)bezier.body;
        result.bezier_size = bezier.size;
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------ loading */

/*
 * Gives the envelopes their points. Where they have some in common, which would multiply them, all lie in one
 * memory.
 */
static tm_status place_points(tmi_item_io *io, const tmi_points *points, const tmi_index_range *ranges)
{
    tm_map *map = io->map;
    uint64_t num = 0;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        num += (uint64_t)clamp_range(points, ranges[i]).num;
    map->priv->most_points += points->num;
    const bool common = num > points->num;
    if (common)
        TM_TRY(tmi_map_make_common_points(map, points->num, io->error));
    for (uint32_t k = 0; common && k < points->num; k++)
        get_point(points, k, &map->priv->common_points->points[k]);
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tmi_index_range range = clamp_range(points, ranges[i]);
        tm_envelope *envelope = &map->envelopes[i];
        if (common && range.num) {
            envelope->points = map->priv->common_points->points + range.start;
            envelope->num_points = (uint32_t)range.num;
            continue;
        }
        TM_TRY(tmi_envelope_reserve(map, envelope, (uint32_t)range.num, io->error));
        for (uint32_t k = 0; k < envelope->num_points; k++)
            get_point(points, (uint32_t)range.start + k, &envelope->points[k]);
    }
    return TM_OK;
}

tm_status tmi_points_load(tmi_item_io *io, const tmi_index_range *ranges)
{
    const tmi_points points = file_points(io->file);
    /* who reads each envelope reads common points several times */
    uint64_t budget = io->map->priv->limits.item_bytes / sizeof(tm_envelope_point);
    TM_TRY(place_points(io, &points, ranges));
    for (uint32_t i = 0; i < io->map->num_envelopes; i++) {
        const tm_envelope *envelope = &io->map->envelopes[i];
        const tmi_index_range said = ranges[i], range = clamp_range(&points, said);
        io->address = (tm_address){TM_KIND_ENVELOPE, i, 0};
        if ((uint64_t)range.num > budget)
            return tmi_fail(
                io->error, TM_ERROR_LIMIT, -1,
                "the envelopes have too many points together: limits.item_bytes does not allow more");
        budget -= (uint64_t)range.num;
        if (range.num != said.num)
            tmi_io_report(io, TM_FINDING_POINTS_RANGE,
                          "the envelope has the points %d to %lld, but there are only %u", said.start,
                          (long long)said.start + said.num - 1, points.num);
        for (uint32_t k = 0; k < envelope->num_points; k++) {
            const tm_envelope_point *point = &envelope->points[k];
            if (point->curve < TM_CURVE_STEP || point->curve > TM_CURVE_BEZIER)
                tmi_io_report(io, TM_FINDING_BAD_CURVE, "point %u has curve %d, which counts as linear", k,
                              point->curve);
            if (k > 0 && point->time < point[-1].time)
                tmi_io_report(io, TM_FINDING_POINTS_ORDER, "point %u at %d ms comes before point %u at %d ms",
                              k, point->time, k - 1, point[-1].time);
        }
    }
    io->address = (tm_address){TM_KIND_MAP, 0, 0};
    if (points.ints == SHORT_INTS && io->file->counts[TMI_KIND_UUID + TM_UUID_BEZIER] && !points.bezier) {
        io->file->notes[io->file->items[TMI_KIND_UUID + TM_UUID_BEZIER]].withheld |= TMI_WITHHELD_ITEM;
        tmi_io_report(io, TM_FINDING_BEZIER_COUNT,
                      "the bezier item is ignored: it does not fit the %u envelope points", points.num);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ storing */

/* Whether the envelopes are still those of the file, so that its points item can serve, whole or patched. */
static bool can_keep(const tmi_item_io *io, const tmi_points *points, tmi_index_range *ranges)
{
    const tm_map *map = io->map;
    if (!io->file || io->rewrite || map->num_envelopes != io->file->counts[TM_ITEM_ENVELOPE])
        return false;
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tm_envelope *envelope = &map->envelopes[i];
        tm_datafile_item item;
        if (envelope->origin.file != &io->file->base ||
            !tm_datafile_get_item(&item, io->file->datafile, envelope->origin.item))
            return false;
        ranges[i] = (tmi_index_range){tm_datafile_item_int(&item, 2, 0), tm_datafile_item_int(&item, 3, 0)};
        if ((uint32_t)clamp_range(points, ranges[i]).num != envelope->num_points)
            return false;
    }
    return true;
}

static bool all_same(const tm_map *map, const tmi_points *points, const tmi_index_range *ranges)
{
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tmi_index_range range = clamp_range(points, ranges[i]);
        if ((uint32_t)range.num != map->envelopes[i].num_points)
            return false;
        for (int32_t k = 0; k < range.num; k++) {
            tm_envelope_point point;
            get_point(points, (uint32_t)(range.start + k), &point);
            if (memcmp(&point, &map->envelopes[i].points[k], sizeof(point)) != 0)
                return false;
        }
    }
    return true;
}

/* Zeroed bodies of the sizes that are set. */
static tm_status make_bodies(tmi_points *out, const tmi_item_io *io, bool bezier)
{
    out->points = tmi_calloc(io->allocator, 1, out->points_size);
    out->bezier = bezier ? tmi_calloc(io->allocator, 1, out->bezier_size) : NULL;
    return out->points && (out->bezier || !bezier)
               ? TM_OK
               : tmi_fail_memory(io->error, out->points_size, "envelope points");
}

bool tmi_has_tangents(const tm_envelope *envelope)
{
    for (uint32_t i = 0; i < envelope->num_points; i++)
        if (envelope->points[i].curve == TM_CURVE_BEZIER ||
            !tmi_all_zero(envelope->points[i].in_dx, BEZIER_INTS * sizeof(int32_t)))
            return true;
    return false;
}

static void free_bodies(tmi_points *points, const tm_allocator *allocator)
{
    tmi_free(allocator, points->points, 1, points->points_size);
    tmi_free(allocator, points->bezier, 1, points->bezier_size);
    points->points = points->bezier = NULL;
}

/* The common points of a map, if it is shorter to write them once than for each envelope that has some. */
static const tmi_common_points *shorter_common(const tm_map *map)
{
    const tmi_common_points *common = map->priv->common_points;
    uint64_t num = 0;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        if (tmi_points_are_common(map, &map->envelopes[i]))
            num += map->envelopes[i].num_points;
    return common && num > common->num ? common : NULL;
}

/*
 * Builds new items: the points of all envelopes one after another, in the form of the map's game; before them
 * those that several have in common.
 */
static tm_status build(tmi_points *out, const tmi_item_io *io)
{
    const tm_map *map = io->map;
    const tmi_common_points *common = shorter_common(map);
    bool tangents = false;
    uint64_t num = common ? common->num : 0;
    out->built = true;
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        tangents = tangents || tmi_has_tangents(&map->envelopes[i]);
        if (!common || !tmi_points_are_common(map, &map->envelopes[i]))
            num += map->envelopes[i].num_points;
    }
    out->curves_lost = tangents && !tmi_game_holds(map->game, TM_PART_CURVES) && out->ints == SHORT_INTS;
    if (tangents && map->game == TM_GAME_TEEWORLDS07)
        out->ints = LONG_INTS;
    if (num * out->ints > INT32_MAX / 4)
        return tmi_fail(io->error, TM_ERROR_LIMIT, -1,
                        "%llu envelope points are too many: they do not fit into one item",
                        (unsigned long long)num);
    out->points_size = (uint32_t)num * out->ints * 4;
    bool bezier = tangents && map->game == TM_GAME_DDNET && out->ints == SHORT_INTS;
    out->bezier_size = bezier ? (uint32_t)num * BEZIER_INTS * 4 : 0;
    out->num = (uint32_t)num;
    TM_TRY(make_bodies(out, io, bezier));
    uint32_t next = 0;
    for (; common && next < common->num; next++)
        put_point(out, next, &common->points[next]);
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tm_envelope *envelope = &map->envelopes[i];
        if (common && tmi_points_are_common(map, envelope)) {
            out->ranges[i] = (tmi_index_range){(int32_t)(envelope->points - common->points),
                                               (int32_t)envelope->num_points};
            continue;
        }
        out->ranges[i] = (tmi_index_range){(int32_t)next, (int32_t)envelope->num_points};
        for (uint32_t k = 0; k < envelope->num_points; k++)
            put_point(out, next++, &envelope->points[k]);
    }
    return TM_OK;
}

tm_status tmi_points_store(tmi_points *out, tmi_item_io *io)
{
    const tm_map *map = io->map;
    tmi_points points = {.ints = SHORT_INTS};
    memset(out, 0, sizeof(*out));
    out->num_ranges = map->num_envelopes;
    TM_TRY(tmi_reserve_zeroed(&out->ranges, io->allocator, map->num_envelopes, sizeof(*out->ranges),
                              "envelope ranges", io->error));
    if (io->file && !io->rewrite)
        points = file_points(io->file);
    out->ints = points.ints;
    if (can_keep(io, &points, out->ranges)) {
        out->keep = all_same(map, &points, out->ranges);
        if (out->keep)
            return TM_OK;
        /* the envelopes' points over a copy of the file's items; with overlapping ranges that may not do */
        out->num = points.num;
        out->points_size = points.points_size / 4 * 4;
        out->bezier_size = points.bezier_size / 4 * 4;
        TM_TRY(make_bodies(out, io, points.bezier));
        if (points.points)
            memcpy(out->points, points.points, out->points_size);
        if (points.bezier)
            memcpy(out->bezier, points.bezier, out->bezier_size);
        for (uint32_t i = 0; i < map->num_envelopes; i++) {
            const tmi_index_range range = clamp_range(&points, out->ranges[i]);
            for (int32_t k = 0; k < range.num; k++)
                put_point(out, (uint32_t)(range.start + k), &map->envelopes[i].points[k]);
        }
        if (all_same(map, out, out->ranges))
            return TM_OK;
        free_bodies(out, io->allocator);
    }
    return build(out, io);
}

void tmi_points_release(tmi_points *points, const tm_allocator *allocator)
{
    free_bodies(points, allocator);
    tmi_free(allocator, points->ranges, points->num_ranges, sizeof(*points->ranges));
}
