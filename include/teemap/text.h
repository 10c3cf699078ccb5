/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_TEXT_H
#define TEEMAP_TEXT_H
/*
 * teemap/text.h - reads and writes JSON as a tree of structs. teemap writes all JSON by one rule: unescaped
 * UTF-8, except quotes, backslashes, control characters and characters that change the direction of text, so
 * that no text disturbs a terminal.
 *
 * Threads: any number of threads may read a tree at once.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tm_json_kind {
    TM_JSON_NULL,
    TM_JSON_BOOL,
    TM_JSON_NUMBER,
    TM_JSON_TEXT,
    TM_JSON_ARRAY,
    TM_JSON_OBJECT,
    TM_JSON_WRITTEN /* its text is JSON to write unchanged; never read from a file */
} tm_json_kind;

/*
 * A value. The elements of an array or object are a linked list from `first` to `last`, in order. Programs
 * may build their own trees in their own memory: tm_json_write accepts any.
 */
typedef struct tm_json {
    tm_json_kind kind;
    bool whole;                      /* a number without fraction and exponent, of at most 53 bits */
    uint32_t num;                    /* number of elements */
    uint32_t line, column;           /* position in the text, from 1; 0: none */
    uint32_t name_line, name_column; /* position of the name */
    const char *name;                /* of a member of an object, UTF-8 without escapes; else NULL */
    const char *text;                /* UTF-8; for a number its digits, NULL if `number` is exact */
    int64_t number;                  /* an integer; 0 or 1 for a truth value */
    struct tm_json *first, *last, *next;
} tm_json;

/*
 * Reads one value; names in an object must be unique. *out is freed by tm_json_free; the text is not needed
 * afterwards. TM_ERROR_DAMAGED, with line and column, if it is not JSON or not UTF-8; TM_ERROR_LIMIT if the
 * tree needs more than `max_bytes`. The allocator must outlive the tree; NULL is malloc.
 */
TM_API tm_status tm_json_read(tm_json **out, const void *text, size_t size, uint64_t max_bytes,
                              const tm_allocator *allocator, tm_error *error);
/* Frees a tree of tm_json_read by its root. */
TM_API void tm_json_free(tm_json *json);
/* The member with a name; NULL if there is none, or `object` is NULL or not an object. */
TM_API const tm_json *tm_json_get(const tm_json *object, const char *name);
/* Writes a value on one line, without a line end. Invalid UTF-8 becomes ?. */
TM_API tm_status tm_json_write(const tm_json *json, const tm_output *output, tm_error *error);

#ifdef __cplusplus
}
#endif

#endif
