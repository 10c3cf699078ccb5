/* SPDX-License-Identifier: Zlib */
/*
 * The one maker of findings and places of errors at an address: the machine-readable form and the one for
 * people always come from here, so that all rooms above write them alike.
 */
#include "map.h"

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
    tm_address_describe(&at, map, place, sizeof(place));
    const size_t length = strlen(place);
    if (error && strncmp(error->place, place, length) == 0 &&
        (error->place[length] == '\0' || error->place[length] == ','))
        return error->code; /* it is there from further in */
    return tmi_fail_at(error, status, "%s", place);
}
