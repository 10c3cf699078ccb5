/* SPDX-License-Identifier: Zlib */
/*
 * Shared by the floor programs: the least that any reader must do, written with nothing between it and the
 * operating system or libdeflate. They are what teemap is measured against.
 *
 * Only well-formed version 4 files are taken (bench/table.py picks them); anything else ends the program with
 * status 2. Nothing here may use libteemap: a floor that shares code with what it measures proves nothing.
 *
 * Every program prints one line per repeat: NAME cpu=SECONDS wall=SECONDS sum=HEX files=N. Equal work gives
 * equal sums, in the floors and in bench_teemap.
 */
#ifndef TEEMAP_BENCH_FLOOR_H
#define TEEMAP_BENCH_FLOOR_H

#include <stddef.h>
#include <stdint.h>

enum { FLOOR_HEADER_SIZE = 36 };

struct floor_options {
    long repeats;       /* -n, default 1 */
    long threads;       /* -t, default 1 */
    long level;         /* -z, default 6 */
    long block;         /* -b, default 0 */
    const char *folder; /* -o, where to write; default NULL */
    const char *words;  /* -w, what is to be done; default NULL */
    size_t num_paths;   /* the arguments, and the lines of the file given with -l */
    char **paths;
};

struct floor_clock {
    double cpu;  /* seconds of this process, user and system, all threads */
    double wall; /* seconds */
};

/* The header's counts. meta_size is the length of all that lies between the header and the data section. */
struct floor_head {
    uint32_t num_types, num_items, num_data, items_size, data_size;
    size_t meta_size;
};

struct floor_block {
    const unsigned char *packed;
    size_t packed_size; /* bytes */
    size_t size;        /* bytes when unpacked */
};

struct floor_file {
    const char *path;
    unsigned char *bytes;
    size_t size;     /* bytes */
    size_t capacity; /* of bytes; kept from file to file */
    size_t num_blocks;
    size_t blocks_capacity;
    struct floor_block *blocks;
};

_Noreturn void floor_die(const char *path, const char *what);
void floor_parse_options(struct floor_options *options, int argc, char **argv);
void floor_release_options(struct floor_options *options);

/*
 * From here on large allocations come from fresh pages of the system and go back to it, as in a process that does its
 * work once. Otherwise whether the C library keeps them for the next repeat depends on the order of its calls.
 */
void floor_fresh_memory(void);

struct floor_clock floor_now(void);
void floor_print(const char *name, struct floor_clock start, struct floor_clock end, uint64_t sum,
                 size_t num_files);

/* Mixes a value into a sum; the order of calls matters. */
uint64_t floor_mix(uint64_t sum, uint64_t value);

uint32_t floor_u32(const unsigned char *bytes);
/* Ends the program when the header does not describe a file of file_size bytes. */
void floor_parse_head(struct floor_head *head, const char *path, const unsigned char *bytes,
                      size_t file_size);

/* Reads a whole file and finds its blocks. The struct starts zeroed and may be used for one file after another. */
void floor_read_file(struct floor_file *file, const char *path);
void floor_release_file(struct floor_file *file);

/* Makes *buffer at least size bytes large, for buffers that are reused; the old content is lost. */
void floor_reserve(unsigned char **buffer, size_t *capacity, size_t size);

/* Calls work(context, thread_index, block) for every block of all files, on num_threads threads from one queue. */
void floor_each_block(const struct floor_file *files, size_t num_files, long num_threads,
                      void (*work)(void *context, size_t thread_index, const struct floor_block *block),
                      void *context);

#endif
