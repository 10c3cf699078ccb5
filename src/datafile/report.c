/* SPDX-License-Identifier: Zlib */
/*
 * datafile/report.c - reports findings of this room, each with byte offset and address; the first one that
 * refuses the file is also the error of opening it.
 */
#include "datafile.h"

#include <stdarg.h>

void tmi_report_at(tmi_report *report, tm_finding_id id, uint64_t offset, const char *kind, uint32_t index,
                   const char *format, ...)
{
    char address[24] = ""; /* "item/5", "data/3" (docs/addresses.md); entries of the type table have none */
    char place[32] = "";
    char text[TM_ERROR_TEXT_SIZE];
    va_list args;
    bool refuses;
    report->num++;
    tmi_finding_severity(id, report->mode, &refuses);
    refuses = refuses && report->status == TM_OK;
    if (!report->findings && !refuses)
        return;
    va_start(args, format);
    tmi_vformat(text, sizeof(text), format, args);
    va_end(args);
    if (kind && strcmp(kind, "type") != 0)
        tmi_format(address, sizeof(address), "%s/%lu", kind, (unsigned long)index);
    if (kind)
        tmi_format(place, sizeof(place), "%s %lu", kind, (unsigned long)index);
    tm_findings_add(report->findings, report->mode, id, (int64_t)offset, address, place, text);
    if (!refuses)
        return;
    report->status = tmi_fail(report->error, TM_ERROR_DAMAGED, (int64_t)offset, "%s", text);
    if (kind)
        tmi_fail_at(report->error, TM_ERROR_DAMAGED, "%s", place);
}
