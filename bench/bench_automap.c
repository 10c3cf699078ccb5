/* SPDX-License-Identifier: Zlib */
/*
 * Automappers on a large layer: bench_automap ROUNDS FILE... (.rules of DDNet). For each configuration a line
 *
 *     FILE CONFIG plain=NS fast=NS two=NS runs=N
 *
 * in nanoseconds a tile, the medians of the rounds: the plainest evaluation (plain_automap.h), teemap on one
 * thread and on two. All must make the same tiles.
 *
 * It sees the public headers only. Any failure ends it with status 2.
 */
#include "plain_automap.h"

#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1500, HEIGHT = 1000, TILES = WIDTH * HEIGHT, MAX_ROUNDS = 99 };

static void must(tm_status status, const tm_error *error)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "bench_automap: %s\n", error->text);
    exit(2);
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Rocks in the air with holes in them, as layers are: tile 1, or none. */
static void paint(tm_tile *tiles)
{
    uint32_t state = 1;
    memset(tiles, 0, TILES * sizeof(*tiles));
    for (int rock = 0; rock < 3000; rock++) {
        uint32_t numbers[4];
        for (int i = 0; i < 4; i++)
            numbers[i] = (state = state * 1664525U + 1013904223U) >> 10;
        const uint32_t x = numbers[0] % WIDTH, y = numbers[1] % HEIGHT;
        const uint32_t width = 1 + numbers[2] % 40, height = 1 + numbers[3] % 25;
        for (uint32_t j = y; j < y + height && j < HEIGHT; j++)
            for (uint32_t i = x; i < x + width && i < WIDTH; i++)
                tiles[j * WIDTH + i].index = rock % 4 != 0;
    }
}

typedef struct setting {
    const tm_automap_rules *rules;
    uint32_t config;
    tm_job job;
    tm_tile *tiles;
} setting;

static void run_plain(const setting *of)
{
    const plain_automap plain = {.rules = of->rules, .config = of->config, .seed = 1, .reference = -1};
    if (!plain_automap_run(&plain, of->tiles, WIDTH, HEIGHT))
        exit(2);
}

static void run_fast(const setting *of)
{
    tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
    tm_error error = {0};
    options.config = (int32_t)of->config;
    options.seed = 1;
    must(tm_automap_run(NULL, of->rules, &(tm_automap_layer){of->tiles, WIDTH, HEIGHT}, &options, &of->job,
                        &error),
         &error);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds a tile. */
static double measure(void (*run)(const setting *of), const setting *of, const tm_tile *painted, int rounds)
{
    double times[MAX_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        memcpy(of->tiles, painted, TILES * sizeof(*painted));
        const double before = now();
        run(of);
        times[i] = (now() - before) * 1e9 / TILES;
    }
    qsort(times, (size_t)rounds, sizeof(times[0]), compare_doubles);
    return times[rounds / 2];
}

static void require_same(const tm_tile *a, const tm_tile *b, const char *path)
{
    if (memcmp(a, b, TILES * sizeof(*a)) == 0)
        return;
    fprintf(stderr, "bench_automap: %s: the tiles differ\n", path);
    exit(2);
}

static void measure_file(const char *path, int rounds, const tm_tile *painted, const tm_executor *two)
{
    tm_tile *expected = malloc(TILES * sizeof(*expected)), *tiles = malloc(TILES * sizeof(*tiles));
    char *bytes = malloc(1 << 24);
    FILE *file = fopen(path, "rb");
    tm_automap_rules *rules;
    tm_error error = {0};
    uint32_t num;
    if (!expected || !tiles || !bytes || !file)
        exit(2);
    const size_t size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    must(tm_automap_read(&rules, bytes, size, NULL, NULL, &error), &error);
    const tm_automap_config *configs = tm_automap_configs(&num, rules);
    for (uint32_t i = 0; i < num; i++) {
        setting of = {rules, i, TM_JOB_INIT, expected};
        const double plain = measure(run_plain, &of, painted, 1);
        of.tiles = tiles;
        const double fast = measure(run_fast, &of, painted, rounds);
        require_same(expected, tiles, path);
        of.job.executor = two;
        const double both = measure(run_fast, &of, painted, rounds);
        require_same(expected, tiles, path);
        const char *name = strrchr(path, '/');
        printf("%s %u plain=%.2f fast=%.3f two=%.3f runs=%u\n", name ? name + 1 : path, (unsigned)i, plain,
               fast, both, (unsigned)configs[i].num_passes);
    }
    tm_automap_free(rules);
    free(expected);
    free(tiles);
    free(bytes);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 2 ? atoi(argv[1]) : 0;
    tm_tile *painted = malloc(TILES * sizeof(*painted));
    tm_sys_threads *threads;
    tm_error error = {0};
    if (rounds < 1 || rounds > MAX_ROUNDS || !painted) {
        fputs("use: bench_automap ROUNDS FILE...\n", stderr);
        return 2;
    }
    must(tm_sys_threads_new(&threads, 2, NULL, &error), &error);
    paint(painted);
    for (int i = 2; i < argc; i++)
        measure_file(argv[i], rounds, painted, tm_sys_threads_executor(threads));
    tm_sys_threads_free(threads);
    free(painted);
    return 0;
}
