/* SPDX-License-Identifier: Zlib */
/*
 * Repairs: for each finding of loading and checking a map, the fix in the model, if there is one. Most fixes
 * write an object again: its item is then made from the model, which only has valid values. A new repair is a
 * row of the table and, if it is of another kind, a function, here or in edit_fix_items.c, edit_fix_layers.c
 * or edit_fix_images.c.
 */
#include "edit_fix.h"
#include "edit_geometry.h"

/* ---------------------------------------------------------------------------------- envelopes, references */

static tm_status fix_curves(tmi_fixing *m, tm_error *error)
{
    for (uint32_t i = 0; m->envelope && i < m->envelope->num_points; i++) {
        const int32_t curve = m->envelope->points[i].curve;
        if (curve >= TM_CURVE_STEP && curve <= TM_CURVE_BEZIER)
            continue;
        TM_TRY(tmi_envelope_own(m->map, m->envelope, error));
        m->envelope->points[i].curve = TM_CURVE_LINEAR;
        m->count++;
    }
    return TM_OK;
}

/* Points of equal time stay as they are. */
static tm_status sort_points(tmi_fixing *m, tm_error *error)
{
    tmi_point_list sorted = {.scratch = m->scratch};
    tm_envelope *envelope = m->envelope;
    int32_t latest = INT32_MIN;
    if (!envelope)
        return TM_OK;
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        m->count += envelope->points[i].time < latest;
        latest = envelope->points[i].time > latest ? envelope->points[i].time : latest;
    }
    if (!m->count)
        return TM_OK;
    TM_TRY(tmi_points_add_sorted(&sorted, envelope, error));
    TM_TRY(tmi_envelope_own(m->map, envelope, error));
    memcpy(envelope->points, sorted.points, sorted.num * sizeof(*sorted.points));
    return TM_OK;
}

/*
 * More than four channels are read as four by the client, and become four in DDNet's editor; of others, which
 * the client shows in another way, that is a visible change. Values next to the used channels are zero.
 */
static tm_status fix_channels(tmi_fixing *m, tm_error *error)
{
    if (!m->envelope || (m->envelope->channels <= TM_ENVELOPE_COLOR && m->most < TM_FIX_VISIBLE))
        return TM_OK;
    m->envelope->channels = TM_ENVELOPE_COLOR;
    return tmi_fix_renew(m, error);
}

static bool is_bad_use(const tmi_fixing *m, const tm_field *field, int32_t index)
{
    return field->refers == TM_KIND_ENVELOPE && index != TM_NONE &&
           (index < 0 || (uint32_t)index >= m->map->num_envelopes);
}

static void count_bad_use(void *ctx, const tm_field *field, int32_t *index)
{
    tmi_fixing *m = ctx;
    m->count += is_bad_use(m, field, *index);
}

static void drop_bad_use(void *ctx, const tm_field *field, int32_t *index)
{
    if (is_bad_use(ctx, field, *index))
        *index = TM_NONE;
}

/* Elements that refer to an envelope which does not exist refer to none. */
static tm_status fix_references(tmi_fixing *m, tm_error *error)
{
    TM_TRY(tmi_fix_renew(m, error));
    TM_TRY(tmi_edit_each_use(m->map, TM_KIND_ENVELOPE, count_bad_use, m, error));
    return tmi_edit_each_use(m->map, TM_KIND_ENVELOPE, drop_bad_use, m, error);
}

/* ---------------------------------------------------------------------------------------------- the table */

typedef struct fix_row {
    tm_finding_id id;
    tm_fix_effect effect;
    const char *explanation;
    tmi_fix_function *run; /* NULL: saving the map is enough */
} fix_row;

static const char laid_out[] = "the layout of the file is rewritten";
static const char item_anew[] = "its item is rewritten";
static const char packed_anew[] = "its unpacked data are repacked";
static const char clean_name[] =
    "a character that is cut off at the end goes, other invalid UTF-8 becomes question marks";
static const char missing_air[] = "tiles that are missing are air";
static const char envelopes_anew[] = "the points of all envelopes are rewritten";

static const fix_row fix_rows[] = {
    {TM_FINDING_TRAILING_BYTES, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_SIZE_FIELD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_SWAPLEN_FIELD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_SIZE_ODD, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_BAD_TYPE_TABLE, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_GAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_TYPE_MISMATCH, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_ITEM_SIZE_MISMATCH, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_DATA_GAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_DATA_OVERLAP, TM_FIX_SAFE, laid_out, NULL},
    {TM_FINDING_LAYOUT_REBUILT, TM_FIX_SAFE, "the header and the tables are written anew", NULL},
    {TM_FINDING_AUTOMAPPER_TARGET, TM_FIX_SAFE, "automapper settings that lead nowhere are left out", NULL},
    {TM_FINDING_DUPLICATE_ITEM_ID, TM_FIX_SAFE, "the item gets an id that is free", NULL},
    {TM_FINDING_DATA_CHECKSUM, TM_FIX_SAFE, packed_anew, tmi_fix_data},
    {TM_FINDING_DATA_SHORT, TM_FIX_SAFE, packed_anew, tmi_fix_data},
    {TM_FINDING_DATA_LONG, TM_FIX_SAFE, packed_anew, tmi_fix_data},
    {TM_FINDING_DATA_BROKEN, TM_FIX_SAFE, packed_anew, tmi_fix_data},
    {TM_FINDING_BAD_DATA_OFFSET, TM_FIX_SAFE, packed_anew, tmi_fix_data},
    {TM_FINDING_EMPTY_DATA, TM_FIX_SAFE, "it becomes a zero byte, an empty text", NULL},
    {TM_FINDING_NO_VERSION_ITEM, TM_FIX_SAFE, "the map gets version 1", tmi_fix_version},
    {TM_FINDING_BAD_MAP_VERSION, TM_FIX_SAFE, "the map gets version 1", tmi_fix_version},
    {TM_FINDING_ITEM_TOO_SHORT, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_BAD_TEXT, TM_FIX_SAFE, clean_name, tmi_fix_texts},
    {TM_FINDING_BAD_TEXT_INDEX, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_BAD_LAYER_NAME, TM_FIX_SAFE, clean_name, tmi_fix_name},
    {TM_FINDING_BAD_NAME, TM_FIX_SAFE, clean_name, tmi_fix_name},
    {TM_FINDING_GROUP_TOO_SHORT, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_BAD_GROUP_VERSION, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_BAD_GROUP_RANGE, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_SHARED_LAYER, TM_FIX_SAFE, "the layer is copied for the second group", tmi_fix_renew},
    {TM_FINDING_LAYER_TOO_SHORT, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_BAD_TILE_VERSION, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_SEVERAL_PHYSICS_FLAGS, TM_FIX_SAFE, item_anew, tmi_fix_renew},
    {TM_FINDING_NO_PHYSICS_DATA, TM_FIX_SAFE, missing_air, tmi_fix_tiles},
    {TM_FINDING_BAD_LAYER_SIZE, TM_FIX_SAFE, "the layer grows by its edge", tmi_fix_layer_size},
    {TM_FINDING_BAD_COLOR, TM_FIX_VISIBLE, "the parts of the color are brought to 0 to 255", tmi_fix_color},
    {TM_FINDING_QUAD_COLOR, TM_FIX_SAFE, "the color becomes the one that the game shows",
     tmi_fix_quad_colors},
    {TM_FINDING_BAD_DATA_INDEX, TM_FIX_SAFE, missing_air, tmi_fix_tiles},
    {TM_FINDING_SHARED_TILES, TM_FIX_SAFE, "the tiles are copied", tmi_fix_renew},
    {TM_FINDING_PHYSICS_TOO_SMALL, TM_FIX_SAFE, "the layer gets the game layer's size, tile after tile",
     tmi_fix_physics_size},
    {TM_FINDING_PHYSICS_SIZE, TM_FIX_SAFE, "the layer gets the game layer's size, tile after tile",
     tmi_fix_physics_size},
    {TM_FINDING_PHYSICS_APART, TM_FIX_SAFE, "the layer moves to the group of the game layer",
     tmi_fix_physics_groups},
    {TM_FINDING_GAME_LAYER_DATA, TM_FIX_SAFE, missing_air, tmi_fix_tiles},
    {TM_FINDING_TILES_SHORT, TM_FIX_SAFE, missing_air, tmi_fix_tiles},
    {TM_FINDING_TILES_RUNS, TM_FIX_SAFE, "tiles that are too many are left out", tmi_fix_tiles},
    {TM_FINDING_TILES_SKIP, TM_FIX_SAFE, "the bytes become 0", tmi_fix_unused_bytes},
    {TM_FINDING_TILES_RESERVED, TM_FIX_SAFE, "the bytes become 0", tmi_fix_unused_bytes},
    {TM_FINDING_PHYSICS_RUNS, TM_FIX_SAFE, "the tiles are written without runs", tmi_fix_tiles},
    {TM_FINDING_BAD_REFERENCE, TM_FIX_SAFE, "it refers to nothing", fix_references},
    {TM_FINDING_BLOCK_SIZE, TM_FIX_SAFE,
     "data that are too long are cut; an image without its pixels is white, as games show it, or with "
     "--visible keeps those that are there",
     tmi_fix_pixels},
    {TM_FINDING_BAD_IMAGE_SIZE, TM_FIX_SAFE,
     "an image of no size is white; with --visible, sides become multiples of 16", tmi_fix_image_size},
    {TM_FINDING_IMAGE_FORMAT, TM_FIX_SAFE, "the pixels get four bytes each", tmi_fix_pixels},
    {TM_FINDING_EXTERNAL_PIXELS, TM_FIX_SAFE, "the pixels are removed", tmi_fix_external_pixels},
    {TM_FINDING_BAD_CHANNELS, TM_FIX_SAFE,
     "more than four channels become four; with --visible, so do two or none", fix_channels},
    {TM_FINDING_BAD_CURVE, TM_FIX_SAFE, "the curve is linear, as it is played", fix_curves},
    {TM_FINDING_POINTS_RANGE, TM_FIX_SAFE, envelopes_anew, tmi_fix_renew_envelopes},
    {TM_FINDING_POINTS_ORDER, TM_FIX_VISIBLE, "the points are sorted by time", sort_points},
    {TM_FINDING_BEZIER_COUNT, TM_FIX_SAFE, envelopes_anew, tmi_fix_renew_envelopes},
};

static const fix_row *fix_row_of(tm_finding_id id)
{
    for (size_t i = 0; i < TMI_COUNT_OF(fix_rows); i++)
        if (fix_rows[i].id == id)
            return &fix_rows[i];
    return NULL;
}

tm_fix_effect tm_edit_fix_of(const char **explanation, tm_finding_id id)
{
    const fix_row *row = fix_row_of(id);
    if (explanation)
        *explanation = row ? row->explanation : NULL;
    return row ? row->effect : TM_FIX_NONE;
}

static tm_status fix_finding(tm_map *map, const tm_finding *finding, tm_fix_effect most, uint64_t *air,
                             tm_report *report, tm_error *error)
{
    const fix_row *row = fix_row_of(finding->id);
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    const tm_allocator scratch = tmi_arena_allocator(&arena);
    tmi_fixing m = {.map = map,
                    .finding = finding,
                    .count = 1,
                    .most = most,
                    .air = air,
                    .scratch = &scratch,
                    .findings = report ? &report->findings : NULL};
    tm_status status = TM_OK;
    if (!row || row->effect > most ||
        tmi_finding_severity(finding->id, TM_MODE_STRICT, NULL) <= TM_SEVERITY_NOTE ||
        tm_address_parse(&m.address, map, finding->address, NULL))
        return TM_OK;
    if (m.address.kind == TM_KIND_LAYER)
        m.layer = &map->groups[m.address.index].layers[m.address.layer];
    if (m.layer && tm_game_layer(m.layer->kind)->is_tiles)
        m.tiles = &m.layer->as.tiles;
    if (m.address.kind == TM_KIND_ENVELOPE)
        m.envelope = &map->envelopes[m.address.index];
    if (row->run) {
        tm_error reason = {.offset = -1};
        m.count = 0;
        status = row->run(&m, &reason);
        tmi_arena_release(&arena);
        if (status == TM_ERROR_LIMIT) {
            m.count = 0;
            tmi_fix_report_too_large(&m, reason.text);
            status = TM_OK;
        } else if (status && error) {
            *error = reason;
        }
    }
    if (!status && m.count)
        tmi_report_change(report, tm_finding_name(row->id), map, m.address, m.count, "%s: %s", finding->text,
                          row->explanation);
    return status;
}

/*
 * A wrong number makes a map of DDNet look like one of another game, which has no place for its settings,
 * sounds and layers: what is written again would be lost. DDNet holds what the others hold.
 */
static void choose_game(tm_map *map)
{
    const tm_game game = map->game;
    const bool settings = map->info.num_settings || map->info.unread_settings;
    bool fits = (!settings || tmi_game_holds(game, TM_PART_SETTINGS)) &&
                (!map->num_sounds || tmi_game_holds(game, TM_PART_SOUNDS));
    tm_layer_walk walk = {0};
    while (fits && tm_map_next_layer(map, &walk))
        fits = walk.layer->kind == TM_LAYER_UNKNOWN || tmi_game_holds_layer(game, walk.layer->kind);
    if (!fits)
        map->game = TM_GAME_DDNET;
}

tm_status tm_edit_fix(tm_map *map, const tm_findings *findings, tm_fix_effect most, tm_report *report,
                      tm_error *error)
{
    tm_status status = TM_OK;
    tmi_work work;
    uint64_t air = TMI_AIR_LIMIT;
    TM_TRY(tmi_need(findings, "findings", error));
    TM_TRY(tmi_work_begin(&work, map, error));
    work.renews = true;
    choose_game(work.clone);
    for (int moves = 0; moves < 2; moves++) /* findings name layers by numbers, so layers move last */
        for (size_t i = 0; !status && i < findings->num; i++)
            if ((findings->list[i].id == TM_FINDING_PHYSICS_APART) == moves)
                status = fix_finding(work.clone, &findings->list[i], most, &air, &work.report, error);
    return tmi_work_end(&work, status, report);
}
