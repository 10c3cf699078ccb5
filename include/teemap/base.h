/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_BASE_H
#define TEEMAP_BASE_H
/*
 * teemap/base.h - what every other header of libteemap stands on: status codes and errors, the caller's
 * allocator, byte sources and sinks, threads, progress and cancelling, findings, versions.
 *
 * Conventions of the whole library
 * - A function that can fail returns a tm_status; TM_OK is 0. Where it takes a `tm_error *error`, that
 *   pointer may be NULL; on failure the struct is filled in, on success it is left alone.
 * - Out-parameters come first (a callback's ctx stands before them) and are set to NULL or zero on failure,
 *   unless their comment names another value. Findings and reports, to which a function adds, and buffers,
 *   which it fills, are no out-parameters. What one receives is the caller's to free, unless the comment
 *   says "borrowed". Parameters are borrowed for the call unless the comment says "taken over".
 * - NULL where an object is needed: a function that returns tm_status fails with TM_ERROR_USAGE and names the
 *   argument; any other does nothing and returns zero, false or NULL. Free and release functions take NULL.
 *   Only out-parameters whose comment says so may be NULL.
 * - Functions that write text into a caller's buffer (..._format, ..._describe) do as snprintf does: the
 *   text is cut to `size` with its NUL, and the length of all of it is returned. A NULL buffer only measures.
 *   Apart from tm_value_format they write one line of UTF-8, in which control characters are '?'.
 * - Life-cycle words: init/release for structs that stay the caller's, new/free (open/close) for handles on
 *   the heap, clear for making something empty and usable again.
 * - Structs that start with `size` may get more fields at their end in any version; all others are as large
 *   as they are until the next version that may break programs (a minor one before 1.0, a major one after
 *   it), those that callers allocate for results included.
 * - Option structs start with `size`, the caller's sizeof of the struct: start from the macro TM_..._INIT, or
 *   from zeros and set `size`, which is the same. A zero field means its default and a NULL pointer to the
 *   struct means all defaults (tm_camera alone has fields that must not be zero). A struct that is shorter
 *   than the library's (older headers) has defaults behind its end; one that is longer (newer headers) is
 *   taken while all behind the known end is zero. Anything else there, and size 0 (forgotten), is
 *   TM_ERROR_USAGE.
 * - Structs of callbacks (tm_allocator, tm_input, tm_output, tm_executor) and tm_buffer have no size: they
 *   are as large as they will ever be. If more is ever needed, it will be another struct and another
 *   function.
 * - The library has no global state, reads no locale and no environment, prints nothing, never exits.
 *   Different handles may be used by different threads at once. What several threads may do with one handle
 *   stands at that handle.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands in front of every function; set it yourself (-DTM_API=) to read the headers with a parser. */
#ifndef TM_API
#if defined(_WIN32) && defined(TM_BUILD_SHARED)
#define TM_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TM_USE_SHARED)
#define TM_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define TM_API __attribute__((visibility("default")))
#else
#define TM_API
#endif
#endif

/*
 * Version of these headers, by semver. tm_version() tells that of the library that is linked. The only
 * numbers here that are macros, because #if asks for them.
 */
#define TM_VERSION_MAJOR  0
#define TM_VERSION_MINOR  2
#define TM_VERSION_PATCH  0
#define TM_VERSION_STRING "0.2.0"

/* "major.minor.patch" of the linked library. */
TM_API const char *tm_version(void);

/* References between objects of a map are indices; this one refers to nothing. */
enum { TM_NONE = -1 };

/* A rectangle of tiles, pixels or cells, from its top left corner on. Width or height 0: there is nothing. */
typedef struct tm_rect {
    int32_t x, y;
    uint32_t width, height;
} tm_rect;

/* A rectangle and how many of what it is about lie in it. */
typedef struct tm_region {
    tm_rect rect;
    uint64_t num;
} tm_region;

/* A UUID in the usual byte order (the order in which it is printed). */
typedef struct tm_uuid {
    uint8_t bytes[16];
} tm_uuid;

/* ----------------------------------------------------------------------------------------- status, errors */

typedef enum tm_status {
    TM_OK = 0,
    TM_ERROR_USAGE,       /* the caller broke a rule of the function, nothing was changed */
    TM_ERROR_DAMAGED,     /* the input is not what it claims to be */
    TM_ERROR_UNSUPPORTED, /* well-formed, but nothing that this version knows or that the target can hold */
    TM_ERROR_LIMIT,       /* a limit of the caller's options was reached */
    TM_ERROR_MEMORY,      /* the allocator returned NULL */
    TM_ERROR_IO,          /* the operating system or a caller's callback failed */
    TM_ERROR_CANCELLED,   /* the caller asked to stop */
    TM_ERROR_NOT_FOUND    /* a name or address that leads to nothing */
} tm_status;

/* A short English word for a status: "damaged", "limit", ... Never NULL. */
TM_API const char *tm_status_name(tm_status status);

/* On which side of a function the fault lies. */
typedef enum tm_side {
    TM_SIDE_NONE = 0, /* on none: no memory, cancelled, a limit */
    TM_SIDE_INPUT,    /* what is read: damaged, or it cannot be read */
    TM_SIDE_OUTPUT,   /* what is written to */
    TM_SIDE_USAGE     /* the caller's arguments: always so with TM_ERROR_USAGE */
} tm_side;

/* "none", "input", "output", "usage". Never NULL. */
TM_API const char *tm_side_name(tm_side side);

enum { TM_ERROR_PATH_SIZE = 256, TM_ERROR_PLACE_SIZE = 128, TM_ERROR_TEXT_SIZE = 256 };

/*
 * What went wrong. Filled once, where the fault is seen; outer levels only add to `place`, and `side` and
 * `path` where these are not known further in. `text` repeats neither path nor place: tm_error_format joins
 * them.
 */
typedef struct tm_error {
    tm_status code;
    tm_side side;
    int system;     /* errno of the operating system for TM_ERROR_IO, else 0 */
    int64_t offset; /* byte position in the input, -1 if there is none */
    /*
     * The file or folder that the fault is about, its bytes as they are; "standard input" and "standard
     * output" for these; "" if there is none or it is not known. A path that is too long is shown as "..."
     * and its end.
     */
    char path[TM_ERROR_PATH_SIZE];
    char place[TM_ERROR_PLACE_SIZE]; /* object or part: "group 2, layer 3 'Freeze'"; "" if there is none */
    char text[TM_ERROR_TEXT_SIZE];   /* one line, lower case, no full stop: what, then why */
} tm_error;

/*
 * The whole error: "a.map: group 2: the layer is too short (at byte 1234)", without the parts that are empty.
 */
TM_API size_t tm_error_format(const tm_error *error, char *buffer, size_t size);

/*
 * Fills an error, for callbacks that fail: this status and text, the rest blank. `text` becomes one line, cut
 * if it is too long; NULL is "". Returns `code`, so that a callback can end with it. `error` may be NULL.
 */
TM_API tm_status tm_error_set(tm_error *error, tm_status code, const char *text);

/* -------------------------------------------------------------------------------------------- near names */

/*
 * What somebody may have meant who wrote a name that there is not: begin with what was written, try each name
 * that there is, then read `best`. Capitals count as small letters. The texts are borrowed.
 */
typedef struct tm_suggestion {
    const char *wrong;
    const char *best; /* NULL: all names are other words */
    size_t apart;     /* slips between both: letters put in, left out, changed, exchanged */
} tm_suggestion;
TM_API void tm_suggestion_begin(tm_suggestion *out, const char *wrong);
TM_API void tm_suggestion_try(tm_suggestion *meant, const char *name);
/* "; did you mean 'freeze'?", or "" if no name is near. */
TM_API size_t tm_suggestion_format(const tm_suggestion *meant, char *buffer, size_t size);

/* ------------------------------------------------------------------------------------------------- memory */

/*
 * The caller's memory. `resize` follows Lua's contract: ptr NULL allocates new_size bytes, new_size 0 frees
 * and returns NULL, otherwise the block is resized like realloc. It returns NULL on failure and then leaves
 * the old block valid. Memory need not be zeroed, must be aligned for any type, and `resize` may be called by
 * several threads at once. A NULL allocator stands for malloc, realloc and free. (libdeflate 1.14 allocates
 * its small work structs with malloc in any case: it offers only one process-wide setting, which a library
 * must not touch.)
 */
typedef struct tm_allocator {
    void *ctx;
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
} tm_allocator;

/*
 * Memory as the library takes it, for callbacks that hand memory over (tm_image_provider): `size` bytes, at
 * least one; NULL when there is none. A NULL allocator is malloc.
 */
TM_API void *tm_alloc(const tm_allocator *allocator, size_t size);
/* Frees memory that a function of this library handed out, of `size` bytes, through the same allocator. */
TM_API void tm_free(const tm_allocator *allocator, void *ptr, size_t size);

/* ------------------------------------------------------------------------------------ bytes in, bytes out */

/*
 * A source of bytes with random access. `read` fills the whole buffer from [offset, offset + size), which
 * always lies inside [0, input.size), or fails; several threads may call it at once. When `memory` is not
 * NULL the whole input lies there and `read` is not used. A `read` that fails may fill *error, which is never
 * NULL and blank before, or leave it so. `close` may be NULL. Functions that take an input
 * over call `close` exactly once, also when they fail. Errors about its bytes have `name` as their path, also
 * those that are found long after it was opened; it must live until `close`.
 */
typedef struct tm_input {
    void *ctx;
    uint64_t size; /* bytes */
    const void *memory;
    tm_status (*read)(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error);
    void (*close)(void *ctx);
    const char *name; /* a path, for errors; NULL: none */
} tm_input;

/*
 * An input over `size` bytes at `memory`, which must outlive it, and all that was made of it: a map goes on
 * reading there until it and its clones are freed. To hand the memory over instead, set `ctx` to it and
 * `close` to what frees it (input.ctx = memory; input.close = free).
 */
TM_API tm_input tm_input_from_memory(const void *memory, size_t size);

/*
 * Reads an input whole into memory, closes it and makes it one over that memory, which its `close` frees:
 * what is loaded from it then depends on nothing outside and holds no file open. On failure it is as it was.
 * An input that is in memory stays as it is.
 */
TM_API tm_status tm_input_load(tm_input *input, const tm_allocator *allocator, tm_error *error);

/* Whether two inputs have the same bytes. Fails only where one of them cannot be read. */
TM_API tm_status tm_input_equal(bool *equal, const tm_input *a, const tm_input *b, tm_error *error);

/*
 * A sink of bytes, filled from front to back by one thread. `write` takes all bytes or fails; on failure it
 * may fill *error, as `read` of tm_input may. `copy` may be NULL; else it appends [offset, offset + size)
 * of an input by the fastest way it knows.
 */
typedef struct tm_output {
    void *ctx;
    tm_status (*write)(void *ctx, const void *bytes, size_t size, tm_error *error);
    tm_status (*copy)(void *ctx, const tm_input *input, uint64_t offset, uint64_t size, tm_error *error);
} tm_output;

/* A growing byte buffer, as a target of tm_output_to_buffer. Zero-initialise it, or set only `allocator`. */
typedef struct tm_buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    const tm_allocator *allocator; /* NULL: malloc */
} tm_buffer;

/* An output that appends to `buffer`. */
TM_API tm_output tm_output_to_buffer(tm_buffer *buffer);
/* Frees the bytes; the struct may be used again. */
TM_API void tm_buffer_release(tm_buffer *buffer);

/* -------------------------------------------------------------------------- threads, progress, cancelling */

/*
 * The caller's threads. `run` calls task(arg, i) once for every i in [0, num_tasks), in any order, from up to
 * `threads` threads at once, and returns when all have returned. Tasks never call `run`: it need not nest.
 * NULL stands for the calling thread alone. teemap/sys.h makes one from POSIX threads.
 */
typedef struct tm_executor {
    void *ctx;
    uint32_t threads; /* at least 1 */
    void (*run)(void *ctx, uint32_t num_tasks, void (*task)(void *arg, uint32_t index), void *arg);
} tm_executor;

/* A flag by which any thread, or a signal handler, asks a running job to stop. Zero-initialise it. */
typedef struct tm_cancel {
    int requested; /* do not read or write directly */
} tm_cancel;
TM_API void tm_cancel_request(tm_cancel *cancel);

/* How long work is run: threads, cancelling, progress, memory. NULL stands for all defaults. */
typedef struct tm_job {
    size_t size;                 /* sizeof(tm_job) */
    const tm_executor *executor; /* default: the calling thread */
    tm_cancel *cancel;           /* default: cannot be cancelled */
    /*
     * Called now and then, by one thread at a time but not always the same one. Units are bytes of unpacked
     * data.
     */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    /* Bytes of working memory that may be in use at once; default 1 GiB. One block is always allowed. */
    uint64_t memory_budget;
} tm_job;
#define TM_JOB_INIT                               \
    {                                             \
        sizeof(tm_job), NULL, NULL, NULL, NULL, 0 \
    }

/* ------------------------------------------------------------------------------------------ modes, limits */

/* How much is forgiven. docs/findings.md lists what each mode makes of each oddity. */
typedef enum tm_mode {
    TM_MODE_GAME = 0, /* the default: what any released client of DDNet or Teeworlds would show */
    TM_MODE_STRICT,   /* exactly what the loader of DDNet 20 accepts (docs/format.md sections 1.9 and 4.1) */
    TM_MODE_SALVAGE   /* whatever can be rescued from a cut or damaged file */
} tm_mode;

/*
 * What a file may cost. Zero means the default, UINT64_MAX means no limit. Reaching one is TM_ERROR_LIMIT,
 * never a crash. The defaults take every real map seen: the largest unpacks from 1.4 MB to 626 MB.
 */
typedef struct tm_limits {
    size_t size;             /* sizeof(tm_limits) */
    uint64_t file_bytes;     /* default 1 GiB, what a client downloads */
    uint64_t items;          /* default 1 Mi */
    uint64_t item_bytes;     /* bytes of all items together; default 256 MiB */
    uint64_t blocks;         /* data blocks; default 1 Mi */
    uint64_t block_bytes;    /* unpacked bytes of one block; default 1 GiB */
    uint64_t unpacked_bytes; /* held at once by a file, its map and clones; default 2 GiB */
} tm_limits;
#define TM_LIMITS_INIT                      \
    {                                       \
        sizeof(tm_limits), 0, 0, 0, 0, 0, 0 \
    }

#ifdef __cplusplus
}
#endif
#endif
