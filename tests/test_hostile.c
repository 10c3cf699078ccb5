/* SPDX-License-Identifier: Zlib */
/*
 * Maps that are cut anywhere and changed anywhere, through the model, in all modes: nothing breaks, nothing is lost, memory stays
 * small, what loads verifies and saves to the same bytes. Files that were made to do harm are in test_lying_files.c; the container
 * has a test of its own (test_datafile_hostile.c).
 *
 * With TEEMAP_THOROUGH=1 in the environment every byte of every file is cut and changed, not only those of the heads; that takes
 * minutes.
 *
 * test-timeout: 1200
 */
#include "support/lib_variants.h"
#include "support/test.h"

enum { SMALL_MAP = 6000 };

static bool thorough(void)
{
    return getenv("TEEMAP_THOROUGH");
}

/* Through an emulator everything takes twenty times as long; a part of the variants has to do there. */
static size_t stride(void)
{
    const char *emulator = getenv("TEEMAP_EMULATOR");
    return emulator && *emulator ? 11 : 1;
}

/* ------------------------------------------------------------------------------------------------- cuts and flips */

struct tally {
    size_t files, variants, loaded;
};

static void cut_everywhere(const char *name, const struct test_bytes *file, struct tally *tally)
{
    const size_t head = test_head_size(file), step = thorough() ? 1 : 29;
    struct test_variant variant = {.name = name, .way = "cut at"};
    for (size_t at = 0; at <= file->size; at += at < head ? stride() : step) {
        /* On the heap and no longer than that, so that a sanitizer sees the first byte behind. */
        OWN(test_bytes) cut = test_bytes_copy(file->bytes, at);
        variant.at = at;
        variant.bytes = cut.bytes;
        variant.size = at;
        tally->loaded += test_variant_all_modes(&variant);
        tally->variants++;
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
    const size_t end = thorough() ? file->size : test_head_size(file);
    struct test_variant variant = {.name = name, .way = "changed at", .bytes = copy.bytes, .size = copy.size};
    for (size_t at = 0; at < end; at += stride()) {
        variant.at = at;
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            copy.bytes[at] = changed(file->bytes[at], pattern);
            if (copy.bytes[at] == file->bytes[at])
                continue;
            tally->loaded += test_variant_all_modes(&variant);
            tally->variants++;
        }
        copy.bytes[at] = file->bytes[at];
    }
    test_bytes_release(&copy);
    tally->files++;
}

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
    return !visit->wanted;
}

static void visit_file(void *ctx, const char *path)
{
    struct visit *visit = ctx;
    if (!is_wanted(visit, path))
        return;
    OWN(test_bytes) file = test_bytes_from_file(path);
    if (file.size <= SMALL_MAP)
        visit->work(path, &file, &visit->tally);
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
    must(tm_sys_walk(folder, NULL, visit_seed, visit, NULL, NULL));
    assert_int_not_equal(visit->tally.files, 0);
}

static void tell(const struct visit *visit)
{
    print_message("%zu files, %zu variants, %zu times loaded\n", visit->tally.files, visit->tally.variants,
                  visit->tally.loaded);
}

TEST(every_cut_of_the_seeds)
{
    struct visit visit = {.work = cut_everywhere};
    visit_seeds(&visit);
    tell(&visit);
}

TEST(every_flip_in_the_seeds)
{
    static const char *const wanted[] = {"-full-", NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    visit_seeds(&visit);
    tell(&visit);
}

TEST(every_cut_of_small_real_maps)
{
    struct visit visit = {.work = cut_everywhere};
    test_many_corpus_maps(visit_file, &visit);
    tell(&visit);
}

/* One of each game and age, with most kinds of items between them. */
TEST(every_flip_in_a_few_real_maps)
{
    static const char *const wanted[] = {
        "coverage-831c1a", "Test-c1483f", "grass_template", "dm1-9edea1", "skip-f13ad3",
        "ddnetpp-test-",   NULL};
    struct visit visit = {.work = flip_everywhere, .wanted = wanted};
    test_many_corpus_maps(visit_file, &visit);
    tell(&visit);
}
