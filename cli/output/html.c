/* SPDX-License-Identifier: Zlib */
/*
 * html.c - escapes, and fills pages.
 */
#include "html.h"

#include "json.h"

#include <string.h>

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

void html_json_value(text *out, const json_t *value)
{
    text json = {0};
    text_json_value(&json, value);
    for (size_t i = 0; i < json.size; i++)
        if (json.bytes[i] == '<') /* stands in strings only */
            text_string(out, "\\u003c");
        else
            text_put(out, &json.bytes[i], 1);
    text_release(&json);
}

void html_json(text *out, json_t *value)
{
    html_json_value(out, value);
    json_free(value);
}

void html_put_style(text *out, const void *ctx)
{
    (void)ctx;
    text_string(out, (const char *)page_style);
}

void html_put_report_style(text *out, const void *ctx)
{
    html_put_style(out, ctx);
    text_string(out, (const char *)report_style);
}

void html_fill(text *out, const unsigned char *page, const html_place *places, size_t num, const void *ctx)
{
    const char *rest = (const char *)page;
    for (size_t i = 0; i < num; i++) {
        const char *place = strstr(rest, places[i].word);
        text_put(out, rest, (size_t)(place - rest));
        places[i].put(out, ctx);
        rest = place + strlen(places[i].word);
    }
    text_string(out, rest);
}
