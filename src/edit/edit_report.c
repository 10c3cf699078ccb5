/* SPDX-License-Identifier: Zlib */
/* The reports of operations: changes and findings. */
#include "edit.h"

void tmi_edit_changed(tmi_edit *edit, tm_address at, uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_report_vchange(edit->report, edit->operation->name, edit->map, at, count, format, list);
    va_end(list);
}

void tmi_edit_find(tmi_edit *edit, tm_finding_id id, tm_address at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vfind_at(&edit->report->findings, TM_MODE_GAME, id, edit->map, at, -1, format, list);
    va_end(list);
}
