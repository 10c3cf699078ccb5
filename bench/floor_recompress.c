/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "recompress everything": all files are read, then every block is unpacked and packed again by libdeflate
 * at the level of -z (default 6), on the threads of -t, from one queue over the blocks of all files.
 *
 * The result of each block goes to a buffer that the next one overwrites; nothing is written to a disk. The sum adds
 * up unpacked and packed sizes. libdeflate promises no sizes across versions: compare within one machine only.
 */
#include "floor.h"

#include <libdeflate.h>
#include <stdlib.h>

struct thread {
    struct libdeflate_decompressor *decompressor;
    struct libdeflate_compressor *compressor;
    unsigned char *bytes, *packed;
    size_t capacity, packed_capacity;
    uint64_t size, packed_size;
};

static void repack(void *context, size_t thread_index, const struct floor_block *block)
{
    struct thread *thread = (struct thread *)context + thread_index;
    size_t bound = libdeflate_zlib_compress_bound(thread->compressor, block->size);
    size_t size = 0, packed_size;

    if (block->size == 0) { /* nothing in it, and nothing to gain: it stays as it is */
        thread->packed_size += block->packed_size;
        return;
    }
    floor_reserve(&thread->bytes, &thread->capacity, block->size + 1);
    floor_reserve(&thread->packed, &thread->packed_capacity, bound);
    if (libdeflate_zlib_decompress_ex(thread->decompressor, block->packed, block->packed_size, thread->bytes,
                                      block->size, NULL, &size) != LIBDEFLATE_SUCCESS ||
        size != block->size)
        floor_die("block", "does not unpack to its size");
    packed_size = libdeflate_zlib_compress(thread->compressor, thread->bytes, size, thread->packed, bound);
    if (packed_size == 0)
        floor_die("block", "does not pack");
    thread->size += size;
    thread->packed_size += packed_size;
}

static void start_threads(struct thread *threads, const struct floor_options *options)
{
    for (long t = 0; t < options->threads; t++) {
        threads[t].decompressor = libdeflate_alloc_decompressor();
        threads[t].compressor = libdeflate_alloc_compressor((int)options->level);
        if (!threads[t].decompressor || !threads[t].compressor)
            floor_die("libdeflate", "no such level or no memory");
    }
}

static void stop_threads(struct thread *threads, const struct floor_options *options)
{
    for (long t = 0; t < options->threads; t++) {
        libdeflate_free_decompressor(threads[t].decompressor);
        libdeflate_free_compressor(threads[t].compressor);
        free(threads[t].bytes);
        free(threads[t].packed);
    }
}

static uint64_t take_sum(struct thread *threads, const struct floor_options *options)
{
    uint64_t size = 0, packed_size = 0;

    for (long t = 0; t < options->threads; t++) {
        size += threads[t].size;
        packed_size += threads[t].packed_size;
        threads[t].size = threads[t].packed_size = 0;
    }
    return floor_mix(floor_mix(0, size), packed_size);
}

int main(int argc, char **argv)
{
    struct floor_options options;
    struct floor_file *files;
    struct thread threads[64] = {{0}};

    floor_parse_options(&options, argc, argv);
    files = calloc(options.num_paths, sizeof(*files));
    if (!files)
        floor_die("memory", "none left");
    start_threads(threads, &options);
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();

        for (size_t i = 0; i < options.num_paths; i++)
            floor_read_file(&files[i], options.paths[i]);
        floor_each_block(files, options.num_paths, options.threads, repack, threads);
        floor_print("floor_recompress", start, floor_now(), take_sum(threads, &options), options.num_paths);
    }
    stop_threads(threads, &options);
    for (size_t i = 0; i < options.num_paths; i++)
        floor_release_file(&files[i]);
    free(files);
    floor_release_options(&options);
    return 0;
}
