/* SPDX-License-Identifier: Zlib */
/*
 * images.c - the search for external images. Folders that do not exist are left out at once; in each of the others a file
 * NAME.png is looked for, for 0.7 maps NAME_0.7.png first, because DDNet keeps both games' art in one folder.
 */
#include "images.h"

#include "files.h"

#include <teemap/codec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image that a game ships has a megabyte or two. */
#define MOST_FILE_BYTES ((uint64_t)64 << 20)

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

static char *join(const char *folder, size_t length, const char *rest)
{
    size_t size = length + strlen(rest) + 2;
    char *path = must_alloc(size, 1);
    snprintf(path, size, "%.*s%s%s", (int)length, folder, length && folder[length - 1] != '/' ? "/" : "",
             rest);
    return path;
}

/* Takes the path over. */
static void add(image_folders *out, char *path)
{
    if (tm_sys_kind_of(path) != TM_SYS_FOLDER) {
        free(path);
        return;
    }
    out->paths = must_resize(out->paths, out->num + 1, sizeof *out->paths);
    out->paths[out->num++] = path;
}

static void add_known(image_folders *out, bool teeworlds)
{
    for (size_t i = 0; i < sizeof known_folders / sizeof known_folders[0]; i++) {
        const known_folder *known = &known_folders[i];
        const char *base = known->variable ? getenv(known->variable) : "";
        if (known->teeworlds == teeworlds && base && (*base || !known->variable)) {
            add(out, join(base, strlen(base), known->path));
        }
    }
}

/* Beside the map, in a folder mapres there, and in the one beside the map's folder, as the games lay out their data. */
static void add_own(image_folders *out, const char *path)
{
    if (strcmp(path, "-") == 0) {
        return;
    }
    size_t length = (size_t)(path_base(path) - path);
    add(out, length ? join(path, length, "") : must_copy("."));
    add(out, join(path, length, "mapres"));
    add(out, join(path, length, "../mapres"));
}

void image_folders_find(image_folders *out, const cli_options *options, const char *path, tm_game game)
{
    const char *last = getenv("TEEMAP_MAPRES");
    const bool teeworlds = game == TM_GAME_TEEWORLDS07;
    *out = (image_folders){0};
    for (size_t i = 0; i < options->num_mapres; i++) {
        add(out, must_copy(options->mapres[i]));
    }
    add_own(out, path);
    add_known(out, teeworlds);
    add_known(out, !teeworlds);
    if (last && *last) {
        add(out, must_copy(last));
    }
}

void image_folders_release(image_folders *folders)
{
    for (size_t i = 0; i < folders->num; i++) {
        free(folders->paths[i]);
    }
    free(folders->paths);
    *folders = (image_folders){0};
}

/* ----------------------------------------------------------------------------------------------- images */

/* A name that is only a name: nothing that leads out of the folder or to something else. */
static bool harmless(const char *name)
{
    if (!*name || *name == '.' || strlen(name) > 200) {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f || strchr("/\\:*?\"<>|", *c)) {
            return false;
        }
    }
    return true;
}

static tm_status read_file(uint8_t **bytes, size_t *size, const char *path)
{
    tm_input input;
    tm_status status = tm_sys_open_input(&input, path, MOST_FILE_BYTES, NULL, NULL);
    if (status) {
        return status;
    }
    *size = (size_t)input.size;
    *bytes = input.size > MOST_FILE_BYTES ? NULL : must_alloc(*size + 1, 1);
    if (!*bytes) {
        status = TM_ERROR_LIMIT;
    } else if (input.memory) {
        memcpy(*bytes, input.memory, *size);
    } else if (*size) {
        status = input.read(input.ctx, 0, *bytes, *size, NULL);
    }
    if (input.close) {
        input.close(input.ctx);
    }
    return status;
}

static tm_status read_png(const char *folder, const char *name, const char *suffix,
                          const tm_allocator *allocator, uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    char file[256];
    uint8_t *bytes = NULL;
    size_t size = 0;
    snprintf(file, sizeof file, "%s%s.png", name, suffix);
    char *path = join(folder, strlen(folder), file);
    tm_status status =
        tm_sys_kind_of(path) == TM_SYS_FILE ? read_file(&bytes, &size, path) : TM_ERROR_NOT_FOUND;
    if (!status) {
        status = tm_png_read(rgba, width, height, bytes, size, 0, allocator, NULL);
    }
    free(bytes);
    free(path);
    return status;
}

tm_status image_folders_get(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    const image_folders *folders = ctx;
    if (!harmless(name)) {
        return TM_ERROR_NOT_FOUND;
    }
    for (size_t i = 0; i < folders->num; i++) {
        if (game == TM_GAME_TEEWORLDS07 &&
            read_png(folders->paths[i], name, "_0.7", allocator, rgba, width, height) == TM_OK) {
            return TM_OK;
        }
        if (read_png(folders->paths[i], name, "", allocator, rgba, width, height) == TM_OK) {
            return TM_OK;
        }
    }
    return TM_ERROR_NOT_FOUND;
}
