/* SPDX-License-Identifier: Zlib */
/* SHA-256 by the standard's own examples, and both hashes of whole inputs. */
#include "support/test.h"
#include "codec/codec.h"

static const char *hex(const uint8_t digest[TM_SHA256_SIZE])
{
    static char text[2 * TM_SHA256_SIZE + 1];
    for (size_t i = 0; i < TM_SHA256_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

/* FIPS 180-4. */
static const struct {
    const char *text;
    uint32_t times;
    const char *sha256;
} examples[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

TEST(the_standards_examples_come_out)
{
    if (!tmi_sha256_available())
        skip();
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
    }
}

struct counted {
    const uint8_t *bytes;
    uint64_t fail_at;
    size_t num_reads;
};

static tm_status read_some(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct counted *from = ctx;
    from->num_reads++;
    if (offset + size > from->fail_at) {
        error->system = 5;
        return TM_ERROR_IO;
    }
    memcpy(buffer, from->bytes + offset, size);
    return TM_OK;
}

TEST(inputs_are_hashed_as_they_are)
{
    const size_t size = 1000000;
    FREED uint8_t *bytes = malloc(size);
    tm_hashes of_memory, of_file;
    if (!tmi_sha256_available())
        skip();
    assert_non_null(bytes);
    memset(bytes, 'a', size);
    const tm_input memory = tm_input_from_memory(bytes, size);
    struct counted from = {bytes, UINT64_MAX, 0};
    const tm_input file = {.ctx = &from, .size = size, .read = read_some};
    must(tm_hash_input(&of_memory, &memory, NULL, NULL));
    must(tm_hash_input(&of_file, &file, NULL, NULL));
    assert_memory_equal(&of_memory, &of_file, sizeof(of_file));
    assert_true(from.num_reads > 1); /* a piece at a time */
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
    static const tm_hashes nothing;
    FREED uint8_t *bytes = calloc(size, 1);
    tm_hashes hashes;
    tm_error error = {0};
    if (!tmi_sha256_available())
        skip();
    assert_non_null(bytes);
    struct counted from = {bytes, 200000, 0};
    const tm_input file = {.ctx = &from, .size = size, .read = read_some};
    memset(&hashes, 7, sizeof(hashes));
    assert_int_equal(tm_hash_input(&hashes, &file, NULL, &error), TM_ERROR_IO);
    assert_int_equal(error.system, 5);
    assert_memory_equal(&hashes, &nothing, sizeof(nothing));
    OWN(test_memory) memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    from.fail_at = UINT64_MAX;
    assert_int_equal(tm_hash_input(&hashes, &file, &memory.allocator, NULL), TM_ERROR_MEMORY);
    assert_memory_equal(&hashes, &nothing, sizeof(nothing));
    memory.fail_at = 0;
    must(tm_hash_input(&hashes, &file, &memory.allocator, NULL));
}
