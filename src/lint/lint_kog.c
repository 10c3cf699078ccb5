/* SPDX-License-Identifier: Zlib */
/*
 * Reads rules of King of Gores. Each names a module and a class of KoG's program: a table of them says what
 * each takes and which function asks it. What is in no table is an error with its line.
 */
#include "lint_kog.h"

#include <inttypes.h>

/* A rule that is being read. */
typedef struct kog_reading {
    const tmi_lint_reading *at;
    tmi_lint_own *rule;
    tmi_lint_kog *kog;
    const tmi_doc *table, *params; /* NULL: there are none */
} kog_reading;

typedef struct kog_kind {
    const char *module, *name; /* of the class */
    tm_lint_cost cost;
    tmi_lint_judge *judge;
    tm_status (*read)(const kog_reading *in);
    bool notes; /* it only lists: its findings are notes */
    const char *params[6];
} kog_kind;

/* ------------------------------------------------------------------------------------------------- values */

static const tmi_doc *kog_node(const tmi_doc *table, const char *key)
{
    const tmi_doc *node = tmi_doc_of(table, key);
    return node && node->kind == TMI_DOC_OTHER ? NULL : node; /* nothing is as if it were not there */
}

/* A text that must be there. */
static tm_status kog_text(const char **out, const kog_reading *in, const tmi_doc *table, const char *key)
{
    const tmi_doc *node = kog_node(table, key);
    *out = "";
    if (!node)
        return tmi_lint_config_fault(in->at, table ? table : in->table, "'%s' is missing", key);
    if (node->kind != TMI_DOC_TEXT || !node->size)
        return tmi_lint_config_fault(in->at, node, "'%s' is no text", key);
    return tmi_lint_config_copy(out, in->at, node->text);
}

/* A number that may be there. */
static tm_status kog_number(uint64_t *out, const kog_reading *in, const char *key, uint64_t least,
                            uint64_t most)
{
    const tmi_doc *node = kog_node(in->params, key);
    if (!node)
        return TM_OK;
    if (node->kind != TMI_DOC_INTEGER || node->integer < (int64_t)least || (uint64_t)node->integer > most)
        return tmi_lint_config_fault(in->at, node, "'%s' is a number from %" PRIu64 " to %" PRIu64, key,
                                     least, most);
    *out = (uint64_t)node->integer;
    return TM_OK;
}

/* Bytes of "10MB", "1.5 KB", "1Byte"; false: it is no size. */
static bool parse_size(uint64_t *out, const char *text)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"byte", 1}, {"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}};
    uint64_t value = 0, part = 1;
    const char *from = text;
    bool point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point && text > from); text++) {
        if (text - from > 8)
            return false;
        if (point)
            part *= 10;
        point = point || *text == '.';
        value = *text == '.' ? value : value * 10 + (uint64_t)(*text - '0');
    }
    if (text == from)
        return false;
    while (*text == ' ')
        text++;
    for (size_t i = 0; i < TMI_COUNT_OF(units); i++) {
        const char *name = units[i].name;
        size_t k = 0;
        while (name[k] && (text[k] | 32) == name[k])
            k++;
        *out = value * units[i].bytes / part;
        if (!name[k] && !text[k])
            return true;
    }
    return false;
}

static tm_status kog_size(uint64_t *out, const kog_reading *in, const char *key)
{
    const tmi_doc *node = kog_node(in->params, key);
    if (node && (node->kind != TMI_DOC_TEXT || !parse_size(out, node->text)))
        return tmi_lint_config_fault(in->at, node,
                                     "'%s' is a size like 10MB: a number and Byte, KB, MB or GB", key);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- kinds */

static tm_status kog_file_size(const kog_reading *in)
{
    in->kog->most = UINT64_MAX;
    if (!kog_node(in->params, "max_file_size") && !kog_node(in->params, "min_file_size"))
        return tmi_lint_config_fault(in->at, in->table, "'max_file_size' or 'min_file_size' is missing");
    TM_TRY(kog_size(&in->kog->most, in, "max_file_size"));
    return kog_size(&in->kog->least, in, "min_file_size");
}

static tm_status kog_tile_layer(const kog_reading *in)
{
    const tmi_doc *node = kog_node(in->params, "expected_layer");
    in->kog->layer = TM_LAYER_TILES;
    if (!node)
        return TM_OK;
    for (tm_layer_kind kind = TM_LAYER_GAME; kind < TM_LAYER_KINDS; kind++) {
        const char *name = tmi_lint_kog_layer_name(kind);
        if (name && node->kind == TMI_DOC_TEXT && strcmp(name, node->text) == 0)
            in->kog->layer = kind;
    }
    if (in->kog->layer == TM_LAYER_TILES)
        return tmi_lint_config_fault(in->at, node,
                                     "'expected_layer' is Game, Front, Tele, Speedup, Switch or Tune");
    if (!tm_rules_tile(TM_GAME_DDNET, in->kog->layer, in->kog->index))
        return tmi_lint_config_fault(in->at, node, "tile %u means nothing in the layer %s",
                                     (unsigned)in->kog->index, node->text);
    return TM_OK;
}

static bool is_physics_tile(uint8_t index)
{
    for (tm_layer_kind kind = TM_LAYER_GAME; kind < TM_LAYER_KINDS; kind++)
        if (tmi_lint_kog_layer_name(kind) && tm_rules_tile(TM_GAME_DDNET, kind, index))
            return true;
    return false;
}

static tm_status kog_tile(const kog_reading *in)
{
    tmi_lint_kog *kog = in->kog;
    uint64_t index = 0;
    TM_TRY(kog_text(&kog->label, in, in->params, "humanized"));
    TM_TRY(kog_number(&index, in, "expected_tile", 1, 255));
    if (!index)
        return tmi_lint_config_fault(in->at, in->params, "'expected_tile' is missing");
    kog->index = (uint8_t)index;
    if (!is_physics_tile(kog->index))
        return tmi_lint_config_fault(in->at, tmi_doc_of(in->params, "expected_tile"),
                                     "tile %u means nothing in physics layers", (unsigned)index);
    kog->least = 1;
    kog->most = UINT64_MAX;
    TM_TRY(kog_number(&kog->least, in, "min_occurances", 1, UINT32_MAX));
    TM_TRY(kog_number(&kog->most, in, "max_occurances", 1, UINT32_MAX));
    if (kog->least > kog->most)
        return tmi_lint_config_fault(in->at, in->params, "nothing is from %" PRIu64 " to %" PRIu64,
                                     kog->least, kog->most);
    return kog_tile_layer(in);
}

static tm_status kog_values(const kog_reading *in)
{
    tmi_lint_kog *kog = in->kog;
    const tmi_doc *list = kog_node(in->params, "values");
    if (!list || list->kind != TMI_DOC_LIST || !list->num)
        return tmi_lint_config_fault(in->at, list ? list : in->params, "'values' is a list of texts");
    kog->values = tmi_arena_alloc(&in->at->config->arena, list->num, sizeof(*kog->values));
    if (!kog->values)
        return tmi_fail_memory(in->at->error, list->num * sizeof(*kog->values), "configuration");
    for (const tmi_doc *node = list->first; node; node = node->next) {
        if (!node->text || !node->size)
            return tmi_lint_config_fault(in->at, node, "'values' is a list of texts");
        TM_TRY(tmi_lint_config_copy(&kog->values[kog->num_values++], in->at, node->text));
    }
    return TM_OK;
}

static tm_status kog_expression(const kog_reading *in)
{
    tm_error own = {.offset = -1};
    tmi_regex *regex;
    TM_TRY(kog_text(&in->kog->expression, in, in->params, "regex"));
    const tm_status status = tmi_regex_read(&regex, in->kog->expression, &in->at->config->arena, &own);
    in->kog->regex = regex;
    return status == TM_ERROR_USAGE
               ? tmi_lint_config_fault(in->at, tmi_doc_of(in->params, "regex"), "%s", own.text)
           : status ? tmi_fail(in->at->error, status, -1, "%s", own.text)
                    : TM_OK;
}

/* A field, and what may be in it. */
static tm_status kog_field(const kog_reading *in)
{
    const char *type;
    TM_TRY(kog_text(&in->kog->field, in, in->params, "field"));
    TM_TRY(kog_text(&type, in, in->params, "type"));
    const bool list = strcmp(type, "list") == 0, regex = strcmp(type, "regex") == 0;
    if (!list && !regex)
        return tmi_lint_config_fault(in->at, tmi_doc_of(in->params, "type"), "'type' is list or regex");
    return list ? kog_values(in) : kog_expression(in);
}

static tm_status kog_info(const kog_reading *in)
{
    const char *text = "";
    TM_TRY(kog_field(in));
    if (!tmi_lint_kog_text(&text, NULL, in->kog->field))
        return tmi_lint_config_fault(in->at, tmi_doc_of(in->params, "field"),
                                     "'field' is author, version, credits or license");
    return TM_OK;
}

static tm_status kog_no_params(const kog_reading *in)
{
    (void)in;
    return TM_OK;
}

static const kog_kind kog_kinds[] = {
    {"rules.file",
     "FileSize",
     TM_LINT_OBJECTS,
     tmi_lint_kog_file_size,
     kog_file_size,
     false,
     {"max_file_size", "min_file_size", NULL}},
    {"rules.tile",
     "Exist",
     TM_LINT_PHYSICS,
     tmi_lint_kog_tiles,
     kog_tile,
     false,
     {"expected_tile", "humanized", "expected_layer", "min_occurances", "max_occurances", NULL}},
    {"rules.setting",
     "Valid",
     TM_LINT_OBJECTS,
     tmi_lint_kog_setting,
     kog_field,
     false,
     {"field", "type", "regex", "values", NULL}},
    {"rules.image", "Valid", TM_LINT_OBJECTS, tmi_lint_kog_images, kog_no_params, false, {NULL}},
    {"rules.sound", "Valid", TM_LINT_OBJECTS, tmi_lint_kog_sounds, kog_no_params, true, {"field", NULL}},
    {"rules.meta",
     "Valid",
     TM_LINT_OBJECTS,
     tmi_lint_kog_info,
     kog_info,
     false,
     {"field", "type", "regex", "values", NULL}},
};

/* -------------------------------------------------------------------------------------------------- rules */

static tm_status find_kind(const kog_kind **out, const kog_reading *in)
{
    const char *module, *name;
    *out = NULL;
    TM_TRY(kog_text(&module, in, in->table, "module"));
    TM_TRY(kog_text(&name, in, in->table, "class_name"));
    for (size_t i = 0; i < TMI_COUNT_OF(kog_kinds); i++)
        if (strcmp(kog_kinds[i].module, module) == 0 && strcmp(kog_kinds[i].name, name) == 0)
            *out = &kog_kinds[i];
    return *out ? TM_OK
                : tmi_lint_config_fault(
                      in->at, tmi_doc_of(in->table, "module"),
                      "%s.%s is no kind of rules that is known: rules.file.FileSize, rules.tile.Exist, "
                      "Valid of rules.setting, rules.image, rules.sound, rules.meta",
                      module, name);
}

/* "Check if `it` is there" becomes "kog-check-if-it-is-there". */
static tm_status make_id(const char **out, const kog_reading *in, const char *name)
{
    char id[64] = "kog";
    size_t size = strlen(id);
    bool between = true;
    for (; *name && size + 2 < sizeof(id); name++) {
        const char c = (char)(*name >= 'A' && *name <= 'Z' ? *name | 32 : *name);
        const bool is_good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (is_good && between)
            id[size++] = '-';
        if (is_good)
            id[size++] = c;
        between = !is_good;
    }
    id[size] = '\0';
    return tmi_lint_config_copy(out, in->at, id);
}

static tm_status read_severity(const kog_reading *in, bool notes)
{
    static const struct {
        const char *name;
        tm_severity severity;
    } types[] = {{"require", TM_SEVERITY_ERROR}, {"fail", TM_SEVERITY_WARNING}, {"skip", TM_SEVERITY_NOTE}};
    const char *type;
    TM_TRY(kog_text(&type, in, in->table, "type"));
    for (size_t i = 0; i < TMI_COUNT_OF(types); i++) {
        if (strcmp(types[i].name, type) != 0)
            continue;
        in->rule->severity = notes ? TM_SEVERITY_NOTE : types[i].severity;
        return TM_OK;
    }
    return tmi_lint_config_fault(in->at, tmi_doc_of(in->table, "type"), "'type' is require, fail or skip");
}

/* The number of an own rule by its name; UINT32_MAX: there is none before this one. */
static uint32_t find_needed(const kog_reading *in, const char *name)
{
    uint32_t n = 0;
    for (const tmi_lint_own *own = in->at->config->rules; own && own != in->rule; own = own->next, n++)
        if (own->kog && strcmp(own->row.about.title, name) == 0)
            return n;
    return UINT32_MAX;
}

static tm_status read_needs(const kog_reading *in)
{
    tmi_lint_kog *kog = in->kog;
    const tmi_doc *list = kog_node(in->table, "depends_on");
    if (!list)
        return TM_OK;
    if (list->kind != TMI_DOC_LIST)
        return tmi_lint_config_fault(in->at, list, "'depends_on' is a list of names of rules");
    kog->needs = tmi_arena_alloc(&in->at->config->arena, list->num + 1, sizeof(*kog->needs));
    if (!kog->needs)
        return tmi_fail_memory(in->at->error, list->num * sizeof(*kog->needs), "configuration");
    for (const tmi_doc *node = list->first; node; node = node->next) {
        if (node->kind != TMI_DOC_TEXT)
            return tmi_lint_config_fault(in->at, node, "'depends_on' is a list of names of rules");
        const uint32_t needed = find_needed(in, node->text);
        if (needed == UINT32_MAX)
            return tmi_lint_config_fault(in->at, node, "'depends_on': there is no rule '%s' before this one",
                                         node->text);
        kog->needs[kog->num_needs++] = needed;
    }
    return TM_OK;
}

static tm_status read_params(kog_reading *in, const kog_kind *kind)
{
    const tmi_doc *params = kog_node(in->table, "params");
    if (params && params->kind != TMI_DOC_TABLE)
        return tmi_lint_config_fault(in->at, params, "'params' is a table");
    in->params = params;
    if (params)
        TM_TRY(tmi_lint_config_keys(in->at, params, kind->params));
    else if (kind->read != kog_no_params)
        return tmi_lint_config_fault(in->at, in->table, "'params' is missing");
    return kind->read(in);
}

static tm_status make_rule(kog_reading *in, const kog_kind *kind, const char *name)
{
    const tmi_doc *words = kog_node(in->table, "description");
    const char *id;
    TM_TRY(make_id(&id, in, name));
    TM_TRY(tmi_lint_own_add(&in->rule, in->at, tmi_doc_of(in->table, "name"), id));
    in->kog = tmi_arena_alloc(&in->at->config->arena, 1, sizeof(*in->kog));
    if (!in->kog)
        return tmi_fail_memory(in->at->error, sizeof(*in->kog), "configuration");
    memset(in->kog, 0, sizeof(*in->kog));
    in->kog->config = in->at->config;
    in->kog->judge = kind->judge;
    tm_lint_rule *about = &in->rule->row.about;
    in->rule->kog = in->kog;
    in->rule->row.judge = tmi_lint_kog_judge;
    about->cost = kind->cost;
    about->title = name;
    about->why = "";
    about->how = "";
    if (words && words->text)
        TM_TRY(tmi_lint_config_copy(&about->why, in->at, words->text));
    return tmi_lint_config_copy(&about->source, in->at, in->at->path);
}

static tm_status read_rule(const tmi_lint_reading *at, const tmi_doc *table)
{
    static const char *const keys[] = {"name", "module",     "class_name", "description",
                                       "type", "depends_on", "params",     NULL};
    kog_reading in = {.at = at, .table = table};
    const kog_kind *kind;
    const char *name;
    if (table->kind != TMI_DOC_TABLE)
        return tmi_lint_config_fault(at, table, "a rule is a table");
    TM_TRY(tmi_lint_config_keys(at, table, keys));
    TM_TRY(kog_text(&name, &in, table, "name"));
    TM_TRY(find_kind(&kind, &in));
    TM_TRY(make_rule(&in, kind, name));
    TM_TRY(read_severity(&in, kind->notes));
    TM_TRY(read_needs(&in));
    return read_params(&in, kind);
}

tm_status tmi_lint_kog_read(const tmi_lint_reading *at, const tmi_doc *root)
{
    static const char *const keys[] = {"rules", NULL};
    if (root->kind != TMI_DOC_TABLE)
        return tmi_lint_config_fault(at, root, "'rules' is missing");
    TM_TRY(tmi_lint_config_keys(at, root, keys));
    const tmi_doc *rules = tmi_doc_of(root, "rules");
    if (!rules || rules->kind != TMI_DOC_LIST)
        return tmi_lint_config_fault(at, rules ? rules : root, "'rules' is a list of rules");
    for (const tmi_doc *table = rules->first; table; table = table->next)
        TM_TRY(read_rule(at, table));
    return TM_OK;
}
