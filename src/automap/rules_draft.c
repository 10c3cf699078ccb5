/* SPDX-License-Identifier: Zlib */
/* The rules under construction while a file is read, and the findings of the readers. */
#include "rules_reader.h"

tm_status tmi_draft_add(void *out, tmi_draft *draft, tmi_list *list)
{
    if (list->size > draft->max_bytes - draft->bytes)
        return tmi_fail(draft->error, TM_ERROR_LIMIT, -1, "the rules take more than %llu bytes",
                        (unsigned long long)draft->max_bytes);
    TM_TRY(
        tmi_grow(draft->allocator, &list->items, &list->capacity, list->num + 1, list->size, draft->error));
    draft->bytes += list->size;
    void *added = (char *)list->items + list->num++ * list->size;
    memset(added, 0, list->size);
    memcpy(out, &added, sizeof(added));
    return TM_OK;
}

void *tmi_draft_last(const tmi_list *list)
{
    return list->num ? (char *)list->items + (list->num - 1) * list->size : NULL;
}

tm_status tmi_draft_add_text(size_t *out, tmi_draft *draft, const char *text, size_t size)
{
    tmi_list *list = &draft->texts;
    TM_TRY(tmi_grow(draft->allocator, &list->items, &list->capacity, list->num + size + 1, 1, draft->error));
    *out = list->num;
    memcpy((char *)list->items + list->num, text, size);
    list->num += size;
    ((char *)list->items)[list->num++] = '\0';
    return TM_OK;
}

tm_status tmi_draft_add_pass(tmi_draft *draft, uint32_t line)
{
    tmi_draft_pass *pass;
    TM_TRY(tmi_draft_add(&pass, draft, &draft->passes));
    pass->first_rule = draft->rules.num;
    pass->pass.line = line;
    ((tmi_draft_config *)tmi_draft_last(&draft->configs))->config.num_passes++;
    return TM_OK;
}

tm_status tmi_draft_add_config(tmi_draft *draft, const char *name, size_t size, tm_automap_kind kind,
                               uint32_t line)
{
    tmi_draft_config *config;
    TM_TRY(tmi_draft_add(&config, draft, &draft->configs));
    config->config.kind = kind;
    config->config.line = line;
    config->config.base_tile = TM_NONE;
    config->first_pass = draft->passes.num;
    TM_TRY(tmi_draft_add_text(&config->name, draft, name, size));
    return tmi_draft_add_pass(draft, line);
}

tm_status tmi_draft_add_rule(tm_automap_rule **out, tmi_draft *draft)
{
    tmi_draft_rule *rule;
    TM_TRY(tmi_draft_add(&rule, draft, &draft->rules));
    rule->first_condition = draft->conditions.num;
    rule->first_modulo = draft->modulos.num;
    rule->rule.chance = 1;
    ((tmi_draft_pass *)tmi_draft_last(&draft->passes))->pass.num_rules++;
    *out = &rule->rule;
    return TM_OK;
}

tm_status tmi_draft_add_condition(tm_automap_condition **out, tmi_draft *draft)
{
    tmi_draft_condition *condition;
    TM_TRY(tmi_draft_add(&condition, draft, &draft->conditions));
    condition->first_entry = draft->entries.num;
    ((tmi_draft_rule *)tmi_draft_last(&draft->rules))->rule.num_conditions++;
    *out = &condition->condition;
    return TM_OK;
}

tm_status tmi_draft_add_entry(tmi_draft *draft, int32_t index, int32_t flags)
{
    tm_automap_entry *entry;
    TM_TRY(tmi_draft_add(&entry, draft, &draft->entries));
    *entry = (tm_automap_entry){index, flags};
    ((tmi_draft_condition *)tmi_draft_last(&draft->conditions))->condition.num_entries++;
    return TM_OK;
}

void tmi_automap_find(tm_findings *findings, tm_finding_id id, tmi_spot_of at, const char *format, ...)
{
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    va_list list;
    if (!findings)
        return;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_format(address, sizeof(address), "%u:%u", (unsigned)at.line, (unsigned)at.column);
    tmi_format(place, sizeof(place), "line %u, column %u", (unsigned)at.line, (unsigned)at.column);
    tm_findings_add(findings, TM_MODE_GAME, id, at.offset, at.line ? address : NULL, at.line ? place : NULL,
                    text);
}
