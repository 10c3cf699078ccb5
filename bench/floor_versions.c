/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "what differs between versions of a map" and for merging them: all files are read; the blocks that are
 * not packed alike in all of them are unpacked by libdeflate, each content once, and of each one is packed again at
 * the level of -z (default 6; 0 packs nothing).
 *
 * The versions must have equal numbers of blocks, and in the same order, as they have after edits that add and remove
 * nothing. All that is unpacked of a block is held until the next one, for who compares it. Memory is made and freed
 * within the clock, by floor_fresh_memory each time from fresh pages. The sum holds unpacked and packed sizes.
 */
#include "floor.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VERSIONS = 8 };

struct work {
    struct libdeflate_decompressor *decompressor;
    struct libdeflate_compressor *compressor; /* NULL: nothing is packed */
    uint64_t sum;
};

static bool are_alike(const struct floor_block *a, const struct floor_block *b)
{
    return a->packed_size == b->packed_size && memcmp(a->packed, b->packed, a->packed_size) == 0;
}

static unsigned char *unpack(struct work *work, const struct floor_block *block)
{
    unsigned char *bytes = malloc(block->size + 1);
    size_t size = 0;

    if (!bytes)
        floor_die("memory", "none left");
    if (libdeflate_zlib_decompress_ex(work->decompressor, block->packed, block->packed_size, bytes,
                                      block->size, NULL, &size) != LIBDEFLATE_SUCCESS ||
        size != block->size)
        floor_die("block", "does not unpack to its size");
    work->sum = floor_mix(work->sum, size);
    return bytes;
}

static void pack(struct work *work, const unsigned char *bytes, size_t size)
{
    const size_t bound = libdeflate_zlib_compress_bound(work->compressor, size);
    unsigned char *packed = malloc(bound);
    size_t packed_size = packed ? libdeflate_zlib_compress(work->compressor, bytes, size, packed, bound) : 0;

    if (packed_size == 0)
        floor_die("block", "does not pack");
    work->sum = floor_mix(work->sum, packed_size);
    free(packed);
}

/* Whether one of the blocks before it has the same content. */
static bool is_known(const struct floor_block *const *blocks, size_t index)
{
    for (size_t k = 0; k < index; k++)
        if (are_alike(blocks[index], blocks[k]))
            return true;
    return false;
}

/* One block of all versions; whether there was anything to do. */
static bool work_on(struct work *work, const struct floor_block *const *blocks, size_t num)
{
    unsigned char *held[MAX_VERSIONS];
    size_t num_held = 0, last = 0;

    while (last + 1 < num && is_known(blocks, last + 1))
        last++;
    if (last + 1 == num)
        return false;
    for (size_t i = 0; i < num; i++)
        if (!is_known(blocks, i)) {
            held[num_held++] = unpack(work, blocks[i]);
            last = i;
        }
    if (work->compressor)
        pack(work, held[num_held - 1], blocks[last]->size);
    while (num_held > 0)
        free(held[--num_held]);
    return true;
}

static uint64_t work_on_all(const struct floor_options *options, struct floor_file *files)
{
    const size_t num = options->num_paths;
    struct work work = {.decompressor = libdeflate_alloc_decompressor()};
    size_t num_different = 0;

    if (options->level > 0)
        work.compressor = libdeflate_alloc_compressor((int)options->level);
    for (size_t i = 0; i < num; i++) {
        floor_read_file(&files[i], options->paths[i]);
        if (files[i].num_blocks != files[0].num_blocks)
            floor_die(options->paths[i], "has another number of blocks");
    }
    for (size_t k = 0; k < files[0].num_blocks; k++) {
        const struct floor_block *blocks[MAX_VERSIONS];

        for (size_t i = 0; i < num; i++)
            blocks[i] = &files[i].blocks[k];
        num_different += work_on(&work, blocks, num);
    }
    if (num_different == 0)
        floor_die(options->paths[0], "all versions are alike");
    for (size_t i = 0; i < num; i++)
        floor_release_file(&files[i]);
    libdeflate_free_decompressor(work.decompressor);
    libdeflate_free_compressor(work.compressor);
    return work.sum;
}

int main(int argc, char **argv)
{
    struct floor_options options;
    struct floor_file files[MAX_VERSIONS] = {{0}};

    floor_fresh_memory();
    floor_parse_options(&options, argc, argv);
    if (options.num_paths < 2 || options.num_paths > MAX_VERSIONS)
        floor_die("versions", "two to eight maps are needed");
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();
        uint64_t sum = work_on_all(&options, files);

        floor_print("floor_versions", start, floor_now(), sum, options.num_paths);
    }
    floor_release_options(&options);
    return 0;
}
