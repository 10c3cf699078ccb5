/* SPDX-License-Identifier: Zlib */
/*
 * Sets what is more than a plain field: texts, names, pixels, sounds, and lists: quads and sound sources of a
 * layer, points of an envelope, settings. Lists are read and edited in place, and ranges of them replaced,
 * inserted and removed. Quads and sources lie in a block (format sections 2.9, 2.10), the other lists in
 * memory of their own. Everything is copied before anything is replaced, so callers may pass parts of the
 * same map; a value is stored when nothing can fail any more.
 */
#include "internal.h"

/* -------------------------------------------------------------------------------------------------- texts */

/* The row of a text of an object, by the place of its pointer; NULL: it is none of them. */
static const tm_field *text_field_at(tm_kind owner, const void *object, const void *place)
{
    for (size_t i = 0; i < tmi_kind_rows[owner].num; i++) {
        const tm_field *field = &tmi_kind_rows[owner].fields[i];
        if (field->unread && (const char *)object + field->offset == (const char *)place)
            return field;
    }
    return NULL;
}

/* The object of an array in which a place lies, by its address as a number; NULL: it lies elsewhere. */
static const void *object_around(const tmi_array *array, const tm_map *map, const void *place)
{
    const uintptr_t first = (uintptr_t)tmi_items(array, map), at = (uintptr_t)place;
    const size_t num = tmi_num(array, map);
    return first && at >= first && (at - first) / array->size < num
               ? tmi_item_at(array, tmi_items(array, map), (uint32_t)((at - first) / array->size))
               : NULL;
}

/* TM_ERROR_UNSUPPORTED for the place of a text that could not be read; TM_OK for a text of no object. */
static tm_status refuse_over_unread(const tm_map *map, const char *const *slot, tm_error *error)
{
    static const tm_kind objects[] = {TM_KIND_IMAGE, TM_KIND_SOUND};
    const tm_field *field = text_field_at(TM_KIND_INFO, &map->info, slot);
    const void *object = &map->info;
    for (size_t i = 0; !field && i < TMI_COUNT_OF(objects); i++) {
        const tmi_array *array = tmi_map_array_of(objects[i]);
        object = object_around(array, map, slot);
        field = object ? text_field_at(array->kind, object, slot) : NULL;
    }
    return field ? tmi_unread_refuse(field, object, error) : TM_OK;
}

tm_status tm_map_set_text(tm_map *map, const char **slot, const char *text, tm_error *error)
{
    const char *copy;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(slot, "slot", error));
    TM_TRY(refuse_over_unread(map, slot, error));
    if (text && *slot && *slot != text && strcmp(*slot, text) == 0)
        return TM_OK;
    TM_TRY(tmi_text_add(map, &copy, text, error));
    tmi_text_release(map, *slot);
    *slot = copy;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- names */

bool tm_map_set_name(char *name, size_t name_size, const char *text)
{
    size_t length = text ? strlen(text) : 0, size = 0;
    if (!name || name_size == 0)
        return false;
    /* Cuts invalid UTF-8 at any byte: such names exist, and are kept as far as they fit. */
    while (size < length) {
        size_t step = tmi_utf8_step(text + size, length - size);
        step = step ? step : 1;
        if (step > name_size - 1 - size)
            break;
        size += step;
    }
    if (size)
        memmove(name, text, size);
    memset(name + size, 0, name_size - size);
    return size == length;
}

/* -------------------------------------------------------------------------------------- pixels and sounds */

tm_status tm_map_set_pixels(tm_map *map, uint32_t image, const void *rgba, uint32_t width, uint32_t height,
                            tm_error *error)
{
    tm_block *block = NULL;
    TM_TRY(tmi_check_object(map, TM_KIND_IMAGE, image, error));
    if (width > INT32_MAX || height > INT32_MAX || (rgba && (width == 0 || height == 0)))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "an image cannot have %u x %u pixels: each side is 1 to %ld", (unsigned)width,
                        (unsigned)height, (long)INT32_MAX);
    uint64_t size = (uint64_t)width * height * 4; /* two 31-bit factors: just fits */
    if (rgba)
        TM_TRY(tmi_block_new(&block, map, TMI_ENCODING_BYTES, rgba, size, error));
    tm_image *target = &map->images[image];
    tmi_block_put(map, &target->pixels, block);
    target->external = !rgba;
    if (rgba || width || height) {
        target->width = (int32_t)width;
        target->height = (int32_t)height;
    }
    if (rgba)
        target->format = TM_IMAGE_RGBA;
    return TM_OK;
}

tm_status tm_map_set_sound(tm_map *map, uint32_t sound, const void *opus, size_t size, tm_error *error)
{
    tm_block *block = NULL;
    TM_TRY(tmi_check_object(map, TM_KIND_SOUND, sound, error));
    if (opus && size == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the size of the sound is 0");
    if (opus)
        TM_TRY(tmi_block_new(&block, map, TMI_ENCODING_BYTES, opus, size, error));
    tmi_block_put(map, &map->sounds[sound].data, block);
    map->sounds[sound].external = !opus;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- layers */

static tm_status check_elements_kind(const tm_layer *layer, tm_layer_kind kind, tm_error *error)
{
    if (layer->kind == kind)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "a layer of kind %s has no %s",
                    tm_game_layer(layer->kind)->name, kind == TM_LAYER_QUADS ? "quads" : "sound sources");
}

static tm_status find_of_kind(tm_layer **out, tm_map *map, uint32_t group, uint32_t layer, tm_layer_kind kind,
                              tm_error *error)
{
    TM_TRY(tmi_find_layer(out, map, group, layer, error));
    return check_elements_kind(*out, kind, error);
}

/* Whether the block really has the elements that the layer's number promises. */
static tm_status check_elements_room(const tm_layer *layer, const tm_block *block, tm_error *error)
{
    const uint64_t num = tmi_layer_num(layer), bytes = block ? block->size : 0;
    if (num <= bytes / tm_game_layer(layer->kind)->element_size)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "the layer has %llu elements, which do not fit its %llu bytes",
                    (unsigned long long)num, (unsigned long long)bytes);
}

tm_status tmi_map_edit_elements(void **elements, uint32_t *num, tm_map *map, const tm_layer *layer,
                                tm_error *error)
{
    tm_block *block = *tmi_layer_elements(TMI_UNCONST(tm_layer, layer));
    *elements = NULL;
    *num = 0;
    TM_TRY(check_elements_room(layer, block, error));
    if (tmi_layer_num(layer) == 0)
        return TM_OK;
    TM_TRY(tm_map_edit_data(elements, NULL, map, block, error));
    *num = tmi_layer_num(layer);
    return TM_OK;
}

/* Empties what a caller gets, `out` being a T **: no T ** may be accessed as a void **. */
static tm_status begin_elements(void *out, uint32_t *num, tm_layer_kind kind, tm_error *error)
{
    void *const empty = NULL;
    TM_TRY(tmi_need(out, kind == TM_LAYER_QUADS ? "quads" : "sources", error));
    TM_TRY(tmi_need(num, "num", error));
    memcpy(out, &empty, sizeof(empty));
    *num = 0;
    return TM_OK;
}

static tm_status read_elements(void *out /* const T ** */, uint32_t *num, const tm_map *map,
                               const tm_layer *layer, tm_layer_kind kind, tm_error *error)
{
    const void *elements;
    TM_TRY(begin_elements(out, num, kind, error));
    TM_TRY(tmi_need(map, "map", error));
    if (!layer)
        return TM_OK;
    TM_TRY(check_elements_kind(layer, kind, error));
    const tm_block *block = *tmi_layer_elements(TMI_UNCONST(tm_layer, layer));
    TM_TRY(check_elements_room(layer, block, error));
    if (tmi_layer_num(layer) == 0)
        return TM_OK;
    TM_TRY(tm_map_data(&elements, NULL, map, block, error));
    memcpy(out, &elements, sizeof(elements));
    *num = tmi_layer_num(layer);
    return TM_OK;
}

static tm_status edit_elements(void *out /* T ** */, uint32_t *num, tm_map *map, tm_address address,
                               tm_layer_kind kind, tm_error *error)
{
    tm_layer *target;
    void *elements;
    TM_TRY(begin_elements(out, num, kind, error));
    TM_TRY(find_of_kind(&target, map, address.index, address.layer, kind, error));
    TM_TRY(tmi_map_edit_elements(&elements, num, map, target, error));
    memcpy(out, &elements, sizeof(elements));
    return TM_OK;
}

tm_status tm_map_quads(const tm_quad **quads, uint32_t *num, const tm_map *map, const tm_layer *layer,
                       tm_error *error)
{
    return read_elements(quads, num, map, layer, TM_LAYER_QUADS, error);
}

tm_status tm_map_sources(const tm_sound_source **sources, uint32_t *num, const tm_map *map,
                         const tm_layer *layer, tm_error *error)
{
    return read_elements(sources, num, map, layer, TM_LAYER_SOUNDS, error);
}

tm_status tm_map_edit_quads(tm_quad **quads, uint32_t *num, tm_map *map, uint32_t group, uint32_t layer,
                            tm_error *error)
{
    const tm_address address = {TM_KIND_LAYER, group, layer};
    return edit_elements(quads, num, map, address, TM_LAYER_QUADS, error);
}

tm_status tm_map_edit_sources(tm_sound_source **sources, uint32_t *num, tm_map *map, uint32_t group,
                              uint32_t layer, tm_error *error)
{
    const tm_address address = {TM_KIND_LAYER, group, layer};
    return edit_elements(sources, num, map, address, TM_LAYER_SOUNDS, error);
}

/* ----------------------------------------------------------------------------------------------- splicing */

/* A list of `num` elements in which `added` new ones replace `removed` ones from `at` on, or all. */
typedef struct splice {
    const char *name; /* of an element */
    size_t size;      /* bytes of an element */
    uint32_t num, at, removed, added;
    const void *elements; /* the new ones */
    bool all;
} splice;

/* Completes and checks a splice of a list of `num` elements. */
static tm_status begin_splice(splice *change, const char *name, size_t size, uint32_t num, tm_error *error)
{
    change->name = name;
    change->size = size;
    change->num = num;
    if (change->all)
        change->removed = num;
    if (change->added && !change->elements)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the array of %u %ss is NULL", (unsigned)change->added,
                        change->name);
    if (change->at > change->num && change->removed == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot insert %ss at %u, there are %u", change->name,
                        (unsigned)change->at, (unsigned)change->num);
    if (change->at > change->num || change->removed > change->num - change->at)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%u %ss from %u on do not exist, there are %u",
                        (unsigned)change->removed, change->name, (unsigned)change->at, (unsigned)change->num);
    if ((uint64_t)change->num - change->removed + change->added > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many %ss: %ld are the most", change->name,
                        (long)INT32_MAX);
    return TM_OK;
}

static uint32_t num_after(const splice *change)
{
    return change->num - change->removed + change->added;
}

/* Fills `out` with the spliced list; `old` may be NULL if nothing of it is left. */
static void copy_spliced(const splice *change, char *out, const char *old)
{
    const size_t before = change->at * change->size, gone = change->removed * change->size,
                 added = change->added * change->size, all = change->num * change->size;
    if (before)
        memcpy(out, old, before);
    if (added)
        memcpy(out + before, change->elements, added);
    if (before + gone < all)
        memcpy(out + before + added, old + before + gone, all - before - gone);
}

static tm_status splice_layer(tm_map *map, uint32_t group, uint32_t layer, tm_layer_kind kind, splice change,
                              tm_error *error)
{
    tm_layer *target;
    tm_block *fresh = NULL;
    TM_TRY(find_of_kind(&target, map, group, layer, kind, error));
    tm_block **block = tmi_layer_elements(target);
    TM_TRY(check_elements_room(target, *block, error));
    TM_TRY(begin_splice(&change, kind == TM_LAYER_QUADS ? "quad" : "sound source",
                        tm_game_layer(kind)->element_size, tmi_layer_num(target), error));
    const uint32_t num = num_after(&change);
    if (num) {
        tmi_borrowed old;
        TM_TRY(tmi_borrowed_open(&old, map, change.num > change.removed ? *block : NULL, error));
        const tm_status status =
            tmi_block_new(&fresh, map, tmi_encoding_of(kind), NULL, (uint64_t)num * change.size, error);
        if (status == TM_OK)
            copy_spliced(&change, tmi_block_own(fresh), old.bytes);
        tmi_borrowed_close(&old);
        TM_TRY(status);
    }
    tmi_block_put(map, block, fresh);
    *tmi_layer_count(target) = num;
    return TM_OK;
}

tm_status tm_map_set_quads(tm_map *map, uint32_t group, uint32_t layer, const tm_quad *quads, uint32_t num,
                           tm_error *error)
{
    const splice change = {.added = num, .elements = quads, .all = true};
    return splice_layer(map, group, layer, TM_LAYER_QUADS, change, error);
}

tm_status tm_map_set_sources(tm_map *map, uint32_t group, uint32_t layer, const tm_sound_source *sources,
                             uint32_t num, tm_error *error)
{
    const splice change = {.added = num, .elements = sources, .all = true};
    return splice_layer(map, group, layer, TM_LAYER_SOUNDS, change, error);
}

/* ------------------------------------------------------------------------------------------------- points */

static tm_status splice_points(tm_map *map, uint32_t envelope, splice change, tm_error *error)
{
    tm_envelope fresh = {.num_points = 0};
    TM_TRY(tmi_check_object(map, TM_KIND_ENVELOPE, envelope, error));
    tm_envelope *target = &map->envelopes[envelope];
    TM_TRY(begin_splice(&change, "point", sizeof(*target->points), target->num_points, error));
    TM_TRY(tmi_envelope_reserve(map, &fresh, num_after(&change), error));
    copy_spliced(&change, (char *)fresh.points, (const char *)target->points);
    tmi_envelope_release_points(map, target);
    target->points = fresh.points;
    target->num_points = fresh.num_points;
    return TM_OK;
}

tm_status tm_map_set_points(tm_map *map, uint32_t envelope, const tm_envelope_point *points, uint32_t num,
                            tm_error *error)
{
    const splice change = {.added = num, .elements = points, .all = true};
    return splice_points(map, envelope, change, error);
}

/* Of a layer of quads or sources, or an envelope. */
static tm_status splice_at(tm_map *map, const tm_address *address, splice change, tm_error *error)
{
    tm_layer *layer;
    if (address->kind == TM_KIND_ENVELOPE)
        return splice_points(map, address->index, change, error);
    TM_TRY(tmi_find_layer(&layer, map, address->index, address->layer, error));
    return splice_layer(map, address->index, address->layer,
                        layer->kind == TM_LAYER_QUADS ? TM_LAYER_QUADS : TM_LAYER_SOUNDS, change, error);
}

tm_status tmi_map_insert_elements(tm_map *map, const tm_address *address, uint32_t index,
                                  const void *elements, uint32_t num, tm_error *error)
{
    const splice change = {.at = index, .added = num, .elements = elements};
    return splice_at(map, address, change, error);
}

tm_status tmi_map_remove_elements(tm_map *map, const tm_address *address, uint32_t index, uint32_t num,
                                  tm_error *error)
{
    const splice change = {.at = index, .removed = num};
    return splice_at(map, address, change, error);
}

/* ----------------------------------------------------------------------------------------------- settings */

static tm_status splice_settings(tm_map *map, splice change, tm_error *error)
{
    const char **fresh = NULL;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_unread_refuse_settings(map, error));
    TM_TRY(begin_splice(&change, "setting", sizeof(*fresh), map->info.num_settings, error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    tm_info *info = &map->info;
    if (num_after(&change))
        TM_TRY(tmi_reserve(&fresh, allocator, num_after(&change), sizeof(*fresh), "settings", error));
    copy_spliced(&change, (char *)fresh, (const char *)info->settings);
    for (uint32_t i = change.at; i < change.at + change.added; i++) {
        const tm_status status = tmi_text_add(map, &fresh[i], fresh[i] ? fresh[i] : "", error);
        if (status == TM_OK)
            continue;
        while (i > change.at)
            tmi_text_release(map, fresh[--i]);
        tmi_free(allocator, fresh, num_after(&change), sizeof(*fresh));
        return status;
    }
    for (uint32_t i = change.at; i < change.at + change.removed; i++)
        tmi_text_release(map, info->settings[i]);
    tmi_free(allocator, info->settings, info->num_settings, sizeof(*fresh));
    info->settings = fresh;
    info->num_settings = num_after(&change);
    return TM_OK;
}

tm_status tm_map_set_settings(tm_map *map, const char *const *settings, uint32_t num, tm_error *error)
{
    const splice change = {.added = num, .elements = settings, .all = true};
    return splice_settings(map, change, error);
}

tm_status tm_map_insert_setting(tm_map *map, uint32_t at, const char *text, tm_error *error)
{
    const splice change = {.at = at, .added = 1, .elements = &text};
    return splice_settings(map, change, error);
}

/* ------------------------------------------------------------------------------------------- initialisers */

/* As near as a file's number can come. */
static int32_t far_side(int32_t from, uint32_t size)
{
    const int64_t to = (int64_t)from + size;
    return to > INT32_MAX ? INT32_MAX : (int32_t)to;
}

void tm_quad_init(tm_quad *quad, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    if (!quad)
        return;
    const tm_color white = {255, 255, 255, 255};
    const int32_t right = far_side(x, width), bottom = far_side(y, height);
    memset(quad, 0, sizeof(*quad));
    for (int k = 0; k < 4; k++) {
        const bool at_right = k & 1, at_bottom = k & 2;
        quad->points[k] = (tm_point){at_right ? right : x, at_bottom ? bottom : y};
        quad->texture[k] = (tm_point){at_right ? TM_FX : 0, at_bottom ? TM_FX : 0};
        quad->colors[k] = white;
    }
    quad->points[4] = (tm_point){far_side(x, width / 2), far_side(y, height / 2)};
    quad->position_envelope = TM_NONE;
    quad->color_envelope = TM_NONE;
}

void tm_sound_source_init(tm_sound_source *source, int32_t x, int32_t y)
{
    if (!source)
        return;
    enum { FALLOFF = 80, RADIUS = 1500 };
    memset(source, 0, sizeof(*source));
    source->position = (tm_point){x, y};
    source->loop = 1;
    source->pan = 1;
    source->falloff = FALLOFF;
    source->position_envelope = TM_NONE;
    source->sound_envelope = TM_NONE;
    source->shape = TM_SHAPE_CIRCLE;
    source->width = RADIUS;
}

void tmi_quad_bounds(tm_point *least, tm_point *most, const tm_quad *quad)
{
    *least = *most = quad->points[0];
    for (int i = 1; i < 4; i++) {
        const tm_point *corner = &quad->points[i];
        least->x = corner->x < least->x ? corner->x : least->x;
        least->y = corner->y < least->y ? corner->y : least->y;
        most->x = corner->x > most->x ? corner->x : most->x;
        most->y = corner->y > most->y ? corner->y : most->y;
    }
}

bool tmi_quad_is_hidden(const tm_map *map, const tm_quad *quad)
{
    bool clear = !tm_map_envelope(map, quad->color_envelope), flat = true;
    for (int i = 0; i < 4; i++) {
        clear = clear && quad->colors[i].a == 0;
        flat = flat && quad->points[i].x == quad->points[0].x && quad->points[i].y == quad->points[0].y;
    }
    return clear || flat;
}
