/* SPDX-License-Identifier: Zlib */
/*
 * mapres_folders.c - the folders to search for images, in order: those given by the caller, those next to the
 * map, those of the games (the map's own game first), the environment. It does not know images.
 */
#include "mapres.h"

#include <teemap/sys.h>

/* -------------------------------------------------------------------------------------------------- paths */

char *tmi_mapres_join(const tm_allocator *allocator, const char *folder, size_t length, const char *rest)
{
    const size_t rest_size = strlen(rest);
    const bool slash = length && folder[length - 1] != '/';
    /* As long as its text, by which it is freed. Both are in memory, so that their sum cannot overflow. */
    char *path = tmi_alloc(allocator, length + slash + rest_size + 1, 1);
    if (!path)
        return NULL;
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + slash, rest, rest_size + 1);
    return path;
}

tm_status tmi_mapres_find_file(char **path, const tm_allocator *allocator, const char *folder, size_t length,
                               const char *rest, tm_error *error)
{
    tm_sys_kind kind;
    *path = tmi_mapres_join(allocator, folder, length, rest);
    if (!*path)
        return tmi_fail_memory(error, 0, "a path");
    const tm_status status = tm_sys_get_kind(&kind, *path, error);
    if (status == TM_OK && kind == TM_SYS_FILE)
        return TM_OK;
    tmi_strfree(allocator, *path);
    *path = NULL;
    return status;
}

/*
 * Bytes before a last name "mapres", after which slashes may follow: the game's data are there. A path
 * without this name has none.
 */
static size_t get_data_size(const char *path)
{
    static const char mapres[] = "mapres";
    const size_t name_size = sizeof(mapres) - 1;
    size_t length = strlen(path);
    while (length && path[length - 1] == '/')
        length--;
    if (length < name_size || memcmp(path + length - name_size, mapres, name_size) != 0)
        return TMI_NO_DATA;
    length -= name_size;
    return length == 0 || path[length - 1] == '/' ? length : TMI_NO_DATA;
}

/* ------------------------------------------------------------------------------------------------ folders */

/* Whether a folder has at least half of the pictures that only one of the two kinds of games has. */
static tm_status has_own_pictures(bool *has, const tm_mapres *mapres, const char *folder, bool of_07,
                                  tm_error *error)
{
    const tm_shipped_image *image;
    uint32_t all = 0, found = 0;
    for (uint32_t n = 0; (image = tmi_game_shipped_image_at(n)); n++) {
        const bool others = image->games[TM_GAME_DDNET] || image->games[TM_GAME_TEEWORLDS06];
        char file[64], *path;
        if (image->games[TM_GAME_TEEWORLDS07] == others || others == of_07)
            continue;
        tmi_format(file, sizeof(file), "%s.png", image->name);
        TM_TRY(tmi_mapres_find_file(&path, mapres->allocator, folder, strlen(folder), file, error));
        all++;
        found += !!path;
        tmi_strfree(mapres->allocator, path);
    }
    *has = found * 2 >= all;
    return TM_OK;
}

/*
 * Finds out whether a folder is there and, with shipped_only, whether it has the pictures of the game's kind
 * only. One that cannot be asked ends a search for shipped pictures, and is noted for others, which may end
 * before it.
 */
static tm_status look_into(tmi_mapres_folder *folder, const tm_mapres *mapres, tm_error *error)
{
    const bool of_07 = mapres->game == TM_GAME_TEEWORLDS07;
    bool own = true, others = false;
    tm_sys_kind kind;
    const tm_status status = tm_sys_get_kind(&kind, folder->path, mapres->shipped_only ? error : NULL);
    folder->unread = status != TM_OK;
    if (status && mapres->shipped_only)
        return status;
    folder->found = kind == TM_SYS_FOLDER;
    if (!folder->found || !mapres->shipped_only)
        return TM_OK;
    TM_TRY(has_own_pictures(&others, mapres, folder->path, !of_07, error));
    TM_TRY(has_own_pictures(&own, mapres, folder->path, of_07, error));
    folder->found = own && !others;
    return TM_OK;
}

/* Adds a folder. Takes the path over; NULL: there was no memory for it. */
static tm_status add_folder(tm_mapres *mapres, tm_mapres_source source, char *path, tm_error *error)
{
    if (!path)
        return tmi_fail_memory(error, 0, "the path of a folder");
    tmi_mapres_folder folder = {.path = path, .data_size = get_data_size(path), .source = source};
    tm_status status = look_into(&folder, mapres, error);
    if (!status)
        status = tmi_grow(mapres->allocator, &mapres->folders, &mapres->capacity, mapres->num_folders + 1,
                          sizeof(*mapres->folders), error);
    if (status) {
        tmi_strfree(mapres->allocator, path);
        return status;
    }
    mapres->folders[mapres->num_folders++] = folder;
    return TM_OK;
}

/*
 * Adds a folder that a user names, and the `mapres` in it where it is a game's data folder, or an archive of
 * a game that was unpacked, or a program of macOS.
 */
static tm_status add_named_folder(tm_mapres *mapres, tm_mapres_source source, const char *path,
                                  tm_error *error)
{
    static const char *const inner[] = {"mapres", "data/mapres", "Contents/Resources/data/mapres"};
    TM_TRY(add_folder(mapres, source, tmi_strdup(mapres->allocator, path), error));
    for (size_t i = 0; get_data_size(path) == TMI_NO_DATA && i < TMI_COUNT_OF(inner); i++) {
        char *inner_path = tmi_mapres_join(mapres->allocator, path, strlen(path), inner[i]);
        tm_sys_kind kind = TM_SYS_UNKNOWN;
        if (inner_path)
            kind = tm_sys_kind_of(inner_path);
        if (inner_path && kind != TM_SYS_FOLDER && kind != TM_SYS_UNKNOWN)
            tmi_strfree(mapres->allocator, inner_path);
        else
            TM_TRY(add_folder(mapres, source, inner_path, error));
    }
    return TM_OK;
}

/* Adds the map's folder, mapres in it, and mapres next to it, as the games lay out their data. */
static tm_status add_folders_of_map(tm_mapres *mapres, const char *map_path, tm_error *error)
{
    const tm_allocator *allocator = mapres->allocator;
    size_t length = 0;
    for (size_t i = 0; map_path[i]; i++)
        if (map_path[i] == '/' && map_path[i + 1])
            length = i + 1;
    char *folder = length ? tmi_strndup(allocator, map_path, length) : tmi_strdup(allocator, ".");
    TM_TRY(add_folder(mapres, TM_MAPRES_MAP, folder, error));
    TM_TRY(add_folder(mapres, TM_MAPRES_MAP, tmi_mapres_join(allocator, map_path, length, "mapres"), error));
    return add_folder(mapres, TM_MAPRES_MAP, tmi_mapres_join(allocator, map_path, length, "../mapres"),
                      error);
}

static tm_status add_folders_of_games(tm_mapres *mapres, const tm_mapres_options *options,
                                      tm_mapres_source source, tm_error *error)
{
    const tmi_data_folder *folder;
    for (size_t i = 0; (folder = tmi_data_folder_at(i)); i++) {
        const char *base = tmi_data_folder_base(folder, options);
        if (folder->source != source || !base)
            continue;
        char *data = tmi_mapres_join(mapres->allocator, base, strlen(base), folder->path);
        char *path = data ? tmi_mapres_join(mapres->allocator, data, strlen(data), "mapres") : NULL;
        tmi_strfree(mapres->allocator, data);
        TM_TRY(add_folder(mapres, source, path, error));
    }
    return TM_OK;
}

static tm_status add_folders(tm_mapres *mapres, const tm_mapres_options *options, tm_error *error)
{
    const bool of_07 = options->game == TM_GAME_TEEWORLDS07;
    const char *last = tmi_mapres_last_folder(options);
    for (uint32_t i = 0; i < options->num_folders; i++)
        TM_TRY(add_named_folder(mapres, TM_MAPRES_GIVEN, options->folders[i], error));
    if (options->map_path)
        TM_TRY(add_folders_of_map(mapres, options->map_path, error));
    TM_TRY(add_folders_of_games(mapres, options, of_07 ? TM_MAPRES_TEEWORLDS : TM_MAPRES_DDNET, error));
    TM_TRY(add_folders_of_games(mapres, options, of_07 ? TM_MAPRES_DDNET : TM_MAPRES_TEEWORLDS, error));
    return last ? add_named_folder(mapres, TM_MAPRES_ENVIRONMENT, last, error) : TM_OK;
}

tm_status tmi_mapres_is_searched(bool *searched, const tmi_mapres_folder *folder, tm_error *error)
{
    tm_sys_kind kind;
    *searched = folder->found;
    if (!folder->unread)
        return TM_OK;
    TM_TRY(tm_sys_get_kind(&kind, folder->path, error));
    *searched = kind == TM_SYS_FOLDER;
    return TM_OK;
}

tm_status tm_mapres_new(tm_mapres **out, const tm_mapres_options *options, tm_error *error)
{
    tm_mapres_options effective;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_mapres_options", error));
    tm_mapres *mapres;
    TM_TRY(tmi_reserve_zeroed(&mapres, effective.allocator, 1, sizeof(*mapres), "a list of folders", error));
    mapres->allocator = effective.allocator;
    mapres->cache = effective.cache;
    mapres->shipped_only = effective.shipped_only;
    mapres->game = effective.game;
    const tm_status status = add_folders(mapres, &effective, error);
    if (status)
        tm_mapres_free(mapres);
    else
        *out = mapres;
    return status;
}

void tm_mapres_free(tm_mapres *mapres)
{
    if (!mapres)
        return;
    for (size_t i = 0; i < mapres->num_folders; i++)
        tmi_strfree(mapres->allocator, mapres->folders[i].path);
    tmi_free(mapres->allocator, mapres->folders, mapres->capacity, sizeof(*mapres->folders));
    tmi_free(mapres->allocator, mapres, 1, sizeof(*mapres));
}

bool tm_mapres_get_folder(tm_mapres_folder *out, const tm_mapres *mapres, uint32_t index)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    if (!mapres || index >= mapres->num_folders)
        return false;
    const tmi_mapres_folder *folder = &mapres->folders[index];
    *out = (tm_mapres_folder){folder->path, folder->source, folder->found, folder->unread};
    return true;
}

/* ----------------------------------------------------------------------------------------------- counting */

typedef struct file_count {
    const char *suffix;
    uint64_t num;
} file_count;

static bool count_ending(void *ctx, const char *path, tm_sys_kind kind)
{
    file_count *count = ctx;
    const size_t length = strlen(path), suffix_length = strlen(count->suffix);
    count->num += kind == TM_SYS_FILE && length > suffix_length &&
                  strcmp(path + length - suffix_length, count->suffix) == 0;
    return true;
}

tm_status tmi_mapres_count_files(uint64_t *num, const tm_mapres *mapres, const char *folder,
                                 const char *suffix, tm_error *error)
{
    file_count count = {suffix, 0};
    tm_sys_kind kind;
    TM_TRY(tm_sys_get_kind(&kind, folder, error));
    if (kind == TM_SYS_FOLDER)
        TM_TRY(tm_sys_list(folder, count_ending, &count, mapres->allocator, error));
    *num += count.num;
    return TM_OK;
}

tm_status tm_mapres_count_images(uint64_t *num, const tm_mapres *mapres, uint32_t index, tm_error *error)
{
    TM_TRY(tmi_need(num, "num", error));
    *num = 0;
    if (!mapres || index >= mapres->num_folders)
        return TM_OK;
    return tmi_mapres_count_files(num, mapres, mapres->folders[index].path, ".png", error);
}
