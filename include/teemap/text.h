/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_TEXT_H
#define TEEMAP_TEXT_H
/*
 * teemap/text.h - JSON as a tree of plain structs: read, looked through, and written. All JSON of teemap is
 * written by one rule: UTF-8 as it is, but quotes, backslashes, control characters and characters that turn
 * the direction of writing as escapes, so that no text disturbs a terminal.
 *
 * Threads: a tree may be read by any number of them at once.
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
    TM_JSON_WRITTEN /* its text is JSON that stands as it is; trees that are read have none */
} tm_json_kind;

/*
 * A value. Those within an array or an object are a list from `first` to `last`, in the order in which they
 * stand. A program may build trees of its own in memory of its own: tm_json_write takes any.
 */
typedef struct tm_json {
    tm_json_kind kind;
    bool whole;                      /* a number without a fraction or a power of ten, of at most 53 bits */
    uint32_t num;                    /* values within */
    uint32_t line, column;           /* where it stood, from 1; 0: nowhere */
    uint32_t name_line, name_column; /* and its name */
    const char *name;                /* of a member of an object: UTF-8 without escapes; else NULL */
    const char *text;                /* UTF-8; of a number its digits, NULL when `number` says all */
    int64_t number;                  /* a whole number; 0 or 1 of a truth value */
    struct tm_json *first, *last, *next;
} tm_json;

/*
 * Reads one value; names within an object must differ. *out is freed by tm_json_free; the text need not stay.
 * TM_ERROR_DAMAGED, with line and column, when it is no JSON or no UTF-8; TM_ERROR_LIMIT when the tree takes
 * more than `max_bytes`. The allocator must outlive the tree; NULL is malloc.
 */
TM_API tm_status tm_json_read(tm_json **out, const void *text, size_t size, uint64_t max_bytes,
                              const tm_allocator *allocator, tm_error *error);
/* Frees a tree that tm_json_read made, by its outermost value. */
TM_API void tm_json_free(tm_json *json);
/* The member with a name; NULL if there is none, or `object` is NULL or no object. */
TM_API const tm_json *tm_json_get(const tm_json *object, const char *name);
/* Writes a value on one line, without its end. Bytes that are no UTF-8 become ?. */
TM_API tm_status tm_json_write(const tm_json *json, const tm_output *output, tm_error *error);

#ifdef __cplusplus
}
#endif

#endif
