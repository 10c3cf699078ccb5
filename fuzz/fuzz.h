/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FUZZ_H
#define TEEMAP_FUZZ_H
/*
 * What the fuzz targets share: their entry point (libFuzzer's, which AFL++ and standalone.c call, too), the check that ends the
 * program, an allocator that knows how much was held, limits that keep an input cheap.
 */
#include "support/memory.h"

#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program with a line that says what does not hold. */
#define FUZZ_REQUIRE(condition, ...)                                                        \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: '%s' does not hold: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                                   \
            fputc('\n', stderr);                                                            \
            abort();                                                                        \
        }                                                                                   \
    } while (0)

enum { FUZZ_MAX_INPUT = 256 * 1024, FUZZ_MAX_BLOCK = 1024 * 1024, FUZZ_MAX_UNPACKED = 8 * 1024 * 1024 };

static const tm_limits fuzz_limits = {.size = sizeof(tm_limits),
                                      .file_bytes = 4 * FUZZ_MAX_INPUT,
                                      .block_bytes = FUZZ_MAX_BLOCK,
                                      .unpacked_bytes = FUZZ_MAX_UNPACKED};

static const char *const fuzz_mode_names[] = {"game", "strict", "salvage"};

/* A failure may be of any kind but these, and says something. */
static inline void fuzz_check_failure(tm_status status, const tm_error *error)
{
    FUZZ_REQUIRE(status == error->code, "status %d, code %d", status, error->code);
    FUZZ_REQUIRE(error->text[0], "status %s without a word", tm_status_name(status));
    FUZZ_REQUIRE(status != TM_ERROR_USAGE && status != TM_ERROR_MEMORY && status != TM_ERROR_IO &&
                     status != TM_ERROR_CANCELLED && status != TM_ERROR_NOT_FOUND,
                 "%s: %s: %s", tm_status_name(status), error->place, error->text);
}

/* Damaged is what has a finding that says so. In mode salvage there is no game that could refuse; an error is enough there. */
static inline void fuzz_check_refusal(tm_status status, tm_mode mode, const tm_findings *findings)
{
    const bool damaged = status == TM_ERROR_DAMAGED;
    const bool found = mode == TM_MODE_SALVAGE && damaged ? findings->errors > 0 : findings->refusals > 0;
    FUZZ_REQUIRE(damaged == found || status == TM_ERROR_LIMIT, "mode %s: status %s with %llu refusals",
                 fuzz_mode_names[mode], tm_status_name(status), (unsigned long long)findings->refusals);
}

/* Whether a finding was or may have been made. */
static inline bool fuzz_may_have(const tm_findings *findings, tm_finding_id id)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id)
            return true;
    return findings->unlisted > 0;
}

static inline void fuzz_require_equal(const void *a, size_t a_size, const void *b, size_t b_size,
                                      const char *subject)
{
    FUZZ_REQUIRE(a_size == b_size, "%s: %zu bytes, not %zu", subject, a_size, b_size);
    for (size_t i = 0; i < a_size; i++)
        FUZZ_REQUIRE(((const uint8_t *)a)[i] == ((const uint8_t *)b)[i], "%s: byte %zu is %u, not %u",
                     subject, i, ((const uint8_t *)a)[i], ((const uint8_t *)b)[i]);
}

/* Nothing is left, and there was never more than `most` bytes. */
static inline void fuzz_check_memory(const struct test_memory *memory, uint64_t most)
{
    FUZZ_REQUIRE(memory->num_blocks == 0, "%zu blocks are lost", memory->num_blocks);
    FUZZ_REQUIRE(memory->most_bytes <= most, "%zu bytes held, %llu expected at most", memory->most_bytes,
                 (unsigned long long)most);
}

#endif
