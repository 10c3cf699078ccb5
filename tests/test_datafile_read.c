/* SPDX-License-Identifier: Zlib */
/*
 * Reading the container: the test vector of docs/format.md section 8.1, the smallest file, both versions and
 * magics, both forms of the sizes, numbers of UUID types, and every state that a block can be found in.
 */
#include "support/test.h"
#include "datafile/datafile.h"

#include <zlib.h>

static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE};

static void assert_item(const tm_datafile *datafile, uint32_t index, uint16_t type, uint16_t id,
                        uint32_t size)
{
    tm_datafile_item item;
    assert_true(tm_datafile_get_item(&item, datafile, index));
    assert_int_equal(item.type, type);
    assert_int_equal(item.id, id);
    assert_int_equal(item.size, size);
}

static void assert_block(const tm_datafile *datafile, uint32_t index, const void *bytes, size_t size)
{
    const void *got;
    tm_data_state state;
    tm_datafile_data data;
    assert_true(tm_datafile_get_data(&data, datafile, index));
    assert_int_equal(data.size, size);
    must(tm_datafile_data_bytes(&got, &state, datafile, index, NULL));
    assert_int_equal(state, TM_DATA_FINE);
    assert_memory_equal(got, bytes, size);
    FREED uint8_t *copy = malloc(size);
    assert_non_null(copy);
    must(tm_datafile_read_data(NULL, datafile, index, copy, size, NULL));
    assert_memory_equal(copy, bytes, size);
}

static void check_vector(const tm_datafile *datafile)
{
    tm_datafile_item item;
    tm_datafile_type type;
    tm_uuid automapper = test_uuid(TEST_AUTOMAPPER);
    tm_uuid bezier = test_uuid(TEST_BEZIER);
    assert_int_equal(tm_datafile_num_items(datafile), 7);
    assert_int_equal(tm_datafile_num_types(datafile), 5);
    assert_int_equal(tm_datafile_num_data(datafile), 3);
    assert_item(datafile, 0, 0, 0, 4);
    assert_item(datafile, 1, 6, 0, 0);
    assert_item(datafile, 2, 0xFFFD, 0, 0);
    assert_item(datafile, 3, 0xFFFE, 0, 24);
    assert_item(datafile, 4, 0xFFFE, 1, 24);
    assert_item(datafile, 5, 0xFFFF, 0xFFFE, 16);
    assert_item(datafile, 6, 0xFFFF, 0xFFFD, 16);
    assert_false(tm_datafile_get_item(&item, datafile, 7));
    assert_true(tm_datafile_get_item(&item, datafile, 4));
    for (uint32_t k = 0; k < 6; k++)
        assert_int_equal(tm_datafile_item_int(&item, k, -9), (int)k + 1);
    assert_int_equal(tm_datafile_item_int(&item, 6, -9), -9);
    assert_int_equal(item.offset, 323 - 35 - 140 + 60);

    assert_true(tm_datafile_find_uuid(&type, datafile, &automapper));
    assert_int_equal(type.type, 0xFFFE);
    assert_int_equal(type.first, 3);
    assert_int_equal(type.num, 2);
    assert_true(type.has_uuid);
    assert_memory_equal(&type.uuid, &automapper, sizeof(automapper));
    assert_true(tm_datafile_find_uuid(&type, datafile, &bezier));
    assert_int_equal(type.type, 0xFFFD);
    assert_true(tm_datafile_find_type(&type, datafile, 6));
    assert_false(type.has_uuid);
    assert_true(tm_datafile_get_type(&type, datafile, 4));
    assert_int_equal(type.type, 0xFFFF);
    assert_false(type.has_uuid);
    assert_false(tm_datafile_find_type(&type, datafile, 1));
    assert_false(tm_datafile_get_type(&type, datafile, 5));
    assert_block(datafile, 0, "hi", 3);
    assert_block(datafile, 1, "abc", 4);
    assert_block(datafile, 2, "abc", 4);
}

TEST(the_vector_is_read)
{
    OWN(test_bytes) file = test_bytes_from_hex(test_vector);
    assert_int_equal(file.size, 323);
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
        for (int in_memory = 0; in_memory < 2; in_memory++) {
            struct test_input input = {.in_memory = in_memory != 0};
            OWN(tm_findings) findings = test_findings();
            tm_datafile *datafile;
            tm_datafile_header header;
            must(test_open(&datafile, &input, &file, modes[m], &findings, NULL));
            assert_int_equal(findings.num, 0);
            check_vector(datafile);
            tm_datafile_get_header(&header, datafile);
            assert_true(header.canonical);
            assert_int_equal(header.head_size, 323 - 35);
            assert_int_equal(header.file_size, 323);
            tm_datafile_close(datafile);
            assert_int_equal(input.num_closes, 1);
        }
    }
}

TEST(test_smallest)
{
    OWN(test_bytes) file = test_bytes_from_hex("44415441 04000000 14000000 14000000 00000000 00000000"
                                               "00000000 00000000 00000000");
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
        tm_datafile_item item;
        tm_datafile_data data;
        OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, modes[m]);
        assert_int_equal(tm_datafile_num_items(datafile) + tm_datafile_num_types(datafile) +
                             tm_datafile_num_data(datafile),
                         0);
        assert_false(tm_datafile_get_item(&item, datafile, 0));
        assert_false(tm_datafile_get_data(&data, datafile, 0));
        must(tm_datafile_unpack(datafile, NULL, 0, NULL, NULL));
        must(tmi_datafile_check_data(datafile, NULL, NULL, NULL, NULL, NULL));
    }
}

TEST(test_versions_and_magics)
{
    for (int version = 3; version <= 4; version++) {
        for (int reversed = 0; reversed < 2; reversed++) {
            tm_datafile_header header;
            OWN(test_recipe) recipe = test_recipe_sample(version);
            memcpy(recipe.magic, reversed ? "ATAD" : "DATA", 4);
            OWN(test_bytes) file = test_recipe_build(&recipe);
            OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_STRICT);
            tm_datafile_get_header(&header, datafile);
            assert_true(header.canonical);
            assert_int_equal(header.version, version);
            assert_memory_equal(header.magic, recipe.magic, 4);
            assert_item(datafile, 5, 0xFFFE, 1, 8);
            assert_block(datafile, 0, "hello", 6);
            assert_block(datafile, 2, "x", 1);
        }
    }
}

TEST(test_crude_sizes)
{
    for (int form = 0; form < 4; form++) {
        struct test_input input = {0};
        OWN(tm_findings) findings;
        OWN(tm_datafile) *datafile;
        tm_datafile_header header;
        OWN(test_recipe) recipe = test_recipe_sample(4);
        recipe.crude_size = (form & 1) != 0;
        recipe.crude_swaplen = (form & 2) != 0;
        OWN(test_bytes) file = test_recipe_build(&recipe);
        tm_findings_init(&findings, 0, NULL);
        must(test_open(&datafile, &input, &file, TM_MODE_STRICT, &findings, NULL));
        tm_datafile_get_header(&header, datafile);
        assert_int_equal(header.crude_size, recipe.crude_size);
        assert_int_equal(header.crude_swaplen, recipe.crude_swaplen);
        assert_true(header.canonical);
        assert_int_equal(test_found(&findings, TM_FINDING_CRUDE_SIZES), form != 0);
        assert_int_equal(findings.errors, 0);
    }
}

#define UUID_A "00112233445566778899aabbccddeeff"
#define UUID_B "ffeeddccbbaa99887766554433221100"
#define UUID_C "0123456789abcdef0123456789abcdef"

TEST(test_uuid_lookups)
{
    OWN(test_recipe) recipe;
    struct test_input input = {0};
    OWN(tm_findings) findings;
    OWN(tm_datafile) *datafile;
    tm_datafile_type type;
    recipe = test_recipe_new(4);
    test_recipe_item(&recipe, 0x8001, 0, 1, 5);
    test_recipe_item(&recipe, 0x9000, 0, 1, 6);
    test_recipe_item(&recipe, 0xFFFE, 0, 1, 7);
    test_recipe_index(&recipe, 0x9000, UUID_A);
    test_recipe_index(&recipe, 0x9000, UUID_B);            /* contradicts the one before: the first counts */
    test_recipe_index(&recipe, 0x8001, UUID_A);            /* UUID_A is 0x9000 already */
    test_recipe_item(&recipe, 0xFFFF, 0xFFFE, 3, 1, 2, 3); /* too short */
    test_recipe_index(&recipe, 0xFFFE, UUID_C);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    tm_findings_init(&findings, 0, NULL);
    must(test_open(&datafile, &input, &file, TM_MODE_STRICT, &findings, NULL));
    tm_uuid a = test_uuid(UUID_A);
    tm_uuid b = test_uuid(UUID_B);
    tm_uuid c = test_uuid(UUID_C);
    assert_true(tm_datafile_find_uuid(&type, datafile, &a));
    assert_int_equal(type.type, 0x9000);
    assert_true(tm_datafile_find_uuid(&type, datafile, &b));
    assert_int_equal(type.type, 0x9000);
    assert_memory_equal(&type.uuid, &a, sizeof(a));
    assert_true(tm_datafile_find_uuid(&type, datafile, &c));
    assert_int_equal(type.type, 0xFFFE);
    assert_false(type.has_uuid); /* the first index item for 0xFFFE is too short */
    assert_true(tm_datafile_find_type(&type, datafile, 0x8001));
    assert_true(type.has_uuid);
    assert_memory_equal(&type.uuid, &a, sizeof(a));
    assert_true(test_found(&findings, TM_FINDING_UUID_INDEX_DUPLICATE));
    assert_true(test_found(&findings, TM_FINDING_UUID_INDEX_MISSING));
    assert_false(test_found(&findings, TM_FINDING_DUPLICATE_ITEM_ID));
}

/* So many index items that they are sorted instead of searched. */
TEST(test_many_uuids)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    tm_datafile_type type;
    for (int i = 0; i < 20; i++)
        test_recipe_item(&recipe, 0x9000 + i, 0, 1, i);
    for (int i = 39; i >= 0; i--) {
        char hex[33];
        snprintf(hex, sizeof(hex), "%032x", 0xabc0 + i);
        test_recipe_index(&recipe, 0x9000 + i % 20, hex);
    }
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    for (int i = 0; i < 20; i++) {
        char hex[33];
        snprintf(hex, sizeof(hex), "%032x", 0xabc0 + 20 + i);
        tm_uuid uuid = test_uuid(hex);
        assert_true(tm_datafile_get_type(&type, datafile, (uint32_t)i));
        assert_true(type.has_uuid);
        assert_memory_equal(&type.uuid, &uuid, sizeof(uuid));
        assert_true(tm_datafile_find_uuid(&type, datafile, &uuid));
        assert_int_equal(type.type, 0x9000 + i);
    }
}

TEST(test_raw_types)
{
    OWN(test_recipe) recipe;
    struct test_input input = {0};
    OWN(tm_findings) findings;
    OWN(tm_datafile) *datafile;
    tm_datafile_type type;
    recipe = test_recipe_new(4);
    test_recipe_item(&recipe, 0x8000, 0, 0);
    test_recipe_item(&recipe, 0x8001, 0, 3, 1, 2, 3);
    test_recipe_item(&recipe, 0x8fff, 0, 1, 1);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    tm_findings_init(&findings, 0, NULL);
    must(test_open(&datafile, &input, &file, TM_MODE_STRICT, &findings, NULL));
    assert_int_equal(findings.num + findings.unlisted, 1); /* both have no address: counted together */
    assert_int_equal(findings.list[0].id, TM_FINDING_UUID_INDEX_MISSING);
    assert_int_equal(findings.list[0].count, 2);
    assert_true(tm_datafile_find_type(&type, datafile, 0x8001));
    assert_false(type.has_uuid);
}

/* An index item with the number of the index itself, or of a plain type, was told nowhere. */
TEST(test_numbers_of_no_uuid)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    OWN(tm_findings) findings = test_findings();
    struct test_input input = {0};
    OWN(tm_datafile) *datafile;
    static const int numbers[] = {0xFFFF, 0x8000, 5, 0x8001, 0xFFFE};
    for (int i = 0; i < 5; i++) {
        char hex[33];
        snprintf(hex, sizeof(hex), "%032x", 0xabc0 + i);
        test_recipe_index(&recipe, numbers[i], hex);
    }
    OWN(test_bytes) file = test_recipe_build(&recipe);
    must(test_open(&datafile, &input, &file, TM_MODE_STRICT, &findings, NULL));
    size_t num = 0;
    for (size_t i = 0; i < findings.num; i++)
        num += findings.list[i].id == TM_FINDING_UUID_INDEX_NUMBER;
    assert_int_equal(num, 3);
    assert_string_equal(test_get_finding(&findings, TM_FINDING_UUID_INDEX_NUMBER)->address, "item/0");
}

#define PLAIN      "twelve bytes"
#define PLAIN_SIZE ((size_t)12)

/* Adds a block in a given state; returns the bytes that are to come out. */
static void add_in_state(struct test_recipe *recipe, tm_data_state wanted)
{
    uint8_t packed[64];
    uLongf size = sizeof(packed);
    assert_int_equal(compress(packed, &size, (const Bytef *)PLAIN, PLAIN_SIZE), Z_OK);
    int32_t announced = (int32_t)PLAIN_SIZE;
    switch (wanted) {
    case TM_DATA_FINE: break;
    case TM_DATA_TRAILING: packed[size++] = 0; break;
    case TM_DATA_EMPTY: announced = 0; break;
    case TM_DATA_SHORT: announced += 3; break;
    case TM_DATA_LONG: announced -= 3; break;
    case TM_DATA_CHECKSUM: packed[size - 1] ^= 1; break;
    case TM_DATA_BROKEN: packed[2] = 7; break; /* a kind of deflate block that does not exist */
    }
    test_recipe_packed(recipe, packed, size, announced);
}

static bool may_be_used(tm_data_state state, tm_mode mode)
{
    if (mode == TM_MODE_SALVAGE || state == TM_DATA_FINE || state == TM_DATA_TRAILING)
        return true;
    return mode == TM_MODE_GAME && state != TM_DATA_BROKEN;
}

static const tm_finding_id findings_of_states[] = {
    [TM_DATA_TRAILING] = TM_FINDING_DATA_TRAILING, [TM_DATA_EMPTY] = TM_FINDING_EMPTY_DATA,
    [TM_DATA_SHORT] = TM_FINDING_DATA_SHORT,       [TM_DATA_LONG] = TM_FINDING_DATA_LONG,
    [TM_DATA_CHECKSUM] = TM_FINDING_DATA_CHECKSUM, [TM_DATA_BROKEN] = TM_FINDING_DATA_BROKEN};

static void check_state(tm_datafile *datafile, tm_data_state wanted, tm_mode mode)
{
    uint32_t index = (uint32_t)wanted;
    uint8_t own[16];
    uint8_t expected[16] = PLAIN;
    const void *bytes;
    tm_data_state state = TM_DATA_FINE;
    tm_datafile_data data;
    tm_error error = {.code = TM_OK};
    assert_true(tm_datafile_get_data(&data, datafile, index));
    if (wanted == TM_DATA_BROKEN)
        memset(expected, 0, sizeof(expected));
    tm_status status = tm_datafile_read_data(&state, datafile, index, own, data.size, &error);
    assert_int_equal(state, wanted);
    assert_int_equal(status, may_be_used(wanted, mode) ? TM_OK : TM_ERROR_DAMAGED);
    assert_memory_equal(own, expected, (size_t)data.size);
    assert_int_equal(status, error.code);
    for (int twice = 0; twice < 2; twice++) {
        state = TM_DATA_FINE;
        assert_int_equal(tm_datafile_data_bytes(&bytes, &state, datafile, index, NULL), status);
        assert_int_equal(state, wanted);
        if (status == TM_OK)
            assert_memory_equal(bytes, expected, (size_t)data.size);
        else
            assert_null(bytes);
        if (twice == 0)
            tm_datafile_drop(datafile, index);
    }
    assert_int_equal(tm_datafile_read_data(NULL, datafile, index, own, data.size + 1, NULL), TM_ERROR_USAGE);
}

TEST(test_states)
{
    OWN(test_recipe) recipe = test_recipe_new(4);
    for (int s = TM_DATA_FINE; s <= TM_DATA_BROKEN; s++)
        add_in_state(&recipe, (tm_data_state)s);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    for (size_t m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
        for (int in_memory = 0; in_memory < 2; in_memory++) {
            struct test_input input = {.in_memory = in_memory != 0};
            OWN(tm_findings) findings;
            OWN(tm_datafile) *datafile = test_open_fine(&input, &file, modes[m]);
            for (int s = TM_DATA_FINE; s <= TM_DATA_BROKEN; s++)
                check_state(datafile, (tm_data_state)s, modes[m]);
            tm_findings_init(&findings, 0, NULL);
            must(tmi_datafile_check_data(datafile, NULL, NULL, NULL, &findings, NULL));
            assert_int_equal(findings.num, TM_DATA_BROKEN);
            for (int s = TM_DATA_TRAILING; s <= TM_DATA_BROKEN; s++) {
                char address[32];
                const tm_finding *finding = test_get_finding(&findings, findings_of_states[s]);
                assert_non_null(finding);
                snprintf(address, sizeof(address), "data/%d", s);
                assert_string_equal(finding->address, address);
                bool error =
                    s == TM_DATA_BROKEN || s == TM_DATA_SHORT || !may_be_used((tm_data_state)s, modes[m]);
                assert_int_equal(finding->severity == TM_SEVERITY_ERROR, error);
            }
            assert_int_equal(tm_datafile_unpack(datafile, NULL, 0, NULL, NULL),
                             modes[m] == TM_MODE_SALVAGE ? TM_OK : TM_ERROR_DAMAGED);
        }
    }
}

/* A stream that ends too early keeps what could be read; one in version 3 has no packing that could break. */
TEST(test_readable_part)
{
    uint8_t plain[3000];
    uint8_t out[3000];
    uint8_t packed[4000];
    uLongf size = sizeof(packed);
    OWN(test_recipe) recipe;
    tm_data_state found;
    for (size_t i = 0; i < sizeof(plain); i++)
        plain[i] = (uint8_t)(i * i >> 3);
    assert_int_equal(compress(packed, &size, plain, sizeof(plain)), Z_OK);
    recipe = test_recipe_new(4);
    test_recipe_packed(&recipe, packed, size / 2, sizeof(plain));
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_SALVAGE);
    must(tm_datafile_read_data(&found, datafile, 0, out, sizeof(out), NULL));
    assert_int_equal(found, TM_DATA_BROKEN);
    size_t same = 0;
    while (same < sizeof(out) && out[same] == plain[same])
        same++;
    assert_true(same > 200);
    for (size_t i = same; i < sizeof(out); i++)
        assert_true(out[i] == 0 || out[i] == plain[i]);
}

TEST(test_packed_bytes)
{
    uint8_t packed[64];
    uint8_t plain[6];
    uLongf size = sizeof(plain);
    tm_datafile_data data;
    OWN(test_recipe) recipe = test_recipe_sample(4);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    assert_true(tm_datafile_get_data(&data, datafile, 0));
    assert_int_equal(data.offset, test_at_data(&recipe));
    must(tmi_datafile_read_packed(datafile, 0, packed, NULL));
    assert_int_equal(uncompress(plain, &size, packed, (uLong)data.packed_size), Z_OK);
    assert_string_equal((char *)plain, "hello");
    assert_int_equal(tm_datafile_read_data(NULL, datafile, 3, packed, 0, NULL), TM_ERROR_USAGE);
}

/* A head beyond the first read comes in a second one, and nothing else is read. */
TEST(test_reads)
{
    struct test_input input = {0};
    static const uint8_t large[40000] = {1, 2, 3};
    static const uint8_t noise[100000] = {9};
    OWN(test_recipe) recipe = test_recipe_sample(4);
    test_recipe_packed(&recipe, noise, sizeof(noise), 5);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    tm_datafile_close(test_open_fine(&input, &file, TM_MODE_STRICT));
    assert_int_equal(input.num_reads, 1);
    test_bytes_release(&file);

    test_recipe_release(&recipe);
    recipe = test_recipe_new(4);
    test_recipe_item_bytes(&recipe, 1, 0, large, sizeof(large));
    test_recipe_packed(&recipe, noise, sizeof(noise), 5);
    file = test_recipe_build(&recipe);
    memset(&input, 0, sizeof(input));
    OWN(tm_datafile) *datafile = test_open_fine(&input, &file, TM_MODE_STRICT);
    tm_datafile_item item;
    assert_int_equal(input.num_reads, 2);
    assert_true(tm_datafile_get_item(&item, datafile, 0));
    assert_int_equal(item.size, sizeof(large));
    assert_memory_equal(item.body, large, sizeof(large));
}
