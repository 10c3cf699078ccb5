/* SPDX-License-Identifier: Zlib */
/*
 * What operations report, and operations that are made of several steps.
 */
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

tm_status tmi_edit_each_step(tmi_edit *edit, tmi_edit_function *const *steps, size_t num, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(steps[i](edit, error));
    return TM_OK;
}
