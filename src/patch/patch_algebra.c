/* SPDX-License-Identifier: Zlib */
/*
 * Patches from patches: the way back, two parts as one. Whatever is made here has its changes in the same
 * order as tm_patch_make gives them.
 */
#include "patch.h"

/* -------------------------------------------------------------------------------------------------- order */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The whole map first, then the lists. */
static uint64_t list_rank(const tmi_delta *delta)
{
    return delta->list == TMI_WHOLE ? 0 : (uint64_t)delta->list + 1;
}

/* What is there only BEFORE comes first. */
static uint64_t place_rank(const uint32_t number[2])
{
    return number[TMI_AFTER] == TMI_NOWHERE ? number[TMI_BEFORE] : (uint64_t)1 << 32 | number[TMI_AFTER];
}

static size_t field_rank(const tmi_delta *delta)
{
    size_t num;
    return delta->field ? (size_t)(delta->field - tm_fields(&num, delta->owner)) : SIZE_MAX;
}

int tmi_delta_compare(const tmi_delta *a, const tmi_delta *b)
{
    const bool element = a->type == TMI_DELTA_ELEMENT || a->type == TMI_DELTA_SETTING;
    int order = compare_numbers(list_rank(a), list_rank(b));
    if (!order)
        order = compare_numbers(place_rank(a->number), place_rank(b->number));
    if (!order)
        order = compare_numbers(a->type != TMI_DELTA_OBJECT, b->type != TMI_DELTA_OBJECT);
    if (!order)
        order = compare_numbers(a->owner, b->owner);
    if (!order)
        order = compare_numbers(field_rank(a), field_rank(b));
    if (!order)
        order = compare_numbers(a->type, b->type);
    if (!order)
        order = compare_numbers(a->index, b->index);
    if (!order && element)
        order = compare_numbers(place_rank(a->at), place_rank(b->at));
    return order;
}

tm_status tmi_patch_sort(tm_patch *patch, tm_error *error)
{
    const tm_allocator *allocator = tmi_patch_allocator(patch);
    tmi_delta *from = patch->deltas, *to = tmi_alloc(allocator, patch->capacity, sizeof(*to));
    if (!to)
        return tmi_fail_memory(error, (uint64_t)patch->num * sizeof(*to), "changes in order");
    for (size_t width = 1; width < patch->num; width *= 2) { /* merge sort, from below */
        for (size_t start = 0; start < patch->num; start += 2 * width) {
            const size_t middle = start + width < patch->num ? start + width : patch->num;
            const size_t end = start + 2 * width < patch->num ? start + 2 * width : patch->num;
            size_t i = start, j = middle;
            for (size_t k = start; k < end; k++)
                to[k] = j == end || (i < middle && tmi_delta_compare(&from[i], &from[j]) <= 0) ? from[i++]
                                                                                               : from[j++];
        }
        tmi_delta *swap = from;
        from = to;
        to = swap;
    }
    patch->deltas = from;
    tmi_free(allocator, to, patch->capacity, sizeof(*to));
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- inverting */

#define EXCHANGE(type, pair)          \
    do {                              \
        const type swap_ = (pair)[0]; \
        (pair)[0] = (pair)[1];        \
        (pair)[1] = swap_;            \
    } while (0)

typedef void *any_pointer;
typedef const void *any_bytes;
typedef tm_block *any_block;
typedef int32_t *any_numbers;
typedef uint8_t *any_row;

static void invert_grid(tmi_grid *grid)
{
    EXCHANGE(uint32_t, grid->width);
    EXCHANGE(uint32_t, grid->height);
    EXCHANGE(uint64_t, grid->outside);
    EXCHANGE(any_row, grid->bytes);
    for (uint32_t i = 0; i < grid->num_runs; i++) {
        grid->runs[i].x += grid->dx;
        grid->runs[i].y += grid->dy;
    }
    for (uint32_t i = 0; i < grid->num_regions; i++) {
        grid->regions[i].rect.x += grid->dx;
        grid->regions[i].rect.y += grid->dy;
    }
    grid->dx = -grid->dx;
    grid->dy = -grid->dy;
}

static void invert_delta(tmi_delta *delta)
{
    EXCHANGE(uint32_t, delta->number);
    EXCHANGE(tm_value, delta->value);
    EXCHANGE(any_pointer, delta->content);
    EXCHANGE(uint32_t, delta->at);
    EXCHANGE(any_bytes, delta->bytes);
    EXCHANGE(any_block, delta->block);
    if (delta->grid)
        invert_grid(delta->grid);
}

static tm_status copy_deltas(tm_patch *to, const tm_patch *from, tm_error *error)
{
    for (size_t i = 0; i < from->num; i++)
        TM_TRY(tmi_patch_add_copy(to, from, &from->deltas[i], error));
    return TM_OK;
}

tm_status tm_patch_invert(tm_patch **out, const tm_patch *patch, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_patch *own;
    *out = NULL;
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_patch_like(&own, patch, error));
    tm_status status = copy_deltas(own, patch, error);
    EXCHANGE(tmi_side, own->match.side);
    for (int list = 0; list < TMI_LISTS; list++) {
        EXCHANGE(uint32_t, own->match.pairs[list].num);
        EXCHANGE(any_numbers, own->match.pairs[list].other);
    }
    for (size_t i = 0; i < own->num; i++)
        invert_delta(&own->deltas[i]);
    if (status == TM_OK)
        status = tmi_patch_sort(own, error);
    return tmi_patch_give(out, own, status);
}

/* ------------------------------------------------------------------------------------------------ joining */

static bool same_sides(const tm_patch *a, const tm_patch *b)
{
    for (int list = 0; list < TMI_LISTS; list++) {
        const tmi_pairs *left = &a->match.pairs[list], *right = &b->match.pairs[list];
        if (left->num[0] != right->num[0] || left->num[1] != right->num[1] ||
            (left->num[0] && memcmp(left->other[0], right->other[0], left->num[0] * sizeof(int32_t)) != 0))
            return false;
    }
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (memcmp(a->match.side[side].first_layer, b->match.side[side].first_layer,
                   ((size_t)a->match.side[side].num[TMI_GROUPS] + 1) * sizeof(uint32_t)) != 0)
            return false;
    return true;
}

static tm_status join_labels(tm_patch *to, const tm_patch *from, tm_error *error)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        for (int list = 0; list < TMI_LISTS; list++) {
            for (uint32_t i = 0; i < from->match.side[side].num[list]; i++) {
                const tmi_label *label = &from->match.side[side].labels[list][i];
                tmi_label *own = &to->match.side[side].labels[list][i];
                own->used = own->used || label->used;
                if (own->name || !label->name)
                    continue;
                own->kind = label->kind;
                TM_TRY(tmi_patch_text(to, &own->name, label->name, error));
            }
        }
    }
    return TM_OK;
}

/* Appends a part of a run of one grid to another one, which has room. */
static void append_run(tmi_grid *to, const tmi_grid *from, const tmi_grid_run *run, uint32_t skip)
{
    const uint32_t num = run->num - skip;
    if (run->num <= skip || !to->runs)
        return;
    to->runs[to->num_runs++] = (tmi_grid_run){run->x + (int32_t)skip, run->y, num, to->num};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        memcpy(to->bytes[side] + (size_t)to->num * to->size,
               from->bytes[side] + (size_t)(run->first + skip) * to->size, (size_t)num * to->size);
    to->num += num;
}

static bool runs_before(const tmi_grid_run *a, const tmi_grid_run *b)
{
    return a->y < b->y || (a->y == b->y && a->x < b->x);
}

/* The runs of both, each element once. Both have theirs by rows. */
static tm_status join_grids(tm_patch *patch, tmi_grid **out, const tmi_grid *a, const tmi_grid *b,
                            tm_error *error)
{
    tmi_grid *own;
    const size_t room = (size_t)(a->num + b->num);
    TM_TRY(tmi_patch_alloc(patch, &own, 1, sizeof(*own), error));
    *own = *a;
    own->num_runs = 0;
    own->num = 0;
    TM_TRY(tmi_patch_alloc(patch, &own->runs, (size_t)a->num_runs + b->num_runs, sizeof(*own->runs), error));
    TM_TRY(tmi_patch_alloc(patch, &own->bytes[TMI_BEFORE], room, a->size, error));
    TM_TRY(tmi_patch_alloc(patch, &own->bytes[TMI_AFTER], room, a->size, error));
    for (uint32_t i = 0, j = 0; i < a->num_runs || j < b->num_runs;) {
        const bool first = j == b->num_runs || (i < a->num_runs && !runs_before(&b->runs[j], &a->runs[i]));
        const tmi_grid_run *run = first ? &a->runs[i] : &b->runs[j];
        const tmi_grid_run *last = own->num_runs ? &own->runs[own->num_runs - 1] : NULL;
        const int64_t covered = last && last->y == run->y ? (int64_t)last->x + last->num - run->x : 0;
        append_run(own, first ? a : b, run, covered > 0 ? (uint32_t)covered : 0);
        i += first;
        j += !first;
    }
    *out = own;
    return tmi_grid_find_regions(patch, own, error);
}

/* Changes that are the same in both, and grids of which each has a part. The list is in order. */
static tm_status merge_equal_changes(tm_patch *patch, tm_error *error)
{
    size_t num = 0;
    tm_status status = TM_OK;
    for (size_t i = 0; patch->deltas && i < patch->num; i++) {
        tmi_delta *delta = &patch->deltas[i], *last = num ? &patch->deltas[num - 1] : NULL;
        if (!last || tmi_delta_compare(last, delta) != 0) {
            patch->deltas[num++] = *delta;
            continue;
        }
        if (delta->grid && last->grid && delta->grid->size == last->grid->size && status == TM_OK)
            status = join_grids(patch, &last->grid, last->grid, delta->grid, error);
        tmi_delta_release(patch, delta);
    }
    patch->num = num;
    return status;
}

tm_status tm_patch_union(tm_patch **out, const tm_patch *first, const tm_patch *second, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_patch *own;
    *out = NULL;
    TM_TRY(tmi_need(first, "first", error));
    TM_TRY(tmi_need(second, "second", error));
    if (!same_sides(first, second))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the patches are not of the same two maps");
    TM_TRY(tmi_patch_like(&own, first, error));
    tm_status status = join_labels(own, second, error);
    if (status == TM_OK)
        status = copy_deltas(own, first, error);
    if (status == TM_OK)
        status = copy_deltas(own, second, error);
    if (status == TM_OK)
        status = tmi_patch_sort(own, error);
    if (status == TM_OK)
        status = merge_equal_changes(own, error);
    return tmi_patch_give(out, own, status);
}
