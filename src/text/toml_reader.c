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
    const char *at, *end;
    uint32_t line, nesting;
    tmi_arena *arena;
    tm_error *error;
    tm_json *root, *table; /* of the last head */
} toml;

static tm_status toml_fault(const toml *in, const char *what)
{
    return tmi_fail(in->error, TM_ERROR_DAMAGED, -1, "line %" PRIu32 ": %s", in->line, what);
}

/* Adds a node of the current line as the last child of `to`; NULL: as a root. */
static tm_status toml_add(tm_json **out, const toml *in, tm_json *to, tm_json_kind kind)
{
    TM_TRY(tmi_arena_reserve(out, in->arena, 1, sizeof(**out), "configuration", in->error));
    **out = (tm_json){.kind = kind, .line = in->line};
    if (!to)
        return TM_OK;
    *(to->last ? &to->last->next : &to->first) = *out;
    to->last = *out;
    to->num++;
    return TM_OK;
}

/* --------------------------------------------------------------------------------------- blanks and lines */

static int toml_peek(const toml *in)
{
    return in->at < in->end ? (uint8_t)*in->at : -1;
}

static bool toml_starts(const toml *in, const char *with)
{
    const size_t size = strlen(with);
    return (size_t)(in->end - in->at) >= size && memcmp(in->at, with, size) == 0;
}

static bool toml_take(toml *in, const char *what)
{
    if (!toml_starts(in, what))
        return false;
    in->at += strlen(what);
    return true;
}

static void toml_skip_blanks(toml *in)
{
    while (toml_peek(in) == ' ' || toml_peek(in) == '\t')
        in->at++;
}

static bool toml_take_line_end(toml *in)
{
    if (!toml_take(in, "\n") && !toml_take(in, "\r\n"))
        return false;
    in->line++;
    return true;
}

static bool toml_is_control(int c)
{
    return (c >= 0 && c < ' ' && c != '\t') || c == 127;
}

/* Skips blanks, and a comment if there is one. */
static tm_status toml_skip_comment(toml *in)
{
    toml_skip_blanks(in);
    if (toml_peek(in) != '#')
        return TM_OK;
    while (in->at < in->end && *in->at != '\n' && !toml_starts(in, "\r\n")) {
        if (toml_is_control(toml_peek(in)))
            return toml_fault(in, "a control character");
        in->at++;
    }
    return TM_OK;
}

static tm_status toml_skip_lines(toml *in)
{
    do
        TM_TRY(toml_skip_comment(in));
    while (toml_take_line_end(in));
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- texts */

/* A text that is unescaped in place, as it is never longer than its escaped form. */
typedef struct toml_text {
    char *bytes;
    size_t size;
} toml_text;

static tm_status toml_take_escape(toml *in, toml_text *out, bool lines)
{
    static const char names[] = "btnfr\"\\", means[] = "\b\t\n\f\r\"\\";
    const char *from = ++in->at;
    if (lines) { /* at the end of a line, all blanks and line ends that follow go with it */
        toml_skip_blanks(in);
        if (toml_take_line_end(in)) {
            do
                toml_skip_blanks(in);
            while (toml_take_line_end(in));
            return TM_OK;
        }
        in->at = from;
    }
    const int c = toml_peek(in);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    if (found) {
        out->bytes[out->size++] = means[found - names];
        in->at++;
        return TM_OK;
    }
    if (c != 'u' && c != 'U')
        return toml_fault(in, "after \\ expected one of b t n f r \" \\ u U");
    in->at++;
    uint32_t character = 0;
    for (uint32_t digits = c == 'u' ? 4 : 8; digits; digits--, in->at++) {
        const int digit = in->at < in->end ? tmi_hex_digit(*in->at) : -1;
        if (digit < 0)
            return toml_fault(in, "\\u takes four hexadecimal digits, and \\U eight");
        character = character << 4 | (uint32_t)digit;
    }
    if (!character || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
        return toml_fault(in, "this number is that of no character");
    out->size += tmi_utf8_put(out->bytes + out->size, character);
    return TM_OK;
}

/* Takes the quotes that end a text; up to two quotes in front may belong to a text of several lines. */
static bool toml_take_end(toml *in, toml_text *out, char quote, bool lines)
{
    size_t num = 0;
    while (in->at + num < in->end && in->at[num] == quote && num < (lines ? 5U : 1U))
        num++;
    if (num < (lines ? 3U : 1U))
        return false;
    in->at += num;
    for (num -= lines ? 3 : 1; num; num--)
        out->bytes[out->size++] = quote;
    return true;
}

/* Takes a text in quotes; `may_span`: after three quotes it may have several lines. */
static tm_status toml_take_text(toml *in, const char **out, bool may_span)
{
    const char quote = *in->at;
    const char three[] = {quote, quote, quote, '\0'};
    const bool lines = may_span && toml_starts(in, three);
    toml_text text = {.size = 0};
    in->at += lines ? 3 : 1;
    if (lines)
        toml_take_line_end(in);
    /* At most to the first quote that can end it; what is escaped only becomes shorter. */
    const char *stop = in->at;
    while (stop < in->end && !(lines ? in->end - stop >= 3 && memcmp(stop, three, 3) == 0 : *stop == quote))
        stop += *stop == '\\' && quote == '"' && stop + 1 < in->end ? 2 : 1;
    TM_TRY(tmi_arena_reserve(&text.bytes, in->arena, (size_t)(stop - in->at) + 4, 1, "configuration",
                             in->error));
    while (!toml_take_end(in, &text, quote, lines)) {
        const int c = toml_peek(in);
        if (c < 0 || (!lines && (c == '\n' || c == '\r')))
            return toml_fault(in, "a text has no end");
        if (c == '\\' && quote == '"') {
            TM_TRY(toml_take_escape(in, &text, lines));
        } else if (toml_take_line_end(in)) {
            text.bytes[text.size++] = '\n';
        } else if (toml_is_control(c)) {
            return toml_fault(in, "a control character");
        } else {
            text.bytes[text.size++] = (char)c;
            in->at++;
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
static tm_status toml_take_keys(toml *in, const char *parts[MAX_KEY_PARTS], uint32_t *num)
{
    *num = 0;
    do {
        if (*num == MAX_KEY_PARTS)
            return toml_fault(in, "a key has too many parts");
        toml_skip_blanks(in);
        const char *from = in->at, **part = &parts[(*num)++];
        while (toml_is_bare(toml_peek(in)))
            in->at++;
        const size_t size = (size_t)(in->at - from);
        if (size)
            TM_TRY(tmi_arena_text(part, in->arena, from, size, "configuration", in->error));
        else if (toml_peek(in) == '"' || toml_peek(in) == '\'')
            TM_TRY(toml_take_text(in, part, false));
        else
            return toml_fault(in, "here should be a key: letters, digits, - and _, or a text in quotes");
        toml_skip_blanks(in);
    } while (toml_take(in, "."));
    return TM_OK;
}

static tm_status toml_add_member(toml *in, tm_json **out, tm_json *table, const char *key, tm_json_kind kind)
{
    if (table->num == MAX_KEYS)
        return toml_fault(in, "a table has too many keys");
    TM_TRY(toml_add(out, in, table, kind));
    (*out)->name = key;
    return TM_OK;
}

static tm_status toml_key_twice(const toml *in, const char *key, const tm_json *first)
{
    return tmi_fail(in->error, TM_ERROR_DAMAGED, -1, "line %" PRIu32 ": '%s' stands in line %" PRIu32 ", too",
                    in->line, key, first->line);
}

/* Finds a member of a table, to be changed; NULL: there is none. */
static tm_json *toml_member_of(tm_json *table, const char *key)
{
    return (tm_json *)(uintptr_t)tm_json_get(table, key);
}

/* ------------------------------------------------------------------------------------------------- values */

static tm_status toml_take_value(toml *in, tm_json *node);

/* Takes KEY = VALUE; dots in the key make tables. */
// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_pair(toml *in, tm_json *table)
{
    const char *parts[MAX_KEY_PARTS];
    uint32_t num;
    TM_TRY(toml_take_keys(in, parts, &num));
    for (uint32_t i = 0; i + 1 < num; i++) {
        tm_json *next = toml_member_of(table, parts[i]);
        if (next && (next->kind != TM_JSON_OBJECT || next->number != TOML_BY_DOTS))
            return toml_key_twice(in, parts[i], next);
        if (!next)
            TM_TRY(toml_add_member(in, &next, table, parts[i], TM_JSON_OBJECT));
        next->number = TOML_BY_DOTS;
        table = next;
    }
    tm_json *value = toml_member_of(table, parts[num - 1]);
    if (value)
        return toml_key_twice(in, parts[num - 1], value);
    TM_TRY(toml_add_member(in, &value, table, parts[num - 1], TM_JSON_TEXT));
    if (!toml_take(in, "="))
        return toml_fault(in, "expected = after a key");
    toml_skip_blanks(in);
    return toml_take_value(in, value);
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_list(toml *in, tm_json *node)
{
    node->kind = TM_JSON_ARRAY;
    in->at++;
    for (;;) {
        tm_json *element;
        TM_TRY(toml_skip_lines(in));
        if (toml_take(in, "]"))
            return TM_OK;
        TM_TRY(toml_add(&element, in, node, TM_JSON_TEXT));
        TM_TRY(toml_take_value(in, element));
        TM_TRY(toml_skip_lines(in));
        if (!toml_take(in, ",") && toml_peek(in) != ']')
            return toml_fault(in, "a list goes on with , or ends with ]");
    }
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_inline_table(toml *in, tm_json *node)
{
    node->kind = TM_JSON_OBJECT;
    in->at++;
    toml_skip_blanks(in);
    if (toml_take(in, "}"))
        return TM_OK;
    do {
        toml_skip_blanks(in);
        TM_TRY(toml_take_pair(in, node));
        toml_skip_blanks(in);
    } while (toml_take(in, ","));
    return toml_take(in, "}") ? TM_OK : toml_fault(in, "a table in braces goes on with , or ends with }");
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
static tm_status toml_take_word(toml *in, tm_json *node)
{
    const char *from = in->at;
    while (toml_is_bare(toml_peek(in)) || toml_peek(in) == '+' || toml_peek(in) == '.' ||
           toml_peek(in) == ':')
        in->at++;
    const size_t size = (size_t)(in->at - from);
    const bool is_true = size == 4 && memcmp(from, "true", 4) == 0;
    if (is_true || (size == 5 && memcmp(from, "false", 5) == 0)) {
        node->kind = TM_JSON_BOOL;
        node->number = is_true;
    } else {
        node->kind = TM_JSON_NUMBER;
        node->whole = toml_read_integer(&node->number, from, size);
        /* dates and numbers with a fraction, which no configuration needs, keep their text */
        if (!node->whole && !(size && strchr("0123456789+-", from[0])) &&
            !(size == 3 && (memcmp(from, "inf", 3) == 0 || memcmp(from, "nan", 3) == 0)))
            return toml_fault(in, "not a value: texts need quotes");
    }
    return tmi_arena_text(&node->text, in->arena, from, size, "configuration", in->error);
}

// NOLINTNEXTLINE(misc-no-recursion): MAX_NESTING
static tm_status toml_take_value(toml *in, tm_json *node)
{
    const int c = toml_peek(in);
    node->line = in->line;
    if (c == '"' || c == '\'') {
        node->kind = TM_JSON_TEXT;
        return toml_take_text(in, &node->text, true);
    }
    if (c != '[' && c != '{')
        return toml_take_word(in, node);
    if (++in->nesting > MAX_NESTING)
        return toml_fault(in, "lists and tables are nested too deeply");
    TM_TRY(c == '[' ? toml_take_list(in, node) : toml_take_inline_table(in, node));
    in->nesting--;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- heads */

/*
 * Takes a head, [a.b] or [[a.b]]: goes by its parts, which are tables or lists of tables and are made where
 * they are missing, and makes the last one.
 */
static tm_status toml_take_head(toml *in)
{
    const char *parts[MAX_KEY_PARTS];
    uint32_t num;
    tm_json *table = in->root, *node;
    const bool list = toml_take(in, "[[");
    if (!list)
        in->at++;
    TM_TRY(toml_take_keys(in, parts, &num));
    if (!toml_take(in, list ? "]]" : "]"))
        return toml_fault(in, list ? "a head [[...]] ends with ]]" : "a head [...] ends with ]");
    for (uint32_t i = 0; i + 1 < num; i++) {
        node = toml_member_of(table, parts[i]);
        if (!node) {
            TM_TRY(toml_add_member(in, &node, table, parts[i], TM_JSON_OBJECT));
            node->number = TOML_BY_WAY;
        }
        table = node->kind == TM_JSON_ARRAY && node->number == TOML_BY_HEAD ? node->last : node;
        if (table->kind != TM_JSON_OBJECT || table->number == TOML_BY_VALUE)
            return toml_key_twice(in, parts[i], table);
    }
    const char *part = parts[num - 1];
    node = toml_member_of(table, part);
    if (node && (list ? node->kind != TM_JSON_ARRAY || node->number != TOML_BY_HEAD
                      : node->kind != TM_JSON_OBJECT || node->number != TOML_BY_WAY))
        return toml_key_twice(in, part, node);
    if (!node)
        TM_TRY(toml_add_member(in, &node, table, part, list ? TM_JSON_ARRAY : TM_JSON_OBJECT));
    node->number = TOML_BY_HEAD;
    if (list) {
        TM_TRY(toml_add(&node, in, node, TM_JSON_OBJECT));
        node->number = TOML_BY_HEAD;
    }
    node->line = in->line;
    in->table = node;
    return TM_OK;
}

tm_status tmi_toml_read(tm_json **out, tmi_arena *arena, const char *text, size_t size, tm_error *error)
{
    toml in = {.at = text, .end = text + size, .line = 1, .arena = arena, .error = error};
    *out = NULL;
    for (const char *at = text; at < in.end; at++) {
        const size_t step = tmi_utf8_step(at, (size_t)(in.end - at));
        if (!step || !*at)
            return toml_fault(&in, "not UTF-8");
        in.line += *at == '\n';
        at += step - 1;
    }
    in.line = 1;
    toml_take(&in, "\xef\xbb\xbf");
    TM_TRY(toml_add(&in.root, &in, NULL, TM_JSON_OBJECT));
    in.table = in.root;
    for (;;) {
        TM_TRY(toml_skip_lines(&in));
        if (in.at == in.end) {
            *out = in.root;
            return TM_OK;
        }
        TM_TRY(toml_peek(&in) == '[' ? toml_take_head(&in) : toml_take_pair(&in, in.table));
        TM_TRY(toml_skip_comment(&in));
        if (in.at < in.end && !toml_take_line_end(&in))
            return toml_fault(&in, "one line holds one key and its value");
    }
}
