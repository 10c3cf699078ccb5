/* SPDX-License-Identifier: Zlib */
/*
 * Writes a map as files: one for each object, lists with their order, pictures, sounds, the settings, and the
 * sidecar. Each file is written on its own, so that several threads can work.
 */
#include "mapdir.h"

/* ----------------------------------------------------------------------------------------- files of a map */

typedef struct writing writing;

/* What a file holds. */
typedef enum piece_kind {
    PIECE_MAP,
    PIECE_INFO,
    PIECE_SETTINGS,
    PIECE_SIDECAR,
    PIECE_ASSETS,  /* list.json of tm_mapdir_extract */
    PIECE_LIST,    /* the names of a list */
    PIECE_OBJECT,  /* the JSON of an object in a list */
    PIECE_EMBEDDED /* its pixels or its Opus file */
} piece_kind;

/* A file that is to be written. */
typedef struct piece {
    piece_kind kind;
    const writing *folder;
    uint32_t list, index;
} piece;

struct writing {
    const tm_map *map;
    const tm_files_out *files;
    tm_mapdir_write_options options;
    bool extract; /* tm_mapdir_extract: only embedded data, settings and info */
    tmi_names names;
    piece *pieces;
    uint32_t num;
};

/* ---------------------------------------------------------------------------------------------- whole map */

static tm_status put_settings(const tm_info *info, const tm_output *output, tm_error *error)
{
    const tm_field *field = tm_field_find(TM_KIND_INFO, "settings");
    tm_status status = TM_OK;
    tmi_out writer;
    tmi_out_start(&writer, output, error);
    for (uint32_t i = 0; i < info->num_settings && status == TM_OK; i++) {
        const char *line = info->settings[i], *cursor = line;
        const size_t length = strlen(line);
        /* Written without quotes, unless editors would remove spaces at its ends. */
        bool plain = !length || (line[0] != '"' && line[0] != ' ' && line[length - 1] != ' ');
        for (size_t step; plain && *cursor; cursor += step) {
            step = tmi_text_step(cursor);
            plain = step;
        }
        if (plain) {
            tmi_out_string(&writer, line);
        } else {
            const tm_value value = tm_field_get(field, info, i);
            const size_t size = tm_value_format(NULL, 0, field, &value, NULL) + 1;
            char *text;
            status = tmi_reserve(&text, NULL, size, 1, "a setting", error);
            if (status == TM_OK) {
                tm_value_format(text, size, field, &value, NULL);
                tmi_out_string(&writer, text);
                tmi_free(NULL, text, size, 1);
            }
        }
        tmi_out_raw(&writer, "\n", 1);
    }
    const tm_status written = tmi_out_end(&writer);
    return status == TM_OK ? written : status;
}

/* Writes the names of all objects, by which they are found again, an empty line, and the caller's bytes. */
static tm_status put_sidecar(const writing *folder, const tm_output *output, tm_error *error)
{
    const tmi_names *names = &folder->names;
    tmi_out writer;
    tmi_out_start(&writer, output, error);
    tmi_out_string(&writer, "teemap kept 1\n");
    for (uint32_t list = TM_KIND_IMAGE; list < TM_KIND_LAYER + folder->map->num_groups; list++) {
        for (uint32_t i = 0; i < tmi_list_num(folder->map, list); i++) {
            tmi_out_string(&writer, tm_kind_name(tmi_list_at(list, i).kind));
            tmi_out_raw(&writer, " ", 1);
            if (list >= TM_KIND_LAYER) {
                tmi_out_string(&writer, names->lists[TM_KIND_GROUP][list - TM_KIND_LAYER]);
                tmi_out_raw(&writer, "/", 1);
            }
            tmi_out_string(&writer, names->lists[list][i]);
            tmi_out_raw(&writer, "\n", 1);
        }
    }
    tmi_out_raw(&writer, "\n", 1);
    TM_TRY(tmi_out_end(&writer));
    return tmi_output_write(output, folder->options.kept, folder->options.kept_size, error);
}

/* -------------------------------------------------------------------------------------------------- lists */

static tm_status write_name_list(const char *const *names, uint32_t num, const tm_output *output,
                                 tm_error *error)
{
    tmi_out writer;
    tmi_out_start(&writer, output, error);
    for (uint32_t i = 0; i < num; i++) {
        tmi_out_string(&writer, names[i]);
        tmi_out_raw(&writer, "\n", 1);
    }
    return tmi_out_end(&writer);
}

/* The block that an image or a sound embeds, which has a file of its own; NULL for all else. */
static const tm_block *piece_embedded(const piece *entry)
{
    return entry->list == TM_KIND_IMAGE   ? entry->folder->map->images[entry->index].pixels
           : entry->list == TM_KIND_SOUND ? entry->folder->map->sounds[entry->index].data
                                          : NULL;
}

static bool is_picture(const piece *entry)
{
    return entry->list == TM_KIND_IMAGE && tmi_is_picture(&entry->folder->map->images[entry->index]);
}

static void piece_path(char path[TMI_PATH_SIZE], const piece *entry)
{
    static const char *const paths[] = {[PIECE_MAP] = "map.json",
                                        [PIECE_INFO] = "info.json",
                                        [PIECE_SETTINGS] = "settings.txt",
                                        [PIECE_SIDECAR] = "sidecar.bin",
                                        [PIECE_ASSETS] = "list.json"};
    const tmi_names *names = &entry->folder->names;
    if (entry->kind < PIECE_LIST)
        tmi_format(path, TMI_PATH_SIZE, "%s", paths[entry->kind]);
    else if (entry->kind == PIECE_LIST)
        tmi_list_path(path, names, entry->list);
    else
        tmi_object_path(path, names, entry->list, names->lists[entry->list][entry->index],
                        entry->kind == PIECE_OBJECT    ? ".json"
                        : is_picture(entry)            ? ".png"
                        : entry->list == TM_KIND_IMAGE ? ".bin"
                                                       : ".opus");
}

/* Writes a line for each image and sound: its address, its name in the map, and its file, if it has one. */
static tm_status put_asset_list(const writing *folder, const tm_output *output, tm_error *error)
{
    piece entry = {.kind = PIECE_EMBEDDED, .folder = folder};
    tmi_out writer;
    tmi_out_start(&writer, output, error);
    writer.lines = 2;
    tmi_out_open(&writer, NULL, '{');
    for (entry.list = TM_KIND_IMAGE; entry.list <= TM_KIND_SOUND; entry.list++) {
        tmi_out_open(&writer, tmi_list_names[entry.list], '[');
        for (entry.index = 0; entry.index < tmi_list_num(folder->map, entry.list); entry.index++) {
            const tm_address address = tmi_list_at(entry.list, entry.index);
            const char *name = tmi_object_name(folder->map, &address);
            char text[TMI_PATH_SIZE];
            tm_address_format(&address, text, sizeof(text));
            tmi_out_open(&writer, NULL, '{');
            tmi_out_text(&writer, "address", text);
            tmi_out_text(&writer, "name", name ? name : "");
            piece_path(text, &entry);
            tmi_out_exact(&writer, "file", piece_embedded(&entry) ? text : NULL);
            tmi_out_close(&writer, '}');
        }
        tmi_out_close(&writer, ']');
    }
    tmi_out_close(&writer, '}');
    tmi_out_raw(&writer, "\n", 1);
    return tmi_out_end(&writer);
}

static tm_status put_embedded(const piece *entry, const tm_output *output, tm_error *error)
{
    const tm_map *map = entry->folder->map;
    const tm_image *image = is_picture(entry) ? &map->images[entry->index] : NULL;
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    tmi_borrowed loan;
    options.channels = image && image->format == TM_IMAGE_RGB ? 3 : 4;
    options.allocator = tmi_map_allocator(map);
    TM_TRY(tmi_borrowed_open(&loan, map, piece_embedded(entry), error));
    const tm_status status = image ? tm_png_write(output, loan.bytes, (uint32_t)image->width,
                                                  (uint32_t)image->height, &options, error)
                                   : tmi_output_write(output, loan.bytes, (size_t)loan.size, error);
    tmi_borrowed_close(&loan);
    return status;
}

static tm_status put_content(const piece *entry, const tm_buffer *extra, const tm_output *output,
                             tm_error *error)
{
    const tm_map *map = entry->folder->map;
    const tmi_names *names = &entry->folder->names;
    const tm_address object = tmi_list_at(entry->list, entry->index);
    switch (entry->kind) {
    case PIECE_MAP: return tmi_write_object(names, (tm_address){TM_KIND_MAP, 0, 0}, extra, output, error);
    case PIECE_INFO: return tmi_write_object(names, (tm_address){TM_KIND_INFO, 0, 0}, extra, output, error);
    case PIECE_SETTINGS: return put_settings(&map->info, output, error);
    case PIECE_SIDECAR: return put_sidecar(entry->folder, output, error);
    case PIECE_ASSETS: return put_asset_list(entry->folder, output, error);
    case PIECE_LIST:
        return write_name_list(names->lists[entry->list], tmi_list_num(map, entry->list), output, error);
    case PIECE_EMBEDDED: return tmi_fail_at_address(error, put_embedded(entry, output, error), map, object);
    default: return tmi_write_object(names, object, extra, output, error);
    }
}

/* Writes a file; `ctx` is a piece. JSON keeps the unknown members of its old version. */
static tm_status write_whole_piece(void *ctx, const tm_output *output, tm_error *error)
{
    const piece *entry = ctx;
    const tm_files_in *before = entry->folder->options.before;
    tm_buffer extra = {.allocator = tmi_map_allocator(entry->folder->map)};
    char path[TMI_PATH_SIZE];
    piece_path(path, entry);
    const char *end = strrchr(path, '.');
    tm_status status =
        before && end && strcmp(end, ".json") == 0 ? tmi_unknown_members(&extra, before, path, error) : TM_OK;
    if (status == TM_OK)
        status = put_content(entry, &extra, output, error);
    tm_buffer_release(&extra);
    return status;
}

/* -------------------------------------------------------------------------------------------- all of them */

static void add_piece(writing *folder, piece_kind kind, uint32_t list, uint32_t index)
{
    if (folder->pieces)
        folder->pieces[folder->num] = (piece){.kind = kind, .folder = folder, .list = list, .index = index};
    folder->num++;
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
static void add_list(writing *folder, uint32_t list)
{
    const uint32_t num = tmi_list_num(folder->map, list);
    if (!folder->extract && (num || list >= TM_KIND_GROUP))
        add_piece(folder, PIECE_LIST, list, 0);
    for (uint32_t i = 0; i < num; i++) {
        if (!folder->extract)
            add_piece(folder, PIECE_OBJECT, list, i);
        if (piece_embedded(&(piece){.folder = folder, .list = list, .index = i}))
            add_piece(folder, PIECE_EMBEDDED, list, i);
        if (!folder->extract && list == TM_KIND_GROUP)
            add_list(folder, TM_KIND_LAYER + i);
    }
}

static void add_pieces(writing *folder)
{
    folder->num = 0;
    if (!folder->extract)
        add_piece(folder, PIECE_MAP, 0, 0);
    add_piece(folder, PIECE_INFO, 0, 0);
    if (folder->map->info.num_settings)
        add_piece(folder, PIECE_SETTINGS, 0, 0);
    if (folder->options.kept)
        add_piece(folder, PIECE_SIDECAR, 0, 0);
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_LAYER; list++)
        add_list(folder, list);
    if (folder->extract)
        add_piece(folder, PIECE_ASSETS, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ writing */

static tm_status write_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const writing *folder = ctx;
    piece *entry = &folder->pieces[index];
    char path[TMI_PATH_SIZE];
    (void)worker;
    piece_path(path, entry);
    const tm_status status = folder->files->write(folder->files->ctx, path, write_whole_piece, entry, error);
    *stop = status != TM_OK;
    return status;
}

/* The bytes that are unpacked for a file, and one. */
static uint64_t weight_of(void *ctx, uint32_t index)
{
    const writing *folder = ctx;
    const piece *entry = &folder->pieces[index];
    const bool unpacks =
        entry->kind == PIECE_EMBEDDED || (entry->kind == PIECE_OBJECT && entry->list >= TM_KIND_LAYER);
    const tm_address address = tmi_list_at(entry->list, entry->index);
    tm_block **slots[2];
    tm_kind owner;
    void *object = TMI_UNCONST(void, tmi_map_object(folder->map, &address, &owner));
    const uint32_t num = unpacks ? tmi_object_blocks(owner, object, slots) : 0;
    uint64_t weight = 1;
    for (uint32_t i = 0; i < num; i++)
        weight += tm_block_get_info(*slots[i]).size;
    return weight;
}

/* Counts the files, lists them in memory of that size, and writes them. */
static tm_status write_pieces(writing *folder, const tm_job *job, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(folder->map);
    tm_job job_copy;
    TM_TRY(tmi_job_take(&job_copy, job, error));
    if (!folder->files->parallel)
        job_copy.executor = NULL;
    add_pieces(folder);
    TM_TRY(tmi_reserve(&folder->pieces, allocator, folder->num, sizeof(*folder->pieces), "the list of files",
                       error));
    const uint32_t num = folder->num;
    add_pieces(folder);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = allocator,
                             .ctx = folder,
                             .num = num,
                             .work = write_piece,
                             .weight = weight_of,
                             .memory = weight_of};
    const uint64_t most = folder->options.unpacked_bytes ? folder->options.unpacked_bytes : (uint64_t)1 << 30;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < num && sum <= most; i++)
        sum += weight_of(folder, i) - 1;
    tm_status status = TM_OK;
    if (sum > most)
        status =
            tmi_fail(error, TM_ERROR_LIMIT, -1, "unpacking the map takes more than %llu bytes, the limit",
                     (unsigned long long)most);
    else
        status = tm_tasks_run(&pieces, &job_copy, error);
    tmi_free(allocator, folder->pieces, num, sizeof(*folder->pieces));
    return status;
}

static tm_status write_files(writing *folder, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(folder->map, "map", error));
    TM_TRY(tmi_need(folder->files, "files", error));
    if (!folder->files->write)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "files->write is NULL");
    TM_TRY(tm_map_verify(folder->map, error));
    TM_TRY(tmi_names_make(&folder->names, folder->map, folder->options.before, error));
    folder->names.plain = folder->options.plain;
    const tm_status status = write_pieces(folder, job, error);
    tmi_names_release(&folder->names);
    return status;
}

tm_status tm_mapdir_write(const tm_map *map, const tm_files_out *files,
                          const tm_mapdir_write_options *options, const tm_job *job, tm_error *error)
{
    writing folder = {.map = map, .files = files};
    TM_TRY(
        tmi_options_take(&folder.options, sizeof(folder.options), options, "tm_mapdir_write_options", error));
    return write_files(&folder, job, error);
}

tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job, tm_error *error)
{
    writing folder = {.map = map, .files = files, .extract = true};
    return write_files(&folder, job, error);
}

/* --------------------------------------------------------------------------------------------- one object */

tm_status tm_mapdir_write_object(const tm_map *map, const tm_address *address, const tm_output *output,
                                 tm_error *error)
{
    tmi_names names;
    TM_TRY(tmi_check_address(map, address, error));
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_names_make(&names, map, NULL, error));
    const tm_status status = tmi_write_object(&names, *address, NULL, output, error);
    tmi_names_release(&names);
    return status;
}
