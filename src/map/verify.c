/* SPDX-License-Identifier: Zlib */
/*
 * Verifying: a walk over everything that must hold in a map at any time, whatever the caller wrote into its
 * fields. Loading guarantees it, every function of this room keeps it, and the tests call this after each
 * step. Indices in packed data are not looked at: they may be anything, and tm_map_envelope copes.
 */
#include "internal.h"

typedef struct walk {
    const tm_map *map;
    tm_address address;
    tm_error *error;
} walk;

static tm_status fault(const walk *at, const char *format, ...) TMI_PRINTF(2, 3);

static tm_status fault(const walk *at, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    tmi_fail(at->error, TM_ERROR_USAGE, -1, "%s", text);
    /* Without the names of the map: they may be what is at fault. */
    return tmi_fail_at_address(at->error, TM_ERROR_USAGE, NULL, at->address);
}

/* ------------------------------------------------------------------------------------------- small checks */

static tm_status check_list(const walk *at, const char *name, const void *items, uint32_t num)
{
    if (num > INT32_MAX)
        return fault(at, "%u %ss are more than indices can tell apart", (unsigned)num, name);
    return num && !items ? fault(at, "%u %ss, but no list of them", (unsigned)num, name) : TM_OK;
}

static tm_status check_name(const walk *at, const char *name, size_t size)
{
    return memchr(name, '\0', size) ? TM_OK : fault(at, "the name has no end within its %zu bytes", size);
}

static tm_status check_reference(const walk *at, const char *what, int32_t index, uint32_t num)
{
    if (index == TM_NONE || (index >= 0 && (uint32_t)index < num))
        return TM_OK;
    return fault(at, "refers to %s %ld, but there are %u", what, (long)index, (unsigned)num);
}

static tm_status check_block(const walk *at, const char *what, const tm_block *block)
{
    if (!block)
        return TM_OK;
    const void *bytes = atomic_load_explicit(&TMI_UNCONST(tm_block, block)->bytes, memory_order_acquire);
    if (block->changed && !bytes)
        return fault(at, "the %s data have changed, but there are none", what);
    return !block->changed && !block->origin ? fault(at, "the %s data come from nowhere", what) : TM_OK;
}

/* That a block has room for `num` elements; a missing one is fine, see `optional`. */
static tm_status check_elements(const walk *at, const char *what, const tm_block *block, uint64_t num,
                                uint32_t size, bool optional)
{
    TM_TRY(check_block(at, what, block));
    if (num == 0 || (!block && optional))
        return TM_OK;
    uint64_t bytes = block ? block->size : 0;
    if (num <= bytes / size)
        return TM_OK;
    return fault(at, "%llu %ss of %u bytes do not fit %llu bytes", (unsigned long long)num, what,
                 (unsigned)size, (unsigned long long)bytes);
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status verify_tile_layer(const walk *at, const tm_layer *layer)
{
    const tm_layer_rule *rule = tm_rules_layer(layer->kind);
    const tm_tile_layer *tiles = &layer->as.tiles;
    if (tiles->width > INT32_MAX || tiles->height > INT32_MAX)
        return fault(at, "%u x %u tiles are more than a file can say", (unsigned)tiles->width,
                     (unsigned)tiles->height);
    TM_TRY(check_elements(at, "tile", tiles->tiles, (uint64_t)tiles->width * tiles->height,
                          rule->element_size, true));
    TM_TRY(check_block(at, "compatibility tile", tiles->compat));
    if (tiles->compat && (!rule->is_physics || layer->kind == TM_LAYER_GAME))
        return fault(at, "a layer of kind %s has no compatibility tiles", rule->name);
    if (tiles->automapper.present && rule->is_physics)
        return fault(at, "a layer of kind %s has no automapper", rule->name);
    TM_TRY(check_reference(at, "image", tiles->image, at->map->num_images));
    return check_reference(at, "envelope", tiles->color_envelope, at->map->num_envelopes);
}

static tm_status verify_layer(const walk *at, const tm_layer *layer)
{
    const tm_map *map = at->map;
    if ((unsigned)layer->kind >= TM_LAYER_KINDS)
        return fault(at, "there is no kind of layer %d", (int)layer->kind);
    const tm_layer_rule *rule = tm_rules_layer(layer->kind);
    TM_TRY(check_name(at, layer->name, sizeof(layer->name)));
    if (rule->is_tiles)
        return verify_tile_layer(at, layer);
    if (layer->kind == TM_LAYER_QUADS) {
        const tm_quad_layer *quads = &layer->as.quads;
        TM_TRY(check_elements(at, "quad", quads->quads, quads->num_quads, rule->element_size, false));
        return check_reference(at, "image", quads->image, map->num_images);
    }
    if (layer->kind == TM_LAYER_UNKNOWN)
        return TM_OK;
    const tm_sound_layer *sounds = &layer->as.sounds;
    TM_TRY(check_elements(at, "source", sounds->sources, sounds->num_sources, rule->element_size, false));
    return check_reference(at, "sound", sounds->sound, map->num_sounds);
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status verify_image(const walk *at, const void *object)
{
    const tm_image *image = object;
    if (image->format != TM_IMAGE_RGBA && image->format != TM_IMAGE_RGB)
        return fault(at, "there is no image format %d", (int)image->format);
    return check_block(at, "pixel", image->pixels);
}

static tm_status verify_sound(const walk *at, const void *object)
{
    return check_block(at, "sound", ((const tm_sound *)object)->data);
}

static tm_status verify_envelope(const walk *at, const void *object)
{
    const tm_envelope *envelope = object;
    TM_TRY(check_name(at, envelope->name, sizeof(envelope->name)));
    return check_list(at, "point", envelope->points, envelope->num_points);
}

static tm_status verify_group(const walk *at, const void *object)
{
    const tm_group *group = object;
    walk layer = *at;
    TM_TRY(check_name(at, group->name, sizeof(group->name)));
    TM_TRY(check_list(at, "layer", group->layers, group->num_layers));
    layer.address.kind = TM_ADDRESS_LAYER;
    for (layer.address.layer = 0; layer.address.layer < group->num_layers; layer.address.layer++)
        TM_TRY(verify_layer(&layer, &group->layers[layer.address.layer]));
    return TM_OK;
}

static tm_status verify_info(walk *at)
{
    const tm_info *info = &at->map->info;
    at->address.kind = TM_ADDRESS_SETTINGS;
    TM_TRY(check_list(at, "command", (const void *)info->settings, info->num_settings));
    for (uint32_t i = 0; i < info->num_settings; i++)
        if (!info->settings[i])
            return fault(at, "command %u is missing", (unsigned)i);
    return TM_OK;
}

tm_status tm_map_verify(const tm_map *map, tm_error *error)
{
    static const struct {
        tm_object object;
        tm_address_kind address;
        tm_status (*verify)(const walk *at, const void *object);
    } steps[] = {
        {TM_OBJECT_IMAGE, TM_ADDRESS_IMAGE, verify_image},
        {TM_OBJECT_SOUND, TM_ADDRESS_SOUND, verify_sound},
        {TM_OBJECT_ENVELOPE, TM_ADDRESS_ENVELOPE, verify_envelope},
        {TM_OBJECT_GROUP, TM_ADDRESS_GROUP, verify_group},
    };
    walk at = {map, {TM_ADDRESS_MAP, 0, 0}, error};
    TM_TRY(tmi_check_map(map, error));
    if ((unsigned)map->game >= TM_GAME_COUNT)
        return fault(&at, "there is no game number %d", (int)map->game);
    for (size_t i = 0; i < TMI_COUNT_OF(steps); i++) {
        const tmi_kind *kind = tmi_kind_of(steps[i].object);
        at.address.kind = TM_ADDRESS_MAP;
        TM_TRY(check_list(&at, kind->name, tmi_items(kind, map), tmi_num(kind, map)));
        at.address.kind = steps[i].address;
        for (at.address.index = 0; at.address.index < tmi_num(kind, map); at.address.index++)
            TM_TRY(steps[i].verify(&at, (const char *)tmi_items(kind, map) + at.address.index * kind->size));
    }
    return verify_info(&at);
}
