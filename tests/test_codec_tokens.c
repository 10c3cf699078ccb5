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

/* Bits in the order of deflate: the lowest one of a byte first. */
typedef struct bit_writer {
    uint8_t bytes[64];
    uint32_t num;
} bit_writer;

static void put_bits(bit_writer *writer, uint32_t value, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++, writer->num++)
        writer->bytes[writer->num / 8] |= (uint8_t)((value >> i & 1) << writer->num % 8);
}

/* A block with codes of its own; the sizes are those of the codes of 'A', 'B', the end and distance 1. */
typedef struct code_case {
    uint32_t sizes[4];
    uint32_t num_literals, num_distances;
    bool right;
} code_case;

/* Codes of up to two bits, the first bit first: that of a letter, which comes behind the shorter ones. */
static void put_letter(bit_writer *writer, const uint32_t *sizes, uint32_t letter)
{
    const uint32_t size = sizes[letter];
    uint32_t code = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (sizes[i] && (sizes[i] < size || (sizes[i] == size && i < letter)))
            code += 1u << (size - sizes[i]);
    put_bits(writer, size == 2 ? code >> 1 | (code & 1) << 1 : code, size);
}

/* It yields an 'A'. */
static void write_block(bit_writer *writer, const code_case *row)
{
    enum { LAST_DYNAMIC = 5, NUM_OWN = 18 };
    static const uint32_t own[] = {0, 2,
                                   1}; /* codes of the sizes 0, 1, 2: 00, 01, 10; of a run of zeros: 11 */
    put_bits(writer, LAST_DYNAMIC, 3);
    put_bits(writer, row->num_literals - 257, 5);
    put_bits(writer, row->num_distances - 1, 5);
    put_bits(writer, NUM_OWN - 4, 4);
    for (int i = 0; i < NUM_OWN; i++) /* these four, in the order of RFC 1951 */
        put_bits(writer, i == 2 || i == 3 || i == 15 || i == 17 ? 2 : 0, 3);
    put_bits(writer, 3 | ('A' - 11) << 2, 9);
    put_bits(writer, own[row->sizes[0]], 2);
    put_bits(writer, own[row->sizes[1]], 2);
    put_bits(writer, 3 | (138 - 11) << 2, 9);
    put_bits(writer, 3 | (256 - 'B' - 1 - 138 - 11) << 2, 9);
    put_bits(writer, own[row->sizes[2]], 2);
    for (uint32_t i = 257; i < row->num_literals; i++)
        put_bits(writer, own[0], 2);
    put_bits(writer, own[row->sizes[3]], 2);
    for (uint32_t i = 1; i < row->num_distances; i++)
        put_bits(writer, own[0], 2);
    put_letter(writer, row->sizes, 0);
    put_letter(writer, row->sizes, 2);
}

/* What zlib refuses the games refuse, also where no code that is wrong is ever used. */
TEST(codes_are_right_where_zlib_says_so)
{
    static const code_case cases[] = {
        {{1, 2, 2, 1}, 257, 1, true},  {{1, 0, 1, 1}, 257, 1, true},  {{1, 2, 2, 0}, 257, 1, true},
        {{1, 2, 2, 1}, 286, 30, true}, {{1, 2, 2, 1}, 287, 1, false}, {{1, 2, 2, 1}, 257, 31, false},
        {{1, 0, 2, 1}, 257, 1, false}, {{2, 0, 2, 1}, 257, 1, false}, {{2, 2, 2, 1}, 257, 1, false},
        {{1, 2, 2, 2}, 257, 1, false}, {{1, 1, 0, 1}, 257, 1, false}, {{1, 1, 1, 1}, 257, 1, false},
    };
    tmi_tokens *tokens = tmi_tokens_new(NULL, 0, NULL);
    for (size_t i = 0; i < TMI_COUNT_OF(cases); i++) {
        bit_writer writer = {{0}, 0};
        z_stream stream = {0};
        uint8_t letter = 0;
        size_t consumed;
        write_block(&writer, &cases[i]);
        assert_int_equal(inflateInit2(&stream, -MAX_WBITS), Z_OK);
        stream.next_in = writer.bytes;
        stream.avail_in = (writer.num + 7) / 8;
        stream.next_out = &letter;
        stream.avail_out = 1;
        const int status = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
        if ((status == Z_STREAM_END) != cases[i].right)
            fail_msg("case %zu: zlib says %d", i, status);
        letter = 0;
        if (tmi_tokens_inflate(tokens, &letter, 1, writer.bytes, (writer.num + 7) / 8, &consumed) !=
            cases[i].right)
            fail_msg("case %zu is not as in zlib", i);
        if (cases[i].right)
            assert_int_equal(letter, 'A');
    }
    tmi_tokens_free(tokens);
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
