/* SPDX-License-Identifier: Zlib */
/*
 * Reads a pattern, which is one text: its subject and its clauses.
 *
 *   pattern = [ "not " ] tiles { " where " [ "not " ] tiles } [ " without " ( tiles | "settings/" text ) ]
 *           | [ "not " ] ( "image" | "sound" | "envelope" | "group" | "layer" ) "/" name
 *             { ":" [ "!" ] field "=" value }
 *           | [ "not " ] ( "settings" | "info" | "text" ) "/" text
 */
#include "find.h"

static const struct {
    const char *word;
    pattern_subject subject;
    tm_kind owner;
} subjects[] = {
    {"image", SUBJECT_OBJECTS, TM_KIND_IMAGE},
    {"sound", SUBJECT_OBJECTS, TM_KIND_SOUND},
    {"envelope", SUBJECT_OBJECTS, TM_KIND_ENVELOPE},
    {"group", SUBJECT_OBJECTS, TM_KIND_GROUP},
    {"layer", SUBJECT_OBJECTS, TM_KIND_LAYER},
    {"settings", SUBJECT_SETTINGS, TM_KIND_INFO},
    {"info", SUBJECT_INFO, TM_KIND_INFO},
    {"text", SUBJECT_TEXTS, TM_KIND_INFO},
};

/* ------------------------------------------------------------------------------------------------ objects */

/* The last colon that `field=` follows; NULL: there is none. */
static const char *last_filter(const char *text)
{
    for (const char *colon = text + strlen(text); colon > text;) {
        if (*--colon != ':')
            continue;
        const char *name = colon + 1 + (colon[1] == '!');
        const size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.");
        if (size && name[size] == '=')
            return colon;
    }
    return NULL;
}

/* Fails if no object of a kind has the field; a layer may have the fields of any kind of layer. */
static tm_status check_field_name(tm_kind owner, const char *name, tm_error *error)
{
    const int num_kinds = owner == TM_KIND_LAYER ? TM_LAYER_KINDS : 0;
    char hint[64];
    tm_suggestion meant;
    bool found = tm_field_find(owner, name);
    for (int kind = 0; !found && kind < num_kinds; kind++)
        found = tm_field_find(tm_kind_of_layer((tm_layer_kind)kind), name);
    if (found)
        return TM_OK;
    tm_suggestion_begin(&meant, name);
    tmi_suggest_fields(&meant, owner);
    for (int kind = 0; kind < num_kinds; kind++)
        tmi_suggest_fields(&meant, tm_kind_of_layer((tm_layer_kind)kind));
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(error, TM_ERROR_USAGE, -1, "no field of %s is called '%.40s'%s", tm_kind_name(owner),
                    name, hint);
}

bool tmi_has_filter(const char *text)
{
    return last_filter(text);
}

tm_status tmi_filters_take(tmi_filters *out, char *text, tm_kind owner, tm_error *error)
{
    out->num = 0;
    for (const char *found; (found = last_filter(text)); out->num++) {
        char *colon = text + (found - text);
        const bool but = colon[1] == '!';
        char *name = colon + 1 + but, *equals = strchr(name, '=');
        *colon = *equals = '\0';
        TM_TRY(check_field_name(owner, name, error));
        if (out->num == TMI_FILTERS)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "more than %d fields after '%.60s'", TMI_FILTERS,
                            text);
        out->list[out->num] = (struct tmi_filter){name, equals + 1, but};
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ clauses */

/* The row of the subject whose word and a slash begin a text; tiles have none: the number of rows. */
static size_t row_of_subject(const char *text, size_t size)
{
    size_t row = 0;
    for (; row < TMI_COUNT_OF(subjects); row++) {
        const size_t word = strlen(subjects[row].word);
        if (size > word && memcmp(text, subjects[row].word, word) == 0 && text[word] == '/')
            break;
    }
    return row;
}

static tm_status read_clause(pattern_clause *out, const char *text, size_t size, tmi_arena *arena,
                             tm_error *error)
{
    const size_t row = row_of_subject(text, size);
    if (row < TMI_COUNT_OF(subjects)) {
        const size_t word = strlen(subjects[row].word) + 1;
        object_test *object = &out->object;
        out->subject = subjects[row].subject;
        object->owner = subjects[row].owner;
        TM_TRY(tmi_pattern_copy(&object->name, arena, text + word, size - word, error));
        return out->subject == SUBJECT_OBJECTS
                   ? tmi_filters_take(&object->filters, object->name, object->owner, error)
                   : TM_OK;
    }
    TM_TRY(tmi_arena_reserve(&out->tiles, arena, 1, sizeof(*out->tiles), "pattern", error));
    memset(out->tiles, 0, sizeof(*out->tiles));
    return tmi_tile_test_read(out->tiles, text, size, arena, error);
}

/* ------------------------------------------------------------------------------------------- patterns */

/* The next " where " or " without "; NULL if there is none. */
static const char *next_clause(const char *text, bool *is_exclusion)
{
    const char *condition = strstr(text, " where "), *last = strstr(text, " without ");
    *is_exclusion = last && (!condition || last < condition);
    return *is_exclusion ? last : condition;
}

/* Skips the word "not" before a clause; false: it is not there. */
static bool skip_not(const char **text)
{
    static const char word[] = "not ";
    const bool is_there = strncmp(*text, word, sizeof(word) - 1) == 0;
    *text += is_there ? sizeof(word) - 1 : 0;
    return is_there;
}

/* Reads `text`, the pattern behind its "not". */
static tm_status read_clauses(tm_pattern *pattern, const char *text, tm_error *error)
{
    tmi_arena *arena = &pattern->arena;
    bool without;
    const char *end = next_clause(text, &without);
    TM_TRY(read_clause(&pattern->subject, text, end ? (size_t)(end - text) : strlen(text), arena, error));
    while (end && pattern->subject.subject == SUBJECT_TILES) {
        const bool last = without;
        text = end + (last ? strlen(" without ") : strlen(" where "));
        if (pattern->has_without)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "nothing may follow the pattern after 'without'");
        if (!last && pattern->num_where == PATTERN_WHERES)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "more than %d times 'where'", PATTERN_WHERES);
        pattern_clause *clause = last ? &pattern->exclusion : &pattern->conditions[pattern->num_where++];
        clause->is_negated = skip_not(&text);
        if (last && clause->is_negated)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "'not' cannot follow 'without'");
        pattern->has_without = last;
        end = next_clause(text, &without);
        TM_TRY(read_clause(clause, text, end ? (size_t)(end - text) : strlen(text), arena, error));
        if (clause->subject != SUBJECT_TILES && !(last && clause->subject == SUBJECT_SETTINGS))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "after '%s' only %s is allowed",
                            last ? "without" : "where", last ? "tiles and settings" : "tiles");
    }
    return TM_OK;
}

tm_status tm_pattern_parse(tm_pattern **out, const char *text, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(text, "text", error));
    tm_pattern *pattern;
    TM_TRY(tmi_reserve_zeroed(&pattern, allocator, 1, sizeof(*pattern), "pattern", error));
    if (allocator)
        pattern->allocator = *allocator;
    tmi_arena_init(&pattern->arena, allocator ? &pattern->allocator : NULL);
    tm_status status = tmi_pattern_copy(&pattern->text, &pattern->arena, text, strlen(text), error);
    pattern->subject.is_negated = skip_not(&text);
    /* Texts may hold the words of clauses: then there is but one, up to the end. */
    if (!status && row_of_subject(text, strlen(text)) < TMI_COUNT_OF(subjects))
        status = read_clause(&pattern->subject, text, strlen(text), &pattern->arena, error);
    else if (!status)
        status = read_clauses(pattern, text, error);
    if (status)
        tm_pattern_free(pattern);
    else
        *out = pattern;
    return status;
}

void tm_pattern_free(tm_pattern *pattern)
{
    if (!pattern)
        return;
    tm_allocator copy = pattern->allocator;
    const tm_allocator *allocator = pattern->arena.allocator ? &copy : NULL;
    tmi_arena_release(&pattern->arena);
    tmi_free(allocator, pattern, 1, sizeof(*pattern));
}

const char *tm_pattern_text(const tm_pattern *pattern)
{
    return pattern ? pattern->text : "";
}

bool tmi_pattern_of_tiles(const tm_pattern *pattern)
{
    return pattern && pattern->subject.subject == SUBJECT_TILES;
}
