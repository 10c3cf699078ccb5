/* SPDX-License-Identifier: Zlib */
/*
 * Finds rules that their authors may not have meant, from the tiles that a rule allows at each place that its
 * conditions look at. Reports only what is certain.
 */
#include "automap.h"

/* The tiles that a rule allows at one place, by all its conditions there. */
typedef struct view_of {
    int32_t x, y;
    tmi_index_set set;
    uint32_t first_line; /* of the first condition there */
} view_of;

typedef struct review {
    const tm_automap_rules *rules;
    const tm_automap_config *config;
    const tm_automap_pass *pass;
    tm_findings *findings;
    tm_error *error;
    bool ddnet;
    int64_t steps; /* that may still be taken to find rules that are overwritten */
    /* of all rules of a pass */
    view_of *views;
    size_t num_views, view_capacity;
    struct rule_views {
        size_t first;
        uint32_t num;
        bool never;
    } * of_rules;
} review;

#define FIND_AT(r, id, at_line, at_column, ...)                                                     \
    tmi_automap_report((r)->findings, TM_FINDING_##id, ((tmi_spot_of){(at_line), (at_column), -1}), \
                       __VA_ARGS__)

/* ------------------------------------------------------------------------------------------------- views */

/* Limits: the places of a rule; the rules of a pass, and the configurations that are compared by name. */
enum { MAX_PLACES = 256, MAX_SEARCHED = 2000 };

/* So many steps take a second or two; the rules that are left then are not searched. */
enum { MAX_STEPS = 1000000000, STEPS_OF_A_PLACE = 64 };

static bool is_within(const tmi_index_set *set, const tmi_index_set *other)
{
    unsigned more = set->outside & ~(unsigned)other->outside;
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        more |= set->fits[i] & ~(unsigned)other->fits[i];
    return more == 0;
}

static view_of *find_place_view(const review *r, const struct rule_views *views, int32_t x, int32_t y)
{
    for (size_t i = views->first; i < views->first + views->num; i++)
        if (r->views[i].x == x && r->views[i].y == y)
            return &r->views[i];
    return NULL;
}

static tm_status add_view(view_of **out, review *r, struct rule_views *views, const tm_automap_rule *rule,
                          int32_t x, int32_t y)
{
    TM_TRY(tmi_grow(r->rules->allocator, &r->views, &r->view_capacity, r->num_views + 1, sizeof(*r->views),
                    r->error));
    view_of *view = &r->views[r->num_views++];
    views->num++;
    const bool own = x == 0 && y == 0; /* the rule's tile: never outside, and limited by marks */
    *view = (view_of){.x = x, .y = y, .set.outside = !own};
    memset(view->set.fits, 0xff, sizeof(view->set.fits));
    if (own && r->ddnet && rule->skip_empty)
        view->set.fits[0] = 0;
    if (own && r->ddnet && rule->skip_full)
        memset(view->set.fits + 1, 0, TM_TILE_INDICES - 1);
    *out = view;
    return TM_OK;
}

static tm_status add_condition(review *r, struct rule_views *views, const tm_automap_rule *rule,
                               const tm_automap_condition *condition)
{
    static const tmi_index_set empty;
    tmi_index_set set;
    view_of *view = find_place_view(r, views, condition->x, condition->y);
    if (!view)
        TM_TRY(add_view(&view, r, views, rule, condition->x, condition->y));
    tmi_set_of_condition(&set, condition);
    /* What a rule asks of its own place first also makes the marks that the place begins with. */
    const bool idle = !condition->added && is_within(&view->set, &set) &&
                      !(condition->x == 0 && condition->y == 0 && (condition->of_words || !view->first_line));
    if (idle && view->first_line)
        FIND_AT(r, RULE_CONDITION_IDLE, condition->line, condition->column,
                "line %u says as much of this place", (unsigned)view->first_line);
    else if (idle && condition->num_entries && condition->negated)
        FIND_AT(r, RULE_CONDITION_IDLE, condition->line, condition->column,
                "the condition always holds where the rule is asked");
    const bool was_empty = memcmp(&view->set, &empty, sizeof(empty)) == 0;
    for (unsigned i = 0; i < TM_TILE_INDICES; i++)
        view->set.fits[i] &= set.fits[i];
    view->set.outside &= set.outside;
    if (!was_empty && memcmp(&view->set, &empty, sizeof(empty)) == 0) {
        views->never = true;
        if (view->first_line && !condition->added)
            FIND_AT(r, RULE_NEVER_HOLDS, rule->line, rule->column,
                    "the conditions of lines %u and %u contradict: the rule never holds",
                    (unsigned)view->first_line, (unsigned)condition->line);
        else
            FIND_AT(r, RULE_NEVER_HOLDS, rule->line, rule->column,
                    "no tile fits the condition of line %u%s: the rule never holds",
                    (unsigned)(view->first_line ? view->first_line : condition->line),
                    condition->x == 0 && condition->y == 0 ? " at the tile itself" : "");
    }
    if (!view->first_line && !condition->added)
        view->first_line = condition->line;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- overwritten */

/* Whether a later rule holds wherever this one does. */
static bool holds_wherever(review *r, uint32_t later, uint32_t earlier)
{
    const tm_automap_rule *a = &r->pass->rules[earlier], *b = &r->pass->rules[later];
    const struct rule_views *earlier_views = &r->of_rules[earlier], *later_views = &r->of_rules[later];
    const bool live = !r->ddnet || r->pass->no_layer_copy;
    if (b->num_modulos || (r->ddnet ? b->chance < 1 : b->one_in > 1))
        return false;
    tmi_index_set full = {.outside = 1};
    memset(full.fits, 0xff, sizeof(full.fits));
    for (size_t i = later_views->first; i < later_views->first + later_views->num; i++) {
        const view_of *view = &r->views[i];
        r->steps -= STEPS_OF_A_PLACE + (int64_t)earlier_views->num;
        const view_of *earlier_view = live ? NULL : find_place_view(r, earlier_views, view->x, view->y);
        /* In a live run the tile is the one that the earlier rule wrote; of other tiles nothing is known. */
        const bool own = live && !view->x && !view->y;
        if (own ? !(view->set.fits[(uint8_t)a->index] >> tmi_flag_code(a->flags) & 1)
                : !is_within(earlier_view ? &earlier_view->set : &full, &view->set))
            return false;
    }
    return true;
}

/* The next rule that overwrites what a rule writes; the number of rules: none is certain to. */
static uint32_t find_overwriter(review *r, uint32_t rule)
{
    const tm_automap_rule *written = &r->pass->rules[rule];
    const uint32_t num = r->pass->num_rules;
    const bool live = !r->ddnet || r->pass->no_layer_copy;
    for (uint32_t k = rule + 1; k < num; k++) {
        if (r->of_rules[k].num < MAX_PLACES && holds_wherever(r, k, rule))
            return k;
        /* The later rule may hold on the tile that was just written. Its own place is its first view. */
        const tmi_index_set *set = &r->views[r->of_rules[k].first].set;
        if (live && !r->of_rules[k].never &&
            set->fits[(uint8_t)written->index] >> tmi_flag_code(written->flags) & 1)
            return num;
    }
    return num;
}

static void find_overwritten(review *r)
{
    const uint32_t num = r->pass->num_rules;
    const bool old = r->rules->dialect == TM_AUTOMAP_DDNET_16;
    for (uint32_t i = 0; i < num && num <= MAX_SEARCHED && !old && r->steps > 0; i++) {
        const tm_automap_rule *rule = &r->pass->rules[i];
        if (r->of_rules[i].never || r->of_rules[i].num >= MAX_PLACES)
            continue;
        const uint32_t k = find_overwriter(r, i);
        if (k < num)
            FIND_AT(r, RULE_OVERWRITTEN, rule->line, rule->column,
                    "wherever the rule holds, that of line %u does too, and overwrites it",
                    (unsigned)r->pass->rules[k].line);
    }
}

/* --------------------------------------------------------------------------------------------- the whole */

static tm_status review_pass(review *r, uint32_t number)
{
    const uint32_t num = r->pass->num_rules;
    bool idle = true;
    r->num_views = 0;
    TM_TRY(tmi_reserve_zeroed(&r->of_rules, r->rules->allocator, num, sizeof(*r->of_rules), "a run of rules",
                              r->error));
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < num && status == TM_OK; i++) {
        const tm_automap_rule *rule = &r->pass->rules[i];
        struct rule_views *views = &r->of_rules[i];
        view_of *view;
        views->first = r->num_views;
        status = add_view(&view, r, views, rule, 0, 0);
        for (uint32_t k = 0; k < rule->num_conditions && views->num < MAX_PLACES && status == TM_OK; k++)
            status = add_condition(r, views, rule, &rule->conditions[k]);
        if (r->ddnet && !(rule->chance > 0))
            views->never = true; /* reported when it was read */
        idle = idle && views->never;
    }
    if (status == TM_OK)
        find_overwritten(r);
    /* A first run exists without a NewRun, and is empty in all files of rules++. */
    if (status == TM_OK && idle && (num || number || r->config->num_passes == 1))
        FIND_AT(r, RULE_RUN_IDLE, r->pass->line, 1,
                num ? "no rule of the run ever holds" : "the run has no rules");
    tmi_free(r->rules->allocator, r->of_rules, num, sizeof(*r->of_rules));
    return status;
}

bool tmi_automap_has_chance(const tm_automap_config *config)
{
    for (uint32_t p = 0; p < config->num_passes; p++)
        for (uint32_t r = 0; r < config->passes[p].num_rules; r++)
            if (config->passes[p].rules[r].has_random)
                return true;
    return false;
}

bool tmi_automap_makes(const tm_automap_config *config, uint32_t index)
{
    if (!config || index >= TM_TILE_INDICES)
        return false;
    if (config->base_tile == (int32_t)index && config->passes[0].num_rules)
        return true;
    for (uint32_t i = 0; i < config->num_passes; i++) {
        for (uint32_t k = 0; k < config->passes[i].num_rules; k++) {
            const tm_automap_rule *rule = &config->passes[i].rules[k];
            if (config->kind == TM_AUTOMAP_DOODADS
                    ? rule->index <= (int32_t)index && (int32_t)index <= rule->end_index
                    : (uint8_t)rule->index == index)
                return true;
        }
    }
    return false;
}

/* Reports the indices that no rule makes, between those that rules make: "3, 5 to 9". */
static void find_not_made(review *r)
{
    bool made[TM_TILE_INDICES];
    tmi_line line = {.length = 0};
    uint32_t last = 0;
    for (uint32_t i = 0; i < TM_TILE_INDICES; i++) {
        made[i] = tmi_automap_makes(r->config, i);
        last = made[i] ? i : last;
    }
    for (uint32_t i = 1; i < last; i++) {
        uint32_t end = i;
        if (made[i])
            continue;
        while (!made[end + 1])
            end++;
        tmi_line_add(&line, end > i ? "%s%u to %u" : "%s%u", line.length ? ", " : "", (unsigned)i,
                     (unsigned)end);
        i = end;
    }
    if (line.length)
        FIND_AT(r, RULE_TILE_NOT_MADE, r->config->line, 1, "no rule of '%.40s' makes %.150s", r->config->name,
                line.text);
}

tm_status tm_automap_review(const tm_automap_rules *rules, tm_findings *findings, tm_error *error)
{
    review r = {.rules = rules, .findings = findings, .error = error, .steps = MAX_STEPS};
    tm_status status = TM_OK;
    TM_TRY(tmi_need(rules, "rules", error));
    r.ddnet = rules->dialect != TM_AUTOMAP_TEEWORLDS07;
    for (uint32_t i = 0; i < rules->num_configs && status == TM_OK; i++) {
        r.config = &rules->configs[i];
        for (uint32_t k = 0; k < i && k < MAX_SEARCHED; k++) {
            const tm_automap_config *other = &rules->configs[k];
            if (strcmp(other->name, r.config->name) != 0)
                continue;
            FIND_AT(&r, RULE_NAME_TWICE, r.config->line, 1, "'%.60s' is also the name of line %u",
                    other->name, (unsigned)other->line);
            break;
        }
        find_not_made(&r);
        for (uint32_t k = 0; k < r.config->num_passes && status == TM_OK; k++) {
            r.pass = &r.config->passes[k];
            if (r.config->kind != TM_AUTOMAP_DOODADS)
                status = review_pass(&r, k);
        }
    }
    tmi_free(rules->allocator, r.views, r.view_capacity, sizeof(*r.views));
    return status;
}
