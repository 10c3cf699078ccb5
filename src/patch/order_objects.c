/* SPDX-License-Identifier: Zlib */
/*
 * Orders all objects after a patch. Objects that are removed or moved are taken out of the lists of the map,
 * then added and moved ones are inserted behind the object that is before them on the side AFTER. If nothing
 * else has changed in a list, its order becomes that of AFTER.
 */
#include "apply.h"

static const uint32_t NO_NODE = UINT32_MAX;

/*
 * New lists as chains of nodes: first the objects of the map by number, then those AFTER by number, of which
 * only added ones are used, then a head for each list.
 */
typedef struct ordering {
    tmi_apply *at;
    tmi_list list;
    uint32_t num_here, first_head;
    uint32_t *next; /* by node; NO_NODE: the last one */
    bool *adds;     /* by number AFTER: a change that fits adds or moves it */
    bool *leaves;   /* by number here: it is taken out */
} ordering;

/* ------------------------------------------------------------------------------------------------ a list */

static tm_status start_order(ordering *o, tmi_apply *at, tmi_list list, uint32_t num_heads)
{
    const uint32_t num_after = at->patch->match.side[TMI_AFTER].num[list];
    *o = (ordering){.at = at, .list = list, .num_here = at->here->match.side[TMI_BEFORE].num[list]};
    o->first_head = o->num_here + num_after;
    const uint64_t room = (uint64_t)o->num_here + num_after + num_heads;
    if (room > UINT32_MAX - 1)
        return tmi_fail_memory(at->error, room * sizeof(*o->next), "the order of objects");
    TM_TRY(tmi_patch_alloc(at->here, &o->next, (size_t)room, sizeof(*o->next), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &o->adds, num_after, sizeof(*o->adds), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &o->leaves, o->num_here, sizeof(*o->leaves), at->error));
    memset(o->next, 0xff, (size_t)room * sizeof(*o->next)); /* NO_NODE */
    for (size_t i = 0; i < at->patch->num; i++) {
        const tmi_delta *delta = &at->patch->deltas[i];
        if (delta->type != TMI_DELTA_OBJECT || delta->list != list || !at->fits[i].fits)
            continue;
        if (delta->number[TMI_AFTER] != TMI_NOWHERE)
            o->adds[delta->number[TMI_AFTER]] = true;
        if (delta->number[TMI_BEFORE] != TMI_NOWHERE)
            o->leaves[at->place[list].other[TMI_BEFORE][delta->number[TMI_BEFORE]]] = true;
    }
    return TM_OK;
}

/* Links behind a head those of the map's objects first to end - 1 that stay in the list. */
static void link_rest(ordering *o, uint32_t head, uint32_t first, uint32_t end)
{
    uint32_t last = head;
    for (uint32_t i = first; i < end; i++)
        if (!o->leaves[i])
            last = o->next[last] = i;
}

/* The head of the list in which object `here` of the map will be: the only list, or that of its group. */
static uint32_t head_of_object(const ordering *o, int32_t here)
{
    if (o->list != TMI_LAYERS)
        return o->first_head;
    const uint32_t group = o->at->here->match.side[TMI_BEFORE].labels[TMI_LAYERS][here].group;
    return o->first_head + (uint32_t)o->at->final[TMI_GROUPS][group];
}

/*
 * Inserts behind a head those of the objects first to end - 1 of AFTER that are added or moved: each follows
 * its predecessor in AFTER, unless that predecessor stays in another list or out of order.
 */
static void put_in(ordering *o, uint32_t head, uint32_t first, uint32_t end)
{
    uint32_t last = head;
    int32_t highest = TM_NONE;
    for (uint32_t i = first; i < end; i++) {
        const int32_t before = o->at->patch->match.pairs[o->list].other[TMI_AFTER][i];
        const int32_t here = before == TM_NONE ? TM_NONE : o->at->place[o->list].other[TMI_BEFORE][before];
        if (o->adds[i]) {
            const uint32_t node = here == TM_NONE ? o->num_here + i : (uint32_t)here;
            o->next[node] = o->next[last];
            last = o->next[last] = node;
        } else if (here != TM_NONE && !o->leaves[here] && here > highest && head_of_object(o, here) == head) {
            highest = here;
            last = (uint32_t)here;
        }
    }
}

/* Numbers the objects behind a head from *num on. from[n]: object n's number here; TM_NONE: it is new. */
static void number_list(ordering *o, uint32_t head, int32_t *from, uint32_t *num)
{
    tmi_apply *at = o->at;
    for (uint32_t node = o->next[head]; node != NO_NODE; node = o->next[node], (*num)++) {
        const bool here = node < o->num_here;
        from[*num] = here ? (int32_t)node : TM_NONE;
        *(here ? &at->final[o->list][node] : &at->final_added[o->list][node - o->num_here]) = (int32_t)*num;
    }
}

/* ---------------------------------------------------------------------------------------------- all lists */

/* Puts the objects of a list where they belong: all into one, or layers into those of their groups. */
static void link_list(ordering *o)
{
    const tmi_apply *at = o->at;
    const tmi_side *here = &at->here->match.side[TMI_BEFORE], *after = &at->patch->match.side[TMI_AFTER];
    if (o->list != TMI_LAYERS) {
        link_rest(o, o->first_head, 0, o->num_here);
        put_in(o, o->first_head, 0, after->num[o->list]);
        return;
    }
    for (uint32_t g = 0; g < here->num[TMI_GROUPS]; g++)
        if (at->final[TMI_GROUPS][g] != TM_NONE)
            link_rest(o, o->first_head + (uint32_t)at->final[TMI_GROUPS][g], here->first_layer[g],
                      here->first_layer[g + 1]);
    for (uint32_t g = 0; g < after->num[TMI_GROUPS]; g++) {
        const int32_t final = tmi_here_after(at, TM_OBJECT_GROUP, g);
        if (final != TM_NONE)
            put_in(o, o->first_head + (uint32_t) final, after->first_layer[g], after->first_layer[g + 1]);
    }
}

static tm_status order_list(tmi_apply *at, tmi_list list, tmi_arrangement *to)
{
    const bool layers = list == TMI_LAYERS;
    const uint32_t num_heads = layers ? at->num_final[TMI_GROUPS] : 1;
    ordering o;
    uint32_t *first, *counts, num = 0;
    int32_t *from;
    TM_TRY(start_order(&o, at, list, num_heads));
    const uint32_t num_here = o.num_here, num_after = o.first_head - num_here;
    TM_TRY(tmi_patch_alloc(at->here, &at->final[list], num_here, sizeof(int32_t), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &at->final_added[list], num_after, sizeof(int32_t), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &from, o.first_head, sizeof(*from), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &counts, num_heads, sizeof(*counts), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &first, (size_t)num_heads + 1, sizeof(*first), at->error));
    memset(at->final[list], 0xff, num_here * sizeof(int32_t)); /* TM_NONE */
    memset(at->final_added[list], 0xff, num_after * sizeof(int32_t));
    link_list(&o);
    for (uint32_t i = 0; i < num_heads; i++) {
        number_list(&o, o.first_head + i, from, &num);
        first[i + 1] = num;
        counts[i] = num - first[i];
    }
    at->num_final[list] = num;
    if (layers) {
        at->final_first = first;
        to->layers = from;
        to->num_layers = counts;
    } else {
        to->from[list] = from;
        to->num[list] = num;
    }
    return TM_OK;
}

tm_status tmi_apply_order(tmi_apply *at)
{
    tmi_arrangement to = {{NULL}, {0}, NULL, NULL};
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(order_list(at, (tmi_list)list, &to));
    return tmi_map_assemble(at->map, &to, at->error);
}
