/* SPDX-License-Identifier: Zlib */
/* help.c - help texts for a terminal of 80 columns, from the table of commands. Knows no single command. */
#include "help.h"

#include "command_json.h"
#include "output/form.h"

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
    const bool is_option = *string == '-' || *string == ' '; /* a long one has a line of its own */
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
            const bool below = is_option && column > MEANING - 2;
            const long room = below ? MEANING : column < MEANING ? (long)(MEANING - column) : 2;
            text_string(out, below ? "\n" : "");
            text_pad(out, room);
            column = below ? MEANING : column + (size_t)room;
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
        const bool item = string[strcspn(string, "\t\n")] == '\t';
        if (!item && strncmp(string, "    ", 4) == 0) { /* commands and what they print */
            const size_t size = strcspn(string, "\n");
            text_print(out, "%.*s\n", (int)size, string);
            string += size + (string[size] == '\n');
            continue;
        }
        text_pad(out, item ? 2 : 0);
        string = put_wrapped(out, string, item ? 2 : 0, item ? MEANING : 0);
    }
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

bool put_status_meaning(text *out, const command *of, int status)
{
    static const char *const meanings[] = {
        "success, nothing to report", NULL,
        "error: an input could not be read, an output could not be written, or the command line is wrong"};
    const bool of_maps = of && of->operands[0] && command_takes(of, "mode");
    const char *findings = of ? of->findings : "findings, losses or damage to report";
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

/* help.form; ends with a NUL */
extern const unsigned char help_form[];

void put_help(text *out, const command *of)
{
    text filled = {0};
    json_t *values = json_command(of);
    form_put(&filled, (const char *)help_form, values, text_string);
    put_help_paragraphs(out, filled.bytes);
    json_free(values);
    text_release(&filled);
    put_help_status(out, of);
    text_string(out, "\nExamples\n");
    for (const example *one = of->examples; one < of->examples + MAX_EXAMPLES && one->line; one++)
        text_print(out, "  teemap %s\n      %s\n", one->line, one->text);
}

void put_overview(text *out)
{
    text_string(out,
                "usage: teemap COMMAND [OPTION]... [OPERAND]...\n\n"
                "Inspects, checks, renders, edits and compares Teeworlds and DDNet maps, without loss.\n\n"
                "Commands\n");
    for (size_t i = 0; commands[i]; i++)
        text_print(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    text_string(out, "\n"
                     "Options of all commands\n"
                     "  -h, --help  explain the command\n"
                     "  --          treat all following words as operands, even if they begin with -\n\n"
                     "Options of teemap alone\n"
                     "  -V, --version  print the version\n\n"
                     "A single - means standard input. Exit status: 0 success, 1 findings, 2 error.\n\n"
                     "Start with\n"
                     "  teemap info MAP\n"
                     "  teemap ls MAP\n"
                     "  teemap help COMMAND\n\n"
                     "More help\n");
    size_t width = 0;
    for (const document *one = documents; one->name; one++)
        width = strlen(one->name) > width ? strlen(one->name) : width;
    for (const document *one = documents; one->name; one++)
        text_print(out, "  teemap help %-*s  %s\n", (int)width, one->name, one->summary);
    text_print(out, "  teemap help %-*s  explain a finding, such as bad-magic\n", (int)width, "ID");
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
        text_print(out, "\n'teemap help %s' explains these terms and all other findings.\n", of->name);
    }
    text_release(&meaning);
    return of;
}
