/* SPDX-License-Identifier: Zlib */
/*
 * unknown_words.c - what two files carry along and the model does not read: gathered, and told.
 */
#include "unknown_words.h"

static bool gather_unknown(void *ctx, const tm_unknown_change *change)
{
    unknown_changes *to = ctx;
    to->list = must_grow(to->list, &to->capacity, to->num, sizeof(*to->list));
    to->list[to->num++] = *change;
    return true;
}

tm_status unknown_find(unknown_changes *out, const tm_map *before, const tm_map *after, const tm_job *job,
                       tm_error *error)
{
    *out = (unknown_changes){0};
    return tm_mapfile_compare_unknown(before, after, gather_unknown, out, job, error);
}

void unknown_release(unknown_changes *of)
{
    free(of->list);
    *of = (unknown_changes){0};
}

/* Items of one type that all came, or all went. */
static bool same_fate(const tm_unknown_change *a, const tm_unknown_change *b)
{
    return a->kind == TM_UNKNOWN_ITEM && b->kind == TM_UNKNOWN_ITEM && a->type == b->type &&
           a->there[0] == b->there[0] && a->there[1] == b->there[1] && a->there[0] != a->there[1] &&
           a->has_uuid == b->has_uuid && (!a->has_uuid || memcmp(&a->uuid, &b->uuid, sizeof(a->uuid)) == 0);
}

void put_unknown(text *out, const unknown_changes *of, bool all)
{
    enum { SEVERAL = 3 };
    char line[256];
    for (size_t i = 0, end; i < of->num; i = end) {
        uint64_t size = 0;
        tm_unknown_describe(&of->list[i], line, sizeof(line));
        text_safe(out, line);
        for (end = i + 1; end < of->num && same_fate(&of->list[i], &of->list[end]); end++)
            size += of->list[end].size[of->list[end].there[1]];
        if (!all && end - i >= SEVERAL)
            text_print(out, "; and %zu more of this type, %" PRIu64 " bytes", end - i - 1, size);
        else
            end = i + 1;
        text_string(out, "\n");
    }
}

/* A number for each side, null where there is none. */
static json_t *json_sides(const tm_unknown_change *change, uint64_t before, uint64_t after)
{
    const uint64_t numbers[2] = {before, after};
    json_t *list = json_array();
    for (int side = 0; side < 2; side++)
        json_append(list, change->there[side] ? json_integer((int64_t)numbers[side]) : json_null());
    return list;
}

static json_t *json_unknown(const tm_unknown_change *change)
{
    static const char *const kinds[] = {
        [TM_UNKNOWN_ITEM] = "item", [TM_UNKNOWN_WORDS] = "words", [TM_UNKNOWN_DATA] = "data"};
    char line[256];
    tm_unknown_describe(change, line, sizeof(line));
    json_t *object =
        json_object(JSON_TEXT("kind", kinds[change->kind]),
                    JSON_VALUE("number", json_sides(change, change->number[0], change->number[1])),
                    JSON_VALUE("size", json_sides(change, change->size[0], change->size[1])),
                    JSON_INT("differing", change->num));
    if (change->kind != TM_UNKNOWN_DATA) {
        json_add_all(object, JSON_INT("type", change->type), JSON_INT("id", change->id));
        if (change->has_uuid)
            json_add_uuid(object, "uuid", &change->uuid);
    }
    json_add_text(object, "text", line);
    return object;
}

void json_add_unknown(json_t *object, const unknown_changes *of)
{
    json_t *list = json_add_array(object, "unread");
    for (size_t i = 0; i < of->num; i++)
        json_append(list, json_unknown(&of->list[i]));
}
