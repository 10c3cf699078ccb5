/* SPDX-License-Identifier: Zlib */
/*
 * Merges three versions of a list. Anchors are ids that both sides have and neither has moved; they keep
 * their order. If an id is between different anchors on the two sides, the side that moved it decides its
 * position. Then both lists are walked from one common id to the next. Of the ids between them, first come
 * those of one side, then those of the other. Their keys decide which, so that the result does not depend on
 * which side is called ours. Does not know maps.
 */
#include "match.h"

tm_status tmi_threeway_new(tmi_threeway *t, const uint32_t num[TMI_VERSIONS],
                           const int32_t *const sources[TMI_VERSIONS], const tmi_pairs *cross,
                           tmi_arena *arena, tm_error *error)
{
    const size_t room = (size_t)num[0] + num[1] + num[2];
    *t = (tmi_threeway){.num = {num[0], num[1], num[2]}, .num_ids = num[TMI_BASE]};
    if (room > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many objects or elements to be merged");
    for (int version = 0; version < TMI_VERSIONS; version++) {
        TM_TRY(tmi_take(arena, &t->id[version], num[version], sizeof(uint32_t), error));
        TM_TRY(tmi_take(arena, &t->place[version], room, sizeof(int32_t), error));
        TM_TRY(tmi_take(arena, &t->moved[version], room, sizeof(bool), error));
        TM_TRY(tmi_take(arena, &t->is_in[version], room, sizeof(bool), error));
        TM_TRY(tmi_take(arena, &t->gap[version], room, sizeof(uint32_t), error));
        memset(t->place[version], 0xff, room * sizeof(int32_t)); /* TM_NONE */
        for (uint32_t i = 0; i < num[version]; i++) {
            const int32_t base = version == TMI_BASE ? (int32_t)i : sources[version][i];
            const int32_t twin = cross && version == TMI_THEIRS ? cross->other[TMI_AFTER][i] : TM_NONE;
            const uint32_t id = base != TM_NONE   ? (uint32_t)base
                                : twin != TM_NONE ? t->id[TMI_OURS][twin]
                                                  : t->num_ids++;
            t->id[version][i] = id;
            t->place[version][id] = (int32_t)i;
        }
    }
    TM_TRY(tmi_take(arena, &t->gone, room, sizeof(bool), error));
    TM_TRY(tmi_take(arena, &t->order, room, sizeof(uint32_t), error));
    TM_TRY(tmi_take(arena, &t->rank, room, sizeof(uint32_t), error));
    TM_TRY(tmi_take(arena, &t->final, room, sizeof(int32_t), error));
    memset(t->final, 0xff, room * sizeof(int32_t));
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- both lists */

typedef struct two_lists {
    tmi_threeway *t;
    const tmi_part *part;
    uint32_t *ids[TMI_VERSIONS], num[TMI_VERSIONS];
} two_lists;

static bool is_common(const two_lists *l, uint32_t id)
{
    return l->t->is_in[TMI_OURS][id] && l->t->is_in[TMI_THEIRS][id];
}

/* Lists the ids of the part, numbers the anchors, and finds the anchor in front of each other id. */
static tm_status list_ids(two_lists *l, tmi_arena *arena, tm_error *error)
{
    const tmi_part *part = l->part;
    tmi_threeway *t = l->t;
    uint32_t rank = 0;
    for (int side = TMI_OURS; side <= TMI_THEIRS; side++) {
        TM_TRY(tmi_take(arena, &l->ids[side], part->end[side] - part->first[side], sizeof(uint32_t), error));
        for (uint32_t i = part->first[side]; i < part->end[side]; i++) {
            const uint32_t id = t->id[side][i];
            t->is_in[side][id] = !t->gone[id] && (!part->group_of || part->group_of[id] == part->group);
            if (t->is_in[side][id])
                l->ids[side][l->num[side]++] = id;
        }
    }
    for (uint32_t id = part->first[TMI_BASE]; id < part->end[TMI_BASE]; id++)
        if (is_common(l, id) && !t->moved[TMI_OURS][id] && !t->moved[TMI_THEIRS][id])
            t->rank[id] = ++rank;
    for (int side = TMI_OURS; side <= TMI_THEIRS; side++) {
        uint32_t gap = 0;
        for (uint32_t i = 0; i < l->num[side]; i++) {
            const uint32_t id = l->ids[side][i];
            gap = t->rank[id] ? t->rank[id] : gap;
            t->gap[side][id] = gap;
        }
    }
    return TM_OK;
}

/* Removes an id that has different positions from the list of the side that does not decide. */
static void choose_places(two_lists *l)
{
    tmi_threeway *t = l->t;
    for (uint32_t i = 0; i < l->num[TMI_THEIRS]; i++) {
        const uint32_t id = l->ids[TMI_THEIRS][i];
        const bool old = id < t->num[TMI_BASE];
        bool to_theirs = t->gap[TMI_THEIRS][id] < t->gap[TMI_OURS][id];
        if (!is_common(l, id) || t->rank[id])
            continue;
        if (old && t->moved[TMI_OURS][id] != t->moved[TMI_THEIRS][id])
            to_theirs = t->moved[TMI_THEIRS][id];
        else if (t->gap[TMI_OURS][id] == t->gap[TMI_THEIRS][id])
            continue;
        else if (old && l->part->clash)
            to_theirs = l->part->clash(l->part->ctx, id);
        t->is_in[to_theirs ? TMI_OURS : TMI_THEIRS][id] = false;
    }
    for (int side = TMI_OURS; side <= TMI_THEIRS; side++) {
        uint32_t num = 0;
        for (uint32_t i = 0; i < l->num[side]; i++)
            if (t->is_in[side][l->ids[side][i]])
                l->ids[side][num++] = l->ids[side][i];
        l->num[side] = num;
    }
}

/* ----------------------------------------------------------------------------------------- one list */

static int compare_keys(const tmi_order_key *a, const tmi_order_key *b)
{
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    const int order = a->text && b->text ? strcmp(a->text, b->text) : !b->text - !a->text;
    return order ? order : (a->hash > b->hash) - (a->hash < b->hash);
}

static void put_id(tmi_threeway *t, uint32_t id)
{
    t->final[id] = (int32_t)t->num_final;
    t->order[t->num_final++] = id;
}

/* Two runs of ids without a common order. */
static void put_chunks(const two_lists *l, const uint32_t *a, uint32_t num_a, const uint32_t *b,
                       uint32_t num_b)
{
    const tmi_order_key *keys = l->part->keys;
    int order = keys ? 0 : 1;
    for (uint32_t k = 0; !order && k < num_a && k < num_b; k++)
        order = compare_keys(&keys[a[k]], &keys[b[k]]);
    if (!order)
        order = (num_a > num_b) - (num_a < num_b);
    for (uint32_t i = 0, j = 0; i < num_a || j < num_b;) {
        const bool both = i < num_a && j < num_b;
        const bool first = !both             ? i < num_a
                           : l->part->by_key ? compare_keys(&keys[a[i]], &keys[b[j]]) <= 0
                                             : order <= 0;
        put_id(l->t, first ? a[i++] : b[j++]);
    }
}

tm_status tmi_threeway_order(tmi_threeway *t, const tmi_part *part, tmi_arena *arena, tm_error *error)
{
    two_lists l = {.t = t, .part = part};
    TM_TRY(list_ids(&l, arena, error));
    choose_places(&l);
    const uint32_t *ours = l.ids[TMI_OURS], num_ours = l.num[TMI_OURS];
    uint32_t *theirs = l.ids[TMI_THEIRS], num_theirs = l.num[TMI_THEIRS];
    for (uint32_t i = 0, j = 0; i < num_ours || j < num_theirs; i++) {
        const uint32_t first = i, from = j;
        while (i < num_ours && !is_common(&l, ours[i]))
            i++;
        uint32_t end = j; /* of the run of theirs without the ids that ours places */
        for (; j < num_theirs && (i >= num_ours || theirs[j] != ours[i]); j++)
            if (is_common(&l, theirs[j]))
                t->is_in[TMI_THEIRS][theirs[j]] = false;
            else
                theirs[end++] = theirs[j];
        put_chunks(&l, ours + first, i - first, theirs + from, end - from);
        if (i < num_ours)
            put_id(t, ours[i]);
        j += j < num_theirs;
    }
    return TM_OK;
}
