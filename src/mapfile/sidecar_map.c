/* SPDX-License-Identifier: Zlib */
/*
 * Keeping what a map's file has beside the map, apart from the map: items that the model does not hold,
 * ints behind what is known, the order of all, how each block was packed. And giving it to a map that was
 * made anew of the same content: the file is made again, and the map's objects get the items that they
 * came from. From there on saving does what it does with every loaded map: what is not changed is written
 * as it was.
 */
#include "save_map.h"

#include "../datafile/datafile.h"

/* ------------------------------------------------------------------------------------------- the contents */

typedef struct keep_job {
    const tm_datafile *datafile;
    const tm_output *output;
    const tm_job *job;
} keep_job;

static tm_status keep_file(void *ctx, tm_datafile_writer *contents, tm_error *error)
{
    const keep_job *of = ctx;
    return tmi_keep_file(of->datafile, contents, of->output, of->job, error);
}

tm_status tm_mapfile_sidecar_write(const tm_map *map, const tm_output *output, const tm_job *job,
                                   tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(output, "output", error));
    const tm_datafile *datafile = tm_mapfile_datafile(map);
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    if (!datafile)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map comes from no file");
    keep_job of = {datafile, output, &how};
    return tmi_with_contents(map, keep_file, &of, error);
}

/* ---------------------------------------------------------------------------------------------- restoring */

typedef struct restoring {
    const void *kept;
    size_t size;
    const tm_limits *limits;
    const tm_job *job;
    tm_buffer file;
    tmi_remade remade;
} restoring;

static tm_status apply_sidecar(void *ctx, tm_datafile_writer *contents, tm_error *error)
{
    restoring *of = ctx;
    return tmi_sidecar_apply(&of->file, &of->remade, of->kept, of->size, contents, of->limits, of->job,
                             error);
}

/* A file in memory that goes with what was loaded from it, and so does the allocator. */
typedef struct owned_file {
    tm_buffer file;
    tm_allocator allocator; /* `resize` NULL: malloc */
} owned_file;

static void close_owned(void *ctx)
{
    owned_file *own = ctx;
    const tm_allocator copy = own->allocator, *allocator = copy.resize ? &copy : NULL;
    own->file.allocator = allocator;
    tm_buffer_release(&own->file);
    tmi_free(allocator, own, 1, sizeof(*own));
}

static tm_status load_remade(tm_map **out, const tm_map *map, tm_buffer *file, tm_error *error)
{
    owned_file *own = tmi_alloc(tmi_map_allocator(map), 1, sizeof(*own));
    if (!own)
        return tmi_fail_memory(error, sizeof(*own), "a file");
    own->file = *file;
    own->allocator = map->priv->allocator;
    *file = (tm_buffer){0};
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &map->priv->limits,
                                        own->allocator.resize ? &own->allocator : NULL};
    tm_input input = tm_input_from_memory(own->file.bytes, own->file.size);
    input.ctx = own;
    input.close = close_owned;
    return tm_mapfile_load(out, input, &options, NULL, error);
}

/* Where the objects of a kind begin in the list of places. */
static uint32_t number_then(const int32_t *places, size_t first, uint32_t index, uint32_t num)
{
    const int32_t place = places[first + index];
    return place >= 0 && (uint32_t)place < num ? (uint32_t)place : UINT32_MAX;
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

static void adopt_layer(tm_layer *layer, const tm_layer *old)
{
    if (!old || layer->kind != old->kind)
        return;
    layer->origin = old->origin;
    if (tm_game_layer(layer->kind)->is_tiles)
        layer->as.tiles.automapper.origin = old->as.tiles.automapper.origin;
}

static void adopt_objects(tm_map *map, const tm_map *old, const int32_t *places)
{
    size_t first = 0;
    uint32_t k;
    map->info.origin = old->info.origin;
    for (uint32_t i = 0; i < map->num_images; i++)
        if ((k = number_then(places, first, i, old->num_images)) != UINT32_MAX)
            map->images[i].origin = old->images[k].origin;
    first += map->num_images;
    for (uint32_t i = 0; i < map->num_sounds; i++)
        if ((k = number_then(places, first, i, old->num_sounds)) != UINT32_MAX)
            map->sounds[i].origin = old->sounds[k].origin;
    first += map->num_sounds;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        if ((k = number_then(places, first, i, old->num_envelopes)) != UINT32_MAX)
            map->envelopes[i].origin = old->envelopes[k].origin;
    first += map->num_envelopes;
    for (uint32_t i = 0; i < map->num_groups; i++) {
        if ((k = number_then(places, first, i, old->num_groups)) == UINT32_MAX)
            continue;
        map->groups[i].origin = old->groups[k].origin;
        map->groups[i].extra = old->groups[k].extra;
    }
    first += map->num_groups;
    const uint32_t num_layers = tm_map_num_layers(old);
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++, first++)
            if ((k = number_then(places, first, 0, num_layers)) != UINT32_MAX)
                adopt_layer(&map->groups[g].layers[l], layer_by_number(old, k));
}

/* The map's bytes are counted with those of its file from here on. */
static tm_status adopt_file(tm_map *map, const tm_map *old, tm_error *error)
{
    const tmi_origin *origin = old->priv->origin;
    const unsigned long long held = atomic_load(&map->priv->family->account);
    if (origin->account) {
        TM_TRY(tmi_count_bytes(origin->account, held, map->priv->limits.unpacked_bytes, -1, error));
        tmi_uncount_bytes(&map->priv->family->account, held);
    }
    tmi_origin_retain(origin);
    map->priv->origin = origin;
    return TM_OK;
}

/*
 * A map in which nothing has changed becomes the one of its file: this alone knows which blocks are
 * shared, or empty where others have one element. Else its objects get what they came from.
 */
static tm_status adopt(tm_map *map, tm_map *old, const restoring *of, const int32_t *places, tm_error *error)
{
    bool equal = of->remade.num_gone == 0 && of->remade.num_other == 0;
    if (equal)
        TM_TRY(tm_map_equal(&equal, map, old, NULL, 0, error));
    if (equal) {
        tm_map_swap(map, old);
        return TM_OK;
    }
    TM_TRY(adopt_file(map, old, error));
    adopt_objects(map, old, places);
    return TM_OK;
}

static size_t num_objects(const tm_map *map)
{
    return (size_t)map->num_images + map->num_sounds + map->num_envelopes + map->num_groups +
           tm_map_num_layers(map);
}

tm_status tm_mapfile_sidecar_apply(tm_map *map, uint32_t *num_other, const void *kept, size_t size,
                                   const int32_t *places, size_t num_places, const tm_job *job,
                                   tm_error *error)
{
    if (num_other)
        *num_other = 0;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(kept, "kept", error));
    TM_TRY(tmi_need(places, "places", error));
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    if (map->priv->origin)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map comes from a file already");
    if (num_places != num_objects(map))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there are %zu places, and the map has %zu objects",
                        num_places, num_objects(map));
    restoring of = {kept, size, &map->priv->limits, &how, {0}, {0, 0}};
    tm_map *old = NULL;
    tm_status status = tmi_with_contents(map, apply_sidecar, &of, error);
    if (status == TM_OK)
        status = load_remade(&old, map, &of.file, error);
    if (status == TM_OK)
        status = adopt(map, old, &of, places, error);
    if (status == TM_OK && num_other)
        *num_other = of.remade.num_other;
    tm_map_free(old);
    tm_buffer_release(&of.file);
    return status;
}
