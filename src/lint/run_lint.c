/* SPDX-License-Identifier: Zlib */
/*
 * Chooses and runs the rules for a map: those of its sets, then changes by configurations from the first file
 * to the last, then the choices of the caller. Rules run in the order of their dependencies.
 */
#include "lint_config.h"

/* ------------------------------------------------------------------------------------------------- paths */

/* Where to retry with a longer star when the rest does not fit. */
typedef struct glob_star {
    const char *glob, *path; /* behind the star, and what it covers so far; NULL: there was none */
    bool parts;              /* it covers whole parts of the path: it was "**" with a slash behind it */
} glob_star;

/* One character more for **, or one part. */
static bool step_stars(glob_star *stars)
{
    if (!stars->path || !*stars->path)
        return false;
    do
        stars->path++;
    while (stars->parts && *stars->path && stars->path[-1] != '/');
    return !stars->parts || *stars->path;
}

/*
 * Whether a path fits a glob: * stands for anything but a slash, ** for anything, ? for one character that
 * is no slash. Where the rest does not fit, the last * takes one character more, and when it cannot, the last
 * **.
 */
static bool fits_glob(const char *glob, const char *path)
{
    glob_star star = {.glob = NULL}, stars = {.glob = NULL};
    while (*path || *glob) {
        if (glob[0] == '*' && glob[1] == '*') {
            stars = (glob_star){glob + (glob[2] == '/' ? 3 : 2), path, glob[2] == '/'};
            star.path = NULL;
            glob = stars.glob;
        } else if (glob[0] == '*') {
            star = (glob_star){++glob, path, false};
        } else if (*path && (*glob == *path || (*glob == '?' && *path != '/'))) {
            glob++;
            path++;
        } else if (star.path && *star.path && *star.path != '/') {
            glob = star.glob;
            path = ++star.path;
        } else if (step_stars(&stars)) {
            glob = stars.glob;
            path = stars.path;
            star.path = NULL;
        } else {
            return false;
        }
    }
    return true;
}

static bool scope_fits(const tmi_lint_scope *scope, const char *path)
{
    const size_t size = strlen(scope->folder);
    const char *below = strncmp(path, scope->folder, size) == 0 ? path + size : path;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool fits = !scope->num_globs;
    for (uint32_t i = 0; i < scope->num_globs && !fits; i++)
        fits = fits_glob(scope->globs[i], strchr(scope->globs[i], '/') ? below : name);
    return fits;
}

/* ----------------------------------------------------------------------------------------------- choices */

static void follow_choice(tmi_lint *lint, const tm_lint_choice *choice)
{
    for (uint32_t n = 0; n < lint->num_rules; n++) {
        tmi_lint_state *state = &lint->rules[n];
        const tm_lint_rule *rule = &state->row->rule;
        const bool own = rule->custom_id && choice->name &&
                         strcmp(choice->name, tm_finding_name(TM_FINDING_OWN_RULE)) == 0;
        const bool by_id = choice->id == TM_FINDING_NONE || choice->id == rule->id;
        if (!(choice->name ? own || tm_lint_rule_fits(rule, choice->name) : by_id))
            continue;
        if (choice->severity)
            state->severity = choice->severity;
        state->chosen |= choice->severity != 0;
        state->selected = (state->selected || choice->on) && !choice->off;
        state->asked = (state->asked || choice->on) && !choice->off;
    }
}

/* ------------------------------------------------------------------------------------------------- sets */

enum { FIGHTS = TM_LINT_CTF | TM_LINT_DM, RACES = TM_LINT_TYPES & ~(FIGHTS | TM_LINT_MODS) };

/* Sets and types by the tiles of the game layer: race or not, and the type of a fight. */
static uint32_t sets_of_tiles(const bool *has)
{
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        const tm_tile_info *info =
            has[index] ? tm_game_tile(TM_GAME_DDNET, TM_LAYER_GAME, (uint8_t)index) : NULL;
        if (info && (info->category == TM_CATEGORY_FREEZE || info->category == TM_CATEGORY_RACE))
            return TM_LINT_DDNET;
    }
    if (has[TM_TILE_FLAG_RED] || has[TM_TILE_FLAG_BLUE])
        return TM_LINT_CTF;
    return has[TM_TILE_SPAWN] || has[TM_TILE_SPAWN_RED] || has[TM_TILE_SPAWN_BLUE] ? TM_LINT_DM : 0;
}

/*
 * Which sets suit a map: a mod by its groups, settings, images or tiles; else TM_LINT_TEEWORLDS07 by its
 * dialect, TM_LINT_DDNET if it has anything that only DDNet knows, else TM_LINT_VANILLA; always with
 * TM_LINT_STYLE. Of the other types those that a map tells: solo by its settings, ctf by flags, dm by spawns
 * without flags. `game` is the grid of its game layer; *mod is what the map tells of a mod.
 */
static uint32_t guess_sets(tmi_lint_mod *mod, const tm_map *map, const tm_grid *game)
{
    bool has[TM_TILE_INDICES] = {false};
    const tm_tile *tiles = game->tiles;
    for (uint64_t i = 0; tiles && i < (uint64_t)game->width * game->height; i++)
        has[tiles[i].index] = true;
    const uint32_t of_mod = tmi_lint_mod_set(mod, map, game), by_tiles = sets_of_tiles(has);
    if (of_mod)
        return TM_LINT_STYLE | of_mod;
    if (map->game == TM_GAME_TEEWORLDS07)
        return TM_LINT_TEEWORLDS07 | TM_LINT_STYLE | (by_tiles & FIGHTS);
    bool of_ddnet = false; /* settings besides comments for lint, or layers that Teeworlds does not have */
    for (uint32_t i = 0; i < map->info.num_settings && !of_ddnet; i++)
        of_ddnet = !tmi_lint_suppressions_of(map->info.settings[i]);
    for (tm_layer_walk walk = {0}; !of_ddnet && tm_map_next_layer(map, &walk);) {
        const tm_layer_info *info = tm_game_layer(walk.layer->kind);
        of_ddnet = info->is_physics && !info->games[TM_GAME_TEEWORLDS06];
    }
    if (of_ddnet)
        return TM_LINT_DDNET | TM_LINT_STYLE |
               (tmi_lint_last_value(map, "sv_solo_server", 0) == 1 ? TM_LINT_SOLO : 0);
    return TM_LINT_STYLE | (by_tiles & TM_LINT_DDNET ? by_tiles : by_tiles | TM_LINT_VANILLA);
}

/* ---------------------------------------------------------------------------------------------- deciding */

/* A file with nothing but settings adds these to what is known; any other says for which mod the map is. */
static void set_mod(tmi_lint *lint, const tm_mod *mod)
{
    const bool only_settings = mod && mod->num_settings && !mod->num_tiles && !mod->sheet &&
                               !mod->num_marks && !mod->num_groups && !mod->num_lines && !mod->num_commands &&
                               !mod->num_images && mod->rules == TM_MOD_RULES_ALL && !mod->num_ignored &&
                               !mod->num_severities && mod->base == TM_GAME_COUNT;
    if (only_settings)
        lint->extra = mod;
    else if (mod)
        lint->mod = (tmi_lint_mod){.mod = mod, .title = mod->title, .rules = mod->rules, .chosen = true};
}

static tm_status choose_sets(tmi_lint *lint, const tm_lint_options *options, const char *path)
{
    uint32_t sets = options->sets;
    for (const tmi_lint_scope *scope = options->config ? options->config->scopes : NULL;
         scope && !options->sets; scope = scope->next)
        sets = scope->sets && scope_fits(scope, path) ? scope->sets : sets;
    lint->guessed = !sets;
    lint->apart = options->apart;
    set_mod(lint, options->mod);
    if (!(sets & TM_LINT_TYPES))
        tmi_lint_borrow_layer(lint, TM_LAYER_GAME);
    TM_TRY(lint->status);
    const uint32_t guess = guess_sets(&lint->mod, lint->map, &lint->layers[TM_LAYER_GAME].grid);
    /* sets with those that belong to their types, and the guessed type when they have none */
    if (!(sets & TM_LINT_TYPES) && sets & ~(uint32_t)TM_LINT_STYLE)
        sets |= guess & TM_LINT_TYPES & ~(uint32_t)TM_LINT_MODS;
    if (sets & RACES)
        sets |= TM_LINT_DDNET;
    if (sets & FIGHTS && !(sets & (TM_LINT_VANILLA | TM_LINT_TEEWORLDS07)))
        sets |= lint->map->game == TM_GAME_TEEWORLDS07 ? TM_LINT_TEEWORLDS07 : TM_LINT_VANILLA;
    lint->sets = sets ? sets : guess;
    const uint32_t types = lint->sets & TM_LINT_TYPES;
    for (uint32_t n = 0; n < lint->num_rules; n++) {
        const tm_lint_rule *rule = &lint->rules[n].row->rule;
        const bool excepted = types && !(types & ~rule->not_for); /* every type of the map says so */
        lint->rules[n].asked = rule->custom_id || (rule->sets & lint->sets && !excepted);
    }
    lint->game = lint->map->game == TM_GAME_TEEWORLDS07       ? TM_GAME_TEEWORLDS07
                 : lint->sets & (TM_LINT_DDNET | TM_LINT_KOG) ? TM_GAME_DDNET
                 : lint->sets & TM_LINT_VANILLA               ? TM_GAME_TEEWORLDS06
                                                              : TM_GAME_DDNET;
    return TM_OK;
}

/* Which rules are asked, and how severe they are: by sets, configurations, then choices. */
static tm_status choose_rules(tmi_lint *lint, const tm_lint_options *options, tm_error *error)
{
    const char *path = options->path ? options->path : "";
    if (options->num_choices && !options->choices)
        return tmi_need(NULL, "choices", error);
    const uint32_t known = TM_LINT_ALL | TM_LINT_TYPES;
    if (options->sets & ~known)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "sets %u are not from 1 to %u", (unsigned)options->sets,
                        (unsigned)known);
    const tmi_lint_custom *custom = options->config ? options->config->rules : NULL;
    const uint32_t num_rows = tmi_lint_num_rows();
    lint->num_rules = num_rows + (options->config ? options->config->num_rules : 0);
    TM_TRY(tmi_reserve_zeroed(&lint->rules, lint->allocator, lint->num_rules, sizeof(*lint->rules), "rules",
                              error));
    for (uint32_t n = 0; n < num_rows; n++) {
        lint->rules[n].row = tmi_lint_row_at(n);
        lint->rules[n].severity = tmi_finding_severity(lint->rules[n].row->rule.id, TM_MODE_GAME, NULL);
    }
    for (uint32_t n = num_rows; custom; custom = custom->next, n++) {
        lint->rules[n].row = &custom->row;
        lint->rules[n].severity = custom->severity;
    }
    TM_TRY(choose_sets(lint, options, path));
    for (const tmi_lint_scope *scope = options->config ? options->config->scopes : NULL; scope;
         scope = scope->next)
        for (uint32_t i = 0; i < scope->num_choices && scope_fits(scope, path); i++)
            follow_choice(lint, &scope->choices[i]);
    for (size_t i = 0; i < options->num_choices; i++) {
        const tm_lint_choice *choice = &options->choices[i];
        if (!choice->name && choice->id != TM_FINDING_NONE && !tmi_lint_rule_of(choice->id))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "finding %d is none of a rule", (int)choice->id);
        if ((int)choice->severity < 0 || choice->severity > TM_SEVERITY_ERROR)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "severity %d is not from 0 to %d",
                            (int)choice->severity, TM_SEVERITY_ERROR);
        follow_choice(lint, choice);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ asking */

static bool is_asked(const tmi_lint *lint, tm_lint_cost cost)
{
    for (uint32_t n = 0; n < lint->num_rules; n++)
        if (lint->rules[n].asked && lint->rules[n].row->rule.cost == cost)
            return true;
    return false;
}

static void note_if_wrong(tmi_lint *lint, uint32_t rule, tm_address address, uint32_t number)
{
    const tmi_lint_row *row = lint->rules[rule].row;
    tm_kind owner;
    tmi_lint_object object = {.lint = lint, .address = address, .number = number, .count = 1};
    object.pointer = tmi_map_object(lint->map, &address, &owner);
    if (!row->look(&object))
        return;
    tmi_lint_note *note =
        tmi_lint_note_add(lint, rule, address, "%s", object.text[0] ? object.text : row->phrase);
    tmi_lint_note_count(note, object.count);
    tmi_lint_note_fix(note, "%s", object.fix);
    if (note)
        note->at_worst = object.at_worst;
}

/* Shows a rule the objects of its kinds in the order of the map. */
static void look_at_objects(tmi_lint *lint, uint32_t rule)
{
    const uint32_t kinds = lint->rules[rule].row->objects;
    tm_address address = {TM_KIND_MAP, 0, 0};
    uint32_t num_layers = 0;
    if (kinds == TMI_LINT_AT_GAME) {
        note_if_wrong(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME), 0);
        return;
    }
    for (tm_kind kind = TM_KIND_MAP; kind <= TM_KIND_SETTINGS; kind++)
        if (kinds >> kind & 1)
            note_if_wrong(lint, rule, (tm_address){kind, 0, 0}, 0);
    while (!lint->status && tmi_next_object(lint->map, &address) && kinds >> address.kind) {
        if (kinds >> address.kind & 1)
            note_if_wrong(lint, rule, address, num_layers);
        num_layers += address.kind == TM_KIND_LAYER;
    }
}

static tm_status run_rules(tmi_lint *lint)
{
    tmi_lint_read_suppressions(lint);
    tmi_settings_numbers(lint->named, lint->map, NULL);
    /* The scan keeps all physics layers unpacked, so layers of the survey are dropped before. */
    if (is_asked(lint, TM_LINT_DESIGN))
        tmi_lint_make_survey(lint);
    if (is_asked(lint, TM_LINT_PHYSICS) && !lint->status)
        tmi_lint_scan(lint);
    if (!lint->status)
        tmi_lint_find_mod(lint);
    if (!lint->status)
        tmi_lint_see_commands(lint);
    for (uint32_t rule = 0; rule < lint->num_rules && !lint->status; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        if (lint->job && lint->job->progress)
            lint->job->progress(lint->job->progress_ctx, rule, lint->num_rules);
        if (lint->job && tmi_cancelled(lint->job->cancel))
            return tmi_fail(lint->error, TM_ERROR_CANCELLED, -1, "cancelled");
        if (!tmi_lint_may_judge(lint, rule))
            continue;
        if (row->look)
            look_at_objects(lint, rule);
        if (row->judge)
            row->judge(lint, rule);
    }
    if (!lint->status)
        tmi_lint_scan_again(lint);
    return lint->status;
}

tm_status tm_lint_run(tm_lint_result *out, const tm_map *map, const tm_lint_options *options, tm_error *error)
{
    tm_lint_options effective;
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_lint_options", error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    tmi_lint *lint = tmi_calloc(allocator, 1, sizeof(*lint)); /* too large for some stacks */
    if (!lint)
        return tmi_fail_memory(error, sizeof(*lint), "rules");
    lint->map = map;
    lint->allocator = allocator;
    lint->work = tmi_compare_work_of(&map->priv->limits);
    lint->read_rules = effective.rules;
    lint->rules_ctx = effective.rules_ctx;
    lint->file_size = effective.file_size;
    lint->job = effective.job;
    lint->refusals = effective.refusals;
    lint->path = effective.path ? effective.path : "";
    lint->most = effective.most ? effective.most : TMI_LINT_NOTES;
    tm_error failure = {.offset = -1}; /* damage that is only counted is no failure of the caller's */
    lint->error = &failure;
    tmi_arena_init(&lint->arena, allocator);
    tm_status status = tmi_lint_begin_result(out, lint, &failure);
    if (!status)
        status = choose_rules(lint, &effective, &failure);
    if (!status)
        status = run_rules(lint);
    if (!status)
        status = tmi_lint_report_notes(out, lint, &failure);
    if (status && error)
        *error = failure;
    tmi_lint_release_layers(lint);
    tmi_lint_release_mappers(lint);
    if (lint->reach)
        tmi_free(allocator, lint->reach->points, lint->reach->max_points, sizeof(*lint->reach->points));
    tmi_free(allocator, lint->rules, lint->num_rules, sizeof(*lint->rules));
    tmi_arena_release(&lint->arena);
    tmi_free(allocator, lint, 1, sizeof(*lint));
    if (status)
        tm_lint_result_release(out);
    return status;
}
