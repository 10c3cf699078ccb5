/* SPDX-License-Identifier: Zlib */
/*
 * text_buffer.c - the growing text, the escaping of untrusted names, numbers for people. Does not know
 * maps and commands.
 */
#include "text_buffer.h"

/* Bytes that are gathered before they are written: many, so that writes are few, but few beside a map. */
#define FLUSH_SIZE ((size_t)64 * 1024)

_Noreturn void out_of_memory(void)
{
    fputs("teemap: out of memory\n", stderr);
    tm_sys_save_abort_all();
    _Exit(2);
}

static void *must_have(void *memory)
{
    if (!memory)
        out_of_memory();
    return memory;
}

void *must_alloc(size_t num, size_t size)
{
    return must_have(calloc(num ? num : 1, size));
}

void *must_resize(void *old, size_t num, size_t size)
{
    return must_have(size && num > SIZE_MAX / size ? NULL : realloc(old, num * size));
}

void *must_grow(void *list, size_t *capacity, size_t num, size_t size)
{
    if (num < *capacity)
        return list;
    *capacity = *capacity ? 2 * *capacity : 16;
    return must_resize(list, *capacity, size);
}

char *must_copy(const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(must_alloc(size, 1), string, size);
}

char *must_print(const char *format, ...)
{
    text out = {0};
    va_list list;
    va_start(list, format);
    text_print_list(&out, format, list);
    va_end(list);
    return out.bytes ? out.bytes : must_copy("");
}

void text_release(text *out)
{
    free(out->bytes);
    *out = (text){.sink = out->sink, .color = out->color, .columns = out->columns};
}

bool text_flush(text *out)
{
    if (out->sink && out->size && !out->error.code)
        out->sink->write(out->sink->ctx, out->bytes, out->size, &out->error);
    if (out->sink)
        out->size = 0;
    return out->error.code == TM_OK;
}

/* Makes room for `more` bytes at the end of a text, and returns their place. */
static char *text_room(text *out, size_t more)
{
    if (out->sink && out->size >= FLUSH_SIZE)
        text_flush(out);
    if (out->capacity - out->size < more) {
        size_t capacity = out->capacity ? out->capacity : 256;
        while (capacity - out->size < more) {
            if (capacity > SIZE_MAX / 2)
                out_of_memory();
            capacity *= 2;
        }
        out->bytes = must_resize(out->bytes, capacity, 1);
        out->capacity = capacity;
    }
    return out->bytes + out->size;
}

void text_put(text *out, const void *bytes, size_t size)
{
    if (out->sink && size >= FLUSH_SIZE) { /* large things need no copy */
        if (text_flush(out))
            out->sink->write(out->sink->ctx, bytes, size, &out->error);
        return;
    }
    if (size) {
        memcpy(text_room(out, size + 1), bytes, size);
        out->size += size;
        out->bytes[out->size] = '\0';
    }
}

void text_string(text *out, const char *string)
{
    text_put(out, string, strlen(string));
}

void text_number(text *out, int64_t number, int width)
{
    char digits[24];
    int at = (int)sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        digits[--at] = '-';
    const int length = (int)sizeof(digits) - at;
    text_pad(out, width - length);
    text_put(out, digits + at, (size_t)length);
}

void text_print_list(text *out, const char *format, va_list list)
{
    char small[512];
    va_list second_pass;
    va_copy(second_pass, list);
    int length = vsnprintf(small, sizeof(small), format, list);
    if (length >= (int)sizeof(small)) {
        char *large = must_alloc((size_t)length + 1, 1);
        vsnprintf(large, (size_t)length + 1, format, second_pass);
        text_put(out, large, (size_t)length);
        free(large);
    } else if (length > 0) {
        text_put(out, small, (size_t)length);
    }
    va_end(second_pass);
}

void text_print(text *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_print_list(out, format, list);
    va_end(list);
}

void text_line(text *out, const char *format, ...)
{
    text whole = {0};
    va_list list;
    va_start(list, format);
    text_print_list(&whole, format, list);
    va_end(list);
    text_safe(out, text_words(&whole));
    text_put(out, "\n", 1);
    text_release(&whole);
}

void text_pad(text *out, long num)
{
    while (num-- > 0)
        text_put(out, " ", 1);
}

static tm_status put_output(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)error;
    text_put(ctx, bytes, size);
    return TM_OK;
}

tm_output text_output(text *out)
{
    return (tm_output){out, put_output, NULL};
}

void text_json_line(text *out, json_t *value)
{
    text_json(out, value);
    text_put(out, "\n", 1);
}

/* Decodes one character; returns its bytes, or 0 when they are not UTF-8. `string` ends with a NUL. */
static size_t utf8_decode(const char *string, uint32_t *character)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)string;
    size_t size = s[0] < 0x80                   ? 1
                  : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                  : (s[0] & 0xf0) == 0xe0       ? 3
                  : (s[0] & 0xf8) == 0xf0       ? 4
                                                : 0;
    uint32_t value = size < 2 ? s[0] : s[0] & (0x7fU >> size);
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3fU);
    }
    if (!size || value < smallest[size] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *character = value;
    return size;
}

bool utf8_valid(const char *string)
{
    uint32_t character;
    while (*string) {
        size_t size = utf8_decode(string, &character);
        if (!size)
            return false;
        string += size;
    }
    return true;
}

/*
 * Whether a character could disturb a terminal, as in the library (tmi_text_step): C0, DEL, C1, marks of
 * writing direction, line and paragraph separators, the byte order mark.
 */
static bool is_harmful(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || (c >= 0x200e && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* Writes how the character at `string` is shown; returns the number of its bytes in `string`. */
static size_t format_character(char shown[16], const char *string)
{
    uint32_t c = 0;
    size_t size = utf8_decode(string, &c);
    if (!size || (size == 1 && is_harmful(c))) {
        char letter = c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : '\0';
        if (letter)
            snprintf(shown, 16, "\\%c", letter);
        else
            snprintf(shown, 16, "\\x%02x", (unsigned)(unsigned char)*string);
        return 1;
    }
    if (is_harmful(c)) {
        snprintf(shown, 16, "\\u{%" PRIx32 "}", c);
    } else {
        memcpy(shown, string, size);
        shown[size] = '\0';
    }
    return size;
}

void text_safe(text *out, const char *string)
{
    char shown[16];
    while (*string) {
        const char *plain = string;
        while (*string >= ' ' && *string <= '~')
            string++;
        text_put(out, plain, (size_t)(string - plain));
        if (*string) {
            string += format_character(shown, string);
            text_string(out, shown);
        }
    }
}

void text_lead(text *out, const char *string)
{
    text_safe(out, string);
    text_string(out, ": ");
}

void text_quoted(text *out, const char *string)
{
    text_put(out, "'", 1);
    text_safe(out, string);
    text_put(out, "'", 1);
}

void text_shell_word(text *out, const char *word)
{
    text_string(out, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_string(out, "'\\''");
        else
            text_put(out, word, 1);
    text_string(out, "'");
}

void text_shell_path(text *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@%+=:,";
    const char *folder = *path == '-' ? "./" : "";
    bool safe = true;
    for (const unsigned char *byte = (const unsigned char *)path; *byte; byte++)
        safe = safe && *byte >= ' ' && *byte != 0x7f;
    text_string(out, folder);
    if (!safe || path[strspn(path, plain)] == '\0')
        text_safe(out, path);
    else
        text_shell_word(out, path);
}

void format_hex(char *out, const void *bytes, size_t num)
{
    for (size_t i = 0; i < num; i++)
        snprintf(out + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
}

void text_bytes(text *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        text_count(out, bytes, "byte", "bytes");
        return;
    }
    size_t unit = 0;
    while (unit < 5 && bytes >> (10 * (unit + 2)))
        unit++;
    /* Tenths by whole numbers, rounded down: the same everywhere. */
    uint64_t whole = bytes >> (10 * (unit + 1));
    uint64_t tenths = ((bytes >> (10 * unit)) % 1024) * 10 / 1024;
    if (whole < 10)
        text_print(out, "%" PRIu64 ".%" PRIu64 " %s", whole, tenths, units[unit]);
    else
        text_print(out, "%" PRIu64 " %s", whole, units[unit]);
}

void text_count(text *out, uint64_t num, const char *singular, const char *plural)
{
    text_print(out, "%" PRIu64 " %s", num, num == 1 ? singular : plural);
}

/* ------------------------------------------------------------------------------------------------- tables */

#define MAX_COLUMNS 48
/* A cell with fewer columns than these is not broken: it would have a word or two per line. */
#define MIN_ROOM 20

/* Counts the characters of the cell that begins at `position`; moves `position` behind it. */
static size_t cell_width(const text *rows, size_t *position)
{
    size_t width = 0;
    for (; *position < rows->size && rows->bytes[*position] != '\t' && rows->bytes[*position] != '\n';
         ++*position)
        width += ((unsigned char)rows->bytes[*position] & 0xc0) != 0x80;
    return width;
}

static void measure_columns(size_t widths[MAX_COLUMNS], const text *rows)
{
    size_t column = 0;
    for (size_t at = 0; at < rows->size; at++) {
        size_t width = cell_width(rows, &at);
        if (column < MAX_COLUMNS && width > widths[column])
            widths[column] = width;
        column = at < rows->size && rows->bytes[at] == '\t' ? column + 1 : 0;
    }
}

/* Writes a cell from a column on, broken at blanks into as many lines as it needs. */
static void put_broken_cell(text *out, const char *cell, size_t size, size_t column)
{
    const size_t room = out->columns > column + MIN_ROOM ? out->columns - column : SIZE_MAX;
    while (size) {
        size_t fits = 0, width = 0, blank = 0; /* `blank`: after the last one that fits */
        for (; fits < size && width <= room; fits++) {
            width += ((unsigned char)cell[fits] & 0xc0) != 0x80;
            blank = width <= room && cell[fits] == ' ' ? fits + 1 : blank;
        }
        const size_t piece = width <= room || !blank ? size : blank;
        text_put(out, cell, piece < size ? piece - 1 : piece); /* without the blank */
        cell += piece;
        size -= piece;
        if (size) {
            text_put(out, "\n", 1);
            text_pad(out, (long)column);
        }
    }
}

void text_columns(text *out, const text *rows, const char *align)
{
    size_t start = 0; /* column of the cell */
    size_t widths[MAX_COLUMNS] = {0}, column = 0, last = strlen(align) - 1;
    long owed = 0; /* spaces that are written only if something follows them */
    measure_columns(widths, rows);
    for (size_t at = 0; at < rows->size; at++) {
        size_t begin = at, width = cell_width(rows, &at);
        long room = column < MAX_COLUMNS ? (long)(widths[column] - width) : 0;
        bool right = align[column < last ? column : last] == 'r';
        bool ends = at >= rows->size || rows->bytes[at] == '\n';
        owed += right ? room : 0;
        if (width) {
            text_pad(out, owed);
            if (ends && !right)
                put_broken_cell(out, rows->bytes + begin, at - begin, start);
            else
                text_put(out, rows->bytes + begin, at - begin);
            owed = 0;
        }
        owed += 2 + (right ? 0 : room);
        start += 2 + width + (size_t)room;
        if (ends) {
            text_put(out, "\n", 1);
            owed = 0;
            start = 0;
        }
        column = ends ? 0 : column + 1;
    }
}
