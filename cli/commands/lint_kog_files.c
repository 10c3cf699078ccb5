/* SPDX-License-Identifier: Zlib */
/*
 * lint_kog_files.c - reads what --kog names: files, or KoG's folder map_rules, beside which its program has
 * the folders data/mapres and data/custom_mapres. Names of the files in these, without what follows the last
 * point, are those of the images that are allowed.
 */
#include "lint_kog_files.h"

#include "lint_files.h"
#include "run/files.h"

#include <teemap/codec.h>
#include <teemap/store.h>

#include <stdlib.h>
#include <string.h>

enum { KOG_FILE_MOST = 1 << 20 }; /* bytes */

typedef struct kog_files {
    lint_kog_file **list;
    size_t *num;
    cli_tool *tool;
} kog_files;

static lint_kog_file *new_kog_file(const kog_files *to, const char *path)
{
    *to->list = must_resize(*to->list, *to->num + 1, sizeof(**to->list));
    lint_kog_file *file = &(*to->list)[(*to->num)++];
    *file = (lint_kog_file){.path = must_copy(path)};
    return file;
}

static bool read_kog_file(const kog_files *to, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error error = {.offset = -1};
    if (read_path(&bytes, &size, path, KOG_FILE_MOST, NULL, &error)) {
        tool_error(to->tool, path, &error);
        return false;
    }
    lint_kog_file *file = new_kog_file(to, path);
    file->text = (char *)bytes;
    file->size = size;
    return true;
}

/* Each file of a folder, not of those in it, in the order of their names. */
static bool each_kog_file(const kog_files *to, const char *folder,
                          bool (*take)(const kog_files *to, const char *folder, const char *name))
{
    tm_store_folder *open = NULL;
    tm_error error = {.offset = -1};
    bool fine = true;
    if (tm_store_folder_open(&open, folder, false, NULL, &error)) {
        tool_error(to->tool, folder, &error);
        return false;
    }
    const tm_files_in files = tm_store_folder_in(open);
    for (uint32_t i = 0; i < files.num && fine; i++) {
        const char *name = files.name(files.ctx, i);
        fine = strchr(name, '/') || take(to, folder, name);
    }
    tm_store_folder_close(open);
    return fine;
}

static bool take_rules(const kog_files *to, const char *folder, const char *name)
{
    if (!files_has_ending(name, ".yaml") && !files_has_ending(name, ".yml"))
        return true;
    const size_t size = strlen(folder);
    char *path = must_alloc(size + strlen(name) + 2, 1);
    memcpy(path, folder, size);
    path[size] = '/';
    memcpy(path + size + 1, name, strlen(name) + 1);
    const bool fine = read_kog_file(to, path);
    free(path);
    return fine;
}

static bool take_image(const kog_files *to, const char *folder, const char *name)
{
    (void)folder;
    lint_kog_file *file = &(*to->list)[*to->num - 1];
    char *copy = must_copy(name), *point = strrchr(copy, '.');
    if (point && point > copy)
        *point = '\0';
    file->names = must_resize(file->names, file->num_names + 1, sizeof(*file->names));
    file->names[file->num_names++] = copy;
    return true;
}

/* The folders of images, where they are: "data" is beside the folder of the rules. */
static bool read_kog_images(const kog_files *to, const char *rules)
{
    static const char *const folders[] = {
        [TM_LINT_EMBEDDED] = "/data/custom_mapres", [TM_LINT_EXTERNAL] = "/data/mapres"};
    char path[LINT_PATH_SIZE + 32];
    if (!tm_sys_real_path(path, LINT_PATH_SIZE, rules))
        return true;
    char *slash = strrchr(path, '/');
    for (int which = 0; slash && which < 2; which++) {
        memcpy(slash, folders[which], strlen(folders[which]) + 1);
        if (tm_sys_kind_of(path) != TM_SYS_FOLDER)
            continue;
        new_kog_file(to, path)->which = (tm_lint_images)which;
        if (!each_kog_file(to, path, take_image))
            return false;
    }
    return true;
}

bool lint_kog_read(lint_kog_file **list, size_t *num, cli_tool *tool, const char *path)
{
    const kog_files to = {list, num, tool};
    const size_t before = *num;
    if (!tm_yaml_available()) {
        tool_trouble(
            tool, "--kog",
            "this teemap was built without libyaml: install it (Debian: libyaml-dev) and build again");
        return false;
    }
    if (tm_sys_kind_of(path) != TM_SYS_FOLDER) {
        char *folder = files_copy_folder(path);
        const bool fine = read_kog_file(&to, path) && read_kog_images(&to, folder);
        free(folder);
        return fine;
    }
    if (!each_kog_file(&to, path, take_rules))
        return false;
    if (*num == before) {
        tool_trouble(tool, path, "there is no *.yaml in this folder");
        return false;
    }
    return read_kog_images(&to, path);
}

bool lint_kog_add(tm_lint_config *config, cli_tool *tool, const lint_kog_file *file)
{
    tm_error error = {.offset = -1};
    const tm_status status =
        file->text ? tm_lint_config_add_kog(config, file->path, file->text, file->size, &error)
                   : tm_lint_config_allow_images(config, file->which, (const char *const *)file->names,
                                                 file->num_names, &error);
    if (status)
        tool_error(tool, file->path, &error);
    return !status;
}

void lint_kog_free(lint_kog_file *list, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < list[i].num_names; k++)
            free(list[i].names[k]);
        free(list[i].names);
        free(list[i].text);
        free(list[i].path);
    }
    free(list);
}
