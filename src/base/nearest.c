/* SPDX-License-Identifier: Zlib */
/*
 * Suggests the most similar name: the one with the smallest edit distance - inserted, removed, changed and
 * swapped letters. Case is ignored.
 */
#include "base.h"

enum { LONGEST_NAME = 63 };

static size_t slips_between(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][LONGEST_NAME + 1];
    if (a_size > LONGEST_NAME || b_size > LONGEST_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        const char now = tmi_fold_case(a[i - 1]), last = i > 1 ? tmi_fold_case(a[i - 2]) : '\0';
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t best = above[j - 1] + (now != tmi_fold_case(b[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && now == tmi_fold_case(b[j - 2]) && last == tmi_fold_case(b[j - 1]) &&
                earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_size % 3][b_size];
}

void tm_suggestion_begin(tm_suggestion *out, const char *wrong)
{
    const size_t length = wrong ? strlen(wrong) : 0;
    /* a name further away than this is another word */
    if (out)
        *out = (tm_suggestion){wrong, NULL, length / 2 < 3 ? length / 2 + 1 : 4};
}

void tm_suggestion_try(tm_suggestion *meant, const char *name)
{
    if (!meant || !meant->wrong || !name)
        return;
    const size_t length = strlen(meant->wrong);
    const bool begins = length > 1 && strncmp(name, meant->wrong, length) == 0;
    const size_t apart = begins ? 1 : slips_between(meant->wrong, length, name, strlen(name));
    if (apart < meant->apart) {
        meant->apart = apart;
        meant->best = name;
    }
}

size_t tm_suggestion_format(const tm_suggestion *meant, char *buffer, size_t size)
{
    char line[256];
    tmi_format(line, sizeof(line), meant && meant->best ? "; did you mean '%s'?" : "%s",
               meant && meant->best ? meant->best : "");
    return tmi_give_line(buffer, size, line);
}
