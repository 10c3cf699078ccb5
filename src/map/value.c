/* SPDX-License-Identifier: Zlib */
/*
 * Values as text: one writer and one reader for each type of value, in one table. What is written reads back
 * as the same value, to the last bit. Depends on no locale and knows no field by name.
 *
 *   128   true   bezier   flip_x+rotate   1.5   #ff8000cc   16,-1.5   none   image/grass_main   "say \"hi\""
 */
#include "internal.h"

#include "../text/text.h"

/* ------------------------------------------------------------------------------------------ the writer */

/* A buffer; bytes beyond its end are only counted. */
typedef struct text_out {
    char *buffer;
    size_t size, length;
    const tm_field *field;
    const tm_map *map;
} text_out;

static void put(text_out *writer, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (writer->length + 1 < writer->size)
            writer->buffer[writer->length] = bytes[i];
        writer->length++;
    }
}

static void put_string(text_out *writer, const char *string)
{
    put(writer, string, strlen(string));
}

static void put_number(text_out *writer, int64_t number)
{
    char digits[TMI_DIGITS];
    put(writer, digits, (size_t)(tmi_put_digits(digits, number) - digits));
}

/* --------------------------------------------------------------------------------------------- numbers */

/* Reads digits with an optional sign; false if there is anything else or they do not fit. */
static bool read_whole_number(int64_t *number, const char *text, size_t size)
{
    const bool negative = size && *text == '-';
    int64_t value = 0;
    size_t i = negative ? 1 : 0;
    if (i == size)
        return false;
    for (; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || value > INT64_MAX / 10 - 1)
            return false;
        value = value * 10 + (text[i] - '0');
    }
    *number = negative ? -value : value;
    return true;
}

static void write_int(text_out *writer, const tm_value *value)
{
    put_number(writer, value->as.number);
}

static void write_bool(text_out *writer, const tm_value *value)
{
    put_string(writer, value->as.number ? "true" : "false");
}

static void write_choice(text_out *writer, const tm_value *value)
{
    const char *name = writer->field->choice(value->as.number);
    if (name)
        put_string(writer, name);
    else
        put_number(writer, value->as.number);
}

/* Writes flags by name, joined by +; bits without a name follow as one number. */
static void write_flags(text_out *writer, const tm_value *value)
{
    int64_t rest = value->as.number;
    const size_t start = writer->length;
    for (int64_t bit = 1; bit <= 128; bit *= 2) {
        const char *name = rest & bit ? writer->field->choice(bit) : NULL;
        if (!name)
            continue;
        put(writer, "+", writer->length > start ? 1 : 0);
        put_string(writer, name);
        rest &= ~bit;
    }
    if (rest || writer->length == start) {
        put(writer, "+", writer->length > start ? 1 : 0);
        put_number(writer, rest);
    }
}

static void write_index(text_out *writer, const tm_value *value)
{
    if (value->as.number == TM_NONE)
        put_string(writer, "none");
    else
        put_number(writer, value->as.number);
}

/* ----------------------------------------------------------------------------------------- fixed point */

/* Writes a fixed-point number with the fewest decimals that read back as it: at most four (1e-4 < 1/2048). */
static void put_fixed(text_out *writer, int64_t number)
{
    const int64_t size = number < 0 ? -number : number, part = size % TM_FX;
    int64_t scale = 1, whole = size / TM_FX, fraction = (part + TM_FX / 2) / TM_FX;
    char text[2 * TMI_DIGITS], *cursor = text;
    /* until the nearest number of 1/1024 is it, away from zero when two are near */
    while (whole * TM_FX + (fraction * TM_FX * 2 + scale) / (scale * 2) != size) {
        scale *= 10;
        fraction = (part * scale + TM_FX / 2) / TM_FX;
    }
    if (number < 0)
        *cursor++ = '-';
    cursor = tmi_put_digits(cursor, whole + fraction / scale);
    if (scale > 1)
        *cursor++ = '.';
    while (scale /= 10)
        *cursor++ = (char)('0' + fraction / scale % 10);
    put(writer, text, (size_t)(cursor - text));
}

static bool read_fixed(int64_t *number, const char *text, size_t size)
{
    return tmi_read_decimal(number, text, size, TM_FX);
}

static void write_fixed(text_out *writer, const tm_value *value)
{
    put_fixed(writer, value->as.number);
}

static void write_point(text_out *writer, const tm_value *value)
{
    put_fixed(writer, value->as.point.x);
    put(writer, ",", 1);
    put_fixed(writer, value->as.point.y);
}

/* ---------------------------------------------------------------------------------------------- colors */

static void write_color(text_out *writer, const tm_value *value)
{
    static const char hex[] = "0123456789abcdef";
    const tm_color *c = &value->as.color;
    const int32_t channels[] = {c->r, c->g, c->b, c->a};
    char text[60] = "#";
    if ((c->r | c->g | c->b | c->a) & ~255) {
        put(writer, text,
            tmi_format(text, sizeof(text), "%ld,%ld,%ld,%ld", (long)c->r, (long)c->g, (long)c->b,
                       (long)c->a));
        return;
    }
    for (size_t i = 0; i < TMI_COUNT_OF(channels); i++) {
        text[1 + 2 * i] = hex[channels[i] >> 4];
        text[2 + 2 * i] = hex[channels[i] & 15];
    }
    put(writer, text, 9);
}

/* Reads two hexadecimal digits; -1: they are none. */
static int hex_byte(const char *digits)
{
    uint8_t byte;
    return tmi_hex_parse(&byte, digits, 1) == 2 ? byte : -1;
}

typedef bool read_part(int64_t *number, const char *text, size_t size);

/* Reads `num` numbers with commas between them. */
static bool read_parts(int32_t *numbers, uint32_t num, const char *text, read_part *read)
{
    for (uint32_t i = 0; i < num; i++) {
        const size_t size = strcspn(text, ",");
        int64_t number;
        if (!read(&number, text, size) || number < INT32_MIN || number > INT32_MAX)
            return false;
        numbers[i] = (int32_t)number;
        text += size;
        if (*text++ != (i + 1 < num ? ',' : '\0'))
            return false;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------- texts */

static const struct escape {
    char byte, letter;
} escapes[] = {{'"', '"'}, {'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};

static void write_text(text_out *writer, const tm_value *value)
{
    char code[8];
    if (!value->as.text) {
        put_string(writer, "none");
        return;
    }
    put(writer, "\"", 1);
    for (const char *text = value->as.text; *text;) {
        const size_t step = tmi_text_step(text);
        const bool as_is = step && *text != '"' && *text != '\\';
        size_t i = 0;
        while (!as_is && i < TMI_COUNT_OF(escapes) && escapes[i].byte != *text)
            i++;
        if (as_is)
            put(writer, text, step);
        else if (i < TMI_COUNT_OF(escapes))
            put(writer, (const char[]){'\\', escapes[i].letter}, 2);
        else
            put(writer, code, tmi_format(code, sizeof(code), "\\x%02x", (unsigned)(uint8_t)*text));
        text += as_is ? step : 1;
    }
    put(writer, "\"", 1);
}

/* Reads an escape behind its backslash; returns the number of its bytes; 0: it is unknown. */
static size_t read_escape(char *byte, const char *text)
{
    for (size_t i = 0; i < TMI_COUNT_OF(escapes); i++) {
        if (escapes[i].letter == *text) {
            *byte = escapes[i].byte;
            return 1;
        }
    }
    const int code = *text == 'x' && text[1] ? hex_byte(text + 1) : -1;
    *byte = (char)code;
    return code > 0 ? 3 : 0;
}

/* Removes the quotes and escapes of a text; false: it does not end with its closing quote. */
static bool unquote(char *target, const char *text)
{
    for (text++; *text && *text != '"';) {
        size_t step = 1;
        if (*text == '\\') {
            step = read_escape(target, ++text);
            if (step == 0)
                return false;
        } else {
            *target = *text;
        }
        target++;
        text += step;
    }
    *target = '\0';
    return text[0] == '"' && !text[1];
}

/* ------------------------------------------------------------------------------------------ references */

static void write_reference(text_out *writer, const tm_value *value)
{
    const char *kind = tm_kind_name(writer->field->refers);
    const int64_t index = value->as.number;
    char text[256];
    size_t size = 0;
    tm_address found;
    if (index == TM_NONE) {
        put_string(writer, "none");
        return;
    }
    put_string(writer, kind);
    put(writer, "/", 1);
    const tm_address address = {(writer->field->refers), (uint32_t)index, 0};
    const char *name = index < 0 ? NULL : tmi_object_name(writer->map, &address);
    bool plain = name;
    for (size_t step; plain && name[size]; size += step) {
        step = name[size] == '"' || name[size] == ' ' ? 0 : tmi_text_step(name + size);
        plain = step;
    }
    /* "kind/name" must mean this object: another may have the name, too, or it may look like a number. */
    if (plain && tmi_format(text, sizeof(text), "%s/%s", kind, name) == strlen(kind) + 1 + size &&
        tm_address_parse(&found, writer->map, text, NULL) == TM_OK && found.index == index)
        put_string(writer, name);
    else
        put_number(writer, index);
}

/* ---------------------------------------------------------------------------------------------- blocks */

static void write_block_size(text_out *writer, const tm_value *value)
{
    if (!value->as.block) {
        put_string(writer, "none");
        return;
    }
    put_number(writer, (int64_t)tm_block_get_info(value->as.block).size);
    put_string(writer, " bytes");
}

/* --------------------------------------------------------------------------------------------- reading */

/* What a reader of values needs besides the text. */
typedef struct reading {
    const tm_field *field;
    const tm_map *map;
    char *buffer;
    size_t size;
} reading;

static bool read_int(tm_value *value, const reading *reader, const char *text)
{
    (void)reader;
    return read_whole_number(&value->as.number, text, strlen(text));
}

static bool read_bool(tm_value *value, const reading *reader, const char *text)
{
    (void)reader;
    value->as.number = strcmp(text, "true") == 0;
    return value->as.number || strcmp(text, "false") == 0;
}

/* The number of a name; the names of all choices lie in the field's range. */
static bool find_choice(int64_t *number, const tm_field *field, const char *name, size_t size)
{
    for (*number = field->min; *number <= field->max; ++*number) {
        const char *known = field->choice(*number);
        if (known && strlen(known) == size && memcmp(known, name, size) == 0)
            return true;
    }
    return false;
}

static bool read_choice(tm_value *value, const reading *reader, const char *text)
{
    const size_t size = strlen(text);
    return find_choice(&value->as.number, reader->field, text, size) ||
           read_whole_number(&value->as.number, text, size);
}

static bool read_flags(tm_value *value, const reading *reader, const char *text)
{
    int64_t all = 0, bits;
    for (;; text++) {
        const size_t size = strcspn(text, "+");
        if (!find_choice(&bits, reader->field, text, size) && !read_whole_number(&bits, text, size))
            return false;
        all |= bits;
        text += size;
        if (!*text)
            break;
    }
    value->as.number = all;
    return true;
}

static bool read_fixed_value(tm_value *value, const reading *reader, const char *text)
{
    (void)reader;
    return read_fixed(&value->as.number, text, strlen(text));
}

static bool read_color(tm_value *value, const reading *reader, const char *text)
{
    int32_t n[4] = {0, 0, 0, 255};
    (void)reader;
    const size_t size = strlen(text);
    bool fine = *text == '#' ? size == 7 || size == 9 : read_parts(n, 4, text, read_whole_number);
    for (size_t i = 0; fine && *text == '#' && i < (size - 1) / 2; i++) {
        n[i] = hex_byte(text + 1 + i * 2);
        fine = n[i] >= 0;
    }
    value->as.color = (tm_color){n[0], n[1], n[2], n[3]};
    return fine;
}

static bool read_point(tm_value *value, const reading *reader, const char *text)
{
    int32_t n[2] = {0};
    (void)reader;
    const bool fine = read_parts(n, 2, text, read_fixed);
    value->as.point = (tm_point){n[0], n[1]};
    return fine;
}

static bool read_index_value(tm_value *value, const reading *reader, const char *text)
{
    value->as.number = TM_NONE;
    return strcmp(text, "none") == 0 || read_int(value, reader, text);
}

/* Reads "kind/name", "none", or a number, which may lead to no object. */
static bool read_reference(tm_value *value, const reading *reader, const char *text)
{
    const char *kind = tm_kind_name(reader->field->refers);
    const size_t length = strlen(kind);
    tm_address address;
    value->as.number = TM_NONE;
    if (strcmp(text, "none") == 0)
        return true;
    if (strncmp(text, kind, length) != 0 || text[length] != '/')
        return false;
    const char *element = text + length + 1;
    if (read_whole_number(&value->as.number, element, strlen(element)))
        return true;
    if (!reader->map || tm_address_parse(&address, reader->map, text, NULL) != TM_OK)
        return false;
    value->as.number = address.index;
    return true;
}

static bool read_text(tm_value *value, const reading *reader, const char *text)
{
    value->as.text = NULL;
    if (strcmp(text, "none") == 0)
        return true;
    if (strlen(text) >= reader->size)
        return false;
    value->as.text = reader->buffer;
    if (*text == '"')
        return unquote(reader->buffer, text);
    memcpy(reader->buffer, text, strlen(text) + 1);
    return true;
}

/* ------------------------------------------------------------------------------------------- the table */

static const struct form_of_type {
    void (*write)(text_out *writer, const tm_value *value);
    bool (*read)(tm_value *value, const reading *reader, const char *text); /* may be NULL */
    const char *allowed;                                                    /* what the reader takes */
} types[] = {
    [TM_TYPE_INT] = {write_int, read_int, "a whole number"},
    [TM_TYPE_BOOL] = {write_bool, read_bool, "true or false"},
    [TM_TYPE_CHOICE] = {write_choice, read_choice, "a number, or one of"},
    [TM_TYPE_FLAGS] = {write_flags, read_flags, "a number, or some of these with + between them:"},
    [TM_TYPE_FIXED] = {write_fixed, read_fixed_value, "a number such as 1.5"},
    [TM_TYPE_COLOR] = {write_color, read_color,
                       "#rrggbb, #rrggbbaa, or four numbers with commas between them"},
    [TM_TYPE_POINT] = {write_point, read_point, "two numbers with a comma between them"},
    [TM_TYPE_INDEX] = {write_index, read_index_value, "a whole number or none"},
    [TM_TYPE_REFERENCE] = {write_reference, read_reference, "none, or the address of"},
    [TM_TYPE_TEXT] = {write_text, read_text, "\"text\" or none"},
    [TM_TYPE_NAME] = {write_text, read_text, "\"text\""},
    [TM_TYPE_TEXTS] = {write_text, read_text, "\"text\""},
    [TM_TYPE_COUNT] = {write_int, read_int, "a whole number"},
    [TM_TYPE_BLOCK] = {write_block_size, NULL, "nothing that could be written as text"},
    [TM_TYPE_LIST] = {write_int, NULL, "nothing that could be written as text"},
};

size_t tm_value_format(char *buffer, size_t size, const tm_field *field, const tm_value *value,
                       const tm_map *map)
{
    text_out writer = {buffer, buffer ? size : 0, 0, field, map};
    if (field && value && value->unread)
        put_string(&writer, "unread");
    else if (field && value)
        types[field->type].write(&writer, value);
    if (buffer && size)
        buffer[writer.length < size ? writer.length : tmi_whole_length(buffer, size - 1)] = '\0';
    return writer.length;
}

tm_status tm_value_parse(tm_value *out, const tm_field *field, const tm_map *map, const char *text,
                         char *buffer, size_t size, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(field, "field", error));
    TM_TRY(tmi_need(text, "text", error));
    const reading reader = {field, map, buffer, buffer ? size : 0};
    tmi_line allowed = {.length = 0};
    out->type = field->type;
    if (types[field->type].read && types[field->type].read(out, &reader, text))
        return TM_OK;
    memset(out, 0, sizeof(*out));
    tmi_line_add(&allowed, "%s", types[field->type].allowed);
    if (field->type == TM_TYPE_REFERENCE)
        tmi_line_add(&allowed, " one of the map's %u %ss",
                     map ? (unsigned)tmi_num(tmi_map_array_of(field->refers), map) : 0,
                     tm_kind_name(field->refers));
    for (int64_t k = field->min; field->choice && k <= field->max; k++)
        if (field->choice(k))
            tmi_line_add(&allowed, " %s", field->choice(k));
    return tmi_fail(error, TM_ERROR_USAGE, -1, "%s cannot be '%.80s'; it takes %s", field->name, text,
                    allowed.text);
}
