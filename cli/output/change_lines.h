/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGE_LINES_H
#define CLI_CHANGE_LINES_H
/*
 * change_lines.h - lines of a summary. What is said of several objects in the same words is said once: an
 * editor that notes something in each of 60 layers is one line, and 107 removed envelopes are one.
 */
#include "text_buffer.h"

#include <teemap/map.h>

typedef struct change_line {
    char *line;
    size_t rest;    /* where the words about the object begin; 0: the line stands for itself */
    tm_address at;  /* the object */
    size_t index;   /* of the line */
    size_t num;     /* of the first of several: how many lines it stands for; 0: told by another one */
    size_t *others; /* of the first of several: their numbers, in order */
} change_line;

typedef struct change_lines {
    change_line *list;
    size_t num, capacity;
} change_lines;

/* A line, without its end, about an object, whose words begin at `rest`; `at` NULL: about no object. */
void lines_add(change_lines *to, const char *line, size_t rest, const tm_address *at);
/* Writes them, and frees them. */
void lines_put(text *out, change_lines *of);

#endif
