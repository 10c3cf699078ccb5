/* SPDX-License-Identifier: Zlib */
/*
 * Reads patterns of tiles into tables, which say of each value of each byte whether it fits.
 *
 *   tiles   = [ set [ "@" region ] "/" ] part { ":" part }
 *   part    = [ "!" ] ( list of indices, ids and words | name "=" list )     all parts must fit
 *   list    = value { "," value }                                            any value may fit
 *   value   = number [ ".." number ]
 *
 * A number alone is an index in the first part and the number byte in the others. Tiles of index 0 fit only
 * where 0 or air is named.
 */
#include "find.h"

/* ---------------------------------------------------------------------------------------- parts of tiles */

/* Shared by patterns and the tiles that an operation writes. */
static const char *const part_names[TMI_TILE_PARTS] = {
    [TMI_PART_INDEX] = "index", [TMI_PART_NUMBER] = "number", [TMI_PART_FLAGS] = "flags",
    [TMI_PART_DELAY] = "delay", [TMI_PART_FORCE] = "force",   [TMI_PART_MAX_SPEED] = "max",
    [TMI_PART_ANGLE] = "angle",
};

int tmi_tile_part_at(tm_layer_kind kind, tmi_tile_part part)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const bool speedup = kind == TM_LAYER_SPEEDUP;
    switch (part) {
    case TMI_PART_INDEX: return info->index_at;
    case TMI_PART_NUMBER: return info->number_at;
    case TMI_PART_FLAGS: return info->flags_at;
    case TMI_PART_DELAY: return info->delay_at;
    case TMI_PART_FORCE: return speedup ? (int)offsetof(tm_speedup_tile, force) : TM_NONE;
    case TMI_PART_MAX_SPEED: return speedup ? (int)offsetof(tm_speedup_tile, max_speed) : TM_NONE;
    case TMI_PART_ANGLE: return speedup ? (int)offsetof(tm_speedup_tile, angle) : TM_NONE;
    case TMI_TILE_PARTS: break;
    }
    return TM_NONE;
}

/* -------------------------------------------------------------------------------------------------- texts */

void tmi_suggest_tiles(tm_suggestion *meant)
{
    const tm_tile_info *info;
    tm_suggestion_try(meant, "air");
    for (uint32_t n = 0; (info = tm_game_tile_at(n)); n++)
        tm_suggestion_try(meant, info->id);
    const tm_mod *mod;
    for (uint32_t n = 0; (mod = tm_mod_at(n)); n++)
        for (uint32_t i = 0; i < mod->num_tiles; i++)
            tm_suggestion_try(meant, mod->tiles[i].id);
}

/* ------------------------------------------------------------------------------------------------- values */

/* Reads flags, such as "none" or "flip_x+rotate". */
static bool take_flags(int32_t *out, const char **text)
{
    const tm_field *field = tm_field_find(TM_KIND_TILE, "flags");
    *out = 0;
    if (tmi_take_word("none", text))
        return true;
    do {
        int32_t bit = 1;
        while (bit <= TM_TILE_ROTATE && !tmi_take_word(field->choice(bit), text))
            bit *= 2;
        if (bit > TM_TILE_ROTATE)
            return false;
        *out |= bit;
    } while (tmi_take_word("+", text));
    return true;
}

/* The values that a part can have. */
static tmi_value_range values_of(tmi_tile_part part)
{
    return part == TMI_PART_ANGLE ? (tmi_value_range){INT16_MIN, INT16_MAX} : (tmi_value_range){0, UINT8_MAX};
}

bool tmi_part_take(tmi_value_range *out, tmi_tile_part part, const char **text)
{
    const tmi_value_range whole = *out = values_of(part);
    if (part == TMI_PART_FLAGS && !tmi_begins_range(*text)) {
        if (!take_flags(&out->from, text))
            return false;
        out->to = out->from;
    } else if (!tmi_take_range(&out->from, &out->to, text)) {
        return false;
    }
    return out->from <= out->to && out->from >= whole.from && out->to <= whole.to;
}

bool tmi_part_find(tmi_tile_part *out, const char *name, size_t size)
{
    for (int part = 0; part < TMI_TILE_PARTS; part++) {
        if (strlen(part_names[part]) == size && memcmp(part_names[part], name, size) == 0) {
            *out = (tmi_tile_part)part;
            return true;
        }
    }
    return false;
}

enum { LONGEST_PART = 128 };

/* One part of a pattern: a text without colons, with what it does to the test. */
typedef struct part_reader {
    tile_test *test;
    tmi_arena *arena;
    const char *part; /* for errors: without the ! */
    bool but;         /* the part begins with ! */
    bool first;
    bool *names_zero; /* some part says that index 0 fits */
} part_reader;

static tm_status fail_part(const part_reader *reader, const char *allowed, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not %s", reader->part, allowed);
}

/* ------------------------------------------------------------------------------------------------ indices */

/*
 * Adds the tiles of a category, or those whose names fit a pattern, in the kinds of layers where games know
 * them. False: there are none.
 */
static bool add_rules(bool set[TILE_KINDS][256], const char *word, bool categories)
{
    bool any = false;
    const tm_tile_info *info;
    const tm_mod *mod;
    for (uint32_t n = 0; !categories && !strchr(word, '*') && (mod = tm_mod_at(n)); n++)
        for (uint32_t i = 0; i < mod->num_tiles; i++) {
            const tm_tile_info *tile = &mod->tiles[i];
            if (strcmp(word, tile->id) != 0 || tm_game_tile_by_id(word))
                continue;
            any = true;
            for (int kind = 0; kind < TILE_KINDS; kind++)
                set[kind][tile->index] |= tile->layers[kind];
        }
    for (uint32_t n = 0; (info = tm_game_tile_at(n)); n++) {
        if (categories ? strcmp(tm_tile_category_name(info->category), word) != 0
                       : !tmi_text_fits(word, info->id))
            continue;
        any = true;
        for (int kind = 0; kind < TILE_KINDS; kind++)
            set[kind][info->index] |= info->layers[kind];
    }
    return any;
}

/* Adds what a word of a list means: an index or a range, air, *, unknown, or names. False: it means none. */
static bool add_word(bool set[TILE_KINDS][256], const char *word)
{
    const char *end = word;
    tmi_value_range range = {0, 0};
    if (tmi_begins_range(word)) {
        if (!tmi_part_take(&range, TMI_PART_INDEX, &end) || *end)
            return false;
    } else if (strcmp(word, "*") == 0) {
        range = (tmi_value_range){1, UINT8_MAX};
    } else if (strcmp(word, "unknown") == 0) {
        for (int kind = TM_LAYER_GAME; kind < TILE_KINDS; kind++)
            for (int i = 1; i < 256; i++) /* those that mean nothing in their kind of layer */
                set[kind][i] |= !tm_game_tile(TM_GAME_DDNET, (tm_layer_kind)kind, (uint8_t)i);
        return true;
    } else if (strcmp(word, "air") != 0) {
        return add_rules(set, word, false);
    }
    for (int kind = 0; kind < TILE_KINDS; kind++)
        for (int32_t i = range.from; i <= range.to; i++)
            set[kind][i] = true;
    return true;
}

/* Reads a list of categories, or of indices and names; the test loses the indices that the part excludes. */
static tm_status read_indices(const part_reader *reader, const char *list, bool categories,
                              const char *allowed, tm_error *error)
{
    bool set[TILE_KINDS][256]; /* the indices that this part means in each kind of layer */
    char word[LONGEST_PART], hint[64];
    tm_suggestion meant;
    bool fine = true;
    memset(set, 0, sizeof(set));
    while (list && fine)
        fine = tmi_take_part(word, sizeof(word), &list, ',') &&
               (categories ? add_rules(set, word, true) : add_word(set, word));
    if (!fine) { /* guesses the name that was meant, else lists what is allowed */
        tm_suggestion_begin(&meant, word);
        for (int i = 0; categories && i < TM_TILE_CATEGORY_COUNT; i++)
            tm_suggestion_try(&meant, tm_tile_category_name((tm_tile_category)i));
        if (!categories)
            tmi_suggest_tiles(&meant);
        tm_suggestion_format(&meant, hint, sizeof(hint));
        return meant.best ? tmi_fail(error, TM_ERROR_USAGE, -1, "there is no %s '%.60s'%s",
                                     categories ? "category of tiles" : "tile", word, hint)
                          : tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not %s", word, allowed);
    }
    for (int kind = 0; kind < TILE_KINDS; kind++) {
        *reader->names_zero |= set[kind][0] && !reader->but;
        for (int i = 0; i < 256; i++)
            reader->test->index[kind][i] &= set[kind][i] != reader->but;
    }
    return TM_OK;
}

static tm_status read_index_list(const part_reader *reader, const char *list, tm_error *error)
{
    return read_indices(reader, list, false,
                        "an index from 0 to 255, a range like 60..67, a name of a tile like freeze or tele-* "
                        "('teemap find --tiles' lists them), air, unknown or *",
                        error);
}

/* ------------------------------------------------------------------------------------------ other values */

static tm_status read_values(const part_reader *reader, tmi_tile_part part, const char *list, tm_error *error)
{
    const tmi_value_range whole = values_of(part);
    const size_t num = (size_t)(whole.to - whole.from) + 1;
    const bool *before = reader->test->fits[part];
    bool *fits;
    TM_TRY(tmi_arena_reserve(&fits, reader->arena, num, sizeof(*fits), "pattern", error));
    memset(fits, false, num);
    do {
        tmi_value_range range;
        if (!tmi_part_take(&range, part, &list) || (*list && *list != ','))
            return fail_part(reader,
                             part == TMI_PART_ANGLE   ? "angles from -32768 to 32767, like 90 or 0..179"
                             : part == TMI_PART_FLAGS ? "flags from 0 to 255, none, or like flip_x+rotate"
                                                      : "numbers from 0 to 255, like 5 or 1..9,20",
                             error);
        memset(fits + (range.from - whole.from), true, (size_t)(range.to - range.from) + 1);
    } while (*list++);
    for (size_t i = 0; i < num; i++)
        fits[i] = (!before || before[i]) && fits[i] != reader->but;
    reader->test->fits[part] = fits;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- parts */

static tm_status read_part(const part_reader *reader, tm_error *error)
{
    const char *equals = strchr(reader->part, '=');
    tmi_tile_part part;
    if (!equals && !reader->first && tmi_begins_range(reader->part))
        return read_values(reader, TMI_PART_NUMBER, reader->part, error);
    if (!equals)
        return read_index_list(reader, reader->part, error);
    const size_t size = (size_t)(equals - reader->part);
    if (size == strlen("category") && memcmp(reader->part, "category", size) == 0) {
        tmi_line allowed = {.length = 0};
        tmi_line_add(&allowed, "a category of tiles; there are");
        for (int i = 0; i < TM_TILE_CATEGORY_COUNT; i++)
            tmi_line_add(&allowed, " %s", tm_tile_category_name((tm_tile_category)i));
        return read_indices(reader, equals + 1, true, allowed.text, error);
    }
    if (!tmi_part_find(&part, reader->part, size))
        return fail_part(reader,
                         "a part of a tile; there are index=, category=, number=, flags=, delay=, force=, "
                         "max= and angle=",
                         error);
    return part == TMI_PART_INDEX ? read_index_list(reader, equals + 1, error)
                                  : read_values(reader, part, equals + 1, error);
}

static tm_status read_tile_parts(tile_test *test, const char *text, tmi_arena *arena, tm_error *error)
{
    bool names_zero = false;
    memset(test->index, true, sizeof(test->index));
    for (bool first = true; text; first = false) {
        const char *start = text;
        char part[LONGEST_PART];
        if (!tmi_take_part(part, sizeof(part), &text, ':') || !part[0])
            return tmi_fail(error, TM_ERROR_USAGE, -1,
                            "'%.60s' is not a part of a pattern like 60..67, freeze, tele-in:5", start);
        const bool but = part[0] == '!';
        const part_reader reader = {test, arena, part + but, but, first, &names_zero};
        TM_TRY(read_part(&reader, error));
    }
    for (int kind = 0; !names_zero && kind < TILE_KINDS; kind++)
        test->index[kind][0] = false;
    return TM_OK;
}

tm_status tmi_pattern_copy(char **out, tmi_arena *arena, const char *text, size_t size, tm_error *error)
{
    TM_TRY(tmi_arena_reserve(out, arena, size + 1, 1, "pattern", error));
    memcpy(*out, text, size);
    (*out)[size] = '\0';
    return TM_OK;
}

tm_status tmi_tile_test_read(tile_test *out, const char *text, size_t size, tmi_arena *arena, tm_error *error)
{
    char *parts;
    size_t slash = size;
    while (slash && text[slash - 1] != '/')
        slash--;
    if (slash == 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no layer before the slash of '%.60s'", text);
    if (slash) { /* a set, and perhaps a region after @; it is the last slash, as names may contain some */
        TM_TRY(tmi_pattern_copy(&out->set, arena, text, slash - 1, error));
        char *cursor = strrchr(out->set, '@');
        const char *region = cursor ? cursor + 1 : NULL;
        tm_rect taken;
        if (cursor && tmi_take_region(&taken, &region) && !*region) {
            out->region = taken;
            *cursor = '\0';
        }
    }
    TM_TRY(tmi_pattern_copy(&parts, arena, text + slash, size - slash, error));
    TM_TRY(read_tile_parts(out, parts, arena, error));
    /* In kinds of layers whose tiles lack a part that the pattern asks for, no tile fits. */
    for (int kind = 0; kind < TILE_KINDS; kind++)
        for (int part = 0; part < TMI_TILE_PARTS; part++)
            if (out->fits[part] && tmi_tile_part_at((tm_layer_kind)kind, (tmi_tile_part)part) == TM_NONE)
                memset(out->index[kind], false, sizeof(out->index[kind]));
    return TM_OK;
}
