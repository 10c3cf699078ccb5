/* SPDX-License-Identifier: Zlib */
/*
 * Pairs the elements of two lists: by keys, next to pairs, and in gaps between pairs. Does not know maps.
 * The pairs are the same if the two sides are exchanged, and all steps take near-linear time: a list of a
 * file may have a million elements.
 */
#include "match.h"

tm_status tmi_pairs_new(tmi_pairs *pairs, uint32_t before, uint32_t after, tmi_arena *arena, tm_error *error)
{
    *pairs = (tmi_pairs){.num = {before, after}};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(tmi_take(arena, &pairs->other[side], pairs->num[side], sizeof(int32_t), error));
        for (uint32_t i = 0; i < pairs->num[side]; i++)
            pairs->other[side][i] = TM_NONE;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- keys */

/* All elements of one key that are not paired yet, as chains in ascending order. */
typedef struct key_slot {
    uint64_t key; /* 0: a free slot */
    uint32_t first[2], num[2];
} key_slot;

/* Counts the elements of a side that have a key and are not paired. */
static uint32_t count_free(const tmi_pairs *pairs, const uint64_t *keys, int side)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < pairs->num[side]; i++)
        num += keys[i] && pairs->other[side][i] == TM_NONE;
    return num;
}

static tm_status pair_by_table(tmi_pairs *pairs, uint64_t *const keys[2], tmi_key_rule rule, tmi_arena *arena,
                               tm_error *error)
{
    key_slot *slots;
    size_t num_slots = 16; /* a power of two */
    uint32_t *next[2];
    const size_t num_free[2] = {count_free(pairs, keys[TMI_BEFORE], TMI_BEFORE),
                                count_free(pairs, keys[TMI_AFTER], TMI_AFTER)};
    if (num_free[TMI_BEFORE] == 0 || num_free[TMI_AFTER] == 0)
        return TM_OK;
    while (num_slots < 2 * (num_free[TMI_BEFORE] + num_free[TMI_AFTER]))
        num_slots *= 2;
    TM_TRY(tmi_take(arena, &slots, num_slots, sizeof(*slots), error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(tmi_take(arena, &next[side], pairs->num[side], sizeof(uint32_t), error));
        for (uint32_t i = pairs->num[side]; i-- > 0;) { /* from the last, so that chains ascend */
            const uint64_t key = keys[side][i];
            if (!key || pairs->other[side][i] != TM_NONE)
                continue;
            size_t at = (size_t)(key ^ key >> 32) & (num_slots - 1);
            while (slots[at].key && slots[at].key != key)
                at = (at + 1) & (num_slots - 1);
            slots[at].key = key;
            next[side][i] = slots[at].first[side];
            slots[at].first[side] = i;
            slots[at].num[side]++;
        }
    }
    for (size_t i = 0; i < num_slots; i++) {
        const uint32_t *num = slots[i].num;
        uint32_t a = slots[i].first[TMI_BEFORE], b = slots[i].first[TMI_AFTER];
        if (rule == TMI_KEY_UNIQUE && (num[TMI_BEFORE] != 1 || num[TMI_AFTER] != 1))
            continue;
        for (uint32_t k = 0; k < num[TMI_BEFORE] && k < num[TMI_AFTER]; k++) {
            tmi_pair(pairs, a, b);
            a = next[TMI_BEFORE][a];
            b = next[TMI_AFTER][b];
        }
    }
    return TM_OK;
}

tm_status tmi_pair_keys(tmi_pairs *pairs, uint64_t *const keys[2], tmi_key_rule rule,
                        const tm_allocator *allocator, tm_error *error)
{
    tmi_arena arena;
    tmi_arena_init(&arena, allocator);
    const tm_status status = pair_by_table(pairs, keys, rule, &arena, error);
    tmi_arena_release(&arena);
    return status;
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
    uint32_t *tails, *sources; /* of the longest run; see find_run */
    bool *stays;
    uint32_t num;
} ordered;

static bool in_span(const tmi_span *span, int side, int32_t number)
{
    return number >= 0 && (uint32_t)number >= span->first[side] && (uint32_t)number < span->end[side];
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
        o->sources[k] = low ? o->tails[low - 1] : UINT32_MAX;
        o->tails[low] = k;
        if (low == length)
            length++;
    }
    for (uint32_t k = length ? o->tails[length - 1] : UINT32_MAX; k != UINT32_MAX; k = o->sources[k])
        o->stays[k] = true;
}

tm_status tmi_mark_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span, tmi_arena *arena,
                         tm_error *error)
{
    const uint32_t room = span->end[TMI_BEFORE] - span->first[TMI_BEFORE];
    ordered o = {.num = 0};
    uint32_t **const arrays[] = {&o.numbers, &o.ranks[TMI_BEFORE], &o.ranks[TMI_AFTER], &o.tails, &o.sources};
    for (size_t i = 0; i < TMI_COUNT_OF(arrays); i++)
        TM_TRY(tmi_take(arena, arrays[i], room, sizeof(uint32_t), error));
    TM_TRY(tmi_take(arena, &o.stays, room, sizeof(bool), error));
    uint32_t *rank_of = o.tails; /* the place of each number of BEFORE among the pairs within the span */
    for (uint32_t a = span->first[TMI_BEFORE]; a < span->end[TMI_BEFORE]; a++)
        if (in_span(span, TMI_AFTER, pairs->other[TMI_BEFORE][a])) {
            rank_of[a - span->first[TMI_BEFORE]] = o.num;
            o.numbers[o.num++] = a;
        }
    uint32_t rank = 0;
    for (uint32_t b = span->first[TMI_AFTER]; b < span->end[TMI_AFTER]; b++) {
        const int32_t a = pairs->other[TMI_AFTER][b];
        if (!in_span(span, TMI_BEFORE, a))
            continue;
        const uint32_t k = rank_of[(uint32_t)a - span->first[TMI_BEFORE]];
        o.ranks[TMI_BEFORE][k] = rank;
        o.ranks[TMI_AFTER][rank++] = k;
    }
    /* the choice among several longest runs must not depend on the direction: it is made on the lower side */
    uint32_t first = 0;
    while (first < o.num && o.ranks[TMI_BEFORE][first] == o.ranks[TMI_AFTER][first])
        first++;
    const bool lower = first == o.num || o.ranks[TMI_BEFORE][first] < o.ranks[TMI_AFTER][first];
    const int side = lower ? TMI_BEFORE : TMI_AFTER;
    find_run(&o, o.ranks[side]);
    for (uint32_t k = 0; k < o.num; k++) /* seen from AFTER, k is a rank there, and ranks[side][k] the pair */
        moved[o.numbers[side == TMI_BEFORE ? k : o.ranks[TMI_AFTER][k]] - span->first[TMI_BEFORE]] =
            !o.stays[k];
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- gaps */

enum { GAP_CELLS = 4096 }; /* beyond that a gap is paired in order, without looking for the best way */

typedef struct gap_work {
    tmi_pairs *pairs;
    tmi_pair_score *score;
    void *ctx;
    uint32_t *left[2]; /* what is left in the gap, by side */
    uint32_t num[2];
    uint32_t *scores, *best; /* of each two that are left, at most GAP_CELLS */
} gap_work;

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

static void pair_all_gaps(gap_work *w, const tmi_span *span, const bool *moved)
{
    tmi_pairs *pairs = w->pairs;
    uint32_t *const *left = w->left;
    uint32_t b = span->first[TMI_AFTER];
    for (uint32_t a = span->first[TMI_BEFORE]; a <= span->end[TMI_BEFORE]; a++) {
        const bool last = a == span->end[TMI_BEFORE];
        const int32_t other = last ? (int32_t)span->end[TMI_AFTER] : pairs->other[TMI_BEFORE][a];
        if (other == TM_NONE) {
            left[TMI_BEFORE][w->num[TMI_BEFORE]++] = a;
            continue;
        }
        if (!last && (!in_span(span, TMI_AFTER, other) || moved[a - span->first[TMI_BEFORE]]))
            continue;
        for (; b < (uint32_t)other; b++)
            if (pairs->other[TMI_AFTER][b] == TM_NONE)
                left[TMI_AFTER][w->num[TMI_AFTER]++] = b;
        if ((uint64_t)w->num[0] * w->num[1] <= GAP_CELLS)
            pair_gap_best(w);
        else
            for (uint32_t i = 0; i < w->num[0] && i < w->num[1]; i++)
                if (w->score(w->ctx, left[TMI_BEFORE][i], left[TMI_AFTER][i], false))
                    tmi_pair(pairs, left[TMI_BEFORE][i], left[TMI_AFTER][i]);
        w->num[0] = w->num[1] = 0;
        b = (uint32_t)other + 1;
    }
}

uint32_t tmi_count_unpaired(const tmi_pairs *pairs, const tmi_span *span, int side)
{
    uint32_t num = 0;
    for (uint32_t i = span->first[side]; i < span->end[side]; i++)
        num += pairs->other[side][i] == TM_NONE;
    return num;
}

tm_status tmi_pair_gaps(tmi_pairs *pairs, const tmi_span *span, tmi_pair_score *score, void *ctx,
                        tmi_arena *arena, tm_error *error)
{
    gap_work w = {.pairs = pairs, .score = score, .ctx = ctx};
    const uint32_t left[2] = {tmi_count_unpaired(pairs, span, TMI_BEFORE),
                              tmi_count_unpaired(pairs, span, TMI_AFTER)};
    const uint64_t all = (uint64_t)left[0] * left[1];
    const size_t cells = all < GAP_CELLS ? (size_t)all : GAP_CELLS;
    bool *moved;
    if (!cells)
        return TM_OK;
    TM_TRY(tmi_take(arena, &w.scores, cells, sizeof(uint32_t), error));
    TM_TRY(tmi_take(arena, &w.best, cells, sizeof(uint32_t), error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_take(arena, &w.left[side], left[side], sizeof(uint32_t), error));
    TM_TRY(tmi_take(arena, &moved, span->end[0] - span->first[0], sizeof(*moved), error));
    TM_TRY(tmi_mark_moved(moved, pairs, span, arena, error));
    pair_all_gaps(&w, span, moved);
    return TM_OK;
}
