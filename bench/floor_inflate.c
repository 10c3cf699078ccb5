/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "unpack every block": each file is read whole, each block unpacked by libdeflate's zlib reader (which
 * also checks the Adler-32 of the content) into one buffer per thread that is reused for all.
 *
 * With one thread, files come one after another through one file buffer. With more, all files are read first and
 * one queue holds the blocks of all of them. The sum adds up sizes and last bytes, so it does not depend on order.
 */
#include "floor.h"

#include <libdeflate.h>
#include <stdlib.h>

struct thread {
    struct libdeflate_decompressor *decompressor;
    unsigned char *bytes;
    size_t capacity;
    uint64_t sum;
};

static void unpack(void *context, size_t thread_index, const struct floor_block *block)
{
    struct thread *thread = (struct thread *)context + thread_index;
    enum libdeflate_result result;
    size_t size = 0;

    floor_reserve(&thread->bytes, &thread->capacity, block->size + 1);
    result = libdeflate_zlib_decompress_ex(thread->decompressor, block->packed, block->packed_size,
                                           thread->bytes, block->size, NULL, &size);
    if (result != LIBDEFLATE_SUCCESS || size != block->size)
        floor_die("block", "does not unpack to its size");
    thread->sum += size * 257 + (size > 0 ? thread->bytes[size - 1] : 0u);
}

static void unpack_serially(const struct floor_options *options, struct floor_file *file,
                            struct thread *thread)
{
    for (size_t i = 0; i < options->num_paths; i++) {
        floor_read_file(file, options->paths[i]);
        for (size_t k = 0; k < file->num_blocks; k++)
            unpack(thread, 0, &file->blocks[k]);
    }
}

static void unpack_together(const struct floor_options *options, struct floor_file *files,
                            struct thread *threads)
{
    for (size_t i = 0; i < options->num_paths; i++)
        floor_read_file(&files[i], options->paths[i]);
    floor_each_block(files, options->num_paths, options->threads, unpack, threads);
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
    for (long t = 0; t < options.threads; t++)
        threads[t].decompressor = libdeflate_alloc_decompressor();
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();
        uint64_t sum = 0;

        if (options.threads == 1)
            unpack_serially(&options, files, threads);
        else
            unpack_together(&options, files, threads);
        for (long t = 0; t < options.threads; t++) {
            sum += threads[t].sum;
            threads[t].sum = 0;
        }
        floor_print("floor_inflate", start, floor_now(), sum, options.num_paths);
    }
    for (long t = 0; t < options.threads; t++) {
        libdeflate_free_decompressor(threads[t].decompressor);
        free(threads[t].bytes);
    }
    for (size_t i = 0; i < options.num_paths; i++)
        floor_release_file(&files[i]);
    free(files);
    floor_release_options(&options);
    return 0;
}
