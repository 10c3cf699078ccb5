/* SPDX-License-Identifier: Zlib */
/*
 * What all readers of a folder share: findings with their place, files by name, lists of names, sidecar.bin.
 */
#include "mapdir.h"

/* ----------------------------------------------------------------------------------------------- findings */

void tmi_note_status(tmi_reading *reading, tm_status status)
{
    if (reading->status == TM_OK)
        reading->status = status;
}

static void report_in(tmi_reading *reading, tm_finding_id id, tmi_text_place text_place, const char *format,
                      va_list list)
{
    char place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE], address[TM_ADDRESS_SIZE];
    if (text_place.line)
        tmi_format(place, sizeof(place), "%s:%u:%u", text_place.file, (unsigned)text_place.line,
                   (unsigned)text_place.column);
    else
        tmi_format(place, sizeof(place), "%s", text_place.file);
    tmi_vformat(text, sizeof(text), format, list);
    const size_t size = strlen(place); /* the end of a long place says more than its beginning */
    tmi_format(address, sizeof(address), "%s",
               size < sizeof(address) ? place : place + size + 1 - sizeof(address));
    tm_findings_add(reading->findings, TM_MODE_GAME, id, -1, address, place, text);
    if (tmi_finding_severity(id, TM_MODE_GAME, NULL) < TM_SEVERITY_ERROR)
        return;
    if (reading->errors++ == 0) {
        tmi_fail(&reading->first, TM_ERROR_DAMAGED, -1, "%s", text);
        tmi_fail_at(&reading->first, TM_ERROR_DAMAGED, "%s", place);
    }
}

void tmi_report_in(tmi_reading *reading, tm_finding_id id, tmi_text_place place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report_in(reading, id, place, format, list);
    va_end(list);
}

void tmi_report_token(tmi_json_file *file, tm_finding_id id, size_t shift, const char *format, ...)
{
    uint32_t line, column;
    va_list list;
    if (tmi_json_fault(file->json, &line, &column))
        return; /* which is reported already, and explains everything behind it */
    va_start(list, format);
    report_in(file->reading, id, (tmi_text_place){file->name, line, column + (uint32_t)shift}, format, list);
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

bool tmi_open_named(tmi_reading *reading, const char *name, tm_input *out)
{
    const int32_t index = tmi_find_file(reading->files, name);
    tm_error error;
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; index == TM_NONE && i < reading->files->num; i++) {
        const char *other = reading->files->name(reading->files->ctx, i);
        if (tmi_compare_folded(name, other) != 0)
            continue;
        tmi_report_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(name),
                      "the file is missing; there is '%.100s', and upper and lower case count", other);
        return false;
    }
    if (index == TM_NONE) {
        const char *subject = what_stands(reading, name), *end = strstr(name, ".json.json");
        tmi_report_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(name), "the file %s%s",
                      subject ? subject : "is missing",
                      end && !end[10] ? "; lists name objects without '.json'" : "");
        return false;
    }
    if (reading->used)
        reading->used[index] = true;
    tmi_error_blank(&error);
    const tm_status status =
        tmi_error_told(reading->files->open(reading->files->ctx, (uint32_t)index, out, &error), &error,
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
    if (list->num == 0)
        return;
    memcpy(list->sorted, list->names, list->num * sizeof(*list->names));
    qsort(list->sorted, list->num, sizeof(*list->sorted), by_listed_name);
}

static int compare_listed(const void *name, const void *listed)
{
    return strcmp(name, ((const tmi_listed *)listed)->name);
}

static int32_t find_listed(const tmi_name_list *list, const char *name)
{
    const tmi_listed *found =
        list->num ? bsearch(name, list->sorted, list->num, sizeof(*list->sorted), compare_listed) : NULL;
    return found ? (int32_t)found->index : TM_NONE;
}

int32_t tmi_find_name(const tmi_reading *reading, tm_kind kind, const char *name)
{
    return find_listed(&reading->lists[kind], name);
}

/* -------------------------------------------------------------------------------------------------- lines */

enum { MAX_TEXT = 64 << 20, MAX_NAME = 200, MAX_OBJECTS = 1 << 20 };

char *tmi_read_text(tmi_reading *reading, const char *name, size_t *size)
{
    tm_input input;
    *size = 0;
    if (!tmi_open_named(reading, name, &input))
        return NULL;
    char *bytes = NULL;
    tm_status status = TM_OK;
    if (input.size > MAX_TEXT)
        status = tmi_fail(reading->error, TM_ERROR_LIMIT, -1, "'%s' has more than %d bytes", name, MAX_TEXT);
    else if (!(bytes = tmi_alloc(reading->allocator, (size_t)input.size + 1, 1)))
        status = tmi_fail_memory(reading->error, input.size + 1, "a file");
    else
        status = tmi_input_read(&input, 0, bytes, (size_t)input.size, reading->error);
    tmi_note_status(reading, status);
    if (status == TM_OK) {
        *size = (size_t)input.size;
        bytes[*size] = '\0';
    } else {
        tmi_free(reading->allocator, bytes, (size_t)input.size + 1, 1);
        bytes = NULL;
    }
    tmi_close_input(&input);
    if (bytes && tmi_is_utf16(bytes, *size)) {
        tmi_report_in(reading, TM_FINDING_FOLDER_TEXT, (tmi_text_place){name, 1, 1},
                      "this is UTF-16, and the text has to be UTF-8");
        bytes[0] = '\0'; /* read as an empty file */
    }
    return bytes;
}

/* ------------------------------------------------------------------------------------------- their files */

typedef struct list_reader {
    tmi_reading *reading;
    const char *path;
    tmi_name_list *out;
} list_reader;

static bool take_line(void *ctx, char *line, uint32_t number)
{
    list_reader *list = ctx;
    size_t size = strlen(line);
    while (size && (line[size - 1] == ' ' || line[size - 1] == '\t'))
        line[--size] = '\0';
    if (size == 0)
        return true;
    if (size > MAX_NAME || strchr(line, '/') || !tmi_file_name_valid(line)) {
        tmi_report_in(list->reading, TM_FINDING_FOLDER_NAME, (tmi_text_place){list->path, number, 1},
                      "'%.60s' cannot be the name of an object in a folder", line);
        return true;
    }
    const char *name;
    tmi_note_status(list->reading,
                    tmi_arena_text(&name, &list->reading->arena, line, size, "a name", list->reading->error));
    if (list->reading->status != TM_OK)
        return false;
    list->out->names[list->out->num] = (tmi_listed){name, list->out->num, number};
    list->out->num++;
    return true;
}

tm_status tmi_read_list(tmi_reading *reading, const char *path, bool needed, tmi_name_list *out)
{
    list_reader list = {reading, path, out};
    size_t size;
    memset(out, 0, sizeof(*out));
    if (!needed && !tmi_file_expected(reading, path))
        return reading->status; /* none of them */
    char *bytes = tmi_read_text(reading, path, &size);
    if (!bytes)
        return reading->status;
    const uint32_t num = tmi_count_lines(bytes, size);
    tmi_note_status(reading, num > MAX_OBJECTS ? tmi_fail(reading->error, TM_ERROR_LIMIT, -1,
                                                          "'%s' has more than %d lines", path, MAX_OBJECTS)
                                               : tmi_name_list_new(reading, out, num));
    if (reading->status == TM_OK) {
        tmi_each_line(bytes, size, take_line, &list);
        tmi_sort_list(out);
    }
    for (uint32_t i = 1; i < out->num; i++)
        if (strcmp(out->sorted[i - 1].name, out->sorted[i].name) == 0)
            tmi_report_in(reading, TM_FINDING_FOLDER_NAME, (tmi_text_place){path, out->sorted[i].line, 1},
                          "'%s' stands in the list already, in line %u", out->sorted[i].name,
                          (unsigned)out->sorted[i - 1].line);
    tmi_free(reading->allocator, bytes, size + 1, 1);
    return reading->status;
}

/* --------------------------------------------------------------------------------------------------- kept */

typedef struct kept_reader {
    const tmi_reading *reading;
    tm_sidecar *kept;
    int32_t num[TM_KIND_LAYER + 1]; /* of each kind, so far; at last the layers */
    bool fine;
} kept_reader;

static bool take_kept_line(void *ctx, char *line, uint32_t number)
{
    kept_reader *reader = ctx;
    char *space = strchr(line, ' ');
    tm_kind kind = TM_KIND_IMAGE;
    if (number == 1)
        return reader->fine = strcmp(line, "teemap kept 1") == 0;
    if (!space)
        return reader->fine = false;
    *space = '\0';
    while (kind <= TM_KIND_LAYER && strcmp(line, tm_kind_name(kind)) != 0)
        kind++; /* layers come after the groups */
    if (kind > TM_KIND_LAYER)
        return reader->fine = false;
    const int32_t place = reader->num[kind]++;
    char *name = space + 1, *slash = strchr(name, '/');
    const tmi_name_list *list = kind < TM_KIND_LAYER ? &reader->reading->lists[kind] : NULL;
    if (!list && slash) { /* a layer is GROUP/NAME */
        *slash = '\0';
        const int32_t group = tmi_find_name(reader->reading, TM_KIND_GROUP, name);
        list = group == TM_NONE ? NULL : &reader->reading->layers[group];
        name = slash + 1;
    }
    const int32_t now = list ? find_listed(list, name) : TM_NONE;
    if (now != TM_NONE)
        reader->kept->places[list->first + (uint32_t)now] = place;
    return true;
}

static void take_kept(tmi_reading *reading, tm_sidecar *kept, char *bytes, size_t size)
{
    kept_reader reader = {.reading = reading, .kept = kept, .fine = true};
    const char *end = strstr(bytes, "\n\n"); /* an empty line ends the names */
    const size_t names = end ? (size_t)(end - bytes) + 2 : 0;
    kept->allocator = reading->allocator;
    kept->num_places = reading->num_objects;
    kept->size = size - names;
    kept->places = tmi_alloc(reading->allocator, kept->num_places, sizeof(*kept->places));
    kept->bytes = tmi_alloc(reading->allocator, kept->size, 1);
    if (!kept->places || !kept->bytes) {
        tmi_note_status(reading, tmi_fail_memory(reading->error, size, "what was kept"));
        return;
    }
    for (size_t i = 0; i < kept->num_places; i++)
        kept->places[i] = TM_NONE;
    memcpy(kept->bytes, bytes + names, kept->size);
    if (names && tmi_each_line(bytes, names - 1, take_kept_line, &reader) && reader.fine)
        return;
    tm_sidecar_release(kept);
    tmi_report_in(reading, TM_FINDING_SIDECAR_MISMATCH, TMI_WHOLE("sidecar.bin"),
                  "what was kept of the file is not to be understood and is left alone");
}

tm_status tmi_read_kept(tmi_reading *reading, tm_sidecar *kept)
{
    static const char path[] = "sidecar.bin";
    size_t size;
    if (!tmi_file_expected(reading, path))
        return TM_OK;
    char *bytes = tmi_read_text(reading, path, &size);
    if (bytes && kept)
        take_kept(reading, kept, bytes, size);
    tmi_free(reading->allocator, bytes, size + 1, 1);
    if (reading->status != TM_OK)
        tm_sidecar_release(kept);
    return reading->status;
}
