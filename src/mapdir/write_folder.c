/* SPDX-License-Identifier: Zlib */
/*
 * A map as files: one for each object, lists that say in which order they come, and next to them
 * pictures, sounds, the settings, and what was kept of the file. Each file is written on its own, so that
 * several threads can do it.
 */
#include "mapdir.h"

/* "image", "sound", ... */
static const char *word_of(int kind)
{
    return tmi_address_word(tmi_address_kind_of((tm_object)kind));
}

static void path_of(char *path, const tmi_piece *at, tm_object kind, const char *end)
{
    tmi_format(path, TMI_PATH_SIZE, "%s/%s%s", tmi_list_names[kind], at->of->names.of[kind][at->index], end);
}

/* ---------------------------------------------------------------------------------------------- whole map */

/* The plain fields of the map or its info. */
static tm_status write_root(const tmi_names *names, tm_owner owner, const void *object,
                            const tm_output *output, tm_error *error)
{
    tmi_out to;
    const tmi_object_out m = tmi_object_start(&to, names, output, error);
    if (owner == TM_OWNER_MAP)
        tmi_out_number(&to, "teemap_folder", TMI_FOLDER_VERSION);
    tmi_object_put(&m, owner, object);
    return tmi_object_end(&to, TM_OK);
}

static tm_status put_map_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    tm_map map = *at->of->map;
    if (at->of->names.plain && map.version == 0)
        map.version = 1;
    return write_root(&at->of->names, TM_OWNER_MAP, &map, output, error);
}

static tm_status put_info_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    return write_root(&at->of->names, TM_OWNER_INFO, &at->of->map->info, output, error);
}

/* Whether a command can stand on a line as it is: an editor must not lose what is at its ends. */
static bool is_plain_line(const char *text)
{
    const size_t size = strlen(text);
    if (size && (text[0] == '"' || text[0] == ' ' || text[size - 1] == ' '))
        return false;
    while (*text) {
        const size_t step = tmi_text_step(text);
        if (step == 0)
            return false;
        text += step;
    }
    return true;
}

static tm_status put_quoted_setting(tmi_out *to, const tm_info *info, uint32_t index)
{
    const tm_field *field = tm_field_find(TM_OWNER_INFO, "settings");
    const tm_value value = tm_field_get(field, info, index);
    const size_t size = tm_value_format(NULL, 0, field, &value, NULL) + 1;
    char *text;
    TM_TRY(tmi_reserve(&text, NULL, size, 1, "a setting", to->error));
    tm_value_format(text, size, field, &value, NULL);
    tmi_out_string(to, text);
    tmi_free(NULL, text, size, 1);
    return TM_OK;
}

static tm_status put_settings_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    const tm_info *info = &at->of->map->info;
    tm_status status = TM_OK;
    tmi_out to;
    tmi_out_start(&to, output, error);
    for (uint32_t i = 0; i < info->num_settings && status == TM_OK; i++) {
        if (is_plain_line(info->settings[i]))
            tmi_out_string(&to, info->settings[i]);
        else
            status = put_quoted_setting(&to, info, i);
        tmi_out_raw(&to, "\n", 1);
    }
    const tm_status written = tmi_out_end(&to);
    return status == TM_OK ? written : status;
}

/* The names of all objects, by which they are found again, an empty line, and what the caller gave. */
static tm_status put_sidecar(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    const tmi_names *names = &at->of->names;
    tmi_out to;
    tmi_out_start(&to, output, error);
    tmi_out_string(&to, "teemap kept 1\n");
    for (int kind = 0; kind < TMI_LISTS; kind++) {
        for (uint32_t i = 0; i < names->num[kind]; i++) {
            tmi_out_string(&to, word_of(kind));
            tmi_out_raw(&to, " ", 1);
            tmi_out_string(&to, names->of[kind][i]);
            tmi_out_raw(&to, "\n", 1);
        }
    }
    for (uint32_t g = 0; g < at->of->map->num_groups; g++) {
        for (uint32_t l = 0; l < at->of->map->groups[g].num_layers; l++) {
            tmi_out_string(&to, "layer ");
            tmi_out_string(&to, names->of[TM_OBJECT_GROUP][g]);
            tmi_out_raw(&to, "/", 1);
            tmi_out_string(&to, names->layers[g][l]);
            tmi_out_raw(&to, "\n", 1);
        }
    }
    tmi_out_raw(&to, "\n", 1);
    TM_TRY(tmi_out_end(&to));
    return tmi_output_write(output, at->of->options.kept, at->of->options.kept_size, error);
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

static void path_of_list(char *path, const tmi_piece *at)
{
    tmi_format(path, TMI_PATH_SIZE, "%s.txt", tmi_list_names[at->index]);
}

static tm_status put_list_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    return write_name_list(at->of->names.of[at->index], at->of->names.num[at->index], output, error);
}

static void path_of_layer_list(char *path, const tmi_piece *at)
{
    path_of(path, at, TM_OBJECT_GROUP, "/layers.txt");
}

static tm_status put_layer_list(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    return write_name_list(at->of->names.layers[at->index], at->of->map->groups[at->index].num_layers, output,
                           error);
}

/* ------------------------------------------------------------------------------------------------ objects */

/* The `layer` of these pieces is the kind of their objects. */
static void path_of_object_file(char *path, const tmi_piece *at)
{
    path_of(path, at, (tm_object)at->layer, ".json");
}

static tm_status put_object_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    const tm_address address = {tmi_address_kind_of((tm_object)at->layer), at->index, 0};
    return tmi_write_object(at->of->map, &at->of->names, address, output, error);
}

/* The file of what an image or a sound embeds. */
static const tm_block *piece_embedded(const tmi_piece *at)
{
    return at->layer == TM_OBJECT_IMAGE ? at->of->map->images[at->index].pixels
                                        : at->of->map->sounds[at->index].data;
}

static bool is_picture(const tmi_piece *at)
{
    return at->layer == TM_OBJECT_IMAGE &&
           tmi_pixels_form(&at->of->map->images[at->index]) == TMI_BLOCK_PICTURE;
}

static void path_of_embedded(char *path, const tmi_piece *at)
{
    path_of(path, at, (tm_object)at->layer,
            is_picture(at)                 ? ".png"
            : at->layer == TM_OBJECT_IMAGE ? ".bin"
                                           : ".opus");
}

static tm_status put_embedded(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    const tm_map *map = at->of->map;
    const tm_status status = is_picture(at) ? tmi_write_pixels(map, &map->images[at->index], output, error)
                                            : tmi_write_block(map, piece_embedded(at), output, error);
    const tm_address address = {tmi_address_kind_of((tm_object)at->layer), at->index, 0};
    return status == TM_OK ? TM_OK : tmi_fail_at_address(error, status, map, address);
}

static void path_of_layer(char *path, const tmi_piece *at)
{
    tmi_format(path, TMI_PATH_SIZE, "%s/%s/%s.json", tmi_list_names[TM_OBJECT_GROUP],
               at->of->names.of[TM_OBJECT_GROUP][at->index], at->of->names.layers[at->index][at->layer]);
}

static tm_status put_layer_file(void *ctx, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = ctx;
    return tmi_write_object(at->of->map, &at->of->names, (tm_address){TM_ADDRESS_LAYER, at->index, at->layer},
                            output, error);
}

static const tm_block *piece_elements(const tmi_piece *at)
{
    tm_block *const *slot = tmi_layer_elements(&at->of->map->groups[at->index].layers[at->layer]);
    return slot ? *slot : NULL;
}

/* A line for each image and sound: its address, its name in the map, and its file, if it has one. */
static tm_status put_asset_list(void *ctx, const tm_output *output, tm_error *error)
{
    tmi_piece at = *(const tmi_piece *)ctx;
    tmi_out to;
    tmi_object_start(&to, &at.of->names, output, error);
    to.lines = 2;
    for (at.layer = TM_OBJECT_IMAGE; at.layer <= TM_OBJECT_SOUND; at.layer++) {
        tmi_out_open(&to, tmi_list_names[at.layer], '[');
        for (at.index = 0; at.index < tmi_num_objects(at.of->map, (tm_object)at.layer); at.index++) {
            const tm_address address = {tmi_address_kind_of((tm_object)at.layer), at.index, 0};
            const char *name = tmi_object_name(at.of->map, &address);
            char text[TMI_PATH_SIZE];
            tm_address_format(&address, text, sizeof(text));
            tmi_out_open(&to, NULL, '{');
            tmi_out_text(&to, "address", text);
            tmi_out_text(&to, "name", name ? name : "");
            path_of_embedded(text, &at);
            if (piece_embedded(&at))
                tmi_out_text(&to, "file", text);
            else
                tmi_out_null(&to, "file");
            tmi_out_close(&to, '}');
        }
        tmi_out_close(&to, ']');
    }
    return tmi_object_end(&to, TM_OK);
}

static const tmi_piece_kind map_file = {"map.json", NULL, put_map_file, NULL};
static const tmi_piece_kind info_file = {"info.json", NULL, put_info_file, NULL};
static const tmi_piece_kind settings_file = {"settings.txt", NULL, put_settings_file, NULL};
static const tmi_piece_kind sidecar = {"sidecar.bin", NULL, put_sidecar, NULL};
static const tmi_piece_kind list_file = {NULL, path_of_list, put_list_file, NULL};
static const tmi_piece_kind layer_list_file = {NULL, path_of_layer_list, put_layer_list, NULL};
static const tmi_piece_kind embedded_file = {NULL, path_of_embedded, put_embedded, piece_embedded};
static const tmi_piece_kind layer_file = {NULL, path_of_layer, put_layer_file, piece_elements};
static const tmi_piece_kind asset_list = {"list.json", NULL, put_asset_list, NULL};
static const tmi_piece_kind object_file = {NULL, path_of_object_file, put_object_file, NULL};

/* -------------------------------------------------------------------------------------------- all of them */

static void add_piece(tmi_writing *of, const tmi_piece_kind *kind, uint32_t index, uint32_t layer)
{
    if (of->pieces)
        of->pieces[of->num] = (tmi_piece){.kind = kind, .of = of, .index = index, .layer = layer};
    of->num++;
}

static void add_embedded_file(tmi_writing *of, uint32_t index, tm_object kind)
{
    const tmi_piece at = {.kind = &embedded_file, .of = of, .index = index, .layer = (uint32_t)kind};
    if (kind <= TM_OBJECT_SOUND && piece_embedded(&at))
        add_piece(of, &embedded_file, index, (uint32_t)kind);
}

static void add_objects(tmi_writing *of, tm_object kind)
{
    for (uint32_t i = 0; i < of->names.num[kind]; i++) {
        add_piece(of, &object_file, i, (uint32_t)kind);
        add_embedded_file(of, i, kind);
        if (kind != TM_OBJECT_GROUP)
            continue;
        add_piece(of, &layer_list_file, i, 0);
        for (uint32_t l = 0; l < of->map->groups[i].num_layers; l++)
            add_piece(of, &layer_file, i, l);
    }
}

static void add_embedded(tmi_writing *of)
{
    add_piece(of, &info_file, 0, 0);
    if (of->map->info.num_settings)
        add_piece(of, &settings_file, 0, 0);
    for (tm_object kind = TM_OBJECT_IMAGE; kind <= TM_OBJECT_SOUND; kind++)
        for (uint32_t i = 0; i < of->names.num[kind]; i++)
            add_embedded_file(of, i, kind);
    add_piece(of, &asset_list, 0, 0);
}

static void add_whole_map(tmi_writing *of)
{
    add_piece(of, &map_file, 0, 0);
    add_piece(of, &info_file, 0, 0);
    if (of->map->info.num_settings)
        add_piece(of, &settings_file, 0, 0);
    if (of->options.kept)
        add_piece(of, &sidecar, 0, 0);
    for (uint32_t kind = 0; kind < TMI_LISTS; kind++) {
        if (of->names.num[kind] || kind == TM_OBJECT_GROUP)
            add_piece(of, &list_file, kind, 0);
        add_objects(of, (tm_object)kind);
    }
}

/* ------------------------------------------------------------------------------------------------ writing */

void tmi_piece_path(char path[TMI_PATH_SIZE], const tmi_piece *at)
{
    if (at->kind->path)
        tmi_format(path, TMI_PATH_SIZE, "%s", at->kind->path);
    else
        at->kind->name(path, at);
}

static tm_status write_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const tmi_writing *of = ctx;
    tmi_piece *at = &of->pieces[index];
    char path[TMI_PATH_SIZE];
    (void)worker;
    tmi_piece_path(path, at);
    tm_file_put *put = tmi_keeps_members(at, path) ? tmi_put_keeping : at->kind->put;
    const tm_status status = of->files->write(of->files->ctx, path, put, at, error);
    *stop = status != TM_OK;
    return status;
}

static uint64_t weight_of(void *ctx, uint32_t index)
{
    const tmi_writing *of = ctx;
    const tmi_piece *at = &of->pieces[index];
    const tm_block *block = at->kind->block ? at->kind->block(at) : NULL;
    return tm_block_get_info(block).size + 1;
}

/* What is behind the tiles for other games is unpacked with them. */
static uint64_t compat_bytes(const tmi_piece *at)
{
    if (at->kind != &layer_file)
        return 0;
    const tm_layer *layer = &at->of->map->groups[at->index].layers[at->layer];
    return tm_game_layer(layer->kind)->is_tiles ? tm_block_get_info(layer->as.tiles.compat).size : 0;
}

static tm_status check_unpacked(tmi_writing *of, tm_error *error)
{
    const uint64_t most = of->options.unpacked_bytes ? of->options.unpacked_bytes : (uint64_t)1 << 30;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < of->num && sum <= most; i++)
        sum += weight_of(of, i) - 1 + compat_bytes(&of->pieces[i]);
    if (sum <= most)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1,
                    "the files need more than %llu bytes to be unpacked, the limit",
                    (unsigned long long)most);
}

/* Counts the files, then with memory for them puts them down, and writes them. */
static tm_status write_pieces(tmi_writing *of, const tm_job *job, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(of->map);
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    if (!of->files->parallel)
        how.executor = NULL;
    of->add(of);
    TM_TRY(tmi_reserve(&of->pieces, allocator, of->num, sizeof(*of->pieces), "the list of files", error));
    const uint32_t num = of->num;
    of->num = 0;
    of->add(of);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = allocator,
                             .ctx = of,
                             .num = num,
                             .work = write_piece,
                             .weight = weight_of,
                             .memory = weight_of};
    tm_status status = check_unpacked(of, error);
    if (status == TM_OK)
        status = tm_tasks_run(&pieces, &how, error);
    tmi_free(allocator, of->pieces, num, sizeof(*of->pieces));
    return status;
}

static tm_status write_files(tmi_writing *of, const tm_job *job, tm_error *error)
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
    tmi_writing of = {.map = map, .files = files, .add = add_whole_map};
    TM_TRY(tmi_options_take(&of.options, sizeof(of.options), options, "tm_mapdir_write_options", error));
    return write_files(&of, job, error);
}

tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job, tm_error *error)
{
    tmi_writing of = {.map = map, .files = files, .add = add_embedded};
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
    const tm_status status = address->kind == TM_ADDRESS_INFO
                                 ? write_root(&names, TM_OWNER_INFO, &map->info, output, error)
                                 : tmi_write_object(map, &names, *address, output, error);
    tmi_names_release(&names);
    return status;
}
