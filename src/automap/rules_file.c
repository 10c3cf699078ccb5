/* SPDX-License-Identifier: Zlib */
/*
 * A file of rules: its life, the drafts that the readers fill, and what one asks of it.
 */
#include "automap.h"

/* ------------------------------------------------------------------------------------------------- names */

static const char *const dialect_names[TM_AUTOMAP_DIALECTS] = {"ddnet", "ddnet16", "teeworlds07"};
static const char *const kind_names[] = {"rules", "tileset", "doodads"};
static const char *const reference_names[TM_AUTOMAP_REFERENCES] = {
    "none",     "game",        "hookable",      "death",       "unhookable",    "freeze",
    "unfreeze", "deep-freeze", "deep-unfreeze", "live-freeze", "live-unfreeze",
};

static const char *name_of_number(const char *const *names, size_t num, unsigned index)
{
    return index < num ? names[index] : NULL;
}

/* False, and 0, for an unknown name. */
static bool number_of_name(unsigned *out, const char *const *names, size_t num, const char *name)
{
    *out = 0;
    for (unsigned i = 0; i < num && name; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *out = i;
        return true;
    }
    return false;
}

const char *tm_automap_dialect_name(tm_automap_dialect dialect)
{
    return name_of_number(dialect_names, TMI_COUNT_OF(dialect_names), (unsigned)dialect);
}

tm_automap_dialect tm_automap_dialect_of_file(const char *name)
{
    static const char end[] = ".json";
    const size_t size = name ? strlen(name) : 0;
    if (size < sizeof(end) - 1)
        return TM_AUTOMAP_DDNET;
    for (size_t i = 0; i < sizeof(end) - 1; i++)
        if ((name[size - (sizeof(end) - 1) + i] | 0x20) != (end[i] | 0x20))
            return TM_AUTOMAP_DDNET;
    return TM_AUTOMAP_TEEWORLDS07;
}

const char *tmi_automap_reference_name(tm_automap_reference reference)
{
    return name_of_number(reference_names, TMI_COUNT_OF(reference_names), (unsigned)reference);
}

bool tmi_automap_reference_from_name(tm_automap_reference *out, const char *name)
{
    unsigned found;
    const bool known = number_of_name(&found, reference_names, TM_AUTOMAP_REFERENCES, name);
    if (out)
        *out = (tm_automap_reference)found;
    return known && out;
}

const char *tm_automap_kind_name(tm_automap_kind kind)
{
    return name_of_number(kind_names, TMI_COUNT_OF(kind_names), (unsigned)kind);
}

/* ------------------------------------------------------------------------------------------------ drafts */

static void draft_init(tmi_draft *draft, const tm_allocator *allocator)
{
    *draft = (tmi_draft){.allocator = allocator};
    draft->configs.size = sizeof(tmi_draft_config);
    draft->passes.size = sizeof(tmi_draft_pass);
    draft->rules.size = sizeof(tmi_draft_rule);
    draft->conditions.size = sizeof(tmi_draft_condition);
    draft->entries.size = sizeof(tm_automap_entry);
    draft->modulos.size = sizeof(tm_automap_modulo);
    draft->texts.size = 1;
}

static void draft_release(tmi_draft *draft)
{
    tmi_list *const lists[] = {&draft->configs, &draft->passes,  &draft->rules, &draft->conditions,
                               &draft->entries, &draft->modulos, &draft->texts};
    for (size_t i = 0; i < TMI_COUNT_OF(lists); i++)
        tmi_free(draft->allocator, lists[i]->items, lists[i]->capacity, lists[i]->size);
}

/* ------------------------------------------------------------------------------- the automatic condition */

/* Section 3.6 of the format: what a rule asks of its own tile. */
typedef struct own_tile {
    bool any;       /* a condition of any kind at 0,0 */
    bool has_index; /* the first one that is not negated ... */
    bool lists_0;   /* ... lists tile 0 */
} own_tile;

static void mark_condition(own_tile *own, tm_automap_rule *rule, const tm_automap_condition *condition,
                           const tm_automap_entry *entries, bool old)
{
    const bool first = !condition->negated && !own->has_index;
    own->any = true;
    own->has_index = own->has_index || !condition->negated;
    for (uint32_t i = 0; i < condition->num_entries; i++) {
        const int32_t index = entries[i].index;
        if (first && index == 0)
            own->lists_0 = true;
        if (!condition->negated && index == 0)
            rule->skip_full = true;
        else if (old || (condition->negated ? index == 0 : index > 0))
            rule->skip_empty = true;
    }
}

/* Sets the marks of a rule; whether the automatic condition is to be added. */
static bool mark_rule(const tmi_draft *draft, tmi_draft_rule *of)
{
    const bool old = draft->dialect == TM_AUTOMAP_DDNET_16;
    const tmi_draft_condition *conditions = draft->conditions.items;
    const tm_automap_entry *entries = draft->entries.items;
    tm_automap_rule *rule = &of->rule;
    own_tile own = {false, false, false};
    for (uint32_t i = 0; i < rule->num_conditions; i++) {
        const tmi_draft_condition *at = &conditions[of->first_condition + i];
        if (at->condition.x == 0 && at->condition.y == 0)
            mark_condition(&own, rule, &at->condition, entries + at->first_entry, old);
    }
    const bool add = !rule->no_default_rule && !(old ? own.any : own.has_index && own.lists_0);
    if (add) {
        rule->skip_empty = true;
        rule->skip_full = false;
    }
    if (rule->skip_empty && rule->skip_full)
        rule->skip_empty = rule->skip_full = false;
    return add;
}

/* ---------------------------------------------------------------------------------------------- finishing */

static const tm_automap_entry entry_0[] = {{0, TM_AUTOMAP_ANY_FLAGS}};

/* Where finished objects go; the counts are those of the drafts. */
typedef struct finished {
    tm_automap_config *configs;
    tm_automap_pass *passes;
    tm_automap_rule *rules;
    tm_automap_condition *conditions; /* with one more for each rule that may be added */
    tm_automap_entry *entries;
    tm_automap_modulo *modulos;
    char *texts;
} finished;

static void *take_place(tmi_arena *arena, bool *ok, size_t num, size_t size)
{
    void *place = tmi_arena_alloc(arena, num ? num : 1, size);
    *ok = *ok && place;
    return place;
}

static bool make_places(finished *to, tmi_arena *arena, const tmi_draft *draft)
{
    bool ok = true;
    to->configs = take_place(arena, &ok, draft->configs.num, sizeof(*to->configs));
    to->passes = take_place(arena, &ok, draft->passes.num, sizeof(*to->passes));
    to->rules = take_place(arena, &ok, draft->rules.num, sizeof(*to->rules));
    to->conditions =
        take_place(arena, &ok, draft->conditions.num + draft->rules.num, sizeof(*to->conditions));
    to->entries = take_place(arena, &ok, draft->entries.num, sizeof(*to->entries));
    to->modulos = take_place(arena, &ok, draft->modulos.num, sizeof(*to->modulos));
    to->texts = take_place(arena, &ok, draft->texts.num, 1);
    return ok;
}

static void copy_items(void *to, const tmi_list *from)
{
    if (from->num)
        memcpy(to, from->items, from->num * from->size);
}

/* The conditions of a rule; returns the place behind them. */
static tm_automap_condition *finish_conditions(tm_automap_condition *to, const finished *all,
                                               const tmi_draft *draft, tmi_draft_rule *of, bool add)
{
    const tmi_draft_condition *from = draft->conditions.items;
    of->rule.conditions = to;
    for (uint32_t i = 0; i < of->rule.num_conditions; i++) {
        const tmi_draft_condition *at = &from[of->first_condition + i];
        *to = at->condition;
        to++->entries = all->entries + at->first_entry;
    }
    if (add) {
        *to++ = (tm_automap_condition){.negated = true,
                                       .of_words = true,
                                       .added = true,
                                       .entries = entry_0,
                                       .num_entries = 1,
                                       .line = of->rule.line,
                                       .column = of->rule.column};
        of->rule.num_conditions++;
    }
    return to;
}

static void finish_rules(const finished *to, const tmi_draft *draft)
{
    tmi_draft_rule *rules = draft->rules.items;
    tm_automap_condition *conditions = to->conditions;
    const bool marks = draft->dialect != TM_AUTOMAP_TEEWORLDS07;
    for (size_t i = 0; i < draft->rules.num; i++) {
        const bool add = marks && mark_rule(draft, &rules[i]);
        conditions = finish_conditions(conditions, to, draft, &rules[i], add);
        rules[i].rule.modulos = to->modulos + rules[i].first_modulo;
        if (rules[i].random_text)
            rules[i].rule.random_text = to->texts + rules[i].random_text - 1;
        to->rules[i] = rules[i].rule;
    }
}

static tm_status finish_rules_file(tm_automap_rules *rules, const tmi_draft *draft)
{
    finished to;
    const tmi_draft_config *configs = draft->configs.items;
    const tmi_draft_pass *passes = draft->passes.items;
    if (!make_places(&to, &rules->arena, draft))
        return tmi_fail_memory(draft->error, draft->bytes, "rules of an automapper");
    copy_items(to.entries, &draft->entries);
    copy_items(to.modulos, &draft->modulos);
    copy_items(to.texts, &draft->texts);
    finish_rules(&to, draft);
    for (size_t i = 0; i < draft->passes.num; i++) {
        to.passes[i] = passes[i].pass;
        to.passes[i].rules = to.rules + passes[i].first_rule;
    }
    for (size_t i = 0; i < draft->configs.num; i++) {
        to.configs[i] = configs[i].config;
        to.configs[i].passes = to.passes + configs[i].first_pass;
        to.configs[i].name = to.texts + configs[i].name;
    }
    rules->configs = to.configs;
    rules->num_configs = (uint32_t)draft->configs.num;
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- reading */

/* A file into a draft, which is to be released in any case. */
static tm_status read_draft(tmi_draft *draft, const void *bytes, size_t size,
                            const tm_automap_read_options *options, const tm_output *output, tm_error *error)
{
    tm_limits limits;
    draft->error = error;
    if (size)
        TM_TRY(tmi_need(bytes, "bytes", error));
    TM_TRY(tmi_limits_take(&limits, options->limits, error));
    if ((unsigned)options->dialect >= TM_AUTOMAP_DIALECTS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no dialect %u of rules",
                        (unsigned)options->dialect);
    if (size > limits.file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has more than %llu bytes",
                        (unsigned long long)limits.file_bytes);
    draft->dialect = options->dialect;
    draft->max_bytes = limits.item_bytes;
    if (draft->dialect != TM_AUTOMAP_TEEWORLDS07)
        return tmi_read_rules(draft, bytes, size, output);
    if (output)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "rules of Teeworlds 0.7 are JSON, not lines");
    return tmi_read_json_rules(draft, bytes, size);
}

static tm_status make_rules(tm_automap_rules **out, const tmi_draft *draft)
{
    tm_automap_rules *rules;
    TM_TRY(tmi_reserve_zeroed(&rules, draft->allocator, 1, sizeof(*rules), "rules of an automapper",
                              draft->error));
    rules->allocator = draft->allocator;
    rules->dialect = draft->dialect;
    tmi_arena_init(&rules->arena, draft->allocator);
    const tm_status status = finish_rules_file(rules, draft);
    if (status)
        tm_automap_free(rules);
    else
        *out = rules;
    return status;
}

tm_status tm_automap_read(tm_automap_rules **out, const void *bytes, size_t size,
                          const tm_automap_read_options *options, tm_findings *findings, tm_error *error)
{
    tm_automap_read_options own;
    tmi_draft draft;
    if (out)
        *out = NULL;
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_automap_read_options", error));
    draft_init(&draft, own.allocator);
    draft.findings = findings;
    tm_status status = read_draft(&draft, bytes, size, &own, NULL, error);
    if (status == TM_OK)
        status = make_rules(out, &draft);
    draft_release(&draft);
    return status;
}

tm_status tm_automap_format(const tm_output *output, const void *bytes, size_t size,
                            const tm_automap_read_options *options, tm_findings *findings, tm_error *error)
{
    tm_automap_read_options own;
    tmi_draft draft;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_automap_read_options", error));
    draft_init(&draft, own.allocator);
    draft.findings = findings;
    const tm_status status = read_draft(&draft, bytes, size, &own, output, error);
    draft_release(&draft);
    return status;
}

void tm_automap_free(tm_automap_rules *rules)
{
    if (!rules)
        return;
    tmi_arena_release(&rules->arena);
    tmi_free(rules->allocator, rules, 1, sizeof(*rules));
}

/* ------------------------------------------------------------------------------------------------ asking */

tm_automap_dialect tm_automap_rules_dialect(const tm_automap_rules *rules)
{
    return rules ? rules->dialect : TM_AUTOMAP_DDNET;
}

const tm_automap_config *tm_automap_configs(uint32_t *num, const tm_automap_rules *rules)
{
    if (num)
        *num = rules ? rules->num_configs : 0;
    return rules ? rules->configs : NULL;
}

static bool same_but_for_case(const char *a, const char *b)
{
    while (*a && tmi_fold_case(*a) == tmi_fold_case(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The number of a text that is nothing but one; TM_NONE for any other. */
static int32_t whole_number(const char *text)
{
    int32_t value = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || value > (INT32_MAX - 9) / 10)
            return TM_NONE;
        value = value * 10 + (*c - '0');
    }
    return *text ? value : TM_NONE;
}

static int32_t find_named(const tm_automap_rules *rules, const char *text, bool exact)
{
    for (uint32_t i = 0; i < rules->num_configs; i++) {
        const char *name = rules->configs[i].name;
        if (exact ? strcmp(name, text) == 0 : same_but_for_case(name, text))
            return (int32_t)i;
    }
    return TM_NONE;
}

const tm_automap_config *tm_automap_find_config(int32_t *number, const tm_automap_rules *rules,
                                                const char *text)
{
    int32_t found = TM_NONE;
    if (rules && text) {
        found = find_named(rules, text, true);
        if (found == TM_NONE)
            found = find_named(rules, text, false);
        if (found == TM_NONE)
            found = whole_number(text);
        if (found >= 0 && (uint32_t)found >= rules->num_configs)
            found = TM_NONE;
    }
    if (number)
        *number = found;
    return found == TM_NONE ? NULL : &rules->configs[found];
}

/* ---------------------------------------------------------------------------------------------- findings */

static const char *take_line_number(uint32_t *out, const char *text)
{
    uint64_t value = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && value <= UINT32_MAX; c++)
        value = value * 10 + (uint64_t)(*c - '0');
    *out = value > UINT32_MAX ? 0 : (uint32_t)value;
    return c == text ? NULL : c;
}

bool tm_automap_finding_line(uint32_t *line, uint32_t *column, const tm_finding *finding)
{
    uint32_t own_line = 0, own_column = 0;
    const char *at = finding ? take_line_number(&own_line, finding->address) : NULL;
    const bool found = at && *at == ':' && take_line_number(&own_column, at + 1);
    if (line)
        *line = found ? own_line : 0;
    if (column)
        *column = found ? own_column : 0;
    return found;
}
