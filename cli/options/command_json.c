/* SPDX-License-Identifier: Zlib */
/* command_json.c - see command_json.h. Knows no single command. */
#include "command_json.h"

#include "help.h"

json_t *json_paragraphs(const char *string)
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

/* Takes the text over. */
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
                 JSON_BOOL("layers", row->type == OPTION_LAYERS));
    add_gathered(object, "values", &values);
    add_gathered(object, "range", &range);
    return object;
}

/* Those of a group, or with `group` -1 all. */
static json_t *json_options(const command *of, int group)
{
    const option_row *row;
    json_t *list = json_array();
    for (size_t i = 0; (row = command_option(of, i)); i++)
        if (group < 0 || row->group == (option_group)group)
            json_append(list, json_option(row));
    return list;
}

static void add_operands(json_t *object, const command *of)
{
    static const char *const kinds[OPERAND_FOLDER + 1] = {
        [OPERAND_ADDRESS] = "address", [OPERAND_TOPIC] = "topic", [OPERAND_STEP] = "step"};
    const operand_kind kind = of->operands[0] == OPERAND_TOPIC ? OPERAND_TOPIC : command_operand(of, 1);
    json_add_bool(object, of->actions ? "action" : kinds[kind] ? kinds[kind] : "maps", true);
    if (of->actions)
        json_add_all(object, JSON_VALUE("actions", json_texts(of->actions)),
                     JSON_VALUE("endings", json_texts(of->endings)));
}

void json_add_statuses(json_t *object, const command *of)
{
    json_t *list = json_add_array(object, "statuses");
    for (int status = 0; status <= 2; status++) {
        text meaning = {0};
        json_t *one = json_make();
        json_add_int(one, "status", status);
        const bool ends_so = put_status_meaning(&meaning, of, status);
        add_gathered(one, "meaning", &meaning);
        if (ends_so)
            json_append(list, one);
        else
            json_free(one);
    }
}

json_t *json_command(const command *of)
{
    const bool grouped = command_has_groups(of);
    json_t *object = json_make(), *groups = json_add_array(object, "groups"),
           *examples = json_add_array(object, "examples");
    json_add_all(object, JSON_TEXT("command", of->name), JSON_TEXT("summary", of->summary),
                 JSON_VALUE("usages", json_texts(of->usages)), JSON_TEXT("text", of->text),
                 JSON_VALUE("paragraphs", json_paragraphs(of->text)),
                 JSON_VALUE("options", json_options(of, -1)));
    for (int g = grouped ? 0 : -1; g < (grouped ? GROUP_COUNT : 0); g++) {
        json_t *group = json_make(), *options = json_options(of, g);
        json_add_text(group, "title", grouped ? option_group_name((option_group)g) : "Options");
        json_add(group, "options", options);
        if (options->num)
            json_append(groups, group);
        else
            json_free(group);
    }
    json_add_bool(object, "grouped", grouped);
    for (const example *one = of->examples; one < of->examples + MAX_EXAMPLES && one->line; one++)
        json_append(examples, json_object(JSON_TEXT("line", one->line), JSON_TEXT("text", one->text)));
    json_add_statuses(object, of);
    json_add_bool(object, "searches_images", of->searches_images);
    add_operands(object, of);
    return object;
}

json_t *json_all_commands(void)
{
    json_t *object = json_make(), *list = json_add_array(object, "commands"),
           *pages = json_add_array(object, "documents"), *topics = json_add_array(object, "topics");
    tm_finding_id id;
    for (size_t i = 0; commands[i]; i++)
        json_append(list, json_command(commands[i]));
    for (const document *one = documents; one->name; one++) {
        json_append(pages, json_string(one->name));
        json_append(topics, json_string(one->name));
    }
    for (size_t i = 0; tm_finding_at(&id, i); i++)
        json_append(topics, json_string(tm_finding_name(id)));
    return object;
}
