/* SPDX-License-Identifier: Zlib */
/*
 * The table of rules: the rows of all families in the order of their numbers, and what may be asked of it.
 */
#include "lint.h"

static const tmi_lint_family *const families[] = {&tmi_lint_race,   &tmi_lint_teleporters, &tmi_lint_switches,
                                                  &tmi_lint_zones,  &tmi_lint_tiles,       &tmi_lint_objects,
                                                  &tmi_lint_design, &tmi_lint_settings};

uint32_t tmi_lint_num_rows(void)
{
    uint32_t num = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(families); i++)
        num += families[i]->num;
    return num;
}

const tmi_lint_row *tmi_lint_row_at(uint32_t rule)
{
    for (size_t i = 0; i < TMI_COUNT_OF(families); i++) {
        if (rule < families[i]->num)
            return &families[i]->rows[rule];
        rule -= families[i]->num;
    }
    return NULL;
}

const tm_lint_rule *tm_lint_rule_at(uint32_t n)
{
    const tmi_lint_row *row = tmi_lint_row_at(n);
    return row ? &row->about : NULL;
}

const tm_lint_rule *tm_lint_rule_of(tm_finding_id id)
{
    const tm_lint_rule *rule;
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++)
        if (rule->id == id)
            return rule;
    return NULL;
}

uint32_t tm_lint_match(const char *pattern, uint32_t from)
{
    const tm_lint_rule *rule;
    for (; pattern && (rule = tm_lint_rule_at(from)); from++)
        if (tmi_text_fits(pattern, strlen(pattern), tm_finding_name(rule->id)))
            return from;
    return UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------ sets */

static const struct {
    uint32_t set;
    const char *name;
} sets[] = {{TM_LINT_DDNET, "ddnet"},     {TM_LINT_KOG, "kog"},
            {TM_LINT_VANILLA, "vanilla"}, {TM_LINT_TEEWORLDS07, "teeworlds07"},
            {TM_LINT_STYLE, "style"},     {TM_LINT_ALL, "all"}};

const char *tm_lint_set_name(uint32_t set)
{
    for (size_t i = 0; i < TMI_COUNT_OF(sets); i++)
        if (sets[i].set == set)
            return sets[i].name;
    return NULL;
}

static uint32_t set_of(const char *name, size_t size)
{
    for (size_t i = 0; i < TMI_COUNT_OF(sets); i++)
        if (strlen(sets[i].name) == size && memcmp(sets[i].name, name, size) == 0)
            return sets[i].set;
    return 0;
}

bool tm_lint_sets_from_text(uint32_t *out, const char *text)
{
    uint32_t sum = 0;
    if (out)
        *out = 0;
    if (!out || !text)
        return false;
    for (;; text++) {
        const size_t size = strcspn(text, ",");
        const uint32_t set = set_of(text, size);
        if (!set)
            return false;
        sum |= set;
        text += size;
        if (!*text)
            break;
    }
    *out = sum;
    return true;
}

/* Tiles without which no race is one. */
static bool has_race_tiles(const tm_map *map, const tm_layer *game)
{
    tmi_borrowed loan;
    tm_grid grid;
    bool found = false;
    if (tmi_borrowed_grid(&loan, &grid, map, game, NULL))
        return false;
    const tm_tile *tiles = grid.tiles;
    for (uint64_t i = 0; tiles && !found && i < (uint64_t)grid.width * grid.height; i++) {
        const tm_tile_rule *rule =
            tiles[i].index ? tm_rules_tile(TM_GAME_DDNET, game->kind, tiles[i].index) : NULL;
        found = rule && (rule->category == TM_CATEGORY_FREEZE || rule->category == TM_CATEGORY_RACE);
    }
    tmi_borrowed_close(&loan);
    return found;
}

uint32_t tm_lint_guess_sets(const tm_map *map)
{
    tm_layer_walk at = {0};
    bool ddnet = false;
    if (!map)
        return 0;
    if (map->game == TM_GAME_TEEWORLDS07)
        return TM_LINT_TEEWORLDS07 | TM_LINT_STYLE;
    while (!ddnet && tm_map_next_layer(map, &at)) {
        const tm_layer_rule *rule = tm_rules_layer(at.layer->kind);
        ddnet = rule->is_physics && !rule->games[TM_GAME_TEEWORLDS06];
    }
    const tm_layer *game = tm_map_physics_layer(map, TM_LAYER_GAME, NULL, NULL);
    ddnet = ddnet || map->info.num_settings || (game && has_race_tiles(map, game));
    return (ddnet ? TM_LINT_DDNET : TM_LINT_VANILLA) | TM_LINT_STYLE;
}
