/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_CHANGES_H
#define TMI_MAP_CHANGES_H
/*
 * Findings and changes at objects, with their names and places, and work on a clone that takes the place of a
 * map when all of it has succeeded.
 */
#include <teemap/report.h>

#include "../base/base.h"

/*
 * Adds a finding about an object. `map` gives the names for its place and may be NULL. Items and blocks of a
 * file without a map are reported by datafile/report.c.
 */
void tmi_report_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                           tm_address address, int64_t offset, const char *format, ...) TMI_PRINTF(7, 8);
void tmi_vreport_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                            tm_address object, int64_t offset, const char *format, va_list list)
    TMI_PRINTF(7, 0);
/*
 * Adds the place of an object to an error. TM_OK stays TM_OK, so that a call that may fail can be the
 * argument.
 */
tm_status tmi_fail_at_address(tm_error *error, tm_status status, const tm_map *map, tm_address address);

/* Adds a change at an object as it is now; `operation` must live as long as the report. */
void tmi_report_change(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                       uint64_t count, const char *format, ...) TMI_PRINTF(6, 7);
void tmi_report_vchange(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                        uint64_t count, const char *format, va_list list) TMI_PRINTF(6, 0);
/*
 * Work on a clone, all or nothing. After begin, change `clone` and report it; end takes what became of that,
 * and returns it. With TM_OK and a change in the report the clone takes the map's place, else the map is as
 * before. What was done is added to `report`, which may be NULL.
 */
typedef struct tmi_work {
    tm_map *map, *clone;
    tm_report report;
    bool renews; /* objects at their places may have forgotten their items */
} tmi_work;
tm_status tmi_work_begin(tmi_work *out, tm_map *map, tm_error *error);
tm_status tmi_work_end(tmi_work *work, tm_status status, tm_report *report);
/*
 * Reports what a change does to that which teemap does not know: objects of `before` have gone or have other
 * numbers in `after`, while something in their file may refer to them; objects of other files have come
 * without what their items hold behind the known integers. For what changes maps without tmi_work. `findings`
 * may be NULL.
 */
void tmi_report_unknown(tm_findings *findings, const tm_map *before, const tm_map *after, bool renews);

#endif
