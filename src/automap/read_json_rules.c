/* SPDX-License-Identifier: Zlib */
/*
 * Reads the rules of Teeworlds 0.7, JSON with tile sets or doodads, as its editor does, and adds findings for
 * what the editor ignores. Members may have any order; of two with one name the first counts.
 */
#include "automap.h"

/* ----------------------------------------------------------------------------------------------- members */

#define REPORT(draft, id, node, ...)                                                                        \
    tmi_automap_report((draft)->findings, TM_FINDING_##id, (tmi_spot_of){(node)->line, (node)->column, -1}, \
                       __VA_ARGS__)

#define REPORT_KEY(draft, id, node, ...)                   \
    tmi_automap_report((draft)->findings, TM_FINDING_##id, \
                       (tmi_spot_of){(node)->name_line, (node)->name_column, -1}, __VA_ARGS__)

/* The first member with a name; NULL: none. Others of that name are reported. */
static const tm_json *find_member(tmi_draft *draft, const tm_json *node, const char *key)
{
    const tm_json *found = NULL;
    for (const tm_json *member = node && node->kind == TM_JSON_OBJECT ? node->first : NULL; member;
         member = member->next) {
        if (strcmp(member->name, key) != 0)
            continue;
        if (found)
            REPORT_KEY(draft, RULE_MEMBER_TWICE, member, "'%s' was there before, and the first one counts",
                       key);
        else
            found = member;
    }
    return found;
}

static void report_unknown_members(tmi_draft *draft, const tm_json *node, const char *const *known)
{
    for (const tm_json *member = node->kind == TM_JSON_OBJECT ? node->first : NULL; member;
         member = member->next) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], member->name) != 0)
            i++;
        if (!known[i] && strcmp(member->name, "comment") != 0) /* which Teeworlds' own files have */
            REPORT_KEY(draft, RULE_MEMBER_UNKNOWN, member, "'%.60s' is not known here and is ignored",
                       member->name);
    }
}

/* Takes an integer by its lower 32 bits, clamped to `least` to `most`; `standard` for any other value. */
static int32_t take_whole(tmi_draft *draft, const tm_json *object, const char *key, int32_t least,
                          int32_t most, int32_t standard)
{
    const tm_json *node = find_member(draft, object, key);
    if (!node)
        return standard;
    const bool cut = !node->whole || node->number < INT32_MIN || node->number > INT32_MAX;
    bool is_whole = node->kind == TM_JSON_NUMBER;
    uint64_t value = (uint64_t)node->number;
    if (is_whole && !node->whole) { /* more than 64 bits, or no integer */
        const char *digits = node->text + (*node->text == '-');
        for (value = 0; *digits >= '0' && *digits <= '9'; digits++)
            value = value * 10 + (uint64_t)(*digits - '0');
        is_whole = !*digits;
        value = *node->text == '-' ? 0 - value : value;
    }
    if (!is_whole) {
        REPORT(draft, RULE_MEMBER_TYPE, node, "'%s' is not an integer and counts as %d", key, (int)standard);
        return standard;
    }
    const int32_t number = (int32_t)(uint32_t)value, taken = (int32_t)tmi_clamp(number, least, most);
    if (taken != number || cut)
        REPORT(draft, RULE_MEMBER_RANGE, node, "'%s' must be %d to %d, and counts as %d", key, (int)least,
               (int)most, (int)taken);
    return taken;
}

/* Take any integer, the index of a tile, and a flag. */
static int32_t take_any_whole(tmi_draft *draft, const tm_json *node, const char *key)
{
    return take_whole(draft, node, key, INT32_MIN, INT32_MAX, 0);
}

static int32_t take_tile_index(tmi_draft *draft, const tm_json *node, const char *key)
{
    return take_whole(draft, node, key, 0, TM_TILE_INDICES - 1, 1);
}

static bool take_zero_or_one(tmi_draft *draft, const tm_json *node, const char *key)
{
    return take_whole(draft, node, key, 0, 1, 0);
}

/* Finds a member that must be a list; NULL: there is none. */
static const tm_json *find_list(tmi_draft *draft, const tm_json *object, const char *key)
{
    const tm_json *node = find_member(draft, object, key);
    if (!node || node->kind == TM_JSON_ARRAY)
        return node;
    REPORT(draft, RULE_MEMBER_TYPE, node, "'%s' is not a list and counts as none", key);
    return NULL;
}

/* --------------------------------------------------------------------------------------------- tile sets */

static tm_status take_json_condition(tmi_draft *draft, const tm_json *node)
{
    enum { EMPTY = -2, FULL = -1 }; /* what is asked for, or the index of a tile */
    static const char *const known[] = {"x", "y", "value", NULL};
    tm_automap_condition *condition;
    int32_t asked = EMPTY;
    if (node->kind != TM_JSON_OBJECT)
        REPORT(draft, RULE_MEMBER_TYPE, node, "a condition is not an object and counts as an empty one");
    report_unknown_members(draft, node, known);
    const int32_t x = take_any_whole(draft, node, "x"), y = take_any_whole(draft, node, "y");
    TM_TRY(tmi_draft_add_condition(&condition, draft, x, y));
    condition->line = node->line;
    condition->column = node->column;
    const tm_json *value = find_member(draft, node, "value");
    if (!value || value->kind != TM_JSON_TEXT)
        asked = take_whole(draft, node, "value", EMPTY, TM_TILE_INDICES - 1, EMPTY);
    else if (strcmp(value->text, "full") == 0)
        asked = FULL;
    else if (strcmp(value->text, "empty") != 0)
        REPORT(draft, RULE_MEMBER_RANGE, value, "'%.40s' is none of empty and full, and counts as empty",
               value->text);
    condition->negated = asked == FULL;
    condition->of_words = asked < 0;
    return tmi_draft_add_entry(draft, asked < 0 ? 0 : asked, TM_AUTOMAP_ANY_FLAGS);
}

static tm_status take_tile_rule(tmi_draft *draft, const tm_json *node)
{
    static const char *const known[] = {"index", "random", "rotate", "hflip", "vflip", "condition", NULL};
    tm_automap_rule *rule;
    TM_TRY(tmi_draft_add_rule(&rule, draft));
    report_unknown_members(draft, node, known);
    rule->line = node->line;
    rule->column = node->column;
    rule->index = rule->end_index = take_tile_index(draft, node, "index");
    rule->one_in = take_whole(draft, node, "random", 0, 99999, 0);
    rule->has_random = rule->one_in > 1;
    const int32_t rotate = take_any_whole(draft, node, "rotate");
    rule->flags = rotate == 90    ? TM_TILE_ROTATE
                  : rotate == 180 ? TM_TILE_FLIP_X | TM_TILE_FLIP_Y
                  : rotate == 270 ? TM_TILE_ROTATE | TM_TILE_FLIP_X | TM_TILE_FLIP_Y
                                  : 0;
    const bool turned = rule->flags & TM_TILE_ROTATE;
    if (rotate != 0 && !rule->flags)
        REPORT(draft, RULE_MEMBER_RANGE, find_member(draft, node, "rotate"),
               "'rotate' is none of 0, 90, 180, 270");
    if (take_zero_or_one(draft, node, "hflip"))
        rule->flags ^= turned ? TM_TILE_FLIP_Y : TM_TILE_FLIP_X;
    if (take_zero_or_one(draft, node, "vflip"))
        rule->flags ^= turned ? TM_TILE_FLIP_X : TM_TILE_FLIP_Y;
    const tm_json *conditions = find_list(draft, node, "condition");
    for (const tm_json *member = conditions ? conditions->first : NULL; member; member = member->next)
        TM_TRY(take_json_condition(draft, member));
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- doodads */

static tm_status take_doodad_rule(tmi_draft *draft, const tm_json *node)
{
    static const char *const known[] = {"startid", "endid", "rx",       "ry", "random",
                                        "hflip",   "vflip", "location", NULL};
    tm_automap_rule *rule;
    report_unknown_members(draft, node, known);
    const int32_t start = take_tile_index(draft, node, "startid"),
                  end = take_tile_index(draft, node, "endid");
    if (start > end) {
        REPORT(draft, RULE_DROPPED, node, "'startid' %d is above 'endid' %d: the rule is ignored", (int)start,
               (int)end);
        return TM_OK;
    }
    TM_TRY(tmi_draft_add_rule(&rule, draft));
    rule->line = node->line;
    rule->column = node->column;
    rule->index = start;
    rule->end_index = end;
    rule->offset_x = take_any_whole(draft, node, "rx");
    rule->offset_y = take_any_whole(draft, node, "ry");
    rule->one_in = take_whole(draft, node, "random", 1, 99999, 1);
    rule->has_random = rule->one_in > 1;
    rule->flip_x = take_zero_or_one(draft, node, "hflip");
    rule->flip_y = take_zero_or_one(draft, node, "vflip");
    const tm_json *location = find_member(draft, node, "location");
    const char *condition = location && location->kind == TM_JSON_TEXT ? location->text : "";
    if (strcmp(condition, "ceiling") == 0)
        rule->location = TM_AUTOMAP_CEILING;
    else if (strcmp(condition, "walls") == 0)
        rule->location = TM_AUTOMAP_WALLS;
    else if (location && strcmp(condition, "floor") != 0)
        REPORT(draft, RULE_MEMBER_RANGE, location,
               "'location' is none of floor, ceiling, walls, and counts as floor");
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- sets */

typedef struct set_kind {
    const char *key;
    tm_automap_kind kind;
    tm_status (*take_rule)(tmi_draft *draft, const tm_json *node);
} set_kind;

static const set_kind set_kinds[] = {
    {"tileset", TM_AUTOMAP_TILESET, take_tile_rule},
    {"doodads", TM_AUTOMAP_DOODADS, take_doodad_rule},
};

enum { MAX_RULES = 256 }; /* of a set */

static tm_status take_set(tmi_draft *draft, const tm_json *element, const set_kind *kind)
{
    static const char *const known[] = {"basetile", "rules", NULL};
    const tm_json *set = element->kind == TM_JSON_OBJECT ? element->first : NULL;
    if (!set || set->next) {
        REPORT(draft, RULE_SET_SKIPPED, element,
               "not an object with exactly one member, so not a rule set: ignored");
        return TM_OK;
    }
    const bool tiles = kind->kind == TM_AUTOMAP_TILESET;
    const size_t size = strlen(set->name);
    uint32_t num = 0;
    TM_TRY(tmi_draft_add_config(draft, set->name, size < TMI_WORD_SIZE ? size : TMI_WORD_SIZE, kind->kind,
                                set->line));
    if (size > TMI_WORD_SIZE)
        REPORT(draft, RULE_NAME_CUT, set, "the name is longer than %d bytes and is cut there", TMI_WORD_SIZE);
    report_unknown_members(draft, set, tiles ? known : known + 1); /* doodads have no base tile */
    if (tiles)
        ((tm_automap_config *)tmi_draft_last(&draft->lists->configs))->base_tile =
            take_tile_index(draft, set, "basetile");
    const tm_json *rules = find_list(draft, set, "rules");
    for (const tm_json *node = rules ? rules->first : NULL; node; node = node->next) {
        if (num++ == MAX_RULES) {
            REPORT(draft, RULE_DROPPED, node, "a set has at most %d rules: those from here on are ignored",
                   MAX_RULES);
            break;
        }
        if (node->kind != TM_JSON_OBJECT)
            REPORT(draft, RULE_MEMBER_TYPE, node, "a rule is not an object and counts as an empty one");
        TM_TRY(kind->take_rule(draft, node));
    }
    return TM_OK;
}

static tm_status take_sets(tmi_draft *draft, const tm_json *root)
{
    static const char *const known[] = {"tileset", "doodads", NULL};
    report_unknown_members(draft, root, known);
    for (size_t i = 0; i < TMI_COUNT_OF(set_kinds); i++) {
        const tm_json *sets = find_list(draft, root, set_kinds[i].key);
        if (!sets)
            continue;
        for (const tm_json *node = sets->first; node; node = node->next)
            TM_TRY(take_set(draft, node, &set_kinds[i]));
        break;
    }
    if (!draft->lists->configs.num)
        REPORT(draft, RULES_EMPTY, root, "the file has no set of rules in 'tileset' or 'doodads'");
    return TM_OK;
}

bool tmi_looks_like_json(const char *bytes, size_t size)
{
    size_t i = tmi_utf8_mark(bytes, size);
    while (i < size && (tmi_is_blank(bytes[i]) || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    return i < size && bytes[i] == '{';
}

enum { MAX_TEXT = 1024 * 1024 }; /* bytes of a name */

static void report_forgiven(void *ctx, const char *subject, uint32_t line, uint32_t column)
{
    const tmi_draft *draft = ctx;
    tmi_automap_report(draft->findings, TM_FINDING_RULES_LOOSE_JSON, (tmi_spot_of){line, column, -1},
                       "other programs refuse it: %s", subject);
}

static tm_status fail_json(const tmi_draft *draft, const tmi_json *json, tm_status status, const char *bytes,
                           size_t size)
{
    uint32_t line, column;
    const char *fault = tmi_json_fault(json, &line, &column);
    if (status == TM_ERROR_LIMIT)
        return tmi_fail(draft->error, status, -1, "the rules take more than %llu bytes",
                        (unsigned long long)draft->max_bytes);
    if (status != TM_ERROR_DAMAGED || tmi_json_status(json))
        return status;
    if (!tmi_looks_like_json(bytes, size) && tmi_looks_like_rules(bytes, size))
        return tmi_fail(draft->error, status, -1,
                        "it is not JSON, but looks like rules of DDNet, whose files are named NAME.rules");
    return tmi_fail(draft->error, status, -1, "line %u, column %u: %s", (unsigned)line, (unsigned)column,
                    fault ? fault : "the text ends too early");
}

tm_status tmi_read_json_rules(tmi_draft *draft, const char *bytes, size_t size)
{
    const tm_input input = tm_input_from_memory(bytes, size);
    uint64_t room = draft->max_bytes - draft->bytes;
    tmi_arena arena;
    tmi_json *json;
    tm_json *root;
    TM_TRY(tmi_json_new(&json, &input, MAX_TEXT, draft->rules->allocator, draft->error));
    tmi_json_forgive(json, report_forgiven, draft);
    tmi_arena_init(&arena, draft->rules->allocator);
    tm_status status = tmi_json_all(&root, json, &room, &arena, draft->error);
    draft->bytes = draft->max_bytes - room;
    if (status == TM_OK)
        status = take_sets(draft, root);
    else
        status = fail_json(draft, json, status, bytes, size);
    tmi_arena_release(&arena);
    tmi_json_free(json);
    return status;
}
