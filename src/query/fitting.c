/* SPDX-License-Identifier: Zlib */
/*
 * fitting.c - words that mean several objects (docs/addresses.md, "Several objects"): * in names and ranges
 * of indices. Sets of layers and the operations of edit/ read them by these functions, so that they mean the
 * same everywhere.
 *
 *   element   = digits (an index) | digits "-" [digits] (a range) | name, perhaps with * | "=" name
 */
#include "query.h"

bool tmi_glob_match(const char *pattern, size_t size, const char *text)
{
    const char *const end = pattern + size, *star = NULL, *retry = NULL;
    text = text ? text : "";
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* Reads digits; one that does not fit becomes UINT32_MAX. NULL if there are none, else what follows. */
static const char *take_element_index(uint32_t *out, const char *from, const char *end)
{
    const char *at = from;
    uint64_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (uint64_t)(*at - '0');
        if (value > UINT32_MAX)
            value = UINT32_MAX;
    }
    *out = (uint32_t)value;
    return at == from ? NULL : at;
}

bool tmi_element_range(const char *element, size_t size, uint32_t *first, uint32_t *last)
{
    const char *const end = element + size, *at = take_element_index(first, element, end);
    *last = UINT32_MAX;
    if (!at || at == end || *at++ != '-')
        return false;
    return at == end || take_element_index(last, at, end) == end;
}

bool tmi_element_fits(const char *element, size_t size, uint32_t index, const char *name)
{
    uint32_t first, last;
    const char *const end = element + size;
    if (size && element[0] == '=')
        return strlen(name ? name : "") == size - 1 && memcmp(name ? name : "", element + 1, size - 1) == 0;
    if (tmi_element_range(element, size, &first, &last))
        return index >= first && index <= last;
    if (take_element_index(&first, element, end) == end)
        return index == first;
    return tmi_glob_match(element, size, name);
}

/* Whether an element may fit several objects. */
static bool is_wide(const char *element, size_t size)
{
    uint32_t first, last;
    if (size == 0 || element[0] == '=')
        return false;
    return memchr(element, '*', size) || tmi_element_range(element, size, &first, &last);
}

bool tmi_address_is_wide(const tm_map *map, const char *text)
{
    tm_address found;
    bool wide = false;
    for (const char *at = text;; at++) {
        const size_t size = strcspn(at, "/");
        wide |= is_wide(at, size);
        if (!at[size])
            break;
        at += size;
    }
    return wide && tm_address_parse(&found, map, text, NULL) != TM_OK;
}
