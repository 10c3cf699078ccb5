/* SPDX-License-Identifier: Zlib */
/*
 * Addresses: one line of text for every object of a map (docs/addresses.md), read and written. Must not know
 * who asks: commands, findings and errors all name objects through this file.
 *
 *   address   = "" | "info" | "settings" | word "/" element | element | element "/" element
 *   word      = "image" | "sound" | "envelope" | "item" | "data"
 *   element   = digits (an index) | name | "=" name
 */
#include "internal.h"

/* -------------------------------------------------------------------------------------------- first words */

typedef struct word {
    const char *text;
    tm_address_kind kind;
    bool numbered; /* an element follows */
    bool named;    /* that may be a name */
} word;

static const word words[] = {
    {"info", TM_ADDRESS_INFO, false, false},       {"settings", TM_ADDRESS_SETTINGS, false, false},
    {"image", TM_ADDRESS_IMAGE, true, true},       {"sound", TM_ADDRESS_SOUND, true, true},
    {"envelope", TM_ADDRESS_ENVELOPE, true, true}, {"item", TM_ADDRESS_ITEM, true, false},
    {"data", TM_ADDRESS_DATA, true, false},
};

static const char *word_of(tm_address_kind kind)
{
    for (size_t i = 0; i < TMI_COUNT_OF(words); i++)
        if (words[i].kind == kind)
            return words[i].text;
    return "map";
}

/* ------------------------------------------------------------------------------------------------ writing */

size_t tm_address_format(const tm_address *address, char *buffer, size_t size)
{
    char line[TM_ADDRESS_SIZE];
    const tm_address at = address ? *address : (tm_address){TM_ADDRESS_MAP, 0, 0};
    switch (at.kind) {
    case TM_ADDRESS_MAP: line[0] = '\0'; break;
    case TM_ADDRESS_INFO:
    case TM_ADDRESS_SETTINGS: tmi_format(line, sizeof(line), "%s", word_of(at.kind)); break;
    case TM_ADDRESS_GROUP: tmi_format(line, sizeof(line), "%u", (unsigned)at.index); break;
    case TM_ADDRESS_LAYER:
        tmi_format(line, sizeof(line), "%u/%u", (unsigned)at.index, (unsigned)at.layer);
        break;
    default: tmi_format(line, sizeof(line), "%s/%u", word_of(at.kind), (unsigned)at.index); break;
    }
    return tmi_give_line(buffer, size, line);
}

/* The name of what an address means; NULL if there is no such object or it has none. */
static const char *name_at(const tm_map *map, const tm_address *address)
{
    uint32_t i = address->index;
    if (!map)
        return NULL;
    switch (address->kind) {
    case TM_ADDRESS_IMAGE: return i < map->num_images ? map->images[i].name : NULL;
    case TM_ADDRESS_SOUND: return i < map->num_sounds ? map->sounds[i].name : NULL;
    case TM_ADDRESS_ENVELOPE: return i < map->num_envelopes ? map->envelopes[i].name : NULL;
    case TM_ADDRESS_GROUP: return i < map->num_groups ? map->groups[i].name : NULL;
    case TM_ADDRESS_LAYER:
        if (i < map->num_groups && address->layer < map->groups[i].num_layers)
            return map->groups[i].layers[address->layer].name;
        return NULL;
    default: return NULL;
    }
}

size_t tm_address_describe(const tm_address *address, const tm_map *map, char *buffer, size_t size)
{
    char place[64], line[512];
    if (!address)
        return tmi_format(buffer, size, "%s", "");
    const char *name = name_at(map, address);
    switch (address->kind) {
    case TM_ADDRESS_MAP:
    case TM_ADDRESS_INFO:
    case TM_ADDRESS_SETTINGS: tmi_format(place, sizeof(place), "%s", word_of(address->kind)); break;
    case TM_ADDRESS_GROUP: tmi_format(place, sizeof(place), "group %u", (unsigned)address->index); break;
    case TM_ADDRESS_LAYER:
        tmi_format(place, sizeof(place), "group %u, layer %u", (unsigned)address->index,
                   (unsigned)address->layer);
        break;
    default:
        tmi_format(place, sizeof(place), "%s %u", word_of(address->kind), (unsigned)address->index);
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

/*
 * Reads an index; false if the piece is not all digits. One that does not fit becomes UINT32_MAX, which is
 * never there.
 */
static bool read_index(piece element, uint32_t *out)
{
    uint64_t value = 0;
    if (element.size == 0)
        return false;
    for (size_t i = 0; i < element.size; i++) {
        char c = element.text[i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (uint64_t)(c - '0');
        if (value > UINT32_MAX)
            value = UINT32_MAX;
    }
    *out = (uint32_t)value;
    return true;
}

static bool same_name(piece element, const char *name)
{
    if (!name)
        name = "";
    return strlen(name) == element.size && memcmp(name, element.text, element.size) == 0;
}

/* Number of objects that stand beside the one that an address means. */
static uint32_t num_at(const tm_map *map, const tm_address *address)
{
    switch (address->kind) {
    case TM_ADDRESS_IMAGE: return map->num_images;
    case TM_ADDRESS_SOUND: return map->num_sounds;
    case TM_ADDRESS_ENVELOPE: return map->num_envelopes;
    case TM_ADDRESS_GROUP: return map->num_groups;
    case TM_ADDRESS_LAYER: return map->groups[address->index].num_layers;
    default: return UINT32_MAX;
    }
}

/* "there is no layer named 'Fron'; did you mean 'Front'?": names of objects are short. */
static tm_status fail_name(tm_address *address, const tm_map *map, const char *what, piece element,
                           tm_error *error)
{
    uint32_t *target = address->kind == TM_ADDRESS_LAYER ? &address->layer : &address->index;
    const uint32_t num = num_at(map, address);
    char wrong[64], hint[128];
    tm_suggestion meant;
    tmi_format(wrong, sizeof(wrong), "%.*s", element.size < sizeof(wrong) ? (int)element.size : 0,
               element.text);
    tm_suggestion_begin(&meant, wrong);
    for (*target = 0; error && *target < num; ++*target)
        tm_suggestion_try(&meant, name_at(map, address));
    for (size_t i = 0; address->kind == TM_ADDRESS_GROUP && i < TMI_COUNT_OF(words); i++)
        if (!words[i].numbered)
            tm_suggestion_try(&meant, words[i].text);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s named '%.*s'%s", what, (int)element.size,
                    element.text, hint);
}

/*
 * Resolves one element among the objects of address->kind into address->index (for layers, address->layer).
 * An element that begins with = is a name whatever it looks like.
 */
static tm_status find_element(tm_address *address, const tm_map *map, piece element, tm_error *error)
{
    uint32_t *target = address->kind == TM_ADDRESS_LAYER ? &address->layer : &address->index;
    const char *what = word_of(address->kind);
    if (address->kind == TM_ADDRESS_LAYER || address->kind == TM_ADDRESS_GROUP)
        what = address->kind == TM_ADDRESS_LAYER ? "layer" : "group";
    uint32_t index, num = num_at(map, address);
    if (read_index(element, &index)) {
        *target = index;
        if (index < num)
            return TM_OK;
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s %.*s: %s has %u", what,
                        (int)element.size, element.text,
                        address->kind == TM_ADDRESS_LAYER ? "the group" : "the map", (unsigned)num);
    }
    if (element.size && element.text[0] == '=') {
        element.text++;
        element.size--;
    }
    for (*target = 0; *target < num; ++*target)
        if (same_name(element, name_at(map, address)))
            return TM_OK;
    return fail_name(address, map, what, element, error);
}

static tm_status malformed(tm_error *error, const char *text, const char *why)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' is no address: %s", text, why);
}

/* Whether an element may stand last: not empty, and without slashes unless it begins with =. */
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
    if (!first->named && !read_index(element, &index))
        return malformed(error, text, "an index must follow after a slash");
    return find_element(out, map, element, error);
}

/* Group and perhaps layer, split at `slash` (NULL: no layer). */
static tm_status parse_split(tm_address *out, const tm_map *map, const char *text, const char *slash,
                             tm_error *error)
{
    size_t size = strlen(text);
    piece group = {text, slash ? (size_t)(slash - text) : size};
    out->kind = TM_ADDRESS_GROUP;
    TM_TRY(find_element(out, map, group, error));
    if (!slash)
        return TM_OK;
    piece layer = {slash + 1, size - group.size - 1};
    out->kind = TM_ADDRESS_LAYER;
    return find_element(out, map, layer, error);
}

/*
 * A group's name that begins with = may hold slashes, so the longest name that a group has wins: "=a/b/c" is
 * the group "a/b/c", else layer "c" of group "a/b"; only what begins with = may hold slashes as a layer.
 */
static tm_status parse_escaped(tm_address *out, const tm_map *map, const char *text, tm_error *error)
{
    tm_status status = parse_split(out, map, text, NULL, error);
    for (size_t i = strlen(text); status == TM_ERROR_NOT_FOUND && i > 1; i--) {
        piece layer = {text + i, strlen(text + i)};
        if (text[i - 1] == '/' && may_end(layer))
            status = parse_split(out, map, text, text + i - 1, error);
    }
    return status;
}

static tm_status parse_groups(tm_address *out, const tm_map *map, const char *text, tm_error *error)
{
    if (text[0] == '=')
        return parse_escaped(out, map, text, error);
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
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(text, "text", error));
    const tm_address nothing = {TM_ADDRESS_MAP, 0, 0};
    tm_address found = nothing;
    *out = nothing;
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
