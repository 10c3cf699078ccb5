/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_REPORT_H
#define TEEMAP_REPORT_H
/*
 * teemap/report.h - what was done to a map: a list of changes, each with the object, in words and counted,
 * and the findings that tell what could not be done. Whatever works on a map fills one: teemap/edit.h,
 * teemap/convert.h.
 *
 * Order of calls: tm_report_init, any number of operations that add to it, tm_report_release.
 *
 * Threads: a report belongs to one thread at a time.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thing that was changed. */
typedef struct tm_change {
    const char *operation;           /* the name of what did it: "mirror"; constant */
    tm_finding_id lost;              /* the finding that tells of it, if it is a loss; else TM_FINDING_NONE */
    char address[TM_ADDRESS_SIZE];   /* of the object, as it was when it was changed; "" the whole map */
    char place[TM_ERROR_PLACE_SIZE]; /* the same for people: "image 3 'grass_main'" */
    char text[TM_ERROR_TEXT_SIZE];   /* what happened to it: "removed: nothing refers to it" */
    uint64_t count; /* how many things in it were changed: fields, tiles, quads, settings; 1 at least */
} tm_change;

/* Read the first fields; leave the rest to the functions. */
typedef struct tm_report {
    tm_change *list; /* in the order in which it was done */
    size_t num;
    uint64_t unlisted;    /* changes for which there was no memory */
    tm_findings findings; /* what could not be done, and what the map's author should know of what was done */
    size_t capacity;
    const tm_allocator *allocator;
} tm_report;
TM_API void tm_report_init(tm_report *report, const tm_allocator *allocator);
TM_API void tm_report_release(tm_report *report);
/* Whether any finding is worse than a note: something was asked for that could not be done, or was lost. */
TM_API bool tm_report_has_warnings(const tm_report *report);
/* How many things were lost of which this finding tells: the sum of `count`. */
TM_API uint64_t tm_report_lost(const tm_report *report, tm_finding_id id);

#ifdef __cplusplus
}
#endif
#endif
