/* SPDX-License-Identifier: Zlib */
/*
 * Rules of custom in code: a function of the caller checks the map; its reports become notes like those of
 * other rules.
 */
#include "lint_config.h"

struct tm_lint_report {
    tmi_lint *lint;
    uint32_t rule;
};

void tm_lint_report_add(tm_lint_report *report, const tm_address *address, const char *text,
                        const tm_region *places, uint32_t num_places)
{
    if (!report)
        return;
    tmi_lint *lint = report->lint;
    const tm_address at = address ? *address : (tm_address){TM_ADDRESS_MAP, 0, 0};
    tmi_lint_note *note = tmi_lint_note_add(lint, report->rule, at, "%s", text ? text : "");
    uint64_t count = 0;
    for (uint32_t i = 0; note && places && i < num_places; i++) {
        tmi_lint_note_rectangle(lint, note, &places[i]);
        count += places[i].num;
    }
    if (count)
        note->count = count;
}

static void judge_by_code(tmi_lint *lint, uint32_t rule)
{
    const tmi_lint_own *own = tmi_lint_own_of(&lint->rules[rule].row->about);
    tm_lint_report report = {lint, rule};
    const tm_status status = own->code(own->code_ctx, lint->map, &report, lint->error);
    if (status == TM_ERROR_DAMAGED && !lint->unread)
        lint->unread = 1;
    else if (status && status != TM_ERROR_DAMAGED)
        tmi_lint_fail(lint, status);
}

static tm_status copy_or_none(const char **out, const tmi_lint_reading *at, const char *text,
                              const char *none)
{
    *out = none;
    return text ? tmi_lint_config_copy(out, at, text) : TM_OK;
}

tm_status tm_lint_config_add_rule(tm_lint_config *config, const tm_lint_rule *rule, tm_severity severity,
                                  tm_lint_judge *judge, void *ctx, tm_error *error)
{
    TM_TRY(tmi_need(config, "config", error));
    TM_TRY(tmi_need(rule, "rule", error));
    TM_TRY(tmi_need(rule->own, "rule->own", error));
    TM_TRY(tmi_need((const void *)(uintptr_t)judge, "judge", error));
    if ((int)severity < 0 || severity > TM_SEVERITY_ERROR)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "severity %d is not from 0 to %d", (int)severity,
                        TM_SEVERITY_ERROR);
    const tmi_lint_reading at = {.config = config, .path = "", .error = error};
    tm_lint_rule words = {.id = TM_FINDING_OWN_RULE, .sets = TM_LINT_ALL};
    tmi_lint_own *own;
    TM_TRY(copy_or_none(&words.own, &at, rule->own, NULL));
    TM_TRY(copy_or_none(&words.title, &at, rule->title, words.own));
    TM_TRY(copy_or_none(&words.why, &at, rule->why, ""));
    TM_TRY(copy_or_none(&words.how, &at, rule->how, ""));
    TM_TRY(copy_or_none(&words.fix, &at, rule->fix, NULL));
    words.source = "";
    TM_TRY(tmi_lint_own_add(&own, &at, NULL, words.own));
    own->row.about = words;
    own->row.judge = judge_by_code;
    own->severity = severity ? severity : TM_SEVERITY_WARNING;
    own->code = judge;
    own->code_ctx = ctx;
    return TM_OK;
}
