/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FORM_H
#define CLI_FORM_H
/*
 * form.h - text that is filled from JSON by a form: lines for people, pages, manual pages, scripts, formats
 * of other programs. What people read is made of the values that --json prints.
 *
 *     {{name}}                   the value of a member of the object at hand, or of one around it
 *     {{.}}                      the element at hand
 *     {{name:file|files}}        a number and what it counts: "1 file", "2 files"
 *     {{name:.1}}                a number with one decimal
 *     {{name:9}}                 a word of our own, with spaces up to 9 bytes
 *     {{name:bytes}}             by one of the filters in form.c
 *     {{#name}}...{{/}}          for each element of a list; in the object; or if another value is there
 *     {{#name}}...{{|}}, {{/}}   the same, with what stands behind {{|}} between two elements
 *     {{@name}}...{{/}}          for each member of an object that is there; {{@}} is its name
 *     {{^name}}...{{/}}          if it is not there: no such member, null, false, 0, "", or an empty list
 *     {{?name=word}}...{{/}}     if it is this text
 *     {{=lrl}}...{{/}}           lines with tabs, aligned by text_columns
 *
 * A line with nothing but the beginning of a section, its {{|}} or its end is none of the text.
 */
#include "json.h"

/* How texts among the values are put, such as text_safe and html_text. */
typedef void form_escape(text *out, const char *string);

/* For people: by text_safe. Takes the values over. */
void form_line(text *out, const char *form, json_t *values);
void form_put(text *out, const char *form, const json_t *values, form_escape *escape);

/* ------------------------------------------------------------------------------------------- web pages */

/* For an element, or for an attribute in double quotes; control characters are shown as text_safe does. */
void html_text(text *out, const char *string);
/*
 * A page of our own, filled by form_put with values, which are taken over. Among them are page_style, the
 * look that all pages share, and report_style, of pages with a list at the left and pictures of places.
 */
void html_page(text *out, const unsigned char *page, json_t *values);
extern const unsigned char page_style[],
    report_style[]; /* page_style.css, report_style.css; end with a NUL */

#endif
