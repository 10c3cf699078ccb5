/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PATCH_TELL_H
#define TMI_PATCH_TELL_H
/*
 * A patch on its way to words: lines that are made one after the other, and written.
 */
#include "patch.h"

/* Where in a list a line stands: before it, an entry, or what is said of the last entry. */
typedef enum tmi_depth { TMI_HEADING, TMI_ENTRY, TMI_DETAIL } tmi_depth;

typedef struct tmi_teller {
    const tm_patch *patch;
    tm_tell_options how;
    const tm_output *output;
    tm_error *error;
    tmi_line line; /* at hand */
} tmi_teller;

/* Ends the line at hand, writes it, and begins the next one. */
tm_status tmi_tell_line(tmi_teller *t, tmi_depth depth);

/* A line about an object. */
typedef struct tmi_told {
    const char *text;
    tmi_depth depth;
    size_t rest;   /* where the words about the object begin; 0: the line stands for itself */
    tm_address at; /* the object */
    size_t num;    /* of the first of several: how many lines it stands for; 0: told by another one */
    size_t next;   /* the next one of these */
} tmi_told;

typedef struct tmi_told_list {
    tmi_told *list;
    size_t num, capacity;
    tmi_arena arena; /* of the texts */
} tmi_told_list;

/*
 * Notes the line at hand: about the object `at`, NULL: about the line before it; `rest` is where the words
 * about the object begin, 0: it stands for itself.
 */
tm_status tmi_told_add(tmi_told_list *to, tmi_teller *t, size_t rest, const tm_address *at);
/* Tells them; lines in the same words about several objects become one. */
tm_status tmi_told_tell(tmi_told_list *of, tmi_teller *t);

#endif
