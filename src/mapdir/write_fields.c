/* SPDX-License-Identifier: Zlib */
/*
 * An object's fields as members of JSON, in the order and nesting of the table of fields, which is all
 * that is known here of any object. Numbers and truths stand as such, what is not there as null,
 * everything else as the text that tm_value_format writes; references by the names that objects have in
 * the folder.
 */
#include "mapdir.h"

enum { VALUE_SIZE = 320, SHOWN_ALWAYS = 3 };

void tmi_members_open(tmi_members *m, tmi_out *to, const tmi_names *names)
{
    memset(m, 0, sizeof(*m));
    m->to = to;
    m->names = names;
    tmi_out_raw(to, "{", 1);
}

void tmi_members_key(tmi_members *m, const char *key)
{
    if (m->inner)
        tmi_out_string(m->to, m->inner_begun ? ", " : "");
    else if (m->inline_form)
        tmi_out_string(m->to, m->begun ? ", " : "");
    else
        tmi_out_string(m->to, m->begun ? ",\n  " : "\n  ");
    if (m->inner)
        m->inner_begun = true;
    m->begun = true;
    tmi_out_raw(m->to, "\"", 1);
    tmi_out_string(m->to, key);
    tmi_out_string(m->to, "\": ");
}

void tmi_members_close(tmi_members *m)
{
    tmi_out_string(m->to, m->inline_form ? "}" : "\n}\n");
}

/* ------------------------------------------------------------------------------------------------- values */

static void put_reference(const tmi_members *m, const tm_field *field, int64_t index)
{
    char number[24];
    const bool leads =
        index >= 0 && (unsigned)field->refers < (unsigned)TMI_LISTS && index < m->names->num[field->refers];
    tmi_format(number, sizeof(number), "%lld", (long long)index);
    if (index == TM_NONE) {
        tmi_out_string(m->to, "null");
        return;
    }
    tmi_out_raw(m->to, "\"", 1);
    tmi_out_string(m->to, tmi_object_names[field->refers]);
    tmi_out_raw(m->to, "/", 1);
    tmi_out_string(m->to, leads ? m->names->of[field->refers][index] : number);
    tmi_out_raw(m->to, "\"", 1);
}

/* A text; bytes that are no UTF-8 stand in a member of their own, as in all JSON of this project. */
static void put_text(tmi_members *m, const char *key, const char *text)
{
    char exact[TMI_KEY_SIZE];
    if (!text) {
        tmi_out_string(m->to, "null");
        return;
    }
    if (tmi_out_quoted(m->to, text))
        return;
    tmi_format(exact, sizeof(exact), "%s_bytes", key);
    tmi_members_key(m, exact);
    tmi_out_raw(m->to, "\"", 1);
    tmi_out_hex(m->to, text, strlen(text));
    tmi_out_raw(m->to, "\"", 1);
}

static bool is_bare(const tm_field *field, const char *text)
{
    switch (field->type) {
    case TM_TYPE_INT:
    case TM_TYPE_BOOL:
    case TM_TYPE_FIXED:
    case TM_TYPE_COUNT: return true;
    case TM_TYPE_CHOICE: return *text == '-' || (*text >= '0' && *text <= '9');
    default: return false;
    }
}

static void put_plain(tmi_members *m, const tm_field *field, const tm_value *value)
{
    char text[VALUE_SIZE];
    tm_value_format(text, sizeof(text), field, value, NULL);
    if (field->type == TM_TYPE_INDEX)
        tmi_out_string(m->to, value->as.number == TM_NONE ? "null" : text);
    else if (is_bare(field, text))
        tmi_out_string(m->to, text);
    else
        tmi_out_quoted(m->to, text);
}

static void put_one(tmi_members *m, const char *key, const tm_field *field, uint32_t index)
{
    const tm_value value = tm_field_get(field, m->object, index);
    if (field->type == TM_TYPE_REFERENCE)
        put_reference(m, field, value.as.number);
    else if (field->type == TM_TYPE_TEXT && value.as.text && !*value.as.text)
        put_text(m, key, NULL); /* saving writes no empty text */
    else if (field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME)
        put_text(m, key, value.as.text);
    else
        put_plain(m, field, &value);
}

static bool is_first_value(const tmi_members *m, const tm_field *field, uint32_t index)
{
    const tm_value value = tm_field_get(field, m->object, index), first = tm_field_initial(field);
    return tm_value_same(&value, &first);
}

/* Values that are always shown, and those up to the last that is not what a new object has. */
static uint32_t num_shown(const tmi_members *m, const tm_field *field)
{
    uint32_t num = field->num_values;
    const uint32_t least = m->num_values && m->num_values < num ? m->num_values : num;
    while (num > least && is_first_value(m, field, num - 1))
        num--;
    return num;
}

static void put_values(tmi_members *m, const char *key, const tm_field *field)
{
    if (field->num_values == 1) {
        put_one(m, key, field, 0);
        return;
    }
    const uint32_t num = num_shown(m, field);
    tmi_out_raw(m->to, "[", 1);
    for (uint32_t i = 0; i < num; i++) {
        tmi_out_string(m->to, i ? ", " : "");
        put_one(m, key, field, i);
    }
    tmi_out_raw(m->to, "]", 1);
}

/* ------------------------------------------------------------------------------------------------- fields */

/* Lists and blocks have a form of their own; a count is that of what stands there. */
static bool is_plain_field(const tm_field *field)
{
    return !(field->flags & TM_FIELD_ALIAS) && field->type != TM_TYPE_COUNT && field->type != TM_TYPE_LIST &&
           field->type != TM_TYPE_BLOCK && field->type != TM_TYPE_TEXTS;
}

/* In lines of elements, what has its first value is left out, but for what comes first. */
static bool is_left_out(tmi_members *m, const tm_field *field)
{
    if (!m->inline_form || m->num_fields++ < SHOWN_ALWAYS)
        return false;
    for (uint32_t i = 0; i < field->num_values; i++)
        if (!is_first_value(m, field, i))
            return false;
    return true;
}

static void put_step(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    tmi_members *m = ctx;
    if (step == TM_WALK_OPEN) {
        tmi_members_key(m, key);
        tmi_out_raw(m->to, "{", 1);
        m->inner = true;
        m->inner_begun = false;
    } else if (step == TM_WALK_CLOSE) {
        tmi_out_raw(m->to, "}", 1);
        m->inner = false;
    } else if (step == TM_WALK_ABSENT) {
        tmi_members_key(m, key);
        tmi_out_string(m->to, "null");
    } else if (is_plain_field(field) && !is_left_out(m, field)) {
        tmi_members_key(m, key);
        put_values(m, key, field);
    }
}

void tmi_members_add(tmi_members *m, tm_owner owner, const void *object)
{
    m->object = object;
    tm_fields_walk(owner, object, put_step, m);
}

/* A circle's radius is what its bytes mean; as a rectangle's width it would be a fraction. */
static void add_element(tmi_members *m, tm_owner owner, const void *element)
{
    tm_sound_source source;
    const tm_field *radius = tm_field_find(owner, "radius");
    if (owner != TM_OWNER_SOUND_SOURCE) {
        tmi_members_add(m, owner, element);
        return;
    }
    memcpy(&source, element, sizeof(source));
    if (source.shape != TM_SHAPE_CIRCLE || !radius) {
        tmi_members_add(m, owner, element);
        return;
    }
    tm_sound_source rest = source;
    const tm_field *width = tm_field_find(owner, "width");
    const tm_value none = tm_field_initial(width);
    rest.width = (int32_t)none.as.number;
    tmi_members_add(m, owner, &rest);
    m->object = &source;
    tmi_members_key(m, radius->name);
    put_values(m, radius->name, radius);
    m->object = NULL; /* it was of this call */
}

void tmi_members_elements(tmi_members *m, const char *key, tm_owner owner, const void *elements, uint32_t num,
                          uint32_t num_values)
{
    tmi_members_key(m, key);
    tmi_out_string(m->to, num ? "[\n" : "[");
    for (uint32_t i = 0; i < num && m->to->status == TM_OK; i++) {
        tmi_members line;
        tmi_out_string(m->to, "    ");
        tmi_members_open(&line, m->to, m->names);
        line.inline_form = true;
        line.num_values = num_values;
        add_element(&line, owner, (const char *)elements + (size_t)i * tm_owner_size(owner));
        tmi_members_close(&line);
        tmi_out_string(m->to, i + 1 < num ? ",\n" : "\n");
    }
    tmi_out_string(m->to, num ? "  ]" : "]");
}
