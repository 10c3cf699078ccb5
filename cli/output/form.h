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
 *     {{name:bytes}}             by one of the filters in form.c
 *     {{#name}}...{{/}}          for each element of a list; in the object; or if another value is there
 *     {{#name}}...{{|}}, {{/}}   the same, with what stands behind {{|}} between two elements
 *     {{@name}}...{{/}}          for each member of an object that is there; {{@}} is its name
 *     {{^name}}...{{/}}          if it is not there: no such member, null, false, 0, "", or an empty list
 *
 * A line on which one of {{#}}, {{^}}, {{|}} and {{/}} stands alone is none of the text.
 */
#include "json.h"

/* How texts among the values are put, such as text_safe and html_text. */
typedef void form_escape(text *out, const char *string);

void form_put(text *out, const char *form, const json_t *values, form_escape *escape);

#endif
