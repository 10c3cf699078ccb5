/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "change one tile and save": one block (-b) of one file is unpacked, one byte of it flipped, and packed
 * again at the level of -z (default 6), all by libdeflate. The file is read before the clock starts.
 *
 * The flipped byte is that in the middle; the sum holds both sizes.
 */
#include "floor.h"

#include <libdeflate.h>
#include <stdlib.h>

struct codec {
    struct libdeflate_decompressor *decompressor;
    struct libdeflate_compressor *compressor;
};

static uint64_t change_block(const struct codec *codec, const struct floor_block *block)
{
    size_t bound = libdeflate_zlib_compress_bound(codec->compressor, block->size);
    unsigned char *bytes = malloc(block->size + 1), *packed = malloc(bound);
    size_t size = 0, packed_size;

    if (bytes == NULL || packed == NULL)
        floor_die("memory", "none left");
    if (libdeflate_zlib_decompress_ex(codec->decompressor, block->packed, block->packed_size, bytes,
                                      block->size, NULL, &size) != LIBDEFLATE_SUCCESS ||
        size != block->size)
        floor_die("block", "does not unpack to its size");
    bytes[size / 2] ^= 1;
    packed_size = libdeflate_zlib_compress(codec->compressor, bytes, size, packed, bound);
    if (packed_size == 0)
        floor_die("block", "does not pack");
    free(bytes);
    free(packed);
    return floor_mix(floor_mix(0, size), packed_size);
}

int main(int argc, char **argv)
{
    struct floor_options options;
    struct floor_file file = {0};
    struct codec codec;

    floor_parse_options(&options, argc, argv);
    floor_read_file(&file, options.paths[0]);
    if (options.block < 0 || (size_t)options.block >= file.num_blocks)
        floor_die(file.path, "has no such block");
    codec.decompressor = libdeflate_alloc_decompressor();
    codec.compressor = libdeflate_alloc_compressor((int)options.level);
    if (codec.decompressor == NULL || codec.compressor == NULL)
        floor_die("libdeflate", "no such level or no memory");
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();
        uint64_t sum = change_block(&codec, &file.blocks[options.block]);

        floor_print("floor_block", start, floor_now(), sum, 1);
    }
    libdeflate_free_decompressor(codec.decompressor);
    libdeflate_free_compressor(codec.compressor);
    floor_release_file(&file);
    floor_release_options(&options);
    return 0;
}
