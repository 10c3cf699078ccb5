/* SPDX-License-Identifier: Zlib */
/*
 * The words of the command line: numbers, ranges, places, regions and names with *; and the lines of a text.
 * Addresses, sets of layers, patterns, tiles to write and arguments of operations are tables over the words
 * (docs/addresses.md).
 */
#include "text.h"

bool tmi_take_word(const char *word, const char **text)
{
    const size_t size = strlen(word);
    if (strncmp(*text, word, size) != 0)
        return false;
    *text += size;
    return true;
}

bool tmi_take_part(char *out, size_t size, const char **text, char separator)
{
    const char *end = strchr(*text, separator);
    const size_t length = end ? (size_t)(end - *text) : strlen(*text);
    if (length >= size)
        return false;
    memcpy(out, *text, length);
    out[length] = '\0';
    *text = end ? end + 1 : NULL;
    return true;
}

bool tmi_take_index(uint32_t *out, const char **text, const char *end)
{
    const char *const start = *text;
    uint64_t number = 0;
    for (; *text < end && **text >= '0' && **text <= '9'; ++*text) {
        number = number * 10 + (uint64_t)(**text - '0');
        if (number > UINT32_MAX)
            number = UINT32_MAX;
    }
    *out = (uint32_t)number;
    return *text > start;
}

bool tmi_take_digits(uint32_t *out, const char **text)
{
    return tmi_take_index(out, text, *text + strspn(*text, "0123456789")) && *out <= INT32_MAX;
}

bool tmi_take_number(int32_t *out, const char **text)
{
    const bool minus = **text == '-';
    uint32_t number = 0;
    *text += minus || **text == '+';
    if (!tmi_take_digits(&number, text))
        return false;
    *out = minus ? -(int32_t)number : (int32_t)number;
    return true;
}

bool tmi_read_decimal(int64_t *out, const char *text, size_t size, int64_t scale)
{
    enum { MOST = 9 };
    const char *const end = text + size, *cursor = text + (size && *text == '-');
    int64_t fraction = 0, unit = 1;
    uint32_t whole;
    if (!tmi_take_index(&whole, &cursor, end) || whole > INT32_MAX)
        return false;
    const char *dot = cursor;
    if (cursor < end && *cursor++ != '.')
        return false;
    for (; cursor < end && *cursor >= '0' && *cursor <= '9'; cursor++)
        if (cursor - dot <= MOST) {
            fraction = fraction * 10 + (*cursor - '0');
            unit *= 10;
        }
    *out = whole * scale + (fraction * scale * 2 + unit) / (unit * 2);
    if (*text == '-')
        *out = -*out;
    return cursor == end && end - dot != 1;
}

bool tmi_take_range(int32_t *first, int32_t *last, const char **text)
{
    if (!tmi_take_word("..", text)) {
        if (!tmi_take_number(first, text))
            return false;
        if (!tmi_take_word("..", text)) {
            *last = *first;
            return true;
        }
    }
    const bool open = **text != '-' && !(**text >= '0' && **text <= '9');
    return open || tmi_take_number(last, text);
}

bool tmi_begins_range(const char *text)
{
    return (*text >= '0' && *text <= '9') || strncmp(text, "..", 2) == 0;
}

bool tmi_take_point(int32_t *x, int32_t *y, const char **text)
{
    return tmi_take_number(x, text) && tmi_take_word(",", text) && tmi_take_number(y, text);
}

bool tmi_take_size(uint32_t *width, uint32_t *height, const char **text)
{
    return tmi_take_digits(width, text) && tmi_take_word("x", text) && tmi_take_digits(height, text);
}

bool tmi_take_region(tm_rect *out, const char **text)
{
    return tmi_take_point(&out->x, &out->y, text) && tmi_take_word("+", text) &&
           tmi_take_size(&out->width, &out->height, text) && !tmi_rect_is_empty(out);
}

bool tmi_is_like_region(const char *text)
{
    return strchr(text, '+') && text[strspn(text, "-0123456789,.+xX")] == '\0';
}

bool tmi_glob_match(const char *pattern, size_t size, const char *text)
{
    const char *const end = pattern + size, *star = NULL, *retry = NULL;
    text = text ? text : "";
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* --------------------------------------------------------------------------------- elements of addresses */

static bool element_range(const char *element, size_t size, uint32_t *first, uint32_t *last)
{
    const char *const end = element + size, *cursor = element;
    *last = UINT32_MAX;
    if (!tmi_take_index(first, &cursor, end) || cursor == end || *cursor++ != '-')
        return false;
    return cursor == end || (tmi_take_index(last, &cursor, end) && cursor == end);
}

bool tmi_element_is_index(const char *element, size_t size, uint32_t *out)
{
    const char *cursor = element;
    return tmi_take_index(out, &cursor, element + size) && cursor == element + size;
}

bool tmi_element_fits(const char *element, size_t size, uint32_t index, const char *name)
{
    uint32_t first, last;
    name = name ? name : "";
    if (size && element[0] == '=')
        return strlen(name) == size - 1 && memcmp(name, element + 1, size - 1) == 0;
    if (element_range(element, size, &first, &last))
        return index >= first && index <= last;
    if (tmi_element_is_index(element, size, &first))
        return index == first;
    return tmi_glob_match(element, size, name);
}

bool tmi_element_is_wide(const char *element, size_t size)
{
    uint32_t first, last;
    if (size == 0 || element[0] == '=')
        return false;
    return memchr(element, '*', size) || element_range(element, size, &first, &last);
}

/* -------------------------------------------------------------------------------------------------- lines */

uint32_t tmi_count_lines(const char *bytes, size_t size)
{
    uint32_t num = size > tmi_utf8_mark(bytes, size) && bytes[size - 1] != '\n';
    for (size_t i = 0; i < size; i++)
        num += bytes[i] == '\n';
    return num;
}

bool tmi_each_line(char *bytes, size_t size, bool (*read)(void *ctx, char *line, uint32_t number), void *ctx)
{
    uint32_t number = 1;
    char *cursor = bytes + tmi_utf8_mark(bytes, size), *const end = bytes + size;
    for (; cursor < end; number++) {
        char *stop = memchr(cursor, '\n', (size_t)(end - cursor));
        char *next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        if (stop > cursor && stop[-1] == '\r')
            stop--;
        *stop = '\0'; /* a line end, or the byte behind the text */
        if (!read(ctx, cursor, number))
            return false;
        cursor = next;
    }
    return true;
}
