/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H
/*
 * document.h - documents of docs/ that the program carries, so that what they explain can be read where it is
 * installed: help and manual pages are made of the same files. A section comes as the texts of commands do:
 * paragraphs with an empty line between, "term\tmeaning" for an item of a list.
 */
#include "output/text_buffer.h"

typedef struct document {
    const char *name;    /* "findings": what help and the manual page are called by */
    const char *summary; /* one line, lower case, no full stop */
    const unsigned char *markdown;
} document;

/* The list; ends with a name of NULL. */
extern const document documents[];

const document *document_find(const char *name);

/*
 * Reads one section and moves `rest`, at first the document's markdown, behind it. `title` and `body` are
 * emptied before; both end with a NUL. False: there is no further section.
 */
bool document_next_section(const char **rest, text *title, text *body);

/* The meaning of a term that a table of the document explains. False: no table does. */
bool document_explain(const document *of, text *meaning, const char *term);

#endif
