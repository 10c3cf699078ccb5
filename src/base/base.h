/* SPDX-License-Identifier: Zlib */
#ifndef TMI_BASE_H
#define TMI_BASE_H
/*
 * Internal ground of all rooms: memory, checked sizes, errors, options, growing
 * arrays, UTF-8. Does not know datafiles or maps and nothing of the operating system.
 */
#include <teemap/base.h>
#include <teemap/files.h>
#include <teemap/findings.h>

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A lock of the threads of this process. tmi_lock_init returns 0, or why there is none, as pthread.h does. */
#ifdef __wasi__ /* has neither threads nor this header */
typedef bool tmi_mutex;
#define tmi_lock_init(mutex)    (*(mutex) = false)
#define tmi_lock(mutex)         ((void)(mutex))
#define tmi_unlock(mutex)       ((void)(mutex))
#define tmi_lock_release(mutex) ((void)(mutex))
#else
#include <pthread.h>
typedef pthread_mutex_t tmi_mutex;
#define tmi_lock_init(mutex)    pthread_mutex_init(mutex, NULL)
#define tmi_lock(mutex)         pthread_mutex_lock(mutex)
#define tmi_unlock(mutex)       pthread_mutex_unlock(mutex)
#define tmi_lock_release(mutex) pthread_mutex_destroy(mutex)
#endif

/*
 * Raw memory is for src/base/memory.c alone: no other file of the library compiles with it. (The macro is the
 * one that the build sets for the library's own files, so tests may do as they like.)
 */
#if defined(TM_BUILD_SHARED) && !defined(TMI_RAW_MEMORY)
#define malloc(size)        tmi_banned_use_tmi_alloc(size)
#define calloc(count, size) tmi_banned_use_tmi_calloc(count, size)
#define realloc(ptr, size)  tmi_banned_use_tmi_realloc(ptr, size)
#define free(ptr)           tmi_banned_use_tmi_free(ptr)
#define strdup(text)        tmi_banned_use_tmi_strdup(text)
#endif

/* ------------------------------------------------------------------------------------------- control flow */

#define TM_TRY(expr)                       \
    do {                                   \
        tm_status tm_try_status_ = (expr); \
        if (tm_try_status_ != TM_OK)       \
            return tm_try_status_;         \
    } while (0)

#ifdef TMI_DEV
#include <assert.h>
#define TMI_ASSERT(condition) assert(condition)
#else
#define TMI_ASSERT(condition) ((void)0)
#endif

#if defined(__GNUC__)
#if defined(__MINGW32__) /* has two printf, and uses that of C11 */
#define TMI_PRINTF(format_index, first) __attribute__((format(gnu_printf, format_index, first)))
#else
#define TMI_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#endif
/*
 * For what must become part of its caller: it is compiled for several kinds of machine, which do not use all
 * of it, or for a constant.
 */
#define TMI_INLINE static inline __attribute__((always_inline, unused))
#else
#define TMI_PRINTF(format_index, first)
#define TMI_INLINE static inline
#endif

/* The most zeros that stand in for bytes a file only claims: a few numbers would take gigabytes otherwise. */
#define TMI_AIR_LIMIT (UINT64_C(64) * 1024 * 1024)
/* Takes `num` things of `size` bytes from what a file may still claim; false: it is more than that. */
static inline bool tmi_take_air(uint64_t *left, uint64_t num, uint64_t size)
{
    if (size && num > *left / size)
        return false;
    *left -= num * size;
    return true;
}

#define TMI_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------------------------------------- errors */

/*
 * The one place where errors are made (a breakpoint here sees every error). Fills `error` unless NULL;
 * returns code.
 */
tm_status tmi_fail(tm_error *error, tm_status code, int64_t offset, const char *format, ...) TMI_PRINTF(4, 5);
/*
 * Puts a place in front of the error's place ("group 2" before "layer 3" gives "group 2, layer 3"); returns
 * error->code or `code`.
 */
tm_status tmi_fail_at(tm_error *error, tm_status code, const char *format, ...) TMI_PRINTF(3, 4);
/*
 * TM_ERROR_USAGE, "SUBJECT is NULL", for an argument that must not be; the first thing that a public function
 * asks.
 */
tm_status tmi_need(const void *argument, const char *subject, tm_error *error);
/*
 * For who goes on when what is read is damaged: TM_OK then; any other failure in `failure` goes to *error,
 * which is left alone on success.
 */
tm_status tmi_past_damage(tm_status status, const tm_error *failure, tm_error *error);
/* Tells on which side the fault lies and at which path, where that is not known yet. Both may be NULL. */
void tmi_error_about(tm_error *error, tm_side side, const char *path);
/*
 * For calling a callback of the caller's. Such a function may fail without filling in its tm_error. Call
 * tmi_error_blank(failure) before, hand it `failure`, and give what it returns to tmi_error_told. That copies
 * the failure to *error; if the callback gave no text, it writes "CALLER failed and gave no reason", and if
 * it gave no side, `side`.
 */
void tmi_error_blank(tm_error *failure);
tm_status tmi_error_told(tm_status status, tm_error *failure, tm_error *error, tm_side side,
                         const char *caller);
/* snprintf that always ends with NUL and never cuts a UTF-8 sequence; returns the length written. */
size_t tmi_format(char *buffer, size_t size, const char *format, ...) TMI_PRINTF(3, 4);
size_t tmi_vformat(char *buffer, size_t size, const char *format, va_list list) TMI_PRINTF(3, 0);
/*
 * Replaces characters that must not be shown (see tmi_text_step) by '?', in place. Errors and findings do
 * this to all their texts.
 */
void tmi_tidy_line(char *text);
/*
 * What public functions end with that write a line into a buffer of their caller: tidies `text`, copies it,
 * cut to `size` with its NUL, and returns the length of all of it.
 */
size_t tmi_give_line(char *buffer, size_t size, char *text);
/* A line in the making, part by part; what goes beyond it is cut. */
typedef struct tmi_line {
    char text[1024];
    size_t length;
} tmi_line;
void tmi_line_add(tmi_line *line, const char *format, ...) TMI_PRINTF(2, 3);
/* Length of `text` without a UTF-8 sequence that its end cuts. */
size_t tmi_whole_length(const char *text, size_t length);

/*
 * A new finding, also if there is an equal one, with a severity of its own; the caller fills in the rest.
 * NULL when there is no place for it: then it counts as unlisted.
 */
tm_finding *tmi_finding_new(tm_findings *findings, tm_finding_id id, tm_severity severity);

/* ------------------------------------------------------------------------------------------------- memory */

/*
 * All of these take a NULL allocator as malloc. Sizes are (count, size) and checked; overflow returns NULL. A
 * zero-byte request returns a valid pointer that tmi_free takes.
 */
void *tmi_alloc(const tm_allocator *allocator, size_t count, size_t size);
void *tmi_calloc(const tm_allocator *allocator, size_t count, size_t size); /* zeroed */
/* On failure the old block stays valid. */
void *tmi_realloc(const tm_allocator *allocator, void *ptr, size_t old_count, size_t new_count, size_t size);
void tmi_free(const tm_allocator *allocator, void *ptr, size_t count, size_t size);
char *tmi_strdup(const tm_allocator *allocator, const char *text);               /* free with tmi_strfree */
char *tmi_strndup(const tm_allocator *allocator, const char *text, size_t size); /* `size` bytes plus NUL */
void tmi_strfree(const tm_allocator *allocator, char *text);
/* TM_ERROR_MEMORY with "out of memory (N bytes for WHAT)". */
tm_status tmi_fail_memory(tm_error *error, uint64_t bytes, const char *subject);
/* The same memory, or that error and NULL. */
tm_status tmi_reserve(void *out /* T ** */, const tm_allocator *allocator, size_t count, size_t size,
                      const char *subject, tm_error *error);
tm_status tmi_reserve_zeroed(void *out, const tm_allocator *allocator, size_t count, size_t size,
                             const char *subject, tm_error *error);

/*
 * Memory for unpacked bytes, which several hold; NULL without memory. The last one who releases it frees it.
 * Whoever writes to it must be the only one. `grow` zeroes what is new, and on failure leaves the bytes as
 * they are.
 */
void *tmi_bytes_new(const tm_allocator *allocator, size_t size, bool zeroed);
void *tmi_bytes_grow(void *bytes, size_t size);
void tmi_bytes_retain(const void *bytes);
void tmi_bytes_release(const void *bytes); /* NULL is fine */
/* One block more has them, who made them being the first; one leaves, and true if it was the last block. */
void tmi_bytes_share(const void *bytes);
bool tmi_bytes_leave(const void *bytes);
bool tmi_bytes_viewed(const void *bytes); /* somebody else holds them, too */
size_t tmi_bytes_size(const void *bytes);
/* Unpacked bytes of a file and its maps, or of a map without a file and its clones, against the limit. */
typedef atomic_ullong tmi_account;
tm_status tmi_count_bytes(tmi_account *account, uint64_t size, uint64_t limit, int64_t offset,
                          tm_error *error); /* TM_ERROR_LIMIT, and nothing is counted, beyond the limit */
void tmi_uncount_bytes(tmi_account *account, uint64_t size);
/* TM_ERROR_LIMIT for `size` bytes next to those that are held. */
tm_status tmi_fail_room(tm_error *error, int64_t offset, uint64_t size, uint64_t held, uint64_t limit);

/*
 * Makes room in the array *items of *capacity elements of `size` bytes for at least `needed` (growing by
 * half).
 */
tm_status tmi_grow(const tm_allocator *allocator, void *items /* T ** */, size_t *capacity, size_t needed,
                   size_t size, tm_error *error);

/* Numbers by which equal things are found; `hash` is TMI_HASH or that of what came before. */
uint64_t tmi_hash(uint64_t hash, const void *bytes, size_t size);
uint64_t tmi_hash_text(uint64_t hash, const char *text); /* NULL as "" */
uint64_t tmi_hash_number(uint64_t hash, int64_t number);
static const uint64_t TMI_HASH = UINT64_C(0xcbf29ce484222325);

/*
 * Keys of `key_size` bytes, each stored once and numbered from 0 in the order in which they came. All bytes
 * of a key count, so it must have no padding. Set `allocator` and `key_size`, and zero the rest.
 */
typedef struct tmi_intern {
    const tm_allocator *allocator;
    size_t key_size;
    uint8_t *keys;
    uint32_t num;
    size_t capacity;
    uint32_t *table;
    size_t table_size;
} tmi_intern;
tm_status tmi_intern_put(uint32_t *out, tmi_intern *set, const void *key, tm_error *error);
void tmi_intern_release(tmi_intern *set);

/*
 * Arena: objects that live and die together; chunks grow. With TMI_ARENA_MALLOC every object is a malloc of
 * its own, so that sanitizers see its edges.
 */
typedef struct tmi_arena {
    const tm_allocator *allocator;
    struct tmi_chunk *chunks;
    uint64_t taken; /* bytes of its objects */
    uint64_t most;  /* tmi_arena_reserve and _text refuse more (TM_ERROR_LIMIT); 0 at first: no limit */
} tmi_arena;
void tmi_arena_init(tmi_arena *arena, const tm_allocator *allocator);
/* NULL when out of memory; aligned for any type. */
void *tmi_arena_alloc(tmi_arena *arena, size_t count, size_t size);
tm_status tmi_arena_reserve(void *out /* T ** */, tmi_arena *arena, size_t count, size_t size,
                            const char *subject, tm_error *error);
/* A copy of `size` bytes of a text, and a NUL behind them. */
tm_status tmi_arena_text(const char **out, tmi_arena *arena, const char *text, size_t size,
                         const char *subject, tm_error *error);
void tmi_arena_release(tmi_arena *arena);
/* An allocator over the arena: what it gives ends with the arena, unless it is freed before. */
tm_allocator tmi_arena_allocator(tmi_arena *arena);

/* Atomic helpers (C11 atomics stay out of public headers). */
bool tmi_cancelled(const tm_cancel *cancel);

/* -------------------------------------------------------------------------------------------------- sizes */

static inline bool tmi_add_size(size_t *out, size_t a, size_t b)
{
    *out = a + b;
    return *out >= a;
}

static inline bool tmi_mul_size(size_t *out, size_t a, size_t b)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

static inline int64_t tmi_clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Down and up, for b > 0. */
static inline int64_t tmi_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static inline int64_t tmi_ceil_div(int64_t a, int64_t b)
{
    return -tmi_floor_div(-a, b);
}

/* Whether two texts are the same, of which NULL is as "". */
static inline bool tmi_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static inline bool tmi_all_zero(const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    return !size || (!*byte && memcmp(byte, byte + 1, size - 1) == 0);
}

/* Whether two elements are the same; nearly all, tiles and pixels, have four bytes, and need no call. */
static inline bool tmi_same_element(const void *a, const void *b, size_t size)
{
    uint32_t words[2];
    if (size != sizeof(*words))
        return memcmp(a, b, size) == 0;
    memcpy(&words[0], a, sizeof(*words));
    memcpy(&words[1], b, sizeof(*words));
    return words[0] == words[1];
}

/* Copies an element; one of four bytes needs no call, either. */
static inline void tmi_copy_element(void *target, const void *source, size_t size)
{
    if (size == sizeof(uint32_t))
        memcpy(target, source, sizeof(uint32_t));
    else
        memcpy(target, source, size);
}

/* --------------------------------------------------------------------------------------------- rectangles */

/* The first column and row behind a rectangle. */
static inline int64_t tmi_right(const tm_rect *rect)
{
    return (int64_t)rect->x + rect->width;
}
static inline int64_t tmi_bottom(const tm_rect *rect)
{
    return (int64_t)rect->y + rect->height;
}
static inline bool tmi_rect_is_empty(const tm_rect *rect)
{
    return !rect->width || !rect->height;
}
static inline bool tmi_rect_has(const tm_rect *rect, int64_t x, int64_t y)
{
    return x >= rect->x && y >= rect->y && x < tmi_right(rect) && y < tmi_bottom(rect);
}
/* By the row of their corners, then by the column. */
bool tmi_rect_before(const tm_rect *a, const tm_rect *b);
/* What lies in both; all zeros if nothing does. */
tm_rect tmi_rect_common(const tm_rect *a, const tm_rect *b);
/* The smallest one around both, of which an empty one does not count. */
tm_rect tmi_rect_around(const tm_rect *a, const tm_rect *b);

/* ------------------------------------------------------------------------------------------------ sorting */

/* Ascending, in place, without recursion, memory or bad cases. */
void tmi_sort_u64(uint64_t *keys, size_t num);
/* Of sorted keys the place of the first that is not below `key`; `num` if all are. */
size_t tmi_search_u64(const uint64_t *keys, size_t num, uint64_t key);

/* ------------------------------------------------------------------------------------- little-endian ints */

static inline int32_t tmi_get_i32(const void *bytes)
{
    const uint8_t *b = bytes;
    return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

static inline uint32_t tmi_get_u32(const void *bytes)
{
    return (uint32_t)tmi_get_i32(bytes);
}

static inline void tmi_put_i32(void *bytes, int32_t value)
{
    uint8_t *b = bytes;
    uint32_t u = (uint32_t)value;
    b[0] = (uint8_t)u;
    b[1] = (uint8_t)(u >> 8);
    b[2] = (uint8_t)(u >> 16);
    b[3] = (uint8_t)(u >> 24);
}

static inline void tmi_put_u32(void *bytes, uint32_t value)
{
    tmi_put_i32(bytes, (int32_t)value);
}

/* Whether this host keeps the low byte first; a constant to every compiler that matters. */
static inline bool tmi_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* The number of the lowest bit that is set, from 0; not of 0. */
static inline uint32_t tmi_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t n = 0;
    for (; !(bits & 0xff); bits >>= 8)
        n += 8;
    for (; !(bits & 1); bits >>= 1)
        n++;
    return n;
#endif
}

/* The number of the highest bit that is set, from 0; not of 0. */
static inline uint32_t tmi_highest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return 63U - (uint32_t)__builtin_clzll(bits);
#else
    uint32_t n = 0;
    while (bits >>= 1)
        n++;
    return n;
#endif
}

/* --------------------------------------------------------------------------------------------------- text */

/* A capital of ASCII as its small letter, all else as it is. */
static inline char tmi_fold_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
/* Compares texts without regard to ASCII case, as some file systems compare names. */
int tmi_compare_folded(const char *a, const char *b);
/* Windows keeps the name for a device, whatever follows behind a dot: con, nul, com0 and their like. */
bool tmi_is_device_name(const char *name);
/* Whether `size` bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool tmi_utf8_valid(const void *text, size_t size);
/* Bytes of the mark (U+FEFF) that some editors put in front of a text: 3 if it starts with it, else 0. */
static inline size_t tmi_utf8_mark(const void *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
/* Bytes of the valid sequence that `text` starts with; 0 if it starts with none. */
size_t tmi_utf8_step(const void *text, size_t size);
/*
 * Bytes of the character that a text which ends with NUL starts with, if it may be shown as it is; 0 if it is
 * no UTF-8, a control character (C0, DEL, C1), or one that turns the direction of writing or ends the line
 * (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069, U+FEFF): such a text could drive a terminal,
 * or be read as another.
 */
size_t tmi_text_step(const char *text);

/* --------------------------------------------------------------------------------------- bytes in and out */

/* Reads [offset, offset + size) of an input; checks the range and takes the short way for memory. */
tm_status tmi_input_read(const tm_input *input, uint64_t offset, void *buffer, size_t size, tm_error *error);
/* Appends a range of an input to an output, by output->copy when there is one. */
tm_status tmi_output_copy(const tm_output *output, const tm_input *input, uint64_t offset, uint64_t size,
                          tm_error *error);
tm_status tmi_output_write(const tm_output *output, const void *bytes, size_t size, tm_error *error);

/* ------------------------------------------------------------------------------------------------ options */

/*
 * Copies an option struct (`name`: "tm_render_options") of a caller that may know less of it than the
 * library; NULL gives zeros. Size 0 and sizes that are not known are TM_ERROR_USAGE, and *out is zero then.
 * New fields go to the end of a struct, never into its padding, which an older caller has not set.
 */
tm_status tmi_options_take(void *out, size_t out_size, const void *options, const char *name,
                           tm_error *error);
/* The same for limits and jobs, with every zero replaced by its default. */
tm_status tmi_limits_take(tm_limits *out, const tm_limits *limits, tm_error *error);
tm_status tmi_job_take(tm_job *out, const tm_job *job, tm_error *error);

/* -------------------------------------------------------------------------------------------------- tasks */

/* Runs tasks on the executor or, without one, here. */
void tmi_run(const tm_executor *executor, uint32_t num_tasks, void (*task)(void *arg, uint32_t index),
             void *arg);

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* Whether a name is as the head of this file says. */
bool tmi_file_name_valid(const char *name);

/*
 * Severity of a finding in a mode, and whether that mode's game refuses the map for it (`refuses` may be
 * NULL).
 */
tm_severity tmi_finding_severity(tm_finding_id id, tm_mode mode, bool *refuses);

#endif
