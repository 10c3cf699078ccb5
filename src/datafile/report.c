/* SPDX-License-Identifier: Zlib */
/*
 * datafile/report.c - reports findings of this room, each with byte offset and address; the first one that
 * refuses the file is also the error of opening it.
 */
#include "datafile.h"

#include <stdarg.h>

enum { ADDRESS_SIZE = 24 };

/* "item/5", "data/3": the address of a raw object (docs/addresses.md); "" without a kind and for types. */
static void raw_address(char address[ADDRESS_SIZE], const char *kind, uint32_t index)
{
    address[0] = '\0';
    if (kind && strcmp(kind, "type") != 0) /* entries of the type table have no address */
        tmi_format(address, ADDRESS_SIZE, "%s/%lu", kind, (unsigned long)index);
}

void tmi_report_at(tmi_report *report, tm_finding_id id, uint64_t offset, const char *kind, uint32_t index,
                   const char *format, ...)
{
    char address[ADDRESS_SIZE];
    char place[32] = "";
    char text[TM_ERROR_TEXT_SIZE];
    va_list args;
    bool refuses;
    tmi_finding_severity(id, report->mode, &refuses);
    refuses = refuses && report->status == TM_OK;
    if (!report->findings && !refuses)
        return;
    va_start(args, format);
    tmi_vformat(text, sizeof(text), format, args);
    va_end(args);
    raw_address(address, kind, index);
    if (kind)
        tmi_format(place, sizeof(place), "%s %lu", kind, (unsigned long)index);
    tm_findings_add(report->findings, report->mode, id, (int64_t)offset, address, place, text);
    if (!refuses)
        return;
    report->status = tmi_fail(report->error, TM_ERROR_DAMAGED, (int64_t)offset, "%s", text);
    if (kind)
        tmi_fail_at(report->error, TM_ERROR_DAMAGED, "%s", place);
}
