/* SPDX-License-Identifier: Zlib */
/*
 * Finds the objects of a patch in a map: at their old position, if the object there has the name and the kind
 * that the patch knows, else the nearest object with these. Objects without a change are only needed to find
 * positions between them.
 */
#include "apply.h"

/* Whether object `number` of this map exists in `group` (TM_NONE: any), fits the label and is not paired. */
static bool may_take(const tmi_apply *at, tmi_list list, const tmi_label *label, int64_t number,
                     int32_t group)
{
    const tmi_side *here = &at->here->match.side[TMI_BEFORE];
    if (number < 0 || number >= here->num[list] || at->place[list].other[TMI_AFTER][number] != TM_NONE)
        return false;
    const tmi_label *own = &here->labels[list][number];
    return (group == TM_NONE || own->group == (uint32_t)group) &&
           (!label->name || (label->kind == own->kind && strcmp(label->name, own->name) == 0));
}

enum { FAR = 10000 }; /* objects that are looked at on either side */

/* Pairs object `before` of the patch with the nearest to number `around` here that may_take accepts. */
static void take_nearest(tmi_apply *at, tmi_list list, uint32_t before, int64_t around, int32_t group)
{
    const tmi_label *label = &at->patch->match.side[TMI_BEFORE].labels[list][before];
    int64_t i = 0;
    while (i < 2 * FAR - 1 && !may_take(at, list, label, around - tmi_outward(i), group))
        i++;
    if (i < 2 * FAR - 1)
        tmi_pair(&at->place[list], before, (uint32_t)(around - tmi_outward(i)));
}

/* Whether a list, or a group of layers, has as many objects here as the patch knows. */
static bool has_as_many(const tmi_apply *at, tmi_list list, uint32_t before, int32_t here)
{
    const tmi_side *side = &at->patch->match.side[TMI_BEFORE], *own = &at->here->match.side[TMI_BEFORE];
    if (list != TMI_LAYERS)
        return side->num[list] == own->num[list];
    return here != TM_NONE && own->first_layer[here + 1] - own->first_layer[here] ==
                                  side->first_layer[before + 1] - side->first_layer[before];
}

/*
 * Finds the objects of one list here. First those that the patch changes: at their old index (of layers in
 * their group), then by name, in their group and anywhere. Last, if there are as many objects here as the
 * patch knows, the others at their old index.
 */
static void find_in_list(tmi_apply *at, tmi_list list)
{
    const tmi_side *side = &at->patch->match.side[TMI_BEFORE], *here = &at->here->match.side[TMI_BEFORE];
    const bool layers = list == TMI_LAYERS;
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < side->num[list]; i++) {
            const tmi_label *label = &side->labels[list][i];
            const int32_t group = layers ? at->place[TMI_GROUPS].other[TMI_BEFORE][label->group] : TM_NONE;
            int64_t old_place = layers ? TM_NONE : (int64_t)i;
            if (group != TM_NONE)
                old_place = (int64_t)here->first_layer[group] + tmi_layer_index(side, i);
            if (at->place[list].other[TMI_BEFORE][i] != TM_NONE)
                continue;
            if ((round == 0 ? label->used : round == 3 && has_as_many(at, list, label->group, group)) &&
                may_take(at, list, label, old_place, group))
                tmi_pair(&at->place[list], i, (uint32_t)old_place);
            if (round == 1 && group != TM_NONE && label->used && label->name)
                take_nearest(at, list, i, old_place, group);
            if (round == 2 && label->used && label->name && *label->name)
                take_nearest(at, list, i, i, TM_NONE);
        }
    }
}

tm_status tmi_apply_find(tmi_apply *at)
{
    TM_TRY(tmi_side_of_map(&at->here->match.side[TMI_BEFORE], at->map, &at->here->match.arena, at->error));
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_pairs_new(&at->place[list], at->patch->match.side[TMI_BEFORE].num[list],
                             at->here->match.side[TMI_BEFORE].num[list], &at->here->match.arena, at->error));
    for (int list = 0; list < TMI_LISTS; list++)
        find_in_list(at, (tmi_list)list);
    return TM_OK;
}
