/* SPDX-License-Identifier: Zlib */
/*
 * Members of JSON into fields, by the table of fields. What is wrong is told with its place, and reading
 * goes on, so that one run tells everything.
 */
#include "twmap.h"

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
    if (tm_finding_severity(id, TM_MODE_GAME, NULL) < TM_SEVERITY_ERROR)
        return;
    if (reading->errors++ == 0) {
        tmi_format(reading->first, sizeof(reading->first), "%s", text);
        tmi_format(reading->first_place, sizeof(reading->first_place), "%s", place);
    }
}

static void tell_in(tmi_reading *reading, tm_finding_id id, const char *file, uint32_t line, uint32_t column,
                    const char *format, va_list list)
{
    char place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    if (line)
        tmi_format(place, sizeof(place), "%s:%u:%u", file, (unsigned)line, (unsigned)column);
    else
        tmi_format(place, sizeof(place), "%s", file);
    tmi_vformat(text, sizeof(text), format, list);
    tell(reading, id, place, text);
}

void tmi_find_in(tmi_reading *reading, tm_finding_id id, const char *file, uint32_t line, uint32_t column,
                 const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tell_in(reading, id, file, line, column, format, list);
    va_end(list);
}

void tmi_find_token(tmi_json_file *file, tm_finding_id id, size_t shift, const char *format, ...)
{
    uint32_t line, column;
    va_list list;
    if (tmi_json_fault(file->json, &line, &column))
        return; /* which is told already, and explains everything behind it */
    va_start(list, format);
    tell_in(file->reading, id, file->name, line, column + (uint32_t)shift, format, list);
    va_end(list);
}

/* -------------------------------------------------------------------------------------------------- files */

static void tell_fault(tmi_json_file *file)
{
    uint32_t line, column;
    const char *fault = tmi_json_fault(file->json, &line, &column);
    tmi_note_status(file->reading, tmi_json_status(file->json));
    if (fault)
        tmi_find_in(file->reading, TM_FINDING_FOLDER_TEXT, file->name, line, column, "%s", fault);
}

void tmi_close_input(tm_input *input)
{
    if (input->close)
        input->close(input->ctx);
    memset(input, 0, sizeof(*input));
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
            tell_fault(file);
        else
            tmi_find_token(file, TM_FINDING_FOLDER_TEXT, 0, "the file must hold an object: { ... }");
    }
    tmi_json_close(file);
    return false;
}

/* What stands behind the object would be lost when the folder is written again. */
static void expect_end(tmi_json_file *file)
{
    if (file->json && file->reading->status == TM_OK && tmi_json_is_read(file->json) &&
        tmi_json_next(file->json) == TMI_JSON_FAULT)
        tell_fault(file);
}

void tmi_json_close(tmi_json_file *file)
{
    expect_end(file);
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
        tell_fault(file);
    if (token != TMI_JSON_KEY)
        return false;
    tmi_format(key, TMI_KEY_SIZE, "%s", tmi_json_text(file->json));
    return true;
}

/* Faults are told once, by whoever meets them. */
tmi_json_token tmi_next_value(tmi_json_file *file)
{
    const tmi_json_token token = tmi_json_next(file->json);
    if (token == TMI_JSON_FAULT)
        tell_fault(file);
    return token;
}

static void skip_value(tmi_json_file *file, tmi_json_token token)
{
    if (token != TMI_JSON_FAULT && !tmi_json_skip(file->json, token))
        tell_fault(file);
}

void tmi_json_unexpected(tmi_json_file *file, tmi_json_token token, const char *expected)
{
    if (token == TMI_JSON_FAULT)
        return;
    tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "%s is expected", expected);
    skip_value(file, token);
}

void tmi_unknown_member(tmi_json_file *file, const char *key)
{
    tmi_find_token(file, TM_FINDING_FOLDER_UNUSED, 0, "nothing is known of a member '%s'; it is not read",
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

/* ------------------------------------------------------------------------------------------------- values */

static bool is_settable(const tm_field *field)
{
    return field->type != TM_TYPE_COUNT && field->type != TM_TYPE_LIST && field->type != TM_TYPE_BLOCK &&
           field->type != TM_TYPE_TEXTS;
}

static bool is_string_type(const tm_field *field)
{
    return field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME;
}

void tmi_target_init(const tmi_target *target)
{
    for (uint32_t o = 0; o < target->num_owners; o++) {
        size_t num;
        const tm_field *fields = tm_fields(target->owners[o], &num);
        for (size_t i = 0; i < num; i++) {
            const tm_value value = tm_field_initial(&fields[i]);
            const bool skip =
                fields[i].flags & TM_FIELD_ALIAS || !is_settable(&fields[i]) || is_string_type(&fields[i]);
            for (uint32_t k = 0; k < fields[i].num_values && !skip; k++)
                tmi_field_make(NULL, target->object, &fields[i], k, &value, NULL);
        }
    }
}

static bool all_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* "image/grass_main", by the names of the folder; a number where the file may lead nowhere. */
static bool read_named(tmi_json_file *file, const tm_field *field, const char *text, tm_value *value)
{
    const char *kind = tmi_object_names[field->refers];
    const size_t size = strlen(kind);
    value->type = TM_TYPE_REFERENCE;
    value->as.number = TM_NONE;
    if (strcmp(text, "none") == 0)
        return true;
    const bool formed = strncmp(text, kind, size) == 0 && text[size] == '/';
    const char *name = formed ? text + size + 1 : "";
    if (formed)
        value->as.number = tmi_find_name(file->reading, field->refers, name);
    if (value->as.number != TM_NONE)
        return true;
    const bool number = all_digits(name) || (*name == '-' && all_digits(name + 1));
    if (number && field->flags & TM_FIELD_LOOSE) {
        tm_field plain = *field;
        plain.type = TM_TYPE_INT;
        const bool read = tm_value_parse(value, &plain, NULL, name, NULL, 0, NULL) == TM_OK;
        value->type = TM_TYPE_REFERENCE;
        return read;
    }
    tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0,
                   "%s cannot be '%.60s'; it takes null, or '%s/' and a name of %s.txt", field->name, text,
                   kind, tmi_list_names[field->refers]);
    return false;
}

static const char *word_of_token(const tmi_json_file *file, tmi_json_token token)
{
    switch (token) {
    case TMI_JSON_STRING:
    case TMI_JSON_NUMBER: return tmi_json_text(file->json);
    case TMI_JSON_TRUE: return "true";
    case TMI_JSON_FALSE: return "false";
    case TMI_JSON_NULL: return "none";
    default: return NULL;
    }
}

static bool read_value_of(tmi_json_file *file, const tm_field *field, tmi_json_token token, tm_value *value)
{
    const char *word = word_of_token(file, token);
    tm_error error;
    if (!word || (is_string_type(field) && token != TMI_JSON_STRING && token != TMI_JSON_NULL)) {
        char expected[80];
        tmi_format(expected, sizeof(expected),
                   is_string_type(field) ? "a text in quotes for %s" : "a value for %s", field->name);
        tmi_json_unexpected(file, token, expected);
        return false;
    }
    if (field->type == TM_TYPE_REFERENCE)
        return read_named(file, field, word, value);
    if (is_string_type(field)) {
        value->type = field->type;
        value->as.text = token == TMI_JSON_NULL ? NULL : word;
        return true;
    }
    if (tm_value_parse(value, field, NULL, word, NULL, 0, &error) == TM_OK)
        return true;
    tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "%s", error.text);
    return false;
}

static void put_value_of(tmi_json_file *file, const tmi_target *target, const tm_field *field, uint32_t index,
                         const tm_value *value)
{
    tm_error error;
    const tm_status status = tmi_field_make(file->reading->map, target->object, field, index, value, &error);
    if (status == TM_ERROR_USAGE) {
        tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "%s", error.text);
    } else if (status != TM_OK) {
        if (file->reading->error)
            *file->reading->error = error;
        tmi_note_status(file->reading, status);
    }
}

static void read_one(tmi_json_file *file, const tmi_target *target, const tm_field *field, uint32_t index,
                     tmi_json_token token)
{
    tm_value value;
    if (read_value_of(file, field, token, &value))
        put_value_of(file, target, field, index, &value);
}

static void read_several(tmi_json_file *file, const tmi_target *target, const tm_field *field,
                         tmi_json_token token)
{
    if (token != TMI_JSON_ARRAY) {
        tmi_json_unexpected(file, token, "a list: [ ... ]");
        return;
    }
    for (uint32_t i = 0; (token = tmi_next_value(file)) != TMI_JSON_ARRAY_END && token != TMI_JSON_FAULT;
         i++) {
        if (i < field->num_values) {
            read_one(file, target, field, i, token);
            continue;
        }
        if (i == field->num_values)
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "%s has %u values, and here is one more",
                           field->name, (unsigned)field->num_values);
        skip_value(file, token);
    }
}

/* An object may lack a part; then its place in the struct says so. */
static void set_guard(const tmi_target *target, const tm_field *field, bool there)
{
    if (field->guard)
        memcpy((char *)target->object + field->guard, &there, sizeof(there));
}

static void read_field(tmi_json_file *file, const tmi_target *target, const tm_field *field)
{
    const tmi_json_token token = tmi_next_value(file);
    const bool lacking = field->guard && token == TMI_JSON_NULL && field->type != TM_TYPE_INDEX;
    set_guard(target, field, !lacking);
    if (lacking || token == TMI_JSON_FAULT)
        return;
    if (field->num_values > 1)
        read_several(file, target, field, token);
    else
        read_one(file, target, field, 0, token);
}

/* ------------------------------------------------------------------------------------------------ members */

static const tm_field *field_of_member(const tmi_target *target, const char *name)
{
    const tm_field *found = NULL;
    for (uint32_t o = 0; o < target->num_owners && !found; o++)
        found = tm_field_find(target->owners[o], name);
    return found && is_settable(found) ? found : NULL;
}

/* The first field whose name begins with "key.", from `*row` on, which moves on. */
static const tm_field *find_within(const tmi_target *target, const char *key, uint32_t *row)
{
    const size_t size = strlen(key);
    uint32_t at = 0;
    for (uint32_t o = 0; o < target->num_owners; o++) {
        size_t num;
        const tm_field *fields = tm_fields(target->owners[o], &num);
        for (size_t i = 0; i < num; i++) {
            if (at++ < *row || strncmp(fields[i].name, key, size) != 0 || fields[i].name[size] != '.')
                continue;
            *row = at;
            return &fields[i];
        }
    }
    return NULL;
}

static void read_within(tmi_json_file *file, const tmi_target *target, const char *outer)
{
    char key[TMI_KEY_SIZE], name[2 * TMI_KEY_SIZE];
    tmi_json_token token = tmi_next_value(file);
    const tm_field *field;
    uint32_t row = 0;
    if (token != TMI_JSON_OBJECT && token != TMI_JSON_NULL) {
        tmi_json_unexpected(file, token, "an object: { ... }");
        return;
    }
    while ((field = find_within(target, outer, &row)))
        set_guard(target, field, token == TMI_JSON_OBJECT);
    while (token == TMI_JSON_OBJECT && tmi_json_member(file, key)) {
        tmi_format(name, sizeof(name), "%s.%s", outer, key);
        field = field_of_member(target, name);
        if (field)
            read_field(file, target, field);
        else
            tmi_unknown_member(file, name);
    }
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void tmi_read_hex(tmi_json_file *file, tm_buffer *out)
{
    const tmi_json_token token = tmi_next_value(file);
    const tm_output output = tm_output_to_buffer(out);
    out->size = 0;
    if (token != TMI_JSON_STRING || tmi_json_size(file->json) % 2) {
        tmi_json_unexpected(file, token, "a text of hexadecimal digits, two for each byte,");
        return;
    }
    const char *text = tmi_json_text(file->json);
    for (size_t i = 0; text[i]; i += 2) {
        const int high = digit_of(text[i]), low = digit_of(text[i + 1]);
        const uint8_t byte = (uint8_t)(high * 16 + low);
        if (high < 0 || low < 0) {
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 1 + i, "a hexadecimal digit is expected");
            return;
        }
        const tm_status status = tmi_output_write(&output, &byte, 1, file->reading->error);
        tmi_note_status(file->reading, status);
        if (status != TM_OK)
            return;
    }
}

/* "name_bytes": a text that is no UTF-8. */
static bool read_exact_text(tmi_json_file *file, const tmi_target *target, const char *key)
{
    static const char end[] = "_bytes";
    char name[TMI_KEY_SIZE];
    const size_t size = strlen(key);
    if (size < sizeof(end) || strcmp(key + size + 1 - sizeof(end), end) != 0)
        return false;
    tmi_format(name, sizeof(name), "%.*s", (int)(size + 1 - sizeof(end)), key);
    const tm_field *field = field_of_member(target, name);
    if (!field || !is_string_type(field))
        return false;
    tm_buffer bytes = {.allocator = file->reading->allocator};
    tmi_read_hex(file, &bytes);
    const tm_output output = tm_output_to_buffer(&bytes);
    const tm_status status = tmi_output_write(&output, "", 1, file->reading->error);
    tmi_note_status(file->reading, status);
    if (status == TM_OK) {
        const tm_value value = {.type = field->type, .as.text = (const char *)bytes.bytes};
        put_value_of(file, target, field, 0, &value);
    }
    tm_buffer_release(&bytes);
    return true;
}

bool tmi_read_member(tmi_json_file *file, const tmi_target *target, const char *key)
{
    const tm_field *field = field_of_member(target, key);
    uint32_t row = 0;
    if (field && !strchr(key, '.'))
        read_field(file, target, field);
    else if (find_within(target, key, &row))
        read_within(file, target, key);
    else
        return read_exact_text(file, target, key);
    return true;
}

void tmi_read_members(tmi_json_file *file, const tmi_target *target)
{
    char key[TMI_KEY_SIZE];
    while (tmi_json_member(file, key))
        if (!(target->rows ? tmi_twmap_take(file, target->rows, target, key)
                           : tmi_read_member(file, target, key)))
            tmi_unknown_member(file, key);
}

void tmi_read_members_of(tmi_reading *reading, const char *path, const tmi_target *target)
{
    tmi_json_file file;
    if (!tmi_json_open(&file, reading, path))
        return;
    tmi_read_members(&file, target);
    tmi_json_close(&file);
}

/* ----------------------------------------------------------------------------------------------- elements */

static tm_status check_room(const tmi_reading *reading, const char *file, uint32_t num, size_t size,
                            tm_owner owner)
{
    if (size + tm_owner_size(owner) <= reading->limits.block_bytes && num < INT32_MAX)
        return TM_OK;
    return tmi_fail(reading->error, TM_ERROR_LIMIT, -1, "'%s' has more elements than are allowed", file);
}

bool tmi_read_elements(tmi_json_file *file, tm_owner owner, const tmi_rows *rows, tm_buffer *out,
                       uint32_t *num)
{
    tmi_reading *reading = file->reading;
    const tm_output output = tm_output_to_buffer(out);
    tmi_json_token token = tmi_next_value(file);
    union {
        tm_quad quad;
        tm_sound_source source;
        tm_old_source old_source;
        tm_envelope_point point;
    } element;
    const tmi_target target = {{owner}, 1, &element, rows};
    *num = 0;
    if (token == TMI_JSON_NULL && !rows)
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
        memset(&element, 0, sizeof(element));
        tmi_target_init(&target);
        tmi_read_members(file, &target);
        tm_status status = check_room(reading, file->name, *num, out->size, owner);
        if (status == TM_OK)
            status = tmi_output_write(&output, &element, tm_owner_size(owner), reading->error);
        tmi_note_status(reading, status);
        *num += status == TM_OK;
    }
    return true;
}
