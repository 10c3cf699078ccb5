/* SPDX-License-Identifier: Zlib */
/*
 * Reads a mod from a file in TOML (docs/mods.md), for the table of mods and for those who have a file of
 * their own. What the file says is checked here: the rest of the library takes a mod as it is.
 */
#include "internal.h"

#include <teemap/map.h>
#include <teemap/mods.h>

#include "../text/text.h"

/* TEXT: bytes of a file. TILES: rows, of which an entry with a range of indices makes one for each. */
enum { MAX_TEXT = 1 << 18, MAX_TILES = 4096, MAX_NAME = 40 };

/* What a mod and its texts stand in. */
typedef struct mod_holder {
    tm_mod mod; /* the first member: freed by its address */
    tmi_arena arena;
    tm_allocator allocator;
    bool has_own;
} mod_holder;

/* A file that is being read. */
typedef struct mod_reader {
    tmi_arena *arena;
    tm_error *error;
} mod_reader;

static const char what_for[] = "a mod";

/* ------------------------------------------------------------------------------------------------ values */

/* A text of one line: it is shown to people. */
static tm_status read_mod_text(const char **out, const mod_reader *reader, const tm_json *table,
                               const char *key)
{
    TM_TRY(tmi_toml_text(out, table, key, reader->error));
    for (const char *c = *out; c && *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return tmi_toml_fail(tm_json_get(table, key), reader->error, "'%s' has control characters", key);
    return TM_OK;
}

/* Names are parts of paths and of ids: a-z, 0-9, and the other characters. */
static tm_status check_mod_name(const mod_reader *reader, const tm_json *node, const char *list)
{
    const char *name = node->text;
    size_t size = 0;
    for (; name && name[size]; size++)
        if (!(name[size] >= 'a' && name[size] <= 'z') && !(name[size] >= '0' && name[size] <= '9') &&
            !strchr(list, name[size]))
            break;
    return node->kind == TM_JSON_TEXT && size && !name[size] && size <= MAX_NAME
               ? TM_OK
               : tmi_toml_fail(node, reader->error, "'%.60s' is no name of a-z, 0-9 and '%s'",
                               name         ? name
                               : node->name ? node->name
                                            : "",
                               list);
}

static tm_status read_mod_name(const char **out, const mod_reader *reader, const tm_json *table,
                               const char *key, const char *list)
{
    const tm_json *node = tm_json_get(table, key);
    *out = node ? node->text : NULL;
    return node ? check_mod_name(reader, node, list) : TM_OK;
}

static tm_status read_mod_number(int32_t *out, const mod_reader *reader, const tm_json *table,
                                 const char *key, int32_t from, int32_t to)
{
    const tm_json *node = tm_json_get(table, key);
    if (!node)
        return TM_OK;
    if (node->kind != TM_JSON_NUMBER || !node->whole || node->number < from || node->number > to)
        return tmi_toml_fail(node, reader->error, "'%s' is no whole number from %d to %d", key, (int)from,
                             (int)to);
    *out = (int32_t)node->number;
    return TM_OK;
}

static tm_status read_mod_bool(bool *out, const mod_reader *reader, const tm_json *table, const char *key)
{
    const tm_json *node = tm_json_get(table, key);
    if (node && node->kind != TM_JSON_BOOL)
        return tmi_toml_fail(node, reader->error, "'%s' is not true or false", key);
    *out = node ? node->number != 0 : *out;
    return TM_OK;
}

/* The number of a word in a list of words; `word` names the n-th, and NULL ends the list. */
static tm_status read_mod_word(int *out, const mod_reader *reader, const tm_json *table, const char *key,
                               const char *(*word)(int n))
{
    char hint[128];
    tm_suggestion nearest;
    const tm_json *node = tm_json_get(table, key);
    if (!node)
        return TM_OK;
    tm_suggestion_begin(&nearest, node->kind == TM_JSON_TEXT ? node->text : "");
    for (int n = 0; word(n); n++) {
        if (node->kind == TM_JSON_TEXT && strcmp(word(n), node->text) == 0) {
            *out = n;
            return TM_OK;
        }
        tm_suggestion_try(&nearest, word(n));
    }
    tm_suggestion_format(&nearest, hint, sizeof(hint));
    return tmi_toml_fail(node, reader->error, "'%.60s' is no word for '%s'%s",
                         node->kind == TM_JSON_TEXT ? node->text : "", key, hint);
}

/* A text, or a list of texts, none of which is empty. */
static tm_status read_mod_list(const char *const **out, uint32_t *num, const mod_reader *reader,
                               const tm_json *table, const char *key)
{
    const tm_json *node = tm_json_get(table, key);
    const char **list;
    *num = 0;
    if (!node)
        return TM_OK;
    const bool many = node->kind == TM_JSON_ARRAY;
    TM_TRY(tmi_arena_reserve(&list, reader->arena, many ? (size_t)node->num + 1 : 1, sizeof(*list), what_for,
                             reader->error));
    for (const tm_json *text = many ? node->first : node; text; text = many ? text->next : NULL) {
        if (text->kind != TM_JSON_TEXT || !text->text[0])
            return tmi_toml_fail(text, reader->error, "'%s' holds something that is no text in quotes", key);
        list[(*num)++] = text->text;
    }
    *out = list;
    return TM_OK;
}

/* An index of a tile, "7..10", or a list of these. */
static tm_status read_mod_ranges(const tm_mod_range **out, uint32_t *num, const mod_reader *reader,
                                 const tm_json *table, const char *key)
{
    const tm_json *node = tm_json_get(table, key);
    tm_mod_range *list;
    *num = 0;
    if (!node)
        return TM_OK;
    const bool many = node->kind == TM_JSON_ARRAY;
    TM_TRY(tmi_arena_reserve(&list, reader->arena, many ? (size_t)node->num + 1 : 1, sizeof(*list), what_for,
                             reader->error));
    for (const tm_json *value = many ? node->first : node; value; value = many ? value->next : NULL) {
        int32_t from = 0, to = TM_TILE_INDICES - 1;
        const char *text = value->text;
        bool good = value->kind == TM_JSON_NUMBER && value->whole;
        if (good)
            from = to = value->number < 0 || value->number >= TM_TILE_INDICES ? -1 : (int32_t)value->number;
        else if (value->kind == TM_JSON_TEXT)
            good = tmi_take_range(&from, &to, &text) && !*text;
        if (!good || from < 0 || to >= TM_TILE_INDICES || from > to)
            return tmi_toml_fail(value, reader->error, "'%s' holds something that is no index from 0 to 255",
                                 key);
        list[(*num)++] = (tm_mod_range){(uint8_t)from, (uint8_t)to};
    }
    *out = list;
    return TM_OK;
}

/* Kinds of physics layers; game and front layers if the key is missing. */
static tm_status read_mod_layers(bool layers[TM_LAYER_KINDS], const mod_reader *reader, const tm_json *table)
{
    const char *const *names;
    uint32_t num;
    TM_TRY(read_mod_list(&names, &num, reader, table, "layers"));
    layers[TM_LAYER_GAME] = layers[TM_LAYER_FRONT] = !num;
    for (uint32_t i = 0; i < num; i++) {
        tm_layer_kind kind;
        if (!tmi_layer_kind_named(&kind, names[i], strlen(names[i])) || !tm_game_layer(kind)->is_physics)
            return tmi_toml_fail(tm_json_get(table, "layers"), reader->error,
                                 "there is no physics layer '%.40s'", names[i]);
        layers[kind] = true;
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- tiles */

static const char *category_word(int n)
{
    return tm_tile_category_name((tm_tile_category)n);
}

static const char *number_word(int n)
{
    return n == 0 ? "none" : tm_number_pool_name((tm_tile_number)n);
}

static tm_status need_mod_key(const mod_reader *reader, const tm_json *table, const char *key)
{
    return tm_json_get(table, key) ? TM_OK : tmi_toml_fail(table, reader->error, "'%s' is missing here", key);
}

/* Adds a row for each index of an entry. */
static tm_status read_mod_tile(tm_mod *mod, tm_tile_info *rows, const mod_reader *reader,
                               const tm_json *table)
{
    static const char *const keys[] = {"index", "layers", "id", "title", "category", "number", NULL};
    const tm_mod_range *ranges;
    uint32_t num;
    int category = TM_CATEGORY_AIR, number = TM_NUMBER_NONE;
    tm_tile_info row = {.title = "", .first_version = ""};
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    for (const char *const *key = keys; *key; key++)
        if (key == keys || strcmp(*key, "id") == 0 || strcmp(*key, "category") == 0)
            TM_TRY(need_mod_key(reader, table, *key));
    TM_TRY(read_mod_ranges(&ranges, &num, reader, table, "index"));
    TM_TRY(read_mod_layers(row.layers, reader, table));
    TM_TRY(read_mod_name(&row.id, reader, table, "id", "-"));
    TM_TRY(read_mod_word(&category, reader, table, "category", category_word));
    TM_TRY(read_mod_word(&number, reader, table, "number", number_word));
    const char *title;
    TM_TRY(read_mod_text(&title, reader, table, "title"));
    row.title = title ? title : "";
    row.category = (tm_tile_category)category;
    row.number = (tm_tile_number)number;
    for (int game = 0; game < TM_GAME_COUNT; game++)
        row.games[game] = true;
    for (uint32_t i = 0; i < num; i++)
        for (uint32_t index = ranges[i].first; index <= ranges[i].last; index++) {
            if (mod->num_tiles == MAX_TILES)
                return tmi_toml_fail(table, reader->error, "a mod has %d tiles at most", MAX_TILES);
            row.index = (uint8_t)index;
            rows[mod->num_tiles++] = row;
        }
    return TM_OK;
}

static tm_status read_mod_tiles(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    const tm_json *tables;
    const tm_mod_range *ranges;
    tm_tile_info *rows;
    size_t sum = 0;
    uint32_t num;
    TM_TRY(tmi_toml_tables(&tables, root, "tiles", reader->error));
    for (const tm_json *table = tables; table; table = table->next) {
        TM_TRY(read_mod_ranges(&ranges, &num, reader, table, "index"));
        for (uint32_t i = 0; i < num && sum < MAX_TILES; i++)
            sum += (size_t)ranges[i].last - ranges[i].first + 1;
    }
    TM_TRY(tmi_arena_reserve(&rows, reader->arena, sum < MAX_TILES ? sum + 1 : MAX_TILES, sizeof(*rows),
                             what_for, reader->error));
    mod->tiles = rows;
    for (const tm_json *table = tables; table; table = table->next)
        TM_TRY(read_mod_tile(mod, rows, reader, table));
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- settings */

/* One letter for each argument, ? before the first optional one, r only at the end. */
static bool are_arguments(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!strchr("ifsr?", *c) || (*c == 'r' && c[1]) || (*c == '?' && (!c[1] || strchr(text, '?') != c)))
            return false;
    return true;
}

static tm_status read_mod_setting(tm_setting_info *row, const mod_reader *reader, const tm_json *table)
{
    static const char *const keys[] = {"name", "arguments", "min", "max", "initial", "repeats", "help", NULL};
    const bool limited = tm_json_get(table, "min") || tm_json_get(table, "max");
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(need_mod_key(reader, table, "name"));
    *row = (tm_setting_info){.min = INT32_MIN, .max = INT32_MAX};
    TM_TRY(read_mod_name(&row->name, reader, table, "name", "_*"));
    const char *star = strchr(row->name, '*');
    if (star && star[1])
        return tmi_toml_fail(table, reader->error, "'%s': a * stands for the rest of a name", row->name);
    TM_TRY(read_mod_text(&row->arguments, reader, table, "arguments"));
    if (row->arguments && !are_arguments(row->arguments))
        return tmi_toml_fail(table, reader->error,
                             "arguments '%.40s' are not letters i, f, s and r, with ? before optional ones",
                             row->arguments);
    TM_TRY(read_mod_number(&row->min, reader, table, "min", INT32_MIN, INT32_MAX));
    TM_TRY(read_mod_number(&row->max, reader, table, "max", INT32_MIN, INT32_MAX));
    TM_TRY(read_mod_number(&row->initial, reader, table, "initial", INT32_MIN, INT32_MAX));
    TM_TRY(read_mod_bool(&row->repeats, reader, table, "repeats"));
    TM_TRY(read_mod_text(&row->help, reader, table, "help"));
    row->has_initial = tm_json_get(table, "initial");
    if (!row->arguments && !limited && !row->has_initial)
        row->arguments = "?r"; /* nothing is said of its values */
    row->help = row->help ? row->help : "";
    return TM_OK;
}

static uint32_t count_tables(const tm_json *table)
{
    uint32_t num = 0;
    for (; table; table = table->next)
        num++;
    return num;
}

static tm_status read_mod_settings(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    const tm_json *table;
    tm_setting_info *rows;
    TM_TRY(tmi_toml_tables(&table, root, "settings", reader->error));
    TM_TRY(tmi_arena_reserve(&rows, reader->arena, (size_t)count_tables(table) + 1, sizeof(*rows), what_for,
                             reader->error));
    mod->settings = rows;
    for (; table; table = table->next)
        TM_TRY(read_mod_setting(&rows[mod->num_settings++], reader, table));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- entities and marks */

static tm_status read_mod_entities(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    static const char *const keys[] = {"sheet", "masked", "shown", "hidden", NULL};
    const tm_json *table;
    TM_TRY(tmi_toml_table(&table, root, "entities", reader->error));
    if (!table)
        return TM_OK;
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(read_mod_name(&mod->sheet, reader, table, "sheet", "+-_"));
    TM_TRY(read_mod_bool(&mod->masked, reader, table, "masked"));
    TM_TRY(read_mod_ranges(&mod->shown, &mod->num_shown, reader, table, "shown"));
    return read_mod_ranges(&mod->hidden, &mod->num_hidden, reader, table, "hidden");
}

static tm_status read_mod_mark(tm_mod_mark *mark, const mod_reader *reader, const tm_json *table)
{
    static const char *const keys[] = {"index",   "layers", "kinds", "least", "with",
                                       "without", "fewer",  "race",  "why",   NULL};
    int32_t kinds = 1, least = 1;
    bool race = true;
    *mark = (tm_mod_mark){.no_race = false};
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(need_mod_key(reader, table, "index"));
    TM_TRY(read_mod_ranges(&mark->tiles, &mark->num_tiles, reader, table, "index"));
    TM_TRY(read_mod_layers(mark->layers, reader, table));
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (mark->layers[kind] && kind != TM_LAYER_GAME && kind != TM_LAYER_FRONT)
            return tmi_toml_fail(table, reader->error, "marks are tiles of game and front layers");
    TM_TRY(read_mod_number(&kinds, reader, table, "kinds", 1, TM_TILE_INDICES));
    TM_TRY(read_mod_number(&least, reader, table, "least", 1, INT32_MAX));
    TM_TRY(read_mod_ranges(&mark->required, &mark->num_required, reader, table, "with"));
    TM_TRY(read_mod_ranges(&mark->excluded, &mark->num_excluded, reader, table, "without"));
    TM_TRY(read_mod_ranges(&mark->fewer, &mark->num_fewer, reader, table, "fewer"));
    TM_TRY(read_mod_bool(&race, reader, table, "race"));
    TM_TRY(read_mod_text(&mark->reason, reader, table, "why"));
    mark->kinds = (uint32_t)kinds;
    mark->least = (uint32_t)least;
    mark->no_race = !race;
    return TM_OK;
}

static tm_status read_mod_marks(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    static const char *const keys[] = {"groups", "lines", "settings", "images", "tiles", NULL};
    const tm_json *table, *tiles;
    tm_mod_mark *marks;
    TM_TRY(tmi_toml_table(&table, root, "marks", reader->error));
    if (!table)
        return TM_OK;
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(read_mod_list(&mod->groups, &mod->num_groups, reader, table, "groups"));
    TM_TRY(read_mod_list(&mod->lines, &mod->num_lines, reader, table, "lines"));
    TM_TRY(read_mod_list(&mod->commands, &mod->num_commands, reader, table, "settings"));
    TM_TRY(read_mod_list(&mod->images, &mod->num_images, reader, table, "images"));
    TM_TRY(tmi_toml_tables(&tiles, table, "tiles", reader->error));
    TM_TRY(tmi_arena_reserve(&marks, reader->arena, (size_t)count_tables(tiles) + 1, sizeof(*marks), what_for,
                             reader->error));
    mod->marks = marks;
    for (; tiles; tiles = tiles->next)
        TM_TRY(read_mod_mark(&marks[mod->num_marks++], reader, tiles));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- lint */

static const char *rules_word(int n)
{
    return tm_mod_rules_name((tm_mod_rules)n);
}

static const char *severity_word(int n)
{
    return n + TM_SEVERITY_NOTE <= TM_SEVERITY_ERROR ? tm_severity_name((tm_severity)(n + TM_SEVERITY_NOTE))
                                                     : NULL;
}

static tm_status read_mod_lint(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    static const char *const keys[] = {"rules", "ignore", "severity", NULL};
    const tm_json *table, *severities;
    int rules = TM_MOD_RULES_ALL;
    TM_TRY(tmi_toml_table(&table, root, "lint", reader->error));
    if (!table)
        return TM_OK;
    TM_TRY(tmi_toml_check_keys(table, keys, reader->error));
    TM_TRY(read_mod_word(&rules, reader, table, "rules", rules_word));
    mod->rules = (tm_mod_rules)rules;
    TM_TRY(read_mod_list(&mod->ignored, &mod->num_ignored, reader, table, "ignore"));
    TM_TRY(tmi_toml_table(&severities, table, "severity", reader->error));
    tm_mod_severity *list;
    TM_TRY(tmi_arena_reserve(&list, reader->arena, severities ? (size_t)severities->num + 1 : 1,
                             sizeof(*list), what_for, reader->error));
    mod->severities = list;
    for (const tm_json *node = severities ? severities->first : NULL; node; node = node->next) {
        int severity = 0;
        TM_TRY(read_mod_word(&severity, reader, severities, node->name, severity_word));
        list[mod->num_severities++] =
            (tm_mod_severity){node->name, (tm_severity)(severity + TM_SEVERITY_NOTE)};
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- the whole */

static const char *base_word(int n)
{
    return n == TM_GAME_COUNT ? "map" : n == TM_GAME_COUNT + 1 ? "none" : tm_game_name((tm_game)n);
}

static tm_status read_mod(tm_mod *mod, const mod_reader *reader, const tm_json *root)
{
    static const char *const keys[] = {"name",  "aliases",  "title",    "about", "source", "base",
                                       "tiles", "settings", "entities", "marks", "lint",   NULL};
    int base = TM_GAME_COUNT;
    TM_TRY(tmi_toml_check_keys(root, keys, reader->error));
    if (!tm_json_get(root, "name"))
        return tmi_fail(reader->error, TM_ERROR_USAGE, -1, "line 1: the mod has no 'name'");
    TM_TRY(read_mod_name(&mod->name, reader, root, "name", "+-"));
    TM_TRY(read_mod_list(&mod->aliases, &mod->num_aliases, reader, root, "aliases"));
    TM_TRY(read_mod_text(&mod->title, reader, root, "title"));
    TM_TRY(read_mod_text(&mod->description, reader, root, "about"));
    TM_TRY(read_mod_text(&mod->source, reader, root, "source"));
    mod->title = mod->title ? mod->title : mod->name;
    TM_TRY(read_mod_word(&base, reader, root, "base", base_word));
    mod->base = base > TM_GAME_COUNT ? TM_NONE : base;
    TM_TRY(read_mod_tiles(mod, reader, root));
    TM_TRY(read_mod_settings(mod, reader, root));
    TM_TRY(read_mod_entities(mod, reader, root));
    TM_TRY(read_mod_marks(mod, reader, root));
    return read_mod_lint(mod, reader, root);
}

tm_status tm_mod_read(tm_mod **out, const char *text, size_t size, const tm_allocator *allocator,
                      tm_error *error)
{
    mod_holder *holder;
    tm_json *root;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(text, "text", error));
    if (size > MAX_TEXT)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file of a mod has %d bytes at most", MAX_TEXT);
    TM_TRY(tmi_reserve_zeroed(&holder, allocator, 1, sizeof(*holder), what_for, error));
    holder->has_own = allocator;
    if (allocator)
        holder->allocator = *allocator;
    tmi_arena_init(&holder->arena, allocator ? &holder->allocator : NULL);
    const mod_reader reader = {&holder->arena, error};
    tm_status status = tmi_toml_read(&root, &holder->arena, text, size, error);
    if (!status)
        status = read_mod(&holder->mod, &reader, root);
    if (status)
        tm_mod_free(&holder->mod);
    else
        *out = &holder->mod;
    return status;
}

void tm_mod_free(tm_mod *mod)
{
    mod_holder *holder = (mod_holder *)(void *)mod;
    if (!mod)
        return;
    const tm_allocator allocator = holder->allocator;
    const bool has_own = holder->has_own;
    tmi_arena_release(&holder->arena);
    tmi_free(has_own ? &allocator : NULL, holder, 1, sizeof(*holder));
}
