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

static tm_status new_list(const char ***out, tmi_arena *arena, uint32_t num, tm_error *error)
{
    return tmi_arena_reserve(out, arena, (size_t)num + 1, sizeof(**out), "names", error);
}

/* Makes names differ by numbers, as NAME-2. Objects that keep their name in the folder take theirs first. */
static tm_status take_names(tmi_naming *of, name_set *set, const char **out, uint32_t num)
{
    const char **wanted;
    TM_TRY(new_list(&wanted, &of->names->arena, num, of->error));
    memcpy(wanted, out, num * sizeof(*out));
    if (of->before)
        TM_TRY(tmi_names_recall(of, out, num));
    else
        memset(out, 0, num * sizeof(*out));
    TM_TRY(
        tmi_arena_reserve(&set->names, set->arena, (size_t)num + 1, sizeof(*set->names), "names", of->error));
    memset(set->names, 0, num * sizeof(*set->names));
    for (uint32_t i = 0; i < num; i++)
        if (out[i])
            TM_TRY(take_free_name(set, &out[i], out[i], of->error));
    for (uint32_t i = 0; i < num; i++)
        if (!out[i])
            TM_TRY(take_free_name(set, &out[i], wanted[i], of->error));
    return TM_OK;
}

static tm_status make_different(tmi_naming *of, const char **out, uint32_t num)
{
    name_set set = {&of->names->arena, {.key_size = TMI_ID_SIZE}, NULL};
    set.keys.allocator = of->names->arena.allocator;
    const tm_status status = take_names(of, &set, out, num);
    tmi_intern_release(&set.keys);
    return status;
}

static tm_status keep_safe(tmi_naming *of, const char **out, const char *name, const char *fallback)
{
    char id[TMI_ID_SIZE];
    make_safe(id, name, fallback);
    return tmi_arena_text(out, &of->names->arena, id, strlen(id), "a name", of->error);
}

static tm_status name_objects(tmi_naming *of, tm_object kind)
{
    tmi_names *names = of->names;
    of->kind = (int)kind;
    names->num[kind] = tmi_num_objects(of->map, kind);
    TM_TRY(new_list(&names->of[kind], &names->arena, names->num[kind], of->error));
    for (uint32_t i = 0; i < names->num[kind]; i++) {
        const tm_address at = {tmi_address_kind_of(kind), i, 0};
        const char *name = tmi_object_name(of->map, &at);
        TM_TRY(keep_safe(of, &names->of[kind][i], name ? name : "", tmi_address_word(at.kind)));
    }
    return make_different(of, names->of[kind], names->num[kind]);
}

static tm_status name_layers(tmi_naming *of, uint32_t group)
{
    const tm_group *from = &of->map->groups[group];
    const char ***list = &of->names->layers[group];
    of->kind = TMI_LISTS;
    of->group = group;
    TM_TRY(new_list(list, &of->names->arena, from->num_layers, of->error));
    for (uint32_t i = 0; i < from->num_layers; i++)
        TM_TRY(keep_safe(of, &(*list)[i], from->layers[i].name, tm_game_layer(from->layers[i].kind)->name));
    return make_different(of, *list, from->num_layers);
}

static tm_status name_all(tmi_naming *of)
{
    tmi_names *names = of->names;
    const tm_map *map = of->map;
    for (int kind = 0; kind < TMI_LISTS; kind++)
        TM_TRY(name_objects(of, (tm_object)kind));
    TM_TRY(tmi_arena_reserve(&names->layers, &names->arena, (size_t)map->num_groups + 1,
                             sizeof(*names->layers), "names", of->error));
    for (uint32_t g = 0; g < map->num_groups; g++)
        TM_TRY(name_layers(of, g));
    return TM_OK;
}

static tm_status begin_recalling(tmi_reading *before, tmi_naming *of)
{
    before->allocator = tmi_map_allocator(of->map);
    before->limits = of->map->priv->limits;
    before->error = of->error;
    tmi_arena_init(&before->arena, before->allocator);
    of->before = before;
    return tmi_arena_reserve(&before->used, &before->arena, (size_t)before->files->num + 1, 1,
                             "a list of files", of->error);
}

tm_status tmi_names_make(tmi_names *out, const tm_map *map, const tm_files_in *before, tm_error *error)
{
    tmi_reading reading = {.files = before};
    tmi_naming of = {.names = out, .map = map, .error = error};
    memset(out, 0, sizeof(*out));
    tmi_arena_init(&out->arena, tmi_map_allocator(map));
    tm_status status = before ? begin_recalling(&reading, &of) : TM_OK;
    if (status == TM_OK)
        status = name_all(&of);
    if (before)
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
    static const char *const roots[] = {"map.json", "info.json", "settings.txt", "sidecar.bin"};
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
