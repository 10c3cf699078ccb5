/* SPDX-License-Identifier: Zlib */
/*
 * html.c - escapes, and fills pages.
 */
#include "html.h"

#include "form.h"

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

void html_json(text *out, const json_t *value)
{
    const tm_output output = {out, put_script_bytes, NULL};
    json_t alone = *value;
    alone.name = NULL;
    if (tm_json_write(&alone, &output, NULL))
        out_of_memory(); /* our values are not deep, so nothing else can fail */
}

void html_page(text *out, const unsigned char *page, json_t *values)
{
    json_add_text(values, "page_style", (const char *)page_style);
    json_add_text(values, "report_style", (const char *)report_style);
    form_put(out, (const char *)page, values, html_text);
    json_free(values);
}
