/* SPDX-License-Identifier: Zlib */
/*
 * Changes of whole maps, all or nothing, on a clone; and the report of changes (teemap/report.h), which all
 * rooms use that change whole maps.
 */
#include "internal.h"

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

void tmi_report_vchange(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                        uint64_t count, const char *format, va_list list)
{
    tm_change *change = new_change(report);
    if (!change)
        return;
    memset(change, 0, sizeof(*change));
    change->operation = operation;
    change->count = count;
    tm_address_format(&address, change->address, sizeof(change->address));
    tm_address_describe(&address, map, change->place, sizeof(change->place));
    tmi_vformat(change->text, sizeof(change->text), format, list);
    tmi_tidy_line(change->text);
}

void tmi_report_change(tm_report *report, const char *operation, const tm_map *map, tm_address address,
                       uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_report_vchange(report, operation, map, address, count, format, list);
    va_end(list);
}

/* --------------------------------------------------------------------------------------------- findings */

void tmi_report_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                           tm_address address, int64_t offset, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vreport_at_address(findings, mode, id, map, address, offset, format, list);
    va_end(list);
}

void tmi_vreport_at_address(tm_findings *findings, tm_mode mode, tm_finding_id id, const tm_map *map,
                            tm_address object, int64_t offset, const char *format, va_list list)
{
    char address[TM_ADDRESS_SIZE], place[TM_ERROR_PLACE_SIZE], text[TM_ERROR_TEXT_SIZE];
    if (!findings)
        return;
    tmi_vformat(text, sizeof(text), format, list);
    tm_address_format(&object, address, sizeof(address));
    tm_address_describe(&object, map, place, sizeof(place));
    tm_findings_add(findings, mode, id, offset, address, place, text);
}

tm_status tmi_fail_at_address(tm_error *error, tm_status status, const tm_map *map, tm_address address)
{
    char place[TM_ERROR_PLACE_SIZE];
    if (!status)
        return TM_OK;
    tm_address_describe(&address, map, place, sizeof(place));
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
    out->renews = false;
    TM_TRY(tm_map_clone(&out->clone, map, error));
    tm_map_set_cancel(out->clone, map->priv->cancel);
    tm_report_init(&out->report, tmi_map_allocator(map));
    return TM_OK;
}

/*
 * Whether an object stands where it stood. One without an item in the file is named by nothing in the file.
 */
static bool is_in_place(const tm_map *before, tm_origin old_origin, tm_origin new_origin, bool renews)
{
    return old_origin.file != before->priv->origin ||
           (old_origin.file == new_origin.file && old_origin.item == new_origin.item) ||
           (renews && !new_origin.file);
}

static bool layers_in_place(const tm_map *before, const tm_map *after, bool renews)
{
    tm_layer_walk old_walk = {0}, new_walk = {0};
    while (tm_map_next_layer(before, &old_walk))
        if (!tm_map_next_layer(after, &new_walk) || old_walk.group != new_walk.group ||
            !is_in_place(before, old_walk.layer->origin, new_walk.layer->origin, renews))
            return false;
    return true;
}

static bool objects_in_place(const tm_map *before, const tm_map *after, tm_kind object, bool renews)
{
    const tmi_array *array = tmi_map_array_of(object);
    const uint32_t num = tmi_num(array, before);
    if (num > tmi_num(array, after))
        return false;
    for (uint32_t i = 0; i < num; i++) {
        const tm_origin *old_origin =
            tmi_object_origin(array->kind, tmi_item_at(array, tmi_items(array, before), i));
        const tm_origin *new_origin =
            tmi_object_origin(array->kind, tmi_item_at(array, tmi_items(array, after), i));
        if (!is_in_place(before, *old_origin, *new_origin, renews))
            return false;
    }
    return true;
}

static void report_renumbered(tm_findings *findings, const tm_map *before, const tm_map *after, bool renews)
{
    bool stays = layers_in_place(before, after, renews);
    if (!tmi_map_may_refer(before))
        return;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++)
        stays = stays && objects_in_place(before, after, object, renews);
    if (!stays)
        tmi_report_at_address(
            findings, TM_MODE_GAME, TM_FINDING_UNKNOWN_MAY_REFER, after, (tm_address){TM_KIND_MAP, 0, 0}, -1,
            "the file holds items or integers that teemap does not know: if they refer by number to objects "
            "that were removed or have another number, they are wrong now");
}

void tmi_report_unknown(tm_findings *findings, const tm_map *before, const tm_map *after, bool renews)
{
    if (!findings)
        return;
    report_renumbered(findings, before, after, renews);
    if (after->priv->num_tails_left)
        tmi_report_at_address(
            findings, TM_MODE_GAME, TM_FINDING_LOST_FIELD, after, (tm_address){TM_KIND_MAP, 0, 0}, -1,
            "objects of another map go on behind the integers that teemap knows: these do not come along, since "
            "they may refer to other objects there");
}

/* Work that changed nothing leaves the map and the pointers into it alone. */
tm_status tmi_work_end(tmi_work *work, tm_status status, tm_report *report)
{
    if (!status)
        tmi_report_unknown(&work->report.findings, work->map, work->clone, work->renews);
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
