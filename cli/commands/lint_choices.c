/* SPDX-License-Identifier: Zlib */
/*
 * lint_choices.c - reads --rules, --select, --ignore and --severity. An id that fits no rule is an error: it
 * is misspelt, or of another version.
 */
#include "lint_choices.h"

#include <stdlib.h>
#include <string.h>

static void add_choice(lint_choices *to, tm_lint_choice choice)
{
    if (to->num == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->list = must_resize(to->list, to->capacity, sizeof(*to->list));
    }
    to->list[to->num++] = choice;
}

static void guess_rule(text *out, const char *wrong)
{
    enum { MOST = 1000 };
    const char *names[MOST + 1];
    const tm_lint_rule *rule;
    uint32_t num = 0;
    for (; num < MOST && (rule = tm_lint_rule_at(num)); num++)
        names[num] = tm_finding_name(rule->id);
    names[num] = NULL;
    put_guess(out, wrong, names, "");
}

static bool say_unknown(cli_tool *tool, const char *pattern)
{
    text err = {0};
    text_string(&err, "teemap: lint: no rule fits ");
    text_quoted(&err, pattern);
    guess_rule(&err, pattern);
    text_string(&err, " ('teemap lint --list' lists all rules)\n");
    tool_say(tool, &err);
    text_release(&err);
    return false;
}

bool lint_choices_know(cli_tool *tool, const char *id, size_t size)
{
    const tm_lint_rule *rule;
    char name[128];
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++)
        if (strlen(tm_finding_name(rule->id)) == size && memcmp(tm_finding_name(rule->id), id, size) == 0)
            return true;
    snprintf(name, sizeof(name), "%.*s", size < sizeof(name) ? (int)size : (int)sizeof(name) - 1, id);
    return say_unknown(tool, name);
}

/* The same choice for all rules that a pattern fits. */
static bool add_pattern(lint_choices *to, cli_tool *tool, const char *pattern, tm_lint_choice choice)
{
    uint32_t at = tm_lint_match(pattern, 0);
    if (at == UINT32_MAX)
        return say_unknown(tool, pattern);
    for (; at != UINT32_MAX; at = tm_lint_match(pattern, at + 1)) {
        choice.id = tm_lint_rule_at(at)->id;
        add_choice(to, choice);
    }
    return true;
}

/* The word for a severity behind =, which is cut off. */
static bool take_severity(cli_tool *tool, char *word, tm_lint_choice *choice)
{
    char *equals = strchr(word, '=');
    for (int severity = TM_SEVERITY_NOTE; equals && severity <= TM_SEVERITY_ERROR; severity++)
        if (strcmp(equals + 1, tm_severity_name((tm_severity)severity)) == 0)
            choice->severity = (tm_severity)severity;
    if (equals)
        *equals = '\0';
    if (choice->severity)
        return true;
    tool_trouble(tool, tool->command->name, "--severity is not ID=error, ID=warning or ID=note");
    return false;
}

static bool add_patterns(lint_choices *to, cli_tool *tool, const word_list *words, tm_lint_choice choice,
                         bool severities)
{
    bool fine = true;
    for (size_t i = 0; i < words->num && fine; i++) {
        char *copy = must_copy(words->words[i]), *next = copy;
        while (next && fine) {
            char *word = next, *comma = strchr(word, ',');
            tm_lint_choice own = choice;
            next = comma ? comma + 1 : NULL;
            if (comma)
                *comma = '\0';
            fine = (!severities || take_severity(tool, word, &own)) && add_pattern(to, tool, word, own);
        }
        free(copy);
    }
    return fine;
}

static void refuse_sets(cli_tool *tool, const char *words)
{
    text names = {0};
    text_string(&names, "this is no list of sets for --rules: ");
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        text_print(&names, "%s, ", tm_lint_set_name((uint32_t)1 << bit));
    text_string(&names, tm_lint_set_name(TM_LINT_ALL));
    text_put(&names, "", 1);
    tool_trouble(tool, words, names.bytes);
    text_release(&names);
}

bool lint_choices_read(lint_choices *out, tm_lint_options *how, cli_tool *tool, const lint_words *words)
{
    bool fine = true;
    if (words->sets && !tm_lint_sets_from_text(&how->sets, words->sets)) {
        refuse_sets(tool, words->sets);
        fine = false;
    }
    if (words->select.num) {
        add_choice(out, (tm_lint_choice){.id = TM_FINDING_NONE, .off = true});
        fine = fine && add_patterns(out, tool, &words->select, (tm_lint_choice){.on = true}, false);
    }
    fine = fine && add_patterns(out, tool, &words->ignore, (tm_lint_choice){.off = true}, false);
    fine = fine && add_patterns(out, tool, &words->severities, (tm_lint_choice){.off = false}, true);
    how->choices = out->list;
    how->num_choices = out->num;
    if (!fine)
        lint_choices_release(out);
    return fine;
}

void lint_choices_release(lint_choices *choices)
{
    free(choices->list);
    *choices = (lint_choices){NULL, 0, 0};
}
