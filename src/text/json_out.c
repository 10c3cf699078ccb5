/* SPDX-License-Identifier: Zlib */
/* Writes text by a small buffer into an output, and JSON value by value; only this file escapes texts. */
#include "text.h"

void tmi_out_start(tmi_out *w, const tm_output *output, tm_error *error)
{
    w->output = output;
    w->status = TM_OK;
    w->error = error;
    w->more = w->line = false;
    w->lines = w->depth = 0;
    w->used = 0;
}

static void flush_out(tmi_out *w)
{
    if (w->status == TM_OK && w->used)
        w->status = tmi_output_write(w->output, w->buffer, w->used, w->error);
    w->used = 0;
}

tm_status tmi_out_end(tmi_out *w)
{
    flush_out(w);
    return w->status;
}

void tmi_out_raw(tmi_out *w, const char *text, size_t size)
{
    while (size > sizeof(w->buffer) - w->used) {
        const size_t part = sizeof(w->buffer) - w->used;
        memcpy(w->buffer + w->used, text, part);
        w->used += part;
        text += part;
        size -= part;
        flush_out(w);
    }
    memcpy(w->buffer + w->used, text, size);
    w->used += size;
}

void tmi_out_string(tmi_out *w, const char *text)
{
    tmi_out_raw(w, text, strlen(text));
}

char *tmi_put_digits(char *target, int64_t number)
{
    char digits[TMI_DIGITS];
    size_t num = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0)
        *target++ = '-';
    do
        digits[num++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (num)
        *target++ = digits[--num];
    return target;
}

void tmi_out_digits(tmi_out *w, int64_t number)
{
    char text[TMI_DIGITS];
    tmi_out_raw(w, text, (size_t)(tmi_put_digits(text, number) - text));
}

void tmi_out_hex(tmi_out *w, const void *bytes, uint64_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *source = bytes;
    for (uint64_t i = 0; i < size; i++)
        tmi_out_raw(w, (const char[]){digits[source[i] >> 4], digits[source[i] & 15]}, 2);
}

int tmi_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = tmi_fold_case(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t tmi_hex_parse(void *bytes, const char *digits, size_t max)
{
    uint8_t *target = bytes;
    for (size_t i = 0; i < max; i++, digits += 2) {
        const int high = tmi_hex_digit(digits[0]), low = high < 0 ? -1 : tmi_hex_digit(digits[1]);
        if (low < 0)
            return 2 * i + (high >= 0);
        target[i] = (uint8_t)(high << 4 | low);
    }
    return 2 * max;
}

/* -------------------------------------------------------------------------------------------------- texts */

/* Writes \uXXXX for a character that must not be shown; its sequence is valid, and at most U+FFFF. */
static void put_escape(tmi_out *w, const char *text, size_t step)
{
    static const char bytes[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
    const uint8_t *b = (const uint8_t *)text;
    const char *known = step == 1 ? strchr(bytes, *text) : NULL;
    const unsigned c = step == 1   ? b[0]
                       : step == 2 ? (b[0] & 0x1fu) << 6 | (b[1] & 0x3fu)
                                   : (b[0] & 0x0fu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu);
    char escape[16];
    if (known)
        tmi_format(escape, sizeof(escape), "\\%c", letters[known - bytes]);
    else
        tmi_format(escape, sizeof(escape), "\\u%04x", c);
    tmi_out_string(w, escape);
}

/* In quotes and escapes, ? for each byte that is no UTF-8; false if there were such. */
static bool put_quoted(tmi_out *w, const char *text)
{
    bool exact = true;
    tmi_out_raw(w, "\"", 1);
    for (;;) {
        size_t step = 0;
        while (text[step] >= ' ' && text[step] < 0x7f && text[step] != '"' && text[step] != '\\')
            step++;
        tmi_out_raw(w, text, step);
        text += step;
        if (!*text)
            break;
        const bool plain = *text != '"' && *text != '\\' && (step = tmi_text_step(text)) > 0;
        if (!plain)
            step = tmi_utf8_step(text, strlen(text));
        if (plain)
            tmi_out_raw(w, text, step);
        else if (step)
            put_escape(w, text, step);
        else
            tmi_out_raw(w, "?", 1);
        exact = exact && step;
        text += step ? step : 1;
    }
    tmi_out_raw(w, "\"", 1);
    return exact;
}

/* ------------------------------------------------------------------------------------------------- values */

static void break_line(tmi_out *w, uint32_t depth)
{
    tmi_out_raw(w, "\n", 1);
    for (uint32_t i = 0; i < depth; i++)
        tmi_out_raw(w, "  ", 2);
}

/* Writes what precedes a value: a comma, a line end or space, and the name, as far as it needs them. */
static void lead_out(tmi_out *w, const char *name)
{
    const bool own_line = w->depth && w->depth <= w->lines;
    if (w->more)
        tmi_out_raw(w, ", ", w->lines && !own_line ? 2 : 1);
    if (own_line)
        break_line(w, w->depth);
    else if (w->line)
        break_line(w, 0);
    w->line = false;
    w->more = true;
    if (!name)
        return;
    put_quoted(w, name);
    tmi_out_raw(w, ": ", w->lines ? 2 : 1);
}

void tmi_out_open(tmi_out *w, const char *name, char bracket)
{
    lead_out(w, name);
    tmi_out_raw(w, &bracket, 1);
    w->more = false;
    w->depth++;
}

void tmi_out_close(tmi_out *w, char bracket)
{
    if (w->more && w->depth <= w->lines)
        break_line(w, w->depth - 1);
    tmi_out_raw(w, &bracket, 1);
    w->more = true;
    w->depth--;
}

void tmi_out_line(tmi_out *w)
{
    w->line = true;
}

void tmi_out_number(tmi_out *w, const char *name, int64_t number)
{
    lead_out(w, name);
    tmi_out_digits(w, number);
}

void tmi_out_numbers(tmi_out *w, const char *name, const int64_t *numbers, size_t num)
{
    tmi_out_open(w, name, '[');
    for (size_t i = 0; i < num; i++)
        tmi_out_number(w, NULL, numbers[i]);
    tmi_out_close(w, ']');
}

void tmi_out_bool(tmi_out *w, const char *name, bool value)
{
    lead_out(w, name);
    tmi_out_string(w, value ? "true" : "false");
}

void tmi_out_null(tmi_out *w, const char *name)
{
    lead_out(w, name);
    tmi_out_string(w, "null");
}

void tmi_out_token(tmi_out *w, const char *name, const char *number)
{
    lead_out(w, name);
    tmi_out_string(w, number);
}

void tmi_out_text(tmi_out *w, const char *name, const char *text)
{
    lead_out(w, name);
    put_quoted(w, text);
}

void tmi_out_bytes(tmi_out *w, const char *name, const char *end, const void *bytes, uint64_t size)
{
    char whole[64];
    tmi_format(whole, sizeof(whole), "%s%s", name ? name : "", end);
    lead_out(w, name ? whole : NULL);
    tmi_out_raw(w, "\"", 1);
    tmi_out_hex(w, bytes, size);
    tmi_out_raw(w, "\"", 1);
}

void tmi_out_exact(tmi_out *w, const char *name, const char *text)
{
    if (!text) {
        tmi_out_null(w, name);
        return;
    }
    lead_out(w, name);
    if (!put_quoted(w, text))
        tmi_out_bytes(w, name, "_bytes", text, strlen(text));
}

/* -------------------------------------------------------------------------------------------------- trees */

/* A tree that a program built may be of any depth. */
enum { WRITE_DEPTH = 64 };

// NOLINTNEXTLINE(misc-no-recursion): WRITE_DEPTH
static void write_tree(tmi_out *w, const tm_json *json, int depth)
{
    const bool object = json->kind == TM_JSON_OBJECT;
    switch (json->kind) {
    case TM_JSON_NULL: tmi_out_null(w, json->name); return;
    case TM_JSON_BOOL: tmi_out_bool(w, json->name, json->number != 0); return;
    case TM_JSON_TEXT: tmi_out_text(w, json->name, json->text); return;
    case TM_JSON_WRITTEN: tmi_out_token(w, json->name, json->text); return;
    case TM_JSON_NUMBER:
        if (json->text)
            tmi_out_token(w, json->name, json->text);
        else
            tmi_out_number(w, json->name, json->number);
        return;
    default: break;
    }
    if (depth == WRITE_DEPTH) {
        w->status = w->status
                        ? w->status
                        : tmi_fail(w->error, TM_ERROR_LIMIT, -1, "lists and objects are nested too deeply");
        return;
    }
    tmi_out_open(w, json->name, object ? '{' : '[');
    for (const tm_json *node = json->first; node; node = node->next)
        write_tree(w, node, depth + 1);
    tmi_out_close(w, object ? '}' : ']');
}

void tmi_out_json(tmi_out *w, const tm_json *json)
{
    write_tree(w, json, 0);
}

tm_status tm_json_write(const tm_json *json, const tm_output *output, tm_error *error)
{
    tmi_out w;
    TM_TRY(tmi_need(json, "json", error));
    TM_TRY(tmi_need(output, "output", error));
    tmi_out_start(&w, output, error);
    tmi_out_json(&w, json);
    return tmi_out_end(&w);
}
