/* SPDX-License-Identifier: Zlib */
/*
 * The ground of all rooms: memory, arena, sizes, texts, errors, inputs and outputs, options.
 */
#include "base/base.h"
#include "support/test.h"

#include <stdalign.h>

TEST(allocations_go_through_the_caller)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    char *bytes = tmi_alloc(&memory.allocator, 3, 7);
    assert_non_null(bytes);
    assert_int_equal(memory.num_bytes, 21);
    bytes[20] = 'x';
    bytes = tmi_realloc(&memory.allocator, bytes, 3, 5, 7);
    assert_int_equal(bytes[20], 'x');
    assert_int_equal(memory.num_bytes, 35);
    int *zeroes = tmi_calloc(&memory.allocator, 4, sizeof(int));
    for (int i = 0; i < 4; i++)
        assert_int_equal(zeroes[i], 0);
    tmi_free(&memory.allocator, zeroes, 4, sizeof(int));
    tmi_free(&memory.allocator, bytes, 5, 7);
    tmi_free(&memory.allocator, NULL, 5, 7);
    tm_free(&memory.allocator, tm_alloc(&memory.allocator, 9), 9);
    tm_free(&memory.allocator, tm_alloc(&memory.allocator, 0), 0);
    tm_free(NULL, tm_alloc(NULL, 9), 9);
}

TEST(without_an_allocator_malloc_serves)
{
    uint8_t *bytes = tmi_calloc(NULL, 1000, 3);
    assert_non_null(bytes);
    assert_int_equal(bytes[2999], 0);
    bytes = tmi_realloc(NULL, bytes, 1000, 2000, 3);
    assert_non_null(bytes);
    tmi_free(NULL, bytes, 2000, 3);
    char *text = tmi_strdup(NULL, "tee");
    assert_string_equal(text, "tee");
    tmi_strfree(NULL, text);
}

TEST(nothing_can_be_asked_for)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    void *null_pointer = tmi_alloc(&memory.allocator, 0, 16),
         *null_memory = tmi_calloc(&memory.allocator, 16, 0);
    assert_non_null(null_pointer);
    assert_non_null(null_memory);
    null_pointer = tmi_realloc(&memory.allocator, null_pointer, 0, 2, 16);
    null_pointer = tmi_realloc(&memory.allocator, null_pointer, 2, 0, 16);
    assert_non_null(null_pointer);
    tmi_free(&memory.allocator, null_pointer, 0, 16);
    tmi_free(&memory.allocator, null_memory, 16, 0);
}

TEST(sizes_that_overflow_are_refused)
{
    struct test_memory memory = TEST_MEMORY(memory);
    assert_null(tmi_alloc(&memory.allocator, SIZE_MAX / 2, 3));
    assert_null(tmi_calloc(&memory.allocator, 3, SIZE_MAX / 2));
    assert_null(tmi_strndup(&memory.allocator, "x", SIZE_MAX));
    void *kept = tmi_alloc(&memory.allocator, 1, 8);
    assert_null(tmi_realloc(&memory.allocator, kept, 1, SIZE_MAX / 4, 8));
    assert_int_equal(memory.num_requests, 1);
    tmi_free(&memory.allocator, kept, 1, 8);

    size_t out;
    assert_true(tmi_add_size(&out, SIZE_MAX - 1, 1) && out == SIZE_MAX);
    assert_false(tmi_add_size(&out, SIZE_MAX, 1));
    assert_true(tmi_mul_size(&out, SIZE_MAX / 2, 2) && out == SIZE_MAX - 1);
    assert_false(tmi_mul_size(&out, SIZE_MAX / 2 + 1, 2));
    assert_true(tmi_mul_size(&out, 0, SIZE_MAX) && out == 0);
}

TEST(lists_grow_and_survive_failure)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    uint32_t *list = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        must(tmi_grow(&memory.allocator, &list, &capacity, i + 1u, sizeof(*list), NULL));
        list[i] = i;
    }
    assert_in_range(memory.num_requests, 5, 20); /* by half each time, not by one */
    memory.fail_at = memory.num_requests + 1;
    tm_error error;
    size_t before = capacity;
    assert_int_equal(tmi_grow(&memory.allocator, &list, &capacity, before + 1, sizeof(*list), &error),
                     TM_ERROR_MEMORY);
    assert_int_equal(error.code, TM_ERROR_MEMORY);
    assert_int_equal(capacity, before);
    assert_int_equal(list[999], 999);
    assert_int_equal(tmi_grow(&memory.allocator, &list, &capacity, SIZE_MAX, sizeof(*list), &error),
                     TM_ERROR_MEMORY);
    tmi_free(&memory.allocator, list, capacity, sizeof(*list));
}

TEST(arena_objects_are_apart_and_aligned)
{
    struct test_memory memory = TEST_MEMORY(memory);
    tmi_arena arena;
    tmi_arena_init(&arena, &memory.allocator);
    uint8_t *objects[400];
    for (size_t i = 0; i < 400; i++) {
        size_t size = i % 50 == 49 ? 100000 : i % 37;
        objects[i] = tmi_arena_alloc(&arena, size, 1);
        assert_non_null(objects[i]);
        assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
        memset(objects[i], (int)(i & 255), size);
    }
    for (size_t i = 0; i < 400; i++) {
        size_t size = i % 50 == 49 ? 100000 : i % 37;
        for (size_t k = 0; k < size; k++)
            assert_int_equal(objects[i][k], i & 255);
    }
    tmi_arena_release(&arena);
    assert_int_equal(memory.num_blocks, 0);
    tmi_arena_release(&arena); /* once more does no harm */
}

TEST(arena_without_memory_says_so)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    tmi_arena arena;
    tmi_arena_init(&arena, &memory.allocator);
    assert_null(tmi_arena_alloc(&arena, SIZE_MAX / 2, 4));
    assert_null(tmi_arena_alloc(&arena, SIZE_MAX - 8, 1));
    assert_int_equal(memory.num_requests, 0);
    assert_non_null(tmi_arena_alloc(&arena, 8, 1));
    memory.fail_at = memory.num_requests + 1;
    assert_null(tmi_arena_alloc(&arena, 1 << 20, 1));
    assert_non_null(tmi_arena_alloc(&arena, 8, 1)); /* still of use */
    tmi_arena_release(&arena);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

TEST(integers_are_little_endian_everywhere)
{
    const uint8_t bytes[5] = {0xFF, 0x78, 0x56, 0x34, 0x92};
    assert_int_equal(tmi_get_i32(bytes + 1), (int32_t)0x92345678);
    assert_true(tmi_get_u32(bytes + 1) == 0x92345678u);
    uint8_t out[4];
    tmi_put_i32(out, -2);
    assert_memory_equal(out, "\xFE\xFF\xFF\xFF", 4);
    tmi_put_u32(out, 0x92345678u);
    assert_memory_equal(out, bytes + 1, 4);
}

TEST(utf8_is_judged_as_ddnet_does)
{
    static const struct {
        const char *text;
        bool valid;
    } table[] = {
        {"", true},
        {"plain", true},
        {"\x7F", true},
        {"\xC2\x80", true},         /* U+0080, the first of two bytes */
        {"\xDF\xBF", true},         /* U+07FF, the last */
        {"\xE0\xA0\x80", true},     /* U+0800 */
        {"\xED\x9F\xBF", true},     /* U+D7FF, just before the surrogates */
        {"\xEE\x80\x80", true},     /* U+E000, just after */
        {"\xEF\xBF\xBF", true},     /* U+FFFF */
        {"\xF0\x90\x80\x80", true}, /* U+10000 */
        {"\xF4\x8F\xBF\xBF", true}, /* U+10FFFF, the very last */
        {"a\xE2\x82\xAC z", true},
        {"\x80", false},             /* continues nothing */
        {"\xC0\x80", false},         /* overlong NUL */
        {"\xC1\xBF", false},         /* overlong */
        {"\xC2", false},             /* cut */
        {"\xC2\x41", false},         /* not continued */
        {"\xE0\x9F\xBF", false},     /* overlong */
        {"\xE2\x82", false},         /* cut */
        {"\xE2\x82\x41", false},     /* not continued */
        {"\xED\xA0\x80", false},     /* U+D800, a surrogate */
        {"\xED\xBF\xBF", false},     /* U+DFFF */
        {"\xF0\x8F\xBF\xBF", false}, /* overlong */
        {"\xF4\x90\x80\x80", false}, /* U+110000 */
        {"\xF5\x80\x80\x80", false},
        {"\xF0\x90\x80", false},
        {"\xFE", false},
        {"\xFF\xFF\xFF", false}, /* seen in maps of 0.6 */
        {"good then \xFF", false},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(table); i++)
        if (tmi_utf8_valid(table[i].text, strlen(table[i].text)) != table[i].valid)
            fail_msg("row %zu of the table", i);
    assert_true(tmi_utf8_valid("a\0b", 3));
    assert_int_equal(tmi_utf8_step("\xE2\x82\xAC...", 6), 3);
    assert_int_equal(tmi_utf8_step("\xE2\x82\xAC", 2), 0);
    assert_int_equal(tmi_utf8_step("", 0), 0);
}

TEST(formatting_never_cuts_a_character)
{
    char buffer[8];
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%d-%s", 12, "ab"), 5);
    assert_string_equal(buffer, "12-ab");
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%s", "1234567"), 7);
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%s", "12345\xE2\x82\xAC"), 5);
    assert_string_equal(buffer, "12345");
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%s",
                                "1234\xE2\x82\xAC"
                                "5"),
                     7);
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%s", "1234\xF0\x9F\x90\x84"), 4);
    assert_int_equal(tmi_format(buffer, sizeof(buffer), "%s", "123456\xC3\xA4"), 6);
    assert_int_equal(tmi_format(buffer, 1, "%s", "\xC3\xA4"), 0);
    assert_int_equal(tmi_format(buffer, 0, "%s", "x"), 0);
}

TEST(texts_of_errors_are_one_clean_line)
{
    char text[] = "a\nb\x1B[1m\xFF.\xC2\x9B!\xE2\x82\xAC\x7F";
    tmi_tidy_line(text);
    assert_string_equal(text, "a?b?[1m?.?!\xE2\x82\xAC?");
    /* C1 as bytes and as UTF-8, marks that turn the direction of writing: these once came through */
    char marks[] = "\x80\x9B.\xC2\x80\xC2\x9F.\xD8\x9C.\xE2\x80\x8F\xE2\x80\xA8\xE2\x80\xAA\xE2\x80\xAE."
                   "\xE2\x81\xA6\xE2\x81\xA9.\xEF\xBB\xBF";
    tmi_tidy_line(marks);
    assert_string_equal(marks, "??.??.?.????.??.?");
    char fine[] =
        "\xC2\xA0\xD8\x9B\xD8\x9D\xE2\x80\x8D\xE2\x80\x90\xE2\x80\xAF\xE2\x81\xAA\xEF\xBB\xBE\xF0\x9F\x90\x84";
    char same[sizeof(fine)];
    memcpy(same, fine, sizeof(fine));
    tmi_tidy_line(fine);
    assert_string_equal(fine, same);
    tm_error error;
    fails_with(TM_ERROR_DAMAGED, "layer 'x?y?' is odd",
               tmi_fail(&error, TM_ERROR_DAMAGED, 7, "layer '%s' is odd", "x\ry\xFE"));
}

TEST(errors_are_filled_once_and_placed_outwards)
{
    tm_error error;
    memset(&error, 0x55, sizeof(error));
    assert_int_equal(tmi_fail(&error, TM_ERROR_DAMAGED, 42, "%s is %d", "size", -1), TM_ERROR_DAMAGED);
    assert_int_equal(error.code, TM_ERROR_DAMAGED);
    assert_int_equal(error.system, 0);
    assert_true(error.offset == 42);
    assert_string_equal(error.text, "size is -1");
    assert_string_equal(error.place, "");
    assert_int_equal(tmi_fail_at(&error, TM_ERROR_IO, "layer %d '%s'", 3, "Freeze"), TM_ERROR_DAMAGED);
    assert_int_equal(tmi_fail_at(&error, TM_ERROR_IO, "group %d", 2), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "group 2, layer 3 'Freeze'");
    assert_string_equal(error.text, "size is -1");
    assert_int_equal(tmi_fail_at(&error, TM_ERROR_IO, "%s", ""), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "group 2, layer 3 'Freeze'");
    fails_with(TM_ERROR_IO, "again: size is -1", tmi_fail(&error, TM_ERROR_IO, -1, "again: %s", error.text));
    assert_string_equal(error.place, "");
}

static tm_status cannot_read(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    (void)ctx, (void)offset, (void)buffer, (void)size, (void)error;
    return TM_ERROR_IO;
}

static tm_status cannot_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx, (void)bytes, (void)size, (void)error;
    return TM_ERROR_IO;
}

/* Copying reads and writes; the command line once looked at the first words of the text to tell which had failed. */
TEST(errors_say_which_side_failed)
{
    const tm_input bad_input = {NULL, 8, NULL, cannot_read, NULL, NULL},
                   input = tm_input_from_memory("abcdefgh", 8);
    const tm_output bad_output = {NULL, cannot_write, NULL};
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    assert_int_equal(tmi_output_copy(&output, &bad_input, 0, 8, &error), TM_ERROR_IO);
    assert_int_equal(error.side, TM_SIDE_INPUT);
    assert_int_equal(tmi_output_copy(&bad_output, &input, 0, 8, &error), TM_ERROR_IO);
    assert_int_equal(error.side, TM_SIDE_OUTPUT);
    tm_buffer_release(&buffer);
    tmi_fail(&error, TM_ERROR_USAGE, -1, "no");
    assert_string_equal(tm_side_name(error.side), "usage");
    tmi_fail_memory(&error, 5, "a list");
    tmi_error_about(&error, TM_SIDE_INPUT, "a.map");
    assert_string_equal(tm_side_name(error.side), "none");
    assert_string_equal(error.path, "a.map");
    assert_string_equal(tm_side_name((tm_side)77), "none");
    assert_string_equal(tm_side_name(TM_SIDE_INPUT), "input");
    assert_string_equal(tm_side_name(TM_SIDE_OUTPUT), "output");
}

TEST(an_error_is_one_line)
{
    tm_error error;
    char line[700], path[400];
    tmi_fail(&error, TM_ERROR_DAMAGED, 1234, "it is too short");
    assert_int_equal(tm_error_format(&error, line, sizeof(line)), 30);
    assert_string_equal(line, "it is too short (at byte 1234)");
    tmi_fail_at(&error, TM_ERROR_DAMAGED, "group 2");
    tmi_error_about(&error, TM_SIDE_OUTPUT, "a\nb.map");
    tm_error_format(&error, line, sizeof(line));
    assert_string_equal(line, "a?b.map: group 2: it is too short (at byte 1234)");
    assert_string_equal(error.path, "a\nb.map");
    assert_int_equal(error.side, TM_SIDE_INPUT);
    const size_t whole = strlen(line);
    assert_int_equal(tm_error_format(&error, line, 4), whole);
    assert_string_equal(line, "a?b");
    assert_int_equal(tm_error_format(&error, NULL, 0), whole);
    assert_int_equal(tm_error_format(NULL, line, 4), 0);
    memset(path, 'p', sizeof(path));
    memcpy(path + 390, "/last.map", 10);
    tmi_fail(&error, TM_ERROR_IO, -1, "no");
    tmi_error_about(&error, TM_SIDE_INPUT, path);
    assert_int_equal(strlen(error.path), TM_ERROR_PATH_SIZE - 1);
    assert_memory_equal(error.path, "...ppp", 6);
    assert_string_equal(error.path + TM_ERROR_PATH_SIZE - 10, "/last.map");
}

TEST(errors_fit_and_may_be_left_out)
{
    assert_int_equal(tmi_fail(NULL, TM_ERROR_LIMIT, 0, "nobody reads this"), TM_ERROR_LIMIT);
    assert_int_equal(tmi_fail_at(NULL, TM_ERROR_LIMIT, "group 1"), TM_ERROR_LIMIT);
    char text[2000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    tm_error error;
    tmi_fail(&error, TM_ERROR_DAMAGED, -1, "%s", text);
    for (int i = 0; i < 5; i++)
        tmi_fail_at(&error, TM_ERROR_DAMAGED, "level %d %.60s", i, text);
    assert_int_equal(strlen(error.text), TM_ERROR_TEXT_SIZE - 1);
    assert_int_equal(strlen(error.place), TM_ERROR_PLACE_SIZE - 1);
    assert_memory_equal(error.place, "level 4 ", 8);
    fails_with(TM_ERROR_MEMORY, "out of memory (123 bytes for tiles)", tmi_fail_memory(&error, 123, "tiles"));
}

TEST(every_status_has_a_name)
{
    for (int i = TM_OK; i <= TM_ERROR_NOT_FOUND; i++) {
        for (int k = TM_OK; k < i; k++)
            assert_string_not_equal(tm_status_name((tm_status)i), tm_status_name((tm_status)k));
        assert_string_not_equal(tm_status_name((tm_status)i), "unknown");
    }
    assert_string_equal(tm_status_name((tm_status)99), "unknown");
    assert_string_equal(tm_version(), TM_VERSION_STRING);
    unsigned major, minor, patch;
    assert_int_equal(sscanf(tm_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    assert_true(major == TM_VERSION_MAJOR && minor == TM_VERSION_MINOR && patch == TM_VERSION_PATCH);
    tm_error error = {.offset = 7, .path = "a", .place = "b"};
    assert_int_equal(tm_error_set(&error, TM_ERROR_IO, "no disk\n"), TM_ERROR_IO);
    assert_int_equal(error.code, TM_ERROR_IO);
    assert_int_equal(error.offset, -1);
    assert_true(error.path[0] == '\0' && error.place[0] == '\0' && strncmp(error.text, "no disk", 7) == 0);
    assert_null(strchr(error.text, '\n'));
    assert_int_equal(tm_error_set(NULL, TM_ERROR_IO, NULL), TM_ERROR_IO);
}

/* ------------------------------------------------------------------------------------------------- inputs, outputs */

struct slow_input {
    const char *bytes;
    size_t calls, fail_at, most;
};

static tm_status slow_read(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct slow_input *slow = ctx;
    if (size > slow->most)
        slow->most = size;
    if (++slow->calls == slow->fail_at)
        return tmi_fail(error, TM_ERROR_IO, (int64_t)offset, "the disk is tired");
    memcpy(buffer, slow->bytes + offset, size);
    return TM_OK;
}

TEST(inputs_refuse_what_lies_outside)
{
    tm_input input = tm_input_from_memory("abcdef", 6);
    char buffer[8] = "-------";
    tm_error error;
    must(tmi_input_read(&input, 2, buffer, 3, NULL));
    assert_memory_equal(buffer, "cde----", 7);
    must(tmi_input_read(&input, 6, buffer, 0, NULL));
    assert_int_equal(tmi_input_read(&input, 6, buffer, 1, &error), TM_ERROR_USAGE);
    assert_int_equal(tmi_input_read(&input, 7, buffer, 0, &error), TM_ERROR_USAGE);
    assert_int_equal(tmi_input_read(&input, UINT64_MAX, buffer, 2, &error), TM_ERROR_USAGE);
    assert_int_equal(tmi_input_read(&input, 1, buffer, SIZE_MAX, &error), TM_ERROR_USAGE);
    tm_input empty = tm_input_from_memory(NULL, 0);
    must(tmi_input_read(&empty, 0, NULL, 0, NULL));
    assert_int_equal(tmi_input_read(&empty, 0, buffer, 1, NULL), TM_ERROR_USAGE);
}

static tm_status silent_read(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    (void)ctx, (void)offset, (void)buffer, (void)size, (void)error;
    return TM_ERROR_IO;
}

static tm_status short_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx, (void)bytes, (void)size;
    memset(error->text, 'x', sizeof(error->text)); /* and no end */
    return TM_ERROR_IO;
}

TEST(callers_may_fail_without_a_word)
{
    tm_error error;
    memset(&error, 0x55, sizeof(error));
    const tm_input input = {NULL, 10, NULL, silent_read, NULL, NULL};
    uint8_t byte;
    assert_int_equal(tmi_input_read(&input, 3, &byte, 1, NULL), TM_ERROR_IO);
    assert_int_equal(tmi_input_read(&input, 3, &byte, 1, &error), TM_ERROR_IO);
    assert_int_equal(error.code, TM_ERROR_IO);
    assert_int_equal(error.offset, -1);
    assert_int_equal(error.system, 0);
    assert_string_equal(error.place, "");
    assert_string_equal(error.text, "the input failed and gave no reason");
    const tm_output output = {NULL, short_write, NULL};
    assert_int_equal(tmi_output_write(&output, &byte, 1, &error), TM_ERROR_IO);
    assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
}

TEST(copying_works_in_pieces)
{
    static char bytes[100000];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7 + i / 251);
    struct slow_input slow = {bytes, 0, 0, 0};
    tm_input input = {&slow, sizeof(bytes), NULL, slow_read, NULL, NULL};
    tm_input memory = tm_input_from_memory(bytes, sizeof(bytes));
    OWN(tm_buffer) buffer = {0};
    tm_output plain = tm_output_to_buffer(&buffer);
    must(tmi_output_copy(&plain, &input, 10, 99990, NULL));
    assert_in_range(slow.most, 1, 50000);
    must(tmi_output_copy(&plain, &memory, 0, 10, NULL));
    assert_int_equal(tmi_output_copy(&plain, &memory, 99999, 2, NULL), TM_ERROR_USAGE);
    assert_int_equal(buffer.size, sizeof(bytes));
    assert_memory_equal(buffer.bytes, bytes + 10, sizeof(bytes) - 10);
    assert_memory_equal(buffer.bytes + sizeof(bytes) - 10, bytes, 10);
    tm_error error;
    slow.fail_at = slow.calls + 2;
    fails_with(TM_ERROR_IO, "the disk is tired", tmi_output_copy(&plain, &input, 0, 90000, &error));
}

TEST(a_buffer_without_memory_keeps_what_it_has)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    OWN(tm_buffer) buffer = {NULL, 0, 0, &memory.allocator};
    tm_output output = tm_output_to_buffer(&buffer);
    must(tmi_output_write(&output, "abc", 3, NULL));
    must(tmi_output_write(&output, NULL, 0, NULL));
    memory.fail_at = memory.num_requests + 1;
    char much[100] = {0};
    tm_error error;
    assert_int_equal(tmi_output_write(&output, much, sizeof(much), &error), TM_ERROR_MEMORY);
    assert_int_equal(buffer.size, 3);
    assert_memory_equal(buffer.bytes, "abc", 3);
    tm_buffer_release(&buffer);
    assert_int_equal(memory.num_blocks, 0);
    must(tmi_output_write(&output, "again", 5, NULL));
}

TEST(options_get_their_defaults)
{
    tm_limits limits, custom = TM_LIMITS_INIT;
    must(tmi_limits_take(&limits, NULL, NULL));
    assert_true(limits.file_bytes == 1u << 30 && limits.items == 1u << 20);
    assert_true(limits.item_bytes == 256u << 20 && limits.blocks == 1u << 20 &&
                limits.block_bytes == 1u << 30);
    assert_true(limits.unpacked_bytes == (uint64_t)2 << 30);
    custom.items = 5;
    custom.unpacked_bytes = UINT64_MAX;
    must(tmi_limits_take(&limits, &custom, NULL));
    assert_true(limits.items == 5 && limits.blocks == 1u << 20 && limits.unpacked_bytes == UINT64_MAX);
    tm_job job;
    must(tmi_job_take(&job, NULL, NULL));
    assert_true(job.memory_budget == 1u << 30 && !job.executor && !job.cancel && !job.progress);
}

static void count_task(void *arg, uint32_t index)
{
    ((uint32_t *)arg)[index]++;
}

TEST(tasks_run_once_each_without_threads)
{
    uint32_t seen[100] = {0};
    tmi_run(NULL, 100, count_task, seen);
    tmi_run(NULL, 0, count_task, seen);
    for (int i = 0; i < 100; i++)
        assert_int_equal(seen[i], 1);
}

TEST(cancelling_is_seen)
{
    tm_cancel cancel = {0};
    assert_false(tmi_cancelled(NULL));
    assert_false(tmi_cancelled(&cancel));
    tm_cancel_request(&cancel);
    assert_true(tmi_cancelled(&cancel));
}

static bool ask_three_times(void *ctx)
{
    return ++*(int *)ctx >= 3;
}

static tm_status count_tasks(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    (void)worker, (void)index, (void)stop, (void)error;
    ++*(int *)ctx;
    return TM_OK;
}

/* A program of one thread cannot set the flag while the library works. */
TEST(a_flag_may_be_asked_for)
{
    int asked = 0, done = 0;
    tm_error error = {0};
    tm_cancel cancel = {.ask = ask_three_times, .ask_ctx = &asked};
    tm_job job = TM_JOB_INIT;
    tm_tasks tasks = {.size = sizeof(tasks), .num = 10, .work = count_tasks, .ctx = &done};
    job.cancel = &cancel;
    assert_int_equal(tm_tasks_run(&tasks, &job, &error), TM_ERROR_CANCELLED);
    assert_in_range(done, 1, 2);
    assert_true(tmi_cancelled(&cancel) && asked >= 3);
}

/* The library and the tool had a measure each: two letters exchanged were one slip here and two there. */
TEST(the_nearest_name_is_found)
{
    static const char *const names[] = {"air", "freeze", "unfreeze", "mirror", "author", "deep-freeze"};
    static const struct {
        const char *wrong, *right;
    } cases[] = {{"frezze", "freeze"},    {"Frezee", "freeze"}, {"miror", "mirror"}, {"autor", "author"},
                 {"deep", "deep-freeze"}, {"xyzzy", NULL},      {"", NULL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char hint[64];
        tm_suggestion meant;
        tm_suggestion_begin(&meant, cases[i].wrong);
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            tm_suggestion_try(&meant, names[n]);
        assert_true(!meant.best == !cases[i].right);
        const size_t length = tm_suggestion_format(&meant, hint, sizeof(hint));
        assert_int_equal(length, strlen(hint));
        if (cases[i].right) {
            assert_string_equal(meant.best, cases[i].right);
            assert_non_null(strstr(hint, cases[i].right));
        } else {
            assert_string_equal(hint, "");
        }
    }
}

/* Edges beyond 31 bits count, and an empty rectangle has no place. */
TEST(rectangles_are_cut_and_joined)
{
    const tm_rect a = {0, 0, 10, 4}, b = {-3, 2, 5, 100}, distant = {20, 0, 1, 1}, empty = {500, 500, 0, 9};
    const tm_rect wide = {INT32_MIN, -1, UINT32_MAX, 2},
                  whole = {INT32_MIN, INT32_MIN, UINT32_MAX, UINT32_MAX};
    const struct {
        tm_rect a, b, common, bounds;
    } cases[] = {{a, b, {0, 2, 2, 2}, {-3, 0, 13, 102}},
                 {a, distant, {0, 0, 0, 0}, {0, 0, 21, 4}},
                 {a, empty, {0, 0, 0, 0}, a},
                 {wide, a, {0, 0, 10, 1}, {INT32_MIN, -1, UINT32_MAX, 5}},
                 {whole, b, b, whole}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const tm_rect common = tmi_rect_common(&cases[i].a, &cases[i].b);
        const tm_rect bounds = tmi_rect_around(&cases[i].a, &cases[i].b);
        assert_memory_equal(&common, &cases[i].common, sizeof(common));
        assert_memory_equal(&bounds, &cases[i].bounds, sizeof(bounds));
        const tm_rect returned = tmi_rect_around(&cases[i].b, &cases[i].a);
        assert_memory_equal(&returned, &cases[i].bounds, sizeof(returned));
    }
    assert_true(tmi_rect_has(&b, -3, 2) && tmi_rect_has(&b, 1, 101));
    assert_false(tmi_rect_has(&b, 2, 2) || tmi_rect_has(&b, -3, 102) || tmi_rect_has(&empty, 500, 500));
}
