/* SPDX-License-Identifier: Zlib */
/*
 * The operations renumber and swap numbers. They change the numbers by which tiles work together, and the
 * settings that name them: first make a table of the new numbers, then change tiles and settings.
 */
#include "edit_tiles.h"

static const char numbered_tiles[] = "number=1..255"; /* tiles with a number */

/* The new numbers of a pool. */
typedef struct renumbering {
    tm_tile_number pool;
    bool used[TMI_NUMBERS];  /* by tiles that are meant, and by settings */
    bool joins[TMI_NUMBERS]; /* the user chose its new number, which others may get too */
    uint8_t to[TMI_NUMBERS];
} renumbering;

/* ---------------------------------------------------------------------------------------------- settings */

tm_status tmi_edit_renumber_text(const char **out, tmi_edit *edit, const char *text,
                                 uint8_t to[][TMI_NUMBERS], tm_error *error)
{
    tmi_setting_number found;
    size_t from = 0, done = 0, length = 0;
    const size_t room = strlen(text) * 3 + 1; /* a digit may become three */
    char *changed;
    *out = NULL;
    TM_TRY(tmi_reserve(&changed, edit->scratch, room, 1, "setting", error));
    while (tmi_setting_next(&found, text, &from)) {
        if (found.number >= TMI_NUMBERS || !to[found.pool][found.number])
            continue;
        memcpy(changed + length, text + done, found.at - done);
        length += found.at - done;
        length += tmi_format(changed + length, room - length, "%u", (unsigned)to[found.pool][found.number]);
        done = found.at + found.size;
        *out = changed;
    }
    memcpy(changed + length, text + done, strlen(text + done) + 1);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- tiles */

/* A tile changer that changes nothing, and marks what it sees. */
static void mark_tile(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    renumbering *const *marked = ctx;
    const tm_layer_info *info = tm_game_layer(kind);
    if (tmi_tile_pool(kind, tile[info->index_at]) == (*marked)->pool)
        (*marked)->used[tile[info->number_at]] = true;
}

static void renumber_tile(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    const renumbering *numbers = ctx;
    const tm_layer_info *info = tm_game_layer(kind);
    if (tmi_tile_pool(kind, tile[info->index_at]) == numbers->pool)
        tile[info->number_at] = numbers->to[tile[info->number_at]];
}

static tm_status begin_renumbering(renumbering *out, tmi_edit *edit, const tmi_edit_value *layers,
                                   tm_error *error)
{
    static const tm_tile_number pools[] = {TM_NUMBER_TELE, TM_NUMBER_CHECKPOINT, TM_NUMBER_SWITCH,
                                           TM_NUMBER_ZONE};
    const tmi_tile_changer marker = {mark_tile, &out, ""};
    memset(out, 0, sizeof(*out));
    out->pool = pools[edit->values[0].number];
    for (int n = 0; n < TMI_NUMBERS; n++)
        out->to[n] = (uint8_t)n;
    TM_TRY(tmi_tiles_change(edit, numbered_tiles, layers, &marker, error));
    bool named[TMI_POOLS][TMI_NUMBERS] = {{false}};
    if (!layers->text) /* settings do not name layers, so they only change if the whole map is selected */
        tmi_settings_numbers(named, edit->map, NULL);
    for (int n = 1; n < TMI_NUMBERS; n++)
        out->used[n] |= named[out->pool][n];
    if (!memchr(out->used + 1, true, TMI_NUMBERS - 1))
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map, "no %s number is used",
                        tm_number_pool_name(out->pool));
    return TM_OK;
}

static tm_status finish_renumbering(tmi_edit *edit, const renumbering *numbers, const tmi_edit_value *layers,
                                    tm_error *error)
{
    const tmi_tile_changer changer = {renumber_tile, numbers, "with other numbers"};
    uint8_t to[TMI_POOLS][TMI_NUMBERS] = {{0}};
    int from[TMI_NUMBERS] = {0};
    uint64_t count = 0;
    for (int n = 1; n < TMI_NUMBERS; n++) {
        const int other = from[numbers->to[n]];
        if (!numbers->used[n])
            continue;
        if (other && !numbers->joins[n] && !numbers->joins[other]) /* they would work together from then on */
            return tmi_fail(error, TM_ERROR_USAGE, -1, "%d and %d would both become %u", other, n,
                            (unsigned)numbers->to[n]);
        from[numbers->to[n]] = n;
    }
    if (!layers->text) /* it may name the numbers */
        TM_TRY(tmi_unread_refuse_settings(edit->map, error));
    TM_TRY(tmi_tiles_change(edit, numbered_tiles, layers, &changer, error));
    for (int n = 0; n < TMI_NUMBERS; n++)
        to[numbers->pool][n] = numbers->to[n] != n ? numbers->to[n] : 0;
    for (uint32_t i = 0; !layers->text && i < edit->map->info.num_settings; i++) {
        const char **text = &edit->map->info.settings[i], *changed = NULL;
        if (*text)
            TM_TRY(tmi_edit_renumber_text(&changed, edit, *text, to, error));
        if (!changed)
            continue;
        TM_TRY(tm_map_set_text(edit->map, text, changed, error));
        count++;
    }
    if (count)
        tmi_edit_changed(edit, (tm_address){TM_KIND_SETTINGS, 0, 0}, count,
                         "%llu commands with other numbers", (unsigned long long)count);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ changes */

static tm_status fail_change(const char *text, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1,
                    "'%.60s' is not a change of numbers: compact, +10, -3, 5=7, 5..9+10, or several with "
                    "commas between",
                    text);
}

/* Reads one change of numbers: "+10", "-3", "5=7" or "5..9+10". */
static tm_status parse_change(renumbering *numbers, const char **text, tm_error *error)
{
    const char *const whole = *text;
    int32_t from = 1, to = TMI_NUMBERS - 1, by;
    uint32_t becomes;
    if ((tmi_begins_range(whole) && !tmi_take_range(&from, &to, text)) || from < 1 || to >= TMI_NUMBERS ||
        from > to)
        return fail_change(whole, error);
    if (**text == '=' && from == to) {
        ++*text;
        if (!tmi_take_digits(&becomes, text) || becomes < 1 || becomes >= TMI_NUMBERS)
            return fail_change(whole, error);
        numbers->to[from] = (uint8_t)becomes;
        numbers->joins[from] = true;
        return TM_OK;
    }
    if ((**text != '+' && **text != '-') || !tmi_take_number(&by, text))
        return fail_change(whole, error);
    for (int32_t n = from; n <= to; n++) {
        const int64_t number = (int64_t)n + by;
        if (numbers->used[n] && (number < 1 || number >= TMI_NUMBERS))
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "%d would become %lld; numbers go from 1 to 255",
                            (int)n, (long long)number);
        if (numbers->used[n])
            numbers->to[n] = (uint8_t)number;
    }
    return TM_OK;
}

tm_status tmi_edit_renumber(tmi_edit *edit, tm_error *error)
{
    renumbering numbers;
    const tmi_edit_value *layers = &edit->values[2];
    const char *changes = edit->values[1].text, *cursor = changes;
    const bool compacts = strcmp(changes, "compact") == 0;
    uint8_t next = 1;
    TM_TRY(begin_renumbering(&numbers, edit, layers, error));
    for (int n = 1; compacts && n < TMI_NUMBERS; n++)
        if (numbers.used[n])
            numbers.to[n] = next++;
    while (!compacts) {
        TM_TRY(parse_change(&numbers, &cursor, error));
        if (!*cursor)
            break;
        if (*cursor++ != ',')
            return fail_change(changes, error);
    }
    return finish_renumbering(edit, &numbers, layers, error);
}

tm_status tmi_edit_swap_numbers(tmi_edit *edit, tm_error *error)
{
    renumbering numbers;
    const tmi_edit_value *layers = &edit->values[3];
    const int32_t a = edit->values[1].x, b = edit->values[2].x;
    if (a < 1 || a >= TMI_NUMBERS || b < 1 || b >= TMI_NUMBERS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d and %d: numbers go from 1 to 255", (int)a, (int)b);
    TM_TRY(begin_renumbering(&numbers, edit, layers, error));
    numbers.to[a] = (uint8_t)b;
    numbers.to[b] = (uint8_t)a;
    return finish_renumbering(edit, &numbers, layers, error);
}
