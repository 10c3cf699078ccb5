/* SPDX-License-Identifier: Zlib */
/*
 * Three versions of a list become one. What neither side has moved stays in its order: the anchors. Between
 * two anchors stands what either side put there, in the order of that side; what both put there, stands
 * where both have it, and between such things first come those of one side, then those of the other: by
 * their keys, so that it does not matter which side is called ours. Knows nothing of maps.
 */
#include "merge_maps.h"

struct tmi_line_item {
    uint32_t rank;   /* of a anchor: its number among them, from 1 */
    uint32_t gap[2]; /* rank of the anchor before it, by side */
    uint32_t part;   /* its place among what theirs puts between two anchors, from 1; 0: not there */
    bool in[TM_MERGE_MAPS], moved[2];
    bool anchor, put, chosen;
    bool by[2]; /* not a anchor: the sides that say where it is */
};
typedef struct tmi_line_item line_item;

typedef struct lining {
    tmi_sequence *list;
    line_item *items;   /* by id */
    uint32_t *parts[2]; /* what a side puts between two anchors */
    uint32_t num_parts[2];
} lining;

static int compare_keys(const tmi_order_key *a, const tmi_order_key *b)
{
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    const int order = a->text && b->text ? strcmp(a->text, b->text) : !b->text - !a->text;
    return order ? order : (a->hash > b->hash) - (a->hash < b->hash);
}

/* ------------------------------------------------------------------------------------------------ anchors */

static void see_items(lining *l)
{
    const tmi_sequence *list = l->list;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        for (uint32_t i = 0; i < list->num[version]; i++)
            l->items[list->ids[version][i]].in[version] = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < list->num[side + 1]; i++)
            l->items[list->ids[side + 1][i]].moved[side] = list->moved[side][i];
}

static void find_posts(lining *l)
{
    const tmi_sequence *list = l->list;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < list->num[TM_MERGE_BASE]; i++) {
        line_item *item = &l->items[list->ids[TM_MERGE_BASE][i]];
        item->anchor = (item->in[TM_MERGE_OURS] || item->in[TM_MERGE_THEIRS]) && !item->moved[TMI_OURS] &&
                       !item->moved[TMI_THEIRS];
        item->rank = item->anchor ? ++rank : 0;
    }
    for (int side = 0; side < 2; side++) {
        uint32_t gap = 0;
        for (uint32_t i = 0; i < list->num[side + 1]; i++) {
            line_item *item = &l->items[list->ids[side + 1][i]];
            gap = item->anchor ? item->rank : gap;
            item->gap[side] = gap;
        }
    }
}

/* Which side's place counts for what is no anchor. */
static void choose_places(lining *l)
{
    const tmi_sequence *list = l->list;
    for (uint32_t i = 0; i < list->num[TM_MERGE_THEIRS] + list->num[TM_MERGE_OURS]; i++) {
        const uint32_t at = i - list->num[TM_MERGE_THEIRS], id = i < list->num[TM_MERGE_THEIRS]
                                                                     ? list->ids[TM_MERGE_THEIRS][i]
                                                                     : list->ids[TM_MERGE_OURS][at];
        line_item *item = &l->items[id];
        if (item->chosen)
            continue;
        item->chosen = true;
        const bool ours = item->in[TM_MERGE_OURS], theirs = item->in[TM_MERGE_THEIRS];
        bool *by = item->by;
        by[TMI_OURS] = ours && !item->anchor;
        by[TMI_THEIRS] = theirs && !item->anchor;
        if (!by[TMI_OURS] || !by[TMI_THEIRS] || item->gap[TMI_OURS] == item->gap[TMI_THEIRS])
            continue;
        bool to_theirs = item->gap[TMI_THEIRS] < item->gap[TMI_OURS]; /* if nothing else says it */
        if (item->in[TM_MERGE_BASE] && item->moved[TMI_OURS] != item->moved[TMI_THEIRS])
            to_theirs = item->moved[TMI_THEIRS];
        else if (item->in[TM_MERGE_BASE] && list->clash)
            to_theirs = list->clash(list->ctx, id);
        by[to_theirs ? TMI_OURS : TMI_THEIRS] = false;
    }
}

/* ------------------------------------------------------------------------------------------------ between */

static void put_id(lining *l, uint32_t id)
{
    if (l->items[id].put)
        return;
    l->items[id].put = true;
    l->list->out[l->list->num_out++] = id;
}

/* Two runs of ids that nothing brings in an order. */
static void put_chunks(lining *l, const uint32_t *a, uint32_t num_a, const uint32_t *b, uint32_t num_b)
{
    const tmi_order_key *keys = l->list->keys;
    uint32_t i = 0, j = 0;
    if (!l->list->by_key) {
        int order = 0;
        for (uint32_t k = 0; !order && k < num_a && k < num_b; k++)
            order = compare_keys(&keys[a[k]], &keys[b[k]]);
        if (!order)
            order = (num_a > num_b) - (num_a < num_b);
        if (order > 0)
            for (; j < num_b; j++)
                put_id(l, b[j]);
        for (; i < num_a; i++)
            put_id(l, a[i]);
    }
    while (i < num_a || j < num_b)
        if (j == num_b || (i < num_a && compare_keys(&keys[a[i]], &keys[b[j]]) <= 0))
            put_id(l, a[i++]);
        else
            put_id(l, b[j++]);
}

static bool is_common(const lining *l, uint32_t id)
{
    return l->items[id].by[TMI_OURS] && l->items[id].by[TMI_THEIRS];
}

/* Ours, up to the next thing that both have here. */
static uint32_t chunk_end(const lining *l, uint32_t from)
{
    while (from < l->num_parts[TMI_OURS] && !is_common(l, l->parts[TMI_OURS][from]))
        from++;
    return from;
}

/* Theirs, up to that thing; what both have but ours has later stands where ours has it. */
static uint32_t keep_until(lining *l, uint32_t *from, uint32_t common, uint32_t *chunk)
{
    uint32_t num = 0;
    const uint32_t *parts = l->parts[TMI_THEIRS];
    while (*from < l->num_parts[TMI_THEIRS] && parts[*from] != common) {
        if (!is_common(l, parts[*from]))
            chunk[num++] = parts[*from];
        (*from)++;
    }
    return num;
}

static void put_gap(lining *l, uint32_t *chunk)
{
    uint32_t i = 0, j = 0;
    while (i < l->num_parts[TMI_OURS] || j < l->num_parts[TMI_THEIRS]) {
        const uint32_t end = chunk_end(l, i);
        const bool common = end < l->num_parts[TMI_OURS];
        const uint32_t id = common ? l->parts[TMI_OURS][end] : UINT32_MAX;
        uint32_t num = 0;
        if (!common || l->items[id].part > j)
            num = keep_until(l, &j, id, chunk);
        put_chunks(l, &l->parts[TMI_OURS][i], end - i, chunk, num);
        if (common)
            put_id(l, id);
        i = common ? end + 1 : end;
        j += common && j < l->num_parts[TMI_THEIRS] && l->parts[TMI_THEIRS][j] == id;
    }
    for (j = 0; j < l->num_parts[TMI_THEIRS]; j++)
        l->items[l->parts[TMI_THEIRS][j]].part = 0;
    l->num_parts[TMI_OURS] = l->num_parts[TMI_THEIRS] = 0;
}

/* Takes what a side has between the anchor before `at` and the next one; `at` goes to that one. */
static void take_parts(lining *l, int side, uint32_t *at)
{
    const tmi_sequence *list = l->list;
    for (; *at < list->num[side + 1] && !l->items[list->ids[side + 1][*at]].anchor; (*at)++) {
        const uint32_t id = list->ids[side + 1][*at];
        if (!l->items[id].by[side])
            continue;
        l->parts[side][l->num_parts[side]++] = id;
        if (side == TMI_THEIRS)
            l->items[id].part = l->num_parts[side];
    }
}

static void put_all(lining *l, uint32_t *chunk)
{
    const tmi_sequence *list = l->list;
    uint32_t at[2] = {0, 0};
    for (uint32_t i = 0; i <= list->num[TM_MERGE_BASE]; i++) {
        const bool last = i == list->num[TM_MERGE_BASE];
        const uint32_t id = last ? 0 : list->ids[TM_MERGE_BASE][i];
        if (!last && !l->items[id].anchor)
            continue;
        for (int side = 0; side < 2; side++) {
            /* a anchor that this side has not is stepped over with what comes before the next one it has */
            if (last || l->items[id].in[side + 1])
                take_parts(l, side, &at[side]);
        }
        put_gap(l, chunk);
        for (int side = 0; side < 2 && !last; side++)
            at[side] += l->items[id].in[side + 1];
        if (!last)
            put_id(l, id);
    }
}

tm_status tmi_line_items_new(tmi_line_item **out, uint32_t num_ids, tm_patch *memory, tm_error *error)
{
    return tmi_patch_alloc(memory, out, num_ids, sizeof(**out), error);
}

tm_status tmi_merge_sequence(tmi_sequence *list, tm_patch *memory, tm_error *error)
{
    lining l = {.list = list, .items = list->items};
    uint32_t *chunk = NULL;
    list->num_out = 0;
    for (int side = 0; side < 2; side++)
        TM_TRY(tmi_patch_alloc(memory, &l.parts[side], list->num[side + 1], sizeof(uint32_t), error));
    TM_TRY(tmi_patch_alloc(memory, &chunk, list->num[TM_MERGE_THEIRS], sizeof(uint32_t), error));
    see_items(&l);
    find_posts(&l);
    choose_places(&l);
    put_all(&l, chunk);
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        for (uint32_t i = 0; i < list->num[version]; i++)
            l.items[list->ids[version][i]] = (line_item){0};
    return TM_OK;
}
