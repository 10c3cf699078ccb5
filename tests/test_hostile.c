/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are cut anywhere and changed anywhere, through the model, in all modes: nothing breaks, nothing is lost, memory stays
 * small, what loads verifies and saves to the same bytes. Then files that were made to do harm, each with the story of what it
 * once did. The container has a test of its own (test_datafile_hostile.c).
 *
 * With TEEMAP_THOROUGH=1 in the environment every byte of every file is cut and changed, not only those of the heads; that takes
 * minutes.
 *
 * test-timeout: 1200
 */
#include "support/lib_datafile.h"
#include "support/memory.h"

#include <teemap/mapfile.h>
#include <teemap/sys.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SMALL_MAP = 6000, HEADROOM = 16 * 1024 * 1024 };

static const tm_mode modes[] = {TM_MODE_STRICT, TM_MODE_GAME, TM_MODE_SALVAGE};

static bool thorough(void)
{
    return getenv("TEEMAP_THOROUGH") != NULL;
}

/* --------------------------------------------------------------------------------------------------- one variant */

/* A changed file, and what to say if it fails. */
struct variant {
    const char *name; /* of the file that it was made from */
    const char *how;
    size_t at;
    const uint8_t *bytes;
    size_t size;
    tm_mode mode;
};

static void require(bool holds, const struct variant *variant, const char *what, const tm_error *error)
{
    if (holds)
        return;
    fail_msg("%s, %s %zu, mode %d: %s: %s %s", variant->name, variant->how, variant->at, variant->mode, what,
             error ? error->place : "", error ? error->text : "");
}

static void require_same_bytes(const struct variant *variant, const tm_map *map,
                               const tm_allocator *allocator)
{
    tm_buffer buffer = {.allocator = allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_error error = {.code = TM_OK};
    tm_status status = tm_mapfile_save(map, &output, NULL, NULL, NULL, &error);
    require(status == TM_OK, variant, "untouched, but not saved", &error);
    require(buffer.size == variant->size && memcmp(buffer.bytes, variant->bytes, buffer.size) == 0, variant,
            "other bytes came back", NULL);
    tm_buffer_release(&buffer);
}

static void check_data(const struct variant *variant, const tm_map *map, const tm_allocator *allocator)
{
    tm_findings findings;
    tm_error error = {.code = TM_OK};
    tm_findings_init(&findings, 0, allocator);
    tm_status status = tm_mapfile_check_data(map, NULL, &findings, &error);
    require(status == TM_OK || status == TM_ERROR_LIMIT, variant, "data cannot be checked", &error);
    tm_findings_release(&findings);
}

static tm_status load(tm_map **map, const struct variant *variant, const tm_allocator *allocator,
                      tm_error *error)
{
    const tm_mapfile_options options = {sizeof(options), variant->mode, NULL, allocator};
    tm_findings findings;
    tm_findings_init(&findings, 0, allocator);
    tm_status status =
        tm_mapfile_load(map, tm_input_from_memory(variant->bytes, variant->size), &options, &findings, error);
    if (status == TM_ERROR_DAMAGED)
        require(findings.errors > 0, variant, "refused without a finding", error);
    tm_findings_release(&findings);
    return status;
}

static bool try_mode(const struct variant *variant)
{
    struct test_memory memory;
    tm_map *map;
    tm_error error = {.code = TM_OK};
    test_memory_init(&memory);
    tm_status status = load(&map, variant, &memory.allocator, &error);
    if (status == TM_OK) {
        require(tm_map_verify(map, &error) == TM_OK, variant, "does not verify", &error);
        require_same_bytes(variant, map, &memory.allocator);
        check_data(variant, map, &memory.allocator);
        tm_map_free(map);
    } else {
        require(status == TM_ERROR_DAMAGED || status == TM_ERROR_LIMIT, variant, "fails oddly", &error);
        require(status == error.code && error.text[0] && !map, variant, "fails without a word", &error);
    }
    require(memory.num_blocks == 0, variant, "memory is lost", NULL);
    require(memory.most_bytes <= variant->size + HEADROOM, variant, "too much memory", NULL);
    return status == TM_OK;
}

/* Number of modes that load it; a mode that forgives more never loads less. */
static unsigned try_variant(struct variant *variant)
{
    unsigned loaded = 0;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        variant->mode = modes[i];
        bool fine = try_mode(variant);
        require(fine || loaded == 0, variant, "a stricter mode loads it", NULL);
        loaded += fine;
    }
    return loaded;
}

/* ------------------------------------------------------------------------------------------------- cuts and flips */

struct tally {
    size_t files, variants, loaded;
};

static size_t head_size(const struct test_bytes *file)
{
    tm_datafile *datafile;
    tm_datafile_header header;
    struct test_input input = {.in_memory = true};
    if (test_open(&datafile, &input, file, TM_MODE_SALVAGE, NULL, NULL) != TM_OK)
        return file->size;
    tm_datafile_get_header(datafile, &header);
    tm_datafile_close(datafile);
    return header.head_size < file->size ? (size_t)header.head_size : file->size;
}

static void cut_everywhere(const char *name, const struct test_bytes *file, struct tally *tally)
{
    const size_t head = head_size(file), step = thorough() ? 1 : 29;
    struct variant variant = {.name = name, .how = "cut at"};
    for (size_t at = 0; at <= file->size; at += at < head ? 1 : step) {
        /* On the heap and no longer than that, so that a sanitizer sees the first byte behind. */
        struct test_bytes cut = test_bytes_copy(file->bytes, at);
        variant.at = at;
        variant.bytes = cut.bytes;
        variant.size = at;
        tally->loaded += try_variant(&variant);
        tally->variants++;
        test_bytes_release(&cut);
    }
    tally->files++;
}

static uint8_t changed(uint8_t byte, int pattern)
{
    switch (pattern) {
    case 0: return byte ^ 0x01;
    case 1: return byte ^ 0x80;
    case 2: return byte ^ 0xff;
    case 3: return 0;
    default: return 0x7f;
    }
}

static void flip_everywhere(const char *name, const struct test_bytes *file, struct tally *tally)
{
    enum { PATTERNS = 5 };
    struct test_bytes copy = test_bytes_copy(file->bytes, file->size);
    const size_t end = thorough() ? file->size : head_size(file);
    struct variant variant = {.name = name, .how = "changed at", .bytes = copy.bytes, .size = copy.size};
    for (size_t at = 0; at < end; at++) {
        variant.at = at;
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            copy.bytes[at] = changed(file->bytes[at], pattern);
            if (copy.bytes[at] == file->bytes[at])
                continue;
            tally->loaded += try_variant(&variant);
            tally->variants++;
        }
        copy.bytes[at] = file->bytes[at];
    }
    test_bytes_release(&copy);
    tally->files++;
}

/* ---------------------------------------------------------------------------------------------------- the files */

struct visit {
    void (*work)(const char *name, const struct test_bytes *file, struct tally *tally);
    const char *const *wanted; /* parts of names, NULL at the end; NULL: all */
    struct tally tally;
};

static bool is_wanted(const struct visit *visit, const char *path)
{
    for (const char *const *part = visit->wanted; part && *part; part++)
        if (strstr(path, *part))
            return true;
    return visit->wanted == NULL;
}

static void visit_file(void *ctx, const char *path)
{
    struct visit *visit = ctx;
    if (!is_wanted(visit, path))
        return;
    struct test_bytes file = test_bytes_from_file(path);
    if (file.size <= SMALL_MAP)
        visit->work(path, &file, &visit->tally);
    test_bytes_release(&file);
}

static bool visit_seed(void *ctx, const char *path)
{
    if (strstr(path, "/seed-"))
        visit_file(ctx, path);
    return true;
}

static void visit_seeds(struct visit *visit)
{
    const char *source = getenv("TEEMAP_SOURCE");
    char folder[1024];
    if (!source)
        skip();
    snprintf(folder, sizeof(folder), "%s/fuzz/corpus/mapfile", source);
    assert_int_equal(tm_sys_walk(folder, NULL, visit_seed, visit, NULL, NULL), TM_OK);
    assert_int_not_equal(visit->tally.files, 0);
}

static void tell(const struct visit *visit)
{
    print_message("%zu files, %zu variants, %zu times loaded\n", visit->tally.files, visit->tally.variants,
                  visit->tally.loaded);
}

static void every_cut_of_the_seeds(void **state)
{
    struct visit visit = {.work = cut_everywhere};
    (void)state;
    visit_seeds(&visit);
    tell(&visit);
}

static void every_flip_in_the_seeds(void **state)
{
    static const char *const wanted[] = {"-full-", NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    (void)state;
    visit_seeds(&visit);
    tell(&visit);
}

static void every_cut_of_small_real_maps(void **state)
{
    struct visit visit = {.work = cut_everywhere};
    (void)state;
    if (test_each_corpus_map(visit_file, &visit) == 0)
        skip();
    tell(&visit);
}

/* One of each game and age, with most kinds of items between them. */
static void every_flip_in_a_few_real_maps(void **state)
{
    static const char *const wanted[] = {
        "coverage-831c1a", "Test-c1483f", "grass_template", "dm1-9edea1", "skip-f13ad3",
        "ddnetpp-test-",   NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    (void)state;
    if (test_each_corpus_map(visit_file, &visit) == 0)
        skip();
    tell(&visit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_of_the_seeds),
        cmocka_unit_test(every_flip_in_the_seeds),
        cmocka_unit_test(every_cut_of_small_real_maps),
        cmocka_unit_test(every_flip_in_a_few_real_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
