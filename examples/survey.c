/* SPDX-License-Identifier: Zlib */
/*
 * Many maps at once: loads every map below a folder on all processors, and tells how many of them use which feature of the format. What it
 * prints does not depend on the number of threads.
 *
 *   survey FOLDER [THREADS]
 */
#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 64, LINE = 512 };

/* What is known of one map. Each is written by one thread, and read when all are done. */
typedef struct entry {
    char *path;
    uint64_t features; /* bits */
    uint64_t layers, quads;
    char *fault; /* NULL: it was loaded */
} entry;

typedef struct survey {
    entry *entries;
    uint32_t num;
    bool no_memory;
} survey;

static bool add_path(void *ctx, const char *path)
{
    survey *all = ctx;
    if (all->num % 256 == 0) {
        entry *more = realloc(all->entries, (all->num + 256) * sizeof(*more));
        all->no_memory = !more;
        if (!more)
            return false;
        all->entries = more;
    }
    const size_t size = strlen(path) + 1; /* it lives only during this call */
    char *copy = malloc(size);
    all->no_memory = !copy;
    if (!copy)
        return false;
    memcpy(copy, path, size);
    all->entries[all->num++] = (entry){.path = copy};
    return true;
}

/* One map. That it cannot be loaded is a result, too, so the job goes on. */
static tm_status work(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    entry *one = &((survey *)ctx)->entries[index];
    tm_map *map;
    tm_error fault;
    (void)worker;
    (void)stop;
    (void)error;
    if (tm_store_load(&map, one->path, NULL, NULL, &fault) != TM_OK) {
        one->fault = malloc(LINE);
        if (one->fault)
            tm_error_format(&fault, one->fault, LINE);
        return TM_OK;
    }
    tm_mapfile_counts counts;
    tm_mapfile_count(&counts, map);
    one->features = tm_mapfile_features(map); /* of items alone: nothing is unpacked */
    one->layers = counts.layers;
    one->quads = counts.quads;
    tm_map_free(map);
    return TM_OK;
}

static void tell(const survey *all)
{
    uint64_t maps = 0, layers = 0, quads = 0, uses[FEATURES] = {0};
    for (uint32_t i = 0; i < all->num; i++) {
        const entry *one = &all->entries[i];
        if (one->fault) {
            fprintf(stderr, "%s\n", one->fault);
            continue;
        }
        maps++;
        layers += one->layers;
        quads += one->quads;
        for (int f = 0; f < FEATURES; f++)
            uses[f] += one->features >> f & 1;
    }
    printf("maps %llu\nlayers %llu\nquads %llu\n", (unsigned long long)maps, (unsigned long long)layers,
           (unsigned long long)quads);
    for (int f = 0; f < FEATURES; f++)
        if (uses[f])
            printf("%s %llu\n", tm_feature_name((tm_feature)f), (unsigned long long)uses[f]);
}

int main(int argc, char **argv)
{
    survey all = {0};
    tm_error error;
    tm_sys_threads *threads = NULL;
    if (argc < 2 || argc > 3)
        return fprintf(stderr, "use: %s FOLDER [THREADS]\n", argv[0]), 2;
    tm_status status = tm_sys_walk(argv[1], ".map", add_path, &all, NULL, &error);
    if (status == TM_OK)
        status = tm_sys_threads_new(&threads, argc == 3 ? (uint32_t)atoi(argv[2]) : 0, NULL, &error);
    if (status == TM_OK) {
        tm_job job = TM_JOB_INIT;
        job.executor = tm_sys_threads_executor(threads);
        tm_tasks pieces = TM_TASKS_INIT;
        pieces.ctx = &all;
        pieces.num = all.num;
        pieces.work = work;
        status = tm_tasks_run(&pieces, &job, &error);
    }
    tm_sys_threads_free(threads);
    if (status == TM_OK)
        tell(&all);
    for (uint32_t i = 0; i < all.num; i++) {
        free(all.entries[i].path);
        free(all.entries[i].fault);
    }
    free(all.entries);
    if (status == TM_OK)
        return all.no_memory ? 2 : 0;
    char line[LINE];
    tm_error_format(&error, line, sizeof(line));
    fprintf(stderr, "survey: %s\n", line);
    return 2;
}
