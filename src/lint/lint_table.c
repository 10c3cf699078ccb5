/* SPDX-License-Identifier: Zlib */
/* The table of rules: the rows of all families in the order of their numbers. */
#include "lint.h"

static const tmi_lint_family *const families[] = {
    &tmi_lint_race,    &tmi_lint_teleporters, &tmi_lint_switches,  &tmi_lint_zones,
    &tmi_lint_tiles,   &tmi_lint_undrawn,     &tmi_lint_objects,   &tmi_lint_mods,
    &tmi_lint_design,  &tmi_lint_of_quads,    &tmi_lint_settings,  &tmi_lint_types,
    &tmi_lint_automap, &tmi_lint_ways,        &tmi_lint_of_loader, &tmi_lint_custom_rules};

uint32_t tmi_lint_num_rows(void)
{
    uint32_t num = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(families); i++)
        num += families[i]->num;
    return num;
}

const tmi_lint_row *tmi_lint_row_at(uint32_t rule)
{
    for (size_t i = 0; i < TMI_COUNT_OF(families); i++) {
        if (rule < families[i]->num)
            return &families[i]->rows[rule];
        rule -= families[i]->num;
    }
    return NULL;
}

const tm_lint_rule *tm_lint_rule_at(uint32_t n)
{
    const tmi_lint_row *row = tmi_lint_row_at(n);
    return row ? &row->rule : NULL;
}

const tm_lint_rule *tmi_lint_rule_of(tm_finding_id id)
{
    const tm_lint_rule *rule;
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++)
        if (rule->id == id)
            return rule;
    return NULL;
}

uint32_t tmi_lint_match(const char *pattern, uint32_t from)
{
    const tm_lint_rule *rule;
    for (; pattern && (rule = tm_lint_rule_at(from)); from++)
        if (tm_lint_rule_fits(rule, pattern))
            return from;
    return UINT32_MAX;
}
