/* SPDX-License-Identifier: Zlib */
/*
 * A number as scanf's %f reads it, straight to an IEEE single, rounded to the nearest and to even: the
 * text is a whole number times a power of ten (or of two), and both are divided as whole numbers, so that
 * no step rounds but the last. strtof is not used: it knows a locale, and not every library rounds so.
 */
#include "automap.h"

#include <math.h>

/*
 * A single lies between two that differ in at most 112 digits; a digit behind these that is not zero only
 * says "a little more".
 */
enum { DIGITS = 120, WORDS = 48, WORD_BITS = 8 * sizeof(uint32_t) };

typedef struct whole {
    uint32_t words[WORDS]; /* the lowest first */
    unsigned num;
} whole;

static void multiply_add(whole *n, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (unsigned i = 0; i < n->num; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && n->num < WORDS)
        n->words[n->num++] = (uint32_t)carry;
}

static unsigned num_bits(const whole *n)
{
    unsigned bits = 0;
    for (uint32_t top = n->num ? n->words[n->num - 1] : 0; top; top >>= 1)
        bits++;
    return n->num ? (n->num - 1) * WORD_BITS + bits : 0;
}

static void shift_left(whole *n, unsigned by)
{
    for (; by >= 31; by -= 31)
        multiply_add(n, UINT32_C(1) << 31, 0);
    multiply_add(n, UINT32_C(1) << by, 0);
}

static int compare_whole(const whole *a, const whole *b)
{
    if (a->num != b->num)
        return a->num < b->num ? -1 : 1;
    for (unsigned i = a->num; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

static void subtract_whole(whole *a, const whole *b)
{
    int64_t carry = 0;
    for (unsigned i = 0; i < a->num; i++) {
        carry += (int64_t)a->words[i] - (i < b->num ? (int64_t)b->words[i] : 0);
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    while (a->num && !a->words[a->num - 1])
        a->num--;
}

/* above / below * 2^scale, where both are above 0. */
static float divide_whole(whole *above, whole *below, int scale)
{
    int power = (int)num_bits(above) - (int)num_bits(below); /* the quotient has `power` bits, or one more */
    uint32_t mantissa = 0;
    /* Bits that a single has: 24, and fewer where the smallest power ends it. */
    int lowest = power - 24 < -149 - scale ? -149 - scale : power - 24;
    if (lowest > 0)
        shift_left(below, (unsigned)lowest);
    else
        shift_left(above, (unsigned)-lowest);
    power -= lowest;
    if (power < -1)
        return 0;
    for (int bit = power < 0 ? 0 : power; bit >= 0; bit--) {
        whole part = *below;
        shift_left(&part, (unsigned)bit);
        if (compare_whole(above, &part) >= 0) {
            subtract_whole(above, &part);
            mantissa |= UINT32_C(1) << bit;
        }
    }
    /* Up to 25 bits: the last one is dropped into the rest. */
    bool half, more = above->num > 0;
    if (mantissa >> 24) {
        half = mantissa & 1;
        mantissa >>= 1;
        lowest++;
    } else {
        whole twice = *above;
        multiply_add(&twice, 2, 0);
        const int side = compare_whole(&twice, below);
        half = side >= 0;
        more = side > 0;
    }
    if (half && (more || mantissa & 1))
        mantissa++;
    return ldexpf((float)mantissa, lowest + scale);
}

/* ---------------------------------------------------------------------------------------------- the text */

typedef struct number {
    whole digits;
    int num_digits; /* taken, without zeros in front */
    int64_t power;  /* of the base, by which the digits are multiplied */
    bool any;
} number;

static int float_digit(char c, bool hex)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (hex && c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return hex && c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void take_digit(number *n, int digit, bool hex, bool behind_point)
{
    n->any = true;
    if (n->num_digits < DIGITS) {
        if (n->num_digits || digit)
            n->num_digits++;
        if (!n->digits.num && digit) {
            n->digits.words[0] = (uint32_t)digit;
            n->digits.num = 1;
        } else {
            multiply_add(&n->digits, hex ? 16 : 10, (uint32_t)digit);
        }
        n->power -= behind_point;
    } else {
        if (digit)
            n->digits.words[0] |= 1; /* a little more; so far behind that any odd digit will do */
        n->power += !behind_point;
    }
}

static void scan_digits(number *n, tmi_scan *scan, bool hex)
{
    bool behind_point = false;
    for (; scan->at < scan->end; scan->at++) {
        const int digit = float_digit(*scan->at, hex);
        if (digit >= 0)
            take_digit(n, digit, hex, behind_point);
        else if (*scan->at == '.' && !behind_point)
            behind_point = true;
        else
            break;
    }
}

/* e+5; the letter and the sign are taken even if no digit follows, as glibc does. */
static int64_t scan_power(tmi_scan *scan, char letter)
{
    int64_t power = 0;
    if (scan->at == scan->end || (*scan->at | 0x20) != letter)
        return 0;
    scan->at++;
    const bool minus = scan->at < scan->end && *scan->at == '-';
    if (minus || (scan->at < scan->end && *scan->at == '+'))
        scan->at++;
    for (; scan->at < scan->end && float_digit(*scan->at, false) >= 0; scan->at++)
        if (power < INT32_MAX)
            power = power * 10 + float_digit(*scan->at, false);
    return minus ? -power : power;
}

static bool scan_letters(tmi_scan *scan, const char *letters)
{
    const size_t size = strlen(letters);
    if ((size_t)(scan->end - scan->at) < size)
        return false;
    for (size_t i = 0; i < size; i++)
        if ((scan->at[i] | 0x20) != letters[i])
            return false;
    scan->at += size;
    return true;
}

static float value_of_digits(number *n, bool hex)
{
    whole below = {{1}, 1};
    if (!n->digits.num)
        return 0;
    if (hex) {
        if (n->power > 300 || (int64_t)n->num_digits * 4 + n->power < -160)
            return n->power > 300 ? HUGE_VALF : 0;
        return divide_whole(&n->digits, &below, (int)n->power);
    }
    if (n->num_digits + n->power > 40 || n->num_digits + n->power < -50)
        return n->num_digits + n->power > 40 ? HUGE_VALF : 0;
    for (int64_t i = n->power; i > 0; i--)
        multiply_add(&n->digits, 10, 0);
    for (int64_t i = n->power; i < 0; i++)
        multiply_add(&below, 10, 0);
    return divide_whole(&n->digits, &below, 0);
}

static bool scan_value(float *out, tmi_scan *scan)
{
    number n = {.any = false};
    if (scan_letters(scan, "inf")) {
        *out = HUGE_VALF;
        /* A letter i begins "infinity", or the whole is no number. */
        return scan->at == scan->end || (*scan->at | 0x20) != 'i' || scan_letters(scan, "inity");
    }
    if (scan_letters(scan, "nan")) {
        *out = NAN;
        return true;
    }
    const bool hex = scan_letters(scan, "0x");
    scan_digits(&n, scan, hex);
    if (!n.any)
        return false;
    if (hex)
        n.power *= 4;
    n.power += scan_power(scan, hex ? 'p' : 'e');
    *out = value_of_digits(&n, hex);
    return true;
}

bool tmi_scan_float(float *out, tmi_scan *scan)
{
    tmi_scan_blanks(scan);
    tmi_scan at = *scan;
    const bool minus = at.at < at.end && *at.at == '-';
    if (minus || (at.at < at.end && *at.at == '+'))
        at.at++;
    *out = 0;
    if (!scan_value(out, &at))
        return false;
    if (minus)
        *out = -*out;
    *scan = at;
    return true;
}
