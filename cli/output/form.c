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
    const char *from = bytes, *end = from + size;
    (void)error;
    for (const char *at; (at = memchr(from, '<', (size_t)(end - from)));
         from = at + 1) { /* in strings only */
        text_put(ctx, from, (size_t)(at - from));
        text_string(ctx, "\\u003c");
    }
    text_put(ctx, from, (size_t)(end - from));
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
    for (const char *at = json_is(value, TM_JSON_TEXT) ? value->text : ""; *at; at++)
        text_print(out, strchr(plain, *at) ? "%c" : "%%%02X", (unsigned)(unsigned char)*at);
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

typedef struct tag {
    const char *start, *end; /* from its braces to what stands behind them */
    char kind;               /* one of "#@^?=|/"; 0: a value */
    const char *name, *more; /* `more` stands behind a colon, or behind the = of {{?}}; it is empty without */
    size_t size, more_size;
} tag;

/* The next tag of a form from `at` on; `start` NULL: none. */
static tag next_tag(const char *form, const char *at)
{
    do
        at = strchr(at, '{');
    while (at && *++at != '{');
    if (!at)
        return (tag){.start = NULL};
    tag out = {.start = at - 1};
    const char *close = strchr(at, '}');
    out.kind = strchr("#@^?=|/", out.start[2]) ? out.start[2] : '\0';
    out.name = out.start + 2 + (out.kind != '\0');
    out.size = (size_t)(close - out.name);
    const char *behind = memchr(out.name, out.kind == '?' ? '=' : ':', out.size);
    out.more = behind ? behind + 1 : close;
    out.more_size = (size_t)(close - out.more);
    out.size = behind ? (size_t)(behind - out.name) : out.size;
    out.end = close + 2;
    const bool begins_line = out.start == form || out.start[-1] == '\n';
    out.end += out.kind && begins_line && *out.end == '\n';
    return out;
}

/* Whether a tag opens a section. {{@}} does not: it is the name of a member. */
static bool opens(const tag *of)
{
    return of->kind == '@' ? of->size : of->kind && strchr("#^?=", of->kind);
}

/* The end of the section that `at` is inside of, behind its closing tag. */
static const char *section_end(const char *form, const char *at)
{
    tag one = next_tag(form, at);
    for (int depth = 0; one.kind != '/' || depth; one = next_tag(form, one.end))
        depth += opens(&one) - (one.kind == '/');
    return one.end;
}

/* ------------------------------------------------------------------------------------------------- values */

/* The values in which a name is searched, from the innermost to the outermost. */
typedef struct scope {
    const json_t *value;
    const struct scope *outer;
} scope;

static const json_t *find_value(const scope *in, const tag *of)
{
    if (of->size == 1 && *of->name == '.')
        return in->value;
    for (; in; in = in->outer)
        for (const json_t *at = in->value ? in->value->first : NULL; at && at->name; at = at->next)
            if (*at->name == *of->name && strncmp(at->name, of->name, of->size) == 0 && !at->name[of->size])
                return at;
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

static void put_number_value(text *out, const json_t *value, const tag *of)
{
    const char *bar = memchr(of->more, '|', of->more_size);
    if (bar && value->number == 1)
        text_print(out, "1 %.*s", (int)(bar - of->more), of->more);
    else if (bar)
        text_print(out, "%" PRId64 " %.*s", value->number, (int)(of->more + of->more_size - bar - 1),
                   bar + 1);
    else if (of->more[0] == '.')
        text_print(out, "%.*f", of->more[1] - '0',
                   value->text ? strtod(value->text, NULL) : (double)value->number);
    else if (value->text)
        text_string(out, value->text);
    else
        text_number(out, value->number, 0);
}

static void put_form_value(text *out, const json_t *value, const tag *of, form_escape *escape)
{
    for (size_t i = 0; of->more_size && i < sizeof(filters) / sizeof(*filters); i++)
        if (strlen(filters[i].name) == of->more_size &&
            strncmp(filters[i].name, of->more, of->more_size) == 0) {
            filters[i].put(out, value);
            return;
        }
    if (json_is(value, TM_JSON_NUMBER))
        put_number_value(out, value, of);
    else if (json_is(value, TM_JSON_TEXT) && of->more_size)
        text_print(out, "%-*s", (int)strtol(of->more, NULL, 10), value->text);
    else if (json_is(value, TM_JSON_TEXT))
        escape(out, value->text);
}

/* ----------------------------------------------------------------------------------------------- sections */

typedef struct filling {
    text *out;
    const char *form;
    form_escape *escape;
} filling;

static tag fill_part(const filling *to, const char *at, const scope *in);

/* Fills a section {{=lr...}}, whose lines become rows with aligned columns; returns its end. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as our forms
static const char *fill_columns(const filling *to, const tag *of, const scope *in)
{
    text rows = {0};
    char align[16];
    snprintf(align, sizeof(align), "%.*s", (int)of->size, of->name);
    const tag last = fill_part(&(filling){&rows, to->form, to->escape}, of->end, in);
    text_columns(to->out, &rows, align);
    text_release(&rows);
    return last.end;
}

// NOLINTNEXTLINE(misc-no-recursion): as above
static const char *fill_section(const filling *to, const tag *of, const scope *in)
{
    const json_t *value = find_value(in, of);
    const char *word = json_text_of(value);
    const bool equal = word && strlen(word) == of->more_size && strncmp(word, of->more, of->more_size) == 0,
               there = of->kind == '?' ? equal : is_present(value),
               each = there && (of->kind == '@' || value->kind == TM_JSON_ARRAY);
    tag last = *of;
    if (there == (of->kind == '^'))
        return section_end(to->form, of->end);
    for (const json_t *at = each ? value->first : value;; at = at->next) {
        const bool shown = of->kind != '@' || is_present(at);
        if (shown && last.kind == '|')
            fill_part(to, last.end, in);
        if (shown)
            last = fill_part(to, of->end, &(scope){at, in});
        if (!each || !at->next)
            return last.kind == '/' ? last.end : section_end(to->form, last.end);
    }
}

/* Fills from `at` to the end of the section, or to what stands between its elements, and returns that tag. */
// NOLINTNEXTLINE(misc-no-recursion): as above
static tag fill_part(const filling *to, const char *at, const scope *in)
{
    for (;;) {
        const tag one = next_tag(to->form, at);
        text_put(to->out, at, one.start ? (size_t)(one.start - at) : strlen(at));
        if (!one.start || one.kind == '/' || one.kind == '|')
            return one;
        at = one.end;
        if (one.kind == '@' && !one.size)
            to->escape(to->out, in->value->name);
        else if (one.kind)
            at = (one.kind == '=' ? fill_columns : fill_section)(to, &one, in);
        else
            put_form_value(to->out, find_value(in, &one), &one, to->escape);
    }
}

void form_put(text *out, const char *form, const json_t *values, form_escape *escape)
{
    const filling to = {out, form, escape};
    fill_part(&to, form, &(scope){values, NULL});
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
