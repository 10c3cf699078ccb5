/* SPDX-License-Identifier: Zlib */
/*
 * lint_choices.c - reads --rules, --select, --ignore and --severity. An id that fits no rule is an error: it
 * is misspelt, or of another version.
 */
#include "lint_choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_choice(lint_choices *to, tm_lint_choice choice, const char *name)
{
    if (to->num == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->list = must_resize(to->list, to->capacity, sizeof(*to->list));
        to->names = must_resize(to->names, to->capacity, sizeof(*to->names));
    }
    to->names[to->num] = name ? must_copy(name) : NULL;
    choice.name = to->names[to->num];
    to->list[to->num++] = choice;
}

/* All rules that there are, one after the other; NULL behind the last one. */
static const tm_lint_rule *any_rule(const lint_configs *configs, size_t n)
{
    uint32_t num = 0;
    for (; tm_lint_rule_at(num); num++)
        if (num == n)
            return tm_lint_rule_at(num);
    return lint_configs_rule(configs, n - num);
}

static void guess_rule(text *out, const lint_configs *configs, const char *wrong)
{
    enum { MOST = 1000 };
    const char *names[MOST + 1];
    const tm_lint_rule *rule;
    size_t num = 0;
    for (; num < MOST && (rule = any_rule(configs, num)); num++)
        names[num] = tm_lint_rule_name(rule);
    names[num] = NULL;
    put_guess(out, wrong, names, "");
}

static bool say_unknown(cli_tool *tool, const lint_configs *configs, const char *pattern)
{
    text err = {0};
    text_string(&err, "teemap: lint: no rule fits ");
    text_quoted(&err, pattern);
    guess_rule(&err, configs, pattern);
    text_string(&err, " ('teemap lint --list' lists all rules)\n");
    tool_say(tool, &err);
    text_release(&err);
    return false;
}

bool lint_choices_know(cli_tool *tool, const lint_configs *configs, const char *id, size_t size)
{
    const tm_lint_rule *rule;
    char name[128];
    for (size_t n = 0; (rule = any_rule(configs, n)); n++)
        if (strlen(tm_lint_rule_name(rule)) == size && memcmp(tm_lint_rule_name(rule), id, size) == 0)
            return true;
    snprintf(name, sizeof(name), "%.*s", size < sizeof(name) ? (int)size : (int)sizeof(name) - 1, id);
    return say_unknown(tool, configs, name);
}

static bool fits_any_rule(const lint_configs *configs, const char *pattern)
{
    const tm_lint_rule *rule;
    for (size_t n = 0; (rule = any_rule(configs, n)); n++)
        if (tm_lint_rule_fits(rule, pattern))
            return true;
    return false;
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

/* Where choices come from and go to. */
typedef struct choice_reader {
    lint_choices *to;
    cli_tool *tool;
    const lint_configs *configs;
} choice_reader;

static bool add_pattern(const choice_reader *reader, const char *pattern, tm_lint_choice choice)
{
    if (!fits_any_rule(reader->configs, pattern))
        return say_unknown(reader->tool, reader->configs, pattern);
    add_choice(reader->to, choice, pattern);
    return true;
}

static bool add_patterns(const choice_reader *reader, const word_list *words, tm_lint_choice choice,
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
            fine = (!severities || take_severity(reader->tool, word, &own)) && add_pattern(reader, word, own);
        }
        free(copy);
    }
    return fine;
}

static void refuse_sets(cli_tool *tool, const char *words)
{
    const char *known[TM_LINT_SETS + 2] = {NULL};
    text names = {0}, wrong = {0};
    uint32_t sets;
    text_string(&names, "this is no list of sets for --rules: ");
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++)
        text_print(&names, "%s, ", known[bit] = tm_lint_set_name((uint32_t)1 << bit));
    text_string(&names, known[TM_LINT_SETS] = tm_lint_set_name(TM_LINT_ALL));
    for (const char *word = words; *word && !wrong.size;
         word += strcspn(word, ",") + (word[strcspn(word, ",")] == ',')) {
        text_put(&wrong, word, strcspn(word, ","));
        text_put(&wrong, "", 1);
        wrong.size = tm_lint_sets_from_text(&sets, wrong.bytes) ? 0 : wrong.size;
    }
    put_guess(&names, wrong.size ? wrong.bytes : words, known, "");
    text_put(&names, "", 1);
    text_release(&wrong);
    tool_trouble(tool, words, names.bytes);
    text_release(&names);
}

bool lint_choices_read(lint_choices *out, tm_lint_options *how, cli_tool *tool, const lint_words *words,
                       const lint_configs *configs)
{
    const choice_reader reader = {out, tool, configs};
    bool fine = true;
    if (words->sets && !tm_lint_sets_from_text(&how->sets, words->sets)) {
        refuse_sets(tool, words->sets);
        fine = false;
    }
    if (words->select.num) {
        add_choice(out, (tm_lint_choice){.id = TM_FINDING_NONE, .off = true}, NULL);
        fine = fine && add_patterns(&reader, &words->select, (tm_lint_choice){.on = true}, false);
    }
    fine = fine && add_patterns(&reader, &words->ignore, (tm_lint_choice){.off = true}, false);
    fine = fine && add_patterns(&reader, &words->severities, (tm_lint_choice){.off = false}, true);
    how->choices = out->list;
    how->num_choices = out->num;
    if (!fine)
        lint_choices_release(out);
    return fine;
}

void lint_choices_release(lint_choices *choices)
{
    for (size_t i = 0; i < choices->num; i++)
        free(choices->names[i]);
    free(choices->names);
    free(choices->list);
    *choices = (lint_choices){NULL, NULL, 0, 0};
}
