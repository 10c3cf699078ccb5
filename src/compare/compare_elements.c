/* SPDX-License-Identifier: Zlib */
/*
 * Comparing lists of elements: envelope points, quads, sound sources, and the lines of the settings. The
 * elements are matched by content first, so that one that was inserted or moved is told as that; what is left
 * between them in one place is one that was changed.
 *
 * References inside elements are brought to the numbers of one side before bytes are compared.
 */
#include "compare.h"

typedef struct element_lists {
    tmi_differ *differ;
    tm_owner owner;
    size_t size;
    const char *bytes[2]; /* with references as on the side BEFORE, wherever they can be */
    uint32_t num[2];
    uint64_t *keys[2];
    char *brought; /* bytes[AFTER], if they had to be made */
    bool *moved;
    tmi_pairs pairs;
} element_lists;

static const tm_allocator *allocator_of(const tmi_differ *differ)
{
    return tmi_patch_allocator(differ->patch);
}

/* -------------------------------------------------------------------------------------------- references */

/* Where numbers begin that no element of either side has; see free_numbers. */
typedef struct stand_in {
    const tmi_pairs *pairs;
    int32_t base;
} stand_in;

/*
 * The number BEFORE of an object AFTER. What leads nowhere BEFORE, but to a new object AFTER or the other way
 * round, becomes a number that nothing else has.
 */
static int32_t number_before(const stand_in *in, int32_t after)
{
    const tmi_pairs *pairs = in->pairs;
    if (after < 0)
        return after;
    if ((uint32_t)after < pairs->num[TMI_AFTER])
        return pairs->other[TMI_AFTER][after] == TM_NONE ? in->base + after : pairs->other[TMI_AFTER][after];
    return (uint32_t)after < pairs->num[TMI_BEFORE] ? in->base + after : after;
}

static int32_t reference_at(const element_lists *lists, int side, uint32_t i, const tm_field *field)
{
    int32_t index;
    memcpy(&index, lists->bytes[side] + i * lists->size + field->offset, sizeof(index));
    return index;
}

/*
 * Files may hold any number where a reference stands. Finds as many numbers below -1 as there are objects
 * that neither side's elements have.
 */
static tm_status free_numbers(stand_in *in, const element_lists *lists, const tm_field *field)
{
    const tm_allocator *allocator = allocator_of(lists->differ);
    const uint32_t *num = in->pairs->num;
    const uint64_t wanted = num[0] > num[1] ? num[0] : num[1];
    const size_t most = (size_t)lists->num[0] + lists->num[1];
    uint64_t *odd = NULL; /* counted from INT32_MIN */
    size_t num_odd = 0, capacity = 0;
    uint64_t base = 0;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        for (uint32_t i = 0; i < lists->num[side]; i++) {
            const int32_t number = reference_at(lists, side, i, field);
            if (number >= TM_NONE)
                continue;
            if (!odd) {
                odd = tmi_alloc(allocator, most, sizeof(*odd));
                capacity = most;
            }
            if (!odd)
                return tmi_fail_memory(lists->differ->error, (uint64_t)most * sizeof(*odd), "references");
            odd[num_odd++] = (uint64_t)((int64_t)number - INT32_MIN);
        }
    }
    tmi_sort_u64(odd, num_odd);
    for (size_t i = 0; i < num_odd && odd[i] < base + wanted; i++)
        base = odd[i] + 1;
    if (odd)
        tmi_free(allocator, odd, capacity, sizeof(*odd));
    if (base + wanted > INT32_MAX)
        return tmi_fail(lists->differ->error, TM_ERROR_LIMIT, -1,
                        "too many elements refer to objects that cannot be");
    in->base = (int32_t)(INT32_MIN + (int64_t)base);
    return TM_OK;
}

static tm_status bring_field(element_lists *lists, const tm_field *field)
{
    stand_in in = {&lists->differ->pairs[field->refers], 0};
    TM_TRY(free_numbers(&in, lists, field));
    for (uint32_t i = 0; i < lists->num[TMI_AFTER]; i++) {
        const int32_t index = number_before(&in, reference_at(lists, TMI_AFTER, i, field));
        memcpy(lists->brought + i * lists->size + field->offset, &index, sizeof(index));
    }
    return TM_OK;
}

static tm_status bring_references(element_lists *lists)
{
    size_t num_fields;
    const tm_field *fields = tm_fields(lists->owner, &num_fields);
    lists->brought = tmi_alloc(allocator_of(lists->differ), lists->num[TMI_AFTER], lists->size);
    if (!lists->brought)
        return tmi_fail_memory(lists->differ->error, (uint64_t)lists->num[TMI_AFTER] * lists->size,
                               "elements to compare");
    if (lists->num[TMI_AFTER])
        memcpy(lists->brought, lists->bytes[TMI_AFTER], lists->num[TMI_AFTER] * lists->size);
    for (size_t f = 0; f < num_fields; f++)
        if (fields[f].type == TM_TYPE_REFERENCE)
            TM_TRY(bring_field(lists, &fields[f]));
    lists->bytes[TMI_AFTER] = lists->brought;
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- matching */

static const char *element_at(const element_lists *lists, int side, uint32_t i)
{
    return lists->bytes[side] + (size_t)i * lists->size;
}

/* What two elements have in common, by values; at least a third of them, or they are two elements. */
static uint32_t element_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const element_lists *lists = ctx;
    const char *a = element_at(lists, TMI_BEFORE, before), *b = element_at(lists, TMI_AFTER, after);
    uint32_t same = 0, all = 0;
    size_t num;
    const tm_field *fields = tm_fields(lists->owner, &num);
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
    const tm_allocator *allocator = allocator_of(lists->differ);
    const tmi_span all = {{0, 0}, {lists->num[0], lists->num[1]}};
    tm_error *error = lists->differ->error;
    TM_TRY(tmi_pairs_new(&lists->pairs, lists->num[0], lists->num[1], allocator, error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        lists->keys[side] = tmi_alloc(allocator, lists->num[side], sizeof(uint64_t));
        if (!lists->keys[side])
            return tmi_fail_memory(error, lists->num[side] * sizeof(uint64_t), "keys of elements");
        for (uint32_t i = 0; i < lists->num[side]; i++)
            lists->keys[side][i] = tmi_hash(TMI_HASH, element_at(lists, side, i), lists->size) | 1;
    }
    TM_TRY(tmi_pair_keys(&lists->pairs, lists->keys, TMI_KEY_UNIQUE, allocator, error));
    tmi_pair_neighbours(&lists->pairs, lists->keys);
    TM_TRY(tmi_pair_keys(&lists->pairs, lists->keys, TMI_KEY_NTH, allocator, error));
    TM_TRY(tmi_pair_gaps(&lists->pairs, &all, element_score, lists, allocator, error));
    lists->moved = tmi_calloc(allocator, lists->num[TMI_BEFORE], sizeof(bool));
    if (!lists->moved)
        return tmi_fail_memory(error, lists->num[TMI_BEFORE], "keys of elements");
    return tmi_mark_moved(lists->moved, &lists->pairs, &all, allocator, error);
}

static void free_lists(element_lists *lists)
{
    const tm_allocator *allocator = allocator_of(lists->differ);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (lists->keys[side])
            tmi_free(allocator, lists->keys[side], lists->num[side], sizeof(uint64_t));
    if (lists->moved)
        tmi_free(allocator, lists->moved, lists->num[TMI_BEFORE], sizeof(bool));
    if (lists->brought)
        tmi_free(allocator, lists->brought, lists->num[TMI_AFTER], lists->size);
    tmi_pairs_free(&lists->pairs, allocator);
}

/* ----------------------------------------------------------------------------------------------- changes */

typedef struct element_place {
    tmi_list list;
    const uint32_t *number;
    tmi_delta_type type;
    tm_owner owner;
} element_place;

/* The elements as they are on their own side. */
static tm_status keep_element_change(tmi_differ *differ, const element_place *place, const uint32_t at[2],
                                     bool moved, const void *const bytes[2], const size_t size[2])
{
    tmi_delta *delta;
    TM_TRY(tmi_patch_add(differ->patch, &delta, place->type, place->list, place->number[TMI_BEFORE],
                         place->number[TMI_AFTER], differ->error));
    delta->owner = place->owner;
    delta->moved = moved;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        void *own;
        delta->at[side] = at[side];
        if (!bytes[side])
            continue;
        TM_TRY(tmi_patch_alloc(differ->patch, &own, size[side], 1, differ->error));
        memcpy(own, bytes[side], size[side]);
        delta->bytes[side] = own;
    }
    return TM_OK;
}

static tm_status keep_element_changes(element_lists *lists, const element_place *place,
                                      const char *const own[2])
{
    const size_t size[2] = {lists->size, lists->size};
    const int32_t *other = lists->pairs.other[TMI_BEFORE], *from = lists->pairs.other[TMI_AFTER];
    for (uint32_t i = 0; i < lists->num[TMI_BEFORE]; i++)
        if (other[i] == TM_NONE)
            TM_TRY(keep_element_change(lists->differ, place, (const uint32_t[2]){i, TMI_NOWHERE}, false,
                                       (const void *const[2]){own[TMI_BEFORE] + i * lists->size, NULL},
                                       size));
    for (uint32_t i = 0; i < lists->num[TMI_AFTER]; i++) {
        const uint32_t before = from[i] == TM_NONE ? TMI_NOWHERE : (uint32_t)from[i];
        const bool there = before != TMI_NOWHERE, moved = there && lists->moved[before];
        if (there && !moved &&
            memcmp(element_at(lists, TMI_BEFORE, before), element_at(lists, TMI_AFTER, i), lists->size) == 0)
            continue;
        TM_TRY(
            keep_element_change(lists->differ, place, (const uint32_t[2]){before, i}, moved,
                                (const void *const[2]){there ? own[TMI_BEFORE] + before * lists->size : NULL,
                                                       own[TMI_AFTER] + i * lists->size},
                                size));
    }
    return TM_OK;
}

tm_status tmi_diff_elements(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const char *const elements[2], const uint32_t num[2])
{
    const element_place place = {list, number, TMI_DELTA_ELEMENT, owner};
    element_lists lists = {.differ = differ,
                           .owner = owner,
                           .size = tm_owner_size(owner),
                           .bytes = {elements[0], elements[1]},
                           .num = {num[0], num[1]}};
    tm_status status = TM_OK;
    if (!differ->plain && owner != TM_OWNER_ENVELOPE_POINT)
        status = bring_references(&lists);
    const bool same = status == TM_OK && num[0] == num[1] &&
                      (num[0] == 0 || memcmp(lists.bytes[0], lists.bytes[1], num[0] * lists.size) == 0);
    if (status == TM_OK && !same)
        status = match_elements(&lists);
    if (status == TM_OK && !same)
        status = keep_element_changes(&lists, &place, elements);
    free_lists(&lists);
    return status;
}

/* ---------------------------------------------------------------------------------------------- settings */

static const char *command_at(const tmi_differ *differ, int side, uint32_t i)
{
    const char *text = differ->map[side]->info.settings[i];
    return text ? text : "";
}

/* Commands that begin with one word, or are alike otherwise. */
static uint32_t setting_score(void *ctx, uint32_t before, uint32_t after, bool alone)
{
    const tmi_differ *differ = ctx;
    const char *a = command_at(differ, TMI_BEFORE, before), *b = command_at(differ, TMI_AFTER, after);
    const size_t word = strcspn(a, " ");
    uint32_t same = 0;
    (void)alone;
    if (word == 0 || strcspn(b, " ") != word || strncmp(a, b, word) != 0)
        return 0;
    while (same < 1000 && a[same] && a[same] == b[same])
        same++;
    return same;
}

static tm_status match_commands(tmi_differ *differ, tmi_pairs *pairs, bool **moved)
{
    const tm_allocator *allocator = allocator_of(differ);
    const uint32_t num[2] = {differ->map[0]->info.num_settings, differ->map[1]->info.num_settings};
    const tmi_span all = {{0, 0}, {num[0], num[1]}};
    uint64_t *keys[2] = {tmi_alloc(allocator, num[0], sizeof(uint64_t)),
                         tmi_alloc(allocator, num[1], sizeof(uint64_t))};
    *moved = tmi_calloc(allocator, num[0], sizeof(bool));
    tm_status status = keys[0] && keys[1] && *moved ? TM_OK : tmi_fail_memory(differ->error, num[0], "keys");
    for (int side = TMI_BEFORE; side <= TMI_AFTER && status == TM_OK; side++)
        for (uint32_t i = 0; i < num[side]; i++)
            keys[side][i] = tmi_hash_text(TMI_HASH, command_at(differ, side, i)) | 1;
    if (status == TM_OK)
        status = tmi_pairs_new(pairs, num[0], num[1], allocator, differ->error);
    if (status == TM_OK)
        status = tmi_pair_keys(pairs, keys, TMI_KEY_UNIQUE, allocator, differ->error);
    if (status == TM_OK) {
        tmi_pair_neighbours(pairs, keys);
        status = tmi_pair_keys(pairs, keys, TMI_KEY_NTH, allocator, differ->error);
    }
    if (status == TM_OK)
        status = tmi_pair_gaps(pairs, &all, setting_score, differ, allocator, differ->error);
    if (status == TM_OK)
        status = tmi_mark_moved(*moved, pairs, &all, allocator, differ->error);
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (keys[side])
            tmi_free(allocator, keys[side], num[side], sizeof(uint64_t));
    return status;
}

static tm_status keep_setting_change(tmi_differ *differ, uint32_t before, uint32_t after, bool moved)
{
    static const uint32_t whole[2] = {0, 0};
    const element_place place = {TMI_WHOLE, whole, TMI_DELTA_SETTING, TM_OWNER_INFO};
    const char *a = before == TMI_NOWHERE ? NULL : command_at(differ, TMI_BEFORE, before);
    const char *b = after == TMI_NOWHERE ? NULL : command_at(differ, TMI_AFTER, after);
    return keep_element_change(differ, &place, (const uint32_t[2]){before, after}, moved,
                               (const void *const[2]){a, b},
                               (const size_t[2]){a ? strlen(a) + 1 : 0, b ? strlen(b) + 1 : 0});
}

static tm_status keep_setting_changes(tmi_differ *differ, const tmi_pairs *pairs, const bool *moved)
{
    for (uint32_t i = 0; i < pairs->num[TMI_BEFORE]; i++)
        if (pairs->other[TMI_BEFORE][i] == TM_NONE)
            TM_TRY(keep_setting_change(differ, i, TMI_NOWHERE, false));
    for (uint32_t i = 0; i < pairs->num[TMI_AFTER]; i++) {
        const int32_t from = pairs->other[TMI_AFTER][i];
        if (from == TM_NONE)
            TM_TRY(keep_setting_change(differ, TMI_NOWHERE, i, false));
        else if (moved[from] || strcmp(command_at(differ, TMI_BEFORE, (uint32_t)from),
                                       command_at(differ, TMI_AFTER, i)) != 0)
            TM_TRY(keep_setting_change(differ, (uint32_t)from, i, moved[from]));
    }
    return TM_OK;
}

tm_status tmi_diff_settings(tmi_differ *differ)
{
    const uint32_t num = differ->map[TMI_BEFORE]->info.num_settings;
    tmi_pairs pairs = {{0, 0}, {NULL, NULL}};
    bool *moved = NULL;
    tm_status status = match_commands(differ, &pairs, &moved);
    if (status == TM_OK)
        status = keep_setting_changes(differ, &pairs, moved);
    if (moved)
        tmi_free(allocator_of(differ), moved, num, sizeof(bool));
    tmi_pairs_free(&pairs, allocator_of(differ));
    return status;
}
