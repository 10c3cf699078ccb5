/* SPDX-License-Identifier: Zlib */
/*
 * The search as a whole, and the numbers that tiles have.
 */
#include "find.h"

tm_status tm_map_find(const tm_map *map, tm_pattern *const *patterns, uint32_t num,
                      const tm_find_options *options, tm_match_visit *visit, void *ctx, tm_error *error)
{
    tm_find_options own;
    TM_TRY(tmi_check_map(map, error));
    if (num)
        TM_TRY(tmi_need(patterns, "patterns", error));
    if (!visit)
        return tmi_need(NULL, "visit", error);
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(tmi_need(patterns[i], "pattern", error));
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_find_options", error));
    finding_run run = {.map = map, .options = &own, .visit = visit, .ctx = ctx, .error = error};
    TM_TRY(tmi_find_tiles(&run, patterns, num, error));
    for (uint32_t i = 0; i < num && !run.ended; i++)
        if (!tmi_pattern_of_tiles(patterns[i]))
            TM_TRY(tmi_find_objects(&run, &patterns[i]->what, i, error));
    return run.status;
}

/* ------------------------------------------------------------------------------------------------ numbers */

const char *tm_number_pool_name(tm_tile_number pool)
{
    switch (pool) {
    case TM_NUMBER_TELE: return "tele";
    case TM_NUMBER_CHECKPOINT: return "checkpoint";
    case TM_NUMBER_SWITCH: return "switch";
    case TM_NUMBER_ZONE: return "tune";
    case TM_NUMBER_NONE:
    case TM_NUMBER_SECONDS: break;
    }
    return NULL;
}

static void count_numbers(uint64_t counts[256], const tm_grid *grid, tm_layer_kind kind, tm_tile_number pool)
{
    const tm_layer_info *rule = tm_game_layer(kind);
    bool counted[256];
    for (int i = 0; i < 256; i++)
        counted[i] = tmi_tile_pool(kind, (uint8_t)i) == pool;
    const size_t num = grid->tiles ? (size_t)grid->width * grid->height : 0;
    const uint8_t *tile = grid->tiles;
    for (size_t i = 0; i < num; i++, tile += grid->tile_size)
        if (counted[tile[rule->index_at]])
            counts[tile[rule->number_at]]++;
}

tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool, tm_error *error)
{
    tm_layer_walk at = {0};
    TM_TRY(tmi_need(counts, "counts", error));
    memset(counts, 0, 256 * sizeof(*counts));
    TM_TRY(tmi_check_map(map, error));
    if (!tm_number_pool_name(pool))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "pool is %u, which is none of tiles with numbers",
                        (unsigned)pool);
    while (tm_map_next_layer(map, &at)) {
        tmi_borrowed loan;
        tm_grid grid;
        if (tm_game_layer(at.layer->kind)->number_at == TM_NONE)
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, map, at.layer, error);
        if (status)
            return tmi_fail_at_address(error, status, map,
                                       (tm_address){TM_ADDRESS_LAYER, at.group, at.index});
        count_numbers(counts, &grid, at.layer->kind, pool);
        tmi_borrowed_close(&loan);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------- numbers in settings */

static const struct {
    const char *command;
    tm_tile_number pool;
} numbered[] = {{"switch_open", TM_NUMBER_SWITCH},
                {"tune_zone", TM_NUMBER_ZONE},
                {"tune_zone_enter", TM_NUMBER_ZONE},
                {"tune_zone_leave", TM_NUMBER_ZONE},
                {"tune_zone_reset", TM_NUMBER_ZONE}};

/* Commands compare without case, as in the game. */
static bool same_command(const char *text, size_t size, const char *command)
{
    for (size_t i = 0; i < size; i++)
        if (tmi_fold_case(text[i]) != command[i])
            return false;
    return !command[size];
}

static size_t skip_blanks(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return at;
}

/* The offset behind the command at `at`: its end, or that of the text. Semicolons in quotes belong to it. */
static size_t command_end(const char *text, size_t at)
{
    bool quoted = false;
    for (; text[at] && (quoted || text[at] != ';'); at++)
        if (text[at] == '"')
            quoted = !quoted;
        else if (quoted && text[at] == '\\' && text[at + 1])
            at++;
    return at;
}

/* The number behind a command that has one. */
static bool read_command(tmi_setting_number *out, const char *text, size_t at)
{
    const size_t from = skip_blanks(text, at), size = strcspn(text + from, " \t;");
    for (size_t i = 0; i < TMI_COUNT_OF(numbered); i++) {
        if (!same_command(text + from, size, numbered[i].command))
            continue;
        out->pool = numbered[i].pool;
        out->at = skip_blanks(text, from + size);
        const char *digits = text + out->at, *end = digits;
        const bool is_number = tmi_take_digits(&out->number, &end);
        out->size = (size_t)(end - digits);
        return is_number && (!*end || strchr(" \t;", *end));
    }
    return false;
}

bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *from)
{
    size_t at = *from;
    while (text[at]) {
        const bool found = read_command(out, text, at);
        at = command_end(text, at);
        at += text[at] == ';';
        *from = at;
        if (found)
            return true;
    }
    return false;
}
