/* SPDX-License-Identifier: Zlib */
/*
 * The name that somebody may have meant: the one that takes the fewest letters put in, taken out or changed.
 */
#include "base.h"

static size_t letters_apart(const char *wrong, const char *name)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    const size_t size = strlen(name) < LONGEST ? strlen(name) : LONGEST;
    for (size_t i = 0; i <= size; i++)
        row[i] = i;
    for (size_t k = 1; *wrong && k <= LONGEST; wrong++, k++) {
        size_t corner = row[0];
        row[0] = k;
        for (size_t i = 1; i <= size; i++) {
            const size_t change = corner + (*wrong != name[i - 1]);
            const size_t shorter = row[i] < row[i - 1] ? row[i] : row[i - 1];
            corner = row[i];
            row[i] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[size];
}

tmi_meant tmi_meant_begin(const char *wrong)
{
    const size_t length = strlen(wrong);
    /* What is further away than this is another word. */
    return (tmi_meant){wrong, NULL, length / 2 < 3 ? length / 2 + 1 : 4};
}

void tmi_meant_try(tmi_meant *nearest, const char *name)
{
    const size_t length = strlen(nearest->wrong);
    const bool begins = length > 1 && strncmp(name, nearest->wrong, length) == 0;
    const size_t apart = begins ? 1 : letters_apart(nearest->wrong, name);
    if (apart < nearest->least) {
        nearest->least = apart;
        nearest->best = name;
    }
}
