/* SPDX-License-Identifier: Zlib */
/*
 * Matches the objects of two maps, from the strongest evidence to the weakest. Evidence is mostly keys (see
 * pairs.c) that are made without unpacking. Only if names and packed data are not enough, data are unpacked
 * and compared by sketches of 64 numbers, which are made once per layer.
 *
 *   images, sounds    all is equal; content; name; of images unpacked pixels, and at one place a name that
 *                     goes on, or the same users
 *   envelopes         all is equal; points; name; place between neighbours
 *   layers, groups    layers that are one of a kind and equal; physics layers; content that nothing else has;
 *                     groups by the layers that they share, by name, those of one name by layers that are
 *                     alike, by fields, by place; layers within matched groups: all equal, content, name,
 *                     place and likeness; at last layers that went to another group, and groups of which
 *                     only such are left
 */
#include "match_maps.h"

/* ---------------------------------------------------------------------------------------------- envelopes */

/* A key of the name and kind of an object of the current list; 0: it has no name. */
static uint64_t name_key(tmi_matcher *m, int side, uint32_t i)
{
    const tmi_label *label = &m->match->side[side].labels[m->list][i];
    return *label->name ? tmi_hash_number(tmi_hash_text(TMI_HASH, label->name), label->kind) : 0;
}

/*
 * A key of the values that games read. Editors leave random bytes in channels that an envelope does not have,
 * and in tangents of points without a curve.
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

/* The score of two envelopes with other names and points: their common points, and their position. */
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

/* A sum for each object of a kind over all that refers to it, the same for the same users in any order. */
typedef struct user_sums {
    uint64_t *sums;
    uint32_t num;
    tm_kind object;
    uint64_t layer; /* the layer at hand */
} user_sums;

static void add_user(void *ctx, const tm_field *field, int32_t *index)
{
    const user_sums *sums = ctx;
    if (field->refers == sums->object && *index >= 0 && (uint32_t)*index < sums->num)
        sums->sums[*index] += tmi_hash_number(sums->layer, (int64_t)field->offset);
}

/* Only envelopes have users inside data. */
static tm_status sum_users(tmi_matcher *m, tm_kind object)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        user_sums sums = {.num = m->match->pairs[object].num[side], .object = object};
        TM_TRY(tmi_take(&m->arena, &sums.sums, sums.num, sizeof(*sums.sums), m->error));
        m->users[side] = sums.sums;
        for (uint32_t i = 0; i < m->match->side[side].num[TM_KIND_LAYER]; i++) {
            tm_layer layer =
                *(const tm_layer *)tmi_object_at(m->map[side], &m->match->side[side], TM_KIND_LAYER, i);
            sums.layer = tmi_hash_text(tmi_hash_number(TMI_HASH, (int64_t)layer.kind), layer.name);
            if (object == TM_KIND_ENVELOPE) /* the comparison reports data that cannot be unpacked */
                (void)tmi_read_references(m->map[side], &layer, add_user, &sums, NULL);
            else
                tmi_visit_references(&layer, add_user, &sums);
        }
    }
    return TM_OK;
}

static uint64_t envelope_used(tmi_matcher *m, int side, uint32_t i)
{
    const uint64_t sum = m->users[side][i];
    return sum ? tmi_hash_number(envelope_whole(m, side, i), (int64_t)sum) : 0;
}

/* ---------------------------------------------------------------------------------------------- matching */

/* Pairs the unpaired objects between pairs of a list, by a score. */
static tm_status match_gaps(tmi_matcher *m, tm_kind list, tmi_pair_score *score)
{
    tmi_pairs *pairs = &m->match->pairs[list];
    const tmi_span whole = {{0, 0}, {pairs->num[0], pairs->num[1]}};
    return tmi_pair_gaps(pairs, &whole, score, m, &m->arena, m->error);
}

/* Pairs by keys: neighbours of pairs, then equal positions, then the others in order. */
static tm_status pair_in_context(tmi_matcher *m)
{
    tmi_pairs *pairs = &m->match->pairs[m->list];
    tmi_pair_neighbours(pairs, m->keys);
    tmi_pair_places(pairs, m->keys);
    return tmi_pair_keys(pairs, m->keys, TMI_KEY_NTH, m->arena.allocator, m->error);
}

/*
 * Maps have dozens of equal envelopes, of which one is used. If envelopes were added or removed, they are
 * matched by the objects that use them. This unpacks quads, so it is only done then.
 */
static tm_status match_envelopes(tmi_matcher *m)
{
    const tmi_pairs *pairs = &m->match->pairs[TM_KIND_ENVELOPE];
    const tmi_span whole = {{0, 0}, {pairs->num[0], pairs->num[1]}};
    TM_TRY(tmi_matcher_pass(m, TM_KIND_ENVELOPE, envelope_whole, TMI_KEY_UNIQUE));
    const uint32_t left[2] = {tmi_count_unpaired(pairs, &whole, TMI_BEFORE),
                              tmi_count_unpaired(pairs, &whole, TMI_AFTER)};
    if (left[0] != left[1] && left[0] && left[1]) {
        TM_TRY(sum_users(m, TM_KIND_ENVELOPE));
        TM_TRY(tmi_matcher_pass(m, TM_KIND_ENVELOPE, envelope_used, TMI_KEY_UNIQUE));
    }
    TM_TRY(tmi_matcher_keys(m, TM_KIND_ENVELOPE, envelope_whole));
    TM_TRY(pair_in_context(m));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_ENVELOPE, envelope_points, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_ENVELOPE, name_key, TMI_KEY_NTH));
    return match_gaps(m, TM_KIND_ENVELOPE, envelope_score);
}

/* --------------------------------------------------------------------------------------------------- keys */

tm_status tmi_matcher_keys(tmi_matcher *m, tm_kind list, tmi_key_of *key_of)
{
    const tmi_pairs *pairs = &m->match->pairs[list];
    m->list = list;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(tmi_take(&m->arena, &m->keys[side], pairs->num[side], sizeof(uint64_t), m->error));
        for (uint32_t i = 0; i < pairs->num[side]; i++)
            if (pairs->other[side][i] == TM_NONE)
                m->keys[side][i] = key_of(m, side, i);
    }
    return TM_OK;
}

tm_status tmi_matcher_pass(tmi_matcher *m, tm_kind list, tmi_key_of *key_of, tmi_key_rule rule)
{
    TM_TRY(tmi_matcher_keys(m, list, key_of));
    return tmi_pair_keys(&m->match->pairs[list], m->keys, rule, m->arena.allocator, m->error);
}

/* Pairs by keys: unique ones first, then the others. */
static tm_status pass_in_context(tmi_matcher *m, tm_kind list, tmi_key_of *key_of)
{
    TM_TRY(tmi_matcher_pass(m, list, key_of, TMI_KEY_UNIQUE));
    return pair_in_context(m);
}

/* ----------------------------------------------------------------------------------------- images, sounds */

/* A key of the embedded data of an image or a sound, with the size of an image. */
static uint64_t embedded_key(tmi_matcher *m, int side, uint32_t i)
{
    const tm_map *map = m->map[side];
    if (m->list == TM_KIND_SOUND)
        return tmi_block_key(map->sounds[i].data);
    const tm_image *image = &map->images[i];
    const uint64_t key = tmi_block_key(image->pixels);
    return key ? tmi_hash_number(tmi_hash_number(key, image->width), image->height) : 0;
}

static uint64_t whole_key(tmi_matcher *m, int side, uint32_t i)
{
    const bool external = m->list == TM_KIND_IMAGE && m->map[side]->images[i].external;
    const uint64_t key = tmi_hash_text(TMI_HASH, m->match->side[side].labels[m->list][i].name);
    return tmi_hash_number(tmi_hash_number(key, external), (int64_t)embedded_key(m, side, i));
}

/* A key of the pixels of an image, if the other side has an unpaired image of its size, too. */
static uint64_t image_pixels(tmi_matcher *m, int side, uint32_t i)
{
    const tm_image *image = &m->map[side]->images[i], *other_images = m->map[!side]->images;
    const uint64_t size = tm_block_get_info(image->pixels).size;
    uint32_t k = 0;
    const uint32_t num = m->map[!side]->num_images < 256 ? m->map[!side]->num_images : 256;
    tmi_borrowed loan;
    while (k < num && (m->match->pairs[TM_KIND_IMAGE].other[!side][k] != TM_NONE ||
                       other_images[k].width != image->width || other_images[k].height != image->height ||
                       tm_block_get_info(other_images[k].pixels).size != size))
        k++;
    if (!image->pixels || k == num || tmi_borrowed_open(&loan, m->map[side], image->pixels, NULL))
        return 0; /* what cannot be unpacked is reported where it is compared */
    const uint64_t key = tmi_hash(TMI_HASH, loan.bytes, (size_t)size);
    tmi_borrowed_close(&loan);
    return tmi_hash_number(key, image->width);
}

/* The next letter or digit of a name, in lower case; 0 at its end. */
static char next_of_name(const char **cursor)
{
    for (; **cursor; ++*cursor) {
        const char c = tmi_fold_case(**cursor);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80) {
            ++*cursor;
            return c;
        }
    }
    return 0;
}

/*
 * Whether two names may be versions of one: "jungleMain" and "jungle_main", or "tees_2022" and "tees", but
 * not "desert_sun" and "desert_main". Compares letters and digits; one name must begin with the other.
 */
static bool names_alike(const char *a, const char *b)
{
    uint32_t same = 0, more = 0;
    char x = next_of_name(&a), y = next_of_name(&b);
    for (; x && x == y; same++) {
        x = next_of_name(&a);
        y = next_of_name(&b);
    }
    const char **rest = x ? &a : &b;
    for (char c = x ? x : y; c; c = next_of_name(rest))
        more++;
    return same >= 3 && (!x || !y) && same >= more;
}

/*
 * The score of two unpaired images at one position: they are one if the name is that of another version, or
 * if both are external and all layers that showed one show the other.
 */
static uint32_t image_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const tmi_matcher *m = ctx;
    const tm_image *a = &m->map[TMI_BEFORE]->images[before], *b = &m->map[TMI_AFTER]->images[after];
    (void)alone;
    if (a->name && b->name && names_alike(a->name, b->name))
        return 3;
    return a->external && b->external && a->width == b->width && a->height == b->height &&
           m->users[TMI_BEFORE][before] == m->users[TMI_AFTER][after];
}

/* ------------------------------------------------------------------------------------------------- groups */

static uint64_t group_fields(tmi_matcher *m, int side, uint32_t i)
{
    const tm_group *g = &m->map[side]->groups[i];
    const int32_t numbers[] = {g->offset_x, g->offset_y, g->parallax_x, g->parallax_y, g->use_clipping,
                               g->clip_x,   g->clip_y,   g->clip_w,     g->clip_h,     0};
    return tmi_hash(tmi_hash_text(TMI_HASH, g->name), numbers, sizeof(numbers));
}

/* A key of a group's fields; 0 for a group without a name that has the values of new groups. */
static uint64_t group_telling(tmi_matcher *m, int side, uint32_t i)
{
    const tm_group *g = &m->map[side]->groups[i];
    const bool plain = !g->name[0] && !g->use_clipping && g->offset_x == 0 && g->offset_y == 0 &&
                       g->parallax_x == 100 && g->parallax_y == 100;
    return plain ? 0 : group_fields(m, side, i);
}

/* Finds the group of the other map that has most of the layers paired with those of a group. */
static void vote(tmi_matcher *m, int side, uint32_t g, int32_t *best)
{
    const tmi_side *this_side = &m->match->side[side], *other = &m->match->side[!side];
    const int32_t *pairs = m->match->pairs[TM_KIND_LAYER].other[side];
    const uint32_t first = this_side->first_layer[g], end = this_side->first_layer[g + 1];
    uint32_t most = 0;
    *best = TM_NONE;
    for (uint32_t l = first; l < end; l++)
        if (pairs[l] != TM_NONE)
            m->votes[other->labels[TM_KIND_LAYER][pairs[l]].group]++;
    for (uint32_t l = first; l < end; l++) {
        if (pairs[l] == TM_NONE)
            continue;
        const uint32_t to = other->labels[TM_KIND_LAYER][pairs[l]].group;
        if (m->votes[to] > most || (m->votes[to] == most && *best != TM_NONE && to < (uint32_t)*best)) {
            most = m->votes[to];
            *best = (int32_t)to;
        }
    }
    for (uint32_t l = first; l < end; l++)
        if (pairs[l] != TM_NONE)
            m->votes[other->labels[TM_KIND_LAYER][pairs[l]].group] = 0;
}

/* Pairs groups that have most common layers with each other. */
static tm_status match_by_votes(tmi_matcher *m)
{
    tmi_pairs *pairs = &m->match->pairs[TM_KIND_GROUP], best;
    const uint32_t most = pairs->num[0] > pairs->num[1] ? pairs->num[0] : pairs->num[1];
    TM_TRY(tmi_pairs_new(&best, pairs->num[0], pairs->num[1], &m->arena, m->error));
    TM_TRY(tmi_take(&m->arena, &m->votes, most, sizeof(*m->votes), m->error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        for (uint32_t g = 0; g < pairs->num[side]; g++)
            vote(m, side, g, &best.other[side][g]);
    for (uint32_t g = 0; g < pairs->num[0]; g++) {
        const int32_t to = best.other[TMI_BEFORE][g];
        if (to != TM_NONE && best.other[TMI_AFTER][to] == (int32_t)g &&
            pairs->other[TMI_BEFORE][g] == TM_NONE && pairs->other[TMI_AFTER][to] == TM_NONE)
            tmi_pair(pairs, g, (uint32_t)to);
    }
    return TM_OK;
}

static uint32_t group_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const tmi_matcher *m = ctx;
    const tm_group *a = &m->map[TMI_BEFORE]->groups[before], *b = &m->map[TMI_AFTER]->groups[after];
    uint32_t score = 0, same = 0; /* layers of one kind and size */
    for (uint32_t l = 0; l < a->num_layers && a->num_layers == b->num_layers && same == l; l++)
        same += tmi_layer_shape(&a->layers[l]) == tmi_layer_shape(&b->layers[l]);
    for (uint32_t l = 0; l < a->num_layers && l < b->num_layers && l < 16; l++)
        score += a->layers[l].kind == b->layers[l].kind && strcmp(a->layers[l].name, b->layers[l].name) == 0;
    score += a->parallax_x == b->parallax_x && a->parallax_y == b->parallax_y;
    score += a->offset_x == b->offset_x && a->offset_y == b->offset_y;
    score += strcmp(a->name, b->name) == 0;
    score += same && same == a->num_layers;
    return alone || score >= 3 ? score : 0;
}

/* ----------------------------------------------------------------------------------------------- in place */

bool tmi_same_data(tm_kind owner, const void *a, const void *b)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        if (fields[i].type != TM_TYPE_BLOCK)
            continue;
        const tm_block *x = tm_field_get(&fields[i], a, 0).as.block,
                       *y = tm_field_get(&fields[i], b, 0).as.block;
        if (x != y && !tmi_block_same_packed(x, y))
            return false;
    }
    return true;
}

/* Pairs images or sounds with the same index, name and data: these need no keys. */
static void match_in_place(tmi_matcher *m, tm_kind list)
{
    const tmi_side *side = m->match->side;
    for (uint32_t i = 0; i < side[0].num[list] && i < side[1].num[list]; i++) {
        const void *a = tmi_object_at(m->map[0], &side[0], list, i),
                   *b = tmi_object_at(m->map[1], &side[1], list, i);
        const tm_image *x = a, *y = b;
        if (strcmp(side[0].labels[list][i].name, side[1].labels[list][i].name) != 0 ||
            (list == TM_KIND_IMAGE && (x->width != y->width || x->height != y->height)) ||
            !tmi_same_data(list, a, b))
            continue;
        tmi_pair(&m->match->pairs[list], i, i);
        m->match->same_data[list][i] = true;
    }
}

/* ---------------------------------------------------------------------------------------------- the whole */

static tm_status match_all(tmi_matcher *m)
{
    tmi_pairs *groups = &m->match->pairs[TM_KIND_GROUP];
    uint32_t a, b; /* the groups of the game layers */
    match_in_place(m, TM_KIND_IMAGE);
    match_in_place(m, TM_KIND_SOUND);
    tmi_match_layers_in_place(m);
    TM_TRY(pass_in_context(m, TM_KIND_IMAGE, whole_key));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_IMAGE, embedded_key, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_IMAGE, name_key, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_IMAGE, image_pixels, TMI_KEY_NTH));
    TM_TRY(sum_users(m, TM_KIND_IMAGE));
    TM_TRY(match_gaps(m, TM_KIND_IMAGE, image_score));
    TM_TRY(pass_in_context(m, TM_KIND_SOUND, whole_key));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_SOUND, embedded_key, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_SOUND, name_key, TMI_KEY_NTH));
    TM_TRY(match_envelopes(m));
    TM_TRY(tmi_match_sure_layers(m));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_GROUP, group_telling, TMI_KEY_UNIQUE));
    if (tm_map_physics_layer(&a, NULL, m->map[TMI_BEFORE], TM_LAYER_GAME) &&
        tm_map_physics_layer(&b, NULL, m->map[TMI_AFTER], TM_LAYER_GAME) &&
        groups->other[TMI_BEFORE][a] == TM_NONE && groups->other[TMI_AFTER][b] == TM_NONE)
        tmi_pair(groups, a, b); /* the groups of the game layer are always one */
    TM_TRY(match_by_votes(m));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_GROUP, name_key, TMI_KEY_UNIQUE));
    TM_TRY(tmi_match_groups_alike(m));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_GROUP, group_fields, TMI_KEY_UNIQUE));
    tmi_pair_neighbours(groups, m->keys);
    TM_TRY(tmi_matcher_pass(m, TM_KIND_GROUP, name_key, TMI_KEY_NTH));
    TM_TRY(match_gaps(m, TM_KIND_GROUP, group_score));
    TM_TRY(tmi_match_layers(m));
    return match_by_votes(m);
}

tm_status tmi_match_maps(tmi_match *match, const tm_map *const map[2], tm_error *error)
{
    tmi_matcher m = {.match = match, .map = {map[0], map[1]}, .error = error};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_side_of_map(&match->side[side], map[side], &match->arena, error));
    TM_TRY(tmi_match_pairs(match, error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_take(&match->arena, &match->same_data[list], match->side[TMI_BEFORE].num[list],
                        sizeof(bool), error));
    match->shift.wanted = true;
    tmi_arena_init(&m.arena, match->allocator);
    const tm_status status = match_all(&m);
    tmi_arena_release(&m.arena);
    return status;
}
