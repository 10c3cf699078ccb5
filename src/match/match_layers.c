/* SPDX-License-Identifier: Zlib */
/*
 * Matches the layers of two maps; match_maps.c describes the order of the steps. A layer is known by its
 * number among the layers of all groups.
 */
#include "match_maps.h"

#include <stddef.h>

static const tm_layer *layer_at(const tmi_matcher *m, int side, uint32_t number)
{
    return tmi_object_at(m->map[side], &m->match->side[side], TM_KIND_LAYER, number);
}

static const tm_block *block_of_elements(const tm_layer *layer)
{
    tm_layer copy = *layer;
    tm_block **slot = tmi_layer_elements(&copy);
    return slot ? *slot : NULL;
}

/* ----------------------------------------------------------------------------------------------- sketches */

/* Sketches of AFTER, with the places of BEFORE. */
enum { SHIFTED = TMI_AFTER + 1 };

/*
 * Sketches tiles, moved by dx and dy: a sum over the tiles of each of 8 x 8 parts of the layer, of a number
 * for each tile at its position, never 0. It must be fast.
 */
static void sketch_tiles(tmi_sketch *out, const tm_layer *layer, const uint8_t *bytes, uint64_t num_bytes,
                         uint32_t dx, uint32_t dy)
{
    enum {
        SIDE = 8,
        STEP = 16
    }; /* parts of 16 tiles, over and over, so that a layer's size matters little */
    const size_t size = tm_game_layer(layer->kind)->element_size;
    static const uint8_t nothing[16];
    const uint32_t width = layer->as.tiles.width, height = layer->as.tiles.height;
    if (size > sizeof(nothing) || (uint64_t)width * height * size > num_bytes)
        return;
    const size_t stride = width * size;
    for (uint32_t y = 0; y < height; y++) {
        if (tmi_all_zero(bytes, stride)) { /* a row of nothing at once */
            bytes += stride;
            continue;
        }
        for (uint32_t x = 0; x < width; x++, bytes += size) {
            if (memcmp(bytes, nothing, size) == 0)
                continue;
            const uint64_t place = (uint64_t)(y + dy) << 32 | (x + dx);
            uint64_t word[2] = {0, 0};
            memcpy(word, bytes, size);
            uint64_t key = (word[0] ^ place * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
            key = (key ^ key >> 32 ^ word[1]) * UINT64_C(0xc4ceb9fe1a85ec53);
            out->cells[(y + dy) / STEP % SIDE * SIDE + (x + dx) / STEP % SIDE] += (uint32_t)(key >> 32) | 1;
        }
    }
}

/*
 * Sketches quads and sources: the lowest hash in each of 64 classes, so that their order does not matter.
 * Envelopes of quads are left out, as their indices change with each new envelope.
 */
static void sketch_elements(tmi_sketch *out, const tm_layer *layer, const uint8_t *bytes, uint64_t num_bytes)
{
    const size_t size = tm_kind_size(tm_kind_of_elements(layer->kind));
    const size_t telling = layer->kind == TM_LAYER_QUADS ? offsetof(tm_quad, position_envelope) : size;
    const uint32_t num = tmi_layer_num(layer);
    if (size == 0 || num_bytes / size < num)
        return;
    for (uint32_t i = 0; i < num; i++, bytes += size) {
        const uint64_t hash = tmi_hash(TMI_HASH, bytes, telling);
        uint32_t *cell = &out->cells[hash % TMI_SKETCH];
        const uint32_t value = (uint32_t)(hash >> 32) | 1;
        if (*cell == 0 || value < *cell)
            *cell = value;
    }
}

/* The sketch is blank if the data cannot be unpacked, or if too much was unpacked; NULL without memory. */
static const tmi_sketch *sketch_of(tmi_matcher *m, int which, uint32_t number)
{
    static const uint64_t most_bytes = (uint64_t)512 << 20;
    const int side = which == SHIFTED ? TMI_AFTER : which;
    const tmi_shift *shift = which == SHIFTED ? &m->match->shift : NULL;
    tmi_sketch **slot = &m->sketches[which][number];
    const tm_layer *layer = layer_at(m, side, number);
    tmi_borrowed loan;
    if (*slot)
        return *slot;
    if (tmi_take(&m->arena, slot, 1, sizeof(**slot), NULL) || m->sketched > most_bytes ||
        tmi_borrowed_open(&loan, m->map[side], block_of_elements(layer), NULL))
        return *slot;
    if (tm_game_layer(layer->kind)->is_tiles)
        sketch_tiles(*slot, layer, loan.bytes, loan.size, shift ? 0U - (uint32_t)shift->dx : 0,
                     shift ? 0U - (uint32_t)shift->dy : 0);
    else
        sketch_elements(*slot, layer, loan.bytes, loan.size);
    m->sketched += loan.size;
    tmi_borrowed_close(&loan);
    return *slot;
}

static uint32_t compare_sketches(const tmi_sketch *a, const tmi_sketch *b)
{
    uint32_t any = 0, same = 0;
    for (size_t i = 0; a && b && i < TMI_SKETCH; i++) {
        any += a->cells[i] || b->cells[i];
        same += a->cells[i] && a->cells[i] == b->cells[i];
    }
    return any ? same * 1000 / any : 0;
}

/* The common part of two layers' sketches, 0 to 1000. Tiles may have moved with the map. */
static uint32_t likeness(tmi_matcher *m, uint32_t before, uint32_t after)
{
    const tmi_sketch *a = sketch_of(m, TMI_BEFORE, before);
    const uint32_t in_place = compare_sketches(a, sketch_of(m, TMI_AFTER, after));
    const bool tiles = tm_game_layer(layer_at(m, TMI_BEFORE, before)->kind)->is_tiles;
    const tmi_shift *shift = tiles && in_place < 500 ? tmi_map_shift(m->match, m->map) : NULL;
    if (!shift || (!shift->dx && !shift->dy))
        return in_place;
    const uint32_t shifted = compare_sketches(a, sketch_of(m, SHIFTED, after));
    return shifted > in_place ? shifted : in_place;
}

/* --------------------------------------------------------------------------------------------------- keys */

uint64_t tmi_layer_shape(const tm_layer *layer)
{
    uint64_t key = tmi_hash_number(TMI_HASH, (int64_t)layer->kind);
    if (tm_game_layer(layer->kind)->is_tiles)
        return tmi_hash_number(key, (int64_t)layer->as.tiles.width << 32 | layer->as.tiles.height);
    return tmi_hash_number(key, tmi_layer_num(layer));
}

/* Whether both layers have one size, or each has the size of its map. */
static bool same_shape(const tmi_matcher *m, const tm_layer *before, const tm_layer *after)
{
    const tm_layer *const layer[2] = {before, after};
    if (before->kind != after->kind)
        return false;
    if (tmi_layer_shape(before) == tmi_layer_shape(after))
        return true;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const tm_layer *game = tm_map_physics_layer(NULL, NULL, m->map[side], TM_LAYER_GAME);
        if (!game || !tm_game_layer(layer[side]->kind)->is_tiles ||
            game->as.tiles.width != layer[side]->as.tiles.width ||
            game->as.tiles.height != layer[side]->as.tiles.height)
            return false;
    }
    return true;
}

static uint64_t block_key_of(tmi_matcher *m, int side, uint32_t i)
{
    uint64_t *key = &m->blocks[side][i];
    if (!*key)
        *key = tmi_block_key(block_of_elements(layer_at(m, side, i)));
    return *key;
}

static uint64_t layer_content(tmi_matcher *m, int side, uint32_t i)
{
    const uint64_t block = block_key_of(m, side, i);
    return block ? tmi_hash_number(block, (int64_t)tmi_layer_shape(layer_at(m, side, i))) : 0;
}

static uint64_t layer_name(tmi_matcher *m, int side, uint32_t i)
{
    const tm_layer *layer = layer_at(m, side, i);
    return tmi_hash_text(tmi_hash_number(TMI_HASH, (int64_t)layer->kind), layer->name);
}

static const char *image_name_of(const tmi_matcher *m, int side, const tm_layer *layer)
{
    const tm_image *image = tm_map_image(m->map[side], tmi_image_shown(layer));
    return image && image->name ? image->name : "";
}

/* A key of all of a layer, with the name of its image, as layers with few tiles often differ only in that. */
static uint64_t layer_whole(tmi_matcher *m, int side, uint32_t i)
{
    const tm_layer *layer = layer_at(m, side, i);
    uint64_t key = tmi_hash_text(tmi_layer_shape(layer), layer->name);
    if (tm_game_layer(layer->kind)->is_tiles)
        key = tmi_hash(key, &layer->as.tiles.color, sizeof(layer->as.tiles.color));
    return tmi_hash_text(tmi_hash_number(key, (int64_t)block_key_of(m, side, i)),
                         image_name_of(m, side, layer));
}

/* Makes a key valid within a pair of groups only. */
static uint64_t within_group(tmi_matcher *m, int side, uint32_t i, uint64_t key)
{
    const uint32_t group = m->match->side[side].labels[TM_KIND_LAYER][i].group;
    const int32_t other = m->match->pairs[TM_KIND_GROUP].other[side][group];
    if (other == TM_NONE || !key)
        return 0;
    return tmi_hash_number(key, side == TMI_BEFORE ? (int64_t)group : other);
}

static uint64_t group_layer_whole(tmi_matcher *m, int side, uint32_t i)
{
    return within_group(m, side, i, layer_whole(m, side, i));
}

static uint64_t group_layer_content(tmi_matcher *m, int side, uint32_t i)
{
    return within_group(m, side, i, layer_content(m, side, i));
}

static uint64_t group_layer_name(tmi_matcher *m, int side, uint32_t i)
{
    return within_group(m, side, i, layer_at(m, side, i)->name[0] ? layer_name(m, side, i) : 0);
}

/* ---------------------------------------------------------------------------------------------- matching */

/* A key of a physics layer, its kind, as the game has one of each. */
static uint64_t layer_physics(tmi_matcher *m, int side, uint32_t i)
{
    const tm_layer *layer = layer_at(m, side, i);
    return tm_game_layer(layer->kind)->is_physics ? tmi_hash_number(TMI_HASH, (int64_t)layer->kind) : 0;
}

/* Pairs unchanged layers at their place, as most layers of most maps are: these need no keys. */
void tmi_match_layers_in_place(tmi_matcher *m)
{
    const tmi_side *side = m->match->side;
    for (uint32_t g = 0; g < side[0].num[TM_KIND_GROUP] && g < side[1].num[TM_KIND_GROUP]; g++) {
        uint32_t a = side[0].first_layer[g], b = side[1].first_layer[g];
        for (; a < side[0].first_layer[g + 1] && b < side[1].first_layer[g + 1]; a++, b++) {
            const tm_layer *x = layer_at(m, TMI_BEFORE, a), *y = layer_at(m, TMI_AFTER, b);
            if (x->kind != y->kind || strcmp(x->name, y->name) != 0 ||
                tmi_layer_shape(x) != tmi_layer_shape(y) || !tmi_same_data(tm_kind_of_layer(x->kind), x, y))
                continue;
            tmi_pair(&m->match->pairs[TM_KIND_LAYER], a, b);
            m->match->same_data[TM_KIND_LAYER][a] = true;
        }
    }
}

/* A key of the content, except for layers with only a few tiles, which are easily equal. */
static uint64_t layer_telling(tmi_matcher *m, int side, uint32_t i)
{
    const tm_layer *layer = layer_at(m, side, i);
    const tm_block_info info = tm_block_get_info(block_of_elements(layer));
    enum { FEW = 64, AIR = 512 }; /* bytes; zlib packs more than AIR bytes of air into one */
    if (tm_game_layer(layer->kind)->is_tiles && info.packed_size < FEW + info.size / AIR)
        return 0;
    return layer_content(m, side, i);
}

tm_status tmi_match_sure_layers(tmi_matcher *m)
{
    for (int which = TMI_BEFORE; which <= SHIFTED; which++) {
        const uint32_t num = m->match->side[which == SHIFTED ? TMI_AFTER : which].num[TM_KIND_LAYER];
        TM_TRY(tmi_take(&m->arena, &m->sketches[which], num, sizeof(tmi_sketch *), m->error));
        if (which != SHIFTED)
            TM_TRY(tmi_take(&m->arena, &m->blocks[which], num, sizeof(uint64_t), m->error));
    }
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, layer_physics, TMI_KEY_UNIQUE));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, layer_whole, TMI_KEY_UNIQUE));
    return tmi_matcher_pass(m, TM_KIND_LAYER, layer_telling, TMI_KEY_UNIQUE);
}

/* Whether there is content in many parts, so that a small change does not touch all of them. */
static bool holds_much(const tmi_sketch *sketch)
{
    enum { MUCH = 8 };
    uint32_t num = 0;
    for (size_t i = 0; sketch && i < TMI_SKETCH; i++)
        num += sketch->cells[i] != 0;
    return num >= MUCH;
}

/*
 * Whether both layers have tiles in many parts and nothing in common. For quads this is never assumed, as an
 * edit often changes a field of all of them.
 */
static bool hold_other_things(tmi_matcher *m, uint32_t before, uint32_t after)
{
    return tm_game_layer(layer_at(m, TMI_BEFORE, before)->kind)->is_tiles &&
           holds_much(sketch_of(m, TMI_BEFORE, before)) && holds_much(sketch_of(m, TMI_AFTER, after)) &&
           likeness(m, before, after) == 0;
}

/* The score of two layers at the same position. */
static uint32_t layer_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    tmi_matcher *m = ctx;
    const tm_layer *a = layer_at(m, TMI_BEFORE, before), *b = layer_at(m, TMI_AFTER, after);
    const bool same_name = strcmp(a->name, b->name) == 0;
    const char *image = image_name_of(m, TMI_BEFORE, a);
    uint32_t score = 1;
    if (a->kind != b->kind)
        return 0;
    if (same_name)
        score += a->name[0] ? 500 : 100;
    if (same_shape(m, a, b) || (*image && strcmp(image, image_name_of(m, TMI_AFTER, b)) == 0))
        score += 200;
    if (alone && score > 100 && (same_name || !hold_other_things(m, before, after)))
        return score;
    score += likeness(m, before, after);
    return score > 300 ? score : 0;
}

/*
 * Whether layers [a, end) BEFORE are those from b on AFTER, as far as can be seen without unpacking: they are
 * not paired, and have the same shapes, and the same names and images, or all had one name and have another.
 */
static bool stayed_in_place(const tmi_matcher *m, uint32_t a, uint32_t end, uint32_t b)
{
    const tmi_pairs *pairs = &m->match->pairs[TM_KIND_LAYER];
    const char *old = layer_at(m, TMI_BEFORE, a)->name, *fresh = layer_at(m, TMI_AFTER, b)->name;
    bool stayed = true, renamed = end - a >= 2 && *old && *fresh && strcmp(old, fresh) != 0;
    for (; a < end; a++, b++) {
        const tm_layer *x = layer_at(m, TMI_BEFORE, a), *y = layer_at(m, TMI_AFTER, b);
        if (pairs->other[TMI_AFTER][b] != TM_NONE || !same_shape(m, x, y))
            return false;
        stayed = stayed && strcmp(x->name, y->name) == 0 &&
                 strcmp(image_name_of(m, TMI_BEFORE, x), image_name_of(m, TMI_AFTER, y)) == 0;
        renamed = renamed && strcmp(x->name, old) == 0 && strcmp(y->name, fresh) == 0;
    }
    return stayed || renamed;
}

/*
 * Pairs unpaired layers between paired neighbours, if there are as many on both sides, and each is like the
 * one at its position: layers whose tiles were edited. These are not unpacked. Then pairs those in gaps.
 */
static tm_status match_in_groups(tmi_matcher *m)
{
    tmi_pairs *pairs = &m->match->pairs[TM_KIND_LAYER];
    const int32_t *other = pairs->other[TMI_BEFORE];
    for (uint32_t g = 0; g < m->match->pairs[TM_KIND_GROUP].num[TMI_BEFORE]; g++) {
        tmi_span span;
        if (!tmi_span_of_group(&span, m->match, g))
            continue;
        for (uint32_t a = span.first[0], end; a < span.end[0]; a = end + 1) {
            const int64_t b = a == span.first[0] ? (int64_t)span.first[1] : (int64_t)other[a - 1] + 1;
            for (end = a; end < span.end[0] && other[end] == TM_NONE; end++)
                ;
            const int64_t stop = end == span.end[0] ? (int64_t)span.end[1] : other[end];
            if (b < span.first[1] || stop > span.end[1] || stop - b != end - a || end == a ||
                !stayed_in_place(m, a, end, (uint32_t)b))
                continue;
            for (uint32_t i = a; i < end; i++)
                tmi_pair(pairs, i, (uint32_t)b + (i - a));
        }
        TM_TRY(tmi_pair_gaps(pairs, &span, layer_score, m, &m->arena, m->error));
    }
    return TM_OK;
}

/* The unpaired objects of a list, if they are few enough to compare each with each. */
enum { LEFT = 64 };
typedef struct left_over {
    uint32_t number[2][LEFT], num[2];
    uint32_t score[LEFT][LEFT];
} left_over;

/* The object with the highest score for `own`; TM_NONE if two have it. */
static int32_t most_like(const left_over *left, int side, uint32_t own)
{
    int32_t best = TM_NONE;
    uint32_t most = 0;
    for (uint32_t i = 0; i < left->num[!side]; i++) {
        const uint32_t score = side == TMI_BEFORE ? left->score[own][i] : left->score[i][own];
        if (score && score == most)
            best = TM_NONE;
        if (score <= most)
            continue;
        most = score;
        best = (int32_t)i;
    }
    return best;
}

/* Pairs unpaired objects that have the highest score for each other. */
static tm_status match_most_like(tmi_matcher *m, tm_kind list, tmi_pair_score *score)
{
    tmi_pairs *pairs = &m->match->pairs[list];
    left_over *left;
    TM_TRY(tmi_take(&m->arena, &left, 1, sizeof(*left), m->error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        for (uint32_t i = 0; i < pairs->num[side]; i++) {
            if (pairs->other[side][i] != TM_NONE)
                continue;
            if (left->num[side] == LEFT)
                return TM_OK;
            left->number[side][left->num[side]++] = i;
        }
    for (uint32_t i = 0; i < left->num[0]; i++)
        for (uint32_t k = 0; k < left->num[1]; k++)
            left->score[i][k] = score(m, left->number[TMI_BEFORE][i], left->number[TMI_AFTER][k], false);
    for (uint32_t i = 0; i < left->num[0]; i++) {
        const int32_t k = most_like(left, TMI_BEFORE, i);
        if (k != TM_NONE && most_like(left, TMI_AFTER, (uint32_t)k) == (int32_t)i)
            tmi_pair(pairs, left->number[TMI_BEFORE][i], left->number[TMI_AFTER][k]);
    }
    return TM_OK;
}

/* The score of two layers with different names and groups: 0 unless half of their content is equal. */
static uint32_t left_layer_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    enum { ALIKE = 500 };
    const tmi_matcher *m = ctx;
    const bool kind = layer_at(m, TMI_BEFORE, before)->kind == layer_at(m, TMI_AFTER, after)->kind;
    const uint32_t score = kind ? likeness(ctx, before, after) : 0;
    (void)alone;
    return score >= ALIKE ? score : 0;
}

/* The average of each layer's highest score in the other group; an equal name counts. */
static uint32_t group_alike_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    enum { MAX_LAYERS = 16, ONE_NAME = 300 };
    tmi_matcher *m = ctx;
    int32_t *const *paired = m->match->pairs[TM_KIND_LAYER].other;
    const tm_group *a = &m->map[TMI_BEFORE]->groups[before], *b = &m->map[TMI_AFTER]->groups[after];
    const uint32_t first[2] = {m->match->side[TMI_BEFORE].first_layer[before],
                               m->match->side[TMI_AFTER].first_layer[after]};
    const uint32_t most = a->num_layers > b->num_layers ? a->num_layers : b->num_layers;
    uint32_t sum = 0;
    (void)alone;
    if (strcmp(a->name, b->name) != 0 || !a->num_layers || most > MAX_LAYERS)
        return 0;
    for (uint32_t i = 0; i < a->num_layers; i++) {
        const tm_layer *layer = &a->layers[i];
        const bool tiles = tm_game_layer(layer->kind)->is_tiles;
        const uint32_t number = first[TMI_BEFORE] + i;
        uint32_t best = 0;
        for (uint32_t k = 0; k < b->num_layers && paired[TMI_BEFORE][number] == TM_NONE; k++) {
            const tm_layer *other = &b->layers[k];
            const uint32_t to = first[TMI_AFTER] + k;
            if (layer->kind != other->kind || paired[TMI_AFTER][to] != TM_NONE)
                continue;
            const bool named = layer->name[0] && strcmp(layer->name, other->name) == 0;
            uint32_t score = likeness(m, number, to);
            if (named && (score || (tiles && !hold_other_things(m, number, to))))
                score += ONE_NAME;
            best = score > best ? score : best;
        }
        sum += best;
    }
    return sum / most;
}

tm_status tmi_match_groups_alike(tmi_matcher *m)
{
    return match_most_like(m, TM_KIND_GROUP, group_alike_score);
}

tm_status tmi_match_layers(tmi_matcher *m)
{
    tmi_pairs *pairs = &m->match->pairs[TM_KIND_LAYER], guess;
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, group_layer_whole, TMI_KEY_UNIQUE));
    tmi_pair_neighbours(pairs, m->keys);
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, group_layer_whole, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, group_layer_content, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, group_layer_name, TMI_KEY_UNIQUE));
    TM_TRY(match_in_groups(m));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, group_layer_name, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, layer_whole, TMI_KEY_NTH));
    TM_TRY(tmi_matcher_pass(m, TM_KIND_LAYER, layer_content, TMI_KEY_NTH));
    /* layers with a unique name that were moved to another group and edited */
    TM_TRY(tmi_matcher_keys(m, TM_KIND_LAYER, layer_name));
    TM_TRY(tmi_pairs_new(&guess, pairs->num[0], pairs->num[1], &m->arena, m->error));
    TM_TRY(tmi_pair_keys(&guess, m->keys, TMI_KEY_UNIQUE, m->arena.allocator, m->error));
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE]; i++) {
        const int32_t to = guess.other[TMI_BEFORE][i];
        if (to == TM_NONE)
            continue;
        const tm_layer *a = layer_at(m, TMI_BEFORE, i), *b = layer_at(m, TMI_AFTER, (uint32_t)to);
        const bool named = a->name[0] && strcmp(a->name, b->name) == 0; /* enough of tiles of one size */
        if ((named && tm_game_layer(a->kind)->is_tiles && same_shape(m, a, b)) ||
            likeness(m, i, (uint32_t)to) >= 500)
            tmi_pair(pairs, i, (uint32_t)to);
    }
    return match_most_like(m, TM_KIND_LAYER, left_layer_score);
}
