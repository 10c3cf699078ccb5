/* SPDX-License-Identifier: Zlib */
/*
 * One table of steps, one small function for each function of the model. See change_steps.h.
 */
#include "change_steps.h"

#include <string.h>

uint64_t change_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* ---------------------------------------------------------------------------------------------- arguments */

static uint32_t byte(struct change_bytes *stream)
{
    return stream->pos < stream->size ? stream->bytes[stream->pos++] : 0;
}

/* A number below `num`, or rarely (and if there is none) one that is wrong. */
static uint32_t below(struct change_bytes *stream, uint32_t num)
{
    uint32_t b = byte(stream);
    return num == 0 || b == 255 ? num : b % num;
}

static tm_kind some_object(struct change_bytes *stream)
{
    return TM_KIND_IMAGE + (byte(stream) & 3);
}

static uint32_t num_layers(const tm_map *map, uint32_t group)
{
    return group < map->num_groups ? map->groups[group].num_layers : 0;
}

/* Where some layer is; false if there is none. */
static bool some_place(const tm_map *map, struct change_bytes *stream, uint32_t *group, uint32_t *layer)
{
    if (map->num_groups == 0)
        return false;
    *group = byte(stream) % map->num_groups;
    const uint32_t num = map->groups[*group].num_layers;
    *layer = num ? byte(stream) % num : 0;
    return num > 0;
}

static tm_layer *some_layer(tm_map *map, struct change_bytes *stream)
{
    uint32_t group, layer;
    return some_place(map, stream, &group, &layer) ? &map->groups[group].layers[layer] : NULL;
}

static tm_layer *some_tile_layer(tm_map *map, struct change_bytes *stream)
{
    tm_layer *layer = some_layer(map, stream);
    return layer && tm_game_layer(layer->kind)->is_tiles ? layer : NULL;
}

/* Up to 15 bytes of text, at times longer than a name and not always UTF-8. */
static const char *some_text(struct change_bytes *stream, char buffer[16])
{
    uint32_t size = byte(stream) & 15;
    for (uint32_t i = 0; i < size; i++)
        buffer[i] = (char)(byte(stream) | 1);
    buffer[size] = '\0';
    return buffer;
}

static int32_t some_reference(struct change_bytes *stream, uint32_t num)
{
    return num ? (int32_t)(byte(stream) % (num + 1)) - 1 : TM_NONE;
}

/* An index as it may stand in packed data: sometimes one that leads nowhere. */
static int32_t some_packed_reference(struct change_bytes *stream, uint32_t num)
{
    return (int32_t)(byte(stream) % (num + 3)) - 2;
}

/* ------------------------------------------------------------------------------------ rearranging objects */

enum { MAX_OBJECTS = 12, MAX_LAYERS = 10 };

typedef tm_status step(tm_map *map, struct change_bytes *stream, struct change_result *result,
                       tm_error *error);
#define UNUSED __attribute__((unused))
#define STEP(name)                                                         \
    static tm_status name(tm_map *map, UNUSED struct change_bytes *stream, \
                          UNUSED struct change_result *result, UNUSED tm_error *error)

STEP(insert)
{
    result->object = some_object(stream);
    result->at = below(stream, tmi_num_objects(map, result->object) + 1);
    if (tmi_num_objects(map, result->object) >= MAX_OBJECTS)
        return TM_OK;
    result->rearranged = result->added = true;
    return tm_map_insert(map, result->object, result->at, error);
}

STEP(duplicate)
{
    result->object = some_object(stream);
    uint32_t num = tmi_num_objects(map, result->object), index = below(stream, num);
    result->at = below(stream, num + 1);
    if (num >= MAX_OBJECTS)
        return TM_OK;
    result->rearranged = result->added = true;
    return tm_map_duplicate(map, result->object, index, result->at, error);
}

STEP(remove_object)
{
    tm_kind object = some_object(stream);
    uint32_t index = below(stream, tmi_num_objects(map, object));
    if (tmi_num_objects(map, object) == 1 &&
        (byte(stream) & 7)) /* else maps would be empty most of the time */
        return TM_OK;
    result->rearranged = true;
    return tm_map_remove(map, object, index, error);
}

STEP(move)
{
    tm_kind object = some_object(stream);
    uint32_t from = below(stream, tmi_num_objects(map, object)),
             to = below(stream, tmi_num_objects(map, object));
    result->rearranged = true;
    return tm_map_move(map, object, from, to, error);
}

/* ------------------------------------------------------------------------------------- rearranging layers */

STEP(insert_layer)
{
    result->group = below(stream, map->num_groups);
    result->at = below(stream, num_layers(map, result->group) + 1);
    result->is_layer = true;
    tm_layer_kind kind = (tm_layer_kind)below(stream, TM_LAYER_KINDS);
    uint32_t width = byte(stream) % 6, height = byte(stream) % 6;
    if (num_layers(map, result->group) >= MAX_LAYERS)
        return TM_OK;
    result->rearranged = result->added = true;
    return tm_map_insert_layer(map, result->group, result->at, kind, width, height, error);
}

STEP(duplicate_layer)
{
    uint32_t group = below(stream, map->num_groups), index = below(stream, num_layers(map, group));
    result->group = below(stream, map->num_groups);
    result->at = below(stream, num_layers(map, result->group) + 1);
    result->is_layer = true;
    if (num_layers(map, result->group) >= MAX_LAYERS)
        return TM_OK;
    result->rearranged = result->added = true;
    return tm_map_duplicate_layer(map, group, index, result->group, result->at, error);
}

STEP(remove_layer)
{
    uint32_t group = below(stream, map->num_groups), index = below(stream, num_layers(map, group));
    result->rearranged = true;
    return tm_map_remove_layer(map, group, index, error);
}

STEP(move_layer)
{
    uint32_t group = below(stream, map->num_groups), index = below(stream, num_layers(map, group));
    uint32_t to_group = below(stream, map->num_groups);
    uint32_t to = below(stream, num_layers(map, to_group) + (group != to_group));
    result->rearranged = true;
    return tm_map_move_layer(map, group, index, to_group, to, error);
}

/* -------------------------------------------------------------------------------------------------- texts */

STEP(set_text)
{
    char buffer[16];
    const char **slots[] = {&map->info.author,
                            &map->info.version,
                            &map->info.credits,
                            &map->info.license,
                            map->num_images ? &map->images[byte(stream) % map->num_images].name : NULL,
                            map->num_sounds ? &map->sounds[byte(stream) % map->num_sounds].name : NULL};
    const char **slot = slots[byte(stream) % TMI_COUNT_OF(slots)];
    const char *text = some_text(stream, buffer);
    return slot ? tm_map_set_text(map, slot, byte(stream) & 7 ? text : NULL, error) : TM_OK;
}

STEP(set_settings)
{
    char buffers[4][16];
    const char *settings[4];
    uint32_t num = byte(stream) % 5;
    for (uint32_t i = 0; i < num; i++)
        settings[i] = some_text(stream, buffers[i]);
    /* Also from the map's own list, which the call replaces. */
    if (num && map->info.num_settings)
        settings[0] = map->info.settings[0];
    return tm_map_set_settings(map, settings, num, error);
}

STEP(change_settings)
{
    enum { MAX_SETTINGS = 6 };
    char buffer[16];
    const uint32_t num = map->info.num_settings, at = below(stream, num + 1);
    if (num >= MAX_SETTINGS)
        return tm_map_set_settings(map, map->info.settings, at < num ? at : num, error);
    const char *text = num && byte(stream) & 1 ? map->info.settings[at % num] : some_text(stream, buffer);
    return tm_map_insert_setting(map, at, text, error);
}

/* On a clone that takes the map's place. */
STEP(swap)
{
    tm_map *clone;
    TM_TRY(tm_map_clone(&clone, map, error));
    tm_status status = set_text(clone, stream, result, error);
    if (status == TM_OK)
        tm_map_swap(map, clone);
    tm_map_free(clone);
    return status;
}

STEP(set_names)
{
    char buffer[16];
    const char *text = some_text(stream, buffer);
    tm_layer *layer = some_layer(map, stream);
    if (layer)
        tm_map_set_name(layer->name, sizeof(layer->name), text);
    if (map->num_envelopes)
        tm_map_set_name(map->envelopes[0].name, TM_ENVELOPE_NAME_SIZE, text);
    if (map->num_groups)
        tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, text);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- data */

STEP(set_points)
{
    tm_envelope_point points[4] = {{.time = 0}};
    uint32_t num = byte(stream) % 5;
    for (uint32_t i = 0; i < num; i++) {
        points[i].time = (int32_t)(i * byte(stream));
        points[i].curve = (int32_t)(byte(stream) % 7);
        points[i].values[0] = (int32_t)byte(stream) * 8;
    }
    return tm_map_set_points(map, below(stream, map->num_envelopes), points, num, error);
}

STEP(set_pixels)
{
    static const uint8_t pixels[4 * 4 * 4] = {1, 2, 3, 4, 5};
    uint32_t width = byte(stream) % 6 - 1, height = byte(stream) % 5; /* at times wrong */
    return tm_map_set_pixels(map, below(stream, map->num_images), byte(stream) & 3 ? pixels : NULL, width,
                             height, error);
}

STEP(set_sound)
{
    static const uint8_t opus[16] = {'O', 'g', 'g', 'S'};
    size_t size = byte(stream) & 15;
    return tm_map_set_sound(map, below(stream, map->num_sounds), byte(stream) & 3 ? opus : NULL, size, error);
}

STEP(set_elements)
{
    uint32_t group, layer;
    const bool any = some_place(map, stream, &group, &layer);
    tm_quad quads[3];
    tm_sound_source sources[3];
    uint32_t num = byte(stream) & 3;
    memset(quads, 0, sizeof(quads));
    memset(sources, 0, sizeof(sources));
    for (uint32_t i = 0; i < num; i++) {
        quads[i].position_envelope = some_packed_reference(stream, map->num_envelopes);
        quads[i].color_envelope = some_packed_reference(stream, map->num_envelopes);
        sources[i].position_envelope = some_packed_reference(stream, map->num_envelopes);
        sources[i].sound_envelope = some_packed_reference(stream, map->num_envelopes);
    }
    if (!any)
        return TM_OK;
    if (map->groups[group].layers[layer].kind == TM_LAYER_SOUNDS)
        return tm_map_set_sources(map, group, layer, sources, num, error);
    return tm_map_set_quads(map, group, layer, quads, num, error);
}

/* Inserting and removing elements; points where the layer has none. */
STEP(splice_elements)
{
    static const tm_envelope_point points[2] = {{.time = 1}, {.time = 2}};
    uint32_t group = 0, layer = 0;
    const bool any = some_place(map, stream, &group, &layer);
    const tm_layer_kind kind = any ? map->groups[group].layers[layer].kind : TM_LAYER_UNKNOWN;
    const uint32_t at = byte(stream) & 3, num = byte(stream) % 3;
    const uint32_t there = any && kind == TM_LAYER_QUADS ? map->groups[group].layers[layer].as.quads.num_quads
                           : any && kind == TM_LAYER_SOUNDS
                               ? map->groups[group].layers[layer].as.sounds.num_sources
                           : map->num_envelopes ? map->envelopes[0].num_points
                                                : 0;
    const bool removes = byte(stream) & 1 || there > 2; /* lists stay short */
    tm_quad quads[3];
    tm_sound_source sources[3];
    for (uint32_t i = 0; i < 3; i++) {
        tm_quad_init(&quads[i], (int32_t)i, 0, 32, 32);
        tm_sound_source_init(&sources[i], (int32_t)i, 0);
        quads[i].color_envelope = sources[i].sound_envelope =
            some_packed_reference(stream, map->num_envelopes);
    }
    if (kind == TM_LAYER_QUADS || kind == TM_LAYER_SOUNDS)
        return removes
                   ? tmi_map_remove_elements(map, LAYER_AT(group, layer), at, num, error)
                   : tmi_map_insert_elements(map, LAYER_AT(group, layer), at,
                                             kind == TM_LAYER_QUADS ? (void *)quads : sources, num, error);
    return removes ? tmi_map_remove_elements(map, ENVELOPE_AT(0), at, num, error)
                   : tmi_map_insert_elements(map, ENVELOPE_AT(0), at, points, num & 1, error);
}

STEP(unpack_all)
{
    return tm_map_unpack(map, NULL, 0, NULL, error);
}

STEP(drop_all)
{
    tm_map_drop_all_data(map);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

STEP(resize_layer)
{
    uint32_t group, layer;
    const bool any = some_place(map, stream, &group, &layer);
    uint32_t width = byte(stream) % 8, height = byte(stream) % 8;
    int32_t dx = (int32_t)(byte(stream) % 9) - 4, dy = (int32_t)(byte(stream) % 9) - 4;
    return any ? tm_map_resize_layer(map, group, layer, width, height, dx, dy, error) : TM_OK;
}

STEP(write_tiles)
{
    uint8_t tiles[3][32];
    uint32_t group, layer;
    const bool any = some_place(map, stream, &group, &layer);
    int32_t x = (int32_t)(byte(stream) % 9) - 3, y = (int32_t)(byte(stream) % 9) - 3;
    uint32_t w = byte(stream) % 4, h = byte(stream) % 4;
    memset(tiles, (int)byte(stream), sizeof(tiles));
    if (!any)
        return TM_OK;
    return tm_map_write_tiles(map, group, layer, &(tm_rect){x, y, w, h}, tiles,
                              byte(stream) & 1 ? sizeof(tiles[0]) : 0, error);
}

STEP(fill_tiles)
{
    uint8_t tile[8];
    uint32_t group, layer;
    const bool any = some_place(map, stream, &group, &layer);
    int32_t x = (int32_t)(byte(stream) % 9) - 3, y = (int32_t)(byte(stream) % 9) - 3;
    uint32_t w = byte(stream) % 6, h = byte(stream) % 6;
    memset(tile, (int)byte(stream), sizeof(tile));
    return any ? tm_map_fill_tiles(map, group, layer, &(tm_rect){x, y, w, h}, tile, error) : TM_OK;
}

/* ------------------------------------------------------------------------------------------- plain fields */

STEP(set_references)
{
    tm_layer *layer = some_layer(map, stream);
    if (layer && tm_game_layer(layer->kind)->is_tiles) {
        layer->as.tiles.image = some_reference(stream, map->num_images);
        layer->as.tiles.color_envelope = some_reference(stream, map->num_envelopes);
    } else if (layer && layer->kind == TM_LAYER_QUADS) {
        layer->as.quads.image = some_reference(stream, map->num_images);
    } else if (layer && layer->kind != TM_LAYER_UNKNOWN) {
        layer->as.sounds.sound = some_reference(stream, map->num_sounds);
    }
    return TM_OK;
}

STEP(set_numbers)
{
    tm_layer *layer = some_tile_layer(map, stream);
    if (layer)
        layer->as.tiles.color.r = (int32_t)byte(stream);
    if (map->num_groups) {
        tm_group *group = &map->groups[byte(stream) % map->num_groups];
        group->offset_x = (int32_t)byte(stream) - 128;
        group->use_clipping = byte(stream) & 1;
    }
    if (map->num_envelopes)
        map->envelopes[byte(stream) % map->num_envelopes].synchronized = byte(stream) & 1;
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- the table */

static const struct {
    const char *name;
    step *run;
} steps[] = {
    {"insert", insert},
    {"duplicate", duplicate},
    {"remove", remove_object},
    {"move", move},
    {"insert layer", insert_layer},
    {"duplicate layer", duplicate_layer},
    {"remove layer", remove_layer},
    {"move layer", move_layer},
    {"set text", set_text},
    {"set settings", set_settings},
    {"change settings", change_settings},
    {"swap", swap},
    {"set names", set_names},
    {"set points", set_points},
    {"set pixels", set_pixels},
    {"set sound", set_sound},
    {"set elements", set_elements},
    {"splice elements", splice_elements},
    {"unpack all", unpack_all},
    {"drop all", drop_all},
    {"resize layer", resize_layer},
    {"write tiles", write_tiles},
    {"fill tiles", fill_tiles},
    {"set references", set_references},
    {"set numbers", set_numbers},
    /* Once more, so that there is something to rearrange. */
    {"insert layer", insert_layer},
    {"set elements", set_elements},
};

struct change_result change_step(tm_map *map, struct change_bytes *stream, tm_error *error)
{
    struct change_result result = {0};
    uint32_t which = byte(stream) % TMI_COUNT_OF(steps);
    result.name = steps[which].name;
    result.status = steps[which].run(map, stream, &result, error);
    return result;
}

/* ----------------------------------------------------------------------------------------------- checking */

/* What is counted in the account of a map, looked at block by block. */
struct held_bytes {
    const tm_map *map;
    const tm_block *block; /* the last one */
    bool counted;          /* with an earlier block of the same bytes */
    uint64_t sum;
};

static tm_status find_earlier(void *ctx, tm_block *block, const tm_address *address)
{
    struct held_bytes *held = ctx;
    (void)address;
    if (block == held->block)
        return TM_ERROR_CANCELLED;
    held->counted |= atomic_load(&block->bytes) == atomic_load(&held->block->bytes);
    return TM_OK;
}

static tm_status add_held(void *ctx, tm_block *block, const tm_address *address)
{
    struct held_bytes *held = ctx;
    (void)address;
    if (!atomic_load(&block->bytes) || (block->shares && block->origin != held->map->priv->origin))
        return TM_OK;
    held->block = block;
    held->counted = false;
    (void)tmi_map_each_block(held->map, find_earlier, held);
    held->sum += held->counted ? 0 : block->size;
    return TM_OK;
}

const char *change_fault(const tm_map *map, tm_error *error)
{
    struct held_bytes held = {.map = map};
    if (tm_map_verify(map, error) != TM_OK)
        return "the map does not verify";
    (void)tmi_map_each_block(map, add_held, &held);
    return held.sum == atomic_load(tmi_map_account(map)) ? NULL : "unpacked bytes are miscounted";
}
