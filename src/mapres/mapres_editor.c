/* SPDX-License-Identifier: Zlib */
/*
 * mapres_editor.c - finds files that the games' editors keep in a folder `editor` next to their mapres:
 * pictures of entities, and automapper rules. It only knows paths, not their content.
 */
#include "mapres.h"

#include <teemap/sys.h>

/* ------------------------------------------------------------------------------------------------- sheets */

/*
 * Finds a file of the editor in the folders of the games. Teeworlds has a sheet of its own for its editor,
 * where solid tiles are white: no view of the game shows it.
 */
static tm_status find_game_file(char **path, const tm_mapres *mapres, const char *file, tm_error *error)
{
    TM_TRY(tmi_need(path, "path", error));
    *path = NULL;
    TM_TRY(tmi_need(mapres, "mapres", error));
    for (size_t i = 0; i < mapres->num_folders && !*path; i++) {
        const tmi_mapres_folder *folder = &mapres->folders[i];
        if (folder->data_size != TMI_NO_DATA)
            TM_TRY(
                tmi_mapres_find_file(path, mapres->allocator, folder->path, folder->data_size, file, error));
    }
    return *path ? TM_OK
                 : tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "%s is in none of the games' folders", file);
}

tm_status tm_mapres_find_sheet(char **path, const tm_mapres *mapres, tm_mapres_sheet sheet, tm_game game,
                               tm_error *error)
{
    const char *file =
        game == TM_GAME_DDNET ? "editor/entities_clear/ddnet.png" : "editor/entities_clear/vanilla.png";
    return find_game_file(path, mapres, sheet == TM_MAPRES_SHEET_ARROW ? "editor/speed_arrow.png" : file,
                          error);
}

tm_status tm_mapres_find_mod_sheet(char **path, const tm_mapres *mapres, const tm_mod *mod, tm_game game,
                                   tm_error *error)
{
    char file[128];
    if (mod && mod->sheet) {
        tmi_format(file, sizeof(file), "editor/entities_clear/%s.png", mod->sheet);
        tm_error failure = {.offset = -1};
        const tm_status status = find_game_file(path, mapres, file, &failure);
        if (status && status != TM_ERROR_NOT_FOUND && error)
            *error = failure;
        if (status != TM_ERROR_NOT_FOUND)
            return status;
    }
    return tm_mapres_find_sheet(path, mapres, TM_MAPRES_SHEET_ENTITIES, game, error);
}

/* -------------------------------------------------------------------------------------------------- rules */

/* DDNet moved its rules in 17.3; Teeworlds 0.7 has had its own there since it has any, 0.6 has none. */
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
        const bool has_data = folder->data_size != TMI_NO_DATA;
        char file[TMI_IMAGE_NAME + 32];
        tmi_format(file, sizeof(file), "%s%s", name, of_07 ? ".json" : ".rules");
        /* A folder that the user named may hold rules itself, as it holds images. */
        if (folder->source == TM_MAPRES_GIVEN || folder->source == TM_MAPRES_MAP ||
            folder->source == TM_MAPRES_ENVIRONMENT)
            TM_TRY(tmi_mapres_find_file(path, mapres->allocator, folder->path, strlen(folder->path), file,
                                        error));
        for (size_t k = 0; has_data && k < TMI_COUNT_OF(rules_places) && !*path; k++) {
            if ((rules_places[k].game == TM_GAME_TEEWORLDS07) != of_07)
                continue;
            tmi_format(file, sizeof(file), "%s%s%s", rules_places[k].folder, name, rules_places[k].suffix);
            TM_TRY(
                tmi_mapres_find_file(path, mapres->allocator, folder->path, folder->data_size, file, error));
        }
    }
    return *path ? TM_OK
                 : tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there are no rules for '%.100s' in the folders",
                            name);
}

tm_status tm_mapres_count_rules(uint64_t *num, const tm_mapres *mapres, uint32_t index, tm_error *error)
{
    TM_TRY(tmi_need(num, "num", error));
    *num = 0;
    if (!mapres || index >= mapres->num_folders || mapres->folders[index].data_size == TMI_NO_DATA)
        return TM_OK;
    const tmi_mapres_folder *folder = &mapres->folders[index];
    tm_status status = TM_OK;
    for (size_t i = 0; i < TMI_COUNT_OF(rules_places) && !status; i++) {
        char *path =
            tmi_mapres_join(mapres->allocator, folder->path, folder->data_size, rules_places[i].folder);
        status = path ? tmi_mapres_count_files(num, mapres, path, rules_places[i].suffix, error)
                      : tmi_fail_memory(error, 0, "a path");
        tmi_strfree(mapres->allocator, path);
    }
    return status;
}
