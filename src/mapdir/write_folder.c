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
    const writing *of;
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
    const tm_field *field = tm_field_find(TM_OWNER_INFO, "settings");
    tm_status status = TM_OK;
    tmi_out to;
    tmi_out_start(&to, output, error);
    for (uint32_t i = 0; i < info->num_settings && status == TM_OK; i++) {
        const char *line = info->settings[i], *at = line;
        const size_t length = strlen(line);
        /* Written without quotes, unless editors would remove spaces at its ends. */
        bool plain = !length || (line[0] != '"' && line[0] != ' ' && line[length - 1] != ' ');
        for (size_t step; plain && *at; at += step) {
            step = tmi_text_step(at);
            plain = step;
        }
        if (plain) {
            tmi_out_string(&to, line);
        } else {
            const tm_value value = tm_field_get(field, info, i);
            const size_t size = tm_value_format(NULL, 0, field, &value, NULL) + 1;
            char *text;
            status = tmi_reserve(&text, NULL, size, 1, "a setting", error);
            if (status == TM_OK) {
                tm_value_format(text, size, field, &value, NULL);
                tmi_out_string(&to, text);
                tmi_free(NULL, text, size, 1);
            }
        }
        tmi_out_raw(&to, "\n", 1);
    }
    const tm_status written = tmi_out_end(&to);
    return status == TM_OK ? written : status;
}

/* Writes the names of all objects, by which they are found again, an empty line, and the caller's bytes. */
static tm_status put_sidecar(const writing *of, const tm_output *output, tm_error *error)
{
    const tmi_names *names = &of->names;
    tmi_out to;
    tmi_out_start(&to, output, error);
    tmi_out_string(&to, "teemap kept 1\n");
    for (uint32_t list = 0; list < TMI_LISTS + of->map->num_groups; list++) {
        for (uint32_t i = 0; i < tmi_list_num(of->map, list); i++) {
            tmi_out_string(&to, tmi_address_word(tmi_list_at(list, i).kind));
            tmi_out_raw(&to, " ", 1);
            if (list >= TMI_LISTS) {
                tmi_out_string(&to, names->lists[TM_OBJECT_GROUP][list - TMI_LISTS]);
                tmi_out_raw(&to, "/", 1);
            }
            tmi_out_string(&to, names->lists[list][i]);
            tmi_out_raw(&to, "\n", 1);
        }
    }
    tmi_out_raw(&to, "\n", 1);
    TM_TRY(tmi_out_end(&to));
    return tmi_output_write(output, of->options.kept, of->options.kept_size, error);
}

/* -------------------------------------------------------------------------------------------------- lists */

static tm_status write_name_list(const char *const *names, uint32_t num, const tm_output *output,
                                 tm_error *error)
{
    tmi_out to;
    tmi_out_start(&to, output, error);
    for (uint32_t i = 0; i < num; i++) {
        tmi_out_string(&to, names[i]);
        tmi_out_raw(&to, "\n", 1);
    }
    return tmi_out_end(&to);
}

/* The block that an image or a sound embeds, which has a file of its own; NULL for all else. */
static const tm_block *piece_embedded(const piece *at)
{
    return at->list == TM_OBJECT_IMAGE   ? at->of->map->images[at->index].pixels
           : at->list == TM_OBJECT_SOUND ? at->of->map->sounds[at->index].data
                                         : NULL;
}

static bool is_picture(const piece *at)
{
    return at->list == TM_OBJECT_IMAGE && tmi_is_picture(&at->of->map->images[at->index]);
}

static void piece_path(char path[TMI_PATH_SIZE], const piece *at)
{
    static const char *const paths[] = {[PIECE_MAP] = "map.json",
                                        [PIECE_INFO] = "info.json",
                                        [PIECE_SETTINGS] = "settings.txt",
                                        [PIECE_SIDECAR] = "sidecar.bin",
                                        [PIECE_ASSETS] = "list.json"};
    const tmi_names *names = &at->of->names;
    if (at->kind < PIECE_LIST)
        tmi_format(path, TMI_PATH_SIZE, "%s", paths[at->kind]);
    else if (at->kind == PIECE_LIST)
        tmi_list_path(path, names, at->list);
    else
        tmi_object_path(path, names, at->list, names->lists[at->list][at->index],
                        at->kind == PIECE_OBJECT      ? ".json"
                        : is_picture(at)              ? ".png"
                        : at->list == TM_OBJECT_IMAGE ? ".bin"
                                                      : ".opus");
}

/* Writes a line for each image and sound: its address, its name in the map, and its file, if it has one. */
static tm_status put_asset_list(const writing *of, const tm_output *output, tm_error *error)
{
    piece at = {.kind = PIECE_EMBEDDED, .of = of};
    tmi_out to;
    tmi_out_start(&to, output, error);
    to.lines = 2;
    tmi_out_open(&to, NULL, '{');
    for (at.list = TM_OBJECT_IMAGE; at.list <= TM_OBJECT_SOUND; at.list++) {
        tmi_out_open(&to, tmi_list_names[at.list], '[');
        for (at.index = 0; at.index < tmi_list_num(of->map, at.list); at.index++) {
            const tm_address address = tmi_list_at(at.list, at.index);
            const char *name = tmi_object_name(of->map, &address);
            char text[TMI_PATH_SIZE];
            tm_address_format(&address, text, sizeof(text));
            tmi_out_open(&to, NULL, '{');
            tmi_out_text(&to, "address", text);
            tmi_out_text(&to, "name", name ? name : "");
            piece_path(text, &at);
            tmi_out_exact(&to, "file", piece_embedded(&at) ? text : NULL);
            tmi_out_close(&to, '}');
        }
        tmi_out_close(&to, ']');
    }
    tmi_out_close(&to, '}');
    tmi_out_raw(&to, "\n", 1);
    return tmi_out_end(&to);
}

static tm_status put_embedded(const piece *at, const tm_output *output, tm_error *error)
{
    const tm_map *map = at->of->map;
    const tm_image *image = is_picture(at) ? &map->images[at->index] : NULL;
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    tmi_borrowed of;
    options.channels = image && image->format == TM_IMAGE_RGB ? 3 : 4;
    options.allocator = tmi_map_allocator(map);
    TM_TRY(tmi_borrowed_open(&of, map, piece_embedded(at), error));
    const tm_status status = image ? tm_png_write(output, of.bytes, (uint32_t)image->width,
                                                  (uint32_t)image->height, &options, error)
                                   : tmi_output_write(output, of.bytes, (size_t)of.size, error);
    tmi_borrowed_close(&of);
    return status;
}

static tm_status put_content(const piece *at, const tm_buffer *more, const tm_output *output, tm_error *error)
{
    const tm_map *map = at->of->map;
    const tmi_names *names = &at->of->names;
    const tm_address object = tmi_list_at(at->list, at->index);
    switch (at->kind) {
    case PIECE_MAP: return tmi_write_object(names, (tm_address){TM_ADDRESS_MAP, 0, 0}, more, output, error);
    case PIECE_INFO: return tmi_write_object(names, (tm_address){TM_ADDRESS_INFO, 0, 0}, more, output, error);
    case PIECE_SETTINGS: return put_settings(&map->info, output, error);
    case PIECE_SIDECAR: return put_sidecar(at->of, output, error);
    case PIECE_ASSETS: return put_asset_list(at->of, output, error);
    case PIECE_LIST:
        return write_name_list(names->lists[at->list], tmi_list_num(map, at->list), output, error);
    case PIECE_EMBEDDED: return tmi_fail_at_address(error, put_embedded(at, output, error), map, object);
    default: return tmi_write_object(names, object, more, output, error);
    }
}

/* Writes a file; `ctx` is a piece. JSON keeps the unknown members of its old version. */
static tm_status write_whole_piece(void *ctx, const tm_output *output, tm_error *error)
{
    const piece *at = ctx;
    const tm_files_in *before = at->of->options.before;
    tm_buffer more = {.allocator = tmi_map_allocator(at->of->map)};
    char path[TMI_PATH_SIZE];
    piece_path(path, at);
    const char *end = strrchr(path, '.');
    tm_status status =
        before && end && strcmp(end, ".json") == 0 ? tmi_unknown_members(&more, before, path, error) : TM_OK;
    if (status == TM_OK)
        status = put_content(at, &more, output, error);
    tm_buffer_release(&more);
    return status;
}

/* -------------------------------------------------------------------------------------------- all of them */

static void add_piece(writing *of, piece_kind kind, uint32_t list, uint32_t index)
{
    if (of->pieces)
        of->pieces[of->num] = (piece){.kind = kind, .of = of, .list = list, .index = index};
    of->num++;
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
static void add_list(writing *of, uint32_t list)
{
    const uint32_t num = tmi_list_num(of->map, list);
    if (!of->extract && (num || list >= TM_OBJECT_GROUP))
        add_piece(of, PIECE_LIST, list, 0);
    for (uint32_t i = 0; i < num; i++) {
        if (!of->extract)
            add_piece(of, PIECE_OBJECT, list, i);
        if (piece_embedded(&(piece){.of = of, .list = list, .index = i}))
            add_piece(of, PIECE_EMBEDDED, list, i);
        if (!of->extract && list == TM_OBJECT_GROUP)
            add_list(of, TMI_LISTS + i);
    }
}

static void add_pieces(writing *of)
{
    of->num = 0;
    if (!of->extract)
        add_piece(of, PIECE_MAP, 0, 0);
    add_piece(of, PIECE_INFO, 0, 0);
    if (of->map->info.num_settings)
        add_piece(of, PIECE_SETTINGS, 0, 0);
    if (of->options.kept)
        add_piece(of, PIECE_SIDECAR, 0, 0);
    for (uint32_t list = 0; list < TMI_LISTS; list++)
        add_list(of, list);
    if (of->extract)
        add_piece(of, PIECE_ASSETS, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ writing */

static tm_status write_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const writing *of = ctx;
    piece *at = &of->pieces[index];
    char path[TMI_PATH_SIZE];
    (void)worker;
    piece_path(path, at);
    const tm_status status = of->files->write(of->files->ctx, path, write_whole_piece, at, error);
    *stop = status != TM_OK;
    return status;
}

/* The bytes that are unpacked for a file, and one. */
static uint64_t weight_of(void *ctx, uint32_t index)
{
    const writing *of = ctx;
    const piece *at = &of->pieces[index];
    const bool unpacks = at->kind == PIECE_EMBEDDED || (at->kind == PIECE_OBJECT && at->list >= TMI_LISTS);
    const tm_address address = tmi_list_at(at->list, at->index);
    tm_block **slots[2];
    tm_owner owner;
    void *object = TMI_UNCONST(void, tmi_map_object(of->map, &address, &owner));
    const uint32_t num = unpacks ? tmi_object_blocks(owner, object, slots) : 0;
    uint64_t weight = 1;
    for (uint32_t i = 0; i < num; i++)
        weight += tm_block_get_info(*slots[i]).size;
    return weight;
}

/* Counts the files, lists them in memory of that size, and writes them. */
static tm_status write_pieces(writing *of, const tm_job *job, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(of->map);
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    if (!of->files->parallel)
        how.executor = NULL;
    add_pieces(of);
    TM_TRY(tmi_reserve(&of->pieces, allocator, of->num, sizeof(*of->pieces), "the list of files", error));
    const uint32_t num = of->num;
    add_pieces(of);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = allocator,
                             .ctx = of,
                             .num = num,
                             .work = write_piece,
                             .weight = weight_of,
                             .memory = weight_of};
    const uint64_t most = of->options.unpacked_bytes ? of->options.unpacked_bytes : (uint64_t)1 << 30;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < num && sum <= most; i++)
        sum += weight_of(of, i) - 1;
    tm_status status = TM_OK;
    if (sum > most)
        status =
            tmi_fail(error, TM_ERROR_LIMIT, -1, "unpacking the map takes more than %llu bytes, the limit",
                     (unsigned long long)most);
    else
        status = tm_tasks_run(&pieces, &how, error);
    tmi_free(allocator, of->pieces, num, sizeof(*of->pieces));
    return status;
}

static tm_status write_files(writing *of, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(of->map, "map", error));
    TM_TRY(tmi_need(of->files, "files", error));
    if (!of->files->write)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "files->write is NULL");
    TM_TRY(tm_map_verify(of->map, error));
    TM_TRY(tmi_names_make(&of->names, of->map, of->options.before, error));
    of->names.plain = of->options.plain;
    const tm_status status = write_pieces(of, job, error);
    tmi_names_release(&of->names);
    return status;
}

tm_status tm_mapdir_write(const tm_map *map, const tm_files_out *files,
                          const tm_mapdir_write_options *options, const tm_job *job, tm_error *error)
{
    writing of = {.map = map, .files = files};
    TM_TRY(tmi_options_take(&of.options, sizeof(of.options), options, "tm_mapdir_write_options", error));
    return write_files(&of, job, error);
}

tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job, tm_error *error)
{
    writing of = {.map = map, .files = files, .extract = true};
    return write_files(&of, job, error);
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
