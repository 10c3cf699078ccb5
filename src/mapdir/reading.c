/* SPDX-License-Identifier: Zlib */
/*
 * What all readers of a folder share: findings with their place, files by name, names in lists.
 */
#include "mapdir.h"

/* ----------------------------------------------------------------------------------------------- findings */

void tmi_note_status(tmi_reading *reading, tm_status status)
{
    if (reading->status == TM_OK)
        reading->status = status;
}

/* The end of a place that is too long for an address says more than its beginning. */
static void make_address(char address[TM_ADDRESS_SIZE], const char *place)
{
    const size_t size = strlen(place);
    tmi_format(address, TM_ADDRESS_SIZE, "%s",
               size < TM_ADDRESS_SIZE ? place : place + size + 1 - TM_ADDRESS_SIZE);
}

static void tell(tmi_reading *reading, tm_finding_id id, const char *place, const char *text)
{
    char address[TM_ADDRESS_SIZE];
    make_address(address, place);
    tm_findings_add(reading->findings, TM_MODE_GAME, id, -1, address, place, text);
    if (tmi_finding_severity(id, TM_MODE_GAME, NULL) < TM_SEVERITY_ERROR)
        return;
    if (reading->errors++ == 0) {
        tmi_format(reading->first, sizeof(reading->first), "%s", text);
        tmi_format(reading->first_place, sizeof(reading->first_place), "%s", place);
    }
}

static void tell_in(tmi_reading *reading, tm_finding_id id, tmi_text_place at, const char *format,
                    va_list list)
{
    char place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    if (at.line)
        tmi_format(place, sizeof(place), "%s:%u:%u", at.file, (unsigned)at.line, (unsigned)at.column);
    else
        tmi_format(place, sizeof(place), "%s", at.file);
    tmi_vformat(text, sizeof(text), format, list);
    tell(reading, id, place, text);
}

void tmi_find_in(tmi_reading *reading, tm_finding_id id, tmi_text_place place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell_in(reading, id, place, format, list);
    va_end(list);
}

void tmi_find_token(tmi_json_file *file, tm_finding_id id, size_t shift, const char *format, ...)
{
    uint32_t line, column;
    va_list list;
    if (tmi_json_fault(file->json, &line, &column))
        return; /* which is told already, and explains everything behind it */
    va_start(list, format);
    tell_in(file->reading, id, (tmi_text_place){file->name, line, column + (uint32_t)shift}, format, list);
    va_end(list);
}

/* -------------------------------------------------------------------------------------------------- files */

int32_t tmi_find_file(const tm_files_in *files, const char *name)
{
    uint32_t low = 0, high = files->num;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(files->name(files->ctx, middle), name);
        if (order == 0)
            return (int32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return TM_NONE;
}

static const char *what_stands(const tmi_reading *reading, const char *name)
{
    return reading->files->no_file ? reading->files->no_file(reading->files->ctx, name) : NULL;
}

bool tmi_file_expected(const tmi_reading *reading, const char *name)
{
    return tmi_find_file(reading->files, name) != TM_NONE || what_stands(reading, name);
}

/* Where case does not count, a name may have been written in another one. */
static void tell_not_there(tmi_reading *reading, const char *name)
{
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *other = reading->files->name(reading->files->ctx, i);
        if (tmi_compare_folded(name, other) != 0)
            continue;
        tmi_find_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(name),
                    "the file is missing; there is '%.100s', and upper and lower case count", other);
        return;
    }
    const char *what = what_stands(reading, name), *end = strstr(name, ".json.json");
    tmi_find_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(name), "the file %s%s",
                what ? what : "is missing", end && !end[10] ? "; lists name objects without '.json'" : "");
}

bool tmi_open_named(tmi_reading *reading, const char *name, tm_input *out)
{
    const int32_t index = tmi_find_file(reading->files, name);
    tm_error own;
    memset(out, 0, sizeof(*out));
    if (index == TM_NONE) {
        tell_not_there(reading, name);
        return false;
    }
    reading->used[index] = true;
    tmi_error_blank(&own);
    const tm_status status =
        tmi_error_told(reading->files->open(reading->files->ctx, (uint32_t)index, out, &own), &own,
                       reading->error, TM_SIDE_INPUT, "the source of files");
    tmi_note_status(reading, status);
    return status == TM_OK;
}

void tmi_close_input(tm_input *input)
{
    if (input->close)
        input->close(input->ctx);
    memset(input, 0, sizeof(*input));
}

/* -------------------------------------------------------------------------------------------------- lists */

const char *const tmi_list_names[TMI_LISTS] = {
    [TM_OBJECT_IMAGE] = "images",
    [TM_OBJECT_SOUND] = "sounds",
    [TM_OBJECT_ENVELOPE] = "envelopes",
    [TM_OBJECT_GROUP] = "groups",
};

tm_status tmi_name_list_new(tmi_reading *reading, tmi_name_list *out, uint32_t num)
{
    memset(out, 0, sizeof(*out));
    out->names = tmi_arena_alloc(&reading->arena, (size_t)num + 1, sizeof(*out->names));
    out->sorted = tmi_arena_alloc(&reading->arena, (size_t)num + 1, sizeof(*out->sorted));
    return out->names && out->sorted ? TM_OK : tmi_fail_memory(reading->error, num, "a list of names");
}

static int by_listed_name(const void *a, const void *b)
{
    const tmi_listed *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : left->index < right->index ? -1 : left->index > right->index;
}

void tmi_sort_list(tmi_name_list *list)
{
    if (list->num == 0 || !list->names || !list->sorted)
        return;
    memcpy(list->sorted, list->names, list->num * sizeof(*list->names));
    qsort(list->sorted, list->num, sizeof(*list->sorted), by_listed_name);
}

int32_t tmi_find_listed(const tmi_name_list *list, const char *name)
{
    uint32_t low = 0, high = list->num;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(list->sorted[middle].name, name);
        if (order == 0)
            return (int32_t)list->sorted[middle].index;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return TM_NONE;
}

int32_t tmi_find_name(const tmi_reading *reading, tm_object kind, const char *name)
{
    return tmi_find_listed(&reading->lists[kind], name);
}

int tmi_compare_folded(const char *a, const char *b)
{
    while (*a && tmi_fold_case(*a) == tmi_fold_case(*b)) {
        a++;
        b++;
    }
    return (uint8_t)tmi_fold_case(*a) - (uint8_t)tmi_fold_case(*b);
}
