/* SPDX-License-Identifier: Zlib */
/* The reports of operations: changes and findings. */
#include "edit.h"

void tmi_edit_changed(tmi_edit *edit, tm_address address, uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_report_vchange(edit->report, edit->operation->name, edit->map, address, count, format, list);
    va_end(list);
}

void tmi_edit_report(tmi_edit *edit, tm_finding_id id, tm_address address, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vreport_at_address(&edit->report->findings, TM_MODE_GAME, id, edit->map, address, -1, format, list);
    va_end(list);
}

bool tmi_edit_stays(tmi_edit_unmoved *unmoved, tm_status status, const tm_error *reason, uint32_t index)
{
    if (status != TM_ERROR_LIMIT)
        return false;
    if (!unmoved->num++) {
        unmoved->first = index;
        unmoved->reason = *reason;
    }
    return true;
}

void tmi_edit_report_unmoved(tmi_edit *edit, const tm_address *address, const tmi_edit_unmoved *unmoved)
{
    char more[40] = "";
    if (!unmoved->num)
        return;
    if (unmoved->num > 1)
        tmi_format(more, sizeof(more), "; %llu more like this", (unsigned long long)unmoved->num - 1);
    const bool quads = edit->map->groups[address->index].layers[address->layer].kind == TM_LAYER_QUADS;
    tmi_edit_report(edit, TM_FINDING_NOT_MOVED, *address, "%s %u stays as it is: %s%s",
                    quads ? "quad" : "source", (unsigned)unmoved->first, unmoved->reason.text, more);
}
