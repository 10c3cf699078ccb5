/* SPDX-License-Identifier: Zlib */
/*
 * Keeps unknown members of files that are written again: other programs and people add them, and a map cannot
 * hold them. They are appended to the new file. Only the outermost object of a file may have them.
 */
#include "mapdir.h"

/* --------------------------------------------------------------------------------------------- which ones */

/* Whether objects of any kind have such a member: it must not be kept when an object changes its kind. */
static bool is_ours(const char *key)
{
    static const char *const contents[] = {"teemap_folder", "points", "pixels", "data",
                                           "tiles",         "compat", "quads",  "sources"};
    for (size_t i = 0; i < TMI_COUNT_OF(contents); i++) {
        const size_t size = strlen(contents[i]);
        if (strncmp(key, contents[i], size) == 0 && (!key[size] || strcmp(key + size, "_rest") == 0))
            return true;
    }
    for (tm_kind owner = 0; owner < TM_KINDS; owner++)
        if (tmi_member_known(&(tmi_fields_of){{owner}, 1, NULL}, key))
            return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------- gathering */

/* Collects the unknown members, each with a comma before it. */
static tm_status gather_from(tmi_json_file *file, const tm_output *output)
{
    tmi_reading *reading = file->reading;
    char key[TMI_KEY_SIZE];
    tmi_out writer;
    tmi_out_start(&writer, output, reading->error);
    writer.lines = writer.depth = 1; /* within an object, after a member */
    writer.more = true;
    while (tmi_json_member(file, key)) {
        const bool ours = is_ours(key);
        const char *whole; /* of a key, which may be longer than ours */
        tmi_arena tree;
        tmi_note_status(reading, tmi_arena_text(&whole, &reading->arena, tmi_json_text(file->json),
                                                tmi_json_size(file->json), "a name", reading->error));
        const tmi_json_token token = tmi_next_value(file);
        if (ours || reading->status != TM_OK) {
            tmi_json_skip(file->json, token);
            continue;
        }
        tm_json *value = tmi_read_tree(file, token, &tree);
        if (value) {
            value->name = whole;
            tmi_out_json(&writer, value);
        }
        tmi_arena_release(&tree);
    }
    return tmi_out_end(&writer);
}

/* A file that is not JSON has none. */
tm_status tmi_unknown_members(tm_buffer *out, const tm_files_in *files, const char *name, tm_error *error)
{
    tmi_reading reading = {
        .files = files, .allocator = out->allocator, .limits = {.block_bytes = 64 << 20}, .error = error};
    const tm_output output = tm_output_to_buffer(out);
    tmi_json_file file;
    if (tmi_find_file(files, name) == TM_NONE)
        return TM_OK;
    tmi_arena_init(&reading.arena, reading.allocator);
    if (tmi_json_open(&file, &reading, name)) {
        tmi_note_status(&reading, gather_from(&file, &output));
        if (reading.errors)
            out->size = 0;
        tmi_json_close(&file);
    }
    tmi_arena_release(&reading.arena);
    return reading.status;
}
