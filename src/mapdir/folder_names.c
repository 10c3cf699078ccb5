/* SPDX-License-Identifier: Zlib */
/*
 * Names of objects in a folder: made of their own names so that every file system takes them, also those
 * that do not tell upper and lower case apart, and Windows, which has names of its own. An object's real
 * name stands in its file; this one is only where it is found, and how others refer to it.
 */
#include "mapdir.h"

const char *const tmi_list_names[TMI_LISTS] = {
    [TM_OBJECT_IMAGE] = "images",
    [TM_OBJECT_SOUND] = "sounds",
    [TM_OBJECT_ENVELOPE] = "envelopes",
    [TM_OBJECT_GROUP] = "groups",
};
const char *const tmi_object_names[TMI_LISTS] = {
    [TM_OBJECT_IMAGE] = "image",
    [TM_OBJECT_SOUND] = "sound",
    [TM_OBJECT_ENVELOPE] = "envelope",
    [TM_OBJECT_GROUP] = "group",
};

enum { MOST = 40 }; /* bytes that are taken of a name */

static char fold_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_folded(const char *a, const char *b)
{
    while (*a && fold_case(*a) == fold_case(*b)) {
        a++;
        b++;
    }
    return fold_case(*a) == fold_case(*b);
}

static bool is_plain_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '+';
}

/* Names that Windows keeps for devices, whatever follows behind a dot. */
static bool is_kept_back(const char *name)
{
    static const char *const words[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    char stem[TMI_ID_SIZE];
    tmi_format(stem, sizeof(stem), "%.*s", (int)strcspn(name, "."), name);
    for (size_t i = 0; i < TMI_COUNT_OF(words); i++)
        if (same_folded(stem, words[i]))
            return true;
    const bool port = strlen(stem) == 4 && stem[3] >= '0' && stem[3] <= '9';
    stem[3] = '\0';
    return port && (same_folded(stem, "com") || same_folded(stem, "lpt"));
}

/* A number would be read as an index where it is referred to; the rest hides files or vanishes. */
static bool needs_prefix(const char *name)
{
    return name[strspn(name, "0123456789")] == '\0' || name[0] == '.' || name[0] == '-' || is_kept_back(name);
}

/* A name in which everything that some file system refuses has become an underscore. */
static void make_safe(char out[TMI_ID_SIZE], const char *name, const char *fallback)
{
    size_t size = 0;
    for (; *name && size < MOST; name++) {
        const bool plain = is_plain_byte(*name);
        if (plain || size == 0 || out[size - 1] != '_')
            out[size++] = plain ? *name : '_';
    }
    while (size && (out[size - 1] == '.' || out[size - 1] == '_'))
        size--;
    out[size] = '\0';
    if (size == 0)
        tmi_format(out, TMI_ID_SIZE, "%s", fallback);
    if (needs_prefix(out)) {
        memmove(out + 1, out, strlen(out) + 1);
        out[0] = '_';
    }
}

/* ----------------------------------------------------------------------------------------- different ones */

typedef struct taken {
    const char *name;
    uint32_t next; /* the number to try for another of this name */
} taken;

/* The names of one folder. */
typedef struct name_set {
    tmi_arena *arena;
    taken *slots;
    uint32_t num_slots; /* a power of two, at least twice the names */
} name_set;

static tm_status set_init(name_set *set, tmi_arena *arena, uint32_t num, tm_error *error)
{
    set->arena = arena;
    for (set->num_slots = 4; set->num_slots / 2 <= num;)
        set->num_slots *= 2;
    set->slots = tmi_arena_alloc(arena, set->num_slots, sizeof(*set->slots));
    if (!set->slots)
        return tmi_fail_memory(error, (uint64_t)set->num_slots * sizeof(*set->slots), "names");
    memset(set->slots, 0, set->num_slots * sizeof(*set->slots));
    return TM_OK;
}

static taken *slot_of(const name_set *set, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)fold_case(*c)) * 16777619u;
    while (set->slots[hash & (set->num_slots - 1)].name &&
           !same_folded(set->slots[hash & (set->num_slots - 1)].name, name))
        hash++;
    return &set->slots[hash & (set->num_slots - 1)];
}

static tm_status set_take(const name_set *set, const char **out, char name[TMI_ID_SIZE], tm_error *error)
{
    taken *slot = slot_of(set, name);
    if (slot->name) {
        taken *first = slot;
        char numbered[TMI_ID_SIZE];
        do {
            tmi_format(numbered, sizeof(numbered), "%s-%u", first->name, (unsigned)first->next++);
            slot = slot_of(set, numbered);
        } while (slot->name);
        memcpy(name, numbered, sizeof(numbered));
    }
    char *own = tmi_arena_alloc(set->arena, strlen(name) + 1, 1);
    if (!own)
        return tmi_fail_memory(error, strlen(name) + 1, "a name");
    memcpy(own, name, strlen(name) + 1);
    *slot = (taken){own, 2};
    *out = own;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ the map */

static const char *own_name(const tm_map *map, tm_object kind, uint32_t index)
{
    const char *name = kind == TM_OBJECT_IMAGE      ? map->images[index].name
                       : kind == TM_OBJECT_SOUND    ? map->sounds[index].name
                       : kind == TM_OBJECT_ENVELOPE ? map->envelopes[index].name
                                                    : map->groups[index].name;
    return name ? name : "";
}

static tm_status new_list(const char ***out, tmi_arena *arena, uint32_t num, tm_error *error)
{
    *out = tmi_arena_alloc(arena, (size_t)num + 1, sizeof(**out));
    return *out ? TM_OK : tmi_fail_memory(error, (uint64_t)num * sizeof(**out), "names");
}

static tm_status name_objects(tmi_names *names, const tm_map *map, tm_object kind, tm_error *error)
{
    name_set set;
    char id[TMI_ID_SIZE];
    TM_TRY(new_list(&names->of[kind], &names->arena, names->num[kind], error));
    TM_TRY(set_init(&set, &names->arena, names->num[kind], error));
    for (uint32_t i = 0; i < names->num[kind]; i++) {
        make_safe(id, own_name(map, kind, i), tmi_object_names[kind]);
        TM_TRY(set_take(&set, &names->of[kind][i], id, error));
    }
    return TM_OK;
}

static tm_status name_layers(tmi_names *names, const tm_map *map, uint32_t group, tm_error *error)
{
    const tm_group *of = &map->groups[group];
    name_set set;
    char id[TMI_ID_SIZE];
    TM_TRY(new_list(&names->layers[group], &names->arena, of->num_layers, error));
    TM_TRY(set_init(&set, &names->arena, of->num_layers, error));
    for (uint32_t i = 0; i < of->num_layers; i++) {
        make_safe(id, of->layers[i].name, tm_rules_layer(of->layers[i].kind)->name);
        TM_TRY(set_take(&set, &names->layers[group][i], id, error));
    }
    return TM_OK;
}

static tm_status name_all(tmi_names *names, const tm_map *map, tm_error *error)
{
    names->num[TM_OBJECT_IMAGE] = map->num_images;
    names->num[TM_OBJECT_SOUND] = map->num_sounds;
    names->num[TM_OBJECT_ENVELOPE] = map->num_envelopes;
    names->num[TM_OBJECT_GROUP] = map->num_groups;
    for (int kind = 0; kind < TMI_LISTS; kind++)
        TM_TRY(name_objects(names, map, (tm_object)kind, error));
    names->layers = tmi_arena_alloc(&names->arena, (size_t)map->num_groups + 1, sizeof(*names->layers));
    if (!names->layers)
        return tmi_fail_memory(error, map->num_groups * sizeof(*names->layers), "names");
    for (uint32_t g = 0; g < map->num_groups; g++)
        TM_TRY(name_layers(names, map, g, error));
    return TM_OK;
}

tm_status tmi_names_make(tmi_names *out, const tm_map *map, tm_error *error)
{
    memset(out, 0, sizeof(*out));
    tmi_arena_init(&out->arena, tmi_map_allocator(map));
    const tm_status status = name_all(out, map, error);
    if (status != TM_OK)
        tmi_names_release(out);
    return status;
}

void tmi_names_release(tmi_names *names)
{
    tmi_arena_release(&names->arena);
    memset(names, 0, sizeof(*names));
}

/* ----------------------------------------------------------------------------------------- names of files */

static bool has_end(const char *name, const char *const *ends, size_t num)
{
    const char *end = strrchr(name, '.');
    for (size_t i = 0; end && i < num; i++)
        if (strcmp(end, ends[i]) == 0)
            return true;
    return false;
}

bool tm_mapdir_is_own(const char *name)
{
    static const char *const roots[] = {"map.json", "info.json", "settings.txt", "kept.bin", "version.json"};
    static const char *const ends[] = {".json", ".txt", ".png", ".opus", ".bin"};
    for (size_t i = 0; name && i < TMI_COUNT_OF(roots); i++)
        if (strcmp(name, roots[i]) == 0)
            return true;
    for (int kind = 0; name && kind < TMI_LISTS; kind++) {
        const size_t size = strlen(tmi_list_names[kind]);
        if (strncmp(name, tmi_list_names[kind], size) != 0)
            continue;
        if (strcmp(name + size, ".txt") == 0 ||
            (name[size] == '/' && has_end(name, ends, TMI_COUNT_OF(ends))))
            return true;
    }
    return false;
}
