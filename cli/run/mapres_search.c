/* SPDX-License-Identifier: Zlib */
/*
 * mapres_search.c - the search for external images. Folders that do not exist are not searched; in each of the
 * others a file NAME.png is looked for, for 0.7 maps NAME_0.7.png first, because DDNet keeps both games' art
 * in one folder.
 */
#include "mapres_search.h"

#include "files.h"

#include <teemap/codec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image that a game ships has a megabyte or two. */
#define MAX_FILE_BYTES ((uint64_t)64 << 20)

/* Below a folder of the environment; NULL: an absolute path. `game` says whose art it is. */
typedef struct known_folder {
    const char *variable;
    const char *path;
    bool teeworlds;
} known_folder;

static const known_folder known_folders[] = {
    {"XDG_DATA_HOME", "ddnet/mapres", false},
    {"HOME", ".local/share/ddnet/mapres", false},
    {"HOME", ".teeworlds/mapres", true},
    {"XDG_DATA_HOME", "teeworlds/mapres", true},
    {"HOME", ".local/share/teeworlds/mapres", true},
    {"HOME", ".local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", false},
    {"HOME", ".steam/steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", false},
    {"HOME", ".local/share/Steam/steamapps/common/Teeworlds/tw/data/mapres", true},
    {"HOME", ".var/app/tw.ddnet.ddnet/data/ddnet/mapres", false},
    {NULL, "/usr/share/games/ddnet/data/mapres", false},
    {NULL, "/usr/share/ddnet/data/mapres", false},
    {NULL, "/usr/local/share/ddnet/data/mapres", false},
    {NULL, "/usr/share/games/teeworlds/data/mapres", true},
    {NULL, "/usr/share/teeworlds/data/mapres", true},
    {NULL, "/usr/local/share/teeworlds/data/mapres", true},
    {"HOME", "Library/Application Support/DDNet/mapres", false},
    {"HOME", "Library/Application Support/Teeworlds/mapres", true},
    {NULL, "/Applications/DDNet.app/Contents/Resources/data/mapres", false},
    {NULL, "/Applications/Teeworlds.app/Contents/Resources/data/mapres", true},
    {"APPDATA", "DDNet/mapres", false},
    {"APPDATA", "Teeworlds/mapres", true},
    {"ProgramFiles(x86)", "Steam/steamapps/common/DDraceNetwork/ddnet/data/mapres", false},
    {"ProgramFiles(x86)", "Steam/steamapps/common/Teeworlds/tw/data/mapres", true},
};

/* ---------------------------------------------------------------------------------------------- folders */

static char *join_path(const char *folder, size_t length, const char *rest)
{
    size_t size = length + strlen(rest) + 2;
    char *path = must_alloc(size, 1);
    snprintf(path, size, "%.*s%s%s", (int)length, folder, length && folder[length - 1] != '/' ? "/" : "",
             rest);
    return path;
}

/* Takes the path over. */
static void add_folder(image_folders *out, image_source source, char *path)
{
    out->list = must_resize(out->list, out->num + 1, sizeof(*out->list));
    out->list[out->num++] = (image_folder){path, source, tm_sys_kind_of(path) == TM_SYS_FOLDER};
}

static void add_known(image_folders *out, bool teeworlds)
{
    for (size_t i = 0; i < sizeof(known_folders) / sizeof(known_folders[0]); i++) {
        const known_folder *known = &known_folders[i];
        const char *base = known->variable ? getenv(known->variable) : "";
        if (known->teeworlds == teeworlds && base && (*base || !known->variable)) {
            add_folder(out, teeworlds ? IMAGE_SOURCE_TEEWORLDS : IMAGE_SOURCE_DDNET,
                       join_path(base, strlen(base), known->path));
        }
    }
}

/*
 * Beside the map, in a folder mapres there, and in the one beside the map's folder, as the games lay out
 * their data.
 */
static void add_own(image_folders *out, const char *path)
{
    if (!path || strcmp(path, "-") == 0)
        return;
    size_t length = (size_t)(path_base(path) - path);
    add_folder(out, IMAGE_SOURCE_MAP, length ? join_path(path, length, "") : must_copy("."));
    add_folder(out, IMAGE_SOURCE_MAP, join_path(path, length, "mapres"));
    add_folder(out, IMAGE_SOURCE_MAP, join_path(path, length, "../mapres"));
}

void image_folders_find(image_folders *out, const cli_options *options, const char *path, tm_game game)
{
    const char *last = getenv("TEEMAP_MAPRES");
    const bool teeworlds = game == TM_GAME_TEEWORLDS07;
    *out = (image_folders){0};
    for (size_t i = 0; i < options->num_mapres; i++)
        add_folder(out, IMAGE_SOURCE_OPTION, must_copy(options->mapres[i]));
    add_own(out, path);
    add_known(out, teeworlds);
    add_known(out, !teeworlds);
    if (last && *last)
        add_folder(out, IMAGE_SOURCE_ENVIRONMENT, must_copy(last));
}

void image_folders_release(image_folders *folders)
{
    for (size_t i = 0; i < folders->num; i++)
        free(folders->list[i].path);
    free(folders->list);
    *folders = (image_folders){0};
}

/* ----------------------------------------------------------------------------------------------- images */

/* A name that is only a name: nothing that leads out of the folder or to something else. */
static bool harmless(const char *name)
{
    if (!*name || *name == '.' || strlen(name) > 200)
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || strchr("/\\:*?\"<>|", *c))
            return false;
    return true;
}

static tm_status read_file(uint8_t **bytes, size_t *size, const char *path, tm_error *error)
{
    tm_input input;
    tm_status status = tm_sys_open_input(&input, path, MAX_FILE_BYTES, NULL, error);
    if (status)
        return status;
    *size = (size_t)input.size;
    *bytes = input.size > MAX_FILE_BYTES ? NULL : must_alloc(*size + 1, 1);
    if (!*bytes) {
        status = TM_ERROR_LIMIT;
        if (error)
            *error = (tm_error){.code = status, .offset = -1, .text = "the image is larger than 64 MiB"};
    } else if (input.memory) {
        memcpy(*bytes, input.memory, *size);
    } else if (*size) {
        status = input.read(input.ctx, 0, *bytes, *size, error);
    }
    if (input.close)
        input.close(input.ctx);
    return status;
}

static char *file_path(const char *folder, const char *name, const char *suffix)
{
    char file[256];
    snprintf(file, sizeof(file), "%s%s.png", name, suffix);
    return join_path(folder, strlen(folder), file);
}

/* Calls `attempt` for each file that may be the image, until one is. */
static bool search(const image_folders *folders, const char *name, tm_game game,
                   bool (*attempt)(void *ctx, const char *path), void *ctx)
{
    bool found = false;
    for (size_t i = 0; harmless(name) && !found && i < folders->num; i++) {
        static const char *const suffixes[] = {"_0.7", ""};
        for (size_t s = game == TM_GAME_TEEWORLDS07 ? 0 : 1; folders->list[i].found && !found && s < 2; s++) {
            char *path = file_path(folders->list[i].path, name, suffixes[s]);
            found = tm_sys_kind_of(path) == TM_SYS_FILE && attempt(ctx, path);
            free(path);
        }
    }
    return found;
}

tm_status image_read(const char *path, const tm_allocator *allocator, uint8_t **rgba, uint32_t *width,
                     uint32_t *height, tm_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_status status = read_file(&bytes, &size, path, error);
    if (!status)
        status = tm_png_read(rgba, width, height, bytes, size, 0, allocator, error);
    free(bytes);
    return status;
}

/* The pixels, as the provider returns them. */
typedef struct pixels {
    const tm_allocator *allocator;
    uint8_t **rgba;
    uint32_t *width, *height;
} pixels;

static bool try_read(void *ctx, const char *path)
{
    const pixels *to = ctx;
    return image_read(path, to->allocator, to->rgba, to->width, to->height, NULL) == TM_OK;
}

tm_status image_folders_get(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    pixels to = {allocator, rgba, width, height};
    return search(ctx, name, game, try_read, &to) ? TM_OK : TM_ERROR_NOT_FOUND;
}

/* A file that is there but no picture is passed over here, too. */
static bool try_note(void *ctx, const char *path)
{
    uint8_t *rgba = NULL;
    uint32_t width, height;
    pixels to = {NULL, &rgba, &width, &height};
    char **found = ctx;
    if (!try_read(&to, path))
        return false;
    tm_free(NULL, rgba, (size_t)width * height * 4);
    *found = must_copy(path);
    return true;
}

char *image_folders_where(const image_folders *folders, const char *name, tm_game game)
{
    char *found = NULL;
    search(folders, name, game, try_note, &found);
    return found;
}

/* ----------------------------------------------------------------------------------------------- sheets */

char *image_folders_sheet(const image_folders *folders, const char *file)
{
    static const char mapres[] = "mapres";
    char *found = NULL;
    for (size_t i = 0; !found && i < folders->num; i++) {
        const char *folder = folders->list[i].path;
        const size_t length = strlen(folder), rest = sizeof(mapres) - 1;
        if (folders->list[i].found && length > rest && strcmp(folder + length - rest, mapres) == 0) {
            char *editor = join_path(folder, length - rest, "editor");
            found = join_path(editor, strlen(editor), file);
            free(editor);
        }
        if (found && tm_sys_kind_of(found) != TM_SYS_FILE) {
            free(found);
            found = NULL;
        }
    }
    return found;
}

/* ---------------------------------------------------------------------------------------------- missing */

static bool comes_again(const tm_map *map, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (map->images[i].external && map->images[i].name &&
            strcmp(map->images[i].name, map->images[index].name) == 0)
            return true;
    return false;
}

static void put_missing(text *out, const image_folders *folders, const tm_map *map)
{
    for (uint32_t i = 0; i < map->num_images; i++) {
        const tm_image *image = &map->images[i];
        if (!image->external || !image->name || comes_again(map, i))
            continue;
        char *where = image_folders_where(folders, image->name, map->game);
        if (!where) {
            text_safe(out, image->name);
            text_put(out, "\n", 1);
        }
        free(where);
    }
}

tm_status image_folders_list_missing(const image_folders *folders, const tm_map *map, const char *path,
                                     tm_error *error)
{
    text names = {0};
    put_missing(&names, folders, map);
    const tm_status status = save_text(path, &names, error);
    text_release(&names);
    if (status) /* it is not about the map */
        snprintf(error->place, sizeof(error->place), "%s", path);
    return status;
}
