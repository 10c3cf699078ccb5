/* SPDX-License-Identifier: Zlib */
/*
 * Makes datafiles byte by byte for tests; see lib_datafile.h. Written from the format's description alone, so
 * that it and the library can find each other's mistakes.
 */
#include "lib_datafile.h"

#include <zlib.h>

const char *const test_vector =
    "44415441 04000000 33010000 10010000 05000000 07000000 03000000 8c000000 23000000"
    "00000000 00000000 01000000  06000000 01000000 01000000  fdff0000 02000000 01000000"
    "feff0000 03000000 02000000  ffff0000 05000000 02000000"
    "00000000 0c000000 14000000 1c000000 3c000000 5c000000 74000000"
    "00000000 0b000000 17000000  03000000 04000000 04000000"
    "00000000 04000000 01000000   00000600 00000000   0000fdff 00000000"
    "0000feff 18000000 01000000 02000000 03000000 04000000 05000000 06000000"
    "0100feff 18000000 01000000 02000000 03000000 04000000 05000000 06000000"
    "feffffff 10000000 16271b3e 78398c17 1ab1d99b d80d41e0"
    "fdffffff 10000000 4df8b43a 783cccd9 6c0d85b5 5ce2b2cd"
    "789ccbc864000002 0d00d2  789c4b4c4a660000 03740127  78da4b4c4a660000 03740127";

/* -------------------------------------------------------------------------------------------------- bytes */

void test_bytes_append(struct test_bytes *buffer, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    buffer->bytes = realloc(buffer->bytes, buffer->size + size);
    assert_non_null(buffer->bytes);
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

struct test_bytes test_bytes_copy(const void *bytes, size_t size)
{
    struct test_bytes copy = {NULL, 0};
    test_bytes_append(&copy, bytes, size);
    return copy;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

struct test_bytes test_bytes_from_hex(const char *hex)
{
    struct test_bytes bytes = {NULL, 0};
    int high = -1;
    for (; *hex != '\0'; hex++) {
        int value = digit(*hex);
        if (value < 0)
            continue;
        if (high < 0) {
            high = value;
            continue;
        }
        uint8_t byte = (uint8_t)(high * 16 + value);
        test_bytes_append(&bytes, &byte, 1);
        high = -1;
    }
    assert_int_equal(high, -1);
    return bytes;
}

struct test_bytes test_bytes_from_file(const char *path)
{
    struct test_bytes bytes = {NULL, 0};
    static uint8_t part[65536];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(part, 1, sizeof(part), file)) > 0;)
        test_bytes_append(&bytes, part, got);
    assert_false(ferror(file));
    fclose(file);
    return bytes;
}

void test_bytes_release(struct test_bytes *bytes)
{
    free(bytes->bytes);
    bytes->bytes = NULL;
    bytes->size = 0;
}

static void put(uint8_t *target, int32_t value)
{
    for (int i = 0; i < 4; i++)
        target[i] = (uint8_t)((uint32_t)value >> (8 * i));
}

void test_poke(struct test_bytes *file, size_t at, int32_t value)
{
    assert_true(at + 4 <= file->size);
    put(file->bytes + at, value);
}

int32_t test_peek(const struct test_bytes *file, size_t at)
{
    assert_true(at + 4 <= file->size);
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value |= (uint32_t)file->bytes[at + (size_t)i] << (8 * i);
    return (int32_t)value;
}

static void append_int(struct test_bytes *buffer, int32_t value)
{
    uint8_t bytes[4];
    put(bytes, value);
    test_bytes_append(buffer, bytes, 4);
}

/* ------------------------------------------------------------------------------------------------ recipes */

test_recipe test_recipe_new(int version)
{
    return (test_recipe){.magic = {'D', 'A', 'T', 'A'}, .version = version};
}

void test_recipe_release(struct test_recipe *recipe)
{
    test_bytes_release(&recipe->items);
    test_bytes_release(&recipe->data);
}

void test_recipe_item_bytes(struct test_recipe *recipe, int type, int id, const void *body, size_t size)
{
    assert_true(recipe->num_items < TEST_RECIPE_MAX && recipe->num_types < TEST_RECIPE_MAX);
    uint32_t types = recipe->num_types;
    if (types == 0 || recipe->types[types - 1][0] != type) {
        recipe->types[types][0] = type;
        recipe->types[types][1] = (int32_t)recipe->num_items;
        recipe->types[types][2] = 0;
        recipe->num_types = ++types;
    }
    recipe->types[types - 1][2]++;
    recipe->item_offsets[recipe->num_items++] = (int32_t)recipe->items.size;
    append_int(&recipe->items, (int32_t)((uint32_t)type << 16 | (uint32_t)id));
    append_int(&recipe->items, (int32_t)size);
    test_bytes_append(&recipe->items, body, size);
}

void test_recipe_item(struct test_recipe *recipe, int type, int id, int num, ...)
{
    OWN(test_bytes) body = {NULL, 0};
    va_list args;
    va_start(args, num);
    for (int i = 0; i < num; i++)
        append_int(&body, va_arg(args, int));
    va_end(args);
    test_recipe_item_bytes(recipe, type, id, body.bytes, body.size);
}

tm_uuid test_uuid(const char *hex)
{
    tm_uuid uuid;
    OWN(test_bytes) bytes = test_bytes_from_hex(hex);
    assert_int_equal(bytes.size, sizeof(uuid.bytes));
    memcpy(uuid.bytes, bytes.bytes, sizeof(uuid.bytes));
    return uuid;
}

void test_recipe_index(struct test_recipe *recipe, int number, const char *hex)
{
    tm_uuid uuid = test_uuid(hex);
    uint8_t body[16];
    for (int i = 0; i < 4; i++) /* each group of four bytes is one integer with the first byte on top */
        for (int j = 0; j < 4; j++)
            body[4 * i + j] = uuid.bytes[4 * i + 3 - j];
    test_recipe_item_bytes(recipe, 0xFFFF, number, body, sizeof(body));
}

void test_recipe_packed(struct test_recipe *recipe, const void *packed, size_t packed_size, int32_t size)
{
    assert_true(recipe->num_data < TEST_RECIPE_MAX);
    recipe->data_offsets[recipe->num_data] = (int32_t)recipe->data.size;
    recipe->data_sizes[recipe->num_data++] = size;
    test_bytes_append(&recipe->data, packed, packed_size);
}

void test_recipe_data(struct test_recipe *recipe, const void *bytes, size_t size)
{
    if (recipe->version == 3) {
        test_recipe_packed(recipe, bytes, size, (int32_t)size);
        return;
    }
    uLongf packed_size = compressBound((uLong)size);
    FREED uint8_t *packed = malloc(packed_size);
    assert_non_null(packed);
    assert_int_equal(compress(packed, &packed_size, bytes, (uLong)size), Z_OK);
    test_recipe_packed(recipe, packed, packed_size, (int32_t)size);
}

size_t test_at_type(const struct test_recipe *recipe, uint32_t index)
{
    (void)recipe;
    return 36 + (size_t)index * 12;
}

size_t test_at_item_offset(const struct test_recipe *recipe, uint32_t index)
{
    return test_at_type(recipe, recipe->num_types) + (size_t)index * 4;
}

size_t test_at_data_offset(const struct test_recipe *recipe, uint32_t index)
{
    return test_at_item_offset(recipe, recipe->num_items) + (size_t)index * 4;
}

size_t test_at_data_size(const struct test_recipe *recipe, uint32_t index)
{
    return test_at_data_offset(recipe, recipe->num_data) + (size_t)index * 4;
}

size_t test_at_items(const struct test_recipe *recipe)
{
    return recipe->version == 3 ? test_at_data_offset(recipe, recipe->num_data)
                                : test_at_data_size(recipe, recipe->num_data);
}

size_t test_at_item(const struct test_recipe *recipe, uint32_t index)
{
    return test_at_items(recipe) + (size_t)recipe->item_offsets[index];
}

size_t test_at_data(const struct test_recipe *recipe)
{
    return test_at_items(recipe) + recipe->items.size;
}

struct test_bytes test_recipe_build(const struct test_recipe *recipe)
{
    struct test_bytes file = test_bytes_copy(recipe->magic, 4);
    size_t head = test_at_data(recipe);
    size_t left_out = recipe->version == 3 ? 0 : 4 * (size_t)recipe->num_data;
    append_int(&file, recipe->version);
    append_int(&file, (int32_t)(head + recipe->data.size - 16 - (recipe->crude_size ? left_out : 0)));
    append_int(&file, (int32_t)(head - 16 - (recipe->crude_swaplen ? left_out : 0)));
    append_int(&file, (int32_t)recipe->num_types);
    append_int(&file, (int32_t)recipe->num_items);
    append_int(&file, (int32_t)recipe->num_data);
    append_int(&file, (int32_t)recipe->items.size);
    append_int(&file, (int32_t)recipe->data.size);
    for (uint32_t i = 0; i < recipe->num_types; i++)
        for (int k = 0; k < 3; k++)
            append_int(&file, recipe->types[i][k]);
    for (uint32_t i = 0; i < recipe->num_items; i++)
        append_int(&file, recipe->item_offsets[i]);
    for (uint32_t i = 0; i < recipe->num_data; i++)
        append_int(&file, recipe->data_offsets[i]);
    for (uint32_t i = 0; i < recipe->num_data && recipe->version != 3; i++)
        append_int(&file, recipe->data_sizes[i]);
    test_bytes_append(&file, recipe->items.bytes, recipe->items.size);
    test_bytes_append(&file, recipe->data.bytes, recipe->data.size);
    return file;
}

test_recipe test_recipe_sample(int version)
{
    uint8_t tiles[400];
    for (size_t i = 0; i < sizeof(tiles); i++)
        tiles[i] = (uint8_t)(i % 7 * (i % 3));
    test_recipe recipe = test_recipe_new(version);
    test_recipe_item(&recipe, 0, 0, 1, 1);
    test_recipe_item(&recipe, 2, 0, 3, 64, 64, 0);
    test_recipe_item(&recipe, 2, 1, 3, 32, 16, 1);
    test_recipe_item(&recipe, 6, 0, 0);
    test_recipe_item(&recipe, 0xFFFE, 0, 2, -1, 7);
    test_recipe_item(&recipe, 0xFFFE, 1, 2, -2, 8);
    test_recipe_index(&recipe, 0xFFFE, "3e1b2716178c39789bd9b11ae0410dd8");
    test_recipe_data(&recipe, "hello", 6);
    test_recipe_data(&recipe, tiles, sizeof(tiles));
    test_recipe_data(&recipe, "x", 1);
    return recipe;
}

/* ------------------------------------------------------------------------------------------------ opening */

static tm_status input_read(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct test_input *input = ctx;
    if (++input->num_reads == input->fail_at) {
        if (error) {
            memset(error, 0, sizeof(*error));
            error->code = TM_ERROR_IO;
            snprintf(error->text, sizeof(error->text), "told to fail");
        }
        return TM_ERROR_IO;
    }
    memcpy(buffer, input->bytes + offset, size);
    return TM_OK;
}

static void input_close(void *ctx)
{
    ((struct test_input *)ctx)->num_closes++;
}

tm_input test_input_over(struct test_input *input, const struct test_bytes *file)
{
    input->bytes = file->bytes;
    tm_input made = {input, file->size, input->in_memory ? file->bytes : NULL, input_read, input_close, NULL};
    return made;
}

tm_status test_open(tm_datafile **out, struct test_input *input, const struct test_bytes *file, tm_mode mode,
                    tm_findings *findings, tm_error *error)
{
    tm_datafile_options options = {.size = sizeof(options), .mode = mode};
    return tm_datafile_open(out, test_input_over(input, file), &options, findings, error);
}

tm_datafile *test_open_fine(struct test_input *input, const struct test_bytes *file, tm_mode mode)
{
    static struct test_input other_inputs[16];
    static size_t num;
    tm_datafile *datafile;
    tm_error error = {.code = TM_OK};
    if (!input)
        input = &other_inputs[num++ % 16];
    tm_status status = test_open(&datafile, input, file, mode, NULL, &error);
    if (status != TM_OK)
        print_error("%s: %s\n", error.place, error.text);
    must(status);
    assert_non_null(datafile);
    return datafile;
}

const tm_finding *test_get_finding(const tm_findings *findings, tm_finding_id id)
{
    for (size_t i = 0; i < findings->num; i++)
        if (findings->list[i].id == id)
            return &findings->list[i];
    return NULL;
}

bool test_found(const tm_findings *findings, tm_finding_id id)
{
    return test_get_finding(findings, id);
}

/* ------------------------------------------------------------------------------------------------- corpus */

struct walk {
    void (*file)(void *ctx, const char *path);
    void *ctx;
    size_t seen, step, num;
};

static bool walk_file(void *ctx, const char *path)
{
    struct walk *walk = ctx;
    if (walk->seen++ % walk->step != 0)
        return true;
    walk->num++;
    walk->file(walk->ctx, path);
    return true;
}

static size_t walk_corpus(void (*file)(void *ctx, const char *path), void *ctx, size_t step)
{
    const char *shared = getenv("TEEMAP_SHARED");
    char folder[1024];
    struct walk walk = {file, ctx, 0, step, 0};
    snprintf(folder, sizeof(folder), "%s/corpus", shared ? shared : "");
    if (tm_sys_kind_of(folder) == TM_SYS_FOLDER)
        must(tm_sys_walk(folder, ".map", walk_file, &walk, NULL, NULL));
    if (!walk.num) {
        print_message("the corpus is not there\n");
        skip();
    }
    return walk.num;
}

size_t test_each_corpus_map(void (*file)(void *ctx, const char *path), void *ctx)
{
    return walk_corpus(file, ctx, 1);
}

size_t test_many_corpus_maps(void (*file)(void *ctx, const char *path), void *ctx)
{
    const char *step = getenv("TEEMAP_CORPUS_STEP");
    return walk_corpus(file, ctx, step ? strtoul(step, NULL, 10) : 1);
}

/* --------------------------------------------------------------------------------------------- writers */

tm_datafile_writer *test_writer_new(const tm_datafile *source)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    options.source = source;
    must(tm_datafile_writer_new(&writer, &options, NULL));
    return writer;
}

struct test_bytes test_writer_finish(tm_datafile_writer *writer, tm_findings *findings)
{
    OWN(tm_buffer) buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_error error = {.code = TM_OK};
    tm_status status = tm_datafile_writer_finish(writer, &output, NULL, findings, &error);
    if (status != TM_OK)
        print_error("%s: %s\n", error.place, error.text);
    must(status);
    return test_bytes_copy(buffer.bytes, buffer.size);
}

void test_assert_same_bytes(const struct test_bytes *got, const struct test_bytes *expected)
{
    assert_int_equal(got->size, expected->size);
    assert_memory_equal(got->bytes, expected->bytes, expected->size);
}

/* Items are little-endian integers whatever the host. */
void test_writer_add_ints(tm_datafile_writer *writer, uint16_t type, uint16_t id, uint32_t num,
                          const int32_t *ints)
{
    OWN(test_bytes) body = {NULL, 0};
    static const uint8_t zeros[4];
    for (uint32_t i = 0; i < num; i++) {
        test_bytes_append(&body, zeros, 4);
        test_poke(&body, 4 * (size_t)i, ints[i]);
    }
    must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){type, id, 4 * num, body.bytes, 0}, TM_NONE,
                                     NULL));
}

test_bytes test_datafile_copy(const tm_datafile *datafile, const tm_datafile_writer_options *options,
                              bool recompress, tm_findings *findings)
{
    OWN(tm_buffer) buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    must(tm_datafile_copy(datafile, &output, options, recompress, NULL, findings, NULL));
    return test_bytes_copy(buffer.bytes, buffer.size);
}

static tm_status count_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)bytes, (void)size, (void)error;
    ((struct test_counter *)ctx)->writes++;
    return TM_OK;
}

static tm_status count_copy(void *ctx, const tm_input *input, uint64_t offset, uint64_t size, tm_error *error)
{
    struct test_counter *counter = ctx;
    (void)error;
    assert_true(offset <= input->size && size <= input->size - offset);
    counter->copies++;
    counter->copied += size;
    return TM_OK;
}

tm_output test_counter_output(struct test_counter *counter)
{
    *counter = (struct test_counter){0, 0, 0};
    return (tm_output){counter, count_write, count_copy};
}
