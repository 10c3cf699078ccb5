/* SPDX-License-Identifier: Zlib */
/*
 * Who refers to what, by the table of fields: in the structs of layers, and in their quads and sources.
 */
#include "edit.h"

static bool is_use(const tm_field *field, tm_object object)
{
    return field->type == TM_TYPE_REFERENCE && field->refers == object && !(field->flags & TM_FIELD_ALIAS);
}

static void use_struct(tm_layer *layer, tm_object object, tmi_edit_use_visit *visit, void *ctx)
{
    size_t num;
    const tm_field *fields = tm_fields(tm_owner_of_layer(layer->kind), &num);
    for (size_t i = 0; i < num; i++)
        if (is_use(&fields[i], object))
            visit(ctx, &fields[i], (int32_t *)(void *)((char *)layer + fields[i].offset));
}

/* Quads or sources in a block. It counts as changed as soon as the visitor changes an index in it. */
typedef struct elements {
    tm_map *map;
    tm_block *block;
    const char *bytes;
    char *writable; /* NULL until something has changed */
} elements;

static tm_status put_index(elements *at, size_t offset, int32_t index, tm_error *error)
{
    if (!at->writable) {
        void *bytes;
        TM_TRY(tm_map_edit_data(at->map, at->block, &bytes, NULL, error));
        at->bytes = at->writable = bytes;
    }
    memcpy(at->writable + offset, &index, sizeof(index));
    return TM_OK;
}

static tm_status visit_element(elements *at, size_t offset, const tm_field *field, tmi_edit_use_visit *visit,
                               void *ctx, tm_error *error)
{
    int32_t index;
    memcpy(&index, at->bytes + offset, sizeof(index));
    return visit(ctx, field, &index) ? put_index(at, offset, index, error) : TM_OK;
}

static tm_status visit_elements(tm_map *map, tm_block *block, uint32_t num_elements, tm_owner owner,
                                tm_object object, tmi_edit_use_visit *visit, void *ctx, tm_error *error)
{
    size_t num;
    const void *bytes;
    const size_t size = tm_owner_size(owner);
    const tm_field *fields = tm_fields(owner, &num);
    bool any = false;
    for (size_t i = 0; i < num; i++)
        any |= is_use(&fields[i], object);
    if (!any || num_elements == 0 || !block)
        return TM_OK;
    TM_TRY(tm_map_data(map, block, &bytes, NULL, error));
    elements at = {map, block, bytes, NULL};
    for (uint32_t e = 0; e < num_elements; e++)
        for (size_t i = 0; i < num; i++)
            if (is_use(&fields[i], object))
                TM_TRY(visit_element(&at, e * size + fields[i].offset, &fields[i], visit, ctx, error));
    return TM_OK;
}

tm_status tmi_edit_each_use(tm_map *map, tm_object object, tmi_edit_use_visit *visit, void *ctx,
                            tm_error *error)
{
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk)) {
        tm_layer *layer = &map->groups[walk.group].layers[walk.index];
        use_struct(layer, object, visit, ctx);
        const tm_owner owner = tm_owner_of_elements(layer->kind);
        tm_status status = TM_OK;
        if (layer->kind == TM_LAYER_QUADS)
            status = visit_elements(map, layer->as.quads.quads, layer->as.quads.num_quads, owner, object,
                                    visit, ctx, error);
        else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
            status = visit_elements(map, layer->as.sounds.sources, layer->as.sounds.num_sources, owner,
                                    object, visit, ctx, error);
        if (status)
            return tmi_fail_at_address(error, status, map,
                                       tmi_edit_address(TM_ADDRESS_LAYER, walk.group, walk.index));
    }
    return TM_OK;
}
