/* SPDX-License-Identifier: Zlib */
/*
 * Findings that the map itself says to leave out: settings of the form
 *
 *     # teemap: ignore tele-without-out@Game/Tele, empty-* - the exits come with the next part
 *
 * To the console of DDNet's servers the line is a comment. Behind "ignore" stand ids, in which * stands for
 * anything, each with the address to which it is limited if it is; behind " - " is somebody's reason.
 */
#include "lint.h"

static const char *skip_gaps(const char *text)
{
    return text + strspn(text, " \t");
}

/* What stands behind a word, and behind the gap that follows it; NULL: there is another word. */
static const char *behind_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    return strncmp(text, word, size) == 0 ? skip_gaps(text + size) : NULL;
}

const char *tmi_lint_pardons_of(const char *setting)
{
    const char *at = setting ? behind_word(skip_gaps(setting), "#") : NULL;
    at = at ? behind_word(at, "teemap:") : NULL;
    return at && strncmp(at, "ignore", 6) == 0 && (at[6] == ' ' || at[6] == '\t') ? skip_gaps(at + 6) : NULL;
}

/* Each finding is held against all of them: more than that say nothing. */
enum { MOST_PARDONS = 1000 };

static void add_pardon(tmi_lint *lint, const char *word, size_t size)
{
    const char *at_sign = memchr(word, '@', size);
    const size_t id_size = at_sign ? (size_t)(at_sign - word) : size;
    char address[TM_ERROR_TEXT_SIZE];
    if (lint->num_pardons == MOST_PARDONS)
        return;
    tmi_lint_pardon *pardon = tmi_arena_alloc(&lint->arena, 1, sizeof(*pardon));
    if (!pardon) {
        tmi_lint_fail(lint, tmi_fail_memory(lint->error, sizeof(*pardon), "settings"));
        return;
    }
    *pardon = (tmi_lint_pardon){.next = lint->pardons, .id = word, .id_size = id_size, .placed = at_sign};
    if (at_sign) {
        tmi_format(address, sizeof(address), "%.*s", (int)(size - id_size - 1), at_sign + 1);
        if (tm_address_parse(&pardon->address, lint->map, address, NULL))
            return; /* it leads nowhere: nothing is left out */
    }
    lint->pardons = pardon;
    lint->num_pardons++;
}

void tmi_lint_read_pardons(tmi_lint *lint)
{
    enum { LONGEST = 1 << 10 }; /* of a word: no address is as long */
    const tm_info *info = &lint->map->info;
    for (uint32_t i = 0; i < info->num_settings; i++) {
        const char *at = tmi_lint_pardons_of(info->settings[i]);
        while (at && *at) {
            const size_t size = strcspn(at, " \t,");
            if (size == 1 && *at == '-')
                break;
            if (size && size < LONGEST)
                add_pardon(lint, at, size);
            at += size;
            at += strspn(at, " \t,");
        }
    }
}

bool tmi_lint_is_pardoned(const tmi_lint *lint, const tm_lint_rule *rule, const tm_address *address)
{
    const char *name = tm_lint_rule_name(rule);
    for (const tmi_lint_pardon *at = lint->pardons; at; at = at->next)
        if (tmi_text_fits(at->id, at->id_size, name) &&
            (!at->placed || (address && at->address.kind == address->kind &&
                             at->address.index == address->index && at->address.layer == address->layer)))
            return true;
    return false;
}
