/* SPDX-License-Identifier: Zlib */
/*
 * Compares lists of elements: envelope points, quads, sound sources, and server commands. Elements are
 * matched by content first, so that insertions and moves are found. Of the others, two at one position
 * between matched ones are one element that was changed.
 *
 * References inside elements are brought to the numbers of one side before bytes are compared.
 */
#include "patch.h"

typedef struct element_lists {
    tmi_differ *differ;
    tm_kind owner; /* TM_KIND_INFO: the settings */
    size_t size;   /* bytes of an element; 0: they are texts */
    const char *originals[2];
    const char *bytes[2]; /* the same with references as on the side BEFORE, wherever they can be */
    uint32_t num[2];
    bool *moved;
    tmi_pairs pairs;
    tmi_arena arena; /* for the time of the comparison */
} element_lists;

static tm_status allocate(element_lists *lists, void *out, size_t count, size_t size)
{
    return tmi_take(&lists->arena, out, count, size, lists->differ->error);
}

/*
 * Brings the number of an object AFTER to that BEFORE. One that leads to an object on one side only becomes a
 * number that elements hardly have: what looks equal then is compared again by same_item.
 */
static void bring_number(void *ctx, const tm_field *field, int32_t *index)
{
    const element_lists *lists = ctx;
    const tmi_pairs *pairs = &lists->differ->pairs[field->refers];
    const int32_t after = *index;
    const bool there = after >= 0 && (uint32_t)after < pairs->num[TMI_AFTER];
    if (there && pairs->other[TMI_AFTER][after] != TM_NONE)
        *index = pairs->other[TMI_AFTER][after];
    else if (there || (after >= 0 && (uint32_t)after < pairs->num[TMI_BEFORE]))
        *index = INT32_MIN + after;
}

/* ---------------------------------------------------------------------------------------------- matching */

static const char *item_of(const element_lists *lists, const char *const bytes[2], int side, uint32_t i)
{
    if (lists->size)
        return bytes[side] + (size_t)i * lists->size;
    const char *text = lists->differ->map[side]->info.settings[i];
    return text ? text : "";
}

static size_t item_size(const element_lists *lists, const char *item)
{
    return lists->size ? lists->size : strlen(item) + 1;
}

/* Whether two elements are equal; references are if they lead to the same. */
static bool same_item(const element_lists *lists, uint32_t before, uint32_t after)
{
    const char *a = item_of(lists, lists->bytes, TMI_BEFORE, before);
    const char *b = item_of(lists, lists->bytes, TMI_AFTER, after);
    size_t num;
    const tm_field *fields = tm_fields(&num, lists->owner);
    if (!lists->size)
        return strcmp(a, b) == 0;
    bool same = memcmp(a, b, lists->size) == 0;
    for (size_t f = 0; f < num && same; f++)
        if (fields[f].type == TM_TYPE_REFERENCE)
            same = tmi_same_reference(
                lists->differ, fields[f].refers,
                tm_field_get(&fields[f], item_of(lists, lists->originals, TMI_BEFORE, before), 0).as.number,
                tm_field_get(&fields[f], item_of(lists, lists->originals, TMI_AFTER, after), 0).as.number);
    return same;
}

/*
 * Counts equal values of two elements; 0 if these are less than a third, as then they are two elements. Of
 * two commands the common beginning, if they have the same first word; else 0.
 */
static uint32_t element_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const element_lists *lists = ctx;
    const char *a = item_of(lists, lists->bytes, TMI_BEFORE, before);
    const char *b = item_of(lists, lists->bytes, TMI_AFTER, after);
    uint32_t same = 0, all = 0;
    size_t num;
    const tm_field *fields = tm_fields(&num, lists->owner);
    const size_t word = lists->size ? 0 : strcspn(a, " ");
    if (word && strcspn(b, " ") == word && strncmp(a, b, word) == 0)
        while (same < 1000 && a[same] && a[same] == b[same])
            same++;
    if (!lists->size)
        return same;
    for (size_t f = 0; f < num; f++) {
        for (uint32_t k = 0; k < fields[f].num_values && !(fields[f].flags & TM_FIELD_ALIAS); k++, all++) {
            const size_t at = fields[f].offset + k * fields[f].size;
            same += memcmp(a + at, b + at, fields[f].size) == 0;
        }
    }
    return alone ? same + 1 : same * 3 >= all ? same : 0;
}

static tm_status match_elements(element_lists *lists)
{
    const tmi_span whole = {{0, 0}, {lists->num[0], lists->num[1]}};
    tm_error *error = lists->differ->error;
    uint64_t *keys[2];
    TM_TRY(tmi_pairs_new(&lists->pairs, lists->num[0], lists->num[1], &lists->arena, error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(allocate(lists, &keys[side], lists->num[side], sizeof(uint64_t)));
        for (uint32_t i = 0; i < lists->num[side]; i++) {
            const char *item = item_of(lists, lists->bytes, side, i);
            keys[side][i] = tmi_hash(TMI_HASH, item, item_size(lists, item)) | 1;
        }
    }
    TM_TRY(tmi_pair_keys(&lists->pairs, keys, TMI_KEY_UNIQUE, lists->arena.allocator, error));
    tmi_pair_neighbours(&lists->pairs, keys);
    TM_TRY(tmi_pair_keys(&lists->pairs, keys, TMI_KEY_NTH, lists->arena.allocator, error));
    TM_TRY(tmi_pair_gaps(&lists->pairs, &whole, element_score, lists, &lists->arena, error));
    TM_TRY(allocate(lists, &lists->moved, lists->num[TMI_BEFORE], sizeof(bool)));
    return tmi_mark_moved(lists->moved, &lists->pairs, &whole, &lists->arena, error);
}

/* ----------------------------------------------------------------------------------------------- changes */

/* The elements as they are on their own side; TMI_NOWHERE: it is not there. */
static tm_status add_element_change(const element_lists *lists, uint32_t before, uint32_t after, bool moved)
{
    tmi_delta *delta;
    TM_TRY(tmi_differ_add(lists->differ, &delta, lists->size ? TMI_DELTA_ELEMENT : TMI_DELTA_SETTING,
                          lists->owner, NULL));
    delta->moved = moved;
    delta->at[TMI_BEFORE] = before;
    delta->at[TMI_AFTER] = after;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        if (delta->at[side] == TMI_NOWHERE)
            continue;
        const char *item = item_of(lists, lists->originals, side, delta->at[side]);
        TM_TRY(tmi_patch_copy(lists->differ->patch, &delta->bytes[side], item, item_size(lists, item),
                              lists->differ->error));
    }
    return TM_OK;
}

static tm_status diff_lists(element_lists *lists)
{
    int32_t *const *other = lists->pairs.other; /* set by match_elements */
    const uint32_t *num = lists->num;
    if (lists->size && !lists->differ->plain && lists->owner != TM_KIND_ENVELOPE_POINT) {
        char *brought;
        TM_TRY(allocate(lists, &brought, num[TMI_AFTER], lists->size));
        if (num[TMI_AFTER])
            memcpy(brought, lists->bytes[TMI_AFTER], num[TMI_AFTER] * lists->size);
        for (uint32_t i = 0; i < num[TMI_AFTER]; i++)
            tmi_visit_element(lists->owner, brought + i * lists->size, bring_number, lists);
        lists->bytes[TMI_AFTER] = brought;
    }
    uint32_t same = 0;
    while (same < num[0] && same < num[1] && same_item(lists, same, same))
        same++;
    if (same == num[0] && same == num[1])
        return TM_OK;
    TM_TRY(match_elements(lists));
    for (uint32_t i = 0; i < num[TMI_BEFORE]; i++)
        if (other[TMI_BEFORE][i] == TM_NONE)
            TM_TRY(add_element_change(lists, i, TMI_NOWHERE, false));
    for (uint32_t i = 0; i < num[TMI_AFTER]; i++) {
        const bool there = other[TMI_AFTER][i] != TM_NONE;
        const uint32_t before = there ? (uint32_t)other[TMI_AFTER][i] : TMI_NOWHERE;
        const bool moved = there && lists->moved[before];
        if (!there || moved || !same_item(lists, before, i))
            TM_TRY(add_element_change(lists, before, i, moved));
    }
    return TM_OK;
}

tm_status tmi_diff_elements(tmi_differ *differ, tm_kind owner, const char *const elements[2],
                            const uint32_t num[2])
{
    element_lists lists = {.differ = differ,
                           .owner = owner,
                           .size = owner == TM_KIND_INFO ? 0 : tm_kind_size(owner),
                           .originals = {elements[0], elements[1]},
                           .bytes = {elements[0], elements[1]},
                           .num = {num[0], num[1]}};
    tmi_arena_init(&lists.arena, tmi_patch_allocator(differ->patch));
    const tm_status status = diff_lists(&lists);
    tmi_arena_release(&lists.arena);
    return status;
}
