/* SPDX-License-Identifier: Zlib */
/*
 * lint_files.c - looks for configurations and reads them. Paths are real ones, so that the folder of a
 * configuration is in front of those of its maps.
 */
#include "lint_files.h"

#include <teemap/edit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_NAME ".teemap.toml"
enum { CONFIG_MAX = 1 << 20 }; /* bytes */

struct lint_config_file {
    char *path;
    tm_lint_config *config;
};

struct lint_config_folder {
    char *path;
    const tm_lint_config *config; /* NULL: there is none */
};

/* The folder of a map as a real path that ends with a slash; *name becomes the map's name. */
static void real_folder(char *buffer, size_t size, const char *map, const char **name)
{
    char *folder = files_copy_folder(map);
    const char *slash = strrchr(map, '/');
    *name = slash ? slash + 1 : map;
    if (!tm_sys_real_path(buffer, size - 1, folder))
        buffer[0] = '\0';
    const size_t length = strlen(buffer);
    if (!length || buffer[length - 1] != '/')
        memcpy(buffer + length, "/", 2);
    free(folder);
}

/* ----------------------------------------------------------------------------------------------- reading */

/* Whether the operations that fix the file's own rules are such, from rule `n` on. */
static bool fixes_are_read(const tm_lint_config *config, cli_tool *tool, const char *path, uint32_t n)
{
    const tm_lint_rule *rule;
    for (; (rule = tm_lint_config_rule(config, n)); n++) {
        tm_edit_script *script = NULL;
        tm_error error = {.offset = -1};
        if (!rule->fix || !tm_edit_script_from_text(&script, rule->fix, strlen(rule->fix), NULL, &error)) {
            tm_edit_script_free(script);
            continue;
        }
        snprintf(error.place, sizeof(error.place), "the fix of rule '%s'", tm_lint_rule_name(rule));
        tool_error(tool, path, &error);
        return false;
    }
    return true;
}

/* Adds a file to a configuration. */
static bool add_config_file(tm_lint_config *config, cli_tool *tool, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint32_t before = 0;
    tm_error error = {.offset = -1};
    tm_status status = read_path(&bytes, &size, path, CONFIG_MAX, NULL, &error);
    while (!status && tm_lint_config_rule(config, before))
        before++;
    if (!status)
        status = tm_lint_config_add(config, path, (const char *)bytes, size, &error);
    free(bytes);
    if (status)
        tool_error(tool, path, &error);
    return !status && fixes_are_read(config, tool, path, before);
}

/*
 * A configuration of some files together, that is kept under the path of the first one, "" without any; NULL:
 * trouble.
 */
static tm_lint_config *read_config(lint_configs *to, cli_tool *tool, const char *const *paths, size_t num)
{
    tm_error error = {.offset = -1};
    tm_lint_config *config = NULL;
    bool fine = !tm_lint_config_new(&config, NULL, &error);
    for (size_t i = 0; i < num && fine; i++)
        fine = add_config_file(config, tool, paths[i]);
    if (!fine) {
        tm_lint_config_free(config);
        return NULL;
    }
    to->files = must_resize(to->files, to->num_files + 1, sizeof(*to->files));
    to->files[to->num_files++] = (struct lint_config_file){must_copy(num ? paths[0] : ""), config};
    return config;
}

/* ------------------------------------------------------------------------------------------------ finding */

static const tm_lint_config *known_config(const lint_configs *configs, const char *path)
{
    for (size_t i = 0; i < configs->num_files; i++)
        if (strcmp(configs->files[i].path, path) == 0)
            return configs->files[i].config;
    return NULL;
}

static struct lint_config_folder *known_folder(const lint_configs *configs, const char *path)
{
    for (size_t i = configs->num_folders; i-- > 0;) /* maps of a folder stand together */
        if (strcmp(configs->folders[i].path, path) == 0)
            return &configs->folders[i];
    return NULL;
}

/* The nearest file in `folder`, which ends with a slash, and in all above it. False: trouble. */
static bool find_config(const tm_lint_config **out, lint_configs *configs, cli_tool *tool, const char *folder)
{
    char path[LINT_PATH_SIZE + sizeof(CONFIG_NAME)];
    *out = NULL;
    for (size_t size = strlen(folder); size; size--) {
        if (folder[size - 1] != '/')
            continue;
        memcpy(path, folder, size);
        memcpy(path + size, CONFIG_NAME, sizeof(CONFIG_NAME));
        if (tm_sys_kind_of(path) != TM_SYS_FILE)
            continue;
        *out = known_config(configs, path);
        const char *const paths[] = {path};
        if (!*out)
            *out = read_config(configs, tool, paths, 1);
        return *out;
    }
    return true;
}

static bool add_folder_of(lint_configs *out, cli_tool *tool, const char *map)
{
    char folder[LINT_PATH_SIZE];
    const char *name;
    const tm_lint_config *config;
    real_folder(folder, sizeof(folder), map, &name);
    if (known_folder(out, folder))
        return true;
    if (!find_config(&config, out, tool, folder))
        return false;
    out->folders = must_resize(out->folders, out->num_folders + 1, sizeof(*out->folders));
    out->folders[out->num_folders++] = (struct lint_config_folder){must_copy(folder), config};
    return true;
}

static void keep_for_all(lint_configs *out, const tm_lint_config *config)
{
    out->folders = must_alloc(1, sizeof(*out->folders));
    out->folders[out->num_folders++] = (struct lint_config_folder){must_copy(""), config};
}

/* What --config names: one configuration for all maps, of which real paths are kept, too. */
static bool read_named(lint_configs *out, cli_tool *tool, const word_list *words)
{
    const char *paths[MAX_WORDS];
    char *real = must_alloc(MAX_WORDS, LINT_PATH_SIZE);
    for (size_t i = 0; i < words->num; i++) {
        char *path = real + i * LINT_PATH_SIZE;
        paths[i] = tm_sys_real_path(path, LINT_PATH_SIZE, words->words[i]) ? path : words->words[i];
    }
    const tm_lint_config *config = read_config(out, tool, paths, words->num);
    free(real);
    if (!config)
        return false;
    keep_for_all(out, config);
    return true;
}

bool lint_configs_read(lint_configs *out, cli_tool *tool, const lint_file_words *words, const file_list *maps)
{
    bool fine = true;
    *out = (lint_configs){.files = NULL};
    if (words->no_config)
        keep_for_all(out, NULL);
    else if (words->config.num)
        fine = read_named(out, tool, &words->config);
    else if (!maps->num)
        fine = add_folder_of(out, tool, "");
    else
        for (size_t i = 0; i < maps->num && fine; i++)
            fine = add_folder_of(out, tool, maps->paths[i]);
    if (!fine)
        lint_configs_release(out);
    return fine;
}

void lint_configs_release(lint_configs *configs)
{
    for (size_t i = 0; i < configs->num_files; i++) {
        tm_lint_config_free(configs->files[i].config);
        free(configs->files[i].path);
    }
    for (size_t i = 0; i < configs->num_folders; i++)
        free(configs->folders[i].path);
    free(configs->files);
    free(configs->folders);
    *configs = (lint_configs){.files = NULL};
}

/* ------------------------------------------------------------------------------------------------ asking */

const tm_lint_rule *lint_configs_rule(const lint_configs *configs, size_t n)
{
    for (size_t i = 0; i < configs->num_files; i++) {
        const tm_lint_rule *rule;
        for (uint32_t k = 0; (rule = tm_lint_config_rule(configs->files[i].config, k)); k++)
            if (n-- == 0)
                return rule;
    }
    return NULL;
}

void lint_configs_choose(lint_how *out, const lint_configs *configs, const tm_lint_options *all,
                         const char *map)
{
    const char *name;
    out->options = *all;
    out->options.path = out->path;
    real_folder(out->path, sizeof(out->path), map, &name);
    const struct lint_config_folder *folder = known_folder(configs, out->path);
    if (!folder)
        folder = known_folder(configs, ""); /* --config is for all of them */
    const size_t length = strlen(out->path), size = strlen(name);
    if (length + size < sizeof(out->path))
        memcpy(out->path + length, name, size + 1);
    out->options.config = folder ? folder->config : NULL;
}
