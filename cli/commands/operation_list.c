/* SPDX-License-Identifier: Zlib */
/*
 * operation_list.c - the table of operations in words. Knows no single operation.
 */
#include "operation_list.h"

#include "output/form.h"

/* How many of the words the name begins with or is: 0 if another one stands there. */
static int words_of_name(const char *name, const char *const *words, int num)
{
    int used = 0;
    while (*name) {
        const size_t size = strcspn(name, " ");
        if (used == num)
            break;
        if (strlen(words[used]) != size || strncmp(words[used], name, size) != 0)
            return 0;
        used++;
        name += size + (name[size] == ' ');
    }
    return used;
}

static bool is_whole_name(const char *name, int used)
{
    return used == (strchr(name, ' ') ? 2 : 1);
}

int operations_begin(const char *const *words, int num)
{
    for (int i = 0; i < num; i++) {
        const tm_edit_operation *row;
        if (strcmp(words[i], "+") == 0) /* it stands behind an operation; what is missing the parser tells */
            return i;
        for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
            if (words_of_name(row->name, words + i, 1))
                return i;
    }
    return num;
}

/* Whether all of the words are in the name, as far as it goes. */
static bool is_asked_for(const tm_edit_operation *row, const char *const *words, int num)
{
    return words_of_name(row->name, words, num < 2 ? num : 2) == num ||
           (num == 1 && strcmp(row->name, *words) == 0);
}

static json_t *json_argument(const tm_edit_argument *argument, bool explained)
{
    json_t *object =
        json_object(JSON_TEXT("name", argument->name), JSON_TEXT("type", tm_edit_type_name(argument->type)),
                    JSON_BOOL("optional", argument->optional), JSON_BOOL("inner", argument->inner),
                    JSON_BOOL("repeats", argument->repeats));
    if (argument->choices)
        json_add(object, "choices", json_texts(argument->choices));
    if (explained)
        json_add_text(object, "what", tm_edit_type_help(argument->type));
    return object;
}

static json_t *json_operation(const tm_edit_operation *row, bool explained)
{
    char usage[256];
    tm_edit_usage(row, usage, sizeof(usage));
    json_t *object = json_object(JSON_TEXT("operation", row->name), JSON_TEXT("usage", usage),
                                 JSON_TEXT("help", row->help), JSON_TEXT("changes", row->changes),
                                 JSON_TEXT("example", row->example));
    if (row->details)
        json_add_text(object, "more", row->details);
    json_t *arguments = json_add_array(object, "arguments");
    for (const tm_edit_argument *a = row->arguments; a->name; a++)
        json_append(arguments, json_argument(a, explained));
    return object;
}

void put_operations(text *out)
{
    text rows = {0};
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        form_line(&rows, "{{usage}}\t{{help}}\n", json_operation(row, false));
    text_columns(out, &rows, "l");
    text_release(&rows);
}

bool name_no_operation(char reason[NO_OPERATION_SIZE], const char *const *words, int num)
{
    const tm_edit_operation *row;
    char hint[64], first[64], best[64], word[61];
    tm_suggestion meant;
    snprintf(word, sizeof(word), "%s%s%s", words[0], num > 1 ? " " : "", num > 1 ? words[1] : "");
    tm_suggestion_begin(&meant, word);
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        tm_suggestion_try(&meant, row->name);
        snprintf(first, sizeof(first), "%.*s", (int)strcspn(row->name, " "), row->name);
        tm_suggestion_try(&meant, first);
        if (meant.best == first)
            meant.best = strcpy(best, first);
    }
    tm_suggestion_format(&meant, hint, sizeof(hint));
    snprintf(reason, NO_OPERATION_SIZE, "there is no operation '%s'%s", word,
             meant.best ? hint : "; 'teemap edit --operations' lists them");
    return meant.best;
}

static const char operation_form[] =
    "{{usage}}\n"
    "    {{help}}\n"
    "{{#more}}    {{.}}\n"
    "{{/}}    changes: {{changes}}\n"
    "{{=l}}{{#arguments}}    {{name}}\t{{#choices}}{{.}}{{|}}, {{/}}{{^choices}}{{what}}{{/}}{{#optional}}; may be "
    "left out{{/}}{{#inner}}; only after the one above{{/}}{{#repeats}}; one or more{{/}}\n"
    "{{/}}{{/}}    example: teemap edit in.map -o out.map {{example}}\n";

void explain_operations(text *out, const char *const *words, int num)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        if (!is_asked_for(row, words, num))
            continue;
        text_string(out, out->size ? "\n" : "");
        form_line(out, operation_form, json_operation(row, true));
    }
}

void put_operations_json(text *out, const char *const *words, int num)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        if (!num || is_asked_for(row, words, num))
            text_json_line(out, json_operation(row, false));
}

/* The word of a name that stands behind those given; NULL: none does. */
static const char *next_of_name(const tm_edit_operation *row, const char *const *words, int num)
{
    if (num == 0)
        return row->name;
    return words_of_name(row->name, words, num) == num && !is_whole_name(row->name, num)
               ? strchr(row->name, ' ') + 1
               : NULL;
}

/* Whether a row in front of the n-th gives this word, too. */
static bool was_given(uint32_t n, const char *word, const char *const *words, int num)
{
    const size_t size = strcspn(word, " ");
    for (uint32_t i = 0; i < n; i++) {
        const char *other = next_of_name(tm_edit_at(i), words, num);
        if (other && strcspn(other, " ") == size && strncmp(other, word, size) == 0)
            return true;
    }
    return false;
}

/* The words of names that may stand behind those given, each once. */
static void put_names(text *out, const char *const *words, int num)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        const char *word = next_of_name(row, words, num);
        if (word && !was_given(n, word, words, num))
            text_print(out, "%.*s\n", (int)strcspn(word, " "), word);
    }
}

/* The argument behind one that is left out; with it go those that stand only behind it. */
static const tm_edit_argument *without(const tm_edit_argument *argument)
{
    do
        argument++;
    while (argument->name && argument->inner);
    return argument;
}

/* The argument for which a word is taken: an optional one that has it as a choice, or the first without. */
static const tm_edit_argument *argument_of(const tm_edit_argument *first, const char *word)
{
    const tm_edit_argument *fallback = NULL;
    for (const tm_edit_argument *a = first; a->name; a = without(a)) {
        for (size_t i = 0; a->choices && a->choices[i]; i++)
            if (strcmp(a->choices[i], word) == 0)
                return a;
        fallback = fallback || a->choices ? fallback : a;
        if (!a->optional)
            break;
    }
    return fallback ? fallback : first;
}

/* The argument of an operation that comes behind others; NULL if there is none. */
static const tm_edit_argument *argument_behind(const tm_edit_operation *row, const char *const *words,
                                               int num)
{
    const tm_edit_argument *argument = row->arguments;
    for (int i = 0; i < num && argument->name; i++) {
        argument = argument_of(argument, words[i]);
        argument += !argument->repeats;
    }
    return argument->name ? argument : NULL;
}

static void put_argument(text *out, const tm_edit_argument *argument)
{
    static const tm_edit_type listed[] = {TM_EDIT_OBJECTS, TM_EDIT_GROUP, TM_EDIT_LAYERS, TM_EDIT_FILE,
                                          TM_EDIT_MAP};
    for (size_t i = 0; argument->choices && argument->choices[i]; i++)
        text_print(out, "%s\n", argument->choices[i]);
    for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++)
        if (argument->type == listed[i])
            text_print(out, "<%s>\n", tm_edit_type_name(argument->type));
}

/* Behind the words of one operation. The longest name that they begin with is meant. */
static void put_behind(text *out, const char *const *words, int num)
{
    const tm_edit_operation *row, *best = NULL;
    int used = 0;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        const int with = words_of_name(row->name, words, num);
        if (with > used && is_whole_name(row->name, with)) {
            best = row;
            used = with;
        }
    }
    if (num < 2)
        put_names(out, words, num);
    const tm_edit_argument *argument = best ? argument_behind(best, words + used, num - used) : NULL;
    for (const tm_edit_argument *a = argument; a && a->name; a = a->optional ? without(a) : NULL)
        put_argument(out, a);
    if (best && (!argument || argument->optional || (argument->repeats && num > used)))
        text_string(out, "+\n");
}

void put_next_words(text *out, const char *const *words, int num)
{
    int from = operations_begin(words, num);
    if (from == num) {
        text_string(out, "<map>\n");
        put_names(out, NULL, 0);
        return;
    }
    for (int i = from; i < num; i++)
        if (strcmp(words[i], "+") == 0)
            from = i + 1;
    put_behind(out, words + from, num - from);
}
