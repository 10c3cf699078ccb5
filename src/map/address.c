/* SPDX-License-Identifier: Zlib */
/*
 * Addresses: one line of text for every object of a map (docs/addresses.md), read and written. Must not
 * depend on callers: commands, findings and errors all name objects through this file.
 *
 *   address   = "" | "info" | "settings" | word "/" element | element | element "/" element
 *   word      = "image" | "sound" | "envelope" | "item" | "data"
 *   element   = digits (an index) | name | "=" name
 */
#include "internal.h"

#include "../text/text.h"

/* -------------------------------------------------------------------------------------------- first words */

typedef struct word {
    const char *text;
    tm_kind kind;
    bool numbered; /* an element follows */
    bool named;    /* that may be a name */
} word;

static const word words[] = {
    {"info", TM_KIND_INFO, false, false},       {"settings", TM_KIND_SETTINGS, false, false},
    {"image", TM_KIND_IMAGE, true, true},       {"sound", TM_KIND_SOUND, true, true},
    {"envelope", TM_KIND_ENVELOPE, true, true}, {"item", TM_KIND_ITEM, true, false},
    {"data", TM_KIND_DATA, true, false},
};

/* ------------------------------------------------------------------------------------------------ writing */

size_t tm_address_format(const tm_address *address, char *buffer, size_t size)
{
    char line[TM_ADDRESS_SIZE];
    const tm_address shown = address ? *address : (tm_address){TM_KIND_MAP, 0, 0};
    switch (shown.kind) {
    case TM_KIND_MAP: line[0] = '\0'; break;
    case TM_KIND_INFO:
    case TM_KIND_SETTINGS: tmi_format(line, sizeof(line), "%s", tm_kind_name(shown.kind)); break;
    case TM_KIND_GROUP: tmi_format(line, sizeof(line), "%u", (unsigned)shown.index); break;
    case TM_KIND_LAYER:
        tmi_format(line, sizeof(line), "%u/%u", (unsigned)shown.index, (unsigned)shown.layer);
        break;
    default: tmi_format(line, sizeof(line), "%s/%u", tm_kind_name(shown.kind), (unsigned)shown.index); break;
    }
    return tmi_give_line(buffer, size, line);
}

size_t tm_address_describe(const tm_address *address, const tm_map *map, char *buffer, size_t size)
{
    char place[64], line[512];
    if (!address)
        return tmi_format(buffer, size, "%s", "");
    const char *name = tmi_object_name(map, address);
    switch (address->kind) {
    case TM_KIND_MAP:
    case TM_KIND_INFO:
    case TM_KIND_SETTINGS: tmi_format(place, sizeof(place), "%s", tm_kind_name(address->kind)); break;
    case TM_KIND_LAYER:
        tmi_format(place, sizeof(place), "group %u, layer %u", (unsigned)address->index,
                   (unsigned)address->layer);
        break;
    default:
        tmi_format(place, sizeof(place), "%s %u", tm_kind_name(address->kind), (unsigned)address->index);
        break;
    }
    const bool named = name && *name;
    tmi_format(line, sizeof(line), named ? "%s '%s'" : "%s%s", place, named ? name : "");
    return tmi_give_line(buffer, size, line);
}

/* ------------------------------------------------------------------------------------------------ reading */

/* A piece of the text: an element between slashes. */
typedef struct piece {
    const char *text;
    size_t size;
} piece;

/* Sets *target, a number of the address, to the first of `num` objects of a name; false: there is none. */
static bool find_object_named(const tm_address *address, uint32_t *target, const tm_map *map, uint32_t num,
                              piece name)
{
    for (*target = 0; *target < num; ++*target) {
        const char *found = tmi_object_name(map, address);
        if (strlen(found ? found : "") == name.size && memcmp(found ? found : "", name.text, name.size) == 0)
            return true;
    }
    return false;
}

/*
 * Resolves one element among the objects of address->kind into address->index (for layers, address->layer).
 * An element that begins with = is a name whatever it looks like.
 */
static tm_status find_element(tm_address *address, const tm_map *map, piece element, tm_error *error)
{
    const bool layer = address->kind == TM_KIND_LAYER;
    uint32_t *target = layer ? &address->layer : &address->index;
    const char *kind_word = tm_kind_name(address->kind);
    uint32_t index, num = layer ? map->groups[address->index].num_layers : UINT32_MAX;
    char wrong[64], hint[128];
    tm_suggestion meant;
    if (tmi_in_map_array(address->kind))
        num = tmi_num_objects(map, address->kind);
    if (tmi_element_is_index(element.text, element.size, &index)) {
        *target = index;
        if (index < num)
            return TM_OK;
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s %.*s: %s has %u", kind_word,
                        (int)element.size, element.text, layer ? "the group" : "the map", (unsigned)num);
    }
    if (element.size && element.text[0] == '=') {
        element.text++;
        element.size--;
    }
    if (find_object_named(address, target, map, num, element))
        return TM_OK;
    /* "there is no layer named 'Fron'; did you mean 'Front'?": names of objects are short. */
    tmi_format(wrong, sizeof(wrong), "%.*s", element.size < sizeof(wrong) ? (int)element.size : 0,
               element.text);
    tm_suggestion_begin(&meant, wrong);
    for (*target = 0; error && *target < num; ++*target)
        tm_suggestion_try(&meant, tmi_object_name(map, address));
    for (size_t i = 0; address->kind == TM_KIND_GROUP && i < TMI_COUNT_OF(words); i++)
        if (!words[i].numbered)
            tm_suggestion_try(&meant, words[i].text);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    const char *dot = memchr(element.text, '.', element.size);
    const piece object_part = {element.text, dot ? (size_t)(dot - element.text) : 0};
    if (dot && ((tmi_element_is_index(object_part.text, object_part.size, &index) && index < num) ||
                find_object_named(address, target, map, num, object_part)))
        return tmi_fail(
            error, TM_ERROR_NOT_FOUND, -1,
            "there is no %s named '%.*s'; '%.*s' is one, and what stands behind the dot of an element or a "
            "field is understood by set, remove and --view only",
            kind_word, (int)element.size, element.text, (int)object_part.size, object_part.text);
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s named '%.*s'%s", kind_word,
                    (int)element.size, element.text, hint);
}

static tm_status malformed(tm_error *error, const char *text, const char *reason)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' is not an address: %s", text, reason);
}

/* Whether an element can be the last: not empty, and without slashes unless it begins with =. */
static bool may_end(piece element)
{
    return element.size && (element.text[0] == '=' || !memchr(element.text, '/', element.size));
}

/* "image/0" and so on; `rest` is what follows the word, NULL if nothing does. */
static tm_status parse_word(tm_address *out, const tm_map *map, const word *first, const char *rest,
                            const char *text, tm_error *error)
{
    out->kind = first->kind;
    if (!first->numbered)
        return rest ? malformed(error, text, "nothing may follow this word") : TM_OK;
    piece element = {rest, rest ? strlen(rest) : 0};
    uint32_t index;
    if (!may_end(element))
        return malformed(error, text, "an index or a name must follow after a slash");
    if (!first->named && !tmi_element_is_index(element.text, element.size, &index))
        return malformed(error, text, "an index must follow after a slash");
    return find_element(out, map, element, error);
}

/* Group and perhaps layer, split at `slash` (NULL: no layer). */
static tm_status parse_split(tm_address *out, const tm_map *map, const char *text, const char *slash,
                             tm_error *error)
{
    size_t size = strlen(text);
    piece group = {text, slash ? (size_t)(slash - text) : size};
    out->kind = TM_KIND_GROUP;
    TM_TRY(find_element(out, map, group, error));
    if (!slash)
        return TM_OK;
    piece layer = {slash + 1, size - group.size - 1};
    out->kind = TM_KIND_LAYER;
    return find_element(out, map, layer, error);
}

/*
 * A group's name that begins with = may hold slashes, so the longest name that a group has wins: "=a/b/c" is
 * the group "a/b/c", else layer "c" of group "a/b"; only what begins with = may hold slashes as a layer.
 */
static tm_status parse_groups(tm_address *out, const tm_map *map, const char *text, tm_error *error)
{
    if (text[0] == '=') {
        tm_status status = parse_split(out, map, text, NULL, error);
        for (size_t i = strlen(text); status == TM_ERROR_NOT_FOUND && i > 1; i--)
            if (text[i - 1] == '/' && may_end((piece){text + i, strlen(text + i)}))
                status = parse_split(out, map, text, text + i - 1, error);
        return status;
    }
    const char *slash = strchr(text, '/');
    if (slash == text)
        return malformed(error, text, "it begins with a slash");
    piece layer = {slash ? slash + 1 : NULL, slash ? strlen(slash + 1) : 0};
    if (slash && !may_end(layer))
        return malformed(error, text, "after a slash comes one layer, by index or name");
    return parse_split(out, map, text, slash, error);
}

/* The word that an address begins with; NULL: it is the path of a group or layer. */
static const word *first_word(const char *text)
{
    const size_t size = strcspn(text, "/");
    for (size_t i = 0; i < TMI_COUNT_OF(words); i++)
        if (strlen(words[i].text) == size && memcmp(words[i].text, text, size) == 0)
            return &words[i];
    return NULL;
}

bool tmi_address_is_path(const char *text)
{
    return !first_word(text);
}

tm_status tm_address_parse(tm_address *out, const tm_map *map, const char *text, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_address found = *out = (tm_address){TM_KIND_MAP, 0, 0};
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(text, "text", error));
    if (!text[0])
        return TM_OK;
    const word *first = first_word(text);
    const char *slash = strchr(text, '/');
    if (first)
        TM_TRY(parse_word(&found, map, first, slash ? slash + 1 : NULL, text, error));
    else
        TM_TRY(parse_groups(&found, map, text, error));
    *out = found;
    return TM_OK;
}
