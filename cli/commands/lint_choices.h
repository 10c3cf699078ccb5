/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LINT_CHOICES_H
#define CLI_LINT_CHOICES_H
/*
 * lint_choices.h - which rules of teemap/lint.h are asked, in words of the command line.
 */
#include "lint_files.h"

/* A field `words` in the options of a command that asks rules. */
typedef struct lint_words {
    const char *sets; /* NULL: not given */
    word_list select, ignore, severities;
} lint_words;

#define LINT_CHOICE_ROWS(of)                                                                                \
    {0,                                                                                                     \
     "rules",                                                                                               \
     "SET,...",                                                                                             \
     TEXT_AT(of, words.sets),                                                                               \
     .group = GROUP_PART,                                                                                   \
     .text = "run the rules of these sets: ddnet, kog, vanilla, teeworlds07, style, all; without it those " \
             "that apply to the map"},                                                                      \
        {0,                                                                                                 \
         "select",                                                                                          \
         "ID,...",                                                                                          \
         WORDS_AT(of, words.select),                                                                        \
         .group = GROUP_PART,                                                                               \
         .text = "run only these rules, whatever their set; may be given several times"},                   \
        {0,                                                                                                 \
         "ignore",                                                                                          \
         "ID,...",                                                                                          \
         WORDS_AT(of, words.ignore),                                                                        \
         .group = GROUP_PART,                                                                               \
         .text = "do not run these rules; may be given several times"},                                     \
    {                                                                                                       \
        0, "severity", "ID=WORD,...", WORDS_AT(of, words.severities),                                       \
            .group = GROUP_PART, .text = "how bad the findings of a rule are: error, warning or note"       \
    }

/* The choices that the words mean, which tm_lint_options borrows. */
typedef struct lint_choices {
    tm_lint_choice *list;
    char **names; /* those of the choices */
    size_t num, capacity;
} lint_choices;

/* False after having said what is wrong. Words may mean rules of the configurations, too. */
bool lint_choices_read(lint_choices *out, tm_lint_options *how, cli_tool *tool, const lint_words *words,
                       const lint_configs *configs);
/* Whether there is a rule of this id; false after having said that there is none. */
bool lint_choices_know(cli_tool *tool, const lint_configs *configs, const char *id, size_t size);
void lint_choices_release(lint_choices *choices);

#endif
