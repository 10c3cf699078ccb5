/* SPDX-License-Identifier: Zlib */
/*
 * cmd_optimize.c - `teemap optimize`: smaller files that look and play the same. What is changed are
 * operations of the library's table; here are packing, sums and the proof.
 */
#include "change_maps.h"
#include "run/picture.h"

typedef struct optimize_options {
    change_options change;
    bool images, dilate, packing_only, max, verify;
    uint32_t level;
    uint64_t limit;
} optimize_options;

static const option_row optimize_rows[] = {
    CHANGE_OUTPUT_ROWS(optimize_options),
    {0, "images", NULL, FLAG_AT(optimize_options, images),
     .text = "also clear parts of images that no tile and no quad shows"},
    {0, "dilate", NULL, FLAG_AT(optimize_options, dilate),
     .text =
         "also give invisible pixels the colors of their neighbours, as DDNet's map_optimize does; edges of pictures "
         "may change slightly, usually for the better"},
    {0, "packing-only", NULL, FLAG_AT(optimize_options, packing_only),
     .text = "only repack blocks that become smaller"},
    {'z', "level", "LEVEL", INTEGER_AT(optimize_options, level, 1, 12), .preset = "12", .noun = "a level",
     .text =
         "compression level: 1 is fast, 12 is small; 9 takes a tenth of the time of 12 and saves half as much"},
    {0, "max", NULL, FLAG_AT(optimize_options, max),
     .text = "make the smallest file: also pack with zopfli, which takes minutes per map"},
    {0, "verify", NULL, FLAG_AT(optimize_options, verify),
     .text =
         "check that the map looks and plays the same: draw it before and after, and compare its physics"},
    LIMIT_ROW(optimize_options, "with --verify: ", "all pictures"),
    CHANGE_IMAGES_ROW(optimize_options),
    CHANGE_RUNNING_ROWS,
    {0},
};

COMMAND(optimize, optimize_options, 1, -1, .operands = {OPERAND_MAP});

typedef struct optimize_run {
    const optimize_options *options;
    atomic_ullong before, after, maps; /* bytes of all maps, and how many */
} optimize_run;

static tm_status run_operation(changed_map *map, const char *name, const tm_edit_options *options,
                               tm_error *error)
{
    return tm_edit_run(map->file.map, tm_edit_find(name), NULL, 0, options, &map->done, error);
}

/* The size of the file that a version of the map makes. */
static tm_status measure(size_t *size, const tm_map *version, const changed_map *map, tm_error *error)
{
    tm_buffer file = {0};
    const tm_output output = tm_output_to_buffer(&file);
    const tm_status status = tm_mapfile_save(version, &output, &map->save_options, map->job, NULL, error);
    *size = file.size;
    tm_buffer_release(&file);
    return status;
}

/*
 * Clears parts of images, and takes that back if it does not make the file smaller: images that were packed
 * better than they can be here, or that share their data, become larger. `dilate` follows in either case.
 */
static tm_status clear_images(changed_map *map, bool dilate, const tm_edit_options *options, tm_error *error)
{
    tm_map *plain;
    size_t size = 0, plain_size = 0;
    const size_t before = map->done.num;
    TRY(tm_map_clone(&plain, map->file.map, error));
    tm_status status = run_operation(map, "optimize images", options, error);
    const size_t num = map->done.num - before; /* what is told of it */
    if (!status && dilate)
        status = run_operation(map, "optimize colors", options, error);
    if (!status && dilate && num)
        status = tm_edit_run(plain, tm_edit_find("optimize colors"), NULL, 0, options, NULL, error);
    if (!status && num)
        status = measure(&size, map->file.map, map, error);
    if (!status && num)
        status = measure(&plain_size, plain, map, error);
    if (!status && num && size >= plain_size) {
        tm_map_swap(map->file.map, plain);
        map->done.num -= num;
        memmove(map->done.list + before, map->done.list + before + num,
                (map->done.num - before) * sizeof(*map->done.list));
    }
    tm_map_free(plain);
    return status;
}

static tm_status run_operations(const optimize_run *run, changed_map *map, const tm_edit_options *options,
                                tm_error *error)
{
    const optimize_options *asked = run->options;
    tm_status status = TM_OK;
    if (!asked->packing_only)
        status = run_operation(map, "optimize", options, error);
    if (!status && asked->images)
        status = clear_images(map, asked->dilate, options, error);
    else if (!status && asked->dilate)
        status = run_operation(map, "optimize colors", options, error);
    return status;
}

static tm_status verify_map(changed_map *map, const tm_map *before, const tm_edit_options *options,
                            uint64_t limit, tm_error *error)
{
    bool equal;
    char where[TM_ERROR_TEXT_SIZE];
    tm_preview_equal_options equal_options = TM_PREVIEW_EQUAL_OPTIONS_INIT;
    equal_options.job = map->job;
    equal_options.pixel_limit = limit;
    equal_options.provider = options->images;
    equal_options.provider_ctx = options->images_ctx;
    const tm_status status =
        tm_preview_equal(&equal, before, map->file.map, &equal_options, where, sizeof(where), error);
    if (status || equal)
        return picture_hint_limit(status, error);
    map->refused = true;
    tm_findings_add(&map->file.findings, TM_MODE_GAME, TM_FINDING_NOT_EQUAL, -1, "", "map", where);
    return TM_OK;
}

/* What seems unused in a damaged file may be what the broken part used, so such a file is not replaced. */
static bool keeps_damaged(const optimize_run *run, const changed_map *map)
{
    return run->options->change.in_place && tm_findings_damaged(&map->file.findings);
}

static tm_status optimize_map(void *ctx, changed_map *map, tm_error *error)
{
    const optimize_run *run = ctx;
    edit_inputs inputs = {0};
    tm_edit_options options;
    tm_map *before = NULL;
    map->save_options.level = (int)run->options->level;
    map->save_options.smallest = run->options->max;
    map->save_options.recompress = map->save_options.smaller = map->save_options.lay_out = true;
    tm_status status = change_inputs_open(&inputs, &options, &run->options->change, map, error);
    if (!status)
        status = loaded_find_damage(&map->file, run->options->change.common.mode, map->job, error);
    if (!status && keeps_damaged(run, map))
        map->refused = map->lacks = true;
    if (!status && run->options->verify && !map->refused)
        status = tm_map_clone(&before, map->file.map, error);
    if (!status && !map->refused)
        status = run_operations(run, map, &options, error);
    if (!status && run->options->verify && !map->refused)
        status = verify_map(map, before, &options, run->options->limit, error);
    tm_map_free(before);
    inputs_close(&inputs);
    map->smaller_only = true;
    map->as_is = run->options->packing_only;
    return status;
}

/* "1,082,711 -> 954,210 bytes (-11.9 %)" */
static void put_sizes(text *out, uint64_t before, uint64_t after)
{
    const double change = before ? 100.0 * ((double)after - (double)before) / (double)before : 0;
    text_print(out, "%" PRIu64 " -> %" PRIu64 " bytes (%+.1f %%)\n", before, after, change);
}

static void put_optimize_line(void *ctx, const changed_map *map, text *out)
{
    optimize_run *run = ctx;
    if (map->refused && keeps_damaged(run, map))
        put_note(out, map->path, "not changed: it is damaged; repair it with 'teemap fix' first\n");
    if (map->refused)
        return;
    if (!run->options->change.dry_run)
        put_removed_sounds(out, map);
    atomic_fetch_add(&run->before, map->file.file_size);
    atomic_fetch_add(&run->after, map->output_size);
    atomic_fetch_add(&run->maps, 1);
    text_lead(out, path_name(map->path));
    put_sizes(out, map->file.file_size, map->output_size);
}

static void add_optimize_json(void *ctx, const changed_map *map, json_t *object)
{
    (void)ctx;
    json_add_all(object, JSON_INT("input_size", map->file.file_size),
                 JSON_INT("output_size", map->output_size));
}

int cmd_optimize(cli_tool *tool)
{
    optimize_run run = {.options = tool->options};
    if (run.options->packing_only && (run.options->images || run.options->dilate))
        return tool_usage(tool, run.options->images ? "--packing-only and --images exclude each other"
                                                    : "--packing-only and --dilate exclude each other");
    /* No falling back to level 12, which is there without --max: who asks for the smallest file gets that. */
    if (run.options->max && !tm_zopfli_available())
        return tool_trouble(
            tool, "--max",
            "this teemap was built without zopfli: install it (Debian: libzopfli-dev) and build again");
    change_maps(tool, tool->options, tool->operands, tool->num_operands,
                &(change_command){.ctx = &run,
                                  .work = optimize_map,
                                  .add_json = add_optimize_json,
                                  .put_line = put_optimize_line,
                                  .line_is_result = true,
                                  .for_game = true,
                                  .sizes = true});
    const uint64_t maps = atomic_load(&run.maps);
    if (maps > 1) {
        text sum = {0};
        text_print(&sum, "%" PRIu64 " maps: ", maps);
        put_sizes(&sum, atomic_load(&run.before), atomic_load(&run.after));
        if (run.options->change.dry_run)
            text_put(&tool->out, sum.bytes, sum.size);
        else
            tool_print(tool, &sum);
    }
    return STATUS_DONE;
}
