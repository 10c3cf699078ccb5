/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: the container alone. The first byte of the input says how, the rest is the file.
 *
 *   BITS  MEANING
 *   0..1  mode: game, strict, salvage (3: game)
 *      2  the file is read through a callback, not from memory
 *      3  the copy is written as version 3, else as version 4
 *      4  the copy's blocks are packed anew
 *
 * Opens it, asks for everything, unpacks within small limits, copies it through the writer: untouched, which must give the same
 * bytes; and in canonical layout, which must open in mode strict and hold the same.
 */
#include "fuzz.h"
#include "../src/datafile/datafile.h"

struct file {
    const uint8_t *bytes;
    size_t size;
};

static tm_status read_bytes(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    const struct file *file = ctx;
    (void)error;
    FUZZ_REQUIRE(offset <= file->size && size <= file->size - offset, "read of %zu bytes at %llu of %zu",
                 size, (unsigned long long)offset, file->size);
    if (size)
        memcpy(buffer, file->bytes + offset, size);
    return TM_OK;
}

static tm_input input_of(struct file *file, bool callback)
{
    tm_input input = tm_input_from_memory(file->bytes, file->size);
    if (callback)
        input = (tm_input){.ctx = file, .size = file->size, .read = read_bytes};
    return input;
}

/* ----------------------------------------------------------------------------------------------------------- looking */

static void look_at_items(const tm_datafile *file, size_t file_size)
{
    tm_datafile_item item;
    const uint32_t num = tm_datafile_num_items(file);
    uint64_t sum = 0;
    FUZZ_REQUIRE(num <= file_size, "%u items", num);
    for (uint32_t i = 0; i < num; i++) {
        FUZZ_REQUIRE(tm_datafile_get_item(&item, file, i), "item %u", i);
        FUZZ_REQUIRE(item.size <= file_size, "item %u has %u bytes", i, item.size);
        for (uint32_t k = 0; k < item.size; k++)
            sum += item.body[k];
        for (uint32_t k = 0; k < item.size / 4; k++)
            sum += (uint32_t)tm_datafile_item_int(&item, k, 0);
        FUZZ_REQUIRE(tm_datafile_item_int(&item, item.size / 4, 77) == 77, "item %u has no end", i);
    }
    FUZZ_REQUIRE(!tm_datafile_get_item(&item, file, num), "one item more, %llu", (unsigned long long)sum);
}

static void look_at_types(const tm_datafile *file)
{
    tm_datafile_type type, found;
    for (uint32_t i = 0; i < tm_datafile_num_types(file); i++) {
        FUZZ_REQUIRE(tm_datafile_get_type(&type, file, i), "type %u", i);
        FUZZ_REQUIRE(type.num <= tm_datafile_num_items(file) &&
                         type.first <= tm_datafile_num_items(file) - type.num,
                     "type %u has items %u + %u", i, type.first, type.num);
        FUZZ_REQUIRE(tm_datafile_find_type(&found, file, type.type), "type %u is not found", type.type);
        if (type.has_uuid)
            tm_datafile_find_uuid(&found, file, &type.uuid);
    }
    FUZZ_REQUIRE(!tm_datafile_get_type(&type, file, tm_datafile_num_types(file)), "one type more");
}

/* The same block in each way to get it: all agree on state and bytes. */
static void look_at_block(const tm_datafile *file, uint32_t index)
{
    tm_datafile_data data;
    tm_data_state state = TM_DATA_FINE, again = TM_DATA_FINE;
    tm_error error;
    const void *kept;
    FUZZ_REQUIRE(tm_datafile_get_data(&data, file, index), "data %u", index);
    if (data.size > FUZZ_MAX_BLOCK)
        return;
    uint8_t *copy = malloc((size_t)data.size + 1);
    FUZZ_REQUIRE(copy, "out of memory");
    tm_status status = tm_datafile_read_data(&state, file, index, copy, data.size, &error);
    tm_status second = tm_datafile_data_bytes(&kept, &again, file, index, NULL);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    if (second != TM_ERROR_LIMIT) {
        FUZZ_REQUIRE(second == status && state == again, "data %u: %d and %d, state %d and %d", index, status,
                     second, state, again);
        if (status == TM_OK)
            fuzz_require_equal(kept, (size_t)data.size, copy, (size_t)data.size, "data");
    }
    free(copy);
}

static void look_at_data(tm_datafile *file)
{
    uint64_t budget = FUZZ_MAX_UNPACKED;
    tm_datafile_data data;
    for (uint32_t i = 0; i < tm_datafile_num_data(file) && i < 200; i++) {
        tm_datafile_get_data(&data, file, i);
        if (data.size > budget)
            continue;
        budget -= data.size;
        look_at_block(file, i);
        if (i & 1)
            tm_datafile_drop(file, i);
    }
    for (uint32_t i = 0; i < tm_datafile_num_data(file); i++)
        tm_datafile_drop(file, i);
}

/* Everything that unpacks all blocks, if that is not too much: blocks may overlap. */
static void look_at_all_data(tm_datafile *file, const tm_allocator *allocator)
{
    tm_findings findings;
    tm_datafile_data data;
    tm_error error;
    uint64_t total = 0;
    for (uint32_t i = 0; i < tm_datafile_num_data(file); i++) {
        tm_datafile_get_data(&data, file, i);
        total += data.size + data.packed_size;
    }
    if (total > 2 * FUZZ_MAX_UNPACKED)
        return;
    tm_findings_init(&findings, 100, allocator);
    tm_status status = tmi_datafile_check_data(file, NULL, NULL, NULL, &findings, &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    status = tm_datafile_unpack(file, NULL, 0, NULL, &error);
    if (status != TM_OK)
        fuzz_check_failure(status, &error);
    tm_findings_release(&findings);
}

/* ----------------------------------------------------------------------------------------------------------- copying */

static void copy_untouched(const tm_datafile *file, const uint8_t *bytes, size_t size,
                           const tm_allocator *allocator)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_buffer buffer = {.allocator = allocator};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    options.allocator = allocator;
    tm_status status = tm_datafile_copy(file, &output, &options, false, NULL, NULL, &error);
    FUZZ_REQUIRE(status == TM_OK, "copy: %s", error.text);
    fuzz_require_equal(buffer.bytes, buffer.size, bytes, size, "untouched copy");
    tm_buffer_release(&buffer);
}

static void compare_items(const tm_datafile *a, const tm_datafile *b)
{
    tm_datafile_item x, y;
    FUZZ_REQUIRE(tm_datafile_num_items(a) <= tm_datafile_num_items(b), "items are lost");
    for (uint32_t i = 0, k = 0; i < tm_datafile_num_items(a); i++, k++) {
        tm_datafile_get_item(&x, a, i);
        bool found = false;
        /* Types ascend in the copy, so it may be anywhere; of a body that is cut midway, whole integers go along. */
        for (k = 0; k < tm_datafile_num_items(b) && !found; k++) {
            tm_datafile_get_item(&y, b, k);
            found = x.type == y.type && x.id == y.id && x.size / 4 == y.size / 4 &&
                    (x.size == 0 || memcmp(x.body, y.body, x.size / 4 * 4) == 0);
        }
        FUZZ_REQUIRE(found, "item %u (type %u, id %u, %u bytes) is lost", i, x.type, x.id, x.size);
    }
}

static void compare_block(const tm_datafile *a, const tm_datafile *b, uint32_t index)
{
    tm_datafile_data x, y;
    tm_data_state state_a, state_b;
    tm_datafile_get_data(&x, a, index);
    tm_datafile_get_data(&y, b, index);
    if (x.size > FUZZ_MAX_BLOCK || y.size > FUZZ_MAX_BLOCK)
        return;
    uint8_t *source = calloc(1, (size_t)x.size + 1), *target = calloc(1, (size_t)y.size + 1);
    FUZZ_REQUIRE(source && target, "out of memory");
    tm_status status = tm_datafile_read_data(&state_a, a, index, source, x.size, NULL);
    tm_datafile_read_data(&state_b, b, index, target, y.size, NULL);
    if (status == TM_OK && state_a <= TM_DATA_TRAILING)
        fuzz_require_equal(target, (size_t)y.size, source, (size_t)x.size, "data in the copy");
    free(source);
    free(target);
}

static void copy_canonical(const tm_datafile *file, uint8_t how, const tm_allocator *allocator)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    const tm_datafile_options read_options = {sizeof(read_options), TM_MODE_SALVAGE, &fuzz_limits, allocator};
    tm_buffer buffer = {
        .allocator =
            NULL}; /* not counted: blocks that overlap are written apart, which takes what it takes */
    tm_output output = tm_output_to_buffer(&buffer);
    tm_datafile *copy;
    tm_error error;
    options.allocator = allocator;
    options.force_canonical = true;
    options.version = how & 8 ? 3 : 4;
    options.level = 1;
    tm_status status = tm_datafile_copy(file, &output, &options, how & 16, NULL, NULL, &error);
    if (status != TM_OK) {
        fuzz_check_failure(status, &error);
    } else {
        status = tm_datafile_open(&copy, tm_input_from_memory(buffer.bytes, buffer.size), &read_options, NULL,
                                  &error);
        FUZZ_REQUIRE(status == TM_OK || status == TM_ERROR_LIMIT, "the copy does not open: %s", error.text);
    }
    if (status == TM_OK) {
        FUZZ_REQUIRE(tm_datafile_num_data(file) == tm_datafile_num_data(copy), "blocks are lost");
        if (tm_datafile_num_items(file) < 200)
            compare_items(file, copy);
        for (uint32_t i = 0; i < tm_datafile_num_data(file) && i < 50; i++)
            compare_block(file, copy, i);
        tm_datafile_close(copy);
    }
    tm_buffer_release(&buffer);
}

/* ------------------------------------------------------------------------------------------------------------ entry */

static void use(tm_datafile *file, uint8_t how, const uint8_t *bytes, size_t size,
                const tm_allocator *allocator)
{
    tm_datafile_header header;
    tm_datafile_get_header(&header, file);
    FUZZ_REQUIRE(header.file_size == size, "%llu bytes", (unsigned long long)header.file_size);
    look_at_items(file, size);
    look_at_types(file);
    look_at_data(file);
    look_at_all_data(file, allocator);
    copy_untouched(file, bytes, size, allocator);
    copy_canonical(file, how, allocator);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE, TM_MODE_GAME};
    if (size == 0 || size > FUZZ_MAX_INPUT)
        return 0;
    const uint8_t how = *bytes++;
    struct file source = {bytes, --size};
    struct test_memory memory;
    tm_findings findings;
    tm_datafile *file;
    tm_error error;
    test_memory_init(&memory);
    tm_findings_init(&findings, 100, NULL);
    const tm_datafile_options options = {sizeof(options), modes[how & 3], &fuzz_limits, &memory.allocator};
    tm_status status = tm_datafile_open(&file, input_of(&source, how & 4), &options, &findings, &error);
    /*
     * The head itself and 64 bytes an item and a block, of which each takes at least 4 bytes of the file; where the
     * header is wrong, in mode salvage, the file, another head, and what unpacking takes.
     */
    const size_t more = options.mode == TM_MODE_SALVAGE ? 3 * size + 256 * 1024 : 16 * 1024;
    FUZZ_REQUIRE(memory.most_bytes <= 17 * size + more, "opening %zu bytes held %zu", size,
                 memory.most_bytes);
    fuzz_check_refusal(status, options.mode, &findings);
    if (status == TM_OK) {
        use(file, how, bytes, size, &memory.allocator);
        tm_datafile_close(file);
    } else {
        fuzz_check_failure(status, &error);
    }
    tm_findings_release(&findings);
    fuzz_check_memory(&memory, 64 * 1024 * 1024);
    return 0;
}
