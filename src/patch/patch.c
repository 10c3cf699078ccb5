/* SPDX-License-Identifier: Zlib */
/*
 * A patch in memory: making and freeing one, its two sides with the labels of their objects, its list of
 * changes, and copies of changes for other patches. What a change means is the business of others.
 */
#include "patch.h"

/* ------------------------------------------------------------------------------------- making and freeing */

/* A patch may hold so many bytes whatever the limits are. */
enum { LEAST_ROOM = 4 << 20 };

tm_status tmi_patch_new(tm_patch **out, const tm_patch_options *options, tm_error *error)
{
    tm_patch_options effective;
    tm_map_options of_map = TM_MAP_OPTIONS_INIT;
    *out = NULL;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_patch_options", error));
    tm_patch *patch;
    TM_TRY(tmi_reserve_zeroed(&patch, effective.allocator, 1, sizeof(*patch), "a patch", error));
    if (effective.allocator)
        patch->allocator = *effective.allocator;
    patch->match.allocator = effective.allocator ? &patch->allocator : NULL;
    tmi_arena_init(&patch->match.arena, patch->match.allocator);
    of_map.limits = effective.limits;
    of_map.allocator = tmi_patch_allocator(patch);
    tm_status status = tm_map_new(&patch->home, &of_map, error);
    if (status != TM_OK) {
        tm_patch_free(patch);
        return status;
    }
    patch->match.work = tmi_compare_work_of(&patch->home->priv->limits);
    patch->match.room = patch->home->priv->limits.unpacked_bytes / 8 * 3;
    const uint64_t least = LEAST_ROOM, most = patch->home->priv->limits.unpacked_bytes / 8;
    patch->match.arena.most = most > least ? most : least;
    *out = patch;
    return TM_OK;
}

void tmi_delta_release(tm_patch *patch, tmi_delta *delta)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        if (delta->content[side])
            tmi_object_release(patch->home, (delta->list), delta->content[side]);
        tmi_block_free(patch->home, delta->block[side]);
    }
}

void tm_patch_free(tm_patch *patch)
{
    if (!patch)
        return;
    const tm_allocator held = patch->allocator, *allocator = held.resize ? &held : NULL;
    for (size_t i = 0; i < patch->num; i++)
        tmi_delta_release(patch, &patch->deltas[i]);
    tmi_free(allocator, patch->deltas, patch->capacity, sizeof(*patch->deltas));
    tmi_arena_release(&patch->match.arena);
    tm_map_free(patch->home);
    tmi_free(allocator, patch, 1, sizeof(*patch));
}

/* ------------------------------------------------------------------------------------------------- copies */

static tm_status copy_match(tm_patch *patch, const tm_patch *source, tm_error *error)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        tmi_side *copy = &patch->match.side[side];
        const tmi_side *old = &source->match.side[side];
        *copy = (tmi_side){.first_layer = NULL};
        TM_TRY(tmi_patch_copy(patch, &copy->first_layer, old->first_layer,
                              ((size_t)old->num[TM_KIND_GROUP] + 1) * sizeof(*old->first_layer), error));
        for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
            const uint32_t num = copy->num[list] = patch->match.pairs[list].num[side] = old->num[list];
            TM_TRY(tmi_patch_copy(patch, &copy->labels[list], old->labels[list], num * sizeof(tmi_label),
                                  error));
            for (uint32_t i = 0; i < num; i++)
                TM_TRY(tmi_patch_text(patch, &copy->labels[list][i].name, old->labels[list][i].name, error));
            TM_TRY(tmi_patch_copy(patch, &patch->match.pairs[list].other[side],
                                  source->match.pairs[list].other[side], num * sizeof(int32_t), error));
        }
    }
    return TM_OK;
}

tm_status tmi_patch_copy(tm_patch *patch, void *out, const void *bytes, size_t size, tm_error *error)
{
    void *copy = NULL;
    if (bytes)
        TM_TRY(tmi_patch_alloc(patch, &copy, size, 1, error));
    if (bytes && size)
        memcpy(copy, bytes, size);
    memcpy(out, &copy, sizeof(copy)); /* a pointer of any type */
    return TM_OK;
}

tm_status tmi_patch_value(tm_patch *patch, tm_value *out, const tm_value *value, tm_error *error)
{
    *out = *value;
    return value->type == TM_TYPE_TEXT || value->type == TM_TYPE_NAME || value->type == TM_TYPE_TEXTS
               ? tmi_patch_text(patch, &out->as.text, value->as.text, error)
               : TM_OK;
}

tm_status tmi_grid_new(tm_patch *patch, tmi_grid **out, const tmi_grid *model, size_t runs, size_t elements,
                       tm_error *error)
{
    tmi_grid *grid;
    TM_TRY(tmi_patch_copy(patch, &grid, model, sizeof(*grid), error));
    grid->num_runs = 0;
    grid->num = 0;
    TM_TRY(tmi_patch_alloc(patch, &grid->runs, runs, sizeof(*grid->runs), error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_patch_alloc(patch, &grid->bytes[side], elements, grid->size, error));
    *out = grid;
    return TM_OK;
}

static tm_status copy_grid(tm_patch *patch, tmi_grid **out, const tmi_grid *grid, tm_error *error)
{
    tmi_grid *copy;
    TM_TRY(tmi_patch_copy(patch, &copy, grid, sizeof(*grid), error));
    TM_TRY(tmi_patch_copy(patch, &copy->runs, grid->runs, grid->num_runs * sizeof(*copy->runs), error));
    TM_TRY(tmi_patch_copy(patch, &copy->regions, grid->regions, grid->num_regions * sizeof(*copy->regions),
                          error));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
        TM_TRY(tmi_patch_copy(patch, &copy->bytes[side], grid->bytes[side], (size_t)grid->num * grid->size,
                              error));
    *out = copy;
    return grid->surroundings ? copy_grid(patch, &copy->surroundings, grid->surroundings, error) : TM_OK;
}

tm_status tmi_patch_give(tm_patch **out, tm_patch *patch, tm_status status)
{
    *out = status == TM_OK ? patch : NULL;
    if (status != TM_OK)
        tm_patch_free(patch);
    return status;
}

tm_status tmi_patch_like(tm_patch **out, const tm_patch *patch, tm_error *error)
{
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    options.allocator = tmi_patch_allocator(patch);
    options.limits = &patch->home->priv->limits;
    TM_TRY(tmi_patch_new(out, &options, error));
    tm_status status = copy_match(*out, patch, error);
    if (status == TM_OK && patch->game)
        status = copy_grid(*out, &(*out)->game, patch->game, error);
    return tmi_patch_give(out, *out, status);
}

/* ------------------------------------------------------------------------------------------------ changes */

tm_status tmi_patch_add(tm_patch *patch, tmi_delta **out, tmi_delta_type type, tm_kind list,
                        const uint32_t number[2], tm_error *error)
{
    if (tmi_patch_held(patch) + sizeof(*patch->deltas) > patch->match.arena.most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "%llu changes and more take more than %llu bytes of memory",
                        (unsigned long long)patch->num, (unsigned long long)patch->match.arena.most);
    TM_TRY(tmi_grow(tmi_patch_allocator(patch), &patch->deltas, &patch->capacity, patch->num + 1,
                    sizeof(*patch->deltas), error));
    *out = &patch->deltas[patch->num++];
    **out = (tmi_delta){.type = type, .list = list, .number = {number[0], number[1]}, .owner = TM_KINDS};
    return TM_OK;
}

tm_layer_kind tmi_delta_layer_kind(const tm_patch *patch, const tmi_delta *delta)
{
    const int side = delta->number[TMI_BEFORE] != TMI_NOWHERE ? TMI_BEFORE : TMI_AFTER;
    if (delta->list != TM_KIND_LAYER)
        return TM_LAYER_UNKNOWN;
    return (tm_layer_kind)patch->match.side[side].labels[TM_KIND_LAYER][delta->number[side]].kind;
}

/* Texts that the file or another map owns become the patch's: its home releases them with the content. */
tm_status tmi_delta_set_content(tm_patch *patch, tmi_delta *delta, int side, const tm_map *map,
                                const void *object, tm_error *error)
{
    const tm_kind owner = (delta->list);
    void *content;
    TM_TRY(tmi_patch_alloc(patch, &content, 1, tm_kind_size(owner), error));
    TM_TRY(tmi_object_copy(patch->home, owner, content, map, object, error));
    delta->content[side] = content; /* released with the patch from now on */
    return TM_OK;
}

tm_status tmi_patch_add_copy(tm_patch *patch, const tm_patch *source, const tmi_delta *delta, tm_error *error)
{
    tmi_delta *copy;
    TM_TRY(tmi_patch_add(patch, &copy, delta->type, delta->list, delta->number, error));
    *copy = *delta;
    memset(copy->content, 0, sizeof(copy->content));
    memset(copy->block, 0, sizeof(copy->block));
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) { /* what a copy must own for itself */
        const void *bytes = delta->bytes[side];
        TM_TRY(tmi_patch_value(patch, &copy->value[side], &delta->value[side], error));
        if (bytes)
            TM_TRY(tmi_patch_copy(
                patch, &copy->bytes[side], bytes,
                delta->type == TMI_DELTA_SETTING ? strlen(bytes) + 1 : tm_kind_size(delta->owner), error));
        TM_TRY(tmi_block_copy(&copy->block[side], patch->home, delta->block[side], NULL, error));
        if (delta->content[side])
            TM_TRY(tmi_delta_set_content(patch, copy, side, source->home, delta->content[side], error));
    }
    return delta->grid ? copy_grid(patch, &copy->grid, delta->grid, error) : TM_OK;
}

/* ------------------------------------------------------------------------------------------------- labels */

static void mark_label(tm_patch *patch, int side, tm_kind list, int64_t number)
{
    tmi_side *objects = &patch->match.side[side];
    if (list == TM_KIND_MAP || number < 0 || number >= objects->num[list])
        return;
    objects->labels[list][number].used = true;
    if (list == TM_KIND_LAYER)
        objects->labels[TM_KIND_GROUP][objects->labels[list][number].group].used = true;
}

static void mark_fields(tm_patch *patch, int side, tm_kind owner, const void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++)
        if (fields[i].type == TM_TYPE_REFERENCE)
            mark_label(patch, side, fields[i].refers, tm_field_get(&fields[i], object, 0).as.number);
}

void tmi_patch_mark_labels(tm_patch *patch)
{
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
            const bool there = delta->number[side] != TMI_NOWHERE;
            const int64_t number = delta->number[side];
            if (there)
                mark_label(patch, side, delta->list, number);
            if (there && delta->type == TMI_DELTA_OBJECT) { /* it stands between them */
                mark_label(patch, side, delta->list, number - 1);
                mark_label(patch, side, delta->list, number + 1);
            }
            if (delta->type == TMI_DELTA_FIELD && delta->field->type == TM_TYPE_REFERENCE)
                mark_label(patch, side, delta->field->refers, delta->value[side].as.number);
            if (delta->type == TMI_DELTA_ELEMENT && delta->bytes[side])
                mark_fields(patch, side, delta->owner, delta->bytes[side]);
            if (delta->content[side] && delta->list == TM_KIND_LAYER)
                mark_fields(patch, side, tm_kind_of_layer(((tm_layer *)delta->content[side])->kind),
                            delta->content[side]);
        }
    }
}
