/* SPDX-License-Identifier: Zlib */
/*
 * How a change that both sides made is resolved: by the last of the caller's rules whose words choose it.
 */
#include "merge_maps.h"

tm_resolution tmi_merge_wish(const tmi_merge *m, const tmi_delta *ours, const tmi_delta *theirs)
{
    for (uint32_t i = m->options.num_rules; i-- > 0;) {
        const tm_merge_rule *rule = &m->options.rules[i];
        if ((ours && tmi_words_choose(rule->words, m->patch[TMI_OURS], ours)) ||
            (theirs && tmi_words_choose(rule->words, m->patch[TMI_THEIRS], theirs)))
            return rule->take;
    }
    return TM_RESOLUTION_UNRESOLVED;
}

tm_resolution tmi_merge_take(const tmi_merge *m, const tmi_delta *ours, const tmi_delta *theirs)
{
    const tm_resolution take = tmi_merge_wish(m, ours, theirs);
    if (theirs)
        m->left_out[theirs - m->patch[TMI_THEIRS]->deltas] = take != TM_RESOLUTION_THEIRS;
    return take;
}

void tmi_merge_leave_out(tmi_merge *m, const tmi_delta *theirs)
{
    m->left_out[theirs - m->patch[TMI_THEIRS]->deltas] = true;
}
