/* SPDX-License-Identifier: Zlib */
/*
 * One change of every plain field, on maps of each era: what is saved differs only in the items and blocks that the change
 * concerns, loads as an equal map, is saved again as it is, and strict mode takes it if it took the map before. Taking the
 * change back gives the first bytes again. Changes by the functions of the model are in test_mapfile_rearrange.c.
 *
 * test-timeout: 600
 */
#include "support/lib_changes.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ------------------------------------------------------------------------------------------------- every plain field */

typedef enum field_owner {
    MAP,
    IMAGE,
    SOUND,
    ENVELOPE,
    POINT,
    GROUP,
    LAYER,
    DESIGN,
    AUTOMAPPER,
    QUADS,
    SOUNDS
} field_owner;
typedef enum field_type {
    INT,
    COLOR,
    BOOL,
    NAME,
    TEXT,
    IMAGE_INDEX,
    SOUND_INDEX,
    ENVELOPE_INDEX,
    FORMAT
} field_type;

/* What may differ: items of one kind, and blocks. */
typedef struct plain_field {
    const char *name;
    field_owner owner;
    field_type type;
    size_t offset;
    int kind; /* of the item in which it stands */
} plain_field;

#define F(owner, type, struct_name, member, kind)                                  \
    {                                                                              \
#struct_name "." #member, owner, type, offsetof(struct_name, member), kind \
    }
#define TILES(type, member) F(DESIGN, type, tm_layer, as.tiles.member, TM_ITEM_LAYER)
#define AUTO(type, member)  F(AUTOMAPPER, type, tm_layer, as.tiles.automapper.member, TEST_KIND_AUTOMAPPER)
#define POINTS(member)      F(POINT, INT, tm_envelope_point, member, TM_ITEM_ENVELOPE_POINTS)
#define TANGENT(member)     F(POINT, INT, tm_envelope_point, member, TEST_KIND_BEZIER)
#define TANGENTS(member)    TANGENT(member[0]), TANGENT(member[1]), TANGENT(member[2]), TANGENT(member[3])

static const plain_field fields[] = {
    F(MAP, INT, tm_map, version, TM_ITEM_VERSION),
    F(MAP, TEXT, tm_map, info.author, TM_ITEM_INFO),
    F(MAP, TEXT, tm_map, info.version, TM_ITEM_INFO),
    F(MAP, TEXT, tm_map, info.credits, TM_ITEM_INFO),
    F(MAP, TEXT, tm_map, info.license, TM_ITEM_INFO),
    F(IMAGE, TEXT, tm_image, name, TM_ITEM_IMAGE),
    F(IMAGE, INT, tm_image, width, TM_ITEM_IMAGE),
    F(IMAGE, INT, tm_image, height, TM_ITEM_IMAGE),
    F(IMAGE, BOOL, tm_image, external, TM_ITEM_IMAGE),
    F(IMAGE, FORMAT, tm_image, format, TM_ITEM_IMAGE),
    F(SOUND, TEXT, tm_sound, name, TM_ITEM_SOUND),
    F(SOUND, BOOL, tm_sound, external, TM_ITEM_SOUND),
    F(ENVELOPE, NAME, tm_envelope, name, TM_ITEM_ENVELOPE),
    F(ENVELOPE, INT, tm_envelope, channels, TM_ITEM_ENVELOPE),
    F(ENVELOPE, BOOL, tm_envelope, synchronized, TM_ITEM_ENVELOPE),
    POINTS(time),
    POINTS(curve),
    POINTS(values[0]),
    POINTS(values[1]),
    POINTS(values[2]),
    POINTS(values[3]),
    TANGENTS(in_dx),
    TANGENTS(in_dy),
    TANGENTS(out_dx),
    TANGENTS(out_dy),
    F(GROUP, NAME, tm_group, name, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, offset_x, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, offset_y, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, parallax_x, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, parallax_y, TM_ITEM_GROUP),
    F(GROUP, BOOL, tm_group, use_clipping, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, clip_x, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, clip_y, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, clip_w, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, clip_h, TM_ITEM_GROUP),
    F(GROUP, INT, tm_group, parallax_zoom, TEST_KIND_GROUP_EX),
    F(LAYER, NAME, tm_layer, name, TM_ITEM_LAYER),
    F(LAYER, BOOL, tm_layer, detail, TM_ITEM_LAYER),
    TILES(COLOR, color.r),
    TILES(COLOR, color.g),
    TILES(COLOR, color.b),
    TILES(COLOR, color.a),
    TILES(ENVELOPE_INDEX, color_envelope),
    TILES(INT, color_envelope_offset),
    TILES(IMAGE_INDEX, image),
    AUTO(BOOL, present),
    AUTO(INT, config),
    AUTO(INT, seed),
    AUTO(BOOL, automatic),
    F(QUADS, IMAGE_INDEX, tm_layer, as.quads.image, TM_ITEM_LAYER),
    F(SOUNDS, SOUND_INDEX, tm_layer, as.sounds.sound, TM_ITEM_LAYER),
};

/* --------------------------------------------------------------------------------------------- objects of an owner */

/* The k-th object of a kind, or NULL behind the last one. */
static void *layer_at(tm_map *map, uint32_t k, bool (*fits)(const tm_layer *layer))
{
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++)
            if (fits(&map->groups[g].layers[l]) && k-- == 0)
                return &map->groups[g].layers[l];
    return NULL;
}

static bool fits_any(const tm_layer *layer)
{
    return layer->kind != TM_LAYER_UNKNOWN;
}

static bool fits_tiles(const tm_layer *layer)
{
    return tm_rules_layer(layer->kind)->is_tiles;
}

static bool fits_design(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_TILES;
}

static bool fits_quads(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_QUADS;
}

static bool fits_sounds(const tm_layer *layer)
{
    return layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS;
}

static void *point_at(tm_map *map, uint32_t k)
{
    for (uint32_t e = 0; e < map->num_envelopes; e++) {
        if (k < map->envelopes[e].num_points)
            return &map->envelopes[e].points[k];
        k -= map->envelopes[e].num_points;
    }
    return NULL;
}

static void *object_at(tm_map *map, field_owner owner, uint32_t k)
{
    switch (owner) {
    case MAP: return k == 0 ? map : NULL;
    case IMAGE: return k < map->num_images ? &map->images[k] : NULL;
    case SOUND: return k < map->num_sounds ? &map->sounds[k] : NULL;
    case ENVELOPE: return k < map->num_envelopes ? &map->envelopes[k] : NULL;
    case POINT: return point_at(map, k);
    case GROUP: return k < map->num_groups ? &map->groups[k] : NULL;
    case LAYER: return layer_at(map, k, fits_any);
    case DESIGN: return layer_at(map, k, fits_tiles);
    case AUTOMAPPER: return layer_at(map, k, fits_design);
    case QUADS: return layer_at(map, k, fits_quads);
    case SOUNDS: return layer_at(map, k, fits_sounds);
    }
    return NULL;
}

/* --------------------------------------------------------------------------------------------------------- one change */

typedef union value {
    int32_t number;
    bool flag;
    const char *text;
    char name[TM_ENVELOPE_NAME_SIZE];
} value;

static void get(const plain_field *field, const void *object, value *out)
{
    const char *at = (const char *)object + field->offset;
    switch (field->type) {
    case BOOL: memcpy(&out->flag, at, sizeof(out->flag)); break;
    case TEXT: memcpy(&out->text, at, sizeof(out->text)); break;
    case NAME: memcpy(out->name, at, field->owner == ENVELOPE ? TM_ENVELOPE_NAME_SIZE : TM_NAME_SIZE); break;
    default: memcpy(&out->number, at, sizeof(out->number));
    }
}

static void put(const plain_field *field, void *object, const value *in)
{
    char *at = (char *)object + field->offset;
    switch (field->type) {
    case BOOL: memcpy(at, &in->flag, sizeof(in->flag)); break;
    case TEXT: memcpy(at, &in->text, sizeof(in->text)); break;
    case NAME: memcpy(at, in->name, field->owner == ENVELOPE ? TM_ENVELOPE_NAME_SIZE : TM_NAME_SIZE); break;
    default: memcpy(at, &in->number, sizeof(in->number));
    }
}

/* Another value than the old one, that a loader takes. */
static bool other_value(const plain_field *field, const tm_map *map, const value *old, value *out)
{
    memset(out, 0, sizeof(*out));
    const uint32_t num = field->type == IMAGE_INDEX   ? map->num_images
                         : field->type == SOUND_INDEX ? map->num_sounds
                                                      : map->num_envelopes;
    switch (field->type) {
    case INT: out->number = old->number == 4 ? 3 : 4; return true;
    case COLOR: out->number = old->number == 7 ? 8 : 7; return true;
    case FORMAT: out->number = old->number == TM_IMAGE_RGBA ? TM_IMAGE_RGB : TM_IMAGE_RGBA; return true;
    case BOOL: out->flag = !old->flag; return true;
    case TEXT:
        out->text = old->text && strcmp(old->text, "new text") == 0 ? "other" : "new text";
        return true;
    case NAME: strcpy(out->name, strcmp(old->name, "N\xC3\xA4u") == 0 ? "" : "N\xC3\xA4u"); return true;
    case IMAGE_INDEX:
    case SOUND_INDEX:
    case ENVELOPE_INDEX:
        out->number = old->number >= 0 ? TM_NONE : (int32_t)num - 1;
        return old->number != out->number;
    }
    return false;
}

/* Fields that have no meaning for this object, or none in this game. */
static bool has_field(const plain_field *field, const tm_map *map, const void *object)
{
    if (field->type == FORMAT)
        return !((const tm_image *)object)->external;
    if (field->owner == IMAGE && field->type == BOOL) /* the format of an external image is not kept */
        return ((const tm_image *)object)->format == TM_IMAGE_RGBA;
    if (field->kind == TEST_KIND_GROUP_EX)
        return ((const tm_group *)object)->has_parallax_zoom;
    if (field->kind ==
        TEST_KIND_BEZIER) /* Teeworlds 0.6 has no tangents: a finding, see test_mapfile_new.c */
        return map->game != TM_GAME_TEEWORLDS06;
    if (field->owner == AUTOMAPPER)
        return field->type == BOOL && field->offset == offsetof(tm_layer, as.tiles.automapper.present)
                   ? map->game == TM_GAME_DDNET
                   : ((const tm_layer *)object)->as.tiles.automapper.present;
    return true;
}

static void allow(const plain_field *field, const tm_map *map, struct test_allowed *allowed)
{
    memset(allowed, 0, sizeof(*allowed));
    allowed->lost[field->kind] = allowed->gained[field->kind] = 1;
    if (field->type == TEXT) /* the old text goes unless another object has it, the new one comes */
        allowed->blocks = 1;
    if (field->kind == TM_ITEM_INFO) /* there may be no item yet */
        allowed->lost[TM_ITEM_INFO] = 1;
    if (field->kind == TEST_KIND_BEZIER) {
        allowed->gained[TEST_KIND_INDEX] = 1;
        allowed->lost[TM_ITEM_ENVELOPE_POINTS] = allowed->gained[TM_ITEM_ENVELOPE_POINTS] = 1;
        if (map->game == TM_GAME_TEEWORLDS07) /* all points become long, and envelopes say so */
            allowed->lost[TM_ITEM_ENVELOPE] = allowed->gained[TM_ITEM_ENVELOPE] = map->num_envelopes;
        else if (tm_mapfile_datafile(
                     map)) /* if points are written anew, those of nobody go and ranges move */
            allowed->lost[TM_ITEM_ENVELOPE] = allowed->gained[TM_ITEM_ENVELOPE] = map->num_envelopes;
    }
    if (field->owner == AUTOMAPPER && field->type == BOOL) {
        allowed->gained[TEST_KIND_INDEX] = 1;
        allowed->ids = true; /* later ones count down */
    }
    allowed->refused = field->owner == MAP && field->type == INT; /* of a map version that no game has */
}

/* Changes a field of the k-th object; false if there is no such object. */
static bool change_one(struct test_base *base, const plain_field *field, uint32_t k, uint32_t *num_changes)
{
    value old, fresh;
    struct test_allowed allowed;
    char name[100];
    if (!object_at(base->map, field->owner, k))
        return false;
    tm_map *map = test_base_clone(base);
    void *object = object_at(map, field->owner, k);
    get(field, object, &old);
    if (has_field(field, map, object) && other_value(field, map, &old, &fresh)) {
        snprintf(name, sizeof(name), "%s of object %u", field->name, (unsigned)k);
        put(field, object, &fresh);
        allow(field, map, &allowed);
        test_check_change(base, map, name, &allowed);
        put(field, object, &old);
        test_check_unchanged(base, map, name);
        ++*num_changes;
    }
    tm_map_free(map);
    return true;
}

/* Every object of generated maps; of real ones the first few. */
static void change_all(struct test_base *base, uint32_t most)
{
    uint32_t num_changes = 0;
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        for (uint32_t k = 0; k < most && change_one(base, &fields[i], k, &num_changes); k++)
            ;
    print_message("%s: %u changes\n", base->name, (unsigned)num_changes);
    assert_true(num_changes > 20);
}

/* -------------------------------------------------------------------------------------------------------------- tests */

static void fields_of_generated_maps(void **state)
{
    (void)state;
    struct test_base base;
    for (int i = 0; test_base_generated(&base, i); i++) {
        change_all(&base, 100);
        test_base_release(&base);
    }
}

static void fields_of_real_maps(void **state)
{
    (void)state;
    struct test_base base;
    for (int i = 0; test_base_real(&base, i); i++) {
        change_all(&base, 3);
        test_base_release(&base);
    }
}

/* A field that is not in the list above is not tested: the sizes of the structs tell that there is a new one. */
static void no_field_is_forgotten(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        skip();
    assert_int_equal(sizeof(tm_info), 64);
    assert_int_equal(sizeof(tm_image), 56);
    assert_int_equal(sizeof(tm_sound), 48);
    assert_int_equal(sizeof(tm_envelope_point), 4 * 22);
    assert_int_equal(sizeof(tm_envelope), 80);
    assert_int_equal(sizeof(tm_automapper), 32);
    assert_int_equal(sizeof(tm_tile_layer), 88);
    assert_int_equal(sizeof(tm_quad_layer), 16);
    assert_int_equal(sizeof(tm_sound_layer), 16);
    assert_int_equal(sizeof(tm_layer), 136);
    assert_int_equal(sizeof(tm_group), 112);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_generated_maps),
        cmocka_unit_test(fields_of_real_maps),
        cmocka_unit_test(no_field_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
