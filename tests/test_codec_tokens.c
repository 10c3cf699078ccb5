/* SPDX-License-Identifier: Zlib */
/*
 * Which program packed a stream, told by its beginning: zlib at each level knows its own streams, and no others; damaged
 * streams are read without harm.
 */
#include "codec/codec.h"
#include "support/test.h"

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

TEST(zlib_knows_its_levels)
{
    FREED uint8_t *packed = malloc(2 * SIZE);
    for (uint32_t noise = 40; noise <= 1200; noise += 580) {
        FREED uint8_t *bytes = make_sample(noise);
        for (int level = 1; level <= 9; level++) {
            const size_t size = pack_by_zlib(packed, bytes, SIZE, level, 8);
            assert_int_equal(tmi_zlib_likeness(level, bytes, SIZE, packed, size, NULL), TMI_LIKE);
            for (int other = 1; other <= 4; other++)
                if (other != level)
                    assert_int_equal(tmi_zlib_likeness(other, bytes, SIZE, packed, size, NULL), TMI_UNLIKE);
        }
    }
}

/* Equal as far as one looks, but with blocks of another size. */
TEST(other_programs_are_not_taken_for_zlib)
{
    FREED uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400);
    size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 9);
    assert_int_not_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_LIKE);
    if (!TEEMAP_HAVE_LIBDEFLATE)
        skip(); /* zlib is what packs */
    tmi_deflater *deflater = tmi_deflater_new(6);
    size = tmi_deflate(deflater, packed, 2 * SIZE, bytes, SIZE);
    tmi_deflater_free(deflater);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_UNLIKE);
}

/* A stream of one block, one that is too short to be asked, and one that is not packed. */
TEST(short_and_plain_streams)
{
    FREED uint8_t *packed = malloc(2 * SIZE), *bytes = calloc(SIZE, 1);
    size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL), TMI_LIKE);
    assert_int_equal(tmi_zlib_likeness(6, bytes, TMI_LIKENESS_BYTES - 1, packed, size, NULL), TMI_UNDECIDED);
    size = pack_by_zlib(packed, bytes, SIZE, 0, 8);
    assert_int_equal(tmi_zlib_likeness(1, bytes, SIZE, packed, size, NULL), TMI_UNDECIDED);
    assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, 0, NULL), TMI_UNDECIDED);
}

TEST(tokens_add_up_to_the_content)
{
    FREED uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400), *second = malloc(SIZE);
    size_t at = 0;
    uint32_t length, distance;
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 9, 8);
    tmi_tokens *tokens = tmi_tokens_new(packed + 2, size - 2, NULL);
    while (tmi_tokens_next(tokens, &length, &distance)) {
        assert_true(length <= SIZE - at && distance <= at);
        for (; length; length--, at++)
            second[at] = distance ? second[at - distance] : bytes[at];
    }
    assert_true(tmi_tokens_ended(tokens));
    assert_int_equal(at, SIZE);
    assert_memory_equal(second, bytes, SIZE);
    assert_int_equal(tmi_tokens_first_block(tokens), 16383);
    tmi_tokens_free(tokens);
}

TEST(damaged_streams_do_no_harm)
{
    FREED uint8_t *packed = malloc(2 * SIZE), *bytes = make_sample(400);
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    for (size_t at = 2; at < 400; at++) {
        packed[at] ^= (uint8_t)(1 << at % 8);
        tmi_zlib_likeness(6, bytes, SIZE, packed, size, NULL);
        packed[at] ^= (uint8_t)(1 << at % 8);
        assert_int_not_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, at, NULL), TMI_LIKE);
    }
}

TEST(without_memory_nothing_is_decided)
{
    FREED uint8_t *packed = malloc(2 * SIZE), *bytes = calloc(SIZE, 1);
    const size_t size = pack_by_zlib(packed, bytes, SIZE, 6, 8);
    for (size_t n = 1; n <= 3; n++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        memory.fail_at = n;
        assert_int_equal(tmi_zlib_likeness(6, bytes, SIZE, packed, size, &memory.allocator), TMI_UNDECIDED);
        assert_true(memory.failed);
    }
}
