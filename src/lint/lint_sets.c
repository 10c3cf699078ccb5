/* SPDX-License-Identifier: Zlib */
/* The names of sets of rules. */
#include "lint.h"

static const struct {
    uint32_t set;
    const char *name, *purpose;
} set_rows[] = {
    {TM_LINT_DDNET, "ddnet", "DDNet races and similar games"},
    {TM_LINT_KOG, "kog", "additional rules of King of Gores"},
    {TM_LINT_VANILLA, "vanilla", "ctf and dm maps of Teeworlds 0.5 and 0.6"},
    {TM_LINT_TEEWORLDS07, "teeworlds07", "maps of Teeworlds 0.7"},
    {TM_LINT_STYLE, "style", "tidiness: no visible or gameplay effect"},
    {TM_LINT_RELEASE, "release", "metadata for a release"},
    {TM_LINT_NOVICE, "novice", "DDNet's Novice: as ddnet"},
    {TM_LINT_MODERATE, "moderate", "DDNet's Moderate: as ddnet"},
    {TM_LINT_BRUTAL, "brutal", "DDNet's Brutal: as ddnet"},
    {TM_LINT_INSANE, "insane", "DDNet's Insane: as ddnet"},
    {TM_LINT_DUMMY, "dummy", "DDNet's Dummy: deepfly is off"},
    {TM_LINT_DDMAX, "ddmax", "DDNet's DDmaX: as ddnet"},
    {TM_LINT_OLDSCHOOL, "oldschool", "DDNet's Oldschool: no time checkpoints required"},
    {TM_LINT_SOLO, "solo", "DDNet's Solo: one spawn and one exit per number, on the ground"},
    {TM_LINT_RACE, "race", "DDNet's Race: only few kinds of tiles"},
    {TM_LINT_FUN, "fun", "DDNet's Fun: no start, finish or time checkpoints required"},
    {TM_LINT_CTF, "ctf", "capture the flag: two flags"},
    {TM_LINT_DM, "dm", "deathmatch: no flags"},
    {TM_LINT_INFCLASS, "infclass", "Infclass: zones and entities in groups; no tile rules"},
    {TM_LINT_MRPG, "mrpg", "MRPG: its own tiles and settings; no tile rules"},
    {TM_LINT_NINSLASH, "ninslash", "Ninslash: its own tiles and images; no tile rules"},
    {TM_LINT_FNG, "fng", "fng: spikes; no tile rules"},
    {TM_LINT_MOD, "mod", "other mods with their own tiles; no tile rules"},
    {TM_LINT_ALL, "all", "all of these; types only if they are named or guessed"},
};

const char *tm_lint_set_name(uint32_t set)
{
    for (size_t i = 0; i < TMI_COUNT_OF(set_rows); i++)
        if (set_rows[i].set == set)
            return set_rows[i].name;
    return NULL;
}

const char *tmi_lint_set_about(uint32_t set)
{
    for (size_t i = 0; i < TMI_COUNT_OF(set_rows); i++)
        if (set_rows[i].set == set)
            return set_rows[i].purpose;
    return NULL;
}

bool tm_lint_sets_from_text(uint32_t *out, const char *text)
{
    uint32_t sum = 0;
    if (out)
        *out = 0;
    if (!out || !text)
        return false;
    for (;; text++) {
        const size_t size = strcspn(text, ",");
        uint32_t set = 0;
        for (size_t i = 0; i < TMI_COUNT_OF(set_rows); i++)
            if (strlen(set_rows[i].name) == size && memcmp(set_rows[i].name, text, size) == 0)
                set = set_rows[i].set;
        if (!set)
            return false;
        sum |= set;
        text += size;
        if (!*text)
            break;
    }
    *out = sum;
    return true;
}
