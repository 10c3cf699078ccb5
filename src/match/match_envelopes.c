/* SPDX-License-Identifier: Zlib */
/*
 * Which envelope of one map is which of the other. Most have no name, and many are equal: their points, what
 * uses them, and their place say which is which.
 */
#include "match_maps.h"

/* --------------------------------------------------------------------------------------------------- keys */

static uint64_t envelope_name_key(tmi_matcher *m, int side, uint32_t i)
{
    const tm_envelope *envelope = &m->map[side]->envelopes[i];
    return envelope->name[0] ? tmi_hash_number(tmi_hash_text(TMI_HASH, envelope->name), envelope->channels)
                             : 0;
}

/*
 * What games read of the points: editors leave what was in memory in channels that an envelope does not have,
 * and in the tangents of points without a curve.
 */
static uint64_t envelope_points(tmi_matcher *m, int side, uint32_t i)
{
    const tm_envelope *envelope = &m->map[side]->envelopes[i];
    const size_t size =
        (size_t)(envelope->channels < 0 || envelope->channels > 4 ? 4 : envelope->channels) * sizeof(int32_t);
    uint64_t key = tmi_hash_number(TMI_HASH, envelope->channels);
    bool curved = false; /* the line that ends here is a bezier curve */
    for (uint32_t k = 0; k < envelope->num_points; k++) {
        const tm_envelope_point *point = &envelope->points[k];
        const bool bezier = point->curve == TM_CURVE_BEZIER;
        key = tmi_hash(tmi_hash_number(tmi_hash_number(key, point->time), point->curve), point->values, size);
        if (curved)
            key = tmi_hash(tmi_hash(key, point->in_dx, size), point->in_dy, size);
        if (bezier)
            key = tmi_hash(tmi_hash(key, point->out_dx, size), point->out_dy, size);
        curved = bezier;
    }
    return envelope->num_points ? key : 0;
}

static uint64_t envelope_whole(tmi_matcher *m, int side, uint32_t i)
{
    const tm_envelope *envelope = &m->map[side]->envelopes[i];
    const uint64_t key = tmi_hash_text(tmi_hash_number(TMI_HASH, envelope->channels), envelope->name);
    return tmi_hash_number(key, (int64_t)envelope_points(m, side, i));
}

/* Without names and with other points only their place speaks for them, and points that they share. */
static uint32_t envelope_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const tmi_matcher *m = ctx;
    const tm_envelope *a = &m->map[TMI_BEFORE]->envelopes[before];
    const tm_envelope *b = &m->map[TMI_AFTER]->envelopes[after];
    const uint32_t num = a->num_points < b->num_points ? a->num_points : b->num_points;
    uint32_t same = 0;
    if (a->channels != b->channels)
        return 0;
    for (uint32_t i = 0; i < num && i < 16; i++)
        same += memcmp(&a->points[i], &b->points[i], sizeof(a->points[i])) == 0;
    return same ? 100 + same : alone || a->num_points == b->num_points;
}

/* ------------------------------------------------------------------------------------------------- users */

/* A sum for each envelope over all that refers to it, the same for the same users in any order. */
typedef struct envelope_users {
    uint64_t *sums;
    uint32_t num;
    uint64_t layer; /* the layer at hand */
} envelope_users;

static void add_user(envelope_users *to, int32_t envelope, int role)
{
    if (envelope >= 0 && (uint32_t)envelope < to->num)
        to->sums[envelope] += tmi_hash_number(to->layer, role);
}

static void add_users_of_layer(envelope_users *to, const tm_map *map, const tm_layer *layer)
{
    enum { COLOR, POSITION, VOLUME };
    const uint32_t num = tmi_layer_num(layer);
    tmi_borrowed loan;
    to->layer = tmi_hash_text(tmi_hash_number(TMI_HASH, (int64_t)layer->kind), layer->name);
    if (tm_game_layer(layer->kind)->is_tiles)
        add_user(to, layer->as.tiles.color_envelope, COLOR);
    if (tmi_borrowed_open(&loan, map, tmi_referring_block(layer), NULL))
        return; /* what cannot be unpacked is told where it is compared */
    const tm_quad *quads = layer->kind == TM_LAYER_QUADS ? loan.bytes : NULL;
    const tm_sound_source *sources = layer->kind == TM_LAYER_SOUNDS ? loan.bytes : NULL;
    for (uint32_t i = 0; quads && i < num; i++) {
        add_user(to, quads[i].color_envelope, COLOR);
        add_user(to, quads[i].position_envelope, POSITION);
    }
    for (uint32_t i = 0; sources && i < num; i++) {
        add_user(to, sources[i].sound_envelope, VOLUME);
        add_user(to, sources[i].position_envelope, POSITION);
    }
    tmi_borrowed_close(&loan);
}

static void add_users(envelope_users *to, const tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            add_users_of_layer(to, map, &map->groups[g].layers[l]);
}

static uint64_t envelope_used(tmi_matcher *m, int side, uint32_t i)
{
    const uint64_t sum = m->users[side][i];
    return sum ? tmi_hash_number(envelope_whole(m, side, i), (int64_t)sum) : 0;
}

static uint32_t num_unpaired(const tmi_pairs *pairs, int side)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < pairs->num[side]; i++)
        num += pairs->other[side][i] == TM_NONE;
    return num;
}

/*
 * Maps have dozens of equal envelopes, of which one is used; when others come or go, what uses them says
 * which is which. Quads are looked into for this, so it is done only where something came or went.
 */
static tm_status match_by_users(tmi_matcher *m)
{
    const tmi_pairs *pairs = &m->match->pairs[TMI_ENVELOPES];
    const uint32_t num[2] = {num_unpaired(pairs, TMI_BEFORE), num_unpaired(pairs, TMI_AFTER)};
    if (num[0] == num[1] || !num[0] || !num[1])
        return TM_OK;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(tmi_take(&m->arena, &m->users[side], pairs->num[side], sizeof(uint64_t), m->error));
        add_users(&(envelope_users){m->users[side], pairs->num[side], 0}, m->map[side]);
    }
    return tmi_matcher_pass(m, TMI_ENVELOPES, envelope_used, TMI_KEY_UNIQUE);
}

/* ---------------------------------------------------------------------------------------------- matching */

tm_status tmi_match_envelopes(tmi_matcher *m)
{
    tmi_pairs *pairs = &m->match->pairs[TMI_ENVELOPES];
    TM_TRY(tmi_matcher_pass(m, TMI_ENVELOPES, envelope_whole, TMI_KEY_UNIQUE));
    TM_TRY(match_by_users(m));
    TM_TRY(tmi_matcher_keys(m, TMI_ENVELOPES, envelope_whole));
    tmi_pair_neighbours(pairs, m->keys);
    tmi_pair_places(pairs, m->keys);
    TM_TRY(tmi_pair_keys(pairs, m->keys, TMI_KEY_NTH, m->allocator, m->error));
    TM_TRY(tmi_matcher_pass(m, TMI_ENVELOPES, envelope_points, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TMI_ENVELOPES, envelope_name_key, TMI_KEY_NTH));
    return tmi_matcher_gaps(m, TMI_ENVELOPES, envelope_score);
}
