/* SPDX-License-Identifier: Zlib */
/*
 * Which program packed a stream, told by its beginning: zlib at each level knows its own streams, and no others; damaged
 * streams are read without harm.
 */
#include "codec/codec.h"
#include "support/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

enum { SIZE = 1 << 20 };

/* Repeats with noise, of which every level makes something else. */
static uint8_t *make_sample(uint32_t noise)
{
    uint8_t *bytes = malloc(SIZE);
    uint32_t seed = 7;
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        const size_t back = 1 + (seed >> 8) % 5000;
        bytes[i] = seed >> 20 < noise || i < back ? (uint8_t)(seed >> 13 & 15) : bytes[i - back % 37 - 1];
    }
    return bytes;
}

static size_t pack_by_zlib(uint8_t *out, const uint8_t *bytes, size_t size, int level, int memory_level)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY),
                     Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = 2 * SIZE;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return 2 * SIZE - stream.avail_out;
}

static void zlib_knows_its_levels(void **state)
{
    uint8_t *packed = malloc(2 * SIZE);
    (void)state;
    for (uint32_t noise = 40; noise <= 1200; noise += 580) {
        uint8_t *bytes = make_sample(noise);
        for (int level = 1; level <= 9; level++) {
            const size_t size = pack_by_zlib(packed, bytes, SIZE, level, 8);
            assert_int_equal(tmi_zlib_likeness(level, bytes, SIZE, packed, size, NULL), TMI_LIKE);
            for (int other = 1; other <= 4; other++)
                if (other != level)
                    assert_int_equal(tmi_zlib_likeness(other, bytes, SIZE, packed, size, NULL), TMI_UNLIKE);
        }
        free(bytes);
    }
    free(packed);
}

/* Equal as far as one looks, but with blocks of another size. */
static void other_programs_are_not_taken_for_zlib(void **state)
{
    uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400);
    (void)state;
    size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 9);
    assert_int_not_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_LIKE);
    tmi_deflater *deflater = tmi_deflater_new(6);
    size = tmi_deflate(deflater, packed, 2 * SIZE, bytes, SIZE);
    tmi_deflater_free(deflater);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_UNLIKE);
    free(bytes);
    free(packed);
}

/* A stream of one block, one that is too short to be asked, and one that is not packed. */
static void short_and_plain_streams(void **state)
{
    uint8_t *packed = malloc(2 * SIZE), *bytes = calloc(SIZE, 1);
    (void)state;
    size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_LIKE);
    assert_int_equal(tmi_zlib_likeness(6, bytes, TMI_LIKENESS_BYTES - 1, packed, size, NULL), TMI_UNDECIDED);
    size = pack_by_zlib(packed, bytes, SIZE, 0, 8);
    assert_int_equal(tmi_zlib_likeness(1, bytes, SIZE, packed, size, NULL), TMI_UNDECIDED);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, 0, NULL), TMI_UNDECIDED);
    free(bytes);
    free(packed);
}

static void tokens_add_up_to_the_content(void **state)
{
    uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400), *again = malloc(SIZE);
    size_t at = 0;
    uint32_t length, distance;
    (void)state;
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 9, 8);
    tmi_tokens *tokens = tmi_tokens_new(packed + 2, size - 2, NULL);
    while (tmi_tokens_next(tokens, &length, &distance)) {
        assert_true(length <= SIZE - at && distance <= at);
        for (; length; length--, at++)
            again[at] = distance ? again[at - distance] : bytes[at];
    }
    assert_true(tmi_tokens_ended(tokens));
    assert_int_equal(at, SIZE);
    assert_memory_equal(again, bytes, SIZE);
    assert_int_equal(tmi_tokens_first_block(tokens), 16383);
    tmi_tokens_free(tokens);
    free(again);
    free(bytes);
    free(packed);
}

static void damaged_streams_do_no_harm(void **state)
{
    uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400);
    (void)state;
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    for (size_t at = 2; at < 400; at++) {
        packed[at] ^= (uint8_t)(1 << at % 8);
        tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL);
        packed[at] ^= (uint8_t)(1 << at % 8);
        assert_int_not_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, at, NULL), TMI_LIKE);
    }
    free(bytes);
    free(packed);
}

static void without_memory_nothing_is_decided(void **state)
{
    uint8_t *packed = malloc(2 * SIZE), *bytes = calloc(SIZE, 1);
    (void)state;
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    for (size_t n = 1; n <= 3; n++) {
        struct test_memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, &memory.allocator), TMI_UNDECIDED);
        assert_true(memory.failed);
        assert_int_equal(memory.num_blocks, 0);
    }
    free(bytes);
    free(packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zlib_knows_its_levels),      cmocka_unit_test(other_programs_are_not_taken_for_zlib),
        cmocka_unit_test(short_and_plain_streams),    cmocka_unit_test(tokens_add_up_to_the_content),
        cmocka_unit_test(damaged_streams_do_no_harm), cmocka_unit_test(without_memory_nothing_is_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
