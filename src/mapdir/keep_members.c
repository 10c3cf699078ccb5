/* SPDX-License-Identifier: Zlib */
/*
 * Keeps unknown members of files that are written again: other programs and people add them, and a map cannot
 * hold them. They are appended to the new file. Only the outermost object of a file may have them.
 */
#include "mapdir.h"

/* --------------------------------------------------------------------------------------------- which ones */

/* Members that are no fields, without the endings "_rest" and "_bytes". */
static const char *const contents[] = {"teemap_folder", "points", "pixels", "data",
                                       "tiles",         "compat", "quads",  "sources"};

/* Whether objects of any kind have such a member: it must not be kept when an object changes its kind. */
static bool is_ours(const char *key)
{
    static const char *const ends[] = {"_rest", "_bytes"};
    size_t size = strlen(key);
    for (size_t i = 0; i < TMI_COUNT_OF(ends); i++)
        if (size > strlen(ends[i]) && strcmp(key + size - strlen(ends[i]), ends[i]) == 0)
            size -= strlen(ends[i]);
    for (size_t i = 0; i < TMI_COUNT_OF(contents); i++)
        if (strlen(contents[i]) == size && memcmp(contents[i], key, size) == 0)
            return true;
    for (int owner = 0; owner < TM_OWNER_COUNT; owner++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, (tm_owner)owner);
        for (size_t i = 0; i < num; i++)
            if (strncmp(fields[i].name, key, size) == 0 && strchr(".", fields[i].name[size]))
                return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------- gathering */

/* Collects the unknown members of a file, each with a comma before it. A file that is not JSON has none. */
static tm_status gather_from(tm_buffer *out, const tm_input *input, const tm_allocator *allocator,
                             tm_error *error)
{
    const tm_output output = tm_output_to_buffer(out);
    uint64_t room = 64 << 20;
    tmi_json *json;
    tmi_arena arena;
    tmi_out to;
    tm_status status = TM_OK;
    TM_TRY(tmi_json_new(&json, input, room, allocator, error));
    tmi_arena_init(&arena, allocator);
    tmi_out_start(&to, &output, error);
    to.lines = to.depth = 1; /* within an object, after a member */
    to.more = true;
    tmi_json_token token = tmi_json_next(json);
    if (token == TMI_JSON_OBJECT)
        while (status == TM_OK && (token = tmi_json_next(json)) == TMI_JSON_KEY) {
            const char *key;
            tm_json *value;
            tm_error own;
            if (is_ours(tmi_json_text(json))) {
                tmi_json_skip(json, tmi_json_next(json));
                continue;
            }
            status = tmi_arena_text(&key, &arena, tmi_json_text(json), tmi_json_size(json), "a name", error);
            if (status != TM_OK)
                break;
            status = tmi_json_value(&value, json, tmi_json_next(json), &room, &arena, &own);
            if (status != TM_OK) {
                status = tmi_past_damage(status, &own, error);
                break;
            }
            value->name = key;
            tmi_out_json(&to, value);
        }
    const tm_status held = tmi_out_end(&to);
    if (status == TM_OK)
        status = held ? held : tmi_json_status(json);
    if (token != TMI_JSON_OBJECT_END)
        out->size = 0;
    tmi_arena_release(&arena);
    tmi_json_free(json);
    return status;
}

static tm_status gather_members(tm_buffer *out, const tm_files_in *files, const char *name,
                                const tm_allocator *allocator, tm_error *error)
{
    const int32_t index = tmi_find_file(files, name);
    tm_input input = {0};
    tm_error own;
    if (index == TM_NONE)
        return TM_OK;
    tmi_error_blank(&own);
    TM_TRY(tmi_error_told(files->open(files->ctx, (uint32_t)index, &input, &own), &own, error, TM_SIDE_INPUT,
                          "the source of files"));
    const tm_status status = gather_from(out, &input, allocator, error);
    tmi_close_input(&input);
    return status;
}

/* ------------------------------------------------------------------------------------------------ writing */

/* Holds back the end of a file, with the brace that closes the object. */
static const char file_end[] = {'\n', '}', '\n'};
typedef struct held_end {
    const tm_output *output;
    char bytes[sizeof(file_end)];
    size_t num;
} held_end;

static tm_status write_held(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    held_end *to = ctx;
    const size_t room = sizeof(to->bytes), keep = size < room ? size : room;
    const size_t go = to->num + keep > room ? to->num + keep - room : 0;
    if (go)
        TM_TRY(tmi_output_write(to->output, to->bytes, go, error));
    memmove(to->bytes, to->bytes + go, to->num - go);
    to->num -= go;
    if (size > keep)
        TM_TRY(tmi_output_write(to->output, bytes, size - keep, error));
    memcpy(to->bytes + to->num, (const char *)bytes + size - keep, keep);
    to->num += keep;
    return TM_OK;
}

static tm_status put_with(const tmi_piece *at, const tm_buffer *members, const tm_output *output,
                          tm_error *error)
{
    held_end held = {.output = output};
    const tm_output to = {.ctx = &held, .write = write_held};
    TM_TRY(tmi_piece_put((void *)(uintptr_t)at, &to, error));
    const bool fits = held.num == sizeof(file_end) && memcmp(held.bytes, file_end, sizeof(file_end)) == 0;
    if (fits)
        TM_TRY(tmi_output_write(output, members->bytes, members->size, error));
    return tmi_output_write(output, held.bytes, held.num, error);
}

bool tmi_keeps_members(const tmi_piece *at, const char *path)
{
    const size_t size = strlen(path);
    return at->of->options.before && size > 5 && strcmp(path + size - 5, ".json") == 0;
}

tm_status tmi_put_keeping(void *piece, const tm_output *output, tm_error *error)
{
    const tmi_piece *at = piece;
    const tm_allocator *allocator = tmi_map_allocator(at->of->map);
    tm_buffer members = {.allocator = allocator};
    char path[TMI_PATH_SIZE];
    tmi_piece_path(path, at);
    tm_status status = gather_members(&members, at->of->options.before, path, allocator, error);
    if (status == TM_OK)
        status = members.size ? put_with(at, &members, output, error) : tmi_piece_put(piece, output, error);
    tm_buffer_release(&members);
    return status;
}
