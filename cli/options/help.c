/* SPDX-License-Identifier: Zlib */
/*
 * help.c - commands as JSON, and from it help texts for a terminal of 80 columns (help.form), manual pages
 * (manual.roff) and completion scripts for bash, zsh and fish. Knows no single command. The scripts hold the
 * words of the library's tables (rules and sets of lint, mods, names of tiles), and run
 * teemap ls only for the addresses of a map, and teemap edit --operations --next for the words of operations;
 * a map's names are never expanded by the shell.
 */
#include "help.h"

#include "output/form.h"

#define COLUMNS 80
#define MEANING 26 /* column of the meanings in lists and of the texts of options */
/* More options than these are printed under headings. */
#define FEW_OPTIONS 14

/* --------------------------------------------------------------------------------------------------- JSON */

/* The paragraphs of a help text as a list of {"text"}; an item of a list is {"term", "text"}. */
static json_t *json_paragraphs(const char *string)
{
    json_t *list = json_array();
    while (*string) {
        const size_t length = strcspn(string, "\n"), term = strcspn(string, "\t\n"),
                     begin = term < length ? term + 1 : 0;
        json_t *paragraph = json_make();
        if (begin)
            json_add(paragraph, "term", json_stringn(string, term));
        json_add(paragraph, "text", json_stringn(string + begin, length - begin));
        if (length)
            json_append(list, paragraph);
        else
            json_free(paragraph);
        string += length + (string[length] == '\n');
    }
    return list;
}

/* Adds a text that was gathered word by word, and releases it. */
static void add_gathered(json_t *object, const char *key, text *words)
{
    json_add_text(object, key, text_words(words));
    text_release(words);
}

static json_t *json_option(const option_row *row)
{
    json_t *object = json_make();
    text values = {0}, range = {0};
    option_put_values(&values, row);
    option_put_range(&range, row);
    json_add_all(object, JSON_TEXT("letter", ((const char[]){row->letter, '\0'})),
                 JSON_TEXT("name", row->name), JSON_TEXT("value", row->value), JSON_TEXT("text", row->text),
                 JSON_BOOL("takes", option_takes_value(row)), JSON_BOOL("needs", option_needs_value(row)),
                 JSON_BOOL("listed", values.size && row->type != OPTION_INTEGER &&
                                         row->type != OPTION_YES_NO && row->type != OPTION_COLOR),
                 JSON_BOOL("path", option_is_path(row)), JSON_BOOL("file", row->type == OPTION_FILE),
                 JSON_BOOL("layers", row->type == OPTION_LAYERS), JSON_TEXT("list", row->list));
    add_gathered(object, "values", &values);
    add_gathered(object, "range", &range);
    return object;
}

static json_t *json_options(const cli_command *command)
{
    const option_row *row;
    json_t *list = json_array();
    for (size_t i = 0; (row = command_option(command, i)); i++)
        json_append(list, json_option(row));
    return list;
}

/* {"title": "Output", "options": [...]}; nothing if a command has no option of the group. */
static void json_add_group(json_t *groups, const cli_command *command, option_group group, const char *title)
{
    const option_row *row;
    json_t *list = json_array();
    for (size_t i = 0; (row = command_option(command, i)); i++)
        if (row->group == group)
            json_append(list, json_option(row));
    if (list->num)
        json_append(groups, json_object(JSON_TEXT("title", title), JSON_VALUE("options", list)));
    else
        json_free(list);
}

static void add_operands(json_t *object, const cli_command *command)
{
    static const char *const kinds[OPERAND_FOLDER + 1] = {[OPERAND_ADDRESS] = "address",
                                                          [OPERAND_TOPIC] = "topic",
                                                          [OPERAND_STEP] = "step",
                                                          [OPERAND_PATTERN] = "pattern"};
    const operand_kind first = command->operands[0], kind = first == OPERAND_TOPIC || first == OPERAND_PATTERN
                                                                ? first
                                                                : command_operand(command, 1);
    json_add_bool(object, command->actions ? "action" : kinds[kind] ? kinds[kind] : "maps", true);
    if (command->actions)
        json_add_all(object, JSON_VALUE("actions", json_texts(command->actions)),
                     JSON_VALUE("endings", json_texts(command->endings)));
}

/* "statuses": what the exit statuses of a command (NULL: of any) mean; `findings` NULL: it reports none. */
static void json_add_statuses(json_t *object, const cli_command *command, const char *findings)
{
    const char *damage =
        command && command->operands[0] && command_find_option(command, "mode") ? "a map is damaged" : "";
    char *report_meaning =
        must_print("%s%s%s", findings ? findings : "", findings && *damage ? "; or " : "", damage);
    const char *const meanings[] = {
        "success, nothing to report", report_meaning,
        "error: an input could not be read, an output could not be written, or the command line is wrong"};
    json_t *list = json_add_array(object, "statuses");
    for (int status = 0; status <= 2; status++)
        if (*meanings[status])
            json_append(list,
                        json_object(JSON_INT("status", status), JSON_TEXT("meaning", meanings[status])));
    free(report_meaning);
}

/*
 * A list of {"line"}: the lines of a help file that begin with four spaces. A line that begins with eight is
 * the "text" of the one above, which it explains.
 */
static json_t *json_code(const char *body)
{
    json_t *list = json_array();
    for (const char *cursor = body; *cursor; cursor = strchr(cursor, '\n') + 1) {
        const bool explains = strncmp(cursor, "        ", 8) == 0;
        cursor += explains ? 8 : 4;
        json_t *words = json_stringn(cursor, strcspn(cursor, "\n"));
        if (explains)
            json_add(list->last, "text", words);
        else
            json_append(list, json_object(JSON_VALUE("line", words)));
    }
    return list;
}

json_t *json_command_help(const cli_command *command)
{
    const char *rest = (const char *)command->help;
    text title = {0}, body = {0};
    json_t *object = json_object(JSON_TEXT("command", command->name));
    document_next_section(&rest, &title, &body);
    json_add_all(object, JSON_TEXT("summary", title.bytes + strlen("teemap : ") + strlen(command->name)),
                 JSON_VALUE("text", json_stringn(body.bytes, body.size - 1)),
                 JSON_VALUE("paragraphs", json_paragraphs(body.bytes)));
    while (document_next_section(&rest, &title, &body))
        if (strcmp(title.bytes, "Usage") == 0)
            json_add(object, "usages", json_code(body.bytes));
        else if (strcmp(title.bytes, "Examples") == 0)
            json_add(object, "examples", json_code(body.bytes));
        else
            json_add(object, "findings", json_stringn(body.bytes, body.size - 1));
    text_release(&title);
    text_release(&body);
    return object;
}

static json_t *json_command(const cli_command *command)
{
    static const char *const titles[GROUP_COUNT] = {
        [GROUP_OUTPUT] = "Output", [GROUP_PART] = "What part",  [GROUP_DRAWN] = "What is drawn",
        [GROUP_IMAGES] = "Images", [GROUP_RUNNING] = "Running",
    };
    json_t *object = json_command_help(command), *groups = json_add_array(object, "groups"),
           *options = json_options(command);
    const bool grouped = options->num > FEW_OPTIONS;
    json_add(object, "options", options);
    for (int g = 0; grouped && g < GROUP_COUNT; g++)
        json_add_group(groups, command, (option_group)g, titles[g]);
    if (!grouped && options->num)
        json_append(groups,
                    json_object(JSON_TEXT("title", "Options"), JSON_VALUE("options", json_options(command))));
    json_add_bool(object, "grouped", grouped);
    json_add_statuses(object, command, json_text_of(tm_json_get(object, "findings")));
    json_add_bool(object, "searches_images", command->searches_images);
    add_operands(object, command);
    return object;
}

/* The words of a list of which options and operands name some, once each. */
typedef struct word_source {
    const char *name;
    const char *(*word)(uint32_t n); /* NULL: the last one was before */
    const char *const *further;      /* also offered; NULL: none */
} word_source;

static const char *rule_word(uint32_t n)
{
    const tm_lint_rule *rule = tm_lint_rule_at(n);
    return rule ? tm_lint_rule_name(rule) : NULL;
}

static const char *set_word(uint32_t n)
{
    return n < TM_LINT_SETS ? tm_lint_set_name((uint32_t)1 << n) : NULL;
}

static const char *mod_word(uint32_t n)
{
    const tm_mod *mod = tm_mod_at(n);
    return mod ? mod->name : NULL;
}

static const char *tile_word(uint32_t n)
{
    const tm_tile_info *tile = tm_game_tile_at(n);
    return tile ? tile->id : NULL;
}

static bool has_word(const json_t *list, const char *word)
{
    for (const json_t *other = list->first; other; other = other->next)
        if (strcmp(json_text_of(other), word) == 0)
            return true;
    return false;
}

static json_t *json_word_lists(void)
{
    static const char *const sets[] = {"all", NULL}, *const patterns[] = {
                                                         "air",       "unknown",   "category=", "image/",
                                                         "sound/",    "envelope/", "group/",    "layer/",
                                                         "settings/", "info/",     "text/",     NULL};
    static const word_source sources[] = {{"rules", rule_word, NULL},
                                          {"sets", set_word, sets},
                                          {"mods", mod_word, NULL},
                                          {"patterns", tile_word, patterns}};
    json_t *lists = json_array();
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
        json_t *words = json_array();
        const char *word;
        for (uint32_t n = 0; (word = sources[i].word(n)); n++)
            if (!has_word(words, word))
                json_append(words, json_string(word));
        for (const char *const *other = sources[i].further; other && *other; other++)
            if (!has_word(words, *other))
                json_append(words, json_string(*other));
        json_append(lists, json_object(JSON_TEXT("source", sources[i].name), JSON_VALUE("words", words)));
    }
    return lists;
}

static json_t *json_all_commands(void)
{
    json_t *object = json_make(), *list = json_add_array(object, "commands"),
           *pages = json_add_array(object, "documents"), *topics = json_add_array(object, "topics");
    tm_finding_id id;
    json_add(object, "lists", json_word_lists());
    for (size_t i = 0; commands[i]; i++)
        json_append(list, json_command(commands[i]));
    for (const cli_document *document = documents; document->name; document++) {
        json_append(pages,
                    json_object(JSON_TEXT("name", document->name), JSON_TEXT("summary", document->summary)));
        json_append(topics, json_string(document->name));
    }
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        json_append(topics, json_string(tm_finding_name(id)));
    return object;
}

/* --------------------------------------------------------------------------------------------------- help */

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

/* Puts paragraphs, with the items of lists indented. */
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

/* help.form and overview.form; each ends with a NUL */
extern const unsigned char help_form[], overview_form[];

void put_help(text *out, const cli_command *command)
{
    text filled = {0};
    json_t *values = json_command(command);
    form_put(&filled, (const char *)help_form, values, text_string);
    put_help_paragraphs(out, filled.bytes);
    text_string(out, "\nExit status\n");
    for (const json_t *status = tm_json_get(values, "statuses")->first; status; status = status->next) {
        text_print(out, "  %" PRId64 "  ", json_integer_of(tm_json_get(status, "status")));
        put_wrapped(out, json_text_of(tm_json_get(status, "meaning")), 5, 5);
    }
    form_put(out, "\nExamples\n{{#examples}}  {{line}}\n      {{text}}\n{{/}}", values, text_string);
    json_free(values);
    text_release(&filled);
}

void put_overview(text *out)
{
    text filled = {0}; /* without columns, at which lists would be broken */
    json_t *values = json_all_commands();
    form_put(&filled, (const char *)overview_form, values, text_string);
    text_put(out, filled.bytes, filled.size);
    text_release(&filled);
    json_free(values);
}

/* --------------------------------------------------------------------------------------------- documents */

void put_document(text *out, const cli_document *document)
{
    const char *rest = (const char *)document->markdown;
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
static const cli_document *explaining_document(text *meaning, const char *id)
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
    const cli_document *document = explaining_document(&meaning, id);
    if (document) {
        text_print(out, "%s\n\n", id);
        put_help_paragraphs(out, text_words(&meaning));
        text_print(out, "\n'teemap help %s' explains these terms and all other findings.\n", document->name);
    }
    text_release(&meaning);
    return document;
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

void put_man(text *out, const cli_command *command)
{
    json_t *values = json_command(command);
    put_man_page(out, values, command->name, 1, json_text_of(tm_json_get(values, "summary")));
}

void put_main_man(text *out)
{
    json_t *values = json_all_commands();
    json_add_statuses(values, NULL, "findings, losses or damage to report");
    json_add_bool(values, "main", true);
    json_add_bool(values, "searches_images", true);
    put_man_page(out, values, "", 1, "read, show, check and write maps of Teeworlds and DDNet");
}

void put_man_document(text *out, const cli_document *document)
{
    const char *rest = (const char *)document->markdown;
    text title = {0}, body = {0};
    json_t *values = json_make(), *sections = json_add_array(values, "sections");
    while (document_next_section(&rest, &title, &body))
        json_append(sections,
                    json_object(JSON_TEXT("heading", sections->num ? text_words(&title) : "DESCRIPTION"),
                                JSON_VALUE("paragraphs", json_paragraphs(body.bytes))));
    put_man_page(out, values, document->name, 7, document->summary);
    text_release(&title);
    text_release(&body);
}

/* -------------------------------------------------------------------------------------------- completion */

/* completion.bash and so on; each ends with a NUL */
extern const unsigned char completion_bash[], completion_zsh[], completion_fish[];

const option_choice shell_choices[] = {
    {"bash", SHELL_BASH, false}, {"zsh", SHELL_ZSH, false}, {"fish", SHELL_FISH, false}, {NULL, 0, false}};

/* Escapes a text within '...[...]', as zsh's _arguments takes it. */
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
    json_t *values = json_all_commands();
    form_put(out, (const char *)shells[number].script, values, shells[number].escape);
    json_free(values);
}
