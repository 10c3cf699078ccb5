/* SPDX-License-Identifier: Zlib */
#ifndef CLI_HTML_H
#define CLI_HTML_H
/*
 * html.h - texts that nobody can vouch for inside of web pages, and the filling of pages that the program
 * carries. Nothing of what a map says can leave the place where it stands.
 */
#include "json.h"

/* For an element, or for an attribute in double quotes; control characters are shown as text_safe does. */
void html_text(text *out, const char *string);
/*
 * For a script element that holds JSON: every < is written as \u003c, so that the HTML parser takes nothing
 * for its end.
 */
void html_json(text *out, const json_t *value);

/*
 * A page of our own, filled by form_put with values, which are taken over. Among them are page_style, the
 * look that all pages share, and report_style, of pages with a list at the left and pictures of places.
 */
void html_page(text *out, const unsigned char *page, json_t *values);
extern const unsigned char page_style[],
    report_style[]; /* page_style.css, report_style.css; end with a NUL */

#endif
