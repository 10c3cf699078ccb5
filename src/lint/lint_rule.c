/* SPDX-License-Identifier: Zlib */
/* One rule: its name, its severity, and which patterns fit it. lint_table.c has all rules. */
#include "lint_config.h"

const tmi_lint_custom *tmi_lint_custom_of(const tm_lint_rule *rule)
{
    return (const tmi_lint_custom *)((const char *)rule - offsetof(tmi_lint_custom, row.rule));
}

tm_severity tm_lint_rule_severity(const tm_lint_rule *rule)
{
    return !rule             ? (tm_severity)0
           : rule->custom_id ? tmi_lint_custom_of(rule)->severity
                             : tmi_finding_severity(rule->id, TM_MODE_GAME, NULL);
}

const char *tm_lint_rule_name(const tm_lint_rule *rule)
{
    return !rule ? NULL : rule->custom_id ? rule->custom_id : tm_finding_name(rule->id);
}

bool tm_lint_rule_fits(const tm_lint_rule *rule, const char *pattern)
{
    return rule && pattern && tmi_text_fits(pattern, tm_lint_rule_name(rule));
}
