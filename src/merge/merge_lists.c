/* SPDX-License-Identifier: Zlib */
/*
 * Merges lists of quads, sources, envelope points and server commands (merge_sequence.c). Elements that both
 * sides changed are merged field by field.
 */
#include "merge.h"

typedef struct list_merge {
    tmi_merge *m;
    tm_kind list; /* the object */
    uint32_t id;
    tm_kind owner;
    size_t size; /* bytes of an element; 0: they are texts */
    tmi_changes changes[TM_MERGE_MAPS];
    uint32_t num[TM_MERGE_MAPS];
    const void **items[TM_MERGE_MAPS]; /* by place; references as in the result */
    int32_t *sources[TM_MERGE_MAPS];   /* by place in a side: in the base, or TM_NONE */
    bool *moved[TM_MERGE_MAPS];        /* the same */
    tmi_pairs cross;                   /* equal ones that both added */
    tmi_threeway t;
    const void **merged; /* by id: the element in the result */
    const void **second; /* a second version that is kept, too; may be NULL */
} list_merge;

static tm_status allocate(list_merge *l, void *out, size_t count, size_t size)
{
    return tmi_patch_alloc(l->m->scratch, out, count, size, l->m->error);
}

static bool same_version(const list_merge *l, const void *a, const void *b)
{
    return l->size ? memcmp(a, b, l->size) == 0 : strcmp(a, b) == 0;
}

/* Elements without a change keep their order, between those with one. */
static tm_status match_side(list_merge *l, int side)
{
    const uint32_t num_base = l->num[TM_MERGE_BASE], num = l->num[side];
    bool *seen[2];
    TM_TRY(allocate(l, &seen[TMI_BEFORE], num_base, sizeof(bool)));
    TM_TRY(allocate(l, &seen[TMI_AFTER], num, sizeof(bool)));
    TM_TRY(allocate(l, &l->sources[side], num, sizeof(int32_t)));
    TM_TRY(allocate(l, &l->moved[side], num, sizeof(bool)));
    for (size_t i = 0; i < l->changes[side].num; i++) {
        const tmi_delta *delta = &l->changes[side].first[i];
        const uint32_t before = delta->at[TMI_BEFORE], after = delta->at[TMI_AFTER];
        if (delta->bytes[TMI_BEFORE])
            seen[TMI_BEFORE][before] = true;
        if (!delta->bytes[TMI_AFTER])
            continue;
        seen[TMI_AFTER][after] = true;
        l->moved[side][after] = delta->moved;
        l->sources[side][after] = delta->bytes[TMI_BEFORE] ? (int32_t)before : TM_NONE;
    }
    for (uint32_t b = 0, i = 0; i < num; i++) {
        if (seen[TMI_AFTER][i])
            continue;
        while (b < num_base && seen[TMI_BEFORE][b])
            b++;
        l->sources[side][i] = b < num_base ? (int32_t)b++ : TM_NONE;
    }
    return TM_OK;
}

/* The length of the part of a command that names what it sets: a variable "sv_...", a tuning parameter. */
static size_t command_key(const char *text)
{
    static const struct {
        const char *word;
        int num; /* of words in the key */
    } rows[] = {{"sv_", 1}, {"tune", 2}, {"tune_zone", 3}};
    const size_t first = strcspn(text, " ");
    int words = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        const size_t size = strlen(rows[i].word);
        const bool prefix = rows[i].word[size - 1] == '_';
        if (strncmp(text, rows[i].word, size) == 0 && (prefix ? first > size : first == size))
            words = rows[i].num;
    }
    size_t at = 0;
    for (; words > 0; words--) {
        at += strspn(text + at, " ");
        at += strcspn(text + at, " ");
    }
    return text[at] ? at : 0;
}

/* Pairs elements that both sides added: equal ones, or (`commands`) commands that set the same thing. */
static tm_status pair_added(list_merge *l, tmi_pairs *pairs, bool commands)
{
    uint64_t *keys[2];
    TM_TRY(tmi_pairs_new(pairs, l->num[TM_MERGE_OURS], l->num[TM_MERGE_THEIRS], &l->m->scratch->match.arena,
                         l->m->error));
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        TM_TRY(allocate(l, &keys[side - 1], l->num[side], sizeof(uint64_t)));
        for (uint32_t i = 0; i < l->num[side]; i++) {
            const void *item = l->items[side][i];
            const size_t size = commands ? command_key(item) : l->size ? l->size : strlen(item) + 1;
            if (l->sources[side][i] == TM_NONE && size &&
                (!commands || l->cross.other[side - 1][i] == TM_NONE))
                keys[side - 1][i] = tmi_hash(TMI_HASH, item, size) | 1;
        }
    }
    TM_TRY(tmi_pair_keys(pairs, keys, TMI_KEY_NTH, tmi_patch_allocator(l->m->scratch), l->m->error));
    for (uint32_t i = 0; i < l->num[TM_MERGE_OURS] && !commands; i++) {
        const int32_t other = pairs->other[TMI_BEFORE][i];
        if (other != TM_NONE &&
            !same_version(l, l->items[TM_MERGE_OURS][i], l->items[TM_MERGE_THEIRS][other]))
            pairs->other[TMI_BEFORE][i] = pairs->other[TMI_AFTER][other] = TM_NONE;
    }
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- merging */

static const void *item_in(const list_merge *l, int version, uint32_t id)
{
    const int32_t place = l->t.place[version][id];
    return place == TM_NONE ? NULL : l->items[version][place];
}

/* Both ids are the same, except for commands that both sides added. */
static tm_status settle_item(list_merge *l, uint32_t ours, uint32_t theirs, tm_resolution *resolution)
{
    const uint32_t id[TM_MERGE_MAPS] = {ours, ours, theirs};
    tmi_conflict *conflict;
    *resolution =
        tmi_merge_resolve(l->m, l->list, l->id, l->size ? TMI_DELTA_ELEMENT : TMI_DELTA_SETTING, l->owner);
    TM_TRY(tmi_conflict_add(l->m, &conflict, l->size ? TM_CONFLICT_ELEMENT : TM_CONFLICT_SETTING, l->list,
                            l->id, *resolution));
    tm_conflict *shown = &conflict->shown;
    shown->owner = l->owner;
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const void *item = item_in(l, version, id[version]);
        void *copy = l->size ? (void *)&shown->elements[version] : (void *)&shown->text[version];
        if (!item)
            continue;
        shown->element[version] = (uint32_t)l->t.place[version][id[version]];
        TM_TRY(tmi_patch_copy(l->m->conflicts->memory, copy, item, l->size ? l->size : strlen(item) + 1,
                              l->m->error));
    }
    return TM_OK;
}

/* Merges an element field by field. *conflict: both sides changed a field. */
static void merge_fields(const list_merge *l, char *out, const char *base, const char *ours,
                         const char *theirs, bool *conflict)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, l->owner);
    memcpy(out, ours, l->size);
    for (size_t f = 0; f < num; f++) {
        const size_t at = fields[f].offset, size = fields[f].size * fields[f].num_values;
        if (fields[f].flags & TM_FIELD_ALIAS || memcmp(base + at, theirs + at, size) == 0 ||
            memcmp(ours + at, theirs + at, size) == 0)
            continue;
        *conflict = *conflict || memcmp(base + at, ours + at, size) != 0;
        memcpy(out + at, theirs + at, size);
    }
}

/* Merges an element of the base. */
static tm_status merge_item(list_merge *l, uint32_t id)
{
    const void *base = l->items[TM_MERGE_BASE][id], *ours = item_in(l, TM_MERGE_OURS, id),
               *theirs = item_in(l, TM_MERGE_THEIRS, id), *present = ours ? ours : theirs;
    bool conflict = !l->size;
    tm_resolution resolution;
    char *fields;
    l->merged[id] = present;
    l->t.gone[id] = !ours || !theirs;
    if (!present || same_version(l, base, present)) {
        l->merged[id] = theirs ? theirs : present;
        return TM_OK;
    }
    if (!ours || !theirs) {
        TM_TRY(settle_item(l, id, id, &resolution));
        l->t.gone[id] = tmi_chooses_version(resolution, ours ? TM_MERGE_THEIRS : TM_MERGE_OURS);
        return TM_OK;
    }
    if (same_version(l, ours, theirs) || same_version(l, base, theirs))
        return TM_OK;
    if (l->size) {
        TM_TRY(allocate(l, &fields, l->size, 1));
        merge_fields(l, fields, base, ours, theirs, &conflict);
        l->merged[id] = fields;
    }
    if (!conflict)
        return TM_OK;
    TM_TRY(settle_item(l, id, id, &resolution));
    const bool both = resolution == TM_RESOLUTION_BOTH;
    const bool first = l->size ? memcmp(ours, theirs, l->size) < 0 : strcmp(ours, theirs) < 0;
    l->merged[id] = (both ? first : resolution != TM_RESOLUTION_THEIRS) ? ours : theirs;
    l->second[id] = !both ? NULL : first ? theirs : ours;
    return TM_OK;
}

/* Resolves commands that both sides added and that set one thing to different values. */
static tm_status settle_doubles(list_merge *l)
{
    tmi_pairs pairs;
    TM_TRY(pair_added(l, &pairs, true));
    for (uint32_t i = 0; i < pairs.num[TMI_BEFORE]; i++) {
        tm_resolution resolution;
        if (pairs.other[TMI_BEFORE][i] == TM_NONE)
            continue;
        const uint32_t ours = l->t.id[TM_MERGE_OURS][i];
        const uint32_t theirs = l->t.id[TM_MERGE_THEIRS][pairs.other[TMI_BEFORE][i]];
        TM_TRY(settle_item(l, ours, theirs, &resolution));
        if (resolution != TM_RESOLUTION_BOTH)
            l->t.gone[resolution == TM_RESOLUTION_THEIRS ? ours : theirs] = true;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- the result */

static tm_status order_items(list_merge *l)
{
    tmi_order_key *keys;
    tmi_part part = {.by_key = l->owner == TM_KIND_ENVELOPE_POINT};
    TM_TRY(allocate(l, &keys, l->t.num_ids, sizeof(*keys)));
    for (uint32_t id = 0; id < l->t.num_ids; id++) {
        if (l->t.gone[id])
            continue;
        if (l->size)
            keys[id].hash = tmi_hash(TMI_HASH, l->merged[id], l->size);
        else
            keys[id].text = l->merged[id];
        if (part.by_key)
            keys[id].number = ((const tm_envelope_point *)l->merged[id])->time;
    }
    part.keys = keys;
    memcpy(part.end, l->num, sizeof(part.end));
    return tmi_threeway_order(&l->t, &part, &l->m->scratch->match.arena, l->m->error);
}

/* Both sides may have moved points past each other, but games need them in order of time. */
static tm_status sort_by_time(list_merge *l, const void **items, uint32_t num)
{
    uint64_t *keys;
    const void **unsorted;
    TM_TRY(allocate(l, &keys, num, sizeof(*keys)));
    TM_TRY(allocate(l, &unsorted, num, sizeof(*unsorted)));
    for (uint32_t i = 0; i < num; i++) {
        const int64_t time = ((const tm_envelope_point *)items[i])->time;
        keys[i] = (uint64_t)(time - INT32_MIN) << 32 | i;
        unsorted[i] = items[i];
    }
    tmi_sort_u64(keys, num);
    for (uint32_t i = 0; i < num; i++)
        items[i] = unsorted[(uint32_t)keys[i]];
    return TM_OK;
}

static bool in_time(const void *const *items, uint32_t num)
{
    for (uint32_t i = 1; i < num; i++)
        if (((const tm_envelope_point *)items[i])->time < ((const tm_envelope_point *)items[i - 1])->time)
            return false;
    return true;
}

/* Opens the elements of all versions, and gives them ids. */
static tm_status open_items(list_merge *l)
{
    for (int version = 0; version < TM_MERGE_MAPS; version++) {
        const void *object = tmi_merge_object_in(l->m, version, l->list, l->id);
        tmi_elements elements;
        TM_TRY(
            tmi_elements_copy(&elements, l->m->scratch, l->m->maps[version], l->owner, object, l->m->error));
        l->num[version] = elements.num;
        l->items[version] = elements.items;
        for (uint32_t i = 0; i < elements.num && l->size; i++)
            tmi_visit_element(l->owner, elements.bytes + i * l->size, tmi_objects_bring,
                              &(tmi_version){&l->m->objects, version});
    }
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        TM_TRY(match_side(l, side));
    TM_TRY(pair_added(l, &l->cross, false));
    const int32_t *const sources[] = {NULL, l->sources[TM_MERGE_OURS], l->sources[TM_MERGE_THEIRS]};
    TM_TRY(tmi_threeway_new(&l->t, l->num, sources, &l->cross, &l->m->scratch->match.arena, l->m->error));
    TM_TRY(allocate(l, &l->merged, l->t.num_ids, sizeof(void *)));
    TM_TRY(allocate(l, &l->second, l->t.num_ids, sizeof(void *)));
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++)
        for (uint32_t i = 0; i < l->num[side]; i++) {
            l->t.moved[side][l->t.id[side][i]] = l->moved[side][i];
            l->merged[l->t.id[side][i]] = l->items[side][i];
        }
    return TM_OK;
}

tm_status tmi_merge_elements(tmi_merge *m, tm_kind list, uint32_t id, tm_kind owner)
{
    list_merge l = {.m = m, .list = list, .id = id, .owner = owner};
    const void **items;
    uint32_t num = 0;
    l.size = owner == TM_KIND_INFO ? 0 : tm_kind_size(owner);
    for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
        const tmi_changes *changes = &m->changes[list][side][id];
        for (size_t i = 0; i < changes->num; i++)
            if (changes->first[i].type == (l.size ? TMI_DELTA_ELEMENT : TMI_DELTA_SETTING) &&
                !l.changes[side].num++)
                l.changes[side].first = &changes->first[i];
    }
    if (!l.changes[TM_MERGE_THEIRS].num)
        return TM_OK;
    TM_TRY(open_items(&l));
    for (uint32_t i = 0; i < l.num[TM_MERGE_BASE]; i++)
        TM_TRY(merge_item(&l, i));
    if (!l.size)
        TM_TRY(settle_doubles(&l));
    TM_TRY(order_items(&l));
    TM_TRY(allocate(&l, &items, (size_t)l.t.num_final * 2, sizeof(*items)));
    for (uint32_t i = 0; i < l.t.num_final; i++) {
        items[num++] = l.merged[l.t.order[i]];
        if (l.second[l.t.order[i]])
            items[num++] = l.second[l.t.order[i]];
    }
    if (owner == TM_KIND_ENVELOPE_POINT && !in_time(items, num) &&
        in_time(l.items[TM_MERGE_OURS], l.num[TM_MERGE_OURS]) &&
        in_time(l.items[TM_MERGE_THEIRS], l.num[TM_MERGE_THEIRS]))
        TM_TRY(sort_by_time(&l, items, num));
    return tmi_put_elements(m->map, owner, tmi_merged_object(m, list, id), items, num, m->error);
}
