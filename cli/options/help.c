/* SPDX-License-Identifier: Zlib */
/* help.c - help texts for a terminal of 80 columns, from the table of commands. Knows no single command. */
#include "help.h"

#include <string.h>

#define COLUMNS 80
#define MEANING 26 /* column of the meanings in lists and of the texts of options */
/* More than these stand under headings. */
#define FEW_OPTIONS 14

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
        if (strncmp(string, "    ", 4) == 0) { /* commands and what they print */
            const size_t size = strcspn(string, "\n");
            text_print(out, "%.*s\n", (int)size, string);
            string += size + (string[size] == '\n');
            continue;
        }
        bool item = string[strcspn(string, "\t\n")] == '\t';
        text_pad(out, item ? 2 : 0);
        string = put_wrapped(out, string, item ? 2 : 0, item ? MEANING : 0);
    }
}

/* Where words that begin in column 0 end, "  -j, --threads N". */
static void put_option_names(text *out, const option_row *row)
{
    if (row->letter)
        text_print(out, "  -%c, --%s", row->letter, row->name);
    else
        text_print(out, "      --%s", row->name);
    if (row->value)
        text_print(out, row->value_optional ? "[=%s]" : " %s", row->value);
}

static void put_option_line(text *out, const option_row *row)
{
    text line = {0};
    put_option_names(&line, row);
    const size_t names = line.size;
    text_put(out, line.bytes, names);
    if (names > MEANING - 2)
        text_put(out, "\n", 1);
    text_pad(out, MEANING - (long)(names > MEANING - 2 ? 0 : names));
    line.size = 0;
    text_string(&line, row->text);
    option_put_range(&line, row);
    put_wrapped(out, text_words(&line), MEANING, MEANING);
    line.size = 0;
    if (row->type != OPTION_INTEGER && row->type != OPTION_YES_NO && row->type != OPTION_COLOR &&
        option_put_values(&line, row)) {
        text_pad(out, MEANING);
        text_print(out, "%s: ", row->value);
        put_wrapped(out, text_words(&line), MEANING + strlen(row->value) + 2, MEANING + 2);
    }
    text_release(&line);
}

const char *option_group_name(option_group group)
{
    static const char *const names[GROUP_COUNT] = {
        [GROUP_OUTPUT] = "Output", [GROUP_PART] = "What part",  [GROUP_DRAWN] = "What is drawn",
        [GROUP_IMAGES] = "Images", [GROUP_RUNNING] = "Running",
    };
    return names[group];
}

bool command_has_groups(const command *of)
{
    size_t num = 0;
    while (command_option(of, num))
        num++;
    return num > FEW_OPTIONS;
}

static void put_option_group(text *out, const command *of, int group)
{
    const option_row *row;
    bool any = false;
    for (size_t i = 0; (row = command_option(of, i)); i++) {
        if (group >= 0 && row->group != (option_group)group)
            continue;
        if (!any)
            text_print(out, "\n%s\n", group < 0 ? "Options" : option_group_name((option_group)group));
        any = true;
        put_option_line(out, row);
    }
}

static void put_options(text *out, const command *of)
{
    if (!command_has_groups(of))
        put_option_group(out, of, -1);
    for (int group = 0; command_has_groups(of) && group < GROUP_COUNT; group++)
        put_option_group(out, of, group);
}

static void put_usages(text *out, const command *of)
{
    for (size_t i = 0; of->usages[i]; i++)
        text_print(out, "%s teemap %s %s\n", i ? "      " : "usage:", of->name, of->usages[i]);
}

bool put_status_meaning(text *out, const command *of, int status)
{
    static const char *const meanings[] = {
        "success, nothing to report", NULL,
        "error: an input could not be read, an output not written, or the command line not understood"};
    const bool of_maps = of && of->operands[0] && command_takes(of, "mode");
    const char *findings = of ? of->findings : "something to report: findings, losses, damage";
    if (meanings[status])
        text_string(out, meanings[status]);
    else
        text_print(out, "%s%s%s", findings ? findings : "", findings && of_maps ? "; or " : "",
                   of_maps ? "a map is damaged" : "");
    return meanings[status] || findings || of_maps;
}

static void put_help_status(text *out, const command *of)
{
    text_string(out, "\nExit status\n");
    for (int status = 0; status <= 2; status++) {
        text meaning = {0};
        if (put_status_meaning(&meaning, of, status)) {
            text_print(out, "  %d  ", status);
            put_wrapped(out, text_words(&meaning), 5, 5);
        }
        text_release(&meaning);
    }
}

void put_help(text *out, const command *of)
{
    put_usages(out, of);
    text_put(out, "\n", 1);
    put_help_paragraphs(out, of->text);
    put_options(out, of);
    put_help_status(out, of);
    text_string(out, "\nExamples\n");
    for (const example *one = of->examples; one < of->examples + MAX_EXAMPLES && one->line; one++)
        text_print(out, "  teemap %s\n      %s\n", one->line, one->text);
}

void put_overview(text *out)
{
    text_string(
        out, "usage: teemap COMMAND [OPTION]... [OPERAND]...\n\n"
             "Shows, checks, draws and writes maps of Teeworlds and DDNet, with nothing lost.\n\nCommands\n");
    for (size_t i = 0; commands[i]; i++)
        text_print(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    text_string(out, "\nOptions of all commands\n"
                     "  -h, --help  explain the command\n"
                     "  --          what follows is an operand, even if it begins with -\n"
                     "\nOptions of teemap alone\n"
                     "  -V, --version  print the version\n"
                     "\nA lone - stands for standard input. Exit status: 0 success, 1 findings, 2 error.\n"
                     "\nStart with\n  teemap info MAP\n  teemap ls MAP\n  teemap help COMMAND\n"
                     "\nMore to read\n");
    size_t width = 0;
    for (const document *one = documents; one->name; one++)
        width = strlen(one->name) > width ? strlen(one->name) : width;
    for (const document *one = documents; one->name; one++)
        text_print(out, "  teemap help %-*s  %s\n", (int)width, one->name, one->summary);
    text_print(out, "  teemap help %-*s  what one finding means, such as bad-magic\n", (int)width, "ID");
}

/* --------------------------------------------------------------------------------------------- documents */

void put_document(text *out, const document *of)
{
    const char *rest = (const char *)of->markdown;
    text title = {0}, body = {0};
    bool first = true;
    while (document_next_section(&rest, &title, &body)) {
        text_print(out, "%s%s\n\n", first ? "" : "\n", text_words(&title));
        first = false;
        put_help_paragraphs(out, body.bytes);
    }
    text_release(&title);
    text_release(&body);
}

/* The document that has a row for an id: findings of files, or rules of lint. */
static const document *explaining_document(text *meaning, const char *id)
{
    static const char *const names[] = {"findings", "lint-rules"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (document_explain(document_find(names[i]), meaning, id))
            return document_find(names[i]);
    return NULL;
}

bool put_finding_help(text *out, const char *id)
{
    text meaning = {0};
    const document *of = explaining_document(&meaning, id);
    if (of) {
        text_print(out, "%s\n\n", id);
        put_help_paragraphs(out, text_words(&meaning));
        text_print(out, "\n'teemap help %s' explains these words, and all other findings.\n", of->name);
    }
    text_release(&meaning);
    return of;
}
