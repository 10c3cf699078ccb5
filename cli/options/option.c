/* SPDX-License-Identifier: Zlib */
/*
 * option.c - the types of options: for each how a value is read into its field and how an error says what is
 * allowed. Knows no single option and no command.
 */
#include "option.h"

#include "output/form.h"

#include <math.h>

/* The limit of numbers without a range of their own: a larger one is a typing error. */
#define FARTHEST 1e9

/* Completion lists the values of an integer option if there are at most so many. */
#define FEW_INTEGERS 12

static bool has_range(const option_row *row)
{
    return row->least < row->most;
}

static bool parse_flag(const option_row *row, void *field, const char *value)
{
    (void)row;
    (void)value;
    *(bool *)field = true;
    return true;
}

static bool parse_yes_no(const option_row *row, void *field, const char *value)
{
    (void)row;
    *(bool *)field = strcmp(value, "yes") == 0;
    return *(bool *)field || strcmp(value, "no") == 0;
}

/* Reads an integer, with a sign if the range has negative ones. Returns what follows; NULL: out of range. */
static const char *parse_integer_up_to_end(const option_row *row, uint32_t *out, const char *value)
{
    char *end;
    const char first = value[*value == '-' && row->least < 0];
    if (first < '0' || first > '9')
        return NULL;
    const long long number = strtoll(value, &end, 10);
    *out = (uint32_t)number;
    return (double)number >= row->least && (double)number <= row->most ? end : NULL;
}

static bool parse_integer(const option_row *row, void *field, const char *value)
{
    const char *end = parse_integer_up_to_end(row, field, value);
    return end && !*end;
}

/* Reads a number that ends at `stop`; refuses blanks, hexadecimal digits, "inf" and "nan". */
static const char *parse_number_up_to(double *out, const char *value, char stop)
{
    char *end;
    if (!*value || !strchr("0123456789.-", *value))
        return NULL;
    *out = strtod(value, &end);
    return end != value && *end == stop && *out > -FARTHEST && *out < FARTHEST ? end : NULL;
}

/* Reads a time in milliseconds, 500 or 500ms, or in seconds, 0.5s. */
static bool parse_time(double *out, const char *value)
{
    if (parse_number_up_to(out, value, '\0'))
        return true;
    const char *end = parse_number_up_to(out, value, 's');
    if (end && !end[1]) {
        *out *= 1000;
        return true;
    }
    end = parse_number_up_to(out, value, 'm');
    return end && strcmp(end, "ms") == 0;
}

static bool parse_number(const option_row *row, void *field, const char *value)
{
    double *number = field;
    return (row->is_time ? parse_time(number, value) : !!parse_number_up_to(number, value, '\0')) &&
           (!has_range(row) || (*number >= row->least && *number <= row->most));
}

static const option_choice *find_choice(const option_row *row, const char *value)
{
    for (const option_choice *choice = row->choices; choice && choice->name; choice++)
        if (strcmp(choice->name, value) == 0)
            return choice;
    return NULL;
}

/* Reads four numbers, each of which ends at its letter of `stops`, the last at the end of the text. */
static bool parse_four_numbers(double numbers[4], const char *value, const char stops[3])
{
    for (size_t i = 0; i < 4; i++) {
        const char *end = parse_number_up_to(&numbers[i], value, i < 3 ? stops[i] : '\0');
        if (!end)
            return false;
        value = end + 1;
    }
    return true;
}

/*
 * Reads a region as everywhere, 10,20+30x40, in which numbers may have places; 10,20,30,40 is an older
 * spelling.
 */
static bool parse_region(const option_row *row, void *field, const char *value)
{
    double *numbers = field;
    if (!find_choice(row, value))
        return parse_four_numbers(numbers, value, ",+x") || parse_four_numbers(numbers, value, ",,,");
    for (size_t i = 0; i < 4; i++)
        numbers[i] = INFINITY;
    return true;
}

static bool parse_size(const option_row *row, void *field, const char *value)
{
    size_value *size = field;
    const char *rest = parse_integer_up_to_end(row, &size->width, value);
    if (!rest || (*rest != 'x' && *rest != 'X'))
        return false;
    rest = parse_integer_up_to_end(row, &size->height, rest + 1);
    return rest && !*rest;
}

/* Reads a choice by its name; an option without a value takes the choice whose name is empty. */
static bool parse_choice(const option_row *row, void *field, const char *value)
{
    const option_choice *found = find_choice(row, value ? value : "");
    if (found)
        memcpy(field, &found->value, sizeof(found->value));
    return found;
}

static bool parse_color(const option_row *row, void *field, const char *value)
{
    color_value *color = field;
    const option_choice *found = find_choice(row, value);
    *color = (color_value){.word = found ? found->value : 0};
    if (found)
        return true;
    value += *value == '#';
    if (strlen(value) != 6 || strspn(value, "0123456789abcdefABCDEF") != 6)
        return false;
    const unsigned long rgb = strtoul(value, NULL, 16);
    for (int i = 0; i < 3; i++)
        color->rgb[i] = (uint8_t)(rgb >> (16 - 8 * i));
    return true;
}

static bool parse_count(const option_row *row, void *field, const char *value)
{
    static const char suffixes[] = "kMG";
    uint64_t *count = field;
    char *end;
    (void)row;
    if (!*value || !strchr("0123456789.", *value))
        return false;
    double number = strtod(value, &end);
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    for (const char *s = suffixes; suffix && s <= suffix; s++)
        number *= 1000;
    *count = number >= 1 && number <= 1e15 ? (uint64_t)number : 0;
    return *count && !end[suffix ? 1 : 0];
}

static bool parse_word(const option_row *row, void *field, const char *value)
{
    (void)row;
    *(const char **)field = value ? value : "";
    return !value || *value;
}

static bool parse_words(const option_row *row, void *field, const char *value)
{
    word_list *list = field;
    (void)row;
    if ((value && !*value) || list->num == MAX_WORDS)
        return false;
    list->words[list->num++] = value ? value : ""; /* of an option whose value may be left out */
    return true;
}

static void put_range(text *out, const option_row *row)
{
    text_print(out, "%.10g to %.10g", row->least, row->most);
}

/* For each type how a value is read, and what is allowed, as a form. */
#define WHAT(usual)  "{{what}}{{^what}}" usual "{{/}}"
#define FROM_TO      "{{#range}} from {{.}}{{/}}"
#define NO_MORE_THAN ", or there are more than {{most}} of them"
static const struct option_kind {
    bool (*read)(const option_row *row, void *field, const char *value);
    const char *allowed;
} kinds[OPTION_TYPES] = {
    [OPTION_FLAG] = {parse_flag, NULL},
    [OPTION_YES_NO] = {parse_yes_no, "one of: {{values}}"},
    [OPTION_INTEGER] = {parse_integer, WHAT("a number") FROM_TO},
    [OPTION_NUMBER] = {parse_number, WHAT("a number") FROM_TO},
    [OPTION_REGION] = {parse_region, "a region in tiles like 10,20+30x40{{#values}}, or {{.}}{{/}}"},
    [OPTION_SIZE] = {parse_size, "WIDTHxHEIGHT with numbers" FROM_TO},
    [OPTION_CHOICE] = {parse_choice, "one of: {{values}}"},
    [OPTION_COLOR] = {parse_color, "a color as RRGGBB in hexadecimal digits, or one of: {{values}}"},
    [OPTION_COUNT] = {parse_count, WHAT("a number") " of at least 1, which may end in k, M or G"},
    [OPTION_FILE] = {parse_word, WHAT("a file")},
    [OPTION_FOLDER] = {parse_word, "a folder"},
    [OPTION_TEXT] = {parse_word, WHAT("a name")},
    [OPTION_LAYERS] = {parse_word, WHAT("a name")},
    [OPTION_FOLDERS] = {parse_words, "a folder" NO_MORE_THAN},
    [OPTION_WORDS] = {parse_words, WHAT("a word") NO_MORE_THAN},
};

bool option_takes_value(const option_row *row)
{
    return row->type != OPTION_FLAG;
}

bool option_needs_value(const option_row *row)
{
    return option_takes_value(row) && !row->value_optional;
}

bool option_is_path(const option_row *row)
{
    return row->type == OPTION_FILE || row->type == OPTION_FOLDER || row->type == OPTION_FOLDERS;
}

bool option_parse(const option_row *row, void *fields, const char *value)
{
    return kinds[row->type].read(row, (char *)fields + row->offset, value);
}

void option_put_allowed(text *out, const option_row *row)
{
    text values = {0}, range = {0};
    option_put_values(&values, row);
    if (has_range(row))
        put_range(&range, row);
    json_t *object = json_object(JSON_TEXT("value", row->value), JSON_TEXT("what", row->noun),
                                 JSON_TEXT("values", text_words(&values)),
                                 JSON_TEXT("range", text_words(&range)), JSON_INT("most", MAX_WORDS));
    form_put(out, kinds[row->type].allowed, object, text_string);
    json_free(object);
    text_release(&values);
    text_release(&range);
}

void option_put_range(text *out, const option_row *row)
{
    const bool range = has_range(row) && row->type != OPTION_SIZE;
    if (!range && !row->preset)
        return;
    text_string(out, " (");
    if (range)
        put_range(out, row);
    if (row->preset)
        text_print(out, "%sdefault %s", range ? "; " : "", row->preset);
    text_string(out, ")");
}

bool option_put_values(text *out, const option_row *row)
{
    const size_t before = out->size;
    for (const option_choice *choice = row->choices; choice && choice->name; choice++)
        if (!choice->unlisted)
            text_print(out, "%s%s", out->size > before ? " " : "", choice->name);
    if (row->type == OPTION_YES_NO)
        text_string(out, "yes no");
    if (row->type == OPTION_INTEGER && row->most - row->least < FEW_INTEGERS)
        for (int i = (int)row->least; i <= (int)row->most; i++)
            text_print(out, "%s%d", i > (int)row->least ? " " : "", i);
    return out->size > before;
}
