/* SPDX-License-Identifier: Zlib */
/*
 * git_text.c - a map as one text, for `git diff`: the library makes its files (teemap/mapdir.h), here they
 * are put one behind the other. Also what git hands over as a map and is none.
 */
#include "git_text.h"

#include "output/report_words.h"

/* The files made so far, and how many more bytes they may take. */
typedef struct text_files {
    tm_memory_files made;
    uint64_t room;
} text_files;

/* One file, which is cut off when there is no more room. */
typedef struct growing_file {
    text bytes;
    uint64_t room;
    bool full;
} growing_file;

static tm_status grow_file(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    growing_file *file = ctx;
    (void)error;
    file->full = file->full || size > file->room;
    if (file->full)
        return TM_ERROR_LIMIT;
    file->room -= size;
    text_put(&file->bytes, bytes, size);
    return TM_OK;
}

static void put_hash(text *out, const text *bytes)
{
    const tm_input input = tm_input_from_memory(bytes->bytes, bytes->size);
    tm_hashes hashes;
    text_print(out, "%zu bytes", bytes->size);
    if (tm_hash_input(&hashes, &input, NULL, NULL) == TM_OK) {
        enum { ENOUGH = 8 }; /* to see that they differ */
        char digits[2 * ENOUGH + 1];
        format_hex(digits, hashes.sha256, ENOUGH);
        text_print(out, ", sha256 %s", digits);
    }
    text_string(out, "\n");
}

/* Adds a file. A binary file becomes a line with its size and hash, a file that does not fit a line, too. */
static tm_status add_text_file(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error)
{
    text_files *files = ctx;
    growing_file file = {.room = files->room};
    const tm_output output = {&file, grow_file, NULL};
    text line = {0};
    tm_status status = put(put_ctx, &output, error);
    const bool is_text = files_has_ending(name, ".json") || files_has_ending(name, ".txt");
    if (file.full)
        text_string(&line, "left out: the text of the map is longer than the limit; see --limit\n");
    else if (!is_text)
        put_hash(&line, &file.bytes);
    else if (file.bytes.size && file.bytes.bytes[file.bytes.size - 1] != '\n')
        text_string(&file.bytes, "\n");
    const text *content = line.size ? &line : &file.bytes;
    if (file.full)
        status = TM_OK;
    else if (!status)
        files->room = file.room;
    if (!status)
        status = tm_memory_files_add(&files->made, name, content->bytes, content->size, error);
    text_release(&line);
    text_release(&file.bytes);
    return status;
}

/* The place of a file in the text: first those about the whole map, then lists, groups last; -1: unknown. */
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

tm_status put_git_text(text *out, const tm_map *map, uint64_t limit, tm_error *error)
{
    text_files files = {.room = limit};
    const tm_files_out target = {&files, add_text_file, false};
    tm_mapdir_write_options options = TM_MAPDIR_WRITE_OPTIONS_INIT;
    options.unpacked_bytes = limit > UINT64_MAX / 10 ? UINT64_MAX : limit * 10;
    const tm_status status = tm_mapdir_write(map, &target, &options, NULL, error);
    if (!status && files.made.num) {
        qsort(files.made.list, files.made.num, sizeof(*files.made.list), compare_text_files);
        for (uint32_t i = 0; i < files.made.num; i++) {
            text_print(out, "== %s\n", files.made.list[i].name);
            text_put(out, files.made.list[i].bytes, files.made.list[i].size);
        }
    }
    tm_memory_files_release(&files.made);
    return status;
}

tm_status put_git_unknown(text *out, const loaded *file, tm_error *error)
{
    unknown_changes unknown = {0};
    tm_map *empty = NULL;
    tm_status status = tm_map_new(&empty, NULL, error);
    status = status ? status : unknown_find(&unknown, empty, file->map, NULL, error);
    if (!status && unknown.num) {
        text_string(out, "== unread\n");
        text_count(out, unknown.num, "part", "parts");
        text_print(out, " that teemap does not read; the file has %llu bytes, sha256 %.16s\n",
                   (unsigned long long)file->file_size, file->sha256);
    }
    unknown_release(&unknown);
    tm_map_free(empty);
    return status;
}

enum { TEXT_MAX = 16 << 20 }; /* bytes */

/* Reads a file that is text, not a map; NULL: it is something else. The caller frees it. */
static uint8_t *read_plain_text(size_t *size, const char *path)
{
    uint8_t *bytes = NULL;
    const bool is_map = files_begins_as_map(path);
    if (is_map || read_path(&bytes, size, path, TEXT_MAX, NULL, NULL))
        return NULL;
    if (!memchr(bytes, '\0', *size))
        return bytes;
    free(bytes);
    return NULL;
}

void put_git_other(text *out, const char *path, const loaded *file)
{
    size_t size;
    uint8_t *bytes = read_plain_text(&size, path);
    if (bytes)
        text_put(out, (const char *)bytes, size);
    else
        text_print(out, "%s: %s\n%llu bytes, sha256 %.16s\n",
                   file->status == TM_ERROR_LIMIT ? "no text, the map is too large"
                                                  : "no map that can be read",
                   file->error.text, (unsigned long long)file->file_size, file->sha256);
    free(bytes);
}

bool merge_git_texts(int *num_conflicts, char *const paths[3])
{
    enum { MAX_CONFLICTS = 127 }; /* of git merge-file; more is an error */
    const char *const words[] = {"git", "merge-file", "-L",     "ours",   "-L",     "base",
                                 "-L",  "theirs",     paths[1], paths[0], paths[2], NULL};
    tm_buffer said = {0};
    for (int i = 0; i < 3; i++) {
        size_t size;
        uint8_t *bytes = read_plain_text(&size, paths[i]);
        if (!bytes)
            return false;
        free(bytes);
    }
    const tm_status ran = tm_sys_run(num_conflicts, &said, words, NULL);
    tm_buffer_release(&said);
    return !ran && *num_conflicts <= MAX_CONFLICTS;
}
