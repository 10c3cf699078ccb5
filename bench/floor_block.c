/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "change one tile and save": one block (-b) of one file is unpacked, one byte of it flipped, and packed
 * again at the level of -z (default 6), all by libdeflate. The file is read before the clock starts.
 *
 * The flipped byte is that in the middle; the sum holds both sizes. Codecs and buffers are made and freed within the
 * clock, and by floor_fresh_memory each time from fresh pages: who changes one tile does it once in a process.
 */
#include "floor.h"

#include <libdeflate.h>
#include <stdlib.h>

struct work {
    struct libdeflate_decompressor *decompressor;
    struct libdeflate_compressor *compressor;
    unsigned char *bytes, *packed;
    size_t bound; /* bytes at packed */
};

static void prepare(struct work *work, const struct floor_block *block, long level)
{
    size_t capacity = 0, packed_capacity = 0;

    work->decompressor = libdeflate_alloc_decompressor();
    work->compressor = libdeflate_alloc_compressor((int)level);
    if (!work->decompressor || !work->compressor)
        floor_die("libdeflate", "no such level or no memory");
    work->bound = libdeflate_zlib_compress_bound(work->compressor, block->size);
    floor_reserve(&work->bytes, &capacity, block->size + 1);
    floor_reserve(&work->packed, &packed_capacity, work->bound);
}

static void clean_up(struct work *work)
{
    libdeflate_free_decompressor(work->decompressor);
    libdeflate_free_compressor(work->compressor);
    free(work->bytes);
    free(work->packed);
}

static uint64_t change_block(const struct floor_block *block, long level)
{
    struct work work = {0};
    size_t size = 0, packed_size;

    prepare(&work, block, level);
    if (libdeflate_zlib_decompress_ex(work.decompressor, block->packed, block->packed_size, work.bytes,
                                      block->size, NULL, &size) != LIBDEFLATE_SUCCESS ||
        size != block->size)
        floor_die("block", "does not unpack to its size");
    work.bytes[size / 2] ^= 1;
    packed_size = libdeflate_zlib_compress(work.compressor, work.bytes, size, work.packed, work.bound);
    if (packed_size == 0)
        floor_die("block", "does not pack");
    clean_up(&work);
    return floor_mix(floor_mix(0, size), packed_size);
}

int main(int argc, char **argv)
{
    struct floor_options options;
    struct floor_file file = {0};

    floor_fresh_memory();
    floor_parse_options(&options, argc, argv);
    floor_read_file(&file, options.paths[0]);
    if (options.block < 0 || (size_t)options.block >= file.num_blocks)
        floor_die(file.path, "has no such block");
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();
        uint64_t sum = change_block(&file.blocks[options.block], options.level);

        floor_print("floor_block", start, floor_now(), sum, 1);
    }
    floor_release_file(&file);
    floor_release_options(&options);
    return 0;
}
