/* SPDX-License-Identifier: Zlib */
/*
 * Streams: what we pack must unpack with zlib itself, as the games do it; every kind of broken stream must be told
 * apart, and what could be read of it kept.
 */
#include "codec/codec.h"
#include "support/test.h"

#include <zlib.h>

static tmi_inflater *inflater;

static void start(void)
{
    inflater = tmi_inflater_new(NULL);
    assert_true(inflater);
}

static void stop(void)
{
    tmi_inflater_free(inflater);
}

/* Bytes that pack well, but not to nothing. */
static uint8_t *sample(size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    uint32_t seed = 1;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = seed >> 24 < 40 ? (uint8_t)(seed >> 16) : (uint8_t)(i / 64);
    }
    return bytes;
}

#define PLAIN_SIZE ((size_t)200000)

struct stream {
    uint8_t *plain, *packed, *out;
    uLong packed_size;
};

static struct stream make_stream(void)
{
    struct stream stream = {sample(PLAIN_SIZE), NULL, NULL, compressBound(PLAIN_SIZE)};
    stream.packed = malloc(stream.packed_size + 16);
    stream.out = malloc(PLAIN_SIZE + 16);
    if (!stream.packed || !stream.out)
        abort();
    assert_int_equal(compress(stream.packed, &stream.packed_size, stream.plain, PLAIN_SIZE), Z_OK);
    memset(stream.out, 0xEE, PLAIN_SIZE + 16);
    return stream;
}

static void free_stream(struct stream *stream)
{
    free(stream->plain);
    free(stream->packed);
    free(stream->out);
}

/* The first `got` bytes are right, the rest up to `size` is zero, and nothing behind that was touched. */
static void check_out(const struct stream *stream, size_t size, size_t got)
{
    assert_memory_equal(stream->out, stream->plain, got);
    for (size_t i = got; i < size; i++)
        assert_int_equal(stream->out[i], 0);
    for (size_t i = size; i < PLAIN_SIZE + 16; i++)
        assert_int_equal(stream->out[i], 0xEE);
}

TEST(a_good_stream_is_ok)
{
    struct stream s = make_stream();
    size_t got;
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size), TMI_INFLATE_OK);
    assert_int_equal(got, PLAIN_SIZE);
    check_out(&s, PLAIN_SIZE, got);
    memset(s.out, 0xEE, PLAIN_SIZE);
    assert_int_equal(tmi_inflate_slowly(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size),
                     TMI_INFLATE_OK);
    check_out(&s, PLAIN_SIZE, got);
    free_stream(&s);
}

TEST(bytes_behind_a_stream_are_told)
{
    struct stream s = make_stream();
    size_t got;
    memset(s.packed + s.packed_size, 0x78, 5);
    for (size_t more = 1; more <= 5; more++) {
        assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size + more),
                         TMI_INFLATE_TRAILING);
        assert_int_equal(
            tmi_inflate_slowly(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size + more),
            TMI_INFLATE_TRAILING);
    }
    check_out(&s, PLAIN_SIZE, PLAIN_SIZE);
    free_stream(&s);
}

/* A stream of a gigabyte with a wrong sum was unpacked twice, and one that breaks at once zeroed a gigabyte. */
TEST(of_streams_that_are_not_whole_nothing_further_is_made)
{
    struct stream s = make_stream();
    assert_true(tmi_inflate_whole(inflater, s.out, PLAIN_SIZE, s.packed, s.packed_size));
    check_out(&s, PLAIN_SIZE, PLAIN_SIZE);
    for (size_t size = PLAIN_SIZE - 1; size <= PLAIN_SIZE + 1; size++)
        for (size_t less = 0; less <= 5; less++)
            assert_int_equal(tmi_inflate_whole(inflater, s.out, size, s.packed, s.packed_size - less),
                             size == PLAIN_SIZE && less == 0);
    assert_false(tmi_inflate_whole(inflater, s.out, PLAIN_SIZE, s.packed, s.packed_size + 1));
    s.packed[s.packed_size - 1] ^= 1;
    assert_false(tmi_inflate_whole(inflater, s.out, PLAIN_SIZE, s.packed, s.packed_size));
    s.packed[2] = 7; /* a block of no kind */
    memset(s.out, 0xEE, PLAIN_SIZE + 16);
    assert_false(tmi_inflate_whole(inflater, s.out, PLAIN_SIZE, s.packed, s.packed_size));
    check_out(&s, 0, 0);
    free_stream(&s);
}

TEST(too_few_bytes_are_told)
{
    struct stream s = make_stream();
    size_t got;
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE + 9, &got, s.packed, s.packed_size),
                     TMI_INFLATE_SHORT);
    assert_int_equal(got, PLAIN_SIZE);
    check_out(&s, PLAIN_SIZE + 9, PLAIN_SIZE);
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE + 9, &got, s.packed, s.packed_size + 1),
                     TMI_INFLATE_SHORT);
    free_stream(&s);
}

TEST(too_many_bytes_are_told)
{
    struct stream s = make_stream();
    size_t got, sizes[] = {PLAIN_SIZE - 1, PLAIN_SIZE / 2, 1};
    for (size_t i = 0; i < TMI_COUNT_OF(sizes); i++) {
        memset(s.out, 0xEE, PLAIN_SIZE);
        assert_int_equal(tmi_inflate(inflater, s.out, sizes[i], &got, s.packed, s.packed_size),
                         TMI_INFLATE_LONG);
        assert_int_equal(got, sizes[i]);
        check_out(&s, sizes[i], got);
    }
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, s.packed, s.packed_size), TMI_INFLATE_LONG);
    assert_int_equal(got, 0);
    free_stream(&s);
}

TEST(a_wrong_or_cut_checksum_hides_nothing)
{
    struct stream s = make_stream();
    size_t got;
    for (size_t cut = 1; cut <= 4; cut++) {
        memset(s.out, 0xEE, PLAIN_SIZE);
        assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size - cut),
                         TMI_INFLATE_CHECKSUM);
        assert_int_equal(got, PLAIN_SIZE);
        check_out(&s, PLAIN_SIZE, got);
    }
    s.packed[s.packed_size - 2] ^= 1;
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size),
                     TMI_INFLATE_CHECKSUM);
    check_out(&s, PLAIN_SIZE, got);
    /* Too few bytes and a wrong checksum: nothing says that these bytes are right. */
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE + 1, &got, s.packed, s.packed_size),
                     TMI_INFLATE_BROKEN);
    assert_int_equal(got, PLAIN_SIZE);
    free_stream(&s);
}

TEST(of_a_cut_stream_all_is_kept_that_was_there)
{
    struct stream s = make_stream();
    size_t last = 0;
    for (size_t size = 0; size < s.packed_size - 4; size += 997) {
        size_t got;
        memset(s.out, 0xEE, PLAIN_SIZE);
        assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, size), TMI_INFLATE_BROKEN);
        assert_in_range(got, last, PLAIN_SIZE - 1);
        check_out(&s, PLAIN_SIZE, got);
        last = got;
    }
    assert_in_range(last, PLAIN_SIZE * 9 / 10, PLAIN_SIZE - 1);
    free_stream(&s);
}

/* Three stored blocks "abc", "def", "ghi"; the middle one with a broken length, so that the break is at a known place. */
TEST(what_came_before_a_break_is_kept_exactly)
{
    uint8_t packed[] = {0x78, 0x01, 0,   3, 0, 0xFC, 0xFF, 'a',  'b', 'c', 0,   3,    0,    0xFC, 0xFF,
                        'd',  'e',  'f', 1, 3, 0,    0xFC, 0xFF, 'g', 'h', 'i', 0x11, 0x8C, 0x03, 0x8E};
    uint32_t adler = (uint32_t)adler32(1, (const Bytef *)"abcdefghi", 9);
    for (int i = 0; i < 4; i++)
        packed[26 + i] = (uint8_t)(adler >> (24 - 8 * i));
    char out[9];
    size_t got;
    assert_int_equal(tmi_inflate(inflater, out, 9, &got, packed, sizeof(packed)), TMI_INFLATE_OK);
    assert_memory_equal(out, "abcdefghi", 9);
    packed[13] ^= 1;
    assert_int_equal(tmi_inflate(inflater, out, 9, &got, packed, sizeof(packed)), TMI_INFLATE_BROKEN);
    assert_int_equal(got, 3);
    assert_memory_equal(out, "abc\0\0\0\0\0\0", 9);
    /* All bytes are there, then comes something that is no deflate block. */
    packed[13] ^= 1;
    packed[18] = 7;
    assert_int_equal(tmi_inflate(inflater, out, 6, &got, packed, sizeof(packed)), TMI_INFLATE_BROKEN);
    assert_int_equal(got, 6);
    assert_memory_equal(out, "abcdef", 6);
}

TEST(a_bad_head_is_seen_through_only_with_a_right_checksum)
{
    struct stream s = make_stream();
    size_t got;
    const uint8_t heads[][2] = {{0x79, 0x9C}, {0x78, 0x9D}, {0x88, 0x1C}, {0x78, 0xBB}, {0, 0}};
    for (size_t i = 0; i < TMI_COUNT_OF(heads); i++) {
        memcpy(s.packed, heads[i], 2);
        memset(s.out, 0xEE, PLAIN_SIZE);
        assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size),
                         TMI_INFLATE_BROKEN);
        assert_int_equal(got, PLAIN_SIZE);
        check_out(&s, PLAIN_SIZE, got);
    }
    assert_int_equal(tmi_inflate(inflater, s.out, PLAIN_SIZE, &got, s.packed, s.packed_size - 1),
                     TMI_INFLATE_BROKEN);
    assert_int_equal(got, 0);
    check_out(&s, PLAIN_SIZE, 0);
    free_stream(&s);
}

TEST(nothing_unpacks_to_nothing)
{
    const uint8_t nothing[] = {0x78, 0x9C, 0x03, 0, 0, 0, 0, 1, 0xAA};
    size_t got = 9;
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, nothing, 8), TMI_INFLATE_OK);
    assert_int_equal(got, 0);
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, nothing, 9), TMI_INFLATE_TRAILING);
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, nothing, 7), TMI_INFLATE_CHECKSUM);
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, NULL, 0), TMI_INFLATE_BROKEN);
    assert_int_equal(tmi_inflate(inflater, NULL, 0, &got, nothing, 1), TMI_INFLATE_BROKEN);
    char out[4] = "xyz";
    assert_int_equal(tmi_inflate(inflater, out, 4, &got, nothing, 8), TMI_INFLATE_SHORT);
    assert_int_equal(got, 0);
    assert_memory_equal(out, "\0\0\0\0", 4);
    assert_int_equal(tmi_inflate(inflater, out, 4, &got, NULL, 0), TMI_INFLATE_BROKEN);
}

/* Whatever is flipped, the answer is "good" only when zlib's uncompress says so, too; what is written stays inside. */
TEST(flipped_bits_are_judged_as_zlib_does)
{
    uint8_t plain[300], packed[400], ours[308], theirs[308];
    for (size_t i = 0; i < sizeof(plain); i++)
        plain[i] = (uint8_t)(i % 7 == 0 ? i : 32 + i % 3);
    uLong size = sizeof(packed);
    assert_int_equal(compress2(packed, &size, plain, sizeof(plain), 9), Z_OK);
    for (size_t bit = 0; bit < size * 8; bit++) {
        packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        uLongf their_size = sizeof(plain);
        bool good = uncompress(theirs, &their_size, packed, size) == Z_OK && their_size == sizeof(plain);
        size_t got;
        memset(ours, 0xEE, sizeof(ours));
        tmi_inflate_result result = tmi_inflate_slowly(inflater, ours, sizeof(plain), &got, packed, size);
        if ((result == TMI_INFLATE_OK || result == TMI_INFLATE_TRAILING) != good)
            fail_msg("bit %zu: result %d, zlib says %d", bit, (int)result, (int)good);
        size_t fast_got;
        assert_int_equal(tmi_inflate(inflater, theirs, sizeof(plain), &fast_got, packed, size), result);
        assert_int_equal(fast_got, got);
        assert_memory_equal(theirs, ours, sizeof(plain));
        for (size_t i = sizeof(plain); i < sizeof(ours); i++)
            assert_int_equal(ours[i], 0xEE);
        packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(packed_at_any_level_zlib_unpacks_it)
{
    const size_t sizes[] = {0, 1, 4, 1000, 66000};
    for (int level = -1; level <= 13; level++) {
        tmi_deflater *deflater = tmi_deflater_new(level);
        assert_non_null(deflater);
        for (size_t i = 0; i < TMI_COUNT_OF(sizes); i++) {
            FREED uint8_t *plain = sample(sizes[i]), *out = malloc(sizes[i] + 1);
            size_t bound = tmi_deflate_bound(deflater, sizes[i]);
            FREED uint8_t *packed = malloc(bound);
            size_t packed_size = tmi_deflate(deflater, packed, bound, sizes[i] ? plain : NULL, sizes[i]);
            assert_in_range(packed_size, 8, bound);
            uLongf out_size = sizes[i] + 1;
            assert_int_equal(uncompress(out, &out_size, packed, packed_size), Z_OK);
            assert_int_equal(out_size, sizes[i]);
            assert_memory_equal(out, plain, sizes[i]);
            size_t got;
            assert_int_equal(tmi_inflate(inflater, out, sizes[i], &got, packed, packed_size), TMI_INFLATE_OK);
        }
        tmi_deflater_free(deflater);
    }
    tmi_deflater_free(NULL);
    tmi_inflater_free(NULL);
}

TEST(crc_is_the_one_of_zlib)
{
    assert_int_equal(tm_crc32(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(tm_crc32(tm_crc32(0, "1234", 4), "56789", 5), 0xCBF43926u);
    assert_int_equal(tm_crc32(0, NULL, 0), 0);
    assert_int_equal(tm_crc32(77, NULL, 0), 77);
}

/* Head, stream and sum, as zlib's own compress2 makes them. */
TEST(zlib_packs_as_zlib_itself)
{
    static const size_t sizes[] = {0, 1, 5000, 70000, PLAIN_SIZE};
    FREED uint8_t *bytes = sample(PLAIN_SIZE);
    const size_t room = compressBound(PLAIN_SIZE);
    FREED uint8_t *copy = malloc(room), *theirs = malloc(room);
    assert_true(copy && theirs);
    for (int level = 0; level <= 9; level++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
            uLong size = room;
            assert_int_equal(compress2(theirs, &size, bytes, sizes[i], level), Z_OK);
            assert_int_equal(tmi_zlib_pack(level, copy, room, bytes, sizes[i]), size);
            assert_memory_equal(copy, theirs, size);
            assert_int_equal(tmi_zlib_pack(level, copy, size, bytes, sizes[i]), size);
            assert_int_equal(tmi_zlib_pack(level, copy, size - 1, bytes, sizes[i]), 0);
        }
    }
}

TEST(libraries_tell_their_versions)
{
    static const char *const texts[] = {"giflib", "libdeflate", "libpng", "libwebp", "zlib", "zopfli"};
    const char *names[TMI_COUNT_OF(texts)];
    size_t num = 0;
    tm_codec_library library;
    for (size_t i = 0; i < TMI_COUNT_OF(texts); i++)
        if ((tm_gif_available() || strcmp(texts[i], "giflib") != 0) &&
            (TEEMAP_HAVE_LIBDEFLATE || strcmp(texts[i], "libdeflate") != 0) &&
            (tm_webp_available() || strcmp(texts[i], "libwebp") != 0) &&
            (tm_zopfli_available() || strcmp(texts[i], "zopfli") != 0))
            names[num++] = texts[i];
    for (size_t i = 0; i < num; i++) {
        assert_true(tm_codec_library_at(&library, i));
        assert_string_equal(library.name, names[i]);
        assert_true(library.version[0] >= '0' && library.version[0] <= '9');
    }
    assert_true(tm_codec_library_at(&library, num - (tm_zopfli_available() ? 2 : 1)));
    assert_string_equal(library.version, zlibVersion());
    assert_false(tm_codec_library_at(&library, num));
    assert_null(library.name);
}

TEST_GROUP(start, stop)
