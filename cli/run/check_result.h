/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHECK_RESULT_H
#define CLI_CHECK_RESULT_H
/*
 * check_result.h - what `teemap check` finds out about a map: everything is read, data included.
 */
#include "load.h"

typedef struct verdict {
    bool unreadable; /* status 2: nothing is known about what is inside */
    bool refused;    /* the game of the mode does not open it */
    bool invalid;    /* the loaded model breaks its own rules */
    tm_error error;  /* of unreadable, refused and invalid */
} verdict;

/* What is odd becomes findings of the file. */
void judge_file(verdict *v, loaded *file, const tm_job *job);
/* "fine", "findings", "errors", "invalid", "refused" or "unreadable". */
const char *verdict_name(const verdict *v, const tm_findings *findings);

#endif
