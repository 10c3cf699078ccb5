/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_REPORT_H
#define TEEMAP_REPORT_H
/*
 * teemap/report.h - what was done to a map: a list of changes, each with object, description and count, and
 * findings about what could not be done. teemap/edit.h and teemap/convert.h fill reports.
 *
 * Order of calls: tm_report_init, any number of operations that add to it, tm_report_release.
 *
 * Threads: a report belongs to one thread at a time.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One change. */
typedef struct tm_change {
    const char *operation;           /* the operation: "mirror"; constant */
    tm_finding_id lost;              /* the finding if it is a loss, else TM_FINDING_NONE */
    char address[TM_ADDRESS_SIZE];   /* of the object at that time; "" for the whole map */
    char place[TM_ERROR_PLACE_SIZE]; /* the same for people: "image 3 'grass_main'" */
    char text[TM_ERROR_TEXT_SIZE];   /* what changed: "removed: nothing refers to it" */
    uint64_t count;                  /* number of changed fields, tiles, quads, settings; at least 1 */
} tm_change;

/* Read the first fields; leave the rest to the functions. */
typedef struct tm_report {
    tm_change *list; /* in order of execution */
    size_t num;
    uint64_t unlisted;    /* changes that were not listed for lack of memory */
    tm_findings findings; /* what could not be done, and notes about what was done */
    size_t capacity;
    const tm_allocator *allocator;
} tm_report;
TM_API void tm_report_init(tm_report *report, const tm_allocator *allocator);
TM_API void tm_report_release(tm_report *report);
/* Whether any finding is worse than a note: something requested could not be done, or was lost. */
TM_API bool tm_report_has_warnings(const tm_report *report);
/* The number of losses with this finding: the sum of `count`. */
TM_API uint64_t tm_report_lost(const tm_report *report, tm_finding_id id);

#ifdef __cplusplus
}
#endif
#endif
