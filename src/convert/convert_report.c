/* SPDX-License-Identifier: Zlib */
/* The reports of a conversion's steps: changes, losses and findings. */
#include "convert.h"
#include "../games/games.h"

static void add_change(tmi_convert *convert, tm_finding_id lost, tm_address address, uint64_t count,
                       const char *format, va_list list)
{
    tm_report *report = convert->report;
    const size_t before = report->num;
    tmi_report_vchange(report, convert->step, convert->map, address, count, format, list);
    if (report->num > before)
        report->list[before].lost = lost;
}

void tmi_convert_changed(tmi_convert *convert, tm_address address, uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_change(convert, TM_FINDING_NONE, address, count, format, list);
    va_end(list);
}

void tmi_convert_lose(tmi_convert *convert, tm_finding_id id, tm_address address, uint64_t count,
                      const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_change(convert, id, address, count, format, list);
    va_end(list);
    va_start(list, format);
    tmi_vreport_at_address(&convert->report->findings, TM_MODE_GAME, id, convert->map, address, -1, format,
                           list);
    va_end(list);
}

void tmi_convert_lose_tiles(tmi_convert *convert, tm_address address, uint64_t count, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_change(convert, TM_FINDING_LOST_TILES, address, count, format, list);
    va_end(list);
}

void tmi_convert_lose_part(tmi_convert *convert, tm_part part, tm_address address, uint64_t count)
{
    const tm_part_info *rule = tmi_game_part(part);
    tmi_convert_lose(convert, rule->lost, address, count, "%s %s", tm_game_name(convert->to), rule->text);
}

void tmi_convert_report(tmi_convert *convert, tm_finding_id id, tm_address address, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tmi_vreport_at_address(&convert->report->findings, TM_MODE_GAME, id, convert->map, address, -1, format,
                           list);
    va_end(list);
}
