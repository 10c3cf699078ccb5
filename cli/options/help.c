/* SPDX-License-Identifier: Zlib */
/*
 * help.c - help texts for a terminal of 80 columns, manual pages (manual.roff) and completion scripts for
 * bash, zsh and fish, from the table of commands. Knows no single command. The scripts run teemap ls only for
 * the addresses of a map, and teemap edit --operations --next for the words of operations; a map's names are
 * never expanded by the shell.
 */
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

/* ------------------------------------------------------------------------------------------ manual pages */

/* manual.roff; ends with a NUL */
extern const unsigned char manual_page[];

/*
 * Roff reads a backslash as an escape, a dot or quote at the start of a line as a request, and may turn -
 * into another dash.
 */
static void put_roff(text *out, const char *string)
{
    bool start = true;
    for (; *string; string++) {
        if (start && (*string == '.' || *string == '\''))
            text_string(out, "\\&");
        text_string(out, *string == '\\' ? "\\e" : *string == '-' ? "\\-" : (char[2]){*string, '\0'});
        start = *string == '\n';
    }
}

/* Fills the page with values, which it takes over. */
static void put_man_page(text *out, json_t *values, const char *name, int section, const char *summary)
{
    char page[40], upper[40];
    snprintf(page, sizeof(page), "teemap%s%s", *name ? "-" : "", name);
    for (size_t i = 0; i <= strlen(page); i++)
        upper[i] = page[i] >= 'a' && page[i] <= 'z' ? (char)(page[i] - 'a' + 'A') : page[i];
    json_add_all(values, JSON_TEXT("page", page), JSON_TEXT("title", upper), JSON_INT("section", section),
                 JSON_TEXT("about", summary), JSON_TEXT("version", tm_version()));
    form_put(out, (const char *)manual_page, values, put_roff);
    json_free(values);
}

void put_man(text *out, const command *of)
{
    if (of) {
        put_man_page(out, json_command(of), of->name, 1, of->summary);
        return;
    }
    json_t *all = json_all_commands();
    json_add_statuses(all, NULL);
    json_add_bool(all, "main", true);
    json_add_bool(all, "searches_images", true);
    put_man_page(out, all, "", 1, "read, show, check and write maps of Teeworlds and DDNet");
}

void put_man_document(text *out, const document *of)
{
    const char *rest = (const char *)of->markdown;
    text title = {0}, body = {0};
    json_t *values = json_make(), *sections = json_add_array(values, "sections");
    while (document_next_section(&rest, &title, &body))
        json_append(sections,
                    json_object(JSON_TEXT("heading", sections->num ? text_words(&title) : "DESCRIPTION"),
                                JSON_VALUE("paragraphs", json_paragraphs(body.bytes))));
    put_man_page(out, values, of->name, 7, of->summary);
    text_release(&title);
    text_release(&body);
}

/* -------------------------------------------------------------------------------------------- completion */

/* completion.bash and so on; each ends with a NUL */
extern const unsigned char completion_bash[], completion_zsh[], completion_fish[];

const option_choice shell_choices[] = {
    {"bash", SHELL_BASH, false}, {"zsh", SHELL_ZSH, false}, {"fish", SHELL_FISH, false}, {NULL, 0, false}};

/* Inside '...[...]' of _arguments. */
static void put_zsh_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (strchr("[]:\\", *string))
            text_put(out, "\\", 1);
        text_string(out, *string == '\'' ? "'\\''" : (char[2]){*string, '\0'});
    }
}

static void put_fish_text(text *out, const char *string)
{
    for (; *string; string++) {
        if (*string == '\'' || *string == '\\')
            text_put(out, "\\", 1);
        text_put(out, string, 1);
    }
}

void put_completion(text *out, int number)
{
    static const struct {
        const unsigned char *script;
        form_escape *escape;
    } shells[] = {[SHELL_BASH] = {completion_bash, text_string},
                  [SHELL_ZSH] = {completion_zsh, put_zsh_text},
                  [SHELL_FISH] = {completion_fish, put_fish_text}};
    json_t *all = json_all_commands();
    form_put(out, (const char *)shells[number].script, all, shells[number].escape);
    json_free(all);
}
