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
#include "references.h"

/* ----------------------------------------------------------------------------------------------- mappings */

int32_t tmi_renumber_index(const tmi_renumber *how, int32_t index)
{
    int64_t i = index, from = how->from, to = how->to, num = how->num;
    if (i < 0)
        return index;
    switch (how->change) {
    case TMI_INSERTED:
        if (i >= num)
            return TM_NONE; /* would lead to something new otherwise */
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

/* --------------------------------------------------------------------------------- indices in packed data */

enum { MAX_REFERENCES = 4 }; /* of one struct to one kind of object */

/* Where a struct keeps its indices of the objects that are renumbered. */
typedef struct index_places {
    size_t size; /* of the struct */
    size_t offsets[MAX_REFERENCES];
    size_t num;
} index_places;

static index_places places_of(tm_owner owner, tm_object object)
{
    index_places places = {.size = tm_owner_size(owner)};
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        if (fields[i].type != TM_TYPE_REFERENCE || fields[i].refers != object)
            continue;
        TMI_ASSERT(places.num < MAX_REFERENCES);
        places.offsets[places.num++] = fields[i].offset;
    }
    return places;
}

/* Elements that certainly lie in the block. */
static uint64_t whole_elements(const tm_layer *layer, const tm_block *block, const index_places *where)
{
    uint64_t num = tmi_layer_num(layer), room = block ? block->size / where->size : 0;
    return num < room ? num : room;
}

static bool any_changes(const tmi_renumber *how, const index_places *where, const char *elements,
                        uint64_t num)
{
    for (uint64_t i = 0; i < num; i++, elements += where->size) {
        for (size_t k = 0; k < where->num; k++) {
            int32_t index;
            memcpy(&index, elements + where->offsets[k], sizeof(index));
            if (tmi_renumber_index(how, index) != index)
                return true;
        }
    }
    return false;
}

static void change_all(const tmi_renumber *how, const index_places *where, char *elements, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++, elements += where->size) {
        for (size_t k = 0; k < where->num; k++) {
            int32_t index;
            memcpy(&index, elements + where->offsets[k], sizeof(index));
            index = tmi_renumber_index(how, index);
            memcpy(elements + where->offsets[k], &index, sizeof(index));
        }
    }
}

/* Shows a visitor the references of one struct of an owner. */
static void visit_struct(tm_owner owner, char *object, tmi_visit_reference *visit, void *ctx)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        int32_t index, before;
        if (fields[i].type != TM_TYPE_REFERENCE)
            continue;
        memcpy(&before, object + fields[i].offset, sizeof(before));
        index = before;
        visit(ctx, fields[i].refers, &index);
        if (index != before)
            memcpy(object + fields[i].offset, &index, sizeof(index));
    }
}

const tm_block *tmi_referring_block(const tm_layer *layer)
{
    const index_places where = places_of(tm_owner_of_elements(layer->kind), TM_OBJECT_ENVELOPE);
    return where.num ? *tmi_layer_elements(TMI_UNCONST(tm_layer, layer)) : NULL;
}

void tmi_visit_packed_references(const tm_layer *layer, void *bytes, tmi_visit_reference *visit, void *ctx)
{
    const tm_owner owner = tm_owner_of_elements(layer->kind);
    const index_places where = places_of(owner, TM_OBJECT_ENVELOPE);
    const uint64_t num = where.num && bytes ? whole_elements(layer, tmi_referring_block(layer), &where) : 0;
    for (uint64_t i = 0; i < num; i++)
        visit_struct(owner, (char *)bytes + i * where.size, visit, ctx);
}

/* ------------------------------------------------------------------------------------------------- layers */

void tmi_visit_references(tm_layer *layer, tmi_visit_reference *visit, void *ctx)
{
    visit_struct(tm_owner_of_layer(layer->kind), (char *)layer, visit, ctx);
}

typedef tm_status visit_layer(const tmi_renumber *how, tm_map *map, tm_layer *layer, tm_error *error);

/* Unpacks the layer's elements if an index in them changes. */
static tm_status prepare_renumbered_layer(const tmi_renumber *how, tm_map *map, tm_layer *layer,
                                          tm_error *error)
{
    const index_places where = places_of(tm_owner_of_elements(layer->kind), how->object);
    const void *bytes;
    if (where.num == 0)
        return TM_OK;
    tm_block *block = *tmi_layer_elements(layer);
    uint64_t num = whole_elements(layer, block, &where);
    if (num == 0)
        return TM_OK;
    bool was_unpacked = tm_block_get_info(block).unpacked;
    TM_TRY(tm_map_data(&bytes, NULL, map, block, error));
    if (any_changes(how, &where, bytes, num))
        return tmi_block_unshare(map, block, error);
    if (!was_unpacked)
        tm_map_drop_data(map, block);
    return TM_OK;
}

static tm_status apply_to_layer(const tmi_renumber *how, tm_map *map, tm_layer *layer, tm_error *error)
{
    const index_places own = places_of(tm_owner_of_layer(layer->kind), how->object);
    const index_places where = places_of(tm_owner_of_elements(layer->kind), how->object);
    (void)error;
    change_all(how, &own, (char *)layer, 1);
    if (where.num == 0)
        return TM_OK;
    tm_block *block = *tmi_layer_elements(layer);
    uint64_t num = whole_elements(layer, block, &where);
    /* What is packed now was looked at by prepare_renumbered_layer, which found nothing to change. */
    char *bytes = block ? atomic_load_explicit(&block->bytes, memory_order_acquire) : NULL;
    if (bytes && any_changes(how, &where, bytes, num)) {
        void *elements;
        TM_TRY(tm_map_edit_data(&elements, NULL, map, block, NULL));
        change_all(how, &where, elements, num);
    }
    return TM_OK;
}

static tm_status each_layer(const tmi_renumber *how, tm_map *map, visit_layer *visit, tm_error *error)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            tm_status status = visit(how, map, &map->groups[g].layers[l], error);
            if (status != TM_OK)
                return tmi_fail_at_address(error, status, map, (tm_address){TM_ADDRESS_LAYER, g, l});
        }
    }
    return TM_OK;
}

tm_status tmi_renumber_prepare(const tmi_renumber *how, tm_map *map, tm_error *error)
{
    return each_layer(how, map, prepare_renumbered_layer, error);
}

void tmi_renumber_apply(const tmi_renumber *how, tm_map *map)
{
    (void)each_layer(how, map, apply_to_layer, NULL);
}
