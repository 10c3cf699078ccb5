/* SPDX-License-Identifier: Zlib */
/*
 * The floor programs' work done through libteemap, with the same options, the same output line and the same sums:
 *
 *   list        open and list all items                                   beside floor_head
 *   load        load the typed model, tile data left packed
 *   inflate     unpack every block, on -t threads                         beside floor_inflate
 *   tiles       load, and unpack all tile layers
 *   find        load, and look for a tile in all tile layers               beside tiles
 *   lint        load, and ask all rules                                    beside tiles
 *   save        load and save untouched into the folder of -o; the results are compared with the originals
 *   change      flip the middle byte of tile block -b and save to -o      beside floor_block
 *   recompress  unpack and pack every block at level -z on -t threads     beside floor_recompress
 *   edit        do the operations of -w, a script of `teemap edit`, and save to -o       beside floor_block
 *   diff        the changes between two maps                              beside floor_versions -z 0
 *   merge       merge three maps (base, ours, theirs) and save to -o as ours             beside floor_versions
 *   pictures    write each embedded image as PNG into the folder of -o, as `teemap cat` does
 *   pixels      read PNGs, which stand in the place of maps
 *
 * It sees the public headers only. Any failure ends it with status 2.
 */
#include "floor.h"

#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    struct floor_options options;
    char **paths;            /* of options: that which is worked on, and those behind it */
    tm_sys_threads *threads; /* NULL for one thread */
    tm_job job;
    uint64_t size, packed_size; /* bytes of all blocks, counted while recompressing */
};

static void try(const char *path, tm_status status, const tm_error *error)
{
    if (status != TM_OK)
        floor_die(path, error->text);
}

/* ---------------------------------------------------------------------------------------------------- open, list */

static tm_datafile *open_datafile(const char *path)
{
    tm_datafile *datafile;
    tm_error error;

    try(path, tm_store_open_datafile(&datafile, path, NULL, NULL, &error), &error);
    return datafile;
}

static uint64_t list_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_datafile *datafile = open_datafile(path);
    uint32_t num = tm_datafile_num_items(datafile);

    (void)bench;
    for (uint32_t i = 0; i < num; i++) {
        tm_datafile_item item;

        tm_datafile_get_item(&item, datafile, i);
        sum = floor_mix(sum, item.type);
        sum = floor_mix(sum, item.id);
        sum = floor_mix(sum, item.size);
    }
    tm_datafile_close(datafile);
    return sum;
}

/* --------------------------------------------------------------------------------------------------------- model */

static tm_map *load_map(const char *path)
{
    tm_map *map;
    tm_error error;

    try(path, tm_store_load(&map, path, NULL, NULL, &error), &error);
    return map;
}

static uint64_t load_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);

    (void)bench;
    sum = floor_mix(sum, map->num_images);
    sum = floor_mix(sum, map->num_envelopes);
    for (uint32_t i = 0; i < map->num_groups; i++)
        sum = floor_mix(sum, map->groups[i].num_layers);
    tm_map_free(map);
    return sum;
}

/* -------------------------------------------------------------------------------------------------------- unpack */

/* What a visitor may do without a lock: each block has a place of its own. */
static tm_status note_block(void *context, uint32_t index, const void *bytes, uint64_t size,
                            tm_data_state state)
{
    uint64_t *notes = context;

    if (state != TM_DATA_FINE && state != TM_DATA_TRAILING && state != TM_DATA_EMPTY)
        return TM_ERROR_DAMAGED;
    notes[index] = size * 257 + (size > 0 ? ((const unsigned char *)bytes)[size - 1] : 0u);
    return TM_OK;
}

static uint64_t inflate_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_datafile *datafile = open_datafile(path);
    uint32_t num = tm_datafile_num_data(datafile);
    uint64_t *notes = calloc((size_t)num + 1, sizeof(*notes));
    tm_error error;

    if (!notes)
        floor_die(path, "no memory");
    try(path, tm_datafile_visit(datafile, NULL, 0, note_block, notes, &bench->job, &error), &error);
    for (uint32_t i = 0; i < num; i++)
        sum += notes[i];
    free(notes);
    tm_datafile_close(datafile);
    return sum;
}

/* --------------------------------------------------------------------------------------------------------- tiles */

static uint64_t tiles_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);
    tm_layer_walk at = {0};
    tm_error error;

    (void)bench;
    while (tm_map_next_layer(map, &at)) {
        tm_grid grid;

        if (!tm_game_layer(at.layer->kind)->is_tiles)
            continue;
        try(path, tm_map_tiles(&grid, map, at.layer, &error), &error);
        sum = floor_mix(sum, (uint64_t)grid.width * grid.height);
    }
    tm_map_free(map);
    return sum;
}

static uint64_t game_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);
    tm_grid grid;
    tm_error error;

    (void)bench;
    try(path, tm_map_tiles(&grid, map, tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME), &error), &error);
    sum = floor_mix(sum, (uint64_t)grid.width * grid.height);
    tm_map_free(map);
    return sum;
}

static bool add_match(void *context, const tm_match *match)
{
    *(uint64_t *)context += match->count;
    return true;
}

/* An index has a meaning in every kind of tile layer: all of them are unpacked. */
static uint64_t find_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);
    tm_pattern *pattern;
    tm_error error;
    uint64_t count = 0;

    (void)bench;
    try(path, tm_pattern_parse(&pattern, "9,26,60..67", NULL, &error), &error);
    try(path, tm_map_find(map, &pattern, 1, NULL, add_match, &count, &error), &error);
    tm_pattern_free(pattern);
    tm_map_free(map);
    return floor_mix(sum, count);
}

/* By all rules of all sets. */
static uint64_t lint_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    tm_lint_result result;
    tm_error error;

    (void)bench;
    options.sets = TM_LINT_ALL;
    try(path, tm_lint_run(&result, map, &options, &error), &error);
    sum = floor_mix(sum, result.findings.num);
    tm_lint_result_release(&result);
    tm_map_free(map);
    return sum;
}

/* ---------------------------------------------------------------------------------------------------------- save */

static void target_path(const struct bench *bench, const char *path, char *target, size_t size)
{
    const char *name = strrchr(path, '/');

    if (!bench->options.folder)
        floor_die(path, "needs -o FOLDER");
    if ((size_t)snprintf(target, size, "%s/%s", bench->options.folder, name ? name + 1 : path) >= size)
        floor_die(path, "name too long");
}

static uint64_t save_file(struct bench *bench, const char *path, uint64_t sum)
{
    char target[4096];
    tm_map *map = load_map(path);
    tm_error error;

    target_path(bench, path, target, sizeof(target));
    try(target, tm_store_save(map, target, NULL, &bench->job, NULL, &error), &error);
    tm_map_free(map);
    return floor_mix(sum, 1);
}

static void compare_files(struct bench *bench, const char *path)
{
    struct floor_file original = {0}, saved = {0};
    char target[4096];

    target_path(bench, path, target, sizeof(target));
    floor_read_file(&original, path);
    floor_read_file(&saved, target);
    if (original.size != saved.size || memcmp(original.bytes, saved.bytes, saved.size) != 0)
        floor_die(target, "differs from the original");
    floor_release_file(&original);
    floor_release_file(&saved);
}

/* -------------------------------------------------------------------------------------------------------- change */

static tm_block *find_tiles(const tm_map *map, long data_index)
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t i = 0; i < map->groups[g].num_layers; i++) {
            tm_layer *layer = &map->groups[g].layers[i];

            if (layer->kind <= TM_LAYER_TUNE &&
                tm_block_get_info(layer->as.tiles.tiles).data_index == data_index)
                return layer->as.tiles.tiles;
        }
    return NULL;
}

static uint64_t change_file(struct bench *bench, const char *path, uint64_t sum)
{
    char target[4096];
    tm_map *map = load_map(path);
    tm_block *block = find_tiles(map, bench->options.block);
    tm_error error;
    void *bytes;
    uint64_t size;

    (void)sum;
    target_path(bench, path, target, sizeof(target));
    if (!block)
        floor_die(path, "no tile layer has that block");
    try(path, tm_map_edit_data(&bytes, &size, map, block, &error), &error);
    ((unsigned char *)bytes)[size / 2] ^= 1;
    try(target, tm_store_save(map, target, NULL, &bench->job, NULL, &error), &error);
    tm_map_free(map);
    return size;
}

/* The floor's sum, from the file that was written. */
static uint64_t changed_sum(struct bench *bench, const char *path, uint64_t size)
{
    struct floor_file saved = {0};
    char target[4096];
    uint64_t sum;

    target_path(bench, path, target, sizeof(target));
    floor_read_file(&saved, target);
    sum = floor_mix(floor_mix(0, size), saved.blocks[bench->options.block].packed_size);
    floor_release_file(&saved);
    return sum;
}

/* ---------------------------------------------------------------------------------------------------- recompress */

/* Takes a file without keeping more of it than its header. */
struct sink {
    unsigned char header[FLOOR_HEADER_SIZE];
    uint64_t size;
};

static tm_status take_bytes(void *context, const void *bytes, size_t size, tm_error *error)
{
    struct sink *sink = context;

    (void)error;
    if (sink->size < sizeof(sink->header)) {
        size_t room = sizeof(sink->header) - (size_t)sink->size;

        memcpy(sink->header + sink->size, bytes, size < room ? size : room);
    }
    sink->size += size;
    return TM_OK;
}

static uint64_t recompress_file(struct bench *bench, const char *path, uint64_t sum)
{
    tm_mapfile_save_options options = TM_MAPFILE_SAVE_OPTIONS_INIT;
    tm_map *map = load_map(path);
    const tm_datafile *datafile = tm_mapfile_datafile(map);
    struct sink sink = {{0}, 0};
    tm_output output = {&sink, take_bytes, NULL};
    tm_error error;

    options.level = (int)bench->options.level;
    options.recompress = true;
    try(path, tm_mapfile_save(map, &output, &options, &bench->job, NULL, &error), &error);
    for (uint32_t i = 0; i < tm_datafile_num_data(datafile); i++) {
        tm_datafile_data data;

        tm_datafile_get_data(&data, datafile, i);
        bench->size += data.size;
    }
    bench->packed_size += floor_u32(sink.header + 32);
    tm_map_free(map);
    return sum;
}

static uint64_t recompressed_sum(struct bench *bench, const char *path, uint64_t sum)
{
    (void)path;
    sum = floor_mix(floor_mix(0, bench->size), bench->packed_size);
    bench->size = bench->packed_size = 0;
    return sum;
}

/* ---------------------------------------------------------------------------------------------------------- edit */

static void save_to_folder(struct bench *bench, const tm_map *map, const char *path)
{
    char target[4096];
    tm_error error;

    target_path(bench, path, target, sizeof(target));
    try(target, tm_store_save(map, target, NULL, &bench->job, NULL, &error), &error);
}

static uint64_t edit_file(struct bench *bench, const char *path, uint64_t sum)
{
    const char *words = bench->options.words ? bench->options.words : "";
    tm_edit_options options = TM_EDIT_OPTIONS_INIT;
    tm_map *map = load_map(path);
    tm_edit_script *script;
    tm_error error;

    try(words, tm_edit_script_from_text(&script, words, strlen(words), NULL, &error), &error);
    options.job = &bench->job;
    try(path, tm_edit_script_run(map, script, &options, NULL, &error), &error);
    tm_edit_script_free(script);
    save_to_folder(bench, map, path);
    tm_map_free(map);
    return floor_mix(sum, 1);
}

/* -------------------------------------------------------------------------------------------------- diff, merge */

static uint64_t diff_files(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *before = load_map(path), *after = load_map(bench->paths[1]);
    tm_patch *patch;
    tm_error error;
    uint32_t num;

    try(path, tm_patch_make(&patch, before, after, NULL, &error), &error);
    num = tm_patch_num(patch);
    if (num == 0)
        floor_die(path, "no difference was found");
    tm_patch_free(patch);
    tm_map_free(before);
    tm_map_free(after);
    return floor_mix(sum, num);
}

static uint64_t merge_files(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *base = load_map(path), *ours = load_map(bench->paths[1]), *theirs = load_map(bench->paths[2]);
    tm_map *merged;
    tm_conflicts *conflicts;
    tm_error error;

    try(path, tm_map_merge(&merged, &conflicts, base, ours, theirs, NULL, NULL, &error), &error);
    if (tm_conflicts_num_open(conflicts) > 0)
        floor_die(path, "the versions are in conflict");
    save_to_folder(bench, merged, bench->paths[1]);
    tm_conflicts_free(conflicts);
    tm_map_free(merged);
    tm_map_free(base);
    tm_map_free(ours);
    tm_map_free(theirs);
    return floor_mix(sum, 1);
}

/* ------------------------------------------------------------------------------------------------------ pictures */

struct picture {
    unsigned char *pixels; /* RGBA */
    uint32_t width, height;
};

static tm_status save_picture(const char *target, const struct picture *picture, tm_error *error)
{
    tm_sys_save *save;
    tm_status status = tm_sys_save_begin(&save, target, NULL, error);
    if (status != TM_OK)
        return status;
    const tm_output output = tm_sys_save_output(save);
    status = tm_png_write(&output, picture->pixels, picture->width, picture->height, NULL, error);
    if (status == TM_OK)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

/* What is no picture (no pixels, or fewer than its size needs) is left out. */
static void write_picture(struct bench *bench, const char *path, const tm_map *map, uint32_t index)
{
    const tm_image *image = &map->images[index];
    const uint64_t size = (uint64_t)image->width * (uint64_t)image->height * 4;
    struct picture picture = {.width = (uint32_t)image->width, .height = (uint32_t)image->height};
    char target[4096];
    tm_error error;
    size_t end;

    if (!image->pixels || image->width <= 0 || image->height <= 0)
        return;
    picture.pixels = malloc((size_t)size);
    if (!picture.pixels)
        floor_die(path, "no memory");
    if (tm_map_image_pixels(map, image, picture.pixels, size, &error) == TM_OK) {
        target_path(bench, path, target, sizeof(target) - 32);
        end = strlen(target);
        snprintf(target + end, sizeof(target) - end, "-%u.png", index);
        try(target, save_picture(target, &picture, &error), &error);
    }
    free(picture.pixels);
}

static uint64_t write_pictures(struct bench *bench, const char *path, uint64_t sum)
{
    tm_map *map = load_map(path);

    for (uint32_t i = 0; i < map->num_images; i++)
        write_picture(bench, path, map, i);
    sum = floor_mix(sum, map->num_images);
    tm_map_free(map);
    return sum;
}

static uint64_t read_picture(struct bench *bench, const char *path, uint64_t sum)
{
    uint32_t width, height;
    uint8_t *pixels, *bytes;
    tm_input input;
    tm_error error;

    (void)bench;
    try(path, tm_sys_open_input(&input, path, 0, NULL, &error), &error);
    bytes = malloc((size_t)input.size);
    if (!bytes)
        floor_die(path, "no memory");
    try(path, input.read(input.ctx, 0, bytes, (size_t)input.size, &error), &error);
    try(path, tm_png_read(&pixels, &width, &height, bytes, (size_t)input.size, 0, NULL, &error), &error);
    input.close(input.ctx);
    free(bytes);
    tm_free(NULL, pixels, (size_t)width * height * 4);
    return floor_mix(sum, (uint64_t)width * height);
}

/* ---------------------------------------------------------------------------------------------------------- main */

struct task {
    const char *name;
    uint64_t (*each)(struct bench *bench, const char *path, uint64_t sum);
    void (*check)(struct bench *bench,
                  const char *path); /* of each file, after the clock has stopped; or NULL */
    uint64_t (*finish)(struct bench *bench, const char *path, uint64_t sum); /* the sum to print; or NULL */
    bool once;           /* done once in a process: each time from fresh pages, as floor_fresh_memory says */
    size_t num_together; /* files that `each` takes at once; 0: one */
};

static const struct task tasks[] = {
    {"list", list_file, NULL, NULL, false, 0},
    {"load", load_file, NULL, NULL, false, 0},
    {"inflate", inflate_file, NULL, NULL, false, 0},
    {"tiles", tiles_file, NULL, NULL, false, 0},
    {"game", game_file, NULL, NULL, false, 0},
    {"find", find_file, NULL, NULL, false, 0},
    {"lint", lint_file, NULL, NULL, false, 0},
    {"save", save_file, compare_files, NULL, false, 0},
    {"change", change_file, NULL, changed_sum, true, 0},
    {"recompress", recompress_file, NULL, recompressed_sum, false, 0},
    {"edit", edit_file, NULL, NULL, true, 0},
    {"diff", diff_files, NULL, NULL, true, 2},
    {"merge", merge_files, NULL, NULL, true, 3},
    {"pictures", write_pictures, NULL, NULL, false, 0},
    {"pixels", read_picture, NULL, NULL, false, 0},
};

static void start_threads(struct bench *bench)
{
    tm_error error;

    bench->job = (tm_job)TM_JOB_INIT;
    if (bench->options.threads == 1)
        return;
    try("threads", tm_sys_threads_new(&bench->threads, (uint32_t)bench->options.threads, NULL, &error),
        &error);
    bench->job.executor = tm_sys_threads_executor(bench->threads);
}

static void run_task(struct bench *bench, const struct task *task)
{
    const struct floor_options *options = &bench->options;
    const size_t together = task->num_together ? task->num_together : 1;
    struct floor_clock start = floor_now();
    struct floor_clock end;
    uint64_t sum = 0;

    for (size_t i = 0; i < options->num_paths; i += together) {
        bench->paths = &options->paths[i];
        sum = task->each(bench, options->paths[i], sum);
    }
    end = floor_now();
    for (size_t i = 0; task->check && i < options->num_paths; i++)
        task->check(bench, options->paths[i]);
    if (task->finish)
        sum = task->finish(bench, options->paths[0], sum);
    floor_print(task->name, start, end, sum, options->num_paths);
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    const struct task *task = NULL;

    for (size_t i = 0; argc > 1 && i < sizeof(tasks) / sizeof(tasks[0]); i++)
        if (strcmp(argv[1], tasks[i].name) == 0)
            task = &tasks[i];
    if (!task) {
        fprintf(stderr, "use: %s TASK OPTION...; the tasks stand at the top of bench_teemap.c\n", argv[0]);
        return 2;
    }
    floor_parse_options(&bench.options, argc - 1, argv + 1);
    if (task->num_together && bench.options.num_paths % task->num_together)
        floor_die(task->name, "not all the maps that belong together");
    start_threads(&bench);
    if (task->once)
        floor_fresh_memory();
    for (long n = 0; n < bench.options.repeats; n++)
        run_task(&bench, task);
    if (bench.threads)
        tm_sys_threads_free(bench.threads);
    floor_release_options(&bench.options);
    return 0;
}
