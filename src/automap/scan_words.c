/* SPDX-License-Identifier: Zlib */
/*
 * Words and numbers of a line as scanf of the C library that the editors are built with (glibc, locale "C")
 * takes them. Written out, since scanf depends on the locale and on whose library it is.
 */
#include "automap.h"

void tmi_scan_blanks(tmi_scan *scan)
{
    while (scan->at < scan->end && tmi_is_blank(*scan->at))
        scan->at++;
}

bool tmi_word_is(tmi_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

tmi_word tmi_scan_word(tmi_scan *scan)
{
    tmi_scan_blanks(scan);
    tmi_word word = {scan->at, 0};
    while (scan->at < scan->end && !tmi_is_blank(*scan->at) && word.size < TMI_WORD_SIZE) {
        scan->at++;
        word.size++;
    }
    return word;
}

static bool is_digit(const tmi_scan *scan)
{
    return scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9';
}

/* Steps over a sign; whether it was a minus. */
static bool scan_sign(tmi_scan *scan)
{
    const bool minus = scan->at < scan->end && *scan->at == '-';
    if (minus || (scan->at < scan->end && *scan->at == '+'))
        scan->at++;
    return minus;
}

/* 64 bits that stop at both ends, of which the lower 32 stay. */
bool tmi_scan_int(int32_t *out, bool *wrapped, tmi_scan *scan)
{
    tmi_scan_blanks(scan);
    tmi_scan at = *scan;
    const bool minus = scan_sign(&at);
    const uint64_t most = minus ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    *out = 0;
    *wrapped = false;
    if (!is_digit(&at))
        return false;
    for (; is_digit(&at); at.at++) {
        const uint64_t digit = (uint64_t)(*at.at - '0');
        value = value > (most - digit) / 10 ? most : value * 10 + digit;
    }
    *wrapped = value > (uint64_t)INT32_MAX + minus;
    *out = (int32_t)(uint32_t)(minus ? 0 - value : value);
    *scan = at;
    return true;
}
