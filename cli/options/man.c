/* SPDX-License-Identifier: Zlib */
/* man.c - manual pages (roff, man macros) from the table of commands. */
#include "help.h"

#include <stdio.h>
#include <string.h>

/*
 * Roff reads a backslash as an escape, a dot or quote at the start of a line as a request, and may turn -
 * into another dash.
 */
static void put_roff(text *out, const char *string, size_t size)
{
    bool start = true;
    for (size_t i = 0; i < size; i++) {
        char c = string[i];
        if (start && (c == '.' || c == '\''))
            text_string(out, "\\&");
        if (c == '\\')
            text_string(out, "\\e");
        else if (c == '-')
            text_string(out, "\\-");
        else
            text_put(out, &c, 1);
        start = c == '\n';
    }
}

static void put_roff_string(text *out, const char *string)
{
    put_roff(out, string, strlen(string));
}

/* Paragraphs; items of a list become tagged ones. */
static void put_man_paragraphs(text *out, const char *string)
{
    while (*string) {
        size_t term = strcspn(string, "\t\n"), length = strcspn(string, "\n");
        if (term < length) {
            text_string(out, ".TP\n.B ");
            put_roff(out, string, term);
            text_put(out, "\n", 1);
            put_roff(out, string + term + 1, length - term - 1);
            text_put(out, "\n", 1);
        } else if (length) {
            text_string(out, ".PP\n");
            put_roff(out, string, length);
            text_put(out, "\n", 1);
        }
        string += length + (string[length] == '\n');
    }
}

static void put_option(text *out, const option_row *row)
{
    text line = {0};
    text_string(out, ".TP\n");
    if (row->letter)
        text_print(out, "\\fB\\-%c\\fR, ", row->letter);
    text_string(out, "\\fB\\-\\-");
    put_roff_string(out, row->name);
    text_string(out, "\\fR");
    if (row->value)
        text_print(out, row->value_optional ? "[=\\fI%s\\fR]" : " \\fI%s\\fR", row->value);
    text_put(out, "\n", 1);
    text_string(&line, row->text);
    option_put_range(&line, row);
    put_roff(out, line.bytes, line.size);
    line.size = 0;
    if (option_put_values(&line, row)) {
        text_print(out, "\n.br\n\\fI%s\\fR: ", row->value);
        put_roff(out, line.bytes, line.size);
    }
    text_put(out, "\n", 1);
    text_release(&line);
}

static void put_option_sections(text *out, const command *of)
{
    const option_row *row;
    text_string(out, ".SH OPTIONS\n");
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool any = !command_has_groups(of); /* without headings */
        for (size_t i = 0; (row = command_option(of, i)); i++) {
            if (row->group != (option_group)group)
                continue;
            if (!any)
                text_print(out, ".SS %s\n", option_group_name((option_group)group));
            any = true;
            put_option(out, row);
        }
    }
}

static void put_man_title(text *out, const char *name, int section, const char *summary)
{
    char upper[40];
    snprintf(upper, sizeof(upper), "%s", name);
    for (char *c = upper; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    text_print(out, ".TH \"%s\" %d \"\" \"teemap %s\" \"teemap\"\n.SH NAME\n", upper, section, tm_version());
    put_roff_string(out, name);
    text_string(out, " \\- ");
    put_roff_string(out, summary);
    text_put(out, "\n", 1);
}

static void put_status(text *out, const command *of)
{
    text_string(out, ".SH EXIT STATUS\n");
    for (int status = 0; status <= 2; status++) {
        text meaning = {0};
        if (put_status_meaning(&meaning, of, status)) {
            text_print(out, ".TP\n.B %d\n", status);
            put_roff_string(out, text_words(&meaning));
            text_put(out, "\n", 1);
        }
        text_release(&meaning);
    }
    text_string(out, ".PP\nOf several files the worst; see\n.BR teemap\\-exit\\-status (7).\n");
}

typedef struct man_item {
    const char *term, *meaning;
    bool of_images; /* only where external images are searched */
} man_item;

static const man_item environment[] = {
    {"TEEMAP_MAPRES", "a folder in which external images are searched after all others", true},
    {"XDG_DATA_HOME, HOME, APPDATA, ProgramFiles(x86)", "where the games and their users keep images", true},
    {"NO_COLOR", "if it is set and not empty, nothing is printed in color", false},
    {"TERM", "if it is 'dumb', there are neither colors nor a line of progress", false},
};

static const man_item files[] = {
    {"NAME.png, mapres/NAME.png, ../mapres/NAME.png", "external images beside the map", true},
    {"~/.local/share/ddnet/mapres, /usr/share/games/ddnet/data/mapres, ...",
     "images of users and games; 'teemap doctor -v' lists all folders of this system in the order of the search",
     true},
};

static void put_man_items(text *out, const char *title, const man_item *items, size_t num, bool images)
{
    bool any = false;
    for (size_t i = 0; i < num; i++) {
        if (items[i].of_images && !images)
            continue;
        if (!any)
            text_print(out, ".SH %s\n", title);
        any = true;
        text_string(out, ".TP\n.B \"");
        put_roff_string(out, items[i].term);
        text_string(out, "\"\n");
        put_roff_string(out, items[i].meaning);
        text_put(out, "\n", 1);
    }
}

static void put_surroundings(text *out, bool images)
{
    put_man_items(out, "ENVIRONMENT", environment, sizeof(environment) / sizeof(environment[0]), images);
    put_man_items(out, "FILES", files, sizeof(files) / sizeof(files[0]), images);
}

static void put_command_page(text *out, const command *of)
{
    char name[40];
    snprintf(name, sizeof(name), "teemap-%s", of->name);
    put_man_title(out, name, 1, of->summary);
    text_string(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; of->usages[i]; i++) {
        text_print(out, "%s\\fBteemap %s\\fR ", i ? ".br\n" : "", of->name);
        put_roff_string(out, of->usages[i]);
        text_put(out, "\n", 1);
    }
    text_string(out, ".SH DESCRIPTION\n");
    put_man_paragraphs(out, of->text);
    put_option_sections(out, of);
    text_string(out, ".SH EXAMPLES\n");
    for (const example *one = of->examples; one < of->examples + MAX_EXAMPLES && one->line; one++) {
        text_string(out, ".TP\n.B teemap ");
        put_roff_string(out, one->line);
        text_put(out, "\n", 1);
        put_roff_string(out, one->text);
        text_put(out, "\n", 1);
    }
    put_status(out, of);
    put_surroundings(out, of->searches_images);
    text_string(out,
                ".SH SEE ALSO\n.BR teemap (1),\n.BR teemap\\-findings (7),\n.BR teemap\\-addresses (7)\n");
}

static void put_main_page(text *out)
{
    put_man_title(out, "teemap", 1, "read, show, check and write maps of Teeworlds and DDNet");
    text_string(
        out,
        ".SH SYNOPSIS\n\\fBteemap\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n"
        ".SH DESCRIPTION\n"
        "teemap reads every map that the games read, shows what is inside, and writes it back with nothing "
        "lost.\n"
        "Results go to standard output, everything else to standard error.\n"
        "A lone \\- stands for standard input or output.\n"
        ".SH COMMANDS\n");
    for (size_t i = 0; commands[i]; i++) {
        text_print(out, ".TP\n.BR teemap\\-%s (1)\n", commands[i]->name);
        put_roff_string(out, commands[i]->summary);
        text_put(out, "\n", 1);
    }
    text_string(out, ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nexplain teemap, or a command\n"
                     ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version\n"
                     ".TP\n\\fB\\-\\-\\fR\nwhat follows is an operand, even if it begins with \\-\n");
    put_status(out, NULL);
    put_surroundings(out, true);
    text_string(out, ".SH SEE ALSO\n");
    for (const document *one = documents; one->name; one++) {
        text_string(out, ".BR teemap\\-");
        put_roff_string(out, one->name);
        text_print(out, " (7)%s\n", one[1].name ? "," : "");
    }
}

void put_man(text *out, const command *of)
{
    if (of)
        put_command_page(out, of);
    else
        put_main_page(out);
}

void put_man_document(text *out, const document *of)
{
    const char *rest = (const char *)of->markdown;
    text title = {0}, body = {0};
    char name[40];
    bool first = true;
    snprintf(name, sizeof(name), "teemap-%s", of->name);
    put_man_title(out, name, 7, of->summary);
    while (document_next_section(&rest, &title, &body)) {
        text_print(out, ".SH %s\n", first ? "DESCRIPTION" : text_words(&title));
        first = false;
        put_man_paragraphs(out, body.bytes);
    }
    text_string(out, ".SH SEE ALSO\n.BR teemap (1)\n");
    text_release(&title);
    text_release(&body);
}
