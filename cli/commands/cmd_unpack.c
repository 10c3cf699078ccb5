/* SPDX-License-Identifier: Zlib */
/*
 * cmd_unpack.c - `teemap unpack`: writes a map as a folder of text, PNG and Opus files. The library makes
 * their content (teemap/mapdir.h); this file takes care of the folder and the messages.
 */
#include "output/report_words.h"
#include "run/load.h"

typedef struct unpack_options {
    common_options common;
    bool update, plain;
    uint64_t limit;
} unpack_options;

static const option_row unpack_rows[] = {
    LAST_OPERAND_ROW("DIR", OPTION_FOLDER, "write the files to this folder, as DIR alone does", ),
    {'u', "update", NULL, FLAG_AT(unpack_options, update),
     .text =
         "update DIR, which holds an unpacked map: replace its files, and remove those that the map no longer has"},
    {0, "plain", NULL, FLAG_AT(unpack_options, plain),
     .text =
         "do not write sidecar.bin, which holds how the file was packed and what the model does not represent"},
    {0, "limit", "BYTES", COUNT_AT(unpack_options, limit), .noun = "a number of bytes", .preset = "100M",
     .group = GROUP_RUNNING,
     .text = "refuse a map whose files are larger, or that unpacks to ten times as much"},
    JSON_ONE_ROW,
    RUNNING_ROWS("print what was written, and notes, not only warnings"),
    {0},
};

COMMAND(unpack, unpack_options, 2, 2, .operands = {OPERAND_MAP, OPERAND_FOLDER});

typedef struct unpack_run {
    cli_tool *tool;
    const unpack_options *options;
    const char *folder_path;
    tm_store_folder *folder;
    const tm_map *map;
    const tm_job *job;
    uint32_t num_files;
    tm_error error;
} unpack_run;

/* Writes no file, but notes its name, so that files of an earlier run which have no successor are removed. */
static tm_status note_name(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error)
{
    (void)put;
    (void)put_ctx;
    return tm_memory_files_add(ctx, name, NULL, 0, error);
}

/* Passes files on to `next` while their sum is within --limit; `next` NULL: only counts their bytes. */
typedef struct bounded_files {
    const tm_files_out *next;
    uint64_t most;
    _Atomic(uint64_t) num_bytes;
} bounded_files;

typedef struct bounded_file {
    bounded_files *files;
    const tm_output *next;
    tm_file_put *put;
    void *put_ctx;
} bounded_file;

static tm_status count_bytes(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    const bounded_file *file = ctx;
    if (atomic_fetch_add(&file->files->num_bytes, size) + size > file->files->most)
        return fail(error, TM_ERROR_LIMIT, "the files have more than %" PRIu64 " bytes, the limit",
                    file->files->most);
    return file->next ? file->next->write(file->next->ctx, bytes, size, error) : TM_OK;
}

static tm_status put_bounded(void *ctx, const tm_output *output, tm_error *error)
{
    bounded_file *file = ctx;
    file->next = output;
    return file->put(file->put_ctx, &(tm_output){file, count_bytes, NULL}, error);
}

static tm_status bound_file(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error)
{
    bounded_files *files = ctx;
    bounded_file file = {files, NULL, put, put_ctx};
    return files->next ? files->next->write(files->next->ctx, name, put_bounded, &file, error)
                       : put_bounded(&file, NULL, error);
}

/* Writes the files, or with `next` NULL only counts their bytes. */
static tm_status write_bounded(unpack_run *run, const tm_files_out *next,
                               const tm_mapdir_write_options *options)
{
    bounded_files files = {.next = next, .most = run->options->limit};
    const tm_files_out out = {&files, bound_file, !next || next->parallel};
    return tm_mapdir_write(run->map, &out, options, run->job, &run->error);
}

static tm_status remove_old(unpack_run *run, const tm_memory_files *names)
{
    const tm_files_in old = tm_store_folder_in(run->folder);
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < old.num && !status; i++) {
        const char *name = old.name(old.ctx, i);
        if (tm_mapdir_is_own(name) && !tm_memory_files_find(names, name))
            status = tm_store_folder_remove(run->folder, name, &run->error);
    }
    return status;
}

/* Refuses a folder with other things in it, so that a slip does not put hundreds of files there. */
static tm_status check_target(unpack_run *run)
{
    const tm_files_in old = tm_store_folder_in(run->folder);
    bool own = false;
    for (uint32_t i = 0; i < old.num; i++)
        own = own || strcmp(old.name(old.ctx, i), "map.json") == 0;
    if (old.num == 0 || (own && run->options->update))
        return TM_OK;
    return fail_about(&run->error, TM_ERROR_USAGE, TM_SIDE_OUTPUT, run->folder_path,
                      own ? "holds an unpacked map already; -u replaces it"
                          : "is not empty, and holds no unpacked map");
}

/* Blocks to unpack in parallel. */
typedef struct block_list {
    const tm_block **blocks;
    uint32_t num;
    uint64_t room; /* bytes */
} block_list;

/* Lists a block, unless it is mostly air, which takes much memory and unpacks fast, or exceeds the room. */
static void list_block(block_list *list, const tm_block *block)
{
    enum { DENSE = 64 };
    const tm_block_info info = tm_block_get_info(block);
    if (info.size > list->room || info.size / DENSE > info.packed_size)
        return;
    list->room -= info.size;
    list->blocks[list->num++] = block;
}

/*
 * The sidecar and the files both need the unpacked blocks. Unpacks some of them once for both; the others are
 * unpacked twice. Faults are ignored here, as the code that needs a block reports them.
 */
static void unpack_for_both(const unpack_run *run)
{
    const tm_map *map = run->map;
    block_list list = {must_alloc(map->num_images + tm_map_num_layers(map) + 1, sizeof(*list.blocks)), 0,
                       UINT64_C(64) << 20};
    tm_layer_walk walk = {0};
    for (uint32_t i = 0; i < map->num_images; i++)
        list_block(&list, map->images[i].pixels);
    while (tm_map_next_layer(map, &walk))
        if (tm_game_layer(walk.layer->kind)->is_tiles)
            list_block(&list, walk.layer->as.tiles.tiles);
    (void)tm_map_unpack(map, list.blocks, list.num, run->job, NULL);
    free(list.blocks);
}

/* Removes what a failed run has put into an empty folder, and the folder if it is new. */
static void undo_unpacking(const unpack_run *run, const tm_memory_files *names, bool is_new)
{
    const size_t keep = strlen(run->folder_path);
    for (uint32_t i = 0; i < names->num; i++) {
        char *path = files_join(run->folder_path, names->list[i].name);
        (void)tm_store_folder_remove(run->folder, names->list[i].name, NULL);
        for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) > keep;) {
            *slash = '\0';
            (void)remove(path); /* if it is empty */
        }
        free(path);
    }
    if (is_new)
        (void)remove(run->folder_path);
}

/* Whether sidecar.bin is written. */
static bool writes_sidecar(const unpack_options *options)
{
    return !options->plain && options->common.mode != TM_MODE_SALVAGE;
}

static void find_lost_values(tm_findings *out, const tm_map *map, tm_kind owner, const void *object,
                             tm_address object_address)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE], line[TM_ERROR_TEXT_SIZE];
    for (size_t i = 0; i < num; i++) {
        if (fields[i].type == TM_TYPE_COUNT || !tm_field_unread(&fields[i], object))
            continue;
        tm_address_format(&object_address, address, sizeof(address));
        tm_address_describe(&object_address, map, place, sizeof(place));
        snprintf(line, sizeof(line), "%s could not be read, and a folder does not hold it", fields[i].name);
        tm_findings_add(out, TM_MODE_GAME, TM_FINDING_LOST_FIELD, -1, address, place, line);
    }
}

/* What could not be read is in no file of the folder but sidecar.bin. */
static void find_lost(tm_findings *out, const tm_map *map)
{
    find_lost_values(out, map, TM_KIND_INFO, &map->info, (tm_address){.kind = TM_KIND_INFO});
    for (uint32_t i = 0; i < map->num_images; i++)
        find_lost_values(out, map, TM_KIND_IMAGE, &map->images[i], (tm_address){TM_KIND_IMAGE, i, 0});
    for (uint32_t i = 0; i < map->num_sounds; i++)
        find_lost_values(out, map, TM_KIND_SOUND, &map->sounds[i], (tm_address){TM_KIND_SOUND, i, 0});
}

static tm_status unpack_into(unpack_run *run)
{
    const bool is_new = tm_sys_kind_of(run->folder_path) == TM_SYS_MISSING;
    tm_status status = tm_store_folder_open(&run->folder, run->folder_path, true, NULL, &run->error);
    status = status ? status : check_target(run);
    if (status)
        return status;
    tm_memory_files names = {0};
    tm_buffer kept = {0};
    const tm_output to_kept = tm_output_to_buffer(&kept);
    tm_mapdir_write_options write_options = TM_MAPDIR_WRITE_OPTIONS_INIT;
    const tm_files_out only_names = {&names, note_name, false}, out = tm_store_folder_out(run->folder);
    const tm_files_in before = tm_store_folder_in(run->folder);
    write_options.before = before.num ? &before : NULL;
    write_options.unpacked_bytes =
        run->options->limit < UINT64_MAX / 10 ? run->options->limit * 10 : UINT64_MAX;
    write_options.plain = run->options->plain;
    const bool keeps = writes_sidecar(run->options);
    write_options.kept = keeps ? "" : NULL;
    status = tm_mapdir_write(run->map, &only_names, &write_options, NULL, &run->error);
    if (!status && before.num) /* what is there stays whole */
        status = write_bounded(run, NULL, &write_options);
    if (!status && keeps) {
        unpack_for_both(run);
        status = tm_mapfile_sidecar_write(run->map, &to_kept, run->job, &run->error);
        write_options.kept = kept.bytes;
        write_options.kept_size = kept.size;
    }
    status = status ? status : write_bounded(run, &out, &write_options);
    status = status ? status : remove_old(run, &names);
    if (status && !before.num)
        undo_unpacking(run, &names, is_new);
    advise_on_limit(status, &run->error, "; see --limit");
    run->num_files = names.num;
    tm_memory_files_release(&names);
    tm_buffer_release(&kept);
    return status;
}

static void unpack_one(void *ctx, cli_report *report)
{
    cli_tool *tool = ctx;
    const char *path = tool->operands[0];
    unpack_run run = {
        .tool = tool, .options = tool->options, .folder_path = tool->operands[1], .job = report->job};
    loaded file;
    load_map(&file, path, run.options->common.mode);
    run.map = file.map;
    if (!file.status && run.options->common.mode == TM_MODE_SALVAGE)
        loaded_rescue(&file, report->job);
    run.error = file.error;
    if (!file.status)
        file.status = unpack_into(&run);
    if (!file.status && !writes_sidecar(run.options))
        find_lost(&file.findings, file.map);
    const bool lost = file.rescued || findings_lose(&file.findings);
    report_loaded(report, &file, lost ? SHOW_ALL : SHOW_ERRORS);
    if (lost)
        raise_status(&report->status, STATUS_FINDINGS);
    if (!file.status)
        report_made(report,
                    json_object(JSON_TEXT("path", report->path), JSON_TEXT("output", run.folder_path),
                                JSON_INT("files", run.num_files)),
                    &file, "{{output}}: {{files:file|files}}\n");
    else
        report_error(report, &run.error);
    tm_store_folder_close(run.folder);
    loaded_release(&file);
}

int cmd_unpack(cli_tool *tool)
{
    const char *path = tool->operands[0];
    tool->needs = FILE_NEEDS_BLOCK;
    tool_each(tool, &path, 1, unpack_one, tool);
    return STATUS_DONE;
}
