/* SPDX-License-Identifier: Zlib */
/* help.c - help texts for a terminal of 80 columns, from the table of commands. Knows no single command. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 80
#define MEANING 26 /* column of the meanings in lists and of the texts of options */

/*
 * Writes words up to the end of the line or of the text, broken at COLUMNS, each line after the first
 * indented.
 */
static const char *put_wrapped(text *out, const char *string, size_t column, size_t indent)
{
    bool first = true;
    while (*string && *string != '\n') {
        size_t word = strcspn(string, " \n\t");
        if (!first && column + 1 + word > COLUMNS - 1) {
            text_put(out, "\n", 1);
            text_pad(out, (long)indent);
            column = indent;
        } else if (!first) {
            text_put(out, " ", 1);
            column++;
        }
        text_put(out, string, word);
        column += word;
        string += word;
        if (*string == '\t') { /* between a term and its meaning */
            long room = column < MEANING ? (long)(MEANING - column) : 2;
            text_pad(out, room);
            column += (size_t)room;
            first = true;
            string++;
            continue;
        }
        string += *string == ' ';
        first = false;
    }
    text_put(out, "\n", 1);
    return string + (*string == '\n');
}

/* Paragraphs; items of a list are indented. */
static void put_help_paragraphs(text *out, const char *string)
{
    while (*string) {
        if (*string == '\n') {
            text_put(out, "\n", 1);
            string++;
            continue;
        }
        bool item = string[strcspn(string, "\t\n")] == '\t';
        text_pad(out, item ? 2 : 0);
        string = put_wrapped(out, string, item ? 2 : 0, item ? MEANING : 0);
    }
}

static void put_option_line(text *out, const command_option *row)
{
    const option_rule *rule = &option_rules[row->id];
    char names[64];
    char letter[5] = "    ";
    if (rule->letter)
        snprintf(letter, sizeof(letter), "-%c, ", rule->letter);
    snprintf(names, sizeof(names), "  %s--%s%s%s", letter, rule->name, option_needs_value(rule) ? " " : "",
             rule->value ? rule->value : "");
    text_string(out, names);
    size_t column = strlen(names);
    if (column > 24) {
        text_put(out, "\n", 1);
        column = 0;
    }
    text_pad(out, MEANING - (long)column);
    put_wrapped(out, option_text(row), MEANING, MEANING);
    if (rule->choices && rule->choices[0] != '@' && !strstr(option_text(row), "1 is fast") && rule->value) {
        text_pad(out, MEANING);
        char choices[128];
        snprintf(choices, sizeof(choices), "%s: %s", rule->value, rule->choices);
        put_wrapped(out, choices, MEANING, MEANING + 2);
    }
}

static void put_usages(text *out, const command *of)
{
    for (size_t i = 0; of->usages[i]; i++)
        text_print(out, "%s teemap %s %s\n", i ? "      " : "usage:", of->name, of->usages[i]);
}

void put_help(text *out, const command *of)
{
    put_usages(out, of);
    text_put(out, "\n", 1);
    put_help_paragraphs(out, of->text);
    text_string(out, "\nOptions\n");
    for (const command_option *row = of->options; row->id != OPTION_END; row++)
        if (!option_rules[row->id].hidden)
            put_option_line(out, row);
    put_option_line(out, command_takes(of, OPTION_HELP));
    text_string(out, "\nExamples\n");
    for (const example *one = of->examples; one->line; one++)
        text_print(out, "  teemap %s\n      %s\n", one->line, one->text);
}

void put_overview(text *out)
{
    text_string(
        out, "usage: teemap COMMAND [OPTION]... [OPERAND]...\n\n"
             "Shows, checks, draws and writes maps of Teeworlds and DDNet, with nothing lost.\n\nCommands\n");
    for (size_t i = 0; i < num_commands; i++)
        text_print(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    text_string(out, "\nOptions of all commands\n"
                     "  -h, --help  explain the command\n"
                     "  --          what follows is an operand, even if it begins with -\n"
                     "\nOptions of teemap alone\n"
                     "  -V, --version  print the version\n"
                     "\nA lone - stands for standard input. Exit status: 0 done, 1 findings, 2 trouble.\n"
                     "\nStart with\n  teemap info MAP\n  teemap ls MAP\n  teemap help COMMAND\n");
}
