/* SPDX-License-Identifier: Zlib */
/*
 * Two lists and which elements of them belong together: by keys, by their neighbours, and in the gaps between
 * what is paired already. Knows nothing of maps. Whatever is done here gives the same pairs when the two
 * sides are exchanged, and takes no more than near-linear time: a list of a file may have a million elements.
 */
#include "compare.h"

/* -------------------------------------------------------------------------------------------------- pairs */

tm_status tmi_pairs_new(tmi_pairs *pairs, uint32_t before, uint32_t after, const tm_allocator *allocator,
                        tm_error *error)
{
    memset(pairs, 0, sizeof(*pairs));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        const uint32_t num = side ? after : before;
        pairs->other[side] = tmi_alloc(allocator, num, sizeof(int32_t));
        if (!pairs->other[side]) {
            tmi_pairs_free(pairs, allocator);
            return tmi_fail_memory(error, (uint64_t)num * sizeof(int32_t), "a table of pairs");
        }
        pairs->num[side] = num;
        for (uint32_t i = 0; i < num; i++)
            pairs->other[side][i] = TM_NONE;
    }
    return TM_OK;
}

void tmi_pairs_free(tmi_pairs *pairs, const tm_allocator *allocator)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (pairs->other[side])
            tmi_free(allocator, pairs->other[side], pairs->num[side], sizeof(int32_t));
    memset(pairs, 0, sizeof(*pairs));
}

/* --------------------------------------------------------------------------------------------------- keys */

/* All elements of one key that are not paired yet, as chains in ascending order. */
typedef struct key_slot {
    uint64_t key; /* 0: a free slot */
    uint32_t first[2], num[2];
} key_slot;

typedef struct key_table {
    key_slot *slots;
    size_t num_slots; /* a power of two */
    uint32_t *next[2];
    uint32_t num[2];
    const tm_allocator *allocator;
} key_table;

static void key_table_free(key_table *table)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (table->next[side])
            tmi_free(table->allocator, table->next[side], table->num[side], sizeof(uint32_t));
    if (table->slots)
        tmi_free(table->allocator, table->slots, table->num_slots, sizeof(*table->slots));
}

/* How many of a side can be paired still. */
static uint32_t count_free(const tmi_pairs *pairs, const uint64_t *keys, int side)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < pairs->num[side]; i++)
        num += keys[i] && pairs->other[side][i] == TM_NONE;
    return num;
}

/* For as many keys as `num_free`. */
static tm_status key_table_new(key_table *table, const uint32_t num[2], size_t num_free,
                               const tm_allocator *allocator, tm_error *error)
{
    *table = (key_table){.num_slots = 16, .num = {num[0], num[1]}, .allocator = allocator};
    while (table->num_slots < 2 * num_free)
        table->num_slots *= 2;
    table->slots = tmi_calloc(allocator, table->num_slots, sizeof(*table->slots));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        table->next[side] = tmi_alloc(allocator, num[side], sizeof(uint32_t));
    if (table->slots && table->next[TMI_BEFORE] && table->next[TMI_AFTER])
        return TM_OK;
    key_table_free(table);
    return tmi_fail_memory(error, (uint64_t)table->num_slots * sizeof(*table->slots), "a table of keys");
}

static key_slot *key_slot_of(key_table *table, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 32) & (table->num_slots - 1);
    while (table->slots[at].key && table->slots[at].key != key)
        at = (at + 1) & (table->num_slots - 1);
    return &table->slots[at];
}

/* From the last to the first, so that chains ascend. */
static void put_keys(key_table *table, const tmi_pairs *pairs, const uint64_t *keys, int side)
{
    for (uint32_t i = pairs->num[side]; i-- > 0;) {
        if (!keys[i] || pairs->other[side][i] != TM_NONE)
            continue;
        key_slot *slot = key_slot_of(table, keys[i]);
        slot->key = keys[i];
        table->next[side][i] = slot->first[side];
        slot->first[side] = i;
        slot->num[side]++;
    }
}

static void pair_slot(tmi_pairs *pairs, const key_table *table, const key_slot *slot, tmi_key_rule rule)
{
    uint32_t a = slot->first[TMI_BEFORE], b = slot->first[TMI_AFTER];
    const uint32_t num =
        slot->num[TMI_BEFORE] < slot->num[TMI_AFTER] ? slot->num[TMI_BEFORE] : slot->num[TMI_AFTER];
    if (rule == TMI_KEY_UNIQUE && (slot->num[TMI_BEFORE] != 1 || slot->num[TMI_AFTER] != 1))
        return;
    for (uint32_t i = 0; i < num; i++) {
        tmi_pair(pairs, a, b);
        a = table->next[TMI_BEFORE][a];
        b = table->next[TMI_AFTER][b];
    }
}

tm_status tmi_pair_keys(tmi_pairs *pairs, uint64_t *const keys[2], tmi_key_rule rule,
                        const tm_allocator *allocator, tm_error *error)
{
    key_table table;
    const uint32_t num_free[2] = {count_free(pairs, keys[TMI_BEFORE], TMI_BEFORE),
                                  count_free(pairs, keys[TMI_AFTER], TMI_AFTER)};
    if (num_free[TMI_BEFORE] == 0 || num_free[TMI_AFTER] == 0)
        return TM_OK;
    TM_TRY(key_table_new(&table, pairs->num, (size_t)num_free[TMI_BEFORE] + num_free[TMI_AFTER], allocator,
                         error));
    put_keys(&table, pairs, keys[TMI_BEFORE], TMI_BEFORE);
    put_keys(&table, pairs, keys[TMI_AFTER], TMI_AFTER);
    for (size_t i = 0; i < table.num_slots; i++)
        if (table.slots[i].num[TMI_BEFORE] && table.slots[i].num[TMI_AFTER])
            pair_slot(pairs, &table, &table.slots[i], rule);
    key_table_free(&table);
    return TM_OK;
}

static bool may_pair(const tmi_pairs *pairs, uint64_t *const keys[2], uint32_t a, uint32_t b)
{
    return pairs->other[TMI_BEFORE][a] == TM_NONE && pairs->other[TMI_AFTER][b] == TM_NONE &&
           keys[TMI_BEFORE][a] && keys[TMI_BEFORE][a] == keys[TMI_AFTER][b];
}

void tmi_pair_neighbours(tmi_pairs *pairs, uint64_t *const keys[2])
{
    const uint32_t *num = pairs->num;
    for (uint32_t i = 0; i < num[TMI_BEFORE]; i++) {
        const int32_t other = pairs->other[TMI_BEFORE][i];
        if (other == TM_NONE)
            continue;
        for (uint32_t a = i + 1, b = (uint32_t)other + 1;
             a < num[TMI_BEFORE] && b < num[TMI_AFTER] && may_pair(pairs, keys, a, b); a++, b++)
            tmi_pair(pairs, a, b);
        for (uint32_t a = i, b = (uint32_t)other; a > 0 && b > 0 && may_pair(pairs, keys, a - 1, b - 1);
             a--, b--)
            tmi_pair(pairs, a - 1, b - 1);
    }
}

void tmi_pair_places(tmi_pairs *pairs, uint64_t *const keys[2])
{
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE] && i < pairs->num[TMI_AFTER]; i++)
        if (may_pair(pairs, keys, i, i))
            tmi_pair(pairs, i, i);
}

/* -------------------------------------------------------------------------------------------------- order */

/* The pairs of a span, in the order BEFORE, with their places in the order AFTER among them, and back. */
typedef struct ordered {
    uint32_t *numbers; /* BEFORE, of each pair */
    uint32_t *ranks[2];
    uint32_t *tails, *from; /* of the longest run; see find_run */
    bool *stays;
    uint32_t num, room;
} ordered;

static bool in_span(const tmi_span *span, int side, int32_t number)
{
    return number >= 0 && (uint32_t)number >= span->first[side] && (uint32_t)number < span->end[side];
}

static void put_ranks(ordered *o, const tmi_pairs *pairs, const tmi_span *span)
{
    uint32_t *rank_of = o->tails; /* of each number BEFORE in the span its place among the pairs */
    for (uint32_t a = span->first[TMI_BEFORE]; a < span->end[TMI_BEFORE]; a++)
        if (in_span(span, TMI_AFTER, pairs->other[TMI_BEFORE][a])) {
            rank_of[a - span->first[TMI_BEFORE]] = o->num;
            o->numbers[o->num++] = a;
        }
    uint32_t rank = 0;
    for (uint32_t b = span->first[TMI_AFTER]; b < span->end[TMI_AFTER]; b++) {
        const int32_t a = pairs->other[TMI_AFTER][b];
        if (!in_span(span, TMI_BEFORE, a))
            continue;
        const uint32_t k = rank_of[(uint32_t)a - span->first[TMI_BEFORE]];
        o->ranks[TMI_BEFORE][k] = rank;
        o->ranks[TMI_AFTER][rank++] = k;
    }
}

/*
 * The longest run of ascending ranks (patience sorting): tails[n] is the element with the lowest rank that
 * ends a run of n + 1, from[k] the one before k in its run.
 */
static void find_run(ordered *o, const uint32_t *ranks)
{
    uint32_t length = 0;
    for (uint32_t k = 0; k < o->num; k++) {
        uint32_t low = 0, high = length;
        while (low < high) {
            const uint32_t mid = (low + high) / 2;
            if (ranks[o->tails[mid]] < ranks[k])
                low = mid + 1;
            else
                high = mid;
        }
        o->from[k] = low ? o->tails[low - 1] : UINT32_MAX;
        o->tails[low] = k;
        if (low == length)
            length++;
    }
    for (uint32_t k = length ? o->tails[length - 1] : UINT32_MAX; k != UINT32_MAX; k = o->from[k])
        o->stays[k] = true;
}

static void free_ordered(ordered *o, const tm_allocator *allocator)
{
    tmi_free(allocator, o->numbers, o->room, sizeof(uint32_t));
    tmi_free(allocator, o->ranks[TMI_BEFORE], o->room, sizeof(uint32_t));
    tmi_free(allocator, o->ranks[TMI_AFTER], o->room, sizeof(uint32_t));
    tmi_free(allocator, o->tails, o->room, sizeof(uint32_t));
    tmi_free(allocator, o->from, o->room, sizeof(uint32_t));
    tmi_free(allocator, o->stays, o->room, sizeof(bool));
}

static tm_status new_ordered(ordered *o, uint32_t room, const tm_allocator *allocator, tm_error *error)
{
    *o = (ordered){.room = room};
    o->numbers = tmi_alloc(allocator, room, sizeof(uint32_t));
    o->ranks[TMI_BEFORE] = tmi_alloc(allocator, room, sizeof(uint32_t));
    o->ranks[TMI_AFTER] = tmi_alloc(allocator, room, sizeof(uint32_t));
    o->tails = tmi_alloc(allocator, room, sizeof(uint32_t));
    o->from = tmi_alloc(allocator, room, sizeof(uint32_t));
    o->stays = tmi_calloc(allocator, room, sizeof(bool));
    if (o->numbers && o->ranks[TMI_BEFORE] && o->ranks[TMI_AFTER] && o->tails && o->from && o->stays)
        return TM_OK;
    free_ordered(o, allocator);
    return tmi_fail_memory(error, (uint64_t)room * sizeof(uint32_t), "the order of a list");
}

/* Among several longest runs the choice must not depend on the direction: it is made on the lower side. */
static int lower_side(const ordered *o)
{
    for (uint32_t k = 0; k < o->num; k++)
        if (o->ranks[TMI_BEFORE][k] != o->ranks[TMI_AFTER][k])
            return o->ranks[TMI_BEFORE][k] < o->ranks[TMI_AFTER][k] ? TMI_BEFORE : TMI_AFTER;
    return TMI_BEFORE;
}

/* Whether nothing has to move, as in most lists. */
static bool none_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span)
{
    int32_t last = TM_NONE;
    for (uint32_t a = span->first[TMI_BEFORE]; a < span->end[TMI_BEFORE]; a++) {
        const int32_t other = pairs->other[TMI_BEFORE][a];
        if (!in_span(span, TMI_AFTER, other))
            continue;
        if (other < last)
            return false;
        last = other;
        moved[a - span->first[TMI_BEFORE]] = false;
    }
    return true;
}

tm_status tmi_mark_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span,
                         const tm_allocator *allocator, tm_error *error)
{
    ordered o;
    if (none_moved(moved, pairs, span))
        return TM_OK;
    TM_TRY(new_ordered(&o, span->end[TMI_BEFORE] - span->first[TMI_BEFORE], allocator, error));
    put_ranks(&o, pairs, span);
    const int side = lower_side(&o);
    find_run(&o, o.ranks[side]);
    for (uint32_t k = 0; k < o.num; k++) /* seen from AFTER, k is a rank there, and ranks[side][k] the pair */
        moved[o.numbers[side == TMI_BEFORE ? k : o.ranks[TMI_AFTER][k]] - span->first[TMI_BEFORE]] =
            !o.stays[k];
    free_ordered(&o, allocator);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- gaps */

enum { GAP_CELLS = 4096 }; /* beyond that a gap is paired in order, without looking for the best way */

typedef struct gap_work {
    tmi_pairs *pairs;
    tmi_pair_score *score;
    void *ctx;
    uint32_t *left[2]; /* what is left in the gap, by side */
    uint32_t num[2], room[2];
    uint32_t scores[GAP_CELLS], best[GAP_CELLS];
} gap_work;

static void pair_gap_in_order(gap_work *w)
{
    const uint32_t num = w->num[0] < w->num[1] ? w->num[0] : w->num[1];
    for (uint32_t i = 0; i < num; i++)
        if (w->score(w->ctx, w->left[TMI_BEFORE][i], w->left[TMI_AFTER][i], false))
            tmi_pair(w->pairs, w->left[TMI_BEFORE][i], w->left[TMI_AFTER][i]);
}

/* best[i][j]: the highest sum for what lies from i and j on. */
static uint32_t best_at(const gap_work *w, uint32_t i, uint32_t j)
{
    return i < w->num[0] && j < w->num[1] ? w->best[i * w->num[1] + j] : 0;
}

static void pair_gap_best(gap_work *w)
{
    const bool alone = w->num[0] == 1 && w->num[1] == 1;
    for (uint32_t i = w->num[0]; i-- > 0;) {
        for (uint32_t j = w->num[1]; j-- > 0;) {
            const size_t cell = i * w->num[1] + j;
            w->scores[cell] = w->score(w->ctx, w->left[TMI_BEFORE][i], w->left[TMI_AFTER][j], alone);
            const uint32_t skip =
                best_at(w, i + 1, j) > best_at(w, i, j + 1) ? best_at(w, i + 1, j) : best_at(w, i, j + 1);
            const uint32_t take = w->scores[cell] ? w->scores[cell] + best_at(w, i + 1, j + 1) : 0;
            w->best[cell] = take > skip ? take : skip;
        }
    }
    for (uint32_t i = 0, j = 0; i < w->num[0] && j < w->num[1];) {
        const size_t cell = i * w->num[1] + j;
        if (w->scores[cell] && w->best[cell] == w->scores[cell] + best_at(w, i + 1, j + 1))
            tmi_pair(w->pairs, w->left[TMI_BEFORE][i++], w->left[TMI_AFTER][j++]);
        else if (w->best[cell] == best_at(w, i + 1, j))
            i++;
        else
            j++;
    }
}

static void pair_gap(gap_work *w)
{
    if (w->num[0] && w->num[1]) {
        if ((uint64_t)w->num[0] * w->num[1] > GAP_CELLS)
            pair_gap_in_order(w);
        else
            pair_gap_best(w);
    }
    w->num[0] = w->num[1] = 0;
}

static void pair_all_gaps(gap_work *w, const tmi_span *span, const bool *moved)
{
    const tmi_pairs *pairs = w->pairs;
    uint32_t b = span->first[TMI_AFTER];
    for (uint32_t a = span->first[TMI_BEFORE]; a <= span->end[TMI_BEFORE]; a++) {
        const bool last = a == span->end[TMI_BEFORE];
        const int32_t other = last ? (int32_t)span->end[TMI_AFTER] : pairs->other[TMI_BEFORE][a];
        if (other == TM_NONE) {
            w->left[TMI_BEFORE][w->num[TMI_BEFORE]++] = a;
            continue;
        }
        if (!last && (!in_span(span, TMI_AFTER, other) || moved[a - span->first[TMI_BEFORE]]))
            continue;
        for (; b < (uint32_t)other; b++)
            if (pairs->other[TMI_AFTER][b] == TM_NONE)
                w->left[TMI_AFTER][w->num[TMI_AFTER]++] = b;
        pair_gap(w);
        b = (uint32_t)other + 1;
    }
}

static bool anything_left(const tmi_pairs *pairs, const tmi_span *span, int side)
{
    for (uint32_t i = span->first[side]; i < span->end[side]; i++)
        if (pairs->other[side][i] == TM_NONE)
            return true;
    return false;
}

tm_status tmi_pair_gaps(tmi_pairs *pairs, const tmi_span *span, tmi_pair_score *score, void *ctx,
                        const tm_allocator *allocator, tm_error *error)
{
    if (!anything_left(pairs, span, TMI_BEFORE) || !anything_left(pairs, span, TMI_AFTER))
        return TM_OK;
    const uint32_t room[2] = {span->end[0] - span->first[0], span->end[1] - span->first[1]};
    gap_work *w = tmi_calloc(allocator, 1, sizeof(*w));
    bool *moved = tmi_calloc(allocator, room[TMI_BEFORE], sizeof(*moved));
    uint32_t *left = tmi_alloc(allocator, (size_t)room[0] + room[1], sizeof(*left));
    tm_status status = w && moved && left ? TM_OK : tmi_fail_memory(error, sizeof(*w), "pairing a list");
    if (status == TM_OK)
        status = tmi_mark_moved(moved, pairs, span, allocator, error);
    if (status == TM_OK) {
        w->pairs = pairs;
        w->score = score;
        w->ctx = ctx;
        w->left[TMI_BEFORE] = left;
        w->left[TMI_AFTER] = left + room[0];
        pair_all_gaps(w, span, moved);
    }
    if (left)
        tmi_free(allocator, left, (size_t)room[0] + room[1], sizeof(*left));
    if (moved)
        tmi_free(allocator, moved, room[TMI_BEFORE], sizeof(*moved));
    if (w)
        tmi_free(allocator, w, 1, sizeof(*w));
    return status;
}
