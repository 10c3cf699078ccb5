/* SPDX-License-Identifier: Zlib */
/*
 * References: who refers to images, sounds and envelopes, and how all of them follow when something is
 * inserted, removed or moved. There is one visitor over all references; what happens is a mapping from old
 * index to new.
 *
 *   FROM                            TO         WHERE
 *   tile and quad layers            image      the struct
 *   sound layers                    sound      the struct
 *   tile layers                     envelope   the struct (color)
 *   quads                           envelope   the quads' block (position, color)
 *   sound sources, old ones, too    envelope   the sources' block (position, volume)
 *
 * In two steps, for all or nothing: tmi_renumber_prepare does what can fail (it unpacks the blocks in which
 * an index will change, and only these stay unpacked), tmi_renumber_apply cannot fail.
 */
#include "internal.h"

/* ----------------------------------------------------------------------------------------------- mappings */

/* Negative indices stay as they are. */
static int32_t renumbered(const tmi_renumber *renumbering, int32_t index)
{
    int64_t i = index, from = renumbering->from, to = renumbering->to, num = renumbering->num;
    if (i < 0)
        return index;
    switch (renumbering->change) {
    case TMI_INSERTED:
        if (i >= num)
            return TM_NONE; /* it led nowhere, and must not lead to a new object */
        return i >= to ? index + 1 : index;
    case TMI_REMOVED:
        if (i == from)
            return TM_NONE;
        return i > from && i < num ? index - 1 : index;
    case TMI_MOVED:
        if (i == from)
            return (int32_t)to;
        if (i > from && i <= to)
            return index - 1;
        return i >= to && i < from ? index + 1 : index;
    default: return index;
    }
}

/* Shows a visitor the references of one struct of an owner. */
void tmi_visit_element(tm_kind owner, void *object, tmi_visit_reference *visit, void *ctx)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        int32_t index, before;
        if (fields[i].type != TM_TYPE_REFERENCE)
            continue;
        memcpy(&before, (char *)object + fields[i].offset, sizeof(before));
        index = before;
        visit(ctx, &fields[i], &index);
        if (index != before)
            memcpy((char *)object + fields[i].offset, &index, sizeof(index));
    }
}

/* --------------------------------------------------------------------------------- indices in packed data */

const tm_block *tmi_referring_block(const tm_layer *layer)
{
    tm_block **slot = tmi_layer_elements(TMI_UNCONST(tm_layer, layer));
    return slot && !tm_game_layer(layer->kind)->is_tiles ? *slot : NULL;
}

/* Shows a visitor the references of the elements of a layer that lie within its block. */
void tmi_visit_packed_references(const tm_layer *layer, void *bytes, tmi_visit_reference *visit, void *ctx)
{
    const tm_kind owner = tm_kind_of_elements(layer->kind);
    const tm_block *block = tmi_referring_block(layer);
    const uint64_t room = bytes && block ? block->size / tm_kind_size(owner) : 0;
    for (uint64_t i = 0; i < room && i < tmi_layer_num(layer); i++)
        tmi_visit_element(owner, (char *)bytes + i * tm_kind_size(owner), visit, ctx);
}

typedef struct looking {
    tmi_visit_reference *visit;
    void *ctx;
    bool differs;
} looking;

static void look(void *ctx, const tm_field *field, int32_t *index)
{
    looking *search = ctx;
    int32_t mapped = *index;
    search->visit(search->ctx, field, &mapped);
    search->differs = search->differs || mapped != *index;
}

/* Whether a visitor would change an index in these bytes of a layer. */
static bool any_changes(const tm_layer *layer, const void *bytes, tmi_visit_reference *visit, void *ctx)
{
    looking search = {visit, ctx, false};
    tmi_visit_packed_references(layer, TMI_UNCONST(void, bytes), look, &search);
    return search.differs;
}

/* ------------------------------------------------------------------------------------------------- layers */

void tmi_visit_references(tm_layer *layer, tmi_visit_reference *visit, void *ctx)
{
    tmi_visit_element(tm_kind_of_layer(layer->kind), layer, visit, ctx);
}

tm_status tmi_read_references(const tm_map *map, const tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                              tm_error *error)
{
    tm_layer copy = *layer; /* the visitor changes nothing */
    tmi_borrowed elements;
    tmi_visit_references(&copy, visit, ctx);
    TM_TRY(tmi_borrowed_open(&elements, map, tmi_referring_block(layer), error));
    tmi_visit_packed_references(layer, TMI_UNCONST(void, elements.bytes), visit, ctx);
    tmi_borrowed_close(&elements);
    return TM_OK;
}

static tm_status edit_references(tm_map *map, tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                                 tm_error *error)
{
    void *bytes;
    TM_TRY(tm_map_edit_data(&bytes, NULL, map, *tmi_layer_elements(layer), error));
    tmi_visit_packed_references(layer, bytes, visit, ctx);
    return TM_OK;
}

tm_status tmi_layer_map_references(tm_map *map, tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                                   tm_error *error)
{
    tmi_borrowed elements;
    tmi_visit_references(layer, visit, ctx);
    TM_TRY(tmi_borrowed_open(&elements, map, tmi_referring_block(layer), error));
    const bool differs = any_changes(layer, elements.bytes, visit, ctx);
    tmi_borrowed_close(&elements);
    return differs ? edit_references(map, layer, visit, ctx, error) : TM_OK;
}

void tmi_redirect(void *ctx, const tm_field *field, int32_t *index)
{
    tmi_redirection *redirection = ctx;
    if (field->refers != redirection->object || *index != redirection->from)
        return;
    *index = redirection->to;
    redirection->num++;
}

uint32_t tmi_redirect_layers(tm_map *map, tm_kind object, uint32_t from, uint32_t to)
{
    tmi_redirection redirection = {object, (int32_t)from, (int32_t)to, 0};
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        tmi_visit_references(&map->groups[walk.group].layers[walk.index], tmi_redirect, &redirection);
    return redirection.num;
}

static void renumber(void *ctx, const tm_field *field, int32_t *index)
{
    const tmi_renumber *renumbering = ctx;
    if (field->refers == renumbering->object)
        *index = renumbered(renumbering, *index);
}

typedef tm_status visit_layer(tmi_renumber *renumbering, tm_map *map, tm_layer *layer, tm_error *error);

/* Unpacks the layer's elements if an index in them changes. */
static tm_status prepare_renumbered_layer(tmi_renumber *renumbering, tm_map *map, tm_layer *layer,
                                          tm_error *error)
{
    const void *bytes;
    if (renumbering->object != TM_KIND_ENVELOPE || !tmi_referring_block(layer) || tmi_layer_num(layer) == 0)
        return TM_OK;
    tm_block *block = *tmi_layer_elements(layer);
    bool was_unpacked = tm_block_get_info(block).unpacked;
    TM_TRY(tm_map_data(&bytes, NULL, map, block, error));
    if (any_changes(layer, bytes, renumber, renumbering))
        return tmi_block_unshare(map, block, error);
    if (!was_unpacked)
        tmi_map_drop_data(map, block);
    return TM_OK;
}

/* Renumbers a layer. A block that is still packed has no index to change: preparing unpacks all others. */
static tm_status apply_to_layer(tmi_renumber *renumbering, tm_map *map, tm_layer *layer, tm_error *error)
{
    const tm_block *block = tmi_referring_block(layer);
    const void *bytes = block ? tmi_block_held(block) : NULL;
    (void)error;
    tmi_visit_references(layer, renumber, renumbering);
    return any_changes(layer, bytes, renumber, renumbering)
               ? edit_references(map, layer, renumber, renumbering, NULL)
               : TM_OK;
}

static tm_status each_layer(tmi_renumber renumbering, tm_map *map, visit_layer *visit, tm_error *error)
{
    if (renumbering.object == TM_KIND_GROUP) /* to which nothing refers */
        return TM_OK;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        TM_TRY(tmi_fail_at_address(
            error, visit(&renumbering, map, &map->groups[walk.group].layers[walk.index], error), map,
            (tm_address){TM_KIND_LAYER, walk.group, walk.index}));
    return TM_OK;
}

tm_status tmi_renumber_prepare(const tmi_renumber *renumbering, tm_map *map, tm_error *error)
{
    return each_layer(*renumbering, map, prepare_renumbered_layer, error);
}

void tmi_renumber_apply(const tmi_renumber *renumbering, tm_map *map)
{
    (void)each_layer(*renumbering, map, apply_to_layer, NULL);
}
