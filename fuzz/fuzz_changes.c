/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: changes of a map, one after the other, with tm_map_verify after each; then it is saved, loaded, and equal.
 *
 *   OFFSET SIZE MEANING
 *        0    1 bits 0..1: game of the new map (3: DDNet); bits 2..3: mode in which a file is loaded (3: game)
 *        1    2 little-endian: number of bytes that make the changes
 *        3    n the changes (tests/change_steps.h)
 *      rest     a file to start from; when it does not load, the map starts empty
 */
#include "change_steps.h"
#include "round_trip.h"

#include "change_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the tests */

enum { MAX_STEPS = 200 };

static void require_clone(const tm_map *map)
{
    tm_map *clone;
    tm_error error;
    bool equal;
    char where[200];
    tm_status status = tm_map_clone(&clone, map, &error);
    if (status != TM_OK) {
        fuzz_check_failure(status, &error);
        return;
    }
    FUZZ_REQUIRE(tm_map_verify(clone, &error) == TM_OK, "clone: %s: %s", error.place, error.text);
    status = tm_map_equal(&equal, map, clone, where, sizeof(where), &error);
    FUZZ_REQUIRE(status != TM_OK || equal, "clone: %s", where);
    tm_map_free(clone);
    FUZZ_REQUIRE(!change_fault(map, NULL), "a freed clone is still counted");
}

static void change(tm_map *map, struct change_bytes *stream)
{
    tm_error error;
    for (uint32_t n = 0; n < MAX_STEPS && stream->pos < stream->size; n++) {
        struct change_result result = change_step(map, stream, &error);
        if (result.status != TM_OK)
            FUZZ_REQUIRE(result.status == error.code && error.text[0], "%s fails without a word",
                         result.name);
        FUZZ_REQUIRE(result.status != TM_ERROR_MEMORY && result.status != TM_ERROR_IO, "%s: %s", result.name,
                     error.text);
        const char *fault = change_fault(map, &error);
        FUZZ_REQUIRE(!fault, "after '%s': %s: %s: %s", result.name, fault, error.place, error.text);
        if (n % 64 == 63)
            require_clone(map);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 3 || size > FUZZ_MAX_INPUT)
        return 0;
    size_t num = bytes[1] | (size_t)bytes[2] << 8;
    if (num > size - 3)
        num = size - 3;
    struct change_bytes stream = {bytes + 3, num, 0};
    struct test_memory memory;
    tm_findings findings;
    tm_error error;
    test_memory_init(&memory);
    tm_findings_init(&findings, 0, NULL);
    tm_mode mode;
    tm_map *map = start(bytes + 3 + num, size - 3 - num, bytes[0], &mode, &findings, &memory.allocator);
    const bool bad_texts = fuzz_may_have(&findings, TM_FINDING_BAD_TEXT);
    const bool damaged = is_damaged(&findings);
    tm_buffer buffer = {.allocator = &memory.allocator};
    change(map, &stream);
    require_clone(map);
    settle_parallax_zoom(map);
    tm_status status = save(&buffer, map, &findings, &error);
    if (status == TM_OK)
        compare(map, &buffer, mode, bad_texts, damaged || loses(&findings), &memory.allocator);
    else
        fuzz_check_failure(status, &error);
    tm_buffer_release(&buffer);
    tm_map_free(map);
    tm_findings_release(&findings);
    fuzz_check_memory(&memory, 128 * 1024 * 1024);
    return 0;
}
