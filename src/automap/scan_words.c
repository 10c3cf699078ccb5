/* SPDX-License-Identifier: Zlib */
/*
 * Words and numbers of a line as scanf of the C library that the editors are built with (glibc, locale "C")
 * takes them. Written out, since scanf depends on the locale and on whose library it is.
 */
#include "automap.h"

#include <math.h>

void tmi_scan_blanks(tmi_scan *scan)
{
    while (scan->cursor < scan->end && tmi_is_blank(*scan->cursor))
        scan->cursor++;
}

bool tmi_word_is(tmi_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

tmi_word tmi_scan_word(tmi_scan *scan)
{
    tmi_scan_blanks(scan);
    tmi_word word = {scan->cursor, 0};
    while (scan->cursor < scan->end && !tmi_is_blank(*scan->cursor) && word.size < TMI_WORD_SIZE) {
        scan->cursor++;
        word.size++;
    }
    return word;
}

static bool is_digit(const tmi_scan *scan)
{
    return scan->cursor < scan->end && *scan->cursor >= '0' && *scan->cursor <= '9';
}

/* Steps over a sign; whether it was a minus. */
static bool scan_sign(tmi_scan *scan)
{
    const bool minus = scan->cursor < scan->end && *scan->cursor == '-';
    if (minus || (scan->cursor < scan->end && *scan->cursor == '+'))
        scan->cursor++;
    return minus;
}

/* 64 bits that stop at both ends, of which the lower 32 stay. */
bool tmi_scan_int(int32_t *out, bool *wrapped, tmi_scan *scan)
{
    tmi_scan_blanks(scan);
    tmi_scan rest = *scan;
    const bool minus = scan_sign(&rest);
    const uint64_t most = minus ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    *out = 0;
    *wrapped = false;
    if (!is_digit(&rest))
        return false;
    for (; is_digit(&rest); rest.cursor++) {
        const uint64_t digit = (uint64_t)(*rest.cursor - '0');
        value = value > (most - digit) / 10 ? most : value * 10 + digit;
    }
    *wrapped = value > (uint64_t)INT32_MAX + minus;
    *out = (int32_t)(uint32_t)(minus ? 0 - value : value);
    *scan = rest;
    return true;
}

static bool scan_letters(tmi_scan *scan, const char *letters)
{
    const size_t size = strlen(letters);
    for (size_t i = 0; i < size; i++)
        if (scan->end - scan->cursor <= (ptrdiff_t)i || (scan->cursor[i] | 0x20) != letters[i])
            return false;
    scan->cursor += size;
    return true;
}

/* Digits with or without a point, and e+5, where the letter and the sign are taken even without digits. */
static bool scan_digits(double *out, tmi_scan *scan)
{
    static const char names[] = "0123456789abcdef";
    const unsigned base = scan_letters(scan, "0x") ? 16 : 10;
    uint64_t digits = 0;
    int32_t power = 0, behind = 0;
    bool any = false, point = false, minus = false;
    for (;; scan->cursor++) {
        const bool some = scan->cursor < scan->end && *scan->cursor >= '0';
        const char *digit = some ? memchr(names, *scan->cursor | 0x20, base) : NULL;
        if (!digit && (point || scan->cursor == scan->end || *scan->cursor != '.'))
            break;
        point = point || !digit;
        if (!digit)
            continue;
        const bool fits = digits < UINT64_MAX / 100;
        digits = fits ? digits * base + (uint64_t)(digit - names) : digits;
        power += !fits - point;
        any = true;
    }
    if (any && scan_letters(scan, base == 16 ? "p" : "e"))
        for (minus = scan_sign(scan); is_digit(scan); scan->cursor++)
            behind = behind < 10000 ? behind * 10 + (*scan->cursor - '0') : behind;
    power = (base == 16 ? 4 * power : power) + (minus ? -behind : behind);
    double scale = 1; /* exact to 10^22 */
    for (int32_t i = 0; i < (power < 0 ? -power : power) && scale < HUGE_VAL; i++)
        scale *= base == 16 ? 2 : 10;
    *out = !digits ? 0 : power < 0 ? (double)digits / scale : (double)digits * scale;
    return any;
}

/*
 * Exact for all numbers that people write; one of more than 15 digits, or beyond 1e22, may become a neighbour
 * of the nearest float. Does not use strtof, which depends on the locale.
 */
bool tmi_scan_float(float *out, tmi_scan *scan)
{
    double value = NAN;
    tmi_scan_blanks(scan);
    tmi_scan rest = *scan;
    const bool minus = scan_sign(&rest);
    *out = 0;
    if (scan_letters(&rest, "infinity") || scan_letters(&rest, "inf"))
        value = HUGE_VAL;
    else if (!scan_letters(&rest, "nan") && !scan_digits(&value, &rest))
        return false;
    *out = (float)(minus ? -value : value);
    *scan = rest;
    return true;
}
