/* SPDX-License-Identifier: Zlib */
/*
 * Reads members of JSON into fields, by the table of fields. A fault is reported with its place, and reading
 * goes on, so that one run reports all faults.
 */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------------------- files */

static void report_fault(tmi_json_file *file)
{
    uint32_t line, column;
    const char *fault = tmi_json_fault(file->json, &line, &column);
    tmi_note_status(file->reading, tmi_json_status(file->json));
    if (fault)
        tmi_report_in(file->reading, TM_FINDING_FOLDER_TEXT, (tmi_text_place){file->name, line, column}, "%s",
                      fault);
}

bool tmi_json_open(tmi_json_file *file, tmi_reading *reading, const char *name)
{
    memset(file, 0, sizeof(*file));
    file->reading = reading;
    file->name = name;
    if (reading->status != TM_OK || !tmi_open_named(reading, name, &file->input))
        return false;
    const tm_status status = tmi_json_new(&file->json, &file->input, reading->limits.block_bytes,
                                          reading->allocator, reading->error);
    tmi_note_status(reading, status);
    if (status == TM_OK) {
        const tmi_json_token token = tmi_json_next(file->json);
        if (token == TMI_JSON_OBJECT)
            return true;
        if (token == TMI_JSON_FAULT)
            report_fault(file);
        else
            tmi_report_token(file, TM_FINDING_FOLDER_TEXT, 0, "the file must hold an object: { ... }");
    }
    tmi_json_close(file);
    return false;
}

void tmi_json_close(tmi_json_file *file)
{
    /* text behind the object would be lost when the folder is written again */
    if (file->json && file->reading->status == TM_OK && tmi_json_is_read(file->json) &&
        tmi_json_next(file->json) == TMI_JSON_FAULT)
        report_fault(file);
    tmi_json_free(file->json);
    file->json = NULL;
    tmi_close_input(&file->input);
}

bool tmi_json_member(tmi_json_file *file, char key[TMI_KEY_SIZE])
{
    if (file->reading->status != TM_OK)
        return false;
    const tmi_json_token token = tmi_json_next(file->json);
    if (token == TMI_JSON_FAULT)
        report_fault(file);
    if (token != TMI_JSON_KEY)
        return false;
    tmi_format(key, TMI_KEY_SIZE, "%s", tmi_json_text(file->json));
    return true;
}

/* The next token of a file; reports a fault of the JSON once. */
tmi_json_token tmi_next_value(tmi_json_file *file)
{
    const tmi_json_token token = tmi_json_next(file->json);
    if (token == TMI_JSON_FAULT)
        report_fault(file);
    return token;
}

static void skip_value(tmi_json_file *file, tmi_json_token token)
{
    if (token != TMI_JSON_FAULT && !tmi_json_skip(file->json, token))
        report_fault(file);
}

void tmi_json_unexpected(tmi_json_file *file, tmi_json_token token, const char *expected)
{
    if (token == TMI_JSON_FAULT)
        return;
    tmi_report_token(file, TM_FINDING_FOLDER_VALUE, 0, "%s is expected", expected);
    skip_value(file, token);
}

void tmi_unknown_member(tmi_json_file *file, const char *key)
{
    tmi_report_token(file, TM_FINDING_FOLDER_UNUSED, 0, "nothing is known of a member '%s'; it is not read",
                     key);
    skip_value(file, tmi_next_value(file));
}

bool tmi_read_string(tmi_json_file *file, char *out, size_t size, const char *expected)
{
    const tmi_json_token token = tmi_next_value(file);
    out[0] = '\0';
    if (token == TMI_JSON_NULL)
        return false;
    if (token != TMI_JSON_STRING || tmi_json_size(file->json) >= size) {
        tmi_json_unexpected(file, token, expected);
        return false;
    }
    memcpy(out, tmi_json_text(file->json), tmi_json_size(file->json) + 1);
    return true;
}

/* ------------------------------------------------------------------------------------------------ members */

tm_status tmi_report_node(void *ctx, const tm_json *node, bool unknown, const char *text)
{
    const tmi_json_file *file = ctx;
    if (unknown)
        tmi_report_in(file->reading, TM_FINDING_FOLDER_UNUSED,
                      (tmi_text_place){file->name, node->name_line, node->name_column}, "%s; it is not read",
                      text);
    else
        tmi_report_in(file->reading, TM_FINDING_FOLDER_VALUE,
                      (tmi_text_place){file->name, node->line, node->column}, "%s", text);
    return TM_OK;
}

static int32_t find_name(void *ctx, tm_kind kind, const char *name)
{
    return tmi_find_name(((const tmi_json_file *)ctx)->reading, kind, name);
}

static tmi_object_in reader_of(tmi_json_file *file)
{
    return (tmi_object_in){.map = file->reading->map,
                           .find = find_name,
                           .fault = tmi_report_node,
                           .ctx = file,
                           .error = file->reading->error};
}

tm_json *tmi_read_tree(tmi_json_file *file, tmi_json_token token, tmi_arena *arena)
{
    tmi_reading *reading = file->reading;
    uint64_t room = reading->limits.block_bytes;
    tm_json *node = NULL;
    tm_error error;
    tmi_arena_init(arena, reading->allocator);
    if (token == TMI_JSON_FAULT)
        return NULL;
    const tm_status status = tmi_json_value(&node, file->json, token, &room, arena, &error);
    if (status == TM_OK)
        return node;
    report_fault(file);
    if (status != TM_ERROR_DAMAGED) {
        if (reading->error)
            *reading->error = error;
        tmi_note_status(reading, status);
    }
    return NULL;
}

bool tmi_read_member(tmi_json_file *file, const tmi_fields_of *target, const char *key)
{
    const tmi_object_in reader = reader_of(file);
    tmi_arena arena;
    if (!tmi_member_known(target, key))
        return false;
    tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    if (node) {
        node->name = key;
        tmi_note_status(file->reading, tmi_member_read(&reader, target, node));
    }
    tmi_arena_release(&arena);
    return true;
}

void tmi_read_hex(tmi_json_file *file, tm_buffer *out)
{
    const tmi_object_in reader = reader_of(file);
    tmi_arena arena;
    const tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    tm_buffer_release(out);
    if (node)
        tmi_note_status(file->reading, tmi_hex_read(&reader, node, out));
    tmi_arena_release(&arena);
}

void tmi_read_members_of(tmi_reading *reading, const char *path, const tmi_fields_of *target, int32_t form)
{
    char key[TMI_KEY_SIZE];
    tmi_json_file file;
    if (!tmi_json_open(&file, reading, path))
        return;
    while (tmi_json_member(&file, key))
        if (!(form == TMI_OWN_FORM ? tmi_read_member(&file, target, key)
                                   : tmi_twmap_take(&file, target, form, key)))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
}

/* ----------------------------------------------------------------------------------------------- elements */

bool tmi_read_elements(tmi_json_file *file, tm_kind owner, int32_t form, tm_buffer *out, uint32_t *num)
{
    tmi_reading *reading = file->reading;
    const tm_output output = tm_output_to_buffer(out);
    tmi_json_token token = tmi_next_value(file);
    tmi_any_element element;
    const tmi_fields_of target = {{owner}, 1, &element};
    const tmi_object_in reader = reader_of(file);
    *num = 0;
    out->size = 0;
    if (token == TMI_JSON_NULL && form == TMI_OWN_FORM)
        return false;
    if (token != TMI_JSON_ARRAY) {
        tmi_json_unexpected(file, token, "a list: [ ... ]");
        return false;
    }
    while ((token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT &&
           reading->status == TM_OK) {
        if (token != TMI_JSON_OBJECT) {
            tmi_json_unexpected(file, token, "an object: { ... }");
            continue;
        }
        tmi_arena arena;
        const tm_json *node = tmi_read_tree(file, token, &arena);
        memset(&element, 0, sizeof(element));
        tmi_fields_start(&target);
        if (node && form == TMI_OWN_FORM)
            tmi_note_status(reading, tmi_object_read(&reader, &target, node));
        for (const tm_json *member = node && form != TMI_OWN_FORM ? node->first : NULL; member;
             member = member->next)
            tmi_twmap_take_node(file, &target, form, member);
        tmi_arena_release(&arena);
        const bool room = out->size + tm_kind_size(owner) <= reading->limits.block_bytes && *num < INT32_MAX;
        const tm_status status =
            room ? tmi_output_write(&output, &element, tm_kind_size(owner), reading->error)
                 : tmi_fail(reading->error, TM_ERROR_LIMIT, -1, "'%s' has more elements than are allowed",
                            file->name);
        tmi_note_status(reading, status);
        *num += status == TM_OK;
    }
    return true;
}
