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

static void put_option(text *out, const command_option *row)
{
    const option_rule *rule = &option_rules[row->id];
    text_string(out, ".TP\n");
    if (rule->letter)
        text_print(out, "\\fB\\-%c\\fR, ", rule->letter);
    text_string(out, "\\fB\\-\\-");
    put_roff_string(out, rule->name);
    text_string(out, "\\fR");
    if (rule->value)
        text_print(out, "%s\\fI%s\\fR", option_needs_value(rule) ? " " : "", rule->value);
    text_put(out, "\n", 1);
    put_roff_string(out, option_text(row));
    if (rule->value && rule->choices && rule->choices[0] != '@') {
        text_print(out, "\n.br\n\\fI%s\\fR: ", rule->value);
        put_roff_string(out, rule->choices);
    }
    text_put(out, "\n", 1);
}

static void put_man_title(text *out, const char *name, const char *summary)
{
    char upper[40];
    snprintf(upper, sizeof(upper), "%s", name);
    for (char *c = upper; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    text_print(out, ".TH \"%s\" 1 \"\" \"teemap %s\" \"teemap\"\n.SH NAME\n", upper, tm_version());
    put_roff_string(out, name);
    text_string(out, " \\- ");
    put_roff_string(out, summary);
    text_put(out, "\n", 1);
}

static void put_status(text *out)
{
    text_string(
        out,
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\neverything was done\n"
        ".TP\n.B 1\nthere are findings of severity error (check only)\n"
        ".TP\n.B 2\nsomething could not be read, written or understood; the other files were worked on\n");
}

static void put_command_page(text *out, const command *of)
{
    char name[40];
    snprintf(name, sizeof(name), "teemap-%s", of->name);
    put_man_title(out, name, of->summary);
    text_string(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; of->usages[i]; i++) {
        text_print(out, "%s\\fBteemap %s\\fR ", i ? ".br\n" : "", of->name);
        put_roff_string(out, of->usages[i]);
        text_put(out, "\n", 1);
    }
    text_string(out, ".SH DESCRIPTION\n");
    put_man_paragraphs(out, of->text);
    text_string(out, ".SH OPTIONS\n");
    for (const command_option *row = of->options; row->id != OPTION_END; row++)
        if (!option_rules[row->id].hidden)
            put_option(out, row);
    put_option(out, command_takes(of, OPTION_HELP));
    text_string(out, ".SH EXAMPLES\n");
    for (const example *one = of->examples; one->line; one++) {
        text_string(out, ".TP\n.B teemap ");
        put_roff_string(out, one->line);
        text_put(out, "\n", 1);
        put_roff_string(out, one->text);
        text_put(out, "\n", 1);
    }
    put_status(out);
    text_string(out, ".SH SEE ALSO\n.BR teemap (1)\n");
}

static void put_main_page(text *out)
{
    put_man_title(out, "teemap", "read, show, check and write maps of Teeworlds and DDNet");
    text_string(
        out,
        ".SH SYNOPSIS\n\\fBteemap\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n"
        ".SH DESCRIPTION\n"
        "teemap reads every map that the games read, shows what is inside, and writes it back with nothing "
        "lost.\n"
        "Results go to standard output, everything else to standard error.\n"
        "A lone \\- stands for standard input or output.\n"
        ".SH COMMANDS\n");
    for (size_t i = 0; i < num_commands; i++) {
        text_print(out, ".TP\n.BR teemap\\-%s (1)\n", commands[i].name);
        put_roff_string(out, commands[i].summary);
        text_put(out, "\n", 1);
    }
    text_string(out, ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nexplain teemap, or a command\n"
                     ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version\n"
                     ".TP\n\\fB\\-\\-\\fR\nwhat follows is an operand, even if it begins with \\-\n");
    put_status(out);
}

void put_man(text *out, const command *of)
{
    if (of)
        put_command_page(out, of);
    else
        put_main_page(out);
}
