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

/* The text after a word and the blanks that follow; NULL if there is another word. */
static const char *behind_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    return strncmp(text, word, size) == 0 ? skip_gaps(text + size) : NULL;
}

const char *tmi_lint_suppressions_of(const char *setting)
{
    const char *text = setting ? behind_word(skip_gaps(setting), "#") : NULL;
    text = text ? behind_word(text, "teemap:") : NULL;
    return text && strncmp(text, "ignore", 6) == 0 && (text[6] == ' ' || text[6] == '\t')
               ? skip_gaps(text + 6)
               : NULL;
}

/* Each finding is compared with all of them; further ones are ignored. */
enum { MAX_SUPPRESSIONS = 1000 };

static void add_suppression(tmi_lint *lint, const char *word, size_t size)
{
    const char *at_sign = memchr(word, '@', size);
    const size_t id_size = at_sign ? (size_t)(at_sign - word) : size;
    char address[TM_ERROR_TEXT_SIZE];
    if (lint->num_suppressions == MAX_SUPPRESSIONS)
        return;
    tmi_lint_suppression *suppression = tmi_lint_alloc(lint, 1, sizeof(*suppression));
    if (!suppression)
        return;
    *suppression =
        (tmi_lint_suppression){.next = lint->suppressions, .id = word, .id_size = id_size, .placed = at_sign};
    if (at_sign) {
        tmi_format(address, sizeof(address), "%.*s", (int)(size - id_size - 1), at_sign + 1);
        if (tm_address_parse(&suppression->address, lint->map, address, NULL))
            return; /* it leads nowhere: nothing is left out */
    }
    lint->suppressions = suppression;
    lint->num_suppressions++;
}

/* A word of the suppressions of a map, such as "tele-*@Game/Tele"; zeros before the first. */
typedef struct suppression_word {
    uint32_t line;           /* of the settings, from 1 */
    const char *text, *rest; /* the word, and what follows it in the line */
    size_t size;
} suppression_word;

static bool next_suppression(suppression_word *word, const tm_info *info)
{
    for (;;) {
        if (word->rest) {
            word->text = word->rest + strspn(word->rest, " \t,");
            word->size = strcspn(word->text, " \t,");
            word->rest = word->text + word->size;
            if (word->size > 1 || (word->size == 1 && *word->text != '-'))
                return true;
        }
        if (word->line >= info->num_settings)
            return false;
        word->rest = tmi_lint_suppressions_of(info->settings[word->line++]);
    }
}

enum { LONGEST = 1 << 10 }; /* of a word: no address is as long */

void tmi_lint_read_suppressions(tmi_lint *lint)
{
    suppression_word word = {.line = 0};
    while (next_suppression(&word, &lint->map->info))
        if (word.size < LONGEST)
            add_suppression(lint, word.text, word.size);
}

/* ----------------------------------------------------------------------------------------------- faults */

/*
 * The rule that a misspelt id means. It begins with the same letter, because ids of unknown custom rules must
 * resemble none.
 */
static const char *meant_rule(const tmi_lint *lint, const char *id)
{
    tm_suggestion nearest;
    tm_suggestion_begin(&nearest, id);
    for (uint32_t n = 0; n < lint->num_rules; n++) {
        const char *name = tm_lint_rule_name(&lint->rules[n].row->rule);
        if (tmi_text_fits(id, name))
            return NULL;
        if (name[0] == id[0])
            tm_suggestion_try(&nearest, name);
    }
    return nearest.best;
}

void tmi_lint_report_suppressions(tmi_lint *lint, uint32_t rule)
{
    const tm_address at_settings = {TM_KIND_SETTINGS, 0, 0};
    suppression_word found = {.line = 0};
    for (uint32_t num = 0; num < MAX_SUPPRESSIONS && next_suppression(&found, &lint->map->info); num++) {
        char word[LONGEST], id[128];
        tm_address address;
        tmi_format(word, sizeof(word), "%.*s", found.size < LONGEST ? (int)found.size : 0, found.text);
        const size_t id_size = strcspn(word, "@");
        tmi_format(id, sizeof(id), "%.*s", (int)id_size, word);
        const char *meant = meant_rule(lint, id), *place = &word[id_size + 1];
        if (meant)
            tmi_lint_note_add(lint, rule, at_settings, "line %u: no rule fits '%s'; did you mean '%s'?",
                              (unsigned)found.line, id, meant);
        else if (word[id_size] && tm_address_parse(&address, lint->map, place, NULL))
            tmi_lint_note_add(lint, rule, at_settings,
                              "line %u: the map has no object '%s', of which '%s' tells",
                              (unsigned)found.line, place, word);
    }
}

bool tmi_lint_is_suppressed(const tmi_lint *lint, const tm_lint_rule *rule, const tm_address *address)
{
    const char *name = tm_lint_rule_name(rule);
    for (const tmi_lint_suppression *suppression = lint->suppressions; suppression;
         suppression = suppression->next)
        if (tmi_glob_match(suppression->id, suppression->id_size, name) &&
            (!suppression->placed ||
             (address && suppression->address.kind == address->kind &&
              suppression->address.index == address->index && suppression->address.layer == address->layer)))
            return true;
    return false;
}
