/* SPDX-License-Identifier: Zlib */
/*
 * Errors: created in one place, formatted without a locale, always one line of valid UTF-8, whatever bytes of
 * the file they contain. Also the version and the names of status codes.
 */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

const char *tm_version(void)
{
    return TM_VERSION_STRING;
}

tm_status tm_error_set(tm_error *error, tm_status code, const char *text)
{
    return tmi_fail(error, code, -1, "%s", text ? text : "");
}

const char *tm_status_name(tm_status status)
{
    static const char *const names[] = {
        [TM_OK] = "ok",
        [TM_ERROR_USAGE] = "usage",
        [TM_ERROR_DAMAGED] = "damaged",
        [TM_ERROR_UNSUPPORTED] = "unsupported",
        [TM_ERROR_LIMIT] = "limit",
        [TM_ERROR_MEMORY] = "memory",
        [TM_ERROR_IO] = "io",
        [TM_ERROR_CANCELLED] = "cancelled",
        [TM_ERROR_NOT_FOUND] = "not found",
    };
    return (size_t)status < TMI_COUNT_OF(names) ? names[status] : "unknown";
}

size_t tmi_whole_length(const char *text, size_t length)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t start = length;
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        uint8_t byte = bytes[length - back];
        if ((byte & 0xC0) == 0x80)
            continue;
        size_t need = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        if (need > back)
            start = length - back;
        break;
    }
    return start;
}

size_t tmi_vformat(char *buffer, size_t size, const char *format, va_list list)
{
    if (!buffer || size == 0)
        return 0;
    int wanted = vsnprintf(buffer, size, format, list);
    if (wanted < 0) {
        buffer[0] = '\0';
        return 0;
    }
    size_t length = (size_t)wanted;
    if (length >= size) {
        length = tmi_whole_length(buffer, size - 1);
        buffer[length] = '\0';
    }
    return length;
}

size_t tmi_format(char *buffer, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t length = tmi_vformat(buffer, size, format, list);
    va_end(list);
    return length;
}

void tmi_tidy_line(char *text)
{
    while (*text >= ' ' && *text <= '~') /* nearly always that is all */
        text++;
    char *target = text;
    for (const char *source = text; *source;) {
        const size_t shown = tmi_text_step(source), step = tmi_utf8_step(source, 4);
        if (shown)
            memmove(target, source, shown);
        else
            *target = '?';
        target += shown ? shown : 1;
        source += step ? step : 1;
    }
    *target = '\0';
}

size_t tmi_give_line(char *buffer, size_t size, char *text)
{
    tmi_tidy_line(text);
    tmi_format(buffer, size, "%s", text);
    return strlen(text);
}

void tmi_line_add(tmi_line *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    line->length += tmi_vformat(line->text + line->length, sizeof(line->text) - line->length, format, list);
    va_end(list);
}

const char *tm_side_name(tm_side side)
{
    static const char *const names[] = {[TM_SIDE_NONE] = "none",
                                        [TM_SIDE_INPUT] = "input",
                                        [TM_SIDE_OUTPUT] = "output",
                                        [TM_SIDE_USAGE] = "usage"};
    return (size_t)side < TMI_COUNT_OF(names) ? names[side] : "none";
}

void tmi_error_about(tm_error *error, tm_side side, const char *path)
{
    if (!error)
        return;
    if (error->side == TM_SIDE_NONE && error->code != TM_ERROR_MEMORY && error->code != TM_ERROR_CANCELLED &&
        error->code != TM_ERROR_LIMIT)
        error->side = side;
    if (!path || error->path[0])
        return;
    const size_t length = strlen(path), room = sizeof(error->path) - 1;
    if (length <= room)
        memcpy(error->path, path, length + 1);
    else
        tmi_format(error->path, sizeof(error->path), "...%s", path + length - (room - 3));
}

size_t tm_error_format(const tm_error *error, char *buffer, size_t size)
{
    char at[48] = "", line[TM_ERROR_PATH_SIZE + TM_ERROR_PLACE_SIZE + TM_ERROR_TEXT_SIZE + 64];
    if (!error)
        return tmi_format(buffer, size, "%s", "");
    if (error->offset >= 0 && error->code != TM_ERROR_IO)
        tmi_format(at, sizeof(at), " (at byte %lld)", (long long)error->offset);
    tmi_format(line, sizeof(line), "%s%s%s%s%s%s", error->path, error->path[0] ? ": " : "", error->place,
               error->place[0] ? ": " : "", error->text[0] ? error->text : tm_status_name(error->code), at);
    return tmi_give_line(buffer, size, line);
}

tm_status tmi_fail(tm_error *error, tm_status code, int64_t offset, const char *format, ...)
{
    if (!error)
        return code;
    /* Through a buffer of its own, because an argument may be the old text. */
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_tidy_line(text);
    error->code = code;
    error->side = code == TM_ERROR_USAGE     ? TM_SIDE_USAGE
                  : code == TM_ERROR_DAMAGED ? TM_SIDE_INPUT
                                             : TM_SIDE_NONE;
    error->path[0] = '\0';
    error->system = 0;
    error->offset = offset;
    error->place[0] = '\0';
    memcpy(error->text, text, sizeof(text));
    return code;
}

tm_status tmi_fail_at(tm_error *error, tm_status code, const char *format, ...)
{
    if (!error)
        return code;
    char outer[TM_ERROR_PLACE_SIZE], whole[TM_ERROR_PLACE_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(outer, sizeof(outer), format, list);
    va_end(list);
    tmi_tidy_line(outer);
    tmi_format(whole, sizeof(whole), "%s%s%s", outer, outer[0] && error->place[0] ? ", " : "", error->place);
    memcpy(error->place, whole, sizeof(whole));
    return error->code != TM_OK ? error->code : code;
}

tm_status tmi_past_damage(tm_status status, const tm_error *failure, tm_error *error)
{
    if (status == TM_ERROR_DAMAGED)
        return TM_OK;
    if (status != TM_OK && error)
        *error = *failure;
    return status;
}

tm_status tmi_need(const void *argument, const char *subject, tm_error *error)
{
    return argument ? TM_OK : tmi_fail(error, TM_ERROR_USAGE, -1, "%s is NULL", subject);
}

tm_status tmi_fail_memory(tm_error *error, uint64_t bytes, const char *subject)
{
    return tmi_fail(error, TM_ERROR_MEMORY, -1, "out of memory (%llu bytes for %s)",
                    (unsigned long long)bytes, subject);
}

void tmi_error_blank(tm_error *failure)
{
    failure->code = TM_OK;
    failure->side = TM_SIDE_NONE;
    failure->path[0] = '\0';
    failure->system = 0;
    failure->offset = -1;
    failure->place[0] = '\0';
    failure->text[0] = '\0';
}

tm_status tmi_error_told(tm_status status, tm_error *failure, tm_error *error, tm_side side,
                         const char *caller)
{
    if (status == TM_OK || !error)
        return status;
    failure->code = status;
    failure->path[sizeof(failure->path) - 1] = '\0';
    failure->place[sizeof(failure->place) - 1] = '\0';
    failure->text[sizeof(failure->text) - 1] = '\0';
    if (!failure->text[0])
        tmi_format(failure->text, sizeof(failure->text), "%s failed and gave no reason", caller);
    tmi_tidy_line(failure->place);
    tmi_tidy_line(failure->text);
    tmi_error_about(failure, side, NULL);
    *error = *failure;
    return status;
}
