/* SPDX-License-Identifier: Zlib */
/*
 * Searching objects by name and fields, and texts. Fields compare as the texts that tm_value_format writes,
 * numbers also as ranges.
 */
#include "find.h"
#include "tile_parts.h"

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

/* "5..9", "5..", "..9" */
static bool number_in_range(const char *text, int64_t number, bool *is_range)
{
    int32_t from = INT32_MIN, to = INT32_MAX;
    *is_range = true;
    if (strncmp(text, "..", 2) != 0 && !tmi_take_number(&from, &text))
        return *is_range = false;
    if (strncmp(text, "..", 2) != 0)
        return *is_range = false;
    text += 2;
    if (*text && !tmi_take_number(&to, &text))
        return *is_range = false;
    *is_range = !*text;
    return *is_range && number >= from && number <= to;
}

static bool is_whole_number(const tm_field *field)
{
    int64_t min, max;
    return field->type != TM_TYPE_FIXED && tmi_field_range(field, &min, &max);
}

static bool value_fits(const tm_map *map, const tm_field *field, const tm_value *value, const char *text)
{
    char written[VALUE_SIZE];
    bool is_range = false;
    if (is_whole_number(field)) {
        const bool fits = number_in_range(text, value->as.number, &is_range);
        if (is_range)
            return fits;
    }
    if (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME)
        return text_fits_pattern(text, value->as.text);
    tm_value_format(written, sizeof(written), field, value, map);
    return text_fits_pattern(text, written);
}

/* Any of the field's values. */
static bool field_fits(const tm_map *map, const tm_field *field, const void *object, const char *text)
{
    const uint32_t num = tm_field_present(field, object) ? tm_field_num(field, object) : 0;
    if (field->type == TM_TYPE_LIST)
        return false;
    for (uint32_t i = 0; i < num; i++) {
        const tm_value value = tm_field_get(field, object, i);
        if (value_fits(map, field, &value, text))
            return true;
    }
    return false;
}

static const tm_field *field_of(tm_owner owner, const void *object, const char *name)
{
    const tm_field *field = tm_field_find(owner, name);
    if (field || owner != TM_OWNER_LAYER)
        return field;
    const tm_owner more = tm_owner_of_layer(((const tm_layer *)object)->kind);
    return more != TM_OWNER_COUNT ? tm_field_find(more, name) : NULL;
}

bool tmi_field_filter_fits(const tmi_field_filter *filter, const tm_map *map, tm_owner owner,
                           const void *object)
{
    const tm_field *field = field_of(owner, object, filter->name);
    return field && field_fits(map, field, object, filter->value) != filter->but;
}

static void try_object(const object_match *of, tm_address at, const void *object, const char *name)
{
    const object_test *test = of->test;
    if (!text_fits_pattern(test->name, name))
        return;
    for (uint32_t i = 0; i < test->num_fields; i++)
        if (!tmi_field_filter_fits(&test->fields[i], of->run->map, test->owner, object))
            return;
    tell_match(of, at, "name", name ? name : "", 0);
}

/* ------------------------------------------------------------------------------------------------ objects */

static void try_images(const object_match *of)
{
    const tm_map *map = of->run->map;
    for (uint32_t i = 0; i < map->num_images; i++)
        try_object(of, (tm_address){TM_ADDRESS_IMAGE, i, 0}, &map->images[i], map->images[i].name);
}

static void try_sounds(const object_match *of)
{
    const tm_map *map = of->run->map;
    for (uint32_t i = 0; i < map->num_sounds; i++)
        try_object(of, (tm_address){TM_ADDRESS_SOUND, i, 0}, &map->sounds[i], map->sounds[i].name);
}

static void try_envelopes(const object_match *of)
{
    const tm_map *map = of->run->map;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        try_object(of, (tm_address){TM_ADDRESS_ENVELOPE, i, 0}, &map->envelopes[i], map->envelopes[i].name);
}

static void try_groups(const object_match *of)
{
    const tm_map *map = of->run->map;
    for (uint32_t i = 0; i < map->num_groups; i++)
        try_object(of, (tm_address){TM_ADDRESS_GROUP, i, 0}, &map->groups[i], map->groups[i].name);
}

static void try_layers(const object_match *of)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(of->run->map, &at))
        try_object(of, (tm_address){TM_ADDRESS_LAYER, at.group, at.index}, at.layer, at.layer->name);
}

static const struct {
    tm_owner owner;
    void (*try)(const object_match *of);
} kinds[] = {{TM_OWNER_IMAGE, try_images},
             {TM_OWNER_SOUND, try_sounds},
             {TM_OWNER_ENVELOPE, try_envelopes},
             {TM_OWNER_GROUP, try_groups},
             {TM_OWNER_LAYER, try_layers}};

/* -------------------------------------------------------------------------------------------------- texts */

static void try_settings(const object_match *of)
{
    const tm_info *info = &of->run->map->info;
    for (uint32_t i = 0; i < info->num_settings; i++)
        if (info->settings[i] && text_fits_pattern(of->test->name, info->settings[i]))
            tell_match(of, (tm_address){TM_ADDRESS_SETTINGS, 0, 0}, "settings", info->settings[i], i);
}

static void try_info(const object_match *of)
{
    const tm_info *info = &of->run->map->info;
    const struct {
        const char *field, *text;
    } texts[] = {{"author", info->author},
                 {"version", info->version},
                 {"credits", info->credits},
                 {"license", info->license}};
    for (size_t i = 0; i < TMI_COUNT_OF(texts); i++)
        if (texts[i].text && text_fits_pattern(of->test->name, texts[i].text))
            tell_match(of, (tm_address){TM_ADDRESS_INFO, 0, 0}, texts[i].field, texts[i].text, 0);
}

tm_status tmi_find_objects(finding_run *run, const pattern_clause *clause, uint32_t pattern, tm_error *error)
{
    const object_match of = {run, &clause->object, pattern};
    const bool all = clause->subject == SUBJECT_TEXTS;
    (void)error;
    if (all || clause->subject == SUBJECT_INFO)
        try_info(&of);
    if (all || clause->subject == SUBJECT_SETTINGS)
        try_settings(&of);
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++)
        if (all || (clause->subject == SUBJECT_OBJECTS && clause->object.owner == kinds[i].owner))
            kinds[i].try(&of);
    return TM_OK;
}

void tmi_find_setting_numbers(bool has[256], bool *any, const tm_map *map, const char *name)
{
    for (uint32_t i = 0; i < map->info.num_settings; i++) {
        const char *text = map->info.settings[i];
        tmi_setting_number number;
        size_t from = 0;
        if (!text || !text_fits_pattern(name, text))
            continue;
        *any = true;
        while (tmi_setting_next(&number, text, &from))
            if (number.number < 256)
                has[number.number] = true;
    }
}
