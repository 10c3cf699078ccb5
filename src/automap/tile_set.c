/* SPDX-License-Identifier: Zlib */
/* Sets of states that a condition may see: a tile's index and three flags, or the outside of the layer. */
#include "automap.h"

void tmi_set_of_condition(tmi_tile_set *out, const tm_automap_condition *condition)
{
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; i < condition->num_entries; i++) {
        const tm_automap_entry *entry = &condition->entries[i];
        const bool any = entry->flags == TM_AUTOMAP_ANY_FLAGS;
        const unsigned flags = any ? 0xff : 1U << tmi_flag_code((unsigned)entry->flags);
        if (entry->index == -1)
            out->outside |= any || entry->flags == 0;
        else if (entry->index >= 0 && entry->index < TM_TILE_INDICES)
            out->fits[entry->index] = (uint8_t)(out->fits[entry->index] | flags);
    }
    if (!condition->negated)
        return;
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        out->fits[i] = (uint8_t)~out->fits[i];
    out->outside = !out->outside;
}

void tmi_set_all(tmi_tile_set *out)
{
    memset(out->fits, 0xff, sizeof(out->fits));
    out->outside = 1;
}

void tmi_set_cut(tmi_tile_set *set, const tmi_tile_set *by)
{
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        set->fits[i] &= by->fits[i];
    set->outside &= by->outside;
}

bool tmi_set_empty(const tmi_tile_set *set)
{
    static const tmi_tile_set none;
    return memcmp(set, &none, sizeof(none)) == 0;
}

bool tmi_set_within(const tmi_tile_set *set, const tmi_tile_set *other)
{
    unsigned more = set->outside & ~(unsigned)other->outside;
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        more |= set->fits[i] & ~(unsigned)other->fits[i];
    return more == 0;
}
