/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HTML_H
#define CLI_HTML_H
/*
 * html.h - texts that nobody can vouch for inside of web pages, and the filling of pages that the program
 * carries. Nothing of what a map says can leave the place where it stands.
 */
#include "text_buffer.h"

/* For an element, or for an attribute in double quotes; control characters are shown as text_safe does. */
void html_text(text *out, const char *string);
/*
 * For a script element that holds JSON: every < is written as \u003c, so that the HTML parser takes nothing
 * for its end.
 */
void html_json_value(text *out, const json_t *value);
/* The same, and takes the value over. */
void html_json(text *out, json_t *value);

/* A word of a page, such as @TITLE@, and what stands in its place. */
typedef struct html_place {
    const char *word;
    void (*put)(text *out, const void *ctx);
} html_place;
/* What fills @STYLE@ at the head of a page's own style: page_style.css, the look that all pages share. */
void html_put_style(text *out, const void *ctx);
/* The same, and behind it report_style.css: pages with a list at the left and pictures of places. */
void html_put_report_style(text *out, const void *ctx);
extern const unsigned char page_style[], report_style[]; /* end with a NUL */
/* The page with the places filled, which occur once each and in this order. */
void html_fill(text *out, const unsigned char *page, const html_place *places, size_t num, const void *ctx);

#endif
