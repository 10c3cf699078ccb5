/* SPDX-License-Identifier: Zlib */
/*
 * Floor for "open and list all items": per file open, fstat, pread of the 36-byte header, pread of the tables and
 * items, a walk over all item headers, close. The data section is never touched.
 *
 * The sum mixes type, id and body size of each item in file order, so a lister that skips one differs.
 */
#define _POSIX_C_SOURCE 200809L

#include "floor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct buffer {
    unsigned char *bytes;
    size_t capacity;
};

static uint64_t walk_items(const char *path, const struct floor_head *head, const unsigned char *meta,
                           uint64_t sum)
{
    const unsigned char *offsets = meta + 12 * (size_t)head->num_types;
    const unsigned char *items = offsets + 4 * (size_t)head->num_items + 8 * (size_t)head->num_data;

    for (size_t i = 0; i < head->num_items; i++) {
        uint32_t at = floor_u32(offsets + 4 * i);
        uint32_t word;

        if (at > head->items_size || head->items_size - at < 8)
            floor_die(path, "item outside of the items");
        word = floor_u32(items + at);
        sum = floor_mix(sum, word >> 16);
        sum = floor_mix(sum, word & 0xffff);
        sum = floor_mix(sum, floor_u32(items + at + 4));
    }
    return sum;
}

static uint64_t list_file(const char *path, struct buffer *buffer, uint64_t sum)
{
    unsigned char header[FLOOR_HEADER_SIZE];
    struct floor_head head;
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        floor_die(path, "cannot be opened");
    if (pread(descriptor, header, sizeof(header), 0) != (ssize_t)sizeof(header))
        floor_die(path, "shorter than a header");
    floor_parse_head(&head, path, header, (size_t)status.st_size);
    floor_reserve(&buffer->bytes, &buffer->capacity, head.meta_size);
    if (pread(descriptor, buffer->bytes, head.meta_size, sizeof(header)) != (ssize_t)head.meta_size)
        floor_die(path, "cannot be read");
    close(descriptor);
    return walk_items(path, &head, buffer->bytes, sum);
}

int main(int argc, char **argv)
{
    struct floor_options options;
    struct buffer buffer = {0};

    floor_parse_options(&options, argc, argv);
    for (long n = 0; n < options.repeats; n++) {
        struct floor_clock start = floor_now();
        uint64_t sum = 0;

        for (size_t i = 0; i < options.num_paths; i++)
            sum = list_file(options.paths[i], &buffer, sum);
        floor_print("floor_head", start, floor_now(), sum, options.num_paths);
    }
    free(buffer.bytes);
    floor_release_options(&options);
    return 0;
}
