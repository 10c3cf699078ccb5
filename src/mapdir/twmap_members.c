/* SPDX-License-Identifier: Zlib */
/*
 * Writing and reading the members of MapDir's objects, by their tables (twmap_rows.c).
 */
#include "twmap.h"

/* ------------------------------------------------------------------------------------------------ writing */

static void pretty_line(tmi_pretty *p)
{
    tmi_text_put(p->to, "\n", 1);
    for (unsigned i = 0; i < p->depth; i++)
        tmi_text_put(p->to, "  ", 2);
}

void tmi_pretty_key(tmi_pretty *p, const char *key)
{
    if (p->depth) {
        tmi_text_put(p->to, ",", p->begun);
        pretty_line(p);
    }
    p->begun = true;
    if (!key)
        return;
    tmi_text_put(p->to, "\"", 1);
    tmi_text_string(p->to, key);
    tmi_text_string(p->to, "\": ");
}

void tmi_pretty_open(tmi_pretty *p, const char *key, char bracket)
{
    tmi_pretty_key(p, key);
    tmi_text_put(p->to, &bracket, 1);
    p->depth++;
    p->begun = false;
}

void tmi_pretty_close(tmi_pretty *p, char bracket)
{
    p->depth--;
    if (p->begun)
        pretty_line(p);
    tmi_text_put(p->to, &bracket, 1);
    p->begun = true;
    if (p->depth == 0)
        tmi_text_put(p->to, "\n", 1);
}

static int32_t number_at(const tmi_row *row, const void *object)
{
    int32_t number;
    memcpy(&number, (const char *)object + row->offset, sizeof(number));
    return number;
}

static void put_name(tmi_text_out *to, const tmi_row *row, const void *object, uint64_t *lost)
{
    if (!tmi_text_quoted(to, (const char *)object + row->offset))
        ++*lost;
}

static void put_int(tmi_text_out *to, const tmi_row *row, int32_t number, uint64_t *lost)
{
    const int32_t fitting = number < row->least ? row->least : number > row->most ? row->most : number;
    *lost += fitting != number;
    tmi_text_number(to, fitting);
}

static void put_word(tmi_text_out *to, const tmi_row *row, int32_t number, uint64_t *lost)
{
    int num = 0;
    while (row->words[num])
        num++;
    const bool known = number >= 0 && number < num;
    *lost += !known;
    tmi_text_quoted(to, row->words[known ? number : num > TM_CURVE_LINEAR + 1 ? TM_CURVE_LINEAR : 0]);
}

static void put_stem(tmi_text_out *to, const tmi_row *row, int32_t number, const tmi_names *names,
                     uint64_t *lost)
{
    const bool there = number >= 0 && (uint32_t)number < names->num[row->refers];
    const char *name = there ? names->of[row->refers][number] : NULL;
    *lost += !name && number != TM_NONE;
    if (name)
        tmi_text_quoted(to, name);
    else
        tmi_text_string(to, "null");
}

static void put_fraction(tmi_text_out *to, const tmi_row *row, int32_t number)
{
    char text[TMI_DECIMAL_SIZE];
    tmi_decimal_format(text, number, row->most);
    tmi_text_quoted(to, text);
}

static void put_row_value(tmi_text_out *to, const tmi_row *row, const void *object, const tmi_names *names,
                          uint64_t *lost)
{
    switch (row->form) {
    case TMI_FORM_NAME: put_name(to, row, object, lost); break;
    case TMI_FORM_INT: put_int(to, row, number_at(row, object), lost); break;
    case TMI_FORM_INDEX:
        if (number_at(row, object) == TM_NONE)
            tmi_text_string(to, "null");
        else
            put_int(to, row, number_at(row, object), lost);
        break;
    case TMI_FORM_BOOL:
        tmi_text_string(to, *(const bool *)((const char *)object + row->offset) ? "true" : "false");
        break;
    case TMI_FORM_TRUTH:
        *lost += number_at(row, object) < 0 || number_at(row, object) > 1;
        tmi_text_string(to, number_at(row, object) ? "true" : "false");
        break;
    case TMI_FORM_FIXED: put_fraction(to, row, number_at(row, object)); break;
    case TMI_FORM_WORD: put_word(to, row, number_at(row, object), lost); break;
    case TMI_FORM_REFERENCE: put_stem(to, row, number_at(row, object), names, lost); break;
    }
}

/* The parts of a path. */
enum { MOST_PARTS = 4, PART_SIZE = 32 };
typedef struct path_parts {
    char list[MOST_PARTS][PART_SIZE];
    unsigned num;
} path_parts;

static void split_path(path_parts *out, const char *path)
{
    memset(out, 0, sizeof(*out));
    for (out->num = 0; *path && out->num < MOST_PARTS; out->num++) {
        const size_t size = strcspn(path, ".");
        tmi_format(out->list[out->num], PART_SIZE, "%.*s", (int)size, path);
        path += size + (path[size] == '.');
    }
}

static bool is_part_number(const char *part)
{
    return *part >= '0' && *part <= '9';
}

/* Closes the values around a member until `num` are left open. */
static void close_down_to(tmi_pretty *p, const path_parts *open, unsigned num)
{
    for (unsigned i = open->num - 1; i > num; i--)
        tmi_pretty_close(p, is_part_number(open->list[i]) ? ']' : '}');
}

void tmi_twmap_put(tmi_pretty *p, const tmi_row *rows, size_t num, const void *object, const tmi_names *names,
                   uint64_t lost[TMI_LOSSES])
{
    path_parts open = {.num = 1}, parts;
    for (size_t i = 0; i < num; i++) {
        unsigned same = 0;
        split_path(&parts, rows[i].path);
        while (i && same + 1 < parts.num && same + 1 < open.num &&
               strcmp(parts.list[same], open.list[same]) == 0)
            same++;
        close_down_to(p, &open, same);
        for (unsigned k = same; k + 1 < parts.num; k++)
            tmi_pretty_open(p, is_part_number(parts.list[k]) ? NULL : parts.list[k],
                            is_part_number(parts.list[k + 1]) ? '[' : '{');
        tmi_pretty_key(p, is_part_number(parts.list[parts.num - 1]) ? NULL : parts.list[parts.num - 1]);
        put_row_value(p->to, &rows[i], object, names, &lost[rows[i].loss]);
        open = parts;
    }
    close_down_to(p, &open, 0);
}

/* ------------------------------------------------------------------------------------------------ reading */

static void store_int(const tmi_row *row, void *object, int32_t number)
{
    memcpy((char *)object + row->offset, &number, sizeof(number));
}

static void take_int(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t number;
    char expected[64];
    if (token == TMI_JSON_NUMBER && !strchr(tmi_json_text(file->json), '.') &&
        tmi_decimal_parse(&number, tmi_json_text(file->json), 1) && number >= row->least &&
        number <= row->most) {
        store_int(row, object, number);
        return;
    }
    tmi_format(expected, sizeof(expected), "a number from %d to %d", (int)row->least, (int)row->most);
    tmi_json_unexpected(file, token, expected);
}

static void take_truth(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    const bool value = token == TMI_JSON_TRUE;
    if (!value && token != TMI_JSON_FALSE)
        tmi_json_unexpected(file, token, "true or false");
    else if (row->form == TMI_FORM_TRUTH)
        store_int(row, object, value);
    else
        memcpy((char *)object + row->offset, &value, sizeof(value));
}

static void take_fixed(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t number;
    if ((token == TMI_JSON_STRING || token == TMI_JSON_NUMBER) &&
        tmi_decimal_parse(&number, tmi_json_text(file->json), row->most))
        store_int(row, object, number);
    else
        tmi_json_unexpected(file, token, "a text with a number, as \"1.5\", that is not too large");
}

static void take_choice(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    char expected[96] = "one of";
    for (int32_t i = 0; row->words[i]; i++) {
        if (token == TMI_JSON_STRING && strcmp(tmi_json_text(file->json), row->words[i]) == 0) {
            store_int(row, object, i);
            return;
        }
        const size_t size = strlen(expected);
        tmi_format(expected + size, sizeof(expected) - size, " %s", row->words[i]);
    }
    tmi_json_unexpected(file, token, expected);
}

static void take_reference(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    int32_t index = TM_NONE;
    if (token == TMI_JSON_STRING) {
        index = tmi_find_name(file->reading, row->refers, tmi_json_text(file->json));
        if (index == TM_NONE)
            tmi_find_token(file, TM_FINDING_FOLDER_VALUE, 0, "there is no file '%s/%.60s'",
                           tmi_list_names[row->refers], tmi_json_text(file->json));
    } else if (token != TMI_JSON_NULL) {
        tmi_json_unexpected(file, token, "null, or the name of a file without its ending");
    }
    store_int(row, object, index);
}

static void take_single(tmi_json_file *file, const tmi_row *row, tmi_json_token token, void *object)
{
    switch (row->form) {
    case TMI_FORM_INDEX:
        if (token == TMI_JSON_NULL)
            store_int(row, object, TM_NONE);
        else
            take_int(file, row, token, object);
        break;
    case TMI_FORM_INT: take_int(file, row, token, object); break;
    case TMI_FORM_BOOL:
    case TMI_FORM_TRUTH: take_truth(file, row, token, object); break;
    case TMI_FORM_FIXED: take_fixed(file, row, token, object); break;
    case TMI_FORM_WORD: take_choice(file, row, token, object); break;
    default: take_reference(file, row, token, object); break;
    }
}

enum { ROW_PATH = 3 * TMI_KEY_SIZE };

/* The row of a path, or one of which it is the beginning; NULL. */
static const tmi_row *find_row(const tmi_rows *rows, const char *path)
{
    const size_t size = strlen(path);
    for (size_t i = 0; i < rows->num; i++)
        if (strncmp(rows->list[i].path, path, size) == 0 &&
            (rows->list[i].path[size] == '.' || !rows->list[i].path[size]))
            return &rows->list[i];
    return NULL;
}

/* A list that is being read, or an object, one level deeper than its row's path goes. */
typedef struct taking {
    tmi_json_file *file;
    const tmi_rows *rows;
    void *object;
    char path[ROW_PATH]; /* of the value at hand */
} taking;

static void take_any(taking *of, const tmi_row *row, tmi_json_token token, unsigned depth);

/* The elements of a list, which must be as many as the table has. */
// NOLINTNEXTLINE(misc-no-recursion): MOST_PARTS
static void take_any_list(taking *of, unsigned depth)
{
    const size_t size = strlen(of->path);
    const tmi_row *row;
    tmi_json_token token;
    for (unsigned i = 0;; i++) {
        token = tmi_next_value(of->file);
        tmi_format(of->path + size, ROW_PATH - size, ".%u", i);
        row = find_row(of->rows, of->path);
        if (token == TMI_JSON_FAULT || token == TMI_JSON_ARRAY_END || !row)
            break;
        take_any(of, row, token, depth + 1);
    }
    of->path[size] = '\0';
    if (token == TMI_JSON_ARRAY_END && row)
        tmi_find_token(of->file, TM_FINDING_FOLDER_VALUE, 0, "more elements of '%s' are expected", of->path);
    for (; token != TMI_JSON_FAULT && token != TMI_JSON_ARRAY_END; token = tmi_next_value(of->file))
        tmi_json_unexpected(of->file, token, "the end of the list");
}

// NOLINTNEXTLINE(misc-no-recursion): MOST_PARTS
static void take_object(taking *of, unsigned depth)
{
    const size_t size = strlen(of->path);
    char key[TMI_KEY_SIZE];
    while (tmi_json_member(of->file, key)) {
        tmi_format(of->path + size, ROW_PATH - size, ".%s", key);
        const tmi_row *row = strchr(key, '.') ? NULL : find_row(of->rows, of->path);
        if (row)
            take_any(of, row, tmi_next_value(of->file), depth + 1);
        else
            tmi_unknown_member(of->file, of->path);
    }
    of->path[size] = '\0';
}

/* As deep as the paths of the table go. */
// NOLINTNEXTLINE(misc-no-recursion): MOST_PARTS
static void take_any(taking *of, const tmi_row *row, tmi_json_token token, unsigned depth)
{
    const char end = row->path[strlen(of->path)];
    const bool is_list = end && is_part_number(row->path + strlen(of->path) + 1);
    if (!end)
        take_single(of->file, row, token, of->object);
    else if (is_list && token == TMI_JSON_ARRAY && depth < MOST_PARTS)
        take_any_list(of, depth);
    else if (!is_list && token == TMI_JSON_OBJECT && depth < MOST_PARTS)
        take_object(of, depth);
    else
        tmi_json_unexpected(of->file, token, is_list ? "a list: [ ... ]" : "an object: { ... }");
}

bool tmi_twmap_take(tmi_json_file *file, const tmi_rows *rows, const tmi_target *target, const char *key)
{
    taking of = {.file = file, .rows = rows, .object = target->object};
    const tmi_row *row = strchr(key, '.') ? NULL : find_row(rows, key);
    if (!row)
        return false;
    tmi_format(of.path, ROW_PATH, "%s", key);
    if (row->form == TMI_FORM_NAME)
        tmi_read_member(file, target, row->path);
    else
        take_any(&of, row, tmi_next_value(file), 0);
    return true;
}
