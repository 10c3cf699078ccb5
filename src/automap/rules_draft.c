/* SPDX-License-Identifier: Zlib */
/* The rules under construction while a file is read, and the findings of the readers. */
#include "rules_reader.h"

tm_status tmi_draft_add(void *out, tmi_draft *draft, tmi_list *list)
{
    if (list->size > draft->max_bytes - draft->bytes)
        return tmi_fail(draft->error, TM_ERROR_LIMIT, -1, "the rules take more than %llu bytes",
                        (unsigned long long)draft->max_bytes);
    TM_TRY(tmi_grow(draft->rules->allocator, &list->items, &list->capacity, list->num + 1, list->size,
                    draft->error));
    draft->bytes += list->size;
    void *added = (char *)list->items + list->num++ * list->size;
    memset(added, 0, list->size);
    memcpy(out, &added, sizeof(added));
    return TM_OK;
}

tm_status tmi_draft_add_pass(tmi_draft *draft, uint32_t line)
{
    tm_automap_pass *pass;
    TM_TRY(tmi_draft_add(&pass, draft, &draft->lists->passes));
    pass->line = line;
    ((tm_automap_config *)tmi_draft_last(&draft->lists->configs))->num_passes++;
    return TM_OK;
}

tm_status tmi_draft_add_config(tmi_draft *draft, const char *name, size_t size, tm_automap_kind kind,
                               uint32_t line)
{
    tm_automap_config *config;
    TM_TRY(tmi_draft_add(&config, draft, &draft->lists->configs));
    config->kind = kind;
    config->line = line;
    config->base_tile = TM_NONE;
    TM_TRY(tmi_arena_text(&config->name, &draft->rules->texts, name, size, "a name", draft->error));
    return tmi_draft_add_pass(draft, line);
}

tm_status tmi_draft_add_rule(tm_automap_rule **out, tmi_draft *draft)
{
    TM_TRY(tmi_draft_end_rule(draft));
    TM_TRY(tmi_draft_add(out, draft, &draft->lists->rules));
    (*out)->chance = 1;
    draft->first_condition = draft->lists->conditions.num;
    draft->first_entry = draft->lists->entries.num;
    ((tm_automap_pass *)tmi_draft_last(&draft->lists->passes))->num_rules++;
    return TM_OK;
}

tm_status tmi_draft_add_condition(tm_automap_condition **out, tmi_draft *draft, int32_t x, int32_t y)
{
    tm_automap_config *config = tmi_draft_last(&draft->lists->configs);
    TM_TRY(tmi_draft_add(out, draft, &draft->lists->conditions));
    (*out)->x = x;
    (*out)->y = y;
    ((tm_automap_rule *)tmi_draft_last(&draft->lists->rules))->num_conditions++;
    config->start_x = x < config->start_x ? x : config->start_x;
    config->start_y = y < config->start_y ? y : config->start_y;
    config->end_x = x > config->end_x ? x : config->end_x;
    config->end_y = y > config->end_y ? y : config->end_y;
    return TM_OK;
}

tm_status tmi_draft_add_entry(tmi_draft *draft, int32_t index, int32_t flags)
{
    tm_automap_entry *entry;
    TM_TRY(tmi_draft_add(&entry, draft, &draft->lists->entries));
    *entry = (tm_automap_entry){index, flags};
    tm_automap_condition *condition = tmi_draft_last(&draft->lists->conditions);
    condition->entries = entry - condition->num_entries++; /* until the list moves */
    return TM_OK;
}

/* Section 3.6 of the format: marks and the automatic condition follow from what a rule asks of its tile. */
tm_status tmi_draft_end_rule(tmi_draft *draft)
{
    const bool old = draft->rules->dialect == TM_AUTOMAP_DDNET_16;
    const tm_automap_condition *conditions = draft->lists->conditions.items;
    const tm_automap_entry *entries = draft->lists->entries.items;
    tm_automap_rule *rule = tmi_draft_last(&draft->lists->rules);
    tm_automap_condition *added;
    bool any = false, has_index = false; /* conditions of any kind, and any that is not negated ... */
    bool lists_0 = false;                /* ... the first of which lists tile 0 */
    if (!rule || draft->rules->dialect == TM_AUTOMAP_TEEWORLDS07)
        return TM_OK;
    for (size_t i = draft->first_condition, entry = draft->first_entry; i < draft->lists->conditions.num;
         entry += conditions[i++].num_entries) {
        const tm_automap_condition *condition = &conditions[i];
        const bool first = !condition->negated && !has_index;
        if (condition->x != 0 || condition->y != 0)
            continue;
        any = true;
        has_index = has_index || !condition->negated;
        for (uint32_t k = 0; k < condition->num_entries; k++) {
            const int32_t index = entries[entry + k].index;
            lists_0 = lists_0 || (first && index == 0);
            if (!condition->negated && index == 0)
                rule->skip_full = true;
            else if (old || (condition->negated ? index == 0 : index > 0))
                rule->skip_empty = true;
        }
    }
    const bool add = !rule->no_default_rule && !(old ? any : lists_0);
    if (add) {
        rule->skip_empty = true;
        rule->skip_full = false;
    }
    if (rule->skip_empty && rule->skip_full)
        rule->skip_empty = rule->skip_full = false;
    if (!add)
        return TM_OK;
    TM_TRY(tmi_draft_add_condition(&added, draft, 0, 0));
    added->negated = added->of_words = added->added = true;
    added->line = rule->line;
    added->column = rule->column;
    return tmi_draft_add_entry(draft, 0, TM_AUTOMAP_ANY_FLAGS);
}

void tmi_automap_report(tm_findings *findings, tm_finding_id id, tmi_spot_of spot, const char *format, ...)
{
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    va_list list;
    if (!findings)
        return;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_format(address, sizeof(address), "%u:%u", (unsigned)spot.line, (unsigned)spot.column);
    tmi_format(place, sizeof(place), "line %u, column %u", (unsigned)spot.line, (unsigned)spot.column);
    tm_findings_add(findings, TM_MODE_GAME, id, spot.offset, spot.line ? address : NULL,
                    spot.line ? place : NULL, text);
}
