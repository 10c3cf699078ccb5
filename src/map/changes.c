/* SPDX-License-Identifier: Zlib */
/*
 * Changes of whole maps, all or nothing, on a clone; and the report of changes (teemap/report.h), which all
 * rooms use that change whole maps.
 */
#include "map.h"

void tm_report_init(tm_report *report, const tm_allocator *allocator)
{
    if (!report)
        return;
    memset(report, 0, sizeof(*report));
    report->allocator = allocator;
    tm_findings_init(&report->findings, 0, allocator);
}

void tm_report_release(tm_report *report)
{
    if (!report)
        return;
    tmi_free(report->allocator, report->list, report->capacity, sizeof(*report->list));
    tm_findings_release(&report->findings);
    memset(report, 0, sizeof(*report));
}

bool tm_report_has_warnings(const tm_report *report)
{
    if (!report)
        return false;
    for (size_t i = 0; i < report->findings.num; i++)
        if (report->findings.list[i].severity > TM_SEVERITY_NOTE)
            return true;
    return false;
}

uint64_t tm_report_lost(const tm_report *report, tm_finding_id id)
{
    uint64_t count = 0;
    for (size_t i = 0; report && id != TM_FINDING_NONE && i < report->num; i++)
        if (report->list[i].lost == id)
            count += report->list[i].count;
    return count;
}

static tm_change *new_change(tm_report *report)
{
    if (tmi_grow(report->allocator, &report->list, &report->capacity, report->num + 1, sizeof(*report->list),
                 NULL) == TM_OK)
        return &report->list[report->num++];
    report->unlisted++;
    return NULL;
}

void tmi_report_vchange(tm_report *report, const char *operation, const tm_map *map, tm_address at,
                        uint64_t count, const char *format, va_list list)
{
    tm_change *change = new_change(report);
    if (!change)
        return;
    memset(change, 0, sizeof(*change));
    change->operation = operation;
    change->count = count;
    tm_address_format(&at, change->address, sizeof(change->address));
    tm_address_describe(&at, map, change->place, sizeof(change->place));
    tmi_vformat(change->text, sizeof(change->text), format, list);
    tmi_tidy_line(change->text);
}

void tmi_report_change(tm_report *report, const char *operation, const tm_map *map, tm_address at,
                       uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_report_vchange(report, operation, map, at, count, format, list);
    va_end(list);
}

/* --------------------------------------------------------------------------------------------- findings */

void tmi_find_at(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map, tm_address at,
                 int64_t offset, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vfind_at(findings, mode, id, map, at, offset, format, list);
    va_end(list);
}

void tmi_vfind_at(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map, tm_address at,
                  int64_t offset, const char *format, va_list list)
{
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    if (!findings)
        return;
    tmi_vformat(text, sizeof(text), format, list);
    tm_address_format(&at, address, sizeof(address));
    tm_address_describe(&at, map, place, sizeof(place));
    tm_findings_add(findings, mode, id, offset, address, place, text);
}

tm_status tmi_fail_at_address(tm_error *error, tm_status status, const tm_map *map, tm_address at)
{
    char place[TM_ERROR_PLACE_SIZE];
    if (!status)
        return TM_OK;
    tm_address_describe(&at, map, place, sizeof(place));
    const size_t length = strlen(place);
    if (error && strncmp(error->place, place, length) == 0 &&
        (error->place[length] == '\0' || error->place[length] == ','))
        return error->code; /* it is there from further in */
    return tmi_fail_at(error, status, "%s", place);
}

/* ------------------------------------------------------------------------------------- all or nothing */

tm_status tmi_work_begin(tmi_work *out, tm_map *map, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    out->map = map;
    TM_TRY(tm_map_clone(&out->clone, map, error));
    tm_map_set_cancel(out->clone, map->priv->cancel);
    tm_report_init(&out->report, tmi_map_allocator(map));
    return TM_OK;
}

/* Work that changed nothing leaves the map and the pointers into it alone. */
tm_status tmi_work_end(tmi_work *work, tm_status status, tm_report *report)
{
    if (!status && (work->report.num || work->report.unlisted))
        tm_map_swap(work->map, work->clone);
    const tm_report *done = &work->report;
    if (!status && report) {
        for (size_t i = 0; i < done->num; i++) {
            tm_change *change = new_change(report);
            if (change)
                *change = done->list[i];
        }
        for (size_t i = 0; i < done->findings.num; i++) {
            const tm_finding *f = &done->findings.list[i];
            tm_findings_add(&report->findings, TM_MODE_GAME, f->id, f->offset, f->address, f->place, f->text);
        }
        report->unlisted += done->unlisted;
    }
    tm_report_release(&work->report);
    tm_map_free(work->clone);
    return status;
}
