/* SPDX-License-Identifier: Zlib */
/* form.c - see form.h. Forms are part of the program, so each one closes all sections that it opens. */
#include "form.h"

/* ------------------------------------------------------------------------------------------------ escapes */

static void put_escaped(text *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        switch (bytes[i]) {
        case '&': text_string(out, "&amp;"); break;
        case '<': text_string(out, "&lt;"); break;
        case '>': text_string(out, "&gt;"); break;
        case '"': text_string(out, "&quot;"); break;
        case '\'': text_string(out, "&#39;"); break;
        default: text_put(out, &bytes[i], 1);
        }
    }
}

void html_text(text *out, const char *string)
{
    text shown = {0};
    text_safe(&shown, string);
    put_escaped(out, shown.bytes, shown.size);
    text_release(&shown);
}

/* An output for JSON in a script element: escapes <, which JSON only has in strings, as "</" would end it. */
static tm_status put_script_bytes(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    const char *start = bytes, *end = start + size;
    (void)error;
    for (const char *sign; (sign = memchr(start, '<', (size_t)(end - start)));
         start = sign + 1) { /* in strings only */
        text_put(ctx, start, (size_t)(sign - start));
        text_string(ctx, "\\u003c");
    }
    text_put(ctx, start, (size_t)(end - start));
    return TM_OK;
}

/*
 * For a script element that holds JSON: every < is written as \u003c, so that the HTML parser takes nothing
 * for its end.
 */
static void html_json(text *out, const json_t *value)
{
    const tm_output output = {out, put_script_bytes, NULL};
    json_t alone = *value;
    alone.name = NULL;
    if (tm_json_write(&alone, &output, NULL))
        out_of_memory(); /* our values are not deep, so nothing else can fail */
}

/* ------------------------------------------------------------------------------------------------ filters */

static void put_bytes_value(text *out, const json_t *value)
{
    text_bytes(out, (uint64_t)json_integer_of(value));
}

static void put_raw_value(text *out, const json_t *value)
{
    text_string(out, json_is(value, TM_JSON_TEXT) ? value->text : "");
}

static void put_path_value(text *out, const json_t *value)
{
    const char *path = json_text_of(value);
    text_safe(out, !path ? "" : strcmp(path, "-") == 0 ? "standard input" : path);
}

static void put_url_value(text *out, const json_t *value)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~";
    for (const char *byte = json_is(value, TM_JSON_TEXT) ? value->text : ""; *byte; byte++)
        text_print(out, strchr(plain, *byte) ? "%c" : "%%%02X", (unsigned)(unsigned char)*byte);
}

static const struct {
    const char *name;
    void (*put)(text *out, const json_t *value);
} filters[] = {{"bytes", put_bytes_value},
               {"json", html_json},
               {"path", put_path_value},
               {"raw", put_raw_value},
               {"url", put_url_value}};

/* --------------------------------------------------------------------------------------------------- tags */

typedef struct form_tag {
    const char *start, *end; /* from its braces to what stands behind them */
    char kind;               /* one of "#@^?=|/"; 0: a value */
    const char *name;
    const char *argument; /* stands behind a colon, or behind the = of {{?}}; it is empty without */
    size_t size, argument_size;
} form_tag;

/* The next tag of a form from `cursor` on; `start` NULL: none. */
static form_tag next_tag(const char *form, const char *cursor)
{
    do
        cursor = strchr(cursor, '{');
    while (cursor && *++cursor != '{');
    if (!cursor)
        return (form_tag){.start = NULL};
    form_tag out = {.start = cursor - 1};
    const char *close = strchr(cursor, '}');
    out.kind = strchr("#@^?=|/", out.start[2]) ? out.start[2] : '\0';
    out.name = out.start + 2 + (out.kind != '\0');
    out.size = (size_t)(close - out.name);
    const char *behind = memchr(out.name, out.kind == '?' ? '=' : ':', out.size);
    out.argument = behind ? behind + 1 : close;
    out.argument_size = (size_t)(close - out.argument);
    out.size = behind ? (size_t)(behind - out.name) : out.size;
    out.end = close + 2;
    const bool begins_line = out.start == form || out.start[-1] == '\n';
    out.end += out.kind && begins_line && *out.end == '\n';
    return out;
}

/* Whether a tag opens a section. {{@}} does not: it is the name of a member. */
static bool opens(const form_tag *tag)
{
    return tag->kind == '@' ? tag->size : tag->kind && strchr("#^?=", tag->kind);
}

/* The end of the section that `cursor` is inside of, behind its closing tag. */
static const char *section_end(const char *form, const char *cursor)
{
    form_tag tag = next_tag(form, cursor);
    for (int depth = 0; tag.kind != '/' || depth; tag = next_tag(form, tag.end))
        depth += opens(&tag) - (tag.kind == '/');
    return tag.end;
}

/* ------------------------------------------------------------------------------------------------- values */

/* The values in which a name is searched, from the innermost to the outermost. */
typedef struct form_scope {
    const json_t *value;
    const struct form_scope *outer;
} form_scope;

static const json_t *find_value(const form_scope *scope, const form_tag *tag)
{
    if (tag->size == 1 && *tag->name == '.')
        return scope->value;
    for (; scope; scope = scope->outer)
        for (const json_t *member = scope->value ? scope->value->first : NULL; member && member->name;
             member = member->next)
            if (*member->name == *tag->name && strncmp(member->name, tag->name, tag->size) == 0 &&
                !member->name[tag->size])
                return member;
    return NULL;
}

static bool is_present(const json_t *value)
{
    switch (value ? value->kind : TM_JSON_NULL) {
    case TM_JSON_NULL: return false;
    case TM_JSON_BOOL: return value->number;
    case TM_JSON_NUMBER: return value->number || value->text;
    case TM_JSON_TEXT: return value->text[0];
    case TM_JSON_ARRAY: return value->first;
    default: return true;
    }
}

static void put_number_value(text *out, const json_t *value, const form_tag *tag)
{
    const char *bar = memchr(tag->argument, '|', tag->argument_size);
    if (bar && value->number == 1)
        text_print(out, "1 %.*s", (int)(bar - tag->argument), tag->argument);
    else if (bar)
        text_print(out, "%" PRId64 " %.*s", value->number,
                   (int)(tag->argument + tag->argument_size - bar - 1), bar + 1);
    else if (tag->argument[0] == '.')
        text_print(out, "%.*f", tag->argument[1] - '0',
                   value->text ? strtod(value->text, NULL) : (double)value->number);
    else if (value->text)
        text_string(out, value->text);
    else
        text_number(out, value->number, 0);
}

static void put_form_value(text *out, const json_t *value, const form_tag *tag, form_escape *escape)
{
    for (size_t i = 0; tag->argument_size && i < sizeof(filters) / sizeof(*filters); i++)
        if (strlen(filters[i].name) == tag->argument_size &&
            strncmp(filters[i].name, tag->argument, tag->argument_size) == 0) {
            filters[i].put(out, value);
            return;
        }
    if (json_is(value, TM_JSON_NUMBER))
        put_number_value(out, value, tag);
    else if (json_is(value, TM_JSON_TEXT) && tag->argument_size)
        text_print(out, "%-*s", (int)strtol(tag->argument, NULL, 10), value->text);
    else if (json_is(value, TM_JSON_TEXT))
        escape(out, value->text);
}

/* ----------------------------------------------------------------------------------------------- sections */

typedef struct form_filling {
    text *out;
    const char *form;
    form_escape *escape;
} form_filling;

static form_tag fill_part(const form_filling *filling, const char *cursor, const form_scope *scope);

/* Fills a section {{=lr...}}, whose lines become rows with aligned columns; returns its end. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as our forms
static const char *fill_columns(const form_filling *filling, const form_tag *tag, const form_scope *scope)
{
    text rows = {0};
    char align[16];
    snprintf(align, sizeof(align), "%.*s", (int)tag->size, tag->name);
    const form_tag last = fill_part(&(form_filling){&rows, filling->form, filling->escape}, tag->end, scope);
    text_columns(filling->out, &rows, align);
    text_release(&rows);
    return last.end;
}

// NOLINTNEXTLINE(misc-no-recursion): as above
static const char *fill_section(const form_filling *filling, const form_tag *tag, const form_scope *scope)
{
    const json_t *value = find_value(scope, tag);
    const char *word = json_text_of(value);
    const bool equal = word && strlen(word) == tag->argument_size &&
                       strncmp(word, tag->argument, tag->argument_size) == 0,
               there = tag->kind == '?' ? equal : is_present(value),
               each = there && (tag->kind == '@' || value->kind == TM_JSON_ARRAY);
    form_tag last = *tag;
    if (there == (tag->kind == '^'))
        return section_end(filling->form, tag->end);
    for (const json_t *element = each ? value->first : value;; element = element->next) {
        const bool shown = tag->kind != '@' || is_present(element);
        if (shown && last.kind == '|')
            fill_part(filling, last.end, scope);
        if (shown)
            last = fill_part(filling, tag->end, &(form_scope){element, scope});
        if (!each || !element->next)
            return last.kind == '/' ? last.end : section_end(filling->form, last.end);
    }
}

/*
 * Fills from `cursor` to the end of the section, or to what stands between its elements, and returns that
 * tag.
 */
// NOLINTNEXTLINE(misc-no-recursion): as above
static form_tag fill_part(const form_filling *filling, const char *cursor, const form_scope *scope)
{
    for (;;) {
        const form_tag tag = next_tag(filling->form, cursor);
        text_put(filling->out, cursor, tag.start ? (size_t)(tag.start - cursor) : strlen(cursor));
        if (!tag.start || tag.kind == '/' || tag.kind == '|')
            return tag;
        cursor = tag.end;
        if (tag.kind == '@' && !tag.size)
            filling->escape(filling->out, scope->value->name);
        else if (tag.kind)
            cursor = (tag.kind == '=' ? fill_columns : fill_section)(filling, &tag, scope);
        else
            put_form_value(filling->out, find_value(scope, &tag), &tag, filling->escape);
    }
}

void form_put(text *out, const char *form, const json_t *values, form_escape *escape)
{
    const form_filling filling = {out, form, escape};
    fill_part(&filling, form, &(form_scope){values, NULL});
}

void form_line(text *out, const char *form, json_t *values)
{
    form_put(out, form, values, text_safe);
    json_free(values);
}

/* -------------------------------------------------------------------------------------------------- pages */

void html_page(text *out, const unsigned char *page, json_t *values)
{
    json_add_text(values, "page_style", (const char *)page_style);
    json_add_text(values, "report_style", (const char *)report_style);
    form_put(out, (const char *)page, values, html_text);
    json_free(values);
}
