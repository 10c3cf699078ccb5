/* SPDX-License-Identifier: Zlib */
/*
 * 64 tiles of a pass at once. A rule's places are what is left of 64 bits after all its conditions; only for
 * these is drawn, and only they are written.
 */
#include "planes.h"

static inline uint64_t view_bits(const tmi_fast_row *row, uint32_t view, uint32_t word)
{
    const uint64_t *words = row->views[view] + word;
    const unsigned shift = row->planes->views[view].shift;
    /* Two shifts, since one by 64 means nothing in C. */
    return words[0] >> shift | words[1] << 1 << (63 - shift);
}

static inline void take_view(const tmi_fast_row *row, uint32_t view, uint32_t word)
{
    const uint64_t bits = view_bits(row, view, word);
    row->seen[(size_t)2 * view] = bits;
    row->seen[2 * view + 1] = ~bits;
}

/* What the conditions see of 64 tiles. */
static void look_around(const tmi_fast_row *row, uint32_t word)
{
    for (uint32_t i = 0; i < row->planes->num_views; i++)
        take_view(row, i, word);
}

/* The same of what lies to the left. */
static void look_left(const tmi_fast_row *row, uint32_t word)
{
    for (uint32_t i = 0; i < row->planes->num_left_views; i++)
        take_view(row, row->planes->left_views[i], word);
}

static uint64_t conditions_hold(const tmi_fast_row *row, const tmi_fast_rule *rule, uint64_t bits)
{
    const uint32_t *terms = row->planes->terms + rule->first_term;
    for (uint32_t i = 0; i < rule->num_terms && bits; i++)
        bits &= row->seen[terms[i]];
    return bits;
}

static uint64_t modulos_hold(const tmi_fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const tmi_planes *p = row->planes;
    uint64_t allowed = 0;
    for (uint32_t i = 0; i < rule->rule->num_modulos; i++) {
        const tm_automap_modulo *m = &rule->rule->modulos[i];
        if (tmi_automap_add(row->y, m->offset_y) % m->every_y == 0)
            allowed |= p->x_masks[(rule->first_modulo + i) * p->num_words + word];
    }
    return bits & allowed;
}

/* From so many tiles on it is quicker to draw for all 64. */
enum { MANY_TILES = 8 };

static bool are_many(uint64_t bits)
{
    unsigned num = 0;
    for (; bits && num < MANY_TILES; num++)
        bits &= bits - 1;
    return num == MANY_TILES;
}

static uint64_t chance_holds(const tmi_fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const tmi_planes *p = row->planes;
    const uint32_t *mixed_x = p->mixed_x + (size_t)word * TMI_PLANE_BITS;
    const uint32_t base = rule->hash * (31 * 31 * 31) + row->mixed_y * 31;
    uint64_t held = 0;
    if (p->draw_64 && are_many(bits))
        return bits & p->draw_64(base, mixed_x, rule->threshold);
    for (uint64_t left = bits; left; left &= left - 1) {
        const unsigned bit = tmi_lowest_bit(left);
        held |= (uint64_t)((tmi_automap_mix(base + mixed_x[bit]) & 0xffff) < rule->threshold) << bit;
    }
    return held;
}

/* Which of these tiles the rule holds at. */
static uint64_t rule_bits(const tmi_fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    if (!rule->threshold)
        return 0;
    bits = conditions_hold(row, rule, bits);
    if (bits && rule->rule->num_modulos)
        bits = modulos_hold(row, rule, word, bits);
    return bits && rule->threshold < 65536 ? chance_holds(row, rule, word, bits) : bits;
}

static void dress_tiles(tm_tile *tiles, uint64_t bits, uint8_t index, uint8_t flags)
{
    if (bits == UINT64_MAX) {
        for (unsigned i = 0; i < TMI_PLANE_BITS; i++) {
            tiles[i].index = index;
            tiles[i].flags = flags;
        }
        return;
    }
    for (; bits; bits &= bits - 1) {
        tm_tile *tile = &tiles[tmi_lowest_bit(bits)];
        tile->index = index;
        tile->flags = flags;
    }
}

/* ---------------------------------------------------------------------------------------- the three ways */

/* The last rule that holds is what stays, so the last one is tried first. */
void tmi_map_backward(const tmi_fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t empty = row->empty[word];
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t left = p->all_skip_empty ? valid & ~empty : valid;
    if (left)
        look_around(row, word);
    for (uint32_t i = p->num_rules; i-- > 0 && left;) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? left & ~empty : rule->skip_full ? left & empty : left;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        left &= ~bits;
    }
}

/* What eight tiles see of eight views from `first` on: a byte a tile. */
static uint64_t seen_by_8(const tmi_fast_row *row, uint32_t first, unsigned shift)
{
    const uint32_t num = row->planes->num_views;
    uint64_t bytes = 0;
    for (uint32_t i = first; i < num && i < first + 8; i++)
        bytes |= (row->seen[(size_t)2 * i] >> shift & 0xff) << 8 * (i - first);
    return tmi_transpose_8x8(bytes);
}

/* By the table of all answers. */
void tmi_map_answered(const tmi_fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t left = valid & ~row->empty[word];
    if (!left)
        return;
    look_around(row, word);
    for (unsigned shift = 0; shift < TMI_PLANE_BITS; shift += 8) {
        unsigned bits = left >> shift & 0xff;
        if (!bits)
            continue;
        tm_tile *tile = row->tiles + (size_t)word * TMI_PLANE_BITS + shift;
        uint64_t low = seen_by_8(row, 0, shift), high = p->num_views > 8 ? seen_by_8(row, 8, shift) : 0;
        for (; bits; bits >>= 1, low >>= 8, high >>= 8, tile++) {
            const uint32_t answer = bits & 1 ? p->answers[(low & 0xff) | (high & 0xff) << 8] : 0;
            if (answer) {
                tile->index = (uint8_t)answer;
                tile->flags = (uint8_t)(answer >> 8);
            }
        }
    }
}

/* DDNet 16.4: the marks look at what was written by then. */
void tmi_map_forward(const tmi_fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t empty = row->empty[word];
    if (p->all_skip_empty && (empty & valid) == valid)
        return;
    look_around(row, word);
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? valid & ~empty : rule->skip_full ? valid & empty : valid;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        empty = rule->index ? empty & ~bits : empty | bits;
    }
}

/* By the game layer: where that is empty, a tile that is not is emptied by the next rule, whatever it is. */
void tmi_map_referring(const tmi_fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    const uint64_t nothing = row->empty[word] & valid;
    tm_tile *tiles = row->tiles + (size_t)word * TMI_PLANE_BITS;
    uint64_t full = 0;
    tmi_map_backward(row, word, valid & ~nothing);
    if (nothing)
        look_around(row, word);
    for (uint64_t left = nothing; left; left &= left - 1)
        full |= (uint64_t)(tiles[tmi_lowest_bit(left)].index != 0) << tmi_lowest_bit(left);
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        uint64_t bits = rule->skip_empty ? 0 : nothing & ~full;
        bits = bits ? rule_bits(row, rule, word, bits) : 0;
        if (full)
            dress_tiles(tiles, full, 0, rule->flags);
        if (bits)
            dress_tiles(tiles, bits, rule->index, rule->flags);
        full = rule->index ? bits : 0;
    }
}

/* -------------------------------------------------------------------------------- seeing what is written */

/*
 * NoLayerCopy: rows above are done, rows below and tiles to the right are as they were; all this is known for
 * 64 tiles at once. Rules that look at the tile itself see what those before them have written, plane by
 * plane. What lies to the left is only guessed at first, as it was: all rules are tried again with what came
 * out, until this is what was guessed. Each time one tile more is right at least, since none looks at those
 * behind it, and where rules do not feed on one another far along the row twice is enough.
 */

static uint64_t bound_hold(const tmi_fast_row *row, const tmi_fast_rule *rule, uint32_t word, uint64_t bits)
{
    const uint32_t *terms = row->planes->terms + rule->first_term;
    for (uint32_t i = rule->num_bound; i-- > 0 && bits;)
        bits &= view_bits(row, terms[i] / 2, word) ^ (0 - (uint64_t)(terms[i] & 1));
    return bits && rule->rule->num_modulos ? modulos_hold(row, rule, word, bits) : bits;
}

/* Where rules may fit, whatever is written; returns how many there are. */
static uint32_t begin_live(const tmi_fast_row *row, uint32_t word, uint64_t asked)
{
    const tmi_planes *p = row->planes;
    uint32_t num = 0;
    for (uint32_t i = 0; i < p->num_rules; i++) {
        const tmi_fast_rule *rule = &p->rules[i];
        const uint64_t fits = rule->threshold ? bound_hold(row, rule, word, asked) : 0;
        if (fits)
            row->live[num++] = (tmi_live_rule){rule, fits, 0, rule->threshold == 65536};
    }
    for (uint32_t i = 0; i < p->num_followed && num; i++)
        row->before[i] = row->empty[word + p->followed[i] * p->stride];
    return num;
}

/* Where the rule holds, by what is to the left and what the tiles are by now. */
static uint64_t live_bits(const tmi_fast_row *row, tmi_live_rule *live, uint32_t word)
{
    const tmi_planes *p = row->planes;
    const tmi_fast_rule *rule = live->rule;
    const uint32_t *terms = p->terms + rule->first_term;
    const uint64_t empty = row->now[p->plane_0];
    uint64_t bits = live->fits;
    bits &= rule->skip_empty ? ~empty : UINT64_MAX;
    bits &= rule->skip_full ? empty : UINT64_MAX;
    for (uint32_t i = rule->num_ahead; i < rule->num_terms && bits; i++) {
        const tmi_view *view = &p->views[terms[i] / 2];
        bits &= view->left ? row->seen[terms[i]] : row->now[view->followed] ^ (0 - (uint64_t)(terms[i] & 1));
    }
    if (bits && !live->drawn) {
        live->fits = chance_holds(row, rule, word, live->fits);
        live->drawn = true;
        bits &= live->fits;
    }
    return bits;
}

/* All rules once; whether what came out is what was guessed of tiles to the left. */
static bool try_live(const tmi_fast_row *row, uint32_t word, uint32_t num)
{
    const tmi_planes *p = row->planes;
    const uint32_t followed = p->num_followed;
    uint64_t *guessed = row->own + p->pad + word, wrong = 0;
    memcpy(row->now, row->before, followed * sizeof(*row->now));
    for (uint32_t i = 0; i < num; i++) {
        const uint64_t bits = live_bits(row, &row->live[i], word);
        const uint64_t *makes = p->makes + (size_t)row->live[i].rule->number * followed;
        row->live[i].fired = bits;
        for (uint32_t k = 0; k < followed && bits; k++)
            row->now[k] ^= (row->now[k] ^ makes[k]) & bits;
    }
    for (uint32_t i = 0; i < p->num_left; i++) {
        wrong |= guessed[p->followed[i] * p->stride] ^ row->now[i];
        guessed[p->followed[i] * p->stride] = row->now[i];
    }
    return !wrong;
}

/* These tiles become what the rule makes, and their planes, too. */
static void write_live(const tmi_fast_row *row, uint32_t word, const tmi_fast_rule *rule, uint64_t bits)
{
    const tmi_planes *p = row->planes;
    dress_tiles(row->tiles + (size_t)word * TMI_PLANE_BITS, bits, rule->index, rule->flags);
    uint64_t *planes = row->own + p->pad + word;
    for (uint32_t plane = 0; plane < p->num_planes; plane++, planes += p->stride) {
        const uint8_t *lookup = p->lookup + (size_t)(plane / TMI_PLANE_GROUP) * TMI_PLANE_STATES;
        *planes = lookup[rule->state] >> plane % TMI_PLANE_GROUP & 1 ? *planes | bits : *planes & ~bits;
    }
}

void tmi_map_live(const tmi_fast_row *row, uint32_t word, uint64_t valid)
{
    const tmi_planes *p = row->planes;
    uint64_t left = p->all_skip_empty ? valid & ~row->empty[word] : valid;
    if (!left)
        return;
    const uint32_t num = begin_live(row, word, left);
    if (!num)
        return;
    do
        look_left(row, word);
    while (!try_live(row, word, num));
    for (uint32_t i = num; i-- > 0 && left;) {
        const uint64_t bits = row->live[i].fired & left;
        if (bits)
            write_live(row, word, row->live[i].rule, bits);
        left &= ~bits;
    }
}
