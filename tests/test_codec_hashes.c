/* SPDX-License-Identifier: Zlib */
/*
 * SHA-256 and SHA-512 by the standard's own examples and at the edges of their blocks, and both hashes of
 * whole inputs. Run once more as unit.plain_codec_hashes, without the processor's own instructions.
 */
#include "support/test.h"
#include "codec/codec.h"

static const char *hex_of(const uint8_t *digest, size_t size)
{
    static char text[2 * TMI_SHA512_SIZE + 1];
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

static const char *hex(const uint8_t digest[TM_SHA256_SIZE])
{
    return hex_of(digest, TM_SHA256_SIZE);
}

/* FIPS 180-4. */
static const struct {
    const char *text;
    uint32_t times;
    const char *sha256, *sha512;
} examples[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
     "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
     "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", NULL},
    {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
     "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
     "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
     "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
     "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
     "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"},
};

TEST(the_standards_examples_come_out)
{
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        uint8_t digest[TM_SHA256_SIZE];
        tm_sha256 sha;
        must(tm_sha256_init(&sha, NULL));
        for (uint32_t k = 0; k < examples[i].times; k++)
            tm_sha256_update(&sha, examples[i].text, strlen(examples[i].text));
        tm_sha256_final(&sha, digest);
        assert_string_equal(hex(digest), examples[i].sha256);
        tm_sha256_final(&sha, digest); /* it has begun anew */
        assert_string_equal(hex(digest), examples[0].sha256);
        if (examples[i].sha512) {
            const size_t size = strlen(examples[i].text);
            FREED uint8_t *bytes = malloc(size * examples[i].times + 1);
            uint8_t long_digest[TMI_SHA512_SIZE];
            for (uint32_t k = 0; k < examples[i].times; k++)
                memcpy(bytes + k * size, examples[i].text, size);
            tmi_sha512(long_digest, bytes, size * examples[i].times);
            assert_string_equal(hex_of(long_digest, sizeof(long_digest)), examples[i].sha512);
        }
    }
}

/*
 * Texts of 0 to 299 bytes: the hash of all their hashes, as Python's hashlib has it. Portions change nothing.
 */
TEST(every_length_is_hashed)
{
    enum { MOST = 300 };
    uint8_t text[MOST], digest[TM_SHA256_SIZE], other[TM_SHA256_SIZE], long_digest[TMI_SHA512_SIZE];
    static uint8_t long_digests[MOST * TMI_SHA512_SIZE];
    tm_sha256 sum, sha;
    must(tm_sha256_init(&sum, NULL));
    must(tm_sha256_init(&sha, NULL));
    for (size_t size = 0; size < MOST; size++) {
        for (size_t i = 0; i < size; i++)
            text[i] = (uint8_t)(i * 7 + size);
        tm_sha256_update(&sha, text, size);
        tm_sha256_final(&sha, digest);
        tm_sha256_update(&sum, digest, sizeof(digest));
        for (size_t step = 1; step < MOST; step += 1 + step / 2) {
            for (size_t done = 0; done < size; done += step)
                tm_sha256_update(&sha, text + done, size - done < step ? size - done : step);
            tm_sha256_final(&sha, other);
            assert_memory_equal(digest, other, sizeof(digest));
        }
        tmi_sha512(long_digests + size * TMI_SHA512_SIZE, text, size);
    }
    tm_sha256_final(&sum, digest);
    assert_string_equal(hex(digest), "d5238871a46ac4a1a75ac3fb19d645b0b3b9e5f35f5f720e2b240d605c6b694e");
    tmi_sha512(long_digest, long_digests, sizeof(long_digests));
    assert_string_equal(hex_of(long_digest, sizeof(long_digest)),
                        "30d6c78a55e1f152f00703601a37b39b96c6c8fa2b3e66fb9c8182466b108d39"
                        "d5dd84827c69cadb4376853da7ec31ea83a0a7a0e5a713bac426e0f0ceea8424");
}

struct counted {
    const uint8_t *bytes;
    uint64_t fail_at;
    size_t num_reads;
};

static tm_status read_some(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct counted *source = ctx;
    source->num_reads++;
    if (offset + size > source->fail_at) {
        error->system = 5;
        return TM_ERROR_IO;
    }
    memcpy(buffer, source->bytes + offset, size);
    return TM_OK;
}

TEST(inputs_are_hashed_as_they_are)
{
    const size_t size = 1000000;
    FREED uint8_t *bytes = malloc(size);
    tm_hashes of_memory, of_file;
    assert_non_null(bytes);
    memset(bytes, 'a', size);
    const tm_input memory = tm_input_from_memory(bytes, size);
    struct counted source = {bytes, UINT64_MAX, 0};
    const tm_input file = {.ctx = &source, .size = size, .read = read_some};
    must(tm_hash_input(&of_memory, &memory, NULL, NULL));
    must(tm_hash_input(&of_file, &file, NULL, NULL));
    assert_memory_equal(&of_memory, &of_file, sizeof(of_file));
    assert_true(source.num_reads > 1); /* a piece at a time */
    assert_string_equal(hex(of_file.sha256), examples[3].sha256);
    assert_int_equal(of_file.crc32, tm_crc32(0, bytes, size));
    assert_int_equal(of_file.crc32, 0xdc25bfbc);
    assert_int_equal(of_file.size, size);
    const tm_input empty = tm_input_from_memory(NULL, 0);
    must(tm_hash_input(&of_memory, &empty, NULL, NULL));
    assert_string_equal(hex(of_memory.sha256), examples[0].sha256);
    assert_int_equal(of_memory.crc32 + of_memory.size, 0);
}

TEST(failures_leave_no_hash)
{
    const size_t size = 300000;
    static const tm_hashes zeros;
    FREED uint8_t *bytes = calloc(size, 1);
    tm_hashes hashes;
    tm_error error = {0};
    assert_non_null(bytes);
    struct counted source = {bytes, 200000, 0};
    const tm_input file = {.ctx = &source, .size = size, .read = read_some};
    memset(&hashes, 7, sizeof(hashes));
    assert_int_equal(tm_hash_input(&hashes, &file, NULL, &error), TM_ERROR_IO);
    assert_int_equal(error.system, 5);
    assert_memory_equal(&hashes, &zeros, sizeof(zeros));
    OWN(test_memory) memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    source.fail_at = UINT64_MAX;
    assert_int_equal(tm_hash_input(&hashes, &file, &memory.allocator, NULL), TM_ERROR_MEMORY);
    assert_memory_equal(&hashes, &zeros, sizeof(zeros));
    memory.fail_at = 0;
    must(tm_hash_input(&hashes, &file, &memory.allocator, NULL));
}
