/* SPDX-License-Identifier: Zlib */
/*
 * Reads the rules of Teeworlds 0.7: JSON with tile sets or doodads, as its editor takes it, and a finding
 * for all that it passes over. The text becomes a small tree first, since members count in any order and
 * the first of two with one name.
 */
#include "automap.h"

#include "text/text.h"

/* -------------------------------------------------------------------------------------------------- tree */

typedef struct json_node {
    tmi_json_token type;
    const char *key;  /* of a member; "" */
    const char *text; /* of a string */
    bool whole;       /* a number without a fraction: its lower 32 bits are `number` */
    bool cut;         /* it has more */
    int32_t number;
    struct json_node *first, *last, *next;
    struct json_node *parent;
    tmi_spot_of at, key_at;
} json_node;

typedef struct json_tree {
    tmi_draft *draft;
    tmi_arena arena;
    tmi_json *json;
    json_node *root, *open; /* the innermost list or object that is not closed */
    const char *key;
    tmi_spot_of key_at;
} json_tree;

static tmi_spot_of spot_of_token(const json_tree *tree)
{
    tmi_spot_of at = {0, 0, -1};
    tmi_json_fault(tree->json, &at.line, &at.column);
    return at;
}

static tm_status count_tree_bytes(json_tree *tree, size_t size)
{
    if (size > tree->draft->max_bytes - tree->draft->bytes)
        return tmi_fail(tree->draft->error, TM_ERROR_LIMIT, -1, "the rules take more than %llu bytes",
                        (unsigned long long)tree->draft->max_bytes);
    tree->draft->bytes += size;
    return TM_OK;
}

static tm_status keep_json_text(const char **out, json_tree *tree)
{
    const size_t size = tmi_json_size(tree->json) + 1;
    TM_TRY(count_tree_bytes(tree, size));
    char *text = tmi_arena_alloc(&tree->arena, size, 1);
    if (!text)
        return tmi_fail_memory(tree->draft->error, size, "a text of JSON");
    memcpy(text, tmi_json_text(tree->json), size);
    *out = text;
    return TM_OK;
}

/* A whole number by its lower 32 bits. */
static void take_json_number(json_node *node, const char *text)
{
    const bool minus = *text == '-';
    uint64_t value = 0;
    node->whole = true;
    for (const char *c = text + minus; *c; c++) {
        node->whole = node->whole && *c >= '0' && *c <= '9';
        node->cut = node->cut || value > (uint64_t)INT32_MAX + minus;
        value = value * 10 + (uint64_t)(*c - '0');
    }
    node->cut = node->cut || value > (uint64_t)INT32_MAX + minus;
    node->number = (int32_t)(uint32_t)(minus ? 0 - value : value);
}

static tm_status add_json_node(json_tree *tree, tmi_json_token token)
{
    TM_TRY(count_tree_bytes(tree, sizeof(json_node)));
    json_node *node = tmi_arena_alloc(&tree->arena, 1, sizeof(*node)), *parent = tree->open;
    if (!node)
        return tmi_fail_memory(tree->draft->error, sizeof(*node), "a value of JSON");
    *node = (json_node){.type = token, .key = "", .text = "", .parent = parent, .at = spot_of_token(tree)};
    if (parent && parent->type == TMI_JSON_OBJECT) {
        node->key = tree->key;
        node->key_at = tree->key_at;
    }
    if (!parent)
        tree->root = node;
    else if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    if (parent)
        parent->last = node;
    if (token == TMI_JSON_OBJECT || token == TMI_JSON_ARRAY)
        tree->open = node;
    if (token == TMI_JSON_NUMBER)
        take_json_number(node, tmi_json_text(tree->json));
    return token == TMI_JSON_STRING ? keep_json_text(&node->text, tree) : TM_OK;
}

static tm_status fail_json(const json_tree *tree)
{
    uint32_t line, column;
    const char *fault = tmi_json_fault(tree->json, &line, &column);
    if (tmi_json_status(tree->json))
        return tmi_json_status(tree->json);
    return tmi_fail(tree->draft->error, TM_ERROR_DAMAGED, -1, "line %u, column %u: %s", (unsigned)line,
                    (unsigned)column, fault ? fault : "the text ends too early");
}

static void tell_forgiven(const json_tree *tree)
{
    tmi_spot_of at = {0, 0, -1};
    const char *text = tmi_json_forgiven(tree->json, &at.line, &at.column);
    if (text)
        tmi_automap_find(tree->draft->findings, TM_FINDING_RULES_LOOSE_JSON, at,
                         "other programs refuse it: %s", text);
}

static tm_status build_tree(json_tree *tree)
{
    for (;;) {
        const tmi_json_token token = tmi_json_next(tree->json);
        tell_forgiven(tree);
        if (token == TMI_JSON_END)
            return TM_OK;
        if (token == TMI_JSON_FAULT)
            return fail_json(tree);
        if (token == TMI_JSON_OBJECT_END || token == TMI_JSON_ARRAY_END)
            tree->open = tree->open->parent;
        else if (token == TMI_JSON_KEY) {
            tree->key_at = spot_of_token(tree);
            TM_TRY(keep_json_text(&tree->key, tree));
        } else
            TM_TRY(add_json_node(tree, token));
    }
}

/* ----------------------------------------------------------------------------------------------- members */

#define TELL(tree, id, node, ...) \
    tmi_automap_find((tree)->draft->findings, TM_FINDING_##id, (node)->at, __VA_ARGS__)

#define TELL_KEY(tree, id, node, ...) \
    tmi_automap_find((tree)->draft->findings, TM_FINDING_##id, (node)->key_at, __VA_ARGS__)

/* The first member with a name; NULL: none. Others of that name are told. */
static const json_node *find_member(const json_tree *tree, const json_node *of, const char *key)
{
    const json_node *found = NULL;
    for (const json_node *at = of && of->type == TMI_JSON_OBJECT ? of->first : NULL; at; at = at->next) {
        if (strcmp(at->key, key) != 0)
            continue;
        if (found)
            TELL_KEY(tree, RULE_MEMBER_TWICE, at, "'%s' was there before, and the first one counts", key);
        else
            found = at;
    }
    return found;
}

static void tell_unknown_members(const json_tree *tree, const json_node *of, const char *const *known)
{
    for (const json_node *at = of->type == TMI_JSON_OBJECT ? of->first : NULL; at; at = at->next) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], at->key) != 0)
            i++;
        if (!known[i] && strcmp(at->key, "comment") != 0) /* which Teeworlds' own files have */
            TELL_KEY(tree, RULE_MEMBER_UNKNOWN, at, "'%.60s' is not known here and is ignored", at->key);
    }
}

typedef struct whole_member {
    const char *key;
    int32_t least, most, standard;
} whole_member;

static int32_t take_whole(const json_tree *tree, const json_node *of, const whole_member *how)
{
    const json_node *node = find_member(tree, of, how->key);
    if (!node)
        return how->standard;
    if (node->type != TMI_JSON_NUMBER || !node->whole) {
        TELL(tree, RULE_MEMBER_TYPE, node, "'%s' is no whole number and counts as %d", how->key,
             (int)how->standard);
        return how->standard;
    }
    const int32_t value = node->number < how->least  ? how->least
                          : node->number > how->most ? how->most
                                                     : node->number;
    if (value != node->number || node->cut)
        TELL(tree, RULE_MEMBER_RANGE, node, "'%s' must be %d to %d, and counts as %d", how->key,
             (int)how->least, (int)how->most, (int)value);
    return value;
}

static const whole_member whole_base = {"basetile", 0, 255, 1}, whole_index = {"index", 0, 255, 1},
                          whole_random = {"random", 0, 99999, 0}, whole_hflip = {"hflip", 0, 1, 0},
                          whole_vflip = {"vflip", 0, 1, 0}, whole_x = {"x", INT32_MIN, INT32_MAX, 0},
                          whole_y = {"y", INT32_MIN, INT32_MAX, 0}, whole_start = {"startid", 0, 255, 1},
                          whole_end = {"endid", 0, 255, 1}, whole_rx = {"rx", INT32_MIN, INT32_MAX, 0},
                          whole_ry = {"ry", INT32_MIN, INT32_MAX, 0}, whole_often = {"random", 1, 99999, 1},
                          whole_rotate = {"rotate", INT32_MIN, INT32_MAX, 0};

/* A member that has to be a list; NULL: none. */
static const json_node *find_list(const json_tree *tree, const json_node *of, const char *key)
{
    const json_node *node = find_member(tree, of, key);
    if (!node || node->type == TMI_JSON_ARRAY)
        return node;
    TELL(tree, RULE_MEMBER_TYPE, node, "'%s' is no list and counts as none", key);
    return NULL;
}

/* --------------------------------------------------------------------------------------------- tile sets */

static uint8_t turned_flags(const json_tree *tree, const json_node *of)
{
    const int32_t rotate = take_whole(tree, of, &whole_rotate);
    uint8_t flags = rotate == 90    ? TM_TILE_ROTATE
                    : rotate == 180 ? TM_TILE_FLIP_X | TM_TILE_FLIP_Y
                    : rotate == 270 ? TM_TILE_ROTATE | TM_TILE_FLIP_X | TM_TILE_FLIP_Y
                                    : 0;
    const bool turned = flags & TM_TILE_ROTATE;
    if (rotate != 0 && !flags)
        TELL(tree, RULE_MEMBER_RANGE, find_member(tree, of, "rotate"), "'rotate' is none of 0, 90, 180, 270");
    if (take_whole(tree, of, &whole_hflip))
        flags ^= turned ? TM_TILE_FLIP_Y : TM_TILE_FLIP_X;
    if (take_whole(tree, of, &whole_vflip))
        flags ^= turned ? TM_TILE_FLIP_X : TM_TILE_FLIP_Y;
    return flags;
}

/* What a condition asks for: -2 an empty tile, -1 one that is not, else this one. */
static int32_t take_asked(const json_tree *tree, const json_node *of)
{
    enum { EMPTY = -2, FULL = -1 };
    static const whole_member whole_value = {"value", EMPTY, 255, EMPTY};
    const json_node *node = find_member(tree, of, "value");
    if (!node || node->type != TMI_JSON_STRING)
        return take_whole(tree, of, &whole_value);
    if (strcmp(node->text, "full") == 0)
        return FULL;
    if (strcmp(node->text, "empty") != 0)
        TELL(tree, RULE_MEMBER_RANGE, node, "'%.40s' is none of empty and full, and counts as empty",
             node->text);
    return EMPTY;
}

static void widen_set(tmi_draft *draft, const tm_automap_condition *condition)
{
    tm_automap_config *config = &((tmi_draft_config *)tmi_draft_last(&draft->configs))->config;
    config->start_x = condition->x < config->start_x ? condition->x : config->start_x;
    config->start_y = condition->y < config->start_y ? condition->y : config->start_y;
    config->end_x = condition->x > config->end_x ? condition->x : config->end_x;
    config->end_y = condition->y > config->end_y ? condition->y : config->end_y;
}

static tm_status take_json_condition(const json_tree *tree, const json_node *of)
{
    static const char *const known[] = {"x", "y", "value", NULL};
    tm_automap_condition *condition;
    TM_TRY(tmi_draft_add_condition(&condition, tree->draft));
    if (of->type != TMI_JSON_OBJECT)
        TELL(tree, RULE_MEMBER_TYPE, of, "a condition is no object and counts as an empty one");
    tell_unknown_members(tree, of, known);
    condition->line = of->at.line;
    condition->column = of->at.column;
    condition->x = take_whole(tree, of, &whole_x);
    condition->y = take_whole(tree, of, &whole_y);
    const int32_t asked = take_asked(tree, of);
    condition->negated = asked == -1;
    condition->of_words = asked < 0;
    widen_set(tree->draft, condition);
    return tmi_draft_add_entry(tree->draft, asked < 0 ? 0 : asked, TM_AUTOMAP_ANY_FLAGS);
}

static tm_status take_tile_rule(const json_tree *tree, const json_node *of)
{
    static const char *const known[] = {"index", "random", "rotate", "hflip", "vflip", "condition", NULL};
    tm_automap_rule *rule;
    TM_TRY(tmi_draft_add_rule(&rule, tree->draft));
    tell_unknown_members(tree, of, known);
    rule->line = of->at.line;
    rule->column = of->at.column;
    rule->index = rule->end_index = take_whole(tree, of, &whole_index);
    rule->one_in = take_whole(tree, of, &whole_random);
    rule->has_random = rule->one_in > 1;
    rule->flags = turned_flags(tree, of);
    const json_node *conditions = find_list(tree, of, "condition");
    for (const json_node *at = conditions ? conditions->first : NULL; at; at = at->next)
        TM_TRY(take_json_condition(tree, at));
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- doodads */

static tm_automap_location take_location(const json_tree *tree, const json_node *of)
{
    const json_node *node = find_member(tree, of, "location");
    const char *text = node && node->type == TMI_JSON_STRING ? node->text : "";
    if (strcmp(text, "ceiling") == 0)
        return TM_AUTOMAP_CEILING;
    if (strcmp(text, "walls") == 0)
        return TM_AUTOMAP_WALLS;
    if (node && strcmp(text, "floor") != 0)
        TELL(tree, RULE_MEMBER_RANGE, node,
             "'location' is none of floor, ceiling, walls, and counts as floor");
    return TM_AUTOMAP_FLOOR;
}

static tm_status take_doodad_rule(const json_tree *tree, const json_node *of)
{
    static const char *const known[] = {"startid", "endid", "rx",       "ry", "random",
                                        "hflip",   "vflip", "location", NULL};
    tm_automap_rule *rule;
    tell_unknown_members(tree, of, known);
    const int32_t start = take_whole(tree, of, &whole_start), end = take_whole(tree, of, &whole_end);
    if (start > end) {
        TELL(tree, RULE_DROPPED, of, "'startid' %d is above 'endid' %d: the rule is ignored", (int)start,
             (int)end);
        return TM_OK;
    }
    TM_TRY(tmi_draft_add_rule(&rule, tree->draft));
    rule->line = of->at.line;
    rule->column = of->at.column;
    rule->index = start;
    rule->end_index = end;
    rule->offset_x = take_whole(tree, of, &whole_rx);
    rule->offset_y = take_whole(tree, of, &whole_ry);
    rule->one_in = take_whole(tree, of, &whole_often);
    rule->has_random = rule->one_in > 1;
    rule->flip_x = take_whole(tree, of, &whole_hflip);
    rule->flip_y = take_whole(tree, of, &whole_vflip);
    rule->location = take_location(tree, of);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- sets */

typedef struct set_kind {
    const char *key;
    tm_automap_kind kind;
    tm_status (*take_rule)(const json_tree *tree, const json_node *of);
} set_kind;

static const set_kind set_kinds[] = {
    {"tileset", TM_AUTOMAP_TILESET, take_tile_rule},
    {"doodads", TM_AUTOMAP_DOODADS, take_doodad_rule},
};

enum { MAX_RULES = 256 }; /* of a set */

static size_t set_name_size(const char *name)
{
    size_t size = strlen(name);
    return size < TMI_WORD_SIZE ? size : TMI_WORD_SIZE;
}

static tm_status take_set(const json_tree *tree, const json_node *element, const set_kind *kind)
{
    static const char *const known_tiles[] = {"basetile", "rules", NULL}, *const known_doodads[] = {"rules",
                                                                                                    NULL};
    const json_node *set = element->type == TMI_JSON_OBJECT ? element->first : NULL;
    if (!set || set->next) {
        TELL(tree, RULE_SET_SKIPPED, element,
             "what is no object with exactly one member is no set of rules and does not count");
        return TM_OK;
    }
    const bool tiles = kind->kind == TM_AUTOMAP_TILESET;
    uint32_t num = 0;
    TM_TRY(tmi_draft_add_config(tree->draft, set->key, set_name_size(set->key), kind->kind, set->at.line));
    if (strlen(set->key) > TMI_WORD_SIZE)
        TELL(tree, RULE_NAME_CUT, set, "the name is longer than %d bytes and is cut there", TMI_WORD_SIZE);
    tell_unknown_members(tree, set, tiles ? known_tiles : known_doodads);
    if (tiles)
        ((tmi_draft_config *)tmi_draft_last(&tree->draft->configs))->config.base_tile =
            take_whole(tree, set, &whole_base);
    const json_node *rules = find_list(tree, set, "rules");
    for (const json_node *at = rules ? rules->first : NULL; at; at = at->next) {
        if (num++ == MAX_RULES) {
            TELL(tree, RULE_DROPPED, at, "a set has at most %d rules: those from here on are ignored",
                 MAX_RULES);
            break;
        }
        if (at->type != TMI_JSON_OBJECT)
            TELL(tree, RULE_MEMBER_TYPE, at, "a rule is no object and counts as an empty one");
        TM_TRY(kind->take_rule(tree, at));
    }
    return TM_OK;
}

static tm_status take_sets(const json_tree *tree)
{
    static const char *const known[] = {"tileset", "doodads", NULL};
    tell_unknown_members(tree, tree->root, known);
    for (size_t i = 0; i < TMI_COUNT_OF(set_kinds); i++) {
        const json_node *sets = find_list(tree, tree->root, set_kinds[i].key);
        if (!sets)
            continue;
        for (const json_node *at = sets->first; at; at = at->next)
            TM_TRY(take_set(tree, at, &set_kinds[i]));
        break;
    }
    if (!tree->draft->configs.num)
        TELL(tree, RULES_EMPTY, tree->root, "the file has no set of rules in 'tileset' or 'doodads'");
    return TM_OK;
}

bool tmi_looks_like_json(const char *bytes, size_t size)
{
    size_t i = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (tmi_is_blank(bytes[i]) || bytes[i] == '\r' || bytes[i] == '\n'))
        i++;
    return i < size && bytes[i] == '{';
}

enum { MAX_TEXT = 1024 * 1024 }; /* bytes of a name */

tm_status tmi_read_json_rules(tmi_draft *draft, const char *bytes, size_t size)
{
    json_tree tree = {.draft = draft, .key = ""};
    const tm_input input = tm_input_from_memory(bytes, size);
    TM_TRY(tmi_json_new(&tree.json, &input, MAX_TEXT, draft->allocator, draft->error));
    tmi_json_forgive(tree.json);
    tmi_arena_init(&tree.arena, draft->allocator);
    tm_status status = build_tree(&tree);
    if (status == TM_ERROR_DAMAGED && !tmi_looks_like_json(bytes, size) && tmi_looks_like_rules(bytes, size))
        status = tmi_fail(draft->error, status, -1,
                          "it is no JSON, but looks like rules of DDNet, whose files are called NAME.rules");
    if (status == TM_OK)
        status = take_sets(&tree);
    tmi_arena_release(&tree.arena);
    tmi_json_free(tree.json);
    return status;
}
