/* SPDX-License-Identifier: Zlib */
/*
 * Reads the arguments of operations, and finds what they refer to: layers, files, other maps. A new type of
 * argument is a row and a function here.
 */
#include "edit.h"

/* Reads a text into a value of one type; false: the text is no such value. */
typedef bool parse_function(tmi_edit_value *out, const char *text);

static bool parse_region_part(tmi_edit_value *out, const char **text)
{
    tm_rect rect;
    const bool taken = tmi_take_region(&rect, text);
    if (taken)
        out->x = rect.x, out->y = rect.y, out->width = rect.width, out->height = rect.height;
    return taken;
}

/* Reads a place: a number or "end", and perhaps GROUP/ in front, which is read when the map is known. */
static bool parse_place(tmi_edit_value *out, const char *text)
{
    const char *slash = strrchr(text, '/'), *last = slash ? slash + 1 : text;
    out->number = UINT32_MAX;
    return strcmp(last, "end") == 0 || (tmi_take_digits(&out->number, &last) && !*last);
}

static bool parse_size(tmi_edit_value *out, const char *text)
{
    return tmi_take_size(&out->width, &out->height, &text) && !*text && out->width >= 2 && out->height >= 2;
}

static bool parse_signed(tmi_edit_value *out, const char *text)
{
    return tmi_take_number(&out->x, &text) && !*text;
}

enum { FACTOR_MAX = 1000000 }; /* of both sides of a fraction */

/* Reads a factor, 2, 0.5 or 3/4, as a fraction. */
static bool parse_factor(tmi_edit_value *out, const char *text)
{
    uint32_t number, below = 1;
    if (!tmi_take_digits(&number, &text))
        return false;
    if (tmi_take_word("/", &text) && !tmi_take_digits(&below, &text))
        return false;
    if (*text == '.' && below == 1) {
        for (text++; *text >= '0' && *text <= '9' && below < FACTOR_MAX; text++) {
            number = number * 10 + (uint32_t)(*text - '0');
            below *= 10;
            if (number > (uint32_t)FACTOR_MAX * 10)
                return false;
        }
    }
    out->x = (int32_t)number;
    out->y = (int32_t)below;
    return !*text && number && below && number <= FACTOR_MAX && below <= FACTOR_MAX;
}

static bool parse_spot(tmi_edit_value *out, const char *text)
{
    return tmi_take_point(&out->x, &out->y, &text) && !*text;
}

static bool parse_region(tmi_edit_value *out, const char *text)
{
    return parse_region_part(out, &text) && !*text;
}

/* Reads a set of layers, and a region if a valid one follows the last @; the set is read with the map. */
static bool parse_layers(tmi_edit_value *out, const char *text)
{
    const char *at_sign = strrchr(text, '@'), *region = at_sign ? at_sign + 1 : NULL;
    out->set_size = strlen(text);
    if (at_sign && parse_region_part(out, &region) && !*region)
        out->set_size = (size_t)(at_sign - text);
    else if (at_sign && tmi_is_like_region(at_sign + 1))
        return false;
    else
        out->x = out->y = 0, out->width = out->height = 0;
    return out->set_size > 0;
}

static const struct {
    const char *name;
    parse_function *parse;      /* NULL: any text */
    const char *allowed, *help; /* `allowed`: what a text should have been */
} types[TM_EDIT_TYPES] = {
    [TM_EDIT_OBJECTS] = {"objects", NULL, NULL,
                         "objects of the map by address: Game/Front, image/0, 'image/grass*'"},
    [TM_EDIT_GROUP] = {"group", NULL, NULL, "a group by address: 0, Game"},
    [TM_EDIT_FIELD] = {"field", NULL, NULL, "ADDRESS.FIELD=VALUE: 0.parallax.x=50, info.author=Anna"},
    [TM_EDIT_TEXT] = {"text", NULL, NULL, "a text, as it stands"},
    [TM_EDIT_PATTERN] = {"pattern", NULL, NULL, "a whole text in which * stands for anything: 'tune*'"},
    [TM_EDIT_CHOICE] = {"choice", NULL, NULL, "one of the words"},
    [TM_EDIT_PLACE] = {"place", parse_place, "an index, end, or for layers GROUP/INDEX",
                       "an index, end, or for layers GROUP/INDEX"},
    [TM_EDIT_SIZE] = {"size", parse_size, "a size like 50x30, sides from 2 on",
                      "WIDTHxHEIGHT, of a layer in tiles, of a quad in px: 50x30"},
    [TM_EDIT_NUMBER] = {"number", parse_signed, "a whole number like 12 or -3", "a whole number: 12, -3"},
    [TM_EDIT_POINT] = {"point", parse_spot, "a point in tiles like 10,-5", "X,Y in tiles: 10,-5"},
    [TM_EDIT_REGION] = {"region", parse_region, "a region in tiles like 10,20+30x40",
                        "X,Y+WIDTHxHEIGHT in tiles: 10,20+30x40"},
    [TM_EDIT_LAYERS] = {"layers", parse_layers,
                        "a set of layers like design,Game/Front, with or without @10,20+30x40",
                        "a set of layers, or a part of them: design,Game/Front@10,20+30x40"},
    [TM_EDIT_TILES] = {"tiles", NULL, NULL,
                       "a pattern of tiles: freeze, 60..67, tele-in:5, 'air where front/freeze'"},
    [TM_EDIT_TILE] = {"tile", NULL, NULL, "a tile: freeze, 60:flags=8, tele-in:5, air"},
    [TM_EDIT_FILE] = {"file", NULL, NULL, "the name of a file"},
    [TM_EDIT_MAP] = {"map", NULL, NULL, "the name of another map"},
    [TM_EDIT_FACTOR] = {"factor", parse_factor,
                        "a number above 0 and up to 1000000 like 2, 0.5 or 3/4, with at most six places",
                        "a number above 0: 2, 0.5, 3/4"},
    [TM_EDIT_PIXELS] = {"pixels", parse_spot, "a point in px like 64,-32", "X,Y in px of the layer: 64,-32"},
};

const char *tm_edit_type_name(tm_edit_type type)
{
    return (unsigned)type < TM_EDIT_TYPES ? types[type].name : NULL;
}

const char *tm_edit_type_help(tm_edit_type type)
{
    return (unsigned)type < TM_EDIT_TYPES ? types[type].help : NULL;
}

size_t tm_edit_usage(const tm_edit_operation *operation, char *buffer, size_t size)
{
    if (!operation)
        return tmi_format(buffer, size, "%s", "");
    tmi_line line = {.length = 0};
    uint32_t open = 0; /* brackets */
    tmi_line_add(&line, "%s", operation->name);
    for (const tm_edit_argument *a = operation->arguments; a->name; a++) {
        open += a->optional;
        tmi_line_add(&line, a->optional ? " [%s" : " %s", a->name);
        for (; open && !(a[1].name && a[1].inner); open--)
            tmi_line_add(&line, "]");
        if (a->repeats)
            tmi_line_add(&line, "...");
    }
    return tmi_give_line(buffer, size, line.text);
}

static tm_status fail_usage(const tm_edit_operation *operation, tm_error *error)
{
    char usage[128];
    tm_edit_usage(operation, usage, sizeof(usage));
    return tmi_fail(error, TM_ERROR_USAGE, -1, "this is not how to write it; it is '%s'", usage);
}

/* Which argument of an operation is read next. */
typedef struct argument_reader {
    const tm_edit_operation *operation;
    const tm_edit_argument *row;
    const char *const *words; /* that are left */
    uint32_t num;
    tmi_edit_value *value; /* of `row` */
} argument_reader;

/* Finds a word among the choices of an argument; false: it is not there. */
static bool find_choice_word(uint32_t *out, const tm_edit_argument *row, const char *word)
{
    for (*out = 0; row->choices && row->choices[*out]; ++*out)
        if (strcmp(row->choices[*out], word) == 0)
            return true;
    return false;
}

/*
 * Whether the word is one of the choices of an optional argument further on. If so, it is read as that one,
 * unless the words after it do not fit there.
 */
static bool is_meant_later(const argument_reader *reader)
{
    const tm_edit_argument *argument = reader->row;
    uint32_t number;
    if (argument->choices)
        return false;
    for (argument++; argument->name && argument->optional; argument++) {
        if (!find_choice_word(&number, argument, reader->words[0]))
            continue;
        for (uint32_t i = 0; i < reader->num; i++, argument++)
            if (!argument->name || !reader->words[i] ||
                (argument->choices && !find_choice_word(&number, argument, reader->words[i])))
                return false;
        return true;
    }
    return false;
}

/*
 * Reads the word as the next argument that it fits; optional arguments may be skipped, and with them those
 * that are only allowed after them. An empty word omits optional layers, so that later arguments can be
 * given.
 */
static tm_status parse_word(argument_reader *reader, tm_error *error)
{
    const tm_edit_argument *first = reader->row;
    const char *word = reader->words[0], *at_sign = strrchr(word, '@');
    const bool is_broken_region = at_sign && tmi_is_like_region(at_sign + 1); /* if it cannot be read */
    tmi_line reasons = {.length = 0};
    for (; reader->row->name; reader->row++, reader->value++) {
        const tm_edit_argument *row = reader->row;
        tmi_edit_value *value = reader->value;
        if ((row != first && row->inner) || (row->optional && is_meant_later(reader)))
            continue;
        const bool omitted = row->type == TM_EDIT_LAYERS && row->optional && !*word;
        value->text = omitted ? NULL : word;
        if (row->type == TM_EDIT_CHOICE
                ? find_choice_word(&value->number, row, word)
                : omitted || !types[row->type].parse || types[row->type].parse(value, word))
            return TM_OK;
        memset(value, 0, sizeof(*value));
        const bool is_meant = row->type == TM_EDIT_LAYERS && is_broken_region;
        if (reasons.length)
            tmi_line_add(&reasons, ", nor ");
        if (row->type == TM_EDIT_CHOICE)
            tmi_line_add(&reasons, row->choices[1] ? "one of" : "the word");
        else
            tmi_line_add(&reasons, "%s",
                         is_meant ? "a set of layers with a region after @ like design@10,20+30x40"
                                  : types[row->type].allowed);
        for (uint32_t i = 0; row->choices && row->choices[i]; i++)
            tmi_line_add(&reasons, " %s", row->choices[i]);
        if (!row->optional || is_meant)
            break;
    }
    return reasons.length ? tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not %s", word, reasons.text)
                          : fail_usage(reader->operation, error);
}

tm_status tmi_edit_parse_values(tmi_edit_value *values, uint32_t *num_values,
                                const tm_edit_operation *operation, const char *const *arguments,
                                uint32_t num, tm_error *error)
{
    argument_reader reader = {.operation = operation, .row = operation->arguments, .value = values};
    memset(values, 0, (num + TM_EDIT_ARGUMENTS) * sizeof(*values));
    *num_values = 0;
    for (uint32_t i = 0; i < num; i++) {
        if (!reader.row->name || !arguments[i])
            return fail_usage(operation, error);
        reader.words = arguments + i;
        reader.num = num - i;
        TM_TRY(parse_word(&reader, error));
        reader.row += !reader.row->repeats;
        *num_values = (uint32_t)(++reader.value - values);
    }
    const tm_edit_argument *row = reader.row;
    if (row->name && !row->optional && !(row->repeats && (size_t)(row - operation->arguments) < *num_values))
        return fail_usage(operation, error);
    return TM_OK;
}

/* -------------------------------------------------------------------------- what arguments lead to */

tm_status tmi_edit_design_grid(tm_grid *grid, const tm_map *map, const tm_address *address, tm_error *error)
{
    tm_error failure;
    const tm_layer *layer = &map->groups[address->index].layers[address->layer];
    memset(grid, 0, sizeof(*grid));
    if (layer->kind != TM_LAYER_TILES)
        return TM_OK;
    tmi_error_blank(&failure);
    return tmi_past_damage(tm_map_tiles(grid, map, layer, &failure), &failure, error);
}

tm_rect tmi_edit_part_of(const tmi_edit_value *value, uint32_t width, uint32_t height)
{
    const tm_rect whole = {0, 0, width, height};
    return value->width ? tmi_rect_common(&whole, &(tm_rect){value->x, value->y, value->width, value->height})
                        : whole;
}

bool tmi_edit_region_holds(const tmi_edit_value *value, tm_point point)
{
    if (!value || !value->width)
        return true;
    const int64_t x = (int64_t)value->x * TM_TILE_FX, y = (int64_t)value->y * TM_TILE_FX;
    return point.x >= x && point.x - x < (int64_t)value->width * TM_TILE_FX && point.y >= y &&
           point.y - y < (int64_t)value->height * TM_TILE_FX;
}

static tm_status fail_no_function(const char *name, const char *action, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' cannot be read: the caller gave no function that %s",
                    name, action);
}

tm_status tmi_edit_read(uint8_t **bytes, size_t *num, const tmi_edit *edit, const char *name, tm_error *error)
{
    tm_error failure;
    const tm_edit_options *options = edit->options;
    *bytes = NULL;
    *num = 0;
    if (!options->read)
        return fail_no_function(name, "reads files", error);
    tmi_error_blank(&failure);
    const tm_status status = options->read(options->ctx, name, edit->scratch, bytes, num, &failure);
    return tmi_error_told(status, &failure, error, TM_SIDE_INPUT, "the function that reads files");
}

tm_status tmi_edit_open(tm_map **out, const tmi_edit *edit, const char *name, tm_error *error)
{
    tm_error failure;
    const tm_edit_options *options = edit->options;
    *out = NULL;
    if (!options->open)
        return fail_no_function(name, "opens maps", error);
    tmi_error_blank(&failure);
    const tm_status status = options->open(options->ctx, name, out, &failure);
    return tmi_error_told(status, &failure, error, TM_SIDE_INPUT, "the function that opens maps");
}
