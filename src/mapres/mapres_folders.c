/* SPDX-License-Identifier: Zlib */
/*
 * mapres_folders.c - the folders to search for images, in order: those given by the caller, those next to the
 * map, those of the games (the map's own game first), the environment. It does not know images.
 */
#include "mapres.h"

#include <teemap/sys.h>

/* Where games keep their images: below a folder that a variable names, or (NULL) at an absolute path. */
typedef struct known_folder {
    const char *variable;
    const char *path;
    tm_mapres_source source;
} known_folder;

static const known_folder known_folders[] = {
    {"XDG_DATA_HOME", "ddnet/mapres", TM_MAPRES_DDNET},
    {"HOME", ".local/share/ddnet/mapres", TM_MAPRES_DDNET},
    {"HOME", ".teeworlds/mapres", TM_MAPRES_TEEWORLDS},
    {"XDG_DATA_HOME", "teeworlds/mapres", TM_MAPRES_TEEWORLDS},
    {"HOME", ".local/share/teeworlds/mapres", TM_MAPRES_TEEWORLDS},
    {"HOME", ".local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", TM_MAPRES_DDNET},
    {"HOME", ".steam/steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", TM_MAPRES_DDNET},
    {"HOME", ".local/share/Steam/steamapps/common/Teeworlds/tw/data/mapres", TM_MAPRES_TEEWORLDS},
    {"HOME", ".var/app/tw.ddnet.ddnet/data/ddnet/mapres", TM_MAPRES_DDNET},
    {NULL, "/usr/share/games/ddnet/data/mapres", TM_MAPRES_DDNET},
    {NULL, "/usr/share/ddnet/data/mapres", TM_MAPRES_DDNET},
    {NULL, "/usr/local/share/ddnet/data/mapres", TM_MAPRES_DDNET},
    {NULL, "/usr/share/games/teeworlds/data/mapres", TM_MAPRES_TEEWORLDS},
    {NULL, "/usr/share/teeworlds/data/mapres", TM_MAPRES_TEEWORLDS},
    {NULL, "/usr/local/share/teeworlds/data/mapres", TM_MAPRES_TEEWORLDS},
    {"HOME", "Library/Application Support/DDNet/mapres", TM_MAPRES_DDNET},
    {"HOME", "Library/Application Support/Teeworlds/mapres", TM_MAPRES_TEEWORLDS},
    {NULL, "/Applications/DDNet.app/Contents/Resources/data/mapres", TM_MAPRES_DDNET},
    {NULL, "/Applications/Teeworlds.app/Contents/Resources/data/mapres", TM_MAPRES_TEEWORLDS},
    {"APPDATA", "DDNet/mapres", TM_MAPRES_DDNET},
    {"APPDATA", "Teeworlds/mapres", TM_MAPRES_TEEWORLDS},
    {"ProgramFiles(x86)", "Steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", TM_MAPRES_DDNET},
    {"ProgramFiles(x86)", "Steam/steamapps/common/Teeworlds/tw/data/mapres", TM_MAPRES_TEEWORLDS},
};

static const char last_variable[] = "TEEMAP_MAPRES";

const char *tm_mapres_variable_name(uint32_t index)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(known_folders); i++) {
        const char *variable = known_folders[i].variable;
        bool first = variable; /* no earlier row has it */
        for (size_t k = 0; k < i && first; k++)
            first = !tmi_same_text(known_folders[k].variable, variable);
        if (first && seen++ == index)
            return variable;
    }
    return seen == index ? last_variable : NULL;
}

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

tm_status tmi_mapres_file(char **path, const tm_allocator *allocator, const char *folder, size_t length,
                          const char *rest)
{
    *path = tmi_mapres_join(allocator, folder, length, rest);
    if (*path && tm_sys_kind_of(*path) == TM_SYS_FILE)
        return TM_OK;
    const tm_status status = *path ? TM_ERROR_NOT_FOUND : TM_ERROR_MEMORY;
    tmi_strfree(allocator, *path);
    *path = NULL;
    return status;
}

/* ------------------------------------------------------------------------------------------------ folders */

/* Whether a folder has at least half of the pictures that only one of the two kinds of games has. */
static tm_status has_own_pictures(bool *has, const tm_mapres *of, const char *folder, bool of_07,
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
        const tm_status status = tmi_mapres_file(&path, of->allocator, folder, strlen(folder), file);
        if (status == TM_ERROR_MEMORY)
            return tmi_fail_memory(error, 0, "the path of an image");
        all++;
        found += !status;
        tmi_strfree(of->allocator, path);
    }
    *has = found * 2 >= all;
    return TM_OK;
}

/*
 * Adds a folder. Takes the path over; NULL: there was no memory for it. A folder is searched if it is there
 * and, with shipped_only, has the pictures of the game's kind only.
 */
static tm_status add_folder(tm_mapres *to, tm_mapres_source source, char *path, tm_error *error)
{
    if (!path)
        return tmi_fail_memory(error, 0, "the path of a folder");
    const bool there = tm_sys_kind_of(path) == TM_SYS_FOLDER, of_07 = to->game == TM_GAME_TEEWORLDS07;
    bool own = true, others = false;
    tm_status status = TM_OK;
    if (there && to->shipped_only)
        status = has_own_pictures(&others, to, path, !of_07, error);
    if (there && to->shipped_only && !status)
        status = has_own_pictures(&own, to, path, of_07, error);
    if (!status)
        status = tmi_grow(to->allocator, &to->folders, &to->capacity, to->num_folders + 1,
                          sizeof(*to->folders), error);
    if (status) {
        tmi_strfree(to->allocator, path);
        return status;
    }
    to->folders[to->num_folders++] = (tmi_mapres_folder){path, source, there && own && !others};
    return TM_OK;
}

static const char *value_of(const tm_mapres_options *options, const char *name)
{
    for (uint32_t i = 0; i < options->num_variables; i++) {
        const tm_mapres_variable *variable = &options->variables[i];
        if (variable->value && variable->value[0] && strcmp(variable->name, name) == 0)
            return variable->value;
    }
    return NULL;
}

static tm_status add_known(tm_mapres *to, const tm_mapres_options *options, tm_mapres_source source,
                           tm_error *error)
{
    for (size_t i = 0; i < TMI_COUNT_OF(known_folders); i++) {
        const known_folder *known = &known_folders[i];
        const char *base = known->variable ? value_of(options, known->variable) : "";
        if (known->source == source && base)
            TM_TRY(add_folder(to, source, tmi_mapres_join(to->allocator, base, strlen(base), known->path),
                              error));
    }
    return TM_OK;
}

static tm_status add_folders(tm_mapres *to, const tm_mapres_options *options, tm_error *error)
{
    const bool teeworlds = options->game == TM_GAME_TEEWORLDS07;
    const char *last = value_of(options, last_variable), *map = options->map_path;
    for (uint32_t i = 0; i < options->num_folders; i++)
        TM_TRY(add_folder(to, TM_MAPRES_GIVEN, tmi_strdup(to->allocator, options->folders[i]), error));
    if (map) { /* the map's folder, mapres in it, and mapres next to it, as the games lay out their data */
        size_t length = 0;
        for (size_t i = 0; map[i]; i++)
            if (map[i] == '/' && map[i + 1])
                length = i + 1;
        char *dir = length ? tmi_strndup(to->allocator, map, length) : tmi_strdup(to->allocator, ".");
        TM_TRY(add_folder(to, TM_MAPRES_MAP, dir, error));
        TM_TRY(add_folder(to, TM_MAPRES_MAP, tmi_mapres_join(to->allocator, map, length, "mapres"), error));
        TM_TRY(
            add_folder(to, TM_MAPRES_MAP, tmi_mapres_join(to->allocator, map, length, "../mapres"), error));
    }
    TM_TRY(add_known(to, options, teeworlds ? TM_MAPRES_TEEWORLDS : TM_MAPRES_DDNET, error));
    TM_TRY(add_known(to, options, teeworlds ? TM_MAPRES_DDNET : TM_MAPRES_TEEWORLDS, error));
    return last ? add_folder(to, TM_MAPRES_ENVIRONMENT, tmi_strdup(to->allocator, last), error) : TM_OK;
}

tm_status tm_mapres_new(tm_mapres **out, const tm_mapres_options *options, tm_error *error)
{
    tm_mapres_options all;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_options_take(&all, sizeof(all), options, "tm_mapres_options", error));
    tm_mapres *mapres;
    TM_TRY(tmi_reserve_zeroed(&mapres, all.allocator, 1, sizeof(*mapres), "a list of folders", error));
    mapres->allocator = all.allocator;
    mapres->cache = all.cache;
    mapres->shipped_only = all.shipped_only;
    mapres->game = all.game;
    const tm_status status = add_folders(mapres, &all, error);
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
    *out = (tm_mapres_folder){folder->path, folder->source, folder->found};
    return true;
}

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

uint64_t tmi_mapres_count_files(const tm_mapres *of, const char *folder, const char *suffix)
{
    file_count count = {suffix, 0};
    if (tm_sys_kind_of(folder) == TM_SYS_FOLDER)
        (void)tm_sys_list(folder, count_ending, &count, of->allocator, NULL);
    return count.num;
}

uint64_t tm_mapres_count_images(const tm_mapres *mapres, uint32_t index)
{
    if (!mapres || index >= mapres->num_folders || !mapres->folders[index].found)
        return 0;
    return tmi_mapres_count_files(mapres, mapres->folders[index].path, ".png");
}
