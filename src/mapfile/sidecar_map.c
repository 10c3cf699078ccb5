/* SPDX-License-Identifier: Zlib */
/*
 * Keeping what a map's file has next to the map, apart from the map: items that the model does not hold,
 * ints behind what is known, the order of all, how each block was packed. And giving it to a map that was
 * made again of the same content: the file is made again, and the map's objects get the items that they
 * came from. From there on saving does what it does with every loaded map: what is not changed is written
 * as it was.
 */
#include "save_map.h"

#include "../datafile/datafile.h"

tm_status tm_mapfile_sidecar_write(const tm_map *map, const tm_output *output, const tm_job *job,
                                   tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(output, "output", error));
    const tm_datafile *datafile = tm_mapfile_datafile(map);
    tm_job effective;
    TM_TRY(tmi_job_take(&effective, job, error));
    if (!datafile)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map comes from no file");
    tmi_saver saver;
    tm_status status = tmi_contents_begin(&saver, map, error);
    if (status == TM_OK)
        status = tmi_keep_file(datafile, saver.writer, output, &effective, error);
    tmi_save_end(&saver);
    return status;
}

/* ---------------------------------------------------------------------------------------------- restoring */

/* A file in memory that goes with what was loaded from it, and so does the allocator. */
typedef struct owned_file {
    tm_buffer file;
    tm_allocator allocator; /* `resize` NULL: malloc */
} owned_file;

static void close_owned(void *ctx)
{
    owned_file *owned = ctx;
    const tm_allocator copy = owned->allocator, *allocator = copy.resize ? &copy : NULL;
    owned->file.allocator = allocator;
    tm_buffer_release(&owned->file);
    tmi_free(allocator, owned, 1, sizeof(*owned));
}

static tm_status load_remade(tm_map **out, const tm_map *map, tm_buffer *file, tm_error *error)
{
    owned_file *owned;
    TM_TRY(tmi_reserve(&owned, tmi_map_allocator(map), 1, sizeof(*owned), "a file", error));
    owned->file = *file;
    owned->allocator = map->priv->allocator;
    *file = (tm_buffer){0};
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &map->priv->limits,
                                        owned->allocator.resize ? &owned->allocator : NULL};
    tm_input input = tm_input_from_memory(owned->file.bytes, owned->file.size);
    input.ctx = owned;
    input.close = close_owned;
    return tm_mapfile_load(out, input, &options, NULL, error);
}

static const tm_layer *layer_by_number(const tm_map *map, uint32_t number)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        if (number < map->groups[g].num_layers)
            return &map->groups[g].layers[number];
        number -= map->groups[g].num_layers;
    }
    return NULL;
}

/* What could not be read of a file is not in the map that was made again; a text of it would replace that. */
static tm_status adopt_unread(tm_map *map, tm_kind owner, void *object, const tm_map *old, const void *other,
                              tm_error *error)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        if (!tm_field_unread(&fields[i], other) || tm_field_num(&fields[i], object) == 0)
            continue;
        const tm_value value = tm_field_get(&fields[i], object, 0), empty = {.type = value.type};
        if (!tm_value_same(&value, &empty))
            TM_TRY(tmi_unread_refuse(&fields[i], other, error));
    }
    return tmi_unread_copy(map, owner, object, old, other, error);
}

/* `places` as in tm_sidecar. */
static tm_status adopt_all_unread(tm_map *map, const tm_map *old, const int32_t *places, tm_error *error)
{
    tm_kind owner;
    TM_TRY(adopt_unread(map, TM_KIND_INFO, &map->info, old, &old->info, error));
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_SOUND; kind++) {
        for (uint32_t i = 0; i < tmi_num_objects(map, kind); i++, places++) {
            const tm_address new_address = {(kind), i, 0};
            const tm_address old_address = {new_address.kind, (uint32_t)*places,
                                            0}; /* TM_NONE leads nowhere */
            const void *other = tmi_map_object(old, &old_address, &owner);
            if (other)
                TM_TRY(tmi_fail_at_address(error,
                                           adopt_unread(map, owner,
                                                        tmi_map_object_edit(map, &new_address, &owner), old,
                                                        other, error),
                                           map, new_address));
        }
    }
    return TM_OK;
}

/* `places` as in tm_sidecar. */
static void adopt_objects(tm_map *map, tm_map *old, const int32_t *places)
{
    tm_layer_walk walk = {0};
    tm_kind owner;
    map->info.origin = old->info.origin;
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_GROUP; kind++) {
        for (uint32_t i = 0; i < tmi_num_objects(map, kind); i++, places++) {
            const tm_address new_address = {(kind), i, 0};
            const tm_address old_address = {new_address.kind, (uint32_t)*places,
                                            0}; /* TM_NONE leads nowhere */
            void *object = tmi_map_object_edit(map, &new_address, &owner);
            void *other = tmi_map_object_edit(old, &old_address, &owner);
            if (!object || !other)
                continue;
            *tmi_object_origin(owner, object) = *tmi_object_origin(owner, other);
            if (owner == TM_KIND_GROUP)
                ((tm_group *)object)->extra = ((const tm_group *)other)->extra;
        }
    }
    for (; tm_map_next_layer(map, &walk); places++) {
        tm_layer *layer = &map->groups[walk.group].layers[walk.index];
        const tm_layer *old_layer = *places >= 0 ? layer_by_number(old, (uint32_t)*places) : NULL;
        if (!old_layer || layer->kind != old_layer->kind)
            continue;
        layer->origin = old_layer->origin;
        if (tm_game_layer(layer->kind)->is_tiles)
            layer->as.tiles.automapper.origin = old_layer->as.tiles.automapper.origin;
    }
}

/*
 * A map in which nothing has changed becomes the one of its file: this alone knows which blocks are
 * shared, or empty where others have one element. Else its objects get what they came from.
 */
static tm_status adopt(tm_map *map, tm_map *old, const tmi_remade *remade, const int32_t *places,
                       tm_error *error)
{
    bool equal = remade->num_gone == 0 && remade->num_other == 0;
    TM_TRY(adopt_all_unread(map, old, places, error));
    if (equal)
        TM_TRY(tm_map_equal(&equal, map, old, NULL, 0, error));
    if (equal) {
        tm_map_swap(map, old);
        return TM_OK;
    }
    /* the map's bytes are counted with those of its file from here on */
    const tmi_origin *origin = old->priv->origin;
    const unsigned long long held = atomic_load(&map->priv->family->account);
    if (origin->account) {
        TM_TRY(tmi_count_bytes(origin->account, held, map->priv->limits.unpacked_bytes, -1, error));
        tmi_uncount_bytes(&map->priv->family->account, held);
    }
    tmi_origin_retain(origin);
    map->priv->origin = origin;
    adopt_objects(map, old, places);
    return TM_OK;
}

tm_status tm_mapfile_sidecar_apply(uint32_t *num_other, tm_map *map, const tm_sidecar *sidecar,
                                   const tm_job *job, tm_error *error)
{
    if (num_other)
        *num_other = 0;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(sidecar, "sidecar", error));
    TM_TRY(tmi_need(sidecar->bytes, "sidecar->bytes", error));
    TM_TRY(tmi_need(sidecar->places, "sidecar->places", error));
    tm_job effective;
    TM_TRY(tmi_job_take(&effective, job, error));
    if (map->priv->origin)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map comes from a file already");
    const size_t num = (size_t)map->num_images + map->num_sounds + map->num_envelopes + map->num_groups +
                       tm_map_num_layers(map);
    if (sidecar->num_places != num)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there are %zu places, and the map has %zu objects",
                        sidecar->num_places, num);
    tmi_remade made = {0};
    tmi_saver saver;
    tm_map *old = NULL;
    tm_status status = tmi_contents_begin(&saver, map, error);
    if (status == TM_OK)
        status = tmi_sidecar_apply(&made, sidecar, saver.writer, &map->priv->limits, &effective, error);
    tmi_save_end(&saver);
    if (status == TM_OK)
        status = load_remade(&old, map, &made.file, error);
    if (status == TM_OK)
        status = adopt(map, old, &made, sidecar->places, error);
    if (status == TM_OK && num_other)
        *num_other = made.num_other;
    tm_map_free(old);
    tm_buffer_release(&made.file);
    return status;
}
