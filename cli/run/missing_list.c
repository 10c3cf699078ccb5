/* SPDX-License-Identifier: Zlib */
/*
 * missing_list.c - gathers names of missing images from maps that are worked on side by side; writes them.
 */
#include "missing_list.h"

#include "files.h"

#include <stdlib.h>
#include <string.h>

bool missing_list_begin(missing_list *list, cli_tool *tool, const char *path, const char *const *maps,
                        size_t num_maps)
{
    *list = (missing_list){0};
    for (size_t i = 0; path && i < num_maps; i++) {
        if (strcmp(path, "-") != 0 && (strcmp(path, maps[i]) == 0 || tm_sys_same_file(path, maps[i]))) {
            tool_trouble(tool, path, "the list of missing images would replace a map");
            return false;
        }
    }
    list->path = path;
    if (path) {
        list->num = num_maps;
        list->names = must_alloc(num_maps, sizeof(*list->names));
    }
    return true;
}

text *missing_list_of(missing_list *list, size_t map)
{
    return list->path ? &list->names[map] : NULL;
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* Puts the lines of `all` into `out`, sorted, each once. */
static void put_sorted(text *out, text *all)
{
    size_t num = 0, filled = 0;
    for (size_t i = 0; i < all->size; i++)
        num += all->bytes[i] == '\n';
    const char **names = must_alloc(num + 1, sizeof(*names));
    for (size_t i = 0, start = 0; i < all->size; i++) {
        if (all->bytes[i] != '\n')
            continue;
        all->bytes[i] = '\0';
        names[filled++] = all->bytes + start;
        start = i + 1;
    }
    qsort(names, num, sizeof(*names), compare_names);
    for (size_t i = 0; i < num; i++)
        if (i == 0 || strcmp(names[i - 1], names[i]) != 0)
            text_print(out, "%s\n", names[i]);
    free(names);
}

void missing_list_end(missing_list *list, cli_tool *tool)
{
    text all = {0}, sorted = {0};
    tm_error error = {0};
    if (!list->path)
        return;
    for (size_t i = 0; i < list->num; i++) {
        text_put(&all, list->names[i].bytes, list->names[i].size);
        text_release(&list->names[i]);
    }
    put_sorted(&sorted, &all);
    if (save_bytes(list->path, sorted.bytes, sorted.size, &error))
        tool_error(tool, list->path, &error);
    text_release(&all);
    text_release(&sorted);
    free(list->names);
    *list = (missing_list){0};
}
