/* SPDX-License-Identifier: Zlib */
/*
 * A patch in memory: making and freeing one, its two sides with the labels of their objects, its list of
 * changes, and copies of changes for other patches. What a change means is the business of others.
 */
#include "compare.h"

/* -------------------------------------------------------------------------------------------------- lists */

tm_owner tmi_owner_of_list(tmi_list list)
{
    static const tm_owner owners[] = {
        [TMI_IMAGES] = TM_OWNER_IMAGE, [TMI_SOUNDS] = TM_OWNER_SOUND, [TMI_ENVELOPES] = TM_OWNER_ENVELOPE,
        [TMI_GROUPS] = TM_OWNER_GROUP, [TMI_LAYERS] = TM_OWNER_LAYER, [TMI_WHOLE] = TM_OWNER_MAP};
    return owners[list];
}

tm_address_kind tmi_address_of_list(tmi_list list)
{
    static const tm_address_kind kinds[] = {
        [TMI_IMAGES] = TM_ADDRESS_IMAGE,       [TMI_SOUNDS] = TM_ADDRESS_SOUND,
        [TMI_ENVELOPES] = TM_ADDRESS_ENVELOPE, [TMI_GROUPS] = TM_ADDRESS_GROUP,
        [TMI_LAYERS] = TM_ADDRESS_LAYER,       [TMI_WHOLE] = TM_ADDRESS_MAP};
    return kinds[list];
}

/* ------------------------------------------------------------------------------------- making and freeing */

const tm_allocator *tmi_patch_allocator(const tm_patch *patch)
{
    return patch->allocator.resize ? &patch->allocator : NULL;
}

uint64_t tmi_patch_room_of_blocks(const tm_patch *patch)
{
    return patch->home->priv->limits.unpacked_bytes / 8 * 3;
}

uint64_t tmi_patch_room_of_runs(const tm_patch *patch)
{
    return patch->home->priv->limits.unpacked_bytes / 8;
}

tm_status tmi_patch_new(tm_patch **out, const tm_patch_options *options, tm_error *error)
{
    tm_patch_options own;
    tm_map_options of_map = TM_MAP_OPTIONS_INIT;
    *out = NULL;
    TM_TRY(tmi_options_take(&own, sizeof(own), options, "tm_patch_options", error));
    tm_patch *patch = tmi_calloc(own.allocator, 1, sizeof(*patch));
    if (!patch)
        return tmi_fail_memory(error, sizeof(*patch), "a patch");
    if (own.allocator)
        patch->allocator = *own.allocator;
    tmi_arena_init(&patch->arena, tmi_patch_allocator(patch));
    of_map.limits = own.limits;
    of_map.allocator = tmi_patch_allocator(patch);
    tm_status status = tm_map_new(&patch->home, &of_map, error);
    if (status == TM_OK)
        *out = patch;
    else
        tm_patch_free(patch);
    return status;
}

void tmi_delta_release(tm_patch *patch, tmi_delta *delta)
{
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        if (delta->content[side])
            tmi_object_release(patch->home, tmi_owner_of_list(delta->list), delta->content[side]);
        tmi_block_free(patch->home, delta->block[side]);
    }
}

void tm_patch_free(tm_patch *patch)
{
    if (!patch)
        return;
    const tm_allocator own = patch->allocator, *allocator = own.resize ? &own : NULL;
    for (size_t i = 0; i < patch->num; i++)
        tmi_delta_release(patch, &patch->deltas[i]);
    if (patch->deltas)
        tmi_free(allocator, patch->deltas, patch->capacity, sizeof(*patch->deltas));
    for (int list = 0; list < TMI_LISTS; list++)
        tmi_pairs_free(&patch->pairs[list], allocator);
    tmi_arena_release(&patch->arena);
    tm_map_free(patch->home);
    tmi_free(allocator, patch, 1, sizeof(*patch));
}

tm_status tmi_patch_alloc(tm_patch *patch, void *out, size_t count, size_t size, tm_error *error)
{
    void *memory = tmi_arena_alloc(&patch->arena, count, size);
    memcpy(out, &memory, sizeof(memory)); /* a pointer of any type */
    if (!memory)
        return tmi_fail_memory(error, (uint64_t)count * size, "a patch");
    memset(memory, 0, count * size);
    return TM_OK;
}

tm_status tmi_patch_text(tm_patch *patch, const char **out, const char *text, tm_error *error)
{
    char *own = NULL;
    *out = NULL;
    if (!text)
        return TM_OK;
    TM_TRY(tmi_patch_alloc(patch, &own, strlen(text) + 1, 1, error));
    memcpy(own, text, strlen(text) + 1);
    *out = own;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- sides */

tm_status tmi_side_new(tm_patch *patch, int side, const uint32_t num[TMI_GROUPS + 1], const uint32_t *layers,
                       tm_error *error)
{
    tmi_side *own = &patch->side[side];
    TM_TRY(tmi_patch_alloc(patch, &own->first_layer, (size_t)num[TMI_GROUPS] + 1, sizeof(uint32_t), error));
    for (uint32_t g = 0; g < num[TMI_GROUPS]; g++) {
        if (layers[g] > INT32_MAX - own->first_layer[g])
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many layers: %ld are the most", (long)INT32_MAX);
        own->first_layer[g + 1] = own->first_layer[g] + layers[g];
    }
    memcpy(own->num, num, (TMI_GROUPS + 1) * sizeof(*num));
    own->num[TMI_LAYERS] = own->first_layer[num[TMI_GROUPS]];
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_patch_alloc(patch, &own->labels[list], own->num[list], sizeof(tmi_label), error));
    for (uint32_t g = 0; g < num[TMI_GROUPS]; g++)
        for (uint32_t l = own->first_layer[g]; l < own->first_layer[g + 1]; l++)
            own->labels[TMI_LAYERS][l].group = g;
    return TM_OK;
}

static tm_status label_objects(tm_patch *patch, tmi_side *side, const tm_map *map, tm_error *error)
{
    for (uint32_t i = 0; i < map->num_images; i++)
        TM_TRY(tmi_patch_text(patch, &side->labels[TMI_IMAGES][i].name,
                              map->images[i].name ? map->images[i].name : "", error));
    for (uint32_t i = 0; i < map->num_sounds; i++)
        TM_TRY(tmi_patch_text(patch, &side->labels[TMI_SOUNDS][i].name,
                              map->sounds[i].name ? map->sounds[i].name : "", error));
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        TM_TRY(tmi_patch_text(patch, &side->labels[TMI_ENVELOPES][i].name, map->envelopes[i].name, error));
        side->labels[TMI_ENVELOPES][i].kind = map->envelopes[i].channels;
    }
    for (uint32_t i = 0; i < map->num_groups; i++)
        TM_TRY(tmi_patch_text(patch, &side->labels[TMI_GROUPS][i].name, map->groups[i].name, error));
    return TM_OK;
}

tm_status tmi_side_of_map(tm_patch *patch, int side, const tm_map *map, tm_error *error)
{
    const uint32_t num[] = {map->num_images, map->num_sounds, map->num_envelopes, map->num_groups};
    uint32_t *layers = NULL;
    TM_TRY(tmi_patch_alloc(patch, &layers, map->num_groups, sizeof(*layers), error));
    for (uint32_t g = 0; g < map->num_groups; g++)
        layers[g] = map->groups[g].num_layers;
    TM_TRY(tmi_side_new(patch, side, num, layers, error));
    TM_TRY(label_objects(patch, &patch->side[side], map, error));
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at)) {
        tmi_label *label = &patch->side[side].labels[TMI_LAYERS][at.number];
        TM_TRY(tmi_patch_text(patch, &label->name, at.layer->name, error));
        label->kind = (int32_t)at.layer->kind;
    }
    return TM_OK;
}

tm_status tmi_patch_pairs(tm_patch *patch, tm_error *error)
{
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_pairs_new(&patch->pairs[list], patch->side[TMI_BEFORE].num[list],
                             patch->side[TMI_AFTER].num[list], tmi_patch_allocator(patch), error));
    return TM_OK;
}

bool tmi_span_of_group(tmi_span *out, const tm_patch *patch, uint32_t before)
{
    const int32_t after = patch->pairs[TMI_GROUPS].other[TMI_BEFORE][before];
    if (after == TM_NONE)
        return false;
    const uint32_t group[] = {before, (uint32_t)after};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        out->first[side] = patch->side[side].first_layer[group[side]];
        out->end[side] = patch->side[side].first_layer[group[side] + 1];
    }
    return true;
}

uint32_t tmi_layer_index(const tmi_side *side, uint32_t number)
{
    return number - side->first_layer[side->labels[TMI_LAYERS][number].group];
}

tm_address tmi_side_address(const tmi_side *side, tmi_list list, uint32_t number)
{
    tm_address address = {tmi_address_of_list(list), number, 0};
    if (list == TMI_WHOLE)
        address.index = 0;
    if (list != TMI_LAYERS)
        return address;
    address.index = side->labels[TMI_LAYERS][number].group;
    address.layer = tmi_layer_index(side, number);
    return address;
}

static tm_status copy_side(tm_patch *patch, int which, const tmi_side *from, tm_error *error)
{
    uint32_t *layers = NULL;
    TM_TRY(tmi_patch_alloc(patch, &layers, from->num[TMI_GROUPS], sizeof(*layers), error));
    for (uint32_t g = 0; g < from->num[TMI_GROUPS]; g++)
        layers[g] = from->first_layer[g + 1] - from->first_layer[g];
    TM_TRY(tmi_side_new(patch, which, from->num, layers, error));
    for (int list = 0; list < TMI_LISTS; list++) {
        for (uint32_t i = 0; i < from->num[list]; i++) {
            tmi_label *label = &patch->side[which].labels[list][i];
            *label = from->labels[list][i];
            TM_TRY(tmi_patch_text(patch, &label->name, from->labels[list][i].name, error));
        }
    }
    return TM_OK;
}

static tm_status copy_sides(tm_patch *patch, const tm_patch *from, tm_error *error)
{
    TM_TRY(copy_side(patch, TMI_BEFORE, &from->side[TMI_BEFORE], error));
    TM_TRY(copy_side(patch, TMI_AFTER, &from->side[TMI_AFTER], error));
    TM_TRY(tmi_patch_pairs(patch, error));
    for (int list = 0; list < TMI_LISTS; list++)
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++)
            if (from->pairs[list].num[side])
                memcpy(patch->pairs[list].other[side], from->pairs[list].other[side],
                       from->pairs[list].num[side] * sizeof(int32_t));
    return TM_OK;
}

static tm_status copy_of_bytes(tm_patch *patch, const void **out, const void *bytes, size_t size,
                               tm_error *error)
{
    void *own;
    *out = NULL;
    if (!bytes)
        return TM_OK;
    TM_TRY(tmi_patch_alloc(patch, &own, size, 1, error));
    memcpy(own, bytes, size);
    *out = own;
    return TM_OK;
}

static tm_status copy_grid(tm_patch *patch, tmi_grid **out, const tmi_grid *grid, tm_error *error)
{
    tmi_grid *own;
    const void *runs, *regions, *bytes;
    TM_TRY(tmi_patch_alloc(patch, &own, 1, sizeof(*own), error));
    *own = *grid;
    TM_TRY(copy_of_bytes(patch, &runs, grid->runs, grid->num_runs * sizeof(*own->runs), error));
    TM_TRY(copy_of_bytes(patch, &regions, grid->regions, grid->num_regions * sizeof(*own->regions), error));
    own->runs = (tmi_grid_run *)(uintptr_t)runs;
    own->regions = (tm_region *)(uintptr_t)regions;
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        TM_TRY(copy_of_bytes(patch, &bytes, grid->bytes[side], (size_t)grid->num * grid->size, error));
        own->bytes[side] = (uint8_t *)(uintptr_t)bytes;
    }
    *out = own;
    return grid->around ? copy_grid(patch, &own->around, grid->around, error) : TM_OK;
}

tm_status tmi_patch_like(tm_patch **out, const tm_patch *patch, tm_error *error)
{
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    options.allocator = tmi_patch_allocator(patch);
    options.limits = &patch->home->priv->limits;
    TM_TRY(tmi_patch_new(out, &options, error));
    tm_status status = copy_sides(*out, patch, error);
    if (status == TM_OK && patch->game)
        status = copy_grid(*out, &(*out)->game, patch->game, error);
    if (status != TM_OK) {
        tm_patch_free(*out);
        *out = NULL;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ changes */

tm_status tmi_patch_add(tm_patch *patch, tmi_delta **out, tmi_delta_type type, tmi_list list, uint32_t before,
                        uint32_t after, tm_error *error)
{
    TM_TRY(tmi_grow(tmi_patch_allocator(patch), &patch->deltas, &patch->capacity, patch->num + 1,
                    sizeof(*patch->deltas), error));
    tmi_delta *delta = &patch->deltas[patch->num++];
    memset(delta, 0, sizeof(*delta));
    delta->type = type;
    delta->list = list;
    delta->number[TMI_BEFORE] = before;
    delta->number[TMI_AFTER] = after;
    delta->owner = TM_OWNER_COUNT;
    *out = delta;
    return TM_OK;
}

/* Texts that the file or another map owns become the patch's: its home releases them with the content. */
tm_status tmi_delta_take(tm_patch *patch, tmi_delta *delta, int side, const tm_map *map, const void *object,
                         tm_error *error)
{
    const tm_owner owner = tmi_owner_of_list(delta->list);
    void *content;
    TM_TRY(tmi_patch_alloc(patch, &content, 1, tm_owner_size(owner), error));
    TM_TRY(tmi_object_copy(patch->home, owner, content, map, object, error));
    delta->content[side] = content; /* released with the patch from now on */
    return TM_OK;
}

static bool is_text(const tm_field *field)
{
    return field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME;
}

/* What a copy must own for itself. */
static tm_status copy_parts(tm_patch *patch, tmi_delta *own, int side, const tm_patch *from,
                            const tmi_delta *delta, tm_error *error)
{
    const bool setting = delta->type == TMI_DELTA_SETTING;
    if (delta->type == TMI_DELTA_FIELD && is_text(delta->field))
        TM_TRY(tmi_patch_text(patch, &own->value[side].as.text, delta->value[side].as.text, error));
    if (delta->bytes[side])
        TM_TRY(copy_of_bytes(patch, &own->bytes[side], delta->bytes[side],
                             setting ? strlen(delta->bytes[side]) + 1 : tm_owner_size(delta->owner), error));
    TM_TRY(tmi_block_copy(&own->block[side], patch->home, delta->block[side], NULL, error));
    if (delta->content[side])
        TM_TRY(tmi_delta_take(patch, own, side, from->home, delta->content[side], error));
    return TM_OK;
}

tm_status tmi_patch_add_copy(tm_patch *patch, const tm_patch *from, const tmi_delta *delta, tm_error *error)
{
    tmi_delta *own;
    TM_TRY(tmi_patch_add(patch, &own, delta->type, delta->list, delta->number[TMI_BEFORE],
                         delta->number[TMI_AFTER], error));
    *own = *delta;
    memset(own->content, 0, sizeof(own->content));
    memset(own->block, 0, sizeof(own->block));
    TM_TRY(copy_parts(patch, own, TMI_BEFORE, from, delta, error));
    TM_TRY(copy_parts(patch, own, TMI_AFTER, from, delta, error));
    return delta->grid ? copy_grid(patch, &own->grid, delta->grid, error) : TM_OK;
}

/* ------------------------------------------------------------------------------------------------- labels */

static void mark_label(tm_patch *patch, int side, tmi_list list, int64_t number)
{
    tmi_side *of = &patch->side[side];
    if (list == TMI_WHOLE || number < 0 || number >= of->num[list])
        return;
    of->labels[list][number].used = true;
    if (list == TMI_LAYERS)
        of->labels[TMI_GROUPS][of->labels[list][number].group].used = true;
}

static void mark_fields(tm_patch *patch, int side, tm_owner owner, const void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(owner, &num);
    for (size_t i = 0; i < num; i++)
        if (fields[i].type == TM_TYPE_REFERENCE)
            mark_label(patch, side, (tmi_list)fields[i].refers,
                       tm_field_get(&fields[i], object, 0).as.number);
}

/* Objects at which other objects are put stand around them. */
static void mark_around(tm_patch *patch, int side, const tmi_delta *delta)
{
    if (delta->number[side] == TMI_NOWHERE)
        return;
    mark_label(patch, side, delta->list, (int64_t)delta->number[side] - 1);
    mark_label(patch, side, delta->list, (int64_t)delta->number[side] + 1);
}

void tmi_patch_mark_labels(tm_patch *patch)
{
    for (size_t i = 0; i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
            if (delta->number[side] != TMI_NOWHERE)
                mark_label(patch, side, delta->list, delta->number[side]);
            if (delta->type == TMI_DELTA_FIELD && delta->field->type == TM_TYPE_REFERENCE)
                mark_label(patch, side, (tmi_list)delta->field->refers, delta->value[side].as.number);
            if (delta->type == TMI_DELTA_ELEMENT && delta->bytes[side])
                mark_fields(patch, side, delta->owner, delta->bytes[side]);
            if (delta->type == TMI_DELTA_OBJECT)
                mark_around(patch, side, delta);
            if (delta->content[side] && delta->list == TMI_LAYERS)
                mark_fields(patch, side, tm_owner_of_layer(((tm_layer *)delta->content[side])->kind),
                            delta->content[side]);
        }
    }
}
