/* SPDX-License-Identifier: Zlib */
/*
 * UTF-8 as DDNet takes it (format section 1.11): shortest forms only, no surrogates, nothing above U+10FFFF.
 *
 * All of that is decided by the first two bytes of a sequence; every further byte is 80..BF.
 *
 *   FIRST    LENGTH  SECOND     why
 *   00..7F   1       -
 *   C2..DF   2       80..BF     C0 and C1 would be overlong
 *   E0       3       A0..BF     less would be overlong
 *   E1..EC   3       80..BF
 *   ED       3       80..9F     more would be a surrogate
 *   EE..EF   3       80..BF
 *   F0       4       90..BF     less would be overlong
 *   F1..F3   4       80..BF
 *   F4       4       80..8F     more would be above U+10FFFF
 */
#include "base.h"

struct lead {
    uint8_t first, last, length, second_min, second_max;
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

size_t tmi_utf8_step(const void *text, size_t size)
{
    const uint8_t *bytes = text;
    if (size == 0)
        return 0;
    if (bytes[0] < 0x80)
        return 1;
    const struct lead *lead = leads, *const end = leads + TMI_COUNT_OF(leads);
    while (lead < end && bytes[0] > lead->last)
        lead++;
    if (lead == end || bytes[0] < lead->first || lead->length > size || bytes[1] < lead->second_min ||
        bytes[1] > lead->second_max)
        return 0;
    for (size_t i = 2; i < lead->length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    return lead->length;
}

bool tmi_utf8_valid(const void *text, size_t size)
{
    const uint8_t *bytes = text;
    for (size_t pos = 0; pos < size;) {
        size_t step = tmi_utf8_step(bytes + pos, size - pos);
        if (step == 0)
            return false;
        pos += step;
    }
    return true;
}

/* Characters that must not be shown: ranges of their two or three bytes as a number, first byte highest. */
static const struct unshown {
    uint32_t first, last;
} unshown[] = {
    {0x00, 0x1F},         {0x7F, 0x7F},         {0xC280, 0xC29F},     {0xD89C, 0xD89C},
    {0xE2808E, 0xE2808F}, {0xE280A8, 0xE280AE}, {0xE281A6, 0xE281A9}, {0xEFBBBF, 0xEFBBBF},
};

size_t tmi_text_step(const char *text)
{
    enum { LONGEST = 4 };
    /* the NUL ends every sequence, so nothing behind it is read */
    const size_t step = tmi_utf8_step(text, LONGEST);
    uint32_t bytes = 0;
    for (size_t i = 0; i < step; i++)
        bytes = bytes << 8 | (uint8_t)text[i];
    for (size_t i = 0; i < TMI_COUNT_OF(unshown); i++)
        if (bytes >= unshown[i].first && bytes <= unshown[i].last)
            return 0;
    return step;
}

int tmi_compare_folded(const char *a, const char *b)
{
    while (*a && tmi_fold_case(*a) == tmi_fold_case(*b)) {
        a++;
        b++;
    }
    return (uint8_t)tmi_fold_case(*a) - (uint8_t)tmi_fold_case(*b);
}

bool tmi_is_device_name(const char *name)
{
    static const char names[][4] = {"con", "prn", "aux", "nul", "com", "lpt"};
    const size_t size = strcspn(name, ".");
    for (size_t i = 0; i < TMI_COUNT_OF(names); i++)
        if (tmi_fold_case(name[0]) == names[i][0] && tmi_fold_case(name[1]) == names[i][1] &&
            tmi_fold_case(name[2]) == names[i][2])
            return i < 4 ? size == 3 : size == 4 && name[3] >= '0' && name[3] <= '9';
    return false;
}
