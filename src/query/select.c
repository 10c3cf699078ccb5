/* SPDX-License-Identifier: Zlib */
/*
 * select.c - sets of layers in words (docs/addresses.md, "Sets of layers").
 *
 *   set     = word { "," word }
 *   word    = [ "-" | "!" ] what { ":" [ "!" ] field "=" value } [ "@" percent ]
 *   what    = "design" | "physics" | "foreground" | "background" | name of a kind of layer
 *           | address of a group or layer, perhaps with * in names or ranges of indices
 *
 * Each word is read into a pattern, and each layer that the pattern holds gets the word's percentage, so that
 * later words overrule earlier ones; with a minus it is taken out. A new kind of word is a function that says
 * which layers it means, and a row in the table or a branch of read_pattern. Must not know what a set is for.
 */
#include "query.h"

/* Bytes of a word with its NUL. Names of groups and layers have 11 at most, so no address is longer. */
#define WORD_SIZE 256

typedef struct pattern {
    bool (*holds)(const struct pattern *rule, const tm_layer_walk *walk);
    const tm_map *map;
    tm_layer_kind kind;        /* of has_kind */
    tm_address address;        /* of lies_at */
    const char *group, *layer; /* of fits_address; layer NULL: all layers of the groups */
    size_t group_size;
    bool has_game;
    uint32_t game; /* number of the game layer, if there is one */
    int32_t percent;
    bool excludes;
    tmi_filters filters; /* behind the word */
} pattern;

/* ------------------------------------------------------------------------------ which layers a word means */

static bool is_design(const pattern *rule, const tm_layer_walk *walk)
{
    (void)rule;
    return !tm_game_layer(walk->layer->kind)->is_physics;
}

static bool is_physics(const pattern *rule, const tm_layer_walk *walk)
{
    (void)rule;
    return tm_game_layer(walk->layer->kind)->is_physics;
}

/* Whether a layer is drawn after the players, so that it hides them. */
static bool is_foreground(const pattern *rule, const tm_layer_walk *walk)
{
    return is_design(rule, walk) && rule->has_game && walk->number > rule->game;
}

static bool is_background(const pattern *rule, const tm_layer_walk *walk)
{
    return is_design(rule, walk) && !is_foreground(rule, walk);
}

static bool has_kind(const pattern *rule, const tm_layer_walk *walk)
{
    return walk->layer->kind == rule->kind;
}

static bool lies_at(const pattern *rule, const tm_layer_walk *walk)
{
    return rule->address.index == walk->group &&
           (rule->address.kind == TM_KIND_GROUP || rule->address.layer == walk->index);
}

/* Whether numbers or names fit the elements of an address: the group's the first, the layer's the second. */
static bool fits_address(const pattern *rule, const tm_layer_walk *walk)
{
    return tmi_element_fits(rule->group, rule->group_size, walk->group,
                            rule->map->groups[walk->group].name) &&
           (!rule->layer ||
            tmi_element_fits(rule->layer, strlen(rule->layer), walk->index, walk->layer->name));
}

static const struct {
    const char *name;
    bool (*holds)(const pattern *rule, const tm_layer_walk *walk);
} set_words[] = {{"design", is_design},
                 {"physics", is_physics},
                 {"foreground", is_foreground},
                 {"background", is_background}};

/* Whether the name of a kind of layer is a word. */
static bool is_kind_word(tm_layer_kind kind, tm_select_words words)
{
    const tm_layer_info *info = tm_game_layer(kind);
    switch (words) {
    case TM_SELECT_PHYSICS: return info->is_physics;
    case TM_SELECT_DRAWN: return info->is_tiles || kind == TM_LAYER_QUADS;
    default: return kind != TM_LAYER_UNKNOWN; /* TM_SELECT_ALL */
    }
}

/* ------------------------------------------------------------------------------------------------ reading */

bool tmi_address_is_wide(const tm_map *map, const char *text)
{
    tm_address found;
    bool wide = false;
    for (const char *cursor = text;; cursor++) {
        const size_t size = strcspn(cursor, "/");
        wide |= tmi_element_is_wide(cursor, size);
        if (!cursor[size])
            break;
        cursor += size;
    }
    return wide && tm_address_parse(&found, map, text, NULL) != TM_OK;
}

static bool read_kind(pattern *out, const char *word, tm_select_words words)
{
    tm_layer_kind kind;
    if (!tmi_layer_kind_named(&kind, word, strlen(word)) || !is_kind_word(kind, words))
        return false;
    out->holds = has_kind;
    out->kind = kind;
    return true;
}

/* Reads an address with * in names, which may fit nothing, or with a range of indices, which may not. */
static bool read_wide(pattern *out, const char *word)
{
    const char *slash = strchr(word, '/');
    if (!tmi_address_is_wide(out->map, word) || (slash && (slash == word || !slash[1])))
        return false;
    out->holds = fits_address;
    out->group = word;
    out->group_size = slash ? (size_t)(slash - word) : strlen(word);
    out->layer = slash ? slash + 1 : NULL;
    bool any = strchr(word, '*');
    for (tm_layer_walk walk = {0}; !any && tm_map_next_layer(out->map, &walk);)
        any = fits_address(out, &walk);
    return any;
}

/* Guesses the word that was meant, or says what is wrong with an address. */
static tm_status fail_word(const tm_map *map, const char *word, tm_select_words words, tm_error *error)
{
    char hint[64];
    tm_error failure;
    tm_address found;
    tm_suggestion meant;
    if (strchr(word, '@'))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.60s' is not a group or layer followed by @ and a percentage from 0 to 100", word);
    tmi_error_blank(&failure);
    if (strchr(word, '/') && tm_address_parse(&found, map, word, &failure) == TM_ERROR_NOT_FOUND)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%.60s' leads to no group or layer: %s", word,
                        failure.text);
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        char address[32];
        const tm_address place = {TM_KIND_LAYER, walk.group, walk.index};
        if (tmi_compare_folded(walk.layer->name, word) != 0)
            continue;
        tm_address_format(&place, address, sizeof(address));
        const char *group = map->groups[walk.group].name;
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1,
                        "'%.60s' leads to no group; the layer of this name is %s, or '%s/%s'", word, address,
                        group[0] ? group : "*", walk.layer->name);
    }
    walk = (tm_layer_walk){0};
    tm_suggestion_begin(&meant, word);
    for (size_t i = 0; i < TMI_COUNT_OF(set_words); i++)
        tm_suggestion_try(&meant, set_words[i].name);
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (is_kind_word((tm_layer_kind)kind, words))
            tm_suggestion_try(&meant, tm_game_layer((tm_layer_kind)kind)->name);
    while (tm_map_next_layer(map, &walk))
        tm_suggestion_try(&meant, map->groups[walk.group].name);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%.60s' leads to no group or layer%s", word, hint);
}

/* Reads one word of a set. The pattern borrows `word`. */
static tm_status read_pattern(pattern *out, const tm_map *map, char *word, tm_select_words words,
                              tm_error *error)
{
    memset(out, 0, sizeof(*out));
    out->map = map;
    out->excludes = *word == '-' || *word == '!';
    word += out->excludes;
    out->percent = TM_NONE;
    /* Cuts "@50" off: one to three digits up to 100, so that names with @ in them stay names. */
    char *cursor = strrchr(word, '@');
    const char *end = cursor ? cursor + 1 : "";
    uint32_t percent;
    if (tmi_take_digits(&percent, &end) && !*end && end - cursor <= 4 && percent <= 100) {
        *cursor = '\0';
        out->percent = (int32_t)percent;
    }
    if (out->excludes && out->percent != TM_NONE)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.60s' removes layers, so a percentage after it has no meaning", word);
    TM_TRY(tmi_filters_take(&out->filters, word, TM_KIND_LAYER, error));
    if (words == TM_SELECT_PHYSICS && !read_kind(out, word, words)) {
        tmi_line list = {.length = 0};
        for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
            if (is_kind_word((tm_layer_kind)kind, words))
                tmi_line_add(&list, "%s%s", list.length ? ", " : "",
                             tm_game_layer((tm_layer_kind)kind)->name);
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is none of %s", word, list.text);
    }
    if (words == TM_SELECT_PHYSICS)
        return TM_OK;
    uint32_t group, index;
    out->has_game = tm_map_physics_layer(&group, &index, map, TM_LAYER_GAME);
    if (out->has_game)
        out->game = tm_map_layer_number(map, group, index);
    for (size_t i = 0; i < TMI_COUNT_OF(set_words) && !out->holds; i++)
        if (strcmp(set_words[i].name, word) == 0)
            out->holds = set_words[i].holds;
    if (out->holds || read_kind(out, word, words))
        return TM_OK;
    out->holds = lies_at;
    if (*word && tm_address_parse(&out->address, map, word, NULL) == TM_OK &&
        (out->address.kind == TM_KIND_GROUP || out->address.kind == TM_KIND_LAYER))
        return TM_OK;
    return read_wide(out, word) ? TM_OK : fail_word(map, word, words, error);
}

static void choose_none(tm_layer_choice *choices, const tm_map *map)
{
    const uint32_t num = tm_map_num_layers(map);
    for (uint32_t i = 0; i < num; i++)
        choices[i] = (tm_layer_choice){false, TM_NONE};
}

/* *percents: one of the words has a percentage. */
static tm_status select_layers(tm_layer_choice *choices, bool *percents, const tm_map *map, const char *text,
                               tm_select_words words, tm_error *error)
{
    *percents = false;
    TM_TRY(tmi_need(choices, "choices", error));
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(text, "text", error));
    choose_none(choices, map);
    const char *part = strrchr(text, '@');
    if (part && tmi_is_like_region(part + 1))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.60s': a percentage is allowed after @, but not a part of a layer", part);
    if (words > TM_SELECT_PHYSICS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "words is %u, allowed are 0 to 2", (unsigned)words);
    tm_status status = TM_OK;
    tm_layer_walk walk = {0};
    while ((*text == '-' || *text == '!') && tm_map_next_layer(map, &walk)) /* from what is the default */
        if (words == TM_SELECT_ALL || is_physics(NULL, &walk) == (words == TM_SELECT_PHYSICS))
            choices[walk.number] = (tm_layer_choice){true, TM_NONE};
    while (text && !status) {
        const char *start = text;
        char word[WORD_SIZE];
        pattern next;
        tm_layer_walk layer_walk = {0};
        if (tmi_take_part(word, sizeof(word), &text, ','))
            status = read_pattern(&next, map, word, words, error);
        else
            status = tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%.60s...' leads to no group or layer", start);
        while (!status && tm_map_next_layer(map, &layer_walk))
            if (next.holds(&next, &layer_walk) &&
                tmi_filters_fit(&next.filters, map, TM_KIND_LAYER, layer_walk.layer))
                choices[layer_walk.number] =
                    next.excludes ? (tm_layer_choice){false, TM_NONE} : (tm_layer_choice){true, next.percent};
        *percents |= !status && next.percent != TM_NONE;
    }
    if (status)
        choose_none(choices, map);
    return status;
}

tm_status tm_select_layers(tm_layer_choice *choices, const tm_map *map, const char *text,
                           tm_select_words words, tm_error *error)
{
    bool percents;
    return select_layers(choices, &percents, map, text, words, error);
}

/* Whether a text is a region as older versions took it: X,Y,WIDTH,HEIGHT. */
static bool is_old_region(int32_t numbers[4], const char *text)
{
    for (int i = 0; i < 4; i++) {
        if (i && *text++ != ',')
            return false;
        if (!tmi_take_number(&numbers[i], &text))
            return false;
    }
    return !*text;
}

tm_status tmi_select_undrawn(tm_layer_choice *choices, const tm_map *map, const char *text, tm_error *error)
{
    const char *cursor = text ? strrchr(text, '@') : NULL, *end = cursor ? cursor + 1 : NULL;
    bool percents;
    int32_t x, y, numbers[4];
    if (cursor && is_old_region(numbers, cursor + 1))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s': write @%d,%d+%dx%d, a place and a size", text,
                        (int)numbers[0], (int)numbers[1], (int)numbers[2], (int)numbers[3]);
    if (cursor && tmi_take_point(&x, &y, &end) && !*end)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s': a place has a size, too; %.30s+1x1 is one tile",
                        text, cursor);
    TM_TRY(select_layers(choices, &percents, map, text, TM_SELECT_ALL, error));
    if (!percents)
        return TM_OK;
    choose_none(choices, map);
    return tmi_fail(
        error, TM_ERROR_USAGE, -1,
        "'%.60s': a percentage after @ is for pictures; a part of layers is like design@10,20+30x40, one "
        "tile like design@10,20+1x1",
        text);
}

void tm_select_opacities(float *opacities, const tm_layer_choice *choices, uint32_t num_layers)
{
    if (!opacities || !choices)
        return;
    for (uint32_t i = 0; i < num_layers; i++)
        if (choices[i].chosen)
            opacities[i] = choices[i].percent == TM_NONE ? 1 : (float)choices[i].percent / 100;
}
