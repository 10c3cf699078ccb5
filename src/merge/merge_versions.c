/* SPDX-License-Identifier: Zlib */
/*
 * Access to the versions of an object: its structs and numbers, its hash, and the caller's rules for it.
 */
#include "merge.h"

const void *tmi_merge_object_in(const tmi_merge *m, int version, tm_kind list, uint32_t id)
{
    if (list == TM_KIND_MAP)
        return m->maps[version];
    const int32_t number = m->objects.list[list].place[version][id];
    return number == TM_NONE
               ? NULL
               : tmi_object_at(m->maps[version], m->objects.side[version], list, (uint32_t)number);
}

void *tmi_merged_object(const tmi_merge *m, tm_kind list, uint32_t id)
{
    return tmi_objects_struct(&m->objects, m->map, list, id);
}

tm_status tmi_merge_copy_theirs(tmi_merge *m, void *object, tm_kind list, uint32_t id)
{
    return tmi_put_object(m->map, list, object, m->maps[TM_MERGE_THEIRS],
                          tmi_merge_object_in(m, TM_MERGE_THEIRS, list, id),
                          (tmi_version){&m->objects, TM_MERGE_THEIRS}, m->error);
}

tm_resolution tmi_merge_resolve(const tmi_merge *m, tm_kind list, uint32_t id, tmi_delta_type type,
                                tm_kind owner)
{
    for (uint32_t i = m->options.num_rules; i-- > 0;) {
        for (int side = TM_MERGE_OURS; side <= TM_MERGE_THEIRS; side++) {
            tmi_delta change = {.type = type, .list = list, .owner = owner};
            for (int k = TMI_BEFORE; k <= TMI_AFTER && list != TM_KIND_MAP; k++) {
                const int32_t place = m->objects.list[list].place[k == TMI_BEFORE ? TM_MERGE_BASE : side][id];
                change.number[k] = place == TM_NONE ? TMI_NOWHERE : (uint32_t)place;
            }
            if ((change.number[TMI_BEFORE] != TMI_NOWHERE || change.number[TMI_AFTER] != TMI_NOWHERE) &&
                tmi_words_choose(m->options.rules[i].words, m->patch[side], &change))
                return m->options.rules[i].resolution;
        }
    }
    return TM_RESOLUTION_UNRESOLVED;
}

/* --------------------------------------------------------------------------------------------------- hash */

static uint64_t hash_fields(const tmi_merge *m, int version, uint64_t hash, tm_kind owner, const void *object,
                            int parts);

static uint64_t hash_list(const tmi_merge *m, int version, tm_kind list, const void *object, int parts)
{
    uint64_t hash = hash_fields(m, version, TMI_HASH, list, object, parts);
    const tm_group *group = object;
    const tm_envelope *envelope = object;
    if (list == TM_KIND_LAYER)
        return hash_fields(m, version, hash, tm_kind_of_layer(((const tm_layer *)object)->kind), object,
                           parts);
    for (uint32_t i = 0; list == TM_KIND_GROUP && i < group->num_layers; i++)
        hash = tmi_hash_number(hash, (int64_t)hash_list(m, version, TM_KIND_LAYER, &group->layers[i], parts));
    if (list == TM_KIND_ENVELOPE)
        hash = tmi_hash(hash, envelope->points, envelope->num_points * sizeof(*envelope->points));
    return hash;
}

uint64_t tmi_merge_hash(const tmi_merge *m, int version, tm_kind list, uint32_t number, int parts)
{
    return hash_list(m, version, list,
                     tmi_object_at(m->maps[version], m->objects.side[version], list, number), parts);
}

/* A reference counts by the object it leads to, since each side has its own indices. */
static uint64_t hash_fields(const tmi_merge *m, int version, uint64_t hash, tm_kind owner, const void *object,
                            int parts)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const tm_field *field = &fields[i];
        const bool plain = field->storage != TM_STORED_POINTER && field->storage != TM_STORED_CHARS;
        if (field->flags & TM_FIELD_ALIAS || !tmi_field_present(field, object))
            continue;
        const tm_value value = tm_field_get(field, object, 0);
        if (field->type == TM_TYPE_BLOCK && parts & TMI_HASH_BLOCKS)
            hash = tmi_hash_number(hash, (int64_t)tmi_block_key(value.as.block));
        else if (strcmp(field->name, "name") == 0 && parts & TMI_HASH_NAMES)
            hash = tmi_hash_text(hash, value.as.text);
        else if (field->type == TM_TYPE_REFERENCE && parts & TMI_HASH_REFERENCES)
            hash = tmi_hash_number(
                hash, value.as.number < 0 || value.as.number >= m->objects.side[version]->num[field->refers]
                          ? -1
                          : (int64_t)tmi_merge_hash(m, version, field->refers, (uint32_t)value.as.number,
                                                    TMI_HASH_NAMES | TMI_HASH_BLOCKS));
        else if (field->type != TM_TYPE_REFERENCE && plain)
            hash = tmi_hash(hash, (const char *)object + field->offset, field->size * field->num_values);
    }
    return hash;
}
