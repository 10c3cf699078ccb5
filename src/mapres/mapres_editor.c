/* SPDX-License-Identifier: Zlib */
/*
 * mapres_editor.c - finds files that the games' editors keep in a folder `editor` next to their mapres:
 * pictures of entities, and automapper rules. It only knows paths, not their content.
 */
#include "mapres.h"

#include <teemap/sys.h>

/* The length of a path without "mapres" at its end; 0: it does not end so, or is only that. */
static size_t data_length(const char *path)
{
    static const char mapres[] = "mapres";
    const size_t length = strlen(path), rest = sizeof(mapres) - 1;
    return length > rest && strcmp(path + length - rest, mapres) == 0 ? length - rest : 0;
}

/* Finds a file of the editor; *path: its path, which the caller frees, or NULL. */
static tm_status try_editor_file(char **path, const tm_mapres *mapres, const tmi_mapres_folder *folder,
                                 size_t length, const char *file, tm_error *error)
{
    const tm_status status = tmi_mapres_file(path, mapres->allocator, folder->path, length, file);
    return status == TM_ERROR_MEMORY ? tmi_fail_memory(error, 0, "a path") : TM_OK;
}

/* ------------------------------------------------------------------------------------------------- sheets */

tm_status tm_mapres_find_sheet(char **path, const tm_mapres *mapres, tm_mapres_sheet sheet, tm_game game,
                               tm_error *error)
{
    const char *file =
        game == TM_GAME_DDNET ? "editor/entities_clear/ddnet.png" : "editor/entities_clear/vanilla.png";
    if (sheet == TM_MAPRES_SHEET_ARROW)
        file = "editor/speed_arrow.png";
    TM_TRY(tmi_need(path, "path", error));
    *path = NULL;
    TM_TRY(tmi_need(mapres, "mapres", error));
    for (size_t i = 0; i < mapres->num_folders && !*path; i++) {
        const tmi_mapres_folder *folder = &mapres->folders[i];
        const size_t length = folder->found ? data_length(folder->path) : 0;
        if (length)
            TM_TRY(try_editor_file(path, mapres, folder, length, file, error));
    }
    return *path ? TM_OK
                 : tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "%s is in none of the games' folders", file);
}

/* -------------------------------------------------------------------------------------------------- rules */

/* DDNet moved its rules in 17.3; Teeworlds 0.7 has had its own there since it has any. */
static const struct {
    tm_game game;
    const char *folder, *suffix;
} rules_places[] = {
    {TM_GAME_DDNET, "editor/automap/", ".rules"},
    {TM_GAME_DDNET, "editor/", ".rules"},
    {TM_GAME_TEEWORLDS07, "editor/automap/", ".json"},
};

tm_status tm_mapres_find_rules(char **path, const tm_mapres *mapres, const char *name, tm_game game,
                               tm_error *error)
{
    TM_TRY(tmi_need(path, "path", error));
    *path = NULL;
    TM_TRY(tmi_need(mapres, "mapres", error));
    TM_TRY(tmi_need(name, "name", error));
    const bool of_07 = game == TM_GAME_TEEWORLDS07;
    for (size_t i = 0; i < mapres->num_folders && !*path && tm_game_name_is_plain(name); i++) {
        const tmi_mapres_folder *folder = &mapres->folders[i];
        const size_t data = data_length(folder->path);
        char file[TMI_IMAGE_NAME + 32];
        tmi_format(file, sizeof(file), "%s%s", name, of_07 ? ".json" : ".rules");
        /* A folder that the user named may hold rules itself, as it holds images. */
        if (folder->source == TM_MAPRES_GIVEN || folder->source == TM_MAPRES_MAP ||
            folder->source == TM_MAPRES_ENVIRONMENT)
            TM_TRY(try_editor_file(path, mapres, folder, strlen(folder->path), file, error));
        for (size_t k = 0; data && k < TMI_COUNT_OF(rules_places) && !*path; k++) {
            if ((rules_places[k].game == TM_GAME_TEEWORLDS07) != of_07)
                continue;
            tmi_format(file, sizeof(file), "%s%s%s", rules_places[k].folder, name, rules_places[k].suffix);
            TM_TRY(try_editor_file(path, mapres, folder, data, file, error));
        }
    }
    return *path ? TM_OK
                 : tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there are no rules for '%.100s' in the folders",
                            name);
}

uint64_t tm_mapres_count_rules(const tm_mapres *mapres, uint32_t index)
{
    uint64_t num = 0;
    if (!mapres || index >= mapres->num_folders)
        return 0;
    const tmi_mapres_folder *folder = &mapres->folders[index];
    const size_t length = data_length(folder->path);
    for (size_t i = 0; length && i < TMI_COUNT_OF(rules_places); i++) {
        char *path = tmi_mapres_join(mapres->allocator, folder->path, length, rules_places[i].folder);
        num += path ? tmi_mapres_count_files(mapres, path, rules_places[i].suffix) : 0;
        tmi_strfree(mapres->allocator, path);
    }
    return num;
}
