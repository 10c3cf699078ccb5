/* SPDX-License-Identifier: Zlib */
/*
 * Makes the names that objects have in a folder. Every file system accepts them, also those that ignore
 * case, and Windows with its device names. The file of an object holds its real name; other files refer to
 * it by the name in the folder.
 */
#include "mapdir.h"

enum { MOST = 40 }; /* the longest beginning of a name that is used, in bytes */

/* Replaces bytes that some file system refuses by underscores. */
static void make_safe(char out[TMI_ID_SIZE], const char *name, const char *fallback)
{
    size_t size = 0;
    for (; *name && size < MOST; name++) {
        const char folded = tmi_fold_case(*name);
        const bool plain = strchr("0123456789-_.+", folded) || (folded >= 'a' && folded <= 'z');
        if (plain || size == 0 || out[size - 1] != '_')
            out[size++] = plain ? *name : '_';
    }
    while (size && (out[size - 1] == '.' || out[size - 1] == '_'))
        size--;
    out[size] = '\0';
    if (size == 0)
        tmi_format(out, TMI_ID_SIZE, "%s", fallback);
    /* a number would be read as an index where it is referred to; the rest hides files or vanishes */
    if (!out[strspn(out, "0123456789")] || out[0] == '.' || out[0] == '-' || tmi_is_device_name(out)) {
        memmove(out + 1, out, strlen(out) + 1);
        out[0] = '_';
    }
}

/* ----------------------------------------------------------------------------------------- different ones */

typedef struct taken {
    const char *name;
    uint32_t next; /* the number to try for another of this name */
} taken;

/* The names of one folder; those that differ in case are one. */
typedef struct name_set {
    tmi_arena *arena;
    tmi_intern keys;
    taken *names; /* by number of the key */
} name_set;

/* The number of a name in the set, ignoring case; adds the name if it is new. */
static tm_status find_taken(uint32_t *number, name_set *set, const char *name, tm_error *error)
{
    char key[TMI_ID_SIZE] = "";
    for (size_t i = 0; name[i]; i++)
        key[i] = tmi_fold_case(name[i]);
    return tmi_intern_put(number, &set->keys, key, error);
}

static tm_status take_free_name(name_set *set, const char **out, const char *wanted, tm_error *error)
{
    char name[TMI_ID_SIZE];
    uint32_t number, first;
    tmi_format(name, sizeof(name), "%s", wanted);
    TM_TRY(find_taken(&number, set, name, error));
    for (first = number; set->names[number].name;) {
        tmi_format(name, sizeof(name), "%s-%u", set->names[first].name, (unsigned)set->names[first].next++);
        TM_TRY(find_taken(&number, set, name, error));
    }
    TM_TRY(tmi_arena_text(out, set->arena, name, strlen(name), "a name", error));
    set->names[number] = (taken){*out, 2};
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ the map */

/* Makes names differ by numbers, as NAME-2. Objects that keep their name in the folder take theirs first. */
static tm_status take_names(const tmi_naming *naming, name_set *set, const char *const *wanted,
                            const char **out, uint32_t num)
{
    if (naming->before)
        TM_TRY(tmi_names_recall(naming, wanted, out, num));
    for (uint32_t i = 0; i < num; i++)
        if (out[i])
            TM_TRY(take_free_name(set, &out[i], out[i], naming->error));
    for (uint32_t i = 0; i < num; i++)
        if (!out[i])
            TM_TRY(take_free_name(set, &out[i], wanted[i], naming->error));
    return TM_OK;
}

/*
 * Names all objects of a list: images, sounds, envelopes or groups, or from TM_KIND_LAYER on a group's
 * layers.
 */
static tm_status name_list(const tmi_naming *naming)
{
    tmi_arena *arena = &naming->names->arena;
    const tm_map *map = naming->names->map;
    const uint32_t num = tmi_list_num(map, naming->list);
    const char **wanted, ***out = &naming->names->lists[naming->list];
    name_set set = {arena, {.allocator = arena->allocator, .key_size = TMI_ID_SIZE}, NULL};
    char id[TMI_ID_SIZE];
    TM_TRY(tmi_arena_reserve(&wanted, arena, (size_t)num + 1, sizeof(*wanted), "names", naming->error));
    TM_TRY(tmi_arena_reserve(out, arena, (size_t)num + 1, sizeof(**out), "names", naming->error));
    TM_TRY(tmi_arena_reserve(&set.names, arena, (size_t)num + 1, sizeof(*set.names), "names", naming->error));
    memset(*out, 0, num * sizeof(**out));
    memset(set.names, 0, num * sizeof(*set.names));
    for (uint32_t i = 0; i < num; i++) {
        const tm_address address = tmi_list_at(naming->list, i);
        const char *name = tmi_object_name(map, &address);
        make_safe(id, name ? name : "",
                  naming->list < TM_KIND_LAYER
                      ? tm_kind_name(address.kind)
                      : tm_game_layer(map->groups[address.index].layers[i].kind)->name);
        TM_TRY(tmi_arena_text(&wanted[i], arena, id, strlen(id), "a name", naming->error));
    }
    const tm_status status = take_names(naming, &set, wanted, *out, num);
    tmi_intern_release(&set.keys);
    return status;
}

tm_status tmi_names_make(tmi_names *out, const tm_map *map, const tm_files_in *before, tm_error *error)
{
    tmi_reading reading = {
        .files = before, .allocator = tmi_map_allocator(map), .limits = map->priv->limits, .error = error};
    tmi_naming naming = {
        .names = out, .list = TM_KIND_IMAGE, .before = before ? &reading : NULL, .error = error};
    memset(out, 0, sizeof(*out));
    out->map = map;
    tmi_arena_init(&out->arena, reading.allocator);
    tmi_arena_init(&reading.arena, reading.allocator);
    const uint32_t num = TM_KIND_LAYER + map->num_groups;
    tm_status status = tmi_arena_reserve(&out->lists, &out->arena, num, sizeof(*out->lists), "names", error);
    for (; naming.list < num && status == TM_OK; naming.list++)
        status = name_list(&naming);
    tmi_arena_release(&reading.arena);
    if (status != TM_OK)
        tmi_names_release(out);
    return status;
}

void tmi_names_release(tmi_names *names)
{
    tmi_arena_release(&names->arena);
    memset(names, 0, sizeof(*names));
}

/* ------------------------------------------------------------------------------------------------- lists */

const char *const tmi_list_names[TM_KIND_LAYER] = {
    [TM_KIND_IMAGE] = "images",
    [TM_KIND_SOUND] = "sounds",
    [TM_KIND_ENVELOPE] = "envelopes",
    [TM_KIND_GROUP] = "groups",
};

uint32_t tmi_list_num(const tm_map *map, uint32_t list)
{
    return list < TM_KIND_LAYER ? tmi_num_objects(map, list) : map->groups[list - TM_KIND_LAYER].num_layers;
}

tm_address tmi_list_at(uint32_t list, uint32_t index)
{
    return list < TM_KIND_LAYER ? (tm_address){list, index, 0}
                                : (tm_address){TM_KIND_LAYER, list - TM_KIND_LAYER, index};
}

const char *tmi_behind_list(const char *path)
{
    for (tm_kind list = TM_KIND_IMAGE; list < TM_KIND_LAYER; list++)
        if (strncmp(path, tmi_list_names[list], strlen(tmi_list_names[list])) == 0)
            return path + strlen(tmi_list_names[list]);
    return NULL;
}

/* The folder of the files of a list's objects: "images" or "groups/NAME". */
static void path_of_folder(char path[TMI_PATH_SIZE], const tmi_names *names, uint32_t list)
{
    const bool layers = list >= TM_KIND_LAYER;
    tmi_format(path, TMI_PATH_SIZE, "%s%s%s", tmi_list_names[layers ? TM_KIND_GROUP : list],
               layers ? "/" : "", layers ? names->lists[TM_KIND_GROUP][list - TM_KIND_LAYER] : "");
}

void tmi_list_path(char path[TMI_PATH_SIZE], const tmi_names *names, uint32_t list)
{
    char folder[TMI_PATH_SIZE];
    path_of_folder(folder, names, list);
    tmi_format(path, TMI_PATH_SIZE, "%s%s.txt", folder, list < TM_KIND_LAYER ? "" : "/layers");
}

void tmi_object_path(char path[TMI_PATH_SIZE], const tmi_names *names, uint32_t list, const char *name,
                     const char *end)
{
    char folder[TMI_PATH_SIZE];
    path_of_folder(folder, names, list);
    tmi_format(path, TMI_PATH_SIZE, "%s/%s%s", folder, name, end);
}

/* ----------------------------------------------------------------------------------------- names of files */

bool tm_mapdir_is_own(const char *name)
{
    static const char *const roots[] = {"map.json", "info.json", "settings.txt", "sidecar.bin"};
    static const char *const ends[] = {".json", ".txt", ".png", ".opus", ".bin"};
    for (size_t i = 0; name && i < TMI_COUNT_OF(roots); i++)
        if (strcmp(name, roots[i]) == 0)
            return true;
    const char *behind = name ? tmi_behind_list(name) : NULL, *end = behind ? strrchr(name, '.') : NULL;
    bool own = behind && strcmp(behind, ".txt") == 0;
    for (size_t i = 0; end && *behind == '/' && i < TMI_COUNT_OF(ends); i++)
        own = own || strcmp(end, ends[i]) == 0;
    return own;
}
