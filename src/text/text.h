/* SPDX-License-Identifier: Zlib */
#ifndef TMI_TEXT_H
#define TMI_TEXT_H
/*
 * The one reader and the one writer of JSON, a reader of TOML, and the one scanner of words. Large texts of
 * JSON are read token by token, small ones as a tree.
 */
#include <teemap/text.h>

#include "../base/base.h"

/* ------------------------------------------------------------------------------------------------ JSON in */

/* What comes next in a text of JSON. The text of KEY, STRING and NUMBER is that of tmi_json_text. */
typedef enum tmi_json_token {
    TMI_JSON_FAULT, /* the text is at fault (tmi_json_fault), or it cannot be read (tmi_json_status) */
    TMI_JSON_END,   /* behind the outermost value */
    TMI_JSON_OBJECT,
    TMI_JSON_OBJECT_END,
    TMI_JSON_ARRAY,
    TMI_JSON_ARRAY_END,
    TMI_JSON_KEY,
    TMI_JSON_STRING,
    TMI_JSON_NUMBER,
    TMI_JSON_TRUE,
    TMI_JSON_FALSE,
    TMI_JSON_NULL
} tmi_json_token;

/*
 * A reader of JSON: hands out one token after the other, holds no more than the one at hand, and knows
 * where each stands. After a fault nothing more comes. The input is not taken over; `error` must live as
 * long as the reader.
 */
typedef struct tmi_json tmi_json;
tm_status tmi_json_new(tmi_json **out, const tm_input *input, uint64_t max_text,
                       const tm_allocator *allocator, tm_error *error);
void tmi_json_free(tmi_json *json);
tmi_json_token tmi_json_next(tmi_json *json);
/*
 * Takes from now on what the parser of Teeworlds 0.7 takes, and reports it: commas after the last element,
 * control characters in texts, any character behind a backslash, \u0000 and halves of characters, bytes that
 * are no UTF-8, and without a word members of one name.
 */
typedef void tmi_json_forgiven(void *ctx, const char *subject, uint32_t line, uint32_t column);
void tmi_json_forgive(tmi_json *json, tmi_json_forgiven *forgive, void *ctx);
/* Skips the value that `token` began; false at a fault. */
bool tmi_json_skip(tmi_json *json, tmi_json_token token);
/* Begins again at the first byte. */
void tmi_json_rewind(tmi_json *json);
/* UTF-8 without NUL; numbers and words as they stand there. Until the next token. */
const char *tmi_json_text(const tmi_json *json);
size_t tmi_json_size(const tmi_json *json);
tm_status tmi_json_status(const tmi_json *json);
/* Whether a text begins like UTF-16, as editors on Windows may save it, and not like UTF-8. */
bool tmi_is_utf16(const char *bytes, size_t size);
/* Whether the outermost value was read; what comes next is TMI_JSON_END, or a fault. */
bool tmi_json_is_read(const tmi_json *json);
/* What is wrong, and where; without a fault NULL, and the place of the token at hand. From 1. */
const char *tmi_json_fault(const tmi_json *json, uint32_t *line, uint32_t *column);

/* -------------------------------------------------------------------------------------------------- tree */

/* tm_json_read into an arena; members are found by tm_json_get. */
tm_status tmi_json_tree(tm_json **out, const void *text, size_t size, uint64_t max_bytes, tmi_arena *arena,
                        tm_error *error);
/* The value that `token` begins, of a text that is read token by token; takes from `room`, in bytes. */
tm_status tmi_json_value(tm_json **out, tmi_json *json, tmi_json_token token, uint64_t *room,
                         tmi_arena *arena, tm_error *error);
/* The outermost value, behind which nothing may stand. */
tm_status tmi_json_all(tm_json **out, tmi_json *json, uint64_t *room, tmi_arena *arena, tm_error *error);
/* TM_ERROR_DAMAGED at the place of a value. */
tm_status tmi_json_fail(const tm_json *json, tm_error *error, const char *format, ...) TMI_PRINTF(3, 4);

/*
 * Reads TOML 1.0 into a tree, an object, which lives in the arena. Numbers and truth values also keep their
 * text; a number that is no integer, or a date, is a number whose text alone counts. Values have lines but no
 * columns. TM_ERROR_DAMAGED: "line 3: what is wrong".
 */
tm_status tmi_toml_read(tm_json **out, tmi_arena *arena, const char *text, size_t size, tm_error *error);
/* TM_ERROR_USAGE: "line 3: ...", the line of a value. */
tm_status tmi_toml_fail(const tm_json *node, tm_error *error, const char *format, ...) TMI_PRINTF(3, 4);
/* Whether each member of a table has one of the keys. NULL ends the list. */
tm_status tmi_toml_check_keys(const tm_json *table, const char *const *keys, tm_error *error);
/* A member that must be a text, a table, or a list of tables, of which *out is the first; NULL: none. */
tm_status tmi_toml_text(const char **out, const tm_json *table, const char *key, tm_error *error);
tm_status tmi_toml_table(const tm_json **out, const tm_json *table, const char *key, tm_error *error);
tm_status tmi_toml_tables(const tm_json **out, const tm_json *table, const char *key, tm_error *error);

/* ------------------------------------------------------------------------------------------------- writer */

/* Text through a small buffer into an output. The first failure stays, for tmi_out_end. */
typedef struct tmi_out {
    const tm_output *output;
    tm_status status;
    tm_error *error;
    /* For people: values within so many brackets stand on lines of their own. 0: no spaces at all. */
    uint32_t lines;
    uint32_t depth; /* brackets that are open */
    bool more;      /* a value stands before the next one */
    bool line;      /* the next one begins a line */
    size_t used;
    char buffer[8192];
} tmi_out;
void tmi_out_start(tmi_out *w, const tm_output *output, tm_error *error);
tm_status tmi_out_end(tmi_out *w);

void tmi_out_raw(tmi_out *w, const char *text, size_t size);
void tmi_out_string(tmi_out *w, const char *text);
void tmi_out_digits(tmi_out *w, int64_t number);
/* A number's digits, at most TMI_DIGITS characters; returns where they end. */
enum { TMI_DIGITS = 24 };
char *tmi_put_digits(char *target, int64_t number);
void tmi_out_hex(tmi_out *w, const void *bytes, uint64_t size);

/* Writes a character in UTF-8, at most 4 bytes; returns how many. */
size_t tmi_utf8_put(char *target, uint32_t c);
/* 0 to 15; -1 for no digit. */
int tmi_hex_digit(char c);
/* Digits of at most `max` bytes; returns how many characters were digits: two for each byte. */
size_t tmi_hex_parse(void *bytes, const char *digits, size_t max);

/* Values one after the other, with commas between them. Names are NULL in arrays. */
void tmi_out_open(tmi_out *w, const char *name, char bracket); /* also the quote of a text in pieces */
void tmi_out_close(tmi_out *w, char bracket);
void tmi_out_line(tmi_out *w); /* the next value begins a line */
void tmi_out_number(tmi_out *w, const char *name, int64_t number);
void tmi_out_numbers(tmi_out *w, const char *name, const int64_t *numbers, size_t num);
void tmi_out_bool(tmi_out *w, const char *name, bool value);
void tmi_out_null(tmi_out *w, const char *name);
void tmi_out_token(tmi_out *w, const char *name, const char *number); /* as it is to stand there */
void tmi_out_text(tmi_out *w, const char *name, const char *text);
/* A text or null; what is no UTF-8 has its bytes in a member NAME_bytes, or in the array's next value. */
void tmi_out_exact(tmi_out *w, const char *name, const char *text);
/* A tree, which knows its name. */
void tmi_out_json(tmi_out *w, const tm_json *json);
/* NAME and `end`: bytes as digits. */
void tmi_out_bytes(tmi_out *w, const char *name, const char *end, const void *bytes, uint64_t size);

/* -------------------------------------------------------------------------------------------------- words */

/*
 * Each reads what a text begins with and puts *text behind it; false: it begins with something else, or the
 * number does not fit, and then *text is anywhere.
 */
bool tmi_take_word(const char *word, const char **text);
/* What stands before the next separator, as a text of its own; behind the last one *text becomes NULL. */
bool tmi_take_part(char *out, size_t size, const char **text, char separator);
/* Digits up to `end`; a number that does not fit becomes UINT32_MAX, which is no index. */
bool tmi_take_index(uint32_t *out, const char **text, const char *end);
/* Digits, up to INT32_MAX; with a sign before them. */
bool tmi_take_digits(uint32_t *out, const char **text);
bool tmi_take_number(int32_t *out, const char **text);
/*
 * A whole text of digits, with a fraction and a minus if it has these, as a number of 1/scale, rounded; from
 * -INT32_MAX to INT32_MAX before that. Digits of the fraction behind the ninth are too little to matter.
 */
bool tmi_read_decimal(int64_t *out, const char *text, size_t size, int64_t scale);
/* "5", "5..9", "5..", "..9"; a side that is open stays as it is. */
bool tmi_take_range(int32_t *first, int32_t *last, const char **text);
bool tmi_begins_range(const char *text);
/* "X,Y", "WIDTHxHEIGHT", "X,Y+WIDTHxHEIGHT" with sizes of 1 at least. */
bool tmi_take_point(int32_t *x, int32_t *y, const char **text);
bool tmi_take_size(uint32_t *width, uint32_t *height, const char **text);
bool tmi_take_region(tm_rect *out, const char **text);
/* Whether a region is meant, well written or not: numbers with a + among them. */
bool tmi_is_like_region(const char *text);

/*
 * Calls `read` for each line of a text, without byte order mark and line end, until it returns false. Lines
 * are cut off in place; behind the text is room for a NUL.
 */
bool tmi_each_line(char *bytes, size_t size, bool (*read)(void *ctx, char *line, uint32_t number), void *ctx);
/* How often: a last line without a line end counts, too. */
uint32_t tmi_count_lines(const char *bytes, size_t size);

/*
 * Whether a text fits a pattern of `size` bytes in which * stands for any run of bytes. A NULL text is
 * empty.
 */
bool tmi_glob_match(const char *pattern, size_t size, const char *text);
static inline bool tmi_text_fits(const char *pattern, const char *text)
{
    return pattern && tmi_glob_match(pattern, strlen(pattern), text);
}
/*
 * Elements of addresses: an index, "3-5" or "3-" (*last is UINT32_MAX then), a name, perhaps with *, or a
 * name as it stands behind =.
 */
bool tmi_element_is_index(const char *element, size_t size, uint32_t *out);
bool tmi_element_fits(const char *element, size_t size, uint32_t index, const char *name);
/* Whether it may fit several objects. */
bool tmi_element_is_wide(const char *element, size_t size);

/* ---------------------------------------------------------------------------------------------- commands */

/* A server command of a setting: its words, without the quotes around arguments. More are only counted. */
enum { TMI_COMMAND_WORDS = 4, TMI_COMMAND_WORD_SIZE = 64 };
typedef struct tmi_command {
    uint32_t num;
    const char *begins[TMI_COMMAND_WORDS]; /* where the words stand in the setting */
    char words[TMI_COMMAND_WORDS][TMI_COMMAND_WORD_SIZE];
} tmi_command;
/* Where the commands of a line begin: behind "mc;", with which it may say that there are several. */
const char *tmi_command_begin(const char *line);
/*
 * The next command from *text on, which moves behind it; false when there is none. Semicolons end commands,
 * and # begins a comment, as in the game's console.
 */
bool tmi_command_next(tmi_command *out, const char **text);

#endif
