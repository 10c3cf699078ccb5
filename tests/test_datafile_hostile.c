/* SPDX-License-Identifier: Zlib */
/*
 * Files that want to do harm, and a world that fails: every changed byte of a head, every length, counts that
 * lie, every limit, the n-th allocation and the n-th read. Whatever opens is walked through completely and
 * copied; the copy must be the file.
 */
#include "support/test.h"
#include "datafile/datafile.h"

static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE};

/* Small, so that a lie in a table is refused and not served. */
static const tm_limits small_limits = {
    .size = sizeof(tm_limits), .block_bytes = 1 << 16, .unpacked_bytes = 1 << 18};

static uint32_t touch(const void *bytes, uint64_t size)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < size; i++)
        sum = sum * 31 + ((const uint8_t *)bytes)[i];
    return sum;
}

static uint32_t walk_items(const tm_datafile *datafile)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < tm_datafile_num_items(datafile); i++) {
        tm_datafile_item item;
        assert_true(tm_datafile_get_item(&item, datafile, i));
        sum += touch(item.body, item.size) + (uint32_t)tm_datafile_item_int(&item, item.size / 4, 3);
    }
    for (uint32_t i = 0; i < tm_datafile_num_types(datafile); i++) {
        tm_datafile_type type;
        tm_datafile_type found;
        assert_true(tm_datafile_get_type(&type, datafile, i));
        assert_true(type.num <= tm_datafile_num_items(datafile) &&
                    type.first <= tm_datafile_num_items(datafile) - type.num);
        assert_true(tm_datafile_find_type(&found, datafile, type.type));
        if (type.has_uuid)
            tm_datafile_find_uuid(&found, datafile, &type.uuid);
    }
    return sum;
}

static uint32_t walk_data(tm_datafile *datafile, uint64_t file_size)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < tm_datafile_num_data(datafile); i++) {
        tm_datafile_data data;
        const void *bytes;
        tm_data_state state;
        assert_true(tm_datafile_get_data(&data, datafile, i));
        assert_true(data.packed_size <= file_size &&
                    (data.packed_size == 0 || data.offset <= file_size - data.packed_size));
        tm_status status = tm_datafile_data_bytes(&bytes, &state, datafile, i, NULL);
        assert_true(status == TM_OK || status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT);
        if (status == TM_OK)
            sum += touch(bytes, data.size);
        if (i % 2 == 0)
            tm_datafile_drop(datafile, i);
    }
    return sum;
}

static void check_copy(const tm_datafile *datafile, const struct test_bytes *file)
{
    OWN(tm_buffer) buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    must(tm_datafile_copy(datafile, &output, NULL, false, NULL, NULL, NULL));
    assert_int_equal(buffer.size, file->size);
    assert_memory_equal(buffer.bytes, file->bytes, file->size);
}

/* Without the layout all items and the readable blocks are still there. */
static void check_canonical_copy(const tm_datafile *datafile)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    OWN(tm_buffer) buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_datafile_header header;
    options.force_canonical = true;
    must(tm_datafile_copy(datafile, &output, &options, false, NULL, NULL, NULL));
    struct test_bytes written = {buffer.bytes, buffer.size};
    OWN(tm_datafile) *copy = test_open_fine(NULL, &written, TM_MODE_GAME);
    tm_datafile_get_header(&header, copy);
    assert_true(header.canonical);
    assert_int_equal(tm_datafile_num_items(copy), tm_datafile_num_items(datafile));
    assert_int_equal(tm_datafile_num_data(copy), tm_datafile_num_data(datafile));
}

/* Opens and walks; returns whether it opened. */
static bool walk(const struct test_bytes *file, tm_mode mode, bool in_memory)
{
    struct test_input input = {.in_memory = in_memory};
    tm_datafile_options options = {sizeof(options), mode, &small_limits, NULL};
    tm_findings findings = test_findings();
    tm_datafile *datafile;
    tm_status status = tm_datafile_open(&datafile, test_input_over(&input, file), &options, &findings, NULL);
    assert_true(status == TM_OK || status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT);
    if (status == TM_OK) {
        walk_items(datafile);
        walk_data(datafile, file->size);
        status = tmi_datafile_check_data(datafile, NULL, NULL, NULL, &findings, NULL);
        assert_true(status == TM_OK || status == TM_ERROR_LIMIT);
        check_copy(datafile, file);
        check_canonical_copy(datafile);
        status = TM_OK;
    }
    tm_datafile_close(datafile);
    assert_int_equal(input.num_closes, 1);
    tm_findings_release(&findings);
    return status == TM_OK;
}

static size_t head_of(const struct test_bytes *file)
{
    tm_datafile_header header;
    tm_datafile *datafile = test_open_fine(NULL, file, TM_MODE_GAME);
    tm_datafile_get_header(&header, datafile);
    tm_datafile_close(datafile);
    return (size_t)header.head_size;
}

/* ----------------------------------------------------------------------------------------- flips and cuts */

static void flip_head(struct test_bytes *file)
{
    static const uint8_t masks[] = {0x01, 0x04, 0x80, 0xFF};
    size_t head = head_of(file);
    for (size_t at = 0; at < head; at++) {
        for (size_t k = 0; k < sizeof(masks); k++) {
            file->bytes[at] ^= masks[k];
            for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++)
                walk(file, modes[m], (at + k) % 2 == 0);
            file->bytes[at] ^= masks[k];
        }
    }
}

static void cut_everywhere(const struct test_bytes *file)
{
    for (size_t size = 0; size < file->size; size++) {
        OWN(test_bytes) cut = test_bytes_copy(file->bytes, size);
        for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
            bool opened = walk(&cut, modes[m], size % 2 == 0);
            if (modes[m] == TM_MODE_STRICT)
                assert_false(opened);
            if (modes[m] == TM_MODE_SALVAGE)
                assert_int_equal(opened, size >= 36);
        }
    }
}

TEST(test_sample_flips)
{
    for (int version = 3; version <= 4; version++) {
        OWN(test_recipe) recipe = test_recipe_sample(version);
        OWN(test_bytes) file = test_recipe_build(&recipe);
        flip_head(&file);
        cut_everywhere(&file);
    }
}

static void do_tiny_map(void *ctx, const char *path)
{
    int *num = ctx;
    bool flip = strstr(path, "testmap-ba3f92") || strstr(path, "diff1-e82f54");
    if (!flip)
        return;
    OWN(test_bytes) file = test_bytes_from_file(path);
    flip_head(&file);
    if (*num == 0)
        cut_everywhere(&file);
    ++*num;
}

TEST(test_tiny_maps)
{
    int num = 0;
    test_each_corpus_map(do_tiny_map, &num);
    assert_int_equal(num, 2);
}

/* Items are there as far as the file goes. */
TEST(test_cut_items)
{
    tm_datafile_item item;
    tm_datafile_type type;
    OWN(test_recipe) recipe = test_recipe_sample(4);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    file.size = test_at_item(&recipe, 2) + 8 + 5; /* inside the body of the third item */
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_SALVAGE);
    assert_int_equal(tm_datafile_num_items(datafile), 3);
    assert_true(tm_datafile_get_item(&item, datafile, 1));
    assert_int_equal(tm_datafile_item_int(&item, 0, -1), 64);
    assert_true(tm_datafile_get_item(&item, datafile, 2));
    assert_int_equal(item.size, 5);
    assert_int_equal(tm_datafile_item_int(&item, 0, -1), 32);
    assert_int_equal(tm_datafile_item_int(&item, 1, -1), -1);
    assert_true(tm_datafile_find_type(&type, datafile, 2));
    assert_int_equal(type.num, 2);
    assert_true(tm_datafile_find_type(&type, datafile, 0xFFFE));
    assert_int_equal(type.num, 0);
    assert_int_equal(tm_datafile_num_data(datafile), 3); /* their table is there, their bytes are not */
}

/* Games get a negative length for a block whose successor starts earlier; its stream is still there. */
TEST(test_salvaged_block)
{
    OWN(test_recipe) recipe = test_recipe_sample(4);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    test_poke(&file, test_at_data_offset(&recipe, 1), recipe.data_offsets[2]);
    test_poke(&file, test_at_data_offset(&recipe, 2), recipe.data_offsets[1]);
    test_poke(&file, test_at_data_size(&recipe, 1), 1);
    test_poke(&file, test_at_data_size(&recipe, 2), 400);
    for (int salvage = 0; salvage < 2; salvage++) {
        const void *bytes;
        OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, salvage ? TM_MODE_SALVAGE : TM_MODE_GAME);
        assert_int_equal(tm_datafile_data_bytes(&bytes, NULL, datafile, 1, NULL),
                         salvage ? TM_OK : TM_ERROR_DAMAGED);
        if (salvage)
            assert_memory_equal(bytes, "x", 1);
        must(tm_datafile_data_bytes(&bytes, NULL, datafile, 0, NULL));
    }
}

static tm_status open_within(const struct test_bytes *file, const tm_limits *limits, tm_datafile **datafile,
                             tm_error *error)
{
    static struct test_input input;
    tm_datafile_options options = {sizeof(options), TM_MODE_STRICT, limits, NULL};
    memset(&input, 0, sizeof(input));
    return tm_datafile_open(datafile, test_input_over(&input, file), &options, NULL, error);
}

static void check_open_limit(const struct test_bytes *file, uint64_t *field, const tm_limits *limits,
                             uint64_t enough)
{
    tm_datafile *datafile;
    tm_error error = {.code = TM_OK};
    *field = enough;
    must(open_within(file, limits, &datafile, &error));
    tm_datafile_close(datafile);
    *field = enough - 1;
    assert_int_equal(open_within(file, limits, &datafile, &error), TM_ERROR_LIMIT);
    assert_int_equal(error.code, TM_ERROR_LIMIT);
    assert_null(datafile);
    *field = 0;
}

TEST(test_limits)
{
    tm_limits limits = TM_LIMITS_INIT;
    OWN(tm_datafile) *datafile;
    const void *bytes;
    OWN(test_recipe) recipe = test_recipe_sample(4);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    check_open_limit(&file, &limits.file_bytes, &limits, file.size);
    check_open_limit(&file, &limits.items, &limits, 7);
    check_open_limit(&file, &limits.item_bytes, &limits, recipe.items.size);
    check_open_limit(&file, &limits.blocks, &limits, 3);

    limits.block_bytes = 399;
    must(open_within(&file, &limits, &datafile, NULL));
    must(tm_datafile_data_bytes(&bytes, NULL, datafile, 0, NULL));
    assert_int_equal(tm_datafile_data_bytes(&bytes, NULL, datafile, 1, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, NULL, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tmi_datafile_check_data(datafile, NULL, NULL, NULL, NULL, NULL), TM_ERROR_LIMIT);
    tm_datafile_close(datafile);

    limits.block_bytes = 400;
    limits.unpacked_bytes = 406;
    must(open_within(&file, &limits, &datafile, NULL));
    assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, NULL, NULL), TM_ERROR_LIMIT);
    must(tm_datafile_data_bytes(&bytes, NULL, datafile, 0, NULL));
    must(tm_datafile_data_bytes(&bytes, NULL, datafile, 1, NULL));
    assert_int_equal(tm_datafile_data_bytes(&bytes, NULL, datafile, 2, NULL), TM_ERROR_LIMIT);
    assert_null(bytes);
    tm_datafile_drop(datafile, 0);
    must(tm_datafile_data_bytes(&bytes, NULL, datafile, 2, NULL));
    must(tmi_datafile_check_data(datafile, NULL, NULL, NULL, NULL, NULL));
}

/* A head that claims the world costs no more than the file. */
TEST(test_claims)
{
    static const size_t fields[] = {TEST_AT_NUM_TYPES, TEST_AT_NUM_ITEMS, TEST_AT_NUM_DATA, TEST_AT_ITEM_SIZE,
                                    TEST_AT_DATA_SIZE};
    OWN(test_recipe) recipe = test_recipe_sample(4);
    for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
        for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
            OWN(test_bytes) file = test_recipe_build(&recipe);
            struct test_input input = {0};
            OWN(test_memory) memory = TEST_MEMORY(memory);
            OWN(tm_datafile) *datafile;
            tm_datafile_options options = {sizeof(options), modes[m], NULL, &memory.allocator};
            test_poke(&file, fields[f], INT32_MAX);
            tm_datafile_open(&datafile, test_input_over(&input, &file), &options, NULL, NULL);
            assert_true(memory.most_bytes < 64 * file.size + 4096);
        }
    }
}

/* Nor does a block that claims to unpack to more than its bytes can hold. */
TEST(test_claimed_block)
{
    OWN(test_recipe) recipe;
    struct test_input input = {0};
    struct test_memory memory;
    OWN(tm_datafile) *datafile;
    tm_data_state found;
    const void *bytes;
    tm_datafile_data claimed;
    tm_findings findings;
    recipe = test_recipe_new(4);
    test_recipe_data(&recipe, "short", 6);
    recipe.data_sizes[0] = 1000 << 20;
    OWN(test_bytes) file = test_recipe_build(&recipe);
    test_memory_init(&memory);
    tm_datafile_options options = {sizeof(options), TM_MODE_STRICT, NULL, &memory.allocator};
    must(tm_datafile_open(&datafile, test_input_over(&input, &file), &options, NULL, NULL));
    assert_int_equal(tm_datafile_data_bytes(&bytes, &found, datafile, 0, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(found, TM_DATA_SHORT);
    assert_true(tm_datafile_get_data(&claimed, datafile, 0));
    assert_in_range(claimed.size, 6, claimed.packed_size * 1032);
    tm_findings_init(&findings, 0, NULL);
    must(tmi_datafile_check_data(datafile, NULL, NULL, NULL, &findings, NULL));
    assert_true(test_found(&findings, TM_FINDING_DATA_SHORT));
    tm_findings_release(&findings);
    /* zlib works in 96 KiB for each of two workers, and without libdeflate codes have tables of 128 KiB. */
    assert_true(memory.most_bytes < (TEEMAP_HAVE_LIBDEFLATE ? 300000 : 600000));
}

/* A table that names the same bytes again and again makes no endless job. */
TEST(test_amplification)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    for (int i = 0; i < 60; i++) {
        test_recipe_data(&recipe, "short", 6);
        recipe.data_offsets[i] = (60 - i) * 4;
    }
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_SALVAGE);
    assert_int_equal(tmi_datafile_check_data(datafile, NULL, NULL, NULL, NULL, NULL), TM_ERROR_LIMIT);
}

/* Many type entries that all cover all items: the work must not be their product. */
TEST(test_overlapping_types)
{
    enum { TYPES = 200000, ITEMS = 100000 };
    static const uint8_t zeros[ITEMS * 4];
    OWN(test_bytes) file = test_bytes_from_hex("44415441 04000000 00000000 00000000");
    OWN(test_bytes) entries = {(uint8_t *)calloc(TYPES, 12), TYPES * 12};
    uint8_t counts[20] = {0};
    struct test_bytes header = {counts, sizeof(counts)};
    assert_non_null(entries.bytes);
    test_poke(&header, 0, TYPES);
    test_poke(&header, 4, ITEMS);
    test_poke(&header, 12, 8);
    for (int i = 0; i < TYPES; i++) {
        test_poke(&entries, (size_t)i * 12, i % 65536);
        test_poke(&entries, (size_t)i * 12 + 8, ITEMS);
    }
    test_bytes_append(&file, counts, sizeof(counts));
    test_bytes_append(&file, entries.bytes, entries.size);
    test_bytes_append(&file, zeros, sizeof(zeros)); /* all items at offset 0 */
    test_bytes_append(&file, zeros, 8);
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
        struct test_input input = {0};
        OWN(tm_datafile) *datafile;
        tm_status status = test_open(&datafile, &input, &file, modes[m], NULL, NULL);
        assert_int_equal(status, modes[m] == TM_MODE_STRICT ? TM_ERROR_DAMAGED : TM_OK);
    }
}

/* ----------------------------------------------------------------------------------------------- failures */

/* Everything that allocates, over a file with odd tables; the result of the last step. */
static tm_status do_everything(const tm_allocator *allocator, const struct test_bytes *file,
                               struct test_input *input)
{
    tm_datafile_options options = {sizeof(options), TM_MODE_SALVAGE, NULL, allocator};
    tm_datafile_writer_options writing = TM_DATAFILE_WRITER_OPTIONS_INIT;
    OWN(tm_buffer) buffer = {NULL, 0, 0, allocator};
    tm_output output = tm_output_to_buffer(&buffer);
    OWN(tm_datafile) *datafile;
    const void *bytes;
    uint8_t own[6];
    writing.allocator = allocator;
    tm_status status = tm_datafile_open(&datafile, test_input_over(input, file), &options, NULL, NULL);
    assert_int_equal(datafile ? 1 : 0, status == TM_OK);
    if (status == TM_OK)
        status = tm_datafile_data_bytes(&bytes, NULL, datafile, 1, NULL);
    if (status == TM_OK)
        status = tm_datafile_read_data(NULL, datafile, 0, own, 6, NULL);
    if (status == TM_OK)
        status = tm_datafile_unpack(datafile, NULL, 0, NULL, NULL);
    if (status == TM_OK)
        status = tmi_datafile_check_data(datafile, NULL, NULL, NULL, NULL, NULL);
    if (status == TM_OK)
        status = tm_datafile_copy(datafile, &output, &writing, false, NULL, NULL, NULL);
    if (status == TM_OK)
        status = tm_datafile_copy(datafile, &output, &writing, true, NULL, NULL, NULL);
    writing.force_canonical = true;
    if (status == TM_OK)
        status = tm_datafile_copy(datafile, &output, &writing, false, NULL, NULL, NULL);
    return status;
}

static struct test_bytes odd_file(void)
{
    OWN(test_recipe) recipe = test_recipe_sample(4);
    struct test_bytes file = test_recipe_build(&recipe);
    test_poke(&file, test_at_item_offset(&recipe, 2), 12); /* two items in one place */
    test_bytes_append(&file, "more", 4);
    return file;
}

TEST(test_failing_memory)
{
    OWN(test_bytes) file = odd_file();
    EACH_FAILURE(memory) {
        struct test_input input = {0};
        const tm_status status = do_everything(&memory.allocator, &file, &input);
        assert_int_equal(input.num_closes, 1);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        assert_true(memory.failed || memory.n > 20);
    }
}

TEST(test_failing_reads)
{
    OWN(test_bytes) file = odd_file();
    uint32_t n = 0;
    for (;;) {
        struct test_input input = {.fail_at = ++n};
        tm_status status = do_everything(NULL, &file, &input);
        assert_int_equal(input.num_closes, 1);
        if (input.num_reads < n) {
            must(status);
            break;
        }
        assert_int_equal(status, TM_ERROR_IO);
    }
    assert_true(n > 5);
}

struct failing_output {
    int calls, fail_at;
};

static tm_status write_until(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    struct failing_output *output = ctx;
    (void)bytes, (void)size, (void)error;
    return ++output->calls == output->fail_at ? TM_ERROR_IO : TM_OK;
}

TEST(test_failing_output)
{
    OWN(test_bytes) file = odd_file();
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    for (int how = 0; how < 3; how++) {
        tm_datafile_writer_options options = {.size = sizeof(options), .force_canonical = how == 1};
        for (int n = 1;; n++) {
            struct failing_output failing = {0, n};
            tm_output output = {&failing, write_until, NULL};
            tm_status status = tm_datafile_copy(datafile, &output, &options, how == 2, NULL, NULL, NULL);
            assert_int_equal(status, failing.calls < n ? TM_OK : TM_ERROR_IO);
            if (status == TM_OK)
                break;
        }
    }
}
