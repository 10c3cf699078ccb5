/* SPDX-License-Identifier: Zlib */
/*
 * The order of all objects after a patch: what is removed or moved is taken out of the map's lists, then what
 * is added or moved is put in again, each behind what stands before it on the side AFTER. So a list in which
 * nothing else has changed comes out exactly as it was there, and any other one as near to it as it can.
 */
#include "apply.h"

/* An object in one of the new lists: one of the map's, or the one that a change adds. */
typedef struct node {
    uint32_t next; /* NO_NODE: the last one */
    int32_t here;  /* number in this map, TM_NONE: added */
    int32_t after; /* number AFTER of an added one */
} node;

static const uint32_t NO_NODE = UINT32_MAX;

typedef struct ordering {
    tmi_apply *at;
    tmi_list list;
    node *nodes; /* first those of the map by number, then the added ones, then a head a list */
    uint32_t num_here, num_nodes;
    uint32_t *heads; /* of each list: groups afterwards, in the order of the map, then added ones */
    uint32_t num_heads;
    const tmi_delta **adds; /* by number AFTER: the change that adds or moves it, if it fits */
    bool *leaves;           /* by number here: it is taken out */
} ordering;

static tm_status fail_order(tmi_apply *at, uint64_t num)
{
    return tmi_fail_memory(at->error, num * sizeof(node), "the order of objects");
}

/* ------------------------------------------------------------------------------------------------ a list */

static void take_moves(ordering *o)
{
    const tm_patch *patch = o->at->patch;
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_OBJECT || delta->list != o->list || !o->at->fits[i].fits)
            continue;
        if (delta->number[TMI_AFTER] != TMI_NOWHERE)
            o->adds[delta->number[TMI_AFTER]] = delta;
        if (delta->number[TMI_BEFORE] != TMI_NOWHERE)
            o->leaves[o->at->place[o->list].other[TMI_BEFORE][delta->number[TMI_BEFORE]]] = true;
    }
}

static uint32_t add_node(ordering *o, int32_t here, int32_t after)
{
    o->nodes[o->num_nodes] = (node){NO_NODE, here, after};
    return o->num_nodes++;
}

static void put_behind(ordering *o, uint32_t before, uint32_t what)
{
    o->nodes[what].next = o->nodes[before].next;
    o->nodes[before].next = what;
}

static tm_status start_order(ordering *o, tmi_apply *at, tmi_list list, uint32_t num_heads)
{
    const uint32_t num_after = at->patch->match.side[TMI_AFTER].num[list];
    const uint64_t room = (uint64_t)at->here->match.side[TMI_BEFORE].num[list] + num_after + num_heads;
    memset(o, 0, sizeof(*o));
    o->at = at;
    o->list = list;
    o->num_here = at->here->match.side[TMI_BEFORE].num[list];
    o->num_heads = num_heads;
    if (room > UINT32_MAX - 1)
        return fail_order(at, room);
    TM_TRY(tmi_patch_alloc(at->here, &o->nodes, (size_t)room, sizeof(*o->nodes), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &o->adds, num_after, sizeof(*o->adds), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &o->leaves, o->num_here, sizeof(*o->leaves), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &o->heads, num_heads, sizeof(*o->heads), at->error));
    for (uint32_t i = 0; i < o->num_here; i++)
        add_node(o, (int32_t)i, TM_NONE);
    for (uint32_t i = 0; i < num_heads; i++)
        o->heads[i] = add_node(o, TM_NONE, TM_NONE);
    take_moves(o);
    return TM_OK;
}

/* Links what stays of the map's objects first to end - 1 behind a head. */
static void link_rest(ordering *o, uint32_t head, uint32_t first, uint32_t end)
{
    uint32_t last = head;
    for (uint32_t i = first; i < end; i++) {
        if (o->leaves[i])
            continue;
        put_behind(o, last, i);
        last = i;
    }
}

/*
 * Puts in what is added and moved, objects first to end - 1 AFTER, behind a head. What stays is a neighbour
 * to stand behind only as long as it is in the order AFTER.
 */
static void put_in(ordering *o, uint32_t head, uint32_t first, uint32_t end,
                   bool (*is_in)(const ordering *o, int32_t here, uint32_t head))
{
    uint32_t last = head;
    int32_t highest = TM_NONE;
    for (uint32_t i = first; i < end; i++) {
        const int32_t before = o->at->patch->match.pairs[o->list].other[TMI_AFTER][i];
        const int32_t here = before == TM_NONE ? TM_NONE : o->at->place[o->list].other[TMI_BEFORE][before];
        if (o->adds[i]) {
            const uint32_t what = here == TM_NONE ? add_node(o, TM_NONE, (int32_t)i) : (uint32_t)here;
            put_behind(o, last, what);
            last = what;
        } else if (here != TM_NONE && !o->leaves[here] && here > highest &&
                   (!is_in || is_in(o, here, head))) {
            highest = here;
            last = (uint32_t)here;
        }
    }
}

/* ----------------------------------------------------------------------------------- lists without layers */

static tm_status keep_final(tmi_apply *at, tmi_list list)
{
    const uint32_t here = at->here->match.side[TMI_BEFORE].num[list];
    const uint32_t after = at->patch->match.side[TMI_AFTER].num[list];
    TM_TRY(tmi_patch_alloc(at->here, &at->final[list], here, sizeof(int32_t), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &at->final_added[list], after, sizeof(int32_t), at->error));
    for (uint32_t i = 0; i < here; i++)
        at->final[list][i] = TM_NONE;
    for (uint32_t i = 0; i < after; i++)
        at->final_added[list][i] = TM_NONE;
    return TM_OK;
}

/* Numbers the objects behind a head from *num on, and says where each comes from. */
static void number_list(ordering *o, uint32_t head, int32_t *from, uint32_t *num)
{
    tmi_apply *at = o->at;
    for (uint32_t n = o->nodes[head].next; n != NO_NODE; n = o->nodes[n].next, (*num)++) {
        const node *own = &o->nodes[n];
        from[*num] = own->here;
        if (own->here != TM_NONE)
            at->final[o->list][own->here] = (int32_t)*num;
        else
            at->final_added[o->list][own->after] = (int32_t)*num;
    }
}

static tm_status order_list(tmi_apply *at, tmi_list list, tmi_arrangement *to)
{
    ordering o;
    int32_t *from;
    TM_TRY(start_order(&o, at, list, 1));
    link_rest(&o, o.heads[0], 0, o.num_here);
    put_in(&o, o.heads[0], 0, at->patch->match.side[TMI_AFTER].num[list], NULL);
    TM_TRY(keep_final(at, list));
    TM_TRY(tmi_patch_alloc(at->here, &from, o.num_nodes, sizeof(*from), at->error));
    number_list(&o, o.heads[0], from, &at->num_final[list]);
    to->from[list] = from;
    to->num[list] = at->num_final[list];
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- layers */

static bool is_in_group(const ordering *o, int32_t here, uint32_t head)
{
    const uint32_t group = o->at->here->match.side[TMI_BEFORE].labels[TMI_LAYERS][here].group;
    const int32_t final = o->at->final[TMI_GROUPS][group];
    return final != TM_NONE && o->heads[final] == head;
}

static tm_status order_layers(tmi_apply *at, tmi_arrangement *to)
{
    const tmi_side *here = &at->here->match.side[TMI_BEFORE], *after = &at->patch->match.side[TMI_AFTER];
    const uint32_t num_groups = at->num_final[TMI_GROUPS];
    ordering o;
    uint32_t *counts, num = 0;
    int32_t *from;
    TM_TRY(start_order(&o, at, TMI_LAYERS, num_groups));
    for (uint32_t g = 0; g < here->num[TMI_GROUPS]; g++)
        if (at->final[TMI_GROUPS][g] != TM_NONE)
            link_rest(&o, o.heads[at->final[TMI_GROUPS][g]], here->first_layer[g], here->first_layer[g + 1]);
    for (uint32_t g = 0; g < after->num[TMI_GROUPS]; g++) {
        const int32_t final = tmi_here_after(at, TM_OBJECT_GROUP, g);
        if (final != TM_NONE)
            put_in(&o, o.heads[final], after->first_layer[g], after->first_layer[g + 1], is_in_group);
    }
    TM_TRY(keep_final(at, TMI_LAYERS));
    TM_TRY(tmi_patch_alloc(at->here, &from, o.num_nodes, sizeof(*from), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &counts, num_groups, sizeof(*counts), at->error));
    TM_TRY(tmi_patch_alloc(at->here, &at->final_first, (size_t)num_groups + 1, sizeof(uint32_t), at->error));
    for (uint32_t g = 0; g < num_groups; g++) {
        at->final_first[g] = num;
        number_list(&o, o.heads[g], from, &num);
        counts[g] = num - at->final_first[g];
    }
    at->final_first[num_groups] = num;
    at->num_final[TMI_LAYERS] = num;
    to->layers = from;
    to->num_layers = counts;
    return TM_OK;
}

/* Nothing moves: most patches leave all objects where they are. */
static bool all_stay(const tmi_apply *at)
{
    for (size_t i = 0; i < at->patch->num; i++)
        if (at->patch->deltas[i].type == TMI_DELTA_OBJECT && at->fits[i].fits)
            return false;
    return true;
}

tm_status tmi_apply_order(tmi_apply *at)
{
    tmi_arrangement to = {{NULL}, {0}, NULL, NULL};
    for (int list = 0; list < TMI_LAYERS; list++)
        TM_TRY(order_list(at, (tmi_list)list, &to));
    TM_TRY(order_layers(at, &to));
    return all_stay(at) ? TM_OK : tmi_map_assemble(at->map, &to, at->error);
}
