/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
/*
 * progress.h - one line on the terminal for work that takes longer than a second. It is there only when
 * standard error is a terminal, and it is gone before anything else is printed. One thread at a time may use
 * it.
 */
#include "text_buffer.h"

typedef struct progress {
    bool wanted;         /* false: never shown */
    const char *doing;   /* "check" */
    const char *subject; /* a path, or NULL */
    const char *unit;    /* what done and total count: "files", "rows"; NULL: bytes */
    char more[48];       /* behind it, when the caller has more to say */
    double start, last;
    bool shown;
} progress;

void progress_begin(progress *p, bool wanted, const char *doing, const char *subject, const char *unit);
/* Whether progress_show would draw the line now. */
bool progress_is_due(const progress *p);
void progress_show(progress *p, uint64_t done, uint64_t total);
/* Removes the line; it may come back. */
void progress_clear(progress *p);

#endif
