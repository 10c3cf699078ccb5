/* SPDX-License-Identifier: Zlib */
/*
 * Reads JSON (RFC 8259) token by token, from an input of any size, with the line and column of each token.
 * Packaged libraries make trees of whole texts, do not keep positions, and stop at the first fault. Accepts a
 * byte order mark and any line ends.
 */
#include "text.h"

enum { TMI_JSON_CHUNK = 65536, TMI_JSON_DEPTH = 32, TMI_JSON_KEYS = 64 };

typedef struct json_place {
    uint32_t line, column; /* from 1 */
} json_place;

struct tmi_json {
    const tm_allocator *allocator;
    tm_input input;
    uint64_t next; /* of the input: what has not been fetched yet */
    tm_status status;
    tm_error *error;
    const char *fault;          /* what is wrong with the text; NULL: nothing so far */
    tmi_json_forgiven *forgive; /* NULL: nothing is forgiven */
    void *forgive_ctx;
    const char *forgiven;                                       /* of the token at hand; NULL: nothing */
    json_place place, token_place, fault_place, forgiven_place; /* here, and of the token at hand */
    size_t at, end;                                             /* in `chunk` */
    char *text;                                                 /* of the token at hand */
    size_t size, capacity;
    uint64_t max_text;
    bool in_object[TMI_JSON_DEPTH];
    /* hashes of the first names in each open object, to report doubled names; no form of teemap has more */
    uint64_t keys[TMI_JSON_DEPTH][TMI_JSON_KEYS];
    unsigned num_keys[TMI_JSON_DEPTH];
    unsigned depth;
    bool begun;     /* the outermost value has begun */
    bool separated; /* a comma, or the beginning of the list, stands before what comes */
    bool after_key;
    char chunk[TMI_JSON_CHUNK];
};

/* -------------------------------------------------------------------------------------------------- bytes */

enum { NO_MORE = -1 };

static bool fetch_more(tmi_json *json)
{
    const uint64_t left = json->input.size - json->next;
    const size_t size = left < TMI_JSON_CHUNK ? (size_t)left : TMI_JSON_CHUNK;
    if (size == 0 || json->status != TM_OK)
        return false;
    json->status = tmi_input_read(&json->input, json->next, json->chunk, size, json->error);
    json->next += size;
    json->at = 0;
    json->end = json->status == TM_OK ? size : 0;
    return json->end > 0;
}

static int peek_byte(tmi_json *json)
{
    if (json->at == json->end && !fetch_more(json))
        return NO_MORE;
    return (uint8_t)json->chunk[json->at];
}

/* Steps over the byte that peek_byte gave. Columns count characters. */
static void skip_byte(tmi_json *json)
{
    const uint8_t byte = (uint8_t)json->chunk[json->at++];
    if (byte == '\n') {
        json->place.line++;
        json->place.column = 1;
    } else if ((byte & 0xc0) != 0x80) {
        json->place.column++;
    }
}

static tmi_json_token fail_here(tmi_json *json, const char *fault)
{
    if (!json->fault && json->status == TM_OK) {
        json->fault = fault;
        json->fault_place = json->place;
    }
    return TMI_JSON_FAULT;
}

/* Whether a fault at this place is forgiven; if not, it ends the reading. */
static bool forgive_here(tmi_json *json, const char *fault)
{
    if (!json->forgive) {
        fail_here(json, fault);
        return false;
    }
    json->forgiven = fault;
    json->forgiven_place = json->place;
    return true;
}

static int skip_space(tmi_json *json)
{
    int byte = peek_byte(json);
    while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
        skip_byte(json);
        byte = peek_byte(json);
    }
    return byte;
}

/* -------------------------------------------------------------------------------------------------- texts */

static bool gather_text(tmi_json *json, const char *bytes, size_t size)
{
    if (size > json->max_text - json->size) {
        fail_here(json, "a text is too long");
        return false;
    }
    if (json->status == TM_OK)
        json->status =
            tmi_grow(json->allocator, &json->text, &json->capacity, json->size + size + 1, 1, json->error);
    if (json->status != TM_OK)
        return false;
    memcpy(json->text + json->size, bytes, size);
    json->size += size;
    json->text[json->size] = '\0';
    return true;
}

size_t tmi_utf8_put(char *target, uint32_t c)
{
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        target[i] = (char)(0x80 | (c & 0x3f));
    target[0] = (char)(size == 1 ? c : 0xf00u >> size | c);
    return size;
}

static bool add_character(tmi_json *json, uint32_t c)
{
    char bytes[4];
    return gather_text(json, bytes, tmi_utf8_put(bytes, c));
}

static bool read_hex4(tmi_json *json, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        const int byte = peek_byte(json), digit = tmi_hex_digit(byte == NO_MORE ? 0 : (char)byte);
        if (digit < 0) {
            fail_here(json, "expected four hexadecimal digits after \\u");
            return false;
        }
        skip_byte(json);
        *out = *out * 16 + (uint32_t)digit;
    }
    return true;
}

/* Reads the digits behind \u, or of two \u that together make a character. */
static bool read_unicode(tmi_json *json)
{
    uint32_t c, low;
    if (!read_hex4(json, &c))
        return false;
    if (c == 0 && !forgive_here(json, "no text of a map can hold the character \\u0000"))
        return false;
    if (c < 0xd800 || c > 0xdfff)
        return add_character(json, c);
    if (c < 0xdc00 && peek_byte(json) == '\\') {
        skip_byte(json);
        if (peek_byte(json) == 'u') {
            skip_byte(json);
            if (!read_hex4(json, &low))
                return false;
            if (low >= 0xdc00 && low <= 0xdfff)
                return add_character(json, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
        }
    }
    return forgive_here(json, "half a character (a surrogate) stands alone") && add_character(json, c);
}

static bool read_json_escape(tmi_json *json)
{
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    const int c = peek_byte(json);
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    if (c == 'u') {
        skip_byte(json);
        return read_unicode(json);
    }
    const char byte = found ? bytes[found - letters] : (char)c;
    if (c == NO_MORE)
        fail_here(json, "invalid character after a backslash");
    if (c == NO_MORE || (!found && !forgive_here(json, "invalid character after a backslash")))
        return false;
    skip_byte(json);
    return gather_text(json, &byte, 1);
}

static bool read_quoted(tmi_json *json)
{
    json->size = 0;
    skip_byte(json);
    if (!gather_text(json, "", 0))
        return false;
    for (;;) {
        const int c = peek_byte(json);
        if (c == '"') {
            skip_byte(json);
            return tmi_utf8_valid(json->text, json->size) ||
                   forgive_here(json, "the text before this is not UTF-8");
        }
        if (c == NO_MORE)
            fail_here(json, "the text before this has no closing quote on its line");
        if (c == NO_MORE ||
            (c < 0x20 && !forgive_here(json, "the text before this has no closing quote on its line")))
            return false;
        if (c == '\\') {
            skip_byte(json);
            if (!read_json_escape(json))
                return false;
        } else if (c < 0x20) {
            const char byte = (char)c;
            skip_byte(json);
            if (!gather_text(json, &byte, 1))
                return false;
        } else { /* a run of plain bytes of the chunk at once */
            const char *start = json->chunk + json->at;
            const size_t most = json->end - json->at;
            size_t size = 0;
            while (size < most && start[size] != '"' && start[size] != '\\' && (uint8_t)start[size] >= 0x20)
                json->place.column += ((uint8_t)start[size++] & 0xc0) != 0x80;
            json->at += size;
            if (!gather_text(json, start, size))
                return false;
        }
    }
}

/* Reads a number or a word: all bytes that can be in one. */
static bool read_bare(tmi_json *json)
{
    json->size = 0;
    for (int c = peek_byte(json); c != NO_MORE; c = peek_byte(json)) {
        const char byte = (char)c;
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '+' || c == '.' || c == '_';
        if (!word)
            break;
        if (!gather_text(json, &byte, 1))
            return false;
        skip_byte(json);
    }
    return json->size > 0;
}

/* Steps over digits; false: there are none. */
static bool step_digits(const char **text)
{
    const size_t num = strspn(*text, "0123456789");
    *text += num;
    return num > 0;
}

static bool is_number(const char *text)
{
    text += *text == '-';
    if (*text == '0' && text[1] >= '0' && text[1] <= '9')
        return false;
    if (!step_digits(&text))
        return false;
    if (*text == '.') {
        text++;
        if (!step_digits(&text))
            return false;
    }
    if (*text == 'e' || *text == 'E') {
        text += text[1] == '-' || text[1] == '+' ? 2 : 1;
        if (!step_digits(&text))
            return false;
    }
    return !*text;
}

/* ------------------------------------------------------------------------------------------------- tokens */

/* Always fails; where a comment begins, which some editors allow, the fault says that instead. */
static tmi_json_token fail_or_tell_comment(tmi_json *json, int byte, const char *fault)
{
    return fail_here(json, byte == '/' || byte == '#' ? "JSON has no comments; take this one out" : fault);
}

static tmi_json_token read_json_value(tmi_json *json, int byte)
{
    if (byte == '/' || byte == '#')
        return fail_or_tell_comment(json, byte, "");
    if (byte == '{' || byte == '[') {
        if (json->depth == TMI_JSON_DEPTH)
            return fail_here(json, "lists and objects are nested too deeply");
        skip_byte(json);
        json->num_keys[json->depth] = 0;
        json->in_object[json->depth++] = byte == '{';
        json->separated = true;
        return byte == '{' ? TMI_JSON_OBJECT : TMI_JSON_ARRAY;
    }
    json->separated = false;
    if (byte == '"')
        return read_quoted(json) ? TMI_JSON_STRING : TMI_JSON_FAULT;
    const json_place begin = json->place;
    if (!read_bare(json))
        return fail_here(json,
                         byte == NO_MORE ? "the text ends where a value is expected" : "a value is expected");
    if (strcmp(json->text, "true") == 0)
        return TMI_JSON_TRUE;
    if (strcmp(json->text, "false") == 0)
        return TMI_JSON_FALSE;
    if (strcmp(json->text, "null") == 0)
        return TMI_JSON_NULL;
    if (is_number(json->text))
        return TMI_JSON_NUMBER;
    json->place = begin;
    return fail_here(json, "not a number, a quoted text, true, false or null");
}

static tmi_json_token read_key(tmi_json *json, int byte)
{
    uint64_t *keys = json->keys[json->depth - 1];
    unsigned *num = &json->num_keys[json->depth - 1], same = 0;
    if (byte != '"')
        return fail_or_tell_comment(json, byte, "the name of a member, in quotes, is expected");
    if (!read_quoted(json))
        return TMI_JSON_FAULT;
    if (!json->forgive) {
        const uint64_t hash = tmi_hash(TMI_HASH, json->text, json->size);
        while (same < *num && keys[same] != hash)
            same++;
        if (same < *num) {
            json->place = json->token_place;
            return fail_here(json, "the object has a member of this name already");
        }
        if (*num < TMI_JSON_KEYS)
            keys[(*num)++] = hash;
    }
    if (skip_space(json) != ':')
        return fail_here(json, "expected a colon after the name of a member");
    skip_byte(json);
    json->after_key = true;
    return TMI_JSON_KEY;
}

/* Closes the list or the object that is open; false if its end does not stand here. */
static bool close_open(tmi_json *json, int byte, tmi_json_token *out)
{
    const bool object = json->in_object[json->depth - 1];
    if (byte != (object ? '}' : ']'))
        return false;
    skip_byte(json);
    json->depth--;
    json->separated = false;
    *out = object ? TMI_JSON_OBJECT_END : TMI_JSON_ARRAY_END;
    return true;
}

/* Closes a list or an object, or steps over a comma; false if neither stands here. */
static bool step_between(tmi_json *json, int byte, tmi_json_token *out)
{
    if (close_open(json, byte, out))
        return true;
    if (json->separated)
        return false;
    if (byte != ',') {
        *out = fail_or_tell_comment(json, byte,
                                    json->in_object[json->depth - 1] ? "a comma or } is expected"
                                                                     : "a comma or ] is expected");
        return true;
    }
    skip_byte(json);
    json->separated = true;
    byte = skip_space(json);
    if (byte != '}' && byte != ']')
        return false;
    if (forgive_here(json, "a comma after the last element is not allowed"))
        return close_open(json, byte, out);
    *out = TMI_JSON_FAULT;
    return true;
}

bool tmi_is_utf16(const char *bytes, size_t size)
{
    if (size < 2)
        return false;
    return memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0 ||
           (bytes[0] && !bytes[1]) || (!bytes[0] && bytes[1]);
}

static tmi_json_token next_token(tmi_json *json)
{
    tmi_json_token token;
    if (json->fault || json->status != TM_OK)
        return TMI_JSON_FAULT;
    if (!json->begun && fetch_more(json)) {
        if (tmi_is_utf16(json->chunk, json->end))
            return fail_here(json, "this is UTF-16, and the text has to be UTF-8");
        json->at = tmi_utf8_mark(json->chunk, json->end);
    }
    if (json->fault)
        return TMI_JSON_FAULT;
    int byte = skip_space(json);
    json->token_place = json->place;
    if (json->status != TM_OK)
        return TMI_JSON_FAULT;
    if (json->depth == 0 && json->begun)
        return byte == NO_MORE ? TMI_JSON_END : fail_or_tell_comment(json, byte, "nothing may follow here");
    json->begun = true;
    if (json->after_key || json->depth == 0) {
        json->after_key = false;
        return read_json_value(json, byte);
    }
    if (step_between(json, byte, &token))
        return token;
    byte = skip_space(json);
    json->token_place = json->place;
    return json->in_object[json->depth - 1] ? read_key(json, byte) : read_json_value(json, byte);
}

tmi_json_token tmi_json_next(tmi_json *json)
{
    json->forgiven = NULL;
    const tmi_json_token token = next_token(json);
    if (json->forgiven)
        json->forgive(json->forgive_ctx, json->forgiven, json->forgiven_place.line,
                      json->forgiven_place.column);
    return token;
}

bool tmi_json_is_read(const tmi_json *json)
{
    return json->begun && json->depth == 0 && !json->after_key && !json->fault && json->status == TM_OK;
}

void tmi_json_forgive(tmi_json *json, tmi_json_forgiven *forgive, void *ctx)
{
    json->forgive = forgive;
    json->forgive_ctx = ctx;
}

bool tmi_json_skip(tmi_json *json, tmi_json_token token)
{
    unsigned depth = 0;
    for (;; token = tmi_json_next(json)) {
        if (token == TMI_JSON_FAULT || token == TMI_JSON_END)
            return false;
        if (token == TMI_JSON_OBJECT || token == TMI_JSON_ARRAY)
            depth++;
        else if (token == TMI_JSON_OBJECT_END || token == TMI_JSON_ARRAY_END)
            depth--;
        if (depth == 0 && token != TMI_JSON_KEY)
            return true;
    }
}

/* ------------------------------------------------------------------------------------------------ handles */

tm_status tmi_json_new(tmi_json **out, const tm_input *input, uint64_t max_text,
                       const tm_allocator *allocator, tm_error *error)
{
    tmi_json *json = tmi_alloc(allocator, 1, sizeof(*json));
    *out = json;
    if (!json)
        return tmi_fail_memory(error, sizeof(*json), "a reader of JSON");
    memset(json, 0, offsetof(tmi_json, chunk));
    json->allocator = allocator;
    json->input = *input;
    json->max_text = max_text;
    json->error = error;
    json->place = (json_place){1, 1};
    return TM_OK;
}

void tmi_json_rewind(tmi_json *json)
{
    json->next = 0;
    json->at = json->end = 0;
    json->place = (json_place){1, 1};
    json->depth = 0;
    json->begun = json->separated = json->after_key = false;
    json->fault = NULL;
}

void tmi_json_free(tmi_json *json)
{
    if (!json)
        return;
    tmi_free(json->allocator, json->text, json->capacity, 1);
    tmi_free(json->allocator, json, 1, sizeof(*json));
}

const char *tmi_json_text(const tmi_json *json)
{
    return json->text;
}

size_t tmi_json_size(const tmi_json *json)
{
    return json->size;
}

tm_status tmi_json_status(const tmi_json *json)
{
    return json->status;
}

const char *tmi_json_fault(const tmi_json *json, uint32_t *line, uint32_t *column)
{
    const json_place place = json->fault ? json->fault_place : json->token_place;
    *line = place.line;
    *column = place.column;
    return json->fault;
}
