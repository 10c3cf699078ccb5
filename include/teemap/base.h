/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_BASE_H
#define TEEMAP_BASE_H
/*
 * teemap/base.h - basics of all other headers: status codes and errors, the caller's allocator, byte sources
 * and sinks, threads, progress and cancellation, limits, version.
 *
 * Conventions of the whole library
 * - A function that can fail returns a tm_status; TM_OK is 0. If it takes a `tm_error *error`, that pointer
 *   may be NULL. The struct is filled in on failure and not changed on success.
 * - Out-parameters come first (after the ctx of a callback). On failure they are set to NULL or zero, unless
 *   their comment says otherwise. Findings and reports, to which a function adds, and buffers, which it
 *   fills, are not out-parameters. The caller owns and frees what it receives, unless the comment says
 *   "borrowed". Parameters are borrowed for the call, unless the comment says "taken over".
 * - If an object is required and NULL is passed, functions that return tm_status fail with TM_ERROR_USAGE and
 *   name the argument. Other functions do nothing and return zero, false or NULL. Free and release functions
 *   accept NULL. Out-parameters may only be NULL if their comment says so.
 * - Functions that write text into a caller's buffer (..._format, ..._describe) work like snprintf: the text
 *   is truncated to `size` including its NUL, and the full length is returned. A NULL buffer only measures.
 *   All except tm_value_format write one line of UTF-8 in which control characters are '?'.
 * - Life-cycle words: init/release for structs owned by the caller, new/free (open/close) for handles on the
 *   heap, clear for emptying a reusable object.
 * - Structs that start with `size` may get more fields at their end in any version. All other structs keep
 *   their size until the next incompatible version (a minor one before 1.0, a major one after it), including
 *   those that callers allocate for results.
 * - Option structs start with `size`, the caller's sizeof of the struct. Initialize them with the macro
 *   TM_..._INIT, or with zeros and `size`. A zero field means its default, and a NULL struct means all
 *   defaults (only tm_camera has fields that must not be zero). A struct shorter than the library's (older
 *   headers) has defaults for the missing fields. A longer one (newer headers) is accepted if its additional
 *   bytes are zero; otherwise, and if size is 0, the result is TM_ERROR_USAGE.
 * - Structs of callbacks (tm_allocator, tm_input, tm_output, tm_executor) and tm_buffer have no size and
 *   never grow. If more is ever needed, there will be another struct and another function.
 * - The library has no global state, uses no locale and no environment variables, prints nothing, and never
 *   exits. Different threads may use different handles at once. The comment of a handle says what several
 *   threads may do with it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Precedes every function; define it yourself (-DTM_API=) to parse the headers. */
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
 * Version of these headers, by semver; tm_version() returns that of the linked library. These are macros for
 * #if.
 */
#define TM_VERSION_MAJOR  0
#define TM_VERSION_MINOR  2
#define TM_VERSION_PATCH  0
#define TM_VERSION_STRING "0.2.0"

/* "major.minor.patch" of the linked library. */
TM_API const char *tm_version(void);

/* References between objects of a map are indices; TM_NONE refers to nothing. */
enum { TM_NONE = -1 };

/*
 * A rectangle of tiles, pixels or cells; x and y are its top left corner. It is empty if width or height is
 * 0.
 */
typedef struct tm_rect {
    int32_t x, y;
    uint32_t width, height;
} tm_rect;

/* A rectangle and a count of the relevant elements in it. */
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
    TM_ERROR_USAGE,       /* the caller violated the function's contract; nothing was changed */
    TM_ERROR_DAMAGED,     /* the input is not what it claims to be */
    TM_ERROR_UNSUPPORTED, /* well-formed, but unknown to this version, or not supported by the target */
    TM_ERROR_LIMIT,       /* a limit in the caller's options was reached */
    TM_ERROR_MEMORY,      /* the allocator returned NULL */
    TM_ERROR_IO,          /* the operating system or a caller's callback failed */
    TM_ERROR_CANCELLED,   /* the caller asked to stop */
    TM_ERROR_NOT_FOUND    /* the object of a name or address does not exist */
} tm_status;

/* A short English word for a status: "damaged", "limit", ... Never NULL. */
TM_API const char *tm_status_name(tm_status status);

/* What an error is about. */
typedef enum tm_side {
    TM_SIDE_NONE = 0, /* nothing in particular: no memory, cancelled, a limit */
    TM_SIDE_INPUT,    /* the input: damaged or unreadable */
    TM_SIDE_OUTPUT,   /* the output */
    TM_SIDE_USAGE     /* the caller's arguments: always with TM_ERROR_USAGE */
} tm_side;

/* "none", "input", "output", "usage". Never NULL. */
TM_API const char *tm_side_name(tm_side side);

enum { TM_ERROR_PATH_SIZE = 256, TM_ERROR_PLACE_SIZE = 128, TM_ERROR_TEXT_SIZE = 256 };

/*
 * An error. It is filled once, where the error is detected; callers only add `place`, and `side` and `path`
 * if they are not known yet. `text` contains neither path nor place: tm_error_format joins them.
 */
typedef struct tm_error {
    tm_status code;
    tm_side side;
    int system;     /* errno of the operating system for TM_ERROR_IO, else 0 */
    int64_t offset; /* byte position in the input, -1 if there is none */
    /*
     * The file or folder, as raw bytes; "standard input" and "standard output" for these; "" if there is none
     * or it is unknown. A path that is too long is shown as "..." and its end.
     */
    char path[TM_ERROR_PATH_SIZE];
    char place[TM_ERROR_PLACE_SIZE]; /* object or part: "group 2, layer 3 'Freeze'"; "" if there is none */
    char text[TM_ERROR_TEXT_SIZE];   /* one line, lower case, no full stop: what, then why */
} tm_error;

/* The whole error: "a.map: group 2: the layer is too short (at byte 1234)", without empty parts. */
TM_API size_t tm_error_format(const tm_error *error, char *buffer, size_t size);

/*
 * Fills an error, for callbacks that fail: this status and text, all other fields empty. `text` becomes one
 * line and is truncated if necessary; NULL is "". Returns `code`, so that a callback can return it. `error`
 * may be NULL.
 */
TM_API tm_status tm_error_set(tm_error *error, tm_status code, const char *text);

/* -------------------------------------------------------------------------------------------- near names */

/*
 * Suggests a correction for an unknown name: begin with the name, try each known name, then read `best`. Case
 * is ignored. The texts are borrowed.
 */
typedef struct tm_suggestion {
    const char *wrong;
    const char *best; /* NULL: no name is similar */
    size_t apart;     /* edit distance: inserted, removed, changed and swapped letters */
} tm_suggestion;
TM_API void tm_suggestion_begin(tm_suggestion *out, const char *wrong);
TM_API void tm_suggestion_try(tm_suggestion *meant, const char *name);
/* "; did you mean 'freeze'?", or "" if no name is near. */
TM_API size_t tm_suggestion_format(const tm_suggestion *meant, char *buffer, size_t size);

/* ------------------------------------------------------------------------------------------------- memory */

/*
 * The caller's memory. `resize` follows Lua's contract: ptr NULL allocates new_size bytes, new_size 0 frees
 * and returns NULL, otherwise the block is resized like realloc. On failure it returns NULL and leaves the
 * old block valid. Memory need not be zeroed and must be aligned for any type. Several threads may call
 * `resize` at once. A NULL allocator means malloc, realloc and free. (libdeflate 1.14 always allocates its
 * small work structs with malloc: it only offers a process-wide setting, which a library must not change.)
 */
typedef struct tm_allocator {
    void *ctx;
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
} tm_allocator;

/*
 * Allocates at least one byte for callbacks that pass memory to the library (tm_image_provider); NULL on
 * failure. A NULL allocator is malloc.
 */
TM_API void *tm_alloc(const tm_allocator *allocator, size_t size);
/* Frees memory of `size` bytes that the library returned, with the same allocator. */
TM_API void tm_free(const tm_allocator *allocator, void *ptr, size_t size);

/* ------------------------------------------------------------------------------------ bytes in, bytes out */

/*
 * A source of bytes with random access. `read` fills the whole buffer from [offset, offset + size), which is
 * always inside [0, input.size), or fails; several threads may call it at once. If `memory` is not NULL, the
 * whole input is there and `read` is not used. A failing `read` may fill *error, which is never NULL and
 * initially empty. `close` may be NULL. Functions that take an input over call `close` exactly once, also on
 * failure. Errors about its bytes have `name` as their path, also long after it was opened; it must stay
 * valid until `close`.
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
 * An input for `size` bytes at `memory`, which must outlive the input and everything made from it: a map
 * reads from it until the map and its clones are freed. To transfer ownership, set `ctx` to the memory and
 * `close` to the function that frees it (input.ctx = memory; input.close = free).
 */
TM_API tm_input tm_input_from_memory(const void *memory, size_t size);

/*
 * Reads an input completely into memory, closes it, and makes it an input for that memory, which its `close`
 * frees. What is loaded from it then depends on nothing else and holds no file open. On failure, and if it is
 * in memory already, the input does not change.
 */
TM_API tm_status tm_input_load(tm_input *input, const tm_allocator *allocator, tm_error *error);

/* Compares the bytes of two inputs. Fails only if one of them cannot be read. */
TM_API tm_status tm_input_equal(bool *equal, const tm_input *a, const tm_input *b, tm_error *error);

/*
 * A sink of bytes, filled sequentially by one thread. `write` writes all bytes or fails; on failure it may
 * fill *error, like `read` of tm_input. `copy` may be NULL; otherwise it appends [offset, offset + size) of
 * an input by the fastest available method.
 */
typedef struct tm_output {
    void *ctx;
    tm_status (*write)(void *ctx, const void *bytes, size_t size, tm_error *error);
    tm_status (*copy)(void *ctx, const tm_input *input, uint64_t offset, uint64_t size, tm_error *error);
} tm_output;

/* A growing byte buffer, for tm_output_to_buffer. Zero-initialize it, or set only `allocator`. */
typedef struct tm_buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    const tm_allocator *allocator; /* NULL: malloc */
} tm_buffer;

/* An output that appends to `buffer`. */
TM_API tm_output tm_output_to_buffer(tm_buffer *buffer);
/* Frees the bytes; the struct can be used again. */
TM_API void tm_buffer_release(tm_buffer *buffer);

/* -------------------------------------------------------------------------- threads, progress, cancelling */

/*
 * The caller's threads. `run` calls task(arg, i) once for every i in [0, num_tasks), in any order, from up to
 * `threads` threads at once, and returns when all calls have returned. Tasks never call `run`, so it need not
 * support nesting. NULL means the calling thread alone. teemap/sys.h provides an executor.
 */
typedef struct tm_executor {
    void *ctx;
    uint32_t threads; /* at least 1 */
    void (*run)(void *ctx, uint32_t num_tasks, void (*task)(void *arg, uint32_t index), void *arg);
} tm_executor;

/* A flag with which any thread or signal handler asks a running job to stop. Zero-initialize it. */
typedef struct tm_cancel {
    int requested; /* do not access directly */
    /*
     * For programs that cannot set the flag while the library works, because they have one thread: called
     * wherever the job may end, up to 100,000 times a second, by the threads that do the work, also by
     * several at once. True: the job is to stop, and later calls have to return true, too. Default: none.
     */
    bool (*ask)(void *ctx);
    void *ask_ctx;
} tm_cancel;
TM_API void tm_cancel_request(tm_cancel *cancel);

/* How to run work: threads, cancellation, progress, memory. NULL means all defaults. */
typedef struct tm_job {
    size_t size;                 /* sizeof(tm_job) */
    const tm_executor *executor; /* default: the calling thread */
    tm_cancel *cancel;           /* default: not cancellable */
    /*
     * Called from time to time, by one thread at a time, but not always the same one. The unit is bytes of
     * unpacked data.
     */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    /* Bytes of working memory in use at once; default 1 GiB. One block is always allowed. */
    uint64_t memory_budget;
} tm_job;
#define TM_JOB_INIT                               \
    {                                             \
        sizeof(tm_job), NULL, NULL, NULL, NULL, 0 \
    }

/* ------------------------------------------------------------------------------------------ modes, limits */

/* How tolerant reading is. docs/findings.md lists the effect of each oddity in each mode. */
typedef enum tm_mode {
    TM_MODE_GAME = 0, /* the default: what any released client of DDNet or Teeworlds shows */
    TM_MODE_STRICT,   /* exactly what the loader of DDNet 20.1 accepts (docs/format.md 1.9 and 4.1) */
    TM_MODE_SALVAGE   /* everything that can be recovered from a truncated or damaged file */
} tm_mode;
/* The release in which the rules of TM_MODE_STRICT came: what messages call its loader. */
#define TM_STRICT_GAME "DDNet 20.1"

/*
 * What a file may cost. Zero means the default, UINT64_MAX no limit. Reaching a limit is TM_ERROR_LIMIT,
 * never a crash. The defaults accept every real map seen: the largest unpacks from 1.4 MB to 626 MB.
 */
typedef struct tm_limits {
    size_t size;             /* sizeof(tm_limits) */
    uint64_t file_bytes;     /* default 1 GiB, the limit of client downloads */
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
