/* SPDX-License-Identifier: Zlib */
/*
 * What the floor programs share: options, clocks, the header's arithmetic, whole files, one queue of blocks.
 *
 * Header: nine little-endian 32-bit words: magic, version, size, swaplen, then the five counts that floor_head
 * holds. After it come 12 bytes per type, 4 per item, 8 per data item (offset; unpacked size), the items, the data.
 */
#define _POSIX_C_SOURCE 200809L

#include "floor.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void floor_die(const char *path, const char *what)
{
    fprintf(stderr, "floor: '%s': %s\n", path, what);
    exit(2);
}

static void *grow(void *memory, size_t count, size_t size)
{
    void *grown = size != 0 && count > SIZE_MAX / size ? NULL : realloc(memory, count * size);

    if (!grown)
        floor_die("memory", "none left");
    return grown;
}

static void add_path(struct floor_options *options, const char *path)
{
    char *copy = strdup(path);

    if (!copy)
        floor_die(path, "no memory");
    options->paths = grow(options->paths, options->num_paths + 1, sizeof(*options->paths));
    options->paths[options->num_paths++] = copy;
}

static void add_list(struct floor_options *options, const char *list)
{
    char line[4096];
    FILE *file = fopen(list, "r");

    if (!file)
        floor_die(list, "cannot open the list");
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            add_path(options, line);
    }
    fclose(file);
}

void floor_parse_options(struct floor_options *options, int argc, char **argv)
{
    int letter;

    *options = (struct floor_options){.repeats = 1, .threads = 1, .level = 6};
    while ((letter = getopt(argc, argv, "n:t:z:b:l:o:w:")) != -1) {
        switch (letter) {
        case 'n': options->repeats = atol(optarg); break;
        case 't': options->threads = atol(optarg); break;
        case 'z': options->level = atol(optarg); break;
        case 'b': options->block = atol(optarg); break;
        case 'o': options->folder = optarg; break;
        case 'w': options->words = optarg; break;
        case 'l': add_list(options, optarg); break;
        default: exit(2);
        }
    }
    for (int i = optind; i < argc; i++)
        add_path(options, argv[i]);
    if (options->num_paths == 0 || options->repeats < 1 || options->threads < 1 || options->threads > 64) {
        fprintf(stderr,
                "use: %s [-n REPEATS] [-t THREADS] [-z LEVEL] [-b BLOCK] [-o FOLDER] [-w WORDS] [-l LIST] "
                "[MAP...]\n",
                argv[0]);
        exit(2);
    }
}

void floor_release_options(struct floor_options *options)
{
    for (size_t i = 0; i < options->num_paths; i++)
        free(options->paths[i]);
    free(options->paths);
    *options = (struct floor_options){0};
}

void floor_fresh_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

static double read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct floor_clock floor_now(void)
{
    return (struct floor_clock){read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)};
}

void floor_print(const char *name, struct floor_clock start, struct floor_clock end, uint64_t sum,
                 size_t num_files)
{
    printf("%s cpu=%.6f wall=%.6f sum=%016llx files=%zu\n", name, end.cpu - start.cpu, end.wall - start.wall,
           (unsigned long long)sum, num_files);
}

/* One step of FNV-1a, over 64-bit words instead of bytes. */
uint64_t floor_mix(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * 0x100000001b3u;
}

uint32_t floor_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void floor_parse_head(struct floor_head *head, const char *path, const unsigned char *bytes, size_t file_size)
{
    uint64_t meta_size;

    if (file_size < FLOOR_HEADER_SIZE || memcmp(bytes, "DATA", 4) != 0 || floor_u32(bytes + 4) != 4)
        floor_die(path, "not a version 4 datafile");
    head->num_types = floor_u32(bytes + 16);
    head->num_items = floor_u32(bytes + 20);
    head->num_data = floor_u32(bytes + 24);
    head->items_size = floor_u32(bytes + 28);
    head->data_size = floor_u32(bytes + 32);
    meta_size = 12 * (uint64_t)head->num_types + 4 * (uint64_t)head->num_items +
                8 * (uint64_t)head->num_data + head->items_size;
    if (FLOOR_HEADER_SIZE + meta_size + head->data_size > file_size)
        floor_die(path, "shorter than its header says");
    head->meta_size = (size_t)meta_size;
}

void floor_reserve(unsigned char **buffer, size_t *capacity, size_t size)
{
    if (size <= *capacity)
        return;
    free(*buffer);
    *buffer = grow(NULL, size, 1);
    *capacity = size;
}

static void read_whole(struct floor_file *file, int descriptor)
{
    size_t done = 0;

    while (done < file->size) {
        ssize_t got = read(descriptor, file->bytes + done, file->size - done);

        if (got <= 0)
            floor_die(file->path, "cannot be read");
        done += (size_t)got;
    }
}

static void find_blocks(struct floor_file *file)
{
    struct floor_head head;
    const unsigned char *offsets, *sizes, *data;

    floor_parse_head(&head, file->path, file->bytes, file->size);
    offsets = file->bytes + FLOOR_HEADER_SIZE + 12 * (size_t)head.num_types + 4 * (size_t)head.num_items;
    sizes = offsets + 4 * (size_t)head.num_data;
    data = file->bytes + FLOOR_HEADER_SIZE + head.meta_size;
    if (head.num_data > file->blocks_capacity) {
        file->blocks = grow(file->blocks, head.num_data, sizeof(*file->blocks));
        file->blocks_capacity = head.num_data;
    }
    file->num_blocks = head.num_data;
    for (size_t i = 0; i < head.num_data; i++) {
        uint32_t begin = floor_u32(offsets + 4 * i);
        uint32_t end = i + 1 < head.num_data ? floor_u32(offsets + 4 * (i + 1)) : head.data_size;

        if (begin > end || end > head.data_size)
            floor_die(file->path, "data offsets out of order");
        file->blocks[i] = (struct floor_block){data + begin, end - begin, floor_u32(sizes + 4 * i)};
    }
}

void floor_read_file(struct floor_file *file, const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    file->path = path;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        floor_die(path, "cannot be opened");
    file->size = (size_t)status.st_size;
    floor_reserve(&file->bytes, &file->capacity, file->size + 1);
    read_whole(file, descriptor);
    close(descriptor);
    find_blocks(file);
}

void floor_release_file(struct floor_file *file)
{
    free(file->bytes);
    free(file->blocks);
    *file = (struct floor_file){0};
}

struct queue {
    const struct floor_block **blocks;
    size_t num_blocks;
    atomic_size_t next;
    void (*work)(void *context, size_t thread_index, const struct floor_block *block);
    void *context;
};

struct worker {
    struct queue *queue;
    size_t index;
    pthread_t thread;
};

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    struct queue *queue = worker->queue;
    size_t i;

    while ((i = atomic_fetch_add(&queue->next, 1)) < queue->num_blocks)
        queue->work(queue->context, worker->index, queue->blocks[i]);
    return NULL;
}

void floor_each_block(const struct floor_file *files, size_t num_files, long num_threads,
                      void (*work)(void *context, size_t thread_index, const struct floor_block *block),
                      void *context)
{
    struct queue queue = {.work = work, .context = context};
    struct worker workers[64];
    size_t total = 0;

    for (size_t i = 0; i < num_files; i++)
        total += files[i].num_blocks;
    queue.blocks = grow(NULL, total + 1, sizeof(const struct floor_block *));
    for (size_t i = 0; i < num_files; i++)
        for (size_t k = 0; k < files[i].num_blocks; k++)
            queue.blocks[queue.num_blocks++] = &files[i].blocks[k];
    for (long t = 0; t < num_threads; t++)
        workers[t] = (struct worker){.queue = &queue, .index = (size_t)t};
    for (long t = 1; t < num_threads; t++)
        if (pthread_create(&workers[t].thread, NULL, run_worker, &workers[t]) != 0)
            floor_die("thread", "cannot be started");
    run_worker(&workers[0]);
    for (long t = 1; t < num_threads; t++)
        pthread_join(workers[t].thread, NULL);
    free(queue.blocks);
}
