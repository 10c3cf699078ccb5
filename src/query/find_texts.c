/* SPDX-License-Identifier: Zlib */
/*
 * Searching objects by name and fields, and texts. Fields compare as the texts that tm_value_format writes,
 * numbers also as ranges.
 */
#include "find.h"

/* A match of an object, or of a text in it. */
typedef struct object_match {
    finding_run *run;
    const object_test *test;
    uint32_t pattern;
} object_match;

static void tell_match(const object_match *of, tm_address at, const char *field, const char *text,
                       uint32_t index)
{
    const tm_match match = {
        .pattern = of->pattern, .address = at, .count = 1, .text = text, .field = field, .index = index};
    if (!of->run->ended)
        of->run->ended = !of->run->visit(of->run->ctx, &match);
}

/* ------------------------------------------------------------------------------------------------- fields */

enum { VALUE_SIZE = 256 };

static bool is_whole_number(const tm_field *field)
{
    int64_t min, max;
    return field->type != TM_TYPE_FIXED && tmi_field_range(field, &min, &max);
}

static bool value_fits(const tm_map *map, const tm_field *field, const tm_value *value, const char *text)
{
    char written[VALUE_SIZE];
    const char *end = text;
    int32_t from = INT32_MIN, to = INT32_MAX;
    if (is_whole_number(field) && strstr(text, "..") && tmi_take_range(&from, &to, &end) && !*end)
        return value->as.number >= from && value->as.number <= to;
    if (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME)
        return tmi_text_fits(text, value->as.text);
    tm_value_format(written, sizeof(written), field, value, map);
    return tmi_text_fits(text, written);
}

/* Whether any of the field's values fits a text. */
static bool field_fits(const tm_map *map, const tm_field *field, const void *object, const char *text)
{
    const uint32_t num = tmi_field_present(field, object) ? tm_field_num(field, object) : 0;
    if (field->type == TM_TYPE_LIST)
        return false;
    for (uint32_t i = 0; i < num; i++) {
        const tm_value value = tm_field_get(field, object, i);
        if (value_fits(map, field, &value, text))
            return true;
    }
    return false;
}

bool tmi_filters_fit(const tmi_filters *filters, const tm_map *map, tm_owner owner, const void *object)
{
    for (uint32_t i = 0; i < filters->num; i++) {
        tm_owner of = owner;
        const tm_field *field = tmi_field_of(&of, object, filters->list[i].name);
        if (!field || field_fits(map, field, object, filters->list[i].value) == filters->list[i].but)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ objects */

/* Tests one object; `all`: by its name alone, as a pattern text/... does. */
static void try_object(const object_match *of, tm_address at, bool all)
{
    const tm_map *map = of->run->map;
    const object_test *test = of->test;
    const uint32_t index = at.kind == TM_ADDRESS_LAYER ? at.layer : at.index;
    const char *name = tmi_object_name(map, &at);
    tm_owner owner;
    const void *object = tmi_map_object(map, &at, &owner);
    if (all ? tmi_text_fits(test->name, name)
            : owner == test->owner && tmi_element_fits(test->name, strlen(test->name), index, name) &&
                  tmi_filters_fit(&test->filters, map, owner, object))
        tell_match(of, at, "name", name ? name : "", 0);
}

/* -------------------------------------------------------------------------------------------------- texts */

static void try_texts(const object_match *of, bool info, bool settings)
{
    const tm_info *texts = &of->run->map->info;
    size_t num;
    const tm_field *fields = tm_fields(&num, TM_OWNER_INFO);
    for (size_t f = 0; f < num; f++) {
        const bool list = fields[f].type == TM_TYPE_TEXTS;
        if (list ? !settings : !info || fields[f].type != TM_TYPE_TEXT)
            continue;
        for (uint32_t i = 0; i < tm_field_num(&fields[f], texts); i++) {
            const char *text = tm_field_get(&fields[f], texts, i).as.text;
            if (text && tmi_text_fits(of->test->name, text))
                tell_match(of, (tm_address){list ? TM_ADDRESS_SETTINGS : TM_ADDRESS_INFO, 0, 0},
                           fields[f].name, text, i);
        }
    }
}

void tmi_find_objects(finding_run *run, const pattern_clause *clause, uint32_t pattern)
{
    const object_match of = {run, &clause->object, pattern};
    const bool all = clause->subject == SUBJECT_TEXTS;
    tm_address at = {TM_ADDRESS_MAP, 0, 0};
    try_texts(&of, all || clause->subject == SUBJECT_INFO, all || clause->subject == SUBJECT_SETTINGS);
    while ((all || clause->subject == SUBJECT_OBJECTS) && tmi_next_object(run->map, &at))
        try_object(&of, at, all);
}
