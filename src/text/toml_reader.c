/* SPDX-License-Identifier: Zlib */
/*
 * Reads TOML 1.0 into a tree, whose nodes know their lines. Written here because no packaged library for C
 * tells where a key stood. Dates, broken numbers and numbers with a fraction keep their text, since no
 * configuration of this library has any. Nesting and the number of keys in a table are limited, so that no
 * text takes long.
 */
#include "text.h"

#include <inttypes.h>

enum { MAX_NESTING = 32, MAX_KEYS = 4096, MAX_KEY_PARTS = 32 };

/*
 * How a table, or a list of tables, was made, which decides what may be added to it. Stands in the node's
 * number, which these do not use.
 */
enum {
    TOML_BY_VALUE,
    TOML_BY_HEAD, /* [a.b] */
    TOML_BY_WAY,  /* a of [a.b] */
    TOML_BY_DOTS  /* a of a.b = 1 */
};

typedef struct toml {
    const char *cursor, *end;
    uint32_t line, nesting;
    tmi_arena *arena;
    tm_error *error;
    tm_json *root, *table; /* of the last head */
} toml;

static tm_status toml_fault(const toml *reader, const char *subject)
{
    return tmi_fail(reader->error, TM_ERROR_DAMAGED, -1, "line %" PRIu32 ": %s", reader->line, subject);
}

/* Adds a node of the current line as the last child of `to`; NULL: as a root. */
static tm_status toml_add(tm_json **out, const toml *reader, tm_json *table, tm_json_kind kind)
{
    TM_TRY(tmi_arena_reserve(out, reader->arena, 1, sizeof(**out), "configuration", reader->error));
    **out = (tm_json){.kind = kind, .line = reader->line};
    if (!table)
        return TM_OK;
    *(table->last ? &table->last->next : &table->first) = *out;
    table->last = *out;
    table->num++;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------- blanks and lines */

static int toml_peek(const toml *reader)
{
    return reader->cursor < reader->end ? (uint8_t)*reader->cursor : -1;
}

static bool toml_starts(const toml *reader, const char *prefix)
{
    const size_t size = strlen(prefix);
    return (size_t)(reader->end - reader->cursor) >= size && memcmp(reader->cursor, prefix, size) == 0;
}

static bool toml_take(toml *reader, const char *subject)
{
    if (!toml_starts(reader, subject))
        return false;
    reader->cursor += strlen(subject);
    return true;
}

static void toml_skip_blanks(toml *reader)
{
    while (toml_peek(reader) == ' ' || toml_peek(reader) == '\t')
        reader->cursor++;
}

static bool toml_take_line_end(toml *reader)
{
    if (!toml_take(reader, "\n") && !toml_take(reader, "\r\n"))
        return false;
    reader->line++;
    return true;
}

static bool toml_is_control(int c)
{
    return (c >= 0 && c < ' ' && c != '\t') || c == 127;
}

/* Skips blanks, and a comment if there is one. */
static tm_status toml_skip_comment(toml *reader)
{
    toml_skip_blanks(reader);
    if (toml_peek(reader) != '#')
        return TM_OK;
    while (reader->cursor < reader->end && *reader->cursor != '\n' && !toml_starts(reader, "\r\n")) {
        if (toml_is_control(toml_peek(reader)))
            return toml_fault(reader, "a control character");
        reader->cursor++;
    }
    return TM_OK;
}

static tm_status toml_skip_lines(toml *reader)
{
    do
        TM_TRY(toml_skip_comment(reader));
    while (toml_take_line_end(reader));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- texts */

/* A text that is unescaped in place, as it is never longer than its escaped form. */
typedef struct toml_text {
    char *bytes;
    size_t size;
} toml_text;

static tm_status toml_take_escape(toml *reader, toml_text *out, bool lines)
{
    static const char names[] = "btnfr\"\\", means[] = "\b\t\n\f\r\"\\";
    const char *start = ++reader->cursor;
    if (lines) { /* at the end of a line, all blanks and line ends that follow go with it */
        toml_skip_blanks(reader);
        if (toml_take_line_end(reader)) {
            do
                toml_skip_blanks(reader);
            while (toml_take_line_end(reader));
            return TM_OK;
        }
        reader->cursor = start;
    }
    const int c = toml_peek(reader);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    if (found) {
        out->bytes[out->size++] = means[found - names];
        reader->cursor++;
        return TM_OK;
    }
    if (c != 'u' && c != 'U')
        return toml_fault(reader, "after \\ expected one of b t n f r \" \\ u U");
    reader->cursor++;
    uint32_t character = 0;
    for (uint32_t digits = c == 'u' ? 4 : 8; digits; digits--, reader->cursor++) {
        const int digit = reader->cursor < reader->end ? tmi_hex_digit(*reader->cursor) : -1;
        if (digit < 0)
            return toml_fault(reader, "\\u takes four hexadecimal digits, and \\U eight");
        character = character << 4 | (uint32_t)digit;
    }
    if (!character || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
        return toml_fault(reader, "this number is that of no character");
    out->size += tmi_utf8_put(out->bytes + out->size, character);
    return TM_OK;
}

/* Takes the quotes that end a text; up to two quotes in front may belong to a text of several lines. */
static bool toml_take_end(toml *reader, toml_text *out, char quote, bool lines)
{
    size_t num = 0;
    while (reader->cursor + num < reader->end && reader->cursor[num] == quote && num < (lines ? 5U : 1U))
        num++;
    if (num < (lines ? 3U : 1U))
        return false;
    reader->cursor += num;
    for (num -= lines ? 3 : 1; num; num--)
        out->bytes[out->size++] = quote;
    return true;
}

/* Takes a text in quotes; `may_span`: after three quotes it may have several lines. */
static tm_status toml_take_text(toml *reader, const char **out, bool may_span)
{
    const char quote = *reader->cursor;
    const char three[] = {quote, quote, quote, '\0'};
    const bool lines = may_span && toml_starts(reader, three);
    toml_text text = {.size = 0};
    reader->cursor += lines ? 3 : 1;
    if (lines)
        toml_take_line_end(reader);
    /* At most to the first quote that can end it; what is escaped only becomes shorter. */
    const char *stop = reader->cursor;
    while (stop < reader->end &&
           !(lines ? reader->end - stop >= 3 && memcmp(stop, three, 3) == 0 : *stop == quote))
        stop += *stop == '\\' && quote == '"' && stop + 1 < reader->end ? 2 : 1;
    TM_TRY(tmi_arena_reserve(&text.bytes, reader->arena, (size_t)(stop - reader->cursor) + 4, 1,
                             "configuration", reader->error));
    while (!toml_take_end(reader, &text, quote, lines)) {
        const int c = toml_peek(reader);
        if (c < 0 || (!lines && (c == '\n' || c == '\r')))
            return toml_fault(reader, "a text has no end");
        if (c == '\\' && quote == '"') {
            TM_TRY(toml_take_escape(reader, &text, lines));
        } else if (toml_take_line_end(reader)) {
            text.bytes[text.size++] = '\n';
        } else if (toml_is_control(c)) {
            return toml_fault(reader, "a control character");
        } else {
            text.bytes[text.size++] = (char)c;
            reader->cursor++;
        }
    }
    text.bytes[text.size] = '\0';
    *out = text.bytes;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- keys */

static bool toml_is_bare(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* Takes a key with dots, such as a.b."c", as its parts. */
static tm_status toml_take_keys(toml *reader, const char *parts[MAX_KEY_PARTS], uint32_t *num)
{
    *num = 0;
    do {
        if (*num == MAX_KEY_PARTS)
            return toml_fault(reader, "a key has too many parts");
        toml_skip_blanks(reader);
        const char *start = reader->cursor, **part = &parts[(*num)++];
        while (toml_is_bare(toml_peek(reader)))
            reader->cursor++;
        const size_t size = (size_t)(reader->cursor - start);
        if (size)
            TM_TRY(tmi_arena_text(part, reader->arena, start, size, "configuration", reader->error));
        else if (toml_peek(reader) == '"' || toml_peek(reader) == '\'')
            TM_TRY(toml_take_text(reader, part, false));
        else
            return toml_fault(reader, "here should be a key: letters, digits, - and _, or a text in quotes");
        toml_skip_blanks(reader);
    } while (toml_take(reader, "."));
    return TM_OK;
}

static tm_status toml_add_member(toml *reader, tm_json **out, tm_json *table, const char *key,
                                 tm_json_kind kind)
{
    if (table->num == MAX_KEYS)
        return toml_fault(reader, "a table has too many keys");
    TM_TRY(toml_add(out, reader, table, kind));
    (*out)->name = key;
    return TM_OK;
}

static tm_status toml_key_twice(const toml *reader, const char *key, const tm_json *first)
{
    return tmi_fail(reader->error, TM_ERROR_DAMAGED, -1,
                    "line %" PRIu32 ": '%s' stands in line %" PRIu32 ", too", reader->line, key, first->line);
}

/* Finds a member of a table, to be changed; NULL: there is none. */
static tm_json *toml_member_of(tm_json *table, const char *key)
{
    return (tm_json *)(uintptr_t)tm_json_get(table, key);
}

/* ------------------------------------------------------------------------------------------------- values */

static tm_status toml_take_value(toml *reader, tm_json *node);

/* Takes KEY = VALUE; dots in the key make tables. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_pair(toml *reader, tm_json *table)
{
    const char *parts[MAX_KEY_PARTS];
    uint32_t num;
    TM_TRY(toml_take_keys(reader, parts, &num));
    for (uint32_t i = 0; i + 1 < num; i++) {
        tm_json *next = toml_member_of(table, parts[i]);
        if (next && (next->kind != TM_JSON_OBJECT || next->number != TOML_BY_DOTS))
            return toml_key_twice(reader, parts[i], next);
        if (!next)
            TM_TRY(toml_add_member(reader, &next, table, parts[i], TM_JSON_OBJECT));
        next->number = TOML_BY_DOTS;
        table = next;
    }
    tm_json *value = toml_member_of(table, parts[num - 1]);
    if (value)
        return toml_key_twice(reader, parts[num - 1], value);
    TM_TRY(toml_add_member(reader, &value, table, parts[num - 1], TM_JSON_TEXT));
    if (!toml_take(reader, "="))
        return toml_fault(reader, "expected = after a key");
    toml_skip_blanks(reader);
    return toml_take_value(reader, value);
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_list(toml *reader, tm_json *node)
{
    node->kind = TM_JSON_ARRAY;
    reader->cursor++;
    for (;;) {
        tm_json *element;
        TM_TRY(toml_skip_lines(reader));
        if (toml_take(reader, "]"))
            return TM_OK;
        TM_TRY(toml_add(&element, reader, node, TM_JSON_TEXT));
        TM_TRY(toml_take_value(reader, element));
        TM_TRY(toml_skip_lines(reader));
        if (!toml_take(reader, ",") && toml_peek(reader) != ']')
            return toml_fault(reader, "a list goes on with , or ends with ]");
    }
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_inline_table(toml *reader, tm_json *node)
{
    node->kind = TM_JSON_OBJECT;
    reader->cursor++;
    toml_skip_blanks(reader);
    if (toml_take(reader, "}"))
        return TM_OK;
    do {
        toml_skip_blanks(reader);
        TM_TRY(toml_take_pair(reader, node));
        toml_skip_blanks(reader);
    } while (toml_take(reader, ","));
    return toml_take(reader, "}") ? TM_OK
                                  : toml_fault(reader, "a table in braces goes on with , or ends with }");
}

/* Reads an integer with its sign, in base 10, 16, 8 or 2; false: the text is none. */
static bool toml_read_integer(int64_t *out, const char *text, size_t size)
{
    const bool minus = size && text[0] == '-', sign = size && (text[0] == '-' || text[0] == '+');
    size_t at = sign;
    uint64_t base = 10, value = 0;
    const uint64_t most = minus ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    if (!sign && size > 2 && text[0] == '0' && strchr("xob", text[1])) {
        base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 2;
        at = 2;
    } else if (size - at > 1 && text[at] == '0') {
        return false;
    }
    bool digit_before = false;
    for (; at < size; at++) {
        const int hex = tmi_hex_digit(text[at]);
        const uint64_t digit = hex < 0 ? base : (uint64_t)hex;
        if (text[at] == '_' && digit_before && at + 1 < size) {
            digit_before = false;
            continue;
        }
        if (digit >= base || value > (most - digit) / base)
            return false;
        value = value * base + digit;
        digit_before = true;
    }
    *out = minus ? (int64_t)(0 - value) : (int64_t)value;
    return digit_before;
}

/* Takes true, false, a number or a date. */
static tm_status toml_take_word(toml *reader, tm_json *node)
{
    const char *start = reader->cursor;
    while (toml_is_bare(toml_peek(reader)) || toml_peek(reader) == '+' || toml_peek(reader) == '.' ||
           toml_peek(reader) == ':')
        reader->cursor++;
    const size_t size = (size_t)(reader->cursor - start);
    const bool is_true = size == 4 && memcmp(start, "true", 4) == 0;
    if (is_true || (size == 5 && memcmp(start, "false", 5) == 0)) {
        node->kind = TM_JSON_BOOL;
        node->number = is_true;
    } else {
        node->kind = TM_JSON_NUMBER;
        node->whole = toml_read_integer(&node->number, start, size);
        /* dates and numbers with a fraction, which no configuration needs, keep their text */
        if (!node->whole && !(size && strchr("0123456789+-", start[0])) &&
            !(size == 3 && (memcmp(start, "inf", 3) == 0 || memcmp(start, "nan", 3) == 0)))
            return toml_fault(reader, "not a value: texts need quotes");
    }
    return tmi_arena_text(&node->text, reader->arena, start, size, "configuration", reader->error);
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_value(toml *reader, tm_json *node)
{
    const int c = toml_peek(reader);
    node->line = reader->line;
    if (c == '"' || c == '\'') {
        node->kind = TM_JSON_TEXT;
        return toml_take_text(reader, &node->text, true);
    }
    if (c != '[' && c != '{')
        return toml_take_word(reader, node);
    if (++reader->nesting > MAX_NESTING)
        return toml_fault(reader, "lists and tables are nested too deeply");
    TM_TRY(c == '[' ? toml_take_list(reader, node) : toml_take_inline_table(reader, node));
    reader->nesting--;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- heads */

/*
 * Takes a head, [a.b] or [[a.b]]: goes by its parts, which are tables or lists of tables and are made where
 * they are missing, and makes the last one.
 */
static tm_status toml_take_head(toml *reader)
{
    const char *parts[MAX_KEY_PARTS];
    uint32_t num;
    tm_json *table = reader->root, *node;
    const bool list = toml_take(reader, "[[");
    if (!list)
        reader->cursor++;
    TM_TRY(toml_take_keys(reader, parts, &num));
    if (!toml_take(reader, list ? "]]" : "]"))
        return toml_fault(reader, list ? "a head [[...]] ends with ]]" : "a head [...] ends with ]");
    for (uint32_t i = 0; i + 1 < num; i++) {
        node = toml_member_of(table, parts[i]);
        if (!node) {
            TM_TRY(toml_add_member(reader, &node, table, parts[i], TM_JSON_OBJECT));
            node->number = TOML_BY_WAY;
        }
        table = node->kind == TM_JSON_ARRAY && node->number == TOML_BY_HEAD ? node->last : node;
        if (table->kind != TM_JSON_OBJECT || table->number == TOML_BY_VALUE)
            return toml_key_twice(reader, parts[i], table);
    }
    const char *part = parts[num - 1];
    node = toml_member_of(table, part);
    if (node && (list ? node->kind != TM_JSON_ARRAY || node->number != TOML_BY_HEAD
                      : node->kind != TM_JSON_OBJECT || node->number != TOML_BY_WAY))
        return toml_key_twice(reader, part, node);
    if (!node)
        TM_TRY(toml_add_member(reader, &node, table, part, list ? TM_JSON_ARRAY : TM_JSON_OBJECT));
    node->number = TOML_BY_HEAD;
    if (list) {
        TM_TRY(toml_add(&node, reader, node, TM_JSON_OBJECT));
        node->number = TOML_BY_HEAD;
    }
    node->line = reader->line;
    reader->table = node;
    return TM_OK;
}

tm_status tmi_toml_read(tm_json **out, tmi_arena *arena, const char *text, size_t size, tm_error *error)
{
    toml reader = {.cursor = text, .end = text + size, .line = 1, .arena = arena, .error = error};
    *out = NULL;
    for (const char *cursor = text; cursor < reader.end; cursor++) {
        const size_t step = tmi_utf8_step(cursor, (size_t)(reader.end - cursor));
        if (!step || !*cursor)
            return toml_fault(&reader, "not UTF-8");
        reader.line += *cursor == '\n';
        cursor += step - 1;
    }
    reader.line = 1;
    toml_take(&reader, "\xef\xbb\xbf");
    TM_TRY(toml_add(&reader.root, &reader, NULL, TM_JSON_OBJECT));
    reader.table = reader.root;
    for (;;) {
        TM_TRY(toml_skip_lines(&reader));
        if (reader.cursor == reader.end) {
            *out = reader.root;
            return TM_OK;
        }
        TM_TRY(toml_peek(&reader) == '[' ? toml_take_head(&reader) : toml_take_pair(&reader, reader.table));
        TM_TRY(toml_skip_comment(&reader));
        if (reader.cursor < reader.end && !toml_take_line_end(&reader))
            return toml_fault(&reader, "one line holds one key and its value");
    }
}
