/* SPDX-License-Identifier: Zlib */
/*
 * git_text.c - see git_text.h. The files are made by the library (teemap/mapdir.h).
 */
#include "git_text.h"

#include "run/files.h"

#include <teemap/codec.h>
#include <teemap/mapdir.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_text_file(const tm_memory_file *file)
{
    return files_has_ending(file->name, ".json") || files_has_ending(file->name, ".txt");
}

static void put_hash(text *out, const tm_memory_file *file)
{
    const tm_input input = tm_input_from_memory(file->bytes, file->size);
    tm_hashes hashes;
    text_print(out, "%zu bytes", file->size);
    if (tm_hash_input(&hashes, &input, NULL, NULL) == TM_OK) {
        text_string(out, ", sha256 ");
        for (size_t i = 0; i < 8; i++) /* enough to see that they differ */
            text_print(out, "%02x", hashes.sha256[i]);
    }
    text_string(out, "\n");
}

static void put_text_file(text *out, const tm_memory_file *file)
{
    const char *bytes = file->bytes;
    text_print(out, "== %s\n", file->name);
    if (!is_text_file(file)) {
        put_hash(out, file);
        return;
    }
    text_put(out, bytes, file->size);
    if (file->size && bytes[file->size - 1] != '\n')
        text_string(out, "\n");
}

/* First what is about the whole map, then the lists in the order in which they are drawn upon. */
static int rank_of(const char *name)
{
    static const char *const parts[] = {"map.json", "info.json", "settings.txt", "images",
                                        "sounds",   "envelopes", "groups"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (strncmp(name, parts[i], strlen(parts[i])) == 0)
            return (int)i;
    return -1;
}

static int compare_text_files(const void *a, const void *b)
{
    const tm_memory_file *left = a, *right = b;
    const int order = rank_of(left->name) - rank_of(right->name);
    return order ? order : strcmp(left->name, right->name);
}

tm_status put_git_text(text *out, const tm_map *map, tm_error *error)
{
    tm_memory_files files = {0};
    const tm_files_out to = tm_memory_files_out(&files);
    const tm_status status = tm_mapdir_write(map, &to, NULL, NULL, NULL, error);
    if (!status && files.num) {
        qsort(files.list, files.num, sizeof(*files.list), compare_text_files);
        for (uint32_t i = 0; i < files.num; i++)
            put_text_file(out, &files.list[i]);
    }
    tm_memory_files_release(&files);
    return status;
}
