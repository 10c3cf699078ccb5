/* SPDX-License-Identifier: Zlib */
/*
 * Makes patches from other patches: the inverse of one, and the union of two. Their changes have the same
 * order as those of tm_patch_make.
 */
#include "patch.h"

/* -------------------------------------------------------------------------------------------------- order */

/* The position of an object or element. Removed ones come first. */
static uint64_t place_rank(const uint32_t number[2])
{
    return number[TMI_AFTER] == TMI_NOWHERE ? number[TMI_BEFORE] : (uint64_t)1 << 32 | number[TMI_AFTER];
}

/* The n-th sort key of a change. */
static uint64_t rank_of(const tmi_delta *delta, int n)
{
    size_t num;
    switch (n) {
    case 0: return delta->list; /* the whole map first, then the lists */
    case 1: return place_rank(delta->number);
    case 2: return delta->type != TMI_DELTA_OBJECT;
    case 3: return delta->owner;
    case 4: return delta->field ? (uint64_t)(delta->field - tm_fields(&num, delta->owner)) : UINT64_MAX;
    case 5: return delta->type;
    case 6: return delta->index;
    default:
        return delta->type == TMI_DELTA_ELEMENT || delta->type == TMI_DELTA_SETTING ? place_rank(delta->at)
                                                                                    : 0;
    }
}

int tmi_delta_compare(const void *a, const void *b)
{
    for (int n = 0; n < 8; n++) {
        const uint64_t x = rank_of(a, n), y = rank_of(b, n);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

void tmi_patch_sort(tm_patch *patch)
{
    if (patch->num)
        qsort(patch->deltas, patch->num, sizeof(*patch->deltas), tmi_delta_compare);
}

/* ---------------------------------------------------------------------------------------------- inverting */

/* Exchanges the two sides of an array. */
#define EXCHANGE(pair) exchange(pair, sizeof(pair) / 2)
static void exchange(void *pair, size_t size)
{
    uint8_t *first = pair, *other = first + size;
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = first[i];
        first[i] = other[i];
        other[i] = byte;
    }
}

tm_status tm_patch_invert(tm_patch **out, const tm_patch *patch, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_patch *inverse;
    *out = NULL;
    TM_TRY(tmi_need(patch, "patch", error));
    TM_TRY(tmi_patch_like(&inverse, patch, error));
    tm_status status = TM_OK;
    for (size_t i = 0; i < patch->num && !status; i++)
        status = tmi_patch_add_copy(inverse, patch, &patch->deltas[i], error);
    EXCHANGE(inverse->match.side);
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        EXCHANGE(inverse->match.pairs[list].num);
        EXCHANGE(inverse->match.pairs[list].other);
    }
    for (size_t i = 0; i < inverse->num; i++) {
        tmi_delta *delta = &inverse->deltas[i];
        EXCHANGE(delta->number);
        EXCHANGE(delta->value);
        EXCHANGE(delta->content);
        EXCHANGE(delta->at);
        EXCHANGE(delta->bytes);
        EXCHANGE(delta->block);
        tmi_grid *grid = delta->grid;
        if (!grid)
            continue;
        EXCHANGE(grid->width);
        EXCHANGE(grid->height);
        EXCHANGE(grid->outside);
        EXCHANGE(grid->bytes);
        for (uint32_t k = 0; k < grid->num_runs; k++) {
            grid->runs[k].x += grid->dx;
            grid->runs[k].y += grid->dy;
        }
        for (uint32_t k = 0; k < grid->num_regions; k++) {
            grid->regions[k].rect.x += grid->dx;
            grid->regions[k].rect.y += grid->dy;
        }
        grid->dx = -grid->dx;
        grid->dy = -grid->dy;
    }
    tmi_patch_sort(inverse);
    return tmi_patch_give(out, inverse, status);
}

/* ------------------------------------------------------------------------------------------------ joining */

/* Whether an object has the same name and kind in both patches, or is known to one of them only. */
static bool same_label(const tmi_label *a, const tmi_label *b)
{
    return !a->name || !b->name || (a->kind == b->kind && strcmp(a->name, b->name) == 0);
}

static bool same_sides(const tm_patch *a, const tm_patch *b)
{
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tmi_pairs *left = &a->match.pairs[list], *right = &b->match.pairs[list];
        if (left->num[0] != right->num[0] || left->num[1] != right->num[1] ||
            (left->num[0] && memcmp(left->other[0], right->other[0], left->num[0] * sizeof(int32_t)) != 0))
            return false;
    }
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        if (memcmp(a->match.side[side].first_layer, b->match.side[side].first_layer,
                   ((size_t)a->match.side[side].num[TM_KIND_GROUP] + 1) * sizeof(uint32_t)) != 0)
            return false;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
            for (uint32_t i = 0; i < a->match.side[side].num[list]; i++)
                if (!same_label(&a->match.side[side].labels[list][i], &b->match.side[side].labels[list][i]))
                    return false;
    return true;
}

static tm_status join_labels(tm_patch *target, const tm_patch *source, tm_error *error)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
            for (uint32_t i = 0; i < source->match.side[side].num[list]; i++) {
                const tmi_label *label = &source->match.side[side].labels[list][i];
                tmi_label *joined = &target->match.side[side].labels[list][i];
                joined->used = joined->used || label->used;
                if (joined->name || !label->name)
                    continue;
                joined->kind = label->kind;
                TM_TRY(tmi_patch_text(target, &joined->name, label->name, error));
            }
        }
    }
    return TM_OK;
}

void tmi_grid_append(tmi_grid *target, const tmi_grid *source, const tmi_grid_run *run, uint32_t skip,
                     uint32_t num)
{
    target->runs[target->num_runs++] = (tmi_grid_run){run->x + (int32_t)skip, run->y, num, target->num};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        memmove(target->bytes[side] + (size_t)target->num * target->size,
                source->bytes[side] + (size_t)(run->first + skip) * target->size, (size_t)num * target->size);
    target->num += num;
}

/* Joins the runs of two grids, each in order of rows. Elements of both are in the result once. */
static tm_status join_grids(tm_patch *patch, tmi_grid **out, const tmi_grid *a, const tmi_grid *b,
                            tm_error *error)
{
    tmi_grid *joined;
    TM_TRY(
        tmi_grid_new(patch, &joined, a, (size_t)a->num_runs + b->num_runs, (size_t)(a->num + b->num), error));
    for (uint32_t i = 0, j = 0; i < a->num_runs || j < b->num_runs;) {
        const tmi_grid_run *x = &a->runs[i], *y = &b->runs[j];
        const bool first =
            j == b->num_runs || (i < a->num_runs && (x->y != y->y ? x->y < y->y : x->x <= y->x));
        const tmi_grid_run *run = first ? x : y;
        const tmi_grid_run *last = joined->num_runs ? &joined->runs[joined->num_runs - 1] : NULL;
        const int64_t covered = last && last->y == run->y ? (int64_t)last->x + last->num - run->x : 0;
        const uint32_t skip = covered > 0 ? (uint32_t)covered : 0;
        if (skip < run->num)
            tmi_grid_append(joined, first ? a : b, run, skip, run->num - skip);
        i += first;
        j += !first;
    }
    *out = joined;
    return tmi_grid_find_regions(patch, joined, error);
}

/* Whether two changes of one grid are about grids of the same form. */
static bool same_form(const tmi_grid *a, const tmi_grid *b)
{
    return a->size == b->size && a->dx == b->dx && a->dy == b->dy &&
           memcmp(a->width, b->width, sizeof(a->width)) == 0 &&
           memcmp(a->height, b->height, sizeof(a->height)) == 0;
}

/* Adds the changes of both, in order. Of those about the same thing there is one, with the tiles of both. */
static tm_status join_changes(tm_patch *target, const tm_patch *first, const tm_patch *second,
                              tm_error *error)
{
    for (size_t i = 0, j = 0; i < first->num || j < second->num;) {
        const tmi_delta *a = i < first->num ? &first->deltas[i] : NULL,
                        *b = j < second->num ? &second->deltas[j] : NULL;
        const int order = !a ? 1 : !b ? -1 : tmi_delta_compare(a, b);
        TM_TRY(order <= 0 ? tmi_patch_add_copy(target, first, a, error)
                          : tmi_patch_add_copy(target, second, b, error));
        tmi_delta *joined = &target->deltas[target->num - 1];
        if (order == 0 && joined->grid && !same_form(joined->grid, b->grid))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the patches are not of the same two maps");
        if (order == 0 && joined->grid)
            TM_TRY(join_grids(target, &joined->grid, joined->grid, b->grid, error));
        i += order <= 0;
        j += order >= 0;
    }
    return TM_OK;
}

tm_status tm_patch_union(tm_patch **out, const tm_patch *first, const tm_patch *second, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_patch *joined;
    *out = NULL;
    TM_TRY(tmi_need(first, "first", error));
    TM_TRY(tmi_need(second, "second", error));
    if (!same_sides(first, second))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the patches are not of the same two maps");
    TM_TRY(tmi_patch_like(&joined, first, error));
    tm_status status = join_labels(joined, second, error);
    status = status ? status : join_changes(joined, first, second, error);
    return tmi_patch_give(out, joined, status);
}
