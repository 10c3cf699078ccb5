/* SPDX-License-Identifier: Zlib */
/*
 * Searching objects by name and fields, and texts. Fields compare as the texts that tm_value_format writes,
 * numbers also as ranges.
 */
#include "find.h"

/* Tells of a match of an object, or of a text in it. */
static void tell_match(finding_run *run, uint32_t pattern, tm_address address, const char *field,
                       const char *text, uint32_t index)
{
    const tm_match match = {
        .pattern = pattern, .address = address, .count = 1, .text = text, .field = field, .index = index};
    if (!run->ended)
        run->ended = !run->visit(run->ctx, &match);
}

/* ------------------------------------------------------------------------------------------------- fields */

enum { VALUE_SIZE = 256 };

/* Whether any of the field's values fits a text. */
static bool field_fits(const tm_map *map, const tm_field *field, const void *object, const char *text)
{
    const uint32_t num = tmi_field_present(field, object) ? tm_field_num(field, object) : 0;
    const char *end = text;
    int32_t from = INT32_MIN, to = INT32_MAX;
    int64_t min, max;
    bool fits = false;
    if (field->type == TM_TYPE_LIST)
        return false;
    const bool whole = field->type != TM_TYPE_FIXED && tmi_field_range(field, &min, &max);
    const bool range = whole && strstr(text, "..") && tmi_take_range(&from, &to, &end) && !*end;
    for (uint32_t i = 0; i < num && !fits; i++) {
        const tm_value value = tm_field_get(field, object, i);
        char written[VALUE_SIZE];
        if (range) {
            fits = value.as.number >= from && value.as.number <= to;
        } else if (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME) {
            fits = tmi_text_fits(text, value.as.text);
        } else {
            tm_value_format(written, sizeof(written), field, &value, map);
            fits = tmi_text_fits(text, written);
        }
    }
    return fits;
}

bool tmi_filters_fit(const tmi_filters *filters, const tm_map *map, tm_kind owner, const void *object)
{
    for (uint32_t i = 0; i < filters->num; i++) {
        tm_kind of = owner;
        const tm_field *field = tmi_field_of(&of, object, filters->list[i].name);
        if (!field || field_fits(map, field, object, filters->list[i].value) == filters->list[i].but)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------ objects and texts */

void tmi_find_objects(finding_run *run, const pattern_clause *clause, uint32_t pattern)
{
    const object_test *test = &clause->object;
    const tm_map *map = run->map;
    const bool all = clause->subject == SUBJECT_TEXTS; /* then objects are found by their names alone */
    size_t num;
    const tm_field *fields = tm_fields(&num, TM_KIND_INFO);
    tm_address address = {TM_KIND_MAP, 0, 0};
    for (size_t f = 0; f < num; f++) {
        const bool list = fields[f].type == TM_TYPE_TEXTS;
        const tm_address place = {list ? TM_KIND_SETTINGS : TM_KIND_INFO, 0, 0};
        if ((!list && fields[f].type != TM_TYPE_TEXT) ||
            (!all && clause->subject != (list ? SUBJECT_SETTINGS : SUBJECT_INFO)))
            continue;
        for (uint32_t i = 0; i < tm_field_num(&fields[f], &map->info); i++) {
            const char *text = tm_field_get(&fields[f], &map->info, i).as.text;
            if (text && tmi_text_fits(test->name, text) != clause->is_negated)
                tell_match(run, pattern, place, fields[f].name, text, i);
        }
    }
    while ((all || clause->subject == SUBJECT_OBJECTS) && tmi_next_object(map, &address)) {
        const uint32_t index = address.kind == TM_KIND_LAYER ? address.layer : address.index;
        const char *name = tmi_object_name(map, &address);
        tm_kind owner;
        const void *object = tmi_map_object(map, &address, &owner);
        if (!all && owner != test->owner)
            continue;
        const bool fits = all ? tmi_text_fits(test->name, name)
                              : tmi_element_fits(test->name, strlen(test->name), index, name) &&
                                    tmi_filters_fit(&test->filters, map, owner, object);
        if (fits != clause->is_negated)
            tell_match(run, pattern, address, "name", name ? name : "", 0);
    }
}
