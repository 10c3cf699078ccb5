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

/* Collects the unknown members, each with a comma before it. A file that is not JSON has none. */
static tm_status gather_from(tm_buffer *out, const tm_input *input, tm_error *error)
{
    const tm_allocator *allocator = out->allocator;
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

tm_status tmi_unknown_members(tm_buffer *out, const tm_files_in *files, const char *name, tm_error *error)
{
    const int32_t index = tmi_find_file(files, name);
    tm_input input = {0};
    tm_error own;
    if (index == TM_NONE)
        return TM_OK;
    tmi_error_blank(&own);
    TM_TRY(tmi_error_told(files->open(files->ctx, (uint32_t)index, &input, &own), &own, error, TM_SIDE_INPUT,
                          "the source of files"));
    const tm_status status = gather_from(out, &input, error);
    tmi_close_input(&input);
    return status;
}
