/* SPDX-License-Identifier: Zlib */
#ifndef CLI_TEXT_BUFFER_H
#define CLI_TEXT_BUFFER_H
/*
 * text_buffer.h - a growing text: what a command prints is gathered here and written in one piece, so that
 * files that are worked on at the same time do not mix their lines. With a sink it is handed on whenever it
 * has grown large. It also knows how to show names that nobody can vouch for: control characters and broken
 * UTF-8 never reach a terminal.
 */
#include <teemap/teemap.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes; /* with a NUL behind them; NULL before the first one */
    size_t size;
    size_t capacity;
    const tm_output *sink; /* NULL: only gathered */
    bool color;            /* it goes to a terminal that shows colors */
    size_t columns;        /* of that terminal; 0: lines may be as long as they like */
    tm_error error;        /* of the sink; after the first failure nothing more is written */
} text;

/* Memory that is there: when there is none left, the program says so and ends with status 2. */
void *must_alloc(size_t num, size_t size);
void *must_resize(void *old, size_t num, size_t size);
/* Room for one more than `num` elements. */
void *must_grow(void *list, size_t *capacity, size_t num, size_t size);
char *must_copy(const char *string);
_Noreturn void out_of_memory(void);

#if defined(__GNUC__)
#if defined(__MINGW32__) /* has two printf, and uses that of C11 */
#define TEXT_PRINTF(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define TEXT_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#endif
#else
#define TEXT_PRINTF(format_at, first)
#endif
char *must_print(const char *format, ...) TEXT_PRINTF(1, 2); /* the caller's to free */

void text_release(text *out);
/* What was gathered, as a string. */
static inline const char *text_words(const text *gathered)
{
    return gathered->size ? gathered->bytes : "";
}
/* Hands everything on to the sink. False when that failed, now or before; `error` says why. */
bool text_flush(text *out);

void text_put(text *out, const void *bytes, size_t size);
/* An output by which the library appends to the text. */
tm_output text_output(text *out);
void text_string(text *out, const char *string);
/*
 * A whole number, right-aligned in `width` columns. For millions of them: text_print has to read its format.
 */
void text_number(text *out, int64_t number, int width);
void text_print(text *out, const char *format, ...) TEXT_PRINTF(2, 3);
void text_print_list(text *out, const char *format, va_list list);
/* A line of which everything is shown as text_safe does. */
void text_line(text *out, const char *format, ...) TEXT_PRINTF(2, 3);
/* `num` spaces; none for a negative number. */
void text_pad(text *out, long num);
/* A value of JSON; json.h makes them. */
typedef tm_json json_t;
/* JSON: compact, keys in the order in which they were set. Takes the value over. */
void text_json(text *out, json_t *value);
/* As text_json, with the end of the line behind it. */
void text_json_line(text *out, json_t *value);

/*
 * A text that came from outside. Control characters, characters that turn the direction of writing, and bytes
 * that are not UTF-8 are shown as escapes (\n, \x1b, \u{202e}); everything else as it is.
 */
void text_safe(text *out, const char *string);
/* As text_safe, with a colon and a blank behind it. */
void text_lead(text *out, const char *string);
/* As text_safe, in single quotes. */
void text_quoted(text *out, const char *string);
/* A word as a shell takes it, in single quotes. */
void text_shell_word(text *out, const char *word);
/* A path to be copied into a shell, in quotes where it needs some; one that begins with '-' is no option. */
void text_shell_path(text *out, const char *path);
/* Two hexadecimal digits for each byte, and a NUL. */
void format_hex(char *out, const void *bytes, size_t num);
/* A number of bytes for people: "640 KiB". */
void text_bytes(text *out, uint64_t bytes);
/* "1 image", "2 images". */
void text_count(text *out, uint64_t num, const char *singular, const char *plural);

/*
 * Aligns a table: `rows` holds lines whose cells are separated by tabs. `align` has a letter for each column,
 * l or r; the last one repeats. Two spaces stand between columns, nothing at the end of a line. Cells hold no
 * tabs, since text_safe escapes them. Where the terminal ends, the last cell is broken after a comma or a
 * blank.
 */
void text_columns(text *out, const text *rows, const char *align);

/* Whether everything up to the NUL is UTF-8. */
bool utf8_valid(const char *string);

#endif
